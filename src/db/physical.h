/* What LEF says: layers, sites, vias and macros (the outlines of library cells).

   All coordinates and lengths are integers in database units. A micron has Physical.units of them.
   They are the units of LEF (UNITS DATABASE MICRONS) until a DEF is read. Then the units of the DEF
   count, and all numbers are converted (physical_set_units). The numbers of LEF are kept where this
   rounds some, so each DEF starts from them (physical_use_lef_units). The coordinates of a macro
   count from the lower left corner of its outline; its ORIGIN has been added. Resistances are in
   kOhm and capacitances in fF; those of wires are per micron.

   Records refer to each other by index.  Names are the session's, so a macro has the NameId of the
   library cell it is the outline of.  Macros and layers read again take the place of earlier ones
   and keep their ids. */
#ifndef SL_DB_PHYSICAL_H
#define SL_DB_PHYSICAL_H

#include "db/library.h"

typedef uint32_t LayerId, SiteId, MacroId, MacroPinId;
#define NO_LAYER     UINT32_MAX
#define NO_SITE      UINT32_MAX
#define NO_MACRO     UINT32_MAX
#define NO_MACRO_PIN UINT32_MAX

typedef struct { int32_t x, y; } Point;
/* Lower left and upper right corner: x0 <= x1, y0 <= y1. */
typedef struct { int32_t x0, y0, x1, y1; } Box;

/* In the order of DEF. N is as drawn. W, S and E are turned by 90, 180 and 270 degrees
   counterclockwise. FN, FW, FS and FE are turned in the same way and then flipped at the y axis. */
typedef enum {
  ORIENT_N, ORIENT_W, ORIENT_S, ORIENT_E, ORIENT_FN, ORIENT_FW, ORIENT_FS, ORIENT_FE
} Orient;

enum { SYMMETRY_X = 1, SYMMETRY_Y = 2, SYMMETRY_R90 = 4 };

typedef enum {
  LAYER_ROUTING, LAYER_CUT, LAYER_MASTERSLICE, LAYER_OVERLAP, LAYER_IMPLANT, LAYER_OTHER
} LayerKind;

typedef enum { WAY_ANY, WAY_HORIZONTAL, WAY_VERTICAL } Way;

typedef struct {
  NameId  name;
  uint8_t kind;                 /* LayerKind */
  uint8_t way;                  /* Way: of routing layers */
  int32_t pitch_x, pitch_y;     /* 0: not given; a single PITCH sets both */
  int32_t offset_x, offset_y;
  int32_t width, spacing;
  double  thickness, height;    /* microns; 0: not given */
  double  square_resistance;    /* kOhm per square (RPERSQ); NAN: not given */
  double  area_cap, edge_cap;   /* fF per square micron, per micron of one edge; NAN */
  double  cut_resistance;       /* kOhm of a cut; NAN */
  double  wire_resistance, wire_cap;    /* set_layer_rc: kOhm and fF per micron; NAN: not given */
  bool    declared;             /* a LAYER statement declares it; false: only shapes name it */
} Layer;

typedef struct {
  NameId  name, class;
  int32_t width, height;
  uint8_t symmetry;             /* SYMMETRY_... */
} Site;

typedef struct {
  LayerId layer;                /* NO_LAYER: none was named */
  Box     box;
} Shape;

typedef struct {
  NameId   name;
  double   resistance;          /* kOhm; NAN: not given */
  uint32_t first_shape, shape_count;
  bool     is_default;
} Via;

typedef enum {
  MACRO_CORE, MACRO_BLOCK, MACRO_PAD, MACRO_ENDCAP, MACRO_COVER, MACRO_RING, MACRO_NO_CLASS
} MacroClass;

typedef enum { USE_SIGNAL, USE_CLOCK, USE_POWER, USE_GROUND, USE_ANALOG, USE_OTHER } PinUse;

typedef struct {
  NameId     name;
  uint8_t    direction;         /* Direction */
  uint8_t    use;               /* PinUse */
  uint32_t   first_shape, shape_count;
  Box        box;               /* around its shapes on layers other than cut layers; without such
                                   shapes a point at the macro's centre */
} MacroPin;

typedef struct {
  NameId   name;
  uint8_t  class;               /* MacroClass */
  NameId   subclass;            /* TIEHIGH, SPACER, WELLTAP, ...; NO_NAME */
  uint8_t  symmetry;
  int32_t  width, height;
  Point    origin;
  SiteId   site;                /* NO_SITE: none or several */
  NameId   foreign;             /* NO_NAME: none */
  Point    foreign_at;
  MacroPinId first_pin;
  uint32_t pin_count;
  uint32_t first_blocked, blocked_count;    /* obstructions, in shapes */
  NameId   file;
} Macro;

