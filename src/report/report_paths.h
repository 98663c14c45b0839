/* Reports of timing paths: tables in several levels of detail, and JSON. */
#ifndef SL_REPORT_REPORT_PATHS_H
#define SL_REPORT_REPORT_PATHS_H

#include "report/path_report.h"

/* Reports the paths in the order of indices; with indices NULL, all in the order of the list. Stops
   after an interrupt. The calling thread writes the text in large pieces. */
void report_paths(const PathReport *report, const PathList *list, const uint32_t *indices,
                  uint32_t count);

#endif
