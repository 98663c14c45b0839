/* Decides for each check whether it was made, and if not, why. */
#include "query/coverage.h"

#include "base/interrupt.h"
#include "graph/clocks/clocks.h"
#include "graph/hierarchy.h"
#include "query/constraint.h"

const char *const untested_names[UNTESTED_COUNT] = {
  "", "constant", "condition is false", "no clock", "no path", "unconstrained start",
    "clocks apart", "false path", "no output delay",
  "set_disable_timing" };

const char *const coverage_kinds[COVERAGE_KINDS] = { [END_SETUP] = "setup",
                                                     [END_HOLD] = "hold",
                                                     [END_RECOVERY] = "recovery",
                                                     [END_REMOVAL] = "removal",
                                                     [END_GATING_SETUP] = "clock gating setup",
                                                     [END_GATING_HOLD] = "clock gating hold",
                                                     [END_OUTPUT_SETUP] = "output setup",
                                                     [END_OUTPUT_HOLD] = "output hold",
                                                     [END_LATCH_SETUP] = "latch setup",
                                                     [END_PATH_MAX] = "maximum delay",
                                                     [END_PATH_MIN] = "minimum delay",
                                                     [END_DATA_SETUP] = "data setup",
                                                     [END_DATA_HOLD] = "data hold",
                                                     [END_NOCHANGE_SETUP] = "no-change setup",
                                                     [END_NOCHANGE_HOLD] = "no-change hold",
                                                     [COVERAGE_PULSE_WIDTH] = "pulse width",
                                                     [COVERAGE_MIN_PERIOD] = "period",
                                                     [COVERAGE_MAX_SKEW] = "skew" };

typedef struct {
  const Timing *t;
  const Graph  *g;
  void (*visit)(void *, const Coverage *);
  void *data;
  ARRAY(uint8_t) done;          /* path ends of the slot at hand */
} Cover;

static void take_path_end(const Timing *t, PathEndId id, Coverage *coverage)
{
  for (int edge = RISE; edge <= FALL; edge++) {
    float slack = t->end_slack[id].v[edge];
    if (slack > 1e29f) continue;
    if (coverage->covered == COVERED_NOT || slack < coverage->slack) coverage->slack = slack;
    coverage->covered = coverage->slack < 0 ? COVERED_VIOLATED : COVERED_MET;
  }
}

static bool has_tag(const Graph *g, Slot s, bool clock)
{
  const TagId *tags = tag_set_tags(g->tags, g->nodes.slot_tags[s]);
  for (uint32_t i = 0; i < tag_set_count(g->tags, g->nodes.slot_tags[s]); i++)
    if (!tag_is_hidden(&g->tags->tags.at[tags[i]]) && g->tags->tags.at[tags[i]].is_clock == clock)
      return true;
  return false;
}

static bool has_launched_data(const Graph *g, Slot s)
{
  const TagId *tags = tag_set_tags(g->tags, g->nodes.slot_tags[s]);
  for (uint32_t i = 0; i < tag_set_count(g->tags, g->nodes.slot_tags[s]); i++) {
    const Tag *tag = &g->tags->tags.at[tags[i]];
    if (tag->clock_edge != NO_CLOCK_EDGE && !tag_is_hidden(tag)) return true;
  }
  return false;
}

/* Returns true if a launching clock at the data meets a clock at the other pin. */
static bool clocks_meet(const Graph *g, Slot data, Slot clock)
{
  const TagId *a = tag_set_tags(g->tags, g->nodes.slot_tags[data]),
              *b = tag_set_tags(g->tags, g->nodes.slot_tags[clock]);
  for (uint32_t i = 0; i < tag_set_count(g->tags, g->nodes.slot_tags[data]); i++)
    for (uint32_t k = 0; k < tag_set_count(g->tags, g->nodes.slot_tags[clock]); k++) {
      ClockEdge launch = g->tags->tags.at[a[i]].clock_edge,
                capture = g->tags->tags.at[b[k]].clock_edge;
      if (launch == NO_CLOCK_EDGE || capture == NO_CLOCK_EDGE) continue;
      if (!clocks_exclusive(g->constraints, clock_edge_clock(launch), clock_edge_clock(capture)))
        return true;
    }
  return false;
}

/* reference: the other pin is data too. */
static Untested why_not(const Graph *g, Slot data, Slot clock, bool reference)
{
  if (g->slots.flags[data] & SLOT_CONSTANT
      || (clock != NO_SLOT && g->slots.flags[clock] & SLOT_CONSTANT))
    return UNTESTED_CONSTANT;
  if (clock != NO_SLOT && !(reference ? has_launched_data(g, clock) : has_tag(g, clock, true)))
    return UNTESTED_NO_CLOCK;
  if (g->nodes.first[data + 1] == g->nodes.first[data]) return UNTESTED_NO_PATH;
  if (!has_launched_data(g, data)) return UNTESTED_UNCONSTRAINED;
  if (clock != NO_SLOT && !clocks_meet(g, data, clock)) return UNTESTED_CLOCKS;
  return UNTESTED_EXCEPTION;
}

