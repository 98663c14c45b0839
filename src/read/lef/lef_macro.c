/* Reads the macros of a LEF file, with the shapes of their pins and obstructions. */
#include "read/lef/lef_private.h"

#include "base/sort.h"

/* --- shapes ----------------------------------------------------------------------------------- */

typedef struct {
  LayerId layer;
  int32_t width;               /* of PATH */
  uint32_t count_x, count_y;   /* of ITERATE */
  int32_t step_x, step_y;
} ShapeList;

/* More of one shape, or of all in a file, is no drawing but a mistake. */
enum { MOST_COPIES = 1 << 16, MOST_IN_FILE = 1 << 24 };

static Status count_copies(LefReader *reader, uint64_t copies)
{
  reader->copies += copies;
  if (reader->copies <= MOST_IN_FILE) return OK;
  return log_error(reader->w.log, "LEF-005", words_where(&reader->w),
                   "more than %d copies of shapes", MOST_IN_FILE);
}

static Status shape_layer(LefReader *reader, void *block)
{
  NameId name;
  ShapeList *list = block;
  if (lef_name(reader, &name, "a layer") != OK) return FAILED;
  list->layer = physical_layer(reader->physical, name);
  list->width = reader->physical->layers.at[list->layer].width;
  return words_skip(&reader->w);
}

static Status shape_width(LefReader *reader, void *block)
{
  if (lef_length(reader, &((ShapeList *)block)->width) != OK) return FAILED;
  return lef_end(reader);
}

/* MASK n and ITERATE; true when there are several copies. */
static bool shape_prefix(LefReader *reader)
{
  if (words_is(&reader->w, "MASK")) {
    words_next(&reader->w);
    words_next(&reader->w);
  }
  if (!words_is(&reader->w, "ITERATE")) return false;
  words_next(&reader->w);
  return true;
}

/* "DO 3 BY 2 STEP 1.5 2" behind an iterated shape. */
static Status read_step(LefReader *reader, ShapeList *list)
{
  int64_t x, y;
  Where where = words_where(&reader->w);
  if (words_expect(&reader->w, "DO") != OK
      || words_integer(&reader->w, &x, 1, MOST_COPIES, "a count") != OK
      || words_expect(&reader->w, "BY") != OK
      || words_integer(&reader->w, &y, 1, MOST_COPIES, "a count") != OK
      || words_expect(&reader->w, "STEP") != OK || lef_length(reader, &list->step_x) != OK
      || lef_length(reader, &list->step_y) != OK)
    return FAILED;
  if (x * y > MOST_COPIES)
    return log_error(reader->w.log, "LEF-005", where, "a shape with %lld copies",
                     (long long)(x * y));
  list->count_x = (uint32_t)x;
  list->count_y = (uint32_t)y;
  return OK;
}

static void copy_shapes(LefReader *reader, const ShapeList *list, uint32_t first)
{
  uint32_t last = reader->physical->shapes.len;
  for (uint32_t y = 0; y < list->count_y; y++)
    for (uint32_t x = 0; x < list->count_x; x++)
      for (uint32_t i = first; i < last && x + y > 0; i++) {
        Shape copy = reader->physical->shapes.at[i];
        copy.box =
            box_moved(copy.box, (Point){ (int32_t)x * list->step_x, (int32_t)y * list->step_y });
        array_push(&reader->physical->shapes, copy);
      }
}

/* Those from `first` on are repeated, if they are iterated; the statement ends. */
static Status end_shape(LefReader *reader, ShapeList *list, uint32_t first, bool iterated)
{
  if (iterated && read_step(reader, list) != OK) return FAILED;
  uint64_t copies = iterated ? (uint64_t)list->count_x * list->count_y : 0;
  if (count_copies(reader, copies * (reader->physical->shapes.len - first)) != OK) return FAILED;
  if (iterated) copy_shapes(reader, list, first);
  return lef_end(reader);
}

