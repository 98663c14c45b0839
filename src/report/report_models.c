/* Writes compare_delay_models. */
#include "report/report_models.h"

#include <math.h>

static void cell_part(Grid *grid, const Sheet *sheet, float from, float to)
{
  float part = model_part(from, to);
  if (isnan(part)) grid_text(grid, "-");
  else grid_printf(grid, "%.*f", sheet->digits > 0 ? sheet->digits - 1 : 0, 100 * (double)part);
}

static void cells_times(Grid *grid, const Sheet *sheet, float from, float to)
{
  cell_time(grid, sheet, from);
  cell_time(grid, sheet, to);
  cell_time(grid, sheet, to - from);
  cell_part(grid, sheet, from, to);
}

static void difference_row(Grid *grid, const Sheet *sheet, const Graph *g,
                           const ModelDifference *difference)
{
  static const char *const analyses[] = { "early", "late" };
  Slot driver = g->arcs.to[difference->arc];
  cell_pin(grid, sheet, g->slots.pin[g->arcs.from[difference->arc]]);
  cell_pin(grid, sheet, g->slots.pin[driver]);
  if (difference->point == driver) grid_text(grid, "-");
  else cell_pin(grid, sheet, g->slots.pin[difference->point]);
  grid_printf(grid, "%s %s", edge_name(difference->in), edge_name(difference->out));
  grid_text(grid, analyses[difference->early_late]);
  cells_times(grid, sheet, difference->from.delay, difference->to.delay);
  cells_times(grid, sheet, difference->from.slew, difference->to.slew);
}

static void heading(Grid *grid, const CompareQuery *query)
{
  const char *from = delay_model_name((int)query->from), *to = delay_model_name((int)query->to);
  grid_row(grid, "from|driver|load|edges|analysis");
  grid_printf(grid, "delay: %s", from);
  grid_row(grid, to);
  grid_row(grid, "difference|%");
  grid_printf(grid, "slew: %s", from);
  grid_row(grid, to);
  grid_row(grid, "difference|%");
}

void report_model_differences(const Sheet *sheet, const Timing *t, const CompareQuery *query)
{
  ModelDifferences found = { 0 };
  uint64_t compared;
  query_compare_models(t, query, &found, &compared);
  Grid *grid = grid_new("lllllrrrrrrrr", 0);
  heading(grid, query);
  for (uint32_t i = 0; i < found.len; i++) difference_row(grid, sheet, t->g, &found.at[i]);
  grid_finish(grid, sheet->out);
  if (compared == 0)
    text_put(sheet->out,
             "0 pins compared: no arc of a cell drives one of these pins with a delay that "
             "a model computes\n");
  else
    text_printf(sheet->out, "%llu pins compared, %u listed\n", (unsigned long long)compared,
                found.len);
  array_free(&found);
}
