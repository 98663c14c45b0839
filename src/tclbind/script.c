/* Reads scripts command by command, so that an error has the file and line of its command, that
   commands can be echoed, and that SDC files differ from scripts. */
#include <ctype.h>
#include <string.h>

#include "base/input.h"
#include "base/interrupt.h"
#include "base/memory.h"
#include "tclbind/console.h"
#include "tclbind/recovery.h"

/* --- reading ---------------------------------------------------------------------------------- */

static void add_without_returns(Text *text, const char *from, const char *end)
{
  while (from < end) {
    const char *cr = memchr(from, '\r', (size_t)(end - from));
    const char *stop = cr ? cr : end;
    text_add(text, from, (size_t)(stop - from));
    if (cr && !(cr + 1 < end && cr[1] == '\n')) text_char(text, '\n');
    from = cr ? cr + 1 : end;
  }
}

static void warn_if_blank(Console *console, const char *path, const Text *text)
{
  const char *p = text_get(text);
  while (isspace((unsigned char)*p)) p++;
  if (*p == '\0')
    log_warning(console->session->log, "CMD-063", (Where){ path, 0, 0 },
                "the file is empty, or has nothing but white space");
}

/* Returns the whole file as text with '\n' at line ends. */
static Status read_script(Console *console, const char *path, bool is_sdc, Text *text)
{
  if (input_is_empty(path)) {
    if (is_sdc) warn_if_blank(console, path, text);
    return OK;
  }
  Input *in = input_open(path, console->session->log);
  if (in == NULL) return FAILED;
  Text raw = { 0 };
  do {
    text_add(&raw, in->cur, (size_t)(in->end - in->cur));
    in->cur = in->end;
  } while (input_refill(in, NULL));
  Status status = in->failed ? FAILED : OK;
  if (status == OK && memchr(text_get(&raw), '\0', raw.len))
    status = log_error(console->session->log, "SHELL-003", (Where){ path, 0, 0 },
                       "is a binary file, expected a Tcl script");
  if (status == OK) add_without_returns(text, text_get(&raw), text_get(&raw) + raw.len);
  if (status == OK && is_sdc) warn_if_blank(console, path, text);
  text_free(&raw);
  input_close(in);
  return status;
}

/* --- errors with a place ---------------------------------------------------------------------- */

/* Tcl's lines about procedures within the failing command are worth keeping. */
static void trace_procedures(Console *console)
{
  const char *info = Tcl_GetVar(console->interp, "errorInfo", TCL_GLOBAL_ONLY);
  for (; info && (info = strstr(info, "\n    (procedure ")); info++) {
    const char *start = info + strlen("\n    (");
    size_t n = strcspn(start, ")\n");
    text_printf(&console->trace, "\n    in %.*s", (int)n, start);
  }
}

/* Gives the error in the interpreter's result the place of the script's command, unless it has
   one. */
static void locate_error(Console *console, const RunningScript *script)
{
  const char *result = Tcl_GetString(Tcl_GetObjResult(console->interp));
  if (console->located.len && strcmp(result, text_get(&console->located)) == 0) {
    text_printf(&console->trace, "\n    from %s:%u", script->file, script->line);
    return;
  }
  text_clear(&console->trace);
  trace_procedures(console);
  Text line = { 0 };
  text_printf(&line, "%s:%u: error: %s", script->file, script->line, result);
  text_clear(&console->located);
  text_put(&console->located, text_get(&line));
  Tcl_SetObjResult(console->interp, Tcl_NewStringObj(text_get(&line), -1));
  text_free(&line);
}

/* A person sees the innermost procedures of a deep stack. */
static void add_trace(const Console *console, Text *text)
{
  enum { MOST_SHOWN = 10 };
  const char *trace = text_get(&console->trace), *end = trace;
  uint32_t lines = 0;
  for (const char *p = trace; (p = strchr(p, '\n')) != NULL; p++)
    if (lines++ == MOST_SHOWN) end = p;
  if (!console->interactive || lines <= MOST_SHOWN) {
    text_put(text, trace);
    return;
  }
  text_add(text, trace, (size_t)(end - trace));
  text_printf(text, "\n    ... %u more; puts $errorInfo shows the whole stack", lines - MOST_SHOWN);
}

void script_error_text(Console *console, Text *text)
{
  const char *result = Tcl_GetString(Tcl_GetObjResult(console->interp));
  bool located = console->located.len && strcmp(result, text_get(&console->located)) == 0;
  if (!located) {
    text_clear(&console->trace);
    trace_procedures(console);
  }
  if (!located) text_put(text, "error: ");
  console_add_error(console, text, result);
  if (console->done && interrupt_seen())
    text_printf(text, "; %s was done by then", console->done->name);
  add_trace(console, text);
  console->done = NULL;
  text_clear(&console->located);
  text_clear(&console->trace);
}

