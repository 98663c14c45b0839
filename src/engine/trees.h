/* RC trees of nets as a device reduces them: flat arrays over the nodes of the parasitics as they were read.  Made from a Timing by
   trees.c, for one reduction; C and C++.

   Here are nets whose only piece is a tree from their driver already, which nearly all are; pieces that must be joined or turned
   first are the CPU's. */
#ifndef SL_ENGINE_TREES_H
#define SL_ENGINE_TREES_H

#include "engine/flat.h"

/* As RcNode of db/parasitics.h. */
typedef struct {
  uint32_t parent;
  float    resistance, cap;
} TreeNode;

/* A load: its node within the tree, its index among loads, its pin's capacitance. */
typedef struct { uint32_t node, load, cap; } TreeTap;

typedef struct {
  uint32_t driver;                 /* index among drivers */
  uint32_t first_node, node_count; /* in the nodes of its side */
  uint32_t first_tap, tap_count;
  uint32_t first_work;             /* in the arrays to work in */
  uint32_t own;                    /* the driver pin's capacitance, in caps; FLAT_NONE */
  uint8_t  side;                   /* EARLY, LATE: whose nodes */
  uint8_t  conditions;             /* mask of those that the tree is for */
} Tree;

/* X(type, name, count): count is an expression of f, a Trees */
#define TREE_ARRAYS(X) \
  X(TreeNode, early_nodes, f->early_count) \
  X(TreeNode, late_nodes, f->late_count) \
  X(TreeTap, taps, f->tap_count) \
  X(Tree, trees, f->tree_count) \
  X(Cond4, caps, f->cap_count)

/* To work in: X(type, name), each of work_count. */
#define TREE_WORK(X) \
  X(double, sum) \
  X(double, delay) \
  X(double, beta) \
  X(float, cap)

typedef struct Trees {
  uint32_t early_count, late_count, tap_count, tree_count, cap_count;
  uint32_t work_count;             /* nodes of all trees */
#define TREE_FIELD(type, name, count) const type *name;
  TREE_ARRAYS(TREE_FIELD)
#undef TREE_FIELD
} Trees;

/* What kernels are given. */
typedef struct {
  Trees f;
#define TREE_FIELD(type, name) type *name;
  TREE_WORK(TREE_FIELD)
#undef TREE_FIELD
} TreeView;

/* --- trees.c ----------------------------------------------------------------------------------------------------------- */
struct Timing;

/* Trees of drivers, and the others in rest[*rest_count], for which there is room.  What the reduction of a tree leaves alone is set
   in t.  There are no scaled libraries and no nets with several drivers. */
Trees *trees_new(struct Timing *t, const uint32_t *drivers, uint32_t count, uint32_t *rest, uint32_t *rest_count);
void   trees_free(Trees *f);

#endif
