/* Computes delays and slews of one driver and its loads. cpu/cpu_delay.c has the quantities and
   their order. */
#ifndef SL_CUDA_DELAY_H
#define SL_CUDA_DELAY_H

#include "device/flat.h"
#include "math/driver.h"

/* The driver that a lane computes. The index of a load is its slot less load_shift. */
typedef struct {
  uint32_t slot, driver, load_shift;
  uint32_t first_load, end_load;
  Cond4    slew;                   /* the slew merged so far */
} DriverWork;

/* One timing edge for one analysis. */
typedef struct {
  FlatTable delay, slew;
  uint32_t  thresholds;
  float     input_slew;
  PiModel   net;
  int       has;
} EdgeCase;

SL_HD DriverWork driver_work(const FlatView *view, FlatLevel level, uint32_t i)
{
  DriverWork w;
  w.slot = level.first_slot + i;
  w.driver = level.first_driver + i;
  w.load_shift = level.load_shift;
  w.first_load = view->f.load_first[w.slot];
  w.end_load = w.first_load + view->f.load_count[w.slot];
  w.slew = cond_nothing();
  return w;
}

SL_HD TableView flat_table(const FlatView *view, FlatTable t)
{
  TableView r;
  r.data = view->f.pool + t.first;
  r.n1 = t.n1;
  r.n2 = t.n2;
  return r;
}

SL_HD float flat_slew(const FlatView *view, uint32_t index, int condition)
{
  return index & FLAT_CLOCK_SLEW ? view->f.clock_slew[index & ~FLAT_CLOCK_SLEW].v[condition]
                                 : view->n.slew[index].v[condition];
}

/* Applies annotation to the i-th of up to four numbers. */
SL_HD float annotated(uint32_t marks, int i, float note, float x)
{
  return marks & (uint32_t)NOTE_ADDS << i       ? x + note
         : marks & (uint32_t)NOTE_REPLACES << i ? note
                                                : x;
}

SL_HD float annotated_wire(const FlatView *view, uint32_t load, int k, float x)
{
  return annotated(view->f.wire_mark[load], k, view->f.wire_annotation[load].v[k], x);
}
SL_HD float annotated_slew(const FlatView *view, uint32_t slot, int k, float x)
{
  return annotated(view->f.slew_mark[slot], k, view->f.slew_annotation[slot].v[k], x);
}
SL_HD float annotated_edge(const FlatView *view, uint32_t edge, int el, float x)
{
  return annotated(view->f.edge_mark[edge], el, view->f.edge_annotation[edge].v[el], x);
}

/* Returns the lowest of an arc's remaining edge pairs: 2*in + out. */
SL_HD int lowest_pair(uint32_t pairs) { return pairs & 1 ? 0 : pairs & 2 ? 1 : pairs & 4 ? 2 : 3; }

/* Returns the pi model of a net; all 0 if the delay model has none. */
SL_HD PiModel flat_pi(const FlatView *view, uint32_t driver, int condition)
{
  PiModel m;
  m.c_far = view->n.pi_far[driver].v[condition];
  m.c_near = view->n.pi_near[driver].v[condition];
  m.r_pi = view->n.pi_r[driver].v[condition];
  return m;
}

SL_HD EdgeCase edge_case(const FlatView *view, uint32_t arc, uint32_t driver, int in, int out,
                         int el)
{
  EdgeCase c;
  const FlatKind *kind = &view->f.kinds[view->f.arc_kind[arc]];
  int k = condition_of(el, out);
  c.delay = kind->delay[k];
  c.slew = kind->slew[k];
  c.thresholds = kind->thresholds[k];
  c.has = c.delay.n1 != 0;
  c.input_slew = flat_slew(view, view->f.arc_slew[arc], condition_of(el, in));
  c.net.c_far = c.net.c_near = c.net.r_pi = 0;
  if (flat_model_has(&view->f, DELAY_NEEDS_PI)) c.net = flat_pi(view, driver, k);
  return c;
}

