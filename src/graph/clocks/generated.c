/* Finds the master of each generated clock and derives its waveform.  Clocks with a known waveform
   are walked through their networks (wires and gates, not registers).  This shows which of them
   reach a master pin, and whether they arrive inverted.  A generated clock whose master is known
   joins the walk, until nothing new is found.  So the order of definitions does not matter.  The
   remaining clocks have no master: no clock reaches their pin, or they wait for each other. */
#include <math.h>

#include "graph/build.h"
#include "graph/clocks/clocks.h"
#include "graph/hierarchy.h"
#include "graph/clocks/waveform.h"

typedef struct {
  Slot      slot;
  ClockEdge clock;
  uint8_t   transition;
} Step;

typedef struct {
  Graph *g;
  Log   *log;
  const SenseIndex *senses;
  Map   *seen;                    /* hash_pair(slot, step_key) */
  Map   *first;                   /* slot -> index of the latest entry of `arrivals` there */
  ARRAY(Step) arrivals;           /* all arrivals, in order; those before `done` have been
                                     followed */
  ARRAY(uint32_t) next;           /* parallel to arrivals: an earlier arrival at the same slot */
  uint32_t done;
  uint8_t *walked;                /* [clocks]: the clock is in the walk */
} Walk;

static uint64_t step_key(const Step *step)
{
  return hash_pair(step->slot, step->clock << 1 | step->transition);
}

/* --- the walk --------------------------------------------------------------------------------- */
static void arrive(Walk *walk, Step s)
{
  if (walk->g->slots.flags[s.slot] & (SLOT_CONSTANT | SLOT_DISABLED)) return;
  if (map_get(walk->seen, step_key(&s)) != MAP_NO_VALUE) return;
  map_put(walk->seen, step_key(&s), 1);
  array_push(&walk->next, map_get(walk->first, s.slot));
  map_put(walk->first, s.slot, walk->arrivals.len);
  array_push(&walk->arrivals, s);
}

/* Does the clock end at the slot? It does at the source of another clock, and where a sense stops
   it. */
static bool ends_here(const Walk *walk, const Step *step)
{
  if (!sense_clock_passes(walk->senses, step->slot, step->clock, step->transition)) return true;
  return walk->g->slots.flags[step->slot] & SLOT_CLOCK_SOURCE
         && !clock_starts_at(walk->g, clock_edge_clock(step->clock), step->slot);
}

/* Does a clock pass a wire? Into the cell of an inout pin it passes only if it starts at the
   pin. */
static bool wire_passes(const Graph *g, Slot driver, Slot load)
{
  if (!graph_wire_is_inner(g, driver, load)) return true;
  return (g->slots.flags[driver] & (SLOT_CLOCK_SOURCE | SLOT_PORT)) == SLOT_CLOCK_SOURCE;
}

static void over_wires(Walk *walk, Step s)
{
  const Graph *g = walk->g;
  Slot driver = s.slot;
  for (Slot l = g->nets.load_first[driver];
       l < g->nets.load_first[driver] + g->nets.load_count[driver]; l++) {
    s.slot = l;
    if (wire_passes(g, driver, l)) arrive(walk, s);
  }
  DriverExtras it = driver_extras(g, driver);
  while (driver_extras_next(&it)) {
    s.slot = g->nets.extra_wires.at[it.index].load;
    if (wire_passes(g, driver, s.slot)) arrive(walk, s);
  }
}

static void over_arcs(Walk *walk, Step s)
{
  const Graph *g = walk->g;
  Slot from = s.slot;
  int in = s.transition;
  for (uint32_t i = g->arcs.out_first[from]; i < g->arcs.out_first[from + 1]; i++) {
    ArcId a = g->arcs.out[i];
    if (!arc_on(g, a) || g->arcs.flags[a] & ARC_LATCH || graph_arc_is_launch(g, a)) continue;
    s.slot = g->arcs.to[a];
    for (int out = RISE; out <= FALL; out++) {
      s.transition = (uint8_t)out;
      if (g->arcs.pairs[a] & g->arcs.live[a] & 1 << (2 * in + out)) arrive(walk, s);
    }
  }
}

