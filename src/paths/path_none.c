/* Finds out why a query has no path: drops its parts one after another until a path is found. */
#include "paths/path_none.h"

#include <math.h>

#include "timing/slack.h"

/* Returns true if the query has a path.  *worst: its worst slack. */
static Status any_path(const Timing *t, const PathQuery *query, Log *log, bool *is, Path *worst)
{
  PathList found = { 0 };
  Status status = query_paths(t, query, log, &found);
  *is = status == OK && found.paths.len > 0;
  if (*is) *worst = found.paths.at[0];
  path_list_free(&found);
  return status;
}

static bool arrives(const Timing *t, Slot slot)
{
  bool any = false;
  for (int condition = 0; condition < CONDITION_COUNT && slot != NO_SLOT; condition++)
    any |= query_pin_time(t, slot, condition).arrives;
  return any;
}

/* Counts the pins among objects, and those that arrivals reach, or that are ends. */
static void count_objects(const Timing *t, const PathObjects *objects, bool ends, PathNone *out)
{
  out->objects = objects->len;
  for (uint32_t i = 0; i < objects->len; i++) {
    Object o = objects->at[i].object;
    if (o.type != OBJ_PIN && o.type != OBJ_PORT) continue;
    Slot slots[2] = { graph_slot(t->g, o.id, false), graph_slot(t->g, o.id, true) };
    bool is = false;
    for (int k = 0; k < 2; k++)
      is |= slots[k] != NO_SLOT && (ends ? query_is_end(t->g, slots[k]) : arrives(t, slots[k]));
    out->pins++;
    out->reached += is;
  }
}

/* If no object of -to is an endpoint, reports that at once.  Otherwise drops the conditions of the
   query one after another: the slack limits, the wish for constraints, the ends, the through points
   from the last one on, and the starts.  The condition that was dropped last before a path is found
   is the reason. */
static Status give_up(const Timing *t, PathQuery *query, Log *log, PathNone *out)
{
  bool is = false;
  Path worst;
  if (any_path(t, query, log, &is, &worst) != OK) return FAILED;
  *out = (PathNone){ .reason = NONE_LIMITS };
  if (is) {
    out->slack = worst.slack;
    out->group = worst.group;
    return OK;
  }
  count_objects(t, &query->to, true, out);
  out->reason = NONE_NO_END;
  if (out->pins && out->pins == out->objects && out->reached == 0) return OK;
  *out = (PathNone){ .reason = NONE_UNCONSTRAINED };
  query->unconstrained = true;
  if (any_path(t, query, log, &is, &worst) != OK || is) return is ? OK : FAILED;
  if (query->to.len || query->end_edges) {
    out->reason = NONE_TO;
    count_objects(t, &query->to, true, out);
    query->to.len = 0;
    query->end_edges = 0;
    if (any_path(t, query, log, &is, &worst) != OK || is) return is ? OK : FAILED;
  }
  while (query->through.len) {
    query->through.len--;
    if (any_path(t, query, log, &is, &worst) != OK) return FAILED;
    if (!is) continue;
    *out = (PathNone){ .reason = NONE_THROUGH, .through = query->through.len };
    count_objects(t, &query->through.at[query->through.len], false, out);
    return OK;
  }
  *out = (PathNone){ .reason = NONE_AT_ALL };
  if (query->from.len == 0) return OK;
  count_objects(t, &query->from, false, out);
  query->from.len = 0;
  if (any_path(t, query, log, &is, &worst) != OK) return FAILED;
  if (is) out->reason = NONE_FROM;
  return OK;
}

Status query_path_none(const Timing *t, const PathQuery *query, Log *log, PathNone *out)
{
  PathQuery one;
  memcpy(&one, query, sizeof one);
  one.max_paths = one.worst = 1;
  one.group_paths = 0;
  one.slack_max = one.slack_min = NAN;
  one.wants_group = NULL;
  return give_up(t, &one, log, out);
}
