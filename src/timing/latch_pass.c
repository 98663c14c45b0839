/* The arrivals that an open latch passes on to its output. */
#include "timing/credit.h"
#include "timing/derived.h"

/* Begins with the arrivals at the data of a path end, by launching leaf. There is a single item if
   there is no credit, or if a clock arrives as data. */
LatchGivens timing_latch_givens(const Timing *t, PathEndId end, int edge)
{
  const PathEnd *path_end = &t->g->ends.path_ends.at[end];
  const PathEndDetail *detail = &t->g->ends.details.at[path_end->detail];
  float arrival = t->arrival[path_end->data].v[condition_of(LATE, edge)];
  bool clock = graph_node_is_clock(t->g, path_end->slot, path_end->data);
  LatchGivens p = { .t = t,
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
bool timing_latch_next(LatchGivens *givens, LatchGiven *given)
{
  while (givens->next < givens->count) {
    CommonItem item = givens->items ? givens->items[givens->next] : givens->item;
    givens->next++;
    const LatchTimes *due = &givens->due;
    if (item.badness - common_leaf_credit(givens->t, item.leaf, due->opens) <= due->open) continue;
    float latest = due->limit + common_leaf_credit(givens->t, item.leaf, due->closes),
          arrival = item.badness < latest ? item.badness : latest;
    *given =
        (LatchGiven){ (float)(arrival - givens->between),
                      (float)((latest > arrival ? latest : arrival) - givens->between), item.leaf };
    return true;
  }
  return false;
}
