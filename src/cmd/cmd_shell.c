/* Commands of the shell: scripts, output, logs, help. */
#include <errno.h>
#include <string.h>
#include <sys/resource.h>

#include "base/clock.h"
#include "base/interrupt.h"
#include "base/memory.h"
#include "tclbind/console.h"
#include "tclbind/tell_contradiction.h"
#include "tclbind/manual.h"
#include "tclbind/object_value.h"
#include "tclbind/recovery.h"

/* --- source, include -------------------------------------------------------------------------- */

static const Option source_options[] = {
  { "-echo", ARG_FLAG, .help = "show each command" },
  { "-verbose", ARG_FLAG, .help = "show each command's result" },
  { "-stop_on_error", ARG_FLAG,
    .help = "end the script at the first error, also at that of a constraint command" },
  { "-encoding", ARG_TEXT, .value = "name", .flags = OPT_HIDDEN },
  { "file", ARG_FILE, .flags = OPT_REQUIRED, .help = "Tcl script, plain or gzip" }, { 0 } };

/* The output of the script goes where the command's own output goes. */
static Status run_script(Session *s, Args *a, unsigned flags)
{
  Console *console = console_of(s);
  args_set_code(a, script_file(console, args_text(a, "file"), flags));
  args_return(a, Tcl_GetObjResult(console->interp));
  return OK;
}

static unsigned script_flags(const Args *a)
{
  return SCRIPT_SOURCED | (args_flag(a, "-echo") ? SCRIPT_ECHO : 0)
         | (args_flag(a, "-verbose") ? SCRIPT_VERBOSE : 0)
         | (args_flag(a, "-stop_on_error") ? SCRIPT_STOP : 0);
}

static Status run_source(Session *s, Args *a) { return run_script(s, a, script_flags(a)); }

static const Option include_options[] = {
  { "-echo", ARG_FLAG, .help = "show each command" },
  { "-verbose", ARG_FLAG, .help = "show each command's result" },
  { "-stop_on_error", ARG_FLAG,
    .help = "end the script at the first error, also at that of a constraint command" },
  { "file", ARG_FILE, .flags = OPT_REQUIRED, .help = "Tcl script, plain or gzip" }, { 0 } };

static Status run_include(Session *s, Args *a)
{
  Console *console = console_of(s);
  Text output = { 0 };
  console_push(console, (Sink){ .text = &output });
  Status status = run_script(s, a, script_flags(a) | SCRIPT_GLOBAL);
  console_pop(console);
  args_write(a, text_get(&output), output.len);
  text_free(&output);
  return status;
}

static Status cannot_write(Session *s, const char *path)
{
  return log_error(s->log, "SHELL-002", (Where){ path, 0, 0 }, "cannot write the file: %s",
                   strerror(errno));
}

/* --- with_output_to_variable, redirect -------------------------------------------------------- */

static int evaluate(Console *console, Tcl_Obj *script, Sink sink)
{
  console_push(console, sink);
  int code = Tcl_EvalObjEx(console->interp, script, 0);
  console_pop(console);
  return code;
}

static const Option capture_options[] = {
  { "variable", ARG_TEXT, .flags = OPT_REQUIRED, .help = "variable that gets the output" },
  { "script", ARG_SCRIPT, .flags = OPT_REQUIRED, .help = "commands" }, { 0 } };

/* Returns the length of a variable's value. */
static size_t variable_length(Console *console, Tcl_Obj *variable)
{
  int length = 0;
  Tcl_Obj *value = Tcl_ObjGetVar2(console->interp, variable, NULL, 0);
  if (value) Tcl_GetStringFromObj(value, &length);
  return (size_t)length;
}

/* Evaluates a script, its output into a variable.  The script's result stays the command's unless
   the variable cannot be set. */
