/* Parses the words of a command by its rows: options, positional arguments, values, and objects. */
#include "tclbind/args.h"

#include <ctype.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

#include "base/interrupt.h"
#include "tclbind/collection.h"
#include "tclbind/object_value.h"

/* --- options by name -------------------------------------------------------------------------- */

static bool is_positional(const Option *o) { return o->name[0] != '-'; }

/* A word such as -from; -1, -.5 and - are values. */
bool word_is_option(Tcl_Obj *word)
{
  if (word->bytes == NULL && value_is_several(word)) return false;
  const char *text = Tcl_GetString(word);
  return text[0] == '-' && isalpha((unsigned char)text[1]);
}

const Option *option_find(const Command *command, const char *word, const char **problem)
{
  const Option *found = NULL;
  size_t length = strlen(word);
  *problem = "unknown";
  for (const Option *o = command->options; o && o->name; o++) {
    if (is_positional(o) || strncmp(o->name, word, length) != 0) continue;
    if (o->name[length] == '\0') return o;
    if (o->flags & OPT_HIDDEN) continue;
    *problem = found ? "ambiguous" : "unknown";
    found = o;
  }
  return strcmp(*problem, "ambiguous") == 0 ? NULL : found;
}

static bool is_option_name(const Command *command, const char *word)
{
  for (const Option *o = command->options; o && o->name; o++)
    if (!is_positional(o) && strcmp(o->name, word) == 0) return true;
  return false;
}

/* "did you mean", or the options that an ambiguous prefix may stand for. */
static void add_suggestion(Text *t, const Command *command, const char *word, bool ambiguous)
{
  enum { MOST = 128 };
  const char *names[MOST];
  uint32_t count = 0;
  size_t length = strlen(word);
  for (const Option *o = command->options; o && o->name && count < MOST; o++)
    if (!is_positional(o) && !(o->flags & OPT_HIDDEN)
        && (!ambiguous || strncmp(o->name, word, length) == 0))
      names[count++] = o->name;
  if (!ambiguous) {
    text_add_nearest(t, word, names, count);
    return;
  }
  for (uint32_t i = 0; i < count; i++)
    text_printf(t, "%s%s", i == 0 ? ": " : i + 1 == count ? " or " : ", ", names[i]);
}

static Status bad_option(Args *a, const char *word, bool ambiguous)
{
  Text more = { 0 };
  add_suggestion(&more, a->command, word, ambiguous);
  if (ambiguous)
    log_error(a->console->session->log, "CMD-002", NOWHERE, "%s: the option %.60s is ambiguous%s",
              a->command->name, word, text_get(&more));
  else
    log_error(a->console->session->log, "CMD-001", NOWHERE, "%s: there is no option %.60s%s",
              a->command->name, word, text_get(&more));
  text_free(&more);
  return FAILED;
}

/* Errors of usage end with the command's usage, so that the next try is right. */
static Status usage_error(Args *a, const char *code, const char *format, ...)
{
  Text what = { 0 }, usage = { 0 };
  va_list args;
  va_start(args, format);
  text_vprintf(&what, format, args);
  va_end(args);
  command_usage(a->command, &usage);
  log_error(a->console->session->log, code, NOWHERE, "%s: %s; usage: %s", a->command->name,
            text_get(&what), text_get(&usage));
  text_free(&what);
  text_free(&usage);
  return FAILED;
}

/* --- values ----------------------------------------------------------------------------------- */

static UnitKind unit_of(ArgType type)
{
  return type == ARG_TIME ? UNIT_TIME : type == ARG_CAP ? UNIT_CAPACITANCE : UNIT_RESISTANCE;
}

static bool has_unit(ArgType type)
{
  return type == ARG_TIME || type == ARG_CAP || type == ARG_RES;
}

static bool in_range(const Option *o, double n)
{
  return o->least == o->most || (n >= o->least && n <= o->most);
}

