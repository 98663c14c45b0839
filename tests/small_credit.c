/* Makes random designs for tests of common path credit: clock trees with buffers, gates and
   dividers, registers or latches, and logic between them. */
#include "tests/small.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint32_t below(unsigned *seed, uint32_t n) { return (uint32_t)rand_r(seed) % n; }

typedef struct {
  uint32_t clocks, registers, gates;
  uint32_t divided;                /* buffers of the divided clock; UINT32_MAX: there is none */
  bool     latches;
} Sizes;

static void put_clock_name(Text *text, unsigned *seed, uint32_t clocks)
{
  uint32_t n = below(seed, clocks + 1);
  if (n == 0) text_put(text, "clk");
  else text_printf(text, "k%u", n - 1);
}

/* What clocks a register: either clock. */
static void put_any_clock(Text *text, unsigned *seed, const Sizes *sizes)
{
  if (sizes->divided == UINT32_MAX || below(seed, 2)) {
    put_clock_name(text, seed, sizes->clocks);
    return;
  }
  uint32_t n = below(seed, sizes->divided + 1);
  if (n == 0) text_put(text, "half");
  else text_printf(text, "h%u", n - 1);
}

static void put_divider(Text *text, const Sizes *sizes, unsigned *seed)
{
  if (sizes->divided == UINT32_MAX) return;
  text_put(text, "DFF div(.CK(");
  put_clock_name(text, seed, sizes->clocks);
  text_put(text, "), .D(i1), .Q(half));\n");
  for (uint32_t i = 0; i < sizes->divided; i++) {
    uint32_t from = below(seed, i + 1);
    text_printf(text, "%s b%u(.A(", below(seed, 3) ? "BUF" : "INV", i);
    if (from == 0) text_put(text, "half");
    else text_printf(text, "h%u", from - 1);
    text_printf(text, "), .Y(h%u));\n", i);
  }
}

static void put_clock_cells(Text *text, const Sizes *sizes, unsigned *seed)
{
  static const char *const one[] = { "BUF", "BUF", "BUF", "INV" };
  for (uint32_t i = 0; i < sizes->clocks; i++) {
    bool meets = i > 2 && below(seed, 5) == 0;
    text_printf(text, "%s c%u(.A(", meets ? "OR2" : one[below(seed, 4)], i);
    put_clock_name(text, seed, i);
    if (meets) text_put(text, "), .B(");
    if (meets) put_clock_name(text, seed, i);
    text_printf(text, "), .Y(k%u));\n", i);
  }
}

/* A register's output, an input, or the output of a gate before the given one. */
static void put_signal(Text *text, const Sizes *sizes, uint32_t gates, unsigned *seed)
{
  uint32_t n = below(seed, sizes->registers + 2 + gates);
  if (n < sizes->registers) text_printf(text, "q%u", n);
  else if (n < sizes->registers + 2) text_printf(text, "i%u", n - sizes->registers);
  else text_printf(text, "s%u", n - sizes->registers - 2);
}

static void put_logic(Text *text, const Sizes *sizes, unsigned *seed)
{
  static const char *const two[] = { "AND2", "OR2", "XOR2" };
  for (uint32_t i = 0; i < sizes->gates; i++) {
    bool latch = sizes->latches && below(seed, 3) == 0;
    text_printf(text, latch ? "%s g%u(.D(" : "%s g%u(.A(", latch ? "LAT" : two[below(seed, 3)], i);
    put_signal(text, sizes, i, seed);
    if (latch) {
      text_put(text, "), .G(");
      put_any_clock(text, seed, sizes);
      text_printf(text, "), .Q(s%u));\n", i);
      continue;
    }
    text_put(text, "), .B(");
    put_signal(text, sizes, i, seed);
    text_printf(text, "), .Y(s%u));\n", i);
  }
  for (uint32_t i = 0; i < sizes->registers; i++) {
    text_printf(text, "DFF f%u(.CK(", i);
    put_any_clock(text, seed, sizes);
    text_put(text, "), .D(");
    put_signal(text, sizes, sizes->gates, seed);
    text_printf(text, "), .Q(q%u));\n", i);
  }
}

