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
  const StartArrivals *a;
  int early_late;
  FaninList links;
} Spread;

static void take(const Spread *s, StartKind kind, const PathPoint *at, float arrival,
                 uint32_t levels)
{
  StartArrival *have = &s->a->of[kind][at->node];
  float old = have->v[at->edge];
  if (!time_absent(old) && (s->early_late == LATE ? arrival <= old : arrival >= old)) return;
  have->v[at->edge] = arrival;
  have->levels[at->edge] = levels;
}

static void take_link(const Spread *s, const PathPoint *at, const Fanin *in)
{
  if (in->slot == NO_SLOT) {
    take(s, s->t->g->slots.flags[at->slot] & SLOT_PORT ? START_PORT : START_REGISTER, at, in->delay,
         0);
    return;
  }
  if (in->launch) {
    take(s, START_REGISTER, at, in->start + in->delay, 0);
    return;
  }
  for (int kind = 0; kind < START_COUNT; kind++) {
    const StartArrival *from = &s->a->of[kind][in->node];
    if (!time_absent(from->v[in->edge]))
      take(s, (StartKind)kind, at, from->v[in->edge] + in->delay,
           from->levels[in->edge] + (in->kind == LINK_ARC));
  }
}

static void spread_slot(Spread *s, Slot slot)
{
  const Graph *g = s->t->g;
  for (NodeId n = g->nodes.first[slot]; n < g->nodes.first[slot + 1]; n++)
    for (int edge = RISE; edge <= FALL; edge++) {
      PathPoint at = { .slot = slot, .node = n, .edge = (uint8_t)edge };
      array_clear(&s->links);
      path_fanins(s->t, at, s->early_late, &s->links);
      for (uint32_t i = 0; i < s->links.len; i++) take_link(s, &at, &s->links.at[i]);
    }
}

/* Slots are in level order: what feeds one is before it. */
void query_start_arrivals(const Timing *t, int early_late, StartArrivals *out)
{
  const Graph *g = t->g;
  float none = early_late == LATE ? ABSENT_LATE : ABSENT_EARLY;
  Spread s = { .t = t, .a = out, .early_late = early_late };
  for (int kind = 0; kind < START_COUNT; kind++) {
    out->of[kind] = mem_alloc(sizeof *out->of[kind] * ((size_t)g->nodes.count + 1));
    for (NodeId n = 0; n < g->nodes.count; n++)
      out->of[kind][n] = (StartArrival){ { none, none }, { 0, 0 } };
  }
  for (Slot slot = 0; slot < g->slots.count && !interrupt_seen(); slot++) spread_slot(&s, slot);
  array_free(&s.links);
}

void start_arrivals_free(StartArrivals *a)
{
  for (int kind = 0; kind < START_COUNT; kind++) mem_free(a->of[kind]);
}

/* --- groups ----------------------------------------------------------------------------------- */
typedef struct {
  const Timing *t;
  const StartArrivals *a;
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
static void take_path_end(const Summing *s, PathEndId id, bool to_port, EndWorsts *list)
{
  const PathEnd *end = &s->t->g->ends.path_ends.at[id];
  if (path_end_is_late((PathEndType)end->type) != (s->early_late == LATE)) return;
  for (int edge = RISE; edge <= FALL; edge++) {
    float slack = s->t->end_slack[id].v[edge],
          own = s->t->arrival[end->data].v[condition_of(s->early_late, edge)];
    if (slack > 1e29f) continue;
    EndWorst *w = worst_of(list, path_end_group(s->t->g, end));
    for (int kind = 0; kind < START_COUNT; kind++) {
      const StartArrival *a = &s->a->of[kind][end->data];
      int paths = kind + 2 * to_port;
      if (time_absent(a->v[edge])) continue;
      double here =
          slack + (s->early_late == LATE ? (double)own - a->v[edge] : (double)a->v[edge] - own);
      if (here >= w->worst[paths]) continue;
      w->worst[paths] = here;
      w->levels[paths] = a->levels[edge];
    }
  }
}

static GroupSummary *summary_of(const Summing *s, PathGroup group)
{
  for (uint32_t i = s->first; i < s->out->len; i++)
    if (s->out->at[i].group == group) return &s->out->at[i];
  GroupSummary g = { .group = group, .early_late = (uint8_t)s->early_late };
  g.all.worst = INFINITY;
  g.all.pin = NO_PIN;
  for (int k = 0; k < PATHS_COUNT; k++) g.kinds[k] = g.all;
  array_push(s->out, g);
  return &s->out->at[s->out->len - 1];
}

static void add_end(PathsSummary *p, PinId pin, double slack, uint32_t levels)
{
  p->ends++;
  if (slack < 0) {
    p->violations++;
    p->total += slack;
  }
  if (slack >= p->worst) return;
  p->worst = slack;
  p->pin = pin;
  p->levels = levels;
}

static void add_worst(const Summing *s, PinId pin, const EndWorst *w)
{
  GroupSummary *g = summary_of(s, w->group);
  int worst = 0;
  for (int k = 0; k < PATHS_COUNT; k++) {
    if (isinf(w->worst[k])) continue;
    add_end(&g->kinds[k], pin, w->worst[k], w->levels[k]);
    if (w->worst[k] < w->worst[worst]) worst = k;
  }
  if (!isinf(w->worst[worst])) add_end(&g->all, pin, w->worst[worst], w->levels[worst]);
}

static void slot_summary(const Summing *s, PinId pin, Slot slot, EndWorsts *list)
{
  const Graph *g = s->t->g;
  bool to_port = (g->slots.flags[slot] & (SLOT_PORT | SLOT_DRIVER)) == SLOT_PORT;
  array_clear(list);
  for (PathEndId r = g->ends.first_end[slot]; r < g->ends.first_end[slot + 1]; r++)
    take_path_end(s, r, to_port, list);
  for (uint32_t i = 0; i < list->len; i++) add_worst(s, pin, &list->at[i]);
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
