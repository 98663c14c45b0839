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
SL_HD int delay_condition(const FlatView *view, int k)
{
  return view->f.traits.single ? condition_of(LATE, k & 1) : k;
}

/* Does a lane compute slews? With a single analysis only late lanes do, and settle_slew copies them
   after the levels. */
SL_HD int brings_slews(const FlatView *view, int el)
{
  return el == LATE || !view->f.traits.single;
}

/* --- wires ------------------------------------------------------------------------------------ */
/* Returns the delay of a wire before annotation. */
SL_HD float bare_wire(const FlatView *view, uint32_t load, int k)
{
  WireMoments wire =
      moments_to_inherit(view, view->n.elmore, view->n.impulse_sq, load, delay_condition(view, k));
  return settled(delay_inherit(view->f.traits.delay_model, wire, 0).delay);
}

SL_HD float wire_or_annotated(const FlatView *view, uint32_t load, int k, float x)
{
  return view->f.traits.annotated & ANNOTATED_WIRES
             ? annotated_wire(view, load, delay_condition(view, k), x)
             : x;
}

SL_HD float plain_wire(const FlatView *view, uint32_t load, int k)
{
  return wire_or_annotated(view, load, k, bare_wire(view, load, k));
}

/* Returns the slew of a plain load from the slew of its driver. */
SL_HD float slew_after_wire(const FlatView *view, float slew, float impulse_sq)
{
  WireMoments wire = { 0, impulse_sq };
  return settled(delay_inherit(view->f.traits.delay_model, wire, settled(slew)).slew);
}

/* Returns the slew of a plain load. c: the result of delay_condition. */
SL_HD float plain_slew(const FlatView *view, uint32_t driver, uint32_t load, int c)
{
  return slew_after_wire(
      view, view->n.slew[driver].v[c],
      moments_to_inherit(view, view->n.elmore, view->n.impulse_sq, load, c).impulse_sq);
}

