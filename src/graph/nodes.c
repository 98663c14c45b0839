/* Spreads tags over the graph. The result is the tag set of every slot, the map of every arc, the
   nodes, and the transitions that can arrive at each node.

   Sets and maps are interned. Steps that repeat (the union of two sets, the map between two sets)
   are remembered. So a design of millions of pins with a few hundred different sets costs a few
   look-ups for each pin. */
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/interrupt.h"
#include "base/sort.h"
#include "graph/build.h"
#include "graph/clocks/clocks.h"
#include "graph/exceptions/exceptions.h"
#include "graph/hierarchy.h"

/* How an arc changes tags. */
typedef enum {
  STEP_PLAIN,               /* tags go on as they are */
  STEP_LAUNCH,              /* clock to data at a register's clock pin; only clock tags */
  STEP_POINT,               /* the end is a through point: edges may part */
  STEP_LAUNCH_DATA,         /* a launch by data without a clock */
  STEP_LAUNCH_TIME,         /* a launch by the hidden tags of such data (TO_LAUNCH) */
  STEP_LEAVE,               /* the step leaves the cone of a generated clock's source, or of a clock
                               pin that hidden tags lead to */
  STEP_INWARD               /* from an inout pin's driver into its own cell: only tags that start at
                               the pin pass */
} Step;

/* The values of set_clock_latency, set_clock_uncertainty and set_propagated_clock at pins.  The
   records of a slot are in the order in which a clock passes their pins: hierarchical pins come
   before the slot's own.  Within a pin, records for all clocks come before those for one clock. */
typedef struct {
  uint32_t clock_pin;       /* in the constraints */
  uint32_t next;
} PinRecord;

typedef struct {
  Graph *g;
  ExceptionIndex *index;
  Map *unions, *launches, *maps;       /* remembered steps */
  ARRAY(TagId) scratch;
  Map *slot_seed;                      /* slot -> first seed */
  Map *clock_pins;                     /* slot -> first of pin_records: the values given there */
  ARRAY(PinRecord) pin_records;
  const SenseIndex *senses;
  uint8_t *cone;                       /* [slots]: leads to the source of a generated clock; NULL:
                                          there are none */
  Map *feeds;                          /* hash_pair(source slot, master) -> ToSource: how the master
                                          may reach the generated clocks at the source */
  Map *one_edge;                       /* slots with set_case_analysis rise or fall: the transition
                                          that passes */
  MapId no_map;                        /* the empty map */
  ARRAY(uint32_t) next_seed;
  ARRAY(uint8_t) edges;                /* by node: transitions that can arrive; it is filled in
                                          ascending order of slots */
  uint8_t *data_launches;              /* [slots]: clock pins where data without a clock launches:
                                          the Step */
  uint8_t *to_launch;                  /* [slots]: leads to a clock pin that no clock reaches; NULL:
                                          no exception concerns such slots */
  uint8_t *elsewhere;                  /* [slots]: clocks of other modes may arrive; NULL: there are
                                          none */
  uint8_t *limited;                    /* [slots]: of the slots in `elsewhere`, those whose launches
                                          a path delay may limit; NULL: none */
  Map *alike;                          /* hash of a slot's tag set and edges -> the first such
                                          slot */
  Map *warned;                         /* pins whose latency gets a warning */
  Log *log;
} Spread;

/* Sorts the scratch list, removes duplicates, and returns its interned set. */
static TagSetId intern_scratch(Spread *spread)
{
  uint32_t kept = 0;
  if (spread->scratch.len)
    qsort(spread->scratch.at, spread->scratch.len, sizeof *spread->scratch.at, order_uint32);
  for (uint32_t i = 0; i < spread->scratch.len; i++)
    if (i == 0 || spread->scratch.at[i] != spread->scratch.at[kept - 1])
      spread->scratch.at[kept++] = spread->scratch.at[i];
  return tag_set_add(spread->g->tags, spread->scratch.at, kept);
}

static void scratch_add_set(Spread *spread, TagSetId set)
{
  for (uint32_t i = 0; i < tag_set_count(spread->g->tags, set); i++)
    array_push(&spread->scratch, tag_set_tags(spread->g->tags, set)[i]);
}

static TagSetId unite(Spread *spread, TagSetId a, TagSetId b)
{
  if (a == b || b == EMPTY_SET) return a;
  if (a == EMPTY_SET) return b;
  uint64_t key = a < b ? hash_pair(a, b) : hash_pair(b, a);
  uint32_t known = map_get(spread->unions, key);
  if (known != MAP_NO_VALUE) return known;
  array_clear(&spread->scratch);
  scratch_add_set(spread, a);
  scratch_add_set(spread, b);
  TagSetId set = intern_scratch(spread);
  map_put(spread->unions, key, set);
  return set;
}

/* --- one tag through one arc ------------------------------------------------------------------ */
#define NO_TAG UINT32_MAX

typedef struct {
  TagSetId from;
  Slot     from_slot;
  Step     step;
  Slot     to;
  uint8_t  pairs;            /* edge pairs that the arc has */
} Crossing;

static bool is_launch(Step step)
{
  return step == STEP_LAUNCH || step == STEP_LAUNCH_DATA || step == STEP_LAUNCH_TIME;
}

/* Returns true if a tag launches when it arrives at a clock pin. */
static bool launches(const Tag *tag, Step step)
{
  if (step == STEP_LAUNCH_TIME) return tag->to_source == TO_LAUNCH;
  if (step == STEP_LAUNCH_DATA) return tag->clock_edge == NO_CLOCK_EDGE;
  return tag_is_clock(tag) || tag->unclocked_start;
}

/* Returns the tag of the data that a tag launches. bare: the data leaves out the clock's
   latency. */
static TagId launch_tag(Spread *spread, TagId id, PathStart start, Step step, bool bare)
{
  Tag t = spread->g->tags->tags.at[id];
  if (!launches(&t, step)) return NO_TAG;
  t.is_clock = t.propagated = t.unclocked_start = false;
  t.pin_values = 0;
  t.to_source = TO_NO_SOURCE;
  t.bare = bare;
  start.clock = t.clock_edge;
  t.state = exception_start(spread->index, spread->g->tags, &start);
  if (exception_state_is_dead(spread->index, spread->g->tags, t.state)) return NO_TAG;
  if (bare && !exception_state_is_bare(spread->index, spread->g->tags, t.state)) return NO_TAG;
  return tag_add(spread->g->tags, t);
}

static bool in_cone(const Spread *spread, Slot slot) { return spread->cone && spread->cone[slot]; }
static bool leads_to_launch(const Spread *spread, Slot slot)
{
  return spread->to_launch && spread->to_launch[slot];
}
static Tag time_tag(void) { return (Tag){ .clock_edge = NO_CLOCK_EDGE, .to_source = TO_LAUNCH }; }

/* Returns the hidden tag that a tag launches at a register. It is a clock that continues to the
   source of a generated clock, or data of a register without a clock on its way to the clock pin of
   another such register. */
static TagId launch_hidden(Spread *spread, TagId id, Step step, Slot to)
{
  Tag t = spread->g->tags->tags.at[id];
  bool unclocked = t.clock_edge == NO_CLOCK_EDGE && launches(&t, step);
  if (unclocked && leads_to_launch(spread, to)) return tag_add(spread->g->tags, time_tag());
  if (!t.is_clock || !in_cone(spread, to)) return NO_TAG;
  t.to_source = TO_SOURCE_BY_REGISTERS;
  t.state = NO_STATE;
  return tag_add(spread->g->tags, t);
}

static bool edge_passes(const Spread *spread, Slot slot, int edge)
{
  uint32_t only = map_count(spread->one_edge) ? map_get(spread->one_edge, slot) : MAP_NO_VALUE;
  return only == MAP_NO_VALUE || only == (uint32_t)edge;
}

/* Is the slot a source of a clock, or a pin with constraints of its own on clocks or transitions?
   Steps that end there are not shared with other slots. */
static bool is_special(const Spread *spread, Slot slot)
{
  return spread->g->slots.flags[slot] & SLOT_CLOCK_SOURCE
         || (spread->pin_records.len && map_get(spread->clock_pins, slot) != MAP_NO_VALUE)
         || sense_any(spread->senses, slot)
         || (map_count(spread->one_edge) && map_get(spread->one_edge, slot) != MAP_NO_VALUE);
}

/* Can tags change at the slot? They can at special slots and at points of exceptions. */
static bool is_point(const Spread *spread, Slot slot)
{
  return exception_act(spread->index, slot) != NO_ACT
         || exception_cut(spread->index, slot) & CUT_BEFORE || is_special(spread, slot);
}

/* Returns the tag of a clock at the source of another clock. There only the clock of the source
   arrives. Its master arrives as a hidden tag that carries its time. */
static TagId tag_at_source(Spread *spread, Tag t, Slot to)
{
  if (!t.is_clock) return NO_TAG;
  uint32_t how = map_get(spread->feeds, hash_pair(to, clock_edge_clock(t.clock_edge)));
  if (how == MAP_NO_VALUE || (how == TO_SOURCE_BY_GATES && t.to_source == TO_SOURCE_BY_REGISTERS))
    return NO_TAG;
  if (t.to_source == TO_NO_SOURCE) t.to_source = TO_SOURCE_BY_GATES;
  t.state = NO_STATE;
  return tag_add(spread->g->tags, t);
}