static bool kind_of(const Check *check, uint8_t *type)
{
  switch (check->type) {
    case ARC_SETUP: *type = END_SETUP; return true;
    case ARC_HOLD: *type = END_HOLD; return true;
    case ARC_RECOVERY: *type = END_RECOVERY; return true;
    case ARC_REMOVAL: *type = END_REMOVAL; return true;
    case ARC_NON_SEQ_SETUP: *type = END_DATA_SETUP; return true;
    case ARC_NON_SEQ_HOLD: *type = END_DATA_HOLD; return true;
    case ARC_NOCHANGE:
    case ARC_NOCHANGE_LOW:
      *type = check_is_early(check) ? END_NOCHANGE_HOLD : END_NOCHANGE_SETUP;
      return true;
    case ARC_OTHER:
      *type = check->gating_hold ? END_GATING_HOLD : END_GATING_SETUP;
      return check->lib == NO_LIB_ARC;
    default: return false;
  }
}

static bool same_check(const Check *a, const Check *b)
{
  return a->clock == b->clock && a->type == b->type && a->clock_edge == b->clock_edge
         && (a->lib == NO_LIB_ARC) == (b->lib == NO_LIB_ARC);
}

/* Rows of any of the slot's checks that are the same check under other conditions. */
static void take_check(Cover *cover, Slot s, const Check *check, Coverage *coverage)
{
  const Graph *g = cover->g;
  for (PathEndId id = g->ends.first_end[s]; id < g->ends.first_end[s + 1]; id++) {
    const PathEnd *end = &g->ends.path_ends.at[id];
    if (end->check == UINT32_MAX || !same_check(check, &g->ends.checks.at[end->check])) continue;
    coverage->kind = end->type;
    cover->done.at[id - g->ends.first_end[s]] = 1;
    take_path_end(cover->t, id, coverage);
  }
}

static bool seen_before(const Graph *g, Slot s, uint32_t at)
{
  for (uint32_t i = g->ends.first_check[s]; i < at; i++)
    if (same_check(&g->ends.checks.at[g->ends.check_order[i]],
                   &g->ends.checks.at[g->ends.check_order[at]]))
      return true;
  return false;
}

/* Why all variants of the check are off: ARC_OFF_...; 0: they are not. */
static uint8_t all_off(const Graph *g, Slot s, uint32_t at)
{
  uint8_t why = 0;
  for (uint32_t i = at; i < g->ends.first_check[s + 1]; i++) {
    const Check *check = &g->ends.checks.at[g->ends.check_order[i]];
    if (!same_check(check, &g->ends.checks.at[g->ends.check_order[at]])) continue;
    if (!check->off) return 0;
    why |= check->off;
  }
  return why;
}

static Untested why_check_not(const Graph *g, Slot s, uint32_t at)
{
  const Check *check = &g->ends.checks.at[g->ends.check_order[at]];
  uint8_t off = all_off(g, s, at);
  if (off) return off & ARC_OFF_DISABLED ? UNTESTED_DISABLED : UNTESTED_CONDITION;
  return why_not(g, s, check->clock,
                 check->type == ARC_NON_SEQ_SETUP || check->type == ARC_NON_SEQ_HOLD);
}

static void cover_checks(Cover *cover, Slot s)
{
  const Graph *g = cover->g;
  for (uint32_t i = g->ends.first_check[s]; i < g->ends.first_check[s + 1]; i++) {
    const Check *check = &g->ends.checks.at[g->ends.check_order[i]];
    Coverage k = { .slot = s, .clock = check->clock, .covered = COVERED_NOT };
    if (seen_before(g, s, i) || (!kind_of(check, &k.kind) && check->lib != NO_LIB_ARC)) continue;
    take_check(cover, s, check, &k);
    /* an inferred gating check that compares nothing, but not because it is switched off */
    if (k.covered == COVERED_NOT && check->type == ARC_OTHER && !all_off(g, s, i)) continue;
    if (k.covered == COVERED_NOT) k.reason = why_check_not(g, s, i);
    cover->visit(cover->data, &k);
  }
}

