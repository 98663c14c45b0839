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
  SenseIndex *index;
  const ClockSense *sense;
} Adding;

static void add_slot(void *data, Slot slot)
{
  Adding *adding = data;
  if (slot == NO_SLOT) return;
  Entry e = { adding->sense->clock, adding->sense->kind, adding->sense->data,
              map_get(adding->index->first, slot) };
  map_put(adding->index->first, slot, adding->index->entries.len);
  array_push(&adding->index->entries, e);
}

SenseIndex *sense_index_new(const Graph *g)
{
  SenseIndex *index = mem_alloc_zero(1, sizeof *index);
  index->first = map_new();
  uint32_t *order = RECORD_ORDER(g->constraints->senses, 2);
  for (uint32_t i = 0; i < g->constraints->senses.len; i++) {
    Adding a = { index, &g->constraints->senses.at[order[i]] };
    if (pin_is_hierarchical(g->netlist, a.sense->pin)) {
      graph_crossing_loads(g, a.sense->pin, add_slot, &a);
      continue;
    }
    Slot load = graph_slot(g, a.sense->pin, false), driver = graph_slot(g, a.sense->pin, true);
    add_slot(&a, load);
    if (driver != load) add_slot(&a, driver);
  }
  mem_free(order);
  return index;
}

void sense_index_free(SenseIndex *index)
{
  if (index == NULL) return;
  map_free(index->first);
  array_free(&index->entries);
  mem_free(index);
}

bool sense_any(const SenseIndex *index, Slot slot)
{
  return index->entries.len > 0 && map_get(index->first, slot) != MAP_NO_VALUE;
}

/* Finds the sense of a clock at a slot. A sense for one clock has priority over a sense for all
   clocks. */
static const Entry *find(const SenseIndex *index, Slot slot, ClockId clock, bool data)
{
  const Entry *all = NULL;
  if (index->entries.len == 0) return NULL;
  for (uint32_t i = map_get(index->first, slot); i != MAP_NO_VALUE; i = index->entries.at[i].next) {
    const Entry *entry = &index->entries.at[i];
    if (entry->data != data) continue;
    if (entry->clock == clock && clock != NO_CLOCK) return entry;
    if (entry->clock == NO_CLOCK) all = entry;
  }
  return all;
}

bool sense_clock_passes(const SenseIndex *index, Slot slot, ClockEdge clock, int transition)
{
  const Entry *entry = find(index, slot, clock_edge_clock(clock), false);
  if (entry == NULL) return true;
  switch ((SenseKind)entry->kind) {
  case PASS_POSITIVE: return transition == clock_edge_edge(clock);
  case PASS_NEGATIVE: return transition != clock_edge_edge(clock);
  case PASS_PULSE_OF_RISE: return clock_edge_edge(clock) == RISE;
  case PASS_PULSE_OF_FALL: return clock_edge_edge(clock) == FALL;
  default: return false;
  }
}

bool sense_data_passes(const SenseIndex *index, Slot slot, ClockEdge launch)
{
  return find(index, slot, launch == NO_CLOCK_EDGE ? NO_CLOCK : clock_edge_clock(launch), true)
         == NULL;
}
