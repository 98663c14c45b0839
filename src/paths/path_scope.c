/* Decides which states count for a query, and computes the arrivals of those that can complete. */
#include <math.h>

#include "timing/credit.h"
#include "base/interrupt.h"
#include "base/sort.h"
#include "timing/derived.h"
#include "graph/exceptions/exceptions.h"
#include "graph/hierarchy.h"
#include "paths/path_private.h"
#include "timing/slack.h"

/* Points that a slot is one of, by edge: bit i for set i. Set 0 is -from where starts are
   restricted: it is passed where a path starts alone, so its bit is in no mask. What begins at the
   slot does not pass the wire before it. */
typedef struct {
  uint32_t mask[2];
  uint32_t wire[2];                 /* of these, the points that are on the wire alone: nets,
                                       hierarchical pins */
  bool     start[2];
} PointBits;

struct PathScope {
  const Timing *t;
  const PathQuery *query;
  int      early_late;
  bool     limited;                 /* layers count; else every path of a path end that matches */
  uint32_t sets;                    /* points to pass */
  bool     from_is_set;             /* set 0 is -from */
  uint8_t *from_clock, *to_clock;   /* [clocks]: masks of edges; NULL: none named */
  Map     *bits_of;                 /* slot -> index in point_bits */
  ARRAY(PointBits) point_bits;
  bool     has_to;
  Map     *to_slot;                 /* slot -> mask of edges */
  SlotList ends;                    /* its slots; ascending once all are in */
  SlotList passed, last;            /* slots of -through points; of the last set */
  SlotList slots;                   /* limited: with states that complete, ascending; before they
                                       are known, that may */
  uint32_t *alive;                  /* [slots]: layers from which a path completes */
  uint32_t *first;                  /* [slots]: into arrival */
  float   *arrival;                 /* by node, edge, layer of a slot */
  uint32_t state_count;             /* of these */
  Fronts  *fronts;                  /* likewise; NULL: no common path credit */
  Gather   gather;                  /* of a node's edge, by layer */
  FaninList fanins;
};

static float absent(const PathScope *scope)
{
  return scope->early_late == LATE ? ABSENT_LATE : ABSENT_EARLY;
}
static bool better(const PathScope *scope, float a, float than)
{
  return scope->early_late == LATE ? a > than : a < than;
}

static bool clock_matches(const uint8_t *clocks, ClockEdge e)
{
  return clocks && e != NO_CLOCK_EDGE && clocks[clock_edge_clock(e)] >> clock_edge_edge(e) & 1;
}

/* --- objects to slots ------------------------------------------------------------------------- */
/* Where the objects of an option are stored: in the points of a set, or in the ends. */
typedef struct {
  PathScope *scope;
  bool     to;
  bool     wire;
  uint32_t set;
  uint8_t  edges;
} Target;

static bool is_start_set(const Target *target)
{
  return !target->to && target->set == 0 && target->scope->from_is_set;
}

static void add_bits(PointBits *bits, const Target *target, int edge)
{
  uint32_t bit = 1u << target->set;
  if (is_start_set(target)) {
    bits->start[edge] = true;
    return;
  }
  if (!(bits->mask[edge] & bit)) bits->wire[edge] |= bit;
  if (!target->wire) bits->wire[edge] &= ~bit;
  bits->mask[edge] |= bit;
}

static void add_slot(const Target *target, Slot slot)
{
  PathScope *scope = target->scope;
  if (slot == NO_SLOT) return;
  if (target->to) {
    uint32_t have = map_get(scope->to_slot, slot);
    if (have == MAP_NO_VALUE) array_push(&scope->ends, slot);
    map_put(scope->to_slot, slot, (have == MAP_NO_VALUE ? 0 : have) | target->edges);
    return;
  }
  if (target->set + 1 == scope->sets) array_push(&scope->last, slot);
  if (target->set >= scope->from_is_set) array_push(&scope->passed, slot);
  uint32_t i = map_get(scope->bits_of, slot);
  if (i == MAP_NO_VALUE) {
    i = scope->point_bits.len;
    array_push(&scope->point_bits, (PointBits){ { 0, 0 }, { 0, 0 }, { false, false } });
    map_put(scope->bits_of, slot, i);
  }
  for (int edge = RISE; edge <= FALL; edge++)
    if (target->edges >> edge & 1) add_bits(&scope->point_bits.at[i], target, edge);
}

