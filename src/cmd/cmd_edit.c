/* Commands that swap, insert and remove cells and nets, and connect pins. */
#include <string.h>

#include "base/interrupt.h"
#include "base/memory.h"
#include "tclbind/console.h"
#include "tclbind/match.h"
#include "tclbind/object_value.h"
#include "cmd/edits/edit_command.h"

static Object first_object(const Args *a, const char *option)
{
  uint32_t count;
  const Object *objects = args_objects(a, option, 0, &count);
  return count ? objects[0] : (Object){ OBJ_NONE, 0 };
}

static Status only_one(Session *s, const Args *a, const char *command, const char *option,
                       Object *object)
{
  uint32_t count;
  args_objects(a, option, 0, &count);
  *object = first_object(a, option);
  return count == 1 ? OK
                    : log_error(s->log, "CMD-060", NOWHERE, "%s: %s names %u objects, expected one",
                                command, option, count);
}

/* The objects of an edit, each once. */
static ObjectArray each_once(const Args *a, const char *option)
{
  uint32_t count;
  const Object *given = args_objects(a, option, 0, &count);
  ObjectArray objects = { 0 };
  for (uint32_t i = 0; i < count; i++) array_push(&objects, given[i]);
  objects_unique(&objects);
  return objects;
}

/* block/name -> the block's instance and the local name within the text. */
static Status split_path(Session *s, const char *command, const char *path, InstId *scope,
                         const char **local)
{
  const char *cut = strrchr(path, s->separator);
  *scope = s->current_instance;
  *local = path;
  if (cut == NULL) return OK;
  char *block = mem_text(path, (size_t)(cut - path));
  *scope = netlist_find_inst(s->netlist, s->current_instance, block, s->separator);
  *local = cut + 1;
  bool good = *scope != NO_INST && (*scope == TOP_INST || !inst_is_leaf(s->netlist, *scope));
  if (!good)
    log_error(s->log, "CMD-029", NOWHERE, "%s: there is no hierarchical cell '%s'", command, block);
  mem_free(block);
  return good ? OK : FAILED;
}

/* --- cells ------------------------------------------------------------------------------------ */

static const Option swap_options[] = { { "cells", ARG_OBJECTS, .kinds = OBJ_BIT(OBJ_CELL),
                                         .flags = OPT_REQUIRED, .help = "cells of the design" },
                                       { "lib_cell", ARG_OBJECTS, .kinds = OBJ_BIT(OBJ_LIB_CELL),
                                         .flags = OPT_REQUIRED,
                                         .help = "library cell with the same pins; or a list of "
                                                 "them, one for each cell" },
                                       { 0 } };

static uint32_t given_words(const Args *a, const char *option)
{
  int count = 0;
  return Tcl_ListObjLength(NULL, args_object(a, option), &count) == TCL_OK ? (uint32_t)count : 1;
}

/* Library cells by cell: one for all, or as many; names that are nobody's or of several would shift
   those behind. */
static Status swap_targets(Session *s, const Args *a, uint32_t *count, uint32_t *step)
{
  uint32_t targets, cells = given_words(a, "cells"), words = given_words(a, "lib_cell");
  args_objects(a, "cells", 0, count);
  args_objects(a, "lib_cell", 0, &targets);
  *step = words > 1;
  if (words <= 1 && targets == 1) return OK;
  if (targets == *count && words == targets && cells == *count) return OK;
  return log_error(s->log, "EDIT-006", NOWHERE,
                   "swap_cell: %u library cells for %u cells, expected one for all or one for each",
                   targets, *count);
}

static Status run_swap_cell(Session *s, Args *a)
{
  uint32_t count, step, targets;
  if (swap_targets(s, a, &count, &step) != OK) return FAILED;
  const Object *cells = args_objects(a, "cells", 0, &count),
               *to = args_objects(a, "lib_cell", 0, &targets);
  SwapList swaps = { 0 };
  for (uint32_t i = 0; i < count; i++)
    array_push(&swaps, (Swap){ cells[i].id, to[i * step].id });
  Status status = swap_cells(s, "swap_cell", &swaps);
  array_free(&swaps);
  return status;
}

static const Option insert_gate_options[] = {
  { "path", ARG_TEXT, .flags = OPT_REQUIRED, .help = "name of the new cell: block/name" },
  { "lib_cell", ARG_OBJECTS, .kinds = OBJ_BIT(OBJ_LIB_CELL), .flags = OPT_REQUIRED,
    .help = "library cell of the new cell" },
  { 0 }
};

