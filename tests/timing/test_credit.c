/* Slacks with common path credit against every path of random small designs. */
#include <math.h>
#include <stdlib.h>

#include "timing/credit.h"
#include "cpu/cpu.h"
#include "paths/path.h"
#include "timing/slack.h"
#include "tests/small.h"
#include "tests/unit.h"

static const CommonOptions of_paths = { .on = true },
                           of_ends = { .on = true, .required = COMMON_BY_ENDS };
static const CommonOptions of_drivers = { .on = true, .drivers_only = true };

/* --- every path ------------------------------------------------------------------------------- */
enum { MOST_SLOTS = 400, MOST_LINKS = 64 };

/* What one path brings. */
typedef struct {
  double    arrival;
  Slot      slot;
  ClockEdge edge;
} Launched;
typedef ARRAY(Launched) LaunchedList;

/* A path from the last latch on, end first, with the worst of its slacks. */
typedef struct {
  Slot     chain[MOST_LINKS];
  int      condition[MOST_LINKS];
  uint32_t links;
  double   slack;
} ListedPath;
typedef ARRAY(ListedPath) ListedPaths;

typedef struct {
  const Timing *t;
  const Graph  *g;
  bool drivers_only;
  Slot    divider;                           /* its clock pin; NO_SLOT */
  uint8_t passes[MOST_SLOTS][MOST_SLOTS];    /* clock slot, slot: on every way from the source */
  double  end_slack[2];                      /* of the path end at work, by data edge */
  double  slack[MOST_SLOTS][CONDITION_COUNT];
  /* the path at work, end first */
  Slot    chain[MOST_LINKS];
  int     chain_condition[MOST_LINKS];
  uint32_t links;
  /* latches on it, with the delay from there on */
  struct { const PathEnd *end; int edge; double after; uint32_t links; } crossed[MOST_LINKS];
  uint32_t latches;
  uint32_t borrowed;                         /* paths through latches */
  uint32_t parted;                           /* paths too late for a latch that have another credit
                                                with its closing edge */
  const PathEnd *end;
  float   required;
  /* what captures: a clock pin, or where the reference of a check between data was launched;
     NO_SLOT */
  Slot      capture;
  ClockEdge capture_edge;
  LaunchedList *references;                  /* paths go here instead */
  ListedPaths *listed;                       /* paths to a latch go here as well; NULL */
} Brute;

static bool is_clock_slot(const Graph *g, Slot s)
{
  return g->nodes.first[s + 1] > g->nodes.first[s] && graph_node_is_clock(g, s, g->nodes.first[s]);
}

static void meet(Brute *brute, Slot s, Slot from, bool *first)
{
  if (!is_clock_slot(brute->g, from)) return;
  for (Slot x = 0; x < brute->g->slots.count; x++)
    brute->passes[s][x] =
        *first ? brute->passes[from][x] : brute->passes[s][x] & brute->passes[from][x];
  *first = false;
}

static void find_passes(Brute *brute)
{
  const Graph *g = brute->g;
  for (Slot s = 0; s < g->slots.count; s++) {
    bool first = true;
    if (!is_clock_slot(g, s)) continue;
    if (!slot_is_driver(g, s)) meet(brute, s, g->nets.wire_driver[s], &first);
    else
      for (ArcId a = g->arcs.first[s]; a < g->arcs.first[s + 1]; a++)
        meet(brute, s, g->arcs.from[a], &first);
    brute->passes[s][s] = 1;
  }
}

static const Tag *brute_tag(const Brute *brute, Slot s, NodeId n)
{
  return &brute->g->tags->tags.at[graph_node_tag(brute->g, s, n)];
}

static bool passes_as(const Brute *brute, Slot s, ClockEdge edge)
{
  for (NodeId n = brute->g->nodes.first[s]; n < brute->g->nodes.first[s + 1]; n++)
    if (tag_is_clock(brute_tag(brute, s, n)) && brute_tag(brute, s, n)->clock_edge == edge)
      return true;
  return false;
}

/* With which edge a clock passes a slot: its own, or before the divider the one that the divider
   triggers at: the rising one where both do. */
