/* Reports a placement in numbers. See report_placement.h. */
#include "report/report_placement.h"

#include <math.h>

#include "base/interrupt.h"
#include "place/legality.h"
#include "place/wire_length.h"
#include "report/grid.h"

typedef struct {
  const Placement *p;
  char  separator;
  Text *out;
} Report;

static const char *name_of(const Placement *p, ComponentId id)
{
  return names_text(p->names, p->components.at[id].name);
}

static double um(const Report *r, int64_t length) { return placement_um(r->p, length); }

/* --- what there is ---------------------------------------------------------------------------- */

static void write_head(const Report *r)
{
  const Placement *p = r->p;
  Box d = p->die_box;
  text_printf(r->out, "design %s, %d database units a micron\n",
              names_text(p->physical->names, p->design), p->physical->units);
  text_printf(r->out, "die (%.3f %.3f) (%.3f %.3f)%s, %u row%s, %u track pattern%s\n", um(r, d.x0),
              um(r, d.y0), um(r, d.x1), um(r, d.y1),
              p->die.len > 2 ? ", the box around its outline" : "", p->rows.len,
              p->rows.len == 1 ? "" : "s", p->tracks.len, p->tracks.len == 1 ? "" : "s");
}

static void write_status(const Report *r, const PlacementArea *a)
{
  static const char *const names[] = { "unplaced", "placed", "fixed", "cover" };
  Grid *g = grid_new("lrr", 0);
  grid_row(g, "components|count|area");
  for (int i = 0; i < 4; i++) {
    grid_text(g, names[i]);
    grid_printf(g, "%u", a->count[i]);
    grid_printf(g, "%.3f", a->area[i]);
  }
  grid_rule(g);
  grid_text(g, "core cells");
  grid_printf(g, "%u", a->cores);
  grid_printf(g, "%.3f", a->core_area);
  grid_text(g, "blocks");
  grid_printf(g, "%u", a->blocks);
  grid_printf(g, "%.3f", a->block_area);
  grid_text(g, "fillers");
  grid_printf(g, "%u", a->fillers);
  grid_printf(g, "%.3f", a->filler_area);
  grid_text(g, "others");
  grid_printf(g, "%u", a->others);
  grid_text(g, "-");
  grid_finish(g, r->out);
}

static void write_areas(const Report *r, const PlacementArea *a)
{
  text_printf(r->out, "\narea of the die      %.3f\n", a->die_area);
  text_printf(r->out, "area of free rows    %.3f\n", a->row_area);
  if (isnan(a->utilisation)) text_put(r->out, "utilisation          -\n");
  else text_printf(r->out, "utilisation          %.4f\n", a->utilisation);
}

/* --- wires ------------------------------------------------------------------------------------ */

static void write_longest(const Report *r, const WireLengths *w)
{
  Grid *g = grid_new("rrl", 0);
  if (w->found == 0) {
    grid_free(g);
    return;
  }
  grid_row(g, "length|pins|longest nets");
  for (uint32_t i = 0; i < w->found; i++) {
    grid_printf(g, "%.3f", um(r, w->longest[i].length));
    grid_printf(g, "%u", placement_net_span(r->p, w->longest[i].net).pins);
    placement_net_name(r->p, w->longest[i].net, r->separator, grid_open(g));
    grid_close(g);
  }
  text_char(r->out, '\n');
  grid_finish(g, r->out);
}

static bool write_wires(const Report *r, uint32_t most)
{
  WireLengths w = { .most = most };
  uint32_t nets = placement_net_count(r->p);
  if (w.most > nets) w.most = nets;
  w.longest = mem_alloc_zero((size_t)w.most + 1, sizeof *w.longest);
  bool done = wire_lengths(r->p, &w);
  text_printf(r->out, "nets                 %u, %u with pins that have no place\n", w.nets, w.open);
  text_printf(r->out, "half perimeters      %.3f\n", um(r, w.total));
  if (w.nets)
    text_printf(r->out, "mean of a net        %.3f\n", um(r, w.total) / w.nets);
  if (done) write_longest(r, &w);
  mem_free(w.longest);
  return done;
}

/* --- what is not legal ------------------------------------------------------------------------ */

static void write_count(const Report *r, const char *what, uint32_t count, ComponentId first)
{
  text_printf(r->out, "%-20s %u", what, count);
  if (count) text_printf(r->out, ", %.200s the first", name_of(r->p, first));
  text_char(r->out, '\n');
}

static bool write_legality(const Report *r)
{
  Overlaps o;
  OffGrid g;
  if (!find_overlaps(r->p, &o) || !find_off_grid(r->p, &g)) return false;
  double unit = r->p->physical->units;
  text_printf(r->out, "\noverlaps             %s%u pair%s of %u component%s, area %.3f",
              o.pairs == OVERLAPS_COUNTED ? "at least " : "", o.pairs, o.pairs == 1 ? "" : "s",
              o.cells, o.cells == 1 ? "" : "s", o.area / (unit * unit));
  if (o.pairs)
    text_printf(r->out, ", %.200s and %.200s the first", name_of(r->p, o.a), name_of(r->p, o.b));
  text_char(r->out, '\n');
  write_count(r, "outside of rows", g.off_row, g.first_off_row);
  write_count(r, "beside sites", g.off_site, g.first_off_site);
  write_count(r, "outside of the die", g.off_die, g.first_off_die);
  return true;
}

/* --- the netlist ------------------------------------------------------------------------------ */

typedef struct { uint32_t count; ComponentId first; } Odd;

static void note(Odd *odd, ComponentId id)
{
  if (odd->count++ == 0) odd->first = id;
}

static void write_missing(const Report *r)
{
  const Netlist *n = r->p->netlist;
  uint32_t count = 0;
  InstId first = NO_INST;
  for (InstId i = 1; i < n->insts.len; i++)
    if (!(n->insts.at[i].flags & (INST_DELETED | INST_HIERARCHICAL))
        && placement_component_of(r->p, i) == NO_COMPONENT && count++ == 0)
      first = i;
  text_printf(r->out, "%-20s %u", "cells without one", count);
  if (count) {
    text_put(r->out, ", ");
    netlist_inst_name(n, first, r->separator, r->out);
    text_put(r->out, " the first");
  }
  text_char(r->out, '\n');
}

static void write_netlist(const Report *r)
{
  const Placement *p = r->p;
  Odd macro = { 0, NO_COMPONENT }, master = macro, extra = macro;
  for (ComponentId i = 0; i < p->components.len; i++) {
    const Component *c = &p->components.at[i];
    if (component_is_gone(p, c)) continue;
    if (c->macro == NO_MACRO) note(&macro, i);
    if (c->flags & COMPONENT_OTHER_MASTER) note(&master, i);
    if (c->inst == NO_INST) note(&extra, i);
  }
  text_char(r->out, '\n');
  write_count(r, "without a macro", macro.count, macro.first);
  if (p->netlist == NULL) {
    text_put(r->out, "no netlist is linked\n");
    return;
  }
  write_count(r, "not in the netlist", extra.count, extra.first);
  write_count(r, "of another master", master.count, master.first);
  write_missing(r);
}

bool report_placement(const Placement *p, char separator, uint32_t nets, Text *out)
{
  Report r = { p, separator, out };
  PlacementArea area;
  if (!placement_area(p, &area)) return false;
  write_head(&r);
  text_char(out, '\n');
  write_status(&r, &area);
  write_areas(&r, &area);
  if (!write_wires(&r, nets) || !write_legality(&r)) return false;
  write_netlist(&r);
  return !interrupt_seen();
}
