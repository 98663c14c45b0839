/* Ends, their order, and the paths of each. */
#include "query/path.h"

#include <math.h>

#include "base/clock.h"
#include "base/interrupt.h"
#include "engine/common.h"
#include "engine/cpu.h"
#include "query/path_private.h"
#include "query/slack.h"

/* An end point in one path group, with its worst root. */
typedef struct {
  PathRoot  root;
  PathGroup group;
  PinId     pin;
  bool      unconstrained;
} End;
typedef ARRAY(End) Ends;
typedef ARRAY(PathRoot) Roots;

typedef struct {
  const Timing *t;
  const PathQuery *q;
  PathScope *scope;
  Ends ends;
  PathForest *forest;       /* of the host's searches */
  bool owns_forest;
  PathEffort told;
  size_t memory;            /* bytes that may be used */
  Log *log;
  PathList found;           /* unique paths of the pool of ends at work: at most twice as many as are wanted */
  double   worth;           /* paths with more slack than this are not among those wanted */
} Query;

/* --- roots of a slot ---------------------------------------------------------------------------------------- */
static PathState free_state(const Query *x, Slot slot, NodeId node, int edge)
{
  return (PathState){ slot, node, (uint8_t)edge, (uint8_t)path_scope_final(x->scope), 0 };
}

static bool is_clock_row(const Query *x, const Row *r) { return graph_node_is_clock(x->t->g, r->slot, r->data); }

/* Of a clock that ends as data: credit of the place where it ends. */
static float clock_credit(const Query *x, RowId id, int edge)
{
  const Row *r = &x->t->g->rows.at[id];
  if (!common_active(x->t) || !is_clock_row(x, r)) return 0;
  return common_leaf_credit(x->t, common_leaf(x->t, r->slot, r->data), cpu_row_leaf(x->t, r, edge));
}

/* A latch's worst arrival among the paths in scope, and what is required of it. */
typedef struct {
  LatchTimes due;
  float arrival, required;
} LatchEnd;

static LatchEnd latch_end(const Query *x, RowId id, PathState end)
{
  const Row *r = &x->t->g->rows.at[id];
  LatchEnd e = { cpu_latch_times(x->t, r, end.edge), path_scope_arrival(x->scope, end) - clock_credit(x, id, end.edge), 0 };
  uint32_t capture = is_clock_row(x, r) ? cpu_row_leaf(x->t, r, end.edge) : end.capture;
  e.required = path_latch_required(x->t, r, end.edge, capture, e.arrival);
  return e;
}

/* Slack of a row for an edge of its data among the paths in scope; INFINITY when there is none. */
static double row_slack(const Query *x, RowId id, int edge, PathState end)
{
  if (x->q->through.len == 0 && path_scope_final(x->scope) == 0) {
    float slack = x->t->row_slack[id].v[edge];
    return slack < 1e29f ? slack : INFINITY;
  }
  bool has;
  const Row *r = &x->t->g->rows.at[id];
  float arrival = path_scope_arrival(x->scope, end), required = cpu_row_required(x->t, id, edge, &has);
  if (!has || time_absent(arrival)) return INFINITY;
  if (r->type == ROW_LATCH_SETUP) {
    LatchEnd e = latch_end(x, id, end);
    return e.required - e.arrival;
  }
  float slack = x->q->early_late == LATE ? required - arrival : arrival - required;
  return slack + clock_credit(x, id, edge);
}

/* Data of a latch borrows from its opening on: until the limit if it is late for that, until its own arrival else. */
static double row_play(const Query *x, RowId id, const PathState *end, double slack)
{
  const Row *r = &x->t->g->rows.at[id];
  if (r->type != ROW_LATCH_SETUP) return 0;
  LatchEnd e = latch_end(x, id, *end);
  double until = slack < 0 ? e.due.limit : e.arrival > e.due.open ? e.arrival : e.due.open;
  return until - e.due.open;
}

static bool group_wanted(const Query *x, PathGroup group) { return x->q->wants_group == NULL || x->q->wants_group(x->q->data, group); }

typedef void (*VisitRoot)(Query *x, void *data, const PathRoot *root, PathGroup group);

