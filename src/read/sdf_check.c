/* (TIMINGCHECK ...): margins of checks. */
#include "read/sdf_private.h"

static Where here(const SdfReader *r) { return (Where){ r->lex.in->path, r->lex.line, 0 }; }

/* What a construct speaks of.  A record for a pin alone is kept where the library has no such arc. */
typedef struct {
  const char *name;
  uint8_t  types[2];         /* ArcType */
  bool     early;            /* checks early data: the early library's cell */
  bool     one_pin;
  AnnotationKind pin_kind;   /* of one-pin checks */
} CheckKind;

static const CheckKind setup = { "SETUP", { ARC_SETUP, ARC_NON_SEQ_SETUP }, false, false, ANNOTATE_CHECK };
static const CheckKind hold = { "HOLD", { ARC_HOLD, ARC_NON_SEQ_HOLD }, true, false, ANNOTATE_CHECK };
static const CheckKind recovery = { "RECOVERY", { ARC_RECOVERY, ARC_RECOVERY }, false, false, ANNOTATE_CHECK };
static const CheckKind removal = { "REMOVAL", { ARC_REMOVAL, ARC_REMOVAL }, true, false, ANNOTATE_CHECK };
static const CheckKind skew = { "SKEW", { ARC_SKEW, ARC_SKEW }, false, false, ANNOTATE_CHECK };
static const CheckKind width = { "WIDTH", { ARC_MIN_PULSE_WIDTH, ARC_MIN_PULSE_WIDTH }, false, true, ANNOTATE_WIDTH };
static const CheckKind period = { "PERIOD", { ARC_MIN_PERIOD, ARC_MIN_PERIOD }, false, true, ANNOTATE_PERIOD };

/* One check of the file: r->from is the clock, r->to the data pin (of one-pin checks both). */
typedef struct {
  SdfReader       *r;
  const CheckKind *kind;
  const SdfTriple *triple;
  const char      *condition;       /* NULL: none */
} Entry;

/* --- putting ----------------------------------------------------------------------------------------------------- */
static void put_values(const Entry *e, AnnotationId record, uint32_t edges, bool merge)
{
  for (int el = EARLY; el <= LATE; el++)
    for (int edge = RISE; edge <= FALL; edge++)
      if (edges >> edge & 1) sdf_put(e->r, record, (uint32_t)condition_of(el, edge), el, e->triple, merge);
  if (e->condition) array_push(&e->r->conditional, record);
}

static bool is_meant(const Entry *e, const LibArc *arc)
{
  if (arc->type != e->kind->types[0] && arc->type != e->kind->types[1]) return false;
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
  PortId from = library_find_port(r->libs, cell, r->from.name), to = library_find_port(r->libs, cell, r->to.name);
  LibArcId first = from == NO_PORT || to == NO_PORT ? NO_LIB_ARC : sdf_first_arc(r, cell, from, to);
  PinId clock = netlist_find_pin_of(r->n, inst, r->from.name), data = netlist_find_pin_of(r->n, inst, r->to.name);
  if (first == NO_LIB_ARC || clock == NO_PIN || data == NO_PIN) return 0;
  SdfMatch m = e->condition ? sdf_matches(r, first, e->condition) : (SdfMatch){ 0, 0 };
  bool any = any_meant(e, m);
  uint32_t used = 0;
  for (LibArcId a = first; a != NO_LIB_ARC; a = r->next[a]) {
    const LibArc *arc = &r->libs->arcs.at[a];
    if (!is_meant(e, arc)) continue;
    bool merge = e->condition && !any && arc->when == NO_FUNCTION && r->options->cond_use != SDF_COND_NONE;
    if (e->condition && !merge && !is_match(r, m, a)) continue;
    put_values(e, annotations_at(r->a, ANNOTATE_CHECK, clock, data, a), r->to.edges, merge);
    used++;
  }
  return used;
}

