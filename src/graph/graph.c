#include "graph/graph.h"

#include "base/interrupt.h"
#include "graph/build.h"
#include "graph/clocks.h"
#include "graph/hierarchy.h"
#include "graph/idle/idle.h"
#include "graph/path_points.h"

uint32_t arc_edge_pairs(const LibArc *arc)
{
  uint32_t count = 0;
  for (int out = RISE; out <= FALL; out++) {
    uint32_t in = lib_arc_input_edges(arc, out);
    count += (in & 1) + (in >> 1 & 1);
  }
  return count;
}

uint8_t arc_pair_mask(const LibArc *arc)
{
  uint32_t rise = lib_arc_input_edges(arc, RISE), fall = lib_arc_input_edges(arc, FALL);
  return (uint8_t)((rise & 1) | (fall & 1) << 1 | (rise >> 1 & 1) << 2 | (fall >> 1 & 1) << 3);
}

EdgePair arc_edge_pair(const LibArc *arc, uint32_t index)
{
  for (int in = RISE; in <= FALL; in++)
    for (int out = RISE; out <= FALL; out++)
      if (lib_arc_input_edges(arc, out) >> in & 1 && index-- == 0) return (EdgePair){ (uint8_t)in, (uint8_t)out };
  return (EdgePair){ 0, 0 };
}

uint8_t graph_checked_edges(const Graph *g, const Check *c)
{
  bool nochange = c->lib != NO_LIB_ARC && arc_type_is_nochange((ArcType)c->type);
  uint8_t edges = nochange ? (uint8_t)(1 << nochange_edge(c)) : EDGE_BOTH;
  for (int edge = RISE; edge <= FALL && c->lib != NO_LIB_ARC; edge++)
    if (g->libs->arcs.at[c->lib].delay[edge] == NO_TABLE) edges &= (uint8_t)~(1 << edge);
  return edges & (uint8_t)~c->off_edges;
}

Slot graph_slot(const Graph *g, PinId pin, bool as_driver)
{
  if (as_driver) {
    uint32_t s = map_get(g->inout_driver, pin);
    if (s != MAP_NO_VALUE) return s;
  }
  return pin < g->pin_count ? g->pin_slot[pin] : NO_SLOT;
}

Slot graph_arriving_slot(const Graph *g, PinId pin)
{
  Slot load = graph_slot(g, pin, false);
  return load != NO_SLOT && g->slot_tags[load] == EMPTY_SET ? graph_slot(g, pin, true) : load;
}

void graph_extra_wires(const Graph *g, Slot load, uint32_t *from, uint32_t *to) { array_run(&g->extra_wires, load, from, to); }
void graph_links(const Graph *g, Slot slot, uint32_t *from, uint32_t *to) { array_run(&g->links, slot, from, to); }

NodeId graph_source_node(const Graph *g, Slot source, ClockEdge edge)
{
  const TagId *tags = tag_set_tags(g->tags, g->slot_tags[source]);
  for (uint32_t i = 0; i < tag_set_count(g->tags, g->slot_tags[source]); i++) {
    const Tag *t = &g->tags->tags.at[tags[i]];
    if (t->clock_edge == edge && tag_is_clock(t)) return g->node_first[source] + i;
  }
  return NO_NODE_ID;
}

Slot graph_node_slot(const Graph *g, NodeId node)
{
  Slot low = 0, high = g->slot_count;      /* node_first[low] <= node < node_first[high] */
  while (high - low > 1) {
    Slot middle = low + (high - low) / 2;
    if (g->node_first[middle] <= node) low = middle;
    else high = middle;
  }
  return low;
}

uint32_t graph_first_seed(const Graph *g, Slot slot)
{
  uint32_t low = 0, high = g->seeds.len;
  while (low < high) {
    uint32_t middle = (low + high) / 2;
    if (g->seeds.at[middle].slot < slot) low = middle + 1;
    else high = middle;
  }
  return low;
}

bool graph_own_load_is_apart(const Graph *g, Slot driver)
{
  Slot load = g->pin_slot[g->slot_pin[driver]];
  if (load == driver || g->wire_driver[load] == driver) return false;
  uint32_t from, to;
  graph_extra_wires(g, load, &from, &to);
  for (uint32_t i = from; i < to; i++)
    if (g->extra_wires.at[i].driver == driver) return false;
  return netlist_pin_net(g->netlist, g->slot_pin[driver]) != NO_NET;
}

