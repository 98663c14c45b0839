/* Stores fronts. A list of one item is stored in its cell, a longer list in pages that never move.
   A Gather collects items by key before they become a list. */
#include "timing/fronts.h"

#include "base/interrupt.h"
#include "base/memory.h"
#include "base/pool.h"

enum { PAGE_ITEMS = 1 << FRONTS_PAGE_BITS, MOST_PAGES = 1 << 14 };
#define NO_LIST FRONTS_NO_LIST

typedef FrontCell Cell;

void fronts_free(Fronts *fronts)
{
  if (fronts == NULL) return;
  for (uint32_t i = 0; i < fronts->page_made; i++) mem_free(fronts->pages[i]);
  mem_free(fronts->pages);
  mem_free(fronts->cell);
  mem_free(fronts->cursors);
  mem_free(fronts);
}

void fronts_allow_threads(Fronts *fronts, int threads)
{
  if (fronts == NULL || threads <= fronts->threads) return;
  fronts->cursors = mem_resize(fronts->cursors, (size_t)threads * sizeof *fronts->cursors);
  memset(fronts->cursors + fronts->threads, 0,
         (size_t)(threads - fronts->threads) * sizeof *fronts->cursors);
  fronts->threads = threads;
}

enum { CLEARED = 1024 };        /* number of cells in an item of the pool */

static void clear_share(void *context, uint32_t step, uint32_t from, uint32_t to, int thread)
{
  Fronts *fronts = context;
  size_t end = (size_t)to * CLEARED < fronts->count ? (size_t)to * CLEARED : fronts->count;
  (void)step;
  (void)thread;
  for (size_t i = (size_t)from * CLEARED; i < end; i++)
    fronts->cell[i].item = (CommonItem){ 0, NO_LIST };
}

static void clear_or_stop(void *context, uint32_t step, uint32_t from, uint32_t to, int thread)
{
  for (uint32_t i = from; i < to && !interrupt_seen(); i++)
    clear_share(context, step, i, i + 1, thread);
}

static void clear_with(Fronts *fronts, PoolWork work)
{
  pool_items((uint32_t)((fronts->count + CLEARED - 1) / CLEARED), 500, fronts->threads, work,
             fronts);
  memset(fronts->cursors, 0, sizeof *fronts->cursors * (size_t)fronts->threads);
  fronts->page_count = 0;
}

Fronts *fronts_new(size_t count, int threads)
{
  Fronts *fronts = mem_alloc_zero(1, sizeof *fronts);
  fronts->count = count;
  fronts->threads = threads;
  fronts->cell = mem_alloc_zero(count + 1, sizeof *fronts->cell);
  fronts->pages = mem_alloc_zero(MOST_PAGES, sizeof *fronts->pages);
  fronts->cursors = mem_alloc_zero((size_t)threads, sizeof *fronts->cursors);
  clear_with(fronts, clear_or_stop);
  return fronts;
}

void fronts_clear(Fronts *fronts) { clear_with(fronts, clear_share); }

size_t fronts_bytes(const Fronts *fronts)
{
  return fronts ? fronts->count * sizeof *fronts->cell
                      + (size_t)fronts->page_made * PAGE_ITEMS * sizeof(Cell)
                : 0;
}

/* A list that is larger than a page has its own page. */
static uint32_t new_page(Fronts *fronts, size_t cells)
{
  uint32_t page;
  pool_enter();
  page = fronts->page_count++;
  if (page >= MOST_PAGES) mem_alloc(SIZE_MAX);
  if (page == fronts->page_made || cells > PAGE_ITEMS)
    fronts->pages[page] =
        mem_resize(fronts->pages[page], sizeof(Cell) * (cells > PAGE_ITEMS ? cells : PAGE_ITEMS));
  if (page == fronts->page_made) fronts->page_made++;
  pool_leave();
  return page << FRONTS_PAGE_BITS;
}

void fronts_take(Fronts *fronts, uint32_t pages)
{
  memset(fronts->cursors, 0, sizeof *fronts->cursors * (size_t)fronts->threads);
  fronts->page_count = 0;
  while (fronts->page_count < pages) new_page(fronts, PAGE_ITEMS);
}

static uint32_t new_block(Fronts *fronts, int thread, uint32_t room)
{
  FrontCursor *cursor = &fronts->cursors[thread];
  if (cursor->end < cursor->next + room + 1) {
    cursor->next = new_page(fronts, (size_t)room + 2);
    cursor->end = cursor->next + PAGE_ITEMS;
  }
  uint32_t block = cursor->next;
  cursor->next += room + 1;
  fronts->pages[block >> FRONTS_PAGE_BITS][block & (PAGE_ITEMS - 1)].head.room = room;
  return block;
}