static void add_leaf_pin(const Target *target, PinId pin)
{
  const Graph *g = target->scope->t->g;
  Slot load = graph_slot(g, pin, false), driver = graph_slot(g, pin, true);
  add_slot(target, load);
  if (driver != load) add_slot(target, driver);
}

static void add_named_slot(void *target, Slot slot) { add_slot(target, slot); }

static void add_net(const Target *target, NetId net)
{
  const Graph *g = target->scope->t->g;
  Target wire = *target;
  wire.wire = true;
  NetPins it = net_pins(g->netlist, net, false);
  for (PinId p; (p = net_pins_next(&it)) != NO_PIN;)
    if (g->slots.of_pin[p] != NO_SLOT && !slot_is_driver(g, g->slots.of_pin[p]))
      add_slot(&wire, g->slots.of_pin[p]);
}

static void add_pin(const Target *target, PinId pin)
{
  Target wire = *target;
  wire.wire = true;
  if (pin_is_hierarchical(target->scope->t->g->netlist, pin))
    graph_crossing_loads(target->scope->t->g, pin, add_named_slot, &wire);
  else add_leaf_pin(target, pin);
}

/* A path goes through a leaf cell where it leaves it, as for exceptions. */
static void add_cell(const Target *target, InstId inst)
{
  const Graph *g = target->scope->t->g;
  const Inst *in = &g->netlist->insts.at[inst];
  for (PinId p = in->first_pin; p < in->first_pin + in->pin_count; p++) {
    Slot driver = graph_slot(g, p, true);
    if (pin_is_hierarchical(g->netlist, p)) add_pin(target, p);
    else if (driver != NO_SLOT && slot_is_driver(g, driver)) add_slot(target, driver);
  }
}

/* A hierarchical cell stands for the endpoints inside it.  A pin in the middle of a path is not an
   endpoint, constrained or not. */
static void add_leaf_ends(void *target, InstId leaf)
{
  const Target *the_target = target;
  const Graph *g = the_target->scope->t->g;
  const Inst *in = &g->netlist->insts.at[leaf];
  for (PinId p = in->first_pin; p < in->first_pin + in->pin_count; p++)
    if (g->slots.of_pin[p] != NO_SLOT && query_is_end(g, g->slots.of_pin[p]))
      add_leaf_pin(the_target, p);
}

/* -from and -to name the places that exceptions mean by the same objects. */
static void add_object(const Target *target, Object o)
{
  const Graph *g = target->scope->t->g;
  bool block = o.type == OBJ_CELL && !inst_is_leaf(g->netlist, o.id);
  if (target->to && block) netlist_each_leaf(g->netlist, o.id, add_leaf_ends, (void *)target);
  else if (target->to || is_start_set(target))
    exception_end_slots(g, o, add_named_slot, (void *)target);
  else if (o.type == OBJ_CELL) add_cell(target, o.id);
  else if (o.type == OBJ_NET) add_net(target, g->netlist->segs.at[o.id].net);
  else if (o.type == OBJ_PIN || o.type == OBJ_PORT) add_pin(target, o.id);
}

static void add_objects(Target t, const PathObjects *objects, uint8_t **clocks)
{
  for (uint32_t i = 0; i < objects->len && !interrupt_seen(); i++) {
    Object o = objects->at[i].object;
    t.edges = objects->at[i].edges;
    if (o.type != OBJ_CLOCK) {
      add_object(&t, o);
      continue;
    }
    if (*clocks == NULL) *clocks = mem_alloc_zero(t.scope->t->constraints->clocks.len, 1);
    (*clocks)[o.id] |= t.edges;
  }
}

