/* Writes the surroundings of the design as SDC: delays, drives and loads of ports, loads of nets,
   conditions, wire loads. */
#include <math.h>

#include "base/interrupt.h"
#include "write/sdc_private.h"

/* --- delays ----------------------------------------------------------------------------------- */

static bool same_delay(const PortDelay *delay, int a, int b)
{
  return delay->delay[a] == delay->delay[b]
         && (delay->level_sensitive >> a & 1) == (delay->level_sensitive >> b & 1)
         && delay_has_source(delay, a) == delay_has_source(delay, b)
         && delay_has_network(delay, a) == delay_has_network(delay, b);
}

/* Always with -add_delay, so that the order of the commands does not matter. */
static void write_delay_part(SdcWriter *writer, const char *command, const PortDelay *delay, int k,
                             uint32_t mask)
{
  sdcw_begin(writer, command);
  sdcw_conditions(writer, mask, "-min", "-max");
  sdcw_clock(writer, "-clock", delay->clock);
  sdcw_flag(writer, "-clock_fall", delay->clock != NO_CLOCK && delay->clock_edge == FALL);
  sdcw_flag(writer, "-level_sensitive", delay->level_sensitive >> k & 1);
  if (delay->reference_pin != NO_PIN)
    sdcw_object(writer, "-reference_pin", sdcw_pin_object(writer, delay->reference_pin));
  sdcw_flag(writer, "-source_latency_included", delay_has_source(delay, k));
  sdcw_flag(writer, "-network_latency_included", delay_has_network(delay, k));
  sdcw_flag(writer, "-add_delay", true);
  sdcw_number(writer, NULL, UNIT_TIME, delay->delay[k]);
  sdcw_to_pin(writer, delay->pin);
}

static void write_delay(SdcWriter *writer, const char *command, const PortDelay *delay)
{
  float which[CONDITION_COUNT];      /* a number for each distinct delay */
  SdcPart parts[CONDITION_COUNT];
  if (delay->pin == NO_PIN
      || (delay->clock != NO_CLOCK && writer->c->clocks.at[delay->clock].deleted))
    return;
  for (int k = 0; k < CONDITION_COUNT; k++) {
    which[k] = isnan(delay->delay[k]) ? NAN : (float)k;
    for (int j = 0; j < k; j++)
      if (same_delay(delay, j, k)) which[k] = which[j];
  }
  int count = sdcw_parts(which, parts);
  for (int i = 0; i < count; i++)
    write_delay_part(writer, command, delay, (int)parts[i].value, parts[i].mask);
}

static void write_input_delays(SdcWriter *writer)
{
  uint32_t *order = delay_order(writer->c->input_delays.at, writer->c->input_delays.len);
  for (uint32_t i = 0; i < writer->c->input_delays.len && !interrupt_seen(); i++)
    write_delay(writer, "set_input_delay", &writer->c->input_delays.at[order[i]]);
  mem_free(order);
}

static void write_output_delays(SdcWriter *writer)
{
  uint32_t *order = delay_order(writer->c->output_delays.at, writer->c->output_delays.len);
  for (uint32_t i = 0; i < writer->c->output_delays.len && !interrupt_seen(); i++)
    write_delay(writer, "set_output_delay", &writer->c->output_delays.at[order[i]]);
  mem_free(order);
}

const SdcKind sdc_section_delays[] = { write_input_delays, write_output_delays, NULL };

/* --- drives ----------------------------------------------------------------------------------- */

static bool same_cell(const PortDrive *drive, int a, int b)
{
  return drive->cell[a] == drive->cell[b] && drive->from_port[a] == drive->from_port[b]
         && drive->to_port[a] == drive->to_port[b]
         && drive->from_slew[a][RISE] == drive->from_slew[b][RISE]
         && drive->from_slew[a][FALL] == drive->from_slew[b][FALL]
         && drive->multiply_by[a] == drive->multiply_by[b]
         && (drive->dont_scale >> a & 1) == (drive->dont_scale >> b & 1)
         && (drive->no_design_rule >> a & 1) == (drive->no_design_rule >> b & 1);
}

