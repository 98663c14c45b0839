/* Makes the path ends: every comparison of a data arrival with a capturing clock or a delay. */
#include <math.h>
#include <stdlib.h>

#include "graph/clocks/clocks.h"
#include "graph/hierarchy.h"
#include "graph/references.h"
#include "graph/ends.h"

static void warn_endless(EndMaker *maker, ClockId launch, ClockId capture)
{
  uint64_t key = launch < capture ? hash_pair(launch, capture) : hash_pair(capture, launch);
  if (map_get(maker->warned, key) != MAP_NO_VALUE) return;
  map_put(maker->warned, key, 1);
  const Clock *clocks = maker->g->constraints->clocks.at;
  const Clock *later = &clocks[launch < capture ? capture : launch];
  log_warning(maker->log, "GRAPH-014", graph_where(maker->g, later->file, later->line),
              "the periods of clocks %s and %s have no common multiple: their edges come as near "
              "to each other as can be",
              names_text(maker->g->netlist->names, clocks[launch].name),
              names_text(maker->g->netlist->names, clocks[capture].name));
}

static const EdgeDistance *distance_of(EndMaker *maker, ClockEdge launch, ClockEdge capture)
{
  uint64_t key = hash_pair(launch, capture);
  uint32_t i = map_get(maker->distances, key);
  if (i == MAP_NO_VALUE) {
    i = maker->distance.len;
    array_push(&maker->distance, clock_edge_distance(maker->g->constraints, launch, capture));
    if (maker->distance.at[i].endless)
      warn_endless(maker, clock_edge_clock(launch), clock_edge_clock(capture));
    map_put(maker->distances, key, i);
  }
  return &maker->distance.at[i];
}

static uint32_t add_detail(EndMaker *maker, const PathEndDetail *detail)
{
  uint64_t key = (uint64_t)hash_bytes((const char *)detail, sizeof *detail) << 16;
  for (;; key++) {
    uint32_t i = map_get(maker->details, key);
    if (i == MAP_NO_VALUE) break;
    if (memcmp(&maker->g->ends.details.at[i], detail, sizeof *detail) == 0) return i;
  }
  array_push(&maker->g->ends.details, *detail);
  map_put(maker->details, key, maker->g->ends.details.len - 1);
  return maker->g->ends.details.len - 1;
}

static double launch_period(const EndMaker *maker, const Candidate *candidate)
{
  ClockEdge launch = maker->g->tags->tags.at[candidate->data_tag].clock_edge;
  return launch == NO_CLOCK_EDGE ? 0
    : maker->g->constraints->clocks.at[clock_edge_clock(launch)].period;
}

/* Returns the time that multicycles add to capture minus launch.  A setup multicycle of n adds n
   periods, less the one period that a check has anyway (unless the reference is data).  They are
   periods of the capturing clock unless -start is given.  A hold check moves with setup, and then n
   periods back.  These are periods of the launching clock unless -end is given. */
static double cycles_moved(const EndMaker *maker, const PathExceptions *pe,
                           const Candidate *candidate)
{
  const Constraints *c = maker->g->constraints;
  double start = launch_period(maker, candidate),
         end = c->clocks.at[clock_edge_clock(candidate->capture_clock)].period;
  double moved = 0;
  if (pe->multicycle[SETUP] != NO_EXCEPTION) {
    const Exception *exception = &c->exceptions.at[pe->multicycle[SETUP]];
    moved += (exception->cycles - !candidate->same_cycle)
             * (exception->cycles_clock_given && exception->cycles_of_start ? start : end);
  }
  if (path_end_is_late(candidate->type) || pe->multicycle[HOLD] == NO_EXCEPTION) return moved;
  const Exception *exception = &c->exceptions.at[pe->multicycle[HOLD]];
  /* one number for setup and hold: hold moves with setup */
  if (exception->checks >> SETUP & 1) return moved;
  return moved
         - exception->cycles
               * (exception->cycles_clock_given && !exception->cycles_of_start ? end : start);
}

