#include "timing/timing.h"

#include "timing/credit.h"
#include "timing/end_slacks.h"

#include <math.h>

#include "timing/scaling.h"
#include "timing/variation.h"
#include "timing/wire_load.h"

/* --- ports: capacitance that constraints add -------------------------------------------------- */
static void add_port_caps(Timing *t)
{
  const Constraints *c = t->constraints;
  t->port_cap = map_new();
  for (uint32_t i = 0; i < c->port_loads.len; i++) {
    const PortLoad *p = &c->port_loads.at[i];
    Slot slot = graph_slot(t->g, p->pin, false);
    if (slot == NO_SLOT) continue;
    Cond4 cap;
    for (int k = 0; k < CONDITION_COUNT; k++)
      cap.v[k] = (isnan(p->pin_load[k]) ? 0 : p->pin_load[k])
                 + (isnan(p->wire_load[k]) ? wire_load_outside(t, p, k >> 1) : p->wire_load[k]);
    map_put(t->port_cap, slot, t->port_caps.len);
    array_push(&t->port_caps, cap);
  }
}

static Cond4 *port_cap_of(Timing *t, Slot slot)
{
  uint32_t at = map_get(t->port_cap, slot);
  if (at == MAP_NO_VALUE) {
    at = t->port_caps.len;
    map_put(t->port_cap, slot, at);
    array_push(&t->port_caps, (Cond4){ { 0, 0, 0, 0 } });
  }
  return &t->port_caps.at[at];
}

/* Loads that parasitics give ports: where set_load gives none. */
static void add_annotated_loads(Timing *t, int side)
{
  const Parasitics *p = t->parasitics[side];
  for (uint32_t i = 0; p && i < p->port_loads.len; i++) {
    RcPortLoad load = p->port_loads.at[i];
    const PortLoad *given = constraints_find_port_load(t->constraints, load.port);
    Slot slot = load.port < t->g->pin_count ? graph_slot(t->g, load.port, false) : NO_SLOT;
    if (slot == NO_SLOT) continue;
    Cond4 *cap = port_cap_of(t, slot);
    for (int k = 2 * side; k < 2 * side + 2; k++)
      if (given == NULL || isnan(given->pin_load[k])) cap->v[k] += load.cap;
  }
}

/* The latency of a port in an ideal network, instead of a driving cell's delay; of another pin
   where arrivals begin. */
static void add_ideal_starts(Timing *t)
{
  const Constraints *c = t->constraints;
  for (uint32_t i = 0; i < c->ideal_pins.len; i++) {
    const IdealPin *p = &c->ideal_pins.at[i];
    Slot slot = p->pin == NO_PIN ? NO_SLOT : graph_slot(t->g, p->pin, true);
    if (slot == NO_SLOT || !slot_is_driver(t->g, slot)) continue;
    uint16_t flags = t->g->slot_flags[slot];
    if (!(flags & SLOT_IDEAL) || !(flags & (SLOT_PORT | SLOT_SEED)) ||
        map_get(t->drive_delay_of, slot) != MAP_NO_VALUE)
      continue;
    Cond4 latency;
    for (int k = 0; k < CONDITION_COUNT; k++) {
      float x = p->latency[t->single ? k | 2 : k];
      latency.v[k] = isnan(x) ? 0 : x;
    }
    map_put(t->drive_delay_of, slot, t->drive_delays.len);
    array_push(&t->drive_delays, latency);
  }
}

static void add_drives(Timing *t)
{
  const Constraints *c = t->constraints;
  t->drive_delay_of = map_new();
  for (uint32_t i = 0; i < c->drives.len; i++) {
    const PortDrive *d = &c->drives.at[i];
    bool drives = false;
    for (int k = 0; k < CONDITION_COUNT; k++)
      drives |= d->cell[k] != NO_CELL || !isnan(d->resistance[k]);
    Slot slot = drives && d->pin != NO_PIN ? graph_slot(t->g, d->pin, true) : NO_SLOT;
    if (slot == NO_SLOT) continue;
    map_put(t->drive_delay_of, slot, t->drive_delays.len);
    array_push(&t->drive_delays, (Cond4){ { 0, 0, 0, 0 } });
  }
}

