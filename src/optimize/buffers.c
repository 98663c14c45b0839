/* Inserts buffers into nets and removes them, together with their nets' parasitics. See
   buffers.h. */
#include "optimize/buffers.h"

#include "optimize/split_tree.h"

typedef ARRAY(PinId) Pins;

/* --- what is said ----------------------------------------------------------------------------- */
static Status refuse_net(const BufferEdit *edit, const char *code, NetId net, const char *why)
{
  Text name = { 0 };
  netlist_net_name(edit->n, net, NETLIST_SEPARATOR, &name);
  log_error(edit->log, code, NOWHERE, "cannot buffer the net '%.200s': %s", text_get(&name), why);
  text_free(&name);
  return FAILED;
}

static Status refuse_cell(const BufferEdit *edit, const char *code, InstId inst, const char *why)
{
  Text name = { 0 };
  netlist_inst_name(edit->n, inst, NETLIST_SEPARATOR, &name);
  log_error(edit->log, code, NOWHERE, "cannot remove the buffer '%.200s': %s", text_get(&name),
            why);
  text_free(&name);
  return FAILED;
}

static void tell_dropped(const BufferEdit *edit, NetId net, const char *why)
{
  Text name = { 0 };
  netlist_net_name(edit->n, net, NETLIST_SEPARATOR, &name);
  log_warning(edit->log, "EDIT-020", NOWHERE, "the parasitics of the net '%.200s' are dropped: %s",
              text_get(&name), why);
  text_free(&name);
}

/* --- buffers as library cells ----------------------------------------------------------------- */
/* The input and the output of a buffer or an inverter. */
static void ends_of(const BufferEdit *edit, InstId inst, PinId *in, PinId *out)
{
  const Inst *cell = &edit->n->insts.at[inst];
  *in = *out = NO_PIN;
  for (PinId p = cell->first_pin; p < cell->first_pin + cell->pin_count; p++)
    *(netlist_pin_direction(edit->n, p) == DIR_INPUT ? in : out) = p;
}

static Status check_buffer(const BufferEdit *edit, CellId cell)
{
  if (library_cell_is_buffer(edit->n->libs, cell)) return OK;
  return log_error(edit->log, "EDIT-010", NOWHERE,
                   "the library cell '%s' is no buffer: a cell of one input and one output with "
                   "the function of the input",
                   names_text(edit->n->names, edit->n->libs->cells.at[cell].name));
}

/* --- which pins go to the new net ------------------------------------------------------------- */
typedef struct {
  SegId seg;                   /* keeps its name */
  Pins  moved;                 /* to the new net */
  bool  in_is_new;             /* the buffer's input is on the new net, its output on seg */
  const PinId *loads;          /* behind the buffer; NULL: all of the net */
  uint32_t load_count;
} Cut;

/* In the reverse of their order on the segment, so that attaching them restores it. */
static void all_but(const Netlist *n, SegId seg, const PinId *kept, uint32_t count, Pins *out)
{
  Pins pins = { 0 };
  Map *stay = map_new();
  for (uint32_t i = 0; i < count; i++) map_put(stay, kept[i], 1);
  for (PinId p = n->segs.at[seg].first_pin; p != NO_PIN; p = n->pins.at[p].next)
    if (map_get(stay, p) == MAP_NO_VALUE) array_push(&pins, p);
  for (uint32_t i = pins.len; i-- > 0;) array_push(out, pins.at[i]);
  array_free(&pins);
  map_free(stay);
}

static bool is_port_among(const Netlist *n, const PinId *pins, uint32_t count)
{
  for (uint32_t i = 0; i < count; i++)
    if (pin_is_top_port(n, pins[i])) return true;
  return false;
}

/* The one driver of a net; NO_PIN: none or several. */
static PinId driver_of(const Netlist *n, NetId net)
{
  PinId driver = NO_PIN;
  NetPins it = net_pins(n, net, false);
  for (PinId p; (p = net_pins_next(&it)) != NO_PIN;) {
    if (!netlist_pin_drives(n, p)) continue;
    if (driver != NO_PIN) return NO_PIN;
    driver = p;
  }
  return driver;
}

