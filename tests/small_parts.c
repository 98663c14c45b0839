/* Makes the parts of small designs: cells of a library, nets and instances added one by one, and
   answers about nets and wires. See small.h. */
#include "tests/small.h"

#include <stdio.h>

#include "tests/unit.h"

NameId small_name(const Small *small, const char *text)
{
  return names_add_text(small->names, text);
}

/* --- cells ------------------------------------------------------------------------------------ */

LibraryId small_library(Small *small, const char *name, bool early, bool late)
{
  array_push(&small->libs->libraries,
             (Library){ .name = small_name(small, name), .for_early = early, .for_late = late });
  return small->libs->libraries.len - 1;
}

CellId small_bare_cell(Small *small, LibraryId library, const char *name)
{
  LibrarySet *set = small->libs;
  array_push(&set->cells, (LibCell){ .name = small_name(small, name),
                                     .library = library,
                                     .first_port = set->ports.len,
                                     .first_arc = set->arcs.len,
                                     .first_sequential = set->sequentials.len,
                                     .first_bus = set->buses.len });
  return set->cells.len - 1;
}

PortId small_port(Small *small, CellId cell, const char *name, Direction direction)
{
  LibrarySet *set = small->libs;
  PortId id = set->ports.len;
  array_push(&set->ports, (LibPort){ .name = small_name(small, name),
                                     .cell = cell,
                                     .direction = (uint8_t)direction,
                                     .function = NO_FUNCTION,
                                     .three_state = NO_FUNCTION,
                                     .bus = NO_BUS });
  map_put(set->port_by_name, hash_pair(cell, small_name(small, name)), id);
  set->cells.at[cell].port_count++;
  return id;
}

CellId small_gate(Small *small, LibraryId library, const char *name, const char *inputs,
                  const char *function)
{
  CellId cell = small_bare_cell(small, library, name);
  const char *bad = NULL;
  for (const char *p = inputs; *p; p++) small_port(small, cell, (char[]){ *p, '\0' }, DIR_INPUT);
  PortId y = small_port(small, cell, "Y", DIR_OUTPUT);
  small->libs->ports.at[y].function = library_parse_function(small->libs, cell, function, &bad);
  return cell;
}

static void add_box_port(Small *small, CellId cell, char name, Direction direction)
{
  library_add_black_box_port(small->libs, cell, small_name(small, (char[]){ name, '\0' }),
                             direction);
}

CellId small_box(Small *small, const char *name, const char *inputs, char output)
{
  CellId cell = library_add_black_box(small->libs, small_name(small, name));
  for (const char *p = inputs; *p; p++) add_box_port(small, cell, *p, DIR_INPUT);
  add_box_port(small, cell, output, DIR_OUTPUT);
  return cell;
}

/* --- nets and instances ----------------------------------------------------------------------- */

SegId small_seg(Small *small, InstId scope, const char *name)
{
  return netlist_add_seg(small->netlist, scope, small_name(small, name));
}

InstId small_leaf(Small *small, InstId scope, const char *name, CellId cell)
{
  return netlist_add_inst(small->netlist, scope, small_name(small, name), cell, false);
}

PinId small_attach(Small *small, const char *pin, SegId seg)
{
  PinId p = small_pin(small, pin);
  netlist_attach(small->netlist, p, seg);
  return p;
}

const char *small_net_name(const Netlist *n, const char *path)
{
  static char copies[8][128];
  static int turn;
  char *copy = copies[turn = (turn + 1) % 8];
  PinId pin = netlist_find_pin(n, TOP_INST, path, '/');
  if (pin == NO_PIN) pin = netlist_find_port(n, path);
  if (pin == NO_PIN) return "none";
  if (netlist_pin_net(n, pin) == NO_NET) return "-";
  Text t = { 0 };
  netlist_net_name(n, netlist_pin_net(n, pin), '/', &t);
  snprintf(copy, sizeof copies[0], "%s", text_get(&t));
  text_free(&t);
  return copy;
}

/* --- wires ------------------------------------------------------------------------------------ */

uint32_t small_tree(const Small *small, RcTree *tree, PinId driver)
{
  NetId net = netlist_pin_net(small->netlist, driver);
  rc_tree_build(tree, small->parasitics, small->netlist, net, driver);
  return rc_tree_unreached(tree, small->netlist, net, driver);
}

double small_elmore(const RcTree *tree, PinId at)
{
  double load[16] = { 0 }, delay[16] = { 0 };
  const RcNode *nodes = tree->nodes.at;
  for (uint32_t i = tree->nodes.len; i-- > 0;) {
    load[i] += nodes[i].cap;
    if (i) load[nodes[i].parent] += load[i];
  }
  for (uint32_t i = 1; i < tree->nodes.len; i++)
    delay[i] = delay[nodes[i].parent] + nodes[i].resistance * load[i];
  for (uint32_t i = 0; i < tree->taps.len; i++)
    if (tree->taps.at[i].pin == at) return delay[tree->taps.at[i].node];
  return -1;
}
