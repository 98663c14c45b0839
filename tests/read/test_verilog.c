/* Tests of the Verilog reader, the linker and the Verilog writer. */
#include <stdio.h>
#include <string.h>

#include "read/link/link.h"
#include "read/verilog/verilog.h"
#include "tests/small.h"
#include "tests/unit.h"
#include "write/verilog_file.h"

static const char library_text[] =
    "library (tiny) {\n"
    "  delay_model : table_lookup; time_unit : \"1ns\"; capacitive_load_unit (1, ff);\n"
    "  type (four) { base_type : array; data_type : bit; bit_width : 4; bit_from : 3; bit_to : 0; "
    "}\n"
    "  cell (INV) { pin (A) { direction : input; } pin (Y) { direction : output; function : "
    "\"!A\"; } }\n"
    "  cell (NAND) { pin (A) { direction : input; } pin (B) { direction : input; }\n"
    "    pin (Y) { direction : output; function : \"!(A & B)\"; } }\n"
    "  cell (DFF) { ff (IQ, IQN) { clocked_on : \"C\"; next_state : \"D\"; } pin (D) { direction : "
    "input; }\n"
    "    pin (C) { direction : input; clock : true; } pin (Q) { direction : output; function : "
    "\"IQ\"; } }\n"
    "  cell (MEM) { bus (AD) { bus_type : four; direction : input; } bus (Q) { bus_type : four; "
    "direction : output; }\n"
    "    pin (CK) { direction : input; clock : true; } }\n"
    "  cell (TRI) { pin (A) { direction : input; } pin (E) { direction : input; }\n"
    "    pin (Y) { direction : output; function : \"A\"; three_state : \"!E\"; } }\n"
    "  cell (FILL) { area : 1; }\n"
    "}\n";

/* Begins with the library; most tests then read and link a text. */
static Small *tiny(void)
{
  Small *small = small_start();
  log_suppress(small->log, "LIB-051", true);      /* no timing here */
  small_read_library(small, library_text);
  return small;
}

static Small *linked(const char *text)
{
  Small *small = tiny();
  small_link(small, text);
  return small;
}

#define NET(path, want) CHECK_TEXT(small_net_name(small->netlist, path), want)

static uint32_t flags_of(const Netlist *n, const char *path)
{
  PinId pin = netlist_find_pin(n, TOP_INST, path, '/');
  if (pin == NO_PIN) pin = netlist_find_port(n, path);
  return n->nets.at[netlist_pin_net(n, pin)].flags;
}

#define FLAGS(path) flags_of(small->netlist, path)

static void test_plain(void)
{
  Small *small = linked("module top (a, b, y); input a, b; output y; wire w;\n"
                        "  NAND u1 (.A(a), .B(b), .Y(w)); INV u2 (.A(w), .Y(y)); INV u3 (w); DFF r "
                        "(.D(implicit), .C(a), .Q()); FILL f ();\n"
                        "endmodule\n");
  NET("u1/A", "a");
  NET("u1/Y", "w");
  NET("u2/A", "w");
  NET("u2/Y", "y");
  NET("u3/A", "w");
  NET("u3/Y", "-");
  NET("r/D", "implicit");
  NET("r/Q", "-");
  NET("r/IQ", "none");
  CHECK(small->netlist->leaf_count == 5 && small->netlist->insts.len == 6
        && small->netlist->pins.len == 3 + 3 + 2 + 2 + 3);
  CHECK_TEXT(test_log_text(), "");
  small_free(small);
}

static void test_buses(void)
{
  Small *small =
      linked("module top (input [3:0] d, input [0:3] u, output [3:0] q, input c);\n"
             "  wire [7:-2] w; MEM m1 (.AD(u), .Q(q), .CK(c)); MEM m2 (.AD({d[1:0], {2{c}}}), "
             ".Q(w[1:-2]), .CK(w[7]));\n"
             "  MEM m3 (d, w[7:4], c); INV i (.A(d[3]), .Y(w[7]));\n"
             "endmodule\n");
  NET("m1/AD[3]", "u[0]");
  NET("m1/AD[0]", "u[3]");
  NET("m1/Q[2]", "q[2]");
  NET("m2/AD[3]", "d[1]");
  NET("m2/AD[1]", "c");
  NET("m2/Q[0]", "w[-2]");
  NET("m2/CK", "w[7]");
  NET("m3/AD[2]", "d[2]");
  NET("m3/Q[0]", "w[4]");
  NET("m3/CK", "c");
  NET("i/Y", "w[7]");
  CHECK_TEXT(test_log_text(),
             "small.v:3: warning: 1 instance of library cells is connected by position, here the "
             "first, and no module "
             "lists their ports: the order is that of the library's file [LINK-016]\n"
             "warning: net 'w[7]' has several drivers: 'm3/Q[3]', 'i/Y' [LINK-012]\n");
  small_free(small);
}

