/* The arrays that a device needs beside Flat for following an edit (cuda/follow.h). They are made
   together with Flat, so that the first edit does not wait. The header is C and C++. */
#ifndef SL_DEVICE_FLAT_FOLLOW_H
#define SL_DEVICE_FLAT_FOLLOW_H

#include "device/trees.h"

/* A driver, by its index ("place") and level. place FLAT_NONE: no driver; level then gives the
   reason. FOLLOW_NEVER: there is nothing to follow. FOLLOW_WHOLE: only a whole update computes what
   comes next. */
typedef struct { uint32_t place, level; } FollowPlace;
enum { FOLLOW_NEVER, FOLLOW_WHOLE };

/* The parts of a driver's net in one record, so that a block of threads needs one access to begin.
   Its slots are the driver and its loads; its nodes are the driver's and then the loads'.  It has
   the edges that end at the driver, their arcs, and the records of Flat.outs that begin at the
   driver and at its loads. */
typedef struct FLAT_ALIGNED {
  uint32_t slot, first_load, load_count, load_shift;
  uint32_t node, driver_nodes, load_node, nodes;
  uint32_t first_edge, edge_count, first_arc, arc_count;
  uint32_t first_out, out_count, first_load_out, load_out_count;
  uint32_t first_behind;             /* index in behind of the loads' arcs or the driver's */
  uint32_t stops;                    /* true: the host computes it, or it is in an ideal network */
} FollowNet;

/* X(type, name, count): count is an expression of f, a FlatFollow.  before: by arc, the driver of
   the net where the arc begins. behind: by place in Flat.out_arc, the driver where that arc ends;
   there is no driver if the arc does not lead to a higher level. slot_stops: true where clocks
   pass; what depends on them is not followed. */
#define FOLLOW_ARRAYS(X)                    \
  X(FollowNet, nets, follow->driver_count)  \
  X(FollowPlace, before, follow->arc_count) \
  X(FollowPlace, behind, follow->arc_count) \
  X(uint8_t, slot_stops, follow->slot_count)

typedef struct FlatFollow {
  uint32_t slot_count, driver_count, level_count, arc_count, path_end_count, check_count;
  uint32_t most_slots, most_nodes;   /* the most that a net has */
#define FOLLOW_FIELD(type, name, count) const type *name;
  FOLLOW_ARRAYS(FOLLOW_FIELD)
#undef FOLLOW_FIELD
} FlatFollow;

/* An edit: the nets or arcs of some drivers have changed. */
typedef struct {
  const FollowPlace *drivers;
  uint32_t count;
  TreeEdit trees;                    /* trees to reduce again first */
  double   spent;                    /* seconds that the edit has taken on the host so far */
  bool     values;                   /* true: changed slacks and margins are returned; false: sums
                                        of slacks are */
} FollowEdit;

/* A path end and its slacks, or a check and its margins, by edge of the data. */
typedef struct {
  uint32_t at;
  float    value[2];
} FollowedValue;

/* The result of an edit.  The lists belong to the device and are valid until its next operation.
   Once slacks are up to date, there are either values or sums. */
typedef struct {
  bool     forward, backward;        /* forward: delays and arrivals are up to date; backward:
                                        slacks and required times are. Each is false if its
                                        direction stopped (STOP_... in cuda/follow.h): it reached
                                        what is not followed, reached too many drivers or took too
                                        long */
  uint32_t drivers, nets;            /* numbers that were computed again forward, backward */
  const FollowedValue *path_ends, *checks;
  uint32_t path_end_count, check_count;   /* numbers of changed path ends and checks */
  const EndSum *sums;                /* of slacks, by block of end points (start_end_sums in
                                        cuda/sums.cu) */
} Followed;

struct Timing;

FlatFollow *flat_follow_new(const Flat *flat, const struct Timing *t);
void        flat_follow_free(FlatFollow *follow);

#endif
