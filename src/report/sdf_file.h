/* Delays and checks as SDF: the numbers in use, computed or annotated. */
#ifndef SL_REPORT_SDF_FILE_H
#define SL_REPORT_SDF_FILE_H

#include "db/annotation.h"
#include "engine/timing.h"

typedef struct {
  char        divider;
  int         digits;            /* after the point, in `unit` */
  double      unit;              /* ps */
  bool        typical;           /* the middle of min and max as typ */
  bool        gzip;
  const char *date, *version;    /* NULL: left out */
} SdfFileOptions;

typedef struct { uint32_t cells, delays, wires, checks, off; } SdfWritten;      /* off: arcs that are not timed, left out */

/* `a` (NULL: none) has widths and periods that no check of the graph stands for.  Reading the file back gives the same delays, to its
   digits. */
Status write_sdf(const Timing *t, const Annotations *a, const char *path, const SdfFileOptions *options, Log *log, SdfWritten *written);

#endif
