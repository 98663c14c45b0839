/* Matches arcs of cells with the same name in several libraries, and makes tables for arcs whose
   counterparts differ. */
#include "db/library_match.h"

#include "db/function.h"

/* --- two cells -------------------------------------------------------------------------------- */
typedef struct {
  const LibrarySet *set;
  CellId   own_id, other_id;
  LibArcId own_first, other_first;
  uint32_t own_count, other_count;
  ARRAY(LibArcId) exact;       /* by place of an own arc: its counterpart; NO_LIB_ARC: none */
  ARRAY(uint8_t) covered;      /* by place of the other's arc: it is the counterpart of one */
  bool     reworded;           /* a counterpart's condition is written in another way */
  ARRAY(LibArcId) chosen;      /* those that stand for the arc at work */
} Match;

static const LibArc *arc_at(const Match *match, LibArcId arc) { return &match->set->arcs.at[arc]; }

static bool same_port(const Match *match, PortId own, PortId other)
{
  if (own == NO_PORT || other == NO_PORT) return own == other;
  return match->set->ports.at[own].name == match->set->ports.at[other].name;
}

static bool same_pins(const Match *match, const LibArc *a, const LibArc *b)
{
  return a->type == b->type && a->edge == b->edge && same_port(match, a->from, b->from)
         && same_port(match, a->to, b->to);
}

static uint32_t compare_conditions(const Match *match, const LibArc *a, const LibArc *b)
{
  return library_compare_conditions(match->set, match->own_id, match->other_id, a->when, b->when);
}

/* An arc that is the same but for the text of its condition; those of no other arc go first. */
static LibArcId equal_arc(const Match *match, LibArcId own)
{
  const LibArc *a = arc_at(match, own);
  for (uint32_t i = 0; i < match->other_count; i++) {
    const LibArc *b = arc_at(match, match->other_first + i);
    if (match->covered.at[i] || a->when == NO_FUNCTION || b->when == NO_FUNCTION) continue;
    if (same_pins(match, a, b) && a->sense == b->sense
        && compare_conditions(match, a, b) & CONDITIONS_EQUAL)
      return match->other_first + i;
  }
  return NO_LIB_ARC;
}

static bool same_edges(const LibArc *a, const LibArc *b)
{
  for (int edge = RISE; edge <= FALL; edge++)
    if ((a->delay[edge] == NO_TABLE) != (b->delay[edge] == NO_TABLE)) return false;
  return true;
}

static void put_exact(Match *match, uint32_t place, LibArcId found)
{
  if (found == NO_LIB_ARC
      || !same_edges(arc_at(match, match->own_first + place), arc_at(match, found)))
    return;
  match->exact.at[place] = found;
  match->covered.at[found - match->other_first] = 1;
}

static void begin_match(Match *match, CellId own, CellId other)
{
  const LibCell *a = &match->set->cells.at[own], *b = &match->set->cells.at[other];
  match->own_id = own;
  match->other_id = other;
  match->own_first = a->first_arc;
  match->own_count = a->arc_count;
  match->other_first = b->first_arc;
  match->other_count = b->arc_count;
  array_clear(&match->exact);
  array_clear(&match->covered);
  for (uint32_t i = 0; i < match->own_count; i++) array_push(&match->exact, NO_LIB_ARC);
  for (uint32_t i = 0; i < match->other_count; i++) array_push(&match->covered, 0);
  for (uint32_t i = 0; i < match->own_count; i++)
    put_exact(match, i, library_same_arc(match->set, match->own_first + i, other));
  match->reworded = false;
  for (uint32_t i = 0; i < match->own_count; i++) {
    if (match->exact.at[i] != NO_LIB_ARC) continue;
    put_exact(match, i, equal_arc(match, match->own_first + i));
    match->reworded |= match->exact.at[i] != NO_LIB_ARC;
  }
}

static void end_match(Match *match)
{
  array_free(&match->exact);
  array_free(&match->covered);
  array_free(&match->chosen);
}

static bool all_matched(const Match *match)
{
  for (uint32_t i = 0; i < match->own_count; i++)
    if (match->exact.at[i] == NO_LIB_ARC) return false;
  for (uint32_t i = 0; i < match->other_count; i++)
    if (!match->covered.at[i]) return false;
  return true;
}

/* --- what stands for an arc ------------------------------------------------------------------- */
static bool senses_meet(const LibArc *a, const LibArc *b)
{
  for (int edge = RISE; edge <= FALL; edge++)
    if (lib_arc_input_edges(a, edge) & lib_arc_input_edges(b, edge)) return true;
  return false;
}

