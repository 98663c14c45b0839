/* The SPEF reader: every construct on a small design, spelling of names, errors that leave no
   trace. */
#include "read/spef/spef.h"

#include <stdio.h>

#include "tests/small.h"
#include "tests/unit.h"

/* u1: in -> n1; u2 and x[0]: n1 -> n2, m; y.z: d[0] -> q; block b: n2 -> i -> u3 -> o -> n3; u4:
   n3 -> out */
static const char verilog[] =
    "module block (i, o); input i; output o; BUF u3 (.A(i), .Z(o)); endmodule\n"
    "module top (in, out, \\d[0] ); input in, \\d[0] ; output out; wire n1, n2, m, q, n3;\n"
    "BUF u1 (.A(in), .Z(n1)); BUF u2 (.A(n1), .Z(n2)); BUF \\x[0] (.A(n1), .Z(m));\n"
    "BUF \\y.z (.A(\\d[0] ), .Z(q)); block b (.i(n2), .o(n3)); BUF u4 (.A(n3), .Z(out));\n"
    "endmodule\n";

typedef struct {
  Small      *small;
  Netlist    *n;
  Parasitics *parasitics;
  RcTree      tree;
  uint32_t unreached;
  Log        *log;
  SpefOptions options;
  SpefRead    read;
} Fixture;

static void set_up(Fixture *fixture)
{
  memset(fixture, 0, sizeof *fixture);
  fixture->small = small_start();
  small_box(fixture->small, "BUF", "A", 'Z');
  small_link(fixture->small, verilog);
  fixture->n = fixture->small->netlist;
  fixture->parasitics = fixture->small->parasitics = parasitics_new();
  fixture->log = fixture->small->log = test_log();      /* without what the linker said */
  fixture->options = spef_options();
  rc_tree_init(&fixture->tree);
}

static void tear_down(Fixture *fixture)
{
  rc_tree_free(&fixture->tree);
  small_free(fixture->small);
}

#define HEADER "*SPEF \"IEEE 1481-1998\"\n*DESIGN \"top\"\n*DIVIDER /\n*DELIMITER " \
    ":\n*BUS_DELIMITER [ ]\n"                                                       \
               "*T_UNIT 1 PS\n*C_UNIT 1 FF\n*R_UNIT 1 KOHM\n*L_UNIT 1 UH\n"

static Status read_text(Fixture *fixture, const char *text)
{
  return read_spef_text(fixture->parasitics, fixture->n, "x.spef", text, &fixture->options,
                        fixture->log, &fixture->read);
}

static PinId pin(const Fixture *fixture, const char *path)
{
  return small_pin(fixture->small, path);
}

static void build(Fixture *fixture, PinId driver)
{
  fixture->unreached = small_tree(fixture->small, &fixture->tree, driver);
}

static double elmore(const Fixture *fixture, PinId at) { return small_elmore(&fixture->tree, at); }

#define N1 "*D_NET n1 10\n*CONN\n*I u1:Z O *C 1 2 *L 0.1 *D BUF\n*I u2:A I\n*I x[0]:A I\n"     \
           "*CAP\n1 u1:Z 1\n2 n1:1 2\n3 u2:A 3\n4 x[0]:A 4\n*RES\n1 u1:Z n1:1 1\n2 n1:1 u2:A " \
               "2\n3 n1:1 x[0]:A 3\n*END\n"

static void check_n1(Fixture *fixture)
{
  build(fixture, pin(fixture, "u1/Z"));
  CHECK(fixture->tree.nodes.len == 4 && fixture->unreached == 0);
  CHECK_NEAR(fixture->tree.total_cap, 10, 1e-5);
  CHECK_NEAR(elmore(fixture, pin(fixture, "u2/A")), 1 * 9 + 2 * 3, 1e-5);
  CHECK_NEAR(elmore(fixture, pin(fixture, "x[0]/A")), 1 * 9 + 3 * 4, 1e-5);
}

