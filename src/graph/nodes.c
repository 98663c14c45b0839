/* Tags spread over the graph: the tag set of every slot, the map of every arc, the nodes and which transitions can
   arrive in them.

   Sets and maps are interned and the steps that repeat (union of two sets, map between two sets) are
   remembered, so a design of millions of pins with a few hundred different sets costs a few look-ups a pin. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "graph/build.h"
#include "graph/clocks.h"
#include "graph/exceptions.h"
#include "graph/hierarchy.h"
#include "graph/references.h"

/* How an arc changes tags. */
typedef enum {
  STEP_PLAIN,               /* tags go on as they are */
  STEP_LAUNCH,              /* clock to data at a register's clock pin; only clock tags */
  STEP_POINT                /* the end is a through point: edges may part */
} Step;

typedef struct {
  Graph *g;
  ExceptionIndex *x;
  Map *unions, *launches, *maps;       /* remembered steps */
  ARRAY(TagId) scratch;
  Map *slot_seed;                      /* slot -> first seed */
  Map *propagated;                     /* slots with set_propagated_clock */
  bool propagated_pins;                /* any */
  Map *one_edge;                       /* slots with set_case_analysis rise or fall: the one transition that passes */
  /* clocks end where another one begins: loads behind a source pin, and which clocks begin there */
  Map *behind_source;                  /* load slot */
  Map *begins;                         /* hash_pair(load slot, clock) */
  Map *beside_source;                  /* hash_pair(driver slot, clock): begins at a hierarchical pin further on */
  MapId no_map;                        /* joins nothing */
  ARRAY(uint32_t) next_seed;
  ARRAY(uint8_t) edges;                /* by node: transitions that can arrive; slots are passed in ascending order */
  Map *alike;                          /* hash of a slot's tag set and edges -> the first such slot */
} Spread;

static int by_id(const void *a, const void *b)
{
  uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return x < y ? -1 : x > y;
}

/* The interned set of the scratch list, sorted and freed of doubles. */
static TagSetId intern_scratch(Spread *s)
{
  uint32_t kept = 0;
  if (s->scratch.len) qsort(s->scratch.at, s->scratch.len, sizeof *s->scratch.at, by_id);
  for (uint32_t i = 0; i < s->scratch.len; i++)
    if (i == 0 || s->scratch.at[i] != s->scratch.at[kept - 1]) s->scratch.at[kept++] = s->scratch.at[i];
  return tag_set_add(s->g->tags, s->scratch.at, kept);
}

static void scratch_add_set(Spread *s, TagSetId set)
{
  for (uint32_t i = 0; i < tag_set_count(s->g->tags, set); i++) array_push(&s->scratch, tag_set_tags(s->g->tags, set)[i]);
}

static TagSetId unite(Spread *s, TagSetId a, TagSetId b)
{
  if (a == b || b == EMPTY_SET) return a;
  if (a == EMPTY_SET) return b;
  uint64_t key = a < b ? hash_pair(a, b) : hash_pair(b, a);
  uint32_t known = map_get(s->unions, key);
  if (known != MAP_NO_VALUE) return known;
  array_clear(&s->scratch);
  scratch_add_set(s, a);
  scratch_add_set(s, b);
  TagSetId set = intern_scratch(s);
  map_put(s->unions, key, set);
  return set;
}

/* --- one tag through one arc -------------------------------------------------------------------------- */
#define NO_TAG UINT32_MAX

/* What a tag becomes at a launching arc from a clock pin; bare: without the clock's latency. */
static TagId launch_tag(Spread *s, TagId id, PinId clock_pin, int edge, bool bare)
{
  Tag t = s->g->tags->tags.at[id];
  if (!t.is_clock) return NO_TAG;
  t.is_clock = t.propagated = false;
  t.bare = bare;
  t.state = exception_start(s->x, s->g->tags, clock_pin, t.clock_edge, edge);
  if (exception_state_is_dead(s->x, s->g->tags, t.state)) return NO_TAG;
  if (bare && !exception_state_is_bare(s->x, s->g->tags, t.state)) return NO_TAG;
  return tag_add(s->g->tags, t);
}

/* Do clocks begin or end on the wire to a load? */
static bool begins_or_ends(const Spread *s, Slot slot)
{
  if (map_count(s->behind_source) == 0 || slot_is_driver(s->g, slot)) return false;
  Slot driver = s->g->wire_driver[slot];
  bool source = driver != NO_SLOT && s->g->slot_flags[driver] & SLOT_CLOCK_SOURCE;
  return source || map_get(s->behind_source, slot) != MAP_NO_VALUE;
}

