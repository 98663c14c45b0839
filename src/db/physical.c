/* Stores what LEF files describe: layers, sites, vias and macros. See physical.h. */
#include "db/physical.h"

#include <math.h>
#include <strings.h>

#include "base/hash.h"

/* Holds what LEF files write, as long as none says how it counts. */
enum { UNITS_AT_FIRST = 20000 };

Physical *physical_new(Names *names)
{
  Physical *physical = mem_alloc_zero(1, sizeof *physical);
  physical->names = names;
  physical->units = physical->lef_units = UNITS_AT_FIRST;
  physical->layer_by_name = map_new();
  physical->site_by_name = map_new();
  physical->macro_by_name = map_new();
  physical->pin_by_name = map_new();
  return physical;
}

void physical_free(Physical *physical)
{
  if (physical == NULL) return;
  array_free(&physical->layers);
  array_free(&physical->sites);
  array_free(&physical->vias);
  array_free(&physical->macros);
  array_free(&physical->pins);
  array_free(&physical->shapes);
  map_free(physical->layer_by_name);
  map_free(physical->site_by_name);
  map_free(physical->macro_by_name);
  map_free(physical->pin_by_name);
  physical_free(physical->lef);
  mem_free(physical);
}

#define COPY_ARRAY(to, from)                                                                    \
  (array_resize(to, (from)->len),                                                               \
      (void)((from)->len ? memcpy((to)->at, (from)->at, (size_t)(from)->len * sizeof *(to)->at) \
      : NULL))

/* Of all that physical_set_units converts. */
static Physical *copy_arrays(const Physical *physical)
{
  Physical *to = mem_alloc_zero(1, sizeof *to);
  to->names = physical->names;
  to->units = physical->units;
  to->lef_units = physical->lef_units;
  to->units_given = physical->units_given;
  to->units_fixed = physical->units_fixed;
  to->grid = physical->grid;
  COPY_ARRAY(&to->layers, &physical->layers);
  COPY_ARRAY(&to->sites, &physical->sites);
  COPY_ARRAY(&to->macros, &physical->macros);
  COPY_ARRAY(&to->pins, &physical->pins);
  COPY_ARRAY(&to->shapes, &physical->shapes);
  return to;
}

Physical *physical_copy(const Physical *physical)
{
  Physical *to = copy_arrays(physical);
  COPY_ARRAY(&to->vias, &physical->vias);
  to->layer_by_name = map_copy(physical->layer_by_name);
  to->site_by_name = map_copy(physical->site_by_name);
  to->macro_by_name = map_copy(physical->macro_by_name);
  to->pin_by_name = map_copy(physical->pin_by_name);
  if (physical->lef) to->lef = copy_arrays(physical->lef);
  return to;
}

#define BYTES(a) ((size_t)(a).cap * sizeof *(a).at)

static size_t array_bytes(const Physical *physical)
{
  return sizeof *physical + BYTES(physical->layers) + BYTES(physical->sites) + BYTES(physical->vias)
         + BYTES(physical->macros) + BYTES(physical->pins) + BYTES(physical->shapes);
}

size_t physical_bytes(const Physical *physical)
{
  return array_bytes(physical) + map_bytes(physical->layer_by_name)
         + map_bytes(physical->site_by_name) + map_bytes(physical->macro_by_name)
         + map_bytes(physical->pin_by_name) + (physical->lef ? array_bytes(physical->lef) : 0);
}

/* --- by name ---------------------------------------------------------------------------------- */

LayerId physical_find_layer(const Physical *physical, NameId name)
{
  return name == NO_NAME ? NO_LAYER : map_get(physical->layer_by_name, name);
}

SiteId physical_find_site(const Physical *physical, NameId name)
{
  return name == NO_NAME ? NO_SITE : map_get(physical->site_by_name, name);
}

MacroId physical_find_macro(const Physical *physical, NameId name)
{
  return name == NO_NAME ? NO_MACRO : map_get(physical->macro_by_name, name);
}

MacroPinId physical_find_pin(const Physical *physical, MacroId macro, NameId name)
{
  if (macro == NO_MACRO || name == NO_NAME) return NO_MACRO_PIN;
  return map_get(physical->pin_by_name, hash_pair(macro, name));
}

LayerId physical_layer(Physical *physical, NameId name)
{
  LayerId found = physical_find_layer(physical, name);
  if (found != NO_LAYER) return found;
  array_push(&physical->layers, (Layer){ .name = name,
                                         .kind = LAYER_OTHER,
                                         .square_resistance = NAN,
                                         .area_cap = NAN,
                                         .edge_cap = NAN,
                                         .cut_resistance = NAN,
                                         .wire_resistance = NAN,
                                         .wire_cap = NAN });
  map_put(physical->layer_by_name, name, physical->layers.len - 1);
  return physical->layers.len - 1;
}

SiteId physical_site(Physical *physical, NameId name)
{
  SiteId found = physical_find_site(physical, name);
  if (found != NO_SITE) return found;
  array_push(&physical->sites, (Site){ .name = name });
  map_put(physical->site_by_name, name, physical->sites.len - 1);
  return physical->sites.len - 1;
}

