/* The SDF reader: every construct on a small design, conditions, names, errors that leave no
   trace. */
#include "read/sdf/sdf.h"

#include <math.h>
#include <stdio.h>

#include "db/sdf_condition.h"
#include "tests/small.h"
#include "tests/unit.h"

#define TABLES "cell_rise (scalar) { values (\"1\"); } cell_fall (scalar) { values (\"1\"); } "  \
               "rise_transition (scalar) { values (\"1\"); } fall_transition (scalar) { values " \
                   "(\"1\"); } "
#define MARGINS "rise_constraint (scalar) { values (\"1\"); } fall_constraint (scalar) { values " \
    "(\"1\"); } "

static const char library[] =
    "library (l) { delay_model : table_lookup; time_unit : \"1ns\"; capacitive_load_unit (1, ff); "
    "voltage_unit : \"1V\"; "
    "current_unit : \"1mA\"; pulling_resistance_unit : \"1kohm\"; "
    "cell (BUF) { pin (A) { direction : input; capacitance : 1; } pin (Y) { direction : output; "
    "function : \"A\"; "
    "timing () { related_pin : \"A\"; timing_sense : positive_unate; " TABLES "} } } "
    "cell (XOR) { pin (A) { direction : input; capacitance : 1; } pin (B) { direction : input; "
    "capacitance : 1; } "
    "pin (Y) { direction : output; function : \"A^B\"; "
    "timing () { related_pin : \"A\"; timing_sense : negative_unate; when : \"B\"; sdf_cond : \"B "
    "== 1'b1\"; " TABLES "} "
    "timing () { related_pin : \"A\"; timing_sense : positive_unate; when : \"!B\"; " TABLES "} "
    "timing () { related_pin : \"A\"; timing_sense : non_unate; " TABLES "} "
    "timing () { related_pin : \"B\"; timing_sense : non_unate; " TABLES "} } } "
    "cell (TBUF) { pin (A) { direction : input; capacitance : 1; } pin (OE) { direction : input; "
    "capacitance : 1; } "
    "pin (Y) { direction : output; function : \"A\"; three_state : \"!OE\"; "
    "timing () { related_pin : \"A\"; timing_sense : positive_unate; " TABLES "} "
    "timing () { related_pin : \"OE\"; timing_type : three_state_enable; timing_sense : "
    "positive_unate; " TABLES "} "
    "timing () { related_pin : \"OE\"; timing_type : three_state_disable; timing_sense : "
    "negative_unate; " TABLES "} } } "
    "cell (DFF) { ff (IQ, IQN) { clocked_on : \"CK\"; next_state : \"D\"; clear : \"!RN\"; } "
    "pin (D) { direction : input; capacitance : 1; "
    "timing () { related_pin : \"CK\"; timing_type : setup_rising; when : \"RN\"; " MARGINS "} "
    "timing () { related_pin : \"CK\"; timing_type : hold_rising; " MARGINS "} } "
    "pin (CK) { direction : input; clock : true; capacitance : 1; "
    "timing () { related_pin : \"CK\"; timing_type : min_pulse_width; " MARGINS "} } "
    "pin (RN) { direction : input; capacitance : 1; "
    "timing () { related_pin : \"CK\"; timing_type : recovery_rising; rise_constraint (scalar) { "
    "values (\"1\"); } } "
    "timing () { related_pin : \"CK\"; timing_type : removal_rising; rise_constraint (scalar) { "
    "values (\"1\"); } } } "
    "pin (Q) { direction : output; function : \"IQ\"; timing () { related_pin : \"CK\"; "
    "timing_type : rising_edge; " TABLES "} } } }";

static const char verilog[] =
  "module block (i, o); input i; output o; BUF u (.A(i), .Y(o)); endmodule\n"
  "module top (a, b, ck, rn, oe, y, z);\n"
  "input a, b, ck, rn, oe; output y, z; wire n, m, q, p;\n"
  "XOR x (.A(a), .B(b), .Y(n));\n"
  "block h (.i(n), .o(m));\n"
  "DFF r (.D(m), .CK(ck), .RN(rn), .Q(q));\n"
  "BUF \\e.f[2] (.A(q), .Y(p));\n"
  "TBUF t1 (.A(p), .OE(oe), .Y(y));\n"
  "TBUF t2 (.A(q), .OE(oe), .Y(y));\n"
  "BUF v (.A(p), .Y(z));\n"
  "endmodule\n";

typedef struct {
  Small       *small;
  Netlist     *n;
  LibrarySet  *libs;
  Log         *log;
  Annotations *annotations;
  SdfOptions   options;
  SdfRead      read;
} Fixture;

