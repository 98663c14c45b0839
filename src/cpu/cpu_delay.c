/* Computes delays and slews of drivers and their loads, by delay model.

   With the effective capacitance model many arcs of many drivers are solved at a time in lanes
   (cpu_lanes.h). A thread owns whole drivers, so merging needs no locks. The order of merging does
   not matter, because it takes maxima and minima. */
#include <math.h>

#include "base/interrupt.h"
#include "base/pool.h"
#include "cpu/cpu_work.h"
#include "timing/scaling.h"
#include "math/driver.h"

/* --- arcs ------------------------------------------------------------------------------------- */
bool delay_case(const Timing *t, ArcId a, EdgePair pair, int el, float input_slew,
                DriverCase *driver_case)
{
  const Graph *g = t->g;
  const CornerLibs *libs = t->corner_libs;
  Slot driver = g->arcs.to[a];
  LibArcId id = libs->arc_for[el][g->arcs.lib[a]];
  const LibArc *lib = &libs->libs->arcs.at[id];
  if (lib->delay[pair.out] == NO_TABLE) return false;
  driver_case->delay = timing_delay_table(t, driver, el, lib, pair.out);
  driver_case->slew = lib->slew[pair.out] == NO_TABLE
                          ? delay_no_table()
                          : timing_slew_table(t, driver, el, lib, pair.out);
  driver_case->thresholds = corner_libs_thresholds_of(libs, id, pair.out);
  TableId sigma = t->sigma.edge ? lib->sigma_delay[condition_of(el, pair.out)] : NO_TABLE;
  driver_case->sigma = sigma == NO_TABLE ? NULL : &libs->libs->tables.at[sigma];
  driver_case->input_slew = input_slew;
  uint32_t d = graph_driver_index(g, driver);
  driver_case->net = timing_pi(t, d, condition_of(el, pair.out));
  return true;
}

/* Collects the inputs of a timing edge at the merged slew of its start. */
static bool make_case(const Timing *t, ArcId a, EdgePair pair, int el, DriverCase *driver_case)
{
  const Graph *g = t->g;
  bool launch = graph_arc_is_launch(g, a);
  return delay_case(t, a, pair, el,
                    timing_input_slew(t, g->arcs.from[a], launch, condition_of(el, pair.in)),
                    driver_case);
}

static void arc_in_lanes(Work *work, ArcId a, Slot driver)
{
  const Graph *g = work->t->g;
  bool both = timing_first_analysis(work->t, driver) == EARLY;
  for (uint32_t e = g->arcs.edge_first[a]; e < g->arcs.edge_first[a + 1]; e++) {
    EdgePair pair = graph_edge_pair(g, a, e - g->arcs.edge_first[a]);
    DriverCase early, late;
    bool has_early = both && make_case(work->t, a, pair, EARLY, &early),
         has_late = make_case(work->t, a, pair, LATE, &late);
    EdgeJob job = { .driver = driver,
                .edge = e,
                .out = pair.out,
                .analyses = 1 << EARLY,
                .delay_only = (g->arcs.flags[a] & ARC_LATCH) != 0 };
    if (has_early) job.sigma[EARLY] = early.sigma, job.input_slew = early.input_slew;
    if (has_late) job.sigma[LATE] = late.sigma;
    if (has_early && has_late && delay_same_case(&early, &late)) {
      job.analyses = 3;
      delay_push(work, &early, job);
      continue;
    }
    if (has_early) delay_push(work, &early, job);
    job.analyses = 1 << LATE;
    if (has_late) job.input_slew = late.input_slew;
    if (has_late) delay_push(work, &late, job);
  }
}

/* Without lanes, tables are read at the total capacitance, and loads inherit the merged slew of the
   driver (delay_inherit).  A driver without a slew (absent) gives its loads none. */
static void merge_inherited(Timing *t, const Load *load, int condition, float slew)
{
  DelaySlew r = delay_inherit(t->delay_model, delay_moments(load, condition), slew);
  cond_merge(load->delay, condition >> 1, condition & 1, r.delay);
  if (!time_absent(slew)) cond_merge(load->slew, condition >> 1, condition & 1, r.slew);
}

void delay_lumped(const Timing *t, const DriverCase *driver_case, float load, float *delay,
                  float *slew)
{
  *delay = table_value(driver_case->delay, driver_case->input_slew, load);
  *slew = delay_table_slew(t->delay_model,
                           table_value(driver_case->slew, driver_case->input_slew, load));
}

