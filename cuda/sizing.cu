/* The kernels of device/device_sizing.h.

   update_delay has one lane for each candidate of each gate.  A lane works the candidate's timing
   edges out one after another, so its sums have the CPU's order.  What the lanes of a gate read of
   it (edges, nets, pins) is the same and comes from the cache. */
#include "device/device_sizing.h"

#include "cuda/kernel.h"
#include "cuda/least.h"
#include "cuda/private.h"

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

/* Blocks of memory, each with what it has room for. */
typedef struct { char *at; size_t room; } SizingBlock;

enum {
  AT_CELLS, AT_ARCS, AT_PORTS, AT_POOL, AT_RAMPS, AT_THRESHOLDS, AT_RAMP_BASE,
  AT_GATES, AT_EDGES, AT_NETS, AT_PINS, AT_CANDIDATES, AT_OWN_COSTS,
  AT_LIST, AT_FIRST, AT_LANES, AT_COSTS, AT_CHOSEN, BLOCK_COUNT
};

typedef struct {
  SizeView    view;                /* pointers to the device's memory */
  const SizeGate *host_gates;
  SizingBlock block[BLOCK_COUNT];
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

SL_HD void put_chosen(const SizingView *v, uint32_t at, uint32_t best)
{
  const float *costs = v->costs + v->first[at];
  v->chosen[at].best = best;
  v->chosen[at].gain = costs[v->s.gates[v->gates[at]].now] - costs[best];
}

SL_KERNEL select_by_lane(SL_GIVEN(SizingView, v))
{
  SL_EACH(i, v.count)
    put_chosen(&v, i, size_least(v.costs + v.first[i], v.first[i + 1] - v.first[i]));
}

#ifdef __CUDA_ARCH__
/* The least cost of a gate, by the lanes of a group: each takes every width-th; then the least key
   of all, and of the lanes that have it the first candidate. */
__device__ static uint32_t group_least(const float *costs, uint32_t count, uint32_t lane,
                                       uint32_t width, unsigned mask)
{
  uint32_t key = ~0u, at = ~0u;
  for (uint32_t i = lane; i < count; i += width) {
    uint32_t k = size_key(costs[i]);
    if (k < key) {
      key = k;
      at = i;
    }
  }
  uint32_t least = group_min(mask, key, width);
  return group_min(mask, key == least ? at : ~0u, width);
}
#endif

/* Of a gate, by `width` lanes side by side; the emulation has them one by one, and the first does
   all. */
SL_HD void select_in_group(const SizingView *v, uint32_t at, uint32_t lane, uint32_t width)
{
  const float *costs = v->costs + v->first[at];
  uint32_t count = v->first[at + 1] - v->first[at];
#ifdef __CUDA_ARCH__
  unsigned mask = width == 32 ? ~0u : 0xffu << (threadIdx.x % 32 / 8 * 8);
  uint32_t best = group_least(costs, count, lane, width, mask);
#else
  uint32_t best = lane == 0 ? size_least(costs, count) : 0;
  (void)width;
#endif
  if (lane == 0) put_chosen(v, at, best);
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
static void *put(Device *d, SizingState *s, int at, const void *from, size_t bytes)
{
  SizingBlock *b = &s->block[at];
  if (device_make_room(d, &b->at, &b->room, bytes ? bytes : 1) && bytes)
    device_put(d, b->at, from, bytes);
  return b->at;
}

#define PUT(type, at, from, count) (type *)put(d, s, at, from, (size_t)(count) * sizeof(type))

static void put_library(Device *d, void *state, void *call)
{
  SizingState *s = (SizingState *)state;
  const SizingArrays *c = (const SizingArrays *)call;
  s->view.cells = PUT(SizeCell, AT_CELLS, c->view.cells, c->cells);
  s->view.arcs = PUT(SizeArc, AT_ARCS, c->view.arcs, c->arcs);
  s->view.ports = PUT(SizePort, AT_PORTS, c->view.ports, c->ports);
  s->view.pool = PUT(float, AT_POOL, c->view.pool, c->floats);
  s->view.ramps = PUT(float, AT_RAMPS, c->view.ramps, c->ramps);
  s->view.thresholds = PUT(Thresholds, AT_THRESHOLDS, c->view.thresholds, c->thresholds);
  s->view.ramp_base = PUT(int, AT_RAMP_BASE, c->view.ramp_base, c->thresholds);
}

static void put_design(Device *d, void *state, void *call)
{
  SizingState *s = (SizingState *)state;
  const SizingArrays *c = (const SizingArrays *)call;
  s->host_gates = c->view.gates;
  s->view.gates = PUT(SizeGate, AT_GATES, c->view.gates, c->gates);
  s->view.edges = PUT(SizeEdge, AT_EDGES, c->view.edges, c->edges);
  s->view.nets = PUT(SizeNet, AT_NETS, c->view.nets, c->nets);
  s->view.pins = PUT(SizePin, AT_PINS, c->view.pins, c->pins);
  s->view.candidates = PUT(uint32_t, AT_CANDIDATES, c->view.candidates, c->candidates);
  s->view.own_costs = PUT(float, AT_OWN_COSTS, c->view.own_costs, c->candidates);
  s->view.excess = c->view.excess;
  s->view.gate_count = c->gates;
  s->view.model = c->view.model;
}

/* Which lanes are whose. */
static uint32_t *lanes_of(const SizingSelect *c, const SizeGate *gates, uint32_t *first,
                          uint32_t *lanes)
{
  *lanes = 0;
  for (uint32_t i = 0; i < c->count; i++) {
    first[i] = *lanes;
    *lanes += gates[c->gates[i]].candidate_count;
  }
  first[c->count] = *lanes;
  uint32_t *owner = (uint32_t *)mem_alloc(((size_t)*lanes + 1) * sizeof *owner);
  for (uint32_t i = 0; i < c->count; i++)
    for (uint32_t j = first[i]; j < first[i + 1]; j++) owner[j] = i;
  return owner;
}

static void reduce(Device *d, const SizingView *v, SizingReduction reduction)
{
  if (reduction == SIZING_BY_LANE) SL_LAUNCH(d, v->count, select_by_lane, *v);
  else if (reduction == SIZING_BY_WARP) SL_LAUNCH(d, 32 * v->count, select_by_warp, *v);
  else {
    SL_LAUNCH(d, FEW * v->count, select_few, *v);
    SL_LAUNCH(d, 32 * v->count, select_many, *v);
  }
}

static void select_cells(Device *d, void *state, void *call)
{
  SizingState *s = (SizingState *)state;
  SizingSelect *c = (SizingSelect *)call;
  SizingView v = {};
  uint32_t *first = (uint32_t *)mem_alloc(((size_t)c->count + 1) * sizeof *first);
  uint32_t *owner = lanes_of(c, s->host_gates, first, &v.lanes);
  v.s = s->view;
  v.count = c->count;
  v.reversed = d->reversed;
  v.gates = PUT(uint32_t, AT_LIST, c->gates, c->count);
  v.first = PUT(uint32_t, AT_FIRST, first, c->count + 1);
  v.lane_gate = PUT(uint32_t, AT_LANES, owner, v.lanes);
  mem_free(first);
  mem_free(owner);
  SizingBlock *costs = &s->block[AT_COSTS], *chosen = &s->block[AT_CHOSEN];
  if (!device_make_room(d, &costs->at, &costs->room, (v.lanes + 1) * sizeof(float))
      || !device_make_room(d, &chosen->at, &chosen->room, (v.count + 1) * sizeof(SizeChosen)))
    return;
  v.costs = (float *)costs->at;
  v.chosen = (SizeChosen *)chosen->at;
  device_mark(d);
  SL_LAUNCH(d, v.lanes, update_delay, v);
  reduce(d, &v, c->reduction);
  device_lap(d);
  device_get(d, c->chosen, v.chosen, v.count * sizeof *v.chosen);
}

static const FamilyOperation operations[] = {
  { .name = "sizing_library", .run = put_library },
  { .name = "sizing_design", .run = put_design },
  { .name = "sizing_select", .run = select_cells },
};

SL_FAMILY(sizing) = { .state_bytes = sizeof(SizingState), .operations = operations };
