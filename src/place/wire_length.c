/* Computes bounding boxes and half perimeters of placed nets. See wire_length.h. */
#include "place/wire_length.h"

#include "base/interrupt.h"

uint32_t placement_net_count(const Placement *placement)
{
  return placement->netlist ? placement->netlist->nets.len : placement->nets.len;
}

bool placement_has_net(const Placement *placement, uint32_t net)
{
  enum { NO_WIRE = NET_DELETED | NET_POWER | NET_GROUND | NET_CONSTANT_ZERO | NET_CONSTANT_ONE };
  if (placement->netlist) return !(placement->netlist->nets.at[net].flags & NO_WIRE);
  const PlacedNet *placed_net = &placement->nets.at[net];
  return !placed_net->special && placed_net->use != USE_POWER && placed_net->use != USE_GROUND;
}

static void take_pin(NetSpan *span, bool placed, Point at)
{
  span->pins++;
  if (!placed) return;
  span->placed++;
  box_take(&span->box, at);
}

static NetSpan span_of_netlist(const Placement *placement, NetId net)
{
  NetSpan s = { .box = BOX_EMPTY };
  NetPins it = net_pins(placement->netlist, net, false);
  for (PinId pin = net_pins_next(&it); pin != NO_PIN; pin = net_pins_next(&it)) {
    Point at = { 0, 0 };
    bool placed = placement_pin_location(placement, pin, &at);
    take_pin(&s, placed, at);
  }
  return s;
}

static NetSpan span_of_file(const Placement *placement, PlacedNetId net)
{
  NetSpan s = { .box = BOX_EMPTY };
  const PlacedNet *placed_net = &placement->nets.at[net];
  for (uint32_t i = 0; i < placed_net->pin_count; i++) {
    Point at = { 0, 0 };
    bool placed =
        placed_pin_location(placement, &placement->pins.at[placed_net->first_pin + i], &at);
    take_pin(&s, placed, at);
  }
  return s;
}

NetSpan placement_net_span(const Placement *placement, uint32_t net)
{
  return placement->netlist ? span_of_netlist(placement, net) : span_of_file(placement, net);
}

void placement_net_name(const Placement *placement, uint32_t net, char separator, Text *text)
{
  if (placement->netlist) netlist_net_name(placement->netlist, net, separator, text);
  else text_put(text, names_text(placement->names, placement->nets.at[net].name));
}

/* Of equal ones the first stays before. */
static void take_longest(WireLengths *lengths, uint32_t net, int64_t length)
{
  uint32_t i = lengths->found;
  if (i == lengths->most && (i == 0 || lengths->longest[i - 1].length >= length)) return;
  if (i < lengths->most) lengths->found++;
  else i--;
  for (; i > 0 && lengths->longest[i - 1].length < length; i--)
    lengths->longest[i] = lengths->longest[i - 1];
  lengths->longest[i] = (LongNet){ net, length };
}

bool wire_lengths(const Placement *placement, WireLengths *lengths)
{
  uint32_t count = placement_net_count(placement);
  lengths->nets = lengths->open = lengths->pins = lengths->found = 0;
  lengths->total = 0;
  for (uint32_t net = 0; net < count && !interrupt_seen(); net++) {
    if (!placement_has_net(placement, net)) continue;
    NetSpan s = placement_net_span(placement, net);
    if (s.pins < 2) continue;
    lengths->nets++;
    lengths->pins += s.pins;
    lengths->open += s.placed < s.pins;
    lengths->total += span_length(&s);
    take_longest(lengths, net, span_length(&s));
  }
  return !interrupt_seen();
}