static ClockEdge edge_at(const Brute *brute, Slot s, ClockEdge edge)
{
  if (passes_as(brute, s, edge)) return edge;
  Slot pin = brute->divider;
  ClockEdge found = NO_CLOCK_EDGE;
  for (NodeId n = brute->g->nodes.first[pin]; n < brute->g->nodes.first[pin + 1]; n++)
    if (brute->g->nodes.edges[n] >> RISE & 1 && brute_tag(brute, pin, n)->clock_edge < found)
      found = brute_tag(brute, pin, n)->clock_edge;
  return found;
}

/* Late less early arrival of a clock's edge at a slot. */
static double clock_difference(const Brute *brute, Slot s, ClockEdge edge)
{
  double least = INFINITY;
  if (edge == NO_CLOCK_EDGE) return 0;
  for (NodeId n = brute->g->nodes.first[s]; n < brute->g->nodes.first[s + 1]; n++) {
    if (!tag_is_clock(brute_tag(brute, s, n)) || brute_tag(brute, s, n)->clock_edge != edge)
      continue;
    for (int e = RISE; e <= FALL; e++) {
      float late = brute->t->arrival[n].v[condition_of(LATE, e)],
            early = brute->t->arrival[n].v[condition_of(EARLY, e)];
      if (!time_absent(late) && late - early < least) least = late - early;
    }
  }
  return least;
}

/* At the last pin, or driver, that all ways to both pass. */
static double slow_credit(const Brute *brute, Slot capture, ClockEdge capture_edge, Slot launch,
                          ClockEdge launch_edge)
{
  if (capture == NO_SLOT || capture_edge == NO_CLOCK_EDGE || launch_edge == NO_CLOCK_EDGE) return 0;
  for (Slot x = brute->g->slots.count; x-- > 0;) {
    if ((brute->drivers_only && !slot_is_driver(brute->g, x)) || !brute->passes[launch][x]
        || !brute->passes[capture][x])
      continue;
    double own = clock_difference(brute, x, edge_at(brute, x, launch_edge)),
           other = clock_difference(brute, x, edge_at(brute, x, capture_edge));
    return own < other ? own : other;
  }
  return 0;
}

/* With the opening edge, which decides whether data borrows, or the closing one, which limits
   it. */
static double latch_credit(const Brute *brute, const PathEnd *end, bool closing, Slot launch,
                           ClockEdge launch_edge)
{
  return slow_credit(brute, brute->g->ends.checks.at[end->check].clock,
                     end->capture_clock ^ (ClockEdge)closing, launch, launch_edge);
}

/* Of one path: what borrows is just in time. */
static double latch_slack(Brute *brute, double arrival, Slot launch, ClockEdge launch_edge)
{
  LatchTimes due = timing_latch_times(brute->t, brute->end, brute->chain_condition[0] & 1);
  double after = arrival - latch_credit(brute, brute->end, false, launch, launch_edge) - due.open;
  double late = arrival - latch_credit(brute, brute->end, true, launch, launch_edge) - due.limit;
  if (late > 0 && late > due.open - due.limit) {
    brute->parted += fabs((after + due.open) - (late + due.limit)) > 0.1;
    return -late;
  }
  return after > 0 ? 0 : -after;
}

/* On through the latches: false where one is not yet open. */
static bool pass_latches(const Brute *brute, double *arrival, Slot launch, ClockEdge launch_edge)
{
  for (uint32_t i = brute->latches; i-- > 0;) {
    const PathEnd *end = brute->crossed[i].end;
    const PathEndDetail *detail = &brute->g->ends.details.at[end->detail];
    LatchTimes due = timing_latch_times(brute->t, end, brute->crossed[i].edge);
    if (*arrival - latch_credit(brute, end, false, launch, launch_edge) <= due.open) return false;
    double latest = due.limit + latch_credit(brute, end, true, launch, launch_edge);
    if (*arrival > latest) *arrival = latest;
    *arrival += brute->crossed[i].after - (detail->capture_time - detail->launch_time);
  }
  return true;
}

