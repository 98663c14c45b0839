#include "graph/common_tree.h"

#include "graph/build.h"

typedef struct {
  Graph *g;
  ARRAY(CommonPlace) place;
  ARRAY(uint32_t) slot;
  ARRAY(uint8_t)  phase_above;
  ARRAY(uint32_t) nodes;
} Tree;

static const Tag *node_tag(const Graph *g, Slot slot, NodeId node)
{
  return &g->tags->tags.at[tag_set_tags(g->tags, g->slot_tags[slot])[node - g->node_first[slot]]];
}

static uint32_t add_place(Tree *t, Slot slot, uint32_t parent)
{
  uint32_t place = t->slot.len;
  const CommonPlace *p = t->place.at, *above = &p[parent], *far = &p[above->jump];
  bool doubles = above->depth - far->depth == far->depth - p[far->jump].depth;
  CommonPlace own = { parent, above->depth + 1, doubles ? far->jump : parent, parent == 0 ? place : above->clock_root };
  array_push(&t->slot, slot);
  array_push(&t->place, own);
  array_push(&t->phase_above, 0);
  return place;
}

static uint32_t ancestor(const Tree *t, uint32_t a, uint32_t b)
{
  CommonView v = { .place = t->place.at };
  return common_ancestor(&v, a, b);
}

/* --- where a clock comes from --------------------------------------------------------------------------------------- */
typedef struct {
  Tree    *t;
  ClockId  clock;
  Slot     slot;
  uint32_t place;            /* UINT32_MAX: nothing yet */
} Above;

static void take(Above *a, uint32_t place) { a->place = a->place == UINT32_MAX ? place : ancestor(a->t, a->place, place); }

static void take_links(Above *a, Slot from, MapId map)
{
  const Graph *g = a->t->g;
  NodePairs it = node_pairs(g, map, from, a->slot);
  while (node_pairs_next(&it)) {
    const Tag *to = node_tag(g, a->slot, it.to), *tag = node_tag(g, from, it.from);
    if (!to->is_clock || clock_edge_clock(to->clock_edge) != a->clock || !tag->is_clock) continue;
    take(a, g->common.leaf_of_node[it.from] >> 1);
  }
}

static void take_fanin(Above *a)
{
  const Graph *g = a->t->g;
  if (slot_is_driver(g, a->slot)) {
    for (ArcId arc = g->arc_first[a->slot]; arc < g->arc_first[a->slot + 1]; arc++)
      if (arc_on(g, arc) && !(g->arc_flags[arc] & ARC_LATCH)) take_links(a, g->arc_from[arc], g->arc_map[arc]);
    return;
  }
  if (g->wire_driver[a->slot] == NO_SLOT) return;
  take_links(a, g->wire_driver[a->slot], g->wire_map[a->slot]);
  uint32_t from, to;
  graph_extra_wires(g, a->slot, &from, &to);
  for (uint32_t i = from; i < to; i++) take_links(a, g->extra_wires.at[i].driver, g->extra_wires.at[i].map);
}

static bool begins_here(const Graph *g, Slot slot, ClockId clock)
{
  for (uint32_t i = graph_first_seed(g, slot); i < g->seeds.len && g->seeds.at[i].slot == slot; i++) {
    const Tag *tag = &g->tags->tags.at[g->seeds.at[i].tag];
    if (tag->is_clock && clock_edge_clock(tag->clock_edge) == clock) return true;
  }
  return false;
}

/* --- places --------------------------------------------------------------------------------------------------------------- */
static uint32_t place_above(Tree *t, Slot slot, ClockId clock)
{
  Above a = { t, clock, slot, UINT32_MAX };
  if (t->g->slot_flags[slot] & SLOT_SEED && begins_here(t->g, slot, clock)) a.place = 0;
  take_fanin(&a);
  return a.place == UINT32_MAX ? 0 : a.place;
}

/* The slot's place for a clock, made for the first of its nodes. */
static uint32_t place_of(Tree *t, Slot slot, ClockId clock, NodeId node)
{
  const Graph *g = t->g;
  for (NodeId n = g->node_first[slot]; n < node; n++) {
    const Tag *tag = node_tag(g, slot, n);
    if (g->common.leaf_of_node[n] && clock_edge_clock(tag->clock_edge) == clock) return g->common.leaf_of_node[n] >> 1;
  }
  return add_place(t, slot, place_above(t, slot, clock));
}

static void add_slot(Tree *t, Slot slot)
{
  Graph *g = t->g;
  for (NodeId n = g->node_first[slot]; n < g->node_first[slot + 1]; n++) {
    const Tag *tag = node_tag(g, slot, n);
    if (!tag->is_clock || !tag->propagated) continue;
    uint32_t place = place_of(t, slot, clock_edge_clock(tag->clock_edge), n);
    g->common.leaf_of_node[n] = 2 * place + (uint32_t)clock_edge_edge(tag->clock_edge);
    array_push(&t->nodes, n);
  }
}

/* Is a capture ever of another phase or clock than the launch? */
static bool mixes(const Graph *g)
{
  for (RowId i = 0; i < g->rows.len; i++) {
    const Row *r = &g->rows.at[i];
    if (r->capture != NO_NODE_ID && node_tag(g, r->slot, r->data)->clock_edge != r->capture_clock) return true;
  }
  return false;
}

void common_tree_build(Graph *g)
{
  Tree t = { .g = g };
  g->common.leaf_of_node = mem_alloc_zero((size_t)g->node_count + 1, sizeof *g->common.leaf_of_node);
  array_push(&t.slot, NO_SLOT);
  array_push(&t.place, (CommonPlace){ 0, 0, 0, 0 });
  array_push(&t.phase_above, 0);
  for (Slot s = 0; s < g->slot_count; s++)
    if (g->node_first[s + 1] > g->node_first[s]) add_slot(&t, s);
  g->common.count = t.slot.len;
  g->common.place = t.place.at;
  g->common.slot = t.slot.at;
  g->common.phase_above = t.phase_above.at;
  g->common.clock_nodes = t.nodes.at;
  g->common.clock_node_count = t.nodes.len;
  g->common.mixed = mixes(g);
}

void common_tree_free(CommonTree *tree)
{
  void *arrays[] = { tree->place, tree->slot, tree->phase_above, tree->leaf_of_node, tree->clock_nodes };
  for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) mem_free(arrays[i]);
}