/* May a clock pass over the wire to a load?  Behind a source pin only the clocks that begin there go on; clocks that
   begin at a hierarchical pin stay off the other branches of the net. */
static bool clock_passes(const Spread *s, ClockId clock, Slot load)
{
  if (map_get(s->behind_source, load) != MAP_NO_VALUE) return map_get(s->begins, hash_pair(load, clock)) != MAP_NO_VALUE;
  return map_get(s->beside_source, hash_pair(s->g->wire_driver[load], clock)) == MAP_NO_VALUE;
}

static bool edge_passes(const Spread *s, Slot slot, int edge)
{
  uint32_t only = map_count(s->one_edge) ? map_get(s->one_edge, slot) : MAP_NO_VALUE;
  return only == MAP_NO_VALUE || only == (uint32_t)edge;
}

/* Slots where tags may change: through points and pins with set_propagated_clock or with one transition. */
static bool is_point(const Spread *s, Slot slot)
{
  if (map_count(s->one_edge) && map_get(s->one_edge, slot) != MAP_NO_VALUE) return true;
  return exception_act(s->x, slot) != NO_ACT || exception_cut(s->x, slot) & CUT_BEFORE || (s->propagated_pins && map_get(s->propagated, slot) != MAP_NO_VALUE) || begins_or_ends(s, slot);
}

/* What a tag becomes on reaching a slot with an edge. */
static TagId pass_tag(Spread *s, TagId id, Slot to, int edge)
{
  Tag t = s->g->tags->tags.at[id];
  if (!edge_passes(s, to, edge)) return NO_TAG;
  if (t.is_clock && begins_or_ends(s, to) && !clock_passes(s, clock_edge_clock(t.clock_edge), to)) return NO_TAG;
  if (!t.is_clock && (exception_ends_here(s->x, to, edge) || exception_cut(s->x, to) & CUT_BEFORE)) return NO_TAG;
  bool propagated = t.propagated || (t.is_clock && map_get(s->propagated, to) != MAP_NO_VALUE);
  StateId state = exception_pass(s->x, s->g->tags, t.state, to, edge);
  if (state == t.state && propagated == t.propagated) return id;
  t.state = state;
  t.propagated = propagated;
  if (!t.is_clock && exception_state_is_dead(s->x, s->g->tags, state)) return NO_TAG;
  if (t.bare && !exception_state_is_bare(s->x, s->g->tags, state)) return NO_TAG;
  return tag_add(s->g->tags, t);
}

typedef struct {
  TagSetId from;
  Slot     from_slot;
  Step     step;
  PinId    from_pin;
  Slot     to;
  uint8_t  pairs;            /* edge pairs that the arc has */
} Crossing;

static TagId step_tag(Spread *s, TagId id, const Crossing *c, int pair, bool bare)
{
  if (c->step == STEP_LAUNCH) id = launch_tag(s, id, c->from_pin, pair >> 1, bare);
  else if (exception_cut(s->x, c->from_slot) & CUT_AFTER && !s->g->tags->tags.at[id].is_clock) return NO_TAG;
  return id == NO_TAG || !is_point(s, c->to) ? id : pass_tag(s, id, c->to, pair & 1);
}

/* Launches yield a bare tag as well where an exception leaves out latencies. */
static int variants(const Spread *s, const Crossing *c) { return c->step == STEP_LAUNCH && exception_has_bare(s->x) ? 2 : 1; }

/* The edge pairs that the index-th tag takes.  Where tags change, those whose input edge never arrives stay behind: a
   register's clock pin launches for the clock edges that reach it as its active edge, not for the others. */
static uint8_t live_pairs(const Spread *s, const Crossing *c, uint32_t index)
{
  static const uint8_t of_edges[] = { 0, 1 << 0 | 1 << 1, 1 << 2 | 1 << 3, 15 };
  if (c->step == STEP_PLAIN) return c->pairs;
  return c->pairs & of_edges[s->edges.at[s->g->node_first[c->from_slot] + index]];
}

/* The first slot with the same tags of the same edges, to stand for all of them. */
static Slot alike_slot(Spread *s, Slot slot)
{
  const Graph *g = s->g;
  uint32_t count = tag_set_count(g->tags, g->slot_tags[slot]);
  const uint8_t *edges = s->edges.at + g->node_first[slot];
  uint64_t key = hash_u64(hash_pair(g->slot_tags[slot], (uint32_t)hash_bytes((const char *)edges, count)));
  for (;; key++) {
    uint32_t first = map_get(s->alike, key);
    if (first == MAP_NO_VALUE) break;
    if (g->slot_tags[first] == g->slot_tags[slot] && memcmp(s->edges.at + g->node_first[first], edges, count) == 0) return first;
  }
  map_put(s->alike, key, slot);
  return slot;
}

