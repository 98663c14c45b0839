/* The cells in which lists of fronts are stored (timing/fronts.h), on the host and on a device. The
   header is C and C++. */
#ifndef SL_TIMING_FRONT_CELL_H
#define SL_TIMING_FRONT_CELL_H

#include "math/common_path.h"

enum { FRONTS_PAGE_BITS = 16 };
/* Values in the place of a leaf: no list, or a longer list in a block. */
#define FRONTS_NO_LIST UINT32_MAX
#define FRONTS_BLOCK   (UINT32_MAX - 1)

/* The first cell of a block: the number of items, and the room for them. */
typedef struct { uint32_t count, room; } FrontHead;
/* Stands in the place of a list with one item.  block: page and cell of the longer list's block.
   mark lies where an item has its leaf. */
typedef struct { uint32_t block, mark; } FrontFar;

typedef union {
  CommonItem item;
  FrontHead  head;
  FrontFar   far;
} FrontCell;

#endif
