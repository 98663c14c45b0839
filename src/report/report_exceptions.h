/* The path exceptions as commands, and what becomes of each. */
#ifndef SL_REPORT_REPORT_EXCEPTIONS_H
#define SL_REPORT_REPORT_EXCEPTIONS_H

#include "graph/exception_use.h"
#include "report/sheet.h"

typedef struct {
  bool ignored;                     /* only those that count nowhere */
  bool all_objects;                 /* not only the first ones of each list */
  const Object *from, *through, *to;   /* exceptions that name one of these there; counts of 0:
                                          any */
  uint32_t from_count, through_count, to_count;
} ExceptionFilter;

void report_exceptions(const Sheet *s, const ExceptionUses *uses, const ExceptionFilter *filter);

#endif
