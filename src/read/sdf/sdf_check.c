/* Reads the margins of checks: (TIMINGCHECK ...). */
#include "read/sdf/sdf_private.h"

static Where here(const SdfReader *reader)
{
  return (Where){ reader->lex.in->path, reader->lex.line, 0 };
}

/* What a construct applies to. */
typedef struct {
  const char *name;
  uint8_t  types[2];         /* ArcType */
  bool     early;            /* checks early data: the early library's cell */
  bool     one_pin;          /* the pin's own limit, an attribute in the library, too */
  bool     either_way;       /* between its ports in any order */
  AnnotationKind pin_kind;   /* of one-pin checks */
  const char *margin;        /* where a check has two: which one; else NULL */
} CheckKind;

static const CheckKind setup = { "SETUP", { ARC_SETUP, ARC_NON_SEQ_SETUP }, .early = false };
static const CheckKind hold = { "HOLD", { ARC_HOLD, ARC_NON_SEQ_HOLD }, .early = true };
static const CheckKind recovery = { "RECOVERY", { ARC_RECOVERY, ARC_RECOVERY }, .early = false };
static const CheckKind removal = { "REMOVAL", { ARC_REMOVAL, ARC_REMOVAL }, .early = true };
static const CheckKind skew = { "SKEW", { ARC_SKEW, ARC_SKEW }, .early = false };
static const CheckKind skews = { "BIDIRECTSKEW", { ARC_SKEW, ARC_SKEW }, .either_way = true };
/* The margin before the pulse of the first port, and the one after it. */
static const CheckKind nochange_margin[2] = {
  { "NOCHANGE", { ARC_NOCHANGE, ARC_NOCHANGE_LOW }, .early = false, .margin = "before" },
  { "NOCHANGE", { ARC_NOCHANGE, ARC_NOCHANGE_LOW }, .early = true, .margin = "behind" },
};
static const CheckKind width = { "WIDTH", { ARC_MIN_PULSE_WIDTH, ARC_MIN_PULSE_WIDTH },
                                 .one_pin = true, .pin_kind = ANNOTATE_WIDTH };
static const CheckKind period = { "PERIOD", { ARC_MIN_PERIOD, ARC_MIN_PERIOD }, .one_pin = true,
                                  .pin_kind = ANNOTATE_PERIOD };

/* One check of the file: reader->from is the clock, reader->to the data pin; a check of one pin has
   it in both. */
typedef struct {
  SdfReader       *reader;
  const CheckKind *kind;
  const SdfTriple *triple;
  const char      *condition;       /* NULL: none */
  bool             pins_checked;       /* by the first of a pair */
} Entry;

/* --- putting ---------------------------------------------------------------------------------- */
static void put_values(const Entry *entry, AnnotationId record, uint32_t edges, bool merge)
{
  for (int el = EARLY; el <= LATE; el++)
    for (int edge = RISE; edge <= FALL; edge++)
      if (edges >> edge & 1)
        sdf_put(entry->reader, record, (uint32_t)condition_of(el, edge), el, entry->triple, merge);
  if (entry->condition) sdf_add_conditional(entry->reader, record);
}

/* Edges of the constrained pin.  A no-change check has one edge before the pulse and the other
   after it. */
static uint32_t edges_of(const Entry *entry, const LibArc *arc)
{
  uint32_t edges = entry->reader->to.edges;
  bool falling = (arc->type == ARC_NOCHANGE_LOW) != entry->kind->early;
  if (arc_type_is_nochange((ArcType)arc->type)) edges &= falling ? 1u << FALL : 1u << RISE;
  for (int edge = RISE; edge <= FALL; edge++)
    if (arc->delay[edge] == NO_TABLE) edges &= ~(1u << edge);
  return edges;
}

static bool is_meant(const Entry *entry, const LibArc *arc)
{
  if ((arc->type != entry->kind->types[0] && arc->type != entry->kind->types[1])
      || edges_of(entry, arc) == 0)
    return false;
  return entry->kind->one_pin || arc->edge > FALL || entry->reader->from.edges >> arc->edge & 1;
}

static bool is_match(const SdfReader *reader, SdfMatch m, LibArcId arc)
{
  for (uint32_t i = m.first; i < m.first + m.count; i++)
    if (reader->matches.at[i] == arc) return true;
  return false;
}

