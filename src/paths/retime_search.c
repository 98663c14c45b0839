/* The worst paths by re-timed slack.

   The search finds paths in the order of a bound: no path's re-timed slack is below its bound
   (paths/retime_bound.h).  So of what it has not come to yet nothing is worse than the bound of
   what it found last, at an end point that has given all that was asked of it, or in the whole
   pool.  Batches grow until these bounds have passed the slacks of the paths taken.  Where a
   re-timed slack lies below its bound all the same, the worst such distance found so far widens
   what is asked of the bounds: everything taken is looked at again with it. */
#include <math.h>
#include <stdlib.h>

#include "base/hash.h"
#include "base/interrupt.h"
#include "paths/retime_bound.h"
#include "paths/retime_private.h"

/* Paths that are counted together: those of an end point and group, or of a pool (a group if there
   are counts by group; otherwise all). */
typedef struct {
  PathGroup group;
  uint32_t  found, taken;
  double    last;                 /* bound of the last one found */
  double    enough;               /* slack of the last one that there is room for; INFINITY: there
                                     is room left */
  uint32_t  pool;                 /* of an end */
} Share;
typedef ARRAY(Share) Shares;

typedef struct {
  const Timing    *t;
  const PathQuery *query;
  const RetimeBound *bound;
  Log             *log;
  uint32_t  quota;                /* paths of a pool */
  uint32_t  limit;
  uint32_t  most_per_end, most_per_pool;      /* that are asked for */
  double    needed;               /* the search need not go to bounds above this */
  double    widening, asked;      /* asked: with which the last batch was */
  double    certain;              /* paths not seen have at least this slack */
  PathList  tried;                /* of the last batch, then what earlier ones took */
  ARRAY(double) bounds;           /* of the batch */
  PathList  kept;                 /* what the last batch took; a batch that the limit cuts off may
                                     have lost it */
  Shares    ends, pools;
  Map      *end_of, *pool_of;
  ARRAY(RetimeOrder) taken;       /* in order, with those that slack_min hides */
} Exhaustive;

/* --- lists of paths --------------------------------------------------------------------------- */
static uint64_t hash_of(const PathList *list, const Path *path, bool edges_too)
{
  uint64_t key = path->group;
  for (uint32_t i = 0; i < path->count; i++) {
    const PathPoint *point = path_start(list, path) + i;
    key = hash_u64(key + (edges_too ? 2 * (uint64_t)point->node + point->edge : point->slot) + 1)
          >> 1;
  }
  return key;
}

static bool same_course(const PathList *la, const Path *a, const PathList *lb, const Path *b,
                        bool edges_too)
{
  if (a->count != b->count || a->group != b->group) return false;
  if (edges_too && a->end_id != b->end_id) return false;
  const PathPoint *pa = path_start(la, a), *pb = path_start(lb, b);
  for (uint32_t i = 0; i < a->count; i++)
    if (pa[i].slot != pb[i].slot
        || (edges_too && (pa[i].node != pb[i].node || pa[i].edge != pb[i].edge)))
      return false;
  return true;
}

/* --- a batch ---------------------------------------------------------------------------------- */
static Status interrupted(Log *log)
{
  return log_error(log, "PATH-002", NOWHERE, "the search for paths was interrupted");
}

/* Paths that were taken before and are not in the batch. */
static void add_kept(Exhaustive *exhaustive)
{
  Map *known = map_new();
  uint64_t key;
  uint32_t at;
  for (uint32_t i = 0; i < exhaustive->tried.paths.len && exhaustive->kept.paths.len; i++) {
    for (key = hash_of(&exhaustive->tried, &exhaustive->tried.paths.at[i], true);
         map_get(known, key) != MAP_NO_VALUE;)
      key++;
    map_put(known, key, i);
  }
  for (uint32_t i = 0; i < exhaustive->kept.paths.len; i++) {
    const Path *path = &exhaustive->kept.paths.at[i];
    for (key = hash_of(&exhaustive->kept, path, true); (at = map_get(known, key)) != MAP_NO_VALUE;
         key++)
      if (same_course(&exhaustive->kept, path, &exhaustive->tried, &exhaustive->tried.paths.at[at],
                      true))
        break;
    if (at == MAP_NO_VALUE) retime_append_path(&exhaustive->kept, path, &exhaustive->tried);
  }
  map_free(known);
}