DriverExtras driver_extras(const Graph *g, Slot driver)
{
  NetId net = g->extra_wires.len ? netlist_pin_net(g->netlist, g->slot_pin[driver]) : NO_NET;
  return (DriverExtras){ g, driver, net_pins(g->netlist, net, false), 0, 0, 0 };
}

bool driver_extras_next(DriverExtras *it)
{
  for (;;) {
    while (it->next < it->end) {
      it->index = it->next++;
      if (it->g->extra_wires.at[it->index].driver == it->driver) return true;
    }
    PinId pin = net_pins_next(&it->pins);
    if (pin == NO_PIN) return false;
    Slot load = pin < it->g->pin_count ? it->g->pin_slot[pin] : NO_SLOT;
    if (load != NO_SLOT && !slot_is_driver(it->g, load)) graph_extra_wires(it->g, load, &it->next, &it->end);
  }
}

uint32_t graph_first_latch(const Graph *g, ArcId arc)
{
  uint32_t low = 0, high = g->latches.len;
  while (low < high) {
    uint32_t middle = (low + high) / 2;
    if (g->latches.at[middle].arc < arc) low = middle + 1;
    else high = middle;
  }
  return low;
}

NodeId graph_latch_node(const Graph *g, const Latch *latch, ClockEdge clock, int pair)
{
  const TagId *tags = tag_set_tags(g->tags, g->slot_tags[latch->enable]);
  const MapEntry *entry = tag_map_entries(g->tags, latch->map);
  for (uint32_t i = 0; i < tag_map_count(g->tags, latch->map); i++)
    if (entry[i].mask >> pair & 1 && g->tags->tags.at[tags[entry[i].from]].clock_edge == clock) return g->node_first[latch->output] + entry[i].to;
  return NO_NODE_ID;
}

bool graph_is_latch_data(const Graph *g, Slot data, Slot enable)
{
  for (uint32_t i = g->out_first[data]; i < g->out_first[data + 1]; i++) {
    ArcId a = g->out_arc[i];
    if (!(g->arc_flags[a] & ARC_LATCH) || !arc_on(g, a)) continue;
    for (ArcId b = g->arc_first[g->arc_to[a]]; b < g->arc_first[g->arc_to[a] + 1]; b++)
      if (g->arc_from[b] == enable && arc_on(g, b) && g->libs->arcs.at[g->arc_lib[b]].type == ARC_LATCH_ENABLE) return true;
  }
  return false;
}

static void free_build(Build *b)
{
  mem_free(b->pin);
  mem_free(b->flags);
  mem_free(b->logic);
  mem_free(b->pin_load);
  mem_free(b->pin_driver);
  array_free(&b->arcs);
  mem_free(b->arc_flags);
  mem_free(b->arc_live);
  array_free(&b->checks);
  mem_free(b->driver_first);
  mem_free(b->load_first);
  mem_free(b->net_drivers);
  mem_free(b->net_loads);
  mem_free(b->apart);
  mem_free(b->level);
  mem_free(b->slot);
}

static void mark_disabled_load(void *data, Slot load)
{
  Graph *g = data;
  g->slot_flags[load] |= SLOT_DISABLED;
}

/* Behind a hierarchical pin, where one is meant. */
static void mark_disabled_pin(Graph *g, PinId pin)
{
  if (pin != NO_PIN && pin_is_hierarchical(g->netlist, pin))
    graph_crossing_loads(g, pin, mark_disabled_load, g);
  Slot slots[2] = { graph_slot(g, pin, true), graph_slot(g, pin, false) };
  for (int k = 0; k < 2; k++)
    if (slots[k] != NO_SLOT) g->slot_flags[slots[k]] |= SLOT_DISABLED;
}

/* A hierarchical pin's wires may lead to ports of the top. */
static void mark_disabled_behind(Graph *g, PinId hierarchical)
{
  PinArray pins = { 0 };
  hierarchy_pins_behind(g->netlist, hierarchical, &pins);
  for (uint32_t i = 0; i < pins.len; i++)
    if (pin_is_top_port(g->netlist, pins.at[i])) mark_disabled_pin(g, pins.at[i]);
  array_free(&pins);
}

