/* Decides which cells may replace each other: those with the same functions and port names. */
#include "db/function.h"

/* Truth tables are compared up to this many variables; larger functions never count as the same. */
enum { MAX_VARIABLES = 16 };

enum { KIND_FLAGS = CELL_SEQUENTIAL | CELL_CLOCK_GATE | CELL_STATETABLE | CELL_TEST_SCAN | CELL_PAD,
       NEVER_FLAGS = CELL_MEMORY | CELL_MACRO | CELL_BLACK_BOX };

/* The port of cell b that stands for port p of cell a: state variables by their place, others by
   name. */
static PortId counterpart(const LibrarySet *set, const LibCell *a, CellId a_id, CellId b_id,
                          PortId p)
{
  const LibCell *b = &set->cells.at[b_id];
  for (uint32_t i = 0; i < a->sequential_count && i < b->sequential_count; i++) {
    const LibSequential *sequential = &set->sequentials.at[a->first_sequential + i];
    const LibSequential *lib_sequential = &set->sequentials.at[b->first_sequential + i];
    if (sequential->state == p) return lib_sequential->state;
    if (sequential->state_inverted == p) return lib_sequential->state_inverted;
  }
  if (p == NO_PORT || set->ports.at[p].cell != a_id) return NO_PORT;
  return library_find_port(set, b_id, set->ports.at[p].name);
}

typedef struct {
  const LibrarySet *set;
  CellId   a, b;
  PortId   ports_a[MAX_VARIABLES], ports_b[MAX_VARIABLES];      /* side by side */
  uint32_t count;
} Pairing;

static bool add_pair(Pairing *pair, PortId a, PortId b)
{
  for (uint32_t i = 0; i < pair->count; i++)
    if (pair->ports_a[i] == a) return pair->ports_b[i] == b;
  if (a == NO_PORT || b == NO_PORT || pair->count == MAX_VARIABLES) return false;
  pair->ports_a[pair->count] = a;
  pair->ports_b[pair->count++] = b;
  return true;
}

static bool pair_variables(Pairing *pair, FunctionId fa, FunctionId fb)
{
  const LibrarySet *set = pair->set;
  PortId ports[MAX_VARIABLES];
  uint32_t n = 0;
  if (!function_ports(set, fa, ports, &n, MAX_VARIABLES)) return false;
  for (uint32_t i = 0; i < n; i++)
    if (!add_pair(pair, ports[i],
                  counterpart(set, &set->cells.at[pair->a], pair->a, pair->b, ports[i])))
      return false;
  n = 0;
  if (!function_ports(set, fb, ports, &n, MAX_VARIABLES)) return false;
  for (uint32_t i = 0; i < n; i++)
    if (!add_pair(pair, counterpart(set, &set->cells.at[pair->b], pair->b, pair->a, ports[i]),
                  ports[i]))
      return false;
  return true;
}

uint32_t library_compare_conditions(const LibrarySet *set, CellId a, CellId b, FunctionId fa,
                                    FunctionId fb)
{
  Pairing pair = { .set = set, .a = a, .b = b };
  if (fa == NO_FUNCTION || fb == NO_FUNCTION)
    return fa == fb ? CONDITIONS_EQUAL | CONDITIONS_MEET : CONDITIONS_MEET;
  if (!pair_variables(&pair, fa, fb)) return CONDITIONS_MEET;
  uint64_t differ = 0, meet = 0;
  for (uint32_t block = 0; block < (pair.count > 6 ? 1u << (pair.count - 6) : 1u); block++) {
    uint64_t rows_a = function_rows(set, fa, pair.ports_a, pair.count, block);
    uint64_t rows_b = function_rows(set, fb, pair.ports_b, pair.count, block);
    differ |= rows_a ^ rows_b;
    meet |= rows_a & rows_b;
  }
  return (differ ? 0 : CONDITIONS_EQUAL) | (meet ? CONDITIONS_MEET : 0);
}

static bool same_function(const LibrarySet *set, CellId a, CellId b, FunctionId fa, FunctionId fb)
{
  return library_compare_conditions(set, a, b, fa, fb) & CONDITIONS_EQUAL;
}

static bool same_sequentials(const LibrarySet *set, CellId a, CellId b)
{
  const LibCell *ca = &set->cells.at[a], *cb = &set->cells.at[b];
  if (ca->sequential_count != cb->sequential_count) return false;
  for (uint32_t i = 0; i < ca->sequential_count; i++) {
    const LibSequential *sequential = &set->sequentials.at[ca->first_sequential + i];
    const LibSequential *lib_sequential = &set->sequentials.at[cb->first_sequential + i];
    if (sequential->is_latch != lib_sequential->is_latch
        || !same_function(set, a, b, sequential->clock, lib_sequential->clock)
        || !same_function(set, a, b, sequential->data, lib_sequential->data)
        || !same_function(set, a, b, sequential->clear, lib_sequential->clear)
        || !same_function(set, a, b, sequential->preset, lib_sequential->preset))
      return false;
  }
  return true;
}

static bool is_pin(const LibPort *port) { return port->direction != DIR_INTERNAL; }