static void set_up(Fixture *fixture)
{
  memset(fixture, 0, sizeof *fixture);
  fixture->small = small_with(library, verilog);
  fixture->n = fixture->small->netlist;
  fixture->libs = fixture->small->libs;
  fixture->log = fixture->small->log;
  fixture->annotations = annotations_new();
  fixture->options = sdf_options();
}

static void tear_down(Fixture *fixture)
{
  annotations_free(fixture->annotations);
  small_free(fixture->small);
}

static Status read_text(Fixture *fixture, const char *text)
{
  return read_sdf_text(fixture->annotations, fixture->n, "t.sdf", text, &fixture->options,
                       fixture->log, &fixture->read);
}

/* One cell's section. */
static Status read_cell(Fixture *fixture, const char *type, const char *instance,
                        const char *sections)
{
  Text t = { 0 };
  text_printf(&t,
              "(DELAYFILE (DIVIDER /) (TIMESCALE 1ps) (CELL (CELLTYPE \"%s\") (INSTANCE %s) %s))",
              type, instance, sections);
  Status status = read_text(fixture, text_get(&t));
  if (status != OK) printf("%s\n", log_take_error(fixture->log));
  text_free(&t);
  return status;
}

static PinId pin(const Fixture *fixture, const char *name)
{
  return small_pin(fixture->small, name);
}

/* The nth library arc of a type between two pins of a leaf. */
static LibArcId arc_of(const Fixture *fixture, PinId from, PinId to, ArcType type, uint32_t nth)
{
  const LibCell *cell =
      &fixture->libs->cells.at[fixture->n->insts.at[fixture->n->pins.at[to].inst].master];
  for (LibArcId a = cell->first_arc; a < cell->first_arc + cell->arc_count; a++) {
    const LibArc *arc = &fixture->libs->arcs.at[a];
    if (arc->type == type && arc->from == fixture->n->pins.at[from].port
        && arc->to == fixture->n->pins.at[to].port && nth-- == 0)
      return a;
  }
  CU_FAIL_FATAL("no such arc");
  return NO_LIB_ARC;
}

/* NAN: not given. */
static float value(const Fixture *fixture, AnnotationKind kind, const char *from, const char *to,
                   LibArcId lib, uint32_t at)
{
  AnnotationId id = annotations_find(fixture->annotations, kind, from ? pin(fixture, from) : NO_PIN,
                                     pin(fixture, to), lib);
  return id == NO_ANNOTATION ? NAN : annotations_value(fixture->annotations, id, at);
}

static float cell_value(const Fixture *fixture, const char *from, const char *to, ArcType type,
                        uint32_t nth, int el, int in, int out)
{
  return value(fixture, ANNOTATE_CELL, from, to,
               arc_of(fixture, pin(fixture, from), pin(fixture, to), type, nth),
               annotation_cell_value(el, in, out));
}

static float check_value(const Fixture *fixture, const char *from, const char *to, ArcType type,
                         int el, int edge)
{
  return value(fixture, ANNOTATE_CHECK, from, to,
               arc_of(fixture, pin(fixture, from), pin(fixture, to), type, 0),
               (uint32_t)condition_of(el, edge));
}

static float wire_value(const Fixture *fixture, const char *from, const char *to, int el, int edge)
{
  return value(fixture, ANNOTATE_WIRE, from, to, NO_LIB_ARC, (uint32_t)condition_of(el, edge));
}

