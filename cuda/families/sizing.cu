/* The kernels of device/device_sizing.h.

   update_delay has one lane for each candidate of each gate.  A lane works the candidate's timing
   edges out one after another, so its sums have the CPU's order.  What the lanes of a gate read of
   it (edges, nets, pins) is the same and comes from the cache. */
#include "device/device_sizing.h"

#include "cuda/kernel.h"
#include "cuda/families/least.h"
#include "cuda/private.h"
#include "cuda/families/sizing_arrays.h"

enum { FEW = 8 };                  /* candidates that a group of so many lanes shares */

typedef struct {
  SizeView  s;
  const uint32_t *gates;           /* [count]: those that are evaluated */
  const uint32_t *first;           /* [count + 1]: of their lanes */
  const uint32_t *lane_gate;       /* [lanes]: which of `gates` */
  float    *costs;                 /* [lanes] */
  SizeChosen *chosen;              /* [count] */
  uint32_t  count, lanes;
  bool      reversed;
} SizingView;

enum { AT_LIST = SIZING_BLOCKS, AT_FIRST, AT_LANES, AT_COSTS, AT_CHOSEN, BLOCK_COUNT };

typedef struct {
  SizeView    view;                /* pointers to the device's memory */
  const SizeGate *host_gates;
  GrowingBlock block[BLOCK_COUNT];
} SizingState;

/* --- kernels ---------------------------------------------------------------------------------- */
SL_KERNEL update_delay(SL_GIVEN(SizingView, v))
{
  SL_EACH(i, v.lanes)
  {
    uint32_t at = v.lane_gate[i];
    v.costs[i] = size_cost(&v.s, &v.s.gates[v.gates[at]], i - v.first[at]);
  }
}

SL_HD void put_chosen(const SizingView *view, uint32_t at, uint32_t best)
{
  const float *costs = view->costs + view->first[at];
  view->chosen[at].best = best;
  view->chosen[at].gain = costs[view->s.gates[view->gates[at]].now] - costs[best];
}

SL_KERNEL select_by_lane(SL_GIVEN(SizingView, v))
{
  SL_EACH(i, v.count)
    put_chosen(&v, i, size_least(v.costs + v.first[i], v.first[i + 1] - v.first[i]));
}

/* Of a gate, by `width` lanes side by side. */
SL_HD void select_in_group(const SizingView *view, uint32_t at, uint32_t lane, uint32_t width)
{
  const float *costs = view->costs + view->first[at];
  uint32_t count = view->first[at + 1] - view->first[at], now = view->s.gates[view->gates[at]].now;
  LaneLeast b = lane_least_none();
  for (LANE_SEES(i, lane, width, count)) lane_least_see(&b, i, costs[i], now);
  lanes_choose(&b, lane, width, &view->chosen[at]);
}

SL_KERNEL select_by_warp(SL_GIVEN(SizingView, v))
{
  SL_EACH(i, 32 * v.count) select_in_group(&v, i / 32, i % 32, 32);
}

/* Of gates with few candidates. */
SL_KERNEL select_few(SL_GIVEN(SizingView, v))
{
  SL_EACH(i, FEW * v.count)
  {
    uint32_t at = i / FEW;
    if (v.first[at + 1] - v.first[at] <= FEW) select_in_group(&v, at, i % FEW, FEW);
  }
}

SL_KERNEL select_many(SL_GIVEN(SizingView, v))
{
  SL_EACH(i, 32 * v.count)
  {
    uint32_t at = i / 32;
    if (v.first[at + 1] - v.first[at] > FEW) select_in_group(&v, at, i % 32, 32);
  }
}

/* --- operations ------------------------------------------------------------------------------- */
static void put_library(Device *d, void *state, void *call)
{
  SizingState *sizing_state = (SizingState *)state;
  put_sizing_library(d, sizing_state->block, &sizing_state->view, (const SizingArrays *)call);
}

static void put_design(Device *d, void *state, void *call)
{
  SizingState *sizing_state = (SizingState *)state;
  const SizingArrays *arrays = (const SizingArrays *)call;
  sizing_state->host_gates = arrays->view.gates;
  put_sizing_design(d, sizing_state->block, &sizing_state->view, arrays);
}

/* Which lanes are whose. */
static uint32_t *lanes_of(const SizingSelect *select, const SizeGate *gates, uint32_t *first,
                          uint32_t *lanes)
{
  *lanes = 0;
  for (uint32_t i = 0; i < select->count; i++) {
    first[i] = *lanes;
    *lanes += gates[select->gates[i]].candidate_count;
  }
  first[select->count] = *lanes;
  uint32_t *owner = (uint32_t *)mem_alloc(((size_t)*lanes + 1) * sizeof *owner);
  for (uint32_t i = 0; i < select->count; i++)
    for (uint32_t j = first[i]; j < first[i + 1]; j++) owner[j] = i;
  return owner;
}

static void reduce(Device *d, const SizingView *view, SizingReduction reduction)
{
  if (reduction == SIZING_BY_LANE) SL_START(d, view->count, select_by_lane, *view);
  else if (reduction == SIZING_BY_WARP) SL_START(d, 32 * view->count, select_by_warp, *view);
  else {
    SL_START(d, FEW * view->count, select_few, *view);
    SL_START(d, 32 * view->count, select_many, *view);
  }
}

static void select_cells(Device *d, void *state, void *call)
{
  SizingState *sizing_state = (SizingState *)state;
  SizingSelect *select = (SizingSelect *)call;
  SizingView v = {};
  uint32_t *first = (uint32_t *)mem_alloc(((size_t)select->count + 1) * sizeof *first);
  uint32_t *owner = lanes_of(select, sizing_state->host_gates, first, &v.lanes);
  v.s = sizing_state->view;
  v.count = select->count;
  v.reversed = d->reversed;
  GrowingBlock *blocks = sizing_state->block;
  v.gates = SIZING_PUT(uint32_t, AT_LIST, select->gates, select->count);
  v.first = SIZING_PUT(uint32_t, AT_FIRST, first, select->count + 1);
  v.lane_gate = SIZING_PUT(uint32_t, AT_LANES, owner, v.lanes);
  mem_free(first);
  mem_free(owner);
  v.costs = (float *)growing_room(d, &blocks[AT_COSTS], v.lanes * sizeof *v.costs);
  v.chosen = (SizeChosen *)growing_room(d, &blocks[AT_CHOSEN], v.count * sizeof *v.chosen);
  if (v.costs == NULL || v.chosen == NULL) return;
  device_mark(d);
  SL_START(d, v.lanes, update_delay, v);
  reduce(d, &v, select->reduction);
  device_lap(d);
  device_get(d, select->chosen, v.chosen, v.count * sizeof *v.chosen);
}

static const FamilyOperation operations[] = {
  { .name = "sizing_library", .run = put_library },
  { .name = "sizing_design", .run = put_design },
  { .name = "sizing_select", .run = select_cells },
};

SL_FAMILY(sizing) = { .state_bytes = sizeof(SizingState), .operations = operations };
