/* Reports area, leakage and use of library cells by group. See usage.h. */
#include "report/usage.h"

#include <math.h>

#include "base/interrupt.h"

/* --- groups ----------------------------------------------------------------------------------- */
typedef enum { KIND_SEQUENTIAL, KIND_COMBINATIONAL, KIND_CLOCK, KIND_MACRO, KIND_PAD, KINDS } Kind;
static const char *const kind_names[KINDS] = { "Sequential", "Combinational", "Clock", "Macro",
                                               "Pad" };

/* Do clocks pass all outputs? */
static bool in_clock_network(const Graph *g, InstId inst)
{
  const Inst *in = &g->netlist->insts.at[inst];
  bool any = false;
  for (PinId p = in->first_pin; p < in->first_pin + in->pin_count; p++) {
    Slot s = netlist_pin_drives(g->netlist, p) ? graph_slot(g, p, true) : NO_SLOT;
    if (s == NO_SLOT) continue;
    if (!graph_slot_has_clock(g, s)) return false;
    any = true;
  }
  return any;
}

/* g NULL: clocks are not known. */
static Kind kind_of(const Netlist *n, const Graph *g, InstId inst)
{
  const LibCell *c = &n->libs->cells.at[n->insts.at[inst].master];
  if (c->flags & (CELL_MACRO | CELL_MEMORY | CELL_BLACK_BOX)) return KIND_MACRO;
  if (c->flags & CELL_PAD) return KIND_PAD;
  if (g && in_clock_network(g, inst)) return KIND_CLOCK;
  return c->flags & (CELL_SEQUENTIAL | CELL_CLOCK_GATE) ? KIND_SEQUENTIAL : KIND_COMBINATIONAL;
}

static uint32_t key_of(const Netlist *n, const Graph *g, CellGrouping by, InstId inst)
{
  const Inst *i = &n->insts.at[inst];
  const LibCell *c = &n->libs->cells.at[i->master];
  switch (by) {
  case GROUP_BY_KIND:    return kind_of(n, g, inst);
  case GROUP_BY_MODULE:
    return i->parent == TOP_INST ? n->top_name : netlist_inst_master_name(n, i->parent);
  case GROUP_BY_LIBRARY: return c->library;
  case GROUP_BY_THRESHOLD: return library_threshold_group(n->libs, i->master);
  default:               return i->master;
  }
}

static const char *label_of(const Netlist *n, CellGrouping by, uint32_t key)
{
  switch (by) {
  case GROUP_BY_KIND: return kind_names[key];
  case GROUP_BY_LIBRARY:
    return key == NO_LIBRARY ? "(none)" : names_text(n->names, n->libs->libraries.at[key].name);
  case GROUP_BY_LIB_CELL: return names_text(n->names, n->libs->cells.at[key].name);
  default: return key == NO_NAME ? "-" : names_text(n->names, key);
  }
}

/* --- sums ------------------------------------------------------------------------------------- */
typedef struct {
  uint32_t    key;
  const char *label;
  uint64_t    cells, unknown;          /* unknown: whose library says nothing of it */
  double      sum;
} Sum;

typedef struct {
  ARRAY(Sum) rows;
  Map *row_of;                         /* key -> row */
  Sum  all;
} Sums;

static void add_to(Sum *s, double value)
{
  s->cells++;
  if (isnan(value)) s->unknown++;
  else s->sum += value;
}

static void add(Sums *s, const Netlist *n, CellGrouping by, uint32_t key, double value)
{
  uint32_t at = map_get(s->row_of, (uint64_t)key << 1);
  if (at == MAP_NO_VALUE) {
    at = s->rows.len;
    map_put(s->row_of, (uint64_t)key << 1, at);
    array_push(&s->rows, (Sum){ .key = key, .label = label_of(n, by, key) });
  }
  add_to(&s->rows.at[at], value);
  add_to(&s->all, value);
}

static int by_label(const void *a, const void *b)
{
  return text_compare_natural(((const Sum *)a)->label, ((const Sum *)b)->label);
}

/* l NULL: areas. */
static double value_of(const Netlist *n, Leakage *l, InstId inst)
{
  return l ? leakage_of(l, inst) : n->libs->cells.at[n->insts.at[inst].master].area;
}

static Sums sum_up(const Netlist *n, const Graph *g, Leakage *l, CellGrouping by)
{
  Sums s = { .row_of = map_new() };
  for (InstId i = TOP_INST + 1; i < n->insts.len && !interrupt_seen(); i++)
    if (inst_is_there(n, i))
      add(&s, n, by, key_of(n, g, by, i), value_of(n, l, i));
  if (s.rows.len) qsort(s.rows.at, s.rows.len, sizeof *s.rows.at, by_label);
  return s;
}

static void free_sums(Sums *s)
{
  array_free(&s->rows);
  map_free(s->row_of);
}

static double share(double part, double whole) { return whole > 0 ? 100 * part / whole : 0; }

