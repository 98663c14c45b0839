/* Answers queries of paths, group by group or for all groups together. */
#include "base/clock.h"
#include "base/interrupt.h"
#include "paths/path_work.h"

/* The `most` worst paths of ends [from, to), which stand in order of slack, those that nothing
   constrains behind the others. */
static Status paths_of_pool(PathWork *x, uint32_t from, uint32_t to, uint32_t most, PathList *out)
{
  if (x->q->unique && x->q->worst > 1) {
    if (path_unique_of_ends(x, from, to, most) != OK) return FAILED;
    path_list_move(&x->found, out);
    return OK;
  }
  uint32_t middle = from, before = out->paths.len;
  while (middle < to && !x->ends.at[middle].unconstrained) middle++;
  if (path_worst_of_ends(x, from, middle, most, out) != OK) return FAILED;
  uint32_t found = out->paths.len - before;
  return middle < to && found < most ? path_worst_of_ends(x, middle, to, most - found, out) : OK;
}

/* Group by group, each with its own share. */
static Status paths_of_groups(PathWork *x, PathList *out)
{
  uint32_t share = x->q->group_paths && x->q->group_paths < x->q->max_paths ? x->q->group_paths
                                                                            : x->q->max_paths;
  for (uint32_t from = 0, to; from < x->ends.len; from = to) {
    for (to = from; to < x->ends.len && x->ends.at[to].group == x->ends.at[from].group;) to++;
    if (paths_of_pool(x, from, to, share, out) != OK) return FAILED;
  }
  return OK;
}

static Status run(PathWork *x, PathList *out)
{
  uint32_t first = out->paths.len;
  bool grouped = x->q->group_paths != 0;
  double since = clock_seconds();
  path_find_ends(x, grouped);
  x->effort.ends += clock_seconds() - since;
  Status status =
      grouped ? paths_of_groups(x, out) : paths_of_pool(x, 0, x->ends.len, x->q->max_paths, out);
  if (status != OK) return FAILED;
  path_list_order(out, first, x->q->max_paths);
  if (x->q->by_group) path_list_order_groups(out, first);
  return OK;
}

/* For this many paths that a search may keep, returns how many have room with their points: on
   average two points for each level. */
static uint64_t fit_with_points(const PathWork *x)
{
  double levels = 0;
  if (x->q->brief || x->ends.len == 0) return x->effort.fit;
  for (uint32_t i = 0; i < x->ends.len; i++)
    levels += x->t->g->slots.level[x->ends.at[i].root.end.slot] + 1;
  double points = 2 * levels / x->ends.len,
         most = (double)x->memory / (points * sizeof(PathPoint) + sizeof(Path));
  if (most > UINT32_MAX / points) most = UINT32_MAX / points;
  return most < (double)x->effort.fit ? (uint64_t)most : x->effort.fit;
}

Status query_paths(const Timing *t, const PathQuery *q, Log *log, PathList *out)
{
  if (q->through.len + 2 > MOST_LAYERS)
    return log_error(log, "PATH-001", NOWHERE, "%u -through points are too many, at most %d",
                     q->through.len, MOST_LAYERS - 2);
  if (q->max_paths == 0 || q->worst == 0) return OK;
  uint32_t paths = out->paths.len, points = out->points.len;
  PathWork x = { .t = t, .q = q, .scope = path_scope_new(t, q), .log = log };
  x.memory = q->memory ? q->memory : mem_available() / 2;
  Status status = run(&x, out);
  if (status != OK) {
    out->paths.len = paths;
    out->points.len = points;
    if (x.effort.fit)
      log_error(log, "PATH-010", NOWHERE, "so many paths do not fit into memory: some %llu do",
                (unsigned long long)fit_with_points(&x));
    else log_error(log, "PATH-002", NOWHERE, "the search for paths was interrupted");
  }
  if (q->effort) *q->effort = x.effort;
  if (x.owns_forest) path_forest_free(x.forest);
  if (interrupt_seen()) timing_forget(t);    /* the kept data may be incomplete */
  path_scope_free(x.scope);
  array_free(&x.ends);
  path_list_free(&x.found);
  return status;
}

void path_query_free(PathQuery *q)
{
  array_free(&q->from);
  array_free(&q->to);
  for (uint32_t i = 0; i < q->through.len; i++) array_free(&q->through.at[i]);
  array_free(&q->through);
}
