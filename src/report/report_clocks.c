/* Writes report_clocks, report_clock_latency, report_clock_skew, report_clock_min_period and
   report_clock_tree. */
#include "report/report_clocks.h"

#include <math.h>

#include "graph/clocks/clocks.h"
#include "query/clock_tree.h"
#include "query/least_period.h"

/* --- which clocks: those given, or all -------------------------------------------------------- */
typedef struct {
  const Sheet  *s;
  const Object *given;
  uint32_t      count, at;
} ClockList;

static ClockList clock_list(const Sheet *s, const Object *given, uint32_t count)
{
  return (ClockList){ s, given, count, 0 };
}

static ClockId next_clock(ClockList *l)
{
  const Constraints *c = l->s->constraints;
  while (l->at < (l->given ? l->count : c->clocks.len)) {
    ClockId id = l->given ? l->given[l->at].id : l->at;
    l->at++;
    if (!c->clocks.at[id].deleted) return id;
  }
  return NO_CLOCK;
}

static const Clock *clock_at(const Sheet *s, ClockId id) { return &s->constraints->clocks.at[id]; }

/* --- properties ------------------------------------------------------------------------------- */
static void add_waveform(const Sheet *s, Text *t, const Clock *c)
{
  for (uint32_t i = 0; i < c->waveform.len; i++) {
    if (i) text_char(t, ' ');
    sheet_unit(s, t, UNIT_TIME, c->waveform.at[i]);
  }
}

static void add_sources(const Sheet *s, Text *t, const Clock *c)
{
  for (uint32_t i = 0; i < c->sources.len; i++) {
    if (i) text_char(t, ' ');
    sheet_pin(s, t, c->sources.at[i]);
  }
}

/* set_propagated_clock on pins: clocks become propagated on the way. */
static bool propagated_at_pins(const Sheet *s)
{
  for (uint32_t i = 0; i < s->constraints->clock_pins.len; i++)
    if (s->constraints->clock_pins.at[i].propagated) return true;
  return false;
}

static void add_kind(const Sheet *s, Text *t, const Clock *c)
{
  if (c->generated) text_put(t, "generated, ");
  if (c->sources.len == 0) text_put(t, "virtual");
  else if (c->propagated) text_put(t, "propagated");
  else text_put(t, propagated_at_pins(s) ? "ideal but behind propagated pins" : "ideal");
}

static void report_waveforms(const Sheet *s, ClockList l)
{
  Grid *c = grid_new("lrrll", 0);
  grid_row(c, "clock|period|waveform|kind|sources");
  for (ClockId id; (id = next_clock(&l)) != NO_CLOCK;) {
    const Clock *k = clock_at(s, id);
    cell_name(c, s, k->name);
    cell_time(c, s, k->period);
    add_waveform(s, grid_open(c), k);
    grid_close(c);
    add_kind(s, grid_open(c), k);
    grid_close(c);
    add_sources(s, grid_open(c), k);
    grid_close(c);
  }
  grid_finish(c, s->out);
}

static bool has_latency(const Clock *k)
{
  for (int i = 0; i < CONDITION_COUNT; i++)
    if (!isnan(k->network_latency[i]) || !isnan(k->source_latency[i >> 1][i]) || !isnan(k->slew[i]))
      return true;
  return false;
}

static void latency_row(Grid *c, const Sheet *s, const Clock *k, const char *what, const float *v)
{
  bool any = false;
  for (int i = 0; i < CONDITION_COUNT; i++) any |= !isnan(v[i]);
  if (!any) return;
  cell_name(c, s, k->name);
  grid_text(c, what);
  for (int i = 0; i < CONDITION_COUNT; i++) cell_time(c, s, v[sheet_conditions[i]]);
}