static Status check_net(const BufferEdit *edit, NetId net, PinId *driver)
{
  enum { TIED = NET_CONSTANT_ZERO | NET_CONSTANT_ONE | NET_POWER | NET_GROUND };
  if (rules_may_edit_net(edit->rules, edit->n, net, "buffer", edit->log) != OK) return FAILED;
  if (edit->n->nets.at[net].flags & TIED)
    return refuse_net(edit, "EDIT-011", net, "it is constant or a supply");
  *driver = driver_of(edit->n, net);
  if (*driver == NO_PIN)
    return refuse_net(edit, "EDIT-012", net, "it has no driver, or several");
  return OK;
}

/* A segment that a port or an assign binds cannot give its other pins away. */
static Status check_bound(const BufferEdit *edit, SegId seg)
{
  if (!netlist_seg_is_joined(edit->n, seg)) return OK;
  return refuse_net(edit, "EDIT-013", edit->n->segs.at[seg].net,
                    "an assign joins the net of the port with another one");
}

/* --- parasitics of the two nets --------------------------------------------------------------- */
typedef enum { NET_RENAMED, NET_SPLIT, NET_LOST } NetChange;

/* Of one set of parasitics that has the net. */
typedef struct {
  ParasiticsId set;
  NetChange    kind;
  TreeCopy     near, behind;
} SetChange;

typedef struct {
  ARRAY(SetChange) sets;
  const char *why_lost;        /* NULL: nothing is */
} WirePlan;

static bool holds_pins(const Parasitics *parasitics, NetId net)
{
  for (PieceId x = parasitics->net_piece.at[net]; x != NO_PIECE; x = parasitics->pieces.at[x].next)
    if (parasitics->pieces.at[x].flags & (PIECE_INPUTS_INCLUDED | PIECE_OUTPUTS_INCLUDED))
      return true;
  return false;
}

static void plan_set(WirePlan *plan, const BufferEdit *edit, ParasiticsId id, NetId net,
                     const Cut *cut)
{
  const Parasitics *parasitics = edit->scenarios->parasitics.at[id].data;
  if (parasitics == NULL || !parasitics_has(parasitics, net)) return;
  SetChange c = { .set = id, .kind = cut->load_count < 2 ? NET_RENAMED : NET_SPLIT };
  const char *why = NULL;
  if (holds_pins(parasitics, net)) why = "their capacitances hold those of the net's pins";
  else if (c.kind == NET_SPLIT && cut->in_is_new)
    why = "a port is among several loads of the buffer";
  else if (c.kind == NET_SPLIT && !tree_copy_of(&c.near, parasitics, net))
    why = "they are no single tree";
  if (why) c.kind = NET_LOST;
  if (why) plan->why_lost = why;
  array_push(&plan->sets, c);
}

/* Where a tree does not part, all is dropped that it was for. */
static void split_set(WirePlan *plan, SetChange *change, const Cut *cut, PinId in, PinId out)
{
  if (change->kind != NET_SPLIT
      || tree_split(&change->near, cut->loads, cut->load_count, in, out, &change->behind))
    return;
  change->kind = NET_LOST;
  plan->why_lost = "the loads of the buffer do not part from the others on the tree";
}

static void add_tree(const BufferEdit *edit, ParasiticsId set, SegId seg, TreeCopy *copy)
{
  edit_add_piece(edit->edits, set,
                 &(EditPiece){ seg, copy->nodes.at, copy->taps.at, copy->nodes.len, copy->taps.len,
                               copy->flags, copy->numbers });
}

static void put_wires(WirePlan *plan, const BufferEdit *edit, const Cut *cut, SegId made,
                      const PieceChange *rename, PinId in, PinId out)
{
  for (uint32_t i = 0; i < plan->sets.len; i++) {
    SetChange *change = &plan->sets.at[i];
    split_set(plan, change, cut, in, out);
    if (change->kind == NET_RENAMED) edit_put_back_pieces(edit->edits, change->set, rename);
    if (change->kind == NET_SPLIT) add_tree(edit, change->set, cut->seg, &change->near);
    if (change->kind == NET_SPLIT) add_tree(edit, change->set, made, &change->behind);
    tree_copy_free(&change->near);
    tree_copy_free(&change->behind);
  }
  array_free(&plan->sets);
  if (plan->why_lost) tell_dropped(edit, edit->n->segs.at[cut->seg].net, plan->why_lost);
}

/* --- putting in ------------------------------------------------------------------------------- */
static bool name_is_free(const Netlist *n, Map *names, InstId scope, const char *name)
{
  NameId id = names_find(n->names, name, strlen(name));
  return id == NO_NAME || map_get(names, hash_pair(scope, id)) == MAP_NO_VALUE;
}

