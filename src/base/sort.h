/* Sorting that an interrupt can end, orders of plain numbers for it and for qsort, and medians. */
#ifndef SL_BASE_SORT_H
#define SL_BASE_SORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Returns false if interrupted. All items are then still there, in any order. */
bool sort_items(void *items, size_t count, size_t size, int (*compare)(const void *, const void *));

/* Orders of two numbers, ascending. */
int order_int32(const void *a, const void *b);
int order_uint32(const void *a, const void *b);
int order_uint64(const void *a, const void *b);
int order_float(const void *a, const void *b);
int order_double(const void *a, const void *b);

/* Returns the upper median; 0 if there are no values. Sorts the values. */
double median_of(double *values, uint32_t count);

#endif
