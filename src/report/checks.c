/* Writes check_timing, report_analysis_coverage, report_disabled_timing, report_constant and
   report_case_analysis. */
#include "report/checks.h"

#include <math.h>

#include "base/interrupt.h"
#include "query/coverage.h"

/* --- check_timing ----------------------------------------------------------------------------- */
static void add_object(const Sheet *s, Object o)
{
  text_put(s->out, "    ");
  switch (o.type) {
    case OBJ_CELL: netlist_inst_name(s->netlist, o.id, s->separator, s->out); break;
    case OBJ_NET: netlist_seg_name(s->netlist, o.id, s->separator, s->out); break;
    case OBJ_CLOCK:
      text_put(s->out, names_text(s->netlist->names, s->constraints->clocks.at[o.id].name));
      break;
    default: sheet_pin(s, s->out, o.id); break;
  }
  text_char(s->out, '\n');
}

static void list_objects(const Sheet *s, LintCategory category, const ObjectArray *found)
{
  if (found->len == 0) return;
  text_printf(s->out, "\n%s: %s\n", lint_infos[category].name, lint_infos[category].meaning);
  for (uint32_t i = 0; i < found->len; i++) add_object(s, found->at[i]);
}

uint32_t report_lint(const Sheet *s, const Timing *t, uint32_t wanted, bool verbose)
{
  ObjectArray found[LINT_COUNT] = { 0 };
  uint32_t total = 0;
  Grid *c = grid_new("lrl", 0);
  grid_row(c, "category|count|meaning");
  for (int k = 0; k < LINT_COUNT; k++) {
    if (!(wanted >> k & 1)) continue;
    query_lint(t, (LintCategory)k, &found[k]);
    grid_text(c, lint_infos[k].name);
    grid_printf(c, "%u", found[k].len);
    grid_text(c, lint_infos[k].meaning);
    total += found[k].len;
  }
  grid_finish(c, s->out);
  for (int k = 0; k < LINT_COUNT; k++) {
    if (verbose) list_objects(s, (LintCategory)k, &found[k]);
    array_free(&found[k]);
  }
  return total;
}

/* --- coverage --------------------------------------------------------------------------------- */
typedef struct {
  const Sheet *s;
  const Graph *g;
  unsigned details;
  uint32_t counts[COVERAGE_KINDS][3], reasons[COVERAGE_KINDS][UNTESTED_COUNT];
  Grid *list;
} CoverageCount;

static void count_coverage(void *data, const Coverage *k)
{
  static const char *const words[] = { "met", "violated", "untested" };
  CoverageCount *n = data;
  n->counts[k->kind][k->covered]++;
  n->reasons[k->kind][k->reason]++;
  if (!(n->details >> k->covered & 1)) return;
  cell_pin(n->list, n->s, n->g->slots.pin[k->slot]);
  cell_pin(n->list, n->s, k->clock == NO_SLOT ? NO_PIN : n->g->slots.pin[k->clock]);
  grid_text(n->list, coverage_kinds[k->kind]);
  if (k->covered == COVERED_NOT) grid_text(n->list, "");
  else cell_time(n->list, n->s, k->slack);
  grid_text(n->list, k->covered == COVERED_NOT ? untested_names[k->reason] : words[k->covered]);
}

static void coverage_row(Grid *c, const char *name, const uint32_t *counts)
{
  uint32_t total = counts[0] + counts[1] + counts[2];
  grid_text(c, name);
  grid_printf(c, "%u", total);
  for (int i = 0; i < 3; i++) {
    grid_printf(c, "%u", counts[i]);
    grid_printf(c, "%.1f%%", total ? 100.0 * counts[i] / total : 0.0);
  }
}

static void coverage_table(const Sheet *s, const CoverageCount *n)
{
  uint32_t all[3] = { 0 };
  Grid *c = grid_new("lrrrrrrr", 0);
  grid_row(c, "check|all|met||violated||untested|");
  for (int k = 0; k < COVERAGE_KINDS; k++) {
    uint32_t total = 0;
    for (int i = 0; i < 3; i++) {
      all[i] += n->counts[k][i];
      total += n->counts[k][i];
    }
    if (total) coverage_row(c, coverage_kinds[k], n->counts[k]);
  }
  grid_rule(c);
  coverage_row(c, "all", all);
  grid_finish(c, s->out);
}

