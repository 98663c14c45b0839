/* Computes ports (ideal sources and driving cells) and the drivers inside ideal networks. */
#include <math.h>

#include "cpu/cpu_work.h"
#include "timing/scaling.h"

LibraryId delay_library(const Timing *t, Slot slot, int early_late)
{
  const Netlist *n = t->g->netlist;
  if (t->g->slots.flags[slot] & SLOT_PORT) return 0;
  LibraryId own =
      t->corner_libs
          ->library_for[early_late][n->libs->ports.at[n->pins.at[t->g->slots.pin[slot]].port].cell];
  return own == NO_LIBRARY ? 0 : own;
}

/* --- input ports ------------------------------------------------------------------------------ */
/* Returns delay and slew of a load behind a port by DELAY_PORT_EDGE: a straight edge with the
   port's slew goes through the wire.  It is measured with the thresholds of the port, and converted
   for a load of another library later (delay_move_port_loads). */
static DelaySlew source_wire(const Timing *t, LibraryId load, int k, float slew, WireMoments wire)
{
  Thresholds v = t->corner_libs->thresholds[k & 1];
  if (load == 0) v.vth = t->corner_libs->input_threshold[k & 1];
  CsSolution edge;
  CsLevels levels = cs_levels(v);
  if (wire.elmore < slew * 1e-3f || wire.elmore < CS_LEAST_TAU)
    return (DelaySlew){ wire.elmore, slew };
  cs_ramp(&levels, slew * levels.derate, &edge);
  return cs_load(edge.step, &levels, wire.elmore, wire.impulse_sq);
}

/* Computes a load behind a port.  Without DELAY_PORT_EDGE the wire is one pole: its delay is -tau
   ln(1 - vth), and its slew is added to that of the port.  The pole is measured with the thresholds
   of the load.  For a load of another library, delay and slew are then converted from the
   thresholds of the port to those of the load, the pole included, as for loads behind cells
   (delay_move_port_loads).  The reference does the same (doc/agreement.md). */
static void port_wire(Work *work, const Load *load, const void *slew)
{
  Timing *t = work->t;
  for (int k = 0; k < CONDITION_COUNT; k++) {
    LibraryId library = delay_library(t, load->slot, k >> 1);
    const Thresholds *thresholds = &t->corner_libs->thresholds[2 * library + (uint32_t)(k & 1)];
    float vth = t->corner_libs->input_threshold[2 * library + (uint32_t)(k & 1)];
    float tau = load->elmore->v[k], own = ((const Cond4 *)slew)->v[k];
    if (time_absent(own)) continue;      /* a cell drives the port in this condition */
    if (delay_has(t->delay_model, DELAY_PORT_EDGE)) {
      DelaySlew r = source_wire(t, library, k, own, delay_moments(load, k));
      cond_merge(load->delay, k >> 1, k & 1, r.delay);
      cond_merge(load->slew, k >> 1, k & 1, r.slew);
      continue;
    }
    cond_merge(load->delay, k >> 1, k & 1, -tau * m_log(1.0f - vth));
    cond_merge(
        load->slew, k >> 1, k & 1,
        own + tau * m_log((1.0f - thresholds->vl) / (1.0f - thresholds->vh)) / thresholds->derate);
  }
}

/* --- driving cells: the port is driven as by an arc of a library cell ------------------------- */
static bool drive_case(const Timing *t, const PortDrive *drive, LibArcId id, Slot port, int in,
                       int condition, DriverCase *driver_case)
{
  const CornerLibs *libs = t->corner_libs;
  const LibArc *lib = &libs->libs->arcs.at[libs->arc_for[condition >> 1][id]];
  int out = condition & 1;
  if (lib->delay[out] == NO_TABLE || !(lib_arc_input_edges(lib, out) >> in & 1)) return false;
  uint32_t d = graph_driver_index(t->g, port);
  driver_case->delay = scaling_drive_table(t, drive, condition, lib, false);
  driver_case->slew = lib->slew[out] == NO_TABLE
                          ? delay_no_table()
                          : scaling_drive_table(t, drive, condition, lib, true);
  driver_case->thresholds = corner_libs_thresholds_of(libs, id, out);
  driver_case->input_slew =
      isnan(drive->from_slew[condition][in]) ? 0 : drive->from_slew[condition][in];
  driver_case->net = timing_pi(t, d, condition);
  return true;
}

/* Computes a driving cell without lanes: table values at the total capacitance. */
static void drive_lumped(Work *work, Slot port, const DriverCase *driver_case, int condition,
                         float unloaded)
{
  Timing *t = work->t;
  float load = t->nets.load_cap[graph_driver_index(t->g, port)].v[condition];
  float slew = table_value(driver_case->slew, driver_case->input_slew, load);
  cond_merge(delay_drive(t, port), condition >> 1, condition & 1,
             table_value(driver_case->delay, driver_case->input_slew, load) - unloaded);
  cond_merge(&t->slew[port], condition >> 1, condition & 1, slew > 0 ? slew : 0);
}

