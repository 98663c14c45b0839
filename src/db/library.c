/* Life of a library set, adding and undoing libraries, look-up by name, and the cell and arc that
   an analysis uses. */
#include "db/library_match.h"

#include <math.h>

/* --- lifetime --------------------------------------------------------------------------------- */

LibrarySet *library_set_new(Names *names)
{
  LibrarySet *set = mem_alloc_zero(1, sizeof *set);
  set->names = names;
  set->stand_in_of = map_new();
  set->power_pin_by_name = map_new();
  set->cell_in = map_new();
  set->port_by_name = map_new();
  set->cell_by_name = map_new();
  return set;
}

/* All arrays, in the order of LibraryMark.len. */
#define LIBRARY_ARRAYS(X)                                                                      \
  X(libraries) X(cells) X(ports) X(buses) X(arcs) X(sequentials) X(tables) X(pool)             \
      X(function_ops) X(powers)                                                                \
  X(conditions) X(condition_library) X(wire_loads) X(wire_lengths) X(selections) X(power_pins) \
  X(factor_sets) X(scaled_cells) X(derates)

void library_set_free(LibrarySet *set)
{
  if (set == NULL) return;
#define FREE(a) array_free(&set->a);
  LIBRARY_ARRAYS(FREE)
#undef FREE
  array_free(&set->stand_ins);
  map_free(set->stand_in_of);
  map_free(set->power_pin_by_name);
  map_free(set->cell_in);
  map_free(set->port_by_name);
  map_free(set->cell_by_name);
  mem_free(set);
}

size_t library_bytes(const LibrarySet *set)
{
  size_t bytes = sizeof *set;
#define BYTES(a) bytes += (size_t)set->a.cap * sizeof *set->a.at;
  LIBRARY_ARRAYS(BYTES)
#undef BYTES
  bytes += (size_t)set->stand_ins.cap * sizeof *set->stand_ins.at + map_bytes(set->stand_in_of);
  return bytes + map_bytes(set->power_pin_by_name) + map_bytes(set->cell_in)
         + map_bytes(set->port_by_name) + map_bytes(set->cell_by_name);
}

LibraryMark library_begin(LibrarySet *set)
{
  LibraryMark mark;
  int i = 0;
#define LENGTH(a) mark.len[i++] = set->a.len;
  LIBRARY_ARRAYS(LENGTH)
#undef LENGTH
  return mark;
}

enum { MARK_LIBRARIES, MARK_CELLS, MARK_PORTS = 2, MARK_POWER_PINS = 15 };

/* Removes an entry that may belong to an older object of the same key. */
static void forget(Map *map, uint64_t key, uint32_t value)
{
  if (map_get(map, key) == value) map_remove(map, key);
}

void library_rollback(LibrarySet *set, const LibraryMark *mark)
{
  for (PortId p = mark->len[MARK_PORTS]; p < set->ports.len; p++)
    forget(set->port_by_name, hash_pair(set->ports.at[p].cell, set->ports.at[p].name), p);
  for (uint32_t i = mark->len[MARK_POWER_PINS]; i < set->power_pins.len; i++)
    forget(set->power_pin_by_name,
           hash_pair(set->power_pins.at[i].cell, set->power_pins.at[i].name), i);
  for (CellId c = mark->len[MARK_CELLS]; c < set->cells.len; c++) {
    const LibCell *cell = &set->cells.at[c];
    forget(set->cell_in, hash_pair(cell->library, cell->name), c);
    forget(set->cell_by_name, cell->name, c);
  }
  int i = 0;
#define CUT(a) set->a.len = mark->len[i++];
  LIBRARY_ARRAYS(CUT)
#undef CUT
}

static void put_first(Map *map, uint64_t key, uint32_t value)
{
  if (map_get(map, key) == MAP_NO_VALUE) map_put(map, key, value);
}

/* A black box gives its name up: the cell that was missing has come. */
static void enter_cell(LibrarySet *set, CellId c)
{
  const LibCell *cell = &set->cells.at[c];
  CellId first = map_get(set->cell_by_name, cell->name);
  if (cell->flags & CELL_SCALED) return;
  put_first(set->cell_in, hash_pair(cell->library, cell->name), c);
  if (first == MAP_NO_VALUE || (set->cells.at[first].flags & CELL_BLACK_BOX))
    map_put(set->cell_by_name, cell->name, c);
}

