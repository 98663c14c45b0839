/* Writes report_net and report_delay_calculation. */
#include "report/delays.h"

#include <math.h>

#include "base/interrupt.h"
#include "timing/derived.h"
#include "timing/sigma.h"
#include "query/delay_calc.h"
#include "query/model_view.h"

static const char *const analysis_names[] = { "early", "late" };

/* --- nets ------------------------------------------------------------------------------------- */
static void master_cell(Grid *grid, const Sheet *sheet, PinId p)
{
  if (pin_is_top_port(sheet->netlist, p)) grid_text(grid, "port");
  else
    cell_name(grid, sheet,
              netlist_inst_master_name(sheet->netlist, sheet->netlist->pins.at[p].inst));
}

static void res_row(Grid *grid, const Sheet *sheet, const Cond4 *conditions)
{
  for (int i = 0; i < CONDITION_COUNT; i++)
    cell_res(grid, sheet, conditions->v[sheet_conditions[i]]);
}

static void small_time_row(Grid *grid, const Sheet *sheet, const Cond4 *conditions)
{
  for (int i = 0; i < CONDITION_COUNT; i++)
    cell_small_time(grid, sheet, conditions->v[sheet_conditions[i]]);
}

/* The rest of the load.  A very small rest is rounding. */
static float rest_of(float load, float pins, float own)
{
  float rest = load - pins - own;
  return fabsf(rest) < 1e-6f * fabsf(load) ? 0 : rest;
}

static void driver_table(const Sheet *sheet, const Timing *t, Slot driver)
{
  uint32_t d = graph_driver_index(t->g, driver);
  Cond4 pins = timing_other_pins(t, driver, 0), own = timing_own_cap_seen(t, driver), wire;
  for (int k = 0; k < CONDITION_COUNT; k++)
    wire.v[k] = rest_of(t->nets.load_cap[d].v[k], pins.v[k], own.v[k]);
  text_put(sheet->out, "  driver ");
  sheet_pin(sheet, sheet->out, t->g->slots.pin[driver]);
  text_char(sheet->out, '\n');
  Grid *grid = grid_new("lrrrr", 4);
  grid_row(grid, "|" HEAD4);
  grid_text(grid, "capacitance of other pins");
  cells_cap4(grid, sheet, &pins);
  grid_text(grid, "of the driver's pin");
  cells_cap4(grid, sheet, &own);
  grid_text(grid, "of wires");
  cells_cap4(grid, sheet, &wire);
  grid_text(grid, "seen by the driver");
  cells_cap4(grid, sheet, &t->nets.load_cap[d]);
  if (t->nets.pi_far && t->nets.has_rc[d]) {
    grid_text(grid, "pi model: near");
    cells_cap4(grid, sheet, &t->nets.pi_near[d]);
    grid_text(grid, "  resistance");
    res_row(grid, sheet, &t->nets.pi_r[d]);
    grid_text(grid, "  far");
    cells_cap4(grid, sheet, &t->nets.pi_far[d]);
  }
  grid_text(grid, "slew");
  cells_time4(grid, sheet, &t->slew[driver]);
  grid_finish(grid, sheet->out);
}

typedef struct {
  const Cond4 *elmore, *impulse_sq, *delay;      /* impulse_sq: NULL where the model has none */
  uint32_t extra;                /* NO_EXTRA: the load's own wire */
} WirePlace;

/* The place of the numbers of the wire between a driver and a load. */
static bool wire_place(const Timing *t, Slot driver, Slot load, WirePlace *place)
{
  const Graph *g = t->g;
  uint32_t from, to, i = graph_load_index(g, load);
  if (g->nets.wire_driver[load] == driver) {
    *place = (WirePlace){ &t->wires.elmore[i], t->wires.impulse_sq ? &t->wires.impulse_sq[i] : NULL,
                          &t->wires.delay[i], NO_EXTRA };
    return true;
  }
  graph_extra_wires(g, load, &from, &to);
  for (uint32_t k = from; k < to; k++)
    if (g->nets.extra_wires.at[k].driver == driver) {
      *place =
          (WirePlace){ &t->extra.elmore[k], t->extra.impulse_sq ? &t->extra.impulse_sq[k] : NULL,
                       &t->extra.delay[k], k };
      return true;
    }
  return false;
}

