/* Makes the vertices, nets, arcs and checks of the flattened design. */
#include "base/interrupt.h"
#include "graph/build.h"

static Direction direction_of(const Netlist *n, PinId p)
{
  Direction d = netlist_pin_direction(n, p);
  if (!pin_is_top_port(n, p)) return d;
  return d == DIR_INPUT ? DIR_OUTPUT : d == DIR_OUTPUT ? DIR_INPUT : d;   /* as seen from inside */
}

static bool pin_in_design(const Netlist *n, PinId p)
{
  InstId i = n->pins.at[p].inst;
  if (n->insts.at[i].flags & INST_DELETED) return false;
  if (i == TOP_INST) return true;
  if (!inst_is_leaf(n, i)) return false;
  return !n->libs->ports.at[n->pins.at[p].port].is_state;
}

static VertexId add_vertex(Build *build, PinId pin, uint16_t flags)
{
  VertexId v = build->vertex_count++;
  build->pin[v] = pin;
  build->flags[v] = flags;
  return v;
}

static void add_pin(Build *build, PinId p)
{
  const Netlist *n = build->g->netlist;
  uint8_t port = pin_is_top_port(n, p) ? SLOT_PORT : 0;
  switch (direction_of(n, p)) {
  case DIR_OUTPUT:
  case DIR_INTERNAL:
    build->pin_driver[p] = add_vertex(build, p, SLOT_DRIVER | port);
    break;
  case DIR_INOUT:
    build->pin_load[p] = add_vertex(build, p, SLOT_BIDIRECTIONAL | port);
    build->pin_driver[p] = add_vertex(build, p, SLOT_DRIVER | SLOT_BIDIRECTIONAL | port);
    break;
  case DIR_INPUT:
  case DIR_UNKNOWN:
    build->pin_load[p] = add_vertex(build, p, port);
    break;
  default:
    break;
  }
}

static void add_pins(Build *build)
{
  const Netlist *n = build->g->netlist;
  uint32_t pins = n->pins.len;
  build->pin = mem_alloc(sizeof *build->pin * 2 * (size_t)pins);
  build->flags = mem_alloc(sizeof *build->flags * 2 * (size_t)pins);
  build->pin_load = mem_alloc(sizeof *build->pin_load * (size_t)pins);
  build->pin_driver = mem_alloc(sizeof *build->pin_driver * (size_t)pins);
  memset(build->pin_load, 0xff, sizeof *build->pin_load * (size_t)pins);
  memset(build->pin_driver, 0xff, sizeof *build->pin_driver * (size_t)pins);
  for (PinId p = 0; p < pins; p++)
    if (pin_in_design(n, p)) add_pin(build, p);
  build->logic = mem_alloc(build->vertex_count);
  memset(build->logic, 2, build->vertex_count);
}

NetId build_vertex_net(const Build *build, VertexId v)
{
  return netlist_pin_net(build->g->netlist, build->pin[v]);
}

/* Groups vertices by net, in the order of vertices (and so of PinIds). Counts are stored one place
   ahead, so that filling moves the starts to their places. */
static VertexId *vertices_by_net(const Build *build, bool drivers, uint32_t **first)
{
  uint32_t nets = build->g->netlist->nets.len;
  uint32_t *f = mem_alloc_zero((size_t)nets + 2, sizeof *f);
  for (VertexId v = 0; v < build->vertex_count; v++) {
    NetId net = build_vertex_net(build, v);
    if (net != NO_NET && ((build->flags[v] & SLOT_DRIVER) != 0) == drivers) f[net + 2]++;
  }
  for (uint32_t i = 1; i <= nets; i++) f[i + 1] += f[i];
  VertexId *members = mem_alloc(sizeof *members * ((size_t)f[nets + 1] + 1));
  for (VertexId v = 0; v < build->vertex_count; v++) {
    NetId net = build_vertex_net(build, v);
    if (net != NO_NET && ((build->flags[v] & SLOT_DRIVER) != 0) == drivers)
      members[f[net + 1]++] = v;
  }
  *first = f;
  return members;
}

static VertexId vertex_of(const Build *build, PinId p, bool as_driver)
{
  if (p == NO_PIN) return NO_VERTEX;
  return as_driver                         ? build->pin_driver[p]
         : build->pin_load[p] != NO_VERTEX ? build->pin_load[p]
                                           : build->pin_driver[p];
}

