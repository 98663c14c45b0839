/* Writes clocks as SDC. */
#include <math.h>
#include <stdio.h>

#include "base/interrupt.h"
#include "write/sdc_private.h"

/* --- definitions ------------------------------------------------------------------------------ */

static bool shares_source(const Clock *a, const Clock *b)
{
  for (uint32_t i = 0; i < a->sources.len; i++)
    for (uint32_t j = 0; j < b->sources.len; j++)
      if (a->sources.at[i] == b->sources.at[j]) return true;
  return false;
}

/* -add, where it was said or where the clock would else take the sources of one that is written
   before. */
static bool needs_add(const SdcWriter *writer, ClockId id, const uint8_t *done)
{
  const Clock *clock = &writer->c->clocks.at[id];
  if (clock->sources.len == 0 || clock->add) return clock->sources.len > 0;
  for (ClockId other = 0; other < writer->c->clocks.len; other++)
    if (done[other] && shares_source(clock, &writer->c->clocks.at[other])) return true;
  return false;
}

static void end_clock(SdcWriter *writer, ClockId id, const uint8_t *done)
{
  const Clock *clock = &writer->c->clocks.at[id];
  ObjectArray sources = { 0 };
  sdcw_flag(writer, "-add", needs_add(writer, id, done));
  sdcw_name(writer, "-comment", clock->comment);
  for (uint32_t i = 0; i < clock->sources.len; i++)
    array_push(&sources, sdcw_pin_object(writer, clock->sources.at[i]));
  if (sources.len) sdcw_objects(writer, NULL, sources.at, sources.len);
  array_free(&sources);
  sdcw_end(writer);
}

enum { MOST_WAVEFORM_DIGITS = 20 };

static double rounded(const SdcWriter *writer, double value, int digits)
{
  char text[400];
  snprintf(text, sizeof text, "%.*f", digits, value / writer->options->units.scale[UNIT_TIME]);
  return strtod(text, NULL);
}

/* Returns true if the edges stay in ascending order, and the last one stays within the period (at
   its end only if it was there before). */
static bool is_waveform(const SdcWriter *writer, const Clock *clock, int digits)
{
  uint32_t last = clock->waveform.len - 1;
  for (uint32_t i = 1; i <= last; i++)
    if (rounded(writer, clock->waveform.at[i], digits)
        <= rounded(writer, clock->waveform.at[i - 1], digits))
      return false;
  bool at_end = clock->waveform.at[last] - clock->waveform.at[0] >= clock->period;
  double span = rounded(writer, clock->waveform.at[last], digits)
                - rounded(writer, clock->waveform.at[0], digits);
  double half = pow(10, -digits) / 2;
  return span < rounded(writer, clock->period, digits) + (at_end ? half : -half);
}

/* Period and edges have as many digits as the one that needs the most. */
static int clock_digits(const SdcWriter *writer, const Clock *clock)
{
  double scale = writer->options->units.scale[UNIT_TIME];
  int digits = writer->options->digits;
  if (digits < 0 || clock->waveform.len == 0) return digits;
  digits = sdcw_showing_digits(clock->period / scale, digits);
  for (uint32_t i = 0; i < clock->waveform.len; i++) {
    int own = sdcw_showing_digits(clock->waveform.at[i] / scale, writer->options->digits);
    if (own > digits) digits = own;
  }
  while (digits < MOST_WAVEFORM_DIGITS && !is_waveform(writer, clock, digits)) digits++;
  return digits;
}

static void write_clock(SdcWriter *writer, ClockId id, const uint8_t *done)
{
  const Clock *clock = &writer->c->clocks.at[id];
  writer->digits = clock_digits(writer, clock);
  sdcw_begin(writer, "create_clock");
  sdcw_name(writer, "-name", clock->name);
  sdcw_double(writer, "-period", UNIT_TIME, clock->period);
  sdcw_doubles(writer, "-waveform", UNIT_TIME, clock->waveform.at, clock->waveform.len);
  writer->digits = writer->options->digits;
  end_clock(writer, id, done);
}

static void put_edges(SdcWriter *writer, const Clock *clock)
{
  if (clock->edges.len == 0) return;
  text_put(&writer->head, " -edges {");
  for (uint32_t i = 0; i < clock->edges.len; i++)
    text_printf(&writer->head, "%s%d", i ? " " : "", clock->edges.at[i]);
  text_char(&writer->head, '}');
  if (clock->edge_shift.len)
    sdcw_doubles(writer, "-edge_shift", UNIT_TIME, clock->edge_shift.at, clock->edge_shift.len);
}

