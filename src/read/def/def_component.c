/* Reads the components and ports of a DEF file. */
#include "read/def/def_private.h"

/* --- components ------------------------------------------------------------------------------- */

/* "+ PLACED ( 1 2 ) N": what may be replaced by another place begins at the plus. */
static Status component_option(DefReader *reader, Component *component, ComponentText *text)
{
  Words *words = &reader->w;
  uint64_t plus = def_offset(reader);
  uint8_t status;
  words_next(words);
  if (!def_status(reader, &status)) {
    def_skip_option(reader);
    return OK;
  }
  const char *end = words->word + words->length;
  component->status = status;
  words_next(words);
  if (status != PLACE_UNPLACED || words_is_char(words, '(')) {
    if (def_place(reader, &component->place, &component->orient) != OK) return FAILED;
    end = reader->place_end;
  }
  text->place = (uint32_t)(plus - text->at);
  text->place_length = (uint32_t)((uint64_t)(end - words->start) - plus);
  return OK;
}

static Status read_component(DefReader *reader)
{
  Words *words = &reader->w;
  Component c = { .inst = NO_INST };
  ComponentText t = { .at = def_offset(reader) };
  if (def_own_name(reader, &c.name, "the name of a component") != OK) return FAILED;
  t.master = (uint32_t)(def_offset(reader) - t.at);
  t.master_length = words->length;
  if (def_shared_name(reader, &c.master, "the name of its macro") != OK) return FAILED;
  c.macro = physical_find_macro(reader->physical, c.master);
  for (def_skip_option(reader); words_is_char(words, '+');)
    if (component_option(reader, &c, &t) != OK) return FAILED;
  if (t.place_length == 0) t.place = (uint32_t)(def_offset(reader) - t.at);
  if (!placement_push_component(reader->placement, c, t)) reader->twice++;
  return words_expect(words, ";");
}

Status def_components(DefReader *reader)
{
  reader->placement->component_count = (TextRange){ def_offset(reader), reader->w.length };
  if (def_section(reader, "COMPONENTS", read_component) != OK) return FAILED;
  reader->placement->components_end = reader->section_end;
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
static void end_port(DefReader *reader, PortBlock *block)
{
  Placement *placement = reader->placement;
  for (uint32_t i = block->first_shape;
       i < placement->port_shapes.len && block->status != PLACE_UNPLACED; i++) {
    Box *box = &placement->port_shapes.at[i].box;
    *box = box_moved(orient_box((Orient)block->orient, 0, 0, *box), block->place);
  }
  if (block->status != PLACE_UNPLACED && !block->any_placed) {
    block->port.place = block->place;
    block->port.status = block->status;
    block->port.orient = block->orient;
    block->any_placed = true;
  }
  block->first_shape = placement->port_shapes.len;
  block->status = PLACE_UNPLACED;
}

static Status skip_mask(DefReader *reader)
{
  Words *words = &reader->w;
  while (words->kind == WORDS_PLAIN && !words_is_char(words, '(') && !words_is_char(words, '+')
         && !words_is_char(words, ';'))
    words_next(words);
  return OK;
}

static Status port_layer(DefReader *reader)
{
  NameId name;
  Box box;
  words_next(&reader->w);
  if (def_shared_name(reader, &name, "a layer") != OK || skip_mask(reader) != OK
      || def_box(reader, &box) != OK)
    return FAILED;
  array_push(&reader->placement->port_shapes,
             (Shape){ physical_layer(reader->physical, name), box });
  return OK;
}

/* The box around it. */
static Status port_polygon(DefReader *reader)
{
  NameId name;
  Box box = BOX_EMPTY;
  Point at;
  words_next(&reader->w);
  if (def_shared_name(reader, &name, "a layer") != OK || skip_mask(reader) != OK) return FAILED;
  while (words_is_char(&reader->w, '(')) {
    if (def_point(reader, &at) != OK) return FAILED;
    box_take(&box, at);
  }
  if (!box_is_empty(box))
    array_push(&reader->placement->port_shapes,
               (Shape){ physical_layer(reader->physical, name), box });
  return OK;
}

static Status port_net(DefReader *reader, PortBlock *block)
{
  words_next(&reader->w);
  return def_own_name(reader, &block->port.net, "the name of a net");
}

static Direction direction_at(const DefReader *reader)
{
  return words_is(&reader->w, "INPUT")    ? DIR_INPUT
         : words_is(&reader->w, "OUTPUT") ? DIR_OUTPUT
                                          : DIR_INOUT;
}

static Status port_option(DefReader *reader, PortBlock *block)
{
  Words *words = &reader->w;
  Status status = OK;
  words_next(words);
  if (def_status(reader, &block->status)) {
    words_next(words);
    if (block->status != PLACE_UNPLACED || words_is_char(words, '('))
      status = def_place(reader, &block->place, &block->orient);
  } else if (words_is(words, "PORT")) {
    end_port(reader, block);
  } else if (words_is(words, "LAYER")) {
    status = port_layer(reader);
  } else if (words_is(words, "POLYGON")) {
    status = port_polygon(reader);
  } else if (words_is(words, "NET")) {
    status = port_net(reader, block);
  } else if (words_is(words, "DIRECTION")) {
    words_next(words);
    block->port.direction = (uint8_t)direction_at(reader);
  } else if (words_is(words, "USE")) {
    words_next(words);
    block->port.use = (uint8_t)def_use(reader);
  }
  def_skip_option(reader);
  return status;
}

static void box_port(const Placement *placement, PlacedPort *port)
{
  Box box = BOX_EMPTY;
  for (uint32_t i = 0; i < port->shape_count; i++) {
    Box shape = placement->port_shapes.at[port->first_shape + i].box;
    box_take(&box, (Point){ shape.x0, shape.y0 });
    box_take(&box, (Point){ shape.x1, shape.y1 });
  }
  if (box_is_empty(box)) box = (Box){ port->place.x, port->place.y, port->place.x, port->place.y };
  port->box = box;
}

static Status read_pin(DefReader *reader)
{
  Placement *placement = reader->placement;
  PortBlock b = { .port = { .pin = NO_PIN,
                            .direction = DIR_INPUT,
                            .use = USE_SIGNAL,
                            .first_shape = placement->port_shapes.len },
                  .first_shape = placement->port_shapes.len };
  if (def_own_name(reader, &b.port.name, "the name of a port") != OK) return FAILED;
  for (def_skip_option(reader); words_is_char(&reader->w, '+');)
    if (port_option(reader, &b) != OK) return FAILED;
  end_port(reader, &b);
  b.port.shape_count = placement->port_shapes.len - b.port.first_shape;
  box_port(placement, &b.port);
  placement_push_port(placement, b.port);
  return words_expect(&reader->w, ";");
}

Status def_pins(DefReader *reader) { return def_section(reader, "PINS", read_pin); }
