/* Annotation compiled for one graph: flat lists of places in the arrays of Timing, with the values
   to store or add there. Lists are compressed rows over owners (drivers, checks). The code that
   computes the numbers of an owner applies its overrides at once, before the next level reads them.
   Devices have the same lists by place (flat_annotations.c). */
#ifndef SL_TIMING_OVERRIDES_H
#define SL_TIMING_OVERRIDES_H

#include "db/annotation.h"
#include "graph/graph.h"

typedef struct {
  uint32_t at;               /* index in the array, counted in floats */
  uint32_t add;              /* 1: the value is added to the computed number; 0: it replaces it */
  float    value;            /* ps */
} Override;

typedef struct {
  uint32_t *first;           /* [owners + 1]; NULL: no override */
  Override *list;            /* for each owner in ascending order of `at`, each place once */
} OverrideList;

typedef struct Overrides {
  OverrideList edges;        /* by driver: in edge_delay, 2 * edge + analysis; without data arcs of
                                latches */
  OverrideList wires;        /* by driver: in wires.delay, 4 * load index + condition */
  OverrideList slews;        /* by driver: in slew, 4 * slot + condition; for the driver and its
                                loads */
  OverrideList extras;       /* by the driver that the load belongs to: in extra.delay, 4 * index +
                                condition */
  OverrideList checks;       /* by check: its margin; at: condition */
  OverrideList latches;      /* one owner: in edge_delay, for data arcs of latches */
  OverrideList limits;       /* by slot: the pin's own limits; at: PinLimit */
} Overrides;

/* Limits of a library pin: least width of the high pulse, of the low pulse, and least period. */
typedef enum { PIN_WIDTH_HIGH, PIN_WIDTH_LOW, PIN_PERIOD } PinLimit;

/* Which of its values for early and late analysis a check uses.  Widths and periods use the larger
   value and skews the smaller one, because they have one limit for both analyses.  Other checks use
   the larger value with on-chip variation, the late value with a single analysis, and else the
   value of their own analysis. */
typedef enum { MARGIN_OF_ANALYSIS, MARGIN_LATE, MARGIN_LARGER, MARGIN_SMALLER } MarginChoice;
MarginChoice margin_choice(const Graph *g, ArcType type);

/* Returns NULL if no annotation applies to the graph. */
Overrides *overrides_new(const Graph *g, const Annotations *annotations);
void       overrides_free(Overrides *overrides);

static inline void overrides_apply(const OverrideList *list, uint32_t owner, float *values)
{
  for (uint32_t i = list->first[owner]; i < list->first[owner + 1]; i++) {
    const Override *override = &list->list[i];
    values[override->at] = override->add ? values[override->at] + override->value : override->value;
  }
}

/* Returns the override of a place, or NULL. */
static inline const Override *overrides_find(const OverrideList *list, uint32_t owner, uint32_t at)
{
  for (uint32_t i = list->first ? list->first[owner] : 0; list->first && i < list->first[owner + 1];
       i++)
    if (list->list[i].at == at) return &list->list[i];
  return NULL;
}

/* Returns true if a driver has the same overrides in two graphs.  Its arcs and loads must be
   alike. */
bool overrides_same(const Overrides *a, const Graph *ga, Slot sa, const Overrides *b,
                    const Graph *gb, Slot sb);

#endif
