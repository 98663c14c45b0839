/* Margins, slacks and required times of checks and path ends (see cpu/cpu_required.c). */
#ifndef SL_CUDA_END_LANES_H
#define SL_CUDA_END_LANES_H

#include "cuda/arrival.h"
#include "cuda/kernel.h"
#include "math/latch.h"

/* --- end points ------------------------------------------------------------------------------- */
SL_HD void check_margin(const FlatView *v, uint32_t check, int edge)
{
  const FlatCheck *c = &v->f.checks[check];
  float margin = c->margin[edge];
  if (c->table[edge].n1) {
    float clock = flat_slew(v, c->clock_slew, c->clock_condition[edge]);
    float data = v->n.slew[c->data].v[condition_of(c->early_late, edge)];
    margin = table_value(flat_table(v, c->table[edge]), clock, data);
    if (v->f.traits.annotated & ANNOTATED_CHECKS)
      margin =
          annotated(v->f.check_mark[check], edge, v->f.check_annotation[check].v[edge], margin);
  }
  v->n.check_margin[check].v[edge] = margin;
}

/* Returns the time at which the capture needs or allows the data, without the margin. Absent: no
   clock arrives. */
SL_HD float capture_time(const FlatView *v, const FlatEnd *r, int edge)
{
  if (r->capture == FLAT_NONE) return r->offset[edge];
  float clock = v->n.arrival[r->capture].v[r->capture_condition];
  return time_absent(clock) ? clock : clock + r->offset[edge];
}

SL_HD float path_end_margin(const FlatView *v, const FlatEnd *r, int edge)
{
  if (r->check == FLAT_NONE) return 0;
  return v->n.check_margin[r->check].v[edge]
         * derate_of(v, v->f.check_derate, r->check, 0, condition_of(r->late, edge));
}

/* Returns how much later the closing edge arrives than the arrival of the opening edge and the
   waveform of the clock say. */
SL_HD float closing_shift(const FlatView *v, const FlatEnd *r, const FlatLatch *latch)
{
  if (latch->close == FLAT_NONE) return 0;
  float closes = v->n.arrival[latch->close].v[latch->close_condition];
  return time_absent(closes) ? 0 : closes - v->n.arrival[r->capture].v[latch->open_condition];
}

/* Returns the times at a latch, without the leaves. */
SL_HD LatchTimes latch_times(const FlatView *v, const FlatEnd *r, int edge, float open)
{
  const FlatLatch *latch = &v->f.latch_ends[r->latch];
  LatchTimes x = { open,
                   open + latch->window + closing_shift(v, r, latch)
                       - (latch->given ? 0 : path_end_margin(v, r, edge)),
                   0, 0 };
  return x;
}

/* Returns the required time of a path end. arrival: that of the data of a latch, without credit. */
SL_HD float path_end_required(const FlatView *v, const FlatEnd *r, int edge, float capture,
                              float arrival)
{
  if (r->latch != FLAT_NONE) {
    LatchTimes x = latch_times(v, r, edge, capture);
    return latch_required(x, latch_is_late(x, arrival), arrival);
  }
  float margin = path_end_margin(v, r, edge);
  return r->late ? capture - margin : capture + margin;
}

SL_HD void path_end_edge(const FlatView *v, uint32_t id, int edge)
{
  const FlatEnd *r = &v->f.path_ends[id];
  int el = r->late ? LATE : EARLY, k = condition_of(el, edge);
  float arrival = v->n.arrival[r->data].v[k], *slack = &v->n.end_slack[id].v[edge];
  *slack = NO_SLACK;
  if (!(r->edges >> edge & 1)) return;
  float capture = capture_time(v, r, edge);
  if (time_absent(capture) || time_absent(arrival)) return;
  float required = path_end_required(v, r, edge, capture, arrival);
  *slack = el == LATE ? required - arrival : arrival - required;
  /* as on the CPU, which adds a gain: adding 0 makes +0 of -0 */
  lane_tighten(&v->n.required[r->data].v[k], el, el == LATE ? required + 0.0f : required);
}

#endif
