/* Reports a placement in numbers. See report_placement.h. */
#include "report/report_placement.h"

#include <math.h>

#include "base/interrupt.h"
#include "place/legality.h"
#include "place/wire_length.h"
#include "report/grid.h"

typedef struct {
  const Placement *placement;
  char  separator;
  Text *out;
} Report;

static const char *name_of(const Placement *placement, ComponentId id)
{
  return names_text(placement->names, placement->components.at[id].name);
}

static double um(const Report *report, int64_t length)
{
  return placement_um(report->placement, length);
}

/* --- what there is ---------------------------------------------------------------------------- */

static void write_head(const Report *report)
{
  const Placement *placement = report->placement;
  Box d = placement->die_box;
  text_printf(report->out, "design %s, %d database units a micron\n",
              names_text(placement->physical->names, placement->design),
              placement->physical->units);
  text_printf(report->out, "die (%.3f %.3f) (%.3f %.3f)%s, %u row%s, %u track pattern%s\n",
              um(report, d.x0), um(report, d.y0), um(report, d.x1), um(report, d.y1),
              placement->die.len > 2 ? ", the box around its outline" : "", placement->rows.len,
              placement->rows.len == 1 ? "" : "s", placement->tracks.len,
              placement->tracks.len == 1 ? "" : "s");
}

static void write_status(const Report *report, const PlacementArea *area)
{
  static const char *const names[] = { "unplaced", "placed", "fixed", "cover" };
  Grid *grid = grid_new("lrr", 0);
  grid_row(grid, "components|count|area");
  for (int i = 0; i < 4; i++) {
    grid_text(grid, names[i]);
    grid_printf(grid, "%u", area->count[i]);
    grid_printf(grid, "%.3f", area->area[i]);
  }
  grid_rule(grid);
  grid_text(grid, "core cells");
  grid_printf(grid, "%u", area->cores);
  grid_printf(grid, "%.3f", area->core_area);
  grid_text(grid, "blocks");
  grid_printf(grid, "%u", area->blocks);
  grid_printf(grid, "%.3f", area->block_area);
  grid_text(grid, "fillers");
  grid_printf(grid, "%u", area->fillers);
  grid_printf(grid, "%.3f", area->filler_area);
  grid_text(grid, "others");
  grid_printf(grid, "%u", area->others);
  grid_text(grid, "-");
  grid_finish(grid, report->out);
}

static void write_areas(const Report *report, const PlacementArea *area)
{
  text_printf(report->out, "\narea of the die      %.3f\n", area->die_area);
  text_printf(report->out, "area of free rows    %.3f\n", area->row_area);
  if (isnan(area->utilisation)) text_put(report->out, "utilisation          -\n");
  else text_printf(report->out, "utilisation          %.4f\n", area->utilisation);
}

/* --- wires ------------------------------------------------------------------------------------ */

static void write_longest(const Report *report, const WireLengths *lengths)
{
  Grid *grid = grid_new("rrl", 0);
  if (lengths->found == 0) {
    grid_free(grid);
    return;
  }
  grid_row(grid, "length|pins|longest nets");
  for (uint32_t i = 0; i < lengths->found; i++) {
    grid_printf(grid, "%.3f", um(report, lengths->longest[i].length));
    grid_printf(grid, "%u", placement_net_span(report->placement, lengths->longest[i].net).pins);
    placement_net_name(report->placement, lengths->longest[i].net, report->separator,
                       grid_open(grid));
    grid_close(grid);
  }
  text_char(report->out, '\n');
  grid_finish(grid, report->out);
}

static bool write_wires(const Report *report, uint32_t most)
{
  WireLengths w = { .most = most };
  uint32_t nets = placement_net_count(report->placement);
  if (w.most > nets) w.most = nets;
  w.longest = mem_alloc_zero((size_t)w.most + 1, sizeof *w.longest);
  bool done = wire_lengths(report->placement, &w);
  text_printf(report->out, "nets                 %u, %u with pins that have no place\n", w.nets,
              w.open);
  text_printf(report->out, "half perimeters      %.3f\n", um(report, w.total));
  if (w.nets)
    text_printf(report->out, "mean of a net        %.3f\n", um(report, w.total) / w.nets);
  if (done) write_longest(report, &w);
  mem_free(w.longest);
  return done;
}

