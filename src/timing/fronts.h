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

typedef struct { uint32_t next, end; } FrontCursor;

typedef struct {
  size_t      count;
  FrontCell  *cell;               /* [count]: lists of one, or where a longer one is */
  FrontCell **pages;
  uint32_t    page_count;         /* in use */
  uint32_t    page_made;
  FrontCursor *cursors;           /* [threads], of as many as there ever were */
  int         threads;
} Fronts;

Fronts *fronts_new(size_t count, int threads);
void    fronts_free(Fronts *f);
/* Room for at least so many threads; what is in lists stays. */
void    fronts_allow_threads(Fronts *f, int threads);
void    fronts_clear(Fronts *f);
size_t  fronts_bytes(const Fronts *f);
/* Room for lists that come from elsewhere, in pages one behind another, in place of all that there
   are: who asks fills the cells and the pages, whose blocks must each lie within one page. */
void    fronts_take(Fronts *f, uint32_t pages);
/* *count is 0 where there is no list. */
static inline const CommonItem *fronts_get(const Fronts *f, size_t index, uint32_t *count)
{
  const FrontCell *cell = &f->cell[index];
  if (cell->far.mark != FRONTS_BLOCK) {
    *count = cell->far.mark != FRONTS_NO_LIST;
    return &cell->item;
  }
  uint32_t block = cell->far.block;
  const FrontCell *head =
      &f->pages[block >> FRONTS_PAGE_BITS][block & ((1u << FRONTS_PAGE_BITS) - 1)];
  *count = head->head.count;
  return &head[1].item;
}
/* True when the list is another one than before. */
bool    fronts_put(Fronts *f, int thread, size_t index, const CommonItem *items, uint32_t count);
/* The list of another index, moved by a gain; true as above. */
bool    fronts_move(Fronts *f, int thread, size_t to, size_t from, float gain);

/* --- items on their way into lists: chains by a small key ------------------------------------- */
#define NO_ITEM UINT32_MAX

typedef struct {
  uint32_t head;                  /* of the chain, latest first; NO_ITEM */
  uint32_t count;                 /* of its items, */
  uint32_t source;                /* which lie side by side if they have one source; MANY_SOURCES */
} GatherKey;

typedef struct {
  ARRAY(CommonItem) items;
  ARRAY(uint32_t) next;
  ARRAY(GatherKey) keys;
  ARRAY(CommonItem) list;         /* of a key with many sources that was taken */
  ARRAY(CommonStep) steps;
  uint32_t source;
  int      thread;                /* whose room in fronts is taken: of the team at work, 0 outside
                                     of one */
} Gather;

void     gather_begin(Gather *w, uint32_t keys);
/* What is added until the next call comes from one list, or is a single item: alone in a key it is
   a front already. */
static inline void gather_source(Gather *w) { w->source++; }
void     gather_add(Gather *w, uint32_t key, CommonItem item);
/* A list, moved by a gain. */
void     gather_list(Gather *w, uint32_t key, const CommonItem *items, uint32_t count, float gain);
/* The key's fronts, until the next call. */
const CommonItem *gather_take(Gather *w, const CommonView *v, uint32_t key, uint32_t *count);
void     gather_free(Gather *w);

#endif
