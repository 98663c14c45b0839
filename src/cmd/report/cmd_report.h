/* Shared by the report commands. */
#ifndef SL_CMD_REPORT_CMD_REPORT_H
#define SL_CMD_REPORT_CMD_REPORT_H

#include "tclbind/scenarios.h"
#include "tclbind/session_timing.h"
#include "timing/slack.h"
#include "report/sheet.h"

enum { MOST_DIGITS = 15 };
#define OPTION_DIGITS { "-digits", ARG_INT, .value = "N", .help = "digits after the point", \
    RANGE(0, MOST_DIGITS) }

/* Options for scenarios, and an option of other timers' scripts without effect. */
#define OPTIONS_SCENE OPTIONS_SCENARIOS, { "-report_variance", ARG_FLAG, .flags = OPT_HIDDEN }

/* Returns a sheet that writes to *out, with the command's -digits if it has that option. */
Sheet report_sheet(const Session *s, const Args *a, Text *out);
/* Runs a report on the clocks of -clocks (NULL: all) with current timing. `slacks` means that it
   needs required times. */
typedef void (*ClockReport)(const Sheet *sheet, const Timing *t, const Object *clocks,
                            uint32_t count, const Args *a);
Status report_on_clocks(Session *s, Args *a, bool slacks, ClockReport report);
/* Writes the text as the command's output and frees it. */
void  report_finish(Args *a, Text *out);
/* Warns if no endpoint has a slack, because 0 or "INF" would look like an answer. */
void report_nothing_constrained(Session *s, const Args *a, const SlackSummary *summary,
                                int early_late);

#endif
