/* Looks up set_sense and set_clock_sense by slot. */
#include "graph/clocks/senses.h"

#include "graph/hierarchy.h"

typedef struct {
  ClockId  clock;           /* NO_CLOCK: all */
  uint8_t  kind;
  bool     data;
  uint32_t next;            /* next entry of the same slot */
} Entry;

struct SenseIndex {
  Map *first;               /* slot -> entry */
  ARRAY(Entry) entries;
};

typedef struct {
  SenseIndex *x;
  const ClockSense *sense;
} Adding;

static void add_slot(void *data, Slot slot)
{
  Adding *a = data;
  if (slot == NO_SLOT) return;
  Entry e = { a->sense->clock, a->sense->kind, a->sense->data, map_get(a->x->first, slot) };
  map_put(a->x->first, slot, a->x->entries.len);
  array_push(&a->x->entries, e);
}

SenseIndex *sense_index_new(const Graph *g)
{
  SenseIndex *x = mem_alloc_zero(1, sizeof *x);
  x->first = map_new();
  uint32_t *order = RECORD_ORDER(g->constraints->senses, 2);
  for (uint32_t i = 0; i < g->constraints->senses.len; i++) {
    Adding a = { x, &g->constraints->senses.at[order[i]] };
    if (pin_is_hierarchical(g->netlist, a.sense->pin)) {
      graph_crossing_loads(g, a.sense->pin, add_slot, &a);
      continue;
    }
    Slot load = graph_slot(g, a.sense->pin, false), driver = graph_slot(g, a.sense->pin, true);
    add_slot(&a, load);
    if (driver != load) add_slot(&a, driver);
  }
  mem_free(order);
  return x;
}

void sense_index_free(SenseIndex *x)
{
  if (x == NULL) return;
  map_free(x->first);
  array_free(&x->entries);
  mem_free(x);
}

bool sense_any(const SenseIndex *x, Slot slot)
{
  return x->entries.len > 0 && map_get(x->first, slot) != MAP_NO_VALUE;
}

/* Finds the sense of a clock at a slot. A sense for one clock has priority over a sense for all
   clocks. */
static const Entry *find(const SenseIndex *x, Slot slot, ClockId clock, bool data)
{
  const Entry *all = NULL;
  if (x->entries.len == 0) return NULL;
  for (uint32_t i = map_get(x->first, slot); i != MAP_NO_VALUE; i = x->entries.at[i].next) {
    const Entry *e = &x->entries.at[i];
    if (e->data != data) continue;
    if (e->clock == clock && clock != NO_CLOCK) return e;
    if (e->clock == NO_CLOCK) all = e;
  }
  return all;
}

bool sense_clock_passes(const SenseIndex *x, Slot slot, ClockEdge clock, int transition)
{
  const Entry *e = find(x, slot, clock_edge_clock(clock), false);
  if (e == NULL) return true;
  switch ((SenseKind)e->kind) {
  case PASS_POSITIVE: return transition == clock_edge_edge(clock);
  case PASS_NEGATIVE: return transition != clock_edge_edge(clock);
  case PASS_PULSE_OF_RISE: return clock_edge_edge(clock) == RISE;
  case PASS_PULSE_OF_FALL: return clock_edge_edge(clock) == FALL;
  default: return false;
  }
}

bool sense_data_passes(const SenseIndex *x, Slot slot, ClockEdge launch)
{
  return find(x, slot, launch == NO_CLOCK_EDGE ? NO_CLOCK : clock_edge_clock(launch), true) == NULL;
}
