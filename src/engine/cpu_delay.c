/* Delays and slews of drivers and their loads, by delay model.

   With the effective capacitance model the solutions are collected in lanes (cpu_lanes.h), many arcs of many drivers at
   a time; a thread owns whole drivers, so merging needs no locks and its order does not matter (max and min). */
#include <math.h>

#include "base/interrupt.h"
#include "engine/cpu.h"
#include "engine/cpu_lanes.h"

/* Which arc, edges and analyses a driver lane is for; a job whose early and late inputs are equal serves both. */
typedef struct {
  Slot     driver;
  uint32_t edge;           /* index in edge_delay */
  uint8_t  out;
  uint8_t  analyses;       /* bit EARLY, bit LATE */
  bool     delay_only;     /* latch data to output: the output's slew is that of the opening edge */
  bool     port;           /* a port's driving cell: its delay beyond the unloaded one is the port's */
  float    unloaded;
} Job;

typedef struct {
  Cond4   *delay, *slew;   /* of the load */
  uint8_t  out, analyses;
} LoadJob;

typedef struct {
  Timing      *t;
  DriverLanes *drivers;
  LoadLanes    loads;
  Job          job[LANES];
  LoadJob      load_job[LANES];
} Work;

/* --- merging --------------------------------------------------------------------------------------------------- */
static const Cond4 nothing = { { ABSENT_EARLY, ABSENT_EARLY, ABSENT_LATE, ABSENT_LATE } };

static void merge(Cond4 *to, int early_late, int edge, float x)
{
  float *have = &to->v[condition_of(early_late, edge)];
  if (early_late == LATE ? x > *have : x < *have) *have = x;
}

static void merge_analyses(Cond4 *to, uint8_t analyses, int edge, float x)
{
  if (analyses >> EARLY & 1) merge(to, EARLY, edge, x);
  if (analyses >> LATE & 1) merge(to, LATE, edge, x);
}

/* What nothing was merged into becomes 0. */
static void settle(Cond4 *c)
{
  for (int k = 0; k < CONDITION_COUNT; k++)
    if (time_absent(c->v[k])) c->v[k] = 0;
}

/* --- loads of a driver, its own and those that follow another one ------------------------------------------------- */
typedef struct {
  Slot   slot;
  Cond4 *delay, *slew;
  const Cond4 *elmore, *impulse;
} Load;

static Load own_load(Timing *t, Slot s)
{
  uint32_t i = graph_load_index(t->g, s);
  return (Load){ s, &t->wire_delay[i], &t->slew[s], &t->elmore[i], t->impulse ? &t->impulse[i] : NULL };
}

/* Calls visit for each extra wire of a driver. */
static void each_extra(Timing *t, Slot driver, void (*visit)(Work *, const Load *, const void *), Work *w, const void *data)
{
  const Graph *g = t->g;
  if (g->extra_wires.len == 0) return;
  NetId net = netlist_pin_net(g->netlist, g->slot_pin[driver]);
  if (net == NO_NET) return;
  NetPins it = net_pins(g->netlist, net, false);
  for (PinId p; (p = net_pins_next(&it)) != NO_PIN;) {
    Slot s = g->pin_slot[p];
    if (s == NO_SLOT || slot_is_driver(g, s)) continue;
    uint32_t from, to;
    graph_extra_wires(g, s, &from, &to);
    for (uint32_t i = from; i < to; i++)
      if (g->extra_wires.at[i].driver == driver) {
        Load load = { s, &t->extra_delay[i], &t->extra_slew[i], &t->extra_elmore[i], NULL };
        visit(w, &load, data);
      }
  }
}

/* --- the loads of one driver solution ------------------------------------------------------------------------------ */
static void flush_loads(Work *w)
{
  LoadLanes *l = &w->loads;
  if (l->count == 0) return;
  load_lanes_solve(l);
  for (int i = 0; i < l->count; i++) {
    const LoadJob *j = &w->load_job[i];
    merge_analyses(j->delay, j->analyses, j->out, l->delay[i]);
    merge_analyses(j->slew, j->analyses, j->out, l->slew[i]);
  }
  l->count = 0;
}