static void lumped_edge(Timing *t, ArcId a, Slot driver, uint32_t e, EdgePair pair, int el,
                        const DriverCase *driver_case)
{
  float load = t->nets.load_cap[graph_driver_index(t->g, driver)].v[condition_of(el, pair.out)];
  float delay, slew;
  delay_lumped(t, driver_case, load, &delay, &slew);
  t->edge_delay[e].v[el] = delay;
  delay_put_sigma(t, e, el, driver_case->sigma, driver_case->input_slew, load);
  if (!(t->g->arcs.flags[a] & ARC_LATCH)) cond_merge(&t->slew[driver], el, pair.out, slew);
}

void delay_arc_lumped(Timing *t, ArcId a, Slot driver)
{
  const Graph *g = t->g;
  for (uint32_t e = g->arcs.edge_first[a]; e < g->arcs.edge_first[a + 1]; e++) {
    EdgePair pair = graph_edge_pair(g, a, e - g->arcs.edge_first[a]);
    for (int el = timing_first_analysis(t, driver); el <= LATE; el++) {
      DriverCase c;
      if (make_case(t, a, pair, el, &c)) lumped_edge(t, a, driver, e, pair, el, &c);
    }
  }
}

/* Has a load several drivers?  Then a driver without a slew does not count at the load.  At a load
   of one driver, the slew of such a driver is taken as 0. */
static bool is_shared(const Graph *g, Slot load)
{
  uint32_t from, to;
  if (g->nets.extra_wires.len == 0) return false;
  graph_extra_wires(g, load, &from, &to);
  return from < to;
}

static void merge_load(Work *work, const Load *load, const void *slew)
{
  for (int k = 0; k < CONDITION_COUNT; k++)
    merge_inherited(work->t, load, k, ((const Cond4 *)slew)->v[k]);
}

void delay_merged_loads(Work *work, Slot driver)
{
  Timing *t = work->t;
  Cond4 slew = t->slew[driver];
  cond_settle(&t->slew[driver]);
  Slot first = t->g->nets.load_first[driver];
  for (Slot s = first; s < first + t->g->nets.load_count[driver]; s++) {
    Load load = delay_own_load(t, s);
    merge_load(work, &load, is_shared(t->g, s) ? &slew : &t->slew[driver]);
  }
  delay_each_extra(t, driver, merge_load, work, &slew);
}

/* --- drivers ---------------------------------------------------------------------------------- */
static void clear_extra(Work *work, const Load *load, const void *unused)
{
  (void)work;
  (void)unused;
  *load->delay = *load->slew = cond_nothing();
}

void delay_clear_arc(Timing *t, ArcId a)
{
  const uint32_t *first = t->g->arcs.edge_first;
  memset(t->edge_delay + first[a], 0, (first[a + 1] - first[a]) * sizeof *t->edge_delay);
}

static void clear_edges(Timing *t, Slot driver)
{
  const Graph *g = t->g;
  for (ArcId a = g->arcs.first[driver]; a < g->arcs.first[driver + 1]; a++)
    if (!(g->arcs.flags[a] & ARC_LATCH)) delay_clear_arc(t, a);
}

static void clear_driver(Work *work, Slot driver)
{
  Timing *t = work->t;
  Slot first = t->g->nets.load_first[driver];
  t->slew[driver] = cond_nothing();
  for (Slot s = first; s < first + t->g->nets.load_count[driver]; s++) {
    t->slew[s] = cond_nothing();
    t->wires.delay[graph_load_index(t->g, s)] = cond_nothing();
  }
  delay_each_extra(t, driver, clear_extra, work, NULL);
  if (t->overrides && t->overrides->edges.first) clear_edges(t, driver);
}

static void evaluate_driver(Work *work, Slot driver)
{
  Timing *t = work->t;
  const Graph *g = t->g;
  clear_driver(work, driver);
  if (g->slots.flags[driver] & SLOT_IDEAL) {
    delay_ideal(work, driver);
    return;
  }
  if (g->slots.flags[driver] & SLOT_PORT) {
    delay_port(work, driver);
    return;
  }
  bool lanes = timing_has_waves(t, graph_driver_index(g, driver));
  for (ArcId a = g->arcs.first[driver]; a < g->arcs.first[driver + 1]; a++) {
    /* latch arcs: cpu_latch_delays */
    if (!arc_shapes(g, a) || g->arcs.flags[a] & ARC_LATCH) continue;
    if (lanes) arc_in_lanes(work, a, driver);
    else delay_arc_lumped(t, a, driver);
  }
  if (!lanes) delay_merged_loads(work, driver);
}

/* --- other libraries: a load is measured with its own thresholds ------------------------------ */
void delay_move_thresholds(const Timing *t, LibraryId from, Slot load, int k, float *delay,
                           float *slew)
{
  LibraryId to = delay_library(t, load, k >> 1);
  if (from == to) return;
  const Thresholds *thresholds = &t->corner_libs->thresholds[2 * from + (uint32_t)(k & 1)],
                   *the_thresholds = &t->corner_libs->thresholds[2 * to + (uint32_t)(k & 1)];
  threshold_move(thresholds, the_thresholds,
                 t->corner_libs->input_threshold[2 * to + (uint32_t)(k & 1)], k & 1, delay, slew);
}

