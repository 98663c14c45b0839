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
static Status push(Lexer *x, LexSource *s)
{
  array_push(&x->sources, s);
  x->in = s->in;
  x->at = s->in->cur;
  return OK;
}

Status lex_push_file(Lexer *x, const char *path, const char *text_or_null)
{
  Input *in = text_or_null ? input_open_text(path, text_or_null, x->log) : input_open(path, x->log);
  if (in == NULL) {
    x->kind = TOKEN_BAD;
    return FAILED;
  }
  LexSource *s = mem_alloc_zero(1, sizeof *s);
  s->in = in;
  s->file = x->file = names_add_text(x->names, path);
  return push(x, s);
}

void lex_push_macro(Lexer *x, const char *text, size_t length)
{
  LexSource *s = mem_alloc_zero(1, sizeof *s);
  s->in = &s->text;
  s->text.cur = (char *)text;
  s->text.end = (char *)text + length;
  s->file = x->file;
  push(x, s);
}

static void drop_source(Lexer *x)
{
  LexSource *s = x->sources.at[--x->sources.len];
  if (s->in != &s->text) input_close(s->in);
  mem_free(s);
}

bool lex_pop(Lexer *x)
{
  if (x->sources.len < 2) return false;
  drop_source(x);
  LexSource *s = x->sources.at[x->sources.len - 1];
  x->in = s->in;
  x->at = s->in->cur;
  x->file = s->file;
  return true;
}

static const Input *file_input(const Lexer *x)
{
  uint32_t i = x->sources.len - 1;
  while (i > 0 && x->sources.at[i]->in->state == NULL) i--;
  return x->sources.at[i]->in;
}

Where lex_where(const Lexer *x)
{
  const Input *in = file_input(x);
  return in == x->in ? input_where_at(in, x->at) : input_where(in);
}

void lex_tally(const Lexer *x, Tally *t)
{
  if (t->count++) return;
  t->where = lex_where(x);
  t->where.file = names_text(x->names, x->file);      /* the input may be closed when it is told */
}

Status lex_open(Lexer *x, const char *path, const char *text_or_null, Log *log)
{
  x->log = log;
  x->macro_by_name = map_new();
  x->kind = TOKEN_END;
  return lex_push_file(x, path, text_or_null);
}

void lex_close(Lexer *x)
{
  while (x->sources.len) drop_source(x);
  for (uint32_t i = 0; i < x->macros.len; i++) {
    mem_free(x->macros.at[i]->text);
    mem_free(x->macros.at[i]);
  }
  array_free(&x->macros);
  array_free(&x->sources);
  array_free(&x->conditions);
  array_free(&x->bits);
  map_free(x->macro_by_name);
  text_free(&x->scratch);
}

/* --- words and lines -------------------------------------------------------------------------- */
static void skip_blanks(Lexer *x)
{
  for (char c; (c = lex_peek(x)) == ' ' || c == '\t'; x->in->cur++) {}
}

/* The word at cur, maybe empty. */
static NameId scan_word(Lexer *x)
{
  skip_blanks(x);
  x->at = x->in->cur;
  while (lex_class[(uint8_t)lex_peek(x)] & (LEX_NAME | LEX_DIGIT)) x->in->cur++;
  return names_add(x->names, x->at, (size_t)(x->in->cur - x->at));
}

static bool at_end(Lexer *x) { return lex_peek(x) == '\0' && x->in->cur == x->in->end; }

static void skip_line(Lexer *x)
{
  for (; !at_end(x) && *x->in->cur != '\n'; x->in->cur++) x->at = x->in->cur;
}

/* The rest of the line into scratch: continued by a final backslash, without its comment. */
static void scan_line(Lexer *x)
{
  Text *t = &x->scratch;
  text_clear(t);
  skip_blanks(x);
  for (; !at_end(x) && *x->in->cur != '\n'; x->in->cur++) {
    char c = *x->in->cur;
    x->at = x->in->cur;
    if (c == '\r') continue;
    if (c == '/' && t->len && t->at[t->len - 1] == '/') {
      t->at[--t->len] = '\0';
      skip_line(x);
      break;
    }
    if (c == '\\') {
      x->in->cur++;
      if (lex_peek(x) == '\r') x->in->cur++;
      if (lex_peek(x) == '\n') {
        x->in->cur++;
        input_newline(x->in);
        c = ' ';
      }
      x->in->cur--;
    }
    text_char(t, c ? c : ' ');
  }
}

/* --- macros ----------------------------------------------------------------------------------- */
static LexMacro *find_macro(const Lexer *x, NameId name)
{
  uint32_t i = map_get(x->macro_by_name, name);
  return i == MAP_NO_VALUE || x->macros.at[i]->text == NULL ? NULL : x->macros.at[i];
}

