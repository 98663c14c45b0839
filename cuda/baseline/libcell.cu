/* The kernels of device/device_libcell.h.

   The algorithms of Chung et al. (Euro-Par 2025) are update_delay_..., select_by_lane (their
   block-level one) and choose_by_warp_keys (their warp-level one).  Costs are compared as integers
   with the same order, so that the warp's minimum is one instruction. */
#include <stdlib.h>

#ifdef __cplusplus
extern "C" {
#endif
#include "base/hash.h"
#include "device/device_libcell.h"
#include "device/flat.h"
#ifdef __cplusplus
}
#endif

#include "cuda/block.h"
#include "cuda/least.h"
#include "cuda/private.h"
#include "cuda/wave.h"

typedef struct {
  SizeView  s;
  const FlatGrid *grids;             /* beside s.arcs */
  const FlatAxes *axes;
  const FlatCell *cells;
  const LibcellDriver *drivers;      /* [count] */
  const uint32_t *owners;            /* [lanes] */
  float    *costs;                   /* [lanes] */
  SizeChosen *chosen;                /* [count] */
  uint32_t  count, few, lanes;
  bool      reversed;
} LibcellView;

enum {
  AT_CELLS, AT_ARCS, AT_PORTS, AT_POOL, AT_RAMPS, AT_THRESHOLDS, AT_RAMP_BASE,
  AT_GRIDS, AT_AXES, AT_GRID_CELLS,
  AT_GATES, AT_EDGES, AT_NETS, AT_PINS, AT_CANDIDATES, AT_OWN_COSTS,
  AT_DRIVERS, AT_OWNERS, AT_COSTS, AT_CHOSEN, AT_FLOOD, AT_READ, BLOCK_COUNT
};

typedef struct {
  char  *at;
  size_t room;
} LibcellBlock;

typedef struct {
  LibcellView  view;                 /* pointers to the device's memory */
  LibcellBlock block[BLOCK_COUNT];
} LibcellState;

#define SL_LIBCELL(v) SL_GIVEN(LibcellView, v)

/* --- evaluations ------------------------------------------------------------------------------ */
SL_HD SizeTimes times_by_tables(const LibcellView *v, const SizeArc *arc, float slew, float load)
{
  SizeTimes x = { 0, 0 };
  if (arc->delay == SIZE_NONE || arc->slew == SIZE_NONE) return x;
  x.delay = table_value(size_table(&v->s, arc->delay, arc->delay_n1, arc->delay_n2), slew, load);
  x.slew = table_value(size_table(&v->s, arc->slew, arc->slew_n1, arc->slew_n2), slew, load);
  if (x.slew < 0) x.slew = 0;
  return x;
}

SL_HD SizeTimes times_by_cells(const LibcellView *v, const FlatGrid *g, float slew, float load)
{
  SizeTimes x;
  const FlatAxes *axes = &v->axes[g->axes];
  GridPlace i = grid_place(axes->of1, g->n1, slew), j = grid_place(axes->of2, g->n2, load);
  FlatCell c = v->cells[g->first + (uint32_t)i.segment * grid_step(g) + (uint32_t)j.segment];
  x.delay = cell_value(c.delay, i.fraction, j.fraction);
  x.slew = cell_value(c.slew, i.fraction, j.fraction);
  if (x.slew < 0) x.slew = 0;
  return x;
}

SL_HD SizeTimes times_looked_up(const LibcellView *v, uint32_t cell, const SizeEdge *e,
                                const SizeNet *net, int by_cells)
{
  const SizeArc *arc = size_arc(&v->s, cell, e);
  if (by_cells) {
    FlatGrid g = v->grids[arc - v->s.arcs];
    if (g.n1 != FLAT_NO_GRID) return times_by_cells(v, &g, e->input_slew, net->load);
  }
  return times_by_tables(v, arc, e->input_slew, net->load);
}

