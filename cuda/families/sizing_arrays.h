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
static inline void put_sizing_library(Device *d, GrowingBlock *blocks, SizeView *view,
                                      const SizingArrays *arrays)
{
  view->cells = SIZING_PUT(SizeCell, SIZING_CELLS, arrays->view.cells, arrays->cells);
  view->arcs = SIZING_PUT(SizeArc, SIZING_ARCS, arrays->view.arcs, arrays->arcs);
  view->ports = SIZING_PUT(SizePort, SIZING_PORTS, arrays->view.ports, arrays->ports);
  view->pool = SIZING_PUT(float, SIZING_POOL, arrays->view.pool, arrays->floats);
  view->ramps = SIZING_PUT(float, SIZING_RAMPS, arrays->view.ramps, arrays->ramps);
  view->thresholds =
      SIZING_PUT(Thresholds, SIZING_THRESHOLDS, arrays->view.thresholds, arrays->thresholds);
  view->ramp_base = SIZING_PUT(int, SIZING_RAMP_BASE, arrays->view.ramp_base, arrays->thresholds);
}

/* Puts the design's part, and points the view to it. */
static inline void put_sizing_design(Device *d, GrowingBlock *blocks, SizeView *view,
                                     const SizingArrays *arrays)
{
  view->gates = SIZING_PUT(SizeGate, SIZING_GATES, arrays->view.gates, arrays->gates);
  view->edges = SIZING_PUT(SizeEdge, SIZING_EDGES, arrays->view.edges, arrays->edges);
  view->nets = SIZING_PUT(SizeNet, SIZING_NETS, arrays->view.nets, arrays->nets);
  view->pins = SIZING_PUT(SizePin, SIZING_PINS, arrays->view.pins, arrays->pins);
  view->candidates =
      SIZING_PUT(uint32_t, SIZING_CANDIDATES, arrays->view.candidates, arrays->candidates);
  view->own_costs = SIZING_PUT(float, SIZING_OWN_COSTS, arrays->view.own_costs, arrays->candidates);
  view->excess = arrays->view.excess;
  view->gate_count = arrays->gates;
  view->model = arrays->view.model;
}

#endif
