/* Makes the arrays of device/flat_credit.h. */
#include "base/pool.h"
#include "device/flat_credit.h"

#include "timing/credit.h"

#define MAKE(type, field, count)                                    \
  type *field = mem_alloc_zero((size_t)(count) + 1, sizeof *field); \
  credit->field = field

typedef struct {
  const Timing *t;
  uint32_t     *node_slot, *node_leaf;
} NodePlaces;

static void nodes_share(void *context, uint32_t step, uint32_t from, uint32_t to, int thread)
{
  const NodePlaces *places = context;
  const Graph *g = places->t->g;
  (void)step;
  (void)thread;
  for (Slot s = from; s < to; s++)
    for (NodeId n = g->nodes.first[s]; n < g->nodes.first[s + 1]; n++) {
      places->node_slot[n] = s;
      places->node_leaf[n] = common_leaf(places->t, s, n);
    }
}

static void put_nodes(FlatCredit *credit, const Timing *t)
{
  const Graph *g = t->g;
  MAKE(uint32_t, node_slot, credit->node_count);
  MAKE(uint32_t, node_leaf, credit->node_count);
  pool_items(g->slots.count, 10, t->threads, nodes_share, &(NodePlaces){ t, node_slot, node_leaf });
}

/* Lists the clock nodes. Nodes of points that stand for the driver before them are left out (see
   cpu/cpu_credit.c). */
static void put_clock_nodes(FlatCredit *credit, const Timing *t)
{
  const CommonTree *tree = &t->g->common;
  MAKE(uint32_t, clock_node, tree->clock_node_count);
  MAKE(uint32_t, clock_leaf, tree->clock_node_count);
  for (uint32_t i = 0; i < tree->clock_node_count; i++) {
    uint32_t leaf = tree->leaf_of_node[tree->clock_nodes[i]];
    if (common_stands_for_driver(t, leaf >> 1)) continue;
    clock_node[credit->clock_count] = tree->clock_nodes[i];
    clock_leaf[credit->clock_count++] = leaf;
  }
}

static void put_seeds(FlatCredit *credit, const Timing *t)
{
  MAKE(uint32_t, seed_leaf, credit->seed_count);
  for (uint32_t i = 0; i < credit->seed_count; i++)
    seed_leaf[i] = common_seed_leaf(t, &t->g->starts.seeds.at[i]);
}

static void put_path_ends(FlatCredit *credit, const Timing *t)
{
  const Graph *g = t->g;
  MAKE(uint8_t, end_between_data, credit->path_end_count);
  for (PathEndId i = 0; i < credit->path_end_count; i++)
    end_between_data[i] = common_end_between_data(t, &g->ends.path_ends.at[i]);
}

static void put_wide(FlatCredit *credit, const Timing *t)
{
  const Graph *g = t->g;
  ARRAY(uint32_t) nodes = { 0 };
  MAKE(uint32_t, wide_first, g->levels.count + 1);
  for (uint32_t l = 0; l < g->levels.count; l++) {
    wide_first[l] = nodes.len;
    for (Slot s = g->levels.first[l]; s < g->levels.loads[l]; s++)
      for (NodeId n = g->nodes.first[s];
           n < g->nodes.first[s + 1] && g->nets.load_count[s] > CREDIT_WIDE; n++)
        array_push(&nodes, n);
  }
  wide_first[g->levels.count] = credit->wide_count = nodes.len;
  credit->wide_nodes = nodes.at;
}

FlatCredit *flat_credit_new(const Timing *t)
{
  const CommonTree *tree = &t->g->common;
  FlatCredit *credit = mem_alloc_zero(1, sizeof *credit);
  *credit = (FlatCredit){ .point_count = tree->count,
                          .order_count = tree->order_count,
                          .node_count = t->g->nodes.count,
                          .path_end_count = t->g->ends.path_ends.len,
                          .seed_count = t->g->starts.seeds.len,
                          .same_transition = t->common_options.same_transition,
                          .mixed = tree->mixed,
                          .one_clock = tree->one_clock,
                          .ends_only = t->common_options.required == COMMON_BY_ENDS,
                          .point = tree->point,
                          .least = tree->least,
                          .edge_above = tree->edge_above };
  put_nodes(credit, t);
  put_clock_nodes(credit, t);
  put_seeds(credit, t);
  put_path_ends(credit, t);
  put_wide(credit, t);
  return credit;
}

FlatLatched *flat_latched(const Timing *t)
{
  FlatLatched *list = mem_alloc(sizeof *list * ((size_t)t->latches.arrivals.len + 1));
  for (uint32_t i = 0; i < t->latches.arrivals.len; i++) {
    const LatchArrival *arrival = &t->latches.arrivals.at[i];
    list[i] = (FlatLatched){ arrival->node, arrival->edge, arrival->leaf, arrival->arrival };
  }
  return list;
}

void flat_credit_free(FlatCredit *credit)
{
  if (credit == NULL) return;
  const void *own[] = { credit->node_slot,  credit->node_leaf, credit->clock_node,
                        credit->clock_leaf, credit->seed_leaf, credit->end_between_data,
                        credit->wide_nodes, credit->wide_first };
  for (size_t i = 0; i < sizeof own / sizeof *own; i++) mem_free((void *)own[i]);
  mem_free(credit);
}