static bool only_clocks(const PathObjects *objects)
{
  for (uint32_t i = 0; i < objects->len; i++)
    if (objects->at[i].object.type != OBJ_CLOCK) return false;
  return true;
}

/* --- layers ----------------------------------------------------------------------------------- */
static const PointBits *bits_at(const PathScope *scope, Slot slot)
{
  uint32_t i = map_get(scope->bits_of, slot);
  return i == MAP_NO_VALUE ? NULL : &scope->point_bits.at[i];
}

static uint8_t advance(const PointBits *bits, int edge, uint32_t layer)
{
  while (bits && bits->mask[edge] >> layer & 1) layer++;
  return (uint8_t)layer;
}

static ClockEdge launch_of(const PathScope *scope, Slot slot, NodeId node)
{
  return scope->t->g->tags->tags.at[graph_node_tag(scope->t->g, slot, node)].clock_edge;
}

/* Like advance, for paths that begin at the slot. */
static uint8_t advance_begun(const PointBits *bits, int edge, uint32_t layer)
{
  while (bits && (bits->mask[edge] & ~bits->wire[edge]) >> layer & 1) layer++;
  return (uint8_t)layer;
}

/* Layer of a path that starts at a slot, launched by a clock edge. */
static uint8_t start_layer(const PathScope *scope, Slot slot, int edge, ClockEdge launch)
{
  if (!scope->limited) return 0;
  const PointBits *bits = bits_at(scope, slot);
  return advance_begun(
      bits, edge,
      scope->from_is_set
          && (clock_matches(scope->from_clock, launch) || (bits && bits->start[edge])));
}

static size_t state_index(const PathScope *scope, PathState at)
{
  uint32_t local = at.node - scope->t->g->nodes.first[at.slot];
  return scope->first[at.slot] + ((size_t)local * 2 + at.edge) * (scope->sets + 1) + at.layer;
}

/* The counterpart of common_arrival for a limited scope. */
static float credited_arrival(const PathScope *scope, PathState at)
{
  uint32_t count, index = 0;
  const CommonItem *items = fronts_get(scope->fronts, state_index(scope, at), &count);
  if (count == 0) return scope->arrival[state_index(scope, at)];
  return common_badness(common_worst(&scope->t->common->view, items, count, at.capture, &index),
                        scope->early_late);
}

float path_scope_arrival(const PathScope *scope, PathState at)
{
  uint32_t launch;
  int condition = condition_of(scope->early_late, at.edge);
  if (scope->limited && !(scope->alive[at.slot] >> at.layer & 1)) return absent(scope);
  if (at.capture == 0)
    return scope->limited ? scope->arrival[state_index(scope, at)]
                          : scope->t->arrival[at.node].v[condition];
  return scope->limited
             ? credited_arrival(scope, at)
             : common_arrival(scope->t, at.slot, at.node, condition, at.capture, &launch);
}

float path_scope_credit(const PathScope *scope, uint32_t leaf, PathState at)
{
  return at.capture && leaf ? common_credit(&scope->t->common->view, leaf, at.capture) : 0;
}

/* A clock that ends as data has the credit of its place, which every path to it has: the path
   end's slack holds it.  A latch's capture is that edge of it which the worst slack meets. */
PathState path_scope_end(const PathScope *scope, PathEndId id, int edge)
{
  const PathEnd *path_end = &scope->t->g->ends.path_ends.at[id];
  PathState end = { path_end->slot, path_end->data, (uint8_t)edge, (uint8_t)scope->sets, 0 };
  if (!common_active(scope->t) || graph_node_is_clock(scope->t->g, path_end->slot, path_end->data))
    return end;
  LatchTimes due = { 0 };
  if (path_end->type == END_LATCH_SETUP) due = timing_latch_times(scope->t, path_end, edge);
  end.capture = path_end->type == END_LATCH_SETUP
                    ? due.closes
                    : common_end_capture(scope->t, path_end, edge).leaf;
  if (due.opens != due.closes && !latch_is_late(due, path_scope_arrival(scope, end)))
    end.capture = due.opens;
  return end;
}