/* Reads text that says the same as N1. */
static void check_spelling(const char *text)
{
  Fixture f;
  set_up(&f);
  CHECK(read_text(&f, text) == OK);
  check_n1(&f);
  CHECK_TEXT(test_log_text(), "");
  tear_down(&f);
}

static void test_plain(void)
{
  Fixture f;
  set_up(&f);
  CHECK(read_text(&f, HEADER N1) == OK);
  check_n1(&f);
  CHECK(f.read.nets == 1 && f.read.matched == 1 && f.parasitics->reads.len == 1);
  CHECK_NEAR(f.parasitics->pieces.at[0].numbers.total_cap, 10, 1e-6);
  CHECK(f.parasitics->unused.len == 5 && f.parasitics->unused.at[0].count == 1);
  tear_down(&f);
}

#define BODY(Z1, N_1, A2, X0)                                                                   \
  "*CONN\n*I " Z1 " O\n*I " A2 " I\n*I " X0 " I\n*CAP\n1 " Z1 " 1\n2 " N_1 " 2\n3 " A2 " 3\n4 " \
      X0 " 4\n"                                                                                 \
  "*RES\n1 " Z1 " " N_1 " 1\n2 " N_1 " " A2 " 2\n3 " N_1 " " X0 " 3\n*END\n"

static void test_spelling(void)
{
  const char *map = "*NAME_MAP\n*1 n1\n*2 u1\n*77000 u2\n*4000000000 x\\[0\\]\n";
  char text[2048];
  snprintf(text, sizeof text, "%s%s*D_NET *1 10\n%s", HEADER, map,
           BODY("*2:Z", "*1:1", "*77000:A", "*4000000000:A"));
  check_spelling(text);
  snprintf(text, sizeof text, "%s%s*D_NET *1 10\n%s", HEADER, map,
           BODY("u1:Z", "n1:1", "*77000:A", "x\\[0\\]:A"));
  check_spelling(text);
  snprintf(text, sizeof text, "%s*DIVIDER .\n*DELIMITER |\n*BUS_DELIMITER <>\n*D_NET n1 10\n%s",
           HEADER, BODY("u1|Z", "n1|1", "u2|A", "x<0>|A"));
  check_spelling(text);
  snprintf(text, sizeof text, "%s*DELIMITER /\n*BUS_DELIMITER ( )\n*D_NET n1 10\n%s", HEADER,
           BODY("u1/Z", "n1/1", "u2/A", "x(0)/A"));
  check_spelling(text);
  snprintf(text, sizeof text, "%s*DELIMITER .\n*D_NET n1 10\n%s", HEADER,
           BODY("u1.Z", "n1.1", "u2.A", "x[0].A"));
  check_spelling(text);
}

/* One network under two spellings of its name: the nodes are the same. */
static void test_two_spellings(void)
{
  check_spelling(HEADER
                 "*NAME_MAP\n*1 n1\n*2 u1\n*D_NET *1 10\n*CONN\n*I *2:Z O\n*I u2:A I\n*I x[0]:A I\n"
                 "*CAP\n1 u1:Z 1\n2 *1:1 2\n3 u2:A 3\n4 x\\[0\\]:A 4\n"
                 "*RES\n1 *2:Z n1:1 1\n2 *1:1 u2:A 2\n3 n1:1 x[0]:A 3\n*END\n");
}

static void test_odd_order(void)
{
  check_spelling(
      HEADER
      "/* a\ncomment // * */ *D_NET n1 10 *V 3 // another\r\n*RES 1 u1:Z n1:1 1 2 n1:1 u2:A 2\n"
      "3 n1:1 x[0]:A 3 *CAP 1 u1:Z 1 2 n1:1 2\n3 u2:A 3 4 x[0]:A 4 *CONN *N n1:1 *C 3 4\n*I u1:Z O "
      "*I u2:A I\n"
      "*I x[0]:A I *END");
}

