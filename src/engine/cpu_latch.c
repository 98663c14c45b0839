/* Transparent latches: data that arrives after the opening edge goes on through the latch.

   The output's nodes are those that the opening edge launches; their time is relative to that edge, the data's to its
   own launching edge.  Latch arcs stand outside the levels, so arrivals are worked out again with what the latches
   passed on, from the same start each time, until nothing changes. */
#include <stdlib.h>

#include "engine/cpu.h"

/* The output's node for data launched by a clock edge; NO_NODE_ID. */
static NodeId output_node(const Graph *g, Slot output, ClockEdge clock)
{
  const TagId *tags = tag_set_tags(g->tags, g->slot_tags[output]);
  for (uint32_t i = 0; i < tag_set_count(g->tags, g->slot_tags[output]); i++) {
    const Tag *t = &g->tags->tags.at[tags[i]];
    if (!t->is_clock && !t->bare && t->clock_edge == clock) return g->node_first[output] + i;
  }
  return NO_NODE_ID;
}

typedef ARRAY(LatchArrival) LatchArrivals;

static void pass_edge(Timing *t, LatchArrivals *list, const Latch *l, const Row *r, int edge)
{
  const Graph *g = t->g;
  float arrival = t->arrival[r->data].v[condition_of(LATE, edge)], open = cpu_latch_open(t, r, edge);
  if (!(r->edges >> edge & 1) || time_absent(arrival) || time_absent(open) || arrival <= open) return;
  bool has;
  float limit = cpu_row_required(t, (RowId)(r - g->rows.at), edge, &has);
  if (arrival > limit) arrival = limit;
  NodeId node = output_node(g, l->output, r->capture_clock);
  if (node == NO_NODE_ID) return;
  const RowDetail *d = &g->row_details.at[r->detail];
  float start = (float)(arrival - (d->capture_time - d->launch_time));
  const LibArc *lib = &g->libs->arcs.at[g->arc_lib[l->arc]];
  for (uint32_t e = g->edge_first[l->arc]; e < g->edge_first[l->arc + 1]; e++) {
    EdgePair p = arc_edge_pair(lib, e - g->edge_first[l->arc]);
    float factor = timing_derate(t, t->arc_derate, l->arc, false, condition_of(LATE, p.out));
    if (p.in == edge) array_push(list, (LatchArrival){ node, p.out, start + t->edge_delay[e].v[LATE] * factor });
  }
}

static int by_node(const void *pa, const void *pb)
{
  const LatchArrival *a = pa, *b = pb;
  if (a->node != b->node) return a->node < b->node ? -1 : 1;
  if (a->edge != b->edge) return a->edge < b->edge ? -1 : 1;
  return a->arrival < b->arrival ? -1 : a->arrival > b->arrival;
}

static bool same(const LatchArrival *a, const LatchArrival *b)
{
  return a->node == b->node && a->edge == b->edge && a->arrival == b->arrival;
}

bool cpu_latch_pass(Timing *t)
{
  const Graph *g = t->g;
  LatchArrivals list = { 0 };
  cpu_check_margins(t);
  for (uint32_t i = 0; i < g->latches.len; i++) {
    const Latch *l = &g->latches.at[i];
    for (RowId id = g->slot_first_row[l->data]; id < g->slot_first_row[l->data + 1]; id++) {
      const Row *r = &g->rows.at[id];
      if (r->type != ROW_LATCH_SETUP || g->checks.at[r->check].clock != l->enable || r->capture_edge != l->open_edge) continue;
      for (int edge = RISE; edge <= FALL; edge++) pass_edge(t, &list, l, r, edge);
    }
  }
  if (list.len) qsort(list.at, list.len, sizeof *list.at, by_node);
  bool changed = list.len != t->latch_arrivals.len;
  for (uint32_t i = 0; i < list.len && !changed; i++) changed = !same(&list.at[i], &t->latch_arrivals.at[i]);
  array_clear(&t->latch_arrivals);
  for (uint32_t i = 0; i < list.len; i++) array_push(&t->latch_arrivals, list.at[i]);
  array_free(&list);
  return changed;
}
