/* The command size_cells: its options, and the design that the sizer changes. */
#include <math.h>
#include <string.h>

#include "base/clock.h"
#include "base/interrupt.h"
#include "cmd/edits/edit_command.h"
#include "optimize/sizer.h"
#include "tclbind/console.h"
#include "tclbind/session_timing.h"
#include "timing/slack.h"
#include "update/backend.h"

typedef struct {
  Session *s;
  Args    *a;
  ARRAY(Timer *) timers;             /* of all scenarios, the current one first */
  ARRAY(const Timing *) timings;     /* beside timers */
  uint8_t *given;                    /* by instance: -cells names it; NULL: all may change */
  CellId  *start;                    /* by instance: the cell at first */
  double   since;
  bool     recovering;               /* a repair was made, and the recovery follows */
  uint32_t shown;                    /* last pass that has a line */
  uint32_t passes_before;            /* those of the repair, while recovering */
  bool     watches_hold;             /* neither -hold nor -weights: tell what is taken from hold */
  double   hold_before;              /* total negative hold slack at first, if so */
} Sizing;

/* --- what the sizer asks ---------------------------------------------------------------------- */
static bool drives_clock(const Graph *g, InstId inst)
{
  const Inst *in = &g->netlist->insts.at[inst];
  for (PinId pin = in->first_pin; pin < in->first_pin + in->pin_count; pin++) {
    Slot s = graph_slot(g, pin, true);
    if (s != NO_SLOT && slot_is_driver(g, s) && graph_slot_has_clock(g, s)) return true;
  }
  return false;
}

/* Is the cell in a clock network of any scenario? */
static bool is_of_clocks(const Sizing *sizing, InstId inst)
{
  for (uint32_t i = 0; i < sizing->timers.len; i++)
    if (drives_clock(sizing->timers.at[i]->graph, inst)) return true;
  return false;
}

static bool may_change(const void *data, InstId inst)
{
  const Sizing *sizing = data;
  if (sizing->given && !sizing->given[inst]) return false;
  bool clocks = args_flag(sizing->a, "-clock_network") || args_given(sizing->a, "-weights");
  if (!clocks && is_of_clocks(sizing, inst)) return false;
  return rules_of_inst(sizing->s->edit_rules, sizing->s->netlist, inst, NULL) == TOUCH_ALLOWED;
}

static void swap(void *data, const EditSwap *swaps, uint32_t count)
{
  edit_all_swaps(command_edits(((Sizing *)data)->s), swaps, count);
}

/* Updates all scenarios at the same time. */
static Status time_all(Sizing *sizing)
{
  if (timers_update(sizing->timers.at, sizing->timers.len, true, NUMBERS_ALL) != OK) return FAILED;
  array_clear(&sizing->timings);
  for (uint32_t i = 0; i < sizing->timers.len; i++)
    array_push(&sizing->timings, sizing->timers.at[i]->timing);
  return OK;
}

static const Timing *const *update(void *data)
{
  Sizing *sizing = data;
  return time_all(sizing) == OK ? sizing->timings.at : NULL;
}

static void print_score(Sizing *sizing, const SizeScore *score)
{
  double time = sizing->s->units.scale[UNIT_TIME], cap = sizing->s->units.scale[UNIT_CAPACITANCE];
  args_print(sizing->a, "%12.4f %14.4f %12.4f %6u %12.4f %6u %12.1f %14.4f", score->worst / time,
             score->total_negative / time, score->slew_excess / time, score->slew_pins,
             score->load_excess / cap, score->load_pins, score->area, score->leakage / 1e3);
  if (score->by_hold)
    args_print(sizing->a, " %12.4f %14.4f", score->hold_worst / time, score->hold_negative / time);
}

static void progress(void *data, uint32_t pass, uint32_t moves, const SizeScore *score)
{
  Sizing *sizing = data;
  if (sizing->recovering && pass == 0) return;
  sizing->shown = sizing->passes_before + pass;
  if (pass == 0)
    args_print(sizing->a, "%4s %8s %12s %14s %12s %6s %12s %6s %12s %14s%s\n", "pass", "changed",
               "wns", "tns", "slew over", "pins", "load over", "pins", "area", "leakage uW",
               score->by_hold ? "     hold wns       hold tns" : "");
  args_print(sizing->a, "%4u %8u ", sizing->shown, moves);
  print_score(sizing, score);
  args_print(sizing->a, "\n");
  args_flush(sizing->a);
}

