/* Building a whole netlist at once (linking): segments are entered and united cheaply first, the
   nets and the pins' lists follow in one pass.

   Between the first netlist_begin_seg and netlist_settle, Seg.net is the segment's parent in a
   union-find forest whose roots are the smallest SegIds, and pins know their segment but are on no
   list. Segments must come scope by scope, outer scopes first: then the smallest id is the one
   nearest the top. */
#ifndef SL_DB_NETLIST_BUILD_H
#define SL_DB_NETLIST_BUILD_H

#include "db/netlist.h"

SegId netlist_begin_seg(Netlist *n, InstId scope, NameId name);
void  netlist_unite(Netlist *n, SegId a, SegId b);       /* joined through a hierarchical pin */
void  netlist_begin_join(Netlist *n, SegId a, SegId b);  /* by an assign */
void  netlist_begin_tie(Netlist *n, SegId seg, uint32_t flags);
void  netlist_settle(Netlist *n);

#endif
