/* Writes a density map as a text report, as tables of numbers, as a picture, and as a page with the
   picture and the report. */
#include "report/report_density.h"

#include <math.h>

#include "base/interrupt.h"
#include "place/wire_length.h"

void density_report_free(DensityReport *r)
{
  placed_shapes_free(&r->shapes);
  mem_free(r->map);
  array_free(&r->hotspots);
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
static double microns(const DensityReport *r, double length)
{
  return length / r->p->physical->units;
}

static double left_of(const DensityReport *r, uint32_t column)
{
  return microns(r, r->g.x.origin + column * r->g.x.size);
}

static double bottom_of(const DensityReport *r, uint32_t row)
{
  return microns(r, r->g.y.origin + row * r->g.y.size);
}

static void write_heading(const Sheet *s, const DensityReport *r)
{
  const DensitySummary *x = &r->summary;
  text_printf(s->out, "%s%s: %u x %u bins of %.4g x %.4g um\n", kinds[r->shapes.kind].what,
              r->weighted ? ", weighted" : "", r->g.x.count, r->g.y.count,
              microns(r, r->g.x.size), microns(r, r->g.y.size));
  text_printf(s->out, "%u %s on the map%s", r->shapes.boxes.len, density_kind_name(r->shapes.kind),
              r->shapes.unplaced ? "" : "\n");
  if (r->shapes.unplaced)
    text_printf(s->out, "; %u %s at no place\n", r->shapes.unplaced,
                r->shapes.kind == DENSITY_OF_NETS ? "pins" : density_kind_name(r->shapes.kind));
  text_printf(s->out, "mean %.4g, largest %.4g, over %.4g: %llu of %llu bins (%.2f %%)\n\n",
              x->mean, x->largest, r->threshold, (unsigned long long)x->over,
              (unsigned long long)x->bins, 100.0 * (double)x->over / (double)x->bins);
}

enum { BAR = 50 };

static void write_histogram(const Sheet *s, const DensityReport *r)
{
  const DensitySummary *x = &r->summary;
  uint64_t most = 1;
  Grid *c = grid_new("rlrl", 0);
  for (int i = 0; i < HISTOGRAM_RANGES; i++)
    if (x->histogram[i] > most) most = x->histogram[i];
  grid_row(c, "from|to|bins|");
  for (int i = 0; i < HISTOGRAM_RANGES; i++) {
    uint64_t length = (x->histogram[i] * BAR + most - 1) / most;
    grid_printf(c, "%.4g", x->low + i * x->step);
    grid_printf(c, "%.4g", x->low + (i + 1) * x->step);
    grid_printf(c, "%llu", (unsigned long long)x->histogram[i]);
    Text *bar = grid_open(c);
    while (length--) text_char(bar, '#');
    grid_close(c);
  }
  grid_finish(c, s->out);
}

static void put_placed_pin(const Placement *p, const PlacedPin *pin, Text *t)
{
  if (pin->component == NO_COMPONENT) {
    bool known = pin->pin != NO_PLACED_PORT;
    text_put(t, known ? names_text(p->names, p->ports.at[pin->pin].name) : "?");
    return;
  }
  text_put(t, names_text(p->names, p->components.at[pin->component].name));
  text_char(t, p->divider);
  text_put(t, names_text(p->physical->names, pin->pin));
}

static void put_name(const Sheet *s, const DensityReport *r, uint32_t shape, Text *t)
{
  uint32_t id = r->shapes.ids.at[shape];
  if (r->shapes.kind == DENSITY_OF_NETS) placement_net_name(r->p, id, s->separator, t);
  else if (r->shapes.kind != DENSITY_OF_PINS)
    text_put(t, names_text(r->p->names, r->p->components.at[id].name));
  else if (r->shapes.of_netlist) netlist_pin_name(r->p->netlist, id, s->separator, t);
  else put_placed_pin(r->p, &r->p->pins.at[id], t);
}

/* What brings most to a bin. */
static void put_shapes(const Sheet *s, const DensityReport *r, const Hotspot *h, Text *t)
{
  for (int k = 0; k < HOTSPOT_SHAPES && h->shape[k] != NO_SHAPE; k++) {
    if (k) text_put(t, ", ");
    put_name(s, r, h->shape[k], t);
    text_printf(t, " (%.3g)", h->part[k]);
  }
}

static void write_hotspots(const Sheet *s, const DensityReport *r)
{
  if (r->summary.over == 0) text_printf(s->out, "\nno bin is over %.4g\n", r->threshold);
  if (r->hotspots.len == 0) return;
  Grid *c = grid_new("rrrrrrrl", 0);
  text_printf(s->out, "\nhotspots over %.4g (microns)\n", r->threshold);
  grid_row(c, "|density|left|bottom|right|top");
  grid_printf(c, "%s", density_kind_name(r->shapes.kind));
  grid_text(c, "most of it");
  for (uint32_t i = 0; i < r->hotspots.len; i++) {
    const Hotspot *h = &r->hotspots.at[i];
    grid_printf(c, "%u", i + 1);
    grid_printf(c, "%.4g", h->density);
    grid_printf(c, "%.2f", left_of(r, h->column));
    grid_printf(c, "%.2f", bottom_of(r, h->row));
    grid_printf(c, "%.2f", left_of(r, h->column + 1));
    grid_printf(c, "%.2f", bottom_of(r, h->row + 1));
    grid_printf(c, "%u", h->count);
    put_shapes(s, r, h, grid_open(c));
    grid_close(c);
  }
  grid_finish(c, s->out);
}

void report_density(const Sheet *s, const DensityReport *r)
{
  write_heading(s, r);
  if (r->summary.step > 0) write_histogram(s, r);
  write_hotspots(s, r);
}

/* --- other forms ------------------------------------------------------------------------------ */
void density_csv(const DensityReport *r, Text *out)
{
  text_put(out, "column,row,left,bottom,right,top,density\n");
  for (uint32_t row = 0; row < r->g.y.count && !interrupt_seen(); row++)
    for (uint32_t column = 0; column < r->g.x.count; column++)
      text_printf(out, "%u,%u,%.9g,%.9g,%.9g,%.9g,%.12g\n", column, row, left_of(r, column),
                  bottom_of(r, row), left_of(r, column + 1), bottom_of(r, row + 1),
                  r->map[(size_t)row * r->g.x.count + column]);
}

void density_shape_lines(const DensityReport *r, Text *out)
{
  Box die = r->p->die_box;
  text_printf(out, "%d %d %d %d\n", die.x0, die.y0, die.x1, die.y1);
  for (uint32_t i = 0; i < r->shapes.boxes.len && !interrupt_seen(); i++) {
    const int32_t *at = r->shapes.boxes.at[i].at;
    text_printf(out, "%d %d %d %d %.17g\n", at[0], at[1], at[2], at[3], r->shapes.weights.at[i]);
  }
}

Status density_picture(const DensityReport *r, CanvasKind kind, double width, Text *out, Log *log)
{
  HeatPicture heat = { r->p, &r->g, r->map, fmin(r->summary.least, 0), r->summary.largest,
                       &r->hotspots };
  Text title = { 0 };
  text_printf(&title, "%s: %s", names_text(r->p->physical->names, r->p->design),
              kinds[r->shapes.kind].what);
  PictureLook look = { kind, width, text_get(&title),
                       r->weighted ? "" : density_unit(r->shapes.kind) };
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

Status density_page(const Sheet *s, const DensityReport *r, Text *out, Log *log)
{
  Text picture = { 0 }, report = { 0 };
  Sheet sheet = *s;
  sheet.out = &report;
  Status status = density_picture(r, CANVAS_SVG, PAGE_WIDTH, &picture, log);
  report_density(&sheet, r);
  const char *svg = status == OK ? strstr(text_get(&picture), "<svg") : NULL;
  text_put(out, "<!DOCTYPE html>\n<html><head><meta charset=\"utf-8\"><title>");
  put_escaped(out, names_text(r->p->physical->names, r->p->design));
  text_printf(out, ": %s</title></head>\n<body style=\"font-family: sans-serif\">\n",
              kinds[r->shapes.kind].what);
  if (svg) text_put(out, svg);
  text_put(out, "<pre>\n");
  put_escaped(out, text_get(&report));
  text_put(out, "</pre>\n</body></html>\n");
  text_free(&picture);
  text_free(&report);
  return status;
}