static bool same_pin_values(const ClockPinValues *a, const ClockPinValues *b)
{
  return a->source == b->source && a->shaped == b->shaped &&
         memcmp(a->latency, b->latency, sizeof a->latency) == 0 &&
         memcmp(a->uncertainty, b->uncertainty, sizeof a->uncertainty) == 0;
}

static PinValuesId pin_values_add(Graph *g, ClockPinValues p)
{
  for (PinValuesId i = 0; i < g->starts.pin_values.len; i++)
    if (same_pin_values(&g->starts.pin_values.at[i], &p)) return i;
  array_push(&g->starts.pin_values, p);
  return g->starts.pin_values.len - 1;
}

static ClockPinValues no_pin_values(void)
{
  ClockPinValues p = { .source = NO_SLOT, .shaped = false };
  for (int k = 0; k < CONDITION_COUNT; k++) p.latency[k] = NO_CLOCK_PIN;
  p.uncertainty[HOLD] = p.uncertainty[SETUP] = NO_CLOCK_PIN;
  return p;
}

static bool gives_latency(const ClockPin *pin)
{
  for (int k = 0; k < CONDITION_COUNT; k++)
    if (!isnan(pin->network_latency[k])) return true;
  return false;
}

static bool lacks_latency(const ClockPinValues *values)
{
  for (int k = 0; k < CONDITION_COUNT; k++)
    if (values->latency[k] == NO_CLOCK_PIN) return true;
  return false;
}

/* Warns of a latency that is given for some conditions only. Behind it the clock is ideal in all
   conditions, and has no latency in the others. */
static void warn_of_part(Spread *spread, ClockEdge clock, const ClockPin *given)
{
  const Graph *g = spread->g;
  if (map_get(spread->warned, given->pin) != MAP_NO_VALUE) return;
  map_put(spread->warned, given->pin, 1);
  const Said *said = &given->said_of_latency;
  const Clock *the_clock = &g->constraints->clocks.at[clock_edge_clock(clock)];
  Text text = { 0 };
  if (said->command) text_printf(&text, "%s: ", said->command);
  text_printf(&text, "propagated clock %s comes to ",
              names_text(g->netlist->names, the_clock->name));
  netlist_pin_name(g->netlist, given->pin, '/', &text);
  text_put(&text, ", which has a latency for some of early, late, rise and fall alone: the others "
           "have none");
  log_warning_once_at(spread->log, "GRAPH-016", graph_where(g, said->file, said->line),
                      text_get(&text));
  text_free(&text);
}

/* Each value of a record takes the place of the value from pins upstream. set_propagated_clock
   takes the place of a latency upstream. A latency, behind which the clock is ideal, takes the
   place of set_propagated_clock. */
static void take_record(Spread *spread, Tag *tag, ClockPinValues *values, uint32_t index)
{
  const ClockPin *given = &spread->g->constraints->clock_pins.at[index];
  tag->propagated |= given->propagated;
  for (int k = 0; k < CONDITION_COUNT; k++) {
    if (given->propagated) values->latency[k] = NO_CLOCK_PIN;
    if (!isnan(given->network_latency[k])) values->latency[k] = index;
  }
  for (int check = HOLD; check <= SETUP; check++)
    if (!isnan(given->uncertainty[check])) values->uncertainty[check] = index;
  if (!gives_latency(given)) return;
  if (tag->propagated && lacks_latency(values)) warn_of_part(spread, tag->clock_edge, given);
  values->shaped |= tag->propagated;
  tag->propagated = false;
}

/* Takes the values that are given at a slot; they apply behind it.  A value for one clock has
   priority over a value for all clocks. */
static void take_given(Spread *spread, Tag *tag, Slot slot)
{
  uint32_t i = spread->pin_records.len ? map_get(spread->clock_pins, slot) : MAP_NO_VALUE;
  if (i == MAP_NO_VALUE) return;
  ClockPinValues p = *graph_pin_values(spread->g, tag);
  for (; i != MAP_NO_VALUE; i = spread->pin_records.at[i].next) {
    uint32_t index = spread->pin_records.at[i].clock_pin;
    ClockId clock = spread->g->constraints->clock_pins.at[index].clock;
    if (clock == NO_CLOCK || clock == clock_edge_clock(tag->clock_edge))
      take_record(spread, tag, &p, index);
  }
  tag->pin_values = pin_values_add(spread->g, p);
}

/* Returns the tag of a clock after a pin of its network.  A clock that stops there continues as
   data. */
static void pass_clock(Spread *spread, Tag *tag, Slot to, int edge)
{
  take_given(spread, tag, to);
  if (sense_clock_passes(spread->senses, to, tag->clock_edge, edge)) return;
  tag->is_clock = tag->propagated = false;
  tag->pin_values = 0;
}

/* Returns true if data ends at a slot that it reaches with an edge. */
static bool data_ends(const Spread *spread, const Tag *tag, Slot to, int edge)
{
  return exception_ends_here(spread->index, to, edge)
         || exception_cut(spread->index, to) & CUT_BEFORE
         || !sense_data_passes(spread->senses, to, tag->clock_edge);
}

static bool same_tag(const Tag *a, const Tag *b)
{
  return a->is_clock == b->is_clock && a->propagated == b->propagated
         && a->pin_values == b->pin_values && a->state == b->state;
}

/* Returns the tag after a slot that it reaches with an edge. */
static TagId pass_tag(Spread *spread, TagId id, Slot to, int edge)
{
  Tag t = spread->g->tags->tags.at[id], before = t;
  if (!edge_passes(spread, to, edge)) return NO_TAG;
  if (spread->g->slots.flags[to] & SLOT_CLOCK_SOURCE) return tag_at_source(spread, t, to);
  if (t.to_source == TO_LAUNCH)
    return sense_data_passes(spread->senses, to, t.clock_edge) ? id : NO_TAG;
  if (tag_is_hidden(&t))
    return sense_clock_passes(spread->senses, to, t.clock_edge, edge) ? id : NO_TAG;
  if (t.is_clock) pass_clock(spread, &t, to, edge);
  if (!t.is_clock && data_ends(spread, &t, to, edge)) return NO_TAG;
  t.state = exception_pass(spread->index, spread->g->tags, t.state,
                           (PassedSlot){ to, (uint8_t)edge, t.is_clock, false });
  if (same_tag(&t, &before)) return id;
  if (!t.is_clock && exception_state_is_dead(spread->index, spread->g->tags, t.state))
    return NO_TAG;
  if (t.bare && !exception_state_is_bare(spread->index, spread->g->tags, t.state)) return NO_TAG;
  return tag_add(spread->g->tags, t);
}

/* The tags that one tag becomes over an arc. There are at most two, because data that is launched
   may go on as a hidden tag too. */
typedef struct {
  TagId    at[2];
  uint32_t count;
} Steps;

static void step_on(Spread *spread, Steps *steps, TagId id, Slot to, int edge)
{
  if (id != NO_TAG && is_point(spread, to)) id = pass_tag(spread, id, to, edge);
  if (id != NO_TAG) steps->at[steps->count++] = id;
}

/* Does a tag leave the start of a step? A hidden tag does if the end is in the cone of its goal.
   Data does unless paths are cut after the start. Clocks always do. */
static bool leaves(const Spread *spread, TagId id, const Crossing *crossing)
{
  const Tag *tag = &spread->g->tags->tags.at[id];
  if (tag->to_source == TO_LAUNCH) return leads_to_launch(spread, crossing->to);
  return tag_is_hidden(tag)
             ? in_cone(spread, crossing->to)
             : tag->is_clock || !(exception_cut(spread->index, crossing->from_slot) & CUT_AFTER);
}

/* Does a tag start at the driver of an inout pin, so that it goes into the pin's own cell? At the
   source of a clock every tag does, except hidden tags, which arrive there. */
static bool starts_inward(const Spread *spread, TagId id, Slot driver)
{
  const Tag *tag = &spread->g->tags->tags.at[id];
  return tag->inward || (spread->g->slots.flags[driver] & SLOT_CLOCK_SOURCE && !tag_is_hidden(tag));
}

static TagId without_inward(Spread *spread, TagId id)
{
  Tag t = spread->g->tags->tags.at[id];
  if (!t.inward) return id;
  t.inward = false;
  return tag_add(spread->g->tags, t);
}

static Steps step_tag(Spread *spread, TagId id, const Crossing *crossing, int pair, bool bare)
{
  Steps steps = { .count = 0 };
  if (is_launch(crossing->step)) {
    PathStart start = { .slot = { crossing->from_slot },
                        .edge = { (uint8_t)(pair >> 1) },
                        .count = 1 };
    step_on(spread, &steps, launch_tag(spread, id, start, crossing->step, bare), crossing->to,
            pair & 1);
    if (!bare)
      step_on(spread, &steps, launch_hidden(spread, id, crossing->step, crossing->to), crossing->to,
              pair & 1);
  } else if (leaves(spread, id, crossing)
             && (crossing->step != STEP_INWARD || starts_inward(spread, id, crossing->from_slot))) {
    step_on(spread, &steps, without_inward(spread, id), crossing->to, pair & 1);
  }
  return steps;
}

/* Returns the number of tags that a launch makes. It is two if an exception leaves out latencies,
   because a bare tag is made too. */
