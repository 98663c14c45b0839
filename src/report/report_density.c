/* Writes a density map as a text report, as tables of numbers, as a picture, and as a page with the
   picture and the report. */
#include "report/report_density.h"

#include <math.h>

#include "base/interrupt.h"
#include "place/wire_length.h"

void density_report_free(DensityReport *report)
{
  placed_shapes_free(&report->shapes);
  mem_free(report->map);
  array_free(&report->hotspots);
}

static const struct {
  const char *name, *unit, *what;
} kinds[DENSITY_KINDS] = {
  { "cells", "area/area", "cell density" },
  { "pins", "1/um^2", "pins per square micron" },
  { "nets", "um/um^2", "routing demand, microns of wire per square micron" },
  { "macros", "area/area", "macro density" },
};

const char *density_kind_name(DensityKind kind) { return kinds[kind].name; }
const char *density_unit(DensityKind kind) { return kinds[kind].unit; }

/* --- text ------------------------------------------------------------------------------------- */
static double microns(const DensityReport *report, double length)
{
  return length / report->placement->physical->units;
}

static double left_of(const DensityReport *report, uint32_t column)
{
  return microns(report, report->g.x.origin + column * report->g.x.size);
}

static double bottom_of(const DensityReport *report, uint32_t row)
{
  return microns(report, report->g.y.origin + row * report->g.y.size);
}

static void write_heading(const Sheet *sheet, const DensityReport *report)
{
  const DensitySummary *summary = &report->summary;
  text_printf(sheet->out, "%s%s: %u x %u bins of %.4g x %.4g um\n", kinds[report->shapes.kind].what,
              report->weighted ? ", weighted" : "", report->g.x.count, report->g.y.count,
              microns(report, report->g.x.size), microns(report, report->g.y.size));
  text_printf(sheet->out, "%u %s on the map%s", report->shapes.boxes.len,
              density_kind_name(report->shapes.kind), report->shapes.unplaced ? "" : "\n");
  if (report->shapes.unplaced)
    text_printf(sheet->out, "; %u %s at no place\n", report->shapes.unplaced,
                report->shapes.kind == DENSITY_OF_NETS ? "pins"
                                                       : density_kind_name(report->shapes.kind));
  text_printf(sheet->out, "mean %.4g, largest %.4g, over %.4g: %llu of %llu bins (%.2f %%)\n\n",
              summary->mean, summary->largest, report->threshold, (unsigned long long)summary->over,
              (unsigned long long)summary->bins,
              100.0 * (double)summary->over / (double)summary->bins);
}

enum { BAR = 50 };

static void write_histogram(const Sheet *sheet, const DensityReport *report)
{
  const DensitySummary *summary = &report->summary;
  uint64_t most = 1;
  Grid *grid = grid_new("rlrl", 0);
  for (int i = 0; i < HISTOGRAM_RANGES; i++)
    if (summary->histogram[i] > most) most = summary->histogram[i];
  grid_row(grid, "from|to|bins|");
  for (int i = 0; i < HISTOGRAM_RANGES; i++) {
    uint64_t length = (summary->histogram[i] * BAR + most - 1) / most;
    grid_printf(grid, "%.4g", summary->low + i * summary->step);
    grid_printf(grid, "%.4g", summary->low + (i + 1) * summary->step);
    grid_printf(grid, "%llu", (unsigned long long)summary->histogram[i]);
    Text *bar = grid_open(grid);
    while (length--) text_char(bar, '#');
    grid_close(grid);
  }
  grid_finish(grid, sheet->out);
}

static void put_placed_pin(const Placement *placement, const PlacedPin *pin, Text *text)
{
  if (pin->component == NO_COMPONENT) {
    bool known = pin->pin != NO_PLACED_PORT;
    text_put(text, known ? names_text(placement->names, placement->ports.at[pin->pin].name) : "?");
    return;
  }
  text_put(text, names_text(placement->names, placement->components.at[pin->component].name));
  text_char(text, placement->divider);
  text_put(text, names_text(placement->physical->names, pin->pin));
}

static void put_name(const Sheet *sheet, const DensityReport *report, uint32_t shape, Text *text)
{
  uint32_t id = report->shapes.ids.at[shape];
  if (report->shapes.kind == DENSITY_OF_NETS)
    placement_net_name(report->placement, id, sheet->separator, text);
  else if (report->shapes.kind != DENSITY_OF_PINS)
    text_put(text, names_text(report->placement->names, report->placement->components.at[id].name));
  else if (report->shapes.of_netlist)
    netlist_pin_name(report->placement->netlist, id, sheet->separator, text);
  else put_placed_pin(report->placement, &report->placement->pins.at[id], text);
}

/* What brings most to a bin. */
static void put_shapes(const Sheet *sheet, const DensityReport *report, const Hotspot *hotspot,
                       Text *text)
{
  for (int k = 0; k < HOTSPOT_SHAPES && hotspot->shape[k] != NO_SHAPE; k++) {
    if (k) text_put(text, ", ");
    put_name(sheet, report, hotspot->shape[k], text);
    text_printf(text, " (%.3g)", hotspot->part[k]);
  }
}

