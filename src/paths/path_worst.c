/* The worst paths of ends: searched for together, or each walked for itself. */
#include "base/clock.h"
#include "base/interrupt.h"
#include "base/pool.h"
#include "timing/credit.h"
#include "paths/path_work.h"

/* --- roots of ends, and the search for their paths -------------------------------------------- */
/* Roots of ends, and the end and group of each root. */
typedef struct {
  PathRoots roots;
  ARRAY(uint32_t) end;
  ARRAY(PathGroup) group;
} RootList;

/* NULL: none of the roots has any. */
static double *gather_plays(const RootList *list)
{
  bool any = false;
  for (uint32_t i = 0; i < list->roots.len && !any; i++) any = list->roots.at[i].play != 0;
  if (!any) return NULL;
  double *plays = mem_alloc(list->roots.len * sizeof *plays);
  for (uint32_t i = 0; i < list->roots.len; i++) plays[i] = list->roots.at[i].play;
  return plays;
}

static bool slack_wanted(const PathWork *work, const PathRoot *root)
{
  return root->end_id == NO_PATH_END || !(root->slack < work->query->slack_min);
}

static void gather_roots(PathWork *work, uint32_t from, uint32_t to, RootList *list)
{
  PathRoots roots = { 0 };
  for (uint32_t i = from; i < to; i++) {
    const SearchedEnd *end = &work->ends.at[i];
    array_clear(&roots);
    if (work->query->worst > 1) path_end_roots(work, end, &roots);
    else if (slack_wanted(work, &end->root)) array_push(&roots, end->root);
    for (uint32_t k = 0; k < roots.len; k++) {
      array_push(&list->roots, roots.at[k]);
      array_push(&list->end, i - from);
      array_push(&list->group, end->group);
    }
  }
  array_free(&roots);
}

static Status give_paths(PathWork *work, const PathAnswer *answer, const RootList *list, bool brief,
                         PathList *out)
{
  const PathTree *tree = answer->tree;
  double since = clock_seconds();
  uint32_t n = tree->order.len, *counts = mem_alloc(((size_t)n + 1) * sizeof *counts),
           first = out->points.len;
  TraceWish wish = { tree, 0, n, brief, work->memory };
  if (path_trace(answer->forest, &wish, counts, out, &work->effort.fit) != OK) {
    mem_free(counts);
    return FAILED;
  }
  array_reserve(&out->paths, (uint64_t)out->paths.len + n);
  for (uint32_t i = 0; i < n; i++) {
    const Deviation *deviation = &tree->all.at[tree->order.at[i]];
    const PathRoot *root = &list->roots.at[deviation->root];
    array_push(&out->paths,
               (Path){ .end_id = root->end_id,
                       .group = list->group.at[deviation->root],
                       .early_late = (uint8_t)work->query->early_late,
                       .slack = root->end_id == NO_PATH_END ? INFINITY : deviation->slack,
                       .arrival = out->points.at[first + counts[i] - 1].arrival,
                       .first = first,
                       .count = counts[i] });
    first += counts[i];
  }
  mem_free(counts);
  work->effort.trace += clock_seconds() - since;
  return OK;
}

/* The forest of a scope that nothing limits serves later queries as well, but for credit, which
   makes one for each capture. */
static PathForest *host_forest(PathWork *work)
{
  if (work->forest) return work->forest;
  bool shared = !path_scope_limited(work->scope) && !common_active(work->t);
  work->owns_forest = !shared;
  return work->forest = shared ? path_cached_forest(work->t, work->query->early_late)
                               : path_forest_new(work->scope, work->t->threads);
}

static Status search(PathWork *work, const PathPlan *plan, PathAnswer *answer)
{
  if (path_device_wanted(work->t, plan)
      && path_device_search(work->t, work->scope, plan, answer, work->log))
    return OK;
  if (answer->owned) path_forest_free(answer->forest);
  double since = clock_seconds();
  answer->owned = false;
  answer->forest = host_forest(work);
  Status status = path_rounds(answer->forest, plan, &work->effort, answer->tree);
  work->effort.search += clock_seconds() - since;
  return status;
}

/* --- one path of each end ------------------------------------------------------------------------

   A few paths, or paths with credit, share little of their way back, so each is walked on its
   own. */
enum { LONG_WAY = 64 };             /* nodes of a path, roughly */