static int variants(const Spread *spread, const Crossing *crossing)
{
  return is_launch(crossing->step) && exception_has_bare(spread->index) ? 2 : 1;
}

/* Returns the edge pairs that the index-th tag passes.  Where tags change, pairs whose input edge
   never arrives are left out: a register's clock pin launches only for clock edges that reach it as
   its active edge. */
static uint8_t live_pairs(const Spread *spread, const Crossing *crossing, uint32_t index)
{
  static const uint8_t of_edges[] = { 0, 1 << 0 | 1 << 1, 1 << 2 | 1 << 3, 15 };
  if (crossing->step == STEP_PLAIN) return crossing->pairs;
  return crossing->pairs
         & of_edges[spread->edges.at[spread->g->nodes.first[crossing->from_slot] + index]];
}

/* Returns the first slot with the same tags and edges.  It represents all of them. */
static Slot alike_slot(Spread *spread, Slot slot)
{
  const Graph *g = spread->g;
  uint32_t count = tag_set_count(g->tags, g->nodes.slot_tags[slot]);
  const uint8_t *edges = array_from(&spread->edges, g->nodes.first[slot]);
  uint64_t key = hash_u64(
      hash_pair(g->nodes.slot_tags[slot], (uint32_t)hash_bytes((const char *)edges, count)));
  for (;; key++) {
    uint32_t first = map_get(spread->alike, key);
    if (first == MAP_NO_VALUE) break;
    if (g->nodes.slot_tags[first] != g->nodes.slot_tags[slot]) continue;
    if (count == 0 || memcmp(spread->edges.at + g->nodes.first[first], edges, count) == 0)
      return first;
  }
  map_put(spread->alike, key, slot);
  return slot;
}

/* Returns the set of tags that a set becomes over an arc. */
static TagSetId crossed(Spread *spread, const Crossing *crossing)
{
  array_clear(&spread->scratch);
  for (uint32_t i = 0; i < tag_set_count(spread->g->tags, crossing->from); i++) {
    TagId id = tag_set_tags(spread->g->tags, crossing->from)[i];
    uint8_t pairs = live_pairs(spread, crossing, i);
    for (int step = 0; step < 4 * variants(spread, crossing); step++) {
      if (!(pairs >> step % 4 & 1)) continue;
      Steps to = step_tag(spread, id, crossing, step % 4, step >= 4);
      for (uint32_t k = 0; k < to.count; k++) array_push(&spread->scratch, to.at[k]);
    }
  }
  return intern_scratch(spread);
}

/* Adds an edge pair between two nodes to the entries of the start's node, which begin at
   `first`. */
typedef ARRAY(MapEntry) MapEntries;
static void add_entry(MapEntries *entries, uint32_t first, uint32_t from, uint32_t to, int bit)
{
  uint32_t k = first;
  while (k < entries->len && entries->at[k].to != to) k++;
  if (k == entries->len)
    array_push(entries, (MapEntry){ .from = (uint16_t)from, .to = (uint16_t)to });
  entries->at[k].mask |= (uint8_t)(1 << bit);
}

/* Returns the map from a set, over an arc, into the set of its end. */
static MapId crossing_map(Spread *spread, const Crossing *crossing, TagSetId to_set)
{
  MapEntries entries = { 0 };
  for (uint32_t i = 0; i < tag_set_count(spread->g->tags, crossing->from); i++) {
    uint32_t first = entries.len;
    uint8_t pairs = live_pairs(spread, crossing, i);
    for (int step = 0; step < 4 * variants(spread, crossing); step++) {
      int bit = step % 4;
      if (!(pairs >> bit & 1)) continue;
      Steps to = step_tag(spread, tag_set_tags(spread->g->tags, crossing->from)[i], crossing, bit,
                          step >= 4);
      for (uint32_t k = 0; k < to.count; k++) {
        uint32_t index = tag_set_find(spread->g->tags, to_set, to.at[k]);
        if (index != UINT32_MAX) add_entry(&entries, first, i, index, bit);
      }
    }
  }
  MapId m = tag_map_add(spread->g->tags, entries.at, entries.len);
  array_free(&entries);
  return m;
}

/* Is the slot the driver of a cell's inout pin from which only tags that start there go into the
   cell? */
static bool is_inward_slot(const Graph *g, Slot slot)
{
  uint16_t kind = SLOT_DRIVER | SLOT_BIDIRECTIONAL;
  return !g->rules.inout_paths && (g->slots.flags[slot] & (kind | SLOT_PORT)) == kind;
}

static bool is_inward_start(const Graph *g, Slot slot)
{
  return g->slots.flags[slot] & SLOT_SEED && is_inward_slot(g, slot);
}

static Step step_between(const Spread *spread, Slot from, Slot to)
{
  if (is_inward_start(spread->g, from))
    return graph_wire_is_inner(spread->g, from, to) ? STEP_INWARD : STEP_POINT;
  if (is_point(spread, to) || exception_cut(spread->index, from) & CUT_AFTER) return STEP_POINT;
  bool leaves_launch = leads_to_launch(spread, from) && !leads_to_launch(spread, to);
  return leaves_launch || (in_cone(spread, from) && !in_cone(spread, to)) ? STEP_LEAVE : STEP_PLAIN;
}

static Crossing arc_crossing(const Spread *spread, ArcId a, Slot to)
{
  const Graph *g = spread->g;
  Slot from = g->arcs.from[a];
  uint8_t live = g->arcs.pairs[a] & g->arcs.live[a];
  bool launch = graph_arc_is_launch(g, a);
  Step step = spread->data_launches[from] ? (Step)spread->data_launches[from] : STEP_LAUNCH;
  if (!launch) step = step_between(spread, from, to);
  /* a map of its own says which pairs pass */
  if (step == STEP_PLAIN && live != g->arcs.pairs[a]) step = STEP_POINT;
  return (Crossing){ g->nodes.slot_tags[from], from, step, to, live };
}

/* The result of a step for a set depends on the set, the arriving edges, the edge pairs, and on
   what happens at the step's end (for a launch, also at its start).  It depends on the pins
   themselves only if clocks or starts that exceptions name are concerned. */
static bool is_repeated(const Spread *spread, const Crossing *crossing)
{
  if (exception_is_traced(spread->index) || crossing->step == STEP_INWARD) return false;
  if (is_launch(crossing->step) && !exception_start_is_plain(spread->index, crossing->from_slot))
    return false;
  return !is_special(spread, crossing->to);
}

static uint64_t crossing_key(Spread *spread, const Crossing *crossing, TagSetId to_set)
{
  uint32_t from =
      crossing->step == STEP_PLAIN ? crossing->from : alike_slot(spread, crossing->from_slot);
  uint32_t cut = exception_cut(spread->index, crossing->from_slot) & CUT_AFTER ? 1 : 0,
           before = exception_cut(spread->index, crossing->to) & CUT_BEFORE ? 1 : 0;
  uint32_t cones = (uint32_t)leads_to_launch(spread, crossing->to) << 1
                   | (uint32_t)in_cone(spread, crossing->to);
  uint32_t step_bits = cones << 6 | before << 5 | cut << 4 | crossing->step;
  uint64_t end_bits =
      (uint64_t)exception_act(spread->index, crossing->to) << 16 | crossing->pairs << 8 | step_bits;
  ActId launch =
      is_launch(crossing->step) ? exception_act(spread->index, crossing->from_slot) : NO_ACT;
  return hash_u64(hash_u64(hash_pair(from, to_set) ^ hash_u64(launch)) + end_bits) >> 1;
}

/* Returns true if only clocks pass the end of a step, because data paths end there. */
static bool stops_all(const Spread *spread, const Crossing *crossing)
{
  if (crossing->step == STEP_PLAIN || in_cone(spread, crossing->to)
      || leads_to_launch(spread, crossing->to))
    return false;
  if (!exception_ends_here(spread->index, crossing->to, RISE)) return false;
  if (!exception_ends_here(spread->index, crossing->to, FALL)) return false;
  for (uint32_t i = 0;
       i < tag_set_count(spread->g->tags, crossing->from) && !is_launch(crossing->step); i++)
    if (spread->g->tags->tags.at[tag_set_tags(spread->g->tags, crossing->from)[i]].is_clock)
      return false;
  return true;
}

static TagSetId arc_brings(Spread *spread, const Crossing *crossing)
{
  if (crossing->step == STEP_PLAIN) return crossing->from;
  if (stops_all(spread, crossing)) return EMPTY_SET;
  bool remember = is_repeated(spread, crossing);
  uint64_t key = remember ? crossing_key(spread, crossing, EMPTY_SET) : 0;
  uint32_t known = remember ? map_get(spread->launches, key) : MAP_NO_VALUE;
  if (known != MAP_NO_VALUE) return known;
  TagSetId set = crossed(spread, crossing);
  if (remember) map_put(spread->launches, key, set);
  return set;
}

static MapId arc_map(Spread *spread, const Crossing *crossing, TagSetId to_set)
{
  if (crossing->step == STEP_PLAIN && crossing->from == to_set) return IDENTITY_MAP;
  if (to_set == EMPTY_SET || stops_all(spread, crossing)) return spread->no_map;
  bool remember = crossing->step == STEP_PLAIN || is_repeated(spread, crossing);
  uint64_t key = remember ? crossing_key(spread, crossing, to_set) : 0;
  uint32_t known = remember ? map_get(spread->maps, key) : MAP_NO_VALUE;
  if (known != MAP_NO_VALUE) return known;
  MapId m = crossing_map(spread, crossing, to_set);
  if (remember) map_put(spread->maps, key, m);
  return m;
}