static void test_constants(void)
{
  Small *small =
      linked("module top (output y, output [1:0] z); supply0 gnd; supply1 vdd; wire zero_;\n"
             "  NAND a (.A(1'b0), .B(1'b1), .Y(zero_)); INV b (.A(gnd)); INV c (.A(vdd)); MEM m "
             "(.AD(4'b1_0?x), .CK(0));\n"
             "  assign y = 1'b1; assign z = 2'd2; INV d (.A(1'd1));\n"
             "endmodule\n");
  NET("a/A", "zero__");
  NET("a/B", "one_");
  NET("a/Y", "zero_");
  NET("d/A", "one_");
  CHECK(FLAGS("a/A") == NET_CONSTANT_ZERO && FLAGS("a/B") == NET_CONSTANT_ONE
        && FLAGS("a/Y") == 0);
  CHECK(FLAGS("b/A") == (NET_CONSTANT_ZERO | NET_GROUND)
        && FLAGS("c/A") == (NET_CONSTANT_ONE | NET_POWER));
  NET("m/AD[3]", "one_");
  NET("m/AD[2]", "zero__");
  NET("m/AD[1]", "-");
  NET("m/CK", "zero__");
  NET("y", "y");
  CHECK(FLAGS("y") == NET_CONSTANT_ONE);
  CHECK(FLAGS("z[1]") == NET_CONSTANT_ONE && FLAGS("z[0]") == NET_CONSTANT_ZERO);
  CHECK(log_count(small->log, "VLOG-030") == 1 && log_count(small->log, "LINK-005") == 0);
  small_free(small);
}

static void test_hierarchy(void)
{
  Small *small =
      linked("module low (.p({x, y}), .q(z[1:0]), .r()); input x, y; output [2:0] z;\n"
             "  INV u (.A(x), .Y(z[1])); INV v (.A(y), .Y(z[0])); endmodule\n"
             "module through (input a, output b); assign b = a; endmodule\n"
             "module mid (input [1:0] i, output [1:0] o); low l (.p(i), .q(o)); endmodule\n"
             "module top (input [1:0] a, output [1:0] y, output t);\n"
             "  wire w; mid m1 (.i({a[0], w}), .o(y)); mid m2 (a, ); through th (.a(a[1]), "
             ".b(w)); through t2 (w, t);\n"
             "endmodule\n");
  NET("m1/l/u/A", "a[0]");
  NET("m1/l/v/A", "a[1]");
  NET("m1/l/v/Y", "y[0]");
  NET("m1/l/p[1]", "a[0]");
  NET("m2/l/u/Y", "m2/o[1]");
  NET("t", "a[1]");
  PinId outer = netlist_find_pin(small->netlist, TOP_INST, "m1/l/q[1]", '/');
  CHECK(netlist_pin_direction(small->netlist, outer) == DIR_OUTPUT
        && netlist_inner_seg(small->netlist, outer) != NO_SEG);
  CHECK(netlist_find_seg(small->netlist, TOP_INST, "m1/l/z[2]", '/') != NO_SEG);
  CHECK(small->netlist->leaf_count == 4);
  small_free(small);
}

static void test_names(void)
{
  Small *small =
      linked("module top (\\in[0] , c, a); input \\in[0] ; input c; input [1:0] a;\n"
             "  wire \\module , \\a[1] , \\x/y ; INV \\u/v[3] (.A(\\in[0] ), .Y(\\module )); "
             "INV u (.A(\\a[1] ), .Y(\\x/y ));\n"
             "  INV v (.A(a[1]), .Y()); INV w (.A(\\a[0] )); INV \\c (.A(in[0]));\n"
             "endmodule\n");
  NET("u/v[3]/A", "in[0]");
  NET("u/v[3]/Y", "module");
  NET("u/A", "\\a[1]");
  NET("u/Y", "x/y");
  NET("v/A", "a[1]");
  NET("w/A", "a[0]");
  NET("c/A", "in[0]");
  CHECK(log_count(small->log, "VLOG-034") == 1 && log_count(small->log, "VLOG-033") == 1);
  small_free(small);
}