static void write_generated(SdcWriter *writer, ClockId id, const uint8_t *done)
{
  const Clock *clock = &writer->c->clocks.at[id];
  sdcw_begin(writer, "create_generated_clock");
  sdcw_name(writer, "-name", clock->name);
  if (clock->master_pin != NO_PIN)
    sdcw_object(writer, "-source", sdcw_pin_object(writer, clock->master_pin));
  sdcw_clock(writer, "-master_clock", clock->master);
  if (clock->multiply_by) sdcw_int(writer, "-multiply_by", clock->multiply_by);
  else if (clock->edges.len) put_edges(writer, clock);
  else if (clock->divide_by && !(clock->combinational && clock->divide_by == 1))
    sdcw_int(writer, "-divide_by", clock->divide_by);
  if (!isnan(clock->duty_cycle)) sdcw_number(writer, "-duty_cycle", SDC_NO_UNIT, clock->duty_cycle);
  sdcw_flag(writer, "-combinational", clock->combinational);
  sdcw_flag(writer, "-invert", clock->invert);
  end_clock(writer, id, done);
}

/* A clock that was defined again may have got a master with a higher id.  Its place among the
   clocks, which says which of equal slacks is shown and where loops are cut, is kept by a clock of
   its name that the definition replaces. */
static void hold_place(SdcWriter *writer, ClockId id)
{
  sdcw_begin(writer, "create_clock");
  sdcw_name(writer, "-name", writer->c->clocks.at[id].name);
  sdcw_double(writer, "-period", UNIT_TIME, writer->options->units.scale[UNIT_TIME]);
  sdcw_end(writer);
}

static void write_definition(SdcWriter *writer, ClockId id, uint8_t *done)
{
  if (writer->c->clocks.at[id].generated) write_generated(writer, id, done);
  else write_clock(writer, id, done);
  done[id] = 1;
}

static void write_clocks(SdcWriter *writer)
{
  uint32_t count = writer->c->clocks.len;
  uint8_t *done = mem_alloc_zero((size_t)count + 1, 1),
          *held = mem_alloc_zero((size_t)count + 1, 1);
  for (ClockId id = 0; id < count; id++) {
    const Clock *clock = &writer->c->clocks.at[id];
    if (clock->deleted) continue;
    held[id] = clock->generated && clock->master != NO_CLOCK && !done[clock->master]
               && !held[clock->master];
    if (held[id]) hold_place(writer, id);
    else write_definition(writer, id, done);
  }
  for (ClockId id = 0; id < count; id++)
    if (held[id]) write_definition(writer, id, done);
  mem_free(done);
  mem_free(held);
}

/* --- latency, transition, limits -------------------------------------------------------------- */

/* Source latencies that are equal for early and late need neither -early nor -late. */
static void write_source_latency(SdcWriter *writer, float latency[2][CONDITION_COUNT],
                                 ClockId clock, Object o)
{
  bool same = true;
  for (int k = 0; k < CONDITION_COUNT; k++)
    same = same
           && (latency[EARLY][k] == latency[LATE][k]
               || (isnan(latency[EARLY][k]) && isnan(latency[LATE][k])));
  for (int el = EARLY; el <= (same ? EARLY : LATE); el++) {
    SdcPart parts[CONDITION_COUNT];
    int count = sdcw_parts(latency[el], parts);
    for (int i = 0; i < count; i++) {
      sdcw_begin(writer, "set_clock_latency -source");
      sdcw_flag(writer, el == EARLY ? "-early" : "-late", !same);
      sdcw_conditions(writer, parts[i].mask, "-min", "-max");
      sdcw_clock(writer, "-clock", clock);
      sdcw_number(writer, NULL, UNIT_TIME, parts[i].value);
      sdcw_to(writer, o);
    }
  }
}

static void write_network_latency(SdcWriter *writer, const float latency[CONDITION_COUNT],
                                  ClockId clock, Object o)
{
  SdcPart parts[CONDITION_COUNT];
  int count = sdcw_parts(latency, parts);
  for (int i = 0; i < count; i++) {
    sdcw_begin(writer, "set_clock_latency");
    sdcw_conditions(writer, parts[i].mask, "-min", "-max");
    sdcw_clock(writer, "-clock", clock);
    sdcw_number(writer, NULL, UNIT_TIME, parts[i].value);
    sdcw_to(writer, o);
  }
}

static void write_max_slew(SdcWriter *writer, const Clock *clock, Object o)
{
  const float *const limits[] = { clock->max_slew_clock, clock->max_slew_data };
  for (int path = 0; path < 2; path++) {
    SdcPart parts[CONDITION_COUNT];
    int count = sdcw_parts_edges(limits[path], parts);
    for (int i = 0; i < count; i++) {
      sdcw_begin(writer, "set_max_transition");
      sdcw_flag(writer, path ? "-data_path" : "-clock_path", true);
      sdcw_conditions(writer, parts[i].mask, "", "");
      sdcw_number(writer, NULL, UNIT_TIME, parts[i].value);
      sdcw_to(writer, o);
    }
  }
}

