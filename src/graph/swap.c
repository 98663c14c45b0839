/* Swaps a cell without compiling the graph again. */
#include "graph/swap.h"

#include "base/expect.h"

static bool same_port(const LibrarySet *libs, PortId a, PortId b)
{
  return libs->ports.at[a].name == libs->ports.at[b].name;
}

static bool same_condition(const LibrarySet *libs, FunctionId a, FunctionId b)
{
  if (a == NO_FUNCTION || b == NO_FUNCTION) return a == b;
  Text ta = { 0 }, tb = { 0 };
  library_function_text(libs, a, &ta);
  library_function_text(libs, b, &tb);
  bool same = strcmp(text_get(&ta), text_get(&tb)) == 0;
  text_free(&ta);
  text_free(&tb);
  return same;
}

static bool same_arc(const LibrarySet *libs, const LibArc *a, const LibArc *b)
{
  return a->type == b->type && a->sense == b->sense && a->edge == b->edge
         && arc_pair_mask(a) == arc_pair_mask(b)
         && (a->delay[RISE] == NO_TABLE) == (b->delay[RISE] == NO_TABLE)
         && (a->delay[FALL] == NO_TABLE) == (b->delay[FALL] == NO_TABLE)
         && same_port(libs, a->from, b->from) && same_port(libs, a->to, b->to)
         && same_condition(libs, a->when, b->when);
}

/* Do two cells have the same arcs in the same order, for one analysis? */
static bool same_shape(const LibrarySet *libs, CellId a, CellId b)
{
  const LibCell *ca = &libs->cells.at[a], *cb = &libs->cells.at[b];
  if (ca->arc_count != cb->arc_count) return false;
  for (uint32_t i = 0; i < ca->arc_count; i++)
    if (!same_arc(libs, &libs->arcs.at[ca->first_arc + i], &libs->arcs.at[cb->first_arc + i]))
      return false;
  return true;
}

/* Are the functions of two cells written in the same way? It is not enough that they are equal,
   because they must also give the same result if some inputs are constant and others are
   unknown. */
static bool same_functions(const LibrarySet *libs, CellId a, CellId b)
{
  const LibCell *cell = &libs->cells.at[a];
  for (PortId p = cell->first_port; p < cell->first_port + cell->port_count; p++) {
    const LibPort *port = &libs->ports.at[p];
    PortId other = library_find_port(libs, b, port->name);
    if (other == NO_PORT || !same_condition(libs, port->function, libs->ports.at[other].function) ||
        !same_condition(libs, port->three_state, libs->ports.at[other].three_state))
      return false;
  }
  return true;
}

static bool has_constant_pin(const Graph *g, const Inst *in)
{
  for (PinId p = in->first_pin; p < in->first_pin + in->pin_count; p++)
    if (g->slots.of_pin[p] != NO_SLOT && g->slots.flags[g->slots.of_pin[p]] & SLOT_CONSTANT)
      return true;
  return false;
}

/* Is there a constraint on a library cell or its pins? Such a constraint applies to instances of
   the cell, so a swap may change to what it applies. */
static bool library_is_constrained(const Constraints *c)
{
  for (uint32_t i = 0; i < c->disabled.len; i++)
    if (c->disabled.at[i].object.type == OBJ_LIB_CELL
        || c->disabled.at[i].object.type == OBJ_LIB_PIN)
      return true;
  for (uint32_t i = 0; i < c->derates.len; i++)
    if (c->derates.at[i].object.type == OBJ_LIB_CELL) return true;
  return false;
}

/* What swap_kinds holds for two cells. It is the same for all instances. The last two flags say
   where a swap need not look: most cells have no checks, and no delays to input pins. */
enum { SWAP_SHAPES = 1, SWAP_FUNCTIONS = 2, SWAP_CHECKS = 4, SWAP_TO_INPUTS = 8 };

static uint32_t parts_of(const LibrarySet *libs, CellId cell)
{
  const LibCell *lib_cell = &libs->cells.at[cell];
  uint32_t parts = 0;
  for (LibArcId i = lib_cell->first_arc; i < lib_cell->first_arc + lib_cell->arc_count; i++) {
    const LibArc *arc = &libs->arcs.at[i];
    if (arc_type_is_check((ArcType)arc->type)) parts |= SWAP_CHECKS;
    else if (libs->ports.at[arc->to].direction == DIR_INPUT) parts |= SWAP_TO_INPUTS;
  }
  return parts;
}

static uint32_t compare_cells(const LibrarySet *libs, CellId a, CellId b)
{
  uint32_t kind = SWAP_SHAPES | parts_of(libs, a);
  if (!library_cells_equivalent(libs, a, b) || !same_shape(libs, a, b)) return 0;
  for (int el = EARLY; el <= LATE; el++) {
    CellId for_a = library_cell_for(libs, a, el);
    if (!same_shape(libs, for_a, library_cell_for(libs, b, el))) return 0;
    kind |= parts_of(libs, for_a);
  }
  return same_functions(libs, a, b) ? kind | SWAP_FUNCTIONS : kind;
}

/* MAP_NO_VALUE: not known yet. */
static uint32_t known_kind(const Graph *g, CellId a, CellId b)
{
  return g->swap_kinds ? map_get(g->swap_kinds, hash_pair(a, b)) : MAP_NO_VALUE;
}

