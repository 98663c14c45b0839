/* Latches that reach their own data through transparent latches.  They are strongly connected
   components of the graph that includes the latches' data arcs (Tarjan's algorithm with an explicit
   stack). */
#include "query/lint_private.h"

typedef struct { Slot slot; uint32_t next; } Frame;

typedef struct {
  const Graph *g;
  uint32_t *number, *low;            /* by slot; number 0: not seen */
  uint32_t *part;                    /* by slot: its part, 0 while it is open */
  uint32_t  count, parts;
  ARRAY(Frame) frames;
  ARRAY(Slot) open;
} Search;

/* The index-th slot that follows one; NO_SLOT at the end.  Launching arcs begin new paths. */
static Slot successor(const Graph *g, Slot s, uint32_t index)
{
  if (slot_is_driver(g, s)) {
    if (index < g->nets.load_count[s]) return g->nets.load_first[s] + index;
    index -= g->nets.load_count[s];
    DriverExtras it = driver_extras(g, s);
    while (driver_extras_next(&it))
      if (index-- == 0) return g->nets.extra_wires.at[it.index].load;
  }
  for (uint32_t i = g->arcs.out_first[s]; i < g->arcs.out_first[s + 1]; i++) {
    ArcId a = g->arcs.out[i];
    if (!arc_on(g, a) || graph_arc_is_launch(g, a)) continue;
    if (index-- == 0) return g->arcs.to[a];
  }
  return NO_SLOT;
}

static void enter(Search *search, Slot slot)
{
  search->number[slot] = search->low[slot] = ++search->count;
  array_push(&search->frames, (Frame){ slot, 0 });
  array_push(&search->open, slot);
}

static void close_part(Search *search, Slot root)
{
  search->parts++;
  for (Slot at = NO_SLOT; at != root;) {
    at = search->open.at[--search->open.len];
    search->part[at] = search->parts;
  }
}

static void leave(Search *search)
{
  Slot slot = search->frames.at[--search->frames.len].slot;
  if (search->low[slot] == search->number[slot]) close_part(search, slot);
  if (search->frames.len == 0) return;
  Slot before = search->frames.at[search->frames.len - 1].slot;
  if (search->low[slot] < search->low[before]) search->low[before] = search->low[slot];
}

static void search_from(Search *search, Slot start)
{
  enter(search, start);
  while (search->frames.len) {
    Frame *frame = &search->frames.at[search->frames.len - 1];
    Slot here = frame->slot, to = successor(search->g, here, frame->next++);
    if (to == NO_SLOT) leave(search);
    else if (search->number[to] == 0) enter(search, to);
    else if (search->part[to] == 0 && search->number[to] < search->low[here])
      search->low[here] = search->number[to];
  }
}

void lint_latch_loops(const Graph *g, ObjectArray *out)
{
  size_t bytes = sizeof(uint32_t) * ((size_t)g->slots.count + 1);
  Search s = { .g = g,
               .number = mem_alloc_zero(bytes, 1),
               .low = mem_alloc_zero(bytes, 1),
               .part = mem_alloc_zero(bytes, 1) };
  uint8_t *in_loop = mem_alloc_zero((size_t)g->netlist->insts.len + 1, 1);
  for (uint32_t i = 0; i < g->arcs.latches.len; i++) {
    const Latch *latch = &g->arcs.latches.at[i];
    if (s.number[latch->data] == 0) search_from(&s, latch->data);
  }
  for (uint32_t i = 0; i < g->arcs.latches.len; i++) {
    const Latch *latch = &g->arcs.latches.at[i];
    if (s.part[latch->data] == s.part[latch->output])
      in_loop[g->netlist->pins.at[g->slots.pin[latch->data]].inst] = 1;
  }
  for (InstId i = 0; i < g->netlist->insts.len; i++)
    if (in_loop[i]) array_push(out, (Object){ OBJ_CELL, i });
  mem_free(in_loop);
  mem_free(s.number);
  mem_free(s.low);
  mem_free(s.part);
  array_free(&s.frames);
  array_free(&s.open);
}
