/* Constraints: units, operating conditions, the hierarchy separator, commands that are read for
   the sake of the scripts they stand in, and the removal of all constraints. */
#include <math.h>

#include "tclbind/args.h"
#include "sdc/sdc_command.h"

/* --- set_units -------------------------------------------------------------------------------- */

static const char *const unit_options[UNIT_COUNT] = {
  [UNIT_TIME] = "-time", [UNIT_CAPACITANCE] = "-capacitance", [UNIT_RESISTANCE] = "-resistance",
      [UNIT_VOLTAGE] = "-voltage",
  [UNIT_CURRENT] = "-current", [UNIT_POWER] = "-power", [UNIT_DISTANCE] = "-distance" };

static Status check_unit(Sdc *sdc, UnitKind kind)
{
  double scale, have = sdc->s->units.scale[kind];
  char given[32], in_use[32];
  const char *text = args_text(sdc->a, unit_options[kind]);
  if (text == NULL) return OK;
  if (!unit_parse(kind, text, &scale))
    return log_error(sdc->s->log, "SDC-060", sdc->where, "%s: '%s' is no unit of %s", sdc->command,
                     text, unit_kind_name(kind));
  if (fabs(scale - have) <= 1e-6 * have) return OK;
  unit_name(kind, scale, given);
  unit_name(kind, have, in_use);
  log_warning(sdc->s->log, "SDC-061", sdc->where,
              "%s: the unit of %s here is %s, not %s; numbers are read in %s", sdc->command,
              unit_kind_name(kind), in_use, given, in_use);
  return OK;
}

static Status run_set_units(Session *s, Args *a)
{
  Sdc x = sdc_begin(s, a, "set_units");
  for (int kind = 0; kind < UNIT_COUNT; kind++)
    if (check_unit(&x, (UnitKind)kind) != OK) return FAILED;
  return OK;
}

static const Option set_units_options[] = {
  { "-time", ARG_TEXT, .value = "unit", .help = "as 1ns" },
  { "-capacitance", ARG_TEXT, .value = "unit", .help = "as 1pF" },
  { "-resistance", ARG_TEXT, .value = "unit", .help = "as 1kOhm" },
  { "-voltage", ARG_TEXT, .value = "unit", .help = "as 1V" },
  { "-current", ARG_TEXT, .value = "unit", .help = "as 1mA" },
  { "-power", ARG_TEXT, .value = "unit", .help = "as 1nW" },
  { "-distance", ARG_TEXT, .value = "unit", .help = "as 1um" },
  ROW_END };

/* --- set_hierarchy_separator ------------------------------------------------------------------ */

static Status run_set_hierarchy_separator(Session *s, Args *a)
{
  const char *text = args_text(a, "separator");
  if (text == NULL || strlen(text) != 1 || strchr("/@^#.|", *text) == NULL)
    return log_error(s->log, "SDC-062", args_where(a),
                     "set_hierarchy_separator: expected one of / @ ^ # . |");
  s->separator = *text;
  return OK;
}

static const Option set_hierarchy_separator_options[] = {
  { "separator", ARG_TEXT, .value = "character", .flags = OPT_REQUIRED,
    .help = "one of / @ ^ # . |" },
  ROW_END
};

/* --- kept without effect on timing ------------------------------------------------------------ */

/* Stores the command as it was given, for write_sdc.  A command replaces an earlier one with the
   same key. */
static void keep(Session *s, const Args *a, NameId key)
{
  Tcl_Obj *words = Tcl_NewListObj(0, NULL);
  Tcl_IncrRefCount(words);
  Tcl_ListObjAppendElement(NULL, words, Tcl_NewStringObj(a->command->name, -1));
  for (uint32_t i = 0; i < a->uses.len; i++) {
    const Use *use = &a->uses.at[i];
    if (use->dropped) continue;
    if (use->option->name[0] == '-')
      Tcl_ListObjAppendElement(NULL, words, Tcl_NewStringObj(use->option->name, -1));
    if (use->value)
      Tcl_ListObjAppendElement(NULL, words, Tcl_NewStringObj(Tcl_GetString(use->value), -1));
  }
  constraints_keep(s->constraints, names_add_text(s->names, a->command->name), key,
                   names_add_text(s->names, Tcl_GetString(words)));
  Tcl_DecrRefCount(words);
}