/* --- delays of cells -------------------------------------------------------------------------- */
static void test_paths(void)
{
  Fixture f;
  set_up(&f);
  CHECK(read_cell(&f, "BUF", "v", "(DELAY (ABSOLUTE (IOPATH A Y (1:2:3) (4 : 5 : 6))))") == OK);
  CHECK_TEXT(test_log_text(), "");
  CHECK(cell_value(&f, "v/A", "v/Y", ARC_COMBINATIONAL, 0, EARLY, RISE, RISE) == 1);
  CHECK(cell_value(&f, "v/A", "v/Y", ARC_COMBINATIONAL, 0, LATE, RISE, RISE) == 3);
  CHECK(cell_value(&f, "v/A", "v/Y", ARC_COMBINATIONAL, 0, EARLY, FALL, FALL) == 4);
  CHECK(cell_value(&f, "v/A", "v/Y", ARC_COMBINATIONAL, 0, LATE, FALL, FALL) == 6);
  CHECK(isnan(cell_value(&f, "v/A", "v/Y", ARC_COMBINATIONAL, 0, LATE, RISE, FALL)));
  CHECK(f.read.cells == 1 && f.read.cells_found == 1 && f.read.delays == 1
        && f.read.delays_used == 1);
  /* one value; the other stays where it is empty */
  CHECK(read_cell(&f, "BUF", "v", "(DELAY (ABSOLUTE (IOPATH A Y (7))))") == OK);
  CHECK(cell_value(&f, "v/A", "v/Y", ARC_COMBINATIONAL, 0, LATE, FALL, FALL) == 7);
  CHECK(read_cell(&f, "BUF", "v", "(DELAY (ABSOLUTE (IOPATH A Y () (::8))))") == OK);
  CHECK(cell_value(&f, "v/A", "v/Y", ARC_COMBINATIONAL, 0, LATE, RISE, RISE) == 7);
  CHECK(cell_value(&f, "v/A", "v/Y", ARC_COMBINATIONAL, 0, EARLY, FALL, FALL) == 7);
  CHECK(cell_value(&f, "v/A", "v/Y", ARC_COMBINATIONAL, 0, LATE, FALL, FALL) == 8);
  /* only what is typical */
  CHECK(read_cell(&f, "BUF", "v", "(DELAY (ABSOLUTE (IOPATH A Y (:9:))))") == OK);
  CHECK(cell_value(&f, "v/A", "v/Y", ARC_COMBINATIONAL, 0, EARLY, RISE, RISE) == 9);
  f.options.type[EARLY] = f.options.type[LATE] = SDF_TYP;
  CHECK(read_cell(&f, "BUF", "v", "(DELAY (ABSOLUTE (IOPATH A Y (1:2:3))))") == OK);
  CHECK(cell_value(&f, "v/A", "v/Y", ARC_COMBINATIONAL, 0, EARLY, RISE, RISE) == 2);
  tear_down(&f);
}

static void test_edges(void)
{
  Fixture f;
  set_up(&f);
  CHECK(read_cell(&f, "XOR", "x",
                  "(DELAY (ABSOLUTE (IOPATH B Y (1) (2)) (IOPATH (posedge B) Y (3) (4)) (IOPATH "
                  "(10 B) Y () (5))))")
        == OK);
  CHECK(cell_value(&f, "x/B", "x/Y", ARC_COMBINATIONAL, 0, LATE, RISE, RISE) == 3);
  CHECK(cell_value(&f, "x/B", "x/Y", ARC_COMBINATIONAL, 0, LATE, RISE, FALL) == 4);
  CHECK(cell_value(&f, "x/B", "x/Y", ARC_COMBINATIONAL, 0, LATE, FALL, RISE) == 1);
  CHECK(cell_value(&f, "x/B", "x/Y", ARC_COMBINATIONAL, 0, LATE, FALL, FALL) == 5);
  /* to and from z: 01 10 0z z1 1z z0 */
  CHECK(
      read_cell(&f, "TBUF", "t1",
                "(DELAY (ABSOLUTE (IOPATH A Y (1) (2) (3)) (IOPATH OE Y (1) (2) (3) (4) (5) (6))))")
      == OK);
  CHECK(cell_value(&f, "t1/A", "t1/Y", ARC_COMBINATIONAL, 0, LATE, FALL, FALL) == 2);
  CHECK(cell_value(&f, "t1/OE", "t1/Y", ARC_TRISTATE_ENABLE, 0, LATE, RISE, RISE) == 4);
  CHECK(cell_value(&f, "t1/OE", "t1/Y", ARC_TRISTATE_DISABLE, 0, LATE, FALL, RISE) == 3);
  CHECK(read_cell(&f, "TBUF", "t1", "(DELAY (ABSOLUTE (IOPATH OE Y (11) (12) (13))))") == OK);
  CHECK(cell_value(&f, "t1/OE", "t1/Y", ARC_TRISTATE_ENABLE, 0, LATE, RISE, RISE) == 11);
  CHECK(cell_value(&f, "t1/OE", "t1/Y", ARC_TRISTATE_DISABLE, 0, LATE, FALL, RISE) == 13);
  CHECK_TEXT(test_log_text(), "");
  tear_down(&f);
}

