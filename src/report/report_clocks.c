/* Writes report_clocks, report_clock_latency, report_clock_skew, report_clock_min_period and
   report_clock_tree. */
#include "report/report_clocks.h"

#include <math.h>

#include "graph/clocks/clocks.h"
#include "query/clock_tree.h"
#include "query/least_period.h"

/* --- which clocks: those given, or all -------------------------------------------------------- */
typedef struct {
  const Sheet  *sheet;
  const Object *given;
  uint32_t      count, at;
} ClockList;

static ClockList clock_list(const Sheet *sheet, const Object *given, uint32_t count)
{
  return (ClockList){ sheet, given, count, 0 };
}

static ClockId next_clock(ClockList *list)
{
  const Constraints *c = list->sheet->constraints;
  while (list->at < (list->given ? list->count : c->clocks.len)) {
    ClockId id = list->given ? list->given[list->at].id : list->at;
    list->at++;
    if (!c->clocks.at[id].deleted) return id;
  }
  return NO_CLOCK;
}

static const Clock *clock_at(const Sheet *sheet, ClockId id)
{
  return &sheet->constraints->clocks.at[id];
}

/* --- properties ------------------------------------------------------------------------------- */
static void add_waveform(const Sheet *sheet, Text *text, const Clock *clock)
{
  for (uint32_t i = 0; i < clock->waveform.len; i++) {
    if (i) text_char(text, ' ');
    sheet_unit(sheet, text, UNIT_TIME, clock->waveform.at[i]);
  }
}

static void add_sources(const Sheet *sheet, Text *text, const Clock *clock)
{
  for (uint32_t i = 0; i < clock->sources.len; i++) {
    if (i) text_char(text, ' ');
    sheet_pin(sheet, text, clock->sources.at[i]);
  }
}

/* set_propagated_clock on pins: clocks become propagated on the way. */
static bool propagated_at_pins(const Sheet *sheet)
{
  for (uint32_t i = 0; i < sheet->constraints->clock_pins.len; i++)
    if (sheet->constraints->clock_pins.at[i].propagated) return true;
  return false;
}

static void add_kind(const Sheet *sheet, Text *text, const Clock *clock)
{
  if (clock->generated) text_put(text, "generated, ");
  if (clock->sources.len == 0) text_put(text, "virtual");
  else if (clock->propagated) text_put(text, "propagated");
  else text_put(text, propagated_at_pins(sheet) ? "ideal but behind propagated pins" : "ideal");
}

static void report_waveforms(const Sheet *sheet, ClockList l)
{
  Grid *grid = grid_new("lrrll", 0);
  grid_row(grid, "clock|period|waveform|kind|sources");
  for (ClockId id; (id = next_clock(&l)) != NO_CLOCK;) {
    const Clock *clock = clock_at(sheet, id);
    cell_name(grid, sheet, clock->name);
    cell_time(grid, sheet, clock->period);
    add_waveform(sheet, grid_open(grid), clock);
    grid_close(grid);
    add_kind(sheet, grid_open(grid), clock);
    grid_close(grid);
    add_sources(sheet, grid_open(grid), clock);
    grid_close(grid);
  }
  grid_finish(grid, sheet->out);
}

static bool has_latency(const Clock *clock)
{
  for (int i = 0; i < CONDITION_COUNT; i++)
    if (!isnan(clock->network_latency[i]) || !isnan(clock->source_latency[i >> 1][i])
        || !isnan(clock->slew[i]))
      return true;
  return false;
}

static void latency_row(Grid *grid, const Sheet *sheet, const Clock *clock, const char *what,
                        const float *v)
{
  bool any = false;
  for (int i = 0; i < CONDITION_COUNT; i++) any |= !isnan(v[i]);
  if (!any) return;
  cell_name(grid, sheet, clock->name);
  grid_text(grid, what);
  for (int i = 0; i < CONDITION_COUNT; i++) cell_time(grid, sheet, v[sheet_conditions[i]]);
}

