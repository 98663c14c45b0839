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
  const LibCell *cell = &n->libs->cells.at[n->insts.at[inst].master];
  if (cell->flags & (CELL_MACRO | CELL_MEMORY | CELL_BLACK_BOX)) return KIND_MACRO;
  if (cell->flags & CELL_PAD) return KIND_PAD;
  if (g && in_clock_network(g, inst)) return KIND_CLOCK;
  return cell->flags & (CELL_SEQUENTIAL | CELL_CLOCK_GATE) ? KIND_SEQUENTIAL : KIND_COMBINATIONAL;
}

static uint32_t key_of(const Netlist *n, const Graph *g, CellGrouping by, InstId inst)
{
  const Inst *cell = &n->insts.at[inst];
  const LibCell *lib_cell = &n->libs->cells.at[cell->master];
  switch (by) {
  case GROUP_BY_KIND:    return kind_of(n, g, inst);
  case GROUP_BY_MODULE:
    return cell->parent == TOP_INST ? n->top_name : netlist_inst_master_name(n, cell->parent);
  case GROUP_BY_LIBRARY: return lib_cell->library;
  case GROUP_BY_THRESHOLD: return library_threshold_group(n->libs, cell->master);
  default:               return cell->master;
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

static void add_to(Sum *sum, double value)
{
  sum->cells++;
  if (isnan(value)) sum->unknown++;
  else sum->sum += value;
}

static void add(Sums *sums, const Netlist *n, CellGrouping by, uint32_t key, double value)
{
  uint32_t at = map_get(sums->row_of, (uint64_t)key << 1);
  if (at == MAP_NO_VALUE) {
    at = sums->rows.len;
    map_put(sums->row_of, (uint64_t)key << 1, at);
    array_push(&sums->rows, (Sum){ .key = key, .label = label_of(n, by, key) });
  }
  add_to(&sums->rows.at[at], value);
  add_to(&sums->all, value);
}

static int by_label(const void *a, const void *b)
{
  return text_compare_natural(((const Sum *)a)->label, ((const Sum *)b)->label);
}

/* leakage NULL: areas. */
static double value_of(const Netlist *n, Leakage *leakage, InstId inst)
{
  return leakage ? leakage_of(leakage, inst) : n->libs->cells.at[n->insts.at[inst].master].area;
}

static Sums sum_up(const Netlist *n, const Graph *g, Leakage *leakage, CellGrouping by)
{
  Sums s = { .row_of = map_new() };
  for (InstId i = TOP_INST + 1; i < n->insts.len && !interrupt_seen(); i++)
    if (inst_is_there(n, i))
      add(&s, n, by, key_of(n, g, by, i), value_of(n, leakage, i));
  if (s.rows.len) qsort(s.rows.at, s.rows.len, sizeof *s.rows.at, by_label);
  return s;
}

static void free_sums(Sums *sums)
{
  array_free(&sums->rows);
  map_free(sums->row_of);
}

static double share(double part, double whole) { return whole > 0 ? 100 * part / whole : 0; }

static void tell_unknown(const Sheet *sheet, const Sum *all, const char *what)
{
  if (all->unknown)
    text_printf(sheet->out, "%llu cell%s without %s in the library\n",
                (unsigned long long)all->unknown, all->unknown == 1 ? "" : "s", what);
}

/* --- leakage ---------------------------------------------------------------------------------- */
static const double watts = 1e-9;          /* of a nW */

static void power_row(const Sheet *sheet, Grid *grid, const char *name, double sum, double all)
{
  grid_text(grid, name);
  grid_text(grid, "-");
  grid_text(grid, "-");
  grid_printf(grid, "%.*e", sheet->digits, sum * watts);
  grid_printf(grid, "%.*e", sheet->digits, sum * watts);
  grid_printf(grid, "%.1f%%", share(sum, all));
}

static double sum_of_kind(const Sums *sums, Kind kind)
{
  for (uint32_t i = 0; i < sums->rows.len; i++)
    if (sums->rows.at[i].key == (uint32_t)kind) return sums->rows.at[i].sum;
  return 0;
}

static void leakage_by_kind(const Sheet *sheet, const Graph *g, Leakage *leakage)
{
  Sums sums = sum_up(sheet->netlist, g, leakage, GROUP_BY_KIND);
  Grid *grid = grid_new("lrrrrr", 0);
  grid_row(grid, "Group|Internal|Switching|Leakage|Total (Watts)|");
  grid_rule(grid);
  for (Kind k = 0; k < KINDS; k++)
    power_row(sheet, grid, kind_names[k], sum_of_kind(&sums, k), sums.all.sum);
  grid_rule(grid);
  power_row(sheet, grid, "Total", sums.all.sum, sums.all.sum);
  grid_finish(grid, sheet->out);
  tell_unknown(sheet, &sums.all, "leakage");
  free_sums(&sums);
}

static const char *const grouping_heads[] = { "kind", "module", "library", "threshold group",
                                              "library cell" };

/* A table of sums with their shares. */
static void table(const Sheet *sheet, const Sums *sums, CellGrouping by, const char *what,
                  double unit, const char *format)
{
  Grid *grid = grid_new("lrrr", 0);
  grid_text(grid, grouping_heads[by]);
  grid_text(grid, "cells");
  grid_text(grid, what);
  grid_text(grid, "share");
  for (uint32_t i = 0; i <= sums->rows.len; i++) {
    const Sum *sum = i < sums->rows.len ? &sums->rows.at[i] : &sums->all;
    if (i == sums->rows.len) grid_rule(grid);
    grid_text(grid, sum->label ? sum->label : "all");
    grid_printf(grid, "%llu", (unsigned long long)sum->cells);
    Text *text = grid_open(grid);
    if (*format == 'e') text_printf(text, "%.*e", sheet->digits, sum->sum * unit);
    else text_printf(text, "%.*f", sheet->digits, sum->sum * unit);
    grid_close(grid);
    grid_printf(grid, "%.1f%%", share(sum->sum, sums->all.sum));
  }
  grid_finish(grid, sheet->out);
}

void report_leakage(const Sheet *sheet, const Graph *g, Leakage *leakage, CellGrouping by)
{
  leakage_by_kind(sheet, g, leakage);
  if (by == GROUP_BY_KIND) return;
  Sums sums = sum_up(sheet->netlist, g, leakage, by);
  text_char(sheet->out, '\n');
  table(sheet, &sums, by, "leakage (Watts)", watts, "e");
  free_sums(&sums);
}

/* --- area and use ----------------------------------------------------------------------------- */
void report_area(const Sheet *sheet, CellGrouping by)
{
  Sums sums = sum_up(sheet->netlist, NULL, NULL, by);
  table(sheet, &sums, by, "area", 1, "f");
  tell_unknown(sheet, &sums.all, "area");
  free_sums(&sums);
}

void report_cell_usage(const Sheet *sheet)
{
  Sums sums = sum_up(sheet->netlist, NULL, NULL, GROUP_BY_LIB_CELL);
  Grid *grid = grid_new("llrrr", 0);
  grid_row(grid, "library cell|library|cells|area|total area");
  for (uint32_t i = 0; i < sums.rows.len; i++) {
    const Sum *sum = &sums.rows.at[i];
    const LibCell *cell = &sheet->libs->cells.at[sum->key];
    grid_text(grid, sum->label);
    grid_text(grid, label_of(sheet->netlist, GROUP_BY_LIBRARY, cell->library));
    grid_printf(grid, "%llu", (unsigned long long)sum->cells);
    grid_printf(grid, "%.*f", sheet->digits, cell->area);
    grid_printf(grid, "%.*f", sheet->digits, sum->sum);
  }
  grid_rule(grid);
  grid_printf(grid, "%u library cell%s", sums.rows.len, sums.rows.len == 1 ? "" : "s");
  grid_text(grid, "");
  grid_printf(grid, "%llu", (unsigned long long)sums.all.cells);
  grid_text(grid, "");
  grid_printf(grid, "%.*f", sheet->digits, sums.all.sum);
  grid_finish(grid, sheet->out);
  free_sums(&sums);
}
