/* The arrivals that an open latch passes on to its output. */
#include "timing/credit.h"
#include "timing/derived.h"

/* Begins with the arrivals at the data of a path end, by launching leaf. There is a single item if
   there is no credit, or if a clock arrives as data. */
LatchPass timing_latch_passes(const Timing *t, PathEndId end, int edge)
{
  const PathEnd *r = &t->g->ends.path_ends.at[end];
  const PathEndDetail *d = &t->g->ends.details.at[r->detail];
  float arrival = t->arrival[r->data].v[condition_of(LATE, edge)];
  bool clock = graph_node_is_clock(t->g, r->slot, r->data);
  LatchPass p = { .t = t,
                  .row = r,
                  .between = d->capture_time - d->launch_time,
                  .count = 1,
                  .item = { arrival, 0 } };
  if (clock) p.item.leaf = common_leaf(t, r->slot, r->data);
  p.due = timing_latch_times(t, r, edge);
  if (!(r->passes >> edge & 1) || time_absent(arrival) || time_absent(p.due.open)) p.count = 0;
  else if (common_active(t) && !clock) {
    uint32_t count;
    const CommonItem *items =
        fronts_get(t->common->launch, common_index(r->data, condition_of(LATE, edge)), &count);
    if (count) p.items = items, p.count = count;
  }
  return p;
}

/* Whether an item borrows depends on its credit with the opening edge.  How much it may borrow
   depends on its credit with the closing edge.  It passes on its arrival without credit; its
   capture is credited later. */
bool timing_latch_next(LatchPass *p, LatchGiven *given)
{
  while (p->next < p->count) {
    CommonItem item = p->items ? p->items[p->next] : p->item;
    p->next++;
    if (item.badness - common_leaf_credit(p->t, item.leaf, p->due.opens) <= p->due.open) continue;
    float latest = p->due.limit + common_leaf_credit(p->t, item.leaf, p->due.closes),
          arrival = item.badness < latest ? item.badness : latest;
    *given = (LatchGiven){ (float)(arrival - p->between),
                           (float)((latest > arrival ? latest : arrival) - p->between), item.leaf };
    return true;
  }
  return false;
}
