/* Stores what LEF files describe: layers, sites, vias and macros. See physical.h. */
#include "db/physical.h"

#include <math.h>
#include <strings.h>

#include "base/hash.h"

/* Holds what LEF files write, as long as none says how it counts. */
enum { UNITS_AT_FIRST = 20000 };

Physical *physical_new(Names *names)
{
  Physical *p = mem_alloc_zero(1, sizeof *p);
  p->names = names;
  p->units = p->lef_units = UNITS_AT_FIRST;
  p->layer_by_name = map_new();
  p->site_by_name = map_new();
  p->macro_by_name = map_new();
  p->pin_by_name = map_new();
  return p;
}

void physical_free(Physical *p)
{
  if (p == NULL) return;
  array_free(&p->layers);
  array_free(&p->sites);
  array_free(&p->vias);
  array_free(&p->macros);
  array_free(&p->pins);
  array_free(&p->shapes);
  map_free(p->layer_by_name);
  map_free(p->site_by_name);
  map_free(p->macro_by_name);
  map_free(p->pin_by_name);
  physical_free(p->lef);
  mem_free(p);
}

#define COPY_ARRAY(to, from)                                                                    \
  (array_resize(to, (from)->len),                                                               \
      (void)((from)->len ? memcpy((to)->at, (from)->at, (size_t)(from)->len * sizeof *(to)->at) \
      : NULL))

/* Of all that physical_set_units converts. */
static Physical *copy_arrays(const Physical *p)
{
  Physical *to = mem_alloc_zero(1, sizeof *to);
  to->names = p->names;
  to->units = p->units;
  to->lef_units = p->lef_units;
  to->units_given = p->units_given;
  to->units_fixed = p->units_fixed;
  to->grid = p->grid;
  COPY_ARRAY(&to->layers, &p->layers);
  COPY_ARRAY(&to->sites, &p->sites);
  COPY_ARRAY(&to->macros, &p->macros);
  COPY_ARRAY(&to->pins, &p->pins);
  COPY_ARRAY(&to->shapes, &p->shapes);
  return to;
}

Physical *physical_copy(const Physical *p)
{
  Physical *to = copy_arrays(p);
  COPY_ARRAY(&to->vias, &p->vias);
  to->layer_by_name = map_copy(p->layer_by_name);
  to->site_by_name = map_copy(p->site_by_name);
  to->macro_by_name = map_copy(p->macro_by_name);
  to->pin_by_name = map_copy(p->pin_by_name);
  if (p->lef) to->lef = copy_arrays(p->lef);
  return to;
}

#define BYTES(a) ((size_t)(a).cap * sizeof *(a).at)

static size_t array_bytes(const Physical *p)
{
  return sizeof *p + BYTES(p->layers) + BYTES(p->sites) + BYTES(p->vias) + BYTES(p->macros)
         + BYTES(p->pins) + BYTES(p->shapes);
}

size_t physical_bytes(const Physical *p)
{
  return array_bytes(p) + map_bytes(p->layer_by_name) + map_bytes(p->site_by_name)
         + map_bytes(p->macro_by_name) + map_bytes(p->pin_by_name)
         + (p->lef ? array_bytes(p->lef) : 0);
}

/* --- by name ---------------------------------------------------------------------------------- */

LayerId physical_find_layer(const Physical *p, NameId name)
{
  return name == NO_NAME ? NO_LAYER : map_get(p->layer_by_name, name);
}

SiteId physical_find_site(const Physical *p, NameId name)
{
  return name == NO_NAME ? NO_SITE : map_get(p->site_by_name, name);
}

MacroId physical_find_macro(const Physical *p, NameId name)
{
  return name == NO_NAME ? NO_MACRO : map_get(p->macro_by_name, name);
}

MacroPinId physical_find_pin(const Physical *p, MacroId macro, NameId name)
{
  if (macro == NO_MACRO || name == NO_NAME) return NO_MACRO_PIN;
  return map_get(p->pin_by_name, hash_pair(macro, name));
}

