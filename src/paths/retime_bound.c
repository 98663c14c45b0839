/* Computes bounds of re-timed paths in one sweep over the levels: the range of slews at each pin,
   and the worst delay of each arc and wire over it. */
#include "paths/retime_bound.h"

#include <math.h>
#include <string.h>

#include "base/interrupt.h"
#include "timing/credit.h"
#include "timing/derived.h"
#include "timing/level_run.h"
#include "timing/scaling.h"
#include "update/stage.h"

/* A range from the least to the largest value; low > high: empty. */
typedef struct { float low, high; } Range;
static const Range no_range = { INFINITY, -INFINITY };

static bool is_empty(Range r) { return r.low > r.high; }

static void extend(Range *range, float x)
{
  if (x < range->low) range->low = x;
  if (x > range->high) range->high = x;
}

struct RetimeBound {
  const Timing *of;
  Timing  t;                        /* it shares the arrays of `of`, except those that hold
                                       bounds */
  struct CommonPaths common;
  TimingKept kept;                  /* what searches keep of these numbers */
  int     early_late, side;         /* side: the analysis whose tables are used */
  Range  *slew;                     /* [2 * slot + edge] */
  Range  *wire;                     /* delays: [2 * load index + edge] */
  Range  *extra, *extra_slew;       /* [2 * index in extra_wires + edge] */
  double  widening;
  uint8_t *rises;                   /* by table: it never falls where the slew rises */
  bool    sides_agree;              /* early and late have the same libraries and parasitics */
};

static float worst_of(const RetimeBound *bound, Range r)
{
  return bound->early_late == LATE ? r.high : r.low;
}
static int condition_at(const RetimeBound *bound, int edge)
{
  return condition_of(bound->side, edge);
}

/* --- a driver --------------------------------------------------------------------------------- */
typedef struct {
  RetimeBound *bound;
  Slot  driver;
  ArcId arc;
  EdgePair pair;
  Range delay;
} EdgeBound;

typedef void (*VisitLoad)(RetimeBound *bound, StageLoad load, Range *delay, Range *slew,
                          const void *data);

static void each_load(RetimeBound *bound, Slot driver, int edge, VisitLoad visit, const void *data)
{
  const Graph *g = bound->of->g;
  size_t k = (size_t)edge;
  for (Slot s = g->nets.load_first[driver];
       s < g->nets.load_first[driver] + g->nets.load_count[driver]; s++)
    visit(bound, (StageLoad){ driver, s, NO_EXTRA },
          &bound->wire[2 * (size_t)graph_load_index(g, s) + k], &bound->slew[2 * (size_t)s + k],
          data);
  if (g->nets.extra_wires.len == 0) return;
  DriverExtras it = driver_extras(g, driver);
  while (driver_extras_next(&it)) {
    size_t at = 2 * (size_t)it.index + k;
    visit(bound, (StageLoad){ driver, g->nets.extra_wires.at[it.index].load, it.index },
          &bound->extra[at], &bound->extra_slew[at], data);
  }
}

typedef struct { const StageEdge *edge; int condition; } Solved;

static void extend_load(RetimeBound *bound, StageLoad load, Range *delay, Range *slew,
                        const void *data)
{
  const Solved *solved = data;
  StageWire w = stage_wire(bound->of, solved->edge, load, solved->condition);
  extend(delay, w.delay);
  extend(slew, w.slew);
}

/* The edge at one input slew. */
static void sample(EdgeBound *bound, float input_slew)
{
  RetimeBound *retime_bound = bound->bound;
  StageEdge s;
  if (!stage_edge(retime_bound->of, bound->arc, bound->pair, retime_bound->side, input_slew, &s))
    return;
  extend(&bound->delay, s.delay);
  if (stage_is_given(retime_bound->of, bound->driver)) return;
  extend(&retime_bound->slew[2 * (size_t)bound->driver + bound->pair.out], s.slew);
  each_load(retime_bound, bound->driver, bound->pair.out, extend_load,
            &(Solved){ &s, condition_at(retime_bound, bound->pair.out) });
}

static Range input_range(const RetimeBound *bound, ArcId a, int edge)
{
  const Graph *g = bound->of->g;
  Slot from = g->arcs.from[a];
  if (!graph_arc_is_launch(g, a)) return bound->slew[2 * (size_t)from + (size_t)edge];
  float slew = timing_input_slew(bound->of, from, true, condition_at(bound, edge));
  return (Range){ slew, slew };
}

