/* The state of reading one LEF file: private to lef*.c. */
#ifndef SL_READ_LEF_LEF_PRIVATE_H
#define SL_READ_LEF_LEF_PRIVATE_H

#include "read/lef/lef.h"
#include "read/words.h"

typedef struct LefReader {
  Words     w;
  Physical *physical;
  LefRead   result;
  NameId    file;
  uint32_t  twice;              /* number of macros that an earlier file has too */
  NameId    twice_name, twice_file;         /* the first of them, and its earlier file */
  int32_t   def_units;          /* of the DEF that was read before; 0: none */
  uint64_t  rounded;            /* lengths that are no whole numbers of units; of the first: */
  double    rounded_length;     /* microns; 0: of an earlier file */
  int32_t   rounded_units;      /* the units, of LEF or DEF; 0: of an earlier file */
  uint64_t  copies;             /* number of shapes that ITERATE and vias have made; limited by
                                   LEF-005 */
} LefReader;

/* A statement of a block. When `read` is called, the word at hand is the one after the keyword.
   With `read` NULL the statement is skipped, up to its ";". "The word at hand" is the current word
   of LefReader.w. */
typedef struct {
  const char *keyword;
  Status    (*read)(LefReader *reader, void *block);
} LefStatement;

/* Reads the statements of a block up to END and, unless `name` is NULL, this name after END. The
   word at hand is the first one of the block. */
Status lef_block(LefReader *reader, const LefStatement *rows, void *block, const char *name);
/* Skips all words up to END and the name after it. */
Status lef_skip_block(LefReader *reader, const char *name);

/* These read the word at hand and go on to the next one. lef_length converts microns to database
   units. lef_point reads two lengths, with or without parentheses. lef_end reads a ";". */
Status lef_length(LefReader *reader, int32_t *length);
Status lef_point(LefReader *reader, Point *at);
/* Reads a resistance or a capacitance. Refuses a negative one (LEF-015). */
Status lef_amount(LefReader *reader, double *amount, const char *expected);
Status lef_name(LefReader *reader, NameId *name, const char *expected);
Status lef_end(LefReader *reader);

/* Reads a list of shapes (LAYER, RECT, POLYGON, PATH, VIA) up to END. */
Status lef_shapes(LefReader *reader);
/* Read what follows the keywords VIA, MACRO, LAYER and SITE outside of all blocks. */
Status lef_via(LefReader *reader, void *none);
Status lef_macro(LefReader *reader, void *none);
Status lef_layer(LefReader *reader, void *none);
Status lef_site(LefReader *reader, void *none);

#endif