static void each_row_root(Query *x, Slot slot, VisitRoot visit, void *data)
{
  const Graph *g = x->t->g;
  for (RowId r = g->slot_first_row[slot]; r < g->slot_first_row[slot + 1]; r++)
    for (int edge = RISE; edge <= FALL; edge++) {
      if (!path_scope_row(x->scope, r, edge)) continue;
      PathState end = path_scope_end(x->scope, r, edge);
      double slack = row_slack(x, r, edge, end);
      if (isinf(slack) || slack > x->q->slack_max) continue;
      PathGroup group = row_group(g, &g->rows.at[r]);
      if (group_wanted(x, group)) visit(x, data, &(PathRoot){ end, r, slack, row_play(x, r, &end, slack) }, group);
    }
}

/* Unconstrained ends stand in the order of their absolute arrivals, the latest (or for early ones earliest) first. */
static void each_free_root(Query *x, Slot slot, VisitRoot visit, void *data)
{
  const Graph *g = x->t->g;
  PathGroup group = path_group(GROUP_UNCONSTRAINED, 0);
  if (!group_wanted(x, group)) return;
  for (NodeId n = g->node_first[slot]; n < g->node_first[slot + 1]; n++)
    for (int edge = RISE; edge <= FALL && !query_node_is_hidden(x->t, slot, n); edge++) {
      PathState end = free_state(x, slot, n, edge);
      float arrival = path_scope_arrival(x->scope, end);
      if (time_absent(arrival) || !path_scope_free_end(x->scope, slot, n, edge)) continue;
      double at = query_tag_time(x->t, query_node_tag(x->t, slot, n)) + arrival;
      visit(x, data, &(PathRoot){ end, NO_ROW, x->q->early_late == LATE ? -at : at, 0 }, group);
    }
}

static void each_root(Query *x, Slot slot, VisitRoot visit, void *data)
{
  each_row_root(x, slot, visit, data);
  if (x->q->unconstrained) each_free_root(x, slot, visit, data);
}

/* --- ends ----------------------------------------------------------------------------------------------------- */
/* data: where the ends of the slot begin. */
static void add_to_ends(Query *x, void *data, const PathRoot *root, PathGroup group)
{
  uint32_t first = *(uint32_t *)data;
  for (uint32_t i = first; i < x->ends.len; i++) {
    End *e = &x->ends.at[i];
    if (e->group != group) continue;
    if (root->slack < e->root.slack) e->root = *root;
    return;
  }
  array_push(&x->ends, (End){ *root, group, x->t->g->slot_pin[root->end.slot], root->row == NO_ROW });
}

static int compare_doubles(double a, double b) { return a < b ? -1 : a > b; }

static int by_slack(const void *pa, const void *pb)
{
  const End *a = pa, *b = pb;
  if (a->unconstrained != b->unconstrained) return a->unconstrained ? 1 : -1;
  if (a->root.slack != b->root.slack) return compare_doubles(a->root.slack, b->root.slack);
  if (a->pin != b->pin) return a->pin < b->pin ? -1 : 1;
  return a->group < b->group ? -1 : a->group > b->group;
}

static int by_group(const void *pa, const void *pb)
{
  const End *a = pa, *b = pb;
  if (a->group != b->group) return a->group < b->group ? -1 : 1;
  return by_slack(pa, pb);
}

static void find_ends(Query *x, bool grouped)
{
  const Graph *g = x->t->g;
  uint32_t slots = path_scope_slots(x->scope);
  for (uint32_t i = 0; i < slots; i++) {
    Slot slot = path_scope_slot(x->scope, i);
    if (g->slot_first_row[slot + 1] == g->slot_first_row[slot] && !x->q->unconstrained) continue;
    uint32_t first = x->ends.len;
    each_root(x, slot, add_to_ends, &first);
  }
  if (x->ends.len) qsort(x->ends.at, x->ends.len, sizeof *x->ends.at, grouped ? by_group : by_slack);
}

/* --- paths of an end ---------------------------------------------------------------------------------------------- */
typedef struct {
  Roots     roots;
  PathGroup group;
} EndRoots;