int script_exit_status(Console *console)
{
  if (interrupt_seen()) return PROGRAM_INTERRUPTED;
  const char *code = Tcl_GetVar(console->interp, "errorCode", TCL_GLOBAL_ONLY);
  if (code == NULL) return PROGRAM_ERROR;
  bool usage = (strncmp(code, "SLACKLINE ", 10) == 0 && strstr(code, " USAGE"))
               || strncmp(code, "TCL WRONGARGS", 13) == 0;
  return usage ? PROGRAM_USAGE : PROGRAM_ERROR;
}

int console_status(const Console *console, int status)
{
  return status == PROGRAM_GOOD && console->continued ? PROGRAM_ERROR : status;
}

/* --- evaluating ------------------------------------------------------------------------------- */

static void set_info_script(Console *console, const char *path)
{
  Tcl_Obj *words[] = { Tcl_NewStringObj("::info", -1), Tcl_NewStringObj("script", -1),
                       Tcl_NewStringObj(path, -1) };
  for (int i = 0; i < 3; i++) Tcl_IncrRefCount(words[i]);
  Tcl_EvalObjv(console->interp, 3, words, 0);
  for (int i = 0; i < 3; i++) Tcl_DecrRefCount(words[i]);
  Tcl_ResetResult(console->interp);
}

static char *get_info_script(Console *console)
{
  if (Tcl_EvalEx(console->interp, "::info script", -1, 0) != TCL_OK)
    Tcl_ResetResult(console->interp);
  const char *path = Tcl_GetString(Tcl_GetObjResult(console->interp));
  return mem_text(path, strlen(path));
}

/* -stop_on_error goes before the variable, and that before the script's kind. */
static bool error_passes(Console *console, const RunningScript *script, bool constraint)
{
  const char *value = Tcl_GetVar(console->interp, "sta_continue_on_error", TCL_GLOBAL_ONLY);
  int on = 0;
  if (script->must_stop || interrupt_seen()) return false;
  if (value && Tcl_GetBoolean(NULL, value, &on) == TCL_OK && on) return true;
  return script->on_error == ERROR_PASSES
         || (script->on_error == ERROR_OF_CONSTRAINT_PASSES && constraint);
}

/* Returns the command of ours that the first word names; NULL: none. */
static const Command *names_command(const Session *s, const Tcl_Parse *parse)
{
  if (parse->numWords == 0 || parse->tokenPtr[0].type != TCL_TOKEN_SIMPLE_WORD) return NULL;
  Text name = { 0 };
  text_add(&name, parse->tokenPtr[1].start, (size_t)parse->tokenPtr[1].size);
  const Command *command = command_find(s, text_get(&name), false);
  text_free(&name);
  return command;
}

static void show_error(Console *console)
{
  Text t = { 0 };
  script_error_text(console, &t);
  console_error_line(console, text_get(&t));
  text_free(&t);
  console->continued++;
}

/* Adds file and line to the error, and reports it if the script continues. */
static bool pass_error(Console *console, RunningScript script, bool constraint)
{
  locate_error(console, &script);
  if (!error_passes(console, &script, constraint)) return false;
  show_error(console);
  return true;
}

bool script_pass_error(Console *console, bool constraint)
{
  RunningScript script = console->scripts.at[console->scripts.len - 1];
  return error_passes(console, &script, constraint) && pass_error(console, script, constraint);
}

/* Returns true if the error ended a command of Tcl or a procedure, parts of which may have been
   carried out. */
static bool is_cut(Console *console)
{
  const char *info = Tcl_GetVar(console->interp, "errorInfo", TCL_GLOBAL_ONLY);
  return info && (strstr(info, "\n    invoked from within") || strstr(info, "\n    ("));
}

static void echo_command(Console *console, const char *command, int length)
{
  console_write(console, command, (size_t)length);
  if (length == 0 || command[length - 1] != '\n') console_write(console, "\n", 1);
}

static void show_result(Console *console)
{
  Text t = { 0 };
  console_add_result(console, &t);
  if (t.len) text_char(&t, '\n');
  if (t.len) console_write(console, text_get(&t), t.len);
  text_free(&t);
}

static int stray_code(Console *console, int code)
{
  if (code != TCL_BREAK && code != TCL_CONTINUE) return code;
  Tcl_SetObjResult(console->interp,
                   Tcl_ObjPrintf("%s outside of a loop", code == TCL_BREAK ? "break" : "continue"));
  return TCL_ERROR;
}

