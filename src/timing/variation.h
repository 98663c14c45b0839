/* On-chip variation compiled for a graph (timing_vary): the table or coefficient of each arc and
   wire. */
#ifndef SL_TIMING_VARIATION_H
#define SL_TIMING_VARIATION_H

#include "db/scenario.h"
#include "db/ocv_tables.h"
#include "timing/timing.h"
#include "graph/path_depth.h"

/* For reports: which tables delays have. */
typedef struct {
  uint32_t table[2][CONDITION_COUNT];          /* [data, clock][condition]; NO_OCV_TABLE */
  bool     of_design[2][CONDITION_COUNT];      /* the design's, not one of a nearer object */
} OcvPick;
#define NO_OCV_TABLE UINT32_MAX

typedef struct {
  const Variation *v;
  const Graph     *g;
  const Corner    *corner;                     /* whose library cells count as well; NULL: all */
  Map             *first;                      /* hash_pair(type, id) of an object -> its first
                                                  use */
  uint32_t        *next;                       /* by use: the object's next one */
} OcvUses;

OcvUses *ocv_uses_new(const Variation *v, const Graph *g, const Corner *corner);
void     ocv_uses_free(OcvUses *u);
/* Of a driver's cell arcs, of the wire to a load. */
OcvPick  ocv_pick_cell(const OcvUses *u, Slot driver, OcvKind kind);
OcvPick  ocv_pick_wire(const OcvUses *u, Slot load, OcvKind kind);

static inline TableView ocv_table_view(const Variation *v, uint32_t table)
{
  const OcvTable *t = &v->tables.at[table];
  return (TableView){ v->values.at + t->first, t->distance_count, t->depth_count };
}

/* What a path needs to be derated by its own depth and distance: for each arc and wire its tables,
   and the derates that they stand in the place of or beside.  Lives as long as the numbers that
   were made with it. */
typedef struct OcvPaths {
  const Variation *v;
  DerateRows base;
  uint32_t  *arc_base, *wire_base;             /* into base, by arc and by load; NULL: all 1 */
  ARRAY(OcvPick) picks;
  uint32_t  *arc_pick, *wire_pick;             /* into picks */
} OcvPaths;

typedef struct {
  bool     wire;
  uint32_t at;                                 /* arc, or load's index */
  bool     clock;
  int      condition;
} OcvDelay;
/* Derate of an arc or wire on a path of some depth (of its kind) and distance. */
float ocv_path_derate(const OcvPaths *p, const OcvDelay *of, PathMetric path);
void  ocv_paths_free(OcvPaths *p);

static inline PathPlaces variation_places(const Variation *v)
{
  return (PathPlaces){ v->places.at, v->places.len / 2 };
}

#endif