static void walk_on(Walk *walk)
{
  while (walk->done < walk->arrivals.len) {
    Step s = walk->arrivals.at[walk->done++];
    if (ends_here(walk, &s)) continue;
    if (slot_is_driver(walk->g, s.slot)) over_wires(walk, s);
    over_arcs(walk, s);
  }
}

typedef struct {
  Walk   *walk;
  ClockId clock;
} Start;

static void start_at(void *data, Slot slot)
{
  Start *start = data;
  for (int edge = RISE; edge <= FALL; edge++)
    arrive(start->walk, (Step){ slot, 2 * start->clock + (ClockEdge)edge, (uint8_t)edge });
}

static void start_clock(Walk *walk, ClockId clock)
{
  Start s = { walk, clock };
  walk->walked[clock] = 1;
  clock_source_slots(walk->g, clock, start_at, &s);
}

/* --- what reaches a pin ----------------------------------------------------------------------- */
/* The senses of a clock at a pin.  Bit 0: not inverted; bit 1: inverted. */
typedef struct {
  Walk    *walk;
  ClockId  self;                 /* the clock whose master is searched; it does not count */
  uint8_t *senses;               /* [clocks] */
} Looking;

static void look_at(void *data, Slot slot)
{
  Looking *looking = data;
  const Walk *walk = looking->walk;
  if (slot == NO_SLOT) return;
  for (uint32_t i = map_get(walk->first, slot); i != MAP_NO_VALUE; i = walk->next.at[i]) {
    const Step *step = &walk->arrivals.at[i];
    ClockId clock = clock_edge_clock(step->clock);
    if (clock == looking->self) continue;
    /* behind a source there are only the clocks that start there */
    if (walk->g->slots.flags[slot] & SLOT_CLOCK_SOURCE && !clock_starts_at(walk->g, clock, slot)
        && !clock_starts_at(walk->g, looking->self, slot))
      continue;
    looking->senses[clock] |= (uint8_t)(step->transition == clock_edge_edge(step->clock) ? 1 : 2);
  }
}

static bool any_sense(const Looking *looking)
{
  for (ClockId c = 0; c < looking->walk->g->constraints->clocks.len; c++)
    if (looking->senses[c]) return true;
  return false;
}

static bool is_waiting(const Walk *walk, ClockId id)
{
  const Clock *clock = &walk->g->constraints->clocks.at[id];
  return !clock->deleted && clock->generated && !walk->walked[id];
}

/* Is the slot the source of a clock that is not in the walk yet?  Then it is not known which clocks
   reach the slot. */
static bool is_open(const Looking *looking, Slot s)
{
  const Graph *g = looking->walk->g;
  if (!(g->slots.flags[s] & SLOT_CLOCK_SOURCE)) return false;
  for (ClockId c = 0; c < g->constraints->clocks.len; c++)
    if (c != looking->self && is_waiting(looking->walk, c) && clock_starts_at(g, c, s)) return true;
  return false;
}

/* Finds the clocks that reach the pin through registers: the nearest ones in its fan-in.  The
   search stops at the source of another clock, known or not, because only that clock leaves it. */
static void look_behind(Looking *looking, Slot start)
{
  const Graph *g = looking->walk->g;
  if (g->slots.flags[start] & SLOT_CLOCK_SOURCE && !clock_starts_at(g, looking->self, start))
    return;
  ARRAY(Slot) queue = { 0 };
  Map *seen = map_new();
  array_push(&queue, start);
  map_put(seen, start, 1);
  for (uint32_t i = 0; i < queue.len; i++) {
    Slot s = queue.at[i], from[2];
    uint32_t before = any_sense(looking), arcs = i && g->slots.flags[s] & SLOT_CLOCK_SOURCE
                                                     ? g->arcs.first[s]
                                                 : slot_is_driver(g, s) ? g->arcs.first[s + 1]
                                                                        : g->arcs.first[s];
    if (i) look_at(looking, s);
    if (any_sense(looking) != before || (i && is_open(looking, s))) break;
    for (ArcId a = g->arcs.first[s]; a < arcs; a++) {
      if (!arc_on(g, a) || g->arcs.flags[a] & ARC_LATCH
          || map_get(seen, g->arcs.from[a]) != MAP_NO_VALUE)
        continue;
      map_put(seen, g->arcs.from[a], 1);
      array_push(&queue, g->arcs.from[a]);
    }
    from[0] = slot_is_driver(g, s) || (i && g->slots.flags[s] & SLOT_CLOCK_SOURCE)
                  ? NO_SLOT
                  : g->nets.wire_driver[s];
    if (from[0] == NO_SLOT || map_get(seen, from[0]) != MAP_NO_VALUE) continue;
    map_put(seen, from[0], 1);
    array_push(&queue, from[0]);
  }
  for (ClockId c = 0; c < g->constraints->clocks.len; c++)
    if (looking->senses[c])
      looking->senses[c] = 1; /* a register's output follows its clock in either
                                                direction */
  map_free(seen);
  array_free(&queue);
}

