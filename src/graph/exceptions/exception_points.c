/* Lists the through points of exceptions by slot, and what happens to the progress of a path at
   each slot. */
#include <stdlib.h>

#include "graph/exceptions/exceptions_private.h"
#include "graph/hierarchy.h"

static void add_slot(SlotPoints *list, Slot slot, ThroughPoint point)
{
  if (slot != NO_SLOT) array_push(list, (SlotPoint){ slot, point });
}

typedef struct {
  SlotPoints  *list;
  ThroughPoint point;
} CrossingPoint;

static void add_crossing_load(void *data, Slot load)
{
  CrossingPoint *point = data;
  add_slot(point->list, load, point->point);
}

static void add_crossing(const Graph *g, SlotPoints *list, PinId pin, ThroughPoint point)
{
  point.wire = true;
  CrossingPoint x = { list, point };
  graph_crossing_loads(g, pin, add_crossing_load, &x);
}

static void add_net_loads(const Graph *g, SlotPoints *list, NetId net, ThroughPoint point)
{
  NetPins it = net_pins(g->netlist, net, false);
  point.wire = true;
  for (PinId p; (p = net_pins_next(&it)) != NO_PIN;)
    if (g->slots.of_pin[p] != NO_SLOT && !slot_is_driver(g, g->slots.of_pin[p]))
      add_slot(list, g->slots.of_pin[p], point);
}

/* Returns the slot of an output, for -through a leaf cell. A path goes through the cell if it
   leaves the cell, so the outputs stand for the cell. -rise_through a cell means the rising edge of
   its output, and a path that ends at the cell does not go through it. */
static Slot output_slot(const Graph *g, PinId pin)
{
  Slot slot = graph_slot(g, pin, true);
  return slot != NO_SLOT && slot_is_driver(g, slot) ? slot : NO_SLOT;
}

static void add_through_object(const Graph *g, SlotPoints *list, Object o, ThroughPoint point)
{
  const Netlist *n = g->netlist;
  o = object_as_pin(o);
  if (o.type == OBJ_PIN && pin_is_hierarchical(n, o.id)) {
    add_crossing(g, list, o.id, point);
  } else if (o.type == OBJ_PIN) {
    Slot driver = graph_slot(g, o.id, true);                 /* inout pins have two sides */
    add_slot(list, g->slots.of_pin[o.id], point);
    if (driver != g->slots.of_pin[o.id]) add_slot(list, driver, point);
  } else if (o.type == OBJ_NET) {
    add_net_loads(g, list, n->segs.at[o.id].net, point);
  } else if (o.type == OBJ_CELL) {
    const Inst *in = &n->insts.at[o.id];
    for (PinId p = in->first_pin; p < in->first_pin + in->pin_count; p++) {
      if (pin_is_hierarchical(n, p)) add_crossing(g, list, p, point);
      else add_slot(list, output_slot(g, p), point);
    }
  }
}

/* Returns the indices of the records, ordered by slot. Records of one slot keep their order. */
static uint32_t *order_by_slot(const Slot *slot, uint32_t count, uint32_t slot_count)
{
  uint32_t *first = mem_alloc_zero((size_t)slot_count + 2, sizeof *first),
           *order = mem_alloc(sizeof *order * ((size_t)count + 1));
  for (uint32_t i = 0; i < count; i++) first[slot[i] + 1]++;
  for (Slot s = 0; s < slot_count; s++) first[s + 1] += first[s];
  for (uint32_t i = 0; i < count; i++) order[first[slot[i]]++] = i;
  mem_free(first);
  return order;
}

static void add_exception_points(ExceptionIndex *index, uint32_t e)
{
  const Exception *exc = &index->c->exceptions.at[e];
  for (uint32_t i = 0; i < exc->through.len; i++)
    for (uint32_t k = 0; k < exc->through.at[i].objects.len; k++)
      add_through_object(index->g, &index->by_exception, exc->through.at[i].objects.at[k],
                         (ThroughPoint){ e, i, exc->through.at[i].edges, false });
}

