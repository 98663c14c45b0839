/* Finds progress that can no longer be completed.

   The progress through an exception with n -through lists has the layers 0 .. n. A sweep backward
   from the ends of the exception finds the slots where a layer is alive: from there a path may
   complete the exception. A sweep forward from its starts finds the slots where a layer arrives: a
   path can have come so far. A layer that arrives where it is not alive is dropped, and paths that
   differ only in this layer merge again. The sweeps do not distinguish edges. So they may keep a
   little too much, but never too little.

   Layers are bits of a word: WORD_BITS layers of several exceptions go through the graph together.
   Slots ascend along every path, so one pass over the slots in order settles them. */
#include <string.h>

#include "graph/exceptions/exceptions_private.h"
#include "graph/hierarchy.h"

enum { WORD_BITS = 64 };
#define NO_BIT UINT8_MAX
typedef uint64_t Bits;

typedef struct {
  const ExceptionIndex *index;
  const Graph *g;
  Bits    *alive, *arrives;        /* by slot: layers alive after what happens there; layers that
                                      arrive before it */
  uint64_t *touched;               /* slots to look at, one bit each */
  uint8_t *base;                   /* by exception: bit of its first layer; NO_BIT: not in this
                                      word */
  ARRAY(uint32_t) members;         /* exceptions of this word, their bits ascending */
  uint32_t bits;
  Drops   *drops;
  bool     all;                    /* trace every layer, and drop none */
  Bits     reached, ended;         /* if `all`: layers that arrive anywhere, and at an end */
} Sweep;

/* --- which layers are traced ------------------------------------------------------------------ */
static uint32_t first_layer(const Exception *exception)
{
  return exception_has_start(exception) ? 0 : 1;
}

/* Does the exception end at pins? Clocks may capture anywhere. */
static bool has_pin_ends(const Exception *exception)
{
  if (!exception->has_to) return false;
  for (uint32_t i = 0; i < exception->to.objects.len; i++)
    if (exception->to.objects.at[i].type == OBJ_CLOCK) return false;
  return true;
}

static uint32_t layers_traced(const Exception *exception)
{
  uint32_t last = exception->through.len + (has_pin_ends(exception) ? 1 : 0),
           first = first_layer(exception);
  return last > first ? last - first : 0;
}

static bool is_traced(const Sweep *sweep, uint32_t e, uint32_t layer)
{
  const Exception *exc = &sweep->index->c->exceptions.at[e];
  uint32_t count = sweep->all ? exc->through.len + 1 - first_layer(exc) : layers_traced(exc);
  return layer >= first_layer(exc) && layer - first_layer(exc) < count;
}

static Bits bit_of(const Sweep *sweep, uint32_t e, uint32_t layer)
{
  return (Bits)1 << (sweep->base[e] + layer - first_layer(&sweep->index->c->exceptions.at[e]));
}

/* --- slots met -------------------------------------------------------------------------------- */
static void touch(Sweep *sweep, Slot s) { sweep->touched[s / 64] |= (uint64_t)1 << s % 64; }

static void add_alive(Sweep *sweep, Slot s, Bits bits)
{
  if (bits == 0) return;
  sweep->alive[s] |= bits;
  touch(sweep, s);
}

static void add_arriving(Sweep *sweep, Slot s, Bits bits)
{
  if (bits == 0) return;
  sweep->arrives[s] |= bits;
  touch(sweep, s);
}

/* --- what happens at a slot ------------------------------------------------------------------- */
/* Returns the layers alive before a slot, from those alive after it. */
static Bits alive_before(const Sweep *sweep, Slot s, Bits alive)
{
  uint32_t count;
  const SlotPoint *at = exception_points_at(sweep->index, s, &count);
  for (uint32_t i = count; i-- > 0;) {
    const ThroughPoint *point = &at[i].point;
    if (sweep->base[point->exception] == NO_BIT
        || !is_traced(sweep, point->exception, point->index))
      continue;
    if (!is_traced(sweep, point->exception, point->index + 1)
        || alive & bit_of(sweep, point->exception, point->index + 1))
      alive |= bit_of(sweep, point->exception, point->index);
  }
  return alive;
}

/* Returns the layers that have arrived after a slot, from those before it. begins: the paths begin
   at the slot, behind its wire. */
