/* Draws pages with cairo and returns them as PNG or SVG. Without cairo there are only functions
   that report its absence. */
#include "write/canvas.h"

#include <math.h>
#include <string.h>

#include "base/interrupt.h"
#include "base/memory.h"
#include "base/output.h"

#ifdef HAVE_CONFIG_H
#include "config.h"
#endif

static void put_bytes(void *data, uint32_t block, Text *out)
{
  const Text *bytes = data;
  (void)block;
  text_add(out, text_get(bytes), bytes->len);
}

Status picture_write(const char *path, const Text *bytes, Log *log)
{
  Output o = { path, 1, 1, 0, put_bytes, (void *)bytes };
  return output_write(&o, log);
}

#ifdef HAVE_CAIRO

#include <cairo-svg.h>
#include <cairo.h>

struct Canvas {
  CanvasKind       kind;
  cairo_surface_t *surface;
  cairo_t         *pen;
  Text             bytes;        /* of SVG, and of PNG when it is finished */
};

bool canvas_possible(void) { return true; }

/* An error ends the compression of a large image. */
static cairo_status_t take_bytes(void *text, const unsigned char *data, unsigned length)
{
  if (interrupt_seen()) return CAIRO_STATUS_WRITE_ERROR;
  text_add(text, (const char *)data, length);
  return CAIRO_STATUS_SUCCESS;
}

static void take_ink(Canvas *canvas, Ink ink)
{
  cairo_set_source_rgba(canvas->pen, (ink.rgb >> 16) / 255.0, (ink.rgb >> 8 & 255) / 255.0,
                        (ink.rgb & 255) / 255.0, ink.cover);
}

/* Fills a large area of whole pixels in strips, so that an interrupt need not wait for the end.  An
   SVG would repeat an image for each strip. */
static void fill_area(Canvas *canvas, Area a)
{
  enum { PIXELS = 1 << 22 };
  double strip = canvas->kind == CANVAS_SVG ? a.height : floor(PIXELS / (a.width + 1)) + 1;
  for (double y = 0; y < a.height && !interrupt_seen(); y += strip) {
    cairo_rectangle(canvas->pen, a.x, a.y + y, a.width, fmin(strip, a.height - y));
    cairo_fill(canvas->pen);
  }
}

Canvas *canvas_new(CanvasKind kind, double width, double height)
{
  Canvas *canvas = mem_alloc_zero(1, sizeof *canvas);
  canvas->kind = kind;
  canvas->surface =
      kind == CANVAS_SVG
          ? cairo_svg_surface_create_for_stream(take_bytes, &canvas->bytes, width, height)
          : cairo_image_surface_create(CAIRO_FORMAT_RGB24, (int)width, (int)height);
  canvas->pen = cairo_create(canvas->surface);
  take_ink(canvas, INK(0xffffff));
  fill_area(canvas, (Area){ 0, 0, width, height });
  return canvas;
}

void canvas_box(Canvas *canvas, Area a, Ink ink)
{
  take_ink(canvas, ink);
  cairo_rectangle(canvas->pen, a.x, a.y, a.width, a.height);
  cairo_fill(canvas->pen);
}

void canvas_outline(Canvas *canvas, Area a, double line, Ink ink)
{
  take_ink(canvas, ink);
  cairo_set_line_width(canvas->pen, line);
  cairo_rectangle(canvas->pen, a.x, a.y, a.width, a.height);
  cairo_stroke(canvas->pen);
}

void canvas_line(Canvas *canvas, const Spot *spots, uint32_t count, double line, Ink ink)
{
  take_ink(canvas, ink);
  cairo_set_line_width(canvas->pen, line);
  cairo_set_line_join(canvas->pen, CAIRO_LINE_JOIN_ROUND);
  for (uint32_t i = 0; i < count; i++)
    if (i) cairo_line_to(canvas->pen, spots[i].x, spots[i].y);
    else cairo_move_to(canvas->pen, spots[i].x, spots[i].y);
  cairo_stroke(canvas->pen);
}

void canvas_disc(Canvas *canvas, Spot at, double radius, Ink ink)
{
  take_ink(canvas, ink);
  cairo_arc(canvas->pen, at.x, at.y, radius, 0, 2 * 3.14159265358979323846);
  cairo_fill(canvas->pen);
}

/* Returns how many bytes the character at text has in UTF-8; 0: it is not UTF-8. */
static size_t character_bytes(const char *text)
{
  unsigned char lead = (unsigned char)*text, next = (unsigned char)text[1];
  size_t bytes = lead < 0x80 ? 1 : lead < 0xc2 ? 0 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3
                 : lead < 0xf5 ? 4 : 0;
  for (size_t i = 1; i < bytes; i++)
    if ((text[i] & 0xc0) != 0x80) return 0;
  bool overlong = (lead == 0xe0 && next < 0xa0) || (lead == 0xf0 && next < 0x90),
       no_character = (lead == 0xed && next > 0x9f) || (lead == 0xf4 && next > 0x8f);
  return overlong || no_character ? 0 : bytes;
}

/* Names are any bytes, but cairo takes UTF-8 alone: other bytes are shown as question marks. */
static Text as_utf8(const char *text)
{
  Text out = { 0 };
  while (*text) {
    size_t bytes = character_bytes(text);
    text_add(&out, bytes ? text : "?", bytes ? bytes : 1);
    text += bytes ? bytes : 1;
  }
  return out;
}

