/* Writes report_constraints. A summary adds up the results of each kind and group. Lists collect
   the results that they show, and sort them by kind, group and slack. */
#include "report/report_limits.h"

#include <math.h>
#include <stdlib.h>

#include "base/hash.h"
#include "base/interrupt.h"
#include "base/sort.h"
#include "report/report_paths.h"

/* The results of a kind and group. */
typedef struct {
  Constraint any;                      /* one of them */
  uint32_t   checked, violations;
  double     worst, cost;              /* cost: the sum of violated slacks, without signs */
} Sum;

typedef struct {
  const Sheet *sheet;
  const Timing *t;
  const ConstraintReport *report;
  ARRAY(Constraint) all;               /* results that lists show */
  ARRAY(Sum)        sums;
  Map              *sum_at;            /* hash_pair(kind, group) -> index in sums */
} Work;

static void collect(void *data, const Constraint *constraint)
{
  Work *work = data;
  if (work->report->list == CONSTRAINTS_ALL || constraint->slack < 0)
    array_push(&work->all, *constraint);
}

static Sum *sum_of(Work *work, const Constraint *constraint)
{
  uint64_t key = hash_pair(constraint->kind, constraint->group);
  uint32_t at = map_get(work->sum_at, key);
  if (at != MAP_NO_VALUE) return &work->sums.at[at];
  map_put(work->sum_at, key, work->sums.len);
  array_push(&work->sums, ((Sum){ .any = *constraint, .worst = INFINITY }));
  return &work->sums.at[work->sums.len - 1];
}

static void add_up(void *data, const Constraint *constraint)
{
  Sum *sum = sum_of(data, constraint);
  sum->checked++;
  if (constraint->slack < sum->worst) sum->worst = constraint->slack;
  if (constraint->slack >= 0) return;
  sum->violations++;
  sum->cost -= constraint->slack;
}

/* Sorted by kind and group. */
static int by_group(const void *pa, const void *pb)
{
  const Constraint *a = &((const Sum *)pa)->any, *b = &((const Sum *)pb)->any;
  if (a->kind != b->kind) return a->kind < b->kind ? -1 : 1;
  return a->group < b->group ? -1 : a->group > b->group;
}

/* Sorted by kind and group, the worst first; equal ones in the order of pins. */
static int by_slack(const void *pa, const void *pb)
{
  const Constraint *a = pa, *b = pb;
  if (a->kind != b->kind) return a->kind < b->kind ? -1 : 1;
  if (a->group != b->group) return a->group < b->group ? -1 : 1;
  if (a->slack != b->slack) return a->slack < b->slack ? -1 : 1;
  if (a->pin != b->pin) return a->pin < b->pin ? -1 : 1;
  if (a->edge != b->edge) return a->edge < b->edge ? -1 : 1;
  return a->reference_edge < b->reference_edge ? -1 : a->reference_edge > b->reference_edge;
}

static bool is_path_end(const Constraint *constraint) { return constraint->end_id != NO_PATH_END; }

/* --- cells and words -------------------------------------------------------------------------- */
static void put_quantity(const Sheet *sheet, Text *text, ConstraintKind kind, double value)
{
  switch (constraint_infos[kind].quantity) {
  case QUANTITY_TIME: sheet_unit(sheet, text, UNIT_TIME, value); break;
  case QUANTITY_CAP: sheet_unit(sheet, text, UNIT_CAPACITANCE, value); break;
  default: sheet_number(sheet, text, value); break;
  }
}

static void cell_quantity(Grid *grid, const Sheet *sheet, ConstraintKind kind, double value)
{
  put_quantity(sheet, grid_open(grid), kind, value);
  grid_close(grid);
}

static void cell_result(Grid *grid, const Constraint *constraint)
{
  grid_text(grid, constraint->slack < 0 ? "VIOLATED" : "MET");
}

static void put_group(const Work *work, Text *text, const Constraint *constraint)
{
  text_put(text, constraint_infos[constraint->kind].name);
  if (is_path_end(constraint))
    text_printf(text, " (%s)", path_group_name(work->t, constraint->group));
}

static void put_place(const Work *work, Text *text, const Constraint *constraint)
{
  if (constraint->pin == NO_PIN)
    text_put(text, names_text(work->sheet->netlist->names, work->sheet->netlist->top_name));
  else sheet_pin(work->sheet, text, constraint->pin);
  if (constraint->kind == CONSTRAINT_PULSE_WIDTH)
    text_put(text, constraint->edge == RISE ? " (high)" : " (low)");
  if (constraint->kind != CONSTRAINT_MAX_SKEW) return;
  text_printf(text, " (%s, from ", edge_name(constraint->edge));
  sheet_pin(work->sheet, text, constraint->reference);
  text_printf(text, " %s)", edge_name(constraint->reference_edge));
}

