/* The arrays that a device needs beside Flat for following an edit (cuda/follow.h). They are made
   together with Flat, so that the first edit does not wait. The header is C and C++. */
#ifndef SL_DEVICE_FLAT_FOLLOW_H
#define SL_DEVICE_FLAT_FOLLOW_H

#include "device/trees.h"

/* A driver by its index ("place") and level; or FLAT_NONE and why there is none: nothing is to be
   followed, or only whole updates work it out. */
typedef struct { uint32_t place, level; } FollowPlace;
enum { FOLLOW_NEVER, FOLLOW_WHOLE };

/* What a driver's net is made of, in one piece, so that a block of threads begins with one access:
   its slots are the driver and its loads, its nodes the driver's and then theirs; the edges that
   end at the driver; the arcs they are of; records of Flat.outs that begin at the driver, and at
   its loads. */
typedef struct FLAT_ALIGNED {
  uint32_t slot, first_load, load_count, load_shift;
  uint32_t node, driver_nodes, load_node, nodes;
  uint32_t first_edge, edge_count, first_arc, arc_count;
  uint32_t first_out, out_count, first_load_out, load_out_count;
  uint32_t first_behind;             /* of the loads' arcs, or the driver's */
  uint32_t stops;                    /* the host works it out, or it is in an ideal network */
} FollowNet;

/* X(type, name, count): count is an expression of f, a FlatFollow.  before: by arc, the driver of
   the net where it begins; behind: by place in Flat.out_arc, the driver where that arc ends; none
   of an arc that does not go up the levels; slot_stops: clocks pass there, and what depends on them
   is not followed. */
#define FOLLOW_ARRAYS(X) \
  X(FollowNet, nets, f->driver_count) \
  X(FollowPlace, before, f->arc_count) \
  X(FollowPlace, behind, f->arc_count) \
  X(uint8_t, slot_stops, f->slot_count)

typedef struct FlatFollow {
  uint32_t slot_count, driver_count, level_count, arc_count, row_count, check_count;
  uint32_t most_slots, most_nodes;   /* of a net */
#define FOLLOW_FIELD(type, name, count) const type *name;
  FOLLOW_ARRAYS(FOLLOW_FIELD)
#undef FOLLOW_FIELD
} FlatFollow;

/* An edit: the nets or arcs of some drivers have other numbers. */
typedef struct {
  const FollowPlace *drivers;
  uint32_t count;
  TreeEdit trees;                    /* before what hangs on them is followed */
  double   spent;                    /* seconds since it began, on the host */
  bool     values;                   /* slacks and margins that have changed are to come back, and
                                        no sums of slacks */
} FollowEdit;

/* A row, or a check: its slacks or margins, by edge of the data. */
typedef struct {
  uint32_t at;
  float    value[2];
} FollowedValue;

/* What an edit has come to; the lists are the device's, until its next operation: either values or
   sums, once slacks are up to date. */
typedef struct {
  bool     forward, backward;        /* up to date: delays and arrivals, where no clock was reached;
                                        slacks and required times, where not too much was */
  uint32_t drivers, nets;            /* worked out again forward, backward */
  const FollowedValue *rows, *checks;
  uint32_t row_count, check_count;   /* whose numbers have changed */
  const EndSum *sums;                /* of slacks, by block of end points (DeviceOps.end_sums) */
} Followed;

struct Timing;

FlatFollow *flat_follow_new(const Flat *flat, const struct Timing *t);
void        flat_follow_free(FlatFollow *f);

#endif
