/* Timing of small designs that is worked out by hand in the comments; see small.h for the cells. */
#include "device/flat.h"
#include "update/timer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "update/backend.h"
#include "update/incremental.h"
#include "tests/small.h"
#include "tests/unit.h"

static const char chain[] =
  "module top(clk, a, y); input clk, a; output y; wire q, n, m; DFF r1 (.CK(clk), .D(a), .Q(q));"
  " INV u1 (.A(q), .Y(n)); INV u2 (.A(n), .Y(m)); DFF r2 (.CK(clk), .D(m), .Q(y)); endmodule";

/* Clock slew 0 and one load of 1 fF each:
     q rises 0 + 10 + 2 = 12 (falls 14), slew 5 + 1 = 6
     n falls 12 + 12 + 0.6 + 2 = 26.6 (rises 14 + 10 + 0.6 + 2 = 26.6), slew 5 + 1.2 + 1 = 7.2
     m rises 26.6 + 10 + 0.72 + 2 = 39.32 (falls 26.6 + 12 + 0.72 + 2 = 41.32),
         slew 5 + 1.44 + 1 = 7.44 */
static void check_chain(Small *small, ClockEdge e, float launch)
{
  small_timing(small);
  CHECK_NEAR(small_arrival(small, "r1/Q", e, false, 2), launch + 12, 1e-3);
  CHECK_NEAR(small_arrival(small, "r1/Q", e, false, 3), launch + 14, 1e-3);
  CHECK_NEAR(small_arrival(small, "u1/Y", e, false, 2), launch + 26.6, 1e-3);
  CHECK_NEAR(small_arrival(small, "u1/Y", e, false, 3), launch + 26.6, 1e-3);
  CHECK_NEAR(small_arrival(small, "u2/Y", e, false, 2), launch + 39.32, 1e-3);
  CHECK_NEAR(small_arrival(small, "u2/Y", e, false, 3), launch + 41.32, 1e-3);
  CHECK_NEAR(small_arrival(small, "u2/Y", e, false, 0), launch + 39.32, 1e-3);
  CHECK_NEAR(small->timer->timing->slew[small_slot(small, "u2/Y", true)].v[2], 7.44, 1e-4);
}

/* Setup: 20 + 0.1 * 7.44 = 20.744; slack = 100 - 20.744 - arrival.  Hold: arrival - 4. */
static void test_ideal(void)
{
  Small *small = small_new(chain);
  ClockEdge e = 2 * small_clock(small, "c", 100, 0, 50, "clk");
  check_chain(small, e, 0);
  CHECK_NEAR(small_slack(small, "r2/D", END_SETUP, RISE), 100 - 20.744 - 39.32, 1e-3);
  CHECK_NEAR(small_slack(small, "r2/D", END_SETUP, FALL), 100 - 20.744 - 41.32, 1e-3);
  CHECK_NEAR(small_slack(small, "r2/D", END_HOLD, RISE), 39.32 - 4, 1e-3);
  /* required at u1/Y: the tighter of both, late rise goes to m falling */
  const Timing *t = small->timer->timing;
  NodeId n = small_node(small, "u1/Y", true, e, false);
  CHECK_NEAR(t->required[n].v[2] - t->arrival[n].v[2], 100 - 20.744 - 41.32, 1e-3);
  CHECK_NEAR(t->required[n].v[3] - t->arrival[n].v[3], 100 - 20.744 - 39.32, 1e-3);
  small_free(small);
}

/* Uncertainty and ideal latency: latency counts on both sides, uncertainty against setup and
   hold. */
