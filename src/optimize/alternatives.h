/* Finds library cells that can replace a cell. They have the same pins, functions, sequential
   elements and three-state conditions (db/library.h, library_cell_difference). Their library and
   threshold voltage may differ.

   Candidates are cells that a netlist can name. If several libraries have a cell of the same name,
   only two of these cells are candidates: the one that linking takes, and the one in the library of
   the cell that is replaced. */
#ifndef SL_OPTIMIZE_ALTERNATIVES_H
#define SL_OPTIMIZE_ALTERNATIVES_H

#include "optimize/edit_rules.h"

/* Why a library cell is no alternative, in the order of the tests. */
typedef enum {
  ALTERNATIVE,
  NO_ALTERNATIVE_HIDDEN,           /* linking takes the cell of this name from another library */
  NO_ALTERNATIVE_KIND,             /* the candidate is of another kind (register, clock gate, pad,
                                      ...), or no function is known */
  NO_ALTERNATIVE_PINS,
  NO_ALTERNATIVE_FUNCTION,
  NO_ALTERNATIVE_FOOTPRINT,        /* both have a footprint, and they differ */
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
/* Lists the alternatives, sorted by name and then by id, without the cell itself. counts receives
   how many of the other library cells have each reason; it may be NULL. */
void alternatives_of(const LibrarySet *libs, const EditRules *rules, CellId cell,
                     const AlternativeOptions *options, CellArray *out,
                     uint32_t counts[ALTERNATIVE_REASONS]);

#endif