static void list_path(const Brute *brute, uint32_t links, double slack)
{
  ListedPath p = { .links = links, .slack = slack };
  memcpy(p.chain, brute->chain, links * sizeof *p.chain);
  memcpy(p.condition, brute->chain_condition, links * sizeof *p.condition);
  for (uint32_t i = 0; i < brute->listed->len; i++) {
    ListedPath *path = &brute->listed->at[i];
    if (path->links != links || memcmp(path->chain, p.chain, sizeof p.chain)
        || memcmp(path->condition, p.condition, sizeof p.condition))
      continue;
    if (slack < path->slack) path->slack = slack;
    return;
  }
  array_push(brute->listed, p);
}

/* Pins before a latch have nothing to do with what is behind it: their ends are at the latch. */
static void path_done(Brute *brute, double arrival, Slot launch, ClockEdge launch_edge)
{
  bool late = path_end_is_late((PathEndType)brute->end->type);
  if (brute->references) {
    array_push(brute->references, (Launched){ arrival, launch, launch_edge });
    return;
  }
  if (!pass_latches(brute, &arrival, launch, launch_edge)) return;
  brute->borrowed += brute->latches > 0;
  double slack = late ? brute->required - arrival : arrival - brute->required;
  slack += slow_credit(brute, brute->capture, brute->capture_edge, launch, launch_edge);
  int edge = brute->chain_condition[0] & 1;
  double own = brute->end->type == END_LATCH_SETUP
                   ? latch_slack(brute, arrival, launch, launch_edge)
                   : slack;
  if (own < brute->end_slack[edge]) brute->end_slack[edge] = own;
  if (brute->listed)
    list_path(brute, brute->latches ? brute->crossed[0].links + 1 : brute->links, own);
  for (uint32_t i = 0; i < (brute->latches ? brute->crossed[0].links : brute->links); i++) {
    double *have = &brute->slack[brute->chain[i]][brute->chain_condition[i]];
    if (slack < *have) *have = slack;
  }
}

/* A delay at a port counts from its clock's arrival at a pin, or from a generated clock's at its
   source. */
static Slot counts_from(const Brute *brute, const PortDelay *delay)
{
  Slot at =
      delay->reference_pin == NO_PIN ? NO_SLOT : graph_slot(brute->g, delay->reference_pin, false);
  if (at != NO_SLOT && passes_as(brute, at, 2 * delay->clock + delay->clock_edge)) return at;
  const Clock *clock = &brute->g->constraints->clocks.at[delay->clock];
  return delay->reference_pin == NO_PIN && clock->generated
             ? graph_slot(brute->g, clock->sources.at[0], true)
             : NO_SLOT;
}

static void seed_done(Brute *brute, Slot s, NodeId node, double arrival)
{
  const Constraints *c = brute->g->constraints;
  ClockEdge edge = brute_tag(brute, s, node)->clock_edge;
  Slot launch = NO_SLOT;
  for (uint32_t i = 0; i < c->input_delays.len; i++) {
    const PortDelay *delay = &c->input_delays.at[i];
    if (delay->pin == brute->g->slots.pin[s] && 2 * delay->clock + delay->clock_edge == edge)
      launch = counts_from(brute, delay);
  }
  path_done(brute, arrival, launch, launch == NO_SLOT ? NO_CLOCK_EDGE : edge);
}

static void walk(Brute *brute, Slot s, NodeId node, int condition, double after);

static void walk_arc(Brute *brute, ArcId a, NodeId from, uint8_t mask, int condition, double after)
{
  const Graph *g = brute->g;
  int el = condition >> 1;
  for (uint32_t e = g->arcs.edge_first[a]; e < g->arcs.edge_first[a + 1]; e++) {
    EdgePair p = graph_edge_pair(g, a, e - g->arcs.edge_first[a]);
    if (p.out != (condition & 1) || !(mask >> (2 * p.in + p.out) & 1)) continue;
    double delay = (double)brute->t->edge_delay[e].v[el] * (el == LATE ? 1.15f : 0.8f);
    Slot start = g->arcs.from[a];
    ArcType type = (ArcType)g->libs->arcs.at[g->arcs.lib[a]].type;
    if (type != ARC_CLOCK_RISE && type != ARC_LATCH_ENABLE) {
      walk(brute, start, from, condition_of(el, p.in), after + delay);
      continue;
    }
    float clock = brute->t->arrival[from].v[condition_of(el, p.in)];
    if (time_absent(clock)) continue;
    brute->chain[brute->links] = start;
    brute->chain_condition[brute->links++] = condition_of(el, p.in);
    ClockEdge edge = g->tags->tags.at[graph_node_tag(g, start, from)].clock_edge;
    path_done(brute, clock + delay + after, start, edge);
    brute->links--;
  }
}

