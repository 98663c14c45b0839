/* Constraint commands: operating conditions, process, voltage, temperature, wire loads. */
#include <math.h>

#include "base/interrupt.h"
#include "sdc/sdc_command.h"

/* --- set_operating_conditions ----------------------------------------------------------------- */

/* The library that an option names; NO_LIBRARY when it was not given. */
static Status find_library(Sdc *sdc, const char *option, LibraryId *id)
{
  const char *text = args_text(sdc->a, option);
  *id = NO_LIBRARY;
  if (text == NULL) return OK;
  *id = library_find(sdc->s->libs, text);
  if (*id != NO_LIBRARY) return OK;
  return log_error(sdc->s->log, "SDC-063", sdc->where, "%s: there is no library %s", sdc->command,
                   text);
}

/* Returns the condition that an option names, if a library (NO_LIBRARY: any) has it. */
static Status find_condition(Sdc *sdc, const char *option, LibraryId library, uint32_t *id)
{
  const LibrarySet *libs = sdc->s->libs;
  const char *text = args_text(sdc->a, option);
  *id = NO_CONDITION;
  if (text == NULL) return OK;
  for (uint32_t i = 0; i < libs->conditions.len; i++) {
    if (library != NO_LIBRARY && libs->condition_library.at[i] != library) continue;
    if (strcmp(names_text(sdc->s->names, libs->conditions.at[i].name), text) != 0) continue;
    *id = i;
    return OK;
  }
  return log_error(sdc->s->log, "SDC-063", sdc->where, "%s: no library has operating conditions %s",
                   sdc->command, text);
}

static void put_condition(Sdc *sdc, int early_late, uint32_t id)
{
  if (id == NO_CONDITION) return;
  sdc->c->said_of_condition[early_late] = sdc_command_id(sdc);
  if (sdc->c->operating_condition[early_late] == id) return;
  sdc->c->operating_condition[early_late] = id;
  constraints_changed(sdc->c);
}

static void put_analysis(Sdc *sdc)
{
  static const uint8_t types[] = { ANALYSIS_SINGLE, ANALYSIS_BC_WC, ANALYSIS_ON_CHIP };
  if (!args_given(sdc->a, "-analysis_type")) return;
  uint8_t type = types[args_enum(sdc->a, "-analysis_type")];
  sdc->c->analysis_given = true;
  if (sdc->c->analysis == type) return;
  sdc->c->analysis = type;
  constraints_changed(sdc->c);
}

/* -min and -max in their own libraries, else in that of -library. */
static Status find_conditions(Sdc *sdc, uint32_t found[2])
{
  LibraryId library, early, late;
  uint32_t both;
  if (find_library(sdc, "-library", &library) != OK
      || find_library(sdc, "-min_library", &early) != OK
      || find_library(sdc, "-max_library", &late) != OK)
    return FAILED;
  if (args_given(sdc->a, "condition") && (args_given(sdc->a, "-min") || args_given(sdc->a, "-max")))
    return log_error(sdc->s->log, "SDC-080", sdc->where,
                     "%s: one condition for both analyses does not go with -min and -max",
                     sdc->command);
  if (find_condition(sdc, "condition", library, &both) != OK
      || find_condition(sdc, "-min", early != NO_LIBRARY ? early : library, &found[EARLY]) != OK
      || find_condition(sdc, "-max", late != NO_LIBRARY ? late : library, &found[LATE]) != OK)
    return FAILED;
  if (both != NO_CONDITION) found[EARLY] = found[LATE] = both;
  return OK;
}

/* A library without a condition to be found in it, cells without one to have. */
static void warn_of_no_condition(Sdc *sdc)
{
  static const char *const options[] = { "-library", "-min_library", "-max_library",
                                         "-object_list" };
  bool both = args_given(sdc->a, "condition"), early = args_given(sdc->a, "-min"),
       late = args_given(sdc->a, "-max");
  bool any = both || early || late;
  const bool used[] = { any, early, late, any };
  for (int i = 0; i < 4; i++)
    if (args_given(sdc->a, options[i]) && !used[i])
      log_warning(sdc->s->log, "SDC-138", sdc->where, "%s: %s has no effect without a condition",
                  sdc->command, options[i]);
}

