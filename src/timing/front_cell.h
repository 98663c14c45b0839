/* The cells in which lists of fronts are stored (timing/fronts.h), on the host and on a device. The
   header is C and C++. */
#ifndef SL_TIMING_FRONT_CELL_H
#define SL_TIMING_FRONT_CELL_H

#include "math/common_path.h"

enum { FRONTS_PAGE_BITS = 16 };
/* In the place of a leaf: no list; a longer list, in a block. */
#define FRONTS_NO_LIST UINT32_MAX
#define FRONTS_BLOCK   (UINT32_MAX - 1)

/* The first cell of a block. */
typedef struct { uint32_t count, room; } FrontHead;
/* In the place of a list of one: where the block of a longer one is, page and cell; the mark lies
   where an item has its leaf. */
typedef struct { uint32_t block, mark; } FrontFar;

typedef union {
  CommonItem item;
  FrontHead  head;
  FrontFar   far;
} FrontCell;

#endif
