/* Delays and slews of one driver and its loads; see engine/cpu_delay.c for what is worked out and in which order. */
#ifndef SL_CUDA_DELAY_H
#define SL_CUDA_DELAY_H

#include "engine/flat.h"
#include "math/driver.h"

/* A driver at work: its loads' indices are their slots less load_shift. */
typedef struct {
  uint32_t slot, driver, load_shift;
  uint32_t first_load, end_load;
  Cond4    slew;                   /* merged so far */
} DriverWork;

/* One timing edge for one analysis. */
typedef struct {
  FlatTable delay, slew;
  uint32_t  thresholds;
  float     input_slew, c1, c2, rpi;
  int       has;
} EdgeCase;

SL_HD DriverWork driver_work(const FlatView *v, FlatLevel level, uint32_t i)
{
  DriverWork w;
  w.slot = level.first_slot + i;
  w.driver = level.first_driver + i;
  w.load_shift = level.load_shift;
  w.first_load = v->f.load_first[w.slot];
  w.end_load = w.first_load + v->f.load_count[w.slot];
  w.slew = cond_nothing();
  return w;
}

SL_HD TableView flat_table(const FlatView *v, FlatTable t)
{
  TableView r;
  r.data = v->f.pool + t.first;
  r.n1 = t.n1;
  r.n2 = t.n2;
  return r;
}

SL_HD float flat_slew(const FlatView *v, uint32_t place, int condition)
{
  return place & FLAT_CLOCK_SLEW ? v->f.clock_slew[place & ~FLAT_CLOCK_SLEW].v[condition] : v->n.slew[place].v[condition];
}

/* What annotation makes of the i-th of up to four numbers. */
SL_HD float noted(uint32_t marks, int i, float note, float x)
{
  return marks & (uint32_t)NOTE_ADDS << i ? x + note : marks & (uint32_t)NOTE_REPLACES << i ? note : x;
}

SL_HD float noted_wire(const FlatView *v, uint32_t load, int k, float x) { return noted(v->f.wire_mark[load], k, v->f.wire_note[load].v[k], x); }
SL_HD float noted_slew(const FlatView *v, uint32_t slot, int k, float x) { return noted(v->f.slew_mark[slot], k, v->f.slew_note[slot].v[k], x); }
SL_HD float noted_edge(const FlatView *v, uint32_t edge, int el, float x) { return noted(v->f.edge_mark[edge], el, v->f.edge_note[edge].v[el], x); }

/* The lowest of an arc's remaining edge pairs: 2*in + out. */
SL_HD int lowest_pair(uint32_t pairs) { return pairs & 1 ? 0 : pairs & 2 ? 1 : pairs & 4 ? 2 : 3; }

SL_HD EdgeCase edge_case(const FlatView *v, uint32_t arc, uint32_t driver, int in, int out, int el)
{
  EdgeCase c;
  const FlatKind *kind = &v->f.kinds[v->f.arc_kind[arc]];
  int k = condition_of(el, out);
  c.delay = kind->delay[k];
  c.slew = kind->slew[k];
  c.thresholds = kind->thresholds[k];
  c.has = c.delay.n1 != 0;
  c.input_slew = flat_slew(v, v->f.arc_slew[arc], condition_of(el, in));
  c.c1 = c.c2 = c.rpi = 0;
  if (v->f.delay_model != FLAT_CEFF) return c;
  c.c1 = v->n.pi_c1[driver].v[k];
  c.c2 = v->n.pi_c2[driver].v[k];
  c.rpi = v->n.pi_r[driver].v[k];
  return c;
}

SL_HD int same_case(const EdgeCase *a, const EdgeCase *b)
{
  return a->has && b->has && a->delay.first == b->delay.first && a->slew.first == b->slew.first && a->input_slew == b->input_slew &&
         a->c1 == b->c1 && a->c2 == b->c2 && a->rpi == b->rpi && a->thresholds == b->thresholds;
}