static void load_rows(Grid *grid, const Sheet *sheet, const Timing *t, Slot driver, Slot load)
{
  WirePlace w;
  if (!wire_place(t, driver, load, &w)) return;
  Cond4 cap = timing_pin_cap(t, load);
  PinId p = t->g->slots.pin[load];
  cell_pin(grid, sheet, p);
  master_cell(grid, sheet, p);
  grid_text(grid, "capacitance");
  cells_cap4(grid, sheet, &cap);
  grid_row(grid, "||Elmore");
  small_time_row(grid, sheet, w.elmore);
  grid_row(grid, "||delay");
  small_time_row(grid, sheet, w.delay);
  grid_row(grid, "||slew");
  cells_time4(grid, sheet, &t->slew[load]);
}

static void load_table(const Sheet *sheet, const Timing *t, Slot driver, NetId net)
{
  Grid *grid = grid_new("lllrrrr", 4);
  grid_row(grid, "load|cell||" HEAD4);
  NetPins it = net_pins(sheet->netlist, net, false);
  for (PinId p; (p = net_pins_next(&it)) != NO_PIN;) {
    Slot load = t->g->slots.of_pin[p];
    if (load != NO_SLOT && !slot_is_driver(t->g, load)) load_rows(grid, sheet, t, driver, load);
  }
  grid_finish(grid, sheet->out);
}

static void report_net(const Sheet *sheet, const Timing *t, SegId seg)
{
  NetId net = sheet->netlist->segs.at[seg].net;
  uint32_t drivers = 0, loads = 0, flags = sheet->netlist->nets.at[net].flags;
  NetPins it = net_pins(sheet->netlist, net, false);
  for (PinId p; (p = net_pins_next(&it)) != NO_PIN;) {
    drivers += netlist_pin_drives(sheet->netlist, p);
    loads += netlist_pin_loads(sheet->netlist, p);
  }
  text_put(sheet->out, "net ");
  netlist_seg_name(sheet->netlist, seg, sheet->separator, sheet->out);
  text_printf(sheet->out, ": %u driver%s, %u load%s%s\n", drivers, drivers == 1 ? "" : "s", loads,
              loads == 1 ? "" : "s",
              flags & (NET_CONSTANT_ONE | NET_POWER)     ? ", constant 1"
              : flags & (NET_CONSTANT_ZERO | NET_GROUND) ? ", constant 0"
                                                         : "");
  it = net_pins(sheet->netlist, net, false);
  for (PinId p; (p = net_pins_next(&it)) != NO_PIN;) {
    Slot driver = graph_slot(t->g, p, true);
    if (driver == NO_SLOT || !slot_is_driver(t->g, driver)) continue;
    driver_table(sheet, t, driver);
    load_table(sheet, t, driver, net);
  }
}

void report_nets(const Sheet *sheet, const Timing *t, const Object *nets, uint32_t count)
{
  for (uint32_t i = 0; i < count && !interrupt_seen(); i++) report_net(sheet, t, nets[i].id);
}

static bool has_rc(const Timing *t, Slot driver)
{
  return t->nets.has_rc[graph_driver_index(t->g, driver)];
}

/* --- one arc ---------------------------------------------------------------------------------- */
static void value_line(const Sheet *sheet, const char *what, UnitKind kind, double value)
{
  text_printf(sheet->out, "    %-22s", what);
  sheet_unit(sheet, sheet->out, kind, value);
  text_char(sheet->out, '\n');
}

