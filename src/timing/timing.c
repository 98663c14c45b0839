/* Makes and frees the numbers of timing, and compiles values of ports and derates for them. */
#include "timing/timing.h"

#include <math.h>

#include "base/interrupt.h"
#include "timing/credit.h"
#include "timing/end_slacks.h"
#include "timing/scaling.h"
#include "timing/variation.h"
#include "timing/wire_load.h"

/* --- ports: capacitance that constraints add -------------------------------------------------- */
static void add_port_caps(Timing *t)
{
  const Constraints *c = t->constraints;
  t->ports.cap_of = map_new();
  for (uint32_t i = 0; i < c->port_loads.len; i++) {
    const PortLoad *load = &c->port_loads.at[i];
    Slot slot = graph_slot(t->g, load->pin, false);
    if (slot == NO_SLOT) continue;
    Cond4 cap;
    for (int k = 0; k < CONDITION_COUNT; k++)
      cap.v[k] =
          (isnan(load->pin_load[k]) ? 0 : load->pin_load[k])
          + (isnan(load->wire_load[k]) ? wire_load_outside(t, load, k >> 1) : load->wire_load[k]);
    map_put(t->ports.cap_of, slot, t->ports.caps.len);
    array_push(&t->ports.caps, cap);
  }
}

static Cond4 *port_cap_of(Timing *t, Slot slot)
{
  uint32_t at = map_get(t->ports.cap_of, slot);
  if (at == MAP_NO_VALUE) {
    at = t->ports.caps.len;
    map_put(t->ports.cap_of, slot, at);
    array_push(&t->ports.caps, (Cond4){ { 0, 0, 0, 0 } });
  }
  return &t->ports.caps.at[at];
}

/* Adds the loads that parasitics give for ports, where set_load gives none. */
static void add_annotated_loads(Timing *t, int side)
{
  const Parasitics *parasitics = t->parasitics[side];
  for (uint32_t i = 0; parasitics && i < parasitics->port_loads.len; i++) {
    RcPortLoad load = parasitics->port_loads.at[i];
    const PortLoad *given = constraints_find_port_load(t->constraints, load.port);
    Slot slot = load.port < t->g->pin_count ? graph_slot(t->g, load.port, false) : NO_SLOT;
    if (slot == NO_SLOT) continue;
    Cond4 *cap = port_cap_of(t, slot);
    for (int k = 2 * side; k < 2 * side + 2; k++)
      if (given == NULL || isnan(given->pin_load[k])) cap->v[k] += load.cap;
  }
}

/* Adds the latencies of ports in ideal networks, instead of the delays of their driving cells, and
   those of other pins where arrivals begin. */
static void add_ideal_starts(Timing *t)
{
  const Constraints *c = t->constraints;
  for (uint32_t i = 0; i < c->ideal_pins.len; i++) {
    const IdealPin *pin = &c->ideal_pins.at[i];
    Slot slot = pin->pin == NO_PIN ? NO_SLOT : graph_slot(t->g, pin->pin, true);
    if (slot == NO_SLOT || !slot_is_driver(t->g, slot)) continue;
    uint16_t flags = t->g->slots.flags[slot];
    if (!(flags & SLOT_IDEAL) || !(flags & (SLOT_PORT | SLOT_SEED)) ||
        map_get(t->ports.drive_delay_of, slot) != MAP_NO_VALUE)
      continue;
    Cond4 latency;
    for (int k = 0; k < CONDITION_COUNT; k++) {
      float x = pin->latency[t->single ? k | 2 : k];
      latency.v[k] = isnan(x) ? 0 : x;
    }
    map_put(t->ports.drive_delay_of, slot, t->ports.drive_delays.len);
    array_push(&t->ports.drive_delays, latency);
  }
}

static void add_drives(Timing *t)
{
  const Constraints *c = t->constraints;
  t->ports.drive_delay_of = map_new();
  for (uint32_t i = 0; i < c->drives.len; i++) {
    const PortDrive *drive = &c->drives.at[i];
    bool drives = false;
    for (int k = 0; k < CONDITION_COUNT; k++)
      drives |= drive->cell[k] != NO_CELL || !isnan(drive->resistance[k]);
    Slot slot = drives && drive->pin != NO_PIN ? graph_slot(t->g, drive->pin, true) : NO_SLOT;
    if (slot == NO_SLOT) continue;
    map_put(t->ports.drive_delay_of, slot, t->ports.drive_delays.len);
    array_push(&t->ports.drive_delays, (Cond4){ { 0, 0, 0, 0 } });
  }
}

