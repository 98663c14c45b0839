/* Reads modules and instances. */
#include "read/verilog/verilog_parse.h"

#include <stdio.h>

bool verilog_at(const Parser *parser, int kind) { return parser->lex.kind == kind; }

static Status expected(Parser *parser, const char *what)
{
  if (verilog_at(parser, TOKEN_END))
    return lex_fail(&parser->lex, "VLOG-020", "the file ends here, expected %s", what);
  return lex_fail(&parser->lex, "VLOG-020", "unexpected %s, expected %s", lex_show(&parser->lex),
                  what);
}

Status verilog_unexpected(Parser *parser, const char *what)
{
  int k = parser->lex.kind;
  if (k > 0 && k < 128 && strchr("+-*/%&|^~!<>=?", k))
    return lex_fail(&parser->lex, "VLOG-021",
                    "the operator '%c' is not structural Verilog, expected %s", k, what);
  return expected(parser, what);
}

Status verilog_expect(Parser *parser, int kind, const char *what)
{
  if (parser->lex.kind != kind) return verilog_unexpected(parser, what);
  lex_next(&parser->lex);
  return OK;
}

void verilog_tally(Parser *parser, TallyKind kind)
{
  lex_tally(&parser->lex, &parser->tallies[kind]);
}

Status verilog_skip_parentheses(Parser *parser)
{
  uint32_t depth = 0;
  do {
    if (verilog_at(parser, TOKEN_BAD)) return FAILED;
    if (verilog_at(parser, TOKEN_END)) return expected(parser, "')'");
    if (verilog_at(parser, '(')) depth++;
    if (verilog_at(parser, ')')) depth--;
    lex_next(&parser->lex);
  } while (depth);
  return OK;
}

/* #12, #1.5, #NAME or #(...) */
static Status skip_after_hash(Parser *parser)
{
  lex_next(&parser->lex);
  if (verilog_at(parser, '(')) return verilog_skip_parentheses(parser);
  if (!verilog_at(parser, TOKEN_INTEGER) && !verilog_at(parser, TOKEN_REAL)
      && !verilog_at(parser, TOKEN_NAME))
    return expected(parser, "a number or '(' after '#'");
  lex_next(&parser->lex);
  return OK;
}

Status verilog_skip_delay(Parser *parser)
{
  if (!verilog_at(parser, '#')) return OK;
  verilog_tally(parser, TALLY_DELAY);
  return skip_after_hash(parser);
}

Status verilog_pass_parameter(Parser *parser)
{
  NameId name = verilog_at(parser, TOKEN_NAME) ? parser->lex.name : NO_NAME;
  lex_next(&parser->lex);
  if (name == NO_NAME || !verilog_at(parser, '=')) return OK;
  if (verilog_is_net(parser, verilog_local(parser, name))) return verilog_no_value(parser, name);
  verilog_set_kind(parser, name, NAME_PARAMETER);
  return OK;
}

/* parameter [3:0] P = 1, Q = 2; the names of defparam are those of other modules. */
static Status skip_statement(Parser *parser)
{
  bool declares = parser->lex.keyword != KEY_DEFPARAM;
  verilog_tally(parser, TALLY_PARAMETER);
  while (!verilog_at(parser, ';')) {
    if (verilog_at(parser, TOKEN_BAD)) return FAILED;
    if (verilog_at(parser, TOKEN_END)
        || (verilog_at(parser, TOKEN_KEYWORD) && parser->lex.keyword == KEY_ENDMODULE))
      return expected(parser, "';'");
    if (declares) TRY(verilog_pass_parameter(parser));
    else lex_next(&parser->lex);
  }
  lex_next(&parser->lex);
  return OK;
}

/* --- connections ------------------------------------------------------------------------------ */
static Status put_expression(Parser *parser)
{
  uint32_t ref;
  if (verilog_at(parser, TOKEN_NAME)) {
    TRY(verilog_net_ref(parser, &ref));
  } else {
    TRY(verilog_expression(parser));
    TRY(verilog_encode(parser, &ref));
  }
  array_push(&parser->module->words, ref);
  return OK;
}

/* .A means .A(A) */
static Status put_same_named(Parser *parser, NameId name)
{
  uint32_t ref;
  verilog_clear_runs(parser);
  TRY(verilog_add_net(parser, name, false));
  TRY(verilog_encode(parser, &ref));
  array_push(&parser->module->words, ref);
  return OK;
}

static Status named_connection(Parser *parser)
{
  Lexer *lexer = &parser->lex;
  lex_next(lexer);
  if (verilog_at(parser, '*'))
    return lex_fail(lexer, "VLOG-021", "'.*' is not supported, expected each connection");
  if (!verilog_at(parser, TOKEN_NAME)) return expected(parser, "a port's name after '.'");
  NameId port = lexer->name;
  array_push(&parser->module->words, port);
  lex_next(lexer);
  if (!verilog_at(parser, '(')) return put_same_named(parser, port);
  lex_next(lexer);
  if (verilog_at(parser, ')')) array_push(&parser->module->words, REF_NONE);
  else TRY(put_expression(parser));
  return verilog_expect(parser, ')', "')'");
}

