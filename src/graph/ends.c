/* Makes the path ends: every comparison of a data arrival with a capturing clock or a delay. */
#include <math.h>
#include <stdlib.h>

#include "graph/clocks/clocks.h"
#include "graph/hierarchy.h"
#include "graph/references.h"
#include "graph/ends.h"

static void warn_endless(EndMaker *r, ClockId launch, ClockId capture)
{
  uint64_t key = launch < capture ? hash_pair(launch, capture) : hash_pair(capture, launch);
  if (map_get(r->warned, key) != MAP_NO_VALUE) return;
  map_put(r->warned, key, 1);
  const Clock *clocks = r->g->constraints->clocks.at;
  const Clock *later = &clocks[launch < capture ? capture : launch];
  log_warning(r->log, "GRAPH-014", graph_where(r->g, later->file, later->line),
              "the periods of clocks %s and %s have no common multiple: their edges come as near "
              "to each other as can be", names_text(r->g->netlist->names, clocks[launch].name),
              names_text(r->g->netlist->names, clocks[capture].name));
}

static const EdgeDistance *distance_of(EndMaker *r, ClockEdge launch, ClockEdge capture)
{
  uint64_t key = hash_pair(launch, capture);
  uint32_t i = map_get(r->distances, key);
  if (i == MAP_NO_VALUE) {
    i = r->distance.len;
    array_push(&r->distance, clock_edge_distance(r->g->constraints, launch, capture));
    if (r->distance.at[i].endless)
      warn_endless(r, clock_edge_clock(launch), clock_edge_clock(capture));
    map_put(r->distances, key, i);
  }
  return &r->distance.at[i];
}

static uint32_t add_detail(EndMaker *r, const PathEndDetail *d)
{
  uint64_t key = (uint64_t)hash_bytes((const char *)d, sizeof *d) << 16;
  for (;; key++) {
    uint32_t i = map_get(r->details, key);
    if (i == MAP_NO_VALUE) break;
    if (memcmp(&r->g->ends.details.at[i], d, sizeof *d) == 0) return i;
  }
  array_push(&r->g->ends.details, *d);
  map_put(r->details, key, r->g->ends.details.len - 1);
  return r->g->ends.details.len - 1;
}

static double launch_period(const EndMaker *r, const Candidate *k)
{
  ClockEdge launch = r->g->tags->tags.at[k->data_tag].clock_edge;
  return launch == NO_CLOCK_EDGE ? 0
    : r->g->constraints->clocks.at[clock_edge_clock(launch)].period;
}

/* Returns the time that multicycles add to capture minus launch.  A setup multicycle of n adds n
   periods, less the one period that a check has anyway (unless the reference is data).  They are
   periods of the capturing clock unless -start is given.  A hold check moves with setup, and then n
   periods back.  These are periods of the launching clock unless -end is given. */
static double cycles_moved(const EndMaker *r, const PathExceptions *pe, const Candidate *k)
{
  const Constraints *c = r->g->constraints;
  double start = launch_period(r, k), end = c->clocks.at[clock_edge_clock(k->capture_clock)].period;
  double moved = 0;
  if (pe->multicycle[SETUP] != NO_EXCEPTION) {
    const Exception *e = &c->exceptions.at[pe->multicycle[SETUP]];
    moved += (e->cycles - !k->same_cycle) *
             (e->cycles_side_given && e->cycles_of_start ? start : end);
  }
  if (path_end_is_late(k->type) || pe->multicycle[HOLD] == NO_EXCEPTION) return moved;
  const Exception *e = &c->exceptions.at[pe->multicycle[HOLD]];
  /* one number for setup and hold: hold moves with setup */
  if (e->checks >> SETUP & 1) return moved;
  return moved - e->cycles * (e->cycles_side_given && !e->cycles_of_start ? end : start);
}

static void push_end(EndMaker *r, const Candidate *k, int edges, const float *offset,
                     const PathEndDetail *detail)
{
  array_push(&r->g->ends.path_ends, (PathEnd){
    .data = k->data,
    .capture = detail->path_delay && k->capture == NO_NODE_ID ? NO_NODE_ID : k->capture,
    .check = k->check, .slot = k->slot, .offset = { offset[0], offset[1] },
    .type = (uint8_t)k->type, .capture_edge = (uint8_t)k->capture_edge,
    .time_edge = (uint8_t)(k->at_source ? clock_edge_edge(k->capture_clock) : k->capture_edge),
    .at_source = k->at_source, .edges = k->unchecked ? 0 : (uint8_t)edges, .passes = (uint8_t)edges,
    .capture_clock = k->capture_clock, .detail = add_detail(r, detail) });
}

static float value_or_zero(float x) { return isnan(x) ? 0 : x; }

/* Returns the tag of the capturing clock's closing edge at the enable pin, as an index in the tag
   set of the slot. UINT32_MAX: there is none. */
