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
  EditRules *rules = mem_alloc_zero(1, sizeof *rules);
  rules->dont_use = map_new();
  rules->keep_lib_cells = map_new();
  rules->insts = map_new();
  rules->size_only = map_new();
  rules->segs = map_new();
  rules->modules = map_new();
  return rules;
}

static void free_design(EditRules *rules)
{
  map_free(rules->insts);
  map_free(rules->size_only);
  map_free(rules->segs);
  map_free(rules->modules);
}

void edit_rules_free(EditRules *rules)
{
  if (rules == NULL) return;
  free_design(rules);
  map_free(rules->dont_use);
  map_free(rules->keep_lib_cells);
  mem_free(rules);
}

void edit_rules_forget_design(EditRules *rules)
{
  if (rules == NULL) return;
  free_design(rules);
  rules->insts = map_new();
  rules->size_only = map_new();
  rules->segs = map_new();
  rules->modules = map_new();
  rules->design = false;
}

static void put(Map *map, uint32_t id, bool on)
{
  if (on) map_put(map, id, 1);
  else map_remove(map, id);
}

void edit_rules_dont_use(EditRules *rules, CellId cell, bool on)
{
  map_put(rules->dont_use, cell, on);
}
void edit_rules_dont_touch_lib_cell(EditRules *rules, CellId cell, bool on)
{
  map_put(rules->keep_lib_cells, cell, on);
}
void edit_rules_dont_touch_design(EditRules *rules, bool on) { rules->design = on; }
void edit_rules_dont_touch_inst(EditRules *rules, InstId inst, bool on)
{
  put(rules->insts, inst, on);
}
void edit_rules_dont_touch_net(EditRules *rules, SegId seg, bool on) { put(rules->segs, seg, on); }
void edit_rules_dont_touch_module(EditRules *rules, NameId module, bool on)
{
  put(rules->modules, module, on);
}
void edit_rules_size_only(EditRules *rules, InstId inst, bool on)
{
  put(rules->size_only, inst, on);
}

/* --- asking ----------------------------------------------------------------------------------- */
static bool said_of_cell(const Map *said, const LibrarySet *libs, CellId cell, uint32_t flag)
{
  uint32_t value = said ? map_get(said, cell) : MAP_NO_VALUE;
  return value == MAP_NO_VALUE ? (libs->cells.at[cell].flags & flag) != 0 : value == 1;
}

bool rules_dont_use(const EditRules *rules, const LibrarySet *libs, CellId cell)
{
  return said_of_cell(rules ? rules->dont_use : NULL, libs, cell, CELL_DONT_USE);
}

bool rules_dont_touch_lib_cell(const EditRules *rules, const LibrarySet *libs, CellId cell)
{
  return said_of_cell(rules ? rules->keep_lib_cells : NULL, libs, cell, CELL_DONT_TOUCH);
}

static bool has(const Map *map, uint32_t id) { return map_get(map, id) != MAP_NO_VALUE; }

TouchRule rules_of_inst(const EditRules *rules, const Netlist *n, InstId inst, InstId *at)
{
  InstId unused;
  if (at == NULL) at = &unused;
  *at = inst;
  if (rules && rules->design) return TOUCH_NOT_DESIGN;
  CellId cell = inst == TOP_INST ? NO_CELL : netlist_inst_cell(n, inst);
  if (cell != NO_CELL && rules_dont_touch_lib_cell(rules, n->libs, cell)) return TOUCH_NOT_LIB_CELL;
  for (InstId i = inst; rules && i != NO_INST; i = n->insts.at[i].parent) {
    *at = i;
    if (i != TOP_INST && has(rules->insts, i)) return TOUCH_NOT_CELL;
    bool leaf = i != TOP_INST && inst_is_leaf(n, i);
    NameId module = i == TOP_INST ? n->top_name : leaf ? NO_NAME : netlist_inst_master_name(n, i);
    if (!leaf && has(rules->modules, module)) return TOUCH_NOT_MODULE;
  }
  return TOUCH_ALLOWED;
}

bool rules_size_only(const EditRules *rules, const Netlist *n, InstId inst)
{
  for (InstId i = inst; rules && i != TOP_INST && i != NO_INST; i = n->insts.at[i].parent)
    if (has(rules->size_only, i)) return true;
  return false;
}

bool rules_dont_touch_net(const EditRules *rules, const Netlist *n, NetId net)
{
  if (rules == NULL || net == NO_NET) return false;
  if (rules->design) return true;
  for (SegId s = n->nets.at[net].first_seg; s != NO_SEG; s = n->segs.at[s].next)
    if (has(rules->segs, s)) return true;
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

static void add_object(const Netlist *n, TouchRule rule, InstId inst, InstId at, Text *text)
{
  if (rule == TOUCH_NOT_DESIGN) return;
  if (rule == TOUCH_NOT_LIB_CELL)
    text_put(text, names_text(n->names, netlist_inst_master_name(n, inst)));
  else if (at == TOP_INST) text_put(text, names_text(n->names, n->top_name));
  else netlist_inst_name(n, at, NETLIST_SEPARATOR, text);
}

Status rules_may_edit(const EditRules *rules, const Netlist *n, InstId inst, const char *what,
                      Log *log)
{
  InstId at;
  TouchRule rule = rules_of_inst(rules, n, inst, &at);
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

Status rules_may_remove(const EditRules *rules, const Netlist *n, InstId inst, Log *log)
{
  if (rules_may_edit(rules, n, inst, "remove", log) != OK) return FAILED;
  if (!rules_size_only(rules, n, inst)) return OK;
  Text name = { 0 };
  netlist_inst_name(n, inst, NETLIST_SEPARATOR, &name);
  log_error(log, "EDIT-002", NOWHERE, "cannot remove '%.200s': set_size_only lets it be swapped "
            "alone", text_get(&name));
  text_free(&name);
  return FAILED;
}

Status rules_may_edit_net(const EditRules *rules, const Netlist *n, NetId net, const char *what,
                          Log *log)
{
  if (!rules_dont_touch_net(rules, n, net)) return OK;
  Text name = { 0 };
  netlist_net_name(n, net, NETLIST_SEPARATOR, &name);
  log_error(log, "EDIT-003", NOWHERE, "cannot %s the net '%.200s': set_dont_touch of %s", what,
            text_get(&name), rules->design ? "the design" : "the net");
  text_free(&name);
  return FAILED;
}