static Status positional_connection(Parser *parser)
{
  if (!verilog_at(parser, ',') && !verilog_at(parser, ')')) return put_expression(parser);
  array_push(&parser->module->words, REF_NONE);
  return OK;
}

/* Between the parentheses; their number goes into the instance's record. */
static Status connections(Parser *parser, uint32_t record)
{
  VerilogModule *module = parser->module;
  uint32_t count = 0;
  bool positional = !verilog_at(parser, '.');
  if (verilog_at(parser, ')')) {
    module->words.at[record + 3] = 0;
    return OK;
  }
  for (;;) {
    if (positional == verilog_at(parser, '.'))
      return expected(parser,
                      positional ? "a net: connections are by position" : "'.' and a port's name");
    TRY(positional ? positional_connection(parser) : named_connection(parser));
    count++;
    if (!verilog_at(parser, ',')) break;
    lex_next(&parser->lex);
  }
  module->words.at[record + 3] = count | (positional ? INST_POSITIONAL : 0);
  return OK;
}

/* --- instances -------------------------------------------------------------------------------- */
static Status enter_name(Parser *parser, NameId name)
{
  Local *local = verilog_local(parser, name);
  if (local->inst == parser->module_number)
    return lex_fail(&parser->lex, "VLOG-024", "there is an instance '%.60s' in this module already",
                    names_text(parser->names, name));
  local->inst = parser->module_number;
  return OK;
}

/* Gates may have no name. */
static NameId gate_name(Parser *parser, NameId master)
{
  for (;;) {
    Text t = { 0 };
    text_printf(&t, "%s_%u", names_text(parser->names, master), ++parser->gate_count);
    NameId name = names_add(parser->names, t.at, t.len);
    text_free(&t);
    if (verilog_local(parser, name)->inst != parser->module_number) return name;
  }
}

static void note_place(Parser *parser)
{
  if (parser->place == parser->lex.file) return;
  parser->place = parser->lex.file;
  array_push(&parser->module->places, (VerilogPlace){ parser->module->words.len, parser->place });
}

static Status instance(Parser *parser, NameId master, bool is_gate)
{
  VerilogModule *module = parser->module;
  Lexer *lexer = &parser->lex;
  NameId name = lexer->name;
  uint32_t record = module->words.len;
  if (verilog_at(parser, TOKEN_NAME)) {
    TRY(enter_name(parser, name));
    note_place(parser);
    lex_next(lexer);
  } else if (is_gate && verilog_at(parser, '(')) {
    name = gate_name(parser, master);
    TRY(enter_name(parser, name));
    note_place(parser);
  } else {
    return expected(parser, "an instance's name");
  }
  uint32_t line = lex_where(lexer).line;
  if (verilog_at(parser, '['))
    return lex_fail(lexer, "VLOG-021", "an array of instances is not supported");
  TRY(verilog_expect(parser, '(', "'('"));
  if (module->words.len > UINT32_MAX - (1u << 24))
    return lex_fail(lexer, "VLOG-025", "the module is too large");
  array_reserve(&module->words, (uint64_t)module->words.len + 4);
  uint32_t *w = module->words.at + module->words.len;
  w[0] = master;
  w[1] = name;
  w[2] = line;
  module->words.len += 4;
  module->inst_count++;
  TRY(connections(parser, record));
  return verilog_expect(parser, ')', "',' or ')'");
}

/* MASTER [#(...)] name (...), name (...); */
static Status instances(Parser *parser, bool is_gate)
{
  Lexer *lexer = &parser->lex;
  NameId master = lexer->name;
  lex_next(lexer);
  if (verilog_at(parser, '#')) {
    verilog_tally(parser, is_gate ? TALLY_DELAY : TALLY_PARAMETER);
    TRY(skip_after_hash(parser));
  }
  for (;;) {
    TRY(instance(parser, master, is_gate));
    if (!verilog_at(parser, ',')) return verilog_expect(parser, ';', "',' or ';'");
    lex_next(lexer);
  }
}

/* --- module items ----------------------------------------------------------------------------- */
static Status assigns(Parser *parser)
{
  Lexer *lexer = &parser->lex;
  lex_next(lexer);
  if (verilog_at(parser, '(')) {
    verilog_tally(parser, TALLY_DELAY);
    TRY(verilog_skip_parentheses(parser));
  }
  TRY(verilog_skip_delay(parser));
  for (;;) {
    TRY(verilog_expression(parser));
    if (!verilog_at(parser, '=')) return expected(parser, "'='");
    TRY(verilog_assign_to(parser));
    if (!verilog_at(parser, ',')) return verilog_expect(parser, ';', "',' or ';'");
    lex_next(lexer);
  }
}