static void warn_of_no_words(Sdc *sdc)
{
  static const char *const options[] = { "condition", "-min", "-max", "-library", "-min_library",
                                         "-max_library", "-analysis_type", "-object_list" };
  for (size_t i = 0; i < sizeof options / sizeof *options; i++)
    if (args_given(sdc->a, options[i])) return;
  log_warning(sdc->s->log, "SDC-138", sdc->where,
              "%s: neither a condition nor -analysis_type is given; it has no effect",
              sdc->command);
}

static void put_pvt(Sdc *sdc, InstId inst, const float value[3], uint32_t analyses, bool forget)
{
  InstPvt *pvt = constraints_pvt(sdc->c, inst);
  if (!forget) pvt->said = sdc_command_id(sdc);
  float *const fields[] = { pvt->process, pvt->voltage, pvt->temperature };
  for (int i = 0; i < 3; i++)
    for (int el = EARLY; el <= LATE; el++)
      if ((analyses >> el & 1) && (forget || !isnan(value[i])))
        constraints_put(sdc->c, &fields[i][el], value[i]);
}

/* For some cells only.  A condition is a process, a voltage and a temperature, as for set_pvt. */
static void put_conditions_of(Sdc *sdc, const uint32_t found[2])
{
  uint32_t count;
  bool ports = false;
  const Object *objects = sdc_objects(sdc, "-object_list", &count);
  for (int el = EARLY; el <= LATE; el++) {
    if (found[el] == NO_CONDITION) continue;
    const OperatingConditions *conditions = &sdc->s->libs->conditions.at[found[el]];
    const float value[3] = { conditions->process, conditions->voltage, conditions->temperature };
    for (uint32_t i = 0; i < count && !interrupt_seen(); i++)
      if (objects[i].type == OBJ_CELL) put_pvt(sdc, objects[i].id, value, 1u << el, false);
  }
  for (uint32_t i = 0; i < count && !ports; i++) ports = objects[i].type == OBJ_PORT;
  if (ports)
    log_warning(sdc->s->log, "SDC-138", sdc->where,
                "%s: -object_list: ports have no delays to scale; "
                "the condition has no effect on them",
                sdc->command);
}

static Status run_set_operating_conditions(Session *s, Args *a)
{
  Sdc x = sdc_begin(s, a, "set_operating_conditions");
  uint32_t found[2] = { NO_CONDITION, NO_CONDITION };
  if (find_conditions(&x, found) != OK) return FAILED;
  warn_of_no_words(&x);
  warn_of_no_condition(&x);
  put_analysis(&x);
  if (args_given(a, "-object_list")) {
    put_conditions_of(&x, found);
    return OK;
  }
  put_condition(&x, EARLY, found[EARLY]);
  put_condition(&x, LATE, found[LATE]);
  if (x.c->analysis == ANALYSIS_SINGLE
      && x.c->operating_condition[EARLY] != x.c->operating_condition[LATE])
    log_warning(s->log, "SDC-081", x.where,
                "set_operating_conditions: with a single condition that of -min has no effect");
  return OK;
}

static Status run_unset_operating_conditions(Session *s, Args *a)
{
  Constraints *c = s->constraints;
  bool given = c->analysis_given || c->operating_condition[EARLY] != NO_CONDITION
               || c->operating_condition[LATE] != NO_CONDITION;
  (void)a;
  if (!given) return OK;
  c->operating_condition[EARLY] = c->operating_condition[LATE] = NO_CONDITION;
  c->analysis = ANALYSIS_ON_CHIP;
  c->analysis_given = false;
  constraints_changed(c);
  return OK;
}

