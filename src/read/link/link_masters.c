/* Finds the modules and cells that the design consists of. */
#include "read/link/link_private.h"
#include "read/verilog/verilog_lex.h"

/* A cell that a library has, or an earlier link's black box, or NO_CELL. */
static CellId known_cell(const Linker *k, NameId name)
{
  const LibrarySet *libs = k->libs;
  CellId cell = library_find_cell(libs, name);
  if (cell == NO_CELL || !(libs->cells.at[cell].flags & CELL_BLACK_BOX)) return cell;
  for (LibraryId l = 0; l < libs->libraries.len; l++) {
    CellId real = library_find_cell_in(libs, l, name);
    if (real != NO_CELL) return real;
  }
  return cell;
}

static bool is_gate(const Linker *k, NameId name)
{
  if (name >= k->files->keyword_count) return false;
  Keyword key = k->files->keyword[name];
  return key >= KEY_AND && key <= KEY_PULLDOWN;
}

static bool is_real(const Linker *k, CellId cell)
{
  return cell != NO_CELL && !(k->libs->cells.at[cell].flags & CELL_BLACK_BOX);
}

/* Returns true if a library cell is inside, at any depth.  A module with the name of a library cell
   counts as one. */
static bool holds_cells(const Linker *k, VerilogModule *module)
{
  ARRAY(VerilogModule *) open = { 0 };
  Map *seen = map_new();                /* a module may contain itself */
  bool found = false;
  array_push(&open, module);
  while (open.len && !found) {
    const VerilogModule *m = open.at[--open.len];
    for (uint32_t at = 0; at < m->words.len && !found;) {
      NameId name = verilog_next_inst(m, &at).master;
      VerilogModule *below = verilog_find_module(k->files, name);
      found = is_real(k, known_cell(k, name));
      if (!below || map_get(seen, name) != MAP_NO_VALUE) continue;
      map_put(seen, name, 1);
      array_push(&open, below);
    }
  }
  array_free(&open);
  map_free(seen);
  return found;
}

/* Returns true if a module with a library cell's name is a simulation model.  Then nothing in it is
   timed. */
static bool models_cell(const Linker *k, VerilogModule *module)
{
  return module->has_specify || !holds_cells(k, module);
}

/* A module wins over a cell, unless it is empty or models the cell for simulation: then it lists
   the cell's ports. */
static void resolve(Linker *k, Master *m)
{
  CellId cell = known_cell(k, m->name);
  bool real = is_real(k, cell);
  VerilogModule *module = verilog_find_module(k->files, m->name);
  m->cell = cell;
  if (module && !(real && models_cell(k, module))) {
    m->kind = MASTER_MODULE;
    m->module = module;
  } else {
    m->kind = real ? MASTER_CELL : is_gate(k, m->name) ? MASTER_GATE : MASTER_BLACK_BOX;
    if (real) m->stub = module;
  }
}

static void enter_ports(Linker *k, uint32_t master)
{
  Master *m = &k->masters.at[master];
  uint32_t count = m->kind == MASTER_MODULE ? m->module->ports.len
                 : m->kind == MASTER_CELL ? k->libs->cells.at[m->cell].port_count : 0;
  array_resize(&m->connected, count);
  if (m->stub) link_enter_stub(k, master);
  if (m->kind != MASTER_MODULE) return;
  uint32_t pins = 0;
  for (uint32_t p = 0; p < count; p++) {
    const VerilogPort *port = &m->module->ports.at[p];
    array_push(&m->first_pin, pins);
    pins += verilog_width(m->module, port->ref);
    if (port->name != NO_NAME) map_put(k->port_by_name, hash_pair(master, port->name), p);
  }
  array_push(&m->first_pin, pins);
}

uint32_t link_master(Linker *k, NameId name)
{
  uint32_t i = map_get(k->master_by_name, name);
  if (i != MAP_NO_VALUE) return i;
  i = k->masters.len;
  array_push(&k->masters, (Master){ .name = name, .cell = NO_CELL });
  map_put(k->master_by_name, name, i);
  resolve(k, &k->masters.at[i]);
  enter_ports(k, i);
  return i;
}

uint32_t link_top_master(Linker *k, VerilogModule *top)
{
  uint32_t i = k->masters.len;
  array_push(&k->masters,
             (Master){ .name = top->name, .cell = NO_CELL, .kind = MASTER_MODULE, .module = top });
  map_put(k->master_by_name, top->name, i);
  enter_ports(k, i);
  return i;
}

/* --- the top ---------------------------------------------------------------------------------- */
static Map *instantiated(const VerilogFiles *f)
{
  Map *used = map_new();
  for (uint32_t i = 0; i < f->modules.len; i++)
    for (uint32_t at = 0; at < f->modules.at[i]->words.len;)
      map_put(used, verilog_next_inst(f->modules.at[i], &at).master, 1);
  return used;
}