static void set_interrupted(Console *console)
{
  Tcl_SetObjResult(console->interp, Tcl_NewStringObj("interrupted", -1));
  Tcl_SetErrorCode(console->interp, "SLACKLINE", "INTERRUPT", (char *)NULL);
}

/* Tcl's message for a child interpreter that must end. */
static bool is_unwinding(const Console *console)
{
  return strcmp(Tcl_GetString(Tcl_GetObjResult(console->interp)), "eval unwound") == 0;
}

static int run_one(Console *console, const char *command, int length, unsigned flags)
{
  if (flags & SCRIPT_ECHO) echo_command(console, command, length);
  int code =
      Tcl_EvalEx(console->interp, command, length, flags & SCRIPT_GLOBAL ? TCL_EVAL_GLOBAL : 0);
  if (interrupt_seen()) {
    if (code != TCL_ERROR || is_unwinding(console)) set_interrupted(console);
    code = TCL_ERROR;
  }
  if (code == TCL_OK && (flags & SCRIPT_VERBOSE)) show_result(console);
  return stray_code(console, code);
}

static uint32_t lines_in(const char *from, const char *to)
{
  uint32_t lines = 0;
  for (; (from = memchr(from, '\n', (size_t)(to - from))) != NULL; from++) lines++;
  return lines;
}

static const char *skip_space(const char *p, const char *end)
{
  while (p < end && (isspace((unsigned char)*p) || *p == ';')) p++;
  return p;
}

/* Length of the command without the character that ends it. */
static int command_length(const Tcl_Parse *parse, const char *end)
{
  int size = parse->commandSize;
  const char *last = parse->commandStart + size - 1;
  return size && last < end && (*last == '\n' || *last == ';') ? size - 1 : size;
}

/* Returns the command of ours at the start of a text that cannot be parsed; NULL: none. */
static const Command *begins_command(const Session *s, const char *start, const char *end)
{
  const char *p = start;
  while (p < end && !isspace((unsigned char)*p) && *p != ';') p++;
  Text name = { 0 };
  text_add(&name, start, (size_t)(p - start));
  const Command *command = command_find(s, text_get(&name), false);
  text_free(&name);
  return command;
}

/* The end of the line, which a backslash continues; NULL: there is none. */
static const char *line_end(const char *start, const char *end)
{
  for (const char *p = start; (p = memchr(p, '\n', (size_t)(end - p))) != NULL; p++) {
    size_t backslashes = 0;
    while (p - backslashes > start && p[-1 - (ptrdiff_t)backslashes] == '\\') backslashes++;
    if (backslashes % 2 == 0) return p;
  }
  return NULL;
}

/* Where to continue after text that is no command: at the next line.  But the contents of an open
   brace, unless it belongs to a constraint, may be part of a loop, a condition or a procedure, and
   must not be carried out outside it.  They are lost, and the error says so. */
static const char *behind_broken(Console *console, const char *start, const char *end, bool brace)
{
  const char *line = line_end(start, end);
  if (line == NULL || skip_space(line, end) == end) return end;
  const Command *command = brace ? begins_command(console->session, start, end) : NULL;
  if (!brace || (command && command->flags & CMD_SDC)) return line;
  uint32_t last = console->scripts.at[console->scripts.len - 1].line + lines_in(start, end - 1);
  const char *what = Tcl_GetString(Tcl_GetObjResult(console->interp));
  Tcl_SetObjResult(console->interp, Tcl_ObjPrintf("%s; what follows, up to line %u, belongs to it "
                                                  "and has no effect",
                                                  what, last));
  console->lost++;
  return end;
}

static int run_commands(Console *console, const char *text, size_t length, unsigned flags)
{
  const char *p = text, *end = text + length, *counted = text;
  uint32_t depth = console->scripts.len - 1;
  int code = TCL_OK;
  while (code == TCL_OK && (p = skip_space(p, end)) < end) {
    Tcl_Parse parse;
    bool parsed = Tcl_ParseCommand(console->interp, p, (int)(end - p), 0, &parse) == TCL_OK;
    const char *start = parse.commandStart;        /* behind comments */
    const Command *command = parsed ? names_command(console->session, &parse) : NULL;
    console->scripts.at[depth].line += lines_in(counted, start);
    console->scripts.at[depth].passed = 0;
    counted = start;
    if (parsed) {
      p = parse.commandStart + parse.commandSize;
      bool empty = parse.numWords == 0;
      int size = command_length(&parse, end);
      Tcl_FreeParse(&parse);
      if (empty) continue;
      code = run_one(console, start, size, flags);
    } else {
      code = TCL_ERROR;
      p = behind_broken(console, start, end, parse.errorType == TCL_PARSE_MISSING_BRACE);
    }
    if (code != TCL_ERROR) continue;
    bool cut = command == NULL && is_cut(console);
    if (!pass_error(console, console->scripts.at[depth], command && command->flags & CMD_SDC))
      continue;
    console->cut += cut;
    code = TCL_OK;
  }
  return code;
}