/* The table's four values around the point; axes in the user's units. */
static void corner_table(const Sheet *sheet, const char *what, TableId id, TableView v,
                         const ArcCalc *calc)
{
  if (id == NO_TABLE) return;
  TableCorners k = query_table_corners(v, calc->input_slew, calc->steps.edge.load);
  if (k.x[0] == k.x[1] && k.y[0] == k.y[1]) {
    text_printf(sheet->out, "    %s table has one value\n", what);
    value_line(sheet, "  value", UNIT_TIME, k.result);
    return;
  }
  text_printf(sheet->out, "    %s table%s%s\n", what, k.outside_x ? ", beyond its slews" : "",
              k.outside_y ? ", beyond its loads" : "");
  Grid *grid = grid_new("rrr", 6);
  grid_text(grid, "slew \\ load");
  cell_cap(grid, sheet, k.y[0]);
  cell_cap(grid, sheet, k.y[1]);
  for (int i = 0; i < 2; i++) {
    cell_time(grid, sheet, k.x[i]);
    cell_time(grid, sheet, k.value[i][0]);
    cell_time(grid, sheet, k.value[i][1]);
  }
  grid_finish(grid, sheet->out);
  value_line(sheet, "  value", UNIT_TIME, k.result);
}

/* A model of DELAY_BY_THRESHOLD: each level of the waveform has an effective capacitance, and a
   time at which the output crosses it. */
static const char *threshold_name(int level)
{
  return level == CS_LOW ? "lower" : level == CS_DELAY ? "delay" : level == CS_HIGH ? "upper" : "-";
}

static void level_table(const Sheet *sheet, const Timing *t, const ArcCalc *calc)
{
  SourceCalc r = query_source_calc(t, calc);
  text_printf(sheet->out, "    %-22s%.4f\n", "shape s", (double)r.bend);
  Grid *grid = grid_new("rlrrr", 4);
  grid_row(grid, "level|threshold|y|effective capacitance|crossed at");
  for (int k = 0; k < CS_LEVELS; k++) {
    grid_printf(grid, "%.4f", (double)r.levels.v[k]);
    grid_text(grid, threshold_name(k));
    grid_printf(grid, "%.4f", (double)cs_y(&r.levels, r.bend, k));
    if (k == 0) grid_text(grid, "-");
    else cell_cap(grid, sheet, r.solution.c[k]);
    cell_time(grid, sheet, cs_level_time(&r.solution, k));
  }
  grid_finish(grid, sheet->out);
}

static void load_lines(const Sheet *sheet, const Timing *t, const ArcCalc *calc)
{
  const StageSteps *steps = &calc->steps;
  const DriverSolution *solution = &steps->edge.solution;
  if (!steps->edge.waves) {
    value_line(sheet, "load", UNIT_CAPACITANCE, steps->load);
    return;
  }
  value_line(sheet, "pi model: near", UNIT_CAPACITANCE, steps->net.c_near);
  value_line(sheet, "  resistance", UNIT_RESISTANCE, steps->net.r_pi);
  value_line(sheet, "  far", UNIT_CAPACITANCE, steps->net.c_far);
  if (delay_has(t->delay_model, DELAY_BY_THRESHOLD)) {
    level_table(sheet, t, calc);
    return;
  }
  if (solution->lumped) {
    text_put(sheet->out, "    as good as one capacitor\n");
    return;
  }
  value_line(sheet, "driver resistance", UNIT_RESISTANCE, solution->rd);
  if (!shape_has_wave(&solution->shape)) {
    text_put(sheet->out, "    no ramp fits the tables: total capacitance\n");
    return;
  }
  value_line(sheet, "effective capacitance", UNIT_CAPACITANCE, solution->ceff);
  value_line(sheet, "ramp starts", UNIT_TIME, solution->t0);
  value_line(sheet, "ramp lasts", UNIT_TIME, solution->shape.dt);
}

static void derate_line(const Sheet *sheet, const Timing *t, const uint32_t *index, uint32_t at,
                        int condition)
{
  float data = timing_derate(t, index, at, false, condition),
        clock = timing_derate(t, index, at, true, condition);
  if (data != 1.0f || clock != 1.0f)
    text_printf(sheet->out, "    derate                data %.4f, clock %.4f\n", data, clock);
}

/* On data and on clock paths, where they differ; nothing where sigma does not count. */
static void sigma_lines(const Sheet *sheet, double data, double clock)
{
  value_line(sheet, data == clock ? "sigma" : "sigma on data paths", UNIT_TIME, data);
  if (data != clock) value_line(sheet, "sigma on clock paths", UNIT_TIME, clock);
}