static void push_end(EndMaker *maker, const Candidate *candidate, int edges, const float *offset,
                     const PathEndDetail *detail)
{
  array_push(&maker->g->ends.path_ends,
             (PathEnd){ .data = candidate->data,
                        .capture = detail->path_delay && candidate->capture == NO_NODE_ID
                                       ? NO_NODE_ID
                                       : candidate->capture,
                        .check = candidate->check,
                        .slot = candidate->slot,
                        .offset = { offset[0], offset[1] },
                        .type = (uint8_t)candidate->type,
                        .capture_edge = (uint8_t)candidate->capture_edge,
                        .time_edge = (uint8_t)(candidate->at_source
                                                   ? clock_edge_edge(candidate->capture_clock)
                                                   : candidate->capture_edge),
                        .at_source = candidate->at_source,
                        .edges = candidate->unchecked ? 0 : (uint8_t)edges,
                        .passes = (uint8_t)edges,
                        .capture_clock = candidate->capture_clock,
                        .detail = add_detail(maker, detail) });
}

static float value_or_zero(float x) { return isnan(x) ? 0 : x; }

/* Returns the tag of the capturing clock's closing edge at the enable pin, as an index in the tag
   set of the slot. UINT32_MAX: there is none. */
static uint32_t closing_tag(const Graph *g, const Candidate *candidate, bool ideal)
{
  TagSetId set = g->nodes.slot_tags[g->ends.checks.at[candidate->check].clock];
  for (uint32_t i = 0; i < tag_set_count(g->tags, set); i++) {
    TagId id = tag_set_tags(g->tags, set)[i];
    if (tag_is_clock(&g->tags->tags.at[id]) && g->by_tag.is_ideal[id] == ideal
        && g->tags->tags.at[id].clock_edge == (candidate->capture_clock ^ 1))
      return i;
  }
  return UINT32_MAX;
}

/* Returns the latency of the closing edge, if the clock is ideal. It may differ from that of the
   opening edge. */
static float closing_latency(const Graph *g, const Candidate *candidate)
{
  uint32_t i = closing_tag(g, candidate, true);
  if (i == UINT32_MAX) return candidate->latency;
  return g->by_tag.latency[tag_set_tags(
      g->tags, g->nodes.slot_tags[g->ends.checks.at[candidate->check].clock])[i]]
                          [condition_of(EARLY, RISE)];
}

/* Returns the node of the closing edge at the enable pin, if the clock is propagated. Its arrival
   includes the latency. */
