/* Table look-up: bilinear inside the table, linearly extrapolated on every side. */
#ifndef SL_MATH_TABLE_H
#define SL_MATH_TABLE_H

#include "math/host_device.h"

/* A table: axis1[n1], axis2[n2] and values[n1][n2] follow each other at data. The memory belongs to
   the library or to the device's copy. */
typedef struct {
  const float *data;
  int n1, n2;
} TableView;

/* Returns the segment of an axis that contains x, or the one to extrapolate: 0 .. n-2 (0 for n <
   2). */
SL_HD int axis_segment(const float *axis, int n, float x)
{
  int s = 0;
  for (int k = 1; k < n - 1; k++) s += x >= axis[k] ? 1 : 0;
  return s;
}

/* Returns the position of x in segment s: 0 at its start, 1 at its end, other values outside. */
SL_HD float axis_fraction(const float *axis, int n, int s, float x)
{
  return n < 2 ? 0.0f : (x - axis[s]) / (axis[s + 1] - axis[s]);
}

SL_HD float lerp(float a, float b, float f) { return a + (b - a) * f; }

SL_HD float table_value(TableView t, float x1, float x2)
{
  const float *axis1 = t.data, *axis2 = t.data + t.n1, *v = axis2 + t.n2;
  int i = axis_segment(axis1, t.n1, x1), j = axis_segment(axis2, t.n2, x2);
  float f1 = axis_fraction(axis1, t.n1, i, x1), f2 = axis_fraction(axis2, t.n2, j, x2);
  int i1 = t.n1 < 2 ? i : i + 1, j1 = t.n2 < 2 ? j : j + 1;
  float low = lerp(v[i * t.n2 + j], v[i1 * t.n2 + j], f1);
  float high = lerp(v[i * t.n2 + j1], v[i1 * t.n2 + j1], f1);
  return lerp(low, high, f2);
}

/* A table cut at an input slew, which is a piecewise linear function of the load. A cut with up to
   CUT_SEGMENTS segments is laid out: segment k starts at x[k] with value y[k] and slope dy[k].
   Unused segments start at TABLE_ROW_END, which no load reaches. Loops over it have a fixed count,
   so that a device keeps it in registers. */
#define TABLE_ROW_END 3.0e38f
enum { CUT_SEGMENTS = 7 };
typedef struct {
  TableView t;
  int   segment, laid_out;
  float fraction;
  float x[CUT_SEGMENTS], y[CUT_SEGMENTS], dy[CUT_SEGMENTS];
} TableCut;

SL_HD void cut_lay_out(TableCut *cut)
{
  int n2 = cut->t.n2;
  const float *axis2 = cut->t.data + cut->t.n1, *a = axis2 + n2 + cut->segment * n2,
              *b = cut->t.n1 < 2 ? a : a + n2;
  float y = lerp(a[0], b[0], cut->fraction);
  for (int k = 0; k < CUT_SEGMENTS; k++) {
    int in = k < n2 - 1, next = in ? k + 1 : 0;
    float to = lerp(a[next], b[next], cut->fraction), width = axis2[next] - axis2[in ? k : 0];
    cut->x[k] = in ? axis2[k] : k ? TABLE_ROW_END : 0;
    cut->y[k] = y;
    cut->dy[k] = in ? (to - y) / width : 0;
    y = in ? to : y;
  }
}

SL_HD TableCut table_cut(TableView t, float x1)
{
  TableCut c;
  c.t = t;
  c.segment = axis_segment(t.data, t.n1, x1);
  c.fraction = axis_fraction(t.data, t.n1, c.segment, x1);
  c.laid_out = t.n2 <= CUT_SEGMENTS + 1;
  if (c.laid_out) cut_lay_out(&c);
  return c;
}

SL_HD float laid_out_value(const TableCut *cut, float load)
{
  float x = cut->x[0], y = cut->y[0], dy = cut->dy[0];
  for (int k = 1; k < CUT_SEGMENTS; k++) {
    int in = load >= cut->x[k];
    x = in ? cut->x[k] : x;
    y = in ? cut->y[k] : y;
    dy = in ? cut->dy[k] : dy;
  }
  return y + dy * (load - x);
}

SL_HD float cut_value(const TableCut *cut, float load)
{
  if (cut->laid_out) return laid_out_value(cut, load);
  const float *axis2 = cut->t.data + cut->t.n1, *a = axis2 + cut->t.n2 + cut->segment * cut->t.n2,
              *b = cut->t.n1 < 2 ? a : a + cut->t.n2;
  int k = axis_segment(axis2, cut->t.n2, load);
  float y = lerp(a[k], b[k], cut->fraction),
        dy = (lerp(a[k + 1], b[k + 1], cut->fraction) - y) / (axis2[k + 1] - axis2[k]);
  return y + dy * (load - axis2[k]);
}

/* A row is a laid-out cut with the same bits and any number of segments: segment k starts at
   x[k*stride]. The stride places the lanes of a vector side by side. */
typedef struct {
  float *x, *y, *dy;
} TableRow;

SL_HD void row_set(TableRow r, int segments, int stride, TableView t, float x1)
{
  const float *axis1 = t.data, *axis2 = t.data + t.n1, *v = axis2 + t.n2;
  int i = axis_segment(axis1, t.n1, x1);
  float f = axis_fraction(axis1, t.n1, i, x1);
  const float *a = v + i * t.n2, *b = t.n1 < 2 ? a : a + t.n2;
  float y = lerp(a[0], b[0], f);
  if (t.n2 < 2) {
    r.x[0] = 0;
    r.y[0] = y;
    r.dy[0] = 0;
  }
  for (int k = 0; k < t.n2 - 1; k++) {
    float next = lerp(a[k + 1], b[k + 1], f);
    r.x[k * stride] = axis2[k];
    r.y[k * stride] = y;
    r.dy[k * stride] = (next - y) / (axis2[k + 1] - axis2[k]);
    y = next;
  }
  for (int k = t.n2 < 2 ? 1 : t.n2 - 1; k < segments; k++) r.x[k * stride] = TABLE_ROW_END;
}

/* Returns how many segments the row of a table needs. */
SL_HD int row_segments(TableView t) { return t.n2 < 2 ? 1 : t.n2 - 1; }

SL_HD float row_value(TableRow r, int segments, int stride, float load)
{
  float x = r.x[0], y = r.y[0], dy = r.dy[0];
  for (int k = 1; k < segments; k++) {
    int at = k * stride;
    int in = load >= r.x[at];
    x = in ? r.x[at] : x;
    y = in ? r.y[at] : y;
    dy = in ? r.dy[at] : dy;
  }
  return y + dy * (load - x);
}

#endif
