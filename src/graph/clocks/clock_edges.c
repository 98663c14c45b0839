/* Finds which edges of two clocks meet.  Edges are counted and not walked, so each pair of clocks
   costs the same, whatever the periods.

   Let both periods be multiples of a step, by the factors a and b, which have no common factor.
   The n-th launch then comes at n a steps, and n a takes every value modulo b.  Take the distance
   from one launch to the first capture after it.  The other launches have the distances in (0, b
   steps] that differ from it by multiples of the step.  So the least distance is in (0, step], and
   the greatest one is b - 1 steps larger. */
#include <math.h>

#include "graph/clocks/clocks.h"

__extension__ typedef unsigned __int128 Wide;

/* Times here are in fs.  Times from decimal numbers are then whole and exact; others (a third of a
   ns) have an error of ROUNDING. Edges closer than SAME_TIME count as one edge: in files a third of
   10 ns is 3.333333, and three of these have to make 10. */
#define PER_PS    1e3
#define SAME_TIME 5.0
#define ROUNDING  1e-15
#define MOST_PERIOD 1e18       /* counts then fit into 64 bits */

/* Two periods have a step in common if a remainder is smaller than the step by this factor. The
   remainders of other periods become smaller little by little. */
enum { CLEARLY = 1000 };

typedef struct {
  double   step;
  uint64_t launch_steps, capture_steps;   /* the periods in steps: a and b */
  uint64_t inverse;                       /* inverse of a modulo b */
  double   same;                          /* times closer than this count as equal */
  bool     common;                        /* the periods are multiples of the step */
} Steps;

static double in_fs(double ps)
{
  double fs = ps * PER_PS, whole = rint(fs);
  return fabs(fs - whole) <= ROUNDING * fabs(fs) ? whole : fs;
}

/* Euclid's algorithm. Each remainder is u launching periods less v capturing periods, or the
   reverse, and the algorithm finds u and v too. It ends with a remainder that is only a rounding
   error; then u launching periods equal v capturing periods. For two successive remainders, u1 v2 -
   u2 v1 is 1 and -1 in turn. This gives the inverse of v2 modulo u2. */
static Steps common_steps(double launch, double capture)
{
  double r1 = launch, r2 = capture, same = SAME_TIME + ROUNDING * (launch + capture);
  uint64_t u1 = 1, v1 = 0, u2 = 0, v2 = 1;
  bool exact = rint(launch) == launch && rint(capture) == capture;      /* then every remainder is
                                                                           whole too */
  bool minus = false;
  if (fmin(launch, capture) < 2 * SAME_TIME || fmax(launch, capture) > MOST_PERIOD)
    return (Steps){ fmin(launch, capture), 1, 1, 0, same, false };
  for (;;) {
    double rest = fmod(r1, r2);
    uint64_t times = (uint64_t)rint((r1 - rest) / r2), u = u1 + times * u2, v = v1 + times * v2;
    double rounding = exact ? 0 : 2 * ROUNDING * (double)u * launch;
    minus = !minus;
    if (rest < fmax(SAME_TIME, rounding)) {
      bool common = exact || rest <= rounding || rest * CLEARLY < r2;
      return (Steps){ launch / (double)v, v, u, (minus ? u - u2 % u : u2) % u, same, common };
    }
    r1 = r2, u1 = u2, v1 = v2;
    r2 = rest, u2 = u, v2 = v;
  }
}

bool clocks_have_common_period(const Constraints *c, ClockId a, ClockId b)
{
  return common_steps(in_fs(c->clocks.at[a].period), in_fs(c->clocks.at[b].period)).common;
}

/* Returns the number of the first launch after time 0 that comes `steps` before a capture, modulo
   capturing periods. */
static double launch_number(const Steps *the_steps, int64_t steps)
{
  uint64_t b = the_steps->capture_steps;
  if (b == 1) return 0;
  uint64_t rest = (uint64_t)llabs(steps) % b;
  if (steps < 0 && rest) rest = b - rest;
  return (double)(uint64_t)((Wide)rest * the_steps->inverse % b);
}

