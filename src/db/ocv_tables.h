/* On-chip variation of a design: derates by the depth and distance of paths (AOCV), coefficients of
   sigma (POCV), and how they are used.

   A table speaks of cells or nets (delays), of some conditions and of data or clock paths; uses tie
   it to objects.  Of the tables for one delay the one of the nearest object counts: the cell or net
   itself, the innermost block around it, the library cell, the design; of the same object's the
   last.  Objects are those of the netlist that the store was filled for: cells that are made later
   have what their library cell and the design have. */
#ifndef SL_DB_OCV_TABLES_H
#define SL_DB_OCV_TABLES_H

#include "db/constraints.h"
#include "db/object.h"

enum { OCV_CELL, OCV_NET, OCV_DELAYS };                     /* whose delays */
typedef enum { OCV_DERATE, OCV_COEFFICIENT } OcvKind;

/* Values at `first`: distances, depths, then values with the depth innermost, as TableView has it;
   an axis that is not there has one value, 0.  A coefficient is a table of one value: sigma as a
   part of the delay. */
typedef struct {
  uint8_t  kind;                                            /* OcvKind */
  uint8_t  delays, conditions, paths;                       /* bits: OCV_CELL..., condition_of(),
                                                               PATH_DATA... */
  uint16_t distance_count, depth_count;
  uint32_t first;
} OcvTable;

typedef struct {
  Object   object;                                          /* design, library cell, cell or block,
                                                               net */
  uint32_t table;
} OcvUse;

typedef enum { OCV_TABLES_OFF, OCV_TABLES_REPLACE, OCV_TABLES_MULTIPLY } OcvTableUse;
typedef enum { OCV_SCALAR, OCV_NORMAL } OcvMode;

typedef struct {
  uint8_t tables;                                           /* OcvTableUse: beside
                                                               set_timing_derate */
  uint8_t mode;                                             /* OcvMode: whether sigma counts */
  float   quantile;                                         /* sigmas of early and late times */
} OcvOptions;

typedef struct Variation {
  uint64_t version;                                         /* rises with every change */
  OcvOptions options;
  ARRAY(OcvTable) tables;
  ARRAY(float) values;
  ARRAY(OcvUse) uses;                                       /* in the order of reading */
  ARRAY(float) places;                                      /* x, y by InstId; NAN: not placed;
                                                               empty: no placement */
} Variation;

Variation *variation_new(void);
void       variation_free(Variation *v);                    /* NULL is allowed */

/* The values are copied; axes NULL where absent (their count is then 1). */
uint32_t variation_add_table(Variation *v, OcvTable table, const float *distances,
                             const float *depths, const float *values);
void     variation_use(Variation *v, Object object, uint32_t table);
/* Forgets what kinds (bits by OcvKind) say; the options stay. */
void     variation_remove(Variation *v, uint32_t kinds);
void     variation_set_options(Variation *v, OcvOptions options);
/* Tables of a library's own derates, for its cells' delays. */
void     variation_add_library(Variation *v, const LibrarySet *libs, LibraryId library);
bool     variation_has(const Variation *v, OcvKind kind);
/* Do numbers depend on which library cell an instance has? */
bool     variation_by_lib_cell(const Variation *v);

static inline bool variation_is_normal(const Variation *v)
{
  return v && v->options.mode == OCV_NORMAL;
}

#endif