/* --- options ---------------------------------------------------------------------------------- */
static const Option size_options[] = {
  { "-setup", ARG_FLAG, .help = "repair setup violations and design rules; the default" },
  { "-hold", ARG_FLAG, .help = "repair hold violations too, where setup slacks allow it" },
  { "-design_rules", ARG_FLAG, .help = "repair limits of transition and capacitance alone" },
  { "-recover", ARG_ENUM, .value = "leakage|area",
    .help = "keep slacks and limits, and save leakage or area" },
  { "-weights", ARG_LIST, .value = "pairs",
    .help = "find the least sum of tns, slew, load, leakage and area, each multiplied by its "
            "weight" },
  { "-cells", ARG_OBJECTS, .value = "cells", .kinds = OBJ_BIT(OBJ_CELL),
    .help = "only these cells change (hierarchical: those inside)" },
  { "-clock_network", ARG_FLAG,
    .help = "cells of clock networks may change too, as with -weights" },
  { "-slack_margin", ARG_TIME, .value = "time", .help = "setup slack that paths must keep",
    RANGE(-1e9, 1e9) },
  { "-keep_area", ARG_FLOAT, .value = "percent",
    .help = "by how much the area of the design may grow", RANGE(0, 1e6) },
  { "-max_passes", ARG_INT, .value = "N",
    .help = "largest number of passes; default: that of -effort. At most as many passes with few "
            "changes follow. A recovery after a repair has as many again",
    AT_LEAST(1) },
  { "-effort", ARG_ENUM, .value = "low|high|explore", .preset = "high",
    .help = "6, 12 or 30 passes" },
  { "-time_limit", ARG_FLOAT, .value = "seconds", .help = "begin no pass after this time",
    RANGE(0, 1e9) },
  { "-seed", ARG_INT, .value = "N", .preset = "0",
    .help = "leave out some changes of each pass by chance, so that another design results; 0: "
            "leave out none",
    RANGE(0, 2147483647) },
  { "-report", ARG_FLAG, .help = "report the result, but change nothing" },
  { 0 }
};

#define MOST_WEIGHT 1e12             /* sums of such costs are far from the end of a float */

/* Per ns, fF and so on in the user's units. */
static Status weight(Session *s, Args *a, SizeCosts *costs, const char *name, double value)
{
  const double *unit = s->units.scale;
  if (strcmp(name, "tns") == 0) costs->time = value / unit[UNIT_TIME];
  else if (strcmp(name, "slew") == 0) costs->slew = value / unit[UNIT_TIME];
  else if (strcmp(name, "load") == 0) costs->load = value / unit[UNIT_CAPACITANCE];
  else if (strcmp(name, "leakage") == 0) costs->leakage = value / 1e3;
  else if (strcmp(name, "area") == 0) costs->area = value;
  else
    return log_error(s->log, "EDIT-040", args_where(a),
                     "-weights: '%.60s' is none of tns, slew, load, leakage and area", name);
  return OK;
}

static Status read_weights(Session *s, Args *a, SizeCosts *costs)
{
  int count;
  Tcl_Obj **words;
  *costs = (SizeCosts){ 0 };
  if (Tcl_ListObjGetElements(NULL, args_object(a, "-weights"), &count, &words) != TCL_OK
      || count % 2)
    return log_error(s->log, "EDIT-041", args_where(a),
                     "-weights: expected a list of names and numbers, as {tns 10 leakage 1}");
  for (int i = 0; i < count; i += 2) {
    double x;
    if (Tcl_GetDoubleFromObj(NULL, words[i + 1], &x) != TCL_OK || !(x >= 0)
        || x > MOST_WEIGHT)
      return log_error(s->log, "EDIT-042", args_where(a),
                       "-weights: the weight of '%.60s' is '%.60s', expected a number from 0 to %g",
                       Tcl_GetString(words[i]), Tcl_GetString(words[i + 1]), MOST_WEIGHT);
    for (int k = 0; k < i; k += 2)
      if (strcmp(Tcl_GetString(words[k]), Tcl_GetString(words[i])) == 0)
        return log_error(s->log, "EDIT-059", args_where(a), "-weights: '%.60s' has two weights",
                         Tcl_GetString(words[i]));
    if (weight(s, a, costs, Tcl_GetString(words[i]), x) != OK) return FAILED;
  }
  if (costs->time + costs->slew + costs->load + costs->leakage + costs->area > 0) return OK;
  return log_error(s->log, "EDIT-060", args_where(a),
                   "-weights: all weights are 0, expected one above 0");
}

