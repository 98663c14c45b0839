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
} Pass;

struct PathScope {
  const Timing *t;
  const PathQuery *q;
  int      early_late;
  bool     limited;                 /* layers count; else every path of a path end that matches */
  uint32_t sets;                    /* points to pass */
  bool     from_is_set;             /* set 0 is -from */
  uint8_t *from_clock, *to_clock;   /* [clocks]: masks of edges; NULL: none named */
  Map     *pass_of;                 /* slot -> index in passes */
  ARRAY(Pass) passes;
  bool     has_to;
  Map     *to_slot;                 /* slot -> mask of edges */
  SlotList ends;                    /* its slots; ascending once all are in */
  SlotList passed, last;            /* slots of -through points; of the last set */
  SlotList slots;                   /* limited: with states that complete, ascending; before they
                                       are known, that may */
  uint32_t *alive;                  /* [slots]: layers from which a path completes */
  uint32_t *first;                  /* [slots]: into arrival */
  float   *arrival;                 /* by node, edge, layer of a slot */
  uint32_t places;                  /* of these */
  Fronts  *fronts;                  /* likewise; NULL: no common path credit */
  Gather   gather;                  /* of a node's edge, by layer */
  FaninList fanins;
};

static float absent(const PathScope *s)
{
  return s->early_late == LATE ? ABSENT_LATE : ABSENT_EARLY;
}
static bool better(const PathScope *s, float a, float than)
{
  return s->early_late == LATE ? a > than : a < than;
}

static bool clock_matches(const uint8_t *clocks, ClockEdge e)
{
  return clocks && e != NO_CLOCK_EDGE && clocks[clock_edge_clock(e)] >> clock_edge_edge(e) & 1;
}

/* --- objects to slots ------------------------------------------------------------------------- */
/* Where the objects of an option are stored: in the points of a set, or in the ends. */
typedef struct {
  PathScope *s;
  bool     to;
  bool     wire;
  uint32_t set;
  uint8_t  edges;
} Target;

static bool is_start_set(const Target *t) { return !t->to && t->set == 0 && t->s->from_is_set; }

static void add_pass(Pass *p, const Target *t, int edge)
{
  uint32_t bit = 1u << t->set;
  if (is_start_set(t)) {
    p->start[edge] = true;
    return;
  }
  if (!(p->mask[edge] & bit)) p->wire[edge] |= bit;
  if (!t->wire) p->wire[edge] &= ~bit;
  p->mask[edge] |= bit;
}

static void add_slot(const Target *t, Slot slot)
{
  PathScope *s = t->s;
  if (slot == NO_SLOT) return;
  if (t->to) {
    uint32_t have = map_get(s->to_slot, slot);
    if (have == MAP_NO_VALUE) array_push(&s->ends, slot);
    map_put(s->to_slot, slot, (have == MAP_NO_VALUE ? 0 : have) | t->edges);
    return;
  }
  if (t->set + 1 == s->sets) array_push(&s->last, slot);
  if (t->set >= s->from_is_set) array_push(&s->passed, slot);
  uint32_t i = map_get(s->pass_of, slot);
  if (i == MAP_NO_VALUE) {
    i = s->passes.len;
    array_push(&s->passes, (Pass){ { 0, 0 }, { 0, 0 }, { false, false } });
    map_put(s->pass_of, slot, i);
  }
  for (int edge = RISE; edge <= FALL; edge++)
    if (t->edges >> edge & 1) add_pass(&s->passes.at[i], t, edge);
}

static void add_leaf_pin(const Target *t, PinId pin)
{
  const Graph *g = t->s->t->g;
  Slot load = graph_slot(g, pin, false), driver = graph_slot(g, pin, true);
  add_slot(t, load);
  if (driver != load) add_slot(t, driver);
}

static void add_named_slot(void *target, Slot slot) { add_slot(target, slot); }