/* How strict to be: the arc itself and what nobody is the counterpart of, under conditions that may
   hold at the same time; else any that an edge may pass; else any at all. */
typedef enum { BY_CONDITION, BY_SENSE, BY_PINS, STEPS } Step;

static bool stands_for(const Match *match, uint32_t place, uint32_t other, Step step)
{
  const LibArc *a = arc_at(match, match->own_first + place),
               *b = arc_at(match, match->other_first + other);
  LibArcId exact = match->exact.at[place];
  if (!same_pins(match, a, b)) return false;
  if (exact == match->other_first + other || step == BY_PINS) return true;
  if (!senses_meet(a, b)) return false;
  if (step == BY_SENSE) return true;
  return (exact == NO_LIB_ARC || !match->covered.at[other])
         && compare_conditions(match, a, b) & CONDITIONS_MEET;
}

static bool has_edges(const Match *match, const LibArc *arc)
{
  for (int edge = RISE; edge <= FALL; edge++) {
    bool found = arc->delay[edge] == NO_TABLE;
    for (uint32_t i = 0; i < match->chosen.len; i++)
      found |= arc_at(match, match->chosen.at[i])->delay[edge] != NO_TABLE;
    if (!found) return false;
  }
  return true;
}

/* Fills `chosen`; false when the other cell has nothing for the arc, or for one of its edges. */
static bool choose(Match *match, uint32_t place)
{
  for (Step step = BY_CONDITION; step < STEPS; step++) {
    array_clear(&match->chosen);
    for (uint32_t i = 0; i < match->other_count; i++)
      if (stands_for(match, place, i, step)) array_push(&match->chosen, match->other_first + i);
    if (match->chosen.len && has_edges(match, arc_at(match, match->own_first + place))) return true;
  }
  return false;
}

/* --- the worst of tables ---------------------------------------------------------------------- */
typedef struct {
  ARRAY(float) axis1, axis2, values;
} Grid;

static void free_grid(Grid *grid)
{
  array_free(&grid->axis1);
  array_free(&grid->axis2);
  array_free(&grid->values);
}

/* The values of two rising axes; one of a single value is none, unless both are. */
static uint32_t merge_axes(const float *a, uint32_t na, const float *b, uint32_t nb, float *out)
{
  uint32_t n = 0, i = 0, j = 0;
  if (na == 1 && nb > 1) na = 0;
  if (nb == 1) nb = 0;
  while (i < na || j < nb) {
    bool first = j == nb || (i < na && a[i] <= b[j]);
    float x = first ? a[i++] : b[j++];
    if (n == 0 || x > out[n - 1]) out[n++] = x;
  }
  return n;
}

static void fill_axes(const LibrarySet *set, TableId a, TableId b, Grid *grid)
{
  const Table *table = &set->tables.at[a], *the_table = &set->tables.at[b];
  const float *p = &set->pool.at[table->first], *q = &set->pool.at[the_table->first];
  array_resize(&grid->axis1, (uint32_t)table->n1 + the_table->n1);
  array_resize(&grid->axis2, (uint32_t)table->n2 + the_table->n2);
  grid->axis1.len = merge_axes(p, table->n1, q, the_table->n1, grid->axis1.at);
  grid->axis2.len =
      merge_axes(p + table->n1, table->n2, q + the_table->n1, the_table->n2, grid->axis2.at);
}

/* Between the values of both axes both tables are bilinear. */
TableId library_worse_table(LibrarySet *set, TableId a, TableId b, bool least)
{
  if (a == b || b == NO_TABLE) return a;
  if (a == NO_TABLE) return b;
  Grid g = { 0 };
  bool is_a = true, is_b = true;
  fill_axes(set, a, b, &g);
  for (uint32_t i = 0; i < g.axis1.len; i++)
    for (uint32_t j = 0; j < g.axis2.len; j++) {
      float x = library_table_value(set, a, g.axis1.at[i], g.axis2.at[j]);
      float y = library_table_value(set, b, g.axis1.at[i], g.axis2.at[j]);
      bool take_a = least ? x <= y : x >= y;
      is_a &= take_a;
      is_b &= !take_a || x == y;
      array_push(&g.values, take_a ? x : y);
    }
  TableId made = is_a ? a : is_b ? b : library_add_table(set, g.axis1.at, g.axis1.len, g.axis2.at,
                                                         g.axis2.len, g.values.at);
  free_grid(&g);
  return made;
}