static void add_arc(Build *build, InstId inst, LibArcId id)
{
  const Netlist *n = build->g->netlist;
  const LibArc *arc = &n->libs->arcs.at[id];
  if (arc_type_is_check((ArcType)arc->type)) return;
  VertexId from = vertex_of(build, netlist_pin_of_port(n, inst, arc->from), false);
  VertexId to = vertex_of(build, netlist_pin_of_port(n, inst, arc->to), true);
  if (from == NO_VERTEX || to == NO_VERTEX || from == to) return;
  array_push(&build->arcs, (BuildArc){ from, to, id });
}

/* Returns the instance's vertex for a port of its own cell, or of the same cell in another
   library. */
static VertexId vertex_of_port(const Build *build, InstId inst, PortId port)
{
  const Netlist *n = build->g->netlist;
  const LibPort *lib_port = &n->libs->ports.at[port];
  CellId own = n->insts.at[inst].master;
  PortId mine = lib_port->cell == own ? port : library_find_port(n->libs, own, lib_port->name);
  return mine == NO_PORT ? NO_VERTEX : vertex_of(build, netlist_pin_of_port(n, inst, mine), false);
}

/* Adds the checks of an instance for one analysis. Checks of late data (setup, ...) come from the
   late library's cell, checks of early data from the early library's cell. So each of these
   libraries may lack the other checks. */
static void add_checks(Build *build, InstId inst, int early_late)
{
  const LibrarySet *libs = build->g->libs;
  const LibCell *cell =
      &libs->cells.at[library_cell_for(libs, build->g->netlist->insts.at[inst].master, early_late)];
  for (LibArcId a = cell->first_arc; a < cell->first_arc + cell->arc_count; a++) {
    const LibArc *arc = &libs->arcs.at[a];
    bool nochange = arc_type_is_nochange((ArcType)arc->type);      /* it has a part for early and a
                                                                      part for late data */
    if (!arc_type_is_check((ArcType)arc->type)
        || (arc_type_checks_early((ArcType)arc->type) != (early_late == EARLY) && !nochange))
      continue;
    Check c = { .lib = a,
                .type = arc->type,
                .clock_edge = arc->edge,
                .trailing = nochange && early_late == EARLY };
    if (c.trailing) c.clock_edge ^= 1;
    if (nochange && arc->delay[nochange_edge(&c)] == NO_TABLE) continue;
    VertexId from = vertex_of_port(build, inst, arc->from),
             to = vertex_of_port(build, inst, arc->to);
    if (from == NO_VERTEX || to == NO_VERTEX) continue;
    c.clock = from;
    c.data = to;
    array_push(&build->checks, c);
  }
}

static void add_arcs(Build *build)
{
  const Netlist *n = build->g->netlist;
  for (InstId i = 1; i < n->insts.len; i++) {
    if (!inst_is_leaf(n, i) || (n->insts.at[i].flags & INST_DELETED)) continue;
    const LibCell *cell = &n->libs->cells.at[n->insts.at[i].master];
    for (uint32_t k = 0; k < cell->arc_count; k++) add_arc(build, i, cell->first_arc + k);
    add_checks(build, i, EARLY);
    add_checks(build, i, LATE);
  }
  build->arc_flags = mem_alloc_zero(build->arcs.len + 1, 1);
  for (uint32_t a = 0; a < build->arcs.len; a++)
    if (arc_type_is_launch((ArcType)n->libs->arcs.at[build->arcs.at[a].lib].type))
      build->flags[build->arcs.at[a].from] |= SLOT_CLOCK_PIN;
  for (uint32_t c = 0; c < build->checks.len; c++)
    if (build->checks.at[c].type <= ARC_REMOVAL
        || arc_type_is_nochange((ArcType)build->checks.at[c].type))
      build->flags[build->checks.at[c].clock] |= SLOT_CLOCK_PIN;
}

void build_vertices(Build *build)
{
  add_pins(build);
  if (interrupt_seen()) return;
  build->net_drivers = vertices_by_net(build, true, &build->driver_first);
  build->net_loads = vertices_by_net(build, false, &build->load_first);
  if (!interrupt_seen()) add_arcs(build);
}
