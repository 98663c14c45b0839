/* The RC trees of nets in the form in which a device reduces them: flat arrays over the nodes of
   the parasitics as they were read.  trees.c makes them from a Timing for one reduction.  The
   header is for C and C++.

   Only nets with a single piece that is already a tree from their driver are here; nearly all nets
   are like that.  The CPU reduces nets whose pieces must first be joined or turned. */
#ifndef SL_DEVICE_TREES_H
#define SL_DEVICE_TREES_H

#include "device/flat.h"

/* Has the same layout as RcNode of db/parasitics.h. */
typedef struct {
  uint32_t parent;
  float    resistance, cap;
} TreeNode;

/* A load: its node within the tree, its index among loads, and the index in caps of its pin's
   capacitance. */
typedef struct { uint32_t node, load, cap; } TreeTap;

typedef struct {
  uint32_t driver;                 /* index among drivers */
  uint32_t first_node, node_count; /* in the nodes of its analysis */
  uint32_t first_tap, tap_count;
  uint32_t first_work;             /* in the scratch arrays */
  uint32_t own;                    /* index in caps of the driver pin's capacitance; FLAT_NONE:
                                      none */
  uint8_t  side;                   /* EARLY or LATE: whose nodes it has */
  uint8_t  conditions;             /* mask of the conditions that the tree is for */
  bool     has_others;             /* a pin adds to it that is no load of the driver and not the
                                      driver's own */
} Tree;

/* --- records for lanes (tree_bins.c) -------------------------------------------------------------

   A lane reduces one tree for one condition.  A star is a tree all of whose nodes hang on the root;
   a lane needs no extra memory for it.  For other small trees it needs two numbers per node.  Trees
   with many nodes, or with several pins on a node, are reduced by whole blocks.  Trees are sorted
   by these classes.  Within a class, neighbours have about the same size and are near each other in
   the design. */
typedef enum {
  TREES_STARS, TREES_8, TREES_16, TREES_32, TREES_64,      /* one lane for each tree and condition;
                                                              the number is the largest count of
                                                              nodes */
  TREES_LARGE_STARS,                                       /* one block for each tree */
  TREES_DEEP, TREES_LARGE_DEEP,                            /* one block for each tree, which works
                                                              depth by depth */
  TREE_CLASSES
} TreeClass;
enum { TREE_STAR_MOST = 32, TREE_LANE_MOST = 64, TREE_DEEP_MOST = 1024 };

/* A node and the pin on it.  pin: the index in caps of the pin's capacitance; load: the pin's index
   among loads; both FLAT_NONE: no pin.  A star has first the pins on the root, then all nodes
   except the root. */
typedef struct FLAT_ALIGNED {
  float    resistance, cap;
  uint32_t pin, load;
} TreeLaneNode;

/* A tree of a class other than the DEEP ones.  It ends where the next one begins. */
typedef struct {
  uint32_t driver, own;            /* as in Tree */
  uint32_t first;                  /* in lane_nodes */
  float    cap;                    /* capacitance of a star's root */
  uint32_t use;                    /* mask of conditions + 16 * the number of pins on a star's
                                      root */
} TreeHead;

/* A node of a DEEP tree.  Nodes are sorted by depth, and the children of a node lie side by side,
   the one with the highest node index first.  One more record ends each tree. */
typedef struct {
  float    resistance, cap;
  uint32_t parent, first_child;    /* in the order of these records */
  uint32_t first_pin;              /* in deep_pins */
  uint32_t node;                   /* its index in the order of nodes */
} TreeDeepNode;

typedef struct { uint32_t pin, load; } TreePin;

typedef struct {
  uint32_t driver, own, conditions;
  uint32_t first_node, node_count; /* in deep_nodes */
  uint32_t first_depth, depths;    /* in depth_first, which has the first node of each depth and one
                                      more for the end */
  uint32_t first_work;
} TreeDeep;

/* X(type, name, count): count is an expression of f, a Trees.  Some arrays are only on the host,
   depending on the schedule. */
