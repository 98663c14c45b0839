/* Finds registers without a clock that have a path limited by set_max_delay or set_min_delay.  The
   search goes backward over wires and gates, from what these exceptions name last (-to, else the
   last -through, else -from).  It does not distinguish exceptions, edges and further -through
   lists.  So it may find a little too much, but never too little. */
#include "graph/exceptions/exceptions_private.h"

typedef struct {
  const ExceptionIndex *index;
  const Graph *g;
  uint8_t *leads;                   /* [slots]: data there may reach a place where a path delay
                                       limits it */
  uint8_t *named;                   /* [slots]: some -from names it */
  bool     any_start, any_end;      /* some exception has no -from; some exception has no pin in its
                                       -to */
} DelaySweep;

static void mark_leads(void *data, Slot s) { ((DelaySweep *)data)->leads[s] = 1; }
static void mark_named(void *data, Slot s) { ((DelaySweep *)data)->named[s] = 1; }

static void mark_objects(DelaySweep *sweep, const ExceptionPoint *point,
                         void (*visit)(void *, Slot))
{
  for (uint32_t i = 0; i < point->objects.len; i++)
    exception_end_slots(sweep->g, point->objects.at[i], visit, sweep);
}

static bool names_clock(const ExceptionPoint *point)
{
  for (uint32_t i = 0; i < point->objects.len; i++)
    if (point->objects.at[i].type == OBJ_CLOCK) return true;
  return false;
}

static void mark_last_through(DelaySweep *sweep, uint32_t e)
{
  const ExceptionIndex *index = sweep->index;
  uint32_t last = index->c->exceptions.at[e].through.len - 1;
  for (uint32_t i = index->first_point[e]; i < index->first_point[e + 1]; i++)
    if (index->by_exception.at[i].point.index == last)
      mark_leads(sweep, index->by_exception.at[i].slot);
}

/* A launch without a clock does not match -from clocks.  Any clock may capture what it launches. */
static void mark_exception(DelaySweep *sweep, uint32_t e)
{
  const Exception *exc = &sweep->index->c->exceptions.at[e];
  bool limits = exc->type == EXC_MAX_DELAY || exc->type == EXC_MIN_DELAY;
  if (!limits || !exception_counts(sweep->index, e)) return;
  if (exc->has_from && exception_only_clocks(&exc->from)) return;
  if (exc->has_from) mark_objects(sweep, &exc->from, mark_named);
  else sweep->any_start = true;
  if (exc->has_to) mark_objects(sweep, &exc->to, mark_leads);
  if (exc->has_to ? names_clock(&exc->to) : !exc->through.len) sweep->any_end = true;
  else if (!exc->has_to) mark_last_through(sweep, e);
}

static void lead_to(DelaySweep *sweep, Slot s)
{
  const Graph *g = sweep->g;
  if (slot_is_driver(g, s)) {
    for (ArcId a = g->arcs.first[s]; a < g->arcs.first[s + 1]; a++)
      if (arc_on(g, a)) sweep->leads[g->arcs.from[a]] = 1;
    return;
  }
  if (g->nets.wire_driver[s] != NO_SLOT) sweep->leads[g->nets.wire_driver[s]] = 1;
  uint32_t from, to;
  graph_extra_wires(g, s, &from, &to);
  for (uint32_t i = from; i < to; i++) sweep->leads[g->nets.extra_wires.at[i].driver] = 1;
}

uint8_t *exception_delay_starts(const ExceptionIndex *index)
{
  const Graph *g = index->g;
  if (!index->path_delay) return NULL;
  DelaySweep w = { .index = index, .g = g };
  w.leads = mem_alloc_zero((size_t)g->slots.count + 1, 1);
  w.named = mem_alloc_zero((size_t)g->slots.count + 1, 1);
  for (uint32_t e = 0; e < index->c->exceptions.len; e++) mark_exception(&w, e);
  for (Slot s = g->slots.count; s-- > 0;)
    if (w.leads[s]) lead_to(&w, s);
  for (Slot s = 0; s < g->slots.count; s++)
    w.leads[s] = (w.leads[s] || w.any_end) && (w.named[s] || w.any_start);
  mem_free(w.named);
  return w.leads;
}