static void tell_of_corners(LefReader *reader, Where where)
{
  log_warning(reader->w.log, "LEF-012", where,
              "a rectangle upside down: its second corner is left of the first or below it; the "
              "rectangle between both is taken");
}

static Status shape_rect(LefReader *reader, void *block)
{
  ShapeList *list = block;
  Point a, b;
  uint32_t first = reader->physical->shapes.len;
  bool iterated = shape_prefix(reader);
  Where where = words_where(&reader->w);
  if (lef_point(reader, &a) != OK || lef_point(reader, &b) != OK) return FAILED;
  if (b.x < a.x || b.y < a.y) tell_of_corners(reader, where);
  Box box = { a.x, a.y, a.x, a.y };
  box_take(&box, b);
  array_push(&reader->physical->shapes, (Shape){ list->layer, box });
  return end_shape(reader, list, first, iterated);
}

static bool at_point(const LefReader *reader)
{
  const Words *words = &reader->w;
  return words->kind == WORDS_PLAIN
         && (words_is_char(words, '(') || *words->word == '-' || *words->word == '+'
             || *words->word == '.' || (unsigned)(*words->word - '0') < 10);
}

/* Where the outline crosses the middle of a slab, from left to right; each pair of crossings has
   the polygon between them. */
static uint32_t crossings(const Point *corner, uint32_t count, int64_t twice_y, int32_t *x)
{
  uint32_t found = 0;
  for (uint32_t i = 0; i < count; i++) {
    Point a = corner[i], b = corner[(i + 1) % count];
    int64_t low = a.y < b.y ? a.y : b.y, high = a.y < b.y ? b.y : a.y;
    if (twice_y < 2 * low || twice_y >= 2 * high) continue;
    double part = ((double)twice_y / 2 - a.y) / ((double)b.y - a.y);
    x[found++] = (int32_t)((double)a.x + part * ((double)b.x - a.x));
  }
  qsort(x, found, sizeof *x, order_int32);
  return found;
}

/* Slabs between neighbouring heights of corners; edges at 45 degrees are cut into one step. */
static void add_polygon(LefReader *reader, LayerId layer, const Point *corner, uint32_t count)
{
  int32_t *y = mem_alloc(2 * (size_t)count * sizeof *y), *x = y + count;
  for (uint32_t i = 0; i < count; i++) y[i] = corner[i].y;
  qsort(y, count, sizeof *y, order_int32);
  for (uint32_t i = 0; i + 1 < count; i++) {
    if (y[i] == y[i + 1]) continue;
    uint32_t found = crossings(corner, count, (int64_t)y[i] + y[i + 1], x);
    for (uint32_t k = 0; k + 1 < found; k += 2)
      array_push(&reader->physical->shapes, (Shape){ layer, { x[k], y[i], x[k + 1], y[i + 1] } });
  }
  mem_free(y);
}

enum { MOST_CORNERS = 2000 };

static Status read_points(LefReader *reader, Point **points, uint32_t *count)
{
  ARRAY(Point) list = { 0 };
  Status status = OK;
  while (status == OK && at_point(reader)) {
    Point at;
    Where where = words_where(&reader->w);
    status = lef_point(reader, &at);
    if (status == OK) array_push(&list, at);
    if (list.len > MOST_CORNERS)
      status = log_error(reader->w.log, "LEF-005", where, "a shape with more than %d corners",
                         MOST_CORNERS);
  }
  *points = list.at;
  *count = list.len;
  return status;
}

static Status shape_polygon(LefReader *reader, void *block)
{
  ShapeList *list = block;
  Point *corner;
  uint32_t count, first = reader->physical->shapes.len;
  bool iterated = shape_prefix(reader);
  Where where = words_where(&reader->w);
  Status status = read_points(reader, &corner, &count);
  if (status == OK && count < 3)
    status = log_error(reader->w.log, "LEF-008", where,
                       "a polygon of %u corners, expected three or more", count);
  if (status == OK) add_polygon(reader, list->layer, corner, count);
  mem_free(corner);
  return status == OK ? end_shape(reader, list, first, iterated) : FAILED;
}

