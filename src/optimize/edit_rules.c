/* Rules of what edits must leave alone: set_dont_use, set_dont_touch, set_size_only. See
   edit_rules.h. */
#include "optimize/edit_rules.h"

struct EditRules {
  Map *dont_use, *keep_lib_cells;          /* CellId -> 0 or 1: said by a command */
  Map *insts, *size_only;                  /* InstId -> 1 */
  Map *segs;                               /* SegId -> 1 */
  Map *modules;                            /* NameId -> 1 */
  bool design;
};

EditRules *edit_rules_new(void)
{
  EditRules *r = mem_alloc_zero(1, sizeof *r);
  r->dont_use = map_new();
  r->keep_lib_cells = map_new();
  r->insts = map_new();
  r->size_only = map_new();
  r->segs = map_new();
  r->modules = map_new();
  return r;
}

static void free_design(EditRules *r)
{
  map_free(r->insts);
  map_free(r->size_only);
  map_free(r->segs);
  map_free(r->modules);
}

void edit_rules_free(EditRules *r)
{
  if (r == NULL) return;
  free_design(r);
  map_free(r->dont_use);
  map_free(r->keep_lib_cells);
  mem_free(r);
}

void edit_rules_forget_design(EditRules *r)
{
  if (r == NULL) return;
  free_design(r);
  r->insts = map_new();
  r->size_only = map_new();
  r->segs = map_new();
  r->modules = map_new();
  r->design = false;
}

static void put(Map *map, uint32_t id, bool on)
{
  if (on) map_put(map, id, 1);
  else map_remove(map, id);
}

void edit_rules_dont_use(EditRules *r, CellId cell, bool on) { map_put(r->dont_use, cell, on); }
void edit_rules_dont_touch_lib_cell(EditRules *r, CellId cell, bool on)
{
  map_put(r->keep_lib_cells, cell, on);
}
void edit_rules_dont_touch_design(EditRules *r, bool on) { r->design = on; }
void edit_rules_dont_touch_inst(EditRules *r, InstId inst, bool on) { put(r->insts, inst, on); }
void edit_rules_dont_touch_net(EditRules *r, SegId seg, bool on) { put(r->segs, seg, on); }
void edit_rules_dont_touch_module(EditRules *r, NameId module, bool on)
{
  put(r->modules, module, on);
}
void edit_rules_size_only(EditRules *r, InstId inst, bool on) { put(r->size_only, inst, on); }

/* --- asking ----------------------------------------------------------------------------------- */
static bool said_of_cell(const Map *said, const LibrarySet *libs, CellId cell, uint32_t flag)
{
  uint32_t value = said ? map_get(said, cell) : MAP_NO_VALUE;
  return value == MAP_NO_VALUE ? (libs->cells.at[cell].flags & flag) != 0 : value == 1;
}

bool rules_dont_use(const EditRules *r, const LibrarySet *libs, CellId cell)
{
  return said_of_cell(r ? r->dont_use : NULL, libs, cell, CELL_DONT_USE);
}

bool rules_dont_touch_lib_cell(const EditRules *r, const LibrarySet *libs, CellId cell)
{
  return said_of_cell(r ? r->keep_lib_cells : NULL, libs, cell, CELL_DONT_TOUCH);
}

static bool has(const Map *map, uint32_t id) { return map_get(map, id) != MAP_NO_VALUE; }