int path_scope_early_late(const PathScope *scope) { return scope->early_late; }
uint32_t path_scope_state_index(const PathScope *scope, PathState at)
{
  return scope->limited ? (uint32_t)state_index(scope, at) : 2 * at.node + at.edge;
}
uint32_t path_scope_slots(const PathScope *scope)
{
  return scope->limited ? scope->slots.len : scope->t->g->slots.count;
}
Slot path_scope_slot(const PathScope *scope, uint32_t i)
{
  return scope->limited ? scope->slots.at[i] : i;
}

/* Clocks of -to capture anywhere. */
static bool ends_are_named(const PathScope *scope)
{
  return scope->has_to && scope->to_clock == NULL;
}

uint32_t path_scope_ends(const PathScope *scope)
{
  return ends_are_named(scope) ? scope->ends.len : path_scope_slots(scope);
}
Slot path_scope_end_slot(const PathScope *scope, uint32_t i)
{
  return ends_are_named(scope) ? scope->ends.at[i] : path_scope_slot(scope, i);
}
uint32_t path_scope_first_state(const PathScope *scope, uint32_t i)
{
  if (i == path_scope_slots(scope)) return path_scope_state_count(scope);
  return scope->limited ? scope->first[scope->slots.at[i]] : 2 * scope->t->g->nodes.first[i];
}
uint32_t path_scope_layers(const PathScope *scope) { return scope->sets + 1; }
bool path_scope_limited(const PathScope *scope) { return scope->limited; }
const Graph *path_scope_graph(const PathScope *scope) { return scope->t->g; }
uint32_t path_scope_state_count(const PathScope *scope)
{
  return scope->limited ? scope->state_count : 2 * scope->t->g->nodes.count;
}
uint32_t path_scope_final(const PathScope *scope) { return scope->sets; }

/* --- the cone: layers reached from a start and completed at an end, whatever the edges -------- */
static uint32_t edges_anyhow(const PointBits *bits)
{
  return bits ? bits->mask[0] | bits->mask[1] : 0;
}

/* Returns the layers after a slot whose points may be passed or, with the other edge, not. */
static uint32_t spread_forward(uint32_t layers, uint32_t points)
{
  for (uint32_t more = 0; points && more != layers;) {
    more = layers;
    layers |= (layers & points) << 1;
  }
  return layers;
}

static uint32_t spread_backward(uint32_t layers, uint32_t points)
{
  for (uint32_t more = 0; points && more != layers;) {
    more = layers;
    layers |= layers >> 1 & points;
  }
  return layers;
}

typedef struct {
  const PathScope *scope;
  uint32_t *masks;
  const uint32_t *forward;          /* for backward marks: the slots that are reached */
} Marks;
typedef void (*VisitSource)(const Marks *marks, Slot to, Slot from, bool launch);

/* Calls visit for every slot that a link into a slot comes from. */
static void each_source(const Marks *marks, Slot slot, VisitSource visit)
{
  const Graph *g = marks->scope->t->g;
  if (!slot_is_driver(g, slot)) {
    uint32_t from, to;
    if (g->nets.wire_driver[slot] != NO_SLOT) visit(marks, slot, g->nets.wire_driver[slot], false);
    graph_extra_wires(g, slot, &from, &to);
    for (uint32_t i = from; i < to; i++)
      visit(marks, slot, g->nets.extra_wires.at[i].driver, false);
    return;
  }
  for (ArcId a = g->arcs.first[slot]; a < g->arcs.first[slot + 1]; a++) {
    if (!arc_on(g, a)) continue;
    visit(marks, slot, g->arcs.from[a], graph_arc_is_launch(g, a) || g->arcs.flags[a] & ARC_LATCH);
  }
}

/* Layers of any path that starts at a slot: a clock named by -from may launch it. */
static uint32_t start_layers(const PathScope *scope, Slot slot)
{
  const PointBits *bits = bits_at(scope, slot);
  return spread_forward(scope->from_clock || (bits && (bits->start[RISE] || bits->start[FALL])) ? 3
                                                                                                : 1,
                        edges_anyhow(bits));
}