static Status capture(Session *s, Args *a, Tcl_Obj *variable, int flags)
{
  Console *console = console_of(s);
  Tcl_Obj *output = Tcl_NewObj();
  bool full = false;
  int length;
  Tcl_IncrRefCount(output);
  int code = evaluate(console, args_object(a, "script"), (Sink){ .value = output, .full = &full });
  Tcl_Obj *result = Tcl_GetObjResult(console->interp);
  Tcl_IncrRefCount(result);
  Tcl_GetStringFromObj(output, &length);
  if (flags & TCL_APPEND_VALUE)
    full |= variable_length(console, variable) + (size_t)length >= INT_MAX;
  bool set =
      !full
      && Tcl_ObjSetVar2(console->interp, variable, NULL, output, flags | TCL_LEAVE_ERR_MSG) != NULL;
  if (set) Tcl_SetObjResult(console->interp, result);
  Tcl_DecrRefCount(result);
  Tcl_DecrRefCount(output);
  if (full)
    return log_error(s->log, "SHELL-005", args_where(a),
                     "the output is larger than a variable can be, 2 GB; redirect it to a file");
  args_set_code(a, set ? code : TCL_ERROR);
  args_return(a, Tcl_GetObjResult(console->interp));
  return OK;
}

static Status run_capture(Session *s, Args *a)
{
  return capture(s, a, args_object(a, "variable"), 0);
}

static const Option redirect_options[] = {
  { "-append", ARG_FLAG, .help = "add to the file" },
  { "-variable", ARG_FLAG, .help = "the target is a variable" },
  { "target", ARG_TEXT, .flags = OPT_REQUIRED, .help = "file, or with -variable a variable" },
  { "script", ARG_SCRIPT, .flags = OPT_REQUIRED, .help = "commands" }, { 0 } };

static Status redirect_to_file(Session *s, Args *a)
{
  Console *console = console_of(s);
  const char *path = args_text(a, "target");
  FILE *f = fopen(path, args_flag(a, "-append") ? "a" : "w");
  if (f == NULL) return cannot_write(s, path);
  int code = evaluate(console, args_object(a, "script"), (Sink){ .file = f });
  bool bad = ferror(f) != 0;
  bad |= fclose(f) != 0;
  if (bad) return cannot_write(s, path);
  args_set_code(a, code);
  args_return(a, Tcl_GetObjResult(console->interp));
  return OK;
}

static Status run_redirect(Session *s, Args *a)
{
  if (!args_flag(a, "-variable")) return redirect_to_file(s, a);
  return capture(s, a, args_object(a, "target"), args_flag(a, "-append") ? TCL_APPEND_VALUE : 0);
}

/* --- logs ------------------------------------------------------------------------------------- */

static const Option file_options[] = {
  { "file", ARG_FILE, .flags = OPT_REQUIRED, .help = "file to write" }, { 0 } };

static Status open_log(Session *s, Args *a, FILE **log)
{
  const char *path = args_text(a, "file");
  FILE *f = fopen(path, "w");
  if (f == NULL) return cannot_write(s, path);
  if (*log) fclose(*log);
  *log = f;
  return OK;
}

static void close_log(FILE **log)
{
  if (*log) fclose(*log);
  *log = NULL;
}

static Status run_log_begin(Session *s, Args *a)
{
  return open_log(s, a, &console_of(s)->log_file);
}
static Status run_record_begin(Session *s, Args *a)
{
  return open_log(s, a, &console_of(s)->command_log);
}

static Status run_log_end(Session *s, Args *a)
{
  (void)a;
  close_log(&console_of(s)->log_file);
  return OK;
}

static Status run_record_end(Session *s, Args *a)
{
  (void)a;
  close_log(&console_of(s)->command_log);
  return OK;
}

/* --- time, memory, messages ------------------------------------------------------------------- */

static Status run_elapsed(Session *s, Args *a)
{
  args_return_number(a, clock_seconds() - console_of(s)->started);
  return OK;
}

static Status run_user_time(Session *s, Args *a)
{
  (void)s;
  struct rusage use;
  getrusage(RUSAGE_SELF, &use);
  args_return_number(a, (double)use.ru_utime.tv_sec + (double)use.ru_utime.tv_usec * 1e-6);
  return OK;
}

static const Option message_options[] = { { "codes", ARG_LIST, .flags = OPT_REQUIRED | OPT_REST,
                                            .help = "numbers of messages, such as SPEF-012" },
                                          { 0 } };

