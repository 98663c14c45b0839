#include "query/coverage.h"

const char *const untested_names[UNTESTED_COUNT] = {
  "", "constant", "no clock", "no path", "unconstrained start", "false path or clocks apart", "no output delay" };

const char *const coverage_kinds[] = {
  [ROW_SETUP] = "setup", [ROW_HOLD] = "hold", [ROW_RECOVERY] = "recovery", [ROW_REMOVAL] = "removal",
  [ROW_GATING_SETUP] = "clock gating setup", [ROW_GATING_HOLD] = "clock gating hold", [ROW_OUTPUT_SETUP] = "output setup",
  [ROW_OUTPUT_HOLD] = "output hold", [ROW_LATCH_SETUP] = "latch setup", [ROW_PATH_MAX] = "maximum delay",
  [ROW_PATH_MIN] = "minimum delay" };

typedef struct {
  const Timing *t;
  const Graph  *g;
  void (*visit)(void *, const Coverage *);
  void *data;
  ARRAY(uint8_t) done;          /* rows of the slot at hand */
} Cover;

static void take_row(const Timing *t, RowId id, Coverage *c)
{
  for (int edge = RISE; edge <= FALL; edge++) {
    float slack = t->row_slack[id].v[edge];
    if (slack > 1e29f) continue;
    if (c->covered == COVERED_NOT || slack < c->slack) c->slack = slack;
    c->covered = c->slack < 0 ? COVERED_VIOLATED : COVERED_MET;
  }
}

static bool has_tag(const Graph *g, Slot s, bool clock)
{
  const TagId *tags = tag_set_tags(g->tags, g->slot_tags[s]);
  for (uint32_t i = 0; i < tag_set_count(g->tags, g->slot_tags[s]); i++)
    if (!tag_is_hidden(&g->tags->tags.at[tags[i]]) && g->tags->tags.at[tags[i]].is_clock == clock) return true;
  return false;
}

static bool has_launched_data(const Graph *g, Slot s)
{
  const TagId *tags = tag_set_tags(g->tags, g->slot_tags[s]);
  for (uint32_t i = 0; i < tag_set_count(g->tags, g->slot_tags[s]); i++) {
    const Tag *tag = &g->tags->tags.at[tags[i]];
    if (tag->clock_edge != NO_CLOCK_EDGE && !tag_is_hidden(tag)) return true;
  }
  return false;
}

static Untested why_not(const Graph *g, Slot data, Slot clock)
{
  if (g->slot_flags[data] & SLOT_CONSTANT || (clock != NO_SLOT && g->slot_flags[clock] & SLOT_CONSTANT)) return UNTESTED_CONSTANT;
  if (clock != NO_SLOT && !has_tag(g, clock, true)) return UNTESTED_NO_CLOCK;
  if (g->node_first[data + 1] == g->node_first[data]) return UNTESTED_NO_PATH;
  if (!has_launched_data(g, data)) return UNTESTED_UNCONSTRAINED;
  return UNTESTED_EXCEPTION;
}

static bool row_type_of(const Check *c, RowType *type)
{
  switch (c->type) {
    case ARC_SETUP: case ARC_NON_SEQ_SETUP: *type = ROW_SETUP; return true;
    case ARC_HOLD: case ARC_NON_SEQ_HOLD: *type = ROW_HOLD; return true;
    case ARC_RECOVERY: *type = ROW_RECOVERY; return true;
    case ARC_REMOVAL: *type = ROW_REMOVAL; return true;
    default: return false;
  }
}

static bool same_check(const Check *a, const Check *b)
{
  return a->clock == b->clock && a->type == b->type && a->clock_edge == b->clock_edge && (a->lib == NO_LIB_ARC) == (b->lib == NO_LIB_ARC);
}

/* Rows of any of the slot's checks that are the same check under other conditions. */
static void take_check(Cover *v, Slot s, const Check *c, Coverage *k)
{
  const Graph *g = v->g;
  for (RowId id = g->slot_first_row[s]; id < g->slot_first_row[s + 1]; id++) {
    const Row *row = &g->rows.at[id];
    if (row->check == UINT32_MAX || !same_check(c, &g->checks.at[row->check])) continue;
    k->type = (RowType)row->type;
    v->done.at[id - g->slot_first_row[s]] = 1;
    take_row(v->t, id, k);
  }
}

static bool seen_before(const Graph *g, Slot s, uint32_t at)
{
  for (uint32_t i = g->slot_first_check[s]; i < at; i++)
    if (same_check(&g->checks.at[g->check_order[i]], &g->checks.at[g->check_order[at]])) return true;
  return false;
}

static void cover_checks(Cover *v, Slot s)
{
  const Graph *g = v->g;
  for (uint32_t i = g->slot_first_check[s]; i < g->slot_first_check[s + 1]; i++) {
    const Check *c = &g->checks.at[g->check_order[i]];
    Coverage k = { .slot = s, .clock = c->clock, .covered = COVERED_NOT };
    if (seen_before(g, s, i) || (!row_type_of(c, &k.type) && c->lib != NO_LIB_ARC)) continue;
    take_check(v, s, c, &k);
    if (k.covered == COVERED_NOT && c->lib == NO_LIB_ARC) continue;      /* inferred where nothing is to be compared */
    if (k.covered == COVERED_NOT) k.reason = why_not(g, s, c->clock);
    v->visit(v->data, &k);
  }
}

/* Output delays and path delays: one for each type at the slot. */
static void cover_others(Cover *v, Slot s)
{
  const Graph *g = v->g;
  bool output = (g->slot_flags[s] & (SLOT_PORT | SLOT_DRIVER)) == SLOT_PORT, any = false;
  for (RowType type = ROW_SETUP; type <= ROW_PATH_MIN; type++) {
    Coverage k = { .type = type, .slot = s, .clock = NO_SLOT, .covered = COVERED_NOT };
    bool has = false;
    for (RowId id = g->slot_first_row[s]; id < g->slot_first_row[s + 1]; id++) {
      if (g->rows.at[id].type != type || v->done.at[id - g->slot_first_row[s]]) continue;
      has = true;
      take_row(v->t, id, &k);
    }
    if (!has) continue;
    any = true;
    if (k.covered == COVERED_NOT) k.reason = why_not(g, s, NO_SLOT);
    v->visit(v->data, &k);
  }
  if (!output || any) return;
  for (RowType type = ROW_OUTPUT_SETUP; type <= ROW_OUTPUT_HOLD; type++) {
    Coverage k = { .type = type, .slot = s, .clock = NO_SLOT, .covered = COVERED_NOT,
      .reason = g->slot_flags[s] & SLOT_CONSTANT ? UNTESTED_CONSTANT : UNTESTED_NO_DELAY };
    for (uint32_t i = 0; i < v->t->constraints->output_delays.len && k.reason == UNTESTED_NO_DELAY; i++)
      if (v->t->constraints->output_delays.at[i].pin == g->slot_pin[s]) k.reason = why_not(g, s, NO_SLOT);
    v->visit(v->data, &k);
  }
}

void query_coverage(const Timing *t, void (*visit)(void *, const Coverage *), void *data)
{
  Cover v = { .t = t, .g = t->g, .visit = visit, .data = data };
  for (PinId p = 0; p < t->g->netlist->pins.len; p++) {
    Slot s = t->g->pin_slot[p];
    if (s == NO_SLOT) continue;
    array_clear(&v.done);
    array_resize(&v.done, t->g->slot_first_row[s + 1] - t->g->slot_first_row[s]);
    cover_checks(&v, s);
    cover_others(&v, s);
  }
  array_free(&v.done);
}