/* --- derates ---------------------------------------------------------------------------------- */
static void overlay(DerateRow *row, const Derate *derate, DerateKind kind)
{
  if (derate == NULL) return;
  for (int path = 0; path < 2; path++)
    for (int k = 0; k < CONDITION_COUNT; k++)
      if (!isnan(derate->factor[kind][path][k]))
        row->factor[path][k] = derate->factor[kind][path][k];
}

/* Returns the index of a row. If another row has the same hash, the row takes the next free key. */
uint32_t derate_rows_add(DerateRows *rows, const DerateRow *row)
{
  uint64_t key = hash_bytes((const char *)row, sizeof *row);
  if (rows->index == NULL) rows->index = map_new();
  for (uint32_t i; (i = map_get(rows->index, key)) != MAP_NO_VALUE; key += 1ull << 32)
    if (memcmp(&rows->rows.at[i], row, sizeof *row) == 0) return i;
  map_put(rows->index, key, rows->rows.len);
  array_push(&rows->rows, *row);
  return rows->rows.len - 1;
}

void derate_rows_free(DerateRows *rows)
{
  array_free(&rows->rows);
  map_free(rows->index);
}

/* The factors of one kind at a place, from the farthest object that gives one to the nearest; later
   factors replace earlier ones. */
typedef struct {
  const Constraints *c;
  const Netlist     *n;
  DerateKind kind;
  DerateRow  row;
  bool       is_all;         /* no object but the design has factors */
} DerateAt;

static void overlay_object(DerateAt *at, uint32_t type, uint32_t id)
{
  overlay(&at->row, constraints_find_derate(at->c, (Object){ type, id }), at->kind);
}

/* Applies the factors of the cells around an instance, the outer ones first. */
static void overlay_blocks(DerateAt *at, InstId inst)
{
  if (inst == TOP_INST || inst == NO_INST) return;
  overlay_blocks(at, at->n->insts.at[inst].parent);
  overlay_object(at, OBJ_CELL, inst);
}

static DerateAt derate_of_design(const Timing *t, DerateKind kind)
{
  DerateAt d = { .c = t->constraints, .n = t->g->netlist, .kind = kind };
  for (int path = 0; path < 2; path++)
    for (int k = 0; k < CONDITION_COUNT; k++) d.row.factor[path][k] = 1.0f;
  overlay_object(&d, OBJ_DESIGN, 0);
  d.is_all = true;
  for (uint32_t i = 0; i < d.c->derates.len; i++)
    d.is_all = d.is_all && d.c->derates.at[i].object.type == OBJ_DESIGN;
  return d;
}

static DerateRow cell_derate(const Timing *t, Slot slot, DerateAt d)
{
  if (d.is_all) return d.row;
  InstId inst = d.n->pins.at[t->g->slots.pin[slot]].inst;
  if (inst == TOP_INST) return d.row;
  overlay_object(&d, OBJ_LIB_CELL, d.n->insts.at[inst].master);
  overlay_blocks(&d, inst);
  return d.row;
}

/* Returns the factors of a wire. It belongs to the hierarchical cell that contains its load. */
static DerateRow net_derate(const Timing *t, Slot load, DerateAt d)
{
  if (d.is_all) return d.row;
  SegId seg = d.n->pins.at[t->g->slots.pin[load]].seg;
  if (seg == NO_SEG) return d.row;
  overlay_blocks(&d, d.n->segs.at[seg].scope);
  overlay_object(&d, OBJ_NET, seg);
  return d.row;
}

/* Neighbours mostly have the same row, which is added again without a look at the others. */
typedef struct {
  DerateRow row;
  uint32_t  id;
  bool      has;
} LastRow;

static uint32_t add_row(Timing *t, LastRow *last, DerateRow row)
{
  if (last->has && memcmp(&last->row, &row, sizeof row) == 0) return last->id;
  *last = (LastRow){ row, derate_rows_add(&t->derates.rows, &row), true };
  return last->id;
}

