/* Edits that a user requests.  An edit that makes no sense fails with a message and has no
   effect. */
#include "db/netlist_swap.h"

/* The full name of an instance, pin or segment, for one message. */
static const char *inst_name(const Netlist *n, InstId inst, Text *text)
{
  netlist_inst_name(n, inst, '/', text);
  return text_get(text);
}

static const char *pin_name(const Netlist *n, PinId pin, Text *text)
{
  netlist_pin_name(n, pin, '/', text);
  return text_get(text);
}

static const char *seg_name(const Netlist *n, SegId seg, Text *text)
{
  netlist_seg_name(n, seg, '/', text);
  return text_get(text);
}

#define CELL_NAME(n, cell) names_text((n)->names, (n)->libs->cells.at[cell].name)

static bool seg_is_deleted(const Netlist *n, SegId seg)
{
  return (n->nets.at[n->segs.at[seg].net].flags & NET_DELETED) != 0;
}

/* A live leaf? `what` says what was to be done. */
static Status check_leaf(const Netlist *n, InstId inst, const char *what, Log *log)
{
  Text t = { 0 };
  Status status = OK;
  if (n->insts.at[inst].flags & INST_DELETED)
    status = log_error(log, "NET-011", NOWHERE, "cannot %s '%s': it was removed", what,
                       inst_name(n, inst, &t));
  else if (!inst_is_leaf(n, inst))
    status =
        log_error(log, "NET-005", NOWHERE,
                  "cannot %s '%s': it is hierarchical, expected an instance of a library cell",
                  what,
                  inst == TOP_INST ? names_text(n->names, n->top_name) : inst_name(n, inst, &t));
  text_free(&t);
  return status;
}

static Status check_scope(const Netlist *n, InstId scope, const char *name, Log *log)
{
  Text t = { 0 };
  Status status = OK;
  if (*name == '\0')
    status = log_error(log, "NET-003", NOWHERE, "the name is empty");
  else if (inst_is_leaf(n, scope) || (n->insts.at[scope].flags & INST_DELETED))
    status = log_error(log, "NET-002", NOWHERE,
                       "cannot put '%s' into '%s', which is no hierarchical instance", name,
                       inst_name(n, scope, &t));
  text_free(&t);
  return status;
}

/* --- swapping --------------------------------------------------------------------------------- */
static uint32_t pin_ports(const LibrarySet *libs, const LibCell *cell)
{
  uint32_t count = 0;
  for (PortId p = cell->first_port; p < cell->first_port + cell->port_count; p++)
    count += !libs->ports.at[p].is_state;
  return count;
}

/* Sizes of a cell mostly have their ports in the same order, so that no name need be looked up. */
static PortId port_like(const LibrarySet *libs, PortId port, CellId cell)
{
  const LibPort *have = &libs->ports.at[port];
  const LibCell *from = &libs->cells.at[have->cell], *to = &libs->cells.at[cell];
  uint32_t place = port - from->first_port;
  if (place < from->port_count && place < to->port_count
      && libs->ports.at[to->first_port + place].name == have->name)
    return to->first_port + place;
  return library_find_port(libs, cell, have->name);
}

static PortId counterpart(const Netlist *n, PinId pin, CellId cell)
{
  const LibPort *have = &n->libs->ports.at[n->pins.at[pin].port];
  PortId p = port_like(n->libs, n->pins.at[pin].port, cell);
  if (p == NO_PORT || n->libs->ports.at[p].is_state) return NO_PORT;
  return n->libs->ports.at[p].direction == have->direction ? p : NO_PORT;
}

