/* Levels: drivers stand one above the highest start of their arcs, loads in their driver's level.
   Combinational loops are cut first. */
#include <stdlib.h>

#include "graph/build.h"

/* A vertex of this level is not placed yet. */
#define NO_LEVEL UINT32_MAX

/* Arcs by start and by end, as CSR over vertices; only arcs that are on and inside the levels. */
typedef struct {
  uint32_t *first;
  uint32_t *arc;
} ArcLists;

static bool in_levels(const Build *b, uint32_t a)
{
  if (b->level_blocked && b->arc_flags[a] & ARC_BLOCKED) return (b->arc_flags[a] & (ARC_OFF | ARC_LATCH)) == ARC_OFF_CONSTANT;
  return !(b->arc_flags[a] & (ARC_OFF | ARC_LATCH));
}

static ArcLists arcs_by_start(const Build *b)
{
  ArcLists l;
  l.first = mem_alloc_zero((size_t)b->vertex_count + 2, sizeof *l.first);
  for (uint32_t a = 0; a < b->arcs.len; a++)
    if (in_levels(b, a)) l.first[b->arcs.at[a].from + 2]++;
  for (VertexId v = 1; v <= b->vertex_count; v++) l.first[v + 1] += l.first[v];
  l.arc = mem_alloc(sizeof *l.arc * ((size_t)l.first[b->vertex_count + 1] + 1));
  for (uint32_t a = 0; a < b->arcs.len; a++)
    if (in_levels(b, a)) l.arc[l.first[b->arcs.at[a].from + 1]++] = a;
  return l;
}

static void free_lists(ArcLists *l)
{
  mem_free(l->first);
  mem_free(l->arc);
}

/* Drivers of a load, loads of a driver. */
static void net_range(const Build *b, VertexId v, bool loads, uint32_t *from, uint32_t *to)
{
  NetId net = build_vertex_net(b, v);
  const uint32_t *first = loads ? b->load_first : b->driver_first;
  *from = net == NO_NET ? 0 : first[net];
  *to = net == NO_NET ? 0 : first[net + 1];
}

/* --- loops: depth-first search; an arc back to a vertex on the search's path closes a loop and is cut. */
enum { WHITE, GREY, BLACK };

typedef struct {
  VertexId v;
  uint32_t next;          /* next successor to try */
  uint32_t via;           /* the cell arc that led here, for drivers */
} Frame;

typedef struct {
  Build *b;
  ArcLists lists;
  uint8_t *colour;
  ARRAY(Frame) path;
} LoopSearch;

/* Told once for each loop, however often the graph is compiled. */
static void report_loop(LoopSearch *s, uint32_t arc)
{
  Text name = { 0 };
  Build *b = s->b;
  text_put(&name, "combinational loop cut at arc ");
  netlist_pin_name(b->g->netlist, b->pin[b->arcs.at[arc].from], '/', &name);
  text_put(&name, " -> ");
  netlist_pin_name(b->g->netlist, b->pin[b->arcs.at[arc].to], '/', &name);
  log_warning_once(b->log, "GRAPH-001", text_get(&name));
  text_free(&name);
}

/* Arcs between the same pins (conditions, senses) close the same loop. */
static bool parallel_is_cut(const LoopSearch *s, uint32_t arc)
{
  const Build *b = s->b;
  VertexId from = b->arcs.at[arc].from, to = b->arcs.at[arc].to;
  for (uint32_t i = s->lists.first[from]; i < s->lists.first[from + 1]; i++) {
    uint32_t other = s->lists.arc[i];
    if (other != arc && b->arcs.at[other].to == to && b->arc_flags[other] & ARC_OFF_LOOP) return true;
  }
  return false;
}

static void cut(LoopSearch *s, uint32_t arc)
{
  if (s->b->arc_flags[arc] & ARC_OFF_LOOP) return;
  bool told = parallel_is_cut(s, arc);
  s->b->arc_flags[arc] |= ARC_OFF_LOOP;
  if (told) return;
  s->b->g->loops_cut++;
  report_loop(s, arc);
}

static void enter(LoopSearch *s, VertexId v, uint32_t via)
{
  s->colour[v] = GREY;
  array_push(&s->path, (Frame){ v, 0, via });
}

/* The next successor of the frame's vertex that is worth a visit, or NO_VERTEX when all are done; *via is the cell arc
   to it.  Successors are the loads of a driver, then the ends of cell arcs (which may start at drivers as well: internal
   pins, outputs that other outputs follow).  Only cell arcs are cut: for a wire that closes a loop (a load of several
   drivers), the arc into its driver. */
static VertexId next_successor(LoopSearch *s, Frame *f, uint32_t *via)
{
  Build *b = s->b;
  uint32_t loads = 0, first = 0, end = 0;
  if (b->flags[f->v] & SLOT_DRIVER) net_range(b, f->v, true, &first, &end);
  loads = end - first;
  while (f->next < loads) {
    VertexId w = b->net_loads[first + f->next++];
    if (s->colour[w] == WHITE) return w;
    if (s->colour[w] == GREY && f->via != NO_ARC) cut(s, f->via);
  }
  uint32_t from = s->lists.first[f->v], to = s->lists.first[f->v + 1];
  while (from + f->next - loads < to) {
    *via = s->lists.arc[from + f->next++ - loads];
    VertexId w = b->arcs.at[*via].to;
    if (s->colour[w] == WHITE) return w;
    if (s->colour[w] == GREY) cut(s, *via);
  }
  return NO_VERTEX;
}

