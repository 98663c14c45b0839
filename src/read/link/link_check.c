/* Checks every connection of the modules used, once a text and not once an instance, before
   anything is built. */
#include <stdio.h>

#include "read/link/link_private.h"
#include "read/verilog/verilog_lex.h"

/* The connection at hand, for messages. */
typedef struct {
  Linker *linker;
  const VerilogModule *module;
  const VerilogInst   *inst;
  uint32_t word;             /* of the instance */
  uint32_t c;
  uint32_t ref;
} Conn;

static Where where_of(const Conn *conn)
{
  return verilog_where(conn->module, conn->linker->names, conn->word, conn->inst->line);
}
static const char *text_of(const Conn *conn, NameId name)
{
  return names_text(conn->linker->names, name);
}

/* --- pins that the cell has not --------------------------------------------------------------- */
static const char *plural(uint64_t count) { return count == 1 ? "" : "s"; }

static void stray(const Conn *conn, NameId pin)
{
  Linker *linker = conn->linker;
  uint64_t key = hash_pair(conn->inst->master, pin);
  uint32_t i = map_get(linker->stray_by_name, key);
  if (i == MAP_NO_VALUE) {
    if (link_is_supply(linker, linker->masters.at[link_master(linker, conn->inst->master)].cell,
                       pin, conn->module, conn->ref)) {
      linker->supply_pins++;
      return;
    }
    i = linker->strays.len;
    map_put(linker->stray_by_name, key, i);
    array_push(&linker->strays, (StrayPin){ conn->inst->master, pin, where_of(conn), 0 });
  }
  linker->strays.at[i].count++;
}

/* --- widths ----------------------------------------------------------------------------------- */
/* Left bits that a plain number fills with zeros are no loss. */
static bool only_zeros_over(const Conn *conn, uint32_t want)
{
  verilog_expand(conn->module, conn->ref, &conn->linker->bits);
  for (uint32_t i = 0; i + want < conn->linker->bits.len; i++)
    if (conn->linker->bits.at[i] != conn->module->zero_bit || conn->module->zero_bit == REF_NONE)
      return false;
  return true;
}

static void check_width(const Conn *conn, NameId port, uint32_t want)
{
  if (conn->ref == REF_NONE || (want == 1 && !(conn->ref & REF_LIST))) return;
  uint32_t have = verilog_width(conn->module, conn->ref);
  if (have == want || (have > want && only_zeros_over(conn, want))) return;
  log_warning(conn->linker->log, "LINK-005", where_of(conn),
              "port '%.60s' of '%.60s' has %u bits and is connected to %u: the low ones are used",
              text_of(conn, port), text_of(conn, conn->inst->name), want, have);
}

/* --- kinds of masters ------------------------------------------------------------------------- */
static Status connect_once(const Conn *conn, Master *master, uint32_t port, NameId name)
{
  if (master->connected.at[port] != conn->linker->inst_number) {
    master->connected.at[port] = conn->linker->inst_number;
    return OK;
  }
  return log_error(conn->linker->log, "LINK-008", where_of(conn),
                   "port '%.60s' of '%.60s' is connected twice", text_of(conn, name),
                   text_of(conn, conn->inst->name));
}

static Status too_many(const Conn *conn)
{
  return log_error(conn->linker->log, "LINK-004", where_of(conn),
                   "'%.60s' has %u connections by position, '%.60s' has fewer ports",
                   text_of(conn, conn->inst->name), conn->inst->count,
                   text_of(conn, conn->inst->master));
}

/* No module describes this cell's positional connections, so they follow the order of the library's
   file. */
static void note_place(const Conn *conn, const Master *master)
{
  if (conn->c || !conn->inst->positional || master->stub_pins.len || conn->inst->count < 2) return;
  if (conn->linker->by_place++ == 0) conn->linker->first_by_place = where_of(conn);
}

static Status check_cell(const Conn *conn, uint32_t master)
{
  Master *the_master = &conn->linker->masters.at[master];
  CellTarget t = link_cell_target(conn->linker, master, conn->inst, conn->c);
  uint32_t found = 0;
  if (t.width == NO_INDEX) return too_many(conn);
  note_place(conn, the_master);
  for (uint32_t i = 0; i < t.width; i++) {
    uint32_t pin = link_target_pin(the_master, &t, i);
    if (pin == NO_INDEX) continue;
    found++;
    TRY(connect_once(conn, the_master, pin, t.name));
  }
  if (found) check_width(conn, t.name, t.width);
  else if (t.name != NO_NAME) stray(conn, t.name);
  return OK;
}