static uint32_t closing_tag(const Graph *g, const Candidate *k, bool ideal)
{
  TagSetId set = g->nodes.slot_tags[g->ends.checks.at[k->check].clock];
  for (uint32_t i = 0; i < tag_set_count(g->tags, set); i++) {
    TagId id = tag_set_tags(g->tags, set)[i];
    if (tag_is_clock(&g->tags->tags.at[id]) && g->by_tag.is_ideal[id] == ideal &&
        g->tags->tags.at[id].clock_edge == (k->capture_clock ^ 1))
      return i;
  }
  return UINT32_MAX;
}

/* Returns the latency of the closing edge, if the clock is ideal. It may differ from that of the
   opening edge. */
static float closing_latency(const Graph *g, const Candidate *k)
{
  uint32_t i = closing_tag(g, k, true);
  if (i == UINT32_MAX) return k->latency;
  return g->by_tag
      .latency[tag_set_tags(g->tags, g->nodes.slot_tags[g->ends.checks.at[k->check].clock])[i]]
              [condition_of(EARLY, RISE)];
}

/* Returns the node of the closing edge at the enable pin, if the clock is propagated. Its arrival
   includes the latency. */
static NodeId closing_node(const Graph *g, const Candidate *k)
{
  uint32_t i = closing_tag(g, k, false);
  return i == UINT32_MAX ? NO_NODE_ID : g->nodes.first[g->ends.checks.at[k->check].clock] + i;
}

static float borrow_limit(const Graph *g, PinId data, PinId enable, ClockId clock)
{
  const Constraints *c = g->constraints;
  float limit = constraints_find_time_borrow(c, (Object){ OBJ_PIN, data });
  if (isnan(limit)) limit = constraints_find_time_borrow(c, (Object){ OBJ_PIN, enable });
  for (InstId inst = g->netlist->pins.at[data].inst; isnan(limit) && inst != NO_INST;
       inst = g->netlist->insts.at[inst].parent)
    limit = constraints_find_time_borrow(c, (Object){ OBJ_CELL, inst });
  return isnan(limit) ? constraints_find_time_borrow(c, (Object){ OBJ_CLOCK, clock }) : limit;
}

/* Finds how long a latch may borrow. By default it may borrow while it is open, less the setup time
   at the closing edge (which the engine subtracts). set_max_time_borrow gives another time. Its
   value comes from the first of these that has one: the data pin, the enable pin, the cell, a cell
   around it, the clock. */
static void latch_window(const EndMaker *r, const Candidate *k, PathEndDetail *d)
{
  const Constraints *c = r->g->constraints;
  PinId pin = r->g->slots.pin[k->slot];
  PinId enable = r->g->slots.pin[r->g->ends.checks.at[k->check].clock];
  float limit = borrow_limit(r->g, pin, enable, clock_edge_clock(k->capture_clock));
  d->window_given = !isnan(limit);
  d->window = d->window_given ? limit : (float)clock_pulse_width(c, k->capture_clock);
  if (d->window_given) return;
  d->pulse = d->window;
  if (k->capture == NO_NODE_ID || k->at_source) d->window += closing_latency(r->g, k) - k->latency;
  else d->close = closing_node(r->g, k);
}

/* Returns the edge that decides which cycle the check belongs to. For a latch it is the closing
   edge, before which the data is due. For a gating hold it is the edge that opens the gate, because
   the enable is set up for that edge. */
static ClockEdge reference_edge(const Candidate *k)
{
  bool opposite = k->type == END_LATCH_SETUP || k->type == END_GATING_HOLD ||
    k->type == END_NOCHANGE_HOLD;
  return opposite ? k->capture_clock ^ 1 : k->capture_clock;
}

/* Returns capture minus launch without multicycles.  For a latch, the opening edge is the one
   before its closing edge.  For a clock gate, the enable must hold until the closing edge before
   the opening edge for which it is set up; among all launches, the one furthest before its opening
   edge decides.  A no-change check is treated in the same way.  A data check uses the reference's
   edge at or before the launch, and for hold the edge one launching period earlier. */
static double base_distance(const EndMaker *r, const Candidate *k, const EdgeDistance *dist)
{
  const Constraints *c = r->g->constraints;
  if (k->type == END_LATCH_SETUP) return dist->setup - clock_pulse_width(c, k->capture_clock);
  if (k->type == END_GATING_HOLD || k->type == END_NOCHANGE_HOLD)
    return dist->hold + clock_longest_pulse(c, k->capture_clock ^ 1);
  if (k->type == END_DATA_SETUP) return dist->hold;
  if (k->type == END_DATA_HOLD) return dist->hold - launch_period(r, k);
  return path_end_is_late(k->type) ? dist->setup : dist->hold;
}

/* Returns the launch that the distance is counted from. For a data hold check it is one period
   later, so that no edge comes before the first edges of the clocks. */