static const Option set_operating_conditions_options[] = {
  { "-analysis_type", ARG_ENUM, .value = "single|bc_wc|on_chip_variation",
    .help = "how early and late delays are used" },
  { "-library", ARG_TEXT, .value = "library", .help = "library of the condition" },
  { "-min", ARG_TEXT, .value = "condition", .help = "condition of early analysis" },
  { "-max", ARG_TEXT, .value = "condition", .help = "condition of late analysis" },
  { "-min_library", ARG_TEXT, .value = "library", .help = "library of -min" },
  { "-max_library", ARG_TEXT, .value = "library", .help = "library of -max" },
  { "-object_list", ARG_OBJECTS, .value = "cells", .kinds = OBJ_BIT(OBJ_CELL) | OBJ_BIT(OBJ_PORT),
    .help = "only for these cells and the cells in them; default: the design" },
  { "condition", ARG_TEXT, .value = "condition", .help = "name of operating conditions" },
  ROW_END };
static const Option no_options[] = { ROW_END };

/* --- set_voltage, set_pvt --------------------------------------------------------------------- */

static Status read_voltages(Sdc *sdc, float voltage[2])
{
  if (sdc_number_not_negative(sdc, "max_case_voltage", &voltage[LATE]) != OK) return FAILED;
  voltage[EARLY] = voltage[LATE];
  return args_given(sdc->a, "-min") ? sdc_number_not_negative(sdc, "-min", &voltage[EARLY]) : OK;
}

static void put_voltages(Sdc *sdc, float at[2], const float voltage[2])
{
  for (int el = EARLY; el <= LATE; el++) constraints_put(sdc->c, &at[el], voltage[el]);
}

static Status run_set_voltage(Session *s, Args *a)
{
  Sdc x = sdc_begin(s, a, "set_voltage");
  float voltage[2];
  int count = 0;
  Tcl_Obj **nets = NULL, *list = args_object(a, "-object_list");
  if (read_voltages(&x, voltage) != OK) return FAILED;
  if (list == NULL) {
    x.c->said_of_voltage = sdc_command_id(&x);
    put_voltages(&x, x.c->voltage, voltage);
    return OK;
  }
  Tcl_ListObjGetElements(NULL, list, &count, &nets);
  if (count == 0)
    return log_error(s->log, "SDC-082", x.where, "set_voltage: -object_list is empty");
  log_warning(s->log, "SDC-139", x.where,
              "set_voltage: -object_list: voltages of nets are kept and not used, as it is not "
              "known which cells they supply");
  for (int i = 0; i < count; i++)
    put_voltages(
        &x, constraints_net_voltage(x.c, names_add_text(s->names, Tcl_GetString(nets[i])))->voltage,
        voltage);
  return OK;
}

static Status run_unset_voltage(Session *s, Args *a)
{
  Sdc x = sdc_begin(s, a, "unset_voltage");
  static const float none[2] = { NAN, NAN };
  put_voltages(&x, x.c->voltage, none);
  for (uint32_t i = 0; i < x.c->net_voltages.len; i++)
    put_voltages(&x, x.c->net_voltages.at[i].voltage, none);
  return OK;
}

static const Option set_voltage_options[] = {
  { "-min", ARG_FLOAT, .value = "volt", .help = "voltage of the minimum (early) case" },
  { "-object_list", ARG_LIST, .value = "nets",
    .help = "only for these power nets; without it for all cells" },
  { "max_case_voltage", ARG_FLOAT, .value = "volt", .flags = OPT_REQUIRED,
    .help = "voltage of the maximum (late) case" },
  ROW_END
};

static Status read_pvt(Sdc *sdc, float value[3])
{
  static const char *const names[] = { "-process", "-voltage", "-temperature" };
  bool any = false;
  for (int i = 0; i < 3; i++) {
    value[i] = NAN;
    if (!args_given(sdc->a, names[i])) continue;
    any = true;
    if (sdc_number(sdc, names[i], &value[i]) != OK) return FAILED;
  }
  if (any) return OK;
  return log_error(sdc->s->log, "SDC-082", sdc->where,
                   "%s: none of -process, -voltage and -temperature", sdc->command);
}

