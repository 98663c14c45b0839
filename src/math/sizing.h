/* Estimates what another library cell would cost in a gate's place. Shared by host and device.

   A gate is an instance that may have other library cells, its candidates.  The cost of a candidate
   estimates how the design's cost changes with it while everything else stays:

       leakage and area of the cell
     + sum over its timing edges   weight x (delay of the edge - its delay now), and
                                   late_weight x (what that is above the edge's room)
     + sum over its outputs        slew_cost x (slew - slew now), excess of slew, excess of load
     + sum over its inputs         cap_cost x (capacitance - capacitance now), excess of load there

   The weight of an edge is what a picosecond more of its delay costs. The delays are those of the
   engine's own driver solution (math/driver.h) with the net's reduced numbers.  Times are ps,
   capacitances fF.  All sums are in the order of the arrays, so host and device compute the same
   bits. */
#ifndef SL_MATH_SIZING_H
#define SL_MATH_SIZING_H

#include "math/driver.h"

#define SIZE_NONE UINT32_MAX
enum { SIZE_OUTPUTS = 4 };            /* most outputs of a gate */

/* A gate: its ranges of the arrays. Candidates are indices in `candidates`. */
typedef struct {
  uint32_t first_candidate, candidate_count;
  uint32_t now;                       /* index of its present cell among its candidates */
  uint32_t first_edge, edge_count;
  uint32_t first_net, net_count;      /* two for each output: rising, falling */
  uint32_t first_pin, pin_count;
} SizeGate;

/* A timing edge of a gate, in late or early analysis. Late edges have a weight of 0 or more, early
   ones (hold) of 0 or less. */
typedef struct {
  uint32_t arc;                       /* index among the arcs of the cell */
  uint32_t net;                       /* index among the nets of the gate */
  float    input_slew, delay, weight;
  float    room;                      /* ps that the delay may grow before paths become late */
  float    late_weight;               /* what a ps more costs beyond room, in addition to weight */
} SizeEdge;

/* The load of an output, for one of its edges. */
typedef struct {
  uint32_t port;                      /* of its cell's ports, from the first */
  float    c_far, c_near, r_pi;       /* the pi model */
  float    load;                      /* the whole capacitance */
  float    slew;                      /* as it is */
  float    slew_cost;                 /* what a ps more of slew costs in the gates that follow */
  float    slew_limit;                /* limit of the driver's slew with which the loads meet theirs
                                         on average */
  float    pins;                      /* number of pins that the excess counts for */
  float    kept_load;                 /* fF above the limit of the load that cost nothing */
} SizeNet;

/* An input pin. */
typedef struct {
  uint32_t port;                      /* of its cell's ports, from the first */
  float    cap;                       /* as it is */
  float    cap_cost;                  /* what a fF more costs in the drivers of its net */
  float    load, limit;               /* load of its net, and the limit of the load (1e30: none) */
} SizePin;

/* A library cell. */
typedef struct {
  uint32_t first_arc, first_port;     /* in SizeView */
} SizeCell;

/* A library arc for one output edge. Tables are indices in the pool; SIZE_NONE: no table. */
typedef struct {
  uint32_t delay, slew;
  uint8_t  delay_n1, delay_n2, slew_n1, slew_n2;
  uint32_t thresholds;
} SizeArc;

typedef struct {
  float cap;                          /* capacitance of an input */
  float limit;                        /* limit of an output's load; 1e30: none */
} SizePort;

/* Prices of a ps of slew and of a fF of load above a limit. */
typedef struct { float slew, load; } SizeExcess;

typedef struct {
  const SizeGate   *gates;
  const SizeEdge   *edges;
  const SizeNet    *nets;
  const SizePin    *pins;
  const uint32_t   *candidates;       /* cells */
  const float      *own_costs;        /* beside candidates: cost of leakage and area */
  const SizeCell   *cells;
  const SizeArc    *arcs;             /* two for each library arc: rising, falling */
  const SizePort   *ports;
  const float      *pool;             /* tables: axes, then values */
  const float      *ramps;
  const Thresholds *thresholds;
  const int        *ramp_base;
  SizeExcess        excess;
  uint32_t          gate_count;
  uint32_t          segments;         /* most segments that a row of a table has: for the CPU */
  uint8_t           model;            /* DelayModel */
} SizeView;

/* Returns an unsigned number that orders as the float does. */
SL_HD uint32_t size_key(float x)
{
  union { float f; uint32_t u; } bits;
  bits.f = x;
  return bits.u & 0x80000000u ? ~bits.u : bits.u | 0x80000000u;
}

SL_HD float size_excess(float x, float limit) { return x > limit ? x - limit : 0; }

SL_HD TableView size_table(const SizeView *view, uint32_t at, uint8_t n1, uint8_t n2)
{
  TableView t;
  t.data = view->pool + at;
  t.n1 = n1;
  t.n2 = n2;
  return t;
}

/* Delay and slew of one edge of an arc that drives a net. */
typedef struct { float delay, slew; } SizeTimes;

SL_HD const SizeArc *size_arc(const SizeView *view, uint32_t cell, const SizeEdge *edge)
{
  return &view->arcs[2 * (view->cells[cell].first_arc + edge->arc) + (edge->net & 1)];
}

/* Returns true if the arc drives the net with a waveform (a waveform model, and resistance). */
SL_HD int size_has_wave(const SizeView *view, const SizeArc *arc, const SizeNet *net)
{
  return delay_has(view->model, DELAY_BY_WAVE) && net->c_far > 0 && arc->delay != SIZE_NONE
         && arc->slew != SIZE_NONE;
}

