/* Logic constants (ties, supplies, case analysis) and the arcs that they switch off. */
#include "graph/build.h"
#include "graph/hierarchy.h"

enum { UNKNOWN = 2 };

typedef struct {
  Build *b;
  ARRAY(VertexId) queue;
} Logic;

static void set_value(Logic *l, VertexId v, int value)
{
  if (v == NO_VERTEX || value == UNKNOWN || l->b->logic[v] != UNKNOWN) return;
  l->b->logic[v] = (uint8_t)value;
  array_push(&l->queue, v);
}

/* Value of a port of one instance: what library_eval asks for. */
typedef struct {
  const Build *b;
  InstId inst;
  PortId forced;              /* a port with a value of its own, for the test of dependence */
  int    forced_value;
} PortValues;

static int port_value(void *data, PortId port)
{
  const PortValues *p = data;
  if (port == p->forced) return p->forced_value;
  PinId pin = netlist_pin_of_port(p->b->g->netlist, p->inst, port);
  if (pin == NO_PIN) return UNKNOWN;
  VertexId v = p->b->pin_load[pin] != NO_VERTEX ? p->b->pin_load[pin] : p->b->pin_driver[pin];
  return v == NO_VERTEX ? UNKNOWN : p->b->logic[v];
}

static void eval_outputs(Logic *l, InstId inst)
{
  const Netlist *n = l->b->g->netlist;
  const Inst *in = &n->insts.at[inst];
  PortValues values = { l->b, inst, NO_PORT, 0 };
  for (PinId p = in->first_pin; p < in->first_pin + in->pin_count; p++) {
    VertexId v = l->b->pin_driver[p];
    if (v == NO_VERTEX || l->b->logic[v] != UNKNOWN) continue;
    const LibPort *port = &n->libs->ports.at[n->pins.at[p].port];
    if (port->function == NO_FUNCTION || port->three_state != NO_FUNCTION) continue;
    set_value(l, v, library_eval(n->libs, port->function, port_value, &values));
  }
}

/* Cells without inputs whose outputs are constant. */
static void seed_ties(Logic *l)
{
  const Netlist *n = l->b->g->netlist;
  for (InstId i = 1; i < n->insts.len; i++) {
    if (!inst_is_leaf(n, i) || (n->insts.at[i].flags & INST_DELETED)) continue;
    const LibCell *cell = &n->libs->cells.at[n->insts.at[i].master];
    if (cell->arc_count == 0 && cell->port_count > 0 && cell->port_count <= 4) eval_outputs(l, i);
  }
}

static void seed_nets(Logic *l)
{
  const Netlist *n = l->b->g->netlist;
  for (NetId net = 0; net < n->nets.len; net++) {
    uint32_t flags = n->nets.at[net].flags;
    int value = flags & (NET_CONSTANT_ONE | NET_POWER) ? 1 : flags & (NET_CONSTANT_ZERO | NET_GROUND) ? 0 : UNKNOWN;
    if (value == UNKNOWN || (flags & NET_DELETED)) continue;
    for (uint32_t k = l->b->load_first[net]; k < l->b->load_first[net + 1]; k++) set_value(l, l->b->net_loads[k], value);
  }
}

/* A hierarchical pin's value holds behind it: on the side where the net's driver is not (of a net without one: inside for
   inputs).  The driver itself, and loads on its side, are as they were. */
typedef struct {
  Logic *l;
  int    value;
  int    sides;             /* drivers met: bit 0 outside, bit 1 inside */
  bool   behind;            /* the side that gets the value: inside */
  bool   setting;
} Behind;

static void visit_behind(void *data, PinId pin, bool inside)
{
  Behind *x = data;
  const Build *b = x->l->b;
  if (!x->setting) {
    if (b->pin_driver[pin] != NO_VERTEX) x->sides |= inside ? 2 : 1;
  } else if (inside == x->behind) {
    set_value(x->l, b->pin_load[pin], x->value);
  }
}