static void add_net(const Target *t, NetId net)
{
  const Graph *g = t->s->t->g;
  Target wire = *t;
  wire.wire = true;
  NetPins it = net_pins(g->netlist, net, false);
  for (PinId p; (p = net_pins_next(&it)) != NO_PIN;)
    if (g->slots.of_pin[p] != NO_SLOT && !slot_is_driver(g, g->slots.of_pin[p]))
      add_slot(&wire, g->slots.of_pin[p]);
}

static void add_pin(const Target *t, PinId pin)
{
  Target wire = *t;
  wire.wire = true;
  if (pin_is_hierarchical(t->s->t->g->netlist, pin))
    graph_crossing_loads(t->s->t->g, pin, add_named_slot, &wire);
  else add_leaf_pin(t, pin);
}

/* A path goes through a leaf cell where it leaves it, as for exceptions. */
static void add_cell(const Target *t, InstId inst)
{
  const Graph *g = t->s->t->g;
  const Inst *in = &g->netlist->insts.at[inst];
  for (PinId p = in->first_pin; p < in->first_pin + in->pin_count; p++) {
    Slot driver = graph_slot(g, p, true);
    if (pin_is_hierarchical(g->netlist, p)) add_pin(t, p);
    else if (driver != NO_SLOT && slot_is_driver(g, driver)) add_slot(t, driver);
  }
}

/* A hierarchical cell stands for the endpoints inside it.  A pin in the middle of a path is not an
   endpoint, constrained or not. */
static void add_leaf_ends(void *target, InstId leaf)
{
  const Target *t = target;
  const Graph *g = t->s->t->g;
  const Inst *in = &g->netlist->insts.at[leaf];
  for (PinId p = in->first_pin; p < in->first_pin + in->pin_count; p++)
    if (g->slots.of_pin[p] != NO_SLOT && query_is_end(g, g->slots.of_pin[p])) add_leaf_pin(t, p);
}

