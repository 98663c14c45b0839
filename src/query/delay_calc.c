#include "query/delay_calc.h"

#include "timing/derived.h"
#include "timing/scaling.h"

/* --- tables as rows at the input slew, as the lanes have them --------------------------------- */
typedef struct {
  float *x[2], *y[2], *dy[2];         /* delay, slew */
  int segments;
} Rows;

static Rows rows_new(const ArcCalc *c, const CornerLibs *m)
{
  Rows r = { .segments = (int)m->row_segments };
  for (int k = 0; k < 2; k++) {
    TableView view = k ? c->slew_view : c->delay_view;
    r.x[k] = mem_alloc_zero((size_t)r.segments, sizeof(float));
    r.y[k] = mem_alloc_zero((size_t)r.segments, sizeof(float));
    r.dy[k] = mem_alloc_zero((size_t)r.segments, sizeof(float));
    row_set((TableRow){ r.x[k], r.y[k], r.dy[k] }, r.segments, 1, view, c->input_slew);
  }
  return r;
}

static void rows_free(Rows *r)
{
  for (int k = 0; k < 2; k++) {
    mem_free(r->x[k]);
    mem_free(r->y[k]);
    mem_free(r->dy[k]);
  }
}

static float row_at(const Rows *r, int table, float load)
{
  return row_value((TableRow){ r->x[table], r->y[table], r->dy[table] }, r->segments, 1, load);
}

/* --- the effective capacitance: the steps of driver_lanes_solve for one lane ------------------ */
static Ramp ramp_at(const ArcCalc *c, const Rows *r, const float *ramps, int base, float ceff)
{
  return ramp_of(ramps, base, c->thresholds, c->rd, ceff, row_at(r, 0, ceff), row_at(r, 1, ceff));
}

static void search_ceff(ArcCalc *c, const Rows *r, const float *ramps, int base)
{
  bool fixed = pi_is_far_only(c->c_far, c->c_near);
  CeffSearch s = ceff_start(c->driver);
  if (fixed) s.x1 = c->driver.c_far;
  for (int step = 0; step < CEFF_STEPS && !fixed && !s.done; step++)
    s = ceff_step(s,
                  charge_balance(c->driver, c->thresholds, ramp_at(c, r, ramps, base, s.x1), s.x1));
  c->ceff = s.x1;
  c->ramp = ramp_at(c, r, ramps, base, s.x1);
}

static void measure_output(ArcCalc *c)
{
  Wave w = wave_of_driver(c->driver, c->ramp.dt);
  c->tl = wave_crossing(&w, c->thresholds.vl, 0);
  c->tth = wave_crossing(&w, c->thresholds.vth, 0);
  c->th = wave_crossing(&w, c->thresholds.vh, 0);
}

static float not_negative(float x) { return x > 0 ? x : 0; }

static void solve_pi(const Timing *t, ArcCalc *c)
{
  const float *ramps = t->corner_libs->ramps.at;
  int base =
      t->corner_libs->ramp_base[corner_libs_thresholds_of(t->corner_libs, c->lib, c->pair.out)];
  Rows r = rows_new(c, t->corner_libs);
  float total = c->c_far + c->c_near;
  float delay = row_at(&r, 0, total), slew = row_at(&r, 1, total);
  float rd = driver_resistance(c->thresholds.vth, delay, row_at(&r, 0, total + 1.0f));
  c->ceff = total;
  c->lumped = pi_is_lumped(c->c_far, c->c_near, c->r_pi, rd);
  if (!c->lumped) {
    c->rd = rd;
    c->driver = pi_driver(c->c_far, c->c_near, c->r_pi, rd);
    search_ceff(c, &r, ramps, base);
    c->solved = c->ramp.ratio > 1.0001f && c->ramp.dt > 0 && row_at(&r, 1, c->ceff) > 0;
    if (!c->solved) c->ceff = total;
  }
  if (c->solved) {
    measure_output(c);
    delay = driver_delay(c->ramp, pi_is_far_only(c->c_far, c->c_near), c->tth);
    slew = (c->th - c->tl) / c->thresholds.derate;
  }
  c->delay = delay;
  c->slew = not_negative(slew);
  rows_free(&r);
}