static NodeId closing_node(const Graph *g, const Candidate *candidate)
{
  uint32_t i = closing_tag(g, candidate, false);
  return i == UINT32_MAX ? NO_NODE_ID
                         : g->nodes.first[g->ends.checks.at[candidate->check].clock] + i;
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
static void latch_window(const EndMaker *maker, const Candidate *candidate, PathEndDetail *detail)
{
  const Constraints *c = maker->g->constraints;
  PinId pin = maker->g->slots.pin[candidate->slot];
  PinId enable = maker->g->slots.pin[maker->g->ends.checks.at[candidate->check].clock];
  float limit = borrow_limit(maker->g, pin, enable, clock_edge_clock(candidate->capture_clock));
  detail->window_given = !isnan(limit);
  detail->window =
      detail->window_given ? limit : (float)clock_pulse_width(c, candidate->capture_clock);
  if (detail->window_given) return;
  detail->pulse = detail->window;
  if (candidate->capture == NO_NODE_ID || candidate->at_source)
    detail->window += closing_latency(maker->g, candidate) - candidate->latency;
  else detail->close = closing_node(maker->g, candidate);
}

/* Returns the edge that decides which cycle the check belongs to. For a latch it is the closing
   edge, before which the data is due. For a gating hold it is the edge that opens the gate, because
   the enable is set up for that edge. */
static ClockEdge reference_edge(const Candidate *candidate)
{
  bool opposite = candidate->type == END_LATCH_SETUP || candidate->type == END_GATING_HOLD
                  || candidate->type == END_NOCHANGE_HOLD;
  return opposite ? candidate->capture_clock ^ 1 : candidate->capture_clock;
}

/* Returns capture minus launch without multicycles.  For a latch, the opening edge is the one
   before its closing edge.  For a clock gate, the enable must hold until the closing edge before
   the opening edge for which it is set up; among all launches, the one furthest before its opening
   edge decides.  A no-change check is treated in the same way.  A data check uses the reference's
   edge at or before the launch, and for hold the edge one launching period earlier. */
static double base_distance(const EndMaker *maker, const Candidate *candidate,
                            const EdgeDistance *dist)
{
  const Constraints *c = maker->g->constraints;
  if (candidate->type == END_LATCH_SETUP)
    return dist->setup - clock_pulse_width(c, candidate->capture_clock);
  if (candidate->type == END_GATING_HOLD || candidate->type == END_NOCHANGE_HOLD)
    return dist->hold + clock_longest_pulse(c, candidate->capture_clock ^ 1);
  if (candidate->type == END_DATA_SETUP) return dist->hold;
  if (candidate->type == END_DATA_HOLD) return dist->hold - launch_period(maker, candidate);
  return path_end_is_late(candidate->type) ? dist->setup : dist->hold;
}

/* Returns the launch that the distance is counted from. For a data hold check it is one period
   later, so that no edge comes before the first edges of the clocks. */
static double launch_of(const EndMaker *maker, const Candidate *candidate, const EdgeDistance *dist)
{
  if (candidate->type == END_DATA_SETUP) return dist->hold_launch;
  if (candidate->type == END_DATA_HOLD) return dist->hold_launch + launch_period(maker, candidate);
  return path_end_is_late(candidate->type) ? dist->launch : dist->hold_launch;
}

/* Fills offset and detail for a candidate with a capturing clock. */
static void clocked_offset(EndMaker *maker, const Candidate *candidate, const PathExceptions *pe,
                           float *offset, PathEndDetail *detail)
{
  bool late = path_end_is_late(candidate->type);
  ClockEdge launch = maker->g->tags->tags.at[candidate->data_tag].clock_edge;
  const EdgeDistance *dist = distance_of(maker, launch, reference_edge(candidate));
  double moved = cycles_moved(maker, pe, candidate);
  double base = base_distance(maker, candidate, dist) + moved;
  detail->uncertainty = clock_uncertainty(maker->g->constraints, launch, candidate->capture_clock,
                                          candidate->uncertainty, late ? SETUP : HOLD);
  detail->latency = candidate->latency + candidate->shift;
  detail->cycles_moved = (float)moved;
  detail->launch_time = launch_of(maker, candidate, dist);
  detail->capture_time = detail->launch_time + base;
  detail->exception = pe->multicycle[late ? SETUP : HOLD];
  if (candidate->type == END_LATCH_SETUP) latch_window(maker, candidate, detail);
  detail->window_given |= candidate->unchecked; /* no setup time is left before the closing edge */
  if (pe->margin != NO_EXCEPTION)
    detail->margin = (float)maker->g->constraints->exceptions.at[pe->margin].delay;
  float extra =
      detail->latency
      + (late ? -detail->uncertainty - detail->margin : detail->uncertainty + detail->margin);
  for (int edge = RISE; edge <= FALL; edge++) {
    detail->external[edge] = candidate->external[edge];
    offset[edge] = (float)(base + extra - candidate->external[edge]);
  }
}

/* Fills offset and detail for set_max_delay / set_min_delay: the delay replaces the clocks'
   distance. */
static void path_delay_offset(EndMaker *maker, const Candidate *candidate, const PathExceptions *pe,
                              float *offset, PathEndDetail *detail)
{
  bool late = path_end_is_late(candidate->type);
  ExceptionId id = late ? pe->max_delay : pe->min_delay;
  const Exception *exception = &maker->g->constraints->exceptions.at[id];
  ClockEdge launch = maker->g->tags->tags.at[candidate->data_tag].clock_edge;
  detail->path_delay = true;
  detail->exception = id;
  /* at an output, the delay alone is the required time */
  bool clocked = candidate->check != UINT32_MAX && !exception->ignore_clock_latency;
  detail->latency = clocked ? candidate->latency + candidate->shift : 0;
  if (clocked && candidate->capture_clock != NO_CLOCK_EDGE)
    detail->uncertainty = clock_uncertainty(maker->g->constraints, launch, candidate->capture_clock,
                                            candidate->uncertainty, late ? SETUP : HOLD);
  detail->launch_time =
      launch == NO_CLOCK_EDGE ? 0 : clock_edge_time(maker->g->constraints, launch);
  detail->capture_time = detail->launch_time + exception->delay;
  detail->window_given =
      candidate->type == END_LATCH_SETUP; /* the path delay allows no borrowing */
  if (pe->margin != NO_EXCEPTION)
    detail->margin = (float)maker->g->constraints->exceptions.at[pe->margin].delay;
  for (int edge = RISE; edge <= FALL; edge++) {
    detail->external[edge] = candidate->external[edge];
    offset[edge] = (float)(exception->delay + detail->latency
                           + (late ? -detail->uncertainty - detail->margin
                                   : detail->uncertainty + detail->margin)
                           - candidate->external[edge]);
  }
}

static PathExceptions exceptions_of(const EndMaker *maker, const Candidate *candidate, int end_edge)
{
  const Tag *tag = &maker->g->tags->tags.at[candidate->data_tag];
  /* -rise_to and -fall_to of clocks mean the edge of the check: for a latch the closing edge */
  ClockEdge capture =
      candidate->type == END_LATCH_SETUP && candidate->capture_clock != NO_CLOCK_EDGE
          ? candidate->capture_clock ^ 1
          : candidate->capture_clock;
  ExceptionEnd end = { tag->clock_edge, capture,
                       tag->state,      maker->g->slots.pin[candidate->slot],
                       end_edge,        path_end_is_late(candidate->type) ? SETUP : HOLD };
  return exception_at_end(maker->index, maker->g->tags, &end);
}

/* Adds the path ends of a candidate for the data edges in the mask. */
static void add_edges(EndMaker *maker, Candidate k, int edges)
{
  PathExceptions pe = exceptions_of(maker, &k, edges & EDGE_RISE ? RISE : FALL);
  if (pe.is_false) return;
  ClockEdge launch = maker->g->tags->tags.at[k.data_tag].clock_edge;
  bool late = path_end_is_late(k.type);
  ExceptionId delay = late ? pe.max_delay : pe.min_delay;
  bool bare =
      delay != NO_EXCEPTION && maker->g->constraints->exceptions.at[delay].ignore_clock_latency;
  const Tag *data = &maker->g->tags->tags.at[k.data_tag];
  /* a clock that goes on as data is not launched, so no latency can be left out: its normal tag
     counts */
  if (bare != data->bare && !(bare && data->is_clock)) return;
  bool clocked = launch != NO_CLOCK_EDGE && k.capture_clock != NO_CLOCK_EDGE;
  /* clock groups that exclude each other: no path between them counts, not even with a path
     delay */
  if (clocked
      && clocks_exclusive(maker->g->constraints, clock_edge_clock(launch),
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
    path_delay_offset(maker, &k, &pe, offset, &d);
    if (k.check == UINT32_MAX) k.type = late ? END_PATH_MAX : END_PATH_MIN;
  } else {
    if (!clocked) return;
    clocked_offset(maker, &k, &pe, offset, &d);
  }
  push_end(maker, &k, edges, offset, &d);
}

static void add_candidate(EndMaker *maker, const Candidate *candidate)
{
  if (candidate->edges != EDGE_BOTH || !exception_end_edges_matter(maker->index)) {
    if (candidate->edges) add_edges(maker, *candidate, candidate->edges);
    return;
  }
  add_edges(maker, *candidate, EDGE_RISE);
  add_edges(maker, *candidate, EDGE_FALL);
}

/* Returns edges of data as bits of `captured`. */
static uint8_t captured_bits(bool late, int edges) { return (uint8_t)(edges << (late ? 2 : 0)); }

/* Makes a candidate for every data tag at the slot. A check applies to both data edges, whichever
   edges its tables have. A delay at an output applies to the edges that it is given for. */
void ends_each_data_tag(EndMaker *maker, Candidate k)
{
  Graph *g = maker->g;
  if (k.capture_clock != NO_CLOCK_EDGE)
    maker->captured[k.slot] |=
        captured_bits(path_end_is_late(k.type), k.check == UINT32_MAX ? k.edges : EDGE_BOTH);
  TagSetId set = g->nodes.slot_tags[k.slot];
  for (uint32_t i = 0; i < tag_set_count(g->tags, set); i++) {
    k.data = g->nodes.first[k.slot] + i;
    k.data_tag = tag_set_tags(g->tags, set)[i];
    if (tag_is_hidden(&g->tags->tags.at[k.data_tag])) continue;
    add_candidate(maker, &k);
  }
}

/* --- library checks --------------------------------------------------------------------------- */
static bool end_type_of(const Check *check, PathEndType *type)
{
  switch (check->type) {
  case ARC_SETUP: *type = END_SETUP; return true;
  /* also against a clock: then the edge of the launch counts */
  case ARC_NON_SEQ_SETUP: *type = END_DATA_SETUP; return true;
  case ARC_HOLD: case ARC_NON_SEQ_HOLD: *type = END_HOLD; return true;
  case ARC_RECOVERY: *type = END_RECOVERY; return true;
  case ARC_REMOVAL: *type = END_REMOVAL; return true;
  case ARC_NOCHANGE: case ARC_NOCHANGE_LOW:
    *type = check_is_early(check) ? END_NOCHANGE_HOLD : END_NOCHANGE_SETUP;
    return true;
  default: return false;
  }
}

/* Returns the uncertainty that was given at pins on the way of the capturing clock. */
static uint32_t uncertainty_at(const Graph *g, PinValuesId values, PathEndType type)
{
  return g->starts.pin_values.at[values].uncertainty[path_end_is_late(type) ? SETUP : HOLD];
}

void ends_capture(const EndMaker *maker, Candidate *candidate, Slot slot, uint32_t index, int edge)
{
  const Graph *g = maker->g;
  TagId id = tag_set_tags(g->tags, g->nodes.slot_tags[slot])[index];
  const Tag *tag = &g->tags->tags.at[id];
  candidate->capture = g->by_tag.is_ideal[id] ? g->by_tag.origin[id] : g->nodes.first[slot] + index;
  candidate->at_source = g->by_tag.is_ideal[id] && candidate->capture != NO_NODE_ID;
  int side = graph_capture_side(g, path_end_is_late(candidate->type));
  candidate->latency = g->by_tag.is_ideal[id] ? g->by_tag.latency[id][condition_of(side, edge)] : 0;
  candidate->shift = 0;
  if (tag_is_clock(tag))
    candidate->shift =
        clock_capture_shift(g, tag->clock_edge, graph_pin_values(g, tag)->source, side);
  candidate->uncertainty = uncertainty_at(g, tag->pin_values, candidate->type);
  candidate->capture_clock = tag->clock_edge;
  candidate->capture_edge = edge;
}

/* Makes a candidate for every clock tag at the check's clock pin. */
static void each_capture(EndMaker *maker, Candidate k, Slot clock, int clock_edge)
{
  Graph *g = maker->g;
  TagSetId set = g->nodes.slot_tags[clock];
  for (uint32_t i = 0; i < tag_set_count(g->tags, set); i++) {
    TagId id = tag_set_tags(g->tags, set)[i];
    const Tag *tag = &g->tags->tags.at[id];
    if (!tag_is_clock(tag)
        || (k.only_clock && clock_edge_clock(tag->clock_edge) + 1 != k.only_clock))
      continue;
    /* a clock's edge reaches the pin as itself only when the network does not invert */
    if (!(g->nodes.edges[g->nodes.first[clock] + i] >> clock_edge & 1)) continue;
    ends_capture(maker, &k, clock, i, clock_edge);
    ends_each_data_tag(maker, k);
  }
}

/* The data of a transparent latch is due before the first closing edge after its launch, and
   compared with the opening edge before that one (which may be the launching edge itself); it may
   borrow up to the closing edge less the setup time, or what set_max_time_borrow says. A check that
   set_disable_timing removes compares nothing. The latch still passes its data on. */
static void add_latch_ends(EndMaker *maker, Candidate k, const Check *check)
{
  k.type = END_LATCH_SETUP;
  k.edges = EDGE_BOTH & ~check->off_edges;
  k.unchecked = check->off;
  each_capture(maker, k, check->clock, !check->clock_edge);
}

static void add_check_ends(EndMaker *maker, CheckId id)
{
  Graph *g = maker->g;
  const Check *check = &g->ends.checks.at[id];
  PathEndType type;
  if (!end_type_of(check, &type) || g->slots.flags[check->data] & SLOT_CONSTANT
      || g->slots.flags[check->clock] & SLOT_CONSTANT)
    return;
  Candidate k = {
    .slot = check->data, .check = id, .type = type, .edges = graph_checked_edges(g, check)
  };
  bool latch = type == END_SETUP && graph_is_latch_data(g, check->data, check->clock);
  if (check->off && !(latch && check->off == ARC_OFF_DISABLED)) return;
  if (latch) add_latch_ends(maker, k, check);
  else each_capture(maker, k, check->clock, check->clock_edge);
}

/* --- clock gating ----------------------------------------------------------------------------- */
/* Value of a function with one port forced and all others unknown. */
typedef struct {
  PortId port;
  int    value;
} Forced;

static int forced_value(void *data, PortId port)
{
  const Forced *forced = data;
  return port == forced->port ? forced->value : 2;
}

/* The value of the clock at which a gate passes the other inputs: 1 for AND-like, 0 for OR-like, -1
   for gates that are neither (multiplexers, XOR). */
static int gating_open_value(const LibrarySet *libs, FunctionId function, PortId clock)
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
  int       open_value;        /* value of the clock pin at which the gate is open */
} Gate;

/* Adds the check of a gate: setup before the edge that opens the gate, hold until the edge that
   closes it. */
static void add_gating_check(EndMaker *maker, const Gate *gate)
{
  Graph *g = maker->g;
  for (int late = 0; late < 2; late++) {
    int clock_edge = (late ? gate->open_value == 1 : gate->open_value == 0) ? RISE : FALL;
    CheckId id = g->ends.checks.len;
    float margin[2] = { 0, 0 };
    for (int edge = RISE; edge <= FALL; edge++)
      margin[edge] = gating_margin(maker->gating, gate->pins, clock_edge_clock(gate->clock),
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
    each_capture(maker, k, gate->pins.clock, clock_edge);
  }
}

/* Adds a check for each clock at the gate, because margins may belong to a clock. */
static void add_gating_ends(EndMaker *maker, GatePins pins, int open_value)
{
  const Graph *g = maker->g;
  TagSetId set = g->nodes.slot_tags[pins.clock];
  for (uint32_t i = 0; i < tag_set_count(g->tags, set); i++) {
    const Tag *tag = &g->tags->tags.at[tag_set_tags(g->tags, set)[i]];
    bool again = !tag_is_clock(tag);
    for (uint32_t k = 0; k < i && !again; k++) {
      const Tag *before = &g->tags->tags.at[tag_set_tags(g->tags, set)[k]];
      again = tag_is_clock(before) &&
        clock_edge_clock(before->clock_edge) == clock_edge_clock(tag->clock_edge);
    }
    if (!again) add_gating_check(maker, &(Gate){ pins, tag->clock_edge, open_value });
  }
}

/* Adds a check for a pair of pins. A gate that is neither AND-like nor OR-like has a check only if
   -high or -low gives the value at which it is open. */
static void infer_check(EndMaker *maker, GatePins pins, int open_value)
{
  int given = gating_open_value_given(maker->gating, pins, open_value);
  if (given < 0) {
    gating_note_shapeless(maker->gating, pins);
    return;
  }
  gating_note(maker->gating, pins);
  if (!gating_is_disabled(maker->gating, pins)) add_gating_ends(maker, pins, given);
}

/* Adds the checks of a cell that gates a clock: one input carries clocks, another only data, and
   the output continues as a clock. */
static void infer_gating(EndMaker *maker, Slot output)
{
  Graph *g = maker->g;
  const LibPort *port = &g->libs->ports.at[g->netlist->pins.at[g->slots.pin[output]].port];
  if (port->function == NO_FUNCTION || !carries(g, output, true)) return;
  for (ArcId a = g->arcs.first[output]; a < g->arcs.first[output + 1]; a++) {
    const LibArc *clock = &g->libs->arcs.at[g->arcs.lib[a]];
    if (!arc_on(g, a) || clock->type != ARC_COMBINATIONAL || !carries(g, g->arcs.from[a], true))
      continue;
    /* an arc of the same pin under another condition */
    if (a > g->arcs.first[output] && g->arcs.from[a - 1] == g->arcs.from[a]) continue;
    int open_value = gating_open_value(g->libs, port->function, clock->from);
    for (ArcId b = g->arcs.first[output]; b < g->arcs.first[output + 1]; b++) {
      Slot enable = g->arcs.from[b];
      bool again = b > g->arcs.first[output] && g->arcs.from[b - 1] == enable;
      if (again || !arc_on(g, b) || enable == g->arcs.from[a] || carries(g, enable, true) ||
          !carries(g, enable, false))
        continue;
      infer_check(maker, (GatePins){ g->arcs.from[a], enable, output }, open_value);
    }
  }
}

static void infer_all_gating(EndMaker *maker)
{
  Graph *g = maker->g;
  for (uint32_t level = 0; level < g->levels.count; level++)
    for (Slot s = g->levels.first[level]; s < g->levels.loads[level]; s++)
      if (g->arcs.first[s + 1] > g->arcs.first[s] + 1) infer_gating(maker, s);
}

/* --- output delays ---------------------------------------------------------------------------- */

/* The external delay of one analysis, for some data edges. */
typedef struct {
  int  late, edges;
  bool has_source, has_network;           /* does the delay include the source or network
                                             latency? */
} OutputPart;

static float output_latency(const Constraints *c, const PortDelay *delay, OutputPart part,
                            int early_late)
{
  int condition = condition_of(early_late, delay->clock_edge);
  float latency = 0;
  if (!part.has_source && !c->clocks.at[delay->clock].generated)
    latency += clock_source_latency(c, delay->clock, condition);
  if (!part.has_network && delay->reference_pin == NO_PIN)
    latency += clock_network_latency(c, delay->clock, condition);
  return latency;
}

/* Returns the node whose arrival is the capture. The latency of a generated clock is the arrival at
   its first source. */
static NodeId output_capture(const Graph *g, const PortDelay *delay, bool has_source)
{
  if (has_source || !g->constraints->clocks.at[delay->clock].generated) return NO_NODE_ID;
  Slot slot = clock_first_slot(g, delay->clock);
  return slot == NO_SLOT ? NO_NODE_ID
                         : graph_source_node(g, slot, 2 * delay->clock + delay->clock_edge);
}

/* Adds the path ends of an output delay without a clock. It counts only together with path
   delays. */
static void add_unclocked_output(EndMaker *maker, const PortDelay *delay, Slot slot)
{
  for (int late = 0; late < 2; late++) {
    float rise = delay->delay[condition_of(late, RISE)],
          fall = delay->delay[condition_of(late, FALL)];
    int edges = (isnan(rise) ? 0 : EDGE_RISE) | (isnan(fall) ? 0 : EDGE_FALL);
    if (!edges) continue;
    maker->captured[slot] |= captured_bits(late, edges);
    ends_each_data_tag(maker,
                       (Candidate){ .slot = slot,
                                    .check = UINT32_MAX,
                                    .capture = NO_NODE_ID,
                                    .capture_clock = NO_CLOCK_EDGE,
                                    .uncertainty = NO_CLOCK_PIN,
                                    .edges = edges,
                                    .type = late ? END_PATH_MAX : END_PATH_MIN,
                                    .external = { value_or_zero(rise), value_or_zero(fall) } });
  }
}

static void capture_reference(const Graph *g, const PortDelay *delay, Candidate *candidate)
{
  ReferencePoint r = graph_reference(g, delay);
  candidate->uncertainty = uncertainty_at(g, r.pin_values, candidate->type);
  if (r.node == NO_NODE_ID) return;
  candidate->capture = r.node;
  candidate->capture_edge = r.edge;
  candidate->at_source = r.at_source;
  candidate->latency = 0;
}

/* Splits an output delay into data edges with the same included latencies: one part, or two. */
static int output_parts(const PortDelay *delay, int late, OutputPart parts[2])
{
  int count = 0;
  for (int edge = RISE; edge <= FALL; edge++) {
    int k = condition_of(late, edge);
    if (isnan(delay->delay[k])) continue;
    OutputPart s = { late, 1 << edge, delay_has_source(delay, k), delay_has_network(delay, k) };
    bool same = count && parts[0].has_source == s.has_source &&
                parts[0].has_network == s.has_network;
    if (same) parts[0].edges |= s.edges;
    else parts[count++] = s;
  }
  return count;
}

static void add_output_end(EndMaker *maker, const PortDelay *port_delay, Slot slot, OutputPart part)
{
  const Graph *g = maker->g;
  int early_late = graph_capture_side(g, part.late);
  const float *delay = port_delay->delay + condition_of(part.late, RISE);
  Candidate k = { .slot = slot,
                  .check = UINT32_MAX,
                  .capture = output_capture(g, port_delay, part.has_source),
                  .capture_clock = 2 * port_delay->clock + port_delay->clock_edge,
                  .at_source = true,
                  .uncertainty = NO_CLOCK_PIN,
                  .capture_edge = port_delay->clock_edge,
                  .edges = part.edges,
                  .type = part.late ? END_OUTPUT_SETUP : END_OUTPUT_HOLD,
                  .external = { value_or_zero(delay[RISE]), value_or_zero(delay[FALL]) },
                  .latency = output_latency(g->constraints, port_delay, part, early_late) };
  if (!part.has_source) k.shift = clock_capture_shift(g, k.capture_clock, NO_SLOT, early_late);
  if (port_delay->reference_pin != NO_PIN) capture_reference(g, port_delay, &k);
  ends_each_data_tag(maker, k);
}

typedef struct {
  EndMaker *maker;
  const PortDelay *delay;
} OutputDelay;

static void add_output_rows_at(void *data, Slot slot)
{
  const OutputDelay *delay = data;
  EndMaker *maker = delay->maker;
  const PortDelay *port_delay = delay->delay;
  Graph *g = maker->g;
  if (port_delay->clock == NO_CLOCK && exception_has_path_delay(maker->index))
    add_unclocked_output(maker, port_delay, slot);
  if (port_delay->clock == NO_CLOCK || !clock_is_timed(g->constraints, port_delay->clock)) return;
  for (int late = 0; late < 2; late++) {
    OutputPart parts[2];
    int count = output_parts(port_delay, late, parts);
    for (int i = 0; i < count; i++) add_output_end(maker, port_delay, slot, parts[i]);
  }
}

static void add_output_ends(EndMaker *maker, const PortDelay *delay)
{
  OutputDelay x = { maker, delay };
  if (delay->pin != NO_PIN) graph_said_slots(maker->g, delay->pin, false, add_output_rows_at, &x);
}

/* Adds candidates for checks that no clock reaches, because a path delay to their pin includes
   their margin. Returns true if there are any for the analysis. */
static bool add_unclocked_checks(EndMaker *maker, Slot slot, bool late)
{
  const Graph *g = maker->g;
  bool any = false;
  for (uint32_t i = g->ends.first_check[slot]; i < g->ends.first_check[slot + 1]; i++) {
    CheckId id = g->ends.check_order[i];
    const Check *check = &g->ends.checks.at[id];
    PathEndType type;
    if (check->lib == NO_LIB_ARC || !end_type_of(check, &type) || path_end_is_late(type) != late)
      continue;
    if (type != END_SETUP && type != END_HOLD && type != END_RECOVERY && type != END_REMOVAL)
      continue;
    if (check->off) continue;
    any = true;
    if (g->slots.flags[check->clock] & SLOT_CONSTANT) continue;
    ends_each_data_tag(maker, (Candidate){ .slot = slot,
                                           .check = id,
                                           .capture = NO_NODE_ID,
                                           .capture_clock = NO_CLOCK_EDGE,
                                           .capture_edge = check->clock_edge,
                                           .uncertainty = NO_CLOCK_PIN,
                                           .edges = graph_checked_edges(g, check),
                                           .type = type });
  }
  return any;
}

/* Adds the path ends of path delays at a slot without checks, for the edges that have no output
   delay. */
static void add_bare_end(EndMaker *maker, Slot slot, bool late)
{
  int edges = EDGE_BOTH & ~(maker->captured[slot] >> (late ? 2 : 0));
  if (!edges || (edges == EDGE_BOTH && add_unclocked_checks(maker, slot, late))) return;
  ends_each_data_tag(maker, (Candidate){ .slot = slot,
                                         .check = UINT32_MAX,
                                         .capture = NO_NODE_ID,
                                         .capture_clock = NO_CLOCK_EDGE,
                                         .uncertainty = NO_CLOCK_PIN,
                                         .edges = edges,
                                         .type = late ? END_PATH_MAX : END_PATH_MIN });
}

/* Adds the path ends at which only path delays can end: outputs without an output delay, checks
   without a clock, and pins inside paths. */
static void add_path_delay_ends(EndMaker *maker)
{
  Graph *g = maker->g;
  if (!exception_has_path_delay(maker->index)) return;
  for (Slot slot = 0; slot < g->slots.count; slot++) {
    bool output = g->slots.flags[slot] & SLOT_PORT && !slot_is_driver(g, slot),
      inner = exception_cut(maker->index, slot) & CUT_END;
    if (!output && !inner && g->ends.first_check[slot + 1] == g->ends.first_check[slot]) continue;
    for (int late = 0; late < 2; late++) add_bare_end(maker, slot, late);
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

void build_path_ends(Graph *g, const ExceptionIndex *index, Log *log)
{
  EndMaker r = { .g = g,
                 .index = index,
                 .log = log,
                 .warned = map_new(),
                 .details = map_new(),
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