SL_HD SizeTimes size_edge_times(const SizeView *view, const SizeArc *arc, float input_slew,
                                const SizeNet *net)
{
  SizeTimes x = { 0, 0 };
  if (arc->delay == SIZE_NONE || arc->slew == SIZE_NONE) return x;
  TableView delay = size_table(view, arc->delay, arc->delay_n1, arc->delay_n2),
            slew = size_table(view, arc->slew, arc->slew_n1, arc->slew_n2);
  if (size_has_wave(view, arc, net)) {
    DriverTables tables;
    DriverSolution s;
    PiModel pi;
    tables.delay = table_cut(delay, input_slew);
    tables.slew = table_cut(slew, input_slew);
    tables.ramps = view->ramps;
    tables.ramp_base = view->ramp_base[arc->thresholds];
    pi.c_far = net->c_far;
    pi.c_near = net->c_near;
    pi.r_pi = net->r_pi;
    driver_solve(view->model, &tables, pi, view->thresholds[arc->thresholds], &s);
    x.delay = s.delay;
    x.slew = s.slew;
    return x;
  }
  x.delay = table_value(delay, input_slew, net->load);
  x.slew = table_value(slew, input_slew, net->load);
  if (x.slew < 0) x.slew = 0;
  return x;
}

/* Returns the cost of the inputs. */
SL_HD float size_input_cost(const SizeView *view, const SizeGate *gate, const SizeCell *cell)
{
  float cost = 0;
  for (uint32_t i = 0; i < gate->pin_count; i++) {
    const SizePin *pin = &view->pins[gate->first_pin + i];
    float more = view->ports[cell->first_port + pin->port].cap - pin->cap;
    cost +=
        pin->cap_cost * more
        + view->excess.load
              * (size_excess(pin->load + more, pin->limit) - size_excess(pin->load, pin->limit));
  }
  return cost;
}

/* Returns the load of a net from which on it costs. */
SL_HD float size_load_limit(const SizeView *view, const SizeCell *cell, const SizeNet *net)
{
  return view->ports[cell->first_port + net->port].limit + net->kept_load;
}

/* Returns the cost of the outputs with these slews. */
SL_HD float size_output_cost(const SizeView *view, const SizeGate *gate, const SizeCell *cell,
                             const float *slews)
{
  float cost = 0;
  for (uint32_t i = 0; i < gate->net_count; i++) {
    const SizeNet *net = &view->nets[gate->first_net + i];
    cost += net->slew_cost * (slews[i] - net->slew)
            + view->excess.slew * net->pins * size_excess(slews[i], net->slew_limit)
            + view->excess.load * 0.5f * size_excess(net->load, size_load_limit(view, cell, net));
  }
  return cost;
}

/* The sum over the edges of a candidate so far. */
typedef struct {
  float cost, slews[2 * SIZE_OUTPUTS];
} SizeSum;

SL_HD void size_add(SizeSum *sum, const SizeEdge *edge, SizeTimes x)
{
  float more = x.delay - edge->delay;
  sum->cost += edge->weight * more + edge->late_weight * size_excess(more, edge->room);
  if (x.slew > sum->slews[edge->net]) sum->slews[edge->net] = x.slew;
}

SL_HD float size_total(const SizeView *view, const SizeGate *gate, const SizeCell *cell,
                       const SizeSum *sum)
{
  return sum->cost + size_output_cost(view, gate, cell, sum->slews)
         + size_input_cost(view, gate, cell);
}

/* Returns the cost of a candidate of a gate. */
SL_HD float size_cost(const SizeView *view, const SizeGate *gate, uint32_t candidate)
{
  uint32_t cell = view->candidates[gate->first_candidate + candidate];
  SizeSum sum = { view->own_costs[gate->first_candidate + candidate], { 0 } };
  for (uint32_t i = 0; i < gate->edge_count; i++) {
    const SizeEdge *edge = &view->edges[gate->first_edge + i];
    const SizeNet *net = &view->nets[gate->first_net + edge->net];
    size_add(&sum, edge, size_edge_times(view, size_arc(view, cell, edge), edge->input_slew, net));
  }
  return size_total(view, gate, &view->cells[cell], &sum);
}

/* Returns the same cost from times of the edges that are computed already. */
SL_HD float size_cost_of(const SizeView *view, const SizeGate *gate, uint32_t candidate,
                         const SizeTimes *times)
{
  uint32_t cell = view->candidates[gate->first_candidate + candidate];
  SizeSum sum = { view->own_costs[gate->first_candidate + candidate], { 0 } };
  for (uint32_t i = 0; i < gate->edge_count; i++)
    size_add(&sum, &view->edges[gate->first_edge + i], times[i]);
  return size_total(view, gate, &view->cells[cell], &sum);
}

/* The choice for a gate. */
typedef struct {
  uint32_t best;                      /* index of the best candidate; of equal ones, the first: the
                                         gate's first cell, then the others by name */
  float    gain;                      /* present cost minus the cost of the best; 0 or more */
} SizeChosen;

/* Returns the index of the least cost; of equal ones, the first. costs has the costs of the
   candidates of a gate. */
SL_HD uint32_t size_least(const float *costs, uint32_t count)
{
  uint32_t best = 0;
  for (uint32_t i = 1; i < count; i++)
    if (size_key(costs[i]) < size_key(costs[best])) best = i;
  return best;
}

#endif
