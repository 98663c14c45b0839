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
static void check_chain(Small *s, ClockEdge e, float launch)
{
  small_timing(s);
  CHECK_NEAR(small_arrival(s, "r1/Q", e, false, 2), launch + 12, 1e-3);
  CHECK_NEAR(small_arrival(s, "r1/Q", e, false, 3), launch + 14, 1e-3);
  CHECK_NEAR(small_arrival(s, "u1/Y", e, false, 2), launch + 26.6, 1e-3);
  CHECK_NEAR(small_arrival(s, "u1/Y", e, false, 3), launch + 26.6, 1e-3);
  CHECK_NEAR(small_arrival(s, "u2/Y", e, false, 2), launch + 39.32, 1e-3);
  CHECK_NEAR(small_arrival(s, "u2/Y", e, false, 3), launch + 41.32, 1e-3);
  CHECK_NEAR(small_arrival(s, "u2/Y", e, false, 0), launch + 39.32, 1e-3);
  CHECK_NEAR(s->timer->timing->slew[small_slot(s, "u2/Y", true)].v[2], 7.44, 1e-4);
}

/* Setup: 20 + 0.1 * 7.44 = 20.744; slack = 100 - 20.744 - arrival.  Hold: arrival - 4. */
static void test_ideal(void)
{
  Small *s = small_new(chain);
  ClockEdge e = 2 * small_clock(s, "c", 100, 0, 50, "clk");
  check_chain(s, e, 0);
  CHECK_NEAR(small_slack(s, "r2/D", END_SETUP, RISE), 100 - 20.744 - 39.32, 1e-3);
  CHECK_NEAR(small_slack(s, "r2/D", END_SETUP, FALL), 100 - 20.744 - 41.32, 1e-3);
  CHECK_NEAR(small_slack(s, "r2/D", END_HOLD, RISE), 39.32 - 4, 1e-3);
  /* required at u1/Y: the tighter of both, late rise goes to m falling */
  const Timing *t = s->timer->timing;
  NodeId n = small_node(s, "u1/Y", true, e, false);
  CHECK_NEAR(t->required[n].v[2] - t->arrival[n].v[2], 100 - 20.744 - 41.32, 1e-3);
  CHECK_NEAR(t->required[n].v[3] - t->arrival[n].v[3], 100 - 20.744 - 39.32, 1e-3);
  small_free(s);
}

/* Uncertainty and ideal latency: latency counts on both sides, uncertainty against setup and
   hold. */
static void test_latency(void)
{
  Small *s = small_new(chain);
  ClockId c = small_clock(s, "c", 100, 0, 50, "clk");
  Clock *k = &s->constraints->clocks.at[c];
  for (int i = 0; i < CONDITION_COUNT; i++)
    constraints_put(s->constraints, &k->network_latency[i], i < 2 ? 6 : 9);
  constraints_put(s->constraints, &k->uncertainty[SETUP], 5);
  constraints_put(s->constraints, &k->uncertainty[HOLD], 3);
  small_timing(s);
  CHECK_NEAR(small_arrival(s, "u2/Y", 2 * c, false, 3), 9 + 41.32, 1e-3);
  CHECK_NEAR(small_slack(s, "r2/D", END_SETUP, FALL), 100 + 6 - 5 - 20.744 - (9 + 41.32), 1e-3);
  CHECK_NEAR(small_slack(s, "r2/D", END_HOLD, RISE), 6 + 39.32 - (9 + 3 + 4), 1e-3);
  small_free(s);
}

/* The clock comes through a buffer: 10 + 2 * 2 = 14 with an output slew of 5 + 2 = 7 at both
   registers; launching arcs then start 0.7 later. */
