/* Writes check_timing, report_analysis_coverage, report_disabled_timing, report_constant and
   report_case_analysis. */
#include "report/checks.h"

#include <math.h>

#include "base/interrupt.h"
#include "query/coverage.h"

/* --- check_timing ----------------------------------------------------------------------------- */
static void add_object(const Sheet *sheet, Object o)
{
  text_put(sheet->out, "    ");
  switch (o.type) {
    case OBJ_CELL: netlist_inst_name(sheet->netlist, o.id, sheet->separator, sheet->out); break;
    case OBJ_NET: netlist_seg_name(sheet->netlist, o.id, sheet->separator, sheet->out); break;
    case OBJ_CLOCK:
      text_put(sheet->out,
               names_text(sheet->netlist->names, sheet->constraints->clocks.at[o.id].name));
      break;
    default: sheet_pin(sheet, sheet->out, o.id); break;
  }
  text_char(sheet->out, '\n');
}

static void list_objects(const Sheet *sheet, LintCategory category, const ObjectArray *found)
{
  if (found->len == 0) return;
  text_printf(sheet->out, "\n%s: %s\n", lint_infos[category].name, lint_infos[category].meaning);
  for (uint32_t i = 0; i < found->len; i++) add_object(sheet, found->at[i]);
}

uint32_t report_lint(const Sheet *sheet, const Timing *t, uint32_t wanted, bool verbose)
{
  ObjectArray found[LINT_COUNT] = { 0 };
  uint32_t total = 0;
  Grid *grid = grid_new("lrl", 0);
  grid_row(grid, "category|count|meaning");
  for (int k = 0; k < LINT_COUNT; k++) {
    if (!(wanted >> k & 1)) continue;
    query_lint(t, (LintCategory)k, &found[k]);
    grid_text(grid, lint_infos[k].name);
    grid_printf(grid, "%u", found[k].len);
    grid_text(grid, lint_infos[k].meaning);
    total += found[k].len;
  }
  grid_finish(grid, sheet->out);
  for (int k = 0; k < LINT_COUNT; k++) {
    if (verbose) list_objects(sheet, (LintCategory)k, &found[k]);
    array_free(&found[k]);
  }
  return total;
}

/* --- coverage --------------------------------------------------------------------------------- */
typedef struct {
  const Sheet *sheet;
  const Graph *g;
  unsigned details;
  uint32_t counts[COVERAGE_KINDS][3], reasons[COVERAGE_KINDS][UNTESTED_COUNT];
  Grid *list;
} CoverageCount;

static void count_coverage(void *data, const Coverage *coverage)
{
  static const char *const words[] = { "met", "violated", "untested" };
  CoverageCount *count = data;
  count->counts[coverage->kind][coverage->covered]++;
  count->reasons[coverage->kind][coverage->reason]++;
  if (!(count->details >> coverage->covered & 1)) return;
  cell_pin(count->list, count->sheet, count->g->slots.pin[coverage->slot]);
  cell_pin(count->list, count->sheet,
           coverage->clock == NO_SLOT ? NO_PIN : count->g->slots.pin[coverage->clock]);
  grid_text(count->list, coverage_kinds[coverage->kind]);
  if (coverage->covered == COVERED_NOT) grid_text(count->list, "");
  else cell_time(count->list, count->sheet, coverage->slack);
  grid_text(count->list, coverage->covered == COVERED_NOT ? untested_names[coverage->reason]
                                                          : words[coverage->covered]);
}

static void coverage_row(Grid *grid, const char *name, const uint32_t *counts)
{
  uint32_t total = counts[0] + counts[1] + counts[2];
  grid_text(grid, name);
  grid_printf(grid, "%u", total);
  for (int i = 0; i < 3; i++) {
    grid_printf(grid, "%u", counts[i]);
    grid_printf(grid, "%.1f%%", total ? 100.0 * counts[i] / total : 0.0);
  }
}

static void coverage_table(const Sheet *sheet, const CoverageCount *count)
{
  uint32_t all[3] = { 0 };
  Grid *grid = grid_new("lrrrrrrr", 0);
  grid_row(grid, "check|all|met||violated||untested|");
  for (int k = 0; k < COVERAGE_KINDS; k++) {
    uint32_t total = 0;
    for (int i = 0; i < 3; i++) {
      all[i] += count->counts[k][i];
      total += count->counts[k][i];
    }
    if (total) coverage_row(grid, coverage_kinds[k], count->counts[k]);
  }
  grid_rule(grid);
  coverage_row(grid, "all", all);
  grid_finish(grid, sheet->out);
}

static void reason_table(const Sheet *sheet, const CoverageCount *count)
{
  Grid *grid = grid_new("llr", 0);
  grid_row(grid, "untested|because|count");
  for (int k = 0; k < COVERAGE_KINDS; k++)
    for (int r = 1; r < UNTESTED_COUNT; r++) {
      if (count->reasons[k][r] == 0) continue;
      grid_text(grid, coverage_kinds[k]);
      grid_text(grid, untested_names[r]);
      grid_printf(grid, "%u", count->reasons[k][r]);
    }
  if (grid_rows(grid)) {
    text_char(sheet->out, '\n');
    grid_write(grid, sheet->out);
  }
  grid_free(grid);
}

