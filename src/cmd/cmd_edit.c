/* Edits of the netlist. */
#include <string.h>

#include "base/interrupt.h"
#include "base/memory.h"
#include "cmd/placed.h"
#include "db/placement.h"
#include "tclbind/console.h"
#include "tclbind/match.h"
#include "tclbind/object_value.h"
#include "update/timer.h"

/* In any corner. */
static bool has_parasitics(const Session *s, NetId net)
{
  for (ParasiticsId p = 0; p < s->scenarios->parasitics.len; p++) {
    const Parasitics *data = s->scenarios->parasitics.at[p].data;
    if (data && parasitics_has(data, net)) return true;
  }
  return false;
}

static void touch_net(Session *s, NetId net)
{
  if (net == NO_NET || !has_parasitics(s, net)) return;
  for (uint32_t i = 0; i < s->timers.len; i++)
    if (s->timers.at[i]) timer_touch_net(s->timers.at[i], net);
}

static void drop_parasitics(Session *s, NetId net)
{
  for (ParasiticsId p = 0; net != NO_NET && p < s->scenarios->parasitics.len; p++) {
    Parasitics *data = s->scenarios->parasitics.at[p].data;
    if (data) parasitics_remove_net(data, s->netlist, net);
  }
}

/* Parasitics of a net do not fit any more once its pins change. */
static void forget_parasitics(Session *s, NetId net)
{
  touch_net(s, net);
  drop_parasitics(s, net);
}

static Object first_object(const Args *a, const char *option)
{
  uint32_t count;
  const Object *objects = args_objects(a, option, 0, &count);
  return count ? objects[0] : (Object){ OBJ_NONE, 0 };
}

