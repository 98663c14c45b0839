/* Records of paths become points (math/deviation.h): first how long each is, then all at once, each
   in its own room. */
#include "base/interrupt.h"
#include "base/pool.h"
#include "paths/path_private.h"

/* A path on its way back from its end. */
typedef struct {
  const PathForest *forest;
  const Deviation *all;
  uint32_t *way;             /* the path's deviations, the last one (from its end) first */
  uint32_t left;             /* of these, not yet met */
  uint32_t state;            /* where it is; FOREST_START: link began it */
  uint32_t link;             /* how it came on from there */
  double   lost;             /* by deviations not yet met */
} Trace;

typedef struct {
  ARRAY(uint32_t) way;
} TraceRoom;

static Trace trace_begin(const PathForest *forest, const Deviation *all, uint32_t id,
                         TraceRoom *room)
{
  ForestView view = path_forest_view(forest);
  double lost = 0;
  array_clear(&room->way);
  for (; all[id].parent != NO_DEVIATION; id = all[id].parent) array_push(&room->way, id);
  for (uint32_t i = room->way.len; i-- > 0;) lost += deviation_loss(&view, &all[room->way.at[i]]);
  return (Trace){ forest, all, room->way.at, room->way.len, all[id].state, 0, lost };
}

/* Goes one link back.  Returns false if there is none. */
static bool trace_back(Trace *trace)
{
  ForestState s = trace->forest->states.at[trace->state];
  uint32_t link = 0;
  if (s.count == 0) return false;
  if (trace->left && trace->all[trace->way[trace->left - 1]].state == trace->state) {
    const Deviation *deviation = &trace->all[trace->way[--trace->left]];
    link = deviation->link;
    trace->lost =
        trace->left ? trace->lost - (double)trace->forest->ways.links.at[s.first + link].loss : 0;
  }
  trace->link = s.first + link;
  trace->state = trace->forest->ways.links.at[trace->link].from;
  return true;
}

/* --- length ----------------------------------------------------------------------------------- */
static bool is_seed(const Fanin *start) { return start->slot == NO_SLOT; }

/* Goes from end to start in stretches.  Each stretch follows the best links from the start of a
   deviation to the state where the next deviation leaves. */
static uint32_t path_length(const PathForest *forest, const Deviation *all, uint32_t id,
                            TraceRoom *room)
{
  Trace t = trace_begin(forest, all, id, room);
  uint32_t n = 0, state = t.state, link = 0;
  while (t.left) {
    const Deviation *deviation = &all[t.way[--t.left]];
    n += forest->reach.at[state].points - forest->reach.at[deviation->state].points + 1;
    link = forest->states.at[deviation->state].first + deviation->link;
    state = forest->ways.links.at[link].from;
  }
  return n
         + (state == FOREST_START
                ? !is_seed(&forest->ways.starts.at[forest->ways.how.at[link].link])
                : forest->reach.at[state].points);
}

/* --- points ----------------------------------------------------------------------------------- */
/* How a path begins. */
typedef struct {
  uint32_t state;            /* the last one on its way back */
  const Fanin *start;        /* NULL: nothing is known to come before */
} Beginning;

static Beginning path_beginning(const PathForest *forest, const Deviation *deviation)
{
  ForestView view = path_forest_view(forest);
  uint32_t state = deviation_begin(&view, deviation), link = deviation->link;
  if (state == FOREST_START) state = deviation->state;
  else {
    state = forest->reach.at[state].begin;
    link = 0;
  }
  ForestState s = forest->states.at[state];
  return (Beginning){ state, s.count
                                 ? &forest->ways.starts.at[forest->ways.how.at[s.first + link].link]
                                 : NULL };
}

/* Credit of what launches the path: arrivals of states are without it. */
static double launch_credit(const PathForest *forest, const Deviation *deviation)
{
  Beginning b = path_beginning(forest, deviation);
  PathState at = forest->at.at[b.state];
  return at.capture && b.start ? path_scope_credit(forest->scope, b.start->leaf, at) : 0;
}