typedef struct Physical {
  Names   *names;               /* not owned */
  int32_t  units;               /* database units a micron */
  int32_t  lef_units;           /* those of LEF; `units` until a DEF is read */
  bool     units_given;         /* a LEF file has given lef_units; until then they are fine enough
                                   for the numbers of LEF */
  bool     units_fixed;         /* `units` are those of a DEF, so no LEF changes them */
  struct Physical *lef;         /* the arrays in lef_units, without names; owned. NULL: `units` have
                                   rounded nothing, so all numbers can be converted back */
  int32_t  grid;                /* MANUFACTURINGGRID; 0: not given */
  ARRAY(Layer) layers;
  ARRAY(Site) sites;
  ARRAY(Via) vias;
  ARRAY(Macro) macros;
  ARRAY(MacroPin) pins;
  ARRAY(Shape) shapes;          /* of pins, obstructions and vias */
  Map     *layer_by_name, *site_by_name, *macro_by_name;    /* NameId -> id */
  Map     *pin_by_name;         /* hash_pair(macro, name) -> MacroPinId */
} Physical;

Physical *physical_new(Names *names);
void      physical_free(Physical *physical);
Physical *physical_copy(const Physical *physical);
size_t    physical_bytes(const Physical *physical);

/* Converts the numbers of LEF to the units of a DEF, rounded to the nearest integer. Returns how
   many numbers rounding has changed. */
uint64_t  physical_set_units(Physical *physical, int32_t units);
/* Goes back to the units and the numbers of LEF. Layers and sites that a DEF has added stay. */
void      physical_use_lef_units(Physical *physical);
/* Gives LEF other units, and rounds its numbers for good. `physical` must be in the units of
   LEF. Returns the same number. */
uint64_t  physical_set_lef_units(Physical *physical, int32_t units);

/* Find an object by its name; NO_... if there is none. */
LayerId    physical_find_layer(const Physical *physical, NameId name);
SiteId     physical_find_site(const Physical *physical, NameId name);
MacroId    physical_find_macro(const Physical *physical, NameId name);
MacroPinId physical_find_pin(const Physical *physical, MacroId macro, NameId name);
/* Return the object of a name. If there is none yet, they make an empty one. */
LayerId    physical_layer(Physical *physical, NameId name);
SiteId     physical_site(Physical *physical, NameId name);
MacroId    physical_macro(Physical *physical, NameId name);

/* Return the kOhm and fF of a micron of wire on a routing layer, with the width that LEF gives. The
   values of set_layer_rc come first. Without them, the resistance of a square and the capacitances
   of area and edges are used. NAN: unknown. */
double layer_wire_resistance(const Physical *physical, LayerId layer);
double layer_wire_cap(const Physical *physical, LayerId layer);

/* --- geometry --------------------------------------------------------------------------------- */
/* Do width and height change places? */
static inline bool orient_turns(Orient o) { return o & 1; }
/* orient_name returns "N", ... . orient_parse also accepts R0, MX, ...; it returns false for other
   words. */
const char *orient_name(Orient o);
bool        orient_parse(const char *text, size_t length, Orient *orient);
/* Turn a point or a box inside an outline of width x height. The lower left corner of the outline
   is at (0, 0) before and after. */
Point       orient_point(Orient o, int32_t width, int32_t height, Point at);
Box         orient_box(Orient o, int32_t width, int32_t height, Box box);

/* Is a number far enough from the ends of the range that coordinates can be added? */
static inline bool coordinate_is_safe(int64_t x)
{
  return x >= INT32_MIN / 2 && x <= INT32_MAX / 2;
}

static inline Point box_centre(Box b)
{
  return (Point){ (int32_t)(((int64_t)b.x0 + b.x1) >> 1), (int32_t)(((int64_t)b.y0 + b.y1) >> 1) };
}
static inline int64_t box_area(Box b)
{
  return ((int64_t)b.x1 - b.x0) * ((int64_t)b.y1 - b.y0);
}
static inline Box box_moved(Box b, Point by)
{
  return (Box){ b.x0 + by.x, b.y0 + by.y, b.x1 + by.x, b.y1 + by.y };
}
/* Grows the box so that the point is in it. */
static inline void box_take(Box *box, Point at)
{
  if (at.x < box->x0) box->x0 = at.x;
  if (at.x > box->x1) box->x1 = at.x;
  if (at.y < box->y0) box->y0 = at.y;
  if (at.y > box->y1) box->y1 = at.y;
}
/* A box without any point, for box_take. */
#define BOX_EMPTY ((Box){ INT32_MAX, INT32_MAX, INT32_MIN, INT32_MIN })
static inline bool box_is_empty(Box b) { return b.x1 < b.x0; }

#endif