/* --- derates ---------------------------------------------------------------------------------- */
static void overlay(DerateRow *row, const Derate *d, DerateKind kind)
{
  if (d == NULL) return;
  for (int path = 0; path < 2; path++)
    for (int k = 0; k < CONDITION_COUNT; k++)
      if (!isnan(d->factor[kind][path][k])) row->factor[path][k] = d->factor[kind][path][k];
}

/* Two rows of one hash: the second takes the next free key. */
uint32_t derate_rows_add(DerateRows *r, const DerateRow *row)
{
  uint64_t key = hash_bytes((const char *)row, sizeof *row);
  if (r->index == NULL) r->index = map_new();
  for (uint32_t i; (i = map_get(r->index, key)) != MAP_NO_VALUE; key += 1ull << 32)
    if (memcmp(&r->rows.at[i], row, sizeof *row) == 0) return i;
  map_put(r->index, key, r->rows.len);
  array_push(&r->rows, *row);
  return r->rows.len - 1;
}

void derate_rows_free(DerateRows *r)
{
  array_free(&r->rows);
  map_free(r->index);
}

/* The factors of one kind at a place, from the farthest object that speaks of it to the nearest:
   the later overlays the earlier. */
typedef struct {
  const Constraints *c;
  const Netlist     *n;
  DerateKind kind;
  DerateRow  row;
} DerateAt;

static void overlay_object(DerateAt *d, uint32_t type, uint32_t id)
{
  overlay(&d->row, constraints_find_derate(d->c, (Object){ type, id }), d->kind);
}

/* Cells, the outer ones first. */
static void overlay_blocks(DerateAt *d, InstId inst)
{
  if (inst == TOP_INST || inst == NO_INST) return;
  overlay_blocks(d, d->n->insts.at[inst].parent);
  overlay_object(d, OBJ_CELL, inst);
}

static DerateAt derate_of_design(const Timing *t, DerateKind kind)
{
  DerateAt d = { .c = t->constraints, .n = t->g->netlist, .kind = kind };
  for (int path = 0; path < 2; path++)
    for (int k = 0; k < CONDITION_COUNT; k++) d.row.factor[path][k] = 1.0f;
  overlay_object(&d, OBJ_DESIGN, 0);
  return d;
}

static DerateRow cell_derate(const Timing *t, Slot slot, DerateKind kind)
{
  DerateAt d = derate_of_design(t, kind);
  InstId inst = d.n->pins.at[t->g->slot_pin[slot]].inst;
  if (inst == TOP_INST) return d.row;
  overlay_object(&d, OBJ_LIB_CELL, d.n->insts.at[inst].master);
  overlay_blocks(&d, inst);
  return d.row;
}

/* A wire belongs to the hierarchical cell in which its load is. */
static DerateRow net_derate(const Timing *t, Slot load)
{
  DerateAt d = derate_of_design(t, DERATE_NET_DELAY);
  SegId seg = d.n->pins.at[t->g->slot_pin[load]].seg;
  if (seg == NO_SEG) return d.row;
  overlay_blocks(&d, d.n->segs.at[seg].scope);
  overlay_object(&d, OBJ_NET, seg);
  return d.row;
}

static void add_derates(Timing *t)
{
  const Graph *g = t->g;
  if (t->constraints->derates.len == 0) return;
  t->arc_derate = mem_alloc_zero((size_t)g->arc_count + 1, sizeof *t->arc_derate);
  t->wire_derate = mem_alloc_zero((size_t)g->load_total + 1, sizeof *t->wire_derate);
  t->check_derate = mem_alloc_zero((size_t)g->checks.len + 1, sizeof *t->check_derate);
  for (Slot s = 0; s < g->slot_count; s++) {
    DerateRow row = slot_is_driver(g, s) ? cell_derate(t, s, DERATE_CELL_DELAY) : net_derate(t, s);
    uint32_t id = derate_rows_add(&t->derates, &row);
    if (!slot_is_driver(g, s)) t->wire_derate[graph_load_index(g, s)] = id;
    for (ArcId a = g->arc_first[s]; a < g->arc_first[s + 1]; a++) t->arc_derate[a] = id;
  }
  DerateRow plain;
  for (int i = 0; i < 2 * CONDITION_COUNT; i++)
    plain.factor[i / CONDITION_COUNT][i % CONDITION_COUNT] = 1;
  for (CheckId c = 0; c < g->checks.len; c++) {
    bool own = g->checks.at[c].lib == NO_LIB_ARC;      /* a constraint's margin, not the
                                                          library's */
    DerateRow row = own ? plain : cell_derate(t, g->checks.at[c].data, DERATE_CELL_CHECK);
    t->check_derate[c] = derate_rows_add(&t->derates, &row);
  }
}

