/* Do constraints name an object?  What they name is no optimizer's to remove. */
#ifndef SL_OPTIMIZE_NAMED_H
#define SL_OPTIMIZE_NAMED_H

#include "db/scenario.h"

/* The cell or one of its pins; a net by one of its segments or by its number.  In any mode. */
bool constraints_name_inst(const ScenarioSet *set, const Netlist *n, InstId inst);
bool constraints_name_net(const ScenarioSet *set, const Netlist *n, NetId net);

#endif
