/* Random layers of gates between registers. */
#include "tests/small.h"

uint32_t small_random(uint32_t *state, uint32_t limit)
{
  *state = *state * 1664525u + 1013904223u;
  return (*state >> 8) % limit;
}

static void put_starts(Text *t, const SmallLayers *l)
{
  for (int i = 2; i < l->starts; i++)
    text_printf(t, "FF s%d (.CK(%s), .D(n[%d]), .Q(n[%d]));\n", i, i == 3 ? "ck1" : "clk",
                l->starts + l->gates - i, i);
}

static void put_gates(Text *t, const SmallLayers *l, uint32_t *random)
{
  uint32_t starts = (uint32_t)l->starts;
  for (uint32_t i = 0; i < (uint32_t)l->gates; i++) {
    uint32_t recent = i < 4 ? 0 : i - 2;
    uint32_t b = recent + small_random(random, starts + i - recent);
    uint32_t a = small_random(random, starts + i), kind = small_random(random, l->kinds);
    text_printf(t, "G%u g%u (.A(n[%u]), .B(n[%u]), .Y(n[%u]));\n", kind, i, a, b, starts + i);
  }
}

void small_put_layers(Text *t, const SmallLayers *l, uint32_t *random)
{
  text_printf(t,
              "module top (input clk, input i0, input i1, output o0);\nwire [63:0] n; wire ck1;\n"
              "%s, .Y(ck1));\nassign n[0] = i0; assign n[1] = i1;\n",
              l->clock_gate);
  put_starts(t, l);
  put_gates(t, l, random);
  for (int i = 0; i < l->ends; i++)
    text_printf(t, "FF e%d (.CK(%s), .D(n[%d]), .Q());\n", i, l->gated_ends && i ? "ck1" : "clk",
                l->starts + l->gates - 1 - 2 * i);
  text_printf(t, "assign o0 = n[%d];\nendmodule\n", l->starts + l->gates - 2);
}

void small_constrain_layers(Small *s)
{
  ClockId clock = small_clock(s, "clk", 500, 0, 250, "clk");
  s->constraints->clocks.at[clock].propagated = true;
  for (int i = 0; i < 2; i++) {
    PinId pin = small_pin(s, i ? "i1" : "i0");
    PortDelay *d = constraints_input_delay(s->constraints, pin, clock, RISE, false);
    for (int k = 0; k < CONDITION_COUNT; k++) d->delay[k] = 10.0f * (float)(k + i + 1);
  }
  PortDelay *d = constraints_output_delay(s->constraints, small_pin(s, "o0"), clock, RISE, false);
  for (int k = 0; k < CONDITION_COUNT; k++) d->delay[k] = 20;
  constraints_changed(s->constraints);
}