/* --- when the graph's own numbers are bounds -----------------------------------------------------

   They are if delays rise with the slew, because no path has a worse slew than the graph's. */
static bool inside(TableView v, StageLoads loads)
{
  return v.n2 < 2 || (loads.low >= v.data[v.n1] && loads.high <= v.data[v.n1 + v.n2 - 1]);
}

/* Whole tables of the library rise. */
static bool tables_rise(const RetimeBound *bound, ArcId a, EdgePair pair)
{
  const Timing *t = bound->of;
  const CornerLibs *libs = t->corner_libs;
  const LibArc *lib = &libs->libs->arcs.at[libs->arc_for[bound->side][t->g->arcs.lib[a]]];
  TableId delay = lib->delay[pair.out], slew = lib->slew[pair.out];
  uint32_t d = graph_driver_index(t->g, t->g->arcs.to[a]);
  StageLoads loads = stage_loads(t, d, condition_at(bound, pair.out));
  return delay != NO_TABLE && slew != NO_TABLE && bound->rises[delay] && bound->rises[slew]
         && inside(corner_libs_table(libs, delay), loads)
         && inside(corner_libs_table(libs, slew), loads);
}

/* The table of a scaled cell, or one with a negative factor, may fall where the library's rises. */
static bool edge_rises(const RetimeBound *bound, ArcId a, EdgePair pair, Range in)
{
  return (bound->of->scaling == NULL && tables_rise(bound, a, pair))
         || stage_rises(bound->of, a, pair, bound->side, in.low, in.high);
}

/* The slew of the graph that an arc starts with. */
static float graph_slew(const RetimeBound *bound, ArcId a, int condition)
{
  const Graph *g = bound->of->g;
  return timing_input_slew(bound->of, g->arcs.from[a], graph_arc_is_launch(g, a), condition);
}

/* Returns true if far_slew bounds the far end of an edge's output slew, and all other values are
   worst at the worst end of the range. */
static bool is_tame(const RetimeBound *bound, ArcId a, EdgePair pair, Range in)
{
  if (bound->side == EARLY
      && (!bound->sides_agree || graph_slew(bound, a, condition_of(LATE, pair.in)) < in.high))
    return false;
  return edge_rises(bound, a, pair, in);
}

/* No late slew is below 0.  No early slew is above the graph's late slew if both use the same
   tables. */
static float far_slew(const RetimeBound *bound, Slot slot, int edge)
{
  return bound->side == LATE ? 0 : bound->of->slew[slot].v[condition_of(LATE, edge)];
}

static void sample_range(EdgeBound *bound, Range in)
{
  float bends[MOST_BENDS];
  sample(bound, in.low);
  if (in.high == in.low) return;
  sample(bound, in.high);
  uint32_t count = stage_bends(bound->bound->of, bound->arc, bound->pair, bound->bound->side,
                               in.low, in.high, bends);
  for (uint32_t i = 0; i < count; i++) sample(bound, bends[i]);
}

/* The values that an edge leaves as given: the numbers of the graph, and the far end of slews. */
enum { NEEDS_GRAPH = 1, NEEDS_FAR = 2 };

static unsigned bound_edge(EdgeBound *bound, uint32_t e)
{
  RetimeBound *retime_bound = bound->bound;
  Range in = input_range(retime_bound, bound->arc, bound->pair.in);
  if (is_empty(in)) return 0;
  bool tame = is_tame(retime_bound, bound->arc, bound->pair, in);
  if (tame
      && worst_of(retime_bound, in)
             == graph_slew(retime_bound, bound->arc, condition_at(retime_bound, bound->pair.in)))
    return NEEDS_GRAPH | NEEDS_FAR;
  if (tame) sample(bound, worst_of(retime_bound, in));
  else sample_range(bound, in);
  if (!is_empty(bound->delay))
    retime_bound->t.edge_delay[e].v[retime_bound->early_late] = stage_annotated_delay(
        retime_bound->of, bound->arc, e, retime_bound->side, worst_of(retime_bound, bound->delay));
  return tame ? NEEDS_FAR : 0;
}