/* Sorts the points of each slot by exception and index. */
static void sort_points(ExceptionIndex *index)
{
  uint32_t count = index->by_exception.len;
  if (count == 0) return;
  Slot *slot = mem_alloc(sizeof *slot * count);
  for (uint32_t i = 0; i < count; i++) slot[i] = index->by_exception.at[i].slot;
  uint32_t *order = order_by_slot(slot, count, index->g->slots.count);
  array_reserve(&index->by_slot, count);
  for (uint32_t i = 0; i < count; i++)
    array_push(&index->by_slot, index->by_exception.at[order[i]]);
  index->first_at_slot =
      mem_alloc_zero((size_t)index->g->slots.count + 1, sizeof *index->first_at_slot);
  for (uint32_t i = 0; i < count; i++) index->first_at_slot[slot[i] + 1]++;
  for (Slot s = 0; s < index->g->slots.count; s++)
    index->first_at_slot[s + 1] += index->first_at_slot[s];
  mem_free(order);
  mem_free(slot);
}

void index_through_points(ExceptionIndex *index)
{
  index->first_point =
      mem_alloc_zero((size_t)index->c->exceptions.len + 1, sizeof *index->first_point);
  for (uint32_t e = 0; e < index->c->exceptions.len; e++) {
    if (exception_counts(index, e)) add_exception_points(index, e);
    index->first_point[e + 1] = index->by_exception.len;
  }
  sort_points(index);
}

const SlotPoint *exception_points_at(const ExceptionIndex *index, Slot slot, uint32_t *count)
{
  *count = index->first_at_slot ? index->first_at_slot[slot + 1] - index->first_at_slot[slot] : 0;
  return *count ? index->by_slot.at + index->first_at_slot[slot] : NULL;
}

/* --- acts ------------------------------------------------------------------------------------- */
static void sort_drops(const Graph *g, Drops *list)
{
  Slot *slot = mem_alloc(sizeof *slot * ((size_t)list->len + 1));
  for (uint32_t i = 0; i < list->len; i++) slot[i] = list->at[i].slot;
  uint32_t *order = order_by_slot(slot, list->len, g->slots.count);
  Drops sorted = { 0 };
  array_reserve(&sorted, list->len);
  for (uint32_t i = 0; i < list->len; i++) array_push(&sorted, list->at[order[i]]);
  array_free(list);
  *list = sorted;
  mem_free(order);
  mem_free(slot);
}

/* Compares an act with the one under construction, whose points and drops are at the ends of the
   index's arrays. */
static bool same_act(const ExceptionIndex *index, const Act *a, const Act *b)
{
  if (a->points != b->points || a->drops != b->drops) return false;
  for (uint32_t i = 0; i < a->points; i++) {
    const ThroughPoint *p = &index->points.at[a->first_point + i],
                       *q = &index->points.at[b->first_point + i];
    if (p->exception != q->exception || p->index != q->index || p->edges != q->edges
        || p->wire != q->wire)
      return false;
  }
  return a->drops == 0
         || memcmp(index->drops.at + a->first_drop, index->drops.at + b->first_drop,
                   a->drops * sizeof *index->drops.at)
                == 0;
}

static uint64_t act_key(const ExceptionIndex *index, const Act *act)
{
  uint64_t key = 0;
  for (uint32_t i = 0; i < act->points; i++) {
    const ThroughPoint *point = &index->points.at[act->first_point + i];
    key = hash_u64(key
                   ^ hash_pair(point->exception,
                               point->index << 3 | (uint32_t)point->wire << 2 | point->edges));
  }
  if (act->drops)
    key ^= hash_bytes((const char *)(index->drops.at + act->first_drop),
                      act->drops * sizeof *index->drops.at);
  return hash_u64(key) >> 1;
}

/* Returns the edges whose data paths end at the slot, because the slot is the only point of a false
   path. */