/* A wire of the width along the points, half of it beyond both ends. */
static Status shape_path(LefReader *reader, void *block)
{
  ShapeList *list = block;
  Point *at;
  uint32_t count, first = reader->physical->shapes.len;
  int32_t half = list->width / 2;
  bool iterated = shape_prefix(reader);
  Status status = read_points(reader, &at, &count);
  for (uint32_t i = 0; i + 1 < count + (count == 1) && status == OK; i++) {
    Box box = { at[i].x, at[i].y, at[i].x, at[i].y };
    box_take(&box, at[i + (count > 1)]);
    box = (Box){ box.x0 - half, box.y0 - half, box.x1 + half, box.y1 + half };
    array_push(&reader->physical->shapes, (Shape){ list->layer, box });
  }
  mem_free(at);
  return status == OK ? end_shape(reader, list, first, iterated) : FAILED;
}

static const Via *find_via(const Physical *physical, NameId name)
{
  for (uint32_t i = physical->vias.len; i-- > 0;)
    if (physical->vias.at[i].name == name) return &physical->vias.at[i];
  return NULL;
}

/* The shapes of a via that LEF has, around a point. */
static Status shape_via(LefReader *reader, void *block)
{
  Point at;
  NameId name;
  uint32_t first = reader->physical->shapes.len;
  bool iterated = shape_prefix(reader);
  if (lef_point(reader, &at) != OK || lef_name(reader, &name, "the name of a via") != OK)
    return FAILED;
  const Via *via = find_via(reader->physical, name);
  if (via && count_copies(reader, via->shape_count) != OK) return FAILED;
  for (uint32_t i = 0; via && i < via->shape_count; i++) {
    Shape shape = reader->physical->shapes.at[via->first_shape + i];
    shape.box = box_moved(shape.box, at);
    array_push(&reader->physical->shapes, shape);
  }
  return end_shape(reader, block, first, iterated);
}

Status lef_shapes(LefReader *reader)
{
  static const LefStatement rows[] = {
    { "RECT", shape_rect }, { "LAYER", shape_layer }, { "POLYGON", shape_polygon },
    { "PATH", shape_path }, { "WIDTH", shape_width }, { "VIA", shape_via }, { "CLASS", NULL },
    { "PROPERTY", NULL }, { NULL, NULL }
  };
  ShapeList list = { .layer = NO_LAYER };
  return lef_block(reader, rows, &list, NULL);
}

/* --- pins ------------------------------------------------------------------------------------- */

typedef struct {
  MacroPin pin;
} PinBlock;

static Status pin_direction(LefReader *reader, void *block)
{
  MacroPin *pin = &((PinBlock *)block)->pin;
  pin->direction = words_is(&reader->w, "INPUT")    ? DIR_INPUT
                   : words_is(&reader->w, "OUTPUT") ? DIR_OUTPUT
                                                    : DIR_INOUT;
  return words_skip(&reader->w);
}

static Status pin_use(LefReader *reader, void *block)
{
  static const char *const words[] = { "SIGNAL", "CLOCK", "POWER", "GROUND", "ANALOG" };
  MacroPin *pin = &((PinBlock *)block)->pin;
  pin->use = USE_OTHER;
  for (int i = 0; i < USE_OTHER; i++)
    if (words_is(&reader->w, words[i])) pin->use = (uint8_t)i;
  return words_skip(&reader->w);
}

static Status pin_port(LefReader *reader, void *block)
{
  (void)block;
  return lef_shapes(reader);
}