static Status only_one(Session *s, const Args *a, const char *command, const char *option,
                       Object *o)
{
  uint32_t count;
  args_objects(a, option, 0, &count);
  *o = first_object(a, option);
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

/* --- annotation: an edit is one in all scenarios ---------------------------------------------- */

static Annotations *next_annotations(const Session *s, ScenarioId *at)
{
  while (*at < s->scenarios->scenarios.len) {
    Annotations *a = s->scenarios->scenarios.at[(*at)++].annotations;
    if (a) return a;
  }
  return NULL;
}

static void forget_annotated_cell(const Session *s, InstId inst, CellId old_cell)
{
  ScenarioId at = 0;
  for (Annotations *a; (a = next_annotations(s, &at)) != NULL;)
    annotations_forget_cell(a, s->netlist, inst, old_cell);
}

static void forget_annotated_wires(const Session *s, PinId pin)
{
  ScenarioId at = 0;
  for (Annotations *a; (a = next_annotations(s, &at)) != NULL;)
    annotations_forget_wires(a, s->netlist, pin);
}

static void forget_annotated_net(const Session *s, NetId net)
{
  ScenarioId at = 0;
  for (Annotations *a; (a = next_annotations(s, &at)) != NULL;)
    annotations_forget_net(a, s->netlist, net);
}

/* --- cells ------------------------------------------------------------------------------------ */

static const Option swap_options[] = { { "cells", ARG_OBJECTS, .kinds = OBJ_BIT(OBJ_CELL),
                                         .flags = OPT_REQUIRED, .help = "cells of the design" },
                                       { "lib_cell", ARG_OBJECTS, .kinds = OBJ_BIT(OBJ_LIB_CELL),
                                         .flags = OPT_REQUIRED,
                                         .help = "library cell with the same pins" },
                                       { 0 } };

static Status swap(Session *s, InstId inst, CellId to)
{
  CellId old = netlist_inst_cell(s->netlist, inst);
  if (netlist_swap_cell(s->netlist, inst, to, s->log) != OK) return FAILED;
  if (old != to) forget_annotated_cell(s, inst, old);
  for (uint32_t t = 0; t < s->timers.len; t++)
    if (s->timers.at[t]) timer_cell_swapped(s->timers.at[t], inst, old);
  if (s->placement && old != to) {
    placement_cell_swapped(s->placement, inst);
    placed_cell_changed(s, inst);
  }
  return OK;
}

/* All or none. */
static Status swap_all(Session *s, const Object *cells, uint32_t count, CellId to)
{
  CellId *old = mem_alloc_zero(count, sizeof *old);
  Status status = OK;
  uint32_t done = 0;
  for (; done < count; done++) {
    old[done] = netlist_inst_cell(s->netlist, cells[done].id);
    status = interrupt_seen() ? FAILED : swap(s, cells[done].id, to);
    if (status != OK) break;
  }
  while (status != OK && done-- > 0) swap(s, cells[done].id, old[done]);
  mem_free(old);
  return status;
}

static Status run_swap_cell(Session *s, Args *a)
{
  uint32_t count;
  Object to;
  const Object *cells = args_objects(a, "cells", 0, &count);
  if (only_one(s, a, "swap_cell", "lib_cell", &to) != OK) return FAILED;
  for (uint32_t i = 0; i < count; i++)
    if (interrupt_seen() ||
        netlist_may_swap_cell(s->netlist, cells[i].id, to.id, s->log) != OK)
      return FAILED;
  return swap_all(s, cells, count, to.id);
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

static void part_new_cell(Session *s, Args *a, InstId made)
{
  InstId other = netlist_same_name_inst(s->netlist, made);
  if (other == NO_INST) return;
  Text name = { 0 };
  netlist_inst_name(s->netlist, made, s->separator, &name);
  netlist_part_insts(s->netlist, made, other);
  warn_of_name(s, a, &name);
  text_free(&name);
}

static void part_new_net(Session *s, Args *a, SegId made)
{
  SegId other = netlist_same_name_seg(s->netlist, made);
  if (other == NO_SEG) return;
  Text name = { 0 };
  netlist_seg_name(s->netlist, made, s->separator, &name);
  netlist_part_segs(s->netlist, made, other);
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
  if (netlist_insert_inst(s->netlist, scope, local, cell.id, s->log, &made) != OK) return FAILED;
  part_new_cell(s, a, made);
  Object o = { OBJ_CELL, made };
  args_return_objects(a, &o, 1);
  return OK;
}

static const Option remove_gate_options[] = {
  { "cells", ARG_OBJECTS, .kinds = OBJ_BIT(OBJ_CELL), .flags = OPT_REQUIRED,
    .help = "cells to remove; their pins are disconnected first" },
  { 0 }
};

static void forget_pins(Session *s, PinId first, uint32_t count)
{
  for (ModeId m = 0; m < s->scenarios->modes.len; m++) {
    Constraints *c = s->scenarios->modes.at[m].constraints;
    ClockArray gone = { 0 };
    if (c) constraints_forget_pins(c, first, count, &gone);
    for (uint32_t i = 0; i < gone.len; i++)
      log_warning(s->log, "SDC-086", NOWHERE,
                  "the generated clock %s is deleted: its source was removed",
                  names_text(s->names, c->clocks.at[gone.at[i]].name));
    array_free(&gone);
  }
}

typedef ARRAY(SegId) SegIds;

static void wires_again(Session *s, const SegIds *segs)
{
  for (uint32_t i = 0; i < segs->len; i++)
    if (segs->at[i] != NO_SEG) placed_net_changed(s, s->netlist->segs.at[segs->at[i]].net);
}

static Status remove_gate(Session *s, InstId id)
{
  SegIds segs = { 0 };
  const Inst *inst = &s->netlist->insts.at[id];
  PinId first = inst->first_pin;
  uint32_t pins = inst->pin_count;
  for (PinId pin = first; pin < first + pins; pin++) {
    forget_parasitics(s, netlist_pin_net(s->netlist, pin));
    forget_annotated_wires(s, pin);
    array_push(&segs, s->netlist->pins.at[pin].seg);
  }
  forget_annotated_cell(s, id, netlist_inst_cell(s->netlist, id));
  Status status = netlist_remove_inst(s->netlist, id, s->log);
  if (status == OK) {
    forget_pins(s, first, pins);
    wires_again(s, &segs);
  }
  array_free(&segs);
  return status;
}

/* Removes all or none: each is asked for first. */
static Status remove_each(Session *s, Args *a, const char *option,
                          Status (*may)(const Netlist *, uint32_t, Log *),
                          Status (*remove)(Session *, uint32_t))
{
  ObjectArray objects = each_once(a, option);
  Status status = OK;
  for (uint32_t i = 0; i < objects.len && status == OK; i++)
    status = may(s->netlist, objects.at[i].id, s->log);
  for (uint32_t i = 0; i < objects.len && status == OK; i++) status = remove(s, objects.at[i].id);
  array_free(&objects);
  return status;
}

static Status run_remove_gate(Session *s, Args *a)
{
  return remove_each(s, a, "cells", netlist_may_remove_inst, remove_gate);
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
  if (netlist_insert_net(s->netlist, scope, local, s->log, &made) != OK) return FAILED;
  part_new_net(s, a, made);
  Object o = { OBJ_NET, made };
  args_return_objects(a, &o, 1);
  return OK;
}

static const Option remove_net_options[] = { { "nets", ARG_OBJECTS, .kinds = OBJ_BIT(OBJ_NET),
                                               .flags = OPT_REQUIRED, .help = "nets to remove" },
                                             { 0 } };

static Status remove_net(Session *s, SegId seg)
{
  forget_parasitics(s, s->netlist->segs.at[seg].net);
  forget_annotated_net(s, s->netlist->segs.at[seg].net);
  return netlist_remove_net(s->netlist, seg, s->log);
}

static Status run_remove_net(Session *s, Args *a)
{
  return remove_each(s, a, "nets", netlist_may_remove_net, remove_net);
}

static const Option connect_options[] = {
  { "net", ARG_OBJECTS, .kinds = OBJ_BIT(OBJ_NET), .flags = OPT_REQUIRED, .help = "net" },
  { "pin", ARG_OBJECTS, .kinds = OBJS_PORT_PIN, .flags = OPT_REQUIRED,
    .help = "pin or port, not connected yet" },
  { 0 }
};

/* A driver, or what a hierarchical pin brings, beside what holds the net already. */
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

static Status run_connect_pin(Session *s, Args *a)
{
  Object net, pin;
  if (only_one(s, a, "connect_pin", "net", &net) != OK
      || only_one(s, a, "connect_pin", "pin", &pin) != OK)
    return FAILED;
  /* a hierarchical pin joins two nets; both are found by their numbers of before */
  SegId inner = netlist_inner_seg(s->netlist, pin.id);
  NetId inside = inner == NO_SEG ? NO_NET : s->netlist->segs.at[inner].net,
        outside = s->netlist->segs.at[net.id].net;
  touch_net(s, inside);
  touch_net(s, outside);
  if (netlist_connect(s->netlist, pin.id, net.id, s->log) != OK) return FAILED;
  drop_parasitics(s, inside);
  drop_parasitics(s, outside);
  placed_net_changed(s, s->netlist->segs.at[net.id].net);
  warn_of_fight(s, a, pin.id);
  return OK;
}

static const Option disconnect_options[] = {
  { "-all", ARG_FLAG, .help = "all pins of the net" },
  { "net", ARG_OBJECTS, .kinds = OBJ_BIT(OBJ_NET) | OBJS_PORT_PIN, .flags = OPT_REQUIRED | OPT_LATE,
    .help = "a net; or a pin alone" },
  { "pin", ARG_OBJECTS, .kinds = OBJS_PORT_PIN, .help = "pin or port of the net" }, { 0 } };

static Status disconnect_one(Session *s, PinId pin)
{
  forget_annotated_wires(s, pin);
  forget_parasitics(s, netlist_pin_net(s->netlist, pin));
  SegId outer = s->netlist->pins.at[pin].seg, inner = netlist_inner_seg(s->netlist, pin);
  if (netlist_disconnect(s->netlist, pin, s->log) != OK) return FAILED;
  if (outer != NO_SEG) placed_net_changed(s, s->netlist->segs.at[outer].net);
  if (inner != NO_SEG) placed_net_changed(s, s->netlist->segs.at[inner].net);
  return OK;
}

static Status disconnect_all(Session *s, SegId seg)
{
  PinArray pins = { 0 };
  Status status = OK;
  for (PinId p = s->netlist->segs.at[seg].first_pin; p != NO_PIN; p = s->netlist->pins.at[p].next)
    array_push(&pins, p);
  for (uint32_t i = 0; i < pins.len && status == OK; i++) status = disconnect_one(s, pins.at[i]);
  array_free(&pins);
  return status;
}

/* A name alone is a pin's; before a pin or with -all it is a net's, also where a port has it
   too. */
static Status run_disconnect_pin(Session *s, Args *a)
{
  Object net, pin;
  bool all = args_flag(a, "-all"), two = args_given(a, "pin");
  if (all && two)
    return log_error(s->log, "CMD-070", NOWHERE,
                     "disconnect_pin: -all takes all pins off the net, and goes with no pin");
  if (args_resolve(a, "net", all || two ? OBJ_BIT(OBJ_NET) : OBJS_PORT_PIN) != OK) return FAILED;
  if (only_one(s, a, "disconnect_pin", "net", &net) != OK) return FAILED;
  if (net.type != OBJ_NET) return disconnect_one(s, net.id);
  if (all) return disconnect_all(s, net.id);
  if (only_one(s, a, "disconnect_pin", "pin", &pin) != OK) return FAILED;
  if (netlist_pin_net(s->netlist, pin.id) != s->netlist->segs.at[net.id].net)
    return log_error(s->log, "CMD-061", NOWHERE, "disconnect_pin: the pin is not on the net");
  return disconnect_one(s, pin.id);
}

const Command commands_edit[] = {
  { "swap_cell", "netlist edits", "replace the library cell of cells",
    swap_options, run_swap_cell, CMD_NEEDS_DESIGN | CMD_ANNOTATES,
    "The new cell must have the same pins, by name. If its arcs correspond too, as for another "
    "drive strength, the next update computes only what the swap reaches. Several cells are all "
    "swapped, or none if one of them cannot be.",
    "swap_cell exec/g1508 mux2_4l\n" },
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
