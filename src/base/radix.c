/* Sorts from the lowest digit to the highest.  Digits that are equal in all keys are skipped. */
#include "base/radix.h"

#include <string.h>

#include "base/interrupt.h"

enum { DIGIT_BITS = 11, DIGITS = (64 + DIGIT_BITS - 1) / DIGIT_BITS, VALUES = 1 << DIGIT_BITS };

static inline uint32_t digit_of(uint64_t key, int digit)
{
  return (uint32_t)(key >> digit * DIGIT_BITS) & (VALUES - 1);
}

/* counts become where the values begin; false: all keys have the same. */
static bool place_values(size_t counts[VALUES], size_t all)
{
  size_t at = 0;
  for (int i = 0; i < VALUES; i++) {
    size_t count = counts[i];
    if (count == all) return false;
    counts[i] = at;
    at += count;
  }
  return true;
}

bool radix_sort(RadixItem *items, RadixItem *room, size_t count)
{
  RadixItem *from = items, *to = room;
  for (int digit = 0; digit < DIGITS; digit++) {
    size_t counts[VALUES] = { 0 };
    if (interrupt_seen()) return false;
    for (size_t i = 0; i < count; i++) counts[digit_of(from[i].key, digit)]++;
    if (!place_values(counts, count)) continue;
    for (size_t i = 0; i < count; i++) to[counts[digit_of(from[i].key, digit)]++] = from[i];
    RadixItem *swap = from;
    from = to;
    to = swap;
  }
  if (from != items) memcpy(items, from, count * sizeof *items);
  return true;
}
