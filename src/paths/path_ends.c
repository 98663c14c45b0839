/* Finds the ends of a query: the endpoints in their order, and the roots of each. */
#include "timing/credit.h"
#include "base/interrupt.h"
#include "base/sort.h"
#include "timing/derived.h"
#include "paths/path_work.h"
#include "timing/slack.h"

/* --- roots of a slot -------------------------------------------------------------------------- */
static PathState free_state(const PathWork *work, Slot slot, NodeId node, int edge)
{
  return (PathState){ slot, node, (uint8_t)edge, (uint8_t)path_scope_final(work->scope), 0 };
}

static bool is_clock_end(const PathWork *work, const PathEnd *end)
{
  return graph_node_is_clock(work->t->g, end->slot, end->data);
}

/* For a clock that ends as data: the credit of the place where it ends. */
static float clock_credit(const PathWork *work, PathEndId id, int edge)
{
  const PathEnd *end = &work->t->g->ends.path_ends.at[id];
  if (!common_active(work->t) || !is_clock_end(work, end)) return 0;
  return common_leaf_credit(work->t, common_leaf(work->t, end->slot, end->data),
                            timing_end_leaf(work->t, end, edge));
}

/* The worst arrival at a latch among the paths in scope, and its required time. */
typedef struct {
  LatchTimes due;
  float arrival, required;
} LatchEnd;

static LatchEnd latch_end(const PathWork *work, PathEndId id, PathState end)
{
  const PathEnd *path_end = &work->t->g->ends.path_ends.at[id];
  LatchEnd e = { timing_latch_times(work->t, path_end, end.edge),
                 path_scope_arrival(work->scope, end) - clock_credit(work, id, end.edge), 0 };
  uint32_t capture =
      is_clock_end(work, path_end) ? timing_end_leaf(work->t, path_end, end.edge) : end.capture;
  e.required = path_latch_required(work->t, path_end, end.edge, capture, e.arrival);
  return e;
}

/* Slack of a path end for an edge of its data among the paths in scope; INFINITY when there is
   none. */
static double end_slack(const PathWork *work, PathEndId id, int edge, PathState end)
{
  if (work->query->through.len == 0 && path_scope_final(work->scope) == 0) {
    float slack = work->t->end_slack[id].v[edge];
    return slack < 1e29f ? slack : INFINITY;
  }
  bool has;
  const PathEnd *path_end = &work->t->g->ends.path_ends.at[id];
  float arrival = path_scope_arrival(work->scope, end),
        required = timing_end_required(work->t, id, edge, &has);
  if (!has || time_absent(arrival)) return INFINITY;
  if (path_end->type == END_LATCH_SETUP) {
    LatchEnd e = latch_end(work, id, end);
    return e.required - e.arrival;
  }
  float slack = time_slack(work->query->early_late, required, arrival);
  return slack + clock_credit(work, id, edge);
}

/* Data of a latch borrows from its opening on: until the limit if it is late for that, until its
   own arrival else. */
static double end_play(const PathWork *work, PathEndId id, const PathState *end, double slack)
{
  const PathEnd *path_end = &work->t->g->ends.path_ends.at[id];
  if (path_end->type != END_LATCH_SETUP) return 0;
  LatchEnd e = latch_end(work, id, *end);
  double until = slack < 0 ? e.due.limit : e.arrival > e.due.open ? e.arrival : e.due.open;
  return until - e.due.open;
}

static bool group_wanted(const PathWork *work, PathGroup group)
{
  return work->query->wants_group == NULL || work->query->wants_group(work->query->data, group);
}

typedef void (*VisitRoot)(PathWork *work, void *data, const PathRoot *root, PathGroup group);