/* "-digits takes a whole number from 0 to 15, not 'x'" */
static Status bad_number(Args *a, const Use *u, const char *kind)
{
  const Option *o = u->option;
  Text range = { 0 };
  double number;
  bool too_large = Tcl_GetDoubleFromObj(NULL, u->value, &number) == TCL_OK && number > INT_MAX;
  if (o->most == INT_MAX && too_large) text_printf(&range, " from %g to %d", o->least, INT_MAX);
  else if (o->most == INT_MAX) text_printf(&range, " of at least %g", o->least);
  else if (o->least < o->most) text_printf(&range, " from %g to %g", o->least, o->most);
  log_error(a->console->session->log, "CMD-006", NOWHERE, "%s: %s takes a %s%s, not '%.60s'",
            a->command->name, o->name, kind, text_get(&range), Tcl_GetString(u->value));
  text_free(&range);
  return FAILED;
}

static Status check_number(Args *a, Use *u)
{
  if (Tcl_GetDoubleFromObj(NULL, u->value, &u->number) != TCL_OK || isnan(u->number)
      || !in_range(u->option, u->number))
    return bad_number(a, u, "number");
  if (has_unit(u->option->type))
    u->number *= a->console->session->units.scale[unit_of(u->option->type)];
  return OK;
}

static Status check_int(Args *a, Use *u)
{
  int n;
  if (Tcl_GetIntFromObj(NULL, u->value, &n) != TCL_OK || !in_range(u->option, n))
    return bad_number(a, u, "whole number");
  u->number = n;
  return OK;
}

/* Index of a word or of its unique prefix among "a|b|c"; -1 unknown, -2 ambiguous. */
static int enum_index(const char *words, const char *word)
{
  size_t length = strlen(word);
  int found = -1;
  for (int i = 0; *words; i++) {
    size_t n = strcspn(words, "|");
    if (length <= n && strncmp(words, word, length) == 0) {
      if (length == n) return i;
      found = found == -1 ? i : -2;
    }
    words += n + (words[n] == '|');
  }
  return length ? found : -1;
}

static Status check_enum(Args *a, Use *u)
{
  int index = enum_index(u->option->value, Tcl_GetString(u->value));
  if (index < 0)
    return usage_error(a, "CMD-007", "%s is one of %s, not '%.60s'", u->option->name,
                       u->option->value, Tcl_GetString(u->value));
  u->number = index;
  return OK;
}

static Status check_list(Args *a, Use *u)
{
  int length;
  collection_settle(u->value);
  bool list = Tcl_ListObjLength(NULL, u->value, &length) == TCL_OK;
  if (list && (length || (u->option->flags & (OPT_PATTERNS | OPT_FEWER)))) return OK;
  if (list)
    return log_error(a->console->session->log, "CMD-022", NOWHERE, "%s: %s is empty",
                     a->command->name, u->option->name);
  return usage_error(a, "CMD-008", "%s takes a list; '%.60s' is none", u->option->name,
                     Tcl_GetString(u->value));
}

static void take_names_apart(Use *u)
{
  Tcl_Obj *list = u->option->flags & OPT_NAMES ? names_apart(u->value) : NULL;
  if (list == NULL) return;
  Tcl_DecrRefCount(u->value);
  u->value = list;
}

static Status check_value(Args *a, Use *u)
{
  take_names_apart(u);
  switch (u->option->type) {
    case ARG_INT: return check_int(a, u);
    case ARG_FLOAT: case ARG_TIME: case ARG_CAP: case ARG_RES: return check_number(a, u);
    case ARG_ENUM: return check_enum(a, u);
    case ARG_LIST: return check_list(a, u);
    case ARG_FILE:
      if (*Tcl_GetString(u->value)) return OK;
      return usage_error(a, "CMD-003", "%s takes the name of a file, not an empty one",
                         u->option->name);
    default: return OK;
  }
}

/* --- words to uses ---------------------------------------------------------------------------- */

