/* The state of reading one LEF file: private to lef*.c. */
#ifndef SL_READ_LEF_LEF_PRIVATE_H
#define SL_READ_LEF_LEF_PRIVATE_H

#include "read/lef/lef.h"
#include "read/words.h"

typedef struct LefReader {
  Words     w;
  Physical *p;
  LefRead   result;
  NameId    file;
  uint32_t  twice;              /* macros that another file had; of the first: */
  NameId    twice_name, twice_file;
  uint64_t  rounded;            /* lengths that are no whole numbers of units; of the first: */
  double    rounded_length;     /* microns; 0: of an earlier file */
  uint64_t  copies;             /* of iterated shapes and of vias */
} LefReader;

/* One statement of a block: its keyword, and what reads it, from the word behind the keyword on.
   NULL: it is read over up to its ;. */
typedef struct {
  const char *keyword;
  Status    (*read)(LefReader *r, void *block);
} LefStatement;

/* Statements up to END and, where `name` is given, that name behind it.  The word at hand is the
   first of the block. */
Status lef_block(LefReader *r, const LefStatement *rows, void *block, const char *name);
/* Over all up to END and the name. */
Status lef_skip_block(LefReader *r, const char *name);

/* Microns into database units; a point with or without parentheses. */
Status lef_length(LefReader *r, int32_t *length);
Status lef_point(LefReader *r, Point *at);
Status lef_name(LefReader *r, NameId *name, const char *expected);
Status lef_end(LefReader *r);         /* ; */

/* Shapes: a list of LAYER, RECT, POLYGON, PATH, VIA up to END. */
Status lef_shapes(LefReader *r);
/* What follows the keywords VIA, MACRO, LAYER, SITE of the file's top. */
Status lef_via(LefReader *r, void *none);
Status lef_macro(LefReader *r, void *none);
Status lef_layer(LefReader *r, void *none);
Status lef_site(LefReader *r, void *none);

#endif
