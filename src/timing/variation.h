/* On-chip variation compiled for a graph (timing_vary): the table or coefficient of each arc and
   wire. */
#ifndef SL_TIMING_VARIATION_H
#define SL_TIMING_VARIATION_H

#include "db/scenario.h"
#include "db/ocv_tables.h"
#include "timing/timing.h"
#include "graph/path_depth.h"

/* For reports: the tables that a delay uses. */
typedef struct {
  uint32_t table[2][CONDITION_COUNT];          /* [data, clock][condition]; NO_OCV_TABLE */
  bool     of_design[2][CONDITION_COUNT];      /* true: the design's table; false: that of a nearer
                                                  object */
} OcvPick;
#define NO_OCV_TABLE UINT32_MAX

typedef struct {
  const Variation *variation;
  const Graph     *g;
  const Corner    *corner;                     /* the corner whose library cells count too; NULL:
                                                  all */
  Map             *first;                      /* hash_pair(type, id) of an object -> index of its
                                                  first use */
  uint32_t        *next;                       /* by use: the next use of the same object */
} OcvUses;

OcvUses *ocv_uses_new(const Variation *variation, const Graph *g, const Corner *corner);
void     ocv_uses_free(OcvUses *uses);
/* Returns the tables of the cell arcs of a driver, and of the wire to a load. */
OcvPick  ocv_pick_cell(const OcvUses *uses, Slot driver, OcvKind kind);
OcvPick  ocv_pick_wire(const OcvUses *uses, Slot load, OcvKind kind);

static inline TableView ocv_table_view(const Variation *variation, uint32_t table)
{
  const OcvTable *ocv_table = &variation->tables.at[table];
  return (TableView){ variation->values.at + ocv_table->first, ocv_table->distance_count,
                      ocv_table->depth_count };
}

/* The data to derate a path by its own depth and distance: the tables of each arc and wire, and the
   derates that they replace or complement.  Lives as long as the numbers that were made with it. */
typedef struct OcvPaths {
  const Variation *variation;
  DerateRows base;
  uint32_t  *arc_base, *wire_base;             /* indices in base, by arc and by load; NULL: all
                                                  factors are 1 */
  ARRAY(OcvPick) picks;
  uint32_t  *arc_pick, *wire_pick;             /* indices in picks, by arc and by load */
} OcvPaths;

typedef struct {
  bool     wire;
  uint32_t at;                                 /* arc, or index of the load */
  bool     clock;
  int      condition;
} OcvDelay;
/* Returns the derate of an arc or wire on a path of this depth (counted in arcs or wires) and
   distance. */
float ocv_path_derate(const OcvPaths *paths, const OcvDelay *of, PathMetric path);
void  ocv_paths_free(OcvPaths *paths);

static inline PathPlaces variation_places(const Variation *variation)
{
  return (PathPlaces){ variation->places.at, variation->places.len / 2 };
}

#endif
