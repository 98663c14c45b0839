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
static PathBox cell_box(const PathDepths *depths, Slot slot)
{
  InstId inst = depths->g->netlist->pins.at[depths->g->slots.pin[slot]].inst;
  if (inst == TOP_INST || inst >= depths->places.count) return empty_box;
  const float *p = depths->places.at + 2 * (size_t)inst;
  if (isnan(p[0]) || isnan(p[1])) return empty_box;
  return (PathBox){ { p[0], p[1] }, { p[0], p[1] } };
}

static float diagonal(const PathBox *box)
{
  if (box->low[0] > box->high[0]) return 0;
  float x = box->high[0] - box->low[0], y = box->high[1] - box->low[1];
  return sqrtf(x * x + y * y);
}

/* --- links of one type ------------------------------------------------------------------------ */
typedef struct {
  NodeId from, to;
  bool   same;                /* the path goes on: it does not change from clock to data */
  bool   clock;               /* does the link belong to a clock path? */
  bool   arc;
} DepthLink;

typedef void (*VisitLink)(void *data, const DepthLink *link);

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
    const ExtraWire *wire = &g->nets.extra_wires.at[i];
    each_pair(g, node_pairs(g, wire->map, wire->driver, load), wire->driver, load, false, visit,
              data);
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
static void come_in(void *data, const DepthLink *link)
{
  PathDepths *depths = data;
  static const PathDepth start = { 0, 0 };
  bool arrives = depths->before[link->from].cells != PATH_DEPTH_NONE;
  if (!arrives) return;
  join(&depths->before[link->to], link->same ? depths->before[link->from] : start, link->arc,
       !link->arc);
  if (depths->box_before && link->same)
    box_add(&depths->box_before[link->to], &depths->box_before[link->from]);
}

/* Starts paths of depth 0 at the nodes of the seeds of a slot. */
static void begin_seeds(PathDepths *depths, Slot slot)
{
  const Graph *g = depths->g;
  for (uint32_t i = graph_first_seed(g, slot);
       i < g->starts.seeds.len && g->starts.seeds.at[i].slot == slot; i++) {
    uint32_t at = tag_set_find(g->tags, g->nodes.slot_tags[slot], g->starts.seeds.at[i].tag);
    depths->before[g->nodes.first[slot] + at] = (PathDepth){ 0, 0 };
  }
}

static void sweep_forward(PathDepths *depths)
{
  const Graph *g = depths->g;
  for (Slot s = 0; s < g->slots.count; s++) {
    if (g->slots.flags[s] & SLOT_SEED) begin_seeds(depths, s);
    links_into(g, s, come_in, depths);
    for (NodeId n = g->nodes.first[s]; depths->box_before && n < g->nodes.first[s + 1]; n++) {
      PathBox own = cell_box(depths, s);
      box_add(&depths->box_before[n], &own);
    }
  }
}

/* Marks the nodes where paths end: data nodes with a path end, and clock nodes that capture or
   launch data. */
static void mark_ends(PathDepths *depths)
{
  static const PathDepth end = { 0, 0 };
  for (PathEndId r = 0; r < depths->g->ends.path_ends.len; r++) {
    const PathEnd *pe = &depths->g->ends.path_ends.at[r];
    depths->after[pe->data] = end;
    if (pe->capture != NO_NODE_ID) depths->after[pe->capture] = end;
  }
}

static void go_back(void *data, const DepthLink *link)
{
  PathDepths *depths = data;
  static const PathDepth end = { 0, 0 };
  if (depths->after[link->to].cells == PATH_DEPTH_NONE) return;
  if (link->same) join(&depths->after[link->from], depths->after[link->to], link->arc, !link->arc);
  else depths->after[link->from] = end;
  if (depths->box_after && link->same)
    box_add(&depths->box_after[link->from], &depths->box_after[link->to]);
}

static void sweep_backward(PathDepths *depths)
{
  const Graph *g = depths->g;
  for (Slot s = g->slots.count; s-- > 0;) {
    for (NodeId n = g->nodes.first[s]; depths->box_after && n < g->nodes.first[s + 1]; n++) {
      PathBox own = cell_box(depths, s);
      box_add(&depths->box_after[n], &own);
    }
    links_into(g, s, go_back, depths);
  }
}