static void test_latency(void)
{
  Small *small = small_new(chain);
  ClockId c = small_clock(small, "c", 100, 0, 50, "clk");
  Clock *clock = &small->constraints->clocks.at[c];
  for (int i = 0; i < CONDITION_COUNT; i++)
    constraints_put(small->constraints, &clock->network_latency[i], i < 2 ? 6 : 9);
  constraints_put(small->constraints, &clock->uncertainty[SETUP], 5);
  constraints_put(small->constraints, &clock->uncertainty[HOLD], 3);
  small_timing(small);
  CHECK_NEAR(small_arrival(small, "u2/Y", 2 * c, false, 3), 9 + 41.32, 1e-3);
  CHECK_NEAR(small_slack(small, "r2/D", END_SETUP, FALL), 100 + 6 - 5 - 20.744 - (9 + 41.32), 1e-3);
  CHECK_NEAR(small_slack(small, "r2/D", END_HOLD, RISE), 6 + 39.32 - (9 + 3 + 4), 1e-3);
  small_free(small);
}

/* The clock comes through a buffer: 10 + 2 * 2 = 14 with an output slew of 5 + 2 = 7 at both
   registers; launching arcs then start 0.7 later. */
static void test_propagated(void)
{
  Small *small =
      small_new("module top(clk, a, y); input clk, a; output y; wire q, ck; BUF b (.A(clk), "
                ".Y(ck)); DFF r1 (.CK(ck), .D(a), .Q(q));"
                " DFF r2 (.CK(ck), .D(q), .Q(y)); endmodule");
  ClockId c = small_clock(small, "c", 100, 0, 50, "clk");
  small_timing(small);
  /* ideal: the network takes no time */
  CHECK_NEAR(small_arrival(small, "r1/Q", 2 * c, false, 2), 12, 1e-3);
  CHECK_NEAR(small_slack(small, "r2/D", END_HOLD, RISE), 12 - 4, 1e-3);
  small->constraints->clocks.at[c].propagated = true;
  constraints_changed(small->constraints);
  small_timing(small);
  CHECK_NEAR(small_arrival(small, "b/Y", 2 * c, true, 2), 14, 1e-3);
  CHECK_NEAR(small_arrival(small, "r1/Q", 2 * c, false, 2), 14 + 12.7, 1e-3);
  CHECK_NEAR(small_slack(small, "r2/D", END_HOLD, RISE), 12.7 - 4, 1e-3);
  /* data slew 5 + 0.2 * 7 + 1 = 7.4 */
  CHECK_NEAR(small_slack(small, "r2/D", END_SETUP, RISE), 100 - 20.74 - 12.7, 1e-3);
  small_free(small);
}

static void set_delay(PortDelay *delay, float early, float late)
{
  for (int k = 0; k < CONDITION_COUNT; k++) delay->delay[k] = k < 2 ? early : late;
}

/* a at 7 (early 3) after the rising edge; through a buffer with slew 0: rises + 12, slew 6.  y must
   be there 25 before (15 after) the falling edge at 50.  An output port is no load. */
static void test_port_delays(void)
{
  Small *small = small_new("module top(clk, a, y); input clk, a; output y; wire n; BUF u1 (.A(a), "
                           ".Y(n)); BUF u2 (.A(n), .Y(y)); endmodule");
  ClockId c = small_clock(small, "c", 100, 0, 50, "clk");
  set_delay(constraints_input_delay(small->constraints, small_pin(small, "a"), c, RISE, false), 3,
            7);
  set_delay(constraints_output_delay(small->constraints, small_pin(small, "y"), c, FALL, false), 15,
            25);
  constraints_changed(small->constraints);
  small_timing(small);
  CHECK_NEAR(small_arrival(small, "u1/Y", 2 * c, false, 2), 7 + 12, 1e-3);
  CHECK_NEAR(small_arrival(small, "u2/Y", 2 * c, false, 2), 7 + 12 + 10.6, 1e-3);
  CHECK_NEAR(small_slack(small, "y", END_OUTPUT_SETUP, RISE), 50 - 25 - 29.6, 1e-3);
  CHECK_NEAR(small_slack(small, "y", END_OUTPUT_HOLD, RISE), 3 + 22.6 - (50 - 100 - 15), 1e-3);
  PortLoad *load = constraints_port_load(small->constraints, small_pin(small, "y"));
  for (int k = 0; k < CONDITION_COUNT; k++)
    constraints_put(small->constraints, &load->pin_load[k], 4);
  small_timing(small);
  CHECK_NEAR(small_slack(small, "y", END_OUTPUT_SETUP, RISE), 50 - 25 - 29.6 - 8, 1e-3);
  small_free(small);
}

