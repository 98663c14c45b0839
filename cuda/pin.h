/* The work of one lane: a timing edge, early or late, or one condition of a load. The numbers of a
   pin are absent at first, and several lanes merge their results into them. cuda/arrival.h and
   cuda/delay.h do the same with one thread for each driver; regular loads are called plain here;
   device/flat.h explains them and irregular loads. */
#ifndef SL_CUDA_PIN_H
#define SL_CUDA_PIN_H

#include "cuda/arrival.h"
#include "cuda/kernel.h"
#include "cuda/wave.h"

/* Returns the condition whose delays a lane uses. With a single analysis, early delays are the late
   ones. */
SL_HD int delay_condition(const FlatView *v, int k)
{
  return v->f.traits.single ? condition_of(LATE, k & 1) : k;
}

/* Does a lane compute slews? With a single analysis only late lanes do, and settle_slew copies them
   after the levels. */
SL_HD int brings_slews(const FlatView *v, int el) { return el == LATE || !v->f.traits.single; }

/* --- wires ------------------------------------------------------------------------------------ */
/* Returns the delay of a wire before annotation. */
SL_HD float bare_wire(const FlatView *v, uint32_t load, int k)
{
  WireMoments wire =
      moments_to_inherit(v, v->n.elmore, v->n.impulse_sq, load, delay_condition(v, k));
  return settled(delay_inherit(v->f.traits.delay_model, wire, 0).delay);
}

SL_HD float wire_or_annotated(const FlatView *v, uint32_t load, int k, float x)
{
  return v->f.traits.annotated & ANNOTATED_WIRES ? annotated_wire(v, load, delay_condition(v, k), x)
                                                 : x;
}

SL_HD float plain_wire(const FlatView *v, uint32_t load, int k)
{
  return wire_or_annotated(v, load, k, bare_wire(v, load, k));
}

/* Returns the slew of a plain load from the slew of its driver. */
SL_HD float slew_after_wire(const FlatView *v, float slew, float impulse_sq)
{
  WireMoments wire = { 0, impulse_sq };
  return settled(delay_inherit(v->f.traits.delay_model, wire, settled(slew)).slew);
}

/* Returns the slew of a plain load. c: the result of delay_condition. */
SL_HD float plain_slew(const FlatView *v, uint32_t driver, uint32_t load, int c)
{
  return slew_after_wire(v, v->n.slew[driver].v[c],
                     moments_to_inherit(v, v->n.elmore, v->n.impulse_sq, load, c).impulse_sq);
}

SL_HD float wire_end(const FlatView *v, uint32_t load, uint32_t tag_node, float start, float delay,
                     int k)
{
  int clock = v->f.count.derates && clock_node(v, tag_node);
  return start + derated(delay, derate_of(v, v->f.wire_derate, load, clock, k));
}

/* --- timing edges --------------------------------------------------------------------------------
   A level waits for the slew and the arrival at the start of an edge, and then for a
   FlatCell of the edge's tables.  Everything else is read before. */
typedef struct {
  FlatGrid grid;
  FlatAxes axes;
  GridPlace load;                  /* position of cap in the grid */
  float    cap;                    /* the capacitance that the end of the edge drives */
  float    wire, impulse_sq;          /* if the edge starts at a plain load: its wire */
} EdgeNet;

SL_HD uint32_t driver_index(const FlatLevel *level, uint32_t slot)
{
  return slot - level->first_slot + level->first_driver;
}

SL_HD void read_axes(const FlatView *v, EdgeNet *n)
{
  n->axes = v->f.axes[n->grid.axes];
  n->load = grid_place(n->axes.of2, n->grid.n2, n->cap);
}

/* tables: the edge's tables are read.  waves: most likely by a waveform, which reads the axes
   itself. */
