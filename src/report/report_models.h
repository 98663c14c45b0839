/* Reports on delay models side by side. */
#ifndef SL_REPORT_REPORT_MODELS_H
#define SL_REPORT_REPORT_MODELS_H

#include "query/model_compare.h"
#include "report/sheet.h"

/* Lists the stages on which the two models differ most. */
void report_model_differences(const Sheet *sheet, const Timing *t, const CompareQuery *query);

#endif
