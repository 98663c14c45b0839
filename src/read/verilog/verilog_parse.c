/* Reads modules and instances. */
#include "read/verilog/verilog_parse.h"

#include <stdio.h>

bool verilog_at(const Parser *p, int kind) { return p->lex.kind == kind; }

static Status expected(Parser *p, const char *what)
{
  if (verilog_at(p, TOKEN_END))
    return lex_fail(&p->lex, "VLOG-020", "the file ends here, expected %s", what);
  return lex_fail(&p->lex, "VLOG-020", "unexpected %s, expected %s", lex_show(&p->lex), what);
}

Status verilog_unexpected(Parser *p, const char *what)
{
  int k = p->lex.kind;
  if (k > 0 && k < 128 && strchr("+-*/%&|^~!<>=?", k))
    return lex_fail(&p->lex, "VLOG-021", "the operator '%c' is not structural Verilog, expected %s",
                    k, what);
  return expected(p, what);
}

Status verilog_expect(Parser *p, int kind, const char *what)
{
  if (p->lex.kind != kind) return verilog_unexpected(p, what);
  lex_next(&p->lex);
  return OK;
}

void verilog_tally(Parser *p, TallyKind kind) { lex_tally(&p->lex, &p->tallies[kind]); }

Status verilog_skip_parentheses(Parser *p)
{
  uint32_t depth = 0;
  do {
    if (verilog_at(p, TOKEN_BAD)) return FAILED;
    if (verilog_at(p, TOKEN_END)) return expected(p, "')'");
    if (verilog_at(p, '(')) depth++;
    if (verilog_at(p, ')')) depth--;
    lex_next(&p->lex);
  } while (depth);
  return OK;
}

/* #12, #1.5, #NAME or #(...) */
static Status skip_after_hash(Parser *p)
{
  lex_next(&p->lex);
  if (verilog_at(p, '(')) return verilog_skip_parentheses(p);
  if (!verilog_at(p, TOKEN_INTEGER) && !verilog_at(p, TOKEN_REAL) && !verilog_at(p, TOKEN_NAME))
    return expected(p, "a number or '(' after '#'");
  lex_next(&p->lex);
  return OK;
}

Status verilog_skip_delay(Parser *p)
{
  if (!verilog_at(p, '#')) return OK;
  verilog_tally(p, TALLY_DELAY);
  return skip_after_hash(p);
}

Status verilog_pass_parameter(Parser *p)
{
  NameId name = verilog_at(p, TOKEN_NAME) ? p->lex.name : NO_NAME;
  lex_next(&p->lex);
  if (name == NO_NAME || !verilog_at(p, '=')) return OK;
  if (verilog_is_net(p, verilog_local(p, name))) return verilog_no_value(p, name);
  verilog_set_kind(p, name, NAME_PARAMETER);
  return OK;
}

/* parameter [3:0] P = 1, Q = 2; the names of defparam are those of other modules. */
static Status skip_statement(Parser *p)
{
  bool declares = p->lex.keyword != KEY_DEFPARAM;
  verilog_tally(p, TALLY_PARAMETER);
  while (!verilog_at(p, ';')) {
    if (verilog_at(p, TOKEN_BAD)) return FAILED;
    if (verilog_at(p, TOKEN_END)
        || (verilog_at(p, TOKEN_KEYWORD) && p->lex.keyword == KEY_ENDMODULE))
      return expected(p, "';'");
    if (declares) TRY(verilog_pass_parameter(p));
    else lex_next(&p->lex);
  }
  lex_next(&p->lex);
  return OK;
}

/* --- connections ------------------------------------------------------------------------------ */
static Status put_expression(Parser *p)
{
  uint32_t ref;
  if (verilog_at(p, TOKEN_NAME)) {
    TRY(verilog_net_ref(p, &ref));
  } else {
    TRY(verilog_expression(p));
    TRY(verilog_encode(p, &ref));
  }
  array_push(&p->m->words, ref);
  return OK;
}

/* .A means .A(A) */
static Status put_same_named(Parser *p, NameId name)
{
  uint32_t ref;
  verilog_clear_runs(p);
  TRY(verilog_add_net(p, name, false));
  TRY(verilog_encode(p, &ref));
  array_push(&p->m->words, ref);
  return OK;
}

static Status named_connection(Parser *p)
{
  Lexer *x = &p->lex;
  lex_next(x);
  if (verilog_at(p, '*'))
    return lex_fail(x, "VLOG-021", "'.*' is not supported, expected each connection");
  if (!verilog_at(p, TOKEN_NAME)) return expected(p, "a port's name after '.'");
  NameId port = x->name;
  array_push(&p->m->words, port);
  lex_next(x);
  if (!verilog_at(p, '(')) return put_same_named(p, port);
  lex_next(x);
  if (verilog_at(p, ')')) array_push(&p->m->words, REF_NONE);
  else TRY(put_expression(p));
  return verilog_expect(p, ')', "')'");
}