/* Are the loads of a driver converted to their own thresholds here? Those of ports are moved with
   the port (delay_move_port_loads). */
static bool measures_loads(const Timing *t, Slot driver)
{
  return !delay_has(t->delay_model, DELAY_CONTEST_RULES)
         && !(t->g->slots.flags[driver] & SLOT_PORT);
}

void delay_adjust_thresholds(const Timing *t, Slot driver, Slot load, int k, float *delay,
                             float *slew)
{
  if (!measures_loads(t, driver)) return;
  delay_move_thresholds(t, delay_library(t, driver, k >> 1), load, k, delay, slew);
}

static void adjust_thresholds(const Timing *t, Slot driver, Slot load, Cond4 *delay, Cond4 *slew)
{
  if (!measures_loads(t, driver)) return;
  for (int k = 0; k < CONDITION_COUNT; k++) {
    /* the falling edge has the same libraries */
    if (delay_library(t, driver, k >> 1) == delay_library(t, load, k >> 1)) k |= 1;
    else delay_adjust_thresholds(t, driver, load, k, &delay->v[k], &slew->v[k]);
  }
}

static void annotate_driver(Timing *t, Slot driver)
{
  const Overrides *overrides = t->overrides;
  uint32_t owner = graph_driver_index(t->g, driver);
  if (overrides->edges.first) overrides_apply(&overrides->edges, owner, (float *)t->edge_delay);
  if (overrides->wires.first) overrides_apply(&overrides->wires, owner, (float *)t->wires.delay);
  if (overrides->extras.first) overrides_apply(&overrides->extras, owner, (float *)t->extra.delay);
  if (overrides->slews.first) overrides_apply(&overrides->slews, owner, (float *)t->slew);
}

static void copy_late_edges(Timing *t, ArcId first, ArcId end)
{
  const Graph *g = t->g;
  for (uint32_t e = g->arcs.edge_first[first]; e < g->arcs.edge_first[end]; e++)
    t->edge_delay[e].v[EARLY] = t->edge_delay[e].v[LATE];
  for (uint32_t e = g->arcs.edge_first[first]; t->sigma.edge && e < g->arcs.edge_first[end]; e++)
    t->sigma.edge[e].v[EARLY] = t->sigma.edge[e].v[LATE];
}

static void late_is_early(Timing *t, Slot driver)
{
  const Graph *g = t->g;
  cond_copy_late(&t->slew[driver]);
  copy_late_edges(t, g->arcs.first[driver], g->arcs.first[driver + 1]);
  if (g->slots.flags[driver] & SLOT_PORT
      && map_get(t->ports.drive_delay_of, driver) != MAP_NO_VALUE)
    cond_copy_late(delay_drive(t, driver));
  for (Slot s = g->nets.load_first[driver];
       s < g->nets.load_first[driver] + g->nets.load_count[driver]; s++) {
    uint32_t from, to;
    cond_copy_late(&t->slew[s]);
    cond_copy_late(&t->wires.delay[graph_load_index(g, s)]);
    graph_extra_wires(g, s, &from, &to);
    for (uint32_t i = from; i < to; i++) cond_copy_late(&t->extra.delay[i]);
  }
}

/* Sets the numbers of a load at which an ideal network begins. [from, to): its extra wires. */
static void begin_at_load(Timing *t, Slot load, uint32_t from, uint32_t to)
{
  Cond4 latency = delay_ideal_value(t, load, false),
    *wire = &t->wires.delay[graph_load_index(t->g, load)];
  t->slew[load] = delay_ideal_value(t, load, true);
  for (int k = 0; k < CONDITION_COUNT; k++) {
    wire->v[k] += latency.v[k];
    for (uint32_t i = from; i < to; i++) t->extra.delay[i].v[k] += latency.v[k];
  }
}