/* --- the table of kinds ----------------------------------------------------------------------- */
static void summary(const Work *work)
{
  Grid *grid = grid_new("lrrrrl", 0);
  uint32_t violations = 0;
  grid_row(grid, "constraint|checked|violated|worst slack|cost|");
  for (uint32_t i = 0; i < work->sums.len; i++) {
    const Sum *sum = &work->sums.at[i];
    put_group(work, grid_open(grid), &sum->any);
    grid_close(grid);
    grid_printf(grid, "%u", sum->checked);
    grid_printf(grid, "%u", sum->violations);
    cell_quantity(grid, work->sheet, sum->any.kind, sum->worst);
    cell_quantity(grid, work->sheet, sum->any.kind, sum->cost);
    grid_text(grid, sum->violations ? "VIOLATED" : "MET");
    violations += sum->violations;
  }
  grid_finish(grid, work->sheet->out);
  text_printf(work->sheet->out, "%u violation%s\n", violations, violations == 1 ? "" : "s");
}

static void slacks(const Work *work)
{
  Grid *grid = grid_new("lr", 0);
  grid_row(grid, "constraint|slack");
  for (uint32_t i = 0; i < work->sums.len; i++) {
    const Sum *sum = &work->sums.at[i];
    if (work->report->list == CONSTRAINTS_VIOLATORS && sum->violations == 0) continue;
    put_group(work, grid_open(grid), &sum->any);
    grid_close(grid);
    cell_quantity(grid, work->sheet, sum->any.kind, sum->worst);
  }
  grid_finish(grid, work->sheet->out);
}

/* Returns false after an interrupt. */
static bool sum_up(Work *work)
{
  work->sum_at = map_new();
  query_constraints(work->t, &work->report->query, add_up, work);
  map_free(work->sum_at);
  return sort_items(work->sums.at, work->sums.len, sizeof *work->sums.at, by_group)
         && !interrupt_seen();
}

/* --- lists ------------------------------------------------------------------------------------ */
/* The results of a kind and group in the sorted list. */
typedef struct { uint32_t from, to; } Group;

/* Goes on to the next group. Returns false at the end of the list. */
static bool next_group(const Work *work, Group *group)
{
  const Constraint *at = work->all.at;
  group->from = group->to;
  while (group->to < work->all.len && at[group->to].kind == at[group->from].kind
         && at[group->to].group == at[group->from].group)
    group->to++;
  return group->from < group->to;
}

static const char *heading(const Constraint *constraint)
{
  if (is_path_end(constraint)) return "end point|required|arrival|slack|";
  return constraint->pin == NO_PIN ? "design|required|actual|slack|" : "pin|required|actual|slack|";
}

static void list_row(Grid *grid, const Work *work, const Constraint *constraint)
{
  put_place(work, grid_open(grid), constraint);
  grid_close(grid);
  cell_quantity(grid, work->sheet, constraint->kind, constraint->required);
  cell_quantity(grid, work->sheet, constraint->kind, constraint->actual);
  cell_quantity(grid, work->sheet, constraint->kind, constraint->slack);
  cell_result(grid, constraint);
}

static void list_group(const Work *work, const Group *group, uint32_t count)
{
  Grid *grid = grid_new("lrrrl", 0);
  grid_row(grid, heading(&work->all.at[group->from]));
  for (uint32_t i = group->from; i < group->from + count && !interrupt_seen(); i++)
    list_row(grid, work, &work->all.at[i]);
  grid_finish(grid, work->sheet->out);
}

/* --- each in full ----------------------------------------------------------------------------- */
static void detail_row(Grid *grid, const Work *work, const Constraint *constraint, const char *what,
                       double value)
{
  grid_text(grid, what);
  cell_quantity(grid, work->sheet, constraint->kind, value);
}