/* -from and -to name the places that exceptions mean by the same objects. */
static void add_object(const Target *t, Object o)
{
  const Graph *g = t->s->t->g;
  bool block = o.type == OBJ_CELL && !inst_is_leaf(g->netlist, o.id);
  if (t->to && block) netlist_each_leaf(g->netlist, o.id, add_leaf_ends, (void *)t);
  else if (t->to || is_start_set(t)) exception_end_slots(g, o, add_named_slot, (void *)t);
  else if (o.type == OBJ_CELL) add_cell(t, o.id);
  else if (o.type == OBJ_NET) add_net(t, g->netlist->segs.at[o.id].net);
  else if (o.type == OBJ_PIN || o.type == OBJ_PORT) add_pin(t, o.id);
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
    if (*clocks == NULL) *clocks = mem_alloc_zero(t.s->t->constraints->clocks.len, 1);
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
static const Pass *pass_at(const PathScope *s, Slot slot)
{
  uint32_t i = map_get(s->pass_of, slot);
  return i == MAP_NO_VALUE ? NULL : &s->passes.at[i];
}

static uint8_t advance(const Pass *p, int edge, uint32_t layer)
{
  while (p && p->mask[edge] >> layer & 1) layer++;
  return (uint8_t)layer;
}

static ClockEdge launch_of(const PathScope *s, Slot slot, NodeId node)
{
  return s->t->g->tags->tags.at[graph_node_tag(s->t->g, slot, node)].clock_edge;
}

/* Like advance, for paths that begin at the slot. */
static uint8_t advance_begun(const Pass *p, int edge, uint32_t layer)
{
  while (p && (p->mask[edge] & ~p->wire[edge]) >> layer & 1) layer++;
  return (uint8_t)layer;
}

/* Layer of a path that starts at a slot, launched by a clock edge. */
static uint8_t start_layer(const PathScope *s, Slot slot, int edge, ClockEdge launch)
{
  if (!s->limited) return 0;
  const Pass *p = pass_at(s, slot);
  return advance_begun(p, edge, s->from_is_set &&
                       (clock_matches(s->from_clock, launch) || (p && p->start[edge])));
}

static size_t place(const PathScope *s, PathState at)
{
  uint32_t local = at.node - s->t->g->nodes.first[at.slot];
  return s->first[at.slot] + ((size_t)local * 2 + at.edge) * (s->sets + 1) + at.layer;
}

/* The counterpart of common_arrival for a limited scope. */
static float credited_arrival(const PathScope *s, PathState at)
{
  uint32_t count, index = 0;
  const CommonItem *items = fronts_get(s->fronts, place(s, at), &count);
  if (count == 0) return s->arrival[place(s, at)];
  return common_badness(common_worst(&s->t->common->view, items, count, at.capture, &index),
                        s->early_late);
}

float path_scope_arrival(const PathScope *s, PathState at)
{
  uint32_t launch;
  int condition = condition_of(s->early_late, at.edge);
  if (s->limited && !(s->alive[at.slot] >> at.layer & 1)) return absent(s);
  if (at.capture == 0)
    return s->limited ? s->arrival[place(s, at)] : s->t->arrival[at.node].v[condition];
  return s->limited ? credited_arrival(s, at)
                    : common_arrival(s->t, at.slot, at.node, condition, at.capture, &launch);
}

float path_scope_credit(const PathScope *s, uint32_t leaf, PathState at)
{
  return at.capture && leaf ? common_credit(&s->t->common->view, leaf, at.capture) : 0;
}

/* A clock that ends as data has the credit of its place, which every path to it has: the path
   end's slack holds it.  A latch's capture is that edge of it which the worst slack meets. */
PathState path_scope_end(const PathScope *s, PathEndId id, int edge)
{
  const PathEnd *r = &s->t->g->ends.path_ends.at[id];
  PathState end = { r->slot, r->data, (uint8_t)edge, (uint8_t)s->sets, 0 };
  if (!common_active(s->t) || graph_node_is_clock(s->t->g, r->slot, r->data)) return end;
  LatchTimes due = { 0 };
  if (r->type == END_LATCH_SETUP) due = timing_latch_times(s->t, r, edge);
  end.capture = r->type == END_LATCH_SETUP ? due.closes : common_end_capture(s->t, r, edge).leaf;
  if (due.opens != due.closes && !latch_is_late(due, path_scope_arrival(s, end)))
    end.capture = due.opens;
  return end;
}

int path_scope_early_late(const PathScope *s) { return s->early_late; }
uint32_t path_scope_place(const PathScope *s, PathState at)
{
  return s->limited ? (uint32_t)place(s, at) : 2 * at.node + at.edge;
}
uint32_t path_scope_slots(const PathScope *s)
{
  return s->limited ? s->slots.len : s->t->g->slots.count;
}
Slot path_scope_slot(const PathScope *s, uint32_t i) { return s->limited ? s->slots.at[i] : i; }

/* Clocks of -to capture anywhere. */
static bool ends_are_named(const PathScope *s) { return s->has_to && s->to_clock == NULL; }

uint32_t path_scope_ends(const PathScope *s)
{
  return ends_are_named(s) ? s->ends.len : path_scope_slots(s);
}
Slot path_scope_end_slot(const PathScope *s, uint32_t i)
{
  return ends_are_named(s) ? s->ends.at[i] : path_scope_slot(s, i);
}
uint32_t path_scope_first_place(const PathScope *s, uint32_t i)
{
  if (i == path_scope_slots(s)) return path_scope_places(s);
  return s->limited ? s->first[s->slots.at[i]] : 2 * s->t->g->nodes.first[i];
}
uint32_t path_scope_layers(const PathScope *s) { return s->sets + 1; }
bool path_scope_limited(const PathScope *s) { return s->limited; }
const Graph *path_scope_graph(const PathScope *s) { return s->t->g; }
uint32_t path_scope_places(const PathScope *s)
{
  return s->limited ? s->places : 2 * s->t->g->nodes.count;
}
uint32_t path_scope_final(const PathScope *s) { return s->sets; }

/* --- the cone: layers reached from a start and completed at an end, whatever the edges -------- */
static uint32_t edges_anyhow(const Pass *p) { return p ? p->mask[0] | p->mask[1] : 0; }

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
  const PathScope *s;
  uint32_t *masks;
  const uint32_t *forward;          /* for backward marks: the slots that are reached */
} Marks;
typedef void (*VisitSource)(const Marks *m, Slot to, Slot from, bool launch);

