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

static Status count_copies(LefReader *r, uint64_t copies)
{
  r->copies += copies;
  if (r->copies <= MOST_IN_FILE) return OK;
  return log_error(r->w.log, "LEF-005", words_where(&r->w), "more than %d copies of shapes",
                   MOST_IN_FILE);
}

static Status shape_layer(LefReader *r, void *block)
{
  NameId name;
  ShapeList *s = block;
  if (lef_name(r, &name, "a layer") != OK) return FAILED;
  s->layer = physical_layer(r->p, name);
  s->width = r->p->layers.at[s->layer].width;
  return words_skip(&r->w);
}

static Status shape_width(LefReader *r, void *block)
{
  if (lef_length(r, &((ShapeList *)block)->width) != OK) return FAILED;
  return lef_end(r);
}

/* MASK n and ITERATE; true when there are several copies. */
static bool shape_prefix(LefReader *r)
{
  if (words_is(&r->w, "MASK")) {
    words_next(&r->w);
    words_next(&r->w);
  }
  if (!words_is(&r->w, "ITERATE")) return false;
  words_next(&r->w);
  return true;
}

/* "DO 3 BY 2 STEP 1.5 2" behind an iterated shape. */
static Status read_step(LefReader *r, ShapeList *s)
{
  int64_t x, y;
  Where where = words_where(&r->w);
  if (words_expect(&r->w, "DO") != OK || words_integer(&r->w, &x, 1, MOST_COPIES, "a count") != OK
      || words_expect(&r->w, "BY") != OK
      || words_integer(&r->w, &y, 1, MOST_COPIES, "a count") != OK
      || words_expect(&r->w, "STEP") != OK || lef_length(r, &s->step_x) != OK
      || lef_length(r, &s->step_y) != OK)
    return FAILED;
  if (x * y > MOST_COPIES)
    return log_error(r->w.log, "LEF-005", where, "a shape with %lld copies", (long long)(x * y));
  s->count_x = (uint32_t)x;
  s->count_y = (uint32_t)y;
  return OK;
}

static void copy_shapes(LefReader *r, const ShapeList *s, uint32_t first)
{
  uint32_t last = r->p->shapes.len;
  for (uint32_t y = 0; y < s->count_y; y++)
    for (uint32_t x = 0; x < s->count_x; x++)
      for (uint32_t i = first; i < last && x + y > 0; i++) {
        Shape copy = r->p->shapes.at[i];
        copy.box = box_moved(copy.box, (Point){ (int32_t)x * s->step_x, (int32_t)y * s->step_y });
        array_push(&r->p->shapes, copy);
      }
}

/* Those from `first` on are repeated, if they are iterated; the statement ends. */
static Status end_shape(LefReader *r, ShapeList *s, uint32_t first, bool iterated)
{
  if (iterated && read_step(r, s) != OK) return FAILED;
  uint64_t copies = iterated ? (uint64_t)s->count_x * s->count_y : 0;
  if (count_copies(r, copies * (r->p->shapes.len - first)) != OK) return FAILED;
  if (iterated) copy_shapes(r, s, first);
  return lef_end(r);
}

static void tell_of_corners(LefReader *r, Where where)
{
  log_warning(r->w.log, "LEF-012", where,
              "a rectangle upside down: its second corner is left of the first or below it; the "
              "rectangle between both is taken");
}

static Status shape_rect(LefReader *r, void *block)
{
  ShapeList *s = block;
  Point a, b;
  uint32_t first = r->p->shapes.len;
  bool iterated = shape_prefix(r);
  Where where = words_where(&r->w);
  if (lef_point(r, &a) != OK || lef_point(r, &b) != OK) return FAILED;
  if (b.x < a.x || b.y < a.y) tell_of_corners(r, where);
  Box box = { a.x, a.y, a.x, a.y };
  box_take(&box, b);
  array_push(&r->p->shapes, (Shape){ s->layer, box });
  return end_shape(r, s, first, iterated);
}