static void clear_load(RetimeBound *bound, StageLoad load, Range *delay, Range *slew,
                       const void *data)
{
  (void)bound, (void)load, (void)data;
  *delay = *slew = no_range;
}

/* Takes wires and slews of the engine: in addition to those of arcs, or alone. */
static void give_load(RetimeBound *bound, StageLoad load, Range *delay, Range *slew,
                      const void *data)
{
  StageWire w = stage_given_wire(bound->of, load, condition_at(bound, *(const int *)data));
  extend(delay, w.delay);
  extend(slew, w.slew);
}

/* Each of the two may meet the other's worst, whichever edges bring them. */
static void settle_load(RetimeBound *bound, StageLoad load, Range *delay, Range *slew,
                        const void *data)
{
  int condition = condition_at(bound, *(const int *)data);
  Range raw[2] = { *delay, *slew };
  if (is_empty(raw[1])) return;
  *delay = *slew = no_range;
  for (int corner = 0; corner < 4; corner++) {
    StageWire w = { corner & 1 ? raw[0].high : raw[0].low, corner & 2 ? raw[1].high : raw[1].low };
    w = stage_settle(bound->of, load, condition, w);
    extend(delay, w.delay);
    extend(slew, w.slew);
  }
}

static void give_driver(RetimeBound *bound, Slot driver, int edge)
{
  extend(&bound->slew[2 * (size_t)driver + (size_t)edge],
         bound->of->slew[driver].v[condition_at(bound, edge)]);
  each_load(bound, driver, edge, give_load, &edge);
}

/* The other end of the range. */
static void give_far_load(RetimeBound *bound, StageLoad load, Range *delay, Range *slew,
                          const void *data)
{
  int edge = *(const int *)data;
  (void)delay;
  extend(slew, stage_settle(bound->of, load, condition_at(bound, edge),
                            (StageWire){ 0, far_slew(bound, load.load, edge) })
                   .slew);
}

static void give_far(RetimeBound *bound, Slot driver, int edge)
{
  extend(&bound->slew[2 * (size_t)driver + (size_t)edge],
         stage_annotated_slew(bound->of, driver, condition_at(bound, edge),
                              far_slew(bound, driver, edge)));
  each_load(bound, driver, edge, give_far_load, &edge);
}

/* Returns true if data passes here.  If not, nothing is computed for the slot. */
static bool has_data(const Graph *g, Slot slot)
{
  for (NodeId n = g->nodes.first[slot]; n < g->nodes.first[slot + 1]; n++)
    if (!graph_node_is_clock(g, slot, n)) return true;
  return false;
}

static void settle_driver(RetimeBound *bound, Slot driver, int edge)
{
  Range *own = &bound->slew[2 * (size_t)driver + (size_t)edge], raw = *own;
  each_load(bound, driver, edge, settle_load, &edge);
  if (is_empty(raw)) return;
  *own = no_range;
  extend(own, stage_annotated_slew(bound->of, driver, condition_at(bound, edge), raw.low));
  extend(own, stage_annotated_slew(bound->of, driver, condition_at(bound, edge), raw.high));
}

static void bound_driver(RetimeBound *bound, Slot driver)
{
  const Graph *g = bound->of->g;
  bool given = stage_is_given(bound->of, driver) || g->slots.flags[driver] & SLOT_SEED
               || !has_data(g, driver),
       latch = false;
  unsigned needs[2] = { 0, 0 };
  for (int edge = RISE; edge <= FALL; edge++) {
    bound->slew[2 * (size_t)driver + (size_t)edge] = no_range;
    each_load(bound, driver, edge, clear_load, NULL);
  }
  for (ArcId a = g->arcs.first[driver]; a < g->arcs.first[driver + 1] && has_data(g, driver); a++) {
    if (!arc_on(g, a)) continue;
    latch |= g->arcs.flags[a] & ARC_LATCH;
    for (uint32_t e = g->arcs.edge_first[a];
         e < g->arcs.edge_first[a + 1] && !stage_delay_is_given(bound->of, a); e++) {
      EdgeBound x = { bound, driver, a, graph_edge_pair(g, a, e - g->arcs.edge_first[a]),
                      no_range };
      needs[x.pair.out] |= bound_edge(&x, e);
    }
  }
  for (int edge = RISE; edge <= FALL; edge++) {
    settle_driver(bound, driver, edge);
    if (given || latch || needs[edge] & NEEDS_GRAPH) give_driver(bound, driver, edge);
    if (needs[edge] & NEEDS_FAR && !stage_is_given(bound->of, driver))
      give_far(bound, driver, edge);
  }
}