static double launch_of(const EndMaker *r, const Candidate *k, const EdgeDistance *dist)
{
  if (k->type == END_DATA_SETUP) return dist->hold_launch;
  if (k->type == END_DATA_HOLD) return dist->hold_launch + launch_period(r, k);
  return path_end_is_late(k->type) ? dist->launch : dist->hold_launch;
}

/* Fills offset and detail for a candidate with a capturing clock. */
static void clocked_offset(EndMaker *r, const Candidate *k, const PathExceptions *pe, float *offset,
                           PathEndDetail *d)
{
  bool late = path_end_is_late(k->type);
  ClockEdge launch = r->g->tags->tags.at[k->data_tag].clock_edge;
  const EdgeDistance *dist = distance_of(r, launch, reference_edge(k));
  double moved = cycles_moved(r, pe, k);
  double base = base_distance(r, k, dist) + moved;
  d->uncertainty = clock_uncertainty(r->g->constraints, launch, k->capture_clock, k->uncertainty,
                                     late ? SETUP : HOLD);
  d->latency = k->latency + k->shift;
  d->cycles_moved = (float)moved;
  d->launch_time = launch_of(r, k, dist);
  d->capture_time = d->launch_time + base;
  d->exception = pe->multicycle[late ? SETUP : HOLD];
  if (k->type == END_LATCH_SETUP) latch_window(r, k, d);
  d->window_given |= k->unchecked;      /* no setup time is left before the closing edge */
  if (pe->margin != NO_EXCEPTION)
    d->margin = (float)r->g->constraints->exceptions.at[pe->margin].delay;
  float extra = d->latency + (late ? -d->uncertainty - d->margin : d->uncertainty + d->margin);
  for (int edge = RISE; edge <= FALL; edge++) {
    d->external[edge] = k->external[edge];
    offset[edge] = (float)(base + extra - k->external[edge]);
  }
}

/* Fills offset and detail for set_max_delay / set_min_delay: the delay replaces the clocks'
   distance. */
static void path_delay_offset(EndMaker *r, const Candidate *k, const PathExceptions *pe,
                              float *offset, PathEndDetail *d)
{
  bool late = path_end_is_late(k->type);
  ExceptionId id = late ? pe->max_delay : pe->min_delay;
  const Exception *e = &r->g->constraints->exceptions.at[id];
  ClockEdge launch = r->g->tags->tags.at[k->data_tag].clock_edge;
  d->path_delay = true;
  d->exception = id;
  /* at an output, the delay alone is the required time */
  bool clocked = k->check != UINT32_MAX && !e->ignore_clock_latency;
  d->latency = clocked ? k->latency + k->shift : 0;
  if (clocked && k->capture_clock != NO_CLOCK_EDGE)
    d->uncertainty = clock_uncertainty(r->g->constraints, launch, k->capture_clock, k->uncertainty,
                                       late ? SETUP : HOLD);
  d->launch_time = launch == NO_CLOCK_EDGE ? 0 : clock_edge_time(r->g->constraints, launch);
  d->capture_time = d->launch_time + e->delay;
  d->window_given = k->type == END_LATCH_SETUP;      /* the path delay allows no borrowing */
  if (pe->margin != NO_EXCEPTION)
    d->margin = (float)r->g->constraints->exceptions.at[pe->margin].delay;
  for (int edge = RISE; edge <= FALL; edge++) {
    d->external[edge] = k->external[edge];
    offset[edge] = (float)(e->delay + d->latency +
                           (late ? -d->uncertainty - d->margin : d->uncertainty + d->margin) -
                           k->external[edge]);
  }
}

static PathExceptions exceptions_of(const EndMaker *r, const Candidate *k, int end_edge)
{
  const Tag *t = &r->g->tags->tags.at[k->data_tag];
  /* -rise_to and -fall_to of clocks mean the edge of the check: for a latch the closing edge */
  ClockEdge capture = k->type == END_LATCH_SETUP && k->capture_clock != NO_CLOCK_EDGE
    ? k->capture_clock ^ 1 : k->capture_clock;
  ExceptionEnd end = { t->clock_edge, capture, t->state, r->g->slots.pin[k->slot], end_edge,
    path_end_is_late(k->type) ? SETUP : HOLD };
  return exception_at_end(r->x, r->g->tags, &end);
}

