/* Completion: commands, then options of the command, then values by type.  A function of the line
   and the design alone, so that it is tested without a terminal (complete_line). */
#include <ctype.h>
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "tclbind/match.h"
#include "tclbind/object_value.h"
#include "shell/shell.h"

enum { MOST = 200 };         /* more candidates than this are only counted */

/* --- the text before the cursor --------------------------------------------------------------- */

enum { DEEPEST = 64, MOST_WORDS = 256 };

typedef struct {
  Console    *c;
  const char *line;
  size_t      cursor;
  size_t      word_start[MOST_WORDS], word_end[MOST_WORDS];
  int         word_count;       /* the words before the present one */
  char       *word;             /* the present word, without backslashes */
  Completion *found;
} Typing;

static bool is_space(char ch) { return ch == ' ' || ch == '\t'; }

/* The innermost command that the cursor is in begins here. */
static size_t command_start(const char *line, size_t cursor)
{
  size_t starts[DEEPEST];
  int depth = 0;
  starts[0] = 0;
  for (size_t i = 0; i < cursor; i++) {
    char ch = line[i];
    if (ch == '\\') {
      i++;
    } else if ((ch == '[' || ch == '{') && depth + 1 < DEEPEST) {
      starts[++depth] = i + 1;
    } else if ((ch == ']' || ch == '}') && depth > 0) {
      depth--;
    } else if (ch == ';' || ch == '\n') {
      starts[depth] = i + 1;
    }
  }
  return starts[depth] < cursor ? starts[depth] : cursor;
}

/* One past the word at i: brackets and braces within it belong to it. */
static size_t word_end(const char *line, size_t i, size_t cursor)
{
  int depth = 0;
  for (; i < cursor; i++) {
    if (line[i] == '\\' && i + 1 < cursor) i++;
    else if (line[i] == '[' || line[i] == '{') depth++;
    else if (line[i] == ']' || line[i] == '}') depth--;
    else if (is_space(line[i]) && depth <= 0) break;
  }
  return i < cursor ? i : cursor;
}

static void split_words(Typing *t)
{
  size_t i = command_start(t->line, t->cursor);
  t->word_count = 0;
  t->found->start = t->cursor;
  for (;;) {
    while (i < t->cursor && (is_space(t->line[i]) || t->line[i] == '\n')) i++;
    if (i >= t->cursor) return;
    size_t end = word_end(t->line, i, t->cursor);
    if (end >= t->cursor || t->word_count == MOST_WORDS) {
      t->found->start = i + (t->line[i] == '"');
      return;
    }
    t->word_start[t->word_count] = i;
    t->word_end[t->word_count++] = end;
    i = end;
  }
}

static char *plain_text(const char *from, size_t length)
{
  char *text = mem_text(from, length), *to = text;
  for (size_t i = 0; i < length; i++) {
    if (from[i] == '\\' && i + 1 < length) i++;
    *to++ = from[i];
  }
  *to = '\0';
  return text;
}

static char *word_text(const Typing *t, int i)
{
  return mem_text(t->line + t->word_start[i], t->word_end[i] - t->word_start[i]);
}

/* --- candidates ------------------------------------------------------------------------------- */

static bool begins(const char *text, const char *with)
{
  return strncmp(text, with, strlen(with)) == 0;
}

static bool is_known(const Completion *found, const char *text)
{
  for (uint32_t i = 0; i < found->words.len; i++)
    if (strcmp(found->words.at[i], text) == 0) return true;
  return false;
}

/* Brackets, dollars and the like are escaped, or Tcl would read more than a name. */
static void offer(Typing *t, const char *text)
{
  if (!begins(text, t->word)) return;
  Text escaped = { 0 };
  for (const char *p = text; *p; p++) {
    if (strchr("[]{}$;\"\\ ", *p)) text_char(&escaped, '\\');
    text_char(&escaped, *p);
  }
  if (t->found->total >= MOST) {
    t->found->total++;
  } else if (!is_known(t->found, text_get(&escaped))) {
    array_push(&t->found->words, mem_text(text_get(&escaped), escaped.len));
    t->found->total++;
  }
  text_free(&escaped);
}

static void offer_command(void *data, const Command *command) { offer(data, command->name); }