/* A latch that is open from 100 to 140: data at 112 + ... goes through when it comes, and the path
   after it starts there. */
static void test_latch(void)
{
  Small *small =
      small_new("module top(clk, a, y); input clk, a; output y; wire q, n; LAT l (.G(clk), .D(a), "
                ".Q(q)); BUF u (.A(q), .Y(n)); DFF r (.CK(clk), .D(n), .Q(y)); endmodule");
  ClockId c = small_clock(small, "c", 100, 0, 40, "clk");
  set_delay(constraints_input_delay(small->constraints, small_pin(small, "a"), c, FALL, false), 50,
            50);
  small_timing(small);
  /* before the opening edge: nothing borrowed */
  CHECK_NEAR(small_slack(small, "l/D", END_LATCH_SETUP, RISE), 10, 1e-3);
  CHECK_NEAR(small_arrival(small, "l/Q", 2 * c, false, 2), 12, 1e-3);
  set_delay(constraints_input_delay(small->constraints, small_pin(small, "a"), c, FALL, false), 78,
            78);
  constraints_changed(small->constraints);
  small_timing(small);
  CHECK_NEAR(small_slack(small, "l/D", END_LATCH_SETUP, RISE), 0, 1e-3);            /* borrows 18 */
  /* 40 + 78 - 100, then D to Q */
  CHECK_NEAR(small_arrival(small, "l/Q", 2 * c, false, 2), 18 + 12, 1e-3);
  /* early data leaves with the opening edge */
  CHECK_NEAR(small_arrival(small, "l/Q", 2 * c, false, 0), 12, 1e-3);
  set_delay(constraints_input_delay(small->constraints, small_pin(small, "a"), c, FALL, false), 90,
            90);
  constraints_changed(small->constraints);
  small_timing(small);
  /* the window ends 15 before the closing edge */
  CHECK_NEAR(small_slack(small, "l/D", END_LATCH_SETUP, RISE), 125 - 130, 1e-3);
  small_free(small);
}

/* What an edit reaches: data at a latch changes its output by the sweeps of latches alone, never
   from within the levels that are followed. */
static void test_latch_edit(void)
{
  Small *small =
      small_new("module top(clk, a, y); input clk, a; output y; wire n, d, e; BUF b (.A(a), "
                ".Y(n)); BUF u (.A(n), .Y(d)); INV v (.A(clk), .Y(e));"
                "LAT l (.G(e), .D(d), .Q(y)); endmodule");
  small_clock(small, "c", 100, 0, 40, "clk");
  small->parasitics = parasitics_new();
  const Timing *t = small_timing(small);
  float before = t->slew[small_slot(small, "l/D", false)].v[0];
  NetId net = netlist_pin_net(small->netlist, small_pin(small, "u/Y"));
  RcNode node = { NO_NODE, 0, 30 };
  RcTap tap = { small_pin(small, "u/Y"), 0 };
  parasitics_add(small->parasitics, small->netlist, small->netlist->nets.at[net].first_seg, &node,
                 1, &tap, 1, 0, (PieceNumbers){ 0 });
  timer_touch_net(small->timer, net);
  CHECK(timer_update(small->timer, true) == OK);
  t = small->timer->timing;
  CHECK(t->slew[small_slot(small, "l/D", false)].v[0] != before);
  Slot own = small_slot(small, "u/Y", true), latch = small_slot(small, "l/Q", true);
  CHECK(incremental_reached(t, own));
  CHECK(!incremental_reached(t, latch));
  small_free(small);
}

/* --- threads ---------------------------------------------------------------------------------- */
enum { WIDTH = 600, DEPTH = 32 };

/* Layers of gates over random outputs of the layer before, registers at both ends: wide enough for
   threads. */
