/* Tests of math/table.h against the definition in double: tables, rows and cuts. */
#include "math/table.h"

#include <math.h>
#include <stdlib.h>

#include "tests/unit.h"

enum { MOST = 8 };

typedef struct {
  float data[2 * MOST + MOST * MOST];
  TableView view;
} TestTable;

static float uniform(unsigned *seed, float low, float high)
{
  return low + (high - low) * (float)(rand_r(seed) / (double)RAND_MAX);
}

static void random_axis(float *axis, int n, unsigned *seed)
{
  float x = uniform(seed, 0, 5);
  for (int i = 0; i < n; i++, x += uniform(seed, 0.5f, 20)) axis[i] = n == 1 ? 0 : x;
}

static void random_table(TestTable *table, int n1, int n2, unsigned *seed)
{
  random_axis(table->data, n1, seed);
  random_axis(table->data + n1, n2, seed);
  for (int i = 0; i < n1 * n2; i++) table->data[n1 + n2 + i] = uniform(seed, -5, 100);
  table->view = (TableView){ table->data, n1, n2 };
}

/* In double, by the definition: in the segment that holds x, or the outermost one, linear in each
   direction. */
static double reference(const TestTable *table, double x1, double x2)
{
  int n1 = table->view.n1, n2 = table->view.n2, i = 0, j = 0;
  const float *a1 = table->data, *a2 = a1 + n1, *v = a2 + n2;
  while (i + 2 < n1 && x1 >= a1[i + 1]) i++;
  while (j + 2 < n2 && x2 >= a2[j + 1]) j++;
  int i1 = n1 < 2 ? i : i + 1, j1 = n2 < 2 ? j : j + 1;
  double f = n1 < 2 ? 0 : (x1 - a1[i]) / ((double)a1[i1] - a1[i]),
         g = n2 < 2 ? 0 : (x2 - a2[j]) / ((double)a2[j1] - a2[j]);
  return (1 - f) * (1 - g) * v[i * n2 + j] + f * (1 - g) * v[i1 * n2 + j]
         + (1 - f) * g * v[i * n2 + j1] + f * g * v[i1 * n2 + j1];
}

static bool near(double have, double want, double scale)
{
  return fabs(have - want) <= 1e-5 * (scale + fabs(want));
}

/* All shapes, inside and beyond every side: the table, its row at the slew, and its cut there,
   which has the row's bits. */
static void test_shapes(void)
{
  unsigned seed = 11;
  bool table_right = true, row_right = true, cut_same = true;
  for (int round = 0; round < 300; round++) {
    TestTable t;
    random_table(&t, 1 + round % MOST, 1 + round / 3 % MOST, &seed);
    float x[MOST], y[MOST], dy[MOST];
    TableRow row = { x, y, dy };
    for (int k = 0; k < 30; k++) {
      float x1 = uniform(&seed, -20, 120), x2 = uniform(&seed, -20, 120);
      double want = reference(&t, x1, x2);
      table_right &= near(table_value(t.view, x1, x2), want, 2000);
      row_set(row, MOST, 1, t.view, x1);
      row_right &= near(row_value(row, MOST, 1, x2), want, 2000);
      TableCut cut = table_cut(t.view, x1);
      cut_same &= cut_value(&cut, x2) == row_value(row, MOST, 1, x2);
    }
  }
  CHECK(table_right);
  CHECK(row_right);
  CHECK(cut_same);
}

/* On the grid the values themselves come back. */
static void test_grid(void)
{
  unsigned seed = 5;
  TestTable t;
  random_table(&t, 5, 7, &seed);
  bool right = true;
  for (int i = 0; i < 5; i++)
    for (int j = 0; j < 7; j++)
      right &= near(table_value(t.view, t.data[i], t.data[5 + j]), t.data[12 + 7 * i + j], 1);
  CHECK(right);
}

static void test_scalar(void)
{
  const float data[] = { 0, 0, 42.5f };
  TableView t = { data, 1, 1 };
  float x[3], y[3], dy[3];
  TableRow row = { x, y, dy };
  row_set(row, 3, 1, t, 7);
  CHECK(table_value(t, -3, 1e6f) == 42.5f && row_value(row, 3, 1, 1e6f) == 42.5f
        && row_segments(t) == 1);
}

/* Strided rows hold the same as dense ones, and touch nothing between. */
static void test_stride(void)
{
  enum { STRIDE = 4 };
  unsigned seed = 21;
  TestTable t;
  random_table(&t, 4, 6, &seed);
  float dense[3][MOST], x[MOST * STRIDE], y[MOST * STRIDE], dy[MOST * STRIDE];
  for (int i = 0; i < MOST * STRIDE; i++) x[i] = y[i] = dy[i] = -1;
  TableRow a = { dense[0], dense[1], dense[2] }, b = { x + 2, y + 2, dy + 2 };
  row_set(a, MOST - 1, 1, t.view, 9);
  row_set(b, MOST - 1, STRIDE, t.view, 9);
  for (float load = -10; load < 150; load += 1.7f)
    CHECK(row_value(a, MOST - 1, 1, load) == row_value(b, MOST - 1, STRIDE, load));
  for (int i = 0; i < MOST * STRIDE; i++)
    if (i % STRIDE != 2) CHECK(x[i] == -1 && y[i] == -1 && dy[i] == -1);
}

void suite_table(void)
{
  CU_pSuite s = CU_add_suite("math/table", NULL, NULL);
  CU_add_test(s, "all shapes, inside and outside", test_shapes);
  CU_add_test(s, "values on the grid", test_grid);
  CU_add_test(s, "scalar", test_scalar);
  CU_add_test(s, "strided rows", test_stride);
}