static bool any_meant(const Entry *entry, SdfMatch m)
{
  for (uint32_t i = m.first; i < m.first + m.count; i++)
    if (is_meant(entry, &entry->reader->libs->arcs.at[entry->reader->matches.at[i]])) return true;
  return false;
}

/* The arcs of one library cell; how many took the values. */
static uint32_t put_arcs(const Entry *entry, InstId inst, CellId cell)
{
  SdfReader *reader = entry->reader;
  PortId from = library_find_port(reader->libs, cell, reader->from.name),
         to = library_find_port(reader->libs, cell, reader->to.name);
  LibArcId first =
      from == NO_PORT || to == NO_PORT ? NO_LIB_ARC : sdf_first_arc(reader, cell, from, to);
  PinId clock = netlist_find_pin_of(reader->n, inst, reader->from.name),
        data = netlist_find_pin_of(reader->n, inst, reader->to.name);
  if (first == NO_LIB_ARC || clock == NO_PIN || data == NO_PIN) return 0;
  SdfMatch m = entry->condition ? sdf_matches(reader, first, entry->condition) : (SdfMatch){ 0, 0 };
  bool any = any_meant(entry, m);
  uint32_t used = 0;
  for (LibArcId a = first; a != NO_LIB_ARC; a = reader->next[a]) {
    const LibArc *arc = &reader->libs->arcs.at[a];
    if (!is_meant(entry, arc)) continue;
    bool merge = entry->condition && !any && arc->when == NO_FUNCTION
                 && reader->options->cond_use != SDF_COND_NONE;
    if (entry->condition && !merge && !is_match(reader, m, a)) continue;
    put_values(entry, annotations_at(reader->annotations, ANNOTATE_CHECK, clock, data, a),
               edges_of(entry, arc), merge);
    used++;
  }
  return used;
}

/* Edges that the port has a limit for as an attribute. */
static uint32_t attribute_edges(const Entry *entry, const LibPort *port)
{
  if (entry->kind->pin_kind == ANNOTATE_PERIOD)
    return isnan(port->min_period) ? 0 : 1 << RISE | 1 << FALL;
  return (isnan(port->min_pulse_high) ? 0u : 1u << RISE) |
         (isnan(port->min_pulse_low) ? 0u : 1u << FALL);
}

/* Edges for which the pin itself takes a value.  An arc without a condition takes it instead,
   because the pin's value yields to siblings whose condition is true. */
static uint32_t pin_edges(const Entry *entry, CellId cell)
{
  SdfReader *reader = entry->reader;
  PortId port = library_find_port(reader->libs, cell, reader->to.name);
  if (port == NO_PORT) return reader->to.edges;
  uint32_t of_arcs = 0;
  for (LibArcId a = sdf_first_arc(reader, cell, port, port); a != NO_LIB_ARC; a = reader->next[a]) {
    const LibArc *arc = &reader->libs->arcs.at[a];
    if (arc->when == NO_FUNCTION && is_meant(entry, arc)) of_arcs |= edges_of(entry, arc);
  }
  return reader->to.edges & (~of_arcs | attribute_edges(entry, &reader->libs->ports.at[port]));
}

/* The pin's own width or period.  It has no condition; the option decides what it takes from
   conditional entries. */
static bool put_pin(const Entry *entry, InstId inst, CellId cell)
{
  SdfReader *reader = entry->reader;
  PinId pin = netlist_find_pin_of(reader->n, inst, reader->to.name);
  bool merge = entry->condition && reader->options->cond_use != SDF_COND_NONE;
  if (!entry->kind->one_pin || pin == NO_PIN || (entry->condition && !merge)) return false;
  uint32_t edges = pin_edges(entry, cell);
  if (edges == 0) return false;
  put_values(entry,
             annotations_at(reader->annotations, entry->kind->pin_kind, NO_PIN, pin, NO_LIB_ARC),
             edges, merge);
  return true;
}

static void swap_ports(SdfReader *reader)
{
  SdfPort from = reader->from;
  reader->from = reader->to;
  reader->to = from;
}