/* `return` ends a script; its -code is the script's. */
static int finish_return(Console *console, int code)
{
  if (code != TCL_RETURN) return code;
  Tcl_Obj *options = Tcl_GetReturnOptions(console->interp, code),
          *key = Tcl_NewStringObj("-code", -1), *value = NULL;
  Tcl_IncrRefCount(options);
  Tcl_IncrRefCount(key);
  int wanted = TCL_OK;
  if (Tcl_DictObjGet(NULL, options, key, &value) == TCL_OK && value)
    Tcl_GetIntFromObj(NULL, value, &wanted);
  Tcl_DecrRefCount(options);
  Tcl_DecrRefCount(key);
  return wanted == TCL_ERROR ? TCL_ERROR : TCL_OK;
}

/* A script inside another one follows the outer one's setting, unless it is told to stop. */
static RunningScript new_script(const Console *console, const char *name, unsigned flags)
{
  const RunningScript *outer =
      console->scripts.len ? &console->scripts.at[console->scripts.len - 1] : NULL;
  RunningScript script = { name, 1, flags & SCRIPT_SDC || (outer && outer->is_sdc),
                           flags & SCRIPT_STOP || (outer && outer->must_stop), ERROR_STOPS, 0, 0 };
  if (script.must_stop) return script;
  if (script.is_sdc) script.on_error = ERROR_PASSES;
  else if (flags & SCRIPT_SOURCED && !console->interactive)
    script.on_error = ERROR_OF_CONSTRAINT_PASSES;
  return script;
}

static int too_deep(Console *console, const char *path)
{
  Tcl_SetObjResult(console->interp,
                   Tcl_ObjPrintf("scripts read each other more than 200 deep at %s", path));
  return TCL_ERROR;
}

int script_file(Console *console, const char *path, unsigned flags)
{
  enum { DEEPEST = 200 };
  if (console->scripts.len >= DEEPEST) return too_deep(console, path);
  Text text = { 0 };
  if (read_script(console, path, (flags & SCRIPT_SDC) != 0, &text) != OK) {
    text_free(&text);
    return command_failure(console, false);
  }
  char *before = get_info_script(console), *name = mem_text(path, strlen(path));
  set_info_script(console, path);
  RunningScript script = new_script(console, name, flags);
  array_push(&console->scripts, script);
  if (script.on_error != ERROR_STOPS) recovery_begin(console);
  int code = finish_return(console, run_commands(console, text_get(&text), text.len, flags));
  console->scripts.len--;
  Tcl_Obj *result = Tcl_GetObjResult(console->interp);
  Tcl_Obj *options = Tcl_GetReturnOptions(console->interp, code);
  Tcl_IncrRefCount(result);
  set_info_script(console, before);
  if (script.on_error != ERROR_STOPS) recovery_end(console);
  Tcl_SetObjResult(console->interp, result);
  Tcl_DecrRefCount(result);
  code = Tcl_SetReturnOptions(console->interp, options);
  mem_free(before);
  mem_free(name);
  text_free(&text);
  return code;
}

int script_line(Console *console, const char *text)
{
  if (console->command_log) fprintf(console->command_log, "%s\n", text);
  Tcl_Obj *script = Tcl_NewStringObj(text, -1);
  Tcl_IncrRefCount(script);
  int code = stray_code(console, Tcl_EvalObjEx(console->interp, script, TCL_EVAL_GLOBAL));
  Tcl_DecrRefCount(script);
  if (code == TCL_RETURN) code = TCL_OK;
  if (interrupt_seen()) {
    if (code != TCL_ERROR || is_unwinding(console)) set_interrupted(console);
    code = TCL_ERROR;
  }
  console_sum_up(console);
  return code;
}

int script_block(Console *console, const char *name, uint32_t line, const char *text)
{
  array_push(&console->scripts, (RunningScript){ .file = name, .line = line });
  int code = run_commands(console, text, strlen(text), SCRIPT_GLOBAL);
  console->scripts.len--;
  console_sum_up(console);
  return code == TCL_RETURN ? TCL_OK : code;
}