static uint32_t swap_kind(Graph *g, CellId a, CellId b)
{
  uint32_t kind = known_kind(g, a, b);
  if (kind != MAP_NO_VALUE) return kind;
  if (g->swap_kinds == NULL) g->swap_kinds = map_new();
  kind = compare_cells(g->libs, a, b);
  map_put(g->swap_kinds, hash_pair(a, b), kind);
  return kind;
}

bool graph_takes_swaps(const Graph *g) { return !library_is_constrained(g->constraints); }

/* kind: of the two cells. Returns 0 if an instance may not be swapped. */
static uint32_t kind_of_swap(const Graph *g, const Inst *in, uint32_t kind)
{
  bool may = in->first_pin + in->pin_count <= g->pin_count && kind & SWAP_SHAPES
             && (kind & SWAP_FUNCTIONS || !has_constant_pin(g, in));
  return may ? kind : 0;
}

/* 0: it may not. */
static uint32_t may_swap(Graph *g, InstId inst, CellId old_cell, CellId cell)
{
  if (!graph_takes_swaps(g)) return 0;
  return kind_of_swap(g, &g->netlist->insts.at[inst], swap_kind(g, old_cell, cell));
}

bool graph_may_swap_cell(Graph *g, InstId inst, CellId cell)
{
  return may_swap(g, inst, g->netlist->insts.at[inst].master, cell) != 0;
}

static void move_arcs(Graph *g, Slot slot, LibArcId from, LibArcId to)
{
  for (ArcId a = g->arcs.first[slot]; a < g->arcs.first[slot + 1]; a++)
    g->arcs.lib[a] = to + (g->arcs.lib[a] - from);
}

static void move_checks(Graph *g, Slot slot, CellId old_cell, CellId cell)
{
  for (uint32_t i = g->ends.first_check[slot]; i < g->ends.first_check[slot + 1]; i++) {
    Check *check = &g->ends.checks.at[g->ends.check_order[i]];
    for (int el = EARLY; el <= LATE && check->lib != NO_LIB_ARC; el++) {
      const LibCell *from = &g->libs->cells.at[library_cell_for(g->libs, old_cell, el)];
      const LibCell *to = &g->libs->cells.at[library_cell_for(g->libs, cell, el)];
      if (check->lib < from->first_arc || check->lib >= from->first_arc + from->arc_count) continue;
      check->lib = to->first_arc + (check->lib - from->first_arc);
      break;
    }
  }
}

static bool is_input(const Graph *g, PinId pin)
{
  return g->libs->ports.at[g->netlist->pins.at[pin].port].direction == DIR_INPUT;
}

static void move_records(Graph *g, const Inst *in, CellId old_cell, uint32_t kind)
{
  CellId cell = in->master;
  LibArcId from = g->libs->cells.at[old_cell].first_arc, to = g->libs->cells.at[cell].first_arc;
  for (PinId p = in->first_pin; p < in->first_pin + in->pin_count; p++) {
    if (g->slots.of_pin[p] == NO_SLOT) continue;
    if (kind & SWAP_CHECKS) move_checks(g, g->slots.of_pin[p], old_cell, cell);
    if (kind & SWAP_TO_INPUTS || !is_input(g, p)) move_arcs(g, graph_slot(g, p, true), from, to);
  }
}

bool graph_swap_cell(Graph *g, InstId inst, CellId old_cell)
{
  const Inst *in = &g->netlist->insts.at[inst];
  uint32_t kind = may_swap(g, inst, old_cell, in->master);
  if (kind) move_records(g, in, old_cell, kind);
  return kind != 0;
}

bool graph_swap_known(Graph *g, InstId inst, CellId old_cell)
{
  const Inst *in = &g->netlist->insts.at[inst];
  uint32_t known = known_kind(g, old_cell, in->master),
           kind = known == MAP_NO_VALUE ? 0 : kind_of_swap(g, in, known);
  if (kind) move_records(g, in, old_cell, kind);
  return kind != 0;
}

/* Arcs are of outputs. Inputs, which have none, end where they begin. */
static void expect_arcs(const Graph *g, Slot slot)
{
  ArcId first = g->arcs.first[slot];
  if (first < g->arcs.first[slot + 1]) mem_expect(&g->arcs.lib[first]);
}

static void expect_slot(const Graph *g, Slot slot)
{
  mem_expect(&g->arcs.first[slot]);
  mem_expect(&g->slots.flags[slot]);
  mem_expect(&g->nets.wire_driver[slot]);
}

void graph_swap_ahead(const Graph *g, InstId inst, int step)
{
  const Inst *in = &g->netlist->insts.at[inst];
  if (step == 1) {
    mem_expect(&g->netlist->pins.at[in->first_pin]);
    mem_expect(&g->netlist->pins.at[in->first_pin] + in->pin_count);
    if (in->first_pin < g->pin_count) mem_expect(&g->slots.of_pin[in->first_pin]);
    return;
  }
  for (PinId p = in->first_pin; p < in->first_pin + in->pin_count && p < g->pin_count; p++) {
    if (g->slots.of_pin[p] == NO_SLOT) continue;
    if (step == 2) expect_slot(g, g->slots.of_pin[p]);
    else expect_arcs(g, g->slots.of_pin[p]);
  }
}
