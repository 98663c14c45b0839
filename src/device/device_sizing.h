/* The family of kernels that evaluates library cells for gates (device/family.h).

   SIZING_LIBRARY copies the part of a problem that depends on the library, once. SIZING_DESIGN
   copies the present gates, nets and pins. SIZING_SELECT computes the costs of all candidates of
   some gates, with one lane for each candidate, and finds the least cost of each gate by one of
   three reductions. All reductions, and the CPU (cpu/cpu_sizing.h), make the same choices. */
#ifndef SL_DEVICE_DEVICE_SIZING_H
#define SL_DEVICE_DEVICE_SIZING_H

#include "device/family.h"
#include "math/sizing.h"

enum { SIZING_LIBRARY, SIZING_DESIGN, SIZING_SELECT };

/* The way to find the least cost of a gate. */
typedef enum {
  SIZING_BY_LANE,                    /* one lane reads all costs of a gate */
  SIZING_BY_WARP,                    /* 32 lanes share the costs of a gate */
  SIZING_BY_GROUP                    /* 8 lanes share the costs of a gate with few candidates, 32
                                        lanes those of others */
} SizingReduction;

/* A problem on the host, and the lengths of its arrays. SIZING_LIBRARY reads those of the first
   line, SIZING_DESIGN those of the second. The gates must stay where they are until the next
   SIZING_DESIGN. */
typedef struct {
  SizeView view;
  uint32_t cells, arcs, ports, floats, ramps, thresholds;
  uint32_t gates, edges, nets, pins, candidates;
} SizingArrays;

typedef struct {
  const uint32_t *gates;             /* [count]: the gates to evaluate */
  uint32_t count;
  SizingReduction reduction;
  SizeChosen *chosen;                /* [count]: receives the choices */
} SizingSelect;

extern const FamilyHost sizing_host;

#endif
