/* Returns the tables of all commands and properties, for a new console. */
#ifndef SL_CMD_TABLES_H
#define SL_CMD_TABLES_H

#include "tclbind/session.h"

SessionRows session_rows(void);

#endif