/* --- a load ----------------------------------------------------------------------------------- */
static void bound_load(RetimeBound *bound, Slot load)
{
  const Graph *g = bound->of->g;
  uint32_t index = graph_load_index(g, load), from, to;
  for (int edge = RISE; edge <= FALL; edge++) {
    int k = condition_of(bound->early_late, edge);
    size_t at = 2 * (size_t)index + (size_t)edge;
    Range *slew = &bound->slew[2 * (size_t)load + (size_t)edge];
    if (g->nets.wire_driver[load] == NO_SLOT || g->slots.flags[load] & SLOT_SEED)
      extend(slew, bound->of->slew[load].v[condition_at(bound, edge)]);
    if (g->nets.wire_driver[load] == NO_SLOT) continue;
    if (!is_empty(bound->wire[at]))
      bound->t.wires.delay[index].v[k] = worst_of(bound, bound->wire[at]);
    graph_extra_wires(g, load, &from, &to);
    for (uint32_t i = from; i < to; i++) {
      size_t extra = 2 * (size_t)i + (size_t)edge;
      if (is_empty(bound->extra_slew[extra])) continue;
      bound->t.extra.delay[i].v[k] = worst_of(bound, bound->extra[extra]);
      extend(slew, bound->extra_slew[extra].low);
      extend(slew, bound->extra_slew[extra].high);
    }
  }
}

static void bound_share(void *context, LevelShare share, unsigned parts, int thread)
{
  RetimeBound *bound = context;
  (void)thread;
  for (Slot s = share.driver; parts & 1 && s < share.driver_end; s++) bound_driver(bound, s);
  for (Slot s = share.load; parts & 2 && s < share.load_end; s++) bound_load(bound, s);
}

static void bound_level(RetimeBound *bound, uint32_t level)
{
  level_run(bound->of, &(LevelRun){ bound_share, bound, level, level + 1, 2, false, 2000 });
}

/* --- arrivals of data; those of clocks do not change ------------------------------------------ */
static void restore_clocks(RetimeBound *bound, uint32_t level)
{
  const Graph *g = bound->of->g;
  for (Slot s = g->levels.first[level]; s < g->levels.first[level + 1]; s++)
    for (NodeId n = g->nodes.first[s]; n < g->nodes.first[s + 1]; n++) {
      if (!graph_node_is_clock(g, s, n)) continue;
      bound->t.arrival[n] = bound->of->arrival[n];
      if (bound->t.sigma.arrival_variance)
        bound->t.sigma.arrival_variance[n] = bound->of->sigma.arrival_variance[n];
    }
}

/* Returns false after an interrupt. */
static bool sweep(RetimeBound *bound)
{
  for (uint32_t level = 0; level < bound->of->g->levels.count; level++) {
    if (interrupt_seen()) return false;
    bound_level(bound, level);
    stage_level_arrivals(&bound->t, level);
    restore_clocks(bound, level);
    stage_level_launches(&bound->t, level);
  }
  return true;
}

/* --- ends ------------------------------------------------------------------------------------- */
static void check_sample(const RetimeBound *bound, CheckId id, int edge, float slew, Range *margin)
{
  float x;
  if (timing_check_margin_at(bound->of, &bound->of->g->ends.checks.at[id], edge, bound->early_late,
                             slew, &x))
    extend(margin, x);
}

/* Late or early, the larger margin leaves less slack. */
static void bound_check(RetimeBound *bound, CheckId id)
{
  const Check *check = &bound->of->g->ends.checks.at[id];
  if (check->lib == NO_LIB_ARC || check_is_early(check) != (bound->early_late == EARLY)) return;
  const CornerLibs *libs = bound->of->corner_libs;
  const LibArc *lib = &libs->libs->arcs.at[libs->arc_for[bound->side][check->lib]];
  for (int edge = RISE; edge <= FALL; edge++) {
    Range data = bound->slew[2 * (size_t)check->data + (size_t)edge], margin = no_range;
    if (is_empty(data) || lib->delay[edge] == NO_TABLE) continue;
    TableView v = timing_check_table(bound->of, check->data, bound->early_late, lib, edge);
    check_sample(bound, id, edge, data.low, &margin);
    check_sample(bound, id, edge, data.high, &margin);
    for (int i = 0; i < v.n2; i++)
      if (v.data[v.n1 + i] > data.low && v.data[v.n1 + i] < data.high)
        check_sample(bound, id, edge, v.data[v.n1 + i], &margin);
    if (!is_empty(margin)) bound->t.check_margin[id].v[edge] = margin.high;
  }
}

