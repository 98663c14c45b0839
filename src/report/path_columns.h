/* A table of text: columns as wide as what stands in them, long first columns on a line of their
   own. */
#ifndef SL_REPORT_PATH_COLUMNS_H
#define SL_REPORT_PATH_COLUMNS_H

#include "base/memory.h"
#include "base/text.h"

enum { MOST_COLUMNS = 16 };

typedef struct {
  const char *title;
  bool        left;           /* else to the right, as numbers are */
  uint32_t    most;           /* a longer text of the first column splits its row; 0: no limit */
} PathColumn;

typedef struct { uint32_t at, length; } PathCell;      /* in the text of all cells */

typedef struct {
  const PathColumn *columns;
  uint32_t count;
  Text     text;
  ARRAY(PathCell) cells;      /* rows of `count` cells; of a rule the first has no place */
  uint32_t filled;            /* cells of the last row */
  uint32_t start;             /* of the cell that is being written */
  uint32_t width[MOST_COLUMNS];       /* the longest cell of each column */
} PathColumns;

/* An empty table; titles are the first row, with a rule below them, or left out. */
void path_columns_start(PathColumns *c, const PathColumn *columns, uint32_t count, bool titles);
void path_columns_text(PathColumns *c, const char *text);
/* The same, in pieces: what is added to the text between the two. */
Text *path_columns_begin(PathColumns *c);
void path_columns_end(PathColumns *c);
/* A number with so many digits after the point; nothing where it is NAN. */
void path_columns_number(PathColumns *c, double number, int digits);
void path_columns_end_row(PathColumns *c);          /* fills it with empty cells */
void path_columns_rule(PathColumns *c);             /* a line across */
/* How wide the table's columns are: at least as wide as `width` says already. */
void path_columns_measure(const PathColumns *c, bool split, uint32_t width[MOST_COLUMNS]);
void path_columns_print(PathColumns *c, const uint32_t width[MOST_COLUMNS], Text *out);
void path_columns_free(PathColumns *c);

/* A number so rounded that no "-0.000" comes out. */
void path_add_number(Text *t, double number, int digits);

#endif
