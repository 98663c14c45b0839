/* Traces what each exception does by compiling the graph once more with a trace, and derives one
   record for each exception. */
#include "graph/exception_use.h"

#include "graph/build.h"
#include "graph/exceptions/exceptions_private.h"
#include "graph/path_points.h"

static void tally_init(Tally *t, uint32_t count)
{
  t->seen = map_new();
  array_resize(&t->count, count);
}

static void tally_free(Tally *t)
{
  map_free(t->seen);
  array_free(&t->count);
}

static void trace_init(ExceptionTrace *t, uint32_t count)
{
  *t = (ExceptionTrace){ 0 };
  Tally *tallies[] = { &t->starts, &t->completed, &t->stopped, &t->met, &t->decided };
  for (int i = 0; i < 5; i++) tally_init(tallies[i], count);
  for (uint32_t e = 0; e < count; e++) array_push(&t->beaten_by, NO_EXCEPTION);
}

static void trace_free(ExceptionTrace *t)
{
  Tally *tallies[] = { &t->starts, &t->completed, &t->stopped, &t->met, &t->decided };
  for (int i = 0; i < 5; i++) tally_free(tallies[i]);
  array_free(&t->stops);
  array_free(&t->beaten_by);
}

/* Drops the stops from which data would reach no endpoint anyway.  An example is a port that only
   makes registers launch. */
static void drop_idle_stops(ExceptionTrace *t, PathOnward *ways)
{
  for (uint32_t i = 0; i < t->stops.len; i++) {
    const Stop *s = &t->stops.at[i];
    if (!path_slot_goes_on(ways, s->slot, s->start)) t->stopped.count.at[s->exception]--;
  }
}

/* --- the result for an exception -------------------------------------------------------------- */
static UseKind without_path(const ExceptionIndex *x, PathOnward *ways, uint32_t e, bool reached)
{
  const Exception *exc = &x->c->exceptions.at[e];
  if (exc->has_to && !exception_only_clocks(&exc->to) && !reached) return USE_NO_END;
  return path_exception_goes_on(ways, e) ? USE_NO_PATH : USE_NO_WAY;
}

static ExceptionUse use_of(const ExceptionIndex *x, PathOnward *ways, uint32_t e,
                           const ExceptionReach *reach)
{
  const ExceptionTrace *t = x->trace;
  const Exception *exc = &x->c->exceptions.at[e];
  ExceptionUse u = { .exception = e, .ends = t->decided.count.at[e], .other = NO_EXCEPTION };
  u.stops = exception_ends_path(exc) ? t->stopped.count.at[e] : 0;
  bool completed = t->completed.count.at[e] > 0;
  if (x->replaced.at[e] != NO_EXCEPTION) {
    u.kind = USE_REPLACED;
    u.other = x->replaced.at[e];
  } else if (u.ends) {
    u.kind = USE_ENDS;
  } else if (u.stops) {
    u.kind = USE_STOPS;
  } else if (x->like.at[e] != e && completed) {
    u.kind = USE_LIKE;
    u.other = x->like.at[e];
  } else if (t->beaten_by.at[e] != NO_EXCEPTION) {
    u.kind = USE_BEATEN;
    u.other = t->beaten_by.at[e];
  } else if (exc->has_from && !exception_only_clocks(&exc->from) && t->starts.count.at[e] == 0) {
    u.kind = USE_NO_START;
  } else if (x->needs_state.at[e] && reach[e].passed == UINT32_MAX) {
    u.kind = USE_NO_START;
  } else if (x->needs_state.at[e] && exc->through.len && reach[e].passed < exc->through.len) {
    u.kind = USE_NO_THROUGH;
    u.point = reach[e].passed + 1;
  } else {
    u.kind = without_path(x, ways, e, x->needs_state.at[e] && reach[e].ends);
  }
  return u;
}

static void collect(const ExceptionIndex *x, ExceptionUses *uses)
{
  uint32_t count = x->c->exceptions.len;
  uint8_t *wanted = mem_alloc_zero((size_t)count + 1, 1);
  ExceptionReach *reach = mem_alloc_zero((size_t)count + 1, sizeof *reach);
  for (uint32_t e = 0; e < count; e++)
    wanted[e] =
        exception_counts(x, e) && x->needs_state.at[e] && x->trace->decided.count.at[e] == 0;
  find_reach(x, wanted, reach);
  PathOnward *ways = path_onward_new(x->g, x);
  drop_idle_stops(x->trace, ways);
  for (uint32_t e = 0; e < count; e++) {
    const Exception *exc = &x->c->exceptions.at[e];
    if (exc->deleted) continue;
    ExceptionUse u = use_of(x, ways, e, reach);
    if (exc->has_from) u.not_starts = path_point_strangers(x, &exc->from, true, &u.not_start);
    if (exc->has_to) u.not_ends = path_point_strangers(x, &exc->to, false, &u.not_end);
    array_push(uses, u);
  }
  path_onward_free(ways);
  mem_free(wanted);
  mem_free(reach);
}

void exception_uses(const GraphInput *in, ExceptionUses *uses)
{
  Log *silent = log_new(NULL, NULL);
  ExceptionTrace trace;
  trace_init(&trace, in->constraints->exceptions.len);
  ExceptionIndex *x;
  Graph *g = graph_new_traced(in, silent, &trace, &x);
  if (g) collect(x, uses);
  exception_index_free(x);
  graph_free(g);
  trace_free(&trace);
  log_free(silent);
}
