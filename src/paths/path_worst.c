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
static double *gather_plays(const RootList *l)
{
  bool any = false;
  for (uint32_t i = 0; i < l->roots.len && !any; i++) any = l->roots.at[i].play != 0;
  if (!any) return NULL;
  double *plays = mem_alloc(l->roots.len * sizeof *plays);
  for (uint32_t i = 0; i < l->roots.len; i++) plays[i] = l->roots.at[i].play;
  return plays;
}

static bool slack_wanted(const PathWork *x, const PathRoot *root)
{
  return root->end_id == NO_PATH_END || !(root->slack < x->q->slack_min);
}

static void gather_roots(PathWork *x, uint32_t from, uint32_t to, RootList *l)
{
  PathRoots roots = { 0 };
  for (uint32_t i = from; i < to; i++) {
    const SearchedEnd *e = &x->ends.at[i];
    array_clear(&roots);
    if (x->q->worst > 1) path_end_roots(x, e, &roots);
    else if (slack_wanted(x, &e->root)) array_push(&roots, e->root);
    for (uint32_t k = 0; k < roots.len; k++) {
      array_push(&l->roots, roots.at[k]);
      array_push(&l->end, i - from);
      array_push(&l->group, e->group);
    }
  }
  array_free(&roots);
}

static Status give_paths(PathWork *x, const PathAnswer *a, const RootList *l, bool brief,
                         PathList *out)
{
  const PathTree *tree = a->tree;
  double since = clock_seconds();
  uint32_t n = tree->order.len, *counts = mem_alloc(((size_t)n + 1) * sizeof *counts),
           first = out->points.len;
  TraceWish wish = { tree, 0, n, brief, x->memory };
  if (path_trace(a->forest, &wish, counts, out, &x->effort.fit) != OK) {
    mem_free(counts);
    return FAILED;
  }
  array_reserve(&out->paths, (uint64_t)out->paths.len + n);
  for (uint32_t i = 0; i < n; i++) {
    const Deviation *d = &tree->all.at[tree->order.at[i]];
    const PathRoot *root = &l->roots.at[d->root];
    array_push(&out->paths, (Path){ .end_id = root->end_id,
                                    .group = l->group.at[d->root],
                                    .early_late = (uint8_t)x->q->early_late,
                                    .slack = root->end_id == NO_PATH_END ? INFINITY : d->slack,
                                    .arrival = out->points.at[first + counts[i] - 1].arrival,
                                    .first = first,
                                    .count = counts[i] });
    first += counts[i];
  }
  mem_free(counts);
  x->effort.trace += clock_seconds() - since;
  return OK;
}

/* The forest of a scope that nothing limits serves later queries as well, but for credit, which
   makes one for each capture. */
static PathForest *host_forest(PathWork *x)
{
  if (x->forest) return x->forest;
  bool shared = !path_scope_limited(x->scope) && !common_active(x->t);
  x->owns_forest = !shared;
  return x->forest = shared ? path_cached_forest(x->t, x->q->early_late)
                            : path_forest_new(x->scope, x->t->threads);
}

static Status search(PathWork *x, const PathPlan *plan, PathAnswer *a)
{
  if (path_device_wanted(x->t, plan) && path_device_search(x->t, x->scope, plan, a, x->log))
    return OK;
  if (a->owned) path_forest_free(a->forest);
  double since = clock_seconds();
  a->owned = false;
  a->forest = host_forest(x);
  Status status = path_rounds(a->forest, plan, &x->effort, a->tree);
  x->effort.search += clock_seconds() - since;
  return status;
}

/* --- one path of each end ------------------------------------------------------------------------

   A few paths, or paths with credit, share little of their way back, so each is walked on its
   own. */
enum { LONG_WAY = 64 };             /* nodes of a path, roughly */

/* Completes a path whose points from `first` on were just added. */
static void shorten(const Graph *g, PathList *l, uint32_t first)
{
  uint32_t count = l->points.len - first;
  const PathPoint *second = &l->points.at[first + 1];
  bool launched =
      count > 1 && second->kind == LINK_ARC
      && (graph_arc_is_launch(g, second->link) || g->arcs.flags[second->link] & ARC_LATCH);
  uint32_t kept = 1 + launched;
  if (count <= kept) return;
  l->points.at[first + kept] = l->points.at[l->points.len - 1];
  l->points.len = first + kept + 1;
}