static void gather_forward(const Marks *marks, Slot to, Slot from, bool launch)
{
  marks->masks[to] |= launch ? start_layers(marks->scope, from) : marks->masks[from];
}

static void mark_forward(const Marks *marks)
{
  const Graph *g = marks->scope->t->g;
  for (uint32_t i = 0; i < marks->scope->slots.len && !interrupt_seen(); i++) {
    Slot slot = marks->scope->slots.at[i];
    if (g->slots.flags[slot] & SLOT_SEED) marks->masks[slot] |= start_layers(marks->scope, slot);
    each_source(marks, slot, gather_forward);
    marks->masks[slot] =
        spread_forward(marks->masks[slot], edges_anyhow(bits_at(marks->scope, slot)));
  }
}

static void give_backward(const Marks *marks, Slot to, Slot from, bool launch)
{
  if (!launch)
    marks->masks[from] |= spread_backward(marks->masks[to], edges_anyhow(bits_at(marks->scope, to)))
                          & marks->forward[from];
}

static bool slot_may_end(const PathScope *scope, Slot slot)
{
  const Graph *g = scope->t->g;
  for (PathEndId r = g->ends.first_end[slot]; r < g->ends.first_end[slot + 1]; r++)
    if (path_scope_path_end(scope, r, RISE) || path_scope_path_end(scope, r, FALL)) return true;
  if (!scope->query->unconstrained) return false;
  for (NodeId n = g->nodes.first[slot]; n < g->nodes.first[slot + 1]; n++)
    if (path_scope_free_end(scope, slot, n, RISE) || path_scope_free_end(scope, slot, n, FALL))
      return true;
  return false;
}

static void mark_backward(const Marks *marks)
{
  const PathScope *scope = marks->scope;
  for (uint32_t i = scope->slots.len; i-- > 0 && !interrupt_seen();) {
    Slot slot = scope->slots.at[i];
    if (marks->forward[slot] >> scope->sets & 1 && slot_may_end(scope, slot))
      marks->masks[slot] |= 1u << scope->sets;
    if (marks->masks[slot]) each_source(marks, slot, give_backward);
  }
}

/* --- arrivals of the cone --------------------------------------------------------------------- */
static void merge_into(PathScope *scope, PathState at, float arrival, uint32_t leaf)
{
  if (!(scope->alive[at.slot] >> at.layer & 1)) return;
  float *have = &scope->arrival[state_index(scope, at)];
  if (better(scope, arrival, *have)) *have = arrival;
  if (scope->fronts)
    gather_add(&scope->gather, at.layer,
               (CommonItem){ common_badness(arrival, scope->early_late), leaf });
}

/* Returns what a link brings from a state: each item of its front or, without a front, its
   arrival. */
static void merge_from(PathScope *scope, PathState at, PathState from, float delay)
{
  gather_source(&scope->gather);
  uint32_t count = 0;
  const CommonItem *items = NULL;
  if (scope->fronts && scope->alive[from.slot] >> from.layer & 1)
    items = fronts_get(scope->fronts, state_index(scope, from), &count);
  for (uint32_t i = 0; i < count; i++)
    merge_into(scope, at, common_badness(items[i].badness, scope->early_late) + delay,
               items[i].leaf);
  float start = path_scope_arrival(scope, from);
  if (count == 0 && !time_absent(start)) merge_into(scope, at, start + delay, 0);
}

static void merge_link(PathScope *scope, PathState at, const Fanin *in, const PointBits *bits)
{
  gather_source(&scope->gather);
  if (in->slot == NO_SLOT) {
    at.layer = start_layer(scope, at.slot, at.edge, launch_of(scope, at.slot, at.node));
    merge_into(scope, at, in->delay, in->leaf);
    return;
  }
  if (in->launch) {
    at.layer = advance(bits, at.edge,
                       start_layer(scope, in->slot, in->edge, launch_of(scope, at.slot, at.node)));
    merge_into(scope, at, in->start + in->delay, in->leaf);
    return;
  }
  for (uint32_t layer = 0; layer <= scope->sets; layer++) {
    at.layer = advance(bits, at.edge, layer);
    merge_from(scope, at, (PathState){ in->slot, in->node, in->edge, (uint8_t)layer, 0 },
               in->delay);
  }
}