/* size_cost without waveforms. */
SL_HD float cost_looked_up(const LibcellView *v, const SizeGate *g, uint32_t at, int by_cells)
{
  uint32_t cell = v->s.candidates[at];
  SizeSum sum = { v->s.own_costs[at], { 0 } };
  for (uint32_t i = 0; i < g->edge_count; i++) {
    const SizeEdge *e = &v->s.edges[g->first_edge + i];
    size_add(&sum, e, times_looked_up(v, cell, e, &v->s.nets[g->first_net + e->net], by_cells));
  }
  return size_total(&v->s, g, &v->s.cells[cell], &sum);
}

/* at: of the candidate, in SizeView.candidates. */
SL_HD float cost_by_keys(const LibcellView *v, uint32_t gate, uint32_t at)
{
  (void)gate;
  return v->costs[at];
}

SL_HD float cost_by_model(const LibcellView *v, uint32_t gate, uint32_t at)
{
  const SizeGate *g = &v->s.gates[gate];
  return size_cost(&v->s, g, at - g->first_candidate);
}

SL_HD float cost_by_tables(const LibcellView *v, uint32_t gate, uint32_t at)
{
  return cost_looked_up(v, &v->s.gates[gate], at, 0);
}

SL_HD float cost_by_cells(const LibcellView *v, uint32_t gate, uint32_t at)
{
  return cost_looked_up(v, &v->s.gates[gate], at, 1);
}

/* --- kernels ---------------------------------------------------------------------------------- */
#ifdef __CUDA_ARCH__
#define SEEN_BY(lane, width) uint32_t i = (lane); i < d.count; i += (width)
#else
#define SEEN_BY(lane, width) uint32_t i = (lane) == 0 ? 0 : d.count; i < d.count; i++
#endif

