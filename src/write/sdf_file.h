/* Writes delays and checks as SDF: the numbers in use, computed or annotated. */
#ifndef SL_WRITE_SDF_FILE_H
#define SL_WRITE_SDF_FILE_H

#include "timing/timing.h"

typedef struct {
  char        divider;
  int         digits;            /* digits after the point, in `unit` */
  double      unit;              /* the file's time unit in ps */
  bool        typical;           /* write the mean of min and max as typ */
  bool        gzip;
  const char *date, *version;    /* left out if NULL */
} SdfFileOptions;

/* What was written. `off` counts arcs that are not timed and were left out. */
typedef struct { uint32_t cells, delays, wires, checks, off; } SdfWritten;

/* Reading the file back gives the same delays and checks, to the file's digits. Returns FAILED if
   the file cannot be written. */
Status write_sdf(const Timing *t, const char *path, const SdfFileOptions *options, Log *log,
                 SdfWritten *written);

#endif