/* Calls visit for every slot that a link into a slot comes from. */
static void each_source(const Marks *m, Slot slot, VisitSource visit)
{
  const Graph *g = m->s->t->g;
  if (!slot_is_driver(g, slot)) {
    uint32_t from, to;
    if (g->nets.wire_driver[slot] != NO_SLOT) visit(m, slot, g->nets.wire_driver[slot], false);
    graph_extra_wires(g, slot, &from, &to);
    for (uint32_t i = from; i < to; i++) visit(m, slot, g->nets.extra_wires.at[i].driver, false);
    return;
  }
  for (ArcId a = g->arcs.first[slot]; a < g->arcs.first[slot + 1]; a++) {
    if (!arc_on(g, a)) continue;
    visit(m, slot, g->arcs.from[a], graph_arc_is_launch(g, a) || g->arcs.flags[a] & ARC_LATCH);
  }
}

/* Layers of any path that starts at a slot: a clock named by -from may launch it. */
static uint32_t start_layers(const PathScope *s, Slot slot)
{
  const Pass *p = pass_at(s, slot);
  return spread_forward(s->from_clock || (p && (p->start[RISE] || p->start[FALL])) ? 3 : 1,
                        edges_anyhow(p));
}

static void gather_forward(const Marks *m, Slot to, Slot from, bool launch)
{
  m->masks[to] |= launch ? start_layers(m->s, from) : m->masks[from];
}

static void mark_forward(const Marks *m)
{
  const Graph *g = m->s->t->g;
  for (uint32_t i = 0; i < m->s->slots.len && !interrupt_seen(); i++) {
    Slot slot = m->s->slots.at[i];
    if (g->slots.flags[slot] & SLOT_SEED) m->masks[slot] |= start_layers(m->s, slot);
    each_source(m, slot, gather_forward);
    m->masks[slot] = spread_forward(m->masks[slot], edges_anyhow(pass_at(m->s, slot)));
  }
}

static void give_backward(const Marks *m, Slot to, Slot from, bool launch)
{
  if (!launch)
    m->masks[from] |=
        spread_backward(m->masks[to], edges_anyhow(pass_at(m->s, to))) & m->forward[from];
}

static bool slot_may_end(const PathScope *s, Slot slot)
{
  const Graph *g = s->t->g;
  for (PathEndId r = g->ends.first_end[slot]; r < g->ends.first_end[slot + 1]; r++)
    if (path_scope_path_end(s, r, RISE) || path_scope_path_end(s, r, FALL)) return true;
  if (!s->q->unconstrained) return false;
  for (NodeId n = g->nodes.first[slot]; n < g->nodes.first[slot + 1]; n++)
    if (path_scope_free_end(s, slot, n, RISE) || path_scope_free_end(s, slot, n, FALL)) return true;
  return false;
}

static void mark_backward(const Marks *m)
{
  const PathScope *s = m->s;
  for (uint32_t i = s->slots.len; i-- > 0 && !interrupt_seen();) {
    Slot slot = s->slots.at[i];
    if (m->forward[slot] >> s->sets & 1 && slot_may_end(s, slot)) m->masks[slot] |= 1u << s->sets;
    if (m->masks[slot]) each_source(m, slot, give_backward);
  }
}

/* --- arrivals of the cone --------------------------------------------------------------------- */
static void merge_into(PathScope *s, PathState at, float arrival, uint32_t leaf)
{
  if (!(s->alive[at.slot] >> at.layer & 1)) return;
  float *have = &s->arrival[place(s, at)];
  if (better(s, arrival, *have)) *have = arrival;
  if (s->fronts)
    gather_add(&s->gather, at.layer, (CommonItem){ common_badness(arrival, s->early_late), leaf });
}

/* Returns what a link brings from a state: each item of its front or, without a front, its
   arrival. */