/* Numbers go on from what the netlist has, so that a free one is found at once. */
static void made_name(const Netlist *n, Map *names, InstId scope, const char *stem, uint32_t number,
                      Text *text)
{
  do {
    text_clear(text);
    text_printf(text, "%s%u", stem, number++);
  } while (!name_is_free(n, names, scope, text_get(text)));
}

static Status make_objects(const BufferEdit *edit, InstId scope, const BufferWish *wish,
                           NewBuffer *made)
{
  Text cell = { 0 }, net = { 0 };
  if (wish->cell_name) text_put(&cell, wish->cell_name);
  else made_name(edit->n, edit->n->inst_by_name, scope, "sl_buf", edit->n->insts.len, &cell);
  if (wish->net_name) text_put(&net, wish->net_name);
  else made_name(edit->n, edit->n->seg_by_name, scope, "sl_net", edit->n->segs.len, &net);
  Status status = edit_insert_inst(edit->edits, scope, text_get(&cell), wish->cell, &made->cell);
  if (status == OK) status = edit_insert_net(edit->edits, scope, text_get(&net), &made->net);
  text_free(&cell);
  text_free(&net);
  return status;
}

static Status move_pins(const BufferEdit *edit, const Pins *pins, SegId to)
{
  for (uint32_t i = 0; i < pins->len; i++)
    if (edit_disconnect(edit->edits, pins->at[i]) != OK
        || edit_connect(edit->edits, pins->at[i], to) != OK)
      return FAILED;
  return OK;
}

static Status put_in(const BufferEdit *edit, const Cut *cut, PinId replaced, const BufferWish *wish,
                     NewBuffer *made)
{
  NetId net = edit->n->segs.at[cut->seg].net;
  InstId scope = edit->n->segs.at[cut->seg].scope;
  WirePlan wires = { 0 };
  PinId in, out;
  if (rules_may_edit(edit->rules, edit->n, scope, "put a buffer into", edit->log) != OK
      || make_objects(edit, scope, wish, made) != OK)
    return FAILED;
  for (ParasiticsId p = 0; p < edit->scenarios->parasitics.len; p++)
    plan_set(&wires, edit, p, net, cut);
  edit_drop_parasitics(edit->edits, net);
  edit_keep_parasitics(edit->edits, true);
  ends_of(edit, made->cell, &in, &out);
  Status status = move_pins(edit, &cut->moved, made->net);
  if (status == OK)
    status = edit_connect(edit->edits, in, cut->in_is_new ? made->net : cut->seg);
  if (status == OK)
    status = edit_connect(edit->edits, out, cut->in_is_new ? cut->seg : made->net);
  bool port = pin_is_top_port(edit->n, replaced);
  PieceChange rename = { replaced, cut->loads ? in : out, cut->seg, port ? made->net : cut->seg };
  put_wires(&wires, edit, cut, made->net, &rename, in, out);
  return status;
}

Status buffer_at_driver(const BufferEdit *edit, NetId net, const BufferWish *wish, NewBuffer *made)
{
  PinId driver;
  if (check_buffer(edit, wish->cell) != OK || check_net(edit, net, &driver) != OK) return FAILED;
  Cut cut = { .seg = edit->n->pins.at[driver].seg, .in_is_new = !pin_is_top_port(edit->n, driver) };
  if (!cut.in_is_new && check_bound(edit, cut.seg) != OK) return FAILED;
  if (cut.in_is_new) array_push(&cut.moved, driver);
  else all_but(edit->n, cut.seg, &driver, 1, &cut.moved);
  Status status = put_in(edit, &cut, driver, wish, made);
  array_free(&cut.moved);
  return status;
}

static Status check_loads(const BufferEdit *edit, const PinId *loads, uint32_t count, NetId net)
{
  SegId seg = edit->n->pins.at[loads[0]].seg;
  for (uint32_t i = 0; i < count; i++) {
    if (!netlist_pin_loads(edit->n, loads[i]) || netlist_pin_drives(edit->n, loads[i]))
      return refuse_net(edit, "EDIT-014", net, "one of the pins is no load");
    if (netlist_pin_net(edit->n, loads[i]) != net)
      return log_error(edit->log, "EDIT-015", NOWHERE,
                       "cannot put a buffer before loads of different nets");
    if (edit->n->pins.at[loads[i]].seg != seg)
      return refuse_net(edit, "EDIT-016", net, "the loads are in different hierarchical cells");
  }
  return OK;
}

