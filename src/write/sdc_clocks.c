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
static bool needs_add(const SdcWriter *w, ClockId id, const uint8_t *done)
{
  const Clock *k = &w->c->clocks.at[id];
  if (k->sources.len == 0 || k->add) return k->sources.len > 0;
  for (ClockId other = 0; other < w->c->clocks.len; other++)
    if (done[other] && shares_source(k, &w->c->clocks.at[other])) return true;
  return false;
}

static void end_clock(SdcWriter *w, ClockId id, const uint8_t *done)
{
  const Clock *k = &w->c->clocks.at[id];
  ObjectArray sources = { 0 };
  sdcw_flag(w, "-add", needs_add(w, id, done));
  sdcw_name(w, "-comment", k->comment);
  for (uint32_t i = 0; i < k->sources.len; i++)
    array_push(&sources, sdcw_pin_object(w, k->sources.at[i]));
  if (sources.len) sdcw_objects(w, NULL, sources.at, sources.len);
  array_free(&sources);
  sdcw_end(w);
}

enum { MOST_WAVEFORM_DIGITS = 20 };

static double rounded(const SdcWriter *w, double value, int digits)
{
  char text[400];
  snprintf(text, sizeof text, "%.*f", digits, value / w->o->units.scale[UNIT_TIME]);
  return strtod(text, NULL);
}

/* Returns true if the edges stay in ascending order, and the last one stays within the period (at
   its end only if it was there before). */
static bool is_waveform(const SdcWriter *w, const Clock *k, int digits)
{
  uint32_t last = k->waveform.len - 1;
  for (uint32_t i = 1; i <= last; i++)
    if (rounded(w, k->waveform.at[i], digits) <= rounded(w, k->waveform.at[i - 1], digits))
      return false;
  bool at_end = k->waveform.at[last] - k->waveform.at[0] >= k->period;
  double span = rounded(w, k->waveform.at[last], digits) - rounded(w, k->waveform.at[0], digits);
  double half = pow(10, -digits) / 2;
  return span < rounded(w, k->period, digits) + (at_end ? half : -half);
}

/* Period and edges have as many digits as the one that needs the most. */
static int clock_digits(const SdcWriter *w, const Clock *k)
{
  double scale = w->o->units.scale[UNIT_TIME];
  int digits = w->o->digits;
  if (digits < 0 || k->waveform.len == 0) return digits;
  digits = sdcw_showing_digits(k->period / scale, digits);
  for (uint32_t i = 0; i < k->waveform.len; i++) {
    int own = sdcw_showing_digits(k->waveform.at[i] / scale, w->o->digits);
    if (own > digits) digits = own;
  }
  while (digits < MOST_WAVEFORM_DIGITS && !is_waveform(w, k, digits)) digits++;
  return digits;
}

static void write_clock(SdcWriter *w, ClockId id, const uint8_t *done)
{
  const Clock *k = &w->c->clocks.at[id];
  w->digits = clock_digits(w, k);
  sdcw_begin(w, "create_clock");
  sdcw_name(w, "-name", k->name);
  sdcw_double(w, "-period", UNIT_TIME, k->period);
  sdcw_doubles(w, "-waveform", UNIT_TIME, k->waveform.at, k->waveform.len);
  w->digits = w->o->digits;
  end_clock(w, id, done);
}

static void put_edges(SdcWriter *w, const Clock *k)
{
  if (k->edges.len == 0) return;
  text_put(&w->head, " -edges {");
  for (uint32_t i = 0; i < k->edges.len; i++)
    text_printf(&w->head, "%s%d", i ? " " : "", k->edges.at[i]);
  text_char(&w->head, '}');
  if (k->edge_shift.len)
    sdcw_doubles(w, "-edge_shift", UNIT_TIME, k->edge_shift.at, k->edge_shift.len);
}

