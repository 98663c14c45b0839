/* Writes the surroundings of the design as SDC: delays, drives and loads of ports, loads of nets,
   conditions, wire loads. */
#include <math.h>

#include "base/interrupt.h"
#include "write/sdc_private.h"

/* --- delays ----------------------------------------------------------------------------------- */

static bool same_delay(const PortDelay *d, int a, int b)
{
  return d->delay[a] == d->delay[b] &&
         (d->level_sensitive >> a & 1) == (d->level_sensitive >> b & 1) &&
         delay_has_source(d, a) == delay_has_source(d, b) &&
         delay_has_network(d, a) == delay_has_network(d, b);
}

/* Always with -add_delay, so that the order of the commands does not matter. */
static void write_delay_part(SdcWriter *w, const char *command, const PortDelay *d, int k,
                             uint32_t mask)
{
  sdcw_begin(w, command);
  sdcw_conditions(w, mask, "-min", "-max");
  sdcw_clock(w, "-clock", d->clock);
  sdcw_flag(w, "-clock_fall", d->clock != NO_CLOCK && d->clock_edge == FALL);
  sdcw_flag(w, "-level_sensitive", d->level_sensitive >> k & 1);
  if (d->reference_pin != NO_PIN)
    sdcw_object(w, "-reference_pin", sdcw_pin_object(w, d->reference_pin));
  sdcw_flag(w, "-source_latency_included", delay_has_source(d, k));
  sdcw_flag(w, "-network_latency_included", delay_has_network(d, k));
  sdcw_flag(w, "-add_delay", true);
  sdcw_number(w, NULL, UNIT_TIME, d->delay[k]);
  sdcw_to_pin(w, d->pin);
}

static void write_delay(SdcWriter *w, const char *command, const PortDelay *d)
{
  float which[CONDITION_COUNT];      /* a number for each distinct delay */
  SdcPart parts[CONDITION_COUNT];
  if (d->pin == NO_PIN || (d->clock != NO_CLOCK && w->c->clocks.at[d->clock].deleted)) return;
  for (int k = 0; k < CONDITION_COUNT; k++) {
    which[k] = isnan(d->delay[k]) ? NAN : (float)k;
    for (int j = 0; j < k; j++)
      if (same_delay(d, j, k)) which[k] = which[j];
  }
  int count = sdcw_parts(which, parts);
  for (int i = 0; i < count; i++)
    write_delay_part(w, command, d, (int)parts[i].value, parts[i].mask);
}

static void write_input_delays(SdcWriter *w)
{
  uint32_t *order = delay_order(w->c->input_delays.at, w->c->input_delays.len);
  for (uint32_t i = 0; i < w->c->input_delays.len && !interrupt_seen(); i++)
    write_delay(w, "set_input_delay", &w->c->input_delays.at[order[i]]);
  mem_free(order);
}

static void write_output_delays(SdcWriter *w)
{
  uint32_t *order = delay_order(w->c->output_delays.at, w->c->output_delays.len);
  for (uint32_t i = 0; i < w->c->output_delays.len && !interrupt_seen(); i++)
    write_delay(w, "set_output_delay", &w->c->output_delays.at[order[i]]);
  mem_free(order);
}

const SdcKind sdc_section_delays[] = { write_input_delays, write_output_delays, NULL };

/* --- drives ----------------------------------------------------------------------------------- */

static bool same_cell(const PortDrive *d, int a, int b)
{
  return d->cell[a] == d->cell[b] && d->from_port[a] == d->from_port[b]
         && d->to_port[a] == d->to_port[b] && d->from_slew[a][RISE] == d->from_slew[b][RISE]
         && d->from_slew[a][FALL] == d->from_slew[b][FALL] && d->multiply_by[a] == d->multiply_by[b]
         && (d->dont_scale >> a & 1) == (d->dont_scale >> b & 1)
         && (d->no_design_rule >> a & 1) == (d->no_design_rule >> b & 1);
}

static void write_driving_cell(SdcWriter *w, const PortDrive *d, int k, uint32_t mask)
{
  const LibrarySet *libs = w->libs;
  const LibCell *cell = &libs->cells.at[d->cell[k]];
  sdcw_begin(w, "set_driving_cell");
  sdcw_conditions(w, mask, "-min", "-max");
  if (cell->library != NO_LIBRARY) sdcw_name(w, "-library", libs->libraries.at[cell->library].name);
  sdcw_name(w, "-lib_cell", cell->name);
  sdcw_name(w, "-pin", libs->ports.at[d->to_port[k]].name);
  sdcw_name(w, "-from_pin", libs->ports.at[d->from_port[k]].name);
  sdcw_number(w, "-input_transition_rise", UNIT_TIME, d->from_slew[k][RISE]);
  sdcw_number(w, "-input_transition_fall", UNIT_TIME, d->from_slew[k][FALL]);
  if (d->multiply_by[k] != 1) sdcw_number(w, "-multiply_by", SDC_NO_UNIT, d->multiply_by[k]);
  sdcw_flag(w, "-dont_scale", d->dont_scale >> k & 1);
  sdcw_flag(w, "-no_design_rule", d->no_design_rule >> k & 1);
  sdcw_to_pin(w, d->pin);
}

