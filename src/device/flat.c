/* Graph, model and constraints resolved into the arrays of device/flat.h. */
#include "device/flat.h"

#include <math.h>

#include "cpu/cpu.h"
#include "timing/end_slacks.h"
#include "timing/scaling.h"

/* What is made on the way. */
typedef struct {
  Flat *f;
  const Timing *t;
  const Graph  *g;
  const Model  *m;
  FlatLevel *levels;
  Map      *kind_of;
  uint32_t *table_at;              /* as in Flat */
  Map      *clock_slew_of;         /* slot -> index in clock_slew */
  ARRAY(FlatKind) kinds;
  ARRAY(float) pool;
  ARRAY(Cond4) clock_slew;
} FlatBuild;

#define MAKE(type, field, count) type *field = \
    mem_alloc_zero((size_t)(count) + 1, sizeof *field); f->field = field

/* --- tables ----------------------------------------------------------------------------------- */
/* Where table_at has a table, which may be a scaled copy. */
static uint32_t *place_of(const FlatBuild *b, TableId id, TableView view)
{
  const Scaling *s = b->t->scaling;
  bool scaled = s && s->pool.len && view.data >= s->pool.at && view.data < s->pool.at + s->pool.len;
  return &b->table_at[scaled ? b->m->libs->tables.len + (uint32_t)(view.data - s->pool.at) : id];
}

static uint32_t table_floats(TableView view)
{
  return (uint32_t)view.n1 + view.n2 + (uint32_t)view.n1 * view.n2;
}

static FlatTable put_table(FlatBuild *b, TableId id, TableView view)
{
  uint32_t *at = place_of(b, id, view);
  if (*at == FLAT_NONE) {
    *at = b->pool.len;
    array_resize(&b->pool, *at + table_floats(view));
    memcpy(b->pool.at + *at, view.data, table_floats(view) * sizeof(float));
  }
  return (FlatTable){ *at, (uint16_t)view.n1, (uint16_t)view.n2 };
}

/* A table that is 0 everywhere begins the pool: slews of arcs without one. */
static void begin_pool(FlatBuild *b)
{
  array_resize(&b->pool, 3);
  uint32_t count = b->m->libs->tables.len + (b->t->scaling ? b->t->scaling->pool.len : 0);
  b->table_at = mem_alloc(sizeof *b->table_at * ((size_t)count + 1));
  for (uint32_t i = 0; i < count; i++) b->table_at[i] = FLAT_NONE;
}

/* The tables of a library arc at a slot; false where there is none. */
static bool delay_table(const FlatBuild *b, Slot slot, const LibArc *lib, int k, TableView *out)
{
  if (lib->delay[k & 1] == NO_TABLE) return false;
  *out = timing_delay_table(b->t, slot, k >> 1, lib, k & 1);
  return true;
}

static bool slew_table(const FlatBuild *b, Slot slot, const LibArc *lib, int k, TableView *out)
{
  if (lib->slew[k & 1] == NO_TABLE) return false;
  *out = timing_slew_table(b->t, slot, k >> 1, lib, k & 1);
  return true;
}

static uint64_t kind_key(const FlatBuild *b, Slot slot, LibArcId arc)
{
  return (uint64_t)scaling_point(b->t, slot) << 32 | arc;
}

static uint32_t put_kind(FlatBuild *b, Slot slot, LibArcId arc)
{
  uint64_t key = kind_key(b, slot, arc);
  uint32_t have = map_get(b->kind_of, key);
  if (have != MAP_NO_VALUE) return have;
  FlatKind kind;
  memset(&kind, 0, sizeof kind);
  for (int k = 0; k < CONDITION_COUNT; k++) {
    LibArcId id = b->m->arc_for[k >> 1][arc];
    const LibArc *lib = &b->m->libs->arcs.at[id];
    TableView view;
    kind.delay[k] = delay_table(b, slot, lib, k, &view) ? put_table(b, lib->delay[k & 1], view)
                                                        : (FlatTable){ 0, 0, 0 };
    kind.slew[k] = slew_table(b, slot, lib, k, &view) ? put_table(b, lib->slew[k & 1], view)
                                                      : (FlatTable){ 0, 1, 1 };
    kind.thresholds[k] = model_thresholds_of(b->m, id, k & 1);
  }
  array_push(&b->kinds, kind);
  map_put(b->kind_of, key, b->kinds.len - 1);
  return b->kinds.len - 1;
}

