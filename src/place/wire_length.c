/* Computes bounding boxes and half perimeters of placed nets. See wire_length.h. */
#include "place/wire_length.h"

#include "base/interrupt.h"

uint32_t placement_net_count(const Placement *p)
{
  return p->netlist ? p->netlist->nets.len : p->nets.len;
}

bool placement_has_net(const Placement *p, uint32_t net)
{
  enum { NO_WIRE = NET_DELETED | NET_POWER | NET_GROUND | NET_CONSTANT_ZERO | NET_CONSTANT_ONE };
  if (p->netlist) return !(p->netlist->nets.at[net].flags & NO_WIRE);
  const PlacedNet *n = &p->nets.at[net];
  return !n->special && n->use != USE_POWER && n->use != USE_GROUND;
}

static void take_pin(NetSpan *s, bool placed, Point at)
{
  s->pins++;
  if (!placed) return;
  s->placed++;
  box_take(&s->box, at);
}

static NetSpan span_of_netlist(const Placement *p, NetId net)
{
  NetSpan s = { .box = BOX_EMPTY };
  NetPins it = net_pins(p->netlist, net, false);
  for (PinId pin = net_pins_next(&it); pin != NO_PIN; pin = net_pins_next(&it)) {
    Point at = { 0, 0 };
    bool placed = placement_pin_location(p, pin, &at);
    take_pin(&s, placed, at);
  }
  return s;
}

static NetSpan span_of_file(const Placement *p, PlacedNetId net)
{
  NetSpan s = { .box = BOX_EMPTY };
  const PlacedNet *n = &p->nets.at[net];
  for (uint32_t i = 0; i < n->pin_count; i++) {
    Point at = { 0, 0 };
    bool placed = placed_pin_location(p, &p->pins.at[n->first_pin + i], &at);
    take_pin(&s, placed, at);
  }
  return s;
}

NetSpan placement_net_span(const Placement *p, uint32_t net)
{
  return p->netlist ? span_of_netlist(p, net) : span_of_file(p, net);
}

void placement_net_name(const Placement *p, uint32_t net, char separator, Text *t)
{
  if (p->netlist) netlist_net_name(p->netlist, net, separator, t);
  else text_put(t, names_text(p->names, p->nets.at[net].name));
}

/* Of equal ones the first stays before. */
static void take_longest(WireLengths *w, uint32_t net, int64_t length)
{
  uint32_t i = w->found;
  if (i == w->most && (i == 0 || w->longest[i - 1].length >= length)) return;
  if (i < w->most) w->found++;
  else i--;
  for (; i > 0 && w->longest[i - 1].length < length; i--) w->longest[i] = w->longest[i - 1];
  w->longest[i] = (LongNet){ net, length };
}

bool wire_lengths(const Placement *p, WireLengths *w)
{
  uint32_t count = placement_net_count(p);
  w->nets = w->open = w->pins = w->found = 0;
  w->total = 0;
  for (uint32_t net = 0; net < count && !interrupt_seen(); net++) {
    if (!placement_has_net(p, net)) continue;
    NetSpan s = placement_net_span(p, net);
    if (s.pins < 2) continue;
    w->nets++;
    w->pins += s.pins;
    w->open += s.placed < s.pins;
    w->total += span_length(&s);
    take_longest(w, net, span_length(&s));
  }
  return !interrupt_seen();
}
