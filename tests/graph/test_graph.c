/* Tests of the compiled graph: levels, loops, constants, tags, exceptions, path ends, and distances
   of clock edges. */
#include <math.h>
#include <stdio.h>

#include "graph/clocks/clocks.h"
#include "tests/small.h"
#include "tests/unit.h"

static Object pin_object(const Small *small, const char *name)
{
  return (Object){ OBJ_PIN, small_pin(small, name) };
}

static ClockEdge rising(ClockId c) { return 2 * c + RISE; }
static ClockEdge falling(ClockId c) { return 2 * c + FALL; }

static uint32_t level(const Small *small, const char *pin)
{
  return small->timer->graph->slots.level[small_slot(small, pin, true)];
}

/* Is any arc between two pins on? */
static bool arc_is_on(const Small *small, const char *from, const char *to)
{
  const Graph *g = small->timer->graph;
  Slot f = small_slot(small, from, false), t = small_slot(small, to, true);
  for (ArcId a = g->arcs.first[t]; a < g->arcs.first[t + 1]; a++)
    if (g->arcs.from[a] == f && arc_on(g, a)) return true;
  return false;
}

/* Nodes in which something can arrive. */
static uint32_t node_count(const Small *small, const char *pin)
{
  const Graph *g = small->timer->graph;
  Slot slot = small_slot(small, pin, true);
  uint32_t count = 0;
  for (NodeId n = g->nodes.first[slot]; n < g->nodes.first[slot + 1]; n++)
    count += g->nodes.edges[n] != 0;
  return count;
}

/* --- structure -------------------------------------------------------------------------------- */
static void test_levels(void)
{
  Small *small =
      small_new("module top(a, b, y); input a, b; output y; wire n1, n2, n3;"
                " INV u1 (.A(a), .Y(n1)); INV u2 (.A(n1), .Y(n2)); AND2 u3 (.A(n2), .B(b), "
                ".Y(n3)); BUF u4 (.A(n3), .Y(y));"
                " INV u5 (.A(a), .Y()); INV u6 (.A(), .Y()); endmodule");
  const Graph *g = small_graph(small);
  CHECK(level(small, "a") == 0 && level(small, "u1/A") == 0 && level(small, "u1/Y") == 1
        && level(small, "u3/B") == 0);
  CHECK(level(small, "u3/Y") == 3 && level(small, "u4/A") == 3 && level(small, "y") == 4);
  CHECK(g->arcs.loops_cut == 0
        && log_total(small->log, SEVERITY_WARNING) == log_count(small->log, "LINK-001"));
  for (Slot d = 0; d < g->slots.count; d++)
    for (uint32_t k = 0; slot_is_driver(g, d) && k < g->nets.load_count[d]; k++)
      CHECK(g->nets.wire_driver[g->nets.load_first[d] + k] == d);
  CHECK(g->nets.wire_driver[small_slot(small, "u6/A", false)] == NO_SLOT);
  small_free(small);
}

static void check_one_loop(const char *verilog)
{
  Small *small = small_new(verilog);
  const Graph *g = small_graph(small);
  CHECK(g->arcs.loops_cut == 1);
  CHECK(log_count(small->log, "GRAPH-001") == 1);
  for (ArcId a = 0; a < g->arcs.count; a++)
    if (arc_on(g, a)) CHECK(g->slots.level[g->arcs.from[a]] < g->slots.level[g->arcs.to[a]]);
  small_free(small);
}

static void test_loops(void)
{
  check_one_loop("module top(a, y); input a; output y; wire n; AND2 u1 (.A(a), .B(n), .Y(y)); INV "
                 "u2 (.A(y), .Y(n)); endmodule");
  check_one_loop("module top(a, y); input a; output y; AND2 u1 (.A(a), .B(y), .Y(y)); endmodule");
  /* the loop goes through a net of two drivers */
  check_one_loop("module top(a, y); input a; output y; wire n; BUF u1 (.A(a), .Y(n)); BUF u2 "
                 "(.A(y), .Y(n)); INV u3 (.A(n), .Y(y)); endmodule");
  /* nothing drives the ring from outside */
  check_one_loop("module top(y); output y; wire n, m; INV u1 (.A(n), .Y(m)); INV u2 (.A(m), "
                 ".Y(y)); INV u3 (.A(y), .Y(n)); endmodule");
}

