/* Required times: backward over nodes. */
#include "base/pool.h"
#include "timing/credit.h"
#include "cpu/cpu.h"
#include "timing/scaling.h"
#include "timing/sigma.h"

/* --- end points ------------------------------------------------------------------------------------------------ */
/* Time at which the capture side needs or allows the data, before the row's margin; absent where no clock arrives. */
static float capture_time(const Timing *t, const Row *r, int edge)
{
  if (r->capture == NO_NODE_ID) return r->offset[edge];
  float clock = common_row_capture(t, r, edge).arrival;
  return time_absent(clock) ? clock : clock + r->offset[edge];
}

RowData cpu_row_data(const Timing *t, const Row *r, int edge)
{
  int k = condition_of(row_is_late((RowType)r->type) ? LATE : EARLY, edge);
  RowData d = { 0 };
  if (r->check != UINT32_MAX) d.margin = t->check_margin[r->check].v[edge];
  if (r->check != UINT32_MAX && t->check_sigma) d.check_sigma = t->check_sigma[r->check].v[edge];
  if (t->arrival_variance == NULL) return d;
  d.variance = t->arrival_variance[r->data].v[k];
  if (common_active(t)) common_arrival(t, r->slot, r->data, k, common_row_capture(t, r, edge).leaf, &d.launch);
  return d;
}

/* Margins are derated as data: -clock is for the clock network's delays alone. */
static float row_margin(const Timing *t, const Row *r, const RowData *d, int edge, bool late)
{
  if (r->check == UINT32_MAX) return 0;
  return d->margin * timing_derate(t, t->check_derate, r->check, false, condition_of(late ? LATE : EARLY, edge));
}

/* How much later the closing edge comes than the opening edge and the clock's waveform say. */
static float closing_shift(const Timing *t, const Row *r, NodeId close)
{
  if (close == NO_NODE_ID) return 0;
  float closes = t->arrival[close].v[condition_of(EARLY, !r->capture_edge)];
  return time_absent(closes) ? 0 : closes - t->arrival[r->capture].v[condition_of(EARLY, r->capture_edge)];
}

/* Times at a latch stand at their quantiles, and so does its setup time: they are not summed in squares. */
static LatchTimes latch_times(const Timing *t, const Row *r, const RowData *data, int edge)
{
  const RowDetail *d = &t->g->row_details.at[r->detail];
  float margin = d->window_given ? 0 : row_margin(t, r, data, edge, true) + t->quantile * data->check_sigma;
  LatchTimes x = { .open = capture_time(t, r, edge) };
  x.limit = x.open + d->window + closing_shift(t, r, d->close) - margin;
  if (!common_active(t)) return x;
  x.opens = common_row_capture(t, r, edge).leaf;
  x.closes = d->close == NO_NODE_ID ? x.opens : common_leaf_of_clock(t, d->close);
  return x;
}

LatchTimes cpu_latch_times(const Timing *t, const Row *r, int edge)
{
  RowData data = cpu_row_data(t, r, edge);
  return latch_times(t, r, &data, edge);
}

static float arrival_for(const Timing *t, const Row *r, int edge, uint32_t capture)
{
  uint32_t launch;
  return common_arrival(t, r->slot, r->data, condition_of(row_is_late((RowType)r->type) ? LATE : EARLY, edge), capture, &launch);
}

uint32_t cpu_row_leaf(const Timing *t, const Row *r, int edge)
{
  RowData d = { 0 };
  if (r->type == ROW_LATCH_SETUP) d = cpu_row_data(t, r, edge);
  return cpu_row_leaf_of(t, r, edge, &d);
}

uint32_t cpu_row_leaf_of(const Timing *t, const Row *r, int edge, const RowData *d)
{
  if (!common_active(t)) return 0;
  if (r->type != ROW_LATCH_SETUP) return common_row_capture(t, r, edge).leaf;
  LatchTimes x = latch_times(t, r, d, edge);
  return x.opens != x.closes && latch_is_late(x, arrival_for(t, r, edge, x.closes)) ? x.closes : x.opens;
}

float cpu_row_arrival(const Timing *t, const Row *r, int edge) { return arrival_for(t, r, edge, cpu_row_leaf(t, r, edge)); }

/* Data, capture and check vary independently, but for what launching and capturing clock paths have in common, which drops out:
   the slack stands n sqrt(sum of squares) from its mean.  Data and capture already stand at n sigma each. */
