/* Checks every connection of the modules used, once a text and not once an instance, before
   anything is built. */
#include <stdio.h>

#include "read/link/link_private.h"
#include "read/verilog/verilog_lex.h"

/* The connection at hand, for messages. */
typedef struct {
  Linker *k;
  const VerilogModule *module;
  const VerilogInst   *inst;
  uint32_t word;             /* of the instance */
  uint32_t c;
  uint32_t ref;
} Conn;

static Where where_of(const Conn *c)
{
  return verilog_where(c->module, c->k->names, c->word, c->inst->line);
}
static const char *text_of(const Conn *c, NameId name) { return names_text(c->k->names, name); }

/* --- pins that the cell has not --------------------------------------------------------------- */
static const char *plural(uint64_t count) { return count == 1 ? "" : "s"; }

static void stray(const Conn *c, NameId pin)
{
  Linker *k = c->k;
  uint64_t key = hash_pair(c->inst->master, pin);
  uint32_t i = map_get(k->stray_by_name, key);
  if (i == MAP_NO_VALUE) {
    if (link_is_supply(k, k->masters.at[link_master(k, c->inst->master)].cell, pin, c->module,
                       c->ref)) {
      k->supply_pins++;
      return;
    }
    i = k->strays.len;
    map_put(k->stray_by_name, key, i);
    array_push(&k->strays, (StrayPin){ c->inst->master, pin, where_of(c), 0 });
  }
  k->strays.at[i].count++;
}

/* --- widths ----------------------------------------------------------------------------------- */
/* Left bits that a plain number fills with zeros are no loss. */
static bool only_zeros_over(const Conn *c, uint32_t want)
{
  verilog_expand(c->module, c->ref, &c->k->bits);
  for (uint32_t i = 0; i + want < c->k->bits.len; i++)
    if (c->k->bits.at[i] != c->module->zero_bit || c->module->zero_bit == REF_NONE) return false;
  return true;
}

static void check_width(const Conn *c, NameId port, uint32_t want)
{
  if (c->ref == REF_NONE || (want == 1 && !(c->ref & REF_LIST))) return;
  uint32_t have = verilog_width(c->module, c->ref);
  if (have == want || (have > want && only_zeros_over(c, want))) return;
  log_warning(c->k->log, "LINK-005", where_of(c),
              "port '%.60s' of '%.60s' has %u bits and is connected to %u: the low ones are used",
              text_of(c, port), text_of(c, c->inst->name), want, have);
}

/* --- kinds of masters ------------------------------------------------------------------------- */
static Status connect_once(const Conn *c, Master *m, uint32_t port, NameId name)
{
  if (m->connected.at[port] != c->k->inst_number) {
    m->connected.at[port] = c->k->inst_number;
    return OK;
  }
  return log_error(c->k->log, "LINK-008", where_of(c), "port '%.60s' of '%.60s' is connected twice",
                   text_of(c, name), text_of(c, c->inst->name));
}

static Status too_many(const Conn *c)
{
  return log_error(c->k->log, "LINK-004", where_of(c),
                   "'%.60s' has %u connections by position, '%.60s' has fewer ports",
                   text_of(c, c->inst->name), c->inst->count, text_of(c, c->inst->master));
}

/* No module describes this cell's positional connections, so they follow the order of the library's
   file. */
static void note_place(const Conn *c, const Master *m)
{
  if (c->c || !c->inst->positional || m->stub_pins.len || c->inst->count < 2) return;
  if (c->k->by_place++ == 0) c->k->first_by_place = where_of(c);
}

static Status check_cell(const Conn *c, uint32_t master)
{
  Master *m = &c->k->masters.at[master];
  CellTarget t = link_cell_target(c->k, master, c->inst, c->c);
  uint32_t found = 0;
  if (t.width == NO_INDEX) return too_many(c);
  note_place(c, m);
  for (uint32_t i = 0; i < t.width; i++) {
    uint32_t pin = link_target_pin(m, &t, i);
    if (pin == NO_INDEX) continue;
    found++;
    TRY(connect_once(c, m, pin, t.name));
  }
  if (found) check_width(c, t.name, t.width);
  else if (t.name != NO_NAME) stray(c, t.name);
  return OK;
}

static Status check_module(const Conn *c, uint32_t master)
{
  Master *m = &c->k->masters.at[master];
  NameId name = verilog_conn_port(c->inst, c->c);
  if (c->inst->positional && c->c >= m->module->ports.len) return too_many(c);
  uint32_t port = c->inst->positional ? c->c : link_module_port(c->k, master, c->c, name);
  if (port == NO_INDEX)
    return log_error(c->k->log, "LINK-004", where_of(c),
                     "module '%.60s' has no port '%.60s', which '%.60s' connects",
                     text_of(c, m->name), text_of(c, name), text_of(c, c->inst->name));
  check_width(c, m->module->ports.at[port].name,
              verilog_width(m->module, m->module->ports.at[port].ref));
  return connect_once(c, m, port, m->module->ports.at[port].name);
}

