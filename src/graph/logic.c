/* Finds logic constants: those of tied cells, supply nets and case analysis, and the constants that
   follow from them. */
#include "graph/hierarchy.h"
#include "graph/logic.h"

enum { UNKNOWN = LOGIC_UNKNOWN };

typedef struct {
  Build *build;
  uint8_t *cells;             /* by CellId: CELL_... below; 0: not looked at */
  ARRAY(VertexId) queue;
} Logic;

static void set_value(Logic *logic, VertexId v, int value)
{
  if (v == NO_VERTEX || value == UNKNOWN || logic->build->logic[v] != UNKNOWN) return;
  logic->build->logic[v] = (uint8_t)value;
  array_push(&logic->queue, v);
}

/* --- values at an instance -------------------------------------------------------------------- */
/* Returns the instance's pin for a port of its cell, or for the port with that name in another
   library's cell (checks may have either). */
static PinId pin_of_port(const Netlist *n, InstId inst, PortId port)
{
  CellId own = n->insts.at[inst].master;
  const LibPort *lib_port = &n->libs->ports.at[port];
  if (lib_port->cell != own) port = library_find_port(n->libs, own, lib_port->name);
  return port == NO_PORT ? NO_PIN : netlist_pin_of_port(n, inst, port);
}

int logic_port_value(void *data, PortId port)
{
  const InstValues *at = data;
  const Build *build = at->build;
  PinId pin = pin_of_port(build->g->netlist, at->inst, port);
  if (pin == NO_PIN) return UNKNOWN;
  VertexId v = build->pin_load[pin] != NO_VERTEX ? build->pin_load[pin] : build->pin_driver[pin];
  return v == NO_VERTEX ? UNKNOWN : build->logic[v];
}

int logic_value(const InstValues *at, FunctionId f)
{
  return library_value(at->build->g->libs, f, logic_port_value, (void *)at);
}

int logic_drives(const InstValues *at, const LibPort *output)
{
  if (output->three_state == NO_FUNCTION) return 1;
  int floats = logic_value(at, output->three_state);
  return floats == UNKNOWN ? UNKNOWN : !floats;
}

/* Evaluates the outputs of an instance. An output that can float is constant only if it always
   drives. */
static void eval_outputs(Logic *logic, InstId inst)
{
  const Netlist *n = logic->build->g->netlist;
  const Inst *in = &n->insts.at[inst];
  InstValues at = { logic->build, inst };
  for (PinId p = in->first_pin; p < in->first_pin + in->pin_count; p++) {
    VertexId v = logic->build->pin_driver[p];
    if (v == NO_VERTEX || logic->build->logic[v] != UNKNOWN) continue;
    const LibPort *port = &n->libs->ports.at[n->pins.at[p].port];
    if (port->function == NO_FUNCTION || logic_drives(&at, port) != 1) continue;
    set_value(logic, v, logic_value(&at, port->function));
  }
}

/* --- where constants begin -------------------------------------------------------------------- */
enum { CELL_VARIES = 1, CELL_CONSTANT = 2 };       /* no output is constant in itself; one is */

static uint8_t look_at_cell(const LibrarySet *libs, const LibCell *cell)
{
  for (PortId p = cell->first_port; p < cell->first_port + cell->port_count; p++) {
    FunctionId f = libs->ports.at[p].function;
    if (f != NO_FUNCTION && library_value(libs, f, NULL, NULL) != UNKNOWN) return CELL_CONSTANT;
  }
  return CELL_VARIES;
}

/* Starts constants at outputs that are constant whatever the inputs of the cell are, for example at
   tie cells. */
static void seed_ties(Logic *logic)
{
  const Netlist *n = logic->build->g->netlist;
  logic->cells = mem_alloc_zero(n->libs->cells.len + 1, 1);
  for (InstId i = 1; i < n->insts.len; i++) {
    if (!inst_is_leaf(n, i) || (n->insts.at[i].flags & INST_DELETED)) continue;
    CellId cell = n->insts.at[i].master;
    if (!logic->cells[cell]) logic->cells[cell] = look_at_cell(n->libs, &n->libs->cells.at[cell]);
    if (logic->cells[cell] == CELL_CONSTANT) eval_outputs(logic, i);
  }
  mem_free(logic->cells);
}