static Status add_use(Args *a, const Option *option, Tcl_Obj *value)
{
  if (!(option->flags & OPT_REPEAT)) {
    for (uint32_t i = 0; i < a->uses.len; i++) {
      Use *u = &a->uses.at[i];
      if (u->option != option || u->dropped) continue;
      u->dropped = true;
      if (option->type != ARG_FLAG)
        log_warning(a->console->session->log, "CMD-010", console_where(a->console),
                    "%s: %s is given more than once; the last one counts", a->command->name,
                    option->name);
    }
  }
  array_push(&a->uses, (Use){ .option = option, .value = value });
  if (value) Tcl_IncrRefCount(value);
  return OK;
}

/* Moves *at past an option and its value. */
static Status take_option(Args *a, int *at, int count, Tcl_Obj *const words[])
{
  const char *problem, *word = Tcl_GetString(words[*at]);
  const Option *option = option_find(a->command, word, &problem);
  if (option == NULL) return bad_option(a, word, strcmp(problem, "ambiguous") == 0);
  ++*at;
  if (option->type == ARG_FLAG || option->flags & OPT_MAY_LACK_VALUE)
    return add_use(a, option, NULL);
  if (*at >= count
      || (word_is_option(words[*at]) && is_option_name(a->command, Tcl_GetString(words[*at]))))
    return usage_error(a, "CMD-003", "%s lacks its value", option->name);
  return add_use(a, option, words[(*at)++]);
}

static const Option *next_positional(const Option *o)
{
  while (o && o->name && !is_positional(o)) o++;
  return o && o->name ? o : NULL;
}

/* The words without a dash go to the positional rows in order; the last row may take all that is
   left. */
static Status place_words(Args *a, int count, Tcl_Obj *const words[])
{
  const Option *o = next_positional(a->command->options);
  for (int i = 0; i < count; i++) {
    if (o == NULL)
      return usage_error(a, "CMD-005", "'%.60s' is one word too many", Tcl_GetString(words[i]));
    if (o->flags & OPT_REST)
      return add_use(a, o,
                     count - i == 1 && o->type == ARG_OBJECTS
                         ? words[i]
                         : Tcl_NewListObj(count - i, words + i));
    add_use(a, o, words[i]);
    o = next_positional(o + 1);
  }
  return OK;
}

static int positional_count(const Command *command)
{
  int count = 0;
  for (const Option *o = next_positional(command->options); o; o = next_positional(o + 1)) count++;
  return count;
}

/* Plain words that stand where the value of an option would that may lack it. */
typedef struct {
  uint32_t use;             /* in a->uses; UINT32_MAX: no such option was used */
  int      at;
} MaybeValue;

/* A word too many is the option's value. */
static void take_maybe_value(Args *a, MaybeValue maybe, Tcl_Obj **plain, int *count)
{
  if (maybe.use == UINT32_MAX || maybe.at >= *count || *count <= positional_count(a->command))
    return;
  Use *u = &a->uses.at[maybe.use];
  u->value = plain[maybe.at];
  Tcl_IncrRefCount(u->value);
  --*count;
  for (int i = maybe.at; i < *count; i++) plain[i] = plain[i + 1];
}

static Status take_words(Args *a, int count, Tcl_Obj *const words[])
{
  Tcl_Obj **plain = mem_alloc((size_t)count * sizeof *plain);
  int plain_count = 0;
  bool ended = false;
  MaybeValue maybe = { UINT32_MAX, 0 };
  Status status = OK;
  for (int i = 0; i < count && status == OK;) {
    if (ended || !a->command->options) plain[plain_count++] = words[i++];
    else if (value_is_several(words[i])) plain[plain_count++] = words[i++];
    else if (strcmp(Tcl_GetString(words[i]), "--") == 0) ended = true, i++;
    else if (word_is_option(words[i])) {
      status = take_option(a, &i, count, words);
      if (status == OK && a->uses.at[a->uses.len - 1].option->flags & OPT_MAY_LACK_VALUE)
        maybe = (MaybeValue){ a->uses.len - 1, plain_count };
    }
    else plain[plain_count++] = words[i++];
  }
  take_maybe_value(a, maybe, plain, &plain_count);
  if (status == OK) status = place_words(a, plain_count, plain);
  mem_free(plain);
  return status;
}

