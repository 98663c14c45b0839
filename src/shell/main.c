/* slackline: options, scripts, then the prompt. */
#ifdef HAVE_CONFIG_H
#include <config.h>
#endif

#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/interrupt.h"
#include "cmd/tables.h"
#include "shell/shell.h"

#ifndef PACKAGE_VERSION
#define PACKAGE_VERSION "0.1.0"
#endif

static const char usage_text[] =
    "usage: slackline [-f script] [-x command] [-exit] [-threads N] [-engine "
    "auto|cpu|cuda|emulated]\n"
    "                 [-device N] [-no_init] [-quiet] [-version] [-help] [script [args]]\n"
    "  -f script     evaluate a script; may be repeated, in order with -x\n"
    "  -x command    evaluate a command; may be repeated\n"
    "  -exit         end after the scripts and commands; without it a prompt follows\n"
    "  -threads N    threads to use; default OMP_NUM_THREADS, else the processors that affinity "
    "and control groups\n"
    "                leave to the process; work too small to share takes one of them\n"
    "  -engine E     auto, cpu, cuda or emulated (the kernels for CUDA, run by the CPU: for "
    "tests)\n"
    "  -device N     which CUDA device of several; default 0\n"
    "  -no_init      do not read ~/.slackline\n"
    "  -quiet        no banner and no information lines\n";

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

enum { USAGE = 2 };

static int wrong(const char *format, const char *what)
{
  fprintf(stderr, format, what);
  fputs("\n", stderr);
  fputs(usage_text, stderr);
  return USAGE;
}

/* --- the command line ------------------------------------------------------------------------- */

static bool is(const char *word, const char *option)
{
  return strcmp(word, option) == 0 || (word[0] == '-' && strcmp(word + 1, option) == 0);
}

static bool set_engine(Settings *o, const char *name)
{
  static const char *const names[] = { "auto", "cpu", "cuda", "emulated" };
  for (uint8_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strcmp(names[i], name) == 0) {
      o->engine = i;
      return true;
    }
  return false;
}

enum { MAX_THREADS = 4096 };
_Static_assert(MAX_THREADS == 4096, "threads_wanted says so");
static const char threads_wanted[] =
    "slackline: -threads takes a whole number from 0 (all) to 4096, not '%s'";

static bool set_threads(Settings *o, const char *text)
{
  char *end;
  long n = strtol(text, &end, 10);
  if (end == text || *end || n < 0 || n > MAX_THREADS) return false;
  o->threads = (int)n;
  return true;
}

static int set_device(Settings *o, const char *text)
{
  const EngineOptionRow *row = engine_option_find("device");
  return engine_option_set(&o->engine_options, row, text)
             ? 0
             : wrong("slackline: -device takes a whole number from 0 to 255, not '%s'", text);
}

static bool take_flag(Settings *o, const char *word)
{
  if (is(word, "-exit")) o->exit = true;
  else if (is(word, "-no_init")) o->no_init = true;
  else if (is(word, "-quiet") || is(word, "-no_splash")) o->quiet = true;
  else if (is(word, "-help") || strcmp(word, "-h") == 0) o->help = true;
  else if (is(word, "-version")) o->version = true;
  else return false;
  return true;
}

/* 0, or the exit status for wrong usage. */
static int take_value(Settings *o, const char *word, const char *value)
{
  if (value == NULL) return wrong("slackline: %s lacks its value", word);
  if (is(word, "-f")) array_push(&o->steps, (Step){ true, value });
  else if (is(word, "-x")) array_push(&o->steps, (Step){ false, value });
  else if (is(word, "-threads")) return set_threads(o, value) ? 0 : wrong(threads_wanted, value);
  else if (is(word, "-device")) return set_device(o, value);
  else
    return set_engine(o, value)
               ? 0
               : wrong("slackline: -engine is auto, cpu, cuda or emulated, not '%s'", value);
  return 0;
}

static bool takes_value(const char *word)
{
  return is(word, "-f") || is(word, "-x") || is(word, "-threads") || is(word, "-engine")
         || is(word, "-device");
}

static int read_settings(Settings *o, int count, char **words)
{
  int status = 0;
  for (int i = 1; i < count && status == 0; i++) {
    if (words[i][0] != '-') {
      o->script = words[i];
      o->script_args = i + 1;
      array_push(&o->steps, (Step){ true, words[i] });
      return 0;
    }
    if (take_flag(o, words[i])) continue;
    if (!takes_value(words[i])) return wrong("slackline: there is no option %s", words[i]);
    status = take_value(o, words[i], i + 1 < count ? words[i + 1] : NULL);
    i++;
  }
  return status;
}

