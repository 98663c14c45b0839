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
    const Deviation *deviation = &v.all[ids[i]];
    keys[i] = key_kind == KEY_SLACK  ? deviation_key(deviation->slack)
              : key_kind == KEY_ROOT ? deviation->root
              : key_kind == KEY_TIE  ? deviation->tie
                                     : v.root_end[deviation->root];
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
  PathsState *state;
  Device     *d;
  const DeviationTask *task;
  uint32_t   expanded, waiting, count, kept;
  double     bound;
  DeviationAnswer *out;
} Work;

static void get_counts(Work *work, uint32_t *counts)
{
  device_get(work->d, counts, work->state->view.counts, COUNTS * sizeof *counts);
  device_finish(work->d, 0);
}

static void sort_by(Work *work, uint32_t count, int key_kind)
{
  SL_START(work->d, count, make_keys, work->state->view, work->state->sort.keys,
           work->state->sort.ids, count, key_kind);
  sort_by_keys(work->d, &work->state->sort, count);
}

/* Drops the paths without a mark in `keep`, and moves the others together. */
static void compact(Work *work)
{
  PathsView *view = &work->state->view;
  uint32_t counts[COUNTS];
  scan_counts(work->d, &work->state->sort, view->keep, view->moved, work->count + 1);
  SL_START(work->d, work->count, move_kept, *view, work->count);
  SL_START(work->d, 1, note_marks, *view, work->count, work->expanded, work->waiting);
  get_counts(work, counts);
  Deviation *all = view->all;
  view->all = view->other;
  view->other = all;
  work->expanded = counts[COUNT_EXPANDED];
  work->waiting = counts[COUNT_WAITING];
  work->count = counts[COUNT_KEPT];
}

static void prune_ends(Work *work)
{
  PathsView *view = &work->state->view;
  SortRoom *room = &work->state->sort;
  SL_START(work->d, work->count, number_ids, *view, room->ids, work->count);
  sort_by(work, work->count, KEY_TIE);
  sort_by(work, work->count, KEY_ROOT);
  sort_by(work, work->count, KEY_SLACK);
  sort_by(work, work->count, KEY_END);
  SL_START(work->d, work->count, find_ends, *view, room->keys, work->count);
  SL_START(work->d, work->count, keep_of_ends, *view, room->keys, room->ids, work->count,
           work->task->worst);
  compact(work);
}

/* Orders the paths with equal slack at the place where the list is cut off, by the criteria after
   the slack. */
static void order_ties(Work *work, uint32_t first, uint32_t end)
{
  SortRoom whole = work->state->sort, *room = &work->state->sort;
  room->ids += first;
  sort_by(work, end - first, KEY_TIE);
  sort_by(work, end - first, KEY_ROOT);
  if (room->ids != whole.ids + first)
    SL_START(work->d, end - first, copy_ids, work->state->view, whole.ids + first, room->ids,
             end - first);
  *room = whole;
}

static void prune_all(Work *work)
{
  PathsView *view = &work->state->view;
  SortRoom *room = &work->state->sort;
  uint32_t most = work->task->most, counts[COUNTS];
  double bound;
  if (work->count < most) return;
  SL_START(work->d, work->count, number_ids, *view, room->ids, work->count);
  sort_by(work, work->count, KEY_SLACK);
  SL_START(work->d, work->count, find_tie, *view, room->keys, work->count, most - 1);
  SL_START(work->d, 1, give_slack, *view, room->ids, most - 1);
  get_counts(work, counts);
  memcpy(&bound, &counts[COUNT_BOUND], sizeof bound);
  if (!work->d->error.file) work->bound = bound;
  if (counts[COUNT_TIE_END] > most)
    order_ties(work, counts[COUNT_TIE_FIRST], counts[COUNT_TIE_END]);
  SL_START(work->d, work->count, keep_first, *view, room->ids, work->count, most);
  compact(work);
}

static void prune(Work *work)
{
  if (work->state->view.limit_ends) prune_ends(work);
  prune_all(work);
  work->kept = work->count;
}

/* Processes the next paths of the round, as many as there is memory for their deviations. Returns
   false if there is memory for none. */
