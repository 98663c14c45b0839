/* A table of text. Cells are added row by row; each column becomes as wide as its widest cell. The
   first row is the heading. */
#ifndef SL_REPORT_GRID_H
#define SL_REPORT_GRID_H

#include "base/text.h"

typedef struct Grid Grid;

/* alignment has one letter for each column: l for left, r for right. indent is the number of spaces
   before each line. */
Grid *grid_new(const char *alignment, uint32_t indent);
void  grid_free(Grid *grid);

/* Adds the next cell. A row ends when it has all its columns. */
void  grid_text(Grid *grid, const char *text);
void  grid_printf(Grid *grid, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Adds cells separated by |, for headings. */
void  grid_row(Grid *grid, const char *cells);
/* grid_open returns a text; what is appended to it until grid_close is the next cell. */
Text *grid_open(Grid *grid);
void  grid_close(Grid *grid);
/* Adds a line of dashes before the next row. */
void  grid_rule(Grid *grid);

uint32_t grid_rows(const Grid *grid);      /* number of rows without the heading */
void  grid_write(const Grid *grid, Text *out);
/* Writes and frees. */
void  grid_finish(Grid *grid, Text *out);

#endif