#define KEPT_COMMAND(name_, code, key_)          \
  static Status run_##name_(Session *s, Args *a) \
  {                                              \
    Sdc x = sdc_begin(s, a, #name_);             \
    SDC_UNUSED(&x, code);                        \
    keep(s, a, key_);                            \
    return OK;                                   \
  }

KEPT_COMMAND(create_voltage_area, "SDC-107", sdc_name(&x, "-name"))
KEPT_COMMAND(set_level_shifter_strategy, "SDC-108", NO_NAME)
KEPT_COMMAND(set_level_shifter_threshold, "SDC-109", NO_NAME)
KEPT_COMMAND(set_max_dynamic_power, "SDC-110", NO_NAME)
KEPT_COMMAND(set_max_leakage_power, "SDC-111", NO_NAME)

static const Option create_voltage_area_options[] = {
  { "-name", ARG_TEXT, .value = "name", .help = "name of the area" },
  { "-coordinate", ARG_LIST, .value = "coordinates", .help = "corners" },
  { "-guard_band_x", ARG_FLOAT, .value = "width", .help = "guard band" },
  { "-guard_band_y", ARG_FLOAT, .value = "width", .help = "guard band" },
  ROW_OBJECTS("cells", OBJ_BIT(OBJ_CELL), OPT_REQUIRED, "cells"), ROW_END };
static const Option set_level_shifter_strategy_options[] = {
  { "-rule", ARG_ENUM, .value = "all|low_to_high|high_to_low", .help =
      "the places of level shifters" },
  ROW_END
};
static const Option set_level_shifter_threshold_options[] = {
  { "-voltage", ARG_FLOAT, .value = "volt", .help = "allowed difference of voltages" },
  { "-percent", ARG_FLOAT, .value = "percent", .help =
      "allowed difference of voltages" }, ROW_END };
static const Option set_max_power_options[] = {
  { "power", ARG_FLOAT, .value = "power", .flags = OPT_REQUIRED, .help = "limit" },
  { "unit", ARG_TEXT, .value = "unit", .help = "unit of the limit" }, ROW_END };

/* --- everything ------------------------------------------------------------------------------- */

static Status run_unset_constraints(Session *s, Args *a)
{
  (void)a;
  constraints_changed(s->constraints);
  Constraints *empty = constraints_new(s->netlist);
  empty->version = s->constraints->version - 1;      /* differs from the present one, so that the
                                                        graph compiles again */
  constraints_restore(s->constraints, empty);
  return OK;
}

static const Option no_options[] = { ROW_END };

/* --- table ------------------------------------------------------------------------------------ */

#define KEPT_ROW(name_, summary_, options_, example_)                              \
  { #name_, "constraints", summary_ " (no part in timing)", options_, run_##name_, \
      CMD_NEEDS_DESIGN | CMD_SDC,                                                  \
    "The command is read and checked, draws a warning, and is written by write_sdc.", example_ }

const Command commands_sdc_other[] = {
  { "set_units", "constraints", "checks that the units of a script are those "
                                "in use", set_units_options,
    run_set_units, CMD_SDC,
    "Numbers are always read in the units in use: those of the first library, or of "
    "set_cmd_units. A different unit draws a warning.",
    "set_units -time 1ns -capacitance 1pF\n" },
  { "set_hierarchy_separator", "constraints", "sets the hierarchy separator",
    set_hierarchy_separator_options, run_set_hierarchy_separator, CMD_SDC,
    "It applies to names in commands and in reports.", "set_hierarchy_separator /\n" },
  KEPT_ROW(create_voltage_area, "defines a voltage area", create_voltage_area_options,
           "create_voltage_area -name area [get_cells exec]\n"),
  KEPT_ROW(set_level_shifter_strategy, "sets the places of level shifters",
           set_level_shifter_strategy_options, "set_level_shifter_strategy -rule all\n"),
  KEPT_ROW(set_level_shifter_threshold, "sets the threshold for level shifters",
           set_level_shifter_threshold_options, "set_level_shifter_threshold -voltage 0.1\n"),
  KEPT_ROW(set_max_dynamic_power, "limits dynamic power", set_max_power_options,
           "set_max_dynamic_power 10\n"),
  KEPT_ROW(set_max_leakage_power, "limits leakage power", set_max_power_options,
           "set_max_leakage_power 10\n"),
  { 0 }
};

/* The manual lists these behind all commands that set something. */
const Command commands_sdc_unset_all[] = {
  SDC_COMMAND("unset_constraints", "removes all constraints", no_options, run_unset_constraints,
              NULL, "write_sdc -no_timestamp all.sdc\nunset_constraints\nread_sdc all.sdc\n"),
  { 0 }
};
