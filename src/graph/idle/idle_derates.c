/* Finds derates of cells, library cells and nets that scale no delay. */
#include "graph/idle/idle.h"

/* For cells, and for the contents of hierarchical cells: the kinds of delays that a derate could
   scale. */
enum { CELL_DATA = 1, CELL_CLOCK = 2, NET_DATA = 4, NET_CLOCK = 8, CELL_CHECK = 16, IS_USED = 32 };

typedef struct {
  const Graph *g;
  uint8_t     *cells;               /* [cells] */
  uint8_t     *lib_cells;           /* [library cells]: the kinds of all instances of the cell */
} Scaled;

static uint8_t passing(const Graph *g, Slot slot, uint8_t data, uint8_t clock)
{
  uint8_t any = 0;
  TagSetId set = g->nodes.slot_tags[slot];
  for (uint32_t i = 0; i < tag_set_count(g->tags, set); i++)
    any |= g->tags->tags.at[tag_set_tags(g->tags, set)[i]].is_clock ? clock : data;
  return any;
}

static void mark(Scaled *scaled, InstId inst, uint8_t bits)
{
  const Netlist *n = scaled->g->netlist;
  for (; inst != NO_INST && (scaled->cells[inst] & bits) != bits; inst = n->insts.at[inst].parent)
    scaled->cells[inst] |= bits;
}

/* The arcs to a driver belong to its cell.  A wire belongs to the cell that contains its load. */
static void mark_slot(Scaled *scaled, Slot slot)
{
  const Graph *g = scaled->g;
  const Pin *pin = &g->netlist->pins.at[g->slots.pin[slot]];
  if (slot_is_driver(g, slot)) {
    if (g->arcs.first[slot + 1] > g->arcs.first[slot])
      mark(scaled, pin->inst, passing(g, slot, CELL_DATA, CELL_CLOCK));
  } else if (pin->seg != NO_SEG) {
    mark(scaled, g->netlist->segs.at[pin->seg].scope, passing(g, slot, NET_DATA, NET_CLOCK));
  }
}

static void mark_all(Scaled *scaled)
{
  const Graph *g = scaled->g;
  for (Slot s = 0; s < g->slots.count; s++) mark_slot(scaled, s);
  for (CheckId i = 0; i < g->ends.checks.len; i++) {
    const Check *check = &g->ends.checks.at[i];
    if (check->lib == NO_LIB_ARC || check->off) continue;
    mark(scaled, g->netlist->pins.at[g->slots.pin[check->data]].inst, CELL_CHECK);
  }
}

static void mark_lib_cell(void *data, InstId leaf)
{
  Scaled *scaled = data;
  scaled->lib_cells[scaled->g->netlist->insts.at[leaf].master] |= scaled->cells[leaf] | IS_USED;
}

static uint8_t marks_of_net(const Graph *g, SegId seg)
{
  uint8_t any = 0;
  NetPins it = net_pins(g->netlist, g->netlist->segs.at[seg].net, false);
  for (PinId pin = net_pins_next(&it); pin != NO_PIN; pin = net_pins_next(&it)) {
    Slot slot = graph_slot(g, pin, false);
    if (slot != NO_SLOT && !slot_is_driver(g, slot)) any |= passing(g, slot, NET_DATA, NET_CLOCK);
  }
  return any;
}

/* Returns the delays that one kind of factor applies to.  Checks are derated as data; for them the
   command itself warns of -clock. */
static uint8_t wanted_by(int kind, int path)
{
  static const uint8_t of[DERATE_KIND_COUNT][2] = {
    [DERATE_CELL_DELAY] = { [PATH_DATA] = CELL_DATA, [PATH_CLOCK] = CELL_CLOCK },
    [DERATE_NET_DELAY] = { [PATH_DATA] = NET_DATA, [PATH_CLOCK] = NET_CLOCK },
    [DERATE_CELL_CHECK] = { [PATH_DATA] = CELL_CHECK, [PATH_CLOCK] = 0 } };
  return of[kind][path];
}

static const char *problem_of(uint8_t wanted, bool used)
{
  if (!used) return "the design has no cell of";
  if (wanted == CELL_CHECK) return "there is no check at";
  if (!(wanted & (CELL_DATA | NET_DATA))) return "no clock passes";
  return wanted & (CELL_CLOCK | NET_CLOCK) ? "neither clock nor data passes" : "no data passes";
}

/* Returns the delays that the factors of one command in a record apply to. The command is that of
   the first factor. */
static uint8_t wanted_by_command(const Derate *derate, CommandId command)
{
  uint8_t wanted = 0;
  for (int kind = 0; kind < DERATE_KIND_COUNT; kind++)
    for (int path = PATH_DATA; path <= PATH_CLOCK; path++)
      if (derate->said[kind][path] == command) wanted |= wanted_by(kind, path);
  return wanted;
}

static void judge(const Graph *g, const Derate *derate, uint8_t marks, IdleList *list)
{
  bool used = derate->object.type != OBJ_LIB_CELL || marks & IS_USED;
  CommandId last = 0;
  for (int k = 0; k < 2 * DERATE_KIND_COUNT; k++) {
    CommandId command = derate->said[k >> 1][k & 1];
    uint8_t wanted = wanted_by_command(derate, command);
    if (command == 0 || command == last || wanted == 0) continue;
    last = command;
    idle_add(list, g, command,
             (Idle){ .object = derate->object,
                     .clock = NO_CLOCK,
                     .code = "GRAPH-043",
                     .problem = wanted & marks ? NULL : problem_of(wanted, used) });
  }
}

static bool is_placed(const Derate *derate)
{
  return derate->object.type == OBJ_CELL || derate->object.type == OBJ_LIB_CELL
         || derate->object.type == OBJ_NET;
}

static uint8_t marks_of(const Scaled *scaled, Object o)
{
  if (o.type == OBJ_NET) return marks_of_net(scaled->g, o.id);
  return o.type == OBJ_CELL ? scaled->cells[o.id] : scaled->lib_cells[o.id];
}

void idle_find_derates(const Graph *g, IdleList *list)
{
  const Constraints *c = g->constraints;
  Scaled x = { g, NULL, NULL };
  for (uint32_t i = 0; i < c->derates.len; i++) {
    const Derate *derate = &c->derates.at[i];
    if (!is_placed(derate)) continue;
    if (x.cells == NULL) {
      x.cells = mem_alloc_zero((size_t)g->netlist->insts.len + 1, 1);
      x.lib_cells = mem_alloc_zero((size_t)g->libs->cells.len + 1, 1);
      mark_all(&x);
      netlist_each_leaf(g->netlist, TOP_INST, mark_lib_cell, &x);
    }
    judge(g, derate, marks_of(&x, derate->object), list);
  }
  mem_free(x.cells);
  mem_free(x.lib_cells);
}