/* Adds the path ends of a candidate for the data edges in the mask. */
static void add_edges(EndMaker *r, Candidate k, int edges)
{
  PathExceptions pe = exceptions_of(r, &k, edges & EDGE_RISE ? RISE : FALL);
  if (pe.is_false) return;
  ClockEdge launch = r->g->tags->tags.at[k.data_tag].clock_edge;
  bool late = path_end_is_late(k.type);
  ExceptionId delay = late ? pe.max_delay : pe.min_delay;
  bool bare = delay != NO_EXCEPTION && r->g->constraints->exceptions.at[delay].ignore_clock_latency;
  const Tag *data = &r->g->tags->tags.at[k.data_tag];
  /* a clock that goes on as data is not launched, so no latency can be left out: its normal tag
     counts */
  if (bare != data->bare && !(bare && data->is_clock)) return;
  bool clocked = launch != NO_CLOCK_EDGE && k.capture_clock != NO_CLOCK_EDGE;
  /* clock groups that exclude each other: no path between them counts, not even with a path
     delay */
  if (clocked &&
      clocks_exclusive(r->g->constraints, clock_edge_clock(launch),
                       clock_edge_clock(k.capture_clock)))
    return;
  float offset[2];
  PathEndDetail d;
  memset(&d, 0, sizeof d);
  d.exception = NO_EXCEPTION;
  d.close = NO_NODE_ID;
  d.group = pe.group;
  if (delay != NO_EXCEPTION) {
    /* at an output, and for bare tags, the delay alone is the required time */
    if (bare || k.check == UINT32_MAX) k.capture = NO_NODE_ID, k.at_source = false;
    path_delay_offset(r, &k, &pe, offset, &d);
    if (k.check == UINT32_MAX) k.type = late ? END_PATH_MAX : END_PATH_MIN;
  } else {
    if (!clocked) return;
    clocked_offset(r, &k, &pe, offset, &d);
  }
  push_end(r, &k, edges, offset, &d);
}

static void add_candidate(EndMaker *r, const Candidate *k)
{
  if (k->edges != EDGE_BOTH || !exception_end_edges_matter(r->x)) {
    if (k->edges) add_edges(r, *k, k->edges);
    return;
  }
  add_edges(r, *k, EDGE_RISE);
  add_edges(r, *k, EDGE_FALL);
}

/* Returns edges of data as bits of `captured`. */
static uint8_t captured_bits(bool late, int edges) { return (uint8_t)(edges << (late ? 2 : 0)); }

/* Makes a candidate for every data tag at the slot. A check applies to both data edges, whichever
   edges its tables have. A delay at an output applies to the edges that it is given for. */
void ends_each_data_tag(EndMaker *r, Candidate k)
{
  Graph *g = r->g;
  if (k.capture_clock != NO_CLOCK_EDGE)
    r->captured[k.slot] |= captured_bits(path_end_is_late(k.type),
                                         k.check == UINT32_MAX ? k.edges : EDGE_BOTH);
  TagSetId set = g->nodes.slot_tags[k.slot];
  for (uint32_t i = 0; i < tag_set_count(g->tags, set); i++) {
    k.data = g->nodes.first[k.slot] + i;
    k.data_tag = tag_set_tags(g->tags, set)[i];
    if (tag_is_hidden(&g->tags->tags.at[k.data_tag])) continue;
    add_candidate(r, &k);
  }
}

/* --- library checks --------------------------------------------------------------------------- */
static bool end_type_of(const Check *c, PathEndType *type)
{
  switch (c->type) {
  case ARC_SETUP: *type = END_SETUP; return true;
  /* also against a clock: then the edge of the launch counts */
  case ARC_NON_SEQ_SETUP: *type = END_DATA_SETUP; return true;
  case ARC_HOLD: case ARC_NON_SEQ_HOLD: *type = END_HOLD; return true;
  case ARC_RECOVERY: *type = END_RECOVERY; return true;
  case ARC_REMOVAL: *type = END_REMOVAL; return true;
  case ARC_NOCHANGE: case ARC_NOCHANGE_LOW:
    *type = check_is_early(c) ? END_NOCHANGE_HOLD : END_NOCHANGE_SETUP;
    return true;
  default: return false;
  }
}

/* Returns the uncertainty that was given at pins on the way of the capturing clock. */
static uint32_t uncertainty_at(const Graph *g, PinValuesId values, PathEndType type)
{
  return g->starts.pin_values.at[values].uncertainty[path_end_is_late(type) ? SETUP : HOLD];
}

void ends_capture(const EndMaker *r, Candidate *k, Slot slot, uint32_t index, int edge)
{
  const Graph *g = r->g;
  TagId id = tag_set_tags(g->tags, g->nodes.slot_tags[slot])[index];
  const Tag *t = &g->tags->tags.at[id];
  k->capture = g->by_tag.is_ideal[id] ? g->by_tag.origin[id] : g->nodes.first[slot] + index;
  k->at_source = g->by_tag.is_ideal[id] && k->capture != NO_NODE_ID;
  int side = graph_capture_side(g, path_end_is_late(k->type));
  k->latency = g->by_tag.is_ideal[id] ? g->by_tag.latency[id][condition_of(side, edge)] : 0;
  k->shift = 0;
  if (tag_is_clock(t))
    k->shift = clock_capture_shift(g, t->clock_edge, graph_pin_values(g, t)->source, side);
  k->uncertainty = uncertainty_at(g, t->pin_values, k->type);
  k->capture_clock = t->clock_edge;
  k->capture_edge = edge;
}

