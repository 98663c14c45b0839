/* Finds the library cells that may replace a cell. See alternatives.h. */
#include "optimize/alternatives.h"

#include "base/interrupt.h"

const char *const alternative_reasons[ALTERNATIVE_REASONS] = {
  [ALTERNATIVE] = "alternatives",
  [NO_ALTERNATIVE_HIDDEN] = "of a library that linking does not take the name from",
  [NO_ALTERNATIVE_KIND] = "of another kind, or without a known function",
  [NO_ALTERNATIVE_PINS] = "with other pins",
  [NO_ALTERNATIVE_FUNCTION] = "with another function",
  [NO_ALTERNATIVE_FOOTPRINT] = "with another footprint",
  [NO_ALTERNATIVE_DONT_USE] = "not to be used"
};

/* Can a netlist that is written and read again have it? */
static bool is_hidden(const LibrarySet *libs, CellId cell, CellId candidate)
{
  const LibCell *lib_cell = &libs->cells.at[candidate];
  if (lib_cell->flags & CELL_SCALED) return true;
  if (lib_cell->library == libs->cells.at[cell].library) return false;
  return library_find_cell(libs, lib_cell->name) != candidate;
}

static AlternativeReason reason_of(CellDifference d)
{
  switch (d) {
  case CELLS_SAME:           return ALTERNATIVE;
  case CELLS_OTHER_PINS:     return NO_ALTERNATIVE_PINS;
  case CELLS_OTHER_FUNCTION: return NO_ALTERNATIVE_FUNCTION;
  default:                   return NO_ALTERNATIVE_KIND;
  }
}

static bool other_footprint(const LibrarySet *libs, CellId a, CellId b)
{
  NameId one = libs->cells.at[a].footprint, two = libs->cells.at[b].footprint;
  return one != NO_NAME && two != NO_NAME && one != two;
}

AlternativeReason alternative_reason(const LibrarySet *libs, const EditRules *rules, CellId cell,
                                     CellId candidate, const AlternativeOptions *options)
{
  if (is_hidden(libs, cell, candidate)) return NO_ALTERNATIVE_HIDDEN;
  AlternativeReason why = reason_of(library_cell_difference(libs, cell, candidate));
  if (why != ALTERNATIVE) return why;
  if (!options->any_footprint && other_footprint(libs, cell, candidate))
    return NO_ALTERNATIVE_FOOTPRINT;
  if (!options->with_dont_use && rules_dont_use(rules, libs, candidate))
    return NO_ALTERNATIVE_DONT_USE;
  return ALTERNATIVE;
}

static const char *cell_name(const LibrarySet *libs, CellId cell)
{
  return names_text(libs->names, libs->cells.at[cell].name);
}

/* Few, so each goes to its place. */
static void insert_by_name(const LibrarySet *libs, CellArray *out, CellId cell)
{
  uint32_t at = out->len;
  const char *name = cell_name(libs, cell);
  array_push(out, cell);
  while (at > 0 && strcmp(cell_name(libs, out->at[at - 1]), name) > 0) {
    out->at[at] = out->at[at - 1];
    at--;
  }
  out->at[at] = cell;
}

void alternatives_of(const LibrarySet *libs, const EditRules *rules, CellId cell,
                     const AlternativeOptions *options, CellArray *out,
                     uint32_t counts[ALTERNATIVE_REASONS])
{
  for (CellId c = 0; c < libs->cells.len && !interrupt_seen(); c++) {
    if (c == cell) continue;
    AlternativeReason why = alternative_reason(libs, rules, cell, c, options);
    if (counts) counts[why]++;
    if (why == ALTERNATIVE) insert_by_name(libs, out, c);
  }
}