static void test_directives(void)
{
  const char *included = test_file("part.v", "  INV from_include (.A(a), .Y(`NET));\n");
  const char *name = strrchr(included, '/') + 1;
  Text t = { 0 };
  text_printf(&t,
              "`timescale 1ns / 1ps\r\n`define WIDTH 4 // bits\n`define LAST (`WIDTH - 1)\n`define "
              "NET \\\n  w\n`default_nettype wire\n"
              "`ifdef NONE\n  always @(*) `nothing \" // /*\n`elsif WIDTH\nmodule top (input a, "
              "output [`LAST:0] y); /* * / ** */ wire w;\n"
              "`else\n  garbage\n`endif\n(* keep = \"*)\", x *) INV u (.A(a), .Y(y[`LAST]));\n"
              "`ifndef WIDTH\n`ifdef X\n`endif\n bad `else `include \"%s\"\n`endif\n`undef "
              "NET\n`ifdef NET\nbad\n`endif\nendmodule // end",
              name);
  Small *small = tiny();
  Text path = { 0 };
  text_add(&path, included, (size_t)(name - included));
  text_put(&path, "test.v");
  Status status = read_verilog_text(small->files, path.at, t.at, small->log);
  if (status != OK) printf("\n%s\n", log_take_error(small->log));
  CU_ASSERT_FATAL(
      status == OK
      && link_design(small->files, small->libs, "top", true, small->log, &small->netlist) == OK);
  NET("u/Y", "y[3]");
  NET("from_include/Y", "w");
  CHECK_TEXT(test_log_text(), "");
  text_free(&t);
  text_free(&path);
  small_free(small);
}

static void test_declarations(void)
{
  Small *small =
      linked("module top #(parameter N = 2, M = (3)) (a, y, z);\n"
             "  input wire a; output y; output reg [1:0] z; wire y; wire [1:0] z; tri signed "
             "[3:0] #(1,2) t; wand q;\n"
             "  parameter P = 4; localparam [3:0] L = {4'd1}; defparam u.X = 1; wire (strong0, "
             "strong1) w1 = a, w2;\n"
             "  assign #1.5 {z, y} = {2{w1}}; assign t = 'h1F, w2 = 1'bz; INV #(.X(1)) u "
             "(.A(w2), .Y(t[2])); INV #3 v (t[0]);\n"
             "endmodule : top\n");
  NET("a", "a");
  NET("y", "a");
  NET("z[0]", "a");
  CHECK(FLAGS("z[1]") == NET_CONSTANT_ZERO && FLAGS("v/A") == NET_CONSTANT_ONE);
  NET("u/A", "w2");
  CHECK(log_count(small->log, "VLOG-030") == 1 && log_count(small->log, "VLOG-031") == 1
        && log_count(small->log, "VLOG-032") == 1);
  CHECK(log_count(small->log, "VLOG-036") == 1 && log_count(small->log, "VLOG-037") == 1);
  small_free(small);
}

static void test_black_boxes(void)
{
  Small *small =
      linked("module top (input [3:0] a, output y);\n"
             "  BOX b1 (.i(a[1:0]), .o(y)); BOX b2 (.o(), .i(a[3]), .k(a[2])); and g (y, a[0], "
             "a[1]); not (w, a[2]); WHO w1 (y, a[1:0]);\n"
             "endmodule\n");
  NET("b1/i[1]", "a[1]");
  NET("b1/i[0]", "a[0]");
  NET("b1/k", "-");
  NET("b2/i[0]", "a[3]");
  NET("b2/k", "a[2]");
  NET("g/out1", "y");
  NET("g/in3", "a[1]");
  NET("not_1/in2", "a[2]");
  NET("w1/p2[0]", "a[0]");
  CHECK(netlist_pin_drives(small->netlist,
                           netlist_find_pin(small->netlist, TOP_INST, "g/out1", '/')));
  CHECK(log_count(small->log, "LINK-002") == 1 && log_count(small->log, "LINK-010") == 1);
  CHECK(small->libs->cells.at[netlist_inst_cell(small->netlist, small_inst(small, "b1"))].flags
        & CELL_BLACK_BOX);
  uint32_t cells = small->libs->cells.len;
  Netlist *again;
  CHECK(link_design(small->files, small->libs, "top", true, small->log, &again) == OK
        && small->libs->cells.len == cells);
  netlist_free(again);
  CHECK(link_design(small->files, small->libs, "top", false, small->log, &again) == FAILED
        && again == NULL);
  CHECK(strstr(log_take_error(small->log), "LINK-003") != NULL);
  small_free(small);
}

