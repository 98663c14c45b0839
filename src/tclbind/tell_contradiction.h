/* Warns of contradictory constraints (db/contradiction.h). */
#ifndef SL_TCLBIND_TELL_CONTRADICTION_H
#define SL_TCLBIND_TELL_CONTRADICTION_H

#include "tclbind/session.h"

/* Warns of each contradiction in all modes once, with the place of the later command. Call it when
   the constraints are complete: at the end of an SDC file or of typed lines, and before they are
   used. Within an SDC file it does nothing, because its end will warn. */
void contradictions_tell(Session *s);

#endif