/* --- effective capacitance ------------------------------------------------------------------------------------------------ */
SL_HD void merge_analyses(Cond4 *to, int analyses, int edge, float x)
{
  if (analyses >> EARLY & 1) cond_merge(to, EARLY, edge, x);
  if (analyses >> LATE & 1) cond_merge(to, LATE, edge, x);
}

SL_HD void load_wave(const FlatView *v, const DriverWork *w, uint32_t load, const DriverSolution *r, Thresholds t, int out, int analyses, float elmore)
{
  LoadSolution s = load_solve(r, t, elmore);
  merge_analyses(&v->n.wire_delay[load - w->load_shift], analyses, out, s.delay);
  merge_analyses(&v->n.slew[load], analyses, out, s.slew);
}

SL_HD void load_waves(const FlatView *v, const DriverWork *w, const DriverSolution *r, Thresholds t, int out, int analyses)
{
  for (uint32_t s = w->first_load; s < w->end_load; s++) {
    Cond4 elmore = v->n.elmore[s - w->load_shift];
    float early = elmore.v[condition_of(EARLY, out)], late = elmore.v[condition_of(LATE, out)];
    if (analyses == 3 && early == late) load_wave(v, w, s, r, t, out, 3, early);
    else {
      if (analyses >> EARLY & 1) load_wave(v, w, s, r, t, out, 1 << EARLY, early);
      if (analyses >> LATE & 1) load_wave(v, w, s, r, t, out, 1 << LATE, late);
    }
  }
}

SL_HD void case_wave(const FlatView *v, DriverWork *w, uint32_t edge, const EdgeCase *c, int out, int analyses)
{
  const FlatThresholds *t = &v->f.thresholds[c->thresholds];
  DriverProblem p;
  DriverSolution r;
  p.delay = table_cut(flat_table(v, c->delay), c->input_slew);
  p.slew = table_cut(flat_table(v, c->slew), c->input_slew);
  p.v = t->v;
  p.ramp_base = t->ramp_base;
  p.c1 = c->c1;
  p.c2 = c->c2;
  p.rpi = c->rpi;
  driver_solve(v->f.ramps, &p, &r);
  for (int el = EARLY; el <= LATE; el++)
    if (analyses >> el & 1) v->n.edge_delay[edge].v[el] = r.delay;
  merge_analyses(&w->slew, analyses, out, r.slew);
  load_waves(v, w, &r, t->v, out, analyses);
}

SL_HD void edge_wave(const FlatView *v, DriverWork *w, uint32_t arc, uint32_t edge, int in, int out)
{
  EdgeCase early = edge_case(v, arc, w->driver, in, out, EARLY), late = edge_case(v, arc, w->driver, in, out, LATE);
  int same = same_case(&early, &late);
  if (early.has) case_wave(v, w, edge, &early, out, same ? 3 : 1 << EARLY);
  if (late.has && !same) case_wave(v, w, edge, &late, out, 1 << LATE);
}

/* --- the tables at the total capacitance; loads follow the driver's merged slew ---------------------------------------------- */
SL_HD void edge_lumped(const FlatView *v, DriverWork *w, uint32_t arc, uint32_t edge, int in, int out)
{
  for (int el = EARLY; el <= LATE; el++) {
    EdgeCase c = edge_case(v, arc, w->driver, in, out, el);
    if (!c.has) continue;
    float load = v->n.load_cap[w->driver].v[condition_of(el, out)];
    float delay = table_value(flat_table(v, c.delay), c.input_slew, load), slew = table_value(flat_table(v, c.slew), c.input_slew, load);
    if (v->f.delay_model != FLAT_ELMORE) {
      delay = delay > 0 ? delay : 0;
      slew = slew > 0 ? slew : 0;
    }
    v->n.edge_delay[edge].v[el] = delay;
    cond_merge(&w->slew, el, out, slew);
  }
}

SL_HD void follow_slew(const FlatView *v, const DriverWork *w, uint32_t load)
{
  uint32_t at = load - w->load_shift;
  Cond4 delay = cond_nothing(), slew = cond_nothing();
  for (int k = 0; k < CONDITION_COUNT; k++) {
    int elmore = v->f.delay_model == FLAT_ELMORE;
    cond_merge(&delay, k >> 1, k & 1, elmore ? v->n.elmore[at].v[k] : 0);
    cond_merge(&slew, k >> 1, k & 1, elmore ? impulse_slew(w->slew.v[k], v->n.impulse[at].v[k]) : w->slew.v[k]);
  }
  v->n.wire_delay[at] = delay;
  v->n.slew[load] = slew;
}