/* What a mean cell costs is the unit.  Violations cost a hundred and more, so that cells are spent
   on them as long as they help; leakage and area then decide between cells that help alike.  A
   repair scales these prices (size_problem_scale).  Hold costs little beside setup: a cell
   that is too slow is worse than one that is too fast. */
static SizeCosts usual_costs(const Args *a, bool recovers, const Graph *g, Leakage *the_leakage)
{
  double leakage = 0, area = 0;
  uint32_t cells = 1;
  for (InstId i = 0; i < g->netlist->insts.len; i++) {
    if (!inst_is_there(g->netlist, i)) continue;
    float own = g->libs->cells.at[g->netlist->insts.at[i].master].area;
    leakage += leakage_of(the_leakage, i);
    area += isnan(own) ? 0 : own;
    cells++;
  }
  bool by_area = (recovers && args_enum(a, "-recover") == 1) || leakage <= 0;
  SizeCosts c = { .time = args_flag(a, "-design_rules") && !recovers ? 1 : 100,
                  .slew = 200, .load = 200000 };
  if (args_flag(a, "-hold")) c.hold = 0.02 * c.time;
  c.leakage = leakage > 0 ? (by_area ? 0.01 : 1) * cells / leakage : 0;
  c.area = area > 0 ? (by_area ? 1 : 0.01) * cells / area : 0;
  return c;
}

static uint8_t *given_cells(Session *s, const Args *a)
{
  uint32_t count;
  const Object *objects = args_objects(a, "-cells", 0, &count);
  if (count == 0) return NULL;
  uint8_t *given = mem_alloc_zero(s->netlist->insts.len + 1, 1);
  for (uint32_t i = 0; i < count; i++) given[objects[i].id] = 1;
  for (InstId i = 0; i < s->netlist->insts.len; i++)
    for (InstId up = i; up != TOP_INST && up != NO_INST && !given[i];
         up = s->netlist->insts.at[up].parent)
      given[i] = given[up];
  return given;
}

/* Gates from which on a device pays. */
enum { LEAST_GATES = 20000 };

static const struct DeviceOps *device_of(const Session *s)
{
  Text why = { 0 };
  const struct DeviceOps *on = backend_for_family((EngineKind)s->engine, &s->engine_options,
                                                  s->netlist->insts.len, LEAST_GATES, &why);
  text_free(&why);
  return on;
}

/* -recover beside another goal: first the repair as without it, then the recovery, which keeps what
   the repair has reached. */
static bool has_repair(const Args *a)
{
  return !args_given(a, "-recover") || args_flag(a, "-setup") || args_flag(a, "-hold")
         || args_flag(a, "-design_rules");
}

static SizeOptions options_of(const Args *a, bool keep, const SizeCosts *costs, Leakage *leakage,
                              const Timing *t)
{
  static const uint32_t passes[] = { 6, 12, 30 };
  return (SizeOptions){
    .costs = *costs,
    .leakage = leakage,
    .by_cost = args_given(a, "-weights"),
    .keep = keep,
    .keep_ends = !args_given(a, "-weights") && !args_flag(a, "-design_rules") && !keep,
    .scaled = !args_given(a, "-weights") && !keep,
    .rules_alone = args_flag(a, "-design_rules"),
    .recover = args_given(a, "-weights") || keep,
    .passes = args_given(a, "-max_passes") ? (uint32_t)args_int(a, "-max_passes")
                                           : passes[args_enum(a, "-effort")],
    .time_limit = args_given(a, "-time_limit") ? args_number(a, "-time_limit") : INFINITY,
    .slack_margin = args_given(a, "-slack_margin") ? (float)args_number(a, "-slack_margin") : 0,
    .seed = (uint32_t)args_int(a, "-seed"),
    .threads = t->threads
  };
}