/* Makes a candidate for every clock tag at the check's clock pin. */
static void each_capture(EndMaker *r, Candidate k, Slot clock, int clock_edge)
{
  Graph *g = r->g;
  TagSetId set = g->nodes.slot_tags[clock];
  for (uint32_t i = 0; i < tag_set_count(g->tags, set); i++) {
    TagId id = tag_set_tags(g->tags, set)[i];
    const Tag *t = &g->tags->tags.at[id];
    if (!tag_is_clock(t) || (k.only_clock && clock_edge_clock(t->clock_edge) + 1 != k.only_clock))
      continue;
    /* a clock's edge reaches the pin as itself only when the network does not invert */
    if (!(g->nodes.edges[g->nodes.first[clock] + i] >> clock_edge & 1)) continue;
    ends_capture(r, &k, clock, i, clock_edge);
    ends_each_data_tag(r, k);
  }
}

/* The data of a transparent latch is due before the first closing edge after its launch, and
   compared with the opening edge before that one (which may be the launching edge itself); it may
   borrow up to the closing edge less the setup time, or what set_max_time_borrow says. A check that
   set_disable_timing removes compares nothing. The latch still passes its data on. */
static void add_latch_ends(EndMaker *r, Candidate k, const Check *c)
{
  k.type = END_LATCH_SETUP;
  k.edges = EDGE_BOTH & ~c->off_edges;
  k.unchecked = c->off;
  each_capture(r, k, c->clock, !c->clock_edge);
}

static void add_check_ends(EndMaker *r, CheckId id)
{
  Graph *g = r->g;
  const Check *c = &g->ends.checks.at[id];
  PathEndType type;
  if (!end_type_of(c, &type) || g->slots.flags[c->data] & SLOT_CONSTANT ||
      g->slots.flags[c->clock] & SLOT_CONSTANT)
    return;
  Candidate k = { .slot = c->data, .check = id, .type = type, .edges = graph_checked_edges(g, c) };
  bool latch = type == END_SETUP && graph_is_latch_data(g, c->data, c->clock);
  if (c->off && !(latch && c->off == ARC_OFF_DISABLED)) return;
  if (latch) add_latch_ends(r, k, c);
  else each_capture(r, k, c->clock, c->clock_edge);
}

/* --- clock gating ----------------------------------------------------------------------------- */
/* Value of a function with one port forced and all others unknown. */
typedef struct {
  PortId port;
  int    value;
} Forced;

static int forced_value(void *data, PortId port)
{
  const Forced *f = data;
  return port == f->port ? f->value : 2;
}

/* The level of the clock at which a gate passes the other inputs: 1 for AND-like, 0 for OR-like, -1
   for gates that are neither (multiplexers, XOR). */
static int gating_level(const LibrarySet *libs, FunctionId function, PortId clock)
{
  Forced low = { clock, 0 }, high = { clock, 1 };
  if (library_eval(libs, function, forced_value, &low) != 2) return 1;
  return library_eval(libs, function, forced_value, &high) != 2 ? 0 : -1;
}

static bool carries(const Graph *g, Slot slot, bool clock)
{
  const TagId *tags = tag_set_tags(g->tags, g->nodes.slot_tags[slot]);
  for (uint32_t i = 0; i < tag_set_count(g->tags, g->nodes.slot_tags[slot]); i++)
    if (!tag_is_hidden(&g->tags->tags.at[tags[i]]) && g->tags->tags.at[tags[i]].is_clock == clock)
      return true;
  return false;
}

typedef struct {
  GatePins  pins;
  ClockEdge clock;
  int       level;             /* level of the clock pin at which the gate is open */
} Gate;

/* Adds the check of a gate: setup before the edge that opens the gate, hold until the edge that
   closes it. */
static void add_gating_check(EndMaker *r, const Gate *gate)
{
  Graph *g = r->g;
  for (int late = 0; late < 2; late++) {
    int clock_edge = (late ? gate->level == 1 : gate->level == 0) ? RISE : FALL;
    CheckId id = g->ends.checks.len;
    float margin[2] = { 0, 0 };
    for (int edge = RISE; edge <= FALL; edge++)
      margin[edge] = gating_margin(r->gating, gate->pins, clock_edge_clock(gate->clock),
                                   late ? SETUP : HOLD, edge);
    bool off = g->disabled &&
      disabled_gating(g->disabled, g->slots.pin[gate->pins.clock], g->slots.pin[gate->pins.enable]);
    array_push(&g->ends.checks, (Check){
      .clock = gate->pins.clock, .data = gate->pins.enable, .lib = NO_LIB_ARC, .type = ARC_OTHER,
      .clock_edge = (uint8_t)clock_edge, .off = off ? ARC_OFF_DISABLED : 0, .gating_hold = !late,
      .margin = { margin[0], margin[1] } });
    if (off) continue;
    Candidate k = { .slot = gate->pins.enable, .check = id,
      .type = late ? END_GATING_SETUP : END_GATING_HOLD, .edges = EDGE_BOTH,
      .only_clock = clock_edge_clock(gate->clock) + 1 };
    each_capture(r, k, gate->pins.clock, clock_edge);
  }
}

