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

void path_add_number(Text *t, double number, int digits)
{
  if (isinf(number)) {
    text_put(t, number > 0 ? "inf" : "-inf");
    return;
  }
  char *at = text_room(t, DECIMAL_ROOM);
  size_t length = decimal_fixed(at, number, digits);
  if (at[0] == '-' && is_zero(at + 1, length - 1)) memmove(at, at + 1, --length);
  t->len += length;
  at[length] = '\0';
}

Text *path_columns_begin(PathColumns *c)
{
  c->start = (uint32_t)c->text.len;
  return &c->text;
}

void path_columns_end(PathColumns *c)
{
  uint32_t length = (uint32_t)c->text.len - c->start, column = c->filled;
  if (column == c->count) return;
  array_push(&c->cells, (PathCell){ c->start, length });
  if (length > c->width[column]) c->width[column] = length;
  c->filled++;
}

void path_columns_text(PathColumns *c, const char *text)
{
  text_put(path_columns_begin(c), text);
  path_columns_end(c);
}

void path_columns_number(PathColumns *c, double number, int digits)
{
  path_columns_begin(c);
  if (!isnan(number)) path_add_number(&c->text, number, digits);
  path_columns_end(c);
}

void path_columns_end_row(PathColumns *c)
{
  for (path_columns_begin(c); c->filled < c->count;) path_columns_end(c);
  c->filled = 0;
}

void path_columns_rule(PathColumns *c)
{
  path_columns_end_row(c);
  c->cells.at[c->cells.len - c->count].at = RULE;
}

void path_columns_start(PathColumns *c, const PathColumn *columns, uint32_t count, bool titles)
{
  c->columns = columns;
  c->count = count;
  c->filled = 0;
  memset(c->width, 0, sizeof c->width);
  array_clear(&c->cells);
  text_clear(&c->text);
  if (!titles) return;
  for (uint32_t i = 0; i < count; i++) path_columns_text(c, columns[i].title);
  path_columns_end_row(c);
  path_columns_rule(c);
}

void path_columns_measure(const PathColumns *c, bool split, uint32_t width[MOST_COLUMNS])
{
  for (uint32_t k = 0; k < c->count; k++) {
    uint32_t most = c->columns[k].most, longest = c->width[k];
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

static void print_row(const PathColumns *c, const PathCell *cells, const uint32_t *width, Text *out)
{
  uint32_t last = c->count;
  size_t most = width[0] + 2 * PIECE;
  while (last > 0 && cells[last - 1].length == 0) last--;
  for (uint32_t k = 0; k < last; k++)
    most += (cells[k].length > width[k] ? cells[k].length : width[k]) + 2;
  char *start = text_room(out, most), *at = start;
  for (uint32_t k = 0; k < last; k++) {
    uint32_t length = cells[k].length;
    uint32_t space = length < width[k] ? width[k] - length : 0;
    if (k) at = pad(at, 2);
    if (!c->columns[k].left) at = pad(at, space);
    at = put_cell(at, c->text.at + cells[k].at, length);
    if (k == 0 && length > width[0] && last > 1) {      /* the numbers go to the next line */
      *at++ = '\n';
      at = pad(at, width[0]);
    } else if (c->columns[k].left && k + 1 < last) {
      at = pad(at, space);
    }
  }
  *at++ = '\n';
  out->len += (size_t)(at - start);
}

void path_columns_print(PathColumns *c, const uint32_t width[MOST_COLUMNS], Text *out)
{
  uint32_t rows = c->cells.len / c->count;
  text_room(&c->text, PIECE);                             /* what put_cell may read behind the last
                                                             cell */
  for (uint32_t row = 0; row < rows; row++) {
    const PathCell *cells = c->cells.at + (size_t)row * c->count;
    if (cells[0].at == RULE) print_rule(width, c->count, out);
    else print_row(c, cells, width, out);
  }
  *text_room(out, 0) = '\0';
}

void path_columns_free(PathColumns *c)
{
  text_free(&c->text);
  array_free(&c->cells);
}
