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
  Grid *grid = mem_alloc_zero(1, sizeof *grid);
  grid->count = (uint32_t)strlen(alignment);
  grid->alignment = mem_text(alignment, grid->count);
  grid->indent = indent;
  return grid;
}

void grid_free(Grid *grid)
{
  if (grid == NULL) return;
  mem_free(grid->alignment);
  text_free(&grid->text);
  array_free(&grid->end);
  array_free(&grid->rules);
  mem_free(grid);
}

Text *grid_open(Grid *grid) { return &grid->text; }
void grid_close(Grid *grid) { array_push(&grid->end, grid->text.len); }

void grid_text(Grid *grid, const char *text)
{
  text_put(&grid->text, text);
  grid_close(grid);
}

void grid_printf(Grid *grid, const char *format, ...)
{
  va_list args;
  va_start(args, format);
  text_vprintf(&grid->text, format, args);
  va_end(args);
  grid_close(grid);
}

void grid_row(Grid *grid, const char *cells)
{
  for (;;) {
    size_t n = strcspn(cells, "|");
    text_add(&grid->text, cells, n);
    grid_close(grid);
    if (cells[n] == '\0') return;
    cells += n + 1;
  }
}

void grid_rule(Grid *grid) { array_push(&grid->rules, grid->end.len / grid->count); }

uint32_t grid_rows(const Grid *grid)
{
  uint32_t rows = grid->end.len / grid->count;
  return rows ? rows - 1 : 0;
}

static size_t cell_start(const Grid *grid, uint32_t i) { return i ? grid->end.at[i - 1] : 0; }

/* Characters as a terminal counts them: continuation bytes of UTF-8 are none. */
static uint32_t cell_width(const Grid *grid, uint32_t i)
{
  uint32_t width = 0;
  for (size_t k = cell_start(grid, i); k < grid->end.at[i]; k++)
    width += (grid->text.at[k] & 0xc0) != 0x80;
  return width;
}

static void add_repeated(Text *out, char ch, uint32_t count)
{
  for (uint32_t i = 0; i < count; i++) text_char(out, ch);
}

/* Spaces wait until something follows them, so that no line ends in some. */
static void write_row(const Grid *grid, const uint32_t *width, uint32_t row, Text *out)
{
  uint32_t pending = grid->indent;
  for (uint32_t k = 0; k < grid->count; k++) {
    uint32_t cell = row * grid->count + k, own = cell_width(grid, cell), rest = width[k] - own;
    bool right = grid->alignment[k] == 'r';
    if (right) pending += rest;
    if (own) {
      add_repeated(out, ' ', pending);
      text_add(out, grid->text.at + cell_start(grid, cell),
               grid->end.at[cell] - cell_start(grid, cell));
      pending = 0;
    }
    pending += (right ? 0 : rest) + 2;
  }
  text_char(out, '\n');
}

void grid_write(const Grid *grid, Text *out)
{
  uint32_t rows = grid->end.len / grid->count, rule = 0, total = 2 * (grid->count - 1);
  uint32_t *width = mem_alloc_zero(grid->count, sizeof *width);
  for (uint32_t i = 0; i < rows * grid->count && !interrupt_seen(); i++) {
    uint32_t own = cell_width(grid, i);
    if (own > width[i % grid->count]) width[i % grid->count] = own;
  }
  for (uint32_t k = 0; k < grid->count; k++) total += width[k];
  for (uint32_t row = 0; row < rows && !interrupt_seen(); row++) {
    bool ruled = row == 1;
    for (; rule < grid->rules.len && grid->rules.at[rule] == row; rule++) ruled = true;
    if (ruled) {
      add_repeated(out, ' ', grid->indent);
      add_repeated(out, '-', total);
      text_char(out, '\n');
    }
    write_row(grid, width, row, out);
  }
  mem_free(width);
}

void grid_finish(Grid *grid, Text *out)
{
  grid_write(grid, out);
  grid_free(grid);
}