static void test_several_drivers(void)
{
  Small *small =
      small_new("module top(a, b, y, z); input a, b; output y, z; wire n, m; BUF u1 (.A(a), "
                ".Y(n)); BUF u2 (.A(b), .Y(m));"
                " BUF u3 (.A(m), .Y(n)); BUF u4 (.A(n), .Y(y)); BUF u5 (.A(n), .Y(z)); endmodule");
  const Graph *g = small_graph(small);
  /* loads follow the driver of the higher level; the other one has an extra wire to each */
  CHECK(g->nets.wire_driver[small_slot(small, "u4/A", false)] == small_slot(small, "u3/Y", true));
  CHECK(g->nets.extra_wires.len == 2);
  for (uint32_t i = 0; i < g->nets.extra_wires.len; i++)
    CHECK(g->nets.extra_wires.at[i].driver == small_slot(small, "u1/Y", true));
  CHECK(small_node(small, "u4/A", false, NO_CLOCK_EDGE, false) != NO_NODE_ID);
  small_free(small);
}

/* --- logic ------------------------------------------------------------------------------------ */
static void test_constants(void)
{
  Small *small =
      small_new("module top(a, b, y, z, w); input a, b; output y, z, w; wire n, m; AND2 u1 "
                "(.A(a), .B(1'b0), .Y(n)); OR2 u2 (.A(n), .B(b), .Y(y));"
                " INV u3 (.A(n), .Y(m)); XOR2 u4 (.A(m), .B(a), .Y(z)); AND2 u5 (.A(b), "
                ".B(m), .Y(w)); endmodule");
  const Graph *g = small_graph(small);
  CHECK(g->slots.logic[small_slot(small, "u1/Y", true)] == 0
        && g->slots.logic[small_slot(small, "u3/Y", true)] == 1
        && g->slots.logic[small_slot(small, "u2/Y", true)] == 2);
  CHECK(!arc_is_on(small, "u1/A", "u1/Y") && !arc_is_on(small, "u2/A", "u2/Y")
        && arc_is_on(small, "u2/B", "u2/Y"));
  CHECK(arc_is_on(small, "u4/B", "u4/Y") && !arc_is_on(small, "u4/A", "u4/Y")
        && arc_is_on(small, "u5/A", "u5/Y"));
  CHECK(node_count(small, "u1/Y") == 0 && node_count(small, "u2/Y") == 1);
  small_free(small);
}

static void test_case_analysis(void)
{
  Small *small = small_new("module top(a, b, sel, y); input a, b, sel; output y; wire n; BUF u1 "
                           "(.A(sel), .Y(n)); MUX2 u2 (.A(a), .B(b), .S(n), .Y(y)); endmodule");
  small_graph(small);
  CHECK(arc_is_on(small, "u2/A", "u2/Y") && arc_is_on(small, "u2/B", "u2/Y")
        && arc_is_on(small, "u2/S", "u2/Y"));
  constraints_set_case(small->constraints, small_pin(small, "sel"), CASE_ONE, true);
  const Graph *g = small_graph(small);
  CHECK(g->slots.logic[small_slot(small, "u2/S", false)] == 1
        && g->slots.logic[small_slot(small, "u2/Y", true)] == 2);
  CHECK(!arc_is_on(small, "u2/A", "u2/Y") && arc_is_on(small, "u2/B", "u2/Y")
        && !arc_is_on(small, "u2/S", "u2/Y"));
  constraints_set_case(small->constraints, small_pin(small, "sel"), CASE_ZERO, true);
  small_graph(small);
  CHECK(arc_is_on(small, "u2/A", "u2/Y") && !arc_is_on(small, "u2/B", "u2/Y"));
  constraints_unset_case(small->constraints, small_pin(small, "sel"), true);
  small_graph(small);
  CHECK(arc_is_on(small, "u2/B", "u2/Y") && arc_is_on(small, "u2/S", "u2/Y"));
  small_free(small);
}

