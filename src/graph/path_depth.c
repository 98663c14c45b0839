/* Computes depths of paths by two sweeps over the graph. They give the least depth from a start to
   each node, and from each node to an end. */
#include "graph/path_depth.h"

#include <math.h>

static const PathDepth nothing = { PATH_DEPTH_NONE, PATH_DEPTH_NONE };
static const PathBox empty_box = { { INFINITY, INFINITY }, { -INFINITY, -INFINITY } };

static uint16_t least(uint16_t a, uint32_t b) { return b < a ? (uint16_t)b : a; }

/* Returns a depth with more steps. It saturates below PATH_DEPTH_NONE. */
static uint32_t more(uint16_t depth, uint32_t by)
{
  uint32_t sum = depth + by;
  return depth == PATH_DEPTH_NONE ? PATH_DEPTH_NONE
         : sum < PATH_DEPTH_NONE  ? sum
                                  : PATH_DEPTH_NONE - 1u;
}

static void join(PathDepth *to, PathDepth from, uint32_t cells, uint32_t wires)
{
  to->cells = least(to->cells, more(from.cells, cells));
  to->wires = least(to->wires, more(from.wires, wires));
}

/* --- boxes ------------------------------------------------------------------------------------ */
static void box_add(PathBox *box, const PathBox *more_of)
{
  for (int i = 0; i < 2; i++) {
    if (more_of->low[i] < box->low[i]) box->low[i] = more_of->low[i];
    if (more_of->high[i] > box->high[i]) box->high[i] = more_of->high[i];
  }
}

/* Returns the box of the cell of a slot. */
static PathBox cell_box(const PathDepths *d, Slot slot)
{
  InstId inst = d->g->netlist->pins.at[d->g->slots.pin[slot]].inst;
  if (inst == TOP_INST || inst >= d->places.count) return empty_box;
  const float *p = d->places.at + 2 * (size_t)inst;
  if (isnan(p[0]) || isnan(p[1])) return empty_box;
  return (PathBox){ { p[0], p[1] }, { p[0], p[1] } };
}

static float diagonal(const PathBox *b)
{
  if (b->low[0] > b->high[0]) return 0;
  float x = b->high[0] - b->low[0], y = b->high[1] - b->low[1];
  return sqrtf(x * x + y * y);
}

/* --- links of one type ------------------------------------------------------------------------ */
typedef struct {
  NodeId from, to;
  bool   same;                /* the path goes on: it does not change from clock to data */
  bool   clock;               /* does the link belong to a clock path? */
  bool   arc;
} DepthLink;

typedef void (*VisitLink)(void *data, const DepthLink *l);

static void each_pair(const Graph *g, NodePairs it, Slot from, Slot to, bool arc, VisitLink visit,
                      void *data)
{
  while (node_pairs_next(&it)) {
    bool clock = graph_node_is_clock(g, to, it.to);
    visit(data, &(DepthLink){ it.from, it.to, graph_node_is_clock(g, from, it.from) == clock, clock,
                              arc });
  }
}

static void arc_links(const Graph *g, ArcId a, VisitLink visit, void *data)
{
  if (!arc_on(g, a) || g->arcs.flags[a] & ARC_LATCH) return;
  each_pair(g, node_pairs(g, g->arcs.map[a], g->arcs.from[a], g->arcs.to[a]), g->arcs.from[a],
            g->arcs.to[a], true, visit, data);
}

static void wire_links(const Graph *g, Slot load, VisitLink visit, void *data)
{
  if (g->nets.wire_driver[load] == NO_SLOT) return;
  each_pair(g, node_pairs(g, g->nets.wire_map[load], g->nets.wire_driver[load], load),
            g->nets.wire_driver[load], load, false, visit, data);
  if (g->nets.extra_wires.len == 0) return;
  uint32_t from, to;
  graph_extra_wires(g, load, &from, &to);
  for (uint32_t i = from; i < to; i++) {
    const ExtraWire *x = &g->nets.extra_wires.at[i];
    each_pair(g, node_pairs(g, x->map, x->driver, load), x->driver, load, false, visit, data);
  }
}

/* Visits the links into a slot. */
static void links_into(const Graph *g, Slot slot, VisitLink visit, void *data)
{
  if (!slot_is_driver(g, slot)) wire_links(g, slot, visit, data);
  else
    for (ArcId a = g->arcs.first[slot]; a < g->arcs.first[slot + 1]; a++)
      arc_links(g, a, visit, data);
}

/* --- sweeps ----------------------------------------------------------------------------------- */
static void come_in(void *data, const DepthLink *l)
{
  PathDepths *d = data;
  static const PathDepth start = { 0, 0 };
  bool arrives = d->before[l->from].cells != PATH_DEPTH_NONE;
  if (!arrives) return;
  join(&d->before[l->to], l->same ? d->before[l->from] : start, l->arc, !l->arc);
  if (d->box_before && l->same) box_add(&d->box_before[l->to], &d->box_before[l->from]);
}

/* Starts paths of depth 0 at the nodes of the seeds of a slot. */
static void begin_seeds(PathDepths *d, Slot slot)
{
  const Graph *g = d->g;
  for (uint32_t i = graph_first_seed(g, slot);
       i < g->starts.seeds.len && g->starts.seeds.at[i].slot == slot; i++) {
    uint32_t at = tag_set_find(g->tags, g->nodes.slot_tags[slot], g->starts.seeds.at[i].tag);
    d->before[g->nodes.first[slot] + at] = (PathDepth){ 0, 0 };
  }
}

