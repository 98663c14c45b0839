/* Writes constraints as SDC that reads back to the same constraints. */
#ifndef SL_WRITE_SDC_FILE_H
#define SL_WRITE_SDC_FILE_H

#include "base/units.h"
#include "db/constraints.h"

typedef struct {
  const LibrarySet *libs;
  UnitSet units;               /* the user's: numbers are written in them */
  char separator;              /* of hierarchical names */
  int  digits;                 /* after the point, of quantities, and more where a value would
                                  become 0 or a waveform no waveform; -1: as many as it takes to
                                  read the same number */
  bool gzip;
  const char *title;           /* a line of comment at the top; NULL: none */
  /* Leaf pins that stand for a hierarchical pin (-map_hpins); NULL: such pins are written
     themselves. */
  void (*leaf_pins)(const Netlist *n, PinId hierarchical, PinArray *pins);
} SdcOptions;

/* Each kind of constraint is written in an order of its own: by pin or object, in the design's
   order; clocks and exceptions as they were made, for those know an order. Objects of a kind that
   have the same to be said share a command. What refers to deleted objects is left out. */
Status write_sdc(const Constraints *c, const SdcOptions *options, const char *path, Log *log);

/* The same as text. */
void write_sdc_text(const Constraints *c, const SdcOptions *options, Text *text);

#endif