static Status positional_connection(Parser *p)
{
  if (!verilog_at(p, ',') && !verilog_at(p, ')')) return put_expression(p);
  array_push(&p->m->words, REF_NONE);
  return OK;
}

/* Between the parentheses; their number goes into the instance's record. */
static Status connections(Parser *p, uint32_t record)
{
  VerilogModule *m = p->m;
  uint32_t count = 0;
  bool positional = !verilog_at(p, '.');
  if (verilog_at(p, ')')) {
    m->words.at[record + 3] = 0;
    return OK;
  }
  for (;;) {
    if (positional == verilog_at(p, '.'))
      return expected(p,
                      positional ? "a net: connections are by position" : "'.' and a port's name");
    TRY(positional ? positional_connection(p) : named_connection(p));
    count++;
    if (!verilog_at(p, ',')) break;
    lex_next(&p->lex);
  }
  m->words.at[record + 3] = count | (positional ? INST_POSITIONAL : 0);
  return OK;
}

/* --- instances -------------------------------------------------------------------------------- */
static Status enter_name(Parser *p, NameId name)
{
  Local *l = verilog_local(p, name);
  if (l->inst == p->module_number)
    return lex_fail(&p->lex, "VLOG-024", "there is an instance '%.60s' in this module already",
                    names_text(p->names, name));
  l->inst = p->module_number;
  return OK;
}

/* Gates may have no name. */
static NameId gate_name(Parser *p, NameId master)
{
  for (;;) {
    Text t = { 0 };
    text_printf(&t, "%s_%u", names_text(p->names, master), ++p->gate_count);
    NameId name = names_add(p->names, t.at, t.len);
    text_free(&t);
    if (verilog_local(p, name)->inst != p->module_number) return name;
  }
}

static void note_place(Parser *p)
{
  if (p->place == p->lex.file) return;
  p->place = p->lex.file;
  array_push(&p->m->places, (VerilogPlace){ p->m->words.len, p->place });
}

static Status instance(Parser *p, NameId master, bool is_gate)
{
  VerilogModule *m = p->m;
  Lexer *x = &p->lex;
  NameId name = x->name;
  uint32_t record = m->words.len;
  if (verilog_at(p, TOKEN_NAME)) {
    TRY(enter_name(p, name));
    note_place(p);
    lex_next(x);
  } else if (is_gate && verilog_at(p, '(')) {
    name = gate_name(p, master);
    TRY(enter_name(p, name));
    note_place(p);
  } else {
    return expected(p, "an instance's name");
  }
  uint32_t line = lex_where(x).line;
  if (verilog_at(p, '[')) return lex_fail(x, "VLOG-021", "an array of instances is not supported");
  TRY(verilog_expect(p, '(', "'('"));
  if (m->words.len > UINT32_MAX - (1u << 24))
    return lex_fail(x, "VLOG-025", "the module is too large");
  array_reserve(&m->words, (uint64_t)m->words.len + 4);
  uint32_t *w = m->words.at + m->words.len;
  w[0] = master;
  w[1] = name;
  w[2] = line;
  m->words.len += 4;
  m->inst_count++;
  TRY(connections(p, record));
  return verilog_expect(p, ')', "',' or ')'");
}

/* MASTER [#(...)] name (...), name (...); */
static Status instances(Parser *p, bool is_gate)
{
  Lexer *x = &p->lex;
  NameId master = x->name;
  lex_next(x);
  if (verilog_at(p, '#')) {
    verilog_tally(p, is_gate ? TALLY_DELAY : TALLY_PARAMETER);
    TRY(skip_after_hash(p));
  }
  for (;;) {
    TRY(instance(p, master, is_gate));
    if (!verilog_at(p, ',')) return verilog_expect(p, ';', "',' or ';'");
    lex_next(x);
  }
}

/* --- module items ----------------------------------------------------------------------------- */
static Status assigns(Parser *p)
{
  Lexer *x = &p->lex;
  lex_next(x);
  if (verilog_at(p, '(')) {
    verilog_tally(p, TALLY_DELAY);
    TRY(verilog_skip_parentheses(p));
  }
  TRY(verilog_skip_delay(p));
  for (;;) {
    TRY(verilog_expression(p));
    if (!verilog_at(p, '=')) return expected(p, "'='");
    TRY(verilog_assign_to(p));
    if (!verilog_at(p, ',')) return verilog_expect(p, ';', "',' or ';'");
    lex_next(x);
  }
}