/* text: UTF-8 */
static double width_of(Canvas *canvas, double size, const char *text)
{
  cairo_text_extents_t e;
  cairo_select_font_face(canvas->pen, "sans-serif", CAIRO_FONT_SLANT_NORMAL,
                         CAIRO_FONT_WEIGHT_NORMAL);
  cairo_set_font_size(canvas->pen, size);
  cairo_text_extents(canvas->pen, text, &e);
  return e.x_advance;
}

double canvas_text_width(Canvas *canvas, double size, const char *text)
{
  Text shown = as_utf8(text);
  double width = width_of(canvas, size, text_get(&shown));
  text_free(&shown);
  return width;
}

void canvas_text(Canvas *canvas, Spot at, TextSide side, double size, Ink ink, const char *text)
{
  Text shown = as_utf8(text);
  double width = width_of(canvas, size, text_get(&shown)), left = side == TEXT_LEFT     ? 0
                                                                  : side == TEXT_CENTRE ? width / 2
                                                                                        : width;
  take_ink(canvas, ink);
  cairo_move_to(canvas->pen, at.x - left, at.y);
  cairo_show_text(canvas->pen, text_get(&shown));
  text_free(&shown);
}

/* The pixels as cairo lays them out. */
static cairo_surface_t *image_of(const uint32_t *pixels, uint32_t columns, uint32_t rows)
{
  cairo_surface_t *s =
      cairo_image_surface_create(CAIRO_FORMAT_RGB24, (int)columns, (int)rows);
  unsigned char *at = cairo_image_surface_get_data(s);
  size_t step = (size_t)cairo_image_surface_get_stride(s);
  if (at == NULL) return s;
  cairo_surface_flush(s);
  for (uint32_t row = 0; row < rows && !interrupt_seen(); row++)
    memcpy(at + row * step, pixels + (size_t)row * columns, columns * sizeof *pixels);
  cairo_surface_mark_dirty(s);
  return s;
}

void canvas_image(Canvas *canvas, Area a, const uint32_t *pixels, uint32_t columns, uint32_t rows)
{
  cairo_surface_t *s = image_of(pixels, columns, rows);
  cairo_save(canvas->pen);
  cairo_translate(canvas->pen, a.x, a.y);
  cairo_scale(canvas->pen, a.width / columns, a.height / rows);
  cairo_set_source_surface(canvas->pen, s, 0, 0);
  cairo_pattern_set_filter(cairo_get_source(canvas->pen), CAIRO_FILTER_NEAREST);
  cairo_identity_matrix(canvas->pen);
  fill_area(canvas, a);
  cairo_restore(canvas->pen);
  cairo_surface_destroy(s);
}

Status canvas_finish(Canvas *canvas, Text *out, Log *log)
{
  cairo_status_t status = cairo_status(canvas->pen);
  if (status == CAIRO_STATUS_SUCCESS && canvas->kind == CANVAS_PNG && !interrupt_seen())
    status = cairo_surface_write_to_png_stream(canvas->surface, take_bytes, &canvas->bytes);
  cairo_destroy(canvas->pen);
  cairo_surface_finish(canvas->surface);
  if (status == CAIRO_STATUS_SUCCESS) status = cairo_surface_status(canvas->surface);
  cairo_surface_destroy(canvas->surface);
  text_add(out, text_get(&canvas->bytes), canvas->bytes.len);
  text_free(&canvas->bytes);
  mem_free(canvas);
  if (interrupt_seen()) return FAILED;
  if (status == CAIRO_STATUS_SUCCESS) return OK;
  return log_error(log, "DENS-008", NOWHERE, "the picture failed: %s",
                   cairo_status_to_string(status));
}

#else

bool canvas_possible(void) { return false; }

/* Nobody calls these, as there is no canvas. */
Canvas *canvas_new(CanvasKind kind, double width, double height)
{
  (void)kind;
  (void)width;
  (void)height;
  return NULL;
}
void canvas_box(Canvas *canvas, Area a, Ink ink) { (void)canvas, (void)a, (void)ink; }
void canvas_outline(Canvas *canvas, Area a, double line, Ink ink)
{
  (void)canvas, (void)a, (void)line, (void)ink;
}
void canvas_line(Canvas *canvas, const Spot *spots, uint32_t count, double line, Ink ink)
{
  (void)canvas, (void)spots, (void)count, (void)line, (void)ink;
}
void canvas_disc(Canvas *canvas, Spot at, double radius, Ink ink)
{
  (void)canvas, (void)at, (void)radius, (void)ink;
}
void canvas_text(Canvas *canvas, Spot at, TextSide side, double size, Ink ink, const char *text)
{
  (void)canvas, (void)at, (void)side, (void)size, (void)ink, (void)text;
}
double canvas_text_width(Canvas *canvas, double size, const char *text)
{
  (void)canvas, (void)size, (void)text;
  return 0;
}
void canvas_image(Canvas *canvas, Area a, const uint32_t *pixels, uint32_t columns, uint32_t rows)
{
  (void)canvas, (void)a, (void)pixels, (void)columns, (void)rows;
}
Status canvas_finish(Canvas *canvas, Text *out, Log *log)
{
  (void)canvas, (void)out, (void)log;
  return FAILED;
}

#endif
