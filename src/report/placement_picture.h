/* Pictures of a placement: the die with axes in microns, macros outlined, a scale of colours beside
   it; inside it a heat map, cells coloured by slack, paths. */
#ifndef SL_REPORT_PLACEMENT_PICTURE_H
#define SL_REPORT_PLACEMENT_PICTURE_H

#include "db/placement.h"
#include "math/density.h"
#include "place/hotspots.h"
#include "write/canvas.h"

typedef struct {
  CanvasKind kind;
  double     width;              /* pixels */
  const char *title, *unit;      /* of the scale's numbers */
} PictureLook;

/* --- heat maps -------------------------------------------------------------------------------- */
typedef struct {
  const Placement   *p;
  const DensityGrid *g;
  const double      *map;
  double             low, high;  /* of the scale */
  const Hotspots    *hotspots;   /* numbered from 1 */
} HeatPicture;

/* FAILED: DENS-007, without cairo. */
Status picture_of_heat(const HeatPicture *h, const PictureLook *look, Text *out, Log *log);

/* --- slacks and paths ------------------------------------------------------------------------- */
/* The places of a path's pins. */
typedef struct {
  const Point *points;
  uint32_t     count;
  double       slack;            /* as it is to be written */
} PicturePath;

typedef struct {
  const Placement *p;
  const double    *slack;        /* by component; NAN: none; NULL: cells are grey */
  double           least, largest;         /* of these */
  const PicturePath *paths;      /* the worst first; drawn last */
  uint32_t         path_count;
} CellPicture;

Status picture_of_cells(const CellPicture *c, const PictureLook *look, Text *out, Log *log);

/* Colours 0xRRGGBB: of heat, 0 to 1; of slack, -1 (worst) over 0 to 1 (best). */
uint32_t heat_color(double part);
uint32_t slack_color(double part);

#endif