/* --- the command ------------------------------------------------------------------------------ */
static Status check(Session *s, Args *a)
{
  if (args_flag(a, "-design_rules") && (args_flag(a, "-setup") || args_flag(a, "-hold")))
    return log_error(s->log, "EDIT-043", args_where(a),
                     "size_cells: %s and -design_rules are two goals, expected one",
                     args_flag(a, "-setup") ? "-setup" : "-hold");
  if (args_given(a, "-weights")
      && (args_flag(a, "-setup") || args_flag(a, "-hold") || args_flag(a, "-design_rules")
          || args_given(a, "-recover")))
    return log_error(s->log, "EDIT-043", args_where(a),
                     "size_cells: -weights is a goal of its own, expected no -setup, -hold, "
                     "-design_rules or -recover");
  uint32_t scenarios = scenario_count(s->scenarios);
  if (scenarios > SIZE_SCENES)
    return log_error(s->log, "EDIT-048", args_where(a),
                     "size_cells: there are %u scenarios, expected at most %d", scenarios,
                     SIZE_SCENES);
  return OK;
}

/* Only -hold asks for early slacks in each pass. */
static void time_late_only(const Sizing *sizing, bool on)
{
  for (uint32_t i = 0; i < sizing->timers.len; i++)
    if (sizing->timers.at[i]) timer_set_late_only(sizing->timers.at[i], on);
}

static double total_hold(const Sizing *sizing)
{
  return query_slacks_of(sizing->timings.at, sizing->timings.len, EARLY).total;
}

/* The slacks before the first pass. */
static Status time_first(Sizing *sizing)
{
  sizing->watches_hold = !args_flag(sizing->a, "-hold") && !args_given(sizing->a, "-weights");
  if (sizing->watches_hold) {
    if (time_all(sizing) != OK) return FAILED;
    sizing->hold_before = total_hold(sizing);
  }
  time_late_only(sizing, !args_flag(sizing->a, "-hold"));
  return time_all(sizing);
}

/* Without -hold the passes do not look at hold slacks. The next query times the design with them
   anyway. */
static void tell_hold(Sizing *sizing)
{
  if (!sizing->watches_hold) return;
  time_late_only(sizing, false);
  if (time_all(sizing) != OK) return;
  double after = total_hold(sizing), unit = sizing->s->units.scale[UNIT_TIME];
  if (after < sizing->hold_before)
    log_warning(sizing->s->log, "EDIT-061", args_where(sizing->a),
                "size_cells: the total negative hold slack was %.4f and is %.4f now; -hold would "
                "repair and keep it",
                sizing->hold_before / unit, after / unit);
}

/* Times all scenarios, the current one first. */
static Status open_timers(Sizing *sizing)
{
  array_push(&sizing->timers, session_timer(sizing->s));
  if (sizing->timers.at[0] == NULL) return FAILED;
  for (ScenarioId id = 0; id < sizing->s->scenarios->scenarios.len; id++) {
    if (sizing->s->scenarios->scenarios.at[id].deleted || id == sizing->s->scenario) continue;
    array_push(&sizing->timers, session_timer_of(sizing->s, id));
    if (sizing->timers.at[sizing->timers.len - 1] == NULL) return FAILED;
  }
  if (time_first(sizing) != OK) return FAILED;
  for (uint32_t i = 0; i < sizing->timings.len; i++)
    if (sizing->timings.at[i]->scaling)
      return log_error(sizing->s->log, "EDIT-044", args_where(sizing->a),
                       "size_cells: cells at other operating conditions than their library's are "
                       "not sized");
  return OK;
}

static void print_end(Sizing *sizing, const SizeResult *result)
{
  args_print(sizing->a, "%-13s", "before");
  print_score(sizing, &result->before);
  args_print(sizing->a, "\n%-13s", "after");
  print_score(sizing, &result->after);
  args_print(sizing->a, "\n%u of %u cells have another library cell; %u cells cannot have one",
             result->changed, result->gates, result->fixed);
  if (result->left) args_print(sizing->a, "; %u cells were to stay", result->left);
  args_print(sizing->a, "\n");
}

