/* Records of paths become points (math/deviation.h): first how long each is, then all at once, each
   in its own room. */
#include "base/interrupt.h"
#include "base/pool.h"
#include "paths/path_private.h"

/* A path on its way back from its end. */
typedef struct {
  const PathForest *f;
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

static Trace trace_begin(const PathForest *f, const Deviation *all, uint32_t id, TraceRoom *room)
{
  ForestView view = path_forest_view(f);
  double lost = 0;
  array_clear(&room->way);
  for (; all[id].parent != NO_DEVIATION; id = all[id].parent) array_push(&room->way, id);
  for (uint32_t i = room->way.len; i-- > 0;) lost += deviation_loss(&view, &all[room->way.at[i]]);
  return (Trace){ f, all, room->way.at, room->way.len, all[id].state, 0, lost };
}

/* Goes one link back.  Returns false if there is none. */
static bool trace_back(Trace *t)
{
  ForestState s = t->f->states.at[t->state];
  uint32_t link = 0;
  if (s.count == 0) return false;
  if (t->left && t->all[t->way[t->left - 1]].state == t->state) {
    const Deviation *d = &t->all[t->way[--t->left]];
    link = d->link;
    t->lost = t->left ? t->lost - (double)t->f->ways.links.at[s.first + link].loss : 0;
  }
  t->link = s.first + link;
  t->state = t->f->ways.links.at[t->link].from;
  return true;
}

/* --- length ----------------------------------------------------------------------------------- */
static bool is_seed(const Fanin *start) { return start->slot == NO_SLOT; }

/* Goes from end to start in stretches.  Each stretch follows the best links from the start of a
   deviation to the state where the next deviation leaves. */
static uint32_t path_length(const PathForest *f, const Deviation *all, uint32_t id, TraceRoom *room)
{
  Trace t = trace_begin(f, all, id, room);
  uint32_t n = 0, state = t.state, link = 0;
  while (t.left) {
    const Deviation *d = &all[t.way[--t.left]];
    n += f->reach.at[state].points - f->reach.at[d->state].points + 1;
    link = f->states.at[d->state].first + d->link;
    state = f->ways.links.at[link].from;
  }
  return n
         + (state == FOREST_START ? !is_seed(&f->ways.starts.at[f->ways.how.at[link].link])
                                  : f->reach.at[state].points);
}

/* --- points ----------------------------------------------------------------------------------- */
/* How a path begins. */
typedef struct {
  uint32_t state;            /* the last one on its way back */
  const Fanin *start;        /* NULL: nothing is known to come before */
} Beginning;

static Beginning path_beginning(const PathForest *f, const Deviation *d)
{
  ForestView view = path_forest_view(f);
  uint32_t state = deviation_begin(&view, d), link = d->link;
  if (state == FOREST_START) state = d->state;
  else {
    state = f->reach.at[state].begin;
    link = 0;
  }
  ForestState s = f->states.at[state];
  return (Beginning){ state,
                      s.count ? &f->ways.starts.at[f->ways.how.at[s.first + link].link] : NULL };
}

/* Credit of what launches the path: arrivals of states are without it. */
static double launch_credit(const PathForest *f, const Deviation *d)
{
  Beginning b = path_beginning(f, d);
  PathState at = f->at.at[b.state];
  return at.capture && b.start ? path_scope_credit(f->scope, b.start->leaf, at) : 0;
}

/* The point at which a start launches a state. */
static PathPoint launch_point(const PathForest *f, const Fanin *start, uint32_t capture)
{
  PathState at = { start->slot, start->node, start->edge, 0, capture };
  return path_point(f->scope, (PathPoint){ .kind = LINK_START }, at,
                    &(PathLeaving){ 0, true, start->start, 0 });
}

/* Fills the room of a path from its end on.  A point's arrival is its state's less what links
   before it lose. */
static void fill_points(const PathForest *f, const Deviation *all, uint32_t id, TraceRoom *room,
                        PathPoint *out, uint32_t count)
{
  double credit = launch_credit(f, &all[id]);
  Trace t = trace_begin(f, all, id, room);
  for (uint32_t i = count; i-- > 0;) {
    PathState at = f->at.at[t.state];
    PathPoint p = { .kind = LINK_START };
    double lost = t.lost;
    const Fanin *start = NULL;
    if (trace_back(&t)) {
      p = (PathPoint){ .link = f->ways.how.at[t.link].link, .kind = f->ways.how.at[t.link].kind };
      if (t.state == FOREST_START) start = &f->ways.starts.at[p.link];
    }
    if (start)
      p = is_seed(start) ? (PathPoint){ .kind = LINK_START }
                         : (PathPoint){ .link = start->link, .kind = start->kind };
    out[i] = path_point(f->scope, p, at, &(PathLeaving){ lost, false, 0, credit });
    if (start == NULL || is_seed(start)) continue;
    out[--i] = launch_point(f, start, at.capture);
  }
}

/* --- in brief --------------------------------------------------------------------------------- */
/* Data for the ends of paths.  Without it, each path would look it up along its parents. */
typedef struct {
  double   *lost;            /* by record, by all its deviations: summed as in a trace */
  uint32_t *end;             /* by root: its state */
} Ends;

/* Parents come before their children. */
static Ends find_ends(const PathForest *f, const PathTree *tree)
{
  ForestView view = path_forest_view(f);
  uint32_t roots = 0;
  for (uint32_t i = 0; i < tree->all.len; i++)
    if (tree->all.at[i].root >= roots) roots = tree->all.at[i].root + 1;
  Ends e = { mem_alloc(((size_t)tree->all.len + 1) * sizeof *e.lost),
             mem_alloc(((size_t)roots + 1) * sizeof *e.end) };
  for (uint32_t i = 0; i < tree->all.len; i++) {
    const Deviation *d = &tree->all.at[i];
    bool root = d->parent == NO_DEVIATION;
    e.lost[i] = root ? 0 : e.lost[d->parent] + deviation_loss(&view, d);
    if (root) e.end[d->root] = d->state;
  }
  return e;
}

static void free_ends(Ends *e)
{
  mem_free(e->lost);
  mem_free(e->end);
}

static uint32_t brief_length(const PathForest *f, const Deviation *d, const Ends *e)
{
  Beginning b = path_beginning(f, d);
  return 1 + (b.start && !is_seed(b.start)) + (b.state != e->end[d->root]);
}

static void fill_brief(const PathForest *f, const Deviation *all, uint32_t id, const Ends *e,
                       PathPoint *out)
{
  const Deviation *d = &all[id];
  uint32_t end = e->end[d->root];
  Beginning b = path_beginning(f, d);
  PathState first = f->at.at[b.state];
  double credit = launch_credit(f, d);
  PathPoint p = { .kind = LINK_START };
  if (b.start && !is_seed(b.start)) {
    *out++ = launch_point(f, b.start, first.capture);
    p = (PathPoint){ .link = b.start->link, .kind = b.start->kind };
  }
  ForestView view = path_forest_view(f);
  double lost = deviation_begin(&view, d) == FOREST_START ? deviation_loss(&view, d) : 0;
  *out++ = path_point(f->scope, p, first, &(PathLeaving){ lost, false, 0, credit });
  if (b.state == end) return;
  p = (PathPoint){ .kind = LINK_WIRE, .link = f->at.at[end].slot };
  *out = path_point(f->scope, p, f->at.at[end], &(PathLeaving){ e->lost[id], false, 0, credit });
}

/* --- all of them ------------------------------------------------------------------------------ */
typedef struct {
  PathForest *f;
  const PathTree *tree;
  uint32_t from, count;
  bool     brief;
  uint32_t *counts;
  size_t   *first;
  PathPoint *points;
  Ends      ends;            /* in brief */
} Recovery;

static Status grow_traced(const Recovery *r)
{
  ForestView f = path_forest_view(r->f);
  uint32_t *begins = mem_alloc(((size_t)r->count + 1) * sizeof *begins);
  for (uint32_t i = 0; i < r->count; i++)
    begins[i] = deviation_begin(&f, &r->tree->all.at[r->tree->order.at[r->from + i]]);
  Status status = path_forest_grow(r->f, begins, r->count);
  mem_free(begins);
  return status;
}

static void trace_one(const Recovery *r, uint32_t i, bool fill, TraceRoom *room)
{
  const Deviation *all = r->tree->all.at;
  uint32_t id = r->tree->order.at[r->from + i];
  if (!fill)
    r->counts[i] =
        r->brief ? brief_length(r->f, &all[id], &r->ends) : path_length(r->f, all, id, room);
  else if (r->brief) fill_brief(r->f, all, id, &r->ends, r->points + r->first[i]);
  else fill_points(r->f, all, id, room, r->points + r->first[i], r->counts[i]);
}

typedef struct {
  const Recovery *r;
  bool fill;
} Traces;

static void trace_share(void *context, uint32_t step, uint32_t from, uint32_t to, int thread)
{
  const Traces *x = context;
  TraceRoom room = { 0 };
  (void)step;
  (void)thread;
  for (uint32_t i = from; i < to && !interrupt_seen(); i++) trace_one(x->r, i, x->fill, &room);
  array_free(&room.way);
}

/* FAILED: interrupted. */
static Status trace_each(const Recovery *r, bool fill)
{
  Traces x = { r, fill };
  pool_items(r->count, 500, r->f->threads, trace_share, &x);
  return interrupt_seen() ? FAILED : OK;
}

/* Into the memory, and into an array. */
static size_t points_that_fit(const TraceWish *w, const PathList *l)
{
  size_t fit = w->memory / sizeof *l->points.at, room = UINT32_MAX - l->points.len;
  return fit < room ? fit : room;
}

static Status fill_all(Recovery *r, size_t end, PathList *out)
{
  array_reserve(&out->points, end);
  out->points.len = (uint32_t)end;
  r->points = out->points.at;
  return trace_each(r, true);
}

Status path_trace(PathForest *f, const TraceWish *w, uint32_t *counts, PathList *out, uint64_t *fit)
{
  uint32_t count = w->to - w->from;
  Recovery r = { f,
                 w->tree,
                 w->from,
                 count,
                 w->brief,
                 counts,
                 mem_alloc(((size_t)count + 1) * sizeof(size_t)),
                 NULL,
                 { NULL, NULL } };
  Status status = grow_traced(&r);
  if (status == OK && w->brief) r.ends = find_ends(f, w->tree);
  if (status == OK) status = trace_each(&r, false);
  size_t end = out->points.len;
  for (uint32_t i = 0; status == OK && i < r.count; i++) {
    r.first[i] = end;
    end += counts[i];
  }
  if (end - out->points.len > points_that_fit(w, out)) {
    *fit = (uint64_t)((double)count * (double)points_that_fit(w, out)
                      / (double)(end - out->points.len));
    status = FAILED;
  }
  if (status == OK) status = fill_all(&r, end, out);
  mem_free(r.first);
  free_ends(&r.ends);
  return status;
}
