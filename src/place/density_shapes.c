/* Makes the shapes of each kind of density map: outlines of cells and macros, squares around pins,
   boxes around nets. */
#include "place/density_shapes.h"

#include <math.h>
#include <strings.h>

#include "base/interrupt.h"
#include "place/density_map.h"
#include "place/legality.h"
#include "place/wire_length.h"

void placed_shapes_free(PlacedShapes *s)
{
  array_free(&s->boxes);
  array_free(&s->weights);
  array_free(&s->ids);
}

static void add_shape(PlacedShapes *s, Box b, double weight, uint32_t id)
{
  array_push(&s->boxes, (DensityIntBox){ { b.x0, b.y0, b.x1, b.y1 } });
  array_push(&s->weights, weight);
  array_push(&s->ids, id);
}

/* --- components ------------------------------------------------------------------------------- */
bool component_is_spacer(const Placement *p, const Component *c)
{
  if (c->macro == NO_MACRO) return false;
  NameId sub = p->physical->macros.at[c->macro].subclass;
  return sub != NO_NAME && strcasecmp(names_text(p->physical->names, sub), "SPACER") == 0;
}

bool component_is_macro(const Placement *p, const Component *c)
{
  return c->macro != NO_MACRO && p->physical->macros.at[c->macro].class == MACRO_BLOCK
         && !component_is_core(p, c);
}

static bool is_counted(const Placement *p, const Component *c, DensityKind kind)
{
  if (c->macro == NO_MACRO || component_is_gone(p, c)) return false;
  return kind == DENSITY_OF_MACROS ? component_is_macro(p, c) : !component_is_spacer(p, c);
}

static void add_components(PlacedShapes *s, const Placement *p)
{
  for (ComponentId i = 0; i < p->components.len && !interrupt_seen(); i++) {
    const Component *c = &p->components.at[i];
    if (!is_counted(p, c, s->kind)) continue;
    if (component_is_placed(c)) add_shape(s, component_box(p, i), 1, i);
    else s->unplaced++;
  }
}

/* --- nets ------------------------------------------------------------------------------------- */
static int32_t least_pitch(const Physical *p)
{
  int32_t least = 0;
  for (LayerId i = 0; i < p->layers.len; i++) {
    const Layer *l = &p->layers.at[i];
    int32_t pitch = l->kind == LAYER_ROUTING && l->pitch_x > 0 ? l->pitch_x : 0;
    if (pitch && (least == 0 || pitch < least)) least = pitch;
  }
  return least ? least : p->units / 10 > 0 ? p->units / 10 : 1;
}

/* Around the same centre, at least so long. */
static void widen(int32_t *from, int32_t *to, int32_t least)
{
  int32_t lack = least - (*to - *from);
  if (lack <= 0) return;
  *from -= lack / 2;
  *to = *from + least;
}

static bool widened_box(const NetSpan *net, int32_t least, Box *box)
{
  *box = net->box;
  if (net->placed < 2) return false;
  widen(&box->x0, &box->x1, least);
  widen(&box->y0, &box->y1, least);
  return true;
}

bool density_net_box(const Placement *p, uint32_t net, Box *box)
{
  NetSpan span = placement_net_span(p, net);
  return widened_box(&span, least_pitch(p->physical), box);
}

static void add_nets(PlacedShapes *s, const Placement *p)
{
  int32_t least = least_pitch(p->physical);
  for (uint32_t i = 0; i < placement_net_count(p) && !interrupt_seen(); i++) {
    Box b;
    if (!placement_has_net(p, i)) continue;
    NetSpan net = placement_net_span(p, i);
    s->unplaced += net.pins - net.placed;
    if (!widened_box(&net, least, &b)) continue;
    add_shape(s, b, (double)span_length(&net) * p->physical->units / (double)box_area(b), i);
  }
}

/* --- pins ------------------------------------------------------------------------------------- */
/* A square of a unit, with 1 per square micron times its area in all. */
static void add_pin(PlacedShapes *s, const Placement *p, bool placed, Point at, uint32_t id)
{
  double units = p->physical->units;
  s->unplaced += !placed;
  if (placed) add_shape(s, (Box){ at.x, at.y, at.x + 1, at.y + 1 }, units * units, id);
}