/* --- what borrows at latches ------------------------------------------------------------------ */
/* Returns the tag that data gets if it borrows with one edge and leaves with another, for the
   index-th tag of the gate.  Only clocks that open the latch count. */
static TagId borrowed_tag(Spread *spread, const Latch *latch, uint32_t index, int pair)
{
  const Graph *g = spread->g;
  TagId id = tag_set_tags(g->tags, g->nodes.slot_tags[latch->enable])[index];
  if (!tag_is_clock(&g->tags->tags.at[id])
      || !(spread->edges.at[g->nodes.first[latch->enable] + index] >> latch->open_edge & 1))
    return NO_TAG;
  PathStart start = { .slot = { latch->enable, latch->data },
                      .edge = { latch->open_edge, (uint8_t)(pair >> 1) },
                      .count = 2 };
  id = launch_tag(spread, id, start, STEP_LAUNCH, false);
  return id != NO_TAG && is_point(spread, latch->output)
             ? pass_tag(spread, id, latch->output, pair & 1)
             : id;
}

static uint8_t latch_pairs(const Graph *g, const Latch *latch)
{
  return g->arcs.pairs[latch->arc] & g->arcs.live[latch->arc];
}

/* As is_repeated and crossing_key, for latches: of several equal latches only one is computed. */
static bool latch_is_repeated(const Spread *spread, const Latch *latch)
{
  return !exception_is_traced(spread->index)
         && exception_start_is_plain(spread->index, latch->enable)
         && exception_start_is_plain(spread->index, latch->data)
         && !is_special(spread, latch->output);
}

static uint64_t latch_key(Spread *spread, const Latch *latch, TagSetId to_set)
{
  enum { LATCH_BIT = 8 };                  /* sets the keys apart from those of crossing_key */
  uint32_t cut = exception_cut(spread->index, latch->output) & CUT_BEFORE ? 1 : 0;
  uint64_t end_bits = (uint64_t)exception_act(spread->index, latch->output) << 16
                      | latch_pairs(spread->g, latch) << 8 | cut << 5 | LATCH_BIT
                      | latch->open_edge;
  uint64_t starts = hash_u64(hash_pair(exception_act(spread->index, latch->enable),
                                       exception_act(spread->index, latch->data)));
  uint64_t sets = hash_u64(hash_pair(alike_slot(spread, latch->enable), to_set) ^ starts);
  return hash_u64(sets + end_bits) >> 1;
}

static TagSetId latch_tags(Spread *spread, const Latch *latch)
{
  array_clear(&spread->scratch);
  for (uint32_t i = 0;
       i < tag_set_count(spread->g->tags, spread->g->nodes.slot_tags[latch->enable]); i++)
    for (int pair = 0; pair < 4; pair++) {
      TagId id =
          latch_pairs(spread->g, latch) >> pair & 1 ? borrowed_tag(spread, latch, i, pair) : NO_TAG;
      if (id != NO_TAG) array_push(&spread->scratch, id);
    }
  return intern_scratch(spread);
}

static TagSetId latch_brings(Spread *spread, const Latch *latch)
{
  bool remember = latch_is_repeated(spread, latch);
  uint64_t key = remember ? latch_key(spread, latch, EMPTY_SET) : 0;
  uint32_t known = remember ? map_get(spread->launches, key) : MAP_NO_VALUE;
  if (known != MAP_NO_VALUE) return known;
  TagSetId set = latch_tags(spread, latch);
  if (remember) map_put(spread->launches, key, set);
  return set;
}

static MapId make_latch_map(Spread *spread, const Latch *latch, TagSetId to_set)
{
  MapEntries entries = { 0 };
  for (uint32_t i = 0;
       i < tag_set_count(spread->g->tags, spread->g->nodes.slot_tags[latch->enable]); i++) {
    uint32_t first = entries.len;
    for (int pair = 0; pair < 4; pair++) {
      TagId id =
          latch_pairs(spread->g, latch) >> pair & 1 ? borrowed_tag(spread, latch, i, pair) : NO_TAG;
      uint32_t index = id == NO_TAG ? UINT32_MAX : tag_set_find(spread->g->tags, to_set, id);
      if (index != UINT32_MAX) add_entry(&entries, first, i, index, pair);
    }
  }
  MapId m = tag_map_add(spread->g->tags, entries.at, entries.len);
  array_free(&entries);
  return m;
}

static MapId latch_map(Spread *spread, const Latch *latch, TagSetId to_set)
{
  bool remember = latch_is_repeated(spread, latch);
  uint64_t key = remember ? latch_key(spread, latch, to_set) : 0;
  uint32_t known = remember ? map_get(spread->maps, key) : MAP_NO_VALUE;
  if (known != MAP_NO_VALUE) return known;
  MapId m = make_latch_map(spread, latch, to_set);
  if (remember) map_put(spread->maps, key, m);
  return m;
}

/* Finds the latches whose data goes on at a slot: the latches [first, end) of its arcs. */
static void find_slot_latches(const Graph *g, Slot slot, uint32_t *first, uint32_t *end)
{
  *first = *end = 0;
  if (g->arcs.latches.len == 0) return;
  *first = graph_first_latch(g, g->arcs.first[slot]);
  *end = graph_first_latch(g, g->arcs.first[slot + 1]);
}

/* --- seeds ------------------------------------------------------------------------------------ */
/* What the arrival at a seed is added to: another node (its slot until links are made), or a
   reference pin. NO_NODE_ID, NO_PIN: nothing. */
typedef struct {
  uint32_t origin;
  PinId    reference;
} SeedBase;
static const SeedBase no_base = { NO_NODE_ID, NO_PIN };

static Seed *add_seed(Spread *spread, Slot slot, Tag tag, SeedBase base)
{
  TagId id = tag_add(spread->g->tags, tag);
  for (uint32_t i = map_get(spread->slot_seed, slot); i != MAP_NO_VALUE;
       i = spread->next_seed.at[i]) {
    Seed *seed = &spread->g->starts.seeds.at[i];
    if (seed->tag == id && seed->origin == base.origin && seed->reference == base.reference)
      return seed;
  }
  array_push(&spread->next_seed, map_get(spread->slot_seed, slot));
  map_put(spread->slot_seed, slot, spread->g->starts.seeds.len);
  spread->g->slots.flags[slot] |= SLOT_SEED;
  array_push(&spread->g->starts.seeds,
             (Seed){ slot,
                     id,
                     { NAN, NAN, NAN, NAN },
                     base.origin,
                     base.reference,
                     tag.clock_edge == NO_CLOCK_EDGE ? 0 : (uint8_t)clock_edge_edge(tag.clock_edge),
                     NO_NODE_ID });
  return &spread->g->starts.seeds.at[spread->g->starts.seeds.len - 1];
}

typedef struct {
  Spread *spread;
  ClockId clock;
} ClockSeed;

/* Returns the source latency at a source: that of the pin, else that of the clock. A generated
   clock without a latency is linked to its master (links.c) and starts at 0 here. */
static float source_latency_at(const Graph *g, ClockId clock, Slot slot, int condition)
{
  float latency = clock_pin_source_latency(g->constraints, g->slots.pin[slot], clock, condition);
  return isnan(latency) ? clock_source_latency(g->constraints, clock, condition) : latency;
}

/* Returns true if a sense at the source of a clock stops the clock. It then goes on as data. */
static bool stop_at_source(const Spread *spread, Tag *tag, Slot slot, int edge)
{
  if (sense_clock_passes(spread->senses, slot, tag->clock_edge, edge)) return false;
  tag->is_clock = tag->propagated = false;
  tag->pin_values = 0;
  return true;
}

static void seed_clock_slot(void *data, Slot slot)
{
  ClockSeed *cs = data;
  Spread *spread = cs->spread;
  Graph *g = spread->g;
  const Clock *clock = &g->constraints->clocks.at[cs->clock];
  if (g->slots.flags[slot] & (SLOT_CONSTANT | SLOT_DISABLED)) return;
  for (int edge = RISE; edge <= FALL; edge++) {
    if (!edge_passes(spread, slot, edge)) continue;
    Tag tag = { .clock_edge = 2 * cs->clock + (ClockEdge)edge, .is_clock = true };
    tag.propagated = clock->propagated;
    PathStart start = { { slot }, { (uint8_t)edge }, 1, true, true, tag.clock_edge };
    tag.state = exception_start(spread->index, g->tags, &start);
    take_given(spread, &tag, slot);
    if ((!tag.propagated || spread->pin_records.len)
        && (clock->generated
            || clock_pin_has_source_latency(g->constraints, g->slots.pin[slot], cs->clock))) {
      ClockPinValues p = *graph_pin_values(g, &tag);
      p.source = slot;
      tag.pin_values = pin_values_add(g, p);
    }
    if (stop_at_source(spread, &tag, slot, edge) && data_ends(spread, &tag, slot, edge)) continue;
    Seed *seed = add_seed(spread, slot, tag, no_base);
    for (int el = EARLY; el <= LATE; el++) {
      int condition = condition_of(el, edge);
      seed->arrival[condition] = source_latency_at(g, cs->clock, slot, condition);
    }
  }
}