static void test_conditions(void)
{
  Fixture f;
  set_up(&f);
  /* arcs from A: 0 when B, 1 when !B, 2 without */
  CHECK(read_cell(&f, "XOR", "x",
                  "(DELAY (ABSOLUTE (IOPATH A Y (1)) (COND B==1'b1 (IOPATH A Y (2))) (COND \"n\" ~ "
                  "B (IOPATH A Y (3)))))")
        == OK);
  CHECK(cell_value(&f, "x/A", "x/Y", ARC_COMBINATIONAL, 0, LATE, RISE, FALL) == 2);
  CHECK(cell_value(&f, "x/A", "x/Y", ARC_COMBINATIONAL, 1, LATE, RISE, RISE) == 3);
  CHECK(cell_value(&f, "x/A", "x/Y", ARC_COMBINATIONAL, 2, LATE, RISE, FALL) == 1);
  /* CONDELSE leaves what COND reached, whichever comes first in the file */
  CHECK(
      read_cell(&f, "XOR", "x",
                "(DELAY (ABSOLUTE (COND (B === 0) (IOPATH A Y (5))) (CONDELSE (IOPATH A Y (6)))))")
      == OK);
  CHECK(cell_value(&f, "x/A", "x/Y", ARC_COMBINATIONAL, 0, LATE, RISE, FALL) == 6);
  CHECK(cell_value(&f, "x/A", "x/Y", ARC_COMBINATIONAL, 1, LATE, RISE, RISE) == 5);
  CHECK(cell_value(&f, "x/A", "x/Y", ARC_COMBINATIONAL, 2, LATE, RISE, FALL) == 6);
  CHECK_TEXT(test_log_text(), "");
  /* a condition that no arc has */
  CHECK(read_cell(&f, "XOR", "x", "(DELAY (ABSOLUTE (COND A==1 (IOPATH B Y (7)))))") == OK);
  CHECK(strstr(test_log_text(), "[SDF-026]") != NULL && f.read.delays_used == 0);
  tear_down(&f);
}

static void test_cond_use(void)
{
  static const char text[] =
      "(DELAY (ABSOLUTE (COND A==1 (IOPATH B Y (2:3:4))) (COND A==0 (IOPATH B Y (1:3:3)))))";
  static const float want[][2] = { { 1, 3 }, { 2, 4 }, { 1, 4 } };
  Fixture f;
  set_up(&f);
  for (int use = SDF_COND_MIN; use <= SDF_COND_MIN_MAX; use++) {
    f.options.cond_use = (SdfCondUse)use;
    CHECK(read_cell(&f, "XOR", "x", text) == OK);
    CHECK(cell_value(&f, "x/B", "x/Y", ARC_COMBINATIONAL, 0, EARLY, RISE, RISE)
          == want[use - 1][EARLY]);
    CHECK(cell_value(&f, "x/B", "x/Y", ARC_COMBINATIONAL, 0, LATE, RISE, RISE)
          == want[use - 1][LATE]);
  }
  CHECK_TEXT(test_log_text(), "");
  tear_down(&f);
}

static void test_increments(void)
{
  Fixture f;
  set_up(&f);
  CHECK(read_cell(&f, "BUF", "v", "(DELAY (INCREMENT (IOPATH A Y (1)) (IOPATH A Y (2))))") == OK);
  AnnotationId id =
      annotations_find(f.annotations, ANNOTATE_CELL, NO_PIN, pin(&f, "v/Y"),
                       arc_of(&f, pin(&f, "v/A"), pin(&f, "v/Y"), ARC_COMBINATIONAL, 0));
  CU_ASSERT_FATAL(id != NO_ANNOTATION);
  CHECK(f.annotations->records.at[id].added && !f.annotations->records.at[id].replaced);
  CHECK(cell_value(&f, "v/A", "v/Y", ARC_COMBINATIONAL, 0, LATE, RISE, RISE) == 3);
  CHECK(read_cell(&f, "BUF", "v",
                  "(DELAY (ABSOLUTE (IOPATH A Y (10))) (INCREMENT (IOPATH A Y (-4))))")
        == OK);
  CHECK(!f.annotations->records.at[id].added && f.annotations->records.at[id].replaced);
  CHECK(cell_value(&f, "v/A", "v/Y", ARC_COMBINATIONAL, 0, LATE, RISE, RISE) == 6);
  tear_down(&f);
}

static void test_devices_and_pulses(void)
{
  Fixture f;
  set_up(&f);
  CHECK(read_cell(&f, "XOR", "x",
                  "(DELAY (PATHPULSE A Y (1) (2)) (ABSOLUTE (DEVICE (1)) (DEVICE Y (2) (3))))")
        == OK);
  CHECK(cell_value(&f, "x/A", "x/Y", ARC_COMBINATIONAL, 1, LATE, FALL, FALL) == 3);
  CHECK(cell_value(&f, "x/B", "x/Y", ARC_COMBINATIONAL, 0, LATE, RISE, RISE) == 2);
  CHECK(read_cell(&f, "BUF", "v",
                  "(DELAY (ABSOLUTE (IOPATH A Y (RETAIN (1) (2)) ((4) (1) (2)) ((5)))))")
        == OK);
  CHECK(cell_value(&f, "v/A", "v/Y", ARC_COMBINATIONAL, 0, LATE, RISE, RISE) == 4);
  CHECK(cell_value(&f, "v/A", "v/Y", ARC_COMBINATIONAL, 0, LATE, FALL, FALL) == 5);
  /* retained so long */
  CHECK(cell_value(&f, "v/A", "v/Y", ARC_COMBINATIONAL, 0, EARLY, RISE, RISE) == 1);
  CHECK(cell_value(&f, "v/A", "v/Y", ARC_COMBINATIONAL, 0, EARLY, FALL, FALL) == 2);
  CHECK(f.read.skipped == 2 && f.annotations->unused.len == 2 && log_count(f.log, "SDF-033") == 2);
  tear_down(&f);
}