static void test_units_and_triples(void)
{
  Fixture f;
  set_up(&f);
  f.options.triple = 2;
  CHECK(read_text(&f,
                  "*C_UNIT 1 PF *R_UNIT 2.0 OHM *D_NET n1 0.1:0.2:0.3 *CONN *I u1:Z O *I u2:A I\n"
                  "*CAP 1 u2:A 1e-3:2e-3:3e-3 *RES 1 u1:Z u2:A 1:2:50 *END")
        == OK);
  build(&f, pin(&f, "u1/Z"));
  CHECK_NEAR(f.tree.total_cap, 3, 1e-6);
  CHECK_NEAR(elmore(&f, pin(&f, "u2/A")), 0.1 * 3, 1e-6);
  CHECK_NEAR(f.parasitics->pieces.at[0].numbers.total_cap, 300, 1e-3);
  tear_down(&f);
}

/* Each section counts its own side; a capacitor within the net both. */
static void test_coupling(void)
{
  Fixture f;
  set_up(&f);
  f.options.coupling_factor = 2;
  const char *text = HEADER
      "*D_NET n1 10\n*CONN\n*I u1:Z O\n*I u2:A I\n*CAP\n1 u1:Z 1\n2 n1:1 n2:3 10\n3 n2:1 u2:A 20\n"
      "4 u1:Z n1:1 100\n5 u2:A u4:A 200\n*RES\n1 u1:Z n1:1 1\n2 n1:1 u2:A 1\n*END\n"
      "*D_NET n2 10\n*CONN\n*I u2:Z O\n*CAP\n1 n2:3 n1:1 10\n*RES\n1 u2:Z n2:3 1\n*END\n";
  CHECK(read_text(&f, text) == OK);
  build(&f, pin(&f, "u1/Z"));
  CHECK(f.tree.nodes.len == 3);
  CHECK_NEAR(f.tree.total_cap, 1 + 2 * (10 + 20 + 100 + 100 + 200), 1e-3);
  CHECK_NEAR(f.tree.nodes.at[1].cap, 2 * (10 + 100), 1e-3);
  build(&f, pin(&f, "u2/Z"));
  CHECK_NEAR(f.tree.total_cap, 20, 1e-4);
  CHECK(f.read.coupling == 5);
  tear_down(&f);
}

static void test_loops_and_islands(void)
{
  Fixture f;
  set_up(&f);
  CHECK(read_text(&f, HEADER
                  "*D_NET n1 10\n*CONN\n*I u1:Z O\n*I u2:A I\n*I x[0]:A I\n*CAP\n1 u1:Z 1\n2 u2:A "
                  "2\n3 n1:7 4\n"
                  "*RES\n1 u1:Z u2:A 1\n2 u2:A u1:Z 50\n3 u2:A u2:A 1\n4 x[0]:A n1:7 1\n*END\n")
        == OK);
  build(&f, pin(&f, "u1/Z"));
  CHECK_NEAR(elmore(&f, pin(&f, "u2/A")), 2, 1e-6);
  CHECK_NEAR(f.tree.island_cap, 4, 1e-6);
  CHECK(f.unreached == 1);
  CHECK(f.read.loops == 1 && f.read.islands == 1);
  CHECK(log_count(f.log, "SPEF-024") == 1 && log_count(f.log, "SPEF-027") == 1);
  tear_down(&f);
}

static void test_lumped(void)
{
  Fixture f;
  set_up(&f);
  CHECK(read_text(
            &f, HEADER
            "*D_NET n1 10\n*CONN\n*I u2:A I\n*END\n*D_NET n2 7\n*CAP\n1 u2:Z 2\n2 n2:4 3\n*END\n")
        == OK);
  build(&f, pin(&f, "u1/Z"));
  CHECK(f.tree.nodes.len == 1 && f.unreached == 0);
  CHECK_NEAR(f.tree.total_cap, 10, 1e-6);
  build(&f, pin(&f, "u2/Z"));
  CHECK_NEAR(f.tree.total_cap, 5, 1e-6);
  CHECK(f.read.lumped == 2);
  tear_down(&f);
}

