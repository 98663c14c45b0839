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

static void forget_work(HostDensity *density)
{
  density_work_free(density->work);
  density->work = NULL;
}

static void put_shapes(void *state, void *call, int threads)
{
  HostDensity *density = state;
  const DensityGiven *given = call;
  (void)threads;
  forget_work(density);
  density->g = *given->grid;
  density->shapes = *given->shapes;
}

static void put_weights(void *state, void *call, int threads)
{
  (void)threads;
  ((HostDensity *)state)->weights = ((const DensityWeights *)call)->weights;
}

static void make_work(HostDensity *density, uint32_t threshold, int threads)
{
  if (density->work && density->threshold == threshold) return;
  forget_work(density);
  density->work = density_work_new(&density->g, threshold, threads > 0 ? threads : 1);
  density->threshold = threshold;
}

static void run_once(HostDensity *density, DensityCall *call)
{
  if (call->way == DENSITY_FORWARD)
    call->range = density_forward(density->work, &density->shapes, call->out);
  else density_backward(density->work, density->weights, &density->shapes, call->out);
}

static void run(void *state, void *call, int threads)
{
  HostDensity *density = state;
  DensityCall *density_call = call;
  double times[DENSITY_MOST_REPEATS];
  uint32_t repeats =
      density_call->repeats < DENSITY_MOST_REPEATS ? density_call->repeats : DENSITY_MOST_REPEATS;
  make_work(density,
            density_call->plan.threshold ? density_call->plan.threshold : DENSITY_THRESHOLD,
            threads);
  run_once(density, density_call);
  for (uint32_t i = 0; i < repeats; i++) {
    double since = clock_seconds();
    run_once(density, density_call);
    times[i] = clock_seconds() - since;
  }
  density_call->seconds = median_of(times, repeats);
}

static void release(void *state) { forget_work(state); }

static const FamilyFunction functions[] = {
  [DENSITY_PUT_SHAPES] = put_shapes,
  [DENSITY_PUT_WEIGHTS] = put_weights,
  [DENSITY_RUN] = run,
};
const FamilyHost density_host = { .state_bytes = sizeof(HostDensity), .operations = functions,
                                  .release = release };
