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

static VertexId source_vertex(const Build *build, PinId pin)
{
  if (!pin_is_hierarchical(build->g->netlist, pin))
    return build->pin_driver[pin] != NO_VERTEX ? build->pin_driver[pin] : build->pin_load[pin];
  NetId net = netlist_pin_net(build->g->netlist, pin);
  return net == NO_NET || build->driver_first[net] == build->driver_first[net + 1]
             ? NO_VERTEX
             : build->net_drivers[build->driver_first[net]];
}

static Orders find_orders(const Build *build)
{
  const Constraints *c = build->g->constraints;
  Orders o = { 0 };
  for (uint32_t i = 0; i < c->input_delays.len; i++) {
    const PortDelay *delay = &c->input_delays.at[i];
    if (delay->pin == NO_PIN || delay->clock == NO_CLOCK || !c->clocks.at[delay->clock].generated)
      continue;
    if (!delay_without_source(delay)) continue;
    if (delay->reference_pin != NO_PIN) continue;      /* its arrivals take a second sweep
                                                      (references.c) */
    VertexId port = build->pin_driver[delay->pin];
    for (uint32_t k = 0; port != NO_VERTEX && k < c->clocks.at[delay->clock].sources.len; k++) {
      VertexId source = source_vertex(build, c->clocks.at[delay->clock].sources.at[k]);
      if (source != NO_VERTEX && source != port) array_push(&o.at, (LevelArc){ source, port });
    }
  }
  return o;
}

