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
static void master_cell(Grid *c, const Sheet *s, PinId p)
{
  if (pin_is_top_port(s->netlist, p)) grid_text(c, "port");
  else cell_name(c, s, netlist_inst_master_name(s->netlist, s->netlist->pins.at[p].inst));
}

static void res_row(Grid *c, const Sheet *s, const Cond4 *v)
{
  for (int i = 0; i < CONDITION_COUNT; i++) cell_res(c, s, v->v[sheet_conditions[i]]);
}

static void small_time_row(Grid *c, const Sheet *s, const Cond4 *v)
{
  for (int i = 0; i < CONDITION_COUNT; i++) cell_small_time(c, s, v->v[sheet_conditions[i]]);
}

/* The rest of the load.  A very small rest is rounding. */
static float rest_of(float load, float pins, float own)
{
  float rest = load - pins - own;
  return fabsf(rest) < 1e-6f * fabsf(load) ? 0 : rest;
}

static void driver_table(const Sheet *s, const Timing *t, Slot driver)
{
  uint32_t d = graph_driver_index(t->g, driver);
  Cond4 pins = timing_other_pins(t, driver, 0), own = timing_own_cap_seen(t, driver), wire;
  for (int k = 0; k < CONDITION_COUNT; k++)
    wire.v[k] = rest_of(t->nets.load_cap[d].v[k], pins.v[k], own.v[k]);
  text_put(s->out, "  driver ");
  sheet_pin(s, s->out, t->g->slots.pin[driver]);
  text_char(s->out, '\n');
  Grid *c = grid_new("lrrrr", 4);
  grid_row(c, "|" HEAD4);
  grid_text(c, "capacitance of other pins");
  cells_cap4(c, s, &pins);
  grid_text(c, "of the driver's pin");
  cells_cap4(c, s, &own);
  grid_text(c, "of wires");
  cells_cap4(c, s, &wire);
  grid_text(c, "seen by the driver");
  cells_cap4(c, s, &t->nets.load_cap[d]);
  if (t->nets.pi_far && t->nets.has_rc[d]) {
    grid_text(c, "pi model: near");
    cells_cap4(c, s, &t->nets.pi_near[d]);
    grid_text(c, "  resistance");
    res_row(c, s, &t->nets.pi_r[d]);
    grid_text(c, "  far");
    cells_cap4(c, s, &t->nets.pi_far[d]);
  }
  grid_text(c, "slew");
  cells_time4(c, s, &t->slew[driver]);
  grid_finish(c, s->out);
}

typedef struct {
  const Cond4 *elmore, *impulse_sq, *delay;      /* impulse_sq: NULL where the model has none */
  uint32_t extra;                /* NO_EXTRA: the load's own wire */
} WirePlace;

/* The place of the numbers of the wire between a driver and a load. */
static bool wire_place(const Timing *t, Slot driver, Slot load, WirePlace *w)
{
  const Graph *g = t->g;
  uint32_t from, to, i = graph_load_index(g, load);
  if (g->nets.wire_driver[load] == driver) {
    *w = (WirePlace){ &t->wires.elmore[i], t->wires.impulse_sq ? &t->wires.impulse_sq[i] : NULL,
                      &t->wires.delay[i], NO_EXTRA };
    return true;
  }
  graph_extra_wires(g, load, &from, &to);
  for (uint32_t k = from; k < to; k++)
    if (g->nets.extra_wires.at[k].driver == driver) {
      *w = (WirePlace){ &t->extra.elmore[k], t->extra.impulse_sq ? &t->extra.impulse_sq[k] : NULL,
                        &t->extra.delay[k], k };
      return true;
    }
  return false;
}

static void load_rows(Grid *c, const Sheet *s, const Timing *t, Slot driver, Slot load)
{
  WirePlace w;
  if (!wire_place(t, driver, load, &w)) return;
  Cond4 cap = timing_pin_cap(t, load);
  PinId p = t->g->slots.pin[load];
  cell_pin(c, s, p);
  master_cell(c, s, p);
  grid_text(c, "capacitance");
  cells_cap4(c, s, &cap);
  grid_row(c, "||Elmore");
  small_time_row(c, s, w.elmore);
  grid_row(c, "||delay");
  small_time_row(c, s, w.delay);
  grid_row(c, "||slew");
  cells_time4(c, s, &t->slew[load]);
}

