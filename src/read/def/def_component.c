/* Reads the components and ports of a DEF file. */
#include "read/def/def_private.h"

/* --- components ------------------------------------------------------------------------------- */

/* "+ PLACED ( 1 2 ) N": what may be replaced by another place begins at the plus. */
static Status component_option(DefReader *r, Component *c, ComponentText *t)
{
  Words *w = &r->w;
  uint64_t plus = def_offset(r);
  uint8_t status;
  words_next(w);
  if (!def_status(r, &status)) {
    def_skip_option(r);
    return OK;
  }
  const char *end = w->word + w->length;
  c->status = status;
  words_next(w);
  if (status != PLACE_UNPLACED || words_is_char(w, '(')) {
    if (def_place(r, &c->place, &c->orient) != OK) return FAILED;
    end = r->place_end;
  }
  t->place = (uint32_t)(plus - t->at);
  t->place_length = (uint32_t)((uint64_t)(end - w->start) - plus);
  return OK;
}

static Status read_component(DefReader *r)
{
  Words *w = &r->w;
  Component c = { .inst = NO_INST };
  ComponentText t = { .at = def_offset(r) };
  if (def_own_name(r, &c.name, "the name of a component") != OK) return FAILED;
  t.master = (uint32_t)(def_offset(r) - t.at);
  t.master_length = w->length;
  if (def_shared_name(r, &c.master, "the name of its macro") != OK) return FAILED;
  c.macro = physical_find_macro(r->physical, c.master);
  for (def_skip_option(r); words_is_char(w, '+');)
    if (component_option(r, &c, &t) != OK) return FAILED;
  if (t.place_length == 0) t.place = (uint32_t)(def_offset(r) - t.at);
  if (!placement_push_component(r->p, c, t)) r->twice++;
  return words_expect(w, ";");
}

Status def_components(DefReader *r)
{
  r->p->component_count = (TextRange){ def_offset(r), r->w.length };
  if (def_section(r, "COMPONENTS", read_component) != OK) return FAILED;
  r->p->components_end = r->section_end;
  return OK;
}

/* --- ports ------------------------------------------------------------------------------------ */

/* One PORT of a pin: its shapes and its place; and the pin. */
typedef struct {
  PlacedPort port;
  uint32_t   first_shape;      /* of the PORT at hand */
  Point      place;
  uint8_t    status, orient;
  bool       any_placed;
} PortBlock;

/* Shapes turn around (0, 0) and are moved by the place. */
static void end_port(DefReader *r, PortBlock *b)
{
  Placement *p = r->p;
  for (uint32_t i = b->first_shape; i < p->port_shapes.len && b->status != PLACE_UNPLACED; i++) {
    Box *box = &p->port_shapes.at[i].box;
    *box = box_moved(orient_box((Orient)b->orient, 0, 0, *box), b->place);
  }
  if (b->status != PLACE_UNPLACED && !b->any_placed) {
    b->port.place = b->place;
    b->port.status = b->status;
    b->port.orient = b->orient;
    b->any_placed = true;
  }
  b->first_shape = p->port_shapes.len;
  b->status = PLACE_UNPLACED;
}

static Status skip_mask(DefReader *r)
{
  Words *w = &r->w;
  while (w->kind == WORDS_PLAIN && !words_is_char(w, '(') && !words_is_char(w, '+')
         && !words_is_char(w, ';'))
    words_next(w);
  return OK;
}

static Status port_layer(DefReader *r)
{
  NameId name;
  Box box;
  words_next(&r->w);
  if (def_shared_name(r, &name, "a layer") != OK || skip_mask(r) != OK || def_box(r, &box) != OK)
    return FAILED;
  array_push(&r->p->port_shapes, (Shape){ physical_layer(r->physical, name), box });
  return OK;
}

/* The box around it. */
static Status port_polygon(DefReader *r)
{
  NameId name;
  Box box = BOX_EMPTY;
  Point at;
  words_next(&r->w);
  if (def_shared_name(r, &name, "a layer") != OK || skip_mask(r) != OK) return FAILED;
  while (words_is_char(&r->w, '(')) {
    if (def_point(r, &at) != OK) return FAILED;
    box_take(&box, at);
  }
  if (!box_is_empty(box))
    array_push(&r->p->port_shapes, (Shape){ physical_layer(r->physical, name), box });
  return OK;
}

static Status port_net(DefReader *r, PortBlock *b)
{
  words_next(&r->w);
  return def_own_name(r, &b->port.net, "the name of a net");
}

static Direction direction_at(const DefReader *r)
{
  return words_is(&r->w, "INPUT")    ? DIR_INPUT
         : words_is(&r->w, "OUTPUT") ? DIR_OUTPUT
                                     : DIR_INOUT;
}

static Status port_option(DefReader *r, PortBlock *b)
{
  Words *w = &r->w;
  Status status = OK;
  words_next(w);
  if (def_status(r, &b->status)) {
    words_next(w);
    if (b->status != PLACE_UNPLACED || words_is_char(w, '('))
      status = def_place(r, &b->place, &b->orient);
  } else if (words_is(w, "PORT")) {
    end_port(r, b);
  } else if (words_is(w, "LAYER")) {
    status = port_layer(r);
  } else if (words_is(w, "POLYGON")) {
    status = port_polygon(r);
  } else if (words_is(w, "NET")) {
    status = port_net(r, b);
  } else if (words_is(w, "DIRECTION")) {
    words_next(w);
    b->port.direction = (uint8_t)direction_at(r);
  } else if (words_is(w, "USE")) {
    words_next(w);
    b->port.use = (uint8_t)def_use(r);
  }
  def_skip_option(r);
  return status;
}

static void box_port(const Placement *p, PlacedPort *port)
{
  Box box = BOX_EMPTY;
  for (uint32_t i = 0; i < port->shape_count; i++) {
    Box shape = p->port_shapes.at[port->first_shape + i].box;
    box_take(&box, (Point){ shape.x0, shape.y0 });
    box_take(&box, (Point){ shape.x1, shape.y1 });
  }
  if (box_is_empty(box)) box = (Box){ port->place.x, port->place.y, port->place.x, port->place.y };
  port->box = box;
}

static Status read_pin(DefReader *r)
{
  Placement *p = r->p;
  PortBlock b = { .port = { .pin = NO_PIN, .direction = DIR_INPUT, .use = USE_SIGNAL,
                            .first_shape = p->port_shapes.len },
                  .first_shape = p->port_shapes.len };
  if (def_own_name(r, &b.port.name, "the name of a port") != OK) return FAILED;
  for (def_skip_option(r); words_is_char(&r->w, '+');)
    if (port_option(r, &b) != OK) return FAILED;
  end_port(r, &b);
  b.port.shape_count = p->port_shapes.len - b.port.first_shape;
  box_port(p, &b.port);
  placement_push_port(p, b.port);
  return words_expect(&r->w, ";");
}

Status def_pins(DefReader *r) { return def_section(r, "PINS", read_pin); }
