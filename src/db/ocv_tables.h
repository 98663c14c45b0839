/* On-chip variation of a design: derates by depth and distance of paths (AOCV), coefficients of
   sigma (POCV), and how they are used.

   A table applies to delays of cells or of nets, to some conditions, and to data or clock paths. An
   OcvUse ties it to an object. If several tables apply to one delay, the table of the nearest
   object counts: the cell or net itself, then the innermost block around it, the library cell, the
   design. Among tables of one object the last counts. Objects are those of the netlist at the time
   of reading. Cells that are made later use the tables of their library cell and of the design. */
#ifndef SL_DB_OCV_TABLES_H
#define SL_DB_OCV_TABLES_H

#include "db/constraints.h"
#include "db/object.h"

struct Placement;

enum { OCV_CELL, OCV_NET, OCV_DELAYS };                     /* the delays that a table applies to */
typedef enum { OCV_DERATE, OCV_COEFFICIENT } OcvKind;

/* `first` is the index of the table's numbers: distances, depths, then values with the depth
   innermost, as in TableView. An absent axis has one value, 0. A coefficient is a table with one
   value: sigma divided by the delay. */
typedef struct {
  uint8_t  kind;                                            /* OcvKind */
  uint8_t  delays, conditions, paths;                       /* bits: OCV_CELL..., condition_of(),
                                                               PATH_DATA... */
  uint16_t distance_count, depth_count;
  uint32_t first;
} OcvTable;

typedef struct {
  Object   object;                                          /* design, library cell, cell or block,
                                                               or net */
  uint32_t table;
} OcvUse;

typedef enum { OCV_TABLES_OFF, OCV_TABLES_REPLACE, OCV_TABLES_MULTIPLY } OcvTableUse;
typedef enum { OCV_SCALAR, OCV_NORMAL } OcvMode;

typedef struct {
  uint8_t tables;                                           /* OcvTableUse: how tables combine with
                                                               set_timing_derate */
  uint8_t mode;                                             /* OcvMode: whether delays have a
                                                               sigma */
  float   quantile;                                         /* number of sigmas between the mean and
                                                               an early or late time */
  float   distance_unit;                                    /* of the tables' distances, microns */
} OcvOptions;

/* What the places of cells were taken from. */
typedef struct {
  const struct Placement *placement;                        /* NULL: none */
  uint64_t version, edits, tables;                          /* of the placement, the netlist and the
                                                               Variation */
} OcvPlacesOf;

typedef struct Variation {
  uint64_t version;                                         /* rises with every change */
  OcvOptions options;
  ARRAY(OcvTable) tables;
  ARRAY(float) values;
  ARRAY(OcvUse) uses;                                       /* in the order in which they were
                                                               read */
  ARRAY(float) places;                                      /* centres of cells: x, y by InstId in
                                                               units of distance, NAN if not placed;
                                                               empty if no distance counts */
  OcvPlacesOf places_of;
} Variation;

Variation *variation_new(void);
void       variation_free(Variation *variation);                    /* NULL is allowed */

/* Adds a table and copies its values. An absent axis is NULL, with a count of 1. */
uint32_t variation_add_table(Variation *variation, OcvTable table, const float *distances,
                             const float *depths, const float *values);
void     variation_use(Variation *variation, Object object, uint32_t table);
/* Removes the tables of the given kinds (bits by OcvKind). The options stay. */
void     variation_remove(Variation *variation, uint32_t kinds);
void     variation_set_options(Variation *variation, OcvOptions options);
/* Adds the ocv_derate tables of a library, for the delays of its cells. */
void     variation_add_library(Variation *variation, const LibrarySet *libs, LibraryId library);
bool     variation_has(const Variation *variation, OcvKind kind);
/* Does a table depend on distance? */
bool     variation_by_distance(const Variation *variation);
/* Takes the places that cells have now (NULL: no placement), if a table depends on distance. */
void     variation_place_cells(Variation *variation, const struct Placement *placement);
/* Must be called before a placement is freed. */
void     variation_forget_placement(Variation *variation);
/* Do tables depend on the library cell of an instance? */
bool     variation_by_lib_cell(const Variation *variation);

static inline bool variation_is_normal(const Variation *variation)
{
  return variation && variation->options.mode == OCV_NORMAL;
}

#endif