static Status pvt(Session *s, Args *a, const char *command, bool forget)
{
  Sdc x = sdc_begin(s, a, command);
  float value[3] = { NAN, NAN, NAN };
  uint32_t count;
  const Object *insts = sdc_objects(&x, "insts", &count);
  if (!forget && read_pvt(&x, value) != OK) return FAILED;
  for (uint32_t i = 0; i < count && !interrupt_seen(); i++)
    if (!forget || constraints_find_pvt(x.c, insts[i].id))
      put_pvt(&x, insts[i].id, value, sdc_early_late(a), forget);
  return OK;
}

static Status run_set_pvt(Session *s, Args *a) { return pvt(s, a, "set_pvt", false); }
static Status run_unset_pvt(Session *s, Args *a) { return pvt(s, a, "unset_pvt", true); }

static const Option set_pvt_options[] = {
  ROWS_MIN_MAX,
  { "-process", ARG_FLOAT, .value = "process", .help = "process factor" },
  { "-voltage", ARG_FLOAT, .value = "volt", .help = "voltage" },
  { "-temperature", ARG_FLOAT, .value = "degrees", .help = "temperature" },
  ROW_OBJECTS("insts", OBJ_BIT(OBJ_CELL), OPT_REQUIRED,
              "cells; a hierarchical cell stands for the cells in it"),
  ROW_END
};
static const Option unset_pvt_options[] = {
  ROWS_MIN_MAX, ROW_OBJECTS("insts", OBJ_BIT(OBJ_CELL), OPT_REQUIRED, "cells"), ROW_END };

/* --- wire loads ------------------------------------------------------------------------------- */

static const Object the_design = { OBJ_DESIGN, 0 };

static bool library_serves(const Library *library, int early_late)
{
  return early_late == EARLY ? library->for_early : library->for_late;
}

/* Returns the model with a name: from the given library, else from the first library that serves
   the analysis and has it. */
static uint32_t find_model(const Sdc *sdc, const char *name, LibraryId library, int early_late)
{
  const LibrarySet *libs = sdc->s->libs;
  for (uint32_t i = 0; i < libs->wire_loads.len; i++) {
    const WireLoad *load = &libs->wire_loads.at[i];
    bool wanted = library == NO_LIBRARY
                      ? library_serves(&libs->libraries.at[load->library], early_late)
                      : load->library == library;
    if (wanted && strcmp(names_text(sdc->s->names, load->name), name) == 0) return i;
  }
  return NO_WIRE_LOAD;
}

static bool has_group(const Sdc *sdc, const char *name, LibraryId library)
{
  const LibrarySet *libs = sdc->s->libs;
  for (uint32_t i = 0; i < libs->selections.len; i++)
    if ((library == NO_LIBRARY || libs->selections.at[i].library == library)
        && strcmp(names_text(sdc->s->names, libs->selections.at[i].name), name) == 0)
      return true;
  return false;
}

/* The objects of the command: the design, ports (of a model), hierarchical cells. */
static Status wire_load_objects(Sdc *sdc, const Object **objects, uint32_t *count)
{
  *objects = &the_design;
  *count = 1;
  if (!args_given(sdc->a, "objects")) return OK;
  *objects = sdc_objects(sdc, "objects", count);
  for (uint32_t i = 0; i < *count; i++)
    if ((*objects)[i].type == OBJ_CELL && inst_is_leaf(sdc->c->netlist, (*objects)[i].id))
      return log_error(sdc->s->log, "SDC-083", sdc->where,
                       "%s: a cell of a library has no wires inside; expected the design or "
                       "hierarchical cells",
                       sdc->command);
  return OK;
}