static Status check_required(Args *a)
{
  for (const Option *o = a->command->options; o && o->name; o++)
    if ((o->flags & OPT_REQUIRED) && !args_given(a, o->name))
      return usage_error(a, "CMD-004", "%s is missing", o->name);
  return OK;
}

/* --- objects ---------------------------------------------------------------------------------- */

enum { LIBRARY_KINDS = OBJ_BIT(OBJ_LIB) | OBJ_BIT(OBJ_LIB_CELL) | OBJ_BIT(OBJ_LIB_PIN) };

/* Only constraints that name clocks in groups may lack one of their lists. */
static bool may_be_empty(const Option *o)
{
  return (o->flags & (OPT_PATTERNS | OPT_FEWER))
         || ((o->flags & OPT_REPEAT) && o->kinds == OBJ_BIT(OBJ_CLOCK));
}

static Status nothing_left(Args *a, const Use *u, uint32_t missing)
{
  Session *s = a->console->session;
  if (may_be_empty(u->option)) return OK;
  if (a->command->flags & CMD_SDC) {
    a->ignore = true;
    log_warning(s->log, "CMD-021", console_where(a->console),
                "%s: %s names nothing; the command is ignored", a->command->name, u->option->name);
    return OK;
  }
  if (missing)
    return log_error(s->log, "CMD-022", NOWHERE, "%s: %s: '%s' matches nothing", a->command->name,
                     u->option->name, Tcl_GetString(u->value));
  return log_error(s->log, "CMD-022", NOWHERE, "%s: %s is empty", a->command->name,
                   u->option->name);
}

/* One name that is nobody's is an error of commands that are no constraints: no need to warn of it
   too. */
static bool error_will_say_it(const Args *a, const Use *u)
{
  int length;
  if ((a->command->flags & CMD_SDC) || (u->option->flags & OPT_FEWER)
      || value_is_collection(u->value))
    return false;
  return Tcl_ListObjLength(NULL, u->value, &length) != TCL_OK || length == 1;
}

static Status resolve_use(Args *a, Use *u, unsigned kinds)
{
  Session *s = a->console->session;
  uint32_t missing;
  bool quiet = (u->option->flags & OPT_PATTERNS) != 0 || error_will_say_it(a, u) ||
               ((u->option->flags & OPT_FEWER) && args_flag(a, "-quiet"));
  Resolve r = { kinds, a->command->name, u->option->name, console_where(a->console), quiet };
  if (s->netlist == NULL && !(kinds & LIBRARY_KINDS))
    return log_error(s->log, "CMD-009", NOWHERE, "%s: no design is linked", a->command->name);
  if (objects_resolve(s, &r, u->value, &u->objects, &missing) != OK) return FAILED;
  if (interrupt_seen()) return FAILED;      /* some may be missing */
  return u->objects.len ? OK : nothing_left(a, u, missing);
}

static Status finish_uses(Args *a, bool *usage)
{
  for (uint32_t i = 0; i < a->uses.len; i++)
    if (!a->uses.at[i].dropped && a->uses.at[i].value && check_value(a, &a->uses.at[i]) != OK)
      return FAILED;
  if (check_required(a) != OK) return FAILED;
  *usage = false;
  if ((a->command->flags & CMD_NEEDS_DESIGN) && a->console->session->netlist == NULL)
    return log_error(a->console->session->log, "CMD-009", NOWHERE, "%s: no design is linked",
                     a->command->name);
  for (uint32_t i = 0; i < a->uses.len; i++) {
    Use *u = &a->uses.at[i];
    bool now = !u->dropped && u->option->type == ARG_OBJECTS && !(u->option->flags & OPT_LATE);
    if (now && resolve_use(a, u, u->option->kinds) != OK) return FAILED;
  }
  return OK;
}