SL_HD EdgeNet edge_net(const FlatView *v, const FlatLevel *level, const FlatEdge *r, int el,
                       int tables, int waves)
{
  EdgeNet n;
  int in = delay_condition(v, condition_of(el, r->in)),
      out = delay_condition(v, condition_of(el, r->out));
  n.cap = n.wire = n.impulse_sq = 0;
  n.grid.n1 = 0;
  n.load.segment = 0;
  n.load.fraction = 0;
  if (r->wire != FLAT_NONE)
    n.impulse_sq = moments_to_inherit(v, v->n.elmore, v->n.impulse_sq, r->wire, in).impulse_sq;
  if (r->wire != FLAT_NONE
      && (flat_model_has(&v->f, DELAY_IMPULSE_RULE) || v->f.traits.annotated & ANNOTATED_WIRES))
    n.wire = plain_wire(v, r->wire, in);
  if (!tables) return n;
  n.cap = v->n.load_cap[driver_index(level, r->to)].v[out];
  n.grid = v->f.grids[CONDITION_COUNT * r->kind + (uint32_t)out];
  if (!waves) read_axes(v, &n);
  return n;
}

SL_HD float edge_input_slew(const FlatView *v, const FlatEdge *r, float impulse_sq, int el)
{
  int c = delay_condition(v, condition_of(el, r->in));
  float slew = settled(flat_slew(v, r->slew, c));      /* a pin without a driver has no slew */
  return r->wire == FLAT_NONE || r->slew & FLAT_CLOCK_SLEW ? slew
                                                           : slew_after_wire(v, slew, impulse_sq);
}

/* Returns the arrival at the start of an edge. For a plain load it is the arrival at the node of
   its driver plus the delay of the wire. */
SL_HD float edge_start(const FlatView *v, const FlatEdge *r, float wire, uint32_t from, uint32_t to,
                       float arrival, int k)
{
  if (time_absent(arrival)) return arrival;
  if (r->use & FLAT_LAUNCH) {
    uint32_t tag = v->f.node_tag[from];
    if (v->f.tag_use[v->f.node_tag[to]] & FLAT_BARE) return 0;
    if (v->f.tag_use[tag] & FLAT_IDEAL) return ideal_latency(v, tag, k >> 1, k & 1);
  }
  return r->wire == FLAT_NONE ? arrival : wire_end(v, r->wire, from, arrival, wire, k);
}

SL_HD void merge_arrival(const FlatView *v, const FlatEdge *r, float wire, uint32_t from,
                         uint32_t to, float arrival, int el, float delay)
{
  int k = condition_of(el, r->out);
  float start = edge_start(v, r, wire, from, to, arrival, condition_of(el, r->in));
  if (time_absent(start)) return;
  int clock = v->f.count.derates && clock_node(v, to);
  lane_merge(&v->n.arrival[to].v[k], el,
             start + derated(delay, derate_of(v, v->f.arc_derate, r->arc, clock, k)));
}

SL_HD void merge_mapped(const FlatView *v, const FlatEdge *r, float wire, int el, float delay)
{
  uint32_t from = v->f.arc_from[r->arc], shift = r->from_node - v->f.node_first[from];
  Joined j = joined(v, v->f.arc_map[r->arc], from, r->to);
  for (uint32_t n = 0; n < j.count; n++) {
    JoinedPair p = joined_pair(v, &j, n);
    if (p.mask >> (2 * r->in + r->out) & 1)
      merge_arrival(v, r, wire, p.from + shift, p.to,
                    v->n.arrival[p.from + shift].v[condition_of(el, r->in)], el, delay);
  }
}

/* Returns the arrival at the first node of an edge, if the nodes are joined one by one. */
SL_HD float first_arrival(const FlatView *v, const FlatEdge *r, int el)
{
  return r->nodes == 0 || r->nodes == FLAT_MAPPED
             ? ABSENT_LATE
             : v->n.arrival[r->from_node].v[condition_of(el, r->in)];
}

SL_HD void merge_arrivals(const FlatView *v, const FlatEdge *r, float wire, float first, int el,
                          float delay)
{
  if (r->nodes == FLAT_MAPPED) {
    merge_mapped(v, r, wire, el, delay);
    return;
  }
  for (uint32_t n = 0; n < r->nodes; n++) {
    float arrival = n ? v->n.arrival[r->from_node + n].v[condition_of(el, r->in)] : first;
    merge_arrival(v, r, wire, r->from_node + n, r->to_node + n, arrival, el, delay);
  }
}