SL_HD int same_case(const EdgeCase *a, const EdgeCase *b)
{
  return a->has && b->has && a->delay.first == b->delay.first && a->slew.first == b->slew.first
         && a->input_slew == b->input_slew && a->net.c_far == b->net.c_far
         && a->net.c_near == b->net.c_near && a->net.r_pi == b->net.r_pi
         && a->thresholds == b->thresholds;
}

/* --- moments of wires: a load's own, or an extra wire's --------------------------------------- */
/* Returns the moments of a wire for a load that inherits a slew. */
SL_HD WireMoments moments_to_inherit(const FlatView *view, const Cond4 *elmore,
                                     const Cond4 *impulse_sq, uint32_t at, int k)
{
  WireMoments m;
  m.elmore = m.impulse_sq = 0;
  if (!flat_model_has(&view->f, DELAY_IMPULSE_RULE)) return m;
  m.elmore = elmore[at].v[k];
  m.impulse_sq = impulse_sq[at].v[k];
  return m;
}

/* Returns the moments of a wire for a load whose driver has a waveform. */
SL_HD WireMoments moments_to_solve(int model, const Cond4 *elmore, const Cond4 *impulse_sq,
                                   uint32_t at, int k)
{
  WireMoments m;
  m.elmore = elmore[at].v[k];
  m.impulse_sq = delay_has(model, DELAY_NEEDS_IMPULSE) ? impulse_sq[at].v[k] : 0;
  return m;
}

SL_HD WireMoments load_moments(const FlatView *view, int model, uint32_t load, int k)
{
  return moments_to_solve(model, view->n.elmore, view->n.impulse_sq, load, k);
}

SL_HD WireMoments extra_moments(const FlatView *view, int model, uint32_t extra, int k)
{
  return moments_to_solve(model, view->n.extra_elmore, view->n.extra_impulse_sq, extra, k);
}

/* --- by waveforms ----------------------------------------------------------------------------- */
SL_HD void merge_analyses(Cond4 *to, int analyses, int edge, float x)
{
  if (analyses >> EARLY & 1) cond_merge(to, EARLY, edge, x);
  if (analyses >> LATE & 1) cond_merge(to, LATE, edge, x);
}

/* Where the numbers of a wire are stored. */
typedef struct { Cond4 *delay, *slew; } WireNumbers;

/* The waveform of an edge of a driver. */
typedef struct {
  int         model, out, analyses;
  DriverShape shape;
  Thresholds  v;
} EdgeWave;

SL_HD void load_wave(WireNumbers to, const EdgeWave *wave, int analyses, WireMoments wire)
{
  DelaySlew s = load_solve(wave->model, &wave->shape, wave->v, wire);
  merge_analyses(to.delay, analyses, wave->out, s.delay);
  merge_analyses(to.slew, analyses, wave->out, s.slew);
}

SL_HD int same_moments(WireMoments a, WireMoments b)
{
  return a.elmore == b.elmore && a.impulse_sq == b.impulse_sq;
}

SL_HD void wire_wave(WireNumbers to, const EdgeWave *wave, WireMoments early, WireMoments late)
{
  if (wave->analyses == 3 && same_moments(early, late)) load_wave(to, wave, 3, early);
  else {
    if (wave->analyses >> EARLY & 1) load_wave(to, wave, 1 << EARLY, early);
    if (wave->analyses >> LATE & 1) load_wave(to, wave, 1 << LATE, late);
  }
}

SL_HD WireNumbers load_numbers(const FlatView *view, const DriverWork *work, uint32_t load)
{
  WireNumbers n;
  n.delay = &view->n.wire_delay[load - work->load_shift];
  n.slew = &view->n.slew[load];
  return n;
}

SL_HD WireNumbers extra_numbers(const FlatView *view, uint32_t extra)
{
  WireNumbers n;
  n.delay = &view->n.extra_delay[extra];
  n.slew = &view->n.extra_slew[extra];
  return n;
}

/* The extra wires of a driver: indices in driver_extras. */
typedef struct { uint32_t first, end; } ExtraRange;

SL_HD ExtraRange extra_range(const FlatView *view, uint32_t driver)
{
  ExtraRange r;
  r.first = view->f.count.extras ? view->f.driver_extra[driver] : 0;
  r.end = view->f.count.extras ? view->f.driver_extra[driver + 1] : 0;
  return r;
}

