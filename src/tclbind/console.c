/* Output of commands and messages, the texts of results and errors, and the files of the
   program. */
#include "tclbind/console.h"

#include <limits.h>
#include <stdint.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/interrupt.h"
#include "base/memory.h"
#include "tclbind/behind.h"
#include "tclbind/collection.h"
#include "tclbind/tell_contradiction.h"

Console *console_of(const Session *s) { return s->shell; }

enum { PIECE = 1024 };       /* bytes that go to a terminal at once */

/* --- output ----------------------------------------------------------------------------------- */

static bool is_terminal(Tcl_Channel out)
{
  ClientData handle;
  return Tcl_GetChannelHandle(out, TCL_WRITABLE, &handle) == TCL_OK &&
         isatty((int)(intptr_t)handle);
}

/* More than a terminal may take at once: a Ctrl-C can come while it is written. */
static bool is_long(size_t length) { return length > PIECE; }

/* The length of the first piece, which ends with a whole character. */
static size_t piece_of(const char *text, size_t length)
{
  if (length <= PIECE) return length;
  size_t n = PIECE;
  while (n > PIECE - 4 && ((unsigned char)text[n] & 0xc0) == 0x80) n--;
  return n;
}

/* On Ctrl-C, unwritten text is dropped. */
static void write_pieces(Tcl_Channel out, const char *text, size_t length)
{
  while (length && !interrupt_seen()) {
    size_t n = piece_of(text, length);
    if (Tcl_WriteChars(out, text, (int)n) < 0 || Tcl_Flush(out) != TCL_OK) return;
    text += n;
    length -= n;
  }
}

static void to_stdout(Console *console, const char *text, size_t length)
{
  Tcl_Channel out = Tcl_GetStdChannel(TCL_STDOUT);
  bool stoppable = out && (is_long(length) || interrupt_seen()) && is_terminal(out);
  if (stoppable) write_pieces(out, text, length);
  else if (out) Tcl_WriteChars(out, text, (int)length);
  if (console->log_file) fwrite(text, 1, length, console->log_file);
}

/* Tcl ends the program where a value grows over its limit. */
static void to_value(const Sink *sink, const char *text, size_t length)
{
  int have;
  Tcl_GetStringFromObj(sink->value, &have);
  if (length >= (size_t)(INT_MAX - have)) *sink->full = true;
  else Tcl_AppendToObj(sink->value, text, (int)length);
}

void console_write(Console *console, const char *text, size_t length)
{
  const Sink *sink = console->sinks.len ? &console->sinks.at[console->sinks.len - 1] : NULL;
  if (sink == NULL) to_stdout(console, text, length);
  else if (sink->text) text_add(sink->text, text, length);
  else if (sink->value) to_value(sink, text, length);
  else fwrite(text, 1, length, sink->file);
}

void console_push(Console *console, Sink sink) { array_push(&console->sinks, sink); }
void console_pop(Console *console) { console->sinks.len--; }

void console_flush(Console *console)
{
  Tcl_Channel out = Tcl_GetStdChannel(TCL_STDOUT);
  if (out) Tcl_Flush(out);
  if (console->log_file) fflush(console->log_file);
  if (console->command_log) fflush(console->command_log);
}

/* 278000 -> "278,000" */
static void add_grouped(Text *text, uint32_t n)
{
  if (n >= 1000) {
    add_grouped(text, n / 1000);
    text_printf(text, ",%03u", n % 1000);
  } else {
    text_printf(text, "%u", n);
  }
}

/* The elements of a value that is a list already: a text is not taken apart to be shown. */
static bool is_long_list(const Console *console, Tcl_Obj *value, int *count, Tcl_Obj ***elements)
{
  bool list = value->typePtr && strcmp(value->typePtr->name, "list") == 0;
  if (!list || Tcl_ListObjGetElements(NULL, value, count, elements) != TCL_OK) return false;
  return console->result_limit && (uint32_t)*count > console->result_limit;
}

/* The length of a text as it is shown: enough for the visible elements, and never in the middle of
   a character. */