float cpu_row_variation_of(const Timing *t, const Row *r, int edge, const RowData *d)
{
  if (t->arrival_variance == NULL || r->type == ROW_LATCH_SETUP) return 0;
  int el = row_is_late((RowType)r->type) ? LATE : EARLY, side = graph_capture_side(t->g, el);
  float data = d->variance, check = d->check_sigma;
  float capture = r->capture == NO_NODE_ID ? 0 : t->arrival_variance[r->capture].v[condition_of(side, r->time_edge)];
  float both = data + capture;
  if (common_active(t)) both -= common_row_variance(t, r, edge, d->launch);
  float spread = sqrtf(data) + (side == el ? -sqrtf(capture) : sqrtf(capture)) - sqrtf((both > 0 ? both : 0) + check * check);
  return t->quantile * spread;
}

float cpu_row_variation(const Timing *t, const Row *r, int edge)
{
  RowData d = cpu_row_data(t, r, edge);
  return cpu_row_variation_of(t, r, edge, &d);
}

static float row_latch_required(const Timing *t, const Row *r, const RowData *d, int edge)
{
  LatchTimes x = latch_times(t, r, d, edge);
  return latch_required(x, latch_is_late(x, arrival_for(t, r, edge, x.closes)), arrival_for(t, r, edge, x.opens));
}

float cpu_row_required_of(const Timing *t, RowId id, int edge, const RowData *d, bool *has)
{
  const Row *r = &t->g->rows.at[id];
  bool late = row_is_late((RowType)r->type);
  *has = false;
  if (!(r->edges >> edge & 1)) return 0;
  float capture = capture_time(t, r, edge);
  if (time_absent(capture)) return 0;
  *has = true;
  if (r->type == ROW_LATCH_SETUP) return row_latch_required(t, r, d, edge);
  float margin = row_margin(t, r, d, edge, late);
  if (t->arrival_variance) margin -= cpu_row_variation_of(t, r, edge, d);
  return late ? capture - margin : capture + margin;
}

float cpu_row_required(const Timing *t, RowId id, int edge, bool *has)
{
  RowData d = cpu_row_data(t, &t->g->rows.at[id], edge);
  return cpu_row_required_of(t, id, edge, &d, has);
}

/* Slack of data that arrives at a time. */
static float slack_of(int early_late, float required, float arrival)
{
  return early_late == LATE ? required - arrival : arrival - required;
}

typedef struct { float raw[CONDITION_COUNT], credited[CONDITION_COUNT]; } WorstSlacks;

float cpu_row_slack(const Timing *t, RowId id, int edge, float *required)
{
  bool has;
  const Row *r = &t->g->rows.at[id];
  *required = cpu_row_required(t, id, edge, &has);
  float arrival = cpu_row_arrival(t, r, edge);
  return has && !time_absent(arrival) ? slack_of(row_is_late((RowType)r->type) ? LATE : EARLY, *required, arrival) : NO_SLACK;
}

static void row_slacks(Timing *t, RowId id, WorstSlacks *worst)
{
  const Row *r = &t->g->rows.at[id];
  int el = row_is_late((RowType)r->type) ? LATE : EARLY;
  for (int edge = RISE; edge <= FALL; edge++) {
    float required, slack = t->row_slack[id].v[edge] = cpu_row_slack(t, id, edge, &required);
    if (slack == NO_SLACK) continue;
    int k = condition_of(el, edge);
    float raw = slack_of(el, required, t->arrival[r->data].v[k]);
    if (slack < worst->credited[k]) worst->credited[k] = slack;
    if (raw < worst->raw[k]) worst->raw[k] = raw;
  }
}

/* Required times before arcs: without credit by leaf, an end has for all its data the credit by which its worst slack gains. */
static void row_requireds(Timing *t, RowId id, const WorstSlacks *worst)
{
  const Row *r = &t->g->rows.at[id];
  int el = row_is_late((RowType)r->type) ? LATE : EARLY;
  for (int edge = RISE; edge <= FALL; edge++) {
    if (t->row_slack[id].v[edge] >= 1e30f) continue;
    bool has;
    float required = cpu_row_required(t, id, edge, &has);
    int k = condition_of(el, edge);
    float gain = worst->credited[k] - worst->raw[k];
    time_tighten(&t->required[r->data].v[k], el, el == LATE ? required + gain : required - gain);
  }
}

static void end_required(Timing *t, Slot slot)
{
  const Graph *g = t->g;
  RowId first = g->slot_first_row[slot], end = g->slot_first_row[slot + 1];
  WorstSlacks worst = { { 1e30f, 1e30f, 1e30f, 1e30f }, { 1e30f, 1e30f, 1e30f, 1e30f } };
  for (RowId id = first; id < end; id++) row_slacks(t, id, &worst);
  if (common_captures(t) || common_pruned(t)) return;       /* cpu_slot_captures */
  for (RowId id = first; id < end; id++) row_requireds(t, id, &worst);
}

