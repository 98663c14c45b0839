/* The program: it reads the command line, runs the scripts, and then shows the prompt. */
#ifdef HAVE_CONFIG_H
#include <config.h>
#endif

#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/interrupt.h"
#include "base/memory.h"
#include "base/pool.h"
#include "cmd/tables.h"
#include "shell/shell.h"

#ifndef PACKAGE_VERSION
#define PACKAGE_VERSION "0.1.0"
#endif

typedef struct {
  bool        is_file;
  const char *text;
} Step;

typedef struct {
  ARRAY(Step) steps;
  bool  exit, no_init, quiet, help, version;
  int   threads;
  uint8_t engine;
  EngineOptions engine_options;
  int   script_args;        /* index in argv of the script's first argument */
  const char *script;
} Settings;

/* --- the command line ------------------------------------------------------------------------- */

/* An option of the command line: a flag where `value` is NULL.  What it reads and the usage follow
   from its row; its text for slackline(1) is in tclbind/manual.c. */
typedef struct {
  const char *word, *other;  /* another word for it; NULL */
  const char *value;         /* in the usage */
  const char *values;        /* in its first line, where that shows the words to choose from */
  const char *help;          /* lines; NULL: in the usage's first line alone */
  int  (*take)(Settings *settings, const char *value);      /* 0, or the exit status */
} ProgramOption;

static int wrong(const char *format, const char *what);

static int add_file(Settings *settings, const char *value)
{
  array_push(&settings->steps, (Step){ true, value });
  return 0;
}

static int add_command(Settings *settings, const char *value)
{
  array_push(&settings->steps, (Step){ false, value });
  return 0;
}

static int set_engine(Settings *settings, const char *name)
{
  static const char *const names[] = { "auto", "cpu", "cuda", "emulated" };
  for (uint8_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strcmp(names[i], name) == 0) {
      settings->engine = i;
      return 0;
    }
  return wrong("slackline: -engine is auto, cpu, cuda or emulated, not '%s'", name);
}

_Static_assert(POOL_MOST_THREADS == 1024, "threads_wanted says so");
static const char threads_wanted[] =
    "slackline: -threads takes a whole number from 0 (all) to 1024, not '%s'";

static int set_threads(Settings *settings, const char *text)
{
  char *end;
  long n = strtol(text, &end, 10);
  if (end == text || *end || n < 0 || n > POOL_MOST_THREADS) return wrong(threads_wanted, text);
  settings->threads = (int)n;
  return 0;
}

static int set_device(Settings *settings, const char *text)
{
  const EngineOptionRow *row = engine_option_find("device");
  return engine_option_set(&settings->engine_options, row, text)
             ? 0
             : wrong("slackline: -device takes a whole number from 0 to 255, not '%s'", text);
}

#define FLAG(name)                                          \
  static int set_##name(Settings *settings, const char *value)     \
  {                                                         \
    (void)value;                                            \
    settings->name = true;                                         \
    return 0;                                               \
  }
FLAG(exit)
FLAG(no_init)
FLAG(quiet)
FLAG(version)
FLAG(help)

static const ProgramOption options[] = {
  { "-f", NULL, "script", NULL, "evaluate a script; may be repeated, in order with -x", add_file },
  { "-x", NULL, "command", NULL, "evaluate a command; may be repeated", add_command },
  { "-exit", NULL, NULL, NULL, "end after the scripts and commands; without it a prompt follows",
    set_exit },
  { "-threads", NULL, "N", NULL,
    "threads to use; default OMP_NUM_THREADS, else the processors that affinity and control "
    "groups\n"
    "leave to the process; work too small to share takes one of them",
    set_threads },
  { "-engine", NULL, "E", "auto|cpu|cuda|emulated",
    "auto, cpu, cuda or emulated (the kernels for CUDA, run by the CPU: for tests)", set_engine },
  { "-device", NULL, "N", NULL, "which CUDA device of several; default 0", set_device },
  { "-no_init", NULL, NULL, NULL, "do not read ~/.slackline", set_no_init },
  { "-quiet", "-no_splash", NULL, NULL, "no banner and no information lines", set_quiet },
  { "-version", NULL, NULL, NULL, NULL, set_version },
  { "-help", "-h", NULL, NULL, NULL, set_help },
};
enum { OPTIONS = sizeof options / sizeof *options };