static void put_fronts(PathScope *scope, PathState at)
{
  for (uint32_t layer = 0; layer <= scope->sets; layer++) {
    at.layer = (uint8_t)layer;
    uint32_t count;
    const CommonItem *items = gather_take(&scope->gather, &scope->t->common->view, layer, &count);
    if (scope->alive[at.slot] >> layer & 1)
      fronts_put(scope->fronts, 0, state_index(scope, at), items, count);
  }
}

static void slot_arrivals(PathScope *scope, Slot slot)
{
  const Graph *g = scope->t->g;
  const PointBits *bits = bits_at(scope, slot);
  for (NodeId n = g->nodes.first[slot]; n < g->nodes.first[slot + 1]; n++)
    for (uint8_t edge = RISE; edge <= FALL; edge++) {
      array_clear(&scope->fanins);
      path_fanins(scope->t, (PathPoint){ .slot = slot, .node = n, .edge = edge }, scope->early_late,
                  &scope->fanins);
      if (scope->fronts) gather_begin(&scope->gather, scope->sets + 1);
      for (uint32_t i = 0; i < scope->fanins.len; i++)
        merge_link(scope, (PathState){ slot, n, edge, 0, 0 }, &scope->fanins.at[i], bits);
      if (scope->fronts) put_fronts(scope, (PathState){ slot, n, edge, 0, 0 });
    }
}

/* Finds where paths that pass the points can be: anywhere, if only clocks may start them. */
static void find_region(PathScope *scope)
{
  if (scope->passed.len || scope->from_clock == NULL) {
    path_region(scope->t->g, &scope->passed, &scope->last, &scope->slots);
    return;
  }
  for (Slot slot = 0; slot < scope->t->g->slots.count; slot++) array_push(&scope->slots, slot);
}

static void limit(PathScope *scope)
{
  const Graph *g = scope->t->g;
  uint32_t *forward = mem_alloc_zero((size_t)g->slots.count + 1, sizeof *forward);
  scope->alive = mem_alloc_zero((size_t)g->slots.count + 1, sizeof *scope->alive);
  scope->first = mem_alloc_zero((size_t)g->slots.count + 1, sizeof *scope->first);
  find_region(scope);
  mark_forward(&(Marks){ scope, forward, NULL });
  mark_backward(&(Marks){ scope, scope->alive, forward });
  mem_free(forward);
  uint32_t count = 0, kept = 0;
  for (uint32_t i = 0; i < scope->slots.len; i++) {
    Slot slot = scope->slots.at[i];
    if (scope->alive[slot] == 0) continue;
    scope->slots.at[kept++] = slot;
    scope->first[slot] = count;
    count += (g->nodes.first[slot + 1] - g->nodes.first[slot]) * 2 * (scope->sets + 1);
  }
  scope->slots.len = kept;
  scope->state_count = count;
  scope->arrival = mem_alloc(sizeof *scope->arrival * ((size_t)count + 1));
  for (uint32_t i = 0; i < count; i++) scope->arrival[i] = absent(scope);
  if (common_active(scope->t)) scope->fronts = fronts_new(count, 1);
  for (uint32_t i = 0; i < kept && !interrupt_seen(); i++) slot_arrivals(scope, scope->slots.at[i]);
}