static void put_thresholds(FlatBuild *b)
{
  Flat *f = b->f;
  const Model *m = b->m;
  f->threshold_count = 2 * m->libs->libraries.len;
  MAKE(FlatThresholds, thresholds, f->threshold_count);
  for (uint32_t i = 0; i < f->threshold_count; i++) {
    thresholds[i] = (FlatThresholds){ m->thresholds[i], m->input_threshold[i], m->ramp_base[i],
                                      m->ramps.at[m->ramp_base[i]],
                                      (uint32_t)m->ramp_base[i] / RAMP_FLOATS * RAMP_STEPS };
    f->thresholds_differ |=
        i > 1 && memcmp(&thresholds[i], &thresholds[i & 1], sizeof *thresholds) != 0;
  }
  f->ramps = m->ramps.at;
  f->ramp_count = m->ramps.len;
  MAKE(FlatRampSegment, ramp_segments, f->ramp_count / RAMP_FLOATS * RAMP_STEPS);
  for (uint32_t i = 0; i < f->ramp_count / RAMP_FLOATS * RAMP_STEPS; i++) {
    const float *ramp = f->ramps + i / RAMP_STEPS * RAMP_FLOATS,
                *u = ramp + RAMP_U + i % RAMP_STEPS, *s = ramp + RAMP_S + i % RAMP_STEPS;
    ramp_segments[i] = (FlatRampSegment){ u[0], u[1], s[0], s[1] };
  }
}

/* --- slots ------------------------------------------------------------------------------------ */
/* Where the slew of a pin is that launches or checks. */
static uint32_t clock_slew_place(FlatBuild *b, Slot slot)
{
  if (!(b->g->slot_flags[slot] & SLOT_IDEAL_CLOCK)) return slot;
  uint32_t have = map_get(b->clock_slew_of, slot);
  if (have != MAP_NO_VALUE) return have | FLAT_CLOCK_SLEW;
  Cond4 slew;
  for (int k = 0; k < CONDITION_COUNT; k++) slew.v[k] = timing_input_slew(b->t, slot, true, k);
  array_push(&b->clock_slew, slew);
  map_put(b->clock_slew_of, slot, b->clock_slew.len - 1);
  return (b->clock_slew.len - 1) | FLAT_CLOCK_SLEW;
}

static void put_levels(FlatBuild *b)
{
  Flat *f = b->f;
  const Graph *g = b->g;
  b->levels = mem_alloc_zero((size_t)g->level_count + 1, sizeof *b->levels);
  f->levels = b->levels;
  for (uint32_t l = 0; l < g->level_count; l++)
    b->levels[l] = (FlatLevel){ .first_slot = g->level_first[l],
                                .first_driver = g->drivers_before[l],
                                .count = g->level_loads[l] - g->level_first[l],
                                .load_shift = g->drivers_before[l + 1],
                                .first_load = g->level_loads[l] - g->drivers_before[l + 1],
                                .load_count = g->level_first[l + 1] - g->level_loads[l] };
}

/* --- ideal networks: what delay_ideal of the CPU looks up ------------------------------------- */
static FlatIdeal ideal_of(const FlatBuild *b, Slot s)
{
  const IdealPin *p = constraints_find_ideal_pin(b->t->constraints, b->g->slot_pin[s]);
  FlatIdeal x;
  memset(&x, 0, sizeof x);
  for (int k = 0; p && k < CONDITION_COUNT; k++) {
    x.slew.v[k] = isnan(p->slew[k]) ? 0 : p->slew[k];
    x.given |= isnan(p->slew[k]) ? 0 : 1 << k;
    x.latency.v[k] = isnan(p->latency[k]) ? 0 : p->latency[k];
  }
  return x;
}

static void put_ideals(FlatBuild *b, uint8_t *slot_use)
{
  Flat *f = b->f;
  const Graph *g = b->g;
  bool any = false;
  for (Slot s = 0; s < g->slot_count && !any; s++) any = (g->slot_flags[s] & SLOT_IDEAL) != 0;
  if (!any) return;
  ARRAY(FlatIdeal) ideals = { 0 };
  MAKE(uint32_t, slot_ideal, g->slot_count);
  for (Slot s = 0; s < g->slot_count; s++) {
    bool inside = g->slot_flags[s] & SLOT_IDEAL;
    FlatIdeal x = ideal_of(b, s);
    slot_ideal[s] = FLAT_NONE;
    if (inside)
      slot_use[s] |= (uint8_t)(FLAT_INSIDE |
                               (g->slot_flags[s] & SLOT_IDEAL_BEGIN ? FLAT_BEGINS : 0));
    if (!inside && constraints_find_ideal_pin(b->t->constraints, g->slot_pin[s]) == NULL) continue;
    slot_ideal[s] = ideals.len;
    array_push(&ideals, x);
  }
  f->ideals = ideals.at;
  f->ideal_count = ideals.len;
}

