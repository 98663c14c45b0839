/* Counts, for each cell or net, the violating paths through it, their endpoints, and their
   violation. */
#include "query/bottleneck.h"

#include <math.h>
#include <stdlib.h>

typedef struct {
  const Timing *t;
  const BottleneckQuery *query;
  Bottleneck *all;           /* by InstId or NetId */
  uint32_t *last_path, *last_end;
} Count;

static double cost_of(const BottleneckQuery *query, const Bottleneck *bottleneck)
{
  return query->cost == BOTTLENECK_PATHS  ? bottleneck->paths
         : query->cost == BOTTLENECK_ENDS ? bottleneck->ends
                                          : bottleneck->slack;
}

/* Paths of one end point stand together. */
static void add(Count *count, uint32_t id, PinId pin, const Path *the_path, uint32_t path,
                uint32_t end)
{
  Bottleneck *bottleneck = &count->all[id];
  if (count->last_path[id] == path) return;
  count->last_path[id] = path;
  bottleneck->slack += count->query->slack_max - the_path->slack;
  if (bottleneck->paths++ == 0 || the_path->slack < bottleneck->worst) {
    bottleneck->worst = the_path->slack;
    bottleneck->pin = pin;
  }
  if (count->last_end[id] == end) return;
  count->last_end[id] = end;
  bottleneck->ends++;
}

static void add_path(Count *count, const PathList *list, const Path *the_path, uint32_t path)
{
  const Graph *g = count->t->g;
  PinId end = g->slots.pin[path_end(list, the_path)->slot];
  for (uint32_t i = the_path->first; i < the_path->first + the_path->count; i++) {
    Slot s = list->points.at[i].slot;
    PinId pin = g->slots.pin[s];
    if (!slot_is_driver(g, s)) continue;
    uint32_t id =
        count->query->nets ? netlist_pin_net(g->netlist, pin) : g->netlist->pins.at[pin].inst;
    if (count->query->nets ? id != NO_NET : id != TOP_INST)
      add(count, id, pin, the_path, path, end);
  }
}

typedef struct {
  double     cost;
  Bottleneck b;
} Costed;

/* Costliest first; among equals the worst slack, then the design's order. */
static int by_cost(const void *pa, const void *pb)
{
  const Costed *a = pa, *b = pb;
  if (a->cost != b->cost) return a->cost > b->cost ? -1 : 1;
  if (a->b.worst != b->b.worst) return a->b.worst < b->b.worst ? -1 : 1;
  return a->b.id < b->b.id ? -1 : a->b.id > b->b.id;
}

static void sorted(const Count *the_count, uint32_t count, Bottlenecks *out)
{
  ARRAY(Costed) list = { 0 };
  for (uint32_t i = 0; i < count; i++)
    if (the_count->all[i].paths) {
      the_count->all[i].id = i;
      array_push(&list,
                 (Costed){ cost_of(the_count->query, &the_count->all[i]), the_count->all[i] });
    }
  if (list.len) qsort(list.at, list.len, sizeof *list.at, by_cost);
  for (uint32_t i = 0; i < list.len; i++) array_push(out, list.at[i].b);
  array_free(&list);
}

static int by_end(const void *pa, const void *pb)
{
  const Path *a = pa, *b = pb;
  if (a->end_id != b->end_id) return a->end_id < b->end_id ? -1 : 1;
  return a->first < b->first ? -1 : a->first > b->first;
}

Status query_bottlenecks(const Timing *t, const BottleneckQuery *query, Log *log, Bottlenecks *out,
                         uint32_t *found)
{
  const Netlist *n = t->g->netlist;
  uint32_t count = query->nets ? n->nets.len : n->insts.len;
  PathList list = { 0 };
  PathQuery paths = { .early_late = query->early_late,
                      .max_paths = UINT32_MAX / 4,
                      .worst = query->worst,
                      .slack_max = query->slack_max,
                      .slack_min = NAN,
                      .unique = true };
  Status status = query_paths(t, &paths, log, &list);
  Count c = { t, query, mem_alloc_zero((size_t)count + 1, sizeof *c.all),
              mem_alloc(sizeof(uint32_t) * ((size_t)count + 1)),
              mem_alloc(sizeof(uint32_t) * ((size_t)count + 1)) };
  memset(c.last_path, 0xff, sizeof(uint32_t) * ((size_t)count + 1));
  memset(c.last_end, 0xff, sizeof(uint32_t) * ((size_t)count + 1));
  if (status == OK && list.paths.len)
    qsort(list.paths.at, list.paths.len, sizeof *list.paths.at, by_end);
  *found = 0;
  for (uint32_t i = 0; i < list.paths.len && status == OK; i++) {
    if (list.paths.at[i].slack >= query->slack_max) continue;
    add_path(&c, &list, &list.paths.at[i], i);
    ++*found;
  }
  if (status == OK) sorted(&c, count, out);
  path_list_free(&list);
  mem_free(c.all);
  mem_free(c.last_path);
  mem_free(c.last_end);
  return status;
}
