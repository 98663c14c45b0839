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
static void start_published(Device *d, const DensityView *v, bool doubles)
{
  uint32_t lanes = v->shapes.count * v->lanes, bins = (uint32_t)density_bin_count(&v->g);
  if (doubles) {
    SL_START(d, lanes, add_doubles, *v, lanes);
    return;
  }
  SL_START(d, lanes, add_apart, *v, lanes);
  SL_START(d, bins, write_sums, *v, bins);
}

static void start_density_forward(Device *d, const DensityView *v, bool doubles)
{
  uint32_t blocks = DENSITY_BLOCKS, groups = (v->shapes.count + THREADS - 1) / THREADS,
           strips = density_strip_count(&v->g), columns = strips * v->g.x.count;
  SL_START_BLOCKS(d, d->stream, blocks, THREADS, prepare_forward, *v, blocks);
  if (doubles || v->threshold == UINT32_MAX) {
    start_published(d, v, doubles);
    return;
  }
  SL_OVERLAP_BLOCKS(d, groups, THREADS, add_shapes, *v, groups);
  SL_OVERLAP(d, columns, sum_strips, *v, columns);
  SL_OVERLAP_BLOCKS(d, strips, DENSITY_SCAN_LANES, scan_forward, *v, strips);
}

/* Kernels that begin early were slower here. */
static void start_density_backward(Device *d, const DensityView *v)
{
  uint32_t blocks = DENSITY_BLOCKS, strips = density_strip_count(&v->g),
           columns = strips * v->g.x.count;
  SL_START_BLOCKS(d, d->stream, blocks, THREADS, prepare_backward, *v, blocks);
  if (v->threshold != UINT32_MAX) {
    SL_START(d, columns, sum_weights, *v, columns);
    SL_START_BLOCKS(d, d->stream, strips, DENSITY_SCAN_LANES, scan_weights, *v, strips);
  }
  SL_START(d, v->shapes.count, find_densities, *v, v->shapes.count);
}

static void start_density(Device *d, DensityState *s, DensityWay way, const DensityPlan *plan)
{
  s->view.threshold = plan->threshold ? plan->threshold : DENSITY_DEVICE_THRESHOLD;
  s->view.lanes = plan->lanes ? plan->lanes : DENSITY_DEVICE_LANES;
  s->view.lane_bits = s->view.lanes >> 1;
  s->view.turn ^= 1;
  if (way == DENSITY_BACKWARD) start_density_backward(d, &s->view);
  else start_density_forward(d, &s->view, plan->doubles);
}

/* --- memory ----------------------------------------------------------------------------------- */
static void place_density_arrays(DensityView *v, Room *r)
{
  size_t bins = (size_t)density_bin_count(&v->g), columns = v->g.x.count;
  v->most = (uint64_t *)take_room(r, 2 * sizeof *v->most);
  v->lost = (uint64_t *)take_room(r, 2 * sizeof *v->lost);
  v->map = (uint64_t *)take_room(r, bins * sizeof *v->map);
  v->fine = (uint64_t *)take_room(r, bins * sizeof *v->fine);
  v->second = (uint64_t *)take_room(r, bins * sizeof *v->second);
  v->table = (uint64_t *)take_room(r, bins * sizeof *v->table);
  v->strips = (uint64_t *)take_room(r, density_strip_count(&v->g) * columns * sizeof *v->strips);
  v->groups = (uint64_t *)take_room(r, density_group_count(&v->g) * columns * sizeof *v->groups);
}

static bool make_density_arrays(Device *d, DensityState *s)
{
  Room count = { NULL, 0 };
  place_density_arrays(&s->view, &count);
  Room room = { growing_room(d, &s->maps, count.at), 0 };
  if (room.block == NULL) return false;
  size_t bytes = (size_t)density_bin_count(&s->view.g) * sizeof *s->view.fine;
  place_density_arrays(&s->view, &room);
  device_zero(d, s->view.fine, bytes);
  device_zero(d, s->view.second, bytes);
  device_zero(d, s->view.most, 2 * sizeof *s->view.most);
  device_zero(d, s->view.lost, 2 * sizeof *s->view.lost);
  return true;
}

/* A copy there of what the host may have; NULL: it has none, or an error. */
static const void *put_density(Device *d, GrowingBlock *b, const void *from, size_t bytes)
{
  return from ? growing_put(d, b, from, bytes) : NULL;
}

/* --- operations ------------------------------------------------------------------------------- */
static void put_shapes(Device *d, void *state, void *call)
{
  DensityState *s = (DensityState *)state;
  const DensityGiven *given = (const DensityGiven *)call;
  const DensityShapes *from = given->shapes;
  DensityShapes *there = &s->view.shapes;
  size_t count = from->count;
  s->view.g = *given->grid;
  s->view.reversed = d->reversed;
  if (!make_density_arrays(d, s)) return;
  s->view.density = (double *)growing_room(d, &s->density, count * sizeof(double));
  if (s->view.density == NULL) return;
  there->count = from->count;
  there->boxes = (const DensityBox *)put_density(d, &s->boxes, from->boxes,
                                                 count * sizeof *from->boxes);
  there->int_boxes = (const DensityIntBox *)put_density(d, &s->int_boxes, from->int_boxes,
                                                        count * sizeof *from->int_boxes);
  there->weights = (const double *)put_density(d, &s->weights, from->weights,
                                               count * sizeof *from->weights);
}

static void put_weights(Device *d, void *state, void *call)
{
  DensityState *s = (DensityState *)state;
  const double *weights = ((const DensityWeights *)call)->weights;
  size_t bytes = (size_t)density_bin_count(&s->view.g) * sizeof *weights;
  s->view.weights = (double *)put_density(d, &s->bins, weights, bytes);
}

typedef struct {
  DensityState *s;
  const DensityCall *c;
} DensityRun;

static void start_planned(Device *d, void *of)
{
  DensityRun *x = (DensityRun *)of;
  start_density(d, x->s, x->c->way, &x->c->plan);
}

static void run(Device *d, void *state, void *call)
{
  DensityState *s = (DensityState *)state;
  DensityCall *c = (DensityCall *)call;
  size_t bins = (size_t)density_bin_count(&s->view.g), shapes = s->view.shapes.count;
  DensityRun x = { s, c };
  if (c->repeats) c->seconds = device_median(d, &s->flood, c->repeats, start_planned, &x);
  else start_planned(d, &x);
  if (c->way == DENSITY_FORWARD) {
    device_get(d, c->out, s->view.map, bins * sizeof *c->out);
    device_get(d, &c->range.largest, s->view.most + s->view.turn, sizeof c->range.largest);
    device_get(d, &c->range.lost, s->view.lost + s->view.turn, sizeof c->range.lost);
  } else device_get(d, c->out, s->view.density, shapes * sizeof *c->out);
}

static const FamilyOperation operations[] = {
  { .name = "density", .run = put_shapes, .reads = 0 },            /* DENSITY_PUT_SHAPES */
  { .name = "density_weights", .run = put_weights, .reads = 0 },   /* DENSITY_PUT_WEIGHTS */
  { .name = "density_run", .run = run, .reads = 0 },               /* DENSITY_RUN */
};

SL_FAMILY(density) = { .state_bytes = sizeof(DensityState), .operations = operations };