static void walk_latch_row(Brute *brute, const Latch *latch, const PathEnd *end, int condition,
                           double after)
{
  const Graph *g = brute->g;
  for (uint32_t e = g->arcs.edge_first[latch->arc]; e < g->arcs.edge_first[latch->arc + 1]; e++) {
    EdgePair p = graph_edge_pair(g, latch->arc, e - g->arcs.edge_first[latch->arc]);
    if (p.out != (condition & 1)) continue;
    double delay = (double)brute->t->edge_delay[e].v[LATE] * 1.15f;
    brute->crossed[brute->latches].end = end;
    brute->crossed[brute->latches].edge = p.in;
    brute->crossed[brute->latches].links = brute->links;
    brute->crossed[brute->latches++].after = after + delay;
    walk(brute, latch->data, end->data, condition_of(LATE, p.in), 0);
    brute->latches--;
  }
}

/* What goes through an open latch to its output, late. */
static void walk_latches(Brute *brute, Slot s, NodeId node, int condition, double after)
{
  const Graph *g = brute->g;
  if (condition >> 1 != LATE) return;
  for (uint32_t i = 0; i < g->arcs.latches.len; i++) {
    const Latch *latch = &g->arcs.latches.at[i];
    for (PathEndId id = g->ends.first_end[latch->data];
         latch->output == s && id < g->ends.first_end[latch->data + 1]; id++) {
      const PathEnd *end = &g->ends.path_ends.at[id];
      if (end->type == END_LATCH_SETUP && end->capture_edge == latch->open_edge
          && end->capture_clock == brute_tag(brute, s, node)->clock_edge)
        walk_latch_row(brute, latch, end, condition, after);
    }
  }
}

/* All ways to a node's condition, with the delay that comes after it. */
static void walk(Brute *brute, Slot s, NodeId node, int condition, double after)
{
  const Graph *g = brute->g;
  brute->chain[brute->links] = s;
  brute->chain_condition[brute->links++] = condition;
  CU_ASSERT_FATAL(brute->links < MOST_LINKS - 1);
  if (g->slots.flags[s] & SLOT_SEED)
    seed_done(brute, s, node, brute->t->arrival[node].v[condition] + after);
  if (!slot_is_driver(g, s)) {
    NodePairs it = node_pairs(g, g->nets.wire_map[s], g->nets.wire_driver[s], s);
    while (node_pairs_next(&it))
      if (it.to == node && !time_absent(brute->t->arrival[it.from].v[condition]))
        walk(brute, g->nets.wire_driver[s], it.from, condition, after);
  } else {
    walk_latches(brute, s, node, condition, after);
    for (ArcId a = g->arcs.first[s]; a < g->arcs.first[s + 1]; a++) {
      if (g->arcs.flags[a] & ARC_LATCH) continue;
      NodePairs it = node_pairs(g, g->arcs.map[a], g->arcs.from[a], s);
      while (node_pairs_next(&it))
        if (it.to == node) walk_arc(brute, a, it.from, it.mask, condition, after);
    }
  }
  brute->links--;
}

static bool near(double a, double b) { return fabs(a - b) < 2e-3; }

/* The path that is shown for the worst slack has it, summed up from what is shown with it. */
static void check_shown(const Brute *brute, PathEndId id, int edge)
{
  PathList list = { 0 };
  query_end_path(brute->t, id, edge, &list);
  CU_ASSERT_FATAL(list.paths.len == 1);
  const Path *path = &list.paths.at[0];
  double slack = path_required(brute->t, &list, path) - path_launch_time(brute->t, &list, path)
                 - path->arrival;
  CU_ASSERT_FATAL(near(path->early_late == LATE ? slack : -slack, brute->t->end_slack[id].v[edge]));
  path_list_free(&list);
}