/* The point at which a start launches a state. */
static PathPoint launch_point(const PathForest *forest, const Fanin *start, uint32_t capture)
{
  PathState at = { start->slot, start->node, start->edge, 0, capture };
  return path_point(forest->scope, (PathPoint){ .kind = LINK_START }, at,
                    &(PathLeaving){ 0, true, start->start, 0 });
}

/* Fills the room of a path from its end on.  A point's arrival is its state's less what links
   before it lose. */
static void fill_points(const PathForest *forest, const Deviation *all, uint32_t id,
                        TraceRoom *room, PathPoint *out, uint32_t count)
{
  double credit = launch_credit(forest, &all[id]);
  Trace t = trace_begin(forest, all, id, room);
  for (uint32_t i = count; i-- > 0;) {
    PathState at = forest->at.at[t.state];
    PathPoint p = { .kind = LINK_START };
    double lost = t.lost;
    const Fanin *start = NULL;
    if (trace_back(&t)) {
      p = (PathPoint){ .link = forest->ways.how.at[t.link].link,
                       .kind = forest->ways.how.at[t.link].kind };
      if (t.state == FOREST_START) start = &forest->ways.starts.at[p.link];
    }
    if (start)
      p = is_seed(start) ? (PathPoint){ .kind = LINK_START }
                         : (PathPoint){ .link = start->link, .kind = start->kind };
    out[i] = path_point(forest->scope, p, at, &(PathLeaving){ lost, false, 0, credit });
    if (start == NULL || is_seed(start)) continue;
    out[--i] = launch_point(forest, start, at.capture);
  }
}

/* --- in brief --------------------------------------------------------------------------------- */
/* Data for the ends of paths.  Without it, each path would look it up along its parents. */
typedef struct {
  double   *lost;            /* by record, by all its deviations: summed as in a trace */
  uint32_t *end;             /* by root: its state */
} Ends;

/* Parents come before their children. */
static Ends find_ends(const PathForest *forest, const PathTree *tree)
{
  ForestView view = path_forest_view(forest);
  uint32_t roots = 0;
  for (uint32_t i = 0; i < tree->all.len; i++)
    if (tree->all.at[i].root >= roots) roots = tree->all.at[i].root + 1;
  Ends e = { mem_alloc(((size_t)tree->all.len + 1) * sizeof *e.lost),
             mem_alloc(((size_t)roots + 1) * sizeof *e.end) };
  for (uint32_t i = 0; i < tree->all.len; i++) {
    const Deviation *deviation = &tree->all.at[i];
    bool root = deviation->parent == NO_DEVIATION;
    e.lost[i] = root ? 0 : e.lost[deviation->parent] + deviation_loss(&view, deviation);
    if (root) e.end[deviation->root] = deviation->state;
  }
  return e;
}

static void free_ends(Ends *ends)
{
  mem_free(ends->lost);
  mem_free(ends->end);
}

static uint32_t brief_length(const PathForest *forest, const Deviation *deviation, const Ends *ends)
{
  Beginning b = path_beginning(forest, deviation);
  return 1 + (b.start && !is_seed(b.start)) + (b.state != ends->end[deviation->root]);
}

static void fill_brief(const PathForest *forest, const Deviation *all, uint32_t id,
                       const Ends *ends, PathPoint *out)
{
  const Deviation *deviation = &all[id];
  uint32_t end = ends->end[deviation->root];
  Beginning b = path_beginning(forest, deviation);
  PathState first = forest->at.at[b.state];
  double credit = launch_credit(forest, deviation);
  PathPoint p = { .kind = LINK_START };
  if (b.start && !is_seed(b.start)) {
    *out++ = launch_point(forest, b.start, first.capture);
    p = (PathPoint){ .link = b.start->link, .kind = b.start->kind };
  }
  ForestView view = path_forest_view(forest);
  double lost =
      deviation_begin(&view, deviation) == FOREST_START ? deviation_loss(&view, deviation) : 0;
  *out++ = path_point(forest->scope, p, first, &(PathLeaving){ lost, false, 0, credit });
  if (b.state == end) return;
  p = (PathPoint){ .kind = LINK_WIRE, .link = forest->at.at[end].slot };
  *out = path_point(forest->scope, p, forest->at.at[end],
                    &(PathLeaving){ ends->lost[id], false, 0, credit });
}