static const LefStatement pin_rows[] = {
  { "PORT", pin_port }, { "DIRECTION", pin_direction }, { "USE", pin_use }, { "SHAPE", NULL },
  { "ANTENNAGATEAREA", NULL }, { "ANTENNADIFFAREA", NULL }, { "ANTENNAMODEL", NULL },
  { "ANTENNAPARTIALMETALAREA", NULL }, { "ANTENNAPARTIALMETALSIDEAREA", NULL },
  { "ANTENNAPARTIALCUTAREA", NULL }, { "ANTENNAMAXAREACAR", NULL },
  { "ANTENNAMAXSIDEAREACAR", NULL }, { "ANTENNAMAXCUTCAR", NULL }, { "ANTENNASIZE", NULL },
  { "ANTENNAMETALAREA", NULL }, { "ANTENNAMETALLENGTH", NULL }, { "TAPERRULE", NULL },
  { "NETEXPR", NULL }, { "SUPPLYSENSITIVITY", NULL }, { "GROUNDSENSITIVITY", NULL },
  { "MUSTJOIN", NULL }, { "PROPERTY", NULL }, { "LEQ", NULL }, { "FOREIGN", NULL },
  { "POWER", NULL }, { "OUTPUTNOISEMARGIN", NULL }, { "INPUTNOISEMARGIN", NULL },
  { "OUTPUTRESISTANCE", NULL }, { "VHI", NULL }, { "VLO", NULL }, { "CAPACITANCE", NULL },
  { "RESISTANCE", NULL }, { "RISETHRESH", NULL }, { "FALLTHRESH", NULL },
  { "RISESATCUR", NULL }, { "FALLSATCUR", NULL }, { "RISESLEWLIMIT", NULL },
  { "FALLSLEWLIMIT", NULL }, { "PULLDOWNRES", NULL }, { "TIEOFFR", NULL },
  { "CURRENTSOURCE", NULL }, { "IV_TABLES", NULL }, { "MAXDELAY", NULL }, { "MAXLOAD", NULL },
  { NULL, NULL }
};

/* --- macros ----------------------------------------------------------------------------------- */

typedef struct {
  Macro   macro;
  NameId  name;
  uint32_t first_shape;
  Where   where;
} MacroBlock;

static Status macro_pin(LefReader *reader, void *block)
{
  PinBlock pin = { .pin = { .direction = DIR_INPUT, .use = USE_SIGNAL,
                            .first_shape = reader->physical->shapes.len } };
  (void)block;
  if (lef_name(reader, &pin.pin.name, "the name of a pin") != OK) return FAILED;
  if (lef_block(reader, pin_rows, &pin, names_text(reader->physical->names, pin.pin.name)) != OK)
    return FAILED;
  pin.pin.shape_count = reader->physical->shapes.len - pin.pin.first_shape;
  array_push(&reader->physical->pins, pin.pin);
  return OK;
}

/* Several OBS follow each other, or pins stand between them: then those before are copied behind,
   so that all are together. */
static Status macro_obs(LefReader *reader, void *block)
{
  Macro *macro = &((MacroBlock *)block)->macro;
  uint32_t first = reader->physical->shapes.len;
  if (macro->blocked_count && macro->first_blocked + macro->blocked_count != first) {
    for (uint32_t i = 0; i < macro->blocked_count; i++)
      array_push(&reader->physical->shapes, reader->physical->shapes.at[macro->first_blocked + i]);
    macro->first_blocked = first;
  }
  if (macro->blocked_count == 0) macro->first_blocked = first;
  if (lef_shapes(reader) != OK) return FAILED;
  macro->blocked_count = reader->physical->shapes.len - macro->first_blocked;
  return OK;
}

static Status macro_class(LefReader *reader, void *block)
{
  static const char *const words[] = { "CORE", "BLOCK", "PAD", "ENDCAP", "COVER", "RING" };
  Macro *macro = &((MacroBlock *)block)->macro;
  macro->class = MACRO_NO_CLASS;
  for (int i = 0; i < MACRO_NO_CLASS; i++)
    if (words_is(&reader->w, words[i])) macro->class = (uint8_t)i;
  if (!words_is_char(&reader->w, ';')) words_next(&reader->w);
  if (!words_is_char(&reader->w, ';') && lef_name(reader, &macro->subclass, "a class") != OK)
    return FAILED;
  return words_skip(&reader->w);
}

