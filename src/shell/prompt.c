#ifdef HAVE_CONFIG_H
#include <config.h>
#endif

#include <errno.h>
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

/* --- a line from the terminal ------------------------------------------------------------------------------ */

#ifdef HAVE_READLINE

/* Readline's callbacks have no context. */
static Console *readline_console;

/* Readline's word is what stands after the last space; the candidates get what of it is not ours. */
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
    if (list && (list[0] = malloc(lead + common + 1))) sprintf(list[0], "%.*s%.*s", (int)lead, text, (int)common, found.words.at[0]);
    if (list && found.words.len == 1) {
      list[1] = NULL;
      char last = common ? found.words.at[0][common - 1] : ' ';
      rl_completion_append_character = last == '/' ? '\0' : ' ';
    }
  }
  completion_free(&found);
  return list;
}

/* Reads a character.  Ctrl-C ends the line, which is empty then: readline's own function would go on reading. */
static int read_character(FILE *in)
{
  unsigned char ch;
  for (;;) {
    ssize_t n = read(fileno(in), &ch, 1);
    if (n == 1) return ch;
    if (n == 0 || errno != EINTR) return EOF;
    if (interrupt_seen()) {
      rl_replace_line("", 0);
      return '\n';
    }
#if RL_READLINE_VERSION >= 0x0800
    rl_check_signals();       /* the window changed its size */
#endif
  }
}

static void begin_lines(Console *c)
{
  readline_console = c;
  rl_readline_name = "slackline";
  rl_attempted_completion_function = candidates;
  rl_basic_word_break_characters = " \t\n";
  rl_completer_quote_characters = "";
  rl_getc_function = read_character;
  rl_catch_signals = 0;
  using_history();
  if (c->history_file) read_history(c->history_file);
}

static char *read_line(const char *prompt)
{
  char *line = readline(prompt);
  char *copy = line ? mem_text(line, strlen(line)) : NULL;
  free(line);
  return copy;
}

static void remember_line(Console *c, const char *line)
{
  add_history(line);
  if (c->history_file && append_history(1, c->history_file) != 0) write_history(c->history_file);
}

#else

static void begin_lines(Console *c) { (void)c; }

static char *read_line(const char *prompt)
{
  char *line = NULL;
  size_t room = 0;
  fputs(prompt, stdout);
  fflush(stdout);
  ssize_t n = getline(&line, &room, stdin);
  if (n < 0) clearerr(stdin);
  char *copy = n < 0 ? (interrupt_seen() ? mem_text("", 0) : NULL) : mem_text(line, (size_t)n - (n > 0 && line[n - 1] == '\n'));
  free(line);
  return copy;
}

static void remember_line(Console *c, const char *line)
{
  FILE *f = c->history_file ? fopen(c->history_file, "a") : NULL;
  if (f) fprintf(f, "%s\n", line);
  if (f) fclose(f);
}

#endif

/* --- the loop --------------------------------------------------------------------------------------------------- */

static bool is_blank(const char *line) { return line[strspn(line, " \t\r\n")] == '\0'; }

/* Lines up to a whole command; false at the end of input. */
static bool read_command(Console *c, Text *command)
{
  text_clear(command);
  do {
    char *line = read_line(command->len ? next_prompt : first_prompt);
    if (line == NULL) return false;
    if (interrupt_seen()) {
      interrupt_clear();
      text_clear(command);
      mem_free(line);
      continue;
    }
    if (command->len) text_char(command, '\n');
    text_put(command, line);
    mem_free(line);
    if (command->len == 0) text_put(command, " ");
  } while (command->len == 0 || !Tcl_CommandComplete(text_get(command)));
  if (!is_blank(text_get(command))) {
    array_push(&c->history, mem_text(text_get(command), command->len));
    remember_line(c, text_get(command));
  }
  return true;
}

static void show_answer(Console *c, int code)
{
  Text t = { 0 };
  if (code == TCL_OK) {
    int length;
    const char *result = Tcl_GetStringFromObj(Tcl_GetObjResult(c->interp), &length);
    text_add(&t, result, (size_t)length);
    if (length) text_char(&t, '\n');
    if (length) shell_page(c, text_get(&t), t.len);
  } else {
    script_error_text(c, &t);
    console_error_line(c, text_get(&t));
  }
  console_flush(c);
  text_free(&t);
}

int shell_prompt(Console *c)
{
  Text command = { 0 };
  c->interactive = true;
  c->page = shell_page;
  begin_lines(c);
  for (;;) {
    console_flush(c);
    shell_at_prompt(true);
    bool more = read_command(c, &command);
    shell_at_prompt(false);
    if (!more) break;
    if (!is_blank(text_get(&command))) show_answer(c, script_line(c, text_get(&command)));
  }
  fputs("\n", stdout);
  text_free(&command);
  return 0;
}

/* --- commands from a pipe or file --------------------------------------------------------------------------------- */

int shell_read_stdin(Console *c)
{
  Text block = { 0 };
  char *line = NULL;
  size_t room = 0;
  uint32_t number = 0, start = 1;
  int code = TCL_OK;
  ssize_t n;
  while (code == TCL_OK && (n = getline(&line, &room, stdin)) >= 0) {
    number++;
    if (n >= 2 && line[n - 2] == '\r') {
      line[n - 2] = '\n';
      n--;
    }
    text_add(&block, line, (size_t)n);
    if (!Tcl_CommandComplete(text_get(&block))) continue;
    code = script_block(c, "stdin", start, text_get(&block));
    text_clear(&block);
    start = number + 1;
  }
  if (code == TCL_OK && block.len) code = script_block(c, "stdin", start, text_get(&block));
  free(line);
  text_free(&block);
  return code;
}