MacroId physical_macro(Physical *physical, NameId name)
{
  MacroId found = physical_find_macro(physical, name);
  if (found != NO_MACRO) return found;
  array_push(&physical->macros, (Macro){ .name = name, .class = MACRO_NO_CLASS, .site = NO_SITE });
  map_put(physical->macro_by_name, name, physical->macros.len - 1);
  return physical->macros.len - 1;
}

/* --- units ------------------------------------------------------------------------------------ */

typedef struct {
  int64_t  to, from;
  uint64_t rounded;
} Scaling;

static void rescale(Scaling *scaling, int32_t *value)
{
  int64_t product = *value * scaling->to, half = scaling->from / 2;
  int64_t result = (product >= 0 ? product + half : product - half) / scaling->from;
  if (result > INT32_MAX) result = INT32_MAX;
  if (result < -INT32_MAX) result = -INT32_MAX;
  scaling->rounded += result * scaling->from != product;
  *value = (int32_t)result;
}

static void rescale_box(Scaling *scaling, Box *box)
{
  rescale(scaling, &box->x0);
  rescale(scaling, &box->y0);
  rescale(scaling, &box->x1);
  rescale(scaling, &box->y1);
}

static void rescale_layer(Scaling *scaling, Layer *layer)
{
  int32_t *const values[] = { &layer->pitch_x,  &layer->pitch_y, &layer->offset_x,
                              &layer->offset_y, &layer->width,   &layer->spacing };
  for (size_t i = 0; i < sizeof values / sizeof *values; i++) rescale(scaling, values[i]);
}

static void rescale_macro(Scaling *scaling, Macro *macro)
{
  int32_t *const values[] = { &macro->width,    &macro->height,       &macro->origin.x,
                              &macro->origin.y, &macro->foreign_at.x, &macro->foreign_at.y };
  for (size_t i = 0; i < sizeof values / sizeof *values; i++) rescale(scaling, values[i]);
}

static uint64_t convert(Physical *physical, int32_t units)
{
  Scaling s = { units, physical->units, 0 };
  if (units == physical->units) return 0;
  physical->units = units;
  rescale(&s, &physical->grid);
  for (uint32_t i = 0; i < physical->layers.len; i++) rescale_layer(&s, &physical->layers.at[i]);
  for (uint32_t i = 0; i < physical->macros.len; i++) rescale_macro(&s, &physical->macros.at[i]);
  for (uint32_t i = 0; i < physical->pins.len; i++) rescale_box(&s, &physical->pins.at[i].box);
  for (uint32_t i = 0; i < physical->shapes.len; i++) rescale_box(&s, &physical->shapes.at[i].box);
  for (uint32_t i = 0; i < physical->sites.len; i++) {
    rescale(&s, &physical->sites.at[i].width);
    rescale(&s, &physical->sites.at[i].height);
  }
  return s.rounded;
}

uint64_t physical_set_units(Physical *physical, int32_t units)
{
  physical_use_lef_units(physical);
  Physical *lef = units == physical->units ? NULL : copy_arrays(physical);
  uint64_t rounded = convert(physical, units);
  physical->units_fixed = true;
  if (rounded) physical->lef = lef;
  else physical_free(lef);
  return rounded;
}

uint64_t physical_set_lef_units(Physical *physical, int32_t units)
{
  uint64_t rounded = convert(physical, units);
  physical->lef_units = units;
  physical->units_given = true;
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
static void take_numbers(Physical *physical, const Physical *lef)
{
  physical->units = lef->units;
  physical->grid = lef->grid;
  for (LayerId i = 0; i < lef->layers.len; i++)
    take_lengths(&physical->layers.at[i], &lef->layers.at[i]);
  TAKE_ARRAY(&physical->sites, &lef->sites);
  TAKE_ARRAY(&physical->macros, &lef->macros);
  TAKE_ARRAY(&physical->pins, &lef->pins);
  TAKE_ARRAY(&physical->shapes, &lef->shapes);
}

void physical_use_lef_units(Physical *physical)
{
  if (physical->lef) take_numbers(physical, physical->lef);
  else convert(physical, physical->lef_units);
  physical_free(physical->lef);
  physical->lef = NULL;
  physical->units_fixed = false;
}

/* --- wires ------------------------------------------------------------------------------------ */

double layer_wire_resistance(const Physical *physical, LayerId layer)
{
  const Layer *the_layer = &physical->layers.at[layer];
  if (!isnan(the_layer->wire_resistance)) return the_layer->wire_resistance;
  return the_layer->width > 0
             ? the_layer->square_resistance / ((double)the_layer->width / physical->units)
             : NAN;
}

/* The plate below the wire and its two edges. */
double layer_wire_cap(const Physical *physical, LayerId layer)
{
  const Layer *the_layer = &physical->layers.at[layer];
  if (!isnan(the_layer->wire_cap)) return the_layer->wire_cap;
  if (isnan(the_layer->area_cap) && isnan(the_layer->edge_cap)) return NAN;
  double area = isnan(the_layer->area_cap) ? 0 : the_layer->area_cap,
         edge = isnan(the_layer->edge_cap) ? 0 : the_layer->edge_cap;
  return area * ((double)the_layer->width / physical->units) + 2 * edge;
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

bool orient_parse(const char *text, size_t length, Orient *orient)
{
  for (int i = ORIENT_N; i <= ORIENT_FE; i++)
    for (int k = 0; k < 2; k++)
      if (same_word(orient_names[i][k], text, length)) {
        *orient = (Orient)i;
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
