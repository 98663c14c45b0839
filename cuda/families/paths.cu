/* Finds the k best paths by rounds of deviations, with the same bits as src/paths/path_rounds.c
   (see math/deviation.h).

   A lane examines the deviations of one path and appends those that it keeps. Their places in
   memory differ from run to run, but the order of paths depends only on the paths, and paths are
   dropped by that order. */
#include "cuda/families/sort_view.h"

#include "cuda/kernel.h"
#include "device/device_paths.h"

/* Indices in `counts`: number of all paths; a run of ties; where the parts end after moving; a
   slack, in two words. */
enum {
  COUNT_ALL,
  COUNT_TIE_FIRST,
  COUNT_TIE_END,
  COUNT_EXPANDED,
  COUNT_WAITING,
  COUNT_KEPT,
  COUNT_BOUND,
  COUNT_BOUND_HIGH,
  COUNTS
};

typedef struct {
  ForestView f;
  const uint32_t *root_end;
  Deviation *all, *other;
  uint32_t  *counts;                /* [COUNTS] */
  uint32_t   room;
  double    *end_bound;             /* [ends] */
  uint32_t  *end_first;             /* [ends] */
  uint32_t  *keep, *moved;          /* [room + 1] */
  uint32_t   deviations;
  bool       limit_ends;
  bool       reversed;              /* see SL_EACH */
} PathsView;

/* The state on a device that the next search of the same forest uses. */
typedef struct {
  PathsView  view;
  SortRoom   sort;
  char      *work_block, *root_block;
  uint32_t   ends_room, roots_room;
} PathsState;

/* --- kernels ---------------------------------------------------------------------------------- */
SL_HD uint32_t take_place(uint32_t *counter)
{
#ifdef __CUDA_ARCH__
  return atomicAdd(counter, 1u);
#else
  return (*counter)++;
#endif
}

SL_KERNEL leave_paths(const PathsView v, uint32_t from, uint32_t count, double bound)
{
  SL_EACH(i, count)
  {
    uint32_t id = from + i;
    Deviation d = v.all[id];
    double most = bound;
    if (deviation_level(&d) >= v.deviations) continue;
    if (v.limit_ends && v.end_bound[v.root_end[d.root]] < most)
      most = v.end_bound[v.root_end[d.root]];
    DeviationWalk w = deviation_walk(&v.f, v.all, &d);
    while (deviation_next(&w, &v.f, most)) {
      uint32_t at = take_place(&v.counts[COUNT_ALL]);
      if (at < v.room) v.all[at] = deviation_child(&v.f, &d, id, w.state, w.link, w.slack);
    }
  }
}

enum { KEY_SLACK, KEY_ROOT, KEY_TIE, KEY_END };

SL_KERNEL number_ids(const PathsView v, uint32_t *ids, uint32_t count)
{
  SL_EACH(i, count) ids[i] = i;
}

SL_KERNEL make_keys(const PathsView v, uint64_t *keys, const uint32_t *ids, uint32_t count,
                    int key_kind)
{
  SL_EACH(i, count)
  {
    const Deviation *d = &v.all[ids[i]];
    keys[i] = key_kind == KEY_SLACK  ? deviation_key(d->slack)
              : key_kind == KEY_ROOT ? d->root
              : key_kind == KEY_TIE  ? d->tie
                                     : v.root_end[d->root];
  }
}

/* Finds the run of keys that equal the one at `at`. */
SL_KERNEL find_tie(const PathsView v, const uint64_t *keys, uint32_t count, uint32_t at)
{
  SL_EACH(i, count)
  {
    if (keys[i] != keys[at]) continue;
    if (i == 0 || keys[i - 1] != keys[at]) v.counts[COUNT_TIE_FIRST] = i;
    if (i + 1 == count || keys[i + 1] != keys[at]) v.counts[COUNT_TIE_END] = i + 1;
  }
}

SL_KERNEL keep_first(const PathsView v, const uint32_t *ids, uint32_t count, uint32_t most)
{
  SL_EACH(i, count) v.keep[ids[i]] = i < most;
}

SL_KERNEL find_ends(const PathsView v, const uint64_t *keys, uint32_t count)
{
  SL_EACH(i, count)
    if (i == 0 || keys[i - 1] != keys[i]) v.end_first[keys[i]] = i;
}

SL_KERNEL keep_of_ends(const PathsView v, const uint64_t *keys, const uint32_t *ids, uint32_t count,
                       uint32_t worst)
{
  SL_EACH(i, count)
  {
    uint32_t rank = i - v.end_first[keys[i]];
    v.keep[ids[i]] = rank < worst;
    if (rank == worst - 1) v.end_bound[keys[i]] = v.all[ids[i]].slack;
  }
}