LayerId physical_layer(Physical *p, NameId name)
{
  LayerId found = physical_find_layer(p, name);
  if (found != NO_LAYER) return found;
  array_push(&p->layers, (Layer){ .name = name, .kind = LAYER_OTHER, .square_resistance = NAN,
                                  .area_cap = NAN, .edge_cap = NAN, .cut_resistance = NAN,
                                  .wire_resistance = NAN, .wire_cap = NAN });
  map_put(p->layer_by_name, name, p->layers.len - 1);
  return p->layers.len - 1;
}

SiteId physical_site(Physical *p, NameId name)
{
  SiteId found = physical_find_site(p, name);
  if (found != NO_SITE) return found;
  array_push(&p->sites, (Site){ .name = name });
  map_put(p->site_by_name, name, p->sites.len - 1);
  return p->sites.len - 1;
}

MacroId physical_macro(Physical *p, NameId name)
{
  MacroId found = physical_find_macro(p, name);
  if (found != NO_MACRO) return found;
  array_push(&p->macros, (Macro){ .name = name, .class = MACRO_NO_CLASS, .site = NO_SITE });
  map_put(p->macro_by_name, name, p->macros.len - 1);
  return p->macros.len - 1;
}

/* --- units ------------------------------------------------------------------------------------ */

typedef struct {
  int64_t  to, from;
  uint64_t rounded;
} Scaling;

static void rescale(Scaling *s, int32_t *value)
{
  int64_t product = *value * s->to, half = s->from / 2;
  int64_t result = (product >= 0 ? product + half : product - half) / s->from;
  if (result > INT32_MAX) result = INT32_MAX;
  if (result < -INT32_MAX) result = -INT32_MAX;
  s->rounded += result * s->from != product;
  *value = (int32_t)result;
}

static void rescale_box(Scaling *s, Box *b)
{
  rescale(s, &b->x0);
  rescale(s, &b->y0);
  rescale(s, &b->x1);
  rescale(s, &b->y1);
}

static void rescale_layer(Scaling *s, Layer *l)
{
  int32_t *const values[] = { &l->pitch_x, &l->pitch_y, &l->offset_x, &l->offset_y, &l->width,
                              &l->spacing };
  for (size_t i = 0; i < sizeof values / sizeof *values; i++) rescale(s, values[i]);
}

static void rescale_macro(Scaling *s, Macro *m)
{
  int32_t *const values[] = { &m->width, &m->height, &m->origin.x, &m->origin.y, &m->foreign_at.x,
                              &m->foreign_at.y };
  for (size_t i = 0; i < sizeof values / sizeof *values; i++) rescale(s, values[i]);
}

static uint64_t convert(Physical *p, int32_t units)
{
  Scaling s = { units, p->units, 0 };
  if (units == p->units) return 0;
  p->units = units;
  rescale(&s, &p->grid);
  for (uint32_t i = 0; i < p->layers.len; i++) rescale_layer(&s, &p->layers.at[i]);
  for (uint32_t i = 0; i < p->macros.len; i++) rescale_macro(&s, &p->macros.at[i]);
  for (uint32_t i = 0; i < p->pins.len; i++) rescale_box(&s, &p->pins.at[i].box);
  for (uint32_t i = 0; i < p->shapes.len; i++) rescale_box(&s, &p->shapes.at[i].box);
  for (uint32_t i = 0; i < p->sites.len; i++) {
    rescale(&s, &p->sites.at[i].width);
    rescale(&s, &p->sites.at[i].height);
  }
  return s.rounded;
}

uint64_t physical_set_units(Physical *p, int32_t units)
{
  physical_use_lef_units(p);
  Physical *lef = units == p->units ? NULL : copy_arrays(p);
  uint64_t rounded = convert(p, units);
  p->units_fixed = true;
  if (rounded) p->lef = lef;
  else physical_free(lef);
  return rounded;
}

uint64_t physical_set_lef_units(Physical *p, int32_t units)
{
  uint64_t rounded = convert(p, units);
  p->lef_units = units;
  p->units_given = true;
  return rounded;
}

