/* Annotation compiled for one graph: flat lists of places in the arrays of Timing, with the values
   to store or add there. Lists are compressed rows over owners (drivers, checks). The code that
   computes the numbers of an owner applies its overrides at once, before the next level reads them.
   Devices have the same lists by place (flat_annotations.c). */
#ifndef SL_TIMING_OVERRIDES_H
#define SL_TIMING_OVERRIDES_H

#include "db/annotation.h"
#include "graph/graph.h"

typedef struct {
  uint32_t at;               /* of the array as floats */
  uint32_t add;              /* 1: value is added to what was computed; 0: it replaces it */
  float    value;            /* ps */
} Override;

typedef struct {
  uint32_t *first;           /* [owners + 1]; NULL: none at all */
  Override *list;            /* of an owner: by ascending place, each once */
} OverrideList;

typedef struct Overrides {
  OverrideList edges;        /* by driver: edge_delay, 2 * edge + analysis; without latch data
                                arcs */
  OverrideList wires;        /* by driver: wire_delay, 4 * load index + condition */
  OverrideList slews;        /* by driver: slew, 4 * slot + condition; a driver's own and its
                                loads' */
  OverrideList extras;       /* by the driver that the load stands behind: extra_delay, 4 * index +
                                condition */
  OverrideList checks;       /* by check: its margin, condition */
  OverrideList latches;      /* one owner: edge_delay of latch data arcs */
  OverrideList limits;       /* by slot: what the pin itself asks of a clock, PinLimit */
} Overrides;

/* Attributes of a library's pin: least widths of the high and the low pulse, least period. */
typedef enum { PIN_WIDTH_HIGH, PIN_WIDTH_LOW, PIN_PERIOD } PinLimit;

/* Which of the values for early and late analysis a check takes.  Of a chip that is early and late
   at once it takes the one that asks for more; so do widths, periods and skews always, as there is
   one for both analyses.  In a single condition all is late. */
typedef enum { MARGIN_OF_ANALYSIS, MARGIN_LATE, MARGIN_LARGER, MARGIN_SMALLER } MarginChoice;
MarginChoice margin_choice(const Graph *g, ArcType type);

/* NULL where nothing of the annotation meets the graph. */
Overrides *overrides_new(const Graph *g, const Annotations *a);
void       overrides_free(Overrides *o);

static inline void overrides_apply(const OverrideList *l, uint32_t owner, float *values)
{
  for (uint32_t i = l->first[owner]; i < l->first[owner + 1]; i++) {
    const Override *o = &l->list[i];
    values[o->at] = o->add ? values[o->at] + o->value : o->value;
  }
}

/* The override of a place, or NULL. */
static inline const Override *overrides_find(const OverrideList *l, uint32_t owner, uint32_t at)
{
  for (uint32_t i = l->first ? l->first[owner] : 0; l->first && i < l->first[owner + 1]; i++)
    if (l->list[i].at == at) return &l->list[i];
  return NULL;
}

/* The same overrides of a driver in two graphs where its arcs and loads are alike. */
bool overrides_same(const Overrides *a, const Graph *ga, Slot sa, const Overrides *b,
                    const Graph *gb, Slot sb);

#endif