static bool put_inst(const Entry *entry, InstId inst)
{
  SdfReader *reader = entry->reader;
  CellId own = netlist_inst_cell(reader->n, inst);
  if (own == NO_CELL) return false;
  CellId cell = library_cell_for(reader->libs, own, entry->kind->early ? EARLY : LATE);
  bool used = put_arcs(entry, inst, cell) > 0;
  if (entry->condition && used) return true;
  if (!used && entry->kind->either_way) {
    swap_ports(reader);
    used = put_arcs(entry, inst, cell) > 0;
    swap_ports(reader);
  }
  return put_pin(entry, inst, cell) || used;
}

/* margin: of which alone there is none; NULL: there is no such check. */
static void warn_check(const Entry *entry, InstId inst, const char *margin)
{
  SdfReader *reader = entry->reader;
  if (sdf_lacks_pin(reader, inst, &reader->to, !entry->pins_checked)) return;
  if (sdf_lacks_pin(reader, inst, &reader->from, !entry->pins_checked)) return;
  const char *condition = entry->condition ? entry->condition : "";
  log_warning(reader->log, entry->condition ? "SDF-026" : "SDF-024", here(reader),
              "%s: its cell %s has no %s check of %s against %s%s%s%s%s%s%s",
              reader->path.len ? text_get(&reader->path) : "the top", text_get(&reader->type_text),
              entry->kind->name, text_get(&reader->to.text), text_get(&reader->from.text),
              entry->condition ? " with the condition \"" : "", condition,
              entry->condition ? "\"" : "", margin ? ": none for that edge of the data " : "",
              margin ? margin : "", margin ? " the pulse" : "");
}

/* False where an instance has no such check.  An empty value changes nothing, and needs none. */
static bool put_check_of(SdfReader *reader, const CheckKind *kind, const SdfTriple *triple,
                         bool pins_checked)
{
  const char *condition = text_get(&reader->condition);
  Entry e = { reader, kind, triple, *condition ? condition : NULL, pins_checked };
  bool used = triple->has == 0, all = true;
  InstId inst;
  reader->count.checks++;
  sdf_note_memberless(reader, triple, 1);
  for (uint32_t i = 0; triple->has && sdf_target(reader, i, &inst); i++) {
    bool found = put_inst(&e, inst);
    if (!found) warn_check(&e, inst, NULL);
    used |= found;
    all &= found;
  }
  reader->count.checks_used += used;
  return all;
}

static bool put_check(SdfReader *reader, const CheckKind *kind, const SdfTriple *triple)
{
  return put_check_of(reader, kind, triple, false);
}

/* --- reading ---------------------------------------------------------------------------------- */
/* The port at the end of what (COND has: the last word, or the last ( ) of those not within others;
   text is cut before it. */
static Status port_in_condition(SdfReader *reader, SdfPort *port)
{
  SdfLex *lex = &reader->lex;
  Text all = { 0 };
  size_t last = 0;
  uint32_t depth = 0;
  Status status = OK;
  SdfToken t = sdf_next(lex);
  if (t == SDF_STRING) t = sdf_next(lex);        /* the condition's name */
  for (; t != SDF_CLOSE || depth; t = sdf_next(lex)) {
    if (t != SDF_WORD && t != SDF_OPEN && t != SDF_CLOSE) {
      status = sdf_unexpected(lex, "a condition and a port");
      break;
    }
    if (depth == 0) last = all.len;
    depth += t == SDF_OPEN;
    depth -= t == SDF_CLOSE;
    text_add(&all, lex->text, lex->length);
    text_char(&all, ' ');
  }
  if (status == OK && last == 0) status = sdf_unexpected(lex, "a condition and a port");
  if (status == OK) {
    Log *log = log_new(NULL, NULL);
    SdfLex own = { .in = input_open_text("condition", text_get(&all) + last, log), .log = log },
           outer = *lex;
    *lex = own;
    sdf_next(lex);
    status = sdf_port(reader, port);
    if (status == OK && sdf_next(lex) != SDF_END) status = FAILED;
    *lex = outer;
    input_close(own.in);
    log_free(log);
    if (status != OK) status = sdf_unexpected(lex, "a condition, then a port or an edge of one");
    text_add(&port->condition, all.at, last - (last > 0));
  }
  text_free(&all);
  return status;
}