/* Is a length 0 in the units of LEF, or in those of the DEF that was read? */
static bool is_nothing(const LefReader *reader, int32_t length)
{
  return length == 0
         || (reader->def_units
             && 2 * (int64_t)length * reader->def_units < reader->physical->units);
}

static Status macro_size(LefReader *reader, void *block)
{
  Macro *macro = &((MacroBlock *)block)->macro;
  Where where = words_where(&reader->w);
  if (lef_length(reader, &macro->width) != OK || words_expect(&reader->w, "BY") != OK
      || lef_length(reader, &macro->height) != OK)
    return FAILED;
  if (macro->width < 0 || macro->height < 0)
    return log_error(reader->w.log, "LEF-008", where, "a macro of negative size");
  if (is_nothing(reader, macro->width) || is_nothing(reader, macro->height))
    log_warning(reader->w.log, "LEF-016", where, "macro %.80s has a side of 0%s: it has no area",
                text_get(&reader->w.name),
                macro->width && macro->height ? " in the units of DEF" : "");
  return lef_end(reader);
}

static Status macro_origin(LefReader *reader, void *block)
{
  if (lef_point(reader, &((MacroBlock *)block)->macro.origin) != OK) return FAILED;
  return lef_end(reader);
}

static Status macro_foreign(LefReader *reader, void *block)
{
  Macro *macro = &((MacroBlock *)block)->macro;
  if (lef_name(reader, &macro->foreign, "the name of a foreign cell") != OK) return FAILED;
  if (at_point(reader) && lef_point(reader, &macro->foreign_at) != OK) return FAILED;
  return words_skip(&reader->w);
}

static Status macro_symmetry(LefReader *reader, void *block)
{
  Macro *macro = &((MacroBlock *)block)->macro;
  for (; reader->w.kind == WORDS_PLAIN && !words_is_char(&reader->w, ';'); words_next(&reader->w))
    macro->symmetry |=
        (uint8_t)(words_is(&reader->w, "X") * SYMMETRY_X | words_is(&reader->w, "Y") * SYMMETRY_Y
                  | words_is(&reader->w, "R90") * SYMMETRY_R90);
  return lef_end(reader);
}

static Status macro_site(LefReader *reader, void *block)
{
  NameId name;
  if (lef_name(reader, &name, "the name of a site") != OK) return FAILED;
  ((MacroBlock *)block)->macro.site = physical_site(reader->physical, name);
  return words_skip(&reader->w);
}

/* "DENSITY LAYER M1 ; RECT ... ; END" */
static Status macro_density(LefReader *reader, void *block)
{
  (void)block;
  while (reader->w.kind != WORDS_END && !words_is(&reader->w, "END")) words_next(&reader->w);
  return words_expect(&reader->w, "END");
}

static Status macro_timing(LefReader *reader, void *block)
{
  (void)block;
  return lef_skip_block(reader, "TIMING");
}

static const LefStatement macro_rows[] = {
  { "PIN", macro_pin }, { "OBS", macro_obs }, { "CLASS", macro_class }, { "SIZE", macro_size },
  { "ORIGIN", macro_origin }, { "FOREIGN", macro_foreign }, { "SYMMETRY", macro_symmetry },
  { "SITE", macro_site }, { "DENSITY", macro_density }, { "TIMING", macro_timing },
  { "PROPERTY", NULL }, { "EEQ", NULL }, { "LEQ", NULL }, { "FIXEDMASK", NULL },
  { "SOURCE", NULL }, { "POWER", NULL }, { "CLOCKTYPE", NULL }, { "GENERATE", NULL },
  { "GENERATOR", NULL }, { "BUSBITCHARS", NULL }, { NULL, NULL }
};

