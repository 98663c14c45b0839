/* Reports on the size of the design and on the engine. */
#ifndef SL_REPORT_DESIGN_H
#define SL_REPORT_DESIGN_H

#include "update/timer.h"
#include "paths/path.h"
#include "report/sheet.h"

void report_design(const Sheet *sheet, const Timer *timer);
/* engine is the session's text on the engine in use. */
void report_engine(const Sheet *sheet, const Timer *timer, const char *engine);
/* Reports the measurements of the last path search, if there was one. */
void report_path_effort(const Sheet *sheet, const PathEffort *effort);

#endif
