/* The console: what lies between commands and the outside: the interpreter, where output goes,
   which script is being read, how the shell was started.  One a session; session->shell points at
   it. */
#ifndef SL_TCLBIND_CONSOLE_H
#define SL_TCLBIND_CONSOLE_H

#include <stdio.h>
#include <tcl.h>

#include "base/text.h"
#include "tclbind/command.h"

/* Output goes to the innermost sink: a text or a Tcl value (capture), or a file (redirection);
   without one to stdout. */
typedef struct {
  Text *text;
  Tcl_Obj *value;           /* unshared */
  bool *full;               /* set when a value would be larger than Tcl allows */
  FILE *file;
} Sink;

/* What becomes of the rest of a script when one of its commands fails. */
typedef enum {
  ERROR_STOPS,
  ERROR_OF_CONSTRAINT_PASSES,  /* a constraint command's error is told and passed over, others
                                  stop */
  ERROR_PASSES                 /* all are told and passed over */
} OnError;

/* A script being read, innermost last. */
typedef struct {
  const char *file;
  uint32_t    line;          /* of the command under way */
  bool        is_sdc;
  bool        must_stop;     /* -stop_on_error, of this script or of one that reads it */
  uint8_t     on_error;      /* OnError */
  uint32_t    catches;       /* how deep its command under way is in catch and try */
  uint32_t    passed;        /* errors passed over within its command under way */
} ScriptPlace;

/* A collection that a script builds or takes apart in steps (collection.h). */
typedef struct {
  const void *value;         /* the latest result; only compared */
  uint32_t    steps, patience;
  bool        was_view;
} Growth;
enum { GROWTHS = 8 };        /* so many at the same time */

/* A list that is the base of several removals in a row and stays as it is
   (tclbind/collection.h). */
typedef struct {
  Tcl_Obj *base;             /* held while there is a view; else only compared */
  Tcl_Obj *view;             /* of the same items; NULL */
  uint32_t steps;
} SameBase;

typedef struct Console Console;
struct Console {
  Session    *session;
  Tcl_Interp *interp;
  bool quiet;                /* no banner, no information lines */
  bool interactive;          /* a person types: abbreviations, pager, results of lists cut short */
  uint32_t result_limit;     /* so many elements of a result are shown to a person; 0: all */
  uint32_t continued;        /* errors that scripts passed over */
  uint32_t cut;              /* those that ended a loop, a condition or a procedure half way */
  uint32_t lost;             /* commands whose open brace took the rest of their script */
  const Command *done;       /* the last one that an interrupt came too late for, since the flag was
                                cleared; NULL */
  uint32_t recovering;       /* scripts under way that go on after errors */
  size_t failed_values;      /* values alive that stand for what failed (recovery.h) */
  double started;            /* seconds, of the monotonic clock */

  ARRAY(Sink) sinks;
  /* long output on a terminal; NULL: none */
  void (*page)(struct Console *c, const char *text, size_t length);
  FILE *log_file;            /* log_begin: all output and messages */
  FILE *command_log;         /* commands as given, to replay */

  ARRAY(ScriptPlace) scripts;
  Text placed;               /* the last error that got a place: not to be given another */
  Text trace;                /* "from FILE:LINE" lines of that error */

  Growth growths[GROWTHS];
  uint32_t next_growth;
  SameBase same_base;

  ARRAY(char *) history;
  char *history_file;
};

Console *console_new(SessionRows rows);  /* with a session and an interpreter; commands_register
                                            gives it the commands */
void     console_free(Console *c);
Console *console_of(const Session *s);

void console_write(Console *c, const char *text, size_t length);
void console_push(Console *c, Sink sink);
void console_pop(Console *c);
void console_flush(Console *c);
/* Adds the interpreter's result as it is shown: whole, but to a person no more than result_limit
   elements of a list, and no more characters than as many elements may need.  An error's text
   likewise. */
void console_add_result(Console *c, Text *t);
void console_add_error(Console *c, Text *t, const char *text);
void console_error_line(Console *c, const char *text);    /* to stderr and the log */
/* What is told when all is said: contradictions in constraints, and how many warnings were held
   back. */
void console_sum_up(Console *c);

/* The log's sink: information to stdout, warnings to stderr, both to the output's log. */
void console_on_message(void *data, const Message *message);

/* Files of the program: "tcl", "init.tcl" -> path in *t; false when it is nowhere. */
bool console_find_file(Console *c, const char *folder, const char *name, Text *t);

Where console_where(const Console *c);

/* --- scripts (script.c) ----------------------------------------------------------------------- */
enum {
  SCRIPT_ECHO = 1, SCRIPT_VERBOSE = 2, SCRIPT_GLOBAL = 4,
  SCRIPT_SDC = 8,            /* errors are told, passed over and counted in Console.continued */
  SCRIPT_SOURCED = 16,       /* in batch those of constraint commands */
  SCRIPT_STOP = 32           /* none */
};
/* Evaluates a file (plain or gzip) command by command; a Tcl code.  Errors have the file and
   line. */
int script_file(Console *c, const char *path, unsigned flags);
/* One line or a block of lines typed by a person or given with -x; a Tcl code. */
int script_line(Console *c, const char *text);
/* Text that begins at a line of a named stream. */
int script_block(Console *c, const char *name, uint32_t line, const char *text);
/* Tells the error in the interpreter's result and counts it, where the innermost script goes on
   after such a command's. */
bool script_pass_error(Console *c, bool constraint);
/* What is to be shown of the error in the interpreter's result: place, message and trace. */
void script_error_text(Console *c, Text *t);
/* What the program ends with (slackline(1)). */
enum { PROGRAM_GOOD = 0, PROGRAM_ERROR = 1, PROGRAM_USAGE = 2, PROGRAM_INTERRUPTED = 130 };
/* Of the error in the interpreter's result. */
int  script_exit_status(Console *c);
/* The status that a session ends with, which nobody gave: `status`, or that of errors that scripts
   passed over. */
int  console_status(const Console *c, int status);

/* --- commands (command.c) --------------------------------------------------------------------- */
void commands_register(Console *c);
/* NULL when there is none; with `prefix`, a unique abbreviation does. */
const Command *command_find(const Session *s, const char *name, bool prefix);
void command_usage(const Command *command, Text *t);          /* one line */
void command_help(const Command *command, Text *t);           /* usage, summary, table of options */
const Option *option_find(const Command *command, const char *word, const char **problem);
/* Calls visit for each row that is not hidden (or for all), in table order. */
void commands_each(const Session *s, bool hidden, void (*visit)(void *data, const Command *command),
                   void *data);
bool word_is_option(Tcl_Obj *word);
/* For commands that evaluate scripts: the command ends with this Tcl code and the interpreter's
   result. */
void args_set_code(Args *a, int code);
/* Puts the log's first error into the interpreter's result; TCL_ERROR. */
int  command_failure(Console *c, bool usage);

/* --- completion (completion.c of the shell): candidates for the word that ends at `cursor` ---- */
Tcl_Obj *console_complete(Console *c, const char *text, int cursor);

#endif