void library_commit(LibrarySet *set, const LibraryMark *mark)
{
  for (PortId p = mark->len[MARK_PORTS]; p < set->ports.len; p++)
    put_first(set->port_by_name, hash_pair(set->ports.at[p].cell, set->ports.at[p].name), p);
  for (uint32_t i = mark->len[MARK_POWER_PINS]; i < set->power_pins.len; i++)
    put_first(set->power_pin_by_name,
              hash_pair(set->power_pins.at[i].cell, set->power_pins.at[i].name), i);
  for (CellId c = mark->len[MARK_CELLS]; c < set->cells.len; c++) enter_cell(set, c);
  for (LibraryId l = mark->len[MARK_LIBRARIES]; l < set->libraries.len; l++) library_match(set, l);
}

/* --- look-up ---------------------------------------------------------------------------------- */

LibraryId library_find(const LibrarySet *set, const char *name)
{
  NameId id = names_find(set->names, name, strlen(name));
  for (LibraryId l = 0; id != NO_NAME && l < set->libraries.len; l++)
    if (set->libraries.at[l].name == id) return l;
  return NO_LIBRARY;
}

CellId library_find_cell(const LibrarySet *set, NameId name)
{
  return map_get(set->cell_by_name, name);
}

CellId library_find_cell_in(const LibrarySet *set, LibraryId library, NameId name)
{
  return map_get(set->cell_in, hash_pair(library, name));
}

PortId library_find_port(const LibrarySet *set, CellId cell, NameId name)
{
  return map_get(set->port_by_name, hash_pair(cell, name));
}

BusId library_find_bus(const LibrarySet *set, CellId cell, NameId name)
{
  const LibCell *lib_cell = &set->cells.at[cell];
  for (BusId b = lib_cell->first_bus; b < lib_cell->first_bus + lib_cell->bus_count; b++)
    if (set->buses.at[b].name == name) return b;
  return NO_BUS;
}

NameId library_threshold_group(const LibrarySet *set, CellId cell)
{
  const LibCell *lib_cell = &set->cells.at[cell];
  if (lib_cell->threshold != NO_NAME || lib_cell->library == NO_LIBRARY) return lib_cell->threshold;
  return set->libraries.at[lib_cell->library].default_threshold;
}

bool library_has_derate(const LibrarySet *set, LibraryId library, CellId cell, NameId name)
{
  for (uint32_t i = 0; i < set->derates.len; i++) {
    const LibDerate *derate = &set->derates.at[i];
    if (derate->library == library && derate->cell == cell && derate->name == name) return true;
  }
  return false;
}

Direction library_power_pin(const LibrarySet *set, CellId cell, NameId name)
{
  uint32_t i = map_get(set->power_pin_by_name, hash_pair(cell, name));
  return i == MAP_NO_VALUE ? DIR_UNKNOWN : (Direction)set->power_pins.at[i].direction;
}

static bool serves(const Library *library, int early_late)
{
  return early_late == EARLY ? library->for_early : library->for_late;
}

static bool serves_alone(const Library *library, int early_late)
{
  return serves(library, early_late) && !serves(library, !early_late) && !library->of_corners;
}

/* Returns the first cell with a name among the libraries that serve a condition, alone or together
   with the other one; NO_CELL: none. */
static CellId serving_cell(const LibrarySet *set, NameId name, int early_late,
                           bool (*good)(const Library *, int))
{
  for (LibraryId l = 0; l < set->libraries.len; l++) {
    if (!good(&set->libraries.at[l], early_late)) continue;
    CellId found = library_find_cell_in(set, l, name);
    if (found != NO_CELL) return found;
  }
  return NO_CELL;
}

CellId library_cell_for(const LibrarySet *set, CellId cell, int early_late)
{
  const LibCell *lib_cell = &set->cells.at[cell];
  if (lib_cell->library == NO_LIBRARY
      || serves_alone(&set->libraries.at[lib_cell->library], early_late))
    return cell;
  CellId other = serving_cell(set, lib_cell->name, early_late, serves_alone);
  if (other != NO_CELL) return other;
  if (serves(&set->libraries.at[lib_cell->library], early_late)) return cell;
  other = serving_cell(set, lib_cell->name, early_late, serves);
  return other == NO_CELL ? cell : other;
}

static NameId port_name(const LibrarySet *set, PortId port)
{
  return port == NO_PORT ? NO_NAME : set->ports.at[port].name;
}

/* Equal programs over ports of equal names. */
static bool same_program(const LibrarySet *set, FunctionId a, FunctionId b)
{
  if (a == NO_FUNCTION || b == NO_FUNCTION) return a == b;
  const uint32_t *p = &set->function_ops.at[a], *q = &set->function_ops.at[b];
  for (;; p++, q++) {
    if ((*p & 7) != (*q & 7)) return false;
    if (*p == OP_END) return true;
    if ((*p & 7) == OP_PORT && port_name(set, *p >> 3) != port_name(set, *q >> 3)) return false;
  }
}

