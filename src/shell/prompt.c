/* The prompt: reads lines with Readline or without, joins the lines of a command, completes words,
   keeps the history, and runs commands. */

#ifdef HAVE_CONFIG_H
#include <config.h>
#endif

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/interrupt.h"
#include "shell/shell.h"

#ifdef HAVE_READLINE
#include <readline/history.h>
#include <readline/readline.h>
#endif

static const char first_prompt[] = "slackline> ", next_prompt[] = "> ";

/* --- a line from the terminal ----------------------------------------------------------------- */

#ifdef HAVE_READLINE

/* Readline's callbacks have no context. */
static Console *readline_console;

/* Readline's word is what stands after the last space; the candidates get what of it is not
   ours. */
static char **candidates(const char *text, int start, int end)
{
  Completion found;
  rl_attempted_completion_over = 1;
  completion_find(readline_console, rl_line_buffer, (size_t)end, &found);
  char **list = NULL;
  if (found.total > found.words.len) {
    rl_crlf();
    fprintf(rl_outstream, "%u names", found.total);
    rl_crlf();
    rl_on_new_line();
  } else if (found.words.len && found.start >= (size_t)start) {
    size_t lead = found.start - (size_t)start;
    list = calloc(found.words.len + 2, sizeof *list);
    size_t common = strlen(found.words.at[0]);
    for (uint32_t i = 0; list && i < found.words.len; i++) {
      const char *word = found.words.at[i];
      size_t same = 0;
      while (same < common && word[same] == found.words.at[0][same]) same++;
      common = same;
      list[i + 1] = malloc(lead + strlen(word) + 1);
      if (list[i + 1]) sprintf(list[i + 1], "%.*s%s", (int)lead, text, word);
    }
    if (list && (list[0] = malloc(lead + common + 1)))
      sprintf(list[0], "%.*s%.*s", (int)lead, text, (int)common, found.words.at[0]);
    if (list && found.words.len == 1) {
      list[1] = NULL;
      char last = common ? found.words.at[0][common - 1] : ' ';
      rl_completion_append_character = last == '/' ? '\0' : ' ';
    }
  }
  completion_free(&found);
  return list;
}

/* Waits for input or a signal.  False: Ctrl-C has come.  It is held back but while waiting, so that
   none comes unseen just before. */
static bool wait_for_input(int in)
{
  struct pollfd wanted = { .fd = in, .events = POLLIN };
  sigset_t interrupt, before;
  sigemptyset(&interrupt);
  sigaddset(&interrupt, SIGINT);
  sigprocmask(SIG_BLOCK, &interrupt, &before);
  if (!interrupt_seen()) ppoll(&wanted, 1, NULL, &before);
  sigprocmask(SIG_SETMASK, &before, NULL);
  return !interrupt_seen();
}

/* A terminal puts these around pasted text (bracketed paste). */
#define PASTE_BEGIN "\x1b[200~"
#define PASTE_END   "\x1b[201~"
enum {
  PASTE_MARK = sizeof PASTE_END - 1,      /* bytes */
  PASTE_SILENCE = 300                     /* ms without a byte that end a paste */
};

/* The characters read last.  They are global because readline's callbacks have no context. */
static struct {
  char last[PASTE_MARK];
  bool pasting;
  const char *given;         /* characters that no one typed; NULL: none */
} input;

static void note_character(char ch)
{
  memmove(input.last, input.last + 1, PASTE_MARK - 1);
  input.last[PASTE_MARK - 1] = ch;
  if (memcmp(input.last, PASTE_BEGIN, PASTE_MARK) == 0) input.pasting = true;
  if (memcmp(input.last, PASTE_END, PASTE_MARK) == 0) input.pasting = false;
}

/* Drops the rest of a paste, so that it does not count as typed lines. */
static void drop_paste(int in)
{
  struct pollfd there = { .fd = in, .events = POLLIN };
  char ch;
  while (input.pasting && poll(&there, 1, PASTE_SILENCE) > 0 && read(in, &ch, 1) == 1)
    note_character(ch);
  input.pasting = false;
}

/* Ctrl-C.  Readline reads a paste up to its end, whatever comes: it is given one.  A line is
   ended by its end. */
static int interrupted_character(int in)
{
  if (input.pasting) {
    drop_paste(in);
    input.given = PASTE_END;
  }
  if (input.given && *input.given) return *input.given++;
  input.given = NULL;
  rl_replace_line("", 0);
  return '\n';
}

/* Takes a character that `gets stdin` has read beyond its answer: a paste is read as a whole. It
   does not wait where Tcl drops what is left, as the second character of an end of line. */