/* Lane i of the drivers, and the analyses for which the load's Elmore constant is `elmore`. */
static void push_load(Work *w, const Load *load, int i, uint8_t analyses, float elmore)
{
  const DriverLanes *d = w->drivers;
  int out = w->job[i].out;
  if (!d->solved[i] || elmore < d->slew[i] * 1e-3f) {
    merge_analyses(load->delay, analyses, out, elmore);
    merge_analyses(load->slew, analyses, out, d->slew[i]);
    return;
  }
  LoadLanes *l = &w->loads;
  int n = l->count++;
  l->p1[n] = d->driver[i].p1;
  l->p2[n] = d->driver[i].p2;
  l->k1[n] = d->driver[i].k1;
  l->k3[n] = d->driver[i].k3;
  l->k4[n] = d->driver[i].k4;
  l->dt[n] = d->dt[i];
  l->vth[n] = d->vth[i];
  l->vl[n] = d->vl[i];
  l->vh[n] = d->vh[i];
  l->derate[n] = d->derate[i];
  l->tl[n] = d->tl[i];
  l->tth[n] = d->tth[i];
  l->th[n] = d->th[i];
  l->elmore[n] = elmore;
  l->driver_slew[n] = d->slew[i];
  w->load_job[n] = (LoadJob){ load->delay, load->slew, (uint8_t)out, analyses };
  if (l->count == LANES) flush_loads(w);
}

static void push_load_analyses(Work *w, const Load *load, const void *lane)
{
  int i = *(const int *)lane;
  const Job *j = &w->job[i];
  float early = load->elmore->v[condition_of(EARLY, j->out)], late = load->elmore->v[condition_of(LATE, j->out)];
  if (j->analyses == 3 && early == late) {
    push_load(w, load, i, 3, early);
    return;
  }
  if (j->analyses >> EARLY & 1) push_load(w, load, i, 1 << EARLY, early);
  if (j->analyses >> LATE & 1) push_load(w, load, i, 1 << LATE, late);
}

/* Delay that a port's driving cell adds to what arrives at the port. */
static Cond4 *drive_delay(Timing *t, Slot port) { return &t->drive_delays.at[map_get(t->drive_delay_of, port)]; }

/* --- driver lanes ------------------------------------------------------------------------------------------------------ */
static void flush_drivers(Work *w)
{
  DriverLanes *d = w->drivers;
  Timing *t = w->t;
  if (d->count == 0) return;
  driver_lanes_solve(d, t->model->ramps.at);
  for (int i = 0; i < d->count; i++) {
    const Job *j = &w->job[i];
    for (int el = EARLY; el <= LATE && !j->port; el++)
      if (j->analyses >> el & 1) t->edge_delay[j->edge].v[el] = d->delay[i];
    if (j->port) merge_analyses(drive_delay(t, j->driver), j->analyses, j->out, d->delay[i] - j->unloaded);
    if (j->delay_only) continue;
    merge_analyses(&t->slew[j->driver], j->analyses, j->out, d->slew[i]);
    Slot first = t->g->load_first[j->driver];
    for (Slot s = first; s < first + t->g->load_count[j->driver]; s++) {
      Load load = own_load(t, s);
      push_load_analyses(w, &load, &i);
    }
    each_extra(t, j->driver, push_load_analyses, w, &i);
  }
  d->count = 0;
}

/* One timing edge for one analysis, as a kernel sees it. */
typedef struct {
  TableView  delay, slew;
  uint32_t   thresholds;
  float      input_slew;
  float      c1, c2, rpi;
} DriverCase;

static bool same_case(const DriverCase *a, const DriverCase *b)
{
  return a->delay.data == b->delay.data && a->slew.data == b->slew.data && a->input_slew == b->input_slew &&
         a->c1 == b->c1 && a->c2 == b->c2 && a->rpi == b->rpi && a->thresholds == b->thresholds;
}

static void push_driver(Work *w, const DriverCase *c, Job job)
{
  DriverLanes *d = w->drivers;
  const Model *m = w->t->model;
  int i = d->count++;
  const Thresholds *v = &m->thresholds[c->thresholds];
  d->c1[i] = c->c1;
  d->c2[i] = c->c2;
  d->rpi[i] = c->rpi;
  d->vth[i] = v->vth;
  d->vl[i] = v->vl;
  d->vh[i] = v->vh;
  d->derate[i] = v->derate;
  d->ramp_base[i] = m->ramp_base[c->thresholds];
  driver_lanes_rows(d, i, c->delay, c->slew, c->input_slew);
  w->job[i] = job;
  if (d->count == LANES) flush_drivers(w);
}