static void write_generated(SdcWriter *w, ClockId id, const uint8_t *done)
{
  const Clock *k = &w->c->clocks.at[id];
  sdcw_begin(w, "create_generated_clock");
  sdcw_name(w, "-name", k->name);
  if (k->master_pin != NO_PIN) sdcw_object(w, "-source", sdcw_pin_object(w, k->master_pin));
  sdcw_clock(w, "-master_clock", k->master);
  if (k->multiply_by) sdcw_int(w, "-multiply_by", k->multiply_by);
  else if (k->edges.len) put_edges(w, k);
  else if (k->divide_by && !(k->combinational && k->divide_by == 1))
    sdcw_int(w, "-divide_by", k->divide_by);
  if (!isnan(k->duty_cycle)) sdcw_number(w, "-duty_cycle", SDC_NO_UNIT, k->duty_cycle);
  sdcw_flag(w, "-combinational", k->combinational);
  sdcw_flag(w, "-invert", k->invert);
  end_clock(w, id, done);
}

/* A clock that was defined again may have got a master with a higher id.  Its place among the
   clocks, which says which of equal slacks is shown and where loops are cut, is kept by a clock of
   its name that the definition replaces. */
static void hold_place(SdcWriter *w, ClockId id)
{
  sdcw_begin(w, "create_clock");
  sdcw_name(w, "-name", w->c->clocks.at[id].name);
  sdcw_double(w, "-period", UNIT_TIME, w->o->units.scale[UNIT_TIME]);
  sdcw_end(w);
}

static void write_definition(SdcWriter *w, ClockId id, uint8_t *done)
{
  if (w->c->clocks.at[id].generated) write_generated(w, id, done);
  else write_clock(w, id, done);
  done[id] = 1;
}

static void write_clocks(SdcWriter *w)
{
  uint32_t count = w->c->clocks.len;
  uint8_t *done = mem_alloc_zero((size_t)count + 1, 1),
          *held = mem_alloc_zero((size_t)count + 1, 1);
  for (ClockId id = 0; id < count; id++) {
    const Clock *k = &w->c->clocks.at[id];
    if (k->deleted) continue;
    held[id] = k->generated && k->master != NO_CLOCK && !done[k->master] && !held[k->master];
    if (held[id]) hold_place(w, id);
    else write_definition(w, id, done);
  }
  for (ClockId id = 0; id < count; id++)
    if (held[id]) write_definition(w, id, done);
  mem_free(done);
  mem_free(held);
}

/* --- latency, transition, limits -------------------------------------------------------------- */

/* Source latencies that are equal for early and late need neither -early nor -late. */
static void write_source_latency(SdcWriter *w, float latency[2][CONDITION_COUNT], ClockId clock,
                                 Object o)
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
      sdcw_begin(w, "set_clock_latency -source");
      sdcw_flag(w, el == EARLY ? "-early" : "-late", !same);
      sdcw_conditions(w, parts[i].mask, "-min", "-max");
      sdcw_clock(w, "-clock", clock);
      sdcw_number(w, NULL, UNIT_TIME, parts[i].value);
      sdcw_to(w, o);
    }
  }
}

static void write_network_latency(SdcWriter *w, const float latency[CONDITION_COUNT], ClockId clock,
                                  Object o)
{
  SdcPart parts[CONDITION_COUNT];
  int count = sdcw_parts(latency, parts);
  for (int i = 0; i < count; i++) {
    sdcw_begin(w, "set_clock_latency");
    sdcw_conditions(w, parts[i].mask, "-min", "-max");
    sdcw_clock(w, "-clock", clock);
    sdcw_number(w, NULL, UNIT_TIME, parts[i].value);
    sdcw_to(w, o);
  }
}

static void write_max_slew(SdcWriter *w, const Clock *k, Object o)
{
  const float *const limits[] = { k->max_slew_clock, k->max_slew_data };
  for (int path = 0; path < 2; path++) {
    SdcPart parts[CONDITION_COUNT];
    int count = sdcw_parts_edges(limits[path], parts);
    for (int i = 0; i < count; i++) {
      sdcw_begin(w, "set_max_transition");
      sdcw_flag(w, path ? "-data_path" : "-clock_path", true);
      sdcw_conditions(w, parts[i].mask, "", "");
      sdcw_number(w, NULL, UNIT_TIME, parts[i].value);
      sdcw_to(w, o);
    }
  }
}

