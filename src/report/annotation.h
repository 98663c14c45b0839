/* How far parasitics cover the design. */
#ifndef SL_REPORT_ANNOTATION_H
#define SL_REPORT_ANNOTATION_H

#include "query/annotation.h"
#include "report/sheet.h"

/* Counts of drivers, what each file brought; list: mask of 1 << Annotation, which drivers to list. */
void report_annotation(const Sheet *s, const Timing *t, unsigned list);
void report_net_annotation(const Sheet *s, const Timing *t, const Object *nets, uint32_t count);

#endif
