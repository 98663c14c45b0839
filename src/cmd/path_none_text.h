/* Says in words why a query finds no path. */
#ifndef SL_CMD_PATH_NONE_TEXT_H
#define SL_CMD_PATH_NONE_TEXT_H

#include "tclbind/command.h"
#include "paths/path_none.h"

/* Appends the reason with the names of the options that cause it: "no path passes -through 2: pin
   u1/A; ...". */
void path_none_text(Session *s, Args *a, const Timing *t, const PathQuery *query,
                    const PathNone *none, Text *out);

#endif
