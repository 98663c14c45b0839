/* Finds the worst path to one given end, and the path of a clock to a place. */
#include "paths/path_work.h"
#include "timing/slack.h"

bool query_path_to(const Timing *t, Slot slot, int edge, int early_late, PathList *out)
{
  PathQuery q = { .early_late = early_late };
  double worst = 0;
  NodeId found = NO_NODE_ID;
  for (NodeId n = t->g->nodes.first[slot]; n < t->g->nodes.first[slot + 1]; n++) {
    float a = t->arrival[n].v[condition_of(early_late, edge)];
    TagId tag = graph_node_tag(t->g, slot, n);
    if (time_absent(a) || t->g->by_tag.is_bare[tag] || query_node_is_hidden(t, slot, n)) continue;
    double at = query_tag_time(t, tag) + a;
    if (found != NO_NODE_ID && (early_late == LATE ? at <= worst : at >= worst)) continue;
    found = n;
    worst = at;
  }
  if (found == NO_NODE_ID) return false;
  PathWork x = { .t = t, .query = &q, .scope = path_scope_new(t, &q) };
  PathRoot root = { { slot, found, (uint8_t)edge, 0, 0 }, NO_PATH_END, 0, 0 };
  path_walk(x.scope, &root, &x.found);
  path_list_add(&x, &x.found, &root, path_group(GROUP_UNCONSTRAINED, 0), 0, INFINITY);
  path_list_move(&x.found, out);
  path_scope_free(x.scope);
  path_list_free(&x.found);
  return true;
}

void query_end_path(const Timing *t, PathEndId id, int edge, PathList *out)
{
  const PathEnd *end = &t->g->ends.path_ends.at[id];
  PathQuery q = { .early_late = path_end_is_late((PathEndType)end->type) ? LATE : EARLY };
  PathWork x = { .t = t, .query = &q, .scope = path_scope_new(t, &q) };
  PathRoot root = { path_scope_end(x.scope, id, edge), id, t->end_slack[id].v[edge], 0 };
  path_walk(x.scope, &root, &x.found);
  path_list_add(&x, &x.found, &root, path_end_group(t->g, end), 0, root.slack);
  path_list_move(&x.found, out);
  path_scope_free(x.scope);
  path_list_free(&x.found);
}

/* Each segment from a clock's source to where it ends, the last clock first. */
static void clock_path(const Timing *t, const PathRoot *to, int early_late, bool expand,
                       PathPoints *out)
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
    if (link == NO_LINK) break;
    NodeId master = t->g->starts.links.at[link].from;
    if (t->g->by_tag.is_ideal[graph_node_tag(t->g, start->slot, master)]) break;
    root.end.slot = start->slot;
    root.end.node = master;
    root.end.edge = start->edge;
  }
  for (uint32_t i = first.len, to = list.points.len; i-- > 0; to = first.at[i])
    for (uint32_t k = first.at[i] + (i + 1 < first.len); k < to; k++)
      array_push(out, list.points.at[k]);
  array_free(&first);
  path_list_free(&list);
  path_scope_free(scope);
}

void query_clock_path(const Timing *t, Slot slot, NodeId node, int edge, int early_late,
                      PathPoints *out)
{
  clock_path(t, &(PathRoot){ { slot, node, (uint8_t)edge, 0, 0 }, NO_PATH_END, 0, 0 }, early_late,
             false, out);
}

void query_expanded_clock_path(const Timing *t, Slot slot, NodeId node, int edge, int early_late,
                               PathPoints *out)
{
  clock_path(t, &(PathRoot){ { slot, node, (uint8_t)edge, 0, 0 }, NO_PATH_END, 0, 0 }, early_late,
             true, out);
}
