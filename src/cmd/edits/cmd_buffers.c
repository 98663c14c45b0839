/* Commands that insert and remove buffers. */
#include "cmd/edits/edit_command.h"
#include "optimize/buffers.h"
#include "tclbind/match.h"
#include "tclbind/object_value.h"

static BufferEdit buffer_edit(Session *s)
{
  return (BufferEdit){ s->netlist, s->edit_rules, s->scenarios, command_edits(s), s->log };
}

/* --- putting in ------------------------------------------------------------------------------- */
static const Option insert_options[] = {
  { "-cell_name", ARG_TEXT, .value = "name", .help = "local name of the new cell" },
  { "-net_name", ARG_TEXT, .value = "name", .help = "local name of the new net" },
  { "objects", ARG_OBJECTS, .kinds = OBJS_PORT_PIN | OBJ_BIT(OBJ_NET), .flags = OPT_REQUIRED,
    .help = "a net or its driver; or loads of one net" },
  { "lib_cell", ARG_OBJECTS, .kinds = OBJ_BIT(OBJ_LIB_CELL), .flags = OPT_REQUIRED,
    .help = "library cell of a buffer" },
  { 0 }
};

/* The net, where one object stands for all its loads; NO_NET: the objects are loads. */
static NetId whole_net(const Session *s, const ObjectArray *array)
{
  if (array->len == 1 && array->at[0].type == OBJ_NET)
    return s->netlist->segs.at[array->at[0].id].net;
  if (array->len == 1 && netlist_pin_drives(s->netlist, array->at[0].id)
      && !netlist_pin_loads(s->netlist, array->at[0].id))
    return netlist_pin_net(s->netlist, array->at[0].id);
  return NO_NET;
}

static Status put_in(Session *s, const ObjectArray *objects, const BufferWish *wish,
                     NewBuffer *made)
{
  BufferEdit b = buffer_edit(s);
  NetId net = whole_net(s, objects);
  if (net != NO_NET) return buffer_at_driver(&b, net, wish, made);
  PinArray pins = { 0 };
  for (uint32_t i = 0; i < objects->len; i++) array_push(&pins, objects->at[i].id);
  Status status = OK;
  for (uint32_t i = 0; i < objects->len && status == OK; i++)
    if (objects->at[i].type == OBJ_NET || pin_is_hierarchical(s->netlist, objects->at[i].id))
      status = log_error(s->log, "EDIT-018", NOWHERE,
                         "insert_buffer: expected one net, or loads of one net that are pins of "
                         "library cells or ports");
  if (status == OK) status = buffer_at_loads(&b, pins.at, pins.len, wish, made);
  array_free(&pins);
  return status;
}

/* With the names that the objects got. */
static Status end_insert(Session *s, Status status, Text *script, const NewBuffer *made)
{
  if (status == OK) {
    EditWord words[] = {
      edit_text("-cell_name"),
      edit_text(names_text(s->names, s->netlist->insts.at[made->cell].name)),
      edit_text("-net_name"), edit_text(names_text(s->names, s->netlist->segs.at[made->net].name))
    };
    Text named = { 0 };
    edit_script(s, "insert_buffer", words, 4, &named);
    text_put(&named, text_get(script) + strlen("insert_buffer"));
    status = edits_end(command_edits(s), OK, text_get(&named));
    text_free(&named);
    return status;
  }
  return edits_end(command_edits(s), status, NULL);
}

static Status run_insert_buffer(Session *s, Args *a)
{
  uint32_t count, cells;
  const Object *given = args_objects(a, "objects", 0, &count),
               *cell = args_objects(a, "lib_cell", 0, &cells);
  if (cells != 1)
    return log_error(s->log, "CMD-060", NOWHERE, "%s: lib_cell names %u objects, expected one",
                     args_command(a), cells);
  ObjectArray objects = { 0 };
  for (uint32_t i = 0; i < count; i++) array_push(&objects, given[i]);
  objects_unique(&objects);
  BufferWish wish = { cell->id, args_text(a, "-cell_name"), args_text(a, "-net_name") };
  NewBuffer made;
  Text script = { 0 };
  EditWord words[] = { edit_typed_objects(objects.at, objects.len), edit_object(*cell) };
  edit_script(s, "insert_buffer", words, 2, &script);       /* before pins change their nets */
  edits_begin(command_edits(s), "insert_buffer");
  Status status = put_in(s, &objects, &wish, &made);
  if (status == OK) part_new_cell(s, a, made.cell);
  if (status == OK) part_new_net(s, a, made.net);
  status = end_insert(s, status, &script, &made);
  text_free(&script);
  array_free(&objects);
  Object o = { OBJ_CELL, made.cell };
  if (status == OK) args_return_objects(a, &o, 1);
  return status;
}