static void drive_arc(Work *work, Slot port, const PortDrive *drive, LibArcId id, int condition,
                      bool lanes)
{
  for (int in = RISE; in <= FALL; in++) {
    DriverCase c;
    if (!drive_case(work->t, drive, id, port, in, condition, &c)) continue;
    float unloaded = table_value(c.delay, c.input_slew, 0);
    if (!lanes) {
      drive_lumped(work, port, &c, condition, unloaded);
      continue;
    }
    delay_push(work, &c,
               (EdgeJob){ .driver = port,
                          .out = (uint8_t)(condition & 1),
                          .analyses = (uint8_t)(1 << (condition >> 1)),
                          .port = true,
                          .unloaded = unloaded });
  }
}

static bool is_sibling(const LibArc *a, const LibArc *b)
{
  return a->from == b->from && a->to == b->to && a->type == b->type && a->edge == b->edge;
}

/* The inputs of a driving cell have no values, so no condition is always true.  An arc without a
   condition counts next to its siblings, unless such arcs never count. */
static bool drive_counts(const Timing *t, const LibCell *cell, const LibArc *arc, int out)
{
  if (t->g->rules.default_arcs != DEFAULT_ARCS_NEVER || !lib_arc_is_default(arc)) return true;
  for (uint32_t i = 0; i < cell->arc_count; i++) {
    const LibArc *other = &t->corner_libs->libs->arcs.at[cell->first_arc + i];
    bool has_edge = other->when != NO_FUNCTION && other->output_edges >> out & 1;
    if (has_edge && is_sibling(other, arc)) return false;
  }
  return true;
}

static bool drives(const PortDrive *drive, const LibArc *arc, int condition)
{
  return arc->from == drive->from_port[condition] && arc->to == drive->to_port[condition] &&
         !arc_type_is_check((ArcType)arc->type);
}

static void cell_driven_port(Work *work, Slot port, const PortDrive *drive, bool lanes)
{
  const LibrarySet *libs = work->t->corner_libs->libs;
  for (int k = 0; k < CONDITION_COUNT; k++) {
    if (drive->cell[k] == NO_CELL) continue;
    const LibCell *cell = &libs->cells.at[drive->cell[k]];
    for (LibArcId a = cell->first_arc; a < cell->first_arc + cell->arc_count; a++) {
      const LibArc *arc = &libs->arcs.at[a];
      if (drives(drive, arc, k) && drive_counts(work->t, cell, arc, k & 1))
        drive_arc(work, port, drive, a, k, lanes);
    }
  }
}

/* --- ports that no cell drives -------------------------------------------------------------------

   They have a given slew, or a resistance: its product with the load is their delay and slew. */
/* Computes the slews of a port in the conditions without a driving cell.  The other conditions do
   not change.  They are absent in *own. */
static void plain_port(Timing *t, Slot port, const PortDrive *drive, bool cells, Cond4 *own)
{
  Cond4 *added =
      map_get(t->ports.drive_delay_of, port) == MAP_NO_VALUE ? NULL : delay_drive(t, port);
  const Cond4 *load = &t->nets.load_cap[graph_driver_index(t->g, port)];
  *own = cond_nothing();
  for (int k = 0; k < CONDITION_COUNT; k++) {
    if (cells && drive->cell[k] != NO_CELL) continue;
    bool resistance = drive && !isnan(drive->resistance[k]);
    own->v[k] = resistance                        ? drive->resistance[k] * load->v[k]
                : drive && !isnan(drive->slew[k]) ? drive->slew[k]
                                                  : 0;
    t->slew[port].v[k] = own->v[k];
    if (added) added->v[k] = resistance ? own->v[k] : 0;
  }
}

void delay_port(Work *work, Slot port)
{
  Timing *t = work->t;
  const PortDrive *drive = constraints_find_drive(t->constraints, t->g->slots.pin[port]);
  bool rc = timing_has_waves(t, graph_driver_index(t->g, port));
  bool cells = map_get(t->ports.drive_delay_of, port) != MAP_NO_VALUE;
  Cond4 own;
  if (cells) *delay_drive(t, port) = cond_nothing();
  plain_port(t, port, drive, cells, &own);
  if (cells) cell_driven_port(work, port, drive, rc);
  if (!rc) {
    delay_merged_loads(work, port);
    return;
  }
  Slot first = t->g->nets.load_first[port];
  for (Slot s = first; s < first + t->g->nets.load_count[port]; s++) {
    Load load = delay_own_load(t, s);
    port_wire(work, &load, &own);
  }
  delay_each_extra(t, port, port_wire, work, &own);
}

/* --- loads whose thresholds differ from the port's -----------------------------------------------

   A port is measured with the thresholds of its driving cell's library; without a driving cell,
   with those of the first library. */
static LibraryId port_library(const Timing *t, const PortDrive *drive, int condition)
{
  if (drive == NULL || drive->cell[condition] == NO_CELL) return 0;
  LibraryId own = t->corner_libs->library_for[condition >> 1][drive->cell[condition]];
  return own == NO_LIBRARY ? 0 : own;
}