static Status check_code(Session *s, const char *code)
{
  if (manual_is_code(code)) return OK;
  return log_error(s->log, "CMD-074", NOWHERE, "'%s' is no number of a message, expected one such "
  "as SPEF-012", code);
}

/* The words may be lists. */
static Status each_code(Session *s, Args *a, void (*visit)(Session *s, Args *a, const char *code),
int *all)
{
  int count = 0, inner_count;
  Tcl_Obj **words = NULL, **inner, *codes = args_object(a, "codes");
  *all = 0;
  if (codes) Tcl_ListObjGetElements(NULL, codes, &count, &words);
  for (int i = 0; i < count; i++) {
    if (Tcl_ListObjGetElements(NULL, words[i], &inner_count, &inner) != TCL_OK) continue;
    for (int k = 0; k < inner_count; k++) {
      if (check_code(s, Tcl_GetString(inner[k])) != OK) return FAILED;
      visit(s, a, Tcl_GetString(inner[k]));
    }
    *all += inner_count;
  }
  return OK;
}

static void suppress_one(Session *s, Args *a, const char *code)
{
  (void)a;
  log_suppress(s->log, code, true);
}

static void unsuppress_one(Session *s, Args *a, const char *code)
{
  (void)a;
  log_suppress(s->log, code, false);
}

static Status no_code(Session *s)
{
  return log_error(s->log, "CMD-074", NOWHERE, "no number of a message is given, expected one "
  "such as SPEF-012");
}

static Status suppress(Session *s, Args *a, bool on)
{
  int all;
  if (each_code(s, a, on ? suppress_one : unsuppress_one, &all) != OK) return FAILED;
  return all ? OK : no_code(s);
}

static Status run_suppress(Session *s, Args *a) { return suppress(s, a, true); }
static Status run_unsuppress(Session *s, Args *a) { return suppress(s, a, false); }

static void print_code(void *data, const char *code, uint32_t count)
{
  args_print(data, "%-12s %8u\n", code, count);
}
static void print_line(void *data, const char *line) { args_print(data, "%s\n", line); }

static void print_lines(Session *s, Args *a, const char *code)
{
  uint32_t count = log_count(s->log, code);
  if (count == 0) args_print(a, "no message %s came\n", code);
  log_each_line(s->log, code, print_line, a);
  if (count > LOG_KEPT) args_print(a, "%u more %s, which were not kept\n", count - LOG_KEPT, code);
}

typedef struct {
  Session *s;
  Args    *a;
} Listing;

static void list_code(void *data, const char *code, uint32_t count)
{
  const Listing *listing = data;
  (void)count;
  print_lines(listing->s, listing->a, code);
}

static Status run_report_messages(Session *s, Args *a)
{
  int named;
  contradictions_tell(s);
  if (each_code(s, a, print_lines, &named) != OK) return FAILED;
  if (named == 0 && args_given(a, "codes")) return no_code(s);
  if (args_flag(a, "-list")) log_each_code(s->log, list_code, &(Listing){ s, a });
  else if (named == 0) log_each_code(s->log, print_code, a);
  return OK;
}

static const Option report_messages_options[] = {
  { "-list", ARG_FLAG, .help = "the messages themselves, of all numbers" },
  { "codes", ARG_LIST, .flags = OPT_REST, .help = "the messages of these numbers, such as "
    "SPEF-012" }, { 0 } };

static const Option warning_options[] = {
  { "code", ARG_TEXT, .flags = OPT_REQUIRED, .help = "number of the message" },
  { "text", ARG_TEXT, .flags = OPT_REQUIRED, .help = "what to say" }, { 0 } };

static Status run_warning(Session *s, Args *a)
{
  log_warning(s->log, args_text(a, "code"), args_where(a), "%s", args_text(a, "text"));
  return OK;
}

static Status run_error(Session *s, Args *a)
{
  return log_error(s->log, args_text(a, "code"), NOWHERE, "%s", args_text(a, "text"));
}

static const Option whole_options[] = {
  { "script", ARG_TEXT, .flags = OPT_REQUIRED, .help = "commands" }, { 0 } };

