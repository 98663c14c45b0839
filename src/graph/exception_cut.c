/* Pins inside paths that set_max_delay and set_min_delay name in -from and -to. */
#include "graph/exceptions_private.h"

enum { CHECKED = 1, LATCH_DATA = 2 };

/* Slots that a check constrains: paths end there anyhow; data pins of latches are starts as well. */
static uint8_t *find_checked(const Graph *g)
{
  uint8_t *checked = mem_alloc_zero((size_t)g->slot_count + 1, 1);
  for (CheckId i = 0; i < g->checks.len; i++)
    if (!(g->checks.at[i].off & ARC_OFF_DISABLED)) checked[g->checks.at[i].data] = CHECKED;
  for (uint32_t i = 0; i < g->latches.len; i++) checked[g->latches.at[i].data] |= LATCH_DATA;
  return checked;
}

static void mark(ExceptionIndex *x, Slot s, int cut)
{
  if (x->cut == NULL) x->cut = mem_alloc_zero((size_t)x->g->slot_count + 1, 1);
  x->cut[s] |= (uint8_t)cut;
}

/* Of an inout pin paths start at the driver and end at the load. */
static void mark_point(ExceptionIndex *x, const ExceptionPoint *p, bool start, bool probe, const uint8_t *checked)
{
  const Graph *g = x->g;
  for (uint32_t i = 0; i < p->objects.len; i++) {
    Object o = p->objects.at[i];
    if (o.type != OBJ_PIN || pin_is_top_port(g->netlist, o.id) || pin_is_hierarchical(g->netlist, o.id)) continue;
    Slot s = graph_slot(g, o.id, start);
    if (s == NO_SLOT || (start ? g->slot_flags[s] & SLOT_CLOCK_PIN || checked[s] & LATCH_DATA : checked[s] != 0)) continue;
    mark(x, s, start ? CUT_START | (probe ? 0 : CUT_BEFORE) : CUT_END | (probe ? 0 : CUT_AFTER));
  }
}

void index_cuts(ExceptionIndex *x)
{
  uint8_t *checked = find_checked(x->g);
  for (uint32_t e = 0; e < x->c->exceptions.len; e++) {
    const Exception *exc = &x->c->exceptions.at[e];
    if (!exception_counts(x, e) || (exc->type != EXC_MAX_DELAY && exc->type != EXC_MIN_DELAY)) continue;
    if (exc->has_from) mark_point(x, &exc->from, true, exc->probe, checked);
    if (exc->has_to) mark_point(x, &exc->to, false, exc->probe, checked);
  }
  mem_free(checked);
}