static void write_driving_cell(SdcWriter *writer, const PortDrive *drive, int k, uint32_t mask)
{
  const LibrarySet *libs = writer->libs;
  const LibCell *cell = &libs->cells.at[drive->cell[k]];
  sdcw_begin(writer, "set_driving_cell");
  sdcw_conditions(writer, mask, "-min", "-max");
  if (cell->library != NO_LIBRARY)
    sdcw_name(writer, "-library", libs->libraries.at[cell->library].name);
  sdcw_name(writer, "-lib_cell", cell->name);
  sdcw_name(writer, "-pin", libs->ports.at[drive->to_port[k]].name);
  sdcw_name(writer, "-from_pin", libs->ports.at[drive->from_port[k]].name);
  sdcw_number(writer, "-input_transition_rise", UNIT_TIME, drive->from_slew[k][RISE]);
  sdcw_number(writer, "-input_transition_fall", UNIT_TIME, drive->from_slew[k][FALL]);
  if (drive->multiply_by[k] != 1)
    sdcw_number(writer, "-multiply_by", SDC_NO_UNIT, drive->multiply_by[k]);
  sdcw_flag(writer, "-dont_scale", drive->dont_scale >> k & 1);
  sdcw_flag(writer, "-no_design_rule", drive->no_design_rule >> k & 1);
  sdcw_to_pin(writer, drive->pin);
}

static void write_drive(SdcWriter *writer, const PortDrive *drive)
{
  float which[CONDITION_COUNT];      /* a number for each distinct cell */
  SdcPart parts[CONDITION_COUNT];
  for (int k = 0; k < CONDITION_COUNT; k++) {
    which[k] = drive->cell[k] == NO_CELL ? NAN : (float)k;
    for (int j = 0; j < k; j++)
      if (drive->cell[k] != NO_CELL && same_cell(drive, j, k)) which[k] = which[j];
  }
  int count = sdcw_parts(which, parts);
  for (int i = 0; i < count; i++)
    write_driving_cell(writer, drive, (int)parts[i].value, parts[i].mask);
  sdcw_values(writer, "set_drive", NULL, UNIT_RESISTANCE, drive->resistance,
              sdcw_pin_object(writer, drive->pin));
  sdcw_values(writer, "set_input_transition", NULL, UNIT_TIME, drive->slew,
              sdcw_pin_object(writer, drive->pin));
}

static void write_drives(SdcWriter *writer)
{
  uint32_t *order = RECORD_ORDER(writer->c->drives, 1);
  for (uint32_t i = 0; i < writer->c->drives.len && !interrupt_seen(); i++)
    if (writer->c->drives.at[order[i]].pin != NO_PIN)
      write_drive(writer, &writer->c->drives.at[order[i]]);
  mem_free(order);
}

/* --- loads ------------------------------------------------------------------------------------ */

static void write_early_late(SdcWriter *writer, const char *command, UnitKind unit,
                             const float at[2], Object o)
{
  SdcPart parts[CONDITION_COUNT];
  int count = sdcw_parts_early_late(at, parts);
  for (int i = 0; i < count; i++) {
    sdcw_begin(writer, command);
    sdcw_conditions(writer, parts[i].mask, "-min", "-max");
    sdcw_number(writer, NULL, unit, parts[i].value);
    sdcw_to(writer, o);
  }
}

/* Those that hold the pins' capacitances, and those that do not. */
static void write_net_caps(SdcWriter *writer, const NetLoad *load, Object o)
{
  float with[CONDITION_COUNT], without[CONDITION_COUNT];
  for (int k = 0; k < CONDITION_COUNT; k++) {
    bool holds = load->subtract_pin_load >> k & 1;
    with[k] = holds ? load->wire_cap[k] : NAN;
    without[k] = holds ? NAN : load->wire_cap[k];
  }
  sdcw_values(writer, "set_load", NULL, UNIT_CAPACITANCE, without, o);
  sdcw_values(writer, "set_load", "-subtract_pin_load", UNIT_CAPACITANCE, with, o);
}