static void load_table(const Sheet *s, const Timing *t, Slot driver, NetId net)
{
  Grid *c = grid_new("lllrrrr", 4);
  grid_row(c, "load|cell||" HEAD4);
  NetPins it = net_pins(s->netlist, net, false);
  for (PinId p; (p = net_pins_next(&it)) != NO_PIN;) {
    Slot load = t->g->slots.of_pin[p];
    if (load != NO_SLOT && !slot_is_driver(t->g, load)) load_rows(c, s, t, driver, load);
  }
  grid_finish(c, s->out);
}

static void report_net(const Sheet *s, const Timing *t, SegId seg)
{
  NetId net = s->netlist->segs.at[seg].net;
  uint32_t drivers = 0, loads = 0, flags = s->netlist->nets.at[net].flags;
  NetPins it = net_pins(s->netlist, net, false);
  for (PinId p; (p = net_pins_next(&it)) != NO_PIN;) {
    drivers += netlist_pin_drives(s->netlist, p);
    loads += netlist_pin_loads(s->netlist, p);
  }
  text_put(s->out, "net ");
  netlist_seg_name(s->netlist, seg, s->separator, s->out);
  text_printf(s->out, ": %u driver%s, %u load%s%s\n", drivers, drivers == 1 ? "" : "s", loads,
              loads == 1 ? "" : "s",
              flags & (NET_CONSTANT_ONE | NET_POWER)     ? ", constant 1"
              : flags & (NET_CONSTANT_ZERO | NET_GROUND) ? ", constant 0"
                                                         : "");
  it = net_pins(s->netlist, net, false);
  for (PinId p; (p = net_pins_next(&it)) != NO_PIN;) {
    Slot driver = graph_slot(t->g, p, true);
    if (driver == NO_SLOT || !slot_is_driver(t->g, driver)) continue;
    driver_table(s, t, driver);
    load_table(s, t, driver, net);
  }
}

void report_nets(const Sheet *s, const Timing *t, const Object *nets, uint32_t count)
{
  for (uint32_t i = 0; i < count && !interrupt_seen(); i++) report_net(s, t, nets[i].id);
}

static bool has_rc(const Timing *t, Slot driver)
{
  return t->nets.has_rc[graph_driver_index(t->g, driver)];
}

/* --- one arc ---------------------------------------------------------------------------------- */
static void value_line(const Sheet *s, const char *what, UnitKind kind, double value)
{
  text_printf(s->out, "    %-22s", what);
  sheet_unit(s, s->out, kind, value);
  text_char(s->out, '\n');
}

/* The table's four values around the point; axes in the user's units. */
static void corner_table(const Sheet *s, const char *what, TableId id, TableView v,
                         const ArcCalc *a)
{
  if (id == NO_TABLE) return;
  TableCorners k = query_table_corners(v, a->input_slew, a->steps.edge.load);
  if (k.x[0] == k.x[1] && k.y[0] == k.y[1]) {
    text_printf(s->out, "    %s table has one value\n", what);
    value_line(s, "  value", UNIT_TIME, k.result);
    return;
  }
  text_printf(s->out, "    %s table%s%s\n", what, k.outside_x ? ", beyond its slews" : "",
              k.outside_y ? ", beyond its loads" : "");
  Grid *c = grid_new("rrr", 6);
  grid_text(c, "slew \\ load");
  cell_cap(c, s, k.y[0]);
  cell_cap(c, s, k.y[1]);
  for (int i = 0; i < 2; i++) {
    cell_time(c, s, k.x[i]);
    cell_time(c, s, k.value[i][0]);
    cell_time(c, s, k.value[i][1]);
  }
  grid_finish(c, s->out);
  value_line(s, "  value", UNIT_TIME, k.result);
}

/* A model of DELAY_BY_THRESHOLD: each level of the waveform has an effective capacitance, and a
   time at which the output crosses it. */
static const char *threshold_name(int level)
{
  return level == CS_LOW ? "lower" : level == CS_DELAY ? "delay" : level == CS_HIGH ? "upper" : "-";
}

static void level_table(const Sheet *s, const Timing *t, const ArcCalc *a)
{
  SourceCalc r = query_source_calc(t, a);
  text_printf(s->out, "    %-22s%.4f\n", "shape s", (double)r.bend);
  Grid *c = grid_new("rlrrr", 4);
  grid_row(c, "level|threshold|y|effective capacitance|crossed at");
  for (int k = 0; k < CS_LEVELS; k++) {
    grid_printf(c, "%.4f", (double)r.levels.v[k]);
    grid_text(c, threshold_name(k));
    grid_printf(c, "%.4f", (double)cs_y(&r.levels, r.bend, k));
    if (k == 0) grid_text(c, "-");
    else cell_cap(c, s, r.solution.c[k]);
    cell_time(c, s, cs_level_time(&r.solution, k));
  }
  grid_finish(c, s->out);
}

