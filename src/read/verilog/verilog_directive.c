/* Obeys compiler directives (`define, `ifdef, `include, ...) and keeps the stack of sources. */
#include <unistd.h>

#include "read/verilog/verilog_lex.h"

enum { MAX_DEPTH = 64, MAX_EXPANSIONS = 20000000 };

struct LexSource {
  Input *in;               /* &text for a macro */
  Input  text;
  NameId file;
};

struct LexMacro {
  char  *text;             /* NULL: undefined again */
  size_t length;
  bool   has_arguments;
};

/* --- sources ---------------------------------------------------------------------------------- */
static Status push(Lexer *lexer, LexSource *source)
{
  array_push(&lexer->sources, source);
  lexer->in = source->in;
  lexer->at = source->in->cur;
  return OK;
}

Status lex_push_file(Lexer *lexer, const char *path, const char *text_or_null)
{
  Input *in =
      text_or_null ? input_open_text(path, text_or_null, lexer->log) : input_open(path, lexer->log);
  if (in == NULL) {
    lexer->kind = TOKEN_BAD;
    return FAILED;
  }
  LexSource *source = mem_alloc_zero(1, sizeof *source);
  source->in = in;
  source->file = lexer->file = names_add_text(lexer->names, path);
  return push(lexer, source);
}

void lex_push_macro(Lexer *lexer, const char *text, size_t length)
{
  LexSource *source = mem_alloc_zero(1, sizeof *source);
  source->in = &source->text;
  source->text.cur = (char *)text;
  source->text.end = (char *)text + length;
  source->file = lexer->file;
  push(lexer, source);
}

static void drop_source(Lexer *lexer)
{
  LexSource *source = lexer->sources.at[--lexer->sources.len];
  if (source->in != &source->text) input_close(source->in);
  mem_free(source);
}

bool lex_pop(Lexer *lexer)
{
  if (lexer->sources.len < 2) return false;
  drop_source(lexer);
  LexSource *source = lexer->sources.at[lexer->sources.len - 1];
  lexer->in = source->in;
  lexer->at = source->in->cur;
  lexer->file = source->file;
  return true;
}

static const Input *file_input(const Lexer *lexer)
{
  uint32_t i = lexer->sources.len - 1;
  while (i > 0 && lexer->sources.at[i]->in->state == NULL) i--;
  return lexer->sources.at[i]->in;
}

Where lex_where(const Lexer *lexer)
{
  const Input *in = file_input(lexer);
  return in == lexer->in ? input_where_at(in, lexer->at) : input_where(in);
}

void lex_tally(const Lexer *lexer, Tally *tally)
{
  if (tally->count++) return;
  tally->where = lex_where(lexer);
  tally->where.file =
      names_text(lexer->names, lexer->file); /* the input may be closed when it is told */
}

Status lex_open(Lexer *lexer, const char *path, const char *text_or_null, Log *log)
{
  lexer->log = log;
  lexer->macro_by_name = map_new();
  lexer->kind = TOKEN_END;
  return lex_push_file(lexer, path, text_or_null);
}

void lex_close(Lexer *lexer)
{
  while (lexer->sources.len) drop_source(lexer);
  for (uint32_t i = 0; i < lexer->macros.len; i++) {
    mem_free(lexer->macros.at[i]->text);
    mem_free(lexer->macros.at[i]);
  }
  array_free(&lexer->macros);
  array_free(&lexer->sources);
  array_free(&lexer->conditions);
  array_free(&lexer->bits);
  map_free(lexer->macro_by_name);
  text_free(&lexer->scratch);
}

/* --- words and lines -------------------------------------------------------------------------- */
static void skip_blanks(Lexer *lexer)
{
  for (char c; (c = lex_peek(lexer)) == ' ' || c == '\t'; lexer->in->cur++) {}
}

