/* Reports on cells of the design and of libraries. */
#ifndef SL_REPORT_CELLS_H
#define SL_REPORT_CELLS_H

#include "report/sheet.h"

void report_cells(const Sheet *sheet, const Object *cells, uint32_t count, bool with_pins);
void report_lib_cells(const Sheet *sheet, const Object *cells, uint32_t count);

#endif
