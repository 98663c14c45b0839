/* Finds the pins inside paths that set_max_delay and set_min_delay name in -from and -to. */
#include "graph/clocks/clocks.h"
#include "graph/exceptions/exceptions_private.h"
#include "graph/hierarchy.h"

enum { CHECKED = 1, LATCH_DATA = 2, CLOCK_SOURCE = 4 };

typedef struct {
  const Graph *g;
  uint8_t *checked;
} Checked;

static void mark_source(void *data, Slot s)
{
  const Checked *checked = data;
  checked->checked[s] |= CLOCK_SOURCE;
}

/* Returns marks of slots. CHECKED: a check constrains the slot, so paths end there anyway.
   LATCH_DATA, CLOCK_SOURCE: paths also start there. */
static uint8_t *find_checked(const Graph *g)
{
  uint8_t *checked = mem_alloc_zero((size_t)g->slots.count + 1, 1);
  for (CheckId i = 0; i < g->ends.checks.len; i++)
    if (!(g->ends.checks.at[i].off & ARC_OFF_DISABLED))
      checked[g->ends.checks.at[i].data] = CHECKED;
  for (uint32_t i = 0; i < g->arcs.latches.len; i++)
    checked[g->arcs.latches.at[i].data] |= LATCH_DATA;
  Checked c = { g, checked };
  for (ClockId k = 0; k < g->constraints->clocks.len; k++)
    if (!g->constraints->clocks.at[k].deleted) clock_source_slots(g, k, mark_source, &c);
  return checked;
}

static void mark(ExceptionIndex *index, Slot s, int cut)
{
  if (index->cut == NULL) index->cut = mem_alloc_zero((size_t)index->g->slots.count + 1, 1);
  index->cut[s] |= (uint8_t)cut;
}

typedef struct {
  ExceptionIndex *index;
  const uint8_t  *checked;
  bool start, probe;
} Cutting;

/* Is the slot not made a start? Paths start there anyway, or no path goes on from there, as at the
   data pin of a flip-flop. */
static bool is_no_start(const Cutting *cutting, Slot s)
{
  const Graph *g = cutting->index->g;
  bool ends = !slot_is_driver(g, s) && g->arcs.out_first[s + 1] == g->arcs.out_first[s];
  return g->slots.flags[s] & SLOT_CLOCK_PIN || cutting->checked[s] & (LATCH_DATA | CLOCK_SOURCE)
         || ends;
}

/* Marks the slot of a pin. At an inout pin, paths start at the driver and end at the load. */
static void mark_pin(const Cutting *cutting, PinId pin)
{
  const Graph *g = cutting->index->g;
  Slot s = pin_is_top_port(g->netlist, pin) ? NO_SLOT : graph_slot(g, pin, cutting->start);
  if (s == NO_SLOT
      || (cutting->start ? is_no_start(cutting, s) : cutting->checked[s] & (CHECKED | LATCH_DATA)))
    return;
  mark(cutting->index, s,
       cutting->start ? CUT_START | (cutting->probe ? 0 : CUT_BEFORE)
                      : CUT_END | (cutting->probe ? 0 : CUT_AFTER));
}

static void mark_behind(const Cutting *cutting, PinId hierarchical)
{
  PinArray pins = { 0 };
  hierarchy_pins_behind(cutting->index->g->netlist, hierarchical, &pins);
  for (uint32_t i = 0; i < pins.len; i++) mark_pin(cutting, pins.at[i]);
  array_free(&pins);
}

static void mark_point(const Cutting *cutting, const ExceptionPoint *point)
{
  for (uint32_t i = 0; i < point->objects.len; i++) {
    Object o = point->objects.at[i];
    if (o.type != OBJ_PIN) continue;
    if (pin_is_hierarchical(cutting->index->g->netlist, o.id)) mark_behind(cutting, o.id);
    else mark_pin(cutting, o.id);
  }
}

void index_cuts(ExceptionIndex *index)
{
  uint8_t *checked = find_checked(index->g);
  for (uint32_t e = 0; e < index->c->exceptions.len; e++) {
    const Exception *exc = &index->c->exceptions.at[e];
    if (!exception_counts(index, e) || (exc->type != EXC_MAX_DELAY && exc->type != EXC_MIN_DELAY))
      continue;
    if (exc->has_from) mark_point(&(Cutting){ index, checked, true, exc->probe }, &exc->from);
    if (exc->has_to) mark_point(&(Cutting){ index, checked, false, exc->probe }, &exc->to);
  }
  mem_free(checked);
}
