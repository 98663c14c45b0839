/* SPEF (IEEE 1481-1998, -1999 and the parts of -2009 that describe delays): parasitics of nets into
   the database.

   A file is read in one pass.  Each net is collected in a scratch, turned into a tree rooted at its
   driver at *END and appended; only when the whole file was good do the new pieces replace older
   ones of the same nets. Coupling capacitors count to ground on the side of the net in whose
   section they stand, times a factor. */
#ifndef SL_READ_SPEF_SPEF_H
#define SL_READ_SPEF_SPEF_H

#include "db/parasitics.h"

typedef struct {
  InstId scope;             /* names are relative to it: TOP_INST or a hierarchical instance */
  float  coupling_factor;   /* of coupling capacitors; 1: as they are, 0: left out */
  int    triple;            /* which of min:typ:max: 0, 1, 2 */
  bool   pin_cap_included;  /* the file's capacitances hold those of all library pins, whatever its
                               header says */
} SpefOptions;

static inline SpefOptions spef_options(void) { return (SpefOptions){ TOP_INST, 1.0f, 0, false }; }

/* Reads a file (gzipped or not).  *result, when not NULL, tells what came of it; it and the
   constructs that were met and not used are kept in p as well.  FAILED leaves p as it was.  Names
   are looked up, never added, but for the file's own. */
Status read_spef(Parasitics *p, const Netlist *n, const char *path, const SpefOptions *options,
                 Log *log, SpefRead *result);

/* Says what new parasitics replaced that is worth a word; `file` stands for them in messages. */
void spef_tell_of_replaced(const Netlist *n, ParasiticsReplaced replaced, const char *file,
                           Log *log);

/* The same from text, for new parasitics of a net or a few: as in a file, or from the first *D_NET
   or *R_NET on.  Header lines (units, dividers) may stand before it; without them units are ns, pF
   and Ohm. `name` stands for the file in messages. */
Status read_spef_text(Parasitics *p, const Netlist *n, const char *name, const char *text,
                      const SpefOptions *options, Log *log, SpefRead *result);

#endif
