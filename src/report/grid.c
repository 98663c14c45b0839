/* Collects the cells of a table in one text and writes them when the widths of all columns are
   known. */
#include "report/grid.h"

#include <string.h>

#include "base/interrupt.h"
#include "base/memory.h"

struct Grid {
  char    *alignment;
  uint32_t count, indent;
  Text     text;                  /* all cells, one after the other */
  ARRAY(size_t) end;              /* of each cell in text */
  ARRAY(uint32_t) rules;          /* rows that a line of dashes precedes, rising */
};

Grid *grid_new(const char *alignment, uint32_t indent)
{
  Grid *g = mem_alloc_zero(1, sizeof *g);
  g->count = (uint32_t)strlen(alignment);
  g->alignment = mem_text(alignment, g->count);
  g->indent = indent;
  return g;
}

void grid_free(Grid *g)
{
  if (g == NULL) return;
  mem_free(g->alignment);
  text_free(&g->text);
  array_free(&g->end);
  array_free(&g->rules);
  mem_free(g);
}

Text *grid_open(Grid *g) { return &g->text; }
void grid_close(Grid *g) { array_push(&g->end, g->text.len); }

void grid_text(Grid *g, const char *text)
{
  text_put(&g->text, text);
  grid_close(g);
}

void grid_printf(Grid *g, const char *format, ...)
{
  va_list args;
  va_start(args, format);
  text_vprintf(&g->text, format, args);
  va_end(args);
  grid_close(g);
}

void grid_row(Grid *g, const char *cells)
{
  for (;;) {
    size_t n = strcspn(cells, "|");
    text_add(&g->text, cells, n);
    grid_close(g);
    if (cells[n] == '\0') return;
    cells += n + 1;
  }
}

void grid_rule(Grid *g) { array_push(&g->rules, g->end.len / g->count); }

uint32_t grid_rows(const Grid *g)
{
  uint32_t rows = g->end.len / g->count;
  return rows ? rows - 1 : 0;
}

static size_t cell_start(const Grid *g, uint32_t i) { return i ? g->end.at[i - 1] : 0; }

/* Characters as a terminal counts them: continuation bytes of UTF-8 are none. */
static uint32_t cell_width(const Grid *g, uint32_t i)
{
  uint32_t width = 0;
  for (size_t k = cell_start(g, i); k < g->end.at[i]; k++) width += (g->text.at[k] & 0xc0) != 0x80;
  return width;
}

static void add_repeated(Text *out, char ch, uint32_t count)
{
  for (uint32_t i = 0; i < count; i++) text_char(out, ch);
}

/* Spaces wait until something follows them, so that no line ends in some. */
static void write_row(const Grid *g, const uint32_t *width, uint32_t row, Text *out)
{
  uint32_t pending = g->indent;
  for (uint32_t k = 0; k < g->count; k++) {
    uint32_t cell = row * g->count + k, own = cell_width(g, cell), rest = width[k] - own;
    bool right = g->alignment[k] == 'r';
    if (right) pending += rest;
    if (own) {
      add_repeated(out, ' ', pending);
      text_add(out, g->text.at + cell_start(g, cell), g->end.at[cell] - cell_start(g, cell));
      pending = 0;
    }
    pending += (right ? 0 : rest) + 2;
  }
  text_char(out, '\n');
}

void grid_write(const Grid *g, Text *out)
{
  uint32_t rows = g->end.len / g->count, rule = 0, total = 2 * (g->count - 1);
  uint32_t *width = mem_alloc_zero(g->count, sizeof *width);
  for (uint32_t i = 0; i < rows * g->count && !interrupt_seen(); i++) {
    uint32_t own = cell_width(g, i);
    if (own > width[i % g->count]) width[i % g->count] = own;
  }
  for (uint32_t k = 0; k < g->count; k++) total += width[k];
  for (uint32_t row = 0; row < rows && !interrupt_seen(); row++) {
    bool ruled = row == 1;
    for (; rule < g->rules.len && g->rules.at[rule] == row; rule++) ruled = true;
    if (ruled) {
      add_repeated(out, ' ', g->indent);
      add_repeated(out, '-', total);
      text_char(out, '\n');
    }
    write_row(g, width, row, out);
  }
  mem_free(width);
}

void grid_finish(Grid *g, Text *out)
{
  grid_write(g, out);
  grid_free(g);
}
