/* Draws pictures of a placement on a Canvas: the frame with axes and scale, then either a heat map
   with its hotspots, or cells coloured by slack with the worst paths. */
#include "report/placement_picture.h"

#include <math.h>
#include <stdio.h>

#include "base/interrupt.h"
#include "place/density_shapes.h"

enum {
  TEXT_SIZE = 13, TITLE_SIZE = 17, LEAST_SIZE = 8,
  MARGIN = 60, TOP = 48, SCALE_SPACE = 110, SCALE_WIDTH = 22,
  LEAST_WIDTH = 300, MOST_ASPECT = 4
};

/* Where the die lies on the page. */
typedef struct {
  Canvas *canvas;
  Area    plot;
  double  left, bottom, width, height;         /* of the die, database units */
  double  units;                               /* a micron */
} Frame;

/* --- colours ---------------------------------------------------------------------------------- */
static uint32_t blend(uint32_t a, uint32_t b, double part)
{
  uint32_t out = 0;
  for (int shift = 0; shift < 24; shift += 8) {
    double x = a >> shift & 255, y = b >> shift & 255;
    out |= (uint32_t)(x + (y - x) * part + 0.5) << shift;
  }
  return out;
}

static uint32_t between(const uint32_t *stops, int count, double part)
{
  double at = (part > 0 ? part < 1 ? part : 1 : 0) * (count - 1);
  int i = (int)at < count - 1 ? (int)at : count - 2;
  return blend(stops[i], stops[i + 1], at - i);
}

uint32_t heat_color(double part)
{
  static const uint32_t stops[] = { 0xf7f7f2, 0xfee8a0, 0xfdb84e, 0xf0602d, 0xb5162b, 0x52001f };
  return between(stops, 6, part);
}

uint32_t slack_color(double part)
{
  static const uint32_t stops[] = { 0x8e0020, 0xd73027, 0xfdae61, 0xc6e3a6, 0x5fb462, 0x00683c };
  return between(stops, 6, 0.5 + 0.5 * part);
}

enum { GREY = 0xd8d8d8, MACRO_GREY = 0xbcbcbc, BACKGROUND = 0xfafafa, LINE = 0x202020 };

/* --- the frame -------------------------------------------------------------------------------- */
static Frame frame_of(const Placement *placement, double width, double height)
{
  return (Frame){ .left = placement->die_box.x0,
                  .bottom = placement->die_box.y0,
                  .width = width,
                  .height = height,
                  .units = placement->physical->units };
}

static Spot spot_at(const Frame *frame, double x, double y)
{
  return (Spot){ frame->plot.x + (x - frame->left) / frame->width * frame->plot.width,
                 frame->plot.y + frame->plot.height
                     - (y - frame->bottom) / frame->height * frame->plot.height };
}

static Area area_of(const Frame *frame, Box b)
{
  Spot low = spot_at(frame, b.x0, b.y0), high = spot_at(frame, b.x1, b.y1);
  return (Area){ low.x, high.y, high.x - low.x, low.y - high.y };
}

/* 1, 2 or 5 times a power of ten, of which a length has about so many. */
static double round_step(double length, double count)
{
  double raw = length / count, power = pow(10, floor(log10(raw))), times = raw / power;
  return power * (times < 1.5 ? 1 : times < 3.5 ? 2 : times < 7.5 ? 5 : 10);
}

static void draw_axis(const Frame *frame, bool upright)
{
  double length = (upright ? frame->height : frame->width) / frame->units,
         from = (upright ? frame->bottom : frame->left) / frame->units,
         step = round_step(length, 6);
  for (double at = ceil(from / step) * step; at <= from + length * (1 + 1e-9); at += step) {
    Spot spot = upright ? spot_at(frame, frame->left, at * frame->units)
                        : spot_at(frame, at * frame->units, frame->bottom);
    Spot end = { spot.x - (upright ? 5 : 0), spot.y + (upright ? 0 : 5) };
    Spot label = { end.x - (upright ? 3 : 0), end.y + (upright ? 4 : TEXT_SIZE) };
    char text[40];
    snprintf(text, sizeof text, "%g", fabs(at) < step / 2 ? 0 : at);
    canvas_line(frame->canvas, (Spot[]){ spot, end }, 2, 1, INK(LINE));
    canvas_text(frame->canvas, label, upright ? TEXT_RIGHT : TEXT_CENTRE, TEXT_SIZE, INK(LINE),
                text);
  }
}

