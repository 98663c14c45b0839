/* LEF 5.8: layers, sites, vias and macros into Physical.

   What has no bearing on where things are and what wires weigh (spacing rules, antenna rules, via
   rules, ...) is read over; a statement that no LEF has is told. */
#ifndef SL_READ_LEF_LEF_H
#define SL_READ_LEF_LEF_H

#include "db/physical.h"

typedef struct {
  uint32_t layers, sites, vias, macros;     /* that the file has */
} LefRead;

/* Reads a file (plain or gzip).  FAILED leaves p half filled: read into a copy. */
Status read_lef(Physical *p, const char *path, Log *log, LefRead *result);
/* The same from text; path only names it. */
Status read_lef_text(Physical *p, const char *path, const char *text, Log *log, LefRead *result);

#endif