SL_KERNEL move_kept(const PathsView v, uint32_t count)
{
  SL_EACH(i, count)
  {
    Deviation d = v.all[i];
    if (!v.keep[i]) continue;
    if (d.parent != NO_DEVIATION) d.parent = v.moved[d.parent];
    v.other[v.moved[i]] = d;
  }
}

SL_KERNEL note_marks(const PathsView v, uint32_t count, uint32_t expanded, uint32_t waiting)
{
  SL_EACH(i, 1)
  {
    v.counts[COUNT_EXPANDED] = v.moved[expanded];
    v.counts[COUNT_WAITING] = v.moved[waiting];
    v.counts[COUNT_KEPT] = v.moved[count];
    v.counts[COUNT_ALL + i] = v.moved[count];
  }
}

SL_KERNEL set_count(const PathsView v, uint32_t count)
{
  SL_EACH(i, 1) v.counts[COUNT_ALL + i] = count;
}

SL_KERNEL give_slack(const PathsView v, const uint32_t *ids, uint32_t at)
{
  SL_EACH(i, 1) *(double *)&v.counts[COUNT_BOUND] = v.all[ids[at + i]].slack;
}

SL_KERNEL copy_ids(const PathsView v, uint32_t *to, const uint32_t *from, uint32_t count)
{
  SL_EACH(i, count) to[i] = from[i];
}

SL_KERNEL set_bounds(const PathsView v, uint32_t ends, double bound)
{
  SL_EACH(i, ends) v.end_bound[i] = bound;
}

SL_KERNEL rank_ids(const PathsView v, const uint32_t *ids, uint32_t count)
{
  SL_EACH(i, count) v.moved[ids[i]] = i;
}

SL_KERNEL put_in_order(const PathsView v, const uint32_t *ids, uint32_t count)
{
  SL_EACH(i, count)
  {
    Deviation d = v.all[ids[i]];
    if (d.parent != NO_DEVIATION) d.parent = v.moved[d.parent];
    v.other[i] = d;
  }
}

/* --- a search at work ------------------------------------------------------------------------- */
typedef struct {
  PathsState *f;
  Device     *d;
  const DeviationTask *task;
  uint32_t   expanded, waiting, count, kept;
  double     bound;
  DeviationAnswer *out;
} Work;

static void get_counts(Work *w, uint32_t *counts)
{
  device_get(w->d, counts, w->f->view.counts, COUNTS * sizeof *counts);
  device_finish(w->d, 0);
}

static void sort_by(Work *w, uint32_t count, int key_kind)
{
  SL_START(w->d, count, make_keys, w->f->view, w->f->sort.keys, w->f->sort.ids, count, key_kind);
  sort_by_keys(w->d, &w->f->sort, count);
}

/* Drops the paths without a mark in `keep`, and moves the others together. */
static void compact(Work *w)
{
  PathsView *v = &w->f->view;
  uint32_t counts[COUNTS];
  scan_counts(w->d, &w->f->sort, v->keep, v->moved, w->count + 1);
  SL_START(w->d, w->count, move_kept, *v, w->count);
  SL_START(w->d, 1, note_marks, *v, w->count, w->expanded, w->waiting);
  get_counts(w, counts);
  Deviation *all = v->all;
  v->all = v->other;
  v->other = all;
  w->expanded = counts[COUNT_EXPANDED];
  w->waiting = counts[COUNT_WAITING];
  w->count = counts[COUNT_KEPT];
}

static void prune_ends(Work *w)
{
  PathsView *v = &w->f->view;
  SortRoom *s = &w->f->sort;
  SL_START(w->d, w->count, number_ids, *v, s->ids, w->count);
  sort_by(w, w->count, KEY_TIE);
  sort_by(w, w->count, KEY_ROOT);
  sort_by(w, w->count, KEY_SLACK);
  sort_by(w, w->count, KEY_END);
  SL_START(w->d, w->count, find_ends, *v, s->keys, w->count);
  SL_START(w->d, w->count, keep_of_ends, *v, s->keys, s->ids, w->count, w->task->worst);
  compact(w);
}

/* Orders the paths with equal slack at the place where the list is cut off, by the criteria after
   the slack. */
static void order_ties(Work *w, uint32_t first, uint32_t end)
{
  SortRoom whole = w->f->sort, *s = &w->f->sort;
  s->ids += first;
  sort_by(w, end - first, KEY_TIE);
  sort_by(w, end - first, KEY_ROOT);
  if (s->ids != whole.ids + first)
    SL_START(w->d, end - first, copy_ids, w->f->view, whole.ids + first, s->ids, end - first);
  *s = whole;
}

