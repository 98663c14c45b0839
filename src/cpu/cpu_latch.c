/* Transparent latches: data that arrives after the opening edge passes through the latch.

   The data arrives at output nodes that the opening edge launches. Their times count from that
   edge; the times of the data count from its own launching edge. Latch arcs are outside of the
   levels. So arrivals are computed again with the arrivals that latches passed on, from the same
   start each time, until nothing changes. In a loop of latches that is slower than its clock, each
   sweep adds a little until all borrowing is used up. The leap sets the borrowing to its limit at
   once, and the following sweeps find out whether that is right. */
#include <stdlib.h>

#include "timing/credit.h"
#include "cpu/cpu.h"
#include "timing/sigma.h"

typedef ARRAY(LatchArrival) LatchArrivals;

static void pass_edge(Timing *t, LatchArrivals *list, const Latch *latch, PathEndId end, int edge)
{
  const Graph *g = t->g;
  NodeId nodes[2];
  for (int out = RISE; out <= FALL; out++)
    nodes[out] =
        graph_latch_node(g, latch, g->ends.path_ends.at[end].capture_clock, 2 * edge + out);
  if (nodes[RISE] == NO_NODE_ID && nodes[FALL] == NO_NODE_ID) return;
  const LibArc *lib = &g->libs->arcs.at[g->arcs.lib[latch->arc]];
  LatchGivens givens = timing_latch_givens(t, end, edge);
  for (LatchGiven in; timing_latch_next(&givens, &in);)
    for (uint32_t e = g->arcs.edge_first[latch->arc]; e < g->arcs.edge_first[latch->arc + 1]; e++) {
      EdgePair p = arc_edge_pair(lib, e - g->arcs.edge_first[latch->arc]);
      if (p.in != edge || nodes[p.out] == NO_NODE_ID) continue;
      float delay = timing_edge_delay(t, latch->arc, e, false, condition_of(LATE, p.out), 0);
      array_push(list, (LatchArrival){ nodes[p.out], p.out, 0, in.start + delay, in.most + delay,
                                       in.leaf });
    }
}

static int by_node_edge(const LatchArrival *a, const LatchArrival *b)
{
  if (a->node != b->node) return a->node < b->node ? -1 : 1;
  return a->edge < b->edge ? -1 : a->edge > b->edge;
}

static int by_node(const void *pa, const void *pb)
{
  const LatchArrival *a = pa, *b = pb;
  int order = by_node_edge(a, b);
  if (order != 0) return order;
  if (a->arrival != b->arrival) return a->arrival < b->arrival ? -1 : 1;
  return a->leaf < b->leaf ? -1 : a->leaf > b->leaf;
}

static bool same(const LatchArrival *a, const LatchArrival *b)
{
  return a->node == b->node && a->edge == b->edge && a->arrival == b->arrival && a->leaf == b->leaf;
}

enum { LEAP_AGE = 25 };

/* Sets how many sweeps ago each arrival changed. Both lists are sorted by node and edge; of several
   entries for one node and edge the last counts. */
static void set_ages(const Timing *t, LatchArrivals *list)
{
  const LatchArrival *old = t->latches.arrivals.at;
  uint32_t o = 0, old_count = t->latches.arrivals.len;
  for (uint32_t i = 0, end; i < list->len; i = end) {
    const LatchArrival *before = NULL;
    for (end = i + 1; end < list->len && by_node_edge(&list->at[end], &list->at[i]) == 0;) end++;
    while (o < old_count && by_node_edge(&old[o], &list->at[i]) < 0) o++;
    for (; o < old_count && by_node_edge(&old[o], &list->at[i]) == 0; o++) before = &old[o];
    bool stands = before && before->arrival == list->at[end - 1].arrival;
    for (uint32_t k = i; k < end; k++)
      list->at[k].age = (uint8_t)(stands ? before->age + (before->age < 255) : 0);
  }
}

/* Sets arrivals that changed within the last sweeps to the most that they may become. Not only the
   last sweep counts, because the arrivals of a loop change in turn. */
static void leap(LatchArrivals *list)
{
  for (uint32_t i = 0; i < list->len; i++)
    if (list->at[i].age < LEAP_AGE) list->at[i].arrival = list->at[i].most;
}

bool cpu_latch_arrivals(Timing *t)
{
  const Graph *g = t->g;
  LatchArrivals list = { 0 };
  cpu_check_margins(t);
  for (uint32_t i = 0; i < g->arcs.latches.len; i++) {
    const Latch *latch = &g->arcs.latches.at[i];
    for (PathEndId id = g->ends.first_end[latch->data]; id < g->ends.first_end[latch->data + 1];
         id++) {
      const PathEnd *end = &g->ends.path_ends.at[id];
      if (end->type != END_LATCH_SETUP || g->ends.checks.at[end->check].clock != latch->enable
          || end->capture_edge != latch->open_edge)
        continue;
      for (int edge = RISE; edge <= FALL; edge++) pass_edge(t, &list, latch, id, edge);
    }
  }
  if (list.len) qsort(list.at, list.len, sizeof *list.at, by_node);
  set_ages(t, &list);
  if (t->latches.leap) leap(&list);
  t->latches.leap = false;
  bool changed = list.len != t->latches.arrivals.len;
  for (uint32_t i = 0; i < list.len && !changed; i++)
    changed = !same(&list.at[i], &t->latches.arrivals.at[i]);
  array_clear(&t->latches.arrivals);
  for (uint32_t i = 0; i < list.len; i++) array_push(&t->latches.arrivals, list.at[i]);
  array_free(&list);
  return changed;
}