static bool at_keyword(const Parser *parser, Keyword k)
{
  return verilog_at(parser, TOKEN_KEYWORD) && parser->lex.keyword == k;
}

/* specify ... endspecify: delays and checks for simulation. */
static Status skip_specify(Parser *parser)
{
  verilog_tally(parser, TALLY_SPECIFY);
  parser->module->has_specify = true;
  while (!at_keyword(parser, KEY_ENDSPECIFY)) {
    if (verilog_at(parser, TOKEN_BAD)) return FAILED;
    if (verilog_at(parser, TOKEN_END) || at_keyword(parser, KEY_ENDMODULE))
      return expected(parser, "'endspecify'");
    lex_next(&parser->lex);
  }
  lex_next(&parser->lex);
  return OK;
}

static Status behavioural(Parser *parser)
{
  return lex_fail(&parser->lex, "VLOG-021",
                  "'%.60s' is not supported: only structural Verilog is read",
                  names_text(parser->names, parser->lex.name));
}

static Status keyword_item(Parser *parser)
{
  Keyword k = parser->lex.keyword;
  if (k >= KEY_INPUT && k <= KEY_SUPPLY1) return verilog_declaration(parser);
  if (k == KEY_ASSIGN) return assigns(parser);
  if (k >= KEY_PARAMETER && k <= KEY_SPECPARAM) return skip_statement(parser);
  if (k >= KEY_AND && k <= KEY_PULLDOWN) return instances(parser, true);
  if (k == KEY_SPECIFY) return skip_specify(parser);
  if (k > KEY_PULLDOWN) return behavioural(parser);
  return expected(parser, "a declaration, an instance or 'endmodule'");
}

static Status item(Parser *parser)
{
  const Lexer *lexer = &parser->lex;
  if (verilog_at(parser, TOKEN_KEYWORD)) return keyword_item(parser);
  if (!verilog_at(parser, TOKEN_NAME))
    return expected(parser, "a declaration, an instance or 'endmodule'");
  if (lexer->keyword == KEY_LOGIC || lexer->keyword == KEY_UWIRE)
    return verilog_declaration(parser);
  if (lexer->keyword >= KEY_ALWAYS_FF
      || (!lexer->escaped && names_text(parser->names, lexer->name)[0] == '$'))
    return behavioural(parser);
  return instances(parser, false);
}

static Status items(Parser *parser)
{
  while (!at_keyword(parser, KEY_ENDMODULE)) {
    if (verilog_at(parser, ';')) lex_next(&parser->lex);
    else TRY(item(parser));
  }
  return OK;
}

static void begin_module(Parser *parser)
{
  VerilogModule *module = parser->module = verilog_module_new();
  array_push(&parser->done, module);       /* at once, so that a failed read finds it */
  parser->module_number++;
  parser->gate_count = 0;
  array_clear(&parser->head_ports);
  array_clear(&parser->head_items);
  array_clear(&parser->directed);
  array_clear(&parser->escaped);
  map_free(parser->directed_by_name);
  parser->directed_by_name = map_new();
  map_free(parser->kinds);
  parser->kinds = NULL;
  module->name = parser->lex.name;
  module->file = parser->place = parser->lex.file;
  module->line = lex_where(&parser->lex).line;
}

/* endmodule : name */
static Status name_again(Parser *parser)
{
  if (!verilog_at(parser, ':')) return OK;
  lex_next(&parser->lex);
  if (verilog_at(parser, TOKEN_NAME) && parser->lex.name != parser->module->name)
    return lex_fail(&parser->lex, "VLOG-059", "'%.60s' after endmodule, expected '%.60s'",
                    names_text(parser->names, parser->lex.name),
                    names_text(parser->names, parser->module->name));
  return verilog_expect(parser, TOKEN_NAME, "the module's name");
}

static Status module(Parser *parser)
{
  lex_next(&parser->lex);
  if (!verilog_at(parser, TOKEN_NAME)) return expected(parser, "a module's name");
  begin_module(parser);
  lex_next(&parser->lex);
  TRY(verilog_header(parser));
  TRY(items(parser));
  TRY(verilog_finish_module(parser));
  lex_next(&parser->lex);
  return name_again(parser);
}

static bool at_behaviour(const Parser *parser)
{
  return (verilog_at(parser, TOKEN_KEYWORD) || verilog_at(parser, TOKEN_NAME))
         && parser->lex.keyword > KEY_PULLDOWN;
}

Status verilog_parse(Parser *parser)
{
  lex_next(&parser->lex);
  while (!verilog_at(parser, TOKEN_END)) {
    if (at_keyword(parser, KEY_MODULE) || at_keyword(parser, KEY_MACROMODULE)) TRY(module(parser));
    else if (verilog_at(parser, ';')) lex_next(&parser->lex);
    else if (at_behaviour(parser)) return behavioural(parser);
    else return expected(parser, "'module'");
  }
  return parser->lex.in->failed ? FAILED : OK;
}