/* A new object's full name is another's: both are told apart from now on. */
static void warn_of_name(Session *s, Args *a, const Text *name)
{
  log_warning(s->log, "NET-014", args_where(a),
              "there is a '%.200s' already, as a full name; a separator in a name of its own has a "
              "backslash from now on", text_get(name));
}

void part_new_cell(Session *s, Args *a, InstId made)
{
  InstId other = netlist_same_name_inst(s->netlist, made);
  if (other == NO_INST) return;
  Text name = { 0 };
  netlist_inst_name(s->netlist, made, s->separator, &name);
  edit_part_insts(command_edits(s), made, other);
  warn_of_name(s, a, &name);
  text_free(&name);
}

void part_new_net(Session *s, Args *a, SegId made)
{
  SegId other = netlist_same_name_seg(s->netlist, made);
  if (other == NO_SEG) return;
  Text name = { 0 };
  netlist_seg_name(s->netlist, made, s->separator, &name);
  edit_part_segs(command_edits(s), made, other);
  warn_of_name(s, a, &name);
  text_free(&name);
}

static Status run_insert_gate(Session *s, Args *a)
{
  InstId scope, made;
  const char *local;
  Object cell;
  if (only_one(s, a, "insert_gate", "lib_cell", &cell) != OK) return FAILED;
  if (split_path(s, "insert_gate", args_text(a, "path"), &scope, &local) != OK) return FAILED;
  if (rules_may_edit(s->edit_rules, s->netlist, scope, "put a cell into", s->log) != OK)
    return FAILED;
  Edits *edits = command_edits(s);
  edits_begin(edits, "insert_gate");
  Status status = edit_insert_inst(edits, scope, local, cell.id, &made);
  Object o = { OBJ_CELL, made };
  if (status == OK) part_new_cell(s, a, made);
  if (end_edit(s, a, status, (EditWord[]){ edit_path(scope, local), edit_object(cell) }, 2) != OK)
    return FAILED;
  args_return_objects(a, &o, 1);
  return OK;
}

static const Option remove_gate_options[] = {
  { "cells", ARG_OBJECTS, .kinds = OBJ_BIT(OBJ_CELL), .flags = OPT_REQUIRED,
    .help = "cells to remove; their pins are disconnected first" },
  { 0 }
};

/* Removes all or none: it first tests whether each can be removed. */
static Status remove_each(Session *s, Args *a, const char *option,
                          Status (*may)(const Session *, uint32_t),
                          Status (*remove)(Edits *, uint32_t))
{
  ObjectArray objects = each_once(a, option);
  Edits *edits = command_edits(s);
  Status status = OK;
  for (uint32_t i = 0; i < objects.len && status == OK; i++) status = may(s, objects.at[i].id);
  edits_begin(edits, args_command(a));
  EditWord words = edit_objects(objects.at, objects.len);
  Text script = { 0 };
  edit_script(s, args_command(a), &words, 1, &script);      /* before the names are gone */
  for (uint32_t i = 0; i < objects.len && status == OK; i++)
    status = remove(edits, objects.at[i].id);
  status = edits_end(edits, status, text_get(&script));
  text_free(&script);
  array_free(&objects);
  return status;
}

static Status may_remove_inst(const Session *s, uint32_t inst)
{
  if (rules_may_remove(s->edit_rules, s->netlist, inst, s->log) != OK) return FAILED;
  return netlist_may_remove_inst(s->netlist, inst, s->log);
}

static Status run_remove_gate(Session *s, Args *a)
{
  return remove_each(s, a, "cells", may_remove_inst, edit_remove_inst);
}

/* --- nets ------------------------------------------------------------------------------------- */

static const Option insert_net_options[] = {
  { "path", ARG_TEXT, .flags = OPT_REQUIRED, .help = "name of the new net: block/name" }, { 0 } };

static Status run_insert_net(Session *s, Args *a)
{
  InstId scope;
  SegId made;
  const char *local;
  if (split_path(s, "insert_net", args_text(a, "path"), &scope, &local) != OK) return FAILED;
  if (rules_may_edit(s->edit_rules, s->netlist, scope, "put a net into", s->log) != OK)
    return FAILED;
  Edits *edits = command_edits(s);
  edits_begin(edits, "insert_net");
  Status status = edit_insert_net(edits, scope, local, &made);
  Object o = { OBJ_NET, made };
  if (status == OK) part_new_net(s, a, made);
  if (end_edit(s, a, status, (EditWord[]){ edit_path(scope, local) }, 1) != OK) return FAILED;
  args_return_objects(a, &o, 1);
  return OK;
}

static const Option remove_net_options[] = { { "nets", ARG_OBJECTS, .kinds = OBJ_BIT(OBJ_NET),
                                               .flags = OPT_REQUIRED, .help = "nets to remove" },
                                             { 0 } };