static void write_clock_values(SdcWriter *w)
{
  for (ClockId id = 0; id < w->c->clocks.len; id++) {
    Clock k = w->c->clocks.at[id];
    Object o = { OBJ_CLOCK, id };
    if (k.deleted) continue;
    write_source_latency(w, k.source_latency, NO_CLOCK, o);
    write_network_latency(w, k.network_latency, NO_CLOCK, o);
    sdcw_values(w, "set_clock_transition", NULL, UNIT_TIME, k.slew, o);
    write_max_slew(w, &k, o);
  }
  uint32_t *order = RECORD_ORDER(w->c->clock_pins, 2);
  for (uint32_t i = 0; i < w->c->clock_pins.len && !interrupt_seen(); i++) {
    ClockPin p = w->c->clock_pins.at[order[i]];
    if (p.pin == NO_PIN || (p.clock != NO_CLOCK && w->c->clocks.at[p.clock].deleted)) continue;
    write_source_latency(w, p.source_latency, p.clock, sdcw_pin_object(w, p.pin));
    write_network_latency(w, p.network_latency, p.clock, sdcw_pin_object(w, p.pin));
  }
  mem_free(order);
}

/* --- uncertainty ------------------------------------------------------------------------------ */

static void write_uncertainty(SdcWriter *w, const float value[2], Object o)
{
  SdcPart parts[CONDITION_COUNT];
  int count = sdcw_parts_early_late(value, parts);      /* hold is early, setup late */
  for (int i = 0; i < count; i++) {
    sdcw_begin(w, "set_clock_uncertainty");
    sdcw_conditions(w, parts[i].mask, "-hold", "-setup");
    sdcw_number(w, NULL, UNIT_TIME, parts[i].value);
    sdcw_to(w, o);
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
static void write_inter(SdcWriter *w, const InterUncertainty *u, bool all)
{
  static const char *const from[] = { "-from", "-rise_from", "-fall_from" }, *const to[] = {
    "-to", "-rise_to", "-fall_to"
  };
  SdcPart parts[CONDITION_COUNT];
  int count = sdcw_parts_early_late(u->value, parts);
  for (int i = 0; i < count; i++) {
    sdcw_begin(w, "set_clock_uncertainty");
    sdcw_conditions(w, parts[i].mask, "-hold", "-setup");
    sdcw_clock(w, from[all ? 0 : u->from_edges == EDGE_FALL ? 2 : 1], u->from);
    sdcw_clock(w, to[all ? 0 : u->to_edges == EDGE_FALL ? 2 : 1], u->to);
    sdcw_number(w, NULL, UNIT_TIME, parts[i].value);
    sdcw_end(w);
  }
}

static void write_between(SdcWriter *w)
{
  ARRAY(InterUncertainty) all = { 0 };
  for (uint32_t i = 0; i < w->c->inter_uncertainties.len && !interrupt_seen(); i++)
    array_push(&all, w->c->inter_uncertainties.at[i]);
  if (all.len) qsort(all.at, all.len, sizeof *all.at, by_clocks);
  for (uint32_t i = 0, next; i < all.len; i = next) {
    bool alike = true;
    for (next = i;
         next < all.len && all.at[next].from == all.at[i].from && all.at[next].to == all.at[i].to;
         next++)
      for (int check = HOLD; check <= SETUP; check++)
        alike = alike && same_value(all.at[next].value[check], all.at[i].value[check]);
    if (alike && next - i == 4) write_inter(w, &all.at[i], true);
    else
      for (uint32_t k = i; k < next; k++) write_inter(w, &all.at[k], false);
  }
  array_free(&all);
}

static void write_uncertainties(SdcWriter *w)
{
  for (ClockId id = 0; id < w->c->clocks.len; id++)
    if (!w->c->clocks.at[id].deleted)
      write_uncertainty(w, w->c->clocks.at[id].uncertainty, (Object){ OBJ_CLOCK, id });
  uint32_t *order = RECORD_ORDER(w->c->clock_pins, 2);
  for (uint32_t i = 0; i < w->c->clock_pins.len && !interrupt_seen(); i++) {
    const ClockPin *p = &w->c->clock_pins.at[order[i]];
    if (p->pin != NO_PIN) write_uncertainty(w, p->uncertainty, sdcw_pin_object(w, p->pin));
  }
  mem_free(order);
  write_between(w);
}

/* --- propagation, senses, groups -------------------------------------------------------------- */

static void write_propagated(SdcWriter *w)
{
  for (ClockId id = 0; id < w->c->clocks.len; id++) {
    if (!w->c->clocks.at[id].propagated) continue;
    sdcw_begin(w, "set_propagated_clock");
    sdcw_to(w, (Object){ OBJ_CLOCK, id });
  }
}

static void write_propagated_pins(SdcWriter *w)
{
  uint32_t *order = RECORD_ORDER(w->c->clock_pins, 2);
  for (uint32_t i = 0; i < w->c->clock_pins.len && !interrupt_seen(); i++) {
    const ClockPin *p = &w->c->clock_pins.at[order[i]];
    if (!p->propagated) continue;
    sdcw_begin(w, "set_propagated_clock");
    sdcw_to_pin(w, p->pin);
  }
  mem_free(order);
}

static void write_senses(SdcWriter *w)
{
  static const char *const kinds[] = { "-positive", "-negative", "-stop_propagation",
                                       "-pulse rise_triggered_high_pulse",
                                       "-pulse fall_triggered_high_pulse" };
  uint32_t *order = RECORD_ORDER(w->c->senses, 2);
  for (uint32_t i = 0; i < w->c->senses.len && !interrupt_seen(); i++) {
    const ClockSense *s = &w->c->senses.at[order[i]];
    if (s->clock != NO_CLOCK && w->c->clocks.at[s->clock].deleted) continue;
    sdcw_begin(w, s->data ? "set_sense -type data" : "set_sense -type clock");
    sdcw_flag(w, kinds[s->kind], true);
    sdcw_clock(w, "-clocks", s->clock);
    sdcw_to_pin(w, s->pin);
  }
  mem_free(order);
}

/* Groups that have a clock left. */
static uint32_t live_groups(const ClockGroups *g)
{
  uint32_t count = 0;
  for (uint32_t group = 0; group < g->group_count; group++) {
    bool any = false;
    for (uint32_t i = 0; i + 1 < g->group_of.len; i += 2) any |= g->group_of.at[i + 1] == group;
    count += any;
  }
  return count;
}

/* One group alone would be against all other clocks: where the others are empty nothing is said. */
static void write_groups(SdcWriter *w, const ClockGroups *g)
{
  static const char *const types[] = { "-asynchronous", "-logically_exclusive",
                                       "-physically_exclusive" };
  if (live_groups(g) < (g->group_count > 1 ? 2 : 1)) return;
  sdcw_begin(w, "set_clock_groups");
  sdcw_name(w, "-name", g->name);
  sdcw_flag(w, types[g->type], true);
  sdcw_flag(w, "-allow_paths", g->allow_paths);
  for (uint32_t group = 0; group < g->group_count; group++) {
    ObjectArray clocks = { 0 };
    for (uint32_t i = 0; i + 1 < g->group_of.len; i += 2)
      if (g->group_of.at[i + 1] == group)
        array_push(&clocks, (Object){ OBJ_CLOCK, g->group_of.at[i] });
    if (clocks.len) sdcw_objects(w, "-group", clocks.at, clocks.len);
    array_free(&clocks);
  }
  sdcw_name(w, "-comment", g->comment);
  sdcw_end(w);
}

static void write_clock_groups(SdcWriter *w)
{
  for (uint32_t i = 0; i < w->c->clock_groups.len && !interrupt_seen(); i++)
    if (!w->c->clock_groups.at[i].deleted) write_groups(w, &w->c->clock_groups.at[i]);
}

/* Commands that make a clock propagated come after the latencies, because a latency makes a clock
   ideal. But propagation at pins comes before the latencies, because it removes the latencies of
   all clocks at the pin, and a latency of one clock may have been given later. */
const SdcKind sdc_section_clocks[] = {
  write_clocks, write_propagated_pins, write_clock_values, write_uncertainties, write_propagated,
  write_senses, write_clock_groups, NULL
};
