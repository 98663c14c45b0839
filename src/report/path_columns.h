/* The table of a path report. Columns are as wide as their contents; long texts of the first column
   get a line of their own. */
#ifndef SL_REPORT_PATH_COLUMNS_H
#define SL_REPORT_PATH_COLUMNS_H

#include "base/memory.h"
#include "base/text.h"

enum { MOST_COLUMNS = 16 };

typedef struct {
  const char *title;
  bool        left;           /* left-aligned; else right-aligned, as numbers are */
  uint32_t    most;           /* a longer text in the first column splits its row; 0 means no
                                 limit */
} PathColumn;

typedef struct { uint32_t at, length; } PathCell;      /* a range of the text of all cells */

typedef struct {
  const PathColumn *columns;
  uint32_t count;
  Text     text;
  ARRAY(PathCell) cells;      /* rows of `count` cells; in a rule the first cell has no place */
  uint32_t filled;            /* number of cells in the last row */
  uint32_t start;             /* start of the cell being written */
  uint32_t width[MOST_COLUMNS];       /* the longest cell of each column */
} PathColumns;

/* Begins a table. With `titles` the first row has the titles, with a rule below it. */
void path_columns_start(PathColumns *path_columns, const PathColumn *columns, uint32_t count,
                        bool titles);
void path_columns_text(PathColumns *columns, const char *text);
/* The same in pieces: the cell is what is appended to the text between the two calls. */
Text *path_columns_begin(PathColumns *columns);
void path_columns_end(PathColumns *columns);
/* Adds a number with `digits` digits after the point; an empty cell if it is NAN. */
void path_columns_number(PathColumns *columns, double number, int digits);
void path_columns_end_row(PathColumns *columns);          /* fills the row with empty cells */
void path_columns_rule(PathColumns *columns);             /* adds a line across the table */
/* Raises width[] to the widths of the table's columns. */
void path_columns_measure(const PathColumns *columns, bool split, uint32_t width[MOST_COLUMNS]);
void path_columns_print(PathColumns *columns, const uint32_t width[MOST_COLUMNS], Text *out);
void path_columns_free(PathColumns *columns);

/* Appends a number; never "-0.000". */
void path_add_number(Text *text, double number, int digits);

#endif
