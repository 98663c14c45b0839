#include "query/parasitic_coverage.h"

struct AnnotationQuery {
  const Graph      *g;
  const Parasitics *parasitics;
  RcTree tree;
};

AnnotationQuery *annotation_query_new(const Graph *g, const Parasitics *parasitics)
{
  AnnotationQuery *query = mem_alloc_zero(1, sizeof *query);
  query->g = g;
  query->parasitics = parasitics;
  rc_tree_init(&query->tree);
  return query;
}

void annotation_query_free(AnnotationQuery *query)
{
  if (query == NULL) return;
  rc_tree_free(&query->tree);
  mem_free(query);
}

static uint32_t count_loads(const Graph *g, NetId net, PinId driver)
{
  uint32_t count = 0;
  NetPins it = net_pins(g->netlist, net, false);
  for (PinId p; (p = net_pins_next(&it)) != NO_PIN;) {
    Slot s = g->slots.of_pin[p];
    count += p != driver && s != NO_SLOT && !slot_is_driver(g, s);
  }
  return count;
}

Annotation annotation_of_driver(AnnotationQuery *query, Slot driver, uint32_t *loads,
                                uint32_t *reached)
{
  PinId pin = query->g->slots.pin[driver];
  NetId net = netlist_pin_net(query->g->netlist, pin);
  *loads = *reached = 0;
  if (net == NO_NET) return NOT_ANNOTATED;
  *loads = count_loads(query->g, net, pin);
  if (query->parasitics == NULL || !parasitics_has(query->parasitics, net)) return NOT_ANNOTATED;
  rc_tree_build(&query->tree, query->parasitics, query->g->netlist, net, pin);
  if (query->tree.nodes.len == 0) return NOT_ANNOTATED;
  uint32_t unreached = rc_tree_unreached(&query->tree, query->g->netlist, net, pin);
  *reached = *loads > unreached ? *loads - unreached : 0;
  return unreached || query->tree.lumped ? ANNOTATED_PARTLY : ANNOTATED;
}
