/* Finds the details of a path: group, clocks, launch, and the terms of its required time. */
#include <math.h>
#include <string.h>

#include "timing/credit.h"
#include "timing/derived.h"
#include "graph/clocks/clocks.h"
#include "graph/hierarchy.h"
#include "paths/path_private.h"
#include "paths/retime.h"
#include "timing/slack.h"

/* --- groups ----------------------------------------------------------------------------------- */
static PathGroup clock_group(const PathEnd *end)
{
  if (end->capture_clock == NO_CLOCK_EDGE) return path_group(GROUP_PATH_DELAY, 0);
  return path_group(GROUP_CLOCK, clock_edge_clock(end->capture_clock));
}

PathGroup path_end_group(const Graph *g, const PathEnd *end)
{
  const PathEndDetail *detail = &g->ends.details.at[end->detail];
  if (detail->group != NO_EXCEPTION) {
    NameId name = g->constraints->exceptions.at[detail->group].group;
    return name == NO_NAME ? path_group(GROUP_DEFAULT, 0) : path_group(GROUP_NAMED, name);
  }
  bool gating = end->type == END_GATING_SETUP || end->type == END_GATING_HOLD;
  if (!detail->path_delay && gating) return path_group(GROUP_GATED_CLOCK, 0);
  if (!detail->path_delay && (end->type == END_RECOVERY || end->type == END_REMOVAL))
    return path_group(GROUP_ASYNCHRONOUS, 0);
  /* a path delay to a checked pin belongs to the pin's clock, unless it ignores the clock */
  bool aside = detail->path_delay
               && (end->check == UINT32_MAX || gating
                   || g->constraints->exceptions.at[detail->exception].ignore_clock_latency);
  return aside ? path_group(GROUP_PATH_DELAY, 0) : clock_group(end);
}

const char *path_group_name(const Timing *t, PathGroup group)
{
  const Names *names = t->g->netlist->names;
  uint32_t id = group & 0x0fffffff;
  switch (group >> 28) {
  case GROUP_PATH_DELAY: return "path delay";
  case GROUP_ASYNCHRONOUS: return "asynchronous";
  case GROUP_GATED_CLOCK: return "gated clock";
  case GROUP_NAMED: return names_text(names, id);
  case GROUP_CLOCK: return names_text(names, t->constraints->clocks.at[id].name);
  case GROUP_DEFAULT: return "default";
  default: return "unconstrained";
  }
}

static bool is_built_in(const char *name)
{
  static const char *const names[] = { "path delay", "asynchronous", "gated clock", "default",
                                       "unconstrained" };
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strcmp(names[i], name) == 0) return true;
  return false;
}

bool path_group_exists(const Timing *t, const char *name)
{
  const Constraints *c = t->constraints;
  const Names *names = t->g->netlist->names;
  if (is_built_in(name)) return true;
  for (uint32_t i = 0; i < c->clocks.len; i++)
    if (c->clocks.at[i].name != NO_NAME
        && strcmp(names_text(names, c->clocks.at[i].name), name) == 0)
      return true;
  for (uint32_t i = 0; i < c->exceptions.len; i++)
    if (c->exceptions.at[i].type == EXC_GROUP && c->exceptions.at[i].group != NO_NAME &&
        strcmp(names_text(names, c->exceptions.at[i].group), name) == 0) return true;
  return false;
}

/* --- launch ----------------------------------------------------------------------------------- */
static const PathEnd *path_end_of(const Timing *t, const Path *path)
{
  return path->end_id == NO_PATH_END ? NULL : &t->g->ends.path_ends.at[path->end_id];
}

static const PathEndDetail *detail_of(const Timing *t, const Path *path)
{
  const PathEnd *end = path_end_of(t, path);
  return end ? &t->g->ends.details.at[end->detail] : NULL;
}

static TagId end_tag(const Timing *t, const PathList *list, const Path *path)
{
  const PathPoint *end = path_end(list, path);
  return graph_node_tag(t->g, end->slot, end->node);
}

ClockEdge path_launch(const Timing *t, const PathList *list, const Path *path)
{
  return t->g->tags->tags.at[end_tag(t, list, path)].clock_edge;
}