SL_HD void load_waves(const FlatView *view, const DriverWork *work, const EdgeWave *wave)
{
  ExtraRange extras = extra_range(view, work->driver);
  int early = condition_of(EARLY, wave->out), late = condition_of(LATE, wave->out);
  for (uint32_t s = work->first_load; s < work->end_load; s++) {
    uint32_t at = s - work->load_shift;
    wire_wave(load_numbers(view, work, s), wave, load_moments(view, wave->model, at, early),
              load_moments(view, wave->model, at, late));
  }
  for (uint32_t i = extras.first; i < extras.end; i++) {
    uint32_t x = view->f.driver_extras[i];
    wire_wave(extra_numbers(view, x), wave, extra_moments(view, wave->model, x, early),
              extra_moments(view, wave->model, x, late));
  }
}

/* Returns the tables of an edge, cut at the slew of its input. cuda/wave.h has them as a grid. */
SL_HD DriverTables cut_tables(const FlatView *view, FlatTable delay, FlatTable slew,
                              float input_slew, int ramp_base)
{
  DriverTables t;
  t.delay = table_cut(flat_table(view, delay), input_slew);
  t.slew = table_cut(flat_table(view, slew), input_slew);
  t.ramps = view->f.ramps;
  t.ramp_base = ramp_base;
  return t;
}

SL_HD void case_wave(const FlatView *view, DriverWork *work, uint32_t edge,
                     const EdgeCase *edge_case, int out, int analyses)
{
  const FlatThresholds *thresholds = &view->f.thresholds[edge_case->thresholds];
  DriverTables tables = cut_tables(view, edge_case->delay, edge_case->slew, edge_case->input_slew,
                                   thresholds->ramp_base);
  DriverSolution r;
  EdgeWave e;
  e.model = view->f.traits.delay_model;
  e.out = out;
  e.analyses = analyses;
  e.v = thresholds->v;
  driver_solve(e.model, &tables, edge_case->net, thresholds->v, &r);
  e.shape = r.shape;
  for (int el = EARLY; el <= LATE; el++)
    if (analyses >> el & 1) view->n.edge_delay[edge].v[el] = r.delay;
  merge_analyses(&work->slew, analyses, out, r.slew);
  load_waves(view, work, &e);
}

SL_HD void edge_wave(const FlatView *view, DriverWork *work, uint32_t arc, uint32_t edge, int in,
                     int out)
{
  EdgeCase early = edge_case(view, arc, work->driver, in, out, EARLY),
           late = edge_case(view, arc, work->driver, in, out, LATE);
  int same = same_case(&early, &late);
  if (early.has) case_wave(view, work, edge, &early, out, same ? 3 : 1 << EARLY);
  if (late.has && !same) case_wave(view, work, edge, &late, out, 1 << LATE);
}

/* --- the tables at the total capacitance; loads inherit the driver's merged slew -------------- */
SL_HD void edge_lumped(const FlatView *view, DriverWork *work, uint32_t arc, uint32_t edge, int in,
                       int out)
{
  for (int el = EARLY; el <= LATE; el++) {
    EdgeCase c = edge_case(view, arc, work->driver, in, out, el);
    if (!c.has) continue;
    float load = view->n.load_cap[work->driver].v[condition_of(el, out)];
    float delay = table_value(flat_table(view, c.delay), c.input_slew, load),
          slew = table_value(flat_table(view, c.slew), c.input_slew, load);
    view->n.edge_delay[edge].v[el] = delay;
    cond_merge(&work->slew, el, out, delay_table_slew(view->f.traits.delay_model, slew));
  }
}

SL_HD int is_shared(const FlatView *view, uint32_t load)
{
  return view->f.count.extras && view->f.slot_use[load] & FLAT_SHARED;
}

SL_HD float settled(float x) { return time_absent(x) ? 0 : x; }

/* Computes a load that inherits the slew of its driver. The slew of a driver that has none is taken
   as 0. At a load of several drivers, such a driver does not count. */