/* --- life ------------------------------------------------------------------------------------- */
#define NEW(field, count) (t->field = mem_alloc_zero((size_t)(count) + 1, sizeof *t->field))

Timing *timing_new(const Graph *g, const Model *m, const Parasitics *const parasitics[2],
                   DelayModel model)
{
  Timing *t = mem_alloc_zero(1, sizeof *t);
  t->g = g;
  t->model = m;
  t->constraints = g->constraints;
  t->parasitics[EARLY] = parasitics[EARLY];
  t->parasitics[LATE] = parasitics[LATE];
  t->delay_model = model;
  t->kept = mem_alloc_zero(1, sizeof *t->kept);
  NEW(load_cap, g->driver_count);
  if (model == DELAY_CEFF) {
    NEW(pi_c1, g->driver_count);
    NEW(pi_c2, g->driver_count);
    NEW(pi_r, g->driver_count);
  }
  NEW(has_rc, g->driver_count);
  NEW(elmore, g->load_total);
  if (model == DELAY_ELMORE) NEW(impulse, g->load_total);
  NEW(wire_delay, g->load_total);
  NEW(extra_elmore, g->extra_wires.len);
  if (model == DELAY_ELMORE) NEW(extra_impulse, g->extra_wires.len);
  NEW(extra_delay, g->extra_wires.len);
  NEW(extra_slew, g->extra_wires.len);
  NEW(shared_slew, g->extra_wires.len);
  NEW(slew, g->slot_count);
  NEW(edge_delay, g->edge_count);
  NEW(arrival, g->node_count);
  NEW(required, g->node_count);
  NEW(check_margin, g->checks.len);
  NEW(row_slack, g->rows.len);
  t->ends = end_slacks_new(g);
  if (g->references.len) NEW(seed_reference, g->seeds.len);
  t->single = t->constraints->analysis == ANALYSIS_SINGLE;
  t->scaling = scaling_new(g, m, t->constraints);
  add_port_caps(t);
  for (int el = EARLY; el <= LATE; el++) add_annotated_loads(t, el);
  add_drives(t);
  add_ideal_starts(t);
  add_derates(t);
  t->wires = wire_estimates(t);
  return t;
}

void timing_set_common(Timing *t, CommonOptions options)
{
  t->common_options = options;
  common_new(t);
}

void timing_annotate(Timing *t, const Annotations *a)
{
  overrides_free(t->overrides);
  t->overrides = overrides_new(t->g, a);
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
  void *arrays[] = {
    t->arrival_variance, t->edge_sigma,   t->check_sigma,  t->arc_sigma,     t->wire_sigma,
    t->load_cap,         t->pi_c1,        t->pi_c2,        t->pi_r,          t->has_rc,
    t->elmore,           t->impulse,      t->wire_delay,   t->extra_elmore,  t->extra_impulse,
    t->shared_slew,      t->extra_delay,  t->extra_slew,   t->slew,          t->edge_delay,
    t->arrival,          t->required,     t->check_margin, t->row_slack,     t->arc_derate,
    t->wire_derate,      t->check_derate, t->wires,        t->seed_reference
  };
  for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) mem_free(arrays[i]);
  scaling_free(t->scaling);
  map_free(t->port_cap);
  map_free(t->drive_delay_of);
  array_free(&t->drive_delays);
  array_free(&t->port_caps);
  derate_rows_free(&t->derates);
  derate_rows_free(&t->sigmas);
  array_free(&t->latch_arrivals);
  mem_free(t);
}

size_t timing_bytes(const Timing *t)
{
  const Graph *g = t->g;
  return (size_t)g->driver_count * ((t->pi_c1 ? 4 : 1) * 16 + 1)
         + (size_t)g->load_total * (t->impulse ? 48 : 32) + (size_t)g->slot_count * 16
         + (size_t)g->edge_count * 8 + (size_t)g->node_count * 32 + (size_t)g->checks.len * 8
         + (size_t)g->rows.len * 8
         + (t->arrival_variance
                ? (size_t)g->node_count * 16 + (size_t)g->edge_count * 8 + (size_t)g->checks.len * 8
                : 0)
         + common_bytes(t);
}