/* --- wires ------------------------------------------------------------------------------------ */
static void test_wires(void)
{
  Fixture f;
  set_up(&f);
  CHECK(read_cell(&f, "top", "",
                  "(DELAY (ABSOLUTE (INTERCONNECT a x/A (1) (2)) (INTERCONNECT x/Y h/u/A (3)) "
                  "(INTERCONNECT t1/Y y (4))))")
        == OK);
  CHECK(wire_value(&f, "a", "x/A", LATE, RISE) == 1
        && wire_value(&f, "a", "x/A", EARLY, FALL) == 2);
  CHECK(wire_value(&f, "x/Y", "h/u/A", LATE, FALL) == 3);
  CHECK(wire_value(&f, "t1/Y", "y", LATE, RISE) == 4
        && isnan(wire_value(&f, "t2/Y", "y", LATE, RISE)));
  CHECK(read_cell(&f, "top", "",
                  "(DELAY (ABSOLUTE (PORT y (5)) (NETDELAY p (6)) (NETDELAY r/Q (7))))")
        == OK);
  CHECK(wire_value(&f, "t1/Y", "y", LATE, RISE) == 5
        && wire_value(&f, "t2/Y", "y", LATE, RISE) == 5);
  CHECK(wire_value(&f, "e.f[2]/Y", "t1/A", LATE, RISE) == 6
        && wire_value(&f, "e.f[2]/Y", "v/A", LATE, RISE) == 6);
  CHECK(wire_value(&f, "r/Q", "t2/A", EARLY, RISE) == 7);
  CHECK_TEXT(test_log_text(), "");
  CHECK(f.read.wires == 3 && f.read.wires_used == 3);
  CHECK(read_cell(&f, "top", "",
                  "(DELAY (ABSOLUTE (INTERCONNECT a x/B (1)) (INTERCONNECT x/Y h/i (1)) "
                  "(INTERCONNECT q x/B (1)) (PORT ck (1))))")
        == OK);
  CHECK(f.read.wires == 4 && f.read.wires_used == 0);
  CHECK(log_count(f.log, "SDF-023") == 2 && log_count(f.log, "SDF-027") == 1
        && log_count(f.log, "SDF-021") == 1);
  tear_down(&f);
}

static void test_names(void)
{
  Fixture f;
  set_up(&f);
  CHECK(read_text(&f, "(delayfile (TIMESCALE 100 ps) // a comment\n (CELL (CELLTYPE \"BUF\") "
                      "(INSTANCE h.u) (DELAY (ABSOLUTE (IOPATH A Y (0.01)))))\n"
                      "/* and\nanother */(CELL (CELLTYPE \"BUF\") (INSTANCE e\\.f\\[2\\]) (DELAY "
                      "(ABSOLUTE (IOPATH A Y (0.02)))))\n"
                      "(CELL (CELLTYPE \"BUF\") (INSTANCE h) (INSTANCE u) (DELAY (INCREMENT "
                      "(IOPATH A Y (0.03))))))")
        == OK);
  CHECK_TEXT(test_log_text(), "");
  CHECK_NEAR(cell_value(&f, "h/u/A", "h/u/Y", ARC_COMBINATIONAL, 0, LATE, RISE, RISE), 4, 1e-5);
  CHECK_NEAR(cell_value(&f, "e.f[2]/A", "e.f[2]/Y", ARC_COMBINATIONAL, 0, LATE, RISE, RISE), 2,
             1e-5);
  /* all of a type, everywhere and in a block; a block's own file */
  CHECK(read_cell(&f, "BUF", "*", "(DELAY (ABSOLUTE (IOPATH A Y (8))))") == OK);
  CHECK(cell_value(&f, "v/A", "v/Y", ARC_COMBINATIONAL, 0, LATE, RISE, RISE) == 8
        && cell_value(&f, "h/u/A", "h/u/Y", ARC_COMBINATIONAL, 0, LATE, RISE, RISE) == 8);
  CHECK(read_cell(&f, "BUF", "h) (INSTANCE *", "(DELAY (ABSOLUTE (IOPATH A Y (9))))") == OK);
  CHECK(cell_value(&f, "v/A", "v/Y", ARC_COMBINATIONAL, 0, LATE, RISE, RISE) == 8
        && cell_value(&f, "h/u/A", "h/u/Y", ARC_COMBINATIONAL, 0, LATE, RISE, RISE) == 9);
  CHECK_TEXT(test_log_text(), "");
  f.options.scope = netlist_find_inst(f.n, TOP_INST, "h", '/');
  CHECK(read_cell(&f, "BUF", "u",
                  "(DELAY (ABSOLUTE (IOPATH A Y (10)))))(CELL (CELLTYPE \"block\") (INSTANCE) "
                  "(DELAY (ABSOLUTE (PORT u/A (11))))")
        == OK);
  CHECK(cell_value(&f, "h/u/A", "h/u/Y", ARC_COMBINATIONAL, 0, LATE, RISE, RISE) == 10);
  CHECK(wire_value(&f, "x/Y", "h/u/A", LATE, RISE) == 11);
  tear_down(&f);
}

