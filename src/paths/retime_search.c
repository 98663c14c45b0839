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
  const PathQuery *q;
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
static uint64_t hash_of(const PathList *l, const Path *p, bool edges_too)
{
  uint64_t key = p->group;
  for (uint32_t i = 0; i < p->count; i++) {
    const PathPoint *x = path_start(l, p) + i;
    key = hash_u64(key + (edges_too ? 2 * (uint64_t)x->node + x->edge : x->slot) + 1) >> 1;
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
static void add_kept(Exhaustive *x)
{
  Map *known = map_new();
  uint64_t key;
  uint32_t at;
  for (uint32_t i = 0; i < x->tried.paths.len && x->kept.paths.len; i++) {
    for (key = hash_of(&x->tried, &x->tried.paths.at[i], true);
         map_get(known, key) != MAP_NO_VALUE;)
      key++;
    map_put(known, key, i);
  }
  for (uint32_t i = 0; i < x->kept.paths.len; i++) {
    const Path *p = &x->kept.paths.at[i];
    for (key = hash_of(&x->kept, p, true); (at = map_get(known, key)) != MAP_NO_VALUE; key++)
      if (same_course(&x->kept, p, &x->tried, &x->tried.paths.at[at], true)) break;
    if (at == MAP_NO_VALUE) retime_append_path(&x->kept, p, &x->tried);
  }
  map_free(known);
}

static Status try_paths(Exhaustive *x)
{
  bool grouped = x->q->group_paths != 0;
  PathQuery q = *x->q;
  q.max_paths = grouped ? UINT32_MAX : x->most_per_pool;
  q.group_paths = grouped ? x->most_per_pool : 0;
  q.worst = x->most_per_end;
  q.slack_min = NAN;
  x->asked = x->widening;
  q.slack_max = isinf(x->needed) ? NAN : x->needed + x->asked;
  q.unique = q.unconstrained = q.by_group = false;
  path_list_free(&x->tried);
  array_clear(&x->bounds);
  if (query_paths(retime_bound_timing(x->bound), &q, x->log, &x->tried) != OK) return FAILED;
  for (uint32_t i = 0; i < x->tried.paths.len; i++)
    array_push(&x->bounds, x->tried.paths.at[i].slack);
  if (!retime_all(x->t, &x->tried, 0, false)) return interrupted(x->log);
  for (uint32_t i = 0; i < x->tried.paths.len; i++) {
    double below = x->bounds.at[i] - x->tried.paths.at[i].slack;
    if (below > x->widening) x->widening = below;
  }
  add_kept(x);
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

static Share *pool_of(Exhaustive *x, const Path *p)
{
  PathGroup group = x->q->group_paths ? p->group : 0;
  return share_of(&x->pools, x->pool_of, group, (Share){ .group = group, .enough = INFINITY });
}

static Share *end_of(Exhaustive *x, const Path *p)
{
  uint32_t pool = (uint32_t)(pool_of(x, p) - x->pools.at);
  uint64_t key = hash_pair(p->group, path_end(&x->tried, p)->slot);
  return share_of(&x->ends, x->end_of, key,
                  (Share){ .group = p->group, .enough = INFINITY, .pool = pool });
}

static void count_found(Exhaustive *x)
{
  array_clear(&x->ends);
  array_clear(&x->pools);
  map_free(x->end_of);
  map_free(x->pool_of);
  x->end_of = map_new();
  x->pool_of = map_new();
  for (uint32_t i = 0; i < x->bounds.len; i++) {
    Share *shares[] = { end_of(x, &x->tried.paths.at[i]), pool_of(x, &x->tried.paths.at[i]) };
    for (int k = 0; k < 2; k++) {
      shares[k]->found++;
      if (shares[k]->found == 1 || x->bounds.at[i] > shares[k]->last)
        shares[k]->last = x->bounds.at[i];
    }
  }
}

/* --- the paths that are taken ----------------------------------------------------------------- */
/* Was a path over the same pins taken before?  Else it is known from now on, as the index that it
   will be taken under. */
static bool is_known(const Exhaustive *x, Map *courses, const Path *p)
{
  uint64_t key = hash_of(&x->tried, p, false);
  for (uint32_t at; (at = map_get(courses, key)) != MAP_NO_VALUE; key++)
    if (same_course(&x->tried, &x->taken.at[at].path, &x->tried, p, false)) return true;
  map_put(courses, key, x->taken.len);
  return false;
}

/* Among the worst of its end point, but not to be shown. */
static bool is_hidden(const Exhaustive *x, const Path *p) { return p->slack < x->q->slack_min; }

static void take(Exhaustive *x, const RetimeOrder *o, Map *courses)
{
  const Path *p = &o->path;
  Share *end = end_of(x, p), *pool = pool_of(x, p);
  if (p->slack > x->q->slack_max || end->taken >= x->q->worst || pool->taken >= x->quota) return;
  if (x->q->unique && is_known(x, courses, p)) return;
  if (++end->taken == x->q->worst) end->enough = p->slack;
  if (!is_hidden(x, p) && ++pool->taken == x->quota) pool->enough = p->slack;
  array_push(&x->taken, *o);
}

static void take_worst(Exhaustive *x)
{
  PathQuery plain = *x->q;
  plain.by_group = false;
  Map *courses = map_new();
  RetimeOrder *o = retime_keys(x->t, &plain, &x->tried, 0);
  array_clear(&x->taken);
  for (uint32_t i = 0; i < x->tried.paths.len; i++) take(x, &o[i], courses);
  mem_free(o);
  map_free(courses);
}

/* --- are they all? ---------------------------------------------------------------------------- */
/* bound: paths not seen may be above the bound of the batch. */
typedef struct { bool ends, pools, bound; double needed; } Unsettled;

static double smaller(double a, double b) { return b < a ? b : a; }

/* Returns true if paths of a share that were not seen (at most `most` were asked for) may have a
   slack below `wanted`, and would be taken.  The difference of the widenings, which is mostly 0, is
   computed first: adding and subtracting a widening would round the value. */
static bool is_unsettled(Exhaustive *x, const Share *s, uint32_t most, double wanted, Unsettled *u)
{
  bool full = s->found >= most;
  double unseen = full ? s->last - x->widening : x->needed - (x->widening - x->asked);
  if (isinf(unseen) || unseen >= wanted) return false;
  if (wanted > u->needed) u->needed = wanted;
  if (unseen < x->certain) x->certain = unseen;
  u->bound |= !full;
  return full;
}

static Unsettled find_unsettled(Exhaustive *x)
{
  double most = isnan(x->q->slack_max) ? INFINITY : x->q->slack_max;
  Unsettled u = { .needed = -INFINITY };
  x->certain = INFINITY;
  for (uint32_t i = 0; i < x->taken.len; i++)
    if (x->taken.at[i].path.slack > u.needed) u.needed = x->taken.at[i].path.slack;
  for (uint32_t i = 0; i < x->ends.len; i++) {
    const Share *end = &x->ends.at[i], *pool = &x->pools.at[end->pool];
    double wanted = smaller(most, smaller(end->enough, pool->enough));
    u.ends |= is_unsettled(x, end, x->most_per_end, wanted, &u);
  }
  for (uint32_t i = 0; i < x->pools.len; i++) {
    const Share *pool = &x->pools.at[i];
    u.pools |= is_unsettled(x, pool, x->most_per_pool, smaller(most, pool->enough), &u);
  }
  return u;
}

static uint32_t grown(uint32_t count, uint32_t limit)
{
  return count > limit / 4 || 4 * count + 8 > limit ? limit : 4 * count + 8;
}

/* Asks for more paths where that may help, but for so few in total that no end crowds out the
   others.  Returns false if the limit is reached. */
static bool grow(Exhaustive *x, const Unsettled *u)
{
  uint32_t ends = x->most_per_end, pools = x->most_per_pool;
  uint64_t room = 0;
  if (u->ends) x->most_per_end = grown(ends, x->limit);
  if (u->pools) x->most_per_pool = grown(pools, x->limit);
  for (uint32_t i = 0; i < x->ends.len; i++) room += x->ends.at[i].taken ? x->most_per_end : 0;
  if (room > x->most_per_pool) x->most_per_pool = room < x->limit ? (uint32_t)room : x->limit;
  bool wider = u->needed > x->needed || (u->bound && x->widening > x->asked);
  x->needed = u->needed;
  return wider || x->most_per_end > ends || x->most_per_pool > pools;
}

/* --- the whole -------------------------------------------------------------------------------- */
static uint32_t least(uint32_t a, uint32_t b) { return a < b ? a : b; }

/* The first batch has as many paths as the query wants, so that each of the worst ends gets some,
   whatever follows. */
static Status search(Exhaustive *x, RetimeReport *report)
{
  x->most_per_end = least(x->q->worst, x->limit);
  x->most_per_pool = least(x->quota, x->limit);
  x->needed = isnan(x->q->slack_max) ? INFINITY : x->q->slack_max;
  for (;;) {
    if (try_paths(x) != OK) return FAILED;
    count_found(x);
    take_worst(x);
    Unsettled u = find_unsettled(x);
    report->complete = !u.ends && !u.pools && !u.bound;
    if (report->complete || !grow(x, &u)) break;
    path_list_free(&x->kept);
    for (uint32_t i = 0; i < x->taken.len; i++)
      retime_append_path(&x->tried, &x->taken.at[i].path, &x->kept);
  }
  report->certain = x->certain;
  retime_count(&x->tried, 0, report);
  return OK;
}

/* Those that nothing constrains, as the graph has them. */
typedef struct { const PathQuery *q; } FreeOnly;
static bool wants_free(void *data, PathGroup group)
{
  const PathQuery *q = ((const FreeOnly *)data)->q;
  return group == path_group(GROUP_UNCONSTRAINED, 0)
         && (q->wants_group == NULL || q->wants_group(q->data, group));
}

static Status free_paths(Exhaustive *x, uint32_t have, PathList *out, RetimeReport *report)
{
  uint32_t first = out->paths.len;
  FreeOnly data = { x->q };
  RetimeReport own;
  PathQuery q = *x->q;
  if (!q.unconstrained || have >= q.max_paths) return OK;
  q.max_paths -= have;
  q.wants_group = wants_free;
  q.data = &data;
  if (query_paths(x->t, &q, x->log, out) != OK
      || retime_paths(x->t, out, first, x->log, &own) != OK)
    return FAILED;
  report->paths += own.paths;
  return OK;
}

static void give_taken(const Exhaustive *x, PathList *out)
{
  uint32_t most = x->q->max_paths;
  for (uint32_t i = 0; i < x->taken.len && most > 0; i++) {
    if (is_hidden(x, &x->taken.at[i].path)) continue;
    retime_append_path(&x->tried, &x->taken.at[i].path, out);
    most--;
  }
}

Status query_paths_exhaustive(const Timing *t, const PathQuery *q, const ExhaustivePlan *plan,
                              Log *log, PathList *out, RetimeReport *report)
{
  *report = (RetimeReport){ .complete = true, .certain = INFINITY };
  if (q->max_paths == 0 || q->worst == 0) return OK;
  uint32_t first = out->paths.len,
           quota = q->group_paths && q->group_paths < q->max_paths ? q->group_paths : q->max_paths;
  RetimeBounds *own = plan->bounds ? NULL : retime_bounds_new();
  Exhaustive x = { .t = t, .q = q, .log = log, .quota = quota, .limit = plan->limit };
  x.bound = retime_bounds_of(own ? own : plan->bounds, t, plan->version, q->early_late);
  if (x.bound) x.widening = retime_bound_widening(x.bound);
  Status status = x.bound ? search(&x, report) : interrupted(log);
  if (status == OK) give_taken(&x, out);
  if (status == OK) status = free_paths(&x, out->paths.len - first, out, report);
  if (status == OK) retime_order(t, q, out, first);
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
