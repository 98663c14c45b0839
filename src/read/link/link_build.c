/* Builds the netlist, scope by scope in the order of instances: so outer scopes come before inner
   ones. */
#include "base/interrupt.h"
#include "read/link/link_private.h"

/* --- sizes: everything is reserved once ------------------------------------------------------- */
static uint32_t leaf_pins(const LibrarySet *libs, CellId cell)
{
  const LibCell *c = &libs->cells.at[cell];
  uint32_t count = 0;
  for (uint32_t p = 0; p < c->port_count; p++) count += !libs->ports.at[c->first_port + p].is_state;
  return count;
}

static void add_up(Linker *k, Master *m)
{
  const VerilogModule *module = m->module;
  m->insts = 1;
  m->segs = module->bits.len;
  m->pins = m->first_pin.at[module->ports.len];
  for (uint32_t at = 0; at < module->words.len;) {
    const Master *used = &k->masters.at[link_master(k, verilog_next_inst(module, &at).master)];
    m->insts += used->insts;
    m->segs += used->segs;
    m->pins += used->pins;
    /* sums of these do not overflow */
    if (m->insts >= INT32_MAX || m->segs >= INT32_MAX || m->pins >= INT32_MAX) break;
  }
}

Status link_size(Linker *k, uint32_t top)
{
  for (uint32_t i = 0; i < k->masters.len; i++) {
    Master *m = &k->masters.at[i];
    m->insts = 1;
    if (m->kind != MASTER_MODULE) m->pins = leaf_pins(k->libs, m->cell);
  }
  for (uint32_t i = 0; i < k->order.len; i++) {
    Master *m = &k->masters.at[k->order.at[i]];
    add_up(k, m);
    if (m->insts >= INT32_MAX || m->segs >= INT32_MAX || m->pins >= INT32_MAX)
      return log_error(k->log, "LINK-009", NOWHERE,
                       "module '%.60s' has over 2^31 instances, nets or pins with all below it",
                       names_text(k->names, m->name));
  }
  const Master *m = &k->masters.at[top];
  array_reserve(&k->n->insts, m->insts);
  array_reserve(&k->n->pins, m->pins);
  array_reserve(&k->n->segs, m->segs);
  map_reserve(k->n->inst_by_name, (uint32_t)m->insts);
  map_reserve(k->n->seg_by_name, (uint32_t)m->segs);
  return OK;
}

/* --- interfaces ------------------------------------------------------------------------------- */
/* A net that keeps its backslash (its text is also that of a bus bit) gives it to its port. */
static bool keeps_backslash(const Linker *k, const VerilogModule *m, const VerilogPort *port)
{
  if (port->is_bus || port->ref & REF_LIST) return false;
  const char *net = names_text(k->names, m->bits.at[port->ref]);
  return *net == '\\' && strcmp(net + 1, names_text(k->names, port->name)) == 0;
}

static NameId port_name(Linker *k, const VerilogModule *m, uint32_t place)
{
  const VerilogPort *port = &m->ports.at[place];
  if (port->name != NO_NAME)
    return keeps_backslash(k, m, port) ? m->bits.at[port->ref] : port->name;
  Text t = { 0 };
  text_printf(&t, "port%u", place + 1);
  NameId name = names_add(k->names, t.at, t.len);
  text_free(&t);
  return name;
}

static void add_port(Linker *k, const Master *master, uint32_t place)
{
  const VerilogModule *m = master->module;
  const VerilogPort *port = &m->ports.at[place];
  NameId name = port_name(k, m, place);
  uint8_t direction = link_port_direction(master, place);
  if (!port->is_bus) {
    netlist_add_port(k->n, name, direction, NO_BUS);
    return;
  }
  uint32_t bus = netlist_add_bus(k->n, name, port->from, port->to),
           width = verilog_width(m, port->ref);
  int32_t step = port->from > port->to ? -1 : 1;
  for (uint32_t i = 0; i < width; i++)
    netlist_add_port(k->n, link_bit_name(k, name, port->from + (int32_t)i * step), direction, bus);
}

