/* Delays and checks as SDF: the numbers in use, computed or annotated. */
#ifndef SL_WRITE_SDF_FILE_H
#define SL_WRITE_SDF_FILE_H

#include "timing/timing.h"

typedef struct {
  char        divider;
  int         digits;            /* after the point, in `unit` */
  double      unit;              /* ps */
  bool        typical;           /* the middle of min and max as typ */
  bool        gzip;
  const char *date, *version;    /* NULL: left out */
} SdfFileOptions;

/* off: arcs that are not timed, left out */
typedef struct { uint32_t cells, delays, wires, checks, off; } SdfWritten;

/* Reading the file back gives the same delays and checks, to its digits. */
Status write_sdf(const Timing *t, const char *path, const SdfFileOptions *options, Log *log,
                 SdfWritten *written);

#endif