SL_HD void inherit_slew(const FlatView *view, const DriverWork *work, uint32_t load)
{
  uint32_t at = load - work->load_shift;
  Cond4 delay = cond_nothing(), slew = cond_nothing();
  for (int k = 0; k < CONDITION_COUNT; k++) {
    WireMoments wire = moments_to_inherit(view, view->n.elmore, view->n.impulse_sq, at, k);
    DelaySlew r = delay_inherit(view->f.traits.delay_model, wire, settled(work->slew.v[k]));
    cond_merge(&delay, k >> 1, k & 1, r.delay);
    if (time_absent(work->slew.v[k]) && is_shared(view, load)) continue;
    cond_merge(&slew, k >> 1, k & 1, r.slew);
  }
  view->n.wire_delay[at] = delay;
  view->n.slew[load] = slew;
}

/* Computes an extra wire from the slew of its driver. A driver without a slew (absent) gives
   none. */
SL_HD void follow_extra(const FlatView *view, uint32_t extra, int k, float slew)
{
  WireMoments wire =
      moments_to_inherit(view, view->n.extra_elmore, view->n.extra_impulse_sq, extra, k);
  DelaySlew r = delay_inherit(view->f.traits.delay_model, wire, slew);
  view->n.extra_delay[extra].v[k] = r.delay;
  view->n.extra_slew[extra].v[k] = time_absent(slew) ? slew : r.slew;
}

SL_HD void follow_extras(const FlatView *view, const DriverWork *work)
{
  ExtraRange extras = extra_range(view, work->driver);
  for (uint32_t i = extras.first; i < extras.end; i++)
    for (int k = 0; k < CONDITION_COUNT; k++)
      follow_extra(view, view->f.driver_extras[i], k, work->slew.v[k]);
}

SL_HD void clear_extras(const FlatView *view, uint32_t driver)
{
  ExtraRange extras = extra_range(view, driver);
  for (uint32_t i = extras.first; i < extras.end; i++)
    view->n.extra_delay[view->f.driver_extras[i]] = view->n.extra_slew[view->f.driver_extras[i]] =
        cond_nothing();
}

/* --- a driver --------------------------------------------------------------------------------- */
SL_HD void driver_arcs(const FlatView *view, DriverWork *work, int waves)
{
  for (uint32_t a = view->f.arc_first[work->slot]; a < view->f.arc_first[work->slot + 1]; a++) {
    uint32_t e = view->f.edge_first[a];
    if (!(view->f.arc_use[a] & FLAT_SHAPES)) continue;
    for (uint32_t pairs = view->f.arc_pairs[a]; pairs; pairs &= pairs - 1, e++) {
      int bit = lowest_pair(pairs);
      if (waves) edge_wave(view, work, a, e, bit >> 1, bit & 1);
      else edge_lumped(view, work, a, e, bit >> 1, bit & 1);
    }
  }
}

/* Converts the numbers of a load from the thresholds of its driver to its own, if the libraries
   differ. */
SL_HD void adjust_load(const FlatView *view, uint32_t driver, uint32_t load, Cond4 *delay,
                       Cond4 *slew)
{
  if (!view->f.traits.thresholds_differ || flat_model_has(&view->f, DELAY_CONTEST_RULES)
      || view->f.slot_use[driver] & FLAT_PORT)
    return;
  for (int k = 0; k < CONDITION_COUNT; k++) {
    uint32_t from = view->f.slot_thresholds[2 * driver + (uint32_t)(k >> 1)],
             to = view->f.slot_thresholds[2 * load + (uint32_t)(k >> 1)];
    if (from == to) continue;
    const FlatThresholds *thresholds = &view->f.thresholds[from + (uint32_t)(k & 1)],
                         *flat_thresholds = &view->f.thresholds[to + (uint32_t)(k & 1)];
    threshold_move(&thresholds->v, &flat_thresholds->v, flat_thresholds->input_vth, k & 1,
                   &delay->v[k], &slew->v[k]);
  }
}


SL_HD void late_edges(const FlatView *view, uint32_t slot)
{
  for (uint32_t e = view->f.edge_first[view->f.arc_first[slot]];
       e < view->f.edge_first[view->f.arc_first[slot + 1]]; e++)
    view->n.edge_delay[e].v[EARLY] = view->n.edge_delay[e].v[LATE];
}

