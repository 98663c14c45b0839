/* Traces what each exception does by compiling the graph once more with a trace, and derives one
   record for each exception. */
#include "graph/exception_use.h"

#include "graph/build.h"
#include "graph/exceptions/exceptions_private.h"
#include "graph/path_points.h"

static void tally_init(Tally *tally, uint32_t count)
{
  tally->seen = map_new();
  array_resize(&tally->count, count);
}

static void tally_free(Tally *tally)
{
  map_free(tally->seen);
  array_free(&tally->count);
}

static void trace_init(ExceptionTrace *trace, uint32_t count)
{
  *trace = (ExceptionTrace){ 0 };
  Tally *tallies[] = { &trace->starts, &trace->completed, &trace->stopped, &trace->met,
                       &trace->decided };
  for (int i = 0; i < 5; i++) tally_init(tallies[i], count);
  for (uint32_t e = 0; e < count; e++) array_push(&trace->beaten_by, NO_EXCEPTION);
}

static void trace_free(ExceptionTrace *trace)
{
  Tally *tallies[] = { &trace->starts, &trace->completed, &trace->stopped, &trace->met,
                       &trace->decided };
  for (int i = 0; i < 5; i++) tally_free(tallies[i]);
  array_free(&trace->stops);
  array_free(&trace->beaten_by);
}

/* Drops the stops from which data would reach no endpoint anyway.  An example is a port that only
   makes registers launch. */
static void drop_idle_stops(ExceptionTrace *trace, PathOnward *ways)
{
  for (uint32_t i = 0; i < trace->stops.len; i++) {
    const Stop *stop = &trace->stops.at[i];
    if (!path_slot_goes_on(ways, stop->slot, stop->start))
      trace->stopped.count.at[stop->exception]--;
  }
}

/* --- the result for an exception -------------------------------------------------------------- */
static UseKind without_path(const ExceptionIndex *index, PathOnward *ways, uint32_t e, bool reached)
{
  const Exception *exc = &index->c->exceptions.at[e];
  if (exc->has_to && !exception_only_clocks(&exc->to) && !reached) return USE_NO_END;
  return path_exception_goes_on(ways, e) ? USE_NO_PATH : USE_NO_WAY;
}

static ExceptionUse use_of(const ExceptionIndex *index, PathOnward *ways, uint32_t e,
                           const ExceptionReach *reach)
{
  const ExceptionTrace *trace = index->trace;
  const Exception *exc = &index->c->exceptions.at[e];
  ExceptionUse u = { .exception = e, .ends = trace->decided.count.at[e], .other = NO_EXCEPTION };
  u.stops = exception_ends_path(exc) ? trace->stopped.count.at[e] : 0;
  bool completed = trace->completed.count.at[e] > 0;
  if (index->replaced.at[e] != NO_EXCEPTION) {
    u.kind = USE_REPLACED;
    u.other = index->replaced.at[e];
  } else if (u.ends) {
    u.kind = USE_ENDS;
  } else if (u.stops) {
    u.kind = USE_STOPS;
  } else if (index->like.at[e] != e && completed) {
    u.kind = USE_LIKE;
    u.other = index->like.at[e];
  } else if (trace->beaten_by.at[e] != NO_EXCEPTION) {
    u.kind = USE_BEATEN;
    u.other = trace->beaten_by.at[e];
  } else if (exc->has_from && !exception_only_clocks(&exc->from)
             && trace->starts.count.at[e] == 0) {
    u.kind = USE_NO_START;
  } else if (index->needs_state.at[e] && reach[e].passed == UINT32_MAX) {
    u.kind = USE_NO_START;
  } else if (index->needs_state.at[e] && exc->through.len && reach[e].passed < exc->through.len) {
    u.kind = USE_NO_THROUGH;
    u.point = reach[e].passed + 1;
  } else {
    u.kind = without_path(index, ways, e, index->needs_state.at[e] && reach[e].ends);
  }
  return u;
}

static void collect(const ExceptionIndex *index, ExceptionUses *uses)
{
  uint32_t count = index->c->exceptions.len;
  uint8_t *wanted = mem_alloc_zero((size_t)count + 1, 1);
  ExceptionReach *reach = mem_alloc_zero((size_t)count + 1, sizeof *reach);
  for (uint32_t e = 0; e < count; e++)
    wanted[e] = exception_counts(index, e) && index->needs_state.at[e]
                && index->trace->decided.count.at[e] == 0;
  find_reach(index, wanted, reach);
  PathOnward *ways = path_onward_new(index->g, index);
  drop_idle_stops(index->trace, ways);
  for (uint32_t e = 0; e < count; e++) {
    const Exception *exc = &index->c->exceptions.at[e];
    if (exc->deleted) continue;
    ExceptionUse u = use_of(index, ways, e, reach);
    if (exc->has_from) u.not_starts = path_point_strangers(index, &exc->from, true, &u.not_start);
    if (exc->has_to) u.not_ends = path_point_strangers(index, &exc->to, false, &u.not_end);
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
  ExceptionIndex *index;
  Graph *g = graph_new_traced(in, silent, &trace, &index);
  if (g) collect(index, uses);
  exception_index_free(index);
  graph_free(g);
  trace_free(&trace);
  log_free(silent);
}