static Status check_ports(const Netlist *n, InstId inst, CellId cell, Log *log)
{
  const Inst *the_inst = &n->insts.at[inst];
  const char *from = CELL_NAME(n, the_inst->master), *to = CELL_NAME(n, cell);
  for (PinId pin = the_inst->first_pin; pin < the_inst->first_pin + the_inst->pin_count; pin++)
    if (counterpart(n, pin, cell) == NO_PORT)
      return log_error(log, "NET-004", NOWHERE,
                       "cannot swap '%s' for '%s': it has no pin '%s' of the same direction", from,
                       to, names_text(n->names, netlist_pin_port_name(n, pin)));
  uint32_t ports = pin_ports(n->libs, &n->libs->cells.at[cell]);
  if (ports != the_inst->pin_count)
    return log_error(log, "NET-004", NOWHERE,
                     "cannot swap '%s' for '%s': it has %u pins, expected %u", from, to, ports,
                     the_inst->pin_count);
  return OK;
}

Status netlist_may_swap_cell(const Netlist *n, InstId inst, CellId cell, Log *log)
{
  return check_leaf(n, inst, "swap the cell of", log) == OK ? check_ports(n, inst, cell, log)
                                                            : FAILED;
}

Status netlist_swap_cell(Netlist *n, InstId inst, CellId cell, Log *log)
{
  if (netlist_may_swap_cell(n, inst, cell, log) != OK) return FAILED;
  Inst *the_inst = &n->insts.at[inst];
  for (PinId pin = the_inst->first_pin; pin < the_inst->first_pin + the_inst->pin_count; pin++)
    n->pins.at[pin].port = counterpart(n, pin, cell);
  the_inst->master = cell;
  n->edit_count++;
  return OK;
}

uint32_t netlist_alike_pins(const LibrarySet *libs, CellId from, CellId to)
{
  const LibCell *a = &libs->cells.at[from], *b = &libs->cells.at[to];
  bool alike = a->port_count == b->port_count;
  for (uint32_t i = 0; i < a->port_count && alike; i++) {
    const LibPort *x = &libs->ports.at[a->first_port + i], *y = &libs->ports.at[b->first_port + i];
    alike = x->name == y->name && x->direction == y->direction && x->is_state == y->is_state;
  }
  return alike ? pin_ports(libs, a) : 0;
}

void netlist_swap_uncounted(Netlist *n, InstId inst, CellId to)
{
  Inst *cell = &n->insts.at[inst];
  PortId from = n->libs->cells.at[cell->master].first_port,
         first = n->libs->cells.at[to].first_port;
  for (PinId pin = cell->first_pin; pin < cell->first_pin + cell->pin_count; pin++)
    n->pins.at[pin].port = first + (n->pins.at[pin].port - from);
  cell->master = to;
}

void netlist_swap_alike(Netlist *n, InstId inst, CellId to)
{
  netlist_swap_uncounted(n, inst, to);
  n->edit_count++;
}

/* --- instances -------------------------------------------------------------------------------- */
Status netlist_insert_inst(Netlist *n, InstId scope, const char *name, CellId cell, Log *log,
                           InstId *made)
{
  if (check_scope(n, scope, name, log) != OK) return FAILED;
  NameId id = names_add_text(n->names, name);
  if (map_get(n->inst_by_name, hash_pair(scope, id)) != MAP_NO_VALUE)
    return log_error(log, "NET-001", NOWHERE, "there is an instance '%s' already", name);
  *made = netlist_add_inst(n, scope, id, cell, false);
  return OK;
}

Status netlist_may_remove_inst(const Netlist *n, InstId inst, Log *log)
{
  return check_leaf(n, inst, "remove", log);
}

Status netlist_remove_inst(Netlist *n, InstId inst, Log *log)
{
  if (netlist_may_remove_inst(n, inst, log) != OK) return FAILED;
  const Inst i = n->insts.at[inst];
  for (PinId pin = i.first_pin; pin < i.first_pin + i.pin_count; pin++) netlist_detach(n, pin);
  n->insts.at[inst].flags |= INST_DELETED;
  map_remove(n->inst_by_name, hash_pair(i.parent, i.name));
  n->leaf_count--;
  n->edit_count++;
  return OK;
}

