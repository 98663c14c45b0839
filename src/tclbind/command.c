/* Registers the commands, finds rows by name or prefix, opens redirections, runs a command, and
   turns errors of the log into Tcl errors. */
#include <errno.h>
#include <string.h>

#include "base/interrupt.h"
#include "tclbind/args.h"
#include "tclbind/change.h"
#include "tclbind/object_value.h"
#include "tclbind/paths.h"
#include "tclbind/recovery.h"
#include "tclbind/scenarios.h"

/* --- finding ---------------------------------------------------------------------------------- */

void commands_each(const Session *s, bool hidden, void (*visit)(void *, const Command *),
                   void *data)
{
  for (const Command *const *table = s->rows.commands; *table; table++)
    for (const Command *command = *table; command->name; command++)
      if (hidden || !(command->flags & CMD_HIDDEN)) visit(data, command);
}

void args_set_code(Args *a, int code) { a->code = code; }

typedef struct {
  const char    *name;
  size_t         length;
  const Command *exact, *near;
  uint32_t       near_count;
} Finding;

static void compare_name(void *data, const Command *command)
{
  Finding *finding = data;
  if (strncmp(command->name, finding->name, finding->length) != 0) return;
  if (command->name[finding->length] == '\0') finding->exact = command;
  if (command->flags & CMD_HIDDEN) return;
  finding->near = command;
  finding->near_count++;
}

const Command *command_find(const Session *s, const char *name, bool prefix)
{
  Finding f = { name, strlen(name), NULL, NULL, 0 };
  commands_each(s, true, compare_name, &f);
  if (f.exact) return f.exact;
  return prefix && f.length && f.near_count == 1 ? f.near : NULL;
}

/* --- redirection: > file and >> file as the last words ---------------------------------------- */

typedef struct {
  const char *file, *mode;
  int         words;         /* how many it took */
} Redirection;

/* The names of a collection are not made just to see that it is no redirection. */
static const char *text_of(Tcl_Obj *word)
{
  return word->bytes || !value_is_several(word) ? Tcl_GetString(word) : "";
}

static Redirection find_redirection(int count, Tcl_Obj *const words[])
{
  Redirection none = { NULL, NULL, 0 };
  if (count < 1) return none;
  const char *last = text_of(words[count - 1]),
             *before = count > 1 ? text_of(words[count - 2]) : "";
  if (strcmp(before, ">") == 0) return (Redirection){ last, "w", 2 };
  if (strcmp(before, ">>") == 0) return (Redirection){ last, "a", 2 };
  if (strncmp(last, ">>", 2) == 0 && last[2]) return (Redirection){ last + 2, "a", 1 };
  if (last[0] == '>' && last[1] && last[1] != '>') return (Redirection){ last + 1, "w", 1 };
  return none;
}

static bool lacks_file(int count, Tcl_Obj *const words[])
{
  const char *last = count > 0 ? text_of(words[count - 1]) : "";
  return strcmp(last, ">") == 0 || strcmp(last, ">>") == 0;
}

/* Returns true if the words end with > file.  A command without output would take these two words
   as names. */
static bool is_redirected(int count, Tcl_Obj *const words[])
{
  const char *before = count > 1 ? text_of(words[count - 2]) : "";
  return strcmp(before, ">") == 0 || strcmp(before, ">>") == 0;
}

/* The output goes to a file only if the command's words are correct.  The finished file replaces
   the old one when the command ends; output of a script appears at once. */
static Status open_redirection(Args *a, Redirection r)
{
  if (r.file == NULL) return OK;
  bool replaces = *r.mode == 'w' && !(a->command->flags & CMD_SCRIPTS);
  a->redirect = fopen(replaces ? replace_begin(&a->replacement, r.file) : r.file, r.mode);
  if (a->redirect) return OK;
  replace_end(&a->replacement, false);
  return log_error(a->console->session->log, "SHELL-002", (Where){ r.file, 0, 0 },
                   "cannot write the file: %s", strerror(errno));
}

static Status close_redirection(Args *a)
{
  if (a->redirect == NULL) return OK;
  bool bad = ferror(a->redirect) != 0;
  bad |= fclose(a->redirect) != 0;
  a->redirect = NULL;
  bad |= !replace_end(&a->replacement, !interrupt_seen());
  return bad ? log_error(a->console->session->log, "SHELL-002", NOWHERE,
                         "writing the output of %s failed: %s", a->command->name, strerror(errno))
             : OK;
}

/* --- running ---------------------------------------------------------------------------------- */

/* "... [SPEF-003]" -> SPEF-003 */
static void set_error_code(Tcl_Interp *interp, const char *line, bool usage)
{
  const char *open = strrchr(line, '[');
  size_t n = open ? strcspn(open + 1, "]") : 0;
  char code[32] = "NONE";
  if (n && n < sizeof code) snprintf(code, sizeof code, "%.*s", (int)n, open + 1);
  Tcl_SetErrorCode(interp, "SLACKLINE", code, usage ? "USAGE" : "FAILED", (char *)NULL);
}

/* The log's first error becomes the result of the command.  An error with its own file and line
   keeps them. */
