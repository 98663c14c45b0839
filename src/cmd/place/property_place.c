/* Properties of cells, pins and ports that come from a placement. Lengths are in microns. */
#include "db/placement.h"
#include "tclbind/densities.h"
#include "tclbind/property.h"

#define GET(name) static Status name(Session *s, Object o, const Property *row, PropertyValue *v)

static double um(const Session *s, int64_t length) { return placement_um(s->placement, length); }

/* Marks the value as missing, unless it is known. */
static void mark(const Session *s, PropertyValue *v, bool known)
{
  v->missing = !known;
  v->why = session_placement_missing(s);
}

static void put_um(const Session *s, PropertyValue *v, int64_t length)
{
  number_text(um(s, length), &v->text);
}

/* axis: 0 x, 1 y; so row->param below. */
static Status coordinate(const Session *s, PropertyValue *v, bool known, Point at, int axis)
{
  mark(s, v, known);
  if (known) v->number = um(s, axis ? at.y : at.x);
  return OK;
}

static Status pair(const Session *s, PropertyValue *v, bool known, Point at)
{
  mark(s, v, known);
  if (!known) return OK;
  put_um(s, v, at.x);
  text_char(&v->text, ' ');
  put_um(s, v, at.y);
  return OK;
}

static Status box_text(const Session *s, PropertyValue *v, bool known, Box box)
{
  mark(s, v, known);
  if (!known) return OK;
  text_char(&v->text, '{');
  pair(s, v, true, (Point){ box.x0, box.y0 });
  text_put(&v->text, "} {");
  pair(s, v, true, (Point){ box.x1, box.y1 });
  text_char(&v->text, '}');
  return OK;
}

static Status word(const Session *s, PropertyValue *v, const char *text)
{
  mark(s, v, text != NULL);
  if (text) text_put(&v->text, text);
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
  const Component *c = component(s, o);
  if (c == NULL || !component_is_placed(c)) return false;
  *at = c->place;
  return true;
}

GET(cell_coordinate)
{
  Point at = { 0, 0 };
  bool known = cell_place(s, o, &at);
  return coordinate(s, v, known, at, row->param);
}

GET(cell_location)
{
  (void)row;
  Point at = { 0, 0 };
  bool known = cell_place(s, o, &at);
  return pair(s, v, known, at);
}

GET(cell_box)
{
  (void)row;
  Box box = { 0, 0, 0, 0 };
  bool known = placement_of_cell(s->placement, o.id, &box);
  return box_text(s, v, known, box);
}

GET(cell_orientation)
{
  (void)row;
  const Component *c = component(s, o);
  return word(s, v, c && component_is_placed(c) ? orient_name((Orient)c->orient) : NULL);
}

GET(cell_status)
{
  (void)row;
  const Component *c = component(s, o);
  return word(s, v, c ? status_text(c->status) : NULL);
}

/* --- pins and ports --------------------------------------------------------------------------- */

GET(pin_coordinate)
{
  Point at = { 0, 0 };
  bool known = placement_pin_location(s->placement, o.id, &at);
  return coordinate(s, v, known, at, row->param);
}

GET(pin_location)
{
  (void)row;
  Point at = { 0, 0 };
  bool known = placement_pin_location(s->placement, o.id, &at);
  return pair(s, v, known, at);
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
  return box_text(s, v, known, known ? port->box : (Box){ 0, 0, 0, 0 });
}

GET(port_orientation)
{
  (void)row;
  const PlacedPort *port = port_of(s, o);
  bool known = port && port->status != PLACE_UNPLACED;
  return word(s, v, known ? orient_name((Orient)port->orient) : NULL);
}

GET(port_status)
{
  (void)row;
  const PlacedPort *port = port_of(s, o);
  return word(s, v, port ? status_text(port->status) : NULL);
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