static LibraryId slot_library(const FlatBuild *b, Slot s, int early_late)
{
  const Graph *g = b->g;
  if (g->slot_flags[s] & SLOT_PORT) return 0;
  LibraryId own =
      b->m->library_for[early_late]
                       [g->libs->ports.at[g->netlist->pins.at[g->slot_pin[s]].port].cell];
  return own == NO_LIBRARY ? 0 : own;
}

static bool is_latch_output(const Graph *g, Slot s)
{
  for (ArcId a = g->arc_first[s]; a < g->arc_first[s + 1]; a++)
    if (g->arc_flags[a] & ARC_LATCH) return true;
  return false;
}

static bool begins_clocks(const Graph *g, Slot s)
{
  uint32_t from, to;
  if (g->links.len == 0 || !(g->slot_flags[s] & SLOT_CLOCK_SOURCE)) return false;
  graph_links(g, s, &from, &to);
  return from < to;
}

static void put_summed(FlatBuild *b)
{
  uint32_t count;
  const PinId *pins = end_slacks_pins(b->t, &count);
  Flat *f = b->f;
  MAKE(uint32_t, summed_slots, count);
  for (uint32_t i = 0; i < count; i++) summed_slots[i] = b->g->pin_slot[pins[i]];
  f->summed_count = count;
}

static void put_slots(FlatBuild *b)
{
  Flat *f = b->f;
  const Graph *g = b->g;
  MAKE(uint8_t, slot_use, g->slot_count);
  MAKE(uint32_t, floating, g->load_total);
  MAKE(uint32_t, end_slots, g->slot_count);
  for (Slot s = 0; s < g->slot_count; s++) {
    if (slot_is_driver(g, s)) slot_use[s] |= FLAT_DRIVER;
    if (g->slot_flags[s] & SLOT_PORT) slot_use[s] |= FLAT_PORT;
    if (g->slot_flags[s] & SLOT_SEED) slot_use[s] |= FLAT_SEED;
    if (!slot_is_driver(g, s) && g->wire_driver[s] == NO_SLOT) floating[f->floating_count++] = s;
    if (g->latches.len) slot_use[s] |= is_latch_output(g, s) ? FLAT_LATCHED : 0;
    if (begins_clocks(g, s)) slot_use[s] |= FLAT_LINKED;
    if (g->slot_first_row[s + 1] > g->slot_first_row[s]) end_slots[f->end_count++] = s;
  }
  put_ideals(b, slot_use);
  put_summed(b);
  if (!f->thresholds_differ) return;
  MAKE(uint32_t, slot_thresholds, 2 * g->slot_count);
  for (uint32_t i = 0; i < 2 * g->slot_count; i++)
    slot_thresholds[i] = 2 * slot_library(b, i / 2, (int)(i & 1));
}

static void put_ports(FlatBuild *b)
{
  Flat *f = b->f;
  const Graph *g = b->g;
  uint32_t slots = 0, loads = 0, drivers = 0;
  for (Slot s = 0; s < g->slot_count; s++)
    if (slot_is_driver(g, s) && f->slot_use[s] & FLAT_PORT) {
      drivers++;
      loads += g->load_count[s];
    }
  slots = drivers + loads;
  MAKE(uint32_t, port_drivers, drivers);
  MAKE(uint32_t, port_slot, slots);
  MAKE(uint32_t, port_load, loads);
  for (Slot s = 0; s < g->slot_count; s++) {
    if (!slot_is_driver(g, s) || !(f->slot_use[s] & FLAT_PORT)) continue;
    port_drivers[f->port_driver_count++] = s;
    port_slot[f->port_slot_count++] = s;
    for (Slot l = g->load_first[s]; l < g->load_first[s] + g->load_count[s]; l++) {
      port_slot[f->port_slot_count++] = l;
      port_load[f->port_load_count++] = graph_load_index(g, l);
    }
  }
}

/* --- arcs ------------------------------------------------------------------------------------- */
static uint8_t use_of(const Graph *g, ArcId a, bool launch)
{
  uint8_t latch = g->arc_flags[a] & ARC_LATCH;
  return (uint8_t)((arc_shapes(g, a) && !latch ? FLAT_SHAPES : 0)
                   | (arc_on(g, a) && !latch ? FLAT_ON : 0) | (launch ? FLAT_LAUNCH : 0));
}