static Bits arrived_after(const Sweep *sweep, Slot s, Bits bits, bool begins)
{
  uint32_t count;
  const SlotPoint *at = exception_points_at(sweep->index, s, &count);
  for (uint32_t i = 0; i < count; i++) {
    const ThroughPoint *point = &at[i].point;
    if (sweep->base[point->exception] == NO_BIT || (begins && point->wire)) continue;
    bool free_start = point->index == 0
                      && !exception_has_start(&sweep->index->c->exceptions.at[point->exception]);
    if (!free_start && !(bits & bit_of(sweep, point->exception, point->index))) continue;
    if (is_traced(sweep, point->exception, point->index + 1))
      bits |= bit_of(sweep, point->exception, point->index + 1);
    if (!free_start && point->edges == EDGE_BOTH)
      bits &= ~bit_of(sweep, point->exception, point->index);
  }
  return bits;
}

/* --- backward --------------------------------------------------------------------------------- */
static void alive_to_fanin(Sweep *sweep, Slot s)
{
  const Graph *g = sweep->g;
  Bits bits = alive_before(sweep, s, sweep->alive[s]);
  if (bits == 0) return;
  if (slot_is_driver(g, s)) {
    for (ArcId a = g->arcs.first[s]; a < g->arcs.first[s + 1]; a++)
      if (arc_on(g, a) && !(g->arcs.flags[a] & ARC_LATCH) && !graph_arc_is_launch(g, a))
        add_alive(sweep, g->arcs.from[a], bits);
    return;
  }
  if (g->nets.wire_driver[s] != NO_SLOT) add_alive(sweep, g->nets.wire_driver[s], bits);
  uint32_t from, to;
  graph_extra_wires(g, s, &from, &to);
  for (uint32_t i = from; i < to; i++) add_alive(sweep, g->nets.extra_wires.at[i].driver, bits);
}

typedef struct {
  Sweep *sweep;
  Bits   bits;
} Target;

static void end_at(void *data, Slot s)
{
  Target *target = data;
  add_alive(target->sweep, s, target->bits);
}

static void add_ends(Sweep *sweep, uint32_t e)
{
  const ExceptionIndex *index = sweep->index;
  const Exception *exc = &index->c->exceptions.at[e];
  uint32_t last = exc->through.len;
  if (is_traced(sweep, e, last)) {
    Target t = { sweep, bit_of(sweep, e, last) };
    for (uint32_t i = 0; i < exc->to.objects.len; i++)
      exception_end_slots(sweep->g, exc->to.objects.at[i], end_at, &t);
    return;
  }
  for (uint32_t i = index->first_point[e]; i < index->first_point[e + 1]; i++)
    if (index->by_exception.at[i].point.index + 1 == last)
      touch(sweep, index->by_exception.at[i].slot);
}

static void sweep_back(Sweep *sweep)
{
  for (uint32_t word = sweep->g->slots.count / 64 + 1; word-- > 0;)
    for (uint64_t left = sweep->touched[word]; left;) {
      int high = 63 - __builtin_clzll(left);
      alive_to_fanin(sweep, (Slot)(word * 64 + (uint32_t)high));
      /* slots before this one that have been touched in the meantime */
      left = sweep->touched[word] & (((uint64_t)1 << high) - 1);
    }
}

/* --- forward ---------------------------------------------------------------------------------- */
static void settle_arrival(Sweep *sweep, Slot s)
{
  const Graph *g = sweep->g;
  Bits bits = arrived_after(sweep, s, sweep->arrives[s], false),
       kept = sweep->all ? bits : bits & sweep->alive[s];
  sweep->reached |= bits;
  sweep->ended |= bits & sweep->alive[s];
  for (Bits lost = sweep->all ? 0 : bits & ~sweep->alive[s]; lost; lost &= lost - 1) {
    uint32_t bit = (uint32_t)__builtin_ctzll(lost), m = sweep->members.len;
    while (m > 0 && sweep->base[sweep->members.at[m - 1]] > bit) m--;
    uint32_t e = sweep->members.at[m - 1];
    array_push(
        sweep->drops,
        (Drop){ s, { e, bit - sweep->base[e] + first_layer(&sweep->index->c->exceptions.at[e]) } });
  }
  if (kept == 0) return;
  for (uint32_t i = g->arcs.out_first[s]; i < g->arcs.out_first[s + 1]; i++) {
    ArcId a = g->arcs.out[i];
    if (arc_on(g, a) && !(g->arcs.flags[a] & ARC_LATCH) && !graph_arc_is_launch(g, a))
      add_arriving(sweep, g->arcs.to[a], kept);
  }
  if (!slot_is_driver(g, s)) return;
  for (Slot l = g->nets.load_first[s]; l < g->nets.load_first[s] + g->nets.load_count[s]; l++)
    add_arriving(sweep, l, kept);
  DriverExtras it = driver_extras(g, s);
  while (driver_extras_next(&it)) add_arriving(sweep, g->nets.extra_wires.at[it.index].load, kept);
}