enum { AT_ONCE = 1024 };          /* slots between looks at the flag */

/* After an interrupt a part is missing. */
static void add_derates(Timing *t)
{
  const Graph *g = t->g;
  if (t->constraints->derates.len == 0) return;
  t->derates.arc = mem_alloc_zero((size_t)g->arcs.count + 1, sizeof *t->derates.arc);
  t->derates.wire = mem_alloc_zero((size_t)g->nets.load_total + 1, sizeof *t->derates.wire);
  t->derates.check = mem_alloc_zero((size_t)g->ends.checks.len + 1, sizeof *t->derates.check);
  DerateAt cells = derate_of_design(t, DERATE_CELL_DELAY),
           nets = derate_of_design(t, DERATE_NET_DELAY),
           checks = derate_of_design(t, DERATE_CELL_CHECK);
  LastRow last[2] = { 0 };   /* of loads, of drivers */
  for (Slot s = 0; s < g->slots.count; s++) {
    if (s % AT_ONCE == AT_ONCE - 1 && interrupt_seen()) return;
    bool driver = slot_is_driver(g, s);
    uint32_t id = add_row(t, &last[driver],
                          driver ? cell_derate(t, s, cells) : net_derate(t, s, nets));
    if (!driver) t->derates.wire[graph_load_index(g, s)] = id;
    for (ArcId a = g->arcs.first[s]; a < g->arcs.first[s + 1]; a++) t->derates.arc[a] = id;
  }
  DerateRow plain;
  for (int i = 0; i < 2 * CONDITION_COUNT; i++)
    plain.factor[i / CONDITION_COUNT][i % CONDITION_COUNT] = 1;
  for (CheckId c = 0; c < g->ends.checks.len; c++) {
    bool own = g->ends.checks.at[c].lib == NO_LIB_ARC;      /* the margin comes from a constraint */
    DerateRow row = own ? plain : cell_derate(t, g->ends.checks.at[c].data, checks);
    t->derates.check[c] = derate_rows_add(&t->derates.rows, &row);
  }
}

/* --- life ------------------------------------------------------------------------------------- */
#define NEW(field, count) (t->field = mem_alloc_zero((size_t)(count) + 1, sizeof *t->field))

void timing_nets_new(Timing *t)
{
  const Graph *g = t->g;
  bool has_impulses = delay_has(t->delay_model, DELAY_NEEDS_IMPULSE);
  NEW(nets.load_cap, g->nets.driver_count);
  if (delay_has(t->delay_model, DELAY_NEEDS_PI)) {
    NEW(nets.pi_far, g->nets.driver_count);
    NEW(nets.pi_near, g->nets.driver_count);
    NEW(nets.pi_r, g->nets.driver_count);
  }
  NEW(nets.has_rc, g->nets.driver_count);
  NEW(wires.elmore, g->nets.load_total);
  if (has_impulses) NEW(wires.impulse_sq, g->nets.load_total);
  NEW(extra.elmore, g->nets.extra_wires.len);
  if (has_impulses) NEW(extra.impulse_sq, g->nets.extra_wires.len);
}

void timing_nets_free(Timing *t)
{
  void *arrays[] = { t->nets.load_cap,    t->nets.pi_far,  t->nets.pi_near,
                     t->nets.pi_r,        t->nets.has_rc,  t->wires.elmore,
                     t->wires.impulse_sq, t->extra.elmore, t->extra.impulse_sq };
  for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) mem_free(arrays[i]);
}

Timing *timing_new(const Graph *g, const CornerLibs *libs, const Parasitics *const parasitics[2],
                   DelayModel model)
{
  Timing *t = mem_alloc_zero(1, sizeof *t);
  t->g = g;
  t->corner_libs = libs;
  t->constraints = g->constraints;
  t->parasitics[EARLY] = parasitics[EARLY];
  t->parasitics[LATE] = parasitics[LATE];
  t->delay_model = model;
  t->kept = mem_alloc_zero(1, sizeof *t->kept);
  timing_nets_new(t);
  NEW(wires.delay, g->nets.load_total);
  NEW(extra.delay, g->nets.extra_wires.len);
  NEW(extra.slew, g->nets.extra_wires.len);
  NEW(extra.shared_slew, g->nets.extra_wires.len);
  NEW(slew, g->slots.count);
  NEW(edge_delay, g->arcs.edge_count);
  NEW(arrival, g->nodes.count);
  NEW(required, g->nodes.count);
  NEW(check_margin, g->ends.checks.len);
  NEW(end_slack, g->ends.path_ends.len);
  t->ends = end_slacks_new(g);
  if (g->starts.references.len) NEW(seed_reference, g->starts.seeds.len);
  t->single = t->constraints->analysis == ANALYSIS_SINGLE;
  t->scaling = scaling_new(g, libs, t->constraints);
  add_port_caps(t);
  for (int el = EARLY; el <= LATE; el++) add_annotated_loads(t, el);
  add_drives(t);
  add_ideal_starts(t);
  add_derates(t);
  t->nets.estimate = wire_estimates(t);
  return t;
}