/* A port, (edge port) or (COND condition port). */
static Status check_port(SdfReader *reader, SdfPort *port)
{
  SdfLex *lex = &reader->lex;
  bool open = sdf_next(lex) == SDF_OPEN;
  char c = open ? sdf_peek(lex) : '\0';
  if (c != 'C' && c != 'c') return sdf_port(reader, port);
  sdf_next(lex);
  return sdf_is(lex, "COND") ? port_in_condition(reader, port)
                             : sdf_unexpected(lex, "an edge or COND");
}

static Status check_value(SdfReader *reader, SdfTriple *triple)
{
  if (sdf_expect(&reader->lex, SDF_OPEN, "a value in ( )") != OK) return FAILED;
  return sdf_value(reader, triple);
}

/* Both ports' conditions, and what (SCOND or (CCOND say, hold together. */
static void add_condition(Text *text, const char *more)
{
  if (*more == '\0') return;
  if (text->len == 0) {
    text_put(text, more);
    return;
  }
  Text both = { 0 };
  text_printf(&both, "(%s)&&(%s)", text_get(text), more);
  text_clear(text);
  text_add(text, both.at, both.len);
  text_free(&both);
}

/* (SCOND expression) (CCOND expression), then the ) of the check. */
static Status more_conditions(SdfReader *reader)
{
  SdfLex *lex = &reader->lex;
  Text own = { 0 };
  Status status = OK;
  while (status == OK && sdf_next(lex) == SDF_OPEN) {
    sdf_next(lex);
    if (!sdf_is(lex, "SCOND") && !sdf_is(lex, "CCOND"))
      status = sdf_unexpected(lex, "SCOND or CCOND");
    text_clear(&own);
    for (uint32_t depth = 1; status == OK && depth;) {
      SdfToken t = sdf_next(lex);
      if (t == SDF_END) status = sdf_unexpected(lex, "a )");
      depth += t == SDF_OPEN;
      depth -= t == SDF_CLOSE;
      if (depth && t != SDF_STRING) text_add(&own, lex->text, lex->length);
    }
    if (status == OK) add_condition(&reader->condition, text_get(&own));
  }
  text_free(&own);
  return status == OK && lex->token != SDF_CLOSE ? sdf_unexpected(lex, "a )") : status;
}

/* Reads two ports, the given number of values, and the conditions.  clock_first: the order of
   SKEW. */
static Status read_two_ports(SdfReader *reader, SdfTriple *values, uint32_t count, bool clock_first)
{
  if (check_port(reader, clock_first ? &reader->from : &reader->to) != OK
      || check_port(reader, clock_first ? &reader->to : &reader->from) != OK)
    return FAILED;
  for (uint32_t i = 0; i < count; i++)
    if (check_value(reader, &values[i]) != OK) return FAILED;
  text_clear(&reader->condition);
  add_condition(&reader->condition, text_get(&reader->to.condition));
  add_condition(&reader->condition, text_get(&reader->from.condition));
  return count > 1 ? more_conditions(reader) : sdf_expect(&reader->lex, SDF_CLOSE, "a )");
}

/* One value, or two for the pair of checks. */
static Status two_ports(SdfReader *reader, const CheckKind *first, const CheckKind *second,
                        bool clock_first)
{
  SdfTriple values[2];
  if (read_two_ports(reader, values, second ? 2 : 1, clock_first) != OK) return FAILED;
  put_check(reader, first, &values[0]);
  if (second) put_check_of(reader, second, &values[1], values[0].has != 0);
  return OK;
}

/* Both margins belong to one check, so one message covers both if the check does not exist.  Each
   margin belongs to another edge of the data, so an edge at the second port may leave one of them
   without a place. */
static void put_margins(const Entry e[2], InstId inst, bool used[2])
{
  bool no_check[2];
  for (int m = 0; m < 2; m++) {
    no_check[m] = e[m].triple->has && !put_inst(&e[m], inst);
    used[m] |= !no_check[m];
  }
  if (no_check[0] && no_check[1]) warn_check(&e[0], inst, NULL);
  else if (no_check[0] || no_check[1]) {
    int m = no_check[1];
    warn_check(&e[m], inst, nochange_margin[m].margin);
  }
}

