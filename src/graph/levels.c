/* Computes levels. A driver is one level above the highest start of its arcs. A load is in the
   level of its driver. Combinational loops are cut first. */
#include "base/clock.h"
#include "base/interrupt.h"
#include "graph/build.h"

/* --- order that arcs do not give -----------------------------------------------------------------

   An input delay that names a generated clock is added to the clock's arrival at its source, so the
   port must come after the source.  If the port itself leads to the source, arrivals need a second
   pass (links.c). */
typedef struct {
  ARRAY(LevelArc) at;       /* arcs from sources to ports */
} Orders;

static VertexId source_vertex(const Build *b, PinId pin)
{
  if (!pin_is_hierarchical(b->g->netlist, pin))
    return b->pin_driver[pin] != NO_VERTEX ? b->pin_driver[pin] : b->pin_load[pin];
  NetId net = netlist_pin_net(b->g->netlist, pin);
  return net == NO_NET || b->driver_first[net] == b->driver_first[net + 1]
             ? NO_VERTEX
             : b->net_drivers[b->driver_first[net]];
}

static Orders find_orders(const Build *b)
{
  const Constraints *c = b->g->constraints;
  Orders o = { 0 };
  for (uint32_t i = 0; i < c->input_delays.len; i++) {
    const PortDelay *d = &c->input_delays.at[i];
    if (d->pin == NO_PIN || d->clock == NO_CLOCK || !c->clocks.at[d->clock].generated) continue;
    if (!delay_without_source(d)) continue;
    if (d->reference_pin != NO_PIN) continue;      /* its arrivals take a second pass
                                                      (references.c) */
    VertexId port = b->pin_driver[d->pin];
    for (uint32_t k = 0; port != NO_VERTEX && k < c->clocks.at[d->clock].sources.len; k++) {
      VertexId source = source_vertex(b, c->clocks.at[d->clock].sources.at[k]);
      if (source != NO_VERTEX && source != port) array_push(&o.at, (LevelArc){ source, port });
    }
  }
  return o;
}

/* Drops the orders whose ports wait for a source without a level.  Returns how many are left. */
static uint32_t drop_unplaced(const Build *b, Orders *o)
{
  uint32_t kept = 0;
  for (uint32_t i = 0; i < o->at.len; i++)
    if (b->level[o->at.at[i].to] != NO_LEVEL || b->level[o->at.at[i].from] != NO_LEVEL)
      o->at.at[kept++] = o->at.at[i];
  return o->at.len = kept;
}

/* --- the host's way --------------------------------------------------------------------------- */
typedef struct {
  uint32_t waiting;         /* number of predecessors without a level */
  uint32_t first_arc;       /* 1 + the first arc that begins here (next_arc has the next one); 0:
                               none */
  uint32_t net;             /* 1 + the net that the vertex drives; 0: none */
} Waiter;

/* Vertices pass the queue level by level, so the last predecessor is the highest.  Loads come with
   their drivers, and drivers one level after their predecessors (Kahn's algorithm). */
typedef struct {
  const LevelInput *in;
  Waiter   *at;
  uint32_t *next_arc;       /* 1 + the next arc with the same start; 0: none */
  VertexId *queue;
  uint32_t  tail;
  uint32_t *level;
} Placing;

static void link_arcs(const Placing *p)
{
  for (uint32_t a = 0; a < p->in->arc_count; a++) {
    Waiter *from = &p->at[p->in->arcs[a].from];
    p->next_arc[a] = from->first_arc;
    from->first_arc = a + 1;
    p->at[p->in->arcs[a].to].waiting++;
  }
}

static void join_nets(const Placing *p)
{
  const LevelInput *in = p->in;
  for (NetId net = 0; net < in->net_count; net++) {
    for (uint32_t i = in->driver_first[net]; i < in->driver_first[net + 1]; i++)
      p->at[in->net_drivers[i]].net = net + 1;
    for (uint32_t i = in->load_first[net]; i < in->load_first[net + 1]; i++)
      p->at[in->net_loads[i]].waiting = in->driver_first[net + 1] - in->driver_first[net];
  }
}

