/* Reads Liberty files into a LibrarySet.

   It keeps NLDM tables, functions, sequential groups, buses, power groups and wire loads. It
   ignores CCS groups and other constructs and counts them by the group that they stand in. A bad
   file leaves the set unchanged. */
#ifndef SL_READ_LIBERTY_LIBERTY_H
#define SL_READ_LIBERTY_LIBERTY_H

#include <stdbool.h>

#include "base/log.h"
#include "db/library.h"

/* A construct that was ignored, such as "timing.output_current_rise". A group counts once; its
   contents do not count. */
typedef struct {
  NameId   construct;
  uint32_t count;
} LibertyUnused;

typedef struct LibertyTally {
  ARRAY(LibertyUnused) unused;           /* in order of first appearance */
} LibertyTally;

typedef struct {
  bool for_early, for_late;              /* if neither is set, both count as set */
  LibertyTally *tally;                   /* receives the ignored constructs of a file without
                                            errors; may be NULL */
} LibertyOptions;

Status read_liberty(LibrarySet *set, const char *path, const LibertyOptions *options, Log *log);

/* The same from memory; path is only its name in messages. */
Status read_liberty_text(LibrarySet *set, const char *path, const char *text,
                         const LibertyOptions *options, Log *log);

void liberty_tally_free(LibertyTally *tally);

/* Writes the name of group or attribute number i that the reader knows, such as "timing.cell_rise".
   Returns false after the last one. */
bool liberty_construct(uint32_t i, Text *construct);

#endif