/* --- taking out ------------------------------------------------------------------------------- */
static const Option remove_options[] = {
  { "cells", ARG_OBJECTS, .kinds = OBJ_BIT(OBJ_CELL), .flags = OPT_REQUIRED,
    .help = "buffers, or the first inverters of pairs of inverters" },
  { 0 }
};

static Status run_remove_buffer(Session *s, Args *a)
{
  uint32_t count;
  const Object *given = args_objects(a, "cells", 0, &count);
  ObjectArray objects = { 0 };
  for (uint32_t i = 0; i < count; i++) array_push(&objects, given[i]);
  objects_unique(&objects);
  Text script = { 0 };
  EditWord words[] = { edit_objects(objects.at, objects.len) };
  edit_script(s, "remove_buffer", words, 1, &script);
  BufferEdit b = buffer_edit(s);
  Status status = OK;
  edits_begin(b.edits, "remove_buffer");
  for (uint32_t i = 0; i < objects.len && status == OK; i++)
    status = buffer_remove(&b, objects.at[i].id);
  status = edits_end(b.edits, status, text_get(&script));
  text_free(&script);
  array_free(&objects);
  return status;
}

const Command commands_buffers[] = {
  { "insert_buffer", "netlist edits", "insert a buffer into a net", insert_options,
    run_insert_buffer, CMD_NEEDS_DESIGN | CMD_CHANGES,
    "For a net or its driver, the buffer is put at the driver and drives all loads. For loads of "
    "one net in one hierarchical cell, the buffer drives these loads. Without -cell_name and "
    "-net_name, names are made: sl_buf and sl_net with a number. Returns the cell. One of the "
    "two nets keeps the name of the old net: the net at the port, if there is a port; else the "
    "net of the loads, if the buffer is at the driver; else the net of the driver. Constraints "
    "that name the net or its pins stay as they are. Parasitics are kept: all wire is after a "
    "buffer at the driver, and before a buffer at a single load. For several loads the tree is "
    "split where their part of it begins. If no node separates these loads from the others, or "
    "if the parasitics are not a single tree (*R_NET, several pieces, capacitances that include "
    "those of pins), they are dropped with a message (EDIT-020). If parasitics come from the "
    "placement (estimate_parasitics), both nets are estimated again instead. The buffer then "
    "counts as being at the first placed pin of each net, until place_cell gives it a place. "
    "Annotated delays of the wires are dropped. The command refuses nets under set_dont_touch, "
    "constant nets, and nets without a driver or with several.",
    "insert_buffer exec/g1508/A buf_1r\n" },
  { "remove_buffer", "netlist edits", "remove buffers and pairs of inverters", remove_options,
    run_remove_buffer, CMD_NEEDS_DESIGN | CMD_CHANGES,
    "For an inverter whose only load is another inverter, both are removed. If one of several "
    "cells cannot be removed, none is. The two nets become one. If a port, an assign or a "
    "constraint names one of them, this net stays; else the older one stays. If both are named, "
    "the buffer stays, and the command fails. The buffer also stays under set_dont_touch and "
    "set_size_only, and if constraints name it or one of its pins. The trees of the parasitics "
    "of both nets are joined at the place of the buffer. If they are not single trees, they are "
    "dropped with a message (EDIT-020). If parasitics come from the placement "
    "(estimate_parasitics), the remaining net is estimated again instead.",
    "remove_buffer [insert_buffer exec/g1508/A buf_1r]\n" },
  { 0 }
};
