/* Computes one stage of a path (a driver and a wire to a load) with given slews, for path-based
   analysis. Annotation is applied. */
#include "update/stage.h"

#include <string.h>

#include "cpu/cpu_work.h"
#include "timing/credit.h"

bool stage_is_given(const Timing *t, Slot driver)
{
  return t->g->slots.flags[driver] & (SLOT_PORT | SLOT_IDEAL);
}

bool stage_delay_is_given(const Timing *t, ArcId a)
{
  const Graph *g = t->g;
  if (g->arcs.flags[a] & ARC_LATCH) return true;
  return (g->slots.flags[g->arcs.to[a]] & (SLOT_IDEAL | SLOT_IDEAL_BEGIN)) == SLOT_IDEAL;
}

/* --- edges ------------------------------------------------------------------------------------ */
static void solve_waves(const Timing *t, const DriverCase *driver_case, StageEdge *edge)
{
  const CornerLibs *libs = t->corner_libs;
  DriverTables tables = { table_cut(driver_case->delay, driver_case->input_slew),
                          table_cut(driver_case->slew, driver_case->input_slew), libs->ramps.at,
                          libs->ramp_base[driver_case->thresholds] };
  driver_solve(t->delay_model, &tables, driver_case->net, libs->thresholds[driver_case->thresholds],
               &edge->solution);
  edge->delay = edge->solution.delay;
  edge->slew = edge->solution.slew;
  edge->load = edge->solution.ceff;
}

/* Solves a timing edge. total: total capacitance of the net. */
static void solve_edge(const Timing *t, const DriverCase *driver_case, bool waves, float total,
                       StageEdge *edge)
{
  edge->waves = waves;
  edge->thresholds = driver_case->thresholds;
  edge->load = total;
  if (waves) solve_waves(t, driver_case, edge);
  else delay_lumped(t, driver_case, total, &edge->delay, &edge->slew);
  edge->sigma =
      t->sigma.edge ? delay_sigma(t, driver_case->sigma, driver_case->input_slew, edge->load) : 0;
}

bool stage_edge(const Timing *t, ArcId a, EdgePair pair, int side, float input_slew,
                StageEdge *edge)
{
  DriverCase c;
  Slot driver = t->g->arcs.to[a];
  uint32_t d = graph_driver_index(t->g, driver);
  if (!delay_case(t, a, pair, side, input_slew, &c)) return false;
  bool waves = timing_has_waves(t, d) && !(t->g->slots.flags[driver] & SLOT_IDEAL);
  solve_edge(t, &c, waves, t->nets.load_cap[d].v[condition_of(side, pair.out)], edge);
  if (t->g->slots.flags[driver] & SLOT_IDEAL_BEGIN)
    edge->delay += delay_ideal_value(t, driver, false).v[condition_of(side, pair.out)];
  return true;
}

bool stage_steps(const Timing *t, ArcId a, EdgePair pair, int side, float input_slew,
                 StageSteps *steps)
{
  DriverCase c;
  uint32_t d = graph_driver_index(t->g, t->g->arcs.to[a]);
  if (!delay_case(t, a, pair, side, input_slew, &c)) return false;
  steps->delay_table = c.delay;
  steps->slew_table = c.slew;
  steps->load = t->nets.load_cap[d].v[condition_of(side, pair.out)];
  steps->net = c.net;
  solve_edge(t, &c, timing_has_waves(t, d), steps->load, &steps->edge);
  return true;
}

StageLoads stage_loads(const Timing *t, uint32_t d, int condition)
{
  float total = t->nets.load_cap[d].v[condition];
  PiModel net = timing_pi(t, d, condition);
  if (!timing_has_waves(t, d)) return (StageLoads){ total, total };
  return (StageLoads){ net.c_near, net.c_far + net.c_near };
}

static uint32_t add_bends(TableView v, float low, float high, float *bends, uint32_t count)
{
  for (int i = 0; v.n1 > 1 && i < v.n1 && count < MOST_BENDS; i++)
    if (v.data[i] > low && v.data[i] < high) bends[count++] = v.data[i];
  return count;
}

uint32_t stage_bends(const Timing *t, ArcId a, EdgePair pair, int side, float low, float high,
                     float bends[MOST_BENDS])
{
  DriverCase c;
  if (!delay_case(t, a, pair, side, low, &c)) return 0;
  uint32_t count = add_bends(c.delay, low, high, bends, 0);
  bool same = c.slew.n1 == c.delay.n1
              && memcmp(c.slew.data, c.delay.data, (size_t)c.delay.n1 * sizeof *c.delay.data) == 0;
  return same ? count : add_bends(c.slew, low, high, bends, count);
}

typedef struct { float low, high; } Slews;

static bool rises_at(TableView v, Slews slew, float load)
{
  float before = table_value(v, slew.low, load);
  for (int i = 0; i <= v.n1; i++) {
    float at = i < v.n1 ? v.data[i] : slew.high;
    if (i < v.n1 && (at <= slew.low || at >= slew.high)) continue;
    float value = table_value(v, at, load);
    if (value < before) return false;
    before = value;
  }
  return true;
}

/* Does a table nowhere fall with the slew, for all loads between two? Between two columns it is
   linear in the load, so it is enough to test both ends and the columns between. */
static bool rises_between(TableView v, Slews slew, StageLoads load)
{
  const float *loads = v.data + v.n1;
  if (!rises_at(v, slew, load.low) || (load.high > load.low && !rises_at(v, slew, load.high)))
    return false;
  for (int i = 0; i < v.n2; i++)
    if (loads[i] > load.low && loads[i] < load.high && !rises_at(v, slew, loads[i])) return false;
  return true;
}