static Status define(Lexer *x)
{
  NameId name = scan_word(x);
  if (name == NO_NAME) return lex_fail(x, "VLOG-011", "expected a name after `define");
  bool has_arguments = lex_peek(x) == '(';
  if (x->in->state == NULL)
    return lex_fail(x, "VLOG-011", "a `define inside a macro is not supported");
  scan_line(x);
  LexMacro *m = mem_alloc_zero(1, sizeof *m);
  m->length = x->scratch.len;
  m->text = mem_text(text_get(&x->scratch), m->length);
  m->has_arguments = has_arguments;
  map_put(x->macro_by_name, name, x->macros.len);
  array_push(&x->macros, m);
  return OK;
}

static Status bounded(Lexer *x)
{
  if (x->sources.len >= MAX_DEPTH)
    return lex_fail(x, "VLOG-013",
                    "macros or included files are nested over %d deep: do they use themselves?",
                    MAX_DEPTH);
  if (++x->expansions > MAX_EXPANSIONS)
    return lex_fail(x, "VLOG-013", "over %d macros and included files were expanded",
                    MAX_EXPANSIONS);
  return OK;
}

static Status expand(Lexer *x, NameId name)
{
  const LexMacro *m = find_macro(x, name);
  if (m == NULL)
    return lex_fail(x, "VLOG-010", "`%.60s is neither a directive nor a defined macro",
                    names_text(x->names, name));
  if (m->has_arguments)
    return lex_fail(x, "VLOG-011", "the macro `%.60s has arguments, which is not supported",
                    names_text(x->names, name));
  if (bounded(x) != OK) return FAILED;
  lex_push_macro(x, m->text, m->length);
  return OK;
}

/* --- include ---------------------------------------------------------------------------------- */
static void path_beside(const char *file, const char *name, Text *path)
{
  const char *slash = strrchr(file, '/');
  if (*name != '/' && slash) text_add(path, file, (size_t)(slash - file) + 1);
  text_put(path, name);
}

static Status include(Lexer *x)
{
  scan_line(x);
  char *name = x->scratch.at ? x->scratch.at : (char *)"";
  char *end = *name == '"' || *name == '<' ? strpbrk(name + 1, "\">") : NULL;
  if (end == NULL)
    return lex_fail(x, "VLOG-014", "expected a file name in double quotes after `include");
  if (bounded(x) != OK) return FAILED;
  *end = '\0';
  Text path = { 0 };
  path_beside(file_input(x)->path, name + 1, &path);
  Status status = access(path.at, R_OK) == 0 ? lex_push_file(x, path.at, NULL)
                : lex_fail(x, "VLOG-014", "cannot read the included file '%s'", path.at);
  text_free(&path);
  return status;
}

/* --- conditions ------------------------------------------------------------------------------- */
static bool word_is(const Lexer *x, NameId word, const char *text)
{
  return strcmp(names_text(x->names, word), text) == 0;
}

/* The next directive of a part that is left out; NO_NAME at the end of the file. */
static NameId next_skipped_directive(Lexer *x)
{
  for (;;) {
    x->at = x->in->cur;
    if (at_end(x)) return NO_NAME;
    char c = *x->in->cur;
    if (c == '/' && lex_skip_comment(x)) {
      if (x->kind == TOKEN_BAD) return NO_NAME;
      continue;
    }
    if (c == '/') continue;      /* skip_comment has passed it */
    x->in->cur++;
    if (c == '\n') input_newline(x->in);
    if (c == '\\')
      while (!at_end(x) && !(lex_class[(uint8_t)*x->in->cur] & LEX_SPACE)) x->at = x->in->cur++;
    if (c == '"')
      while (!at_end(x) && *x->in->cur != '\n' && *x->in->cur != '"') x->at = x->in->cur++;
    if (c == '"' && *x->in->cur == '"') x->in->cur++;
    if (c == '`') {
      NameId word = scan_word(x);
      if (word != NO_NAME) return word;
    }
  }
}

static Status second_else(Lexer *x)
{
  return lex_fail(x, "VLOG-012", "`else or `elsif after the `else of the same `ifdef or `ifndef");
}