static void test_disabled(void)
{
  Small *small =
      small_new("module top(a, b, y, z); input a, b; output y, z; wire n; AND2 u1 (.A(a), .B(b), "
                ".Y(n)); AND2 u2 (.A(n), .B(b), .Y(y)); BUF u3 (.A(n), .Y(z)); endmodule");
  Object u1 = { OBJ_CELL, small_inst(small, "u1") };
  constraints_disable(small->constraints, u1, names_add_text(small->names, "A"),
                      names_add_text(small->names, "Y"), true);
  small_graph(small);
  CHECK(!arc_is_on(small, "u1/A", "u1/Y") && arc_is_on(small, "u1/B", "u1/Y"));
  constraints_disable(small->constraints, pin_object(small, "u2/A"), NO_NAME, NO_NAME, true);
  small_graph(small);
  CHECK(!arc_is_on(small, "u2/A", "u2/Y") && arc_is_on(small, "u2/B", "u2/Y")
        && arc_is_on(small, "u3/A", "u3/Y"));
  constraints_disable(small->constraints, u1, names_add_text(small->names, "A"),
                      names_add_text(small->names, "Y"), false);
  small_graph(small);
  CHECK(arc_is_on(small, "u1/A", "u1/Y"));
  small_free(small);
}

/* --- tags ------------------------------------------------------------------------------------- */
static const char two_registers[] = "module top(clk, clk2, a, y); input clk, clk2, a; output y; "
                                    "wire q, n, ck; BUF b (.A(clk), .Y(ck));"
                                    " DFF r1 (.CK(ck), .D(a), .Q(q)); INV u1 (.A(q), .Y(n)); DFF "
                                    "r2 (.CK(clk2), .D(n), .Q(y)); endmodule";

static void test_two_clocks(void)
{
  Small *small = small_new(two_registers);
  ClockId c = small_clock(small, "c", 100, 0, 50, "clk"),
          d = small_clock(small, "d", 80, 0, 40, "clk"),
          e = small_clock(small, "e", 100, 10, 60, "clk2");
  small_graph(small);
  CHECK(node_count(small, "r1/CK") == 4
        && small_node(small, "r1/CK", false, falling(d), true) != NO_NODE_ID);
  CHECK(node_count(small, "u1/Y") == 2);                       /* the rising edges of c and d */
  CHECK(small_node(small, "u1/Y", true, rising(c), false) != NO_NODE_ID
        && small_node(small, "u1/Y", true, falling(c), false) == NO_NODE_ID);
  CHECK(small_row(small, "r2/D", END_SETUP, 1) != NULL
        && small_row(small, "r2/D", END_SETUP, 2) == NULL);
  CHECK(small_row(small, "r2/D", END_SETUP, 0)->capture_clock == rising(e));
  /* from c at 0 to e at 10 */
  CHECK_NEAR(small_row(small, "r2/D", END_SETUP, 0)->offset[RISE], 10, 1e-6);
  ClockGroups *groups = constraints_add_clock_groups(small->constraints, GROUPS_LOGICAL, NO_NAME);
  uint32_t pairs[] = { c, 0, e, 1 };
  groups->group_count = 2;
  for (int i = 0; i < 4; i++) array_push(&groups->group_of, pairs[i]);
  constraints_changed(small->constraints);
  small_graph(small);
  CHECK(small_row(small, "r2/D", END_SETUP, 0) != NULL
        && small_row(small, "r2/D", END_SETUP, 1) == NULL);
  CHECK(small->timer->graph->ends.path_ends.at != NULL && clocks_exclusive(small->constraints, c, e)
        && clocks_exclusive(small->constraints, e, c));
  CHECK(!clocks_exclusive(small->constraints, c, d) && !clocks_exclusive(small->constraints, c, c));
  small_free(small);
}

/* A false path through a pin: what has passed it goes no further, what goes round does. */
static void test_false_path(void)
{
  Small *small =
      small_new("module top(clk, a, y); input clk, a; output y; wire q, n, m; DFF r1 (.CK(clk), "
                ".D(a), .Q(q)); INV u1 (.A(q), .Y(n));"
                " AND2 u2 (.A(n), .B(q), .Y(m)); DFF r2 (.CK(clk), .D(m), .Q(y)); endmodule");
  ClockId c = small_clock(small, "c", 100, 0, 50, "clk");
  Exception *exception = constraints_add_exception(small->constraints, EXC_FALSE);
  ExceptionPoint through = { .edges = EDGE_BOTH };
  array_push(&through.objects, pin_object(small, "u1/Y"));
  array_push(&exception->through, through);
  exception->checks = 3;
  exception->end_edges = EDGE_BOTH;
  constraints_changed(small->constraints);
  small_graph(small);
  CHECK(node_count(small, "u1/A") == 1 && node_count(small, "u1/Y") == 0
        && node_count(small, "u2/A") == 0 && node_count(small, "u2/Y") == 1);
  CHECK(small_node(small, "u2/Y", true, rising(c), false) != NO_NODE_ID
        && small_row(small, "r2/D", END_SETUP, 0) != NULL);
  exception->deleted = true;
  constraints_changed(small->constraints);
  small_graph(small);
  CHECK(node_count(small, "u1/Y") == 1);
  small_free(small);
}

