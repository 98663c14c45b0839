/* Reads the margins of checks: (TIMINGCHECK ...). */
#include "read/sdf/sdf_private.h"

static Where here(const SdfReader *r) { return (Where){ r->lex.in->path, r->lex.line, 0 }; }

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

/* One check of the file: r->from is the clock, r->to the data pin (of one-pin checks both). */
typedef struct {
  SdfReader       *r;
  const CheckKind *kind;
  const SdfTriple *triple;
  const char      *condition;       /* NULL: none */
  bool             pins_checked;       /* by the first of a pair */
} Entry;

/* --- putting ---------------------------------------------------------------------------------- */
static void put_values(const Entry *e, AnnotationId record, uint32_t edges, bool merge)
{
  for (int el = EARLY; el <= LATE; el++)
    for (int edge = RISE; edge <= FALL; edge++)
      if (edges >> edge & 1)
        sdf_put(e->r, record, (uint32_t)condition_of(el, edge), el, e->triple, merge);
  if (e->condition) sdf_add_conditional(e->r, record);
}

/* Edges of the constrained pin.  A no-change check has one edge before the pulse and the other
   after it. */
static uint32_t edges_of(const Entry *e, const LibArc *arc)
{
  uint32_t edges = e->r->to.edges;
  bool falling = (arc->type == ARC_NOCHANGE_LOW) != e->kind->early;
  if (arc_type_is_nochange((ArcType)arc->type)) edges &= falling ? 1u << FALL : 1u << RISE;
  for (int edge = RISE; edge <= FALL; edge++)
    if (arc->delay[edge] == NO_TABLE) edges &= ~(1u << edge);
  return edges;
}

static bool is_meant(const Entry *e, const LibArc *arc)
{
  if ((arc->type != e->kind->types[0] && arc->type != e->kind->types[1]) || edges_of(e, arc) == 0)
    return false;
  return e->kind->one_pin || arc->edge > FALL || e->r->from.edges >> arc->edge & 1;
}

static bool is_match(const SdfReader *r, SdfMatch m, LibArcId arc)
{
  for (uint32_t i = m.first; i < m.first + m.count; i++)
    if (r->matches.at[i] == arc) return true;
  return false;
}

static bool any_meant(const Entry *e, SdfMatch m)
{
  for (uint32_t i = m.first; i < m.first + m.count; i++)
    if (is_meant(e, &e->r->libs->arcs.at[e->r->matches.at[i]])) return true;
  return false;
}

/* The arcs of one library cell; how many took the values. */
static uint32_t put_arcs(const Entry *e, InstId inst, CellId cell)
{
  SdfReader *r = e->r;
  PortId from = library_find_port(r->libs, cell, r->from.name),
         to = library_find_port(r->libs, cell, r->to.name);
  LibArcId first = from == NO_PORT || to == NO_PORT ? NO_LIB_ARC : sdf_first_arc(r, cell, from, to);
  PinId clock = netlist_find_pin_of(r->n, inst, r->from.name),
        data = netlist_find_pin_of(r->n, inst, r->to.name);
  if (first == NO_LIB_ARC || clock == NO_PIN || data == NO_PIN) return 0;
  SdfMatch m = e->condition ? sdf_matches(r, first, e->condition) : (SdfMatch){ 0, 0 };
  bool any = any_meant(e, m);
  uint32_t used = 0;
  for (LibArcId a = first; a != NO_LIB_ARC; a = r->next[a]) {
    const LibArc *arc = &r->libs->arcs.at[a];
    if (!is_meant(e, arc)) continue;
    bool merge =
        e->condition && !any && arc->when == NO_FUNCTION && r->options->cond_use != SDF_COND_NONE;
    if (e->condition && !merge && !is_match(r, m, a)) continue;
    put_values(e, annotations_at(r->a, ANNOTATE_CHECK, clock, data, a), edges_of(e, arc), merge);
    used++;
  }
  return used;
}