/* Rows that compare the same arrival with the same clock edge (checks under several conditions) are one: the worst. */
static void add_to_roots(Query *x, void *data, const PathRoot *root, PathGroup group)
{
  EndRoots *e = data;
  const Row *rows = x->t->g->rows.at;
  if (group != e->group) return;
  for (uint32_t i = 0; i < e->roots.len; i++) {
    PathRoot *have = &e->roots.at[i];
    if (have->end.node != root->end.node || have->end.edge != root->end.edge || (have->row == NO_ROW) != (root->row == NO_ROW)) continue;
    if (root->row != NO_ROW && (rows[have->row].capture_clock != rows[root->row].capture_clock || rows[have->row].type != rows[root->row].type))
      continue;
    if (root->slack < have->slack) *have = *root;
    return;
  }
  array_push(&e->roots, *root);
}

/* Closes a path whose points were just added. */
static void add_path(const Query *x, PathList *l, const PathRoot *root, PathGroup group, uint32_t first, double slack)
{
  array_push(&l->paths, (Path){ .row = root->row, .group = group, .early_late = (uint8_t)x->q->early_late,
    .slack = root->row == NO_ROW ? INFINITY : slack, .arrival = l->points.at[l->points.len - 1].arrival,
    .first = first, .count = l->points.len - first });
}

static bool slack_wanted(const Query *x, const PathRoot *root, double slack)
{
  return root->row == NO_ROW || !(slack < x->q->slack_min);
}

