/* Turns vertices into slots: makes the final arrays in level order. */
#include "base/interrupt.h"
#include "graph/build.h"

#include <stdlib.h>

static bool is_apart(const Build *build, VertexId load, VertexId driver)
{
  return build->apart && build->apart[load] == driver;
}

/* Returns the driver that owns a load: of the drivers of its net with the highest level, the one
   with the lowest PinId. */
static VertexId main_driver(const Build *build, VertexId load)
{
  NetId net = build_vertex_net(build, load);
  if (net == NO_NET) return NO_VERTEX;
  VertexId best = NO_VERTEX;
  for (uint32_t k = build->driver_first[net]; k < build->driver_first[net + 1]; k++) {
    VertexId d = build->net_drivers[k];
    if (is_apart(build, load, d)) continue;
    if (best == NO_VERTEX || build->level[d] > build->level[best]) best = d;
  }
  return best;
}

static void count_levels(Build *build, uint32_t **drivers)
{
  Graph *g = build->g;
  for (VertexId v = 0; v < build->vertex_count; v++)
    if (build->level[v] + 1 > g->levels.count) g->levels.count = build->level[v] + 1;
  g->levels.first = mem_alloc_zero((size_t)g->levels.count + 1, sizeof *g->levels.first);
  g->levels.loads = mem_alloc_zero((size_t)g->levels.count + 1, sizeof *g->levels.loads);
  *drivers = mem_alloc_zero((size_t)g->levels.count + 1, sizeof **drivers);
  for (VertexId v = 0; v < build->vertex_count; v++) {
    g->levels.first[build->level[v] + 1]++;
    if (build->flags[v] & SLOT_DRIVER) (*drivers)[build->level[v]]++;
  }
  g->levels.drivers_before =
      mem_alloc_zero((size_t)g->levels.count + 1, sizeof *g->levels.drivers_before);
  for (uint32_t l = 0; l < g->levels.count; l++) {
    g->levels.first[l + 1] += g->levels.first[l];
    g->levels.loads[l] = g->levels.first[l] + (*drivers)[l];
    g->levels.drivers_before[l + 1] = g->levels.drivers_before[l] + (*drivers)[l];
  }
  g->nets.driver_count = g->levels.drivers_before[g->levels.count];
  g->nets.driver_slots =
      mem_alloc(sizeof *g->nets.driver_slots * ((size_t)g->nets.driver_count + 1));
  for (uint32_t l = 0, d = 0; l < g->levels.count; l++)
    for (Slot s = g->levels.first[l]; s < g->levels.loads[l]; s++) g->nets.driver_slots[d++] = s;
  g->nets.load_total = build->vertex_count - g->nets.driver_count;
}

/* Gives vertices their slots. In each level, the drivers come first, by PinId, then their loads in
   the order of the drivers, and floating loads last. */
static void place_vertices(Build *build)
{
  Graph *g = build->g;
  uint32_t *drivers;
  count_levels(build, &drivers);
  uint32_t *next_driver = drivers,
           *next_load = mem_alloc(sizeof *next_load * ((size_t)g->levels.count + 1));
  for (uint32_t l = 0; l < g->levels.count; l++) {
    next_driver[l] = g->levels.first[l];
    next_load[l] = g->levels.loads[l];
  }
  g->slots.count = build->vertex_count;
  build->slot = mem_alloc(sizeof *build->slot * ((size_t)build->vertex_count + 1));
  memset(build->slot, 0xff, sizeof *build->slot * (size_t)build->vertex_count);
  g->nets.load_first = mem_alloc_zero((size_t)g->slots.count + 1, sizeof *g->nets.load_first);
  g->nets.load_count = mem_alloc_zero((size_t)g->slots.count + 1, sizeof *g->nets.load_count);
  g->nets.wire_driver = mem_alloc(sizeof *g->nets.wire_driver * ((size_t)g->slots.count + 1));
  memset(g->nets.wire_driver, 0xff, sizeof *g->nets.wire_driver * (size_t)g->slots.count);
  for (VertexId v = 0; v < build->vertex_count; v++) {
    if (!(build->flags[v] & SLOT_DRIVER)) continue;
    Slot s = build->slot[v] = next_driver[build->level[v]]++;
    g->nets.load_first[s] = next_load[build->level[v]];
    NetId net = build_vertex_net(build, v);
    if (net == NO_NET) continue;
    for (uint32_t k = build->load_first[net]; k < build->load_first[net + 1]; k++) {
      VertexId w = build->net_loads[k];
      if (main_driver(build, w) != v) continue;
      build->slot[w] = next_load[build->level[v]]++;
      g->nets.wire_driver[build->slot[w]] = s;
      g->nets.load_count[s]++;
    }
  }
  for (VertexId v = 0; v < build->vertex_count; v++)
    if (build->slot[v] == NO_SLOT) build->slot[v] = next_load[build->level[v]]++;
  mem_free(drivers);
  mem_free(next_load);
}

