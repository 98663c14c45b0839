/* Commands for the units in which commands take numbers and reports show them. */
#include "tclbind/console.h"

#define ROW_UNIT(name, what, such) \
    { name, ARG_TEXT, .value = "unit", .help = "unit of " what ", such as " such }

static const Option units_options[] = { ROW_UNIT("-time", "time", "1ns"),
                                        ROW_UNIT("-capacitance", "capacitance", "1fF"),
                                        ROW_UNIT("-resistance", "resistance", "1kOhm"),
                                        ROW_UNIT("-voltage", "voltage", "1V"),
                                        ROW_UNIT("-current", "current", "1mA"),
                                        ROW_UNIT("-power", "power", "1nW"),
                                        ROW_UNIT("-distance", "distance", "1um"),
                                        { 0 } };

static const char *const names[UNIT_COUNT] = { "-time",    "-capacitance", "-resistance",
                                               "-voltage", "-current",     "-power",
                                               "-distance" };

/* All or nothing: a bad unit changes none. */
static Status run_set_units(Session *s, Args *a)
{
  UnitSet units = s->units;
  for (int k = 0; k < UNIT_COUNT; k++) {
    const char *text = args_text(a, names[k]);
    if (text && !unit_parse((UnitKind)k, text, &units.scale[k]))
      return log_error(s->log, "CMD-055", NOWHERE, "set_cmd_units: '%s' is no unit of %s", text,
                       unit_kind_name((UnitKind)k));
  }
  s->units = units;
  s->units_given = true;
  return OK;
}

static Status run_report_units(Session *s, Args *a)
{
  for (int k = 0; k < UNIT_COUNT; k++) {
    char name[32];
    unit_name((UnitKind)k, s->units.scale[k], name);
    args_print(a, " %-12s %s\n", unit_kind_name((UnitKind)k), name);
  }
  return OK;
}

const Command commands_units[] = {
  { "set_cmd_units", "units", "set the units of commands and reports", units_options, run_set_units,
    CMD_CHANGES, "Without this command the units are those of "
                 "the first library.", "set_cmd_units -time 1ns\n" },
  { "report_units", "units", "units of commands and reports", NULL, run_report_units, CMD_REDIRECT,
    NULL, "report_units\n" },
  { 0 }
};
