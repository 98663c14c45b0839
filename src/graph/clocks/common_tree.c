/* Builds the tree of clock pins for common path credit. The parent of a point is the common
   ancestor of the points that lead to it; jump pointers find ancestors in logarithmic time. */
#include "graph/clocks/common_tree.h"

#include "graph/build.h"

typedef struct {
  Graph *g;
  ARRAY(CommonPoint) point;
  ARRAY(uint32_t) slot, jump;
  ARRAY(uint8_t)  edge_above;
  ARRAY(uint32_t) nodes;
  uint32_t *hidden;          /* [nodes]: for hidden nodes (see tag.h) the last point on every way to
                                them; NULL: no clock is linked */
} Tree;

static const Tag *node_tag(const Graph *g, Slot slot, NodeId node)
{
  return &g->tags->tags.at[graph_node_tag(g, slot, node)];
}

/* The parent of a point.  The parent of a generated clock's first point is a point of its master;
   edges is the value of edge_above. */
typedef struct {
  uint32_t parent;
  bool     begins;
  uint8_t  edges;
} Hook;

/* Tree.jump holds a point above each point, chosen so that log(depth) steps reach any point
   above. */
static uint32_t add_point(Tree *t, Slot slot, Hook hook)
{
  uint32_t parent = hook.parent;
  uint32_t point = t->slot.len;
  const CommonPoint *p = t->point.at;
  uint32_t near = t->jump.at[parent], far = t->jump.at[near];
  bool doubles = p[parent].depth - p[near].depth == p[near].depth - p[far].depth;
  CommonPoint own = { parent, p[parent].depth + 1, 0,
                      parent == 0 || hook.begins ? point : p[parent].clock_root };
  array_push(&t->slot, slot);
  array_push(&t->jump, doubles ? far : parent);
  array_push(&t->point, own);
  array_push(&t->edge_above, hook.edges);
  return point;
}

static uint32_t lift(const Tree *t, uint32_t point, uint32_t depth)
{
  const CommonPoint *p = t->point.at;
  while (p[point].depth > depth)
    point = p[t->jump.at[point]].depth >= depth ? t->jump.at[point] : p[point].parent;
  return point;
}

static uint32_t ancestor(const Tree *t, uint32_t a, uint32_t b)
{
  const CommonPoint *p = t->point.at;
  a = lift(t, a, p[b].depth);
  b = lift(t, b, p[a].depth);
  while (a != b) {
    bool far = t->jump.at[a] != t->jump.at[b];
    a = far ? t->jump.at[a] : p[a].parent;
    b = far ? t->jump.at[b] : p[b].parent;
  }
  return a;
}

/* Gives the points their order: that of a walk from the root down. Only the root and points with
   children get a number of their own; the others share the number of their parent. */
static void number_points(CommonTree *tree)
{
  uint32_t n = tree->count;
  uint32_t *size = mem_alloc_zero(n, sizeof *size), *next = mem_alloc(sizeof *next * n);
  size[0] = 1;                              /* number of points with a number of their own, in the
                                               subtree of each point */
  for (uint32_t p = n; p-- > 1;) {
    uint32_t parent = tree->point[p].parent;
    if (size[p] == 0 && parent != 0 && size[parent] == 0) size[parent] = 1;
    if (size[p] == 0) continue;
    size[parent] += size[p] + (size[parent] == 0);
  }
  next[0] = 1;
  for (uint32_t p = 1; p < n; p++) {
    uint32_t parent = tree->point[p].parent;
    tree->point[p].order = size[p] ? next[parent] : tree->point[parent].order;
    next[parent] += size[p];
    next[p] = tree->point[p].order + 1;
  }
  tree->order_count = size[0];
  mem_free(size);
  mem_free(next);
}

/* The table that common_ancestor looks into. */
static void index_points(CommonTree *tree)
{
  number_points(tree);
  uint32_t n = tree->order_count, rows = common_log(n) + 1;
  tree->least = mem_alloc(sizeof *tree->least * n * rows);
  tree->least[0] = 0;
  tree->one_clock = true;
  for (uint32_t p = 1; p < tree->count; p++) {
    const CommonPoint *own = &tree->point[p], *above = &tree->point[own->parent];
    if (own->order != above->order) tree->least[own->order] = own->parent;
    tree->one_clock &= own->clock_root == tree->point[1].clock_root;
  }
  for (uint32_t row = 1; row < rows; row++) {
    const uint32_t *from = tree->least + (size_t)(row - 1) * n;
    uint32_t *to = tree->least + (size_t)row * n, half = 1u << (row - 1);
    for (uint32_t i = 0; i < n; i++)
      to[i] = i + half < n && from[i + half] < from[i] ? from[i + half] : from[i];
  }
}