/* --- a driver ------------------------------------------------------------------------------------------------------------------- */
SL_HD void driver_arcs(const FlatView *v, DriverWork *w, int waves)
{
  for (uint32_t a = v->f.arc_first[w->slot]; a < v->f.arc_first[w->slot + 1]; a++) {
    uint32_t e = v->f.edge_first[a];
    if (!(v->f.arc_use[a] & FLAT_SHAPES)) continue;
    for (uint32_t pairs = v->f.arc_pairs[a]; pairs; pairs &= pairs - 1, e++) {
      int bit = lowest_pair(pairs);
      if (waves) edge_wave(v, w, a, e, bit >> 1, bit & 1);
      else edge_lumped(v, w, a, e, bit >> 1, bit & 1);
    }
  }
}

/* From the driver's thresholds to the load's, where those of libraries differ. */
SL_HD void adjust_load(const FlatView *v, const DriverWork *w, uint32_t load, Cond4 *delay, Cond4 *slew)
{
  if (v->f.delay_model == FLAT_ELMORE) return;
  for (int k = 0; k < CONDITION_COUNT; k++) {
    uint32_t from = v->f.slot_thresholds[2 * w->slot + (uint32_t)(k >> 1)], to = v->f.slot_thresholds[2 * load + (uint32_t)(k >> 1)];
    if (from == to) continue;
    const FlatThresholds *d = &v->f.thresholds[from + (uint32_t)(k & 1)], *l = &v->f.thresholds[to + (uint32_t)(k & 1)];
    threshold_move(&d->v, &l->v, l->input_vth, k & 1, &delay->v[k], &slew->v[k]);
  }
}

SL_HD void settle_load(const FlatView *v, const DriverWork *w, uint32_t load)
{
  Cond4 *delay = &v->n.wire_delay[load - w->load_shift], *slew = &v->n.slew[load];
  if (v->f.thresholds_differ) adjust_load(v, w, load, delay, slew);
  cond_settle(slew);
  cond_settle(delay);
}

SL_HD void late_load(const FlatView *v, const DriverWork *w, uint32_t load)
{
  cond_copy_late(&v->n.slew[load]);
  cond_copy_late(&v->n.wire_delay[load - w->load_shift]);
}

SL_HD void late_edges(const FlatView *v, uint32_t slot)
{
  for (uint32_t e = v->f.edge_first[v->f.arc_first[slot]]; e < v->f.edge_first[v->f.arc_first[slot + 1]]; e++)
    v->n.edge_delay[e].v[EARLY] = v->n.edge_delay[e].v[LATE];
}

/* A driver inside an ideal network: its cell takes its latency and no more, unless the network begins here. */
SL_HD void ideal_arcs(const FlatView *v, DriverWork *w, const FlatIdeal *own)
{
  for (uint32_t a = v->f.arc_first[w->slot]; a < v->f.arc_first[w->slot + 1]; a++) {
    uint32_t e = v->f.edge_first[a];
    int begins = v->f.slot_use[w->slot] & FLAT_BEGINS;
    if (begins && !(v->f.arc_use[a] & FLAT_ON)) continue;
    for (uint32_t pairs = v->f.arc_pairs[a]; pairs; pairs &= pairs - 1, e++) {
      int bit = lowest_pair(pairs);
      if (begins) edge_lumped(v, w, a, e, bit >> 1, bit & 1);
      for (int el = EARLY; el <= LATE && !begins; el++) v->n.edge_delay[e].v[el] = own->latency.v[condition_of(el, bit & 1)];
    }
  }
}