/* Edges that the port has a limit for as an attribute. */
static uint32_t attribute_edges(const Entry *e, const LibPort *port)
{
  if (e->kind->pin_kind == ANNOTATE_PERIOD)
    return isnan(port->min_period) ? 0 : 1 << RISE | 1 << FALL;
  return (isnan(port->min_pulse_high) ? 0u : 1u << RISE) |
         (isnan(port->min_pulse_low) ? 0u : 1u << FALL);
}

/* Edges for which the pin itself takes a value.  An arc without a condition takes it instead,
   because the pin's value yields to siblings whose condition is true. */
static uint32_t pin_edges(const Entry *e, CellId cell)
{
  SdfReader *r = e->r;
  PortId port = library_find_port(r->libs, cell, r->to.name);
  if (port == NO_PORT) return r->to.edges;
  uint32_t of_arcs = 0;
  for (LibArcId a = sdf_first_arc(r, cell, port, port); a != NO_LIB_ARC; a = r->next[a]) {
    const LibArc *arc = &r->libs->arcs.at[a];
    if (arc->when == NO_FUNCTION && is_meant(e, arc)) of_arcs |= edges_of(e, arc);
  }
  return r->to.edges & (~of_arcs | attribute_edges(e, &r->libs->ports.at[port]));
}

/* The pin's own width or period.  It has no condition; the option decides what it takes from
   conditional entries. */
static bool put_pin(const Entry *e, InstId inst, CellId cell)
{
  SdfReader *r = e->r;
  PinId pin = netlist_find_pin_of(r->n, inst, r->to.name);
  bool merge = e->condition && r->options->cond_use != SDF_COND_NONE;
  if (!e->kind->one_pin || pin == NO_PIN || (e->condition && !merge)) return false;
  uint32_t edges = pin_edges(e, cell);
  if (edges == 0) return false;
  put_values(e, annotations_at(r->a, e->kind->pin_kind, NO_PIN, pin, NO_LIB_ARC), edges, merge);
  return true;
}

static void swap_ports(SdfReader *r)
{
  SdfPort from = r->from;
  r->from = r->to;
  r->to = from;
}

static bool put_inst(const Entry *e, InstId inst)
{
  SdfReader *r = e->r;
  CellId own = netlist_inst_cell(r->n, inst);
  if (own == NO_CELL) return false;
  CellId cell = library_cell_for(r->libs, own, e->kind->early ? EARLY : LATE);
  bool used = put_arcs(e, inst, cell) > 0;
  if (e->condition && used) return true;
  if (!used && e->kind->either_way) {
    swap_ports(r);
    used = put_arcs(e, inst, cell) > 0;
    swap_ports(r);
  }
  return put_pin(e, inst, cell) || used;
}

/* margin: of which alone there is none; NULL: there is no such check. */
static void warn_check(const Entry *e, InstId inst, const char *margin)
{
  SdfReader *r = e->r;
  if (sdf_lacks_pin(r, inst, &r->to, !e->pins_checked)) return;
  if (sdf_lacks_pin(r, inst, &r->from, !e->pins_checked)) return;
  const char *condition = e->condition ? e->condition : "";
  log_warning(r->log, e->condition ? "SDF-026" : "SDF-024", here(r),
              "%s: its cell %s has no %s check of %s against %s%s%s%s%s%s%s",
              r->path.len ? text_get(&r->path) : "the top", text_get(&r->type_text), e->kind->name,
              text_get(&r->to.text), text_get(&r->from.text),
              e->condition ? " with the condition \"" : "", condition, e->condition ? "\"" : "",
              margin ? ": none for that edge of the data " : "", margin ? margin : "",
              margin ? " the pulse" : "");
}

/* False where an instance has no such check.  An empty value changes nothing, and needs none. */
static bool put_check_of(SdfReader *r, const CheckKind *kind, const SdfTriple *triple,
                         bool pins_checked)
{
  const char *condition = text_get(&r->condition);
  Entry e = { r, kind, triple, *condition ? condition : NULL, pins_checked };
  bool used = triple->has == 0, all = true;
  InstId inst;
  r->count.checks++;
  sdf_note_memberless(r, triple, 1);
  for (uint32_t i = 0; triple->has && sdf_target(r, i, &inst); i++) {
    bool found = put_inst(&e, inst);
    if (!found) warn_check(&e, inst, NULL);
    used |= found;
    all &= found;
  }
  r->count.checks_used += used;
  return all;
}