/* Drops the orders whose ports wait for a source without a level.  Returns how many are left. */
static uint32_t drop_unplaced(const Build *build, Orders *orders)
{
  uint32_t kept = 0;
  for (uint32_t i = 0; i < orders->at.len; i++)
    if (build->level[orders->at.at[i].to] != NO_LEVEL
        || build->level[orders->at.at[i].from] != NO_LEVEL)
      orders->at.at[kept++] = orders->at.at[i];
  return orders->at.len = kept;
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

static void link_arcs(const Placing *placing)
{
  for (uint32_t a = 0; a < placing->in->arc_count; a++) {
    Waiter *from = &placing->at[placing->in->arcs[a].from];
    placing->next_arc[a] = from->first_arc;
    from->first_arc = a + 1;
    placing->at[placing->in->arcs[a].to].waiting++;
  }
}

static void join_nets(const Placing *placing)
{
  const LevelInput *in = placing->in;
  for (NetId net = 0; net < in->net_count; net++) {
    for (uint32_t i = in->driver_first[net]; i < in->driver_first[net + 1]; i++)
      placing->at[in->net_drivers[i]].net = net + 1;
    for (uint32_t i = in->load_first[net]; i < in->load_first[net + 1]; i++)
      placing->at[in->net_loads[i]].waiting = in->driver_first[net + 1] - in->driver_first[net];
  }
}

static void release_arcs(Placing *placing, VertexId from, uint32_t level)
{
  for (uint32_t a = placing->at[from].first_arc; a; a = placing->next_arc[a - 1]) {
    VertexId to = placing->in->arcs[a - 1].to;
    if (--placing->at[to].waiting) continue;
    placing->level[to] = level + 1;
    placing->queue[placing->tail++] = to;
  }
}

static void release_loads(Placing *placing, uint32_t net, uint32_t level)
{
  for (uint32_t i = placing->in->load_first[net]; i < placing->in->load_first[net + 1]; i++) {
    VertexId load = placing->in->net_loads[i];
    if (--placing->at[load].waiting) continue;
    placing->level[load] = level;
    release_arcs(placing, load, level);
  }
}

static void release_first(Placing *placing)
{
  for (VertexId v = 0; v < placing->in->vertex_count; v++) {
    placing->level[v] = NO_LEVEL;
    if (placing->at[v].waiting) continue;
    placing->level[v] = 0;
    placing->queue[placing->tail++] = v;
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

static bool is_apart(const Build *build, VertexId v)
{
  return build->apart && build->apart[v] != NO_VERTEX;
}

/* Returns true if the load has a driver. */
static bool has_others(const Build *build, VertexId load)
{
  NetId net = build_vertex_net(build, load);
  return build->driver_first[net + 1] - build->driver_first[net] > 1;
}

static void add_arcs(Levelled *levelled, const Build *build, BuildArc arc)
{
  if (!is_apart(build, arc.from) || !has_others(build, arc.from)) {
    array_push(&levelled->arcs, (LevelArc){ arc.from, arc.to });
    return;
  }
  NetId net = build_vertex_net(build, arc.from);
  for (uint32_t i = build->driver_first[net]; i < build->driver_first[net + 1]; i++)
    if (build->net_drivers[i] != build->apart[arc.from])
      array_push(&levelled->arcs, (LevelArc){ build->net_drivers[i], arc.to });
}

static void join_loads(Levelled *levelled, const Build *build)
{
  uint32_t nets = build->g->netlist->nets.len, count = 0;
  levelled->load_first = mem_alloc(sizeof *levelled->load_first * ((size_t)nets + 1));
  levelled->net_loads =
      mem_alloc(sizeof *levelled->net_loads * ((size_t)build->load_first[nets] + 1));
  for (NetId net = 0; net < nets; net++) {
    levelled->load_first[net] = count;
    for (uint32_t i = build->load_first[net]; i < build->load_first[net + 1]; i++)
      if (!is_apart(build, build->net_loads[i])) levelled->net_loads[count++] = build->net_loads[i];
  }
  levelled->load_first[nets] = count;
}

static Levelled levelled(const Build *build, const Orders *orders)
{
  Levelled l = { 0 };
  array_reserve(&l.arcs, build->arcs.len + orders->at.len + 1);
  for (uint32_t a = 0; a < build->arcs.len; a++)
    if (build_in_levels(build, a)) add_arcs(&l, build, build->arcs.at[a]);
  for (uint32_t i = 0; i < orders->at.len; i++) array_push(&l.arcs, orders->at.at[i]);
  if (build->apart) join_loads(&l, build);
  return l;
}

static void place_apart(Build *build, VertexId load)
{
  NetId net = build_vertex_net(build, load);
  if (has_others(build, load)) build->level[load] = 0;
  for (uint32_t i = build->driver_first[net]; i < build->driver_first[net + 1]; i++) {
    VertexId driver = build->net_drivers[i];
    bool higher = driver != build->apart[load] && build->level[driver] > build->level[load];
    if (higher) build->level[load] = build->level[driver];
  }
}

/* Returns true if every vertex has a level. */
static bool find_levels(Build *build, const Orders *orders)
{
  Levelled l = levelled(build, orders);
  LevelInput in = { .vertex_count = build->vertex_count,
                    .arc_count = l.arcs.len,
                    .net_count = build->g->netlist->nets.len,
                    .arcs = l.arcs.at,
                    .driver_first = build->driver_first,
                    .load_first = l.load_first ? l.load_first : build->load_first,
                    .net_drivers = build->net_drivers,
                    .net_loads = l.net_loads ? l.net_loads : build->net_loads };
  if (build->leveller && !build->leveller->find(build->leveller->of, &in, build->level))
    build->leveller = NULL;
  if (build->leveller == NULL) levels_find(&in, build->level);
  array_free(&l.arcs);
  mem_free(l.load_first);
  mem_free(l.net_loads);
  for (VertexId v = 0; v < build->vertex_count; v++)
    if (is_apart(build, v)) place_apart(build, v);
  for (VertexId v = 0; v < build->vertex_count; v++)
    if (build->level[v] == NO_LEVEL) return false;
  return true;
}

static bool any_blocked(const Build *build)
{
  for (uint32_t a = 0; a < build->arcs.len; a++)
    if (build->arc_flags[a] & ARC_BLOCKED) return true;
  return false;
}

/* Finds the blocked arcs whose slews can be computed in level order.  Arcs that already go up the
   levels close no loop.  The others are dropped if they are part of a loop. */
static void place_blocked(Build *build)
{
  Orders none = { 0 };
  build->level_blocked = any_blocked(build);
  if (!build->level_blocked) return;
  uint8_t *back = mem_alloc_zero((size_t)build->arcs.len + 1, 1);
  for (uint32_t a = 0; a < build->arcs.len; a++)
    back[a] = build->level[build->arcs.at[a].from] >= build->level[build->arcs.at[a].to];
  while (!find_levels(build, &none) && !interrupt_seen())
    for (uint32_t a = 0; a < build->arcs.len; a++)
      if (back[a] && build->level[build->arcs.at[a].to] == NO_LEVEL)
        build->arc_flags[a] &= (uint8_t)~ARC_BLOCKED;
  mem_free(back);
}

/* Computes levels that respect as many of the orders as possible. */
static void place_orders(Build *build, Orders *orders)
{
  while (orders->at.len && !find_levels(build, orders) && !interrupt_seen())
    if (drop_unplaced(build, orders) == 0) find_levels(build, orders);
}

void build_levels(Build *build)
{
  double start = clock_seconds();
  build_apart(build);
  build->level = mem_alloc(sizeof *build->level * ((size_t)build->vertex_count + 1));
  Orders none = { 0 }, orders = find_orders(build);
  while (!find_levels(build, &none) && !interrupt_seen()) build_cut_loops(build);
  if (!interrupt_seen()) place_blocked(build);
  if (!interrupt_seen()) place_orders(build, &orders);
  array_free(&orders.at);
  build->g->levels.seconds = clock_seconds() - start;
  build->g->levels.given = build->leveller != NULL;
}
