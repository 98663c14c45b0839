/* The slack of a path is a straight line over the period: it rises by the periods that the path
   has between its launch and its capture.  Without latches the path ends tell all of them, and
   one look at the slacks gives the zero of each.

   A path through latches has more than its path end tells, so that the worst slack is made of
   several lines, and its zero is looked for.  With slacks divided by what the path ends tell, one
   below 0 says how much longer the period may have to be at most, and one above 0 how much
   shorter it may become at most.  Between a period that is too short and one that is long enough
   a line is drawn from slack to slack, and where it is 0 is looked next; a side that stays
   counts half, lest the other one creeps.  For data may go round a loop of latches: where the
   period is too short for the loop all of it comes late, however little is missing, and the
   worst slack leaps.  A loop that closes within one pulse is late whatever the period: no period
   is long enough. */
#include "query/least_period.h"

#include <math.h>
#include <string.h>

#include "timing/credit.h"
#include "timing/derived.h"
#include "update/stretch.h"

typedef struct {
  const Timing *t;
  ClockId clock;
  bool    with_ports;
} PeriodSearch;

/* The worst slack at a period, in parts of it, and of path ends without any part of it. */
typedef struct {
  double period, slack;      /* slack INFINITY: no path end counts */
  PinId  pin;
  double time;               /* by which that slack is divided, in periods */
  double fixed;              /* INFINITY: none */
  PinId  fixed_pin;
} PeriodSlack;

static bool end_counts(const PeriodSearch *search, const Graph *g, const PathEnd *end)
{
  bool setup = end->type == END_SETUP || end->type == END_LATCH_SETUP ||
               (search->with_ports && end->type == END_OUTPUT_SETUP);
  if (!setup || g->ends.details.at[end->detail].path_delay) return false;
  if (!stretch_end_within(g, end, search->clock)) return false;
  return search->with_ports || !graph_node_is_clock(g, end->slot, end->data);
}

/* A latch's data is late behind the closing edge.  *time: between launch and that edge, as far
   as it moves with the period. */
static float latch_slack(const Timing *t, const PathEnd *end, int edge, double *time)
{
  uint32_t launch;
  const PathEndDetail *detail = &t->g->ends.details.at[end->detail];
  LatchTimes x = timing_latch_times(t, end, edge);
  if (!(end->edges >> edge & 1) || time_absent(x.open)) return NO_SLACK;
  bool closing = x.limit > x.open;
  float arrival = common_arrival(t, end->slot, end->data, condition_of(LATE, edge),
                                 closing ? x.closes : x.opens, &launch);
  if (time_absent(arrival)) return NO_SLACK;
  if (closing) *time += detail->pulse;
  return (closing ? x.limit : x.open) - arrival;
}

static bool take(double *worst, PinId *worst_pin, double slack, PinId pin)
{
  if (slack >= *worst) return false;
  *worst = slack;
  *worst_pin = pin;
  return true;
}

static void look_at_end(const PeriodSearch *search, const Timing *t, PathEndId id,
                        PeriodSlack *worst)
{
  const PathEnd *end = &t->g->ends.path_ends.at[id];
  const PathEndDetail *detail = &t->g->ends.details.at[end->detail];
  if (!end_counts(search, t->g, end)) return;
  for (int edge = RISE; edge <= FALL; edge++) {
    float required;
    double time = detail->capture_time - detail->launch_time;
    float slack = end->type == END_LATCH_SETUP ? latch_slack(t, end, edge, &time)
                                               : timing_end_slack(t, id, edge, &required);
    if (slack >= NO_SLACK) continue;
    PinId pin = t->g->slots.pin[end->slot];
    if (time <= 0) take(&worst->fixed, &worst->fixed_pin, slack, pin);
    else if (take(&worst->slack, &worst->pin, slack * worst->period / time, pin))
      worst->time = time / worst->period;
  }
}

static PeriodSlack look(const PeriodSearch *search, const Timing *t, double period)
{
  PeriodSlack worst = { period, INFINITY, NO_PIN, 1, INFINITY, NO_PIN };
  for (PathEndId id = 0; id < t->g->ends.path_ends.len; id++) look_at_end(search, t, id, &worst);
  return worst;
}