SL_HD DelaySlew tables_value(const FlatView *v, const FlatKind *kind, int c, float x1, float x2)
{
  DelaySlew r;
  r.delay = table_value(flat_table(v, kind->delay[c]), x1, x2);
  r.slew = table_value(flat_table(v, kind->slew[c]), x1, x2);
  return r;
}

SL_HD DelaySlew within_model(const FlatView *v, DelaySlew x)
{
  x.slew = delay_table_slew(v->f.traits.delay_model, x.slew);
  return x;
}

/* --- the delay of an edge ------------------------------------------------------------------------

   The tables are read at the total capacitance, or at the effective capacitance if the net has a pi
   model. */
SL_HD float table_delay(const FlatView *v, const EdgeNet *net, const FlatEdge *r, uint32_t edge,
                        int el)
{
  int k = condition_of(el, r->out);
  if (net->grid.n1 == 0) return v->n.edge_delay[edge].v[el];
  float input = edge_input_slew(v, r, net->impulse_sq, el);
  DelaySlew x = net->grid.n1 == FLAT_NO_GRID
                    ? tables_value(v, &v->f.kinds[r->kind], delay_condition(v, k), input, net->cap)
                    : grid_at(v, &net->grid, &net->axes, input, net->load);
  x = within_model(v, x);
  v->n.edge_delay[edge].v[el] = x.delay;
  if (brings_slews(v, el)) lane_merge(&v->n.slew[r->to].v[k], el, x.slew);
  return x.delay;
}

SL_HD uint32_t wave_at(const FlatLevel *level, uint32_t edge, int el)
{
  return 2 * (edge - level->first_edge) + (uint32_t)el;
}

/* The kinds of edges that a kernel computes. WAVE_NONE: the nets have no pi models. WAVE_GRID: nets
   may have pi models; only edges whose tables form a grid. WAVE_SAME: these, where all libraries
   have the same levels (FlatTraits.same_levels). WAVE_PLAIN: only the other edges. */
enum { WAVE_NONE, WAVE_GRID, WAVE_SAME, WAVE_PLAIN };

SL_HD const CsLevels *levels_of(const FlatView *v, uint32_t thresholds, int waves)
{
  return waves == WAVE_SAME ? &v->f.all_levels : &v->f.source_levels[thresholds];
}

/* The tables of an edge at an input slew, and its net. */
typedef struct {
  int      model, condition;
  uint32_t kind, driver;
  float    input_slew;
} WaveProblem;

/* Solves an edge whose tables do not form a grid (WAVE_PLAIN). */
SL_HD void solve_plain(const FlatView *v, const WaveProblem *p, DriverSolution *s)
{
  const FlatKind *kind = &v->f.kinds[p->kind];
  int c = p->condition;
  const FlatThresholds *t = &v->f.thresholds[kind->thresholds[c]];
  DriverTables tables = cut_tables(v, kind->delay[c], kind->slew[c], p->input_slew, t->ramp_base);
  driver_solve(p->model, &tables, flat_pi(v, p->driver, c), t->v, s);
}

SL_HD void solve_grid(const FlatView *v, const WaveProblem *p, const EdgeNet *net, int waves,
                      DriverSolution *s)
{
  GridTables tables;
  tables.v = v;
  tables.cut = grid_cut(v, &net->grid, p->input_slew);
  tables.bend = net->grid.bend;
  uint32_t t = v->f.kinds[p->kind].thresholds[p->condition];
  tables.t = v->f.thresholds[t];
  tables.levels = levels_of(v, t, waves);
  grid_solve(p->model, &tables, flat_pi(v, p->driver, p->condition), tables.t.v, s);
}

SL_HD FlatWave no_wave(void)
{
  const FlatWave none = { 0 };
  return none;
}

/* Where a waveform is stored: its index, and which kernels have it (WAVE_...). */
typedef struct {
  uint32_t at;
  int      waves, model;
} WavePlace;

