/* The kernels of device/device_libcell.h.

   The algorithms of Chung et al. (Euro-Par 2025) are update_delay_..., select_by_lane (their
   block-level one) and choose_by_warp_keys (their warp-level one).  Costs are compared as integers
   with the same order, so that the warp's minimum is one instruction. */
#ifdef __cplusplus
extern "C" {
#endif
#include "device/device_libcell.h"
#include "device/flat_grid.h"
#ifdef __cplusplus
}
#endif

#include "cuda/block_kernel.h"
#include "cuda/families/least.h"
#include "cuda/private.h"
#include "cuda/families/sizing_arrays.h"
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
  AT_GRIDS = SIZING_BLOCKS, AT_AXES, AT_GRID_CELLS,
  AT_DRIVERS, AT_OWNERS, AT_COSTS, AT_CHOSEN, AT_FLOOD, AT_READ, BLOCK_COUNT
};

typedef struct {
  LibcellView view;                  /* pointers to the device's memory */
  GrowingBlock block[BLOCK_COUNT];
} LibcellState;

#define SL_LIBCELL(v) SL_GIVEN(LibcellView, v)

/* --- evaluations ------------------------------------------------------------------------------ */
SL_HD SizeTimes times_by_tables(const LibcellView *view, const SizeArc *arc, float slew, float load)
{
  SizeTimes x = { 0, 0 };
  if (arc->delay == SIZE_NONE || arc->slew == SIZE_NONE) return x;
  x.delay = table_value(size_table(&view->s, arc->delay, arc->delay_n1, arc->delay_n2), slew, load);
  x.slew = table_value(size_table(&view->s, arc->slew, arc->slew_n1, arc->slew_n2), slew, load);
  if (x.slew < 0) x.slew = 0;
  return x;
}

SL_HD SizeTimes times_by_cells(const LibcellView *view, const FlatGrid *grid, float slew,
                               float load)
{
  SizeTimes x;
  const FlatAxes *axes = &view->axes[grid->axes];
  GridPlace i = grid_place(axes->of1, grid->n1, slew), j = grid_place(axes->of2, grid->n2, load);
  FlatCell c =
      view->cells[grid->first + (uint32_t)i.segment * grid_step(grid) + (uint32_t)j.segment];
  x.delay = cell_value(c.delay, i.fraction, j.fraction);
  x.slew = cell_value(c.slew, i.fraction, j.fraction);
  if (x.slew < 0) x.slew = 0;
  return x;
}

SL_HD SizeTimes times_looked_up(const LibcellView *view, uint32_t cell, const SizeEdge *edge,
                                const SizeNet *net, int by_cells)
{
  const SizeArc *arc = size_arc(&view->s, cell, edge);
  if (by_cells) {
    FlatGrid g = view->grids[arc - view->s.arcs];
    if (g.n1 != 0 && g.n1 != FLAT_NO_GRID)
      return times_by_cells(view, &g, edge->input_slew, net->load);
  }
  return times_by_tables(view, arc, edge->input_slew, net->load);
}

/* size_cost without waveforms. */
SL_HD float cost_looked_up(const LibcellView *view, const SizeGate *gate, uint32_t at, int by_cells)
{
  uint32_t cell = view->s.candidates[at];
  SizeSum sum = { view->s.own_costs[at], { 0 } };
  for (uint32_t i = 0; i < gate->edge_count; i++) {
    const SizeEdge *edge = &view->s.edges[gate->first_edge + i];
    size_add(
        &sum, edge,
        times_looked_up(view, cell, edge, &view->s.nets[gate->first_net + edge->net], by_cells));
  }
  return size_total(&view->s, gate, &view->s.cells[cell], &sum);
}

/* at: of the candidate, in SizeView.candidates. */
SL_HD float cost_by_keys(const LibcellView *view, uint32_t gate, uint32_t at)
{
  (void)gate;
  return view->costs[at];
}

SL_HD float cost_by_model(const LibcellView *view, uint32_t gate, uint32_t at)
{
  const SizeGate *size_gate = &view->s.gates[gate];
  return size_cost(&view->s, size_gate, at - size_gate->first_candidate);
}

SL_HD float cost_by_tables(const LibcellView *view, uint32_t gate, uint32_t at)
{
  return cost_looked_up(view, &view->s.gates[gate], at, 0);
}

SL_HD float cost_by_cells(const LibcellView *view, uint32_t gate, uint32_t at)
{
  return cost_looked_up(view, &view->s.gates[gate], at, 1);
}

