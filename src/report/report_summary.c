/* Writes report_timing_summary and report_bottleneck. */
#include "report/report_summary.h"

#include <math.h>

#include "query/constraint.h"
#include "query/summary.h"

/* --- path groups ------------------------------------------------------------------------------ */
static void summary_row(Grid *grid, const Sheet *sheet, const char *group, const char *kind,
                        const PathsSummary *summary)
{
  grid_text(grid, group);
  grid_text(grid, kind);
  grid_printf(grid, "%u", summary->ends);
  grid_printf(grid, "%u", summary->violations);
  cell_time(grid, sheet, summary->worst);
  cell_time(grid, sheet, summary->total);
  grid_printf(grid, "%u", summary->levels);
  cell_pin(grid, sheet, summary->pin);
}

static void group_table(const Sheet *sheet, const Timing *t, int early_late)
{
  GroupSummaries list = { 0 };
  query_group_summaries(t, early_late, &list);
  text_put(sheet->out, early_late == LATE ? "late (setup)\n" : "early (hold)\n");
  Grid *grid = grid_new("llrrrrrl", 0);
  grid_row(grid, "group|paths|end points|violated|worst slack|total|levels|worst end point");
  for (uint32_t i = 0; i < list.len; i++) {
    const GroupSummary *summary = &list.at[i];
    summary_row(grid, sheet, path_group_name(t, summary->group), "all", &summary->all);
    for (int k = 0; k < PATHS_COUNT; k++)
      if (summary->kinds[k].ends) summary_row(grid, sheet, "", paths_names[k], &summary->kinds[k]);
  }
  grid_finish(grid, sheet->out);
  text_char(sheet->out, '\n');
  array_free(&list);
}

/* --- other violations ------------------------------------------------------------------------- */
typedef struct { uint32_t checked, violated; double worst; } Rule;

static void count_rule(void *data, const Constraint *constraint)
{
  Rule *rule = (Rule *)data + constraint->kind;
  if (rule->checked++ == 0 || constraint->slack < rule->worst) rule->worst = constraint->slack;
  rule->violated += constraint->slack < 0;
}

static void rule_worst(Grid *grid, const Sheet *sheet, ConstraintKind kind, double worst)
{
  switch (constraint_infos[kind].quantity) {
  case QUANTITY_TIME: cell_time(grid, sheet, worst); break;
  case QUANTITY_CAP: cell_cap(grid, sheet, worst); break;
  default: grid_printf(grid, "%.*f", sheet->digits, worst); break;
  }
}

static void rule_table(const Sheet *sheet, const Timing *t)
{
  Rule rules[CONSTRAINT_COUNT] = { 0 };
  ConstraintQuery q = { .kinds =
                            ((1u << CONSTRAINT_COUNT) - 1) & ~((2u << CONSTRAINT_LAST_ROW) - 1) };
  query_constraints(t, &q, count_rule, rules);
  Grid *grid = grid_new("lrrr", 0);
  grid_row(grid, "limit|checked|violated|worst slack");
  for (int k = 0; k < CONSTRAINT_COUNT; k++) {
    if (rules[k].checked == 0) continue;
    grid_text(grid, constraint_infos[k].name);
    grid_printf(grid, "%u", rules[k].checked);
    grid_printf(grid, "%u", rules[k].violated);
    rule_worst(grid, sheet, (ConstraintKind)k, rules[k].worst);
  }
  if (grid_rows(grid)) {
    grid_write(grid, sheet->out);
    text_char(sheet->out, '\n');
  }
  grid_free(grid);
}

static void size_lines(const Sheet *sheet)
{
  const Netlist *n = sheet->netlist;
  uint32_t cells = 0;
  double area = 0;
  for (InstId i = 1; i < n->insts.len; i++) {
    if (!inst_is_leaf(n, i) || n->insts.at[i].flags & INST_DELETED) continue;
    cells++;
    area += n->libs->cells.at[n->insts.at[i].master].area;
  }
  text_printf(sheet->out, "%u leaf cells, area %.*f\n", cells, sheet->digits, area);
}

void report_timing_summary(const Sheet *sheet, const Timing *t, unsigned analyses)
{
  for (int el = LATE; el >= EARLY; el--)
    if (analyses >> el & 1) group_table(sheet, t, el);
  rule_table(sheet, t);
  size_lines(sheet);
}

/* --- bottlenecks ------------------------------------------------------------------------------ */
void report_bottlenecks(const Sheet *sheet, const BottleneckQuery *query, const Bottlenecks *list,
                        uint32_t paths, uint32_t most)
{
  text_printf(sheet->out, "%u path%s with less slack than ", paths, paths == 1 ? "" : "s");
  sheet_unit(sheet, sheet->out, UNIT_TIME, query->slack_max);
  text_char(sheet->out, '\n');
  if (list->len == 0) return;
  text_char(sheet->out, '\n');
  Grid *grid = grid_new("llrrrr", 0);
  grid_row(grid, query->nets ? "net|driven by|end points|paths|slack lacking|worst slack"
                             : "cell|of|end points|paths|slack lacking|worst slack");
  for (uint32_t i = 0; i < list->len && (most == 0 || i < most); i++) {
    const Bottleneck *bottleneck = &list->at[i];
    if (query->nets) {
      cell_net(grid, sheet, bottleneck->id);
      cell_pin(grid, sheet, bottleneck->pin);
    } else {
      cell_inst(grid, sheet, bottleneck->id);
      cell_name(
          grid, sheet,
          sheet->netlist->libs->cells.at[sheet->netlist->insts.at[bottleneck->id].master].name);
    }
    grid_printf(grid, "%u", bottleneck->ends);
    grid_printf(grid, "%u", bottleneck->paths);
    cell_time(grid, sheet, bottleneck->slack);
    cell_time(grid, sheet, bottleneck->worst);
  }
  grid_finish(grid, sheet->out);
}