/* An empty module beside a cell of its name is the cell; one with contents is a module. */
static void test_stubs(void)
{
  Small *small = linked("module INV (A, Y, VDD); input A, VDD; output Y; endmodule\n"
                        "module NAND (input A, B, output Y); INV i (.A(A), .Y(Y)); endmodule\n"
                        "module top (input a, output y, inout vss); INV u (.A(a), .Y(w), .VDD(a), "
                        ".NW(vss), .EXTRA(a)); NAND n (.A(a), .B(w), .Y(y));\n"
                        "endmodule\n");
  CHECK(inst_is_leaf(small->netlist, netlist_find_inst(small->netlist, TOP_INST, "u", '/')));
  NET("n/i/A", "a");
  CHECK(log_count(small->log, "LINK-007") == 1 && strstr(test_log_text(), "'EXTRA'") != NULL);
  small_free(small);
}

static void test_several_files(void)
{
  Small *small = tiny();
  Netlist *other;
  CHECK(read_verilog_text(small->files, "one.v", "module a (input x); INV u (.A(x)); endmodule",
                          small->log)
        == OK);
  CHECK(read_verilog_text(small->files, "bad.v", "module a (input x); endmodule module c; oops",
                          small->log)
        == FAILED);
  CHECK_TEXT(log_take_error(small->log),
             "bad.v:1:45: error: the file ends here, expected an instance's name [VLOG-020]");
  CHECK(verilog_module_count(small->files) == 1);
  CHECK(link_design(small->files, small->libs, NULL, true, small->log, &small->netlist) == OK
        && small->netlist->leaf_count == 1);
  CHECK(
      read_verilog_text(
          small->files, "two.v",
          "module a (input x); INV u (.A(x)); INV v (.A(x)); endmodule module t; a b (); endmodule",
          small->log)
      == OK);
  CHECK(log_count(small->log, "VLOG-035") == 1 && verilog_module_count(small->files) == 2);
  CHECK(small->netlist->leaf_count == 1);
  CHECK(link_design(small->files, small->libs, NULL, true, small->log, &other) == OK
        && other->leaf_count == 2);
  NET("u/A", "x");
  netlist_free(other);
  small_free(small);
}

/* --- writing: what is read back is the same --------------------------------------------------- */
static void same_pins(const Netlist *a, const Netlist *b)
{
  for (PinId p = 0; p < a->pins.len; p++) {
    Text t = { 0 };
    if (a->insts.at[a->pins.at[p].inst].flags & INST_DELETED) continue;
    netlist_pin_name(a, p, '/', &t);
    if (strcmp(small_net_name(a, t.at), small_net_name(b, t.at)) != 0)
      printf("\n%s: %s, read back %s\n", t.at, small_net_name(a, t.at), small_net_name(b, t.at));
    CHECK_TEXT(small_net_name(a, t.at), small_net_name(b, t.at));
    text_free(&t);
  }
}

static const char *write_and_read(const Small *small, Netlist **back)
{
  const char *path = test_file("out.v", "");
  VerilogFiles *files = verilog_files_new(small->names);
  Status status = write_verilog(small->netlist, &(VerilogOptions){ 0 }, path, small->log);
  if (status == OK) status = read_verilog(files, path, small->log);
  if (status == OK) status = link_design(files, small->libs, "top", true, small->log, back);
  if (status != OK) printf("\n%s\n", log_take_error(small->log));
  CU_ASSERT_FATAL(status == OK);
  verilog_files_free(files);
  return path;
}

static const char round_trip[] =
    "module low (.p({x, y}), .q(z[1:0])); input x, y; output [2:0] z; INV u (.A(x), .Y(z[1])); INV "
    "v (.A(y), .Y(z[0])); endmodule\n"
    "module top (input [1:0] a, output [1:0] y, output t, input \\a[7] , output \\begin );\n"
    "  supply1 vdd; wire [3:0] w; wire \\s[2] , \\s[3] , \\x+y , n; low l1 (.p(a), .q(y)); low l2 "
    "(.p({1'b0, vdd}), .q(w[2:1]));\n"
    "  MEM m (.AD({w[0], 2'b10, a[1]}), .Q({t, w[3], \\s[3] , n}), .CK(\\s[2] )); assign \\begin = "
    "w[3]; assign w[0] = 1'b1; BOX b (.\\d[0] (t), .e());\n"
    "  INV \\v/1 (.A(\\a[7] ));\n"
    "endmodule\n";

