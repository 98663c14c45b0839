/* Margins, slacks and required times of checks and path ends (see cpu/cpu_required.c). */
#ifndef SL_CUDA_END_LANES_H
#define SL_CUDA_END_LANES_H

#include "cuda/arrival.h"
#include "cuda/kernel.h"
#include "math/latch.h"

/* --- end points ------------------------------------------------------------------------------- */
SL_HD void check_margin(const FlatView *view, uint32_t check, int edge)
{
  const FlatCheck *flat_check = &view->f.checks[check];
  float margin = flat_check->margin[edge];
  if (flat_check->table[edge].n1) {
    float clock = flat_slew(view, flat_check->clock_slew, flat_check->clock_condition[edge]);
    float data = view->n.slew[flat_check->data].v[condition_of(flat_check->early_late, edge)];
    margin = table_value(flat_table(view, flat_check->table[edge]), clock, data);
    if (view->f.traits.annotated & ANNOTATED_CHECKS)
      margin = annotated(view->f.check_mark[check], edge, view->f.check_annotation[check].v[edge],
                         margin);
  }
  view->n.check_margin[check].v[edge] = margin;
}

/* Returns the time at which the capture needs or allows the data, without the margin. Absent: no
   clock arrives. */
SL_HD float capture_time(const FlatView *view, const FlatEnd *end, int edge)
{
  if (end->capture == FLAT_NONE) return end->offset[edge];
  float clock = view->n.arrival[end->capture].v[end->capture_condition];
  return time_absent(clock) ? clock : clock + end->offset[edge];
}

SL_HD float path_end_margin(const FlatView *view, const FlatEnd *end, int edge)
{
  if (end->check == FLAT_NONE) return 0;
  return view->n.check_margin[end->check].v[edge]
         * derate_of(view, view->f.check_derate, end->check, 0, condition_of(end->late, edge));
}

/* Returns how much later the closing edge arrives than the arrival of the opening edge and the
   waveform of the clock say. */
SL_HD float closing_shift(const FlatView *view, const FlatEnd *end, const FlatLatch *latch)
{
  if (latch->close == FLAT_NONE) return 0;
  float closes = view->n.arrival[latch->close].v[latch->close_condition];
  return time_absent(closes) ? 0 : closes - view->n.arrival[end->capture].v[latch->open_condition];
}

/* Returns the times at a latch, without the leaves. */
SL_HD LatchTimes latch_times(const FlatView *view, const FlatEnd *end, int edge, float open)
{
  const FlatLatch *latch = &view->f.latch_ends[end->latch];
  LatchTimes x = { open,
                   open + latch->window + closing_shift(view, end, latch)
                       - (latch->given ? 0 : path_end_margin(view, end, edge)),
                   0, 0 };
  return x;
}

/* Returns the required time of a path end. arrival: that of the data of a latch, without credit. */
SL_HD float path_end_required(const FlatView *view, const FlatEnd *end, int edge, float capture,
                              float arrival)
{
  if (end->latch != FLAT_NONE) {
    LatchTimes x = latch_times(view, end, edge, capture);
    return latch_required(x, latch_is_late(x, arrival), arrival);
  }
  float margin = path_end_margin(view, end, edge);
  return end->late ? capture - margin : capture + margin;
}

SL_HD void path_end_edge(const FlatView *view, uint32_t id, int edge)
{
  const FlatEnd *end = &view->f.path_ends[id];
  int el = end->late ? LATE : EARLY, k = condition_of(el, edge);
  float arrival = view->n.arrival[end->data].v[k], *slack = &view->n.end_slack[id].v[edge];
  *slack = NO_SLACK;
  if (!(end->edges >> edge & 1)) return;
  float capture = capture_time(view, end, edge);
  if (time_absent(capture) || time_absent(arrival)) return;
  float required = path_end_required(view, end, edge, capture, arrival);
  *slack = time_slack(el, required, arrival);
  /* as on the CPU, which adds a gain: adding 0 makes +0 of -0 */
  lane_tighten(&view->n.required[end->data].v[k], el, el == LATE ? required + 0.0f : required);
}

#endif