static bool within_letter(char c) { return (c & 0xc0) == 0x80; }          /* of UTF-8 */

/* Cuts the end off, so that it fits with dots. */
static void cut_text(Canvas *canvas, double size, double room, Text *text)
{
  for (double width; text->len > 3; text_put(text, "...")) {
    width = canvas_text_width(canvas, size, text_get(text));
    if (width <= room) return;
    size_t keep = text->len - 4, guess = (size_t)((double)text->len * room / width);
    if (guess < keep) keep = guess;
    while (keep > 0 && within_letter(text->at[keep])) keep--;
    text->at[text->len = keep] = '\0';
  }
}

/* A text that is longer than the room becomes smaller, or is cut if it could not be read then. */
static void fit_text(Canvas *canvas, Spot at, double size, double room, const char *words)
{
  Text text = { 0 };
  text_put(&text, words);
  double width = canvas_text_width(canvas, size, words);
  while (width > room && size > LEAST_SIZE) {
    size = fmax(size * fmin(room / width, 0.98), LEAST_SIZE);
    width = canvas_text_width(canvas, size, words);
  }
  if (width > room) cut_text(canvas, size, room, &text);
  canvas_text(canvas, at, TEXT_LEFT, size, INK(LINE), text_get(&text));
  text_free(&text);
}

/* The page has the plot's shape, and room around it. */
static void begin(Frame *frame, const PictureLook *look)
{
  double width = look->width < LEAST_WIDTH ? LEAST_WIDTH : look->width;
  double aspect = fmin(fmax(frame->height / frame->width, 1.0 / MOST_ASPECT), MOST_ASPECT);
  double across = floor(width - MARGIN - SCALE_SPACE), up = floor(across * aspect);
  frame->plot = (Area){ MARGIN, TOP, across, up };
  frame->canvas = canvas_new(look->kind, width, TOP + up + MARGIN);
  fit_text(frame->canvas, (Spot){ MARGIN, TOP - 18 }, TITLE_SIZE, across, look->title);
}

static void end(Frame *frame)
{
  canvas_outline(frame->canvas, frame->plot, 1, INK(LINE));
  draw_axis(frame, false);
  draw_axis(frame, true);
  canvas_text(frame->canvas,
              (Spot){ frame->plot.x + frame->plot.width, frame->plot.y + frame->plot.height + 40 },
              TEXT_RIGHT, TEXT_SIZE, INK(LINE), "microns");
}

static void outline_macros(const Frame *frame, const Placement *placement)
{
  for (ComponentId i = 0; i < placement->components.len && !interrupt_seen(); i++) {
    const Component *component = &placement->components.at[i];
    if (component_is_there(placement, component) && component_is_macro(placement, component))
      canvas_outline(frame->canvas, area_of(frame, component_box(placement, i)), 1, INK(LINE));
  }
}

static void outline_die(const Frame *frame, const Placement *placement)
{
  canvas_outline(frame->canvas, area_of(frame, placement->die_box), 1.5, INK(LINE));
}

/* --- scales ----------------------------------------------------------------------------------- */
enum { SCALE_STEPS = 256 };

static Area scale_area(const Frame *frame)
{
  return (Area){ frame->plot.x + frame->plot.width + 24, frame->plot.y, SCALE_WIDTH,
                 frame->plot.height };
}

