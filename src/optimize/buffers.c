/* Inserts buffers into nets and removes them, together with their nets' parasitics. See
   buffers.h. */
#include "optimize/buffers.h"

#include "optimize/split_tree.h"

typedef ARRAY(PinId) Pins;

/* --- what is said ----------------------------------------------------------------------------- */
static Status refuse_net(const BufferEdit *b, const char *code, NetId net, const char *why)
{
  Text name = { 0 };
  netlist_net_name(b->n, net, NETLIST_SEPARATOR, &name);
  log_error(b->log, code, NOWHERE, "cannot buffer the net '%.200s': %s", text_get(&name), why);
  text_free(&name);
  return FAILED;
}

static Status refuse_cell(const BufferEdit *b, const char *code, InstId inst, const char *why)
{
  Text name = { 0 };
  netlist_inst_name(b->n, inst, NETLIST_SEPARATOR, &name);
  log_error(b->log, code, NOWHERE, "cannot remove the buffer '%.200s': %s", text_get(&name), why);
  text_free(&name);
  return FAILED;
}

static void tell_dropped(const BufferEdit *b, NetId net, const char *why)
{
  Text name = { 0 };
  netlist_net_name(b->n, net, NETLIST_SEPARATOR, &name);
  log_warning(b->log, "EDIT-020", NOWHERE, "the parasitics of the net '%.200s' are dropped: %s",
              text_get(&name), why);
  text_free(&name);
}

/* --- buffers as library cells ----------------------------------------------------------------- */
/* The input and the output of a buffer or an inverter. */
static void ends_of(const BufferEdit *b, InstId inst, PinId *in, PinId *out)
{
  const Inst *i = &b->n->insts.at[inst];
  *in = *out = NO_PIN;
  for (PinId p = i->first_pin; p < i->first_pin + i->pin_count; p++)
    *(netlist_pin_direction(b->n, p) == DIR_INPUT ? in : out) = p;
}