/* Adds a check for each clock at the gate, because margins may belong to a clock. */
static void add_gating_ends(EndMaker *r, GatePins pins, int level)
{
  const Graph *g = r->g;
  TagSetId set = g->nodes.slot_tags[pins.clock];
  for (uint32_t i = 0; i < tag_set_count(g->tags, set); i++) {
    const Tag *t = &g->tags->tags.at[tag_set_tags(g->tags, set)[i]];
    bool again = !tag_is_clock(t);
    for (uint32_t k = 0; k < i && !again; k++) {
      const Tag *before = &g->tags->tags.at[tag_set_tags(g->tags, set)[k]];
      again = tag_is_clock(before) &&
        clock_edge_clock(before->clock_edge) == clock_edge_clock(t->clock_edge);
    }
    if (!again) add_gating_check(r, &(Gate){ pins, t->clock_edge, level });
  }
}

/* Adds a check for a pair of pins. A gate that is neither AND-like nor OR-like has a check only if
   -high or -low gives the level at which it is open. */
static void infer_check(EndMaker *r, GatePins pins, int level)
{
  int given = gating_level_given(r->gating, pins, level);
  if (given < 0) {
    gating_note_shapeless(r->gating, pins);
    return;
  }
  gating_note(r->gating, pins);
  if (!gating_is_disabled(r->gating, pins)) add_gating_ends(r, pins, given);
}

/* Adds the checks of a cell that gates a clock: one input carries clocks, another only data, and
   the output continues as a clock. */
static void infer_gating(EndMaker *r, Slot output)
{
  Graph *g = r->g;
  const LibPort *port = &g->libs->ports.at[g->netlist->pins.at[g->slots.pin[output]].port];
  if (port->function == NO_FUNCTION || !carries(g, output, true)) return;
  for (ArcId a = g->arcs.first[output]; a < g->arcs.first[output + 1]; a++) {
    const LibArc *clock = &g->libs->arcs.at[g->arcs.lib[a]];
    if (!arc_on(g, a) || clock->type != ARC_COMBINATIONAL || !carries(g, g->arcs.from[a], true))
      continue;
    /* an arc of the same pin under another condition */
    if (a > g->arcs.first[output] && g->arcs.from[a - 1] == g->arcs.from[a]) continue;
    int level = gating_level(g->libs, port->function, clock->from);
    for (ArcId b = g->arcs.first[output]; b < g->arcs.first[output + 1]; b++) {
      Slot enable = g->arcs.from[b];
      bool again = b > g->arcs.first[output] && g->arcs.from[b - 1] == enable;
      if (again || !arc_on(g, b) || enable == g->arcs.from[a] || carries(g, enable, true) ||
          !carries(g, enable, false))
        continue;
      infer_check(r, (GatePins){ g->arcs.from[a], enable, output }, level);
    }
  }
}

static void infer_all_gating(EndMaker *r)
{
  Graph *g = r->g;
  for (uint32_t level = 0; level < g->levels.count; level++)
    for (Slot s = g->levels.first[level]; s < g->levels.loads[level]; s++)
      if (g->arcs.first[s + 1] > g->arcs.first[s] + 1) infer_gating(r, s);
}

/* --- output delays ---------------------------------------------------------------------------- */

/* The external delay of one analysis, for some data edges. */
typedef struct {
  int  late, edges;
  bool has_source, has_network;           /* does the delay include the source or network
                                             latency? */
} OutputSide;

static float output_latency(const Constraints *c, const PortDelay *d, OutputSide side,
                            int early_late)
{
  int condition = condition_of(early_late, d->clock_edge);
  float latency = 0;
  if (!side.has_source && !c->clocks.at[d->clock].generated)
    latency += clock_source_latency(c, d->clock, condition);
  if (!side.has_network && d->reference_pin == NO_PIN)
    latency += clock_network_latency(c, d->clock, condition);
  return latency;
}

/* Returns the node whose arrival is the capture. The latency of a generated clock is the arrival at
   its first source. */
static NodeId output_capture(const Graph *g, const PortDelay *d, bool has_source)
{
  if (has_source || !g->constraints->clocks.at[d->clock].generated) return NO_NODE_ID;
  Slot slot = clock_first_slot(g, d->clock);
  return slot == NO_SLOT ? NO_NODE_ID : graph_source_node(g, slot, 2 * d->clock + d->clock_edge);
}

/* Adds the path ends of an output delay without a clock. It counts only together with path
   delays. */
