/* Stores fronts. A list of one item is stored in its cell, a longer list in pages that never move.
   A Gather collects items by key before they become a list. */
#include "timing/fronts.h"

#include "base/interrupt.h"
#include "base/memory.h"
#include "base/pool.h"

enum { PAGE_ITEMS = 1 << FRONTS_PAGE_BITS, MOST_PAGES = 1 << 14 };
#define NO_LIST FRONTS_NO_LIST

typedef FrontCell Cell;

void fronts_free(Fronts *f)
{
  if (f == NULL) return;
  for (uint32_t i = 0; i < f->page_made; i++) mem_free(f->pages[i]);
  mem_free(f->pages);
  mem_free(f->cell);
  mem_free(f->cursors);
  mem_free(f);
}

void fronts_allow_threads(Fronts *f, int threads)
{
  if (f == NULL || threads <= f->threads) return;
  f->cursors = mem_resize(f->cursors, (size_t)threads * sizeof *f->cursors);
  memset(f->cursors + f->threads, 0, (size_t)(threads - f->threads) * sizeof *f->cursors);
  f->threads = threads;
}

enum { CLEARED = 1024 };        /* number of cells in an item of the pool */

static void clear_share(void *context, uint32_t step, uint32_t from, uint32_t to, int thread)
{
  Fronts *f = context;
  size_t end = (size_t)to * CLEARED < f->count ? (size_t)to * CLEARED : f->count;
  (void)step;
  (void)thread;
  for (size_t i = (size_t)from * CLEARED; i < end; i++)
    f->cell[i].item = (CommonItem){ 0, NO_LIST };
}

static void clear_or_stop(void *context, uint32_t step, uint32_t from, uint32_t to, int thread)
{
  for (uint32_t i = from; i < to && !interrupt_seen(); i++)
    clear_share(context, step, i, i + 1, thread);
}

static void clear_with(Fronts *f, PoolWork work)
{
  pool_items((uint32_t)((f->count + CLEARED - 1) / CLEARED), 500, f->threads, work, f);
  memset(f->cursors, 0, sizeof *f->cursors * (size_t)f->threads);
  f->page_count = 0;
}

Fronts *fronts_new(size_t count, int threads)
{
  Fronts *f = mem_alloc_zero(1, sizeof *f);
  f->count = count;
  f->threads = threads;
  f->cell = mem_alloc_zero(count + 1, sizeof *f->cell);
  f->pages = mem_alloc_zero(MOST_PAGES, sizeof *f->pages);
  f->cursors = mem_alloc_zero((size_t)threads, sizeof *f->cursors);
  clear_with(f, clear_or_stop);
  return f;
}

void fronts_clear(Fronts *f) { clear_with(f, clear_share); }

size_t fronts_bytes(const Fronts *f)
{
  return f ? f->count * sizeof *f->cell + (size_t)f->page_made * PAGE_ITEMS * sizeof(Cell) : 0;
}

/* A list that is larger than a page has its own page. */
static uint32_t new_page(Fronts *f, size_t cells)
{
  uint32_t page;
  pool_enter();
  page = f->page_count++;
  if (page >= MOST_PAGES) mem_alloc(SIZE_MAX);
  if (page == f->page_made || cells > PAGE_ITEMS)
    f->pages[page] =
        mem_resize(f->pages[page], sizeof(Cell) * (cells > PAGE_ITEMS ? cells : PAGE_ITEMS));
  if (page == f->page_made) f->page_made++;
  pool_leave();
  return page << FRONTS_PAGE_BITS;
}

void fronts_take(Fronts *f, uint32_t pages)
{
  memset(f->cursors, 0, sizeof *f->cursors * (size_t)f->threads);
  f->page_count = 0;
  while (f->page_count < pages) new_page(f, PAGE_ITEMS);
}

static uint32_t new_block(Fronts *f, int thread, uint32_t room)
{
  FrontCursor *c = &f->cursors[thread];
  if (c->end < c->next + room + 1) {
    c->next = new_page(f, (size_t)room + 2);
    c->end = c->next + PAGE_ITEMS;
  }
  uint32_t block = c->next;
  c->next += room + 1;
  f->pages[block >> FRONTS_PAGE_BITS][block & (PAGE_ITEMS - 1)].head.room = room;
  return block;
}

