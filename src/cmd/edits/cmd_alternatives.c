/* Commands for library cells that may replace each other, and for what edits must leave alone. */
#include "base/interrupt.h"
#include "cmd/edits/edit_command.h"
#include "optimize/alternatives.h"
#include "tclbind/object_value.h"

/* --- alternatives ----------------------------------------------------------------------------- */
static const Option alternatives_options[] = {
  { "-verbose", ARG_FLAG, .help = "print how many library cells are no alternatives, and why" },
  { "-dont_use", ARG_FLAG, .help = "return also cells under set_dont_use" },
  { "-any_footprint", ARG_FLAG, .help = "return also cells whose footprint in the library is "
                                        "another" },
  { "cell", ARG_OBJECTS, .kinds = OBJ_BIT(OBJ_CELL) | OBJ_BIT(OBJ_LIB_CELL),
    .flags = OPT_REQUIRED, .help = "a cell of the design, or a library cell" },
  { 0 }
};

static void print_counts(const Session *s, Args *a, CellId cell,
                         const uint32_t counts[ALTERNATIVE_REASONS])
{
  args_print(a, "%s: %u alternative%s\n", names_text(s->names, s->libs->cells.at[cell].name),
             counts[ALTERNATIVE], counts[ALTERNATIVE] == 1 ? "" : "s");
  for (int k = ALTERNATIVE + 1; k < ALTERNATIVE_REASONS; k++)
    if (counts[k]) args_print(a, "  %u %s\n", counts[k], alternative_reasons[k]);
}

static void print_kept(Session *s, Args *a, InstId inst)
{
  Text name = { 0 };
  netlist_inst_name(s->netlist, inst, s->separator, &name);
  args_print(a, "%s: no alternatives: set_dont_touch\n", text_get(&name));
  text_free(&name);
}

static Status no_leaf(Session *s, InstId inst)
{
  Text name = { 0 };
  netlist_inst_name(s->netlist, inst, s->separator, &name);
  log_error(s->log, "EDIT-008", NOWHERE,
            "get_alternative_lib_cells: '%.200s' is hierarchical, expected a cell of a library",
            text_get(&name));
  text_free(&name);
  return FAILED;
}

static void return_cells(Args *a, const CellArray *cells)
{
  ObjectArray objects = { 0 };
  for (uint32_t i = 0; i < cells->len; i++)
    array_push(&objects, (Object){ OBJ_LIB_CELL, cells->at[i] });
  args_return_objects(a, objects.at, objects.len);
  array_free(&objects);
}

static Status run_get_alternatives(Session *s, Args *a)
{
  uint32_t count, counts[ALTERNATIVE_REASONS] = { 0 };
  const Object *object = args_objects(a, "cell", 0, &count);
  AlternativeOptions options = { args_flag(a, "-any_footprint"), args_flag(a, "-dont_use") };
  CellArray cells = { 0 };
  if (count != 1)
    return log_error(s->log, "CMD-060", NOWHERE, "%s: cell names %u objects, expected one",
                     args_command(a), count);
  bool inst = object->type == OBJ_CELL;
  if (inst && !inst_is_leaf(s->netlist, object->id)) return no_leaf(s, object->id);
  CellId cell = inst ? netlist_inst_cell(s->netlist, object->id) : object->id;
  if (inst && rules_of_inst(s->edit_rules, s->netlist, object->id, NULL) != TOUCH_ALLOWED) {
    if (args_flag(a, "-verbose")) print_kept(s, a, object->id);
    return_cells(a, &cells);
    return OK;
  }
  alternatives_of(s->libs, s->edit_rules, cell, &options, &cells, counts);
  if (interrupt_seen()) {
    array_free(&cells);
    return FAILED;
  }
  if (args_flag(a, "-verbose")) print_counts(s, a, cell, counts);
  return_cells(a, &cells);
  array_free(&cells);
  return OK;
}

/* --- what must be left alone ------------------------------------------------------------------ */
static bool is_on(const Args *a) { return args_enum(a, "value") != 1; }

#define OPTION_VALUE                            \
  { "value", ARG_ENUM, .value = "true|false",   \
    .help = "false removes the mark; true, like no value, sets it" }