/* Completes a path whose points from `first` on were just added. */
static void shorten(const Graph *g, PathList *list, uint32_t first)
{
  uint32_t count = list->points.len - first;
  const PathPoint *second = &list->points.at[first + 1];
  bool launched =
      count > 1 && second->kind == LINK_ARC
      && (graph_arc_is_launch(g, second->link) || g->arcs.flags[second->link] & ARC_LATCH);
  uint32_t kept = 1 + launched;
  if (count <= kept) return;
  list->points.at[first + kept] = list->points.at[list->points.len - 1];
  list->points.len = first + kept + 1;
}

/* Completes the paths from a number on; their points are the last ones. */
static void shorten_from(const Graph *g, PathList *list, uint32_t paths, uint32_t points)
{
  PathPoints all = { 0 };
  for (uint32_t i = points; i < list->points.len; i++) array_push(&all, list->points.at[i]);
  list->points.len = points;
  for (uint32_t i = paths; i < list->paths.len; i++) {
    Path *path = &list->paths.at[i];
    const PathPoint *own = all.at + (path->first - points);
    path->first = list->points.len;
    for (uint32_t k = 0; k < path->count; k++) array_push(&list->points, own[k]);
    shorten(g, list, path->first);
    path->count = list->points.len - path->first;
  }
  array_free(&all);
}

static void walk_share(const PathWork *work, const RootList *list, uint32_t from, uint32_t to,
                       PathList *out)
{
  PathWalks room = { 0 };
  PathList own = *out;       /* off the cache lines of other threads */
  for (uint32_t some; from < to && !interrupt_seen(); from += some) {
    const PathRoot *roots = &list->roots.at[from];
    some = to - from < PATH_WALKS ? to - from : PATH_WALKS;
    path_walk_together(work->scope, roots, some, &room);
    for (uint32_t i = 0; i < some; i++) {
      uint32_t first = own.points.len;
      path_walk_points(&room.walks[i], &own);
      if (work->query->brief) shorten(work->t->g, &own, first);
      path_list_add(work, &own, &roots[i], list->group.at[from + i], first, roots[i].slack);
    }
  }
  *out = own;
  path_walks_free(&room);
}

static void append_list(PathList *out, PathList *list)
{
  uint32_t first = out->points.len, paths = out->paths.len;
  array_reserve(&out->points, (uint64_t)first + list->points.len);
  array_reserve(&out->paths, (uint64_t)paths + list->paths.len);
  if (list->points.len)
    memcpy(out->points.at + first, list->points.at, list->points.len * sizeof *list->points.at);
  out->points.len += list->points.len;
  for (uint32_t i = 0; i < list->paths.len; i++) {
    array_push(&out->paths, list->paths.at[i]);
    out->paths.at[paths + i].first += first;
  }
  path_list_free(list);
}

enum { LEAST_WALKED = 64 };         /* roots that are worth a team of threads */

typedef struct {
  PathWork       *work;
  const RootList *list;
  uint32_t  count;
  uint64_t  shares;
  PathList *out, *more;      /* of the first share, of the others */
} Walks;

static void walk_shares(void *context, uint32_t step, uint32_t from, uint32_t to, int thread)
{
  const Walks *walks = context;
  (void)step;
  (void)thread;
  for (uint32_t i = from; i < to; i++)
    walk_share(walks->work, walks->list, (uint32_t)(walks->count * (uint64_t)i / walks->shares),
               (uint32_t)(walks->count * ((uint64_t)i + 1) / walks->shares),
               i ? &walks->more[i] : walks->out);
}

static Status walk_roots(PathWork *work, const RootList *list, const PathPlan *plan, PathList *out)
{
  uint32_t count = 0;
  double since = clock_seconds();
  while (count < list->roots.len && count < plan->most
         && list->roots.at[count].slack <= plan->greatest)
    count++;
  int threads = count < LEAST_WALKED || work->t->threads < 1 ? 1 : work->t->threads;
  /* but the first, which goes where all go */
  PathList *shares = mem_alloc_zero((size_t)threads, sizeof *shares);
  Walks w = { work, list, count, (uint64_t)threads, out, shares };
  pool_items((uint32_t)threads, 50000, threads, walk_shares, &w);
  for (int i = 1; i < threads; i++) append_list(out, &shares[i]);
  mem_free(shares);
  work->effort.search += clock_seconds() - since;
  return interrupt_seen() ? FAILED : OK;
}

/* --- the search ------------------------------------------------------------------------------- */
/* Late roots of latches whose two edges have different credit.  The roots of the opening edge stay
   in their place. */