static Status run_evaluate_whole(Session *s, Args *a)
{
  Console *console = console_of(s);
  args_set_code(a, recovery_evaluate_whole(console, args_object(a, "script")));
  args_return(a, Tcl_GetObjResult(console->interp));
  return OK;
}

static const Option variable_options[] = {
  { "name", ARG_TEXT, .flags = OPT_REQUIRED, .help = "name of the variable" }, { 0 } };

static Status run_no_effect(Session *s, Args *a)
{
  log_warning(s->log, "CMD-056", args_where(a), "the variable %s has no effect here",
              args_text(a, "name"));
  return OK;
}

/* --- help, man -------------------------------------------------------------------------------- */

static const Option help_options[] = {
  { "-verbose", ARG_FLAG, .help = "show the usage of each command instead of a summary" },
  { "pattern", ARG_TEXT, .help = "commands whose names match; default: list commands by group" },
  { 0 }
};

typedef struct {
  Args       *a;
  const char *pattern, *group;
  bool        verbose;
  uint32_t    shown;
  bool        first_of_group;
} Help;

static void help_one(void *data, const Command *command)
{
  Help *help = data;
  if (help->pattern && !text_glob(help->pattern, command->name, true, false)) return;
  if (help->group && strcmp(help->group, command->group) != 0) return;
  help->shown++;
  Text t = { 0 };
  if (help->verbose) command_usage(command, &t);
  else text_printf(&t, "%-28s %s", command->name, command->summary);
  args_print(help->a, "  %s\n", text_get(&t));
  text_free(&t);
}

typedef struct {
  const char *names[64];
  uint32_t    counts[64];
  uint32_t    len;
} Groups;

static void collect_group(void *data, const Command *command)
{
  Groups *groups = data;
  for (uint32_t i = 0; i < groups->len; i++)
    if (strcmp(groups->names[i], command->group) == 0) {
      groups->counts[i]++;
      return;
    }
  if (groups->len == 64) return;
  groups->names[groups->len] = command->group;
  groups->counts[groups->len++] = 1;
}

static void add_name(void *data, const Command *command)
{
  Help *help = data;
  if (strcmp(help->group, command->group) != 0) return;
  args_print(help->a, "%s%s",
             help->first_of_group ? "    "
             : help->shown % 4    ? " "
                                  : "\n    ",
             command->name);
  help->first_of_group = false;
  help->shown++;
}

static Status help_groups(const Session *s, Args *a, bool verbose)
{
  Groups groups = { .len = 0 };
  commands_each(s, false, collect_group, &groups);
  for (uint32_t i = 0; i < groups.len; i++) {
    Help h = { .a = a, .group = groups.names[i], .verbose = verbose, .first_of_group = true };
    args_print(a, "%s\n", groups.names[i]);
    commands_each(s, false, verbose ? help_one : add_name, &h);
    args_print(a, verbose ? "" : "\n");
  }
  args_print(a, "\nhelp PATTERN lists commands, COMMAND -help shows one's options, man COMMAND all "
                "about it.\n");
  return OK;
}

static Status no_such_command(Session *s, const char *name)
{
  Text more = { 0 };
  manual_add_nearest(s, &more, name);
  log_error(s->log, "SHELL-001", NOWHERE, "no such command: %s%s", name, text_get(&more));
  text_free(&more);
  return FAILED;
}

static bool is_pattern(const char *text) { return strpbrk(text, "*?[") != NULL; }

static Status run_help(Session *s, Args *a)
{
  Help h = { .a = a, .pattern = args_text(a, "pattern"), .verbose = args_flag(a, "-verbose") };
  if (h.pattern == NULL) return help_groups(s, a, h.verbose);
  const Command *command = is_pattern(h.pattern) ? NULL : command_find(s, h.pattern, true);
  if (command) {
    Text t = { 0 };
    command_help(command, &t);
    args_write(a, text_get(&t), t.len);
    text_free(&t);
    return OK;
  }
  commands_each(s, false, help_one, &h);
  if (h.shown == 0) {     /* the name of a group does as well */
    h.group = h.pattern;
    h.pattern = NULL;
    commands_each(s, false, help_one, &h);
  }
  return h.shown ? OK : no_such_command(s, args_text(a, "pattern"));
}