static void test_propagated(void)
{
  Small *s = small_new("module top(clk, a, y); input clk, a; output y; wire q, ck; BUF b (.A(clk), "
                       ".Y(ck)); DFF r1 (.CK(ck), .D(a), .Q(q));"
                       " DFF r2 (.CK(ck), .D(q), .Q(y)); endmodule");
  ClockId c = small_clock(s, "c", 100, 0, 50, "clk");
  small_timing(s);
  /* ideal: the network takes no time */
  CHECK_NEAR(small_arrival(s, "r1/Q", 2 * c, false, 2), 12, 1e-3);
  CHECK_NEAR(small_slack(s, "r2/D", END_HOLD, RISE), 12 - 4, 1e-3);
  s->constraints->clocks.at[c].propagated = true;
  constraints_changed(s->constraints);
  small_timing(s);
  CHECK_NEAR(small_arrival(s, "b/Y", 2 * c, true, 2), 14, 1e-3);
  CHECK_NEAR(small_arrival(s, "r1/Q", 2 * c, false, 2), 14 + 12.7, 1e-3);
  CHECK_NEAR(small_slack(s, "r2/D", END_HOLD, RISE), 12.7 - 4, 1e-3);
  /* data slew 5 + 0.2 * 7 + 1 = 7.4 */
  CHECK_NEAR(small_slack(s, "r2/D", END_SETUP, RISE), 100 - 20.74 - 12.7, 1e-3);
  small_free(s);
}

static void set_delay(PortDelay *d, float early, float late)
{
  for (int k = 0; k < CONDITION_COUNT; k++) d->delay[k] = k < 2 ? early : late;
}

/* a at 7 (early 3) after the rising edge; through a buffer with slew 0: rises + 12, slew 6.  y must
   be there 25 before (15 after) the falling edge at 50.  An output port is no load. */
static void test_port_delays(void)
{
  Small *s = small_new("module top(clk, a, y); input clk, a; output y; wire n; BUF u1 (.A(a), "
                       ".Y(n)); BUF u2 (.A(n), .Y(y)); endmodule");
  ClockId c = small_clock(s, "c", 100, 0, 50, "clk");
  set_delay(constraints_input_delay(s->constraints, small_pin(s, "a"), c, RISE, false), 3, 7);
  set_delay(constraints_output_delay(s->constraints, small_pin(s, "y"), c, FALL, false), 15, 25);
  constraints_changed(s->constraints);
  small_timing(s);
  CHECK_NEAR(small_arrival(s, "u1/Y", 2 * c, false, 2), 7 + 12, 1e-3);
  CHECK_NEAR(small_arrival(s, "u2/Y", 2 * c, false, 2), 7 + 12 + 10.6, 1e-3);
  CHECK_NEAR(small_slack(s, "y", END_OUTPUT_SETUP, RISE), 50 - 25 - 29.6, 1e-3);
  CHECK_NEAR(small_slack(s, "y", END_OUTPUT_HOLD, RISE), 3 + 22.6 - (50 - 100 - 15), 1e-3);
  PortLoad *load = constraints_port_load(s->constraints, small_pin(s, "y"));
  for (int k = 0; k < CONDITION_COUNT; k++) constraints_put(s->constraints, &load->pin_load[k], 4);
  small_timing(s);
  CHECK_NEAR(small_slack(s, "y", END_OUTPUT_SETUP, RISE), 50 - 25 - 29.6 - 8, 1e-3);
  small_free(s);
}

/* A latch that is open from 100 to 140: data at 112 + ... goes through when it comes, and the path
   after it starts there. */
static void test_latch(void)
{
  Small *s =
      small_new("module top(clk, a, y); input clk, a; output y; wire q, n; LAT l (.G(clk), .D(a), "
                ".Q(q)); BUF u (.A(q), .Y(n)); DFF r (.CK(clk), .D(n), .Q(y)); endmodule");
  ClockId c = small_clock(s, "c", 100, 0, 40, "clk");
  set_delay(constraints_input_delay(s->constraints, small_pin(s, "a"), c, FALL, false), 50, 50);
  small_timing(s);
  /* before the opening edge: nothing borrowed */
  CHECK_NEAR(small_slack(s, "l/D", END_LATCH_SETUP, RISE), 10, 1e-3);
  CHECK_NEAR(small_arrival(s, "l/Q", 2 * c, false, 2), 12, 1e-3);
  set_delay(constraints_input_delay(s->constraints, small_pin(s, "a"), c, FALL, false), 78, 78);
  constraints_changed(s->constraints);
  small_timing(s);
  CHECK_NEAR(small_slack(s, "l/D", END_LATCH_SETUP, RISE), 0, 1e-3);            /* borrows 18 */
  /* 40 + 78 - 100, then D to Q */
  CHECK_NEAR(small_arrival(s, "l/Q", 2 * c, false, 2), 18 + 12, 1e-3);
  /* early data leaves with the opening edge */
  CHECK_NEAR(small_arrival(s, "l/Q", 2 * c, false, 0), 12, 1e-3);
  set_delay(constraints_input_delay(s->constraints, small_pin(s, "a"), c, FALL, false), 90, 90);
  constraints_changed(s->constraints);
  small_timing(s);
  /* the window ends 15 before the closing edge */
  CHECK_NEAR(small_slack(s, "l/D", END_LATCH_SETUP, RISE), 125 - 130, 1e-3);
  small_free(s);
}

