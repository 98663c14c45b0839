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
  const Sheet *s;
  const Timing *t;
  const ConstraintReport *r;
  ARRAY(Constraint) all;               /* results that lists show */
  ARRAY(Sum)        sums;
  Map              *sum_at;            /* hash_pair(kind, group) -> index in sums */
} Work;

static void collect(void *data, const Constraint *c)
{
  Work *w = data;
  if (w->r->list == CONSTRAINTS_ALL || c->slack < 0) array_push(&w->all, *c);
}

static Sum *sum_of(Work *w, const Constraint *c)
{
  uint64_t key = hash_pair(c->kind, c->group);
  uint32_t at = map_get(w->sum_at, key);
  if (at != MAP_NO_VALUE) return &w->sums.at[at];
  map_put(w->sum_at, key, w->sums.len);
  array_push(&w->sums, ((Sum){ .any = *c, .worst = INFINITY }));
  return &w->sums.at[w->sums.len - 1];
}

static void add_up(void *data, const Constraint *c)
{
  Sum *sum = sum_of(data, c);
  sum->checked++;
  if (c->slack < sum->worst) sum->worst = c->slack;
  if (c->slack >= 0) return;
  sum->violations++;
  sum->cost -= c->slack;
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

static bool is_path_end(const Constraint *c) { return c->end_id != NO_PATH_END; }

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
  if (is_path_end(c)) text_printf(t, " (%s)", path_group_name(w->t, c->group));
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
static void summary(const Work *w)
{
  Grid *c = grid_new("lrrrrl", 0);
  uint32_t violations = 0;
  grid_row(c, "constraint|checked|violated|worst slack|cost|");
  for (uint32_t i = 0; i < w->sums.len; i++) {
    const Sum *x = &w->sums.at[i];
    put_group(w, grid_open(c), &x->any);
    grid_close(c);
    grid_printf(c, "%u", x->checked);
    grid_printf(c, "%u", x->violations);
    cell_quantity(c, w->s, x->any.kind, x->worst);
    cell_quantity(c, w->s, x->any.kind, x->cost);
    grid_text(c, x->violations ? "VIOLATED" : "MET");
    violations += x->violations;
  }
  grid_finish(c, w->s->out);
  text_printf(w->s->out, "%u violation%s\n", violations, violations == 1 ? "" : "s");
}

static void slacks(const Work *w)
{
  Grid *c = grid_new("lr", 0);
  grid_row(c, "constraint|slack");
  for (uint32_t i = 0; i < w->sums.len; i++) {
    const Sum *x = &w->sums.at[i];
    if (w->r->list == CONSTRAINTS_VIOLATORS && x->violations == 0) continue;
    put_group(w, grid_open(c), &x->any);
    grid_close(c);
    cell_quantity(c, w->s, x->any.kind, x->worst);
  }
  grid_finish(c, w->s->out);
}

/* Returns false after an interrupt. */
static bool sum_up(Work *w)
{
  w->sum_at = map_new();
  query_constraints(w->t, &w->r->query, add_up, w);
  map_free(w->sum_at);
  return sort_items(w->sums.at, w->sums.len, sizeof *w->sums.at, by_group) && !interrupt_seen();
}

/* --- lists ------------------------------------------------------------------------------------ */
/* The results of a kind and group in the sorted list. */
typedef struct { uint32_t from, to; } Group;

/* Goes on to the next group. Returns false at the end of the list. */
static bool next_group(const Work *w, Group *g)
{
  const Constraint *at = w->all.at;
  g->from = g->to;
  while (g->to < w->all.len && at[g->to].kind == at[g->from].kind
         && at[g->to].group == at[g->from].group)
    g->to++;
  return g->from < g->to;
}

static const char *heading(const Constraint *c)
{
  if (is_path_end(c)) return "end point|required|arrival|slack|";
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
  query_end_path(w->t, c->end_id, c->edge, &list);
  report_paths(w->r->paths, &list, NULL, list.paths.len);
  path_list_free(&list);
}

static void full_group(const Work *w, const Group *g, uint32_t count)
{
  for (uint32_t i = g->from; i < g->from + count && !interrupt_seen(); i++) {
    if (is_path_end(&w->all.at[i])) full_path(w, &w->all.at[i]);
    else detail(w, &w->all.at[i]);
  }
}

static void lists(const Work *w)
{
  uint32_t shown = 0;
  for (Group g = { 0 }; next_group(w, &g);) {
    uint32_t count = g.to - g.from;
    if (w->r->most && count > w->r->most) count = w->r->most;
    if (shown++) text_char(w->s->out, '\n');
    put_group(w, w->s->out, &w->all.at[g.from]);
    text_put(w->s->out, "\n\n");
    if (w->r->verbose) full_group(w, &g, count);
    else list_group(w, &g, count);
  }
  if (shown == 0)
    text_put(w->s->out, w->r->list == CONSTRAINTS_ALL ? "nothing to check\n" : "no violations\n");
}

/* Returns false after an interrupt. */
static bool collect_all(Work *w)
{
  query_constraints(w->t, &w->r->query, collect, w);
  return sort_items(w->all.at, w->all.len, sizeof *w->all.at, by_slack) && !interrupt_seen();
}

void report_constraints(const Sheet *s, const Timing *t, const ConstraintReport *r)
{
  Work w = { .s = s, .t = t, .r = r };
  bool sums = r->slack_only || r->list == CONSTRAINTS_SUMMARY;
  bool found = sums ? sum_up(&w) : collect_all(&w);
  if (found && r->slack_only) slacks(&w);
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