static bool edge_is_annotated(const Timing *t, ArcId arc, uint32_t edge, int el)
{
  bool latch = t->g->arcs.flags[arc] & ARC_LATCH;
  if (t->overrides == NULL) return false;
  return overrides_find(latch ? &t->overrides->latches : &t->overrides->edges,
                        latch ? 0 : graph_driver_index(t->g, t->g->arcs.to[arc]),
                        2 * edge + (uint32_t)el)
         != NULL;
}

/* The edge under each delay model, from the same input slew. */
static void edge_by_models(const Sheet *sheet, const ModelViews *views, const ArcCalc *calc)
{
  Grid *grid = grid_new("lrrr", 4);
  grid_row(grid, "model|load|delay|slew");
  for (int m = 0; m < DELAY_MODEL_COUNT; m++) {
    ArcCalc other;
    if (!query_arc_calc(views->of[m], calc->arc, calc->edge, calc->early_late, &other)) continue;
    grid_text(grid, delay_model_name(m));
    cell_cap(grid, sheet, other.steps.edge.load);
    cell_time(grid, sheet, other.steps.edge.delay);
    cell_time(grid, sheet, other.steps.edge.slew);
  }
  grid_finish(grid, sheet->out);
}

static void arc_edge(const Sheet *sheet, const Timing *t, const ModelViews *views, ArcId arc,
                     uint32_t edge, int el)
{
  ArcCalc a;
  if (!query_arc_calc(t, arc, edge, el, &a)) return;
  bool off = arc_on(t->g, arc) && !(t->g->arcs.live[arc] >> (2 * a.pair.in + a.pair.out) & 1);
  text_printf(sheet->out, "  %s to %s, %s%s\n", edge_name(a.pair.in), edge_name(a.pair.out),
              analysis_names[el], off ? " (off)" : "");
  value_line(sheet, "input slew", UNIT_TIME, a.input_slew);
  load_lines(sheet, t, &a);
  corner_table(sheet, "delay", a.delay_table, a.steps.delay_table, &a);
  corner_table(sheet, "slew", a.slew_table, a.steps.slew_table, &a);
  bool annotated = edge_is_annotated(t, arc, edge, el);
  if (annotated) value_line(sheet, "computed delay", UNIT_TIME, a.steps.edge.delay);
  value_line(sheet, annotated ? "annotated delay" : "delay", UNIT_TIME, t->edge_delay[edge].v[el]);
  value_line(sheet, "slew at the output", UNIT_TIME, a.steps.edge.slew);
  if (has_rc(t, t->g->arcs.to[arc])) edge_by_models(sheet, views, &a);
  int k = condition_of(el, a.pair.out);
  derate_line(sheet, t, t->derates.arc, arc, k);
  if (t->sigma.arrival_variance)
    sigma_lines(sheet, sqrt(timing_edge_variance(t, arc, edge, false, k)),
                sqrt(timing_edge_variance(t, arc, edge, true, k)));
}

static void condition_text(const Sheet *sheet, const LibArc *lib)
{
  if (lib->when == NO_FUNCTION) return;
  text_put(sheet->out, " when ");
  library_function_text(sheet->libs, lib->when, sheet->out);
}

static void arc_title(const Sheet *sheet, const Graph *g, ArcId a)
{
  const LibArc *lib = &g->libs->arcs.at[g->arcs.lib[a]];
  const LibCell *cell = &g->libs->cells.at[g->libs->ports.at[lib->to].cell];
  sheet_pin(sheet, sheet->out, g->slots.pin[g->arcs.from[a]]);
  text_put(sheet->out, " -> ");
  sheet_pin(sheet, sheet->out, g->slots.pin[g->arcs.to[a]]);
  text_printf(sheet->out, ": %s of %s", sheet_arc_type((ArcType)lib->type),
              names_text(sheet->netlist->names, cell->name));
  condition_text(sheet, lib);
  text_put(sheet->out, arc_on(g, a) ? "\n" : " (off)\n");
}

