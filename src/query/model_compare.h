/* Finds the stages (an arc of a cell and the loads that it drives) on which two delay models differ
   most. Units are ps. */
#ifndef SL_QUERY_MODEL_COMPARE_H
#define SL_QUERY_MODEL_COMPARE_H

#include "timing/timing.h"
#include "db/object.h"

/* What counts as the difference at a pin: of the delay from the arc's input, of the slew, or the
   larger of both. */
typedef enum { COMPARE_DELAYS, COMPARE_SLEWS, COMPARE_BOTH } CompareOf;

typedef struct {
  DelayModel from, to;
  CompareOf  of;
  bool       relative;        /* order by the difference divided by the first model's value */
  bool       all_loads;       /* every pin of a stage; else the one that differs most */
  unsigned   analyses;        /* mask of 1 << EARLY, 1 << LATE */
  unsigned   edges;           /* mask of 1 << RISE, 1 << FALL: edges of the output */
  float      least, least_part;         /* the smallest differences that count: absolute (ps) and
                                           relative */
  uint32_t   max_count;
  const Object *objects;      /* nets, cells (their outputs) or pins; NULL: the design */
  uint32_t   object_count;
} CompareQuery;

typedef struct { float delay, slew; } ModelTimes;

typedef struct {
  ArcId    arc;
  uint32_t edge;              /* of edge_delay */
  uint8_t  in, out;           /* edges of input and output */
  uint8_t  early_late;
  Slot     point;             /* the driver or a load: delays count from the arc's input to here */
  ModelTimes from, to;
  float    size;              /* the difference that counts */
} ModelDifference;
typedef ARRAY(ModelDifference) ModelDifferences;

/* Returns (to - from) / |from|; NAN if `from` is 0. */
float model_part(float from, float to);

/* Appends the max_count largest differences, the largest first. Each stage has the input slew of
   the design's own timing in both models. Stages without an own delay (ports, ideal networks, arcs
   that are off) are left out. *compared receives the number of pins compared. After an interrupt
   the list is not complete. */
void query_compare_models(const Timing *t, const CompareQuery *query, ModelDifferences *out,
                          uint64_t *compared);

#endif
