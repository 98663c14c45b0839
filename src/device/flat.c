/* Resolves graph, libraries and constraints into the arrays of device/flat.h. */
#include "device/flat.h"

#include <math.h>

#include "cpu/cpu.h"
#include "timing/end_slacks.h"
#include "timing/scaling.h"

/* The state while a Flat is made. */
typedef struct {
  Flat *f;
  const Timing *t;
  const Graph  *g;
  const CornerLibs  *libs;
  FlatLevel *levels;
  Map      *kind_of;
  uint32_t *table_at;              /* Flat.table_at */
  Map      *clock_slew_of;         /* slot -> index in clock_slew */
  ARRAY(FlatKind) kinds;
  ARRAY(float) pool;
  ARRAY(Cond4) clock_slew;
} FlatBuild;

#define MAKE(type, field, count) type *field = \
    mem_alloc_zero((size_t)(count) + 1, sizeof *field); f->field = field

/* --- tables ----------------------------------------------------------------------------------- */
/* Returns the entry of table_at for a table, which may be a scaled copy. */
static uint32_t *place_of(const FlatBuild *build, TableId id, TableView view)
{
  const Scaling *scaling = build->t->scaling;
  bool scaled = scaling && scaling->pool.len && view.data >= scaling->pool.at
                && view.data < scaling->pool.at + scaling->pool.len;
  return &build->table_at[scaled ? build->libs->libs->tables.len
                                       + (uint32_t)(view.data - scaling->pool.at)
                                 : id];
}

static uint32_t table_floats(TableView view)
{
  return (uint32_t)view.n1 + view.n2 + (uint32_t)view.n1 * view.n2;
}

static FlatTable put_table(FlatBuild *build, TableId id, TableView view)
{
  uint32_t *at = place_of(build, id, view);
  if (*at == FLAT_NONE) {
    *at = build->pool.len;
    array_resize(&build->pool, *at + table_floats(view));
    memcpy(build->pool.at + *at, view.data, table_floats(view) * sizeof(float));
  }
  return (FlatTable){ *at, (uint16_t)view.n1, (uint16_t)view.n2 };
}

/* Begins the pool with a table that is 0 everywhere. It serves arcs without a slew table. */
static void begin_pool(FlatBuild *build)
{
  array_resize(&build->pool, 3);
  uint32_t count =
      build->libs->libs->tables.len + (build->t->scaling ? build->t->scaling->pool.len : 0);
  build->table_at = mem_alloc(sizeof *build->table_at * ((size_t)count + 1));
  for (uint32_t i = 0; i < count; i++) build->table_at[i] = FLAT_NONE;
}

/* Finds a table of a library arc at a slot. Returns false if there is none. */
static bool delay_table(const FlatBuild *build, Slot slot, const LibArc *lib, int k, TableView *out)
{
  if (lib->delay[k & 1] == NO_TABLE) return false;
  *out = timing_delay_table(build->t, slot, k >> 1, lib, k & 1);
  return true;
}

static bool slew_table(const FlatBuild *build, Slot slot, const LibArc *lib, int k, TableView *out)
{
  if (lib->slew[k & 1] == NO_TABLE) return false;
  *out = timing_slew_table(build->t, slot, k >> 1, lib, k & 1);
  return true;
}

static uint64_t kind_key(const Timing *t, Slot slot, LibArcId arc)
{
  return (uint64_t)scaling_point(t, slot) << 32 | arc;
}

static uint32_t put_kind(FlatBuild *build, Slot slot, LibArcId arc)
{
  uint64_t key = kind_key(build->t, slot, arc);
  uint32_t have = map_get(build->kind_of, key);
  if (have != MAP_NO_VALUE) return have;
  FlatKind kind;
  memset(&kind, 0, sizeof kind);
  for (int k = 0; k < CONDITION_COUNT; k++) {
    LibArcId id = build->libs->arc_for[k >> 1][arc];
    const LibArc *lib = &build->libs->libs->arcs.at[id];
    TableView view;
    kind.delay[k] = delay_table(build, slot, lib, k, &view)
                        ? put_table(build, lib->delay[k & 1], view)
                        : (FlatTable){ 0, 0, 0 };
    kind.slew[k] = slew_table(build, slot, lib, k, &view) ? put_table(build, lib->slew[k & 1], view)
                                                          : (FlatTable){ 0, 1, 1 };
    kind.thresholds[k] = corner_libs_thresholds_of(build->libs, id, k & 1);
  }
  array_push(&build->kinds, kind);
  map_put(build->kind_of, key, build->kinds.len - 1);
  return build->kinds.len - 1;
}