/* Tags that a set brings over an arc. */
static TagSetId crossed(Spread *s, const Crossing *c)
{
  array_clear(&s->scratch);
  for (uint32_t i = 0; i < tag_set_count(s->g->tags, c->from); i++) {
    TagId id = tag_set_tags(s->g->tags, c->from)[i];
    uint8_t pairs = live_pairs(s, c, i);
    for (int step = 0; step < 4 * variants(s, c); step++) {
      if (!(pairs >> step % 4 & 1)) continue;
      TagId to = step_tag(s, id, c, step % 4, step >= 4);
      if (to != NO_TAG) array_push(&s->scratch, to);
    }
  }
  return intern_scratch(s);
}

/* The map from a set over an arc into the end's set. */
static MapId crossing_map(Spread *s, const Crossing *c, TagSetId to_set)
{
  ARRAY(MapEntry) entries = { 0 };
  for (uint32_t i = 0; i < tag_set_count(s->g->tags, c->from); i++) {
    uint32_t first = entries.len;
    uint8_t pairs = live_pairs(s, c, i);
    for (int step = 0; step < 4 * variants(s, c); step++) {
      int bit = step % 4;
      if (!(pairs >> bit & 1)) continue;
      TagId to = step_tag(s, tag_set_tags(s->g->tags, c->from)[i], c, bit, step >= 4);
      uint32_t index = to == NO_TAG ? UINT32_MAX : tag_set_find(s->g->tags, to_set, to);
      if (index == UINT32_MAX) continue;
      uint32_t k = first;
      while (k < entries.len && entries.at[k].to != index) k++;
      if (k == entries.len) array_push(&entries, (MapEntry){ .from = (uint16_t)i, .to = (uint16_t)index });
      entries.at[k].mask |= (uint8_t)(1 << bit);
    }
  }
  MapId m = tag_map_add(s->g->tags, entries.at, entries.len);
  array_free(&entries);
  return m;
}

/* May tags change between two slots? */
static bool changes(const Spread *s, Slot from, Slot to) { return is_point(s, to) || exception_cut(s->x, from) & CUT_AFTER; }

static Crossing arc_crossing(const Spread *s, ArcId a, Slot to)
{
  const Graph *g = s->g;
  const LibArc *lib = &g->libs->arcs.at[g->arc_lib[a]];
  Slot from = g->arc_from[a];
  Crossing c = { g->slot_tags[from], from, arc_type_is_launch((ArcType)lib->type) ? STEP_LAUNCH : changes(s, from, to) ? STEP_POINT : STEP_PLAIN, g->slot_pin[from], to, g->arc_pairs[a] };
  return c;
}

/* What a step does to a set depends on the set, the edges that arrive, the edge pairs, and what happens at its end; on the
   pins themselves only where clocks or starts that exceptions name are concerned. */
static bool is_repeated(const Spread *s, const Crossing *c)
{
  if (exception_is_traced(s->x)) return false;
  if (c->step == STEP_LAUNCH && !exception_start_is_plain(s->x, c->from_pin)) return false;
  if (s->propagated_pins && map_get(s->propagated, c->to) != MAP_NO_VALUE) return false;
  return !begins_or_ends(s, c->to);
}

static uint64_t crossing_key(Spread *s, const Crossing *c, TagSetId to_set)
{
  uint32_t from = c->step == STEP_PLAIN ? c->from : alike_slot(s, c->from_slot);
  uint32_t cut = exception_cut(s->x, c->from_slot) & CUT_AFTER ? 1 : 0, before = exception_cut(s->x, c->to) & CUT_BEFORE ? 1 : 0;
  uint64_t what = (uint64_t)exception_act(s->x, c->to) << 16 | c->pairs << 8 | before << 5 | cut << 4 | c->step;
  return hash_u64(hash_u64(hash_pair(from, to_set)) + what) >> 1;
}

/* Nothing but clocks passes where data paths end. */
static bool stops_all(const Spread *s, const Crossing *c)
{
  if (c->step == STEP_PLAIN || !exception_ends_here(s->x, c->to, RISE) || !exception_ends_here(s->x, c->to, FALL)) return false;
  for (uint32_t i = 0; i < tag_set_count(s->g->tags, c->from) && c->step != STEP_LAUNCH; i++)
    if (s->g->tags->tags.at[tag_set_tags(s->g->tags, c->from)[i]].is_clock) return false;
  return true;
}