/* The bows of a waveform of current_source. Those of neighbouring edges lie side by side. */
SL_HD CsBows bows_at(const FlatView *v, uint32_t wave)
{
  CsBows b = { v->n.wave_bows + wave, v->f.count.source_waves };
  return b;
}

/* Stores a waveform for the loads. */
SL_HD void put_wave(const FlatView *v, WavePlace to, FlatWave w)
{
  v->n.waves[to.at] = w;
  if (!delay_has(to.model, DELAY_BY_THRESHOLD)) return;
  float step[CS_KNOTS];
  cs_shape_steps(&w.shape, step);
  cs_put_bows(step, levels_of(v, w.thresholds, to.waves), bows_at(v, to.at));
}

SL_HD DelaySlew load_of_wave(const FlatView *v, WavePlace from, const FlatWave *w,
                                 WireMoments wire)
{
  if (!delay_has(from.model, DELAY_BY_THRESHOLD))
    return load_solve(from.model, &w->shape, v->f.thresholds[w->thresholds].v, wire);
  if (load_inherits(&w->shape, wire)) return load_inherited(&w->shape, wire);
  float step[CS_KNOTS];
  cs_shape_steps(&w->shape, step);
  CsWaveform d = { step, bows_at(v, from.at), levels_of(v, w->thresholds, from.waves) };
  return cs_load_of(&d, wire.elmore, wire.impulse_sq);
}

/* Returns the delay of an edge with a waveform. waves: WAVE_GRID or WAVE_PLAIN. */
SL_HD float wave_delay(const FlatView *v, const FlatLevel *level, const EdgeNet *net,
                       const FlatEdge *r, uint32_t edge, int el, int waves, int model)
{
  int k = condition_of(el, r->out), c = delay_condition(v, k);
  WavePlace to = { wave_at(level, edge, el), waves, model };
  if (net->grid.n1 == 0) {
    v->n.waves[to.at] = no_wave();
    return v->n.edge_delay[edge].v[el];
  }
  DriverSolution s;
  WaveProblem p = { model, c, r->kind, driver_index(level, r->to), edge_input_slew(v, r, 0, el) };
  if (waves == WAVE_PLAIN) solve_plain(v, &p, &s);
  else solve_grid(v, &p, net, waves, &s);
  FlatWave w;
  w.shape = s.shape;
  w.thresholds = v->f.kinds[r->kind].thresholds[c];
  w.mark = WAVE_THERE | (r->out == FALL ? WAVE_FALLS : 0);
  put_wave(v, to, w);
  v->n.edge_delay[edge].v[el] = s.delay;
  if (brings_slews(v, el)) lane_merge(&v->n.slew[r->to].v[k], el, s.slew);
  return s.delay;
}

SL_HD int has_waves(const FlatView *v, const FlatLevel *level, uint32_t slot)
{
  return flat_model_has(&v->f, DELAY_BY_WAVE) && v->n.has_rc[driver_index(level, slot)];
}

/* Applies annotation to the delay of an edge, and stores the delay. With a single analysis the
   early delay is the late one. */
SL_HD float edge_or_annotated(const FlatView *v, uint32_t edge, int el, float x)
{
  float delay = annotated_edge(v, edge, v->f.traits.single ? LATE : el, x);
  v->n.edge_delay[edge].v[el] = delay;
  return delay;
}

/* Computes a timing edge.
   delays: the delay is computed, else it is read
   waves:  WAVE_..., the edges that the kernel computes
   model:  the delay model; it is a constant in kernels of waves */
SL_HD void edge_lane(const FlatView *v, const FlatLevel *level, EdgeNet *net,
                     const FlatEdge *r, uint32_t edge, int el, int delays, int waves, int model)
{
  float delay;
  if (!r->use || (waves && (net->grid.n1 == FLAT_NO_GRID) != (waves == WAVE_PLAIN))) return;
  float first = first_arrival(v, r, el);
  if (!delays || !(r->use & FLAT_SHAPES)) delay = v->n.edge_delay[edge].v[el];
  else if (waves && has_waves(v, level, r->to))
    delay = wave_delay(v, level, net, r, edge, el, waves, model);
  else {
    if (waves) v->n.waves[wave_at(level, edge, el)].mark = 0;
    if (waves) read_axes(v, net);
    delay = table_delay(v, net, r, edge, el);
  }
  if (delays && v->f.traits.annotated & ANNOTATED_EDGES && r->use & FLAT_SHAPES)
    delay = edge_or_annotated(v, edge, el, net->grid.n1 ? delay : 0);
  if (r->use & FLAT_ON) merge_arrivals(v, r, net->wire, first, el, delay);
}