/* --- nets ------------------------------------------------------------------------------------- */
Status netlist_insert_net(Netlist *n, InstId scope, const char *name, Log *log, SegId *made)
{
  if (check_scope(n, scope, name, log) != OK) return FAILED;
  NameId id = names_add_text(n->names, name);
  if (map_get(n->seg_by_name, hash_pair(scope, id)) != MAP_NO_VALUE)
    return log_error(log, "NET-006", NOWHERE, "there is a net '%s' already", name);
  *made = netlist_add_seg(n, scope, id);
  return OK;
}

/* The port of the segment's own scope that it is the inside of. */
static PinId port_of(const Netlist *n, SegId seg)
{
  InstId scope = n->segs.at[seg].scope;
  const Inst *inst = &n->insts.at[scope];
  for (PinId pin = inst->first_pin; pin < inst->first_pin + inst->pin_count; pin++)
    if ((scope == TOP_INST ? n->pins.at[pin].seg : netlist_inner_seg(n, pin)) == seg) return pin;
  return NO_PIN;
}

Status netlist_may_remove_net(const Netlist *n, SegId seg, Log *log)
{
  Text t = { 0 };
  Status status = OK;
  PinId port = port_of(n, seg);
  if (seg_is_deleted(n, seg))
    status = log_error(log, "NET-011", NOWHERE, "cannot remove the net '%s': it was removed",
                       seg_name(n, seg, &t));
  else if (port != NO_PIN)
    status = log_error(log, "NET-010", NOWHERE,
                       "cannot remove the net '%s': it belongs to the port '%s'",
                       seg_name(n, seg, &t), names_text(n->names, netlist_pin_port_name(n, port)));
  text_free(&t);
  return status;
}

Status netlist_remove_net(Netlist *n, SegId seg, Log *log)
{
  if (netlist_may_remove_net(n, seg, log) != OK) return FAILED;
  netlist_isolate(n, seg);
  map_remove(n->seg_by_name, hash_pair(n->segs.at[seg].scope, n->segs.at[seg].name));
  n->edit_count++;
  return OK;
}

/* --- connections ------------------------------------------------------------------------------ */
static InstId outer_scope(const Netlist *n, PinId pin)
{
  InstId inst = n->pins.at[pin].inst;
  return inst == TOP_INST ? TOP_INST : n->insts.at[inst].parent;
}

Status netlist_may_connect(const Netlist *n, PinId pin, SegId seg, Log *log)
{
  Text p = { 0 }, s = { 0 };
  Status status = OK;
  pin_name(n, pin, &p);
  seg_name(n, seg, &s);
  if ((n->insts.at[n->pins.at[pin].inst].flags & INST_DELETED) || seg_is_deleted(n, seg))
    status = log_error(log, "NET-011", NOWHERE,
                       "cannot connect '%s' to '%s': one of them was removed", p.at, s.at);
  else if (n->pins.at[pin].seg != NO_SEG)
    status = log_error(log, "NET-007", NOWHERE,
                       "cannot connect '%s' to '%s': the pin is connected already", p.at, s.at);
  else if (outer_scope(n, pin) != n->segs.at[seg].scope)
    status =
        log_error(log, "NET-009", NOWHERE,
                  "cannot connect '%s' to '%s': they are not in the same hierarchical instance",
                  p.at, s.at);
  text_free(&p);
  text_free(&s);
  return status;
}

Status netlist_connect(Netlist *n, PinId pin, SegId seg, Log *log)
{
  if (netlist_may_connect(n, pin, seg, log) != OK) return FAILED;
  netlist_attach(n, pin, seg);
  return OK;
}

Status netlist_disconnect(Netlist *n, PinId pin, Log *log)
{
  Text t = { 0 };
  if (n->pins.at[pin].seg != NO_SEG) {
    netlist_detach(n, pin);
    return OK;
  }
  log_error(log, "NET-008", NOWHERE, "cannot disconnect '%s': it is not connected",
            pin_name(n, pin, &t));
  text_free(&t);
  return FAILED;
}
