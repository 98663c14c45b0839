/* Leakage power of cells by the state that they are in.

   A cell's leakage_power groups with a condition (`when`) give its leakage in the states where the
   condition is true; the sum over conditions, as a file has one for each supply.  Where none is
   true, and for cells without such groups, the unconditional groups count, else cell_leakage_power.
   The mean over the states takes the probabilities of the pins (query/probability.h); an output in
   a condition has the value of its function, so that "A * Y" of a buffer is as probable as A. */
#ifndef SL_QUERY_LEAKAGE_H
#define SL_QUERY_LEAKAGE_H

#include "db/scenario.h"
#include "query/probability.h"

typedef struct Leakage Leakage;

/* Libraries are those of late analysis in the corner; NULL: interrupted. */
Leakage *leakage_new(const Graph *g, const Corner *corner);
void     leakage_free(Leakage *l);                       /* NULL is allowed */
/* In nW; of an instance, or were it of another cell with the same pins. */
double   leakage_of(Leakage *l, InstId inst);
double   leakage_with(Leakage *l, InstId inst, CellId cell);

#endif
