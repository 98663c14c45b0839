/* Library cells that may stand in for one another: the same pins, functions, sequential elements
   and three-state conditions (db/library.h, library_cell_difference), of any library and threshold
   voltage.

   Candidates are cells that a netlist can name: of several libraries with a cell of one name, the
   one that linking takes, or the one in the cell's own library. */
#ifndef SL_OPTIMIZE_ALTERNATIVES_H
#define SL_OPTIMIZE_ALTERNATIVES_H

#include "optimize/edit_rules.h"

/* Why a library cell is no alternative, in the order in which it is asked. */
typedef enum {
  ALTERNATIVE,
  NO_ALTERNATIVE_HIDDEN,           /* the same name in a library that linking does not take it
                                      from */
  NO_ALTERNATIVE_KIND,             /* register, clock gate, pad, ..., or no function is known */
  NO_ALTERNATIVE_PINS,
  NO_ALTERNATIVE_FUNCTION,
  NO_ALTERNATIVE_FOOTPRINT,        /* both have one, and not the same */
  NO_ALTERNATIVE_DONT_USE,
  ALTERNATIVE_REASONS
} AlternativeReason;
extern const char *const alternative_reasons[ALTERNATIVE_REASONS];

typedef struct {
  bool any_footprint, with_dont_use;
} AlternativeOptions;

typedef ARRAY(CellId) CellArray;

AlternativeReason alternative_reason(const LibrarySet *libs, const EditRules *rules, CellId cell,
                                     CellId candidate, const AlternativeOptions *options);
/* Sorted by name, then by id; the cell itself is not among them.  counts (NULL: not wanted): how
   many of the other library cells have each reason. */
void alternatives_of(const LibrarySet *libs, const EditRules *rules, CellId cell,
                     const AlternativeOptions *options, CellArray *out,
                     uint32_t counts[ALTERNATIVE_REASONS]);

#endif