/* --- kernels ---------------------------------------------------------------------------------- */
/* For each evaluation: one lane for a candidate, and groups of lanes for a driver. */
#define LIBCELL_KERNELS(name)                                                                \
  SL_HD void choose_##name(const LibcellView *view, uint32_t at, uint32_t lane, uint32_t width) \
  {                                                                                          \
    LibcellDriver d = view->drivers[at];                                                        \
    LaneLeast b = lane_least_none();                                                         \
    for (LANE_SEES(i, lane, width, d.count))                                                 \
      lane_least_see(&b, i, cost_by_##name(view, d.gate, d.first + i), d.now);                  \
    lanes_choose(&b, lane, width, &view->chosen[d.gate]);                                       \
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
SL_HD uint32_t few_lanes(const LibcellView *view)
{
  return (LIBCELL_FEW * view->few + 31) / 32 * 32;
}

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

SL_BLOCK_FN void select_in_block(const LibcellView *view, uint32_t b)
{
  SL_SHARED(uint32_t, keys, LIBCELL_BLOCK);
  SL_SHARED(uint32_t, ats, LIBCELL_BLOCK);
  LibcellDriver d = view->drivers[b];
  const float *costs = view->costs + d.first;
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
    view->chosen[d.gate].best = ats[0];
    view->chosen[d.gate].gain = costs[d.now] - costs[ats[0]];
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

/* --- starts of kernels ------------------------------------------------------------------------ */
static void start_update(Device *d, const LibcellView *view, LibcellCost cost)
{
  if (cost == LIBCELL_MODEL) SL_START(d, view->lanes, update_delay_model, *view);
  else if (cost == LIBCELL_TABLES) SL_START(d, view->lanes, update_delay_tables, *view);
  else if (cost == LIBCELL_CELLS) SL_START(d, view->lanes, update_delay_cells, *view);
}

static void start_fused_warp(Device *d, const LibcellView *view, LibcellCost cost)
{
  uint32_t lanes = 32 * view->count;
  if (cost == LIBCELL_KEYS) SL_START(d, lanes, choose_by_warp_keys, *view);
  else if (cost == LIBCELL_MODEL) SL_START(d, lanes, choose_by_warp_model, *view);
  else if (cost == LIBCELL_TABLES) SL_START(d, lanes, choose_by_warp_tables, *view);
  else SL_START(d, lanes, choose_by_warp_cells, *view);
}

static void start_fused_group(Device *d, const LibcellView *view, LibcellCost cost)
{
  uint32_t lanes = LIBCELL_FEW * view->count;
  if (cost == LIBCELL_KEYS) SL_START(d, lanes, choose_by_group_keys, *view);
  else if (cost == LIBCELL_MODEL) SL_START(d, lanes, choose_by_group_model, *view);
  else if (cost == LIBCELL_TABLES) SL_START(d, lanes, choose_by_group_tables, *view);
  else SL_START(d, lanes, choose_by_group_cells, *view);
}

static void start_select(Device *d, const LibcellView *view, const LibcellSelect *select)
{
  switch (select->way) {
  case LIBCELL_BY_LANE: SL_START(d, view->count, select_by_lane, *view); break;
  case LIBCELL_BY_BLOCK:
    SL_START_BLOCKS(d, d->stream, view->count, LIBCELL_BLOCK, select_by_block, *view);
    break;
  case LIBCELL_BY_WARP: start_fused_warp(d, view, LIBCELL_KEYS); break;
  case LIBCELL_BY_GROUP:
    SL_START(d, few_lanes(view) + 32 * (view->count - view->few), select_by_group, *view);
    break;
  case LIBCELL_FUSED_WARP: start_fused_warp(d, view, select->cost); break;
  case LIBCELL_FUSED_GROUP: start_fused_group(d, view, select->cost); break;
  }
}

static bool has_update(const LibcellSelect *select)
{
  return select->cost != LIBCELL_KEYS && select->way < LIBCELL_FUSED_WARP;
}

/* --- operations ------------------------------------------------------------------------------- */
static FlatTable table_or_none(uint32_t first, uint8_t n1, uint8_t n2)
{
  FlatTable none = { 0, 0, 0 }, table = { first, n1, n2 };
  return first == SIZE_NONE ? none : table;
}

/* The tables of each arc as a grid. */
static void put_grids(Device *d, LibcellState *state, const SizingArrays *arrays)
{
  GrowingBlock *blocks = state->block;
  GridMaker g = grid_maker_new(arrays->view.pool);
  FlatGrid *grids = (FlatGrid *)mem_alloc(((size_t)arrays->arcs + 1) * sizeof *grids);
  for (uint32_t i = 0; i < arrays->arcs; i++) {
    const SizeArc *arc = &arrays->view.arcs[i];
    grids[i] = grid_maker_add(&g, table_or_none(arc->delay, arc->delay_n1, arc->delay_n2),
                              table_or_none(arc->slew, arc->slew_n1, arc->slew_n2));
  }
  state->view.grids = SIZING_PUT(FlatGrid, AT_GRIDS, grids, arrays->arcs);
  state->view.axes = SIZING_PUT(FlatAxes, AT_AXES, g.axes.at, g.axes.len);
  state->view.cells = SIZING_PUT(FlatCell, AT_GRID_CELLS, g.cells.at, g.cells.len);
  device_finish(d, 0);
  grid_maker_end(&g);
  mem_free(grids);
  mem_free(g.axes.at);
  mem_free(g.cells.at);
}

static void put_library(Device *d, void *state, void *call)
{
  LibcellState *libcell_state = (LibcellState *)state;
  const SizingArrays *arrays = (const SizingArrays *)call;
  put_sizing_library(d, libcell_state->block, &libcell_state->view.s, arrays);
  put_grids(d, libcell_state, arrays);
}

static void put_design(Device *d, void *state, void *call)
{
  LibcellState *libcell_state = (LibcellState *)state;
  const LibcellDesign *design = (const LibcellDesign *)call;
  GrowingBlock *blocks = libcell_state->block;
  size_t lanes = design->problem.candidates;
  libcell_state->view.count = design->problem.gates;
  libcell_state->view.few = design->few;
  libcell_state->view.lanes = design->problem.candidates;
  libcell_state->view.reversed = d->reversed;
  libcell_state->view.drivers =
      SIZING_PUT(LibcellDriver, AT_DRIVERS, design->drivers, design->problem.gates);
  libcell_state->view.chosen = (SizeChosen *)growing_room(
      d, &blocks[AT_CHOSEN], libcell_state->view.count * sizeof(SizeChosen));
  if (design->keys) libcell_state->view.costs = SIZING_PUT(float, AT_COSTS, design->keys, lanes);
  else put_sizing_design(d, blocks, &libcell_state->view.s, &design->problem);
  if (!design->owners || design->keys) return;
  libcell_state->view.owners = SIZING_PUT(uint32_t, AT_OWNERS, design->owners, lanes);
  libcell_state->view.costs = (float *)growing_room(d, &blocks[AT_COSTS], lanes * sizeof(float));
}

typedef struct {
  const LibcellView   *view;
  const LibcellSelect *select;
} LibcellRun;

static void start_all(Device *d, void *of)
{
  const LibcellRun *run = (const LibcellRun *)of;
  if (has_update(run->select)) start_update(d, run->view, run->select->cost);
  start_select(d, run->view, run->select);
}

static void start_update_alone(Device *d, void *of)
{
  const LibcellRun *run = (const LibcellRun *)of;
  start_update(d, run->view, run->select->cost);
}

static void start_select_alone(Device *d, void *of)
{
  const LibcellRun *run = (const LibcellRun *)of;
  start_select(d, run->view, run->select);
}

static void select_cells(Device *d, void *state, void *call)
{
  LibcellState *libcell_state = (LibcellState *)state;
  LibcellSelect *select = (LibcellSelect *)call;
  LibcellRun x = { &libcell_state->view, select };
  GrowingBlock *flood = &libcell_state->block[AT_FLOOD];
  select->update = select->select = select->all = 0;
  if (select->repeats == 0) start_all(d, &x);
  else {
    select->all = device_median(d, flood, select->repeats, start_all, &x);
    if (has_update(select))
      select->update = device_median(d, flood, select->repeats, start_update_alone, &x);
    if (select->way < LIBCELL_FUSED_WARP)
      select->select = device_median(d, flood, select->repeats, start_select_alone, &x);
  }
  device_get(d, select->chosen, libcell_state->view.chosen,
             libcell_state->view.count * sizeof *select->chosen);
}

typedef struct {
  LibcellView v;
  char    *from;
  uint32_t cells;
} LibcellReading;

static void start_read(Device *d, void *of)
{
  const LibcellReading *reading = (const LibcellReading *)of;
  SL_START(d, reading->cells, read_all, reading->v, reading->cells, (const FlatCell *)reading->from,
           (float *)reading->from);
}

static void read_memory(Device *d, void *state, void *call)
{
  LibcellState *libcell_state = (LibcellState *)state;
  LibcellRead *read = (LibcellRead *)call;
  LibcellReading x = {};
  x.v.reversed = d->reversed;
  x.from = growing_room(d, &libcell_state->block[AT_READ], read->bytes + sizeof(FlatCell));
  x.cells = (uint32_t)(read->bytes / sizeof(FlatCell));
  if (x.from)
    read->seconds =
        device_median(d, &libcell_state->block[AT_FLOOD], read->repeats, start_read, &x);
}

static const FamilyOperation operations[] = {
  { .name = "libcell_library", .run = put_library },
  { .name = "libcell_design", .run = put_design },
  { .name = "libcell_select", .run = select_cells },
  { .name = "libcell_read", .run = read_memory },
};

SL_FAMILY(libcell) = { .state_bytes = sizeof(LibcellState), .operations = operations };
