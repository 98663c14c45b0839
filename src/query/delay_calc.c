/* Repeats the calculation of one arc or wire and keeps its intermediate results. */
#include "query/delay_calc.h"

#include "timing/derived.h"

bool query_arc_calc(const Timing *t, ArcId arc, uint32_t edge, int early_late, ArcCalc *calc)
{
  const Graph *g = t->g;
  int side = stage_side(t, early_late);
  EdgePair pair = graph_edge_pair(g, arc, edge - g->arcs.edge_first[arc]);
  LibArcId id = t->corner_libs->arc_for[side][g->arcs.lib[arc]];
  const LibArc *lib = &t->corner_libs->libs->arcs.at[id];
  memset(calc, 0, sizeof *calc);
  calc->arc = arc;
  calc->edge = edge;
  calc->pair = pair;
  calc->early_late = side;
  calc->lib = id;
  calc->delay_table = lib->delay[pair.out];
  calc->slew_table = lib->slew[pair.out];
  calc->input_slew = timing_input_slew(t, g->arcs.from[arc], graph_arc_is_launch(g, arc),
                                       condition_of(side, pair.in));
  return stage_steps(t, arc, pair, side, calc->input_slew, &calc->steps);
}

SourceCalc query_source_calc(const Timing *t, const ArcCalc *calc)
{
  SourceCalc r;
  Thresholds v = t->corner_libs->thresholds[calc->steps.edge.thresholds];
  DriverTables tables = { .delay = table_cut(calc->steps.delay_table, calc->input_slew),
                          .slew = table_cut(calc->steps.slew_table, calc->input_slew) };
  r.levels = cs_levels(v);
  CsProblem p = { .levels = &r.levels, .net = calc->steps.net };
  r.bend = p.bend = driver_bend(&tables, &r.levels);
  driver_levels(&tables, &p, &r.solution);
  return r;
}

/* --- corners ---------------------------------------------------------------------------------- */
static bool outside(const float *axis, int n, float x)
{
  return n > 1 && (x < axis[0] || x > axis[n - 1]);
}

TableCorners query_table_corners(TableView v, float x, float y)
{
  const float *axis1 = v.data, *axis2 = axis1 + v.n1, *values = axis2 + v.n2;
  int i = axis_segment(axis1, v.n1, x), j = axis_segment(axis2, v.n2, y);
  int i1 = v.n1 < 2 ? i : i + 1, j1 = v.n2 < 2 ? j : j + 1;
  return (TableCorners){ .x = { axis1[i], axis1[i1] },
                         .y = { axis2[j], axis2[j1] },
                         .value = { { values[i * v.n2 + j], values[i * v.n2 + j1] },
                                    { values[i1 * v.n2 + j], values[i1 * v.n2 + j1] } },
                         .outside_x = outside(axis1, v.n1, x),
                         .outside_y = outside(axis2, v.n2, y),
                         .result = table_value(v, x, y) };
}