static void add_unclocked_output(EndMaker *r, const PortDelay *d, Slot slot)
{
  for (int late = 0; late < 2; late++) {
    float rise = d->delay[condition_of(late, RISE)], fall = d->delay[condition_of(late, FALL)];
    int edges = (isnan(rise) ? 0 : EDGE_RISE) | (isnan(fall) ? 0 : EDGE_FALL);
    if (!edges) continue;
    r->captured[slot] |= captured_bits(late, edges);
    ends_each_data_tag(r, (Candidate){ .slot = slot, .check = UINT32_MAX, .capture = NO_NODE_ID,
      .capture_clock = NO_CLOCK_EDGE,
      .uncertainty = NO_CLOCK_PIN, .edges = edges, .type = late ? END_PATH_MAX : END_PATH_MIN,
      .external = { value_or_zero(rise), value_or_zero(fall) } });
  }
}

static void capture_reference(const Graph *g, const PortDelay *d, Candidate *k)
{
  ReferencePoint r = graph_reference(g, d);
  k->uncertainty = uncertainty_at(g, r.pin_values, k->type);
  if (r.node == NO_NODE_ID) return;
  k->capture = r.node;
  k->capture_edge = r.edge;
  k->at_source = r.at_source;
  k->latency = 0;
}

/* Splits an output delay into data edges with the same included latencies: one part, or two. */
static int output_sides(const PortDelay *d, int late, OutputSide sides[2])
{
  int count = 0;
  for (int edge = RISE; edge <= FALL; edge++) {
    int k = condition_of(late, edge);
    if (isnan(d->delay[k])) continue;
    OutputSide s = { late, 1 << edge, delay_has_source(d, k), delay_has_network(d, k) };
    bool same = count && sides[0].has_source == s.has_source &&
                sides[0].has_network == s.has_network;
    if (same) sides[0].edges |= s.edges;
    else sides[count++] = s;
  }
  return count;
}

static void add_output_end(EndMaker *r, const PortDelay *d, Slot slot, OutputSide side)
{
  const Graph *g = r->g;
  int early_late = graph_capture_side(g, side.late);
  const float *delay = d->delay + condition_of(side.late, RISE);
  Candidate k = { .slot = slot, .check = UINT32_MAX,
    .capture = output_capture(g, d, side.has_source),
    .capture_clock = 2 * d->clock + d->clock_edge,
    .at_source = true, .uncertainty = NO_CLOCK_PIN,
    .capture_edge = d->clock_edge, .edges = side.edges,
    .type = side.late ? END_OUTPUT_SETUP : END_OUTPUT_HOLD,
    .external = { value_or_zero(delay[RISE]), value_or_zero(delay[FALL]) },
    .latency = output_latency(g->constraints, d, side, early_late) };
  if (!side.has_source) k.shift = clock_capture_shift(g, k.capture_clock, NO_SLOT, early_late);
  if (d->reference_pin != NO_PIN) capture_reference(g, d, &k);
  ends_each_data_tag(r, k);
}

typedef struct {
  EndMaker *r;
  const PortDelay *delay;
} OutputDelay;

static void add_output_rows_at(void *data, Slot slot)
{
  const OutputDelay *x = data;
  EndMaker *r = x->r;
  const PortDelay *d = x->delay;
  Graph *g = r->g;
  if (d->clock == NO_CLOCK && exception_has_path_delay(r->x)) add_unclocked_output(r, d, slot);
  if (d->clock == NO_CLOCK || !clock_is_timed(g->constraints, d->clock)) return;
  for (int late = 0; late < 2; late++) {
    OutputSide sides[2];
    int count = output_sides(d, late, sides);
    for (int i = 0; i < count; i++) add_output_end(r, d, slot, sides[i]);
  }
}

static void add_output_ends(EndMaker *r, const PortDelay *d)
{
  OutputDelay x = { r, d };
  if (d->pin != NO_PIN) graph_said_slots(r->g, d->pin, false, add_output_rows_at, &x);
}

/* Adds candidates for checks that no clock reaches, because a path delay to their pin includes
   their margin. Returns true if there are any for the analysis. */
static bool add_unclocked_checks(EndMaker *r, Slot slot, bool late)
{
  const Graph *g = r->g;
  bool any = false;
  for (uint32_t i = g->ends.first_check[slot]; i < g->ends.first_check[slot + 1]; i++) {
    CheckId id = g->ends.check_order[i];
    const Check *c = &g->ends.checks.at[id];
    PathEndType type;
    if (c->lib == NO_LIB_ARC || !end_type_of(c, &type) || path_end_is_late(type) != late) continue;
    if (type != END_SETUP && type != END_HOLD && type != END_RECOVERY && type != END_REMOVAL)
      continue;
    if (c->off) continue;
    any = true;
    if (g->slots.flags[c->clock] & SLOT_CONSTANT) continue;
    ends_each_data_tag(r, (Candidate){
      .slot = slot, .check = id, .capture = NO_NODE_ID, .capture_clock = NO_CLOCK_EDGE,
      .capture_edge = c->clock_edge, .uncertainty = NO_CLOCK_PIN,
      .edges = graph_checked_edges(g, c), .type = type });
  }
  return any;
}