/* For each evaluation: one lane for a candidate, and groups of lanes for a driver. */
#define LIBCELL_KERNELS(name)                                                                \
  SL_HD void choose_##name(const LibcellView *v, uint32_t at, uint32_t lane, uint32_t width) \
  {                                                                                          \
    LibcellDriver d = v->drivers[at];                                                        \
    LaneLeast b = lane_least_none();                                                         \
    for (SEEN_BY(lane, width))                                                               \
      lane_least_see(&b, i, cost_by_##name(v, d.gate, d.first + i), d.now);                  \
    lanes_choose(&b, lane, width, &v->chosen[d.gate]);                                       \
  }                                                                                          \
  SL_KERNEL choose_by_warp_##name(SL_LIBCELL(v))                                             \
  {                                                                                          \
    SL_EACH(i, 32 * v.count) choose_##name(&v, i / 32, i % 32, 32);                          \
  }                                                                                          \
  SL_KERNEL choose_by_group_##name(SL_LIBCELL(v))                                            \
  {                                                                                          \
    SL_EACH(i, LIBCELL_FEW * v.count)                                                        \
    choose_##name(&v, i / LIBCELL_FEW, i % LIBCELL_FEW, LIBCELL_FEW);                        \
  }

#define LIBCELL_UPDATE(name)                                                                 \
  SL_KERNEL update_delay_##name(SL_LIBCELL(v))                                               \
  {                                                                                          \
    SL_EACH(i, v.lanes) v.costs[i] = cost_by_##name(&v, v.owners[i], i);                     \
  }

LIBCELL_KERNELS(keys)
LIBCELL_KERNELS(model)
LIBCELL_KERNELS(tables)
LIBCELL_KERNELS(cells)
LIBCELL_UPDATE(model)
LIBCELL_UPDATE(tables)
LIBCELL_UPDATE(cells)

SL_KERNEL select_by_lane(SL_LIBCELL(v))
{
  SL_EACH(i, v.count)
  {
    LibcellDriver d = v.drivers[i];
    const float *costs = v.costs + d.first;
    uint32_t best = size_least(costs, d.count);
    v.chosen[d.gate].best = best;
    v.chosen[d.gate].gain = costs[d.now] - costs[best];
  }
}

/* Lanes of the first drivers, in whole warps. */
SL_HD uint32_t few_lanes(const LibcellView *v) { return (LIBCELL_FEW * v->few + 31) / 32 * 32; }

SL_KERNEL select_by_group(SL_LIBCELL(v))
{
  SL_EACH(i, few_lanes(&v) + 32 * (v.count - v.few))
  {
    uint32_t few = few_lanes(&v);
    if (i >= few) choose_keys(&v, v.few + (i - few) / 32, i % 32, 32);
    else if (i < LIBCELL_FEW * v.few) choose_keys(&v, i / LIBCELL_FEW, i % LIBCELL_FEW,
                                                  LIBCELL_FEW);
  }
}

SL_HD int key_before(uint32_t key, uint32_t at, uint32_t other_key, uint32_t other_at)
{
  return key < other_key || (key == other_key && at < other_at);
}

SL_BLOCK_FN void select_in_block(const LibcellView *v, uint32_t b)
{
  SL_SHARED(uint32_t, keys, LIBCELL_BLOCK);
  SL_SHARED(uint32_t, ats, LIBCELL_BLOCK);
  LibcellDriver d = v->drivers[b];
  const float *costs = v->costs + d.first;
  SL_LANES(i, LIBCELL_BLOCK)
  {
    LaneLeast own = lane_least_none();
    for (uint32_t c = i; c < d.count; c += LIBCELL_BLOCK)
      lane_least_see(&own, c, costs[c], d.now);
    keys[i] = own.key;
    ats[i] = own.at;
  }
  for (uint32_t step = LIBCELL_BLOCK / 2; step > 0; step /= 2) {
    SL_SYNC();
    SL_LANES(i, step)
    {
      if (!key_before(keys[i + step], ats[i + step], keys[i], ats[i])) continue;
      keys[i] = keys[i + step];
      ats[i] = ats[i + step];
    }
  }
  if (SL_FIRST_LANE) {
    v->chosen[d.gate].best = ats[0];
    v->chosen[d.gate].gain = costs[d.now] - costs[ats[0]];
  }
  SL_SYNC();
}

SL_WIDE_KERNEL(LIBCELL_BLOCK) select_by_block(SL_LIBCELL(v))
{
  SL_BLOCKS(b, v.count) select_in_block(&v, b);
}

/* Writes what was read only if all bits were set, which keeps the reads. */
SL_KERNEL read_all(SL_LIBCELL(v), uint32_t cells, const FlatCell *from, float *out)
{
  SL_EACH(i, cells)
  {
    FlatCell c = from[i];
    float x = c.delay[0] + c.delay[1] + c.delay[2] + c.delay[3] + c.slew[0] + c.slew[1] + c.slew[2]
              + c.slew[3];
    if (x == 1.0f) out[0] = x;
  }
}

/* --- launches --------------------------------------------------------------------------------- */
static void launch_update(Device *d, const LibcellView *v, LibcellCost cost)
{
  if (cost == LIBCELL_MODEL) SL_LAUNCH(d, v->lanes, update_delay_model, *v);
  else if (cost == LIBCELL_TABLES) SL_LAUNCH(d, v->lanes, update_delay_tables, *v);
  else if (cost == LIBCELL_CELLS) SL_LAUNCH(d, v->lanes, update_delay_cells, *v);
}

static void launch_fused_warp(Device *d, const LibcellView *v, LibcellCost cost)
{
  uint32_t lanes = 32 * v->count;
  if (cost == LIBCELL_KEYS) SL_LAUNCH(d, lanes, choose_by_warp_keys, *v);
  else if (cost == LIBCELL_MODEL) SL_LAUNCH(d, lanes, choose_by_warp_model, *v);
  else if (cost == LIBCELL_TABLES) SL_LAUNCH(d, lanes, choose_by_warp_tables, *v);
  else SL_LAUNCH(d, lanes, choose_by_warp_cells, *v);
}

static void launch_fused_group(Device *d, const LibcellView *v, LibcellCost cost)
{
  uint32_t lanes = LIBCELL_FEW * v->count;
  if (cost == LIBCELL_KEYS) SL_LAUNCH(d, lanes, choose_by_group_keys, *v);
  else if (cost == LIBCELL_MODEL) SL_LAUNCH(d, lanes, choose_by_group_model, *v);
  else if (cost == LIBCELL_TABLES) SL_LAUNCH(d, lanes, choose_by_group_tables, *v);
  else SL_LAUNCH(d, lanes, choose_by_group_cells, *v);
}

static void launch_select(Device *d, const LibcellView *v, const LibcellSelect *c)
{
  switch (c->way) {
  case LIBCELL_BY_LANE: SL_LAUNCH(d, v->count, select_by_lane, *v); break;
  case LIBCELL_BY_BLOCK:
    SL_LAUNCH_BLOCKS(d, d->stream, v->count, LIBCELL_BLOCK, select_by_block, *v);
    break;
  case LIBCELL_BY_WARP: launch_fused_warp(d, v, LIBCELL_KEYS); break;
  case LIBCELL_BY_GROUP:
    SL_LAUNCH(d, few_lanes(v) + 32 * (v->count - v->few), select_by_group, *v);
    break;
  case LIBCELL_FUSED_WARP: launch_fused_warp(d, v, c->cost); break;
  case LIBCELL_FUSED_GROUP: launch_fused_group(d, v, c->cost); break;
  }
}

static bool has_update(const LibcellSelect *c)
{
  return c->cost != LIBCELL_KEYS && c->way < LIBCELL_FUSED_WARP;
}

static void launch_all(Device *d, const LibcellView *v, const LibcellSelect *c)
{
  if (has_update(c)) launch_update(d, v, c->cost);
  launch_select(d, v, c);
}

/* --- memory ----------------------------------------------------------------------------------- */
static char *room(Device *d, LibcellState *s, int at, size_t bytes)
{
  LibcellBlock *b = &s->block[at];
  return device_make_room(d, &b->at, &b->room, bytes ? bytes : 1) ? b->at : NULL;
}

static void *put(Device *d, LibcellState *s, int at, const void *from, size_t bytes)
{
  char *to = room(d, s, at, bytes);
  if (to && bytes) device_put(d, to, from, bytes);
  return to;
}

#define PUT(type, at, from, count) (type *)put(d, s, at, from, (size_t)(count) * sizeof(type))

/* Tables of an arc as a grid (see device/flat_grid.c), on the host. */
typedef struct {
  const SizeView *v;
  FlatGrid *grids;
  FlatAxes *axes;
  FlatCell *cells;
  uint32_t  axes_count, cell_count;
  Map      *axes_of;
} Grids;

static bool fits(const SizeView *v, const SizeArc *a)
{
  return a->delay_n1 <= FLAT_AXIS && a->delay_n2 <= FLAT_AXIS && a->delay_n1 == a->slew_n1
         && a->delay_n2 == a->slew_n2
         && memcmp(v->pool + a->delay, v->pool + a->slew,
                   (size_t)(a->delay_n1 + a->delay_n2) * sizeof(float))
                == 0;
}

static uint32_t axes_of(Grids *g, const SizeArc *a)
{
  FlatAxes x;
  memset(&x, 0, sizeof x);
  memcpy(x.of1, g->v->pool + a->delay, a->delay_n1 * sizeof(float));
  memcpy(x.of2, g->v->pool + a->delay + a->delay_n1, a->delay_n2 * sizeof(float));
  uint64_t key = hash_bytes((const char *)&x, sizeof x);
  uint32_t have = map_get(g->axes_of, key);
  if (have != MAP_NO_VALUE && memcmp(&g->axes[have], &x, sizeof x) == 0) return have;
  map_put(g->axes_of, key, g->axes_count);
  g->axes[g->axes_count] = x;
  return g->axes_count++;
}

static void corners(const float *values, const SizeArc *a, int i, int j, float *corner)
{
  int n2 = a->delay_n2, i1 = a->delay_n1 < 2 ? i : i + 1, j1 = n2 < 2 ? j : j + 1;
  corner[0] = values[i * n2 + j];
  corner[1] = values[i1 * n2 + j];
  corner[2] = values[i * n2 + j1];
  corner[3] = values[i1 * n2 + j1];
}

static FlatGrid grid_of(Grids *g, const SizeArc *a)
{
  FlatGrid r;
  memset(&r, 0, sizeof r);
  r.n1 = FLAT_NO_GRID;
  if (a->delay == SIZE_NONE || a->slew == SIZE_NONE || !fits(g->v, a)) return r;
  uint32_t axes = (uint32_t)a->delay_n1 + a->delay_n2;
  const float *delay = g->v->pool + a->delay + axes, *slew = g->v->pool + a->slew + axes;
  r.n1 = a->delay_n1;
  r.n2 = a->delay_n2;
  r.axes = axes_of(g, a);
  r.first = g->cell_count;
  for (int i = 0; i < (r.n1 < 2 ? 1 : (int)r.n1 - 1); i++)
    for (int j = 0; j < (int)grid_step(&r); j++) {
      FlatCell *c = &g->cells[g->cell_count++];
      corners(delay, a, i, j, c->delay);
      corners(slew, a, i, j, c->slew);
    }
  return r;
}

static void put_grids(Device *d, LibcellState *s, const SizingArrays *c)
{
  enum { MOST_CELLS = (FLAT_AXIS - 1) * (FLAT_AXIS - 1) };
  size_t arcs = (size_t)c->arcs + 1;
  Grids g = {};
  g.v = &c->view;
  g.grids = (FlatGrid *)mem_alloc(arcs * sizeof *g.grids);
  g.axes = (FlatAxes *)mem_alloc(arcs * sizeof *g.axes);
  g.cells = (FlatCell *)mem_alloc(arcs * MOST_CELLS * sizeof *g.cells);
  g.axes_of = map_new();
  for (uint32_t i = 0; i < c->arcs; i++) g.grids[i] = grid_of(&g, &c->view.arcs[i]);
  s->view.grids = PUT(FlatGrid, AT_GRIDS, g.grids, c->arcs);
  s->view.axes = PUT(FlatAxes, AT_AXES, g.axes, g.axes_count);
  s->view.cells = PUT(FlatCell, AT_GRID_CELLS, g.cells, g.cell_count);
  device_finish(d, 0);
  map_free(g.axes_of);
  mem_free(g.grids);
  mem_free(g.axes);
  mem_free(g.cells);
}

/* --- operations ------------------------------------------------------------------------------- */
static void put_library(Device *d, void *state, void *call)
{
  LibcellState *s = (LibcellState *)state;
  const SizingArrays *c = (const SizingArrays *)call;
  s->view.s.cells = PUT(SizeCell, AT_CELLS, c->view.cells, c->cells);
  s->view.s.arcs = PUT(SizeArc, AT_ARCS, c->view.arcs, c->arcs);
  s->view.s.ports = PUT(SizePort, AT_PORTS, c->view.ports, c->ports);
  s->view.s.pool = PUT(float, AT_POOL, c->view.pool, c->floats);
  s->view.s.ramps = PUT(float, AT_RAMPS, c->view.ramps, c->ramps);
  s->view.s.thresholds = PUT(Thresholds, AT_THRESHOLDS, c->view.thresholds, c->thresholds);
  s->view.s.ramp_base = PUT(int, AT_RAMP_BASE, c->view.ramp_base, c->thresholds);
  put_grids(d, s, c);
}

static void put_problem(Device *d, LibcellState *s, const SizingArrays *c)
{
  s->view.s.gates = PUT(SizeGate, AT_GATES, c->view.gates, c->gates);
  s->view.s.edges = PUT(SizeEdge, AT_EDGES, c->view.edges, c->edges);
  s->view.s.nets = PUT(SizeNet, AT_NETS, c->view.nets, c->nets);
  s->view.s.pins = PUT(SizePin, AT_PINS, c->view.pins, c->pins);
  s->view.s.candidates = PUT(uint32_t, AT_CANDIDATES, c->view.candidates, c->candidates);
  s->view.s.own_costs = PUT(float, AT_OWN_COSTS, c->view.own_costs, c->candidates);
  s->view.s.excess = c->view.excess;
  s->view.s.model = c->view.model;
}

static void put_design(Device *d, void *state, void *call)
{
  LibcellState *s = (LibcellState *)state;
  const LibcellDesign *c = (const LibcellDesign *)call;
  size_t lanes = c->problem.candidates;
  s->view.count = c->problem.gates;
  s->view.few = c->few;
  s->view.lanes = c->problem.candidates;
  s->view.reversed = d->reversed;
  s->view.drivers = PUT(LibcellDriver, AT_DRIVERS, c->drivers, c->problem.gates);
  s->view.chosen = (SizeChosen *)room(d, s, AT_CHOSEN, s->view.count * sizeof(SizeChosen));
  if (c->keys) s->view.costs = PUT(float, AT_COSTS, c->keys, lanes);
  else put_problem(d, s, &c->problem);
  if (!c->owners || c->keys) return;
  s->view.owners = PUT(uint32_t, AT_OWNERS, c->owners, lanes);
  s->view.costs = (float *)room(d, s, AT_COSTS, lanes * sizeof(float));
}

static int compare_times(const void *a, const void *b)
{
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* Writes more than a device's caches hold, so that what is measured begins with cold ones. */
static void flood(Device *d, LibcellState *s)
{
#ifdef __CUDACC__
  enum { FLOOD = 256 << 20 };
  char *at = room(d, s, AT_FLOOD, FLOOD);
  if (at) device_zero(d, at, FLOOD);
#else
  (void)d;
  (void)s;
#endif
}

enum { TIME_ALL, TIME_UPDATE, TIME_SELECT };

/* The median time of the launches. The flood is still at work when the host asks for them. */
static double time_of(Device *d, LibcellState *s, const LibcellSelect *c, int what)
{
  double times[LIBCELL_MOST_REPEATS];
  uint32_t repeats = c->repeats < LIBCELL_MOST_REPEATS ? c->repeats : LIBCELL_MOST_REPEATS;
  for (uint32_t i = 0; i < repeats; i++) {
    flood(d, s);
    device_mark(d);
    if (what == TIME_ALL) launch_all(d, &s->view, c);
    else if (what == TIME_UPDATE) launch_update(d, &s->view, c->cost);
    else launch_select(d, &s->view, c);
    device_lap(d);
    times[i] = d->launches;
  }
  qsort(times, repeats, sizeof *times, compare_times);
  return times[repeats / 2];
}

static void select_cells(Device *d, void *state, void *call)
{
  LibcellState *s = (LibcellState *)state;
  LibcellSelect *c = (LibcellSelect *)call;
  c->update = c->select = c->all = 0;
  if (c->repeats == 0) launch_all(d, &s->view, c);
  else {
    c->all = time_of(d, s, c, TIME_ALL);
    if (has_update(c)) c->update = time_of(d, s, c, TIME_UPDATE);
    if (c->way < LIBCELL_FUSED_WARP) c->select = time_of(d, s, c, TIME_SELECT);
  }
  device_get(d, c->chosen, s->view.chosen, s->view.count * sizeof *c->chosen);
}

static void read_memory(Device *d, void *state, void *call)
{
  LibcellState *s = (LibcellState *)state;
  LibcellRead *c = (LibcellRead *)call;
  LibcellView v = {};
  double times[LIBCELL_MOST_REPEATS];
  uint32_t repeats = c->repeats < LIBCELL_MOST_REPEATS ? c->repeats : LIBCELL_MOST_REPEATS,
           cells = (uint32_t)(c->bytes / sizeof(FlatCell));
  char *from = room(d, s, AT_READ, c->bytes + ALIGNMENT);
  v.reversed = d->reversed;
  for (uint32_t i = 0; i < repeats; i++) {
    flood(d, s);
    device_mark(d);
    SL_LAUNCH(d, cells, read_all, v, cells, (const FlatCell *)from, (float *)from);
    device_lap(d);
    times[i] = d->launches;
  }
  qsort(times, repeats, sizeof *times, compare_times);
  c->seconds = repeats ? times[repeats / 2] : 0;
}

static const FamilyOperation operations[] = {
  { .name = "libcell_library", .run = put_library },
  { .name = "libcell_design", .run = put_design },
  { .name = "libcell_select", .run = select_cells },
  { .name = "libcell_read", .run = read_memory },
};

SL_FAMILY(libcell) = { .state_bytes = sizeof(LibcellState), .operations = operations };
