/* A sort like qsort that an interrupt can end. */
#ifndef SL_BASE_SORT_H
#define SL_BASE_SORT_H

#include <stdbool.h>
#include <stddef.h>

/* Returns false if interrupted. All items are then still there, in any order. */
bool sort_items(void *items, size_t count, size_t size, int (*compare)(const void *, const void *));

#endif