static void put_thresholds(FlatBuild *build)
{
  Flat *f = build->f;
  const CornerLibs *libs = build->libs;
  f->count.thresholds = 2 * libs->libs->libraries.len;
  MAKE(FlatThresholds, thresholds, f->count.thresholds);
  MAKE(CsLevels, source_levels, f->count.thresholds);
  for (uint32_t i = 0; i < f->count.thresholds; i++) {
    thresholds[i] = (FlatThresholds){ libs->thresholds[i], libs->input_threshold[i],
                                      libs->ramp_base[i], libs->ramps.at[libs->ramp_base[i]],
                                      (uint32_t)libs->ramp_base[i] / RAMP_FLOATS * RAMP_STEPS };
    source_levels[i] = cs_levels(libs->thresholds[i]);
    f->traits.thresholds_differ |=
        i > 1 && memcmp(&thresholds[i], &thresholds[i & 1], sizeof *thresholds) != 0;
  }
  f->all_levels = source_levels[0];
  f->traits.same_levels = 1;
  for (uint32_t i = 1; i < f->count.thresholds; i++)
    f->traits.same_levels &= memcmp(&source_levels[i], source_levels, sizeof *source_levels) == 0;
  f->ramps = libs->ramps.at;
  f->count.ramps = libs->ramps.len;
  MAKE(FlatRampSegment, ramp_segments, f->count.ramps / RAMP_FLOATS * RAMP_STEPS);
  for (uint32_t i = 0; i < f->count.ramps / RAMP_FLOATS * RAMP_STEPS; i++) {
    const float *ramp = f->ramps + i / RAMP_STEPS * RAMP_FLOATS,
                *u = ramp + RAMP_U + i % RAMP_STEPS, *s = ramp + RAMP_S + i % RAMP_STEPS;
    ramp_segments[i] = (FlatRampSegment){ u[0], u[1], s[0], s[1] };
  }
}

/* --- slots ------------------------------------------------------------------------------------ */
/* Returns where the slew of a launching or checking pin is. */
static uint32_t clock_slew_place(FlatBuild *build, Slot slot)
{
  if (!(build->g->slots.flags[slot] & SLOT_IDEAL_CLOCK)) return slot;
  uint32_t have = map_get(build->clock_slew_of, slot);
  if (have != MAP_NO_VALUE) return have | FLAT_CLOCK_SLEW;
  Cond4 slew;
  for (int k = 0; k < CONDITION_COUNT; k++) slew.v[k] = timing_input_slew(build->t, slot, true, k);
  array_push(&build->clock_slew, slew);
  map_put(build->clock_slew_of, slot, build->clock_slew.len - 1);
  return (build->clock_slew.len - 1) | FLAT_CLOCK_SLEW;
}

static void put_levels(FlatBuild *build)
{
  Flat *f = build->f;
  const Graph *g = build->g;
  build->levels = mem_alloc_zero((size_t)g->levels.count + 1, sizeof *build->levels);
  f->levels = build->levels;
  for (uint32_t l = 0; l < g->levels.count; l++)
    build->levels[l] =
        (FlatLevel){ .first_slot = g->levels.first[l],
                     .first_driver = g->levels.drivers_before[l],
                     .count = g->levels.loads[l] - g->levels.first[l],
                     .load_shift = g->levels.drivers_before[l + 1],
                     .first_load = g->levels.loads[l] - g->levels.drivers_before[l + 1],
                     .load_count = g->levels.first[l + 1] - g->levels.loads[l] };
}

/* --- ideal networks: what delay_ideal of the CPU looks up ------------------------------------- */
static FlatIdeal ideal_of(const FlatBuild *build, Slot s)
{
  const IdealPin *pin = constraints_find_ideal_pin(build->t->constraints, build->g->slots.pin[s]);
  FlatIdeal x;
  memset(&x, 0, sizeof x);
  for (int k = 0; pin && k < CONDITION_COUNT; k++) {
    x.slew.v[k] = isnan(pin->slew[k]) ? 0 : pin->slew[k];
    x.given |= isnan(pin->slew[k]) ? 0 : 1 << k;
    x.latency.v[k] = isnan(pin->latency[k]) ? 0 : pin->latency[k];
  }
  return x;
}