static bool leave_some(Work *work, uint32_t *chunk)
{
  uint32_t counts[COUNTS],
      n = work->waiting - work->expanded < *chunk ? work->waiting - work->expanded : *chunk;
  SL_START(work->d, n, leave_paths, work->state->view, work->expanded, n, work->bound);
  get_counts(work, counts);
  if (work->d->error.file) return false;
  if (counts[COUNT_ALL] <= work->state->view.room) {
    work->count = counts[COUNT_ALL];
    work->expanded += n;
    work->out->expanded += n;
    return true;
  }
  SL_START(work->d, 1, set_count, work->state->view, work->count);
  if (work->count > work->kept) prune(work);
  else if (n == 1)
    device_fail(work->d, __FILE__, __LINE__,
                "there is no room on the device for the paths that leave one", "");
  *chunk = n > 1 ? n / 2 : 1;
  return work->d->error.file == NULL;
}

static void search_round(Work *work)
{
  uint32_t chunk = work->waiting - work->expanded;
  while (work->expanded < work->waiting && leave_some(work, &chunk))
    if (work->count - work->kept > work->state->view.room / 2) prune(work);
  prune(work);
  work->waiting = work->count;
  work->out->rounds++;
}

/* Copies the paths to the host, in their order, with their parents. */
static void give(Work *work)
{
  SortRoom *room = &work->state->sort;
  double since = device_now();
  SL_START(work->d, work->count, number_ids, work->state->view, room->ids, work->count);
  sort_by(work, work->count, KEY_TIE);
  sort_by(work, work->count, KEY_ROOT);
  sort_by(work, work->count, KEY_SLACK);
  SL_START(work->d, work->count, rank_ids, work->state->view, room->ids, work->count);
  SL_START(work->d, work->count, put_in_order, work->state->view, room->ids, work->count);
  work->out->search += device_finish(work->d, since);
  since = device_now();
  work->out->at = (Deviation *)mem_alloc(((size_t)work->count + 1) * sizeof *work->out->at);
  device_get(work->d, work->out->at, work->state->view.other,
             (size_t)work->count * sizeof *work->out->at);
  work->out->count = work->count;
  work->out->download = device_finish(work->d, since);
}

/* --- room ------------------------------------------------------------------------------------- */
static void place_work(PathsState *state, Room *the_room, uint32_t room, size_t library)
{
  size_t n = (size_t)room + 1;
  PathsView *view = &state->view;
  view->all = (Deviation *)take_room(the_room, n * sizeof *view->all);
  view->other = (Deviation *)take_room(the_room, n * sizeof *view->other);
  state->sort.keys = (uint64_t *)take_room(the_room, n * sizeof *state->sort.keys);
  state->sort.other_keys = (uint64_t *)take_room(the_room, n * sizeof *state->sort.other_keys);
  state->sort.ids = (uint32_t *)take_room(the_room, n * sizeof *state->sort.ids);
  state->sort.other_ids = (uint32_t *)take_room(the_room, n * sizeof *state->sort.other_ids);
  view->keep = (uint32_t *)take_room(the_room, n * sizeof *view->keep);
  view->moved = (uint32_t *)take_room(the_room, n * sizeof *view->moved);
  view->counts = (uint32_t *)take_room(the_room, COUNTS * sizeof *view->counts);
  state->sort.room = (char *)take_room(the_room, library);
  state->sort.room_bytes = library;
}

/* Limits of the memory for paths. It is four times the number of paths wanted, within these limits,
   because so many paths of a round may wait to be examined. */
enum { LEAST_ROOM = 1 << 20, MOST_ROOM = 1 << 30 };

static void make_work_room(Device *d, PathsState *state, const DeviationTask *task)
{
  uint64_t want = 4 * (uint64_t)task->most + LEAST_ROOM;
  uint64_t all = 4 * (uint64_t)task->roots + LEAST_ROOM;
  if (task->worst < task->most) want += (uint64_t)task->ends * 4;
  if (want < all) want = all;
  if (want > MOST_ROOM) want = MOST_ROOM;
  if (want <= state->view.room) return;
  device_release(d, state->work_block);
  state->view.room = 0;
  size_t library = sort_room_bytes(d, (uint32_t)want + 1);
  Room count = { NULL, 0 };
  place_work(state, &count, (uint32_t)want, library);
  Room p = { state->work_block = device_block(d, count.at), 0 };
  if (p.block == NULL) return;
  place_work(state, &p, (uint32_t)want, library);
  state->view.room = (uint32_t)want;
}

