/* Reads LEF 5.8: layers, sites, vias and macros, into Physical.

   The reader skips what concerns neither places nor the resistance and capacitance of wires (rules
   for spacing, antennas and vias, for example). It warns of statements that LEF does not have. */
#ifndef SL_READ_LEF_LEF_H
#define SL_READ_LEF_LEF_H

#include "db/physical.h"

typedef struct {
  uint32_t layers, sites, vias, macros;     /* numbers of those in the file */
} LefRead;

/* Reads a file (plain or gzip). After FAILED `physical` is half filled, so give a copy. */
Status read_lef(Physical *physical, const char *path, Log *log, LefRead *result);
/* The same from text. `path` is the name of the text in messages. */
Status read_lef_text(Physical *physical, const char *path, const char *text, Log *log,
                     LefRead *result);

#endif