static void put_ideals(FlatBuild *build, uint8_t *slot_use)
{
  Flat *f = build->f;
  const Graph *g = build->g;
  bool any = false;
  for (Slot s = 0; s < g->slots.count && !any; s++) any = (g->slots.flags[s] & SLOT_IDEAL) != 0;
  if (!any) return;
  ARRAY(FlatIdeal) ideals = { 0 };
  MAKE(uint32_t, slot_ideal, g->slots.count);
  for (Slot s = 0; s < g->slots.count; s++) {
    bool inside = g->slots.flags[s] & SLOT_IDEAL;
    FlatIdeal x = ideal_of(build, s);
    slot_ideal[s] = FLAT_NONE;
    if (inside)
      slot_use[s] |= (uint8_t)(FLAT_INSIDE |
                               (g->slots.flags[s] & SLOT_IDEAL_BEGIN ? FLAT_BEGINS : 0));
    if (!inside && constraints_find_ideal_pin(build->t->constraints, g->slots.pin[s]) == NULL)
      continue;
    slot_ideal[s] = ideals.len;
    array_push(&ideals, x);
  }
  f->ideals = ideals.at;
  f->count.ideals = ideals.len;
}

static LibraryId slot_library(const FlatBuild *build, Slot s, int early_late)
{
  const Graph *g = build->g;
  if (g->slots.flags[s] & SLOT_PORT) return 0;
  LibraryId own =
      build->libs->library_for[early_late]
                              [g->libs->ports.at[g->netlist->pins.at[g->slots.pin[s]].port].cell];
  return own == NO_LIBRARY ? 0 : own;
}

static bool is_latch_output(const Graph *g, Slot s)
{
  for (ArcId a = g->arcs.first[s]; a < g->arcs.first[s + 1]; a++)
    if (g->arcs.flags[a] & ARC_LATCH) return true;
  return false;
}

static bool begins_clocks(const Graph *g, Slot s)
{
  uint32_t from, to;
  if (g->starts.links.len == 0 || !(g->slots.flags[s] & SLOT_CLOCK_SOURCE)) return false;
  graph_links(g, s, &from, &to);
  return from < to;
}

static void put_summed(FlatBuild *build)
{
  uint32_t count;
  const PinId *pins = end_slacks_pins(build->t, &count);
  Flat *f = build->f;
  MAKE(uint32_t, summed_slots, count);
  for (uint32_t i = 0; i < count; i++) summed_slots[i] = build->g->slots.of_pin[pins[i]];
  f->count.summed_slots = count;
}

static void put_slots(FlatBuild *build)
{
  Flat *f = build->f;
  const Graph *g = build->g;
  MAKE(uint8_t, slot_use, g->slots.count);
  MAKE(uint32_t, floating, g->nets.load_total);
  MAKE(uint32_t, end_slots, g->slots.count);
  for (Slot s = 0; s < g->slots.count; s++) {
    if (slot_is_driver(g, s)) slot_use[s] |= FLAT_DRIVER;
    if (g->slots.flags[s] & SLOT_PORT) slot_use[s] |= FLAT_PORT;
    if (g->slots.flags[s] & SLOT_SEED) slot_use[s] |= FLAT_SEED;
    if (!slot_is_driver(g, s) && g->nets.wire_driver[s] == NO_SLOT)
      floating[f->count.floating++] = s;
    if (g->arcs.latches.len) slot_use[s] |= is_latch_output(g, s) ? FLAT_LATCHED : 0;
    if (begins_clocks(g, s)) slot_use[s] |= FLAT_LINKED;
    if (g->ends.first_end[s + 1] > g->ends.first_end[s]) end_slots[f->count.end_slots++] = s;
  }
  put_ideals(build, slot_use);
  put_summed(build);
  if (!f->traits.thresholds_differ) return;
  MAKE(uint32_t, slot_thresholds, 2 * g->slots.count);
  for (uint32_t i = 0; i < 2 * g->slots.count; i++)
    slot_thresholds[i] = 2 * slot_library(build, i / 2, (int)(i & 1));
}

static void put_ports(FlatBuild *build)
{
  Flat *f = build->f;
  const Graph *g = build->g;
  uint32_t slots = 0, loads = 0, drivers = 0;
  for (Slot s = 0; s < g->slots.count; s++)
    if (slot_is_driver(g, s) && f->slot_use[s] & FLAT_PORT) {
      drivers++;
      loads += g->nets.load_count[s];
    }
  slots = drivers + loads;
  uint32_t *port_drivers = mem_alloc_zero((size_t)drivers + 1, sizeof *port_drivers);
  MAKE(uint32_t, port_slot, slots);
  MAKE(uint32_t, port_load, loads);
  f->host.port_drivers = port_drivers;
  for (Slot s = 0; s < g->slots.count; s++) {
    if (!slot_is_driver(g, s) || !(f->slot_use[s] & FLAT_PORT)) continue;
    port_drivers[f->host.port_driver_count++] = s;
    port_slot[f->count.port_slots++] = s;
    for (Slot l = g->nets.load_first[s]; l < g->nets.load_first[s] + g->nets.load_count[s]; l++) {
      port_slot[f->count.port_slots++] = l;
      port_load[f->count.port_loads++] = graph_load_index(g, l);
    }
  }
}