static void draw_scale_bar(const Frame *frame, uint32_t (*color)(double), double from, double to)
{
  uint32_t pixels[SCALE_STEPS];
  for (int i = 0; i < SCALE_STEPS; i++)
    pixels[i] = color(to + (from - to) * i / (SCALE_STEPS - 1));
  canvas_image(frame->canvas, scale_area(frame), pixels, 1, SCALE_STEPS);
  canvas_outline(frame->canvas, scale_area(frame), 1, INK(LINE));
}

/* part: from the lower end, 0 to 1. */
static void scale_label(const Frame *frame, double part, double value)
{
  Area a = scale_area(frame);
  double y = a.y + a.height * (1 - part);
  char text[40];
  snprintf(text, sizeof text, "%.4g", value);
  canvas_line(frame->canvas, (Spot[]){ { a.x + a.width, y }, { a.x + a.width + 5, y } }, 2, 1,
              INK(LINE));
  fit_text(frame->canvas, (Spot){ a.x + a.width + 8, y + 4 }, TEXT_SIZE,
           SCALE_SPACE - SCALE_WIDTH - 34, text);
}

static void scale_unit(const Frame *frame, const char *unit)
{
  Area a = scale_area(frame);
  Spot at = { a.x + SCALE_SPACE - 34, a.y - 10 };
  canvas_text(frame->canvas, at, TEXT_RIGHT, TEXT_SIZE, INK(LINE), unit);
}

/* --- heat maps -------------------------------------------------------------------------------- */
static uint32_t pixels_along(uint32_t bins, double length)
{
  return bins <= length ? bins : (uint32_t)length;
}

static double largest_in(const HeatPicture *picture, uint32_t x0, uint32_t x1, uint32_t y0,
                         uint32_t y1)
{
  double largest = -INFINITY;
  for (uint32_t j = y0; j < y1; j++)
    for (uint32_t i = x0; i < x1; i++)
      largest = fmax(largest, picture->map[(size_t)j * picture->grid->x.count + i]);
  return largest;
}

/* Where there are more bins than pixels, a pixel has the largest value of its bins. */
static void draw_heat(const Frame *frame, const HeatPicture *picture)
{
  uint64_t bins_x = picture->grid->x.count, bins_y = picture->grid->y.count;
  uint32_t columns = pixels_along(picture->grid->x.count, frame->plot.width),
           rows = pixels_along(picture->grid->y.count, frame->plot.height);
  uint32_t *pixels = mem_alloc((size_t)columns * rows * sizeof *pixels);
  double range = picture->high > picture->low ? picture->high - picture->low : 1;
  for (uint32_t j = 0; j < rows && !interrupt_seen(); j++)
    for (uint32_t i = 0; i < columns; i++) {
      double x = largest_in(picture, (uint32_t)(i * bins_x / columns),
                            (uint32_t)((i + 1) * bins_x / columns), (uint32_t)(j * bins_y / rows),
                            (uint32_t)((j + 1) * bins_y / rows));
      pixels[(size_t)(rows - 1 - j) * columns + i] = heat_color((x - picture->low) / range);
    }
  canvas_image(frame->canvas, frame->plot, pixels, columns, rows);
  mem_free(pixels);
}

static void draw_hotspots(const Frame *frame, const HeatPicture *picture)
{
  for (uint32_t k = picture->hotspots ? picture->hotspots->len : 0; k-- > 0;) {
    const Hotspot *hotspot = &picture->hotspots->at[k];
    Spot at =
        spot_at(frame, picture->grid->x.origin + (hotspot->column + 0.5) * picture->grid->x.size,
                picture->grid->y.origin + (hotspot->row + 0.5) * picture->grid->y.size);
    char text[12];
    snprintf(text, sizeof text, "%u", k + 1);
    canvas_disc(frame->canvas, at, 9, (Ink){ 0xffffff, 0.85 });
    canvas_text(frame->canvas, (Spot){ at.x, at.y + 4 }, TEXT_CENTRE, 12, INK(0x003c8f), text);
  }
}