static Status may_remove_net(const Session *s, uint32_t seg)
{
  NetId net = s->netlist->segs.at[seg].net;
  if (rules_may_edit_net(s->edit_rules, s->netlist, net, "remove", s->log) != OK) return FAILED;
  return netlist_may_remove_net(s->netlist, seg, s->log);
}

static Status run_remove_net(Session *s, Args *a)
{
  return remove_each(s, a, "nets", may_remove_net, edit_remove_net);
}

static const Option connect_options[] = {
  { "net", ARG_OBJECTS, .kinds = OBJ_BIT(OBJ_NET), .flags = OPT_REQUIRED, .help = "net" },
  { "pin", ARG_OBJECTS, .kinds = OBJS_PORT_PIN, .flags = OPT_REQUIRED,
    .help = "pin or port, not connected yet" },
  { 0 }
};

/* A driver, or the driver behind a hierarchical pin, in addition to the drivers that the net
   already has. */
static void warn_of_fight(Session *s, Args *a, PinId pin)
{
  const Netlist *n = s->netlist;
  NetId net = netlist_pin_net(n, pin);
  if (!pin_is_hierarchical(n, pin) && !netlist_pin_holds(n, pin)) return;
  NetHolders h = netlist_net_holders(n, net);
  if (h.first == NO_PIN || (h.second == NO_PIN && h.constant < 0)) return;
  Text name = { 0 }, one = { 0 }, two = { 0 };
  netlist_net_name(n, net, s->separator, &name);
  netlist_pin_name(n, h.first, s->separator, &one);
  if (h.second != NO_PIN) netlist_pin_name(n, h.second, s->separator, &two);
  if (h.constant >= 0)
    log_warning(s->log, "NET-013", args_where(a),
                "net '%.200s' is constant %d and driven by '%.200s': the constant counts",
                text_get(&name), h.constant, text_get(&one));
  else
    log_warning(s->log, "NET-012", args_where(a),
                "net '%.200s' has several drivers: '%.200s', '%.200s'", text_get(&name),
                text_get(&one), text_get(&two));
  text_free(&name);
  text_free(&one);
  text_free(&two);
}

/* Neither the net nor the pin's cell is one that must be left alone. */
static Status may_change_pin(const Session *s, PinId pin, NetId net, const char *what)
{
  InstId inst = s->netlist->pins.at[pin].inst;
  if (rules_may_edit_net(s->edit_rules, s->netlist, net, what, s->log) != OK) return FAILED;
  return inst == TOP_INST ? OK
                          : rules_may_edit(s->edit_rules, s->netlist, inst, what, s->log);
}

static Status run_connect_pin(Session *s, Args *a)
{
  Object net, pin;
  if (only_one(s, a, "connect_pin", "net", &net) != OK
      || only_one(s, a, "connect_pin", "pin", &pin) != OK
      || may_change_pin(s, pin.id, s->netlist->segs.at[net.id].net, "connect") != OK)
    return FAILED;
  Edits *edits = command_edits(s);
  edits_begin(edits, "connect_pin");
  Status status = edit_connect(edits, pin.id, net.id);
  if (status == OK) warn_of_fight(s, a, pin.id);
  return end_edit(s, a, status, (EditWord[]){ edit_object(net), edit_typed_object(pin) }, 2);
}

static const Option disconnect_options[] = {
  { "-all", ARG_FLAG, .help = "all pins of the net" },
  { "net", ARG_OBJECTS, .kinds = OBJ_BIT(OBJ_NET) | OBJS_PORT_PIN, .flags = OPT_REQUIRED | OPT_LATE,
    .help = "a net; or a pin alone" },
  { "pin", ARG_OBJECTS, .kinds = OBJS_PORT_PIN, .help = "pin or port of the net" }, { 0 } };

static Status disconnect_pins(Session *s, const Object *pins, uint32_t count)
{
  Edits *edits = command_edits(s);
  Text script = { 0 };
  Status status = OK;
  for (uint32_t i = 0; i < count && status == OK; i++)
    status = may_change_pin(s, pins[i].id, netlist_pin_net(s->netlist, pins[i].id), "disconnect");
  edits_begin(edits, "disconnect_pin");
  for (uint32_t i = 0; i < count && status == OK; i++) {
    EditWord word = edit_typed_object(pins[i]);
    if (i) text_char(&script, '\n');
    edit_script(s, "disconnect_pin", &word, 1, &script);
    status = edit_disconnect(edits, pins[i].id);
  }
  edits_end(edits, status, text_get(&script));
  text_free(&script);
  return status;
}

