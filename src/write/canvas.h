/* Pictures: boxes, lines, text and images on a page, as PNG or SVG.  Drawn with cairo; without it
   (configure says so) there are none. */
#ifndef SL_WRITE_CANVAS_H
#define SL_WRITE_CANVAS_H

#include "base/log.h"
#include "base/text.h"

typedef enum { CANVAS_PNG, CANVAS_SVG } CanvasKind;

typedef struct Canvas Canvas;

/* 0xRRGGBB, and how much of what is beneath it covers, 0 to 1. */
typedef struct {
  uint32_t rgb;
  double   cover;
} Ink;

#define INK(color) ((Ink){ color, 1 })

/* All places are in pixels from the upper left corner. */
typedef struct { double x, y; } Spot;
typedef struct { double x, y, width, height; } Area;

/* False: this program was built without cairo. */
bool canvas_possible(void);
/* White. */
Canvas *canvas_new(CanvasKind kind, double width, double height);
void canvas_box(Canvas *c, Area a, Ink ink);
void canvas_outline(Canvas *c, Area a, double line, Ink ink);
void canvas_line(Canvas *c, const Spot *spots, uint32_t count, double line, Ink ink);
void canvas_disc(Canvas *c, Spot at, double radius, Ink ink);
/* at: the left, centre or right end of the base line. */
typedef enum { TEXT_LEFT, TEXT_CENTRE, TEXT_RIGHT } TextSide;
void canvas_text(Canvas *c, Spot at, TextSide side, double size, Ink ink, const char *text);
/* Pixels 0xRRGGBB, [row][column], the upper row first, stretched over the area without blending. */
void canvas_image(Canvas *c, Area a, const uint32_t *pixels, uint32_t columns, uint32_t rows);
/* The file's bytes are added to out; the canvas is gone then. */
Status canvas_finish(Canvas *c, Text *out, Log *log);

/* Writes bytes to a file that takes its place when it is whole (FILE-005). */
Status picture_write(const char *path, const Text *bytes, Log *log);

#endif