/* Leaves text out up to the branch that counts (`any`: no further branch does) or the `endif. */
static Status skip_branch(Lexer *x, bool any, LexCondition c)
{
  uint32_t depth = 0;
  for (NameId word; (word = next_skipped_directive(x)) != NO_NAME;) {
    if (word_is(x, word, "ifdef") || word_is(x, word, "ifndef")) depth++;
    else if (word_is(x, word, "endif") && depth-- == 0) return OK;
    bool is_else = word_is(x, word, "else");
    if (depth || !(is_else || word_is(x, word, "elsif"))) continue;
    if (c.has_else) return second_else(x);
    c.has_else = is_else;
    if (any || !(is_else || find_macro(x, scan_word(x)))) continue;
    array_push(&x->conditions, c);
    return OK;
  }
  if (x->kind != TOKEN_BAD)
    log_error(x->log, "VLOG-012", c.where, "this `ifdef or `ifndef has no `endif");
  x->kind = TOKEN_BAD;
  return FAILED;
}

static Status condition(Lexer *x, bool wanted)
{
  LexCondition c = { lex_where(x), false };
  NameId name = scan_word(x);
  if (name == NO_NAME) return lex_fail(x, "VLOG-011", "expected a name after `ifdef or `ifndef");
  c.where.file = names_text(x->names, x->file);      /* the input may be closed when it is told */
  if ((find_macro(x, name) != NULL) != wanted) return skip_branch(x, false, c);
  array_push(&x->conditions, c);
  return OK;
}

static Status other_branch(Lexer *x, NameId word)
{
  if (x->conditions.len == 0)
    return lex_fail(x, "VLOG-012", "there is no `ifdef or `ifndef before this");
  LexCondition c = x->conditions.at[--x->conditions.len];
  if (word_is(x, word, "endif")) return OK;
  if (c.has_else) return second_else(x);
  c.has_else = word_is(x, word, "else");
  return skip_branch(x, true, c);
}

/* --- the directives --------------------------------------------------------------------------- */
static Status undefine(Lexer *x)
{
  map_remove(x->macro_by_name, scan_word(x));
  return OK;
}

static bool in_list(const Lexer *x, NameId word, const char *const *list)
{
  for (; *list; list++)
    if (word_is(x, word, *list)) return true;
  return false;
}

static const char *const plain_types[] = { "wire", "tri", "uwire", NULL };
static const char *const wired_types[] = { "wand", "wor",  "triand", "trior",
                                           "tri0", "tri1", "trireg", NULL };

static Status default_nettype(Lexer *x)
{
  NameId word = scan_word(x);
  x->nets_must_be_declared = word_is(x, word, "none");
  if (x->nets_must_be_declared || in_list(x, word, plain_types)) return OK;
  if (!in_list(x, word, wired_types))
    return lex_fail(x, "VLOG-057",
                    "'%.60s' after `default_nettype, expected none or a kind of nets",
                    names_text(x->names, word));
  lex_tally(x, x->wired);
  return OK;
}

static const char *const without_effect[] = { "celldefine", "endcelldefine", "nounconnected_drive",
  "end_keywords", "suppress_faults", "nosuppress_faults", "enable_portfaults", "disable_portfaults",
  "delay_mode_path", "delay_mode_zero", "delay_mode_unit", "delay_mode_distributed", NULL };
static const char *const whole_lines[] = { "timescale", "line", "pragma", "begin_keywords",
  "default_decay_time", "default_trireg_strength", NULL };
static const char *const netlist_lines[] = { "unconnected_drive", "uselib", NULL };

/* Skips a directive that has no effect.  Returns false if it is not one of these. */
static bool passed_over(Lexer *x, NameId word)
{
  bool alone = in_list(x, word, without_effect), line = in_list(x, word, whole_lines);
  bool would_change = in_list(x, word, netlist_lines);
  if (would_change) lex_tally(x, x->ignored);
  x->directives += alone || line;
  if (line || would_change) skip_line(x);
  return alone || line || would_change;
}

static Status reset_all(Lexer *x)
{
  x->directives++;
  x->nets_must_be_declared = false;
  return OK;
}

static Status directive(Lexer *x, NameId word)
{
  if (word_is(x, word, "define")) return define(x);
  if (word_is(x, word, "undef")) return undefine(x);
  if (word_is(x, word, "ifdef")) return condition(x, true);
  if (word_is(x, word, "ifndef")) return condition(x, false);
  if (word_is(x, word, "else") || word_is(x, word, "elsif") || word_is(x, word, "endif"))
    return other_branch(x, word);
  if (word_is(x, word, "include")) return include(x);
  if (word_is(x, word, "default_nettype")) return default_nettype(x);
  if (word_is(x, word, "resetall")) return reset_all(x);
  return passed_over(x, word) ? OK : expand(x, word);
}

bool lex_directive(Lexer *x)
{
  x->in->cur++;
  NameId word = scan_word(x);
  if (word == NO_NAME)
    return lex_fail(x, "VLOG-010", "expected a directive's or macro's name after `") == OK;
  return directive(x, word) == OK;
}
