/* Computes the required time and the slack at path ends. */
#include "timing/credit.h"
#include "timing/derived.h"

/* Returns the time at which the capture needs or allows the data, without the margin. Absent: no
   clock arrives. */
static float capture_time(const Timing *t, const PathEnd *end, int edge)
{
  if (end->capture == NO_NODE_ID) return end->offset[edge];
  float clock = common_end_capture(t, end, edge).arrival;
  return time_absent(clock) ? clock : clock + end->offset[edge];
}

PathEndData timing_end_data(const Timing *t, const PathEnd *end, int edge)
{
  int k = condition_of(path_end_is_late((PathEndType)end->type) ? LATE : EARLY, edge);
  PathEndData d = { 0 };
  if (end->check != UINT32_MAX) d.margin = t->check_margin[end->check].v[edge];
  if (end->check != UINT32_MAX && t->sigma.check)
    d.check_sigma = t->sigma.check[end->check].v[edge];
  if (t->sigma.arrival_variance == NULL) return d;
  d.variance = t->sigma.arrival_variance[end->data].v[k];
  if (common_active(t))
    common_arrival(t, end->slot, end->data, k, common_end_capture(t, end, edge).leaf, &d.launch);
  return d;
}

/* Returns the margin of a path end. It is derated as data, because -clock means delays of clock
   networks only. */
static float path_end_margin(const Timing *t, const PathEnd *end, const PathEndData *data, int edge,
                             bool late)
{
  if (end->check == UINT32_MAX) return 0;
  return data->margin
         * timing_derate(t, t->derates.check, end->check, false,
                         condition_of(late ? LATE : EARLY, edge));
}

/* Returns how much later the closing edge arrives than the arrival of the opening edge and the
   waveform of the clock say. */
static float closing_shift(const Timing *t, const PathEnd *end, NodeId close)
{
  if (close == NO_NODE_ID) return 0;
  float closes = t->arrival[close].v[condition_of(EARLY, !end->capture_edge)];
  return time_absent(closes)
             ? 0
             : closes - t->arrival[end->capture].v[condition_of(EARLY, end->capture_edge)];
}

/* Returns the times at a latch. They are quantiles, and so is the setup time: their variances are
   not added. */
static LatchTimes latch_times(const Timing *t, const PathEnd *end, const PathEndData *data,
                              int edge)
{
  const PathEndDetail *detail = &t->g->ends.details.at[end->detail];
  float margin = detail->window_given ? 0
                                      : path_end_margin(t, end, data, edge, true)
                                            + t->sigma.quantile * data->check_sigma;
  LatchTimes x = { .open = capture_time(t, end, edge) };
  x.limit = x.open + detail->window + closing_shift(t, end, detail->close) - margin;
  if (!common_active(t)) return x;
  x.opens = common_end_capture(t, end, edge).leaf;
  x.closes = detail->close == NO_NODE_ID ? x.opens : common_leaf_of_clock(t, detail->close);
  return x;
}

LatchTimes timing_latch_times(const Timing *t, const PathEnd *end, int edge)
{
  PathEndData data = timing_end_data(t, end, edge);
  return latch_times(t, end, &data, edge);
}

static float arrival_for(const Timing *t, const PathEnd *end, int edge, uint32_t capture)
{
  uint32_t launch;
  return common_arrival(t, end->slot, end->data,
                        condition_of(path_end_is_late((PathEndType)end->type) ? LATE : EARLY, edge),
                        capture, &launch);
}

uint32_t timing_end_leaf(const Timing *t, const PathEnd *end, int edge)
{
  PathEndData d = { 0 };
  if (end->type == END_LATCH_SETUP) d = timing_end_data(t, end, edge);
  return timing_end_leaf_of(t, end, edge, &d);
}

uint32_t timing_end_leaf_of(const Timing *t, const PathEnd *end, int edge, const PathEndData *data)
{
  if (!common_active(t)) return 0;
  if (end->type != END_LATCH_SETUP) return common_end_capture(t, end, edge).leaf;
  LatchTimes x = latch_times(t, end, data, edge);
  return x.opens != x.closes && latch_is_late(x, arrival_for(t, end, edge, x.closes)) ? x.closes
                                                                                      : x.opens;
}

float timing_end_arrival(const Timing *t, const PathEnd *end, int edge)
{
  return arrival_for(t, end, edge, timing_end_leaf(t, end, edge));
}

/* Returns the correction of a slack for variation.  Data, capture and check vary independently,
   except for the common part of the clock paths, which drops out.  So the slack is n sqrt(sum of
   variances) away from its mean.  The times of data and capture already contain n sigma each. */
float timing_end_variation_of(const Timing *t, const PathEnd *end, int edge,
                              const PathEndData *end_data)
{
  if (t->sigma.arrival_variance == NULL || end->type == END_LATCH_SETUP) return 0;
  int el = path_end_is_late((PathEndType)end->type) ? LATE : EARLY,
      side = graph_capture_side(t->g, el);
  float data = end_data->variance, check = end_data->check_sigma;
  float capture =
      end->capture == NO_NODE_ID
          ? 0
          : t->sigma.arrival_variance[end->capture].v[condition_of(side, end->time_edge)];
  float both = data + capture;
  if (common_active(t)) both -= common_end_variance(t, end, edge, end_data->launch);
  float spread = sqrtf(data) + (side == el ? -sqrtf(capture) : sqrtf(capture))
                 - sqrtf((both > 0 ? both : 0) + check * check);
  return t->sigma.quantile * spread;
}

float timing_end_variation(const Timing *t, const PathEnd *end, int edge)
{
  PathEndData d = timing_end_data(t, end, edge);
  return timing_end_variation_of(t, end, edge, &d);
}

static float path_end_latch_required(const Timing *t, const PathEnd *end, const PathEndData *data,
                                     int edge)
{
  LatchTimes x = latch_times(t, end, data, edge);
  return latch_required(x, latch_is_late(x, arrival_for(t, end, edge, x.closes)),
                        arrival_for(t, end, edge, x.opens));
}

float timing_end_required_of(const Timing *t, PathEndId id, int edge, const PathEndData *data,
                             bool *has)
{
  const PathEnd *end = &t->g->ends.path_ends.at[id];
  bool late = path_end_is_late((PathEndType)end->type);
  *has = false;
  if (!(end->edges >> edge & 1)) return 0;
  float capture = capture_time(t, end, edge);
  if (time_absent(capture)) return 0;
  *has = true;
  if (end->type == END_LATCH_SETUP) return path_end_latch_required(t, end, data, edge);
  float margin = path_end_margin(t, end, data, edge, late);
  if (t->sigma.arrival_variance) margin -= timing_end_variation_of(t, end, edge, data);
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
  const PathEnd *end = &t->g->ends.path_ends.at[id];
  *required = timing_end_required(t, id, edge, &has);
  float arrival = timing_end_arrival(t, end, edge);
  if (!has || time_absent(arrival)) return NO_SLACK;
  return time_slack(path_end_is_late((PathEndType)end->type) ? LATE : EARLY, *required, arrival);
}