/* --- arcs ------------------------------------------------------------------------------------- */
static uint8_t use_of(const Graph *g, ArcId a, bool launch)
{
  uint8_t latch = g->arcs.flags[a] & ARC_LATCH;
  return (uint8_t)((arc_shapes(g, a) && !latch ? FLAT_SHAPES : 0)
                   | (arc_on(g, a) && !latch ? FLAT_ON : 0) | (launch ? FLAT_LAUNCH : 0));
}

static void put_arcs(FlatBuild *build)
{
  Flat *f = build->f;
  const Graph *g = build->g;
  build->kind_of = map_new();
  MAKE(uint32_t, arc_kind, g->arcs.count);
  MAKE(uint32_t, arc_slew, g->arcs.count);
  MAKE(uint8_t, arc_use, g->arcs.count);
  for (ArcId a = 0; a < g->arcs.count; a++) {
    bool launch = graph_arc_is_launch(g, a);
    arc_kind[a] = put_kind(build, g->arcs.to[a], g->arcs.lib[a]);
    arc_slew[a] = launch ? clock_slew_place(build, g->arcs.from[a]) : g->arcs.from[a];
    arc_use[a] = use_of(g, a, launch);
  }
}

/* --- tags, seeds, links ----------------------------------------------------------------------- */
static uint8_t tag_use_of(const Graph *g, TagId id)
{
  const Tag *tag = &g->tags->tags.at[id];
  bool falls = tag->clock_edge != NO_CLOCK_EDGE && clock_edge_edge(tag->clock_edge) == FALL;
  return (uint8_t)((tag->is_clock ? FLAT_CLOCK : 0) | (g->by_tag.is_ideal[id] ? FLAT_IDEAL : 0)
                   | (g->by_tag.is_bare[id] ? FLAT_BARE : 0) | (falls ? FLAT_FALLS : 0));
}

static void put_tags(FlatBuild *build)
{
  Flat *f = build->f;
  const Graph *g = build->g;
  const TagTable *tags = g->tags;
  f->count.tags = tags->tags.len;
  f->count.maps = tags->map_first.len - 1;
  f->count.map_entries = tags->map_entries.len;
  f->map_first = tags->map_first.at;
  f->tag_origin = g->by_tag.origin;
  MAKE(uint8_t, tag_use, f->count.tags);
  MAKE(Cond4, tag_latency, f->count.tags);
  MAKE(FlatMapEntry, map_entries, f->count.map_entries);
  MAKE(uint32_t, node_tag, g->nodes.count);
  for (TagId i = 0; i < f->count.tags; i++) {
    tag_use[i] = tag_use_of(g, i);
    for (int k = 0; k < CONDITION_COUNT; k++) tag_latency[i].v[k] = g->by_tag.latency[i][k];
  }
  for (uint32_t i = 0; i < f->count.map_entries; i++)
    map_entries[i] = (FlatMapEntry){ tags->map_entries.at[i].from, tags->map_entries.at[i].to,
                                     tags->map_entries.at[i].mask };
  for (Slot s = 0; s < g->slots.count; s++)
    for (NodeId n = g->nodes.first[s]; n < g->nodes.first[s + 1]; n++)
      node_tag[n] = graph_node_tag(build->t->g, s, n);
}

static void put_seeds(FlatBuild *build)
{
  Flat *f = build->f;
  const Graph *g = build->g;
  f->count.seeds = g->starts.seeds.len;
  MAKE(uint32_t, seed_slot, f->count.seeds);
  MAKE(uint32_t, seed_node, f->count.seeds);
  MAKE(uint32_t, seed_origin, f->count.seeds);
  MAKE(uint8_t, seed_edge, f->count.seeds);
  for (uint32_t i = 0; i < f->count.seeds; i++) {
    const Seed *seed = &g->starts.seeds.at[i];
    seed_slot[i] = seed->slot;
    seed_node[i] = g->nodes.first[seed->slot]
                   + tag_set_find(g->tags, g->nodes.slot_tags[seed->slot], seed->tag);
    seed_origin[i] = seed->origin;
    seed_edge[i] = seed->origin_edge;
  }
}

static void put_links(FlatBuild *build)
{
  Flat *f = build->f;
  f->count.links = build->g->starts.links.len;
  MAKE(uint32_t, link_slot, f->count.links);
  MAKE(FlatLink, links, f->count.links);
  for (uint32_t i = 0; i < f->count.links; i++) {
    const ClockLink *link = &build->g->starts.links.at[i];
    link_slot[i] = link->slot;
    links[i] = (FlatLink){ link->to, link->from, link->edge, link->conditions };
  }
}