static void set_behind(Logic *l, PinId pin, int value)
{
  const Netlist *n = l->b->g->netlist;
  Behind x = { .l = l, .value = value };
  hierarchy_each(n, pin, visit_behind, &x);
  x.behind = x.sides == 0 ? netlist_pin_direction(n, pin) != DIR_OUTPUT : !(x.sides & 2);
  x.setting = true;
  hierarchy_each(n, pin, visit_behind, &x);
}

static void seed_cases(Logic *l)
{
  const Constraints *c = l->b->g->constraints;
  uint32_t *order = RECORD_ORDER(c->cases, 1);
  for (uint32_t i = 0; i < c->cases.len; i++) {
    const PinCase *pc = &c->cases.at[order[i]];
    if (pc->value > CASE_ONE) continue;
    if (pin_is_hierarchical(l->b->g->netlist, pc->pin)) {
      set_behind(l, pc->pin, pc->value);
      continue;
    }
    set_value(l, l->b->pin_driver[pc->pin], pc->value);
    set_value(l, l->b->pin_load[pc->pin], pc->value);
  }
  mem_free(order);
}

static void spread(Logic *l)
{
  Build *b = l->b;
  const Netlist *n = b->g->netlist;
  for (uint32_t i = 0; i < l->queue.len; i++) {
    VertexId v = l->queue.at[i];
    if (b->flags[v] & SLOT_DRIVER) {
      NetId net = build_vertex_net(b, v);
      if (net == NO_NET) continue;
      for (uint32_t k = b->load_first[net]; k < b->load_first[net + 1]; k++) set_value(l, b->net_loads[k], b->logic[v]);
    } else if (!(b->flags[v] & SLOT_PORT)) {
      eval_outputs(l, n->pins.at[b->pin[v]].inst);
    }
  }
}

/* Unknown inputs of a function, at most LIMIT of them; more count as dependent. */
enum { LIMIT = 12 };
typedef struct {
  PortValues values;
  PortId free[LIMIT];
  uint32_t count;
  uint32_t bits;              /* assignment of the free ports */
} Assignment;

static int assigned_value(void *data, PortId port)
{
  const Assignment *a = data;
  if (port == a->values.forced) return a->values.forced_value;
  for (uint32_t i = 0; i < a->count; i++)
    if (a->free[i] == port) return a->bits >> i & 1;
  return port_value((void *)&a->values, port);
}

enum { AS_IT_IS = 1 << 0 | 1 << 3, INVERTED = 1 << 1 | 1 << 2, ALL_PAIRS = 15 };    /* bit 2*in + out */

/* How the function follows `from`, given the constants at the instance: edge pairs; 0: not at all. */
static uint8_t sense_of(const Build *b, InstId inst, FunctionId f, PortId from)
{
  const LibrarySet *libs = b->g->libs;
  Assignment a = { .values = { b, inst, NO_PORT, 0 } };
  for (uint32_t at = f; libs->function_ops.at[at] != OP_END; at++) {
    uint32_t op = libs->function_ops.at[at];
    PortId port = op >> 3;
    if ((op & 7) != OP_PORT || port == from || port_value(&a.values, port) != UNKNOWN) continue;
    bool known = false;
    for (uint32_t i = 0; i < a.count; i++) known |= a.free[i] == port;
    if (known) continue;
    if (a.count == LIMIT) return ALL_PAIRS;
    a.free[a.count++] = port;
  }
  uint8_t pairs = 0;
  a.values.forced = from;
  for (a.bits = 0; a.bits < 1u << a.count; a.bits++) {
    a.values.forced_value = 0;
    int low = library_eval(libs, f, assigned_value, &a);
    a.values.forced_value = 1;
    int high = library_eval(libs, f, assigned_value, &a);
    if (high == UNKNOWN || low == UNKNOWN) pairs |= high != low ? ALL_PAIRS : 0;
    else if (high != low) pairs |= high ? AS_IT_IS : INVERTED;
  }
  return pairs;
}