/* Replaces absent values by 0. A load of several drivers gets the worst slew of all its wires. */
void delay_settle(Timing *t, Slot driver)
{
  const Graph *g = t->g;
  cond_settle(&t->slew[driver]);
  if (g->slots.flags[driver] & SLOT_PORT
      && map_get(t->ports.drive_delay_of, driver) != MAP_NO_VALUE)
    cond_settle(delay_drive(t, driver));
  if (g->slots.flags[driver] & SLOT_PORT) delay_move_port_loads(t, driver);
  Slot first = g->nets.load_first[driver];
  for (Slot s = first; s < first + g->nets.load_count[driver]; s++) {
    uint32_t from, to;
    adjust_thresholds(t, driver, s, &t->wires.delay[graph_load_index(g, s)], &t->slew[s]);
    graph_extra_wires(g, s, &from, &to);
    if (from < to) t->extra.shared_slew[from] = t->slew[s];
    for (uint32_t i = from; i < to; i++) {
      adjust_thresholds(t, g->nets.extra_wires.at[i].driver, s, &t->extra.delay[i],
                        &t->extra.slew[i]);
      for (int k = 0; k < CONDITION_COUNT; k++)
        cond_merge(&t->slew[s], k >> 1, k & 1, t->extra.slew[i].v[k]);
      cond_settle(&t->extra.delay[i]);
    }
    cond_settle(&t->slew[s]);
    cond_settle(&t->wires.delay[graph_load_index(g, s)]);
    if (g->slots.flags[s] & SLOT_IDEAL_BEGIN) begin_at_load(t, s, from, to);
  }
  if (t->overrides) annotate_driver(t, driver);
  if (t->single) late_is_early(t, driver);
}

void delay_drivers(Work *work, const Slot *drivers, Slot first, uint32_t count)
{
  for (uint32_t i = 0; i < count; i++) evaluate_driver(work, drivers ? drivers[i] : first + i);
  delay_flush(work);
}

float delay_cost(const Timing *t) { return delay_model_cost(t->delay_model); }

/* A list of drivers to be computed. A load may have several drivers of the list. So all drivers are
   evaluated before the first is settled. */
typedef struct {
  Timing     *t;
  const Slot *drivers;
  uint32_t    count;
  Work      **work;            /* by thread; NULL: not made yet */
} DriverList;

static uint32_t list_count(void *context, uint32_t step)
{
  (void)step;
  return ((const DriverList *)context)->count;
}

static void list_work(void *context, uint32_t step, uint32_t from, uint32_t to, int thread)
{
  const DriverList *list = context;
  if (step == 0 && interrupt_seen()) return;
  if (step == 0 && list->work[thread] == NULL) list->work[thread] = delay_work_new(list->t);
  if (step == 0) delay_drivers(list->work[thread], list->drivers + from, 0, to - from);
  for (uint32_t i = from; step == 1 && i < to; i++) delay_settle(list->t, list->drivers[i]);
}

Work **delay_works_new(const Timing *t)
{
  return mem_alloc_zero((size_t)t->threads + 1, sizeof(Work *));
}

void delay_works_free(const Timing *t, Work **work)
{
  for (int i = 0; i < t->threads; i++)
    if (work[i]) delay_work_free(work[i]);
  mem_free(work);
}

void cpu_driver_delays(Timing *t, const Slot *drivers, uint32_t count)
{
  DriverList x = { t, drivers, count, delay_works_new(t) };
  pool_run(&(PoolRun){ .work = list_work,
                       .count = list_count,
                       .context = &x,
                       .steps = 2,
                       .grain = 16,
                       .cost = delay_cost(t) },
           t->threads);
  delay_works_free(t, x.work);
}

static bool begins_at(const Timing *t, const Latch *latch)
{
  return t->g->slots.flags[latch->output] & SLOT_IDEAL_BEGIN;
}

static void begin_at_latches(Timing *t)
{
  for (uint32_t i = 0; i < t->g->arcs.latches.len; i++) {
    const Latch *latch = &t->g->arcs.latches.at[i];
    if (!begins_at(t, latch) || (i > 0 && latch[-1].arc == latch->arc)) continue;
    Cond4 latency = delay_ideal_value(t, latch->output, false);
    delay_add_latency(t, latch->arc, &latency);
  }
}

/* Latch data arcs are outside the levels. Their starts have slews only after all levels are
   done. */
void cpu_latch_delays(Timing *t)
{
  const Graph *g = t->g;
  if (g->arcs.latches.len == 0) return;
  bool annotated = t->overrides && t->overrides->latches.first;
  Work *work = delay_work_new(t);
  for (uint32_t i = 0; i < g->arcs.latches.len; i++) {
    const Latch *latch = &g->arcs.latches.at[i];
    if (i > 0 && g->arcs.latches.at[i - 1].arc == latch->arc) continue;
    if (annotated || begins_at(t, latch)) delay_clear_arc(t, latch->arc);
    if (timing_has_waves(t, graph_driver_index(g, latch->output)))
      arc_in_lanes(work, latch->arc, latch->output);
    else delay_arc_lumped(t, latch->arc, latch->output);
  }
  delay_flush(work);
  delay_work_free(work);
  begin_at_latches(t);
  if (annotated) overrides_apply(&t->overrides->latches, 0, (float *)t->edge_delay);
  for (uint32_t i = 0; t->single && i < g->arcs.latches.len; i++)
    copy_late_edges(t, g->arcs.latches.at[i].arc, g->arcs.latches.at[i].arc + 1);
}
