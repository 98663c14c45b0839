/* From vertices to slots: the final arrays in level order. */
#include "base/interrupt.h"
#include "graph/build.h"

#include <stdlib.h>

static bool is_apart(const Build *b, VertexId load, VertexId driver)
{
  return b->apart && b->apart[load] == driver;
}

/* The driver that a load follows: of the highest level among its net's, the first by PinId. */
static VertexId main_driver(const Build *b, VertexId load)
{
  NetId net = build_vertex_net(b, load);
  if (net == NO_NET) return NO_VERTEX;
  VertexId best = NO_VERTEX;
  for (uint32_t k = b->driver_first[net]; k < b->driver_first[net + 1]; k++) {
    VertexId d = b->net_drivers[k];
    if (is_apart(b, load, d)) continue;
    if (best == NO_VERTEX || b->level[d] > b->level[best]) best = d;
  }
  return best;
}

static void count_levels(Build *b, uint32_t **drivers)
{
  Graph *g = b->g;
  for (VertexId v = 0; v < b->vertex_count; v++)
    if (b->level[v] + 1 > g->level_count) g->level_count = b->level[v] + 1;
  g->level_first = mem_alloc_zero((size_t)g->level_count + 1, sizeof *g->level_first);
  g->level_loads = mem_alloc_zero((size_t)g->level_count + 1, sizeof *g->level_loads);
  *drivers = mem_alloc_zero((size_t)g->level_count + 1, sizeof **drivers);
  for (VertexId v = 0; v < b->vertex_count; v++) {
    g->level_first[b->level[v] + 1]++;
    if (b->flags[v] & SLOT_DRIVER) (*drivers)[b->level[v]]++;
  }
  g->drivers_before = mem_alloc_zero((size_t)g->level_count + 1, sizeof *g->drivers_before);
  for (uint32_t l = 0; l < g->level_count; l++) {
    g->level_first[l + 1] += g->level_first[l];
    g->level_loads[l] = g->level_first[l] + (*drivers)[l];
    g->drivers_before[l + 1] = g->drivers_before[l] + (*drivers)[l];
  }
  g->driver_count = g->drivers_before[g->level_count];
  g->driver_slots = mem_alloc(sizeof *g->driver_slots * ((size_t)g->driver_count + 1));
  for (uint32_t l = 0, d = 0; l < g->level_count; l++)
    for (Slot s = g->level_first[l]; s < g->level_loads[l]; s++) g->driver_slots[d++] = s;
  g->load_total = b->vertex_count - g->driver_count;
}

/* Drivers by PinId, each followed in the second part of the level by its loads; floating loads
   last. */
static void place_vertices(Build *b)
{
  Graph *g = b->g;
  uint32_t *drivers;
  count_levels(b, &drivers);
  uint32_t *next_driver = drivers,
           *next_load = mem_alloc(sizeof *next_load * ((size_t)g->level_count + 1));
  for (uint32_t l = 0; l < g->level_count; l++) {
    next_driver[l] = g->level_first[l];
    next_load[l] = g->level_loads[l];
  }
  g->slot_count = b->vertex_count;
  b->slot = mem_alloc(sizeof *b->slot * ((size_t)b->vertex_count + 1));
  memset(b->slot, 0xff, sizeof *b->slot * (size_t)b->vertex_count);
  g->load_first = mem_alloc_zero((size_t)g->slot_count + 1, sizeof *g->load_first);
  g->load_count = mem_alloc_zero((size_t)g->slot_count + 1, sizeof *g->load_count);
  g->wire_driver = mem_alloc(sizeof *g->wire_driver * ((size_t)g->slot_count + 1));
  memset(g->wire_driver, 0xff, sizeof *g->wire_driver * (size_t)g->slot_count);
  for (VertexId v = 0; v < b->vertex_count; v++) {
    if (!(b->flags[v] & SLOT_DRIVER)) continue;
    Slot s = b->slot[v] = next_driver[b->level[v]]++;
    g->load_first[s] = next_load[b->level[v]];
    NetId net = build_vertex_net(b, v);
    if (net == NO_NET) continue;
    for (uint32_t k = b->load_first[net]; k < b->load_first[net + 1]; k++) {
      VertexId w = b->net_loads[k];
      if (main_driver(b, w) != v) continue;
      b->slot[w] = next_load[b->level[v]]++;
      g->wire_driver[b->slot[w]] = s;
      g->load_count[s]++;
    }
  }
  for (VertexId v = 0; v < b->vertex_count; v++)
    if (b->slot[v] == NO_SLOT) b->slot[v] = next_load[b->level[v]]++;
  mem_free(drivers);
  mem_free(next_load);
}

static void copy_slots(Build *b)
{
  Graph *g = b->g;
  size_t n = (size_t)g->slot_count + 1;
  g->slot_pin = mem_alloc(sizeof *g->slot_pin * n);
  g->slot_flags = mem_alloc_zero(n, sizeof *g->slot_flags);
  g->slot_level = mem_alloc(sizeof *g->slot_level * n);
  g->logic = mem_alloc_zero(n, 1);
  for (VertexId v = 0; v < b->vertex_count; v++) {
    Slot s = b->slot[v];
    g->slot_pin[s] = b->pin[v];
    g->slot_flags[s] = b->flags[v];
    g->slot_level[s] = b->level[v];
    g->logic[s] = b->logic[v];
  }
  uint32_t pins = g->pin_count = g->netlist->pins.len;
  g->pin_slot = mem_alloc(sizeof *g->pin_slot * ((size_t)pins + 1));
  g->inout_driver = map_new();
  for (PinId p = 0; p < pins; p++) {
    VertexId load = b->pin_load[p], driver = b->pin_driver[p];
    VertexId v = load != NO_VERTEX ? load : driver;
    g->pin_slot[p] = v == NO_VERTEX ? NO_SLOT : b->slot[v];
    if (load != NO_VERTEX && driver != NO_VERTEX) map_put(g->inout_driver, p, b->slot[driver]);
  }
}