static void add_netlist_pins(PlacedShapes *s, const Placement *p, NetId net)
{
  NetPins pins = net_pins(p->netlist, net, false);
  for (PinId pin = net_pins_next(&pins); pin != NO_PIN; pin = net_pins_next(&pins)) {
    Point at = { 0, 0 };
    bool placed = placement_pin_location(p, pin, &at);
    add_pin(s, p, placed, at, pin);
  }
}

static void add_placed_pins(PlacedShapes *s, const Placement *p, PlacedNetId id)
{
  const PlacedNet *net = &p->nets.at[id];
  for (uint32_t i = net->first_pin; i < net->first_pin + net->pin_count; i++) {
    Point at = { 0, 0 };
    bool placed = placed_pin_location(p, &p->pins.at[i], &at);
    add_pin(s, p, placed, at, i);
  }
}

static void add_pins(PlacedShapes *s, const Placement *p)
{
  for (uint32_t i = 0; i < placement_net_count(p) && !interrupt_seen(); i++) {
    if (!placement_has_net(p, i)) continue;
    if (p->netlist) add_netlist_pins(s, p, i);
    else add_placed_pins(s, p, i);
  }
}

PlacedShapes placed_shapes(const Placement *p, DensityKind kind)
{
  PlacedShapes s = { .kind = kind, .of_netlist = p->netlist != NULL };
  if (kind == DENSITY_OF_PINS) add_pins(&s, p);
  else if (kind == DENSITY_OF_NETS) add_nets(&s, p);
  else add_components(&s, p);
  return s;
}

/* --- the grid --------------------------------------------------------------------------------- */
/* So many bins of a size as a length takes, so that the last may reach over its end. */
static double bins_for(double length, double size)
{
  double count = ceil(length / size * (1 - 1e-12));
  return count < 1 ? 1 : count;
}

/* Fails if there are so many that they may not fit into the count of a grid. */
static Status count_bins(double width, double height, double size, const BinChoice *choice,
                         uint32_t count[2], Log *log)
{
  double columns = bins_for(width, size), rows = bins_for(height, size);
  if (!(columns * rows <= DENSITY_MOST_BINS))
    return log_error(log, "DENS-001", NOWHERE,
                     "bins of %g microns make a grid of %.6g x %.6g bins; expected 1 to %d bins in "
                     "all",
                     choice->size, columns, rows, DENSITY_MOST_BINS);
  count[0] = (uint32_t)columns;
  count[1] = (uint32_t)rows;
  return OK;
}

static Status check_exact(const double from[2], const double to[2], const uint32_t count[2],
                          Log *log)
{
  for (int k = 0; k < 2; k++)
    if ((to[k] - from[k]) * count[k] > DENSITY_MOST_EXACT)
      return log_error(log, "DENS-020", NOWHERE,
                       "%u %s over %g database units: lines between bins would be rounded; "
                       "expected a product of at most 2^53", count[k], k ? "rows" : "columns",
                       to[k] - from[k]);
  return OK;
}

Status placement_grid(const Placement *p, const BinChoice *choice, DensityGrid *g, Log *log)
{
  Box die = p->die_box;
  double size = choice->size * p->physical->units, width = (double)die.x1 - die.x0,
         height = (double)die.y1 - die.y0;
  uint32_t count[2] = { choice->columns, choice->rows };
  if (p->die.len == 0)
    return log_error(log, "DENS-006", NOWHERE, "the DEF file gives no DIEAREA; expected one");
  bool by_size = !choice->by_count && width > 0 && height > 0;
  if (by_size && size <= 0) size = fmax(width, height) / DENSITY_BINS;
  if (by_size && count_bins(width, height, size, choice, count, log) != OK) return FAILED;
  double from[2] = { die.x0, die.y0 }, to[2] = { die.x1, die.y1 };
  if (by_size) to[0] = from[0] + count[0] * size, to[1] = from[1] + count[1] * size;
  return density_grid(from, to, count, g, log) == OK ? check_exact(from, to, count, log) : FAILED;
}
