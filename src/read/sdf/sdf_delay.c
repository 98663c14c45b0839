/* Reads the delays of cell arcs and of wires: (DELAY ...). */
#include "base/interrupt.h"
#include "read/sdf/sdf_private.h"

/* The position for a message about the entry that was just read: its last line. */
static Where here(const SdfReader *r) { return (Where){ r->lex.in->path, r->lex.line, 0 }; }

static const char *name_of(const SdfReader *r)
{
  return r->path.len ? text_get(&r->path) : "the top";
}

/* --- cell arcs -------------------------------------------------------------------------------- */
/* Which of the values is for an output edge of an arc: those to and from z stand behind the first
   two. */
static uint32_t value_for(ArcType type, int edge, uint32_t count)
{
  static const uint8_t enable[2] = { 3, 5 }, disable[2] = { 2, 4 };
  if (type == ARC_TRISTATE_ENABLE && count > enable[edge]) return enable[edge];
  if (type == ARC_TRISTATE_DISABLE && count > disable[edge]) return disable[edge];
  if (type == ARC_TRISTATE_DISABLE && count > 2) return 2;
  return edge == FALL && count > 1 ? 1 : 0;
}

static const SdfTriple *value_of(const SdfReader *r, const LibArc *arc, int out)
{
  return &r->values.at[value_for((ArcType)arc->type, out, r->values.count)];
}

/* The output changes no earlier than it is retained. */
static const SdfTriple *early_value_of(const SdfReader *r, const LibArc *arc, int out)
{
  float value;
  uint32_t count = r->values.retain_count;
  const SdfTriple *retain = &r->values.retain[value_for((ArcType)arc->type, out, count)];
  return count && sdf_pick(r, retain, EARLY, &value) ? retain : value_of(r, arc, out);
}

/* Returns true if the arc has a place for one of the values.  Empty values need none. */
static bool meets_edges(const SdfReader *r, const LibArc *arc)
{
  bool any = false;
  for (uint32_t i = 0; i < r->values.count; i++) any |= r->values.at[i].has != 0;
  for (uint32_t i = 0; i < r->values.retain_count; i++) any |= r->values.retain[i].has != 0;
  for (int out = RISE; out <= FALL; out++)
    if (lib_arc_input_edges(arc, out) & r->from.edges &&
        (!any || value_of(r, arc, out)->has || early_value_of(r, arc, out)->has))
      return true;
  return false;
}

static bool is_delay(const SdfReader *r, LibArcId id)
{
  return !arc_type_is_check((ArcType)r->libs->arcs.at[id].type);
}

/* False where the arc has no place for the values. */
static bool put_arc(SdfReader *r, InstId inst, LibArcId id, bool merge)
{
  const LibArc *arc = &r->libs->arcs.at[id];
  if (!meets_edges(r, arc)) return false;
  PinId from = netlist_pin_of_port(r->n, inst, arc->from),
        to = netlist_pin_of_port(r->n, inst, arc->to);
  AnnotationId record = annotations_at(r->a, ANNOTATE_CELL, from, to, id);
  for (int out = RISE; out <= FALL; out++) {
    /* EARLY, LATE */
    const SdfTriple *t[] = { early_value_of(r, arc, out), value_of(r, arc, out) };
    uint32_t in_edges = lib_arc_input_edges(arc, out) & r->from.edges;
    for (int in = RISE; in <= FALL; in++)
      for (int el = EARLY; el <= LATE && in_edges >> in & 1; el++)
        sdf_put(r, record, annotation_cell_value(el, in, out), el, t[el], merge);
  }
  if (r->cond_kind == SDF_COND) sdf_add_conditional(r, record);
  return true;
}

/* An entry without a condition applies to all arcs between its ports.  CONDELSE applies to the arcs
   that no COND of the section has reached. */
static bool is_meant(const SdfReader *r, LibArcId id, PinId to)
{
  if (!is_delay(r, id)) return false;
  if (r->cond_kind == SDF_UNCONDITIONAL) return true;
  AnnotationId have = annotations_find(r->a, ANNOTATE_CELL, NO_PIN, to, id);
  return have == NO_ANNOTATION || !sdf_was_conditional(r, have);
}

