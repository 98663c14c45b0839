/* End points: every comparison of a data arrival with a capturing clock or a delay. */
#include <math.h>
#include <stdlib.h>

#include "graph/build.h"
#include "graph/clocks.h"

typedef struct {
  Graph *g;
  const ExceptionIndex *x;
  Map *details;                 /* hash of a RowDetail -> index */
  Map *distances;               /* pair of clock edges -> index in distance */
  ARRAY(EdgeDistance) distance;
} Rows;

/* One candidate: a data node against a capturing clock edge at an end point. */
typedef struct {
  Slot      slot;
  NodeId    data;
  TagId     data_tag;
  CheckId   check;
  NodeId    capture;            /* NO_NODE_ID */
  ClockEdge capture_clock;
  int       capture_edge;
  RowType   type;
  float     external[2];        /* added to the late, subtracted from the early side, by data edge */
  float     latency;            /* of an ideal capture */
} Candidate;

static const EdgeDistance *distance_of(Rows *r, ClockEdge launch, ClockEdge capture)
{
  uint64_t key = hash_pair(launch, capture);
  uint32_t i = map_get(r->distances, key);
  if (i == MAP_NO_VALUE) {
    i = r->distance.len;
    array_push(&r->distance, clock_edge_distance(r->g->constraints, launch, capture));
    map_put(r->distances, key, i);
  }
  return &r->distance.at[i];
}

static uint32_t add_detail(Rows *r, const RowDetail *d)
{
  uint64_t key = (uint64_t)hash_bytes((const char *)d, sizeof *d) << 16;
  for (;; key++) {
    uint32_t i = map_get(r->details, key);
    if (i == MAP_NO_VALUE) break;
    if (memcmp(&r->g->row_details.at[i], d, sizeof *d) == 0) return i;
  }
  array_push(&r->g->row_details, *d);
  map_put(r->details, key, r->g->row_details.len - 1);
  return r->g->row_details.len - 1;
}

/* What multicycles add to capture minus launch.  Setup: (n - 1) periods, of the capturing clock unless -start.
   Hold: the setup move goes along, then n periods back, of the launching clock unless -end. */
static double cycles_moved(const Rows *r, const PathExceptions *pe, ClockEdge launch, ClockEdge capture, bool late)
{
  const Constraints *c = r->g->constraints;
  double start = launch == NO_CLOCK_EDGE ? 0 : c->clocks.at[clock_edge_clock(launch)].period;
  double end = c->clocks.at[clock_edge_clock(capture)].period;
  double moved = 0;
  if (pe->multicycle[SETUP] != NO_EXCEPTION) {
    const Exception *e = &c->exceptions.at[pe->multicycle[SETUP]];
    moved += (e->cycles - 1) * (e->cycles_side_given && e->cycles_of_start ? start : end);
  }
  if (late || pe->multicycle[HOLD] == NO_EXCEPTION) return moved;
  const Exception *e = &c->exceptions.at[pe->multicycle[HOLD]];
  if (e->checks >> SETUP & 1) return moved;           /* one number for both: hold stays with setup */
  return moved - e->cycles * (e->cycles_side_given && !e->cycles_of_start ? end : start);
}

static void push_row(Rows *r, const Candidate *k, int edges, const float *offset, const RowDetail *detail)
{
  array_push(&r->g->rows, (Row){ .data = k->data, .capture = detail->path_delay && k->capture == NO_NODE_ID ? NO_NODE_ID : k->capture,
    .check = k->check, .slot = k->slot, .offset = { offset[0], offset[1] }, .type = (uint8_t)k->type,
    .capture_edge = (uint8_t)k->capture_edge, .edges = (uint8_t)edges, .capture_clock = k->capture_clock, .detail = add_detail(r, detail) });
}

static float value_or_zero(float x) { return isnan(x) ? 0 : x; }

/* Fills offset and detail for a candidate with a capturing clock. */
static void clocked_offset(Rows *r, const Candidate *k, const PathExceptions *pe, float *offset, RowDetail *d)
{
  bool late = row_is_late(k->type);
  ClockEdge launch = r->g->tags->tags.at[k->data_tag].clock_edge;
  const EdgeDistance *dist = distance_of(r, launch, k->capture_clock);
  double moved = cycles_moved(r, pe, launch, k->capture_clock, late);
  double base = (late ? dist->setup : dist->hold) + moved;
  d->uncertainty = clock_uncertainty(r->g->constraints, launch, k->capture_clock, late ? SETUP : HOLD);
  d->latency = k->latency;
  d->cycles_moved = (float)moved;
  d->launch_time = dist->launch;
  d->capture_time = dist->launch + base;
  d->exception = pe->multicycle[late ? SETUP : HOLD];
  if (pe->margin != NO_EXCEPTION) d->margin = (float)r->g->constraints->exceptions.at[pe->margin].delay;
  float extra = d->latency + (late ? -d->uncertainty - d->margin : d->uncertainty + d->margin);
  for (int edge = RISE; edge <= FALL; edge++) {
    d->external[edge] = k->external[edge];
    offset[edge] = (float)(base + extra - k->external[edge]);
  }
}