static void search_from(LoopSearch *s, VertexId start)
{
  enter(s, start, NO_ARC);
  while (s->path.len) {
    Frame *top = &s->path.at[s->path.len - 1];
    uint32_t via = NO_ARC;
    VertexId w = next_successor(s, top, &via);
    if (w != NO_VERTEX) {
      enter(s, w, via);
    } else {
      s->colour[top->v] = BLACK;
      s->path.len--;
    }
  }
}

static void search_if_white(LoopSearch *s, VertexId v)
{
  if (v != NO_VERTEX && s->colour[v] == WHITE) search_from(s, v);
}

static void search_clock(LoopSearch *s, const Clock *clock)
{
  const Netlist *n = s->b->g->netlist;
  for (uint32_t i = 0; i < clock->sources.len; i++) {
    PinId pin = clock->sources.at[i];
    if (!pin_is_hierarchical(n, pin)) {
      search_if_white(s, s->b->pin_driver[pin]);
      continue;
    }
    NetId net = netlist_pin_net(n, pin);
    for (uint32_t k = net == NO_NET ? 0 : s->b->driver_first[net]; net != NO_NET && k < s->b->driver_first[net + 1]; k++)
      search_if_white(s, s->b->net_drivers[k]);
  }
}

/* Which arc of a loop is cut depends on where the search comes from.  It starts at the clocks, then ports, then other
   starts: so the select pin of a clock multiplexer that its own clock's registers drive is cut, and not the clock. */
static void cut_loops(Build *b)
{
  LoopSearch s = { .b = b, .lists = arcs_by_start(b), .colour = mem_alloc_zero(b->vertex_count + 1, 1) };
  const Constraints *c = b->g->constraints;
  for (ClockId k = 0; k < c->clocks.len; k++)
    if (!c->clocks.at[k].deleted) search_clock(&s, &c->clocks.at[k]);
  for (VertexId v = 0; v < b->vertex_count; v++)
    if (b->level[v] == 0 && b->flags[v] & SLOT_PORT) search_if_white(&s, v);
  for (VertexId v = 0; v < b->vertex_count; v++)
    if (b->level[v] == 0) search_if_white(&s, v);
  for (VertexId v = 0; v < b->vertex_count; v++) search_if_white(&s, v);
  mem_free(s.colour);
  array_free(&s.path);
  free_lists(&s.lists);
}

/* --- order beyond arcs: an input delay that names a generated clock starts with the clock's arrival at its source, so the port
   comes after the source.  Where the port itself leads to the source, arrivals take a second pass (links.c). */
typedef struct {
  VertexId source, port;
} Order;

typedef struct {
  ARRAY(Order) at;          /* sorted by source */
} Orders;

static VertexId source_vertex(const Build *b, PinId pin)
{
  if (!pin_is_hierarchical(b->g->netlist, pin)) return b->pin_driver[pin] != NO_VERTEX ? b->pin_driver[pin] : b->pin_load[pin];
  NetId net = netlist_pin_net(b->g->netlist, pin);
  return net == NO_NET || b->driver_first[net] == b->driver_first[net + 1] ? NO_VERTEX : b->net_drivers[b->driver_first[net]];
}

static int by_source(const void *pa, const void *pb)
{
  const Order *a = pa, *b = pb;
  if (a->source != b->source) return a->source < b->source ? -1 : 1;
  return a->port < b->port ? -1 : a->port > b->port;
}

static Orders find_orders(const Build *b)
{
  const Constraints *c = b->g->constraints;
  Orders o = { 0 };
  for (uint32_t i = 0; i < c->input_delays.len; i++) {
    const PortDelay *d = &c->input_delays.at[i];
    if (d->pin == NO_PIN || d->clock == NO_CLOCK || d->source_latency_included || !c->clocks.at[d->clock].generated) continue;
    VertexId port = b->pin_driver[d->pin];
    for (uint32_t k = 0; port != NO_VERTEX && k < c->clocks.at[d->clock].sources.len; k++) {
      VertexId source = source_vertex(b, c->clocks.at[d->clock].sources.at[k]);
      if (source != NO_VERTEX && source != port) array_push(&o.at, (Order){ source, port });
    }
  }
  if (o.at.len) qsort(o.at.at, o.at.len, sizeof *o.at.at, by_source);
  return o;
}

static uint32_t first_order(const Orders *o, VertexId source)
{
  uint32_t low = 0, high = o->at.len;
  while (low < high) {
    uint32_t middle = (low + high) / 2;
    if (o->at.at[middle].source < source) low = middle + 1;
    else high = middle;
  }
  return low;
}