/* Every path to the data against every path to what it is compared with. */
static void walk_pairs(Brute *brute, int condition)
{
  const PathEnd *end = brute->end;
  LaunchedList references = { 0 };
  Slot reference = brute->g->ends.checks.at[end->check].clock;
  float required = brute->required,
        shown = common_end_capture(brute->t, end, condition & 1).arrival;
  brute->references = &references;
  walk(brute, reference, end->capture,
       condition_of(graph_capture_side(brute->g, condition >> 1), end->time_edge), 0);
  brute->references = NULL;
  for (uint32_t i = 0; i < references.len; i++) {
    brute->capture = references.at[i].slot;
    brute->capture_edge = references.at[i].edge;
    brute->required = (float)(required + references.at[i].arrival - shown);
    walk(brute, end->slot, end->data, condition, 0);
  }
  array_free(&references);
}

/* What a latch requires of pins before it is what its worst data makes it, with the credit of the
   edge that this is compared with. */
static void walk_latch_row_twice(Brute *brute, int condition)
{
  double before[MOST_SLOTS][CONDITION_COUNT];
  memcpy(before, brute->slack, sizeof before);
  walk(brute, brute->end->slot, brute->end->data, condition, 0);
  if (brute->end_slack[condition & 1] >= 0) return;
  memcpy(brute->slack, before, sizeof before);
  brute->capture_edge ^= 1;
  walk(brute, brute->end->slot, brute->end->data, condition, 0);
}

static bool has_data_reference(const Brute *brute)
{
  const PathEnd *end = brute->end;
  if (end->type != END_DATA_SETUP && end->type != END_DATA_HOLD) return false;
  return end->capture != NO_NODE_ID
         && !graph_node_is_clock(brute->g, brute->g->ends.checks.at[end->check].clock,
                                 end->capture);
}

static void check_row(Brute *brute, PathEndId id)
{
  const PathEnd *end = brute->end = &brute->g->ends.path_ends.at[id];
  bool late = path_end_is_late((PathEndType)end->type);
  brute->end_slack[RISE] = brute->end_slack[FALL] = INFINITY;
  for (int edge = RISE; edge <= FALL; edge++) {
    bool has;
    brute->required = timing_end_required(brute->t, id, edge, &has);
    int condition = condition_of(late ? LATE : EARLY, edge);
    if (!has || time_absent(brute->t->arrival[end->data].v[condition])) continue;
    brute->capture = end->capture == NO_NODE_ID ? NO_SLOT : graph_node_slot(brute->g, end->capture);
    brute->capture_edge = end->capture_clock;
    if (has_data_reference(brute)) walk_pairs(brute, condition);
    else if (end->type == END_LATCH_SETUP) walk_latch_row_twice(brute, condition);
    else walk(brute, end->slot, end->data, condition, 0);
    CU_ASSERT_FATAL(near(brute->end_slack[edge], brute->t->end_slack[id].v[edge]));
    check_shown(brute, id, edge);
  }
}

/* Pins inside as well: the worst of all paths through them. */
static void check_pins(const Brute *brute)
{
  for (Slot s = 0; s < brute->g->slots.count; s++)
    for (int k = 0; k < CONDITION_COUNT; k++) {
      PinTime p = query_pin_time(brute->t, s, k);
      if (is_clock_slot(brute->g, s) || isinf(brute->slack[s][k]) == !p.constrained) continue;
      CU_FAIL_FATAL("a pin is constrained for one and not for the other");
    }
  for (Slot s = 0; s < brute->g->slots.count; s++)
    for (int k = 0; k < CONDITION_COUNT; k++)
      if (!is_clock_slot(brute->g, s) && !isinf(brute->slack[s][k]))
        CU_ASSERT_FATAL(near(brute->slack[s][k], query_pin_time(brute->t, s, k).slack));
}