double path_launch_time(const Timing *t, const PathList *list, const Path *path)
{
  const PathEndDetail *detail = detail_of(t, path);
  return detail ? detail->launch_time : query_tag_time(t, end_tag(t, list, path));
}

bool path_from_latch(const Timing *t, const PathList *list, const Path *path)
{
  const PathPoint *start = path_start(list, path);
  return path->count > 1 && start[1].kind == LINK_ARC
         && t->g->arcs.flags[start[1].link] & ARC_LATCH;
}

bool path_from_register(const Timing *t, const PathList *list, const Path *path)
{
  const PathPoint *start = path_start(list, path);
  if (path->count < 2 || start[1].kind != LINK_ARC) return false;
  return graph_arc_is_launch(t->g, start[1].link);
}

/* The input delay that a start at a port comes from: of its clock edge, with the arrival that was
   taken (without what a driving cell adds). */
static bool input_delay(const Timing *t, const PathPoint *start, ClockEdge launch, int condition,
                        double *external)
{
  double arrival = start->arrival - timing_drive_delay(t, start->slot, condition);
  const Constraints *c = t->constraints;
  PinId pin = t->g->slots.pin[start->slot];
  double nearest = INFINITY;
  for (uint32_t i = 0; i < c->input_delays.len; i++) {
    const PortDelay *delay = &c->input_delays.at[i];
    if (!hierarchy_stands_for(t->g->netlist, delay->pin, pin) || isnan(delay->delay[condition]))
      continue;
    if ((delay->clock == NO_CLOCK ? NO_CLOCK_EDGE : 2 * delay->clock + delay->clock_edge) != launch)
      continue;
    double latency = 0;
    int k = condition_of(condition / 2, delay->clock_edge);
    if (delay->clock != NO_CLOCK && !delay_has_source(delay, condition))
      latency += clock_source_latency(c, delay->clock, k);
    if (delay->clock != NO_CLOCK && !delay_has_network(delay, condition)
        && delay->reference_pin == NO_PIN)
      latency += clock_network_latency(c, delay->clock, k);
    double off = fabs(latency + delay->delay[condition] - arrival);
    if (off >= nearest) continue;
    nearest = off;
    *external = delay->delay[condition];
  }
  return !isinf(nearest);
}

/* Opening of the latch and what its data comes after it. */
static PathLaunch latch_launch(const Timing *t, const PathList *list, const Path *path)
{
  const PathPoint *start = path_start(list, path);
  ClockEdge launch = path_launch(t, list, path);
  PathEndId id = path_latch_end(t, start, start[1].link, launch);
  PathLaunch r = { .latency = start->arrival,
                   .ideal = !t->constraints->clocks.at[clock_edge_clock(launch)].propagated };
  if (id == NO_PATH_END) return r;
  const PathEndDetail *detail = &t->g->ends.details.at[t->g->ends.path_ends.at[id].detail];
  r.latency = timing_latch_times(t, &t->g->ends.path_ends.at[id], start->edge).open
              - (detail->capture_time - detail->launch_time);
  r.given = start->arrival - r.latency;
  return r;
}

PathLaunch path_launch_detail(const Timing *t, const PathList *list, const Path *path)
{
  if (path_from_latch(t, list, path)) return latch_launch(t, list, path);
  const PathPoint *start = path_start(list, path);
  TagId tag = graph_node_tag(t->g, start->slot, start->node);
  ClockEdge launch = t->g->tags->tags.at[tag].clock_edge;
  PathLaunch r = { .latency = start->arrival, .ideal = true };
  if (launch != NO_CLOCK_EDGE)
    r.ideal = !t->constraints->clocks.at[clock_edge_clock(launch)].propagated;
  if (path_from_register(t, list, path)) {
    r.ideal = t->g->by_tag.is_ideal[tag];
    return r;
  }
  r.latency -= timing_drive_delay(t, start->slot, condition_of(path->early_late, start->edge));
  if (t->g->tags->tags.at[tag].is_clock) return r;
  /* at pins inside as well */
  bool given =
      input_delay(t, start, launch, condition_of(path->early_late, start->edge), &r.external);
  r.is_input = given || t->g->slots.flags[start->slot] & SLOT_PORT;
  r.latency -= r.external;
  return r;
}

