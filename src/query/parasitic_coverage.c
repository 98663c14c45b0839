#include "query/parasitic_coverage.h"

struct AnnotationQuery {
  const Graph      *g;
  const Parasitics *p;
  RcTree tree;
};

AnnotationQuery *annotation_query_new(const Graph *g, const Parasitics *p)
{
  AnnotationQuery *q = mem_alloc_zero(1, sizeof *q);
  q->g = g;
  q->p = p;
  rc_tree_init(&q->tree);
  return q;
}

void annotation_query_free(AnnotationQuery *q)
{
  if (q == NULL) return;
  rc_tree_free(&q->tree);
  mem_free(q);
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

Annotation annotation_of_driver(AnnotationQuery *q, Slot driver, uint32_t *loads, uint32_t *reached)
{
  PinId pin = q->g->slots.pin[driver];
  NetId net = netlist_pin_net(q->g->netlist, pin);
  *loads = *reached = 0;
  if (net == NO_NET) return NOT_ANNOTATED;
  *loads = count_loads(q->g, net, pin);
  if (q->p == NULL || !parasitics_has(q->p, net)) return NOT_ANNOTATED;
  rc_tree_build(&q->tree, q->p, q->g->netlist, net, pin);
  if (q->tree.nodes.len == 0) return NOT_ANNOTATED;
  uint32_t unreached = rc_tree_unreached(&q->tree, q->g->netlist, net, pin);
  *reached = *loads > unreached ? *loads - unreached : 0;
  return unreached || q->tree.lumped ? ANNOTATED_PARTLY : ANNOTATED;
}