static char *big_design(void)
{
  static const char *const gates[] = { "AND2", "OR2", "XOR2" };
  unsigned seed = 12;
  Text t = { 0 };
  text_printf(&t, "module top(clk); input clk; wire [%d:0] n;\n", WIDTH * DEPTH - 1);
  for (uint32_t i = 0; i < WIDTH; i++)
    text_printf(&t, "DFF r%u (.CK(clk), .D(n[%u]), .Q(n[%u]));\n", i,
                WIDTH * (DEPTH - 1) + (uint32_t)rand_r(&seed) % WIDTH, i);
  for (uint32_t i = WIDTH; i < WIDTH * DEPTH; i++) {
    uint32_t layer = i / WIDTH - 1;
    text_printf(&t, "%s u%u (.A(n[%u]), .B(n[%u]), .Y(n[%u]));\n", gates[rand_r(&seed) % 3], i,
                layer * WIDTH + (uint32_t)rand_r(&seed) % WIDTH,
                layer * WIDTH + (uint32_t)rand_r(&seed) % WIDTH, i);
  }
  text_put(&t, "endmodule\n");
  return t.at;
}

/* A star of wires on every net, so that lanes are used. */
static void add_wires(Small *small)
{
  unsigned seed = 9;
  small->parasitics = parasitics_new();
  for (NetId net = 0; net < small->netlist->nets.len; net++) {
    RcNode nodes[400] = { { NO_NODE, 0, 1.5f } };
    RcTap taps[400];
    uint32_t count = 1, tap_count = 0;
    NetPins it = net_pins(small->netlist, net, false);
    for (PinId p; (p = net_pins_next(&it)) != NO_PIN && count < 400;) {
      taps[tap_count++] = (RcTap){ p, netlist_pin_drives(small->netlist, p) ? 0 : count };
      if (netlist_pin_drives(small->netlist, p)) continue;
      nodes[count++] = (RcNode){ 0, (float)(rand_r(&seed) % 3000) * 1e-3f,
                                 (float)(rand_r(&seed) % 4000) * 1e-3f };
    }
    parasitics_add(small->parasitics, small->netlist, small->netlist->nets.at[net].first_seg, nodes,
                   count, taps, tap_count, 0, (PieceNumbers){ 0 });
  }
}

static bool same(const void *a, const void *b, size_t bytes) { return memcmp(a, b, bytes) == 0; }

static void test_threads(void)
{
  char *text = big_design();
  Small *small = small_new(text);
  small_clock(small, "c", 500, 0, 250, "clk");
  add_wires(small);
  const Timing *one = small_timing(small);
  const Graph *g = one->g;
  CHECK(g->slots.count > 50000 && g->levels.count >= DEPTH);
  TimerInput in = small->timer->in;
  Timer *three = timer_new(&in, small->log);
  three->threads = 3;
  CHECK(timer_update(three, true) == OK);
  const Timing *t = three->timing;
  CHECK(three->graph->nodes.count == g->nodes.count
        && three->graph->ends.path_ends.len == g->ends.path_ends.len
        && g->ends.path_ends.len >= 2 * WIDTH);
  CHECK(same(t->slew, one->slew, g->slots.count * sizeof *t->slew));
  CHECK(same(t->edge_delay, one->edge_delay, g->arcs.edge_count * sizeof *t->edge_delay));
  CHECK(same(t->arrival, one->arrival, g->nodes.count * sizeof *t->arrival));
  CHECK(same(t->required, one->required, g->nodes.count * sizeof *t->required));
  CHECK(same(t->end_slack, one->end_slack, g->ends.path_ends.len * sizeof *t->end_slack));
  timer_free(three);
  small_free(small);
  mem_free(text);
}

/* --- several timers --------------------------------------------------------------------------- */
static bool same_numbers(const Timer *a, const Timer *b)
{
  const Graph *g = a->graph, *graph = b->graph;
  return g->nodes.count == graph->nodes.count && g->slots.count == graph->slots.count
         && same(a->timing->arrival, b->timing->arrival,
                 g->nodes.count * sizeof *a->timing->arrival)
         && same(a->timing->required, b->timing->required,
                 g->nodes.count * sizeof *a->timing->required)
         && same(a->timing->slew, b->timing->slew, g->slots.count * sizeof *a->timing->slew);
}