/* The word at cur, maybe empty. */
static NameId scan_word(Lexer *lexer)
{
  skip_blanks(lexer);
  lexer->at = lexer->in->cur;
  while (lex_class[(uint8_t)lex_peek(lexer)] & (LEX_NAME | LEX_DIGIT)) lexer->in->cur++;
  return names_add(lexer->names, lexer->at, (size_t)(lexer->in->cur - lexer->at));
}

static bool at_end(Lexer *lexer)
{
  return lex_peek(lexer) == '\0' && lexer->in->cur == lexer->in->end;
}

static void skip_line(Lexer *lexer)
{
  for (; !at_end(lexer) && *lexer->in->cur != '\n'; lexer->in->cur++) lexer->at = lexer->in->cur;
}

/* The rest of the line into scratch: continued by a final backslash, without its comment. */
static void scan_line(Lexer *lexer)
{
  Text *text = &lexer->scratch;
  text_clear(text);
  skip_blanks(lexer);
  for (; !at_end(lexer) && *lexer->in->cur != '\n'; lexer->in->cur++) {
    char c = *lexer->in->cur;
    lexer->at = lexer->in->cur;
    if (c == '\r') continue;
    if (c == '/' && text->len && text->at[text->len - 1] == '/') {
      text->at[--text->len] = '\0';
      skip_line(lexer);
      break;
    }
    if (c == '\\') {
      lexer->in->cur++;
      if (lex_peek(lexer) == '\r') lexer->in->cur++;
      if (lex_peek(lexer) == '\n') {
        lexer->in->cur++;
        input_newline(lexer->in);
        c = ' ';
      }
      lexer->in->cur--;
    }
    text_char(text, c ? c : ' ');
  }
}

/* --- macros ----------------------------------------------------------------------------------- */
static LexMacro *find_macro(const Lexer *lexer, NameId name)
{
  uint32_t i = map_get(lexer->macro_by_name, name);
  return i == MAP_NO_VALUE || lexer->macros.at[i]->text == NULL ? NULL : lexer->macros.at[i];
}

static Status define(Lexer *lexer)
{
  NameId name = scan_word(lexer);
  if (name == NO_NAME) return lex_fail(lexer, "VLOG-011", "expected a name after `define");
  bool has_arguments = lex_peek(lexer) == '(';
  if (lexer->in->state == NULL)
    return lex_fail(lexer, "VLOG-011", "a `define inside a macro is not supported");
  scan_line(lexer);
  LexMacro *macro = mem_alloc_zero(1, sizeof *macro);
  macro->length = lexer->scratch.len;
  macro->text = mem_text(text_get(&lexer->scratch), macro->length);
  macro->has_arguments = has_arguments;
  map_put(lexer->macro_by_name, name, lexer->macros.len);
  array_push(&lexer->macros, macro);
  return OK;
}

static Status bounded(Lexer *lexer)
{
  if (lexer->sources.len >= MAX_DEPTH)
    return lex_fail(lexer, "VLOG-013",
                    "macros or included files are nested over %d deep: do they use themselves?",
                    MAX_DEPTH);
  if (++lexer->expansions > MAX_EXPANSIONS)
    return lex_fail(lexer, "VLOG-013", "over %d macros and included files were expanded",
                    MAX_EXPANSIONS);
  return OK;
}

static Status expand(Lexer *lexer, NameId name)
{
  const LexMacro *macro = find_macro(lexer, name);
  if (macro == NULL)
    return lex_fail(lexer, "VLOG-010", "`%.60s is neither a directive nor a defined macro",
                    names_text(lexer->names, name));
  if (macro->has_arguments)
    return lex_fail(lexer, "VLOG-011", "the macro `%.60s has arguments, which is not supported",
                    names_text(lexer->names, name));
  if (bounded(lexer) != OK) return FAILED;
  lex_push_macro(lexer, macro->text, macro->length);
  return OK;
}

/* --- include ---------------------------------------------------------------------------------- */
static void path_beside(const char *file, const char *name, Text *path)
{
  const char *slash = strrchr(file, '/');
  if (*name != '/' && slash) text_add(path, file, (size_t)(slash - file) + 1);
  text_put(path, name);
}

