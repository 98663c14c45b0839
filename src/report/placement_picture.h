/* Draws pictures of a placement. A picture shows the die with axes in microns, outlines of macros,
   and a scale of colours. Inside the die are a heat map, or cells coloured by slack and paths.

   Layers from the lowest to the highest: the heat map or the cells, as one image that covers the
   whole die; outlines of macros; then the outline of the die and the numbers of hotspots, or the
   paths; at last axes and scale. A new layer is drawn after the image, or it is hidden
   (doc/density.md). */
#ifndef SL_REPORT_PLACEMENT_PICTURE_H
#define SL_REPORT_PLACEMENT_PICTURE_H

#include "db/placement.h"
#include "math/density.h"
#include "place/hotspots.h"
#include "write/canvas.h"

typedef struct {
  CanvasKind kind;
  double     width;              /* pixels */
  const char *title, *unit;      /* title of the picture; unit of the scale's numbers */
} PictureLook;

/* --- heat maps -------------------------------------------------------------------------------- */
typedef struct {
  const Placement   *placement;
  const DensityGrid *grid;
  const double      *map;
  double             low, high;  /* of the scale */
  const Hotspots    *hotspots;   /* numbered from 1 */
} HeatPicture;

/* Draws a heat map. Fails with DENS-007 without cairo. */
Status picture_of_heat(const HeatPicture *picture, const PictureLook *look, Text *out, Log *log);

/* --- slacks and paths ------------------------------------------------------------------------- */
/* The places of a path's pins. */
typedef struct {
  const Point *points;
  uint32_t     count;
  double       slack;            /* the number to write */
} PicturePath;

typedef struct {
  const Placement *placement;
  const double    *slack;        /* by component; NAN: none; NULL: cells are grey */
  double           least, largest;         /* range of the slacks */
  const PicturePath *paths;      /* the worst first; drawn last */
  uint32_t         path_count;
} CellPicture;

Status picture_of_cells(const CellPicture *picture, const PictureLook *look, Text *out, Log *log);

/* Return a colour 0xRRGGBB, for heat from 0 to 1, and for slack from -1 (worst) to 1 (best). */
uint32_t heat_color(double part);
uint32_t slack_color(double part);

#endif