static void detail_clock_rows(Grid *grid, const Work *work, const Constraint *constraint)
{
  bool skew = constraint->kind == CONSTRAINT_MAX_SKEW;
  if (constraint->clock == NO_CLOCK) return;
  grid_text(grid, "clock");
  cell_name(grid, work->sheet, work->sheet->constraints->clocks.at[constraint->clock].name);
  if (constraint->kind == CONSTRAINT_MIN_PERIOD) return;
  bool on_chip = work->t->constraints->analysis == ANALYSIS_ON_CHIP;
  detail_row(grid, work, constraint,
             skew      ? "reference arrival"
             : on_chip ? "opening edge, late"
                       : "opening edge",
             constraint->open);
  detail_row(grid, work, constraint,
             skew      ? "pin arrival"
             : on_chip ? "closing edge, early"
                       : "closing edge",
             constraint->close);
  if (constraint->credit != 0)
    detail_row(grid, work, constraint, "common clock path credit", constraint->credit);
}

static void detail(const Work *work, const Constraint *constraint)
{
  bool least = constraint_infos[constraint->kind].is_least;
  put_group(work, work->sheet->out, constraint);
  text_put(work->sheet->out, " at ");
  put_place(work, work->sheet->out, constraint);
  text_char(work->sheet->out, '\n');
  Grid *grid = grid_new("lr", 2);
  grid_row(grid, "|");
  if (constraint->kind <= CONSTRAINT_MAX_SKEW) detail_clock_rows(grid, work, constraint);
  detail_row(grid, work, constraint, least ? "least" : "most", constraint->required);
  detail_row(grid, work, constraint, "actual", constraint->actual);
  grid_rule(grid);
  detail_row(grid, work, constraint, constraint->slack < 0 ? "slack (VIOLATED)" : "slack (MET)",
             constraint->slack);
  grid_finish(grid, work->sheet->out);
  text_char(work->sheet->out, '\n');
}

static void full_path(const Work *work, const Constraint *constraint)
{
  PathList list = { 0 };
  query_end_path(work->t, constraint->end_id, constraint->edge, &list);
  report_paths(work->report->paths, &list, NULL, list.paths.len);
  path_list_free(&list);
}

static void full_group(const Work *work, const Group *group, uint32_t count)
{
  for (uint32_t i = group->from; i < group->from + count && !interrupt_seen(); i++) {
    if (is_path_end(&work->all.at[i])) full_path(work, &work->all.at[i]);
    else detail(work, &work->all.at[i]);
  }
}

static void lists(const Work *work)
{
  uint32_t shown = 0;
  for (Group g = { 0 }; next_group(work, &g);) {
    uint32_t count = g.to - g.from;
    if (work->report->most && count > work->report->most) count = work->report->most;
    if (shown++) text_char(work->sheet->out, '\n');
    put_group(work, work->sheet->out, &work->all.at[g.from]);
    text_put(work->sheet->out, "\n\n");
    if (work->report->verbose) full_group(work, &g, count);
    else list_group(work, &g, count);
  }
  if (shown == 0)
    text_put(work->sheet->out,
             work->report->list == CONSTRAINTS_ALL ? "nothing to check\n" : "no violations\n");
}

/* Returns false after an interrupt. */
static bool collect_all(Work *work)
{
  query_constraints(work->t, &work->report->query, collect, work);
  return sort_items(work->all.at, work->all.len, sizeof *work->all.at, by_slack)
         && !interrupt_seen();
}

void report_constraints(const Sheet *sheet, const Timing *t, const ConstraintReport *report)
{
  Work w = { .sheet = sheet, .t = t, .report = report };
  bool sums = report->slack_only || report->list == CONSTRAINTS_SUMMARY;
  bool found = sums ? sum_up(&w) : collect_all(&w);
  if (found && report->slack_only) slacks(&w);
  else if (found && sums) summary(&w);
  else if (found) lists(&w);
  array_free(&w.all);
  array_free(&w.sums);
}

/* --- as objects ------------------------------------------------------------------------------- */
typedef struct {
  uint8_t *marks;
  bool     all;
} Marks;

static void mark(void *data, const Constraint *constraint)
{
  Marks *marks = data;
  if (constraint->pin != NO_PIN && (marks->all || constraint->slack < 0))
    marks->marks[constraint->pin] = 1;
}

void constraint_pins(const Timing *t, const ConstraintQuery *query, bool all, ObjectArray *out)
{
  const Netlist *n = t->g->netlist;
  Marks m = { mem_alloc_zero((size_t)n->pins.len + 1, 1), all };
  query_constraints(t, query, mark, &m);
  for (PinId p = 0; p < n->pins.len; p++)
    if (m.marks[p]) array_push(out, (Object){ pin_is_top_port(n, p) ? OBJ_PORT : OBJ_PIN, p });
  mem_free(m.marks);
}