static void add_module(Linker *k, uint32_t master)
{
  Master *m = &k->masters.at[master];
  m->id = netlist_add_module(k->n, m->name);
  array_push(&k->master_of, master);
  for (uint32_t p = 0; p < m->module->ports.len; p++) add_port(k, m, p);
  verilog_name_bits(m->module, k->names);
}

/* --- connections ------------------------------------------------------------------------------ */
static SegId seg_of(uint32_t base, uint32_t bit) { return bit == REF_NONE ? NO_SEG : base + bit; }

/* count pins from first on to the bits of a ref, low bits to low pins. */
static void connect_pins(Linker *k, const VerilogModule *scope, SegId base, uint32_t ref,
                         PinId first, uint32_t count)
{
  verilog_expand(scope, ref, &k->bits);
  uint32_t have = k->bits.len;
  for (uint32_t i = 0; i < count && i < have; i++)
    k->n->pins.at[first + count - 1 - i].seg = seg_of(base, k->bits.at[have - 1 - i]);
}

static void connect_pin(Linker *k, const VerilogModule *scope, SegId base, uint32_t ref, PinId pin)
{
  if (ref == REF_NONE || !(ref & REF_LIST)) k->n->pins.at[pin].seg = seg_of(base, ref);
  else connect_pins(k, scope, base, ref, pin, 1);
}

/* The pin of a leaf's port: at the port's place, but for states left out before it. */
static PinId pin_at(const Linker *k, InstId inst, PortId port)
{
  const Inst *i = &k->n->insts.at[inst];
  PinId pin = i->first_pin + (port - k->libs->cells.at[i->master].first_port);
  return pin < k->n->pins.len && k->n->pins.at[pin].port == port && k->n->pins.at[pin].inst == inst
           ? pin : netlist_pin_of_port(k->n, inst, port);
}

typedef struct {
  const VerilogModule *module;
  SegId base;                /* the scope's first segment: local bit 0 */
} Scope;

/* A pin that the cell has not: its net is kept where it gives power. */
static void connect_supply(Linker *k, const Scope *s, uint32_t ref, NameId pin, InstId id)
{
  if (ref == REF_NONE || pin == NO_NAME) return;
  if (!link_is_supply(k, k->n->insts.at[id].master, pin, s->module, ref)) return;
  verilog_expand(s->module, ref, &k->bits);
  SegId seg = seg_of(s->base, k->bits.at[k->bits.len - 1]);
  if (seg != NO_SEG) array_push(&k->n->supplies, (SupplyPin){ id, pin, seg });
}

static void connect_cell(Linker *k, const Scope *s, const VerilogInst *inst, uint32_t c,
                         uint32_t master, InstId id)
{
  const Master *m = &k->masters.at[master];
  uint32_t ref = verilog_conn_ref(inst, c);
  PortId first = k->libs->cells.at[m->cell].first_port;
  CellTarget t = link_cell_target(k, master, inst, c);
  if (t.width == 1 && !t.by_stub) {
    connect_pin(k, s->module, s->base, ref, pin_at(k, id, first + t.first));
    return;
  }
  verilog_expand(s->module, ref, &k->bits);
  bool any = false;
  for (uint32_t i = 0; i < t.width; i++) {        /* low bits to low pins */
    uint32_t pin = link_target_pin(m, &t, t.width - 1 - i);
    if (pin == NO_INDEX) continue;
    any = true;
    if (i >= k->bits.len) continue;
    k->n->pins.at[pin_at(k, id, first + pin)].seg =
        seg_of(s->base, k->bits.at[k->bits.len - 1 - i]);
  }
  if (!any) connect_supply(k, s, ref, t.name, id);
}

static void connect_module(Linker *k, const Scope *s, const VerilogInst *inst, uint32_t c,
                           uint32_t master, InstId id)
{
  uint32_t port = inst->positional ? c : link_module_port(k, master, c, verilog_conn_port(inst, c));
  const Master *m = &k->masters.at[master];
  uint32_t first = m->first_pin.at[port], width = m->first_pin.at[port + 1] - first;
  connect_pins(k, s->module, s->base, verilog_conn_ref(inst, c),
               k->n->insts.at[id].first_pin + first, width);
}

