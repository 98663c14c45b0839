/* The console connects commands with the outside: the interpreter, the destination of output, the
   scripts being read, and the options of the shell. Each session has one; session->shell points to
   it. */
#ifndef SL_TCLBIND_CONSOLE_H
#define SL_TCLBIND_CONSOLE_H

#include <stdio.h>
#include <tcl.h>

#include "base/text.h"
#include "tclbind/command.h"

/* Output goes to the innermost sink: a text or a Tcl value (capture), or a file (redirection).
   Without a sink it goes to stdout. */
typedef struct {
  Text *text;
  Tcl_Obj *value;           /* unshared */
  bool *full;               /* set if the value would be larger than Tcl allows */
  FILE *file;
} Sink;

/* What happens with the rest of a script if one of its commands fails. */
typedef enum {
  ERROR_STOPS,
  ERROR_OF_CONSTRAINT_PASSES,  /* the error of a constraint command is reported, and the script
                                  continues; other errors stop it */
  ERROR_PASSES                 /* all errors are reported, and the script continues */
} OnError;

/* A script being read, innermost last. */
typedef struct {
  const char *file;
  uint32_t    line;          /* line of the running command */
  bool        is_sdc;
  bool        must_stop;     /* -stop_on_error was given for this script or for one that reads it */
  uint8_t     on_error;      /* OnError */
  uint32_t    catches;       /* how deep the running command is inside catch and try */
  uint32_t    passed;        /* errors that were passed over within the running command */
} RunningScript;

/* A collection that a script grows or shrinks in steps (collection.h): a base or a result. */
typedef struct {
  const void *value;         /* compared but never dereferenced */
  uint32_t    steps;         /* that led to it, and that began with it or its bases */
  uint32_t    patience;      /* so many steps are worth a view */
  uint64_t    used;          /* Console.steps of the last one */
  bool        was_view;
} Growth;
enum { GROWTHS = 32 };       /* number of collections at the same time, two each */

/* A list that stays unchanged and is the base of several steps in a row, or is looked into several
   times (tclbind/collection.h). */
typedef struct {
  Tcl_Obj *base;             /* holds a reference if there is a view; else it is only compared */
  Tcl_Obj *view;             /* a view of the same items; may be NULL */
  bool     tried;            /* there is a view, or there cannot be one */
  uint32_t steps, looks;
} SameBase;
enum { SAME_BASES = 16 };    /* number of such lists at the same time */

typedef struct Console Console;
struct Console {
  Session    *session;
  Tcl_Interp *interp;
  bool quiet;                /* no banner, no information lines */
  bool interactive;          /* a person types: abbreviations, pager, shortened results */
  uint32_t result_limit;     /* number of elements of a result that a person sees; 0 means all */
  uint32_t continued;        /* number of errors that scripts passed over */
  uint32_t cut;              /* those that ended a loop, a condition or a procedure early */
  uint32_t lost;             /* number of commands whose open brace took the rest of their script */
  const Command *done;       /* the last command that was done before an interrupt took effect,
                                since the flag was cleared; NULL if none */
  uint32_t recovering;       /* number of running scripts that continue after errors */
  size_t failed_values;      /* number of live values that stand for a failed command
                                (recovery.h) */
  double started;            /* start time, seconds of the monotonic clock */

  ARRAY(Sink) sinks;
  /* shows long output on a terminal; NULL if there is no pager */
  void (*page)(struct Console *console, const char *text, size_t length);
  FILE *log_file;            /* file of log_begin: all output and messages */
  FILE *command_log;         /* file of record_begin: commands as given, for replay */

  ARRAY(RunningScript) scripts;
  Text located;              /* the last error that got a file and a line; it must not get others */
  Text trace;                /* "from FILE:LINE" lines of that error */

  Growth growths[GROWTHS];
  uint64_t steps;            /* on collections so far */
  SameBase same_bases[SAME_BASES];
  uint32_t next_base;

  ARRAY(char *) history;
  char *history_file;
};