static bool put_check(SdfReader *r, const CheckKind *kind, const SdfTriple *triple)
{
  return put_check_of(r, kind, triple, false);
}

/* --- reading ---------------------------------------------------------------------------------- */
/* The port at the end of what (COND has: the last word, or the last ( ) of those not within others;
   text is cut before it. */
static Status port_in_condition(SdfReader *r, SdfPort *port)
{
  SdfLex *lex = &r->lex;
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
    status = sdf_port(r, port);
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
static Status check_port(SdfReader *r, SdfPort *port)
{
  SdfLex *lex = &r->lex;
  bool open = sdf_next(lex) == SDF_OPEN;
  char c = open ? sdf_peek(lex) : '\0';
  if (c != 'C' && c != 'c') return sdf_port(r, port);
  sdf_next(lex);
  return sdf_is(lex, "COND") ? port_in_condition(r, port) : sdf_unexpected(lex, "an edge or COND");
}

static Status check_value(SdfReader *r, SdfTriple *t)
{
  if (sdf_expect(&r->lex, SDF_OPEN, "a value in ( )") != OK) return FAILED;
  return sdf_value(r, t);
}

/* Both ports' conditions, and what (SCOND or (CCOND say, hold together. */
static void add_condition(Text *t, const char *more)
{
  if (*more == '\0') return;
  if (t->len == 0) {
    text_put(t, more);
    return;
  }
  Text both = { 0 };
  text_printf(&both, "(%s)&&(%s)", text_get(t), more);
  text_clear(t);
  text_add(t, both.at, both.len);
  text_free(&both);
}

/* (SCOND expression) (CCOND expression), then the ) of the check. */
static Status more_conditions(SdfReader *r)
{
  SdfLex *lex = &r->lex;
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
    if (status == OK) add_condition(&r->condition, text_get(&own));
  }
  text_free(&own);
  return status == OK && lex->token != SDF_CLOSE ? sdf_unexpected(lex, "a )") : status;
}

/* Reads two ports, the given number of values, and the conditions.  clock_first: the order of
   SKEW. */
static Status read_two_ports(SdfReader *r, SdfTriple *values, uint32_t count, bool clock_first)
{
  if (check_port(r, clock_first ? &r->from : &r->to) != OK
      || check_port(r, clock_first ? &r->to : &r->from) != OK)
    return FAILED;
  for (uint32_t i = 0; i < count; i++)
    if (check_value(r, &values[i]) != OK) return FAILED;
  text_clear(&r->condition);
  add_condition(&r->condition, text_get(&r->to.condition));
  add_condition(&r->condition, text_get(&r->from.condition));
  return count > 1 ? more_conditions(r) : sdf_expect(&r->lex, SDF_CLOSE, "a )");
}

/* One value, or two for the pair of checks. */
static Status two_ports(SdfReader *r, const CheckKind *first, const CheckKind *second,
                        bool clock_first)
{
  SdfTriple values[2];
  if (read_two_ports(r, values, second ? 2 : 1, clock_first) != OK) return FAILED;
  put_check(r, first, &values[0]);
  if (second) put_check_of(r, second, &values[1], values[0].has != 0);
  return OK;
}

/* Both margins belong to one check, so one message covers both if the check does not exist.  Each
   margin belongs to another edge of the data, so an edge at the second port may leave one of them
   without a place. */
static void put_margins(const Entry e[2], InstId inst, bool used[2])
{
  bool lacks[2];
  for (int m = 0; m < 2; m++) {
    lacks[m] = e[m].triple->has && !put_inst(&e[m], inst);
    used[m] |= !lacks[m];
  }
  if (lacks[0] && lacks[1]) warn_check(&e[0], inst, NULL);
  else if (lacks[0] || lacks[1]) warn_check(&e[lacks[1]], inst, nochange_margin[lacks[1]].margin);
}

