/* Reports the path exceptions as commands, with the effect of each. */
#ifndef SL_REPORT_REPORT_EXCEPTIONS_H
#define SL_REPORT_REPORT_EXCEPTIONS_H

#include "graph/exception_use.h"
#include "report/sheet.h"

typedef struct {
  bool ignored;                     /* only exceptions without effect */
  bool all_objects;                 /* all objects of each list, not only the first ones */
  const Object *from, *through, *to;   /* only exceptions that name one of these objects there; a
                                          count of 0 means any */
  uint32_t from_count, through_count, to_count;
} ExceptionFilter;

void report_exceptions(const Sheet *sheet, const ExceptionUses *uses,
                       const ExceptionFilter *filter);

#endif