static void load_lines(const Sheet *s, const Timing *t, const ArcCalc *calc)
{
  const StageSteps *a = &calc->steps;
  const DriverSolution *r = &a->edge.solution;
  if (!a->edge.waves) {
    value_line(s, "load", UNIT_CAPACITANCE, a->load);
    return;
  }
  value_line(s, "pi model: near", UNIT_CAPACITANCE, a->net.c_near);
  value_line(s, "  resistance", UNIT_RESISTANCE, a->net.r_pi);
  value_line(s, "  far", UNIT_CAPACITANCE, a->net.c_far);
  if (delay_has(t->delay_model, DELAY_BY_THRESHOLD)) {
    level_table(s, t, calc);
    return;
  }
  if (r->lumped) {
    text_put(s->out, "    as good as one capacitor\n");
    return;
  }
  value_line(s, "driver resistance", UNIT_RESISTANCE, r->rd);
  if (!shape_has_wave(&r->shape)) {
    text_put(s->out, "    no ramp fits the tables: total capacitance\n");
    return;
  }
  value_line(s, "effective capacitance", UNIT_CAPACITANCE, r->ceff);
  value_line(s, "ramp starts", UNIT_TIME, r->t0);
  value_line(s, "ramp lasts", UNIT_TIME, r->shape.dt);
}

static void derate_line(const Sheet *s, const Timing *t, const uint32_t *index, uint32_t at,
                        int condition)
{
  float data = timing_derate(t, index, at, false, condition),
        clock = timing_derate(t, index, at, true, condition);
  if (data != 1.0f || clock != 1.0f)
    text_printf(s->out, "    derate                data %.4f, clock %.4f\n", data, clock);
}