static Status run_sizer(Sizing *sizing, const SizeOptions *options, SizeResult *result)
{
  ARRAY(Graph *) graphs = { 0 };
  for (uint32_t i = 0; i < sizing->timers.len; i++)
    array_push(&graphs, sizing->timers.at[i]->graph);
  SizeChoice choice = { graphs.at, graphs.len, sizing->s->edit_rules, may_change, sizing };
  SizeHost host = { swap, update, progress, sizing };
  Status status =
      size_gates(sizing->timings.at, sizing->timings.len, options, &choice, &host, result);
  array_free(&graphs);
  return status;
}

static void tell(const Sizing *sizing, const SizeResult *result)
{
  if (result->lost[0])
    log_warning(sizing->s->log, "EDIT-045", args_where(sizing->a),
                "size_cells: the CPU evaluates the cells, as the device failed: %s", result->lost);
  if (result->other_graph)
    log_warning(sizing->s->log, "EDIT-046", args_where(sizing->a),
                "size_cells: %u cells keep theirs, since every alternative needs another graph",
                result->other_graph);
  if (result->after.lost_ends)
    log_warning(sizing->s->log, "EDIT-058", args_where(sizing->a),
                "size_cells: stopped before %u endpoints had the slack again that they are to keep",
                result->after.lost_ends);
}

static Status repair_or_recover(Sizing *sizing, bool recovers, Leakage *leakage, double area,
                                SizeResult *result)
{
  SizeCosts costs;
  const Timing *t = sizing->timings.at[0];
  if (!args_given(sizing->a, "-weights")) costs = usual_costs(sizing->a, recovers, t->g, leakage);
  else if (read_weights(sizing->s, sizing->a, &costs) != OK) return FAILED;
  SizeOptions o = options_of(sizing->a, recovers, &costs, leakage, t);
  o.device = device_of(sizing->s);
  o.engine = sizing->s->engine_options;
  o.time_limit -= clock_seconds() - sizing->since;
  if (args_given(sizing->a, "-keep_area"))
    o.most_area = area * (1 + args_number(sizing->a, "-keep_area") / 100);
  return run_sizer(sizing, &o, result);
}

static void take_start(Sizing *sizing)
{
  const Netlist *n = sizing->s->netlist;
  sizing->start = mem_alloc(((size_t)n->insts.len + 1) * sizeof *sizing->start);
  for (InstId i = 0; i < n->insts.len; i++) sizing->start[i] = n->insts.at[i].master;
}

static uint32_t count_changed(const Sizing *sizing)
{
  const Netlist *n = sizing->s->netlist;
  uint32_t changed = 0;
  for (InstId i = 0; i < n->insts.len; i++)
    changed += inst_is_there(n, i) && n->insts.at[i].master != sizing->start[i];
  return changed;
}

/* From where the repair has come to. What the recovery leaves is what the command leaves. */
static Status recover_after(Sizing *sizing, Leakage *leakage, double area, SizeResult *result)
{
  SizeResult more = { 0 };
  sizing->recovering = true;
  sizing->passes_before = sizing->shown;
  if (time_all(sizing) != OK) return FAILED;
  Status status = repair_or_recover(sizing, true, leakage, area, &more);
  if (!more.begun) return status;
  result->after = more.after;
  if (more.lost[0]) memcpy(result->lost, more.lost, sizeof result->lost);
  return status;
}

/* One edit, even if no cell changes in the end. With -report there is none. */
static Status size_as_edit(Sizing *sizing, Leakage *leakage, SizeResult *result)
{
  Edits *edits = command_edits(sizing->s);
  bool repairs = has_repair(sizing->a), recovers = args_given(sizing->a, "-recover");
  double area = size_area(sizing->timings.at[0]->g);
  edits_begin(edits, "size_cells");
  Status status = repair_or_recover(sizing, !repairs, leakage, area, result);
  if (status == OK && repairs && recovers) status = recover_after(sizing, leakage, area, result);
  result->changed = count_changed(sizing);
  if (status == OK) tell_hold(sizing);
  edits_merge_swaps(edits);      /* cells were swapped in many passes */
  if (result->begun) edits_keep_empty(edits);
  edits_end(edits, OK, NULL);
  if (result->begun && args_flag(sizing->a, "-report")) edits_undo(edits, 1);
  return status;
}