/* --- ends ------------------------------------------------------------------------------------- */
/* Finds the table of a check. Returns false if there is none. */
static bool check_table(const FlatBuild *build, const Check *check, int edge, TableId *id,
                        TableView *view)
{
  const Timing *t = build->t;
  int el = check_is_early(check) ? EARLY : LATE;
  const LibArc *lib =
      &build->libs->libs->arcs.at[build->libs->arc_for[t->single ? LATE : el][check->lib]];
  *id = lib->delay[edge];
  if (*id != NO_TABLE) *view = timing_check_table(t, check->data, el, lib, edge);
  return *id != NO_TABLE;
}

static FlatCheck check_of(FlatBuild *build, const Check *check)
{
  int el = check_is_early(check) ? EARLY : LATE;
  FlatCheck k;
  memset(&k, 0, sizeof k);
  k.early_late = (uint8_t)el;
  k.data = check->data;
  if (check->lib == NO_LIB_ARC) {
    memcpy(k.margin, check->margin, sizeof k.margin);
    return k;
  }
  bool width = check->type == ARC_MIN_PULSE_WIDTH || check->type == ARC_MIN_PERIOD;
  k.clock_slew = clock_slew_place(build, check->clock);
  if (width) k.data = check->clock;      /* as in timing_check_margin_at */
  for (int edge = RISE; edge <= FALL; edge++) {
    TableId id;
    TableView view;
    if (check_table(build, check, edge, &id, &view)) k.table[edge] = put_table(build, id, view);
    k.clock_condition[edge] =
        (uint8_t)(width ? condition_of(el, edge)
                        : condition_of(graph_capture_side(build->g, el), check->clock_edge & 1));
  }
  return k;
}

static void put_ends(FlatBuild *build)
{
  Flat *f = build->f;
  const Graph *g = build->g;
  f->count.checks = g->ends.checks.len;
  f->count.path_ends = g->ends.path_ends.len;
  MAKE(FlatCheck, checks, f->count.checks);
  MAKE(FlatEnd, path_ends, f->count.path_ends);
  ARRAY(FlatLatch) latch_ends = { 0 };
  for (CheckId i = 0; i < f->count.checks; i++) checks[i] = check_of(build, &g->ends.checks.at[i]);
  for (PathEndId i = 0; i < f->count.path_ends; i++) {
    const PathEnd *end = &g->ends.path_ends.at[i];
    bool late = path_end_is_late((PathEndType)end->type);
    path_ends[i] = (FlatEnd){ end->data,
                              end->capture,
                              end->check,
                              { end->offset[0], end->offset[1] },
                              late,
                              end->edges,
                              (uint8_t)condition_of(graph_capture_side(g, late), end->time_edge),
                              FLAT_NONE };
    if (end->type != END_LATCH_SETUP) continue;
    const PathEndDetail *detail = &g->ends.details.at[end->detail];
    path_ends[i].latch = latch_ends.len;
    array_push(&latch_ends, (FlatLatch){ detail->window, detail->close, detail->window_given,
                                         (uint8_t)condition_of(EARLY, !end->capture_edge),
                                         (uint8_t)condition_of(EARLY, end->capture_edge) });
  }
  f->count.latches = g->arcs.latches.len;
  f->latch_ends = latch_ends.at;
  f->count.latch_ends = latch_ends.len;
}

static uint32_t larger(uint32_t a, uint32_t b) { return a > b ? a : b; }

static const uint32_t *all_the_same(uint32_t value, uint32_t count)
{
  uint32_t *list = mem_alloc(sizeof *list * ((size_t)count + 1));
  for (uint32_t i = 0; i < count; i++) list[i] = value;
  return list;
}

static void put_derates(FlatBuild *build)
{
  Flat *f = build->f;
  const Timing *t = build->t;
  uint32_t rows = t->derates.rows.rows.len;
  bool all = t->derates.arc && t->derates.wire && t->derates.check;
  if (!t->derates.arc && !t->derates.wire && !t->derates.check) return;
  f->count.derates = rows + 1;
  MAKE(FlatDerate, derates, f->count.derates);
  for (uint32_t i = 0; i < rows; i++)
    memcpy(&derates[i], &t->derates.rows.rows.at[i], sizeof *derates);
  for (int k = 0; k < 2 * CONDITION_COUNT; k++)
    derates[rows].factor[k / CONDITION_COUNT][k % CONDITION_COUNT] = 1.0f;
  if (!all)
    f->host.no_derate =
        all_the_same(rows, larger(larger(f->count.arcs, f->count.loads), f->count.checks));
  f->arc_derate = t->derates.arc ? t->derates.arc : f->host.no_derate;
  f->wire_derate = t->derates.wire ? t->derates.wire : f->host.no_derate;
  f->check_derate = t->derates.check ? t->derates.check : f->host.no_derate;
}

