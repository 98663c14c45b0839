/* Random layers of gates between registers. */
#include "tests/small.h"

uint32_t small_random(uint32_t *state, uint32_t limit)
{
  *state = *state * 1664525u + 1013904223u;
  return (*state >> 8) % limit;
}

static void put_starts(Text *text, const SmallLayers *layers)
{
  for (int i = 2; i < layers->starts; i++)
    text_printf(text, "FF s%d (.CK(%s), .D(n[%d]), .Q(n[%d]));\n", i, i == 3 ? "ck1" : "clk",
                layers->starts + layers->gates - i, i);
}

static void put_gates(Text *text, const SmallLayers *layers, uint32_t *random)
{
  uint32_t starts = (uint32_t)layers->starts;
  for (uint32_t i = 0; i < (uint32_t)layers->gates; i++) {
    uint32_t recent = i < 4 ? 0 : i - 2;
    uint32_t b = recent + small_random(random, starts + i - recent);
    uint32_t a = small_random(random, starts + i), kind = small_random(random, layers->kinds);
    text_printf(text, "G%u g%u (.A(n[%u]), .B(n[%u]), .Y(n[%u]));\n", kind, i, a, b, starts + i);
  }
}

void small_put_layers(Text *text, const SmallLayers *layers, uint32_t *random)
{
  text_printf(text,
              "module top (input clk, input i0, input i1, output o0);\nwire [63:0] n; wire ck1;\n"
              "%s, .Y(ck1));\nassign n[0] = i0; assign n[1] = i1;\n",
              layers->clock_gate);
  put_starts(text, layers);
  put_gates(text, layers, random);
  for (int i = 0; i < layers->ends; i++)
    text_printf(text, "FF e%d (.CK(%s), .D(n[%d]), .Q());\n", i,
                layers->gated_ends && i ? "ck1" : "clk",
                layers->starts + layers->gates - 1 - 2 * i);
  text_printf(text, "assign o0 = n[%d];\nendmodule\n", layers->starts + layers->gates - 2);
}

void small_constrain_layers(Small *small)
{
  ClockId clock = small_clock(small, "clk", 500, 0, 250, "clk");
  small->constraints->clocks.at[clock].propagated = true;
  for (int i = 0; i < 2; i++) {
    PinId pin = small_pin(small, i ? "i1" : "i0");
    PortDelay *delay = constraints_input_delay(small->constraints, pin, clock, RISE, false);
    for (int k = 0; k < CONDITION_COUNT; k++) delay->delay[k] = 10.0f * (float)(k + i + 1);
  }
  PortDelay *delay =
      constraints_output_delay(small->constraints, small_pin(small, "o0"), clock, RISE, false);
  for (int k = 0; k < CONDITION_COUNT; k++) delay->delay[k] = 20;
  constraints_changed(small->constraints);
}
