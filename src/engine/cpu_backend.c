/* The CPU backend: its parts, level by level. */
#include "base/interrupt.h"
#include "engine/common.h"
#include "engine/cpu.h"

bool cpu_forward(Timing *t)
{
  for (uint32_t level = 0; level < t->g->level_count; level++) {
    if (interrupt_seen()) return false;
    cpu_level_delays(t, level);
    cpu_level_arrivals(t, level);
  }
  return true;
}

bool cpu_arrivals(Timing *t)
{
  for (uint32_t level = 0; level < t->g->level_count; level++) {
    if (interrupt_seen()) return false;
    cpu_level_arrivals(t, level);
  }
  return true;
}

bool cpu_common_paths(Timing *t)
{
  cpu_common_credits(t);
  for (uint32_t level = 0; common_active(t) && level < t->g->level_count; level++) {
    if (interrupt_seen()) return false;
    cpu_level_fronts(t, level);
  }
  return true;
}

bool cpu_backward(Timing *t)
{
  if (common_pruned(t)) return cpu_pruned_backward(t);
  for (uint32_t level = t->g->level_count; level-- > 0;) {
    if (interrupt_seen()) return false;
    cpu_level_required(t, level);
  }
  return true;
}

static bool available(int device, Text *what)
{
  (void)device;
  (void)what;
  return true;
}

const Backend cpu_backend = { "cpu", available, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, cpu_reduce_nets, cpu_forward, cpu_arrivals, cpu_latch_delays, cpu_reference_pass,
                              cpu_latch_pass, cpu_common_paths, cpu_end_points, cpu_backward };
