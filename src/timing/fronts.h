/* Lists of items by index, most of them with one item: the fronts of common path credit
   (math/common_path.h).

   A list with one item is stored in place, a longer one in pages that never move. Each thread takes
   memory for itself, so threads may store lists of different indices at the same time. When a list
   becomes longer, its old memory stays unused until fronts_clear. */
#ifndef SL_TIMING_FRONTS_H
#define SL_TIMING_FRONTS_H

#include <stddef.h>

#include "base/memory.h"
#include "timing/front_cell.h"

/* Where a thread puts its next list. The unused bytes keep the cursors of two threads off the same
   cache line. */
typedef struct {
  uint32_t next, end;
  uint32_t unused[30];
} FrontCursor;

typedef struct {
  size_t      count;
  FrontCell  *cell;               /* [count]: a list with one item, or the place of a longer one */
  FrontCell **pages;
  uint32_t    page_count;         /* pages in use */
  uint32_t    page_made;
  FrontCursor *cursors;           /* [threads], for the greatest number of threads so far */
  int         threads;
} Fronts;

/* After an interrupt some lists have a meaningless item. */
Fronts *fronts_new(size_t count, int threads);
void    fronts_free(Fronts *fronts);
/* Allows at least this many threads; the lists stay. */
void    fronts_allow_threads(Fronts *fronts, int threads);
void    fronts_clear(Fronts *fronts);
size_t  fronts_bytes(const Fronts *fronts);
/* Replaces all lists by memory for lists that come from elsewhere, in consecutive pages.  The
   caller fills the cells and the pages.  Each block must lie within one page. */
void    fronts_take(Fronts *fronts, uint32_t pages);
/* Returns the items of a list; *count is 0 if there is no list. */
static inline const CommonItem *fronts_get(const Fronts *fronts, size_t index, uint32_t *count)
{
  const FrontCell *cell = &fronts->cell[index];
  if (cell->far.mark != FRONTS_BLOCK) {
    *count = cell->far.mark != FRONTS_NO_LIST;
    return &cell->item;
  }
  uint32_t block = cell->far.block;
  const FrontCell *head =
      &fronts->pages[block >> FRONTS_PAGE_BITS][block & ((1u << FRONTS_PAGE_BITS) - 1)];
  *count = head->head.count;
  return &head[1].item;
}
/* Stores a list.  Returns true if it differs from the list before. */
bool fronts_put(Fronts *fronts, int thread, size_t index, const CommonItem *items, uint32_t count);
/* Stores the list of another index, with `gain` added to each item.  Returns true if it differs
   from the list before. */
bool    fronts_move(Fronts *fronts, int thread, size_t to, size_t from, float gain);

/* --- collecting items of new lists: chains by a small key ------------------------------------- */
#define NO_ITEM UINT32_MAX

typedef struct {
  uint32_t head;                  /* head of the chain, latest item first; NO_ITEM: empty */
  uint32_t count;                 /* number of its items */
  uint32_t source;                /* their only source, if they lie side by side; else
                                     MANY_SOURCES */
} GatherKey;

typedef struct {
  ARRAY(CommonItem) items;
  ARRAY(uint32_t) next;
  ARRAY(GatherKey) keys;
  ARRAY(CommonItem) list;         /* the items of a key with many sources that was taken */
  ARRAY(CommonStep) steps;
  uint32_t source;
  int      thread;                /* thread whose memory in Fronts is used; 0 outside of a team */
} Gather;

void     gather_begin(Gather *gather, uint32_t keys);
/* Begins a new source: the items added until the next call come from one list, or are a single
   item.  If a key has only one source, its items are already a front. */
static inline void gather_source(Gather *gather) { gather->source++; }
void     gather_add(Gather *gather, uint32_t key, CommonItem item);
/* Adds a list, with `gain` added to each item. */
void gather_list(Gather *gather, uint32_t key, const CommonItem *items, uint32_t count, float gain);
/* Returns the front of a key.  It is valid until the next call. */
const CommonItem *gather_take(Gather *gather, const CommonView *view, uint32_t key,
                              uint32_t *count);
void     gather_free(Gather *gather);

#endif