static void put_u32(Sdc *sdc, uint32_t *at, uint32_t value)
{
  if (*at == value) return;
  *at = value;
  constraints_changed(sdc->c);
}

static Status run_set_wire_load_model(Session *s, Args *a)
{
  Sdc x = sdc_begin(s, a, "set_wire_load_model");
  LibraryId library;
  uint32_t count, model[2], sides = sdc_early_late(a);
  const Object *objects;
  const char *name = args_text(a, "-name");
  if (find_library(&x, "-library", &library) != OK || wire_load_objects(&x, &objects, &count) != OK)
    return FAILED;
  for (int el = EARLY; el <= LATE; el++) {
    model[el] = find_model(&x, name, library, el);
    if ((sides >> el & 1) && model[el] == NO_WIRE_LOAD)
      return log_error(s->log, "SDC-084", x.where,
                       "set_wire_load_model: no library has a wire load %s", name);
  }
  for (uint32_t i = 0; i < count && !interrupt_seen(); i++) {
    WireLoadChoice *choice = constraints_wire_load(x.c, objects[i]);
    choice->said_of_model = sdc_command_id(&x);
    for (int el = EARLY; el <= LATE; el++)
      if (sides >> el & 1) put_u32(&x, &choice->model[el], model[el]);
  }
  return OK;
}

static Status run_set_wire_load_selection_group(Session *s, Args *a)
{
  Sdc x = sdc_begin(s, a, "set_wire_load_selection_group");
  LibraryId library;
  uint32_t count, sides = sdc_early_late(a);
  const Object *objects;
  const char *name = args_text(a, "group_name");
  if (find_library(&x, "-library", &library) != OK || wire_load_objects(&x, &objects, &count) != OK)
    return FAILED;
  if (!has_group(&x, name, library))
    return log_error(s->log, "SDC-084", x.where,
                     "set_wire_load_selection_group: no library has a wire load selection %s",
                     name);
  NameId id = names_add_text(s->names, name);
  for (uint32_t i = 0; i < count && !interrupt_seen(); i++) {
    WireLoadChoice *choice = constraints_wire_load(x.c, objects[i]);
    choice->said_of_group = sdc_command_id(&x);
    for (int el = EARLY; el <= LATE; el++) {
      if (!(sides >> el & 1)) continue;
      put_u32(&x, &choice->group[el], id);
      put_u32(&x, &choice->library[el], library);
    }
  }
  return OK;
}

/* Forgets models, or groups, of the objects; of everything without objects. */
static Status unset_wire_load(Session *s, Args *a, const char *command, bool group)
{
  Sdc x = sdc_begin(s, a, command);
  uint32_t count, sides = sdc_early_late(a);
  const Object *objects;
  if (wire_load_objects(&x, &objects, &count) != OK) return FAILED;
  for (uint32_t i = 0; i < x.c->wire_load_choices.len; i++) {
    WireLoadChoice *choice = &x.c->wire_load_choices.at[i];
    bool named = !args_given(a, "objects");
    for (uint32_t j = 0; j < count && !named; j++)
      named = objects[j].type == choice->object.type && objects[j].id == choice->object.id;
    for (int el = EARLY; el <= LATE && named; el++) {
      if (!(sides >> el & 1)) continue;
      if (group) put_u32(&x, &choice->group[el], NO_NAME);
      else put_u32(&x, &choice->model[el], NO_WIRE_LOAD);
    }
  }
  return OK;
}

static Status run_unset_wire_load_model(Session *s, Args *a)
{
  return unset_wire_load(s, a, "unset_wire_load_model", false);
}
static Status run_unset_wire_load_selection_group(Session *s, Args *a)
{
  return unset_wire_load(s, a, "unset_wire_load_selection_group", true);
}

static Status put_mode(Session *s, uint8_t mode)
{
  if (s->constraints->wire_load_mode != mode) constraints_changed(s->constraints);
  s->constraints->wire_load_mode = mode;
  return OK;
}

