/* Answers queries of paths, group by group or for all groups together. */
#include "base/clock.h"
#include "base/interrupt.h"
#include "paths/path_work.h"

/* The `most` worst paths of ends [from, to), which stand in order of slack, those that nothing
   constrains behind the others. */
static Status paths_of_pool(PathWork *work, uint32_t from, uint32_t to, uint32_t most,
                            PathList *out)
{
  if (work->query->unique && work->query->worst > 1) {
    if (path_unique_of_ends(work, from, to, most) != OK) return FAILED;
    path_list_move(&work->found, out);
    return OK;
  }
  uint32_t middle = from, before = out->paths.len;
  while (middle < to && !work->ends.at[middle].unconstrained) middle++;
  if (path_worst_of_ends(work, from, middle, most, out) != OK) return FAILED;
  uint32_t found = out->paths.len - before;
  return middle < to && found < most ? path_worst_of_ends(work, middle, to, most - found, out) : OK;
}

/* Group by group, each with its own share. */
static Status paths_of_groups(PathWork *work, PathList *out)
{
  uint32_t share = work->query->group_paths && work->query->group_paths < work->query->max_paths
                       ? work->query->group_paths
                       : work->query->max_paths;
  for (uint32_t from = 0, to; from < work->ends.len; from = to) {
    for (to = from; to < work->ends.len && work->ends.at[to].group == work->ends.at[from].group;)
      to++;
    if (paths_of_pool(work, from, to, share, out) != OK) return FAILED;
  }
  return OK;
}

static Status run(PathWork *work, PathList *out)
{
  uint32_t first = out->paths.len;
  bool grouped = work->query->group_paths != 0;
  double since = clock_seconds();
  path_find_ends(work, grouped);
  work->effort.ends += clock_seconds() - since;
  Status status = grouped ? paths_of_groups(work, out)
                          : paths_of_pool(work, 0, work->ends.len, work->query->max_paths, out);
  if (status != OK) return FAILED;
  path_list_order(out, first, work->query->max_paths);
  if (work->query->by_group) path_list_order_groups(out, first);
  return OK;
}

/* For this many paths that a search may keep, returns how many have room with their points: on
   average two points for each level. */
static uint64_t fit_with_points(const PathWork *work)
{
  double levels = 0;
  if (work->query->brief || work->ends.len == 0) return work->effort.fit;
  for (uint32_t i = 0; i < work->ends.len; i++)
    levels += work->t->g->slots.level[work->ends.at[i].root.end.slot] + 1;
  double points = 2 * levels / work->ends.len,
         most = (double)work->memory / (points * sizeof(PathPoint) + sizeof(Path));
  if (most > UINT32_MAX / points) most = UINT32_MAX / points;
  return most < (double)work->effort.fit ? (uint64_t)most : work->effort.fit;
}

Status query_paths(const Timing *t, const PathQuery *query, Log *log, PathList *out)
{
  if (query->through.len + 2 > MOST_LAYERS)
    return log_error(log, "PATH-001", NOWHERE, "%u -through points are too many, at most %d",
                     query->through.len, MOST_LAYERS - 2);
  if (query->max_paths == 0 || query->worst == 0) return OK;
  uint32_t paths = out->paths.len, points = out->points.len;
  PathWork x = { .t = t, .query = query, .scope = path_scope_new(t, query), .log = log };
  x.memory = query->memory ? query->memory : mem_available() / 2;
  Status status = run(&x, out);
  if (status != OK) {
    out->paths.len = paths;
    out->points.len = points;
    if (x.effort.fit)
      log_error(log, "PATH-010", NOWHERE, "so many paths do not fit into memory: some %llu do",
                (unsigned long long)fit_with_points(&x));
    else log_error(log, "PATH-002", NOWHERE, "the search for paths was interrupted");
  }
  if (query->effort) *query->effort = x.effort;
  if (x.owns_forest) path_forest_free(x.forest);
  if (interrupt_seen()) timing_forget(t);    /* the kept data may be incomplete */
  path_scope_free(x.scope);
  array_free(&x.ends);
  path_list_free(&x.found);
  return status;
}

void path_query_free(PathQuery *query)
{
  array_free(&query->from);
  array_free(&query->to);
  for (uint32_t i = 0; i < query->through.len; i++) array_free(&query->through.at[i]);
  array_free(&query->through);
}