static void copy_slots(Build *build)
{
  Graph *g = build->g;
  size_t n = (size_t)g->slots.count + 1;
  g->slots.pin = mem_alloc(sizeof *g->slots.pin * n);
  g->slots.flags = mem_alloc_zero(n, sizeof *g->slots.flags);
  g->slots.level = mem_alloc(sizeof *g->slots.level * n);
  g->slots.logic = mem_alloc_zero(n, 1);
  for (VertexId v = 0; v < build->vertex_count; v++) {
    Slot s = build->slot[v];
    g->slots.pin[s] = build->pin[v];
    g->slots.flags[s] = build->flags[v];
    g->slots.level[s] = build->level[v];
    g->slots.logic[s] = build->logic[v];
  }
  uint32_t pins = g->pin_count = g->netlist->pins.len;
  g->slots.of_pin = mem_alloc(sizeof *g->slots.of_pin * ((size_t)pins + 1));
  g->slots.inout_driver = map_new();
  for (PinId p = 0; p < pins; p++) {
    VertexId load = build->pin_load[p], driver = build->pin_driver[p];
    VertexId v = load != NO_VERTEX ? load : driver;
    g->slots.of_pin[p] = v == NO_VERTEX ? NO_SLOT : build->slot[v];
    if (load != NO_VERTEX && driver != NO_VERTEX)
      map_put(g->slots.inout_driver, p, build->slot[driver]);
  }
}

static void copy_arcs(Build *build)
{
  Graph *g = build->g;
  g->arcs.count = build->arcs.len;
  size_t n = (size_t)g->arcs.count + 1;
  g->arcs.first = mem_alloc_zero((size_t)g->slots.count + 2, sizeof *g->arcs.first);
  g->arcs.from = mem_alloc(sizeof *g->arcs.from * n);
  g->arcs.to = mem_alloc(sizeof *g->arcs.to * n);
  g->arcs.lib = mem_alloc(sizeof *g->arcs.lib * n);
  g->arcs.flags = mem_alloc_zero(n, 1);
  g->arcs.pairs = mem_alloc_zero(n, 1);
  g->arcs.live = mem_alloc_zero(n, 1);
  g->arcs.edge_first = mem_alloc_zero(n, sizeof *g->arcs.edge_first);
  for (uint32_t a = 0; a < build->arcs.len; a++)
    g->arcs.first[build->slot[build->arcs.at[a].to] + 2]++;
  for (Slot s = 1; s <= g->slots.count; s++) g->arcs.first[s + 1] += g->arcs.first[s];
  for (uint32_t a = 0; a < build->arcs.len; a++) {
    const BuildArc *arc = &build->arcs.at[a];
    ArcId id = g->arcs.first[build->slot[arc->to] + 1]++;
    g->arcs.from[id] = build->slot[arc->from];
    g->arcs.to[id] = build->slot[arc->to];
    g->arcs.lib[id] = arc->lib;
    g->arcs.flags[id] = build->arc_flags[a];
    g->arcs.live[id] = build->arc_live[a];
  }
  for (ArcId a = 0; a < g->arcs.count; a++) {
    g->arcs.pairs[a] = arc_pair_mask(&g->libs->arcs.at[g->arcs.lib[a]]);
    g->arcs.edge_first[a + 1] =
        g->arcs.edge_first[a] + (uint32_t)__builtin_popcount(g->arcs.pairs[a]);
  }
  g->arcs.edge_count = g->arcs.edge_first[g->arcs.count];
}