/* Uses stand in the order of the words, positional ones after all options. */
Status args_parse(Args *a, int count, Tcl_Obj *const words[], bool *usage)
{
  *usage = true;
  if (take_words(a, count, words) != OK) return FAILED;
  return finish_uses(a, usage);
}

void args_clear(Args *a)
{
  for (uint32_t i = 0; i < a->uses.len; i++) {
    if (a->uses.at[i].value) Tcl_DecrRefCount(a->uses.at[i].value);
    if (a->uses.at[i].name) Tcl_DecrRefCount(a->uses.at[i].name);
    array_free(&a->uses.at[i].objects);
  }
  array_free(&a->uses);
  if (a->result) Tcl_DecrRefCount(a->result);
  if (a->redirect) fclose(a->redirect);
  text_free(&a->buffer);
}

Status args_resolve(Args *a, const char *option, unsigned kinds)
{
  for (uint32_t i = 0; i < a->uses.len; i++) {
    Use *u = &a->uses.at[i];
    if (!u->dropped && strcmp(u->option->name, option) == 0) return resolve_use(a, u, kinds);
  }
  return OK;
}

/* --- arguments of a command ------------------------------------------------------------------- */

static const Use *use_of(const Args *a, const char *option, uint32_t nth)
{
  for (uint32_t i = 0; i < a->uses.len; i++) {
    const Use *u = &a->uses.at[i];
    if (!u->dropped && strcmp(u->option->name, option) == 0 && nth-- == 0) return u;
  }
  return NULL;
}

static const Option *row_of(const Args *a, const char *option)
{
  for (const Option *o = a->command->options; o && o->name; o++)
    if (strcmp(o->name, option) == 0) return o;
  return NULL;
}

static const char *preset_of(const Args *a, const char *option)
{
  const Option *o = row_of(a, option);
  return o ? o->preset : NULL;
}

bool args_given(const Args *a, const char *option) { return use_of(a, option, 0) != NULL; }
bool args_flag(const Args *a, const char *option) { return use_of(a, option, 0) != NULL; }

bool args_gzip(const Args *a)
{
  const char *file = args_text(a, "file");
  size_t length = strlen(file);
  return args_flag(a, "-gzip") || (length > 3 && strcmp(file + length - 3, ".gz") == 0);
}

double args_number(const Args *a, const char *option)
{
  const Use *u = use_of(a, option, 0);
  if (u) return u->number;
  const Option *o = row_of(a, option);
  if (o == NULL || o->preset == NULL) return NAN;
  const char *end;
  double value = text_number(o->preset, &end);
  return has_unit(o->type) ? value * a->console->session->units.scale[unit_of(o->type)] : value;
}

int args_int(const Args *a, const char *option)
{
  double value = args_number(a, option);
  return isnan(value) ? 0 : (int)value;
}

/* An object given for a text gives its name. */
const char *args_text(const Args *a, const char *option)
{
  Use *u = (Use *)use_of(a, option, 0);
  Object o;
  if (u == NULL || u->value == NULL) return preset_of(a, option);
  if (u->name == NULL && object_of_value(a->console->session, u->value, &o) == VALUE_OBJECT) {
    Text t = { 0 };
    object_name(a->console->session, o, &t);
    u->name = Tcl_NewStringObj(text_get(&t), (int)t.len);
    Tcl_IncrRefCount(u->name);
    text_free(&t);
  }
  return Tcl_GetString(u->name ? u->name : u->value);
}

int args_enum(const Args *a, const char *option)
{
  const Use *u = use_of(a, option, 0);
  if (u) return (int)u->number;
  const Option *o = row_of(a, option);
  return o && o->preset ? enum_index(o->value, o->preset) : -1;
}