static void merge_from(PathScope *s, PathState at, PathState from, float delay)
{
  gather_source(&s->gather);
  uint32_t count = 0;
  const CommonItem *items = NULL;
  if (s->fronts && s->alive[from.slot] >> from.layer & 1)
    items = fronts_get(s->fronts, place(s, from), &count);
  for (uint32_t i = 0; i < count; i++)
    merge_into(s, at, common_badness(items[i].badness, s->early_late) + delay, items[i].leaf);
  float start = path_scope_arrival(s, from);
  if (count == 0 && !time_absent(start)) merge_into(s, at, start + delay, 0);
}

static void merge_link(PathScope *s, PathState at, const Fanin *in, const Pass *pass)
{
  gather_source(&s->gather);
  if (in->slot == NO_SLOT) {
    at.layer = start_layer(s, at.slot, at.edge, launch_of(s, at.slot, at.node));
    merge_into(s, at, in->delay, in->leaf);
    return;
  }
  if (in->launch) {
    at.layer =
        advance(pass, at.edge, start_layer(s, in->slot, in->edge, launch_of(s, at.slot, at.node)));
    merge_into(s, at, in->start + in->delay, in->leaf);
    return;
  }
  for (uint32_t layer = 0; layer <= s->sets; layer++) {
    at.layer = advance(pass, at.edge, layer);
    merge_from(s, at, (PathState){ in->slot, in->node, in->edge, (uint8_t)layer, 0 }, in->delay);
  }
}

static void put_fronts(PathScope *s, PathState at)
{
  for (uint32_t layer = 0; layer <= s->sets; layer++) {
    at.layer = (uint8_t)layer;
    uint32_t count;
    const CommonItem *items = gather_take(&s->gather, &s->t->common->view, layer, &count);
    if (s->alive[at.slot] >> layer & 1) fronts_put(s->fronts, 0, place(s, at), items, count);
  }
}

static void slot_arrivals(PathScope *s, Slot slot)
{
  const Graph *g = s->t->g;
  const Pass *pass = pass_at(s, slot);
  for (NodeId n = g->nodes.first[slot]; n < g->nodes.first[slot + 1]; n++)
    for (uint8_t edge = RISE; edge <= FALL; edge++) {
      array_clear(&s->fanins);
      path_fanins(s->t, (PathPoint){ .slot = slot, .node = n, .edge = edge }, s->early_late,
                  &s->fanins);
      if (s->fronts) gather_begin(&s->gather, s->sets + 1);
      for (uint32_t i = 0; i < s->fanins.len; i++)
        merge_link(s, (PathState){ slot, n, edge, 0, 0 }, &s->fanins.at[i], pass);
      if (s->fronts) put_fronts(s, (PathState){ slot, n, edge, 0, 0 });
    }
}

/* Finds where paths that pass the points can be: anywhere, if only clocks may start them. */
static void find_region(PathScope *s)
{
  if (s->passed.len || s->from_clock == NULL) {
    path_region(s->t->g, &s->passed, &s->last, &s->slots);
    return;
  }
  for (Slot slot = 0; slot < s->t->g->slots.count; slot++) array_push(&s->slots, slot);
}

static void limit(PathScope *s)
{
  const Graph *g = s->t->g;
  uint32_t *forward = mem_alloc_zero((size_t)g->slots.count + 1, sizeof *forward);
  s->alive = mem_alloc_zero((size_t)g->slots.count + 1, sizeof *s->alive);
  s->first = mem_alloc_zero((size_t)g->slots.count + 1, sizeof *s->first);
  find_region(s);
  mark_forward(&(Marks){ s, forward, NULL });
  mark_backward(&(Marks){ s, s->alive, forward });
  mem_free(forward);
  uint32_t count = 0, kept = 0;
  for (uint32_t i = 0; i < s->slots.len; i++) {
    Slot slot = s->slots.at[i];
    if (s->alive[slot] == 0) continue;
    s->slots.at[kept++] = slot;
    s->first[slot] = count;
    count += (g->nodes.first[slot + 1] - g->nodes.first[slot]) * 2 * (s->sets + 1);
  }
  s->slots.len = kept;
  s->places = count;
  s->arrival = mem_alloc(sizeof *s->arrival * ((size_t)count + 1));
  for (uint32_t i = 0; i < count; i++) s->arrival[i] = absent(s);
  if (common_active(s->t)) s->fronts = fronts_new(count, 1);
  for (uint32_t i = 0; i < kept && !interrupt_seen(); i++) slot_arrivals(s, s->slots.at[i]);
}

