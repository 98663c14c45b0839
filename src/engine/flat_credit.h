/* Common path credit as a device works it out: what it needs of the graph beside Flat.  Made from a Timing for its first credits there, so
   that designs without any pay nothing; C and C++. */
#ifndef SL_ENGINE_FLAT_CREDIT_H
#define SL_ENGINE_FLAT_CREDIT_H

#include "engine/flat.h"
#include "engine/front_cell.h"

/* X(type, name, count): count is an expression of f, a FlatCredit */
#define CREDIT_ARRAYS(X) \
  X(CommonPlace, place, f->place_count) \
  X(uint32_t, least, f->order_count * (common_log(f->order_count) + 1)) \
  X(uint8_t, phase_above, f->place_count) \
  X(uint32_t, node_slot, f->node_count) \
  X(uint32_t, node_leaf, f->node_count) \
  X(uint32_t, clock_node, f->clock_count) \
  X(uint32_t, clock_leaf, f->clock_count) \
  X(uint8_t, row_between_data, f->row_count)

typedef struct FlatCredit {
  uint32_t place_count, order_count, node_count, row_count;
  uint32_t clock_count;              /* clock nodes whose places have credit of their own, not that of the driver before */
  uint8_t  same_transition, mixed, one_clock, ends_only;      /* of CommonView, CommonOptions */
#define CREDIT_FIELD(type, name, count) const type *name;
  CREDIT_ARRAYS(CREDIT_FIELD)
#undef CREDIT_FIELD
} FlatCredit;

struct Timing;

FlatCredit *flat_credit_new(const struct Timing *t);
void        flat_credit_free(FlatCredit *f);

#endif