/* Collects the pins with values for passing clocks: at a pin, or behind a hierarchical one. */
typedef struct {
  Spread  *spread;
  uint32_t clock_pin;
} PinSaid;

static void pin_said(void *data, Slot slot)
{
  PinSaid *said = data;
  Spread *spread = said->spread;
  if (slot == NO_SLOT) return;
  const ClockPin *cp = &spread->g->constraints->clock_pins.at[said->clock_pin];
  bool uncertain = !isnan(cp->uncertainty[SETUP]) || !isnan(cp->uncertainty[HOLD]);
  if (!cp->propagated && !gives_latency(cp) && !uncertain) return;
  array_push(&spread->pin_records,
             (PinRecord){ said->clock_pin, map_get(spread->clock_pins, slot) });
  map_put(spread->clock_pins, slot, spread->pin_records.len - 1);
}

static void clock_pin_said(Spread *spread, uint32_t clock_pin)
{
  const Graph *g = spread->g;
  PinSaid x = { spread, clock_pin };
  PinId pin = g->constraints->clock_pins.at[clock_pin].pin;
  if (pin == NO_PIN) return;
  if (pin_is_hierarchical(g->netlist, pin)) {
    graph_crossing_loads(g, pin, pin_said, &x);
    return;
  }
  Slot driver = graph_slot(g, pin, true), load = g->slots.of_pin[pin];
  pin_said(&x, driver);
  if (load != driver) pin_said(&x, load);
}

typedef struct {
  int      late;              /* rank of the pin in the order in which a clock passes the pins of a
                                 net */
  uint32_t at;                /* index of the record in the order of records */
} PassedPin;

/* Returns the rank of a pin on its net. A clock leaves blocks, the innermost first, then enters
   blocks, the outermost first, and then reaches the leaf pin. */
static int passed_late(const Netlist *n, PinId pin)
{
  if (pin == NO_PIN || !pin_is_hierarchical(n, pin)) return INT_MAX;
  int depth = 0;
  for (InstId i = n->pins.at[pin].inst; i != TOP_INST && i != NO_INST; i = n->insts.at[i].parent)
    depth++;
  return netlist_pin_direction(n, pin) == DIR_OUTPUT ? -depth : depth;
}

static int latest_first(const void *pa, const void *pb)
{
  const PassedPin *a = pa, *b = pb;
  if (a->late != b->late) return a->late > b->late ? -1 : 1;
  return a->at < b->at ? -1 : a->at > b->at;
}

/* Finds the records of each slot. A new record is put before the others of the slot, so the last
   pin that a clock passes comes first. */
static void find_clock_pins(Spread *spread)
{
  const Constraints *c = spread->g->constraints;
  uint32_t count = c->clock_pins.len, *order = RECORD_ORDER(c->clock_pins, 2);
  PassedPin *passed = mem_alloc(sizeof *passed * ((size_t)count + 1));
  for (uint32_t i = 0; i < count; i++)
    passed[i] = (PassedPin){ passed_late(spread->g->netlist, c->clock_pins.at[order[i]].pin), i };
  if (count) qsort(passed, count, sizeof *passed, latest_first);
  for (uint32_t i = 0; i < count; i++) clock_pin_said(spread, order[passed[i].at]);
  mem_free(passed);
  mem_free(order);
}

typedef struct {
  Map     *one_edge;
  uint32_t edge;
} OneEdge;

static void set_one_edge(void *data, Slot load)
{
  const OneEdge *edge = data;
  map_put(edge->one_edge, load, edge->edge);
}

static void find_one_edges(Spread *spread)
{
  const Graph *g = spread->g;
  uint32_t *order = RECORD_ORDER(g->constraints->cases, 1);
  for (uint32_t i = 0; i < g->constraints->cases.len; i++) {
    const PinCase *pin_case = &g->constraints->cases.at[order[i]];
    OneEdge x = { spread->one_edge, pin_case->value == CASE_RISE ? RISE : FALL };
    if (pin_case->pin == NO_PIN || (pin_case->value != CASE_RISE && pin_case->value != CASE_FALL))
      continue;
    Slot slots[2] = { graph_slot(g, pin_case->pin, true), graph_slot(g, pin_case->pin, false) };
    if (pin_is_hierarchical(g->netlist, pin_case->pin))
      graph_crossing_loads(g, pin_case->pin, set_one_edge, &x);
    for (int k = 0; k < 2; k++)
      if (slots[k] != NO_SLOT) set_one_edge(&x, slots[k]);
  }
  mem_free(order);
}

/* Records which masters carry their time to a source, and whether they go through gates alone. */
static void feed_source(void *data, Slot slot)
{
  ClockSeed *cs = data;
  const Clock *clock = &cs->spread->g->constraints->clocks.at[cs->clock];
  uint64_t key = hash_pair(slot, clock->derived_master);
  if (!clock->combinational || map_get(cs->spread->feeds, key) == MAP_NO_VALUE)
    map_put(cs->spread->feeds, key,
            clock->combinational ? TO_SOURCE_BY_GATES : TO_SOURCE_BY_REGISTERS);
}

static void seed_clocks(Spread *spread)
{
  for (ClockId c = 0; c < spread->g->constraints->clocks.len; c++) {
    ClockSeed cs = { spread, c };
    if (!clock_is_timed(spread->g->constraints, c)) continue;
    clock_source_slots(spread->g, c, seed_clock_slot, &cs);
    if (spread->g->constraints->clocks.at[c].generated)
      clock_source_slots(spread->g, c, feed_source, &cs);
  }
}

/* Returns the latency that the clock of an input delay has outside, unless the delay includes it.
   The source latency of a generated clock is not known here (from_source). */
static float input_latency(const Constraints *c, const PortDelay *delay, int condition)
{
  if (delay->clock == NO_CLOCK || delay->reference_pin != NO_PIN) return 0; /* see references.c */
  int edge_condition = condition_of(condition / 2, delay->clock_edge);
  float latency = 0;
  if (!delay_has_source(delay, condition) && !c->clocks.at[delay->clock].generated)
    latency += clock_source_latency(c, delay->clock, edge_condition);
  if (!delay_has_network(delay, condition))
    latency += clock_network_latency(c, delay->clock, edge_condition);
  return latency;
}

/* Returns the conditions of an input delay that include the latency of a generated clock. This
   latency is the arrival at the first source of the clock. */
static uint32_t from_source(const Graph *g, const PortDelay *delay)
{
  if (delay->clock == NO_CLOCK || delay->reference_pin != NO_PIN) return 0;
  return g->constraints->clocks.at[delay->clock].generated ? delay_without_source(delay) : 0;
}

/* Takes the worst of the values given for a seed. */
static void seed_arrives(Seed *seed, const float *arrival, int edge)
{
  for (int el = EARLY; el <= LATE; el++) {
    int k = condition_of(el, edge);
    if (isnan(arrival[k])) continue;
    float have = seed->arrival[k];
    if (isnan(have) || (el == LATE ? arrival[k] > have : arrival[k] < have))
      seed->arrival[k] = arrival[k];
  }
}

/* Makes a seed of hidden tags: data without a clock on its way to the clock pins where it
   launches. */
static void seed_time(Spread *spread, Slot slot, const float *arrival)
{
  const Graph *g = spread->g;
  if (!leads_to_launch(spread, slot) || g->slots.flags[slot] & (SLOT_CONSTANT | SLOT_DISABLED))
    return;
  if (!sense_data_passes(spread->senses, slot, NO_CLOCK_EDGE)) return;
  Tag tag = time_tag();
  tag.inward = is_inward_slot(g, slot);
  for (int edge = RISE; edge <= FALL; edge++)
    if (edge_passes(spread, slot, edge))
      seed_arrives(add_seed(spread, slot, tag, no_base), arrival, edge);
}

/* Makes the seeds of a start. The rising and the falling start have separate tags if an exception
   treats them differently. */
static void seed_start(Spread *spread, Slot slot, ClockEdge clock, const float *arrival,
                       SeedBase base, bool bare)
{
  Graph *g = spread->g;
  if (g->slots.flags[slot] & (SLOT_CONSTANT | SLOT_DISABLED)) return;
  for (int edge = RISE; edge <= FALL; edge++) {
    if (!edge_passes(spread, slot, edge)) continue;
    PathStart start = { { slot }, { (uint8_t)edge }, 1, true, false, clock };
    StateId state = exception_start(spread->index, g->tags, &start);
    if (exception_state_is_dead(spread->index, g->tags, state)) continue;
    if (!sense_data_passes(spread->senses, slot, clock)) continue;
    if (bare && !exception_state_is_bare(spread->index, g->tags, state)) continue;
    Tag tag = { .clock_edge = clock, .bare = bare, .inward = is_inward_slot(g, slot),
      .state = state };
    seed_arrives(add_seed(spread, slot, tag, base), arrival, edge);
  }
}

/* Is the pin a source of the clock? An input delay relative to this clock has no effect there. */
static bool is_source_of(const Graph *g, PinId pin, ClockId clock)
{
  if (clock == NO_CLOCK) return false;
  const Clock *the_clock = &g->constraints->clocks.at[clock];
  for (uint32_t i = 0; i < the_clock->sources.len; i++)
    if (the_clock->sources.at[i] == pin) return true;
  return false;
}

