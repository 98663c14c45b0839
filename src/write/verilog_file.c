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

static const Module *module_of(const Writer *w, uint32_t s)
{
  return &w->n->modules.at[w->n->insts.at[w->scopes.at[s]].master];
}

/* The net inside a port of the scope. */
static SegId inside(const Writer *w, uint32_t s, uint32_t port)
{
  InstId scope = w->scopes.at[s];
  PinId pin = w->n->insts.at[scope].first_pin + port;
  return scope == TOP_INST ? w->n->pins.at[pin].seg : netlist_inner_seg(w->n, pin);
}

static bool has_net(const Writer *w, uint32_t s, NameId name)
{
  return map_get(w->n->seg_by_name, hash_pair(w->scopes.at[s], name)) != MAP_NO_VALUE;
}

/* An open bit may be a simple net if no other net has its name.  A net named like the whole bus
   would be declared twice. */
static bool is_simple(const Writer *w, uint32_t s, const PortGroup *g)
{
  for (uint32_t i = 0; i < g->count; i++) {
    SegId seg = inside(w, s, g->first + i);
    NameId name = w->n->module_ports.at[g->module->first_port + g->first + i].name;
    if (seg == NO_SEG ? has_net(w, s, name) : w->n->segs.at[seg].name != name) return false;
  }
  return g->bus == NULL || !has_net(w, s, g->name);
}

static PortGroup port_at(const Writer *w, uint32_t s, const Module *m, uint32_t p)
{
  const ModulePort *port = &w->n->module_ports.at[m->first_port + p];
  PortGroup g = { m, port->name, p, 1, NULL, false };
  if (port->bus != NO_BUS) {
    const ModuleBus *b = g.bus = &w->n->module_buses.at[port->bus];
    g.name = b->name;
    g.count = (uint32_t)(b->from > b->to ? b->from - b->to : b->to - b->from) + 1;
  }
  g.simple = is_simple(w, s, &g);
  return g;
}

/* --- the header ------------------------------------------------------------------------------- */
/* The net that the bit of a port that is not simple is declared as. */
static void write_port_bit(Writer *w, uint32_t s, uint32_t port)
{
  if (w->aliases.at[port] != NO_NAME) write_name_id(w, w->aliases.at[port]);
  else write_seg(w, inside(w, s, port));
}

static void port_in_list(Writer *w, uint32_t s, const PortGroup *g)
{
  if (g->simple) {
    write_name_id(w, g->name);
    return;
  }
  text_char(&w->out, '.');
  write_name_id(w, g->name);
  text_put(&w->out, g->count > 1 ? "({" : "(");
  for (uint32_t i = 0; i < g->count; i++) {
    if (i) text_put(&w->out, ", ");
    write_port_bit(w, s, g->first + i);
  }
  text_put(&w->out, g->count > 1 ? "})" : ")");
}

static void declare_port(Writer *w, uint32_t s, const PortGroup *g)
{
  const char *direction =
      write_direction(w->n->module_ports.at[g->module->first_port + g->first].direction);
  for (uint32_t i = 0; !g->simple && i < g->count; i++) {
    text_printf(&w->out, "  %s ", direction);
    write_port_bit(w, s, g->first + i);
    text_put(&w->out, ";\n");
  }
  if (!g->simple) return;
  text_printf(&w->out, "  %s ", direction);
  if (g->bus) text_printf(&w->out, "[%d:%d] ", g->bus->from, g->bus->to);
  write_name_id(w, g->name);
  text_put(&w->out, ";\n");
}

/* Simple ports declare their nets. */
static void claim(Writer *w, uint32_t s, const PortGroup *g)
{
  for (uint32_t i = 0; g->simple && i < g->count; i++) {
    SegId seg = inside(w, s, g->first + i);
    if (seg != NO_SEG) w->seg_flags[seg] |= SEG_DECLARED | (g->bus ? SEG_IN_BUS : 0);
  }
}

/* The others declare the remaining bits.  If none remain, they get their own nets, which an assign
   joins to the port's net. */
static void alias(Writer *w, uint32_t s, const PortGroup *g)
{
  for (uint32_t i = 0; !g->simple && i < g->count; i++) {
    SegId seg = inside(w, s, g->first + i);
    if (seg == NO_SEG || w->seg_flags[seg] & SEG_DECLARED)
      w->aliases.at[g->first + i] = write_new_name(w, w->scopes.at[s], "port");
    else
      w->seg_flags[seg] |= SEG_DECLARED;
  }
}