static uint32_t pin_count(const LibrarySet *set, const LibCell *cell)
{
  uint32_t n = 0;
  for (PortId p = cell->first_port; p < cell->first_port + cell->port_count; p++)
    n += is_pin(&set->ports.at[p]);
  return n;
}

/* Neither in a bus, or in buses with bits of the same numbers. */
static bool same_bus(const LibrarySet *set, BusId a, BusId b)
{
  if (a == NO_BUS || b == NO_BUS) return a == b;
  const LibBus *x = &set->buses.at[a], *y = &set->buses.at[b];
  return x->name == y->name && x->from == y->from && x->to == y->to;
}

static bool same_pins(const LibrarySet *set, CellId a, CellId b)
{
  const LibCell *ca = &set->cells.at[a], *cb = &set->cells.at[b];
  if (pin_count(set, ca) != pin_count(set, cb)) return false;
  for (PortId p = ca->first_port; p < ca->first_port + ca->port_count; p++) {
    const LibPort *port = &set->ports.at[p];
    if (!is_pin(port)) continue;
    PortId q = library_find_port(set, b, port->name);
    if (q == NO_PORT || port->direction != set->ports.at[q].direction
        || !same_bus(set, port->bus, set->ports.at[q].bus))
      return false;
  }
  return true;
}

static bool same_port(const LibrarySet *set, CellId a, CellId b, PortId pa)
{
  const LibPort *p = &set->ports.at[pa], *q = &set->ports.at[library_find_port(set, b, p->name)];
  return same_function(set, a, b, p->function, q->function)
         && same_function(set, a, b, p->three_state, q->three_state);
}

/* The functions do not describe the state of a state table; only the family's name tells it. */
static bool same_kind(const LibCell *a, const LibCell *b)
{
  if ((a->flags | b->flags) & NEVER_FLAGS) return false;
  if ((a->flags ^ b->flags) & KIND_FLAGS) return false;
  if (a->gate_kind != b->gate_kind) return false;
  return !(a->flags & CELL_STATETABLE) || a->sequential_count || (a->footprint != NO_NAME &&
                                                                  a->footprint == b->footprint);
}

static bool same_ports(const LibrarySet *set, CellId a, CellId b)
{
  const LibCell *cell = &set->cells.at[a];
  for (PortId p = cell->first_port; p < cell->first_port + cell->port_count; p++)
    if (is_pin(&set->ports.at[p]) && !same_port(set, a, b, p)) return false;
  return true;
}

static bool has_function(const LibrarySet *set, const LibCell *cell)
{
  for (PortId p = cell->first_port; p < cell->first_port + cell->port_count; p++) {
    const LibPort *port = &set->ports.at[p];
    if (is_pin(port) && port->direction != DIR_INPUT && port->function != NO_FUNCTION) return true;
  }
  return false;
}

CellDifference library_cell_difference(const LibrarySet *set, CellId a, CellId b)
{
  const LibCell *ca = &set->cells.at[a], *cb = &set->cells.at[b];
  if (a == b) return CELLS_SAME;
  if (!same_kind(ca, cb)) return CELLS_OTHER_KIND;
  if (!same_pins(set, a, b)) return CELLS_OTHER_PINS;
  if (!has_function(set, ca)) return CELLS_OTHER_KIND;
  bool same = same_sequentials(set, a, b) && same_ports(set, a, b);
  return same ? CELLS_SAME : CELLS_OTHER_FUNCTION;
}

bool library_cells_equivalent(const LibrarySet *set, CellId a, CellId b)
{
  return library_cell_difference(set, a, b) == CELLS_SAME;
}

/* The only input and output of a cell with nothing else; false when there are others. */
static bool one_in_one_out(const LibrarySet *set, const LibCell *cell, PortId *in, PortId *out)
{
  *in = *out = NO_PORT;
  for (PortId p = cell->first_port; p < cell->first_port + cell->port_count; p++) {
    const LibPort *port = &set->ports.at[p];
    if (!is_pin(port)) continue;
    PortId *place = port->direction == DIR_INPUT ? in : out;
    if (*place != NO_PORT || (place == out && port->direction != DIR_OUTPUT)) return false;
    *place = p;
  }
  return *in != NO_PORT && *out != NO_PORT;
}

/* The truth table of the output over its one input: rows 0 and 1. */
static bool passes(const LibrarySet *set, CellId cell, uint64_t rows)
{
  const LibCell *lib_cell = &set->cells.at[cell];
  PortId in, out, ports[1];
  uint32_t n = 0;
  if ((lib_cell->flags & (KIND_FLAGS | NEVER_FLAGS)) || !one_in_one_out(set, lib_cell, &in, &out))
    return false;
  const LibPort *port = &set->ports.at[out];
  if (port->function == NO_FUNCTION || port->three_state != NO_FUNCTION) return false;
  if (!function_ports(set, port->function, ports, &n, 1) || n != 1 || ports[0] != in) return false;
  return (function_rows(set, port->function, ports, 1, 0) & 3) == rows;
}

bool library_cell_is_buffer(const LibrarySet *set, CellId cell) { return passes(set, cell, 2); }
bool library_cell_is_inverter(const LibrarySet *set, CellId cell) { return passes(set, cell, 1); }
