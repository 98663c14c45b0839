/* Prepares the libraries of a corner: thresholds, ramp tables for effective capacitances, pin
   capacitances, and the cell and arc for each analysis. */
#include "timing/corner_libs.h"

#include <math.h>

/* --- ramp tables ------------------------------------------------------------------------------ */
/* Returns the time at which one pole (time constant 1) crosses v, driven by a ramp from 0 of length
   u. After the end of the ramp the response is 1 - exp(-t) (exp(u) - 1) / u, which has an inverse.
   On the ramp it is (t - 1 + exp(-t)) / u, which is convex. So Newton's method falls to the root if
   it starts on the right, where t - 1 = v u. */
static double ramp_crossing(double v, double u)
{
  double end = (u - 1 + exp(-u)) / u;
  if (u < 1e-8) return -log(1 - v);
  if (v >= end) return log(expm1(u) / (u * (1 - v)));
  double t = v * u + 1;
  for (int i = 0; i < 60; i++) {
    double step = (t - 1 + exp(-t) - v * u) / -expm1(-t);
    t -= step;
    if (step < 1e-15 * t) break;
  }
  return t;
}

static double ramp_excess(double vl, double vth, double d, double u)
{
  return ramp_crossing(vth, u) - ramp_crossing(vl, u) - d;
}

/* Returns the length u of the ramp whose crossings of vl and vth are d apart.  It is more than
   `low`.  The method is regula falsi; it halves the value at an end that stays (Illinois). */
static double ramp_length(double vl, double vth, double d, double low)
{
  double high = 2 * low + 0.1, at_low = ramp_excess(vl, vth, d, low), at_high;
  while ((at_high = ramp_excess(vl, vth, d, high)) < 0) high *= 2;
  for (int i = 0, side = 0; i < 60 && high - low > 1e-12 * high; i++) {
    double u = high - at_high * (high - low) / (at_high - at_low), f = ramp_excess(vl, vth, d, u);
    if (f == 0) return u;
    if (f > 0) {
      if (side == 1) at_low *= 0.5;
      high = u;
      at_high = f;
      side = 1;
    } else {
      if (side == -1) at_high *= 0.5;
      low = u;
      at_low = f;
      side = -1;
    }
    if (f < 1e-13 * d && f > -1e-13 * d) return u;
  }
  return 0.5 * (low + high);
}

/* Fills the table of one pair of thresholds. At q = 0 the ramp has no length. At q = 1 it is
   infinitely long and straight: u*w -> least / (vth - vl), (s + d)*w -> least * vth / (vth -
   vl). */
static void fill_ramp_table(float *table, double vl, double vth)
{
  double least = log((1 - vl) / (1 - vth)), length = 1e-9;
  table[0] = (float)least;
  for (int i = 0; i <= RAMP_STEPS; i++) {
    double q = (double)i / RAMP_STEPS, w = 1 - q * q, u = 0, crossing = -log(1 - vth);
    if (i == RAMP_STEPS) {
      table[RAMP_U + i] = (float)(least / (vth - vl));
      table[RAMP_S + i] = (float)(least * vth / (vth - vl));
      continue;
    }
    if (i > 0) {
      u = length = ramp_length(vl, vth, least / w, length);
      crossing = ramp_crossing(vth, u);
    }
    table[RAMP_U + i] = (float)(u * w);
    table[RAMP_S + i] = (float)(crossing * w);
  }
}

static int ramp_base_for(CornerLibs *m, uint32_t index)
{
  const Thresholds *t = &m->thresholds[index];
  for (uint32_t i = 0; i < index; i++)
    if (m->thresholds[i].vl == t->vl && m->thresholds[i].vth == t->vth) return m->ramp_base[i];
  int base = (int)m->ramps.len;
  array_resize(&m->ramps, m->ramps.len + RAMP_FLOATS);
  fill_ramp_table(m->ramps.at + base, t->vl, t->vth);
  return base;
}

static void fill_thresholds(CornerLibs *m)
{
  uint32_t count = m->libs->libraries.len;
  m->thresholds = mem_alloc_zero(2 * (size_t)count + 1, sizeof *m->thresholds);
  m->ramp_base = mem_alloc_zero(2 * (size_t)count + 1, sizeof *m->ramp_base);
  m->input_threshold = mem_alloc_zero(2 * (size_t)count + 1, sizeof *m->input_threshold);
  for (uint32_t i = 0; i < 2 * count; i++) {
    const Library *lib = &m->libs->libraries.at[i / 2];
    int edge = (int)(i & 1);
    m->thresholds[i] = (Thresholds){ lib->output_threshold[edge], lib->slew_lower[edge],
                                     lib->slew_upper[edge], lib->slew_derate };
    m->input_threshold[i] = lib->input_threshold[edge];
    m->ramp_base[i] = ramp_base_for(m, i);
  }
}

