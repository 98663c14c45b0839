/* Reads SPEF (IEEE 1481-1998, -1999, and the parts of -2009 that describe delays): parasitics of
   nets.

   The reader makes one pass over the file, with one thread, as all readers do. At *END it turns the
   collected net into a tree with the driver as root and appends it. The new pieces replace older
   pieces of the same nets only if the whole file is good.

   A coupling capacitor counts as a capacitor to ground of the net whose section lists it
   (read_coupling in spef.c). Its capacitance is multiplied by the coupling factor there and nowhere
   else. Later code does not know which capacitances were those of coupling capacitors, so another
   factor needs another read of the file. */
#ifndef SL_READ_SPEF_SPEF_H
#define SL_READ_SPEF_SPEF_H

#include "db/parasitics.h"

typedef struct {
  InstId scope;             /* names are relative to it: TOP_INST or a hierarchical instance */
  float  coupling_factor;   /* factor of coupling capacitors; 0 leaves them out */
  int    triple;            /* the member of min:typ:max: 0, 1 or 2 */
  bool   pin_cap_included;  /* the file's capacitances include those of library pins, whatever its
                               header says */
} SpefOptions;

static inline SpefOptions spef_options(void) { return (SpefOptions){ TOP_INST, 1.0f, 0, false }; }

/* Reads a file, plain or gzip. *result, if not NULL, receives the counts; `parasitics`
   keeps them too, and the ignored constructs. Returns FAILED, with `parasitics` unchanged, after an
   error. Names are looked up and never added, except that of the file. */
Status read_spef(Parasitics *parasitics, const Netlist *n, const char *path,
                 const SpefOptions *options, Log *log, SpefRead *result);

/* Warns of surprising replacements by new parasitics; `file` is their name in messages. */
void spef_tell_of_replaced(const Netlist *n, ParasiticsReplaced replaced, const char *file,
                           Log *log);

/* The same from text, for new parasitics of a few nets. The text is a whole file, or begins at the
   first *D_NET or *R_NET, possibly with header lines (units, dividers) before it. Without header
   the units are ns, pF and Ohm. `name` is the file's name in messages. */
Status read_spef_text(Parasitics *parasitics, const Netlist *n, const char *name, const char *text,
                      const SpefOptions *options, Log *log, SpefRead *result);

#endif
