/* Annotated timing: delays of cell arcs and wires, slews, margins of checks that files (SDF) or
   commands give in place of what would be computed, or on top of it.

   A record speaks of one arc, wire, pin or check; its values are early and late, by pair of edges
   (cell arcs) or by edge. A value is a replacement or an increment on what is computed; an
   increment on a replacement makes another replacement. Which of the early and the late value of a
   check counts, timing/overrides.h says (MarginChoice). Records name pins and library arcs, so that
   they outlive compiled graphs: what an edit took away simply is no longer found by the graph, and
   annotations_forget_* drop what an edit made untrue.  All times are in ps. */
#ifndef SL_DB_ANNOTATION_H
#define SL_DB_ANNOTATION_H

#include <math.h>

#include "db/netlist.h"

typedef enum {
  ANNOTATE_CELL,             /* from, to, lib: a delay arc of the instance's cell; 8 values */
  ANNOTATE_WIRE,             /* from a driver to a load of its net; 4 values, as the rest */
  ANNOTATE_SLEW,             /* to: the pin */
  ANNOTATE_CHECK,            /* from: the clock (related) pin; to: the constrained one; by its
                                edge */
  ANNOTATE_WIDTH,            /* to: the pin; least width of the high pulse (RISE) and the low one
                                (FALL) */
  ANNOTATE_PERIOD,           /* to: the pin; both edges have the same value */
  ANNOTATE_KINDS
} AnnotationKind;

/* Values lie within it of zero, in ps, as those of constraints do, so that none is taken for
   absent. */
#define ANNOTATION_MOST 1e14

typedef uint32_t AnnotationId;
#define NO_ANNOTATION UINT32_MAX

typedef struct {
  PinId    from, to;         /* from NO_PIN where there is none */
  LibArcId lib;              /* of cell arcs and checks: of the cell that the analysis uses; else
                                NO_LIB_ARC */
  uint32_t first;            /* in values */
  uint8_t  kind;
  uint8_t  replaced, added;  /* by value, a bit each: it is given; it is an increment.  Neither: as
                                computed */
} AnnotationRecord;

typedef struct { const char *construct; uint32_t count; } AnnotationUnused;

typedef struct Annotations {
  uint64_t version;                          /* rises with every change */
  ARRAY(AnnotationRecord) records;           /* removed ones have no bits set */
  ARRAY(float) values;
  uint32_t count[ANNOTATE_KINDS];            /* records with bits set */
  ARRAY(AnnotationUnused) unused;            /* constructs that files had and that are not kept */
  Map *index[ANNOTATE_KINDS];                /* private to annotation.c */
} Annotations;

Annotations *annotations_new(void);
void         annotations_free(Annotations *a);              /* NULL is allowed */
Annotations *annotations_copy(const Annotations *a);
/* Gives `a` the content of `from` and frees the rest; the version goes on rising. */
void         annotations_take(Annotations *a, Annotations *from);
size_t       annotations_bytes(const Annotations *a);
bool         annotations_any(const Annotations *a);

/* Values of a cell arc: condition index 4 * early_late + 2 * input edge + output edge; of the rest
   condition_of(). */
static inline uint32_t annotation_values(AnnotationKind kind)
{
  return kind == ANNOTATE_CELL ? 8 : CONDITION_COUNT;
}
static inline uint32_t annotation_cell_value(int early_late, int in, int out)
{
  return (uint32_t)(4 * early_late + 2 * in + out);
}

/* A value of a record, given or an increment; NAN where it is as computed. */
static inline float annotations_value(const Annotations *a, AnnotationId id, uint32_t value_index)
{
  const AnnotationRecord *r = &a->records.at[id];
  return (r->replaced | r->added) >> value_index & 1 ? a->values.at[r->first + value_index] : NAN;
}

AnnotationId annotations_find(const Annotations *a, AnnotationKind kind, PinId from, PinId to,
                              LibArcId lib);
/* The record, made when there is none. */
AnnotationId annotations_at(Annotations *a, AnnotationKind kind, PinId from, PinId to,
                            LibArcId lib);
void annotations_put(Annotations *a, AnnotationId id, uint32_t value_index, float value,
                     bool increment);
/* Forgets values (bits) of a record. */
void         annotations_remove(Annotations *a, AnnotationId id, uint32_t values);
void         annotations_clear(Annotations *a, AnnotationKind kind);
/* construct: constant text */
void         annotations_count_unused(Annotations *a, const char *construct, uint32_t count);

/* The instance has another cell than old_cell: its arcs, checks, slews, widths and periods go; its
   nets' wires stay. */
void annotations_forget_cell(Annotations *a, const Netlist *n, InstId inst, CellId old_cell);
/* Before a pin leaves its net: the wires that begin or end there. */
void         annotations_forget_wires(Annotations *a, const Netlist *n, PinId pin);
/* All wires of a net. */
void         annotations_forget_net(Annotations *a, const Netlist *n, NetId net);

#endif