/* --- where the worst slack is made of several lines ------------------------------------------- */
/* The periods that are tried one after another; the earlier ones are too short. */
enum { MOST_LOOKS = 60, MOST_SHORT = 12 };

/* A period that is too short and one that is long enough; period 0: none yet.  counts: the number
   of periods that the slacks there count. */
typedef struct {
  PeriodSlack low, high;
  double low_counts, high_counts;
  int    short_ones;         /* before a long enough one */
} Bracket;

static double rounding(double period) { return period / (1 << 22); }

static bool is_narrow(const Bracket *bracket)
{
  bool both = bracket->low.period > 0 && bracket->high.period > 0;
  return both && bracket->high.period - bracket->low.period <= rounding(bracket->high.period);
}

/* A side that stays counts half. */
static void narrow(Bracket *bracket, PeriodSlack seen)
{
  bool low = seen.slack < 0, again = low ? bracket->low.period > 0 : bracket->high.period > 0;
  bracket->short_ones += low && bracket->high.period == 0;
  *(low ? &bracket->low : &bracket->high) = seen;
  *(low ? &bracket->low_counts : &bracket->high_counts) = seen.slack;
  if (again) *(low ? &bracket->high_counts : &bracket->low_counts) /= 2;
}

static double next_period(const Bracket *bracket)
{
  if (bracket->low.period == 0) return bracket->high.period - bracket->high.slack;
  double most = bracket->low.period - bracket->low.slack;
  if (bracket->high.period == 0)
    return bracket->low.period - ldexp(bracket->low.slack, bracket->short_ones - 1);
  double apart = bracket->high.period - bracket->low.period;
  double x = bracket->low.period
             - bracket->low_counts * apart / (bracket->high_counts - bracket->low_counts);
  return x > most && most < bracket->high.period ? most : x;
}

static const MinPeriod nothing = { NAN, NO_PIN, INFINITY, NO_PIN };

static MinPeriod least_of(double period, const PeriodSlack *seen)
{
  return (MinPeriod){ period, seen->pin, seen->fixed, seen->fixed_pin };
}

static MinPeriod none_of(const PeriodSlack *seen)
{
  MinPeriod m = least_of(NAN, seen);
  m.pin = NO_PIN;
  take(&m.fixed, &m.fixed_pin, seen->slack * seen->time, seen->pin);
  return m;
}

static MinPeriod search(const PeriodSearch *period_search, Stretch *stretch, PeriodSlack seen)
{
  Bracket b;
  memset(&b, 0, sizeof b);
  for (int looks = 0; looks < MOST_LOOKS && fabs(seen.slack) > rounding(seen.period); looks++) {
    narrow(&b, seen);
    if (is_narrow(&b)) return least_of(b.high.period, &b.low);
    if (b.short_ones == MOST_SHORT && b.high.period == 0) return none_of(&seen);
    double period = next_period(&b);
    if (period <= 0) return least_of(period, &seen);
    if (!stretch_to(stretch, period)) return nothing;
    seen = look(period_search, stretch_timing(stretch), period);
  }
  return least_of(seen.period, &seen);
}

/* Returns true if data of the clock may pass one of its latches. */
static bool passes_latches(const Timing *t, ClockId clock)
{
  const Graph *g = t->g;
  for (PathEndId id = 0; id < g->ends.path_ends.len && g->arcs.latches.len; id++) {
    const PathEnd *end = &g->ends.path_ends.at[id];
    if (end->type == END_LATCH_SETUP && end->passes && stretch_end_within(g, end, clock))
      return true;
  }
  return false;
}

MinPeriod query_min_period(const Timing *t, ClockId clock, bool with_ports)
{
  PeriodSearch s = { t, clock, with_ports };
  double period = t->constraints->clocks.at[clock].period;
  MinPeriod least = nothing;
  bool as_it_is = with_ports && t->g->arcs.latches.len == 0;
  Stretch *stretch = as_it_is ? NULL : stretch_new(t, clock, !with_ports);
  if (as_it_is || stretch_to(stretch, period)) {
    PeriodSlack seen = look(&s, as_it_is ? t : stretch_timing(stretch), period);
    if (isinf(seen.slack)) least = least_of(NAN, &seen);
    else if (passes_latches(t, clock)) least = search(&s, stretch, seen);
    else least = least_of(period - seen.slack, &seen);
  }
  stretch_free(stretch);
  return least;
}