/* The driver is missing in *CONN, but not in the network; and in both: then the net counts as
   lumped, with all its pins. */
static void test_driver(void)
{
  Fixture f;
  set_up(&f);
  CHECK(read_text(&f, HEADER
                  "*D_NET n1 3\n*CONN\n*I u2:A I\n*CAP\n1 u2:A 3\n*RES\n1 u2:A u1:Z 1\n*END\n"
                  "*D_NET n2 3\n*CONN\n*I b/u3:A I\n*CAP\n1 n2:1 3\n*RES\n1 n2:1 b/u3:A 1\n*END\n")
        == OK);
  build(&f, pin(&f, "u1/Z"));
  CHECK(f.tree.nodes.len == 2 && f.parasitics->nodes.at[0].cap == 0 && !f.tree.lumped);
  build(&f, pin(&f, "u2/Z"));
  CHECK(f.tree.nodes.len == 1 && f.tree.lumped && f.unreached == 0);
  CHECK(f.tree.taps.len == 1 && f.tree.taps.at[0].pin == pin(&f, "b/u3/A"));
  CHECK_NEAR(f.tree.total_cap, 3, 1e-6);
  CHECK(f.read.no_driver == 1 && log_count(f.log, "SPEF-026") == 1);
  tear_down(&f);
}

/* The network names one load of two and has a part of its own: nothing of its capacitance is lost,
   the other load is told of. */
static void test_driver_and_load(void)
{
  Fixture f;
  set_up(&f);
  CHECK(read_text(&f, HEADER "*D_NET n1 7\n*CONN\n*I u2:A I\n*CAP\n1 u2:A 3\n2 n1:1 2\n3 n1:2 "
                             "2\n*RES\n1 n1:1 u2:A 1\n*END\n")
        == OK);
  build(&f, pin(&f, "u1/Z"));
  CHECK(f.tree.nodes.len == 1 && f.tree.taps.len == 2 && f.tree.lumped && f.unreached == 1);
  CHECK_NEAR(f.tree.total_cap, 7, 1e-6);
  CHECK(f.tree.island_cap == 0);
  CHECK_NEAR(elmore(&f, pin(&f, "u2/A")), 0, 1e-6);
  tear_down(&f);
}

static void test_reduced(void)
{
  Fixture f;
  set_up(&f);
  CHECK(read_text(&f,
                  HEADER "*T_UNIT 1 NS\n*R_NET n1 10\n*DRIVER u1:Z\n*CELL BUF\n*C2_R1_C1 3 0.5 7\n"
                         "*LOADS *RC x[0]:A 0.25 *Q 1 *K 2 *RC u2:A 0.5\n*END\n")
        == OK);
  const RcReduced *reduced =
      parasitics_reduced(f.parasitics, netlist_pin_net(f.n, pin(&f, "u1/Z")), pin(&f, "u1/Z"));
  CHECK(reduced && reduced->c_near == 3 && reduced->r_pi == 0.5f && reduced->c_far == 7
        && reduced->elmore_count == 2);
  const RcElmore *elmore = f.parasitics->elmores.at;
  CHECK(elmore[0].pin < elmore[1].pin);
  CHECK(elmore[elmore[0].pin == pin(&f, "u2/A") ? 0 : 1].elmore == 500);
  build(&f, pin(&f, "u1/Z"));
  CHECK(f.tree.nodes.len == 2 && f.tree.taps.len == 2);
  CHECK_NEAR(f.tree.total_cap, 10, 1e-6);
  CHECK(log_count(f.log, "SPEF-030") == 2);
  tear_down(&f);
}