/* --- where a clock comes from ----------------------------------------------------------------- */
typedef struct {
  Tree    *t;
  ClockId  clock;
  Slot     slot;
  uint32_t point;            /* the common ancestor of the points found so far; UINT32_MAX: none
                                yet */
  NodeId   node;             /* the hidden node in question; only for take_hidden */
} Above;

static void take(Above *a, uint32_t point)
{
  a->point = a->point == UINT32_MAX ? point : ancestor(a->t, a->point, point);
}

/* Returns the point that a clock passes on from a slot. A load is a point of its own, but nothing
   is below it unless a clock begins there. So the point of its driver is passed on. */
static uint32_t driver_point(const Tree *t, Slot slot, uint32_t point)
{
  bool passes = !slot_is_driver(t->g, slot) && t->point.at[point].clock_root != point;
  return passes ? t->point.at[point].parent : point;
}

typedef void (*TakeLinks)(Above *a, Slot from, MapId map);

/* Takes the points from which a clock comes over an arc or wire of its network. */
static void take_links(Above *a, Slot from, MapId map)
{
  const Graph *g = a->t->g;
  NodePairs it = node_pairs(g, map, from, a->slot);
  while (node_pairs_next(&it)) {
    const Tag *to = node_tag(g, a->slot, it.to), *tag = node_tag(g, from, it.from);
    if (!tag_is_clock(to) || clock_edge_clock(to->clock_edge) != a->clock || !tag_is_clock(tag))
      continue;
    take(a, driver_point(a->t, from, g->common.leaf_of_node[it.from] >> 1));
  }
}

/* Takes the points from which a hidden node comes: that of a clock node, even of a register's clock
   pin, or the result for the hidden node before it. */
static void take_hidden(Above *a, Slot from, MapId map)
{
  const Graph *g = a->t->g;
  NodePairs it = node_pairs(g, map, from, a->slot);
  while (node_pairs_next(&it)) {
    if (it.to != a->node) continue;
    take(a, tag_is_hidden(node_tag(g, from, it.from)) ? a->t->hidden[it.from]
                                                      : g->common.leaf_of_node[it.from] >> 1);
  }
}

static void take_fanin(Above *a, TakeLinks take_from)
{
  const Graph *g = a->t->g;
  if (slot_is_driver(g, a->slot)) {
    for (ArcId arc = g->arcs.first[a->slot]; arc < g->arcs.first[a->slot + 1]; arc++)
      if (arc_on(g, arc) && !(g->arcs.flags[arc] & ARC_LATCH))
        take_from(a, g->arcs.from[arc], g->arcs.map[arc]);
    return;
  }
  if (g->nets.wire_driver[a->slot] == NO_SLOT) return;
  take_from(a, g->nets.wire_driver[a->slot], g->nets.wire_map[a->slot]);
  uint32_t from, to;
  graph_extra_wires(g, a->slot, &from, &to);
  for (uint32_t i = from; i < to; i++)
    take_from(a, g->nets.extra_wires.at[i].driver, g->nets.extra_wires.at[i].map);
}

static bool begins_here(const Graph *g, Slot slot, ClockId clock)
{
  for (uint32_t i = graph_first_seed(g, slot);
       i < g->starts.seeds.len && g->starts.seeds.at[i].slot == slot; i++) {
    const Tag *tag = &g->tags->tags.at[g->starts.seeds.at[i].tag];
    if (tag->is_clock && clock_edge_clock(tag->clock_edge) == clock) return true;
  }
  return false;
}

/* --- where a generated clock comes from ------------------------------------------------------- */
enum { BOTH_SIDES_RISE = 1 << 0 | 1 << 2, BOTH_SIDES_FALL = 1 << 1 | 1 << 3 };

/* Records the edge of the master that makes an edge of the generated clock. Returns false if the
   early or the late side of the edge does not come from the master. */
static bool note_edge(const Graph *g, const ClockLink *l, uint8_t *edges)
{
  unsigned sides = l->edge == RISE ? BOTH_SIDES_RISE : BOTH_SIDES_FALL;
  int edge = clock_edge_edge(node_tag(g, l->slot, l->to)->clock_edge);
  edges[edge] |= (uint8_t)(1 << clock_edge_edge(node_tag(g, l->slot, l->from)->clock_edge));
  return (l->conditions & sides) == sides;
}

/* Each edge that begins here must come from a single edge of the master.  Otherwise nothing is
   known of what the two clock paths have in common. */