static Status only_top(Linker *k, VerilogModule **top)
{
  const VerilogFiles *f = k->files;
  Map *used = instantiated(f);
  uint32_t count = 0, stubs = 0;
  Text names = { 0 };
  VerilogModule *stub = NULL;
  *top = NULL;
  for (uint32_t i = 0; i < f->modules.len; i++) {
    VerilogModule *m = f->modules.at[i];
    if (map_get(used, m->name) != MAP_NO_VALUE) continue;
    if (m->is_stub || (is_real(k, known_cell(k, m->name)) && models_cell(k, m))) {
      stub = m;
      stubs++;
      continue;
    }
    *top = m;
    if (count++ < 4)
      text_printf(&names, "%s'%.60s'", count > 1 ? ", " : "", names_text(k->names, m->name));
  }
  map_free(used);
  if (count == 0 && stubs == 1) *top = stub;
  Status status = OK;
  if (count > 1)
    status = log_error(k->log, "LINK-001", NOWHERE,
                       "%u modules are not instantiated by any other (%s%s): name the top one",
                       count, names.at, count > 4 ? ", ..." : "");
  else if (*top == NULL && f->modules.len)
    status = log_error(k->log, "LINK-001", NOWHERE,
                       "no module is left that no other one instantiates: name the top one");
  else if (*top == NULL)
    status = log_error(k->log, "LINK-001", NOWHERE, "no Verilog was read");
  text_free(&names);
  return status;
}

static Status no_such_top(Linker *k, const char *name)
{
  const VerilogFiles *f = k->files;
  const char **all = mem_alloc(sizeof *all * (f->modules.len + 1));
  for (uint32_t i = 0; i < f->modules.len; i++)
    all[i] = names_text(k->names, f->modules.at[i]->name);
  const char *near = text_nearest(name, all, f->modules.len);
  mem_free(all);
  return near ? log_error(k->log, "LINK-001", NOWHERE,
                          "there is no module '%.60s'; did you mean '%.60s'?", name, near)
              : log_error(k->log, "LINK-001", NOWHERE, "there is no module '%.60s'", name);
}

Status link_find_top(Linker *k, const char *top_or_null, VerilogModule **top)
{
  if (top_or_null == NULL) return only_top(k, top);
  NameId name = names_find(k->names, top_or_null, strlen(top_or_null));
  *top = name == NO_NAME ? NULL : verilog_find_module(k->files, name);
  return *top ? OK : no_such_top(k, top_or_null);
}

/* --- everything under it ---------------------------------------------------------------------- */
enum { NEW, OPEN, DONE };

typedef struct {
  uint32_t master, at;       /* the next instance of its module's text */
} Visit;

typedef ARRAY(Visit) Visits;

static Status recursive(Linker *k, const Visits *stack, uint32_t again, Where where)
{
  Text cycle = { 0 };
  uint32_t i = 0;
  while (stack->at[i].master != again) i++;
  for (uint32_t shown = 0; i < stack->len && shown < 10; i++, shown++)
    text_printf(&cycle, "'%.60s' -> ",
                names_text(k->names, k->masters.at[stack->at[i].master].name));
  if (i < stack->len) text_put(&cycle, "... -> ");
  log_error(k->log, "LINK-006", where, "a module contains itself: %s'%.60s'", cycle.at,
            names_text(k->names, k->masters.at[again].name));
  text_free(&cycle);
  return FAILED;
}

static void enter(Linker *k, Visits *stack, uint32_t master)
{
  k->masters.at[master].state = OPEN;
  array_push(stack, (Visit){ master, 0 });
}

/* Continues with the module on top of the stack: descends into the next module that it uses, or
   leaves it. */
static Status advance(Linker *k, Visits *stack)
{
  Visit *v = &stack->at[stack->len - 1];
  const VerilogModule *module = k->masters.at[v->master].module;
  while (v->at < module->words.len) {
    uint32_t word = v->at;
    VerilogInst inst = verilog_next_inst(module, &v->at);
    uint32_t used = link_master(k, inst.master);
    Master *m = &k->masters.at[used];
    m->uses++;
    if (m->kind != MASTER_MODULE || m->state == DONE) continue;
    if (m->state == OPEN)
      return recursive(k, stack, used, verilog_where(module, k->names, word, inst.line));
    enter(k, stack, used);
    return OK;
  }
  k->masters.at[v->master].state = DONE;
  array_push(&k->order, v->master);
  stack->len--;
  return OK;
}

Status link_collect(Linker *k, uint32_t top)
{
  Visits stack = { 0 };
  Status status = OK;
  enter(k, &stack, top);
  while (stack.len && status == OK) status = advance(k, &stack);
  array_free(&stack);
  return status;
}
