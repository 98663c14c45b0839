/* Commands as data.

   One constant row describes a command: name, group, summary, options (name, type, default, help),
   function. Parser, help, completion and manual all use the row.

     static const Option options[] = {
       { "-hold",   ARG_FLAG,    .help = "hold instead of setup" },
       { "-digits", ARG_INT,     .value = "N", .preset = "3", .help = "digits after the point" },
       { "-from",   ARG_OBJECTS, .kinds = OBJS_PATH_END, .flags = OPT_REPEAT, .help = "..." },
       { "pins",    ARG_OBJECTS, .kinds = OBJS_PORT_PIN, .flags = OPT_REQUIRED, .help = "..." },
       { 0 } };
     { "report_x", "reporting", "one line", options, run_report_x, CMD_REDIRECT }

   A name without a dash is a positional argument. The function of a row gets the parsed Args, makes
   one library call and formats the answer. Only src/tclbind and the folders below it in HACKING's
   table include tcl.h. */
#ifndef SL_TCLBIND_COMMAND_H
#define SL_TCLBIND_COMMAND_H

#include <limits.h>
#include <tcl.h>

#include "tclbind/session.h"
#include "db/object.h"

typedef enum {
  ARG_FLAG,
  ARG_INT, ARG_FLOAT,       /* checked numbers; ARG_FLOAT is not converted */
  ARG_TIME, ARG_CAP, ARG_RES,   /* numbers in the user's unit; the function gets them in internal
                                   units */
  ARG_TEXT, ARG_FILE,
  ARG_ENUM,                 /* .value lists the words, "full|short|end"; a unique prefix is
                               accepted */
  ARG_OBJECTS,              /* a collection, or a list of names or objects; .kinds has the allowed
                               types */
  ARG_LIST,                 /* a Tcl list without conversion; it may be empty only with
                               OPT_PATTERNS */
  ARG_SCRIPT
} ArgType;

enum { /* Option.flags */
       OPT_REQUIRED = 1,
       OPT_REPEAT = 2,
       OPT_REST = 4 /* positional: takes all remaining words */,
       OPT_HIDDEN = 8,
       OPT_PATTERNS = 16, /* ARG_OBJECTS: names are patterns (get_*) or may match nothing; ARG_LIST:
                             it may be empty */
       OPT_MAY_LACK_VALUE =
           64, /* the option has a value only if the command has more words than its positional
                  arguments take */
       OPT_FEWER = 32, /* ARG_OBJECTS: names may match nothing, with a warning for each name unless
                          -quiet is given */
       OPT_LATE = 128, /* ARG_OBJECTS whose kinds depend on other words; the function first calls
                          args_resolve */
       OPT_NAMES = 256 /* ARG_TEXT that is a collection or a list of names; escapes in it stay */
};

typedef struct {
  const char *name;         /* "-x" option, "x" positional */
  ArgType     type;
  const char *value;        /* the name of the value in help; for ARG_ENUM the words */
  const char *preset;       /* default as text; NULL if none */
  unsigned    flags;
  unsigned    kinds;        /* OBJ_BIT set for ARG_OBJECTS */
  const char *help;
  double      least, most;  /* range of a number as the user writes it; no limits if both are 0.
                               Numbers of constraints have no range here: sdc_number and
                               sdc_number_not_negative check them (sdc/sdc_command.h) */
} Option;

/* The range of a number: RANGE(0, 15), AT_LEAST(1). */
#define RANGE(least_, most_) .least = least_, .most = most_
#define AT_LEAST(least_) RANGE(least_, INT_MAX)

struct Args;
typedef struct Args Args;