/* --- life ------------------------------------------------------------------------------------- */
PathScope *path_scope_new(const Timing *t, const PathQuery *q)
{
  PathScope *s = mem_alloc_zero(1, sizeof *s);
  *s = (PathScope){ .t = t,
                    .q = q,
                    .early_late = q->early_late,
                    .pass_of = map_new(),
                    .to_slot = map_new(),
                    .has_to = q->to.len > 0 };
  s->from_is_set = q->from.len && (q->through.len || !only_clocks(&q->from));
  s->limited = s->from_is_set || q->through.len;
  s->sets = s->from_is_set + q->through.len;
  add_objects((Target){ .s = s, .set = 0 }, &q->from, &s->from_clock);
  for (uint32_t i = 0; i < q->through.len; i++) {
    uint8_t *none = NULL;
    add_objects((Target){ .s = s, .set = s->from_is_set + i }, &q->through.at[i], &none);
    mem_free(none);
  }
  add_objects((Target){ .s = s, .to = true }, &q->to, &s->to_clock);
  sort_items(s->ends.at, s->ends.len, sizeof *s->ends.at, order_uint32);
  if (s->limited) limit(s);
  return s;
}

void path_scope_free(PathScope *s)
{
  if (s == NULL) return;
  map_free(s->pass_of);
  map_free(s->to_slot);
  array_free(&s->passes);
  array_free(&s->passed);
  array_free(&s->last);
  array_free(&s->ends);
  array_free(&s->slots);
  mem_free(s->from_clock);
  mem_free(s->to_clock);
  mem_free(s->alive);
  mem_free(s->first);
  mem_free(s->arrival);
  fronts_free(s->fronts);
  gather_free(&s->gather);
  array_free(&s->fanins);
  mem_free(s);
}

/* --- ends ------------------------------------------------------------------------------------- */
static bool slot_matches(const PathScope *s, Slot slot, int edge)
{
  uint32_t edges = map_get(s->to_slot, slot);
  return edges != MAP_NO_VALUE && edges >> edge & 1;
}

/* Starts that are clocks alone are told by the tag. */
static bool launch_matches(const PathScope *s, Slot slot, NodeId node)
{
  if (s->limited || s->from_clock == NULL) return true;
  const Graph *g = s->t->g;
  return clock_matches(s->from_clock, g->tags->tags.at[graph_node_tag(g, slot, node)].clock_edge);
}

static bool edge_is_wanted(const PathScope *s, int edge)
{
  return s->q->end_edges == 0 || s->q->end_edges >> edge & 1;
}

/* -rise_to and -fall_to of a clock mean the edge of the check, as for exceptions: of a latch the
   closing one. */
static bool capture_matches(const PathScope *s, const PathEnd *r)
{
  bool opposite = r->type == END_LATCH_SETUP && r->capture_clock != NO_CLOCK_EDGE;
  return clock_matches(s->to_clock, opposite ? r->capture_clock ^ 1 : r->capture_clock);
}

bool path_scope_path_end(const PathScope *s, PathEndId id, int edge)
{
  const PathEnd *r = &s->t->g->ends.path_ends.at[id];
  if (path_end_is_late((PathEndType)r->type) != (s->early_late == LATE) || !(r->edges >> edge & 1)
      || !edge_is_wanted(s, edge))
    return false;
  if (s->has_to && !slot_matches(s, r->slot, edge) && !capture_matches(s, r)) return false;
  return launch_matches(s, r->slot, r->data);
}