/* What an edit reaches: data at a latch changes its output by the latch passes alone, never from
   within the levels that are followed. */
static void test_latch_edit(void)
{
  Small *s = small_new("module top(clk, a, y); input clk, a; output y; wire n, d, e; BUF b (.A(a), "
                       ".Y(n)); BUF u (.A(n), .Y(d)); INV v (.A(clk), .Y(e));"
                       "LAT l (.G(e), .D(d), .Q(y)); endmodule");
  small_clock(s, "c", 100, 0, 40, "clk");
  s->parasitics = parasitics_new();
  const Timing *t = small_timing(s);
  float before = t->slew[small_slot(s, "l/D", false)].v[0];
  NetId net = netlist_pin_net(s->netlist, small_pin(s, "u/Y"));
  RcNode node = { NO_NODE, 0, 30 };
  RcTap tap = { small_pin(s, "u/Y"), 0 };
  parasitics_add(s->parasitics, s->netlist, s->netlist->nets.at[net].first_seg, &node, 1, &tap, 1,
                 0, (PieceNumbers){ 0 });
  timer_touch_net(s->timer, net);
  CHECK(timer_update(s->timer, true) == OK);
  t = s->timer->timing;
  CHECK(t->slew[small_slot(s, "l/D", false)].v[0] != before);
  Slot own = small_slot(s, "u/Y", true), latch = small_slot(s, "l/Q", true);
  CHECK(incremental_reached(t, own));
  CHECK(!incremental_reached(t, latch));
  small_free(s);
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
static void add_wires(Small *s)
{
  unsigned seed = 9;
  s->parasitics = parasitics_new();
  for (NetId net = 0; net < s->netlist->nets.len; net++) {
    RcNode nodes[400] = { { NO_NODE, 0, 1.5f } };
    RcTap taps[400];
    uint32_t count = 1, tap_count = 0;
    NetPins it = net_pins(s->netlist, net, false);
    for (PinId p; (p = net_pins_next(&it)) != NO_PIN && count < 400;) {
      taps[tap_count++] = (RcTap){ p, netlist_pin_drives(s->netlist, p) ? 0 : count };
      if (netlist_pin_drives(s->netlist, p)) continue;
      nodes[count++] = (RcNode){ 0, (float)(rand_r(&seed) % 3000) * 1e-3f,
                                 (float)(rand_r(&seed) % 4000) * 1e-3f };
    }
    parasitics_add(s->parasitics, s->netlist, s->netlist->nets.at[net].first_seg, nodes, count,
                   taps, tap_count, 0, (PieceNumbers){ 0 });
  }
}

static bool same(const void *a, const void *b, size_t bytes) { return memcmp(a, b, bytes) == 0; }

static void test_threads(void)
{
  char *text = big_design();
  Small *s = small_new(text);
  small_clock(s, "c", 500, 0, 250, "clk");
  add_wires(s);
  const Timing *one = small_timing(s);
  const Graph *g = one->g;
  CHECK(g->slots.count > 50000 && g->levels.count >= DEPTH);
  TimerInput in = s->timer->in;
  Timer *three = timer_new(&in, s->log);
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
  small_free(s);
  mem_free(text);
}

/* --- several timers --------------------------------------------------------------------------- */
static bool same_numbers(const Timer *a, const Timer *b)
{
  const Graph *g = a->graph, *h = b->graph;
  return g->nodes.count == h->nodes.count && g->slots.count == h->slots.count
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
  Small *s = small_new("module top(clk, a, z); input clk, a; output z; wire n, q; INV u1 (.A(a), "
                       ".Y(n)); DFF r (.CK(clk), .D(n), .Q(q)); "
                       "BUF u2 (.A(q), .Y(z)); endmodule");
  small_clock(s, "c", 100, 0, 50, "clk");
  TimerShare *share = timer_share_new();
  TimerInput in = { .netlist = s->netlist, .libs = s->libs, .constraints = s->constraints };
  Timer *both[] = { timer_new_in(share, &in, s->log), timer_new_in(share, &in, s->log) };
  CHECK(timers_update(both, 2, true, NUMBERS_ALL) == OK);
  CHECK(both[0]->graph == both[1]->graph && both[0]->corner_libs == both[1]->corner_libs
        && same_numbers(both[0], both[1]));
  Graph *first = both[0]->graph;
  InstId made;
  CHECK(netlist_insert_inst(s->netlist, TOP_INST, "spare",
                            s->netlist->insts.at[small_inst(s, "u1")].master, s->log, &made)
        == OK);
  CHECK(timer_update(both[0], true) == OK);
  CHECK(both[0]->graph != first && both[1]->graph == first && both[1]->timing->g == first);
  CHECK(netlist_insert_inst(s->netlist, TOP_INST, "spare2",
                            s->netlist->insts.at[small_inst(s, "u2")].master, s->log, &made)
        == OK);
  CHECK(timers_update(both, 2, true, NUMBERS_ALL) == OK);
  CHECK(both[0]->graph == both[1]->graph && share->graphs.len == 1
        && share->graphs.at[0]->users == 3 && same_numbers(both[0], both[1]));
  constraints_changed(s->constraints);
  CHECK(timer_update(both[1], true) == OK);
  /* nothing to carry over: it made room */
  CHECK(both[0]->graph == NULL && both[0]->timing == NULL);
  CHECK(timer_update(both[0], true) == OK);
  CHECK(both[0]->graph == both[1]->graph && same_numbers(both[0], both[1]));
  timer_free(both[0]);
  timer_free(both[1]);
  CHECK(share->timers.len == 0);
  timer_share_free(share);
  small_free(s);
}

/* Arcs that constants switch off shape slews while their own start can change; nothing arrives over
   them. */
static void test_quiet_slews(void)
{
  Small *s = small_new("module top(a, y, z); input a; output y, z; AND2 u1 (.A(a), .B(1'b0), "
                       ".Y(y)); INV u2 (.A(1'b1), .Y(z)); endmodule");
  const Timing *t = small_timing(s);
  Slot quiet = small_slot(s, "u1/Y", true), still = small_slot(s, "u2/Y", true);
  CHECK(t->g->nodes.first[quiet + 1] == t->g->nodes.first[quiet]);
  CHECK_NEAR(t->slew[quiet].v[condition_of(LATE, RISE)], 5, 1e-4);      /* no load, no slew at a */
  CHECK(t->slew[still].v[condition_of(LATE, RISE)] == 0);
  small_free(s);
}

/* The same functions: what constants make of them stays. */
static void test_swap_constant(void)
{
  Small *s = small_new("module top(a, b, y, z); input a, b; output y, z; OR2 u1 (.A(a), .B(1'b0), "
                       ".Y(y)); AND2 u2 (.A(b), .B(1'b1), .Y(z)); endmodule");
  TimerInput in = { .netlist = s->netlist, .libs = s->libs, .constraints = s->constraints };
  Timer *t = timer_new(&in, s->log), *whole = timer_new(&in, s->log);
  ClockId c = small_clock(s, "c", 100, 0, 40, NULL);
  constraints_input_delay(s->constraints, small_pin(s, "a"), c, RISE, false)
      ->delay[condition_of(LATE, RISE)] = 3;
  constraints_changed(s->constraints);
  CHECK(timer_update(t, true) == OK && timer_update(whole, true) == OK);
  const Graph *first = t->graph;
  CHECK(small_swap(s, "u1", "OR2X3", t, whole) && small_swap(s, "u2", "AND2X3", t, whole));
  timer_invalidate(whole);
  timer_reset(whole);
  CHECK(timer_update(t, true) == OK && timer_update(whole, true) == OK);
  CHECK(t->graph == first && same_numbers(t, whole));
  CHECK_NEAR(
      t->timing->slew[graph_slot(t->graph, small_pin(s, "u1/Y"), true)].v[condition_of(LATE, RISE)],
      5, 1e-4);
  timer_free(t);
  timer_free(whole);
  small_free(s);
}

/* --- large batches ---------------------------------------------------------------------------- */
/* Every third gate of the upper half gets its other size: more than an update follows, while the
   lower half stays. */
static void swap_many(Small *s, bool large, Timer *some, Timer *whole)
{
  static const char *const gates[2][2] = { { "AND2", "OR2" }, { "AND2X3", "OR2X3" } };
  uint32_t swapped = 0;
  for (uint32_t i = WIDTH * DEPTH / 2; i < WIDTH * DEPTH; i += 3) {
    char name[16];
    snprintf(name, sizeof name, "u%u", i);
    for (int kind = 0; kind < 2; kind++) swapped += small_swap(s, name, gates[large][kind], some,
                                                               whole);
  }
  CHECK(swapped > 2000);
}

/* Returns the delay of a gate in the lower half. An update may move the delays to other memory. */
static float *delay_below(const Small *s, const Timer *t)
{
  ArcId a = t->graph->arcs.first[graph_slot(t->graph, small_pin(s, "u900/Y"), true)];
  return &t->timing->edge_delay[t->graph->arcs.edge_first[a]].v[LATE];
}

/* Updates after large batches have the numbers of whole ones, for any number of threads. Delays
   that no swap reaches are not computed again. */
static void check_large_batches(Small *s, int threads)
{
  TimerInput in = s->timer->in;
  Timer *some = timer_new(&in, s->log), *whole = timer_new(&in, s->log);
  some->threads = threads;
  CHECK(timer_update(some, true) == OK && timer_update(whole, true) == OK);
  for (int round = 0; round < 2; round++) {
    swap_many(s, round == 0, some, whole);
    timer_reset(whole);
    CHECK(timer_update(some, true) == OK && timer_update(whole, true) == OK);
    CHECK(same_numbers(some, whole));
    CHECK(same(some->timing->edge_delay, whole->timing->edge_delay,
               some->graph->arcs.edge_count * sizeof(Pair)));
    CHECK(same(some->timing->end_slack, whole->timing->end_slack,
               some->graph->ends.path_ends.len * sizeof *some->timing->end_slack));
  }
  *delay_below(s, some) = 7777;
  swap_many(s, true, some, whole);
  CHECK(timer_update(some, true) == OK && *delay_below(s, some) == 7777);
  swap_many(s, false, some, whole);
  timer_free(some);
  timer_free(whole);
}

/* A large design with wires and without. */
static void on_large_designs(void (*check)(Small *s))
{
  char *text = big_design();
  for (int wires = 0; wires < 2; wires++) {
    Small *s = small_new(text);
    small_clock(s, "c", 500, 0, 250, "clk");
    if (wires) add_wires(s);
    small_timing(s);
    check(s);
    small_free(s);
  }
  mem_free(text);
}

static void check_large_batches_by_threads(Small *s)
{
  check_large_batches(s, 1);
  check_large_batches(s, 3);
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
static void check_late_only(Small *s)
{
  TimerInput in = s->timer->in;
  Timer *some = timer_new(&in, s->log), *all = timer_new(&in, s->log);
  timer_set_late_only(some, true);
  CHECK(timer_update(some, true) == OK && timer_update(all, true) == OK);
  CHECK(same_late(some, all) && !same_numbers(some, all));
  Slot data = small_slot(s, "u900/Y", true), clock = small_slot(s, "clk", true);
  CHECK(time_absent(some->timing->arrival[some->graph->nodes.first[data]].v[EARLY << 1]));
  CHECK(!time_absent(all->timing->arrival[all->graph->nodes.first[data]].v[EARLY << 1]));
  CHECK(same(&some->timing->arrival[some->graph->nodes.first[clock]],
             &all->timing->arrival[all->graph->nodes.first[clock]], sizeof(Cond4)));
  CHECK(small_swap(s, "u950", "AND2X3", some, all) || small_swap(s, "u950", "OR2X3", some, all));
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
    Small *s = small_new(designs[i]);
    small_clock(s, "c", 100, 0, 50, "clk");
    CHECK(timing_late_stands_alone(small_timing(s)) == (i == 2));
    small_free(s);
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
