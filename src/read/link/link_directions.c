/* Finds the directions of ports that have no declaration, from their connections inside. */
#include "read/link/link_private.h"

/* The pins on a net inside a module. */
enum { IS_DRIVEN = 1, IS_READ = 2, IS_INOUT = 4, IS_UNKNOWN = 8 };

static uint8_t mark_of(uint8_t direction)
{
  return direction == DIR_OUTPUT ? IS_DRIVEN : direction == DIR_INPUT ? IS_READ
       : direction == DIR_INOUT ? IS_INOUT : direction == DIR_UNKNOWN ? IS_UNKNOWN : 0;
}

uint8_t link_port_direction(const Master *master, uint32_t port)
{
  return master->directions.len ? master->directions.at[port]
                                : master->module->ports.at[port].direction;
}

static uint8_t cell_direction(Linker *linker, uint32_t master, const VerilogInst *inst, uint32_t c)
{
  const Master *the_master = &linker->masters.at[master];
  PortId first = linker->libs->cells.at[the_master->cell].first_port;
  CellTarget t = link_cell_target(linker, master, inst, c);
  if (t.width == NO_INDEX) return DIR_INTERNAL;
  for (uint32_t i = 0; i < t.width; i++) {
    uint32_t pin = link_target_pin(the_master, &t, i);
    if (pin != NO_INDEX) return linker->libs->ports.at[first + pin].direction;
  }
  return DIR_INTERNAL;               /* a supply pin, or none */
}

/* The same for a module below, all of whose directions are known by now. */
static uint8_t module_direction(Linker *linker, uint32_t master, const VerilogInst *inst,
                                uint32_t c)
{
  const Master *the_master = &linker->masters.at[master];
  uint32_t port =
      inst->positional ? c : link_module_port(linker, master, c, verilog_conn_port(inst, c));
  return port < the_master->module->ports.len ? link_port_direction(the_master, port)
                                              : DIR_INTERNAL;
}

static uint8_t conn_direction(Linker *linker, uint32_t master, const VerilogInst *inst, uint32_t c)
{
  const Master *the_master = &linker->masters.at[master];
  if (the_master->kind == MASTER_CELL) return cell_direction(linker, master, inst, c);
  if (the_master->kind == MASTER_MODULE) return module_direction(linker, master, inst, c);
  if (the_master->kind != MASTER_GATE) return DIR_UNKNOWN;
  return link_gate_direction(linker, link_box_port_name(linker, the_master, inst, c));
}

static void mark_ref(Linker *linker, const VerilogModule *module, uint32_t ref, uint8_t mark,
                     uint8_t *marks)
{
  verilog_expand(module, ref, &linker->bits);
  for (uint32_t i = 0; i < linker->bits.len; i++)
    if (linker->bits.at[i] != REF_NONE) marks[linker->bits.at[i]] |= mark;
}

static void mark_inside(Linker *linker, const VerilogModule *module, uint8_t *marks)
{
  for (uint32_t i = 0; i < module->joins.len; i++) {
    marks[module->joins.at[i].a] |= IS_DRIVEN;
    marks[module->joins.at[i].b] |= IS_READ;
  }
  for (uint32_t i = 0; i < module->ties.len; i++)           /* supplies come from outside */
    marks[module->ties.at[i].bit] |=
        module->ties.at[i].flags & (NET_POWER | NET_GROUND) ? IS_READ : IS_DRIVEN;
  for (uint32_t at = 0; at < module->words.len;) {
    VerilogInst inst = verilog_next_inst(module, &at);
    uint32_t master = link_master(linker, inst.master);
    for (uint32_t c = 0; c < inst.count; c++) {
      uint8_t mark = mark_of(conn_direction(linker, master, &inst, c));
      mark_ref(linker, module, verilog_conn_ref(&inst, c), mark, marks);
    }
  }
}

/* Black boxes alone show nothing: it may be either. */
static uint8_t shown_by(uint8_t marks)
{
  if (marks & IS_DRIVEN) return DIR_OUTPUT;
  return marks & IS_READ && !(marks & IS_INOUT) ? DIR_INPUT : DIR_INOUT;
}

/* Nothing inside: only the outside can drive it.  Bits of both directions: an inout is right for
   either. */
static uint8_t shown(Linker *linker, const VerilogModule *module, uint32_t ref,
                     const uint8_t *marks)
{
  uint8_t direction = DIR_UNKNOWN;
  verilog_expand(module, ref, &linker->bits);
  for (uint32_t i = 0; i < linker->bits.len; i++) {
    uint8_t mark = linker->bits.at[i] == REF_NONE ? 0 : marks[linker->bits.at[i]];
    if (mark == 0) continue;
    uint8_t bit = shown_by(mark);
    direction = direction == DIR_UNKNOWN || direction == bit ? bit : DIR_INOUT;
  }
  return direction == DIR_UNKNOWN ? DIR_INPUT : direction;
}

static void find_directions(Linker *linker, uint32_t master)
{
  const VerilogModule *module = linker->masters.at[master].module;
  uint8_t *marks = mem_alloc_zero((size_t)module->bits.len + 1, 1);
  mark_inside(linker, module, marks);
  Master *the_master = &linker->masters.at[master];
  for (uint32_t p = 0; p < module->ports.len; p++) {
    const VerilogPort *port = &module->ports.at[p];
    bool known = port->direction != DIR_UNKNOWN;
    array_push(&the_master->directions,
               known ? port->direction : shown(linker, module, port->ref, marks));
  }
  mem_free(marks);
}

static void tell(Linker *linker, const VerilogModule *first, uint32_t count)
{
  log_warning(linker->log, "VLOG-043",
              (Where){ names_text(linker->names, first->file), first->line, 0 },
              "'%.60s' of module '%.60s' is not declared as input, output or inout (%u port%s of "
              "the design): what is connected inside shows the direction",
              names_text(linker->names, first->undirected), names_text(linker->names, first->name),
              count, count == 1 ? "" : "s");
}

/* Inner modules first, so that their ports tell. */
void link_find_directions(Linker *linker)
{
  const VerilogModule *first = NULL;
  uint32_t count = 0;
  for (uint32_t i = 0; i < linker->order.len; i++) {
    const VerilogModule *module = linker->masters.at[linker->order.at[i]].module;
    if (module->undirected_count == 0) continue;
    if (count == 0) first = module;
    count += module->undirected_count;
    find_directions(linker, linker->order.at[i]);
  }
  if (count) tell(linker, first, count);
}
