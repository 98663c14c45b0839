/* Constraints: units, operating conditions, the hierarchy separator, and commands that are read for the
   sake of the scripts they stand in. */
#include <math.h>

#include "cmd/sdc.h"

/* --- set_units --------------------------------------------------------------------------------------------- */

static const char *const unit_options[UNIT_COUNT] = {
  [UNIT_TIME] = "-time", [UNIT_CAPACITANCE] = "-capacitance", [UNIT_RESISTANCE] = "-resistance",
      [UNIT_VOLTAGE] = "-voltage",
  [UNIT_CURRENT] = "-current", [UNIT_POWER] = "-power", [UNIT_DISTANCE] = "-distance" };

static Status check_unit(Sdc *x, UnitKind kind)
{
  double scale, have = x->s->units.scale[kind];
  char given[32], in_use[32];
  const char *text = args_text(x->a, unit_options[kind]);
  if (text == NULL) return OK;
  if (!unit_parse(kind, text, &scale))
    return log_error(x->s->log, "SDC-060", x->where, "%s: '%s' is no unit of %s", x->command, text,
        unit_kind_name(kind));
  if (fabs(scale - have) <= 1e-6 * have) return OK;
  unit_name(kind, scale, given);
  unit_name(kind, have, in_use);
  log_warning(x->s->log, "SDC-061", x->where, "%s: the unit of %s here is %s, not %s; numbers are read in %s",
      x->command,
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

/* --- set_hierarchy_separator --------------------------------------------------------------------------------- */

static Status run_set_hierarchy_separator(Session *s, Args *a)
{
  const char *text = args_text(a, "separator");
  if (text == NULL || strlen(text) != 1 || strchr("/@^#.|", *text) == NULL)
    return log_error(s->log, "SDC-062", args_where(a), "set_hierarchy_separator: expected one of / @ ^ # . |");
  s->separator = *text;
  return OK;
}

static const Option set_hierarchy_separator_options[] = {
  { "separator", ARG_TEXT, .value = "character", .flags = OPT_REQUIRED, .help = "one of / @ ^ # . |" }, ROW_END };

/* --- set_operating_conditions ---------------------------------------------------------------------------------- */

static Status find_library(Sdc *x, const char *option, LibraryId *id)
{
  const char *text = args_text(x->a, option);
  *id = NO_LIBRARY;
  if (text == NULL) return OK;
  *id = library_find(x->s->libs, text);
  if (*id != NO_LIBRARY) return OK;
  return log_error(x->s->log, "SDC-063", x->where, "%s: there is no library %s", x->command, text);
}

/* The name of the condition that an option gives, if a library (NO_LIBRARY: any) has it. */
static Status find_condition(Sdc *x, const char *option, LibraryId library, NameId *name)
{
  const LibrarySet *libs = x->s->libs;
  const char *text = args_text(x->a, option);
  *name = NO_NAME;
  if (text == NULL) return OK;
  for (uint32_t i = 0; i < libs->conditions.len && *name == NO_NAME; i++)
    if ((library == NO_LIBRARY || libs->condition_library.at[i] == library)
        && strcmp(names_text(x->s->names, libs->conditions.at[i].name), text) == 0)
      *name = libs->conditions.at[i].name;
  if (*name != NO_NAME) return OK;
  return log_error(x->s->log, "SDC-063", x->where, "%s: no library has operating conditions %s", x->command, text);
}

static void put_condition(Sdc *x, int early_late, NameId name)
{
  if (name == NO_NAME || x->c->operating_condition[early_late] == name) return;
  x->c->operating_condition[early_late] = name;
  constraints_value_changed(x->c);
}

static Status run_set_operating_conditions(Session *s, Args *a)
{
  Sdc x = sdc_begin(s, a, "set_operating_conditions");
  LibraryId library, min_library, max_library;
  NameId both, min, max;
  if (find_library(&x, "-library", &library) != OK || find_library(&x, "-min_library", &min_library) != OK
      || find_library(&x, "-max_library", &max_library) != OK)
    return FAILED;
  if (find_condition(&x, "condition", library, &both) != OK || find_condition(&x, "-min", min_library, &min) != OK
      || find_condition(&x, "-max", max_library, &max) != OK)
    return FAILED;
  if (args_given(a, "-analysis_type") && args_enum(a, "-analysis_type") != 2)
    log_warning(s->log, "SDC-064", x.where, "set_operating_conditions: analysis is always that of on_chip_variation");
  put_condition(&x, EARLY, min != NO_NAME ? min : both);
  put_condition(&x, LATE, max != NO_NAME ? max : both);
  return OK;
}

static const Option set_operating_conditions_options[] = {
  { "-analysis_type", ARG_ENUM, .value = "single|bc_wc|on_chip_variation",
    .help = "how early and late delays are taken" },
  { "-library", ARG_TEXT, .value = "library", .help = "library of the condition" },
  { "-min", ARG_TEXT, .value = "condition", .help = "condition of early analysis" },
  { "-max", ARG_TEXT, .value = "condition", .help = "condition of late analysis" },
  { "-min_library", ARG_TEXT, .value = "library", .help = "library of -min" },
  { "-max_library", ARG_TEXT, .value = "library", .help = "library of -max" },
  { "condition", ARG_TEXT, .value = "condition", .help = "name of operating conditions" },
  ROW_END };

/* --- read, not used yet ------------------------------------------------------------------------------------------ */

#define UNUSED_COMMAND(name_, code)                 \
  static Status run_##name_(Session *s, Args *a)    \
  {                                                 \
    Sdc x = sdc_begin(s, a, #name_);                \
    SDC_UNUSED(&x, code);                           \
    return OK;                                      \
  }

UNUSED_COMMAND(create_voltage_area, "SDC-107")
UNUSED_COMMAND(set_level_shifter_strategy, "SDC-108")
UNUSED_COMMAND(set_level_shifter_threshold, "SDC-109")
UNUSED_COMMAND(set_max_dynamic_power, "SDC-110")
UNUSED_COMMAND(set_max_leakage_power, "SDC-111")
UNUSED_COMMAND(set_voltage, "SDC-112")
UNUSED_COMMAND(set_pvt, "SDC-113")
UNUSED_COMMAND(set_wire_load_min_block_size, "SDC-114")
UNUSED_COMMAND(set_wire_load_mode, "SDC-115")
UNUSED_COMMAND(set_wire_load_model, "SDC-116")
UNUSED_COMMAND(set_wire_load_selection_group, "SDC-117")

static const Option create_voltage_area_options[] = {
  { "-name", ARG_TEXT, .value = "name", .help = "name of the area" },
  { "-coordinate", ARG_LIST, .value = "coordinates", .help = "corners" },
  { "-guard_band_x", ARG_FLOAT, .value = "width", .help = "guard band" },
  { "-guard_band_y", ARG_FLOAT, .value = "width", .help = "guard band" },
  ROW_OBJECTS("cells", OBJ_BIT(OBJ_CELL), OPT_REQUIRED, "cells"), ROW_END };
static const Option set_level_shifter_strategy_options[] = {
  { "-rule", ARG_ENUM, .value = "all|low_to_high|high_to_low", .help = "where level shifters go" }, ROW_END };
static const Option set_level_shifter_threshold_options[] = {
  { "-voltage", ARG_FLOAT, .value = "volt", .help = "difference that is allowed" },
  { "-percent", ARG_FLOAT, .value = "percent", .help = "difference that is allowed" }, ROW_END };
static const Option set_max_power_options[] = {
  { "power", ARG_FLOAT, .value = "power", .flags = OPT_REQUIRED, .help = "limit" },
  { "unit", ARG_TEXT, .value = "unit", .help = "unit of the limit" }, ROW_END };
static const Option set_voltage_options[] = {
  { "-min", ARG_FLOAT, .value = "volt", .help = "voltage of the minimum case" },
  { "-object_list", ARG_LIST, .value = "nets", .help = "power nets" },
  { "max_case_voltage", ARG_FLOAT, .value = "volt", .flags = OPT_REQUIRED, .help = "voltage of the maximum case" },
    ROW_END };
static const Option set_pvt_options[] = {
  ROWS_MIN_MAX,
  { "-process", ARG_FLOAT, .value = "process", .help = "process" },
  { "-voltage", ARG_FLOAT, .value = "volt", .help = "voltage" },
  { "-temperature", ARG_FLOAT, .value = "degrees", .help = "temperature" },
  ROW_OBJECTS("insts", OBJ_BIT(OBJ_CELL), OPT_REQUIRED, "cells"), ROW_END };
static const Option set_wire_load_min_block_size_options[] = {
  { "block_size", ARG_FLOAT, .value = "size", .flags = OPT_REQUIRED, .help = "least area" }, ROW_END };
static const Option set_wire_load_mode_options[] = {
  { "mode", ARG_ENUM, .value = "top|enclosed|segmented", .flags = OPT_REQUIRED, .help = "mode" }, ROW_END };
#define KINDS_WIRE_LOAD (KIND_DESIGN | OBJ_BIT(OBJ_PORT) | OBJ_BIT(OBJ_CELL))
static const Option set_wire_load_model_options[] = {
  { "-name", ARG_TEXT, .value = "model", .flags = OPT_REQUIRED, .help = "name of the model" },
  { "-library", ARG_TEXT, .value = "library", .help = "its library" }, ROWS_MIN_MAX,
  ROW_OBJECTS("objects", KINDS_WIRE_LOAD, 0, "designs, ports or cells"), ROW_END };
static const Option set_wire_load_selection_group_options[] = {
  { "-library", ARG_TEXT, .value = "library", .help = "its library" }, ROWS_MIN_MAX,
  { "group_name", ARG_TEXT, .value = "group", .flags = OPT_REQUIRED, .help = "name of the group" },
  ROW_OBJECTS("objects", KINDS_WIRE_LOAD, 0, "designs or cells"), ROW_END };

/* --- table ------------------------------------------------------------------------------------------------------- */

#define UNUSED_ROW(name_, summary_, options_, example_) \
  { #name_, "constraints", summary_ " (not used yet)", options_, run_##name_, CMD_NEEDS_DESIGN | CMD_SDC, \
    "Read and checked, and a counted warning.", example_ }

const Command commands_sdc_other[] = {
  { "set_units", "constraints", "checks that a script's units are those in use", set_units_options, run_set_units,
    CMD_SDC,
    "Numbers are always read in the units in use: those of the first library, or of set_cmd_units. A unit that differs is a "
    "warning.",
    "set_units -time 1ns -capacitance 1pF\n" },
  { "set_hierarchy_separator", "constraints", "sets the character between levels of hierarchy",
    set_hierarchy_separator_options,
    run_set_hierarchy_separator, CMD_SDC,
    "For names in commands and reports.",
    "set_hierarchy_separator /\n" },
  SDC_COMMAND("set_operating_conditions", "chooses operating conditions", set_operating_conditions_options,
    run_set_operating_conditions, "The names must be those of a library. Delays are not scaled.",
    "set_operating_conditions -analysis_type on_chip_variation\n"),
  UNUSED_ROW(create_voltage_area, "defines a voltage area", create_voltage_area_options,
      "create_voltage_area -name area [get_cells exec]\n"),
  UNUSED_ROW(set_level_shifter_strategy, "says where level shifters go", set_level_shifter_strategy_options,
      "set_level_shifter_strategy -rule all\n"),
  UNUSED_ROW(set_level_shifter_threshold, "says when level shifters are needed", set_level_shifter_threshold_options,
      "set_level_shifter_threshold -voltage 0.1\n"),
  UNUSED_ROW(set_max_dynamic_power, "limits dynamic power", set_max_power_options,
      "set_max_dynamic_power 10\n"),
  UNUSED_ROW(set_max_leakage_power, "limits leakage power", set_max_power_options,
      "set_max_leakage_power 10\n"),
  UNUSED_ROW(set_voltage, "sets voltages of power nets", set_voltage_options,
      "set_voltage 0.72\n"),
  UNUSED_ROW(set_pvt, "sets process, voltage and temperature of cells", set_pvt_options,
      "set_pvt -voltage 0.72 [get_cells exec/g1508]\n"),
  UNUSED_ROW(set_wire_load_min_block_size, "sets the least block size for wire loads",
      set_wire_load_min_block_size_options,
      "set_wire_load_min_block_size 100\n"),
  UNUSED_ROW(set_wire_load_mode, "sets the mode of wire loads", set_wire_load_mode_options,
      "set_wire_load_mode top\n"),
  UNUSED_ROW(set_wire_load_model, "sets the wire load model", set_wire_load_model_options,
      "set_wire_load_model -name small\n"),
  UNUSED_ROW(set_wire_load_selection_group, "sets the selection group of wire loads",
      set_wire_load_selection_group_options,
      "set_wire_load_selection_group areas\n"),
  { 0 } };
