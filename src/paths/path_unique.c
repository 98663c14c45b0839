/* Finds paths that differ in their pins. Each endpoint is searched by itself. */
#include "base/interrupt.h"
#include "paths/path_work.h"

/* The path that was found last: has an end's late list, from a number on, the same pins? */
static bool is_again(const PathList *list, uint32_t late, uint32_t late_end)
{
  for (uint32_t i = late; i < late_end; i++)
    if (path_latch_same(list, &list->paths.at[i], list, &list->paths.at[list->paths.len - 1],
                        false))
      return true;
  return false;
}

static void drop_last(PathList *list)
{
  list->points.len = list->paths.at[list->paths.len - 1].first;
  list->paths.len--;
}

/* Returns the plan without the paths that the end already has from `late` on. */
static void unique_paths(PathWork *work, const PathSearchPlan *plan, PathGroup group, uint32_t late)
{
  uint32_t late_end = work->found.paths.len;
  PathSearch *search = path_search_new(work->scope, plan);
  for (uint32_t taken = 0; taken < plan->most; taken++) {
    double slack = path_search_peek(search);
    if (isinf(slack) || interrupt_seen()) break;
    uint32_t root, first = work->found.points.len;
    path_search_take(search, &work->found, &root);
    path_list_add(work, &work->found, &plan->roots[root], group, first, slack);
    if (is_again(&work->found, late, late_end)) drop_last(&work->found);
  }
  path_search_free(search);
}

/* Those that are not wanted took places. */
static void keep_wanted(PathWork *work, uint32_t from)
{
  uint32_t kept = from;
  for (uint32_t i = from; i < work->found.paths.len; i++) {
    const Path *path = &work->found.paths.at[i];
    if (path->end_id == NO_PATH_END || !(path->slack < work->query->slack_min))
      work->found.paths.at[kept++] = *path;
  }
  work->found.paths.len = kept;
}

static void paths_of_end(PathWork *work, const SearchedEnd *end, uint32_t most)
{
  PathRoots roots = { 0 }, late = { 0 };
  uint32_t first = work->found.paths.len;
  PathRoot own;
  double greatest = !end->unconstrained && work->query->slack_max < work->worth
                        ? work->query->slack_max
                        : work->worth;
  path_end_roots(work, end, &roots);
  for (uint32_t i = 0; i < roots.len; i++)
    if (path_latch_part(work->t, work->scope, &roots.at[i], &own)) array_push(&late, own);
  PathSearchPlan plan = { late.at, late.len, most, greatest > LEAST_LATE ? LEAST_LATE : greatest };
  if (late.len) unique_paths(work, &plan, end->group, first);
  plan = (PathSearchPlan){ roots.at, roots.len, most, greatest };
  unique_paths(work, &plan, end->group, first);
  path_list_order(&work->found, first, most);
  keep_wanted(work, first);
  array_free(&late);
  array_free(&roots);
}

/* The work ends at the first end whose worst path is not among the worst found so far. */
Status path_unique_of_ends(PathWork *work, uint32_t from, uint32_t to, uint32_t most)
{
  work->worth = INFINITY;
  for (uint32_t i = from; i < to; i++) {
    const SearchedEnd *end = &work->ends.at[i];
    if (interrupt_seen()) return FAILED;
    if (end->root.slack > work->worth && !end->unconstrained) break;
    if (end->unconstrained) {
      if (work->found.paths.len >= most) break;
      work->worth = INFINITY;
    }
    paths_of_end(work, end,
                 work->query->worst < most || !isnan(work->query->slack_min) ? work->query->worst
                                                                             : most);
    if (work->found.paths.len / 2 < most || end->unconstrained) continue;
    path_list_order(&work->found, 0, most);
    path_list_compact(&work->found);
    work->worth = work->found.paths.at[most - 1].slack;
  }
  path_list_order(&work->found, 0, most);
  return interrupt_seen() ? FAILED : OK;
}