static const float at_zero[CONDITION_COUNT] = { 0, 0, 0, 0 };

/* Makes the seed of a start without a clock. */
static void seed_inner(Spread *spread, Slot slot)
{
  for (int bare = 0; bare <= exception_has_bare(spread->index); bare++)
    seed_start(spread, slot, NO_CLOCK_EDGE, at_zero, no_base, bare);
}

/* Makes the seeds of an input delay for the given conditions. */
static void seed_conditions(Spread *spread, Slot slot, ClockEdge clock, const float *arrival,
                            SeedBase base, uint32_t conditions)
{
  float some[CONDITION_COUNT];
  for (int k = 0; k < CONDITION_COUNT; k++) some[k] = conditions >> k & 1 ? arrival[k] : NAN;
  if (conditions) seed_start(spread, slot, clock, some, base, false);
}

typedef struct {
  Spread  *spread;
  const PortDelay *delay;
  uint8_t *delayed;            /* by slot: an input delay starts data there */
} DelaySeed;

static void seed_delayed(void *data, Slot slot)
{
  const DelaySeed *seed = data;
  Spread *spread = seed->spread;
  const Graph *g = spread->g;
  const Constraints *c = g->constraints;
  const PortDelay *delay = seed->delay;
  seed->delayed[slot] = 1;
  if (is_source_of(g, delay->pin, delay->clock)
      || (delay->clock != NO_CLOCK && !clock_is_timed(c, delay->clock)))
    return;
  float arrival[CONDITION_COUNT];
  for (int k = 0; k < CONDITION_COUNT; k++)
    arrival[k] = delay->delay[k] + input_latency(c, delay, k);
  ClockEdge edge = delay->clock == NO_CLOCK ? NO_CLOCK_EDGE : 2 * delay->clock + delay->clock_edge;
  uint32_t later = from_source(g, delay);
  SeedBase source = { later ? clock_first_slot(g, delay->clock) : NO_NODE_ID, NO_PIN };
  SeedBase own = { NO_NODE_ID, delay->clock == NO_CLOCK ? NO_PIN : delay->reference_pin };
  seed_conditions(spread, slot, edge, arrival, source, later);
  seed_conditions(spread, slot, edge, arrival, own, delay_given(delay) & ~later);
  if (exception_has_bare(spread->index))
    seed_start(spread, slot, edge, delay->delay, no_base, true);
  if (delay->clock == NO_CLOCK) seed_time(spread, slot, arrival);
}

/* Tags are numbered when they are first met, and a pin shows the first of several tags with equal
   slack.  So delays are processed in the order of their objects, not of their commands. */
static void seed_inputs(Spread *spread)
{
  Graph *g = spread->g;
  const Constraints *c = g->constraints;
  uint8_t *delayed = mem_alloc_zero(g->slots.count + 1, 1);
  uint32_t *order = delay_order(c->input_delays.at, c->input_delays.len);
  for (uint32_t i = 0; i < c->input_delays.len; i++) {
    DelaySeed x = { spread, &c->input_delays.at[order[i]], delayed };
    if (x.delay->pin != NO_PIN) graph_said_slots(g, x.delay->pin, true, seed_delayed, &x);
  }
  for (Slot slot = 0; slot < g->slots.count; slot++) {
    if ((g->slots.flags[slot] & (SLOT_DRIVER | SLOT_PORT)) != (SLOT_DRIVER | SLOT_PORT)) continue;
    if (delayed[slot] || g->slots.flags[slot] & (SLOT_CLOCK_SOURCE | SLOT_CONSTANT | SLOT_DISABLED))
      continue;
    seed_inner(spread, slot);
    seed_time(spread, slot, at_zero);
  }
  for (Slot slot = 0; slot < g->slots.count; slot++)
    if (exception_cut(spread->index, slot) & CUT_START && !delayed[slot]) seed_inner(spread, slot);
  mem_free(order);
  mem_free(delayed);
}

static int by_seed_slot(const void *pa, const void *pb)
{
  const Seed *a = pa, *b = pb;
  if (a->slot != b->slot) return a->slot < b->slot ? -1 : 1;
  if (a->tag != b->tag) return a->tag < b->tag ? -1 : 1;
  if (a->origin != b->origin) return a->origin < b->origin ? -1 : 1;
  return a->reference < b->reference ? -1 : a->reference > b->reference;
}

static TagSetId seeds_at(Spread *spread, Slot slot, TagSetId set)
{
  uint32_t i = map_get(spread->slot_seed, slot);
  if (i == MAP_NO_VALUE) return set;
  array_clear(&spread->scratch);
  scratch_add_set(spread, set);
  for (; i != MAP_NO_VALUE; i = spread->next_seed.at[i])
    array_push(&spread->scratch, spread->g->starts.seeds.at[i].tag);
  return intern_scratch(spread);
}

/* Returns true if arcs of a register begin at the slot. */
static bool is_launching_pin(const Graph *g, Slot slot)
{
  for (uint32_t i = g->arcs.out_first[slot]; i < g->arcs.out_first[slot + 1]; i++)
    if (arc_on(g, g->arcs.out[i])
        && graph_arc_is_launch(g, g->arcs.out[i]))
      return true;
  return false;
}

typedef struct { bool clocks, clocked_data, unclocked_data, time; } Arriving;

static Arriving arriving(const Graph *g, TagSetId set)
{
  Arriving a = { false, false, false, false };
  for (uint32_t i = 0; i < tag_set_count(g->tags, set); i++) {
    const Tag *tag = &g->tags->tags.at[tag_set_tags(g->tags, set)[i]];
    bool clock = tag_is_clock(tag), clocked = tag->clock_edge != NO_CLOCK_EDGE;
    *(clock ? &a.clocks : clocked ? &a.clocked_data : &a.unclocked_data) = true;
    a.time |= tag->to_source == TO_LAUNCH;
  }
  return a;
}

/* A register that no clock reaches launches without a clock, and paths start at its clock pin.  If
   data without a clock arrives there, for example from an unconstrained port, the register launches
   at that arrival, whatever exceptions apply to the paths to the pin; otherwise it launches at time
   0.  It does not launch if a clock of another mode reaches it, unless this mode limits delays of
   paths from it. */
static bool is_idle(const Spread *spread, Slot slot)
{
  return spread->elsewhere && spread->elsewhere[slot]
         && !(spread->limited && spread->limited[slot]);
}

static TagSetId start_unclocked(Spread *spread, Slot slot, TagSetId set)
{
  Graph *g = spread->g;
  if (!is_launching_pin(g, slot) || is_idle(spread, slot)) return set;
  Arriving a = arriving(g, set);
  if (a.clocks) return set;
  if (a.unclocked_data && !a.clocked_data) {
    spread->data_launches[slot] = a.time ? STEP_LAUNCH_TIME : STEP_LAUNCH_DATA;
    return set;
  }
  Seed *seed = add_seed(spread, slot, (Tag){ .clock_edge = NO_CLOCK_EDGE, .unclocked_start = true },
                        no_base);
  for (int k = 0; k < CONDITION_COUNT; k++) seed->arrival[k] = 0;
  return seeds_at(spread, slot, set);
}

/* --- clocks of other modes -------------------------------------------------------------------- */
static void mark_slot(void *data, Slot slot)
{
  uint8_t *marks = data;
  if (slot != NO_SLOT) marks[slot] = 1;
}

/* Do clocks of other modes pass an arc? They pass cell arcs that are on, or that only constants
   switch off, because another mode has other constants. */
static bool elsewhere_passes(const Graph *g, ArcId a)
{
  return !(g->arcs.flags[a] & (ARC_OFF & ~ARC_OFF_CONSTANT))
         && g->libs->arcs.at[g->arcs.lib[a]].type == ARC_COMBINATIONAL;
}

/* Spreads marks from slots over wires and the arcs that pass. */
static void spread_marks(const Graph *g, uint8_t *marks, bool (*passes)(const Graph *, ArcId))
{
  for (Slot slot = 0; slot < g->slots.count; slot++) {
    uint32_t from, to;
    if (!slot_is_driver(g, slot) && g->nets.wire_driver[slot] != NO_SLOT)
      marks[slot] |= marks[g->nets.wire_driver[slot]];
    graph_extra_wires(g, slot, &from, &to);
    for (uint32_t i = from; i < to; i++) marks[slot] |= marks[g->nets.extra_wires.at[i].driver];
    for (ArcId a = g->arcs.first[slot]; a < g->arcs.first[slot + 1]; a++)
      if (passes(g, a)) marks[slot] |= marks[g->arcs.from[a]];
  }
}

/* Marks the slots that clocks of other modes may reach: over wires and gates, ignoring
   constants. */
static void mark_elsewhere(Spread *spread)
{
  const Graph *g = spread->g;
  const PinArray *pins = &g->constraints->clocks_elsewhere;
  if (pins->len == 0) return;
  spread->elsewhere = mem_alloc_zero((size_t)g->slots.count + 1, 1);
  spread->limited = exception_delay_starts(spread->index);
  for (uint32_t i = 0; i < pins->len; i++) {
    if (pin_is_hierarchical(g->netlist, pins->at[i]))
      graph_crossing_loads(g, pins->at[i], mark_slot, spread->elsewhere);
    mark_slot(spread->elsewhere, graph_slot(g, pins->at[i], true));
    mark_slot(spread->elsewhere, graph_slot(g, pins->at[i], false));
  }
  spread_marks(g, spread->elsewhere, elsewhere_passes);
}