static void halve(Small *small, ClockId clock)
{
  PinId pin = small_pin(small, "div/Q");
  ClockId id = constraints_add_clock(small->constraints, names_add_text(small->names, "half"), NAN,
                                     NULL, 0, &pin, 1, true);
  Clock *the_clock = &small->constraints->clocks.at[id];
  the_clock->generated = the_clock->propagated = true;
  the_clock->master_pin = small_pin(small, "clk");
  the_clock->master = clock;
  the_clock->divide_by = 2;
}

/* Delays at ports that count from where clocks arrive in the design: at the divider's output, at a
   register. */
static void delay_ports(Small *small, unsigned *seed, ClockId clock, const Sizes *sizes)
{
  ClockId half = clock + 1;
  char pin[16];
  snprintf(pin, sizeof pin, "f%u/CK", below(seed, sizes->registers));
  PortDelay *in = constraints_input_delay(small->constraints, small_pin(small, "i1"), half,
                                          (int)below(seed, 2), false);
  PortDelay *out = constraints_output_delay(small->constraints, small_pin(small, "o"), half,
                                            (int)below(seed, 2), false);
  for (int k = 0; k < CONDITION_COUNT; k++) in->delay[k] = out->delay[k] = 30;
  if (below(seed, 2))
    constraints_input_delay(small->constraints, small_pin(small, "i0"), clock, RISE, false)
        ->reference_pin = small_pin(small, pin);
}

/* Gates' inputs are checked against those of others. */
static void check_data(Small *small, unsigned *seed, uint32_t gates)
{
  for (int i = 0; i < 6; i++) {
    char from[16], to[16];
    snprintf(from, sizeof from, "g%u/%c", below(seed, gates), "AB"[below(seed, 2)]);
    snprintf(to, sizeof to, "g%u/%c", below(seed, gates), "AB"[below(seed, 2)]);
    if (strcmp(from, to) == 0) continue;
    DataCheckSpec spec = { small_pin(small, from), small_pin(small, to), NO_CLOCK,
                           1 + below(seed, 3),     1 + below(seed, 3),   3 };
    constraints_set_data_check(small->constraints, &spec, (float)below(seed, 60));
  }
}

Small *credit_design(unsigned *seed, CreditKind kind, uint32_t times)
{
  Sizes z = { times * (2 + below(seed, 9)), times * (2 + below(seed, 6)),
              times * (2 + below(seed, 10)), kind == CREDIT_DIVIDED ? below(seed, 5) : UINT32_MAX,
              kind == CREDIT_LATCHES };
  Text t = { 0 };
  text_put(&t, "module top(clk, i0, i1, o);\ninput clk, i0, i1; output o;\n");
  put_clock_cells(&t, &z, seed);
  put_divider(&t, &z, seed);
  put_logic(&t, &z, seed);
  text_printf(&t, "BUF last(.A(s%u), .Y(o));\nendmodule\n", z.gates - 1);
  Small *small = small_new(text_get(&t));
  text_free(&t);
  double period = kind == CREDIT_LATCHES ? 40 + below(seed, 150) : 1000;
  ClockId clock =
      small_clock(small, "clk", period, 0, period * (0.3 + 0.001 * below(seed, 400)), "clk");
  small->constraints->clocks.at[clock].propagated = true;
  if (kind == CREDIT_DIVIDED) halve(small, clock);
  Derate *derate = constraints_derate(small->constraints, (Object){ OBJ_DESIGN, 0 });
  for (int path = 0; path < 2; path++)
    for (int k = 0; k < CONDITION_COUNT; k++)
      derate->factor[DERATE_CELL_DELAY][path][k] = k >> 1 == LATE ? 1.15f : 0.8f;
  /* the edges of a clock that latches compare with have credits of their own */
  if (kind == CREDIT_LATCHES)
    derate->factor[DERATE_CELL_DELAY][PATH_CLOCK][condition_of(LATE, FALL)] =
        below(seed, 2) ? 1.4f : 0.9f;
  if (kind == CREDIT_DATA_CHECKS) check_data(small, seed, z.gates);
  PortDelay *in =
      constraints_input_delay(small->constraints, small_pin(small, "i0"), clock, RISE, false);
  for (int k = 0; k < CONDITION_COUNT; k++) in->delay[k] = 50;
  if (kind == CREDIT_DIVIDED) delay_ports(small, seed, clock, &z);
  return small;
}
