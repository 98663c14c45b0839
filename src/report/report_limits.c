/* Writes report_constraints: collects all results, sorts them by kind, group and slack, and writes
   a summary or lists. */
#include "report/report_limits.h"

#include <math.h>
#include <stdlib.h>

#include "base/interrupt.h"
#include "base/sort.h"

typedef ARRAY(Constraint) ConstraintArray;

typedef struct {
  const Sheet *s;
  const Timing *t;
  const ConstraintReport *r;
  ConstraintArray all;
} Work;

static void collect(void *data, const Constraint *c)
{
  Work *w = data;
  array_push(&w->all, *c);
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

static bool is_row(const Constraint *c) { return c->row != NO_ROW; }

/* --- cells and words -------------------------------------------------------------------------- */
static void put_quantity(const Sheet *s, Text *t, ConstraintKind kind, double value)
{
  switch (constraint_infos[kind].quantity) {
  case QUANTITY_TIME: sheet_unit(s, t, UNIT_TIME, value); break;
  case QUANTITY_CAP: sheet_unit(s, t, UNIT_CAPACITANCE, value); break;
  default: sheet_number(s, t, value); break;
  }
}

static void cell_quantity(Grid *g, const Sheet *s, ConstraintKind kind, double value)
{
  put_quantity(s, grid_open(g), kind, value);
  grid_close(g);
}

static void cell_result(Grid *g, const Constraint *c)
{
  grid_text(g, c->slack < 0 ? "VIOLATED" : "MET");
}

static void put_group(const Work *w, Text *t, const Constraint *c)
{
  text_put(t, constraint_infos[c->kind].name);
  if (is_row(c)) text_printf(t, " (%s)", path_group_name(w->t, c->group));
}

static void put_place(const Work *w, Text *t, const Constraint *c)
{
  if (c->pin == NO_PIN) text_put(t, names_text(w->s->netlist->names, w->s->netlist->top_name));
  else sheet_pin(w->s, t, c->pin);
  if (c->kind == CONSTRAINT_PULSE_WIDTH) text_put(t, c->edge == RISE ? " (high)" : " (low)");
  if (c->kind != CONSTRAINT_MAX_SKEW) return;
  text_printf(t, " (%s, from ", edge_name(c->edge));
  sheet_pin(w->s, t, c->reference);
  text_printf(t, " %s)", edge_name(c->reference_edge));
}

/* --- the table of kinds ----------------------------------------------------------------------- */
typedef struct {
  uint32_t from, to, violations;
  double   worst, cost;
} Group;

/* The next kind and group in the sorted list; false at its end. */
static bool next_group(const Work *w, Group *g)
{
  const Constraint *at = w->all.at;
  *g = (Group){ .from = g->to, .to = g->to, .worst = INFINITY };
  if (g->from == w->all.len) return false;
  for (; g->to < w->all.len && at[g->to].kind == at[g->from].kind
         && at[g->to].group == at[g->from].group;
       g->to++) {
    if (at[g->to].slack < g->worst) g->worst = at[g->to].slack;
    if (at[g->to].slack >= 0) continue;
    g->violations++;
    g->cost -= at[g->to].slack;
  }
  return true;
}

static void summary(const Work *w)
{
  Grid *c = grid_new("lrrrrl", 0);
  uint32_t violations = 0;
  grid_row(c, "constraint|checked|violated|worst slack|cost|");
  for (Group g = { 0 }; next_group(w, &g);) {
    const Constraint *k = &w->all.at[g.from];
    put_group(w, grid_open(c), k);
    grid_close(c);
    grid_printf(c, "%u", g.to - g.from);
    grid_printf(c, "%u", g.violations);
    cell_quantity(c, w->s, k->kind, g.worst);
    cell_quantity(c, w->s, k->kind, g.cost);
    grid_text(c, g.violations ? "VIOLATED" : "MET");
    violations += g.violations;
  }
  grid_finish(c, w->s->out);
  text_printf(w->s->out, "%u violation%s\n", violations, violations == 1 ? "" : "s");
}

/* --- lists ------------------------------------------------------------------------------------ */
static const char *heading(const Constraint *c)
{
  if (is_row(c)) return "end point|required|arrival|slack|";
  return c->pin == NO_PIN ? "design|required|actual|slack|" : "pin|required|actual|slack|";
}

static void list_row(Grid *g, const Work *w, const Constraint *c)
{
  put_place(w, grid_open(g), c);
  grid_close(g);
  cell_quantity(g, w->s, c->kind, c->required);
  cell_quantity(g, w->s, c->kind, c->actual);
  cell_quantity(g, w->s, c->kind, c->slack);
  cell_result(g, c);
}

static void list_group(const Work *w, const Group *g, uint32_t count)
{
  Grid *c = grid_new("lrrrl", 0);
  grid_row(c, heading(&w->all.at[g->from]));
  for (uint32_t i = g->from; i < g->from + count && !interrupt_seen(); i++)
    list_row(c, w, &w->all.at[i]);
  grid_finish(c, w->s->out);
}

/* --- each in full ----------------------------------------------------------------------------- */
static void detail_row(Grid *g, const Work *w, const Constraint *c, const char *what, double value)
{
  grid_text(g, what);
  cell_quantity(g, w->s, c->kind, value);
}

static void detail_clock_rows(Grid *g, const Work *w, const Constraint *c)
{
  bool skew = c->kind == CONSTRAINT_MAX_SKEW;
  if (c->clock == NO_CLOCK) return;
  grid_text(g, "clock");
  cell_name(g, w->s, w->s->constraints->clocks.at[c->clock].name);
  if (c->kind == CONSTRAINT_MIN_PERIOD) return;
  bool on_chip = w->t->constraints->analysis == ANALYSIS_ON_CHIP;
  detail_row(g, w, c, skew ? "reference arrival" : on_chip ? "opening edge, late" : "opening edge",
             c->open);
  detail_row(g, w, c, skew ? "pin arrival" : on_chip ? "closing edge, early" : "closing edge",
             c->close);
  if (c->credit != 0) detail_row(g, w, c, "common clock path credit", c->credit);
}

static void detail(const Work *w, const Constraint *c)
{
  bool least = constraint_infos[c->kind].is_least;
  put_group(w, w->s->out, c);
  text_put(w->s->out, " at ");
  put_place(w, w->s->out, c);
  text_char(w->s->out, '\n');
  Grid *g = grid_new("lr", 2);
  grid_row(g, "|");
  if (c->kind <= CONSTRAINT_MAX_SKEW) detail_clock_rows(g, w, c);
  detail_row(g, w, c, least ? "least" : "most", c->required);
  detail_row(g, w, c, "actual", c->actual);
  grid_rule(g);
  detail_row(g, w, c, c->slack < 0 ? "slack (VIOLATED)" : "slack (MET)", c->slack);
  grid_finish(g, w->s->out);
  text_char(w->s->out, '\n');
}

static void full_path(const Work *w, const Constraint *c)
{
  PathList list = { 0 };
  query_end_path(w->t, c->row, c->edge, &list);
  report_paths(w->r->paths, &list, NULL, list.paths.len);
  path_list_free(&list);
}

static void full_group(const Work *w, const Group *g, uint32_t count)
{
  for (uint32_t i = g->from; i < g->from + count && !interrupt_seen(); i++) {
    if (is_row(&w->all.at[i])) full_path(w, &w->all.at[i]);
    else detail(w, &w->all.at[i]);
  }
}

static void lists(const Work *w)
{
  uint32_t shown = 0;
  for (Group g = { 0 }; next_group(w, &g);) {
    uint32_t count = w->r->list == CONSTRAINTS_ALL ? g.to - g.from : g.violations;
    if (w->r->most && count > w->r->most) count = w->r->most;
    if (count == 0) continue;
    if (shown++) text_char(w->s->out, '\n');
    put_group(w, w->s->out, &w->all.at[g.from]);
    text_put(w->s->out, "\n\n");
    if (w->r->verbose) full_group(w, &g, count);
    else list_group(w, &g, count);
  }
  if (shown == 0)
    text_put(w->s->out, w->r->list == CONSTRAINTS_ALL ? "nothing to check\n" : "no violations\n");
}

static void slacks(const Work *w)
{
  Grid *c = grid_new("lr", 0);
  grid_row(c, "constraint|slack");
  for (Group g = { 0 }; next_group(w, &g);) {
    if (w->r->list == CONSTRAINTS_VIOLATORS && g.violations == 0) continue;
    put_group(w, grid_open(c), &w->all.at[g.from]);
    grid_close(c);
    cell_quantity(c, w->s, w->all.at[g.from].kind, g.worst);
  }
  grid_finish(c, w->s->out);
}

void report_constraints(const Sheet *s, const Timing *t, const ConstraintReport *r)
{
  Work w = { .s = s, .t = t, .r = r };
  query_constraints(t, &r->query, collect, &w);
  sort_items(w.all.at, w.all.len, sizeof *w.all.at, by_slack);
  if (r->slack_only) slacks(&w);
  else if (r->list == CONSTRAINTS_SUMMARY) summary(&w);
  else lists(&w);
  array_free(&w.all);
}

/* --- as objects ------------------------------------------------------------------------------- */
typedef struct {
  uint8_t *marks;
  bool     all;
} Marks;

static void mark(void *data, const Constraint *c)
{
  Marks *m = data;
  if (c->pin != NO_PIN && (m->all || c->slack < 0)) m->marks[c->pin] = 1;
}

void constraint_pins(const Timing *t, const ConstraintQuery *q, bool all, ObjectArray *out)
{
  const Netlist *n = t->g->netlist;
  Marks m = { mem_alloc_zero((size_t)n->pins.len + 1, 1), all };
  query_constraints(t, q, mark, &m);
  for (PinId p = 0; p < n->pins.len; p++)
    if (m.marks[p]) array_push(out, (Object){ pin_is_top_port(n, p) ? OBJ_PORT : OBJ_PIN, p });
  mem_free(m.marks);
}
