/* Makes the arrays of device/flat_credit.h. */
#include "base/pool.h"
#include "device/flat_credit.h"

#include "timing/credit.h"

#define MAKE(type, field, count) type *field = \
    mem_alloc_zero((size_t)(count) + 1, sizeof *field); f->field = field

typedef struct {
  const Timing *t;
  uint32_t     *node_slot, *node_leaf;
} NodePlaces;

static void nodes_share(void *context, uint32_t step, uint32_t from, uint32_t to, int thread)
{
  const NodePlaces *x = context;
  const Graph *g = x->t->g;
  (void)step;
  (void)thread;
  for (Slot s = from; s < to; s++)
    for (NodeId n = g->nodes.first[s]; n < g->nodes.first[s + 1]; n++) {
      x->node_slot[n] = s;
      x->node_leaf[n] = common_leaf(x->t, s, n);
    }
}

static void put_nodes(FlatCredit *f, const Timing *t)
{
  const Graph *g = t->g;
  MAKE(uint32_t, node_slot, f->node_count);
  MAKE(uint32_t, node_leaf, f->node_count);
  pool_items(g->slots.count, 10, t->threads, nodes_share, &(NodePlaces){ t, node_slot, node_leaf });
}

/* Lists the clock nodes. Nodes of points that stand for the driver before them are left out (see
   cpu/cpu_credit.c). */
static void put_clock_nodes(FlatCredit *f, const Timing *t)
{
  const CommonTree *tree = &t->g->common;
  MAKE(uint32_t, clock_node, tree->clock_node_count);
  MAKE(uint32_t, clock_leaf, tree->clock_node_count);
  for (uint32_t i = 0; i < tree->clock_node_count; i++) {
    uint32_t leaf = tree->leaf_of_node[tree->clock_nodes[i]];
    if (common_stands_for_driver(t, leaf >> 1)) continue;
    clock_node[f->clock_count] = tree->clock_nodes[i];
    clock_leaf[f->clock_count++] = leaf;
  }
}

static void put_seeds(FlatCredit *f, const Timing *t)
{
  MAKE(uint32_t, seed_leaf, f->seed_count);
  for (uint32_t i = 0; i < f->seed_count; i++)
    seed_leaf[i] = common_seed_leaf(t, &t->g->starts.seeds.at[i]);
}

static void put_path_ends(FlatCredit *f, const Timing *t)
{
  const Graph *g = t->g;
  MAKE(uint8_t, end_between_data, f->path_end_count);
  for (PathEndId i = 0; i < f->path_end_count; i++)
    end_between_data[i] = common_end_between_data(t, &g->ends.path_ends.at[i]);
}

static void put_wide(FlatCredit *f, const Timing *t)
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
  wide_first[g->levels.count] = f->wide_count = nodes.len;
  f->wide_nodes = nodes.at;
}

FlatCredit *flat_credit_new(const Timing *t)
{
  const CommonTree *tree = &t->g->common;
  FlatCredit *f = mem_alloc_zero(1, sizeof *f);
  *f = (FlatCredit){ .point_count = tree->count,
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
  put_nodes(f, t);
  put_clock_nodes(f, t);
  put_seeds(f, t);
  put_path_ends(f, t);
  put_wide(f, t);
  return f;
}

FlatLatched *flat_latched(const Timing *t)
{
  FlatLatched *list = mem_alloc(sizeof *list * ((size_t)t->latches.arrivals.len + 1));
  for (uint32_t i = 0; i < t->latches.arrivals.len; i++) {
    const LatchArrival *a = &t->latches.arrivals.at[i];
    list[i] = (FlatLatched){ a->node, a->edge, a->leaf, a->arrival };
  }
  return list;
}

void flat_credit_free(FlatCredit *f)
{
  if (f == NULL) return;
  const void *own[] = { f->node_slot, f->node_leaf,        f->clock_node, f->clock_leaf,
                        f->seed_leaf, f->end_between_data, f->wide_nodes, f->wide_first };
  for (size_t i = 0; i < sizeof own / sizeof *own; i++) mem_free((void *)own[i]);
  mem_free(f);
}
