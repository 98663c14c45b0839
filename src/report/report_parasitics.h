/* Reports how far parasitics cover the design. */
#ifndef SL_REPORT_REPORT_PARASITICS_H
#define SL_REPORT_REPORT_PARASITICS_H

#include "query/parasitic_coverage.h"
#include "report/sheet.h"

/* Reports counts of drivers and of what each file annotated. list is a mask of 1 << Annotation: the
   drivers to list. */
void report_annotation(const Sheet *sheet, const Timing *t, unsigned list);
void report_net_annotation(const Sheet *sheet, const Timing *t, const Object *nets, uint32_t count);

#endif