static Status nochange(SdfReader *r)
{
  SdfTriple values[2];
  if (read_two_ports(r, values, 2, true) != OK) return FAILED;
  const char *condition = text_get(&r->condition);
  Entry e[2];
  bool used[2];
  for (int m = 0; m < 2; m++) {
    e[m] = (Entry){ r, &nochange_margin[m], &values[m], *condition ? condition : NULL, false };
    used[m] = values[m].has == 0;
    sdf_note_memberless(r, &values[m], 1);
  }
  InstId inst;
  for (uint32_t i = 0; (values[0].has || values[1].has) && sdf_target(r, i, &inst); i++)
    put_margins(e, inst, used);
  r->count.checks += 2;
  r->count.checks_used += (uint32_t)used[0] + used[1];
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
static Status two_skews(SdfReader *r)
{
  SdfTriple values[2];
  bool differ;
  if (read_two_ports(r, values, 2, true) != OK) return FAILED;
  SdfTriple smaller = least(&values[0], &values[1], &differ);
  if (!put_check(r, &skews, &smaller) || !differ) return OK;
  log_warning(
      r->log, "SDF-035", here(r),
      "%s: BIDIRECTSKEW of %s and %s: the smaller of its two limits holds in both directions",
      text_get(&r->path), text_get(&r->from.text), text_get(&r->to.text));
  return OK;
}

static void same_port(SdfReader *r)
{
  r->from.name = r->to.name;
  r->from.edges = r->to.edges;
  text_clear(&r->from.text);
  text_put(&r->from.text, text_get(&r->to.text));
}

static Status one_port(SdfReader *r, const CheckKind *kind)
{
  SdfTriple value;
  if (check_port(r, &r->to) != OK || check_value(r, &value) != OK
      || sdf_expect(&r->lex, SDF_CLOSE, "a )") != OK)
    return FAILED;
  same_port(r);
  if (kind->pin_kind == ANNOTATE_PERIOD) r->to.edges = 1 << RISE | 1 << FALL;
  text_clear(&r->condition);
  text_put(&r->condition, text_get(&r->to.condition));
  put_check(r, kind, &value);
  return OK;
}

Status sdf_checks(SdfReader *r)
{
  SdfLex *lex = &r->lex;
  while (sdf_next(lex) == SDF_OPEN) {
    Status status;
    sdf_next(lex);
    if (sdf_is(lex, "SETUP")) status = two_ports(r, &setup, NULL, false);
    else if (sdf_is(lex, "HOLD")) status = two_ports(r, &hold, NULL, false);
    else if (sdf_is(lex, "SETUPHOLD")) status = two_ports(r, &setup, &hold, false);
    else if (sdf_is(lex, "RECOVERY")) status = two_ports(r, &recovery, NULL, false);
    else if (sdf_is(lex, "REMOVAL")) status = two_ports(r, &removal, NULL, false);
    else if (sdf_is(lex, "RECREM")) status = two_ports(r, &recovery, &removal, false);
    else if (sdf_is(lex, "SKEW")) status = two_ports(r, &skew, NULL, true);
    else if (sdf_is(lex, "WIDTH")) status = one_port(r, &width);
    else if (sdf_is(lex, "PERIOD")) status = one_port(r, &period);
    else if (sdf_is(lex, "BIDIRECTSKEW")) status = two_skews(r);
    else if (sdf_is(lex, "NOCHANGE")) status = nochange(r);
    else
      return sdf_unexpected(lex, "SETUP, HOLD, SETUPHOLD, RECOVERY, REMOVAL, RECREM, SKEW, "
                                 "BIDIRECTSKEW, WIDTH, PERIOD or NOCHANGE");
    if (status != OK) return FAILED;
  }
  return lex->token == SDF_CLOSE ? OK : sdf_unexpected(lex, "a ( or )");
}
