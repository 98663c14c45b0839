/* The command compare_delay_models. */
#include "cmd/report/cmd_report.h"
#include "report/report_models.h"

static const Option compare_options[] = {
  { "objects", ARG_OBJECTS, .kinds = OBJS_PORT_PIN | OBJ_BIT(OBJ_CELL) | OBJ_BIT(OBJ_NET),
    .flags = OPT_REST, .help = "only these pins: drivers or loads, all pins of nets, outputs of "
                               "cells and the loads that these drive; default: the design" },
  { "-from_model", ARG_ENUM, .value = DELAY_MODEL_WORDS,
    .help = "the first model; default: that of the design" },
  { "-to_model", ARG_ENUM, .value = DELAY_MODEL_WORDS,
    .help = "the second model; default: the default of set_delay_model; if the first model is that "
            "one, the first other waveform model in the list of models" },
  { "-of", ARG_ENUM, .value = "delay|slew|both", .preset = "delay",
    .help = "what counts as the difference; both: the larger one" },
  { "-sort_by", ARG_ENUM, .value = "time|percent", .preset = "time",
    .help = "what sorts the rows, the largest first: the difference in time, or its percentage "
            "of the first model's value" },
  { "-threshold", ARG_TIME, .value = "time", .preset = "0",
    .help = "least difference that is shown", RANGE(0, 1e9) },
  { "-threshold_percent", ARG_FLOAT, .value = "percent", .preset = "0",
    .help = "least difference that is shown, as a percentage of the first model's value",
    RANGE(0, 1e9) },
  { "-max_count", ARG_INT, .value = "N", .preset = "20", .help = "largest number of rows",
    RANGE(1, 1000000) },
  { "-all_loads", ARG_FLAG, .help = "a row for each pin of a stage; default: for the pin that "
                                    "differs most" },
  { "-rise", ARG_FLAG, .help = "only rising outputs" },
  { "-fall", ARG_FLAG, .help = "only falling outputs" },
  { "-min", ARG_FLAG, .help = "early analysis" },
  { "-max", ARG_FLAG, .help = "late analysis; the default" },
  OPTIONS_SCENE,
  OPTION_DIGITS,
  { 0 }
};

/* Two flags as a mask of 1 << 0 and 1 << 1. */
static unsigned flag_mask(const Args *a, const char *first, const char *second, unsigned neither)
{
  unsigned mask = (unsigned)args_flag(a, first) | (unsigned)args_flag(a, second) << 1;
  return mask ? mask : neither;
}

/* The default model, or the first other waveform model. */
static DelayModel other_model(DelayModel from)
{
  int model = DELAY_DEFAULT;
  if (from != DELAY_DEFAULT) return DELAY_DEFAULT;
  for (int m = DELAY_MODEL_COUNT; m-- > 0;)
    if (m != DELAY_DEFAULT && delay_has(m, DELAY_BY_WAVE)) model = m;
  return (DelayModel)model;
}

static CompareQuery compare_query(const Args *a, const Timing *t)
{
  CompareQuery q = { .of = (CompareOf)args_enum(a, "-of"),
                     .relative = args_enum(a, "-sort_by") == 1,
                     .all_loads = args_flag(a, "-all_loads"),
                     .edges = flag_mask(a, "-rise", "-fall", 3),
                     .analyses = flag_mask(a, "-min", "-max", 1u << LATE),
                     .least = (float)args_number(a, "-threshold"),
                     .least_part = (float)args_number(a, "-threshold_percent") / 100,
                     .max_count = (uint32_t)args_int(a, "-max_count") };
  q.from = args_given(a, "-from_model") ? (DelayModel)args_enum(a, "-from_model") : t->delay_model;
  q.to = args_given(a, "-to_model") ? (DelayModel)args_enum(a, "-to_model") : other_model(q.from);
  q.objects = args_objects(a, "objects", 0, &q.object_count);
  if (t->single) q.analyses = 1u << LATE;
  return q;
}

static Status run_compare_delay_models(Session *s, Args *a)
{
  Text out = { 0 };
  Timing *t = session_timing(s, false);
  if (t == NULL) return FAILED;
  CompareQuery q = compare_query(a, t);
  if (q.from == q.to)
    return log_error(s->log, "RPT-031", args_where(a),
                     "compare_delay_models: -from_model and -to_model are both %s: two different "
                     "models were expected", delay_model_name((int)q.from));
  Sheet sheet = report_sheet(s, a, &out);
  report_model_differences(&sheet, t, &q);
  report_finish(a, &out);
  return OK;
}

const Command commands_compare_models[] = {
  { "compare_delay_models", "reporting", "list the stages on which two delay models differ most",
    compare_options, run_compare_delay_models,
    CMD_REDIRECT | CMD_NEEDS_DESIGN | CMD_EACH_SCENARIO,
    "A stage is an arc of a cell and the loads after it. A row shows the pin of the stage that "
    "differs most: the driver (load -), or a load. Delays are measured from the arc's input to "
    "that pin. Both models have the same slew at the input, that of the design's timing, so "
    "differences do not add up along a path. A difference is the value of the second model minus "
    "the value of the first. The design keeps its model and its times. Annotated delays are not "
    "considered. Wires after ports, arcs that are off and ideal networks are left out. If no pin "
    "is left, the report says so.",
    "compare_delay_models -from_model lumped -to_model elmore -max_count 5\n"
    "compare_delay_models -of slew -sort_by percent [get_nets exec/n1508]\n" },
  { 0 }
};
