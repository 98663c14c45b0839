/* Derives the waveform of a generated clock from its master's: division, multiplication, edge
   lists, inversion and duty cycle. */
#include "graph/clocks/waveform.h"

#include <math.h>

void waveform_at(const Clock *master, bool inverted, Waveform *out)
{
  uint32_t n = master->waveform.len;
  array_clear(&out->edges);
  out->period = master->period;
  for (uint32_t i = 0; i < n; i++) {
    uint32_t k = inverted ? (i + 1) % n : i;
    array_push(&out->edges, master->waveform.at[k] + (inverted && i + 1 == n ? master->period : 0));
  }
}

/* Returns the time of the master's edge number `number`, counted from 1. Odd edges rise. */
static double edge_time(const Waveform *master, uint32_t number)
{
  uint32_t n = master->edges.len, i = number - 1;
  return master->edges.at[i % n] + (i / n) * master->period;
}

static void by_edges(const Clock *clock, const Waveform *master, Waveform *out)
{
  uint32_t last = clock->edges.len - 1;
  double times[2];
  for (uint32_t i = 0; i < last; i++)
    array_push(&out->edges, edge_time(master, (uint32_t)clock->edges.at[i])
                                + (clock->edge_shift.len ? clock->edge_shift.at[i] : 0));
  times[0] = out->edges.at[0];
  times[1] = edge_time(master, (uint32_t)clock->edges.at[last])
             + (clock->edge_shift.len ? clock->edge_shift.at[last] : 0);
  out->period = times[1] - times[0];
}

static bool is_power_of_two(int n) { return (n & (n - 1)) == 0; }

/* Divides by a power of two. The divider is a chain of registers, so all edges are at rising edges
   of the master. */
static void by_chain(const Clock *clock, const Waveform *master, Waveform *out)
{
  out->period = master->period * clock->divide_by;
  array_push(&out->edges, master->edges.at[0]);
  array_push(&out->edges, master->edges.at[0] + out->period / 2);
}

static void by_scale(double scale, const Waveform *master, Waveform *out)
{
  out->period = master->period * scale;
  for (uint32_t i = 0; i < master->edges.len; i++)
    array_push(&out->edges, master->edges.at[i] * scale);
}

/* Makes one pulse in each period, whatever pulses the master has. */
static void by_duty(double scale, double duty, const Waveform *master, Waveform *out)
{
  out->period = master->period * scale;
  array_push(&out->edges, master->edges.at[0] * scale);
  array_push(&out->edges, master->edges.at[0] * scale + out->period * duty / 100);
}

static void invert(Waveform *waveform)
{
  double first = waveform->edges.at[0];
  for (uint32_t i = 0; i + 1 < waveform->edges.len; i++)
    waveform->edges.at[i] = waveform->edges.at[i + 1];
  waveform->edges.at[waveform->edges.len - 1] = first + waveform->period;
}

static const char *check(const Waveform *waveform)
{
  if (!(waveform->period > 0)) return "its period is not above zero";
  for (uint32_t i = 1; i < waveform->edges.len; i++)
    if (waveform->edges.at[i] <= waveform->edges.at[i - 1]) return "its edges do not ascend";
  if (waveform->edges.at[waveform->edges.len - 1] - waveform->edges.at[0]
      > waveform->period * (1 + 1e-12))
    return "its edges span more than a period";
  return NULL;
}

const char *waveform_generate(const Clock *clock, const Waveform *master, Waveform *out)
{
  array_clear(&out->edges);
  if (clock->edges.len) by_edges(clock, master, out);
  else if (clock->multiply_by && !isnan(clock->duty_cycle))
    by_duty(1.0 / clock->multiply_by, clock->duty_cycle, master, out);
  else if (clock->multiply_by) by_scale(1.0 / clock->multiply_by, master, out);
  else if (clock->divide_by > 1 && is_power_of_two(clock->divide_by)) by_chain(clock, master, out);
  else by_scale(clock->divide_by > 1 ? clock->divide_by : 1, master, out);
  if (clock->invert) invert(out);
  return check(out);
}

/* Returns the edges of the master that make an edge of the generated clock. -edges names them. With
   -combinational it is the same edge. A chain of dividers changes at rising edges. Other divisions
   begin at a rising edge, and either edge of the master may make the other one. For multiplications
   either edge may make both. */
unsigned waveform_made_by(const Clock *clock, int edge)
{
  if (clock->edges.len) {
    unsigned mask = 0;
    for (uint32_t i = 0; i + 1 < clock->edges.len; i++)
      if ((int)(i & 1) == (clock->invert ? !edge : edge))
        mask |= clock->edges.at[i] % 2 ? EDGE_RISE : EDGE_FALL;
    return mask;
  }
  if (clock->combinational) return (clock->invert ? !edge : edge) == RISE ? EDGE_RISE : EDGE_FALL;
  if (clock->divide_by > 1 && is_power_of_two(clock->divide_by)) return EDGE_RISE;
  bool begins = clock->divide_by > 0 && (clock->invert ? !edge : edge) == RISE;
  return begins ? EDGE_RISE : EDGE_BOTH;
}