/* Returns the distances between one edge of each waveform, repetitions included. */
static EdgeDistance distance_between(const Steps *the_steps, double period, double launch,
                                     double capture)
{
  double least = fmod(capture - launch, the_steps->step);
  if (least < 0) least += the_steps->step;
  bool meet = least <= the_steps->same || least >= the_steps->step - the_steps->same;
  if (meet)
    least = the_steps->step; /* the edges coincide, so the
                                                                      next capture counts */
  int64_t steps = llrint((capture - launch - least) / the_steps->step);
  EdgeDistance d = { .setup = least / PER_PS, .hold = (least - the_steps->step) / PER_PS };
  d.launch = (launch + launch_number(the_steps, steps) * period) / PER_PS;
  d.hold_launch = (launch + launch_number(the_steps, steps + 1) * period) / PER_PS;
  return d;
}

/* Among equal distances, takes the earlier launch. */
static void keep_nearest(EdgeDistance *best, const EdgeDistance *distance)
{
  const double same = SAME_TIME / PER_PS;
  double nearer = best->setup - distance->setup, later = distance->hold - best->hold;
  if (nearer > same || (nearer > -same && distance->launch < best->launch)) {
    best->setup = distance->setup;
    best->launch = distance->launch;
  }
  if (later > same || (later > -same && distance->hold_launch < best->hold_launch)) {
    best->hold = distance->hold;
    best->hold_launch = distance->hold_launch;
  }
}

/* Returns the distances over all edges of the two transitions. Edges of one transition are every
   second edge of a waveform. */
static EdgeDistance nearest_edges(const Clock *from, int launch, const Clock *to, int capture)
{
  double period = in_fs(from->period);
  Steps s = common_steps(period, in_fs(to->period));
  EdgeDistance best = { INFINITY, -INFINITY, INFINITY, INFINITY, !s.common };
  for (uint32_t i = (uint32_t)launch; i < from->waveform.len; i += 2)
    for (uint32_t k = (uint32_t)capture; k < to->waveform.len; k += 2) {
      double start = in_fs(from->waveform.at[i]), end = in_fs(to->waveform.at[k]);
      EdgeDistance d = distance_between(&s, period, start, end);
      keep_nearest(&best, &d);
    }
  return best;
}

EdgeDistance clock_edge_distance(const Constraints *c, ClockEdge launch, ClockEdge capture)
{
  ClockId from = clock_edge_clock(launch), to = clock_edge_clock(capture);
  double time = clock_edge_time(c, launch);
  EdgeDistance none = { 0, 0, time, time, false };
  if (!clock_is_timed(c, from) || !clock_is_timed(c, to)) return none;
  return nearest_edges(&c->clocks.at[from], clock_edge_edge(launch), &c->clocks.at[to],
                       clock_edge_edge(capture));
}

static double pulse_width(const Clock *clock, uint32_t edge)
{
  uint32_t next = edge + 1;
  double end =
      next < clock->waveform.len ? clock->waveform.at[next] : clock->waveform.at[0] + clock->period;
  return end - clock->waveform.at[edge];
}

double clock_pulse_width(const Constraints *c, ClockEdge e)
{
  const Clock *clock = &c->clocks.at[clock_edge_clock(e)];
  double width = INFINITY;
  for (uint32_t i = (uint32_t)clock_edge_edge(e); i < clock->waveform.len; i += 2)
    width = fmin(width, pulse_width(clock, i));
  return width;
}

double clock_edge_period(const Constraints *c, ClockEdge e)
{
  const Clock *clock = &c->clocks.at[clock_edge_clock(e)];
  uint32_t edge = (uint32_t)clock_edge_edge(e), i = edge;
  double least = clock->period;
  for (; i + 2 < clock->waveform.len; i += 2)
    least = fmin(least, clock->waveform.at[i + 2] - clock->waveform.at[i]);
  return i > edge ? fmin(least, clock->period - (clock->waveform.at[i] - clock->waveform.at[edge]))
                  : least;
}

double clock_longest_pulse(const Constraints *c, ClockEdge e)
{
  const Clock *clock = &c->clocks.at[clock_edge_clock(e)];
  double width = 0;
  for (uint32_t i = (uint32_t)clock_edge_edge(e); i < clock->waveform.len; i += 2)
    width = fmax(width, pulse_width(clock, i));
  return width;
}