/* A black box has what its connections show, each port as wide as the widest. */
static Status check_box(const Conn *c, uint32_t master)
{
  Linker *k = c->k;
  NameId name = link_box_port_name(k, &k->masters.at[master], c->inst, c->c);
  uint32_t width = verilog_width(c->module, c->ref),
           i = map_get(k->box_port_by_name, hash_pair(master, name));
  if (i == MAP_NO_VALUE) {
    uint8_t direction =
        k->masters.at[master].kind == MASTER_GATE ? link_gate_direction(k, name) : DIR_UNKNOWN;
    i = k->box_ports.len;
    map_put(k->box_port_by_name, hash_pair(master, name), i);
    array_push(&k->box_ports, (BoxPort){ master, name, direction, 1 });
  }
  if (width > k->box_ports.at[i].width) k->box_ports.at[i].width = width;
  return OK;
}

static Status check_instance(const Conn *base, uint32_t master)
{
  Conn c = *base;
  base->k->inst_number++;
  for (c.c = 0; c.c < c.inst->count; c.c++) {
    Master *m = &c.k->masters.at[master];
    c.ref = verilog_conn_ref(c.inst, c.c);
    if (m->kind == MASTER_CELL) TRY(check_cell(&c, master));
    else if (m->kind == MASTER_MODULE) TRY(check_module(&c, master));
    else TRY(check_box(&c, master));
  }
  return OK;
}

Status link_check(Linker *k, uint32_t master)
{
  const VerilogModule *module = k->masters.at[master].module;
  for (uint32_t at = 0; at < module->words.len;) {
    uint32_t word = at;
    TRY(link_go_on(k));
    VerilogInst inst = verilog_next_inst(module, &at);
    Conn c = { .k = k, .module = module, .inst = &inst, .word = word };
    TRY(check_instance(&c, link_master(k, inst.master)));
  }
  return OK;
}

/* Modules and library cells of one name. */
typedef struct {
  uint32_t count;
  const VerilogModule *first;
} SameNames;

static void add_same(SameNames *s, const VerilogModule *module)
{
  if (s->count++ == 0) s->first = module;
}

static Where first_where(const Linker *k, const SameNames *s)
{
  return (Where){ names_text(k->names, s->first->file), s->first->line, 0 };
}

static bool takes_place(const Linker *k, const Master *m)
{
  return m->kind == MASTER_MODULE && m->cell != NO_CELL &&
         !(k->libs->cells.at[m->cell].flags & CELL_BLACK_BOX);
}

/* Models that library cells stand for, and modules that stand for library cells. */
static void tell_same_names(Linker *k)
{
  SameNames models = { 0 }, replacing = { 0 };
  for (uint32_t i = 0; i < k->masters.len; i++) {
    const Master *m = &k->masters.at[i];
    if (m->uses == 0) continue;
    if (m->stub && !m->stub->is_stub) add_same(&models, m->stub);
    if (takes_place(k, m)) add_same(&replacing, m->module);
  }
  if (models.count)
    log_warning(k->log, "LINK-017", first_where(k, &models),
                "%u simulation model%s of library cells, here '%.60s': the cells are used",
                models.count, plural(models.count), names_text(k->names, models.first->name));
  if (replacing.count)
    log_warning(k->log, "LINK-021", first_where(k, &replacing),
                "%u module%s with cells inside, here '%.60s', take%s the place of the library "
                "cell%s "
                "of the same name", replacing.count, plural(replacing.count),
                names_text(k->names, replacing.first->name), replacing.count == 1 ? "s" : "",
                plural(replacing.count));
}

/* --- what was counted ------------------------------------------------------------------------- */
void link_tell(Linker *k)
{
  for (uint32_t i = 0; i < k->strays.len; i++) {
    const StrayPin *s = &k->strays.at[i];
    log_warning(k->log, "LINK-007", s->where,
                "cell '%.60s' has no pin '%.60s': connections to it (%u) are ignored",
                names_text(k->names, s->cell), names_text(k->names, s->pin), s->count);
  }
  if (k->by_place)
    log_warning(k->log, "LINK-016", k->first_by_place,
                "%u instance%s of library cells %s connected by position, here the first, and no "
                "module lists their ports: "
                "the order is that of the library's file",
                k->by_place, plural(k->by_place), k->by_place == 1 ? "is" : "are");
  tell_same_names(k);
  if (k->supply_pins)
    log_info(k->log, "LINK-011", "%u connection%s to power and ground pins %s ignored",
             k->supply_pins, plural(k->supply_pins), k->supply_pins == 1 ? "is" : "are");
}