static void look_at_pin(Looking *looking, PinId pin)
{
  const Graph *g = looking->walk->g;
  if (pin_is_hierarchical(g->netlist, pin)) {
    graph_crossing_loads(g, pin, look_at, looking);
    return;
  }
  Slot load = graph_slot(g, pin, false), driver = graph_slot(g, pin, true);
  look_at(looking, driver);
  if (load != driver) look_at(looking, load);
  if (driver != NO_SLOT && !any_sense(looking)) look_behind(looking, driver);
}

/* --- masters ---------------------------------------------------------------------------------- */
static const char *name_of(const Graph *g, ClockId clock)
{
  return names_text(g->netlist->names, g->constraints->clocks.at[clock].name);
}

static Where where_of(const Graph *g, const Clock *clock)
{
  return graph_where(g, clock->file, clock->line);
}

static void warn_untimed(Walk *walk, ClockId id, const char *why, const char *of)
{
  const Clock *clock = &walk->g->constraints->clocks.at[id];
  log_warning(walk->log, "GRAPH-002", where_of(walk->g, clock),
              "generated clock %s is not timed, and what it clocks is unconstrained: %s%s",
              name_of(walk->g, id), why, of);
}

/* Chooses a master of several clocks: the fastest one, which is the tightest. Of equals it takes
   the first. */
static ClockId choose(const Graph *g, const uint8_t *senses, uint32_t *count)
{
  ClockId best = NO_CLOCK;
  *count = 0;
  for (ClockId c = 0; c < g->constraints->clocks.len; c++) {
    if (!senses[c]) continue;
    ++*count;
    if (best == NO_CLOCK
        || g->constraints->clocks.at[c].period < g->constraints->clocks.at[best].period)
      best = c;
  }
  return best;
}

static void warn_several(Walk *walk, ClockId id, ClockId master, uint32_t count)
{
  const Clock *clock = &walk->g->constraints->clocks.at[id];
  log_warning(walk->log, "GRAPH-015", where_of(walk->g, clock),
              "%u clocks reach the master pin of generated clock %s; %s, the fastest, is taken: "
              "-master_clock says which one it is",
              count, name_of(walk->g, id), name_of(walk->g, master));
}

/* Writes the result to the constraints. */
static void put_derived(Walk *walk, ClockId id, ClockId master, bool inverted, const Waveform *wave)
{
  DerivedClock d = { master, inverted, wave ? wave->period : NAN, wave ? wave->edges.at : NULL,
                     wave ? wave->edges.len : 0 };
  constraints_derive_clock((Constraints *)walk->g->constraints, id, &d);
}

/* Derives the waveform of a clock from a known master, and takes the clock off the waiting ones
   even if it cannot be timed. */
static void settle(Walk *walk, ClockId id, ClockId master, uint8_t senses)
{
  const Clock *clock = &walk->g->constraints->clocks.at[id];
  bool inverted = senses == 2;
  Waveform at = { 0 }, wave = { 0 };
  waveform_at(&walk->g->constraints->clocks.at[master], inverted, &at);
  const char *wrong = waveform_generate(clock, &at, &wave);
  put_derived(walk, id, master, inverted, wrong ? NULL : &wave);
  if (wrong) {
    warn_untimed(walk, id, wrong, "");
    walk->walked[id] = 1;
  } else {
    start_clock(walk, id);
  }
  array_free(&at.edges);
  array_free(&wave.edges);
}

