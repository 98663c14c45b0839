/* Parasitics: pieces, replacement, rollback, and the trees that drivers see. */
#include "db/parasitics.h"

#include "tests/small.h"
#include "tests/unit.h"

/* u1 -> n1 -> block b (port i -> u -> ...), n1 also at u3 and at u in block c, which shares b's
   module. */
static const char verilog[] =
    "module block (i); input i; BUF u (.A(i)); endmodule\n"
    "module top (); wire n1; BUF u1 (.Z(n1)); BUF u3 (.A(n1));\n"
    "block b (.i(n1)); block c (.i(n1)); endmodule\n";

typedef struct {
  Small      *small;
  Netlist    *n;
  Parasitics *parasitics;
  RcTree      tree;
  uint32_t unreached;
  CellId      buf;
  InstId      c;
  SegId       n1, b_i, c_i;
  PinId       z1, a2, a3, a4, b_pin;
} Fixture;

static void set_up(Fixture *fixture)
{
  memset(fixture, 0, sizeof *fixture);
  Small *small = fixture->small = small_start();
  fixture->buf = small_box(small, "BUF", "A", 'Z');
  small_link(small, verilog);
  fixture->n = small->netlist;
  fixture->parasitics = small->parasitics = parasitics_new();
  fixture->c = small_inst(small, "c");
  fixture->n1 = netlist_find_seg(fixture->n, TOP_INST, "n1", '/');
  fixture->b_i = netlist_find_seg(fixture->n, TOP_INST, "b/i", '/');
  fixture->c_i = netlist_find_seg(fixture->n, TOP_INST, "c/i", '/');
  fixture->z1 = small_pin(small, "u1/Z");
  fixture->a2 = small_pin(small, "b/u/A");
  fixture->a3 = small_pin(small, "u3/A");
  fixture->a4 = small_pin(small, "c/u/A");
  fixture->b_pin = small_pin(small, "b/i");
  rc_tree_init(&fixture->tree);
}

static void tear_down(Fixture *fixture)
{
  rc_tree_free(&fixture->tree);
  small_free(fixture->small);
}

static NetId net_of(const Fixture *fixture) { return fixture->n->segs.at[fixture->n1].net; }

static void build(Fixture *fixture, PinId driver)
{
  fixture->unreached = small_tree(fixture->small, &fixture->tree, driver);
}

static double elmore(const Fixture *fixture, PinId at) { return small_elmore(&fixture->tree, at); }

/* u1/Z -1k- x -2k- u3/A, x -3k- b/i; 1, 2, 3, 4 fF. */
static void add_outer(Fixture *fixture)
{
  RcNode nodes[] = { { NO_NODE, 0, 1 }, { 0, 1, 2 }, { 1, 2, 3 }, { 1, 3, 4 } };
  RcTap taps[] = { { fixture->b_pin, 3 }, { fixture->z1, 0 }, { fixture->a3, 2 } };
  parasitics_add(fixture->parasitics, fixture->n, fixture->n1, nodes, 4, taps, 3, 0,
                 (PieceNumbers){ 10 });
}

/* i -5k- u/A; 6, 7 fF. */
static void add_inner(Fixture *fixture)
{
  RcNode nodes[] = { { NO_NODE, 0, 6 }, { 0, 5, 7 } };
  RcTap taps[] = { { fixture->b_pin, 0 }, { fixture->a2, 1 } };
  parasitics_add(fixture->parasitics, fixture->n, fixture->b_i, nodes, 2, taps, 2, 0,
                 (PieceNumbers){ 13 });
}

static void test_nothing(void)
{
  Fixture f;
  set_up(&f);
  CHECK(!parasitics_has(f.parasitics, net_of(&f)));
  build(&f, f.z1);
  CHECK(f.tree.nodes.len == 0);
  CHECK(f.unreached == 3);
  tear_down(&f);
}

static void test_one_piece(void)
{
  Fixture f;
  set_up(&f);
  RcNode nodes[] = { { NO_NODE, 0, 1 }, { 0, 1, 2 }, { 1, 2, 3 } };
  RcTap taps[] = { { f.a4, 2 }, { f.a3, 2 }, { f.a2, 1 }, { f.z1, 0 } };
  parasitics_add(f.parasitics, f.n, f.n1, nodes, 3, taps, 4, 0, (PieceNumbers){ 6 });
  build(&f, f.z1);
  CHECK(f.tree.nodes.len == 3 && f.tree.taps.len == 3 && f.unreached == 0);
  CHECK(f.tree.taps.at[0].pin < f.tree.taps.at[1].pin
        && f.tree.taps.at[1].pin < f.tree.taps.at[2].pin);
  CHECK_NEAR(elmore(&f, f.a3), 1 * 5 + 2 * 3, 1e-6);
  CHECK_NEAR(f.tree.total_cap, 6, 1e-6);
  tear_down(&f);
}

