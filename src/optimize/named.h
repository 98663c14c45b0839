/* Says whether constraints name an object. An optimizer must not remove such an object. */
#ifndef SL_OPTIMIZE_NAMED_H
#define SL_OPTIMIZE_NAMED_H

#include "db/scenario.h"

/* Return true if constraints of any mode name the cell or one of its pins, or the net by one of its
   segments or by its id. */
bool constraints_name_inst(const ScenarioSet *set, const Netlist *n, InstId inst);
bool constraints_name_net(const ScenarioSet *set, const Netlist *n, NetId net);

#endif
