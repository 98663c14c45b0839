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

static bool is_positional(const Option *option) { return option->name[0] != '-'; }

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
  for (const Option *option = command->options; option && option->name; option++) {
    if (is_positional(option) || strncmp(option->name, word, length) != 0) continue;
    if (option->name[length] == '\0') return option;
    if (option->flags & OPT_HIDDEN) continue;
    *problem = found ? "ambiguous" : "unknown";
    found = option;
  }
  return strcmp(*problem, "ambiguous") == 0 ? NULL : found;
}

static bool is_option_name(const Command *command, const char *word)
{
  for (const Option *option = command->options; option && option->name; option++)
    if (!is_positional(option) && strcmp(option->name, word) == 0) return true;
  return false;
}

/* "did you mean", or the options that an ambiguous prefix may stand for. */
static void add_suggestion(Text *text, const Command *command, const char *word, bool ambiguous)
{
  enum { MOST = 128 };
  const char *names[MOST];
  uint32_t count = 0;
  size_t length = strlen(word);
  for (const Option *option = command->options; option && option->name && count < MOST; option++)
    if (!is_positional(option) && !(option->flags & OPT_HIDDEN)
        && (!ambiguous || strncmp(option->name, word, length) == 0))
      names[count++] = option->name;
  if (!ambiguous) {
    text_add_nearest(text, word, names, count);
    return;
  }
  for (uint32_t i = 0; i < count; i++)
    text_printf(text, "%s%s", i == 0 ? ": " : i + 1 == count ? " or " : ", ", names[i]);
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

static bool in_range(const Option *option, double n)
{
  return option->least == option->most || (n >= option->least && n <= option->most);
}

/* "-digits takes a whole number from 0 to 15, not 'x'" */
static Status bad_number(Args *a, const Use *use, const char *kind)
{
  const Option *option = use->option;
  Text range = { 0 };
  double number;
  bool too_large = Tcl_GetDoubleFromObj(NULL, use->value, &number) == TCL_OK && number > INT_MAX;
  if (option->most == INT_MAX && too_large)
    text_printf(&range, " from %g to %d", option->least, INT_MAX);
  else if (option->most == INT_MAX) text_printf(&range, " of at least %g", option->least);
  else if (option->least < option->most)
    text_printf(&range, " from %g to %g", option->least, option->most);
  log_error(a->console->session->log, "CMD-006", NOWHERE, "%s: %s takes a %s%s, not '%.60s'",
            a->command->name, option->name, kind, text_get(&range), Tcl_GetString(use->value));
  text_free(&range);
  return FAILED;
}

static Status check_number(Args *a, Use *use)
{
  if (Tcl_GetDoubleFromObj(NULL, use->value, &use->number) != TCL_OK || isnan(use->number)
      || !in_range(use->option, use->number))
    return bad_number(a, use, "number");
  if (has_unit(use->option->type))
    use->number *= a->console->session->units.scale[unit_of(use->option->type)];
  return OK;
}

static Status check_int(Args *a, Use *use)
{
  int n;
  if (Tcl_GetIntFromObj(NULL, use->value, &n) != TCL_OK || !in_range(use->option, n))
    return bad_number(a, use, "whole number");
  use->number = n;
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

static Status check_enum(Args *a, Use *use)
{
  int index = enum_index(use->option->value, Tcl_GetString(use->value));
  if (index < 0)
    return usage_error(a, "CMD-007", "%s is one of %s, not '%.60s'", use->option->name,
                       use->option->value, Tcl_GetString(use->value));
  use->number = index;
  return OK;
}

static Status check_list(Args *a, Use *use)
{
  int length;
  collection_settle(use->value);
  bool list = Tcl_ListObjLength(NULL, use->value, &length) == TCL_OK;
  if (list && (length || (use->option->flags & (OPT_PATTERNS | OPT_FEWER)))) return OK;
  if (list)
    return log_error(a->console->session->log, "CMD-022", NOWHERE, "%s: %s is empty",
                     a->command->name, use->option->name);
  return usage_error(a, "CMD-008", "%s takes a list; '%.60s' is none", use->option->name,
                     Tcl_GetString(use->value));
}

static void take_names_apart(Use *use)
{
  Tcl_Obj *list = use->option->flags & OPT_NAMES ? names_apart(use->value) : NULL;
  if (list == NULL) return;
  Tcl_DecrRefCount(use->value);
  use->value = list;
}

static Status check_value(Args *a, Use *use)
{
  take_names_apart(use);
  switch (use->option->type) {
    case ARG_INT: return check_int(a, use);
    case ARG_FLOAT: case ARG_TIME: case ARG_CAP: case ARG_RES: return check_number(a, use);
    case ARG_ENUM: return check_enum(a, use);
    case ARG_LIST: return check_list(a, use);
    case ARG_FILE:
      if (*Tcl_GetString(use->value)) return OK;
      return usage_error(a, "CMD-003", "%s takes the name of a file, not an empty one",
                         use->option->name);
    default: return OK;
  }
}

/* --- words to uses ---------------------------------------------------------------------------- */

static Status add_use(Args *a, const Option *option, Tcl_Obj *value)
{
  if (!(option->flags & OPT_REPEAT)) {
    for (uint32_t i = 0; i < a->uses.len; i++) {
      Use *use = &a->uses.at[i];
      if (use->option != option || use->dropped) continue;
      use->dropped = true;
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

static const Option *next_positional(const Option *option)
{
  while (option && option->name && !is_positional(option)) option++;
  return option && option->name ? option : NULL;
}

/* The words without a dash go to the positional rows in order; the last row may take all that is
   left. */
static Status place_words(Args *a, int count, Tcl_Obj *const words[])
{
  const Option *option = next_positional(a->command->options);
  for (int i = 0; i < count; i++) {
    if (option == NULL)
      return usage_error(a, "CMD-005", "'%.60s' is one word too many", Tcl_GetString(words[i]));
    if (option->flags & OPT_REST)
      return add_use(a, option,
                     count - i == 1 && option->type == ARG_OBJECTS
                         ? words[i]
                         : Tcl_NewListObj(count - i, words + i));
    add_use(a, option, words[i]);
    option = next_positional(option + 1);
  }
  return OK;
}

static int positional_count(const Command *command)
{
  int count = 0;
  for (const Option *option = next_positional(command->options); option;
       option = next_positional(option + 1))
    count++;
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
  Use *use = &a->uses.at[maybe.use];
  use->value = plain[maybe.at];
  Tcl_IncrRefCount(use->value);
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
  for (const Option *option = a->command->options; option && option->name; option++)
    if ((option->flags & OPT_REQUIRED) && !args_given(a, option->name))
      return usage_error(a, "CMD-004", "%s is missing", option->name);
  return OK;
}

/* --- objects ---------------------------------------------------------------------------------- */

enum { LIBRARY_KINDS = OBJ_BIT(OBJ_LIB) | OBJ_BIT(OBJ_LIB_CELL) | OBJ_BIT(OBJ_LIB_PIN) };

/* Only constraints that name clocks in groups may lack one of their lists. */
static bool may_be_empty(const Option *option)
{
  return (option->flags & (OPT_PATTERNS | OPT_FEWER))
         || ((option->flags & OPT_REPEAT) && option->kinds == OBJ_BIT(OBJ_CLOCK));
}

static Status nothing_left(Args *a, const Use *use, uint32_t missing)
{
  Session *s = a->console->session;
  if (may_be_empty(use->option)) return OK;
  if (a->command->flags & CMD_SDC) {
    a->ignore = true;
    log_warning(s->log, "CMD-021", console_where(a->console),
                "%s: %s names nothing; the command is ignored", a->command->name,
                use->option->name);
    return OK;
  }
  if (missing)
    return log_error(s->log, "CMD-022", NOWHERE, "%s: %s: '%s' matches nothing", a->command->name,
                     use->option->name, Tcl_GetString(use->value));
  return log_error(s->log, "CMD-022", NOWHERE, "%s: %s is empty", a->command->name,
                   use->option->name);
}

/* One name that is nobody's is an error of commands that are no constraints: no need to warn of it
   too. */
static bool error_will_say_it(const Args *a, const Use *use)
{
  int length;
  if ((a->command->flags & CMD_SDC) || (use->option->flags & OPT_FEWER)
      || value_is_collection(use->value))
    return false;
  return Tcl_ListObjLength(NULL, use->value, &length) != TCL_OK || length == 1;
}

static Status resolve_use(Args *a, Use *use, unsigned kinds)
{
  Session *s = a->console->session;
  uint32_t missing;
  bool quiet = (use->option->flags & OPT_PATTERNS) != 0 || error_will_say_it(a, use)
               || ((use->option->flags & OPT_FEWER) && args_flag(a, "-quiet"));
  Resolve r = { kinds, a->command->name, use->option->name, console_where(a->console), quiet };
  if (s->netlist == NULL && !(kinds & LIBRARY_KINDS))
    return log_error(s->log, "CMD-009", NOWHERE, "%s: no design is linked", a->command->name);
  if (objects_resolve(s, &r, use->value, &use->objects, &missing) != OK) return FAILED;
  if (interrupt_seen()) return FAILED;      /* some may be missing */
  return use->objects.len ? OK : nothing_left(a, use, missing);
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
    Use *use = &a->uses.at[i];
    bool now =
        !use->dropped && use->option->type == ARG_OBJECTS && !(use->option->flags & OPT_LATE);
    if (now && resolve_use(a, use, use->option->kinds) != OK) return FAILED;
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
    Use *use = &a->uses.at[i];
    if (!use->dropped && strcmp(use->option->name, option) == 0) return resolve_use(a, use, kinds);
  }
  return OK;
}

/* --- arguments of a command ------------------------------------------------------------------- */

static const Use *use_of(const Args *a, const char *option, uint32_t nth)
{
  for (uint32_t i = 0; i < a->uses.len; i++) {
    const Use *use = &a->uses.at[i];
    if (!use->dropped && strcmp(use->option->name, option) == 0 && nth-- == 0) return use;
  }
  return NULL;
}

static const Option *row_of(const Args *a, const char *option)
{
  for (const Option *the_option = a->command->options; the_option && the_option->name; the_option++)
    if (strcmp(the_option->name, option) == 0) return the_option;
  return NULL;
}

static const char *preset_of(const Args *a, const char *option)
{
  const Option *the_option = row_of(a, option);
  return the_option ? the_option->preset : NULL;
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
  const Use *use = use_of(a, option, 0);
  if (use) return use->number;
  const Option *the_option = row_of(a, option);
  if (the_option == NULL || the_option->preset == NULL) return NAN;
  const char *end;
  double value = text_number(the_option->preset, &end);
  return has_unit(the_option->type)
             ? value * a->console->session->units.scale[unit_of(the_option->type)]
             : value;
}

int args_int(const Args *a, const char *option)
{
  double value = args_number(a, option);
  return isnan(value) ? 0 : (int)value;
}

/* An object given for a text gives its name. */
const char *args_text(const Args *a, const char *option)
{
  Use *use = (Use *)use_of(a, option, 0);
  Object o;
  if (use == NULL || use->value == NULL) return preset_of(a, option);
  if (use->name == NULL && object_of_value(a->console->session, use->value, &o) == VALUE_OBJECT) {
    Text t = { 0 };
    object_name(a->console->session, o, &t);
    use->name = Tcl_NewStringObj(text_get(&t), (int)t.len);
    Tcl_IncrRefCount(use->name);
    text_free(&t);
  }
  return Tcl_GetString(use->name ? use->name : use->value);
}

int args_enum(const Args *a, const char *option)
{
  const Use *use = use_of(a, option, 0);
  if (use) return (int)use->number;
  const Option *the_option = row_of(a, option);
  return the_option && the_option->preset ? enum_index(the_option->value, the_option->preset) : -1;
}

Tcl_Obj *args_object(const Args *a, const char *option)
{
  const Use *use = use_of(a, option, 0);
  return use ? use->value : NULL;
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
  const Use *the_use = use_of(a, option, use);
  *count = the_use ? the_use->objects.len : 0;
  return the_use ? the_use->objects.at : NULL;
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
    const Use *the_use = &a->uses.at[i];
    if (the_use->dropped || !is_among(names, the_use->option->name)) continue;
    *use = 0;
    for (uint32_t j = 0; j < i; j++)
      *use += !a->uses.at[j].dropped && a->uses.at[j].option == the_use->option;
    *name = the_use->option->name;
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
