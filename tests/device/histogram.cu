/* The kernels of tests/device/histogram.h. */
#include "tests/device/histogram.h"

#include "cuda/kernel.h"
#include "cuda/private.h"

typedef struct {
  const float *values;
  const Cond4 *slews;              /* NULL: values are counted */
  uint32_t *counts;
  uint32_t  count, bins;
  float     low, width;
  bool      reversed;
} HistogramView;

typedef struct {
  char    *values, *counts;
  size_t   value_room, count_room;
  uint32_t count;
} HistogramState;

SL_KERNEL count_values(SL_GIVEN(HistogramView, v))
{
  SL_EACH(i, v.count)
  {
    float x = v.slews ? v.slews[i].v[condition_of(LATE, RISE)] : v.values[i];
    lane_count(&v.counts[histogram_bin(x, v.low, v.width, v.bins)]);
  }
}

static void put_values(Device *d, void *state, void *call)
{
  HistogramState *histogram_state = (HistogramState *)state;
  const HistogramValues *values = (const HistogramValues *)call;
  size_t bytes = values->count * sizeof *values->values;
  histogram_state->count = values->count;
  if (device_make_room(d, &histogram_state->values, &histogram_state->value_room, bytes))
    device_put(d, histogram_state->values, values->values, bytes);
}

static void count_all(Device *d, HistogramState *state, HistogramCall *call, HistogramView v)
{
  size_t bytes = call->bins * sizeof *call->counts;
  if (!device_make_room(d, &state->counts, &state->count_room, bytes)) return;
  v.counts = (uint32_t *)state->counts;
  v.bins = call->bins;
  v.low = call->low;
  v.width = call->width;
  v.reversed = d->reversed;
  device_zero(d, state->counts, bytes);
  device_mark(d);
  SL_START(d, v.count, count_values, v);
  device_lap(d);
  device_get(d, call->counts, state->counts, bytes);
}

static void count_bins(Device *d, void *state, void *call)
{
  HistogramState *histogram_state = (HistogramState *)state;
  HistogramView v = {};
  v.values = (const float *)histogram_state->values;
  v.count = histogram_state->count;
  count_all(d, histogram_state, (HistogramCall *)call, v);
}

static void count_slews(Device *d, void *state, void *call)
{
  FlatView design = device_view(d);
  HistogramView v = {};
  v.slews = design.n.slew;
  v.count = design.f.count.slots;
  count_all(d, (HistogramState *)state, (HistogramCall *)call, v);
}

static const FamilyOperation operations[] = {
  { .name = "put_values", .run = put_values },
  { .name = "count", .run = count_bins },
  { .name = "count_slews", .run = count_slews, .reads = NUMBERS_DELAYS },
};

SL_FAMILY(histogram) = { .state_bytes = sizeof(HistogramState), .operations = operations };