static bool at_point(const LefReader *r)
{
  const Words *w = &r->w;
  return w->kind == WORDS_PLAIN
         && (words_is_char(w, '(') || *w->word == '-' || *w->word == '+' || *w->word == '.'
             || (unsigned)(*w->word - '0') < 10);
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
static void add_polygon(LefReader *r, LayerId layer, const Point *corner, uint32_t count)
{
  int32_t *y = mem_alloc(2 * (size_t)count * sizeof *y), *x = y + count;
  for (uint32_t i = 0; i < count; i++) y[i] = corner[i].y;
  qsort(y, count, sizeof *y, order_int32);
  for (uint32_t i = 0; i + 1 < count; i++) {
    if (y[i] == y[i + 1]) continue;
    uint32_t found = crossings(corner, count, (int64_t)y[i] + y[i + 1], x);
    for (uint32_t k = 0; k + 1 < found; k += 2)
      array_push(&r->p->shapes, (Shape){ layer, { x[k], y[i], x[k + 1], y[i + 1] } });
  }
  mem_free(y);
}

enum { MOST_CORNERS = 2000 };

static Status read_points(LefReader *r, Point **points, uint32_t *count)
{
  ARRAY(Point) list = { 0 };
  Status status = OK;
  while (status == OK && at_point(r)) {
    Point at;
    Where where = words_where(&r->w);
    status = lef_point(r, &at);
    if (status == OK) array_push(&list, at);
    if (list.len > MOST_CORNERS)
      status = log_error(r->w.log, "LEF-005", where, "a shape with more than %d corners",
                         MOST_CORNERS);
  }
  *points = list.at;
  *count = list.len;
  return status;
}

static Status shape_polygon(LefReader *r, void *block)
{
  ShapeList *s = block;
  Point *corner;
  uint32_t count, first = r->p->shapes.len;
  bool iterated = shape_prefix(r);
  Where where = words_where(&r->w);
  Status status = read_points(r, &corner, &count);
  if (status == OK && count < 3)
    status = log_error(r->w.log, "LEF-008", where,
                       "a polygon of %u corners, expected three or more", count);
  if (status == OK) add_polygon(r, s->layer, corner, count);
  mem_free(corner);
  return status == OK ? end_shape(r, s, first, iterated) : FAILED;
}

/* A wire of the width along the points, half of it beyond both ends. */
static Status shape_path(LefReader *r, void *block)
{
  ShapeList *s = block;
  Point *at;
  uint32_t count, first = r->p->shapes.len;
  int32_t half = s->width / 2;
  bool iterated = shape_prefix(r);
  Status status = read_points(r, &at, &count);
  for (uint32_t i = 0; i + 1 < count + (count == 1) && status == OK; i++) {
    Box box = { at[i].x, at[i].y, at[i].x, at[i].y };
    box_take(&box, at[i + (count > 1)]);
    box = (Box){ box.x0 - half, box.y0 - half, box.x1 + half, box.y1 + half };
    array_push(&r->p->shapes, (Shape){ s->layer, box });
  }
  mem_free(at);
  return status == OK ? end_shape(r, s, first, iterated) : FAILED;
}

static const Via *find_via(const Physical *p, NameId name)
{
  for (uint32_t i = p->vias.len; i-- > 0;)
    if (p->vias.at[i].name == name) return &p->vias.at[i];
  return NULL;
}

/* The shapes of a via that LEF has, around a point. */
static Status shape_via(LefReader *r, void *block)
{
  Point at;
  NameId name;
  uint32_t first = r->p->shapes.len;
  bool iterated = shape_prefix(r);
  if (lef_point(r, &at) != OK || lef_name(r, &name, "the name of a via") != OK) return FAILED;
  const Via *via = find_via(r->p, name);
  if (via && count_copies(r, via->shape_count) != OK) return FAILED;
  for (uint32_t i = 0; via && i < via->shape_count; i++) {
    Shape shape = r->p->shapes.at[via->first_shape + i];
    shape.box = box_moved(shape.box, at);
    array_push(&r->p->shapes, shape);
  }
  return end_shape(r, block, first, iterated);
}

Status lef_shapes(LefReader *r)
{
  static const LefStatement rows[] = {
    { "RECT", shape_rect }, { "LAYER", shape_layer }, { "POLYGON", shape_polygon },
    { "PATH", shape_path }, { "WIDTH", shape_width }, { "VIA", shape_via }, { "CLASS", NULL },
    { "PROPERTY", NULL }, { NULL, NULL }
  };
  ShapeList list = { .layer = NO_LAYER };
  return lef_block(r, rows, &list, NULL);
}

/* --- pins ------------------------------------------------------------------------------------- */

typedef struct {
  MacroPin pin;
} PinBlock;

static Status pin_direction(LefReader *r, void *block)
{
  MacroPin *pin = &((PinBlock *)block)->pin;
  pin->direction = words_is(&r->w, "INPUT")    ? DIR_INPUT
                   : words_is(&r->w, "OUTPUT") ? DIR_OUTPUT
                                               : DIR_INOUT;
  return words_skip(&r->w);
}

static Status pin_use(LefReader *r, void *block)
{
  static const char *const words[] = { "SIGNAL", "CLOCK", "POWER", "GROUND", "ANALOG" };
  MacroPin *pin = &((PinBlock *)block)->pin;
  pin->use = USE_OTHER;
  for (int i = 0; i < USE_OTHER; i++)
    if (words_is(&r->w, words[i])) pin->use = (uint8_t)i;
  return words_skip(&r->w);
}

static Status pin_port(LefReader *r, void *block)
{
  (void)block;
  return lef_shapes(r);
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

static Status macro_pin(LefReader *r, void *block)
{
  PinBlock pin = { .pin = { .direction = DIR_INPUT, .use = USE_SIGNAL,
                            .first_shape = r->p->shapes.len } };
  (void)block;
  if (lef_name(r, &pin.pin.name, "the name of a pin") != OK) return FAILED;
  if (lef_block(r, pin_rows, &pin, names_text(r->p->names, pin.pin.name)) != OK) return FAILED;
  pin.pin.shape_count = r->p->shapes.len - pin.pin.first_shape;
  array_push(&r->p->pins, pin.pin);
  return OK;
}

/* Several OBS follow each other, or pins stand between them: then those before are copied behind,
   so that all are together. */
static Status macro_obs(LefReader *r, void *block)
{
  Macro *m = &((MacroBlock *)block)->macro;
  uint32_t first = r->p->shapes.len;
  if (m->blocked_count && m->first_blocked + m->blocked_count != first) {
    for (uint32_t i = 0; i < m->blocked_count; i++)
      array_push(&r->p->shapes, r->p->shapes.at[m->first_blocked + i]);
    m->first_blocked = first;
  }
  if (m->blocked_count == 0) m->first_blocked = first;
  if (lef_shapes(r) != OK) return FAILED;
  m->blocked_count = r->p->shapes.len - m->first_blocked;
  return OK;
}

static Status macro_class(LefReader *r, void *block)
{
  static const char *const words[] = { "CORE", "BLOCK", "PAD", "ENDCAP", "COVER", "RING" };
  Macro *m = &((MacroBlock *)block)->macro;
  m->class = MACRO_NO_CLASS;
  for (int i = 0; i < MACRO_NO_CLASS; i++)
    if (words_is(&r->w, words[i])) m->class = (uint8_t)i;
  if (!words_is_char(&r->w, ';')) words_next(&r->w);
  if (!words_is_char(&r->w, ';') && lef_name(r, &m->subclass, "a class") != OK) return FAILED;
  return words_skip(&r->w);
}

/* Is a length 0 in the units of LEF, or in those of the DEF that was read? */
static bool is_nothing(const LefReader *r, int32_t length)
{
  return length == 0 || (r->def_units && 2 * (int64_t)length * r->def_units < r->p->units);
}

static Status macro_size(LefReader *r, void *block)
{
  Macro *m = &((MacroBlock *)block)->macro;
  Where where = words_where(&r->w);
  if (lef_length(r, &m->width) != OK || words_expect(&r->w, "BY") != OK
      || lef_length(r, &m->height) != OK)
    return FAILED;
  if (m->width < 0 || m->height < 0)
    return log_error(r->w.log, "LEF-008", where, "a macro of negative size");
  if (is_nothing(r, m->width) || is_nothing(r, m->height))
    log_warning(r->w.log, "LEF-016", where, "macro %.80s has a side of 0%s: it has no area",
                text_get(&r->w.name), m->width && m->height ? " in the units of DEF" : "");
  return lef_end(r);
}

static Status macro_origin(LefReader *r, void *block)
{
  if (lef_point(r, &((MacroBlock *)block)->macro.origin) != OK) return FAILED;
  return lef_end(r);
}

static Status macro_foreign(LefReader *r, void *block)
{
  Macro *m = &((MacroBlock *)block)->macro;
  if (lef_name(r, &m->foreign, "the name of a foreign cell") != OK) return FAILED;
  if (at_point(r) && lef_point(r, &m->foreign_at) != OK) return FAILED;
  return words_skip(&r->w);
}

static Status macro_symmetry(LefReader *r, void *block)
{
  Macro *m = &((MacroBlock *)block)->macro;
  for (; r->w.kind == WORDS_PLAIN && !words_is_char(&r->w, ';'); words_next(&r->w))
    m->symmetry |= (uint8_t)(words_is(&r->w, "X") * SYMMETRY_X | words_is(&r->w, "Y") * SYMMETRY_Y
                             | words_is(&r->w, "R90") * SYMMETRY_R90);
  return lef_end(r);
}

static Status macro_site(LefReader *r, void *block)
{
  NameId name;
  if (lef_name(r, &name, "the name of a site") != OK) return FAILED;
  ((MacroBlock *)block)->macro.site = physical_site(r->p, name);
  return words_skip(&r->w);
}

/* "DENSITY LAYER M1 ; RECT ... ; END" */
static Status macro_density(LefReader *r, void *block)
{
  (void)block;
  while (r->w.kind != WORDS_END && !words_is(&r->w, "END")) words_next(&r->w);
  return words_expect(&r->w, "END");
}

static Status macro_timing(LefReader *r, void *block)
{
  (void)block;
  return lef_skip_block(r, "TIMING");
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
static void box_pin(const Physical *p, const Macro *m, MacroPin *pin)
{
  Box box = BOX_EMPTY;
  for (int cuts = 0; cuts < 2 && box_is_empty(box); cuts++)
    for (uint32_t i = 0; i < pin->shape_count; i++) {
      const Shape *s = &p->shapes.at[pin->first_shape + i];
      bool cut = s->layer != NO_LAYER && p->layers.at[s->layer].kind == LAYER_CUT;
      if (cut && cuts == 0) continue;
      box_take(&box, (Point){ s->box.x0, s->box.y0 });
      box_take(&box, (Point){ s->box.x1, s->box.y1 });
    }
  if (box_is_empty(box)) box = (Box){ m->width / 2, m->height / 2, m->width / 2, m->height / 2 };
  pin->box = box;
}

static void end_pins(LefReader *r, MacroId id)
{
  Physical *p = r->p;
  const Macro *m = &p->macros.at[id];
  for (MacroPinId pin = m->first_pin; pin < m->first_pin + m->pin_count; pin++) {
    box_pin(p, m, &p->pins.at[pin]);
    map_put(p->pin_by_name, hash_pair(id, p->pins.at[pin].name), pin);
  }
}

/* Pins of an earlier macro of the name are no longer found. */
static void forget_pins(Physical *p, MacroId id)
{
  const Macro *m = &p->macros.at[id];
  for (MacroPinId pin = m->first_pin; pin < m->first_pin + m->pin_count; pin++)
    map_remove(p->pin_by_name, hash_pair(id, p->pins.at[pin].name));
}

static void note_twice(LefReader *r, const Macro *old)
{
  if (r->twice++) return;
  r->twice_name = old->name;
  r->twice_file = old->file;
}

static void take_macro(LefReader *r, MacroBlock *b)
{
  Physical *p = r->p;
  bool known = physical_find_macro(p, b->name) != NO_MACRO;
  MacroId id = physical_macro(p, b->name);
  if (known && p->macros.at[id].file != NO_NAME) note_twice(r, &p->macros.at[id]);
  forget_pins(p, id);
  b->macro.pin_count = p->pins.len - b->macro.first_pin;
  for (uint32_t i = b->first_shape; i < p->shapes.len; i++)
    p->shapes.at[i].box = box_moved(p->shapes.at[i].box, b->macro.origin);
  p->macros.at[id] = b->macro;
  end_pins(r, id);
}

Status lef_macro(LefReader *r, void *none)
{
  Words *w = &r->w;
  MacroBlock block = { .macro = { .class = MACRO_NO_CLASS, .site = NO_SITE, .file = r->file,
                                  .first_pin = r->p->pins.len, .width = -1 },
                       .first_shape = r->p->shapes.len, .where = words_where(w) };
  (void)none;
  w->within = "MACRO";
  text_clear(&w->name);
  text_add(&w->name, w->word, w->length);
  if (lef_name(r, &block.name, "the name of a macro") != OK) return FAILED;
  block.macro.name = block.name;
  if (lef_block(r, macro_rows, &block, names_text(r->p->names, block.name)) != OK) return FAILED;
  if (block.macro.width < 0) {
    log_warning(w->log, "LEF-013", block.where, "macro %.80s has no SIZE: it has no area",
                names_text(r->p->names, block.name));
    block.macro.width = block.macro.height = 0;
  }
  r->result.macros++;
  take_macro(r, &block);
  return OK;
}
