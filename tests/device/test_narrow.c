/* Which levels are narrow, and how their work is shared out. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "device/flat.h"
#include "timing/timing.h"
#include "tests/small.h"
#include "tests/unit.h"

enum { WIDTH = 20, DEPTH = 8 };

/* Registers, layers of gates, registers: each gate takes a neighbour's output too, so loads have
   several outs. */
static Small *layers(void)
{
  Text t = { 0 };
  text_printf(&t, "module top(clk); input clk; wire [%d:0] n;\n", WIDTH * (DEPTH + 1) - 1);
  for (int i = 0; i < WIDTH; i++)
    text_printf(&t, "DFF r%d (.CK(clk), .D(n[%d]), .Q(n[%d]));\n", i, WIDTH * DEPTH + i, i);
  for (int i = 0; i < WIDTH * DEPTH; i++)
    text_printf(&t, "%s u%d (.A(n[%d]), .B(n[%d]), .Y(n[%d]));\n", i % 3 ? "AND2" : "XOR2", i, i,
                i / WIDTH * WIDTH + (i * 7 + 3) % WIDTH, WIDTH + i);
  text_printf(&t, "endmodule\n");
  Small *small = small_new(t.at);
  small_clock(small, "c", 300, 0, 150, "clk");
  text_free(&t);
  return small;
}

static Flat *flat_with(Small *small, DelayModel model, int narrow_level)
{
  Timing t = *small_timing(small);
  t.device.options.narrow_level = narrow_level;
  t.delay_model = model;
  return flat_new(&t);
}

static bool is_narrow(const Flat *f, int way, uint32_t l)
{
  return narrow_parts_of(f, way, l)->first != FLAT_NONE;
}

static uint32_t narrow_count(const Flat *f, int way)
{
  uint32_t count = 0;
  for (uint32_t l = 0; l < f->count.levels; l++) count += is_narrow(f, way, l);
  return count;
}

/* A level's parts have all its lanes and numbers, one behind another; *at: where its lanes begin,
   then those behind. */
static void check_level(const Flat *f, int way, uint32_t l, uint32_t *at)
{
  const FlatLevel *level = &f->levels[l];
  const NarrowPart *parts = narrow_parts_of(f, way, l);
  uint32_t record = way == FLAT_FORWARD ? level->first_edge : level->first_out, lanes = 0,
           numbers = 0;
  for (int p = 0; p < NARROW_PARTS; p++) {
    CHECK(parts[p].first == *at && (parts[p].lanes == 0 || parts[p].record == record)
          && parts[p].lanes % 2 == 0);
    *at += parts[p].lanes;
    record += parts[p].lanes / 2;
    lanes += parts[p].lanes;
    numbers += parts[p].count[0] + parts[p].count[1];
  }
  uint32_t end = level->first_slot + level->count, all = end + level->load_count;
  CHECK(lanes == 2 * (way == FLAT_FORWARD ? level->edge_count : level->out_count));
  if (way == FLAT_FORWARD)
    CHECK(numbers == level->count + f->node_first[end] - f->node_first[level->first_slot]);
  if (way == FLAT_BACKWARD) CHECK(numbers == f->node_first[all] - f->node_first[level->first_slot]);
}

/* Lanes of a part reach its own numbers alone. */
static void check_reach(const Flat *f, uint32_t l)
{
  for (int p = 0; p < NARROW_PARTS; p++) {
    const NarrowPart *forward = &narrow_parts_of(f, FLAT_FORWARD, l)[p],
                     *backward = &narrow_parts_of(f, FLAT_BACKWARD, l)[p];
    for (uint32_t i = 0; is_narrow(f, FLAT_FORWARD, l) && i < forward->lanes / 2; i++) {
      const FlatEdge *edge = &f->edges[forward->record + i];
      CHECK(edge->to - forward->place[0] < forward->count[0]
            && edge->to_node - forward->place[1] < forward->count[1]);
    }
    for (uint32_t i = 0; is_narrow(f, FLAT_BACKWARD, l) && i < backward->lanes / 2; i++) {
      const FlatOut *out = &f->outs[backward->record + i];
      CHECK(out->driver_node - backward->place[0] < backward->count[0]
            && out->from_node - backward->place[1] < backward->count[1]);
    }
  }
}

static void test_parts(void)
{
  Small *small = layers();
  Flat *f = flat_with(small, DELAY_ELMORE, 1000);
  for (int way = 0; way < FLAT_WAYS; way++) {
    uint32_t at = 0;
    CHECK(narrow_count(f, way) >= DEPTH);
    for (uint32_t l = 0; l < f->count.levels; l++)
      if (is_narrow(f, way, l)) check_level(f, way, l, &at);
    CHECK(at == f->count.narrow[way]);
  }
  for (uint32_t l = 0; l < f->count.levels; l++) check_reach(f, l);
  flat_free(f);
  small_free(small);
}

/* Gates have two or four edges for each input, so some part of a layer of 20 has more than an
   eighth. */
static void test_even(void)
{
  Small *small = layers();
  Flat *f = flat_with(small, DELAY_ELMORE, 1000);
  for (uint32_t l = 0; l < f->count.levels; l++)
    for (int p = 0;
         p < NARROW_PARTS && is_narrow(f, FLAT_FORWARD, l) && f->levels[l].count == WIDTH; p++)
      CHECK(narrow_parts_of(f, FLAT_FORWARD, l)[p].lanes > 0
            && narrow_parts_of(f, FLAT_FORWARD, l)[p].lanes <= f->levels[l].edge_count);
  flat_free(f);
  small_free(small);
}

static void test_which(void)
{
  Small *small = layers();
  Flat *none = flat_with(small, DELAY_ELMORE, 0), *few = flat_with(small, DELAY_ELMORE, WIDTH),
       *waves = flat_with(small, DELAY_CEFF, 1000);
  CHECK(narrow_count(none, FLAT_FORWARD) == 0 && narrow_count(none, FLAT_BACKWARD) == 0);
  /* no four levels one behind another are so narrow */
  CHECK(narrow_count(few, FLAT_FORWARD) == 0);
  CHECK(narrow_count(waves, FLAT_FORWARD) == 0 && narrow_count(waves, FLAT_BACKWARD) >= DEPTH);
  /* data is launched by the registers' outputs */
  for (uint32_t l = 0; l < waves->count.levels; l++)
    for (uint32_t e = waves->levels[l].first_edge;
         e < waves->levels[l].first_edge + waves->levels[l].edge_count; e++)
      CHECK(!(waves->edges[e].use & FLAT_LAUNCH) || !is_narrow(waves, FLAT_FORWARD, l));
  flat_free(none);
  flat_free(few);
  flat_free(waves);
  small_free(small);
}

void suite_narrow(void)
{
  CU_pSuite s = CU_add_suite("device/narrow", NULL, NULL);
  CU_add_test(s, "parts have all of a level, each its own", test_parts);
  CU_add_test(s, "parts are even", test_even);
  CU_add_test(s, "which levels are narrow", test_which);
}
