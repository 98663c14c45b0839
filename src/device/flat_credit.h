/* The arrays that a device needs beside Flat for common path credit. They are made when a Timing
   first needs credits on the device, so designs without credit pay nothing. The header is C and
   C++. */
#ifndef SL_DEVICE_FLAT_CREDIT_H
#define SL_DEVICE_FLAT_CREDIT_H

#include "device/flat.h"
#include "timing/front_cell.h"

/* X(type, name, count): count is an expression of f, a FlatCredit */
#define CREDIT_ARRAYS(X)                                                         \
  X(CommonPoint, point, credit->point_count)                                     \
  X(uint32_t, least, credit->order_count *(common_log(credit->order_count) + 1)) \
  X(uint8_t, edge_above, credit->point_count)                                    \
  X(uint32_t, node_slot, credit->node_count)                                     \
  X(uint32_t, node_leaf, credit->node_count)                                     \
  X(uint32_t, clock_node, credit->clock_count)                                   \
  X(uint32_t, clock_leaf, credit->clock_count)                                   \
  X(uint32_t, seed_leaf, credit->seed_count)                                     \
  X(uint8_t, end_between_data, credit->path_end_count)                           \
  X(uint32_t, wide_nodes, credit->wide_count)

/* LatchArrival of timing/timing.h: an arrival that a latch passes on, by node. */
typedef struct {
  uint32_t node, edge, leaf;
  float    arrival;
} FlatLatched;

/* Drivers with more loads than this are wide: blocks compute their captures. */
enum { CREDIT_WIDE = 32 };

typedef struct FlatCredit {
  uint32_t point_count, order_count, node_count, path_end_count, seed_count;
  uint32_t clock_count;              /* clock nodes whose points have their own credit, not that of
                                        the driver before */
  uint32_t wide_count;               /* number of nodes of wide drivers */
  uint8_t  same_transition, mixed, one_clock, ends_only;      /* as in CommonView and
                                                                 CommonOptions */
#define CREDIT_FIELD(type, name, count) const type *name;
  CREDIT_ARRAYS(CREDIT_FIELD)
#undef CREDIT_FIELD
  /* only on the host */
  const uint32_t *wide_first;        /* by level, and one more for the end: index in wide_nodes */
} FlatCredit;

struct Timing;

FlatCredit *flat_credit_new(const struct Timing *t);
/* Returns what latches pass on now.  The caller frees it. */
FlatLatched *flat_latched(const struct Timing *t);
void        flat_credit_free(FlatCredit *credit);

#endif
