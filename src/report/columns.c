#include "report/columns.h"

#include <string.h>

#include "base/memory.h"

struct Columns {
  char    *alignment;
  uint32_t count, indent;
  Text     text;                  /* all cells, one after the other */
  ARRAY(size_t) end;              /* of each cell in text */
  ARRAY(uint32_t) rules;          /* rows that a line of dashes precedes, rising */
};

Columns *columns_new(const char *alignment, uint32_t indent)
{
  Columns *c = mem_alloc_zero(1, sizeof *c);
  c->count = (uint32_t)strlen(alignment);
  c->alignment = mem_text(alignment, c->count);
  c->indent = indent;
  return c;
}

void columns_free(Columns *c)
{
  if (c == NULL) return;
  mem_free(c->alignment);
  text_free(&c->text);
  array_free(&c->end);
  array_free(&c->rules);
  mem_free(c);
}

Text *columns_open(Columns *c) { return &c->text; }
void columns_close(Columns *c) { array_push(&c->end, c->text.len); }

void columns_text(Columns *c, const char *text)
{
  text_put(&c->text, text);
  columns_close(c);
}

void columns_printf(Columns *c, const char *format, ...)
{
  va_list args;
  va_start(args, format);
  text_vprintf(&c->text, format, args);
  va_end(args);
  columns_close(c);
}

void columns_row(Columns *c, const char *cells)
{
  for (;;) {
    size_t n = strcspn(cells, "|");
    text_add(&c->text, cells, n);
    columns_close(c);
    if (cells[n] == '\0') return;
    cells += n + 1;
  }
}

void columns_rule(Columns *c) { array_push(&c->rules, c->end.len / c->count); }

uint32_t columns_rows(const Columns *c)
{
  uint32_t rows = c->end.len / c->count;
  return rows ? rows - 1 : 0;
}

static size_t cell_start(const Columns *c, uint32_t i) { return i ? c->end.at[i - 1] : 0; }

/* Characters as a terminal counts them: continuation bytes of UTF-8 are none. */
static uint32_t cell_width(const Columns *c, uint32_t i)
{
  uint32_t width = 0;
  for (size_t k = cell_start(c, i); k < c->end.at[i]; k++) width += (c->text.at[k] & 0xc0) != 0x80;
  return width;
}

static void add_repeated(Text *out, char ch, uint32_t count)
{
  for (uint32_t i = 0; i < count; i++) text_char(out, ch);
}

static void write_row(const Columns *c, const uint32_t *width, uint32_t row, Text *out)
{
  uint32_t pending = c->indent;         /* spaces that are written when something follows */
  for (uint32_t k = 0; k < c->count; k++) {
    uint32_t cell = row * c->count + k, own = cell_width(c, cell);
    if (k) pending += 2;
    if (c->alignment[k] == 'r') pending += width[k] - own;
    if (own) {
      add_repeated(out, ' ', pending);
      text_add(out, c->text.at + cell_start(c, cell), c->end.at[cell] - cell_start(c, cell));
      pending = 0;
    }
    pending += c->alignment[k] == 'r' && own ? 0 : width[k] - (c->alignment[k] == 'r' ? width[k] : own);
  }
  text_char(out, '\n');
}

void columns_write(const Columns *c, Text *out)
{
  uint32_t rows = c->end.len / c->count, rule = 0, total = 2 * (c->count - 1);
  uint32_t *width = mem_alloc_zero(c->count, sizeof *width);
  for (uint32_t i = 0; i < rows * c->count; i++) {
    uint32_t own = cell_width(c, i);
    if (own > width[i % c->count]) width[i % c->count] = own;
  }
  for (uint32_t k = 0; k < c->count; k++) total += width[k];
  for (uint32_t row = 0; row < rows; row++) {
    bool ruled = row == 1;
    for (; rule < c->rules.len && c->rules.at[rule] == row; rule++) ruled = true;
    if (ruled) {
      add_repeated(out, ' ', c->indent);
      add_repeated(out, '-', total);
      text_char(out, '\n');
    }
    write_row(c, width, row, out);
  }
  mem_free(width);
}

void columns_finish(Columns *c, Text *out)
{
  columns_write(c, out);
  columns_free(c);
}