/* The usage continues on a second line if the first one becomes this long. */
enum { SYNOPSIS_WIDTH = 95, SYNOPSIS_INDENT = 17, HELP_INDENT = 16 };

static void add_synopsis(Text *text)
{
  size_t line = 0;
  text_put(text, "usage: slackline");
  for (int i = 0; i < OPTIONS; i++) {
    const ProgramOption *option = &options[i];
    const char *value = option->values ? option->values : option->value ? option->value : "";
    size_t length = strlen(option->word) + strlen(value) + 3 + (*value != '\0');
    if (text->len - line + length > SYNOPSIS_WIDTH) {
      text_printf(text, "\n%*s", SYNOPSIS_INDENT - 1, "");
      line = text->len;
    }
    text_printf(text, " [%s%s%s]", option->word, *value ? " " : "", value);
  }
  text_put(text, " [script [args]]\n");
}

static void add_help(Text *text, const ProgramOption *option)
{
  if (option->help == NULL) return;
  size_t start = text->len;
  text_printf(text, "  %s%s%s", option->word, option->value ? " " : "",
              option->value ? option->value : "");
  text_printf(text, "%*s", HELP_INDENT - (int)(text->len - start), "");
  for (const char *p = option->help; *p; p++) {
    text_char(text, *p);
    if (*p == '\n') text_printf(text, "%*s", HELP_INDENT, "");
  }
  text_char(text, '\n');
}

static void put_usage(FILE *file)
{
  Text t = { 0 };
  add_synopsis(&t);
  for (int i = 0; i < OPTIONS; i++) add_help(&t, &options[i]);
  fputs(text_get(&t), file);
  text_free(&t);
}

static int wrong(const char *format, const char *what)
{
  fprintf(stderr, format, what);
  fputs("\n", stderr);
  put_usage(stderr);
  return PROGRAM_USAGE;
}

/* Options may have one dash or two. */
static bool is(const char *word, const char *option)
{
  return option
         && (strcmp(word, option) == 0 || (word[0] == '-' && strcmp(word + 1, option) == 0));
}

static const ProgramOption *find_option(const char *word)
{
  for (int i = 0; i < OPTIONS; i++)
    if (is(word, options[i].word) || is(word, options[i].other)) return &options[i];
  return NULL;
}

/* 0, or the exit status for wrong usage. */
static int read_settings(Settings *settings, int count, char **words)
{
  int status = 0;
  for (int i = 1; i < count && status == 0; i++) {
    if (words[i][0] != '-') {
      settings->script = words[i];
      settings->script_args = i + 1;
      return add_file(settings, words[i]);
    }
    const ProgramOption *option = find_option(words[i]);
    if (option == NULL) return wrong("slackline: there is no option %s", words[i]);
    if (option->value && i + 1 == count) return wrong("slackline: %s lacks its value", words[i]);
    status = option->take(settings, option->value ? words[++i] : NULL);
  }
  return status;
}

/* --- the start -------------------------------------------------------------------------------- */

static void set_arguments(Console *console, const Settings *settings, int count, char **words)
{
  Tcl_Obj *args = Tcl_NewListObj(0, NULL);
  int first = settings->script ? settings->script_args : count;
  for (int i = first; i < count; i++)
    Tcl_ListObjAppendElement(NULL, args, Tcl_NewStringObj(words[i], -1));
  Tcl_SetVar2Ex(console->interp, "argc", NULL, Tcl_NewIntObj(count - first), TCL_GLOBAL_ONLY);
  Tcl_SetVar2Ex(console->interp, "argv", NULL, args, TCL_GLOBAL_ONLY);
  Tcl_SetVar(console->interp, "argv0", settings->script ? settings->script : words[0],
             TCL_GLOBAL_ONLY);
  Tcl_SetVar(console->interp, "tcl_interactive", "0", TCL_GLOBAL_ONLY);
}