/* For a path through a latch: takes the launch whose data starts as the path does, and the smallest
   of several. */
static double latch_credit(const Timing *t, const PathList *list, const Path *path,
                           uint32_t capture)
{
  const PathPoint *start = path_start(list, path);
  PathEndId latch = path_latch_end(t, start, start[1].link, path_launch(t, list, path));
  double least = INFINITY;
  if (latch == NO_PATH_END) return 0;
  LatchGivens givens = timing_latch_givens(t, latch, start->edge);
  for (LatchGiven given; timing_latch_next(&givens, &given);)
    if (given.start == start->arrival)
      least = fmin(least, common_leaf_credit(t, given.leaf, capture));
  return isinf(least) ? 0 : least;
}

/* Takes the seed that brings the path's arrival: external delays with different reference pins are
   seeds of one tag. */
static uint32_t seed_leaf(const Timing *t, const PathPoint *start, int early_late)
{
  const Graph *g = t->g;
  TagId tag = graph_node_tag(t->g, start->slot, start->node);
  int condition = condition_of(early_late, start->edge);
  const Seed *first = NULL;
  for (uint32_t i = graph_first_seed(g, start->slot); i < g->starts.seeds.len &&
       g->starts.seeds.at[i].slot == start->slot; i++) {
    const Seed *seed = &g->starts.seeds.at[i];
    if (seed->tag != tag) continue;
    if (timing_seed_arrival(t, seed, condition) == start->arrival) return common_seed_leaf(t, seed);
    if (first == NULL) first = seed;
  }
  return first ? common_seed_leaf(t, first) : 0;
}

uint32_t path_launch_leaf(const Timing *t, const PathList *list, const Path *path)
{
  const PathPoint *start = path_start(list, path);
  if (path_from_register(t, list, path)) return common_leaf(t, start->slot, start->node);
  return path_from_latch(t, list, path) ? 0 : seed_leaf(t, start, path->early_late);
}

/* --- required --------------------------------------------------------------------------------- */
double path_credit_with(const Timing *t, const PathList *list, const Path *path, uint32_t capture)
{
  const PathEnd *end = path_end_of(t, path);
  if (end == NULL || !common_active(t)) return 0;
  if (graph_node_is_clock(t->g, end->slot, end->data))
    return common_leaf_credit(t, common_leaf(t, end->slot, end->data), capture);
  if (path_from_latch(t, list, path)) return latch_credit(t, list, path, capture);
  return common_leaf_credit(t, path_launch_leaf(t, list, path), capture);
}

/* For a latch: takes the closing edge's, if the path is late for that edge. */
static uint32_t capture_leaf(const Timing *t, const PathList *list, const Path *path)
{
  const PathEnd *end = path_end_of(t, path);
  int edge = path_end(list, path)->edge;
  if (end == NULL || !common_active(t)) return 0;
  if (end->type != END_LATCH_SETUP) return common_end_capture(t, end, edge).leaf;
  LatchTimes x = timing_latch_times(t, end, edge);
  if (x.opens == x.closes) return x.opens;
  return latch_is_late(x, (float)(path->arrival - path_credit_with(t, list, path, x.closes)))
             ? x.closes
             : x.opens;
}

double path_credit(const Timing *t, const PathList *list, const Path *path)
{
  return path_credit_with(t, list, path, capture_leaf(t, list, path));
}

float path_latch_required(const Timing *t, const PathEnd *end, int edge, uint32_t capture,
                          float arrival)
{
  LatchTimes x = timing_latch_times(t, end, edge);
  return latch_required(x, capture == x.closes && latch_is_late(x, arrival), arrival);
}

double path_required(const Timing *t, const PathList *list, const Path *path)
{
  bool has;
  if (path->end_id == NO_PATH_END) return NAN;
  const RetimedPath *own = retimed_of(list, path);
  float required = timing_end_required(t, path->end_id, path_end(list, path)->edge, &has);
  if (own) required = own->required;
  double credit = path_credit(t, list, path);
  /* what borrows at a latch is just in time, each path for itself */
  const PathEnd *end = path_end_of(t, path);
  if (end->type == END_LATCH_SETUP)
    required = path_latch_required(t, end, path_end(list, path)->edge, capture_leaf(t, list, path),
                                   (float)(path->arrival - credit));
  return has ? path_launch_time(t, list, path) + required
                   + (path->early_late == LATE ? credit : -credit)
             : NAN;
}