static Status run_set_wire_load_mode(Session *s, Args *a)
{
  Sdc x = sdc_begin(s, a, "set_wire_load_mode");
  x.c->said_of_wire_mode = sdc_command_id(&x);
  return put_mode(s, (uint8_t)(WIRE_MODE_TOP + args_enum(a, "mode")));
}

static Status run_unset_wire_load_mode(Session *s, Args *a)
{
  (void)a;
  return put_mode(s, WIRE_MODE_NONE);
}

static Status run_set_wire_load_min_block_size(Session *s, Args *a)
{
  Sdc x = sdc_begin(s, a, "set_wire_load_min_block_size");
  float size;
  if (sdc_number_not_negative(&x, "block_size", &size) != OK) return FAILED;
  x.c->said_of_min_block = sdc_command_id(&x);
  constraints_put(x.c, &x.c->wire_load_min_block, size);
  return OK;
}

static Status run_unset_wire_load_min_block_size(Session *s, Args *a)
{
  (void)a;
  constraints_put(s->constraints, &s->constraints->wire_load_min_block, NAN);
  return OK;
}

static const Option set_wire_load_min_block_size_options[] = {
  { "block_size", ARG_FLOAT, .value = "size", .flags = OPT_REQUIRED, .help = "least area" }, ROW_END
};
static const Option set_wire_load_mode_options[] = {
  { "mode", ARG_ENUM, .value = "top|enclosed|segmented", .flags = OPT_REQUIRED,
    .help =
        "top: the model of the design; enclosed: of the smallest block that contains the net; "
        "segmented: of the block of each segment" },
  ROW_END
};
#define KINDS_WIRE_GROUP (KIND_DESIGN | OBJ_BIT(OBJ_CELL))
#define KINDS_WIRE_MODEL (KINDS_WIRE_GROUP | OBJ_BIT(OBJ_PORT))
static const Option set_wire_load_model_options[] = {
  { "-name", ARG_TEXT, .value = "model", .flags = OPT_REQUIRED, .help = "name of the model" },
  { "-library", ARG_TEXT, .value = "library", .help = "its library" },
  ROWS_MIN_MAX,
  ROW_OBJECTS("objects", KINDS_WIRE_MODEL, 0,
              "hierarchical cells, or ports for the wires outside of them; default: the design"),
  ROW_END
};
static const Option set_wire_load_selection_group_options[] = {
  { "-library", ARG_TEXT, .value = "library", .help = "its library" }, ROWS_MIN_MAX,
  { "group_name", ARG_TEXT, .value = "group", .flags = OPT_REQUIRED, .help = "name of the group" },
  ROW_OBJECTS("objects", KINDS_WIRE_GROUP, 0, "hierarchical cells; default: the design"), ROW_END };
static const Option unset_wire_load_options[] = {
  ROWS_MIN_MAX, ROW_OBJECTS("objects", KINDS_WIRE_MODEL, 0,
      "only of these; default: of all"), ROW_END };
static const Option unset_wire_group_options[] = {
  ROWS_MIN_MAX, ROW_OBJECTS("objects", KINDS_WIRE_GROUP, 0,
      "only of these; default: of all"), ROW_END };

/* --- table ------------------------------------------------------------------------------------ */

