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
static uint32_t add_point(Tree *tree, Slot slot, Hook hook)
{
  uint32_t parent = hook.parent;
  uint32_t point = tree->slot.len;
  const CommonPoint *common_point = tree->point.at;
  uint32_t near = tree->jump.at[parent], far = tree->jump.at[near];
  bool doubles = common_point[parent].depth - common_point[near].depth
                 == common_point[near].depth - common_point[far].depth;
  CommonPoint own = { parent, common_point[parent].depth + 1, 0,
                      parent == 0 || hook.begins ? point : common_point[parent].clock_root };
  array_push(&tree->slot, slot);
  array_push(&tree->jump, doubles ? far : parent);
  array_push(&tree->point, own);
  array_push(&tree->edge_above, hook.edges);
  return point;
}

static uint32_t lift(const Tree *tree, uint32_t point, uint32_t depth)
{
  const CommonPoint *common_point = tree->point.at;
  while (common_point[point].depth > depth)
    point = common_point[tree->jump.at[point]].depth >= depth ? tree->jump.at[point]
                                                              : common_point[point].parent;
  return point;
}

static uint32_t ancestor(const Tree *tree, uint32_t a, uint32_t b)
{
  const CommonPoint *point = tree->point.at;
  a = lift(tree, a, point[b].depth);
  b = lift(tree, b, point[a].depth);
  while (a != b) {
    bool far = tree->jump.at[a] != tree->jump.at[b];
    a = far ? tree->jump.at[a] : point[a].parent;
    b = far ? tree->jump.at[b] : point[b].parent;
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
  Tree    *tree;
  ClockId  clock;
  Slot     slot;
  uint32_t point;            /* the common ancestor of the points found so far; UINT32_MAX: none
                                yet */
  NodeId   node;             /* the hidden node in question; only for take_hidden */
} Above;

static void take(Above *above, uint32_t point)
{
  above->point = above->point == UINT32_MAX ? point : ancestor(above->tree, above->point, point);
}

/* Returns the point that a clock passes on from a slot. A load is a point of its own, but nothing
   is below it unless a clock begins there. So the point of its driver is passed on. */
static uint32_t driver_point(const Tree *tree, Slot slot, uint32_t point)
{
  bool passes = !slot_is_driver(tree->g, slot) && tree->point.at[point].clock_root != point;
  return passes ? tree->point.at[point].parent : point;
}

typedef void (*TakeLinks)(Above *above, Slot from, MapId map);

/* Takes the points from which a clock comes over an arc or wire of its network. */
static void take_links(Above *above, Slot from, MapId map)
{
  const Graph *g = above->tree->g;
  NodePairs it = node_pairs(g, map, from, above->slot);
  while (node_pairs_next(&it)) {
    const Tag *to = node_tag(g, above->slot, it.to), *tag = node_tag(g, from, it.from);
    if (!tag_is_clock(to) || clock_edge_clock(to->clock_edge) != above->clock || !tag_is_clock(tag))
      continue;
    take(above, driver_point(above->tree, from, g->common.leaf_of_node[it.from] >> 1));
  }
}

/* Takes the points from which a hidden node comes: that of a clock node, even of a register's clock
   pin, or the result for the hidden node before it. */
static void take_hidden(Above *above, Slot from, MapId map)
{
  const Graph *g = above->tree->g;
  NodePairs it = node_pairs(g, map, from, above->slot);
  while (node_pairs_next(&it)) {
    if (it.to != above->node) continue;
    take(above, tag_is_hidden(node_tag(g, from, it.from)) ? above->tree->hidden[it.from]
                                                          : g->common.leaf_of_node[it.from] >> 1);
  }
}

static void take_fanin(Above *above, TakeLinks take_from)
{
  const Graph *g = above->tree->g;
  if (slot_is_driver(g, above->slot)) {
    for (ArcId arc = g->arcs.first[above->slot]; arc < g->arcs.first[above->slot + 1]; arc++)
      if (arc_on(g, arc) && !(g->arcs.flags[arc] & ARC_LATCH))
        take_from(above, g->arcs.from[arc], g->arcs.map[arc]);
    return;
  }
  if (g->nets.wire_driver[above->slot] == NO_SLOT) return;
  take_from(above, g->nets.wire_driver[above->slot], g->nets.wire_map[above->slot]);
  uint32_t from, to;
  graph_extra_wires(g, above->slot, &from, &to);
  for (uint32_t i = from; i < to; i++)
    take_from(above, g->nets.extra_wires.at[i].driver, g->nets.extra_wires.at[i].map);
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
static bool note_edge(const Graph *g, const ClockLink *link, uint8_t *edges)
{
  unsigned sides = link->edge == RISE ? BOTH_SIDES_RISE : BOTH_SIDES_FALL;
  int edge = clock_edge_edge(node_tag(g, link->slot, link->to)->clock_edge);
  edges[edge] |= (uint8_t)(1 << clock_edge_edge(node_tag(g, link->slot, link->from)->clock_edge));
  return (link->conditions & sides) == sides;
}

/* Each edge that begins here must come from a single edge of the master.  Otherwise nothing is
   known of what the two clock paths have in common. */
static Hook hook_of_links(Tree *tree, Slot slot, ClockId clock)
{
  Above a = { tree, clock, slot, UINT32_MAX, NO_NODE_ID };
  Hook none = { 0, true, 0 };
  uint32_t from, to;
  uint8_t edges[2] = { 0, 0 };
  graph_links(tree->g, slot, &from, &to);
  for (uint32_t i = from; i < to; i++) {
    const ClockLink *link = &tree->g->starts.links.at[i];
    if (clock_edge_clock(node_tag(tree->g, slot, link->to)->clock_edge) != clock) continue;
    if (!note_edge(tree->g, link, edges)) return none;
    take(&a, tree->hidden[link->from]);
  }
  for (int edge = RISE; edge <= FALL; edge++)
    if (edges[edge] != 1 && edges[edge] != 2) return none;
  return (Hook){ a.point, true, (uint8_t)(edges[RISE] >> 1 | (edges[FALL] >> 1) << 1) };
}

static void find_hidden(Tree *tree, Slot slot)
{
  for (NodeId n = tree->g->nodes.first[slot]; n < tree->g->nodes.first[slot + 1]; n++) {
    if (!tag_is_hidden(node_tag(tree->g, slot, n))) continue;
    Above a = { tree, NO_CLOCK, slot, UINT32_MAX, n };
    take_fanin(&a, take_hidden);
    tree->hidden[n] = a.point == UINT32_MAX ? 0 : a.point;
  }
}

/* --- points ----------------------------------------------------------------------------------- */
static Hook hook_of(Tree *tree, Slot slot, ClockId clock)
{
  if (tree->g->slots.flags[slot] & SLOT_SEED && begins_here(tree->g, slot, clock))
    return hook_of_links(tree, slot, clock);
  Above a = { tree, clock, slot, UINT32_MAX, NO_NODE_ID };
  take_fanin(&a, take_links);
  return (Hook){ a.point == UINT32_MAX ? 0 : a.point, false, 0 };
}

/* Returns the point of a slot for a clock. It is made for the first node of the clock at the
   slot. */
static uint32_t point_of(Tree *tree, Slot slot, ClockId clock, NodeId node)
{
  const Graph *g = tree->g;
  for (NodeId n = g->nodes.first[slot]; n < node; n++) {
    const Tag *tag = node_tag(g, slot, n);
    if (g->common.leaf_of_node[n] && clock_edge_clock(tag->clock_edge) == clock)
      return g->common.leaf_of_node[n] >> 1;
  }
  return add_point(tree, slot, hook_of(tree, slot, clock));
}

static void add_slot(Tree *tree, Slot slot)
{
  Graph *g = tree->g;
  if (tree->hidden) find_hidden(tree, slot);
  for (NodeId n = g->nodes.first[slot]; n < g->nodes.first[slot + 1]; n++) {
    const Tag *tag = node_tag(g, slot, n);
    if (!tag_is_clock(tag) || !tag->propagated) continue;
    uint32_t point = point_of(tree, slot, clock_edge_clock(tag->clock_edge), n);
    g->common.leaf_of_node[n] = 2 * point + (uint32_t)clock_edge_edge(tag->clock_edge);
    array_push(&tree->nodes, n);
  }
}

/* Returns true if a capture can have another edge or clock than its launch. */
static bool mixes(const Graph *g)
{
  for (PathEndId i = 0; i < g->ends.path_ends.len; i++) {
    const PathEnd *end = &g->ends.path_ends.at[i];
    if (end->capture != NO_NODE_ID
        && node_tag(g, end->slot, end->data)->clock_edge != end->capture_clock)
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