/* --- drivers that take more ------------------------------------------------------------------- */
typedef struct { uint32_t first, end; } EdgeRange;

SL_HD EdgeRange edges_to(const FlatView *v, uint32_t slot)
{
  EdgeRange r;
  r.first = v->f.edge_first[v->f.arc_first[slot]];
  r.end = v->f.edge_first[v->f.arc_first[slot + 1]];
  return r;
}

/* Computes a driver in an ideal network (see ideal_arcs). */
SL_HD void ideal_driver(const FlatView *v, const FlatLevel *level, uint32_t slot, int k)
{
  const FlatIdeal *own = &v->f.ideals[v->f.slot_ideal[slot]];
  int begins = v->f.slot_use[slot] & FLAT_BEGINS, c = delay_condition(v, k);
  EdgeRange range = edges_to(v, slot);
  for (uint32_t e = range.first; e < range.end; e++) {
    FlatEdge r = v->f.edges[e];
    if (r.out != (k & 1) || (begins && !(v->f.arc_use[r.arc] & FLAT_ON))) continue;
    float delay = own->latency.v[c];
    if (begins) {
      EdgeNet net = edge_net(v, level, &r, k >> 1, 1, WAVE_NONE);
      delay = table_delay(v, &net, &r, e, k >> 1);
      delay = (net.grid.n1 == 0 ? 0 : delay) + own->latency.v[c];
    }
    v->n.edge_delay[e].v[k >> 1] =
        v->f.traits.annotated & ANNOTATED_EDGES ? edge_or_annotated(v, e, k >> 1, delay) : delay;
  }
  v->n.slew[slot].v[k] = own->slew.v[c];
}

SL_HD void finish_edges(const FlatView *v, const FlatLevel *level, uint32_t slot, int k)
{
  EdgeRange range = edges_to(v, slot);
  for (uint32_t e = range.first; e < range.end; e++) {
    FlatEdge r = v->f.edges[e];
    r.use = v->f.arc_use[r.arc];
    if (r.out != (k & 1) || !(r.use & FLAT_ON)) continue;
    EdgeNet net = edge_net(v, level, &r, k >> 1, 0, WAVE_NONE);
    merge_arrivals(v, &r, net.wire, first_arrival(v, &r, k >> 1), k >> 1,
                   v->n.edge_delay[e].v[k >> 1]);
  }
}

/* Computes arrivals at a slot that depend on other arrivals: those of seeds with an origin, and of
   generated clocks. */
SL_HD void finish_starts(const FlatView *v, uint32_t slot, int k)
{
  uint8_t use = v->f.slot_use[slot];
  for (uint32_t i = use & FLAT_SEED ? first_of_slot(v->f.seed_slot, v->f.count.seeds, slot)
                                    : v->f.count.seeds;
       i < v->f.count.seeds && v->f.seed_slot[i] == slot; i++) {
    float value = seed_arrival(v, i, k);
    if (value == value) lane_merge(&v->n.arrival[v->f.seed_node[i]].v[k], k >> 1, value);
  }
  for (uint32_t i = use & FLAT_LINKED ? first_of_slot(v->f.link_slot, v->f.count.links, slot)
                                      : v->f.count.links;
       i < v->f.count.links && v->f.link_slot[i] == slot; i++) {
    const FlatLink *l = &v->f.links[i];
    float arrival = l->edge == (k & 1) ? link_arrival(v, l, k >> 1) : ABSENT_LATE;
    if (l->conditions >> k & 1 && !time_absent(arrival))
      lane_merge(&v->n.arrival[l->to].v[k], k >> 1, arrival);
  }
}