/* A block's file under its instance, then the top's: the pieces join at the block's pins. */
static void test_scope(void)
{
  Fixture f;
  set_up(&f);
  f.options.scope = netlist_find_inst(f.n, TOP_INST, "b", '/');
  CHECK(read_text(
            &f, HEADER
            "*D_NET i 4\n*CONN\n*P i I\n*I u3:A I\n*CAP\n1 i 1\n2 u3:A 3\n*RES\n1 i u3:A 2\n*END\n")
        == OK);
  f.options.scope = TOP_INST;
  CHECK(read_text(&f, HEADER "*D_NET n2 10\n*CONN\n*I u2:Z O\n*I b:i I\n*CAP\n1 u2:Z 4\n2 b:i "
                             "6\n*RES\n1 u2:Z b:i 1\n*END\n")
        == OK);
  build(&f, pin(&f, "u2/Z"));
  CHECK_NEAR(f.tree.total_cap, 14, 1e-5);
  CHECK_NEAR(elmore(&f, pin(&f, "b/u3/A")), 1 * 10 + 2 * 3, 1e-5);
  CHECK_TEXT(test_log_text(), "");
  tear_down(&f);
}

/* A net without a network, whose capacitance tells it from others. */
static void put_net(Text *text, const char *name, int cap)
{
  text_printf(text, "*D_NET %s %d\n*END\n", name, cap);
}

/* Reads nets in this order, with 1, 2, ... fF. */
static void read_nets(Fixture *fixture, const char *const *names, uint32_t count)
{
  Text t = { 0 };
  text_put(&t, HEADER);
  for (uint32_t i = 0; i < count; i++) put_net(&t, names[i], (int)i + 1);
  parasitics_clear(fixture->parasitics);
  CHECK(read_text(fixture, text_get(&t)) == OK);
  text_free(&t);
}

/* What the net of a segment got: which of the nets in the file; 0 without any. */
static int got(const Fixture *fixture, SegId seg)
{
  for (uint32_t i = 0; i < fixture->parasitics->pieces.len; i++) {
    const RcPiece *piece = &fixture->parasitics->pieces.at[i];
    if (piece->seg == seg && !(piece->flags & PIECE_DELETED)) return (int)piece->numbers.total_cap;
  }
  return 0;
}

#define READ_NETS(...)                                \
  read_nets(&f, (const char *const[]){ __VA_ARGS__ }, \
            sizeof((const char *const[]){ __VA_ARGS__ }) / sizeof(const char *))

/* Nets are found in any order; the one behind the last is the right one only by name and scope, and
   while it is there. */
static void test_order_of_nets(void)
{
  Fixture f;
  set_up(&f);
  InstId b = small_inst(f.small, "b");
  SegId w1 = small_seg(f.small, TOP_INST, "w1"), w2 = small_seg(f.small, TOP_INST, "w2"),
        w3 = small_seg(f.small, TOP_INST, "w3"), inner = small_seg(f.small, b, "w4"),
        w4 = small_seg(f.small, TOP_INST, "w4"), again;
  READ_NETS("w1", "w2", "w3", "w4");
  CHECK(got(&f, w1) == 1 && got(&f, w2) == 2 && got(&f, w3) == 3 && got(&f, w4) == 4
        && got(&f, inner) == 0);
  READ_NETS("w3", "b/w4", "w4", "w2", "w1", "w");
  CHECK(got(&f, w3) == 1 && got(&f, inner) == 2 && got(&f, w4) == 3 && got(&f, w2) == 4
        && got(&f, w1) == 5 && f.read.matched == 5);
  READ_NETS("w", "w2", "w", "w3");
  CHECK(got(&f, w2) == 2 && got(&f, w3) == 4 && f.read.matched == 2);
  CHECK(netlist_remove_net(f.n, w2, f.log) == OK);
  READ_NETS("w1", "w2");
  CHECK(got(&f, w1) == 1 && got(&f, w2) == 0 && f.read.matched == 1);
  CHECK(netlist_insert_net(f.n, TOP_INST, "w2", f.log, &again) == OK && again != w2);
  READ_NETS("w1", "w2", "w3");
  CHECK(got(&f, w1) == 1 && got(&f, again) == 2 && got(&f, w3) == 3 && got(&f, w2) == 0);
  tear_down(&f);
}

