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

static void extend(Range *r, float x)
{
  if (x < r->low) r->low = x;
  if (x > r->high) r->high = x;
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

static float worst_of(const RetimeBound *b, Range r)
{
  return b->early_late == LATE ? r.high : r.low;
}
static int   condition_at(const RetimeBound *b, int edge) { return condition_of(b->side, edge); }

/* --- a driver --------------------------------------------------------------------------------- */
typedef struct {
  RetimeBound *b;
  Slot  driver;
  ArcId arc;
  EdgePair pair;
  Range delay;
} EdgeBound;

typedef void (*VisitLoad)(RetimeBound *b, StageLoad load, Range *delay, Range *slew,
                          const void *data);

static void each_load(RetimeBound *b, Slot driver, int edge, VisitLoad visit, const void *data)
{
  const Graph *g = b->of->g;
  size_t k = (size_t)edge;
  for (Slot s = g->nets.load_first[driver];
       s < g->nets.load_first[driver] + g->nets.load_count[driver]; s++)
    visit(b, (StageLoad){ driver, s, NO_EXTRA }, &b->wire[2 * (size_t)graph_load_index(g, s) + k],
          &b->slew[2 * (size_t)s + k], data);
  if (g->nets.extra_wires.len == 0) return;
  DriverExtras it = driver_extras(g, driver);
  while (driver_extras_next(&it)) {
    size_t at = 2 * (size_t)it.index + k;
    visit(b, (StageLoad){ driver, g->nets.extra_wires.at[it.index].load, it.index }, &b->extra[at],
          &b->extra_slew[at], data);
  }
}

typedef struct { const StageEdge *s; int condition; } Solved;

static void extend_load(RetimeBound *b, StageLoad load, Range *delay, Range *slew, const void *data)
{
  const Solved *x = data;
  StageWire w = stage_wire(b->of, x->s, load, x->condition);
  extend(delay, w.delay);
  extend(slew, w.slew);
}

/* The edge at one input slew. */
static void sample(EdgeBound *x, float input_slew)
{
  RetimeBound *b = x->b;
  StageEdge s;
  if (!stage_edge(b->of, x->arc, x->pair, b->side, input_slew, &s)) return;
  extend(&x->delay, s.delay);
  if (stage_is_given(b->of, x->driver)) return;
  extend(&b->slew[2 * (size_t)x->driver + x->pair.out], s.slew);
  each_load(b, x->driver, x->pair.out, extend_load, &(Solved){ &s, condition_at(b, x->pair.out) });
}

static Range input_range(const RetimeBound *b, ArcId a, int edge)
{
  const Graph *g = b->of->g;
  Slot from = g->arcs.from[a];
  if (!graph_arc_is_launch(g, a)) return b->slew[2 * (size_t)from + (size_t)edge];
  float slew = timing_input_slew(b->of, from, true, condition_at(b, edge));
  return (Range){ slew, slew };
}

/* --- when the graph's own numbers are bounds -----------------------------------------------------

   They are if delays rise with the slew, because no path has a worse slew than the graph's. */
static bool inside(TableView v, StageLoads loads)
{
  return v.n2 < 2 || (loads.low >= v.data[v.n1] && loads.high <= v.data[v.n1 + v.n2 - 1]);
}

/* Whole tables of the library rise. */
static bool tables_rise(const RetimeBound *b, ArcId a, EdgePair pair)
{
  const Timing *t = b->of;
  const CornerLibs *m = t->corner_libs;
  const LibArc *lib = &m->libs->arcs.at[m->arc_for[b->side][t->g->arcs.lib[a]]];
  TableId delay = lib->delay[pair.out], slew = lib->slew[pair.out];
  uint32_t d = graph_driver_index(t->g, t->g->arcs.to[a]);
  StageLoads loads = stage_loads(t, d, condition_at(b, pair.out));
  return delay != NO_TABLE && slew != NO_TABLE && b->rises[delay] && b->rises[slew]
         && inside(corner_libs_table(m, delay), loads)
         && inside(corner_libs_table(m, slew), loads);
}

/* The table of a scaled cell, or one with a negative factor, may fall where the library's rises. */
static bool edge_rises(const RetimeBound *b, ArcId a, EdgePair pair, Range in)
{
  return (b->of->scaling == NULL && tables_rise(b, a, pair))
         || stage_rises(b->of, a, pair, b->side, in.low, in.high);
}

/* The slew of the graph that an arc starts with. */
static float graph_slew(const RetimeBound *b, ArcId a, int condition)
{
  const Graph *g = b->of->g;
  return timing_input_slew(b->of, g->arcs.from[a], graph_arc_is_launch(g, a), condition);
}

/* Returns true if far_slew bounds the far end of an edge's output slew, and all other values are
   worst at the worst end of the range. */
static bool is_tame(const RetimeBound *b, ArcId a, EdgePair pair, Range in)
{
  if (b->side == EARLY
      && (!b->sides_agree || graph_slew(b, a, condition_of(LATE, pair.in)) < in.high))
    return false;
  return edge_rises(b, a, pair, in);
}

/* No late slew is below 0.  No early slew is above the graph's late slew if both use the same
   tables. */
static float far_slew(const RetimeBound *b, Slot slot, int edge)
{
  return b->side == LATE ? 0 : b->of->slew[slot].v[condition_of(LATE, edge)];
}

static void sample_range(EdgeBound *x, Range in)
{
  float bends[MOST_BENDS];
  sample(x, in.low);
  if (in.high == in.low) return;
  sample(x, in.high);
  uint32_t count = stage_bends(x->b->of, x->arc, x->pair, x->b->side, in.low, in.high, bends);
  for (uint32_t i = 0; i < count; i++) sample(x, bends[i]);
}

/* The values that an edge leaves as given: the numbers of the graph, and the far end of slews. */
enum { NEEDS_GRAPH = 1, NEEDS_FAR = 2 };

static unsigned bound_edge(EdgeBound *x, uint32_t e)
{
  RetimeBound *b = x->b;
  Range in = input_range(b, x->arc, x->pair.in);
  if (is_empty(in)) return 0;
  bool tame = is_tame(b, x->arc, x->pair, in);
  if (tame && worst_of(b, in) == graph_slew(b, x->arc, condition_at(b, x->pair.in)))
    return NEEDS_GRAPH | NEEDS_FAR;
  if (tame) sample(x, worst_of(b, in));
  else sample_range(x, in);
  if (!is_empty(x->delay))
    b->t.edge_delay[e].v[b->early_late] =
        stage_annotated_delay(b->of, x->arc, e, b->side, worst_of(b, x->delay));
  return tame ? NEEDS_FAR : 0;
}

static void clear_load(RetimeBound *b, StageLoad load, Range *delay, Range *slew, const void *data)
{
  (void)b, (void)load, (void)data;
  *delay = *slew = no_range;
}

/* Takes wires and slews of the engine: in addition to those of arcs, or alone. */
static void give_load(RetimeBound *b, StageLoad load, Range *delay, Range *slew, const void *data)
{
  StageWire w = stage_given_wire(b->of, load, condition_at(b, *(const int *)data));
  extend(delay, w.delay);
  extend(slew, w.slew);
}

/* Each of the two may meet the other's worst, whichever edges bring them. */
static void settle_load(RetimeBound *b, StageLoad load, Range *delay, Range *slew, const void *data)
{
  int condition = condition_at(b, *(const int *)data);
  Range raw[2] = { *delay, *slew };
  if (is_empty(raw[1])) return;
  *delay = *slew = no_range;
  for (int corner = 0; corner < 4; corner++) {
    StageWire w = { corner & 1 ? raw[0].high : raw[0].low, corner & 2 ? raw[1].high : raw[1].low };
    w = stage_settle(b->of, load, condition, w);
    extend(delay, w.delay);
    extend(slew, w.slew);
  }
}

static void give_driver(RetimeBound *b, Slot driver, int edge)
{
  extend(&b->slew[2 * (size_t)driver + (size_t)edge], b->of->slew[driver].v[condition_at(b, edge)]);
  each_load(b, driver, edge, give_load, &edge);
}

/* The other end of the range. */
static void give_far_load(RetimeBound *b, StageLoad load, Range *delay, Range *slew,
                          const void *data)
{
  int edge = *(const int *)data;
  (void)delay;
  extend(slew, stage_settle(b->of, load, condition_at(b, edge),
                            (StageWire){ 0, far_slew(b, load.load, edge) })
                   .slew);
}

static void give_far(RetimeBound *b, Slot driver, int edge)
{
  extend(&b->slew[2 * (size_t)driver + (size_t)edge],
         stage_annotated_slew(b->of, driver, condition_at(b, edge), far_slew(b, driver, edge)));
  each_load(b, driver, edge, give_far_load, &edge);
}

/* Returns true if data passes here.  If not, nothing is computed for the slot. */
static bool has_data(const Graph *g, Slot slot)
{
  for (NodeId n = g->nodes.first[slot]; n < g->nodes.first[slot + 1]; n++)
    if (!graph_node_is_clock(g, slot, n)) return true;
  return false;
}

static void settle_driver(RetimeBound *b, Slot driver, int edge)
{
  Range *own = &b->slew[2 * (size_t)driver + (size_t)edge], raw = *own;
  each_load(b, driver, edge, settle_load, &edge);
  if (is_empty(raw)) return;
  *own = no_range;
  extend(own, stage_annotated_slew(b->of, driver, condition_at(b, edge), raw.low));
  extend(own, stage_annotated_slew(b->of, driver, condition_at(b, edge), raw.high));
}

static void bound_driver(RetimeBound *b, Slot driver)
{
  const Graph *g = b->of->g;
  bool given = stage_is_given(b->of, driver) || g->slots.flags[driver] & SLOT_SEED
               || !has_data(g, driver),
       latch = false;
  unsigned needs[2] = { 0, 0 };
  for (int edge = RISE; edge <= FALL; edge++) {
    b->slew[2 * (size_t)driver + (size_t)edge] = no_range;
    each_load(b, driver, edge, clear_load, NULL);
  }
  for (ArcId a = g->arcs.first[driver]; a < g->arcs.first[driver + 1] && has_data(g, driver); a++) {
    if (!arc_on(g, a)) continue;
    latch |= g->arcs.flags[a] & ARC_LATCH;
    for (uint32_t e = g->arcs.edge_first[a];
         e < g->arcs.edge_first[a + 1] && !stage_delay_is_given(b->of, a); e++) {
      EdgeBound x = { b, driver, a, graph_edge_pair(g, a, e - g->arcs.edge_first[a]), no_range };
      needs[x.pair.out] |= bound_edge(&x, e);
    }
  }
  for (int edge = RISE; edge <= FALL; edge++) {
    settle_driver(b, driver, edge);
    if (given || latch || needs[edge] & NEEDS_GRAPH) give_driver(b, driver, edge);
    if (needs[edge] & NEEDS_FAR && !stage_is_given(b->of, driver)) give_far(b, driver, edge);
  }
}

/* --- a load ----------------------------------------------------------------------------------- */
static void bound_load(RetimeBound *b, Slot load)
{
  const Graph *g = b->of->g;
  uint32_t index = graph_load_index(g, load), from, to;
  for (int edge = RISE; edge <= FALL; edge++) {
    int k = condition_of(b->early_late, edge);
    size_t at = 2 * (size_t)index + (size_t)edge;
    Range *slew = &b->slew[2 * (size_t)load + (size_t)edge];
    if (g->nets.wire_driver[load] == NO_SLOT || g->slots.flags[load] & SLOT_SEED)
      extend(slew, b->of->slew[load].v[condition_at(b, edge)]);
    if (g->nets.wire_driver[load] == NO_SLOT) continue;
    if (!is_empty(b->wire[at])) b->t.wires.delay[index].v[k] = worst_of(b, b->wire[at]);
    graph_extra_wires(g, load, &from, &to);
    for (uint32_t i = from; i < to; i++) {
      size_t extra = 2 * (size_t)i + (size_t)edge;
      if (is_empty(b->extra_slew[extra])) continue;
      b->t.extra.delay[i].v[k] = worst_of(b, b->extra[extra]);
      extend(slew, b->extra_slew[extra].low);
      extend(slew, b->extra_slew[extra].high);
    }
  }
}

static void bound_share(void *context, LevelShare share, unsigned parts, int thread)
{
  RetimeBound *b = context;
  (void)thread;
  for (Slot s = share.driver; parts & 1 && s < share.driver_end; s++) bound_driver(b, s);
  for (Slot s = share.load; parts & 2 && s < share.load_end; s++) bound_load(b, s);
}

static void bound_level(RetimeBound *b, uint32_t level)
{
  level_run(b->of, &(LevelRun){ bound_share, b, level, level + 1, 2, false, 2000 });
}

/* --- arrivals of data; those of clocks do not change ------------------------------------------ */
static void restore_clocks(RetimeBound *b, uint32_t level)
{
  const Graph *g = b->of->g;
  for (Slot s = g->levels.first[level]; s < g->levels.first[level + 1]; s++)
    for (NodeId n = g->nodes.first[s]; n < g->nodes.first[s + 1]; n++) {
      if (!graph_node_is_clock(g, s, n)) continue;
      b->t.arrival[n] = b->of->arrival[n];
      if (b->t.sigma.arrival_variance)
        b->t.sigma.arrival_variance[n] = b->of->sigma.arrival_variance[n];
    }
}

/* Returns false after an interrupt. */
static bool sweep(RetimeBound *b)
{
  for (uint32_t level = 0; level < b->of->g->levels.count; level++) {
    if (interrupt_seen()) return false;
    bound_level(b, level);
    stage_level_arrivals(&b->t, level);
    restore_clocks(b, level);
    stage_level_launches(&b->t, level);
  }
  return true;
}

/* --- ends ------------------------------------------------------------------------------------- */
static void check_sample(const RetimeBound *b, CheckId id, int edge, float slew, Range *margin)
{
  float x;
  if (timing_check_margin_at(b->of, &b->of->g->ends.checks.at[id], edge, b->early_late, slew, &x))
    extend(margin, x);
}

/* Late or early, the larger margin leaves less slack. */
static void bound_check(RetimeBound *b, CheckId id)
{
  const Check *c = &b->of->g->ends.checks.at[id];
  if (c->lib == NO_LIB_ARC || check_is_early(c) != (b->early_late == EARLY)) return;
  const CornerLibs *m = b->of->corner_libs;
  const LibArc *lib = &m->libs->arcs.at[m->arc_for[b->side][c->lib]];
  for (int edge = RISE; edge <= FALL; edge++) {
    Range data = b->slew[2 * (size_t)c->data + (size_t)edge], margin = no_range;
    if (is_empty(data) || lib->delay[edge] == NO_TABLE) continue;
    TableView v = timing_check_table(b->of, c->data, b->early_late, lib, edge);
    check_sample(b, id, edge, data.low, &margin);
    check_sample(b, id, edge, data.high, &margin);
    for (int i = 0; i < v.n2; i++)
      if (v.data[v.n1 + i] > data.low && v.data[v.n1 + i] < data.high)
        check_sample(b, id, edge, v.data[v.n1 + i], &margin);
    if (!is_empty(margin)) b->t.check_margin[id].v[edge] = margin.high;
  }
}

/* Sums of a few hundred floats: relative, and ps. */
static const double rounding = 1e-5, least_widening = 2e-3;

static void bound_end(RetimeBound *b, PathEndId id)
{
  const PathEnd *r = &b->of->g->ends.path_ends.at[id];
  float required, before;
  for (int edge = RISE; edge <= FALL; edge++) {
    b->t.end_slack[id].v[edge] = timing_end_slack(&b->t, id, edge, &required);
    if (b->t.end_slack[id].v[edge] == NO_SLACK) continue;
    double guard = rounding * (fabs(required) + fabs(b->t.end_slack[id].v[edge])) + least_widening;
    bool has;
    before = timing_end_required(b->of, id, edge, &has);
    /* the search takes a latch's time to borrow from the latest bound, re-timing from the latest
       arrival */
    if (r->type == END_LATCH_SETUP && has && required > before) guard += required - before;
    if (guard > b->widening) b->widening = guard;
  }
}

/* Returns false after an interrupt. */
static bool bound_ends(RetimeBound *b)
{
  const Graph *g = b->of->g;
  for (CheckId i = 0; i < g->ends.checks.len && !interrupt_seen(); i++) bound_check(b, i);
  for (PathEndId i = 0; i < g->ends.path_ends.len && !interrupt_seen(); i++)
    if (path_end_is_late((PathEndType)g->ends.path_ends.at[i].type) == (b->early_late == LATE))
      bound_end(b, i);
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

static void take_arrays(RetimeBound *b)
{
  const Graph *g = b->of->g;
  b->t = *b->of;
  b->t.kept = &b->kept;
  COPY(b, edge_delay, g->arcs.edge_count);
  COPY(b, wires.delay, g->nets.load_total);
  COPY(b, extra.delay, g->nets.extra_wires.len);
  COPY(b, arrival, g->nodes.count);
  COPY(b, sigma.arrival_variance, g->nodes.count);
  COPY(b, check_margin, g->ends.checks.len);
  COPY(b, end_slack, g->ends.path_ends.len);
  if (!common_active(b->of) || interrupt_seen()) return;
  b->common = *b->of->common;
  b->common.launch = fronts_new(common_index(g->nodes.count, 0), b->of->threads);
  b->t.common = &b->common;
}

/* After an interrupt a part is missing. */
static Range *ranges_new(size_t count)
{
  Range *r = mem_alloc(sizeof *r * (2 * count + 1));
  for (size_t i = 0; i < 2 * count && ((i & 0xffff) || !interrupt_seen()); i++) r[i] = no_range;
  return r;
}

static bool table_rises(TableView v)
{
  const float *values = v.data + v.n1 + v.n2;
  for (int i = 1; i < v.n1; i++)
    for (int k = 0; k < v.n2; k++)
      if (values[i * v.n2 + k] < values[(i - 1) * v.n2 + k]) return false;
  return true;
}

static void look_at_libraries(RetimeBound *b)
{
  const Timing *t = b->of;
  const LibrarySet *libs = t->corner_libs->libs;
  b->rises = mem_alloc_zero((size_t)libs->tables.len + 1, sizeof *b->rises);
  for (TableId i = 0; i < libs->tables.len; i++)
    b->rises[i] = table_rises(corner_libs_table(t->corner_libs, i));
  b->sides_agree = t->parasitics[EARLY] == t->parasitics[LATE]
                   && memcmp(t->corner_libs->arc_for[EARLY], t->corner_libs->arc_for[LATE],
                             libs->arcs.len * sizeof *t->corner_libs->arc_for[EARLY])
                          == 0;
  for (uint32_t d = 0; d < t->g->nets.driver_count && b->sides_agree; d++)
    b->sides_agree =
        memcmp(&t->nets.load_cap[d].v[0], &t->nets.load_cap[d].v[2], 2 * sizeof(float)) == 0;
}

RetimeBound *retime_bound_new(const Timing *t, int early_late)
{
  const Graph *g = t->g;
  RetimeBound *b = mem_alloc_zero(1, sizeof *b);
  b->of = t;
  b->early_late = early_late;
  b->side = stage_side(t, early_late);
  take_arrays(b);
  look_at_libraries(b);
  b->slew = ranges_new(g->slots.count);
  b->wire = ranges_new(g->nets.load_total);
  b->extra = ranges_new(g->nets.extra_wires.len);
  b->extra_slew = ranges_new(g->nets.extra_wires.len);
  bool done = !interrupt_seen() && sweep(b) && bound_ends(b);
  Range *ranges[] = { b->slew, b->wire, b->extra, b->extra_slew };
  for (int i = 0; i < 4; i++) mem_free(ranges[i]);
  if (done) return b;
  retime_bound_free(b);
  return NULL;
}

void retime_bound_free(RetimeBound *b)
{
  if (b == NULL) return;
  if (b->kept.data) b->kept.free(b->kept.data);
  void *arrays[] = { b->t.edge_delay,       b->t.wires.delay,   b->t.extra.delay, b->t.arrival,
                     b->t.sigma.arrival_variance, b->t.check_margin, b->t.end_slack,   b->rises };
  for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) mem_free(arrays[i]);
  if (b->t.common == &b->common) fronts_free(b->common.launch);
  mem_free(b);
}

const Timing *retime_bound_timing(const RetimeBound *b) { return &b->t; }
double        retime_bound_widening(const RetimeBound *b) { return b->widening; }

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

void retime_bounds_free(RetimeBounds *c)
{
  for (int i = 0; c && i < KEPT; i++) retime_bound_free(c->kept[i].bound);
  mem_free(c);
}

/* Returns true if this is still the same Timing, and not another one at the same address. */
static bool is_same(const Timing *a, const Timing *b)
{
  return a->g == b->g && a->corner_libs == b->corner_libs && a->slew == b->slew
         && a->nets.load_cap == b->nets.load_cap && a->required == b->required;
}

const RetimeBound *retime_bounds_of(RetimeBounds *c, const Timing *t, uint64_t version,
                                    int early_late)
{
  for (int i = 0; i < KEPT; i++) {
    const RetimeBound *b = c->kept[i].bound;
    if (b && b->of == t && is_same(&b->t, t) && b->early_late == early_late
        && c->kept[i].version == version)
      return b;
  }
  KeptBound *k = &c->kept[c->next];
  c->next = (c->next + 1) % KEPT;
  retime_bound_free(k->bound);
  *k = (KeptBound){ retime_bound_new(t, early_late), version };
  return k->bound;
}