/* --- cells by condition ----------------------------------------------------------------------- */
/* Can an arc take the place of another one? It needs the same tables, because the timing edges of
   the graph are those of the netlist's cells. */
static bool has_tables_of(const LibrarySet *libs, LibArcId own, LibArcId other)
{
  const LibArc *a = &libs->arcs.at[own], *b = &libs->arcs.at[other];
  for (int edge = RISE; edge <= FALL; edge++)
    if ((a->delay[edge] == NO_TABLE) != (b->delay[edge] == NO_TABLE)) return false;
  return true;
}

/* Returns the arc that gives the early or late delays. Early delays come from the retaining arc,
   because an output changes no earlier than it stops keeping its value. */
static LibArcId arc_of(const LibrarySet *libs, LibArcId arc, int early_late)
{
  return early_late == EARLY ? arc + libs->arcs.at[arc].early : arc;
}

static void fill_cell(CornerLibs *m, const Corner *corner, CellId id, int early_late)
{
  const LibCell *cell = &m->libs->cells.at[id];
  CellId other = corner_cell(m->libs, corner, id, early_late, NULL);
  m->cell_for[early_late][id] = other;
  m->library_for[early_late][id] = m->libs->cells.at[other].library;
  for (LibArcId a = cell->first_arc; a < cell->first_arc + cell->arc_count; a++) {
    LibArcId found = other == id ? a : library_arc_for(m->libs, a, other, early_late);
    if (found == NO_LIB_ARC || !has_tables_of(m->libs, a, found)) found = a;
    m->arc_for[early_late][a] = arc_of(m->libs, found, early_late);
  }
  for (PortId p = cell->first_port; p < cell->first_port + cell->port_count; p++) {
    PortId q = other == id ? p : library_find_port(m->libs, other, m->libs->ports.at[p].name);
    const LibPort *port = &m->libs->ports.at[q == NO_PORT ? p : q];
    for (int edge = RISE; edge <= FALL; edge++)
      m->port_cap[p].v[condition_of(early_late, edge)] = port->cap[condition_of(early_late, edge)];
  }
}

CornerLibs *corner_libs_new(const LibrarySet *libs, const Corner *corner)
{
  CornerLibs *m = mem_alloc_zero(1, sizeof *m);
  m->libs = libs;
  fill_thresholds(m);
  m->port_cap = mem_alloc_zero((size_t)libs->ports.len + 1, sizeof *m->port_cap);
  for (int el = EARLY; el <= LATE; el++) {
    m->arc_for[el] = mem_alloc_zero((size_t)libs->arcs.len + 1, sizeof *m->arc_for[el]);
    m->cell_for[el] = mem_alloc_zero((size_t)libs->cells.len + 1, sizeof *m->cell_for[el]);
    m->library_for[el] = mem_alloc_zero((size_t)libs->cells.len + 1, sizeof *m->library_for[el]);
  }
  for (CellId c = 0; c < libs->cells.len; c++)
    for (int el = EARLY; el <= LATE; el++) fill_cell(m, corner, c, el);
  m->row_segments = 1;
  for (TableId t = 0; t < libs->tables.len; t++)
    if (libs->tables.at[t].n2 > m->row_segments + 1u) m->row_segments = libs->tables.at[t].n2 - 1u;
  return m;
}

void corner_libs_free(CornerLibs *m)
{
  if (m == NULL) return;
  mem_free(m->thresholds);
  mem_free(m->ramp_base);
  mem_free(m->input_threshold);
  array_free(&m->ramps);
  for (int el = EARLY; el <= LATE; el++) {
    mem_free(m->arc_for[el]);
    mem_free(m->cell_for[el]);
    mem_free(m->library_for[el]);
  }
  mem_free(m->port_cap);
  mem_free(m);
}

size_t corner_libs_bytes(const CornerLibs *m)
{
  return (size_t)m->libs->ports.len * sizeof(Cond4) + (size_t)m->libs->arcs.len * 8
         + (size_t)m->libs->cells.len * 16 + m->ramps.cap * sizeof(float);
}