SL_HD void ideal_load(const FlatView *v, const DriverWork *w, uint32_t load, const FlatIdeal *driver)
{
  Cond4 none = cond_all(0, 0);
  uint32_t at = v->f.slot_ideal[load];
  const FlatIdeal *own = at != FLAT_NONE ? &v->f.ideals[at] : 0;
  v->n.wire_delay[load - w->load_shift] = own ? own->latency : none;
  for (int k = 0; k < CONDITION_COUNT; k++) v->n.slew[load].v[k] = own && own->given >> k & 1 ? own->slew.v[k] : driver->slew.v[k];
}

SL_HD void ideal_delays(const FlatView *v, DriverWork *w)
{
  const FlatIdeal *own = &v->f.ideals[v->f.slot_ideal[w->slot]];
  ideal_arcs(v, w, own);
  w->slew = own->slew;
  for (uint32_t s = w->first_load; s < w->end_load; s++) ideal_load(v, w, s, own);
}

/* --- annotation: over all that was worked out --------------------------------------------------------------------------------- */
/* An edge without tables is not worked out, and an increment must not meet its own sum. */
SL_HD void clear_edges(const FlatView *v, uint32_t slot)
{
  for (uint32_t a = v->f.arc_first[slot]; a < v->f.arc_first[slot + 1]; a++)
    for (uint32_t e = v->f.edge_first[a]; e < v->f.edge_first[a + 1] && v->f.arc_use[a] & FLAT_SHAPES; e++)
      v->n.edge_delay[e].v[EARLY] = v->n.edge_delay[e].v[LATE] = 0;
}

SL_HD void note_load(const FlatView *v, const DriverWork *w, uint32_t load)
{
  uint32_t at = load - w->load_shift;
  for (int k = 0; k < CONDITION_COUNT; k++) {
    if (v->f.noted & NOTED_WIRES) v->n.wire_delay[at].v[k] = noted_wire(v, at, k, v->n.wire_delay[at].v[k]);
    if (v->f.noted & NOTED_SLEWS) v->n.slew[load].v[k] = noted_slew(v, load, k, v->n.slew[load].v[k]);
  }
}

SL_HD void note_driver(const FlatView *v, DriverWork *w)
{
  for (int k = 0; k < CONDITION_COUNT && v->f.noted & NOTED_SLEWS; k++) w->slew.v[k] = noted_slew(v, w->slot, k, w->slew.v[k]);
  if (!(v->f.noted & NOTED_EDGES)) return;
  for (uint32_t e = v->f.edge_first[v->f.arc_first[w->slot]]; e < v->f.edge_first[v->f.arc_first[w->slot + 1]]; e++)
    for (int el = EARLY; el <= LATE; el++) v->n.edge_delay[e].v[el] = noted_edge(v, e, el, v->n.edge_delay[e].v[el]);
}

SL_HD void driver_delays(const FlatView *v, DriverWork *w)
{
  if (v->f.slot_use[w->slot] & FLAT_PORT) return;      /* the host's */
  int inside = v->f.slot_use[w->slot] & FLAT_INSIDE;
  int waves = !inside && v->f.delay_model == FLAT_CEFF && v->n.has_rc[w->driver];
  for (uint32_t s = w->first_load; waves && s < w->end_load; s++) v->n.slew[s] = v->n.wire_delay[s - w->load_shift] = cond_nothing();
  if (v->f.noted & NOTED_EDGES) clear_edges(v, w->slot);
  if (inside) ideal_delays(v, w);
  else driver_arcs(v, w, waves);
  cond_settle(&w->slew);
  for (uint32_t s = w->first_load; s < w->end_load; s++) {
    if (!waves && !inside) follow_slew(v, w, s);
    settle_load(v, w, s);
    if (!inside && v->f.slot_use[s] & FLAT_INSIDE) v->n.slew[s] = v->f.ideals[v->f.slot_ideal[s]].slew;      /* the network begins here */
    if (v->f.noted) note_load(v, w, s);
    if (v->f.single) late_load(v, w, s);
  }
  if (v->f.noted) note_driver(v, w);
  if (v->f.single) {
    cond_copy_late(&w->slew);
    late_edges(v, w->slot);
  }
  v->n.slew[w->slot] = w->slew;
}

#endif