static bool same_tables(const LibArc *a, const LibArc *b)
{
  return memcmp(a->delay, b->delay, sizeof a->delay) == 0
         && memcmp(a->slew, b->slew, sizeof a->slew) == 0
         && memcmp(a->sigma_delay, b->sigma_delay, sizeof a->sigma_delay) == 0
         && memcmp(a->sigma_slew, b->sigma_slew, sizeof a->sigma_slew) == 0;
}

static void worsen(LibrarySet *set, LibArc *worst, const LibArc *by, bool least)
{
  for (int edge = RISE; edge <= FALL; edge++) {
    worst->delay[edge] = library_worse_table(set, worst->delay[edge], by->delay[edge], least);
    worst->slew[edge] = library_worse_table(set, worst->slew[edge], by->slew[edge], least);
  }
  for (int k = 0; k < 4; k++) {
    worst->sigma_delay[k] =
        library_worse_table(set, worst->sigma_delay[k], by->sigma_delay[k], false);
    worst->sigma_slew[k] = library_worse_table(set, worst->sigma_slew[k], by->sigma_slew[k], false);
  }
}

/* A skew is a limit, and the strictest is the least. */
static bool least_is_worst(const LibArc *arc, int early_late)
{
  if (arc_type_is_check((ArcType)arc->type)) return arc->type == ARC_SKEW;
  return early_late == EARLY;
}

/* The tables of an arc that an analysis takes: retaining tables tell how early an output can
   change. */
static LibArc arc_of_analysis(const LibrarySet *set, LibArcId arc, int early_late)
{
  LibArc found = set->arcs.at[early_late == EARLY ? arc + set->arcs.at[arc].early : arc];
  found.early = 0;
  return found;
}

/* One of the arcs chosen where it is the worst in everything, else one made of all. */
static LibArcId worst_of(LibrarySet *set, const Match *match, int early_late)
{
  LibArc worst = arc_of_analysis(set, match->chosen.at[0], early_late);
  bool least = least_is_worst(&worst, early_late);
  for (uint32_t i = 1; i < match->chosen.len; i++) {
    LibArc by = arc_of_analysis(set, match->chosen.at[i], early_late);
    worsen(set, &worst, &by, least);
  }
  for (uint32_t i = 0; i < match->chosen.len; i++) {
    LibArc one = arc_of_analysis(set, match->chosen.at[i], early_late);
    if (same_tables(&one, &worst)) return match->chosen.at[i];
  }
  array_push(&set->arcs, worst);
  return set->arcs.len - 1;
}

/* --- all cells -------------------------------------------------------------------------------- */
static void match_cells(LibrarySet *set, Match *match, CellId own, CellId other)
{
  begin_match(match, own, other);
  if (all_matched(match) && !match->reworded) return;
  for (uint32_t i = 0; i < match->own_count; i++) {
    if (!choose(match, i)) continue;
    StandIn in = { { worst_of(set, match, EARLY), worst_of(set, match, LATE) } };
    map_put(set->stand_in_of, hash_pair(match->own_first + i, other), set->stand_ins.len);
    array_push(&set->stand_ins, in);
  }
}

static void match_with_earlier(LibrarySet *set, Match *match, CellId cell)
{
  for (LibraryId l = 0; l < set->cells.at[cell].library; l++) {
    CellId other = library_find_cell_in(set, l, set->cells.at[cell].name);
    if (other == NO_CELL) continue;
    match_cells(set, match, other, cell);
    match_cells(set, match, cell, other);
  }
}

void library_match(LibrarySet *set, LibraryId library)
{
  Match m = { .set = set };
  const Library *the_library = &set->libraries.at[library];
  for (CellId c = the_library->first_cell; c < the_library->first_cell + the_library->cell_count;
       c++)
    if (!(set->cells.at[c].flags & CELL_SCALED)) match_with_earlier(set, &m, c);
  for (uint32_t i = 0; i < set->scaled_cells.len; i++) {
    const ScaledCell *cell = &set->scaled_cells.at[i];
    if (cell->cell != NO_CELL && set->cells.at[cell->cell].library == library)
      match_cells(set, &m, cell->cell, cell->scaled);
  }
  end_match(&m);
}

