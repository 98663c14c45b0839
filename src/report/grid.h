/* A table of text whose cells are collected row by row and written with each column as wide as its
   widest cell. The first row is the heading. */
#ifndef SL_REPORT_GRID_H
#define SL_REPORT_GRID_H

#include "base/text.h"

typedef struct Grid Grid;

/* One letter a column: l to the left, r to the right.  indent: spaces before each line. */
Grid *grid_new(const char *alignment, uint32_t indent);
void  grid_free(Grid *g);

/* The next cell; rows follow from the number of columns. */
void  grid_text(Grid *g, const char *text);
void  grid_printf(Grid *g, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Cells separated by |, for headings. */
void  grid_row(Grid *g, const char *cells);
/* The text to which the next cell is added; grid_close ends the cell. */
Text *grid_open(Grid *g);
void  grid_close(Grid *g);
/* A line of dashes before the next row. */
void  grid_rule(Grid *g);

uint32_t grid_rows(const Grid *g);      /* without the heading */
void  grid_write(const Grid *g, Text *out);
/* Writes and frees. */
void  grid_finish(Grid *g, Text *out);

#endif
