/* Computes the required time and the slack at path ends. */
#include "timing/credit.h"
#include "timing/derived.h"

/* Returns the time at which the capture needs or allows the data, without the margin. Absent: no
   clock arrives. */
static float capture_time(const Timing *t, const PathEnd *r, int edge)
{
  if (r->capture == NO_NODE_ID) return r->offset[edge];
  float clock = common_end_capture(t, r, edge).arrival;
  return time_absent(clock) ? clock : clock + r->offset[edge];
}

PathEndData timing_end_data(const Timing *t, const PathEnd *r, int edge)
{
  int k = condition_of(path_end_is_late((PathEndType)r->type) ? LATE : EARLY, edge);
  PathEndData d = { 0 };
  if (r->check != UINT32_MAX) d.margin = t->check_margin[r->check].v[edge];
  if (r->check != UINT32_MAX && t->sigma.check) d.check_sigma = t->sigma.check[r->check].v[edge];
  if (t->sigma.arrival_variance == NULL) return d;
  d.variance = t->sigma.arrival_variance[r->data].v[k];
  if (common_active(t))
    common_arrival(t, r->slot, r->data, k, common_end_capture(t, r, edge).leaf, &d.launch);
  return d;
}

/* Returns the margin of a path end. It is derated as data, because -clock means delays of clock
   networks only. */
static float path_end_margin(const Timing *t, const PathEnd *r, const PathEndData *d, int edge,
                             bool late)
{
  if (r->check == UINT32_MAX) return 0;
  return d->margin
         * timing_derate(t, t->derates.check, r->check, false,
                         condition_of(late ? LATE : EARLY, edge));
}

/* Returns how much later the closing edge arrives than the arrival of the opening edge and the
   waveform of the clock say. */
static float closing_shift(const Timing *t, const PathEnd *r, NodeId close)
{
  if (close == NO_NODE_ID) return 0;
  float closes = t->arrival[close].v[condition_of(EARLY, !r->capture_edge)];
  return time_absent(closes)
             ? 0
             : closes - t->arrival[r->capture].v[condition_of(EARLY, r->capture_edge)];
}

/* Returns the times at a latch. They are quantiles, and so is the setup time: their variances are
   not added. */
static LatchTimes latch_times(const Timing *t, const PathEnd *r, const PathEndData *data, int edge)
{
  const PathEndDetail *d = &t->g->ends.details.at[r->detail];
  float margin = d->window_given
                     ? 0
                     : path_end_margin(t, r, data, edge, true)
                           + t->sigma.quantile * data->check_sigma;
  LatchTimes x = { .open = capture_time(t, r, edge) };
  x.limit = x.open + d->window + closing_shift(t, r, d->close) - margin;
  if (!common_active(t)) return x;
  x.opens = common_end_capture(t, r, edge).leaf;
  x.closes = d->close == NO_NODE_ID ? x.opens : common_leaf_of_clock(t, d->close);
  return x;
}

LatchTimes timing_latch_times(const Timing *t, const PathEnd *r, int edge)
{
  PathEndData data = timing_end_data(t, r, edge);
  return latch_times(t, r, &data, edge);
}

static float arrival_for(const Timing *t, const PathEnd *r, int edge, uint32_t capture)
{
  uint32_t launch;
  return common_arrival(t, r->slot, r->data,
                        condition_of(path_end_is_late((PathEndType)r->type) ? LATE : EARLY, edge),
                        capture, &launch);
}

uint32_t timing_end_leaf(const Timing *t, const PathEnd *r, int edge)
{
  PathEndData d = { 0 };
  if (r->type == END_LATCH_SETUP) d = timing_end_data(t, r, edge);
  return timing_end_leaf_of(t, r, edge, &d);
}

uint32_t timing_end_leaf_of(const Timing *t, const PathEnd *r, int edge, const PathEndData *d)
{
  if (!common_active(t)) return 0;
  if (r->type != END_LATCH_SETUP) return common_end_capture(t, r, edge).leaf;
  LatchTimes x = latch_times(t, r, d, edge);
  return x.opens != x.closes && latch_is_late(x, arrival_for(t, r, edge, x.closes)) ? x.closes
                                                                                    : x.opens;
}

float timing_end_arrival(const Timing *t, const PathEnd *r, int edge)
{
  return arrival_for(t, r, edge, timing_end_leaf(t, r, edge));
}

/* Returns the correction of a slack for variation.  Data, capture and check vary independently,
   except for the common part of the clock paths, which drops out.  So the slack is n sqrt(sum of
   variances) away from its mean.  The times of data and capture already contain n sigma each. */
float timing_end_variation_of(const Timing *t, const PathEnd *r, int edge, const PathEndData *d)
{
  if (t->sigma.arrival_variance == NULL || r->type == END_LATCH_SETUP) return 0;
  int el = path_end_is_late((PathEndType)r->type) ? LATE : EARLY,
      side = graph_capture_side(t->g, el);
  float data = d->variance, check = d->check_sigma;
  float capture = r->capture == NO_NODE_ID
                      ? 0
                      : t->sigma.arrival_variance[r->capture].v[condition_of(side, r->time_edge)];
  float both = data + capture;
  if (common_active(t)) both -= common_end_variance(t, r, edge, d->launch);
  float spread = sqrtf(data) + (side == el ? -sqrtf(capture) : sqrtf(capture))
                 - sqrtf((both > 0 ? both : 0) + check * check);
  return t->sigma.quantile * spread;
}

float timing_end_variation(const Timing *t, const PathEnd *r, int edge)
{
  PathEndData d = timing_end_data(t, r, edge);
  return timing_end_variation_of(t, r, edge, &d);
}

static float path_end_latch_required(const Timing *t, const PathEnd *r, const PathEndData *d,
                                     int edge)
{
  LatchTimes x = latch_times(t, r, d, edge);
  return latch_required(x, latch_is_late(x, arrival_for(t, r, edge, x.closes)),
                        arrival_for(t, r, edge, x.opens));
}

float timing_end_required_of(const Timing *t, PathEndId id, int edge, const PathEndData *d,
                             bool *has)
{
  const PathEnd *r = &t->g->ends.path_ends.at[id];
  bool late = path_end_is_late((PathEndType)r->type);
  *has = false;
  if (!(r->edges >> edge & 1)) return 0;
  float capture = capture_time(t, r, edge);
  if (time_absent(capture)) return 0;
  *has = true;
  if (r->type == END_LATCH_SETUP) return path_end_latch_required(t, r, d, edge);
  float margin = path_end_margin(t, r, d, edge, late);
  if (t->sigma.arrival_variance) margin -= timing_end_variation_of(t, r, edge, d);
  return late ? capture - margin : capture + margin;
}

float timing_end_required(const Timing *t, PathEndId id, int edge, bool *has)
{
  PathEndData d = timing_end_data(t, &t->g->ends.path_ends.at[id], edge);
  return timing_end_required_of(t, id, edge, &d, has);
}

float timing_end_slack(const Timing *t, PathEndId id, int edge, float *required)
{
  bool has;
  const PathEnd *r = &t->g->ends.path_ends.at[id];
  *required = timing_end_required(t, id, edge, &has);
  float arrival = timing_end_arrival(t, r, edge);
  return has && !time_absent(arrival)
             ? timing_slack(path_end_is_late((PathEndType)r->type) ? LATE : EARLY, *required,
                            arrival)
             : NO_SLACK;
}
