/* Timing for commands: of the current scenario, of another scenario, or of several. */
#ifndef SL_TCLBIND_SESSION_TIMING_H
#define SL_TCLBIND_SESSION_TIMING_H

#include "tclbind/session.h"
#include "update/timer.h"

/* Returns the timer of the current scenario; makes it at the first use. Returns NULL with an error
   in the log if no design is linked. */
Timer *session_timer(Session *s);
/* Returns up-to-date numbers, with required times and slacks if `required` is set. Returns NULL
   with an error in the log on failure. */
Timing *session_timing(Session *s, bool required);
/* Updates the timing, but the numbers may stay on a device. */
Status  session_update(Session *s);

/* Reports an error for NO_SCENARIO, which stands for a mode without scenario. */
Status  session_check_scenario(const Session *s, ScenarioId scenario);
/* The same for any scenario. */
Timer  *session_timer_of(Session *s, ScenarioId scenario);
Timing *session_timing_of(Session *s, ScenarioId scenario, bool required);

/* session_timings returns up-to-date numbers of several scenarios (NULL: all), in their order. */
typedef ARRAY(Timing *) Timings;
/* The same, but only some groups of numbers are needed (NUMBERS_... of timing/residency.h). A
   device may keep the others. */
Status session_timings_of(Session *s, const ScenarioIds *which, bool required, unsigned groups,
                          Timings *out);
/* The same for worst and total slacks: the timings are for query_slacks_of alone. The arrivals and
   required times of pins may be only on a device. */
Status session_slack_timings(Session *s, const ScenarioIds *which, Timings *out);
Status session_timings(Session *s, const ScenarioIds *which, bool required, Timings *out);

#endif