/* --- the start -------------------------------------------------------------------------------- */

static void set_arguments(Console *c, const Settings *o, int count, char **words)
{
  Tcl_Obj *args = Tcl_NewListObj(0, NULL);
  int first = o->script ? o->script_args : count;
  for (int i = first; i < count; i++)
    Tcl_ListObjAppendElement(NULL, args, Tcl_NewStringObj(words[i], -1));
  Tcl_SetVar2Ex(c->interp, "argc", NULL, Tcl_NewIntObj(count - first), TCL_GLOBAL_ONLY);
  Tcl_SetVar2Ex(c->interp, "argv", NULL, args, TCL_GLOBAL_ONLY);
  Tcl_SetVar(c->interp, "argv0", o->script ? o->script : words[0], TCL_GLOBAL_ONLY);
  Tcl_SetVar(c->interp, "tcl_interactive", "0", TCL_GLOBAL_ONLY);
}

static void banner(Console *c)
{
  Text t = { 0 };
  text_printf(&t, "Slackline %s\nengine: ", PACKAGE_VERSION);
  session_engine_text(c->session, &t);
  text_char(&t, '\n');
  console_write(c, text_get(&t), t.len);
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
static int report(Console *c, int code)
{
  if (code == TCL_OK) return 0;
  int status = script_exit_status(c);
  Text t = { 0 };
  script_error_text(c, &t);
  console_error_line(c, text_get(&t));
  text_free(&t);
  return status;
}

static int read_init(Console *c, const Settings *o)
{
  Text path = { 0 };
  int status = 0;
  if (console_find_file(c, "tcl", "init.tcl", &path))
    status = report(c, script_file(c, text_get(&path), SCRIPT_GLOBAL));
  char *own = o->no_init ? NULL : home_file(".slackline");
  if (status == 0 && own && access(own, R_OK) == 0) {
    log_info(c->session->log, "SHELL-100", "reading %s", own);
    status = report(c, script_file(c, own, SCRIPT_GLOBAL));
  }
  mem_free(own);
  text_free(&path);
  return status;
}

static int run_steps(Console *c, const Settings *o)
{
  int status = 0;
  for (uint32_t i = 0; i < o->steps.len && status == 0; i++) {
    const Step *step = &o->steps.at[i];
    int code =
        step->is_file ? script_file(c, step->text, SCRIPT_GLOBAL) : script_line(c, step->text);
    console_sum_up(c);
    status = report(c, code);
  }
  return status;
}

static bool has_prompt(const Settings *o) { return !o->exit && isatty(STDIN_FILENO); }

static int run(Console *c, const Settings *o)
{
  bool prompt = has_prompt(o);
  if (!o->quiet) banner(c);
  int status = read_init(c, o);
  if (status == 0) status = run_steps(c, o);
  if (prompt) {
    interrupt_clear();
    return shell_prompt(c);
  }
  if (status == 0 && !o->exit) status = report(c, shell_read_stdin(c));
  console_sum_up(c);
  return status == 0 && c->continued ? 1 : status;
}

int main(int count, char **words)
{
  Settings settings = { .engine_options = engine_options_preset() };
  setlocale(LC_CTYPE, "");
  int status = read_settings(&settings, count, words);
  if (status == 0 && settings.help) fputs(usage_text, stdout);
  else if (status == 0 && settings.version) printf("slackline %s\n", PACKAGE_VERSION);
  if (status || settings.help || settings.version) {
    array_free(&settings.steps);
    return status;
  }
  Tcl_FindExecutable(words[0]);
  Console *c = console_new(session_rows());
  commands_register(c);
  c->quiet = settings.quiet;
  c->session->threads = settings.threads;
  c->session->engine = settings.engine;
  c->session->engine_options = settings.engine_options;
  c->history_file = home_file(".slackline_history");
  shell_add_unknown(c);
  shell_catch_interrupts(c, has_prompt(&settings));
  set_arguments(c, &settings, count, words);
  status = run(c, &settings);
  console_flush(c);
  console_free(c);
  array_free(&settings.steps);
  Tcl_Finalize();
  return status;
}