static void seed_nets(Logic *logic)
{
  const Netlist *n = logic->build->g->netlist;
  for (NetId net = 0; net < n->nets.len; net++) {
    uint32_t flags = n->nets.at[net].flags;
    int value = flags & (NET_CONSTANT_ONE | NET_POWER)     ? 1
                : flags & (NET_CONSTANT_ZERO | NET_GROUND) ? 0
                                                           : UNKNOWN;
    if (value == UNKNOWN || (flags & NET_DELETED)) continue;
    for (uint32_t k = logic->build->load_first[net]; k < logic->build->load_first[net + 1]; k++)
      set_value(logic, logic->build->net_loads[k], value);
  }
}

/* The value of a hierarchical pin holds behind the pin: on the side where the net's driver is not;
   for a net without a driver, inside if the pin is an input.  The driver, and loads on its side,
   keep their values. */
typedef struct {
  Logic *logic;
  int    value;
  int    drivers;           /* those met: bit 0 outside, bit 1 inside */
  bool   behind;            /* the side that gets the value: inside */
  bool   setting;
} Behind;

static void visit_behind(void *data, PinId pin, bool inside)
{
  Behind *behind = data;
  const Build *build = behind->logic->build;
  if (!behind->setting) {
    if (build->pin_driver[pin] != NO_VERTEX) behind->drivers |= inside ? 2 : 1;
  } else if (inside == behind->behind) {
    set_value(behind->logic, build->pin_load[pin], behind->value);
  }
}

static void set_behind(Logic *logic, PinId pin, int value)
{
  const Netlist *n = logic->build->g->netlist;
  Behind x = { .logic = logic, .value = value };
  hierarchy_each(n, pin, visit_behind, &x);
  x.behind = x.drivers == 0 ? netlist_pin_direction(n, pin) != DIR_OUTPUT : !(x.drivers & 2);
  x.setting = true;
  hierarchy_each(n, pin, visit_behind, &x);
}

static void seed_cases(Logic *logic)
{
  const Constraints *c = logic->build->g->constraints;
  uint32_t *order = RECORD_ORDER(c->cases, 1);
  for (uint32_t i = 0; i < c->cases.len; i++) {
    const PinCase *pc = &c->cases.at[order[i]];
    if (pc->value > CASE_ONE) continue;
    if (pin_is_hierarchical(logic->build->g->netlist, pc->pin)) {
      set_behind(logic, pc->pin, pc->value);
      continue;
    }
    set_value(logic, logic->build->pin_driver[pc->pin], pc->value);
    set_value(logic, logic->build->pin_load[pc->pin], pc->value);
  }
  mem_free(order);
}

static void spread(Logic *logic)
{
  Build *build = logic->build;
  const Netlist *n = build->g->netlist;
  for (uint32_t i = 0; i < logic->queue.len; i++) {
    VertexId v = logic->queue.at[i];
    if (build->flags[v] & SLOT_DRIVER) {
      NetId net = build_vertex_net(build, v);
      if (net == NO_NET) continue;
      for (uint32_t k = build->load_first[net]; k < build->load_first[net + 1]; k++)
        set_value(logic, build->net_loads[k], build->logic[v]);
    } else if (!(build->flags[v] & SLOT_PORT)) {
      eval_outputs(logic, n->pins.at[build->pin[v]].inst);
    }
  }
}

/* --- drivers that contradict each other ------------------------------------------------------- */
/* Returns the first constant driver of a net from entry `from` on. */
static uint32_t constant_driver(const Build *build, NetId net, uint32_t from, int other_than)
{
  while (from < build->driver_first[net + 1]) {
    int value = build->logic[build->net_drivers[from]];
    if (value != UNKNOWN && value != other_than) break;
    from++;
  }
  return from;
}

/* Warns of drivers with different constants, once for each net.  The loads have the value that
   reached them first. */