static void write_loads(SdcWriter *writer)
{
  const Constraints *c = writer->c;
  uint32_t *order = RECORD_ORDER(c->port_loads, 1);
  for (uint32_t i = 0; i < c->port_loads.len && !interrupt_seen(); i++) {
    const PortLoad *load = &c->port_loads.at[order[i]];
    if (load->pin == NO_PIN) continue;
    Object o = sdcw_pin_object(writer, load->pin);
    sdcw_values(writer, "set_load", "-pin_load", UNIT_CAPACITANCE, load->pin_load, o);
    sdcw_values(writer, "set_load", "-wire_load", UNIT_CAPACITANCE, load->wire_load, o);
    write_early_late(writer, "set_port_fanout_number", SDC_NO_UNIT, load->fanout_number, o);
  }
  mem_free(order);
  order = RECORD_ORDER(c->net_loads, 1);
  for (uint32_t i = 0; i < c->net_loads.len && !interrupt_seen(); i++) {
    const NetLoad *load = &c->net_loads.at[order[i]];
    Object o = { OBJ_NET, writer->n->nets.at[load->net].first_seg };
    write_net_caps(writer, load, o);
    write_early_late(writer, "set_resistance", UNIT_RESISTANCE, load->resistance, o);
  }
  mem_free(order);
}

const SdcKind sdc_section_loads[] = { write_drives, write_loads, NULL };

/* --- operating conditions --------------------------------------------------------------------- */

static void put_condition(SdcWriter *writer, const char *option, const char *library, uint32_t id)
{
  if (id == NO_CONDITION) return;
  sdcw_name(writer, library,
            writer->libs->libraries.at[writer->libs->condition_library.at[id]].name);
  sdcw_name(writer, option, writer->libs->conditions.at[id].name);
}

static void write_condition(SdcWriter *writer)
{
  static const char *const types[] = { "-analysis_type on_chip_variation", "-analysis_type bc_wc",
                                       "-analysis_type single" };
  const uint32_t *at = writer->c->operating_condition;
  if (at[EARLY] == NO_CONDITION && at[LATE] == NO_CONDITION && !writer->c->analysis_given) return;
  sdcw_begin(writer, "set_operating_conditions");
  sdcw_flag(writer, types[writer->c->analysis], writer->c->analysis_given);
  if (at[EARLY] == at[LATE]) {
    put_condition(writer, NULL, "-library", at[LATE]);
  } else {
    put_condition(writer, "-min", "-min_library", at[EARLY]);
    put_condition(writer, "-max", "-max_library", at[LATE]);
  }
  sdcw_end(writer);
}

static void write_voltage(SdcWriter *writer, const float at[2], NameId net)
{
  if (isnan(at[LATE])) return;
  sdcw_begin(writer, "set_voltage");
  sdcw_number(writer, NULL, SDC_GIVEN_UNIT, at[LATE]);
  if (!isnan(at[EARLY]) && at[EARLY] != at[LATE])
    sdcw_number(writer, "-min", SDC_GIVEN_UNIT, at[EARLY]);
  sdcw_name(writer, "-object_list", net);
  sdcw_end(writer);
}

static bool pvt_differs(const InstPvt *pvt)
{
  const float *const fields[] = { pvt->process, pvt->voltage, pvt->temperature };
  for (int i = 0; i < 3; i++)
    if (fields[i][EARLY] != fields[i][LATE] && !(isnan(fields[i][EARLY]) && isnan(fields[i][LATE])))
      return true;
  return false;
}