/* --- the way to launches without a clock ------------------------------------------------------ */
static bool gate_passes(const Graph *g, ArcId a)
{
  return arc_on(g, a) && !(g->arcs.flags[a] & ARC_LATCH) && !graph_arc_is_launch(g, a);
}

/* Marks the slots that this mode's clocks may reach. */
static uint8_t *mark_clocked(const Graph *g)
{
  uint8_t *marks = mem_alloc_zero((size_t)g->slots.count + 1, 1);
  for (ClockId c = 0; c < g->constraints->clocks.len; c++)
    if (clock_is_timed(g->constraints, c)) clock_source_slots(g, c, mark_slot, marks);
  spread_marks(g, marks, gate_passes);
  return marks;
}

/* Marks the slots that lead to marked slots, also through registers. */
static void mark_back(const Graph *g, uint8_t *marks)
{
  for (Slot slot = g->slots.count; slot-- > 0;) {
    uint32_t from, to;
    if (!marks[slot]) continue;
    if (!slot_is_driver(g, slot) && g->nets.wire_driver[slot] != NO_SLOT)
      marks[g->nets.wire_driver[slot]] = 1;
    graph_extra_wires(g, slot, &from, &to);
    for (uint32_t i = from; i < to; i++) marks[g->nets.extra_wires.at[i].driver] = 1;
    for (ArcId a = g->arcs.first[slot]; a < g->arcs.first[slot + 1]; a++)
      if (arc_on(g, a) && !(g->arcs.flags[a] & ARC_LATCH)) marks[g->arcs.from[a]] = 1;
  }
}

/* Returns true if a path may lead from a start at the slot to a marked slot. A start at a clock pin
   leads there if an output that it launches does. */
static bool starts_towards(const Graph *g, const uint8_t *marks, Slot slot)
{
  bool on = !is_launching_pin(g, slot);
  for (uint32_t i = g->arcs.out_first[slot]; i < g->arcs.out_first[slot + 1] && !on; i++)
    on = arc_on(g, g->arcs.out[i]) && marks[g->arcs.to[g->arcs.out[i]]];
  return on;
}

/* Returns true if an exception names a marked slot. */
static bool is_met(const Spread *spread, const uint8_t *marks)
{
  for (Slot slot = 0; slot < spread->g->slots.count; slot++) {
    if (!marks[slot]) continue;
    if (exception_act(spread->index, slot) != NO_ACT || exception_cut(spread->index, slot))
      return true;
    if (!exception_start_is_plain(spread->index, slot) && starts_towards(spread->g, marks, slot))
      return true;
  }
  return false;
}

/* Marks the launching clock pins that no clock reaches. Returns false if there are none. */
static bool mark_unclocked(const Graph *g, uint8_t *marks)
{
  uint8_t *clocked = mark_clocked(g), any = 0;
  for (Slot slot = 0; slot < g->slots.count; slot++) {
    if (!(g->slots.flags[slot] & SLOT_CLOCK_PIN) || clocked[slot]) continue;
    marks[slot] = is_launching_pin(g, slot);
    any |= marks[slot];
  }
  mem_free(clocked);
  return any;
}

/* Marks the slots that need hidden tags for launches.  Registers that no clock reaches launch when
   data arrives at their clock pins.  If exceptions may stop that data, or start other paths on its
   way, hidden tags carry its time. */
static void mark_to_launch(Spread *spread)
{
  const Graph *g = spread->g;
  if (g->constraints->exceptions.len == 0) return;
  spread->to_launch = mem_alloc_zero((size_t)g->slots.count + 1, 1);
  bool any = mark_unclocked(g, spread->to_launch);
  if (any) mark_back(g, spread->to_launch);
  if (any && is_met(spread, spread->to_launch)) return;
  mem_free(spread->to_launch);
  spread->to_launch = NULL;
}

/* --- the walk --------------------------------------------------------------------------------- */
static void spread_driver(Spread *spread, Slot slot)
{
  Graph *g = spread->g;
  TagSetId set = EMPTY_SET;
  uint32_t latch, latch_end;
  find_slot_latches(g, slot, &latch, &latch_end);
  if (!(g->slots.flags[slot] & (SLOT_CONSTANT | SLOT_DISABLED))) {
    for (ArcId a = g->arcs.first[slot]; a < g->arcs.first[slot + 1]; a++) {
      if (!arc_on(g, a) || g->arcs.flags[a] & ARC_LATCH) continue;
      Crossing c = arc_crossing(spread, a, slot);
      if (c.from != EMPTY_SET) set = unite(spread, set, arc_brings(spread, &c));
    }
    for (uint32_t i = latch; i < latch_end; i++)
      set = unite(spread, set, latch_brings(spread, &g->arcs.latches.at[i]));
    if (g->slots.flags[slot] & SLOT_SEED) set = seeds_at(spread, slot, set);
    if (g->slots.flags[slot] & SLOT_CLOCK_PIN) set = start_unclocked(spread, slot, set);
  }
  g->nodes.slot_tags[slot] = set;
  for (ArcId a = g->arcs.first[slot]; a < g->arcs.first[slot + 1]; a++) {
    if (!arc_on(g, a) || g->arcs.flags[a] & ARC_LATCH) continue;
    Crossing c = arc_crossing(spread, a, slot);
    g->arcs.map[a] = arc_map(spread, &c, set);
  }
  for (; latch < latch_end; latch++)
    g->arcs.latches.at[latch].map = latch_map(spread, &g->arcs.latches.at[latch], set);
}

enum { WIRE_PAIRS = 1 << 0 | 1 << 3 };    /* rise to rise, fall to fall */

static Crossing wire_crossing(const Spread *spread, Slot driver, Slot load)
{
  return (Crossing){ spread->g->nodes.slot_tags[driver], driver, step_between(spread, driver, load),
                     load, WIRE_PAIRS };
}

static bool wire_is_shut(const Graph *g, Slot driver, Slot load)
{
  return graph_wire_is_inner(g, driver, load) && !is_inward_start(g, driver);
}

static TagSetId wire_brings(Spread *spread, Slot driver, Slot load)
{
  Crossing c = wire_crossing(spread, driver, load);
  return wire_is_shut(spread->g, driver, load) ? EMPTY_SET : arc_brings(spread, &c);
}

static MapId map_of_wire(Spread *spread, Slot driver, Slot load, TagSetId set)
{
  Crossing c = wire_crossing(spread, driver, load);
  return wire_is_shut(spread->g, driver, load) ? spread->no_map : arc_map(spread, &c, set);
}

/* Sets the tags of a load. Clocks and input delays may begin at loads too: at a cell's input, an
   output port, or a floating pin. */
static void spread_load(Spread *spread, Slot load)
{
  Graph *g = spread->g;
  Slot driver = g->nets.wire_driver[load];
  if (g->slots.flags[load] & (SLOT_CONSTANT | SLOT_DISABLED)) return;
  if (driver == NO_SLOT) {
    g->nodes.slot_tags[load] = seeds_at(spread, load, EMPTY_SET);
    if (g->slots.flags[load] & SLOT_CLOCK_PIN)
      g->nodes.slot_tags[load] = start_unclocked(spread, load, g->nodes.slot_tags[load]);
    return;
  }
  uint32_t from, to;
  graph_extra_wires(g, load, &from, &to);
  TagSetId set = wire_brings(spread, driver, load);
  for (uint32_t i = from; i < to; i++)
    set = unite(spread, set, wire_brings(spread, g->nets.extra_wires.at[i].driver, load));
  if (g->slots.flags[load] & SLOT_SEED) set = seeds_at(spread, load, set);
  if (g->slots.flags[load] & SLOT_CLOCK_PIN) set = start_unclocked(spread, load, set);
  g->nodes.slot_tags[load] = set;
  g->nets.wire_map[load] = map_of_wire(spread, driver, load, set);
  for (uint32_t i = from; i < to; i++)
    g->nets.extra_wires.at[i].map =
        map_of_wire(spread, g->nets.extra_wires.at[i].driver, load, set);
}

/* --- which transitions can arrive in a node: without numbers, over the same arcs -------------- */
static void spread_edges(Spread *spread, NodeId from, NodeId to, MapId map, uint32_t count,
                         uint8_t pairs)
{
  uint8_t *edges = spread->edges.at;
  if (map == IDENTITY_MAP) {
    for (uint32_t i = 0; i < count; i++)
      for (int bit = 0; bit < 4; bit++)
        if (pairs >> bit & 1 && edges[from + i] >> (bit >> 1) & 1)
          edges[to + i] |= (uint8_t)(1 << (bit & 1));
    return;
  }
  const MapEntry *entry = tag_map_entries(spread->g->tags, map);
  for (uint32_t i = 0; i < tag_map_count(spread->g->tags, map); i++)
    for (int bit = 0; bit < 4; bit++)
      if (pairs >> bit & entry[i].mask >> bit & 1 && edges[from + entry[i].from] >> (bit >> 1) & 1)
        edges[to + entry[i].to] |= (uint8_t)(1 << (bit & 1));
}