static const Option dont_use_options[] = {
  { "lib_cells", ARG_OBJECTS, .kinds = OBJ_BIT(OBJ_LIB_CELL), .flags = OPT_REQUIRED,
    .help = "library cells, or patterns of their names" },
  OPTION_VALUE,
  { 0 }
};

static const Option unset_dont_use_options[] = {
  { "lib_cells", ARG_OBJECTS, .kinds = OBJ_BIT(OBJ_LIB_CELL), .flags = OPT_REQUIRED,
    .help = "library cells, or patterns of their names" },
  { 0 }
};

static Status put_dont_use(Session *s, const Args *a, bool on)
{
  uint32_t count;
  const Object *object = args_objects(a, "lib_cells", 0, &count);
  for (uint32_t i = 0; i < count; i++) edit_rules_dont_use(s->edit_rules, object[i].id, on);
  return OK;
}

static Status run_set_dont_use(Session *s, Args *a) { return put_dont_use(s, a, is_on(a)); }
static Status run_unset_dont_use(Session *s, Args *a) { return put_dont_use(s, a, false); }

enum {
  TOUCH_KINDS =
      OBJ_BIT(OBJ_DESIGN) | OBJ_BIT(OBJ_CELL) | OBJ_BIT(OBJ_NET) | OBJ_BIT(OBJ_LIB_CELL)
};

#define OPTION_MODULES \
  { "-modules", ARG_LIST, .value = "names", .help = "modules: the cells of all their instances" }
#define OPTION_TOUCHED                                    \
  { "objects", ARG_OBJECTS, .kinds = TOUCH_KINDS,         \
      .help = "cells, nets, library cells, the design" }

static const Option dont_touch_options[] = { OPTION_MODULES, OPTION_TOUCHED, OPTION_VALUE, { 0 } };
static const Option unset_dont_touch_options[] = { OPTION_MODULES, OPTION_TOUCHED, { 0 } };

static void put_dont_touch_of(EditRules *rules, Object o, bool on)
{
  switch (o.type) {
  case OBJ_DESIGN: edit_rules_dont_touch_design(rules, on); break;
  case OBJ_CELL:   edit_rules_dont_touch_inst(rules, o.id, on); break;
  case OBJ_NET:    edit_rules_dont_touch_net(rules, o.id, on); break;
  default:         edit_rules_dont_touch_lib_cell(rules, o.id, on); break;
  }
}

/* A module that no instance is of would be left alone in silence. */
static bool has_module(const Netlist *n, NameId name)
{
  if (name == NO_NAME) return false;
  if (name == n->top_name) return true;
  for (uint32_t i = 0; i < n->modules.len; i++)
    if (n->modules.at[i].name == name) return true;
  return false;
}

static Status put_modules(Session *s, const Args *a, bool on)
{
  int count = 0;
  Tcl_Obj **names, *list = args_object(a, "-modules");
  if (list == NULL || Tcl_ListObjGetElements(NULL, list, &count, &names) != TCL_OK) return OK;
  for (int pass = 0; pass < 2; pass++)
    for (int i = 0; i < count; i++) {
      const char *text = Tcl_GetString(names[i]);
      NameId name = names_find(s->names, text, strlen(text));
      if (pass == 1) edit_rules_dont_touch_module(s->edit_rules, name, on);
      else if (s->netlist == NULL || !has_module(s->netlist, name))
        return log_error(s->log, "EDIT-009", NOWHERE, "%s: there is no module '%.200s'",
                         args_command(a), text);
    }
  return OK;
}

static Status put_dont_touch(Session *s, const Args *a, bool on)
{
  uint32_t count;
  const Object *object = args_objects(a, "objects", 0, &count);
  if (!args_given(a, "-modules") && !args_given(a, "objects"))
    return log_error(s->log, "CMD-004", NOWHERE, "%s: objects is missing", args_command(a));
  if (put_modules(s, a, on) != OK) return FAILED;
  for (uint32_t i = 0; i < count; i++) put_dont_touch_of(s->edit_rules, object[i], on);
  return OK;
}

