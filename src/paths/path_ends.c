/* Finds the ends of a query: the endpoints in their order, and the roots of each. */
#include "timing/credit.h"
#include "base/interrupt.h"
#include "base/sort.h"
#include "timing/derived.h"
#include "paths/path_work.h"
#include "timing/slack.h"

/* --- roots of a slot -------------------------------------------------------------------------- */
static PathState free_state(const PathWork *x, Slot slot, NodeId node, int edge)
{
  return (PathState){ slot, node, (uint8_t)edge, (uint8_t)path_scope_final(x->scope), 0 };
}

static bool is_clock_end(const PathWork *x, const PathEnd *r)
{
  return graph_node_is_clock(x->t->g, r->slot, r->data);
}

/* For a clock that ends as data: the credit of the place where it ends. */
static float clock_credit(const PathWork *x, PathEndId id, int edge)
{
  const PathEnd *r = &x->t->g->ends.path_ends.at[id];
  if (!common_active(x->t) || !is_clock_end(x, r)) return 0;
  return common_leaf_credit(x->t, common_leaf(x->t, r->slot, r->data),
                            timing_end_leaf(x->t, r, edge));
}

/* The worst arrival at a latch among the paths in scope, and its required time. */
typedef struct {
  LatchTimes due;
  float arrival, required;
} LatchEnd;

static LatchEnd latch_end(const PathWork *x, PathEndId id, PathState end)
{
  const PathEnd *r = &x->t->g->ends.path_ends.at[id];
  LatchEnd e = { timing_latch_times(x->t, r, end.edge),
                 path_scope_arrival(x->scope, end) - clock_credit(x, id, end.edge), 0 };
  uint32_t capture = is_clock_end(x, r) ? timing_end_leaf(x->t, r, end.edge) : end.capture;
  e.required = path_latch_required(x->t, r, end.edge, capture, e.arrival);
  return e;
}

/* Slack of a path end for an edge of its data among the paths in scope; INFINITY when there is
   none. */
static double end_slack(const PathWork *x, PathEndId id, int edge, PathState end)
{
  if (x->q->through.len == 0 && path_scope_final(x->scope) == 0) {
    float slack = x->t->end_slack[id].v[edge];
    return slack < 1e29f ? slack : INFINITY;
  }
  bool has;
  const PathEnd *r = &x->t->g->ends.path_ends.at[id];
  float arrival = path_scope_arrival(x->scope, end),
        required = timing_end_required(x->t, id, edge, &has);
  if (!has || time_absent(arrival)) return INFINITY;
  if (r->type == END_LATCH_SETUP) {
    LatchEnd e = latch_end(x, id, end);
    return e.required - e.arrival;
  }
  float slack = x->q->early_late == LATE ? required - arrival : arrival - required;
  return slack + clock_credit(x, id, edge);
}

/* Data of a latch borrows from its opening on: until the limit if it is late for that, until its
   own arrival else. */
static double end_play(const PathWork *x, PathEndId id, const PathState *end, double slack)
{
  const PathEnd *r = &x->t->g->ends.path_ends.at[id];
  if (r->type != END_LATCH_SETUP) return 0;
  LatchEnd e = latch_end(x, id, *end);
  double until = slack < 0 ? e.due.limit : e.arrival > e.due.open ? e.arrival : e.due.open;
  return until - e.due.open;
}

static bool group_wanted(const PathWork *x, PathGroup group)
{
  return x->q->wants_group == NULL || x->q->wants_group(x->q->data, group);
}

typedef void (*VisitRoot)(PathWork *x, void *data, const PathRoot *root, PathGroup group);

static void each_end_root(PathWork *x, Slot slot, VisitRoot visit, void *data)
{
  const Graph *g = x->t->g;
  for (PathEndId r = g->ends.first_end[slot]; r < g->ends.first_end[slot + 1]; r++)
    for (int edge = RISE; edge <= FALL; edge++) {
      if (!path_scope_path_end(x->scope, r, edge)) continue;
      PathState end = path_scope_end(x->scope, r, edge);
      double slack = end_slack(x, r, edge, end);
      if (isinf(slack) || slack > x->q->slack_max) continue;
      PathGroup group = path_end_group(g, &g->ends.path_ends.at[r]);
      if (group_wanted(x, group))
        visit(x, data, &(PathRoot){ end, r, slack, end_play(x, r, &end, slack) }, group);
    }
}

/* Unconstrained ends stand in the order of their absolute arrivals, the latest (or for early ones
   earliest) first. */
