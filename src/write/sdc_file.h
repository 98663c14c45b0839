/* Writes constraints as SDC that reads back to the same constraints. */
#ifndef SL_WRITE_SDC_FILE_H
#define SL_WRITE_SDC_FILE_H

#include "base/units.h"
#include "db/constraints.h"

typedef struct {
  const LibrarySet *libs;
  UnitSet units;               /* numbers are written in these units */
  char separator;              /* hierarchy separator */
  int  digits;                 /* digits after the point of quantities; more if a value would become
                                  0 or a waveform invalid. -1 means as many as needed to read the
                                  same number back */
  bool gzip;
  const char *title;           /* text of a comment line at the top; may be NULL */
  /* Appends the leaf pins that replace a hierarchical pin (-map_hpins). NULL: hierarchical pins are
     written themselves. */
  void (*leaf_pins)(const Netlist *n, PinId hierarchical, PinArray *pins);
} SdcOptions;

/* Most constraints are written in the design's order of their pins or objects. Clocks and
   exceptions are written in the order in which they were made, because their order matters. Objects
   with equal values share a command. Constraints of deleted objects are left out. Returns FAILED if
   the file cannot be written. */
Status write_sdc(const Constraints *c, const SdcOptions *options, const char *path, Log *log);

/* Writes the same to a text. */
void write_sdc_text(const Constraints *c, const SdcOptions *options, Text *text);

#endif