static const Option man_options[] = {
  { "topic", ARG_TEXT, .flags = OPT_REQUIRED,
    .help = "a command, or the number of a message such as SPEF-012" },
  { 0 }
};

static Status run_man(Session *s, Args *a)
{
  const char *topic = args_text(a, "topic");
  const Command *command = command_find(s, topic, true);
  Text t = { 0 };
  Status status = OK;
  if (command) command_help(command, &t);
  else if (manual_is_code(topic)) status = manual_message(console_of(s), topic, &t);
  else status = no_such_command(s, topic);
  if (status == OK) args_write(a, text_get(&t), t.len);
  text_free(&t);
  return status;
}

static const Option folder_options[] = {
  { "folder", ARG_FILE, .flags = OPT_REQUIRED, .help = "folder to write to" }, { 0 } };

static Status run_write_man_pages(Session *s, Args *a)
{
  return manual_write(s, args_text(a, "folder"));
}

/* --- history, completion, exit ---------------------------------------------------------------- */

static const Option history_options[] = {
  { "count", ARG_INT, .help = "number of the latest lines; default: all" }, { 0 } };

static Status run_history(Session *s, Args *a)
{
  const Console *console = console_of(s);
  uint32_t first = 0;
  if (args_given(a, "count") && args_int(a, "count") >= 0
      && (uint32_t)args_int(a, "count") < console->history.len)
    first = console->history.len - (uint32_t)args_int(a, "count");
  for (uint32_t i = first; i < console->history.len; i++)
    args_print(a, "%5u  %s\n", i + 1, console->history.at[i]);
  return OK;
}

static const Option limit_options[] = { { "count", ARG_INT, .flags = OPT_REQUIRED, AT_LEAST(0),
                                          .help = "number of elements; 0 means all" },
                                        { 0 } };

static Status run_set_result_limit(Session *s, Args *a)
{
  console_of(s)->result_limit = (uint32_t)args_int(a, "count");
  return OK;
}

static const Option complete_options[] = {
  { "text", ARG_TEXT, .flags = OPT_REQUIRED, .help = "the line so far" },
  { "cursor", ARG_INT, .help = "place of the cursor; the end when left out" }, { 0 } };

static Status run_complete(Session *s, Args *a)
{
  const char *text = args_text(a, "text");
  int cursor = args_given(a, "cursor") ? args_int(a, "cursor") : (int)strlen(text);
  if (cursor < 0 || (size_t)cursor > strlen(text)) cursor = (int)strlen(text);
  args_return(a, console_complete(console_of(s), text, cursor));
  return OK;
}

static const Option exit_options[] = {
  { "status", ARG_INT, .preset = "0", .help = "exit status" }, { 0 } };

static Status run_exit(Session *s, Args *a)
{
  Console *console = console_of(s);
  int status = args_int(a, "status");
  if (!args_given(a, "status")) status = console_status(console, status);
  console_sum_up(console);
  console_flush(console);
  close_log(&console->log_file);
  close_log(&console->command_log);
  Tcl_Exit(status);
  return OK;
}

/* --- rows of commands and options, for the tests ---------------------------------------------- */

static const Option list_commands_options[] = {
  { "-sdc", ARG_FLAG, .help = "those that belong in SDC files alone" }, { 0 } };

typedef struct {
  Tcl_Obj *list;
  bool     sdc;
} CommandList;

static void add_example(void *data, const Command *command)
{
  const CommandList *list = data;
  if (list->sdc && !(command->flags & CMD_SDC)) return;
  Tcl_ListObjAppendElement(NULL, list->list, Tcl_NewStringObj(command->name, -1));
  Tcl_ListObjAppendElement(NULL, list->list,
                           Tcl_NewStringObj(command->example ? command->example : "", -1));
}

static Status run_list_commands(Session *s, Args *a)
{
  CommandList l = { Tcl_NewListObj(0, NULL), args_flag(a, "-sdc") };
  args_return(a, l.list);
  commands_each(s, false, add_example, &l);
  return OK;
}