static Status no_cairo(Log *log)
{
  return log_error(log, "DENS-007", NOWHERE,
                   "this program was built without cairo and draws no pictures");
}

enum { SCALE_LABELS = 5 };

Status picture_of_heat(const HeatPicture *picture, const PictureLook *look, Text *out, Log *log)
{
  Frame f = frame_of(picture->placement, picture->grid->x.size * picture->grid->x.count,
                     picture->grid->y.size * picture->grid->y.count);
  if (!canvas_possible()) return no_cairo(log);
  begin(&f, look);
  draw_heat(&f, picture);
  outline_macros(&f, picture->placement);
  outline_die(&f, picture->placement);
  draw_hotspots(&f, picture);
  end(&f);
  draw_scale_bar(&f, heat_color, 0, 1);
  for (int i = 0; i < SCALE_LABELS; i++) {
    double part = i / (SCALE_LABELS - 1.0);
    scale_label(&f, part, picture->low + (picture->high - picture->low) * part);
  }
  scale_unit(&f, look->unit);
  return canvas_finish(f.canvas, out, log);
}

/* --- cells by slack --------------------------------------------------------------------------- */
/* -1 to 1: the worst slack below 0 is -1, the best above 0 is 1. */
static double slack_part(const CellPicture *picture, double slack)
{
  if (slack < 0) return picture->least < 0 ? -slack / picture->least : -1;
  return picture->largest > 0 ? slack / picture->largest : 0;
}

/* The pixels of the plot, each with the worst slack of the cells that it shows. */
typedef struct {
  uint32_t columns, rows;
  float   *slack;                /* INFINITY: cells without; NAN: none there */
} CellImage;

/* A look at the interrupt for every few thousand pixels. */
static bool look_up(size_t pixel) { return pixel % 4096 == 0 && interrupt_seen(); }

static CellImage image_new(const Frame *frame)
{
  CellImage im = { (uint32_t)frame->plot.width, (uint32_t)frame->plot.height, NULL };
  size_t count = (size_t)im.columns * im.rows;
  im.slack = mem_alloc(count * sizeof *im.slack);
  for (size_t i = 0; i < count && !look_up(i); i++) im.slack[i] = NAN;
  return im;
}

static uint32_t pixel_at(double x, uint32_t count)
{
  return x <= 0 ? 0 : x >= count ? count : (uint32_t)x;
}

/* At least one pixel. */
static void paint(CellImage *im, const Frame *frame, Box b, float slack)
{
  Area a = area_of(frame, b);
  uint32_t x0 = pixel_at(a.x - frame->plot.x, im->columns),
           x1 = pixel_at(a.x - frame->plot.x + a.width, im->columns),
           y0 = pixel_at(a.y - frame->plot.y, im->rows),
           y1 = pixel_at(a.y - frame->plot.y + a.height, im->rows);
  for (uint32_t y = y0; (y < y1 || y == y0) && y < im->rows; y++)
    for (uint32_t x = x0; (x < x1 || x == x0) && x < im->columns; x++) {
      float *at = &im->slack[(size_t)y * im->columns + x];
      if (isnan(*at) || slack < *at) *at = slack;
    }
}

static void paint_cells(CellImage *im, const Frame *frame, const CellPicture *picture)
{
  for (ComponentId i = 0; i < picture->placement->components.len && !interrupt_seen(); i++) {
    const Component *component = &picture->placement->components.at[i];
    if (component->macro == NO_MACRO || !component_is_there(picture->placement, component))
      continue;
    double slack = picture->slack ? picture->slack[i] : NAN;
    if (!component_is_spacer(picture->placement, component))
      paint(im, frame, component_box(picture->placement, i),
            isnan(slack) ? INFINITY : (float)slack);
  }
}