static Exception *multicycle(Small *small, int cycles, uint8_t checks, bool start, bool given)
{
  Exception *exception = constraints_add_exception(small->constraints, EXC_MULTICYCLE);
  exception->has_to = true;
  exception->to.edges = exception->end_edges = EDGE_BOTH;
  array_push(&exception->to.objects, pin_object(small, "r2/D"));
  exception->cycles = cycles;
  exception->checks = checks;
  exception->cycles_of_start = start;
  exception->cycles_clock_given = given;
  constraints_changed(small->constraints);
  return exception;
}

static void check_offsets(Small *small, double setup, double hold)
{
  small_graph(small);
  const PathEnd *late = small_row(small, "r2/D", END_SETUP, 0);
  const PathEnd *early = small_row(small, "r2/D", END_HOLD, 0);
  CHECK(late && early && fabs(late->offset[RISE] - setup) < 1e-3
        && fabs(early->offset[RISE] - hold) < 1e-3);
}

/* Launch period 100, capture period 50: setup 50 and hold 0 to begin with. */
static void test_multicycle(void)
{
  Small *small = small_new(two_registers);
  small_clock(small, "c", 100, 0, 50, "clk");
  small_clock(small, "e", 50, 0, 25, "clk2");
  check_offsets(small, 50, 0);
  /* two capturing periods more; hold goes along */
  multicycle(small, 3, 1 << SETUP, false, false);
  check_offsets(small, 150, 100);
  Exception *exception =
      multicycle(small, 1, 1 << HOLD, false, false); /* and one launching period back */
  check_offsets(small, 150, 0);
  exception->cycles_clock_given = true; /* -end: one capturing period back */
  constraints_changed(small->constraints);
  check_offsets(small, 150, 50);
  small->constraints->exceptions.at[0].cycles_of_start =
      small->constraints->exceptions.at[0].cycles_clock_given = true;
  constraints_changed(small->constraints); /* -start: two launching periods */
  check_offsets(small, 250, 150);
  small_free(small);
}

static void test_latch_rows(void)
{
  Small *small =
      small_new("module top(clk, a, y); input clk, a; output y; wire q; DFF r1 (.CK(clk), "
                ".D(a), .Q(q)); LAT l (.G(clk), .D(q), .Q(y)); endmodule");
  ClockId c = small_clock(small, "c", 100, 0, 40, "clk");
  const Graph *g = small_graph(small);
  const PathEnd *end = small_row(small, "l/D", END_LATCH_SETUP, 0);
  CHECK(end && end->capture_edge == RISE && end->capture_clock == rising(c));
  CHECK(small_row(small, "l/D", END_SETUP, 0) == NULL
        && small_row(small, "l/D", END_HOLD, 0) != NULL);
  CHECK(g->arcs.latches.len == 1 && g->arcs.latches.at[0].open_edge == RISE
        && g->arcs.latches.at[0].output == small_slot(small, "l/Q", true));
  if (end) {
    CHECK_NEAR(end->offset[RISE], 0, 1e-3); /* open from the launching edge on, closed at
                                                       40 */
    CHECK_NEAR(g->ends.details.at[end->detail].window, 40, 1e-3);
    CHECK(!g->ends.details.at[end->detail].window_given);
  }
  CHECK(node_count(small, "l/Q") == 1);
  small_free(small);
}