static bool has_condition(SdfReader *r, LibArcId first)
{
  SdfMatch m = sdf_matches(r, first, text_get(&r->condition));
  for (uint32_t i = m.first; i < m.first + m.count; i++)
    if (is_delay(r, r->matches.at[i])) return true;
  return false;
}

/* The arcs that have the condition; or else, by option, those without any.  How many took the
   values. */
static uint32_t put_conditional(SdfReader *r, InstId inst, LibArcId first)
{
  SdfMatch m = sdf_matches(r, first, text_get(&r->condition));
  bool merge = !has_condition(r, first) && r->options->cond_use != SDF_COND_NONE;
  uint32_t used = 0;
  for (uint32_t i = m.first; i < m.first + m.count; i++)
    if (is_delay(r, r->matches.at[i])) used += put_arc(r, inst, r->matches.at[i], false);
  for (LibArcId a = first; merge && a != NO_LIB_ARC; a = r->next[a])
    if (r->libs->arcs.at[a].when == NO_FUNCTION && is_delay(r, a))
      used += put_arc(r, inst, a, true);
  return used;
}

static uint32_t put_chain(SdfReader *r, InstId inst, LibArcId first)
{
  if (r->cond_kind == SDF_COND) return put_conditional(r, inst, first);
  PinId to = netlist_pin_of_port(r->n, inst, r->libs->arcs.at[first].to);
  uint32_t used = 0;
  for (LibArcId a = first; a != NO_LIB_ARC; a = r->next[a])
    if (is_meant(r, a, to)) used += put_arc(r, inst, a, false);
  return used;
}

/* The arcs of the library between the ports of the entry. */
typedef struct { bool arc, edge, condition; } Found;

static Found find_arcs(SdfReader *r, LibArcId first)
{
  Found f = { false, false, r->cond_kind != SDF_COND };
  for (LibArcId a = first; a != NO_LIB_ARC; a = r->next[a]) {
    f.arc |= is_delay(r, a);
    f.edge |= is_delay(r, a) && meets_edges(r, &r->libs->arcs.at[a]);
  }
  if (!f.condition && f.arc) f.condition = has_condition(r, first);
  return f;
}

static const char *edge_word(uint8_t edges)
{
  return edges == 1 << RISE   ? "posedge "
         : edges == 1 << FALL ? "negedge "
         : edges == 0         ? "edges to and from z of "
                              : "";
}

/* Why no arc took the values. */
static void warn_arc(SdfReader *r, InstId inst, LibArcId first)
{
  if (sdf_lacks_pin(r, inst, &r->from, true) || sdf_lacks_pin(r, inst, &r->to, true)) return;
  const char *from = text_get(&r->from.text), *to = text_get(&r->to.text),
             *cell = text_get(&r->type_text);
  Found f = find_arcs(r, first);
  if (!f.arc)
    log_warning(r->log, "SDF-022", here(r), "%s: its cell %s has no arc from %s to %s", name_of(r),
                cell, from, to);
  else if (!f.condition)
    log_warning(r->log, "SDF-026", here(r), "%s: no arc from %s to %s has the condition \"%s\"%s",
                name_of(r), from, to, text_get(&r->condition),
                r->options->cond_use == SDF_COND_NONE ? " (see -cond_use)" : "");
  else if (!f.edge || r->cond_kind == SDF_COND)
    log_warning(r->log, "SDF-031", here(r),
                "%s: no arc of its cell %s from %s%s to %s has the edges that are given values",
                name_of(r), cell, edge_word(r->from.edges), from, to);
  else
    log_warning(r->log, "SDF-034", here(r),
                "%s: every arc from %s to %s has a COND of its own, none is left for CONDELSE",
                name_of(r), from, to);
}

