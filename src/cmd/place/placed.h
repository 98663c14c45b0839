/* Keeps parasitics that come from the placement up to date with it. */
#ifndef SL_CMD_PLACE_PLACED_H
#define SL_CMD_PLACE_PLACED_H

#include "tclbind/session.h"

/* Records that a corner has read parasitics, which no longer come from the placement. */
void placed_forget_corner(Session *s, CornerId corner);
/* Call this when a cell was moved or swapped. The nets at its pins are estimated again in each
   corner whose parasitics come from the placement, and are timed again. */
void placed_cell_changed(Session *s, InstId inst);
/* The same for one net. */
void placed_net_changed(Session *s, NetId net);

/* Warns if the parasitics have nets with set_load or set_resistance, because these nets keep the
   given values (cmd_files.c). */
void warn_of_given_wires(Session *s, const Parasitics *parasitics, const char *command);

#endif