static void copy_arcs(Build *b)
{
  Graph *g = b->g;
  g->arc_count = b->arcs.len;
  size_t n = (size_t)g->arc_count + 1;
  g->arc_first = mem_alloc_zero((size_t)g->slot_count + 2, sizeof *g->arc_first);
  g->arc_from = mem_alloc(sizeof *g->arc_from * n);
  g->arc_to = mem_alloc(sizeof *g->arc_to * n);
  g->arc_lib = mem_alloc(sizeof *g->arc_lib * n);
  g->arc_flags = mem_alloc_zero(n, 1);
  g->arc_pairs = mem_alloc_zero(n, 1);
  g->arc_live = mem_alloc_zero(n, 1);
  g->edge_first = mem_alloc_zero(n, sizeof *g->edge_first);
  for (uint32_t a = 0; a < b->arcs.len; a++) g->arc_first[b->slot[b->arcs.at[a].to] + 2]++;
  for (Slot s = 1; s <= g->slot_count; s++) g->arc_first[s + 1] += g->arc_first[s];
  for (uint32_t a = 0; a < b->arcs.len; a++) {
    const BuildArc *arc = &b->arcs.at[a];
    ArcId id = g->arc_first[b->slot[arc->to] + 1]++;
    g->arc_from[id] = b->slot[arc->from];
    g->arc_to[id] = b->slot[arc->to];
    g->arc_lib[id] = arc->lib;
    g->arc_flags[id] = b->arc_flags[a];
    g->arc_live[id] = b->arc_live[a];
  }
  for (ArcId a = 0; a < g->arc_count; a++) {
    g->arc_pairs[a] = arc_pair_mask(&g->libs->arcs.at[g->arc_lib[a]]);
    g->edge_first[a + 1] = g->edge_first[a] + (uint32_t)__builtin_popcount(g->arc_pairs[a]);
  }
  g->edge_count = g->edge_first[g->arc_count];
}

static void copy_out_arcs(Graph *g)
{
  g->out_first = mem_alloc_zero((size_t)g->slot_count + 2, sizeof *g->out_first);
  g->out_arc = mem_alloc(sizeof *g->out_arc * ((size_t)g->arc_count + 1));
  for (ArcId a = 0; a < g->arc_count; a++) g->out_first[g->arc_from[a] + 2]++;
  for (Slot s = 1; s <= g->slot_count; s++) g->out_first[s + 1] += g->out_first[s];
  for (ArcId a = 0; a < g->arc_count; a++) g->out_arc[g->out_first[g->arc_from[a] + 1]++] = a;
}

/* Each latch data arc with the enable arcs of the same output. */
static void find_latches(Graph *g)
{
  for (ArcId a = 0; a < g->arc_count; a++) {
    if (!(g->arc_flags[a] & ARC_LATCH) || !arc_on(g, a)) continue;
    Slot output = g->arc_to[a];
    for (ArcId b = g->arc_first[output]; b < g->arc_first[output + 1]; b++) {
      const LibArc *lib = &g->libs->arcs.at[g->arc_lib[b]];
      if (lib->type == ARC_LATCH_ENABLE && arc_on(g, b))
        array_push(&g->latches, (Latch){ a, g->arc_from[a], g->arc_from[b], output, lib->edge & 1,
          IDENTITY_MAP });
    }
  }
}

static int by_load(const void *pa, const void *pb)
{
  const ExtraWire *a = pa, *b = pb;
  if (a->load != b->load) return a->load < b->load ? -1 : 1;
  return a->driver < b->driver ? -1 : a->driver > b->driver;
}

/* Drivers of a net beside the one whose loads they share. */
static void copy_extra_drivers(Build *b)
{
  Graph *g = b->g;
  for (NetId net = 0; net < g->netlist->nets.len; net++) {
    if (b->driver_first[net + 1] - b->driver_first[net] < 2) continue;
    for (uint32_t k = b->load_first[net]; k < b->load_first[net + 1]; k++) {
      Slot load = b->slot[b->net_loads[k]];
      for (uint32_t d = b->driver_first[net]; d < b->driver_first[net + 1]; d++) {
        Slot driver = b->slot[b->net_drivers[d]];
        if (driver != g->wire_driver[load] && !is_apart(b, b->net_loads[k], b->net_drivers[d]))
          array_push(&g->extra_wires, (ExtraWire){ load, driver, 0 });
      }
    }
  }
  if (g->extra_wires.len)
    qsort(g->extra_wires.at, g->extra_wires.len, sizeof *g->extra_wires.at, by_load);
}

static void copy_checks(Build *b)
{
  Graph *g = b->g;
  for (uint32_t i = 0; i < b->checks.len; i++) {
    Check c = b->checks.at[i];
    c.clock = b->slot[c.clock];
    c.data = b->slot[c.data];
    array_push(&g->checks, c);
  }
}

void build_slots(Build *b)
{
  place_vertices(b);
  if (interrupt_seen()) return;
  copy_slots(b);
  if (interrupt_seen()) return;
  copy_arcs(b);
  if (interrupt_seen()) return;
  copy_out_arcs(b->g);
  find_latches(b->g);
  copy_extra_drivers(b);
  copy_checks(b);
}
