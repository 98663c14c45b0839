/* Density maps on the CPU, as a family's functions: place/density_map.h does the work. */
#include "base/clock.h"
#include "base/memory.h"
#include "base/sort.h"
#include "device/device_density.h"
#include "place/density_map.h"

typedef struct {
  DensityGrid   g;
  DensityShapes shapes;
  const double *weights;
  DensityWork  *work;        /* of the grid and a threshold; NULL: none yet */
  uint32_t      threshold;
} HostDensity;

static void forget_work(HostDensity *h)
{
  density_work_free(h->work);
  h->work = NULL;
}

static void put_shapes(void *state, void *call, int threads)
{
  HostDensity *h = state;
  const DensityGiven *given = call;
  (void)threads;
  forget_work(h);
  h->g = *given->grid;
  h->shapes = *given->shapes;
}

static void put_weights(void *state, void *call, int threads)
{
  (void)threads;
  ((HostDensity *)state)->weights = ((const DensityWeights *)call)->weights;
}

static void make_work(HostDensity *h, uint32_t threshold, int threads)
{
  if (h->work && h->threshold == threshold) return;
  forget_work(h);
  h->work = density_work_new(&h->g, threshold, threads > 0 ? threads : 1);
  h->threshold = threshold;
}

static void run_once(HostDensity *h, DensityCall *c)
{
  if (c->way == DENSITY_FORWARD) c->range = density_forward(h->work, &h->shapes, c->out);
  else density_backward(h->work, h->weights, &h->shapes, c->out);
}

static void run(void *state, void *call, int threads)
{
  HostDensity *h = state;
  DensityCall *c = call;
  double times[DENSITY_MOST_REPEATS];
  uint32_t repeats = c->repeats < DENSITY_MOST_REPEATS ? c->repeats : DENSITY_MOST_REPEATS;
  make_work(h, c->plan.threshold ? c->plan.threshold : DENSITY_THRESHOLD, threads);
  run_once(h, c);
  for (uint32_t i = 0; i < repeats; i++) {
    double since = clock_seconds();
    run_once(h, c);
    times[i] = clock_seconds() - since;
  }
  c->seconds = median_of(times, repeats);
}

static void release(void *state) { forget_work(state); }

static const FamilyFunction functions[] = {
  [DENSITY_PUT_SHAPES] = put_shapes,
  [DENSITY_PUT_WEIGHTS] = put_weights,
  [DENSITY_RUN] = run,
};
const FamilyHost density_host = { .state_bytes = sizeof(HostDensity), .operations = functions,
                                  .release = release };