static void each_end_root(PathWork *work, Slot slot, VisitRoot visit, void *data)
{
  const Graph *g = work->t->g;
  for (PathEndId r = g->ends.first_end[slot]; r < g->ends.first_end[slot + 1]; r++)
    for (int edge = RISE; edge <= FALL; edge++) {
      if (!path_scope_path_end(work->scope, r, edge)) continue;
      PathState end = path_scope_end(work->scope, r, edge);
      double slack = end_slack(work, r, edge, end);
      if (isinf(slack) || slack > work->query->slack_max) continue;
      PathGroup group = path_end_group(g, &g->ends.path_ends.at[r]);
      if (group_wanted(work, group))
        visit(work, data, &(PathRoot){ end, r, slack, end_play(work, r, &end, slack) }, group);
    }
}

/* Unconstrained ends stand in the order of their absolute arrivals, the latest (or for early ones
   earliest) first. */
static void each_free_root(PathWork *work, Slot slot, VisitRoot visit, void *data)
{
  const Graph *g = work->t->g;
  PathGroup group = path_group(GROUP_UNCONSTRAINED, 0);
  if (!group_wanted(work, group)) return;
  for (NodeId n = g->nodes.first[slot]; n < g->nodes.first[slot + 1]; n++)
    for (int edge = RISE; edge <= FALL && !query_node_is_hidden(work->t, slot, n); edge++) {
      PathState end = free_state(work, slot, n, edge);
      float arrival = path_scope_arrival(work->scope, end);
      if (time_absent(arrival) || !path_scope_free_end(work->scope, slot, n, edge)) continue;
      double at = query_tag_time(work->t, graph_node_tag(work->t->g, slot, n)) + arrival;
      visit(work, data,
            &(PathRoot){ end, NO_PATH_END, work->query->early_late == LATE ? -at : at, 0 }, group);
    }
}

static void each_root(PathWork *work, Slot slot, VisitRoot visit, void *data)
{
  each_end_root(work, slot, visit, data);
  if (work->query->unconstrained) each_free_root(work, slot, visit, data);
}

/* --- ends ------------------------------------------------------------------------------------- */
/* data: where the ends of the slot begin. */
static void add_to_ends(PathWork *work, void *data, const PathRoot *root, PathGroup group)
{
  uint32_t first = *(uint32_t *)data;
  for (uint32_t i = first; i < work->ends.len; i++) {
    SearchedEnd *end = &work->ends.at[i];
    if (end->group != group) continue;
    if (root->slack < end->root.slack) end->root = *root;
    return;
  }
  PinId pin = work->t->g->slots.pin[root->end.slot];
  array_push(&work->ends, (SearchedEnd){ *root, group, pin, root->end_id == NO_PATH_END });
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

void path_find_ends(PathWork *work, bool grouped)
{
  const Graph *g = work->t->g;
  uint32_t slots = path_scope_ends(work->scope);
  for (uint32_t i = 0; i < slots && !interrupt_seen(); i++) {
    Slot slot = path_scope_end_slot(work->scope, i);
    if (g->ends.first_end[slot + 1] == g->ends.first_end[slot] && !work->query->unconstrained)
      continue;
    uint32_t first = work->ends.len;
    each_root(work, slot, add_to_ends, &first);
  }
  sort_items(work->ends.at, work->ends.len, sizeof *work->ends.at, grouped ? by_group : by_slack);
}

/* --- roots of an end -------------------------------------------------------------------------- */
typedef struct {
  PathRoots *roots;
  PathGroup  group;
} EndRoots;

/* Rows that compare the same arrival with the same clock edge (checks under several conditions) are
   one: the worst. */
static void add_to_roots(PathWork *work, void *data, const PathRoot *root, PathGroup group)
{
  EndRoots *roots = data;
  const PathEnd *path_ends = work->t->g->ends.path_ends.at;
  if (group != roots->group) return;
  for (uint32_t i = 0; i < roots->roots->len; i++) {
    PathRoot *have = &roots->roots->at[i];
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
  array_push(roots->roots, *root);
}

void path_end_roots(PathWork *work, const SearchedEnd *end, PathRoots *out)
{
  array_clear(out);
  each_root(work, end->root.end.slot, add_to_roots, &(EndRoots){ out, end->group });
}