static size_t shown_length(const Console *console, const char *text, size_t length)
{
  enum { LEAST_SHOWN = 10000, FOR_EACH = 100 };
  size_t most = (size_t)console->result_limit * FOR_EACH;
  if (most < LEAST_SHOWN) most = LEAST_SHOWN;
  if (!console->interactive || console->result_limit == 0 || length <= most) return length;
  while (most && ((unsigned char)text[most] & 0xc0) == 0x80) most--;
  return most;
}

/* "... 1,234 more characters, 278,000 more elements (...)" */
static void add_left(Text *text, uint32_t characters, uint32_t elements)
{
  if (characters == 0 && elements == 0) return;
  text_put(text, "\n... ");
  if (characters) add_grouped(text, characters);
  if (characters) text_put(text, elements ? " more characters, " : " more characters");
  if (elements) add_grouped(text, elements);
  if (elements) text_put(text, characters ? " more elements" : " more");
  text_put(text, " (set_result_limit 0 shows all)");
}

static void add_shown(const Console *console, Text *out, const char *text, size_t length,
                      uint32_t elements_left)
{
  size_t shown = shown_length(console, text, length);
  int left = shown < length ? Tcl_NumUtfChars(text + shown, (int)(length - shown)) : 0;
  text_add(out, text, shown);
  add_left(out, (uint32_t)left, elements_left);
}

void console_add_result(Console *console, Text *out)
{
  Tcl_Obj *value = Tcl_GetObjResult(console->interp), **elements;
  int count, length;
  if (console->interactive) collection_settle(value);
  bool cut = console->interactive && is_long_list(console, value, &count, &elements);
  uint32_t left = cut ? (uint32_t)count - console->result_limit : 0;
  if (cut) value = Tcl_NewListObj((int)console->result_limit, elements);
  Tcl_IncrRefCount(value);
  const char *text = Tcl_GetStringFromObj(value, &length);
  add_shown(console, out, text, (size_t)length, left);
  Tcl_DecrRefCount(value);
}

void console_add_error(Console *console, Text *out, const char *text)
{
  add_shown(console, out, text, strlen(text), 0);
}

void console_sum_up(Console *console)
{
  contradictions_tell(console->session);
  log_sum_up(console->session->log);
}

void console_error_line(Console *console, const char *text)
{
  console_flush(console);
  Tcl_Channel err = Tcl_GetStdChannel(TCL_STDERR);
  if (err) {
    Tcl_WriteChars(err, text, -1);
    Tcl_WriteChars(err, "\n", 1);
    Tcl_Flush(err);
  }
  if (console->log_file) fprintf(console->log_file, "%s\n", text);
}

void console_on_message(void *data, const Message *message)
{
  Console *console = data;
  if (message->severity == SEVERITY_WARNING) {
    console_error_line(console, message->line);
  } else if (message->severity == SEVERITY_INFO && !console->quiet) {
    to_stdout(console, message->line, strlen(message->line));
    to_stdout(console, "\n", 1);
  }
}

/* stdout or stderr by name, where it is a terminal and the text is long; else NULL. */
static Tcl_Channel terminal_for(const char *name, size_t length)
{
  if (!is_long(length)) return NULL;
  Tcl_Channel out = strcmp(name, "stdout") == 0 ? Tcl_GetStdChannel(TCL_STDOUT)
                  : strcmp(name, "stderr") == 0 ? Tcl_GetStdChannel(TCL_STDERR) : NULL;
  return out && is_terminal(out) ? out : NULL;
}

/* Like Tcl's puts, but output to stdout passes through the console.  So it is captured, redirected
   and logged like the output of our own commands, and Ctrl-C stops it. */