static Status nochange(SdfReader *reader)
{
  SdfTriple values[2];
  if (read_two_ports(reader, values, 2, true) != OK) return FAILED;
  const char *condition = text_get(&reader->condition);
  Entry e[2];
  bool used[2];
  for (int m = 0; m < 2; m++) {
    e[m] = (Entry){ reader, &nochange_margin[m], &values[m], *condition ? condition : NULL, false };
    used[m] = values[m].has == 0;
    sdf_note_memberless(reader, &values[m], 1);
  }
  InstId inst;
  for (uint32_t i = 0; (values[0].has || values[1].has) && sdf_target(reader, i, &inst); i++)
    put_margins(e, inst, used);
  reader->count.checks += 2;
  reader->count.checks_used += (uint32_t)used[0] + used[1];
  return OK;
}

/* Member by member the smaller one of those that are given. */
static SdfTriple least(const SdfTriple *a, const SdfTriple *b, bool *differ)
{
  SdfTriple t = { .has = a->has | b->has };
  *differ = false;
  for (int i = SDF_MIN; i <= SDF_MAX; i++) {
    bool has_a = a->has >> i & 1, has_b = b->has >> i & 1;
    t.v[i] = !has_b || (has_a && a->v[i] < b->v[i]) ? a->v[i] : b->v[i];
    *differ |= has_a && has_b && (a->v[i] < b->v[i] || a->v[i] > b->v[i]);
  }
  return t;
}

/* The second port after the first, and the reverse.  The library's check has one limit for both. */
static Status two_skews(SdfReader *reader)
{
  SdfTriple values[2];
  bool differ;
  if (read_two_ports(reader, values, 2, true) != OK) return FAILED;
  SdfTriple smaller = least(&values[0], &values[1], &differ);
  if (!put_check(reader, &skews, &smaller) || !differ) return OK;
  log_warning(
      reader->log, "SDF-035", here(reader),
      "%s: BIDIRECTSKEW of %s and %s: the smaller of its two limits holds in both directions",
      text_get(&reader->path), text_get(&reader->from.text), text_get(&reader->to.text));
  return OK;
}

static void same_port(SdfReader *reader)
{
  reader->from.name = reader->to.name;
  reader->from.edges = reader->to.edges;
  text_clear(&reader->from.text);
  text_put(&reader->from.text, text_get(&reader->to.text));
}

static Status one_port(SdfReader *reader, const CheckKind *kind)
{
  SdfTriple value;
  if (check_port(reader, &reader->to) != OK || check_value(reader, &value) != OK
      || sdf_expect(&reader->lex, SDF_CLOSE, "a )") != OK)
    return FAILED;
  same_port(reader);
  if (kind->pin_kind == ANNOTATE_PERIOD) reader->to.edges = 1 << RISE | 1 << FALL;
  text_clear(&reader->condition);
  text_put(&reader->condition, text_get(&reader->to.condition));
  put_check(reader, kind, &value);
  return OK;
}

Status sdf_checks(SdfReader *reader)
{
  SdfLex *lex = &reader->lex;
  while (sdf_next(lex) == SDF_OPEN) {
    Status status;
    sdf_next(lex);
    if (sdf_is(lex, "SETUP")) status = two_ports(reader, &setup, NULL, false);
    else if (sdf_is(lex, "HOLD")) status = two_ports(reader, &hold, NULL, false);
    else if (sdf_is(lex, "SETUPHOLD")) status = two_ports(reader, &setup, &hold, false);
    else if (sdf_is(lex, "RECOVERY")) status = two_ports(reader, &recovery, NULL, false);
    else if (sdf_is(lex, "REMOVAL")) status = two_ports(reader, &removal, NULL, false);
    else if (sdf_is(lex, "RECREM")) status = two_ports(reader, &recovery, &removal, false);
    else if (sdf_is(lex, "SKEW")) status = two_ports(reader, &skew, NULL, true);
    else if (sdf_is(lex, "WIDTH")) status = one_port(reader, &width);
    else if (sdf_is(lex, "PERIOD")) status = one_port(reader, &period);
    else if (sdf_is(lex, "BIDIRECTSKEW")) status = two_skews(reader);
    else if (sdf_is(lex, "NOCHANGE")) status = nochange(reader);
    else
      return sdf_unexpected(lex, "SETUP, HOLD, SETUPHOLD, RECOVERY, REMOVAL, RECREM, SKEW, "
                                 "BIDIRECTSKEW, WIDTH, PERIOD or NOCHANGE");
    if (status != OK) return FAILED;
  }
  return lex->token == SDF_CLOSE ? OK : sdf_unexpected(lex, "a ( or )");
}