static void reason_table(const Sheet *s, const CoverageCount *n)
{
  Grid *c = grid_new("llr", 0);
  grid_row(c, "untested|because|count");
  for (int k = 0; k < COVERAGE_KINDS; k++)
    for (int r = 1; r < UNTESTED_COUNT; r++) {
      if (n->reasons[k][r] == 0) continue;
      grid_text(c, coverage_kinds[k]);
      grid_text(c, untested_names[r]);
      grid_printf(c, "%u", n->reasons[k][r]);
    }
  if (grid_rows(c)) {
    text_char(s->out, '\n');
    grid_write(c, s->out);
  }
  grid_free(c);
}

void report_coverage(const Sheet *s, const Timing *t, unsigned details)
{
  CoverageCount n = { .s = s, .g = t->g, .details = details, .list = grid_new("lllrl", 0) };
  grid_row(n.list, "end point|against|check|slack|result");
  query_coverage(t, count_coverage, &n);
  coverage_table(s, &n);
  reason_table(s, &n);
  if (grid_rows(n.list)) {
    text_char(s->out, '\n');
    grid_write(n.list, s->out);
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
static void add_values(const Sheet *s, const Graph *g, Text *t, InstId inst)
{
  const Inst *i = &s->netlist->insts.at[inst];
  bool first = true;
  for (PinId p = i->first_pin; p < i->first_pin + i->pin_count; p++) {
    int value = pin_value(g, p);
    if (value > 1) continue;
    text_printf(t, "%s%s=%d", first ? "" : " ",
                names_text(s->netlist->names, netlist_pin_port_name(s->netlist, p)), value);
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
  Grid        *c;
  const Sheet *s;
  const Graph *g;
  uint32_t     counts[4];
} OffList;

static void off_arc(OffList *l, const OffArc *a)
{
  Grid *c = l->c;
  const Netlist *n = l->s->netlist;
  InstId inst = n->pins.at[a->to].inst;
  cell_inst(c, l->s, inst);
  grid_text(c, names_text(n->names, netlist_pin_port_name(n, a->from)));
  grid_text(c, names_text(n->names, netlist_pin_port_name(n, a->to)));
  grid_text(c, a->type);
  if (a->when != NO_FUNCTION) library_function_text(l->g->libs, a->when, grid_open(c));
  grid_close(c);
  Text *reason = grid_open(c);
  for (int k = 0, some = 0; k < 4; k++) {
    if (!(a->off >> k & 1)) continue;
    text_printf(reason, "%s%s", some++ ? ", " : "", off_reasons[k]);
    l->counts[k]++;
  }
  grid_close(c);
  if (a->off & ARC_OFF_CONSTANT) add_values(l->s, l->g, grid_open(c), inst);
  grid_close(c);
}

/* Arcs into a pin, in the library's order. */
static void pin_arcs(OffList *l, PinId p)
{
  const Graph *g = l->g;
  Slot slot = graph_slot(g, p, true);
  if (slot == NO_SLOT || !slot_is_driver(g, slot)) return;
  for (ArcId a = g->arcs.first[slot]; a < g->arcs.first[slot + 1]; a++) {
    const LibArc *lib = &g->libs->arcs.at[g->arcs.lib[a]];
    if (!arc_on(g, a))
      off_arc(l,
              &(OffArc){ g->slots.pin[g->arcs.from[a]], p, lib->when,
                sheet_arc_type((ArcType)lib->type), g->arcs.flags[a] & ARC_OFF });
  }
}

/* Checks of a pin: the library's, then inferred ones. */
static void pin_checks(OffList *l, PinId p)
{
  const Graph *g = l->g;
  Slot slot = g->slots.of_pin[p];
  for (uint32_t i = g->ends.first_check[slot]; i < g->ends.first_check[slot + 1]; i++) {
    const Check *c = &g->ends.checks.at[g->ends.check_order[i]];
    FunctionId when = c->lib == NO_LIB_ARC ? NO_FUNCTION : g->libs->arcs.at[c->lib].when;
    if (c->off)
      off_arc(l, &(OffArc){ g->slots.pin[c->clock], p, when, c->lib == NO_LIB_ARC ? "clock gating"
        : sheet_arc_type((ArcType)c->type), c->off });
  }
}

/* Limits that the library gives as a pin's attributes. */
static void pin_limits(OffList *l, PinId p)
{
  const Graph *g = l->g;
  if (!(g->slots.flags[g->slots.of_pin[p]] & SLOT_UNLIMITED)) return;
  const LibPort *port = &g->libs->ports.at[l->s->netlist->pins.at[p].port];
  const char *width = sheet_arc_type(ARC_MIN_PULSE_WIDTH), *period = sheet_arc_type(ARC_MIN_PERIOD);
  if (!isnan(port->min_pulse_high) || !isnan(port->min_pulse_low))
    off_arc(l, &(OffArc){ p, p, NO_FUNCTION, width, ARC_OFF_DISABLED });
  if (!isnan(port->min_period))
    off_arc(l, &(OffArc){ p, p, NO_FUNCTION, period, ARC_OFF_DISABLED });
}

static void pin_off(OffList *l, PinId p)
{
  if (l->g->slots.of_pin[p] == NO_SLOT) return;
  pin_arcs(l, p);
  pin_checks(l, p);
  pin_limits(l, p);
}

static void cell_off(void *list, InstId inst)
{
  const Inst *i = &((OffList *)list)->s->netlist->insts.at[inst];
  for (PinId p = i->first_pin; p < i->first_pin + i->pin_count; p++) pin_off(list, p);
}

void report_disabled_arcs(const Sheet *s, const Timing *t, const Object *cells, uint32_t count)
{
  const Netlist *n = s->netlist;
  OffList l = { .c = grid_new("lllllll", 0), .s = s, .g = t->g };
  grid_row(l.c, "cell|from|to|type|when|off because|constants");
  for (uint32_t i = 0; i < count && !interrupt_seen(); i++)
    netlist_each_leaf(n, cells[i].id, cell_off, &l);
  for (PinId p = 0; p < n->pins.len && cells == NULL && !interrupt_seen(); p++) pin_off(&l, p);
  uint32_t rows = grid_rows(l.c);
  grid_finish(l.c, s->out);
  text_printf(s->out, "%u arc%s off", rows, rows == 1 ? "" : "s");
  for (int k = 0; k < 4; k++)
    if (l.counts[k]) text_printf(s->out, ", %u %s", l.counts[k], off_reasons[k]);
  text_char(s->out, '\n');
}

/* --- constants -------------------------------------------------------------------------------- */
static const char *const case_words[CASE_COUNT] = {
  [CASE_ZERO] = "0", [CASE_ONE] = "1", [CASE_RISE] = "rise", [CASE_FALL] = "fall",
    [CASE_UNKNOWN] = "unknown" };

static void constant_row(Grid *c, const Sheet *s, const Timing *t, PinId p)
{
  int value = pin_value(t->g, p);
  const PinCase *given = constraints_find_case(s->constraints, p);
  NetId net = netlist_pin_net(s->netlist, p);
  uint32_t flags = net == NO_NET ? 0 : s->netlist->nets.at[net].flags;
  bool tied = flags & (NET_CONSTANT_ZERO | NET_CONSTANT_ONE | NET_POWER | NET_GROUND);
  cell_pin(c, s, p);
  if (value > 1 && pin_is_hierarchical(s->netlist, p) && given && given->value <= CASE_ONE)
    value = given->value;
  grid_text(c, value > 1 ? "-" : case_words[value]);
  grid_text(c, given       ? given->is_case ? "case analysis" : "set_logic"
               : value > 1 ? ""
               : tied      ? "tied"
                           : "propagated");
}

static void constant_rows(Grid *c, const Sheet *s, const Timing *t, Object o)
{
  if (o.type == OBJ_CELL) {
    const Inst *inst = &s->netlist->insts.at[o.id];
    for (PinId p = inst->first_pin; p < inst->first_pin + inst->pin_count; p++)
      constant_row(c, s, t, p);
    return;
  }
  if (o.type != OBJ_NET) {
    constant_row(c, s, t, o.id);
    return;
  }
  NetPins it = net_pins(s->netlist, s->netlist->segs.at[o.id].net, false);
  for (PinId p; (p = net_pins_next(&it)) != NO_PIN;) constant_row(c, s, t, p);
}

void report_constants(const Sheet *s, const Timing *t, const Object *objects, uint32_t count)
{
  Grid *c = grid_new("lll", 0);
  grid_row(c, "pin|value|from");
  for (uint32_t i = 0; i < count && !interrupt_seen(); i++) constant_rows(c, s, t, objects[i]);
  grid_finish(c, s->out);
}

static void case_row(Grid *c, const Sheet *s, PinId pin, uint8_t value, const char *from)
{
  if (pin == NO_PIN) return;
  cell_pin(c, s, pin);
  grid_text(c, case_words[value]);
  grid_text(c, from);
}

void report_cases(const Sheet *s, bool all)
{
  Grid *c = grid_new("lll", 0);
  grid_row(c, "pin|value|given by");
  for (uint32_t i = 0; i < s->constraints->cases.len && !interrupt_seen(); i++) {
    const PinCase *k = &s->constraints->cases.at[i];
    if (k->is_case) case_row(c, s, k->pin, k->value, "set_case_analysis");
    if (k->logic != CASE_COUNT && all) case_row(c, s, k->pin, k->logic, "set_logic");
  }
  grid_finish(c, s->out);
}
