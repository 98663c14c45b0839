/* DEF 5.8: one design's placement.

   The text is kept as it was read. Of sections that the reader does not understand, only the place
   in the text is known (Placement.others). Macros, layers and sites are looked up by their names in
   what LEF has. placement_bind connects netlist and placement. */
#ifndef SL_READ_DEF_DEF_H
#define SL_READ_DEF_DEF_H

#include "db/placement.h"

typedef struct {
  uint32_t unknown_components;     /* number of pins of nets whose component COMPONENTS lacks */
  NameId   first_unknown;          /* the first such component, in the placement's names */
  uint32_t unknown_ports;          /* number of pins of nets whose port PINS lacks; the first: */
  NameId   first_unknown_port;
  uint64_t rounded;                /* number of numbers of LEF that are no whole numbers of the
                                      DEF's units */
  uint32_t vanished;               /* number of macros without area in these units, but with one in
                                      LEF; the first: */
  MacroId  first_vanished;
} DefRead;

/* Reads a file (plain or gzip). Sets the units of `physical`; those of an earlier DEF no longer
   count. Adds layers and sites that only the DEF names. After FAILED `physical` is half changed, so
   give a copy. The caller frees *made. */
Status read_def(Physical *physical, const char *path, Log *log, Placement **made, DefRead *result);
/* The same from text. `path` is the name of the text in messages. */
Status read_def_text(Physical *physical, const char *path, const char *text, Log *log,
                     Placement **made, DefRead *result);

#endif