static void connect_box(Linker *k, const Scope *s, const VerilogInst *inst, uint32_t c,
                        uint32_t master, InstId id)
{
  const Master *m = &k->masters.at[master];
  NameId name = link_box_port_name(k, m, inst, c);
  uint32_t width = k->box_ports.at[map_get(k->box_port_by_name, hash_pair(master, name))].width;
  if (width == 1) {
    connect_pin(k, s->module, s->base, verilog_conn_ref(inst, c),
                pin_at(k, id, library_find_port(k->libs, m->cell, name)));
    return;
  }
  VerilogBits bits = { 0 };
  verilog_expand(s->module, verilog_conn_ref(inst, c), &bits);
  for (uint32_t i = 0; i < bits.len; i++) {
    PortId port = library_find_port(k->libs, m->cell, link_bit_name(k, name, (int32_t)i));
    k->n->pins.at[pin_at(k, id, port)].seg = seg_of(s->base, bits.at[bits.len - 1 - i]);
  }
  array_free(&bits);
}

static void add_instance(Linker *k, InstId scope, const Scope *s, const VerilogInst *inst)
{
  uint32_t master = link_master(k, inst->master);
  const Master *m = &k->masters.at[master];
  MasterKind kind = m->kind;
  bool hierarchical = kind == MASTER_MODULE;
  InstId id =
      netlist_add_inst(k->n, scope, inst->name, hierarchical ? m->id : m->cell, hierarchical);
  for (uint32_t c = 0; c < inst->count; c++)
    if (kind == MASTER_CELL) connect_cell(k, s, inst, c, master, id);
    else if (kind == MASTER_MODULE) connect_module(k, s, inst, c, master, id);
    else connect_box(k, s, inst, c, master, id);
}

/* --- scopes ----------------------------------------------------------------------------------- */
static void connect_inside(Linker *k, PinId pin, SegId inner)
{
  Netlist *n = k->n;
  if (inner == NO_SEG) return;
  if (n->pins.at[pin].inst == TOP_INST) {
    n->pins.at[pin].seg = inner;
    return;
  }
  map_put(n->inner_seg, pin, inner);
  if (n->pins.at[pin].seg != NO_SEG) netlist_unite(n, n->pins.at[pin].seg, inner);
}

static void open_ports(Linker *k, InstId scope, const Scope *s)
{
  PinId pin = k->n->insts.at[scope].first_pin;
  for (uint32_t p = 0; p < s->module->ports.len; p++) {
    verilog_expand(s->module, s->module->ports.at[p].ref, &k->bits);
    for (uint32_t i = 0; i < k->bits.len; i++)
      connect_inside(k, pin++, seg_of(s->base, k->bits.at[i]));
  }
}

static void open_scope(Linker *k, InstId scope)
{
  const VerilogModule *m = k->masters.at[k->master_of.at[k->n->insts.at[scope].master]].module;
  Scope s = { m, k->n->segs.len };
  for (uint32_t b = 0; b < m->bits.len; b++) netlist_begin_seg(k->n, scope, m->bits.at[b]);
  open_ports(k, scope, &s);
  for (uint32_t i = 0; i < m->joins.len; i++)
    netlist_begin_join(k->n, s.base + m->joins.at[i].a, s.base + m->joins.at[i].b);
  for (uint32_t i = 0; i < m->ties.len; i++)
    netlist_begin_tie(k->n, s.base + m->ties.at[i].bit, m->ties.at[i].flags);
  for (uint32_t at = 0; at < m->words.len && !interrupt_seen();) {
    VerilogInst inst = verilog_next_inst(m, &at);
    add_instance(k, scope, &s, &inst);
  }
}

void link_build(Linker *k, uint32_t top)
{
  for (uint32_t i = k->order.len; i-- > 0;) add_module(k, k->order.at[i]);
  for (uint32_t i = 0; i < k->reversed.len; i++)
    array_push(&k->n->reversed_buses, k->reversed.at[i]);
  netlist_add_inst(k->n, NO_INST, k->masters.at[top].name, k->masters.at[top].id, true);
  for (InstId i = 0; i < k->n->insts.len; i++)
    if (!inst_is_leaf(k->n, i) && !interrupt_seen()) open_scope(k, i);
  if (!interrupt_seen()) netlist_settle(k->n);
}
