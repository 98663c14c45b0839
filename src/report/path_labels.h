/* Texts of pins in reports: "u1/A (INV)", kept while they are asked for again, as pins of near
   paths are. */
#ifndef SL_REPORT_PATH_LABELS_H
#define SL_REPORT_PATH_LABELS_H

#include "base/text.h"
#include "timing/timing.h"

enum { LABEL_BITS = 13, LABEL_BITS_FEW = 7 };

typedef struct {
  const char *text;         /* until the next one is asked for */
  uint32_t name, whole;     /* length of the pin's name, and with what it belongs to behind it */
  uint32_t kind;            /* where that begins: "INV" */
  bool     plain;           /* nothing in it needs a backslash in JSON */
} PathLabel;

/* One thread's; all zero at first but for `bits`: of the number of labels that are kept, as the
   report has many paths or few.  Pins have one label in all timings of a design. */
typedef struct {
  int bits;
  /* by a hash of the pin */
  struct { PinId pin; uint32_t at, name, whole; bool plain; } *slots;
  Text texts;
} PathLabels;

PathLabel path_label(PathLabels *l, const Timing *t, Slot slot, char separator);
/* Labels of these slots are asked for next (of the first EXPECT_MOST): brings their memory near,
   many places at once. */
enum { EXPECT_MOST = 128 };
void      path_labels_expect(PathLabels *l, const Timing *t, const Slot *slots, uint32_t count);
void      path_labels_free(PathLabels *l);

#endif
