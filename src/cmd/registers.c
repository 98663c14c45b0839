/* Finds registers for all_registers without timing. With clocks it follows each clock through
   buffers, gates and hierarchy, with its edges, to the pins that it triggers. */
#include "cmd/registers.h"

#include "base/hash.h"
#include "base/memory.h"

/* --- where a clock arrives, and with which edges ---------------------------------------------- */

/* edges.at[pin]: bit e is set when edge e of the pin comes from the clock's rise, bit 2+e when from
   its fall. */
typedef struct {
  const Session *s;
  ARRAY(uint8_t) edges;
  PinArray work;
} Reach;

static void arrive(Reach *reach, PinId pin, uint8_t edges)
{
  uint8_t *have = &reach->edges.at[pin];
  if ((edges & ~*have) == 0) return;
  *have |= edges;
  array_push(&reach->work, pin);
}

static uint8_t invert(uint8_t edges) { return (uint8_t)((edges & 0x5) << 1 | (edges & 0xa) >> 1); }

static uint8_t through(ArcSense sense, uint8_t edges)
{
  return sense == SENSE_POSITIVE   ? edges
         : sense == SENSE_NEGATIVE ? invert(edges)
                                   : (uint8_t)(edges | invert(edges));
}

static bool is_source(const Session *s, PinId pin)
{
  for (ClockId c = 0; c < s->constraints->clocks.len; c++) {
    const Clock *clock = &s->constraints->clocks.at[c];
    for (uint32_t i = 0; i < clock->sources.len && !clock->deleted; i++)
      if (clock->sources.at[i] == pin) return true;
  }
  return false;
}

static void through_cell(Reach *reach, PinId pin)
{
  const Netlist *n = reach->s->netlist;
  const Pin *the_pin = &n->pins.at[pin];
  const LibCell *cell = &reach->s->libs->cells.at[n->insts.at[the_pin->inst].master];
  for (uint32_t i = 0; i < cell->arc_count; i++) {
    const LibArc *arc = &reach->s->libs->arcs.at[cell->first_arc + i];
    if (arc->from != the_pin->port || !arc_type_passes(arc->type)) continue;
    PinId to = netlist_pin_of_port(n, the_pin->inst, arc->to);
    if (to != NO_PIN && !is_source(reach->s, to))
      arrive(reach, to, through(arc->sense, reach->edges.at[pin]));
  }
}

static void along_net(Reach *reach, PinId pin)
{
  const Netlist *n = reach->s->netlist;
  NetId net = netlist_pin_net(n, pin);
  if (net == NO_NET) return;
  NetPins it = net_pins(n, net, false);
  for (PinId p = net_pins_next(&it); p != NO_PIN; p = net_pins_next(&it))
    if (p != pin && netlist_pin_loads(n, p) && !is_source(reach->s, p))
      arrive(reach, p, reach->edges.at[pin]);
}

/* A clock on a hierarchical pin: all that its inner side drives. */
static void into_block(Reach *reach, PinId pin)
{
  const Netlist *n = reach->s->netlist;
  SegId inner = netlist_inner_seg(n, pin);
  if (inner == NO_SEG) return;
  NetPins it = net_pins(n, n->segs.at[inner].net, false);
  for (PinId p = net_pins_next(&it); p != NO_PIN; p = net_pins_next(&it))
    if (netlist_pin_loads(n, p)) arrive(reach, p, reach->edges.at[pin]);
}

static void step(Reach *reach, PinId pin)
{
  const Netlist *n = reach->s->netlist;
  if (pin_is_hierarchical(n, pin)) into_block(reach, pin);
  else if (netlist_pin_drives(n, pin)) along_net(reach, pin);
  if (!pin_is_top_port(n, pin) && !pin_is_hierarchical(n, pin) && netlist_pin_loads(n, pin))
    through_cell(reach, pin);
}

static void reach_from(Reach *reach, const RegisterQuery *query)
{
  array_resize(&reach->edges, reach->s->netlist->pins.len);
  for (uint32_t i = 0; i < query->clock_count; i++) {
    const Clock *clock = &reach->s->constraints->clocks.at[query->clocks[i].id];
    for (uint32_t k = 0; k < clock->sources.len; k++)
      arrive(reach, clock->sources.at[k], 1 << RISE | 4 << FALL);
  }
  while (reach->work.len) {
    PinId pin = reach->work.at[--reach->work.len];
    step(reach, pin);
  }
}

/* --- registers and the roles of their pins ---------------------------------------------------- */

enum { ROLE_CLOCK = 1, ROLE_DATA = 2, ROLE_ASYNC = 4, ROLE_OUTPUT = 8 };

typedef struct {
  bool    is_register, is_latch;
  ARRAY(uint8_t) roles;          /* by index of port in the cell */
  ARRAY(uint8_t) triggers;       /* of clock ports: mask of edges */
} CellRoles;

