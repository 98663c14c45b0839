/* Finds pins behind hierarchical pins. It follows segments into the block. All other pins of the
   net are outside. */
#include "graph/hierarchy.h"

/* Collects the segments inside the block that the pin leads to: the inner segment of the pin, and
   those of the blocks that this segment enters. */
static void collect_inside(const Netlist *n, SegId first, Map *inside)
{
  ARRAY(SegId) queue = { 0 };
  array_push(&queue, first);
  map_put(inside, first, 1);
  for (uint32_t i = 0; i < queue.len; i++) {
    for (PinId p = n->segs.at[queue.at[i]].first_pin; p != NO_PIN; p = n->pins.at[p].next) {
      SegId inner = pin_is_hierarchical(n, p) ? netlist_inner_seg(n, p) : NO_SEG;
      if (inner == NO_SEG || map_get(inside, inner) != MAP_NO_VALUE) continue;
      map_put(inside, inner, 1);
      array_push(&queue, inner);
    }
  }
  array_free(&queue);
}

static Map *inside_of(const Netlist *n, PinId hierarchical)
{
  Map *inside = map_new();
  SegId inner = netlist_inner_seg(n, hierarchical);
  if (inner != NO_SEG) collect_inside(n, inner, inside);
  return inside;
}

static bool is_inside(const Netlist *n, const Map *inside, PinId pin)
{
  SegId seg = n->pins.at[pin].seg;
  return seg != NO_SEG && map_get(inside, seg) != MAP_NO_VALUE;
}

void hierarchy_each(const Netlist *n, PinId hierarchical, void (*visit)(void *, PinId, bool),
                    void *data)
{
  NetId net = netlist_pin_net(n, hierarchical);
  if (net == NO_NET) return;
  Map *inside = inside_of(n, hierarchical);
  NetPins it = net_pins(n, net, false);
  for (PinId p; (p = net_pins_next(&it)) != NO_PIN;) visit(data, p, is_inside(n, inside, p));
  map_free(inside);
}

typedef struct {
  const Netlist *n;
  PinArray *pins;           /* NULL: the search is for drivers */
  int   drivers;            /* those met: bit 0 outside, bit 1 inside */
  bool  behind;             /* the side whose loads are wanted: inside */
} Behind;

static void visit_behind(void *data, PinId pin, bool inside)
{
  Behind *behind = data;
  if (behind->pins == NULL)
    behind->drivers |= !netlist_pin_drives(behind->n, pin) ? 0 : inside ? 2 : 1;
  else if (inside == behind->behind && netlist_pin_loads(behind->n, pin))
    array_push(behind->pins, pin);
}

bool hierarchy_pins_behind(const Netlist *n, PinId hierarchical, PinArray *pins)
{
  Behind x = { .n = n };
  hierarchy_each(n, hierarchical, visit_behind, &x);
  if (x.drivers == 3) return false;
  x.behind =
      x.drivers == 0 ? netlist_pin_direction(n, hierarchical) != DIR_OUTPUT : !(x.drivers & 2);
  x.pins = pins;
  hierarchy_each(n, hierarchical, visit_behind, &x);
  return true;
}

bool hierarchy_stands_for(const Netlist *n, PinId said, PinId pin)
{
  bool is = said == pin;
  if (is || said == NO_PIN || !pin_is_hierarchical(n, said)) return is;
  if (netlist_pin_net(n, said) != netlist_pin_net(n, pin)) return false;
  PinArray pins = { 0 };
  hierarchy_pins_behind(n, said, &pins);
  for (uint32_t i = 0; i < pins.len; i++) is |= pins.at[i] == pin;
  array_free(&pins);
  return is;
}

void graph_said_slots(const Graph *g, PinId said, bool as_driver, void (*visit)(void *, Slot),
                      void *data)
{
  PinArray pins = { 0 };
  bool hierarchical = pin_is_hierarchical(g->netlist, said);
  if (hierarchical) hierarchy_pins_behind(g->netlist, said, &pins);
  else array_push(&pins, said);
  for (uint32_t i = 0; i < pins.len; i++) {
    Slot slot = graph_slot(g, pins.at[i], as_driver && !hierarchical);
    if (slot != NO_SLOT) visit(data, slot);
  }
  array_free(&pins);
}

typedef struct {
  const Graph *g;
  Map  *inside;             /* driver slots met inside */
  bool  collecting;
  void (*visit)(void *, Slot);
  void *data;
} Crossings;

static void visit_crossing(void *data, PinId pin, bool inside)
{
  Crossings *crossings = data;
  const Graph *g = crossings->g;
  if (crossings->collecting) {
    Slot driver = graph_slot(g, pin, true);
    if (inside && driver != NO_SLOT && slot_is_driver(g, driver))
      map_put(crossings->inside, driver, 1);
    return;
  }
  Slot load = graph_slot(g, pin, false);
  if (load == NO_SLOT || slot_is_driver(g, load) || g->nets.wire_driver[load] == NO_SLOT) return;
  bool driver_inside = map_get(crossings->inside, g->nets.wire_driver[load]) != MAP_NO_VALUE;
  if (driver_inside != inside) crossings->visit(crossings->data, load);
}

void graph_crossing_loads(const Graph *g, PinId hierarchical, void (*visit)(void *, Slot),
                          void *data)
{
  Crossings x = { g, map_new(), true, visit, data };
  hierarchy_each(g->netlist, hierarchical, visit_crossing, &x);
  x.collecting = false;
  hierarchy_each(g->netlist, hierarchical, visit_crossing, &x);
  map_free(x.inside);
}
