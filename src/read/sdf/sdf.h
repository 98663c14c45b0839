/* Reads SDF (OVI 2.1 to IEEE 1497): delays of cell arcs and wires, and margins of checks, into the
   annotation.

   The reader makes one pass over the file and fills a copy of the annotation. The copy replaces the
   old annotation if the whole file is good. Names are looked up and never added. Names that the
   design does not have are counted and draw warnings. Ignored constructs are counted in the
   annotation; a warning gives the first place of each kind. */
#ifndef SL_READ_SDF_SDF_H
#define SL_READ_SDF_SDF_H

#include "db/annotation.h"

/* How conditional delays apply to an arc without a condition in the library. */
typedef enum { SDF_COND_NONE, SDF_COND_MIN, SDF_COND_MAX, SDF_COND_MIN_MAX } SdfCondUse;
typedef enum { SDF_MIN, SDF_TYP, SDF_MAX } SdfType;

typedef struct {
  InstId     scope;          /* names are relative to it: TOP_INST or a hierarchical instance */
  SdfType    type[2];        /* the member of min:typ:max, for EARLY and LATE */
  SdfCondUse cond_use;
} SdfOptions;

static inline SdfOptions sdf_options(void)
{
  return (SdfOptions){ TOP_INST, { SDF_MIN, SDF_MAX }, SDF_COND_NONE };
}

/* For each kind: how many entries the file has, and how many were used. */
typedef struct {
  uint32_t cells, cells_found;
  uint32_t delays, delays_used;          /* IOPATH, DEVICE */
  uint32_t wires, wires_used;            /* INTERCONNECT, PORT, NETDELAY */
  uint32_t checks, checks_used;
  uint32_t skipped;                      /* ignored entries; there is a message for each
                                            construct */
} SdfRead;

/* Reads a file, plain or gzip. Returns FAILED, with `annotations` unchanged, after an error.
   *result, if not NULL, receives the counts. */
Status read_sdf(Annotations *annotations, const Netlist *n, const char *path,
                const SdfOptions *options, Log *log, SdfRead *result);
/* The same from text; `name` is the file's name in messages. */
Status read_sdf_text(Annotations *annotations, const Netlist *n, const char *name, const char *text,
                     const SdfOptions *options, Log *log, SdfRead *result);

#endif
