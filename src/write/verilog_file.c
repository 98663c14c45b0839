/* Writes modules as Verilog: header, ports, nets and assigns. Instances that share a module are
   found in verilog_groups.c. */
#include "write/verilog_file.h"

#include <errno.h>

#include "base/interrupt.h"
#include "write/verilog_private.h"

const char *write_direction(uint8_t direction)
{
  return direction == DIR_INPUT ? "input" : direction == DIR_OUTPUT ? "output" : "inout";
}

/* One port of a module: its bits are ports first to first+count-1 of the module. */
typedef struct {
  const Module *module;
  NameId   name;
  uint32_t first, count;
  const ModuleBus *bus;      /* NULL for scalars */
  bool     simple;           /* each bit is the net of the same name */
} PortGroup;

static const Module *module_of(const Writer *writer, uint32_t s)
{
  return &writer->n->modules.at[writer->n->insts.at[writer->scopes.at[s]].master];
}

/* The net inside a port of the scope. */
static SegId inside(const Writer *writer, uint32_t s, uint32_t port)
{
  InstId scope = writer->scopes.at[s];
  PinId pin = writer->n->insts.at[scope].first_pin + port;
  return scope == TOP_INST ? writer->n->pins.at[pin].seg : netlist_inner_seg(writer->n, pin);
}

static bool has_net(const Writer *writer, uint32_t s, NameId name)
{
  return map_get(writer->n->seg_by_name, hash_pair(writer->scopes.at[s], name)) != MAP_NO_VALUE;
}

/* An open bit may be a simple net if no other net has its name.  A net named like the whole bus
   would be declared twice. */
static bool is_simple(const Writer *writer, uint32_t s, const PortGroup *group)
{
  for (uint32_t i = 0; i < group->count; i++) {
    SegId seg = inside(writer, s, group->first + i);
    NameId name = writer->n->module_ports.at[group->module->first_port + group->first + i].name;
    if (seg == NO_SEG ? has_net(writer, s, name) : writer->n->segs.at[seg].name != name)
      return false;
  }
  return group->bus == NULL || !has_net(writer, s, group->name);
}

static PortGroup port_at(const Writer *writer, uint32_t s, const Module *module, uint32_t p)
{
  const ModulePort *port = &writer->n->module_ports.at[module->first_port + p];
  PortGroup g = { module, port->name, p, 1, NULL, false };
  if (port->bus != NO_BUS) {
    const ModuleBus *bus = g.bus = &writer->n->module_buses.at[port->bus];
    g.name = bus->name;
    g.count = (uint32_t)(bus->from > bus->to ? bus->from - bus->to : bus->to - bus->from) + 1;
  }
  g.simple = is_simple(writer, s, &g);
  return g;
}

/* --- the header ------------------------------------------------------------------------------- */
/* The net that the bit of a port that is not simple is declared as. */
static void write_port_bit(Writer *writer, uint32_t s, uint32_t port)
{
  if (writer->aliases.at[port] != NO_NAME) write_name_id(writer, writer->aliases.at[port]);
  else write_seg(writer, inside(writer, s, port));
}

static void port_in_list(Writer *writer, uint32_t s, const PortGroup *group)
{
  if (group->simple) {
    write_name_id(writer, group->name);
    return;
  }
  text_char(&writer->out, '.');
  write_name_id(writer, group->name);
  text_put(&writer->out, group->count > 1 ? "({" : "(");
  for (uint32_t i = 0; i < group->count; i++) {
    if (i) text_put(&writer->out, ", ");
    write_port_bit(writer, s, group->first + i);
  }
  text_put(&writer->out, group->count > 1 ? "})" : ")");
}

static void declare_port(Writer *writer, uint32_t s, const PortGroup *group)
{
  const char *direction = write_direction(
      writer->n->module_ports.at[group->module->first_port + group->first].direction);
  for (uint32_t i = 0; !group->simple && i < group->count; i++) {
    text_printf(&writer->out, "  %s ", direction);
    write_port_bit(writer, s, group->first + i);
    text_put(&writer->out, ";\n");
  }
  if (!group->simple) return;
  text_printf(&writer->out, "  %s ", direction);
  if (group->bus) text_printf(&writer->out, "[%d:%d] ", group->bus->from, group->bus->to);
  write_name_id(writer, group->name);
  text_put(&writer->out, ";\n");
}

/* Simple ports declare their nets. */
static void claim(Writer *writer, uint32_t s, const PortGroup *group)
{
  for (uint32_t i = 0; group->simple && i < group->count; i++) {
    SegId seg = inside(writer, s, group->first + i);
    if (seg != NO_SEG) writer->seg_flags[seg] |= SEG_DECLARED | (group->bus ? SEG_IN_BUS : 0);
  }
}

/* The others declare the remaining bits.  If none remain, they get their own nets, which an assign
   joins to the port's net. */
static void alias(Writer *writer, uint32_t s, const PortGroup *group)
{
  for (uint32_t i = 0; !group->simple && i < group->count; i++) {
    SegId seg = inside(writer, s, group->first + i);
    if (seg == NO_SEG || writer->seg_flags[seg] & SEG_DECLARED)
      writer->aliases.at[group->first + i] = write_new_name(writer, writer->scopes.at[s], "port");
    else
      writer->seg_flags[seg] |= SEG_DECLARED;
  }
}

