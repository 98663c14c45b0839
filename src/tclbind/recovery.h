/* Continues after a command that fails within a loop, a condition or a procedure of a constraint
   file.

   Such a command reports its error at once and returns the failed value, whose text is empty, so
   the loop continues. A command with the failed value among its words has no effect either. Within
   the failed statement of the file it is silent, because the error was reported; a later statement
   reports an error of its own. Within catch and try errors stay errors, so the script counts how
   deep it is inside them. */
#ifndef SL_TCLBIND_RECOVERY_H
#define SL_TCLBIND_RECOVERY_H

#include "tclbind/console.h"

/* Between these calls catch and try count their depth. They surround the scripts that continue
   after errors. */
void recovery_begin(Console *console);
void recovery_end(Console *console);

/* Reports the command's error and returns true if the script continues. Otherwise the error stays
   in the interpreter. */
bool recovery_passes(Console *console, const Command *command);
/* Returns the value that stands for the result of a failed command, with reference count 0. */
Tcl_Obj *recovery_value(Console *console);

typedef enum { WORDS_GOOD, WORDS_SKIPPED, WORDS_FAILED } WordState;
/* Tests the words of a command for failed values. WORDS_SKIPPED means that the error was already
   reported; WORDS_FAILED means that the error is in the log. */
WordState recovery_words(Console *console, const Command *command, int count,
                         Tcl_Obj *const words[]);

/* Evaluates several commands as one: an error ends all of them. */
int recovery_evaluate_whole(Console *console, Tcl_Obj *script);

#endif