/* On data and on clock paths, where they differ; nothing where sigma does not count. */
static void sigma_lines(const Sheet *s, double data, double clock)
{
  value_line(s, data == clock ? "sigma" : "sigma on data paths", UNIT_TIME, data);
  if (data != clock) value_line(s, "sigma on clock paths", UNIT_TIME, clock);
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
static void edge_by_models(const Sheet *s, const ModelViews *views, const ArcCalc *a)
{
  Grid *c = grid_new("lrrr", 4);
  grid_row(c, "model|load|delay|slew");
  for (int m = 0; m < DELAY_MODEL_COUNT; m++) {
    ArcCalc other;
    if (!query_arc_calc(views->of[m], a->arc, a->edge, a->early_late, &other)) continue;
    grid_text(c, delay_model_name(m));
    cell_cap(c, s, other.steps.edge.load);
    cell_time(c, s, other.steps.edge.delay);
    cell_time(c, s, other.steps.edge.slew);
  }
  grid_finish(c, s->out);
}

static void arc_edge(const Sheet *s, const Timing *t, const ModelViews *views, ArcId arc,
                     uint32_t edge, int el)
{
  ArcCalc a;
  if (!query_arc_calc(t, arc, edge, el, &a)) return;
  bool off = arc_on(t->g, arc) && !(t->g->arcs.live[arc] >> (2 * a.pair.in + a.pair.out) & 1);
  text_printf(s->out, "  %s to %s, %s%s\n", edge_name(a.pair.in), edge_name(a.pair.out),
              analysis_names[el], off ? " (off)" : "");
  value_line(s, "input slew", UNIT_TIME, a.input_slew);
  load_lines(s, t, &a);
  corner_table(s, "delay", a.delay_table, a.steps.delay_table, &a);
  corner_table(s, "slew", a.slew_table, a.steps.slew_table, &a);
  bool annotated = edge_is_annotated(t, arc, edge, el);
  if (annotated) value_line(s, "computed delay", UNIT_TIME, a.steps.edge.delay);
  value_line(s, annotated ? "annotated delay" : "delay", UNIT_TIME, t->edge_delay[edge].v[el]);
  value_line(s, "slew at the output", UNIT_TIME, a.steps.edge.slew);
  if (has_rc(t, t->g->arcs.to[arc])) edge_by_models(s, views, &a);
  int k = condition_of(el, a.pair.out);
  derate_line(s, t, t->derates.arc, arc, k);
  if (t->sigma.arrival_variance)
    sigma_lines(s, sqrt(timing_edge_variance(t, arc, edge, false, k)),
                sqrt(timing_edge_variance(t, arc, edge, true, k)));
}

static void condition_text(const Sheet *s, const LibArc *lib)
{
  if (lib->when == NO_FUNCTION) return;
  text_put(s->out, " when ");
  library_function_text(s->libs, lib->when, s->out);
}

static void arc_title(const Sheet *s, const Graph *g, ArcId a)
{
  const LibArc *lib = &g->libs->arcs.at[g->arcs.lib[a]];
  const LibCell *cell = &g->libs->cells.at[g->libs->ports.at[lib->to].cell];
  sheet_pin(s, s->out, g->slots.pin[g->arcs.from[a]]);
  text_put(s->out, " -> ");
  sheet_pin(s, s->out, g->slots.pin[g->arcs.to[a]]);
  text_printf(s->out, ": %s of %s", sheet_arc_type((ArcType)lib->type),
              names_text(s->netlist->names, cell->name));
  condition_text(s, lib);
  text_put(s->out, arc_on(g, a) ? "\n" : " (off)\n");
}

static void arc_report(const Sheet *s, const Timing *t, ArcId a, unsigned analyses)
{
  ModelViews views = model_views_new(t, t->g->arcs.to[a]);
  arc_title(s, t->g, a);
  for (uint32_t e = t->g->arcs.edge_first[a]; e < t->g->arcs.edge_first[a + 1]; e++)
    for (int el = EARLY; el <= LATE; el++)
      if (analyses >> el & 1) arc_edge(s, t, &views, a, e, el);
  model_views_free(&views);
}

/* --- one wire --------------------------------------------------------------------------------- */
static void wire_row(Grid *c, const Sheet *s, const Timing *view, const ArcCalc *calc,
                     StageLoad load, int k)
{
  StageWire w = stage_wire(view, &calc->steps.edge, load, k);
  cell_pin(c, s, view->g->slots.pin[view->g->arcs.from[calc->arc]]);
  grid_printf(c, "%s %s", edge_name(calc->pair.in), edge_name(calc->pair.out));
  grid_text(c, delay_model_name((int)view->delay_model));
  cell_time(c, s, calc->steps.edge.slew);
  cell_time(c, s, w.delay);
  cell_time(c, s, w.slew);
}

/* Which driver arc's waveform a load's delay comes from is the worst one's: each is shown, under
   each delay model. */
static void wire_from_arcs(const Sheet *s, const Timing *t, const ModelViews *views, StageLoad load,
                           int k)
{
  Slot driver = load.driver;
  const Graph *g = t->g;
  if (g->slots.flags[driver] & SLOT_PORT || !has_rc(t, driver)) return;
  Grid *c = grid_new("lllrrr", 6);
  grid_row(c, "driven by|edges|model|driver slew|delay|slew");
  for (ArcId a = g->arcs.first[driver]; a < g->arcs.first[driver + 1]; a++)
    for (uint32_t e = g->arcs.edge_first[a]; e < g->arcs.edge_first[a + 1] && arc_on(g, a); e++)
      for (int m = 0; m < DELAY_MODEL_COUNT; m++) {
        ArcCalc calc;
        if (query_arc_calc(views->of[m], a, e, k >> 1, &calc) && calc.pair.out == (k & 1))
          wire_row(c, s, views->of[m], &calc, load, k);
      }
  if (grid_rows(c)) grid_write(c, s->out);
  grid_free(c);
}

/* Of current_source: one pole with the mean and the variance of the wire's response. */
static void response_lines(const Sheet *s, float elmore, float impulse_sq)
{
  CsWire w = cs_wire(elmore, impulse_sq);
  value_line(s, "response: deviation", UNIT_TIME, sqrt(impulse_sq > 0 ? impulse_sq : 0));
  value_line(s, "  pole", UNIT_TIME, w.tau);
  if (w.part < 1) text_printf(s->out, "    %-22s%.4f\n", "  part behind it", (double)w.part);
  else value_line(s, "  behind a delay of", UNIT_TIME, w.shift);
}

static bool wire_is_annotated(const Timing *t, Slot driver, Slot load, int condition)
{
  if (t->overrides == NULL || t->g->nets.wire_driver[load] != driver) return false;
  return overrides_find(&t->overrides->wires, graph_driver_index(t->g, driver),
                        4 * graph_load_index(t->g, load) + (uint32_t)condition)
         != NULL;
}

static void wire_report(const Sheet *s, const Timing *t, Slot driver, Slot load, unsigned analyses)
{
  WirePlace w;
  if (!wire_place(t, driver, load, &w)) return;
  ModelViews views = model_views_new(t, driver);
  sheet_pin(s, s->out, t->g->slots.pin[driver]);
  text_put(s->out, " -> ");
  sheet_pin(s, s->out, t->g->slots.pin[load]);
  text_put(s->out, ": wire\n");
  for (int el = EARLY; el <= LATE; el++)
    for (int edge = RISE; edge <= FALL; edge++) {
      int k = condition_of(el, edge);
      if (!(analyses >> el & 1)) continue;
      text_printf(s->out, "  %s, %s\n", edge_name(edge), analysis_names[el]);
      value_line(s, "Elmore constant", UNIT_TIME, w.elmore->v[k]);
      if (delay_has(t->delay_model, DELAY_BY_THRESHOLD) && has_rc(t, driver))
        response_lines(s, w.elmore->v[k], w.impulse_sq->v[k]);
      value_line(s, "slew at the driver", UNIT_TIME, t->slew[driver].v[k]);
      wire_from_arcs(s, t, &views, (StageLoad){ driver, load, w.extra }, k);
      value_line(s, wire_is_annotated(t, driver, load, k) ? "annotated delay" : "delay", UNIT_TIME,
                 w.delay->v[k]);
      value_line(s, "slew at the load", UNIT_TIME, t->slew[load].v[k]);
      uint32_t wire = graph_load_index(t->g, load);
      derate_line(s, t, t->derates.wire, wire, k);
      if (t->sigma.arrival_variance)
        sigma_lines(s, sqrt(timing_wire_variance(t, wire, w.delay->v[k], false, k)),
                    sqrt(timing_wire_variance(t, wire, w.delay->v[k], true, k)));
    }
  model_views_free(&views);
}

/* --- one check -------------------------------------------------------------------------------- */
static bool check_reports(const Sheet *s, const Timing *t, PinId from, PinId to, unsigned analyses)
{
  const Graph *g = t->g;
  Slot clock = graph_slot(g, from, false), data = graph_slot(g, to, false);
  bool any = false;
  if (clock == NO_SLOT || data == NO_SLOT) return false;
  for (uint32_t i = g->ends.first_check[data]; i < g->ends.first_check[data + 1]; i++) {
    const Check *c = &g->ends.checks.at[g->ends.check_order[i]];
    if (c->clock != clock || c->lib == NO_LIB_ARC) continue;
    any = true;
    sheet_pin(s, s->out, from);
    text_put(s->out, " -> ");
    sheet_pin(s, s->out, to);
    text_printf(s->out, ": %s check", sheet_arc_type((ArcType)c->type));
    condition_text(s, &g->libs->arcs.at[c->lib]);
    text_put(s->out, c->off ? " (off)\n" : "\n");
    Grid *table = grid_new("llrrr", 4);
    grid_row(table, "edge|analysis|clock slew|data slew|margin");
    for (int edge = RISE; edge <= FALL; edge++)
      for (int el = EARLY; el <= LATE; el++) {
        float margin;
        if (!(analyses >> el & 1) || c->off_edges >> edge & 1
            || !timing_check_margin(t, c, edge, el, &margin))
          continue;
        grid_text(table, edge_name(edge));
        grid_text(table, analysis_names[el]);
        cell_time(table, s,
                  timing_input_slew(t, clock, true, condition_of(!el, c->clock_edge & 1)));
        cell_time(table, s, t->slew[data].v[condition_of(el, edge)]);
        cell_time(table, s, margin);
      }
    grid_finish(table, s->out);
  }
  return any;
}

bool report_delay_calculation(const Sheet *s, const Timing *t, PinId from, PinId to,
                              unsigned analyses)
{
  const Graph *g = t->g;
  Slot start = graph_slot(g, from, false), driver = graph_slot(g, from, true),
       end = graph_slot(g, to, true), load = graph_slot(g, to, false);
  bool any = false;
  if (end != NO_SLOT && start != NO_SLOT)
    for (ArcId a = g->arcs.first[end]; a < g->arcs.first[end + 1]; a++) {
      if (g->arcs.from[a] != start) continue;
      arc_report(s, t, a, analyses);
      any = true;
    }
  WirePlace w;
  if (driver != NO_SLOT && slot_is_driver(g, driver) && load != NO_SLOT && !slot_is_driver(g, load)
      && wire_place(t, driver, load, &w)) {
    wire_report(s, t, driver, load, analyses);
    any = true;
  }
  return check_reports(s, t, from, to, analyses) || any;
}