static void put_arcs(FlatBuild *b)
{
  Flat *f = b->f;
  const Graph *g = b->g;
  b->kind_of = map_new();
  MAKE(uint32_t, arc_kind, g->arc_count);
  MAKE(uint32_t, arc_slew, g->arc_count);
  MAKE(uint8_t, arc_use, g->arc_count);
  for (ArcId a = 0; a < g->arc_count; a++) {
    bool launch = graph_arc_is_launch(g, a);
    arc_kind[a] = put_kind(b, g->arc_to[a], g->arc_lib[a]);
    arc_slew[a] = launch ? clock_slew_place(b, g->arc_from[a]) : g->arc_from[a];
    arc_use[a] = use_of(g, a, launch);
  }
}

/* --- tags, seeds, links ----------------------------------------------------------------------- */
static uint8_t tag_use_of(const Graph *g, TagId id)
{
  const Tag *tag = &g->tags->tags.at[id];
  bool falls = tag->clock_edge != NO_CLOCK_EDGE && clock_edge_edge(tag->clock_edge) == FALL;
  return (uint8_t)((tag->is_clock ? FLAT_CLOCK : 0) | (g->tag_is_ideal[id] ? FLAT_IDEAL : 0)
                   | (g->tag_is_bare[id] ? FLAT_BARE : 0) | (falls ? FLAT_FALLS : 0));
}

static void put_tags(FlatBuild *b)
{
  Flat *f = b->f;
  const Graph *g = b->g;
  const TagTable *tags = g->tags;
  f->tag_count = tags->tags.len;
  f->map_count = tags->map_first.len - 1;
  f->map_entry_count = tags->map_entries.len;
  f->map_first = tags->map_first.at;
  f->tag_origin = g->tag_origin;
  MAKE(uint8_t, tag_use, f->tag_count);
  MAKE(Cond4, tag_latency, f->tag_count);
  MAKE(FlatMapEntry, map_entries, f->map_entry_count);
  MAKE(uint32_t, node_tag, g->node_count);
  for (TagId i = 0; i < f->tag_count; i++) {
    tag_use[i] = tag_use_of(g, i);
    for (int k = 0; k < CONDITION_COUNT; k++) tag_latency[i].v[k] = g->tag_latency[i][k];
  }
  for (uint32_t i = 0; i < f->map_entry_count; i++)
    map_entries[i] = (FlatMapEntry){ tags->map_entries.at[i].from, tags->map_entries.at[i].to,
                                     tags->map_entries.at[i].mask };
  for (Slot s = 0; s < g->slot_count; s++)
    for (NodeId n = g->node_first[s]; n < g->node_first[s + 1]; n++)
      node_tag[n] = timing_tag(b->t, s, n);
}

static void put_seeds(FlatBuild *b)
{
  Flat *f = b->f;
  const Graph *g = b->g;
  f->seed_count = g->seeds.len;
  MAKE(uint32_t, seed_slot, f->seed_count);
  MAKE(uint32_t, seed_node, f->seed_count);
  MAKE(uint32_t, seed_origin, f->seed_count);
  MAKE(uint8_t, seed_edge, f->seed_count);
  for (uint32_t i = 0; i < f->seed_count; i++) {
    const Seed *s = &g->seeds.at[i];
    seed_slot[i] = s->slot;
    seed_node[i] = g->node_first[s->slot] + tag_set_find(g->tags, g->slot_tags[s->slot], s->tag);
    seed_origin[i] = s->origin;
    seed_edge[i] = s->origin_edge;
  }
}

static void put_links(FlatBuild *b)
{
  Flat *f = b->f;
  f->link_count = b->g->links.len;
  MAKE(uint32_t, link_slot, f->link_count);
  MAKE(FlatLink, links, f->link_count);
  for (uint32_t i = 0; i < f->link_count; i++) {
    const ClockLink *l = &b->g->links.at[i];
    link_slot[i] = l->slot;
    links[i] = (FlatLink){ l->to, l->from, l->edge, l->conditions };
  }
}

/* --- ends ------------------------------------------------------------------------------------- */
/* A check's table; false where there is none. */
static bool check_table(const FlatBuild *b, const Check *c, int edge, TableId *id, TableView *view)
{
  const Timing *t = b->t;
  int el = check_is_early(c) ? EARLY : LATE;
  const LibArc *lib = &b->m->libs->arcs.at[b->m->arc_for[t->single ? LATE : el][c->lib]];
  *id = lib->delay[edge];
  if (*id != NO_TABLE) *view = timing_check_table(t, c->data, el, lib, edge);
  return *id != NO_TABLE;
}