static void arc_report(const Sheet *sheet, const Timing *t, ArcId a, unsigned analyses)
{
  ModelViews views = model_views_new(t, t->g->arcs.to[a]);
  arc_title(sheet, t->g, a);
  for (uint32_t e = t->g->arcs.edge_first[a]; e < t->g->arcs.edge_first[a + 1]; e++)
    for (int el = EARLY; el <= LATE; el++)
      if (analyses >> el & 1) arc_edge(sheet, t, &views, a, e, el);
  model_views_free(&views);
}

/* --- one wire --------------------------------------------------------------------------------- */
static void wire_row(Grid *grid, const Sheet *sheet, const Timing *view, const ArcCalc *calc,
                     StageLoad load, int k)
{
  StageWire w = stage_wire(view, &calc->steps.edge, load, k);
  cell_pin(grid, sheet, view->g->slots.pin[view->g->arcs.from[calc->arc]]);
  grid_printf(grid, "%s %s", edge_name(calc->pair.in), edge_name(calc->pair.out));
  grid_text(grid, delay_model_name((int)view->delay_model));
  cell_time(grid, sheet, calc->steps.edge.slew);
  cell_time(grid, sheet, w.delay);
  cell_time(grid, sheet, w.slew);
}

/* Which driver arc's waveform a load's delay comes from is the worst one's: each is shown, under
   each delay model. */
static void wire_from_arcs(const Sheet *sheet, const Timing *t, const ModelViews *views,
                           StageLoad load, int k)
{
  Slot driver = load.driver;
  const Graph *g = t->g;
  if (g->slots.flags[driver] & SLOT_PORT || !has_rc(t, driver)) return;
  Grid *grid = grid_new("lllrrr", 6);
  grid_row(grid, "driven by|edges|model|driver slew|delay|slew");
  for (ArcId a = g->arcs.first[driver]; a < g->arcs.first[driver + 1]; a++)
    for (uint32_t e = g->arcs.edge_first[a]; e < g->arcs.edge_first[a + 1] && arc_on(g, a); e++)
      for (int m = 0; m < DELAY_MODEL_COUNT; m++) {
        ArcCalc calc;
        if (query_arc_calc(views->of[m], a, e, k >> 1, &calc) && calc.pair.out == (k & 1))
          wire_row(grid, sheet, views->of[m], &calc, load, k);
      }
  if (grid_rows(grid)) grid_write(grid, sheet->out);
  grid_free(grid);
}

/* Of current_source: one pole with the mean and the variance of the wire's response. */
static void response_lines(const Sheet *sheet, float elmore, float impulse_sq)
{
  CsWire w = cs_wire(elmore, impulse_sq);
  value_line(sheet, "response: deviation", UNIT_TIME, sqrt(impulse_sq > 0 ? impulse_sq : 0));
  value_line(sheet, "  pole", UNIT_TIME, w.tau);
  if (w.part < 1) text_printf(sheet->out, "    %-22s%.4f\n", "  part behind it", (double)w.part);
  else value_line(sheet, "  behind a delay of", UNIT_TIME, w.shift);
}

static bool wire_is_annotated(const Timing *t, Slot driver, Slot load, int condition)
{
  if (t->overrides == NULL || t->g->nets.wire_driver[load] != driver) return false;
  return overrides_find(&t->overrides->wires, graph_driver_index(t->g, driver),
                        4 * graph_load_index(t->g, load) + (uint32_t)condition)
         != NULL;
}