/* Two scenarios of a mode: one graph, which the one that lags behind keeps until it has carried its
   numbers over. */
static void test_shared(void)
{
  Small *small =
      small_new("module top(clk, a, z); input clk, a; output z; wire n, q; INV u1 (.A(a), "
                ".Y(n)); DFF r (.CK(clk), .D(n), .Q(q)); "
                "BUF u2 (.A(q), .Y(z)); endmodule");
  small_clock(small, "c", 100, 0, 50, "clk");
  TimerShare *share = timer_share_new();
  TimerInput in = { .netlist = small->netlist,
                    .libs = small->libs,
                    .constraints = small->constraints };
  Timer *both[] = { timer_new_in(share, &in, small->log), timer_new_in(share, &in, small->log) };
  CHECK(timers_update(both, 2, true, NUMBERS_ALL) == OK);
  CHECK(both[0]->graph == both[1]->graph && both[0]->corner_libs == both[1]->corner_libs
        && same_numbers(both[0], both[1]));
  Graph *first = both[0]->graph;
  InstId made;
  CHECK(netlist_insert_inst(small->netlist, TOP_INST, "spare",
                            small->netlist->insts.at[small_inst(small, "u1")].master, small->log,
                            &made)
        == OK);
  CHECK(timer_update(both[0], true) == OK);
  CHECK(both[0]->graph != first && both[1]->graph == first && both[1]->timing->g == first);
  CHECK(netlist_insert_inst(small->netlist, TOP_INST, "spare2",
                            small->netlist->insts.at[small_inst(small, "u2")].master, small->log,
                            &made)
        == OK);
  CHECK(timers_update(both, 2, true, NUMBERS_ALL) == OK);
  CHECK(both[0]->graph == both[1]->graph && share->graphs.len == 1
        && share->graphs.at[0]->users == 3 && same_numbers(both[0], both[1]));
  constraints_changed(small->constraints);
  CHECK(timer_update(both[1], true) == OK);
  /* nothing to carry over: it made room */
  CHECK(both[0]->graph == NULL && both[0]->timing == NULL);
  CHECK(timer_update(both[0], true) == OK);
  CHECK(both[0]->graph == both[1]->graph && same_numbers(both[0], both[1]));
  timer_free(both[0]);
  timer_free(both[1]);
  CHECK(share->timers.len == 0);
  timer_share_free(share);
  small_free(small);
}

/* Arcs that constants switch off shape slews while their own start can change; nothing arrives over
   them. */
static void test_quiet_slews(void)
{
  Small *small = small_new("module top(a, y, z); input a; output y, z; AND2 u1 (.A(a), .B(1'b0), "
                           ".Y(y)); INV u2 (.A(1'b1), .Y(z)); endmodule");
  const Timing *t = small_timing(small);
  Slot quiet = small_slot(small, "u1/Y", true), still = small_slot(small, "u2/Y", true);
  CHECK(t->g->nodes.first[quiet + 1] == t->g->nodes.first[quiet]);
  CHECK_NEAR(t->slew[quiet].v[condition_of(LATE, RISE)], 5, 1e-4);      /* no load, no slew at a */
  CHECK(t->slew[still].v[condition_of(LATE, RISE)] == 0);
  small_free(small);
}