static void report_latencies_given(const Sheet *s, ClockList l)
{
  bool any = false;
  ClockList again = l;
  for (ClockId id; (id = next_clock(&again)) != NO_CLOCK;) any |= has_latency(clock_at(s, id));
  if (!any) return;
  Grid *c = grid_new("llrrrr", 0);
  grid_row(c, "clock|given|" HEAD4);
  for (ClockId id; (id = next_clock(&l)) != NO_CLOCK;) {
    const Clock *k = clock_at(s, id);
    float source[CONDITION_COUNT];
    for (int i = 0; i < CONDITION_COUNT; i++) source[i] = k->source_latency[i >> 1][i];
    latency_row(c, s, k, "source latency", source);
    latency_row(c, s, k, "network latency", k->network_latency);
    latency_row(c, s, k, "transition", k->slew);
  }
  text_char(s->out, '\n');
  grid_finish(c, s->out);
}

static const char *edges_text(unsigned mask)
{
  return mask == EDGE_RISE ? " rise" : mask == EDGE_FALL ? " fall" : "";
}

static void report_uncertainties(const Sheet *s, ClockList l)
{
  Grid *c = grid_new("llrr", 0);
  grid_row(c, "uncertainty from|to|setup|hold");
  for (ClockId id; (id = next_clock(&l)) != NO_CLOCK;) {
    const Clock *k = clock_at(s, id);
    if (!isnan(k->uncertainty[SETUP]) || !isnan(k->uncertainty[HOLD])) {
      grid_text(c, "*");
      cell_name(c, s, k->name);
      cell_time(c, s, k->uncertainty[SETUP]);
      cell_time(c, s, k->uncertainty[HOLD]);
    }
    for (uint32_t i = 0; i < s->constraints->inter_uncertainties.len; i++) {
      const InterUncertainty *u = &s->constraints->inter_uncertainties.at[i];
      if (u->to != id) continue;
      grid_printf(c, "%s%s", names_text(s->netlist->names, clock_at(s, u->from)->name),
                  edges_text(u->from_edges));
      grid_printf(c, "%s%s", names_text(s->netlist->names, k->name), edges_text(u->to_edges));
      cell_time(c, s, u->value[SETUP]);
      cell_time(c, s, u->value[HOLD]);
    }
  }
  if (grid_rows(c)) {
    text_char(s->out, '\n');
    grid_write(c, s->out);
  }
  grid_free(c);
}

static void add_making(const Sheet *s, Text *t, const Clock *k)
{
  if (k->divide_by) text_printf(t, "divided by %d", k->divide_by);
  if (k->multiply_by) text_printf(t, "multiplied by %d", k->multiply_by);
  if (k->edges.len) text_put(t, "edges");
  for (uint32_t i = 0; i < k->edges.len; i++) text_printf(t, " %d", k->edges.at[i]);
  for (uint32_t i = 0; i < k->edge_shift.len; i++) {
    text_put(t, i ? " " : " shifted by ");
    sheet_unit(s, t, UNIT_TIME, k->edge_shift.at[i]);
  }
  if (!isnan(k->duty_cycle)) text_printf(t, " duty cycle %g%%", k->duty_cycle);
  if (k->invert) text_put(t, " inverted");
  if (k->combinational) text_put(t, " combinational");
}

static void report_generated(const Sheet *s, ClockList l)
{
  Grid *c = grid_new("llll", 0);
  grid_row(c, "generated clock|master|from pin|made by");
  for (ClockId id; (id = next_clock(&l)) != NO_CLOCK;) {
    const Clock *k = clock_at(s, id);
    if (!k->generated) continue;
    cell_name(c, s, k->name);
    ClockId master = k->derived_master != NO_CLOCK ? k->derived_master : k->master;
    grid_text(c,
              master == NO_CLOCK ? "-" : names_text(s->netlist->names, clock_at(s, master)->name));
    cell_pin(c, s, k->master_pin);
    add_making(s, grid_open(c), k);
    grid_close(c);
  }
  if (grid_rows(c)) {
    text_char(s->out, '\n');
    grid_write(c, s->out);
  }
  grid_free(c);
}

void report_clocks(const Sheet *s, const Object *clocks, uint32_t count)
{
  ClockList l = clock_list(s, clocks, count);
  report_waveforms(s, l);
  report_latencies_given(s, l);
  report_uncertainties(s, l);
  report_generated(s, l);
}