static void test_unknown(void)
{
  Fixture f;
  set_up(&f);
  CHECK(read_text(&f, "(DELAYFILE (CELL (CELLTYPE \"BUF\") (INSTANCE v) (DELAY (ABSOLUTE (IOPATH B "
                      "Y (1)) (IOPATH Y A (1)))))\n"
                      "(CELL (CELLTYPE \"INV\") (INSTANCE v) (DELAY (ABSOLUTE (IOPATH A Y (1)))))\n"
                      "(CELL (CELLTYPE \"BUF\") (INSTANCE w) (DELAY (ABSOLUTE (IOPATH A Y (1)) "
                      "(anything (goes) here))))\n"
                      "(FUTURE \"x\" (1)))")
        == OK);
  CHECK(log_count(f.log, "SDF-021") == 1 && log_count(f.log, "SDF-022") == 1
        && log_count(f.log, "SDF-025") == 1 && log_count(f.log, "SDF-020") == 1
        && log_count(f.log, "SDF-030") == 1);
  CHECK(!annotations_any(f.annotations));
  tear_down(&f);
}

/* --- checks ----------------------------------------------------------------------------------- */
static void test_checks(void)
{
  Fixture f;
  set_up(&f);
  CHECK(read_cell(&f, "DFF", "r",
                  "(TIMINGCHECK (SETUP D (posedge CK) (1:2:3)) (SETUP (negedge D) (posedge CK) "
                  "(4)) (HOLD D (negedge CK) (9))"
                  "(RECREM RN (posedge CK) (5) (6)) (WIDTH (posedge CK) (7)) (PERIOD CK (8)) "
                  "(NOCHANGE (posedge CK) D (1) (2)))")
        == OK);
  CHECK(check_value(&f, "r/CK", "r/D", ARC_SETUP, LATE, RISE) == 3
        && check_value(&f, "r/CK", "r/D", ARC_SETUP, LATE, FALL) == 4);
  CHECK(isnan(check_value(&f, "r/CK", "r/D", ARC_HOLD, EARLY, RISE))
        && log_count(f.log, "SDF-024") == 2);
  CHECK(check_value(&f, "r/CK", "r/RN", ARC_RECOVERY, LATE, RISE) == 5
        && check_value(&f, "r/CK", "r/RN", ARC_REMOVAL, EARLY, RISE) == 6);
  CHECK(check_value(&f, "r/CK", "r/CK", ARC_MIN_PULSE_WIDTH, LATE, RISE) == 7
        && isnan(check_value(&f, "r/CK", "r/CK", ARC_MIN_PULSE_WIDTH, LATE, FALL)));
  CHECK(value(&f, ANNOTATE_PERIOD, NULL, "r/CK", NO_LIB_ARC, LATE) == 8);
  /* the arc has the width, and no attribute of the pin */
  CHECK(isnan(value(&f, ANNOTATE_WIDTH, NULL, "r/CK", NO_LIB_ARC, LATE * 2 + RISE)));
  CHECK(f.read.checks == 9 && f.read.checks_used == 6 && f.read.skipped == 0);
  CHECK(read_cell(&f, "DFF", "r",
                  "(TIMINGCHECK (SETUPHOLD (posedge D) (posedge CK) (10) (-11)) (WIDTH (COND RN "
                  "(negedge CK)) (1)))")
        == OK);
  CHECK(check_value(&f, "r/CK", "r/D", ARC_HOLD, EARLY, RISE) == -11
        && check_value(&f, "r/CK", "r/D", ARC_SETUP, LATE, FALL) == 4);
  tear_down(&f);
}

