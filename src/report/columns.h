/* A table of text in columns: cells are collected row by row, then written with each column as wide as its widest
   cell.  The first row is the heading. */
#ifndef SL_REPORT_COLUMNS_H
#define SL_REPORT_COLUMNS_H

#include "base/text.h"

typedef struct Columns Columns;

/* One letter a column: l to the left, r to the right.  indent: spaces before each line. */
Columns *columns_new(const char *alignment, uint32_t indent);
void     columns_free(Columns *c);

/* The next cell; rows follow from the number of columns. */
void columns_text(Columns *c, const char *text);
void columns_printf(Columns *c, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Cells separated by |, for headings. */
void columns_row(Columns *c, const char *cells);
/* Begins a cell whose text is added to the result; columns_close ends it. */
Text *columns_open(Columns *c);
void  columns_close(Columns *c);
/* A line of dashes before the next row. */
void columns_rule(Columns *c);

uint32_t columns_rows(const Columns *c);      /* without the heading */
void columns_write(const Columns *c, Text *out);
/* Writes and frees. */
void columns_finish(Columns *c, Text *out);

#endif