/* What set_layer_rc has set meanwhile stays. */
static void take_lengths(Layer *to, const Layer *from)
{
  to->pitch_x = from->pitch_x;
  to->pitch_y = from->pitch_y;
  to->offset_x = from->offset_x;
  to->offset_y = from->offset_y;
  to->width = from->width;
  to->spacing = from->spacing;
}

#define TAKE_ARRAY(to, from) \
  ((from)->len ? (void)memcpy((to)->at, (from)->at, (size_t)(from)->len * sizeof *(to)->at) \
               : (void)0)

/* A DEF adds layers and sites only, without lengths. */
static void take_numbers(Physical *p, const Physical *lef)
{
  p->units = lef->units;
  p->grid = lef->grid;
  for (LayerId i = 0; i < lef->layers.len; i++)
    take_lengths(&p->layers.at[i], &lef->layers.at[i]);
  TAKE_ARRAY(&p->sites, &lef->sites);
  TAKE_ARRAY(&p->macros, &lef->macros);
  TAKE_ARRAY(&p->pins, &lef->pins);
  TAKE_ARRAY(&p->shapes, &lef->shapes);
}

void physical_use_lef_units(Physical *p)
{
  if (p->lef) take_numbers(p, p->lef);
  else convert(p, p->lef_units);
  physical_free(p->lef);
  p->lef = NULL;
  p->units_fixed = false;
}

/* --- wires ------------------------------------------------------------------------------------ */

double layer_wire_resistance(const Physical *p, LayerId layer)
{
  const Layer *l = &p->layers.at[layer];
  if (!isnan(l->wire_resistance)) return l->wire_resistance;
  return l->width > 0 ? l->square_resistance / ((double)l->width / p->units) : NAN;
}

/* The plate below the wire and its two edges. */
double layer_wire_cap(const Physical *p, LayerId layer)
{
  const Layer *l = &p->layers.at[layer];
  if (!isnan(l->wire_cap)) return l->wire_cap;
  if (isnan(l->area_cap) && isnan(l->edge_cap)) return NAN;
  double area = isnan(l->area_cap) ? 0 : l->area_cap, edge = isnan(l->edge_cap) ? 0 : l->edge_cap;
  return area * ((double)l->width / p->units) + 2 * edge;
}

/* --- geometry --------------------------------------------------------------------------------- */

static const char *const orient_names[][2] = { { "N", "R0" },   { "W", "R90" },   { "S", "R180" },
                                               { "E", "R270" }, { "FN", "MY" },   { "FW", "MX90" },
                                               { "FS", "MX" },  { "FE", "MY90" } };

const char *orient_name(Orient o) { return orient_names[o][0]; }

static bool same_word(const char *name, const char *text, size_t length)
{
  return strlen(name) == length && strncasecmp(name, text, length) == 0;
}

bool orient_parse(const char *text, size_t length, Orient *o)
{
  for (int i = ORIENT_N; i <= ORIENT_FE; i++)
    for (int k = 0; k < 2; k++)
      if (same_word(orient_names[i][k], text, length)) {
        *o = (Orient)i;
        return true;
      }
  return false;
}

/* Turned by 90 degrees counterclockwise, (x, y) goes to (-y, x); what is left of 0 or below it is
   moved back. */
static Point turned_point(int quarters, int32_t w, int32_t h, Point at)
{
  switch (quarters) {
  case ORIENT_W: return (Point){ h - at.y, at.x };
  case ORIENT_S: return (Point){ w - at.x, h - at.y };
  case ORIENT_E: return (Point){ at.y, w - at.x };
  default: return at;
  }
}

Point orient_point(Orient o, int32_t w, int32_t h, Point at)
{
  Point turned = turned_point(o & 3, w, h, at);
  if (o >= ORIENT_FN) turned.x = (orient_turns(o) ? h : w) - turned.x;
  return turned;
}

Box orient_box(Orient o, int32_t w, int32_t h, Box box)
{
  Box turned = BOX_EMPTY;
  box_take(&turned, orient_point(o, w, h, (Point){ box.x0, box.y0 }));
  box_take(&turned, orient_point(o, w, h, (Point){ box.x1, box.y1 }));
  return turned;
}