/* --- the end of a macro ----------------------------------------------------------------------- */

/* Cut layers are between those that wires come on. */
static void box_pin(const Physical *physical, const Macro *macro, MacroPin *pin)
{
  Box box = BOX_EMPTY;
  for (int cuts = 0; cuts < 2 && box_is_empty(box); cuts++)
    for (uint32_t i = 0; i < pin->shape_count; i++) {
      const Shape *shape = &physical->shapes.at[pin->first_shape + i];
      bool cut = shape->layer != NO_LAYER && physical->layers.at[shape->layer].kind == LAYER_CUT;
      if (cut && cuts == 0) continue;
      box_take(&box, (Point){ shape->box.x0, shape->box.y0 });
      box_take(&box, (Point){ shape->box.x1, shape->box.y1 });
    }
  if (box_is_empty(box))
    box = (Box){ macro->width / 2, macro->height / 2, macro->width / 2, macro->height / 2 };
  pin->box = box;
}

static void end_pins(LefReader *reader, MacroId id)
{
  Physical *physical = reader->physical;
  const Macro *macro = &physical->macros.at[id];
  for (MacroPinId pin = macro->first_pin; pin < macro->first_pin + macro->pin_count; pin++) {
    box_pin(physical, macro, &physical->pins.at[pin]);
    map_put(physical->pin_by_name, hash_pair(id, physical->pins.at[pin].name), pin);
  }
}

/* Pins of an earlier macro of the name are no longer found. */
static void forget_pins(Physical *physical, MacroId id)
{
  const Macro *macro = &physical->macros.at[id];
  for (MacroPinId pin = macro->first_pin; pin < macro->first_pin + macro->pin_count; pin++)
    map_remove(physical->pin_by_name, hash_pair(id, physical->pins.at[pin].name));
}

static void note_twice(LefReader *reader, const Macro *old)
{
  if (reader->twice++) return;
  reader->twice_name = old->name;
  reader->twice_file = old->file;
}

static void take_macro(LefReader *reader, MacroBlock *block)
{
  Physical *physical = reader->physical;
  bool known = physical_find_macro(physical, block->name) != NO_MACRO;
  MacroId id = physical_macro(physical, block->name);
  if (known && physical->macros.at[id].file != NO_NAME)
    note_twice(reader, &physical->macros.at[id]);
  forget_pins(physical, id);
  block->macro.pin_count = physical->pins.len - block->macro.first_pin;
  for (uint32_t i = block->first_shape; i < physical->shapes.len; i++)
    physical->shapes.at[i].box = box_moved(physical->shapes.at[i].box, block->macro.origin);
  physical->macros.at[id] = block->macro;
  end_pins(reader, id);
}

Status lef_macro(LefReader *reader, void *none)
{
  Words *words = &reader->w;
  MacroBlock block = { .macro = { .class = MACRO_NO_CLASS,
                                  .site = NO_SITE,
                                  .file = reader->file,
                                  .first_pin = reader->physical->pins.len,
                                  .width = -1 },
                       .first_shape = reader->physical->shapes.len,
                       .where = words_where(words) };
  (void)none;
  words->within = "MACRO";
  text_clear(&words->name);
  text_add(&words->name, words->word, words->length);
  if (lef_name(reader, &block.name, "the name of a macro") != OK) return FAILED;
  block.macro.name = block.name;
  if (lef_block(reader, macro_rows, &block, names_text(reader->physical->names, block.name)) != OK)
    return FAILED;
  if (block.macro.width < 0) {
    log_warning(words->log, "LEF-013", block.where, "macro %.80s has no SIZE: it has no area",
                names_text(reader->physical->names, block.name));
    block.macro.width = block.macro.height = 0;
  }
  reader->result.macros++;
  take_macro(reader, &block);
  return OK;
}