static void release_arcs(Placing *p, VertexId from, uint32_t level)
{
  for (uint32_t a = p->at[from].first_arc; a; a = p->next_arc[a - 1]) {
    VertexId to = p->in->arcs[a - 1].to;
    if (--p->at[to].waiting) continue;
    p->level[to] = level + 1;
    p->queue[p->tail++] = to;
  }
}

static void release_loads(Placing *p, uint32_t net, uint32_t level)
{
  for (uint32_t i = p->in->load_first[net]; i < p->in->load_first[net + 1]; i++) {
    VertexId load = p->in->net_loads[i];
    if (--p->at[load].waiting) continue;
    p->level[load] = level;
    release_arcs(p, load, level);
  }
}

static void release_first(Placing *p)
{
  for (VertexId v = 0; v < p->in->vertex_count; v++) {
    p->level[v] = NO_LEVEL;
    if (p->at[v].waiting) continue;
    p->level[v] = 0;
    p->queue[p->tail++] = v;
  }
}

void levels_find(const LevelInput *in, uint32_t *level)
{
  Placing p = { .in = in, .level = level };
  p.at = mem_alloc_zero((size_t)in->vertex_count + 1, sizeof *p.at);
  p.next_arc = mem_alloc(sizeof *p.next_arc * ((size_t)in->arc_count + 1));
  p.queue = mem_alloc(sizeof *p.queue * ((size_t)in->vertex_count + 1));
  link_arcs(&p);
  join_nets(&p);
  release_first(&p);
  for (uint32_t head = 0; head < p.tail && ((head & 0xffff) || !interrupt_seen()); head++) {
    VertexId v = p.queue[head];
    release_arcs(&p, v, level[v]);
    if (p.at[v].net) release_loads(&p, p.at[v].net - 1, level[v]);
  }
  mem_free(p.at);
  mem_free(p.next_arc);
  mem_free(p.queue);
}

/* --- levels by arcs alone --------------------------------------------------------------------- */
/* Loads of inout pins that stay apart from their drivers (inout.c) are in no net here.  So an arc
   that starts at such a load gets copies, which start at the other drivers of its net instead.  The
   level of its end is the same. */
typedef struct {
  ARRAY(LevelArc) arcs;
  uint32_t *load_first;     /* NULL (then the next one is NULL too): use those of Build */
  VertexId *net_loads;
} Levelled;

static bool is_apart(const Build *b, VertexId v) { return b->apart && b->apart[v] != NO_VERTEX; }

/* Returns true if the load has a driver. */
static bool has_others(const Build *b, VertexId load)
{
  NetId net = build_vertex_net(b, load);
  return b->driver_first[net + 1] - b->driver_first[net] > 1;
}

static void add_arcs(Levelled *l, const Build *b, BuildArc arc)
{
  if (!is_apart(b, arc.from) || !has_others(b, arc.from)) {
    array_push(&l->arcs, (LevelArc){ arc.from, arc.to });
    return;
  }
  NetId net = build_vertex_net(b, arc.from);
  for (uint32_t i = b->driver_first[net]; i < b->driver_first[net + 1]; i++)
    if (b->net_drivers[i] != b->apart[arc.from])
      array_push(&l->arcs, (LevelArc){ b->net_drivers[i], arc.to });
}

static void join_loads(Levelled *l, const Build *b)
{
  uint32_t nets = b->g->netlist->nets.len, count = 0;
  l->load_first = mem_alloc(sizeof *l->load_first * ((size_t)nets + 1));
  l->net_loads = mem_alloc(sizeof *l->net_loads * ((size_t)b->load_first[nets] + 1));
  for (NetId net = 0; net < nets; net++) {
    l->load_first[net] = count;
    for (uint32_t i = b->load_first[net]; i < b->load_first[net + 1]; i++)
      if (!is_apart(b, b->net_loads[i])) l->net_loads[count++] = b->net_loads[i];
  }
  l->load_first[nets] = count;
}

