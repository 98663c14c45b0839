/* The session's timers for commands that need timing: of the current scenario, of another one, of
   several. */
#ifndef SL_TCLBIND_SESSION_TIMING_H
#define SL_TCLBIND_SESSION_TIMING_H

#include "tclbind/session.h"
#include "update/timer.h"

/* What set_common_path_credit says. */
CommonOptions session_common_options(const Session *s);

/* The current scenario's timer, made on first use; NULL with an error in the log when no design is
   linked. */
Timer *session_timer(Session *s);
/* Up-to-date numbers (required: with required times and slacks), or NULL with an error in the
   log. */
Timing *session_timing(Session *s, bool required);
/* Brings it up to date, but no numbers need to be at hand. */
Status  session_update(Session *s);

/* NO_SCENARIO, that of a mode that is in none, is an error. */
Status  session_check_scenario(const Session *s, ScenarioId scenario);
/* The same of any scenario. */
Timer  *session_timer_of(Session *s, ScenarioId scenario);
Timing *session_timing_of(Session *s, ScenarioId scenario, bool required);

/* Up-to-date numbers of several scenarios (NULL: all), in their order. */
typedef ARRAY(Timing *) Timings;
/* Of the numbers those of some groups are needed (NUMBERS_... of device/flat.h): a device may keep
   the others. */
Status session_timings_of(Session *s, const ScenarioIds *which, bool required, unsigned groups,
                          Timings *out);
/* Those that worst and total slacks can be asked of (query_slacks_of): a device may keep all other
   numbers. */
Status session_slack_timings(Session *s, const ScenarioIds *which, Timings *out);
Status session_timings(Session *s, const ScenarioIds *which, bool required, Timings *out);

#endif
