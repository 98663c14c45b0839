/* Builds the netlist, scope by scope in the order of instances: so outer scopes come before inner
   ones. */
#include "base/interrupt.h"
#include "read/link/link_private.h"

/* --- sizes: everything is reserved once ------------------------------------------------------- */
static uint32_t leaf_pins(const LibrarySet *libs, CellId cell)
{
  const LibCell *lib_cell = &libs->cells.at[cell];
  uint32_t count = 0;
  for (uint32_t p = 0; p < lib_cell->port_count; p++)
    count += !libs->ports.at[lib_cell->first_port + p].is_state;
  return count;
}

static void add_up(Linker *linker, Master *master)
{
  const VerilogModule *module = master->module;
  master->insts = 1;
  master->segs = module->bits.len;
  master->pins = master->first_pin.at[module->ports.len];
  for (uint32_t at = 0; at < module->words.len;) {
    const Master *used =
        &linker->masters.at[link_master(linker, verilog_next_inst(module, &at).master)];
    master->insts += used->insts;
    master->segs += used->segs;
    master->pins += used->pins;
    /* sums of these do not overflow */
    if (master->insts >= INT32_MAX || master->segs >= INT32_MAX || master->pins >= INT32_MAX) break;
  }
}

Status link_size(Linker *linker, uint32_t top)
{
  for (uint32_t i = 0; i < linker->masters.len; i++) {
    Master *master = &linker->masters.at[i];
    master->insts = 1;
    if (master->kind != MASTER_MODULE) master->pins = leaf_pins(linker->libs, master->cell);
  }
  for (uint32_t i = 0; i < linker->order.len; i++) {
    Master *master = &linker->masters.at[linker->order.at[i]];
    add_up(linker, master);
    if (master->insts >= INT32_MAX || master->segs >= INT32_MAX || master->pins >= INT32_MAX)
      return log_error(linker->log, "LINK-009", NOWHERE,
                       "module '%.60s' has over 2^31 instances, nets or pins with all below it",
                       names_text(linker->names, master->name));
  }
  const Master *master = &linker->masters.at[top];
  array_reserve(&linker->n->insts, master->insts);
  array_reserve(&linker->n->pins, master->pins);
  array_reserve(&linker->n->segs, master->segs);
  map_reserve(linker->n->inst_by_name, (uint32_t)master->insts);
  map_reserve(linker->n->seg_by_name, (uint32_t)master->segs);
  return OK;
}

/* --- interfaces ------------------------------------------------------------------------------- */
/* A net that keeps its backslash (its text is also that of a bus bit) gives it to its port. */
static bool keeps_backslash(const Linker *linker, const VerilogModule *module,
                            const VerilogPort *port)
{
  if (port->is_bus || port->ref & REF_LIST) return false;
  const char *net = names_text(linker->names, module->bits.at[port->ref]);
  return *net == '\\' && strcmp(net + 1, names_text(linker->names, port->name)) == 0;
}

static NameId port_name(Linker *linker, const VerilogModule *module, uint32_t place)
{
  const VerilogPort *port = &module->ports.at[place];
  if (port->name != NO_NAME)
    return keeps_backslash(linker, module, port) ? module->bits.at[port->ref] : port->name;
  Text t = { 0 };
  text_printf(&t, "port%u", place + 1);
  NameId name = names_add(linker->names, t.at, t.len);
  text_free(&t);
  return name;
}

static void add_port(Linker *linker, const Master *master, uint32_t place)
{
  const VerilogModule *module = master->module;
  const VerilogPort *port = &module->ports.at[place];
  NameId name = port_name(linker, module, place);
  uint8_t direction = link_port_direction(master, place);
  if (!port->is_bus) {
    netlist_add_port(linker->n, name, direction, NO_BUS);
    return;
  }
  uint32_t bus = netlist_add_bus(linker->n, name, port->from, port->to),
           width = verilog_width(module, port->ref);
  int32_t step = port->from > port->to ? -1 : 1;
  for (uint32_t i = 0; i < width; i++)
    netlist_add_port(linker->n, link_bit_name(linker, name, port->from + (int32_t)i * step),
                     direction, bus);
}

static void add_module(Linker *linker, uint32_t master)
{
  Master *the_master = &linker->masters.at[master];
  the_master->id = netlist_add_module(linker->n, the_master->name);
  array_push(&linker->master_of, master);
  for (uint32_t p = 0; p < the_master->module->ports.len; p++) add_port(linker, the_master, p);
  verilog_name_bits(the_master->module, linker->names);
}

