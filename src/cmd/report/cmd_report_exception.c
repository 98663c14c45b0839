/* The command report_exceptions. */
#include "cmd/report/cmd_report.h"
#include "report/report_exceptions.h"

static const Option exceptions_options[] = {
  { "-ignored", ARG_FLAG, .help = "only exceptions without effect" },
  { "-verbose", ARG_FLAG, .help = "show all objects of each list" },
  { "-from", ARG_OBJECTS, .value = "objects", .kinds = OBJS_PATH_END,
    .help = "only exceptions with one of these in -from" },
  { "-through", ARG_OBJECTS, .value = "objects", .kinds = OBJS_THROUGH,
    .help = "only exceptions with one of these in a -through" },
  { "-to", ARG_OBJECTS, .value = "objects", .kinds = OBJS_PATH_END,
    .help = "only exceptions with one of these in -to" },
  OPTIONS_IN_SCENARIO,
  OPTION_DIGITS,
  { 0 }
};

static const Object *objects_of(const Args *a, const char *option, uint32_t *count)
{
  *count = 0;
  return args_given(a, option) ? args_objects(a, option, 0, count) : NULL;
}

static Status run_report_exceptions(Session *s, Args *a)
{
  if (session_timing(s, false) == NULL) return FAILED;
  ExceptionFilter f = { .ignored = args_flag(a, "-ignored"),
                        .all_objects = args_flag(a, "-verbose") };
  f.from = objects_of(a, "-from", &f.from_count);
  f.through = objects_of(a, "-through", &f.through_count);
  f.to = objects_of(a, "-to", &f.to_count);
  ExceptionUses uses = { 0 };
  Text out = { 0 };
  Sheet sheet = report_sheet(s, a, &out);
  exception_uses(&(GraphInput){ s->netlist, s->libs, s->constraints, NULL, s->rules }, &uses);
  report_exceptions(&sheet, &uses, &f);
  array_free(&uses);
  report_finish(a, &out);
  return OK;
}

const Command commands_report_exception[] = {
  { "report_exceptions", "reporting", "report path exceptions and the effect of each",
    exceptions_options, run_report_exceptions, CMD_REDIRECT | CMD_NEEDS_DESIGN | CMD_IN_SCENARIO,
    "An exception applies at the endpoints where it has priority for some path. A false path "
    "without -to stops all paths at pins. An exception without effect is replaced by a later one "
    "for the same paths, overridden by a more specific or stronger one, or applies to no path; "
    "the report says which of its points no path reaches. A command for setup and hold may "
    "appear as two exceptions.",
    "report_exceptions\nreport_exceptions -ignored\n" },
  { 0 }
};