static Status try_paths(Exhaustive *exhaustive)
{
  bool grouped = exhaustive->query->group_paths != 0;
  PathQuery q = *exhaustive->query;
  q.max_paths = grouped ? UINT32_MAX : exhaustive->most_per_pool;
  q.group_paths = grouped ? exhaustive->most_per_pool : 0;
  q.worst = exhaustive->most_per_end;
  q.slack_min = NAN;
  exhaustive->asked = exhaustive->widening;
  q.slack_max = isinf(exhaustive->needed) ? NAN : exhaustive->needed + exhaustive->asked;
  q.unique = q.unconstrained = q.by_group = false;
  path_list_free(&exhaustive->tried);
  array_clear(&exhaustive->bounds);
  if (query_paths(retime_bound_timing(exhaustive->bound), &q, exhaustive->log, &exhaustive->tried)
      != OK)
    return FAILED;
  for (uint32_t i = 0; i < exhaustive->tried.paths.len; i++)
    array_push(&exhaustive->bounds, exhaustive->tried.paths.at[i].slack);
  if (!retime_all(exhaustive->t, &exhaustive->tried, 0, false)) return interrupted(exhaustive->log);
  for (uint32_t i = 0; i < exhaustive->tried.paths.len; i++) {
    double below = exhaustive->bounds.at[i] - exhaustive->tried.paths.at[i].slack;
    if (below > exhaustive->widening) exhaustive->widening = below;
  }
  add_kept(exhaustive);
  return OK;
}

/* --- shares ----------------------------------------------------------------------------------- */
static Share *share_of(Shares *list, Map *map, uint64_t key, Share fresh)
{
  uint32_t at = map_get(map, key);
  if (at == MAP_NO_VALUE) {
    at = list->len;
    map_put(map, key, at);
    array_push(list, fresh);
  }
  return &list->at[at];
}

static Share *pool_of(Exhaustive *exhaustive, const Path *path)
{
  PathGroup group = exhaustive->query->group_paths ? path->group : 0;
  return share_of(&exhaustive->pools, exhaustive->pool_of, group,
                  (Share){ .group = group, .enough = INFINITY });
}

static Share *end_of(Exhaustive *exhaustive, const Path *path)
{
  uint32_t pool = (uint32_t)(pool_of(exhaustive, path) - exhaustive->pools.at);
  uint64_t key = hash_pair(path->group, path_end(&exhaustive->tried, path)->slot);
  return share_of(&exhaustive->ends, exhaustive->end_of, key,
                  (Share){ .group = path->group, .enough = INFINITY, .pool = pool });
}

static void count_found(Exhaustive *exhaustive)
{
  array_clear(&exhaustive->ends);
  array_clear(&exhaustive->pools);
  map_free(exhaustive->end_of);
  map_free(exhaustive->pool_of);
  exhaustive->end_of = map_new();
  exhaustive->pool_of = map_new();
  for (uint32_t i = 0; i < exhaustive->bounds.len; i++) {
    Share *shares[] = { end_of(exhaustive, &exhaustive->tried.paths.at[i]),
                        pool_of(exhaustive, &exhaustive->tried.paths.at[i]) };
    for (int k = 0; k < 2; k++) {
      shares[k]->found++;
      if (shares[k]->found == 1 || exhaustive->bounds.at[i] > shares[k]->last)
        shares[k]->last = exhaustive->bounds.at[i];
    }
  }
}

/* --- the paths that are taken ----------------------------------------------------------------- */
/* Was a path over the same pins taken before?  Else it is known from now on, as the index that it
   will be taken under. */
static bool is_known(const Exhaustive *exhaustive, Map *courses, const Path *path)
{
  uint64_t key = hash_of(&exhaustive->tried, path, false);
  for (uint32_t at; (at = map_get(courses, key)) != MAP_NO_VALUE; key++)
    if (same_course(&exhaustive->tried, &exhaustive->taken.at[at].path, &exhaustive->tried, path,
                    false))
      return true;
  map_put(courses, key, exhaustive->taken.len);
  return false;
}

/* Among the worst of its end point, but not to be shown. */
static bool is_hidden(const Exhaustive *exhaustive, const Path *path)
{
  return path->slack < exhaustive->query->slack_min;
}

