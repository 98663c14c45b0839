/* A table of text: columns as wide as what stands in them, long first columns on a line of their own. */
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

typedef struct {
  const PathColumn *columns;
  uint32_t count;
  Text     text;              /* of all cells */
  ARRAY(uint32_t) cells;      /* where each begins; rows of `count` cells */
  uint32_t filled;            /* cells of the last row */
} PathColumns;

/* Titles are the first row, with a rule below them. */
void path_columns_start(PathColumns *c, const PathColumn *columns, uint32_t count);
void path_columns_text(PathColumns *c, const char *text);
/* A number with so many digits after the point; nothing where it is NAN. */
void path_columns_number(PathColumns *c, double number, int digits);
void path_columns_end_row(PathColumns *c);          /* fills it with empty cells */
void path_columns_rule(PathColumns *c);             /* a line across */
void path_columns_print(const PathColumns *c, bool split, Text *out);
void path_columns_free(PathColumns *c);

/* A number so rounded that no "-0.000" comes out. */
void path_add_number(Text *t, double number, int digits);

#endif
