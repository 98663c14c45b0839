/* The arrivals that an open latch passes on to its output. */
#include "timing/credit.h"
#include "timing/derived.h"

/* Begins with the arrivals at the data of a path end, by launching leaf. There is a single item if
   there is no credit, or if a clock arrives as data. */
LatchPass timing_latch_passes(const Timing *t, PathEndId end, int edge)
{
  const PathEnd *path_end = &t->g->ends.path_ends.at[end];
  const PathEndDetail *detail = &t->g->ends.details.at[path_end->detail];
  float arrival = t->arrival[path_end->data].v[condition_of(LATE, edge)];
  bool clock = graph_node_is_clock(t->g, path_end->slot, path_end->data);
  LatchPass p = { .t = t,
                  .end = path_end,
                  .between = detail->capture_time - detail->launch_time,
                  .count = 1,
                  .item = { arrival, 0 } };
  if (clock) p.item.leaf = common_leaf(t, path_end->slot, path_end->data);
  p.due = timing_latch_times(t, path_end, edge);
  if (!(path_end->passes >> edge & 1) || time_absent(arrival) || time_absent(p.due.open))
    p.count = 0;
  else if (common_active(t) && !clock) {
    uint32_t count;
    const CommonItem *items = fronts_get(
        t->common->launch, common_index(path_end->data, condition_of(LATE, edge)), &count);
    if (count) p.items = items, p.count = count;
  }
  return p;
}

/* Whether an item borrows depends on its credit with the opening edge.  How much it may borrow
   depends on its credit with the closing edge.  It passes on its arrival without credit; its
   capture is credited later. */
bool timing_latch_next(LatchPass *pass, LatchGiven *given)
{
  while (pass->next < pass->count) {
    CommonItem item = pass->items ? pass->items[pass->next] : pass->item;
    pass->next++;
    if (item.badness - common_leaf_credit(pass->t, item.leaf, pass->due.opens) <= pass->due.open)
      continue;
    float latest = pass->due.limit + common_leaf_credit(pass->t, item.leaf, pass->due.closes),
          arrival = item.badness < latest ? item.badness : latest;
    *given =
        (LatchGiven){ (float)(arrival - pass->between),
                      (float)((latest > arrival ? latest : arrival) - pass->between), item.leaf };
    return true;
  }
  return false;
}