/* Sums of a few hundred floats: relative, and ps. */
static const double rounding = 1e-5, least_widening = 2e-3;

static void bound_end(RetimeBound *bound, PathEndId id)
{
  const PathEnd *end = &bound->of->g->ends.path_ends.at[id];
  float required, before;
  for (int edge = RISE; edge <= FALL; edge++) {
    bound->t.end_slack[id].v[edge] = timing_end_slack(&bound->t, id, edge, &required);
    if (bound->t.end_slack[id].v[edge] == NO_SLACK) continue;
    double guard =
        rounding * (fabs(required) + fabs(bound->t.end_slack[id].v[edge])) + least_widening;
    bool has;
    before = timing_end_required(bound->of, id, edge, &has);
    /* the search takes a latch's time to borrow from the latest bound, re-timing from the latest
       arrival */
    if (end->type == END_LATCH_SETUP && has && required > before) guard += required - before;
    if (guard > bound->widening) bound->widening = guard;
  }
}

/* Returns false after an interrupt. */
static bool bound_ends(RetimeBound *bound)
{
  const Graph *g = bound->of->g;
  for (CheckId i = 0; i < g->ends.checks.len && !interrupt_seen(); i++) bound_check(bound, i);
  for (PathEndId i = 0; i < g->ends.path_ends.len && !interrupt_seen(); i++)
    if (path_end_is_late((PathEndType)g->ends.path_ends.at[i].type) == (bound->early_late == LATE))
      bound_end(bound, i);
  return !interrupt_seen();
}

/* --- life ------------------------------------------------------------------------------------- */
enum { AT_ONCE = 1 << 20 };          /* bytes between looks at the flag: each page is new */

/* After an interrupt a part is missing. */
static void *copy_of(const void *array, size_t bytes)
{
  if (array == NULL) return NULL;
  char *copy = mem_alloc(bytes + 1);
  for (size_t at = 0; at < bytes && !interrupt_seen(); at += AT_ONCE)
    memcpy(copy + at, (const char *)array + at, bytes - at < AT_ONCE ? bytes - at : AT_ONCE);
  return copy;
}

#define COPY(b, field, count) \
    ((b)->t.field = copy_of((b)->of->field, (size_t)(count) * sizeof *(b)->of->field))

static void take_arrays(RetimeBound *bound)
{
  const Graph *g = bound->of->g;
  bound->t = *bound->of;
  bound->t.kept = &bound->kept;
  COPY(bound, edge_delay, g->arcs.edge_count);
  COPY(bound, wires.delay, g->nets.load_total);
  COPY(bound, extra.delay, g->nets.extra_wires.len);
  COPY(bound, arrival, g->nodes.count);
  COPY(bound, sigma.arrival_variance, g->nodes.count);
  COPY(bound, check_margin, g->ends.checks.len);
  COPY(bound, end_slack, g->ends.path_ends.len);
  if (!common_active(bound->of) || interrupt_seen()) return;
  bound->common = *bound->of->common;
  bound->common.launch = fronts_new(common_index(g->nodes.count, 0), bound->of->threads);
  bound->t.common = &bound->common;
}

/* After an interrupt a part is missing. */
static Range *ranges_new(size_t count)
{
  Range *range = mem_alloc(sizeof *range * (2 * count + 1));
  for (size_t i = 0; i < 2 * count && ((i & 0xffff) || !interrupt_seen()); i++) range[i] = no_range;
  return range;
}

static bool table_rises(TableView v)
{
  const float *values = v.data + v.n1 + v.n2;
  for (int i = 1; i < v.n1; i++)
    for (int k = 0; k < v.n2; k++)
      if (values[i * v.n2 + k] < values[(i - 1) * v.n2 + k]) return false;
  return true;
}

