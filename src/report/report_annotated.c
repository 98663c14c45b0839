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
  const Sheet *sheet;
  const AnnotatedReport *report;
  const char *const *names;
  uint32_t total[SORTS], annotated[SORTS], constant[SORTS];
  Grid    *list[2];                       /* others, annotated; NULL: not asked for */
  uint32_t lines[2], left_out[2];
} Tally;

static void count_arc(void *data, const AnnotatedArc *arc)
{
  Tally *tally = data;
  if (tally->report->sorts && !(tally->report->sorts >> arc->sort & 1)) return;
  tally->constant[arc->sort] += arc->constant;
  if (arc->constant && !tally->report->constants) return;
  tally->total[arc->sort]++;
  tally->annotated[arc->sort] += arc->annotated;
  Grid *list = tally->list[arc->annotated];
  if (list == NULL) return;
  if (tally->report->max_lines && tally->lines[arc->annotated] == tally->report->max_lines) {
    tally->left_out[arc->annotated]++;
    return;
  }
  tally->lines[arc->annotated]++;
  grid_printf(list, "%s%s", tally->names[arc->sort], arc->constant ? " (constant)" : "");
  cell_pin(list, tally->sheet, arc->from);
  cell_pin(list, tally->sheet, arc->to);
}

static void count_row(Grid *grid, const Tally *tally, const char *name, uint32_t total,
                      uint32_t annotated, uint32_t constant)
{
  grid_text(grid, name);
  grid_printf(grid, "%u", total);
  grid_printf(grid, "%u", annotated);
  grid_printf(grid, "%u", total - annotated);
  if (tally->report->constants) grid_printf(grid, "%u", constant);
}

static void count_rows(const Tally *tally, const char *what, int sorts)
{
  uint32_t total = 0, annotated = 0, constant = 0;
  Grid *grid = grid_new(tally->report->constants ? "lrrrr" : "lrrr", 0);
  Text head = { 0 };
  text_printf(&head, "%s|total|annotated|not annotated%s", what,
              tally->report->constants ? "|constant" : "");
  grid_row(grid, text_get(&head));
  for (int k = 0; k < sorts; k++) {
    if (tally->report->sorts ? !(tally->report->sorts >> k & 1) : tally->total[k] == 0) continue;
    count_row(grid, tally, tally->names[k], tally->total[k], tally->annotated[k],
              tally->constant[k]);
    total += tally->total[k];
    annotated += tally->annotated[k];
    constant += tally->constant[k];
  }
  grid_rule(grid);
  count_row(grid, tally, "all", total, annotated, constant);
  grid_finish(grid, tally->sheet->out);
  text_free(&head);
}

static void write_list(Tally *tally, int annotated)
{
  if (tally->list[annotated] == NULL) return;
  text_printf(tally->sheet->out, "\n%s:\n", annotated ? "annotated" : "not annotated");
  grid_finish(tally->list[annotated], tally->sheet->out);
  if (tally->left_out[annotated])
    text_printf(tally->sheet->out, "and %u more\n", tally->left_out[annotated]);
}

static void begin(Tally *tally)
{
  for (int k = 0; k < 2; k++) {
    if (!(k ? tally->report->list_annotated : tally->report->list_others)) continue;
    tally->list[k] = grid_new("lll", 0);
    grid_row(tally->list[k], "kind|from|to");
  }
}

static void finish(Tally *tally, const char *what, int sorts)
{
  count_rows(tally, what, sorts);
  write_list(tally, 1);
  write_list(tally, 0);
}

void report_annotated_delays(const Sheet *sheet, const Timing *t, const Annotations *annotations,
                             const AnnotatedReport *report)
{
  Tally n = { .sheet = sheet, .report = report, .names = delay_names };
  begin(&n);
  query_each_delay(t, annotations, count_arc, &n);
  finish(&n, "delays", DELAY_SORTS);
}

void report_annotated_checks(const Sheet *sheet, const Timing *t, const Annotations *annotations,
                             const AnnotatedReport *report)
{
  Tally n = { .sheet = sheet, .report = report, .names = check_names };
  begin(&n);
  query_each_check(t, annotations, count_arc, &n);
  finish(&n, "checks", CHECK_SORTS);
}