static void note_arc(CellRoles *roles, const LibCell *cell, const LibArc *arc)
{
  uint32_t from = arc->from - cell->first_port, to = arc->to - cell->first_port;
  if (from >= cell->port_count || to >= cell->port_count) return;
  switch (arc->type) {
    case ARC_LATCH_ENABLE: case ARC_CLOCK_RISE: case ARC_CLOCK_FALL:
      roles->is_register = true;
      roles->is_latch |= arc->type == ARC_LATCH_ENABLE;
      roles->roles.at[from] |= ROLE_CLOCK;
      roles->roles.at[to] |= ROLE_OUTPUT;
      roles->triggers.at[from] |=
          (uint8_t)(1u << (arc->type == ARC_LATCH_ENABLE ? arc->edge
                                                         : arc->type == ARC_CLOCK_FALL));
      break;
    case ARC_SETUP: case ARC_HOLD: roles->roles.at[to] |= ROLE_DATA; break;
    case ARC_RECOVERY: case ARC_REMOVAL: roles->roles.at[to] |= ROLE_ASYNC; break;
    case ARC_PRESET: case ARC_CLEAR: roles->roles.at[from] |= ROLE_ASYNC; break;
    default: break;
  }
}

static void find_roles(const Session *s, CellId id, CellRoles *roles)
{
  const LibCell *cell = &s->libs->cells.at[id];
  array_clear(&roles->roles);
  array_clear(&roles->triggers);
  array_resize(&roles->roles, cell->port_count);
  array_resize(&roles->triggers, cell->port_count);
  roles->is_register = roles->is_latch = false;
  for (uint32_t i = 0; i < cell->arc_count; i++)
    note_arc(roles, cell, &s->libs->arcs.at[cell->first_arc + i]);
  if (cell->flags & CELL_CLOCK_GATE) roles->is_register = false;
}

static uint32_t port_index(const Session *s, const Inst *inst, uint32_t pin)
{
  return s->netlist->pins.at[inst->first_pin + pin].port
         - s->libs->cells.at[inst->master].first_port;
}

/* The clock's edges that trigger: edge e of the pin caused by the clock's rise (bit e) or fall (bit
   2+e). */
static bool is_triggered(const Reach *reach, const RegisterQuery *query, const CellRoles *roles,
                         const Inst *inst)
{
  if (query->clocks == NULL) return true;
  for (uint32_t i = 0; i < inst->pin_count; i++) {
    uint32_t k = port_index(reach->s, inst, i);
    if (!(roles->roles.at[k] & ROLE_CLOCK)) continue;
    uint8_t edges = reach->edges.at[inst->first_pin + i], trigger = roles->triggers.at[k];
    if ((query->edges & EDGE_RISE) && (edges & trigger)) return true;
    if ((query->edges & EDGE_FALL) && (edges >> 2 & trigger)) return true;
  }
  return false;
}

static uint8_t wanted_roles(const RegisterQuery *query)
{
  return (uint8_t)((query->clock_pins ? ROLE_CLOCK : 0) | (query->data_pins ? ROLE_DATA : 0)
                   | (query->async_pins ? ROLE_ASYNC : 0) | (query->output_pins ? ROLE_OUTPUT : 0));
}

static void add_register(const Session *s, const RegisterQuery *query, const CellRoles *roles,
                         InstId id, ObjectArray *out)
{
  const Inst *inst = &s->netlist->insts.at[id];
  uint8_t wanted = wanted_roles(query);
  if (query->cells || wanted == 0) array_push(out, (Object){ OBJ_CELL, id });
  for (uint32_t k = 0; k < inst->pin_count; k++)
    if (roles->roles.at[port_index(s, inst, k)] & wanted)
      array_push(out, (Object){ OBJ_PIN, inst->first_pin + k });
}

void registers_find(const Session *s, const RegisterQuery *query, ObjectArray *out)
{
  Reach reach = { .s = s };
  CellRoles roles = { 0 };
  CellId last = NO_CELL;
  const Netlist *n = s->netlist;
  if (query->clocks) reach_from(&reach, query);
  for (InstId i = 1; i < n->insts.len; i++) {
    const Inst *inst = &n->insts.at[i];
    if ((inst->flags & INST_DELETED) || !inst_is_leaf(n, i)) continue;
    if (inst->master != last) find_roles(s, last = inst->master, &roles);
    if (!roles.is_register || (query->latches && !roles.is_latch && !query->flip_flops)) continue;
    if (query->flip_flops && !query->latches && roles.is_latch) continue;
    if (is_triggered(&reach, query, &roles, inst)) add_register(s, query, &roles, i, out);
  }
  array_free(&reach.edges);
  array_free(&reach.work);
  array_free(&roles.roles);
  array_free(&roles.triggers);
}
