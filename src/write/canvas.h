/* Draws boxes, lines, text and images on a page, as PNG or SVG. It needs cairo; configure says
   whether cairo was found. */
#ifndef SL_WRITE_CANVAS_H
#define SL_WRITE_CANVAS_H

#include "base/log.h"
#include "base/text.h"

typedef enum { CANVAS_PNG, CANVAS_SVG } CanvasKind;

typedef struct Canvas Canvas;

/* A colour 0xRRGGBB, and how much it covers what was drawn before: 0 nothing, 1 everything. */
typedef struct {
  uint32_t rgb;
  double   cover;
} Ink;

#define INK(color) ((Ink){ color, 1 })

/* All places are in pixels from the upper left corner. */
typedef struct { double x, y; } Spot;
typedef struct { double x, y, width, height; } Area;

/* Returns false if this program was built without cairo. */
bool canvas_possible(void);
/* Makes a white page. */
Canvas *canvas_new(CanvasKind kind, double width, double height);
void canvas_box(Canvas *canvas, Area a, Ink ink);
void canvas_outline(Canvas *canvas, Area a, double line, Ink ink);
void canvas_line(Canvas *canvas, const Spot *spots, uint32_t count, double line, Ink ink);
void canvas_disc(Canvas *canvas, Spot at, double radius, Ink ink);
/* at: the left, centre or right end of the base line. */
typedef enum { TEXT_LEFT, TEXT_CENTRE, TEXT_RIGHT } TextSide;
void canvas_text(Canvas *canvas, Spot at, TextSide side, double size, Ink ink, const char *text);
/* Returns how far it reaches. */
double canvas_text_width(Canvas *canvas, double size, const char *text);
/* Draws pixels 0xRRGGBB, [row][column] with the upper row first, stretched over the area without
   blending. */
void canvas_image(Canvas *canvas, Area a, const uint32_t *pixels, uint32_t columns, uint32_t rows);
/* Appends the bytes of the file to out and frees the canvas. Returns FAILED without a message after
   an interrupt; the other functions then draw no more. */
Status canvas_finish(Canvas *canvas, Text *out, Log *log);

/* Writes bytes to a file, which replaces an older one only when it is complete (FILE-005). */
Status picture_write(const char *path, const Text *bytes, Log *log);

#endif
