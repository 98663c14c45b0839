/* Collects drivers and loads in lanes, solves many at a time, and merges the solutions into slews
   and delays. */
#include "cpu/cpu_work.h"

Work *delay_work_new(Timing *t)
{
  Work *work = mem_alloc_zero(1, sizeof *work);
  work->t = t;
  work->drivers = driver_lanes_new((int)t->corner_libs->row_segments);
  return work;
}

void delay_work_free(Work *work)
{
  driver_lanes_free(work->drivers);
  mem_free(work);
}

Load delay_own_load(Timing *t, Slot s)
{
  uint32_t i = graph_load_index(t->g, s);
  return (Load){ s, &t->wires.delay[i], &t->slew[s], &t->wires.elmore[i],
                 t->wires.impulse_sq ? &t->wires.impulse_sq[i] : NULL };
}

void delay_visit_extras(Timing *t, Slot driver, void (*visit)(Work *, const Load *, const void *),
                        Work *work, const void *data)
{
  if (t->g->nets.extra_wires.len == 0) return;
  DriverExtras it = driver_extras(t->g, driver);
  while (driver_extras_next(&it)) {
    uint32_t i = it.index;
    Load load = { t->g->nets.extra_wires.at[i].load, &t->extra.delay[i], &t->extra.slew[i],
                  &t->extra.elmore[i], t->extra.impulse_sq ? &t->extra.impulse_sq[i] : NULL };
    visit(work, &load, data);
  }
}

/* --- the loads of one driver solution --------------------------------------------------------- */
static void flush_loads(Work *work)
{
  LoadLanes *lanes = &work->loads;
  if (lanes->count == 0) return;
  load_lanes_solve(lanes, work->t->delay_model);
  for (int i = 0; i < lanes->count; i++) {
    const LoadJob *job = &work->load_job[i];
    delay_merge_analyses(job->delay, job->analyses, job->out, lanes->delay[i]);
    delay_merge_analyses(job->slew, job->analyses, job->out, lanes->slew[i]);
  }
  lanes->count = 0;
}

/* Puts a load into the lanes. i: the lane of its driver; analyses: those for which the load's wire
   has these moments. */
static void push_load(Work *work, const Load *load, int i, uint8_t analyses, WireMoments wire)
{
  const DriverShape *shape = &work->drivers->shape[i];
  int out = work->job[i].out;
  if (load_inherits(shape, wire)) {
    DelaySlew r = load_inherited(shape, wire);
    delay_merge_analyses(load->delay, analyses, out, r.delay);
    delay_merge_analyses(load->slew, analyses, out, r.slew);
    return;
  }
  LoadLanes *lanes = &work->loads;
  int n = lanes->count++;
  Thresholds v = lanes_thresholds(&work->drivers->v, i);
  lanes_put_shape(&lanes->driver, n, shape);
  lanes_put_thresholds(&lanes->v, n, &v);
  lanes->elmore[n] = wire.elmore;
  lanes->impulse_sq[n] = wire.impulse_sq;
  work->load_job[n] = (LoadJob){ load->delay, load->slew, (uint8_t)out, analyses };
  if (lanes->count == LANES) flush_loads(work);
}

static bool same_moments(WireMoments a, WireMoments b)
{
  return a.elmore == b.elmore && a.impulse_sq == b.impulse_sq;
}

static void push_load_analyses(Work *work, const Load *load, const void *lane)
{
  int i = *(const int *)lane;
  const EdgeJob *job = &work->job[i];
  WireMoments early = delay_moments(load, condition_of(EARLY, job->out)),
              late = delay_moments(load, condition_of(LATE, job->out));
  if (job->analyses == 3 && same_moments(early, late)) {
    push_load(work, load, i, 3, early);
    return;
  }
  if (job->analyses >> EARLY & 1) push_load(work, load, i, 1 << EARLY, early);
  if (job->analyses >> LATE & 1) push_load(work, load, i, 1 << LATE, late);
}

/* Returns the delay that a port's driving cell adds to arrivals at the port. */
Cond4 *delay_drive(Timing *t, Slot port)
{
  return &t->ports.drive_delays.at[map_get(t->ports.drive_delay_of, port)];
}

/* --- driver lanes ----------------------------------------------------------------------------- */
static void flush_drivers(Work *work)
{
  DriverLanes *lanes = work->drivers;
  Timing *t = work->t;
  if (lanes->count == 0) return;
  driver_lanes_solve(lanes, t->delay_model, t->corner_libs->ramps.at);
  for (int i = 0; i < lanes->count; i++) {
    const EdgeJob *job = &work->job[i];
    for (int el = EARLY; el <= LATE && !job->port; el++) {
      if (!(job->analyses >> el & 1)) continue;
      t->edge_delay[job->edge].v[el] = lanes->delay[i];
      delay_put_sigma(t, job->edge, el, job->sigma[el], job->input_slew, lanes->ceff[i]);
    }
    if (job->port)
      delay_merge_analyses(delay_drive(t, job->driver), job->analyses, job->out,
                           lanes->delay[i] - job->unloaded);
    if (job->delay_only) continue;
    delay_merge_analyses(&t->slew[job->driver], job->analyses, job->out, lanes->slew[i]);
    Slot first = t->g->nets.load_first[job->driver];
    for (Slot s = first; s < first + t->g->nets.load_count[job->driver]; s++) {
      Load load = delay_own_load(t, s);
      push_load_analyses(work, &load, &i);
    }
    delay_each_extra(t, job->driver, push_load_analyses, work, &i);
  }
  lanes->count = 0;
}

bool delay_same_case(const DriverCase *a, const DriverCase *b)
{
  return a->delay.data == b->delay.data && a->slew.data == b->slew.data
         && a->input_slew == b->input_slew && a->net.c_far == b->net.c_far
         && a->net.c_near == b->net.c_near && a->net.r_pi == b->net.r_pi
         && a->thresholds == b->thresholds;
}

void delay_push(Work *work, const DriverCase *driver_case, EdgeJob job)
{
  DriverLanes *lanes = work->drivers;
  const CornerLibs *libs = work->t->corner_libs;
  int i = lanes->count++;
  lanes->c_far[i] = driver_case->net.c_far;
  lanes->c_near[i] = driver_case->net.c_near;
  lanes->r_pi[i] = driver_case->net.r_pi;
  lanes_put_thresholds(&lanes->v, i, &libs->thresholds[driver_case->thresholds]);
  lanes->ramp_base[i] = libs->ramp_base[driver_case->thresholds];
  driver_lanes_rows(lanes, i, driver_case->delay, driver_case->slew, driver_case->input_slew,
                    work->t->delay_model);
  work->job[i] = job;
  if (lanes->count == LANES) flush_drivers(work);
}

void delay_flush(Work *work)
{
  flush_drivers(work);
  flush_loads(work);
}