/* --- life ------------------------------------------------------------------------------------- */
PathScope *path_scope_new(const Timing *t, const PathQuery *query)
{
  PathScope *scope = mem_alloc_zero(1, sizeof *scope);
  *scope = (PathScope){ .t = t,
                        .query = query,
                        .early_late = query->early_late,
                        .bits_of = map_new(),
                        .to_slot = map_new(),
                        .has_to = query->to.len > 0 };
  scope->from_is_set = query->from.len && (query->through.len || !only_clocks(&query->from));
  scope->limited = scope->from_is_set || query->through.len;
  scope->sets = scope->from_is_set + query->through.len;
  add_objects((Target){ .scope = scope, .set = 0 }, &query->from, &scope->from_clock);
  for (uint32_t i = 0; i < query->through.len; i++) {
    uint8_t *none = NULL;
    add_objects((Target){ .scope = scope, .set = scope->from_is_set + i }, &query->through.at[i],
                &none);
    mem_free(none);
  }
  add_objects((Target){ .scope = scope, .to = true }, &query->to, &scope->to_clock);
  sort_items(scope->ends.at, scope->ends.len, sizeof *scope->ends.at, order_uint32);
  if (scope->limited) limit(scope);
  return scope;
}

void path_scope_free(PathScope *scope)
{
  if (scope == NULL) return;
  map_free(scope->bits_of);
  map_free(scope->to_slot);
  array_free(&scope->point_bits);
  array_free(&scope->passed);
  array_free(&scope->last);
  array_free(&scope->ends);
  array_free(&scope->slots);
  mem_free(scope->from_clock);
  mem_free(scope->to_clock);
  mem_free(scope->alive);
  mem_free(scope->first);
  mem_free(scope->arrival);
  fronts_free(scope->fronts);
  gather_free(&scope->gather);
  array_free(&scope->fanins);
  mem_free(scope);
}

/* --- ends ------------------------------------------------------------------------------------- */
static bool slot_matches(const PathScope *scope, Slot slot, int edge)
{
  uint32_t edges = map_get(scope->to_slot, slot);
  return edges != MAP_NO_VALUE && edges >> edge & 1;
}

/* Starts that are clocks alone are told by the tag. */
static bool launch_matches(const PathScope *scope, Slot slot, NodeId node)
{
  if (scope->limited || scope->from_clock == NULL) return true;
  const Graph *g = scope->t->g;
  return clock_matches(scope->from_clock,
                       g->tags->tags.at[graph_node_tag(g, slot, node)].clock_edge);
}

static bool edge_is_wanted(const PathScope *scope, int edge)
{
  return scope->query->end_edges == 0 || scope->query->end_edges >> edge & 1;
}

/* -rise_to and -fall_to of a clock mean the edge of the check, as for exceptions: of a latch the
   closing one. */
static bool capture_matches(const PathScope *scope, const PathEnd *end)
{
  bool opposite = end->type == END_LATCH_SETUP && end->capture_clock != NO_CLOCK_EDGE;
  return clock_matches(scope->to_clock, opposite ? end->capture_clock ^ 1 : end->capture_clock);
}

bool path_scope_path_end(const PathScope *scope, PathEndId id, int edge)
{
  const PathEnd *end = &scope->t->g->ends.path_ends.at[id];
  if (path_end_is_late((PathEndType)end->type) != (scope->early_late == LATE)
      || !(end->edges >> edge & 1) || !edge_is_wanted(scope, edge))
    return false;
  if (scope->has_to && !slot_matches(scope, end->slot, edge) && !capture_matches(scope, end))
    return false;
  return launch_matches(scope, end->slot, end->data);
}

bool path_scope_free_end(const PathScope *scope, Slot slot, NodeId node, int edge)
{
  const Graph *g = scope->t->g;
  if (!edge_is_wanted(scope, edge) || g->by_tag.is_bare[graph_node_tag(g, slot, node)])
    return false;
  if (scope->has_to ? !slot_matches(scope, slot, edge) : !query_is_end(g, slot)) return false;
  bool has = false;
  for (PathEndId r = g->ends.first_end[slot]; r < g->ends.first_end[slot + 1] && !has; r++)
    if (g->ends.path_ends.at[r].data == node
        && path_end_is_late((PathEndType)g->ends.path_ends.at[r].type)
               == (scope->early_late == LATE))
      has = scope->t->end_slack[r].v[edge] < 1e29f;
  return !has && launch_matches(scope, slot, node);
}