static bool is_launch(const Graph *g, ArcId a)
{
  return arc_on(g, a) && graph_arc_is_launch(g, a);
}
static bool is_latch(const Graph *g, ArcId a)
{
  return arc_on(g, a) && g->arcs.flags[a] & ARC_LATCH;
}

/* Launches paths that borrow at a latch. They start at the gate and at the data pin of the latch,
   in this order (PathStart). */
static void launch_borrowed(Sweep *sweep, Slot output, Slot gate, Slot data, Bits bits)
{
  add_arriving(sweep, output,
               arrived_after(sweep, data, arrived_after(sweep, gate, bits, true), true));
}

/* Launches paths over an arc. They start with some layers where the arc begins and go on at its
   end. */
static void launch(Sweep *sweep, ArcId a, Bits bits)
{
  const Graph *g = sweep->g;
  Slot from = g->arcs.from[a], to = g->arcs.to[a];
  bool gate = is_launch(g, a);
  if (!gate && !is_latch(g, a)) return;
  if (gate) add_arriving(sweep, to, arrived_after(sweep, from, bits, true));
  for (ArcId b = g->arcs.first[to]; b < g->arcs.first[to + 1]; b++)
    if (gate && is_latch(g, b)) launch_borrowed(sweep, to, from, g->arcs.from[b], bits);
    else if (!gate && is_launch(g, b)) launch_borrowed(sweep, to, g->arcs.from[b], from, bits);
}

static void launch_all(Sweep *sweep, Slot s, Bits bits)
{
  for (uint32_t i = sweep->g->arcs.out_first[s]; i < sweep->g->arcs.out_first[s + 1]; i++)
    launch(sweep, sweep->g->arcs.out[i], bits);
}

/* Starts paths at a slot: at the slot itself, or at the pins that it launches. */
static void start_at(void *data, Slot s)
{
  Target *target = data;
  add_arriving(target->sweep, s, target->bits);
  launch_all(target->sweep, s, target->bits);
}

/* Starts paths at all slots where clocks may launch: at registers, at inputs with an external
   delay, and at the sources of clocks. */
static void start_anywhere(Target *target)
{
  const Graph *g = target->sweep->g;
  for (Slot s = 0; s < g->slots.count; s++)
    if (g->slots.flags[s] & (SLOT_CLOCK_PIN | SLOT_PORT | SLOT_CLOCK_SOURCE)) start_at(target, s);
  for (uint32_t i = 0; i < g->constraints->input_delays.len; i++) {
    PinId pin = g->constraints->input_delays.at[i].pin;
    if (pin != NO_PIN) graph_said_slots(g, pin, true, start_at, target);
  }
}

static bool names_clock(const ExceptionPoint *point)
{
  for (uint32_t i = 0; i < point->objects.len; i++)
    if (point->objects.at[i].type == OBJ_CLOCK) return true;
  return false;
}

/* Starts paths at a slot, for exceptions without -from: paths pass the slot or start there. */
static void begin_free(Sweep *sweep, Slot s)
{
  touch(sweep, s);
  launch_all(sweep, s, 0);
}

static void add_starts(Sweep *sweep, uint32_t e)
{
  const ExceptionIndex *index = sweep->index;
  const Exception *exc = &index->c->exceptions.at[e];
  if (!exception_has_start(exc)) {
    for (uint32_t i = index->first_point[e]; i < index->first_point[e + 1]; i++)
      if (index->by_exception.at[i].point.index == 0)
        begin_free(sweep, index->by_exception.at[i].slot);
    return;
  }
  if (!is_traced(sweep, e, 0)) return;
  Target t = { sweep, bit_of(sweep, e, 0) };
  for (uint32_t i = 0; i < exc->from.objects.len; i++)
    exception_end_slots(sweep->g, exc->from.objects.at[i], start_at, &t);
  if (!exc->has_from || names_clock(&exc->from)) start_anywhere(&t);
}

static void sweep_forward(Sweep *sweep)
{
  for (uint32_t word = 0; word <= sweep->g->slots.count / 64; word++)
    for (uint64_t left = sweep->touched[word]; left;) {
      int low = __builtin_ctzll(left);
      settle_arrival(sweep, (Slot)(word * 64 + (uint32_t)low));
      left = low == 63 ? 0 : sweep->touched[word] & ~(((uint64_t)2 << low) - 1);
    }
}