static Status check_module(const Conn *conn, uint32_t master)
{
  Master *the_master = &conn->linker->masters.at[master];
  NameId name = verilog_conn_port(conn->inst, conn->c);
  if (conn->inst->positional && conn->c >= the_master->module->ports.len) return too_many(conn);
  uint32_t port =
      conn->inst->positional ? conn->c : link_module_port(conn->linker, master, conn->c, name);
  if (port == NO_INDEX)
    return log_error(conn->linker->log, "LINK-004", where_of(conn),
                     "module '%.60s' has no port '%.60s', which '%.60s' connects",
                     text_of(conn, the_master->name), text_of(conn, name),
                     text_of(conn, conn->inst->name));
  check_width(conn, the_master->module->ports.at[port].name,
              verilog_width(the_master->module, the_master->module->ports.at[port].ref));
  return connect_once(conn, the_master, port, the_master->module->ports.at[port].name);
}

/* A black box has what its connections show, each port as wide as the widest. */
static Status check_box(const Conn *conn, uint32_t master)
{
  Linker *linker = conn->linker;
  NameId name = link_box_port_name(linker, &linker->masters.at[master], conn->inst, conn->c);
  uint32_t width = verilog_width(conn->module, conn->ref),
           i = map_get(linker->box_port_by_name, hash_pair(master, name));
  if (i == MAP_NO_VALUE) {
    uint8_t direction = linker->masters.at[master].kind == MASTER_GATE
                            ? link_gate_direction(linker, name)
                            : DIR_UNKNOWN;
    i = linker->box_ports.len;
    map_put(linker->box_port_by_name, hash_pair(master, name), i);
    array_push(&linker->box_ports, (BoxPort){ master, name, direction, 1 });
  }
  if (width > linker->box_ports.at[i].width) linker->box_ports.at[i].width = width;
  return OK;
}

static Status check_instance(const Conn *base, uint32_t master)
{
  Conn c = *base;
  base->linker->inst_number++;
  for (c.c = 0; c.c < c.inst->count; c.c++) {
    Master *the_master = &c.linker->masters.at[master];
    c.ref = verilog_conn_ref(c.inst, c.c);
    if (the_master->kind == MASTER_CELL) TRY(check_cell(&c, master));
    else if (the_master->kind == MASTER_MODULE) TRY(check_module(&c, master));
    else TRY(check_box(&c, master));
  }
  return OK;
}

Status link_check(Linker *linker, uint32_t master)
{
  const VerilogModule *module = linker->masters.at[master].module;
  for (uint32_t at = 0; at < module->words.len;) {
    uint32_t word = at;
    TRY(link_go_on(linker));
    VerilogInst inst = verilog_next_inst(module, &at);
    Conn c = { .linker = linker, .module = module, .inst = &inst, .word = word };
    TRY(check_instance(&c, link_master(linker, inst.master)));
  }
  return OK;
}

/* Modules and library cells of one name. */
typedef struct {
  uint32_t count;
  const VerilogModule *first;
} SameNames;

static void add_same(SameNames *names, const VerilogModule *module)
{
  if (names->count++ == 0) names->first = module;
}

static Where first_where(const Linker *linker, const SameNames *names)
{
  return (Where){ names_text(linker->names, names->first->file), names->first->line, 0 };
}

static bool takes_place(const Linker *linker, const Master *master)
{
  return master->kind == MASTER_MODULE && master->cell != NO_CELL
         && !(linker->libs->cells.at[master->cell].flags & CELL_BLACK_BOX);
}

/* Models that library cells stand for, and modules that stand for library cells. */
static void tell_same_names(Linker *linker)
{
  SameNames models = { 0 }, replacing = { 0 };
  for (uint32_t i = 0; i < linker->masters.len; i++) {
    const Master *master = &linker->masters.at[i];
    if (master->uses == 0) continue;
    if (master->stub && !master->stub->is_stub) add_same(&models, master->stub);
    if (takes_place(linker, master)) add_same(&replacing, master->module);
  }
  if (models.count)
    log_warning(linker->log, "LINK-017", first_where(linker, &models),
                "%u simulation model%s of library cells, here '%.60s': the cells are used",
                models.count, plural(models.count), names_text(linker->names, models.first->name));
  if (replacing.count)
    log_warning(linker->log, "LINK-021", first_where(linker, &replacing),
                "%u module%s with cells inside, here '%.60s', take%s the place of the library "
                "cell%s "
                "of the same name",
                replacing.count, plural(replacing.count),
                names_text(linker->names, replacing.first->name), replacing.count == 1 ? "s" : "",
                plural(replacing.count));
}

/* --- what was counted ------------------------------------------------------------------------- */
void link_tell(Linker *linker)
{
  for (uint32_t i = 0; i < linker->strays.len; i++) {
    const StrayPin *pin = &linker->strays.at[i];
    log_warning(linker->log, "LINK-007", pin->where,
                "cell '%.60s' has no pin '%.60s': connections to it (%u) are ignored",
                names_text(linker->names, pin->cell), names_text(linker->names, pin->pin),
                pin->count);
  }
  if (linker->by_place)
    log_warning(linker->log, "LINK-016", linker->first_by_place,
                "%u instance%s of library cells %s connected by position, here the first, and no "
                "module lists their ports: "
                "the order is that of the library's file",
                linker->by_place, plural(linker->by_place), linker->by_place == 1 ? "is" : "are");
  tell_same_names(linker);
  if (linker->supply_pins)
    log_info(linker->log, "LINK-011", "%u connection%s to power and ground pins %s ignored",
             linker->supply_pins, plural(linker->supply_pins),
             linker->supply_pins == 1 ? "is" : "are");
}

