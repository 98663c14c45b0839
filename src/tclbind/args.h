/* A parsed command line. Private to command.c, args.c, help.c and scenarios.c. */
#ifndef SL_TCLBIND_ARGS_H
#define SL_TCLBIND_ARGS_H

#include "base/replace.h"
#include "base/text.h"
#include "tclbind/console.h"

/* An option or positional argument, in the order of the words. */
typedef struct {
  const Option *option;
  Tcl_Obj      *value;        /* holds a reference; NULL for flags */
  Tcl_Obj      *name;         /* the name of an object that was given for a text; holds a reference;
                                 may be NULL */
  double        number;       /* a checked number in internal units, or the index of the word of
                                 ARG_ENUM */
  ObjectArray   objects;
  bool          dropped;      /* a later use replaces it */
} Use;

struct Args {
  Console       *console;
  const Command *command;
  ARRAY(Use)     uses;
  FILE          *redirect;
  Replacement    replacement; /* the file of the redirection */
  bool           buffered;    /* output is collected for the pager */
  Text           buffer;
  Tcl_Obj       *result;      /* referenced */
  int            code;        /* the Tcl code of a script inside the command: TCL_RETURN, TCL_ERROR,
                                 ...; its result is kept */
  bool           done;        /* the command is done: an interrupt can no longer prevent its
                                 changes */
  bool           ignore;      /* an SDC command whose names match nothing; it is not run */
};

/* Parses the words to uses. On failure the error in the log is one of usage, unless *usage was
   cleared. */
Status args_parse(Args *a, int count, Tcl_Obj *const words[], bool *usage);
void   args_clear(Args *a);

#endif