Console *console_new(SessionRows rows);  /* makes a session and an interpreter; commands_register
                                            then adds the commands */
void     console_free(Console *console);
Console *console_of(const Session *s);

void console_write(Console *console, const char *text, size_t length);
void console_push(Console *console, Sink sink);
void console_pop(Console *console);
void console_flush(Console *console);
/* Append the interpreter's result, or the text of an error, as it is shown. A person sees at most
   result_limit elements of a list and a corresponding number of characters. */
void console_add_result(Console *console, Text *text);
void console_add_error(Console *console, Text *out, const char *text);
void console_error_line(Console *console, const char *text); /* writes to stderr and to the output's
                                                             log */
/* Gives the warnings at the end of a script or line: contradictions in constraints, and the number
   of warnings that were held back. */
void console_sum_up(Console *console);

/* The sink of the log. Information goes to stdout, warnings go to stderr, and both go to the
   output's log. */
void console_on_message(void *data, const Message *message);

/* Finds a file of the program, such as "tcl", "init.tcl". Appends its path to *text; returns
   false if it does not exist. */
bool console_find_file(Console *console, const char *folder, const char *name, Text *text);

Where console_where(const Console *console);

/* --- scripts (script.c) ----------------------------------------------------------------------- */
enum {
  SCRIPT_ECHO = 1, SCRIPT_VERBOSE = 2, SCRIPT_GLOBAL = 4,
  SCRIPT_SDC = 8,            /* errors are reported, passed over and counted in Console.continued */
  SCRIPT_SOURCED = 16,       /* in batch, errors of constraint commands are treated like this */
  SCRIPT_STOP = 32           /* no error is passed over */
};
/* Evaluates a file, plain or gzip, command by command and returns a Tcl code. Errors have the file
   and line. */
int script_file(Console *console, const char *path, unsigned flags);
/* Evaluates lines that a person typed or that were given with -x, and returns a Tcl code. */
int script_line(Console *console, const char *text);
/* Evaluates a text that begins at a line of a named stream. */
int script_block(Console *console, const char *name, uint32_t line, const char *text);
/* If the innermost script continues after an error of such a command, reports the error in the
   interpreter's result, counts it, and returns true. */
bool script_pass_error(Console *console, bool constraint);
/* Appends the error in the interpreter's result as it is shown: place, message and trace. */
void script_error_text(Console *console, Text *text);
/* What the program ends with (slackline(1)). */
enum { PROGRAM_GOOD = 0, PROGRAM_ERROR = 1, PROGRAM_USAGE = 2, PROGRAM_INTERRUPTED = 130 };
/* Returns the exit status for the error in the interpreter's result. */
int  script_exit_status(Console *console);
/* Returns the exit status of a session that ends without an explicit one: `status`, or that of
   errors after which scripts have continued. */
int  console_status(const Console *console, int status);

/* --- commands (command.c) --------------------------------------------------------------------- */
void commands_register(Console *console);
/* Returns NULL if there is none. With `prefix` a unique abbreviation is accepted. */
const Command *command_find(const Session *s, const char *name, bool prefix);
void command_usage(const Command *command, Text *text);          /* one line */
void command_help(const Command *command, Text *text); /* usage, summary, table of options */
const Option *option_find(const Command *command, const char *word, const char **problem);
/* Calls visit for each row in the order of tables; hidden rows only with `hidden`. */
void commands_each(const Session *s, bool hidden, void (*visit)(void *data, const Command *command),
                   void *data);
bool word_is_option(Tcl_Obj *word);
/* For commands that evaluate scripts: the command returns this Tcl code and the interpreter's
   result. */
void args_set_code(Args *a, int code);
/* Moves the log's first error to the interpreter's result and returns TCL_ERROR. */
int  command_failure(Console *console, bool usage);

/* --- completion (completion.c of the shell): candidates for the word that ends at `cursor` ---- */
Tcl_Obj *console_complete(Console *console, const char *text, int cursor);

#endif