/* --- checks: margins from tables (related slew, constrained slew) -------------------------------------------------- */
static float annotated_margin(const Timing *t, const Check *c, int condition, float margin)
{
  Cond4 m = { { margin, margin, margin, margin } };
  overrides_apply(&t->overrides->checks, (uint32_t)(c - t->g->checks.at), m.v);
  return m.v[condition];
}

static float data_slew(const Timing *t, const Check *c, int data_edge, int early_late)
{
  return t->slew[c->data].v[condition_of(early_late, data_edge)];
}

bool cpu_check_margin(const Timing *t, const Check *c, int data_edge, int early_late, float *margin)
{
  return cpu_check_margin_at(t, c, data_edge, early_late, data_slew(t, c, data_edge, early_late), margin);
}

bool cpu_check_margin_at(const Timing *t, const Check *c, int data_edge, int early_late, float slew, float *margin)
{
  const Model *m = t->model;
  *margin = 0;
  if (c->lib == NO_LIB_ARC) {
    *margin = c->margin[data_edge];
    return true;
  }
  LibArcId id = m->arc_for[t->single ? LATE : early_late][c->lib];
  TableId table = m->libs->arcs.at[id].delay[data_edge];
  if (table == NO_TABLE) return false;
  /* Of one pin, a width or a period takes either axis: the related pin's transition is the clock's (at an ideal clock its own), the
     constrained pin's that of the network. */
  bool width = c->type == ARC_MIN_PULSE_WIDTH || c->type == ARC_MIN_PERIOD;
  int network = condition_of(early_late, data_edge);
  int clock_condition = width ? network : condition_of(graph_capture_side(t->g, early_late), c->clock_edge & 1);
  float clock_slew = cpu_input_slew(t, c->clock, true, clock_condition);
  *margin = table_value(timing_check_table(t, c->data, early_late, &m->libs->arcs.at[id], data_edge), clock_slew,
                        width ? t->slew[c->clock].v[network] : slew);
  if (t->overrides && t->overrides->checks.first) *margin = annotated_margin(t, c, condition_of(early_late, data_edge), *margin);
  return true;
}

float cpu_check_sigma(const Timing *t, const Check *c, int data_edge, int early_late)
{
  return cpu_check_sigma_at(t, c, data_edge, early_late, data_slew(t, c, data_edge, early_late));
}

float cpu_check_sigma_at(const Timing *t, const Check *c, int data_edge, int early_late, float slew)
{
  const Model *m = t->model;
  if (c->lib == NO_LIB_ARC) return 0;
  const LibArc *arc = &m->libs->arcs.at[m->arc_for[t->single ? LATE : early_late][c->lib]];
  TableId table = arc->sigma_delay[condition_of(early_late, data_edge)];
  if (table == NO_TABLE || arc->delay[data_edge] == NO_TABLE) return 0;
  float clock_slew = cpu_input_slew(t, c->clock, true, condition_of(graph_capture_side(t->g, early_late), c->clock_edge & 1));
  float sigma = table_value(model_table(m, table), clock_slew, slew);
  return sigma > 0 ? sigma : 0;
}

static int check_analysis(const Check *c) { return check_is_early(c) ? EARLY : LATE; }

static void slot_margins(Timing *t, Slot slot)
{
  const Graph *g = t->g;
  for (uint32_t i = g->slot_first_check[slot]; i < g->slot_first_check[slot + 1]; i++) {
    CheckId id = g->check_order[i];
    for (int edge = RISE; edge <= FALL; edge++) {
      cpu_check_margin(t, &g->checks.at[id], edge, check_analysis(&g->checks.at[id]), &t->check_margin[id].v[edge]);
      if (t->check_sigma) t->check_sigma[id].v[edge] = cpu_check_sigma(t, &g->checks.at[id], edge, check_analysis(&g->checks.at[id]));
    }
  }
}

static void margins_work(void *context, uint32_t step, uint32_t from, uint32_t to, int thread)
{
  (void)step;
  (void)thread;
  for (Slot s = from; s < to; s++) slot_margins(context, s);
}

void cpu_check_margins(Timing *t) { pool_items(t->g->slot_count, 10, t->threads, margins_work, t); }

void cpu_slot_ends(Timing *t, Slot slot)
{
  slot_margins(t, slot);
  end_required(t, slot);
}

static void ends_work(void *context, uint32_t step, uint32_t from, uint32_t to, int thread)
{
  Timing *t = context;
  (void)step;
  (void)thread;
  for (NodeId n = t->g->node_first[from]; n < t->g->node_first[to]; n++) t->required[n] = cond_loosest();
  for (Slot s = from; s < to; s++)
    if (t->g->slot_first_row[s + 1] > t->g->slot_first_row[s]) cpu_slot_ends(t, s);
}

