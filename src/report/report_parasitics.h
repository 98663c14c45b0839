/* How far parasitics cover the design. */
#ifndef SL_REPORT_REPORT_PARASITICS_H
#define SL_REPORT_REPORT_PARASITICS_H

#include "query/parasitic_coverage.h"
#include "report/sheet.h"

/* Counts of drivers, what each file brought; list: mask of 1 << Annotation, which drivers to
   list. */
void report_annotation(const Sheet *s, const Timing *t, unsigned list);
void report_net_annotation(const Sheet *s, const Timing *t, const Object *nets, uint32_t count);

#endif
