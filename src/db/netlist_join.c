/* Joins and splits nets: at joins of two nets, at hierarchical pins, and at ties. */
#include <stdlib.h>

#include "db/netlist.h"

/* Nearest the top first, then in order of appearance. */
typedef struct {
  uint32_t depth;
  SegId    seg;
} Rank;

static Rank rank_of(const Netlist *n, SegId seg)
{
  Rank r = { 0, seg };
  for (InstId i = n->segs.at[seg].scope; i != TOP_INST; i = n->insts.at[i].parent) r.depth++;
  return r;
}

static int compare_ranks(const void *a, const void *b)
{
  const Rank *x = a, *y = b;
  if (x->depth != y->depth) return x->depth < y->depth ? -1 : 1;
  return x->seg < y->seg ? -1 : x->seg > y->seg;
}

static SegId last_seg(const Netlist *n, NetId net)
{
  SegId s = n->nets.at[net].first_seg;
  while (n->segs.at[s].next != NO_SEG) s = n->segs.at[s].next;
  return s;
}

static void join_nets(Netlist *n, NetId a, NetId b)
{
  if (a == b) return;
  Rank ra = rank_of(n, n->nets.at[a].first_seg), rb = rank_of(n, n->nets.at[b].first_seg);
  NetId keep = compare_ranks(&ra, &rb) < 0 ? a : b, drop = keep == a ? b : a;
  SegId added = n->nets.at[drop].first_seg;
  n->segs.at[last_seg(n, keep)].next = added;
  for (SegId s = added; s != NO_SEG; s = n->segs.at[s].next) n->segs.at[s].net = keep;
  n->nets.at[keep].flags |= n->nets.at[drop].flags;
  n->nets.at[drop] = (Net){ NO_SEG, NET_DELETED };
}

void netlist_join(Netlist *n, SegId a, SegId b)
{
  array_push(&n->joins, (SegJoin){ a, b });
  join_nets(n, n->segs.at[a].net, n->segs.at[b].net);
  n->edit_count++;
}

static SegId joined_seg(SegId *one, SegId seg)
{
  while (one[seg] != seg) seg = one[seg] = one[one[seg]];
  return seg;
}

SegId *netlist_joined_segs(const Netlist *n)
{
  SegId *one = mem_alloc(((size_t)n->segs.len + 1) * sizeof *one);
  for (SegId s = 0; s < n->segs.len; s++) one[s] = s;
  for (uint32_t i = 0; i < n->joins.len; i++) {
    SegId a = joined_seg(one, n->joins.at[i].a), b = joined_seg(one, n->joins.at[i].b);
    one[a > b ? a : b] = a > b ? b : a;
  }
  for (SegId s = 0; s < n->segs.len; s++) one[s] = joined_seg(one, s);
  return one;
}

void netlist_tie(Netlist *n, SegId seg, uint32_t flags)
{
  array_push(&n->ties, (SegTie){ seg, flags });
  n->nets.at[n->segs.at[seg].net].flags |= flags;
  n->edit_count++;
}

void netlist_attach(Netlist *n, PinId pin, SegId seg)
{
  n->pins.at[pin].seg = seg;
  n->pins.at[pin].next = n->segs.at[seg].first_pin;
  n->segs.at[seg].first_pin = pin;
  SegId inner = netlist_inner_seg(n, pin);
  if (inner != NO_SEG) join_nets(n, n->segs.at[seg].net, n->segs.at[inner].net);
  n->edit_count++;
}

void netlist_set_inner_seg(Netlist *n, PinId hierarchical_pin, SegId inner)
{
  map_put(n->inner_seg, hierarchical_pin, inner);
  SegId outer = n->pins.at[hierarchical_pin].seg;
  if (outer != NO_SEG) join_nets(n, n->segs.at[outer].net, n->segs.at[inner].net);
  n->edit_count++;
}

/* The segments of a net that may have been separated, and which of them are still connected. */
typedef struct {
  ARRAY(Rank) ranks;
  Map *index;                /* SegId -> place in ranks */
  ARRAY(uint32_t) parent;    /* union-find; the root is the smallest place */
  ARRAY(SegId) last;         /* by root: the last segment of its part so far */
} Parts;

static uint32_t part_of(Parts *parts, uint32_t i)
{
  while (parts->parent.at[i] != i) i = parts->parent.at[i] = parts->parent.at[parts->parent.at[i]];
  return i;
}

