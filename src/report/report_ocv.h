/* Reports on on-chip variation: the tables and coefficients, and their use by delays. */
#ifndef SL_REPORT_REPORT_OCV_H
#define SL_REPORT_REPORT_OCV_H

#include "report/sheet.h"

void report_ocv_tables(const Sheet *sheet, const Variation *variation);
/* Reports depths and factors of the arcs of cells and of the wires of nets. */
void report_ocv_objects(const Sheet *sheet, const Timing *t, const Variation *variation,
                        const Object *objects, uint32_t count);

#endif