/* The same functions: what constants make of them stays. */
static void test_swap_constant(void)
{
  Small *small =
      small_new("module top(a, b, y, z); input a, b; output y, z; OR2 u1 (.A(a), .B(1'b0), "
                ".Y(y)); AND2 u2 (.A(b), .B(1'b1), .Y(z)); endmodule");
  TimerInput in = { .netlist = small->netlist,
                    .libs = small->libs,
                    .constraints = small->constraints };
  Timer *timer = timer_new(&in, small->log), *whole = timer_new(&in, small->log);
  ClockId c = small_clock(small, "c", 100, 0, 40, NULL);
  constraints_input_delay(small->constraints, small_pin(small, "a"), c, RISE, false)
      ->delay[condition_of(LATE, RISE)] = 3;
  constraints_changed(small->constraints);
  CHECK(timer_update(timer, true) == OK && timer_update(whole, true) == OK);
  const Graph *first = timer->graph;
  CHECK(small_swap(small, "u1", "OR2X3", timer, whole)
        && small_swap(small, "u2", "AND2X3", timer, whole));
  timer_invalidate(whole);
  timer_reset(whole);
  CHECK(timer_update(timer, true) == OK && timer_update(whole, true) == OK);
  CHECK(timer->graph == first && same_numbers(timer, whole));
  CHECK_NEAR(timer->timing->slew[graph_slot(timer->graph, small_pin(small, "u1/Y"), true)]
                 .v[condition_of(LATE, RISE)],
             5, 1e-4);
  timer_free(timer);
  timer_free(whole);
  small_free(small);
}

/* --- large batches ---------------------------------------------------------------------------- */
/* Every third gate of the upper half gets its other size: more than an update follows, while the
   lower half stays. */
static void swap_many(Small *small, bool large, Timer *some, Timer *whole)
{
  static const char *const gates[2][2] = { { "AND2", "OR2" }, { "AND2X3", "OR2X3" } };
  uint32_t swapped = 0;
  for (uint32_t i = WIDTH * DEPTH / 2; i < WIDTH * DEPTH; i += 3) {
    char name[16];
    snprintf(name, sizeof name, "u%u", i);
    for (int kind = 0; kind < 2; kind++)
      swapped += small_swap(small, name, gates[large][kind], some, whole);
  }
  CHECK(swapped > 2000);
}

/* Returns the delay of a gate in the lower half. An update may move the delays to other memory. */
static float *delay_below(const Small *small, const Timer *timer)
{
  ArcId a = timer->graph->arcs.first[graph_slot(timer->graph, small_pin(small, "u900/Y"), true)];
  return &timer->timing->edge_delay[timer->graph->arcs.edge_first[a]].v[LATE];
}

/* Updates after large batches have the numbers of whole ones, for any number of threads. Delays
   that no swap reaches are not computed again. */
static void check_large_batches(Small *small, int threads)
{
  TimerInput in = small->timer->in;
  Timer *some = timer_new(&in, small->log), *whole = timer_new(&in, small->log);
  some->threads = threads;
  CHECK(timer_update(some, true) == OK && timer_update(whole, true) == OK);
  for (int round = 0; round < 2; round++) {
    swap_many(small, round == 0, some, whole);
    timer_reset(whole);
    CHECK(timer_update(some, true) == OK && timer_update(whole, true) == OK);
    CHECK(same_numbers(some, whole));
    CHECK(same(some->timing->edge_delay, whole->timing->edge_delay,
               some->graph->arcs.edge_count * sizeof(Pair)));
    CHECK(same(some->timing->end_slack, whole->timing->end_slack,
               some->graph->ends.path_ends.len * sizeof *some->timing->end_slack));
  }
  *delay_below(small, some) = 7777;
  swap_many(small, true, some, whole);
  CHECK(timer_update(some, true) == OK && *delay_below(small, some) == 7777);
  swap_many(small, false, some, whole);
  timer_free(some);
  timer_free(whole);
}

/* A large design with wires and without. */
static void on_large_designs(void (*check)(Small *small))
{
  char *text = big_design();
  for (int wires = 0; wires < 2; wires++) {
    Small *small = small_new(text);
    small_clock(small, "c", 500, 0, 250, "clk");
    if (wires) add_wires(small);
    small_timing(small);
    check(small);
    small_free(small);
  }
  mem_free(text);
}

static void check_large_batches_by_threads(Small *small)
{
  check_large_batches(small, 1);
  check_large_batches(small, 3);
}

static void test_large_batches(void) { on_large_designs(check_large_batches_by_threads); }

