/* Properties of cells, pins and ports that come from a placement. Lengths are in microns. */
#include "db/placement.h"
#include "tclbind/densities.h"
#include "tclbind/property.h"

#define GET(name) \
  static Status name(Session *s, Object o, const Property *row, PropertyValue *value)

static double um(const Session *s, int64_t length) { return placement_um(s->placement, length); }

/* Marks the value as missing, unless it is known. */
static void mark(const Session *s, PropertyValue *value, bool known)
{
  value->missing = !known;
  value->why = session_placement_missing(s);
}

static void put_um(const Session *s, PropertyValue *value, int64_t length)
{
  number_text(um(s, length), &value->text);
}

/* axis: 0 x, 1 y; so row->param below. */
static Status coordinate(const Session *s, PropertyValue *value, bool known, Point at, int axis)
{
  mark(s, value, known);
  if (known) value->number = um(s, axis ? at.y : at.x);
  return OK;
}

static Status pair(const Session *s, PropertyValue *value, bool known, Point at)
{
  mark(s, value, known);
  if (!known) return OK;
  put_um(s, value, at.x);
  text_char(&value->text, ' ');
  put_um(s, value, at.y);
  return OK;
}

static Status box_text(const Session *s, PropertyValue *value, bool known, Box box)
{
  mark(s, value, known);
  if (!known) return OK;
  text_char(&value->text, '{');
  pair(s, value, true, (Point){ box.x0, box.y0 });
  text_put(&value->text, "} {");
  pair(s, value, true, (Point){ box.x1, box.y1 });
  text_char(&value->text, '}');
  return OK;
}

static Status word(const Session *s, PropertyValue *value, const char *text)
{
  mark(s, value, text != NULL);
  if (text) text_put(&value->text, text);
  return OK;
}

static const char *status_text(uint8_t status)
{
  static const char *const words[] = { "unplaced", "placed", "fixed", "cover" };
  return words[status];
}

/* --- cells ------------------------------------------------------------------------------------ */

static const Component *component(const Session *s, Object o)
{
  ComponentId id = placement_component_of(s->placement, o.id);
  return id == NO_COMPONENT ? NULL : &s->placement->components.at[id];
}

/* Its lower left corner. */
static bool cell_place(const Session *s, Object o, Point *at)
{
  const Component *the_component = component(s, o);
  if (the_component == NULL || !component_is_placed(the_component)) return false;
  *at = the_component->place;
  return true;
}

GET(cell_coordinate)
{
  Point at = { 0, 0 };
  bool known = cell_place(s, o, &at);
  return coordinate(s, value, known, at, row->param);
}

GET(cell_location)
{
  (void)row;
  Point at = { 0, 0 };
  bool known = cell_place(s, o, &at);
  return pair(s, value, known, at);
}

GET(cell_box)
{
  (void)row;
  Box box = { 0, 0, 0, 0 };
  bool known = placement_of_cell(s->placement, o.id, &box);
  return box_text(s, value, known, box);
}

GET(cell_orientation)
{
  (void)row;
  const Component *the_component = component(s, o);
  return word(s, value,
              the_component && component_is_placed(the_component)
                  ? orient_name((Orient)the_component->orient)
                  : NULL);
}

GET(cell_status)
{
  (void)row;
  const Component *the_component = component(s, o);
  return word(s, value, the_component ? status_text(the_component->status) : NULL);
}

/* --- pins and ports --------------------------------------------------------------------------- */

GET(pin_coordinate)
{
  Point at = { 0, 0 };
  bool known = placement_pin_location(s->placement, o.id, &at);
  return coordinate(s, value, known, at, row->param);
}

GET(pin_location)
{
  (void)row;
  Point at = { 0, 0 };
  bool known = placement_pin_location(s->placement, o.id, &at);
  return pair(s, value, known, at);
}

static const PlacedPort *port_of(const Session *s, Object o)
{
  PlacedPortId id = placement_port_of(s->placement, o.id);
  return id == NO_PLACED_PORT ? NULL : &s->placement->ports.at[id];
}

GET(port_box)
{
  (void)row;
  const PlacedPort *port = port_of(s, o);
  bool known = port && port->status != PLACE_UNPLACED;
  return box_text(s, value, known, known ? port->box : (Box){ 0, 0, 0, 0 });
}

GET(port_orientation)
{
  (void)row;
  const PlacedPort *port = port_of(s, o);
  bool known = port && port->status != PLACE_UNPLACED;
  return word(s, value, known ? orient_name((Orient)port->orient) : NULL);
}

GET(port_status)
{
  (void)row;
  const PlacedPort *port = port_of(s, o);
  return word(s, value, port ? status_text(port->status) : NULL);
}

/* --- the table -------------------------------------------------------------------------------- */

const Property properties_place[] = {
  { OBJ_CELL, "x", PROP_NUMBER, cell_coordinate, "left edge, microns", 0 },
  { OBJ_CELL, "y", PROP_NUMBER, cell_coordinate, "lower edge, microns", 1 },
  { OBJ_CELL, "location", PROP_TEXT, cell_location, "lower left corner, microns", 0 },
  { OBJ_CELL, "bbox", PROP_TEXT, cell_box, "lower left and upper right corner, microns", 0 },
  { OBJ_CELL, "orientation", PROP_TEXT, cell_orientation, "N, S, E, W, FN, FS, FE or FW", 0 },
  { OBJ_CELL, "place_status", PROP_TEXT, cell_status, "unplaced, placed, fixed or cover", 0 },

  { OBJ_PIN, "x", PROP_NUMBER, pin_coordinate, "centre of its shapes, microns", 0 },
  { OBJ_PIN, "y", PROP_NUMBER, pin_coordinate, "centre of its shapes, microns", 1 },
  { OBJ_PIN, "location", PROP_TEXT, pin_location, "centre of its shapes, microns", 0 },

  { OBJ_PORT, "x", PROP_NUMBER, pin_coordinate, "centre of its shapes, microns", 0 },
  { OBJ_PORT, "y", PROP_NUMBER, pin_coordinate, "centre of its shapes, microns", 1 },
  { OBJ_PORT, "location", PROP_TEXT, pin_location, "centre of its shapes, microns", 0 },
  { OBJ_PORT, "bbox", PROP_TEXT, port_box, "lower left and upper right corner, microns", 0 },
  { OBJ_PORT, "orientation", PROP_TEXT, port_orientation, "N, S, E, W, FN, FS, FE or FW", 0 },
  { OBJ_PORT, "place_status", PROP_TEXT, port_status, "unplaced, placed, fixed or cover", 0 },
  { 0 }
};
