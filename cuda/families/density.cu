/* Density maps on a device: memory, kernels, the order of kernels (see
   cuda/families/density_view.h). */
#include <stdlib.h>

#include "cuda/families/density_view.h"

#define SL_DENSITY(v) SL_GIVEN(DensityView, v)

/* So many blocks share what is no more than a pass over memory. */
enum { DENSITY_BLOCKS = 1056 };
/* The threshold is that of the CPU (DENSITY_THRESHOLD), so that backward results are the same.
   With one or two lanes for a shape, maps of cells took longer on an H200. */
enum { DENSITY_DEVICE_THRESHOLD = 16, DENSITY_DEVICE_LANES = 4 };

typedef struct {
  DensityView view;
  GrowingBlock maps, boxes, int_boxes, weights, bins, density;
  GrowingBlock flood;                  /* written between runs that are measured */
} DensityState;

/* --- kernels ---------------------------------------------------------------------------------- */
SL_KERNEL prepare_forward(SL_DENSITY(v), uint32_t blocks)
{
  SL_NEXT();
  SL_BLOCKS(b, blocks) density_prepare(&v, b, blocks, DENSITY_FORWARD);
}

SL_KERNEL prepare_backward(SL_DENSITY(v), uint32_t blocks)
{
  SL_BLOCKS(b, blocks) density_prepare(&v, b, blocks, DENSITY_BACKWARD);
}

SL_DENSE_KERNEL(12) add_shapes(SL_DENSITY(v), uint32_t blocks)
{
  SL_NEXT();
  SL_BLOCKS(b, blocks) density_add_block(&v, b);
}

SL_KERNEL add_apart(SL_DENSITY(v), uint32_t count)
{
  SL_EACH(i, count) density_add_apart(&v, i / v.lanes, i % v.lanes);
}

SL_KERNEL add_doubles(SL_DENSITY(v), uint32_t count)
{
  SL_EACH(i, count) density_add_doubles(&v, i / v.lanes, i % v.lanes);
}

SL_KERNEL sum_strips(SL_DENSITY(v), uint32_t count)
{
  SL_NEXT();
  SL_WAIT();
  SL_EACH(i, count) density_sum_strip(&v, i / v.g.x.count, i % v.g.x.count, DENSITY_FORWARD);
}

SL_KERNEL sum_weights(SL_DENSITY(v), uint32_t count)
{
  SL_EACH(i, count) density_sum_strip(&v, i / v.g.x.count, i % v.g.x.count, DENSITY_BACKWARD);
}

SL_WIDE_DENSE(DENSITY_SCAN_LANES, 2) scan_forward(SL_DENSITY(v), uint32_t strips)
{
  SL_WAIT();
  SL_BLOCKS(b, strips) density_scan(&v, b, DENSITY_FORWARD);
}

SL_WIDE_KERNEL(DENSITY_SCAN_LANES) scan_weights(SL_DENSITY(v), uint32_t strips)
{
  SL_BLOCKS(b, strips) density_scan(&v, b, DENSITY_BACKWARD);
}

/* Where there are no second differences. */
SL_KERNEL write_sums(SL_DENSITY(v), uint32_t count)
{
  SL_EACH(i, count) density_write(&v, i, density_power(-density_view_scale(&v, DENSITY_FORWARD)));
}

SL_KERNEL find_densities(SL_DENSITY(v), uint32_t count)
{
  SL_EACH(i, count) density_of_shape(&v, i);
}

/* --- starts of kernels ------------------------------------------------------------------------ */
/* Without second differences. */
static void start_published(Device *d, const DensityView *view, bool doubles)
{
  uint32_t lanes = view->shapes.count * view->lanes, bins = (uint32_t)density_bin_count(&view->g);
  if (doubles) {
    SL_START(d, lanes, add_doubles, *view, lanes);
    return;
  }
  SL_START(d, lanes, add_apart, *view, lanes);
  SL_START(d, bins, write_sums, *view, bins);
}

static void start_density_forward(Device *d, const DensityView *view, bool doubles)
{
  uint32_t blocks = DENSITY_BLOCKS, groups = (view->shapes.count + THREADS - 1) / THREADS,
           strips = density_strip_count(&view->g), columns = strips * view->g.x.count;
  SL_START_BLOCKS(d, d->stream, blocks, THREADS, prepare_forward, *view, blocks);
  if (doubles || view->threshold == UINT32_MAX) {
    start_published(d, view, doubles);
    return;
  }
  SL_OVERLAP_BLOCKS(d, groups, THREADS, add_shapes, *view, groups);
  SL_OVERLAP(d, columns, sum_strips, *view, columns);
  SL_OVERLAP_BLOCKS(d, strips, DENSITY_SCAN_LANES, scan_forward, *view, strips);
}

/* Kernels that begin early were slower here. */
static void start_density_backward(Device *d, const DensityView *view)
{
  uint32_t blocks = DENSITY_BLOCKS, strips = density_strip_count(&view->g),
           columns = strips * view->g.x.count;
  SL_START_BLOCKS(d, d->stream, blocks, THREADS, prepare_backward, *view, blocks);
  if (view->threshold != UINT32_MAX) {
    SL_START(d, columns, sum_weights, *view, columns);
    SL_START_BLOCKS(d, d->stream, strips, DENSITY_SCAN_LANES, scan_weights, *view, strips);
  }
  SL_START(d, view->shapes.count, find_densities, *view, view->shapes.count);
}