/* --- connections ------------------------------------------------------------------------------ */
static SegId seg_of(uint32_t base, uint32_t bit) { return bit == REF_NONE ? NO_SEG : base + bit; }

/* count pins from first on to the bits of a ref, low bits to low pins. */
static void connect_pins(Linker *linker, const VerilogModule *scope, SegId base, uint32_t ref,
                         PinId first, uint32_t count)
{
  verilog_expand(scope, ref, &linker->bits);
  uint32_t have = linker->bits.len;
  for (uint32_t i = 0; i < count && i < have; i++)
    linker->n->pins.at[first + count - 1 - i].seg = seg_of(base, linker->bits.at[have - 1 - i]);
}

static void connect_pin(Linker *linker, const VerilogModule *scope, SegId base, uint32_t ref,
                        PinId pin)
{
  if (ref == REF_NONE || !(ref & REF_LIST)) linker->n->pins.at[pin].seg = seg_of(base, ref);
  else connect_pins(linker, scope, base, ref, pin, 1);
}

/* The pin of a leaf's port: at the port's place, but for states left out before it. */
static PinId pin_at(const Linker *linker, InstId inst, PortId port)
{
  const Inst *cell = &linker->n->insts.at[inst];
  PinId pin = cell->first_pin + (port - linker->libs->cells.at[cell->master].first_port);
  return pin < linker->n->pins.len && linker->n->pins.at[pin].port == port
                 && linker->n->pins.at[pin].inst == inst
             ? pin
             : netlist_pin_of_port(linker->n, inst, port);
}

typedef struct {
  const VerilogModule *module;
  SegId base;                /* the scope's first segment: local bit 0 */
} Scope;

/* A pin that the cell has not: its net is kept where it gives power. */
static void connect_supply(Linker *linker, const Scope *scope, uint32_t ref, NameId pin, InstId id)
{
  if (ref == REF_NONE || pin == NO_NAME) return;
  if (!link_is_supply(linker, linker->n->insts.at[id].master, pin, scope->module, ref)) return;
  verilog_expand(scope->module, ref, &linker->bits);
  SegId seg = seg_of(scope->base, linker->bits.at[linker->bits.len - 1]);
  if (seg != NO_SEG) array_push(&linker->n->supplies, (SupplyPin){ id, pin, seg });
}

static void connect_cell(Linker *linker, const Scope *scope, const VerilogInst *inst, uint32_t c,
                         uint32_t master, InstId id)
{
  const Master *the_master = &linker->masters.at[master];
  uint32_t ref = verilog_conn_ref(inst, c);
  PortId first = linker->libs->cells.at[the_master->cell].first_port;
  CellTarget t = link_cell_target(linker, master, inst, c);
  if (t.width == 1 && !t.by_stub) {
    connect_pin(linker, scope->module, scope->base, ref, pin_at(linker, id, first + t.first));
    return;
  }
  verilog_expand(scope->module, ref, &linker->bits);
  bool any = false;
  for (uint32_t i = 0; i < t.width; i++) {        /* low bits to low pins */
    uint32_t pin = link_target_pin(the_master, &t, t.width - 1 - i);
    if (pin == NO_INDEX) continue;
    any = true;
    if (i >= linker->bits.len) continue;
    linker->n->pins.at[pin_at(linker, id, first + pin)].seg =
        seg_of(scope->base, linker->bits.at[linker->bits.len - 1 - i]);
  }
  if (!any) connect_supply(linker, scope, ref, t.name, id);
}

static void connect_module(Linker *linker, const Scope *scope, const VerilogInst *inst, uint32_t c,
                           uint32_t master, InstId id)
{
  uint32_t port =
      inst->positional ? c : link_module_port(linker, master, c, verilog_conn_port(inst, c));
  const Master *the_master = &linker->masters.at[master];
  uint32_t first = the_master->first_pin.at[port],
           width = the_master->first_pin.at[port + 1] - first;
  connect_pins(linker, scope->module, scope->base, verilog_conn_ref(inst, c),
               linker->n->insts.at[id].first_pin + first, width);
}