/* The same net seen from its other end: the resistors stay, the parents turn. */
static void test_turned(void)
{
  Fixture f;
  set_up(&f);
  RcNode nodes[] = { { NO_NODE, 0, 1 }, { 0, 1, 2 }, { 1, 2, 3 } };
  RcTap taps[] = { { f.a3, 0 }, { f.a2, 1 }, { f.z1, 2 } };
  parasitics_add(f.parasitics, f.n, f.n1, nodes, 3, taps, 3, 0, (PieceNumbers){ 6 });
  build(&f, f.z1);
  CHECK(f.tree.nodes.len == 3 && f.unreached == 1);
  CHECK(f.tree.nodes.at[0].parent == NO_NODE && f.tree.nodes.at[0].cap == 3);
  CHECK_NEAR(elmore(&f, f.a2), 2 * 3, 1e-6);
  CHECK_NEAR(elmore(&f, f.a3), 2 * 3 + 1 * 1, 1e-6);
  tear_down(&f);
}

static void test_joined(void)
{
  Fixture f;
  set_up(&f);
  add_inner(&f);
  add_outer(&f);
  build(&f, f.z1);
  CHECK_NEAR(f.tree.total_cap, 23, 1e-6);
  CHECK_NEAR(f.tree.island_cap, 0, 0);
  CHECK(f.unreached == 1);          /* c/u: the outer piece does not reach c/i */
  CHECK(f.tree.taps.len == 2);           /* no hierarchical pins */
  CHECK_NEAR(elmore(&f, f.a3), 1 * 22 + 2 * 3, 1e-5);
  CHECK_NEAR(elmore(&f, f.a2), 1 * 22 + 3 * 17 + 5 * 7, 1e-5);
  for (uint32_t i = 1; i < f.tree.nodes.len; i++) CHECK(f.tree.nodes.at[i].parent < i);
  tear_down(&f);
}

/* A block without parasitics: its wire is ideal from the border on. */
static void test_ideal_inside(void)
{
  Fixture f;
  set_up(&f);
  add_outer(&f);
  build(&f, f.z1);
  CHECK(f.unreached == 1);
  CHECK_NEAR(elmore(&f, f.a2), 1 * 9 + 3 * 4, 1e-6);
  tear_down(&f);
}

/* Only the block has parasitics: the wire outside is ideal, and the driver stands at the border. */
static void test_ideal_outside(void)
{
  Fixture f;
  set_up(&f);
  add_inner(&f);
  build(&f, f.z1);
  CHECK(f.unreached == 0);
  CHECK_NEAR(elmore(&f, f.a3), 0, 0);
  CHECK_NEAR(elmore(&f, f.a4), 0, 0);
  CHECK_NEAR(elmore(&f, f.a2), 5 * 7, 1e-6);
  tear_down(&f);
}

/* The driver stands on a wire that an assign makes one with the port's, in a block without
   parasitics. */
static void test_ideal_assign(void)
{
  Fixture f;
  set_up(&f);
  SegId inside = small_seg(f.small, f.c, "w");
  small_leaf(f.small, f.c, "u5", f.buf);
  PinId z = small_attach(f.small, "c/u5/Z", inside);
  netlist_join(f.n, inside, f.c_i);
  add_inner(&f);
  build(&f, z);
  CHECK(f.tree.nodes.len > 0 && f.unreached == 0);
  CHECK_NEAR(elmore(&f, f.a2), 5 * 7, 1e-6);
  tear_down(&f);
}

static void test_islands(void)
{
  Fixture f;
  set_up(&f);
  RcNode nodes[] = { { NO_NODE, 0, 1 }, { 0, 1, 2 }, { NO_NODE, 0, 3 }, { 2, 1, 4 } };
  RcTap taps[] = { { f.z1, 0 }, { f.a2, 1 }, { f.a3, 3 }, { f.a4, 2 } };
  PieceId piece =
      parasitics_add(f.parasitics, f.n, f.n1, nodes, 4, taps, 4, 0, (PieceNumbers){ 10 });
  CHECK(f.parasitics->pieces.at[piece].flags & PIECE_ISLANDS);
  build(&f, f.z1);
  CHECK(f.tree.nodes.len == 2 && f.tree.taps.len == 1 && f.unreached == 2);
  CHECK_NEAR(f.tree.island_cap, 7, 1e-6);
  CHECK_NEAR(f.tree.total_cap, 10, 1e-6);
  tear_down(&f);
}