static FlatCheck check_of(FlatBuild *b, const Check *c)
{
  int el = check_is_early(c) ? EARLY : LATE;
  FlatCheck k;
  memset(&k, 0, sizeof k);
  k.early_late = (uint8_t)el;
  k.data = c->data;
  if (c->lib == NO_LIB_ARC) {
    memcpy(k.margin, c->margin, sizeof k.margin);
    return k;
  }
  bool width = c->type == ARC_MIN_PULSE_WIDTH || c->type == ARC_MIN_PERIOD;
  k.clock_slew = clock_slew_place(b, c->clock);
  if (width) k.data = c->clock;      /* timing_check_margin_at */
  for (int edge = RISE; edge <= FALL; edge++) {
    TableId id;
    TableView view;
    if (check_table(b, c, edge, &id, &view)) k.table[edge] = put_table(b, id, view);
    k.clock_condition[edge] =
        (uint8_t)(width ? condition_of(el, edge)
                        : condition_of(graph_capture_side(b->g, el), c->clock_edge & 1));
  }
  return k;
}

static void put_ends(FlatBuild *b)
{
  Flat *f = b->f;
  const Graph *g = b->g;
  f->check_count = g->checks.len;
  f->row_count = g->rows.len;
  MAKE(FlatCheck, checks, f->check_count);
  MAKE(FlatRow, rows, f->row_count);
  ARRAY(FlatLatch) latch_rows = { 0 };
  for (CheckId i = 0; i < f->check_count; i++) checks[i] = check_of(b, &g->checks.at[i]);
  for (RowId i = 0; i < f->row_count; i++) {
    const Row *r = &g->rows.at[i];
    bool late = row_is_late((RowType)r->type);
    rows[i] = (FlatRow){ r->data,
                         r->capture,
                         r->check,
                         { r->offset[0], r->offset[1] },
                         late,
                         r->edges,
                         (uint8_t)condition_of(graph_capture_side(g, late), r->time_edge),
                         FLAT_NONE };
    if (r->type != ROW_LATCH_SETUP) continue;
    const RowDetail *d = &g->row_details.at[r->detail];
    rows[i].latch = latch_rows.len;
    array_push(&latch_rows, (FlatLatch){ d->window, d->close, d->window_given,
                                         (uint8_t)condition_of(EARLY, !r->capture_edge),
                                         (uint8_t)condition_of(EARLY, r->capture_edge) });
  }
  f->latch_count = g->latches.len;
  f->latch_rows = latch_rows.at;
  f->latch_row_count = latch_rows.len;
}

static uint32_t larger(uint32_t a, uint32_t b) { return a > b ? a : b; }

static const uint32_t *all_the_same(uint32_t value, uint32_t count)
{
  uint32_t *list = mem_alloc(sizeof *list * ((size_t)count + 1));
  for (uint32_t i = 0; i < count; i++) list[i] = value;
  return list;
}

static void put_derates(FlatBuild *b)
{
  Flat *f = b->f;
  const Timing *t = b->t;
  uint32_t rows = t->derates.rows.len;
  bool all = t->arc_derate && t->wire_derate && t->check_derate;
  if (!t->arc_derate && !t->wire_derate && !t->check_derate) return;
  f->derate_count = rows + 1;
  MAKE(FlatDerate, derates, f->derate_count);
  for (uint32_t i = 0; i < rows; i++) memcpy(&derates[i], &t->derates.rows.at[i], sizeof *derates);
  for (int k = 0; k < 2 * CONDITION_COUNT; k++)
    derates[rows].factor[k / CONDITION_COUNT][k % CONDITION_COUNT] = 1.0f;
  if (!all)
    f->no_derate = all_the_same(rows, larger(larger(f->arc_count, f->load_total), f->check_count));
  f->arc_derate = t->arc_derate ? t->arc_derate : f->no_derate;
  f->wire_derate = t->wire_derate ? t->wire_derate : f->no_derate;
  f->check_derate = t->check_derate ? t->check_derate : f->no_derate;
}