/* set_disable_timing on ports, set_logic_dc: nothing arrives there, or starts. */
static void mark_disabled_ports(Graph *g)
{
  for (uint32_t i = 0; i < g->constraints->cases.len; i++)
    if (g->constraints->cases.at[i].value == CASE_UNKNOWN) mark_disabled_pin(g, g->constraints->cases.at[i].pin);
  for (uint32_t i = 0; i < g->constraints->disabled.len; i++) {
    Object o = object_as_pin(g->constraints->disabled.at[i].object);
    if (o.type != OBJ_PIN) continue;
    if (pin_is_top_port(g->netlist, o.id)) mark_disabled_pin(g, o.id);
    else if (pin_is_hierarchical(g->netlist, o.id)) mark_disabled_behind(g, o.id);
  }
}

Graph *graph_new(const GraphInput *in, Log *log)
{
  ExceptionIndex *x;
  Graph *g = graph_new_traced(in, log, NULL, &x);
  exception_index_free(x);
  return g;
}

/* Slots and arcs. */
static void build_structure(Graph *g, const GraphInput *in, Log *log)
{
  static void (*const steps[])(Build *) = { build_vertices, build_logic, build_disabled, build_levels, build_slots };
  Build b = { .g = g, .log = log, .leveller = in->leveller };
  for (size_t i = 0; i < sizeof steps / sizeof *steps && !interrupt_seen(); i++) steps[i](&b);
  free_build(&b);
}

/* What constraints make of them. */
static void build_constrained(Graph *g, Log *log, ExceptionTrace *trace, ExceptionIndex **index)
{
  mark_disabled_ports(g);
  build_ideal(g);
  SenseIndex *senses = sense_index_new(g);
  *index = exception_index_new(g, trace);
  build_clocks(g, senses, log);
  if (!interrupt_seen()) build_nodes(g, *index, senses, log);
  if (!interrupt_seen()) build_references(g, log);
  if (!interrupt_seen()) build_rows(g, *index, log);
  if (!interrupt_seen()) warn_vain_exceptions(*index, log);
  if (!interrupt_seen()) warn_vain_delays(g, log);
  if (!interrupt_seen()) idle_warn_networks(g, log);
  if (!interrupt_seen()) idle_warn_conditions(g, log);
  if (!interrupt_seen()) common_tree_build(g);
  sense_index_free(senses);
}

Graph *graph_new_traced(const GraphInput *in, Log *log, ExceptionTrace *trace, ExceptionIndex **index)
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
  void *arrays[] = { g->level_first, g->level_loads, g->drivers_before, g->driver_slots, g->slot_pin, g->slot_flags, g->slot_level, g->load_first, g->load_count,
    g->wire_driver, g->pin_slot, g->arc_first, g->arc_from, g->arc_to, g->arc_lib, g->arc_flags, g->arc_pairs, g->arc_live, g->edge_first, g->arc_map,
    g->out_first, g->out_arc, g->logic, g->slot_tags, g->wire_map, g->node_first, g->node_edges, g->tag_latency, g->tag_is_ideal, g->tag_origin,
    g->tag_is_bare,
    g->slot_first_check, g->check_order, g->slot_first_row };
  for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) mem_free(arrays[i]);
  disabled_index_free(g->disabled);       /* left where compiling was interrupted */
  map_free(g->inout_driver);
  map_free(g->clock_starts);
  array_free(&g->links);
  array_free(&g->places);
  tag_table_free(g->tags);
  common_tree_free(&g->common);
  array_free(&g->extra_wires);
  array_free(&g->seeds);
  array_free(&g->latches);
  array_free(&g->references);
  array_free(&g->checks);
  array_free(&g->rows);
  array_free(&g->row_details);
  array_free(&g->data_references);
  mem_free(g);
}

size_t graph_bytes(const Graph *g)
{
  size_t slots = (size_t)g->slot_count * (4 + 1 + 4 + 4 + 4 + 4 + 4 + 4 + 1 + 4 + 4 + 4 + 4 + 4);
  size_t arcs = (size_t)g->arc_count * (4 + 4 + 4 + 2 + 4 + 4 + 4);
  return slots + arcs + g->node_count + (size_t)g->netlist->pins.len * 4 + (size_t)g->checks.cap * sizeof(Check) +
         (size_t)g->rows.cap * sizeof(Row);
}

Where graph_where(const Graph *g, NameId file, uint32_t line)
{
  return file == NO_NAME ? NOWHERE : (Where){ names_text(g->netlist->names, file), line, 0 };
}