/* --- arcs ----------------------------------------------------------------------------------------------------------------- */
/* Slew that ideal clocks have at a pin: the worst of their set_clock_transition. */
static float ideal_clock_slew(const Timing *t, Slot slot, int condition)
{
  const Graph *g = t->g;
  float worst = condition < 2 ? ABSENT_EARLY : ABSENT_LATE;
  const TagId *tags = tag_set_tags(g->tags, g->slot_tags[slot]);
  for (uint32_t i = 0; i < tag_set_count(g->tags, g->slot_tags[slot]); i++) {
    const Tag *tag = &g->tags->tags.at[tags[i]];
    if (!tag->is_clock) continue;
    float s = t->constraints->clocks.at[clock_edge_clock(tag->clock_edge)].slew[condition];
    if (isnan(s)) s = 0;
    worst = condition < 2 ? (s < worst ? s : worst) : s > worst ? s : worst;
  }
  return time_absent(worst) ? 0 : worst;
}

static bool is_launch(uint8_t type) { return type == ARC_CLOCK_RISE || type == ARC_CLOCK_FALL || type == ARC_LATCH_ENABLE; }

float cpu_input_slew(const Timing *t, Slot from, bool clock_pin, int condition)
{
  if (clock_pin && t->g->slot_flags[from] & SLOT_IDEAL_CLOCK) return ideal_clock_slew(t, from, condition);
  return t->slew[from].v[condition];
}

static bool make_case(const Timing *t, ArcId a, Slot driver, EdgePair pair, int el, DriverCase *c)
{
  const Graph *g = t->g;
  const Model *m = t->model;
  LibArcId id = m->arc_for[el][g->arc_lib[a]];
  const LibArc *lib = &m->libs->arcs.at[id];
  if (lib->delay[pair.out] == NO_TABLE) return false;
  c->delay = model_table(m, lib->delay[pair.out]);
  c->slew = lib->slew[pair.out] == NO_TABLE ? (TableView){ (const float[]){ 0, 0, 0 }, 1, 1 } : model_table(m, lib->slew[pair.out]);
  c->thresholds = model_thresholds_of(m, id, pair.out);
  c->input_slew = cpu_input_slew(t, g->arc_from[a], is_launch(lib->type), condition_of(el, pair.in));
  uint32_t d = graph_driver_index(g, driver);
  int k = condition_of(el, pair.out);
  c->c1 = t->pi_c1[d].v[k];
  c->c2 = t->pi_c2[d].v[k];
  c->rpi = t->pi_r[d].v[k];
  return true;
}

static void arc_in_lanes(Work *w, ArcId a, Slot driver)
{
  const Graph *g = w->t->g;
  for (uint32_t e = g->edge_first[a]; e < g->edge_first[a + 1]; e++) {
    EdgePair pair = graph_edge_pair(g, a, e - g->edge_first[a]);
    DriverCase early, late;
    bool has_early = make_case(w->t, a, driver, pair, EARLY, &early), has_late = make_case(w->t, a, driver, pair, LATE, &late);
    Job job = { .driver = driver, .edge = e, .out = pair.out, .analyses = 1 << EARLY, .delay_only = (g->arc_flags[a] & ARC_LATCH) != 0 };
    if (has_early && has_late && same_case(&early, &late)) {
      job.analyses = 3;
      push_driver(w, &early, job);
      continue;
    }
    if (has_early) push_driver(w, &early, job);
    job.analyses = 1 << LATE;
    if (has_late) push_driver(w, &late, job);
  }
}

/* Without lanes: the tables at the total capacitance; wires as the model says. */
static void load_by_elmore(Timing *t, const Load *load, int condition, float slew)
{
  float delay = 0, slew_out = slew;
  if (t->delay_model == DELAY_ELMORE) {
    float square = slew * slew + (load->impulse ? load->impulse->v[condition] : 0);
    delay = load->elmore->v[condition];
    slew_out = square > 0 ? sqrtf(square) : 0;
  }
  merge(load->delay, condition >> 1, condition & 1, delay);
  merge(load->slew, condition >> 1, condition & 1, slew_out);
}

