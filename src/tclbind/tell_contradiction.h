/* Tells what constraints have left contradictory (db/contradiction.h). */
#ifndef SL_TCLBIND_TELL_CONTRADICTION_H
#define SL_TCLBIND_TELL_CONTRADICTION_H

#include "tclbind/session.h"

/* Of all modes, with the place of the later command; each contradiction once.  To be called when
   constraints are complete: at the end of an SDC file or of what was typed, and before they are
   used.  Within an SDC file nothing happens: its end will tell. */
void contradictions_tell(Session *s);

#endif