enum {                      /* Command.flags */
  CMD_REDIRECT = 1,         /* accepts > file and >> file */
  CMD_HIDDEN = 2,
  CMD_NEEDS_DESIGN = 4,     /* fails with one message if no design is linked */
  CMD_SDC = 8,              /* a constraint command, which may stand in SDC files */
  CMD_EACH_SCENARIO = 16,   /* runs in each given scenario; in all by default (OPTIONS_SCENARIOS;
                               tclbind/scenarios.h) */
  CMD_IN_SCENARIO = 32,     /* the same; in the current scenario by default */
  CMD_NEEDS_SCENARIO = 64,  /* with CMD_IN_SCENARIO: fails if the current mode is in no scenario */
  CMD_RAISES = 128,         /* its error is reported as that of the calling procedure */
  CMD_FORGETS = 256,        /* removes constraints; warns if there are none (SDC-170) */
  CMD_CHANGES = 512,        /* makes another short change: an interrupt waits for its end
                               (tclbind/change.h) */
  CMD_ANNOTATES = 1024,     /* changes annotation */
  CMD_READS = 2048,         /* looks at interrupts itself: if it returns OK, everything was done,
                               even if an interrupt came at the end; else nothing was */
  CMD_SCRIPTS = 4096,       /* evaluates a script; > takes the output of the script */
  CMD_PAIRS = 8192,         /* makes a record for each pair of objects of two options */
  CMD_PROPERTIES = 16384,   /* its manual page lists all properties (tclbind/property.h) */
  CMD_LIVE = 32768,         /* its output appears line by line, not through the pager */
  CMD_ALTERS = CMD_SDC | CMD_CHANGES | CMD_ANNOTATES
};

/* group: any text. `help` shows the groups in the order in which the tables first use them
   (cmd/tables.c). */
typedef struct Command {
  const char   *name, *group, *summary;
  const Option *options;    /* ends with a row of zeros; NULL if none */
  Status      (*run)(Session *s, Args *args);
  unsigned      flags;
  const char   *details;    /* further text for the manual; may be NULL */
  const char   *example;    /* lines of a script that runs on the example design; may be NULL */
} Command;

/* --- for a command's function: its arguments -------------------------------------------------- */
bool        args_given(const Args *a, const char *option);
bool        args_flag(const Args *a, const char *option);
/* Is the file to be compressed, by -gzip or by a name that ends in .gz? */
bool        args_gzip(const Args *a);
int         args_int(const Args *a, const char *option);
/* the preset if not given; NAN without a preset */
double      args_number(const Args *a, const char *option);
/* NULL if not given and without a preset */
const char *args_text(const Args *a, const char *option);
/* index of the word; -1 if not given */
int         args_enum(const Args *a, const char *option);
/* the Tcl value; NULL if not given */
Tcl_Obj    *args_object(const Args *a, const char *option);
/* The names of files in a list of words: a word that is no file but a list, such as what glob
   returns, counts as its elements. The value must be released (Tcl_DecrRefCount). */
Tcl_Obj    *args_files(const Args *a, const char *option);
/* args_objects returns the objects of an ARG_OBJECTS option, which were resolved before the
   function runs; none if not given. `use` selects the use of an OPT_REPEAT option. */
uint32_t      args_count(const Args *a, const char *option);         /* number of uses */
/* Resolves the objects of an OPT_LATE option to these kinds. */
Status        args_resolve(Args *a, const char *option, unsigned kinds);
const Object *args_objects(const Args *a, const char *option, uint32_t use, uint32_t *count);
/* Visits uses of several options in the order of the command's words, for chains in which -through
   and -rise_through alternate. `names` are comma-separated. *position begins with 0. */
bool args_next_of(const Args *a, const char *names, uint32_t *position, const char **name,
                  uint32_t *use);
const char *args_command(const Args *a);                             /* name of the command */
/* Returns the file and line of the command, if known. */
Where       args_where(const Args *a);

/* --- for a command's function: its answer ----------------------------------------------------- */
/* to the terminal or the redirection */
void args_print(Args *a, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Shows what was printed so far; with CMD_LIVE also to a person at the prompt. */
void args_flush(Args *a);
void args_write(Args *a, const char *text, size_t length);
void args_return(Args *a, Tcl_Obj *result);
void args_return_objects(Args *a, const Object *objects, uint32_t count);     /* a collection */
void args_return_number(Args *a, double value);
void args_return_text(Args *a, const char *text);

#endif
