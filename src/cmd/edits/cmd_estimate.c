/* The command that estimates what each alternative of a cell would change. */
#include <math.h>

#include "base/interrupt.h"
#include "cmd/report/cmd_report.h"
#include "optimize/alternatives.h"
#include "optimize/what_if.h"
#include "query/leakage.h"

static const Option estimate_options[] = {
  { "-list", ARG_FLAG,
    .help = "return rows as lists: library cell, setup slack, hold slack, transition, load before "
            "the cell, load of its outputs, area, leakage" },
  { "-lib_cells", ARG_OBJECTS, .kinds = OBJ_BIT(OBJ_LIB_CELL),
    .help = "library cells to try; default: all alternatives" },
  { "cell", ARG_OBJECTS, .kinds = OBJ_BIT(OBJ_CELL), .flags = OPT_REQUIRED,
    .help = "a cell of the design" },
  OPTIONS_SCENARIOS,
  OPTION_DIGITS,
  { 0 }
};

typedef struct {
  CellId cell;
  WhatIf what;
  double area, leakage;
} Estimate;

typedef struct {
  Session *s;
  InstId   inst;
  ARRAY(Timer *) timers;
  Leakage *leakage;
  ARRAY(Estimate) rows;                /* the first is of the cell that there is */
} Estimating;

/* --- working out ------------------------------------------------------------------------------ */
static Status check_cell(Session *s, const Args *a, InstId *inst)
{
  uint32_t count;
  const Object *object = args_objects(a, "cell", 0, &count);
  if (count != 1)
    return log_error(s->log, "CMD-060", NOWHERE, "%s: cell names %u objects, expected one",
                     args_command(a), count);
  *inst = object->id;
  Text name = { 0 };
  netlist_inst_name(s->netlist, *inst, s->separator, &name);
  Status status = OK;
  if (!inst_is_leaf(s->netlist, *inst))
    status = log_error(s->log, "EDIT-008", NOWHERE,
                       "%s: '%.200s' is hierarchical, expected a cell of a library",
                       args_command(a), text_get(&name));
  text_free(&name);
  return status;
}

/* All alternatives, or those that were asked for, which must have the cell's pins. */
static Status wanted_cells(Session *s, const Args *a, InstId inst, CellArray *out)
{
  uint32_t count;
  CellId own = netlist_inst_cell(s->netlist, inst);
  const Object *object = args_objects(a, "-lib_cells", 0, &count);
  if (!args_given(a, "-lib_cells")) {
    if (rules_of_inst(s->edit_rules, s->netlist, inst, NULL) == TOUCH_ALLOWED)
      alternatives_of(s->libs, s->edit_rules, own, &(AlternativeOptions){ 0 }, out, NULL);
    return interrupt_seen() ? FAILED : OK;
  }
  for (uint32_t i = 0; i < count; i++) {
    if (netlist_may_swap_cell(s->netlist, inst, object[i].id, s->log) != OK) return FAILED;
    if (object[i].id != own) array_push(out, object[i].id);
  }
  return OK;
}

static Status take_timers(Estimating *estimating, const Args *a)
{
  ScenarioIds ids = { 0 };
  Timings timings = { 0 };
  Session *s = estimating->s;
  Status status = scenarios_asked(s, a, &ids);
  if (status == OK) status = session_timings(s, &ids, true, &timings);
  for (uint32_t i = 0; i < ids.len && status == OK; i++)
    array_push(&estimating->timers, session_timer_at(s, ids.at[i]));
  if (status == OK)
    estimating->leakage =
        leakage_new(estimating->timers.at[0]->graph, estimating->timers.at[0]->in.corner,
                    estimating->timers.at[0]->timing->threads);
  array_free(&ids);
  array_free(&timings);
  return status == OK && estimating->leakage ? OK : FAILED;
}

static void add_estimate(Estimating *estimating, CellId cell)
{
  const LibCell *lib_cell = &estimating->s->libs->cells.at[cell];
  Estimate row = { .cell = cell,
                   .what = what_if(estimating->s->netlist, estimating->timers.at,
                                   estimating->timers.len, estimating->inst, cell),
                   .area = lib_cell->area,
                   .leakage = leakage_with(estimating->leakage, estimating->inst, cell) };
  array_push(&estimating->rows, row);
}

/* --- telling ---------------------------------------------------------------------------------- */
static double known(const WhatIf *what_if, double value) { return what_if->known ? value : NAN; }

static void cell_change(Grid *grid, const Sheet *sheet, double now, double before)
{
  if (isfinite(now) && isfinite(before)) cell_time(grid, sheet, now - before);
  else grid_text(grid, "-");
}

