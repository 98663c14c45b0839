/* What the cells of a design are, by group: area, leakage, how often each library cell is used. */
#ifndef SL_REPORT_USAGE_H
#define SL_REPORT_USAGE_H

#include "query/leakage.h"
#include "report/sheet.h"

typedef enum {
  GROUP_BY_KIND,                   /* Sequential, Combinational, Clock, Macro, Pad */
  GROUP_BY_MODULE,                 /* of the hierarchical cell around */
  GROUP_BY_LIBRARY,
  GROUP_BY_THRESHOLD,              /* "-" where the library names none */
  GROUP_BY_LIB_CELL
} CellGrouping;

/* By kind in the layout of OpenSTA's report_power, with "-" for internal and switching power, which
   are not computed; then a table by another grouping, unless that is GROUP_BY_KIND.  In W. */
void report_leakage(const Sheet *sheet, const Graph *g, Leakage *leakage, CellGrouping by);
void report_area(const Sheet *sheet, CellGrouping by);
/* A row for each library cell, by name. */
void report_cell_usage(const Sheet *sheet);

#endif
