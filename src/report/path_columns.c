/* The table of path reports. It is written many thousand times in a report, so cells are copied in
   pieces of fixed size. */
#include "report/path_columns.h"

#include <math.h>
#include <string.h>

#include "base/decimal.h"

#define RULE UINT32_MAX

/* Cells are short: they are copied, and padded, in pieces of fixed size that may reach behind
   them. */
enum { PIECE = 32 };

static bool is_zero(const char *text, size_t length)
{
  for (size_t i = 0; i < length; i++)
    if (text[i] != '0' && text[i] != '.') return false;
  return true;
}

void path_add_number(Text *text, double number, int digits)
{
  if (isinf(number)) {
    text_put(text, number > 0 ? "inf" : "-inf");
    return;
  }
  char *at = text_room(text, DECIMAL_ROOM);
  size_t length = decimal_fixed(at, number, digits);
  if (at[0] == '-' && is_zero(at + 1, length - 1)) memmove(at, at + 1, --length);
  text->len += length;
  at[length] = '\0';
}

Text *path_columns_begin(PathColumns *columns)
{
  columns->start = (uint32_t)columns->text.len;
  return &columns->text;
}

void path_columns_end(PathColumns *columns)
{
  uint32_t length = (uint32_t)columns->text.len - columns->start, column = columns->filled;
  if (column == columns->count) return;
  array_push(&columns->cells, (PathCell){ columns->start, length });
  if (length > columns->width[column]) columns->width[column] = length;
  columns->filled++;
}

void path_columns_text(PathColumns *columns, const char *text)
{
  text_put(path_columns_begin(columns), text);
  path_columns_end(columns);
}

void path_columns_number(PathColumns *columns, double number, int digits)
{
  path_columns_begin(columns);
  if (!isnan(number)) path_add_number(&columns->text, number, digits);
  path_columns_end(columns);
}

void path_columns_end_row(PathColumns *columns)
{
  for (path_columns_begin(columns); columns->filled < columns->count;) path_columns_end(columns);
  columns->filled = 0;
}

void path_columns_rule(PathColumns *columns)
{
  path_columns_end_row(columns);
  columns->cells.at[columns->cells.len - columns->count].at = RULE;
}

void path_columns_start(PathColumns *path_columns, const PathColumn *columns, uint32_t count,
                        bool titles)
{
  path_columns->columns = columns;
  path_columns->count = count;
  path_columns->filled = 0;
  memset(path_columns->width, 0, sizeof path_columns->width);
  array_clear(&path_columns->cells);
  text_clear(&path_columns->text);
  if (!titles) return;
  for (uint32_t i = 0; i < count; i++) path_columns_text(path_columns, columns[i].title);
  path_columns_end_row(path_columns);
  path_columns_rule(path_columns);
}

void path_columns_measure(const PathColumns *columns, bool split, uint32_t width[MOST_COLUMNS])
{
  for (uint32_t k = 0; k < columns->count; k++) {
    uint32_t most = columns->columns[k].most, longest = columns->width[k];
    if (split && most && longest > most) longest = most;
    if (longest > width[k]) width[k] = longest;
  }
}

/* Copies a piece of fixed size.  The target must have room for one more piece, and the source must
   be readable for one more. */
static inline char *put_cell(char *to, const char *from, uint32_t length)
{
  memcpy(to, from, PIECE);
  if (length > PIECE) memcpy(to + PIECE, from + PIECE, length - PIECE);
  return to + length;
}

static inline char *pad(char *to, uint32_t count)
{
  memset(to, ' ', PIECE);
  if (count > PIECE) memset(to + PIECE, ' ', count - PIECE);
  return to + count;
}

static void print_rule(const uint32_t *width, uint32_t count, Text *out)
{
  uint32_t total = 2 * (count - 1);
  for (uint32_t k = 0; k < count; k++) total += width[k];
  char *at = text_room(out, total + 1);
  memset(at, '-', total);
  at[total] = '\n';
  out->len += total + 1;
}

static void print_row(const PathColumns *columns, const PathCell *cells, const uint32_t *width,
                      Text *out)
{
  uint32_t last = columns->count;
  size_t most = width[0] + 2 * PIECE;
  while (last > 0 && cells[last - 1].length == 0) last--;
  for (uint32_t k = 0; k < last; k++)
    most += (cells[k].length > width[k] ? cells[k].length : width[k]) + 2;
  char *start = text_room(out, most), *at = start;
  for (uint32_t k = 0; k < last; k++) {
    uint32_t length = cells[k].length;
    uint32_t space = length < width[k] ? width[k] - length : 0;
    if (k) at = pad(at, 2);
    if (!columns->columns[k].left) at = pad(at, space);
    at = put_cell(at, columns->text.at + cells[k].at, length);
    if (k == 0 && length > width[0] && last > 1) {      /* the numbers go to the next line */
      *at++ = '\n';
      at = pad(at, width[0]);
    } else if (columns->columns[k].left && k + 1 < last) {
      at = pad(at, space);
    }
  }
  *at++ = '\n';
  out->len += (size_t)(at - start);
}

void path_columns_print(PathColumns *columns, const uint32_t width[MOST_COLUMNS], Text *out)
{
  uint32_t rows = columns->cells.len / columns->count;
  text_room(&columns->text, PIECE); /* what put_cell may read behind the last
                                                             cell */
  for (uint32_t row = 0; row < rows; row++) {
    const PathCell *cells = columns->cells.at + (size_t)row * columns->count;
    if (cells[0].at == RULE) print_rule(width, columns->count, out);
    else print_row(columns, cells, width, out);
  }
  *text_room(out, 0) = '\0';
}

void path_columns_free(PathColumns *columns)
{
  text_free(&columns->text);
  array_free(&columns->cells);
}
