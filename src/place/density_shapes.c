/* Makes the shapes of each kind of density map: outlines of cells and macros, squares around pins,
   boxes around nets. */
#include "place/density_shapes.h"

#include <math.h>
#include <strings.h>

#include "base/interrupt.h"
#include "place/density_map.h"
#include "place/legality.h"
#include "place/wire_length.h"

void placed_shapes_free(PlacedShapes *shapes)
{
  array_free(&shapes->boxes);
  array_free(&shapes->weights);
  array_free(&shapes->ids);
}

static void add_shape(PlacedShapes *shapes, Box b, double weight, uint32_t id)
{
  array_push(&shapes->boxes, (DensityIntBox){ { b.x0, b.y0, b.x1, b.y1 } });
  array_push(&shapes->weights, weight);
  array_push(&shapes->ids, id);
}

/* --- components ------------------------------------------------------------------------------- */
bool component_is_spacer(const Placement *placement, const Component *component)
{
  if (component->macro == NO_MACRO) return false;
  NameId sub = placement->physical->macros.at[component->macro].subclass;
  return sub != NO_NAME && strcasecmp(names_text(placement->physical->names, sub), "SPACER") == 0;
}

bool component_is_macro(const Placement *placement, const Component *component)
{
  return component->macro != NO_MACRO
         && placement->physical->macros.at[component->macro].class == MACRO_BLOCK
         && !component_is_core(placement, component);
}

static bool is_counted(const Placement *placement, const Component *component, DensityKind kind)
{
  if (component->macro == NO_MACRO || component_is_gone(placement, component)) return false;
  return kind == DENSITY_OF_MACROS ? component_is_macro(placement, component)
                                   : !component_is_spacer(placement, component);
}

static void add_components(PlacedShapes *shapes, const Placement *placement)
{
  for (ComponentId i = 0; i < placement->components.len && !interrupt_seen(); i++) {
    const Component *component = &placement->components.at[i];
    if (!is_counted(placement, component, shapes->kind)) continue;
    if (component_is_placed(component)) add_shape(shapes, component_box(placement, i), 1, i);
    else shapes->unplaced++;
  }
}

/* --- nets ------------------------------------------------------------------------------------- */
static int32_t least_pitch(const Physical *physical)
{
  int32_t least = 0;
  for (LayerId i = 0; i < physical->layers.len; i++) {
    const Layer *layer = &physical->layers.at[i];
    int32_t pitch = layer->kind == LAYER_ROUTING && layer->pitch_x > 0 ? layer->pitch_x : 0;
    if (pitch && (least == 0 || pitch < least)) least = pitch;
  }
  return least ? least : physical->units / 10 > 0 ? physical->units / 10 : 1;
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

bool density_net_box(const Placement *placement, uint32_t net, Box *box)
{
  NetSpan span = placement_net_span(placement, net);
  return widened_box(&span, least_pitch(placement->physical), box);
}

static void add_nets(PlacedShapes *shapes, const Placement *placement)
{
  int32_t least = least_pitch(placement->physical);
  for (uint32_t i = 0; i < placement_net_count(placement) && !interrupt_seen(); i++) {
    Box b;
    if (!placement_has_net(placement, i)) continue;
    NetSpan net = placement_net_span(placement, i);
    shapes->unplaced += net.pins - net.placed;
    if (!widened_box(&net, least, &b)) continue;
    add_shape(shapes, b,
              (double)span_length(&net) * placement->physical->units / (double)box_area(b), i);
  }
}

/* --- pins ------------------------------------------------------------------------------------- */
/* A square of a unit, with 1 per square micron times its area in all. */
static void add_pin(PlacedShapes *shapes, const Placement *placement, bool placed, Point at,
                    uint32_t id)
{
  double units = placement->physical->units;
  shapes->unplaced += !placed;
  if (placed) add_shape(shapes, (Box){ at.x, at.y, at.x + 1, at.y + 1 }, units * units, id);
}

static void add_netlist_pins(PlacedShapes *shapes, const Placement *placement, NetId net)
{
  NetPins pins = net_pins(placement->netlist, net, false);
  for (PinId pin = net_pins_next(&pins); pin != NO_PIN; pin = net_pins_next(&pins)) {
    Point at = { 0, 0 };
    bool placed = placement_pin_location(placement, pin, &at);
    add_pin(shapes, placement, placed, at, pin);
  }
}

static void add_placed_pins(PlacedShapes *shapes, const Placement *placement, PlacedNetId id)
{
  const PlacedNet *net = &placement->nets.at[id];
  for (uint32_t i = net->first_pin; i < net->first_pin + net->pin_count; i++) {
    Point at = { 0, 0 };
    bool placed = placed_pin_location(placement, &placement->pins.at[i], &at);
    add_pin(shapes, placement, placed, at, i);
  }
}

static void add_pins(PlacedShapes *shapes, const Placement *placement)
{
  for (uint32_t i = 0; i < placement_net_count(placement) && !interrupt_seen(); i++) {
    if (!placement_has_net(placement, i)) continue;
    if (placement->netlist) add_netlist_pins(shapes, placement, i);
    else add_placed_pins(shapes, placement, i);
  }
}

PlacedShapes placed_shapes(const Placement *placement, DensityKind kind)
{
  PlacedShapes s = { .kind = kind, .of_netlist = placement->netlist != NULL };
  if (kind == DENSITY_OF_PINS) add_pins(&s, placement);
  else if (kind == DENSITY_OF_NETS) add_nets(&s, placement);
  else add_components(&s, placement);
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

Status placement_grid(const Placement *placement, const BinChoice *choice, DensityGrid *grid,
                      Log *log)
{
  Box die = placement->die_box;
  double size = choice->size * placement->physical->units, width = (double)die.x1 - die.x0,
         height = (double)die.y1 - die.y0;
  uint32_t count[2] = { choice->columns, choice->rows };
  if (placement->die.len == 0)
    return log_error(log, "DENS-006", NOWHERE, "the DEF file gives no DIEAREA; expected one");
  bool by_size = !choice->by_count && width > 0 && height > 0;
  if (by_size && size <= 0) size = fmax(width, height) / DENSITY_BINS;
  if (by_size && count_bins(width, height, size, choice, count, log) != OK) return FAILED;
  double from[2] = { die.x0, die.y0 }, to[2] = { die.x1, die.y1 };
  if (by_size) to[0] = from[0] + count[0] * size, to[1] = from[1] + count[1] * size;
  return density_grid(from, to, count, grid, log) == OK ? check_exact(from, to, count, log)
                                                        : FAILED;
}