static void lumped_edge(Timing *t, ArcId a, Slot driver, uint32_t e, EdgePair pair, int el, const DriverCase *c)
{
  float load = t->load_cap[graph_driver_index(t->g, driver)].v[condition_of(el, pair.out)];
  float delay = table_value(c->delay, c->input_slew, load), slew = table_value(c->slew, c->input_slew, load);
  if (t->delay_model != DELAY_ELMORE) {
    delay = delay > 0 ? delay : 0;
    slew = slew > 0 ? slew : 0;
  }
  t->edge_delay[e].v[el] = delay;
  if (!(t->g->arc_flags[a] & ARC_LATCH)) merge(&t->slew[driver], el, pair.out, slew);
}

static void arc_lumped(Timing *t, ArcId a, Slot driver)
{
  const Graph *g = t->g;
  for (uint32_t e = g->edge_first[a]; e < g->edge_first[a + 1]; e++) {
    EdgePair pair = graph_edge_pair(g, a, e - g->edge_first[a]);
    for (int el = EARLY; el <= LATE; el++) {
      DriverCase c;
      if (make_case(t, a, driver, pair, el, &c)) lumped_edge(t, a, driver, e, pair, el, &c);
    }
  }
}

/* Loads follow the driver's merged slew: with lumped wires the driver's own, with Elmore the impulse rule. */
static void extra_by_elmore(Work *w, const Load *load, const void *slew)
{
  for (int k = 0; k < CONDITION_COUNT; k++) load_by_elmore(w->t, load, k, ((const Cond4 *)slew)->v[k]);
}

static void loads_of_merged_slew(Work *w, Slot driver)
{
  Timing *t = w->t;
  Cond4 slew = t->slew[driver];
  Slot first = t->g->load_first[driver];
  for (Slot s = first; s < first + t->g->load_count[driver]; s++) {
    Load load = own_load(t, s);
    extra_by_elmore(w, &load, &slew);
  }
  each_extra(t, driver, extra_by_elmore, w, &slew);
}

/* --- input ports ------------------------------------------------------------------------------------------------------------- */
/* Library that a slot is measured with: its cell's; ports: the first. */
static LibraryId slot_library(const Timing *t, Slot slot)
{
  const Netlist *n = t->g->netlist;
  if (t->g->slot_flags[slot] & SLOT_PORT) return 0;
  LibraryId own = n->libs->cells.at[n->libs->ports.at[n->pins.at[t->g->slot_pin[slot]].port].cell].library;
  return own == NO_LIBRARY ? 0 : own;
}

/* Behind an ideal source a wire is one pole: delay -tau ln(1 - vth); its slew adds to the port's.  Thresholds are the
   load's. */
static void port_wire(Work *w, const Load *load, const void *slew)
{
  Timing *t = w->t;
  LibraryId library = slot_library(t, load->slot);
  for (int k = 0; k < CONDITION_COUNT; k++) {
    const Thresholds *v = &t->model->thresholds[2 * library + (uint32_t)(k & 1)];
    float vth = t->model->input_threshold[2 * library + (uint32_t)(k & 1)];
    float tau = load->elmore->v[k], own = ((const Cond4 *)slew)->v[k];
    merge(load->delay, k >> 1, k & 1, -tau * m_log(1.0f - vth));
    merge(load->slew, k >> 1, k & 1, own + tau * m_log((1.0f - v->vl) / (1.0f - v->vh)) / v->derate);
  }
}

/* --- driving cells: the port is driven as by an arc of a library cell -------------------------------------------------- */
static bool drive_case(const Timing *t, const PortDrive *drive, LibArcId id, Slot port, int in, int condition, DriverCase *c)
{
  const Model *m = t->model;
  const LibArc *lib = &m->libs->arcs.at[m->arc_for[condition >> 1][id]];
  int out = condition & 1;
  if (lib->delay[out] == NO_TABLE || !(lib_arc_input_edges(lib, out) >> in & 1)) return false;
  uint32_t d = graph_driver_index(t->g, port);
  c->delay = model_table(m, lib->delay[out]);
  c->slew = lib->slew[out] == NO_TABLE ? (TableView){ (const float[]){ 0, 0, 0 }, 1, 1 } : model_table(m, lib->slew[out]);
  c->thresholds = model_thresholds_of(m, id, out);
  c->input_slew = isnan(drive->from_slew[condition][in]) ? 0 : drive->from_slew[condition][in];
  c->c1 = t->pi_c1[d].v[condition];
  c->c2 = t->pi_c2[d].v[condition];
  c->rpi = t->pi_r[d].v[condition];
  return true;
}