static bool take_left_over(unsigned char *ch)
{
  Tcl_Channel channel = Tcl_GetStdChannel(TCL_STDIN);
  if (channel == NULL || Tcl_InputBuffered(channel) <= 0) return false;
  Tcl_SetChannelOption(NULL, channel, "-blocking", "0");
  bool taken = Tcl_Read(channel, (char *)ch, 1) == 1;
  Tcl_SetChannelOption(NULL, channel, "-blocking", "1");
  return taken;
}

/* Reads a character.  Ctrl-C ends the line, which is then empty; readline's own function would
   continue reading.  Pasted text may have two characters at the end of each line; the second one is
   not a line. */
static int read_character(FILE *in)
{
  unsigned char ch;
  if (!interrupt_seen() && take_left_over(&ch)) return ch;
  while (wait_for_input(fileno(in))) {
#if RL_READLINE_VERSION >= 0x0800
    rl_check_signals();       /* the window changed its size */
#endif
    struct pollfd there = { .fd = fileno(in), .events = POLLIN };
    if (poll(&there, 1, 0) == 0) continue;
    ssize_t n = read(fileno(in), &ch, 1);
    bool second = n == 1 && ch == '\n' && input.last[PASTE_MARK - 1] == '\r';
    if (n == 1) note_character((char)ch);
    if (second) continue;
    if (n == 1) return ch;
    if (n == 0 || errno != EINTR) return EOF;
  }
  return interrupted_character(fileno(in));
}

static bool more_waits(void)
{
  struct pollfd in = { .fd = STDIN_FILENO, .events = POLLIN };
  return poll(&in, 1, 0) > 0;
}

static bool is_blank_before_cursor(void)
{
  return strspn(rl_line_buffer, " \t") >= (size_t)rl_point;
}

/* A tab that is pasted, or that indents a line, is no question for names.  Readline lists the
   names where the key before was its own. */
static int on_tab(int count, int key)
{
  if (is_blank_before_cursor() || more_waits()) return rl_insert(count, key);
  if (rl_last_func == on_tab) rl_last_func = rl_complete;
  return rl_complete(count, key);
}

static void begin_lines(Console *console)
{
  readline_console = console;
  rl_readline_name = "slackline";
  rl_attempted_completion_function = candidates;
  rl_basic_word_break_characters = " \t\n";
  rl_completer_quote_characters = "";
  rl_getc_function = read_character;
  rl_catch_signals = 0;
  rl_initialize();
  if (rl_function_of_keyseq("\t", NULL, NULL) == rl_complete) rl_bind_key('\t', on_tab);
  using_history();
}

static void recall(const char *command) { add_history(command); }

static char *read_line(const char *prompt)
{
  char *line = readline(prompt);
  char *copy = line ? mem_text(line, strlen(line)) : NULL;
  free(line);
  return copy;
}

#else

static void begin_lines(Console *console) { (void)console; }

static char *read_line(const char *prompt)
{
  char *line = NULL;
  size_t room = 0;
  fputs(prompt, stdout);
  fflush(stdout);
  ssize_t n = getline(&line, &room, stdin);
  if (n < 0) clearerr(stdin);
  char *copy = n < 0 ? (interrupt_seen() ? mem_text("", 0) : NULL)
                     : mem_text(line, (size_t)n - (n > 0 && line[n - 1] == '\n'));
  free(line);
  return copy;
}

static void recall(const char *command) { (void)command; }

#endif

/* --- the history's file ----------------------------------------------------------------------- */

/* Each command is a line of the file.  In it this character, which is in no script, stands for an
   end of line. */
enum { LINE_END = '\x1e' };

static void replace_all(char *text, char from, char to)
{
  for (char *p = text; (p = strchr(p, from)) != NULL;) *p++ = to;
}

static void read_history_file(Console *console)
{
  FILE *f = console->history_file ? fopen(console->history_file, "r") : NULL;
  char *line = NULL;
  size_t room = 0;
  for (ssize_t n; f && (n = getline(&line, &room, f)) >= 0;) {
    if (n && line[n - 1] == '\n') line[n - 1] = '\0';
    replace_all(line, LINE_END, '\n');
    if (*line) recall(line);
  }
  free(line);
  if (f) fclose(f);
}

static void remember(Console *console, const Text *command)
{
  char *text = mem_text(text_get(command), command->len);
  array_push(&console->history, mem_text(text, command->len));
  recall(text);
  replace_all(text, '\n', LINE_END);
  FILE *f = console->history_file ? fopen(console->history_file, "a") : NULL;
  if (f) fprintf(f, "%s\n", text);
  if (f) fclose(f);
  mem_free(text);
}

/* --- the loop --------------------------------------------------------------------------------- */

/* Pasted text arrives as one text of many lines.  Each line counts as if it were typed. */
typedef struct {
  char  *text, *next;        /* NULL: nothing is left */
} Lines;

static void drop_lines(Lines *lines)
{
  mem_free(lines->text);
  *lines = (Lines){ NULL, NULL };
}