static void write_clock_values(SdcWriter *writer)
{
  for (ClockId id = 0; id < writer->c->clocks.len; id++) {
    Clock k = writer->c->clocks.at[id];
    Object o = { OBJ_CLOCK, id };
    if (k.deleted) continue;
    write_source_latency(writer, k.source_latency, NO_CLOCK, o);
    write_network_latency(writer, k.network_latency, NO_CLOCK, o);
    sdcw_values(writer, "set_clock_transition", NULL, UNIT_TIME, k.slew, o);
    write_max_slew(writer, &k, o);
  }
  uint32_t *order = RECORD_ORDER(writer->c->clock_pins, 2);
  for (uint32_t i = 0; i < writer->c->clock_pins.len && !interrupt_seen(); i++) {
    ClockPin p = writer->c->clock_pins.at[order[i]];
    if (p.pin == NO_PIN || (p.clock != NO_CLOCK && writer->c->clocks.at[p.clock].deleted)) continue;
    write_source_latency(writer, p.source_latency, p.clock, sdcw_pin_object(writer, p.pin));
    write_network_latency(writer, p.network_latency, p.clock, sdcw_pin_object(writer, p.pin));
  }
  mem_free(order);
}

/* --- uncertainty ------------------------------------------------------------------------------ */

static void write_uncertainty(SdcWriter *writer, const float value[2], Object o)
{
  SdcPart parts[CONDITION_COUNT];
  int count = sdcw_parts_early_late(value, parts);      /* hold is early, setup late */
  for (int i = 0; i < count; i++) {
    sdcw_begin(writer, "set_clock_uncertainty");
    sdcw_conditions(writer, parts[i].mask, "-hold", "-setup");
    sdcw_number(writer, NULL, UNIT_TIME, parts[i].value);
    sdcw_to(writer, o);
  }
}

static int by_clocks(const void *pa, const void *pb)
{
  const InterUncertainty *a = pa, *b = pb;
  if (a->from != b->from) return a->from < b->from ? -1 : 1;
  if (a->to != b->to) return a->to < b->to ? -1 : 1;
  if (a->from_edges != b->from_edges) return a->from_edges < b->from_edges ? -1 : 1;
  return a->to_edges < b->to_edges ? -1 : a->to_edges > b->to_edges;
}

static bool same_value(float a, float b) { return a == b || (isnan(a) && isnan(b)); }

/* One pair of edges, or all four where they agree. */
static void write_inter(SdcWriter *writer, const InterUncertainty *uncertainty, bool all)
{
  static const char *const from[] = { "-from", "-rise_from", "-fall_from" }, *const to[] = {
    "-to", "-rise_to", "-fall_to"
  };
  SdcPart parts[CONDITION_COUNT];
  int count = sdcw_parts_early_late(uncertainty->value, parts);
  for (int i = 0; i < count; i++) {
    sdcw_begin(writer, "set_clock_uncertainty");
    sdcw_conditions(writer, parts[i].mask, "-hold", "-setup");
    sdcw_clock(writer,
               from[all                                    ? 0
                    : uncertainty->from_edges == EDGE_FALL ? 2
                                                           : 1],
               uncertainty->from);
    sdcw_clock(writer, to[all ? 0 : uncertainty->to_edges == EDGE_FALL ? 2 : 1], uncertainty->to);
    sdcw_number(writer, NULL, UNIT_TIME, parts[i].value);
    sdcw_end(writer);
  }
}

static void write_between(SdcWriter *writer)
{
  ARRAY(InterUncertainty) all = { 0 };
  for (uint32_t i = 0; i < writer->c->inter_uncertainties.len && !interrupt_seen(); i++)
    array_push(&all, writer->c->inter_uncertainties.at[i]);
  if (all.len) qsort(all.at, all.len, sizeof *all.at, by_clocks);
  for (uint32_t i = 0, next; i < all.len; i = next) {
    bool alike = true;
    for (next = i;
         next < all.len && all.at[next].from == all.at[i].from && all.at[next].to == all.at[i].to;
         next++)
      for (int check = HOLD; check <= SETUP; check++)
        alike = alike && same_value(all.at[next].value[check], all.at[i].value[check]);
    if (alike && next - i == 4) write_inter(writer, &all.at[i], true);
    else
      for (uint32_t k = i; k < next; k++) write_inter(writer, &all.at[k], false);
  }
  array_free(&all);
}