static void report_latencies_given(const Sheet *sheet, ClockList l)
{
  bool any = false;
  ClockList again = l;
  for (ClockId id; (id = next_clock(&again)) != NO_CLOCK;) any |= has_latency(clock_at(sheet, id));
  if (!any) return;
  Grid *grid = grid_new("llrrrr", 0);
  grid_row(grid, "clock|given|" HEAD4);
  for (ClockId id; (id = next_clock(&l)) != NO_CLOCK;) {
    const Clock *clock = clock_at(sheet, id);
    float source[CONDITION_COUNT];
    for (int i = 0; i < CONDITION_COUNT; i++) source[i] = clock->source_latency[i >> 1][i];
    latency_row(grid, sheet, clock, "source latency", source);
    latency_row(grid, sheet, clock, "network latency", clock->network_latency);
    latency_row(grid, sheet, clock, "transition", clock->slew);
  }
  text_char(sheet->out, '\n');
  grid_finish(grid, sheet->out);
}

static const char *edges_text(unsigned mask)
{
  return mask == EDGE_RISE ? " rise" : mask == EDGE_FALL ? " fall" : "";
}

static void report_uncertainties(const Sheet *sheet, ClockList l)
{
  Grid *grid = grid_new("llrr", 0);
  grid_row(grid, "uncertainty from|to|setup|hold");
  for (ClockId id; (id = next_clock(&l)) != NO_CLOCK;) {
    const Clock *clock = clock_at(sheet, id);
    if (!isnan(clock->uncertainty[SETUP]) || !isnan(clock->uncertainty[HOLD])) {
      grid_text(grid, "*");
      cell_name(grid, sheet, clock->name);
      cell_time(grid, sheet, clock->uncertainty[SETUP]);
      cell_time(grid, sheet, clock->uncertainty[HOLD]);
    }
    for (uint32_t i = 0; i < sheet->constraints->inter_uncertainties.len; i++) {
      const InterUncertainty *uncertainty = &sheet->constraints->inter_uncertainties.at[i];
      if (uncertainty->to != id) continue;
      grid_printf(grid, "%s%s",
                  names_text(sheet->netlist->names, clock_at(sheet, uncertainty->from)->name),
                  edges_text(uncertainty->from_edges));
      grid_printf(grid, "%s%s", names_text(sheet->netlist->names, clock->name),
                  edges_text(uncertainty->to_edges));
      cell_time(grid, sheet, uncertainty->value[SETUP]);
      cell_time(grid, sheet, uncertainty->value[HOLD]);
    }
  }
  if (grid_rows(grid)) {
    text_char(sheet->out, '\n');
    grid_write(grid, sheet->out);
  }
  grid_free(grid);
}

static void add_making(const Sheet *sheet, Text *text, const Clock *clock)
{
  if (clock->divide_by) text_printf(text, "divided by %d", clock->divide_by);
  if (clock->multiply_by) text_printf(text, "multiplied by %d", clock->multiply_by);
  if (clock->edges.len) text_put(text, "edges");
  for (uint32_t i = 0; i < clock->edges.len; i++) text_printf(text, " %d", clock->edges.at[i]);
  for (uint32_t i = 0; i < clock->edge_shift.len; i++) {
    text_put(text, i ? " " : " shifted by ");
    sheet_unit(sheet, text, UNIT_TIME, clock->edge_shift.at[i]);
  }
  if (!isnan(clock->duty_cycle)) text_printf(text, " duty cycle %g%%", clock->duty_cycle);
  if (clock->invert) text_put(text, " inverted");
  if (clock->combinational) text_put(text, " combinational");
}

static void report_generated(const Sheet *sheet, ClockList l)
{
  Grid *grid = grid_new("llll", 0);
  grid_row(grid, "generated clock|master|from pin|made by");
  for (ClockId id; (id = next_clock(&l)) != NO_CLOCK;) {
    const Clock *clock = clock_at(sheet, id);
    if (!clock->generated) continue;
    cell_name(grid, sheet, clock->name);
    ClockId master = clock->derived_master != NO_CLOCK ? clock->derived_master : clock->master;
    grid_text(grid, master == NO_CLOCK
                        ? "-"
                        : names_text(sheet->netlist->names, clock_at(sheet, master)->name));
    cell_pin(grid, sheet, clock->master_pin);
    add_making(sheet, grid_open(grid), clock);
    grid_close(grid);
  }
  if (grid_rows(grid)) {
    text_char(sheet->out, '\n');
    grid_write(grid, sheet->out);
  }
  grid_free(grid);
}

void report_clocks(const Sheet *sheet, const Object *clocks, uint32_t count)
{
  ClockList l = clock_list(sheet, clocks, count);
  report_waveforms(sheet, l);
  report_latencies_given(sheet, l);
  report_uncertainties(sheet, l);
  report_generated(sheet, l);
}