static void tell_unknown(const Sheet *s, const Sum *all, const char *what)
{
  if (all->unknown)
    text_printf(s->out, "%llu cell%s without %s in the library\n",
                (unsigned long long)all->unknown, all->unknown == 1 ? "" : "s", what);
}

/* --- leakage ---------------------------------------------------------------------------------- */
static const double watts = 1e-9;          /* of a nW */

static void power_row(const Sheet *s, Grid *g, const char *name, double sum, double all)
{
  grid_text(g, name);
  grid_text(g, "-");
  grid_text(g, "-");
  grid_printf(g, "%.*e", s->digits, sum * watts);
  grid_printf(g, "%.*e", s->digits, sum * watts);
  grid_printf(g, "%.1f%%", share(sum, all));
}

static double sum_of_kind(const Sums *sums, Kind kind)
{
  for (uint32_t i = 0; i < sums->rows.len; i++)
    if (sums->rows.at[i].key == (uint32_t)kind) return sums->rows.at[i].sum;
  return 0;
}

static void leakage_by_kind(const Sheet *s, const Graph *g, Leakage *l)
{
  Sums sums = sum_up(s->netlist, g, l, GROUP_BY_KIND);
  Grid *grid = grid_new("lrrrrr", 0);
  grid_row(grid, "Group|Internal|Switching|Leakage|Total (Watts)|");
  grid_rule(grid);
  for (Kind k = 0; k < KINDS; k++)
    power_row(s, grid, kind_names[k], sum_of_kind(&sums, k), sums.all.sum);
  grid_rule(grid);
  power_row(s, grid, "Total", sums.all.sum, sums.all.sum);
  grid_finish(grid, s->out);
  tell_unknown(s, &sums.all, "leakage");
  free_sums(&sums);
}

static const char *const grouping_heads[] = { "kind", "module", "library", "threshold group",
                                              "library cell" };

/* A table of sums with their shares. */
static void table(const Sheet *s, const Sums *sums, CellGrouping by, const char *what, double unit,
                  const char *format)
{
  Grid *g = grid_new("lrrr", 0);
  grid_text(g, grouping_heads[by]);
  grid_text(g, "cells");
  grid_text(g, what);
  grid_text(g, "share");
  for (uint32_t i = 0; i <= sums->rows.len; i++) {
    const Sum *x = i < sums->rows.len ? &sums->rows.at[i] : &sums->all;
    if (i == sums->rows.len) grid_rule(g);
    grid_text(g, x->label ? x->label : "all");
    grid_printf(g, "%llu", (unsigned long long)x->cells);
    Text *t = grid_open(g);
    if (*format == 'e') text_printf(t, "%.*e", s->digits, x->sum * unit);
    else text_printf(t, "%.*f", s->digits, x->sum * unit);
    grid_close(g);
    grid_printf(g, "%.1f%%", share(x->sum, sums->all.sum));
  }
  grid_finish(g, s->out);
}

void report_leakage(const Sheet *s, const Graph *g, Leakage *l, CellGrouping by)
{
  leakage_by_kind(s, g, l);
  if (by == GROUP_BY_KIND) return;
  Sums sums = sum_up(s->netlist, g, l, by);
  text_char(s->out, '\n');
  table(s, &sums, by, "leakage (Watts)", watts, "e");
  free_sums(&sums);
}

/* --- area and use ----------------------------------------------------------------------------- */
void report_area(const Sheet *s, CellGrouping by)
{
  Sums sums = sum_up(s->netlist, NULL, NULL, by);
  table(s, &sums, by, "area", 1, "f");
  tell_unknown(s, &sums.all, "area");
  free_sums(&sums);
}

void report_cell_usage(const Sheet *s)
{
  Sums sums = sum_up(s->netlist, NULL, NULL, GROUP_BY_LIB_CELL);
  Grid *g = grid_new("llrrr", 0);
  grid_row(g, "library cell|library|cells|area|total area");
  for (uint32_t i = 0; i < sums.rows.len; i++) {
    const Sum *x = &sums.rows.at[i];
    const LibCell *c = &s->libs->cells.at[x->key];
    grid_text(g, x->label);
    grid_text(g, label_of(s->netlist, GROUP_BY_LIBRARY, c->library));
    grid_printf(g, "%llu", (unsigned long long)x->cells);
    grid_printf(g, "%.*f", s->digits, c->area);
    grid_printf(g, "%.*f", s->digits, x->sum);
  }
  grid_rule(g);
  grid_printf(g, "%u library cell%s", sums.rows.len, sums.rows.len == 1 ? "" : "s");
  grid_text(g, "");
  grid_printf(g, "%llu", (unsigned long long)sums.all.cells);
  grid_text(g, "");
  grid_printf(g, "%.*f", s->digits, sums.all.sum);
  grid_finish(g, s->out);
  free_sums(&sums);
}