static void write_uncertainties(SdcWriter *writer)
{
  for (ClockId id = 0; id < writer->c->clocks.len; id++)
    if (!writer->c->clocks.at[id].deleted)
      write_uncertainty(writer, writer->c->clocks.at[id].uncertainty, (Object){ OBJ_CLOCK, id });
  uint32_t *order = RECORD_ORDER(writer->c->clock_pins, 2);
  for (uint32_t i = 0; i < writer->c->clock_pins.len && !interrupt_seen(); i++) {
    const ClockPin *pin = &writer->c->clock_pins.at[order[i]];
    if (pin->pin != NO_PIN)
      write_uncertainty(writer, pin->uncertainty, sdcw_pin_object(writer, pin->pin));
  }
  mem_free(order);
  write_between(writer);
}

/* --- propagation, senses, groups -------------------------------------------------------------- */

static void write_propagated(SdcWriter *writer)
{
  for (ClockId id = 0; id < writer->c->clocks.len; id++) {
    if (!writer->c->clocks.at[id].propagated) continue;
    sdcw_begin(writer, "set_propagated_clock");
    sdcw_to(writer, (Object){ OBJ_CLOCK, id });
  }
}

static void write_propagated_pins(SdcWriter *writer)
{
  uint32_t *order = RECORD_ORDER(writer->c->clock_pins, 2);
  for (uint32_t i = 0; i < writer->c->clock_pins.len && !interrupt_seen(); i++) {
    const ClockPin *pin = &writer->c->clock_pins.at[order[i]];
    if (!pin->propagated) continue;
    sdcw_begin(writer, "set_propagated_clock");
    sdcw_to_pin(writer, pin->pin);
  }
  mem_free(order);
}

static void write_senses(SdcWriter *writer)
{
  static const char *const kinds[] = { "-positive", "-negative", "-stop_propagation",
                                       "-pulse rise_triggered_high_pulse",
                                       "-pulse fall_triggered_high_pulse" };
  uint32_t *order = RECORD_ORDER(writer->c->senses, 2);
  for (uint32_t i = 0; i < writer->c->senses.len && !interrupt_seen(); i++) {
    const ClockSense *sense = &writer->c->senses.at[order[i]];
    if (sense->clock != NO_CLOCK && writer->c->clocks.at[sense->clock].deleted) continue;
    sdcw_begin(writer, sense->data ? "set_sense -type data" : "set_sense -type clock");
    sdcw_flag(writer, kinds[sense->kind], true);
    sdcw_clock(writer, "-clocks", sense->clock);
    sdcw_to_pin(writer, sense->pin);
  }
  mem_free(order);
}

/* Groups that have a clock left. */
static uint32_t live_groups(const ClockGroups *groups)
{
  uint32_t count = 0;
  for (uint32_t group = 0; group < groups->group_count; group++) {
    bool any = false;
    for (uint32_t i = 0; i + 1 < groups->group_of.len; i += 2)
      any |= groups->group_of.at[i + 1] == group;
    count += any;
  }
  return count;
}

/* One group alone would be against all other clocks: where the others are empty nothing is said. */
static void write_groups(SdcWriter *writer, const ClockGroups *groups)
{
  static const char *const types[] = { "-asynchronous", "-logically_exclusive",
                                       "-physically_exclusive" };
  if (live_groups(groups) < (groups->group_count > 1 ? 2 : 1)) return;
  sdcw_begin(writer, "set_clock_groups");
  sdcw_name(writer, "-name", groups->name);
  sdcw_flag(writer, types[groups->type], true);
  sdcw_flag(writer, "-allow_paths", groups->allow_paths);
  for (uint32_t group = 0; group < groups->group_count; group++) {
    ObjectArray clocks = { 0 };
    for (uint32_t i = 0; i + 1 < groups->group_of.len; i += 2)
      if (groups->group_of.at[i + 1] == group)
        array_push(&clocks, (Object){ OBJ_CLOCK, groups->group_of.at[i] });
    if (clocks.len) sdcw_objects(writer, "-group", clocks.at, clocks.len);
    array_free(&clocks);
  }
  sdcw_name(writer, "-comment", groups->comment);
  sdcw_end(writer);
}

static void write_clock_groups(SdcWriter *writer)
{
  for (uint32_t i = 0; i < writer->c->clock_groups.len && !interrupt_seen(); i++)
    if (!writer->c->clock_groups.at[i].deleted)
      write_groups(writer, &writer->c->clock_groups.at[i]);
}

/* Commands that make a clock propagated come after the latencies, because a latency makes a clock
   ideal. But propagation at pins comes before the latencies, because it removes the latencies of
   all clocks at the pin, and a latency of one clock may have been given later. */
const SdcKind sdc_section_clocks[] = {
  write_clocks, write_propagated_pins, write_clock_values, write_uncertainties, write_propagated,
  write_senses, write_clock_groups, NULL
};