/* Fills offset and detail for set_max_delay / set_min_delay: the delay replaces the clocks' distance. */
static void path_delay_offset(Rows *r, const Candidate *k, ExceptionId id, float *offset, RowDetail *d)
{
  const Exception *e = &r->g->constraints->exceptions.at[id];
  ClockEdge launch = r->g->tags->tags.at[k->data_tag].clock_edge;
  d->path_delay = true;
  d->exception = id;
  d->latency = e->ignore_clock_latency ? 0 : k->latency;
  d->launch_time = launch == NO_CLOCK_EDGE ? 0 : clock_edge_time(r->g->constraints, launch);
  d->capture_time = d->launch_time + e->delay;
  for (int edge = RISE; edge <= FALL; edge++) {
    d->external[edge] = k->external[edge];
    offset[edge] = (float)(e->delay + d->latency - k->external[edge]);
  }
}

static PathExceptions exceptions_of(const Rows *r, const Candidate *k, int end_edge)
{
  const Tag *t = &r->g->tags->tags.at[k->data_tag];
  PathEnd end = { t->clock_edge, k->capture_clock, t->state, r->g->slot_pin[k->slot], end_edge, row_is_late(k->type) ? SETUP : HOLD };
  return exception_at_end(r->x, r->g->tags, &end);
}

/* Adds the rows of a candidate for the data edges in the mask. */
static void add_edges(Rows *r, Candidate k, int edges)
{
  PathExceptions pe = exceptions_of(r, &k, edges & EDGE_RISE ? RISE : FALL);
  if (pe.is_false) return;
  ClockEdge launch = r->g->tags->tags.at[k.data_tag].clock_edge;
  bool late = row_is_late(k.type);
  ExceptionId delay = late ? pe.max_delay : pe.min_delay;
  float offset[2];
  RowDetail d;
  memset(&d, 0, sizeof d);
  d.exception = NO_EXCEPTION;
  if (delay != NO_EXCEPTION) {
    if (r->g->constraints->exceptions.at[delay].ignore_clock_latency) k.capture = NO_NODE_ID;
    path_delay_offset(r, &k, delay, offset, &d);
    if (k.check == UINT32_MAX) k.type = late ? ROW_PATH_MAX : ROW_PATH_MIN;
  } else {
    if (launch == NO_CLOCK_EDGE || k.capture_clock == NO_CLOCK_EDGE) return;
    if (clocks_exclusive(r->g->constraints, clock_edge_clock(launch), clock_edge_clock(k.capture_clock))) return;
    clocked_offset(r, &k, &pe, offset, &d);
  }
  push_row(r, &k, edges, offset, &d);
}

static void add_candidate(Rows *r, const Candidate *k)
{
  if (!exception_end_edges_matter(r->x)) {
    add_edges(r, *k, EDGE_BOTH);
    return;
  }
  add_edges(r, *k, EDGE_RISE);
  add_edges(r, *k, EDGE_FALL);
}

/* A candidate for every data tag at the slot. */
static void each_data_tag(Rows *r, Candidate k)
{
  Graph *g = r->g;
  TagSetId set = g->slot_tags[k.slot];
  for (uint32_t i = 0; i < tag_set_count(g->tags, set); i++) {
    k.data = g->node_first[k.slot] + i;
    k.data_tag = tag_set_tags(g->tags, set)[i];
    add_candidate(r, &k);
  }
}

/* --- library checks ----------------------------------------------------------------------------------- */
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

/* A candidate for every clock tag at the check's clock pin. */
static void each_capture(Rows *r, Candidate k, Slot clock, int clock_edge)
{
  Graph *g = r->g;
  TagSetId set = g->slot_tags[clock];
  for (uint32_t i = 0; i < tag_set_count(g->tags, set); i++) {
    TagId id = tag_set_tags(g->tags, set)[i];
    const Tag *t = &g->tags->tags.at[id];
    if (!t->is_clock) continue;
    k.capture_clock = t->clock_edge;
    k.capture_edge = clock_edge;
    if (g->tag_is_ideal[id]) {
      /* an ideal clock reaches the pin on its own edge only when the network does not invert */
      if (!(g->node_edges[g->node_first[clock] + i] >> clock_edge & 1)) continue;
      k.capture = NO_NODE_ID;
      k.latency = g->tag_latency[id][condition_of(row_is_late(k.type) ? EARLY : LATE, clock_edge)];
    } else {
      k.capture = g->node_first[clock] + i;
      k.latency = 0;
    }
    each_data_tag(r, k);
  }
}