SL_HD float wire_end(const FlatView *view, uint32_t load, uint32_t tag_node, float start,
                     float delay, int k)
{
  int clock = view->f.count.derates && clock_node(view, tag_node);
  return start + derated(delay, derate_of(view, view->f.wire_derate, load, clock, k));
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

SL_HD void read_axes(const FlatView *view, EdgeNet *net)
{
  net->axes = view->f.axes[net->grid.axes];
  net->load = grid_place(net->axes.of2, net->grid.n2, net->cap);
}

/* tables: the edge's tables are read.  waves: most likely by a waveform, which reads the axes
   itself. */
SL_HD EdgeNet edge_net(const FlatView *view, const FlatLevel *level, const FlatEdge *edge, int el,
                       int tables, int waves)
{
  EdgeNet n;
  int in = delay_condition(view, condition_of(el, edge->in)),
      out = delay_condition(view, condition_of(el, edge->out));
  n.cap = n.wire = n.impulse_sq = 0;
  n.grid.n1 = 0;
  n.load.segment = 0;
  n.load.fraction = 0;
  if (edge->wire != FLAT_NONE)
    n.impulse_sq =
        moments_to_inherit(view, view->n.elmore, view->n.impulse_sq, edge->wire, in).impulse_sq;
  if (edge->wire != FLAT_NONE
      && (flat_model_has(&view->f, DELAY_IMPULSE_RULE)
          || view->f.traits.annotated & ANNOTATED_WIRES))
    n.wire = plain_wire(view, edge->wire, in);
  if (!tables) return n;
  n.cap = view->n.load_cap[driver_index(level, edge->to)].v[out];
  n.grid = view->f.grids[CONDITION_COUNT * edge->kind + (uint32_t)out];
  if (!waves) read_axes(view, &n);
  return n;
}

SL_HD float edge_input_slew(const FlatView *view, const FlatEdge *edge, float impulse_sq, int el)
{
  int c = delay_condition(view, condition_of(el, edge->in));
  float slew = settled(flat_slew(view, edge->slew, c)); /* a pin without a driver has no slew */
  return edge->wire == FLAT_NONE || edge->slew & FLAT_CLOCK_SLEW
             ? slew
             : slew_after_wire(view, slew, impulse_sq);
}

/* Returns the arrival at the start of an edge. For a plain load it is the arrival at the node of
   its driver plus the delay of the wire. */
SL_HD float edge_start(const FlatView *view, const FlatEdge *edge, float wire, uint32_t from,
                       uint32_t to, float arrival, int k)
{
  if (time_absent(arrival)) return arrival;
  if (edge->use & FLAT_LAUNCH) {
    uint32_t tag = view->f.node_tag[from];
    if (view->f.tag_use[view->f.node_tag[to]] & FLAT_BARE) return 0;
    if (view->f.tag_use[tag] & FLAT_IDEAL) return ideal_latency(view, tag, k >> 1, k & 1);
  }
  return edge->wire == FLAT_NONE ? arrival : wire_end(view, edge->wire, from, arrival, wire, k);
}

SL_HD void merge_arrival(const FlatView *view, const FlatEdge *edge, float wire, uint32_t from,
                         uint32_t to, float arrival, int el, float delay)
{
  int k = condition_of(el, edge->out);
  float start = edge_start(view, edge, wire, from, to, arrival, condition_of(el, edge->in));
  if (time_absent(start)) return;
  int clock = view->f.count.derates && clock_node(view, to);
  lane_merge(&view->n.arrival[to].v[k], el,
             start + derated(delay, derate_of(view, view->f.arc_derate, edge->arc, clock, k)));
}

SL_HD void merge_mapped(const FlatView *view, const FlatEdge *edge, float wire, int el, float delay)
{
  uint32_t from = view->f.arc_from[edge->arc], shift = edge->from_node - view->f.node_first[from];
  Joined j = joined(view, view->f.arc_map[edge->arc], from, edge->to);
  for (uint32_t n = 0; n < j.count; n++) {
    JoinedPair p = joined_pair(view, &j, n);
    if (p.mask >> (2 * edge->in + edge->out) & 1)
      merge_arrival(view, edge, wire, p.from + shift, p.to,
                    view->n.arrival[p.from + shift].v[condition_of(el, edge->in)], el, delay);
  }
}

/* Returns the arrival at the first node of an edge, if the nodes are joined one by one. */
SL_HD float first_arrival(const FlatView *view, const FlatEdge *edge, int el)
{
  return edge->nodes == 0 || edge->nodes == FLAT_MAPPED
             ? ABSENT_LATE
             : view->n.arrival[edge->from_node].v[condition_of(el, edge->in)];
}

SL_HD void merge_arrivals(const FlatView *view, const FlatEdge *edge, float wire, float first,
                          int el, float delay)
{
  if (edge->nodes == FLAT_MAPPED) {
    merge_mapped(view, edge, wire, el, delay);
    return;
  }
  for (uint32_t n = 0; n < edge->nodes; n++) {
    float arrival = n ? view->n.arrival[edge->from_node + n].v[condition_of(el, edge->in)] : first;
    merge_arrival(view, edge, wire, edge->from_node + n, edge->to_node + n, arrival, el, delay);
  }
}

SL_HD DelaySlew tables_value(const FlatView *view, const FlatKind *kind, int c, float x1, float x2)
{
  DelaySlew r;
  r.delay = table_value(flat_table(view, kind->delay[c]), x1, x2);
  r.slew = table_value(flat_table(view, kind->slew[c]), x1, x2);
  return r;
}

SL_HD DelaySlew within_model(const FlatView *view, DelaySlew x)
{
  x.slew = delay_table_slew(view->f.traits.delay_model, x.slew);
  return x;
}

/* --- the delay of an edge ------------------------------------------------------------------------

   The tables are read at the total capacitance, or at the effective capacitance if the net has a pi
   model. */
SL_HD float table_delay(const FlatView *view, const EdgeNet *net, const FlatEdge *flat_edge,
                        uint32_t edge, int el)
{
  int k = condition_of(el, flat_edge->out);
  if (net->grid.n1 == 0) return view->n.edge_delay[edge].v[el];
  float input = edge_input_slew(view, flat_edge, net->impulse_sq, el);
  DelaySlew x = net->grid.n1 == FLAT_NO_GRID
                    ? tables_value(view, &view->f.kinds[flat_edge->kind], delay_condition(view, k),
                                   input, net->cap)
                    : grid_at(view, &net->grid, &net->axes, input, net->load);
  x = within_model(view, x);
  view->n.edge_delay[edge].v[el] = x.delay;
  if (brings_slews(view, el)) lane_merge(&view->n.slew[flat_edge->to].v[k], el, x.slew);
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

SL_HD const CsLevels *levels_of(const FlatView *view, uint32_t thresholds, int waves)
{
  return waves == WAVE_SAME ? &view->f.all_levels : &view->f.source_levels[thresholds];
}

/* The tables of an edge at an input slew, and its net. */
typedef struct {
  int      model, condition;
  uint32_t kind, driver;
  float    input_slew;
} WaveProblem;

/* Solves an edge whose tables do not form a grid (WAVE_PLAIN). */
SL_HD void solve_plain(const FlatView *view, const WaveProblem *problem, DriverSolution *solution)
{
  const FlatKind *kind = &view->f.kinds[problem->kind];
  int c = problem->condition;
  const FlatThresholds *thresholds = &view->f.thresholds[kind->thresholds[c]];
  DriverTables tables =
      cut_tables(view, kind->delay[c], kind->slew[c], problem->input_slew, thresholds->ramp_base);
  driver_solve(problem->model, &tables, flat_pi(view, problem->driver, c), thresholds->v, solution);
}

SL_HD void solve_grid(const FlatView *view, const WaveProblem *problem, const EdgeNet *net,
                      int waves, DriverSolution *solution)
{
  GridTables tables;
  tables.view = view;
  tables.cut = grid_cut(view, &net->grid, problem->input_slew);
  tables.bend = net->grid.bend;
  uint32_t t = view->f.kinds[problem->kind].thresholds[problem->condition];
  tables.t = view->f.thresholds[t];
  tables.levels = levels_of(view, t, waves);
  grid_solve(problem->model, &tables, flat_pi(view, problem->driver, problem->condition),
             tables.t.v, solution);
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
SL_HD CsBows bows_at(const FlatView *view, uint32_t wave)
{
  CsBows b = { view->n.wave_bows + wave, view->f.count.source_waves };
  return b;
}

/* Stores a waveform for the loads. */
SL_HD void put_wave(const FlatView *view, WavePlace to, FlatWave w)
{
  view->n.waves[to.at] = w;
  if (!delay_has(to.model, DELAY_BY_THRESHOLD)) return;
  float step[CS_KNOTS];
  cs_shape_steps(&w.shape, step);
  cs_put_bows(step, levels_of(view, w.thresholds, to.waves), bows_at(view, to.at));
}

SL_HD DelaySlew load_of_wave(const FlatView *view, WavePlace from, const FlatWave *wave,
                             WireMoments wire)
{
  if (!delay_has(from.model, DELAY_BY_THRESHOLD))
    return load_solve(from.model, &wave->shape, view->f.thresholds[wave->thresholds].v, wire);
  if (load_inherits(&wave->shape, wire)) return load_inherited(&wave->shape, wire);
  float step[CS_KNOTS];
  cs_shape_steps(&wave->shape, step);
  CsWaveform d = { step, bows_at(view, from.at), levels_of(view, wave->thresholds, from.waves) };
  return cs_load_of(&d, wire.elmore, wire.impulse_sq);
}

/* Returns the delay of an edge with a waveform. waves: WAVE_GRID or WAVE_PLAIN. */
SL_HD float wave_delay(const FlatView *view, const FlatLevel *level, const EdgeNet *net,
                       const FlatEdge *flat_edge, uint32_t edge, int el, int waves, int model)
{
  int k = condition_of(el, flat_edge->out), c = delay_condition(view, k);
  WavePlace to = { wave_at(level, edge, el), waves, model };
  if (net->grid.n1 == 0) {
    view->n.waves[to.at] = no_wave();
    return view->n.edge_delay[edge].v[el];
  }
  DriverSolution s;
  WaveProblem p = { model, c, flat_edge->kind, driver_index(level, flat_edge->to),
                    edge_input_slew(view, flat_edge, 0, el) };
  if (waves == WAVE_PLAIN) solve_plain(view, &p, &s);
  else solve_grid(view, &p, net, waves, &s);
  FlatWave w;
  w.shape = s.shape;
  w.thresholds = view->f.kinds[flat_edge->kind].thresholds[c];
  w.mark = WAVE_THERE | (flat_edge->out == FALL ? WAVE_FALLS : 0);
  put_wave(view, to, w);
  view->n.edge_delay[edge].v[el] = s.delay;
  if (brings_slews(view, el)) lane_merge(&view->n.slew[flat_edge->to].v[k], el, s.slew);
  return s.delay;
}

SL_HD int has_waves(const FlatView *view, const FlatLevel *level, uint32_t slot)
{
  return flat_model_has(&view->f, DELAY_BY_WAVE) && view->n.has_rc[driver_index(level, slot)];
}

/* Applies annotation to the delay of an edge, and stores the delay. With a single analysis the
   early delay is the late one. */
SL_HD float edge_or_annotated(const FlatView *view, uint32_t edge, int el, float x)
{
  float delay = annotated_edge(view, edge, view->f.traits.single ? LATE : el, x);
  view->n.edge_delay[edge].v[el] = delay;
  return delay;
}

/* Computes a timing edge.
   delays: the delay is computed, else it is read
   waves:  WAVE_..., the edges that the kernel computes
   model:  the delay model; it is a constant in kernels of waves */
SL_HD void edge_lane(const FlatView *view, const FlatLevel *level, EdgeNet *net,
                     const FlatEdge *flat_edge, uint32_t edge, int el, int delays, int waves,
                     int model)
{
  float delay;
  if (!flat_edge->use || (waves && (net->grid.n1 == FLAT_NO_GRID) != (waves == WAVE_PLAIN))) return;
  float first = first_arrival(view, flat_edge, el);
  if (!delays || !(flat_edge->use & FLAT_SHAPES)) delay = view->n.edge_delay[edge].v[el];
  else if (waves && has_waves(view, level, flat_edge->to))
    delay = wave_delay(view, level, net, flat_edge, edge, el, waves, model);
  else {
    if (waves) view->n.waves[wave_at(level, edge, el)].mark = 0;
    if (waves) read_axes(view, net);
    delay = table_delay(view, net, flat_edge, edge, el);
  }
  if (delays && view->f.traits.annotated & ANNOTATED_EDGES && flat_edge->use & FLAT_SHAPES)
    delay = edge_or_annotated(view, edge, el, net->grid.n1 ? delay : 0);
  if (flat_edge->use & FLAT_ON) merge_arrivals(view, flat_edge, net->wire, first, el, delay);
}

/* --- drivers that take more ------------------------------------------------------------------- */
typedef struct { uint32_t first, end; } EdgeRange;

SL_HD EdgeRange edges_to(const FlatView *view, uint32_t slot)
{
  EdgeRange r;
  r.first = view->f.edge_first[view->f.arc_first[slot]];
  r.end = view->f.edge_first[view->f.arc_first[slot + 1]];
  return r;
}

/* Computes a driver in an ideal network (see ideal_arcs). */
SL_HD void ideal_driver(const FlatView *view, const FlatLevel *level, uint32_t slot, int k)
{
  const FlatIdeal *own = &view->f.ideals[view->f.slot_ideal[slot]];
  int begins = view->f.slot_use[slot] & FLAT_BEGINS, c = delay_condition(view, k);
  EdgeRange range = edges_to(view, slot);
  for (uint32_t e = range.first; e < range.end; e++) {
    FlatEdge r = view->f.edges[e];
    if (r.out != (k & 1) || (begins && !(view->f.arc_use[r.arc] & FLAT_ON))) continue;
    float delay = own->latency.v[c];
    if (begins) {
      EdgeNet net = edge_net(view, level, &r, k >> 1, 1, WAVE_NONE);
      delay = table_delay(view, &net, &r, e, k >> 1);
      delay = (net.grid.n1 == 0 ? 0 : delay) + own->latency.v[c];
    }
    view->n.edge_delay[e].v[k >> 1] = view->f.traits.annotated & ANNOTATED_EDGES
                                          ? edge_or_annotated(view, e, k >> 1, delay)
                                          : delay;
  }
  view->n.slew[slot].v[k] = own->slew.v[c];
}

SL_HD void finish_edges(const FlatView *view, const FlatLevel *level, uint32_t slot, int k)
{
  EdgeRange range = edges_to(view, slot);
  for (uint32_t e = range.first; e < range.end; e++) {
    FlatEdge r = view->f.edges[e];
    r.use = view->f.arc_use[r.arc];
    if (r.out != (k & 1) || !(r.use & FLAT_ON)) continue;
    EdgeNet net = edge_net(view, level, &r, k >> 1, 0, WAVE_NONE);
    merge_arrivals(view, &r, net.wire, first_arrival(view, &r, k >> 1), k >> 1,
                   view->n.edge_delay[e].v[k >> 1]);
  }
}

/* Computes arrivals at a slot that depend on other arrivals: those of seeds with an origin, and of
   generated clocks. */
SL_HD void finish_starts(const FlatView *view, uint32_t slot, int k)
{
  uint8_t use = view->f.slot_use[slot];
  for (uint32_t i = use & FLAT_SEED ? first_of_slot(view->f.seed_slot, view->f.count.seeds, slot)
                                    : view->f.count.seeds;
       i < view->f.count.seeds && view->f.seed_slot[i] == slot; i++) {
    float value = seed_arrival(view, i, k);
    if (value == value) lane_merge(&view->n.arrival[view->f.seed_node[i]].v[k], k >> 1, value);
  }
  for (uint32_t i = use & FLAT_LINKED ? first_of_slot(view->f.link_slot, view->f.count.links, slot)
                                      : view->f.count.links;
       i < view->f.count.links && view->f.link_slot[i] == slot; i++) {
    const FlatLink *link = &view->f.links[i];
    float arrival = link->edge == (k & 1) ? link_arrival(view, link, k >> 1) : ABSENT_LATE;
    if (link->conditions >> k & 1 && !time_absent(arrival))
      lane_merge(&view->n.arrival[link->to].v[k], k >> 1, arrival);
  }
}

SL_HD void special_lane(const FlatView *view, const FlatLevel *level, uint32_t slot, int k,
                        int delays)
{
  uint8_t use = view->f.slot_use[slot];
  if (use & FLAT_INSIDE && !(use & FLAT_PORT) && delays) ideal_driver(view, level, slot, k);
  if (use & (FLAT_INSIDE | FLAT_PORT)) finish_edges(view, level, slot, k);
  finish_starts(view, slot, k);
}

/* Applies annotation to the slew of a driver. It comes after the loads that inherit the slew,
   because increments at loads are added to the computed slew. */
SL_HD void annotated_driver(const FlatView *view, uint32_t slot, int k)
{
  if (brings_slews(view, k >> 1))
    view->n.slew[slot].v[k] = annotated_slew(view, slot, k, settled(view->n.slew[slot].v[k]));
}

/* Finishes the slew of a slot, after all levels. */
SL_HD void settle_slew(const FlatView *view, uint32_t slot)
{
  Cond4 *slew = &view->n.slew[slot];
  if (view->f.traits.single) cond_copy_late(slew);
  cond_settle(slew);
}

/* --- plain loads ------------------------------------------------------------------------------ */
SL_HD void plain_load_lane(const FlatView *view, const FlatLoad *flat_load, uint32_t load, int k,
                           int delays)
{
  float delay = plain_wire(view, load, k);
  if (delays) {
    view->n.wire_delay[load].v[k] = delay;
    view->n.slew[flat_load->slot].v[k] =
        plain_slew(view, flat_load->driver, load, delay_condition(view, k));
  }
  uint32_t count = flat_load->nodes == FLAT_MAPPED
                       ? view->f.node_first[flat_load->slot + 1] - flat_load->node
                       : flat_load->nodes;
  for (uint32_t n = 0; n < count; n++) {
    float start = view->n.arrival[flat_load->driver_node + n].v[k];
    if (!time_absent(start))
      view->n.arrival[flat_load->node + n].v[k] =
          wire_end(view, load, flat_load->node + n, start, delay, k);
  }
}

/* --- irregular loads -------------------------------------------------------------------------- */
/* Merges delay and slew of a load from the waveform of one edge of its driver. */
SL_HD void wave_load_lane(const FlatView *view, const FlatLevel *level, const FlatPair *pair,
                          int el, int waves, int model)
{
  if (!brings_slews(view, el)) return;
  WavePlace from = { wave_at(level, pair->edge, el), waves, model };
  FlatWave w = view->n.waves[from.at];
  if (!(w.mark & WAVE_THERE)) return;
  int k = condition_of(el, w.mark & WAVE_FALLS ? FALL : RISE), c = delay_condition(view, k);
  if (view->f.count.extras && pair->extra != FLAT_NONE) {
    DelaySlew e = load_of_wave(view, from, &w, extra_moments(view, model, pair->extra, c));
    lane_merge(&view->n.extra_delay[pair->extra].v[k], el, e.delay);
    lane_merge(&view->n.extra_slew[pair->extra].v[k], el, e.slew);
    return;
  }
  DelaySlew x = load_of_wave(view, from, &w, load_moments(view, model, pair->load, c));
  lane_merge(&view->n.wire_delay[pair->load].v[k], el, x.delay);
  lane_merge(&view->n.slew[pair->slot].v[k], el, x.slew);
}

/* Computes an extra wire whose driver has no waveforms, before annotation changes the driver's
   slew. */
SL_HD void given_wire(const FlatView *view, const FlatLevel *level, uint32_t extra, int k)
{
  uint32_t driver = view->f.extras[extra].driver;
  if (view->f.slot_use[driver] & (FLAT_PORT | FLAT_INSIDE) || has_waves(view, level, driver)
      || !brings_slews(view, k >> 1))
    return;
  follow_extra(view, extra, k, view->n.slew[driver].v[k]);
}

typedef struct { float delay, slew; } LoadNumbers;

SL_HD LoadNumbers ideal_load_numbers(const FlatView *view, uint32_t driver, uint32_t slot, int c)
{
  uint32_t at = view->f.slot_ideal[slot];
  const FlatIdeal *own = at != FLAT_NONE ? &view->f.ideals[at] : 0,
                  *network = &view->f.ideals[view->f.slot_ideal[driver]];
  LoadNumbers n;
  n.delay = own ? own->latency.v[c] : 0;
  n.slew = own && own->given >> c & 1 ? own->slew.v[c] : network->slew.v[c];
  return n;
}

SL_HD void adjust_thresholds(const FlatView *view, uint32_t driver, uint32_t slot, int k,
                             LoadNumbers *numbers)
{
  uint32_t from = view->f.slot_thresholds[2 * driver + (uint32_t)(k >> 1)],
           to = view->f.slot_thresholds[2 * slot + (uint32_t)(k >> 1)];
  if (from == to || flat_model_has(&view->f, DELAY_CONTEST_RULES)) return;
  const FlatThresholds *thresholds = &view->f.thresholds[from + (uint32_t)(k & 1)],
                       *flat_thresholds = &view->f.thresholds[to + (uint32_t)(k & 1)];
  threshold_move(&thresholds->v, &flat_thresholds->v, flat_thresholds->input_vth, k & 1,
                 &numbers->delay, &numbers->slew);
}

/* Returns the latency of a load where an ideal network begins; 0 elsewhere. */
SL_HD float begin_latency(const FlatView *view, uint32_t slot, int k)
{
  return view->f.slot_use[slot] & FLAT_BEGINS
             ? view->f.ideals[view->f.slot_ideal[slot]].latency.v[k]
             : 0;
}

/* Gives a load of several drivers the worst slew of all its wires. */
SL_HD void merge_extras(const FlatView *view, uint32_t load, uint32_t slot, int k,
                        LoadNumbers *numbers)
{
  for (uint32_t x = view->f.load_extra[load]; x < view->f.load_extra[load + 1]; x++) {
    LoadNumbers own;
    uint32_t driver = view->f.extras[x].driver;
    own.delay = view->n.extra_delay[x].v[k];
    own.slew = view->n.extra_slew[x].v[k];
    if (view->f.traits.thresholds_differ && !(view->f.slot_use[driver] & FLAT_PORT))
      adjust_thresholds(view, driver, slot, k, &own);
    view->n.extra_slew[x].v[k] = own.slew;
    time_merge(&numbers->slew, k >> 1, own.slew);
    own.delay = settled(own.delay) + begin_latency(view, slot, k);
    if (view->f.traits.annotated & ANNOTATED_EXTRAS)
      own.delay = annotated(view->f.extra_mark[x], k, view->f.extra_annotation[x].v[k], own.delay);
    view->n.extra_delay[x].v[k] = own.delay;
    if (view->f.traits.single) view->n.extra_delay[x].v[k & 1] = own.delay;
  }
}

/* Computes delay and slew of a load. more: there may be annotation and loads of several drivers. */
SL_HD void load_delay(const FlatView *view, const FlatLevel *level, uint32_t driver, uint32_t load,
                      uint32_t slot, int k, int more)
{
  int c = delay_condition(view, k);
  LoadNumbers n;
  if (view->f.slot_use[driver] & FLAT_INSIDE) n = ideal_load_numbers(view, driver, slot, c);
  else if (has_waves(view, level, driver)) {
    n.delay = view->n.wire_delay[load].v[k];      /* wave_load_lane has computed it */
    n.slew = view->n.slew[slot].v[k];
  } else {
    n.delay = bare_wire(view, load, c);
    n.slew = view->n.slew[driver].v[c]; /* absent: the driver does not count if the load has
                                             others */
    if (!more || !time_absent(n.slew) || !is_shared(view, slot))
      n.slew = plain_slew(view, driver, load, c);
  }
  if (view->f.traits.thresholds_differ) adjust_thresholds(view, driver, slot, c, &n);
  if (more && is_shared(view, slot)) merge_extras(view, load, slot, k, &n);
  if (view->f.slot_use[slot] & FLAT_BEGINS)
    n.slew = view->f.ideals[view->f.slot_ideal[slot]].slew.v[c];
  n.slew = settled(n.slew);
  n.delay = settled(n.delay) + begin_latency(view, slot, c);
  view->n.wire_delay[load].v[k] = more ? wire_or_annotated(view, load, k, n.delay) : n.delay;
  view->n.slew[slot].v[k] = more && view->f.traits.annotated & ANNOTATED_SLEWS
                                ? annotated_slew(view, slot, k, n.slew)
                                : n.slew;
}

SL_HD void wire_arrival(const FlatView *view, Joined j, uint32_t load, float delay, int k)
{
  for (uint32_t n = 0; n < j.count; n++) {
    JoinedPair p = joined_pair(view, &j, n);
    float start = view->n.arrival[p.from].v[k];
    if (!(p.mask >> (3 * (k & 1)) & 1) || time_absent(start)) continue;
    lane_merge(&view->n.arrival[p.to].v[k], k >> 1, wire_end(view, load, p.to, start, delay, k));
  }
}

SL_HD void load_arrival(const FlatView *view, const FlatLoad *flat_load, uint32_t load, int k,
                        int more)
{
  int shared = more && is_shared(view, flat_load->slot);
  wire_arrival(view,
               joined(view, view->f.wire_map[flat_load->slot], flat_load->driver, flat_load->slot),
               load, view->n.wire_delay[load].v[k], k);
  for (uint32_t i = shared ? view->f.load_extra[load] : 0;
       shared && i < view->f.load_extra[load + 1]; i++)
    wire_arrival(view,
                 joined(view, view->f.extras[i].map, view->f.extras[i].driver, flat_load->slot),
                 load, view->n.extra_delay[i].v[k], k);
  if (view->f.slot_use[flat_load->slot] & (FLAT_SEED | FLAT_LINKED))
    finish_starts(view, flat_load->slot, k);
}

/* Computes the arrivals of a load with one driver, whose nodes are joined one by one. So there is
   nothing to merge. */
SL_HD void wave_load(const FlatView *view, const FlatLevel *level, const FlatLoad *flat_load,
                     uint32_t load, int k, int delays, int more)
{
  int waves = delays && has_waves(view, level, flat_load->driver);
  float delay = view->n.wire_delay[load].v[k],
        slew = waves ? view->n.slew[flat_load->slot].v[k] : 0;
  if (delays && !waves) {
    delay = bare_wire(view, load, k);
    slew = plain_slew(view, flat_load->driver, load, delay_condition(view, k));
  }
  if (delays) {
    delay = more ? wire_or_annotated(view, load, k, settled(delay)) : settled(delay);
    view->n.wire_delay[load].v[k] = delay;
    view->n.slew[flat_load->slot].v[k] = settled(slew);
  }
  uint32_t count = flat_load->nodes == FLAT_MAPPED
                       ? view->f.node_first[flat_load->slot + 1] - flat_load->node
                       : flat_load->nodes;
  for (uint32_t n = 0; n < count; n++) {
    float start = view->n.arrival[flat_load->driver_node + n].v[k];
    if (!time_absent(start))
      view->n.arrival[flat_load->node + n].v[k] =
          wire_end(view, load, flat_load->node + n, start, delay, k);
  }
}

/* Computes one condition of a load. With a single analysis, a late lane also writes the early
   condition, whose numbers are copies. */
SL_HD void load_lane(const FlatView *view, const FlatLevel *level, const FlatLoad *record,
                     uint32_t load, int k, int delays, int more)
{
  FlatLoad r = *record;
  if (r.irregular == FLAT_IRREGULAR_BY_WAVE && !view->f.traits.single) {
    wave_load(view, level, &r, load, k, delays, more);
    return;
  }
  int works = delays && !(view->f.slot_use[r.driver] & FLAT_PORT),
      nodes = view->f.node_first[r.slot + 1] != r.node;
  if (!brings_slews(view, k >> 1)) return;
  if (works) load_delay(view, level, r.driver, load, r.slot, k, more);
  if (nodes) load_arrival(view, &r, load, k, more);
  if (!view->f.traits.single) return;
  if (works) {
    view->n.wire_delay[load].v[k & 1] = view->n.wire_delay[load].v[k];
    view->n.slew[r.slot].v[k & 1] = view->n.slew[r.slot].v[k];
  }
  if (nodes) load_arrival(view, &r, load, k & 1, more);
}

#endif
