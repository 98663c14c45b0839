/* See engine/flat_follow.h. */
#include "engine/flat_follow.h"

#include "engine/timing.h"

#define MAKE(type, field, count) type *field = mem_alloc_zero((size_t)(count) + 1, sizeof *field); f->field = field

/* By set of tags: is one of a clock among them? */
static uint8_t *clock_sets(const Graph *g)
{
  uint32_t count = g->tags->set_first.len - 1;
  uint8_t *clocks = mem_alloc_zero((size_t)count + 1, 1);
  for (uint32_t set = 0; set < count; set++) {
    const TagId *tags = tag_set_tags(g->tags, set);
    for (uint32_t i = 0; i < tag_set_count(g->tags, set); i++) clocks[set] |= g->tags->tags.at[tags[i]].is_clock;
  }
  return clocks;
}

static void put_slots(FlatFollow *f, const Graph *g)
{
  MAKE(uint32_t, slot_level, f->slot_count);
  MAKE(uint32_t, net_driver, f->slot_count);
  MAKE(uint8_t, slot_stops, f->slot_count);
  uint8_t *clocks = clock_sets(g);
#pragma omp parallel for schedule(static, 4096)
  for (Slot s = 0; s < g->slot_count; s++) {
    slot_level[s] = g->slot_level[s];
    net_driver[s] = slot_is_driver(g, s) ? s : g->wire_driver[s] == NO_SLOT ? FLAT_NONE : g->wire_driver[s];
    slot_stops[s] = (g->slot_flags[s] & SLOT_CLOCK_PIN) != 0 || clocks[g->slot_tags[s]];
  }
  mem_free(clocks);
}

/* What the lists of a net take. */
static void count_most(FlatFollow *f, const Graph *g)
{
  for (Slot s = 0; s < g->slot_count; s++) {
    Slot first = g->load_first[s], end = first + g->load_count[s];
    uint32_t nodes = g->node_first[s + 1] - g->node_first[s];
    if (!slot_is_driver(g, s)) continue;
    if (g->load_count[s]) nodes += g->node_first[end] - g->node_first[first];
    if (g->load_count[s] + 1 > f->most_slots) f->most_slots = g->load_count[s] + 1;
    if (nodes > f->most_nodes) f->most_nodes = nodes;
  }
}

FlatFollow *flat_follow_new(const Flat *flat, const Timing *t)
{
  FlatFollow *f = mem_alloc_zero(1, sizeof *f);
  *f = (FlatFollow){ .slot_count = flat->slot_count, .driver_count = flat->driver_count, .level_count = flat->level_count,
                     .row_count = flat->row_count, .check_count = flat->check_count, .slot_first_out = flat->slot_first_out };
  put_slots(f, t->g);
  count_most(f, t->g);
  return f;
}

void flat_follow_free(FlatFollow *f)
{
  if (f == NULL) return;
  const void *own[] = { f->slot_level, f->net_driver, f->slot_stops };
  for (size_t i = 0; i < sizeof own / sizeof *own; i++) mem_free((void *)own[i]);
  mem_free(f);
}
