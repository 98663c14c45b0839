/* Collects drivers and loads in lanes, solves many at a time, and merges the solutions into slews
   and delays. */
#include "cpu/cpu_work.h"

Work *delay_work_new(Timing *t)
{
  Work *w = mem_alloc_zero(1, sizeof *w);
  w->t = t;
  w->drivers = driver_lanes_new((int)t->corner_libs->row_segments);
  return w;
}

void delay_work_free(Work *w)
{
  driver_lanes_free(w->drivers);
  mem_free(w);
}

Load delay_own_load(Timing *t, Slot s)
{
  uint32_t i = graph_load_index(t->g, s);
  return (Load){ s, &t->wires.delay[i], &t->slew[s], &t->wires.elmore[i],
                 t->wires.impulse_sq ? &t->wires.impulse_sq[i] : NULL };
}

void delay_visit_extras(Timing *t, Slot driver, void (*visit)(Work *, const Load *, const void *),
                        Work *w, const void *data)
{
  if (t->g->nets.extra_wires.len == 0) return;
  DriverExtras it = driver_extras(t->g, driver);
  while (driver_extras_next(&it)) {
    uint32_t i = it.index;
    Load load = { t->g->nets.extra_wires.at[i].load, &t->extra.delay[i], &t->extra.slew[i],
                  &t->extra.elmore[i], t->extra.impulse_sq ? &t->extra.impulse_sq[i] : NULL };
    visit(w, &load, data);
  }
}

/* --- the loads of one driver solution --------------------------------------------------------- */
static void flush_loads(Work *w)
{
  LoadLanes *l = &w->loads;
  if (l->count == 0) return;
  load_lanes_solve(l, w->t->delay_model);
  for (int i = 0; i < l->count; i++) {
    const LoadJob *j = &w->load_job[i];
    delay_merge_analyses(j->delay, j->analyses, j->out, l->delay[i]);
    delay_merge_analyses(j->slew, j->analyses, j->out, l->slew[i]);
  }
  l->count = 0;
}

/* Puts a load into the lanes. i: the lane of its driver; analyses: those for which the load's wire
   has these moments. */
static void push_load(Work *w, const Load *load, int i, uint8_t analyses, WireMoments wire)
{
  const DriverShape *d = &w->drivers->shape[i];
  int out = w->job[i].out;
  if (load_inherits(d, wire)) {
    DelaySlew r = load_inherited(d, wire);
    delay_merge_analyses(load->delay, analyses, out, r.delay);
    delay_merge_analyses(load->slew, analyses, out, r.slew);
    return;
  }
  LoadLanes *l = &w->loads;
  int n = l->count++;
  Thresholds v = lanes_thresholds(&w->drivers->v, i);
  lanes_put_shape(&l->driver, n, d);
  lanes_put_thresholds(&l->v, n, &v);
  l->elmore[n] = wire.elmore;
  l->impulse_sq[n] = wire.impulse_sq;
  w->load_job[n] = (LoadJob){ load->delay, load->slew, (uint8_t)out, analyses };
  if (l->count == LANES) flush_loads(w);
}

static bool same_moments(WireMoments a, WireMoments b)
{
  return a.elmore == b.elmore && a.impulse_sq == b.impulse_sq;
}

static void push_load_analyses(Work *w, const Load *load, const void *lane)
{
  int i = *(const int *)lane;
  const EdgeJob *j = &w->job[i];
  WireMoments early = delay_moments(load, condition_of(EARLY, j->out)),
              late = delay_moments(load, condition_of(LATE, j->out));
  if (j->analyses == 3 && same_moments(early, late)) {
    push_load(w, load, i, 3, early);
    return;
  }
  if (j->analyses >> EARLY & 1) push_load(w, load, i, 1 << EARLY, early);
  if (j->analyses >> LATE & 1) push_load(w, load, i, 1 << LATE, late);
}

/* Returns the delay that a port's driving cell adds to arrivals at the port. */
Cond4 *delay_drive(Timing *t, Slot port)
{
  return &t->ports.drive_delays.at[map_get(t->ports.drive_delay_of, port)];
}

/* --- driver lanes ----------------------------------------------------------------------------- */
static void flush_drivers(Work *w)
{
  DriverLanes *d = w->drivers;
  Timing *t = w->t;
  if (d->count == 0) return;
  driver_lanes_solve(d, t->delay_model, t->corner_libs->ramps.at);
  for (int i = 0; i < d->count; i++) {
    const EdgeJob *j = &w->job[i];
    for (int el = EARLY; el <= LATE && !j->port; el++) {
      if (!(j->analyses >> el & 1)) continue;
      t->edge_delay[j->edge].v[el] = d->delay[i];
      delay_put_sigma(t, j->edge, el, j->sigma[el], j->input_slew, d->ceff[i]);
    }
    if (j->port)
      delay_merge_analyses(delay_drive(t, j->driver), j->analyses, j->out,
                           d->delay[i] - j->unloaded);
    if (j->delay_only) continue;
    delay_merge_analyses(&t->slew[j->driver], j->analyses, j->out, d->slew[i]);
    Slot first = t->g->nets.load_first[j->driver];
    for (Slot s = first; s < first + t->g->nets.load_count[j->driver]; s++) {
      Load load = delay_own_load(t, s);
      push_load_analyses(w, &load, &i);
    }
    delay_each_extra(t, j->driver, push_load_analyses, w, &i);
  }
  d->count = 0;
}

bool delay_same_case(const DriverCase *a, const DriverCase *b)
{
  return a->delay.data == b->delay.data && a->slew.data == b->slew.data
         && a->input_slew == b->input_slew && a->net.c_far == b->net.c_far
         && a->net.c_near == b->net.c_near && a->net.r_pi == b->net.r_pi
         && a->thresholds == b->thresholds;
}

void delay_push(Work *w, const DriverCase *c, EdgeJob job)
{
  DriverLanes *d = w->drivers;
  const CornerLibs *m = w->t->corner_libs;
  int i = d->count++;
  d->c_far[i] = c->net.c_far;
  d->c_near[i] = c->net.c_near;
  d->r_pi[i] = c->net.r_pi;
  lanes_put_thresholds(&d->v, i, &m->thresholds[c->thresholds]);
  d->ramp_base[i] = m->ramp_base[c->thresholds];
  driver_lanes_rows(d, i, c->delay, c->slew, c->input_slew, w->t->delay_model);
  w->job[i] = job;
  if (d->count == LANES) flush_drivers(w);
}

void delay_flush(Work *w)
{
  flush_drivers(w);
  flush_loads(w);
}