static void test_write(void)
{
  Netlist *back;
  Small *small = linked(round_trip);
  write_and_read(small, &back);
  CHECK(back->insts.len == small->netlist->insts.len && back->pins.len == small->netlist->pins.len
        && back->modules.len == small->netlist->modules.len);
  same_pins(small->netlist, back);
  same_pins(back, small->netlist);
  CHECK(flags_of(back, "l2/p[0]") == (NET_CONSTANT_ONE | NET_POWER));
  netlist_free(back);
  CHECK(netlist_disconnect(small->netlist, small_pin(small, "m/Q[0]"), small->log) == OK);
  write_and_read(small, &back); /* an open output bit among connected ones gets a net of its
                                     own */
  CHECK_TEXT(small_net_name(back, "m/Q[0]"), "open_1_");
  CHECK_TEXT(small_net_name(back, "m/Q[1]"), "s[3]");
  netlist_free(back);
  CHECK(write_verilog(small->netlist, &(VerilogOptions){ 0 }, "/nonexistent/folder/x.v", small->log)
        == FAILED);
  small_free(small);
}

/* Edits inside one of two instances part their modules; ports may change nets. */
static void test_write_edited(void)
{
  Netlist *back;
  InstId made;
  Small *small = linked(round_trip);
  Netlist *n = small->netlist;
  InstId l2 = netlist_find_inst(n, TOP_INST, "l2", '/');
  CHECK(netlist_insert_inst(n, l2, "more", netlist_inst_cell(n, netlist_find_inst(n, l2, "u", '/')),
                            small->log, &made)
        == OK);
  CHECK(netlist_connect(n, netlist_find_pin(n, l2, "more/A", '/'),
                        netlist_find_seg(n, l2, "x", '/'), small->log)
        == OK);
  CHECK(netlist_remove_inst(n, netlist_find_inst(n, TOP_INST, "v/1", '/'), small->log) == OK);
  CHECK(netlist_disconnect(n, netlist_find_port(n, "t"), small->log) == OK);
  CHECK(netlist_connect(n, netlist_find_port(n, "t"), netlist_find_seg(n, TOP_INST, "y[1]", '/'),
                        small->log)
        == OK);
  write_and_read(small, &back);
  CHECK(back->modules.len == 3 && back->leaf_count == n->leaf_count);
  CHECK_TEXT(small_net_name(back, "l2/more/A"), small_net_name(n, "l2/more/A"));
  CHECK_TEXT(small_net_name(back, "l1/u/Y"), small_net_name(n, "l1/u/Y"));
  CHECK(netlist_pin_net(back, netlist_find_port(back, "t"))
        == netlist_pin_net(back, netlist_find_port(back, "y[1]")));
  netlist_free(back);
  small_free(small);
}

/* --- hostile texts, made here because they are large ------------------------------------------ */
static void repeat(Text *text, const char *what, int count)
{
  while (count-- > 0) text_put(text, what);
}

static void fails_with(const char *before, const char *middle, int count, const char *after,
                       const char *code)
{
  Text t = { 0 };
  text_put(&t, before);
  repeat(&t, middle, count);
  text_put(&t, after);
  Small *small = tiny();
  Status status = read_verilog_text(small->files, "hostile.v", t.at, small->log);
  if (status == OK)
    status = link_design(small->files, small->libs, NULL, true, small->log, &small->netlist);
  CHECK(status == FAILED);
  const char *line = log_take_error(small->log);
  CHECK(line && strstr(line, code));
  if (line && !strstr(line, code)) printf("\n%s\n", line);
  text_free(&t);
  small_free(small);
}

