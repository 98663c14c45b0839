/* RC trees against a dense solution: with G the conductances and C the capacitances of the nodes
   other than the driver's, the voltages' moments are m1 = -G^-1 C 1, m2 = -G^-1 C m1, and the
   admittance's follow as sums of C m. */
#include <math.h>
#include <stdlib.h>

#include "math/rc.h"
#include "tests/small.h"
#include "tests/unit.h"

enum { MOST = 24, LOADS = 4 };

typedef struct {
  uint32_t n;                       /* nodes; 0 is the driver's */
  RcNode   node[MOST];
  double   cap[MOST];               /* pins included */
  double   m1[MOST], m2[MOST];      /* of the voltages */
} Network;

/* Solves a x = b in place by elimination with pivots. */
static void eliminate(uint32_t n, double a[MOST][MOST], double *b)
{
  for (uint32_t c = 0; c < n; c++) {
    uint32_t best = c;
    for (uint32_t r = c + 1; r < n; r++)
      if (fabs(a[r][c]) > fabs(a[best][c])) best = r;
    for (uint32_t k = 0; k < n; k++) {
      double swap = a[c][k];
      a[c][k] = a[best][k];
      a[best][k] = swap;
    }
    double swap = b[c];
    b[c] = b[best];
    b[best] = swap;
    for (uint32_t r = 0; r < n; r++) {
      double f = a[r][c] / a[c][c];
      if (r == c) continue;
      for (uint32_t k = c; k < n; k++) a[r][k] -= f * a[c][k];
      b[r] -= f * b[c];
    }
  }
  for (uint32_t c = 0; c < n; c++) b[c] /= a[c][c];
}

/* next = -G^-1 C last, with next = 0 at the driver. */
static void next_moment(const Network *network, const double *last, double *next)
{
  double g[MOST][MOST] = { { 0 } }, b[MOST];
  for (uint32_t i = 1; i < network->n; i++) {
    double conductance = 1.0 / network->node[i].resistance;
    uint32_t p = network->node[i].parent;
    g[i - 1][i - 1] += conductance;
    b[i - 1] = -network->cap[i] * last[i];
    if (p == 0) continue;
    g[p - 1][p - 1] += conductance;
    g[i - 1][p - 1] -= conductance;
    g[p - 1][i - 1] -= conductance;
  }
  eliminate(network->n - 1, g, b);
  next[0] = 0;
  for (uint32_t i = 1; i < network->n; i++) next[i] = b[i - 1];
}

static void solve(Network *network)
{
  double ones[MOST];
  for (uint32_t i = 0; i < network->n; i++) ones[i] = 1;
  next_moment(network, ones, network->m1);
  next_moment(network, network->m1, network->m2);
}

static float uniform(unsigned *seed, double low, double high)
{
  return (float)(low + (high - low) * (rand_r(seed) / (double)RAND_MAX));
}

static bool near(double have, double want) { return fabs(have - want) <= 2e-5 * fabs(want) + 1e-7; }

/* A random tree on the net from the inverter to LOADS inputs of 1 fF each. */
static void random_network(Small *small, Network *network, const PinId *loads, uint32_t *tap_node,
                           unsigned *seed)
{
  RcTap taps[LOADS + 1] = { { small_pin(small, "u/Y"), 0 } };
  network->n = 2 + (uint32_t)rand_r(seed) % (MOST - 2);
  for (uint32_t i = 0; i < network->n; i++) {
    network->node[i] = (RcNode){ i ? (uint32_t)rand_r(seed) % i : NO_NODE,
                                 i ? uniform(seed, 0.001, 4) : 0, uniform(seed, 0, 10) };
    network->cap[i] = network->node[i].cap;
  }
  for (uint32_t k = 0; k < LOADS; k++) {
    tap_node[k] = 1 + (uint32_t)rand_r(seed) % (network->n - 1);
    taps[k + 1] = (RcTap){ loads[k], tap_node[k] };
    network->cap[tap_node[k]] += 1;
  }
  parasitics_add(small->parasitics, small->netlist, small->netlist->pins.at[taps[0].pin].seg,
                 network->node, network->n, taps, LOADS + 1, 0, (PieceNumbers){ 0 });
  solve(network);
}