Status buffer_at_loads(const BufferEdit *edit, const PinId *loads, uint32_t count,
                       const BufferWish *wish, NewBuffer *made)
{
  PinId driver;
  NetId net = netlist_pin_net(edit->n, loads[0]);
  if (net == NO_NET)
    return log_error(edit->log, "EDIT-017", NOWHERE,
                     "cannot put a buffer before a pin that is not connected");
  if (check_buffer(edit, wish->cell) != OK || check_net(edit, net, &driver) != OK
      || check_loads(edit, loads, count, net) != OK)
    return FAILED;
  Cut cut = { .seg = edit->n->pins.at[loads[0]].seg,
              .in_is_new = is_port_among(edit->n, loads, count),
              .loads = loads,
              .load_count = count };
  if (cut.in_is_new && check_bound(edit, cut.seg) != OK) return FAILED;
  if (cut.in_is_new) all_but(edit->n, cut.seg, loads, count, &cut.moved);
  for (uint32_t i = 0; !cut.in_is_new && i < count; i++) array_push(&cut.moved, loads[i]);
  Status status = put_in(edit, &cut, loads[0], wish, made);
  array_free(&cut.moved);
  return status;
}

/* --- taking out ------------------------------------------------------------------------------- */
/* Can the net's pins go to another one? */
static bool may_give_up(const BufferEdit *edit, SegId seg)
{
  Log *quiet = log_new(NULL, NULL);
  NetId net = edit->n->segs.at[seg].net;
  bool may = netlist_may_remove_net(edit->n, seg, quiet) == OK
             && !netlist_seg_is_joined(edit->n, seg) && !scenarios_name_net(edit->scenarios, net);
  log_free(quiet);
  return may;
}

/* A net's tree; an ideal wire where the set has none. */
static bool tree_of(TreeCopy *copy, const BufferEdit *edit, const Parasitics *parasitics, NetId net)
{
  if (parasitics_has(parasitics, net)) return tree_copy_of(copy, parasitics, net);
  tree_of_net(copy, edit->n, net);
  return true;
}

/* The trees of both nets in one set, put together at the buffer; false: there are none, or they do
   not fit. */
static bool join_set(const BufferEdit *edit, ParasiticsId id, PinId in, PinId out, TreeCopy *copy,
                     WirePlan *plan)
{
  const Parasitics *parasitics = edit->scenarios->parasitics.at[id].data;
  NetId before = netlist_pin_net(edit->n, in), after = netlist_pin_net(edit->n, out);
  TreeCopy behind = { 0 };
  *copy = (TreeCopy){ 0 };
  if (parasitics == NULL
      || !(parasitics_has(parasitics, before) || parasitics_has(parasitics, after)))
    return false;
  bool fits = tree_of(copy, edit, parasitics, before) && tree_of(&behind, edit, parasitics, after)
              && tree_join(copy, in, &behind, out);
  tree_copy_free(&behind);
  if (!fits) plan->why_lost = "the trees before and after the buffer do not fit together";
  return fits;
}

/* All pins of a segment but the buffer's go to the other one. */
static Status merge_segs(const BufferEdit *edit, InstId buffer, SegId gone, SegId kept)
{
  Pins pins = { 0 };
  all_but(edit->n, gone, NULL, 0, &pins);
  Status status = OK;
  for (uint32_t i = 0; i < pins.len && status == OK; i++) {
    status = edit_disconnect(edit->edits, pins.at[i]);
    if (status == OK && edit->n->pins.at[pins.at[i]].inst != buffer)
      status = edit_connect(edit->edits, pins.at[i], kept);
  }
  array_free(&pins);
  return status == OK ? edit_remove_net(edit->edits, gone) : FAILED;
}

typedef struct {
  PinId in, out;
  SegId kept, gone;
} TakeOut;

