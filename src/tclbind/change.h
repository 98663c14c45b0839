/* Interrupts during commands that change something: the whole change is made, or none of it.

   A change of few objects is short. It does not see an interrupt that comes while it runs
   (interrupt_hold); it completes without an error, and its caller stops afterwards. A change of
   constraints or annotation on many objects sees the interrupt, and a copy restores what it had
   changed. Within read_sdc, which has its own copy, no copy is made. */
#ifndef SL_TCLBIND_CHANGE_H
#define SL_TCLBIND_CHANGE_H

#include "tclbind/command.h"

typedef struct {
  bool         held;
  ModeId       mode;
  Constraints *constraints;            /* a copy; may be NULL */
  ARRAY(Annotations *) annotations;    /* copies by scenario */
} Change;

/* Call it once the words are parsed. Returns FAILED after an earlier interrupt; nothing is then
   begun. */
Status change_begin(Change *change, Session *s, const Args *a);
/* Returns whether the command is done, so that a later interrupt cannot undo it. */
bool   change_end(Change *change, Session *s, const Args *a, Status status);

#endif