/* --- life ------------------------------------------------------------------------------------- */
static void take_graph(Flat *f, const Graph *g)
{
  f->slot_count = g->slot_count;
  f->level_count = g->level_count;
  f->driver_count = g->driver_count;
  f->load_total = g->load_total;
  f->arc_count = g->arc_count;
  f->edge_count = g->edge_count;
  f->node_count = g->node_count;
  f->load_first = g->load_first;
  f->load_count = g->load_count;
  f->wire_map = g->wire_map;
  f->arc_first = g->arc_first;
  f->out_first = g->out_first;
  f->node_first = g->node_first;
  f->out_arc = g->out_arc;
  f->arc_from = g->arc_from;
  f->arc_to = g->arc_to;
  f->arc_map = g->arc_map;
  f->edge_first = g->edge_first;
  f->arc_pairs = g->arc_pairs;
  f->slot_first_check = g->slot_first_check;
  f->check_order = g->check_order;
  f->slot_first_row = g->slot_first_row;
}

/* For swaps in place: library arcs, with tables of up to so many numbers. */
enum {
  ROOM_KINDS = 256,
  ROOM_TABLE = FLAT_AXIS * (FLAT_AXIS + 2),
  ROOM_TABLES = 2 * CONDITION_COUNT
};

static void make_room(FlatBuild *b)
{
  Flat *f = b->f;
  f->kind_count = b->kinds.len;
  f->pool_count = b->pool.len;
  f->kind_room = f->kind_count + ROOM_KINDS;
  f->pool_room = f->pool_count + ROOM_KINDS * ROOM_TABLES * ROOM_TABLE;
  array_resize(&b->kinds, f->kind_room);
  array_resize(&b->pool, f->pool_room);
  memset(b->kinds.at + f->kind_count, 0, ROOM_KINDS * sizeof *b->kinds.at);
  memset(b->pool.at + f->pool_count, 0, (f->pool_room - f->pool_count) * sizeof *b->pool.at);
}

static void take_lists(FlatBuild *b)
{
  Flat *f = b->f;
  make_room(b);
  f->kinds = b->kinds.at;
  f->pool = b->pool.at;
  f->clock_slew = b->clock_slew.at;
  f->clock_slew_count = b->clock_slew.len;
  f->kind_of = b->kind_of;
  f->table_at = b->table_at;
  map_free(b->clock_slew_of);
}

Flat *flat_new(const Timing *t)
{
  Flat *f = mem_alloc_zero(1, sizeof *f);
  FlatBuild b = { .f = f, .t = t, .g = t->g, .m = t->model, .clock_slew_of = map_new() };
  f->delay_model = (uint8_t)t->delay_model;
  f->single = t->single;
  f->schedule = (uint8_t)engine_schedule(&t->engine_options);
  f->narrow_level = (uint32_t)t->engine_options.narrow_level;
  take_graph(f, t->g);
  begin_pool(&b);
  put_thresholds(&b);
  put_levels(&b);
  put_slots(&b);
  flat_extras(f, t, b.levels);
  put_ports(&b);
  put_arcs(&b);
  put_tags(&b);
  put_seeds(&b);
  put_links(&b);
  put_ends(&b);
  put_derates(&b);
  take_lists(&b);
  flat_notes(f, t);
  flat_lanes(f, b.levels);
  flat_narrow(f);
  flat_grids(f);
  return f;
}

/* --- more of it, by swaps in place ------------------------------------------------------------ */
static FlatBuild build_on(Flat *f, const Timing *t)
{
  FlatBuild b = { .f = f,
                  .t = t,
                  .g = t->g,
                  .m = t->model,
                  .kind_of = (Map *)f->kind_of,
                  .table_at = (uint32_t *)f->table_at };
  b.kinds.at = (FlatKind *)f->kinds;
  b.kinds.len = f->kind_count;
  b.kinds.cap = f->kind_room;
  b.pool.at = (float *)f->pool;
  b.pool.len = f->pool_count;
  b.pool.cap = f->pool_room;
  return b;
}

static bool table_fits(const FlatBuild *b, TableId id, TableView view, uint32_t *more)
{
  if (*place_of(b, id, view) != FLAT_NONE) return true;
  *more += table_floats(view);
  return b->pool.len + *more <= b->f->pool_room;
}

static bool kind_fits(const FlatBuild *b, Slot slot, LibArcId arc)
{
  const Flat *f = b->f;
  uint32_t more = 0;
  bool fits = b->kinds.len < f->kind_room
              && f->cell_count + CONDITION_COUNT * FLAT_AXIS * FLAT_AXIS <= f->cell_room;
  for (int k = 0; k < CONDITION_COUNT; k++) {
    const LibArc *lib = &b->m->libs->arcs.at[b->m->arc_for[k >> 1][arc]];
    TableView view;
    fits =
        fits
        && (!delay_table(b, slot, lib, k, &view) || table_fits(b, lib->delay[k & 1], view, &more))
        && (!slew_table(b, slot, lib, k, &view) || table_fits(b, lib->slew[k & 1], view, &more));
  }
  return fits;
}