TouchRule rules_of_inst(const EditRules *r, const Netlist *n, InstId inst, InstId *at)
{
  InstId unused;
  if (at == NULL) at = &unused;
  *at = inst;
  if (r && r->design) return TOUCH_NOT_DESIGN;
  CellId cell = inst == TOP_INST ? NO_CELL : netlist_inst_cell(n, inst);
  if (cell != NO_CELL && rules_dont_touch_lib_cell(r, n->libs, cell)) return TOUCH_NOT_LIB_CELL;
  for (InstId i = inst; r && i != NO_INST; i = n->insts.at[i].parent) {
    *at = i;
    if (i != TOP_INST && has(r->insts, i)) return TOUCH_NOT_CELL;
    bool leaf = i != TOP_INST && inst_is_leaf(n, i);
    NameId module = i == TOP_INST ? n->top_name : leaf ? NO_NAME : netlist_inst_master_name(n, i);
    if (!leaf && has(r->modules, module)) return TOUCH_NOT_MODULE;
  }
  return TOUCH_ALLOWED;
}

bool rules_size_only(const EditRules *r, const Netlist *n, InstId inst)
{
  for (InstId i = inst; r && i != TOP_INST && i != NO_INST; i = n->insts.at[i].parent)
    if (has(r->size_only, i)) return true;
  return false;
}

bool rules_dont_touch_net(const EditRules *r, const Netlist *n, NetId net)
{
  if (r == NULL || net == NO_NET) return false;
  if (r->design) return true;
  for (SegId s = n->nets.at[net].first_seg; s != NO_SEG; s = n->segs.at[s].next)
    if (has(r->segs, s)) return true;
  return false;
}

/* --- errors ----------------------------------------------------------------------------------- */
static const char *reason(TouchRule rule)
{
  switch (rule) {
  case TOUCH_NOT_MODULE:   return "of the module of ";
  case TOUCH_NOT_DESIGN:   return "of the design";
  case TOUCH_NOT_LIB_CELL: return "of its library cell ";
  default:                 return "of ";
  }
}

static void add_object(const Netlist *n, TouchRule rule, InstId inst, InstId at, Text *t)
{
  if (rule == TOUCH_NOT_DESIGN) return;
  if (rule == TOUCH_NOT_LIB_CELL)
    text_put(t, names_text(n->names, netlist_inst_master_name(n, inst)));
  else if (at == TOP_INST) text_put(t, names_text(n->names, n->top_name));
  else netlist_inst_name(n, at, NETLIST_SEPARATOR, t);
}

Status rules_may_edit(const EditRules *r, const Netlist *n, InstId inst, const char *what, Log *log)
{
  InstId at;
  TouchRule rule = rules_of_inst(r, n, inst, &at);
  if (rule == TOUCH_ALLOWED) return OK;
  Text name = { 0 }, by = { 0 };
  if (inst != TOP_INST) netlist_inst_name(n, inst, NETLIST_SEPARATOR, &name);
  else text_put(&name, names_text(n->names, n->top_name));
  add_object(n, rule, inst, at, &by);
  log_error(log, "EDIT-001", NOWHERE, "cannot %s '%.200s': set_dont_touch %s%.200s", what,
            text_get(&name), reason(rule), text_get(&by));
  text_free(&name);
  text_free(&by);
  return FAILED;
}

Status rules_may_remove(const EditRules *r, const Netlist *n, InstId inst, Log *log)
{
  if (rules_may_edit(r, n, inst, "remove", log) != OK) return FAILED;
  if (!rules_size_only(r, n, inst)) return OK;
  Text name = { 0 };
  netlist_inst_name(n, inst, NETLIST_SEPARATOR, &name);
  log_error(log, "EDIT-002", NOWHERE, "cannot remove '%.200s': set_size_only lets it be swapped "
            "alone", text_get(&name));
  text_free(&name);
  return FAILED;
}

Status rules_may_edit_net(const EditRules *r, const Netlist *n, NetId net, const char *what,
                          Log *log)
{
  if (!rules_dont_touch_net(r, n, net)) return OK;
  Text name = { 0 };
  netlist_net_name(n, net, NETLIST_SEPARATOR, &name);
  log_error(log, "EDIT-003", NOWHERE, "cannot %s the net '%.200s': set_dont_touch of %s", what,
            text_get(&name), r->design ? "the design" : "the net");
  text_free(&name);
  return FAILED;
}