/* Computes the arcs to a driver inside an ideal network. Their delay is the latency. Where the
   network begins, their own delay is added. */
SL_HD void ideal_arcs(const FlatView *view, DriverWork *work, const FlatIdeal *own)
{
  for (uint32_t a = view->f.arc_first[work->slot]; a < view->f.arc_first[work->slot + 1]; a++) {
    uint32_t e = view->f.edge_first[a];
    int begins = view->f.slot_use[work->slot] & FLAT_BEGINS;
    if (begins && !(view->f.arc_use[a] & FLAT_ON)) continue;
    for (uint32_t pairs = view->f.arc_pairs[a]; pairs; pairs &= pairs - 1, e++) {
      int bit = lowest_pair(pairs);
      view->n.edge_delay[e].v[EARLY] = view->n.edge_delay[e].v[LATE] = 0;
      if (begins) edge_lumped(view, work, a, e, bit >> 1, bit & 1);
      for (int el = EARLY; el <= LATE; el++)
        view->n.edge_delay[e].v[el] += own->latency.v[condition_of(el, bit & 1)];
    }
  }
}

SL_HD void ideal_load(const FlatView *view, const DriverWork *work, uint32_t load,
                      const FlatIdeal *driver)
{
  Cond4 none = cond_all(0, 0);
  uint32_t at = view->f.slot_ideal[load];
  const FlatIdeal *own = at != FLAT_NONE ? &view->f.ideals[at] : 0;
  view->n.wire_delay[load - work->load_shift] = own ? own->latency : none;
  for (int k = 0; k < CONDITION_COUNT; k++)
    view->n.slew[load].v[k] = own && own->given >> k & 1 ? own->slew.v[k] : driver->slew.v[k];
}

SL_HD void ideal_delays(const FlatView *view, DriverWork *work)
{
  const FlatIdeal *own = &view->f.ideals[view->f.slot_ideal[work->slot]];
  ideal_arcs(view, work, own);
  work->slew = own->slew;
  for (uint32_t s = work->first_load; s < work->end_load; s++) ideal_load(view, work, s, own);
}

/* --- annotation: laid over the computed numbers ----------------------------------------------- */
/* Sets the delays of edges to 0 before they are computed. An edge without tables is not computed,
   and an annotated increment must not be added twice. */
SL_HD void clear_edges(const FlatView *view, uint32_t slot)
{
  for (uint32_t a = view->f.arc_first[slot]; a < view->f.arc_first[slot + 1]; a++)
    for (uint32_t e = view->f.edge_first[a];
         e < view->f.edge_first[a + 1] && view->f.arc_use[a] & FLAT_SHAPES; e++)
      view->n.edge_delay[e].v[EARLY] = view->n.edge_delay[e].v[LATE] = 0;
}

SL_HD void note_load(const FlatView *view, uint32_t load, uint32_t at)
{
  for (int k = 0; k < CONDITION_COUNT; k++) {
    if (view->f.traits.annotated & ANNOTATED_WIRES)
      view->n.wire_delay[at].v[k] = annotated_wire(view, at, k, view->n.wire_delay[at].v[k]);
    if (view->f.traits.annotated & ANNOTATED_SLEWS)
      view->n.slew[load].v[k] = annotated_slew(view, load, k, view->n.slew[load].v[k]);
  }
}

SL_HD void note_driver(const FlatView *view, DriverWork *work)
{
  for (int k = 0; k < CONDITION_COUNT && view->f.traits.annotated & ANNOTATED_SLEWS; k++)
    work->slew.v[k] = annotated_slew(view, work->slot, k, work->slew.v[k]);
  if (!(view->f.traits.annotated & ANNOTATED_EDGES)) return;
  for (uint32_t e = view->f.edge_first[view->f.arc_first[work->slot]];
       e < view->f.edge_first[view->f.arc_first[work->slot + 1]]; e++)
    for (int el = EARLY; el <= LATE; el++)
      view->n.edge_delay[e].v[el] = annotated_edge(view, e, el, view->n.edge_delay[e].v[el]);
}

