/* qsort that looks at the interrupt flag. */
#ifndef SL_BASE_SORT_H
#define SL_BASE_SORT_H

#include <stdbool.h>
#include <stddef.h>

/* False: interrupted; the items are all there, in any order. */
bool sort_items(void *items, size_t count, size_t size, int (*compare)(const void *, const void *));

#endif