/* Output delays and path delays: one for each type at the slot. */
static void cover_others(Cover *cover, Slot s)
{
  const Graph *g = cover->g;
  bool output = (g->slots.flags[s] & (SLOT_PORT | SLOT_DRIVER)) == SLOT_PORT, any = false;
  for (PathEndType type = END_SETUP; type < END_TYPE_COUNT; type++) {
    Coverage k = { .kind = (uint8_t)type, .slot = s, .clock = NO_SLOT, .covered = COVERED_NOT };
    bool has = false;
    for (PathEndId id = g->ends.first_end[s]; id < g->ends.first_end[s + 1]; id++) {
      if (g->ends.path_ends.at[id].type != type || cover->done.at[id - g->ends.first_end[s]])
        continue;
      has = true;
      take_path_end(cover->t, id, &k);
    }
    if (!has) continue;
    any = true;
    if (k.covered == COVERED_NOT) k.reason = why_not(g, s, NO_SLOT, false);
    cover->visit(cover->data, &k);
  }
  if (!output || any) return;
  for (PathEndType type = END_OUTPUT_SETUP; type <= END_OUTPUT_HOLD; type++) {
    Coverage k = { .kind = (uint8_t)type, .slot = s, .clock = NO_SLOT, .covered = COVERED_NOT,
      .reason = g->slots.flags[s] & SLOT_CONSTANT ? UNTESTED_CONSTANT : UNTESTED_NO_DELAY };
    for (uint32_t i = 0;
         i < cover->t->constraints->output_delays.len && k.reason == UNTESTED_NO_DELAY; i++)
      if (hierarchy_stands_for(g->netlist, cover->t->constraints->output_delays.at[i].pin,
                               g->slots.pin[s]))
        k.reason = why_not(g, s, NO_SLOT, false);
    cover->visit(cover->data, &k);
  }
}

/* --- clock pins ------------------------------------------------------------------------------- */
/* Limits that were compared: of each pin bit 0 and 1 the high and low pulse, bit 2 the period, bit
   3 the skew. */
typedef struct {
  Cover   *cover;
  uint8_t *tested;
} ClockPins;

static const uint8_t clock_kinds[] = { COVERAGE_PULSE_WIDTH, COVERAGE_PULSE_WIDTH,
                                       COVERAGE_MIN_PERIOD, COVERAGE_MAX_SKEW };

static int limit_of(const Constraint *constraint)
{
  return constraint->kind == CONSTRAINT_PULSE_WIDTH  ? constraint->edge == RISE ? 0 : 1
         : constraint->kind == CONSTRAINT_MIN_PERIOD ? 2
                                                     : 3;
}

static void take_clock_check(void *data, const Constraint *constraint)
{
  ClockPins *pins = data;
  const Graph *g = pins->cover->g;
  int limit = limit_of(constraint);
  pins->tested[constraint->pin] |= (uint8_t)(1u << limit);
  Coverage k = { .kind = clock_kinds[limit],
                 .slot = g->slots.of_pin[constraint->pin],
                 .clock = constraint->reference == NO_PIN ? NO_SLOT
                                                          : g->slots.of_pin[constraint->reference],
                 .covered = constraint->slack < 0 ? COVERED_VIOLATED : COVERED_MET,
                 .slack = (float)constraint->slack };
  pins->cover->visit(pins->cover->data, &k);
}

static void untested_clock_checks(const ClockPins *pins, PinId p)
{
  const Graph *g = pins->cover->g;
  Slot s = g->slots.of_pin[p];
  uint32_t limits = query_clock_limits(pins->cover->t, s, p, ARC_OFF_DISABLED) & ~pins->tested[p],
           on = query_clock_limits(pins->cover->t, s, p, 0);
  for (int i = 0; i < 4; i++) {
    if (!(limits >> i & 1)) continue;
    Coverage k = { .kind = clock_kinds[i], .slot = s, .clock = NO_SLOT, .covered = COVERED_NOT,
      .reason = !(on >> i & 1) ? UNTESTED_DISABLED : g->slots.flags[s] & SLOT_CONSTANT
        ? UNTESTED_CONSTANT : UNTESTED_NO_CLOCK };
    pins->cover->visit(pins->cover->data, &k);
  }
}

static void cover_clock_pins(Cover *cover)
{
  uint32_t pins = cover->g->netlist->pins.len;
  ClockPins x = { cover, mem_alloc_zero((size_t)pins + 1, 1) };
  ConstraintQuery q = { .kinds = 1u << CONSTRAINT_PULSE_WIDTH | 1u << CONSTRAINT_MIN_PERIOD
                                 | 1u << CONSTRAINT_MAX_SKEW };
  query_constraints(cover->t, &q, take_clock_check, &x);
  for (PinId p = 0; p < pins && !interrupt_seen(); p++)
    if (cover->g->slots.of_pin[p] != NO_SLOT) untested_clock_checks(&x, p);
  mem_free(x.tested);
}

void query_coverage(const Timing *t, void (*visit)(void *, const Coverage *), void *data)
{
  Cover v = { .t = t, .g = t->g, .visit = visit, .data = data };
  for (PinId p = 0; p < t->g->netlist->pins.len && !interrupt_seen(); p++) {
    Slot s = t->g->slots.of_pin[p];
    if (s == NO_SLOT) continue;
    array_clear(&v.done);
    array_resize(&v.done, t->g->ends.first_end[s + 1] - t->g->ends.first_end[s]);
    cover_checks(&v, s);
    cover_others(&v, s);
  }
  array_free(&v.done);
  cover_clock_pins(&v);
}