void report_coverage(const Sheet *sheet, const Timing *t, unsigned details)
{
  CoverageCount n = { .sheet = sheet, .g = t->g, .details = details, .list = grid_new("lllrl", 0) };
  grid_row(n.list, "end point|against|check|slack|result");
  query_coverage(t, count_coverage, &n);
  coverage_table(sheet, &n);
  reason_table(sheet, &n);
  if (grid_rows(n.list)) {
    text_char(sheet->out, '\n');
    grid_write(n.list, sheet->out);
  }
  grid_free(n.list);
}

/* --- arcs that are off ------------------------------------------------------------------------ */
static const char *const off_reasons[] = { "constant", "set_disable_timing", "loop cut",
                                           "type not timed" };

/* Value of a pin as a node of the logic graph. */
static int pin_value(const Graph *g, PinId p)
{
  Slot s = g->slots.of_pin[p];
  return s == NO_SLOT ? 2 : g->slots.logic[s];
}

/* Which pins of the cell are constant: "A=0 B=1". */
static void add_values(const Sheet *sheet, const Graph *g, Text *text, InstId inst)
{
  const Inst *cell = &sheet->netlist->insts.at[inst];
  bool first = true;
  for (PinId p = cell->first_pin; p < cell->first_pin + cell->pin_count; p++) {
    int value = pin_value(g, p);
    if (value > 1) continue;
    text_printf(text, "%s%s=%d", first ? "" : " ",
                names_text(sheet->netlist->names, netlist_pin_port_name(sheet->netlist, p)), value);
    first = false;
  }
}

/* An arc, check or limit of a cell that is off. */
typedef struct {
  PinId       from, to;
  FunctionId  when;
  const char *type;
  unsigned    off;                  /* ARC_OFF_... */
} OffArc;

typedef struct {
  Grid        *grid;
  const Sheet *sheet;
  const Graph *g;
  uint32_t     counts[4];
} OffList;

static void off_arc(OffList *list, const OffArc *arc)
{
  Grid *grid = list->grid;
  const Netlist *n = list->sheet->netlist;
  InstId inst = n->pins.at[arc->to].inst;
  cell_inst(grid, list->sheet, inst);
  grid_text(grid, names_text(n->names, netlist_pin_port_name(n, arc->from)));
  grid_text(grid, names_text(n->names, netlist_pin_port_name(n, arc->to)));
  grid_text(grid, arc->type);
  if (arc->when != NO_FUNCTION) library_function_text(list->g->libs, arc->when, grid_open(grid));
  grid_close(grid);
  Text *reason = grid_open(grid);
  for (int k = 0, some = 0; k < 4; k++) {
    if (!(arc->off >> k & 1)) continue;
    text_printf(reason, "%s%s", some++ ? ", " : "", off_reasons[k]);
    list->counts[k]++;
  }
  grid_close(grid);
  if (arc->off & ARC_OFF_CONSTANT) add_values(list->sheet, list->g, grid_open(grid), inst);
  grid_close(grid);
}

/* Arcs into a pin, in the library's order. */
static void pin_arcs(OffList *list, PinId p)
{
  const Graph *g = list->g;
  Slot slot = graph_slot(g, p, true);
  if (slot == NO_SLOT || !slot_is_driver(g, slot)) return;
  for (ArcId a = g->arcs.first[slot]; a < g->arcs.first[slot + 1]; a++) {
    const LibArc *lib = &g->libs->arcs.at[g->arcs.lib[a]];
    if (!arc_on(g, a))
      off_arc(list, &(OffArc){ g->slots.pin[g->arcs.from[a]], p, lib->when,
                               sheet_arc_type((ArcType)lib->type), g->arcs.flags[a] & ARC_OFF });
  }
}

/* Checks of a pin: the library's, then inferred ones. */
static void pin_checks(OffList *list, PinId p)
{
  const Graph *g = list->g;
  Slot slot = g->slots.of_pin[p];
  for (uint32_t i = g->ends.first_check[slot]; i < g->ends.first_check[slot + 1]; i++) {
    const Check *check = &g->ends.checks.at[g->ends.check_order[i]];
    FunctionId when = check->lib == NO_LIB_ARC ? NO_FUNCTION : g->libs->arcs.at[check->lib].when;
    if (check->off)
      off_arc(list, &(OffArc){ g->slots.pin[check->clock], p, when,
                               check->lib == NO_LIB_ARC ? "clock gating"
                                                        : sheet_arc_type((ArcType)check->type),
                               check->off });
  }
}

/* Limits that the library gives as a pin's attributes. */
static void pin_limits(OffList *list, PinId p)
{
  const Graph *g = list->g;
  if (!(g->slots.flags[g->slots.of_pin[p]] & SLOT_UNLIMITED)) return;
  const LibPort *port = &g->libs->ports.at[list->sheet->netlist->pins.at[p].port];
  const char *width = sheet_arc_type(ARC_MIN_PULSE_WIDTH), *period = sheet_arc_type(ARC_MIN_PERIOD);
  if (!isnan(port->min_pulse_high) || !isnan(port->min_pulse_low))
    off_arc(list, &(OffArc){ p, p, NO_FUNCTION, width, ARC_OFF_DISABLED });
  if (!isnan(port->min_period))
    off_arc(list, &(OffArc){ p, p, NO_FUNCTION, period, ARC_OFF_DISABLED });
}