static void banner(Console *console)
{
  Text t = { 0 };
  text_printf(&t, "Slackline %s\nengine: ", PACKAGE_VERSION);
  session_engine_text(console->session, &t);
  text_char(&t, '\n');
  console_write(console, text_get(&t), t.len);
  text_free(&t);
}

static char *home_file(const char *name)
{
  const char *home = getenv("HOME");
  if (home == NULL || *home == '\0') return NULL;
  Text t = { 0 };
  text_printf(&t, "%s/%s", home, name);
  return t.at;
}

/* The error is shown once; the exit status follows from it. */
static int report(Console *console, int code)
{
  if (code == TCL_OK) return 0;
  int status = script_exit_status(console);
  Text t = { 0 };
  script_error_text(console, &t);
  console_error_line(console, text_get(&t));
  text_free(&t);
  return status;
}

static int read_init(Console *console, const Settings *settings)
{
  Text path = { 0 };
  int status = 0;
  if (console_find_file(console, "tcl", "init.tcl", &path))
    status = report(console, script_file(console, text_get(&path), SCRIPT_GLOBAL));
  char *own = settings->no_init ? NULL : home_file(".slackline");
  if (status == 0 && own && access(own, R_OK) == 0) {
    log_info(console->session->log, "SHELL-100", "reading %s", own);
    status = report(console, script_file(console, own, SCRIPT_GLOBAL));
  }
  mem_free(own);
  text_free(&path);
  return status;
}

static int run_steps(Console *console, const Settings *settings)
{
  int status = 0;
  for (uint32_t i = 0; i < settings->steps.len && status == 0; i++) {
    const Step *step = &settings->steps.at[i];
    int code = step->is_file ? script_file(console, step->text, SCRIPT_GLOBAL)
                             : script_line(console, step->text);
    console_sum_up(console);
    status = report(console, code);
  }
  return status;
}

static bool has_prompt(const Settings *settings) { return !settings->exit && isatty(STDIN_FILENO); }

static int run(Console *console, const Settings *settings)
{
  bool prompt = has_prompt(settings);
  if (!settings->quiet) banner(console);
  int status = read_init(console, settings);
  if (status == 0) status = run_steps(console, settings);
  if (prompt) {
    interrupt_clear();
    return shell_prompt(console);
  }
  if (status == 0 && !settings->exit) status = report(console, shell_read_stdin(console));
  console_sum_up(console);
  return console_status(console, status);
}

int main(int count, char **words)
{
  Settings settings = { .engine_options = engine_options_preset() };
  mem_keep_freed();
  setlocale(LC_CTYPE, "");
  int status = read_settings(&settings, count, words);
  if (status == 0 && settings.help) put_usage(stdout);
  else if (status == 0 && settings.version) printf("slackline %s\n", PACKAGE_VERSION);
  if (status || settings.help || settings.version) {
    array_free(&settings.steps);
    return status;
  }
  Tcl_FindExecutable(words[0]);
  Console *console = console_new(session_rows());
  commands_register(console);
  console->quiet = settings.quiet;
  console->session->threads = settings.threads;
  console->session->engine = settings.engine;
  console->session->engine_options = settings.engine_options;
  console->history_file = home_file(".slackline_history");
  shell_add_unknown(console);
  shell_catch_interrupts(console, has_prompt(&settings));
  set_arguments(console, &settings, count, words);
  status = run(console, &settings);
  console_flush(console);
  console_free(console);
  array_free(&settings.steps);
  Tcl_Finalize();
  return status;
}