static Status size_with(Sizing *sizing, Leakage *leakage)
{
  SizeResult r = { 0 };
  sizing->since = clock_seconds();
  take_start(sizing);
  Status status = size_as_edit(sizing, leakage, &r);
  mem_free(sizing->start);
  if (!r.begun) return status;
  tell(sizing, &r);
  print_end(sizing, &r);
  return status;
}

static Status run_with_timers(Sizing *sizing)
{
  if (open_timers(sizing) != OK) return FAILED;
  Leakage *leakage = leakage_new(sizing->timers.at[0]->graph, sizing->timers.at[0]->in.corner,
                                 sizing->timings.at[0]->threads);
  if (leakage == NULL) return FAILED;
  sizing->given = given_cells(sizing->s, sizing->a);
  Status status = size_with(sizing, leakage);
  mem_free(sizing->given);
  leakage_free(leakage);
  return status;
}

static Status run_size(Session *s, Args *a)
{
  Sizing z = { .s = s, .a = a };
  if (check(s, a) != OK) return FAILED;
  Status status = run_with_timers(&z);
  time_late_only(&z, false);
  array_free(&z.timers);
  array_free(&z.timings);
  return status;
}

const Command commands_size[] = {
  { "size_cells", "optimization", "give cells other sizes: timing, design rules, leakage, area",
    size_options, run_size, CMD_NEEDS_DESIGN | CMD_REDIRECT | CMD_LIVE,
    "A cell may become any library cell with its function, pins and arcs that set_dont_use "
    "allows. Cells under set_dont_touch, registers, latches, clock gates and cells with pins in "
    "both directions stay. Cells that a clock passes through stay too, unless -clock_network or "
    "-weights is given. The reason is that their delay counts at launch and at capture, and no "
    "pass prices it.\n"
    "Each pass evaluates all such library cells of all cells at once, from the last update: what "
    "the cell's own delays change, what its input capacitance changes in the cells before it, "
    "and what its output's transition changes in the cells after it. Cells of even and of odd "
    "levels change in turn. After each pass the design is timed exactly, and a line shows the "
    "result. Then, without -weights and -design_rules, at most as many passes follow. They make "
    "only the changes that promise the largest gains. Each of them that gains something has a "
    "line.\n"
    "The result is the best design of all passes. It has the fewest violations of transition and "
    "capacitance. Among such designs it has the least total and worst negative slack, then, with "
    "-hold, the least negative hold slack, then the least cost. It is never worse than the "
    "design before. No endpoint ends with less setup slack than it had, or than -slack_margin if "
    "it had more than that. If an endpoint has less after the last pass, further passes change "
    "cells near its path, or undo changes there. With -design_rules limits come first, and "
    "endpoints may lose slack; only cells at nets above their limits change.\n"
    "-recover alone repairs nothing. The result has the least leakage or area of all designs "
    "that keep the slacks and the limits. In these designs no endpoint has less slack than "
    "before (or than -slack_margin, if it had more), and the sum of violations of transition and "
    "load is not larger than before. With -setup, -hold or -design_rules the repair comes first, "
    "as without -recover. As many passes of recovery follow. They keep what the repair has "
    "reached; with -hold also the total and the worst hold slack.\n"
    "With -weights the best design is the one with the least sum, and endpoints may lose slack. "
    "A weight is for a unit of time of total negative slack, a unit of time of each transition "
    "above its limit, a unit of capacitance of each load above its limit, a microwatt of "
    "leakage, or a unit of area. The sum includes the slacks and violations of all scenarios.\n"
    "All scenarios count. The table shows each endpoint's worst slack, and the design rules of "
    "the scenario with most violations. Leakage is that of the current scenario. Only -hold "
    "considers hold slacks. Without -hold and without -weights, a warning appears if they become "
    "worse.\n"
    "Ctrl-C ends the command with the best design so far. The command is one edit, even if no "
    "cell has another library cell in the end. So undo_edits takes back all its changes at once, "
    "and those of no other command. With -report it is no edit. write_changes writes the "
    "changes. Cells that -cells does not name, that are under set_dont_touch, or that are in "
    "clock networks, are counted as those that were to stay.",
    "size_cells -recover leakage -max_passes 4\n"
    "undo_edits\n" },
  { 0 }
};