static Status check_buffer(const BufferEdit *b, CellId cell)
{
  if (library_cell_is_buffer(b->n->libs, cell)) return OK;
  return log_error(b->log, "EDIT-010", NOWHERE,
                   "the library cell '%s' is no buffer: a cell of one input and one output with "
                   "the function of the input",
                   names_text(b->n->names, b->n->libs->cells.at[cell].name));
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

static Status check_net(const BufferEdit *b, NetId net, PinId *driver)
{
  enum { TIED = NET_CONSTANT_ZERO | NET_CONSTANT_ONE | NET_POWER | NET_GROUND };
  if (rules_may_edit_net(b->rules, b->n, net, "buffer", b->log) != OK) return FAILED;
  if (b->n->nets.at[net].flags & TIED)
    return refuse_net(b, "EDIT-011", net, "it is constant or a supply");
  *driver = driver_of(b->n, net);
  if (*driver == NO_PIN)
    return refuse_net(b, "EDIT-012", net, "it has no driver, or several");
  return OK;
}

/* A segment that a port or an assign binds cannot give its other pins away. */
static Status check_bound(const BufferEdit *b, SegId seg)
{
  if (!netlist_seg_is_joined(b->n, seg)) return OK;
  return refuse_net(b, "EDIT-013", b->n->segs.at[seg].net,
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

static bool holds_pins(const Parasitics *p, NetId net)
{
  for (PieceId x = p->net_piece.at[net]; x != NO_PIECE; x = p->pieces.at[x].next)
    if (p->pieces.at[x].flags & (PIECE_INPUTS_INCLUDED | PIECE_OUTPUTS_INCLUDED)) return true;
  return false;
}

static void plan_set(WirePlan *w, const BufferEdit *b, ParasiticsId id, NetId net, const Cut *cut)
{
  const Parasitics *p = b->scenarios->parasitics.at[id].data;
  if (p == NULL || !parasitics_has(p, net)) return;
  SetChange c = { .set = id, .kind = cut->load_count < 2 ? NET_RENAMED : NET_SPLIT };
  const char *why = NULL;
  if (holds_pins(p, net)) why = "their capacitances hold those of the net's pins";
  else if (c.kind == NET_SPLIT && cut->in_is_new)
    why = "a port is among several loads of the buffer";
  else if (c.kind == NET_SPLIT && !tree_copy_of(&c.near, p, net))
    why = "they are no single tree";
  if (why) c.kind = NET_LOST;
  if (why) w->why_lost = why;
  array_push(&w->sets, c);
}

/* Where a tree does not part, all is dropped that it was for. */
static void split_set(WirePlan *w, SetChange *c, const Cut *cut, PinId in, PinId out)
{
  if (c->kind != NET_SPLIT
      || tree_split(&c->near, cut->loads, cut->load_count, in, out, &c->behind))
    return;
  c->kind = NET_LOST;
  w->why_lost = "the loads of the buffer do not part from the others on the tree";
}

static void add_tree(const BufferEdit *b, ParasiticsId set, SegId seg, TreeCopy *t)
{
  edit_add_piece(b->edits, set,
                 &(EditPiece){ seg, t->nodes.at, t->taps.at, t->nodes.len, t->taps.len, t->flags,
                               t->numbers });
}

static void put_wires(WirePlan *w, const BufferEdit *b, const Cut *cut, SegId made,
                      const PieceChange *rename, PinId in, PinId out)
{
  for (uint32_t i = 0; i < w->sets.len; i++) {
    SetChange *c = &w->sets.at[i];
    split_set(w, c, cut, in, out);
    if (c->kind == NET_RENAMED) edit_put_back_pieces(b->edits, c->set, rename);
    if (c->kind == NET_SPLIT) add_tree(b, c->set, cut->seg, &c->near);
    if (c->kind == NET_SPLIT) add_tree(b, c->set, made, &c->behind);
    tree_copy_free(&c->near);
    tree_copy_free(&c->behind);
  }
  array_free(&w->sets);
  if (w->why_lost) tell_dropped(b, b->n->segs.at[cut->seg].net, w->why_lost);
}

/* --- putting in ------------------------------------------------------------------------------- */
static bool name_is_free(const Netlist *n, Map *names, InstId scope, const char *name)
{
  NameId id = names_find(n->names, name, strlen(name));
  return id == NO_NAME || map_get(names, hash_pair(scope, id)) == MAP_NO_VALUE;
}

/* Numbers go on from what the netlist has, so that a free one is found at once. */
static void made_name(const Netlist *n, Map *names, InstId scope, const char *stem, uint32_t number,
                      Text *t)
{
  do {
    text_clear(t);
    text_printf(t, "%s%u", stem, number++);
  } while (!name_is_free(n, names, scope, text_get(t)));
}

static Status make_objects(const BufferEdit *b, InstId scope, const BufferWish *wish,
                           NewBuffer *made)
{
  Text cell = { 0 }, net = { 0 };
  if (wish->cell_name) text_put(&cell, wish->cell_name);
  else made_name(b->n, b->n->inst_by_name, scope, "sl_buf", b->n->insts.len, &cell);
  if (wish->net_name) text_put(&net, wish->net_name);
  else made_name(b->n, b->n->seg_by_name, scope, "sl_net", b->n->segs.len, &net);
  Status status = edit_insert_inst(b->edits, scope, text_get(&cell), wish->cell, &made->cell);
  if (status == OK) status = edit_insert_net(b->edits, scope, text_get(&net), &made->net);
  text_free(&cell);
  text_free(&net);
  return status;
}

static Status move_pins(const BufferEdit *b, const Pins *pins, SegId to)
{
  for (uint32_t i = 0; i < pins->len; i++)
    if (edit_disconnect(b->edits, pins->at[i]) != OK
        || edit_connect(b->edits, pins->at[i], to) != OK)
      return FAILED;
  return OK;
}

static Status put_in(const BufferEdit *b, const Cut *cut, PinId replaced, const BufferWish *wish,
                     NewBuffer *made)
{
  NetId net = b->n->segs.at[cut->seg].net;
  InstId scope = b->n->segs.at[cut->seg].scope;
  WirePlan wires = { 0 };
  PinId in, out;
  if (rules_may_edit(b->rules, b->n, scope, "put a buffer into", b->log) != OK
      || make_objects(b, scope, wish, made) != OK)
    return FAILED;
  for (ParasiticsId p = 0; p < b->scenarios->parasitics.len; p++) plan_set(&wires, b, p, net, cut);
  edit_drop_parasitics(b->edits, net);
  edit_keep_parasitics(b->edits, true);
  ends_of(b, made->cell, &in, &out);
  Status status = move_pins(b, &cut->moved, made->net);
  if (status == OK)
    status = edit_connect(b->edits, in, cut->in_is_new ? made->net : cut->seg);
  if (status == OK)
    status = edit_connect(b->edits, out, cut->in_is_new ? cut->seg : made->net);
  bool port = pin_is_top_port(b->n, replaced);
  PieceChange rename = { replaced, cut->loads ? in : out, cut->seg, port ? made->net : cut->seg };
  put_wires(&wires, b, cut, made->net, &rename, in, out);
  return status;
}

Status buffer_at_driver(const BufferEdit *b, NetId net, const BufferWish *wish, NewBuffer *made)
{
  PinId driver;
  if (check_buffer(b, wish->cell) != OK || check_net(b, net, &driver) != OK) return FAILED;
  Cut cut = { .seg = b->n->pins.at[driver].seg, .in_is_new = !pin_is_top_port(b->n, driver) };
  if (!cut.in_is_new && check_bound(b, cut.seg) != OK) return FAILED;
  if (cut.in_is_new) array_push(&cut.moved, driver);
  else all_but(b->n, cut.seg, &driver, 1, &cut.moved);
  Status status = put_in(b, &cut, driver, wish, made);
  array_free(&cut.moved);
  return status;
}

static Status check_loads(const BufferEdit *b, const PinId *loads, uint32_t count, NetId net)
{
  SegId seg = b->n->pins.at[loads[0]].seg;
  for (uint32_t i = 0; i < count; i++) {
    if (!netlist_pin_loads(b->n, loads[i]) || netlist_pin_drives(b->n, loads[i]))
      return refuse_net(b, "EDIT-014", net, "one of the pins is no load");
    if (netlist_pin_net(b->n, loads[i]) != net)
      return log_error(b->log, "EDIT-015", NOWHERE,
                       "cannot put a buffer before loads of different nets");
    if (b->n->pins.at[loads[i]].seg != seg)
      return refuse_net(b, "EDIT-016", net, "the loads are in different hierarchical cells");
  }
  return OK;
}

Status buffer_at_loads(const BufferEdit *b, const PinId *loads, uint32_t count,
                       const BufferWish *wish, NewBuffer *made)
{
  PinId driver;
  NetId net = netlist_pin_net(b->n, loads[0]);
  if (net == NO_NET)
    return log_error(b->log, "EDIT-017", NOWHERE,
                     "cannot put a buffer before a pin that is not connected");
  if (check_buffer(b, wish->cell) != OK || check_net(b, net, &driver) != OK
      || check_loads(b, loads, count, net) != OK)
    return FAILED;
  Cut cut = { .seg = b->n->pins.at[loads[0]].seg,
              .in_is_new = is_port_among(b->n, loads, count),
              .loads = loads,
              .load_count = count };
  if (cut.in_is_new && check_bound(b, cut.seg) != OK) return FAILED;
  if (cut.in_is_new) all_but(b->n, cut.seg, loads, count, &cut.moved);
  for (uint32_t i = 0; !cut.in_is_new && i < count; i++) array_push(&cut.moved, loads[i]);
  Status status = put_in(b, &cut, loads[0], wish, made);
  array_free(&cut.moved);
  return status;
}

/* --- taking out ------------------------------------------------------------------------------- */
/* Can the net's pins go to another one? */
static bool may_give_up(const BufferEdit *b, SegId seg)
{
  Log *quiet = log_new(NULL, NULL);
  NetId net = b->n->segs.at[seg].net;
  bool may = netlist_may_remove_net(b->n, seg, quiet) == OK && !netlist_seg_is_joined(b->n, seg)
             && !scenarios_name_net(b->scenarios, net);
  log_free(quiet);
  return may;
}

/* A net's tree; an ideal wire where the set has none. */
static bool tree_of(TreeCopy *t, const BufferEdit *b, const Parasitics *p, NetId net)
{
  if (parasitics_has(p, net)) return tree_copy_of(t, p, net);
  tree_of_net(t, b->n, net);
  return true;
}

/* The trees of both nets in one set, put together at the buffer; false: there are none, or they do
   not fit. */
static bool join_set(const BufferEdit *b, ParasiticsId id, PinId in, PinId out, TreeCopy *t,
                     WirePlan *w)
{
  const Parasitics *p = b->scenarios->parasitics.at[id].data;
  NetId before = netlist_pin_net(b->n, in), after = netlist_pin_net(b->n, out);
  TreeCopy behind = { 0 };
  *t = (TreeCopy){ 0 };
  if (p == NULL || !(parasitics_has(p, before) || parasitics_has(p, after))) return false;
  bool fits = tree_of(t, b, p, before) && tree_of(&behind, b, p, after)
              && tree_join(t, in, &behind, out);
  tree_copy_free(&behind);
  if (!fits) w->why_lost = "the trees before and after the buffer do not fit together";
  return fits;
}

/* All pins of a segment but the buffer's go to the other one. */
static Status merge_segs(const BufferEdit *b, InstId buffer, SegId gone, SegId kept)
{
  Pins pins = { 0 };
  all_but(b->n, gone, NULL, 0, &pins);
  Status status = OK;
  for (uint32_t i = 0; i < pins.len && status == OK; i++) {
    status = edit_disconnect(b->edits, pins.at[i]);
    if (status == OK && b->n->pins.at[pins.at[i]].inst != buffer)
      status = edit_connect(b->edits, pins.at[i], kept);
  }
  array_free(&pins);
  return status == OK ? edit_remove_net(b->edits, gone) : FAILED;
}

typedef struct {
  PinId in, out;
  SegId kept, gone;
} TakeOut;

static Status plan_take_out(const BufferEdit *b, InstId inst, TakeOut *x)
{
  ends_of(b, inst, &x->in, &x->out);
  SegId before = b->n->pins.at[x->in].seg, after = b->n->pins.at[x->out].seg;
  if (before == NO_SEG || after == NO_SEG)
    return refuse_cell(b, "EDIT-022", inst, "one of its pins is not connected");
  NetId nets[] = { b->n->segs.at[before].net, b->n->segs.at[after].net };
  if (nets[0] == nets[1]) return refuse_cell(b, "EDIT-023", inst, "it drives its own input");
  for (int i = 0; i < 2; i++)
    if (rules_may_edit_net(b->rules, b->n, nets[i], "take a buffer off", b->log) != OK)
      return FAILED;
  if (driver_of(b->n, nets[1]) != x->out)
    return refuse_cell(b, "EDIT-024", inst, "its output's net has other drivers");
  bool give_after = may_give_up(b, after), give_before = may_give_up(b, before);
  if (!give_after && !give_before)
    return refuse_cell(b, "EDIT-025", inst,
                       "ports, assigns or constraints name both of its nets");
  bool keep_before = give_after && (!give_before || before < after);      /* the older one */
  x->kept = keep_before ? before : after;
  x->gone = keep_before ? after : before;
  return OK;
}

static Status take_out(const BufferEdit *b, InstId inst)
{
  TakeOut x;
  WirePlan w = { 0 };
  if (plan_take_out(b, inst, &x) != OK) return FAILED;
  for (ParasiticsId p = 0; p < b->scenarios->parasitics.len; p++) {
    SetChange c = { .set = p };
    if (join_set(b, p, x.in, x.out, &c.near, &w)) array_push(&w.sets, c);
    else tree_copy_free(&c.near);
  }
  edit_drop_parasitics(b->edits, b->n->segs.at[x.kept].net);
  edit_drop_parasitics(b->edits, b->n->segs.at[x.gone].net);
  edit_keep_parasitics(b->edits, true);
  Status status = merge_segs(b, inst, x.gone, x.kept);
  if (status == OK) status = edit_remove_inst(b->edits, inst);
  for (uint32_t i = 0; i < w.sets.len; i++) {
    if (status == OK) add_tree(b, w.sets.at[i].set, x.kept, &w.sets.at[i].near);
    tree_copy_free(&w.sets.at[i].near);
  }
  array_free(&w.sets);
  if (w.why_lost) tell_dropped(b, b->n->segs.at[x.kept].net, w.why_lost);
  return status;
}

static Status check_removable(const BufferEdit *b, InstId inst)
{
  if (rules_may_remove(b->rules, b->n, inst, b->log) != OK) return FAILED;
  if (scenarios_name_inst(b->scenarios, inst))
    return refuse_cell(b, "EDIT-026", inst, "constraints name it or one of its pins");
  return OK;
}

/* The inverter that is the only load of another one; NO_INST. */
static InstId partner_of(const BufferEdit *b, InstId inst)
{
  PinId in, out, load = NO_PIN;
  ends_of(b, inst, &in, &out);
  NetPins it = net_pins(b->n, netlist_pin_net(b->n, out), false);
  for (PinId p; (p = net_pins_next(&it)) != NO_PIN;) {
    if (p == out) continue;
    if (load != NO_PIN) return NO_INST;
    load = p;
  }
  InstId other = load == NO_PIN ? NO_INST : b->n->pins.at[load].inst;
  if (other == NO_INST || other == TOP_INST) return NO_INST;
  return library_cell_is_inverter(b->n->libs, netlist_inst_cell(b->n, other)) ? other : NO_INST;
}

static Status remove_pair(const BufferEdit *b, InstId first)
{
  InstId second = partner_of(b, first);
  if (second == NO_INST)
    return refuse_cell(b, "EDIT-021", first,
                       "it is an inverter, and not alone before another inverter");
  if (check_removable(b, first) != OK || check_removable(b, second) != OK) return FAILED;
  return take_out(b, first) == OK ? take_out(b, second) : FAILED;
}

Status buffer_remove(const BufferEdit *b, InstId inst)
{
  if (netlist_may_remove_inst(b->n, inst, b->log) != OK) return FAILED;
  CellId cell = netlist_inst_cell(b->n, inst);
  if (library_cell_is_inverter(b->n->libs, cell)) return remove_pair(b, inst);
  if (!library_cell_is_buffer(b->n->libs, cell))
    return refuse_cell(b, "EDIT-027", inst, "it is no buffer");
  if (check_removable(b, inst) != OK) return FAILED;
  return take_out(b, inst);
}