int command_failure(Console *console, bool usage)
{
  const char *line = log_take_error(console->session->log);
  if (interrupt_seen()) {
    Tcl_SetObjResult(console->interp, Tcl_NewStringObj("interrupted", -1));
    Tcl_SetErrorCode(console->interp, "SLACKLINE", "INTERRUPT", (char *)NULL);
    return TCL_ERROR;
  }
  if (line == NULL) {
    const char *result = Tcl_GetString(Tcl_GetObjResult(console->interp));
    if (*result) return TCL_ERROR;      /* a script within the command failed and has said why */
    line = "error: the command failed";
  }
  bool located = strncmp(line, "error: ", 7) != 0;
  if (located) {
    text_clear(&console->located);
    text_put(&console->located, line);
    text_clear(&console->trace);
  }
  set_error_code(console->interp, line, usage);
  Tcl_SetObjResult(console->interp, Tcl_NewStringObj(located ? line : line + 7, -1));
  return TCL_ERROR;
}

static Status show_help(Args *a)
{
  Text t = { 0 };
  command_help(a->command, &t);
  args_write(a, text_get(&t), t.len);
  text_free(&t);
  return OK;
}

/* Removing constraints changes their store.  If none of them existed, nothing changes. */
static Status run_forgetting(Args *a)
{
  Session *s = a->console->session;
  uint64_t version = s->constraints->version;
  uint32_t warnings = log_total(s->log, SEVERITY_WARNING);
  if (a->command->run(s, a) != OK) return FAILED;
  bool warned = log_total(s->log, SEVERITY_WARNING) > warnings;
  bool changed = version != s->constraints->version;
  if (!warned && !changed && !interrupt_seen())
    log_warning(s->log, "SDC-170", args_where(a),
                "%s: nothing of that kind was said in these words, so nothing is forgotten",
                a->command->name);
  return OK;
}

static bool asks_for_help(int count, Tcl_Obj *const words[])
{
  return count == 1 && strcmp(text_of(words[0]), "-help") == 0;
}

static Status run_parsed(Args *a)
{
  Session *s = a->console->session;
  if (a->command->flags & (CMD_EACH_SCENARIO | CMD_IN_SCENARIO)) return scenarios_run(s, a);
  return a->command->flags & CMD_FORGETS ? run_forgetting(a) : a->command->run(s, a);
}

static Status run_whole(Args *a)
{
  Change change;
  Session *s = a->console->session;
  if (change_begin(&change, s, a) != OK) return FAILED;
  Status status = run_parsed(a);
  a->done = change_end(&change, s, a, status);
  return status;
}

static Status run_command(Args *a, int count, Tcl_Obj *const words[], bool *usage)
{
  *usage = false;
  Redirection r = { NULL, NULL, 0 };
  if (a->command->flags & CMD_REDIRECT) {
    r = find_redirection(count, words);
    *usage = r.file == NULL && lacks_file(count, words);
    if (*usage)
      return log_error(a->console->session->log, "CMD-003", NOWHERE,
                       "%s: %s needs the name of a file after it", a->command->name,
                       text_of(words[count - 1]));
  }
  if (!(a->command->flags & CMD_REDIRECT) && is_redirected(count, words)) {
    *usage = true;
    return log_error(a->console->session->log, "CMD-071", NOWHERE,
                     "%s: it writes nothing that '%s' could take", a->command->name,
                     text_of(words[count - 2]));
  }
  count -= r.words;
  if (asks_for_help(count, words)) return open_redirection(a, r) == OK ? show_help(a) : FAILED;
  if (args_parse(a, count, words, usage) != OK || open_redirection(a, r) != OK) return FAILED;
  *usage = false;
  return a->ignore ? OK : run_whole(a);
}

/* Returns true if the command evaluates a script, which an error may have ended half-way. */
static bool has_body(const Command *command)
{
  for (const Option *option = command->options; option && option->name; option++)
    if (option->type == ARG_SCRIPT) return true;
  return false;
}

static int dispatch(ClientData data, Tcl_Interp *interp, int count, Tcl_Obj *const words[])
{
  Console *console = Tcl_GetAssocData(interp, "slackline", NULL);
  Args a = { .console = console, .command = data };
  bool usage;
  a.code = TCL_OK;
  a.buffered = console->page && console->sinks.len == 0
               && (a.command->flags & (CMD_REDIRECT | CMD_LIVE)) == CMD_REDIRECT;
  log_take_error(console->session->log);
  Tcl_ResetResult(interp);
  WordState state = recovery_words(console, a.command, count - 1, words + 1);
  Status status = state == WORDS_FAILED ? FAILED : OK;
  usage = false;
  if (state == WORDS_GOOD) status = run_command(&a, count - 1, words + 1, &usage);
  if (a.buffered && !interrupt_seen()) console->page(console, text_get(&a.buffer), a.buffer.len);
  if (close_redirection(&a) != OK) status = FAILED;
  if (a.done && interrupt_seen()) console->done = a.command;
  int code = TCL_OK;
  if (a.code != TCL_OK) code = a.code;
  else if (status != OK || (interrupt_seen() && !a.done)) code = command_failure(console, usage);
  else if (state == WORDS_SKIPPED) Tcl_SetObjResult(interp, recovery_value(console));
  else if (a.result) Tcl_SetObjResult(interp, a.result);
  else Tcl_ResetResult(interp);
  if (code == TCL_ERROR && recovery_passes(console, a.command)) {
    console->cut += a.code == TCL_ERROR && has_body(a.command);
    Tcl_SetObjResult(interp, recovery_value(console));
    code = TCL_OK;
  }
  args_clear(&a);
  path_store_sweep(console->session);
  return code;
}

static void register_one(void *data, const Command *command)
{
  Console *console = data;
  Tcl_CreateObjCommand(console->interp, command->name, dispatch, (ClientData)command, NULL);
}

void commands_register(Console *console)
{
  Tcl_SetAssocData(console->interp, "slackline", NULL, console);
  commands_each(console->session, true, register_one, console);
}