bool path_scope_free_end(const PathScope *s, Slot slot, NodeId node, int edge)
{
  const Graph *g = s->t->g;
  if (!edge_is_wanted(s, edge) || g->by_tag.is_bare[graph_node_tag(g, slot, node)]) return false;
  if (s->has_to ? !slot_matches(s, slot, edge) : !query_is_end(g, slot)) return false;
  bool has = false;
  for (PathEndId r = g->ends.first_end[slot]; r < g->ends.first_end[slot + 1] && !has; r++)
    if (g->ends.path_ends.at[r].data == node
        && path_end_is_late((PathEndType)g->ends.path_ends.at[r].type) == (s->early_late == LATE))
      has = s->t->end_slack[r].v[edge] < 1e29f;
  return !has && launch_matches(s, slot, node);
}

/* --- ways into a state ------------------------------------------------------------------------ */
/* At the start of a path, the nodes of a pin differ only in what came before (ways through the
   clock network, data that reached a latch). */
static bool same_way(const PathChoice *a, const PathChoice *b)
{
  return a->in.slot == b->in.slot && a->in.edge == b->in.edge && a->layer == b->layer
         && a->in.launch == b->in.launch && (a->in.launch || a->in.node == b->in.node);
}

static void add_choice(const PathScope *s, PathChoices *list, PathChoice c)
{
  for (uint32_t i = 0; i < list->len; i++) {
    PathChoice *have = &list->at[i];
    if (!same_way(have, &c)) continue;
    if (better(s, c.arrival, have->arrival)) *have = c;
    return;
  }
  array_push(list, c);
}

static void link_choices(const PathScope *s, PathState at, const Fanin *in, PathChoices *list)
{
  const Pass *pass = s->limited ? pass_at(s, at.slot) : NULL;
  PathChoice c = { .in = *in };
  float credit = path_scope_credit(s, in->leaf, at),
        gain = s->early_late == LATE ? -credit : credit;
  if (in->slot == NO_SLOT) {
    c.layer = start_layer(s, at.slot, at.edge, launch_of(s, at.slot, at.node));
    c.arrival = in->delay + gain;
    if (c.layer == at.layer) add_choice(s, list, c);
    return;
  }
  if (in->launch) {
    c.layer = start_layer(s, in->slot, in->edge, launch_of(s, at.slot, at.node));
    c.arrival = in->start + in->delay + gain;
    if (advance(pass, at.edge, c.layer) == at.layer) add_choice(s, list, c);
    return;
  }
  for (uint32_t layer = 0; layer <= at.layer; layer++) {
    if (advance(pass, at.edge, layer) != at.layer) continue;
    float start = path_scope_arrival(s, (PathState){ in->slot, in->node, in->edge, (uint8_t)layer,
                                                     at.capture });
    if (time_absent(start)) continue;
    c.layer = (uint8_t)layer;
    c.arrival = start + in->delay;
    add_choice(s, list, c);
  }
}

void path_choices(const PathScope *s, PathState at, FaninList *fanins, PathChoices *list)
{
  array_clear(fanins);
  path_fanins(s->t, (PathPoint){ .slot = at.slot, .node = at.node, .edge = at.edge }, s->early_late,
              fanins);
  array_clear(list);
  for (uint32_t i = 0; i < fanins->len; i++) link_choices(s, at, &fanins->at[i], list);
  float own = path_scope_arrival(s, at);
  for (uint32_t i = 0; i < list->len; i++) {
    PathChoice *c = &list->at[i];
    c->loss = s->early_late == LATE ? (double)own - c->arrival : (double)c->arrival - own;
    if (c->loss < 0) c->loss = 0;
  }
}

void path_scope_expect(const PathScope *s, PathState at, int step)
{
  path_fanins_expect(s->t, at.slot, step);
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

PathPoint path_point(const PathScope *s, PathPoint p, PathState at, const PathLeaving *by)
{
  bool late = s->early_late == LATE;
  double own =
      by->launch ? by->start : path_scope_arrival(s, at) + (late ? by->credit : -by->credit);
  p.slot = at.slot;
  p.node = at.node;
  p.edge = at.edge;
  p.arrival = late ? own - by->lost : own + by->lost;
  return p;
}
