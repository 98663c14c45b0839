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
  const TagId *tags = tag_set_tags(g->tags, g->nodes.slot_tags[end->slot]);
  return &g->tags->tags.at[tags[end->data - g->nodes.first[end->slot]]];
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
    Seed *s = &g->starts.seeds.at[i];
    if (g->tags->tags.at[s->tag].is_clock) continue;
    for (int k = 0; k < CONDITION_COUNT; k++) s->arrival[k] = NAN;
  }
}

/* Closes the clock's latches for data that other clocks or ports launch. */
static void close_latches(Graph *g, ClockId clock, bool registers)
{
  for (PathEndId id = 0; id < g->ends.path_ends.len; id++) {
    PathEnd *r = &g->ends.path_ends.at[id];
    if (!stretch_end_within(g, r, clock) || (registers && data_tag(g, r)->is_clock)) r->passes = 0;
  }
}

static void own_graph(Stretch *s, bool registers)
{
  Graph *g = &s->graph;
  *g = *s->of->g;
  g->starts.seeds.at = COPY(g->starts.seeds.at, g->starts.seeds.len);
  g->ends.path_ends.at = COPY(g->ends.path_ends.at, g->ends.path_ends.len);
  g->ends.details.at = COPY(g->ends.details.at, g->ends.details.len);
  if (registers) drop_ports(g);
  close_latches(g, s->clock, registers);
}

static void own_numbers(Stretch *s)
{
  Timing *t = &s->timing;
  const Graph *g = &s->graph;
  *t = *s->of;
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
  t->kept = &s->kept;
}

Stretch *stretch_new(const Timing *t, ClockId clock, bool registers)
{
  Stretch *s = mem_alloc_zero(1, sizeof *s);
  s->of = t;
  s->clock = clock;
  own_graph(s, registers);
  own_numbers(s);
  return s;
}

void stretch_free(Stretch *s)
{
  if (s == NULL) return;
  timing_forget(&s->timing);
  common_free(&s->timing);
  mem_free(s->timing.arrival);
  mem_free(s->timing.sigma.arrival_variance);
  mem_free(s->timing.check_margin);
  mem_free(s->timing.sigma.check);
  array_free(&s->timing.latches.arrivals);
  mem_free(s->graph.starts.seeds.at);
  mem_free(s->graph.ends.path_ends.at);
  mem_free(s->graph.ends.details.at);
  mem_free(s);
}

const Timing *stretch_timing(const Stretch *s) { return &s->timing; }

/* Moves the path ends. more: the increase of the period, in periods. */
static void move_ends(Stretch *s, double more)
{
  const Graph *from = s->of->g;
  Graph *g = &s->graph;
  for (PathEndId id = 0; id < g->ends.path_ends.len; id++) {
    const PathEnd *old = &from->ends.path_ends.at[id];
    const PathEndDetail *d = &from->ends.details.at[old->detail];
    if (d->path_delay || !stretch_end_within(from, old, s->clock)) continue;
    PathEndDetail *to = &g->ends.details.at[old->detail];
    double between = d->capture_time - d->launch_time;
    for (int edge = RISE; edge <= FALL; edge++)
      g->ends.path_ends.at[id].offset[edge] = (float)(old->offset[edge] + more * between);
    to->launch_time = d->launch_time;
    to->capture_time = d->capture_time + more * between;
    to->window = (float)(d->window + more * d->pulse);
    to->pulse = (float)((1 + more) * d->pulse);
  }
}

static bool arrivals(Timing *t)
{
  return cpu_arrivals(t) && (t->common == NULL || cpu_common_paths(t));
}

bool stretch_to(Stretch *s, double period)
{
  Timing *t = &s->timing;
  move_ends(s, period / t->constraints->clocks.at[s->clock].period - 1);
  array_clear(&t->latches.arrivals);
  if (!arrivals(t)) return false;
  for (int pass = 0; pass < LATCH_PASSES && s->graph.arcs.latches.len; pass++) {
    t->latches.leap = pass == LATCH_PASSES / 2;
    if (!cpu_latch_pass(t)) return true;
    if (!arrivals(t)) return false;
  }
  return true;
}