const Command commands_sdc_conditions[] = {
  SDC_COMMAND("set_operating_conditions", "sets operating conditions and the type of analysis",
              set_operating_conditions_options, run_set_operating_conditions,
              "Libraries with scaling factors (k_process_..., k_volt_..., k_temp_...) have their "
              "delays, checks, pin capacitances and wire loads scaled from the nominal point to "
              "the condition. The tree type of the condition applies to wire loads. With "
              "on_chip_variation, the default, setup compares late data with an early capturing "
              "clock. With bc_wc it compares late data with a late clock, and hold compares "
              "early data with an early clock. With single, late delays serve both analyses, and "
              "early delays are not used. With -object_list the condition's process, voltage and "
              "temperature apply to the cells, as with set_pvt; write_sdc writes set_pvt, and "
              "unset_pvt removes them.",
              "set_operating_conditions -analysis_type on_chip_variation\n"),
  SDC_FORGETTING("unset_operating_conditions",
                 "removes operating conditions and the type of analysis", no_options,
                 run_unset_operating_conditions, NULL, "unset_operating_conditions\n"),
  SDC_COMMAND(
      "set_voltage", "sets the voltage of cells, or of power nets", set_voltage_options,
      run_set_voltage,
      "Without -object_list it replaces the voltage of the operating condition, for libraries "
      "with scaling factors of voltage. Voltages of single nets are stored without effect, "
      "because it is not known which cells a supply feeds.",
      "set_voltage 0.72\n"),
  SDC_FORGETTING("unset_voltage", "removes all voltages", no_options, run_unset_voltage, NULL,
                 "unset_voltage\n"),
  SDC_COMMAND(
      "set_pvt", "sets process, voltage and temperature of cells", set_pvt_options, run_set_pvt,
      "They replace those of the operating condition, if the library of the cell has scaling "
      "factors.",
      "set_pvt -voltage 0.72 [get_cells exec/g1508]\n"),
  SDC_FORGETTING("unset_pvt", "removes process, voltage and temperature of cells",
                 unset_pvt_options, run_unset_pvt, NULL, "unset_pvt [get_cells exec/g1508]\n"),
  SDC_COMMAND("set_wire_load_mode", "selects the block whose wire load model a net uses",
              set_wire_load_mode_options, run_set_wire_load_mode,
              "Without this command the mode is the default_wire_load_mode of the library that has "
              "the design's own late model (of the first library if the design has no model), else "
              "top.",
              "set_wire_load_mode enclosed\n"),
  SDC_FORGETTING("unset_wire_load_mode", "restores the default mode of wire loads", no_options,
                 run_unset_wire_load_mode, NULL, "unset_wire_load_mode\n"),
  SDC_COMMAND("set_wire_load_model", "sets the wire load model for nets without parasitics",
              set_wire_load_model_options, run_set_wire_load_model,
              "A net without parasitics and without set_load has the capacitance and resistance "
              "of the model for its fan-out: the number of its loads, and set_port_fanout_number "
              "of ports. If only one analysis has parasitics, the other one has the model. The "
              "tree type of the operating condition distributes the resistance: best case puts "
              "none before the loads, balanced gives each load a branch, worst case puts all of "
              "it before each load. Without a condition it is balanced. The default_wire_load of "
              "a library is used only if it is named here.",
              "set_wire_load_model -name small\n"),
  SDC_FORGETTING("unset_wire_load_model", "removes wire load models", unset_wire_load_options,
                 run_unset_wire_load_model, NULL, "unset_wire_load_model\n"),
  SDC_COMMAND("set_wire_load_selection_group", "selects wire load models by area",
              set_wire_load_selection_group_options, run_set_wire_load_selection_group,
              "A block without a model of its own uses the model that the group gives for the "
              "area of its cells.",
              "set_wire_load_selection_group areas\n"),
  SDC_FORGETTING("unset_wire_load_selection_group", "removes selection groups of wire loads",
                 unset_wire_group_options, run_unset_wire_load_selection_group, NULL,
                 "unset_wire_load_selection_group\n"),
  SDC_COMMAND("set_wire_load_min_block_size", "sets the smallest area of a block that selects a "
                                              "wire load",
              set_wire_load_min_block_size_options, run_set_wire_load_min_block_size,
              "If models are selected by area, a smaller block uses the model of the block "
              "around it.",
              "set_wire_load_min_block_size 100\n"),
  SDC_FORGETTING("unset_wire_load_min_block_size", "removes the smallest block size", no_options,
                 run_unset_wire_load_min_block_size, NULL, "unset_wire_load_min_block_size\n"),
  { 0 }
};
