/* Reads the delays of cell arcs and of wires: (DELAY ...). */
#include "base/interrupt.h"
#include "read/sdf/sdf_private.h"

/* The position for a message about the entry that was just read: its last line. */
static Where here(const SdfReader *reader)
{
  return (Where){ reader->lex.in->path, reader->lex.line, 0 };
}

static const char *name_of(const SdfReader *reader)
{
  return reader->path.len ? text_get(&reader->path) : "the top";
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

static const SdfTriple *value_of(const SdfReader *reader, const LibArc *arc, int out)
{
  return &reader->values.at[value_for((ArcType)arc->type, out, reader->values.count)];
}

/* The output changes no earlier than it is retained. */
static const SdfTriple *early_value_of(const SdfReader *reader, const LibArc *arc, int out)
{
  float value;
  uint32_t count = reader->values.retain_count;
  const SdfTriple *retain = &reader->values.retain[value_for((ArcType)arc->type, out, count)];
  return count && sdf_pick(reader, retain, EARLY, &value) ? retain : value_of(reader, arc, out);
}

/* Returns true if the arc has a place for one of the values.  Empty values need none. */
static bool meets_edges(const SdfReader *reader, const LibArc *arc)
{
  bool any = false;
  for (uint32_t i = 0; i < reader->values.count; i++) any |= reader->values.at[i].has != 0;
  for (uint32_t i = 0; i < reader->values.retain_count; i++)
    any |= reader->values.retain[i].has != 0;
  for (int out = RISE; out <= FALL; out++)
    if (lib_arc_input_edges(arc, out) & reader->from.edges
        && (!any || value_of(reader, arc, out)->has || early_value_of(reader, arc, out)->has))
      return true;
  return false;
}

static bool is_delay(const SdfReader *reader, LibArcId id)
{
  return !arc_type_is_check((ArcType)reader->libs->arcs.at[id].type);
}

/* False where the arc has no place for the values. */
static bool put_arc(SdfReader *reader, InstId inst, LibArcId id, bool merge)
{
  const LibArc *arc = &reader->libs->arcs.at[id];
  if (!meets_edges(reader, arc)) return false;
  PinId from = netlist_pin_of_port(reader->n, inst, arc->from),
        to = netlist_pin_of_port(reader->n, inst, arc->to);
  AnnotationId record = annotations_at(reader->annotations, ANNOTATE_CELL, from, to, id);
  for (int out = RISE; out <= FALL; out++) {
    /* EARLY, LATE */
    const SdfTriple *triple[] = { early_value_of(reader, arc, out), value_of(reader, arc, out) };
    uint32_t in_edges = lib_arc_input_edges(arc, out) & reader->from.edges;
    for (int in = RISE; in <= FALL; in++)
      for (int el = EARLY; el <= LATE && in_edges >> in & 1; el++)
        sdf_put(reader, record, annotation_cell_value(el, in, out), el, triple[el], merge);
  }
  if (reader->cond_kind == SDF_COND) sdf_add_conditional(reader, record);
  return true;
}

/* An entry without a condition applies to all arcs between its ports.  CONDELSE applies to the arcs
   that no COND of the section has reached. */
static bool is_meant(const SdfReader *reader, LibArcId id, PinId to)
{
  if (!is_delay(reader, id)) return false;
  if (reader->cond_kind == SDF_UNCONDITIONAL) return true;
  AnnotationId have = annotations_find(reader->annotations, ANNOTATE_CELL, NO_PIN, to, id);
  return have == NO_ANNOTATION || !sdf_was_conditional(reader, have);
}

static bool has_condition(SdfReader *reader, LibArcId first)
{
  SdfMatch m = sdf_matches(reader, first, text_get(&reader->condition));
  for (uint32_t i = m.first; i < m.first + m.count; i++)
    if (is_delay(reader, reader->matches.at[i])) return true;
  return false;
}

/* The arcs that have the condition; or else, by option, those without any.  How many took the
   values. */
static uint32_t put_conditional(SdfReader *reader, InstId inst, LibArcId first)
{
  SdfMatch m = sdf_matches(reader, first, text_get(&reader->condition));
  bool merge = !has_condition(reader, first) && reader->options->cond_use != SDF_COND_NONE;
  uint32_t used = 0;
  for (uint32_t i = m.first; i < m.first + m.count; i++)
    if (is_delay(reader, reader->matches.at[i]))
      used += put_arc(reader, inst, reader->matches.at[i], false);
  for (LibArcId a = first; merge && a != NO_LIB_ARC; a = reader->next[a])
    if (reader->libs->arcs.at[a].when == NO_FUNCTION && is_delay(reader, a))
      used += put_arc(reader, inst, a, true);
  return used;
}

static uint32_t put_chain(SdfReader *reader, InstId inst, LibArcId first)
{
  if (reader->cond_kind == SDF_COND) return put_conditional(reader, inst, first);
  PinId to = netlist_pin_of_port(reader->n, inst, reader->libs->arcs.at[first].to);
  uint32_t used = 0;
  for (LibArcId a = first; a != NO_LIB_ARC; a = reader->next[a])
    if (is_meant(reader, a, to)) used += put_arc(reader, inst, a, false);
  return used;
}

/* The arcs of the library between the ports of the entry. */
typedef struct { bool arc, edge, condition; } Found;

static Found find_arcs(SdfReader *reader, LibArcId first)
{
  Found f = { false, false, reader->cond_kind != SDF_COND };
  for (LibArcId a = first; a != NO_LIB_ARC; a = reader->next[a]) {
    f.arc |= is_delay(reader, a);
    f.edge |= is_delay(reader, a) && meets_edges(reader, &reader->libs->arcs.at[a]);
  }
  if (!f.condition && f.arc) f.condition = has_condition(reader, first);
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
static void warn_arc(SdfReader *reader, InstId inst, LibArcId first)
{
  if (sdf_lacks_pin(reader, inst, &reader->from, true)
      || sdf_lacks_pin(reader, inst, &reader->to, true))
    return;
  const char *from = text_get(&reader->from.text), *to = text_get(&reader->to.text),
             *cell = text_get(&reader->type_text);
  Found f = find_arcs(reader, first);
  if (!f.arc)
    log_warning(reader->log, "SDF-022", here(reader), "%s: its cell %s has no arc from %s to %s",
                name_of(reader), cell, from, to);
  else if (!f.condition)
    log_warning(reader->log, "SDF-026", here(reader),
                "%s: no arc from %s to %s has the condition \"%s\"%s", name_of(reader), from, to,
                text_get(&reader->condition),
                reader->options->cond_use == SDF_COND_NONE ? " (see -cond_use)" : "");
  else if (!f.edge || reader->cond_kind == SDF_COND)
    log_warning(reader->log, "SDF-031", here(reader),
                "%s: no arc of its cell %s from %s%s to %s has the edges that are given values",
                name_of(reader), cell, edge_word(reader->from.edges), from, to);
  else
    log_warning(reader->log, "SDF-034", here(reader),
                "%s: every arc from %s to %s has a COND of its own, none is left for CONDELSE",
                name_of(reader), from, to);
}

static void put_path(SdfReader *reader)
{
  InstId inst;
  bool used = false;
  reader->count.delays++;
  for (uint32_t i = 0; sdf_target(reader, i, &inst); i++) {
    CellId cell = netlist_inst_cell(reader->n, inst);
    PortId from =
        cell == NO_CELL ? NO_PORT : library_find_port(reader->libs, cell, reader->from.name);
    PortId to = cell == NO_CELL ? NO_PORT : library_find_port(reader->libs, cell, reader->to.name);
    LibArcId first =
        from == NO_PORT || to == NO_PORT ? NO_LIB_ARC : sdf_first_arc(reader, cell, from, to);
    if (first != NO_LIB_ARC && put_chain(reader, inst, first)) used = true;
    else warn_arc(reader, inst, first);
  }
  reader->count.delays_used += used;
}

/* (IOPATH was read. */
static Status iopath(SdfReader *reader)
{
  sdf_next(&reader->lex);
  if (sdf_port(reader, &reader->from) != OK) return FAILED;
  sdf_next(&reader->lex);
  if (sdf_port(reader, &reader->to) != OK || sdf_values(reader) != OK) return FAILED;
  put_path(reader);
  return OK;
}

/* Reads the expression up to (IOPATH, and the words of that. */
static Status condition(SdfReader *reader)
{
  SdfLex *lex = &reader->lex;
  text_clear(&reader->condition);
  SdfToken t = sdf_next(lex);
  if (t == SDF_STRING) t = sdf_next(lex);        /* the condition's name */
  for (uint32_t depth = 0;;) {
    if (t != SDF_WORD && t != SDF_OPEN && (t != SDF_CLOSE || depth == 0))
      return sdf_unexpected(lex, "a condition, then (IOPATH");
    bool open = t == SDF_OPEN;
    if (!open) text_add(&reader->condition, lex->text, lex->length);
    depth -= t == SDF_CLOSE;
    t = sdf_next(lex);
    if (open && depth == 0 && sdf_is(lex, "IOPATH")) break;
    if (open) {
      text_char(&reader->condition, '(');
      depth++;
    } else if (t == SDF_WORD) {
      text_char(&reader->condition, ' ');
    }
  }
  return reader->condition.len ? OK : sdf_unexpected(lex, "a condition before (IOPATH");
}

/* (COND or (CONDELSE was read. */
static Status conditional(SdfReader *reader, SdfCondKind kind)
{
  reader->cond_kind = kind;
  if (kind == SDF_COND) {
    if (condition(reader) != OK) return FAILED;
  } else if (sdf_expect(&reader->lex, SDF_OPEN, "(IOPATH") != OK
             || (sdf_next(&reader->lex), !sdf_is(&reader->lex, "IOPATH"))) {
    return sdf_unexpected(&reader->lex, "(IOPATH");
  }
  Status status = iopath(reader);
  reader->cond_kind = SDF_UNCONDITIONAL;
  return status == OK ? sdf_expect(&reader->lex, SDF_CLOSE, "a )") : FAILED;
}

/* --- (DEVICE [port] values): all arcs of a cell, or those to a port --------------------------- */
static bool put_device(SdfReader *reader, InstId inst, bool port)
{
  CellId id = netlist_inst_cell(reader->n, inst);
  if (id == NO_CELL) return false;
  const LibCell *cell = &reader->libs->cells.at[id];
  bool used = false;
  for (LibArcId a = cell->first_arc; a < cell->first_arc + cell->arc_count; a++) {
    const LibArc *arc = &reader->libs->arcs.at[a];
    if (arc_type_is_check((ArcType)arc->type)
        || (port && reader->libs->ports.at[arc->to].name != reader->to.name))
      continue;
    used |= put_arc(reader, inst, a, false);
  }
  return used;
}

static Status device(SdfReader *reader)
{
  bool port = sdf_peek(&reader->lex) != '(', used = false;
  InstId inst;
  reader->from.edges = 1 << RISE | 1 << FALL;
  text_clear(&reader->to.text);
  if (port && (sdf_next(&reader->lex), sdf_port(reader, &reader->to)) != OK) return FAILED;
  if (sdf_values(reader) != OK) return FAILED;
  reader->count.delays++;
  for (uint32_t i = 0; sdf_target(reader, i, &inst); i++) {
    if (put_device(reader, inst, port)) used = true;
    else if (!port || !sdf_lacks_pin(reader, inst, &reader->to, true))
      log_warning(reader->log, "SDF-022", here(reader), "%s: its cell %s has no arc to %s",
                  name_of(reader), text_get(&reader->type_text),
                  port ? text_get(&reader->to.text) : "any output");
  }
  reader->count.delays_used += used;
  return OK;
}

/* --- wires ------------------------------------------------------------------------------------ */
static void put_wire(SdfReader *reader, PinId from, PinId to)
{
  AnnotationId record = annotations_at(reader->annotations, ANNOTATE_WIRE, from, to, NO_LIB_ARC);
  for (int el = EARLY; el <= LATE; el++)
    for (int edge = RISE; edge <= FALL; edge++)
      sdf_put(reader, record, (uint32_t)condition_of(el, edge), el,
              &reader->values.at[value_for(ARC_COMBINATIONAL, edge, reader->values.count)], false);
}

static bool unknown_pin(SdfReader *reader, PinId pin, const Text *text)
{
  if (pin == NO_PIN)
    log_warning(reader->log, "SDF-021", here(reader), "the design has no pin, port or net %s%s%s",
                text_get(text), reader->path.len ? " in " : "", text_get(&reader->path));
  else if (pin_is_hierarchical(reader->n, pin))
    log_warning(
        reader->log, "SDF-027", here(reader),
        "%s is a pin of a hierarchical cell: delays of wires end at leaf cells and ports here",
        text_get(text));
  else return false;
  return true;
}

/* Pins of unknown direction, which black boxes have, are loads in the timing graph. */
static bool is_load(const SdfReader *reader, PinId pin)
{
  return netlist_pin_loads(reader->n, pin)
         || (!pin_is_top_port(reader->n, pin)
             && netlist_pin_direction(reader->n, pin) == DIR_UNKNOWN);
}

static bool put_interconnect(SdfReader *reader, InstId scope)
{
  PinId from =
      sdf_find_driver(reader, scope, text_get(&reader->from.text), (uint32_t)reader->from.text.len);
  PinId to = sdf_find_pin(reader, scope, text_get(&reader->to.text), (uint32_t)reader->to.text.len);
  if (unknown_pin(reader, from, &reader->from.text) || unknown_pin(reader, to, &reader->to.text))
    return false;
  NetId net = netlist_pin_net(reader->n, from);
  if (net == NO_NET || net != netlist_pin_net(reader->n, to) || from == to
      || !netlist_pin_drives(reader->n, from) || !is_load(reader, to)) {
    log_warning(reader->log, "SDF-023", here(reader), "no wire leads from %s to %s",
                text_get(&reader->from.text), text_get(&reader->to.text));
    return false;
  }
  put_wire(reader, from, to);
  return true;
}

/* Applies to the wires from all drivers of the net to a pin.  `to` NO_PIN: to all loads; `from` not
   NO_PIN: only from that driver. */
static bool put_net(SdfReader *reader, NetId net, PinId from, PinId to)
{
  bool used = false;
  NetPins drivers = net_pins(reader->n, net, false);
  for (PinId d; (d = net_pins_next(&drivers)) != NO_PIN;) {
    if (!netlist_pin_drives(reader->n, d) || (from != NO_PIN && from != d)) continue;
    NetPins loads = net_pins(reader->n, net, false);
    for (PinId l; (l = net_pins_next(&loads)) != NO_PIN;) {
      if (l == d || !is_load(reader, l) || (to != NO_PIN && to != l)) continue;
      put_wire(reader, d, l);
      used = true;
    }
  }
  return used;
}

static bool put_port(SdfReader *reader, InstId scope)
{
  PinId to = sdf_find_pin(reader, scope, text_get(&reader->to.text), (uint32_t)reader->to.text.len);
  if (unknown_pin(reader, to, &reader->to.text)) return false;
  if (put_net(reader, netlist_pin_net(reader->n, to), NO_PIN, to)) return true;
  log_warning(reader->log, "SDF-023", here(reader), "no wire leads to %s",
              text_get(&reader->to.text));
  return false;
}

static bool put_netdelay(SdfReader *reader, InstId scope)
{
  const char *text = text_get(&reader->to.text);
  NetId net = sdf_find_net(reader, scope, text, (uint32_t)reader->to.text.len);
  PinId from = NO_PIN;
  if (net == NO_NET) {
    from = sdf_find_pin(reader, scope, text, (uint32_t)reader->to.text.len);
    if (unknown_pin(reader, from, &reader->to.text)) return false;
    net = netlist_pin_net(reader->n, from);
  }
  if (put_net(reader, net, from, NO_PIN)) return true;
  log_warning(reader->log, "SDF-023", here(reader), "no wire begins at %s", text);
  return false;
}

/* INTERCONNECT, PORT or NETDELAY was read. */
static Status wire(SdfReader *reader, bool two, bool (*put)(SdfReader *, InstId))
{
  bool used = false;
  InstId scope;
  text_clear(&reader->from.text);
  text_clear(&reader->to.text);
  if (two) {
    if (sdf_expect(&reader->lex, SDF_WORD, "a pin") != OK) return FAILED;
    text_add(&reader->from.text, reader->lex.text, reader->lex.length);
  }
  if (sdf_expect(&reader->lex, SDF_WORD, "a pin") != OK) return FAILED;
  text_add(&reader->to.text, reader->lex.text, reader->lex.length);
  if (sdf_values(reader) != OK) return FAILED;
  reader->count.wires++;
  for (uint32_t i = 0; sdf_target(reader, i, &scope); i++) used |= put(reader, scope);
  reader->count.wires_used += used;
  return OK;
}

/* --- sections --------------------------------------------------------------------------------- */
static Status entry(SdfReader *reader)
{
  SdfLex *lex = &reader->lex;
  reader->values.count = reader->values.limits = reader->values.retain_count = 0;
  bool path = !sdf_is(lex, "INTERCONNECT") && !sdf_is(lex, "PORT") && !sdf_is(lex, "NETDELAY");
  Status status;
  if (sdf_is(lex, "IOPATH")) status = iopath(reader);
  else if (sdf_is(lex, "COND")) status = conditional(reader, SDF_COND);
  else if (sdf_is(lex, "CONDELSE")) status = conditional(reader, SDF_CONDELSE);
  else if (sdf_is(lex, "INTERCONNECT")) status = wire(reader, true, put_interconnect);
  else if (sdf_is(lex, "PORT")) status = wire(reader, false, put_port);
  else if (sdf_is(lex, "NETDELAY")) status = wire(reader, false, put_netdelay);
  else if (sdf_is(lex, "DEVICE")) status = device(reader);
  else return sdf_unexpected(lex, "IOPATH, COND, CONDELSE, INTERCONNECT, PORT, NETDELAY or DEVICE");
  sdf_passed(reader, "pulse limits of a delay", reader->values.limits);
  sdf_passed(reader, "RETAIN of a wire", !path && reader->values.retain_count > 0);
  sdf_note_memberless(reader, reader->values.at, reader->values.count);
  sdf_note_memberless(reader, reader->values.retain, reader->values.retain_count);
  return status;
}

/* (ABSOLUTE or (INCREMENT was read. */
static Status entries(SdfReader *reader, bool increment)
{
  reader->increment = increment;
  while (sdf_next(&reader->lex) == SDF_OPEN) {
    sdf_next(&reader->lex);
    if (interrupt_seen())
      return log_error(reader->log, "SDF-012", sdf_where(&reader->lex), "reading was interrupted");
    if (entry(reader) != OK) return FAILED;
  }
  reader->increment = false;
  return reader->lex.token == SDF_CLOSE ? OK : sdf_unexpected(&reader->lex, "a ( or )");
}

Status sdf_delay(SdfReader *reader)
{
  SdfLex *lex = &reader->lex;
  while (sdf_next(lex) == SDF_OPEN) {
    Status status;
    sdf_next(lex);
    if (sdf_is(lex, "ABSOLUTE")) status = entries(reader, false);
    else if (sdf_is(lex, "INCREMENT")) status = entries(reader, true);
    else if (sdf_is(lex, "PATHPULSE") || sdf_is(lex, "GLOBALPATHPULSE"))
      status = sdf_pass_over(reader, "PATHPULSE");
    else if (sdf_is(lex, "PATHPULSEPERCENT")) status = sdf_pass_over(reader, "PATHPULSEPERCENT");
    else return sdf_unexpected(lex, "ABSOLUTE, INCREMENT or PATHPULSE");
    if (status != OK) return FAILED;
  }
  return lex->token == SDF_CLOSE ? OK : sdf_unexpected(lex, "a ( or )");
}