static bool has_constant_input(const Build *b, InstId inst)
{
  const Inst *in = &b->g->netlist->insts.at[inst];
  for (PinId p = in->first_pin; p < in->first_pin + in->pin_count; p++)
    if (b->pin_load[p] != NO_VERTEX && b->logic[b->pin_load[p]] != UNKNOWN) return true;
  return false;
}

/* Edge pairs that the constants at its cell leave an arc; 0: it is off. */
static uint8_t arc_pairs_left(const Build *b, uint32_t a, InstId inst)
{
  const BuildArc *arc = &b->arcs.at[a];
  const LibArc *lib = &b->g->libs->arcs.at[arc->lib];
  if (b->logic[arc->from] != UNKNOWN || b->logic[arc->to] != UNKNOWN) return 0;
  PortValues values = { b, inst, NO_PORT, 0 };
  if (lib->when != NO_FUNCTION && library_eval(b->g->libs, lib->when, port_value, &values) == 0) return 0;
  if (lib->type != ARC_COMBINATIONAL) return ALL_PAIRS;
  FunctionId f = b->g->libs->ports.at[lib->to].function;
  if (f == NO_FUNCTION || !library_function_uses(b->g->libs, f, lib->from)) return ALL_PAIRS;
  return sense_of(b, inst, f, lib->from) & arc_pair_mask(lib);
}

static void switch_off_arcs(Build *b)
{
  b->arc_live = mem_alloc(b->arcs.len + 1);
  memset(b->arc_live, ALL_PAIRS, b->arcs.len);
  const Netlist *n = b->g->netlist;
  InstId last = NO_INST;
  bool constant = false;
  for (uint32_t a = 0; a < b->arcs.len; a++) {
    InstId inst = n->pins.at[b->pin[b->arcs.at[a].to]].inst;
    if (inst != last) constant = has_constant_input(b, inst);
    last = inst;
    if (constant || b->logic[b->arcs.at[a].to] != UNKNOWN) b->arc_live[a] = arc_pairs_left(b, a, inst);
    if (b->arc_live[a]) continue;
    b->arc_flags[a] |= b->logic[b->arcs.at[a].from] == UNKNOWN ? ARC_OFF_CONSTANT | ARC_BLOCKED : ARC_OFF_CONSTANT;
  }
}

/* A check's condition over the ports of the instance's own cell: the check may be that of another library's. */
static FunctionId own_condition(const Build *b, InstId inst, LibArcId check)
{
  const LibrarySet *libs = b->g->libs;
  CellId own = b->g->netlist->insts.at[inst].master;
  if (libs->ports.at[libs->arcs.at[check].to].cell == own) return libs->arcs.at[check].when;
  LibArcId mine = library_arc_for(libs, check, own);
  return mine == NO_LIB_ARC ? NO_FUNCTION : libs->arcs.at[mine].when;
}

/* Checks whose condition constants make false. */
static void switch_off_checks(Build *b)
{
  const LibrarySet *libs = b->g->libs;
  for (uint32_t i = 0; i < b->checks.len; i++) {
    Check *c = &b->checks.at[i];
    if (c->lib == NO_LIB_ARC || libs->arcs.at[c->lib].when == NO_FUNCTION) continue;
    InstId inst = b->g->netlist->pins.at[b->pin[c->data]].inst;
    FunctionId when = own_condition(b, inst, c->lib);
    if (when == NO_FUNCTION) continue;
    PortValues values = { b, inst, NO_PORT, 0 };
    if (has_constant_input(b, inst) && library_eval(libs, when, port_value, &values) == 0) c->off |= ARC_OFF_CONSTANT;
  }
}

void build_logic(Build *b)
{
  Logic l = { .b = b };
  seed_cases(&l);
  seed_nets(&l);
  seed_ties(&l);
  spread(&l);
  array_free(&l.queue);
  for (VertexId v = 0; v < b->vertex_count; v++)
    if (b->logic[v] != UNKNOWN) b->flags[v] |= SLOT_CONSTANT;
  switch_off_arcs(b);
  switch_off_checks(b);
}
