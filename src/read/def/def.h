/* DEF 5.8: one design's placement.

   The text is kept as it was read; sections that are not understood are known by their place in it
   alone.  Names are looked up in what LEF has; netlist and placement are told of each other by
   placement_bind. */
#ifndef SL_READ_DEF_DEF_H
#define SL_READ_DEF_DEF_H

#include "db/placement.h"

typedef struct {
  uint32_t unknown_components;     /* of pins of nets, that COMPONENTS has not; the first: */
  NameId   first_unknown;          /* in the placement's names */
  uint64_t rounded;                /* numbers of LEF that the DEF's units do not hold */
} DefRead;

/* Reads a file (plain or gzip).  physical gets the file's units, and layers and sites that it names
   first; FAILED leaves it half changed: read with a copy.  The caller frees *made. */
Status read_def(Physical *physical, const char *path, Log *log, Placement **made, DefRead *result);
/* The same from text; path only names it. */
Status read_def_text(Physical *physical, const char *path, const char *text, Log *log,
                     Placement **made, DefRead *result);

#endif