static void patch_pool(Flat *f, const FlatBuild *b, FlatPatches *p)
{
  flat_patch(p, f->pool + f->pool_count, (b->pool.len - f->pool_count) * sizeof *f->pool);
  f->pool_count = b->pool.len;
}

bool flat_same_thresholds(const Flat *f, const Timing *t, Slot slot)
{
  FlatBuild b = { .t = t, .g = t->g, .m = t->model };
  for (int el = EARLY; el <= LATE && f->thresholds_differ; el++)
    if (f->slot_thresholds[2 * slot + (uint32_t)el] != 2 * slot_library(&b, slot, el)) return false;
  return true;
}

uint32_t flat_put_kind(Flat *f, const Timing *t, Slot slot, LibArcId arc, FlatPatches *p)
{
  FlatBuild b = build_on(f, t);
  uint32_t have = map_get(b.kind_of, kind_key(&b, slot, arc));
  if (have != MAP_NO_VALUE) return have;
  if (!kind_fits(&b, slot, arc)) return FLAT_NONE;
  uint32_t kind = put_kind(&b, slot, arc), axes = f->axes_count, cells = f->cell_count;
  uint8_t plain = f->plain_tables;
  patch_pool(f, &b, p);
  f->kind_count = b.kinds.len;
  flat_grids_of_last(f);
  if (f->plain_tables != plain) return FLAT_NONE;      /* which kernels there are changes */
  flat_patch(p, f->kinds + kind, sizeof *f->kinds);
  flat_patch(p, f->grids + CONDITION_COUNT * kind, CONDITION_COUNT * sizeof *f->grids);
  flat_patch(p, f->axes + axes, (f->axes_count - axes) * sizeof *f->axes);
  flat_patch(p, f->cells + cells, (f->cell_count - cells) * sizeof *f->cells);
  return kind;
}

bool flat_put_check_table(Flat *f, const Timing *t, CheckId check, int edge, FlatPatches *p,
                          FlatTable *out)
{
  FlatBuild b = build_on(f, t);
  uint32_t more = 0;
  TableId id;
  TableView view;
  *out = (FlatTable){ 0, 0, 0 };
  if (!check_table(&b, &t->g->checks.at[check], edge, &id, &view)) return true;
  if (!table_fits(&b, id, view, &more)) return false;
  *out = put_table(&b, id, view);
  patch_pool(f, &b, p);
  return true;
}

void flat_free(Flat *f)
{
  if (f == NULL) return;
  map_free((Map *)f->kind_of);
  const void *own[] = { f->table_at,    f->levels,      f->port_drivers, f->slot_use,
                        f->floating,    f->end_slots,   f->summed_slots, f->slot_thresholds,
                        f->port_slot,   f->port_load,   f->arc_kind,     f->arc_slew,
                        f->arc_use,     f->kinds,       f->thresholds,   f->ramp_segments,
                        f->pool,        f->clock_slew,  f->node_tag,     f->tag_use,
                        f->tag_latency, f->map_entries, f->seed_slot,    f->seed_node,
                        f->seed_origin, f->seed_edge,   f->link_slot,    f->links,
                        f->derates,     f->no_derate,   f->slot_ideal,   f->ideals,
                        f->latch_rows,  f->checks,      f->rows };
  for (size_t i = 0; i < sizeof own / sizeof *own; i++) mem_free((void *)own[i]);
  flat_lanes_free(f);
  flat_narrow_free(f);
  flat_notes_free(f);
  flat_extras_free(f);
  flat_grids_free(f);
  mem_free(f);
}

size_t flat_bytes(const Flat *f)
{
  size_t bytes = 0;
#define ADD(type, name, count) bytes += (size_t)(count) * sizeof(type);
  FLAT_ARRAYS(ADD)
#undef ADD
  return bytes;
}

size_t flat_number_bytes(const Flat *f, unsigned groups)
{
  size_t bytes = 0;
#define ADD(group, type, name, count) \
  if (groups ? groups & group : group == NUMBERS_SCRATCH) bytes += (size_t)(count) * sizeof(type);
  NUMBER_ARRAYS(ADD)
#undef ADD
  return bytes;
}