/* --- tables at the total capacitance ---------------------------------------------------------- */
static void look_up(const Timing *t, ArcCalc *c)
{
  c->ceff = c->load;
  c->delay = table_value(c->delay_view, c->input_slew, c->load);
  c->slew = table_value(c->slew_view, c->input_slew, c->load);
  if (t->delay_model != DELAY_ELMORE) c->slew = not_negative(c->slew);
}

static bool is_launch(uint8_t type)
{
  return type == ARC_CLOCK_RISE || type == ARC_CLOCK_FALL || type == ARC_LATCH_ENABLE;
}

bool query_arc_calc(const Timing *t, ArcId arc, uint32_t edge, int early_late, ArcCalc *c)
{
  static const float zero[] = { 0, 0, 0 };
  const Graph *g = t->g;
  const CornerLibs *m = t->corner_libs;
  if (t->single) early_late = LATE;
  LibArcId id = m->arc_for[early_late][g->arcs.lib[arc]];
  const LibArc *lib = &m->libs->arcs.at[id];
  EdgePair pair =
      arc_edge_pair(&g->libs->arcs.at[g->arcs.lib[arc]], edge - g->arcs.edge_first[arc]);
  int condition = condition_of(early_late, pair.out);
  uint32_t d = graph_driver_index(g, g->arcs.to[arc]);
  if (lib->delay[pair.out] == NO_TABLE) return false;
  memset(c, 0, sizeof *c);
  c->arc = arc;
  c->edge = edge;
  c->pair = pair;
  c->early_late = early_late;
  c->lib = id;
  c->delay_table = lib->delay[pair.out];
  c->slew_table = lib->slew[pair.out];
  c->delay_view = timing_delay_table(t, g->arcs.to[arc], early_late, lib, pair.out);
  c->slew_view = c->slew_table == NO_TABLE
                     ? (TableView){ zero, 1, 1 }
                     : timing_slew_table(t, g->arcs.to[arc], early_late, lib, pair.out);
  c->thresholds = m->thresholds[corner_libs_thresholds_of(m, id, pair.out)];
  c->input_slew = timing_input_slew(t, g->arcs.from[arc], is_launch(lib->type),
                                    condition_of(early_late, pair.in));
  c->load = t->nets.load_cap[d].v[condition];
  c->has_pi = t->delay_model == DELAY_CEFF && t->nets.has_rc[d];
  PiModel pi = timing_pi(t, d, condition);
  c->c_far = pi.c_far;
  c->c_near = pi.c_near;
  c->r_pi = pi.r_pi;
  if (c->has_pi) solve_pi(t, c);
  else look_up(t, c);
  return true;
}

/* --- wires ------------------------------------------------------------------------------------ */
WireCalc query_wire_calc(const Timing *t, const ArcCalc *c, float elmore)
{
  if (!c->has_pi) return (WireCalc){ t->delay_model == DELAY_ELMORE ? elmore : 0, c->slew };
  if (!c->solved || elmore < c->slew * 1e-3f) return (WireCalc){ elmore, c->slew };
  Wave w = wave_of_load(c->driver, c->ramp.dt, elmore);
  float tl = wave_crossing(&w, c->thresholds.vl, c->tl + 0.7f * elmore);
  float tth = wave_crossing(&w, c->thresholds.vth, c->tth + 0.7f * elmore);
  float th = wave_crossing(&w, c->thresholds.vh, c->th + 0.7f * elmore);
  float delay = tth - c->tth, slew = (th - tl) / c->thresholds.derate;
  return (WireCalc){ delay < 0 ? elmore : delay, slew < c->slew ? c->slew : slew };
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