static uint32_t check_design(Small *small, CommonOptions options, CreditKind kind)
{
  Brute *brute = mem_alloc_zero(1, sizeof *brute);
  small_timing(small);
  timer_set_common(small->timer, options);
  brute->t = small_timing(small);
  brute->drivers_only = options.drivers_only;
  brute->g = brute->t->g;
  brute->divider =
      kind == CREDIT_DIVIDED ? graph_slot(brute->g, small_pin(small, "div/CK"), false) : NO_SLOT;
  CU_ASSERT_FATAL(brute->g->slots.count < MOST_SLOTS);
  for (Slot x = 0; x < MOST_SLOTS; x++)
    for (int k = 0; k < CONDITION_COUNT; k++) brute->slack[x][k] = INFINITY;
  find_passes(brute);
  uint32_t credited = 0;
  for (PathEndId r = 0; r < brute->g->ends.path_ends.len; r++) {
    check_row(brute, r);
    credited += brute->g->ends.path_ends.at[r].capture != NO_NODE_ID
                && (kind != CREDIT_LATCHES || (brute->borrowed > 0 && brute->parted > 0));
  }
  check_pins(brute);
  mem_free(brute);
  return credited;
}

/* least: rows that have something in common with their data; of latches those in designs where
   paths are too late for one whose edges have credits of their own. */
static void check_designs(CreditKind kind, uint32_t least)
{
  uint32_t credited = 0;
  for (unsigned seed = 1; seed <= 200; seed++) {
    unsigned state = seed;
    Small *small = credit_design(&state, kind, 1);
    credited += check_design(small, of_paths, kind);
    credited += check_design(small, of_drivers, kind);
    small_free(small);
  }
  CU_ASSERT(credited > least);
}

static void slacks_are_the_worst_of_all_paths(void) { check_designs(CREDIT_PLAIN, 1000); }
static void divided_clocks_share_their_masters_pins(void) { check_designs(CREDIT_DIVIDED, 1000); }
static void data_checks_compare_all_pairs_of_paths(void)
{
  check_designs(CREDIT_DATA_CHECKS, 1000);
}
static void latches_pass_on_who_launched(void) { check_designs(CREDIT_LATCHES, 100); }

/* --- lists of paths --------------------------------------------------------------------------- */
static int by_number(const void *a, const void *b)
{
  return *(const double *)a < *(const double *)b ? -1 : *(const double *)a > *(const double *)b;
}

enum { MOST_LISTED = 20000 };

/* The slacks of all paths to a path end's data, ascending. */
static uint32_t brute_slacks(Brute *brute, PathEndId id, double *slacks, uint32_t most)
{
  ListedPaths list = { 0 };
  brute->end = &brute->g->ends.path_ends.at[id];
  brute->capture = NO_SLOT;
  brute->listed = &list;
  for (int edge = RISE; edge <= FALL; edge++) {
    bool has;
    brute->required = timing_end_required(brute->t, id, edge, &has);
    if (has && !time_absent(brute->t->arrival[brute->end->data].v[condition_of(LATE, edge)]))
      walk(brute, brute->end->slot, brute->end->data, condition_of(LATE, edge), 0);
  }
  brute->listed = NULL;
  uint32_t count = list.len;
  CU_ASSERT_FATAL(count <= most);
  for (uint32_t i = 0; i < count; i++) slacks[i] = list.at[i].slack;
  array_free(&list);
  if (count) qsort(slacks, count, sizeof *slacks, by_number);
  return count;
}

static bool is_behind_latch(Brute *brute, PathEndId id)
{
  static double slacks[MOST_LISTED];
  uint32_t before = brute->borrowed;
  brute_slacks(brute, id, slacks, MOST_LISTED);
  return brute->borrowed > before;
}

/* Each by its own slack: late ones in the order of the closing edge, the others in that of the
   opening one.  Returns whether there are both, of credits that differ. */
static bool check_list(Brute *brute, PathEndId id, bool unique, uint32_t worst)
{
  static double slacks[MOST_LISTED];
  uint32_t parted = brute->parted, count = brute_slacks(brute, id, slacks, MOST_LISTED), found = 0;
  PathList list = { 0 };
  PathQuery q = { .early_late = LATE,
                  .max_paths = MOST_LISTED,
                  .worst = worst,
                  .slack_max = NAN,
                  .slack_min = NAN,
                  .unique = unique };
  array_push(&q.to, (PathObject){ { OBJ_PIN, brute->g->slots.pin[brute->end->slot] },
                                  EDGE_RISE | EDGE_FALL });
  CU_ASSERT_FATAL(query_paths(brute->t, &q, test_log(), &list) == OK);
  for (uint32_t i = 0; i < list.paths.len; i++) {
    const Path *path = &list.paths.at[i];
    if (path->end_id != id) continue;
    double shown = path_required(brute->t, &list, path) - path_launch_time(brute->t, &list, path)
                   - path->arrival;
    CU_ASSERT_FATAL(near(shown, path->slack));
    if (!unique) CU_ASSERT_FATAL(found < count && near(slacks[found], path->slack));
    found++;
  }
  if (!unique && list.paths.len < worst) CU_ASSERT_FATAL(found == count);
  path_list_free(&list);
  path_query_free(&q);
  return brute->parted > parted && count && slacks[count - 1] >= 0;
}