static TagSetId arc_brings(Spread *s, const Crossing *c)
{
  if (c->step == STEP_PLAIN) return c->from;
  if (stops_all(s, c)) return EMPTY_SET;
  bool remember = is_repeated(s, c);
  uint64_t key = remember ? crossing_key(s, c, EMPTY_SET) : 0;
  uint32_t known = remember ? map_get(s->launches, key) : MAP_NO_VALUE;
  if (known != MAP_NO_VALUE) return known;
  TagSetId set = crossed(s, c);
  if (remember) map_put(s->launches, key, set);
  return set;
}

static MapId arc_map(Spread *s, const Crossing *c, TagSetId to_set)
{
  if (c->step == STEP_PLAIN && c->from == to_set) return IDENTITY_MAP;
  if (to_set == EMPTY_SET || stops_all(s, c)) return s->no_map;
  bool remember = c->step == STEP_PLAIN || is_repeated(s, c);
  uint64_t key = remember ? crossing_key(s, c, to_set) : 0;
  uint32_t known = remember ? map_get(s->maps, key) : MAP_NO_VALUE;
  if (known != MAP_NO_VALUE) return known;
  MapId m = crossing_map(s, c, to_set);
  if (remember) map_put(s->maps, key, m);
  return m;
}

/* --- seeds ----------------------------------------------------------------------------------------------- */
static Seed *add_seed(Spread *s, Slot slot, Tag tag)
{
  TagId id = tag_add(s->g->tags, tag);
  uint32_t i = map_get(s->slot_seed, slot);
  for (; i != MAP_NO_VALUE; i = s->next_seed.at[i])
    if (s->g->seeds.at[i].tag == id) return &s->g->seeds.at[i];
  array_push(&s->next_seed, map_get(s->slot_seed, slot));
  map_put(s->slot_seed, slot, s->g->seeds.len);
  s->g->slot_flags[slot] |= SLOT_SEED;
  array_push(&s->g->seeds, (Seed){ slot, id, { NAN, NAN, NAN, NAN } });
  return &s->g->seeds.at[s->g->seeds.len - 1];
}

typedef struct {
  Spread *s;
  ClockId clock;
} ClockSeed;

static void seed_clock_slot(void *data, Slot slot)
{
  ClockSeed *cs = data;
  Graph *g = cs->s->g;
  if (g->slot_flags[slot] & (SLOT_CONSTANT | SLOT_DISABLED)) return;
  g->slot_flags[slot] |= SLOT_CLOCK_SOURCE;
  for (int edge = RISE; edge <= FALL; edge++) {
    if (!edge_passes(cs->s, slot, edge)) continue;
    bool propagated = g->constraints->clocks.at[cs->clock].propagated || map_get(cs->s->propagated, slot) != MAP_NO_VALUE;
    StateId state = exception_start_clock(cs->s->x, g->tags, g->slot_pin[slot], 2 * cs->clock + (ClockEdge)edge);
    state = exception_pass(cs->s->x, g->tags, state, slot, edge);
    Seed *seed = add_seed(cs->s, slot, (Tag){ .clock_edge = 2 * cs->clock + (ClockEdge)edge, .is_clock = true, .propagated = propagated, .state = state });
    for (int el = EARLY; el <= LATE; el++) {
      int condition = condition_of(el, edge);
      seed->arrival[condition] = clock_source_latency(g->constraints, cs->clock, condition);
    }
  }
}

/* set_propagated_clock on pins and ports: at the pin, or at a hierarchical pin's net. */
static void find_propagated_pins(Spread *s)
{
  const Graph *g = s->g;
  for (uint32_t i = 0; i < g->constraints->clock_pins.len; i++) {
    const ClockPin *cp = &g->constraints->clock_pins.at[i];
    if (!cp->propagated || cp->pin == NO_PIN) continue;
    s->propagated_pins = true;
    Slot driver = graph_slot(g, cp->pin, true);
    if (driver != NO_SLOT) map_put(s->propagated, driver, 1);
    if (g->pin_slot[cp->pin] != NO_SLOT) map_put(s->propagated, g->pin_slot[cp->pin], 1);
  }
}

typedef struct {
  Map     *one_edge;
  uint32_t edge;
} OneEdge;

static void set_one_edge(void *data, Slot load)
{
  const OneEdge *x = data;
  map_put(x->one_edge, load, x->edge);
}

