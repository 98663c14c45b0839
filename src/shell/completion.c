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
  Console    *console;
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

static void split_words(Typing *typing)
{
  size_t i = command_start(typing->line, typing->cursor);
  typing->word_count = 0;
  typing->found->start = typing->cursor;
  for (;;) {
    while (i < typing->cursor && (is_space(typing->line[i]) || typing->line[i] == '\n')) i++;
    if (i >= typing->cursor) return;
    size_t end = word_end(typing->line, i, typing->cursor);
    if (end >= typing->cursor || typing->word_count == MOST_WORDS) {
      typing->found->start = i + (typing->line[i] == '"');
      return;
    }
    typing->word_start[typing->word_count] = i;
    typing->word_end[typing->word_count++] = end;
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

static char *word_text(const Typing *typing, int i)
{
  return mem_text(typing->line + typing->word_start[i],
                  typing->word_end[i] - typing->word_start[i]);
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
static void offer(Typing *typing, const char *text)
{
  if (!begins(text, typing->word)) return;
  Text escaped = { 0 };
  for (const char *p = text; *p; p++) {
    if (strchr("[]{}$;\"\\ ", *p)) text_char(&escaped, '\\');
    text_char(&escaped, *p);
  }
  if (typing->found->total >= MOST) {
    typing->found->total++;
  } else if (!is_known(typing->found, text_get(&escaped))) {
    array_push(&typing->found->words, mem_text(text_get(&escaped), escaped.len));
    typing->found->total++;
  }
  text_free(&escaped);
}

static void offer_command(void *data, const Command *command) { offer(data, command->name); }

/* Procedures and Tcl's commands too, once something is typed. */
static void offer_tcl_commands(Typing *typing)
{
  if (*typing->word == '\0') return;
  Tcl_Obj *words[] = { Tcl_NewStringObj("::info", -1), Tcl_NewStringObj("commands", -1),
                       Tcl_ObjPrintf("%s*", typing->word) };
  Tcl_Obj **names;
  int count;
  for (int i = 0; i < 3; i++) Tcl_IncrRefCount(words[i]);
  if (Tcl_EvalObjv(typing->console->interp, 3, words, TCL_EVAL_GLOBAL) == TCL_OK) {
    Tcl_Obj *list = Tcl_GetObjResult(typing->console->interp);
    Tcl_IncrRefCount(list);
    if (Tcl_ListObjGetElements(NULL, list, &count, &names) == TCL_OK)
      for (int i = 0; i < count; i++) {
        const Command *command =
            command_find(typing->console->session, Tcl_GetString(names[i]), false);
        if (command == NULL || !(command->flags & CMD_HIDDEN))
          offer(typing, Tcl_GetString(names[i]));
      }
    Tcl_DecrRefCount(list);
  }
  for (int i = 0; i < 3; i++) Tcl_DecrRefCount(words[i]);
  Tcl_ResetResult(typing->console->interp);
}

static void offer_variables(Typing *typing)
{
  Tcl_Obj *pattern = Tcl_ObjPrintf("::info vars {%s*}", typing->word + 1), **names;
  int count;
  Tcl_IncrRefCount(pattern);
  if (Tcl_EvalObjEx(typing->console->interp, pattern, TCL_EVAL_GLOBAL) == TCL_OK) {
    Tcl_Obj *list = Tcl_GetObjResult(typing->console->interp);
    Tcl_IncrRefCount(list);
    if (Tcl_ListObjGetElements(NULL, list, &count, &names) == TCL_OK)
      for (int i = 0; i < count; i++) {
        Text name = { 0 };
        text_printf(&name, "$%s", Tcl_GetString(names[i]));
        array_push(&typing->found->words, mem_text(text_get(&name), name.len));
        typing->found->total++;
        text_free(&name);
      }
    Tcl_DecrRefCount(list);
  }
  Tcl_DecrRefCount(pattern);
  Tcl_ResetResult(typing->console->interp);
}

static void offer_files(Typing *typing)
{
  const char *cut = strrchr(typing->word, '/');
  char *folder = cut ? mem_text(typing->word, (size_t)(cut - typing->word) + 1) : mem_text("", 0);
  DIR *d = opendir(*folder ? folder : ".");
  for (struct dirent *e = d ? readdir(d) : NULL; e; e = readdir(d)) {
    if (e->d_name[0] == '.' && !(cut ? cut[1] == '.' : typing->word[0] == '.')) continue;
    Text path = { 0 };
    struct stat st;
    text_printf(&path, "%s%s", folder, e->d_name);
    if (stat(text_get(&path), &st) == 0 && S_ISDIR(st.st_mode)) text_char(&path, '/');
    offer(typing, text_get(&path));
    text_free(&path);
  }
  if (d) closedir(d);
  mem_free(folder);
}

static void offer_words(Typing *typing, const char *words)
{
  while (*words) {
    size_t n = strcspn(words, "|");
    char *word = mem_text(words, n);
    offer(typing, word);
    mem_free(word);
    words += n + (words[n] == '|');
  }
}

/* --- names of the design ---------------------------------------------------------------------- */

static void offer_matching(Typing *typing, uint32_t type, const char *pattern)
{
  Session *s = typing->console->session;
  Match m = match_default(s);
  ObjectArray found = { 0 };
  Text name = { 0 };
  m.interp = typing->console->interp;
  match_pattern(s, type, pattern, &m, &found);
  for (uint32_t i = 0; i < found.len; i++) {
    text_clear(&name);
    if (type == OBJ_LIB_CELL && !strchr(typing->word, s->separator))
      object_base_name(s, found.at[i], &name);
    else object_name(s, found.at[i], &name);
    offer(typing, text_get(&name));
  }
  text_free(&name);
  array_free(&found);
}

/* A pin's name begins with its cell's: cells are offered as paths to go on from. */
static void offer_cells_as_paths(Typing *typing, const char *pattern)
{
  Session *s = typing->console->session;
  Match m = match_default(s);
  ObjectArray found = { 0 };
  Text name = { 0 };
  match_pattern(s, OBJ_CELL, pattern, &m, &found);
  for (uint32_t i = 0; i < found.len; i++) {
    text_clear(&name);
    object_name(s, found.at[i], &name);
    text_char(&name, s->separator);
    offer(typing, text_get(&name));
  }
  text_free(&name);
  array_free(&found);
}

static void offer_objects(Typing *typing, unsigned kinds)
{
  static const uint8_t types[] = { OBJ_CLOCK, OBJ_PORT, OBJ_PIN,      OBJ_CELL,
                                   OBJ_NET,   OBJ_LIB,  OBJ_LIB_CELL, OBJ_LIB_PIN };
  Text pattern = { 0 };
  for (const char *p = typing->word; *p; p++) {
    if (strchr("*?\\", *p)) text_char(&pattern, '\\');
    text_char(&pattern, *p);
  }
  text_char(&pattern, '*');
  for (size_t k = 0; k < sizeof types; k++) {
    if (!(kinds & OBJ_BIT(types[k]))) continue;
    if (types[k] == OBJ_PIN && typing->console->session->netlist && !(kinds & OBJ_BIT(OBJ_CELL)))
      offer_cells_as_paths(typing, text_get(&pattern));
    offer_matching(typing, types[k], text_get(&pattern));
  }
  text_free(&pattern);
}

/* --- by place in the command ------------------------------------------------------------------ */

static void offer_value(Typing *typing, const Option *option)
{
  switch (option->type) {
    case ARG_ENUM: offer_words(typing, option->value); break;
    case ARG_FILE: offer_files(typing); break;
    case ARG_OBJECTS: offer_objects(typing, option->kinds); break;
    case ARG_LIST:
      if (option->kinds) offer_objects(typing, option->kinds);
      else offer_files(typing);
      break;
    default: break;
  }
}

static void offer_options(Typing *typing, const Command *command)
{
  for (const Option *option = command->options; option && option->name; option++)
    if (option->name[0] == '-' && !(option->flags & OPT_HIDDEN)) offer(typing, option->name);
}

/* The positional row that the word under way belongs to. */
static const Option *positional_at(const Command *command, int index)
{
  const Option *last = NULL;
  for (const Option *option = command->options; option && option->name; option++) {
    if (option->name[0] == '-') continue;
    last = option;
    if (index-- == 0 || (option->flags & OPT_REST)) return option;
  }
  return last && (last->flags & OPT_REST) ? last : NULL;
}

static void offer_argument(Typing *typing, const Command *command)
{
  const Option *waiting = NULL;
  int positions = 0;
  for (int i = 1; i < typing->word_count; i++) {
    const char *problem;
    char *word = word_text(typing, i);
    if (waiting) waiting = NULL;
    else if (word[0] == '-' && isalpha((unsigned char)word[1])) {
      const Option *option = option_find(command, word, &problem);
      waiting = option && option->type != ARG_FLAG ? option : NULL;
    } else positions++;
    mem_free(word);
  }
  if (waiting) {
    offer_value(typing, waiting);
  } else if (typing->word[0] == '-') {
    offer_options(typing, command);
  } else {
    const Option *option = positional_at(command, positions);
    if (option) offer_value(typing, option);
    if (*typing->word == '\0' && typing->found->total == 0) offer_options(typing, command);
  }
}

static int compare_words(const void *a, const void *b)
{
  return text_compare_natural(*(char *const *)a, *(char *const *)b);
}

void completion_find(Console *console, const char *line, size_t cursor, Completion *found)
{
  *found = (Completion){ 0 };
  Typing *typing = mem_alloc_zero(1, sizeof *typing);
  typing->console = console;
  typing->line = line;
  typing->cursor = cursor;
  typing->found = found;
  split_words(typing);
  typing->word = plain_text(line + found->start, cursor - found->start);
  if (typing->word[0] == '$') {
    offer_variables(typing);
  } else if (typing->word_count == 0) {
    commands_each(typing->console->session, false, offer_command, typing);
    offer_tcl_commands(typing);
  } else {
    char *name = word_text(typing, 0);
    const Command *command = command_find(typing->console->session, name, true);
    if (command) offer_argument(typing, command);
    else offer_files(typing);
    mem_free(name);
  }
  if (found->words.len)
    qsort(found->words.at, found->words.len, sizeof *found->words.at, compare_words);
  mem_free(typing->word);
  mem_free(typing);
}

void completion_free(Completion *found)
{
  for (uint32_t i = 0; i < found->words.len; i++) mem_free(found->words.at[i]);
  array_free(&found->words);
}

/* The candidates, or "too_many N". */
Tcl_Obj *console_complete(Console *console, const char *text, int cursor)
{
  Completion found;
  completion_find(console, text, (size_t)cursor, &found);
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
