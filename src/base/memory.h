/* Heap memory and growable arrays. Allocation never returns NULL: when memory runs out, a handler
   ends the program. */
#ifndef SL_BASE_MEMORY_H
#define SL_BASE_MEMORY_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Allocation functions return usable memory or call the out-of-memory handler,
   which does not return.  Bytes of mem_alloc_zero are zero. */
void *mem_alloc(size_t bytes);
void *mem_alloc_zero(size_t count, size_t size);
/* Writes to each page of fresh memory with several threads, so that later code does not wait for
   the system at its first write. */
void  mem_touch(void *p, size_t bytes, int threads);
void *mem_resize(void *old, size_t bytes);
void  mem_free(void *p);
char *mem_text(const char *text, size_t length);

/* The program decides what running out of memory means; the default writes one line and aborts. */
typedef void (*MemoryFull)(size_t bytes);
void mem_on_full(MemoryFull handler);

/* Lets the process keep freed memory for its next allocations, up to a limit. Without this the C
   library gives memory back to the system when a large command ends, and the next command waits
   until the system has cleared new pages. Call it once, at the start of the program. */
void mem_keep_freed(void);

/* Peak resident memory of the process in bytes, or 0 if the system does not say. */
size_t mem_peak(void);
/* Returns the bytes that can still be allocated without swapping, or SIZE_MAX if the system does
   not say. */
size_t mem_available(void);

/* ARRAY(T) a = {0};  array_push(&a, x);  a.at[i], a.len;  array_free(&a). */
#define ARRAY(T) struct { T *at; uint32_t len, cap; }

void *array_grow(void *at, uint32_t *cap, uint64_t need, size_t size);

#define array_reserve(a, need) \
  ((uint64_t)(need) > (a)->cap \
      ? (void)((a)->at = array_grow((a)->at, &(a)->cap, (need), sizeof *(a)->at)) : (void)0)
#define array_push(a, ...) \
  (array_reserve(a, (uint64_t)(a)->len + 1), (void)((a)->at[(a)->len++] = (__VA_ARGS__)))
/* The address of element i, which may be one past the last. NULL if the array has no memory yet,
   because NULL + 0 is undefined. */
#define array_from(a, i) ((a)->at ? (a)->at + (i) : NULL)
/* Sets the length; new elements are zero. */
#define array_resize(a, count)                                                               \
  (array_reserve(a, count),                                                                  \
   (uint32_t)(count) > (a)->len                                                              \
       ? (void)memset((a)->at + (a)->len, 0, ((size_t)(count) - (a)->len) * sizeof *(a)->at) \
       : (void)0,                                                                            \
   (void)((a)->len = (uint32_t)(count)))
#define array_clear(a) ((void)((a)->len = 0))
#define array_free(a)  (mem_free((a)->at), (void)((a)->at = NULL, (a)->len = (a)->cap = 0))

/* Finds the records with a key in an array that is sorted by its key: they are [*from, *to). Each
   record has `size` bytes and begins with its key, a uint32_t. */
static inline void sorted_run(const void *at, uint32_t count, size_t size, uint32_t key,
                              uint32_t *from, uint32_t *to)
{
  const char *bytes = (const char *)at;
  uint32_t low = 0, high = count;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (*(const uint32_t *)(const void *)(bytes + middle * size) < key) low = middle + 1;
    else high = middle;
  }
  *from = *to = low;
  while (*to < count && *(const uint32_t *)(const void *)(bytes + *to * size) == key) ++*to;
}
#define array_run(a, key, from, to) sorted_run((a)->at, (a)->len, sizeof *(a)->at, key, from, to)

#endif