static void take(Exhaustive *exhaustive, const RetimeOrder *order, Map *courses)
{
  const Path *path = &order->path;
  Share *end = end_of(exhaustive, path), *pool = pool_of(exhaustive, path);
  if (path->slack > exhaustive->query->slack_max || end->taken >= exhaustive->query->worst
      || pool->taken >= exhaustive->quota)
    return;
  if (exhaustive->query->unique && is_known(exhaustive, courses, path)) return;
  if (++end->taken == exhaustive->query->worst) end->enough = path->slack;
  if (!is_hidden(exhaustive, path) && ++pool->taken == exhaustive->quota)
    pool->enough = path->slack;
  array_push(&exhaustive->taken, *order);
}

static void take_worst(Exhaustive *exhaustive)
{
  PathQuery plain = *exhaustive->query;
  plain.by_group = false;
  Map *courses = map_new();
  RetimeOrder *order = retime_keys(exhaustive->t, &plain, &exhaustive->tried, 0);
  array_clear(&exhaustive->taken);
  for (uint32_t i = 0; i < exhaustive->tried.paths.len; i++) take(exhaustive, &order[i], courses);
  mem_free(order);
  map_free(courses);
}

/* --- are they all? ---------------------------------------------------------------------------- */
/* bound: paths not seen may be above the bound of the batch. */
typedef struct { bool ends, pools, bound; double needed; } Unsettled;

static double smaller(double a, double b) { return b < a ? b : a; }

/* Returns true if paths of a share that were not seen (at most `most` were asked for) may have a
   slack below `wanted`, and would be taken.  The difference of the widenings, which is mostly 0, is
   computed first: adding and subtracting a widening would round the value. */
static bool is_unsettled(Exhaustive *exhaustive, const Share *share, uint32_t most, double wanted,
                         Unsettled *unsettled)
{
  bool full = share->found >= most;
  double unseen = full ? share->last - exhaustive->widening
                       : exhaustive->needed - (exhaustive->widening - exhaustive->asked);
  if (isinf(unseen) || unseen >= wanted) return false;
  if (wanted > unsettled->needed) unsettled->needed = wanted;
  if (unseen < exhaustive->certain) exhaustive->certain = unseen;
  unsettled->bound |= !full;
  return full;
}

static Unsettled find_unsettled(Exhaustive *exhaustive)
{
  double most = isnan(exhaustive->query->slack_max) ? INFINITY : exhaustive->query->slack_max;
  Unsettled u = { .needed = -INFINITY };
  exhaustive->certain = INFINITY;
  for (uint32_t i = 0; i < exhaustive->taken.len; i++)
    if (exhaustive->taken.at[i].path.slack > u.needed)
      u.needed = exhaustive->taken.at[i].path.slack;
  for (uint32_t i = 0; i < exhaustive->ends.len; i++) {
    const Share *end = &exhaustive->ends.at[i], *pool = &exhaustive->pools.at[end->pool];
    double wanted = smaller(most, smaller(end->enough, pool->enough));
    u.ends |= is_unsettled(exhaustive, end, exhaustive->most_per_end, wanted, &u);
  }
  for (uint32_t i = 0; i < exhaustive->pools.len; i++) {
    const Share *pool = &exhaustive->pools.at[i];
    u.pools |=
        is_unsettled(exhaustive, pool, exhaustive->most_per_pool, smaller(most, pool->enough), &u);
  }
  return u;
}

static uint32_t grown(uint32_t count, uint32_t limit)
{
  return count > limit / 4 || 4 * count + 8 > limit ? limit : 4 * count + 8;
}

/* Asks for more paths where that may help, but for so few in total that no end crowds out the
   others.  Returns false if the limit is reached. */
static bool grow(Exhaustive *exhaustive, const Unsettled *unsettled)
{
  uint32_t ends = exhaustive->most_per_end, pools = exhaustive->most_per_pool;
  uint64_t room = 0;
  if (unsettled->ends) exhaustive->most_per_end = grown(ends, exhaustive->limit);
  if (unsettled->pools) exhaustive->most_per_pool = grown(pools, exhaustive->limit);
  for (uint32_t i = 0; i < exhaustive->ends.len; i++)
    room += exhaustive->ends.at[i].taken ? exhaustive->most_per_end : 0;
  if (room > exhaustive->most_per_pool)
    exhaustive->most_per_pool = room < exhaustive->limit ? (uint32_t)room : exhaustive->limit;
  bool wider = unsettled->needed > exhaustive->needed
               || (unsettled->bound && exhaustive->widening > exhaustive->asked);
  exhaustive->needed = unsettled->needed;
  return wider || exhaustive->most_per_end > ends || exhaustive->most_per_pool > pools;
}