static void test_check_conditions(void)
{
  Fixture f;
  set_up(&f);
  CHECK(read_cell(&f, "DFF", "r",
                  "(TIMINGCHECK (SETUP (COND RN==1'b1 D) (COND \"x\" (RN) (posedge CK)) (3)))")
        == OK);
  CHECK(check_value(&f, "r/CK", "r/D", ARC_SETUP, LATE, RISE) == 3);
  CHECK(read_cell(&f, "DFF", "r",
                  "(TIMINGCHECK (SETUPHOLD D (posedge CK) (4) (5) (SCOND RN) (CCOND RN)))")
        == OK);
  CHECK(check_value(&f, "r/CK", "r/D", ARC_SETUP, LATE, RISE) == 4);
  CHECK(log_count(f.log, "SDF-026") == 1);          /* the hold check has no condition */
  f.options.cond_use = SDF_COND_MAX;
  CHECK(
      read_cell(
          &f, "DFF", "r",
          "(TIMINGCHECK (HOLD (COND RN D) (posedge CK) (4)) (HOLD (COND !RN D) (posedge CK) (3)))")
      == OK);
  CHECK(check_value(&f, "r/CK", "r/D", ARC_HOLD, EARLY, RISE) == 4);
  tear_down(&f);
}

static void test_condition_texts(void)
{
  Fixture f;
  set_up(&f);
  Text t = { 0 };
  LibArcId with = arc_of(&f, pin(&f, "x/A"), pin(&f, "x/Y"), ARC_COMBINATIONAL, 0),
           inverted = with + 1, without = with + 2;
  sdf_condition_text(f.libs, with, &t);
  CHECK_TEXT(text_get(&t), "B == 1'b1");
  text_clear(&t);
  sdf_condition_text(f.libs, inverted, &t);
  CHECK_TEXT(text_get(&t), "!B");
  text_clear(&t);
  sdf_condition_text(f.libs, without, &t);
  CHECK_TEXT(text_get(&t), "");
  text_free(&t);
  CHECK(sdf_condition_is(f.libs, with, "B") && sdf_condition_is(f.libs, with, " B==1'b1")
        && sdf_condition_is(f.libs, with, "!(B ~^ 1'b0) || 0"));
  CHECK(sdf_condition_is(f.libs, with, "A & B | !A && B")
        && sdf_condition_is(f.libs, inverted, "B != 1")
        && !sdf_condition_is(f.libs, inverted, "B"));
  CHECK(!sdf_condition_is(f.libs, with, "B &&") && !sdf_condition_is(f.libs, with, "B == 2'b11")
        && !sdf_condition_is(f.libs, without, "B"));
  tear_down(&f);
}

/* --- failures --------------------------------------------------------------------------------- */
static void test_failures_leave_no_trace(void)
{
  static const char good[] = "(DELAYFILE (TIMESCALE 1ps) (CELL (CELLTYPE \"BUF\") (INSTANCE v) "
                             "(DELAY (ABSOLUTE (IOPATH A Y (1:2:3) (4))))"
                             "(TIMINGCHECK (PERIOD (COND A==1'b1 (posedge A)) (1)))) (CELL "
                             "(CELLTYPE \"XOR\") (INSTANCE x) (DELAY (INCREMENT "
                             "(COND B (IOPATH A Y ((1) (2)) (2)))))))";
  Fixture f;
  char text[sizeof good];
  set_up(&f);
  CHECK(read_cell(&f, "BUF", "v", "(DELAY (ABSOLUTE (IOPATH A Y (7))))") == OK);
  uint64_t version = f.annotations->version;
  for (size_t length = 1; length < sizeof good - 1; length++) {
    memcpy(text, good, length);
    text[length] = '\0';
    CHECK(read_text(&f, text) == FAILED && log_take_error(f.log) != NULL);
  }
  CHECK(f.annotations->version == version && f.annotations->records.len == 1
        && f.annotations->unused.len == 0);
  CHECK(cell_value(&f, "v/A", "v/Y", ARC_COMBINATIONAL, 0, LATE, RISE, RISE) == 7);
  CHECK(read_text(&f, good) == OK);
  tear_down(&f);
}

