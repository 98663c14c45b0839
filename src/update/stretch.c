/* Makes a copy of the timing with its own graph and path ends, so that the engine's functions can
   compute its arrivals. */
#include "update/stretch.h"

#include <math.h>
#include <string.h>

#include "timing/credit.h"
#include "cpu/cpu.h"

struct Stretch {
  const Timing *of;
  ClockId    clock;
  Graph      graph;              /* a copy with seeds, path ends and details of its own */
  Timing     timing;             /* a copy with arrays of its own for everything that arrivals
                                    change */
  TimingKept kept;
};

static const Tag *data_tag(const Graph *g, const PathEnd *end)
{
  return &g->tags->tags.at[graph_node_tag(g, end->slot, end->data)];
}

static bool is_of(ClockEdge edge, ClockId clock)
{
  return edge != NO_CLOCK_EDGE && clock_edge_clock(edge) == clock;
}

bool stretch_end_within(const Graph *g, const PathEnd *end, ClockId clock)
{
  return is_of(end->capture_clock, clock) && is_of(data_tag(g, end)->clock_edge, clock);
}

#define COPY(array, count) copy_of(array, sizeof *(array) * (size_t)(count))

static void *copy_of(const void *from, size_t bytes)
{
  return from == NULL ? NULL : memcpy(mem_alloc(bytes + 1), from, bytes);
}

/* Removes the launches of ports, if only registers count. */
static void drop_ports(Graph *g)
{
  for (uint32_t i = 0; i < g->starts.seeds.len; i++) {
    Seed *seed = &g->starts.seeds.at[i];
    if (g->tags->tags.at[seed->tag].is_clock) continue;
    for (int k = 0; k < CONDITION_COUNT; k++) seed->arrival[k] = NAN;
  }
}

/* Closes the clock's latches for data that other clocks or ports launch. */
static void close_latches(Graph *g, ClockId clock, bool registers)
{
  for (PathEndId id = 0; id < g->ends.path_ends.len; id++) {
    PathEnd *end = &g->ends.path_ends.at[id];
    if (!stretch_end_within(g, end, clock) || (registers && data_tag(g, end)->is_clock))
      end->passes = 0;
  }
}

static void own_graph(Stretch *stretch, bool registers)
{
  Graph *g = &stretch->graph;
  *g = *stretch->of->g;
  g->starts.seeds.at = COPY(g->starts.seeds.at, g->starts.seeds.len);
  g->ends.path_ends.at = COPY(g->ends.path_ends.at, g->ends.path_ends.len);
  g->ends.details.at = COPY(g->ends.details.at, g->ends.details.len);
  if (registers) drop_ports(g);
  close_latches(g, stretch->clock, registers);
}

static void own_numbers(Stretch *stretch)
{
  Timing *t = &stretch->timing;
  const Graph *g = &stretch->graph;
  *t = *stretch->of;
  t->g = g;
  t->arrival = COPY(t->arrival, g->nodes.count);
  t->sigma.arrival_variance = COPY(t->sigma.arrival_variance, g->nodes.count);
  t->check_margin = COPY(t->check_margin, g->ends.checks.len);
  t->sigma.check = COPY(t->sigma.check, g->ends.checks.len);
  memset(&t->latches.arrivals, 0, sizeof t->latches.arrivals);
  t->common = NULL;
  common_new(t);
  memset(t->owned, 0, sizeof t->owned);
  t->device.families = NULL;
  t->kept = &stretch->kept;
}

Stretch *stretch_new(const Timing *t, ClockId clock, bool registers)
{
  Stretch *stretch = mem_alloc_zero(1, sizeof *stretch);
  stretch->of = t;
  stretch->clock = clock;
  own_graph(stretch, registers);
  own_numbers(stretch);
  return stretch;
}

void stretch_free(Stretch *stretch)
{
  if (stretch == NULL) return;
  timing_forget(&stretch->timing);
  common_free(&stretch->timing);
  mem_free(stretch->timing.arrival);
  mem_free(stretch->timing.sigma.arrival_variance);
  mem_free(stretch->timing.check_margin);
  mem_free(stretch->timing.sigma.check);
  array_free(&stretch->timing.latches.arrivals);
  mem_free(stretch->graph.starts.seeds.at);
  mem_free(stretch->graph.ends.path_ends.at);
  mem_free(stretch->graph.ends.details.at);
  mem_free(stretch);
}

const Timing *stretch_timing(const Stretch *stretch) { return &stretch->timing; }

/* Moves the path ends. more: the increase of the period, in periods. */
static void move_ends(Stretch *stretch, double more)
{
  const Graph *from = stretch->of->g;
  Graph *g = &stretch->graph;
  for (PathEndId id = 0; id < g->ends.path_ends.len; id++) {
    const PathEnd *old = &from->ends.path_ends.at[id];
    const PathEndDetail *detail = &from->ends.details.at[old->detail];
    if (detail->path_delay || !stretch_end_within(from, old, stretch->clock)) continue;
    PathEndDetail *to = &g->ends.details.at[old->detail];
    double between = detail->capture_time - detail->launch_time;
    for (int edge = RISE; edge <= FALL; edge++)
      g->ends.path_ends.at[id].offset[edge] = (float)(old->offset[edge] + more * between);
    to->launch_time = detail->launch_time;
    to->capture_time = detail->capture_time + more * between;
    to->window = (float)(detail->window + more * detail->pulse);
    to->pulse = (float)((1 + more) * detail->pulse);
  }
}

static bool arrivals(Timing *t)
{
  return cpu_arrivals(t) && (t->common == NULL || cpu_common_paths(t));
}

bool stretch_to(Stretch *stretch, double period)
{
  Timing *t = &stretch->timing;
  move_ends(stretch, period / t->constraints->clocks.at[stretch->clock].period - 1);
  array_clear(&t->latches.arrivals);
  if (!arrivals(t)) return false;
  for (int sweep = 0; sweep < LATCH_SWEEPS && stretch->graph.arcs.latches.len; sweep++) {
    t->latches.leap = sweep == LATCH_SWEEPS / 2;
    if (!cpu_latch_arrivals(t)) return true;
    if (!arrivals(t)) return false;
  }
  return true;
}