/* Completes the paths from a number on; their points are the last ones. */
static void shorten_from(const Graph *g, PathList *l, uint32_t paths, uint32_t points)
{
  PathPoints all = { 0 };
  for (uint32_t i = points; i < l->points.len; i++) array_push(&all, l->points.at[i]);
  l->points.len = points;
  for (uint32_t i = paths; i < l->paths.len; i++) {
    Path *p = &l->paths.at[i];
    const PathPoint *own = all.at + (p->first - points);
    p->first = l->points.len;
    for (uint32_t k = 0; k < p->count; k++) array_push(&l->points, own[k]);
    shorten(g, l, p->first);
    p->count = l->points.len - p->first;
  }
  array_free(&all);
}

static void walk_share(const PathWork *x, const RootList *l, uint32_t from, uint32_t to,
                       PathList *out)
{
  PathWalks room = { 0 };
  PathList own = *out;       /* off the cache lines of other threads */
  for (uint32_t some; from < to && !interrupt_seen(); from += some) {
    const PathRoot *roots = &l->roots.at[from];
    some = to - from < PATH_WALKS ? to - from : PATH_WALKS;
    path_walk_together(x->scope, roots, some, &room);
    for (uint32_t i = 0; i < some; i++) {
      uint32_t first = own.points.len;
      path_walk_points(&room.walks[i], &own);
      if (x->q->brief) shorten(x->t->g, &own, first);
      path_list_add(x, &own, &roots[i], l->group.at[from + i], first, roots[i].slack);
    }
  }
  *out = own;
  path_walks_free(&room);
}

static void append_list(PathList *out, PathList *l)
{
  uint32_t first = out->points.len, paths = out->paths.len;
  array_reserve(&out->points, (uint64_t)first + l->points.len);
  array_reserve(&out->paths, (uint64_t)paths + l->paths.len);
  if (l->points.len)
    memcpy(out->points.at + first, l->points.at, l->points.len * sizeof *l->points.at);
  out->points.len += l->points.len;
  for (uint32_t i = 0; i < l->paths.len; i++) {
    array_push(&out->paths, l->paths.at[i]);
    out->paths.at[paths + i].first += first;
  }
  path_list_free(l);
}

enum { LEAST_WALKED = 64 };         /* roots that are worth a team of threads */

typedef struct {
  PathWork       *x;
  const RootList *l;
  uint32_t  count;
  uint64_t  shares;
  PathList *out, *more;      /* of the first share, of the others */
} Walks;

static void walk_shares(void *context, uint32_t step, uint32_t from, uint32_t to, int thread)
{
  const Walks *w = context;
  (void)step;
  (void)thread;
  for (uint32_t i = from; i < to; i++)
    walk_share(w->x, w->l, (uint32_t)(w->count * (uint64_t)i / w->shares),
               (uint32_t)(w->count * ((uint64_t)i + 1) / w->shares), i ? &w->more[i] : w->out);
}

static Status walk_roots(PathWork *x, const RootList *l, const PathPlan *plan, PathList *out)
{
  uint32_t count = 0;
  double since = clock_seconds();
  while (count < l->roots.len && count < plan->most && l->roots.at[count].slack <= plan->greatest)
    count++;
  int threads = count < LEAST_WALKED || x->t->threads < 1 ? 1 : x->t->threads;
  /* but the first, which goes where all go */
  PathList *shares = mem_alloc_zero((size_t)threads, sizeof *shares);
  Walks w = { x, l, count, (uint64_t)threads, out, shares };
  pool_items((uint32_t)threads, 50000, threads, walk_shares, &w);
  for (int i = 1; i < threads; i++) append_list(out, &shares[i]);
  mem_free(shares);
  x->effort.search += clock_seconds() - since;
  return interrupt_seen() ? FAILED : OK;
}

/* --- the search ------------------------------------------------------------------------------- */
/* Late roots of latches whose two edges have different credit.  The roots of the opening edge stay
   in their place. */
static RootList part_roots(const PathWork *x, RootList *l)
{
  RootList late = { { 0 }, { 0 }, { 0 } };
  PathRoot own;
  for (uint32_t i = 0; i < l->roots.len; i++) {
    if (!path_latch_part(x->t, x->scope, &l->roots.at[i], &own)) continue;
    array_push(&late.roots, own);
    array_push(&late.end, l->end.at[i]);
    array_push(&late.group, l->group.at[i]);
  }
  return late;
}