/* Without lanes: table values at the total capacitance. */
static void drive_lumped(Work *w, Slot port, const DriverCase *c, int condition, float unloaded)
{
  Timing *t = w->t;
  float load = t->load_cap[graph_driver_index(t->g, port)].v[condition];
  float slew = table_value(c->slew, c->input_slew, load);
  merge(drive_delay(t, port), condition >> 1, condition & 1, table_value(c->delay, c->input_slew, load) - unloaded);
  merge(&t->slew[port], condition >> 1, condition & 1, slew > 0 ? slew : 0);
  Slot first = t->g->load_first[port];
  for (Slot s = first; s < first + t->g->load_count[port]; s++) {
    Load l = own_load(t, s);
    merge(l.delay, condition >> 1, condition & 1, t->delay_model == DELAY_ELMORE ? l.elmore->v[condition] : 0);
    merge(l.slew, condition >> 1, condition & 1, slew > 0 ? slew : 0);
  }
}

static void drive_arc(Work *w, Slot port, const PortDrive *drive, LibArcId id, int condition, bool lanes)
{
  for (int in = RISE; in <= FALL; in++) {
    DriverCase c;
    if (!drive_case(w->t, drive, id, port, in, condition, &c)) continue;
    float unloaded = table_value(c.delay, c.input_slew, 0);
    if (!lanes) {
      drive_lumped(w, port, &c, condition, unloaded);
      continue;
    }
    push_driver(w, &c, (Job){ .driver = port, .out = (uint8_t)(condition & 1), .analyses = (uint8_t)(1 << (condition >> 1)), .port = true,
                              .unloaded = unloaded > 0 ? unloaded : 0 });
  }
}

static void cell_driven_port(Work *w, Slot port, const PortDrive *drive, bool lanes)
{
  const LibrarySet *libs = w->t->model->libs;
  for (int k = 0; k < CONDITION_COUNT; k++) {
    if (drive->cell[k] == NO_CELL) continue;
    const LibCell *cell = &libs->cells.at[drive->cell[k]];
    for (LibArcId a = cell->first_arc; a < cell->first_arc + cell->arc_count; a++) {
      const LibArc *arc = &libs->arcs.at[a];
      if (arc->from == drive->from_port[k] && arc->to == drive->to_port[k] && !arc_type_is_check((ArcType)arc->type))
        drive_arc(w, port, drive, a, k, lanes);
    }
  }
}

static void port_driver(Work *w, Slot port)
{
  Timing *t = w->t;
  Cond4 *slew = &t->slew[port];
  const PortDrive *drive = constraints_find_drive(t->constraints, t->g->slot_pin[port]);
  bool rc = t->delay_model == DELAY_CEFF && t->has_rc[graph_driver_index(t->g, port)];
  if (map_get(t->drive_delay_of, port) != MAP_NO_VALUE) {
    *drive_delay(t, port) = nothing;
    cell_driven_port(w, port, drive, rc);
    return;
  }
  for (int k = 0; k < CONDITION_COUNT; k++) slew->v[k] = drive && !isnan(drive->slew[k]) ? drive->slew[k] : 0;
  if (!rc) {
    loads_of_merged_slew(w, port);
    return;
  }
  Cond4 own = *slew;
  Slot first = t->g->load_first[port];
  for (Slot s = first; s < first + t->g->load_count[port]; s++) {
    Load load = own_load(t, s);
    port_wire(w, &load, &own);
  }
  each_extra(t, port, port_wire, w, &own);
}

