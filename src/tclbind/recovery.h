/* Going on behind a command that fails within a loop, a condition or a procedure of a constraint
   file.

   Such a command tells its error at once and gives the failed value, whose text is empty, so that
   the loop goes on.  A command with the failed value among its words has no effect either: silently
   within the statement (command of the file) that failed, as its error was told; later statements
   have an error of their own.  Within catch and try errors stay errors, so these count how deep a
   script is in them while it is read. */
#ifndef SL_TCLBIND_RECOVERY_H
#define SL_TCLBIND_RECOVERY_H

#include "tclbind/console.h"

/* From the first script that goes on to the last: catch and try count. */
void recovery_begin(Console *c);
void recovery_end(Console *c);

/* The command's error is told and passed over; else it stays the interpreter's. */
bool recovery_passes(Console *c, const Command *command);
/* A value that stands for the result of a failed command; reference count 0. */
Tcl_Obj *recovery_value(Console *c);

typedef enum { WORDS_GOOD, WORDS_SKIPPED, WORDS_FAILED } WordState;
/* WORDS_SKIPPED: told already; WORDS_FAILED: the error is in the log. */
WordState recovery_words(Console *c, const Command *command, int count, Tcl_Obj *const words[]);

/* Several commands as one: an error within ends them all. */
int recovery_evaluate_whole(Console *c, Tcl_Obj *script);

#endif
