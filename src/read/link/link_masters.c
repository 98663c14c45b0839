/* Finds the modules and cells that the design consists of. */
#include "read/link/link_private.h"
#include "read/verilog/verilog_lex.h"

/* A cell that a library has, or an earlier link's black box, or NO_CELL. */
static CellId known_cell(const Linker *linker, NameId name)
{
  const LibrarySet *libs = linker->libs;
  CellId cell = library_find_cell(libs, name);
  if (cell == NO_CELL || !(libs->cells.at[cell].flags & CELL_BLACK_BOX)) return cell;
  for (LibraryId l = 0; l < libs->libraries.len; l++) {
    CellId real = library_find_cell_in(libs, l, name);
    if (real != NO_CELL) return real;
  }
  return cell;
}

static bool is_gate(const Linker *linker, NameId name)
{
  if (name >= linker->files->keyword_count) return false;
  Keyword key = linker->files->keyword[name];
  return key >= KEY_AND && key <= KEY_PULLDOWN;
}

static bool is_real(const Linker *linker, CellId cell)
{
  return cell != NO_CELL && !(linker->libs->cells.at[cell].flags & CELL_BLACK_BOX);
}

/* Returns true if a library cell is inside, at any depth.  A module with the name of a library cell
   counts as one. */
static bool holds_cells(const Linker *linker, VerilogModule *module)
{
  ARRAY(VerilogModule *) open = { 0 };
  Map *seen = map_new();                /* a module may contain itself */
  bool found = false;
  array_push(&open, module);
  while (open.len && !found) {
    const VerilogModule *verilog_module = open.at[--open.len];
    for (uint32_t at = 0; at < verilog_module->words.len && !found;) {
      NameId name = verilog_next_inst(verilog_module, &at).master;
      VerilogModule *below = verilog_find_module(linker->files, name);
      found = is_real(linker, known_cell(linker, name));
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
static bool models_cell(const Linker *linker, VerilogModule *module)
{
  return module->has_specify || !holds_cells(linker, module);
}

/* A module wins over a cell, unless it is empty or models the cell for simulation: then it lists
   the cell's ports. */
static void resolve(Linker *linker, Master *master)
{
  CellId cell = known_cell(linker, master->name);
  bool real = is_real(linker, cell);
  VerilogModule *module = verilog_find_module(linker->files, master->name);
  master->cell = cell;
  if (module && !(real && models_cell(linker, module))) {
    master->kind = MASTER_MODULE;
    master->module = module;
  } else {
    master->kind = real                            ? MASTER_CELL
                   : is_gate(linker, master->name) ? MASTER_GATE
                                                   : MASTER_BLACK_BOX;
    if (real) master->stub = module;
  }
}

static void enter_ports(Linker *linker, uint32_t master)
{
  Master *the_master = &linker->masters.at[master];
  uint32_t count = the_master->kind == MASTER_MODULE ? the_master->module->ports.len
                   : the_master->kind == MASTER_CELL
                       ? linker->libs->cells.at[the_master->cell].port_count
                       : 0;
  array_resize(&the_master->connected, count);
  if (the_master->stub) link_enter_stub(linker, master);
  if (the_master->kind != MASTER_MODULE) return;
  uint32_t pins = 0;
  for (uint32_t p = 0; p < count; p++) {
    const VerilogPort *port = &the_master->module->ports.at[p];
    array_push(&the_master->first_pin, pins);
    pins += verilog_width(the_master->module, port->ref);
    if (port->name != NO_NAME) map_put(linker->port_by_name, hash_pair(master, port->name), p);
  }
  array_push(&the_master->first_pin, pins);
}

uint32_t link_master(Linker *linker, NameId name)
{
  uint32_t i = map_get(linker->master_by_name, name);
  if (i != MAP_NO_VALUE) return i;
  i = linker->masters.len;
  array_push(&linker->masters, (Master){ .name = name, .cell = NO_CELL });
  map_put(linker->master_by_name, name, i);
  resolve(linker, &linker->masters.at[i]);
  enter_ports(linker, i);
  return i;
}

uint32_t link_top_master(Linker *linker, VerilogModule *top)
{
  uint32_t i = linker->masters.len;
  array_push(&linker->masters,
             (Master){ .name = top->name, .cell = NO_CELL, .kind = MASTER_MODULE, .module = top });
  map_put(linker->master_by_name, top->name, i);
  enter_ports(linker, i);
  return i;
}

/* --- the top ---------------------------------------------------------------------------------- */
static Map *instantiated(const VerilogFiles *files)
{
  Map *used = map_new();
  for (uint32_t i = 0; i < files->modules.len; i++)
    for (uint32_t at = 0; at < files->modules.at[i]->words.len;)
      map_put(used, verilog_next_inst(files->modules.at[i], &at).master, 1);
  return used;
}

static Status only_top(Linker *linker, VerilogModule **top)
{
  const VerilogFiles *files = linker->files;
  Map *used = instantiated(files);
  uint32_t count = 0, stubs = 0;
  Text names = { 0 };
  VerilogModule *stub = NULL;
  *top = NULL;
  for (uint32_t i = 0; i < files->modules.len; i++) {
    VerilogModule *module = files->modules.at[i];
    if (map_get(used, module->name) != MAP_NO_VALUE) continue;
    if (module->is_stub
        || (is_real(linker, known_cell(linker, module->name)) && models_cell(linker, module))) {
      stub = module;
      stubs++;
      continue;
    }
    *top = module;
    if (count++ < 4)
      text_printf(&names, "%s'%.60s'", count > 1 ? ", " : "",
                  names_text(linker->names, module->name));
  }
  map_free(used);
  if (count == 0 && stubs == 1) *top = stub;
  Status status = OK;
  if (count > 1)
    status = log_error(linker->log, "LINK-001", NOWHERE,
                       "%u modules are not instantiated by any other (%s%s): name the top one",
                       count, names.at, count > 4 ? ", ..." : "");
  else if (*top == NULL && files->modules.len)
    status = log_error(linker->log, "LINK-001", NOWHERE,
                       "no module is left that no other one instantiates: name the top one");
  else if (*top == NULL)
    status = log_error(linker->log, "LINK-001", NOWHERE, "no Verilog was read");
  text_free(&names);
  return status;
}

static Status no_such_top(Linker *linker, const char *name)
{
  const VerilogFiles *files = linker->files;
  const char **all = mem_alloc(sizeof *all * (files->modules.len + 1));
  for (uint32_t i = 0; i < files->modules.len; i++)
    all[i] = names_text(linker->names, files->modules.at[i]->name);
  const char *near = text_nearest(name, all, files->modules.len);
  mem_free(all);
  return near ? log_error(linker->log, "LINK-001", NOWHERE,
                          "there is no module '%.60s'; did you mean '%.60s'?", name, near)
              : log_error(linker->log, "LINK-001", NOWHERE, "there is no module '%.60s'", name);
}

Status link_find_top(Linker *linker, const char *top_or_null, VerilogModule **top)
{
  if (top_or_null == NULL) return only_top(linker, top);
  NameId name = names_find(linker->names, top_or_null, strlen(top_or_null));
  *top = name == NO_NAME ? NULL : verilog_find_module(linker->files, name);
  return *top ? OK : no_such_top(linker, top_or_null);
}

/* --- everything under it ---------------------------------------------------------------------- */
enum { NEW, OPEN, DONE };

typedef struct {
  uint32_t master, at;       /* the next instance of its module's text */
} Visit;

typedef ARRAY(Visit) Visits;

static Status recursive(Linker *linker, const Visits *stack, uint32_t again, Where where)
{
  Text cycle = { 0 };
  uint32_t i = 0;
  while (stack->at[i].master != again) i++;
  for (uint32_t shown = 0; i < stack->len && shown < 10; i++, shown++)
    text_printf(&cycle, "'%.60s' -> ",
                names_text(linker->names, linker->masters.at[stack->at[i].master].name));
  if (i < stack->len) text_put(&cycle, "... -> ");
  log_error(linker->log, "LINK-006", where, "a module contains itself: %s'%.60s'", cycle.at,
            names_text(linker->names, linker->masters.at[again].name));
  text_free(&cycle);
  return FAILED;
}

static void enter(Linker *linker, Visits *stack, uint32_t master)
{
  linker->masters.at[master].state = OPEN;
  array_push(stack, (Visit){ master, 0 });
}

/* Continues with the module on top of the stack: descends into the next module that it uses, or
   leaves it. */
static Status advance(Linker *linker, Visits *stack)
{
  Visit *visit = &stack->at[stack->len - 1];
  const VerilogModule *module = linker->masters.at[visit->master].module;
  while (visit->at < module->words.len) {
    uint32_t word = visit->at;
    VerilogInst inst = verilog_next_inst(module, &visit->at);
    uint32_t used = link_master(linker, inst.master);
    Master *master = &linker->masters.at[used];
    master->uses++;
    if (master->kind != MASTER_MODULE || master->state == DONE) continue;
    if (master->state == OPEN)
      return recursive(linker, stack, used, verilog_where(module, linker->names, word, inst.line));
    enter(linker, stack, used);
    return OK;
  }
  linker->masters.at[visit->master].state = DONE;
  array_push(&linker->order, visit->master);
  stack->len--;
  return OK;
}

Status link_collect(Linker *linker, uint32_t top)
{
  Visits stack = { 0 };
  Status status = OK;
  enter(linker, &stack, top);
  while (stack.len && status == OK) status = advance(linker, &stack);
  array_free(&stack);
  return status;
}