static void test_hostile(void)
{
  fails_with("module t; assign a = ", "{", 100000, "", "VLOG-025");
  fails_with("module t; assign a = ", "(", 100000, "", "VLOG-025");
  fails_with("module t; wire [", "(", 100000, "", "VLOG-025");
  fails_with("module t; assign a = ", "{1000{", 4, "b}}}}}}}}", "VLOG-025");
  fails_with("", "`ifdef A\n", 10000, "", "VLOG-012");
  fails_with("`define A `B\n`define B `A\nmodule t; `A", "", 0, " endmodule", "VLOG-013");
  fails_with("module t; assign a = 9999'd", "9", 5000, "; endmodule", "VLOG-004");
  fails_with("module t; ", "wire [1048575:0] a;", 1, " wire [1048576:0] b; endmodule", "VLOG-025");
  fails_with("module t; INV u (", "", 0, "", "VLOG-020");
  fails_with("module t; /* ", "\n", 1000, "", "VLOG-002");
}

/* Ten instances of ten instances of ...: counted before anything is built.  A chain: no
   recursion. */
static void test_deep(void)
{
  enum { DEPTH = 2000 };
  Text t = { 0 };
  for (int i = 0; i < 12; i++) {
    text_printf(&t, "module x%d; ", i);
    for (int k = 0; k < 10; k++) text_printf(&t, "x%d u%d (); ", i + 1, k);
    text_put(&t, "endmodule ");
  }
  fails_with(t.at, "", 0, "module x12; INV u (); endmodule", "LINK-009");
  text_clear(&t);
  for (int i = 0; i < DEPTH; i++)
    text_printf(&t, "module m%d (input a); m%d u (.a(a)); endmodule\n", i, i + 1);
  text_printf(&t, "module m%d (input a); INV u (.A(a)); endmodule\n", DEPTH);
  Small *small = linked(t.at);
  CHECK(small->netlist->insts.len == DEPTH + 2);
  NetPins it =
      net_pins(small->netlist, netlist_pin_net(small->netlist, small_pin(small, "a")), false);
  CHECK(net_pins_next(&it) != NO_PIN && net_pins_next(&it) != NO_PIN
        && net_pins_next(&it) == NO_PIN);
  text_free(&t);
  small_free(small);
}

/* --- invalid files ---------------------------------------------------------------------------- */
static void read_invalid(const char *path, Text *messages)
{
  Small *small = tiny();
  Status status = read_verilog(small->files, path, small->log);
  if (status != OK) CHECK(verilog_module_count(small->files) == 0);
  if (status == OK)
    status = link_design(small->files, small->libs, NULL, true, small->log, &small->netlist);
  if (status != OK) CHECK(small->netlist == NULL);
  text_put(messages, status != OK ? log_take_error(small->log) : test_log_text());
  small_free(small);
}

static void test_invalid(void) { check_invalid("verilog", "input.v", 40, read_invalid); }

/* --- real designs ----------------------------------------------------------------------------- */
static void test_real(void)
{
  const char *path = shared_path("data/designs/mockarray_asap7/MockArray.v.gz");
  if (path == NULL) return;
  Small *small = tiny();
  CHECK(read_verilog(small->files, path, small->log) == OK);
  CHECK(read_verilog(small->files, shared_path("data/designs/mockarray_asap7/Element.v.gz"),
                     small->log)
        == OK);
  CHECK(link_design(small->files, small->libs, "MockArray", true, small->log, &small->netlist)
        == OK);
  CHECK(small->netlist->leaf_count == 29260);
  CHECK(netlist_find_inst(small->netlist, TOP_INST,
                          "ces_0_0/io_outs_down_mult/mod.a_registered[2]$_DFF_P_", '/')
        != NO_INST);
  small_free(small);
}

void suite_verilog(void)
{
  CU_pSuite s = CU_add_suite("verilog", NULL, NULL);
  CU_add_test(s, "instances", test_plain);
  CU_add_test(s, "buses", test_buses);
  CU_add_test(s, "constants", test_constants);
  CU_add_test(s, "hierarchy", test_hierarchy);
  CU_add_test(s, "escaped names", test_names);
  CU_add_test(s, "directives", test_directives);
  CU_add_test(s, "declarations", test_declarations);
  CU_add_test(s, "black boxes", test_black_boxes);
  CU_add_test(s, "stubs and supply pins", test_stubs);
  CU_add_test(s, "several files", test_several_files);
  CU_add_test(s, "writing", test_write);
  CU_add_test(s, "writing after edits", test_write_edited);
  CU_add_test(s, "hostile texts", test_hostile);
  CU_add_test(s, "deep hierarchies", test_deep);
  CU_add_test(s, "invalid files", test_invalid);
  CU_add_test(s, "a real design", test_real);
}