static void write_drive(SdcWriter *w, const PortDrive *d)
{
  float which[CONDITION_COUNT];      /* a number for each distinct cell */
  SdcPart parts[CONDITION_COUNT];
  for (int k = 0; k < CONDITION_COUNT; k++) {
    which[k] = d->cell[k] == NO_CELL ? NAN : (float)k;
    for (int j = 0; j < k; j++)
      if (d->cell[k] != NO_CELL && same_cell(d, j, k)) which[k] = which[j];
  }
  int count = sdcw_parts(which, parts);
  for (int i = 0; i < count; i++) write_driving_cell(w, d, (int)parts[i].value, parts[i].mask);
  sdcw_values(w, "set_drive", NULL, UNIT_RESISTANCE, d->resistance, sdcw_pin_object(w, d->pin));
  sdcw_values(w, "set_input_transition", NULL, UNIT_TIME, d->slew, sdcw_pin_object(w, d->pin));
}

static void write_drives(SdcWriter *w)
{
  uint32_t *order = RECORD_ORDER(w->c->drives, 1);
  for (uint32_t i = 0; i < w->c->drives.len && !interrupt_seen(); i++)
    if (w->c->drives.at[order[i]].pin != NO_PIN) write_drive(w, &w->c->drives.at[order[i]]);
  mem_free(order);
}

/* --- loads ------------------------------------------------------------------------------------ */

static void write_early_late(SdcWriter *w, const char *command, UnitKind unit, const float at[2],
                             Object o)
{
  SdcPart parts[CONDITION_COUNT];
  int count = sdcw_parts_early_late(at, parts);
  for (int i = 0; i < count; i++) {
    sdcw_begin(w, command);
    sdcw_conditions(w, parts[i].mask, "-min", "-max");
    sdcw_number(w, NULL, unit, parts[i].value);
    sdcw_to(w, o);
  }
}

/* Those that hold the pins' capacitances, and those that do not. */
static void write_net_caps(SdcWriter *w, const NetLoad *p, Object o)
{
  float with[CONDITION_COUNT], without[CONDITION_COUNT];
  for (int k = 0; k < CONDITION_COUNT; k++) {
    bool holds = p->subtract_pin_load >> k & 1;
    with[k] = holds ? p->wire_cap[k] : NAN;
    without[k] = holds ? NAN : p->wire_cap[k];
  }
  sdcw_values(w, "set_load", NULL, UNIT_CAPACITANCE, without, o);
  sdcw_values(w, "set_load", "-subtract_pin_load", UNIT_CAPACITANCE, with, o);
}

static void write_loads(SdcWriter *w)
{
  const Constraints *c = w->c;
  uint32_t *order = RECORD_ORDER(c->port_loads, 1);
  for (uint32_t i = 0; i < c->port_loads.len && !interrupt_seen(); i++) {
    const PortLoad *p = &c->port_loads.at[order[i]];
    if (p->pin == NO_PIN) continue;
    Object o = sdcw_pin_object(w, p->pin);
    sdcw_values(w, "set_load", "-pin_load", UNIT_CAPACITANCE, p->pin_load, o);
    sdcw_values(w, "set_load", "-wire_load", UNIT_CAPACITANCE, p->wire_load, o);
    write_early_late(w, "set_port_fanout_number", SDC_NO_UNIT, p->fanout_number, o);
  }
  mem_free(order);
  order = RECORD_ORDER(c->net_loads, 1);
  for (uint32_t i = 0; i < c->net_loads.len && !interrupt_seen(); i++) {
    const NetLoad *p = &c->net_loads.at[order[i]];
    Object o = { OBJ_NET, w->n->nets.at[p->net].first_seg };
    write_net_caps(w, p, o);
    write_early_late(w, "set_resistance", UNIT_RESISTANCE, p->resistance, o);
  }
  mem_free(order);
}

const SdcKind sdc_section_loads[] = { write_drives, write_loads, NULL };

/* --- operating conditions --------------------------------------------------------------------- */

static void put_condition(SdcWriter *w, const char *option, const char *library, uint32_t id)
{
  if (id == NO_CONDITION) return;
  sdcw_name(w, library, w->libs->libraries.at[w->libs->condition_library.at[id]].name);
  sdcw_name(w, option, w->libs->conditions.at[id].name);
}

static void write_condition(SdcWriter *w)
{
  static const char *const types[] = { "-analysis_type on_chip_variation", "-analysis_type bc_wc",
                                       "-analysis_type single" };
  const uint32_t *at = w->c->operating_condition;
  if (at[EARLY] == NO_CONDITION && at[LATE] == NO_CONDITION && !w->c->analysis_given) return;
  sdcw_begin(w, "set_operating_conditions");
  sdcw_flag(w, types[w->c->analysis], w->c->analysis_given);
  if (at[EARLY] == at[LATE]) {
    put_condition(w, NULL, "-library", at[LATE]);
  } else {
    put_condition(w, "-min", "-min_library", at[EARLY]);
    put_condition(w, "-max", "-max_library", at[LATE]);
  }
  sdcw_end(w);
}