static void put_path(SdfReader *r)
{
  InstId inst;
  bool used = false;
  r->count.delays++;
  for (uint32_t i = 0; sdf_target(r, i, &inst); i++) {
    CellId cell = netlist_inst_cell(r->n, inst);
    PortId from = cell == NO_CELL ? NO_PORT : library_find_port(r->libs, cell, r->from.name);
    PortId to = cell == NO_CELL ? NO_PORT : library_find_port(r->libs, cell, r->to.name);
    LibArcId first =
        from == NO_PORT || to == NO_PORT ? NO_LIB_ARC : sdf_first_arc(r, cell, from, to);
    if (first != NO_LIB_ARC && put_chain(r, inst, first)) used = true;
    else warn_arc(r, inst, first);
  }
  r->count.delays_used += used;
}

/* (IOPATH was read. */
static Status iopath(SdfReader *r)
{
  sdf_next(&r->lex);
  if (sdf_port(r, &r->from) != OK) return FAILED;
  sdf_next(&r->lex);
  if (sdf_port(r, &r->to) != OK || sdf_values(r) != OK) return FAILED;
  put_path(r);
  return OK;
}

/* Reads the expression up to (IOPATH, and the words of that. */
static Status condition(SdfReader *r)
{
  SdfLex *lex = &r->lex;
  text_clear(&r->condition);
  SdfToken t = sdf_next(lex);
  if (t == SDF_STRING) t = sdf_next(lex);        /* the condition's name */
  for (uint32_t depth = 0;;) {
    if (t != SDF_WORD && t != SDF_OPEN && (t != SDF_CLOSE || depth == 0))
      return sdf_unexpected(lex, "a condition, then (IOPATH");
    bool open = t == SDF_OPEN;
    if (!open) text_add(&r->condition, lex->text, lex->length);
    depth -= t == SDF_CLOSE;
    t = sdf_next(lex);
    if (open && depth == 0 && sdf_is(lex, "IOPATH")) break;
    if (open) {
      text_char(&r->condition, '(');
      depth++;
    } else if (t == SDF_WORD) {
      text_char(&r->condition, ' ');
    }
  }
  return r->condition.len ? OK : sdf_unexpected(lex, "a condition before (IOPATH");
}

/* (COND or (CONDELSE was read. */
static Status conditional(SdfReader *r, SdfCondKind kind)
{
  r->cond_kind = kind;
  if (kind == SDF_COND) {
    if (condition(r) != OK) return FAILED;
  } else if (sdf_expect(&r->lex, SDF_OPEN, "(IOPATH") != OK
             || (sdf_next(&r->lex), !sdf_is(&r->lex, "IOPATH"))) {
    return sdf_unexpected(&r->lex, "(IOPATH");
  }
  Status status = iopath(r);
  r->cond_kind = SDF_UNCONDITIONAL;
  return status == OK ? sdf_expect(&r->lex, SDF_CLOSE, "a )") : FAILED;
}

/* --- (DEVICE [port] values): all arcs of a cell, or those to a port --------------------------- */
static bool put_device(SdfReader *r, InstId inst, bool port)
{
  CellId id = netlist_inst_cell(r->n, inst);
  if (id == NO_CELL) return false;
  const LibCell *cell = &r->libs->cells.at[id];
  bool used = false;
  for (LibArcId a = cell->first_arc; a < cell->first_arc + cell->arc_count; a++) {
    const LibArc *arc = &r->libs->arcs.at[a];
    if (arc_type_is_check((ArcType)arc->type)
        || (port && r->libs->ports.at[arc->to].name != r->to.name))
      continue;
    used |= put_arc(r, inst, a, false);
  }
  return used;
}

static Status device(SdfReader *r)
{
  bool port = sdf_peek(&r->lex) != '(', used = false;
  InstId inst;
  r->from.edges = 1 << RISE | 1 << FALL;
  text_clear(&r->to.text);
  if (port && (sdf_next(&r->lex), sdf_port(r, &r->to)) != OK) return FAILED;
  if (sdf_values(r) != OK) return FAILED;
  r->count.delays++;
  for (uint32_t i = 0; sdf_target(r, i, &inst); i++) {
    if (put_device(r, inst, port)) used = true;
    else if (!port || !sdf_lacks_pin(r, inst, &r->to, true))
      log_warning(r->log, "SDF-022", here(r), "%s: its cell %s has no arc to %s", name_of(r),
                  text_get(&r->type_text), port ? text_get(&r->to.text) : "any output");
  }
  r->count.delays_used += used;
  return OK;
}