bool stage_rises(const Timing *t, ArcId a, EdgePair pair, int side, float low_slew, float high_slew)
{
  DriverCase c;
  Slews slew = { low_slew, high_slew };
  uint32_t d = graph_driver_index(t->g, t->g->arcs.to[a]);
  if (!delay_case(t, a, pair, side, 0, &c)) return true;
  StageLoads loads = stage_loads(t, d, condition_of(side, pair.out));
  return rises_between(c.delay, slew, loads) && rises_between(c.slew, slew, loads);
}

float stage_annotated_delay(const Timing *t, ArcId a, uint32_t edge, int side, float delay)
{
  if (t->overrides == NULL || t->overrides->edges.first == NULL) return delay;
  const Override *override = overrides_find(
      &t->overrides->edges, graph_driver_index(t->g, t->g->arcs.to[a]), 2 * edge + (uint32_t)side);
  return override == NULL ? delay : override->add ? delay + override->value : override->value;
}

/* --- wires ------------------------------------------------------------------------------------ */
static WireMoments moments_of(const Timing *t, StageLoad l, int condition)
{
  bool own = l.extra == NO_EXTRA;
  uint32_t at = own ? graph_load_index(t->g, l.load) : l.extra;
  const Cond4 *elmore = own ? t->wires.elmore : t->extra.elmore,
              *impulse_sq = own ? t->wires.impulse_sq : t->extra.impulse_sq;
  return (WireMoments){ elmore[at].v[condition], impulse_sq ? impulse_sq[at].v[condition] : 0 };
}

StageWire stage_wire(const Timing *t, const StageEdge *edge, StageLoad l, int condition)
{
  WireMoments wire = moments_of(t, l, condition);
  DelaySlew r = edge->waves ? load_solve(t->delay_model, &edge->solution.shape,
                                         t->corner_libs->thresholds[edge->thresholds], wire)
                            : delay_inherit(t->delay_model, wire, edge->slew);
  return (StageWire){ r.delay, r.slew };
}

static float overridden(const OverrideList *list, uint32_t owner, uint32_t at, float value)
{
  const Override *override = overrides_find(list, owner, at);
  return override == NULL ? value : override->add ? value + override->value : override->value;
}

/* Applies annotation to a wire. The overrides of a load are listed at its driver. */
static StageWire annotated_wire(const Timing *t, StageLoad l, int condition, StageWire w)
{
  const Overrides *overrides = t->overrides;
  if (overrides == NULL) return w;
  uint32_t owner = graph_driver_index(t->g, t->g->nets.wire_driver[l.load]),
           k = (uint32_t)condition;
  if (l.extra == NO_EXTRA)
    w.delay = overridden(&overrides->wires, owner, 4 * graph_load_index(t->g, l.load) + k, w.delay);
  else w.delay = overridden(&overrides->extras, owner, 4 * l.extra + k, w.delay);
  w.slew = overridden(&overrides->slews, owner, 4 * l.load + k, w.slew);
  return w;
}

StageWire stage_settle(const Timing *t, StageLoad l, int condition, StageWire w)
{
  const uint16_t *flags = t->g->slots.flags;
  delay_adjust_thresholds(t, l.driver, l.load, condition, &w.delay, &w.slew);
  if (time_absent(w.delay)) w.delay = 0;
  if (time_absent(w.slew)) w.slew = 0;
  if (flags[l.load] & SLOT_IDEAL_BEGIN) {
    w.slew = t->slew[l.load].v[condition];
    w.delay += delay_ideal_value(t, l.load, false).v[condition];
  }
  return annotated_wire(t, l, condition, w);
}

/* Returns the slew over the wire from a port to a load of several drivers. The load itself has the
   worst slew of all its wires. */
static float port_wire_slew(const Timing *t, StageLoad l, int k)
{
  const Graph *g = t->g;
  uint32_t from, to;
  graph_extra_wires(g, l.load, &from, &to);
  float merged = t->slew[l.load].v[k];
  if (from == to || g->slots.flags[l.load] & (SLOT_IDEAL | SLOT_IDEAL_BEGIN)) return merged;
  float own = l.extra == NO_EXTRA ? t->extra.shared_slew[from].v[k] : t->extra.slew[l.extra].v[k];
  return time_absent(own) ? merged : annotated_wire(t, l, k, (StageWire){ 0, own }).slew;
}

StageWire stage_given_wire(const Timing *t, StageLoad l, int condition)
{
  const Cond4 *delay = l.extra == NO_EXTRA ? &t->wires.delay[graph_load_index(t->g, l.load)]
                                           : &t->extra.delay[l.extra];
  bool own = t->g->nets.extra_wires.len && t->g->slots.flags[l.driver] & SLOT_PORT;
  float slew = own ? port_wire_slew(t, l, condition) : t->slew[l.load].v[condition];
  return (StageWire){ delay->v[condition], slew };
}

float stage_annotated_slew(const Timing *t, Slot driver, int condition, float slew)
{
  if (t->overrides == NULL) return slew;
  return overridden(&t->overrides->slews, graph_driver_index(t->g, driver),
                    4 * driver + (uint32_t)condition, slew);
}

void stage_level_arrivals(Timing *t, uint32_t level) { cpu_level_arrivals(t, level, level + 1); }

void stage_level_launches(Timing *t, uint32_t level)
{
  if (common_active(t)) cpu_level_fronts(t, level, level + 1);
}