/* --- all of them ------------------------------------------------------------------------------ */
typedef struct {
  PathForest *forest;
  const PathTree *tree;
  uint32_t from, count;
  bool     brief;
  uint32_t *counts;
  size_t   *first;
  PathPoint *points;
  Ends      ends;            /* in brief */
} Recovery;

static Status grow_traced(const Recovery *recovery)
{
  ForestView f = path_forest_view(recovery->forest);
  uint32_t *begins = mem_alloc(((size_t)recovery->count + 1) * sizeof *begins);
  for (uint32_t i = 0; i < recovery->count; i++)
    begins[i] =
        deviation_begin(&f, &recovery->tree->all.at[recovery->tree->order.at[recovery->from + i]]);
  Status status = path_forest_grow(recovery->forest, begins, recovery->count);
  mem_free(begins);
  return status;
}

static void trace_one(const Recovery *recovery, uint32_t i, bool fill, TraceRoom *room)
{
  const Deviation *all = recovery->tree->all.at;
  uint32_t id = recovery->tree->order.at[recovery->from + i];
  if (!fill)
    recovery->counts[i] = recovery->brief
                              ? brief_length(recovery->forest, &all[id], &recovery->ends)
                              : path_length(recovery->forest, all, id, room);
  else if (recovery->brief)
    fill_brief(recovery->forest, all, id, &recovery->ends, recovery->points + recovery->first[i]);
  else
    fill_points(recovery->forest, all, id, room, recovery->points + recovery->first[i],
                recovery->counts[i]);
}

typedef struct {
  const Recovery *recovery;
  bool fill;
} Traces;

static void trace_share(void *context, uint32_t step, uint32_t from, uint32_t to, int thread)
{
  const Traces *traces = context;
  TraceRoom room = { 0 };
  (void)step;
  (void)thread;
  for (uint32_t i = from; i < to && !interrupt_seen(); i++)
    trace_one(traces->recovery, i, traces->fill, &room);
  array_free(&room.way);
}

/* FAILED: interrupted. */
static Status trace_each(const Recovery *recovery, bool fill)
{
  Traces x = { recovery, fill };
  pool_items(recovery->count, 500, recovery->forest->threads, trace_share, &x);
  return interrupt_seen() ? FAILED : OK;
}

/* Into the memory, and into an array. */
static size_t points_that_fit(const TraceWish *wish, const PathList *list)
{
  size_t fit = wish->memory / sizeof *list->points.at, room = UINT32_MAX - list->points.len;
  return fit < room ? fit : room;
}

static Status fill_all(Recovery *recovery, size_t end, PathList *out)
{
  array_reserve(&out->points, end);
  out->points.len = (uint32_t)end;
  recovery->points = out->points.at;
  return trace_each(recovery, true);
}

Status path_trace(PathForest *forest, const TraceWish *wish, uint32_t *counts, PathList *out,
                  uint64_t *fit)
{
  uint32_t count = wish->to - wish->from;
  Recovery r = { forest,
                 wish->tree,
                 wish->from,
                 count,
                 wish->brief,
                 counts,
                 mem_alloc(((size_t)count + 1) * sizeof(size_t)),
                 NULL,
                 { NULL, NULL } };
  Status status = grow_traced(&r);
  if (status == OK && wish->brief) r.ends = find_ends(forest, wish->tree);
  if (status == OK) status = trace_each(&r, false);
  size_t end = out->points.len;
  for (uint32_t i = 0; status == OK && i < r.count; i++) {
    r.first[i] = end;
    end += counts[i];
  }
  if (end - out->points.len > points_that_fit(wish, out)) {
    *fit = (uint64_t)((double)count * (double)points_that_fit(wish, out)
                      / (double)(end - out->points.len));
    status = FAILED;
  }
  if (status == OK) status = fill_all(&r, end, out);
  mem_free(r.first);
  free_ends(&r.ends);
  return status;
}