static void write_voltage(SdcWriter *w, const float at[2], NameId net)
{
  if (isnan(at[LATE])) return;
  sdcw_begin(w, "set_voltage");
  sdcw_number(w, NULL, SDC_GIVEN_UNIT, at[LATE]);
  if (!isnan(at[EARLY]) && at[EARLY] != at[LATE]) sdcw_number(w, "-min", SDC_GIVEN_UNIT, at[EARLY]);
  sdcw_name(w, "-object_list", net);
  sdcw_end(w);
}

static bool pvt_differs(const InstPvt *p)
{
  const float *const fields[] = { p->process, p->voltage, p->temperature };
  for (int i = 0; i < 3; i++)
    if (fields[i][EARLY] != fields[i][LATE] && !(isnan(fields[i][EARLY]) && isnan(fields[i][LATE])))
      return true;
  return false;
}

static void write_pvt(SdcWriter *w, const InstPvt *p)
{
  bool differs = pvt_differs(p);
  for (int el = EARLY; el <= (differs ? LATE : EARLY); el++) {
    if (isnan(p->process[el]) && isnan(p->voltage[el]) && isnan(p->temperature[el])) continue;
    sdcw_begin(w, "set_pvt");
    sdcw_flag(w, el == EARLY ? "-min" : "-max", differs);
    if (!isnan(p->process[el])) sdcw_number(w, "-process", SDC_NO_UNIT, p->process[el]);
    if (!isnan(p->voltage[el])) sdcw_number(w, "-voltage", SDC_GIVEN_UNIT, p->voltage[el]);
    if (!isnan(p->temperature[el]))
      sdcw_number(w, "-temperature", SDC_GIVEN_UNIT, p->temperature[el]);
    sdcw_to(w, (Object){ OBJ_CELL, p->inst });
  }
}

static void write_conditions(SdcWriter *w)
{
  const Constraints *c = w->c;
  write_condition(w);
  write_voltage(w, c->voltage, NO_NAME);
  for (uint32_t i = 0; i < c->net_voltages.len; i++)
    write_voltage(w, c->net_voltages.at[i].voltage, c->net_voltages.at[i].net);
  uint32_t *order = RECORD_ORDER(c->pvts, 1);
  for (uint32_t i = 0; i < c->pvts.len; i++) write_pvt(w, &c->pvts.at[order[i]]);
  mem_free(order);
}

const SdcKind sdc_section_conditions[] = { write_conditions, NULL };

/* --- wire loads ------------------------------------------------------------------------------- */

static void put_wire_model(SdcWriter *w, uint32_t model)
{
  const WireLoad *load = &w->libs->wire_loads.at[model];
  sdcw_name(w, "-name", load->name);
  sdcw_name(w, "-library", w->libs->libraries.at[load->library].name);
}

static void write_choice(SdcWriter *w, const WireLoadChoice *k)
{
  bool model = k->model[EARLY] != k->model[LATE],
       group = k->group[EARLY] != k->group[LATE] || k->library[EARLY] != k->library[LATE];
  for (int el = EARLY; el <= (model ? LATE : EARLY); el++) {
    if (k->model[el] == NO_WIRE_LOAD) continue;
    sdcw_begin(w, "set_wire_load_model");
    put_wire_model(w, k->model[el]);
    sdcw_flag(w, el == EARLY ? "-min" : "-max", model);
    sdcw_to(w, k->object);
  }
  for (int el = EARLY; el <= (group ? LATE : EARLY); el++) {
    if (k->group[el] == NO_NAME) continue;
    sdcw_begin(w, "set_wire_load_selection_group");
    if (k->library[el] != NO_LIBRARY)
      sdcw_name(w, "-library", w->libs->libraries.at[k->library[el]].name);
    sdcw_flag(w, el == EARLY ? "-min" : "-max", group);
    sdcw_name(w, NULL, k->group[el]);
    sdcw_to(w, k->object);
  }
}

static void write_wire_loads(SdcWriter *w)
{
  static const char *const modes[] = { "", "top", "enclosed", "segmented" };
  const Constraints *c = w->c;
  if (c->wire_load_mode != WIRE_MODE_NONE) {
    sdcw_begin(w, "set_wire_load_mode");
    sdcw_flag(w, modes[c->wire_load_mode], true);
    sdcw_end(w);
  }
  if (!isnan(c->wire_load_min_block)) {
    sdcw_begin(w, "set_wire_load_min_block_size");
    sdcw_number(w, NULL, SDC_GIVEN_UNIT, c->wire_load_min_block);
    sdcw_end(w);
  }
  uint32_t *order = RECORD_ORDER(c->wire_load_choices, 2);
  for (uint32_t i = 0; i < c->wire_load_choices.len; i++)
    write_choice(w, &c->wire_load_choices.at[order[i]]);
  mem_free(order);
}

const SdcKind sdc_section_wire_loads[] = { write_wire_loads, NULL };