static void make_root_room(Device *d, PathsState *state, const DeviationTask *task)
{
  if (task->roots > state->roots_room || task->ends > state->ends_room) {
    device_release(d, state->root_block);
    state->roots_room = task->roots;
    state->ends_room = task->ends;
    state->root_block = device_block(d, device_aligned(4 * (size_t)task->roots)
                                            + device_aligned(4 * (size_t)task->ends)
                                            + device_aligned(8 * (size_t)task->ends)
                                            + device_aligned(sizeof(double) * (size_t)task->roots));
  }
  if (state->root_block == NULL) return;
  Room p = { state->root_block, 0 };
  state->view.root_end = (const uint32_t *)take_room(&p, 4 * (size_t)state->roots_room);
  state->view.end_first = (uint32_t *)take_room(&p, 4 * (size_t)state->ends_room);
  state->view.end_bound = (double *)take_room(&p, 8 * (size_t)state->ends_room);
  const double *plays = (const double *)take_room(&p, sizeof(double) * (size_t)state->roots_room);
  state->view.f.plays = task->plays ? plays : NULL;
}

/* --- operations ------------------------------------------------------------------------------- */
static void put_forest(Device *d, void *state, void *call)
{
  PathsState *paths_state = (PathsState *)state;
  const ForestArrays *arrays = (const ForestArrays *)call;
  size_t states = (size_t)arrays->state_count * sizeof *arrays->states,
         links = (size_t)arrays->link_count * sizeof *arrays->links;
  paths_state->view.reversed = d->reversed;
  Room p = { device_block(d, device_aligned(states) + device_aligned(links) + ALIGNMENT), 0 };
  if (p.block == NULL) return;
  paths_state->view.f.states = (const ForestState *)take_room(&p, states);
  paths_state->view.f.links = (const ForestLink *)take_room(&p, links);
  device_put(d, (void *)paths_state->view.f.states, arrays->states, states);
  device_put(d, (void *)paths_state->view.f.links, arrays->links, links);
}

/* Adds the paths of the roots. */
static void put_roots(Work *work)
{
  const DeviationTask *task = work->task;
  Deviation *roots = (Deviation *)mem_alloc(((size_t)task->roots + 1) * sizeof *roots);
  for (uint32_t i = 0; i < task->roots; i++) {
    if (task->root_slack[i] > task->greatest) continue;
    Deviation d = { task->root_slack[i], 0, i, NO_DEVIATION, task->root_state[i], 0 };
    roots[work->count++] = d;
  }
  device_put(work->d, work->state->view.all, roots, (size_t)work->count * sizeof *roots);
  device_put(work->d, (void *)work->state->view.root_end, task->root_end,
             (size_t)task->roots * sizeof *task->root_end);
  if (task->plays)
    device_put(work->d, (void *)work->state->view.f.plays, task->plays,
               (size_t)task->roots * sizeof *task->plays);
  SL_START(work->d, task->ends, set_bounds, work->state->view, task->ends, task->greatest);
  SL_START(work->d, 1, set_count, work->state->view, work->count);
  device_finish(work->d, 0);
  mem_free(roots);
}

static void search(Device *d, void *state, void *call)
{
  PathsState *paths_state = (PathsState *)state;
  const PathsCall *paths_call = (const PathsCall *)call;
  const DeviationTask *task = paths_call->task;
  Work w = { paths_state, d, task, 0, 0, 0, 0, task->greatest, paths_call->out };
  double since = device_now();
  make_work_room(d, paths_state, task);
  if (!d->error.file) make_root_room(d, paths_state, task);
  paths_state->view.deviations = task->deviations;
  paths_state->view.limit_ends = task->worst < task->most;
  if (!d->error.file) put_roots(&w);
  paths_call->out->upload = device_finish(d, since);
  since = device_now();
  if (!d->error.file) prune(&w);
  w.waiting = w.count;
  while (w.expanded < w.waiting && !d->error.file) search_round(&w);
  paths_call->out->search = device_finish(d, since);
  if (!d->error.file) give(&w);
}

static const FamilyOperation operations[] = {
  { .name = "forest", .run = put_forest, .reads = 0 },      /* PATHS_PUT_FOREST */
  { .name = "paths", .run = search, .reads = 0 },           /* PATHS_SEARCH */
};

SL_FAMILY(paths) = { .state_bytes = sizeof(PathsState), .operations = operations };