static void write_pvt(SdcWriter *writer, const InstPvt *pvt)
{
  bool differs = pvt_differs(pvt);
  for (int el = EARLY; el <= (differs ? LATE : EARLY); el++) {
    if (isnan(pvt->process[el]) && isnan(pvt->voltage[el]) && isnan(pvt->temperature[el])) continue;
    sdcw_begin(writer, "set_pvt");
    sdcw_flag(writer, el == EARLY ? "-min" : "-max", differs);
    if (!isnan(pvt->process[el])) sdcw_number(writer, "-process", SDC_NO_UNIT, pvt->process[el]);
    if (!isnan(pvt->voltage[el])) sdcw_number(writer, "-voltage", SDC_GIVEN_UNIT, pvt->voltage[el]);
    if (!isnan(pvt->temperature[el]))
      sdcw_number(writer, "-temperature", SDC_GIVEN_UNIT, pvt->temperature[el]);
    sdcw_to(writer, (Object){ OBJ_CELL, pvt->inst });
  }
}

static void write_conditions(SdcWriter *writer)
{
  const Constraints *c = writer->c;
  write_condition(writer);
  write_voltage(writer, c->voltage, NO_NAME);
  for (uint32_t i = 0; i < c->net_voltages.len; i++)
    write_voltage(writer, c->net_voltages.at[i].voltage, c->net_voltages.at[i].net);
  uint32_t *order = RECORD_ORDER(c->pvts, 1);
  for (uint32_t i = 0; i < c->pvts.len; i++) write_pvt(writer, &c->pvts.at[order[i]]);
  mem_free(order);
}

const SdcKind sdc_section_conditions[] = { write_conditions, NULL };

/* --- wire loads ------------------------------------------------------------------------------- */

static void put_wire_model(SdcWriter *writer, uint32_t model)
{
  const WireLoad *load = &writer->libs->wire_loads.at[model];
  sdcw_name(writer, "-name", load->name);
  sdcw_name(writer, "-library", writer->libs->libraries.at[load->library].name);
}

static void write_choice(SdcWriter *writer, const WireLoadChoice *choice)
{
  bool model = choice->model[EARLY] != choice->model[LATE],
       group = choice->group[EARLY] != choice->group[LATE]
               || choice->library[EARLY] != choice->library[LATE];
  for (int el = EARLY; el <= (model ? LATE : EARLY); el++) {
    if (choice->model[el] == NO_WIRE_LOAD) continue;
    sdcw_begin(writer, "set_wire_load_model");
    put_wire_model(writer, choice->model[el]);
    sdcw_flag(writer, el == EARLY ? "-min" : "-max", model);
    sdcw_to(writer, choice->object);
  }
  for (int el = EARLY; el <= (group ? LATE : EARLY); el++) {
    if (choice->group[el] == NO_NAME) continue;
    sdcw_begin(writer, "set_wire_load_selection_group");
    if (choice->library[el] != NO_LIBRARY)
      sdcw_name(writer, "-library", writer->libs->libraries.at[choice->library[el]].name);
    sdcw_flag(writer, el == EARLY ? "-min" : "-max", group);
    sdcw_name(writer, NULL, choice->group[el]);
    sdcw_to(writer, choice->object);
  }
}

static void write_wire_loads(SdcWriter *writer)
{
  static const char *const modes[] = { "", "top", "enclosed", "segmented" };
  const Constraints *c = writer->c;
  if (c->wire_load_mode != WIRE_MODE_NONE) {
    sdcw_begin(writer, "set_wire_load_mode");
    sdcw_flag(writer, modes[c->wire_load_mode], true);
    sdcw_end(writer);
  }
  if (!isnan(c->wire_load_min_block)) {
    sdcw_begin(writer, "set_wire_load_min_block_size");
    sdcw_number(writer, NULL, SDC_GIVEN_UNIT, c->wire_load_min_block);
    sdcw_end(writer);
  }
  uint32_t *order = RECORD_ORDER(c->wire_load_choices, 2);
  for (uint32_t i = 0; i < c->wire_load_choices.len; i++)
    write_choice(writer, &c->wire_load_choices.at[order[i]]);
  mem_free(order);
}

const SdcKind sdc_section_wire_loads[] = { write_wire_loads, NULL };