/* A row of options: name, type, value and, where it must be given, "required". */
static Tcl_Obj *option_row(const Option *option)
{
  static const char *const types[] = {
    [ARG_FLAG] = "flag", [ARG_INT] = "int",         [ARG_FLOAT] = "float", [ARG_TIME] = "time",
    [ARG_CAP] = "cap",   [ARG_RES] = "res",         [ARG_TEXT] = "text",   [ARG_FILE] = "file",
    [ARG_ENUM] = "enum", [ARG_OBJECTS] = "objects", [ARG_LIST] = "list",   [ARG_SCRIPT] = "script"
  };
  Text kinds = { 0 };
  if (option->type == ARG_OBJECTS) object_kinds_text(option->kinds, &kinds);
  const char *value = option->type == ARG_OBJECTS ? text_get(&kinds)
                      : option->value             ? option->value
                                                  : "";
  Tcl_Obj *words[] = { Tcl_NewStringObj(option->name, -1),
                       Tcl_NewStringObj(types[option->type], -1), Tcl_NewStringObj(value, -1),
                       Tcl_NewStringObj(option->flags & OPT_REQUIRED ? "required" : "", -1) };
  text_free(&kinds);
  return Tcl_NewListObj(4, words);
}

static const Option list_options_options[] = {
  { "command", ARG_TEXT, .flags = OPT_REQUIRED, .help = "name of a command" }, { 0 } };

static Status run_list_options(Session *s, Args *a)
{
  const char *name = args_text(a, "command");
  const Command *command = command_find(s, name, false);
  if (command == NULL) return no_such_command(s, name);
  Tcl_Obj *list = Tcl_NewListObj(0, NULL);
  args_return(a, list);
  for (const Option *option = command->options; option && option->name; option++)
    Tcl_ListObjAppendElement(NULL, list, option_row(option));
  return OK;
}

/* --- interrupts, for the tests ---------------------------------------------------------------- */

static const Option interrupt_options[] = {
  { "looks", ARG_INT, .flags = OPT_REQUIRED, .help = "the interrupt comes with this look at its "
    "flag", AT_LEAST(1) },
  { "script", ARG_SCRIPT, .flags = OPT_REQUIRED, .help = "commands" }, { 0 } };

/* The code and the result of the script, and whether there were so many looks. */
static Status run_interrupt_after(Session *s, Args *a)
{
  Console *console = console_of(s);
  interrupt_after((uint32_t)args_int(a, "looks"));
  int code = Tcl_EvalObjEx(console->interp, args_object(a, "script"), 0);
  Tcl_Obj *words[] = { Tcl_NewIntObj(code), Tcl_GetObjResult(console->interp),
                       Tcl_NewBooleanObj(interrupt_pending()) };
  interrupt_after(0);
  interrupt_clear();
  console->done = NULL;
  args_return(a, Tcl_NewListObj(3, words));
  return OK;
}