static void move_load(const Timing *t, const PortDrive *drive, Slot load, Cond4 *delay, Cond4 *slew)
{
  for (int k = 0; k < CONDITION_COUNT; k++)
    delay_move_thresholds(t, port_library(t, drive, k), load, k, &delay->v[k], &slew->v[k]);
}

void delay_move_port_loads(Timing *t, Slot port)
{
  const Graph *g = t->g;
  if (delay_has(t->delay_model, DELAY_CONTEST_RULES) || g->libs->libraries.len < 2) return;
  if (g->slots.flags[port] & SLOT_IDEAL) return;
  const PortDrive *drive = constraints_find_drive(t->constraints, g->slots.pin[port]);
  for (Slot s = g->nets.load_first[port]; s < g->nets.load_first[port] + g->nets.load_count[port];
       s++)
    move_load(t, drive, s, &t->wires.delay[graph_load_index(g, s)], &t->slew[s]);
  DriverExtras it = driver_extras(g, port);
  while (driver_extras_next(&it))
    move_load(t, drive, g->nets.extra_wires.at[it.index].load, &t->extra.delay[it.index],
              &t->extra.slew[it.index]);
}

/* --- ideal networks --------------------------------------------------------------------------- */
Cond4 delay_ideal_value(const Timing *t, Slot slot, bool slew)
{
  const IdealPin *pin = constraints_find_ideal_pin(t->constraints, t->g->slots.pin[slot]);
  Cond4 c = { { 0, 0, 0, 0 } };
  for (int k = 0; pin && k < CONDITION_COUNT; k++) {
    float x = slew ? pin->slew[k] : pin->latency[k];
    c.v[k] = isnan(x) ? 0 : x;
  }
  return c;
}

void delay_add_latency(Timing *t, ArcId a, const Cond4 *latency)
{
  const Graph *g = t->g;
  for (uint32_t e = g->arcs.edge_first[a]; e < g->arcs.edge_first[a + 1]; e++) {
    EdgePair p = graph_edge_pair(g, a, e - g->arcs.edge_first[a]);
    for (int el = EARLY; el <= LATE; el++)
      t->edge_delay[e].v[el] += latency->v[condition_of(el, p.out)];
  }
}

/* Computes an arc that ends where an ideal network begins: its own delay plus the latency of the
   pin. */
static void begin_arc(Timing *t, ArcId a, const Cond4 *latency)
{
  if (!arc_on(t->g, a) || t->g->arcs.flags[a] & ARC_LATCH) return;
  delay_clear_arc(t, a);
  delay_arc_lumped(t, a, t->g->arcs.to[a]);
  delay_add_latency(t, a, latency);
}

static void ideal_arc(Timing *t, ArcId a, const Cond4 *latency)
{
  const Graph *g = t->g;
  for (uint32_t e = g->arcs.edge_first[a]; e < g->arcs.edge_first[a + 1]; e++) {
    EdgePair p = graph_edge_pair(g, a, e - g->arcs.edge_first[a]);
    for (int el = EARLY; el <= LATE; el++)
      t->edge_delay[e].v[el] = latency->v[condition_of(el, p.out)];
  }
}

/* Returns the slew of a load in an ideal network: its own set_ideal_transition, else the slew of
   its driver. */
static Cond4 ideal_load_slew(const Timing *t, Slot load, const Cond4 *driver)
{
  const IdealPin *pin = constraints_find_ideal_pin(t->constraints, t->g->slots.pin[load]);
  Cond4 slew = *driver;
  for (int k = 0; pin && k < CONDITION_COUNT; k++)
    if (!isnan(pin->slew[k])) slew.v[k] = pin->slew[k];
  return slew;
}

/* Computes a driver inside an ideal network.  Its arcs have no delay except its latency, and its
   wires have no delay.  The latency of a port is added before the port. */
void delay_ideal(Work *work, Slot driver)
{
  Timing *t = work->t;
  const Graph *g = t->g;
  bool begins = g->slots.flags[driver] & SLOT_IDEAL_BEGIN;
  Cond4 latency = delay_ideal_value(t, driver, false);
  if (g->slots.flags[driver] & SLOT_PORT
      && map_get(t->ports.drive_delay_of, driver) != MAP_NO_VALUE)
    *delay_drive(t, driver) = latency;
  for (ArcId a = g->arcs.first[driver]; a < g->arcs.first[driver + 1]; a++) {
    if (begins) begin_arc(t, a, &latency);
    else ideal_arc(t, a, &latency);
  }
  t->slew[driver] = delay_ideal_value(t, driver, true);
  for (Slot s = g->nets.load_first[driver];
       s < g->nets.load_first[driver] + g->nets.load_count[driver]; s++) {
    t->wires.delay[graph_load_index(g, s)] = delay_ideal_value(t, s, false);
    t->slew[s] = ideal_load_slew(t, s, &t->slew[driver]);
  }
}