/* --- black boxes ------------------------------------------------------------------------------ */
static Text list_of(const Linker *k, MasterKind kind, uint32_t *masters, uint64_t *instances)
{
  Text t = { 0 };
  for (uint32_t i = 0; i < k->masters.len; i++) {
    const Master *m = &k->masters.at[i];
    if (m->kind != kind || m->uses == 0) continue;
    *instances += m->uses;
    if (++*masters <= 4)
      text_printf(&t, "%s'%.60s' (%u)", *masters > 1 ? ", " : "", names_text(k->names, m->name),
                  m->uses);
  }
  if (*masters > 4) text_put(&t, ", ...");
  return t;
}

static Status tell_black_boxes(Linker *k, bool allowed)
{
  uint32_t masters = 0;
  uint64_t instances = 0;
  Status status = OK;
  Text t = list_of(k, MASTER_BLACK_BOX, &masters, &instances);
  if (masters && !allowed)
    status =
        log_error(k->log, "LINK-003", NOWHERE,
                  "no module and no library cell for %llu instance%s of %u master%s: %s",
                  (unsigned long long)instances, plural(instances), masters, plural(masters), t.at);
  else if (masters)
    log_warning(k->log, "LINK-002", NOWHERE,
                "no module and no library cell for %llu instance%s of %u master%s, taken as black "
                "box%s: %s",
                (unsigned long long)instances, plural(instances), masters, plural(masters),
                masters == 1 ? "" : "es", t.at);
  text_free(&t);
  return status;
}

static void tell_gates(Linker *k)
{
  uint32_t masters = 0;
  uint64_t instances = 0;
  Text t = list_of(k, MASTER_GATE, &masters, &instances);
  if (masters)
    log_warning(k->log, "LINK-010", NOWHERE,
                "no timing for %llu primitive gate%s, taken as black box%s: %s",
                (unsigned long long)instances, plural(instances), instances == 1 ? "" : "es", t.at);
  text_free(&t);
}

/* A black box of an earlier link is used again if it has every port.  It must not grow, because an
   earlier netlist uses its ports. */
static bool serves(Linker *k, uint32_t master)
{
  CellId cell = k->masters.at[master].cell;
  if (cell == NO_CELL) return false;
  for (uint32_t i = 0; i < k->box_ports.len; i++) {
    const BoxPort *b = &k->box_ports.at[i];
    NameId name = b->width == 1 ? b->name : link_bit_name(k, b->name, (int32_t)b->width - 1);
    if (b->master == master && library_find_port(k->libs, cell, name) == NO_PORT) return false;
  }
  return true;
}

static void add_box_port(Linker *k, CellId cell, const BoxPort *b)
{
  if (b->width == 1) {
    library_add_black_box_port(k->libs, cell, b->name, b->direction);
    return;
  }
  for (uint32_t bit = b->width; bit-- > 0;)
    library_add_black_box_port(k->libs, cell, link_bit_name(k, b->name, (int32_t)bit),
                               b->direction);
}

/* Ports of one master lie together in file order; box_ports holds those of all masters mixed. */
static void make_black_boxes(Linker *k, const uint32_t *first, const uint32_t *next)
{
  for (uint32_t i = 0; i < k->masters.len; i++) {
    Master *m = &k->masters.at[i];
    if ((m->kind != MASTER_BLACK_BOX && m->kind != MASTER_GATE) || serves(k, i)) continue;
    m->cell = library_add_black_box(k->libs, m->name);
    for (uint32_t b = first[i]; b != NO_INDEX; b = next[b])
      add_box_port(k, m->cell, &k->box_ports.at[b]);
  }
}

Status link_black_boxes(Linker *k, bool allowed)
{
  TRY(tell_black_boxes(k, allowed));
  tell_gates(k);
  uint32_t *first = mem_alloc(sizeof *first * (k->masters.len + 1)),
           *next = mem_alloc(sizeof *next * (k->box_ports.len + 1));
  memset(first, 0xff, sizeof *first * k->masters.len);
  for (uint32_t b = k->box_ports.len; b-- > 0;) {
    next[b] = first[k->box_ports.at[b].master];
    first[k->box_ports.at[b].master] = b;
  }
  make_black_boxes(k, first, next);
  mem_free(first);
  mem_free(next);
  return OK;
}