/* --- what differs ----------------------------------------------------------------------------- */
static bool is_used(const LibrarySet *set, CellId own, CellId other, int early_late)
{
  return set->libraries.at[set->cells.at[other].library].of_corners ||
         library_cell_for(set, own, early_late) == other;
}

/* Returns true if an arc of the other cell counts.  An analysis uses the checks of its own library,
   whatever the linked cell has; a corner uses those of the linked cell. */
static bool counts(const Match *match, const LibArc *arc)
{
  ArcType type = (ArcType)arc->type;
  if (!arc_type_is_check(type)) return true;
  if (arc_type_is_nochange(type)) return false;
  return is_used(match->set, match->own_id, match->other_id,
                 arc_type_checks_early(type) ? EARLY : LATE);
}

static bool is_corners(const Match *match)
{
  return match->set->libraries.at[match->set->cells.at[match->other_id].library].of_corners;
}

static void note(const Match *match, LibraryDifference *difference, bool *counted, PortId from,
                 PortId to, bool only_here)
{
  if (difference->cells == 0)
    *difference = (LibraryDifference){ .first = match->other_id,
                                       .linked = match->own_id,
                                       .from = from,
                                       .to = to,
                                       .only_here = only_here };
  if (!*counted) difference->cells++;
  *counted = true;
}

/* Ports of `cell` that the other one lacks. */
static void note_ports(const Match *match, CellId cell, CellId than, LibraryDifference *difference,
                       bool *counted)
{
  const LibCell *lib_cell = &match->set->cells.at[cell];
  for (PortId p = lib_cell->first_port; p < lib_cell->first_port + lib_cell->port_count; p++) {
    const LibPort *port = &match->set->ports.at[p];
    if (port->is_state || port->direction == DIR_INTERNAL) continue;
    if (library_find_port(match->set, than, port->name) == NO_PORT)
      note(match, difference, counted, NO_PORT, p, cell == match->other_id);
  }
}

static bool has_pins_of(const Match *match, const LibArc *arc, LibArcId first, uint32_t count)
{
  for (LibArcId a = first; a < first + count; a++)
    if (same_pins(match, arc, arc_at(match, a))) return true;
  return false;
}

static void note_own_arcs(Match *match, LibraryDifference *conditions, LibraryDifference *parts,
                          bool counted[2])
{
  for (uint32_t i = 0; i < match->own_count; i++) {
    const LibArc *arc = arc_at(match, match->own_first + i);
    bool check = arc_type_is_check((ArcType)arc->type) && !is_corners(match);
    if (match->exact.at[i] != NO_LIB_ARC || !counts(match, arc)) continue;
    if (check && has_pins_of(match, arc, match->other_first, match->other_count)) continue;
    if (check || !choose(match, i)) note(match, parts, &counted[1], arc->from, arc->to, false);
    else note(match, conditions, &counted[0], arc->from, arc->to, false);
  }
}

static void note_other_arcs(const Match *match, LibraryDifference *conditions,
                            LibraryDifference *parts, bool counted[2])
{
  for (uint32_t i = 0; i < match->other_count; i++) {
    const LibArc *arc = arc_at(match, match->other_first + i);
    if (match->covered.at[i] || (arc_type_is_check((ArcType)arc->type) && !is_corners(match)))
      continue;
    if (has_pins_of(match, arc, match->own_first, match->own_count))
      note(match, conditions, &counted[0], arc->from, arc->to, true);
    else note(match, parts, &counted[1], arc->from, arc->to, true);
  }
}

void library_differences(const LibrarySet *set, LibraryId library, LibraryDifference *conditions,
                         LibraryDifference *parts)
{
  Match m = { .set = set };
  const Library *the_library = &set->libraries.at[library];
  *conditions = *parts = (LibraryDifference){ 0 };
  for (CellId c = the_library->first_cell; c < the_library->first_cell + the_library->cell_count;
       c++) {
    CellId own = library_find_cell(set, set->cells.at[c].name);
    bool counted[2] = { false, false };
    if (set->cells.at[c].flags & CELL_SCALED || own == c || own == NO_CELL) continue;
    if (!is_used(set, own, c, EARLY) && !is_used(set, own, c, LATE)) continue;
    begin_match(&m, own, c);
    note_ports(&m, own, c, parts, &counted[1]);
    note_ports(&m, c, own, parts, &counted[1]);
    if (all_matched(&m)) continue;
    note_own_arcs(&m, conditions, parts, counted);
    note_other_arcs(&m, conditions, parts, counted);
  }
  end_match(&m);
}