static void draw_cells(const Frame *frame, const CellPicture *picture)
{
  CellImage im = image_new(frame);
  paint_cells(&im, frame, picture);
  size_t count = (size_t)im.columns * im.rows;
  uint32_t *pixels = mem_alloc(count * sizeof *pixels);
  for (size_t i = 0; i < count && !look_up(i); i++)
    pixels[i] = isnan(im.slack[i])   ? BACKGROUND
                : isinf(im.slack[i]) ? GREY
                                     : slack_color(slack_part(picture, (double)im.slack[i]));
  canvas_image(frame->canvas, frame->plot, pixels, im.columns, im.rows);
  mem_free(pixels);
  mem_free(im.slack);
}

enum { PATH_COLORS = 6 };
static const uint32_t path_colors[PATH_COLORS] = { 0x1f4fd8, 0x8a2be2, 0x009e9e, 0xc2185b, 0x5d4037,
                                                   0x3f6f00 };

static void draw_path(const Frame *frame, const PicturePath *path, uint32_t number)
{
  Spot *spots = mem_alloc((path->count + 1) * sizeof *spots);
  Ink ink = INK(path_colors[number % PATH_COLORS]);
  for (uint32_t i = 0; i < path->count; i++)
    spots[i] = spot_at(frame, path->points[i].x, path->points[i].y);
  canvas_line(frame->canvas, spots, path->count, 2, ink);
  for (uint32_t i = 0; i < path->count; i++) canvas_disc(frame->canvas, spots[i], 2.5, ink);
  if (path->count) {
    canvas_disc(frame->canvas, spots[0], 5, ink);
    canvas_outline(frame->canvas,
                   (Area){ spots[path->count - 1].x - 5, spots[path->count - 1].y - 5, 10, 10 }, 2,
                   ink);
  }
  mem_free(spots);
}

/* Beside the picture, below the scale's unit; at most so many. */
static void list_paths(const Frame *frame, const CellPicture *picture)
{
  Area a = scale_area(frame);
  for (uint32_t i = 0; i < picture->path_count && i < 20; i++) {
    char text[60];
    double y = a.y + 12 + 18 * i;
    Ink ink = INK(path_colors[i % PATH_COLORS]);
    snprintf(text, sizeof text, "%.4g", picture->paths[i].slack);
    canvas_line(frame->canvas, (Spot[]){ { a.x, y - 4 }, { a.x + 16, y - 4 } }, 2, 2, ink);
    canvas_text(frame->canvas, (Spot){ a.x + 22, y }, TEXT_LEFT, TEXT_SIZE, INK(LINE), text);
  }
}

/* Without slacks below 0 the scale begins there, and without any above it ends there. */
static void label_slacks(const Frame *frame, const CellPicture *picture)
{
  double low = fmin(picture->least, 0), high = fmax(picture->largest, 0);
  double from = low < 0 ? -1 : 0, to = high > 0 ? 1 : from < 0 ? 0 : 1;
  draw_scale_bar(frame, slack_color, from, to);
  for (int i = 0; i < SCALE_LABELS; i++) {
    double part = i / (SCALE_LABELS - 1.0), at = from + (to - from) * part;
    scale_label(frame, part, at < 0 ? -at * low : at * high);
  }
}

Status picture_of_cells(const CellPicture *picture, const PictureLook *look, Text *out, Log *log)
{
  Frame f = frame_of(picture->placement,
                     (double)picture->placement->die_box.x1 - picture->placement->die_box.x0,
                     (double)picture->placement->die_box.y1 - picture->placement->die_box.y0);
  if (!canvas_possible()) return no_cairo(log);
  begin(&f, look);
  draw_cells(&f, picture);
  outline_macros(&f, picture->placement);
  for (uint32_t i = picture->path_count; i-- > 0;) draw_path(&f, &picture->paths[i], i);
  end(&f);
  if (picture->slack) label_slacks(&f, picture);
  else list_paths(&f, picture);
  scale_unit(&f, look->unit);
  return canvas_finish(f.canvas, out, log);
}
