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

static VertexId add_vertex(Build *b, PinId pin, uint16_t flags)
{
  VertexId v = b->vertex_count++;
  b->pin[v] = pin;
  b->flags[v] = flags;
  return v;
}

static void add_pin(Build *b, PinId p)
{
  const Netlist *n = b->g->netlist;
  uint8_t port = pin_is_top_port(n, p) ? SLOT_PORT : 0;
  switch (direction_of(n, p)) {
  case DIR_OUTPUT:
  case DIR_INTERNAL:
    b->pin_driver[p] = add_vertex(b, p, SLOT_DRIVER | port);
    break;
  case DIR_INOUT:
    b->pin_load[p] = add_vertex(b, p, SLOT_BIDIRECTIONAL | port);
    b->pin_driver[p] = add_vertex(b, p, SLOT_DRIVER | SLOT_BIDIRECTIONAL | port);
    break;
  case DIR_INPUT:
  case DIR_UNKNOWN:
    b->pin_load[p] = add_vertex(b, p, port);
    break;
  default:
    break;
  }
}

static void add_pins(Build *b)
{
  const Netlist *n = b->g->netlist;
  uint32_t pins = n->pins.len;
  b->pin = mem_alloc(sizeof *b->pin * 2 * (size_t)pins);
  b->flags = mem_alloc(sizeof *b->flags * 2 * (size_t)pins);
  b->pin_load = mem_alloc(sizeof *b->pin_load * (size_t)pins);
  b->pin_driver = mem_alloc(sizeof *b->pin_driver * (size_t)pins);
  memset(b->pin_load, 0xff, sizeof *b->pin_load * (size_t)pins);
  memset(b->pin_driver, 0xff, sizeof *b->pin_driver * (size_t)pins);
  for (PinId p = 0; p < pins; p++)
    if (pin_in_design(n, p)) add_pin(b, p);
  b->logic = mem_alloc(b->vertex_count);
  memset(b->logic, 2, b->vertex_count);
}

NetId build_vertex_net(const Build *b, VertexId v)
{
  return netlist_pin_net(b->g->netlist, b->pin[v]);
}

/* Groups vertices by net, in the order of vertices (and so of PinIds). Counts are stored one place
   ahead, so that filling moves the starts to their places. */
static VertexId *vertices_by_net(const Build *b, bool drivers, uint32_t **first)
{
  uint32_t nets = b->g->netlist->nets.len;
  uint32_t *f = mem_alloc_zero((size_t)nets + 2, sizeof *f);
  for (VertexId v = 0; v < b->vertex_count; v++) {
    NetId net = build_vertex_net(b, v);
    if (net != NO_NET && ((b->flags[v] & SLOT_DRIVER) != 0) == drivers) f[net + 2]++;
  }
  for (uint32_t i = 1; i <= nets; i++) f[i + 1] += f[i];
  VertexId *members = mem_alloc(sizeof *members * ((size_t)f[nets + 1] + 1));
  for (VertexId v = 0; v < b->vertex_count; v++) {
    NetId net = build_vertex_net(b, v);
    if (net != NO_NET && ((b->flags[v] & SLOT_DRIVER) != 0) == drivers) members[f[net + 1]++] = v;
  }
  *first = f;
  return members;
}

static VertexId vertex_of(const Build *b, PinId p, bool as_driver)
{
  if (p == NO_PIN) return NO_VERTEX;
  return as_driver                     ? b->pin_driver[p]
         : b->pin_load[p] != NO_VERTEX ? b->pin_load[p]
                                       : b->pin_driver[p];
}

static void add_arc(Build *b, InstId inst, LibArcId id)
{
  const Netlist *n = b->g->netlist;
  const LibArc *arc = &n->libs->arcs.at[id];
  if (arc_type_is_check((ArcType)arc->type)) return;
  VertexId from = vertex_of(b, netlist_pin_of_port(n, inst, arc->from), false);
  VertexId to = vertex_of(b, netlist_pin_of_port(n, inst, arc->to), true);
  if (from == NO_VERTEX || to == NO_VERTEX || from == to) return;
  array_push(&b->arcs, (BuildArc){ from, to, id });
}

/* Returns the instance's vertex for a port of its own cell, or of the same cell in another
   library. */
static VertexId vertex_of_port(const Build *b, InstId inst, PortId port)
{
  const Netlist *n = b->g->netlist;
  const LibPort *p = &n->libs->ports.at[port];
  CellId own = n->insts.at[inst].master;
  PortId mine = p->cell == own ? port : library_find_port(n->libs, own, p->name);
  return mine == NO_PORT ? NO_VERTEX : vertex_of(b, netlist_pin_of_port(n, inst, mine), false);
}

/* Adds the checks of an instance for one analysis. Checks of late data (setup, ...) come from the
   late library's cell, checks of early data from the early library's cell. So each of these
   libraries may lack the other checks. */
static void add_checks(Build *b, InstId inst, int early_late)
{
  const LibrarySet *libs = b->g->libs;
  const LibCell *cell =
      &libs->cells.at[library_cell_for(libs, b->g->netlist->insts.at[inst].master, early_late)];
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
    VertexId from = vertex_of_port(b, inst, arc->from), to = vertex_of_port(b, inst, arc->to);
    if (from == NO_VERTEX || to == NO_VERTEX) continue;
    c.clock = from;
    c.data = to;
    array_push(&b->checks, c);
  }
}

static void add_arcs(Build *b)
{
  const Netlist *n = b->g->netlist;
  for (InstId i = 1; i < n->insts.len; i++) {
    if (!inst_is_leaf(n, i) || (n->insts.at[i].flags & INST_DELETED)) continue;
    const LibCell *cell = &n->libs->cells.at[n->insts.at[i].master];
    for (uint32_t k = 0; k < cell->arc_count; k++) add_arc(b, i, cell->first_arc + k);
    add_checks(b, i, EARLY);
    add_checks(b, i, LATE);
  }
  b->arc_flags = mem_alloc_zero(b->arcs.len + 1, 1);
  for (uint32_t a = 0; a < b->arcs.len; a++)
    if (arc_type_is_launch((ArcType)n->libs->arcs.at[b->arcs.at[a].lib].type))
      b->flags[b->arcs.at[a].from] |= SLOT_CLOCK_PIN;
  for (uint32_t c = 0; c < b->checks.len; c++)
    if (b->checks.at[c].type <= ARC_REMOVAL || arc_type_is_nochange((ArcType)b->checks.at[c].type))
      b->flags[b->checks.at[c].clock] |= SLOT_CLOCK_PIN;
}

void build_vertices(Build *b)
{
  add_pins(b);
  if (interrupt_seen()) return;
  b->net_drivers = vertices_by_net(b, true, &b->driver_first);
  b->net_loads = vertices_by_net(b, false, &b->load_first);
  if (!interrupt_seen()) add_arcs(b);
}