static Levelled levelled(const Build *b, const Orders *orders)
{
  Levelled l = { 0 };
  array_reserve(&l.arcs, b->arcs.len + orders->at.len + 1);
  for (uint32_t a = 0; a < b->arcs.len; a++)
    if (build_in_levels(b, a)) add_arcs(&l, b, b->arcs.at[a]);
  for (uint32_t i = 0; i < orders->at.len; i++) array_push(&l.arcs, orders->at.at[i]);
  if (b->apart) join_loads(&l, b);
  return l;
}

static void place_apart(Build *b, VertexId load)
{
  NetId net = build_vertex_net(b, load);
  if (has_others(b, load)) b->level[load] = 0;
  for (uint32_t i = b->driver_first[net]; i < b->driver_first[net + 1]; i++) {
    VertexId driver = b->net_drivers[i];
    bool higher = driver != b->apart[load] && b->level[driver] > b->level[load];
    if (higher) b->level[load] = b->level[driver];
  }
}

/* Returns true if every vertex has a level. */
static bool find_levels(Build *b, const Orders *orders)
{
  Levelled l = levelled(b, orders);
  LevelInput in = { .vertex_count = b->vertex_count, .arc_count = l.arcs.len,
    .net_count = b->g->netlist->nets.len, .arcs = l.arcs.at, .driver_first = b->driver_first,
    .load_first = l.load_first ? l.load_first : b->load_first, .net_drivers = b->net_drivers,
    .net_loads = l.net_loads ? l.net_loads : b->net_loads };
  if (b->leveller && !b->leveller->find(b->leveller->of, &in, b->level)) b->leveller = NULL;
  if (b->leveller == NULL) levels_find(&in, b->level);
  array_free(&l.arcs);
  mem_free(l.load_first);
  mem_free(l.net_loads);
  for (VertexId v = 0; v < b->vertex_count; v++)
    if (is_apart(b, v)) place_apart(b, v);
  for (VertexId v = 0; v < b->vertex_count; v++)
    if (b->level[v] == NO_LEVEL) return false;
  return true;
}

static bool any_blocked(const Build *b)
{
  for (uint32_t a = 0; a < b->arcs.len; a++)
    if (b->arc_flags[a] & ARC_BLOCKED) return true;
  return false;
}

/* Finds the blocked arcs whose slews can be computed in level order.  Arcs that already go up the
   levels close no loop.  The others are dropped if they are part of a loop. */
static void place_blocked(Build *b)
{
  Orders none = { 0 };
  b->level_blocked = any_blocked(b);
  if (!b->level_blocked) return;
  uint8_t *back = mem_alloc_zero((size_t)b->arcs.len + 1, 1);
  for (uint32_t a = 0; a < b->arcs.len; a++)
    back[a] = b->level[b->arcs.at[a].from] >= b->level[b->arcs.at[a].to];
  while (!find_levels(b, &none) && !interrupt_seen())
    for (uint32_t a = 0; a < b->arcs.len; a++)
      if (back[a] && b->level[b->arcs.at[a].to] == NO_LEVEL)
        b->arc_flags[a] &= (uint8_t)~ARC_BLOCKED;
  mem_free(back);
}

/* Computes levels that respect as many of the orders as possible. */
static void place_orders(Build *b, Orders *orders)
{
  while (orders->at.len && !find_levels(b, orders) && !interrupt_seen())
    if (drop_unplaced(b, orders) == 0) find_levels(b, orders);
}

void build_levels(Build *b)
{
  double start = clock_seconds();
  build_apart(b);
  b->level = mem_alloc(sizeof *b->level * ((size_t)b->vertex_count + 1));
  Orders none = { 0 }, orders = find_orders(b);
  while (!find_levels(b, &none) && !interrupt_seen()) build_cut_loops(b);
  if (!interrupt_seen()) place_blocked(b);
  if (!interrupt_seen()) place_orders(b, &orders);
  array_free(&orders.at);
  b->g->levels.seconds = clock_seconds() - start;
  b->g->levels.given = b->leveller != NULL;
}