static void add_check_rows(Rows *r, CheckId id)
{
  Graph *g = r->g;
  const Check *c = &g->checks.at[id];
  RowType type;
  if (!row_type_of(c, &type) || g->slot_flags[c->data] & SLOT_CONSTANT || g->slot_flags[c->clock] & SLOT_CONSTANT) return;
  Candidate k = { .slot = c->data, .check = id, .type = type };
  each_capture(r, k, c->clock, c->clock_edge);
}

/* --- output delays ------------------------------------------------------------------------------------- */
static float output_latency(const Constraints *c, const PortDelay *d, int early_late)
{
  int condition = condition_of(early_late, d->clock_edge);
  float latency = 0;
  if (!d->source_latency_included) latency += clock_source_latency(c, d->clock, condition);
  if (!d->network_latency_included) latency += clock_network_latency(c, d->clock, condition);
  return latency;
}

static void add_output_rows(Rows *r, const PortDelay *d)
{
  Graph *g = r->g;
  Slot slot = d->pin == NO_PIN ? NO_SLOT : graph_slot(g, d->pin, false);
  if (slot == NO_SLOT || d->clock == NO_CLOCK) return;
  for (int late = 0; late < 2; late++) {
    int rise = condition_of(late, RISE), fall = condition_of(late, FALL);
    if (isnan(d->delay[rise]) && isnan(d->delay[fall])) continue;
    Candidate k = { .slot = slot, .check = UINT32_MAX, .capture = NO_NODE_ID, .capture_clock = 2 * d->clock + d->clock_edge,
      .capture_edge = d->clock_edge, .type = late ? ROW_OUTPUT_SETUP : ROW_OUTPUT_HOLD,
      .external = { value_or_zero(d->delay[rise]), value_or_zero(d->delay[fall]) },
      .latency = output_latency(g->constraints, d, late ? EARLY : LATE) };
    each_data_tag(r, k);
  }
}

/* Outputs without an output delay, where a max/min delay may end. */
static void add_path_delay_rows(Rows *r)
{
  Graph *g = r->g;
  if (!exception_has_path_delay(r->x)) return;
  uint8_t *done = mem_alloc_zero(g->slot_count + 1, 1);
  for (RowId i = 0; i < g->rows.len; i++) done[g->rows.at[i].slot] = 1;
  for (Slot slot = 0; slot < g->slot_count; slot++) {
    bool output = g->slot_flags[slot] & SLOT_PORT && !slot_is_driver(g, slot);
    if (done[slot] || !(output || g->slot_first_check[slot + 1] > g->slot_first_check[slot])) continue;
    for (int late = 0; late < 2; late++)
      each_data_tag(r, (Candidate){ .slot = slot, .check = UINT32_MAX, .capture = NO_NODE_ID, .capture_clock = NO_CLOCK_EDGE,
        .type = late ? ROW_PATH_MAX : ROW_PATH_MIN });
  }
  mem_free(done);
}

/* --- order and indices ------------------------------------------------------------------------------------ */
static void index_checks(Graph *g)
{
  g->slot_first_check = mem_alloc_zero((size_t)g->slot_count + 2, sizeof *g->slot_first_check);
  g->check_order = mem_alloc(sizeof *g->check_order * ((size_t)g->checks.len + 1));
  for (CheckId i = 0; i < g->checks.len; i++) g->slot_first_check[g->checks.at[i].data + 2]++;
  for (Slot s = 1; s <= g->slot_count; s++) g->slot_first_check[s + 1] += g->slot_first_check[s];
  for (CheckId i = 0; i < g->checks.len; i++) g->check_order[g->slot_first_check[g->checks.at[i].data + 1]++] = i;
}

/* Rows by slot, keeping the order in which they were made. */
static void sort_rows(Graph *g)
{
  g->slot_first_row = mem_alloc_zero((size_t)g->slot_count + 2, sizeof *g->slot_first_row);
  for (RowId i = 0; i < g->rows.len; i++) g->slot_first_row[g->rows.at[i].slot + 2]++;
  for (Slot s = 1; s <= g->slot_count; s++) g->slot_first_row[s + 1] += g->slot_first_row[s];
  Row *sorted = mem_alloc(sizeof *sorted * ((size_t)g->rows.len + 1));
  for (RowId i = 0; i < g->rows.len; i++) sorted[g->slot_first_row[g->rows.at[i].slot + 1]++] = g->rows.at[i];
  mem_free(g->rows.at);
  g->rows.at = sorted;
  g->rows.cap = g->rows.len + 1;
}

void build_rows(Graph *g, const ExceptionIndex *x)
{
  Rows r = { .g = g, .x = x, .details = map_new(), .distances = map_new() };
  index_checks(g);
  for (CheckId i = 0; i < g->checks.len; i++) add_check_rows(&r, i);
  for (uint32_t i = 0; i < g->constraints->output_delays.len; i++) add_output_rows(&r, &g->constraints->output_delays.at[i]);
  add_path_delay_rows(&r);
  sort_rows(g);
  map_free(r.details);
  map_free(r.distances);
  array_free(&r.distance);
}