static void test_ports_and_escapes(void)
{
  Fixture f;
  set_up(&f);
  CHECK(read_text(&f,
                  HEADER "*BUS_DELIMITER :\n*DELIMITER |\n*PORTS\nin I *C 1 2\nd:0 I\n*D_NET d:0 "
                         "3\n*CONN\n*P d:0 I\n"
                         "*I y\\.z|A I\n*CAP\n1 d:0 1\n2 y\\.z|A 2\n*RES\n1 d:0 y\\.z|A 5\n*END\n")
        == OK);
  build(&f, netlist_find_port(f.n, "d[0]"));
  CHECK_NEAR(elmore(&f, pin(&f, "y.z/A")), 10, 1e-5);
  CHECK_TEXT(test_log_text(), "");
  tear_down(&f);
}

/* Errors after good nets leave what was there before. */
static void test_failures_leave_no_trace(void)
{
  static const char *const bad[] = {
    HEADER "*D_NET n1 99\n*CONN\n*I u1:Z O\n*CAP\n1 u1:Z 99\n*END\n*D_NET n1 5\n*CONN\n",
    HEADER "*D_NET n1 99\n*END\n*D_NET n2 x\n",
    HEADER "*R_NET n1 99\n*DRIVER u1:Z\n*CELL B\n*C2_R1_C1 1 2 3\n*LOADS *RC u2:A 1\n*END\n*R_NET "
           "n2 1\n*DRIVER u2:Z\n*END\n",
    HEADER
    "*D_NET n1 99\n*END\n*D_NET a 1\n*END\n*D_NET b 1\n*END\n*D_NET c 1\n*END\n*D_NET d "
    "1\n*END\n*D_NET e 1\n*END\n"
    "*D_NET f 1\n*END\n*D_NET g 1\n*END\n*D_NET h 1\n*END\n*D_NET i 1\n*END\n*D_NET j 1\n*END\n",
    HEADER "*D_NET n1 99\n*END\n\001",
  };
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    Fixture f;
    set_up(&f);
    CHECK(read_text(&f, HEADER N1) == OK);
    uint32_t nodes = f.parasitics->nodes.len;
    CHECK(read_text(&f, bad[i]) == FAILED);
    CHECK(log_take_error(f.log) != NULL);
    CHECK(f.parasitics->nodes.len == nodes && f.parasitics->reads.len == 1
          && f.parasitics->reduced.len == 0);
    check_n1(&f);
    tear_down(&f);
  }
}

static void test_twice(void)
{
  Fixture f;
  set_up(&f);
  CHECK(read_text(&f, HEADER "*D_NET n1 99\n*CAP\n1 n1:1 99\n*END\n" N1) == OK);
  check_n1(&f);
  CHECK(log_count(f.log, "SPEF-028") == 1);
  tear_down(&f);
}

/* A network larger than the window of the input and than the first tables: a chain of resistors. */
static void test_long_chain(void)
{
  enum { COUNT = 30000 };
  Text t = { 0 };
  text_put(&t, HEADER "*D_NET n1 1\n*CONN\n*I u1:Z O\n*I u2:A I\n*CAP\n");
  for (int i = 1; i <= COUNT; i++) text_printf(&t, "%d n1:%d 0.5\n", i, i);
  text_put(&t, "*RES\n1 u1:Z n1:1 1\n");
  for (int i = 1; i < COUNT; i++) text_printf(&t, "%d n1:%d n1:%d 0.001\n", i, i + 1, i);
  text_printf(&t, "9 n1:%d u2:A 1\n*END\n", COUNT);
  Fixture f;
  set_up(&f);
  CHECK(read_spef(f.parasitics, f.n, test_file("chain.spef", t.at), &f.options, f.log, &f.read)
        == OK);
  build(&f, pin(&f, "u1/Z"));
  CHECK(f.tree.nodes.len == COUNT + 2);
  CHECK(f.tree.taps.len == 1 && f.tree.taps.at[0].node == COUNT + 1);
  CHECK_NEAR(f.tree.total_cap, COUNT / 2.0, 1);
  text_free(&t);
  tear_down(&f);
}