static void each_free_root(PathWork *x, Slot slot, VisitRoot visit, void *data)
{
  const Graph *g = x->t->g;
  PathGroup group = path_group(GROUP_UNCONSTRAINED, 0);
  if (!group_wanted(x, group)) return;
  for (NodeId n = g->nodes.first[slot]; n < g->nodes.first[slot + 1]; n++)
    for (int edge = RISE; edge <= FALL && !query_node_is_hidden(x->t, slot, n); edge++) {
      PathState end = free_state(x, slot, n, edge);
      float arrival = path_scope_arrival(x->scope, end);
      if (time_absent(arrival) || !path_scope_free_end(x->scope, slot, n, edge)) continue;
      double at = query_tag_time(x->t, graph_node_tag(x->t->g, slot, n)) + arrival;
      visit(x, data, &(PathRoot){ end, NO_PATH_END, x->q->early_late == LATE ? -at : at, 0 },
            group);
    }
}

static void each_root(PathWork *x, Slot slot, VisitRoot visit, void *data)
{
  each_end_root(x, slot, visit, data);
  if (x->q->unconstrained) each_free_root(x, slot, visit, data);
}

/* --- ends ------------------------------------------------------------------------------------- */
/* data: where the ends of the slot begin. */
static void add_to_ends(PathWork *x, void *data, const PathRoot *root, PathGroup group)
{
  uint32_t first = *(uint32_t *)data;
  for (uint32_t i = first; i < x->ends.len; i++) {
    SearchedEnd *e = &x->ends.at[i];
    if (e->group != group) continue;
    if (root->slack < e->root.slack) e->root = *root;
    return;
  }
  PinId pin = x->t->g->slots.pin[root->end.slot];
  array_push(&x->ends, (SearchedEnd){ *root, group, pin, root->end_id == NO_PATH_END });
}

static int by_slack(const void *pa, const void *pb)
{
  const SearchedEnd *a = pa, *b = pb;
  if (a->unconstrained != b->unconstrained) return a->unconstrained ? 1 : -1;
  if (a->root.slack != b->root.slack) return path_compare(a->root.slack, b->root.slack);
  if (a->pin != b->pin) return a->pin < b->pin ? -1 : 1;
  return a->group < b->group ? -1 : a->group > b->group;
}

static int by_group(const void *pa, const void *pb)
{
  const SearchedEnd *a = pa, *b = pb;
  if (a->group != b->group) return a->group < b->group ? -1 : 1;
  return by_slack(pa, pb);
}

void path_find_ends(PathWork *x, bool grouped)
{
  const Graph *g = x->t->g;
  uint32_t slots = path_scope_ends(x->scope);
  for (uint32_t i = 0; i < slots && !interrupt_seen(); i++) {
    Slot slot = path_scope_end_slot(x->scope, i);
    if (g->ends.first_end[slot + 1] == g->ends.first_end[slot] && !x->q->unconstrained) continue;
    uint32_t first = x->ends.len;
    each_root(x, slot, add_to_ends, &first);
  }
  sort_items(x->ends.at, x->ends.len, sizeof *x->ends.at, grouped ? by_group : by_slack);
}

/* --- roots of an end -------------------------------------------------------------------------- */
typedef struct {
  PathRoots *roots;
  PathGroup  group;
} EndRoots;

/* Rows that compare the same arrival with the same clock edge (checks under several conditions) are
   one: the worst. */
static void add_to_roots(PathWork *x, void *data, const PathRoot *root, PathGroup group)
{
  EndRoots *e = data;
  const PathEnd *path_ends = x->t->g->ends.path_ends.at;
  if (group != e->group) return;
  for (uint32_t i = 0; i < e->roots->len; i++) {
    PathRoot *have = &e->roots->at[i];
    if (have->end.node != root->end.node || have->end.edge != root->end.edge
        || (have->end_id == NO_PATH_END) != (root->end_id == NO_PATH_END))
      continue;
    if (root->end_id != NO_PATH_END
        && (path_ends[have->end_id].capture_clock != path_ends[root->end_id].capture_clock
            || path_ends[have->end_id].type != path_ends[root->end_id].type))
      continue;
    if (root->slack < have->slack) *have = *root;
    return;
  }
  array_push(e->roots, *root);
}

void path_end_roots(PathWork *x, const SearchedEnd *e, PathRoots *out)
{
  array_clear(out);
  each_root(x, e->root.end.slot, add_to_roots, &(EndRoots){ out, e->group });
}