static void prune_all(Work *w)
{
  PathsView *v = &w->f->view;
  SortRoom *s = &w->f->sort;
  uint32_t most = w->task->most, counts[COUNTS];
  double bound;
  if (w->count < most) return;
  SL_START(w->d, w->count, number_ids, *v, s->ids, w->count);
  sort_by(w, w->count, KEY_SLACK);
  SL_START(w->d, w->count, find_tie, *v, s->keys, w->count, most - 1);
  SL_START(w->d, 1, give_slack, *v, s->ids, most - 1);
  get_counts(w, counts);
  memcpy(&bound, &counts[COUNT_BOUND], sizeof bound);
  if (!w->d->error.file) w->bound = bound;
  if (counts[COUNT_TIE_END] > most) order_ties(w, counts[COUNT_TIE_FIRST], counts[COUNT_TIE_END]);
  SL_START(w->d, w->count, keep_first, *v, s->ids, w->count, most);
  compact(w);
}

static void prune(Work *w)
{
  if (w->f->view.limit_ends) prune_ends(w);
  prune_all(w);
  w->kept = w->count;
}

/* Processes the next paths of the round, as many as there is memory for their deviations. Returns
   false if there is memory for none. */
static bool leave_some(Work *w, uint32_t *chunk)
{
  uint32_t counts[COUNTS],
      n = w->waiting - w->expanded < *chunk ? w->waiting - w->expanded : *chunk;
  SL_START(w->d, n, leave_paths, w->f->view, w->expanded, n, w->bound);
  get_counts(w, counts);
  if (w->d->error.file) return false;
  if (counts[COUNT_ALL] <= w->f->view.room) {
    w->count = counts[COUNT_ALL];
    w->expanded += n;
    w->out->expanded += n;
    return true;
  }
  SL_START(w->d, 1, set_count, w->f->view, w->count);
  if (w->count > w->kept) prune(w);
  else if (n == 1)
    device_fail(w->d, __FILE__, __LINE__,
                "there is no room on the device for the paths that leave one", "");
  *chunk = n > 1 ? n / 2 : 1;
  return w->d->error.file == NULL;
}

static void search_round(Work *w)
{
  uint32_t chunk = w->waiting - w->expanded;
  while (w->expanded < w->waiting && leave_some(w, &chunk))
    if (w->count - w->kept > w->f->view.room / 2) prune(w);
  prune(w);
  w->waiting = w->count;
  w->out->rounds++;
}

/* Copies the paths to the host, in their order, with their parents. */
static void give(Work *w)
{
  SortRoom *s = &w->f->sort;
  double since = device_now();
  SL_START(w->d, w->count, number_ids, w->f->view, s->ids, w->count);
  sort_by(w, w->count, KEY_TIE);
  sort_by(w, w->count, KEY_ROOT);
  sort_by(w, w->count, KEY_SLACK);
  SL_START(w->d, w->count, rank_ids, w->f->view, s->ids, w->count);
  SL_START(w->d, w->count, put_in_order, w->f->view, s->ids, w->count);
  w->out->search += device_finish(w->d, since);
  since = device_now();
  w->out->at = (Deviation *)mem_alloc(((size_t)w->count + 1) * sizeof *w->out->at);
  device_get(w->d, w->out->at, w->f->view.other, (size_t)w->count * sizeof *w->out->at);
  w->out->count = w->count;
  w->out->download = device_finish(w->d, since);
}

/* --- room ------------------------------------------------------------------------------------- */
static void place_work(PathsState *f, Room *p, uint32_t room, size_t library)
{
  size_t n = (size_t)room + 1;
  PathsView *v = &f->view;
  v->all = (Deviation *)take_room(p, n * sizeof *v->all);
  v->other = (Deviation *)take_room(p, n * sizeof *v->other);
  f->sort.keys = (uint64_t *)take_room(p, n * sizeof *f->sort.keys);
  f->sort.other_keys = (uint64_t *)take_room(p, n * sizeof *f->sort.other_keys);
  f->sort.ids = (uint32_t *)take_room(p, n * sizeof *f->sort.ids);
  f->sort.other_ids = (uint32_t *)take_room(p, n * sizeof *f->sort.other_ids);
  v->keep = (uint32_t *)take_room(p, n * sizeof *v->keep);
  v->moved = (uint32_t *)take_room(p, n * sizeof *v->moved);
  v->counts = (uint32_t *)take_room(p, COUNTS * sizeof *v->counts);
  f->sort.room = (char *)take_room(p, library);
  f->sort.room_bytes = library;
}

/* Limits of the memory for paths. It is four times the number of paths wanted, within these limits,
   because so many paths of a round may wait to be examined. */
enum { LEAST_ROOM = 1 << 20, MOST_ROOM = 1 << 30 };

