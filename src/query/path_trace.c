/* Records of paths become points (math/deviation.h): first how long each is, then all at once, each in its own room. */
#include "base/threads.h"
#include "query/path_private.h"

/* A path on its way back from its end. */
typedef struct {
  const PathForest *f;
  const Deviation *all;
  uint32_t *way;             /* the path's deviations, the last one (from its end) first */
  uint32_t left;             /* of these, not yet met */
  uint32_t state;            /* where it is; FOREST_START: link began it */
  uint32_t link;             /* how it came on from there */
  double   slack;            /* of the best path that ends like what has been seen */
} Trace;

typedef struct {
  ARRAY(uint32_t) way;
} TraceRoom;

static Trace trace_begin(const PathForest *f, const Deviation *all, uint32_t id, TraceRoom *room)
{
  array_clear(&room->way);
  for (; all[id].parent != NO_DEVIATION; id = all[id].parent) array_push(&room->way, id);
  return (Trace){ f, all, room->way.at, room->way.len, all[id].state, 0, all[id].slack };
}

/* Goes one link back; false where there is none. */
static bool trace_back(Trace *t)
{
  ForestState s = t->f->states.at[t->state];
  uint32_t link = 0;
  if (s.count == 0) return false;
  if (t->left && t->all[t->way[t->left - 1]].state == t->state) {
    const Deviation *d = &t->all[t->way[--t->left]];
    link = d->link;
    t->slack = d->slack;
  }
  t->link = s.first + link;
  t->state = t->f->links.at[t->link].from;
  return true;
}

/* --- length ------------------------------------------------------------------------------------------------------ */
static bool launches(const PathForest *f, uint32_t link)
{
  return f->links.at[link].from == FOREST_START && f->starts.at[f->how.at[link].link].slot != NO_SLOT;
}

static uint32_t path_length(const PathForest *f, const Deviation *all, uint32_t id, TraceRoom *room)
{
  Trace t = trace_begin(f, all, id, room);
  uint32_t n = 1;
  while (trace_back(&t)) {
    if (t.state == FOREST_START) return n + launches(f, t.link);
    n++;
  }
  return n;
}

/* --- points ---------------------------------------------------------------------------------------------------------- */
/* Credit of what launches the path: arrivals of states are without it. */
static double launch_credit(const PathForest *f, const Deviation *all, uint32_t id, TraceRoom *room)
{
  Trace t = trace_begin(f, all, id, room);
  PathState at = f->at.at[t.state];
  if (at.capture == 0) return 0;
  while (t.state != FOREST_START) {
    at = f->at.at[t.state];
    if (!trace_back(&t)) return 0;
  }
  return path_scope_credit(f->scope, f->starts.at[f->how.at[t.link].link].leaf, at);
}

static bool is_seed(const Fanin *start) { return start->slot == NO_SLOT; }

/* Fills the room of a path from its end on.  A point's arrival is its state's less what links before it lose. */
static void fill_points(const PathForest *f, const Deviation *all, uint32_t id, TraceRoom *room, PathPoint *out, uint32_t count)
{
  double credit = launch_credit(f, all, id, room), total = all[id].slack;
  Trace t = trace_begin(f, all, id, room);
  for (uint32_t i = count; i-- > 0;) {
    PathState at = f->at.at[t.state];
    PathPoint p = { .kind = LINK_START };
    double lost = total - t.slack;
    const Fanin *start = NULL;
    if (trace_back(&t)) {
      p = (PathPoint){ .link = f->how.at[t.link].link, .kind = f->how.at[t.link].kind };
      if (t.state == FOREST_START) start = &f->starts.at[p.link];
    }
    if (start) p = is_seed(start) ? (PathPoint){ .kind = LINK_START } : (PathPoint){ .link = start->link, .kind = start->kind };
    out[i] = path_point(f->scope, p, at, &(PathLeaving){ lost, false, 0, credit });
    if (start == NULL || is_seed(start)) continue;
    at = (PathState){ start->slot, start->node, start->edge, 0, at.capture };
    out[--i] = path_point(f->scope, (PathPoint){ .kind = LINK_START }, at, &(PathLeaving){ 0, true, start->start, 0 });
  }
}

typedef struct {
  PathForest *f;
  const PathTree *tree;
  uint32_t from, count;
  uint32_t *counts;
  size_t   *first;
  PathPoint *points;
} Recovery;

static void grow_traced(const Recovery *r)
{
  ForestView f = path_forest_view(r->f);
  uint32_t *begins = mem_alloc(((size_t)r->count + 1) * sizeof *begins);
  for (uint32_t i = 0; i < r->count; i++) begins[i] = deviation_begin(&f, &r->tree->all.at[r->tree->order.at[r->from + i]]);
  path_forest_grow(r->f, begins, r->count);
  mem_free(begins);
}

static void trace_each(const Recovery *r, bool fill)
{
  int threads = r->count < 64 ? 1 : r->f->threads;
  #pragma omp parallel num_threads(threads) if (threads > 1)
  {
    TraceRoom room = { 0 };
    #pragma omp for schedule(dynamic, 64)
    for (uint32_t i = 0; i < r->count; i++) {
      uint32_t id = r->tree->order.at[r->from + i];
      if (!fill) r->counts[i] = path_length(r->f, r->tree->all.at, id, &room);
      else fill_points(r->f, r->tree->all.at, id, &room, r->points + r->first[i], r->counts[i]);
    }
    array_free(&room.way);
  }
}

void path_trace(PathForest *f, const PathTree *tree, uint32_t from, uint32_t to, uint32_t *counts, PathList *out)
{
  Recovery r = { f, tree, from, to - from, counts, mem_alloc(((size_t)(to - from) + 1) * sizeof(size_t)), NULL };
  grow_traced(&r);
  trace_each(&r, false);
  size_t end = out->points.len;
  for (uint32_t i = 0; i < r.count; i++) {
    r.first[i] = end;
    end += counts[i];
  }
  array_reserve(&out->points, end);
  out->points.len = (uint32_t)end;
  r.points = out->points.at;
  trace_each(&r, true);
  mem_free(r.first);
}
