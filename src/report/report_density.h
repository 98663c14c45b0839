/* Density maps as text, tables of numbers, pictures and a page. */
#ifndef SL_REPORT_REPORT_DENSITY_H
#define SL_REPORT_REPORT_DENSITY_H

#include "place/density_shapes.h"
#include "place/hotspots.h"
#include "report/placement_picture.h"
#include "report/sheet.h"

typedef struct {
  const Placement *placement;
  PlacedShapes     shapes;
  bool             weighted;     /* weights are the user's */
  DensityGrid      g;
  double          *map;
  double           threshold;
  DensitySummary   summary;
  Hotspots         hotspots;
} DensityReport;

void density_report_free(DensityReport *report);

/* Reports the bins, their values, a histogram, and the hotspots with the shapes there. */
void report_density(const Sheet *sheet, const DensityReport *report);
/* Appends a line for each bin: column, row, left, bottom, right, top (microns), density. */
void density_csv(const DensityReport *report, Text *out);
/* Appends the die, and each shape with its weight, in database units. */
void density_shape_lines(const DensityReport *report, Text *out);
/* Draws a picture. Fails with DENS-007 without cairo. */
Status density_picture(const DensityReport *report, CanvasKind kind, double width, Text *out,
                       Log *log);
/* Writes a page with the picture and the tables of the report. */
Status density_page(const Sheet *sheet, const DensityReport *report, Text *out, Log *log);

/* Return the word for the shapes of a kind, such as "cells", and the unit of their density. */
const char *density_kind_name(DensityKind kind);
const char *density_unit(DensityKind kind);

#endif