/* Procedures and Tcl's commands too, once something is typed. */
static void offer_tcl_commands(Typing *t)
{
  if (*t->word == '\0') return;
  Tcl_Obj *words[] = { Tcl_NewStringObj("::info", -1), Tcl_NewStringObj("commands", -1),
                       Tcl_ObjPrintf("%s*", t->word) };
  Tcl_Obj **names;
  int count;
  for (int i = 0; i < 3; i++) Tcl_IncrRefCount(words[i]);
  if (Tcl_EvalObjv(t->c->interp, 3, words, TCL_EVAL_GLOBAL) == TCL_OK) {
    Tcl_Obj *list = Tcl_GetObjResult(t->c->interp);
    Tcl_IncrRefCount(list);
    if (Tcl_ListObjGetElements(NULL, list, &count, &names) == TCL_OK)
      for (int i = 0; i < count; i++) {
        const Command *c = command_find(t->c->session, Tcl_GetString(names[i]), false);
        if (c == NULL || !(c->flags & CMD_HIDDEN)) offer(t, Tcl_GetString(names[i]));
      }
    Tcl_DecrRefCount(list);
  }
  for (int i = 0; i < 3; i++) Tcl_DecrRefCount(words[i]);
  Tcl_ResetResult(t->c->interp);
}

static void offer_variables(Typing *t)
{
  Tcl_Obj *pattern = Tcl_ObjPrintf("::info vars {%s*}", t->word + 1), **names;
  int count;
  Tcl_IncrRefCount(pattern);
  if (Tcl_EvalObjEx(t->c->interp, pattern, TCL_EVAL_GLOBAL) == TCL_OK) {
    Tcl_Obj *list = Tcl_GetObjResult(t->c->interp);
    Tcl_IncrRefCount(list);
    if (Tcl_ListObjGetElements(NULL, list, &count, &names) == TCL_OK)
      for (int i = 0; i < count; i++) {
        Text name = { 0 };
        text_printf(&name, "$%s", Tcl_GetString(names[i]));
        array_push(&t->found->words, mem_text(text_get(&name), name.len));
        t->found->total++;
        text_free(&name);
      }
    Tcl_DecrRefCount(list);
  }
  Tcl_DecrRefCount(pattern);
  Tcl_ResetResult(t->c->interp);
}

static void offer_files(Typing *t)
{
  const char *cut = strrchr(t->word, '/');
  char *folder = cut ? mem_text(t->word, (size_t)(cut - t->word) + 1) : mem_text("", 0);
  DIR *d = opendir(*folder ? folder : ".");
  for (struct dirent *e = d ? readdir(d) : NULL; e; e = readdir(d)) {
    if (e->d_name[0] == '.' && !(cut ? cut[1] == '.' : t->word[0] == '.')) continue;
    Text path = { 0 };
    struct stat st;
    text_printf(&path, "%s%s", folder, e->d_name);
    if (stat(text_get(&path), &st) == 0 && S_ISDIR(st.st_mode)) text_char(&path, '/');
    offer(t, text_get(&path));
    text_free(&path);
  }
  if (d) closedir(d);
  mem_free(folder);
}

static void offer_words(Typing *t, const char *words)
{
  while (*words) {
    size_t n = strcspn(words, "|");
    char *word = mem_text(words, n);
    offer(t, word);
    mem_free(word);
    words += n + (words[n] == '|');
  }
}

/* --- names of the design ---------------------------------------------------------------------- */

static void offer_matching(Typing *t, uint32_t type, const char *pattern)
{
  Session *s = t->c->session;
  Match m = match_default(s);
  ObjectArray found = { 0 };
  Text name = { 0 };
  m.interp = t->c->interp;
  match_pattern(s, type, pattern, &m, &found);
  for (uint32_t i = 0; i < found.len; i++) {
    text_clear(&name);
    if (type == OBJ_LIB_CELL && !strchr(t->word, s->separator))
      object_base_name(s, found.at[i], &name);
    else object_name(s, found.at[i], &name);
    offer(t, text_get(&name));
  }
  text_free(&name);
  array_free(&found);
}

/* A pin's name begins with its cell's: cells are offered as paths to go on from. */
static void offer_cells_as_paths(Typing *t, const char *pattern)
{
  Session *s = t->c->session;
  Match m = match_default(s);
  ObjectArray found = { 0 };
  Text name = { 0 };
  match_pattern(s, OBJ_CELL, pattern, &m, &found);
  for (uint32_t i = 0; i < found.len; i++) {
    text_clear(&name);
    object_name(s, found.at[i], &name);
    text_char(&name, s->separator);
    offer(t, text_get(&name));
  }
  text_free(&name);
  array_free(&found);
}

