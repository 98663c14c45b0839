/* Finds paths that differ in their pins. Each endpoint is searched by itself. */
#include "base/interrupt.h"
#include "paths/path_work.h"

/* The path that was found last: has an end's late list, from a number on, the same pins? */
static bool is_again(const PathList *l, uint32_t late, uint32_t late_end)
{
  for (uint32_t i = late; i < late_end; i++)
    if (path_latch_same(l, &l->paths.at[i], l, &l->paths.at[l->paths.len - 1], false)) return true;
  return false;
}

static void drop_last(PathList *l)
{
  l->points.len = l->paths.at[l->paths.len - 1].first;
  l->paths.len--;
}

/* Returns the plan without the paths that the end already has from `late` on. */
static void unique_paths(PathWork *x, const PathSearchPlan *plan, PathGroup group, uint32_t late)
{
  uint32_t late_end = x->found.paths.len;
  PathSearch *s = path_search_new(x->scope, plan);
  for (uint32_t taken = 0; taken < plan->most; taken++) {
    double slack = path_search_peek(s);
    if (isinf(slack) || interrupt_seen()) break;
    uint32_t root, first = x->found.points.len;
    path_search_take(s, &x->found, &root);
    path_list_add(x, &x->found, &plan->roots[root], group, first, slack);
    if (is_again(&x->found, late, late_end)) drop_last(&x->found);
  }
  path_search_free(s);
}

/* Those that are not wanted took places. */
static void keep_wanted(PathWork *x, uint32_t from)
{
  uint32_t kept = from;
  for (uint32_t i = from; i < x->found.paths.len; i++) {
    const Path *p = &x->found.paths.at[i];
    if (p->end_id == NO_PATH_END || !(p->slack < x->q->slack_min)) x->found.paths.at[kept++] = *p;
  }
  x->found.paths.len = kept;
}

static void paths_of_end(PathWork *x, const SearchedEnd *e, uint32_t most)
{
  PathRoots roots = { 0 }, late = { 0 };
  uint32_t first = x->found.paths.len;
  PathRoot own;
  double greatest = !e->unconstrained && x->q->slack_max < x->worth ? x->q->slack_max : x->worth;
  path_end_roots(x, e, &roots);
  for (uint32_t i = 0; i < roots.len; i++)
    if (path_latch_part(x->t, x->scope, &roots.at[i], &own)) array_push(&late, own);
  PathSearchPlan plan = { late.at, late.len, most, greatest > LEAST_LATE ? LEAST_LATE : greatest };
  if (late.len) unique_paths(x, &plan, e->group, first);
  plan = (PathSearchPlan){ roots.at, roots.len, most, greatest };
  unique_paths(x, &plan, e->group, first);
  path_list_order(&x->found, first, most);
  keep_wanted(x, first);
  array_free(&late);
  array_free(&roots);
}

/* The work ends at the first end whose worst path is not among the worst found so far. */
Status path_unique_of_ends(PathWork *x, uint32_t from, uint32_t to, uint32_t most)
{
  x->worth = INFINITY;
  for (uint32_t i = from; i < to; i++) {
    const SearchedEnd *e = &x->ends.at[i];
    if (interrupt_seen()) return FAILED;
    if (e->root.slack > x->worth && !e->unconstrained) break;
    if (e->unconstrained) {
      if (x->found.paths.len >= most) break;
      x->worth = INFINITY;
    }
    paths_of_end(x, e, x->q->worst < most || !isnan(x->q->slack_min) ? x->q->worst : most);
    if (x->found.paths.len / 2 < most || e->unconstrained) continue;
    path_list_order(&x->found, 0, most);
    path_list_compact(&x->found);
    x->worth = x->found.paths.at[most - 1].slack;
  }
  path_list_order(&x->found, 0, most);
  return interrupt_seen() ? FAILED : OK;
}