static RootList part_roots(const PathWork *work, RootList *list)
{
  RootList late = { { 0 }, { 0 }, { 0 } };
  PathRoot own;
  for (uint32_t i = 0; i < list->roots.len; i++) {
    if (!path_latch_part(work->t, work->scope, &list->roots.at[i], &own)) continue;
    array_push(&late.roots, own);
    array_push(&late.end, list->end.at[i]);
    array_push(&late.group, list->group.at[i]);
  }
  return late;
}

static void root_list_free(RootList *list)
{
  array_free(&list->roots);
  array_free(&list->end);
  array_free(&list->group);
}

/* Returns some paths of a plan without roots.  of_end: the end of each path; NULL: not wanted. */
static Status search_roots(PathWork *work, const RootList *list, PathPlan plan, bool brief,
                           PathList *out, uint32_t **of_end)
{
  PathTree tree = { { 0 }, { 0 } };
  PathAnswer answer = { &tree, &work->effort, NULL, false };
  double *plays = gather_plays(list);
  plan.roots = list->roots.at;
  plan.root_end = list->end.at;
  plan.count = list->roots.len;
  plan.plays = plays;
  Status status = search(work, &plan, &answer);
  if (status == OK) status = give_paths(work, &answer, list, brief, out);
  if (status == OK && of_end) {
    *of_end = mem_alloc(((size_t)tree.order.len + 1) * sizeof **of_end);
    for (uint32_t i = 0; i < tree.order.len; i++)
      (*of_end)[i] = list->end.at[tree.all.at[tree.order.at[i]].root];
  }
  if (answer.owned) path_forest_free(answer.forest);
  path_tree_free(&tree);
  mem_free(plays);
  return status;
}

static uint32_t sum_of(uint32_t a, uint32_t b) { return a > UINT32_MAX - b ? UINT32_MAX : a + b; }

/* Paths below the least slack count too, because both lists contain them. */
static Status search_both(PathWork *work, const RootList *late, const RootList *all,
                          const PathPlan *plan, PathList *out)
{
  PathFound first = { .end = NULL }, second = { .end = NULL };
  PathPlan p = *plan;
  p.least = -INFINITY;
  if (!isinf(plan->least)) p.most = UINT32_MAX;
  if (p.greatest > LEAST_LATE) p.greatest = LEAST_LATE;
  Status status = search_roots(work, late, p, false, &first.list, &first.end);
  p.greatest = plan->greatest;
  p.most = sum_of(p.most, first.list.paths.len);
  if (status == OK) status = search_roots(work, all, p, false, &second.list, &second.end);
  uint32_t paths = out->paths.len, points = out->points.len;
  if (status == OK) path_latch_merge(&first, &second, plan, out);
  if (work->query->brief) shorten_from(work->t->g, out, paths, points);
  path_list_free(&first.list);
  path_list_free(&second.list);
  mem_free(first.end);
  mem_free(second.end);
  return status;
}

static Status search_ends(PathWork *work, RootList *list, const PathPlan *plan, PathList *out)
{
  RootList late = part_roots(work, list);
  Status status = late.roots.len ? search_both(work, &late, list, plan, out)
                                 : search_roots(work, list, *plan, work->query->brief, out, NULL);
  root_list_free(&late);
  return status;
}

/* The paths of the ends [from, to), which are all constrained or all unconstrained, and sorted by
   slack. */
Status path_worst_of_ends(PathWork *work, uint32_t from, uint32_t to, uint32_t most, PathList *out)
{
  bool free = from < to && work->ends.at[from].unconstrained,
       least = !free && !isnan(work->query->slack_min);
  if (!least && to - from > most) to = from + most;      /* each brings a path at least */
  RootList l = { { 0 }, { 0 }, { 0 } };
  gather_roots(work, from, to, &l);
  PathPlan plan = { l.roots.at,      l.end.at,  l.roots.len, to - from,    most, work->query->worst,
                    MOST_DEVIATIONS, -INFINITY, INFINITY,    work->memory, NULL };
  if (work->query->deviations) plan.deviations = work->query->deviations;
  if (work->query->worst == 1) plan.deviations = 0;
  if (least) plan.least = work->query->slack_min;
  if (!free && !isnan(work->query->slack_max)) plan.greatest = work->query->slack_max;
  bool each =
      plan.deviations == 0
      && (common_active(work->t) || (uint64_t)l.roots.len * LONG_WAY < work->t->g->nodes.count);
  Status status = each ? walk_roots(work, &l, &plan, out) : search_ends(work, &l, &plan, out);
  root_list_free(&l);
  return status;
}
