/* Leakage power of cells, which depends on their state.

   A leakage_power group with a condition (`when`) gives the leakage of a cell in the states where
   the condition is true. If several conditions are true, their leakages are added, because a file
   has one group for each supply. If none is true, or the cell has no such groups, the groups
   without a condition count, else cell_leakage_power. The mean over the states uses the
   probabilities of the pins (query/probability.h). An output in a condition has the value of its
   function, so "A * Y" of a buffer is as probable as A. A cell with more than 12 free inputs and
   states, or more than 16 ports, has its leakage without a condition. */
#ifndef SL_QUERY_LEAKAGE_H
#define SL_QUERY_LEAKAGE_H

#include "db/scenario.h"
#include "query/probability.h"

typedef struct Leakage Leakage;

/* Uses the libraries of late analysis in the corner. Returns NULL if interrupted. */
Leakage *leakage_new(const Graph *g, const Corner *corner, int threads);
void     leakage_free(Leakage *leakage);                       /* NULL is allowed */
/* Return the leakage of an instance in nW, with its own cell or with another cell with the same
   pins. */
double   leakage_of(Leakage *leakage, InstId inst);
double   leakage_with(Leakage *leakage, InstId inst, CellId cell);

#endif