static void offer_objects(Typing *t, unsigned kinds)
{
  static const uint8_t types[] = { OBJ_CLOCK, OBJ_PORT, OBJ_PIN,      OBJ_CELL,
                                   OBJ_NET,   OBJ_LIB,  OBJ_LIB_CELL, OBJ_LIB_PIN };
  Text pattern = { 0 };
  for (const char *p = t->word; *p; p++) {
    if (strchr("*?\\", *p)) text_char(&pattern, '\\');
    text_char(&pattern, *p);
  }
  text_char(&pattern, '*');
  for (size_t k = 0; k < sizeof types; k++) {
    if (!(kinds & OBJ_BIT(types[k]))) continue;
    if (types[k] == OBJ_PIN && t->c->session->netlist && !(kinds & OBJ_BIT(OBJ_CELL)))
      offer_cells_as_paths(t, text_get(&pattern));
    offer_matching(t, types[k], text_get(&pattern));
  }
  text_free(&pattern);
}

/* --- by place in the command ------------------------------------------------------------------ */

static void offer_value(Typing *t, const Option *o)
{
  switch (o->type) {
    case ARG_ENUM: offer_words(t, o->value); break;
    case ARG_FILE: offer_files(t); break;
    case ARG_OBJECTS: offer_objects(t, o->kinds); break;
    case ARG_LIST: if (o->kinds) offer_objects(t, o->kinds); else offer_files(t); break;
    default: break;
  }
}

static void offer_options(Typing *t, const Command *command)
{
  for (const Option *o = command->options; o && o->name; o++)
    if (o->name[0] == '-' && !(o->flags & OPT_HIDDEN)) offer(t, o->name);
}

/* The positional row that the word under way belongs to. */
static const Option *positional_at(const Command *command, int index)
{
  const Option *last = NULL;
  for (const Option *o = command->options; o && o->name; o++) {
    if (o->name[0] == '-') continue;
    last = o;
    if (index-- == 0 || (o->flags & OPT_REST)) return o;
  }
  return last && (last->flags & OPT_REST) ? last : NULL;
}

static void offer_argument(Typing *t, const Command *command)
{
  const Option *waiting = NULL;
  int positions = 0;
  for (int i = 1; i < t->word_count; i++) {
    const char *problem;
    char *word = word_text(t, i);
    if (waiting) waiting = NULL;
    else if (word[0] == '-' && isalpha((unsigned char)word[1])) {
      const Option *o = option_find(command, word, &problem);
      waiting = o && o->type != ARG_FLAG ? o : NULL;
    } else positions++;
    mem_free(word);
  }
  if (waiting) {
    offer_value(t, waiting);
  } else if (t->word[0] == '-') {
    offer_options(t, command);
  } else {
    const Option *o = positional_at(command, positions);
    if (o) offer_value(t, o);
    if (*t->word == '\0' && t->found->total == 0) offer_options(t, command);
  }
}

static int compare_words(const void *a, const void *b)
{
  return text_compare_natural(*(char *const *)a, *(char *const *)b);
}

void completion_find(Console *c, const char *line, size_t cursor, Completion *found)
{
  *found = (Completion){ 0 };
  Typing *t = mem_alloc_zero(1, sizeof *t);
  t->c = c;
  t->line = line;
  t->cursor = cursor;
  t->found = found;
  split_words(t);
  t->word = plain_text(line + found->start, cursor - found->start);
  if (t->word[0] == '$') {
    offer_variables(t);
  } else if (t->word_count == 0) {
    commands_each(t->c->session, false, offer_command, t);
    offer_tcl_commands(t);
  } else {
    char *name = word_text(t, 0);
    const Command *command = command_find(t->c->session, name, true);
    if (command) offer_argument(t, command);
    else offer_files(t);
    mem_free(name);
  }
  if (found->words.len)
    qsort(found->words.at, found->words.len, sizeof *found->words.at, compare_words);
  mem_free(t->word);
  mem_free(t);
}

void completion_free(Completion *found)
{
  for (uint32_t i = 0; i < found->words.len; i++) mem_free(found->words.at[i]);
  array_free(&found->words);
}

/* The candidates, or "too_many N". */
Tcl_Obj *console_complete(Console *c, const char *text, int cursor)
{
  Completion found;
  completion_find(c, text, (size_t)cursor, &found);
  Tcl_Obj *list = Tcl_NewListObj(0, NULL);
  if (found.total > MOST) {
    Tcl_ListObjAppendElement(NULL, list, Tcl_NewStringObj("too_many", -1));
    Tcl_ListObjAppendElement(NULL, list, Tcl_NewIntObj((int)found.total));
  } else {
    for (uint32_t i = 0; i < found.words.len; i++)
      Tcl_ListObjAppendElement(NULL, list, Tcl_NewStringObj(found.words.at[i], -1));
  }
  completion_free(&found);
  return list;
}
