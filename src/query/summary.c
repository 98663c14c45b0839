/* Arrivals by the kind of their start, carried forward over the graph, and the summaries of path
   groups that follow from them. */
#include "query/summary.h"

#include <math.h>
#include <stdlib.h>

#include "base/interrupt.h"
#include "paths/path_fanin.h"

const char *const paths_names[PATHS_COUNT] = { "register to register", "input to register",
                                               "register to output", "input to output" };

/* --- arrivals by start ------------------------------------------------------------------------ */
typedef struct {
  const Timing *t;
  const StartArrivals *arrivals;
  int early_late;
  FaninList links;
} Spread;

static void take(const Spread *spread, StartKind kind, const PathPoint *at, float arrival,
                 uint32_t levels)
{
  StartArrival *have = &spread->arrivals->of[kind][at->node];
  float old = have->v[at->edge];
  if (!time_absent(old) && (spread->early_late == LATE ? arrival <= old : arrival >= old)) return;
  have->v[at->edge] = arrival;
  have->levels[at->edge] = levels;
}

static void take_link(const Spread *spread, const PathPoint *at, const Fanin *in)
{
  if (in->slot == NO_SLOT) {
    take(spread, spread->t->g->slots.flags[at->slot] & SLOT_PORT ? START_PORT : START_REGISTER, at,
         in->delay, 0);
    return;
  }
  if (in->launch) {
    take(spread, START_REGISTER, at, in->start + in->delay, 0);
    return;
  }
  for (int kind = 0; kind < START_COUNT; kind++) {
    const StartArrival *from = &spread->arrivals->of[kind][in->node];
    if (!time_absent(from->v[in->edge]))
      take(spread, (StartKind)kind, at, from->v[in->edge] + in->delay,
           from->levels[in->edge] + (in->kind == LINK_ARC));
  }
}

static void spread_slot(Spread *spread, Slot slot)
{
  const Graph *g = spread->t->g;
  for (NodeId n = g->nodes.first[slot]; n < g->nodes.first[slot + 1]; n++)
    for (int edge = RISE; edge <= FALL; edge++) {
      PathPoint at = { .slot = slot, .node = n, .edge = (uint8_t)edge };
      array_clear(&spread->links);
      path_fanins(spread->t, at, spread->early_late, &spread->links);
      for (uint32_t i = 0; i < spread->links.len; i++) take_link(spread, &at, &spread->links.at[i]);
    }
}

/* Slots are in level order: what feeds one is before it. */
void query_start_arrivals(const Timing *t, int early_late, StartArrivals *out)
{
  const Graph *g = t->g;
  float none = early_late == LATE ? ABSENT_LATE : ABSENT_EARLY;
  Spread s = { .t = t, .arrivals = out, .early_late = early_late };
  for (int kind = 0; kind < START_COUNT; kind++) {
    out->of[kind] = mem_alloc(sizeof *out->of[kind] * ((size_t)g->nodes.count + 1));
    for (NodeId n = 0; n < g->nodes.count; n++)
      out->of[kind][n] = (StartArrival){ { none, none }, { 0, 0 } };
  }
  for (Slot slot = 0; slot < g->slots.count && !interrupt_seen(); slot++) spread_slot(&s, slot);
  array_free(&s.links);
}

void start_arrivals_free(StartArrivals *arrivals)
{
  for (int kind = 0; kind < START_COUNT; kind++) mem_free(arrivals->of[kind]);
}

/* --- groups ----------------------------------------------------------------------------------- */
typedef struct {
  const Timing *t;
  const StartArrivals *arrivals;
  int early_late;
  GroupSummaries *out;
  uint32_t first;            /* of this analysis in out */
} Summing;

/* The worst of one end point in one group. */
typedef struct {
  PathGroup group;
  double    worst[PATHS_COUNT];
  uint32_t  levels[PATHS_COUNT];
} EndWorst;
typedef ARRAY(EndWorst) EndWorsts;

static EndWorst *worst_of(EndWorsts *list, PathGroup group)
{
  for (uint32_t i = 0; i < list->len; i++)
    if (list->at[i].group == group) return &list->at[i];
  array_push(list, (EndWorst){ .group = group });
  for (int k = 0; k < PATHS_COUNT; k++) list->at[list->len - 1].worst[k] = INFINITY;
  return &list->at[list->len - 1];
}

/* The end's slack is that of its worst arrival; a later start kind has as much more as its arrival
   is better. */
