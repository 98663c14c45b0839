/* Annotated timing: delays of cell arcs and wires, slews, and margins of checks that a file (SDF)
   or a command gives. An annotated value replaces the computed one or is added to it.

   A record belongs to one arc, wire, pin or check. It has early and late values, for each pair of
   edges (cell arcs) or for each edge. A value is a replacement or an increment on the computed
   value. An increment on a replacement makes a new replacement. MarginChoice in timing/overrides.h
   says whether the early or the late value of a check counts. Records name pins and library arcs,
   not slots and arcs of the graph, so they stay valid when the graph is compiled again. The graph
   does not find the records of things that an edit removed. annotations_forget_* drop the records
   that an edit made wrong. All times are in ps. */
#ifndef SL_DB_ANNOTATION_H
#define SL_DB_ANNOTATION_H

#include <math.h>

#include "db/netlist.h"

typedef enum {
  ANNOTATE_CELL,             /* from, to, lib: a delay arc of the instance's cell; 8 values */
  ANNOTATE_WIRE,             /* from a driver to a load of its net; 4 values, like all kinds
                                below */
  ANNOTATE_SLEW,             /* to: the pin */
  ANNOTATE_CHECK,            /* from: the clock (related) pin; to: the constrained pin; values by
                                edge of `to` */
  ANNOTATE_WIDTH,            /* to: the pin; least width of the high pulse (RISE) and of the low
                                pulse (FALL) */
  ANNOTATE_PERIOD,           /* to: the pin; both edges have the same value */
  ANNOTATE_KINDS
} AnnotationKind;

/* The largest absolute value in ps, as for constraints. No value is mistaken for an absent time. */
#define ANNOTATION_MOST 1e14

typedef uint32_t AnnotationId;
#define NO_ANNOTATION UINT32_MAX

typedef struct {
  PinId    from, to;         /* from is NO_PIN if the kind has none */
  LibArcId lib;              /* for cell arcs and checks the arc of the cell that the analysis uses;
                                else NO_LIB_ARC */
  uint32_t first;            /* in values */
  uint8_t  kind;
  uint8_t  replaced, added;  /* a bit for each value: it replaces; it is an increment. Neither bit:
                                the computed value counts */
} AnnotationRecord;

typedef struct { const char *construct; uint32_t count; } AnnotationUnused;

/* What an edit made a record forget. */
typedef struct {
  AnnotationId id;
  uint8_t replaced, added;
  float   values[8];
} AnnotationLost;
typedef ARRAY(AnnotationLost) AnnotationsLost;

typedef struct Annotations {
  uint64_t version;                          /* rises with every change */
  ARRAY(AnnotationRecord) records;           /* removed records have no bits set */
  ARRAY(float) values;
  uint32_t count[ANNOTATE_KINDS];            /* records with bits set */
  ARRAY(AnnotationUnused) unused;            /* constructs that files had and that are not kept */
  AnnotationsLost *lost;                     /* gets what annotations_forget_... forget; NULL:
                                                nothing does */
  Map *index[ANNOTATE_KINDS];                /* private to annotation.c */
} Annotations;

Annotations *annotations_new(void);
void         annotations_free(Annotations *annotations);              /* NULL is allowed */
Annotations *annotations_copy(const Annotations *annotations);
/* Moves the content of `from` to `annotations`, whose version rises, and frees `from`. */
void         annotations_take(Annotations *annotations, Annotations *from);
size_t       annotations_bytes(const Annotations *annotations);
bool         annotations_any(const Annotations *annotations);

/* The number of values of a kind. The index of a value is 4 * early_late + 2 * input edge + output
   edge for cell arcs, and condition_of() for all other kinds. */
static inline uint32_t annotation_values(AnnotationKind kind)
{
  return kind == ANNOTATE_CELL ? 8 : CONDITION_COUNT;
}
static inline uint32_t annotation_cell_value(int early_late, int in, int out)
{
  return (uint32_t)(4 * early_late + 2 * in + out);
}

/* A value of a record, given or an increment; NAN where it is as computed. */
static inline float annotations_value(const Annotations *annotations, AnnotationId id,
                                      uint32_t value_index)
{
  const AnnotationRecord *record = &annotations->records.at[id];
  return (record->replaced | record->added) >> value_index & 1
             ? annotations->values.at[record->first + value_index]
             : NAN;
}

AnnotationId annotations_find(const Annotations *annotations, AnnotationKind kind, PinId from,
                              PinId to, LibArcId lib);
/* Returns the record; makes it if there is none. */
AnnotationId annotations_at(Annotations *annotations, AnnotationKind kind, PinId from, PinId to,
                            LibArcId lib);
void annotations_put(Annotations *annotations, AnnotationId id, uint32_t value_index, float value,
                     bool increment);
/* Removes the values of a record whose bits are set in `values`. */
void         annotations_remove(Annotations *annotations, AnnotationId id, uint32_t values);
void         annotations_clear(Annotations *annotations, AnnotationKind kind);
/* construct is a string constant */
void annotations_count_unused(Annotations *annotations, const char *construct, uint32_t count);

/* Call it after the cell of an instance was swapped for another one. Drops the annotation of the
   instance's arcs, checks, slews, widths and periods. Wires of its nets stay annotated. */
void annotations_forget_cell(Annotations *annotations, const Netlist *n, InstId inst,
                             CellId old_cell);
/* Call it before a pin leaves its net. Drops the annotation of wires that begin or end at the
   pin. */
void         annotations_forget_wires(Annotations *annotations, const Netlist *n, PinId pin);
/* Drops the annotation of all wires of a net. */
void         annotations_forget_net(Annotations *annotations, const Netlist *n, NetId net);
/* What was forgotten counts again. */
void         annotations_put_back(Annotations *annotations, const AnnotationLost *lost);

#endif