/* A word without end does not fill the memory. */
static void test_huge_word(void)
{
  Text t = { 0 };
  text_put(&t, HEADER "*D_NET ");
  for (int i = 0; i < 40000; i++)
    text_put(&t, "abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz");
  Fixture f;
  set_up(&f);
  CHECK(read_spef(f.parasitics, f.n, test_file("huge.spef", t.at), &f.options, f.log, &f.read)
        == FAILED);
  CHECK(log_count(f.log, "SPEF-003") == 1);
  text_free(&t);
  tear_down(&f);
}

/* Header lines that some readers insist on may be missing. */
static void test_bare_header(void)
{
  Fixture f;
  set_up(&f);
  CHECK(read_spef(f.parasitics, f.n,
                  test_file("bare.spef",
                            "*SPEF \"IEEE 1481-1998\"\r\n*T_UNIT 1 PS\r\n*C_UNIT 1 FF\r\n"
                            "*R_UNIT 1 KOHM\r\n\r\n" N1),
                  &f.options, f.log, &f.read)
        == OK);
  check_n1(&f);
  CHECK_TEXT(test_log_text(), "");
  tear_down(&f);
}

/* --- invalid files ---------------------------------------------------------------------------- */

static void read_invalid(const char *path, Text *messages)
{
  Fixture f;
  set_up(&f);
  if (read_spef(f.parasitics, f.n, path, &f.options, f.log, NULL) == FAILED) {
    text_put(messages, log_take_error(f.log));
    CHECK(f.parasitics->nodes.len == 0 && f.parasitics->pieces.len == 0
          && f.parasitics->taps.len == 0);
  } else {
    text_put(messages, test_log_text());
  }
  tear_down(&f);
}

static void test_invalid(void) { check_invalid("spef", "input.spef", 50, read_invalid); }

void suite_spef(void)
{
  CU_pSuite s = CU_add_suite("spef", NULL, NULL);
  CU_add_test(s, "a detailed net", test_plain);
  CU_add_test(s, "name maps, dividers, bus styles", test_spelling);
  CU_add_test(s, "one node under two names", test_two_spellings);
  CU_add_test(s, "sections in odd order, comments", test_odd_order);
  CU_add_test(s, "units and triples", test_units_and_triples);
  CU_add_test(s, "coupling capacitors", test_coupling);
  CU_add_test(s, "loops and islands", test_loops_and_islands);
  CU_add_test(s, "lumped nets", test_lumped);
  CU_add_test(s, "drivers outside *CONN", test_driver);
  CU_add_test(s, "neither driver nor all loads", test_driver_and_load);
  CU_add_test(s, "reduced nets", test_reduced);
  CU_add_test(s, "a block under its instance", test_scope);
  CU_add_test(s, "ports and escapes", test_ports_and_escapes);
  CU_add_test(s, "nets in any order", test_order_of_nets);
  CU_add_test(s, "failures leave no trace", test_failures_leave_no_trace);
  CU_add_test(s, "a net twice", test_twice);
  CU_add_test(s, "a long chain", test_long_chain);
  CU_add_test(s, "a huge word", test_huge_word);
  CU_add_test(s, "a bare header", test_bare_header);
  CU_add_test(s, "invalid files", test_invalid);
}