/* --- latency, skew, period as computed -------------------------------------------------------- */
void report_clock_latencies(const Sheet *s, const Timing *t, const Object *clocks, uint32_t count,
                            bool as_propagated)
{
  ClockList l = clock_list(s, clocks, count);
  Grid *c = grid_new("lrlrll", 0);
  grid_row(c, "clock|registers||latency|pin|edge");
  for (ClockId id; (id = next_clock(&l)) != NO_CLOCK;) {
    LatencyRange r = query_latency_range(t, id, as_propagated);
    for (int el = EARLY; el <= LATE; el++) {
      grid_text(c, el == EARLY ? names_text(s->netlist->names, clock_at(s, id)->name) : "");
      if (el == EARLY) grid_printf(c, "%u", r.count);
      else grid_text(c, "");
      grid_text(c, el == EARLY ? "shortest" : "longest");
      cell_time(c, s, r.slot[el] == NO_SLOT ? NAN : r.latency[el]);
      cell_pin(c, s, r.slot[el] == NO_SLOT ? NO_PIN : t->g->slots.pin[r.slot[el]]);
      grid_text(c, r.slot[el] == NO_SLOT ? "" : edge_name(r.edge[el]));
    }
  }
  grid_finish(c, s->out);
}

static void skew_rows(Grid *c, const Sheet *s, const Timing *t, ClockId id, const SkewReport *r)
{
  int check = r->check;
  ClockSkew k = query_clock_skew(t, id, check, r->as_propagated);
  const char *name = names_text(s->netlist->names, clock_at(s, id)->name);
  if (!k.found) {
    grid_text(c, name);
    grid_row(c, "no path between registers|||-");
    return;
  }
  grid_text(c, name);
  grid_text(c, check == SETUP ? "launch, late" : "launch, early");
  cell_pin(c, s, t->g->slots.pin[k.launch]);
  grid_text(c, edge_name(k.launch_edge));
  cell_time(c, s, k.launch_latency);
  grid_text(c, "");
  grid_text(c, check == SETUP ? "capture, early" : "capture, late");
  cell_pin(c, s, t->g->slots.pin[k.capture]);
  grid_text(c, edge_name(k.capture_edge));
  cell_time(c, s, -k.capture_latency);
  if (k.uncertainty != 0) {
    grid_row(c, "|clock uncertainty||");
    cell_time(c, s, k.uncertainty);
  }
  grid_text(c, "");
  grid_text(c, check == SETUP ? "setup skew" : "hold skew");
  grid_row(c, "|");
  cell_time(c, s, k.skew);
}

void report_clock_skews(const Sheet *s, const Timing *t, const Object *clocks, uint32_t count,
                        const SkewReport *r)
{
  ClockList l = clock_list(s, clocks, count);
  Grid *c = grid_new("llllr", 0);
  grid_row(c, "clock|latency of|pin|edge|time");
  for (ClockId id; (id = next_clock(&l)) != NO_CLOCK;)
    if (clock_at(s, id)->sources.len) skew_rows(c, s, t, id, r);
  grid_finish(c, s->out);
}

#define LEAST_TOLD 1e-3        /* ps: less is rounding */

/* Frequencies in MHz, whatever the unit of time. */
void report_min_periods(const Sheet *s, const Timing *t, const Object *clocks, uint32_t count,
                        bool with_ports, LateEnds *late)
{
  ClockList l = clock_list(s, clocks, count);
  Grid *c = grid_new("lrrrl", 0);
  grid_row(c, "clock|period|least period|MHz|end point");
  for (ClockId id; (id = next_clock(&l)) != NO_CLOCK;) {
    const Clock *k = clock_at(s, id);
    if (k->sources.len == 0) continue;
    MinPeriod m = query_min_period(t, id, with_ports);
    if (m.fixed < -LEAST_TOLD) array_push(late, (LateEnd){ id, m.fixed_pin, m.fixed });
    cell_name(c, s, k->name);
    cell_time(c, s, k->period);
    cell_time(c, s, m.period);
    if (m.period > 0) grid_printf(c, "%.*f", s->digits, 1e6 / m.period);
    else grid_text(c, "-");
    cell_pin(c, s, m.pin);
  }
  grid_finish(c, s->out);
}