/* --- wires ------------------------------------------------------------------------------------ */
static void put_wire(SdfReader *r, PinId from, PinId to)
{
  AnnotationId record = annotations_at(r->a, ANNOTATE_WIRE, from, to, NO_LIB_ARC);
  for (int el = EARLY; el <= LATE; el++)
    for (int edge = RISE; edge <= FALL; edge++)
      sdf_put(r, record, (uint32_t)condition_of(el, edge), el,
              &r->values.at[value_for(ARC_COMBINATIONAL, edge, r->values.count)], false);
}

static bool unknown_pin(SdfReader *r, PinId pin, const Text *text)
{
  if (pin == NO_PIN)
    log_warning(r->log, "SDF-021", here(r), "the design has no pin, port or net %s%s%s",
                text_get(text), r->path.len ? " in " : "", text_get(&r->path));
  else if (pin_is_hierarchical(r->n, pin))
    log_warning(
        r->log, "SDF-027", here(r),
        "%s is a pin of a hierarchical cell: delays of wires end at leaf cells and ports here",
        text_get(text));
  else return false;
  return true;
}

/* Pins of unknown direction, which black boxes have, are loads in the timing graph. */
static bool is_load(const SdfReader *r, PinId pin)
{
  return netlist_pin_loads(r->n, pin)
         || (!pin_is_top_port(r->n, pin) && netlist_pin_direction(r->n, pin) == DIR_UNKNOWN);
}

static bool put_interconnect(SdfReader *r, InstId scope)
{
  PinId from = sdf_find_driver(r, scope, text_get(&r->from.text), (uint32_t)r->from.text.len);
  PinId to = sdf_find_pin(r, scope, text_get(&r->to.text), (uint32_t)r->to.text.len);
  if (unknown_pin(r, from, &r->from.text) || unknown_pin(r, to, &r->to.text)) return false;
  NetId net = netlist_pin_net(r->n, from);
  if (net == NO_NET || net != netlist_pin_net(r->n, to) || from == to
      || !netlist_pin_drives(r->n, from) || !is_load(r, to)) {
    log_warning(r->log, "SDF-023", here(r), "no wire leads from %s to %s", text_get(&r->from.text),
                text_get(&r->to.text));
    return false;
  }
  put_wire(r, from, to);
  return true;
}

/* Applies to the wires from all drivers of the net to a pin.  `to` NO_PIN: to all loads; `from` not
   NO_PIN: only from that driver. */
static bool put_net(SdfReader *r, NetId net, PinId from, PinId to)
{
  bool used = false;
  NetPins drivers = net_pins(r->n, net, false);
  for (PinId d; (d = net_pins_next(&drivers)) != NO_PIN;) {
    if (!netlist_pin_drives(r->n, d) || (from != NO_PIN && from != d)) continue;
    NetPins loads = net_pins(r->n, net, false);
    for (PinId l; (l = net_pins_next(&loads)) != NO_PIN;) {
      if (l == d || !is_load(r, l) || (to != NO_PIN && to != l)) continue;
      put_wire(r, d, l);
      used = true;
    }
  }
  return used;
}

static bool put_port(SdfReader *r, InstId scope)
{
  PinId to = sdf_find_pin(r, scope, text_get(&r->to.text), (uint32_t)r->to.text.len);
  if (unknown_pin(r, to, &r->to.text)) return false;
  if (put_net(r, netlist_pin_net(r->n, to), NO_PIN, to)) return true;
  log_warning(r->log, "SDF-023", here(r), "no wire leads to %s", text_get(&r->to.text));
  return false;
}

static bool put_netdelay(SdfReader *r, InstId scope)
{
  const char *text = text_get(&r->to.text);
  NetId net = sdf_find_net(r, scope, text, (uint32_t)r->to.text.len);
  PinId from = NO_PIN;
  if (net == NO_NET) {
    from = sdf_find_pin(r, scope, text, (uint32_t)r->to.text.len);
    if (unknown_pin(r, from, &r->to.text)) return false;
    net = netlist_pin_net(r->n, from);
  }
  if (put_net(r, net, from, NO_PIN)) return true;
  log_warning(r->log, "SDF-023", here(r), "no wire begins at %s", text);
  return false;
}

