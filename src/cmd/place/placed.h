/* Parasitics that come from the placement follow it. */
#ifndef SL_CMD_PLACE_PLACED_H
#define SL_CMD_PLACE_PLACED_H

#include "tclbind/session.h"

/* Of a corner that reads parasitics: they are no longer the placement's. */
void placed_forget_corner(Session *s, CornerId corner);
/* A cell has been moved or has another library cell: the nets at its pins are worked out again in
   each corner whose parasitics come from the placement, and are timed again. */
void placed_cell_changed(Session *s, InstId inst);
/* The same of one net. */
void placed_net_changed(Session *s, NetId net);

/* Nets of which set_load or set_resistance speak keep what these say: a warning, where p has some
   of them (cmd_files.c). */
void warn_of_given_wires(Session *s, const Parasitics *p, const char *command);

#endif
