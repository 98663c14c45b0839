/* The CPU's backend: a table of the functions in src/cpu. */
#include "cpu/cpu.h"
#include "update/backend.h"

static bool available(int device, Text *what)
{
  (void)device;
  (void)what;
  return true;
}

const Backend cpu_backend = {
  .name = "cpu",
  .available = available,
  .phases = {
    .reduce_nets = cpu_reduce_nets,
    .forward = cpu_forward,
    .arrivals = cpu_arrivals,
    .latch_delays = cpu_latch_delays,
    .reference_arrivals = cpu_reference_arrivals,
    .latch_arrivals = cpu_latch_arrivals,
    .common_paths = cpu_common_paths,
    .end_points = cpu_end_points,
    .backward = cpu_backward,
  },
};