/* INTERCONNECT, PORT or NETDELAY was read. */
static Status wire(SdfReader *r, bool two, bool (*put)(SdfReader *, InstId))
{
  bool used = false;
  InstId scope;
  text_clear(&r->from.text);
  text_clear(&r->to.text);
  if (two) {
    if (sdf_expect(&r->lex, SDF_WORD, "a pin") != OK) return FAILED;
    text_add(&r->from.text, r->lex.text, r->lex.length);
  }
  if (sdf_expect(&r->lex, SDF_WORD, "a pin") != OK) return FAILED;
  text_add(&r->to.text, r->lex.text, r->lex.length);
  if (sdf_values(r) != OK) return FAILED;
  r->count.wires++;
  for (uint32_t i = 0; sdf_target(r, i, &scope); i++) used |= put(r, scope);
  r->count.wires_used += used;
  return OK;
}

/* --- sections --------------------------------------------------------------------------------- */
static Status entry(SdfReader *r)
{
  SdfLex *lex = &r->lex;
  r->values.count = r->values.limits = r->values.retain_count = 0;
  bool path = !sdf_is(lex, "INTERCONNECT") && !sdf_is(lex, "PORT") && !sdf_is(lex, "NETDELAY");
  Status status;
  if (sdf_is(lex, "IOPATH")) status = iopath(r);
  else if (sdf_is(lex, "COND")) status = conditional(r, SDF_COND);
  else if (sdf_is(lex, "CONDELSE")) status = conditional(r, SDF_CONDELSE);
  else if (sdf_is(lex, "INTERCONNECT")) status = wire(r, true, put_interconnect);
  else if (sdf_is(lex, "PORT")) status = wire(r, false, put_port);
  else if (sdf_is(lex, "NETDELAY")) status = wire(r, false, put_netdelay);
  else if (sdf_is(lex, "DEVICE")) status = device(r);
  else return sdf_unexpected(lex, "IOPATH, COND, CONDELSE, INTERCONNECT, PORT, NETDELAY or DEVICE");
  sdf_passed(r, "pulse limits of a delay", r->values.limits);
  sdf_passed(r, "RETAIN of a wire", !path && r->values.retain_count > 0);
  sdf_note_memberless(r, r->values.at, r->values.count);
  sdf_note_memberless(r, r->values.retain, r->values.retain_count);
  return status;
}

/* (ABSOLUTE or (INCREMENT was read. */
static Status entries(SdfReader *r, bool increment)
{
  r->increment = increment;
  while (sdf_next(&r->lex) == SDF_OPEN) {
    sdf_next(&r->lex);
    if (interrupt_seen())
      return log_error(r->log, "SDF-012", sdf_where(&r->lex), "reading was interrupted");
    if (entry(r) != OK) return FAILED;
  }
  r->increment = false;
  return r->lex.token == SDF_CLOSE ? OK : sdf_unexpected(&r->lex, "a ( or )");
}

Status sdf_delay(SdfReader *r)
{
  SdfLex *lex = &r->lex;
  while (sdf_next(lex) == SDF_OPEN) {
    Status status;
    sdf_next(lex);
    if (sdf_is(lex, "ABSOLUTE")) status = entries(r, false);
    else if (sdf_is(lex, "INCREMENT")) status = entries(r, true);
    else if (sdf_is(lex, "PATHPULSE") || sdf_is(lex, "GLOBALPATHPULSE"))
      status = sdf_pass_over(r, "PATHPULSE");
    else if (sdf_is(lex, "PATHPULSEPERCENT")) status = sdf_pass_over(r, "PATHPULSEPERCENT");
    else return sdf_unexpected(lex, "ABSOLUTE, INCREMENT or PATHPULSE");
    if (status != OK) return FAILED;
  }
  return lex->token == SDF_CLOSE ? OK : sdf_unexpected(lex, "a ( or )");
}
