/* Compiles a graph: runs the steps of graph/build.h in order. */
#include "base/interrupt.h"
#include "graph/build.h"
#include "graph/hierarchy.h"
#include "graph/clocks/common_tree.h"
#include "graph/idle/idle.h"
#include "graph/exception_use.h"
#include "graph/path_points.h"

static void free_build(Build *build)
{
  mem_free(build->pin);
  mem_free(build->flags);
  mem_free(build->logic);
  mem_free(build->pin_load);
  mem_free(build->pin_driver);
  array_free(&build->arcs);
  mem_free(build->arc_flags);
  mem_free(build->arc_live);
  array_free(&build->checks);
  mem_free(build->driver_first);
  mem_free(build->load_first);
  mem_free(build->net_drivers);
  mem_free(build->net_loads);
  mem_free(build->apart);
  mem_free(build->level);
  mem_free(build->slot);
}

static void mark_disabled_load(void *data, Slot load)
{
  Graph *g = data;
  g->slots.flags[load] |= SLOT_DISABLED;
}

/* Disables the slots of a pin, or the slots behind a hierarchical pin. */
static void mark_disabled_pin(Graph *g, PinId pin)
{
  if (pin != NO_PIN && pin_is_hierarchical(g->netlist, pin))
    graph_crossing_loads(g, pin, mark_disabled_load, g);
  Slot slots[2] = { graph_slot(g, pin, true), graph_slot(g, pin, false) };
  for (int k = 0; k < 2; k++)
    if (slots[k] != NO_SLOT) g->slots.flags[slots[k]] |= SLOT_DISABLED;
}

/* Disables ports of the top behind a hierarchical pin, because its wires may lead there. */
static void mark_disabled_behind(Graph *g, PinId hierarchical)
{
  PinArray pins = { 0 };
  hierarchy_pins_behind(g->netlist, hierarchical, &pins);
  for (uint32_t i = 0; i < pins.len; i++)
    if (pin_is_top_port(g->netlist, pins.at[i])) mark_disabled_pin(g, pins.at[i]);
  array_free(&pins);
}

/* Disables the ports of set_disable_timing and the pins of set_logic_dc. Nothing arrives or starts
   there. */
static void mark_disabled_ports(Graph *g)
{
  for (uint32_t i = 0; i < g->constraints->cases.len; i++)
    if (g->constraints->cases.at[i].value == CASE_UNKNOWN)
      mark_disabled_pin(g, g->constraints->cases.at[i].pin);
  for (uint32_t i = 0; i < g->constraints->disabled.len; i++) {
    Object o = object_as_pin(g->constraints->disabled.at[i].object);
    if (o.type != OBJ_PIN) continue;
    if (pin_is_top_port(g->netlist, o.id)) mark_disabled_pin(g, o.id);
    else if (pin_is_hierarchical(g->netlist, o.id)) mark_disabled_behind(g, o.id);
  }
}

Graph *graph_new(const GraphInput *in, Log *log)
{
  ExceptionIndex *index;
  Graph *g = graph_new_traced(in, log, NULL, &index);
  exception_index_free(index);
  return g;
}

/* Builds slots and arcs. */
static void build_structure(Graph *g, const GraphInput *in, Log *log)
{
  static void (*const steps[])(Build *) = { build_vertices, build_logic, build_disabled,
                                            build_levels, build_slots };
  Build b = { .g = g, .log = log, .leveller = in->leveller };
  for (size_t i = 0; i < sizeof steps / sizeof *steps && !interrupt_seen(); i++) steps[i](&b);
  free_build(&b);
}

/* Builds what depends on constraints: clocks, tags, nodes, path ends. */
static void build_constrained(Graph *g, Log *log, ExceptionTrace *trace, ExceptionIndex **index)
{
  mark_disabled_ports(g);
  build_ideal(g);
  SenseIndex *senses = sense_index_new(g);
  *index = exception_index_new(g, trace);
  build_clocks(g, senses, log);
  if (!interrupt_seen()) build_nodes(g, *index, senses, log);
  if (!interrupt_seen()) build_references(g, log);
  if (!interrupt_seen()) build_path_ends(g, *index, log);
  if (!interrupt_seen()) warn_vain_exceptions(*index, log);
  if (!interrupt_seen()) warn_vain_delays(g, log);
  if (!interrupt_seen()) idle_warn_networks(g, log);
  if (!interrupt_seen()) idle_warn_conditions(g, log);
  if (!interrupt_seen()) common_tree_build(g);
  sense_index_free(senses);
}

Graph *graph_new_traced(const GraphInput *in, Log *log, ExceptionTrace *trace,
                        ExceptionIndex **index)
{
  Graph *g = mem_alloc_zero(1, sizeof *g);
  g->netlist = in->netlist;
  g->libs = in->libs;
  g->constraints = in->constraints;
  g->rules = in->rules;
  g->tags = tag_table_new();
  *index = NULL;
  build_structure(g, in, log);
  if (!interrupt_seen()) build_constrained(g, log, trace, index);
  if (!interrupt_seen()) return g;
  exception_index_free(*index);
  *index = NULL;
  graph_free(g);
  return NULL;
}

void graph_free(Graph *g)
{
  if (g == NULL) return;
  void *arrays[] = { g->levels.first,      g->levels.loads,     g->levels.drivers_before,
                     g->nets.driver_slots, g->slots.pin,        g->slots.flags,
                     g->slots.level,       g->nets.load_first,  g->nets.load_count,
                     g->nets.wire_driver,  g->slots.of_pin,     g->arcs.first,
                     g->arcs.from,         g->arcs.to,          g->arcs.lib,
                     g->arcs.flags,        g->arcs.pairs,       g->arcs.live,
                     g->arcs.edge_first,   g->arcs.map,         g->arcs.out_first,
                     g->arcs.out,          g->slots.logic,      g->nodes.slot_tags,
                     g->nets.wire_map,     g->nodes.first,      g->nodes.edges,
                     g->by_tag.latency,    g->by_tag.is_ideal,  g->by_tag.origin,
                     g->by_tag.is_bare,    g->ends.first_check, g->ends.check_order,
                     g->ends.first_end };
  for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) mem_free(arrays[i]);
  disabled_index_free(g->disabled);       /* still there if compiling was interrupted */
  map_free(g->slots.inout_driver);
  map_free(g->swap_kinds);
  map_free(g->starts.clocks);
  array_free(&g->starts.links);
  array_free(&g->starts.pin_values);
  tag_table_free(g->tags);
  common_tree_free(&g->common);
  array_free(&g->nets.extra_wires);
  array_free(&g->starts.seeds);
  array_free(&g->arcs.latches);
  array_free(&g->starts.references);
  array_free(&g->ends.checks);
  array_free(&g->ends.path_ends);
  array_free(&g->ends.details);
  array_free(&g->ends.data_references);
  mem_free(g);
}