static void find_one_edges(Spread *s)
{
  const Graph *g = s->g;
  for (uint32_t i = 0; i < g->constraints->cases.len; i++) {
    const PinCase *c = &g->constraints->cases.at[i];
    OneEdge x = { s->one_edge, c->value == CASE_RISE ? RISE : FALL };
    if (c->pin == NO_PIN || (c->value != CASE_RISE && c->value != CASE_FALL)) continue;
    Slot slots[2] = { graph_slot(g, c->pin, true), graph_slot(g, c->pin, false) };
    if (pin_is_hierarchical(g->netlist, c->pin)) graph_crossing_loads(g, c->pin, set_one_edge, &x);
    for (int k = 0; k < 2; k++)
      if (slots[k] != NO_SLOT) set_one_edge(&x, slots[k]);
  }
}

static void clock_begins(Spread *s, Slot load, ClockId clock)
{
  map_put(s->behind_source, load, 1);
  map_put(s->begins, hash_pair(load, clock), 1);
}

/* Loads on the side of a hierarchical source pin where its driver is not. */
typedef struct {
  Spread *s;
  ClockId clock;
  bool    collecting, driver_inside;
} SourceSide;

static void visit_source_side(void *data, PinId pin, bool inside)
{
  SourceSide *x = data;
  Graph *g = x->s->g;
  Slot driver = graph_slot(g, pin, true), load = g->pin_slot[pin];
  if (x->collecting) {
    if (driver == NO_SLOT || !slot_is_driver(g, driver)) return;
    x->driver_inside = inside;
    map_put(x->s->beside_source, hash_pair(driver, x->clock), 1);
  } else if (load != NO_SLOT && !slot_is_driver(g, load) && inside != x->driver_inside) {
    clock_begins(x->s, load, x->clock);
  }
}

static void find_source_loads(Spread *s, ClockId clock)
{
  Graph *g = s->g;
  const Clock *k = &g->constraints->clocks.at[clock];
  for (uint32_t i = 0; i < k->sources.len; i++) {
    PinId pin = k->sources.at[i];
    if (pin_is_hierarchical(g->netlist, pin)) {
      SourceSide x = { s, clock, true, false };
      hierarchy_each(g->netlist, pin, visit_source_side, &x);
      x.collecting = false;
      hierarchy_each(g->netlist, pin, visit_source_side, &x);
      continue;
    }
    Slot source = graph_slot(g, pin, true);
    if (source == NO_SLOT) continue;
    if (!slot_is_driver(g, source)) map_put(s->behind_source, source, 1);
    for (Slot l = g->load_first[source]; l < g->load_first[source] + g->load_count[source]; l++) clock_begins(s, l, clock);
  }
}

static void seed_clocks(Spread *s)
{
  for (ClockId c = 0; c < s->g->constraints->clocks.len; c++) {
    if (s->g->constraints->clocks.at[c].deleted) continue;
    ClockSeed cs = { s, c };
    if (clock_is_timed(s->g->constraints, c)) clock_source_slots(s->g, c, seed_clock_slot, &cs);
    find_source_loads(s, c);      /* a clock that is not timed ends the others all the same */
  }
}

/* Latency that an input delay's clock has before it: the external register's clock is ideal up to the
   network's latency, or known up to the source's where the clock is propagated. */
static float input_latency(const Constraints *c, const PortDelay *d, int condition)
{
  if (d->clock == NO_CLOCK || delay_has_reference(c, d)) return 0;      /* see references.c */
  int edge_condition = condition_of(condition / 2, d->clock_edge);
  float latency = 0;
  if (!d->source_latency_included) latency += clock_source_latency(c, d->clock, edge_condition);
  if (!d->network_latency_included) latency += clock_network_latency(c, d->clock, edge_condition);
  return latency;
}

/* Rise and fall starts carry tags of their own where an exception tells them apart. */
static void seed_start(Spread *s, Slot slot, ClockEdge clock, const float *arrival, bool bare)
{
  Graph *g = s->g;
  PinId pin = g->slot_pin[slot];
  if (g->slot_flags[slot] & (SLOT_CONSTANT | SLOT_DISABLED)) return;
  for (int edge = RISE; edge <= FALL; edge++) {
    if (!edge_passes(s, slot, edge)) continue;
    StateId state = exception_start(s->x, g->tags, pin, clock, edge);
    state = exception_pass(s->x, g->tags, state, slot, edge);
    if (exception_state_is_dead(s->x, g->tags, state) || exception_ends_here(s->x, slot, edge)) continue;
    if (bare && !exception_state_is_bare(s->x, g->tags, state)) continue;
    Seed *seed = add_seed(s, slot, (Tag){ .clock_edge = clock, .bare = bare, .state = state });
    for (int el = EARLY; el <= LATE; el++) {
      int k = condition_of(el, edge);
      if (isnan(arrival[k])) continue;
      bool worse = isnan(seed->arrival[k]) || (el == LATE ? arrival[k] > seed->arrival[k] : arrival[k] < seed->arrival[k]);
      if (worse) seed->arrival[k] = arrival[k];
    }
  }
}