static void each_port(Writer *writer, uint32_t s,
                      void (*visit)(Writer *, uint32_t, const PortGroup *), const char *between)
{
  const Module *module = module_of(writer, s);
  for (uint32_t p = 0; p < module->port_count;) {
    PortGroup g = port_at(writer, s, module, p);
    if (p) text_put(&writer->out, between);
    visit(writer, s, &g);
    p += g.count;
  }
}

static void header(Writer *writer, uint32_t s)
{
  array_clear(&writer->aliases);
  array_resize(&writer->aliases, module_of(writer, s)->port_count);
  each_port(writer, s, claim, "");
  each_port(writer, s, alias, "");
  text_put(&writer->out, "module ");
  write_name_id(writer, writer->module_name[s]);
  text_put(&writer->out, " (");
  each_port(writer, s, port_in_list, ",\n    ");
  text_put(&writer->out, ");\n");
  each_port(writer, s, declare_port, "");
}

/* --- the rest --------------------------------------------------------------------------------- */
static void assign_alias(Writer *writer, uint32_t s, uint32_t port)
{
  SegId seg = inside(writer, s, port);
  if (writer->aliases.at[port] == NO_NAME || seg == NO_SEG) return;
  bool in =
      writer->n->module_ports.at[module_of(writer, s)->first_port + port].direction == DIR_INPUT;
  text_put(&writer->out, "  assign ");
  if (in) write_seg(writer, seg);
  else write_name_id(writer, writer->aliases.at[port]);
  text_put(&writer->out, " = ");
  if (in) write_name_id(writer, writer->aliases.at[port]);
  else write_seg(writer, seg);
  text_put(&writer->out, ";\n");
}

static void assigns(Writer *writer, uint32_t s)
{
  const Netlist *n = writer->n;
  for (uint32_t p = 0; p < writer->aliases.len; p++) assign_alias(writer, s, p);
  for (uint32_t i = writer->joins.first[s]; i < writer->joins.first[s + 1]; i++) {
    const SegJoin *join = &n->joins.at[writer->joins.at[i]];
    text_put(&writer->out, "  assign ");
    write_seg(writer, join->a);
    text_put(&writer->out, " = ");
    write_seg(writer, join->b);
    text_put(&writer->out, ";\n");
  }
  for (uint32_t i = writer->ties.first[s]; i < writer->ties.first[s + 1]; i++) {
    const SegTie *tie = &n->ties.at[writer->ties.at[i]];
    if (tie->flags & (NET_POWER | NET_GROUND)) continue;
    text_put(&writer->out, "  assign ");
    write_seg(writer, tie->seg);
    text_printf(&writer->out, " = 1'b%d;\n", tie->flags & NET_CONSTANT_ONE ? 1 : 0);
  }
}

static void module(Writer *writer, uint32_t s)
{
  header(writer, s);
  text_char(&writer->out, '\n');
  write_nets(writer, s);
  write_children(writer, s);
  assigns(writer, s);
  text_put(&writer->out, "endmodule\n\n");
}

/* Modules of cells, then inner modules first. */
static Status write_all(Writer *writer, const char *path, Log *log)
{
  write_stubs(writer);
  for (uint32_t s = writer->scopes.len; s-- > 0 && !interrupt_seen();)
    if (writer->group[s] == s) module(writer, s);
  write_flush(writer);
  bool bad = gzclose(writer->file) != Z_OK || writer->failed;
  bool stopped = interrupt_seen();      /* half a netlist is none */
  bad |= !replace_end(&writer->replacement, !bad && !stopped);
  if (stopped)
    return log_error(log, "CMD-101", (Where){ path, 0, 0 },
                     "interrupted; the file is as it was before");
  if (bad)
    return log_error(log, "VLOG-041", (Where){ path, 0, 0 }, "writing the file failed: %s",
                     strerror(errno));
  return OK;
}

void write_flush(Writer *writer)
{
  if (writer->out.len
      && gzwrite(writer->file, writer->out.at, (unsigned)writer->out.len) != (int)writer->out.len)
    writer->failed = true;
  text_clear(&writer->out);
}

Status write_verilog(const Netlist *n, const VerilogOptions *options, const char *path, Log *log)
{
  Writer w = { .n = n, .options = options };
  w.file = gzopen(replace_begin(&w.replacement, path), options->gzip ? "wb" : "wbT");
  if (w.file == NULL) {
    replace_end(&w.replacement, false);
    return log_error(log, "VLOG-040", (Where){ path, 0, 0 }, "cannot open the file for writing: %s",
                     strerror(errno));
  }
  write_keywords(&w);
  write_index(&w);
  write_groups(&w);
  if (options->sorted) write_sort(&w);
  Status status = write_all(&w, path, log);
  write_index_free(&w);
  map_free(w.keywords);
  array_free(&w.aliases);
  text_free(&w.out);
  return status;
}