static Hook hook_of_links(Tree *t, Slot slot, ClockId clock)
{
  Above a = { t, clock, slot, UINT32_MAX, NO_NODE_ID };
  Hook none = { 0, true, 0 };
  uint32_t from, to;
  uint8_t edges[2] = { 0, 0 };
  graph_links(t->g, slot, &from, &to);
  for (uint32_t i = from; i < to; i++) {
    const ClockLink *l = &t->g->starts.links.at[i];
    if (clock_edge_clock(node_tag(t->g, slot, l->to)->clock_edge) != clock) continue;
    if (!note_edge(t->g, l, edges)) return none;
    take(&a, t->hidden[l->from]);
  }
  for (int edge = RISE; edge <= FALL; edge++)
    if (edges[edge] != 1 && edges[edge] != 2) return none;
  return (Hook){ a.point, true, (uint8_t)(edges[RISE] >> 1 | (edges[FALL] >> 1) << 1) };
}

static void find_hidden(Tree *t, Slot slot)
{
  for (NodeId n = t->g->nodes.first[slot]; n < t->g->nodes.first[slot + 1]; n++) {
    if (!tag_is_hidden(node_tag(t->g, slot, n))) continue;
    Above a = { t, NO_CLOCK, slot, UINT32_MAX, n };
    take_fanin(&a, take_hidden);
    t->hidden[n] = a.point == UINT32_MAX ? 0 : a.point;
  }
}

/* --- points ----------------------------------------------------------------------------------- */
static Hook hook_of(Tree *t, Slot slot, ClockId clock)
{
  if (t->g->slots.flags[slot] & SLOT_SEED && begins_here(t->g, slot, clock))
    return hook_of_links(t, slot, clock);
  Above a = { t, clock, slot, UINT32_MAX, NO_NODE_ID };
  take_fanin(&a, take_links);
  return (Hook){ a.point == UINT32_MAX ? 0 : a.point, false, 0 };
}

/* Returns the point of a slot for a clock. It is made for the first node of the clock at the
   slot. */
static uint32_t point_of(Tree *t, Slot slot, ClockId clock, NodeId node)
{
  const Graph *g = t->g;
  for (NodeId n = g->nodes.first[slot]; n < node; n++) {
    const Tag *tag = node_tag(g, slot, n);
    if (g->common.leaf_of_node[n] && clock_edge_clock(tag->clock_edge) == clock)
      return g->common.leaf_of_node[n] >> 1;
  }
  return add_point(t, slot, hook_of(t, slot, clock));
}

static void add_slot(Tree *t, Slot slot)
{
  Graph *g = t->g;
  if (t->hidden) find_hidden(t, slot);
  for (NodeId n = g->nodes.first[slot]; n < g->nodes.first[slot + 1]; n++) {
    const Tag *tag = node_tag(g, slot, n);
    if (!tag_is_clock(tag) || !tag->propagated) continue;
    uint32_t point = point_of(t, slot, clock_edge_clock(tag->clock_edge), n);
    g->common.leaf_of_node[n] = 2 * point + (uint32_t)clock_edge_edge(tag->clock_edge);
    array_push(&t->nodes, n);
  }
}

/* Returns true if a capture can have another edge or clock than its launch. */
static bool mixes(const Graph *g)
{
  for (PathEndId i = 0; i < g->ends.path_ends.len; i++) {
    const PathEnd *r = &g->ends.path_ends.at[i];
    if (r->capture != NO_NODE_ID && node_tag(g, r->slot, r->data)->clock_edge != r->capture_clock)
      return true;
  }
  return false;
}

void common_tree_build(Graph *g)
{
  Tree t = { .g = g };
  if (g->starts.links.len) t.hidden = mem_alloc_zero((size_t)g->nodes.count + 1, sizeof *t.hidden);
  g->common.leaf_of_node =
      mem_alloc_zero((size_t)g->nodes.count + 1, sizeof *g->common.leaf_of_node);
  array_push(&t.slot, NO_SLOT);
  array_push(&t.point, (CommonPoint){ 0, 0, 0, 0 });
  array_push(&t.jump, 0);
  array_push(&t.edge_above, 0);
  for (Slot s = 0; s < g->slots.count; s++)
    if (g->nodes.first[s + 1] > g->nodes.first[s]) add_slot(&t, s);
  g->common.count = t.slot.len;
  g->common.point = t.point.at;
  g->common.slot = t.slot.at;
  g->common.edge_above = t.edge_above.at;
  g->common.clock_nodes = t.nodes.at;
  g->common.clock_node_count = t.nodes.len;
  g->common.mixed = mixes(g);
  index_points(&g->common);
  array_free(&t.jump);
  mem_free(t.hidden);
}

void common_tree_free(CommonTree *tree)
{
  void *arrays[] = { tree->point,       tree->least,        tree->slot,
                     tree->edge_above, tree->leaf_of_node, tree->clock_nodes };
  for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) mem_free(arrays[i]);
}