/* A clock's own source: an input delay against that clock says nothing there. */
static bool is_source_of(const Graph *g, PinId pin, ClockId clock)
{
  if (clock == NO_CLOCK) return false;
  const Clock *k = &g->constraints->clocks.at[clock];
  for (uint32_t i = 0; i < k->sources.len; i++)
    if (k->sources.at[i] == pin) return true;
  return false;
}

/* A start without a clock. */
static void seed_inner(Spread *s, Slot slot)
{
  for (int bare = 0; bare <= exception_has_bare(s->x); bare++) seed_start(s, slot, NO_CLOCK_EDGE, (float[]){ 0, 0, 0, 0 }, bare);
}

static void seed_inputs(Spread *s)
{
  Graph *g = s->g;
  const Constraints *c = g->constraints;
  uint8_t *delayed = mem_alloc_zero(g->slot_count + 1, 1);
  for (uint32_t i = 0; i < c->input_delays.len; i++) {
    const PortDelay *d = &c->input_delays.at[i];
    Slot slot = d->pin == NO_PIN ? NO_SLOT : graph_slot(g, d->pin, true);
    if (slot == NO_SLOT) continue;
    delayed[slot] = 1;
    if (is_source_of(g, d->pin, d->clock) || (d->clock != NO_CLOCK && !clock_is_timed(c, d->clock))) continue;
    float arrival[CONDITION_COUNT];
    for (int k = 0; k < CONDITION_COUNT; k++) arrival[k] = d->delay[k] + input_latency(c, d, k);
    ClockEdge edge = d->clock == NO_CLOCK ? NO_CLOCK_EDGE : 2 * d->clock + d->clock_edge;
    seed_start(s, slot, edge, arrival, false);
    if (exception_has_bare(s->x)) seed_start(s, slot, edge, d->delay, true);
  }
  for (Slot slot = 0; slot < g->slot_count; slot++) {
    if ((g->slot_flags[slot] & (SLOT_DRIVER | SLOT_PORT)) != (SLOT_DRIVER | SLOT_PORT)) continue;
    if (delayed[slot] || g->slot_flags[slot] & (SLOT_CLOCK_SOURCE | SLOT_CONSTANT | SLOT_DISABLED)) continue;
    seed_inner(s, slot);
  }
  for (Slot slot = 0; slot < g->slot_count; slot++)
    if (exception_cut(s->x, slot) & CUT_START && !delayed[slot]) seed_inner(s, slot);
  mem_free(delayed);
}

static int by_seed_slot(const void *pa, const void *pb)
{
  const Seed *a = pa, *b = pb;
  if (a->slot != b->slot) return a->slot < b->slot ? -1 : 1;
  return a->tag < b->tag ? -1 : a->tag > b->tag;
}

static TagSetId seeds_at(Spread *s, Slot slot, TagSetId set)
{
  uint32_t i = map_get(s->slot_seed, slot);
  if (i == MAP_NO_VALUE) return set;
  array_clear(&s->scratch);
  scratch_add_set(s, set);
  for (; i != MAP_NO_VALUE; i = s->next_seed.at[i]) array_push(&s->scratch, s->g->seeds.at[i].tag);
  return intern_scratch(s);
}

/* --- the walk ----------------------------------------------------------------------------------------------- */
static void spread_driver(Spread *s, Slot slot)
{
  Graph *g = s->g;
  TagSetId set = EMPTY_SET;
  if (!(g->slot_flags[slot] & (SLOT_CONSTANT | SLOT_DISABLED))) {
    for (ArcId a = g->arc_first[slot]; a < g->arc_first[slot + 1]; a++) {
      if (!arc_on(g, a) || g->arc_flags[a] & ARC_LATCH) continue;
      Crossing c = arc_crossing(s, a, slot);
      if (c.from != EMPTY_SET) set = unite(s, set, arc_brings(s, &c));
    }
    if (g->slot_flags[slot] & SLOT_SEED) set = seeds_at(s, slot, set);
  }
  g->slot_tags[slot] = set;
  for (ArcId a = g->arc_first[slot]; a < g->arc_first[slot + 1]; a++) {
    if (!arc_on(g, a) || g->arc_flags[a] & ARC_LATCH) continue;
    Crossing c = arc_crossing(s, a, slot);
    g->arc_map[a] = arc_map(s, &c, set);
  }
}