/* --- latency, skew, period as computed -------------------------------------------------------- */
void report_clock_latencies(const Sheet *sheet, const Timing *t, const Object *clocks,
                            uint32_t count, bool as_propagated)
{
  ClockList l = clock_list(sheet, clocks, count);
  Grid *grid = grid_new("lrlrll", 0);
  grid_row(grid, "clock|registers||latency|pin|edge");
  for (ClockId id; (id = next_clock(&l)) != NO_CLOCK;) {
    LatencyRange r = query_latency_range(t, id, as_propagated);
    for (int el = EARLY; el <= LATE; el++) {
      grid_text(grid,
                el == EARLY ? names_text(sheet->netlist->names, clock_at(sheet, id)->name) : "");
      if (el == EARLY) grid_printf(grid, "%u", r.count);
      else grid_text(grid, "");
      grid_text(grid, el == EARLY ? "shortest" : "longest");
      cell_time(grid, sheet, r.slot[el] == NO_SLOT ? NAN : r.latency[el]);
      cell_pin(grid, sheet, r.slot[el] == NO_SLOT ? NO_PIN : t->g->slots.pin[r.slot[el]]);
      grid_text(grid, r.slot[el] == NO_SLOT ? "" : edge_name(r.edge[el]));
    }
  }
  grid_finish(grid, sheet->out);
}

static void skew_rows(Grid *grid, const Sheet *sheet, const Timing *t, ClockId id,
                      const SkewReport *report)
{
  int check = report->check;
  ClockSkew k = query_clock_skew(t, id, check, report->as_propagated);
  const char *name = names_text(sheet->netlist->names, clock_at(sheet, id)->name);
  if (!k.found) {
    grid_text(grid, name);
    grid_row(grid, "no path between registers|||-");
    return;
  }
  grid_text(grid, name);
  grid_text(grid, check == SETUP ? "launch, late" : "launch, early");
  cell_pin(grid, sheet, t->g->slots.pin[k.launch]);
  grid_text(grid, edge_name(k.launch_edge));
  cell_time(grid, sheet, k.launch_latency);
  grid_text(grid, "");
  grid_text(grid, check == SETUP ? "capture, early" : "capture, late");
  cell_pin(grid, sheet, t->g->slots.pin[k.capture]);
  grid_text(grid, edge_name(k.capture_edge));
  cell_time(grid, sheet, -k.capture_latency);
  if (k.uncertainty != 0) {
    grid_row(grid, "|clock uncertainty||");
    cell_time(grid, sheet, k.uncertainty);
  }
  grid_text(grid, "");
  grid_text(grid, check == SETUP ? "setup skew" : "hold skew");
  grid_row(grid, "|");
  cell_time(grid, sheet, k.skew);
}

void report_clock_skews(const Sheet *sheet, const Timing *t, const Object *clocks, uint32_t count,
                        const SkewReport *report)
{
  ClockList l = clock_list(sheet, clocks, count);
  Grid *grid = grid_new("llllr", 0);
  grid_row(grid, "clock|latency of|pin|edge|time");
  for (ClockId id; (id = next_clock(&l)) != NO_CLOCK;)
    if (clock_at(sheet, id)->sources.len) skew_rows(grid, sheet, t, id, report);
  grid_finish(grid, sheet->out);
}

#define LEAST_TOLD 1e-3        /* ps: less is rounding */

/* Frequencies in MHz, whatever the unit of time. */
void report_min_periods(const Sheet *sheet, const Timing *t, const Object *clocks, uint32_t count,
                        bool with_ports, LateEnds *late)
{
  ClockList l = clock_list(sheet, clocks, count);
  Grid *grid = grid_new("lrrrl", 0);
  grid_row(grid, "clock|period|least period|MHz|end point");
  for (ClockId id; (id = next_clock(&l)) != NO_CLOCK;) {
    const Clock *clock = clock_at(sheet, id);
    if (clock->sources.len == 0) continue;
    MinPeriod m = query_min_period(t, id, with_ports);
    if (m.fixed < -LEAST_TOLD) array_push(late, (LateEnd){ id, m.fixed_pin, m.fixed });
    cell_name(grid, sheet, clock->name);
    cell_time(grid, sheet, clock->period);
    cell_time(grid, sheet, m.period);
    if (m.period > 0) grid_printf(grid, "%.*f", sheet->digits, 1e6 / m.period);
    else grid_text(grid, "-");
    cell_pin(grid, sheet, m.pin);
  }
  grid_finish(grid, sheet->out);
}