static void write_hotspots(const Sheet *sheet, const DensityReport *report)
{
  if (report->summary.over == 0)
    text_printf(sheet->out, "\nno bin is over %.4g\n", report->threshold);
  if (report->hotspots.len == 0) return;
  Grid *grid = grid_new("rrrrrrrl", 0);
  text_printf(sheet->out, "\nhotspots over %.4g (microns)\n", report->threshold);
  grid_row(grid, "|density|left|bottom|right|top");
  grid_printf(grid, "%s", density_kind_name(report->shapes.kind));
  grid_text(grid, "most of it");
  for (uint32_t i = 0; i < report->hotspots.len; i++) {
    const Hotspot *hotspot = &report->hotspots.at[i];
    grid_printf(grid, "%u", i + 1);
    grid_printf(grid, "%.4g", hotspot->density);
    grid_printf(grid, "%.2f", left_of(report, hotspot->column));
    grid_printf(grid, "%.2f", bottom_of(report, hotspot->row));
    grid_printf(grid, "%.2f", left_of(report, hotspot->column + 1));
    grid_printf(grid, "%.2f", bottom_of(report, hotspot->row + 1));
    grid_printf(grid, "%u", hotspot->count);
    put_shapes(sheet, report, hotspot, grid_open(grid));
    grid_close(grid);
  }
  grid_finish(grid, sheet->out);
}

void report_density(const Sheet *sheet, const DensityReport *report)
{
  write_heading(sheet, report);
  if (report->summary.step > 0) write_histogram(sheet, report);
  write_hotspots(sheet, report);
}

/* --- other forms ------------------------------------------------------------------------------ */
void density_csv(const DensityReport *report, Text *out)
{
  text_put(out, "column,row,left,bottom,right,top,density\n");
  for (uint32_t row = 0; row < report->g.y.count && !interrupt_seen(); row++)
    for (uint32_t column = 0; column < report->g.x.count; column++)
      text_printf(out, "%u,%u,%.9g,%.9g,%.9g,%.9g,%.12g\n", column, row, left_of(report, column),
                  bottom_of(report, row), left_of(report, column + 1), bottom_of(report, row + 1),
                  report->map[(size_t)row * report->g.x.count + column]);
}

void density_shape_lines(const DensityReport *report, Text *out)
{
  Box die = report->placement->die_box;
  text_printf(out, "%d %d %d %d\n", die.x0, die.y0, die.x1, die.y1);
  for (uint32_t i = 0; i < report->shapes.boxes.len && !interrupt_seen(); i++) {
    const int32_t *at = report->shapes.boxes.at[i].at;
    text_printf(out, "%d %d %d %d %.17g\n", at[0], at[1], at[2], at[3],
                report->shapes.weights.at[i]);
  }
}

Status density_picture(const DensityReport *report, CanvasKind kind, double width, Text *out,
                       Log *log)
{
  HeatPicture heat = {
    report->placement,       &report->g,       report->map, fmin(report->summary.least, 0),
    report->summary.largest, &report->hotspots
  };
  Text title = { 0 };
  text_printf(&title, "%s: %s",
              names_text(report->placement->physical->names, report->placement->design),
              kinds[report->shapes.kind].what);
  PictureLook look = { kind, width, text_get(&title),
                       report->weighted ? "" : density_unit(report->shapes.kind) };
  Status status = picture_of_heat(&heat, &look, out, log);
  text_free(&title);
  return status;
}

static void put_escaped(Text *out, const char *text)
{
  for (; *text; text++)
    if (*text == '<') text_put(out, "&lt;");
    else if (*text == '>') text_put(out, "&gt;");
    else if (*text == '&') text_put(out, "&amp;");
    else text_char(out, *text);
}

enum { PAGE_WIDTH = 900 };

Status density_page(const Sheet *the_sheet, const DensityReport *density_report, Text *out,
                    Log *log)
{
  Text picture = { 0 }, report = { 0 };
  Sheet sheet = *the_sheet;
  sheet.out = &report;
  Status status = density_picture(density_report, CANVAS_SVG, PAGE_WIDTH, &picture, log);
  report_density(&sheet, density_report);
  const char *svg = status == OK ? strstr(text_get(&picture), "<svg") : NULL;
  text_put(out, "<!DOCTYPE html>\n<html><head><meta charset=\"utf-8\"><title>");
  put_escaped(out, names_text(density_report->placement->physical->names,
                              density_report->placement->design));
  text_printf(out, ": %s</title></head>\n<body style=\"font-family: sans-serif\">\n",
              kinds[density_report->shapes.kind].what);
  if (svg) text_put(out, svg);
  text_put(out, "<pre>\n");
  put_escaped(out, text_get(&report));
  text_put(out, "</pre>\n</body></html>\n");
  text_free(&picture);
  text_free(&report);
  return status;
}