static Status disconnect_all(Session *s, SegId seg)
{
  ObjectArray pins = { 0 };
  for (PinId p = s->netlist->segs.at[seg].first_pin; p != NO_PIN; p = s->netlist->pins.at[p].next)
    array_push(&pins, (Object){ pin_is_top_port(s->netlist, p) ? OBJ_PORT : OBJ_PIN, p });
  Status status = disconnect_pins(s, pins.at, pins.len);
  array_free(&pins);
  return status;
}

/* A single name means a pin.  Before a pin, or with -all, it means a net, even if a port has the
   same name. */
static Status run_disconnect_pin(Session *s, Args *a)
{
  Object net, pin;
  bool all = args_flag(a, "-all"), two = args_given(a, "pin");
  if (all && two)
    return log_error(s->log, "CMD-070", NOWHERE,
                     "disconnect_pin: -all takes all pins off the net, and goes with no pin");
  if (args_resolve(a, "net", all || two ? OBJ_BIT(OBJ_NET) : OBJS_PORT_PIN) != OK) return FAILED;
  if (only_one(s, a, "disconnect_pin", "net", &net) != OK) return FAILED;
  if (net.type != OBJ_NET) return disconnect_pins(s, &net, 1);
  if (all) return disconnect_all(s, net.id);
  if (only_one(s, a, "disconnect_pin", "pin", &pin) != OK) return FAILED;
  if (netlist_pin_net(s->netlist, pin.id) != s->netlist->segs.at[net.id].net)
    return log_error(s->log, "CMD-061", NOWHERE, "disconnect_pin: the pin is not on the net");
  return disconnect_pins(s, &pin, 1);
}

const Command commands_edit[] = {
  { "swap_cell", "netlist edits", "replace the library cell of cells",
    swap_options, run_swap_cell, CMD_NEEDS_DESIGN | CMD_READS,
    "The new cell must have the same pins, by name. If its arcs correspond too, as for another "
    "drive strength, the next update computes only what the swap reaches. Several cells are all "
    "swapped, or none if one of them cannot be. With a list of library cells each cell gets "
    "the one at its place. A command is one edit and one update, however many cells it names. "
    "Cells under set_dont_touch are refused. "
    "See get_alternative_lib_cells, estimate_swap, undo_edits.",
    "swap_cell exec/g1508 mux2_4l\n"
    "swap_cell {exec/g1508 fetch/g3} {mux2_2l xor2_1r}\n" },
  { "insert_gate", "netlist edits", "make a cell", insert_gate_options, run_insert_gate,
    CMD_NEEDS_DESIGN | CMD_CHANGES,
    "The new cell has no connections; use connect_pin. Returns the cell.",
    "insert_gate exec/spare buf_2r\n"
    "connect_pin [insert_net exec/spare_in] exec/spare/A\n" },
  { "remove_gate", "netlist edits", "remove cells", remove_gate_options, run_remove_gate,
    CMD_NEEDS_DESIGN | CMD_CHANGES,
    "Parasitics of the nets at its pins are removed. Clocks lose their sources there: a clock "
    "without sources becomes virtual, and a generated clock is deleted with everything that "
    "names it.",
    "insert_gate spare_inverter inv_1r\n"
    "remove_gate spare_inverter\n" },
  { "insert_net", "netlist edits", "make a net", insert_net_options, run_insert_net,
    CMD_NEEDS_DESIGN | CMD_CHANGES, "The new net has no pins; use connect_pin. Returns the net.",
    "insert_net spare_net\n" },
  { "remove_net", "netlist edits", "remove nets", remove_net_options, run_remove_net,
    CMD_NEEDS_DESIGN | CMD_CHANGES, "Its pins are disconnected first.",
    "insert_net spare_wire\n"
    "remove_net spare_wire\n" },
  { "connect_pin", "netlist edits", "connect a pin to a net", connect_options, run_connect_pin,
    CMD_NEEDS_DESIGN | CMD_CHANGES, "Parasitics of a net whose pins change are removed.",
    "insert_gate delay_cell buf_1r\n"
    "insert_net delayed\n"
    "connect_pin delayed delay_cell/Y\n" },
  { "disconnect_pin", "netlist edits", "disconnect a pin, or all pins, from "
                                       "a net", disconnect_options,
    run_disconnect_pin, CMD_NEEDS_DESIGN | CMD_CHANGES,
    "With two words the first is a net, even if a port has the same name. A single word is a pin "
    "or port. Parasitics of a net whose pins change are removed.",
    "insert_gate other_cell buf_1r\n"
    "connect_pin [insert_net other] other_cell/Y\n"
    "disconnect_pin other other_cell/Y\n" },
  { 0 }
};