static void root_list_free(RootList *l)
{
  array_free(&l->roots);
  array_free(&l->end);
  array_free(&l->group);
}

/* Returns some paths of a plan without roots.  of_end: the end of each path; NULL: not wanted. */
static Status search_roots(PathWork *x, const RootList *l, PathPlan plan, bool brief, PathList *out,
                           uint32_t **of_end)
{
  PathTree tree = { { 0 }, { 0 } };
  PathAnswer answer = { &tree, &x->effort, NULL, false };
  double *plays = gather_plays(l);
  plan.roots = l->roots.at;
  plan.root_end = l->end.at;
  plan.count = l->roots.len;
  plan.plays = plays;
  Status status = search(x, &plan, &answer);
  if (status == OK) status = give_paths(x, &answer, l, brief, out);
  if (status == OK && of_end) {
    *of_end = mem_alloc(((size_t)tree.order.len + 1) * sizeof **of_end);
    for (uint32_t i = 0; i < tree.order.len; i++)
      (*of_end)[i] = l->end.at[tree.all.at[tree.order.at[i]].root];
  }
  if (answer.owned) path_forest_free(answer.forest);
  path_tree_free(&tree);
  mem_free(plays);
  return status;
}

static uint32_t sum_of(uint32_t a, uint32_t b) { return a > UINT32_MAX - b ? UINT32_MAX : a + b; }

/* Paths below the least slack count too, because both lists contain them. */
static Status search_both(PathWork *x, const RootList *late, const RootList *all,
                          const PathPlan *plan, PathList *out)
{
  PathFound first = { .end = NULL }, second = { .end = NULL };
  PathPlan p = *plan;
  p.least = -INFINITY;
  if (!isinf(plan->least)) p.most = UINT32_MAX;
  if (p.greatest > LEAST_LATE) p.greatest = LEAST_LATE;
  Status status = search_roots(x, late, p, false, &first.list, &first.end);
  p.greatest = plan->greatest;
  p.most = sum_of(p.most, first.list.paths.len);
  if (status == OK) status = search_roots(x, all, p, false, &second.list, &second.end);
  uint32_t paths = out->paths.len, points = out->points.len;
  if (status == OK) path_latch_merge(&first, &second, plan, out);
  if (x->q->brief) shorten_from(x->t->g, out, paths, points);
  path_list_free(&first.list);
  path_list_free(&second.list);
  mem_free(first.end);
  mem_free(second.end);
  return status;
}

static Status search_ends(PathWork *x, RootList *l, const PathPlan *plan, PathList *out)
{
  RootList late = part_roots(x, l);
  Status status = late.roots.len ? search_both(x, &late, l, plan, out)
                                 : search_roots(x, l, *plan, x->q->brief, out, NULL);
  root_list_free(&late);
  return status;
}

/* The paths of the ends [from, to), which are all constrained or all unconstrained, and sorted by
   slack. */
Status path_worst_of_ends(PathWork *x, uint32_t from, uint32_t to, uint32_t most, PathList *out)
{
  bool free = from < to && x->ends.at[from].unconstrained, least = !free && !isnan(x->q->slack_min);
  if (!least && to - from > most) to = from + most;      /* each brings a path at least */
  RootList l = { { 0 }, { 0 }, { 0 } };
  gather_roots(x, from, to, &l);
  PathPlan plan = { l.roots.at,      l.end.at,  l.roots.len, to - from, most, x->q->worst,
                    MOST_DEVIATIONS, -INFINITY, INFINITY,    x->memory, NULL };
  if (x->q->deviations) plan.deviations = x->q->deviations;
  if (x->q->worst == 1) plan.deviations = 0;
  if (least) plan.least = x->q->slack_min;
  if (!free && !isnan(x->q->slack_max)) plan.greatest = x->q->slack_max;
  bool each = plan.deviations == 0
              && (common_active(x->t) || (uint64_t)l.roots.len * LONG_WAY < x->t->g->nodes.count);
  Status status = each ? walk_roots(x, &l, &plan, out) : search_ends(x, &l, &plan, out);
  root_list_free(&l);
  return status;
}