static void test_gating_rows(void)
{
  Small *small =
      small_new("module top(clk, a, en, y); input clk, a, en; output y; wire g, q, h; AND2 "
                "u1 (.A(clk), .B(q), .Y(g)); DFF r0 (.CK(clk), .D(en), .Q(q));"
                " DFF r1 (.CK(g), .D(a), .Q(y)); OR2 u2 (.A(clk), .B(q), .Y(h)); DFF r2 "
                "(.CK(h), .D(a), .Q()); XOR2 u3 (.A(clk), .B(q), .Y()); endmodule");
  ClockId c = small_clock(small, "c", 100, 0, 40, "clk");
  GatingCheck *check = constraints_gating_check(small->constraints, (Object){ OBJ_DESIGN, 0 });
  for (int k = 0; k < 4; k++) check->margin[k / 2][k % 2] = k / 2 == SETUP ? 7 : 2;
  const Graph *g = small_graph(small);
  const PathEnd *setup = small_row(small, "u1/B", END_GATING_SETUP, 0),
                *hold = small_row(small, "u1/B", END_GATING_HOLD, 0);
  CHECK(setup && hold && setup->capture_clock == rising(c) && hold->capture_clock == falling(c));
  CHECK(setup && g->ends.checks.at[setup->check].margin[RISE] == 7
        && g->ends.checks.at[hold->check].margin[FALL] == 2);
  setup = small_row(small, "u2/B", END_GATING_SETUP, 0);
  /* an OR opens at the falling edge */
  CHECK(setup && setup->capture_clock == falling(c));
  CHECK(small_row_count(small, "u3/B") == 0);
  constraints_disable_gating(small->constraints, (Object){ OBJ_CELL, small_inst(small, "u1") },
                             true);
  small_graph(small);
  CHECK(small_row_count(small, "u1/B") == 0 && small_row_count(small, "u2/B") > 0);
  small_free(small);
}

/* Clocks and input delays may begin anywhere: at cells' inputs, output ports, floating pins,
   constants. */
static void test_odd_starts(void)
{
  Small *small =
      small_new("module top(clk, a, y); input clk, a; output y; wire q; DFF r1 (.CK(clk), "
                ".D(a), .Q(q)); INV u1 (.A(q), .Y(y)); INV u2 (.A(), .Y());"
                " INV u3 (.A(1'b1), .Y()); endmodule");
  ClockId c = small_clock(small, "c", 100, 0, 50, "r1/CK"),
          d = small_clock(small, "d", 100, 0, 50, "y"),
          e = small_clock(small, "e", 10, 0, 5, "u2/A");
  small_clock(small, "f", 10, 0, 5, "u3/A");
  small_clock(small, "g", 10, 0, 5, "u3/Y");
  PortDelay *delay =
      constraints_input_delay(small->constraints, small_pin(small, "u1/Y"), c, RISE, false);
  for (int k = 0; k < CONDITION_COUNT; k++) delay->delay[k] = 33;
  small_graph(small);
  CHECK(small_arrival(small, "r1/CK", rising(c), true, 2) == 0);
  CHECK(small_node(small, "r1/Q", true, rising(c), false) != NO_NODE_ID);
  CHECK(small_node(small, "y", false, rising(d), true) != NO_NODE_ID
        && small_node(small, "u2/Y", true, falling(e), true) != NO_NODE_ID);
  CHECK(node_count(small, "u3/A") == 0 && node_count(small, "u3/Y") == 0);
  CHECK_NEAR(small_arrival(small, "u1/Y", rising(c), false, 0), 33, 40);
  CHECK(small_arrival(small, "u1/Y", rising(c), false, 2) >= 33);
  small_free(small);
}

/* Exceptions, clocks and case analysis on a block's pin that nothing is connected to. */
static void test_unconnected_block_pin(void)
{
  Small *small =
      small_new("module sub(i, o); input i; output o; BUF u (.A(i), .Y(o)); endmodule"
                " module top(clk, a, y); input clk, a; output y; wire q; DFF r (.CK(clk), "
                ".D(a), .Q(q)); BUF u (.A(q), .Y(y)); sub b (.i(q), .o()); endmodule");
  PinId open = small_pin(small, "b/o");
  small_clock(small, "c", 100, 0, 50, "clk");
  small_clock(small, "d", 100, 0, 50, "b/o");
  constraints_set_case(small->constraints, open, CASE_ONE, true);
  Exception *exception = constraints_add_exception(small->constraints, EXC_MULTICYCLE);
  ExceptionPoint through = { .edges = EDGE_BOTH };
  array_push(&through.objects, ((Object){ OBJ_PIN, open }));
  array_push(&exception->through, through);
  exception->cycles = 2;
  exception->checks = 3;
  exception->end_edges = EDGE_BOTH;
  constraints_changed(small->constraints);
  small_graph(small);
  CHECK(node_count(small, "b/u/A") == 1 && node_count(small, "y") == 1);
  small_free(small);
}

