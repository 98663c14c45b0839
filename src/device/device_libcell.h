/* The published choice of library cells (Chung et al., Accelerating gate sizing using GPU, Euro-Par
   2025), and ways beside it, as a family of kernels (device/family.h). Only the benchmark and the
   tests run it; the sizer has device/device_sizing.h.

   The published choice is two kernels. update_delay has one lane for each candidate of each driver
   and writes its cost. select_best_libcell finds the least cost of each driver. All evaluations of
   one problem, and all ways, make the same choices, with the same bits. */
#ifndef SL_DEVICE_DEVICE_LIBCELL_H
#define SL_DEVICE_DEVICE_LIBCELL_H

#include "device/device_sizing.h"

/* LIBCELL_LIBRARY takes SizingArrays, LIBCELL_DESIGN a LibcellDesign, LIBCELL_SELECT a
   LibcellSelect. LIBCELL_READ takes a LibcellRead and needs no other operation. */
enum { LIBCELL_LIBRARY, LIBCELL_DESIGN, LIBCELL_SELECT, LIBCELL_READ };

/* How a candidate is evaluated. */
typedef enum {
  LIBCELL_KEYS,                      /* not at all: LIBCELL_DESIGN brings the costs */
  LIBCELL_MODEL,                     /* size_cost, for any delay model */
  LIBCELL_TABLES,                    /* size_cost of a model that looks tables up at the load */
  LIBCELL_CELLS                      /* the same with both tables of an arc in one grid
                                        (FlatGrid) */
} LibcellCost;

/* Who finds the least cost of a driver. */
typedef enum {
  LIBCELL_BY_LANE,                   /* one lane: the published block-level algorithm */
  LIBCELL_BY_BLOCK,                  /* a block of LIBCELL_BLOCK lanes */
  LIBCELL_BY_WARP,                   /* 32 lanes: the published warp-level algorithm */
  LIBCELL_BY_GROUP,                  /* LIBCELL_FEW lanes for the first `few` drivers, 32 for the
                                        others */
  LIBCELL_FUSED_WARP,                /* 32 lanes, which evaluate the candidates too: one kernel, and
                                        no array of costs */
  LIBCELL_FUSED_GROUP                /* the same with LIBCELL_FEW lanes for every driver */
} LibcellWay;

enum { LIBCELL_FEW = 8, LIBCELL_BLOCK = 64 };

/* A driver: a gate of the problem with its candidates. */
typedef struct {
  uint32_t first, count;             /* candidates, in SizeView.candidates */
  uint32_t now;                      /* the present one, from the first */
  uint32_t gate;
} LibcellDriver;

typedef struct {
  SizingArrays problem;              /* gates, edges, nets, pins and candidates; with `keys` none of
                                        these is read */
  const LibcellDriver *drivers;      /* [problem.gates], each gate once, in any order */
  uint32_t few;                      /* so many of the first drivers have LIBCELL_FEW candidates at
                                        most */
  const uint32_t *owners;            /* [candidates]: the gate of each; NULL if only fused ways
                                        follow */
  const float *keys;                 /* [candidates]: costs, for LIBCELL_KEYS; else NULL */
} LibcellDesign;

/* repeats 0: run once without measuring. The seconds are medians, by the device's clock, with cold
   caches, without copies. */
typedef struct {
  LibcellCost cost;
  LibcellWay  way;
  uint32_t    repeats;
  SizeChosen *chosen;                /* [gates]: receives the choices */
  double      update, select;        /* receives the seconds of each kernel; 0: there is none */
  double      all;                   /* receives the seconds of both together */
} LibcellSelect;

/* Reads memory of the device from its first byte to its last. */
typedef struct {
  size_t   bytes;
  uint32_t repeats;
  double   seconds;                  /* receives the median */
} LibcellRead;

enum { LIBCELL_MOST_REPEATS = 1000 };

/* Returns the drivers of a problem, sorted by the number of their candidates in steps of
   LIBCELL_FEW, then as the gates are. The caller frees them. */
LibcellDriver *libcell_drivers(const SizingArrays *problem, uint32_t *few);
/* Returns which gate each candidate belongs to. The caller frees it. */
uint32_t *libcell_owners(const SizingArrays *problem);

#endif