static void take_path_end(const Summing *summing, PathEndId id, bool to_port, EndWorsts *list)
{
  const PathEnd *end = &summing->t->g->ends.path_ends.at[id];
  if (path_end_is_late((PathEndType)end->type) != (summing->early_late == LATE)) return;
  for (int edge = RISE; edge <= FALL; edge++) {
    float slack = summing->t->end_slack[id].v[edge],
          own = summing->t->arrival[end->data].v[condition_of(summing->early_late, edge)];
    if (slack > 1e29f) continue;
    EndWorst *worst = worst_of(list, path_end_group(summing->t->g, end));
    for (int kind = 0; kind < START_COUNT; kind++) {
      const StartArrival *arrival = &summing->arrivals->of[kind][end->data];
      int paths = kind + 2 * to_port;
      if (time_absent(arrival->v[edge])) continue;
      double here = slack
                    + (summing->early_late == LATE ? (double)own - arrival->v[edge]
                                                   : (double)arrival->v[edge] - own);
      if (here >= worst->worst[paths]) continue;
      worst->worst[paths] = here;
      worst->levels[paths] = arrival->levels[edge];
    }
  }
}

static GroupSummary *summary_of(const Summing *summing, PathGroup group)
{
  for (uint32_t i = summing->first; i < summing->out->len; i++)
    if (summing->out->at[i].group == group) return &summing->out->at[i];
  GroupSummary g = { .group = group, .early_late = (uint8_t)summing->early_late };
  g.all.worst = INFINITY;
  g.all.pin = NO_PIN;
  for (int k = 0; k < PATHS_COUNT; k++) g.kinds[k] = g.all;
  array_push(summing->out, g);
  return &summing->out->at[summing->out->len - 1];
}

static void add_end(PathsSummary *summary, PinId pin, double slack, uint32_t levels)
{
  summary->ends++;
  if (slack < 0) {
    summary->violations++;
    summary->total += slack;
  }
  if (slack >= summary->worst) return;
  summary->worst = slack;
  summary->pin = pin;
  summary->levels = levels;
}

static void add_worst(const Summing *summing, PinId pin, const EndWorst *end_worst)
{
  GroupSummary *summary = summary_of(summing, end_worst->group);
  int worst = 0;
  for (int k = 0; k < PATHS_COUNT; k++) {
    if (isinf(end_worst->worst[k])) continue;
    add_end(&summary->kinds[k], pin, end_worst->worst[k], end_worst->levels[k]);
    if (end_worst->worst[k] < end_worst->worst[worst]) worst = k;
  }
  if (!isinf(end_worst->worst[worst]))
    add_end(&summary->all, pin, end_worst->worst[worst], end_worst->levels[worst]);
}

static void slot_summary(const Summing *summing, PinId pin, Slot slot, EndWorsts *list)
{
  const Graph *g = summing->t->g;
  bool to_port = (g->slots.flags[slot] & (SLOT_PORT | SLOT_DRIVER)) == SLOT_PORT;
  array_clear(list);
  for (PathEndId r = g->ends.first_end[slot]; r < g->ends.first_end[slot + 1]; r++)
    take_path_end(summing, r, to_port, list);
  for (uint32_t i = 0; i < list->len; i++) add_worst(summing, pin, &list->at[i]);
}

static int by_group(const void *a, const void *b)
{
  PathGroup ga = ((const GroupSummary *)a)->group, gb = ((const GroupSummary *)b)->group;
  return ga < gb ? -1 : ga > gb;
}

void query_group_summaries(const Timing *t, int early_late, GroupSummaries *out)
{
  const Graph *g = t->g;
  StartArrivals a;
  EndWorsts list = { 0 };
  query_start_arrivals(t, early_late, &a);
  Summing s = { t, &a, early_late, out, out->len };
  for (PinId p = 0; p < g->netlist->pins.len && !interrupt_seen(); p++) {
    Slot load = g->slots.of_pin[p], driver = load == NO_SLOT ? NO_SLOT : graph_slot(g, p, true);
    if (load != NO_SLOT) slot_summary(&s, p, load, &list);
    if (driver != NO_SLOT && driver != load) slot_summary(&s, p, driver, &list);
  }
  if (out->len > s.first) qsort(out->at + s.first, out->len - s.first, sizeof *out->at, by_group);
  array_free(&list);
  start_arrivals_free(&a);
}