static bool at_keyword(const Parser *p, Keyword k)
{
  return verilog_at(p, TOKEN_KEYWORD) && p->lex.keyword == k;
}

/* specify ... endspecify: delays and checks for simulation. */
static Status skip_specify(Parser *p)
{
  verilog_tally(p, TALLY_SPECIFY);
  p->m->has_specify = true;
  while (!at_keyword(p, KEY_ENDSPECIFY)) {
    if (verilog_at(p, TOKEN_BAD)) return FAILED;
    if (verilog_at(p, TOKEN_END) || at_keyword(p, KEY_ENDMODULE))
      return expected(p, "'endspecify'");
    lex_next(&p->lex);
  }
  lex_next(&p->lex);
  return OK;
}

static Status behavioural(Parser *p)
{
  return lex_fail(&p->lex, "VLOG-021", "'%.60s' is not supported: only structural Verilog is read",
                  names_text(p->names, p->lex.name));
}

static Status keyword_item(Parser *p)
{
  Keyword k = p->lex.keyword;
  if (k >= KEY_INPUT && k <= KEY_SUPPLY1) return verilog_declaration(p);
  if (k == KEY_ASSIGN) return assigns(p);
  if (k >= KEY_PARAMETER && k <= KEY_SPECPARAM) return skip_statement(p);
  if (k >= KEY_AND && k <= KEY_PULLDOWN) return instances(p, true);
  if (k == KEY_SPECIFY) return skip_specify(p);
  if (k > KEY_PULLDOWN) return behavioural(p);
  return expected(p, "a declaration, an instance or 'endmodule'");
}

static Status item(Parser *p)
{
  const Lexer *x = &p->lex;
  if (verilog_at(p, TOKEN_KEYWORD)) return keyword_item(p);
  if (!verilog_at(p, TOKEN_NAME)) return expected(p, "a declaration, an instance or 'endmodule'");
  if (x->keyword == KEY_LOGIC || x->keyword == KEY_UWIRE) return verilog_declaration(p);
  if (x->keyword >= KEY_ALWAYS_FF || (!x->escaped && names_text(p->names, x->name)[0] == '$'))
    return behavioural(p);
  return instances(p, false);
}

static Status items(Parser *p)
{
  while (!at_keyword(p, KEY_ENDMODULE)) {
    if (verilog_at(p, ';')) lex_next(&p->lex);
    else TRY(item(p));
  }
  return OK;
}

static void begin_module(Parser *p)
{
  VerilogModule *m = p->m = verilog_module_new();
  array_push(&p->done, m);       /* at once, so that a failed read finds it */
  p->module_number++;
  p->gate_count = 0;
  array_clear(&p->head_ports);
  array_clear(&p->head_items);
  array_clear(&p->directed);
  array_clear(&p->escaped);
  map_free(p->directed_by_name);
  p->directed_by_name = map_new();
  map_free(p->kinds);
  p->kinds = NULL;
  m->name = p->lex.name;
  m->file = p->place = p->lex.file;
  m->line = lex_where(&p->lex).line;
}

/* endmodule : name */
static Status name_again(Parser *p)
{
  if (!verilog_at(p, ':')) return OK;
  lex_next(&p->lex);
  if (verilog_at(p, TOKEN_NAME) && p->lex.name != p->m->name)
    return lex_fail(&p->lex, "VLOG-059", "'%.60s' after endmodule, expected '%.60s'",
                    names_text(p->names, p->lex.name), names_text(p->names, p->m->name));
  return verilog_expect(p, TOKEN_NAME, "the module's name");
}

static Status module(Parser *p)
{
  lex_next(&p->lex);
  if (!verilog_at(p, TOKEN_NAME)) return expected(p, "a module's name");
  begin_module(p);
  lex_next(&p->lex);
  TRY(verilog_header(p));
  TRY(items(p));
  TRY(verilog_finish_module(p));
  lex_next(&p->lex);
  return name_again(p);
}

static bool at_behaviour(const Parser *p)
{
  return (verilog_at(p, TOKEN_KEYWORD) || verilog_at(p, TOKEN_NAME))
         && p->lex.keyword > KEY_PULLDOWN;
}

Status verilog_parse(Parser *p)
{
  lex_next(&p->lex);
  while (!verilog_at(p, TOKEN_END)) {
    if (at_keyword(p, KEY_MODULE) || at_keyword(p, KEY_MACROMODULE)) TRY(module(p));
    else if (verilog_at(p, ';')) lex_next(&p->lex);
    else if (at_behaviour(p)) return behavioural(p);
    else return expected(p, "'module'");
  }
  return p->lex.in->failed ? FAILED : OK;
}