/* --- black boxes ------------------------------------------------------------------------------ */
static Text list_of(const Linker *linker, MasterKind kind, uint32_t *masters, uint64_t *instances)
{
  Text t = { 0 };
  for (uint32_t i = 0; i < linker->masters.len; i++) {
    const Master *master = &linker->masters.at[i];
    if (master->kind != kind || master->uses == 0) continue;
    *instances += master->uses;
    if (++*masters <= 4)
      text_printf(&t, "%s'%.60s' (%u)", *masters > 1 ? ", " : "",
                  names_text(linker->names, master->name), master->uses);
  }
  if (*masters > 4) text_put(&t, ", ...");
  return t;
}

static Status tell_black_boxes(Linker *linker, bool allowed)
{
  uint32_t masters = 0;
  uint64_t instances = 0;
  Status status = OK;
  Text t = list_of(linker, MASTER_BLACK_BOX, &masters, &instances);
  if (masters && !allowed)
    status =
        log_error(linker->log, "LINK-003", NOWHERE,
                  "no module and no library cell for %llu instance%s of %u master%s: %s",
                  (unsigned long long)instances, plural(instances), masters, plural(masters), t.at);
  else if (masters)
    log_warning(linker->log, "LINK-002", NOWHERE,
                "no module and no library cell for %llu instance%s of %u master%s, taken as black "
                "box%s: %s",
                (unsigned long long)instances, plural(instances), masters, plural(masters),
                masters == 1 ? "" : "es", t.at);
  text_free(&t);
  return status;
}

static void tell_gates(Linker *linker)
{
  uint32_t masters = 0;
  uint64_t instances = 0;
  Text t = list_of(linker, MASTER_GATE, &masters, &instances);
  if (masters)
    log_warning(linker->log, "LINK-010", NOWHERE,
                "no timing for %llu primitive gate%s, taken as black box%s: %s",
                (unsigned long long)instances, plural(instances), instances == 1 ? "" : "es", t.at);
  text_free(&t);
}

/* A black box of an earlier link is used again if it has every port.  It must not grow, because an
   earlier netlist uses its ports. */
static bool serves(Linker *linker, uint32_t master)
{
  CellId cell = linker->masters.at[master].cell;
  if (cell == NO_CELL) return false;
  for (uint32_t i = 0; i < linker->box_ports.len; i++) {
    const BoxPort *port = &linker->box_ports.at[i];
    NameId name =
        port->width == 1 ? port->name : link_bit_name(linker, port->name, (int32_t)port->width - 1);
    if (port->master == master && library_find_port(linker->libs, cell, name) == NO_PORT)
      return false;
  }
  return true;
}

static void add_box_port(Linker *linker, CellId cell, const BoxPort *port)
{
  if (port->width == 1) {
    library_add_black_box_port(linker->libs, cell, port->name, port->direction);
    return;
  }
  for (uint32_t bit = port->width; bit-- > 0;)
    library_add_black_box_port(linker->libs, cell, link_bit_name(linker, port->name, (int32_t)bit),
                               port->direction);
}

/* Ports of one master lie together in file order; box_ports holds those of all masters mixed. */
static void make_black_boxes(Linker *linker, const uint32_t *first, const uint32_t *next)
{
  for (uint32_t i = 0; i < linker->masters.len; i++) {
    Master *master = &linker->masters.at[i];
    if ((master->kind != MASTER_BLACK_BOX && master->kind != MASTER_GATE) || serves(linker, i))
      continue;
    master->cell = library_add_black_box(linker->libs, master->name);
    for (uint32_t b = first[i]; b != NO_INDEX; b = next[b])
      add_box_port(linker, master->cell, &linker->box_ports.at[b]);
  }
}

Status link_black_boxes(Linker *linker, bool allowed)
{
  TRY(tell_black_boxes(linker, allowed));
  tell_gates(linker);
  uint32_t *first = mem_alloc(sizeof *first * (linker->masters.len + 1)),
           *next = mem_alloc(sizeof *next * (linker->box_ports.len + 1));
  memset(first, 0xff, sizeof *first * linker->masters.len);
  for (uint32_t b = linker->box_ports.len; b-- > 0;) {
    next[b] = first[linker->box_ports.at[b].master];
    first[linker->box_ports.at[b].master] = b;
  }
  make_black_boxes(linker, first, next);
  mem_free(first);
  mem_free(next);
  return OK;
}