static bool same_arc(const LibrarySet *set, const LibArc *a, const LibArc *b)
{
  return a->type == b->type && a->sense == b->sense && a->edge == b->edge
         && port_name(set, a->from) == port_name(set, b->from)
         && port_name(set, a->to) == port_name(set, b->to)
         && (a->sdf_cond == b->sdf_cond || a->when != NO_FUNCTION)
         && same_program(set, a->when, b->when);
}

LibArcId library_same_arc(const LibrarySet *set, LibArcId arc, CellId other)
{
  const LibArc *lib_arc = &set->arcs.at[arc];
  CellId own = set->ports.at[lib_arc->to].cell;
  const LibCell *cell = &set->cells.at[other];
  if (own == other) return arc;
  uint32_t place = arc - set->cells.at[own].first_arc;
  for (uint32_t away = 0; away < cell->arc_count || away <= place; away++) {
    if (place + away < cell->arc_count
        && same_arc(set, lib_arc, &set->arcs.at[cell->first_arc + place + away]))
      return cell->first_arc + place + away;
    if (away <= place && place - away < cell->arc_count
        && same_arc(set, lib_arc, &set->arcs.at[cell->first_arc + place - away]))
      return cell->first_arc + place - away;
  }
  return NO_LIB_ARC;
}

LibArcId library_arc_for(const LibrarySet *set, LibArcId arc, CellId other, int early_late)
{
  uint32_t found = map_get(set->stand_in_of, hash_pair(arc, other));
  if (found == MAP_NO_VALUE) return library_same_arc(set, arc, other);
  return set->stand_ins.at[found].arc[early_late];
}

/* --- black boxes ------------------------------------------------------------------------------ */

CellId library_add_black_box(LibrarySet *set, NameId name)
{
  CellId id = set->cells.len;
  array_push(&set->cells, (LibCell){ .name = name,
                                     .library = NO_LIBRARY,
                                     .flags = CELL_BLACK_BOX,
                                     .first_port = set->ports.len,
                                     .first_arc = set->arcs.len,
                                     .first_sequential = set->sequentials.len,
                                     .first_bus = set->buses.len });
  put_first(set->cell_by_name, name, id);
  return id;
}

/* A range of ports can grow only at the end of the array. */
static void move_ports_to_end(LibrarySet *set, CellId cell)
{
  LibCell *lib_cell = &set->cells.at[cell];
  if (lib_cell->first_port + lib_cell->port_count == set->ports.len) return;
  PortId from = lib_cell->first_port;
  lib_cell->first_port = set->ports.len;
  for (uint32_t i = 0; i < lib_cell->port_count; i++) {
    LibPort copy = set->ports.at[from + i];
    map_put(set->port_by_name, hash_pair(cell, copy.name), set->ports.len);
    array_push(&set->ports, copy);
  }
}

PortId library_add_black_box_port(LibrarySet *set, CellId cell, NameId name, Direction direction)
{
  PortId known = library_find_port(set, cell, name);
  if (known != NO_PORT) return known;
  move_ports_to_end(set, cell);
  PortId id = set->ports.len;
  array_push(&set->ports, (LibPort){ .name = name,
                                     .cell = cell,
                                     .direction = (uint8_t)direction,
                                     .max_cap = NAN,
                                     .min_cap = NAN,
                                     .max_slew = NAN,
                                     .min_slew = NAN,
                                     .max_fanout = NAN,
                                     .min_fanout = NAN,
                                     .fanout_load = NAN,
                                     .min_pulse_high = NAN,
                                     .min_pulse_low = NAN,
                                     .min_period = NAN,
                                     .function = NO_FUNCTION,
                                     .three_state = NO_FUNCTION,
                                     .bus = NO_BUS });
  map_put(set->port_by_name, hash_pair(cell, name), id);
  set->cells.at[cell].port_count++;
  return id;
}

/* --- tables ----------------------------------------------------------------------------------- */

static void add_axis(LibrarySet *set, const float *axis, uint32_t n)
{
  for (uint32_t i = 0; i < n; i++) array_push(&set->pool, axis ? axis[i] : 0.0f);
}

TableId library_add_table(LibrarySet *set, const float *axis1, uint32_t n1, const float *axis2,
                          uint32_t n2, const float *values)
{
  TableId id = set->tables.len;
  if (axis1 == NULL) n1 = 1;
  if (axis2 == NULL) n2 = 1;
  array_push(&set->tables, (Table){ set->pool.len, (uint16_t)n1, (uint16_t)n2 });
  array_reserve(&set->pool, (uint64_t)set->pool.len + n1 + n2 + (uint64_t)n1 * n2);
  add_axis(set, axis1, n1);
  add_axis(set, axis2, n2);
  memcpy(set->pool.at + set->pool.len, values, sizeof(float) * n1 * n2);
  set->pool.len += n1 * n2;
  return id;
}

