/* Functions shared by the commands that edit the netlist: the lines that repeat an edit, and swaps
   of many cells. See edit_command.h. */
#include "cmd/edits/edit_command.h"

#include "cmd/place/placed.h"
#include "db/placement.h"

#include "base/expect.h"
#include "base/interrupt.h"
#include "base/pool.h"
#include "base/processors.h"
#include "tclbind/object_value.h"

/* --- scripts ---------------------------------------------------------------------------------- */
static Tcl_Obj *text_value(const Text *text)
{
  return Tcl_NewStringObj(text_get(text), (int)text->len);
}

static const Object *objects_of(const EditWord *word)
{
  return word->objects ? word->objects : &word->one;
}

static Tcl_Obj *names_of(Session *s, const Object *objects, uint32_t count)
{
  Tcl_Obj *list = Tcl_NewListObj(0, NULL);
  for (uint32_t i = 0; i < count; i++) {
    Text name = { 0 };
    object_name(s, objects[i], &name);
    Tcl_ListObjAppendElement(NULL, list, text_value(&name));
    text_free(&name);
  }
  return list;
}

/* Appends a word as Tcl quotes it, and drops the value. */
static void put_word(Text *out, Tcl_Obj *value)
{
  Tcl_Obj *list = Tcl_NewListObj(1, &value);
  Tcl_IncrRefCount(list);
  text_put(out, Tcl_GetString(list));
  Tcl_DecrRefCount(list);
}

static const char *finder_of(Object o)
{
  return o.type == OBJ_NET ? "get_nets" : o.type == OBJ_PORT ? "get_ports"
         : o.type == OBJ_PIN ? "get_pins" : "get_cells";
}

/* The number of objects from `first` on that are of the same kind. */
static uint32_t same_kind(const Object *objects, uint32_t first, uint32_t count)
{
  uint32_t end = first + 1;
  while (end < count && objects[end].type == objects[first].type) end++;
  return end - first;
}

/* [get_pins {a/A b/A}], or such words in a list, in the order of the objects. */
static void put_typed(Session *s, const EditWord *word, Text *out)
{
  const Object *objects = objects_of(word);
  bool several = word->count > 0 && same_kind(objects, 0, word->count) < word->count;
  if (several) text_put(out, "[list");
  for (uint32_t i = 0, run; i < word->count; i += run) {
    run = same_kind(objects, i, word->count);
    text_printf(out, several ? " [%s " : "[%s ", finder_of(objects[i]));
    put_word(out, names_of(s, objects + i, run));
    text_char(out, ']');
  }
  if (several) text_char(out, ']');
}

static Tcl_Obj *path_word(Session *s, const EditWord *edit_word)
{
  Text path = { 0 };
  if (edit_word->scope != NO_INST && edit_word->scope != TOP_INST) {
    netlist_inst_name(s->netlist, edit_word->scope, s->separator, &path);
    text_char(&path, s->separator);
  }
  text_put(&path, edit_word->text);
  Tcl_Obj *word = text_value(&path);
  text_free(&path);
  return word;
}

/* --- the placement ---------------------------------------------------------------------------- */
static void cell_swapped(void *data, InstId inst)
{
  Session *s = data;
  placement_cell_swapped(s->placement, inst);
  placed_cell_changed(s, inst);
}

static void cell_placed(void *data, InstId inst) { placed_cell_changed(data, inst); }
static void net_changed(void *data, NetId net) { placed_net_changed(data, net); }

Edits *command_edits(Session *s)
{
  Edits *edits = session_edits(s);
  EditObserver o = { cell_swapped, cell_placed, net_changed, s };
  edits_observe(edits, s->placement ? &o : NULL);
  return edits;
}

/* --- lines that make an edit again ------------------------------------------------------------ */
void edit_script(Session *s, const char *command, const EditWord *words, uint32_t count, Text *out)
{
  text_put(out, command);
  for (uint32_t i = 0; i < count; i++) {
    const EditWord *word = &words[i];
    text_char(out, ' ');
    if (word->text) put_word(out, path_word(s, word));
    else if (word->typed) put_typed(s, word, out);
    else put_word(out, names_of(s, objects_of(word), word->count));
  }
}

