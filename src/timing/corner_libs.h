/* The libraries of one corner as the engine reads them, by condition: tables, capacitances,
   thresholds. It is made once for a set of libraries and the corner's choice among them. Kernels
   index it by the netlist's library arcs, ports and cells. */
#ifndef SL_TIMING_CORNER_LIBS_H
#define SL_TIMING_CORNER_LIBS_H

#include "db/scenario.h"
#include "math/ceff.h"

typedef struct {
  const LibrarySet *libs;
  /* thresholds of each library: [2 * library + edge] */
  Thresholds *thresholds;
  int        *ramp_base;             /* parallel to thresholds: index in ramps */
  float      *input_threshold;       /* parallel to thresholds: delay threshold of inputs */
  ARRAY(float) ramps;
  CellId     *cell_for[2];           /* [EARLY, LATE][cells]: the cell that gives a cell's
                                        numbers */
  LibraryId  *library_for[2];        /* the library of that cell */
  LibArcId   *arc_for[2];            /* [EARLY, LATE]: the arc whose tables a condition uses; early
                                        arcs may be retaining arcs */
  Cond4      *port_cap;              /* [ports] */
  uint32_t    row_segments;          /* the most segments that a row of any table needs */
} CornerLibs;

/* corner NULL: a corner that chooses nothing. */
CornerLibs *corner_libs_new(const LibrarySet *libs, const Corner *corner);
void   corner_libs_free(CornerLibs *libs);
size_t corner_libs_bytes(const CornerLibs *libs);

/* Returns the index in thresholds for measuring the output edge of an arc. */
static inline uint32_t corner_libs_thresholds_of(const CornerLibs *libs, LibArcId arc, int edge)
{
  return 2 * libs->libs->cells.at[libs->libs->ports.at[libs->libs->arcs.at[arc].to].cell].library
         + (uint32_t)edge;
}

static inline TableView corner_libs_table(const CornerLibs *libs, TableId id)
{
  const Table *table = &libs->libs->tables.at[id];
  return (TableView){ libs->libs->pool.at + table->first, table->n1, table->n2 };
}

#endif