static Status include(Lexer *lexer)
{
  scan_line(lexer);
  char *name = lexer->scratch.at ? lexer->scratch.at : (char *)"";
  char *end = *name == '"' || *name == '<' ? strpbrk(name + 1, "\">") : NULL;
  if (end == NULL)
    return lex_fail(lexer, "VLOG-014", "expected a file name in double quotes after `include");
  if (bounded(lexer) != OK) return FAILED;
  *end = '\0';
  Text path = { 0 };
  path_beside(file_input(lexer)->path, name + 1, &path);
  Status status = access(path.at, R_OK) == 0
                      ? lex_push_file(lexer, path.at, NULL)
                      : lex_fail(lexer, "VLOG-014", "cannot read the included file '%s'", path.at);
  text_free(&path);
  return status;
}

/* --- conditions ------------------------------------------------------------------------------- */
static bool word_is(const Lexer *lexer, NameId word, const char *text)
{
  return strcmp(names_text(lexer->names, word), text) == 0;
}

/* The next directive of a part that is left out; NO_NAME at the end of the file. */
static NameId next_skipped_directive(Lexer *lexer)
{
  for (;;) {
    lexer->at = lexer->in->cur;
    if (at_end(lexer)) return NO_NAME;
    char c = *lexer->in->cur;
    if (c == '/' && lex_skip_comment(lexer)) {
      if (lexer->kind == TOKEN_BAD) return NO_NAME;
      continue;
    }
    if (c == '/') continue;      /* skip_comment has passed it */
    lexer->in->cur++;
    if (c == '\n') input_newline(lexer->in);
    if (c == '\\')
      while (!at_end(lexer) && !(lex_class[(uint8_t)*lexer->in->cur] & LEX_SPACE))
        lexer->at = lexer->in->cur++;
    if (c == '"')
      while (!at_end(lexer) && *lexer->in->cur != '\n' && *lexer->in->cur != '"')
        lexer->at = lexer->in->cur++;
    if (c == '"' && *lexer->in->cur == '"') lexer->in->cur++;
    if (c == '`') {
      NameId word = scan_word(lexer);
      if (word != NO_NAME) return word;
    }
  }
}

static Status second_else(Lexer *lexer)
{
  return lex_fail(lexer, "VLOG-012",
                  "`else or `elsif after the `else of the same `ifdef or `ifndef");
}

/* Leaves text out up to the branch that counts (`any`: no further branch does) or the `endif. */
static Status skip_branch(Lexer *lexer, bool any, LexCondition c)
{
  uint32_t depth = 0;
  for (NameId word; (word = next_skipped_directive(lexer)) != NO_NAME;) {
    if (word_is(lexer, word, "ifdef") || word_is(lexer, word, "ifndef")) depth++;
    else if (word_is(lexer, word, "endif") && depth-- == 0) return OK;
    bool is_else = word_is(lexer, word, "else");
    if (depth || !(is_else || word_is(lexer, word, "elsif"))) continue;
    if (c.has_else) return second_else(lexer);
    c.has_else = is_else;
    if (any || !(is_else || find_macro(lexer, scan_word(lexer)))) continue;
    array_push(&lexer->conditions, c);
    return OK;
  }
  if (lexer->kind != TOKEN_BAD)
    log_error(lexer->log, "VLOG-012", c.where, "this `ifdef or `ifndef has no `endif");
  lexer->kind = TOKEN_BAD;
  return FAILED;
}

static Status condition(Lexer *lexer, bool wanted)
{
  LexCondition c = { lex_where(lexer), false };
  NameId name = scan_word(lexer);
  if (name == NO_NAME)
    return lex_fail(lexer, "VLOG-011", "expected a name after `ifdef or `ifndef");
  c.where.file =
      names_text(lexer->names, lexer->file); /* the input may be closed when it is told */
  if ((find_macro(lexer, name) != NULL) != wanted) return skip_branch(lexer, false, c);
  array_push(&lexer->conditions, c);
  return OK;
}