/* --- ways into a state ------------------------------------------------------------------------ */
/* At the start of a path, the nodes of a pin differ only in what came before (ways through the
   clock network, data that reached a latch). */
static bool same_way(const PathChoice *a, const PathChoice *b)
{
  return a->in.slot == b->in.slot && a->in.edge == b->in.edge && a->layer == b->layer
         && a->in.launch == b->in.launch && (a->in.launch || a->in.node == b->in.node);
}

static void add_choice(const PathScope *scope, PathChoices *list, PathChoice c)
{
  for (uint32_t i = 0; i < list->len; i++) {
    PathChoice *have = &list->at[i];
    if (!same_way(have, &c)) continue;
    if (better(scope, c.arrival, have->arrival)) *have = c;
    return;
  }
  array_push(list, c);
}

static void link_choices(const PathScope *scope, PathState at, const Fanin *in, PathChoices *list)
{
  const PointBits *bits = scope->limited ? bits_at(scope, at.slot) : NULL;
  PathChoice c = { .in = *in };
  float credit = path_scope_credit(scope, in->leaf, at),
        gain = scope->early_late == LATE ? -credit : credit;
  if (in->slot == NO_SLOT) {
    c.layer = start_layer(scope, at.slot, at.edge, launch_of(scope, at.slot, at.node));
    c.arrival = in->delay + gain;
    if (c.layer == at.layer) add_choice(scope, list, c);
    return;
  }
  if (in->launch) {
    c.layer = start_layer(scope, in->slot, in->edge, launch_of(scope, at.slot, at.node));
    c.arrival = in->start + in->delay + gain;
    if (advance(bits, at.edge, c.layer) == at.layer) add_choice(scope, list, c);
    return;
  }
  for (uint32_t layer = 0; layer <= at.layer; layer++) {
    if (advance(bits, at.edge, layer) != at.layer) continue;
    float start = path_scope_arrival(
        scope, (PathState){ in->slot, in->node, in->edge, (uint8_t)layer, at.capture });
    if (time_absent(start)) continue;
    c.layer = (uint8_t)layer;
    c.arrival = start + in->delay;
    add_choice(scope, list, c);
  }
}

void path_choices(const PathScope *scope, PathState at, FaninList *fanins, PathChoices *list)
{
  array_clear(fanins);
  path_fanins(scope->t, (PathPoint){ .slot = at.slot, .node = at.node, .edge = at.edge },
              scope->early_late, fanins);
  array_clear(list);
  for (uint32_t i = 0; i < fanins->len; i++) link_choices(scope, at, &fanins->at[i], list);
  float own = path_scope_arrival(scope, at);
  for (uint32_t i = 0; i < list->len; i++) {
    PathChoice *choice = &list->at[i];
    choice->loss =
        scope->early_late == LATE ? (double)own - choice->arrival : (double)choice->arrival - own;
    if (choice->loss < 0) choice->loss = 0;
  }
}

void path_scope_expect(const PathScope *scope, PathState at, int step)
{
  path_fanins_expect(scope->t, at.slot, step);
}

const PathChoice *path_best_choice(PathChoices *list)
{
  uint32_t best = 0;
  if (list->len == 0) return NULL;
  for (uint32_t i = 1; i < list->len; i++)
    if (list->at[i].loss < list->at[best].loss) best = i;
  PathChoice c = list->at[best];
  c.loss = 0;
  memmove(list->at + 1, list->at, best * sizeof *list->at);
  list->at[0] = c;
  return &list->at[0];
}

PathPoint path_point(const PathScope *scope, PathPoint p, PathState at, const PathLeaving *by)
{
  bool late = scope->early_late == LATE;
  double own =
      by->launch ? by->start : path_scope_arrival(scope, at) + (late ? by->credit : -by->credit);
  p.slot = at.slot;
  p.node = at.node;
  p.edge = at.edge;
  p.arrival = late ? own - by->lost : own + by->lost;
  return p;
}
