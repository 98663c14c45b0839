/* Brings the arrays of a sizing problem to a device, for the families that evaluate candidates. */
#ifndef SL_CUDA_FAMILIES_SIZING_ARRAYS_H
#define SL_CUDA_FAMILIES_SIZING_ARRAYS_H

#include "cuda/private.h"
#include "device/device_sizing.h"

/* The blocks of the arrays. A family's own blocks follow. */
enum {
  SIZING_CELLS, SIZING_ARCS, SIZING_PORTS, SIZING_POOL, SIZING_RAMPS, SIZING_THRESHOLDS,
  SIZING_RAMP_BASE,
  SIZING_GATES, SIZING_EDGES, SIZING_NETS, SIZING_PINS, SIZING_CANDIDATES, SIZING_OWN_COSTS,
  SIZING_BLOCKS
};

#define SIZING_PUT(type, block, from, count) \
    (type *)growing_put(d, &blocks[block], from, (size_t)(count) * sizeof(type))

/* Puts the library's part, and points the view to it. */
static inline void put_sizing_library(Device *d, GrowingBlock *blocks, SizeView *v,
                                      const SizingArrays *c)
{
  v->cells = SIZING_PUT(SizeCell, SIZING_CELLS, c->view.cells, c->cells);
  v->arcs = SIZING_PUT(SizeArc, SIZING_ARCS, c->view.arcs, c->arcs);
  v->ports = SIZING_PUT(SizePort, SIZING_PORTS, c->view.ports, c->ports);
  v->pool = SIZING_PUT(float, SIZING_POOL, c->view.pool, c->floats);
  v->ramps = SIZING_PUT(float, SIZING_RAMPS, c->view.ramps, c->ramps);
  v->thresholds = SIZING_PUT(Thresholds, SIZING_THRESHOLDS, c->view.thresholds, c->thresholds);
  v->ramp_base = SIZING_PUT(int, SIZING_RAMP_BASE, c->view.ramp_base, c->thresholds);
}

/* Puts the design's part, and points the view to it. */
static inline void put_sizing_design(Device *d, GrowingBlock *blocks, SizeView *v,
                                     const SizingArrays *c)
{
  v->gates = SIZING_PUT(SizeGate, SIZING_GATES, c->view.gates, c->gates);
  v->edges = SIZING_PUT(SizeEdge, SIZING_EDGES, c->view.edges, c->edges);
  v->nets = SIZING_PUT(SizeNet, SIZING_NETS, c->view.nets, c->nets);
  v->pins = SIZING_PUT(SizePin, SIZING_PINS, c->view.pins, c->pins);
  v->candidates = SIZING_PUT(uint32_t, SIZING_CANDIDATES, c->view.candidates, c->candidates);
  v->own_costs = SIZING_PUT(float, SIZING_OWN_COSTS, c->view.own_costs, c->candidates);
  v->excess = c->view.excess;
  v->gate_count = c->gates;
  v->model = c->view.model;
}

#endif
