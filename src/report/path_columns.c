#include "report/path_columns.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define RULE_CELL "\x01"

void path_add_number(Text *t, double number, int digits)
{
  char buffer[400];
  if (isinf(number)) {
    text_put(t, number > 0 ? "inf" : "-inf");
    return;
  }
  snprintf(buffer, sizeof buffer, "%.*f", digits, number);
  bool zero = buffer[0] == '-' && strspn(buffer + 1, "0.") == strlen(buffer + 1);
  text_put(t, buffer + zero);
}

static void add_cell(PathColumns *c, const char *text)
{
  array_push(&c->cells, (uint32_t)c->text.len);
  text_add(&c->text, text, strlen(text) + 1);
}

void path_columns_text(PathColumns *c, const char *text)
{
  if (c->filled == c->count) return;
  add_cell(c, text);
  c->filled++;
}

void path_columns_number(PathColumns *c, double number, int digits)
{
  Text t = { 0 };
  if (!isnan(number)) path_add_number(&t, number, digits);
  path_columns_text(c, text_get(&t));
  text_free(&t);
}

void path_columns_end_row(PathColumns *c)
{
  while (c->filled < c->count) path_columns_text(c, "");
  c->filled = 0;
}

void path_columns_rule(PathColumns *c)
{
  path_columns_text(c, RULE_CELL);
  path_columns_end_row(c);
}

void path_columns_start(PathColumns *c, const PathColumn *columns, uint32_t count)
{
  c->columns = columns;
  c->count = count;
  c->filled = 0;
  array_clear(&c->cells);
  text_clear(&c->text);
  for (uint32_t i = 0; i < count; i++) path_columns_text(c, columns[i].title);
  path_columns_end_row(c);
  path_columns_rule(c);
}

static const char *cell(const PathColumns *c, uint32_t row, uint32_t column) { return c->text.at + c->cells.at[row * c->count + column]; }

static bool is_rule(const PathColumns *c, uint32_t row) { return strcmp(cell(c, row, 0), RULE_CELL) == 0; }

static void measure(const PathColumns *c, bool split, uint32_t *width)
{
  for (uint32_t k = 0; k < c->count; k++) width[k] = 0;
  for (uint32_t row = 0; row < c->cells.len / c->count; row++)
    for (uint32_t k = 0; k < c->count && !is_rule(c, row); k++) {
      uint32_t length = (uint32_t)strlen(cell(c, row, k));
      if (split && c->columns[k].most && length > c->columns[k].most) length = c->columns[k].most;
      if (length > width[k]) width[k] = length;
    }
}

static void pad(Text *out, uint32_t count)
{
  while (count-- > 0) text_char(out, ' ');
}

static void print_rule(const uint32_t *width, uint32_t count, Text *out)
{
  uint32_t total = 2 * (count - 1);
  for (uint32_t k = 0; k < count; k++) total += width[k];
  while (total-- > 0) text_char(out, '-');
  text_char(out, '\n');
}

static void print_row(const PathColumns *c, uint32_t row, const uint32_t *width, Text *out)
{
  uint32_t last = c->count;
  while (last > 0 && *cell(c, row, last - 1) == '\0') last--;
  for (uint32_t k = 0; k < last; k++) {
    const char *text = cell(c, row, k);
    uint32_t length = (uint32_t)strlen(text);
    uint32_t space = length < width[k] ? width[k] - length : 0;
    if (k) text_put(out, "  ");
    if (!c->columns[k].left) pad(out, space);
    text_put(out, text);
    if (k == 0 && length > width[0] && last > 1) {      /* the numbers go to the next line */
      text_char(out, '\n');
      pad(out, width[0]);
    } else if (c->columns[k].left && k + 1 < last) {
      pad(out, space);
    }
  }
  text_char(out, '\n');
}

void path_columns_print(const PathColumns *c, bool split, Text *out)
{
  uint32_t width[MOST_COLUMNS];
  measure(c, split, width);
  for (uint32_t row = 0; row < c->cells.len / c->count; row++) {
    if (is_rule(c, row)) print_rule(width, c->count, out);
    else print_row(c, row, width, out);
  }
}

void path_columns_free(PathColumns *c)
{
  text_free(&c->text);
  array_free(&c->cells);
}