typedef struct {
  RequiredTerm *at;
  uint32_t count;
} Terms;

static void add_term(Terms *terms, TermKind kind, double value)
{
  terms->at[terms->count++] = (RequiredTerm){ kind, value };
}

static void edge_terms(Terms *terms, const PathEndDetail *detail)
{
  if (detail->path_delay) {
    add_term(terms, TERM_PATH_DELAY, detail->capture_time - detail->launch_time);
    return;
  }
  add_term(terms, TERM_CLOCK_EDGE, detail->capture_time - detail->cycles_moved);
  if (detail->cycles_moved != 0) add_term(terms, TERM_MULTICYCLE, detail->cycles_moved);
}

/* Returns true if the capturing clock is ideal at the place where its arrival is read. */
static bool captures_ideal(const Timing *t, const PathEnd *end)
{
  Slot slot = graph_node_slot(t->g, end->capture);
  return t->g->by_tag.is_ideal[graph_node_tag(t->g, slot, end->capture)];
}

static void capture_terms(Terms *terms, const Timing *t, const PathEnd *end,
                          const PathEndDetail *detail, int edge)
{
  bool reference = end->type == END_DATA_SETUP || end->type == END_DATA_HOLD;
  if (reference && end->capture != NO_NODE_ID)
    reference = !graph_node_is_clock(t->g, t->g->ends.checks.at[end->check].clock, end->capture);
  if (end->capture != NO_NODE_ID)
    add_term(terms,
             reference                ? TERM_REFERENCE
             : captures_ideal(t, end) ? TERM_CLOCK_IDEAL
                                      : TERM_CLOCK_PROPAGATED,
             common_end_capture(t, end, edge).arrival + detail->latency);
  else if (end->capture_clock != NO_CLOCK_EDGE && (!detail->path_delay || detail->latency != 0))
    add_term(terms,
             t->constraints->clocks.at[clock_edge_clock(end->capture_clock)].propagated
                 ? TERM_CLOCK_PROPAGATED
                 : TERM_CLOCK_IDEAL,
             detail->latency);
}

uint32_t path_required_terms(const Timing *t, const PathList *list, const Path *path,
                             RequiredTerm *at)
{
  const PathEnd *end = path_end_of(t, path);
  const PathEndDetail *detail = detail_of(t, path);
  Terms terms = { at, 0 };
  if (end == NULL) return 0;
  bool late = path_end_is_late((PathEndType)end->type),
       output = end->type == END_OUTPUT_SETUP || end->type == END_OUTPUT_HOLD;
  int edge = path_end(list, path)->edge;
  edge_terms(&terms, detail);
  capture_terms(&terms, t, end, detail, edge);
  if (detail->uncertainty != 0)
    add_term(&terms, TERM_UNCERTAINTY, late ? -detail->uncertainty : detail->uncertainty);
  if (detail->margin != 0)
    add_term(&terms, TERM_PATH_MARGIN, late ? -detail->margin : detail->margin);
  double credit = path_credit(t, list, path);
  if (credit != 0) add_term(&terms, TERM_COMMON_PATH, late ? credit : -credit);
  if (output || detail->external[edge] != 0)
    add_term(&terms, TERM_OUTPUT_DELAY, -detail->external[edge]);
  float variation = retimed_of(list, path) ? retimed_of(list, path)->variation
                                           : timing_end_variation(t, end, edge);
  if (variation != 0) add_term(&terms, TERM_VARIATION, late ? variation : -variation);
  if (end->check == UINT32_MAX) return terms.count;
  /* the remainder: what the check itself takes */
  double rest = path_required(t, list, path) - (detail->path_delay ? detail->launch_time : 0);
  for (uint32_t i = 0; i < terms.count; i++) rest -= at[i].value;
  add_term(&terms, end->type == END_LATCH_SETUP ? TERM_BORROWED : TERM_CHECK, rest);
  return terms.count;
}