/* --- the worst paths of some ends ------------------------------------------------------------------------------------ */
/* Roots of ends, and which end and group each is of. */
typedef struct {
  Roots roots;
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

static void gather_roots(Query *x, uint32_t from, uint32_t to, RootList *l)
{
  EndRoots r = { { 0 }, 0 };
  for (uint32_t i = from; i < to; i++) {
    const End *e = &x->ends.at[i];
    array_clear(&r.roots);
    r.group = e->group;
    if (x->q->worst == 1 && slack_wanted(x, &e->root, e->root.slack)) array_push(&r.roots, e->root);
    if (x->q->worst > 1) each_root(x, e->root.end.slot, add_to_roots, &r);
    for (uint32_t k = 0; k < r.roots.len; k++) {
      array_push(&l->roots, r.roots.at[k]);
      array_push(&l->end, i - from);
      array_push(&l->group, e->group);
    }
  }
  array_free(&r.roots);
}

static Status give_paths(Query *x, const PathAnswer *a, const RootList *l, bool brief, PathList *out)
{
  const PathTree *tree = a->tree;
  double since = clock_seconds();
  uint32_t n = tree->order.len, *counts = mem_alloc(((size_t)n + 1) * sizeof *counts), first = out->points.len;
  if (path_trace(a->forest, &(TraceWish){ tree, 0, n, brief, x->memory }, counts, out, &x->told.fit) != OK) {
    mem_free(counts);
    return FAILED;
  }
  array_reserve(&out->paths, (uint64_t)out->paths.len + n);
  for (uint32_t i = 0; i < n; i++) {
    const Deviation *d = &tree->all.at[tree->order.at[i]];
    const PathRoot *root = &l->roots.at[d->root];
    array_push(&out->paths, (Path){ .row = root->row, .group = l->group.at[d->root], .early_late = (uint8_t)x->q->early_late,
      .slack = root->row == NO_ROW ? INFINITY : d->slack, .arrival = out->points.at[first + counts[i] - 1].arrival,
      .first = first, .count = counts[i] });
    first += counts[i];
  }
  mem_free(counts);
  x->told.trace += clock_seconds() - since;
  return OK;
}

/* The forest of a scope that nothing limits serves later queries as well, but for credit, which makes one for each capture. */
static PathForest *host_forest(Query *x)
{
  if (x->forest) return x->forest;
  bool shared = !path_scope_limited(x->scope) && !common_active(x->t);
  x->owns_forest = !shared;
  return x->forest = shared ? path_cached_forest(x->t, x->q->early_late) : path_forest_new(x->scope, x->t->threads);
}

static Status search(Query *x, const PathPlan *plan, PathAnswer *a)
{
  if (path_device_wanted(x->t, plan) && path_device_search(x->t, x->scope, plan, a, x->log)) return OK;
  if (a->owned) path_forest_free(a->forest);
  double since = clock_seconds();
  a->owned = false;
  a->forest = host_forest(x);
  Status status = path_rounds(a->forest, plan, &x->told, a->tree);
  x->told.search += clock_seconds() - since;
  return status;
}

/* --- one path of each end: few, or under credit, share hardly a way back, so each is walked for itself ------------------ */
enum { LONG_WAY = 64 };             /* nodes of a path, roughly */

/* Of a path whose points from `first` on were just added. */
static void shorten(const Graph *g, PathList *l, uint32_t first)
{
  uint32_t count = l->points.len - first;
  const PathPoint *second = &l->points.at[first + 1];
  bool launched = count > 1 && second->kind == LINK_ARC && (path_arc_launches(g, second->link) || g->arc_flags[second->link] & ARC_LATCH);
  uint32_t kept = 1 + launched;
  if (count <= kept) return;
  l->points.at[first + kept] = l->points.at[l->points.len - 1];
  l->points.len = first + kept + 1;
}

/* Of paths from a number on, whose points are the last. */
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

static void walk_share(const Query *x, const RootList *l, uint32_t from, uint32_t to, PathList *out)
{
  PathWalks room = { 0 };
  for (uint32_t some; from < to && !interrupt_seen(); from += some) {
    const PathRoot *roots = &l->roots.at[from];
    some = to - from < PATH_WALKS ? to - from : PATH_WALKS;
    path_walk_together(x->scope, roots, some, &room);
    for (uint32_t i = 0; i < some; i++) {
      uint32_t first = out->points.len;
      path_walk_points(&room.walks[i], out);
      if (x->q->brief) shorten(x->t->g, out, first);
      add_path(x, out, &roots[i], l->group.at[from + i], first, roots[i].slack);
    }
  }
  path_walks_free(&room);
}

static void append_list(PathList *out, PathList *l)
{
  uint32_t first = out->points.len, paths = out->paths.len;
  array_reserve(&out->points, (uint64_t)first + l->points.len);
  array_reserve(&out->paths, (uint64_t)paths + l->paths.len);
  if (l->points.len) memcpy(out->points.at + first, l->points.at, l->points.len * sizeof *l->points.at);
  out->points.len += l->points.len;
  for (uint32_t i = 0; i < l->paths.len; i++) {
    array_push(&out->paths, l->paths.at[i]);
    out->paths.at[paths + i].first += first;
  }
  path_list_free(l);
}

enum { LEAST_WALKED = 64 };         /* roots that are worth a team of threads */

static Status walk_roots(Query *x, const RootList *l, const PathPlan *plan, PathList *out)
{
  uint32_t count = 0;
  double since = clock_seconds();
  while (count < l->roots.len && count < plan->most && l->roots.at[count].slack <= plan->greatest) count++;
  int threads = count < LEAST_WALKED || x->t->threads < 1 ? 1 : x->t->threads;
  PathList *shares = mem_alloc_zero((size_t)threads, sizeof *shares);    /* but the first, which goes where all go */
  #pragma omp parallel for num_threads(threads) schedule(static, 1) if (threads > 1)
  for (int i = 0; i < threads; i++)
    walk_share(x, l, (uint32_t)((uint64_t)count * (uint64_t)i / (uint64_t)threads),
               (uint32_t)((uint64_t)count * (uint64_t)(i + 1) / (uint64_t)threads), i ? &shares[i] : out);
  for (int i = 1; i < threads; i++) append_list(out, &shares[i]);
  mem_free(shares);
  x->told.search += clock_seconds() - since;
  return interrupt_seen() ? FAILED : OK;
}

/* --- the search ------------------------------------------------------------------------------------------------------------- */
/* Late roots of latches whose edges have credits of their own; those of the opening edge stay in their place. */
static RootList part_roots(const Query *x, RootList *l)
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

/* What a plan without roots says, of some; of_end: to which end each path belongs; NULL. */
static Status search_roots(Query *x, const RootList *l, PathPlan plan, bool brief, PathList *out, uint32_t **of_end)
{
  PathTree tree = { { 0 }, { 0 } };
  PathAnswer answer = { &tree, &x->told, NULL, false };
  double *plays = gather_plays(l);
  plan.roots = l->roots.at;
  plan.root_end = l->end.at;
  plan.count = l->roots.len;
  plan.plays = plays;
  Status status = search(x, &plan, &answer);
  if (status == OK) status = give_paths(x, &answer, l, brief, out);
  if (status == OK && of_end) {
    *of_end = mem_alloc(((size_t)tree.order.len + 1) * sizeof **of_end);
    for (uint32_t i = 0; i < tree.order.len; i++) (*of_end)[i] = l->end.at[tree.all.at[tree.order.at[i]].root];
  }
  if (answer.owned) path_forest_free(answer.forest);
  path_tree_free(&tree);
  mem_free(plays);
  return status;
}

#define LEAST_LATE nextafter(0, -INFINITY)      /* the greatest slack of what is late */

static uint32_t sum_of(uint32_t a, uint32_t b) { return a > UINT32_MAX - b ? UINT32_MAX : a + b; }

/* Paths under the least slack that is asked for take places as well: both lists have them. */
static Status search_both(Query *x, const RootList *late, const RootList *all, const PathPlan *plan, PathList *out)
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

static Status search_ends(Query *x, RootList *l, const PathPlan *plan, PathList *out)
{
  RootList late = part_roots(x, l);
  Status status = late.roots.len ? search_both(x, &late, l, plan, out) : search_roots(x, l, *plan, x->q->brief, out, NULL);
  root_list_free(&late);
  return status;
}

/* Of ends [from, to), all constrained or none, which stand in order of slack. */
static Status worst_of_ends(Query *x, uint32_t from, uint32_t to, uint32_t most, PathList *out)
{
  bool free = from < to && x->ends.at[from].unconstrained, least = !free && !isnan(x->q->slack_min);
  if (!least && to - from > most) to = from + most;      /* each brings a path at least */
  RootList l = { { 0 }, { 0 }, { 0 } };
  gather_roots(x, from, to, &l);
  PathPlan plan = { l.roots.at, l.end.at, l.roots.len, to - from, most, x->q->worst, MOST_DEVIATIONS, -INFINITY, INFINITY, x->memory, NULL };
  if (x->q->deviations) plan.deviations = x->q->deviations;
  if (x->q->worst == 1) plan.deviations = 0;
  if (least) plan.least = x->q->slack_min;
  if (!free && !isnan(x->q->slack_max)) plan.greatest = x->q->slack_max;
  bool each = plan.deviations == 0 && (common_active(x->t) || (uint64_t)l.roots.len * LONG_WAY < x->t->g->node_count);
  Status status = each ? walk_roots(x, &l, &plan, out) : search_ends(x, &l, &plan, out);
  root_list_free(&l);
  return status;
}

/* --- unique paths of an end ------------------------------------------------------------------------------------------- */
typedef struct {
  Path     path;
  uint32_t order;
} Ordered;

/* Unconstrained paths have no slack; they were found in order. */
static int by_path_slack(const void *pa, const void *pb)
{
  const Ordered *a = pa, *b = pb;
  if (a->path.slack != b->path.slack) return compare_doubles(a->path.slack, b->path.slack);
  return a->order < b->order ? -1 : a->order > b->order;
}

static bool in_order(const Path *paths, uint32_t count)
{
  for (uint32_t i = 1; i < count; i++)
    if (paths[i].slack < paths[i - 1].slack) return false;
  return true;
}

/* Paths from `first` on in order of slack, at most `most` of them. */
static void order_paths(PathList *l, uint32_t first, uint32_t most)
{
  uint32_t count = l->paths.len - first;
  if (in_order(l->paths.at + first, count)) {
    if (count > most) l->paths.len = first + most;
    return;
  }
  Ordered *o = mem_alloc(sizeof *o * ((size_t)count + 1));
  for (uint32_t i = 0; i < count; i++) o[i] = (Ordered){ l->paths.at[first + i], i };
  if (count) qsort(o, count, sizeof *o, by_path_slack);
  if (count > most) l->paths.len = first + (count = most);
  for (uint32_t i = 0; i < count; i++) l->paths.at[first + i] = o[i].path;
  mem_free(o);
}

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

/* What a plan says, but for paths that the end has from `late` on already. */
static void unique_paths(Query *x, const PathSearchPlan *plan, PathGroup group, uint32_t late)
{
  uint32_t late_end = x->found.paths.len;
  PathSearch *s = path_search_new(x->scope, plan);
  for (uint32_t taken = 0; taken < plan->most; taken++) {
    double slack = path_search_peek(s);
    if (isinf(slack) || interrupt_seen()) break;
    uint32_t root, first = x->found.points.len;
    path_search_take(s, &x->found, &root);
    add_path(x, &x->found, &plan->roots[root], group, first, slack);
    if (is_again(&x->found, late, late_end)) drop_last(&x->found);
  }
  path_search_free(s);
}

/* Those that are not wanted took places. */
static void keep_wanted(Query *x, uint32_t from)
{
  uint32_t kept = from;
  for (uint32_t i = from; i < x->found.paths.len; i++) {
    const Path *p = &x->found.paths.at[i];
    if (p->row == NO_ROW || !(p->slack < x->q->slack_min)) x->found.paths.at[kept++] = *p;
  }
  x->found.paths.len = kept;
}

static void paths_of_end(Query *x, const End *e, uint32_t most)
{
  EndRoots r = { .group = e->group };
  Roots late = { 0 };
  uint32_t first = x->found.paths.len;
  PathRoot own;
  double greatest = !e->unconstrained && x->q->slack_max < x->worth ? x->q->slack_max : x->worth;
  each_root(x, e->root.end.slot, add_to_roots, &r);
  for (uint32_t i = 0; i < r.roots.len; i++)
    if (path_latch_part(x->t, x->scope, &r.roots.at[i], &own)) array_push(&late, own);
  PathSearchPlan plan = { late.at, late.len, most, greatest > LEAST_LATE ? LEAST_LATE : greatest };
  if (late.len) unique_paths(x, &plan, e->group, first);
  plan = (PathSearchPlan){ r.roots.at, r.roots.len, most, greatest };
  unique_paths(x, &plan, e->group, first);
  order_paths(&x->found, first, most);
  keep_wanted(x, first);
  array_free(&late);
  array_free(&r.roots);
}

/* --- a pool of ends -------------------------------------------------------------------------------------------------- */
/* Copies the points that paths still use. */
static void compact_points(PathList *l)
{
  PathList kept = { 0 };
  for (uint32_t i = 0; i < l->paths.len; i++) {
    Path *p = &l->paths.at[i];
    uint32_t first = kept.points.len;
    array_resize(&kept.points, (uint64_t)first + p->count);
    memcpy(kept.points.at + first, l->points.at + p->first, p->count * sizeof *kept.points.at);
    p->first = first;
  }
  array_free(&l->points);
  l->points.at = kept.points.at;
  l->points.len = kept.points.len;
  l->points.cap = kept.points.cap;
}

/* An end whose worst path is not among the worst found so far ends the work. */
static Status unique_of_ends(Query *x, uint32_t from, uint32_t to, uint32_t most)
{
  x->worth = INFINITY;
  for (uint32_t i = from; i < to; i++) {
    const End *e = &x->ends.at[i];
    if (interrupt_seen()) return FAILED;
    if (e->root.slack > x->worth && !e->unconstrained) break;
    if (e->unconstrained) {
      if (x->found.paths.len >= most) break;
      x->worth = INFINITY;
    }
    paths_of_end(x, e, x->q->worst < most || !isnan(x->q->slack_min) ? x->q->worst : most);
    if (x->found.paths.len / 2 < most || e->unconstrained) continue;
    order_paths(&x->found, 0, most);
    compact_points(&x->found);
    x->worth = x->found.paths.at[most - 1].slack;
  }
  order_paths(&x->found, 0, most);
  return interrupt_seen() ? FAILED : OK;
}

static void append_found(Query *x, PathList *out)
{
  for (uint32_t i = 0; i < x->found.paths.len; i++) {
    Path p = x->found.paths.at[i];
    uint32_t first = out->points.len;
    array_resize(&out->points, (uint64_t)first + p.count);
    memcpy(out->points.at + first, x->found.points.at + p.first, p.count * sizeof *out->points.at);
    p.first = first;
    array_push(&out->paths, p);
  }
  array_clear(&x->found.paths);
  array_clear(&x->found.points);
}

/* The `most` worst paths of ends [from, to), which stand in order of slack, those that nothing constrains behind the others. */
static Status paths_of_pool(Query *x, uint32_t from, uint32_t to, uint32_t most, PathList *out)
{
  if (x->q->unique && x->q->worst > 1) {
    if (unique_of_ends(x, from, to, most) != OK) return FAILED;
    append_found(x, out);
    return OK;
  }
  uint32_t middle = from, before = out->paths.len;
  while (middle < to && !x->ends.at[middle].unconstrained) middle++;
  if (worst_of_ends(x, from, middle, most, out) != OK) return FAILED;
  uint32_t found = out->paths.len - before;
  return middle < to && found < most ? worst_of_ends(x, middle, to, most - found, out) : OK;
}

/* Group by group, each with its own share. */
static Status paths_of_groups(Query *x, PathList *out)
{
  uint32_t share = x->q->group_paths && x->q->group_paths < x->q->max_paths ? x->q->group_paths : x->q->max_paths;
  for (uint32_t from = 0, to; from < x->ends.len; from = to) {
    for (to = from; to < x->ends.len && x->ends.at[to].group == x->ends.at[from].group;) to++;
    if (paths_of_pool(x, from, to, share, out) != OK) return FAILED;
  }
  return OK;
}

/* The order of groups within the worst paths of all. */
static int by_path_group(const void *pa, const void *pb)
{
  const Ordered *a = pa, *b = pb;
  if (a->path.group != b->path.group) return a->path.group < b->path.group ? -1 : 1;
  return a->order < b->order ? -1 : a->order > b->order;
}

static void order_groups(PathList *l, uint32_t first)
{
  uint32_t count = l->paths.len - first;
  Ordered *o = mem_alloc(sizeof *o * ((size_t)count + 1));
  for (uint32_t i = 0; i < count; i++) o[i] = (Ordered){ l->paths.at[first + i], i };
  if (count) qsort(o, count, sizeof *o, by_path_group);
  for (uint32_t i = 0; i < count; i++) l->paths.at[first + i] = o[i].path;
  mem_free(o);
}

static Status run(Query *x, PathList *out)
{
  uint32_t first = out->paths.len;
  bool grouped = x->q->group_paths != 0;
  double since = clock_seconds();
  find_ends(x, grouped);
  x->told.ends += clock_seconds() - since;
  Status status = grouped ? paths_of_groups(x, out) : paths_of_pool(x, 0, x->ends.len, x->q->max_paths, out);
  if (status != OK) return FAILED;
  order_paths(out, first, x->q->max_paths);
  if (x->q->by_group) order_groups(out, first);
  return OK;
}

/* Of so many paths that a search can keep, how many there is room for with their points: on average two a level. */
static uint64_t fit_with_points(const Query *x)
{
  double levels = 0;
  if (x->q->brief || x->ends.len == 0) return x->told.fit;
  for (uint32_t i = 0; i < x->ends.len; i++) levels += x->t->g->slot_level[x->ends.at[i].root.end.slot] + 1;
  double points = 2 * levels / x->ends.len, most = (double)x->memory / (points * sizeof(PathPoint) + sizeof(Path));
  if (most > UINT32_MAX / points) most = UINT32_MAX / points;
  return most < (double)x->told.fit ? (uint64_t)most : x->told.fit;
}

Status query_paths(const Timing *t, const PathQuery *q, Log *log, PathList *out)
{
  if (q->through.len + 2 > MOST_LAYERS)
    return log_error(log, "PATH-001", NOWHERE, "%u -through points are too many, at most %d", q->through.len, MOST_LAYERS - 2);
  if (q->max_paths == 0 || q->worst == 0) return OK;
  uint32_t paths = out->paths.len, points = out->points.len;
  Query x = { .t = t, .q = q, .scope = path_scope_new(t, q), .log = log };
  x.memory = q->memory ? q->memory : mem_available() / 2;
  Status status = run(&x, out);
  if (status != OK) {
    out->paths.len = paths;
    out->points.len = points;
    if (x.told.fit)
      log_error(log, "PATH-010", NOWHERE, "so many paths do not fit into memory: some %llu do", (unsigned long long)fit_with_points(&x));
    else log_error(log, "PATH-002", NOWHERE, "the search for paths was interrupted");
  }
  if (q->told) *q->told = x.told;
  if (x.owns_forest) path_forest_free(x.forest);
  path_scope_free(x.scope);
  array_free(&x.ends);
  path_list_free(&x.found);
  return status;
}

void path_query_free(PathQuery *q)
{
  array_free(&q->from);
  array_free(&q->to);
  for (uint32_t i = 0; i < q->through.len; i++) array_free(&q->through.at[i]);
  array_free(&q->through);
}

void path_list_free(PathList *list)
{
  array_free(&list->paths);
  array_free(&list->points);
  array_free(&list->retimed);
  array_free(&list->retimed_points);
}

/* --- single paths ------------------------------------------------------------------------------------------------------ */
bool query_path_to(const Timing *t, Slot slot, int edge, int early_late, PathList *out)
{
  PathQuery q = { .early_late = early_late };
  double worst = 0;
  NodeId found = NO_NODE_ID;
  for (NodeId n = t->g->node_first[slot]; n < t->g->node_first[slot + 1]; n++) {
    float a = t->arrival[n].v[condition_of(early_late, edge)];
    TagId tag = query_node_tag(t, slot, n);
    if (time_absent(a) || t->g->tag_is_bare[tag] || query_node_is_hidden(t, slot, n)) continue;
    double at = query_tag_time(t, tag) + a;
    if (found != NO_NODE_ID && (early_late == LATE ? at <= worst : at >= worst)) continue;
    found = n;
    worst = at;
  }
  if (found == NO_NODE_ID) return false;
  Query x = { .t = t, .q = &q, .scope = path_scope_new(t, &q) };
  PathRoot root = { { slot, found, (uint8_t)edge, 0, 0 }, NO_ROW, 0, 0 };
  path_walk(x.scope, &root, &x.found);
  add_path(&x, &x.found, &root, path_group(GROUP_UNCONSTRAINED, 0), 0, INFINITY);
  append_found(&x, out);
  path_scope_free(x.scope);
  path_list_free(&x.found);
  return true;
}

void query_row_path(const Timing *t, RowId id, int edge, PathList *out)
{
  const Row *row = &t->g->rows.at[id];
  PathQuery q = { .early_late = row_is_late((RowType)row->type) ? LATE : EARLY };
  Query x = { .t = t, .q = &q, .scope = path_scope_new(t, &q) };
  PathRoot root = { path_scope_end(x.scope, id, edge), id, t->row_slack[id].v[edge], 0 };
  path_walk(x.scope, &root, &x.found);
  add_path(&x, &x.found, &root, row_group(t->g, row), 0, root.slack);
  append_found(&x, out);
  path_scope_free(x.scope);
  path_list_free(&x.found);
}

/* Each segment from a clock's source to where it ends, the last clock first. */
static void clock_path(const Timing *t, const PathRoot *to, int early_late, bool expand, PathPoints *out)
{
  PathQuery q = { .early_late = early_late };
  PathScope *scope = path_scope_new(t, &q);
  PathList list = { 0 };
  ARRAY(uint32_t) first = { 0 };
  PathRoot root = *to;
  for (;;) {
    array_push(&first, list.points.len);
    path_walk(scope, &root, &list);
    const PathPoint *start = &list.points.at[first.at[first.len - 1]];
    uint32_t link = expand ? path_clock_link(t, start, early_late) : NO_LINK;
    if (link == NO_LINK || t->g->tag_is_ideal[query_node_tag(t, start->slot, t->g->links.at[link].from)]) break;
    root.end.slot = start->slot;
    root.end.node = t->g->links.at[link].from;
    root.end.edge = start->edge;
  }
  for (uint32_t i = first.len, to = list.points.len; i-- > 0; to = first.at[i])
    for (uint32_t k = first.at[i] + (i + 1 < first.len); k < to; k++) array_push(out, list.points.at[k]);
  array_free(&first);
  path_list_free(&list);
  path_scope_free(scope);
}

void query_clock_path(const Timing *t, Slot slot, NodeId node, int edge, int early_late, PathPoints *out)
{
  clock_path(t, &(PathRoot){ { slot, node, (uint8_t)edge, 0, 0 }, NO_ROW, 0, 0 }, early_late, false, out);
}

void query_expanded_clock_path(const Timing *t, Slot slot, NodeId node, int edge, int early_late, PathPoints *out)
{
  clock_path(t, &(PathRoot){ { slot, node, (uint8_t)edge, 0, 0 }, NO_ROW, 0, 0 }, early_late, true, out);
}