/* Gives up those whose ports wait for a source that was not placed. */
static void drop_unplaced(const Build *b, Orders *o)
{
  uint32_t kept = 0;
  for (uint32_t i = 0; i < o->at.len; i++)
    if (b->level[o->at.at[i].port] != NO_LEVEL || b->level[o->at.at[i].source] != NO_LEVEL) o->at.at[kept++] = o->at.at[i];
  o->at.len = kept;
}

/* --- Kahn's algorithm ------------------------------------------------------------------------------- */
typedef struct {
  Build *b;
  ArcLists lists;
  const Orders *orders;
  uint32_t *waiting;      /* predecessors not yet placed */
  VertexId *queue;
  uint32_t head, tail;
} Leveller;

static void arrive(Leveller *l, VertexId v, uint32_t level)
{
  Build *b = l->b;
  if (b->level[v] == NO_LEVEL || b->level[v] < level) b->level[v] = level;
  if (--l->waiting[v] == 0) l->queue[l->tail++] = v;
}

static void count_waiting(Leveller *l)
{
  Build *b = l->b;
  for (uint32_t a = 0; a < b->arcs.len; a++)
    if (in_levels(b, a)) l->waiting[b->arcs.at[a].to]++;
  for (VertexId v = 0; v < b->vertex_count; v++) {
    b->level[v] = NO_LEVEL;
    if (b->flags[v] & SLOT_DRIVER) continue;
    uint32_t from, to;
    net_range(b, v, false, &from, &to);
    l->waiting[v] = to - from;
  }
  for (uint32_t i = 0; i < l->orders->at.len; i++) l->waiting[l->orders->at.at[i].port]++;
  for (VertexId v = 0; v < b->vertex_count; v++)
    if (l->waiting[v] == 0) {
      b->level[v] = 0;
      l->queue[l->tail++] = v;
    }
}

static void place(Leveller *l, VertexId v)
{
  Build *b = l->b;
  if (b->flags[v] & SLOT_DRIVER) {
    uint32_t from, to;
    net_range(b, v, true, &from, &to);
    for (uint32_t k = from; k < to; k++) arrive(l, b->net_loads[k], b->level[v]);
  }
  for (uint32_t k = l->lists.first[v]; k < l->lists.first[v + 1]; k++)
    arrive(l, b->arcs.at[l->lists.arc[k]].to, b->level[v] + 1);
  for (uint32_t k = first_order(l->orders, v); k < l->orders->at.len && l->orders->at.at[k].source == v; k++)
    arrive(l, l->orders->at.at[k].port, b->level[v] + 1);
}

/* Number of vertices placed. */
static uint32_t assign_levels(Build *b, const Orders *orders)
{
  Leveller l = { .b = b, .lists = arcs_by_start(b), .orders = orders };
  l.waiting = mem_alloc_zero((size_t)b->vertex_count + 1, sizeof *l.waiting);
  l.queue = mem_alloc(sizeof *l.queue * ((size_t)b->vertex_count + 1));
  count_waiting(&l);
  while (l.head < l.tail) place(&l, l.queue[l.head++]);
  for (VertexId v = 0; v < b->vertex_count; v++)
    if (l.waiting[v]) b->level[v] = NO_LEVEL;
  mem_free(l.waiting);
  mem_free(l.queue);
  free_lists(&l.lists);
  return l.tail;
}

static bool any_blocked(const Build *b)
{
  for (uint32_t a = 0; a < b->arcs.len; a++)
    if (b->arc_flags[a] & ARC_BLOCKED) return true;
  return false;
}

/* Blocked arcs whose slews can be had in level order.  Those that go up the levels as they are close no loop; the others
   are given up where something is in one with them. */
static void place_blocked(Build *b)
{
  Orders none = { 0 };
  b->level_blocked = any_blocked(b);
  if (!b->level_blocked) return;
  uint8_t *back = mem_alloc_zero((size_t)b->arcs.len + 1, 1);
  for (uint32_t a = 0; a < b->arcs.len; a++) back[a] = b->level[b->arcs.at[a].from] >= b->level[b->arcs.at[a].to];
  while (assign_levels(b, &none) < b->vertex_count)
    for (uint32_t a = 0; a < b->arcs.len; a++)
      if (back[a] && b->level[b->arcs.at[a].to] == NO_LEVEL) b->arc_flags[a] &= (uint8_t)~ARC_BLOCKED;
  mem_free(back);
}

/* Levels that heed orders too, as many of them as can be. */
static void place_orders(Build *b, Orders *orders)
{
  Orders none = { 0 };
  if (orders->at.len == 0) return;
  while (orders->at.len && assign_levels(b, orders) < b->vertex_count) drop_unplaced(b, orders);
  if (orders->at.len == 0) assign_levels(b, &none);
}

void build_levels(Build *b)
{
  b->level = mem_alloc(sizeof *b->level * ((size_t)b->vertex_count + 1));
  Orders none = { 0 }, orders = find_orders(b);
  while (assign_levels(b, &none) < b->vertex_count) cut_loops(b);
  place_blocked(b);
  place_orders(b, &orders);
  array_free(&orders.at);
}