static void print_rows(const Estimating *estimating, const Sheet *sheet)
{
  Grid *grid = grid_new("lrrrrrrrrr", 0);
  const WhatIf *own = &estimating->rows.at[0].what;
  grid_row(grid, "library cell|slack|change|hold slack|change|transition|load before|load|area|"
                 "leakage (W)");
  for (uint32_t i = 0; i < estimating->rows.len; i++) {
    const Estimate *estimate = &estimating->rows.at[i];
    const WhatIf *what_if = &estimate->what;
    grid_text(grid, names_text(sheet->libs->names, sheet->libs->cells.at[estimate->cell].name));
    for (int el = LATE; el >= EARLY; el--) {
      cell_time(grid, sheet, known(what_if, what_if->slack[el]));
      cell_change(grid, sheet, known(what_if, what_if->slack[el]), own->slack[el]);
    }
    cell_time(grid, sheet, known(what_if, what_if->slew));
    cell_cap(grid, sheet, known(what_if, what_if->load));
    cell_cap(grid, sheet, known(what_if, what_if->most_load));
    grid_printf(grid, "%.*f", sheet->digits, estimate->area);
    grid_printf(grid, "%.*e", sheet->digits, estimate->leakage * 1e-9);
    if (i == 0 && estimating->rows.len > 1) grid_rule(grid);
  }
  grid_finish(grid, sheet->out);
}

static Tcl_Obj *number_value(const WhatIf *what_if, double value, double unit)
{
  bool is_known = what_if->known && isfinite(value);
  return is_known ? Tcl_NewDoubleObj(value / unit) : Tcl_NewStringObj("", 0);
}

static Tcl_Obj *estimate_value(const Session *s, const Estimate *estimate)
{
  const WhatIf *what_if = &estimate->what;
  double time = s->units.scale[UNIT_TIME], cap = s->units.scale[UNIT_CAPACITANCE];
  Tcl_Obj *row[] = {
    Tcl_NewStringObj(names_text(s->names, s->libs->cells.at[estimate->cell].name), -1),
    number_value(what_if, what_if->slack[LATE], time),
    number_value(what_if, what_if->slack[EARLY], time),
    number_value(what_if, what_if->slew, time),
    number_value(what_if, what_if->load, cap),
    number_value(what_if, what_if->most_load, cap),
    Tcl_NewDoubleObj(estimate->area),
    Tcl_NewDoubleObj(estimate->leakage * 1e-9),
  };
  return Tcl_NewListObj(sizeof row / sizeof *row, row);
}

static void return_rows(const Estimating *estimating, Args *a)
{
  Tcl_Obj *list = Tcl_NewListObj(0, NULL);
  for (uint32_t i = 0; i < estimating->rows.len; i++)
    Tcl_ListObjAppendElement(NULL, list, estimate_value(estimating->s, &estimating->rows.at[i]));
  args_return(a, list);
}

static void tell(const Estimating *estimating, Args *a)
{
  if (args_flag(a, "-list")) {
    return_rows(estimating, a);
    return;
  }
  Text out = { 0 };
  Sheet sheet = report_sheet(estimating->s, a, &out);
  print_rows(estimating, &sheet);
  if (estimating->rows.len == 1)
    text_put(&out, "no alternatives; get_alternative_lib_cells -verbose says "
                   "why\n");
  report_finish(a, &out);
}

static Status run_estimate_swap(Session *s, Args *a)
{
  Estimating e = { .s = s };
  CellArray cells = { 0 };
  Status status = check_cell(s, a, &e.inst);
  if (status == OK) status = wanted_cells(s, a, e.inst, &cells);
  if (status == OK) status = take_timers(&e, a);
  if (status == OK) add_estimate(&e, netlist_inst_cell(s->netlist, e.inst));
  for (uint32_t i = 0; i < cells.len && status == OK && !interrupt_seen(); i++)
    add_estimate(&e, cells.at[i]);
  if (status == OK && !interrupt_seen()) tell(&e, a);
  else status = FAILED;
  array_free(&cells);
  array_free(&e.timers);
  array_free(&e.rows);
  leakage_free(e.leakage);
  return status;
}

const Command commands_estimate[] = {
  { "estimate_swap", "netlist edits", "estimate what each alternative of a cell would change",
    estimate_options, run_estimate_swap, CMD_NEEDS_DESIGN | CMD_REDIRECT,
    "The first row is for the present library cell, and each other row for an alternative. A row "
    "has the worst setup and hold slack at the outputs of the cell and at the drivers before it, "
    "and the change of these slacks. It also has the longest late transition at the outputs and "
    "the pins that they drive, the largest load of the drivers before the cell, the largest load "
    "of its outputs, its area, and its leakage (as in report_power). Slacks, transitions and "
    "loads are the worst of all scenarios; leakage is that of the first.\n"
    "The design is not changed. The engine computes the nets and drivers before the cell, the "
    "cell, and what their transitions reach over at most eight cells. Changed arrivals and "
    "required times are followed wherever they lead to the cell again. Three things are not "
    "followed: captures by a clock that passes the cell, data through latches, and changes of "
    "the credits of the clock tree. Annotated delays of the cell are kept, though a swap drops "
    "them. A driver of more than 500 loads before the cell counts as unchanged, and its slacks "
    "are left out. An alternative with other arcs has no numbers. With set_common_path_credit "
    "-required launches no alternative has numbers.",
    "estimate_swap exec/g1508\nestimate_swap -list -lib_cells mux2_4l exec/g1508\n" },
  { 0 }
};