/* Makes room for a list of two or more items, and sets its length. */
static CommonItem *make_room(Fronts *f, int thread, size_t index, uint32_t count)
{
  Cell *cell = &f->cell[index];
  uint32_t block = cell->far.block;
  Cell *head = cell->far.mark == FRONTS_BLOCK
                   ? &f->pages[block >> FRONTS_PAGE_BITS][block & (PAGE_ITEMS - 1)]
                   : NULL;
  if (head == NULL || head->head.room < count) {
    block = new_block(f, thread, count);
    head = &f->pages[block >> FRONTS_PAGE_BITS][block & (PAGE_ITEMS - 1)];
    cell->far.block = block;
    cell->far.mark = FRONTS_BLOCK;
  }
  head->head.count = count;
  return &head[1].item;
}

static bool put_short(Fronts *f, size_t index, CommonItem item)
{
  bool same = memcmp(&f->cell[index].item, &item, sizeof item) == 0;
  f->cell[index].item = item;
  return !same;
}

bool fronts_put(Fronts *f, int thread, size_t index, const CommonItem *items, uint32_t count)
{
  if (count < 2) return put_short(f, index, count ? items[0] : (CommonItem){ 0, NO_LIST });
  uint32_t have;
  const CommonItem *list = fronts_get(f, index, &have);
  if (have == count && memcmp(list, items, count * sizeof *items) == 0) return false;
  memcpy(make_room(f, thread, index, count), items, count * sizeof *items);
  return true;
}

bool fronts_move(Fronts *f, int thread, size_t to, size_t from, float gain)
{
  uint32_t count, have;
  const CommonItem *items = fronts_get(f, from, &count);
  if (count < 2)
    return put_short(f, to,
                     count ? (CommonItem){ items[0].badness + gain, items[0].leaf }
                           : (CommonItem){ 0, NO_LIST });
  fronts_get(f, to, &have);
  bool changed = have != count;
  CommonItem *list = make_room(f, thread, to, count);
  for (uint32_t i = 0; i < count; i++) {
    CommonItem item = { items[i].badness + gain, items[i].leaf };
    changed = changed || memcmp(&list[i], &item, sizeof item) != 0;
    list[i] = item;
  }
  return changed;
}

/* --- gathering -------------------------------------------------------------------------------- */
enum { MANY_SOURCES = 0 };

void gather_begin(Gather *w, uint32_t keys)
{
  w->source = 1;
  array_clear(&w->items);
  array_clear(&w->next);
  array_reserve(&w->keys, keys);
  w->keys.len = keys;
  for (uint32_t i = 0; i < keys; i++) w->keys.at[i] = (GatherKey){ NO_ITEM, 0, MANY_SOURCES };
}

void gather_list(Gather *w, uint32_t key, const CommonItem *items, uint32_t count, float gain)
{
  if (count == 0) return;
  GatherKey *k = &w->keys.at[key];
  uint32_t first = w->items.len;
  bool alone = k->count == 0 || (k->source == w->source && k->head == first - 1);
  array_reserve(&w->items, (uint64_t)first + count);
  array_reserve(&w->next, (uint64_t)first + count);
  for (uint32_t i = 0; i < count; i++) {
    w->items.at[first + i] = (CommonItem){ items[i].badness + gain, items[i].leaf };
    w->next.at[first + i] = i ? first + i - 1 : k->head;
  }
  w->items.len = w->next.len = first + count;
  k->head = first + count - 1;
  k->count += count;
  k->source = alone ? w->source : MANY_SOURCES;
}

void gather_add(Gather *w, uint32_t key, CommonItem item) { gather_list(w, key, &item, 1, 0); }

/* Returns the items of a key as a list. They are taken in the order in which they were added. */
const CommonItem *gather_take(Gather *w, const CommonView *v, uint32_t key, uint32_t *count)
{
  const GatherKey *k = &w->keys.at[key];
  *count = k->count;
  if (k->count == 0) return NULL;
  if (k->source != MANY_SOURCES) return &w->items.at[k->head + 1 - k->count];
  array_reserve(&w->list, k->count);
  for (uint32_t i = k->head, n = k->count; i != NO_ITEM; i = w->next.at[i])
    w->list.at[--n] = w->items.at[i];
  array_reserve(&w->steps, k->count);
  *count = common_fronts(v, w->list.at, w->steps.at, k->count);
  return w->list.at;
}

void gather_free(Gather *w)
{
  array_free(&w->items);
  array_free(&w->next);
  array_free(&w->keys);
  array_free(&w->list);
  array_free(&w->steps);
}
