/* The family of kernels that evaluates library cells for gates (device/family.h).

   SIZING_LIBRARY brings the library's part of a problem, once.  SIZING_DESIGN brings gates, nets
   and pins as they are.  SIZING_SELECT works the costs of all candidates of some gates out and
   finds the least of each: one lane a candidate, then by one of three ways of reduction.  All ways,
   and the CPU (optimize/size_select.h), choose the same. */
#ifndef SL_DEVICE_DEVICE_SIZING_H
#define SL_DEVICE_DEVICE_SIZING_H

#include "device/family.h"
#include "math/sizing.h"

enum { SIZING_LIBRARY, SIZING_DESIGN, SIZING_SELECT };

/* How the least of a gate's costs is found. */
typedef enum {
  SIZING_BY_LANE,                    /* a lane reads all of a gate's costs */
  SIZING_BY_WARP,                    /* 32 lanes share a gate's */
  SIZING_BY_GROUP                    /* 8 lanes share those of a gate with few, 32 those of
                                        others */
} SizingReduction;

/* Lengths of the view's arrays. */
typedef struct {
  SizeView view;                     /* the host's arrays; those of the design are not read */
  uint32_t cells, arcs, ports, floats, ramps, thresholds;
} SizingLibrary;

typedef struct {
  SizeView view;                     /* the host's arrays; those of the library are not read */
  uint32_t gates, edges, nets, pins, candidates;
} SizingDesign;

typedef struct {
  const SizeGate *host_gates;        /* those of the design, on the host */
  const uint32_t *gates;             /* [count]: which */
  uint32_t count;
  SizingReduction reduction;
  SizeChosen *chosen;                /* [count]: goes back */
} SizingSelect;

extern const FamilyHost sizing_host;

#endif
