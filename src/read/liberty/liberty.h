/* Reads Liberty files into a LibrarySet.

   NLDM tables, functions, sequential groups, buses, power groups and wire loads are kept; CCS
   groups and other constructs that are not used are passed over and counted, by the group they
   stand in.  A file that turns out to be bad leaves the set as it was. */
#ifndef SL_READ_LIBERTY_LIBERTY_H
#define SL_READ_LIBERTY_LIBERTY_H

#include <stdbool.h>

#include "base/log.h"
#include "db/library.h"

/* A construct that was met and not used: "timing.output_current_rise"; groups count once, not what
   is in them. */
typedef struct {
  NameId   construct;
  uint32_t count;
} LibertyUnused;

typedef struct LibertyTally {
  ARRAY(LibertyUnused) unused;           /* in order of first appearance */
} LibertyTally;

typedef struct {
  bool for_early, for_late;              /* neither is taken as both */
  LibertyTally *tally;                   /* NULL, or where to add the constructs of a file read
                                            without error */
} LibertyOptions;

Status read_liberty(LibrarySet *set, const char *path, const LibertyOptions *options, Log *log);

/* The same from memory; path only names it. */
Status read_liberty_text(LibrarySet *set, const char *path, const char *text,
                         const LibertyOptions *options, Log *log);

void liberty_tally_free(LibertyTally *tally);

/* The i-th group or attribute that the reader knows, as "timing.cell_rise"; false behind the
   last. */
bool liberty_construct(uint32_t i, Text *construct);

#endif