/* Do two timers agree in the late numbers? */
static bool same_late(const Timer *a, const Timer *b)
{
  const Graph *g = a->graph;
  const Timing *x = a->timing, *y = b->timing;
  size_t late = 2 * sizeof(float);
  bool agree = true;
  for (Slot s = 0; s < g->slots.count; s++)
    agree = agree && same(x->slew[s].v + 2, y->slew[s].v + 2, late);
  for (NodeId n = 0; n < g->nodes.count; n++)
    agree = agree && same(x->arrival[n].v + 2, y->arrival[n].v + 2, late)
            && same(x->required[n].v + 2, y->required[n].v + 2, late);
  for (PathEndId i = 0; i < g->ends.path_ends.len; i++)
    if (path_end_is_late((PathEndType)g->ends.path_ends.at[i].type))
      agree = agree && same(&x->end_slack[i], &y->end_slack[i], sizeof *x->end_slack);
  return agree;
}

/* Early numbers of data that are left out change no late number, and come back. */
static void check_late_only(Small *small)
{
  TimerInput in = small->timer->in;
  Timer *some = timer_new(&in, small->log), *all = timer_new(&in, small->log);
  timer_set_late_only(some, true);
  CHECK(timer_update(some, true) == OK && timer_update(all, true) == OK);
  CHECK(same_late(some, all) && !same_numbers(some, all));
  Slot data = small_slot(small, "u900/Y", true), clock = small_slot(small, "clk", true);
  CHECK(time_absent(some->timing->arrival[some->graph->nodes.first[data]].v[EARLY << 1]));
  CHECK(!time_absent(all->timing->arrival[all->graph->nodes.first[data]].v[EARLY << 1]));
  CHECK(same(&some->timing->arrival[some->graph->nodes.first[clock]],
             &all->timing->arrival[all->graph->nodes.first[clock]], sizeof(Cond4)));
  CHECK(small_swap(small, "u950", "AND2X3", some, all)
        || small_swap(small, "u950", "OR2X3", some, all));
  CHECK(timer_update(some, true) == OK && timer_update(all, true) == OK);
  CHECK(same_late(some, all));
  timer_set_late_only(some, false);
  CHECK(timer_update(some, true) == OK && same_numbers(some, all));
  timer_free(some);
  timer_free(all);
}

/* With wires and without; what a clock meets on its way is not left out. */
static void test_late_only(void) { on_large_designs(check_late_only); }

/* A gate on a clock takes its early slew from data too, and a latch lends. */
static void test_late_with_early(void)
{
  static const char *const designs[] = {
    "module top(clk, a, y); input clk, a; output y; wire g; AND2 u1 (.A(clk), .B(a), .Y(g));"
    " DFF r1 (.CK(g), .D(a), .Q(y)); endmodule",
    "module top(clk, a, y); input clk, a; output y; LAT l1 (.G(clk), .D(a), .Q(y)); endmodule",
    "module top(clk, a, y); input clk, a; output y; DFF r1 (.CK(clk), .D(a), .Q(y)); endmodule"
  };
  for (int i = 0; i < 3; i++) {
    Small *small = small_new(designs[i]);
    small_clock(small, "c", 100, 0, 50, "clk");
    CHECK(timing_late_stands_alone(small_timing(small)) == (i == 2));
    small_free(small);
  }
}

void suite_timer(void)
{
  CU_pSuite s = CU_add_suite("update/timer", NULL, NULL);
  CU_add_test(s, "ideal clock", test_ideal);
  CU_add_test(s, "latency and uncertainty", test_latency);
  CU_add_test(s, "propagated clock", test_propagated);
  CU_add_test(s, "input and output delays", test_port_delays);
  CU_add_test(s, "latch", test_latch);
  CU_add_test(s, "latch behind an edit", test_latch_edit);
  CU_add_test(s, "one and three threads", test_threads);
  CU_add_test(s, "timers with one graph", test_shared);
  CU_add_test(s, "large batches of swaps", test_large_batches);
  CU_add_test(s, "late numbers alone", test_late_only);
  CU_add_test(s, "late numbers that need early ones", test_late_with_early);
  CU_add_test(s, "slews over arcs that constants switch off", test_quiet_slews);
  CU_add_test(s, "a cell with a constant pin is swapped in its place", test_swap_constant);
}