static void connect_box(Linker *linker, const Scope *scope, const VerilogInst *inst, uint32_t c,
                        uint32_t master, InstId id)
{
  const Master *the_master = &linker->masters.at[master];
  NameId name = link_box_port_name(linker, the_master, inst, c);
  uint32_t width =
      linker->box_ports.at[map_get(linker->box_port_by_name, hash_pair(master, name))].width;
  if (width == 1) {
    connect_pin(linker, scope->module, scope->base, verilog_conn_ref(inst, c),
                pin_at(linker, id, library_find_port(linker->libs, the_master->cell, name)));
    return;
  }
  VerilogBits bits = { 0 };
  verilog_expand(scope->module, verilog_conn_ref(inst, c), &bits);
  for (uint32_t i = 0; i < bits.len; i++) {
    PortId port =
        library_find_port(linker->libs, the_master->cell, link_bit_name(linker, name, (int32_t)i));
    linker->n->pins.at[pin_at(linker, id, port)].seg =
        seg_of(scope->base, bits.at[bits.len - 1 - i]);
  }
  array_free(&bits);
}

static void add_instance(Linker *linker, InstId scope, const Scope *the_scope,
                         const VerilogInst *inst)
{
  uint32_t master = link_master(linker, inst->master);
  const Master *the_master = &linker->masters.at[master];
  MasterKind kind = the_master->kind;
  bool hierarchical = kind == MASTER_MODULE;
  InstId id = netlist_add_inst(linker->n, scope, inst->name,
                               hierarchical ? the_master->id : the_master->cell, hierarchical);
  for (uint32_t c = 0; c < inst->count; c++)
    if (kind == MASTER_CELL) connect_cell(linker, the_scope, inst, c, master, id);
    else if (kind == MASTER_MODULE) connect_module(linker, the_scope, inst, c, master, id);
    else connect_box(linker, the_scope, inst, c, master, id);
}

/* --- scopes ----------------------------------------------------------------------------------- */
static void connect_inside(Linker *linker, PinId pin, SegId inner)
{
  Netlist *n = linker->n;
  if (inner == NO_SEG) return;
  if (n->pins.at[pin].inst == TOP_INST) {
    n->pins.at[pin].seg = inner;
    return;
  }
  map_put(n->inner_seg, pin, inner);
  if (n->pins.at[pin].seg != NO_SEG) netlist_unite(n, n->pins.at[pin].seg, inner);
}

static void open_ports(Linker *linker, InstId scope, const Scope *the_scope)
{
  PinId pin = linker->n->insts.at[scope].first_pin;
  for (uint32_t p = 0; p < the_scope->module->ports.len; p++) {
    verilog_expand(the_scope->module, the_scope->module->ports.at[p].ref, &linker->bits);
    for (uint32_t i = 0; i < linker->bits.len; i++)
      connect_inside(linker, pin++, seg_of(the_scope->base, linker->bits.at[i]));
  }
}

static void open_scope(Linker *linker, InstId scope)
{
  const VerilogModule *module =
      linker->masters.at[linker->master_of.at[linker->n->insts.at[scope].master]].module;
  Scope s = { module, linker->n->segs.len };
  for (uint32_t b = 0; b < module->bits.len; b++)
    netlist_begin_seg(linker->n, scope, module->bits.at[b]);
  open_ports(linker, scope, &s);
  for (uint32_t i = 0; i < module->joins.len; i++)
    netlist_begin_join(linker->n, s.base + module->joins.at[i].a, s.base + module->joins.at[i].b);
  for (uint32_t i = 0; i < module->ties.len; i++)
    netlist_begin_tie(linker->n, s.base + module->ties.at[i].bit, module->ties.at[i].flags);
  for (uint32_t at = 0; at < module->words.len && !interrupt_seen();) {
    VerilogInst inst = verilog_next_inst(module, &at);
    add_instance(linker, scope, &s, &inst);
  }
}

void link_build(Linker *linker, uint32_t top)
{
  for (uint32_t i = linker->order.len; i-- > 0;) add_module(linker, linker->order.at[i]);
  for (uint32_t i = 0; i < linker->reversed.len; i++)
    array_push(&linker->n->reversed_buses, linker->reversed.at[i]);
  netlist_add_inst(linker->n, NO_INST, linker->masters.at[top].name, linker->masters.at[top].id,
                   true);
  for (InstId i = 0; i < linker->n->insts.len; i++)
    if (!inst_is_leaf(linker->n, i) && !interrupt_seen()) open_scope(linker, i);
  if (!interrupt_seen()) netlist_settle(linker->n);
}