static Status plan_take_out(const BufferEdit *edit, InstId inst, TakeOut *out)
{
  ends_of(edit, inst, &out->in, &out->out);
  SegId before = edit->n->pins.at[out->in].seg, after = edit->n->pins.at[out->out].seg;
  if (before == NO_SEG || after == NO_SEG)
    return refuse_cell(edit, "EDIT-022", inst, "one of its pins is not connected");
  NetId nets[] = { edit->n->segs.at[before].net, edit->n->segs.at[after].net };
  if (nets[0] == nets[1]) return refuse_cell(edit, "EDIT-023", inst, "it drives its own input");
  for (int i = 0; i < 2; i++)
    if (rules_may_edit_net(edit->rules, edit->n, nets[i], "take a buffer off", edit->log) != OK)
      return FAILED;
  if (driver_of(edit->n, nets[1]) != out->out)
    return refuse_cell(edit, "EDIT-024", inst, "its output's net has other drivers");
  bool give_after = may_give_up(edit, after), give_before = may_give_up(edit, before);
  if (!give_after && !give_before)
    return refuse_cell(edit, "EDIT-025", inst,
                       "ports, assigns or constraints name both of its nets");
  bool keep_before = give_after && (!give_before || before < after);      /* the older one */
  out->kept = keep_before ? before : after;
  out->gone = keep_before ? after : before;
  return OK;
}

static Status take_out(const BufferEdit *edit, InstId inst)
{
  TakeOut x;
  WirePlan w = { 0 };
  if (plan_take_out(edit, inst, &x) != OK) return FAILED;
  for (ParasiticsId p = 0; p < edit->scenarios->parasitics.len; p++) {
    SetChange c = { .set = p };
    if (join_set(edit, p, x.in, x.out, &c.near, &w)) array_push(&w.sets, c);
    else tree_copy_free(&c.near);
  }
  edit_drop_parasitics(edit->edits, edit->n->segs.at[x.kept].net);
  edit_drop_parasitics(edit->edits, edit->n->segs.at[x.gone].net);
  edit_keep_parasitics(edit->edits, true);
  Status status = merge_segs(edit, inst, x.gone, x.kept);
  if (status == OK) status = edit_remove_inst(edit->edits, inst);
  for (uint32_t i = 0; i < w.sets.len; i++) {
    if (status == OK) add_tree(edit, w.sets.at[i].set, x.kept, &w.sets.at[i].near);
    tree_copy_free(&w.sets.at[i].near);
  }
  array_free(&w.sets);
  if (w.why_lost) tell_dropped(edit, edit->n->segs.at[x.kept].net, w.why_lost);
  return status;
}

static Status check_removable(const BufferEdit *edit, InstId inst)
{
  if (rules_may_remove(edit->rules, edit->n, inst, edit->log) != OK) return FAILED;
  if (scenarios_name_inst(edit->scenarios, inst))
    return refuse_cell(edit, "EDIT-026", inst, "constraints name it or one of its pins");
  return OK;
}

/* The inverter that is the only load of another one; NO_INST. */
static InstId partner_of(const BufferEdit *edit, InstId inst)
{
  PinId in, out, load = NO_PIN;
  ends_of(edit, inst, &in, &out);
  NetPins it = net_pins(edit->n, netlist_pin_net(edit->n, out), false);
  for (PinId p; (p = net_pins_next(&it)) != NO_PIN;) {
    if (p == out) continue;
    if (load != NO_PIN) return NO_INST;
    load = p;
  }
  InstId other = load == NO_PIN ? NO_INST : edit->n->pins.at[load].inst;
  if (other == NO_INST || other == TOP_INST) return NO_INST;
  return library_cell_is_inverter(edit->n->libs, netlist_inst_cell(edit->n, other)) ? other
                                                                                    : NO_INST;
}

static Status remove_pair(const BufferEdit *edit, InstId first)
{
  InstId second = partner_of(edit, first);
  if (second == NO_INST)
    return refuse_cell(edit, "EDIT-021", first,
                       "it is an inverter, and not alone before another inverter");
  if (check_removable(edit, first) != OK || check_removable(edit, second) != OK) return FAILED;
  return take_out(edit, first) == OK ? take_out(edit, second) : FAILED;
}

Status buffer_remove(const BufferEdit *edit, InstId inst)
{
  if (netlist_may_remove_inst(edit->n, inst, edit->log) != OK) return FAILED;
  CellId cell = netlist_inst_cell(edit->n, inst);
  if (library_cell_is_inverter(edit->n->libs, cell)) return remove_pair(edit, inst);
  if (!library_cell_is_buffer(edit->n->libs, cell))
    return refuse_cell(edit, "EDIT-027", inst, "it is no buffer");
  if (check_removable(edit, inst) != OK) return FAILED;
  return take_out(edit, inst);
}
