/* SDF (OVI 2.1 to IEEE 1497): delays of cell arcs and wires and margins of checks into the
   annotation.

   A file is read in one pass into a copy of the annotation, which takes the place of the old one
   when the whole file was good. Names are looked up, never added.  What the file has and the design
   has not is a counted warning; constructs that are passed over are counted in the annotation, and
   told with the place of the first of each kind. */
#ifndef SL_READ_SDF_SDF_H
#define SL_READ_SDF_SDF_H

#include "db/annotation.h"

/* What conditional delays do to an arc that has no condition in the library. */
typedef enum { SDF_COND_NONE, SDF_COND_MIN, SDF_COND_MAX, SDF_COND_MIN_MAX } SdfCondUse;
typedef enum { SDF_MIN, SDF_TYP, SDF_MAX } SdfType;

typedef struct {
  InstId     scope;          /* names are relative to it: TOP_INST or a hierarchical instance */
  SdfType    type[2];        /* which of min:typ:max, by EARLY, LATE */
  SdfCondUse cond_use;
} SdfOptions;

static inline SdfOptions sdf_options(void)
{
  return (SdfOptions){ TOP_INST, { SDF_MIN, SDF_MAX }, SDF_COND_NONE };
}

/* Of each kind: how many the file has, and how many of them found their place. */
typedef struct {
  uint32_t cells, cells_found;
  uint32_t delays, delays_used;          /* IOPATH, DEVICE */
  uint32_t wires, wires_used;            /* INTERCONNECT, PORT, NETDELAY */
  uint32_t checks, checks_used;
  uint32_t skipped;                      /* passed over, with a message for each construct */
} SdfRead;

/* Reads a file (gzipped or not); FAILED leaves `a` as it was.  *result, when not NULL, tells what
   came of it. */
Status read_sdf(Annotations *a, const Netlist *n, const char *path, const SdfOptions *options,
                Log *log, SdfRead *result);
/* The same from text; `name` stands for the file in messages. */
Status read_sdf_text(Annotations *a, const Netlist *n, const char *name, const char *text,
                     const SdfOptions *options, Log *log, SdfRead *result);

#endif