static int puts_command(ClientData data, Tcl_Interp *interp, int count, Tcl_Obj *const words[])
{
  const Behind *tcl = data;
  Console *console = tcl->context;
  int text = 1, length;
  bool newline = !(count > 2 && strcmp(Tcl_GetString(words[1]), "-nonewline") == 0);
  if (!newline) text++;
  const char *channel = count == text + 1 ? "stdout"
                      : count == text + 2 ? Tcl_GetString(words[text]) : "";
  if (*channel == '\0') return behind_run(tcl, interp, count, words);
  /* the interrupt ends the script */
  if (!collection_make_text(words[count - 1])) return TCL_OK;
  const char *line = Tcl_GetStringFromObj(words[count - 1], &length);
  Tcl_Channel terminal = terminal_for(channel, (size_t)length);
  if (strcmp(channel, "stdout") == 0 && (console->sinks.len || console->log_file || terminal)) {
    console_write(console, line, (size_t)length);
    if (newline) console_write(console, "\n", 1);
  } else if (terminal) {
    write_pieces(terminal, line, (size_t)length);
    if (newline) write_pieces(terminal, "\n", 1);
  } else {
    return behind_run(tcl, interp, count, words);
  }
  return TCL_OK;
}

/* --- files of the program --------------------------------------------------------------------- */

static bool try_file(Text *text, const char *base, const char *folder, const char *name)
{
  text_clear(text);
  if (base == NULL || *base == '\0') return false;
  text_printf(text, "%s%s%s/%s", base, *folder ? "/" : "", folder, name);
  return access(text_get(text), R_OK) == 0;
}

static void program_folder(Text *text)
{
  const char *program = Tcl_GetNameOfExecutable();
  const char *cut = program ? strrchr(program, '/') : NULL;
  if (cut) text_add(text, program, (size_t)(cut - program));
}

#ifndef SL_DATADIR
#define SL_DATADIR ""
#endif

/* The environment goes first, then the tree that the program was built in, then where it was
   installed. */
bool console_find_file(Console *console, const char *folder, const char *name, Text *text)
{
  (void)console;
  const char *given = getenv("SLACKLINE_DATA");
  bool is_tcl = strcmp(folder, "tcl") == 0;
  const char *in_tree = is_tcl ? "tcl" : "man/messages", *installed = is_tcl ? "" : "messages";
  Text program = { 0 }, above = { 0 };
  program_folder(&program);
  text_printf(&above, "%s/..", text_get(&program));
  bool found = try_file(text, given, installed, name)
               || try_file(text, given, is_tcl ? "" : "../man/messages", name)
               || try_file(text, text_get(&program), in_tree, name)
               || try_file(text, text_get(&above), in_tree, name)
               || try_file(text, SL_DATADIR, installed, name)
               || try_file(text, text_get(&above),
                           is_tcl ? "share/slackline" : "share/slackline/messages", name);
  text_free(&program);
  text_free(&above);
  return found;
}

Where console_where(const Console *console)
{
  if (console->scripts.len == 0) return NOWHERE;
  const RunningScript *script = &console->scripts.at[console->scripts.len - 1];
  return (Where){ script->file, script->line, 0 };
}

/* --- life ------------------------------------------------------------------------------------- */

Console *console_new(SessionRows rows)
{
  Console *console = mem_alloc_zero(1, sizeof *console);
  console->started = clock_seconds();
  console->result_limit = 100;
  console->session = session_new(rows, console_on_message, console);
  console->session->shell = console;
  console->interp = Tcl_CreateInterp();
  /* without Tcl's library most things work */
  if (Tcl_Init(console->interp) != TCL_OK) Tcl_ResetResult(console->interp);
  behind_replace(console->interp, "puts", puts_command, console);
  collection_register(console);
  return console;
}

void console_free(Console *console)
{
  if (console == NULL) return;
  collection_forget(console);
  Tcl_DeleteInterp(console->interp);
  session_free(console->session);
  if (console->log_file) fclose(console->log_file);
  if (console->command_log) fclose(console->command_log);
  for (uint32_t i = 0; i < console->history.len; i++) mem_free(console->history.at[i]);
  array_free(&console->history);
  array_free(&console->sinks);
  array_free(&console->scripts);
  text_free(&console->located);
  text_free(&console->trace);
  mem_free(console->history_file);
  mem_free(console);
}