static void start_density(Device *d, DensityState *state, DensityWay way, const DensityPlan *plan)
{
  state->view.threshold = plan->threshold ? plan->threshold : DENSITY_DEVICE_THRESHOLD;
  state->view.lanes = plan->lanes ? plan->lanes : DENSITY_DEVICE_LANES;
  state->view.lane_bits = state->view.lanes >> 1;
  state->view.turn ^= 1;
  if (way == DENSITY_BACKWARD) start_density_backward(d, &state->view);
  else start_density_forward(d, &state->view, plan->doubles);
}

/* --- memory ----------------------------------------------------------------------------------- */
static void place_density_arrays(DensityView *view, Room *room)
{
  size_t bins = (size_t)density_bin_count(&view->g), columns = view->g.x.count;
  view->most = (uint64_t *)take_room(room, 2 * sizeof *view->most);
  view->lost = (uint64_t *)take_room(room, 2 * sizeof *view->lost);
  view->map = (uint64_t *)take_room(room, bins * sizeof *view->map);
  view->fine = (uint64_t *)take_room(room, bins * sizeof *view->fine);
  view->second = (uint64_t *)take_room(room, bins * sizeof *view->second);
  view->table = (uint64_t *)take_room(room, bins * sizeof *view->table);
  view->strips =
      (uint64_t *)take_room(room, density_strip_count(&view->g) * columns * sizeof *view->strips);
  view->groups =
      (uint64_t *)take_room(room, density_group_count(&view->g) * columns * sizeof *view->groups);
}

static bool make_density_arrays(Device *d, DensityState *state)
{
  Room count = { NULL, 0 };
  place_density_arrays(&state->view, &count);
  Room room = { growing_room(d, &state->maps, count.at), 0 };
  if (room.block == NULL) return false;
  size_t bytes = (size_t)density_bin_count(&state->view.g) * sizeof *state->view.fine;
  place_density_arrays(&state->view, &room);
  device_zero(d, state->view.fine, bytes);
  device_zero(d, state->view.second, bytes);
  device_zero(d, state->view.most, 2 * sizeof *state->view.most);
  device_zero(d, state->view.lost, 2 * sizeof *state->view.lost);
  return true;
}

/* A copy there of what the host may have; NULL: it has none, or an error. */
static const void *put_density(Device *d, GrowingBlock *block, const void *from, size_t bytes)
{
  return from ? growing_put(d, block, from, bytes) : NULL;
}

/* --- operations ------------------------------------------------------------------------------- */
static void put_shapes(Device *d, void *state, void *call)
{
  DensityState *density_state = (DensityState *)state;
  const DensityGiven *given = (const DensityGiven *)call;
  const DensityShapes *from = given->shapes;
  DensityShapes *there = &density_state->view.shapes;
  size_t count = from->count;
  density_state->view.g = *given->grid;
  density_state->view.reversed = d->reversed;
  if (!make_density_arrays(d, density_state)) return;
  density_state->view.density =
      (double *)growing_room(d, &density_state->density, count * sizeof(double));
  if (density_state->view.density == NULL) return;
  there->count = from->count;
  there->boxes = (const DensityBox *)put_density(d, &density_state->boxes, from->boxes,
                                                 count * sizeof *from->boxes);
  there->int_boxes = (const DensityIntBox *)put_density(
      d, &density_state->int_boxes, from->int_boxes, count * sizeof *from->int_boxes);
  there->weights = (const double *)put_density(d, &density_state->weights, from->weights,
                                               count * sizeof *from->weights);
}

static void put_weights(Device *d, void *state, void *call)
{
  DensityState *density_state = (DensityState *)state;
  const double *weights = ((const DensityWeights *)call)->weights;
  size_t bytes = (size_t)density_bin_count(&density_state->view.g) * sizeof *weights;
  density_state->view.weights = (double *)put_density(d, &density_state->bins, weights, bytes);
}

typedef struct {
  DensityState *state;
  const DensityCall *call;
} DensityRun;

static void start_planned(Device *d, void *of)
{
  DensityRun *run = (DensityRun *)of;
  start_density(d, run->state, run->call->way, &run->call->plan);
}

static void run(Device *d, void *state, void *call)
{
  DensityState *density_state = (DensityState *)state;
  DensityCall *density_call = (DensityCall *)call;
  size_t bins = (size_t)density_bin_count(&density_state->view.g),
         shapes = density_state->view.shapes.count;
  DensityRun x = { density_state, density_call };
  if (density_call->repeats)
    density_call->seconds =
        device_median(d, &density_state->flood, density_call->repeats, start_planned, &x);
  else start_planned(d, &x);
  if (density_call->way == DENSITY_FORWARD) {
    device_get(d, density_call->out, density_state->view.map, bins * sizeof *density_call->out);
    device_get(d, &density_call->range.largest, density_state->view.most + density_state->view.turn,
               sizeof density_call->range.largest);
    device_get(d, &density_call->range.lost, density_state->view.lost + density_state->view.turn,
               sizeof density_call->range.lost);
  } else
    device_get(d, density_call->out, density_state->view.density,
               shapes * sizeof *density_call->out);
}

static const FamilyOperation operations[] = {
  { .name = "density", .run = put_shapes, .reads = 0 },            /* DENSITY_PUT_SHAPES */
  { .name = "density_weights", .run = put_weights, .reads = 0 },   /* DENSITY_PUT_WEIGHTS */
  { .name = "density_run", .run = run, .reads = 0 },               /* DENSITY_RUN */
};

SL_FAMILY(density) = { .state_bytes = sizeof(DensityState), .operations = operations };