static PathBox *new_boxes(uint32_t count)
{
  PathBox *box = mem_alloc(sizeof *box * ((size_t)count + 1));
  for (uint32_t i = 0; i < count; i++) box[i] = empty_box;
  return box;
}

PathDepths *path_depths_new(const Graph *g, PathPlaces places)
{
  PathDepths *depths = mem_alloc_zero(1, sizeof *depths);
  depths->g = g;
  depths->places = places;
  depths->before = mem_alloc(sizeof *depths->before * ((size_t)g->nodes.count + 1));
  depths->after = mem_alloc(sizeof *depths->after * ((size_t)g->nodes.count + 1));
  for (NodeId n = 0; n < g->nodes.count; n++) depths->before[n] = depths->after[n] = nothing;
  if (places.count) {
    depths->box_before = new_boxes(g->nodes.count);
    depths->box_after = new_boxes(g->nodes.count);
  }
  mark_ends(depths);
  sweep_forward(depths);
  sweep_backward(depths);
  return depths;
}

void path_depths_free(PathDepths *depths)
{
  if (depths == NULL) return;
  mem_free(depths->before);
  mem_free(depths->after);
  mem_free(depths->box_before);
  mem_free(depths->box_after);
  mem_free(depths);
}

/* --- answers ---------------------------------------------------------------------------------- */
typedef struct {
  const PathDepths *depths;
  bool     clock;
  uint32_t ends, any;            /* least depth of the paths that reach an end, and of all paths; 0:
                                    none */
  PathBox  box;
} Look;

static void lower(uint32_t *have, uint32_t depth)
{
  if (*have == 0 || depth < *have) *have = depth;
}

static void look(void *data, const DepthLink *link)
{
  Look *the_look = data;
  const PathDepths *depths = the_look->depths;
  if (link->clock != the_look->clock || depths->before[link->from].cells == PATH_DEPTH_NONE) return;
  PathDepth before = link->same ? depths->before[link->from] : (PathDepth){ 0, 0 },
            after = depths->after[link->to];
  bool ends = after.cells != PATH_DEPTH_NONE;
  if (!ends) after = (PathDepth){ 0, 0 };
  uint32_t depth = link->arc ? 1u + before.cells + after.cells : 1u + before.wires + after.wires;
  lower(&the_look->any, depth);
  if (ends) lower(&the_look->ends, depth);
  if (depths->box_before == NULL) return;
  box_add(&the_look->box,
          link->same ? &depths->box_before[link->from] : &depths->box_after[link->to]);
  box_add(&the_look->box, &depths->box_after[link->to]);
}

static PathMetric metric(const Look *look)
{
  return (PathMetric){ look->ends ? look->ends : look->any, diagonal(&look->box) };
}

/* Returns the depth of a latch's data arc. It begins the path that the output of the latch
   launches. */
static PathMetric latch_metric(const PathDepths *depths, ArcId a)
{
  const Graph *g = depths->g;
  Slot to = g->arcs.to[a];
  Look x = { .depths = depths, .box = empty_box };
  for (NodeId n = g->nodes.first[to]; n < g->nodes.first[to + 1]; n++) {
    if (graph_node_is_clock(g, to, n)) continue;
    look(&x, &(DepthLink){ n, n, false, false, true });
  }
  return metric(&x);
}

PathMetric path_depth_arc(const PathDepths *depths, ArcId a, bool clock)
{
  Look x = { .depths = depths, .clock = clock, .box = empty_box };
  if (depths->g->arcs.flags[a] & ARC_LATCH) return clock ? metric(&x) : latch_metric(depths, a);
  arc_links(depths->g, a, look, &x);
  return metric(&x);
}

PathMetric path_depth_wire(const PathDepths *depths, Slot load, bool clock)
{
  Look x = { .depths = depths, .clock = clock, .box = empty_box };
  wire_links(depths->g, load, look, &x);
  return metric(&x);
}
