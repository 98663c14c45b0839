/* What following an edit on a device takes of the graph beside Flat (see cuda/follow.h): made with it, so that the first edit does not wait; C and C++. */
#ifndef SL_ENGINE_FLAT_FOLLOW_H
#define SL_ENGINE_FLAT_FOLLOW_H

#include "engine/flat.h"

/* X(type, name, count): count is an expression of f, a FlatFollow */
#define FOLLOW_ARRAYS(X) \
  X(uint32_t, slot_level, f->slot_count) \
  X(uint32_t, net_driver, f->slot_count) \
  X(uint8_t, slot_stops, f->slot_count) \
  X(uint32_t, slot_first_out, f->slot_count + 1)

typedef struct FlatFollow {
  uint32_t slot_count, driver_count, level_count, row_count, check_count;
  uint32_t most_slots, most_nodes;   /* of a net: its driver and loads */
  /* net_driver: the slot that drives a slot's net, itself of a driver, FLAT_NONE; slot_stops: clocks pass there, and what depends on them is not
     followed; slot_first_out: where a slot's records in Flat.outs begin */
#define FOLLOW_FIELD(type, name, count) const type *name;
  FOLLOW_ARRAYS(FOLLOW_FIELD)
#undef FOLLOW_FIELD
} FlatFollow;

/* A row, or a check: its slacks or margins, by edge of the data. */
typedef struct {
  uint32_t at;
  float    value[2];
} FollowedValue;

/* What an edit has come to; the lists are the device's, until its next operation. */
typedef struct {
  bool     stopped;                  /* too much is reached, or clocks: numbers on the device are not whole */
  uint32_t drivers, nets;            /* worked out again forward, backward */
  const FollowedValue *rows, *checks;
  uint32_t row_count, check_count;   /* whose numbers have changed */
} Followed;

struct Timing;

FlatFollow *flat_follow_new(const Flat *flat, const struct Timing *t);
void        flat_follow_free(FlatFollow *f);

#endif