static void warn_contradiction(const Build *build, NetId net)
{
  uint32_t end = build->driver_first[net + 1], load = build->load_first[net];
  uint32_t first = constant_driver(build, net, build->driver_first[net], UNKNOWN);
  if (first == end) return;
  uint32_t other = constant_driver(build, net, first + 1, build->logic[build->net_drivers[first]]);
  if (other == end || load == build->load_first[net + 1]) return;
  const Netlist *n = build->g->netlist;
  Text text = { 0 };
  text_put(&text, "drivers of a net are constant and differ: ");
  netlist_pin_name(n, build->pin[build->net_drivers[first]], '/', &text);
  text_printf(&text, " is %d, ", build->logic[build->net_drivers[first]]);
  netlist_pin_name(n, build->pin[build->net_drivers[other]], '/', &text);
  text_printf(&text, " is %d; the loads are taken for %d", build->logic[build->net_drivers[other]],
              build->logic[build->net_loads[load]]);
  log_warning_once(build->log, "GRAPH-030", text_get(&text));
  text_free(&text);
}

static bool has_arc_to(const LibrarySet *libs, PortId port)
{
  const LibCell *cell = &libs->cells.at[libs->ports.at[port].cell];
  for (LibArcId a = cell->first_arc; a < cell->first_arc + cell->arc_count; a++)
    if (libs->arcs.at[a].to == port && !arc_type_is_check((ArcType)libs->arcs.at[a].type))
      return true;
  return false;
}

/* Returns true for an output of a cell that has paths, whose value is not known, and which is not
   always off. */
static bool may_drive(const Build *build, VertexId driver)
{
  const Netlist *n = build->g->netlist;
  PinId pin = build->pin[driver];
  if (build->logic[driver] != UNKNOWN || pin_is_top_port(n, pin)) return false;
  InstValues at = { build, n->pins.at[pin].inst };
  PortId port = n->pins.at[pin].port;
  return has_arc_to(n->libs, port) && logic_drives(&at, &n->libs->ports.at[port]) != 0;
}

/* Is the constant given with set_case_analysis? Then it draws no warning. */
static bool is_given(const Build *build, PinId pin)
{
  const Constraints *c = build->g->constraints;
  for (uint32_t i = 0; i < c->cases.len; i++)
    if (c->cases.at[i].pin == pin) return true;
  return false;
}

/* Warns of a constant driver that hides the signals of another driver, once for each net. */
static void warn_hidden(const Build *build, NetId net)
{
  const Netlist *n = build->g->netlist;
  uint32_t end = build->driver_first[net + 1], hidden = build->driver_first[net];
  uint32_t first = constant_driver(build, net, hidden, UNKNOWN);
  if (first == end || build->load_first[net] == build->load_first[net + 1]) return;
  PinId constant = build->pin[build->net_drivers[first]];
  if (pin_is_top_port(n, constant) || is_given(build, constant)) return;
  while (hidden < end && !may_drive(build, build->net_drivers[hidden])) hidden++;
  if (hidden == end) return;
  Text text = { 0 };
  text_put(&text, "a driver of a net is constant: ");
  netlist_pin_name(n, constant, '/', &text);
  text_printf(&text, " is %d; paths from ", build->logic[build->net_drivers[first]]);
  netlist_pin_name(n, build->pin[build->net_drivers[hidden]], '/', &text);
  text_put(&text, " to the net's loads are not timed");
  log_warning_once(build->log, "GRAPH-031", text_get(&text));
  text_free(&text);
}

static void warn_of_drivers(const Build *build)
{
  for (NetId net = 0; net < build->g->netlist->nets.len; net++) {
    if (build->driver_first[net + 1] - build->driver_first[net] < 2) continue;
    warn_contradiction(build, net);
    warn_hidden(build, net);
  }
}

void build_logic(Build *build)
{
  Logic l = { .build = build };
  seed_cases(&l);
  seed_nets(&l);
  seed_ties(&l);
  spread(&l);
  array_free(&l.queue);
  for (VertexId v = 0; v < build->vertex_count; v++)
    if (build->logic[v] != UNKNOWN) build->flags[v] |= SLOT_CONSTANT;
  warn_of_drivers(build);
  build_constant_arcs(build);
  build_constant_checks(build);
}