SL_HD void special_lane(const FlatView *v, const FlatLevel *level, uint32_t slot, int k, int delays)
{
  uint8_t use = v->f.slot_use[slot];
  if (use & FLAT_INSIDE && !(use & FLAT_PORT) && delays) ideal_driver(v, level, slot, k);
  if (use & (FLAT_INSIDE | FLAT_PORT)) finish_edges(v, level, slot, k);
  finish_starts(v, slot, k);
}

/* Applies annotation to the slew of a driver. It comes after the loads that inherit the slew,
   because increments at loads are added to the computed slew. */
SL_HD void annotated_driver(const FlatView *v, uint32_t slot, int k)
{
  if (brings_slews(v, k >> 1))
    v->n.slew[slot].v[k] = annotated_slew(v, slot, k, settled(v->n.slew[slot].v[k]));
}

/* Finishes the slew of a slot, after all levels. */
SL_HD void settle_slew(const FlatView *v, uint32_t slot)
{
  Cond4 *slew = &v->n.slew[slot];
  if (v->f.traits.single) cond_copy_late(slew);
  cond_settle(slew);
}

/* --- plain loads ------------------------------------------------------------------------------ */
SL_HD void plain_load_lane(const FlatView *v, const FlatLoad *r, uint32_t load, int k, int delays)
{
  float delay = plain_wire(v, load, k);
  if (delays) {
    v->n.wire_delay[load].v[k] = delay;
    v->n.slew[r->slot].v[k] = plain_slew(v, r->driver, load, delay_condition(v, k));
  }
  uint32_t count = r->nodes == FLAT_MAPPED ? v->f.node_first[r->slot + 1] - r->node : r->nodes;
  for (uint32_t n = 0; n < count; n++) {
    float start = v->n.arrival[r->driver_node + n].v[k];
    if (!time_absent(start))
      v->n.arrival[r->node + n].v[k] = wire_end(v, load, r->node + n, start, delay, k);
  }
}

/* --- irregular loads -------------------------------------------------------------------------- */
/* Merges delay and slew of a load from the waveform of one edge of its driver. */
SL_HD void wave_load_lane(const FlatView *v, const FlatLevel *level, const FlatPair *pair, int el,
                          int waves, int model)
{
  if (!brings_slews(v, el)) return;
  WavePlace from = { wave_at(level, pair->edge, el), waves, model };
  FlatWave w = v->n.waves[from.at];
  if (!(w.mark & WAVE_THERE)) return;
  int k = condition_of(el, w.mark & WAVE_FALLS ? FALL : RISE), c = delay_condition(v, k);
  if (v->f.count.extras && pair->extra != FLAT_NONE) {
    DelaySlew e = load_of_wave(v, from, &w, extra_moments(v, model, pair->extra, c));
    lane_merge(&v->n.extra_delay[pair->extra].v[k], el, e.delay);
    lane_merge(&v->n.extra_slew[pair->extra].v[k], el, e.slew);
    return;
  }
  DelaySlew x = load_of_wave(v, from, &w, load_moments(v, model, pair->load, c));
  lane_merge(&v->n.wire_delay[pair->load].v[k], el, x.delay);
  lane_merge(&v->n.slew[pair->slot].v[k], el, x.slew);
}

/* Computes an extra wire whose driver has no waveforms, before annotation changes the driver's
   slew. */
SL_HD void given_wire(const FlatView *v, const FlatLevel *level, uint32_t extra, int k)
{
  uint32_t driver = v->f.extras[extra].driver;
  if (v->f.slot_use[driver] & (FLAT_PORT | FLAT_INSIDE) || has_waves(v, level, driver)
      || !brings_slews(v, k >> 1))
    return;
  follow_extra(v, extra, k, v->n.slew[driver].v[k]);
}

typedef struct { float delay, slew; } LoadNumbers;

