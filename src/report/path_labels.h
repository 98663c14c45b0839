/* Texts of pins in path reports, such as "u1/A (INV)". They are cached, because similar paths share
   pins. */
#ifndef SL_REPORT_PATH_LABELS_H
#define SL_REPORT_PATH_LABELS_H

#include "base/text.h"
#include "timing/timing.h"

enum { LABEL_BITS = 13, LABEL_BITS_FEW = 7 };

typedef struct {
  const char *text;         /* valid until the next path_label */
  uint32_t name, whole;     /* length of the pin's name, and of the whole text */
  uint32_t kind;            /* index of the text in brackets, "INV" */
  bool     plain;           /* no character needs a backslash in JSON */
} PathLabel;

/* The cache of one thread. All fields are zero at first, except `bits`: the cache has 2^bits
   labels, LABEL_BITS for a report of many paths, LABEL_BITS_FEW for few. A pin has the same label
   in all timings of a design. */
typedef struct {
  int bits;
  /* indexed by a hash of the pin */
  struct { PinId pin; uint32_t at, name, whole; bool plain; } *slots;
  Text texts;
} PathLabels;

PathLabel path_label(PathLabels *labels, const Timing *t, Slot slot, char separator);
/* Prefetches memory for the labels of these slots (of the first EXPECT_MOST), which are needed
   next. */
enum { EXPECT_MOST = 128 };
void path_labels_expect(PathLabels *labels, const Timing *t, const Slot *slots, uint32_t count);
void      path_labels_free(PathLabels *labels);

#endif