/* --- tag tables ------------------------------------------------------------------------------- */
static void test_interning(void)
{
  TagTable *table = tag_table_new();
  TagId ids[3];
  for (uint32_t i = 0; i < 3; i++)
    ids[i] = tag_add(table, (Tag){ .clock_edge = i, .is_clock = i == 1 });
  CHECK(tag_add(table, (Tag){ .clock_edge = 1, .is_clock = true }) == ids[1]
        && tag_add(table, (Tag){ .clock_edge = 1 }) == 3);
  CHECK(tag_set_add(table, NULL, 0) == EMPTY_SET && tag_set_count(table, EMPTY_SET) == 0);
  TagSetId set = tag_set_add(table, ids, 3);
  CHECK(tag_set_add(table, ids, 3) == set && tag_set_add(table, ids, 2) != set
        && tag_set_count(table, set) == 3);
  CHECK(tag_set_find(table, set, ids[2]) == 2 && tag_set_find(table, set, 3) == UINT32_MAX
        && tag_set_find(table, EMPTY_SET, 0) == UINT32_MAX);
  /* a map of nothing is not the identity */
  MapId none = tag_map_add(table, NULL, 0);
  CHECK(none != IDENTITY_MAP && tag_map_add(table, NULL, 0) == none
        && tag_map_count(table, none) == 0);
  MapEntry entry = { .from = 1, .to = 2, .mask = 9 };
  MapId map = tag_map_add(table, &entry, 1);
  CHECK(map != none && tag_map_add(table, &entry, 1) == map);
  CHECK(tag_state_add(table, NULL, 0) == NO_STATE);
  Progress p = { 4, 1 };
  StateId state = tag_state_add(table, &p, 1);
  CHECK(state != NO_STATE && tag_state_add(table, &p, 1) == state
        && tag_state(table, state)->exception == 4);
  tag_table_free(table);
}

/* --- clocks' edges ---------------------------------------------------------------------------- */
/* Least positive distance over the common period, by trying all pairs of edges. */
static double brute_setup(double tl, double l0, double tc, double c0)
{
  double best = INFINITY;
  for (int i = 0; i < 400; i++)
    for (int k = -400; k < 800; k++) {
      double d = c0 + k * tc - (l0 + i * tl);
      if (d > 1e-6 && d < best) best = d;
    }
  return best;
}

/* Largest distance from a launch back to the edge a period before the first capture after it. */
static double brute_hold(double tl, double l0, double tc, double c0)
{
  double best = -INFINITY;
  for (int i = 0; i < 1000; i++) {
    double l = l0 + i * tl, first = INFINITY;
    int near = (int)((l - c0) / tc);
    for (int k = near - 3; k < near + 4; k++)
      if (c0 + k * tc - l > 1e-6 && c0 + k * tc < first) first = c0 + k * tc;
    if (first - tc - l > best) best = first - tc - l;
  }
  return best;
}

static void test_edge_distance(void)
{
  static const double periods[] = { 100, 50, 75, 60, 33, 250, 100.5 };
  enum { COUNT = sizeof periods / sizeof *periods };
  Small *small = small_new("module top(a, y); input a; output y; BUF u (.A(a), .Y(y)); endmodule");
  ClockId ids[COUNT];
  char name[8];
  for (uint32_t i = 0; i < COUNT; i++) {
    snprintf(name, sizeof name, "c%u", i);
    ids[i] = small_clock(small, name, periods[i], i % 3 * 7, i % 3 * 7 + 0.4 * periods[i], NULL);
  }
  for (uint32_t i = 0; i < COUNT; i++)
    for (uint32_t k = 0; k < COUNT; k++)
      for (int edges = 0; edges < 4; edges++) {
        ClockEdge l = 2 * ids[i] + (ClockEdge)(edges & 1), c = 2 * ids[k] + (ClockEdge)(edges >> 1);
        EdgeDistance d = clock_edge_distance(small->constraints, l, c);
        double want = brute_setup(periods[i], clock_edge_time(small->constraints, l), periods[k],
                                  clock_edge_time(small->constraints, c));
        CHECK_NEAR(d.setup, want, 1e-6);
        CHECK_NEAR(d.hold,
                   brute_hold(periods[i], clock_edge_time(small->constraints, l), periods[k],
                              clock_edge_time(small->constraints, c)),
                   1e-6);
      }
  EdgeDistance half = clock_edge_distance(small->constraints, rising(ids[0]), falling(ids[0]));
  CHECK_NEAR(half.setup, 40, 1e-9);
  CHECK_NEAR(half.hold, -60, 1e-9);
  small_free(small);
}