static void wire_report(const Sheet *sheet, const Timing *t, Slot driver, Slot load,
                        unsigned analyses)
{
  WirePlace w;
  if (!wire_place(t, driver, load, &w)) return;
  ModelViews views = model_views_new(t, driver);
  sheet_pin(sheet, sheet->out, t->g->slots.pin[driver]);
  text_put(sheet->out, " -> ");
  sheet_pin(sheet, sheet->out, t->g->slots.pin[load]);
  text_put(sheet->out, ": wire\n");
  for (int el = EARLY; el <= LATE; el++)
    for (int edge = RISE; edge <= FALL; edge++) {
      int k = condition_of(el, edge);
      if (!(analyses >> el & 1)) continue;
      text_printf(sheet->out, "  %s, %s\n", edge_name(edge), analysis_names[el]);
      value_line(sheet, "Elmore constant", UNIT_TIME, w.elmore->v[k]);
      if (delay_has(t->delay_model, DELAY_BY_THRESHOLD) && has_rc(t, driver))
        response_lines(sheet, w.elmore->v[k], w.impulse_sq->v[k]);
      value_line(sheet, "slew at the driver", UNIT_TIME, t->slew[driver].v[k]);
      wire_from_arcs(sheet, t, &views, (StageLoad){ driver, load, w.extra }, k);
      value_line(sheet, wire_is_annotated(t, driver, load, k) ? "annotated delay" : "delay",
                 UNIT_TIME, w.delay->v[k]);
      value_line(sheet, "slew at the load", UNIT_TIME, t->slew[load].v[k]);
      uint32_t wire = graph_load_index(t->g, load);
      derate_line(sheet, t, t->derates.wire, wire, k);
      if (t->sigma.arrival_variance)
        sigma_lines(sheet, sqrt(timing_wire_variance(t, wire, w.delay->v[k], false, k)),
                    sqrt(timing_wire_variance(t, wire, w.delay->v[k], true, k)));
    }
  model_views_free(&views);
}

/* --- one check -------------------------------------------------------------------------------- */
static bool check_reports(const Sheet *sheet, const Timing *t, PinId from, PinId to,
                          unsigned analyses)
{
  const Graph *g = t->g;
  Slot clock = graph_slot(g, from, false), data = graph_slot(g, to, false);
  bool any = false;
  if (clock == NO_SLOT || data == NO_SLOT) return false;
  for (uint32_t i = g->ends.first_check[data]; i < g->ends.first_check[data + 1]; i++) {
    const Check *check = &g->ends.checks.at[g->ends.check_order[i]];
    if (check->clock != clock || check->lib == NO_LIB_ARC) continue;
    any = true;
    sheet_pin(sheet, sheet->out, from);
    text_put(sheet->out, " -> ");
    sheet_pin(sheet, sheet->out, to);
    text_printf(sheet->out, ": %s check", sheet_arc_type((ArcType)check->type));
    condition_text(sheet, &g->libs->arcs.at[check->lib]);
    text_put(sheet->out, check->off ? " (off)\n" : "\n");
    Grid *table = grid_new("llrrr", 4);
    grid_row(table, "edge|analysis|clock slew|data slew|margin");
    for (int edge = RISE; edge <= FALL; edge++)
      for (int el = EARLY; el <= LATE; el++) {
        float margin;
        if (!(analyses >> el & 1) || check->off_edges >> edge & 1
            || !timing_check_margin(t, check, edge, el, &margin))
          continue;
        grid_text(table, edge_name(edge));
        grid_text(table, analysis_names[el]);
        cell_time(table, sheet,
                  timing_input_slew(t, clock, true, condition_of(!el, check->clock_edge & 1)));
        cell_time(table, sheet, t->slew[data].v[condition_of(el, edge)]);
        cell_time(table, sheet, margin);
      }
    grid_finish(table, sheet->out);
  }
  return any;
}

bool report_delay_calculation(const Sheet *sheet, const Timing *t, PinId from, PinId to,
                              unsigned analyses)
{
  const Graph *g = t->g;
  Slot start = graph_slot(g, from, false), driver = graph_slot(g, from, true),
       end = graph_slot(g, to, true), load = graph_slot(g, to, false);
  bool any = false;
  if (end != NO_SLOT && start != NO_SLOT)
    for (ArcId a = g->arcs.first[end]; a < g->arcs.first[end + 1]; a++) {
      if (g->arcs.from[a] != start) continue;
      arc_report(sheet, t, a, analyses);
      any = true;
    }
  WirePlace w;
  if (driver != NO_SLOT && slot_is_driver(g, driver) && load != NO_SLOT && !slot_is_driver(g, load)
      && wire_place(t, driver, load, &w)) {
    wire_report(sheet, t, driver, load, analyses);
    any = true;
  }
  return check_reports(sheet, t, from, to, analyses) || any;
}