static Status other_branch(Lexer *lexer, NameId word)
{
  if (lexer->conditions.len == 0)
    return lex_fail(lexer, "VLOG-012", "there is no `ifdef or `ifndef before this");
  LexCondition c = lexer->conditions.at[--lexer->conditions.len];
  if (word_is(lexer, word, "endif")) return OK;
  if (c.has_else) return second_else(lexer);
  c.has_else = word_is(lexer, word, "else");
  return skip_branch(lexer, true, c);
}

/* --- the directives --------------------------------------------------------------------------- */
static Status undefine(Lexer *lexer)
{
  map_remove(lexer->macro_by_name, scan_word(lexer));
  return OK;
}

static bool in_list(const Lexer *lexer, NameId word, const char *const *list)
{
  for (; *list; list++)
    if (word_is(lexer, word, *list)) return true;
  return false;
}

static const char *const plain_types[] = { "wire", "tri", "uwire", NULL };
static const char *const wired_types[] = { "wand", "wor",  "triand", "trior",
                                           "tri0", "tri1", "trireg", NULL };

static Status default_nettype(Lexer *lexer)
{
  NameId word = scan_word(lexer);
  lexer->nets_must_be_declared = word_is(lexer, word, "none");
  if (lexer->nets_must_be_declared || in_list(lexer, word, plain_types)) return OK;
  if (!in_list(lexer, word, wired_types))
    return lex_fail(lexer, "VLOG-057",
                    "'%.60s' after `default_nettype, expected none or a kind of nets",
                    names_text(lexer->names, word));
  lex_tally(lexer, lexer->wired);
  return OK;
}

static const char *const without_effect[] = { "celldefine", "endcelldefine", "nounconnected_drive",
  "end_keywords", "suppress_faults", "nosuppress_faults", "enable_portfaults", "disable_portfaults",
  "delay_mode_path", "delay_mode_zero", "delay_mode_unit", "delay_mode_distributed", NULL };
static const char *const whole_lines[] = { "timescale", "line", "pragma", "begin_keywords",
  "default_decay_time", "default_trireg_strength", NULL };
static const char *const netlist_lines[] = { "unconnected_drive", "uselib", NULL };

/* Skips a directive that has no effect.  Returns false if it is not one of these. */
static bool passed_over(Lexer *lexer, NameId word)
{
  bool alone = in_list(lexer, word, without_effect), line = in_list(lexer, word, whole_lines);
  bool would_change = in_list(lexer, word, netlist_lines);
  if (would_change) lex_tally(lexer, lexer->ignored);
  lexer->directives += alone || line;
  if (line || would_change) skip_line(lexer);
  return alone || line || would_change;
}

static Status reset_all(Lexer *lexer)
{
  lexer->directives++;
  lexer->nets_must_be_declared = false;
  return OK;
}

static Status directive(Lexer *lexer, NameId word)
{
  if (word_is(lexer, word, "define")) return define(lexer);
  if (word_is(lexer, word, "undef")) return undefine(lexer);
  if (word_is(lexer, word, "ifdef")) return condition(lexer, true);
  if (word_is(lexer, word, "ifndef")) return condition(lexer, false);
  if (word_is(lexer, word, "else") || word_is(lexer, word, "elsif")
      || word_is(lexer, word, "endif"))
    return other_branch(lexer, word);
  if (word_is(lexer, word, "include")) return include(lexer);
  if (word_is(lexer, word, "default_nettype")) return default_nettype(lexer);
  if (word_is(lexer, word, "resetall")) return reset_all(lexer);
  return passed_over(lexer, word) ? OK : expand(lexer, word);
}

bool lex_directive(Lexer *lexer)
{
  lexer->in->cur++;
  NameId word = scan_word(lexer);
  if (word == NO_NAME)
    return lex_fail(lexer, "VLOG-010", "expected a directive's or macro's name after `") == OK;
  return directive(lexer, word) == OK;
}