Status end_edit(Session *s, const Args *a, Status status, const EditWord *words, uint32_t count)
{
  Text script = { 0 };
  if (status == OK) edit_script(s, args_command(a), words, count, &script);
  status = edits_end(command_edits(s), status, text_get(&script));
  text_free(&script);
  return status;
}

/* --- swaps ------------------------------------------------------------------------------------ */
typedef struct {
  const Session  *s;
  const SwapList *swaps;
  bool           *kept;            /* for each swap: must its cell be left alone? */
} RuleCheck;

/* The cells of a list lie all over memory: a cell is asked for so many cells before. */
enum { AHEAD = 12 };

static void rules_share(void *context, uint32_t step, uint32_t from, uint32_t to, int thread)
{
  const RuleCheck *check = context;
  const Netlist *n = check->s->netlist;
  (void)step;
  (void)thread;
  for (uint32_t i = from; i < to; i++) {
    if (i + AHEAD < to) mem_expect(&n->insts.at[check->swaps->at[i + AHEAD].inst]);
    check->kept[i] =
        rules_of_inst(check->s->edit_rules, n, check->swaps->at[i].inst, NULL) != TOUCH_ALLOWED;
  }
}

/* Estimated time for a cell, ns. */
enum { RULES_NS = 120 };

/* Returns how many cells must be left alone; *first: the first swap of one. */
static uint32_t count_kept(const Session *s, const SwapList *swaps, uint32_t *first)
{
  RuleCheck x = { s, swaps, mem_alloc((size_t)swaps->len + 1) };
  uint32_t kept = 0;
  pool_items(swaps->len, RULES_NS, s->threads > 0 ? s->threads : processors_usable(), rules_share,
             &x);
  for (uint32_t i = swaps->len; i-- > 0;) {
    if (!x.kept[i]) continue;
    *first = i;
    kept++;
  }
  mem_free(x.kept);
  return kept;
}

/* Nothing is swapped where a cell is not to be touched: how many there are is said. */
static Status check_rules(Session *s, const SwapList *swaps)
{
  uint32_t first = 0, kept = count_kept(s, swaps, &first);
  if (kept == 0) return OK;
  if (kept == 1)
    return rules_may_edit(s->edit_rules, s->netlist, swaps->at[first].inst, "swap the cell of",
                          s->log);
  Text name = { 0 };
  netlist_inst_name(s->netlist, swaps->at[first].inst, s->separator, &name);
  log_error(s->log, "EDIT-001", NOWHERE,
            "cannot swap %u of %u cells, the first of them '%.200s': set_dont_touch", kept,
            swaps->len, text_get(&name));
  text_free(&name);
  return FAILED;
}

static Status told_twice(Session *s, InstId inst)
{
  Text name = { 0 };
  netlist_inst_name(s->netlist, inst, s->separator, &name);
  log_error(s->log, "EDIT-007", NOWHERE, "two library cells for the cell '%.200s'",
            text_get(&name));
  text_free(&name);
  return FAILED;
}

/* Lists each swap once. Two library cells for one cell would leave the last one, by the order of a
   list. FAILED after an interrupt. */
static Status each_once(Session *s, const SwapList *swaps, SwapList *once)
{
  Map *to = map_new();
  uint32_t twice = NO_INST;
  map_reserve(to, swaps->len);
  array_reserve(once, swaps->len);
  for (uint32_t i = 0; i < swaps->len && twice == NO_INST && !interrupt_seen(); i++) {
    const Swap *swap = &swaps->at[i];
    uint32_t before = map_get(to, swap->inst);
    if (before == MAP_NO_VALUE) array_push(once, *swap);
    else if (before != swap->to) twice = swap->inst;
    map_put(to, swap->inst, swap->to);
  }
  map_free(to);
  if (twice != NO_INST) return told_twice(s, twice);
  return interrupt_seen() ? FAILED : OK;
}

Status swap_cells(Session *s, const char *command, const SwapList *swaps)
{
  Edits *edits = command_edits(s);
  SwapList once = { 0 };
  Status status = check_rules(s, swaps);
  if (status == OK) status = each_once(s, swaps, &once);
  if (status == OK) status = edits_may_swap(edits, once.at, once.len);
  if (status == OK) {
    edits_begin(edits, command);
    status = edits_end(edits, edit_swaps(edits, once.at, once.len), NULL);
  }
  array_free(&once);
  return status;
}
