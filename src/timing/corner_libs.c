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
   `low`.  The method is regula falsi; it halves the value at an end that stays (Illinois).  moved:
   the end that moved last, 1 high, -1 low. */
static double ramp_length(double vl, double vth, double d, double low)
{
  double high = 2 * low + 0.1, at_low = ramp_excess(vl, vth, d, low), at_high;
  while ((at_high = ramp_excess(vl, vth, d, high)) < 0) high *= 2;
  for (int i = 0, moved = 0; i < 60 && high - low > 1e-12 * high; i++) {
    double u = high - at_high * (high - low) / (at_high - at_low), f = ramp_excess(vl, vth, d, u);
    if (f == 0) return u;
    if (f > 0) {
      if (moved == 1) at_low *= 0.5;
      high = u;
      at_high = f;
      moved = 1;
    } else {
      if (moved == -1) at_high *= 0.5;
      low = u;
      at_low = f;
      moved = -1;
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

static int ramp_base_for(CornerLibs *libs, uint32_t index)
{
  const Thresholds *thresholds = &libs->thresholds[index];
  for (uint32_t i = 0; i < index; i++)
    if (libs->thresholds[i].vl == thresholds->vl && libs->thresholds[i].vth == thresholds->vth)
      return libs->ramp_base[i];
  int base = (int)libs->ramps.len;
  array_resize(&libs->ramps, libs->ramps.len + RAMP_FLOATS);
  fill_ramp_table(libs->ramps.at + base, thresholds->vl, thresholds->vth);
  return base;
}

static void fill_thresholds(CornerLibs *libs)
{
  uint32_t count = libs->libs->libraries.len;
  libs->thresholds = mem_alloc_zero(2 * (size_t)count + 1, sizeof *libs->thresholds);
  libs->ramp_base = mem_alloc_zero(2 * (size_t)count + 1, sizeof *libs->ramp_base);
  libs->input_threshold = mem_alloc_zero(2 * (size_t)count + 1, sizeof *libs->input_threshold);
  for (uint32_t i = 0; i < 2 * count; i++) {
    const Library *lib = &libs->libs->libraries.at[i / 2];
    int edge = (int)(i & 1);
    libs->thresholds[i] = (Thresholds){ lib->output_threshold[edge], lib->slew_lower[edge],
                                        lib->slew_upper[edge], lib->slew_derate };
    libs->input_threshold[i] = lib->input_threshold[edge];
    libs->ramp_base[i] = ramp_base_for(libs, i);
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

static void fill_cell(CornerLibs *libs, const Corner *corner, CellId id, int early_late)
{
  const LibCell *cell = &libs->libs->cells.at[id];
  CellId other = corner_cell(libs->libs, corner, id, early_late, NULL);
  libs->cell_for[early_late][id] = other;
  libs->library_for[early_late][id] = libs->libs->cells.at[other].library;
  for (LibArcId a = cell->first_arc; a < cell->first_arc + cell->arc_count; a++) {
    LibArcId found = other == id ? a : library_arc_for(libs->libs, a, other, early_late);
    if (found == NO_LIB_ARC || !has_tables_of(libs->libs, a, found)) found = a;
    libs->arc_for[early_late][a] = arc_of(libs->libs, found, early_late);
  }
  for (PortId p = cell->first_port; p < cell->first_port + cell->port_count; p++) {
    PortId q = other == id ? p : library_find_port(libs->libs, other, libs->libs->ports.at[p].name);
    const LibPort *port = &libs->libs->ports.at[q == NO_PORT ? p : q];
    for (int edge = RISE; edge <= FALL; edge++)
      libs->port_cap[p].v[condition_of(early_late, edge)] =
          port->cap[condition_of(early_late, edge)];
  }
}

CornerLibs *corner_libs_new(const LibrarySet *libs, const Corner *corner)
{
  CornerLibs *corner_libs = mem_alloc_zero(1, sizeof *corner_libs);
  corner_libs->libs = libs;
  fill_thresholds(corner_libs);
  corner_libs->port_cap =
      mem_alloc_zero((size_t)libs->ports.len + 1, sizeof *corner_libs->port_cap);
  for (int el = EARLY; el <= LATE; el++) {
    corner_libs->arc_for[el] =
        mem_alloc_zero((size_t)libs->arcs.len + 1, sizeof *corner_libs->arc_for[el]);
    corner_libs->cell_for[el] =
        mem_alloc_zero((size_t)libs->cells.len + 1, sizeof *corner_libs->cell_for[el]);
    corner_libs->library_for[el] =
        mem_alloc_zero((size_t)libs->cells.len + 1, sizeof *corner_libs->library_for[el]);
  }
  for (CellId c = 0; c < libs->cells.len; c++)
    for (int el = EARLY; el <= LATE; el++) fill_cell(corner_libs, corner, c, el);
  corner_libs->row_segments = 1;
  for (TableId t = 0; t < libs->tables.len; t++)
    if (libs->tables.at[t].n2 > corner_libs->row_segments + 1u)
      corner_libs->row_segments = libs->tables.at[t].n2 - 1u;
  return corner_libs;
}

void corner_libs_free(CornerLibs *libs)
{
  if (libs == NULL) return;
  mem_free(libs->thresholds);
  mem_free(libs->ramp_base);
  mem_free(libs->input_threshold);
  array_free(&libs->ramps);
  for (int el = EARLY; el <= LATE; el++) {
    mem_free(libs->arc_for[el]);
    mem_free(libs->cell_for[el]);
    mem_free(libs->library_for[el]);
  }
  mem_free(libs->port_cap);
  mem_free(libs);
}

size_t corner_libs_bytes(const CornerLibs *libs)
{
  return (size_t)libs->libs->ports.len * sizeof(Cond4) + (size_t)libs->libs->arcs.len * 8
         + (size_t)libs->libs->cells.len * 16 + libs->ramps.cap * sizeof(float);
}