/* NULL: the input is at its end. */
static const char *next_line(Lines *lines, const char *prompt)
{
  if (lines->next == NULL) {
    drop_lines(lines);
    lines->text = lines->next = read_line(prompt);
  }
  char *line = lines->next, *end = line ? strchr(line, '\n') : NULL;
  if (end) *end = '\0';
  lines->next = end ? end + 1 : NULL;
  return line;
}

static bool is_blank(const char *line) { return line[strspn(line, " \t\r\n")] == '\0'; }

/* A backslash at the end of a line continues the command on the next line, unless another backslash
   escapes it.  An empty line after it ends the command.  Tcl recognises both only if the text
   includes the end of the line. */
static bool is_whole(const Text *command)
{
  const char *text = text_get(command);
  size_t backslashes = 0;
  while (backslashes < command->len && text[command->len - 1 - backslashes] == '\\') backslashes++;
  if (backslashes % 2) return false;
  Text line = { 0 };
  text_add(&line, text, command->len);
  text_char(&line, '\n');
  bool whole = Tcl_CommandComplete(text_get(&line));
  text_free(&line);
  return whole;
}

static void tell_how_to_end(Console *console)
{
  static const char text[] = "(exit or Ctrl-D ends the program)\n";
  console_write(console, text, strlen(text));
}

/* Reads lines up to a complete command.  Returns false at the end of input.  In the middle of a
   command, the end of input ends only the command. */
static bool read_command(Console *console, Lines *lines, Text *command)
{
  bool begun = false;
  text_clear(command);
  do {
    const char *line = next_line(lines, begun ? next_prompt : first_prompt);
    if (line == NULL && !begun) return false;
    if (line == NULL || interrupt_seen()) {
      interrupt_clear();
      if (line == NULL) console_write(console, "\n", 1);
      else if (!begun) tell_how_to_end(console);
      drop_lines(lines);
      text_clear(command);
      return true;
    }
    if (begun) text_char(command, '\n');
    text_put(command, line);
    begun = true;
  } while (!is_whole(command));
  if (!is_blank(text_get(command))) remember(console, command);
  return true;
}

static void show_answer(Console *console, int code)
{
  Text t = { 0 };
  if (code == TCL_OK) {
    console_add_result(console, &t);
    if (t.len) text_char(&t, '\n');
    if (t.len) shell_page(console, text_get(&t), t.len);
    if (interrupt_seen()) console_error_line(console, "error: interrupted");
  } else {
    script_error_text(console, &t);
    console_error_line(console, text_get(&t));
  }
  console_flush(console);
  text_free(&t);
}

int shell_prompt(Console *console)
{
  Text command = { 0 };
  Lines lines = { NULL, NULL };
  console->interactive = true;
  console->page = shell_page;
  begin_lines(console);
  read_history_file(console);
  for (;;) {
    console_flush(console);
    shell_at_prompt(true);
    bool more = read_command(console, &lines, &command);
    shell_at_prompt(false);
    if (!more) break;
    if (!is_blank(text_get(&command)))
      show_answer(console, script_line(console, text_get(&command)));
    if (interrupt_seen()) drop_lines(&lines);      /* as the terminal drops what was typed ahead */
  }
  fputs("\n", stdout);
  drop_lines(&lines);
  text_free(&command);
  return 0;
}

/* --- commands from a pipe or file ------------------------------------------------------------- */

/* Tcl's parser ends a text at a NUL and would not see what follows. */
static int refuse_nul(Console *console, const char *line, size_t length, uint32_t number)
{
  const char *nul = memchr(line, '\0', length);
  if (nul == NULL) return TCL_OK;
  Where where = { "stdin", number, (uint32_t)(nul - line) + 1 };
  log_error(console->session->log, "SHELL-003", where, "a NUL character, expected a Tcl script");
  return command_failure(console, false);
}

int shell_read_stdin(Console *console)
{
  Text block = { 0 };
  char *line = NULL;
  size_t room = 0;
  uint32_t number = 0, start = 1;
  int code = TCL_OK;
  ssize_t n;
  while (code == TCL_OK && (n = getline(&line, &room, stdin)) >= 0) {
    number++;
    code = refuse_nul(console, line, (size_t)n, number);
    if (code != TCL_OK) break;
    if (n >= 2 && line[n - 2] == '\r') {
      line[n - 2] = '\n';
      n--;
    }
    text_add(&block, line, (size_t)n);
    if (!Tcl_CommandComplete(text_get(&block))) continue;
    code = script_block(console, "stdin", start, text_get(&block));
    text_clear(&block);
    start = number + 1;
  }
  if (code == TCL_OK && block.len) code = script_block(console, "stdin", start, text_get(&block));
  free(line);
  text_free(&block);
  return code;
}