SL_HD LoadNumbers ideal_load_numbers(const FlatView *v, uint32_t driver, uint32_t slot, int c)
{
  uint32_t at = v->f.slot_ideal[slot];
  const FlatIdeal *own = at != FLAT_NONE ? &v->f.ideals[at] : 0,
                  *network = &v->f.ideals[v->f.slot_ideal[driver]];
  LoadNumbers n;
  n.delay = own ? own->latency.v[c] : 0;
  n.slew = own && own->given >> c & 1 ? own->slew.v[c] : network->slew.v[c];
  return n;
}

SL_HD void adjust_thresholds(const FlatView *v, uint32_t driver, uint32_t slot, int k,
                             LoadNumbers *n)
{
  uint32_t from = v->f.slot_thresholds[2 * driver + (uint32_t)(k >> 1)],
           to = v->f.slot_thresholds[2 * slot + (uint32_t)(k >> 1)];
  if (from == to || flat_model_has(&v->f, DELAY_CONTEST_RULES)) return;
  const FlatThresholds *d = &v->f.thresholds[from + (uint32_t)(k & 1)],
                       *l = &v->f.thresholds[to + (uint32_t)(k & 1)];
  threshold_move(&d->v, &l->v, l->input_vth, k & 1, &n->delay, &n->slew);
}

/* Returns the latency of a load where an ideal network begins; 0 elsewhere. */
SL_HD float begin_latency(const FlatView *v, uint32_t slot, int k)
{
  return v->f.slot_use[slot] & FLAT_BEGINS ? v->f.ideals[v->f.slot_ideal[slot]].latency.v[k] : 0;
}

/* Gives a load of several drivers the worst slew of all its wires. */
SL_HD void merge_extras(const FlatView *v, uint32_t load, uint32_t slot, int k, LoadNumbers *n)
{
  for (uint32_t x = v->f.load_extra[load]; x < v->f.load_extra[load + 1]; x++) {
    LoadNumbers own;
    uint32_t driver = v->f.extras[x].driver;
    own.delay = v->n.extra_delay[x].v[k];
    own.slew = v->n.extra_slew[x].v[k];
    if (v->f.traits.thresholds_differ && !(v->f.slot_use[driver] & FLAT_PORT))
      adjust_thresholds(v, driver, slot, k, &own);
    v->n.extra_slew[x].v[k] = own.slew;
    time_merge(&n->slew, k >> 1, own.slew);
    own.delay = settled(own.delay) + begin_latency(v, slot, k);
    if (v->f.traits.annotated & ANNOTATED_EXTRAS)
      own.delay = annotated(v->f.extra_mark[x], k, v->f.extra_annotation[x].v[k], own.delay);
    v->n.extra_delay[x].v[k] = own.delay;
    if (v->f.traits.single) v->n.extra_delay[x].v[k & 1] = own.delay;
  }
}

/* Computes delay and slew of a load. more: there may be annotation and loads of several drivers. */
SL_HD void load_delay(const FlatView *v, const FlatLevel *level, uint32_t driver, uint32_t load,
                      uint32_t slot, int k, int more)
{
  int c = delay_condition(v, k);
  LoadNumbers n;
  if (v->f.slot_use[driver] & FLAT_INSIDE) n = ideal_load_numbers(v, driver, slot, c);
  else if (has_waves(v, level, driver)) {
    n.delay = v->n.wire_delay[load].v[k];      /* wave_load_lane has computed it */
    n.slew = v->n.slew[slot].v[k];
  } else {
    n.delay = bare_wire(v, load, c);
    n.slew = v->n.slew[driver].v[c];      /* absent: the driver does not count if the load has
                                             others */
    if (!more || !time_absent(n.slew) || !is_shared(v, slot))
      n.slew = plain_slew(v, driver, load, c);
  }
  if (v->f.traits.thresholds_differ) adjust_thresholds(v, driver, slot, c, &n);
  if (more && is_shared(v, slot)) merge_extras(v, load, slot, k, &n);
  if (v->f.slot_use[slot] & FLAT_BEGINS) n.slew = v->f.ideals[v->f.slot_ideal[slot]].slew.v[c];
  n.slew = settled(n.slew);
  n.delay = settled(n.delay) + begin_latency(v, slot, c);
  v->n.wire_delay[load].v[k] = more ? wire_or_annotated(v, load, k, n.delay) : n.delay;
  v->n.slew[slot].v[k] =
      more && v->f.traits.annotated & ANNOTATED_SLEWS ? annotated_slew(v, slot, k, n.slew) : n.slew;
}

