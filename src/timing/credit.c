/* Common path credit, as computed from fronts: leaves of clock nodes, the worst arrival for a
   capturing leaf, and required times that match the worst credited slack. */
#include "timing/credit.h"

#include <math.h>

#include "base/interrupt.h"

void common_new(Timing *t)
{
  const CommonTree *tree = &t->g->common;
  /* without on-chip variation, launch and capture are both late or both early */
  bool pessimistic = t->constraints->analysis == ANALYSIS_ON_CHIP;
  if (!t->common_options.on || tree->count < 2 || !pessimistic) return;
  struct CommonPaths *paths = t->common = mem_alloc_zero(1, sizeof *paths);
  paths->credit = mem_alloc_zero(tree->count, sizeof *paths->credit);
  paths->view = (CommonView){ tree->point,
                              tree->least,
                              tree->order_count,
                              tree->edge_above,
                              (const float(*)[2])paths->credit,
                              t->common_options.same_transition,
                              tree->mixed,
                              tree->one_clock,
                              NULL };
}

void common_free(Timing *t)
{
  if (t->common == NULL) return;
  fronts_free(t->common->launch);
  fronts_free(t->common->capture);
  mem_free(t->common->credit);
  mem_free(t->common->variance);
  mem_free(t->common);
}

void common_use_threads(Timing *t, int threads)
{
  t->threads = threads;
  if (t->common == NULL) return;
  fronts_allow_threads(t->common->launch, threads);
  fronts_allow_threads(t->common->capture, threads);
}

size_t common_bytes(const Timing *t)
{
  if (t->common == NULL) return 0;
  return t->g->common.count * sizeof *t->common->credit + fronts_bytes(t->common->launch)
         + fronts_bytes(t->common->capture);
}

void common_make_fronts(Timing *t)
{
  struct CommonPaths *paths = t->common;
  size_t count = common_index(t->g->nodes.count, 0);
  if (paths->launch == NULL) {
    paths->launch = fronts_new(count, t->threads);
    paths->capture = fronts_new(count, t->threads);
    if (interrupt_seen()) fronts_clear(paths->capture);      /* later updates clear the other one */
    return;
  }
  fronts_clear(paths->launch);
}

bool common_stands_for_driver(const Timing *t, uint32_t point)
{
  const CommonTree *tree = &t->g->common;
  return t->common_options.drivers_only && !slot_is_driver(t->g, tree->slot[point])
         && tree->point[point].clock_root != point;
}

uint32_t common_leaf(const Timing *t, Slot slot, NodeId node)
{
  const CommonTree *tree = &t->g->common;
  uint32_t leaf = tree->leaf_of_node[node], point = leaf >> 1;
  if (!t->common_options.drivers_only || slot_is_driver(t->g, slot)
      || tree->point[point].clock_root == point)
    return leaf;
  return 2 * tree->point[point].parent | (leaf & 1);
}

uint32_t common_leaf_of_clock(const Timing *t, NodeId clock)
{
  uint32_t point = t->g->common.leaf_of_node[clock] >> 1;
  return point ? common_leaf(t, t->g->common.slot[point], clock) : 0;
}

/* If sigma counts, the sigma of a reference is part of the arrival and does not drop out. */
uint32_t common_seed_leaf(const Timing *t, const Seed *seed)
{
  if (seed->clock == NO_NODE_ID || (t->sigma.arrival_variance && seed->origin == NO_NODE_ID))
    return 0;
  return common_leaf_of_clock(t, seed->clock);
}

/* Returns the credited arrival of a clock node. A clock that goes on as data has one launching
   leaf: its own point. */
static float clock_arrival(const Timing *t, Slot slot, NodeId node, int condition, uint32_t capture,
                           uint32_t *launch)
{
  float a = t->arrival[node].v[condition];
  *launch = common_leaf(t, slot, node);
  if (time_absent(a)) return a;
  float credit = common_credit(&t->common->view, *launch, capture);
  return condition >> 1 == LATE ? a - credit : a + credit;
}