static uint8_t ending_edges(const ExceptionIndex *index, const Act *act)
{
  uint8_t edges = 0;
  for (uint32_t i = 0; i < act->points; i++) {
    const ThroughPoint *point = &index->points.at[act->first_point + i];
    const Exception *exception = &index->c->exceptions.at[point->exception];
    if (!exception->has_from && exception->through.len == 1 && exception_ends_path(exception))
      edges |= point->edges;
  }
  return index->trace ? 0 : edges;         /* a trace follows each path to its end */
}

static uint32_t intern_act(ExceptionIndex *index, Map *known, Act a)
{
  uint64_t key = act_key(index, &a);
  for (;; key++) {
    uint32_t i = map_get(known, key);
    if (i == MAP_NO_VALUE) break;
    if (!same_act(index, &index->acts.at[i], &a)) continue;
    index->points.len = a.first_point;
    index->drops.len = a.first_drop;
    return i;
  }
  a.ends = ending_edges(index, &a);
  array_push(&index->acts, a);
  map_put(known, key, index->acts.len - 1);
  return index->acts.len - 1;
}

/* Collects the points and drops of one slot.  d advances over the drops, which are sorted by
   slot. */
static void add_act(ExceptionIndex *index, Map *known, Slot slot, const Drops *drops, uint32_t *d)
{
  Act a = { .first_point = index->points.len, .first_drop = index->drops.len };
  const SlotPoint *at = exception_points_at(index, slot, &a.points);
  for (uint32_t i = 0; i < a.points; i++) array_push(&index->points, at[i].point);
  for (; *d < drops->len && drops->at[*d].slot == slot; (*d)++)
    array_push(&index->drops, drops->at[*d].item);
  a.drops = index->drops.len - a.first_drop;
  if (a.points || a.drops) index->act[slot] = intern_act(index, known, a);
}

void index_acts(ExceptionIndex *index, Drops *drops)
{
  array_push(&index->acts, (Act){ 0 });
  if (index->by_slot.len == 0 && drops->len == 0) return;
  if (drops->len) sort_drops(index->g, drops);
  Map *known = map_new();
  index->act = mem_alloc_zero((size_t)index->g->slots.count + 1, sizeof *index->act);
  uint32_t d = 0;
  for (Slot s = 0; s < index->g->slots.count; s++) add_act(index, known, s, drops, &d);
  map_free(known);
}

/* --- ends ------------------------------------------------------------------------------------- */
static void visit_pin(const Graph *g, PinId pin, void (*visit)(void *, Slot), void *data)
{
  Slot load = graph_slot(g, pin, false), driver = graph_slot(g, pin, true);
  if (load != NO_SLOT) visit(data, load);
  if (driver != NO_SLOT && driver != load) visit(data, driver);
}

typedef struct {
  const Graph *g;
  void (*visit)(void *, Slot);
  void *data;
} EndSlots;

static void visit_leaf(void *data, InstId leaf)
{
  const EndSlots *slots = data;
  const Inst *in = &slots->g->netlist->insts.at[leaf];
  for (PinId p = in->first_pin; p < in->first_pin + in->pin_count; p++)
    visit_pin(slots->g, p, slots->visit, slots->data);
}

static void visit_behind(const EndSlots *slots, PinId hierarchical)
{
  PinArray pins = { 0 };
  hierarchy_pins_behind(slots->g->netlist, hierarchical, &pins);
  for (uint32_t i = 0; i < pins.len; i++)
    visit_pin(slots->g, pins.at[i], slots->visit, slots->data);
  array_free(&pins);
}

void exception_end_slots(const Graph *g, Object o, void (*visit)(void *, Slot), void *data)
{
  EndSlots x = { g, visit, data };
  o = object_as_pin(o);
  if (o.type == OBJ_CELL) netlist_each_leaf(g->netlist, o.id, visit_leaf, &x);
  else if (o.type == OBJ_PIN && pin_is_hierarchical(g->netlist, o.id)) visit_behind(&x, o.id);
  else if (o.type == OBJ_PIN) visit_pin(g, o.id, visit, data);
}