static void pin_off(OffList *list, PinId p)
{
  if (list->g->slots.of_pin[p] == NO_SLOT) return;
  pin_arcs(list, p);
  pin_checks(list, p);
  pin_limits(list, p);
}

static void cell_off(void *list, InstId inst)
{
  const Inst *cell = &((OffList *)list)->sheet->netlist->insts.at[inst];
  for (PinId p = cell->first_pin; p < cell->first_pin + cell->pin_count; p++) pin_off(list, p);
}

void report_disabled_arcs(const Sheet *sheet, const Timing *t, const Object *cells, uint32_t count)
{
  const Netlist *n = sheet->netlist;
  OffList l = { .grid = grid_new("lllllll", 0), .sheet = sheet, .g = t->g };
  grid_row(l.grid, "cell|from|to|type|when|off because|constants");
  for (uint32_t i = 0; i < count && !interrupt_seen(); i++)
    netlist_each_leaf(n, cells[i].id, cell_off, &l);
  for (PinId p = 0; p < n->pins.len && cells == NULL && !interrupt_seen(); p++) pin_off(&l, p);
  uint32_t rows = grid_rows(l.grid);
  grid_finish(l.grid, sheet->out);
  text_printf(sheet->out, "%u arc%s off", rows, rows == 1 ? "" : "s");
  for (int k = 0; k < 4; k++)
    if (l.counts[k]) text_printf(sheet->out, ", %u %s", l.counts[k], off_reasons[k]);
  text_char(sheet->out, '\n');
}

/* --- constants -------------------------------------------------------------------------------- */
static const char *const case_words[CASE_COUNT] = {
  [CASE_ZERO] = "0", [CASE_ONE] = "1", [CASE_RISE] = "rise", [CASE_FALL] = "fall",
    [CASE_UNKNOWN] = "unknown" };

static void constant_row(Grid *grid, const Sheet *sheet, const Timing *t, PinId p)
{
  int value = pin_value(t->g, p);
  const PinCase *given = constraints_find_case(sheet->constraints, p);
  NetId net = netlist_pin_net(sheet->netlist, p);
  uint32_t flags = net == NO_NET ? 0 : sheet->netlist->nets.at[net].flags;
  bool tied = flags & (NET_CONSTANT_ZERO | NET_CONSTANT_ONE | NET_POWER | NET_GROUND);
  cell_pin(grid, sheet, p);
  if (value > 1 && pin_is_hierarchical(sheet->netlist, p) && given && given->value <= CASE_ONE)
    value = given->value;
  grid_text(grid, value > 1 ? "-" : case_words[value]);
  grid_text(grid, given       ? given->is_case ? "case analysis" : "set_logic"
                  : value > 1 ? ""
                  : tied      ? "tied"
                              : "propagated");
}

static void constant_rows(Grid *grid, const Sheet *sheet, const Timing *t, Object o)
{
  if (o.type == OBJ_CELL) {
    const Inst *inst = &sheet->netlist->insts.at[o.id];
    for (PinId p = inst->first_pin; p < inst->first_pin + inst->pin_count; p++)
      constant_row(grid, sheet, t, p);
    return;
  }
  if (o.type != OBJ_NET) {
    constant_row(grid, sheet, t, o.id);
    return;
  }
  NetPins it = net_pins(sheet->netlist, sheet->netlist->segs.at[o.id].net, false);
  for (PinId p; (p = net_pins_next(&it)) != NO_PIN;) constant_row(grid, sheet, t, p);
}

void report_constants(const Sheet *sheet, const Timing *t, const Object *objects, uint32_t count)
{
  Grid *grid = grid_new("lll", 0);
  grid_row(grid, "pin|value|from");
  for (uint32_t i = 0; i < count && !interrupt_seen(); i++)
    constant_rows(grid, sheet, t, objects[i]);
  grid_finish(grid, sheet->out);
}

static void case_row(Grid *grid, const Sheet *sheet, PinId pin, uint8_t value, const char *from)
{
  if (pin == NO_PIN) return;
  cell_pin(grid, sheet, pin);
  grid_text(grid, case_words[value]);
  grid_text(grid, from);
}

void report_cases(const Sheet *sheet, bool all)
{
  Grid *grid = grid_new("lll", 0);
  grid_row(grid, "pin|value|given by");
  for (uint32_t i = 0; i < sheet->constraints->cases.len && !interrupt_seen(); i++) {
    const PinCase *pin_case = &sheet->constraints->cases.at[i];
    if (pin_case->is_case)
      case_row(grid, sheet, pin_case->pin, pin_case->value, "set_case_analysis");
    if (pin_case->logic != CASE_COUNT && all)
      case_row(grid, sheet, pin_case->pin, pin_case->logic, "set_logic");
  }
  grid_finish(grid, sheet->out);
}
