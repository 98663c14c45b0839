/* Writes report_annotated_delay and report_annotated_check. */
#include "report/report_annotated.h"

static const char *const delay_names[DELAY_SORTS] = { "cell arcs", "internal wires",
                                                      "wires from input ports",
                                                      "wires to output ports" };
static const char *const check_names[CHECK_SORTS] = { "setup",   "hold",     "recovery",
                                                      "removal", "nochange", "pulse width",
                                                      "period",  "skew" };

enum { SORTS = CHECK_SORTS > (int)DELAY_SORTS ? (int)CHECK_SORTS : (int)DELAY_SORTS };

typedef struct {
  const Sheet *s;
  const AnnotatedReport *r;
  const char *const *names;
  uint32_t total[SORTS], annotated[SORTS], constant[SORTS];
  Grid    *list[2];                       /* others, annotated; NULL: not asked for */
  uint32_t lines[2], left_out[2];
} Tally;

static void count_arc(void *data, const AnnotatedArc *arc)
{
  Tally *n = data;
  if (n->r->sorts && !(n->r->sorts >> arc->sort & 1)) return;
  n->constant[arc->sort] += arc->constant;
  if (arc->constant && !n->r->constants) return;
  n->total[arc->sort]++;
  n->annotated[arc->sort] += arc->annotated;
  Grid *list = n->list[arc->annotated];
  if (list == NULL) return;
  if (n->r->max_lines && n->lines[arc->annotated] == n->r->max_lines) {
    n->left_out[arc->annotated]++;
    return;
  }
  n->lines[arc->annotated]++;
  grid_printf(list, "%s%s", n->names[arc->sort], arc->constant ? " (constant)" : "");
  cell_pin(list, n->s, arc->from);
  cell_pin(list, n->s, arc->to);
}

static void count_row(Grid *c, const Tally *n, const char *name, uint32_t total, uint32_t annotated,
                      uint32_t constant)
{
  grid_text(c, name);
  grid_printf(c, "%u", total);
  grid_printf(c, "%u", annotated);
  grid_printf(c, "%u", total - annotated);
  if (n->r->constants) grid_printf(c, "%u", constant);
}

static void count_rows(const Tally *n, const char *what, int sorts)
{
  uint32_t total = 0, annotated = 0, constant = 0;
  Grid *c = grid_new(n->r->constants ? "lrrrr" : "lrrr", 0);
  Text head = { 0 };
  text_printf(&head, "%s|total|annotated|not annotated%s", what,
              n->r->constants ? "|constant" : "");
  grid_row(c, text_get(&head));
  for (int k = 0; k < sorts; k++) {
    if (n->r->sorts ? !(n->r->sorts >> k & 1) : n->total[k] == 0) continue;
    count_row(c, n, n->names[k], n->total[k], n->annotated[k], n->constant[k]);
    total += n->total[k];
    annotated += n->annotated[k];
    constant += n->constant[k];
  }
  grid_rule(c);
  count_row(c, n, "all", total, annotated, constant);
  grid_finish(c, n->s->out);
  text_free(&head);
}

static void write_list(Tally *n, int annotated)
{
  if (n->list[annotated] == NULL) return;
  text_printf(n->s->out, "\n%s:\n", annotated ? "annotated" : "not annotated");
  grid_finish(n->list[annotated], n->s->out);
  if (n->left_out[annotated]) text_printf(n->s->out, "and %u more\n", n->left_out[annotated]);
}

static void begin(Tally *n)
{
  for (int k = 0; k < 2; k++) {
    if (!(k ? n->r->list_annotated : n->r->list_others)) continue;
    n->list[k] = grid_new("lll", 0);
    grid_row(n->list[k], "kind|from|to");
  }
}

static void finish(Tally *n, const char *what, int sorts)
{
  count_rows(n, what, sorts);
  write_list(n, 1);
  write_list(n, 0);
}

void report_annotated_delays(const Sheet *s, const Timing *t, const Annotations *a,
                             const AnnotatedReport *r)
{
  Tally n = { .s = s, .r = r, .names = delay_names };
  begin(&n);
  query_each_delay(t, a, count_arc, &n);
  finish(&n, "delays", DELAY_SORTS);
}

void report_annotated_checks(const Sheet *s, const Timing *t, const Annotations *a,
                             const AnnotatedReport *r)
{
  Tally n = { .s = s, .r = r, .names = check_names };
  begin(&n);
  query_each_check(t, a, count_arc, &n);
  finish(&n, "checks", CHECK_SORTS);
}