static bool pi_agrees(const Timing *t, const Network *network, Slot driver)
{
  double y1 = 0, y2 = 0, y3 = 0;
  for (uint32_t i = 0; i < network->n; i++) {
    y1 += network->cap[i];
    y2 += network->cap[i] * network->m1[i];
    y3 += network->cap[i] * network->m2[i];
  }
  uint32_t d = graph_driver_index(t->g, driver);
  double c_far = y2 * y2 / y3, c_near = y1 - c_far, r = -y3 * y3 / (y2 * y2 * y2);
  if (!near(t->nets.load_cap[d].v[2], y1)) return false;
  if (!delay_has(t->delay_model, DELAY_NEEDS_PI)) return t->nets.pi_far == NULL;
  PiModel m = timing_pi(t, d, 2);
  return near(m.c_far, c_far) && near(m.r_pi, r) && fabs(m.c_near - c_near) <= 2e-5 * y1;
}

static void test_trees(void)
{
  Small *small = small_new(
      "module top(a, y); input a; output [3:0] y; wire n; INV u (.A(a), .Y(n)); BUF l0 (.A(n), "
      ".Y(y[0]));"
      " BUF l1 (.A(n), .Y(y[1])); BUF l2 (.A(n), .Y(y[2])); BUF l3 (.A(n), .Y(y[3])); endmodule");
  PinId loads[LOADS] = { small_pin(small, "l0/A"), small_pin(small, "l1/A"),
                         small_pin(small, "l2/A"), small_pin(small, "l3/A") };
  small->parasitics = parasitics_new();
  unsigned seed = 31;
  uint32_t wrong_pi = 0, wrong_elmore = 0, wrong_impulse = 0;
  for (int round = 0; round < 200; round++) {
    Network w;
    uint32_t tap_node[LOADS];
    random_network(small, &w, loads, tap_node, &seed);
    small_timing(small);
    timer_set_delay_model(small->timer, round % 2 ? DELAY_ELMORE : DELAY_CEFF);
    timer_invalidate(small->timer);
    const Timing *t = small_timing(small);
    wrong_pi += !pi_agrees(t, &w, small_slot(small, "u/Y", true));
    for (uint32_t k = 0; k < LOADS; k++) {
      uint32_t i = graph_load_index(t->g, t->g->slots.of_pin[loads[k]]);
      double m1 = w.m1[tap_node[k]], m2 = w.m2[tap_node[k]];
      wrong_elmore += !near(t->wires.elmore[i].v[2], -m1);
      if (t->wires.impulse_sq)
        wrong_impulse += fabs(t->wires.impulse_sq[i].v[2] - (2 * m2 - m1 * m1)) > 1e-4 * m2;
    }
  }
  CHECK(wrong_pi == 0);
  CHECK(wrong_elmore == 0);
  CHECK(wrong_impulse == 0);
  small_free(small);
}

/* The pi model has the moments that it was made from. */
static void test_pi(void)
{
  unsigned seed = 8;
  bool right = true;
  for (int i = 0; i < 1000; i++) {
    double c_far = uniform(&seed, 0.1, 50), c_near = uniform(&seed, 0, 50),
           r = uniform(&seed, 0.01, 5);
    PiModel m = pi_from_moments(c_far + c_near, -r * c_far * c_far, r * r * c_far * c_far * c_far);
    right &= near(m.c_far, c_far) && fabs(m.c_near - c_near) <= 1e-5 * (c_far + c_near)
             && near(m.r_pi, r);
  }
  CHECK(right);
  PiModel m = pi_from_moments(7, 0, 0);
  CHECK(m.c_far == 0 && m.c_near == 7 && m.r_pi == 0);
}

void suite_rc(void)
{
  CU_pSuite s = CU_add_suite("cpu/rc", NULL, NULL);
  CU_add_test(s, "random trees against dense matrices", test_trees);
  CU_add_test(s, "pi models from moments", test_pi);
}
