/* Writes compare_delay_models. */
#include "report/report_models.h"

#include <math.h>

static void cell_part(Grid *c, const Sheet *s, float from, float to)
{
  float part = model_part(from, to);
  if (isnan(part)) grid_text(c, "-");
  else grid_printf(c, "%.*f", s->digits > 0 ? s->digits - 1 : 0, 100 * (double)part);
}

static void cells_times(Grid *c, const Sheet *s, float from, float to)
{
  cell_time(c, s, from);
  cell_time(c, s, to);
  cell_time(c, s, to - from);
  cell_part(c, s, from, to);
}

static void difference_row(Grid *c, const Sheet *s, const Graph *g, const ModelDifference *d)
{
  static const char *const analyses[] = { "early", "late" };
  Slot driver = g->arcs.to[d->arc];
  cell_pin(c, s, g->slots.pin[g->arcs.from[d->arc]]);
  cell_pin(c, s, g->slots.pin[driver]);
  if (d->point == driver) grid_text(c, "-");
  else cell_pin(c, s, g->slots.pin[d->point]);
  grid_printf(c, "%s %s", edge_name(d->in), edge_name(d->out));
  grid_text(c, analyses[d->early_late]);
  cells_times(c, s, d->from.delay, d->to.delay);
  cells_times(c, s, d->from.slew, d->to.slew);
}

static void heading(Grid *c, const CompareQuery *q)
{
  const char *from = delay_model_name((int)q->from), *to = delay_model_name((int)q->to);
  grid_row(c, "from|driver|load|edges|analysis");
  grid_printf(c, "delay: %s", from);
  grid_row(c, to);
  grid_row(c, "difference|%");
  grid_printf(c, "slew: %s", from);
  grid_row(c, to);
  grid_row(c, "difference|%");
}

void report_model_differences(const Sheet *s, const Timing *t, const CompareQuery *q)
{
  ModelDifferences found = { 0 };
  uint64_t compared;
  query_compare_models(t, q, &found, &compared);
  Grid *c = grid_new("lllllrrrrrrrr", 0);
  heading(c, q);
  for (uint32_t i = 0; i < found.len; i++) difference_row(c, s, t->g, &found.at[i]);
  grid_finish(c, s->out);
  if (compared == 0)
    text_put(s->out, "0 pins compared: no arc of a cell drives one of these pins with a delay that "
                     "a model computes\n");
  else
    text_printf(s->out, "%llu pins compared, %u listed\n", (unsigned long long)compared, found.len);
  array_free(&found);
}
