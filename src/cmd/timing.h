/* The session's timers for commands that need timing: of the current scenario, of another one, of several. */
#ifndef SL_CMD_TIMING_H
#define SL_CMD_TIMING_H

#include "cmd/session.h"
#include "engine/timer.h"

/* What set_common_path_credit says. */
CommonOptions session_common_options(const Session *s);

/* The current scenario's timer, made on first use; NULL with an error in the log when no design is linked. */
Timer *session_timer(Session *s);
/* Up-to-date numbers (required: with required times and slacks), or NULL with an error in the log. */
Timing *session_timing(Session *s, bool required);

/* NO_SCENARIO, that of a mode that is in none, is an error. */
Status  session_check_scenario(const Session *s, ScenarioId scenario);
/* The same of any scenario. */
Timer  *session_timer_of(Session *s, ScenarioId scenario);
Timing *session_timing_of(Session *s, ScenarioId scenario, bool required);

/* Up-to-date numbers of several scenarios (NULL: all), in their order. */
typedef ARRAY(Timing *) Timings;
Status session_timings(Session *s, const ScenarioIds *which, bool required, Timings *out);

#endif