/* Returns true if the master of the clock is known now. */
static bool try_clock(Walk *walk, ClockId id)
{
  const Constraints *c = walk->g->constraints;
  ClockId given = c->clocks.at[id].master;
  uint32_t count;
  if (given != NO_CLOCK && !clock_is_timed(c, given)) return false;
  Looking l = { walk, id, mem_alloc_zero((size_t)c->clocks.len + 1, 1) };
  look_at_pin(&l, c->clocks.at[id].master_pin);
  ClockId master = given != NO_CLOCK ? given : choose(walk->g, l.senses, &count);
  bool found = master != NO_CLOCK
               && (given == NO_CLOCK || l.senses[given] || c->clocks.at[given].sources.len == 0);
  if (found && given == NO_CLOCK && count > 1) warn_several(walk, id, master, count);
  if (found) settle(walk, id, master, l.senses[master]);
  mem_free(l.senses);
  return found;
}

/* --- those without a master ------------------------------------------------------------------- */
/* Returns the clock that a waiting clock waits for: its given master, or a waiting clock that would
   reach its master pin. NO_CLOCK: there is none. */
static ClockId waits_for(Walk *walk, ClockId id)
{
  const Constraints *c = walk->g->constraints;
  ClockId given = c->clocks.at[id].master, found = NO_CLOCK;
  if (given != NO_CLOCK) return is_waiting(walk, given) ? given : NO_CLOCK;
  Looking l = { walk, NO_CLOCK, mem_alloc_zero((size_t)c->clocks.len + 1, 1) };
  look_at_pin(&l, c->clocks.at[id].master_pin);
  for (ClockId k = 0; k < c->clocks.len && found == NO_CLOCK; k++)
    if (l.senses[k] && is_waiting(walk, k)) found = k;
  mem_free(l.senses);
  return found;
}

static bool is_in_ring(Walk *walk, ClockId id)
{
  ClockId at = id;
  for (uint32_t i = 0; i <= walk->g->constraints->clocks.len; i++) {
    at = waits_for(walk, at);
    if (at == id || at == NO_CLOCK) break;
  }
  return at == id;
}

/* Explains why clocks have no master. The waiting clocks are walked too, to find which of them wait
   for each other. */
static void explain_waiting(Walk *walk)
{
  const Constraints *c = walk->g->constraints;
  for (ClockId id = 0; id < c->clocks.len; id++) {
    Start s = { walk, id };
    if (is_waiting(walk, id)) clock_source_slots(walk->g, id, start_at, &s);
  }
  walk_on(walk);
  Text pin = { 0 };
  for (ClockId id = 0; id < c->clocks.len; id++) {
    if (!is_waiting(walk, id)) continue;
    put_derived(walk, id, NO_CLOCK, false, NULL);
    ClockId other = waits_for(walk, id), given = c->clocks.at[id].master;
    text_clear(&pin);
    netlist_pin_name(walk->g->netlist, c->clocks.at[id].master_pin, '/', &pin);
    if (is_in_ring(walk, id))
      warn_untimed(walk, id, "it is generated from itself, by way of ", name_of(walk->g, other));
    else if (other != NO_CLOCK)
      warn_untimed(walk, id, "its master is not timed: ", name_of(walk->g, other));
    else if (given != NO_CLOCK && !clock_is_timed(c, given))
      warn_untimed(walk, id, "its master is not timed: ", name_of(walk->g, given));
    else if (given != NO_CLOCK)
      warn_untimed(walk, id, "its master clock does not reach the master pin ", text_get(&pin));
    else warn_untimed(walk, id, "no clock reaches the master pin ", text_get(&pin));
  }
  text_free(&pin);
}

/* --- in all ----------------------------------------------------------------------------------- */
typedef struct {
  Graph  *g;
  ClockId clock;
} Marking;

static void mark_source(void *data, Slot slot)
{
  Marking *marking = data;
  marking->g->slots.flags[slot] |= SLOT_CLOCK_SOURCE;
  map_put(marking->g->starts.clocks, hash_pair(slot, marking->clock), 1);
}