/* --- life ------------------------------------------------------------------------------------- */
static void take_graph(Flat *f, const Graph *g)
{
  f->count.slots = g->slots.count;
  f->count.levels = g->levels.count;
  f->count.drivers = g->nets.driver_count;
  f->count.loads = g->nets.load_total;
  f->count.arcs = g->arcs.count;
  f->count.edges = g->arcs.edge_count;
  f->count.nodes = g->nodes.count;
  f->load_first = g->nets.load_first;
  f->load_count = g->nets.load_count;
  f->wire_map = g->nets.wire_map;
  f->arc_first = g->arcs.first;
  f->out_first = g->arcs.out_first;
  f->node_first = g->nodes.first;
  f->out_arc = g->arcs.out;
  f->arc_from = g->arcs.from;
  f->arc_to = g->arcs.to;
  f->arc_map = g->arcs.map;
  f->edge_first = g->arcs.edge_first;
  f->arc_pairs = g->arcs.pairs;
  f->slot_first_check = g->ends.first_check;
  f->check_order = g->ends.check_order;
  f->slot_first_end = g->ends.first_end;
}

/* Spare room for swaps in place: number of library arcs, and of numbers in their tables. */
enum {
  ROOM_KINDS = 256,
  ROOM_TABLE = FLAT_AXIS * (FLAT_AXIS + 2),
  ROOM_TABLES = 2 * CONDITION_COUNT
};

static void make_room(FlatBuild *build)
{
  Flat *f = build->f;
  f->count.kinds = build->kinds.len;
  f->count.pool = build->pool.len;
  f->count.kind_room = f->count.kinds + ROOM_KINDS;
  f->count.pool_room = f->count.pool + ROOM_KINDS * ROOM_TABLES * ROOM_TABLE;
  array_resize(&build->kinds, f->count.kind_room);
  array_resize(&build->pool, f->count.pool_room);
  memset(build->kinds.at + f->count.kinds, 0, ROOM_KINDS * sizeof *build->kinds.at);
  memset(build->pool.at + f->count.pool, 0,
         (f->count.pool_room - f->count.pool) * sizeof *build->pool.at);
}

static void take_lists(FlatBuild *build)
{
  Flat *f = build->f;
  make_room(build);
  f->kinds = build->kinds.at;
  f->pool = build->pool.at;
  f->clock_slew = build->clock_slew.at;
  f->count.clock_slews = build->clock_slew.len;
  f->host.kind_of = build->kind_of;
  f->host.table_at = build->table_at;
  map_free(build->clock_slew_of);
}

Flat *flat_new(const Timing *t)
{
  Flat *f = mem_alloc_zero(1, sizeof *f);
  FlatBuild b = { .f = f, .t = t, .g = t->g, .libs = t->corner_libs, .clock_slew_of = map_new() };
  f->traits.delay_model = (uint8_t)t->delay_model;
  f->traits.single = t->single;
  f->traits.schedule = (uint8_t)engine_schedule(&t->device.options);
  f->count.narrow_level = (uint32_t)t->device.options.narrow_level;
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
  flat_annotations(f, t);
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
                  .libs = t->corner_libs,
                  .kind_of = (Map *)f->host.kind_of,
                  .table_at = (uint32_t *)f->host.table_at };
  b.kinds.at = (FlatKind *)f->kinds;
  b.kinds.len = f->count.kinds;
  b.kinds.cap = f->count.kind_room;
  b.pool.at = (float *)f->pool;
  b.pool.len = f->count.pool;
  b.pool.cap = f->count.pool_room;
  return b;
}

static bool table_fits(const FlatBuild *build, TableId id, TableView view, uint32_t *more)
{
  if (*place_of(build, id, view) != FLAT_NONE) return true;
  *more += table_floats(view);
  return build->pool.len + *more <= build->f->count.pool_room;
}

static bool kind_fits(const FlatBuild *build, Slot slot, LibArcId arc)
{
  const Flat *f = build->f;
  uint32_t more = 0;
  bool fits = build->kinds.len < f->count.kind_room
              && f->count.cells + CONDITION_COUNT * FLAT_AXIS * FLAT_AXIS <= f->count.cell_room;
  for (int k = 0; k < CONDITION_COUNT; k++) {
    const LibArc *lib = &build->libs->libs->arcs.at[build->libs->arc_for[k >> 1][arc]];
    TableView view;
    fits = fits
           && (!delay_table(build, slot, lib, k, &view)
               || table_fits(build, lib->delay[k & 1], view, &more))
           && (!slew_table(build, slot, lib, k, &view)
               || table_fits(build, lib->slew[k & 1], view, &more));
  }
  return fits;
}

