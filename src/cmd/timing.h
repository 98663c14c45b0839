/* The session's timer for commands that need timing. */
#ifndef SL_CMD_TIMING_H
#define SL_CMD_TIMING_H

#include "cmd/session.h"
#include "engine/timer.h"

/* What set_common_path_credit says. */
CommonOptions session_common_options(const Session *s);

/* The timer, made on first use; NULL with an error in the log when no design is linked. */
Timer *session_timer(Session *s);
/* Up-to-date numbers (required: with required times and slacks), or NULL with an error in the log. */
Timing *session_timing(Session *s, bool required);

#endif