static void derive_all(Walk *walk)
{
  const Constraints *c = walk->g->constraints;
  for (ClockId id = 0; id < c->clocks.len; id++)
    if (!c->clocks.at[id].generated && clock_is_timed(c, id)) start_clock(walk, id);
  walk_on(walk);
  for (bool more = true; more;) {
    more = false;
    for (ClockId id = 0; id < c->clocks.len; id++) {
      if (!is_waiting(walk, id) || !try_clock(walk, id)) continue;
      walk_on(walk); /* before the next clock is tried, because a clock that arrives through
                              gates has a sense there */
      more = true;
    }
  }
  explain_waiting(walk);
}

void build_clocks(Graph *g, const SenseIndex *senses, Log *log)
{
  const Constraints *c = g->constraints;
  bool generated = false;
  g->starts.clocks = map_new();
  for (ClockId id = 0; id < c->clocks.len; id++) {
    if (c->clocks.at[id].deleted) continue;
    /* sources of clocks without a waveform too: other clocks end there */
    clock_source_slots(g, id, mark_source, &(Marking){ g, id });
    generated |= c->clocks.at[id].generated;
  }
  if (!generated) return;
  Walk w = { .g = g, .log = log, .senses = senses, .seen = map_new(), .first = map_new(),
             .walked = mem_alloc_zero((size_t)c->clocks.len + 1, 1) };
  for (ClockId id = 0; id < c->clocks.len; id++)
    if (c->clocks.at[id].generated && !c->clocks.at[id].deleted)
      put_derived(&w, id, NO_CLOCK, false, NULL);
  derive_all(&w);
  map_free(w.seen);
  map_free(w.first);
  array_free(&w.arrivals);
  array_free(&w.next);
  mem_free(w.walked);
}

/* --- cones ------------------------------------------------------------------------------------ */
typedef struct {
  const Graph *g;
  uint8_t *cone;
  ARRAY(Slot) queue;
} Cone;

static void enter_cone(Cone *cone, Slot slot)
{
  if (slot == NO_SLOT || cone->cone[slot]) return;
  cone->cone[slot] = 1;
  array_push(&cone->queue, slot);
}

static void enter_source(void *data, Slot slot) { enter_cone(data, slot); }

/* Enters the fan-in of a slot.  It does not pass the source of a clock, because only the clocks of
   the source leave it. */
static void enter_fanin(Cone *cone, Slot slot)
{
  const Graph *g = cone->g;
  for (ArcId a = g->arcs.first[slot]; a < g->arcs.first[slot + 1]; a++) {
    Slot from = g->arcs.from[a];
    if (arc_on(g, a) && !(g->arcs.flags[a] & ARC_LATCH)
        && !(g->slots.flags[from] & SLOT_CLOCK_SOURCE))
      enter_cone(cone, from);
  }
  if (slot_is_driver(g, slot)) return;
  uint32_t from, to;
  Slot driver = g->nets.wire_driver[slot];
  if (driver != NO_SLOT && !(g->slots.flags[driver] & SLOT_CLOCK_SOURCE)) enter_cone(cone, driver);
  graph_extra_wires(g, slot, &from, &to);
  for (uint32_t i = from; i < to; i++)
    if (!(g->slots.flags[g->nets.extra_wires.at[i].driver] & SLOT_CLOCK_SOURCE))
      enter_cone(cone, g->nets.extra_wires.at[i].driver);
}

uint8_t *generated_cone(const Graph *g)
{
  const Constraints *constraints = g->constraints;
  Cone c = { .g = g };
  for (ClockId id = 0; id < constraints->clocks.len; id++) {
    if (!clock_is_timed(constraints, id) || !constraints->clocks.at[id].generated
        || constraints->clocks.at[id].combinational)
      continue;
    if (c.cone == NULL) c.cone = mem_alloc_zero((size_t)g->slots.count + 1, 1);
    clock_source_slots(g, id, enter_source, &c);
  }
  for (uint32_t i = 0; i < c.queue.len; i++) enter_fanin(&c, c.queue.at[i]);
  array_free(&c.queue);
  return c.cone;
}