static void sweep_forward(PathDepths *d)
{
  const Graph *g = d->g;
  for (Slot s = 0; s < g->slots.count; s++) {
    if (g->slots.flags[s] & SLOT_SEED) begin_seeds(d, s);
    links_into(g, s, come_in, d);
    for (NodeId n = g->nodes.first[s]; d->box_before && n < g->nodes.first[s + 1]; n++) {
      PathBox own = cell_box(d, s);
      box_add(&d->box_before[n], &own);
    }
  }
}

/* Marks the nodes where paths end: data nodes with a path end, and clock nodes that capture or
   launch data. */
static void mark_ends(PathDepths *d)
{
  static const PathDepth end = { 0, 0 };
  for (PathEndId r = 0; r < d->g->ends.path_ends.len; r++) {
    const PathEnd *pe = &d->g->ends.path_ends.at[r];
    d->after[pe->data] = end;
    if (pe->capture != NO_NODE_ID) d->after[pe->capture] = end;
  }
}

static void go_back(void *data, const DepthLink *l)
{
  PathDepths *d = data;
  static const PathDepth end = { 0, 0 };
  if (d->after[l->to].cells == PATH_DEPTH_NONE) return;
  if (l->same) join(&d->after[l->from], d->after[l->to], l->arc, !l->arc);
  else d->after[l->from] = end;
  if (d->box_after && l->same) box_add(&d->box_after[l->from], &d->box_after[l->to]);
}

static void sweep_backward(PathDepths *d)
{
  const Graph *g = d->g;
  for (Slot s = g->slots.count; s-- > 0;) {
    for (NodeId n = g->nodes.first[s]; d->box_after && n < g->nodes.first[s + 1]; n++) {
      PathBox own = cell_box(d, s);
      box_add(&d->box_after[n], &own);
    }
    links_into(g, s, go_back, d);
  }
}

static PathBox *new_boxes(uint32_t count)
{
  PathBox *b = mem_alloc(sizeof *b * ((size_t)count + 1));
  for (uint32_t i = 0; i < count; i++) b[i] = empty_box;
  return b;
}

PathDepths *path_depths_new(const Graph *g, PathPlaces places)
{
  PathDepths *d = mem_alloc_zero(1, sizeof *d);
  d->g = g;
  d->places = places;
  d->before = mem_alloc(sizeof *d->before * ((size_t)g->nodes.count + 1));
  d->after = mem_alloc(sizeof *d->after * ((size_t)g->nodes.count + 1));
  for (NodeId n = 0; n < g->nodes.count; n++) d->before[n] = d->after[n] = nothing;
  if (places.count) {
    d->box_before = new_boxes(g->nodes.count);
    d->box_after = new_boxes(g->nodes.count);
  }
  mark_ends(d);
  sweep_forward(d);
  sweep_backward(d);
  return d;
}

void path_depths_free(PathDepths *d)
{
  if (d == NULL) return;
  mem_free(d->before);
  mem_free(d->after);
  mem_free(d->box_before);
  mem_free(d->box_after);
  mem_free(d);
}

/* --- answers ---------------------------------------------------------------------------------- */
typedef struct {
  const PathDepths *d;
  bool     clock;
  uint32_t ends, any;            /* least depth of the paths that reach an end, and of all paths; 0:
                                    none */
  PathBox  box;
} Look;

static void lower(uint32_t *have, uint32_t depth)
{
  if (*have == 0 || depth < *have) *have = depth;
}

static void look(void *data, const DepthLink *l)
{
  Look *x = data;
  const PathDepths *d = x->d;
  if (l->clock != x->clock || d->before[l->from].cells == PATH_DEPTH_NONE) return;
  PathDepth before = l->same ? d->before[l->from] : (PathDepth){ 0, 0 }, after = d->after[l->to];
  bool ends = after.cells != PATH_DEPTH_NONE;
  if (!ends) after = (PathDepth){ 0, 0 };
  uint32_t depth = l->arc ? 1u + before.cells + after.cells : 1u + before.wires + after.wires;
  lower(&x->any, depth);
  if (ends) lower(&x->ends, depth);
  if (d->box_before == NULL) return;
  box_add(&x->box, l->same ? &d->box_before[l->from] : &d->box_after[l->to]);
  box_add(&x->box, &d->box_after[l->to]);
}

static PathMetric metric(const Look *x)
{
  return (PathMetric){ x->ends ? x->ends : x->any, diagonal(&x->box) };
}

/* Returns the depth of a latch's data arc. It begins the path that the output of the latch
   launches. */
static PathMetric latch_metric(const PathDepths *d, ArcId a)
{
  const Graph *g = d->g;
  Slot to = g->arcs.to[a];
  Look x = { .d = d, .box = empty_box };
  for (NodeId n = g->nodes.first[to]; n < g->nodes.first[to + 1]; n++) {
    if (graph_node_is_clock(g, to, n)) continue;
    look(&x, &(DepthLink){ n, n, false, false, true });
  }
  return metric(&x);
}

PathMetric path_depth_arc(const PathDepths *d, ArcId a, bool clock)
{
  Look x = { .d = d, .clock = clock, .box = empty_box };
  if (d->g->arcs.flags[a] & ARC_LATCH) return clock ? metric(&x) : latch_metric(d, a);
  arc_links(d->g, a, look, &x);
  return metric(&x);
}

PathMetric path_depth_wire(const PathDepths *d, Slot load, bool clock)
{
  Look x = { .d = d, .clock = clock, .box = empty_box };
  wire_links(d->g, load, look, &x);
  return metric(&x);
}