/* Of a loop the resistor that closes it goes: the last one in order. */
static void test_loops(void)
{
  RcScratch *scratch = rc_scratch_new();
  double caps[] = { 1, 2, 3 };
  RcEdge edges[] = { { 1, 2, 10 }, { 0, 1, 20 }, { 0, 2, 30 }, { 1, 0, 40 } };
  RcNode nodes[3];
  RcOrder order = rc_order(scratch, caps, 3, edges, 4, 0, nodes);
  CHECK(order.loops == 2 && order.islands == 0 && order.reached == 3);
  CHECK(nodes[1].parent == 0 && nodes[1].resistance == 20 && nodes[1].cap == 2);
  CHECK(nodes[2].parent == 1 && nodes[2].resistance == 10);
  rc_scratch_free(scratch);
}

static void test_replace_and_remove(void)
{
  Fixture f;
  set_up(&f);
  add_outer(&f);
  add_inner(&f);
  add_outer(&f);
  build(&f, f.z1);
  CHECK_NEAR(f.tree.total_cap, 23, 1e-6);
  parasitics_remove_net(f.parasitics, f.n, net_of(&f));
  CHECK(!parasitics_has(f.parasitics, net_of(&f)));
  add_inner(&f);
  CHECK(parasitics_has(f.parasitics, net_of(&f)));
  tear_down(&f);
}

static void test_rollback(void)
{
  Fixture f;
  set_up(&f);
  add_outer(&f);
  ParasiticsMark mark = parasitics_begin(f.parasitics);
  RcNode node = { NO_NODE, 0, 99 };
  RcTap tap = { f.z1, 0 };
  parasitics_append(f.parasitics, f.n, f.n1, &node, 1, &tap, 1, 0, (PieceNumbers){ 99 });
  parasitics_append_reduced(f.parasitics, (RcReduced){ .driver = f.z1 }, &(RcElmore){ f.a2, 1 }, 1);
  parasitics_rollback(f.parasitics, &mark);
  build(&f, f.z1);
  CHECK_NEAR(f.tree.total_cap, 10, 1e-6);
  CHECK(f.parasitics->reduced.len == 0 && f.parasitics->elmores.len == 0
        && f.parasitics->nodes.len == 4);
  tear_down(&f);
}

/* A model is that of a net alone where the net has no other pieces. */
static void test_reduced(void)
{
  Fixture f;
  set_up(&f);
  add_inner(&f);
  parasitics_append_reduced(f.parasitics, (RcReduced){ .driver = f.z1, .r_pi = 5 }, NULL, 0);
  f.parasitics->pieces.at[0].flags |= PIECE_REDUCED;
  const RcReduced *reduced = parasitics_reduced(f.parasitics, net_of(&f), f.z1);
  CHECK(reduced && reduced->r_pi == 5);
  CHECK(parasitics_reduced(f.parasitics, net_of(&f), f.a2) == NULL);
  add_outer(&f);
  CHECK(parasitics_reduced(f.parasitics, net_of(&f), f.z1) == NULL);
  tear_down(&f);
}

/* What is replaced over and over does not pile up, and what remains is unharmed. */
static void test_compaction(void)
{
  Fixture f;
  set_up(&f);
  add_inner(&f);
  parasitics_append_reduced(f.parasitics, (RcReduced){ .driver = f.z1, .r_pi = 5 },
                            &(RcElmore){ f.a2, 1.5f }, 1);
  f.parasitics->pieces.at[0].flags |= PIECE_REDUCED;
  for (int i = 0; i < 20000; i++) add_outer(&f);
  CHECK(f.parasitics->nodes.len < 20000);
  build(&f, f.z1);
  CHECK_NEAR(f.tree.total_cap, 23, 1e-6);
  const RcReduced *reduced = f.parasitics->reduced.at;
  CHECK(f.parasitics->reduced.len == 1 && reduced->r_pi == 5
        && f.parasitics->elmores.at[reduced->first_elmore].elmore == 1.5f);
  CHECK(parasitics_reduced(f.parasitics, net_of(&f), f.z1) == NULL);
  parasitics_clear(f.parasitics);
  CHECK(!parasitics_has(f.parasitics, net_of(&f)));
  tear_down(&f);
}

void suite_parasitics(void)
{
  CU_pSuite s = CU_add_suite("parasitics", NULL, NULL);
  CU_add_test(s, "a net without parasitics", test_nothing);
  CU_add_test(s, "one piece is copied", test_one_piece);
  CU_add_test(s, "a tree turned to another driver", test_turned);
  CU_add_test(s, "pieces join at hierarchical pins", test_joined);
  CU_add_test(s, "an ideal wire inside a block", test_ideal_inside);
  CU_add_test(s, "an ideal wire outside a block", test_ideal_outside);
  CU_add_test(s, "an ideal wire through an assign", test_ideal_assign);
  CU_add_test(s, "islands keep their capacitance", test_islands);
  CU_add_test(s, "the first of looping resistors stay", test_loops);
  CU_add_test(s, "replace and remove", test_replace_and_remove);
  CU_add_test(s, "rollback", test_rollback);
  CU_add_test(s, "compaction", test_compaction);
  CU_add_test(s, "reduced models", test_reduced);
}
