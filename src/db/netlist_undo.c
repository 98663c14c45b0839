/* Takes edits back, so that objects get their old ids and places. */
#include "db/netlist.h"

void netlist_revive_inst(Netlist *n, InstId inst)
{
  Inst *cell = &n->insts.at[inst];
  cell->flags &= ~(uint32_t)INST_DELETED;
  map_put(n->inst_by_name, hash_pair(cell->parent, cell->name), inst);
  n->leaf_count++;
  n->edit_count++;
}

PinId netlist_pin_before(const Netlist *n, PinId pin)
{
  SegId seg = n->pins.at[pin].seg;
  PinId before = NO_PIN;
  if (seg == NO_SEG) return NO_PIN;
  for (PinId p = n->segs.at[seg].first_pin; p != pin; p = n->pins.at[p].next) before = p;
  return before;
}

void netlist_attach_behind(Netlist *n, PinId pin, SegId seg, PinId before)
{
  netlist_attach(n, pin, seg);
  if (before == NO_PIN) return;
  n->segs.at[seg].first_pin = n->pins.at[pin].next;
  n->pins.at[pin].next = n->pins.at[before].next;
  n->pins.at[before].next = pin;
}

NetShape netlist_net_shape(const Netlist *n, NetId net)
{
  NetShape shape = { .net = net, .flags = n->nets.at[net].flags };
  for (SegId s = n->nets.at[net].first_seg; s != NO_SEG; s = n->segs.at[s].next)
    array_push(&shape.segs, s);
  return shape;
}

void netlist_restore_shape(Netlist *n, const NetShape *shape)
{
  for (uint32_t i = 0; i < shape->segs.len; i++) {
    Seg *seg = &n->segs.at[shape->segs.at[i]];
    if (seg->net != shape->net) n->nets.at[seg->net] = (Net){ NO_SEG, NET_DELETED };
    seg->net = shape->net;
    seg->next = i + 1 < shape->segs.len ? shape->segs.at[i + 1] : NO_SEG;
  }
  n->nets.at[shape->net] =
      (Net){ shape->segs.len ? shape->segs.at[0] : NO_SEG, shape->flags };
  n->edit_count++;
}

bool netlist_seg_is_joined(const Netlist *n, SegId seg)
{
  for (uint32_t i = 0; i < n->joins.len; i++)
    if (n->joins.at[i].a == seg || n->joins.at[i].b == seg) return true;
  for (uint32_t i = 0; i < n->ties.len; i++)
    if (n->ties.at[i].seg == seg) return true;
  return false;
}

NetJoins netlist_copy_joins(const Netlist *n)
{
  NetJoins copy = { 0 };
  for (uint32_t i = 0; i < n->joins.len; i++) array_push(&copy.joins, n->joins.at[i]);
  for (uint32_t i = 0; i < n->ties.len; i++) array_push(&copy.ties, n->ties.at[i]);
  return copy;
}

void netlist_restore_joins(Netlist *n, const NetJoins *copy)
{
  array_clear(&n->joins);
  array_clear(&n->ties);
  for (uint32_t i = 0; i < copy->joins.len; i++) array_push(&n->joins, copy->joins.at[i]);
  for (uint32_t i = 0; i < copy->ties.len; i++) array_push(&n->ties, copy->ties.at[i]);
}

void netlist_revive_seg(Netlist *n, SegId seg)
{
  map_put(n->seg_by_name, hash_pair(n->segs.at[seg].scope, n->segs.at[seg].name), seg);
  n->nets.at[n->segs.at[seg].net].flags &= ~(uint32_t)NET_DELETED;
  n->edit_count++;
}
