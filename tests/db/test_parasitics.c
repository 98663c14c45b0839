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
  Small      *s;
  Netlist    *n;
  Parasitics *p;
  RcTree      tree;
  uint32_t unreached;
  CellId      buf;
  InstId      c;
  SegId       n1, b_i, c_i;
  PinId       z1, a2, a3, a4, b_pin;
} Fixture;

static void set_up(Fixture *f)
{
  memset(f, 0, sizeof *f);
  Small *s = f->s = small_start();
  f->buf = small_box(s, "BUF", "A", 'Z');
  small_link(s, verilog);
  f->n = s->netlist;
  f->p = s->parasitics = parasitics_new();
  f->c = small_inst(s, "c");
  f->n1 = netlist_find_seg(f->n, TOP_INST, "n1", '/');
  f->b_i = netlist_find_seg(f->n, TOP_INST, "b/i", '/');
  f->c_i = netlist_find_seg(f->n, TOP_INST, "c/i", '/');
  f->z1 = small_pin(s, "u1/Z");
  f->a2 = small_pin(s, "b/u/A");
  f->a3 = small_pin(s, "u3/A");
  f->a4 = small_pin(s, "c/u/A");
  f->b_pin = small_pin(s, "b/i");
  rc_tree_init(&f->tree);
}

static void tear_down(Fixture *f)
{
  rc_tree_free(&f->tree);
  small_free(f->s);
}

static NetId net_of(const Fixture *f) { return f->n->segs.at[f->n1].net; }

static void build(Fixture *f, PinId driver) { f->unreached = small_tree(f->s, &f->tree, driver); }

static double elmore(const Fixture *f, PinId at) { return small_elmore(&f->tree, at); }

/* u1/Z -1k- x -2k- u3/A, x -3k- b/i; 1, 2, 3, 4 fF. */
static void add_outer(Fixture *f)
{
  RcNode nodes[] = { { NO_NODE, 0, 1 }, { 0, 1, 2 }, { 1, 2, 3 }, { 1, 3, 4 } };
  RcTap taps[] = { { f->b_pin, 3 }, { f->z1, 0 }, { f->a3, 2 } };
  parasitics_add(f->p, f->n, f->n1, nodes, 4, taps, 3, 0, (PieceNumbers){ 10 });
}

/* i -5k- u/A; 6, 7 fF. */
static void add_inner(Fixture *f)
{
  RcNode nodes[] = { { NO_NODE, 0, 6 }, { 0, 5, 7 } };
  RcTap taps[] = { { f->b_pin, 0 }, { f->a2, 1 } };
  parasitics_add(f->p, f->n, f->b_i, nodes, 2, taps, 2, 0, (PieceNumbers){ 13 });
}

static void test_nothing(void)
{
  Fixture f;
  set_up(&f);
  CHECK(!parasitics_has(f.p, net_of(&f)));
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
  parasitics_add(f.p, f.n, f.n1, nodes, 3, taps, 4, 0, (PieceNumbers){ 6 });
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
  parasitics_add(f.p, f.n, f.n1, nodes, 3, taps, 3, 0, (PieceNumbers){ 6 });
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
  SegId inside = small_seg(f.s, f.c, "w");
  small_leaf(f.s, f.c, "u5", f.buf);
  PinId z = small_attach(f.s, "c/u5/Z", inside);
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
  PieceId piece = parasitics_add(f.p, f.n, f.n1, nodes, 4, taps, 4, 0, (PieceNumbers){ 10 });
  CHECK(f.p->pieces.at[piece].flags & PIECE_ISLANDS);
  build(&f, f.z1);
  CHECK(f.tree.nodes.len == 2 && f.tree.taps.len == 1 && f.unreached == 2);
  CHECK_NEAR(f.tree.island_cap, 7, 1e-6);
  CHECK_NEAR(f.tree.total_cap, 10, 1e-6);
  tear_down(&f);
}

/* Of a loop the resistor that closes it goes: the last one in order. */
static void test_loops(void)
{
  RcScratch *s = rc_scratch_new();
  double caps[] = { 1, 2, 3 };
  RcEdge edges[] = { { 1, 2, 10 }, { 0, 1, 20 }, { 0, 2, 30 }, { 1, 0, 40 } };
  RcNode nodes[3];
  RcOrder order = rc_order(s, caps, 3, edges, 4, 0, nodes);
  CHECK(order.loops == 2 && order.islands == 0 && order.reached == 3);
  CHECK(nodes[1].parent == 0 && nodes[1].resistance == 20 && nodes[1].cap == 2);
  CHECK(nodes[2].parent == 1 && nodes[2].resistance == 10);
  rc_scratch_free(s);
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
  parasitics_remove_net(f.p, f.n, net_of(&f));
  CHECK(!parasitics_has(f.p, net_of(&f)));
  add_inner(&f);
  CHECK(parasitics_has(f.p, net_of(&f)));
  tear_down(&f);
}

static void test_rollback(void)
{
  Fixture f;
  set_up(&f);
  add_outer(&f);
  ParasiticsMark mark = parasitics_begin(f.p);
  RcNode node = { NO_NODE, 0, 99 };
  RcTap tap = { f.z1, 0 };
  parasitics_append(f.p, f.n, f.n1, &node, 1, &tap, 1, 0, (PieceNumbers){ 99 });
  parasitics_append_reduced(f.p, (RcReduced){ .driver = f.z1 }, &(RcElmore){ f.a2, 1 }, 1);
  parasitics_rollback(f.p, &mark);
  build(&f, f.z1);
  CHECK_NEAR(f.tree.total_cap, 10, 1e-6);
  CHECK(f.p->reduced.len == 0 && f.p->elmores.len == 0 && f.p->nodes.len == 4);
  tear_down(&f);
}

/* A model is that of a net alone where the net has no other pieces. */
static void test_reduced(void)
{
  Fixture f;
  set_up(&f);
  add_inner(&f);
  parasitics_append_reduced(f.p, (RcReduced){ .driver = f.z1, .r_pi = 5 }, NULL, 0);
  f.p->pieces.at[0].flags |= PIECE_REDUCED;
  const RcReduced *r = parasitics_reduced(f.p, net_of(&f), f.z1);
  CHECK(r && r->r_pi == 5);
  CHECK(parasitics_reduced(f.p, net_of(&f), f.a2) == NULL);
  add_outer(&f);
  CHECK(parasitics_reduced(f.p, net_of(&f), f.z1) == NULL);
  tear_down(&f);
}

/* What is replaced over and over does not pile up, and what remains is unharmed. */
static void test_compaction(void)
{
  Fixture f;
  set_up(&f);
  add_inner(&f);
  parasitics_append_reduced(f.p, (RcReduced){ .driver = f.z1, .r_pi = 5 },
                            &(RcElmore){ f.a2, 1.5f }, 1);
  f.p->pieces.at[0].flags |= PIECE_REDUCED;
  for (int i = 0; i < 20000; i++) add_outer(&f);
  CHECK(f.p->nodes.len < 20000);
  build(&f, f.z1);
  CHECK_NEAR(f.tree.total_cap, 23, 1e-6);
  const RcReduced *r = f.p->reduced.at;
  CHECK(f.p->reduced.len == 1 && r->r_pi == 5 && f.p->elmores.at[r->first_elmore].elmore == 1.5f);
  CHECK(parasitics_reduced(f.p, net_of(&f), f.z1) == NULL);
  parasitics_clear(f.p);
  CHECK(!parasitics_has(f.p, net_of(&f)));
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