static void load_edges(Spread *spread, Slot load, uint32_t count)
{
  const Graph *g = spread->g;
  uint32_t from, to;
  if (g->nets.wire_driver[load] == NO_SLOT) return;
  spread_edges(spread, g->nodes.first[g->nets.wire_driver[load]], g->nodes.first[load],
               g->nets.wire_map[load], count, WIRE_PAIRS);
  graph_extra_wires(g, load, &from, &to);
  for (uint32_t i = from; i < to; i++)
    spread_edges(spread, g->nodes.first[g->nets.extra_wires.at[i].driver], g->nodes.first[load],
                 g->nets.extra_wires.at[i].map, count, WIRE_PAIRS);
}

/* Spreads the edges that arrive at the data pin of a latch to its output. */
static void latch_edges(Spread *spread, const Latch *latch)
{
  const MapEntry *entry = tag_map_entries(spread->g->tags, latch->map);
  for (uint32_t i = 0; i < tag_map_count(spread->g->tags, latch->map); i++)
    for (int pair = 0; pair < 4; pair++)
      if (entry[i].mask >> pair & 1)
        spread->edges.at[spread->g->nodes.first[latch->output] + entry[i].to] |=
            (uint8_t)(1 << (pair & 1));
}

static void driver_edges(Spread *spread, Slot driver, uint32_t count)
{
  const Graph *g = spread->g;
  uint32_t latch, latch_end;
  find_slot_latches(g, driver, &latch, &latch_end);
  for (; latch < latch_end; latch++) latch_edges(spread, &g->arcs.latches.at[latch]);
  for (ArcId a = g->arcs.first[driver]; a < g->arcs.first[driver + 1]; a++)
    if (arc_on(g, a) && !(g->arcs.flags[a] & ARC_LATCH))
      spread_edges(spread, g->nodes.first[g->arcs.from[a]], g->nodes.first[driver], g->arcs.map[a],
                   count, g->arcs.pairs[a]);
}

static void seed_edges(Spread *spread, Slot slot)
{
  const Graph *g = spread->g;
  for (uint32_t i = map_get(spread->slot_seed, slot); i != MAP_NO_VALUE;
       i = spread->next_seed.at[i]) {
    const Seed *seed = &g->starts.seeds.at[i];
    const float *a = seed->arrival;
    uint8_t edges = (uint8_t)((!isnan(a[0]) || !isnan(a[2])) | (!isnan(a[1]) || !isnan(a[3])) << 1);
    spread->edges
        .at[g->nodes.first[slot] + tag_set_find(g->tags, g->nodes.slot_tags[slot], seed->tag)] |=
        edges;
  }
}

/* Numbers the nodes of a slot whose tags are known.  Call it for slots in ascending order. */
static void add_nodes(Spread *spread, Slot slot)
{
  Graph *g = spread->g;
  uint32_t count = tag_set_count(g->tags, g->nodes.slot_tags[slot]);
  g->nodes.first[slot + 1] = g->nodes.first[slot] + count;
  if (count == 0) return;
  for (uint32_t i = 0; i < count; i++) array_push(&spread->edges, 0);
  if (g->slots.flags[slot] & SLOT_SEED) seed_edges(spread, slot);
  if (slot_is_driver(g, slot)) driver_edges(spread, slot, count);
  else load_edges(spread, slot, count);
}

static void spread_tags(Spread *spread)
{
  Graph *g = spread->g;
  for (uint32_t level = 0; level < g->levels.count && !interrupt_seen(); level++) {
    for (Slot slot = g->levels.first[level]; slot < g->levels.loads[level]; slot++) {
      spread_driver(spread, slot);
      add_nodes(spread, slot);
    }
    for (Slot slot = g->levels.loads[level]; slot < g->levels.first[level + 1]; slot++) {
      spread_load(spread, slot);
      add_nodes(spread, slot);
    }
  }
  g->nodes.count = g->nodes.first[g->slots.count];
}

/* Returns the network latency of a clock's tag. A latency at a pin takes the place of the clock's.
   A clock with set_propagated_clock only has latencies of pins. */
static float network_latency(const Graph *g, const Tag *tag, int condition)
{
  uint32_t pin = graph_pin_values(g, tag)->latency[condition];
  float given =
      pin == NO_CLOCK_PIN ? NAN : g->constraints->clock_pins.at[pin].network_latency[condition];
  return isnan(given)
             ? clock_network_latency(g->constraints, clock_edge_clock(tag->clock_edge), condition)
             : given;
}

static void tabulate_latencies(Graph *g)
{
  uint32_t count = g->tags->tags.len;
  g->by_tag.latency = mem_alloc_zero((size_t)count + 1, sizeof *g->by_tag.latency);
  g->by_tag.is_ideal = mem_alloc_zero((size_t)count + 1, 1);
  g->by_tag.is_bare = mem_alloc_zero((size_t)count + 1, 1);
  for (TagId t = 0; t < count; t++) {
    g->by_tag.is_bare[t] = g->tags->tags.at[t].bare;
    ClockEdge e = g->tags->tags.at[t].clock_edge;
    if (e == NO_CLOCK_EDGE) continue;
    ClockId clock = clock_edge_clock(e);
    g->by_tag.is_ideal[t] = g->tags->tags.at[t].is_clock && !g->tags->tags.at[t].propagated;
    bool origin = graph_pin_values(g, &g->tags->tags.at[t])->source != NO_SLOT;
    for (int k = 0; k < CONDITION_COUNT; k++) {
      /* latencies belong to the edge of the clock, even if the clock arrives inverted */
      int at_source = condition_of(k >> 1, clock_edge_edge(e));
      g->by_tag.latency[t][k] =
          (origin ? 0 : clock_source_latency(g->constraints, clock, at_source))
          + network_latency(g, &g->tags->tags.at[t], at_source);
    }
  }
}

/* Marks the pins at which an ideal clock arrives.  If a propagated clock arrives too, the pin still
   has one slew: that of the ideal clock. */
static void mark_ideal_clocks(Graph *g)
{
  for (Slot slot = 0; slot < g->slots.count; slot++) {
    bool ideal = false;
    const TagId *tags = tag_set_tags(g->tags, g->nodes.slot_tags[slot]);
    for (uint32_t i = 0; i < tag_set_count(g->tags, g->nodes.slot_tags[slot]); i++) {
      const Tag *tag = &g->tags->tags.at[tags[i]];
      ideal |= tag_is_clock(tag) && !tag->propagated && !graph_pin_values(g, tag)->shaped;
    }
    if (ideal) g->slots.flags[slot] |= SLOT_IDEAL_CLOCK;
  }
}

/* Fills the arrays by tag and by node, after the tags have been spread. */
static void finish_nodes(const Spread *spread)
{
  Graph *g = spread->g;
  if (g->starts.seeds.len)
    qsort(g->starts.seeds.at, g->starts.seeds.len, sizeof *g->starts.seeds.at, by_seed_slot);
  mark_ideal_clocks(g);
  tabulate_latencies(g);
  g->nodes.edges = mem_alloc((size_t)g->nodes.count + 1);
  if (g->nodes.count) memcpy(g->nodes.edges, spread->edges.at, g->nodes.count);
  build_links(g, spread->log);
}

void build_nodes(Graph *g, ExceptionIndex *index, const SenseIndex *senses, Log *log)
{
  Spread s = { .g = g,
               .index = index,
               .unions = map_new(),
               .launches = map_new(),
               .maps = map_new(),
               .slot_seed = map_new(),
               .clock_pins = map_new(),
               .feeds = map_new(),
               .alike = map_new(),
               .one_edge = map_new(),
               .senses = senses,
               .warned = map_new(),
               .log = log };
  g->nodes.first = mem_alloc_zero((size_t)g->slots.count + 1, sizeof *g->nodes.first);
  g->nodes.slot_tags = mem_alloc_zero((size_t)g->slots.count + 1, sizeof *g->nodes.slot_tags);
  g->nets.wire_map = mem_alloc_zero((size_t)g->slots.count + 1, sizeof *g->nets.wire_map);
  g->arcs.map = mem_alloc_zero((size_t)g->arcs.count + 1, sizeof *g->arcs.map);
  s.no_map = tag_map_add(g->tags, NULL, 0);
  array_push(&g->starts.pin_values, no_pin_values());
  find_clock_pins(&s);
  clocks_warn_of_unread(g, log);
  find_one_edges(&s);
  s.cone = generated_cone(g);
  s.data_launches = mem_alloc_zero((size_t)g->slots.count + 1, 1);
  mark_elsewhere(&s);
  mark_to_launch(&s);
  seed_clocks(&s);
  seed_inputs(&s);
  spread_tags(&s);
  if (!interrupt_seen()) finish_nodes(&s);
  map_free(s.unions);
  map_free(s.launches);
  map_free(s.maps);
  map_free(s.slot_seed);
  map_free(s.clock_pins);
  map_free(s.feeds);
  array_free(&s.pin_records);
  mem_free(s.cone);
  mem_free(s.data_launches);
  mem_free(s.elsewhere);
  mem_free(s.to_launch);
  mem_free(s.limited);
  map_free(s.alike);
  map_free(s.one_edge);
  map_free(s.warned);
  array_free(&s.edges);
  array_free(&s.next_seed);
  array_free(&s.scratch);
}