#define TREE_ARRAYS(X)                                                                \
  X(TreeNode, early_nodes, trees->schedule == SCHEDULE_NET ? trees->early_count : 0)  \
  X(TreeNode, late_nodes, trees->schedule == SCHEDULE_NET ? trees->late_count : 0)    \
  X(TreeTap, taps, trees->schedule == SCHEDULE_NET ? trees->tap_count : 0)            \
  X(Tree, trees, trees->schedule == SCHEDULE_NET ? trees->tree_count : 0)             \
  X(TreeHead, heads, trees->head_count)                                               \
  X(TreeLaneNode, lane_nodes, trees->lane_node_count)                                 \
  X(uint8_t, parents, trees->parent_count)                                            \
  X(TreeDeep, deeps, trees->deep_count)                                               \
  X(TreeDeepNode, deep_nodes, trees->deep_node_count)                                 \
  X(TreePin, deep_pins, trees->deep_pin_count)                                        \
  X(uint32_t, depth_first, trees->depth_count)                                        \
  X(uint32_t, tree_of, trees->schedule == SCHEDULE_NET ? 0 : 2 * trees->driver_count) \
  X(Cond4, caps, trees->cap_count)

/* Scratch arrays: X(type, name), each of work_count. */
#define TREE_WORK(X) \
  X(double, sum) \
  X(double, delay) \
  X(double, beta) \
  X(float, cap)

typedef struct Trees {
  uint32_t driver_count;           /* tree_of has the trees of each driver, early and late, in the
                                      order of classes; FLAT_NONE: none, or the early one is for all
                                      conditions */
  uint32_t early_count, late_count, tap_count, tree_count, cap_count;
  uint32_t work_count;             /* schedule net: nodes of all trees; pin: for each condition,
                                      nodes of trees that blocks reduce by depth */
  uint32_t head_count, lane_node_count, parent_count, deep_count, deep_node_count, deep_pin_count,
      depth_count;
  uint32_t first_parent;           /* the node in lane_nodes whose parent is parents[0] */
  uint32_t class_first[TREE_CLASSES + 1];        /* in the order of trees: heads, then deeps */
  uint8_t  schedule;               /* SCHEDULE_... */
#define TREE_FIELD(type, name, count) const type *name;
  TREE_ARRAYS(TREE_FIELD)
#undef TREE_FIELD
} Trees;

/* The arguments of kernels. */
typedef struct {
  Trees f;
#define TREE_FIELD(type, name) type *name;
  TREE_WORK(TREE_FIELD)
#undef TREE_FIELD
} TreeView;

/* A pin whose capacitance has changed.  driver, load: the index of its net's driver among drivers,
   and its own among loads, or FLAT_NONE for the driver's own pin; cap: index in caps.  If a pin
   occurs twice, both records are equal. */
typedef struct { uint32_t driver, load, cap; } TreeChange;

/* An edit of trees: changed pins, and the drivers of the nets to reduce again.  lanes: those with
   trees up to TREES_64; blocks: those with other trees.  A driver may be in both. */
typedef struct {
  const TreeChange *changes;
  const uint32_t   *lanes, *blocks;
  uint32_t change_count, lane_count, block_count;
} TreeEdit;

/* --- trees.c ---------------------------------------------------------------------------------- */
struct Timing;

/* Makes the trees of `count` drivers for a schedule.  Drivers without a ready tree are returned in
   rest[*rest_count], for which the caller gives the room; so are drivers of loads that
   another driver owns.  Numbers that no reduction of a tree sets are set in t. */
Trees *trees_new(struct Timing *t, int schedule, const uint32_t *drivers, uint32_t count,
                 uint32_t *rest, uint32_t *rest_count);
void   trees_free(Trees *trees);
/* Returns the index in caps of a pin's capacitance; FLAT_NONE: it has none. */
uint32_t trees_cap(const struct Timing *t, uint32_t slot);

/* --- tree_bins.c ------------------------------------------------------------------------------ */
/* Makes the arrays for lanes from the other arrays. */
void   trees_bin(Trees *trees, int threads);
void   trees_bin_free(Trees *trees);

#endif
