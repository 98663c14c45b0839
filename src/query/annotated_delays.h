/* Visits the delays and checks of a design and says which of them are annotated. */
#ifndef SL_QUERY_ANNOTATED_DELAYS_H
#define SL_QUERY_ANNOTATED_DELAYS_H

#include "db/annotation.h"
#include "timing/timing.h"

typedef enum { DELAY_OF_CELL, DELAY_OF_NET, DELAY_FROM_PORT, DELAY_TO_PORT, DELAY_SORTS } DelaySort;
typedef enum {
  CHECK_SETUP,
  CHECK_HOLD,
  CHECK_RECOVERY,
  CHECK_REMOVAL,
  CHECK_NOCHANGE,
  CHECK_WIDTH,
  CHECK_PERIOD,
  CHECK_SKEW,
  CHECK_SORTS
} CheckSort;

typedef struct {
  int    sort;               /* DelaySort or CheckSort */
  PinId  from, to;
  bool   annotated;
  bool   constant;           /* a constant prevents it from switching */
} AnnotatedArc;

typedef void AnnotatedVisit(void *data, const AnnotatedArc *arc);

/* Call visit for each cell arc and wire, sorted by the PinIds of their ends, or for each check.
   With `annotations` NULL nothing is annotated. */
void query_each_delay(const Timing *t, const Annotations *annotations, AnnotatedVisit *visit,
                      void *data);
void query_each_check(const Timing *t, const Annotations *annotations, AnnotatedVisit *visit,
                      void *data);

#endif
