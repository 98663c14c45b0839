/* Builds a whole netlist at once, for linking. First the segments are added and united; then one
   pass makes the nets and the lists of pins. Between the first netlist_begin_seg and
   netlist_settle, Seg.net is the parent of a segment in a union-find forest whose roots are the
   smallest SegIds, and pins have a segment but are on no list. Add the segments scope by scope,
   outer scopes first. Then the smallest id is the one nearest the top. */
#ifndef SL_DB_NETLIST_BUILD_H
#define SL_DB_NETLIST_BUILD_H

#include "db/netlist.h"

SegId netlist_begin_seg(Netlist *n, InstId scope, NameId name);
void  netlist_unite(Netlist *n, SegId a, SegId b);       /* for segments joined by a hierarchical
                                                            pin */
void  netlist_begin_join(Netlist *n, SegId a, SegId b);  /* for segments joined by an assign */
void  netlist_begin_tie(Netlist *n, SegId seg, uint32_t flags);
void  netlist_settle(Netlist *n);

#endif