/* Two schedules have records of their own for edges and loads: the smaller ones count.  Sums of
   slacks are no part of an update. */
size_t flat_least_bytes(const Flat *f)
{
  size_t records = f->edge_count * (sizeof(FlatEdge) + sizeof(FlatOut))
                   + f->load_total * sizeof(FlatLoad) + f->pair_count * sizeof(FlatPair);
  unsigned starts = NUMBERS_SEEDS | NUMBERS_PORTS | NUMBERS_LATCHES;
  size_t room = (size_t)(f->kind_room - f->kind_count)
                    * (sizeof(FlatKind) + CONDITION_COUNT * sizeof(FlatGrid))
                + (f->pool_room - f->pool_count) * sizeof(float)
                + (f->cell_room - f->cell_count) * sizeof(FlatCell)
                + (f->axes_room - f->axes_count) * sizeof(FlatAxes)
                + f->summed_count * sizeof(uint32_t);
  return flat_bytes(f) - records - room + flat_number_bytes(f, NUMBERS_ALL | starts)
         + flat_number_bytes(f, NUMBERS_DELAYS | NUMBERS_ARRIVALS);
}

/* --- numbers ---------------------------------------------------------------------------------- */
Numbers flat_numbers(const Flat *f, Timing *t)
{
  return (Numbers){
    .load_cap = t->load_cap,
    .pi_c1 = t->pi_c1,
    .pi_c2 = t->pi_c2,
    .pi_r = t->pi_r,
    .has_rc = t->has_rc,
    .elmore = t->elmore,
    .impulse = t->impulse,
    .seed_value = mem_alloc_zero((size_t)f->seed_count + 1, sizeof(Cond4)),
    .latch_late = mem_alloc_zero(f->latch_count ? (size_t)f->node_count + 1 : 1, sizeof(Pair)),
    .port_slew = mem_alloc_zero((size_t)f->port_slot_count + 1, sizeof(Cond4)),
    .port_wire = mem_alloc_zero((size_t)f->port_load_count + 1, sizeof(Cond4)),
    .extra_elmore = t->extra_elmore,
    .extra_impulse = t->extra_impulse,
    .extra_delay = t->extra_delay,
    .extra_slew = t->extra_slew,
    .port_extra_delay = mem_alloc_zero((size_t)f->port_extra_count + 1, sizeof(Cond4)),
    .port_extra_slew = mem_alloc_zero((size_t)f->port_extra_count + 1, sizeof(Cond4)),
    .wire_delay = t->wire_delay,
    .slew = t->slew,
    .edge_delay = t->edge_delay,
    .arrival = t->arrival,
    .check_margin = t->check_margin,
    .row_slack = t->row_slack,
    .required = t->required
  };
}

void flat_numbers_free(Numbers *n)
{
  mem_free(n->seed_value);
  mem_free(n->latch_late);
  mem_free(n->port_slew);
  mem_free(n->port_wire);
  mem_free(n->port_extra_delay);
  mem_free(n->port_extra_slew);
}

void flat_ports(const Flat *f, Timing *t, Numbers *n)
{
  cpu_driver_delays(t, f->port_drivers, f->port_driver_count);
  for (uint32_t i = 0; i < f->port_slot_count; i++) n->port_slew[i] = t->slew[f->port_slot[i]];
  for (uint32_t i = 0; i < f->port_load_count; i++)
    n->port_wire[i] = t->wire_delay[f->port_load[i]];
  for (uint32_t i = 0; i < f->port_extra_count; i++) {
    n->port_extra_delay[i] = t->extra_delay[f->port_extra[i]];
    n->port_extra_slew[i] = t->extra_slew[f->port_extra[i]];
  }
}

void flat_seeds(const Flat *f, const Timing *t, Numbers *n)
{
  for (uint32_t i = 0; i < f->seed_count; i++)
    for (int k = 0; k < CONDITION_COUNT; k++)
      n->seed_value[i].v[k] = timing_seed_start(t, &t->g->seeds.at[i], k);
}

void flat_latches(const Flat *f, const Timing *t, Numbers *n)
{
  for (uint32_t i = 0; f->latch_count && i < f->node_count; i++)
    n->latch_late[i].v[RISE] = n->latch_late[i].v[FALL] = ABSENT_LATE;
  for (uint32_t i = 0; i < t->latch_arrivals.len; i++) {
    const LatchArrival *a = &t->latch_arrivals.at[i];
    time_merge(&n->latch_late[a->node].v[a->edge], LATE, a->arrival);
  }
}
