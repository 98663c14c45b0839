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

static void network_row(Grid *c, const Sheet *s, const Timing *t, ClockId id)
{
  ClockNetwork n = query_clock_network(t, id);
  cell_name(c, s, s->constraints->clocks.at[id].name);
  grid_printf(c, "%u", n.sinks);
  grid_printf(c, "%u-%u", n.levels[0], n.levels[1]);
  grid_printf(c, "%u", n.buffers);
  grid_printf(c, "%u", n.inverters);
  grid_printf(c, "%u", n.gates);
  cell_time(c, s, n.latency[EARLY]);
  cell_time(c, s, n.latency[LATE]);
  cell_time(c, s, n.latency[LATE] - n.latency[EARLY]);
  cell_time(c, s, n.slew_pin == NO_PIN ? NAN : n.slew);
  cell_pin(c, s, n.slew_pin);
  cell_cap(c, s, n.cap);
}

static const char *point_kind(const Graph *g, const ClockPoint *p)
{
  PinId pin = g->slots.pin[p->slot];
  if (pin_is_top_port(g->netlist, pin)) return "port";
  return names_text(
      g->netlist->names,
      g->libs->cells.at[g->netlist->insts.at[g->netlist->pins.at[pin].inst].master].name);
}

static void point_row(Grid *c, const Sheet *s, const Timing *t, ClockId id, const ClockPoint *p)
{
  const Graph *g = t->g;
  Text *name = grid_open(c);
  for (uint32_t i = 0; i < p->depth; i++) text_put(name, "  ");
  sheet_pin(s, name, g->slots.pin[p->slot]);
  grid_close(c);
  grid_text(c, point_kind(g, p));
  if (p->sink) grid_text(c, "");
  else grid_printf(c, "%u", g->nets.load_count[p->slot]);
  for (int edge = RISE; edge <= FALL; edge++) {
    cell_time(c, s, query_clock_latency(t, p->slot, id, edge, EARLY, false));
    cell_time(c, s, query_clock_latency(t, p->slot, id, edge, LATE, false));
  }
}

static void tree_table(const Sheet *s, const Timing *t, ClockId id)
{
  ClockPoints points = { 0 };
  query_clock_points(t, id, &points);
  text_printf(s->out, "\nclock %s\n\n",
              names_text(s->netlist->names, s->constraints->clocks.at[id].name));
  Grid *c = grid_new("llrrrrr", 0);
  grid_row(c, "pin|of|loads|" HEAD4);
  for (uint32_t i = 0; i < points.len; i++) point_row(c, s, t, id, &points.at[i]);
  grid_finish(c, s->out);
  array_free(&points);
}

void report_clock_networks(const Sheet *s, const Timing *t, const Object *clocks, uint32_t count,
                           bool tree)
{
  const Constraints *k = s->constraints;
  Grid *c = grid_new("lrrrrrrrrrlr", 0);
  grid_row(
      c, "clock|registers|levels|buffers|inverters|gates|earliest|latest|skew|worst slew|at|load");
  for (ClockId id = 0; id < k->clocks.len; id++)
    if (!k->clocks.at[id].deleted && k->clocks.at[id].sources.len && is_meant(id, clocks, count))
      network_row(c, s, t, id);
  grid_finish(c, s->out);
  for (ClockId id = 0; tree && id < k->clocks.len; id++)
    if (!k->clocks.at[id].deleted && k->clocks.at[id].sources.len && is_meant(id, clocks, count))
      tree_table(s, t, id);
}