enum { WIRE_PAIRS = 1 << 0 | 1 << 3 };    /* rise to rise, fall to fall */

static Crossing wire_crossing(const Spread *s, Slot driver, Slot load)
{
  return (Crossing){ s->g->slot_tags[driver], driver, changes(s, driver, load) ? STEP_POINT : STEP_PLAIN, NO_PIN, load, WIRE_PAIRS };
}

/* Clocks and input delays may begin at loads as well: a cell's input, an output port, a floating pin. */
static void spread_load(Spread *s, Slot load)
{
  Graph *g = s->g;
  Slot driver = g->wire_driver[load];
  if (g->slot_flags[load] & (SLOT_CONSTANT | SLOT_DISABLED)) return;
  if (driver == NO_SLOT) {
    g->slot_tags[load] = seeds_at(s, load, EMPTY_SET);
    return;
  }
  uint32_t from, to;
  graph_extra_wires(g, load, &from, &to);
  Crossing c = wire_crossing(s, driver, load);
  TagSetId set = arc_brings(s, &c);
  for (uint32_t i = from; i < to; i++) {
    Crossing more = wire_crossing(s, g->extra_wires.at[i].driver, load);
    set = unite(s, set, arc_brings(s, &more));
  }
  if (g->slot_flags[load] & SLOT_SEED) set = seeds_at(s, load, set);
  g->slot_tags[load] = set;
  g->wire_map[load] = arc_map(s, &c, set);
  for (uint32_t i = from; i < to; i++) {
    Crossing more = wire_crossing(s, g->extra_wires.at[i].driver, load);
    g->extra_wires.at[i].map = arc_map(s, &more, set);
  }
}

/* --- which transitions can arrive in a node: without numbers, over the same arcs ------------------------- */
static void spread_edges(Spread *s, NodeId from, NodeId to, MapId map, uint32_t count, uint8_t pairs)
{
  uint8_t *edges = s->edges.at;
  if (map == IDENTITY_MAP) {
    for (uint32_t i = 0; i < count; i++)
      for (int bit = 0; bit < 4; bit++)
        if (pairs >> bit & 1 && edges[from + i] >> (bit >> 1) & 1) edges[to + i] |= (uint8_t)(1 << (bit & 1));
    return;
  }
  const MapEntry *e = tag_map_entries(s->g->tags, map);
  for (uint32_t i = 0; i < tag_map_count(s->g->tags, map); i++)
    for (int bit = 0; bit < 4; bit++)
      if (pairs >> bit & e[i].mask >> bit & 1 && edges[from + e[i].from] >> (bit >> 1) & 1)
        edges[to + e[i].to] |= (uint8_t)(1 << (bit & 1));
}

static void load_edges(Spread *s, Slot load, uint32_t count)
{
  const Graph *g = s->g;
  uint32_t from, to;
  if (g->wire_driver[load] == NO_SLOT) return;
  spread_edges(s, g->node_first[g->wire_driver[load]], g->node_first[load], g->wire_map[load], count, WIRE_PAIRS);
  graph_extra_wires(g, load, &from, &to);
  for (uint32_t i = from; i < to; i++)
    spread_edges(s, g->node_first[g->extra_wires.at[i].driver], g->node_first[load], g->extra_wires.at[i].map, count, WIRE_PAIRS);
}

static void driver_edges(Spread *s, Slot driver, uint32_t count)
{
  const Graph *g = s->g;
  for (ArcId a = g->arc_first[driver]; a < g->arc_first[driver + 1]; a++)
    if (arc_on(g, a) && !(g->arc_flags[a] & ARC_LATCH))
      spread_edges(s, g->node_first[g->arc_from[a]], g->node_first[driver], g->arc_map[a], count, g->arc_pairs[a]);
}

static void seed_edges(Spread *s, Slot slot)
{
  const Graph *g = s->g;
  for (uint32_t i = map_get(s->slot_seed, slot); i != MAP_NO_VALUE; i = s->next_seed.at[i]) {
    const Seed *seed = &g->seeds.at[i];
    const float *a = seed->arrival;
    uint8_t edges = (uint8_t)((!isnan(a[0]) || !isnan(a[2])) | (!isnan(a[1]) || !isnan(a[3])) << 1);
    s->edges.at[g->node_first[slot] + tag_set_find(g->tags, g->slot_tags[slot], seed->tag)] |= edges;
  }
}