/* Of latches that data comes to straight from registers and inputs: what several launches bring
   through a latch too late for it is followed for the worst of them alone. */
static uint32_t check_lists(Small *small)
{
  uint32_t both = 0;
  Brute *brute = mem_alloc_zero(1, sizeof *brute);
  small_timing(small);
  timer_set_common(small->timer, of_paths);
  brute->t = small_timing(small);
  brute->g = brute->t->g;
  brute->divider = NO_SLOT;
  find_passes(brute);
  for (PathEndId r = 0; r < brute->g->ends.path_ends.len; r++) {
    if (brute->g->ends.path_ends.at[r].type != END_LATCH_SETUP || is_behind_latch(brute, r))
      continue;
    both += check_list(brute, r, false, MOST_LISTED);
    check_list(brute, r, false, 3);
    check_list(brute, r, true, MOST_LISTED);
  }
  mem_free(brute);
  return both;
}

/* A latch that an inverted clock opens, with data from registers at the clock itself over more
   buffers each: the launch has other credits with the latch's two edges, and some comes before it
   opens, some late. */
static Small *latch_of_some_ways(uint32_t ways, double period)
{
  Text t = { 0 };
  text_put(&t, "module top(clk, i0, o);\ninput clk, i0; output o;\nBUF c0(.A(clk), .Y(k0));\nINV "
               "c1(.A(k0), .Y(k1));\n");
  text_put(&t, "wire d0 = i0;\n");
  for (uint32_t i = 0; i < ways; i++) {
    text_printf(&t, "DFF f%u(.CK(%s), .D(i0), .Q(q%u_0));\n", i, i == 1 ? "clk" : "k0", i);
    for (uint32_t k = 0; k < 4 * i; k++)
      text_printf(&t, "BUF b%u_%u(.A(q%u_%u), .Y(q%u_%u));\n", i, k, i, k, i, k + 1);
    text_printf(&t, "XOR2 g%u(.A(d%u), .B(q%u_%u), .Y(d%u));\n", i, i, i, 4 * i, i + 1);
  }
  text_printf(&t, "LAT l(.D(d%u), .G(k1), .Q(o));\nendmodule\n", ways);
  Small *small = small_new(text_get(&t));
  text_free(&t);
  ClockId clock = small_clock(small, "clk", period, 0, period / 2, "clk");
  small->constraints->clocks.at[clock].propagated = true;
  Derate *derate = constraints_derate(small->constraints, (Object){ OBJ_DESIGN, 0 });
  for (int path = 0; path < 2; path++)
    for (int k = 0; k < CONDITION_COUNT; k++)
      derate->factor[DERATE_CELL_DELAY][path][k] = k >> 1 == LATE ? 1.15f : 0.8f;
  derate->factor[DERATE_CELL_DELAY][PATH_CLOCK][condition_of(LATE, FALL)] = 0.9f;
  return small;
}

static void paths_to_latches_stand_in_order(void)
{
  uint32_t both = 0;
  for (unsigned seed = 1; seed <= 100; seed++) {
    unsigned state = seed;
    Small *small = credit_design(&state, CREDIT_LATCHES, 1);
    check_lists(small);
    small_free(small);
  }
  for (uint32_t ways = 2; ways <= 5; ways++)
    for (double period = 40; period <= 300; period += 20) {
      Small *small = latch_of_some_ways(ways, period);
      both += check_lists(small);
      small_free(small);
    }
  CU_ASSERT(both > 20);
}