/* --- the whole -------------------------------------------------------------------------------- */
static uint32_t least(uint32_t a, uint32_t b) { return a < b ? a : b; }

/* The first batch has as many paths as the query wants, so that each of the worst ends gets some,
   whatever follows. */
static Status search(Exhaustive *exhaustive, RetimeReport *report)
{
  exhaustive->most_per_end = least(exhaustive->query->worst, exhaustive->limit);
  exhaustive->most_per_pool = least(exhaustive->quota, exhaustive->limit);
  exhaustive->needed =
      isnan(exhaustive->query->slack_max) ? INFINITY : exhaustive->query->slack_max;
  for (;;) {
    if (try_paths(exhaustive) != OK) return FAILED;
    count_found(exhaustive);
    take_worst(exhaustive);
    Unsettled u = find_unsettled(exhaustive);
    report->complete = !u.ends && !u.pools && !u.bound;
    if (report->complete || !grow(exhaustive, &u)) break;
    path_list_free(&exhaustive->kept);
    for (uint32_t i = 0; i < exhaustive->taken.len; i++)
      retime_append_path(&exhaustive->tried, &exhaustive->taken.at[i].path, &exhaustive->kept);
  }
  report->certain = exhaustive->certain;
  retime_count(&exhaustive->tried, 0, report);
  return OK;
}

/* Those that nothing constrains, as the graph has them. */
typedef struct { const PathQuery *query; } FreeOnly;
static bool wants_free(void *data, PathGroup group)
{
  const PathQuery *query = ((const FreeOnly *)data)->query;
  return group == path_group(GROUP_UNCONSTRAINED, 0)
         && (query->wants_group == NULL || query->wants_group(query->data, group));
}

static Status free_paths(Exhaustive *exhaustive, uint32_t have, PathList *out, RetimeReport *report)
{
  uint32_t first = out->paths.len;
  FreeOnly data = { exhaustive->query };
  RetimeReport own;
  PathQuery q = *exhaustive->query;
  if (!q.unconstrained || have >= q.max_paths) return OK;
  q.max_paths -= have;
  q.wants_group = wants_free;
  q.data = &data;
  if (query_paths(exhaustive->t, &q, exhaustive->log, out) != OK
      || retime_paths(exhaustive->t, out, first, exhaustive->log, &own) != OK)
    return FAILED;
  report->paths += own.paths;
  return OK;
}

static void give_taken(const Exhaustive *exhaustive, PathList *out)
{
  uint32_t most = exhaustive->query->max_paths;
  for (uint32_t i = 0; i < exhaustive->taken.len && most > 0; i++) {
    if (is_hidden(exhaustive, &exhaustive->taken.at[i].path)) continue;
    retime_append_path(&exhaustive->tried, &exhaustive->taken.at[i].path, out);
    most--;
  }
}

Status query_paths_exhaustive(const Timing *t, const PathQuery *query, const ExhaustivePlan *plan,
                              Log *log, PathList *out, RetimeReport *report)
{
  *report = (RetimeReport){ .complete = true, .certain = INFINITY };
  if (query->max_paths == 0 || query->worst == 0) return OK;
  uint32_t first = out->paths.len,
           quota = query->group_paths && query->group_paths < query->max_paths ? query->group_paths
                                                                               : query->max_paths;
  RetimeBounds *own = plan->bounds ? NULL : retime_bounds_new();
  Exhaustive x = { .t = t, .query = query, .log = log, .quota = quota, .limit = plan->limit };
  x.bound = retime_bounds_of(own ? own : plan->bounds, t, plan->version, query->early_late);
  if (x.bound) x.widening = retime_bound_widening(x.bound);
  Status status = x.bound ? search(&x, report) : interrupted(log);
  if (status == OK) give_taken(&x, out);
  if (status == OK) status = free_paths(&x, out->paths.len - first, out, report);
  if (status == OK) retime_order(t, query, out, first);
  retime_bounds_free(own);
  path_list_free(&x.tried);
  path_list_free(&x.kept);
  array_free(&x.bounds);
  array_free(&x.ends);
  array_free(&x.pools);
  array_free(&x.taken);
  map_free(x.end_of);
  map_free(x.pool_of);
  return status;
}
