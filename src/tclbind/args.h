/* What a parsed command line is: private to command.c, args.c, help.c and scenarios.c. */
#ifndef SL_TCLBIND_ARGS_H
#define SL_TCLBIND_ARGS_H

#include "base/replace.h"
#include "base/text.h"
#include "tclbind/console.h"

/* One option or positional argument as given, in the order of the words. */
typedef struct {
  const Option *option;
  Tcl_Obj      *value;        /* referenced; NULL for flags */
  Tcl_Obj      *name;         /* referenced: of an object given where a text is asked for; NULL */
  double        number;       /* checked numbers, in internal units; index of ARG_ENUM's word */
  ObjectArray   objects;
  bool          dropped;      /* given again later */
} Use;

struct Args {
  Console       *console;
  const Command *command;
  ARRAY(Use)     uses;
  FILE          *redirect;
  Replacement    place;       /* of the redirection */
  bool           buffered;    /* output waits for the pager */
  Text           buffer;
  Tcl_Obj       *result;      /* referenced */
  int            code;        /* what a script within the command returned: TCL_RETURN,
                                 TCL_ERROR...; its result stands */
  bool           done;        /* an interrupt comes too late to keep it from changing things */
  bool           ignore;      /* an SDC command whose names matched nothing: not to be run */
};

/* Words to uses: options, positions, types, objects.  The error in the log is one of usage unless
   *usage is cleared. */
Status args_parse(Args *a, int count, Tcl_Obj *const words[], bool *usage);
void   args_clear(Args *a);

#endif