/* --- ideal networks ------------------------------------------------------------------------------------------------------ */
static Cond4 ideal_value(const Timing *t, Slot slot, bool slew)
{
  const IdealPin *p = constraints_find_ideal_pin(t->constraints, t->g->slot_pin[slot]);
  Cond4 c = { { 0, 0, 0, 0 } };
  for (int k = 0; p && k < CONDITION_COUNT; k++) {
    float x = slew ? p->slew[k] : p->latency[k];
    c.v[k] = isnan(x) ? 0 : x;
  }
  return c;
}

/* A driver inside: no delay but its latency, and so its wires. */
static void ideal_driver(Work *w, Slot driver)
{
  Timing *t = w->t;
  const Graph *g = t->g;
  Cond4 latency = ideal_value(t, driver, false);
  t->slew[driver] = ideal_value(t, driver, true);
  for (ArcId a = g->arc_first[driver]; a < g->arc_first[driver + 1]; a++)
    for (uint32_t e = g->edge_first[a]; e < g->edge_first[a + 1]; e++) {
      EdgePair p = graph_edge_pair(g, a, e - g->edge_first[a]);
      for (int el = EARLY; el <= LATE; el++) t->edge_delay[e].v[el] = latency.v[condition_of(el, p.out)];
    }
  for (Slot s = g->load_first[driver]; s < g->load_first[driver] + g->load_count[driver]; s++) {
    t->wire_delay[graph_load_index(g, s)] = ideal_value(t, s, false);
    t->slew[s] = constraints_find_ideal_pin(t->constraints, g->slot_pin[s]) ? ideal_value(t, s, true) : t->slew[driver];
  }
}

/* --- drivers -------------------------------------------------------------------------------------------------------------------- */
static void clear_extra(Work *w, const Load *load, const void *unused)
{
  (void)w;
  (void)unused;
  *load->delay = *load->slew = nothing;
}

static void clear_driver(Work *w, Slot driver)
{
  Timing *t = w->t;
  Slot first = t->g->load_first[driver];
  t->slew[driver] = nothing;
  for (Slot s = first; s < first + t->g->load_count[driver]; s++) {
    t->slew[s] = nothing;
    t->wire_delay[graph_load_index(t->g, s)] = nothing;
  }
  each_extra(t, driver, clear_extra, w, NULL);
}

static void evaluate_driver(Work *w, Slot driver)
{
  Timing *t = w->t;
  const Graph *g = t->g;
  clear_driver(w, driver);
  if (g->slot_flags[driver] & SLOT_IDEAL) {
    ideal_driver(w, driver);
    return;
  }
  if (g->slot_flags[driver] & SLOT_PORT) {
    port_driver(w, driver);
    return;
  }
  bool lanes = t->delay_model == DELAY_CEFF && t->has_rc[graph_driver_index(g, driver)];
  for (ArcId a = g->arc_first[driver]; a < g->arc_first[driver + 1]; a++) {
    if (!arc_on(g, a) || g->arc_flags[a] & ARC_LATCH) continue;      /* latch arcs: cpu_latch_delays */
    if (lanes) arc_in_lanes(w, a, driver);
    else arc_lumped(t, a, driver);
  }
  if (!lanes) {
    settle(&t->slew[driver]);
    loads_of_merged_slew(w, driver);
  }
}

/* --- other libraries: a load is measured with its own thresholds ------------------------------------------------------------ */
/* From the driver's thresholds to the load's, the edge being a straight line between the driver's: the crossing moves
   by the difference of the delay thresholds, the slew by the ratio of the spans. */
static void adjust_thresholds(const Timing *t, Slot driver, Slot load, Cond4 *delay, Cond4 *slew)
{
  LibraryId from = slot_library(t, driver), to = slot_library(t, load);
  if (from == to || t->delay_model == DELAY_ELMORE || t->g->slot_flags[driver] & SLOT_PORT) return;
  for (int k = 0; k < CONDITION_COUNT; k++) {
    const Thresholds *d = &t->model->thresholds[2 * from + (uint32_t)(k & 1)], *l = &t->model->thresholds[2 * to + (uint32_t)(k & 1)];
    float load_vth = t->model->input_threshold[2 * to + (uint32_t)(k & 1)];
    float move = slew->v[k] * (load_vth - d->vth) / (d->vh - d->vl);
    if (time_absent(slew->v[k])) continue;
    delay->v[k] += (k & 1) == RISE ? move : -move;
    slew->v[k] *= (l->vh - l->vl) / l->derate / ((d->vh - d->vl) / d->derate);
  }
}