static void look_at_libraries(RetimeBound *bound)
{
  const Timing *t = bound->of;
  const LibrarySet *libs = t->corner_libs->libs;
  bound->rises = mem_alloc_zero((size_t)libs->tables.len + 1, sizeof *bound->rises);
  for (TableId i = 0; i < libs->tables.len; i++)
    bound->rises[i] = table_rises(corner_libs_table(t->corner_libs, i));
  bound->sides_agree = t->parasitics[EARLY] == t->parasitics[LATE]
                       && memcmp(t->corner_libs->arc_for[EARLY], t->corner_libs->arc_for[LATE],
                                 libs->arcs.len * sizeof *t->corner_libs->arc_for[EARLY])
                              == 0;
  for (uint32_t d = 0; d < t->g->nets.driver_count && bound->sides_agree; d++)
    bound->sides_agree =
        memcmp(&t->nets.load_cap[d].v[0], &t->nets.load_cap[d].v[2], 2 * sizeof(float)) == 0;
}

RetimeBound *retime_bound_new(const Timing *t, int early_late)
{
  const Graph *g = t->g;
  RetimeBound *bound = mem_alloc_zero(1, sizeof *bound);
  bound->of = t;
  bound->early_late = early_late;
  bound->side = stage_side(t, early_late);
  take_arrays(bound);
  look_at_libraries(bound);
  bound->slew = ranges_new(g->slots.count);
  bound->wire = ranges_new(g->nets.load_total);
  bound->extra = ranges_new(g->nets.extra_wires.len);
  bound->extra_slew = ranges_new(g->nets.extra_wires.len);
  bool done = !interrupt_seen() && sweep(bound) && bound_ends(bound);
  Range *ranges[] = { bound->slew, bound->wire, bound->extra, bound->extra_slew };
  for (int i = 0; i < 4; i++) mem_free(ranges[i]);
  if (done) return bound;
  retime_bound_free(bound);
  return NULL;
}

void retime_bound_free(RetimeBound *bound)
{
  if (bound == NULL) return;
  if (bound->kept.data) bound->kept.free(bound->kept.data);
  void *arrays[] = { bound->t.edge_delay,
                     bound->t.wires.delay,
                     bound->t.extra.delay,
                     bound->t.arrival,
                     bound->t.sigma.arrival_variance,
                     bound->t.check_margin,
                     bound->t.end_slack,
                     bound->rises };
  for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) mem_free(arrays[i]);
  if (bound->t.common == &bound->common) fronts_free(bound->common.launch);
  mem_free(bound);
}

const Timing *retime_bound_timing(const RetimeBound *bound) { return &bound->t; }
double        retime_bound_widening(const RetimeBound *bound) { return bound->widening; }

/* --- those asked for last --------------------------------------------------------------------- */
enum { KEPT = 2 };                  /* both analyses of a scenario */

typedef struct {
  RetimeBound *bound;
  uint64_t     version;
} KeptBound;

struct RetimeBounds {
  KeptBound kept[KEPT];
  int       next;                   /* the next one takes its place */
};

RetimeBounds *retime_bounds_new(void) { return mem_alloc_zero(1, sizeof(RetimeBounds)); }

void retime_bounds_free(RetimeBounds *bounds)
{
  for (int i = 0; bounds && i < KEPT; i++) retime_bound_free(bounds->kept[i].bound);
  mem_free(bounds);
}

/* Returns true if this is still the same Timing, and not another one at the same address. */
static bool is_same(const Timing *a, const Timing *b)
{
  return a->g == b->g && a->corner_libs == b->corner_libs && a->slew == b->slew
         && a->nets.load_cap == b->nets.load_cap && a->required == b->required;
}

const RetimeBound *retime_bounds_of(RetimeBounds *bounds, const Timing *t, uint64_t version,
                                    int early_late)
{
  for (int i = 0; i < KEPT; i++) {
    const RetimeBound *bound = bounds->kept[i].bound;
    if (bound && bound->of == t && is_same(&bound->t, t) && bound->early_late == early_late
        && bounds->kept[i].version == version)
      return bound;
  }
  KeptBound *bound = &bounds->kept[bounds->next];
  bounds->next = (bounds->next + 1) % KEPT;
  retime_bound_free(bound->bound);
  *bound = (KeptBound){ retime_bound_new(t, early_late), version };
  return bound->bound;
}