/* Adds the path ends of path delays at a slot without checks, for the edges that have no output
   delay. */
static void add_bare_end(EndMaker *r, Slot slot, bool late)
{
  int edges = EDGE_BOTH & ~(r->captured[slot] >> (late ? 2 : 0));
  if (!edges || (edges == EDGE_BOTH && add_unclocked_checks(r, slot, late))) return;
  ends_each_data_tag(r, (Candidate){ .slot = slot, .check = UINT32_MAX, .capture = NO_NODE_ID,
    .capture_clock = NO_CLOCK_EDGE, .uncertainty = NO_CLOCK_PIN, .edges = edges,
    .type = late ? END_PATH_MAX : END_PATH_MIN });
}

/* Adds the path ends at which only path delays can end: outputs without an output delay, checks
   without a clock, and pins inside paths. */
static void add_path_delay_ends(EndMaker *r)
{
  Graph *g = r->g;
  if (!exception_has_path_delay(r->x)) return;
  for (Slot slot = 0; slot < g->slots.count; slot++) {
    bool output = g->slots.flags[slot] & SLOT_PORT && !slot_is_driver(g, slot),
      inner = exception_cut(r->x, slot) & CUT_END;
    if (!output && !inner && g->ends.first_check[slot + 1] == g->ends.first_check[slot]) continue;
    for (int late = 0; late < 2; late++) add_bare_end(r, slot, late);
  }
}

/* --- order and indices ------------------------------------------------------------------------ */
static void index_checks(Graph *g)
{
  g->ends.first_check = mem_alloc_zero((size_t)g->slots.count + 2, sizeof *g->ends.first_check);
  g->ends.check_order = mem_alloc(sizeof *g->ends.check_order * ((size_t)g->ends.checks.len + 1));
  for (CheckId i = 0; i < g->ends.checks.len; i++)
    g->ends.first_check[g->ends.checks.at[i].data + 2]++;
  for (Slot s = 1; s <= g->slots.count; s++) g->ends.first_check[s + 1] += g->ends.first_check[s];
  for (CheckId i = 0; i < g->ends.checks.len; i++)
    g->ends.check_order[g->ends.first_check[g->ends.checks.at[i].data + 1]++] = i;
}

/* Sorts the path ends by slot. Path ends of a slot stay in the order in which they were made. */
static void sort_ends(Graph *g)
{
  g->ends.first_end = mem_alloc_zero((size_t)g->slots.count + 2, sizeof *g->ends.first_end);
  for (PathEndId i = 0; i < g->ends.path_ends.len; i++)
    g->ends.first_end[g->ends.path_ends.at[i].slot + 2]++;
  for (Slot s = 1; s <= g->slots.count; s++) g->ends.first_end[s + 1] += g->ends.first_end[s];
  PathEnd *sorted = mem_alloc(sizeof *sorted * ((size_t)g->ends.path_ends.len + 1));
  for (PathEndId i = 0; i < g->ends.path_ends.len; i++)
    sorted[g->ends.first_end[g->ends.path_ends.at[i].slot + 1]++] = g->ends.path_ends.at[i];
  mem_free(g->ends.path_ends.at);
  g->ends.path_ends.at = sorted;
  g->ends.path_ends.cap = g->ends.path_ends.len + 1;
}

void build_path_ends(Graph *g, const ExceptionIndex *x, Log *log)
{
  EndMaker r = { .g = g, .x = x, .log = log, .warned = map_new(), .details = map_new(),
    .distances = map_new(),
             .captured = mem_alloc_zero((size_t)g->slots.count + 1, 1) };
  CheckId library_checks = g->ends.checks.len;
  for (CheckId i = 0; i < library_checks; i++) add_check_ends(&r, i);
  add_data_check_ends(&r, library_checks);
  r.gating = gating_given_new(g);
  infer_all_gating(&r);
  IdleList idle = { 0 };
  idle_find_pins(g, &idle);
  idle_find_derates(g, &idle);
  gating_find_idle(r.gating, &idle);
  if (g->disabled) disabled_find_idle(g->disabled, &idle);
  idle_tell(&idle, g, log);
  gating_given_free(r.gating);
  index_checks(g);
  uint32_t *order = delay_order(g->constraints->output_delays.at,
                                g->constraints->output_delays.len);
  for (uint32_t i = 0; i < g->constraints->output_delays.len; i++)
    add_output_ends(&r, &g->constraints->output_delays.at[order[i]]);
  mem_free(order);
  add_path_delay_ends(&r);
  sort_ends(g);
  index_data_references(g);
  mem_free(r.captured);
  disabled_index_free(g->disabled);
  g->disabled = NULL;
  map_free(r.details);
  map_free(r.distances);
  map_free(r.warned);
  array_free(&r.distance);
}
