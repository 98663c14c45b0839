/* Commands as data.

   One constant row says everything about a command: name, group, summary, options (name, type,
   default, help), function.  Parsing, help, -help, abbreviations, completion and the manual's check
   read it.

     static const Option options[] = {
       { "-hold",   ARG_FLAG,    .help = "hold instead of setup" },
       { "-digits", ARG_INT,     .value = "N", .preset = "3", .help = "digits after the point" },
       { "-from",   ARG_OBJECTS, .kinds = OBJS_PATH_END, .flags = OPT_REPEAT, .help = "..." },
       { "pins",    ARG_OBJECTS, .kinds = OBJS_PORT_PIN, .flags = OPT_REQUIRED, .help = "..." },   // no dash: positional
       { 0 } };
     const Command cmd_report_x = { "report_x", "reporting", "one line", options, run_report_x, CMD_REDIRECT };

   A row's function gets the parsed Args, makes one library call and formats the answer.  tcl.h is
   known to src/tclbind and the folders behind it alone. */
#ifndef SL_TCLBIND_COMMAND_H
#define SL_TCLBIND_COMMAND_H

#include <limits.h>
#include <tcl.h>

#include "tclbind/session.h"
#include "db/object.h"

typedef enum {
  ARG_FLAG,
  ARG_INT, ARG_FLOAT,       /* checked numbers; ARG_FLOAT in user units as given */
  ARG_TIME, ARG_CAP, ARG_RES,   /* numbers in the user's unit, given to the function in internal
                                   units */
  ARG_TEXT, ARG_FILE,
  ARG_ENUM,                 /* .value lists the words: "full|short|end"; unique prefixes do */
  ARG_OBJECTS,              /* collection, list of names or objects; .kinds gives types in order of
                               resolution */
  ARG_LIST,                 /* a Tcl list, as it is; not empty but with OPT_PATTERNS */
  ARG_SCRIPT
} ArgType;

enum { /* Option.flags */
       OPT_REQUIRED = 1,
       OPT_REPEAT = 2,
       OPT_REST = 4 /* positional: takes all that is left */,
       OPT_HIDDEN = 8,
       OPT_PATTERNS = 16, /* ARG_OBJECTS where names are patterns (get_*) or may match nothing;
                               ARG_LIST that may be empty */
       OPT_MAY_LACK_VALUE =
           64, /* it has a value where there is a word more than the positional rows
                               take */
       OPT_FEWER = 32, /* ARG_OBJECTS that may match nothing, with a warning for each name
                               unless -quiet is given */
       OPT_LATE = 128, /* ARG_OBJECTS whose kinds depend on other words: the function asks with
                               args_resolve first */
       OPT_NAMES = 256 /* ARG_TEXT that is a collection, or a list of names, whose escapes
                               stay */
};

typedef struct {
  const char *name;         /* "-x" option, "x" positional */
  ArgType     type;
  const char *value;        /* how help shows the value; for ARG_ENUM the words */
  const char *preset;       /* default, as text; NULL: none */
  unsigned    flags;
  unsigned    kinds;        /* OBJ_BIT set for ARG_OBJECTS */
  const char *help;
  double      least, most;  /* of ARG_INT and ARG_FLOAT; both 0: any */
} Option;

/* The range of a number: RANGE(0, 15), AT_LEAST(1). */
#define RANGE(least_, most_) .least = least_, .most = most_
#define AT_LEAST(least_) RANGE(least_, INT_MAX)

struct Args;
typedef struct Args Args;

enum {                      /* Command.flags */
  CMD_REDIRECT = 1,         /* takes > file and >> file */
  CMD_HIDDEN = 2,
  CMD_NEEDS_DESIGN = 4,     /* fails with one message when no design is linked */
  CMD_SDC = 8,              /* belongs in SDC files */
  CMD_EACH_SCENARIO = 16,   /* runs in each of the scenarios asked for, all by default
                               (OPTIONS_SCENARIOS; tclbind/scenarios.h) */
  CMD_IN_SCENARIO = 32,     /* the same, in the current one by default */
  CMD_NEEDS_SCENARIO = 64,  /* with CMD_IN_SCENARIO: fails where the current mode is in none */
  CMD_RAISES = 128,         /* its error is that of the procedure that calls it */
  CMD_FORGETS = 256,        /* takes constraints back; tells when there are none (SDC-170) */
  CMD_CHANGES = 512,        /* changes something else, in a short time: an interrupt waits for its
                               end (tclbind/change.h) */
  CMD_ANNOTATES = 1024,     /* changes annotation */
  CMD_READS = 2048,         /* OK: all was done, even if an interrupt came at its very end */
  CMD_SCRIPTS = 4096,       /* evaluates a script whose output > takes */
  CMD_ALTERS = CMD_SDC | CMD_CHANGES | CMD_ANNOTATES
};

typedef struct Command {
  const char   *name, *group, *summary;
  const Option *options;    /* ends with a row of zeros; NULL: none */
  Status      (*run)(Session *s, Args *args);
  unsigned      flags;
  const char   *details;    /* more for the manual: what the one line cannot say; NULL */
  const char   *example;    /* lines of a script that runs on the example design; NULL */
} Command;

/* --- what a command's function asks ----------------------------------------------------------- */
bool        args_given(const Args *a, const char *option);
bool        args_flag(const Args *a, const char *option);
/* Is the file to write compressed: -gzip, or a name that ends in .gz? */
bool        args_gzip(const Args *a);
int         args_int(const Args *a, const char *option);
/* the preset when not given; NAN without */
double      args_number(const Args *a, const char *option);
/* NULL when not given and no preset */
const char *args_text(const Args *a, const char *option);
int         args_enum(const Args *a, const char *option);            /* index of the word; -1 */
Tcl_Obj    *args_object(const Args *a, const char *option);          /* the Tcl value; NULL */
/* Objects of an ARG_OBJECTS option: resolved before the function runs; empty when not given.
   For OPT_REPEAT options: of the i-th use. */
uint32_t      args_count(const Args *a, const char *option);         /* how often it was used */
/* Of an OPT_LATE option: its objects, of these kinds. */
Status        args_resolve(Args *a, const char *option, unsigned kinds);
const Object *args_objects(const Args *a, const char *option, uint32_t use, uint32_t *count);
/* Repeatable options in the order of the words of the command (for -through chains in which
   -rise_through and -through alternate): the i-th option used whose name is one of the
   comma-separated names. */
bool args_next_of(const Args *a, const char *names, uint32_t *position, const char **name,
                  uint32_t *use);
const char *args_command(const Args *a);                             /* its name */
/* file:line of the command, as far as it is known. */
Where       args_where(const Args *a);

/* --- what it answers -------------------------------------------------------------------------- */
/* to the terminal or the redirection */
void args_print(Args *a, const char *format, ...) __attribute__((format(printf, 2, 3)));
void args_write(Args *a, const char *text, size_t length);
void args_return(Args *a, Tcl_Obj *result);
void args_return_objects(Args *a, const Object *objects, uint32_t count);     /* a collection */
void args_return_number(Args *a, double value);
void args_return_text(Args *a, const char *text);

#endif