void timing_set_common(Timing *t, CommonOptions options)
{
  t->common_options = options;
  common_new(t);
}

void timing_annotate(Timing *t, const Annotations *annotations)
{
  overrides_free(t->overrides);
  t->overrides = overrides_new(t->g, annotations);
  t->annotated++;
}

void timing_forget(const Timing *t)
{
  if (t->kept->data) t->kept->free(t->kept->data);
  *t->kept = (TimingKept){ 0 };
}

void timing_free(Timing *t)
{
  if (t == NULL) return;
  timing_forget(t);
  mem_free(t->kept);
  for (int i = OWNER_COUNT; i-- > 0;)
    if (t->owned[i].data) t->owned[i].free(t->owned[i].data);
  common_free(t);
  end_slacks_free(t->ends);
  overrides_free(t->overrides);
  ocv_paths_free(t->ocv_paths);
  timing_nets_free(t);
  void *arrays[] = { t->sigma.arrival_variance,
                     t->sigma.edge,
                     t->sigma.check,
                     t->sigma.arc,
                     t->sigma.wire,
                     t->wires.delay,
                     t->extra.shared_slew,
                     t->extra.delay,
                     t->extra.slew,
                     t->slew,
                     t->edge_delay,
                     t->arrival,
                     t->required,
                     t->check_margin,
                     t->end_slack,
                     t->derates.arc,
                     t->derates.wire,
                     t->derates.check,
                     t->nets.estimate,
                     t->seed_reference };
  for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) mem_free(arrays[i]);
  scaling_free(t->scaling);
  map_free(t->ports.cap_of);
  map_free(t->ports.drive_delay_of);
  array_free(&t->ports.drive_delays);
  array_free(&t->ports.caps);
  derate_rows_free(&t->derates.rows);
  derate_rows_free(&t->sigma.rows);
  array_free(&t->latches.arrivals);
  mem_free(t);
}

/* Does a slew at a driver of a clock network come from data? */
static bool has_data_before(const Graph *g, Slot clock)
{
  for (ArcId a = g->arcs.first[clock]; a < g->arcs.first[clock + 1]; a++)
    if (arc_shapes(g, a) && !graph_slot_has_clock(g, g->arcs.from[a])) return true;
  return false;
}

bool timing_late_stands_alone(const Timing *t)
{
  const Graph *g = t->g;
  if (t->common || g->arcs.latches.len || g->ends.data_references.len || g->nets.extra_wires.len)
    return false;
  for (uint32_t i = 0; i < g->nets.driver_count; i++) {
    Slot s = g->nets.driver_slots[i];
    if (graph_slot_has_clock(g, s) && has_data_before(g, s)) return false;
  }
  return true;
}

size_t timing_bytes(const Timing *t)
{
  const Graph *g = t->g;
  return (size_t)g->nets.driver_count * ((t->nets.pi_far ? 4 : 1) * 16 + 1)
         + (size_t)g->nets.load_total * (t->wires.impulse_sq ? 48 : 32)
         + (size_t)g->slots.count * 16 + (size_t)g->arcs.edge_count * 8
         + (size_t)g->nodes.count * 32 + (size_t)g->ends.checks.len * 8
         + (size_t)g->ends.path_ends.len * 8
         + (t->sigma.arrival_variance ? (size_t)g->nodes.count * 16 + (size_t)g->arcs.edge_count * 8
                                            + (size_t)g->ends.checks.len * 8
                                      : 0)
         + common_bytes(t);
}