/* A file whose words cross the window's end, and deep nesting. */
static void test_long(void)
{
  Fixture f;
  Text t = { 0 };
  set_up(&f);
  text_put(&t, "(DELAYFILE (DIVIDER /) (TIMESCALE 1ps)\n");
  for (int i = 0; i < 20000; i++)
    text_printf(
        &t,
        "(CELL (CELLTYPE \"BUF\") (INSTANCE v) (DELAY (ABSOLUTE (IOPATH A Y (%d::%d) (%d)))))\n", i,
        i, i);
  text_put(&t, ")");
  CHECK(read_text(&f, text_get(&t)) == OK);
  CHECK(f.read.delays_used == 20000
        && cell_value(&f, "v/A", "v/Y", ARC_COMBINATIONAL, 0, LATE, FALL, FALL) == 19999);
  text_clear(&t);
  text_put(&t, "(DELAYFILE (LATER ");
  for (int i = 0; i < 100000; i++) text_char(&t, '(');
  CHECK(read_text(&f, text_get(&t)) == FAILED && log_take_error(f.log));
  text_clear(&t);
  text_put(
      &t,
      "(DELAYFILE (TIMESCALE 1ps) (CELL (CELLTYPE \"XOR\") (INSTANCE x) (DELAY (ABSOLUTE (COND ");
  for (int i = 0; i < 100000; i++) text_char(&t, '(');
  text_char(&t, 'B');
  for (int i = 0; i < 100000; i++) text_char(&t, ')');
  text_put(&t, " (IOPATH A Y (1)))))))");
  CHECK(read_text(&f, text_get(&t)) == OK && f.read.delays_used == 0);
  text_free(&t);
  tear_down(&f);
}

/* --- edits ------------------------------------------------------------------------------------ */
static void test_forgetting(void)
{
  Fixture f;
  set_up(&f);
  CHECK(read_cell(&f, "top", "", "(DELAY (ABSOLUTE (PORT t1/A (1)) (PORT v/A (2)) (PORT y (3))))")
        == OK);
  annotations_forget_wires(f.annotations, f.n, pin(&f, "v/A"));
  CHECK(f.annotations->count[ANNOTATE_WIRE] == 3
        && isnan(wire_value(&f, "e.f[2]/Y", "v/A", LATE, RISE)));
  annotations_forget_wires(f.annotations, f.n, pin(&f, "t1/Y"));
  CHECK(f.annotations->count[ANNOTATE_WIRE] == 2 && wire_value(&f, "t2/Y", "y", LATE, RISE) == 3);
  CHECK(read_cell(
            &f, "DFF", "r",
            "(DELAY (ABSOLUTE (IOPATH CK Q (1)))) (TIMINGCHECK (HOLD D CK (1)) (PERIOD CK (1)))")
        == OK);
  InstId r = netlist_find_inst(f.n, TOP_INST, "r", '/');
  annotations_forget_cell(f.annotations, f.n, r, netlist_inst_cell(f.n, r));
  CHECK(f.annotations->count[ANNOTATE_CELL] == 0 && f.annotations->count[ANNOTATE_CHECK] == 0
        && f.annotations->count[ANNOTATE_PERIOD] == 0 && f.annotations->count[ANNOTATE_WIRE] == 2);
  tear_down(&f);
}

/* --- invalid files ---------------------------------------------------------------------------- */
static void read_invalid(const char *path, Text *messages)
{
  Fixture f;
  set_up(&f);
  if (read_sdf(f.annotations, f.n, path, &f.options, f.log, NULL) == FAILED) {
    text_put(messages, log_take_error(f.log));
    CHECK(f.annotations->records.len == 0);
  } else {
    text_put(messages, test_log_text());
  }
  tear_down(&f);
}

static void test_invalid(void) { check_invalid("sdf", "input.sdf", 15, read_invalid); }

void suite_sdf(void)
{
  CU_pSuite s = CU_add_suite("sdf", NULL, NULL);
  CU_add_test(s, "delays of arcs", test_paths);
  CU_add_test(s, "edges and three states", test_edges);
  CU_add_test(s, "conditions", test_conditions);
  CU_add_test(s, "conditions that the library lacks", test_cond_use);
  CU_add_test(s, "increments", test_increments);
  CU_add_test(s, "devices, pulses, retention", test_devices_and_pulses);
  CU_add_test(s, "wires", test_wires);
  CU_add_test(s, "names", test_names);
  CU_add_test(s, "what the design does not have", test_unknown);
  CU_add_test(s, "checks", test_checks);
  CU_add_test(s, "conditions of checks", test_check_conditions);
  CU_add_test(s, "texts of conditions", test_condition_texts);
  CU_add_test(s, "failures leave no trace", test_failures_leave_no_trace);
  CU_add_test(s, "long files and deep ones", test_long);
  CU_add_test(s, "edits forget", test_forgetting);
  CU_add_test(s, "invalid files", test_invalid);
}