static void patch_pool(Flat *f, const FlatBuild *build, FlatPatches *patches)
{
  flat_patch(patches, f->pool + f->count.pool, (build->pool.len - f->count.pool) * sizeof *f->pool);
  f->count.pool = build->pool.len;
}

bool flat_same_thresholds(const Flat *f, const Timing *t, Slot slot)
{
  FlatBuild b = { .t = t, .g = t->g, .libs = t->corner_libs };
  for (int el = EARLY; el <= LATE && f->traits.thresholds_differ; el++)
    if (f->slot_thresholds[2 * slot + (uint32_t)el] != 2 * slot_library(&b, slot, el)) return false;
  return true;
}

uint32_t flat_find_kind(const Flat *f, const Timing *t, Slot slot, LibArcId arc)
{
  uint32_t kind = map_get(f->host.kind_of, kind_key(t, slot, arc));
  return kind == MAP_NO_VALUE ? FLAT_NONE : kind;
}

uint32_t flat_put_kind(Flat *f, const Timing *t, Slot slot, LibArcId arc, FlatPatches *patches)
{
  uint32_t have = flat_find_kind(f, t, slot, arc);
  if (have != FLAT_NONE) return have;
  FlatBuild b = build_on(f, t);
  if (!kind_fits(&b, slot, arc)) return FLAT_NONE;
  uint32_t kind = put_kind(&b, slot, arc), axes = f->count.axes, cells = f->count.cells;
  uint8_t plain = f->traits.plain_tables;
  patch_pool(f, &b, patches);
  f->count.kinds = b.kinds.len;
  flat_grids_of_last(f);
  if (f->traits.plain_tables != plain) return FLAT_NONE;      /* other kernels would be needed */
  flat_patch(patches, f->kinds + kind, sizeof *f->kinds);
  flat_patch(patches, f->grids + CONDITION_COUNT * kind, CONDITION_COUNT * sizeof *f->grids);
  flat_patch(patches, f->axes + axes, (f->count.axes - axes) * sizeof *f->axes);
  flat_patch(patches, f->cells + cells, (f->count.cells - cells) * sizeof *f->cells);
  return kind;
}

bool flat_put_check_table(Flat *f, const Timing *t, CheckId check, int edge, FlatPatches *patches,
                          FlatTable *out)
{
  FlatBuild b = build_on(f, t);
  uint32_t more = 0;
  TableId id;
  TableView view;
  *out = (FlatTable){ 0, 0, 0 };
  if (!check_table(&b, &t->g->ends.checks.at[check], edge, &id, &view)) return true;
  if (!table_fits(&b, id, view, &more)) return false;
  *out = put_table(&b, id, view);
  patch_pool(f, &b, patches);
  return true;
}

bool flat_find_check_table(const Flat *f, const Timing *t, CheckId check, int edge, FlatTable *out)
{
  FlatBuild b = build_on((Flat *)f, t);
  TableId id;
  TableView view;
  *out = (FlatTable){ 0, 0, 0 };
  if (!check_table(&b, &t->g->ends.checks.at[check], edge, &id, &view)) return true;
  if (*place_of(&b, id, view) == FLAT_NONE) return false;
  *out = put_table(&b, id, view);
  return true;
}