static Status run_set_dont_touch(Session *s, Args *a) { return put_dont_touch(s, a, is_on(a)); }
static Status run_unset_dont_touch(Session *s, Args *a) { return put_dont_touch(s, a, false); }

static const Option size_only_options[] = {
  { "cells", ARG_OBJECTS, .kinds = OBJ_BIT(OBJ_CELL), .flags = OPT_REQUIRED,
    .help = "cells; of a hierarchical one, those inside" },
  OPTION_VALUE,
  { 0 }
};
static const Option unset_size_only_options[] = {
  { "cells", ARG_OBJECTS, .kinds = OBJ_BIT(OBJ_CELL), .flags = OPT_REQUIRED, .help = "cells" },
  { 0 }
};

static Status put_size_only(Session *s, const Args *a, bool on)
{
  uint32_t count;
  const Object *object = args_objects(a, "cells", 0, &count);
  for (uint32_t i = 0; i < count; i++) edit_rules_size_only(s->edit_rules, object[i].id, on);
  return OK;
}

static Status run_set_size_only(Session *s, Args *a) { return put_size_only(s, a, is_on(a)); }
static Status run_unset_size_only(Session *s, Args *a) { return put_size_only(s, a, false); }

const Command commands_alternatives[] = {
  { "get_alternative_lib_cells", "netlist edits", "find library cells that may take a cell's place",
    alternatives_options, run_get_alternatives, 0,
    "An alternative has the same pins (names, directions, buses), the same logic and three-state "
    "functions by truth table, the same registers or latches, and the same kind (clock gate, "
    "scan cell, pad). If both libraries give a footprint, it is the same. Alternatives come from "
    "all libraries, so they have all threshold voltages. They are sorted by name, without the "
    "cell itself. A cell under set_dont_touch has none. Black boxes, memories and macros have "
    "none, nor has a cell whose outputs have no function in the library. Functions of more than "
    "16 inputs count as different.",
    "get_alternative_lib_cells exec/g1508\nget_alternative_lib_cells -verbose */inv_1r\n" },
  { "set_dont_use", "netlist edits", "keep library cells out of the choice of alternatives",
    dont_use_options, run_set_dont_use, CMD_CHANGES,
    "The command adds to dont_use of Liberty. The value false removes both marks. swap_cell may "
    "still name such a cell.",
    "set_dont_use *_1l\nset_dont_use *_1l false\n" },
  { "unset_dont_use", "netlist edits", "let library cells be alternatives again",
    unset_dont_use_options, run_unset_dont_use, CMD_CHANGES, "This removes dont_use of Liberty "
                                                             "too.",
    "unset_dont_use *_1l\n" },
  { "set_dont_touch", "netlist edits", "refuse edits of cells, nets, modules or the design",
    dont_touch_options, run_set_dont_touch, CMD_CHANGES,
    "Such a cell is not swapped or removed, and its connections do not change. No cell is put "
    "into such a hierarchical cell. insert_buffer and remove_buffer may still connect its pins "
    "to other nets. A net keeps its pins; its cells may be swapped. For a hierarchical cell, a "
    "module or the design, the rule holds for all cells inside, also for new ones. A library "
    "cell stands for all its instances, as dont_touch of Liberty does. The rule lasts until "
    "unset_dont_touch or another link_design.",
    "set_dont_touch fetch/g3\nunset_dont_touch fetch/g3\n" },
  { "unset_dont_touch", "netlist edits", "allow edits again", unset_dont_touch_options,
    run_unset_dont_touch, CMD_CHANGES,
    "The command removes the rules that set_dont_touch made for these objects. A cell that is "
    "also protected by its module stays protected.",
    "unset_dont_touch fetch/g3\n" },
  { "set_size_only", "netlist edits", "let cells be swapped, but not removed", size_only_options,
    run_set_size_only, CMD_NEEDS_DESIGN | CMD_CHANGES,
    "remove_buffer and remove_gate refuse them.",
    "set_size_only fetch/g3\nunset_size_only fetch/g3\n" },
  { "unset_size_only", "netlist edits", "let cells be removed again", unset_size_only_options,
    run_unset_size_only, CMD_NEEDS_DESIGN | CMD_CHANGES, NULL, "unset_size_only fetch/g3\n" },
  { 0 }
};