static void make_work_room(Device *d, PathsState *f, const DeviationTask *t)
{
  uint64_t want = 4 * (uint64_t)t->most + LEAST_ROOM;
  uint64_t all = 4 * (uint64_t)t->roots + LEAST_ROOM;
  if (t->worst < t->most) want += (uint64_t)t->ends * 4;
  if (want < all) want = all;
  if (want > MOST_ROOM) want = MOST_ROOM;
  if (want <= f->view.room) return;
  device_release(d, f->work_block);
  f->view.room = 0;
  size_t library = sort_room_bytes(d, (uint32_t)want + 1);
  Room count = { NULL, 0 };
  place_work(f, &count, (uint32_t)want, library);
  Room p = { f->work_block = device_block(d, count.at), 0 };
  if (p.block == NULL) return;
  place_work(f, &p, (uint32_t)want, library);
  f->view.room = (uint32_t)want;
}

static void make_root_room(Device *d, PathsState *f, const DeviationTask *t)
{
  if (t->roots > f->roots_room || t->ends > f->ends_room) {
    device_release(d, f->root_block);
    f->roots_room = t->roots;
    f->ends_room = t->ends;
    f->root_block = device_block(d, device_aligned(4 * (size_t)t->roots)
                                            + device_aligned(4 * (size_t)t->ends)
                                            + device_aligned(8 * (size_t)t->ends)
                                            + device_aligned(sizeof(double) * (size_t)t->roots));
  }
  if (f->root_block == NULL) return;
  Room p = { f->root_block, 0 };
  f->view.root_end = (const uint32_t *)take_room(&p, 4 * (size_t)f->roots_room);
  f->view.end_first = (uint32_t *)take_room(&p, 4 * (size_t)f->ends_room);
  f->view.end_bound = (double *)take_room(&p, 8 * (size_t)f->ends_room);
  const double *plays = (const double *)take_room(&p, sizeof(double) * (size_t)f->roots_room);
  f->view.f.plays = t->plays ? plays : NULL;
}

/* --- operations ------------------------------------------------------------------------------- */
static void put_forest(Device *d, void *state, void *call)
{
  PathsState *f = (PathsState *)state;
  const ForestArrays *a = (const ForestArrays *)call;
  size_t states = (size_t)a->state_count * sizeof *a->states,
         links = (size_t)a->link_count * sizeof *a->links;
  f->view.reversed = d->reversed;
  Room p = { device_block(d, device_aligned(states) + device_aligned(links) + ALIGNMENT), 0 };
  if (p.block == NULL) return;
  f->view.f.states = (const ForestState *)take_room(&p, states);
  f->view.f.links = (const ForestLink *)take_room(&p, links);
  device_put(d, (void *)f->view.f.states, a->states, states);
  device_put(d, (void *)f->view.f.links, a->links, links);
}

/* Adds the paths of the roots. */
static void put_roots(Work *w)
{
  const DeviationTask *t = w->task;
  Deviation *roots = (Deviation *)mem_alloc(((size_t)t->roots + 1) * sizeof *roots);
  for (uint32_t i = 0; i < t->roots; i++) {
    if (t->root_slack[i] > t->greatest) continue;
    Deviation d = { t->root_slack[i], 0, i, NO_DEVIATION, t->root_state[i], 0 };
    roots[w->count++] = d;
  }
  device_put(w->d, w->f->view.all, roots, (size_t)w->count * sizeof *roots);
  device_put(w->d, (void *)w->f->view.root_end, t->root_end,
             (size_t)t->roots * sizeof *t->root_end);
  if (t->plays)
    device_put(w->d, (void *)w->f->view.f.plays, t->plays, (size_t)t->roots * sizeof *t->plays);
  SL_START(w->d, t->ends, set_bounds, w->f->view, t->ends, t->greatest);
  SL_START(w->d, 1, set_count, w->f->view, w->count);
  device_finish(w->d, 0);
  mem_free(roots);
}

static void search(Device *d, void *state, void *call)
{
  PathsState *f = (PathsState *)state;
  const PathsCall *c = (const PathsCall *)call;
  const DeviationTask *task = c->task;
  Work w = { f, d, task, 0, 0, 0, 0, task->greatest, c->out };
  double since = device_now();
  make_work_room(d, f, task);
  if (!d->error.file) make_root_room(d, f, task);
  f->view.deviations = task->deviations;
  f->view.limit_ends = task->worst < task->most;
  if (!d->error.file) put_roots(&w);
  c->out->upload = device_finish(d, since);
  since = device_now();
  if (!d->error.file) prune(&w);
  w.waiting = w.count;
  while (w.expanded < w.waiting && !d->error.file) search_round(&w);
  c->out->search = device_finish(d, since);
  if (!d->error.file) give(&w);
}

static const FamilyOperation operations[] = {
  { .name = "forest", .run = put_forest, .reads = 0 },      /* PATHS_PUT_FOREST */
  { .name = "paths", .run = search, .reads = 0 },           /* PATHS_SEARCH */
};

SL_FAMILY(paths) = { .state_bytes = sizeof(PathsState), .operations = operations };