static void unite(Parts *parts, SegId a, SegId b)
{
  uint32_t i = map_get(parts->index, a), j = map_get(parts->index, b);
  if (i == MAP_NO_VALUE || j == MAP_NO_VALUE) return;
  i = part_of(parts, i);
  j = part_of(parts, j);
  if (i < j) parts->parent.at[j] = i;
  else parts->parent.at[i] = j;
}

static void collect(const Netlist *n, NetId net, Parts *parts)
{
  for (SegId s = n->nets.at[net].first_seg; s != NO_SEG; s = n->segs.at[s].next)
    array_push(&parts->ranks, rank_of(n, s));
  qsort(parts->ranks.at, parts->ranks.len, sizeof *parts->ranks.at, compare_ranks);
  for (uint32_t i = 0; i < parts->ranks.len; i++) {
    map_put(parts->index, parts->ranks.at[i].seg, i);
    array_push(&parts->parent, i);
    array_push(&parts->last, parts->ranks.at[i].seg);
  }
}

static void connect_parts(const Netlist *n, Parts *parts)
{
  for (uint32_t i = 0; i < parts->ranks.len; i++) {
    SegId seg = parts->ranks.at[i].seg;
    for (PinId pin = n->segs.at[seg].first_pin; pin != NO_PIN; pin = n->pins.at[pin].next) {
      SegId inner = pin_is_hierarchical(n, pin) ? netlist_inner_seg(n, pin) : NO_SEG;
      if (inner != NO_SEG) unite(parts, seg, inner);
    }
  }
  for (uint32_t i = 0; i < n->joins.len; i++) unite(parts, n->joins.at[i].a, n->joins.at[i].b);
}

/* The first part keeps the net; each further one becomes a new net. */
static void rebuild(Netlist *n, NetId net, Parts *parts)
{
  for (uint32_t i = 0; i < parts->ranks.len; i++) {
    SegId seg = parts->ranks.at[i].seg;
    uint32_t root = part_of(parts, i);
    NetId to = root == i ? (i == 0 ? net : n->nets.len) : n->segs.at[parts->ranks.at[root].seg].net;
    if (to == n->nets.len) array_push(&n->nets, (Net){ NO_SEG, 0 });
    n->segs.at[seg].net = to;
    n->segs.at[seg].next = NO_SEG;
    if (root == i) n->nets.at[to] = (Net){ seg, 0 };
    else n->segs.at[parts->last.at[root]].next = seg;
    parts->last.at[root] = seg;
  }
  for (uint32_t i = 0; i < n->ties.len; i++)
    if (map_get(parts->index, n->ties.at[i].seg) != MAP_NO_VALUE)
      n->nets.at[n->segs.at[n->ties.at[i].seg].net].flags |= n->ties.at[i].flags;
}

static void split_net(Netlist *n, NetId net)
{
  Parts p = { .index = map_new() };
  collect(n, net, &p);
  connect_parts(n, &p);
  rebuild(n, net, &p);
  map_free(p.index);
  array_free(&p.ranks);
  array_free(&p.parent);
  array_free(&p.last);
}

void netlist_detach(Netlist *n, PinId pin)
{
  SegId seg = n->pins.at[pin].seg;
  if (seg == NO_SEG) return;
  PinId *link = &n->segs.at[seg].first_pin;
  while (*link != pin) link = &n->pins.at[*link].next;
  *link = n->pins.at[pin].next;
  n->pins.at[pin].seg = NO_SEG;
  n->pins.at[pin].next = NO_PIN;
  if (netlist_inner_seg(n, pin) != NO_SEG) split_net(n, n->segs.at[seg].net);
  n->edit_count++;
}

static void drop_joins(Netlist *n, SegId seg)
{
  uint32_t kept = 0;
  for (uint32_t i = 0; i < n->joins.len; i++)
    if (n->joins.at[i].a != seg && n->joins.at[i].b != seg) n->joins.at[kept++] = n->joins.at[i];
  n->joins.len = kept;
  kept = 0;
  for (uint32_t i = 0; i < n->ties.len; i++)
    if (n->ties.at[i].seg != seg) n->ties.at[kept++] = n->ties.at[i];
  n->ties.len = kept;
}

void netlist_isolate(Netlist *n, SegId seg)
{
  while (n->segs.at[seg].first_pin != NO_PIN) netlist_detach(n, n->segs.at[seg].first_pin);
  drop_joins(n, seg);
  split_net(n, n->segs.at[seg].net);
  NetId net = n->segs.at[seg].net;
  n->nets.at[net].flags = NET_DELETED;
}
