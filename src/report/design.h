/* What the design and the engine weigh. */
#ifndef SL_REPORT_DESIGN_H
#define SL_REPORT_DESIGN_H

#include "update/timer.h"
#include "paths/path.h"
#include "report/sheet.h"

void report_design(const Sheet *s, const Timer *t);
/* engine: how the session names the engine in use. */
void report_engine(const Sheet *s, const Timer *t, const char *engine);
/* How the last search for paths went; nothing where there was none. */
void report_path_effort(const Sheet *s, const PathEffort *e);

#endif