/* Numbers the nodes of a slot whose tags are known; slots come in ascending order. */
static void add_nodes(Spread *s, Slot slot)
{
  Graph *g = s->g;
  uint32_t count = tag_set_count(g->tags, g->slot_tags[slot]);
  g->node_first[slot + 1] = g->node_first[slot] + count;
  if (count == 0) return;
  for (uint32_t i = 0; i < count; i++) array_push(&s->edges, 0);
  if (g->slot_flags[slot] & SLOT_SEED) seed_edges(s, slot);
  if (slot_is_driver(g, slot)) driver_edges(s, slot, count);
  else load_edges(s, slot, count);
}

static void spread_tags(Spread *s)
{
  Graph *g = s->g;
  for (uint32_t level = 0; level < g->level_count; level++) {
    for (Slot slot = g->level_first[level]; slot < g->level_loads[level]; slot++) {
      spread_driver(s, slot);
      add_nodes(s, slot);
    }
    for (Slot slot = g->level_loads[level]; slot < g->level_first[level + 1]; slot++) {
      spread_load(s, slot);
      add_nodes(s, slot);
    }
  }
  g->node_count = g->node_first[g->slot_count];
}

static void tabulate_latencies(Graph *g)
{
  uint32_t count = g->tags->tags.len;
  g->tag_latency = mem_alloc_zero((size_t)count + 1, sizeof *g->tag_latency);
  g->tag_is_ideal = mem_alloc_zero((size_t)count + 1, 1);
  g->tag_is_bare = mem_alloc_zero((size_t)count + 1, 1);
  for (TagId t = 0; t < count; t++) {
    g->tag_is_bare[t] = g->tags->tags.at[t].bare;
    ClockEdge e = g->tags->tags.at[t].clock_edge;
    if (e == NO_CLOCK_EDGE) continue;
    ClockId clock = clock_edge_clock(e);
    g->tag_is_ideal[t] = g->tags->tags.at[t].is_clock && !g->tags->tags.at[t].propagated;
    for (int k = 0; k < CONDITION_COUNT; k++) {
      int at_source = condition_of(k >> 1, clock_edge_edge(e));      /* latencies are of the clock's edge, also where it arrives inverted */
      g->tag_latency[t][k] = clock_source_latency(g->constraints, clock, at_source) + clock_network_latency(g->constraints, clock, at_source);
    }
  }
}

/* Ideal clock pins: an ideal clock arrives.  Where a propagated one does too, the pin has one slew all the same: the ideal one's. */
static void mark_ideal_clocks(Graph *g)
{
  for (Slot slot = 0; slot < g->slot_count; slot++) {
    bool ideal = false;
    const TagId *tags = tag_set_tags(g->tags, g->slot_tags[slot]);
    for (uint32_t i = 0; i < tag_set_count(g->tags, g->slot_tags[slot]); i++) {
      const Tag *t = &g->tags->tags.at[tags[i]];
      ideal |= t->is_clock && !t->propagated;
    }
    if (ideal) g->slot_flags[slot] |= SLOT_IDEAL_CLOCK;
  }
}

void build_nodes(Graph *g, ExceptionIndex *x)
{
  Spread s = { .g = g, .x = x, .unions = map_new(), .launches = map_new(), .maps = map_new(), .slot_seed = map_new(), .propagated = map_new(),
               .behind_source = map_new(), .begins = map_new(), .beside_source = map_new(), .alike = map_new(), .one_edge = map_new() };
  g->node_first = mem_alloc_zero((size_t)g->slot_count + 1, sizeof *g->node_first);
  g->slot_tags = mem_alloc_zero((size_t)g->slot_count + 1, sizeof *g->slot_tags);
  g->wire_map = mem_alloc_zero((size_t)g->slot_count + 1, sizeof *g->wire_map);
  g->arc_map = mem_alloc_zero((size_t)g->arc_count + 1, sizeof *g->arc_map);
  s.no_map = tag_map_add(g->tags, NULL, 0);
  find_propagated_pins(&s);
  find_one_edges(&s);
  seed_clocks(&s);
  seed_inputs(&s);
  spread_tags(&s);
  if (g->seeds.len) qsort(g->seeds.at, g->seeds.len, sizeof *g->seeds.at, by_seed_slot);
  mark_ideal_clocks(g);
  tabulate_latencies(g);
  g->node_edges = mem_alloc((size_t)g->node_count + 1);
  if (g->node_count) memcpy(g->node_edges, s.edges.at, g->node_count);
  map_free(s.unions);
  map_free(s.launches);
  map_free(s.maps);
  map_free(s.slot_seed);
  map_free(s.propagated);
  map_free(s.behind_source);
  map_free(s.begins);
  map_free(s.beside_source);
  map_free(s.alike);
  map_free(s.one_edge);
  array_free(&s.edges);
  array_free(&s.next_seed);
  array_free(&s.scratch);
}