void cpu_end_points(Timing *t) { pool_items(t->g->slot_count, 15, t->threads, ends_work, t); }

/* --- backward ---------------------------------------------------------------------------------------------------------- */
float cpu_left_out(const Timing *t, ArcId a, NodeId from_node, NodeId to_node, int condition)
{
  const Graph *g = t->g;
  if (!g->tag_is_bare[timing_tag(t, g->arc_to[a], to_node)] || !graph_arc_is_launch(g, a)) return 0;
  float arrival = t->arrival[from_node].v[condition];
  return time_absent(arrival) ? 0 : arrival;
}

static void arc_nodes(Timing *t, ArcId a, Slot to, NodeId from_node, NodeId to_node, uint8_t mask)
{
  const Graph *g = t->g;
  bool clock = timing_tells_clocks(t, t->arc_derate) && graph_node_is_clock(g, to, to_node);
  bool launch = graph_arc_is_launch(g, a);
  for (uint32_t e = g->edge_first[a]; e < g->edge_first[a + 1]; e++) {
    EdgePair p = graph_edge_pair(g, a, e - g->edge_first[a]);
    if (!(mask >> (2 * p.in + p.out) & 1)) continue;
    for (int el = EARLY; el <= LATE; el++) {
      int out = condition_of(el, p.out);
      float required = t->required[to_node].v[out];
      if (time_absent(required)) continue;
      float behind = timing_start_variance(t, a, from_node, to_node, condition_of(el, p.in), launch);
      time_tighten(&t->required[from_node].v[condition_of(el, p.in)], el,
                   required - timing_edge_delay(t, a, e, clock, out, behind) + cpu_left_out(t, a, from_node, to_node, condition_of(el, p.in)));
    }
  }
}

/* From the arcs that start at a slot (a load, or a driver that other outputs of its cell follow). */
static void out_required(Timing *t, Slot slot)
{
  const Graph *g = t->g;
  for (uint32_t i = g->out_first[slot]; i < g->out_first[slot + 1]; i++) {
    ArcId a = g->out_arc[i];
    if (!arc_on(g, a) || g->arc_flags[a] & ARC_LATCH) continue;
    NodePairs it = node_pairs(g, g->arc_map[a], slot, g->arc_to[a]);
    while (node_pairs_next(&it)) arc_nodes(t, a, g->arc_to[a], it.from, it.to, it.mask);
  }
}

static void wire_node(Timing *t, Slot load, const Cond4 *delay, NodeId from, NodeId to, uint8_t mask)
{
  bool clock = timing_tells_clocks(t, t->wire_derate) && graph_node_is_clock(t->g, load, to);
  for (int k = 0; k < CONDITION_COUNT; k++) {
    float required = t->required[to].v[k];
    if (!(mask >> (3 * (k & 1)) & 1) || time_absent(required)) continue;
    time_tighten(&t->required[from].v[k], k >> 1,
                 required - timing_wire_delay(t, graph_load_index(t->g, load), delay->v[k], clock, k, timing_variance(t, from, k)));
  }
}

static void wire_nodes(Timing *t, Slot load, Slot driver, MapId map, const Cond4 *delay)
{
  NodePairs it = node_pairs(t->g, map, driver, load);
  while (node_pairs_next(&it)) wire_node(t, load, delay, it.from, it.to, it.mask);
}

static void driver_required(Timing *t, Slot driver)
{
  const Graph *g = t->g;
  if (g->node_first[driver + 1] == g->node_first[driver]) return;
  for (Slot s = g->load_first[driver]; s < g->load_first[driver] + g->load_count[driver]; s++)
    wire_nodes(t, s, driver, g->wire_map[s], &t->wire_delay[graph_load_index(g, s)]);
  DriverExtras it = driver_extras(g, driver);
  while (g->extra_wires.len && driver_extras_next(&it)) {
    const ExtraWire *x = &g->extra_wires.at[it.index];
    wire_nodes(t, x->load, driver, x->map, &t->extra_delay[it.index]);
  }
  out_required(t, driver);
}

void cpu_slot_required(Timing *t, Slot slot)
{
  for (NodeId n = t->g->node_first[slot]; n < t->g->node_first[slot + 1]; n++) t->required[n] = cond_loosest();
  cpu_slot_ends(t, slot);
  if (common_captures(t)) return;       /* cpu_slot_captures */
  if (slot_is_driver(t->g, slot)) driver_required(t, slot);
  else out_required(t, slot);
}

void cpu_share_required(Timing *t, LevelShare share, unsigned parts)
{
  for (Slot s = share.load; parts & 1 && s < share.load_end; s++) out_required(t, s);
  for (Slot s = share.driver; parts & 2 && s < share.driver_end; s++) driver_required(t, s);
}
