/* Commands that change something, and an interrupt that comes meanwhile: all of the change is
   made, or none of it.

   One on few objects is short: it does not see an interrupt that comes while it runs
   (interrupt_hold).  It is then done, without an error, and whatever called it stops behind it.
   One of constraints or annotation on many objects does look, and what it had changed is put
   back from a copy.  Within read_sdc, which has a copy of its own, there is none. */
#ifndef SL_TCLBIND_CHANGE_H
#define SL_TCLBIND_CHANGE_H

#include "tclbind/command.h"

typedef struct {
  bool         held;
  ModeId       mode;
  Constraints *constraints;            /* a copy; NULL */
  ARRAY(Annotations *) annotations;    /* copies, by scenario */
} Change;

/* Once the words are parsed: FAILED with what was seen by then, and nothing is begun. */
Status change_begin(Change *c, Session *s, const Args *a);
/* Whether the command is done, whatever comes now. */
bool   change_end(Change *c, Session *s, const Args *a, Status status);

#endif
