#include "engine/end_slacks.h"

EndSlacks *end_slacks_new(const Graph *g)
{
  EndSlacks *e = mem_alloc_zero(1, sizeof *e);
  e->g = g;
  return e;
}

void end_slacks_free(EndSlacks *e)
{
  if (e == NULL) return;
  array_free(&e->pins);
  mem_free(e->blocks);
  mem_free(e->stale);
  mem_free(e);
}

static uint32_t block_count(const EndSlacks *e) { return (e->pins.len + END_BLOCK - 1) / END_BLOCK; }

/* A bidirectional pin's rows are asked for at one of its slots, that of the pin. */
static void make(EndSlacks *e)
{
  const Graph *g = e->g;
  if (e->made) return;
  for (PinId p = 0; p < g->pin_count; p++) {
    Slot s = g->pin_slot[p];
    if (s != NO_SLOT && g->slot_first_row[s + 1] > g->slot_first_row[s]) array_push(&e->pins, p);
  }
  e->blocks = mem_alloc_zero(2 * (size_t)block_count(e) + 1, sizeof *e->blocks);
  e->stale = mem_alloc(block_count(e) + 1);
  e->made = true;
  end_slacks_touch_all(e);
}

void end_slacks_touch_all(EndSlacks *e)
{
  if (!e->made) return;
  memset(e->stale, 1, block_count(e));
  e->all = true;
}

void end_slacks_touch(EndSlacks *e, Slot slot)
{
  PinId pin = e->g->slot_pin[slot];
  uint32_t low = 0, high = e->made ? e->pins.len : 0;
  while (low < high) {
    uint32_t middle = (low + high) / 2;
    if (e->pins.at[middle] < pin) low = middle + 1;
    else high = middle;
  }
  if (e->made && low < e->pins.len) e->stale[low / END_BLOCK] = 1;
}

double end_slack(const Timing *t, Slot slot, int early_late)
{
  double worst = INFINITY;
  for (RowId r = t->g->slot_first_row[slot]; r < t->g->slot_first_row[slot + 1]; r++) {
    if (row_is_late((RowType)t->g->rows.at[r].type) != (early_late == LATE)) continue;
    for (int edge = RISE; edge <= FALL; edge++)
      if (t->row_slack[r].v[edge] < 1e29f && t->row_slack[r].v[edge] < worst) worst = t->row_slack[r].v[edge];
  }
  return worst;
}

void slack_summary_add(SlackSummary *s, PinId pin, double slack)
{
  if (isinf(slack)) return;
  s->ends++;
  if (slack < 0) {
    s->violations++;
    s->total += slack;
  }
  if (slack < s->worst) {
    s->worst = slack;
    s->worst_pin = pin;
  }
}

static SlackSummary block_summary(const Timing *t, const EndSlacks *e, uint32_t block, int early_late)
{
  SlackSummary s = slack_summary();
  uint32_t end = (block + 1) * END_BLOCK < e->pins.len ? (block + 1) * END_BLOCK : e->pins.len;
  for (uint32_t i = block * END_BLOCK; i < end; i++) {
    PinId pin = e->pins.at[i];
    slack_summary_add(&s, pin, end_slack(t, e->g->pin_slot[pin], early_late));
  }
  return s;
}

static void refresh(const Timing *t, EndSlacks *e)
{
  uint32_t count = block_count(e);
#pragma omp parallel for schedule(static, 16) num_threads(t->threads) if (e->all && count > 64)
  for (uint32_t b = 0; b < count; b++) {
    if (!e->stale[b]) continue;
    for (int el = EARLY; el <= LATE; el++) e->blocks[2 * b + (uint32_t)el] = block_summary(t, e, b, el);
    e->stale[b] = 0;
  }
  e->all = false;
}

SlackSummary end_slacks_of(const Timing *t, int early_late)
{
  EndSlacks *e = t->ends;
  SlackSummary s = slack_summary();
  make(e);
  refresh(t, e);
  for (uint32_t b = 0; b < block_count(e); b++) {
    const SlackSummary *x = &e->blocks[2 * b + (uint32_t)early_late];
    s.total += x->total;
    s.violations += x->violations;
    s.ends += x->ends;
    if (x->worst >= s.worst) continue;
    s.worst = x->worst;
    s.worst_pin = x->worst_pin;
  }
  return s;
}

const PinId *end_slacks_pins(const Timing *t, uint32_t *count)
{
  make(t->ends);
  *count = t->ends->pins.len;
  return t->ends->pins.at;
}