static void each_port(Writer *w, uint32_t s, void (*visit)(Writer *, uint32_t, const PortGroup *),
                      const char *between)
{
  const Module *m = module_of(w, s);
  for (uint32_t p = 0; p < m->port_count;) {
    PortGroup g = port_at(w, s, m, p);
    if (p) text_put(&w->out, between);
    visit(w, s, &g);
    p += g.count;
  }
}

static void header(Writer *w, uint32_t s)
{
  array_clear(&w->aliases);
  array_resize(&w->aliases, module_of(w, s)->port_count);
  each_port(w, s, claim, "");
  each_port(w, s, alias, "");
  text_put(&w->out, "module ");
  write_name_id(w, w->module_name[s]);
  text_put(&w->out, " (");
  each_port(w, s, port_in_list, ",\n    ");
  text_put(&w->out, ");\n");
  each_port(w, s, declare_port, "");
}

/* --- the rest --------------------------------------------------------------------------------- */
static void assign_alias(Writer *w, uint32_t s, uint32_t port)
{
  SegId seg = inside(w, s, port);
  if (w->aliases.at[port] == NO_NAME || seg == NO_SEG) return;
  bool in = w->n->module_ports.at[module_of(w, s)->first_port + port].direction == DIR_INPUT;
  text_put(&w->out, "  assign ");
  if (in) write_seg(w, seg);
  else write_name_id(w, w->aliases.at[port]);
  text_put(&w->out, " = ");
  if (in) write_name_id(w, w->aliases.at[port]);
  else write_seg(w, seg);
  text_put(&w->out, ";\n");
}

static void assigns(Writer *w, uint32_t s)
{
  const Netlist *n = w->n;
  for (uint32_t p = 0; p < w->aliases.len; p++) assign_alias(w, s, p);
  for (uint32_t i = w->joins.first[s]; i < w->joins.first[s + 1]; i++) {
    const SegJoin *j = &n->joins.at[w->joins.at[i]];
    text_put(&w->out, "  assign ");
    write_seg(w, j->a);
    text_put(&w->out, " = ");
    write_seg(w, j->b);
    text_put(&w->out, ";\n");
  }
  for (uint32_t i = w->ties.first[s]; i < w->ties.first[s + 1]; i++) {
    const SegTie *t = &n->ties.at[w->ties.at[i]];
    if (t->flags & (NET_POWER | NET_GROUND)) continue;
    text_put(&w->out, "  assign ");
    write_seg(w, t->seg);
    text_printf(&w->out, " = 1'b%d;\n", t->flags & NET_CONSTANT_ONE ? 1 : 0);
  }
}

static void module(Writer *w, uint32_t s)
{
  header(w, s);
  text_char(&w->out, '\n');
  write_nets(w, s);
  write_children(w, s);
  assigns(w, s);
  text_put(&w->out, "endmodule\n\n");
}

/* Modules of cells, then inner modules first. */
static Status write_all(Writer *w, const char *path, Log *log)
{
  write_stubs(w);
  for (uint32_t s = w->scopes.len; s-- > 0 && !interrupt_seen();)
    if (w->group[s] == s) module(w, s);
  write_flush(w);
  bool bad = gzclose(w->file) != Z_OK || w->failed;
  bool stopped = interrupt_seen();      /* half a netlist is none */
  bad |= !replace_end(&w->place, !bad && !stopped);
  if (stopped)
    return log_error(log, "CMD-101", (Where){ path, 0, 0 },
                     "interrupted; the file is as it was before");
  if (bad)
    return log_error(log, "VLOG-041", (Where){ path, 0, 0 }, "writing the file failed: %s",
                     strerror(errno));
  return OK;
}

void write_flush(Writer *w)
{
  if (w->out.len && gzwrite(w->file, w->out.at, (unsigned)w->out.len) != (int)w->out.len)
    w->failed = true;
  text_clear(&w->out);
}

Status write_verilog(const Netlist *n, const VerilogOptions *options, const char *path, Log *log)
{
  Writer w = { .n = n, .options = options };
  w.file = gzopen(replace_begin(&w.place, path), options->gzip ? "wb" : "wbT");
  if (w.file == NULL) {
    replace_end(&w.place, false);
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