/* --- words ------------------------------------------------------------------------------------ */
static void clear_word(Sweep *sweep)
{
  for (uint32_t word = 0; word <= sweep->g->slots.count / 64; word++) {
    for (uint64_t left = sweep->touched[word]; left; left &= left - 1) {
      Slot s = (Slot)(word * 64 + (uint32_t)__builtin_ctzll(left));
      sweep->alive[s] = sweep->arrives[s] = 0;
    }
    sweep->touched[word] = 0;
  }
  for (uint32_t i = 0; i < sweep->members.len; i++) sweep->base[sweep->members.at[i]] = NO_BIT;
  array_clear(&sweep->members);
  sweep->bits = 0;
  sweep->reached = sweep->ended = 0;
}

static void run_word(Sweep *sweep)
{
  for (uint32_t i = 0; i < sweep->members.len; i++) add_ends(sweep, sweep->members.at[i]);
  if (!sweep->all) sweep_back(sweep);
  for (uint32_t i = 0; i < sweep->members.len; i++) add_starts(sweep, sweep->members.at[i]);
  sweep_forward(sweep);
}

static void add_member(Sweep *sweep, uint32_t e, uint32_t layers)
{
  sweep->base[e] = (uint8_t)sweep->bits;
  sweep->bits += layers;
  array_push(&sweep->members, e);
}

static Sweep sweep_new(const ExceptionIndex *index)
{
  uint32_t slots = index->g->slots.count, count = index->c->exceptions.len;
  Sweep w = { .index = index, .g = index->g };
  w.alive = mem_alloc_zero((size_t)slots + 1, sizeof *w.alive);
  w.arrives = mem_alloc_zero((size_t)slots + 1, sizeof *w.arrives);
  w.touched = mem_alloc_zero((size_t)slots / 64 + 1, sizeof *w.touched);
  w.base = mem_alloc((size_t)count + 1);
  memset(w.base, NO_BIT, (size_t)count + 1);
  return w;
}

static void sweep_free(Sweep *sweep)
{
  mem_free(sweep->alive);
  mem_free(sweep->arrives);
  mem_free(sweep->touched);
  mem_free(sweep->base);
  array_free(&sweep->members);
}

void find_drops(const ExceptionIndex *index, Drops *drops)
{
  Sweep w = sweep_new(index);
  w.drops = drops;
  for (uint32_t e = 0; e < index->c->exceptions.len; e++) {
    uint32_t layers = layers_traced(&index->c->exceptions.at[e]);
    if (!exception_counts(index, e) || !index->needs_state.at[e] || layers == 0
        || layers > WORD_BITS)
      continue;
    if (w.bits + layers > WORD_BITS) {
      run_word(&w);
      clear_word(&w);
    }
    add_member(&w, e, layers);
  }
  if (w.members.len) run_word(&w);
  sweep_free(&w);
}

/* --- how far paths come ----------------------------------------------------------------------- */
static void finish_reach(Sweep *sweep, ExceptionReach *reach)
{
  run_word(sweep);
  for (uint32_t i = 0; i < sweep->members.len; i++) {
    uint32_t e = sweep->members.at[i], last = sweep->index->c->exceptions.at[e].through.len;
    reach[e] = (ExceptionReach){ first_layer(&sweep->index->c->exceptions.at[e]) ? 0 : UINT32_MAX,
                                 (sweep->ended & bit_of(sweep, e, last)) != 0 };
    for (uint32_t layer = first_layer(&sweep->index->c->exceptions.at[e]); layer <= last; layer++)
      if (sweep->reached & bit_of(sweep, e, layer)) reach[e].passed = layer;
  }
  clear_word(sweep);
}

void find_reach(const ExceptionIndex *index, const uint8_t *wanted, ExceptionReach *reach)
{
  Sweep w = sweep_new(index);
  w.all = true;
  for (uint32_t e = 0; e < index->c->exceptions.len; e++) {
    const Exception *exc = &index->c->exceptions.at[e];
    uint32_t layers = exc->through.len + 1 - first_layer(exc);
    if (!wanted[e] || layers == 0 || layers > WORD_BITS) continue;
    if (w.bits + layers > WORD_BITS) finish_reach(&w, reach);
    add_member(&w, e, layers);
  }
  if (w.members.len) finish_reach(&w, reach);
  sweep_free(&w);
}