/* The interval that x lies in, or the nearest one, and how far along it: under 0 or over 1
   outside. */
static uint32_t interval(const float *axis, uint32_t n, float x, float *part)
{
  uint32_t i = 0;
  *part = 0;
  if (n < 2) return 0;
  while (i + 2 < n && x >= axis[i + 1]) i++;
  *part = (x - axis[i]) / (axis[i + 1] - axis[i]);
  return i;
}

static float between(float a, float b, float part) { return a + (b - a) * part; }

float library_table_value(const LibrarySet *set, TableId table, float x1, float x2)
{
  const Table *the_table = &set->tables.at[table];
  const float *axis1 = &set->pool.at[the_table->first], *axis2 = axis1 + the_table->n1,
              *v = axis2 + the_table->n2;
  float p1, p2;
  uint32_t i = interval(axis1, the_table->n1, x1, &p1), j = interval(axis2, the_table->n2, x2, &p2);
  uint32_t i1 = the_table->n1 > 1 ? i + 1 : i, j1 = the_table->n2 > 1 ? j + 1 : j;
  float low = between(v[i * the_table->n2 + j], v[i1 * the_table->n2 + j], p1);
  float high = between(v[i * the_table->n2 + j1], v[i1 * the_table->n2 + j1], p1);
  return between(low, high, p2);
}

/* --- arcs and names --------------------------------------------------------------------------- */

static uint32_t edges_by_sense(const LibArc *arc, int out)
{
  switch ((ArcSense)arc->sense) {
  case SENSE_POSITIVE: return 1u << out;
  case SENSE_NEGATIVE: return 1u << !out;
  case SENSE_NONE:     break;
  }
  return 3;
}

uint32_t lib_arc_input_edges(const LibArc *arc, int out)
{
  if (!(arc->output_edges >> out & 1)) return 0;
  if (arc_type_is_check((ArcType)arc->type)) return arc->edge == EDGE_ANY ? 3 : 1u << arc->edge;
  switch ((ArcType)arc->type) {
  case ARC_CLOCK_RISE:  return 1u << RISE;
  case ARC_CLOCK_FALL:  return 1u << FALL;
  case ARC_LATCH_ENABLE: return 1u << arc->edge;
  case ARC_TRISTATE_ENABLE:
  case ARC_TRISTATE_DISABLE: return arc->edge == EDGE_ANY ? 3 : 1u << arc->edge;
  default: return edges_by_sense(arc, out);
  }
}

const char *arc_type_name(ArcType type)
{
  static const char *const name[ARC_TYPE_COUNT] = { [ARC_COMBINATIONAL] = "combinational",
                                                    [ARC_TRISTATE_ENABLE] = "tristate enable",
                                                    [ARC_TRISTATE_DISABLE] = "tristate disable",
                                                    [ARC_CLOCK_RISE] = "Reg Clk to Q",
                                                    [ARC_CLOCK_FALL] = "Reg Clk to Q",
                                                    [ARC_LATCH_ENABLE] = "Latch En to Q",
                                                    [ARC_LATCH_DATA] = "Latch D to Q",
                                                    [ARC_PRESET] = "Reg Set/Clr",
                                                    [ARC_CLEAR] = "Reg Set/Clr",
                                                    [ARC_SETUP] = "setup",
                                                    [ARC_HOLD] = "hold",
                                                    [ARC_RECOVERY] = "recovery",
                                                    [ARC_REMOVAL] = "removal",
                                                    [ARC_NON_SEQ_SETUP] = "non-sequential setup",
                                                    [ARC_NON_SEQ_HOLD] = "non-sequential hold",
                                                    [ARC_NOCHANGE] = "nochange",
                                                    [ARC_NOCHANGE_LOW] = "nochange",
                                                    [ARC_SKEW] = "skew",
                                                    [ARC_MIN_PULSE_WIDTH] = "width",
                                                    [ARC_MIN_PERIOD] = "period",
                                                    [ARC_OTHER] = "other" };
  return type < ARC_TYPE_COUNT ? name[type] : "unknown";
}

const char *direction_name(Direction d)
{
  static const char *const name[] = { "unknown",  "input", "output", "inout",
                                      "internal", "power", "ground" };
  return d <= DIR_GROUND ? name[d] : "unknown";
}