/* --- updates ---------------------------------------------------------------------------------- */
static bool same_numbers(const Timing *a, const Timing *b)
{
  for (NodeId n = 0; n < a->g->nodes.count; n++)
    for (int k = 0; k < CONDITION_COUNT; k++)
      if (common_required(a, n, k) != common_required(b, n, k)) return false;
  return memcmp(a->arrival, b->arrival, a->g->nodes.count * sizeof *a->arrival) == 0 &&
         memcmp(a->end_slack, b->end_slack, a->g->ends.path_ends.len * sizeof *a->end_slack) == 0;
}

static void check_updates(CommonOptions options)
{
  for (unsigned seed = 1; seed <= 40; seed++) {
    unsigned state = seed;
    Small *small = credit_design(&state, (CreditKind)(seed % 2), 1);
    small_timing(small);
    timer_set_common(small->timer, options);
    for (int i = 0; i < 4; i++) {
      char name[] = { 'g', (char)('0' + rand_r(&state) % 2), 0 };
      InstId inst = small_inst(small, name);
      CellId old = small->netlist->insts.at[inst].master;
      const char *name_of_new = rand_r(&state) % 2 ? "AND2" : "OR2";
      CellId new = library_find_cell(small->libs,
                                     names_find(small->names, name_of_new, strlen(name_of_new)));
      if (new == NO_CELL || netlist_swap_cell(small->netlist, inst, new, small->log) != OK)
        continue;
      timer_cell_swapped(small->timer, inst, old);
      const Timing *t = small_timing(small);
      TimerInput in = { .netlist = small->netlist,
                        .libs = small->libs,
                        .constraints = small->constraints };
      Timer *full = timer_new(&in, small->log);
      full->threads = 2;
      timer_set_common(full, options);
      CU_ASSERT_FATAL(timer_update(full, true) == OK);
      CU_ASSERT(same_numbers(t, full->timing));
      timer_free(full);
    }
    small_free(small);
  }
}

static void updates_in_place_are_full_ones(void)
{
  check_updates(of_paths);
  check_updates(of_ends);
}

/* --- required times that go back from ends ---------------------------------------------------- */
/* Each end point's slack is that of its worst path, which need not be the one that arrives
   worst. */
static void ends_have_the_slack_of_their_worst_path(void)
{
  for (unsigned seed = 1; seed <= 200; seed++) {
    unsigned state = seed;
    Small *small = credit_design(&state, (CreditKind)(seed % 2), 1);
    small_timing(small);
    timer_set_common(small->timer, of_ends);
    const Timing *t = small_timing(small);
    for (Slot slot = 0; slot < t->g->slots.count; slot++) {
      float worst[CONDITION_COUNT] = { 1e30f, 1e30f, 1e30f, 1e30f };
      for (PathEndId r = t->g->ends.first_end[slot]; r < t->g->ends.first_end[slot + 1]; r++) {
        bool late = path_end_is_late((PathEndType)t->g->ends.path_ends.at[r].type);
        for (int edge = RISE; edge <= FALL; edge++) {
          float *have = &worst[condition_of(late ? LATE : EARLY, edge)];
          if (t->end_slack[r].v[edge] < *have) *have = t->end_slack[r].v[edge];
        }
      }
      for (int k = 0; k < CONDITION_COUNT; k++)
        if (worst[k] < 1e30f) CU_ASSERT_FATAL(near(worst[k], query_pin_time(t, slot, k).slack));
    }
    small_free(small);
  }
}

void suite_common(void)
{
  CU_pSuite s = CU_add_suite("common", NULL, NULL);
  CU_add_test(s, "slacks are the worst of all paths", slacks_are_the_worst_of_all_paths);
  CU_add_test(s, "divided clocks share their masters' pins",
              divided_clocks_share_their_masters_pins);
  CU_add_test(s, "latches pass on who launched", latches_pass_on_who_launched);
  CU_add_test(s, "paths to latches stand in order", paths_to_latches_stand_in_order);
  CU_add_test(s, "data checks compare all pairs of paths", data_checks_compare_all_pairs_of_paths);
  CU_add_test(s, "updates in place are full ones", updates_in_place_are_full_ones);
  CU_add_test(s, "ends have the slack of their worst path",
              ends_have_the_slack_of_their_worst_path);
}
