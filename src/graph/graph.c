/* Look-up in the compiled graph: slots of pins, ranges of a slot or arc in the sorted arrays, and
   edge pairs of arcs. */
#include "graph/graph.h"

#include "base/interrupt.h"
#include "graph/build.h"
#include "graph/clocks/clocks.h"
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
      if (lib_arc_input_edges(arc, out) >> in & 1 && index-- == 0)
        return (EdgePair){ (uint8_t)in, (uint8_t)out };
  return (EdgePair){ 0, 0 };
}

uint8_t graph_checked_edges(const Graph *g, const Check *check)
{
  bool nochange = check->lib != NO_LIB_ARC && arc_type_is_nochange((ArcType)check->type);
  uint8_t edges = nochange ? (uint8_t)(1 << nochange_edge(check)) : EDGE_BOTH;
  for (int edge = RISE; edge <= FALL && check->lib != NO_LIB_ARC; edge++)
    if (g->libs->arcs.at[check->lib].delay[edge] == NO_TABLE) edges &= (uint8_t)~(1 << edge);
  return edges & (uint8_t)~check->off_edges;
}

Slot graph_slot(const Graph *g, PinId pin, bool as_driver)
{
  if (as_driver) {
    uint32_t s = map_get(g->slots.inout_driver, pin);
    if (s != MAP_NO_VALUE) return s;
  }
  return pin < g->pin_count ? g->slots.of_pin[pin] : NO_SLOT;
}

Slot graph_arriving_slot(const Graph *g, PinId pin)
{
  Slot load = graph_slot(g, pin, false);
  return load != NO_SLOT && g->nodes.slot_tags[load] == EMPTY_SET ? graph_slot(g, pin, true) : load;
}

void graph_extra_wires(const Graph *g, Slot load, uint32_t *from, uint32_t *to)
{
  array_run(&g->nets.extra_wires, load, from, to);
}
void graph_links(const Graph *g, Slot slot, uint32_t *from, uint32_t *to)
{
  array_run(&g->starts.links, slot, from, to);
}

NodeId graph_source_node(const Graph *g, Slot source, ClockEdge edge)
{
  const TagId *tags = tag_set_tags(g->tags, g->nodes.slot_tags[source]);
  for (uint32_t i = 0; i < tag_set_count(g->tags, g->nodes.slot_tags[source]); i++) {
    const Tag *tag = &g->tags->tags.at[tags[i]];
    if (tag->clock_edge == edge && tag_is_clock(tag)) return g->nodes.first[source] + i;
  }
  return NO_NODE_ID;
}

Slot graph_node_slot(const Graph *g, NodeId node)
{
  Slot low = 0, high = g->slots.count;      /* nodes.first[low] <= node < nodes.first[high] */
  while (high - low > 1) {
    Slot middle = low + (high - low) / 2;
    if (g->nodes.first[middle] <= node) low = middle;
    else high = middle;
  }
  return low;
}

uint32_t graph_first_seed(const Graph *g, Slot slot)
{
  uint32_t low = 0, high = g->starts.seeds.len;
  while (low < high) {
    uint32_t middle = (low + high) / 2;
    if (g->starts.seeds.at[middle].slot < slot) low = middle + 1;
    else high = middle;
  }
  return low;
}

bool graph_own_load_is_apart(const Graph *g, Slot driver)
{
  Slot load = g->slots.of_pin[g->slots.pin[driver]];
  if (load == driver || g->nets.wire_driver[load] == driver) return false;
  uint32_t from, to;
  graph_extra_wires(g, load, &from, &to);
  for (uint32_t i = from; i < to; i++)
    if (g->nets.extra_wires.at[i].driver == driver) return false;
  return netlist_pin_net(g->netlist, g->slots.pin[driver]) != NO_NET;
}

DriverExtras driver_extras_begin(const Graph *g, Slot driver)
{
  NetId net = netlist_pin_net(g->netlist, g->slots.pin[driver]);
  return (DriverExtras){ g, driver, net_pins(g->netlist, net, false), 0, 0, 0 };
}

bool driver_extras_find(DriverExtras *it)
{
  for (;;) {
    while (it->next < it->end) {
      it->index = it->next++;
      if (it->g->nets.extra_wires.at[it->index].driver == it->driver) return true;
    }
    PinId pin = net_pins_next(&it->pins);
    if (pin == NO_PIN) return false;
    Slot load = pin < it->g->pin_count ? it->g->slots.of_pin[pin] : NO_SLOT;
    if (load != NO_SLOT && !slot_is_driver(it->g, load))
      graph_extra_wires(it->g, load, &it->next, &it->end);
  }
}

uint32_t graph_first_latch(const Graph *g, ArcId arc)
{
  uint32_t low = 0, high = g->arcs.latches.len;
  while (low < high) {
    uint32_t middle = (low + high) / 2;
    if (g->arcs.latches.at[middle].arc < arc) low = middle + 1;
    else high = middle;
  }
  return low;
}

NodeId graph_latch_node(const Graph *g, const Latch *latch, ClockEdge clock, int pair)
{
  const TagId *tags = tag_set_tags(g->tags, g->nodes.slot_tags[latch->enable]);
  const MapEntry *entry = tag_map_entries(g->tags, latch->map);
  for (uint32_t i = 0; i < tag_map_count(g->tags, latch->map); i++)
    if (entry[i].mask >> pair & 1 && g->tags->tags.at[tags[entry[i].from]].clock_edge == clock)
      return g->nodes.first[latch->output] + entry[i].to;
  return NO_NODE_ID;
}

bool graph_is_latch_data(const Graph *g, Slot data, Slot enable)
{
  for (uint32_t i = g->arcs.out_first[data]; i < g->arcs.out_first[data + 1]; i++) {
    ArcId a = g->arcs.out[i];
    if (!(g->arcs.flags[a] & ARC_LATCH) || !arc_on(g, a)) continue;
    for (ArcId b = g->arcs.first[g->arcs.to[a]]; b < g->arcs.first[g->arcs.to[a] + 1]; b++)
      if (g->arcs.from[b] == enable && arc_on(g, b)
          && g->libs->arcs.at[g->arcs.lib[b]].type == ARC_LATCH_ENABLE)
        return true;
  }
  return false;
}

size_t graph_bytes(const Graph *g)
{
  size_t slots = (size_t)g->slots.count * (4 + 1 + 4 + 4 + 4 + 4 + 4 + 4 + 1 + 4 + 4 + 4 + 4 + 4);
  size_t arcs = (size_t)g->arcs.count * (4 + 4 + 4 + 2 + 4 + 4 + 4);
  return slots + arcs + g->nodes.count + (size_t)g->netlist->pins.len * 4
         + (size_t)g->ends.checks.cap * sizeof(Check)
         + (size_t)g->ends.path_ends.cap * sizeof(PathEnd);
}

Where graph_where(const Graph *g, NameId file, uint32_t line)
{
  return file == NO_NAME ? NOWHERE : (Where){ names_text(g->netlist->names, file), line, 0 };
}
