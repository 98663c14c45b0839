/* Writes report_timing_summary and report_bottleneck. */
#include "report/report_summary.h"

#include <math.h>

#include "query/constraint.h"
#include "query/summary.h"

/* --- path groups ------------------------------------------------------------------------------ */
static void summary_row(Grid *c, const Sheet *s, const char *group, const char *kind,
                        const PathsSummary *p)
{
  grid_text(c, group);
  grid_text(c, kind);
  grid_printf(c, "%u", p->ends);
  grid_printf(c, "%u", p->violations);
  cell_time(c, s, p->worst);
  cell_time(c, s, p->total);
  grid_printf(c, "%u", p->levels);
  cell_pin(c, s, p->pin);
}

static void group_table(const Sheet *s, const Timing *t, int early_late)
{
  GroupSummaries list = { 0 };
  query_group_summaries(t, early_late, &list);
  text_put(s->out, early_late == LATE ? "late (setup)\n" : "early (hold)\n");
  Grid *c = grid_new("llrrrrrl", 0);
  grid_row(c, "group|paths|end points|violated|worst slack|total|levels|worst end point");
  for (uint32_t i = 0; i < list.len; i++) {
    const GroupSummary *g = &list.at[i];
    summary_row(c, s, path_group_name(t, g->group), "all", &g->all);
    for (int k = 0; k < PATHS_COUNT; k++)
      if (g->kinds[k].ends) summary_row(c, s, "", paths_names[k], &g->kinds[k]);
  }
  grid_finish(c, s->out);
  text_char(s->out, '\n');
  array_free(&list);
}

/* --- other violations ------------------------------------------------------------------------- */
typedef struct { uint32_t checked, violated; double worst; } Rule;

static void count_rule(void *data, const Constraint *c)
{
  Rule *r = (Rule *)data + c->kind;
  if (r->checked++ == 0 || c->slack < r->worst) r->worst = c->slack;
  r->violated += c->slack < 0;
}

static void rule_worst(Grid *g, const Sheet *s, ConstraintKind kind, double worst)
{
  switch (constraint_infos[kind].quantity) {
  case QUANTITY_TIME: cell_time(g, s, worst); break;
  case QUANTITY_CAP: cell_cap(g, s, worst); break;
  default: grid_printf(g, "%.*f", s->digits, worst); break;
  }
}

static void rule_table(const Sheet *s, const Timing *t)
{
  Rule rules[CONSTRAINT_COUNT] = { 0 };
  ConstraintQuery q = { .kinds =
                            ((1u << CONSTRAINT_COUNT) - 1) & ~((2u << CONSTRAINT_LAST_ROW) - 1) };
  query_constraints(t, &q, count_rule, rules);
  Grid *c = grid_new("lrrr", 0);
  grid_row(c, "limit|checked|violated|worst slack");
  for (int k = 0; k < CONSTRAINT_COUNT; k++) {
    if (rules[k].checked == 0) continue;
    grid_text(c, constraint_infos[k].name);
    grid_printf(c, "%u", rules[k].checked);
    grid_printf(c, "%u", rules[k].violated);
    rule_worst(c, s, (ConstraintKind)k, rules[k].worst);
  }
  if (grid_rows(c)) {
    grid_write(c, s->out);
    text_char(s->out, '\n');
  }
  grid_free(c);
}

static void size_lines(const Sheet *s)
{
  const Netlist *n = s->netlist;
  uint32_t cells = 0;
  double area = 0;
  for (InstId i = 1; i < n->insts.len; i++) {
    if (!inst_is_leaf(n, i) || n->insts.at[i].flags & INST_DELETED) continue;
    cells++;
    area += n->libs->cells.at[n->insts.at[i].master].area;
  }
  text_printf(s->out, "%u leaf cells, area %.*f\n", cells, s->digits, area);
}

void report_timing_summary(const Sheet *s, const Timing *t, unsigned analyses)
{
  for (int el = LATE; el >= EARLY; el--)
    if (analyses >> el & 1) group_table(s, t, el);
  rule_table(s, t);
  size_lines(s);
}

/* --- bottlenecks ------------------------------------------------------------------------------ */
void report_bottlenecks(const Sheet *s, const BottleneckQuery *q, const Bottlenecks *list,
                        uint32_t paths, uint32_t most)
{
  text_printf(s->out, "%u path%s with less slack than ", paths, paths == 1 ? "" : "s");
  sheet_unit(s, s->out, UNIT_TIME, q->slack_max);
  text_char(s->out, '\n');
  if (list->len == 0) return;
  text_char(s->out, '\n');
  Grid *c = grid_new("llrrrr", 0);
  grid_row(c, q->nets ? "net|driven by|end points|paths|slack lacking|worst slack"
                      : "cell|of|end points|paths|slack lacking|worst slack");
  for (uint32_t i = 0; i < list->len && (most == 0 || i < most); i++) {
    const Bottleneck *b = &list->at[i];
    if (q->nets) {
      cell_net(c, s, b->id);
      cell_pin(c, s, b->pin);
    } else {
      cell_inst(c, s, b->id);
      cell_name(c, s, s->netlist->libs->cells.at[s->netlist->insts.at[b->id].master].name);
    }
    grid_printf(c, "%u", b->ends);
    grid_printf(c, "%u", b->paths);
    cell_time(c, s, b->slack);
    cell_time(c, s, b->worst);
  }
  grid_finish(c, s->out);
}