/* --- loads ------------------------------------------------------------------------------------ */
/* Computes a wire to a load at which an ideal network begins. */
SL_HD void begin_wire(const FlatView *view, uint32_t load, Cond4 *delay)
{
  const FlatIdeal *own = &view->f.ideals[view->f.slot_ideal[load]];
  for (int k = 0; k < CONDITION_COUNT; k++) delay->v[k] += own->latency.v[k];
}

/* Finishes the numbers of a load after its driver. at: the index of the load. */
SL_HD void finish_load(const FlatView *view, uint32_t load, uint32_t at)
{
  Cond4 *delay = &view->n.wire_delay[at], *slew = &view->n.slew[load];
  cond_settle(slew);
  cond_settle(delay);
  if (view->f.slot_use[load] & FLAT_BEGINS) {
    *slew = view->f.ideals[view->f.slot_ideal[load]].slew;
    begin_wire(view, load, delay);
  }
  if (view->f.traits.annotated) note_load(view, load, at);
  if (!view->f.traits.single) return;
  cond_copy_late(slew);
  cond_copy_late(delay);
}

/* Gives a load of several drivers the worst slew of all its wires. [first, end): the extra
   wires. */
SL_HD void take_extras(const FlatView *view, uint32_t load, uint32_t first, uint32_t end)
{
  for (uint32_t x = first; x < end; x++) {
    Cond4 *delay = &view->n.extra_delay[x], *slew = &view->n.extra_slew[x];
    adjust_load(view, view->f.extras[x].driver, load, delay, slew);
    for (int k = 0; k < CONDITION_COUNT; k++)
      cond_merge(&view->n.slew[load], k >> 1, k & 1, slew->v[k]);
    cond_settle(delay);
    if (view->f.slot_use[load] & FLAT_BEGINS) begin_wire(view, load, delay);
    for (int k = 0; k < CONDITION_COUNT && view->f.traits.annotated & ANNOTATED_EXTRAS; k++)
      delay->v[k] =
          annotated(view->f.extra_mark[x], k, view->f.extra_annotation[x].v[k], delay->v[k]);
    if (view->f.traits.single) cond_copy_late(delay);
  }
}

/* Computes a load of several drivers. The levels of all its drivers must be done. */
SL_HD void shared_load_delays(const FlatView *view, uint32_t driver, uint32_t load, uint32_t at)
{
  if (view->f.slot_use[driver] & FLAT_PORT) return;
  adjust_load(view, driver, load, &view->n.wire_delay[at], &view->n.slew[load]);
  take_extras(view, load, view->f.load_extra[at], view->f.load_extra[at + 1]);
  finish_load(view, load, at);
}

SL_HD void driver_loads(const FlatView *view, const DriverWork *work, int inherit)
{
  for (uint32_t s = work->first_load; s < work->end_load; s++) {
    if (inherit) inherit_slew(view, work, s);
    if (is_shared(view, s)) continue;
    adjust_load(view, work->slot, s, &view->n.wire_delay[s - work->load_shift], &view->n.slew[s]);
    finish_load(view, s, s - work->load_shift);
  }
}

SL_HD void driver_delays(const FlatView *view, DriverWork *work)
{
  if (view->f.slot_use[work->slot] & FLAT_PORT) return;      /* the host computes ports */
  int inside = view->f.slot_use[work->slot] & FLAT_INSIDE;
  int waves = !inside && flat_model_has(&view->f, DELAY_BY_WAVE) && view->n.has_rc[work->driver];
  for (uint32_t s = work->first_load; waves && s < work->end_load; s++)
    view->n.slew[s] = view->n.wire_delay[s - work->load_shift] = cond_nothing();
  clear_extras(view, work->driver);
  if (view->f.traits.annotated & ANNOTATED_EDGES) clear_edges(view, work->slot);
  if (inside) ideal_delays(view, work);
  else driver_arcs(view, work, waves);
  driver_loads(view, work, !waves && !inside);
  if (!waves && !inside) follow_extras(view, work);
  cond_settle(&work->slew);
  if (view->f.traits.annotated) note_driver(view, work);
  if (view->f.traits.single) {
    cond_copy_late(&work->slew);
    late_edges(view, work->slot);
  }
  view->n.slew[work->slot] = work->slew;
}

#endif