/* Absent values become 0; a load of several drivers takes the worst slew of all wires. */
static void settle_driver(Timing *t, Slot driver)
{
  const Graph *g = t->g;
  settle(&t->slew[driver]);
  if (g->slot_flags[driver] & SLOT_PORT && map_get(t->drive_delay_of, driver) != MAP_NO_VALUE) settle(drive_delay(t, driver));
  Slot first = g->load_first[driver];
  for (Slot s = first; s < first + g->load_count[driver]; s++) {
    uint32_t from, to;
    adjust_thresholds(t, driver, s, &t->wire_delay[graph_load_index(g, s)], &t->slew[s]);
    graph_extra_wires(g, s, &from, &to);
    for (uint32_t i = from; i < to; i++) {
      adjust_thresholds(t, g->extra_wires.at[i].driver, s, &t->extra_delay[i], &t->extra_slew[i]);
      for (int k = 0; k < CONDITION_COUNT; k++) merge(&t->slew[s], k >> 1, k & 1, t->extra_slew[i].v[k]);
      settle(&t->extra_delay[i]);
    }
    settle(&t->slew[s]);
    settle(&t->wire_delay[graph_load_index(g, s)]);
    bool own_network = g->slot_flags[s] & SLOT_IDEAL && !(g->slot_flags[driver] & SLOT_IDEAL);
    if (own_network) t->slew[s] = ideal_value(t, s, true);      /* the network begins at this input */
  }
}

enum { CHUNK = 32 };

static void evaluate_chunk(Work *w, const Slot *drivers, Slot first, uint32_t count)
{
  for (uint32_t i = 0; i < count; i++) evaluate_driver(w, drivers ? drivers[i] : first + i);
  flush_drivers(w);
  flush_loads(w);
}

/* drivers NULL: the slots first, first + 1, ... */
static void evaluate(Timing *t, const Slot *drivers, Slot first, uint32_t count)
{
  uint32_t chunks = (count + CHUNK - 1) / CHUNK;
#pragma omp parallel if (count > PARALLEL_LEAST) num_threads(t->threads)
  {
    Work *w = mem_alloc_zero(1, sizeof *w);
    w->t = t;
    w->drivers = driver_lanes_new((int)t->model->row_segments);
#pragma omp for schedule(dynamic, 4)
    for (uint32_t c = 0; c < chunks; c++) {
      uint32_t at = c * CHUNK, n = count - at < CHUNK ? count - at : CHUNK;
      if (!interrupt_seen()) evaluate_chunk(w, drivers ? drivers + at : NULL, first + at, n);
    }
    driver_lanes_free(w->drivers);
    mem_free(w);
    /* a load may wait for drivers of other chunks: settled when all have been evaluated */
#pragma omp for schedule(static)
    for (uint32_t i = 0; i < count; i++) settle_driver(t, drivers ? drivers[i] : first + i);
  }
}

/* Latch data arcs stand outside the levels: their starts have slews only when all levels are done. */
void cpu_latch_delays(Timing *t)
{
  const Graph *g = t->g;
  if (g->latches.len == 0) return;
  Work *w = mem_alloc_zero(1, sizeof *w);
  w->t = t;
  w->drivers = driver_lanes_new((int)t->model->row_segments);
  for (uint32_t i = 0; i < g->latches.len; i++) {
    const Latch *l = &g->latches.at[i];
    if (i > 0 && g->latches.at[i - 1].arc == l->arc) continue;
    if (t->delay_model == DELAY_CEFF && t->has_rc[graph_driver_index(g, l->output)]) arc_in_lanes(w, l->arc, l->output);
    else arc_lumped(t, l->arc, l->output);
  }
  flush_drivers(w);
  driver_lanes_free(w->drivers);
  mem_free(w);
}

void cpu_driver_delays(Timing *t, const Slot *drivers, uint32_t count) { evaluate(t, drivers, 0, count); }

void cpu_level_delays(Timing *t, uint32_t level)
{
  const Graph *g = t->g;
  evaluate(t, NULL, g->level_first[level], g->level_loads[level] - g->level_first[level]);
}