static void copy_out_arcs(Graph *g)
{
  g->arcs.out_first = mem_alloc_zero((size_t)g->slots.count + 2, sizeof *g->arcs.out_first);
  g->arcs.out = mem_alloc(sizeof *g->arcs.out * ((size_t)g->arcs.count + 1));
  for (ArcId a = 0; a < g->arcs.count; a++) g->arcs.out_first[g->arcs.from[a] + 2]++;
  for (Slot s = 1; s <= g->slots.count; s++) g->arcs.out_first[s + 1] += g->arcs.out_first[s];
  for (ArcId a = 0; a < g->arcs.count; a++)
    g->arcs.out[g->arcs.out_first[g->arcs.from[a] + 1]++] = a;
}

/* Pairs each data arc of a latch with the enable arcs of the same output. */
static void find_latches(Graph *g)
{
  for (ArcId a = 0; a < g->arcs.count; a++) {
    if (!(g->arcs.flags[a] & ARC_LATCH) || !arc_on(g, a)) continue;
    Slot output = g->arcs.to[a];
    for (ArcId b = g->arcs.first[output]; b < g->arcs.first[output + 1]; b++) {
      const LibArc *lib = &g->libs->arcs.at[g->arcs.lib[b]];
      if (lib->type == ARC_LATCH_ENABLE && arc_on(g, b))
        array_push(&g->arcs.latches, (Latch){ a, g->arcs.from[a], g->arcs.from[b], output,
                                              lib->edge & 1, IDENTITY_MAP });
    }
  }
}

static int by_load(const void *pa, const void *pb)
{
  const ExtraWire *a = pa, *b = pb;
  if (a->load != b->load) return a->load < b->load ? -1 : 1;
  return a->driver < b->driver ? -1 : a->driver > b->driver;
}

/* Lists the drivers of nets other than the one that owns the loads. */
static void copy_extra_drivers(Build *build)
{
  Graph *g = build->g;
  for (NetId net = 0; net < g->netlist->nets.len; net++) {
    if (build->driver_first[net + 1] - build->driver_first[net] < 2) continue;
    for (uint32_t k = build->load_first[net]; k < build->load_first[net + 1]; k++) {
      Slot load = build->slot[build->net_loads[k]];
      for (uint32_t d = build->driver_first[net]; d < build->driver_first[net + 1]; d++) {
        Slot driver = build->slot[build->net_drivers[d]];
        if (driver != g->nets.wire_driver[load]
            && !is_apart(build, build->net_loads[k], build->net_drivers[d]))
          array_push(&g->nets.extra_wires, (ExtraWire){ load, driver, 0 });
      }
    }
  }
  if (g->nets.extra_wires.len)
    qsort(g->nets.extra_wires.at, g->nets.extra_wires.len, sizeof *g->nets.extra_wires.at, by_load);
}

static void copy_checks(Build *build)
{
  Graph *g = build->g;
  for (uint32_t i = 0; i < build->checks.len; i++) {
    Check c = build->checks.at[i];
    c.clock = build->slot[c.clock];
    c.data = build->slot[c.data];
    array_push(&g->ends.checks, c);
  }
}

void build_slots(Build *build)
{
  place_vertices(build);
  if (interrupt_seen()) return;
  copy_slots(build);
  if (interrupt_seen()) return;
  copy_arcs(build);
  if (interrupt_seen()) return;
  copy_out_arcs(build->g);
  find_latches(build->g);
  copy_extra_drivers(build);
  copy_checks(build);
}
