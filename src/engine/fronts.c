#include "engine/fronts.h"

#include "base/memory.h"

enum { PAGE_ITEMS = 1 << FRONTS_PAGE_BITS, MOST_PAGES = 1 << 14 };
#define NO_LIST FRONTS_NO_LIST

typedef FrontCell Cell;

Fronts *fronts_new(size_t count, int threads)
{
  Fronts *f = mem_alloc_zero(1, sizeof *f);
  f->count = count;
  f->threads = threads;
  f->first = mem_alloc((count + 1) * sizeof *f->first);
  f->block = mem_alloc((count + 1) * sizeof *f->block);
  f->pages = mem_alloc_zero(MOST_PAGES, sizeof *f->pages);
  f->cursors = mem_alloc_zero((size_t)threads, sizeof *f->cursors);
  fronts_clear(f);
  return f;
}

void fronts_free(Fronts *f)
{
  if (f == NULL) return;
  for (uint32_t i = 0; i < f->page_made; i++) mem_free(f->pages[i]);
  mem_free(f->pages);
  mem_free(f->first);
  mem_free(f->block);
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

void fronts_clear(Fronts *f)
{
#pragma omp parallel for schedule(static) num_threads(f->threads)
  for (size_t i = 0; i < f->count; i++) {
    f->first[i] = (CommonItem){ 0, NO_LIST };
    f->block[i] = 0;
  }
  memset(f->cursors, 0, sizeof *f->cursors * (size_t)f->threads);
  f->page_count = 0;
}

size_t fronts_bytes(const Fronts *f)
{
  return f ? f->count * (sizeof *f->first + sizeof *f->block) + (size_t)f->page_made * PAGE_ITEMS * sizeof(Cell) : 0;
}

/* Cell 0 of page 0 is never a head, so that 0 means none.  A list that no page holds has one of its own. */
static uint32_t new_page(Fronts *f, size_t cells)
{
  uint32_t page;
#pragma omp critical(fronts_page)
  {
    page = f->page_count++;
    if (page >= MOST_PAGES) mem_alloc(SIZE_MAX);
    if (page == f->page_made || cells > PAGE_ITEMS)
      f->pages[page] = mem_resize(f->pages[page], sizeof(Cell) * (cells > PAGE_ITEMS ? cells : PAGE_ITEMS));
    if (page == f->page_made) f->page_made++;
  }
  return page << FRONTS_PAGE_BITS;
}

static uint32_t new_block(Fronts *f, int thread, uint32_t room)
{
  FrontCursor *c = &f->cursors[thread];
  if (c->end < c->next + room + 1) {
    c->next = new_page(f, (size_t)room + 2);
    c->end = c->next + PAGE_ITEMS;
    c->next += c->next == 0;
  }
  uint32_t block = c->next;
  c->next += room + 1;
  f->pages[block >> FRONTS_PAGE_BITS][block & (PAGE_ITEMS - 1)].head.room = room;
  return block;
}

static bool same_list(const Fronts *f, size_t index, const CommonItem *items, uint32_t count)
{
  uint32_t have;
  const CommonItem *list = fronts_get(f, index, &have);
  return have == count && memcmp(list, items, count * sizeof *items) == 0;
}

bool fronts_put(Fronts *f, int thread, size_t index, const CommonItem *items, uint32_t count)
{
  if (same_list(f, index, items, count)) return false;
  if (count < 2) {
    f->first[index] = count ? items[0] : (CommonItem){ 0, NO_LIST };
    f->block[index] = 0;
    return true;
  }
  uint32_t block = f->block[index];
  Cell *head = block ? &f->pages[block >> FRONTS_PAGE_BITS][block & (PAGE_ITEMS - 1)] : NULL;
  if (head == NULL || head->head.room < count) {
    block = new_block(f, thread, count);
    head = &f->pages[block >> FRONTS_PAGE_BITS][block & (PAGE_ITEMS - 1)];
    f->block[index] = block;
  }
  head->head.count = count;
  memcpy(head + 1, items, count * sizeof *items);
  return true;
}

/* --- gathering --------------------------------------------------------------------------------------------------- */
enum { MANY_SOURCES = 0 };

void gather_begin(Gather *w, uint32_t keys)
{
  w->source = 1;
  array_clear(&w->items);
  array_clear(&w->next);
  array_reserve(&w->keys, keys);
  w->keys.len = keys;
  for (uint32_t i = 0; i < keys; i++) w->keys.at[i] = (GatherKey){ NO_ITEM, MANY_SOURCES };
}

void gather_add(Gather *w, uint32_t key, CommonItem item)
{
  GatherKey *k = &w->keys.at[key];
  array_push(&w->items, item);
  array_push(&w->next, k->head);
  k->source = k->head == NO_ITEM || k->source == w->source ? w->source : MANY_SOURCES;
  k->head = w->items.len - 1;
}

/* The chain in the order in which it was made. */
uint32_t gather_take(Gather *w, const CommonView *v, uint32_t key)
{
  uint32_t count = 0;
  for (uint32_t i = w->keys.at[key].head; i != NO_ITEM; i = w->next.at[i]) count++;
  array_reserve(&w->list, count);
  w->list.len = count;
  for (uint32_t i = w->keys.at[key].head, k = count; i != NO_ITEM; i = w->next.at[i]) w->list.at[--k] = w->items.at[i];
  if (count < 2 || w->keys.at[key].source != MANY_SOURCES) return count;
  array_reserve(&w->steps, count);
  return common_fronts(v, w->list.at, w->steps.at, count);
}

void gather_free(Gather *w)
{
  array_free(&w->items);
  array_free(&w->next);
  array_free(&w->keys);
  array_free(&w->list);
  array_free(&w->steps);
}