float common_arrival(const Timing *t, Slot slot, NodeId node, int condition, uint32_t capture,
                     uint32_t *launch)
{
  *launch = 0;
  if (!common_active(t)) return t->arrival[node].v[condition];
  if (graph_node_is_clock(t->g, slot, node))
    return clock_arrival(t, slot, node, condition, capture, launch);
  uint32_t count, index = 0;
  const CommonItem *items = fronts_get(t->common->launch, common_index(node, condition), &count);
  if (count == 0) return t->arrival[node].v[condition];
  float worst = common_worst(&t->common->view, items, count, capture, &index);
  *launch = items[index].leaf;
  return condition >> 1 == LATE ? worst : -worst;
}

/* Returns the required time whose distance from the worst arrival is the worst slack over all
   launches and captures. */
static float worst_required(const Timing *t, size_t index, const CommonItem *captures,
                            uint32_t count)
{
  int el = (index & 3) >> 1;
  uint32_t launches, which;
  const CommonItem *launch = fronts_get(t->common->launch, index, &launches);
  float arrival = t->arrival[index >> 2].v[index & 3], worst = -1e30f;
  for (uint32_t i = 0; i < count; i++) {
    float x =
        captures[i].badness
        + (launches ? common_worst(&t->common->view, launch, launches, captures[i].leaf, &which)
                    : 0);
    if (x > worst) worst = x;
  }
  if (launches == 0) return common_badness(worst, !el);
  return el == LATE ? arrival - worst : arrival + worst;
}

float common_required(const Timing *t, NodeId node, int condition)
{
  uint32_t count = 0;
  const CommonItem *captures =
      common_captures(t) ? fronts_get(t->common->capture, common_index(node, condition), &count)
                         : NULL;
  return count ? worst_required(t, common_index(node, condition), captures, count)
               : t->required[node].v[condition];
}

/* --- path ends -------------------------------------------------------------------------------- */
static int capture_condition(const Timing *t, const PathEnd *end)
{
  bool late = path_end_is_late((PathEndType)end->type);
  return condition_of(graph_capture_side(t->g, late), end->time_edge);
}

bool common_end_between_data(const Timing *t, const PathEnd *end)
{
  if ((end->type != END_DATA_SETUP && end->type != END_DATA_HOLD) || end->capture == NO_NODE_ID)
    return false;
  return !graph_node_is_clock(t->g, t->g->ends.checks.at[end->check].clock, end->capture);
}

const CommonItem *common_end_references(const Timing *t, const PathEnd *end, uint32_t *count)
{
  *count = 0;
  if (!common_active(t) || !common_end_between_data(t, end)) return NULL;
  const CommonItem *items =
      fronts_get(t->common->launch, common_index(end->capture, capture_condition(t, end)), count);
  return *count ? items : NULL;
}

CommonCapture common_end_capture(const Timing *t, const PathEnd *end, int edge)
{
  uint32_t count, launch;
  bool late = path_end_is_late((PathEndType)end->type);
  const CommonItem *items = common_end_references(t, end, &count);
  if (end->capture == NO_NODE_ID) return (CommonCapture){ 0, 0 };
  if (items == NULL)
    return (CommonCapture){ t->arrival[end->capture].v[capture_condition(t, end)],
                            common_leaf_of_clock(t, end->capture) };
  CommonCapture worst = { 0, 0 };
  float least = INFINITY;
  for (uint32_t i = 0; i < count; i++) {
    CommonCapture c = { common_badness(items[i].badness, capture_condition(t, end) >> 1),
                        items[i].leaf };
    float arrival = common_arrival(t, end->slot, end->data, condition_of(late ? LATE : EARLY, edge),
                                   c.leaf, &launch);
    float slack = late ? c.arrival - arrival : arrival - c.arrival;
    if (i && slack >= least) continue;
    least = slack;
    worst = c;
  }
  return worst;
}

float common_end_variance(const Timing *t, const PathEnd *end, int edge, uint32_t launch)
{
  if (!common_active(t) || t->common->variance == NULL) return 0;
  return common_credit(&t->common->variance_view, launch, common_end_capture(t, end, edge).leaf);
}

float common_leaf_credit(const Timing *t, uint32_t launch, uint32_t capture)
{
  return common_active(t) ? common_credit(&t->common->view, launch, capture) : 0;
}