/* Makes room for a list of two or more items, and sets its length. */
static CommonItem *make_room(Fronts *fronts, int thread, size_t index, uint32_t count)
{
  Cell *cell = &fronts->cell[index];
  uint32_t block = cell->far.block;
  Cell *head = cell->far.mark == FRONTS_BLOCK
                   ? &fronts->pages[block >> FRONTS_PAGE_BITS][block & (PAGE_ITEMS - 1)]
                   : NULL;
  if (head == NULL || head->head.room < count) {
    block = new_block(fronts, thread, count);
    head = &fronts->pages[block >> FRONTS_PAGE_BITS][block & (PAGE_ITEMS - 1)];
    cell->far.block = block;
    cell->far.mark = FRONTS_BLOCK;
  }
  head->head.count = count;
  return &head[1].item;
}

static bool put_short(Fronts *fronts, size_t index, CommonItem item)
{
  bool same = memcmp(&fronts->cell[index].item, &item, sizeof item) == 0;
  fronts->cell[index].item = item;
  return !same;
}

bool fronts_put(Fronts *fronts, int thread, size_t index, const CommonItem *items, uint32_t count)
{
  if (count < 2) return put_short(fronts, index, count ? items[0] : (CommonItem){ 0, NO_LIST });
  uint32_t have;
  const CommonItem *list = fronts_get(fronts, index, &have);
  if (have == count && memcmp(list, items, count * sizeof *items) == 0) return false;
  memcpy(make_room(fronts, thread, index, count), items, count * sizeof *items);
  return true;
}

bool fronts_move(Fronts *fronts, int thread, size_t to, size_t from, float gain)
{
  uint32_t count, have;
  const CommonItem *items = fronts_get(fronts, from, &count);
  if (count < 2)
    return put_short(fronts, to,
                     count ? (CommonItem){ items[0].badness + gain, items[0].leaf }
                           : (CommonItem){ 0, NO_LIST });
  fronts_get(fronts, to, &have);
  bool changed = have != count;
  CommonItem *list = make_room(fronts, thread, to, count);
  for (uint32_t i = 0; i < count; i++) {
    CommonItem item = { items[i].badness + gain, items[i].leaf };
    changed = changed || memcmp(&list[i], &item, sizeof item) != 0;
    list[i] = item;
  }
  return changed;
}

/* --- gathering -------------------------------------------------------------------------------- */
enum { MANY_SOURCES = 0 };

void gather_begin(Gather *gather, uint32_t keys)
{
  gather->source = 1;
  array_clear(&gather->items);
  array_clear(&gather->next);
  array_reserve(&gather->keys, keys);
  gather->keys.len = keys;
  for (uint32_t i = 0; i < keys; i++) gather->keys.at[i] = (GatherKey){ NO_ITEM, 0, MANY_SOURCES };
}

void gather_list(Gather *gather, uint32_t key, const CommonItem *items, uint32_t count, float gain)
{
  if (count == 0) return;
  GatherKey *gather_key = &gather->keys.at[key];
  uint32_t first = gather->items.len;
  bool alone = gather_key->count == 0
               || (gather_key->source == gather->source && gather_key->head == first - 1);
  array_reserve(&gather->items, (uint64_t)first + count);
  array_reserve(&gather->next, (uint64_t)first + count);
  for (uint32_t i = 0; i < count; i++) {
    gather->items.at[first + i] = (CommonItem){ items[i].badness + gain, items[i].leaf };
    gather->next.at[first + i] = i ? first + i - 1 : gather_key->head;
  }
  gather->items.len = gather->next.len = first + count;
  gather_key->head = first + count - 1;
  gather_key->count += count;
  gather_key->source = alone ? gather->source : MANY_SOURCES;
}

void gather_add(Gather *gather, uint32_t key, CommonItem item)
{
  gather_list(gather, key, &item, 1, 0);
}

/* Returns the items of a key as a list. They are taken in the order in which they were added. */
const CommonItem *gather_take(Gather *gather, const CommonView *view, uint32_t key, uint32_t *count)
{
  const GatherKey *gather_key = &gather->keys.at[key];
  *count = gather_key->count;
  if (gather_key->count == 0) return NULL;
  if (gather_key->source != MANY_SOURCES)
    return &gather->items.at[gather_key->head + 1 - gather_key->count];
  array_reserve(&gather->list, gather_key->count);
  for (uint32_t i = gather_key->head, n = gather_key->count; i != NO_ITEM; i = gather->next.at[i])
    gather->list.at[--n] = gather->items.at[i];
  array_reserve(&gather->steps, gather_key->count);
  *count = common_fronts(view, gather->list.at, gather->steps.at, gather_key->count);
  return gather->list.at;
}

void gather_free(Gather *gather)
{
  array_free(&gather->items);
  array_free(&gather->next);
  array_free(&gather->keys);
  array_free(&gather->list);
  array_free(&gather->steps);
}