SL_HD void wire_arrival(const FlatView *v, Joined j, uint32_t load, float delay, int k)
{
  for (uint32_t n = 0; n < j.count; n++) {
    JoinedPair p = joined_pair(v, &j, n);
    float start = v->n.arrival[p.from].v[k];
    if (!(p.mask >> (3 * (k & 1)) & 1) || time_absent(start)) continue;
    lane_merge(&v->n.arrival[p.to].v[k], k >> 1, wire_end(v, load, p.to, start, delay, k));
  }
}

SL_HD void load_arrival(const FlatView *v, const FlatLoad *r, uint32_t load, int k, int more)
{
  int shared = more && is_shared(v, r->slot);
  wire_arrival(v, joined(v, v->f.wire_map[r->slot], r->driver, r->slot), load,
               v->n.wire_delay[load].v[k], k);
  for (uint32_t i = shared ? v->f.load_extra[load] : 0; shared && i < v->f.load_extra[load + 1];
       i++)
    wire_arrival(v, joined(v, v->f.extras[i].map, v->f.extras[i].driver, r->slot), load,
                 v->n.extra_delay[i].v[k], k);
  if (v->f.slot_use[r->slot] & (FLAT_SEED | FLAT_LINKED)) finish_starts(v, r->slot, k);
}

/* Computes the arrivals of a load with one driver, whose nodes are joined one by one. So there is
   nothing to merge. */
SL_HD void wave_load(const FlatView *v, const FlatLevel *level, const FlatLoad *r, uint32_t load,
                     int k, int delays, int more)
{
  int waves = delays && has_waves(v, level, r->driver);
  float delay = v->n.wire_delay[load].v[k], slew = waves ? v->n.slew[r->slot].v[k] : 0;
  if (delays && !waves) {
    delay = bare_wire(v, load, k);
    slew = plain_slew(v, r->driver, load, delay_condition(v, k));
  }
  if (delays) {
    delay = more ? wire_or_annotated(v, load, k, settled(delay)) : settled(delay);
    v->n.wire_delay[load].v[k] = delay;
    v->n.slew[r->slot].v[k] = settled(slew);
  }
  uint32_t count = r->nodes == FLAT_MAPPED ? v->f.node_first[r->slot + 1] - r->node : r->nodes;
  for (uint32_t n = 0; n < count; n++) {
    float start = v->n.arrival[r->driver_node + n].v[k];
    if (!time_absent(start))
      v->n.arrival[r->node + n].v[k] = wire_end(v, load, r->node + n, start, delay, k);
  }
}

/* Computes one condition of a load. With a single analysis, a late lane also writes the early
   condition, whose numbers are copies. */
SL_HD void load_lane(const FlatView *v, const FlatLevel *level, const FlatLoad *record,
                     uint32_t load, int k, int delays, int more)
{
  FlatLoad r = *record;
  if (r.irregular == FLAT_IRREGULAR_BY_WAVE && !v->f.traits.single) {
    wave_load(v, level, &r, load, k, delays, more);
    return;
  }
  int works = delays && !(v->f.slot_use[r.driver] & FLAT_PORT),
      nodes = v->f.node_first[r.slot + 1] != r.node;
  if (!brings_slews(v, k >> 1)) return;
  if (works) load_delay(v, level, r.driver, load, r.slot, k, more);
  if (nodes) load_arrival(v, &r, load, k, more);
  if (!v->f.traits.single) return;
  if (works) {
    v->n.wire_delay[load].v[k & 1] = v->n.wire_delay[load].v[k];
    v->n.slew[r.slot].v[k & 1] = v->n.slew[r.slot].v[k];
  }
  if (nodes) load_arrival(v, &r, load, k & 1, more);
}

#endif