void flat_free(Flat *f)
{
  if (f == NULL) return;
  map_free((Map *)f->host.kind_of);
  const void *own[] = { f->host.table_at,    f->levels,      f->host.port_drivers, f->slot_use,
                        f->floating,    f->end_slots,   f->summed_slots, f->slot_thresholds,
                        f->port_slot,   f->port_load,   f->arc_kind,     f->arc_slew,
                        f->arc_use,     f->kinds,       f->thresholds,   f->ramp_segments,
                        f->pool,        f->clock_slew,  f->node_tag,     f->tag_use,
                        f->tag_latency, f->map_entries, f->seed_slot,    f->seed_node,
                        f->seed_origin, f->seed_edge,   f->link_slot,    f->links,
                        f->source_levels,
                        f->derates,     f->host.no_derate,   f->slot_ideal,   f->ideals,
                        f->latch_ends,  f->checks,      f->path_ends };
  for (size_t i = 0; i < sizeof own / sizeof *own; i++) mem_free((void *)own[i]);
  flat_lanes_free(f);
  flat_narrow_free(f);
  flat_annotations_free(f);
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

/* Returns the least number of bytes that an update moves.  Two schedules have separate records for
   edges and loads; the smaller ones count.  Sums of slacks are not a part of an update. */
size_t flat_least_bytes(const Flat *f)
{
  size_t records = f->count.edges * (sizeof(FlatEdge) + sizeof(FlatOut))
                   + f->count.loads * sizeof(FlatLoad) + f->count.pairs * sizeof(FlatPair);
  unsigned starts = NUMBERS_SEEDS | NUMBERS_PORTS | NUMBERS_LATCHES;
  size_t room = (size_t)(f->count.kind_room - f->count.kinds)
                    * (sizeof(FlatKind) + CONDITION_COUNT * sizeof(FlatGrid))
                + (f->count.pool_room - f->count.pool) * sizeof(float)
                + (f->count.cell_room - f->count.cells) * sizeof(FlatCell)
                + (f->count.axes_room - f->count.axes) * sizeof(FlatAxes)
                + f->count.summed_slots * sizeof(uint32_t);
  return flat_bytes(f) - records - room + flat_number_bytes(f, NUMBERS_ALL | starts)
         + flat_number_bytes(f, NUMBERS_DELAYS | NUMBERS_ARRIVALS);
}

/* --- numbers ---------------------------------------------------------------------------------- */
Numbers flat_numbers(const Flat *f, Timing *t)
{
  return (Numbers){
    .load_cap = t->nets.load_cap,
    .pi_far = t->nets.pi_far,
    .pi_near = t->nets.pi_near,
    .pi_r = t->nets.pi_r,
    .has_rc = t->nets.has_rc,
    .elmore = t->wires.elmore,
    .impulse_sq = t->wires.impulse_sq,
    .seed_value = mem_alloc_zero((size_t)f->count.seeds + 1, sizeof(Cond4)),
    .latch_late = mem_alloc_zero(f->count.latches ? (size_t)f->count.nodes + 1 : 1, sizeof(Pair)),
    .port_slew = mem_alloc_zero((size_t)f->count.port_slots + 1, sizeof(Cond4)),
    .port_wire = mem_alloc_zero((size_t)f->count.port_loads + 1, sizeof(Cond4)),
    .extra_elmore = t->extra.elmore,
    .extra_impulse_sq = t->extra.impulse_sq,
    .extra_delay = t->extra.delay,
    .extra_slew = t->extra.slew,
    .port_extra_delay = mem_alloc_zero((size_t)f->count.port_extras + 1, sizeof(Cond4)),
    .port_extra_slew = mem_alloc_zero((size_t)f->count.port_extras + 1, sizeof(Cond4)),
    .wire_delay = t->wires.delay,
    .slew = t->slew,
    .edge_delay = t->edge_delay,
    .arrival = t->arrival,
    .check_margin = t->check_margin,
    .end_slack = t->end_slack,
    .required = t->required
  };
}

void flat_numbers_free(Numbers *numbers)
{
  mem_free(numbers->seed_value);
  mem_free(numbers->latch_late);
  mem_free(numbers->port_slew);
  mem_free(numbers->port_wire);
  mem_free(numbers->port_extra_delay);
  mem_free(numbers->port_extra_slew);
}

void flat_ports(const Flat *f, Timing *t, Numbers *numbers)
{
  cpu_driver_delays(t, f->host.port_drivers, f->host.port_driver_count);
  for (uint32_t i = 0; i < f->count.port_slots; i++)
    numbers->port_slew[i] = t->slew[f->port_slot[i]];
  for (uint32_t i = 0; i < f->count.port_loads; i++)
    numbers->port_wire[i] = t->wires.delay[f->port_load[i]];
  for (uint32_t i = 0; i < f->count.port_extras; i++) {
    numbers->port_extra_delay[i] = t->extra.delay[f->port_extra[i]];
    numbers->port_extra_slew[i] = t->extra.slew[f->port_extra[i]];
  }
}

void flat_seeds(const Flat *f, const Timing *t, Numbers *numbers)
{
  for (uint32_t i = 0; i < f->count.seeds; i++)
    for (int k = 0; k < CONDITION_COUNT; k++)
      numbers->seed_value[i].v[k] = timing_seed_start(t, &t->g->starts.seeds.at[i], k);
}

void flat_latches(const Flat *f, const Timing *t, Numbers *numbers)
{
  for (uint32_t i = 0; f->count.latches && i < f->count.nodes; i++)
    numbers->latch_late[i].v[RISE] = numbers->latch_late[i].v[FALL] = ABSENT_LATE;
  for (uint32_t i = 0; i < t->latches.arrivals.len; i++) {
    const LatchArrival *arrival = &t->latches.arrivals.at[i];
    time_merge(&numbers->latch_late[arrival->node].v[arrival->edge], LATE, arrival->arrival);
  }
}