/* --- what is not legal ------------------------------------------------------------------------ */

static void write_count(const Report *report, const char *what, uint32_t count, ComponentId first)
{
  text_printf(report->out, "%-20s %u", what, count);
  if (count) text_printf(report->out, ", %.200s the first", name_of(report->placement, first));
  text_char(report->out, '\n');
}

static bool write_legality(const Report *report)
{
  Overlaps o;
  OffGrid g;
  if (!find_overlaps(report->placement, &o) || !find_off_grid(report->placement, &g)) return false;
  double unit = report->placement->physical->units;
  text_printf(report->out, "\noverlaps             %s%u pair%s of %u component%s, area %.3f",
              o.pairs == OVERLAPS_COUNTED ? "at least " : "", o.pairs, o.pairs == 1 ? "" : "s",
              o.cells, o.cells == 1 ? "" : "s", o.area / (unit * unit));
  if (o.pairs)
    text_printf(report->out, ", %.200s and %.200s the first", name_of(report->placement, o.a),
                name_of(report->placement, o.b));
  text_char(report->out, '\n');
  write_count(report, "outside of rows", g.off_row, g.first_off_row);
  write_count(report, "beside sites", g.off_site, g.first_off_site);
  write_count(report, "outside of the die", g.off_die, g.first_off_die);
  return true;
}

/* --- the netlist ------------------------------------------------------------------------------ */

/* Components that have the same fault. */
typedef struct { uint32_t count; ComponentId first; } Faulty;

static void add_faulty(Faulty *faulty, ComponentId id)
{
  if (faulty->count++ == 0) faulty->first = id;
}

static void write_missing(const Report *report)
{
  const Netlist *n = report->placement->netlist;
  uint32_t count = 0;
  InstId first = NO_INST;
  for (InstId i = 1; i < n->insts.len; i++)
    if (!(n->insts.at[i].flags & (INST_DELETED | INST_HIERARCHICAL))
        && placement_component_of(report->placement, i) == NO_COMPONENT && count++ == 0)
      first = i;
  text_printf(report->out, "%-20s %u", "cells without one", count);
  if (count) {
    text_put(report->out, ", ");
    netlist_inst_name(n, first, report->separator, report->out);
    text_put(report->out, " the first");
  }
  text_char(report->out, '\n');
}

static void write_netlist(const Report *report)
{
  const Placement *placement = report->placement;
  Faulty macro = { 0, NO_COMPONENT }, master = macro, extra = macro;
  for (ComponentId i = 0; i < placement->components.len; i++) {
    const Component *component = &placement->components.at[i];
    if (component_is_gone(placement, component)) continue;
    if (component->macro == NO_MACRO) add_faulty(&macro, i);
    if (component->flags & COMPONENT_OTHER_MASTER) add_faulty(&master, i);
    if (component->inst == NO_INST) add_faulty(&extra, i);
  }
  text_char(report->out, '\n');
  write_count(report, "without a macro", macro.count, macro.first);
  if (placement->netlist == NULL) {
    text_put(report->out, "no netlist is linked\n");
    return;
  }
  write_count(report, "not in the netlist", extra.count, extra.first);
  write_count(report, "of another master", master.count, master.first);
  write_missing(report);
}

bool report_placement(const Placement *placement, char separator, uint32_t nets, Text *out)
{
  Report r = { placement, separator, out };
  PlacementArea area;
  if (!placement_area(placement, &area)) return false;
  write_head(&r);
  text_char(out, '\n');
  write_status(&r, &area);
  write_areas(&r, &area);
  if (!write_wires(&r, nets) || !write_legality(&r)) return false;
  write_netlist(&r);
  return !interrupt_seen();
}
