/* Writes the networks of clocks: a line for each, or the whole tree. */
#include <math.h>

#include "query/clock_network.h"
#include "query/clock_tree.h"
#include "report/report_clocks.h"

static bool is_meant(ClockId id, const Object *clocks, uint32_t count)
{
  for (uint32_t i = 0; i < count; i++)
    if (clocks[i].id == id) return true;
  return clocks == NULL;
}

static void network_row(Grid *grid, const Sheet *sheet, const Timing *t, ClockId id)
{
  ClockNetwork n = query_clock_network(t, id);
  cell_name(grid, sheet, sheet->constraints->clocks.at[id].name);
  grid_printf(grid, "%u", n.sinks);
  grid_printf(grid, "%u-%u", n.levels[0], n.levels[1]);
  grid_printf(grid, "%u", n.buffers);
  grid_printf(grid, "%u", n.inverters);
  grid_printf(grid, "%u", n.gates);
  cell_time(grid, sheet, n.latency[EARLY]);
  cell_time(grid, sheet, n.latency[LATE]);
  cell_time(grid, sheet, n.latency[LATE] - n.latency[EARLY]);
  cell_time(grid, sheet, n.slew_pin == NO_PIN ? NAN : n.slew);
  cell_pin(grid, sheet, n.slew_pin);
  cell_cap(grid, sheet, n.cap);
}

static const char *point_kind(const Graph *g, const ClockPoint *point)
{
  PinId pin = g->slots.pin[point->slot];
  if (pin_is_top_port(g->netlist, pin)) return "port";
  return names_text(
      g->netlist->names,
      g->libs->cells.at[g->netlist->insts.at[g->netlist->pins.at[pin].inst].master].name);
}

static void point_row(Grid *grid, const Sheet *sheet, const Timing *t, ClockId id,
                      const ClockPoint *point)
{
  const Graph *g = t->g;
  Text *name = grid_open(grid);
  for (uint32_t i = 0; i < point->depth; i++) text_put(name, "  ");
  sheet_pin(sheet, name, g->slots.pin[point->slot]);
  grid_close(grid);
  grid_text(grid, point_kind(g, point));
  if (point->sink) grid_text(grid, "");
  else grid_printf(grid, "%u", g->nets.load_count[point->slot]);
  for (int edge = RISE; edge <= FALL; edge++) {
    cell_time(grid, sheet, query_clock_latency(t, point->slot, id, edge, EARLY, false));
    cell_time(grid, sheet, query_clock_latency(t, point->slot, id, edge, LATE, false));
  }
}

static void tree_table(const Sheet *sheet, const Timing *t, ClockId id)
{
  ClockPoints points = { 0 };
  query_clock_points(t, id, &points);
  text_printf(sheet->out, "\nclock %s\n\n",
              names_text(sheet->netlist->names, sheet->constraints->clocks.at[id].name));
  Grid *grid = grid_new("llrrrrr", 0);
  grid_row(grid, "pin|of|loads|" HEAD4);
  for (uint32_t i = 0; i < points.len; i++) point_row(grid, sheet, t, id, &points.at[i]);
  grid_finish(grid, sheet->out);
  array_free(&points);
}

void report_clock_networks(const Sheet *sheet, const Timing *t, const Object *clocks,
                           uint32_t count, bool tree)
{
  const Constraints *constraints = sheet->constraints;
  Grid *grid = grid_new("lrrrrrrrrrlr", 0);
  grid_row(
      grid,
      "clock|registers|levels|buffers|inverters|gates|earliest|latest|skew|worst slew|at|load");
  for (ClockId id = 0; id < constraints->clocks.len; id++)
    if (!constraints->clocks.at[id].deleted && constraints->clocks.at[id].sources.len
        && is_meant(id, clocks, count))
      network_row(grid, sheet, t, id);
  grid_finish(grid, sheet->out);
  for (ClockId id = 0; tree && id < constraints->clocks.len; id++)
    if (!constraints->clocks.at[id].deleted && constraints->clocks.at[id].sources.len
        && is_meant(id, clocks, count))
      tree_table(sheet, t, id);
}