/* Width and period of a pin for which the library has no arc. */
static bool put_pin(const Entry *e, InstId inst)
{
  SdfReader *r = e->r;
  PinId pin = netlist_find_pin_of(r->n, inst, r->to.name);
  if (!e->kind->one_pin || pin == NO_PIN || e->condition) return false;
  uint32_t edges = e->kind->pin_kind == ANNOTATE_PERIOD ? 1 << RISE | 1 << FALL : r->to.edges;
  put_values(e, annotations_at(r->a, e->kind->pin_kind, NO_PIN, pin, NO_LIB_ARC), edges, false);
  return true;
}

static void put_check(SdfReader *r, const CheckKind *kind, const SdfTriple *triple, const char *condition)
{
  Entry e = { r, kind, triple, condition && *condition ? condition : NULL };
  bool used = false;
  InstId inst;
  r->count.checks++;
  for (uint32_t i = 0; sdf_target(r, i, &inst); i++) {
    CellId own = netlist_inst_cell(r->n, inst);
    if (own != NO_CELL && (put_arcs(&e, inst, library_cell_for(r->libs, own, kind->early ? EARLY : LATE)) || put_pin(&e, inst))) {
      used = true;
      continue;
    }
    log_warning(r->log, e.condition ? "SDF-026" : "SDF-024", here(r), "%s: its cell %s has no %s check of %s against %s%s%s%s",
                r->path.len ? text_get(&r->path) : "the top", text_get(&r->type_text), kind->name, text_get(&r->to.text),
                text_get(&r->from.text), e.condition ? " with the condition \"" : "", e.condition ? e.condition : "", e.condition ? "\"" : "");
  }
  r->count.checks_used += used;
}

/* --- reading ----------------------------------------------------------------------------------------------------- */
/* The port at the end of what (COND has: the last word, or the last ( ) of those not within others; text is cut before it. */
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
    SdfLex own = { .in = input_open_text("condition", text_get(&all) + last, log), .log = log }, outer = *lex;
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
  return sdf_triple(&r->lex, t);
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
    if (!sdf_is(lex, "SCOND") && !sdf_is(lex, "CCOND")) status = sdf_unexpected(lex, "SCOND or CCOND");
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

/* Two ports and one value, or two for the pair of checks.  clock_first: the order of SKEW. */
static Status two_ports(SdfReader *r, const CheckKind *first, const CheckKind *second, bool clock_first)
{
  SdfTriple values[2];
  if (check_port(r, clock_first ? &r->from : &r->to) != OK || check_port(r, clock_first ? &r->to : &r->from) != OK) return FAILED;
  if (check_value(r, &values[0]) != OK || (second && check_value(r, &values[1]) != OK)) return FAILED;
  text_clear(&r->condition);
  add_condition(&r->condition, text_get(&r->to.condition));
  add_condition(&r->condition, text_get(&r->from.condition));
  if (second ? more_conditions(r) != OK : sdf_expect(&r->lex, SDF_CLOSE, "a )") != OK) return FAILED;
  put_check(r, first, &values[0], text_get(&r->condition));
  if (second) put_check(r, second, &values[1], text_get(&r->condition));
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
  if (check_port(r, &r->to) != OK || check_value(r, &value) != OK || sdf_expect(&r->lex, SDF_CLOSE, "a )") != OK) return FAILED;
  same_port(r);
  if (kind->pin_kind == ANNOTATE_PERIOD) r->to.edges = 1 << RISE | 1 << FALL;
  put_check(r, kind, &value, text_get(&r->to.condition));
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
    else if (sdf_is(lex, "BIDIRECTSKEW")) status = sdf_pass_over(r, "BIDIRECTSKEW");
    else if (sdf_is(lex, "NOCHANGE")) status = sdf_pass_over(r, "NOCHANGE");
    else return sdf_unexpected(lex, "SETUP, HOLD, SETUPHOLD, RECOVERY, REMOVAL, RECREM, SKEW, BIDIRECTSKEW, WIDTH, PERIOD or NOCHANGE");
    if (status != OK) return FAILED;
  }
  return lex->token == SDF_CLOSE ? OK : sdf_unexpected(lex, "a ( or )");
}