Tcl_Obj *args_object(const Args *a, const char *option)
{
  const Use *u = use_of(a, option, 0);
  return u ? u->value : NULL;
}

static bool is_file(Tcl_Obj *word) { return access(Tcl_GetString(word), F_OK) == 0; }

/* Names may have blanks. A word that is no file is a list if one of its elements is a file. */
static bool is_list_of_files(Tcl_Obj *word)
{
  Tcl_Obj **elements;
  int count;
  if (is_file(word) || Tcl_ListObjGetElements(NULL, word, &count, &elements) != TCL_OK)
    return false;
  for (int i = 0; i < count; i++)
    if (is_file(elements[i])) return true;
  return false;
}

Tcl_Obj *args_files(const Args *a, const char *option)
{
  Tcl_Obj *files = Tcl_NewListObj(0, NULL), **words;
  int count = 0;
  Tcl_IncrRefCount(files);
  Tcl_ListObjGetElements(NULL, args_object(a, option), &count, &words);
  for (int i = 0; i < count; i++)
    if (is_list_of_files(words[i])) Tcl_ListObjAppendList(NULL, files, words[i]);
    else Tcl_ListObjAppendElement(NULL, files, words[i]);
  return files;
}

uint32_t args_count(const Args *a, const char *option)
{
  uint32_t count = 0;
  while (use_of(a, option, count)) count++;
  return count;
}

const Object *args_objects(const Args *a, const char *option, uint32_t use, uint32_t *count)
{
  const Use *u = use_of(a, option, use);
  *count = u ? u->objects.len : 0;
  return u ? u->objects.at : NULL;
}

static bool is_among(const char *names, const char *name)
{
  size_t length = strlen(name);
  while (*names) {
    size_t n = strcspn(names, ",");
    if (n == length && strncmp(names, name, n) == 0) return true;
    names += n + (names[n] == ',');
  }
  return false;
}

bool args_next_of(const Args *a, const char *names, uint32_t *position, const char **name,
                  uint32_t *use)
{
  for (uint32_t i = *position; i < a->uses.len; i++) {
    const Use *u = &a->uses.at[i];
    if (u->dropped || !is_among(names, u->option->name)) continue;
    *use = 0;
    for (uint32_t j = 0; j < i; j++)
      *use += !a->uses.at[j].dropped && a->uses.at[j].option == u->option;
    *name = u->option->name;
    *position = i + 1;
    return true;
  }
  return false;
}

const char *args_command(const Args *a) { return a->command->name; }
Where args_where(const Args *a) { return console_where(a->console); }

/* --- results of a command --------------------------------------------------------------------- */

void args_write(Args *a, const char *text, size_t length)
{
  if (a->redirect) fwrite(text, 1, length, a->redirect);
  else if (a->buffered) text_add(&a->buffer, text, length);
  else console_write(a->console, text, length);
}

void args_print(Args *a, const char *format, ...)
{
  Text t = { 0 };
  va_list args;
  va_start(args, format);
  text_vprintf(&t, format, args);
  va_end(args);
  args_write(a, text_get(&t), t.len);
  text_free(&t);
}

void args_flush(Args *a)
{
  if (a->redirect) fflush(a->redirect);
  else if (!a->buffered) console_flush(a->console);
}

void args_return(Args *a, Tcl_Obj *result)
{
  Tcl_IncrRefCount(result);
  if (a->result) Tcl_DecrRefCount(a->result);
  a->result = result;
}

void args_return_objects(Args *a, const Object *objects, uint32_t count)
{
  args_return(a, collection_value(a->console->session, objects, count));
}

void args_return_number(Args *a, double value) { args_return(a, Tcl_NewDoubleObj(value)); }
void args_return_text(Args *a, const char *text) { args_return(a, Tcl_NewStringObj(text, -1)); }