const Command commands_shell[] = {
  { "source", "shell", "evaluate a script", source_options, run_source, 0,
    "An error has the file and line of the failed command. In batch the error of a constraint "
    "command is reported and the script continues; the exit status of the program is then 1. "
    "Other errors end the script. If the variable sta_continue_on_error is true, a script "
    "continues after any error.",
    "set script [open steps.tcl w]\n"
    "puts $script report_wns\n"
    "close $script\n"
    "source -echo steps.tcl\n" },
  { "include", "shell", "evaluate a script at the global level", include_options, run_include,
    CMD_REDIRECT | CMD_SCRIPTS,
    "Like source, but always at the global level, and its output can be redirected. After an "
    "interrupt the file has the output so far.",
    "include steps.tcl > steps.log\n" },
  { "with_output_to_variable", "shell", "capture output of commands in a variable", capture_options,
    run_capture, 0, NULL, "with_output_to_variable text { help get_cells }\n" },
  { "redirect", "shell", "capture output of commands in a file or a variable", redirect_options,
    run_redirect, 0,
    "The file is emptied first. After an interrupt it has the output so far. With the > of a "
    "command, an interrupt leaves the old file.",
    "redirect -variable text { help get_cells }\n" },
  { "log_begin", "shell", "also write all output and messages to a file", file_options,
    run_log_begin, CMD_CHANGES, NULL, "log_begin session.log\n" },
  { "log_end", "shell", "end the log of log_begin", NULL, run_log_end, CMD_CHANGES, NULL,
    "log_end\n" },
  { "record_begin", "shell", "write the lines typed at the prompt to a file that can be sourced",
    file_options, run_record_begin, CMD_CHANGES, NULL, "record_begin session.tcl\n" },
  { "record_end", "shell", "end the recording of "
                           "record_begin", NULL, run_record_end, CMD_CHANGES, NULL,
    "record_end\n" },
  { "elapsed_run_time", "shell", "seconds since the start", NULL, run_elapsed, 0, NULL,
    "elapsed_run_time\n" },
  { "user_run_time", "shell", "seconds of processor time used", NULL, run_user_time, 0, NULL,
    "user_run_time\n" },
  { "suppress_msg", "shell", "do not show messages of some numbers", message_options, run_suppress,
    CMD_CHANGES,
    "Warnings and information are not shown; report_messages still counts them. An error is "
    "always shown.",
    "suppress_msg CMD-020\n" },
  { "unsuppress_msg", "shell", "show messages of some numbers again", message_options,
    run_unsuppress, CMD_CHANGES, NULL, "unsuppress_msg CMD-020\n" },
  { "report_messages", "shell", "count messages, or show the messages of some numbers",
    report_messages_options, run_report_messages, CMD_REDIRECT,
    "With numbers it shows their messages, including those that were held back or suppressed. "
    "The first 1000 messages of each number are stored.",
    "report_messages\nreport_messages GRAPH-020 > named_in_vain.txt\n" },
  { "help", "shell", "list commands, or show one's options", help_options, run_help, CMD_REDIRECT,
    NULL, "help get_*\n" },
  { "man", "shell", "show the manual page of a "
                    "command or a message", man_options, run_man, CMD_REDIRECT, NULL,
    "man get_cells\nman CMD-001\n" },
  { "history", "shell", "show the lines typed at "
                        "the prompt", history_options, run_history, CMD_REDIRECT,
    NULL, "history 5\n" },
  { "set_result_limit", "shell", "limit the results that the prompt shows", limit_options,
    run_set_result_limit, CMD_CHANGES,
    "The prompt shows the first 100 elements of a list or a collection, and then the number of "
    "the others. It shows the first 10,000 characters of other texts and of errors, or 100 "
    "characters for each element if the limit is larger. Only the display is shortened: "
    "variables, scripts, puts and redirected output get the whole value.",
    "set_result_limit 20\n" },
  { "exit", "shell", "end the program", exit_options, run_exit, 0, NULL, NULL },
  { "quit", "shell", "end the program", exit_options, run_exit, CMD_HIDDEN, NULL, NULL },
  { "message_warning", "shell", "a counted warning from a script", warning_options, run_warning,
    CMD_HIDDEN, NULL, NULL },
  { "message_error", "shell", "a counted error from a script", warning_options, run_error,
    CMD_HIDDEN | CMD_RAISES, NULL, NULL },
  { "evaluate_whole", "shell", "commands of a script as one: an error within ends them",
    whole_options, run_evaluate_whole, CMD_HIDDEN, NULL, NULL },
  { "variable_has_no_effect", "shell", "a counted warning about a variable of another timer",
    variable_options, run_no_effect, CMD_HIDDEN, NULL, NULL },
  { "complete_line", "shell", "what Tab would offer", complete_options, run_complete, CMD_HIDDEN,
    NULL, NULL },
  { "write_man_pages", "shell", "write the manual pages", folder_options, run_write_man_pages,
    CMD_HIDDEN, NULL, NULL },
  { "list_options", "shell", "rows of the options of a command", list_options_options,
    run_list_options, CMD_HIDDEN, NULL, NULL },
  { "interrupt_after", "shell", "evaluate a script that is interrupted", interrupt_options,
    run_interrupt_after, CMD_HIDDEN, NULL, NULL },
  { "list_commands", "shell", "names and examples of commands", list_commands_options,
    run_list_commands, CMD_HIDDEN, NULL, NULL },
  { 0 }
};