static uint64_t common_divisor(uint64_t a, uint64_t b)
{
  while (b) {
    uint64_t rest = a % b;
    a = b, b = rest;
  }
  return a;
}

/* Is x a multiple of the period, to a millionth of a ps? */
static bool is_multiple(double x, double period)
{
  return fabs(x - period * rint(x / period)) < 1e-6;
}

/* Distances are the least rest above 0 of the first edges' distance modulo the periods' common
   divisor, and that rest less the divisor; the launches that are told have captures at them. */
static void check_far(Small *small, const ClockId *ids, const uint32_t *periods,
                      const uint32_t *starts)
{
  double divisor = (double)common_divisor(periods[0], periods[1]),
         rest = fmod((double)starts[1] - starts[0], divisor);
  EdgeDistance d = clock_edge_distance(small->constraints, rising(ids[0]), rising(ids[1]));
  rest += rest <= 0 ? divisor : 0;
  CHECK_NEAR(d.setup, rest, 1e-9);
  CHECK_NEAR(d.hold, rest - divisor, 1e-9);
  CHECK(!d.endless);
  CHECK(d.launch >= starts[0] && d.hold_launch >= starts[0]);
  CHECK(is_multiple(d.launch - starts[0], periods[0])
        && is_multiple(d.launch + d.setup - starts[1], periods[1]));
  CHECK(is_multiple(d.hold_launch - starts[0], periods[0])
        && is_multiple(d.hold_launch + d.hold - starts[1], periods[1]));
}

/* Periods of many ratios; half of them have a large common divisor. */
static void test_far_periods(void)
{
  Small *small = small_new("module top(a, y); input a; output y; BUF u (.A(a), .Y(y)); endmodule");
  uint32_t seed = 1;
  for (int i = 0; i < 2000; i++) {
    uint32_t periods[2], starts[2];
    ClockId ids[2];
    uint32_t most = i % 3 ? 30000 : 100000000, unit = i % 2 ? 1 : 1 + i % 250;
    for (int k = 0; k < 2; k++) {
      seed = seed * 1664525u + 1013904223u;
      periods[k] = (2 + (seed >> 4) % (k ? most : 20000) / unit) * unit;
      starts[k] = (seed >> 7) % periods[k];
      ids[k] = small_clock(small, k ? "b" : "a", periods[k], starts[k],
                           starts[k] + 0.5 * periods[k], NULL);
    }
    check_far(small, ids, periods, starts);
  }
  small_free(small);
}

void suite_graph(void)
{
  CU_pSuite s = CU_add_suite("graph/graph", NULL, NULL);
  CU_add_test(s, "levels", test_levels);
  CU_add_test(s, "loops", test_loops);
  CU_add_test(s, "nets of several drivers", test_several_drivers);
  CU_add_test(s, "constants", test_constants);
  CU_add_test(s, "case analysis through a multiplexer", test_case_analysis);
  CU_add_test(s, "disabled arcs", test_disabled);
  CU_add_test(s, "two clocks, exclusive clocks", test_two_clocks);
  CU_add_test(s, "false path", test_false_path);
  CU_add_test(s, "multicycle paths", test_multicycle);
  CU_add_test(s, "latch", test_latch_rows);
  CU_add_test(s, "clock gating", test_gating_rows);
  CU_add_test(s, "starts at odd places", test_odd_starts);
  CU_add_test(s, "unconnected pin of a block", test_unconnected_block_pin);
  CU_add_test(s, "tags, sets, maps, states", test_interning);
  CU_add_test(s, "distance of clock edges", test_edge_distance);
  CU_add_test(s, "distance of clock edges with far periods", test_far_periods);
}
