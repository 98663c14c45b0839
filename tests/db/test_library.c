/* The cell library database: functions, tables, look-up, equivalence, begin/commit/rollback. */
#include "db/library.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tests/small.h"
#include "tests/unit.h"

static Small *small;
static LibrarySet *set;

static void begin(void)
{
  small = small_start();
  set = small->libs;
}

static void end(void) { small_free(small); }

static NameId name(const char *text) { return small_name(small, text); }

static PortId port(CellId cell, const char *text)
{
  return library_find_port(set, cell, name(text));
}

static const char *form_of(CellId cell, const char *function)
{
  static char form[200];
  const char *bad = NULL;
  Text t = { 0 };
  FunctionId f = library_parse_function(set, cell, function, &bad);
  if (f == NO_FUNCTION) text_printf(&t, "bad at %d", (int)(bad - function));
  library_function_text(set, f, &t);
  snprintf(form, sizeof form, "%s", text_get(&t));
  text_free(&t);
  return form;
}

static void test_parse(void)
{
  begin();
  CellId c = small_gate(small, small_library(small, "l", true, true), "G", "ABCD", "A");
  small_port(small, c, "E[3]", DIR_INPUT);
  CHECK_TEXT(form_of(c, "!A & (B | C)"), "!A*(B+C)");
  CHECK_TEXT(form_of(c, "A'"), "!A");
  CHECK_TEXT(form_of(c, "(A B)'"), "!(A*B)");
  CHECK_TEXT(form_of(c, "A B + C D"), "(A*B)+(C*D)");
  CHECK_TEXT(form_of(c, "A + B ^ C * D"), "A+((B^C)*D)");
  CHECK_TEXT(form_of(c, "A&&B||~C"), "(A*B)+!C");
  CHECK_TEXT(form_of(c, "A!B"), "A*!B");
  CHECK_TEXT(form_of(c, "E[3] + E\\[3\\]"), "E[3]+E[3]");
  CHECK_TEXT(form_of(c, "0 | 1'b1"), "0+1");
  CHECK_TEXT(form_of(c, "\"A\" ^ B"), "A^B");
  CHECK_TEXT(form_of(c, "A & X"), "bad at 4");
  CHECK_TEXT(form_of(c, "A & "), "bad at 4");
  CHECK_TEXT(form_of(c, "A & (B"), "bad at 6");
  CHECK_TEXT(form_of(c, "A ) B"), "bad at 2");
  CHECK_TEXT(form_of(c, ""), "bad at 0");
  CHECK_TEXT(form_of(c, "A = B"), "bad at 2");
  end();
}

/* A hundred thousand open parentheses and inversions: no recursion; depth of values is limited. */
static void test_parse_hostile(void)
{
  enum { N = 100000 };
  begin();
  CellId c = small_gate(small, small_library(small, "l", true, true), "G", "AB", "A");
  Text t = { 0 };
  const char *bad;
  uint32_t before = set->function_ops.len;
  for (int i = 0; i < N; i++) text_put(&t, "!(");
  CHECK(library_parse_function(set, c, text_get(&t), &bad) == NO_FUNCTION);
  text_clear(&t);
  for (int i = 0; i < 100; i++) text_put(&t, "A*(");
  text_put(&t, "B");
  for (int i = 0; i < 100; i++) text_put(&t, ")");
  CHECK(library_parse_function(set, c, text_get(&t), &bad) == NO_FUNCTION);
  CHECK(set->function_ops.len == before);
  text_free(&t);
  end();
}

static int value_of(void *data, PortId p) { return ((const int *)data)[p]; }

static void test_eval(void)
{
  begin();
  CellId c = small_gate(small, small_library(small, "l", true, true), "G", "ABC", "(A&B)|(!A&C)");
  FunctionId f = set->ports.at[port(c, "Y")].function;
  CHECK(library_eval(set, f, value_of, (int[]){ 1, 0, 1, 2 }) == 0);
  CHECK(library_eval(set, f, value_of, (int[]){ 0, 0, 1, 2 }) == 1);
  CHECK(library_eval(set, f, value_of, (int[]){ 0, 2, 0, 2 }) == 0);
  CHECK(library_eval(set, f, value_of, (int[]){ 2, 0, 0, 2 }) == 0);
  CHECK(library_eval(set, f, value_of, (int[]){ 2, 1, 1, 2 }) == 2);
  CHECK(library_eval(set, NO_FUNCTION, value_of, NULL) == 2);
  end();
}

static uint32_t sense(CellId c, const char *function, const char *of)
{
  const char *bad;
  return library_function_sense(set, library_parse_function(set, c, function, &bad), port(c, of));
}

static void test_sense(void)
{
  begin();
  CellId c = small_gate(small, small_library(small, "l", true, true), "G", "ABCD", "A");
  CHECK(sense(c, "A & B", "A") == 1);
  CHECK(sense(c, "!(A & B)", "B") == 2);
  CHECK(sense(c, "A ^ B", "A") == 3);
  CHECK(sense(c, "(A&B)|(!A&C)", "A") == 3);
  CHECK(sense(c, "(A&B)|(A&!B)", "B") == 0);
  CHECK(sense(c, "A & B", "C") == 0);
  CHECK(sense(c, "A + A'", "A") == 0);
  end();
}

static uint32_t sense_with(CellId c, const char *function, const char *of, const int *values)
{
  const char *bad;
  return library_sense_given(set, library_parse_function(set, c, function, &bad), port(c, of),
                             value_of, (void *)values);
}

static int exact_value(CellId c, const char *function, const int *values)
{
  const char *bad;
  return library_value(set, library_parse_function(set, c, function, &bad),
                       values ? value_of : NULL, (void *)values);
}

/* Whatever the unknown inputs are; values of A, B, C. */
static void test_value(void)
{
  begin();
  CellId c = small_gate(small, small_library(small, "l", true, true), "G", "ABC", "A");
  CHECK(exact_value(c, "A + !A", NULL) == 1);
  CHECK(exact_value(c, "A ^ A", NULL) == 0);
  CHECK(exact_value(c, "A + B", NULL) == 2);
  CHECK(exact_value(c, "(B & C) | (B & !C)", (int[]){ 2, 1, 2, 2 }) == 1);
  CHECK(exact_value(c, "A & !C | B & C", (int[]){ 1, 1, 2, 2 }) == 1);
  CHECK(exact_value(c, "A & !C | B & C", (int[]){ 1, 0, 2, 2 }) == 2);
  CHECK(library_value(set, NO_FUNCTION, NULL, NULL) == 2);
  CHECK(sense_with(c, "A ^ B", "A", (int[]){ 2, 1, 2, 2 }) == 2);
  CHECK(sense_with(c, "A ^ B", "A", (int[]){ 2, 0, 2, 2 }) == 1);
  CHECK(sense_with(c, "A & B | !A & C", "A", (int[]){ 0, 1, 1, 2 }) == 0);
  CHECK(sense_with(c, "A & B | !A & C", "A", (int[]){ 0, 1, 2, 2 }) == 1);
  end();
}

/* Over sixteen unknown variables the answer comes from the form: constants there take out what they
   decide. */
static void test_value_of_many(void)
{
  begin();
  CellId c = small_bare_cell(small, small_library(small, "l", true, true), "WIDE");
  Text t = { 0 };
  int values[23];
  for (int i = 0; i < 22; i++) {
    char pin[8];
    snprintf(pin, sizeof pin, "A%d", i);
    small_port(small, c, pin, DIR_INPUT);
    text_printf(&t, "%s%s", i == 0 ? "" : i == 1 ? " & (" : " + ", pin);
    values[i] = 2;
  }
  values[22] = 2;
  text_put(&t, ")");
  CHECK(exact_value(c, text_get(&t), values) == 2);
  CHECK(sense_with(c, text_get(&t), "A0", values) == 1);
  values[0] = 0;
  CHECK(exact_value(c, text_get(&t), values) == 0);
  CHECK(sense_with(c, text_get(&t), "A5", values) == 0);
  values[0] = 2;
  values[1] = 1;
  CHECK(sense_with(c, text_get(&t), "A5", values) == 0);
  CHECK(sense_with(c, text_get(&t), "A0", values) == 1);
  Text inverted = { 0 };
  text_printf(&inverted, "A1 ^ (%s)", text_get(&t));
  CHECK(sense_with(c, text_get(&inverted), "A0", values) == 2);
  text_free(&inverted);
  text_free(&t);
  end();
}

/* Over sixteen variables the answer comes from the form, and must not miss a dependence. */
static void test_sense_of_many(void)
{
  begin();
  CellId c = small_bare_cell(small, small_library(small, "l", true, true), "WIDE");
  Text t = { 0 };
  for (int i = 0; i < 40; i++) {
    char pin[8];
    snprintf(pin, sizeof pin, "A%d", i);
    small_port(small, c, pin, DIR_INPUT);
    text_printf(&t, "%s%s%s", i ? " & " : "", i == 7 ? "!" : "", pin);
  }
  CHECK(sense(c, text_get(&t), "A0") == 1);
  CHECK(sense(c, text_get(&t), "A7") == 2);
  text_put(&t, " ^ A3");
  CHECK(sense(c, text_get(&t), "A39") == 3);
  text_free(&t);
  end();
}

static void test_equivalent(void)
{
  begin();
  LibraryId l = small_library(small, "l", true, true);
  CellId nand1 = small_gate(small, l, "NAND_X1", "AB", "!(A & B)"),
         nand2 = small_gate(small, l, "NAND_X2", "AB", "A' + B'");
  CellId nor = small_gate(small, l, "NOR_X1", "AB", "!(A | B)"),
         inv = small_gate(small, l, "INV_X1", "A", "!A");
  CellId buf = small_gate(small, l, "BUF_X1", "A", "(A')'"),
         tie = small_gate(small, l, "TIE", "", "1");
  CHECK(library_cells_equivalent(set, nand1, nand2));
  CHECK(library_cells_equivalent(set, nand2, nand1));
  CHECK(!library_cells_equivalent(set, nand1, nor));
  CHECK(!library_cells_equivalent(set, nand1, inv));
  CHECK(!library_cells_equivalent(set, buf, inv));
  CHECK(library_cell_is_buffer(set, buf) && !library_cell_is_inverter(set, buf));
  CHECK(library_cell_is_inverter(set, inv) && !library_cell_is_buffer(set, inv));
  CHECK(!library_cell_is_buffer(set, nand1) && !library_cell_is_buffer(set, tie));
  set->cells.at[nand2].flags |= CELL_DONT_USE;
  CHECK(library_cells_equivalent(set, nand1, nand2));
  set->cells.at[nand2].flags |= CELL_MACRO;
  CHECK(!library_cells_equivalent(set, nand1, nand2));
  end();
}

/* A flip-flop whose state variable has the given name. */
static CellId add_flop(LibraryId l, const char *text, const char *state, const char *data)
{
  const char *bad;
  CellId c = small_bare_cell(small, l, text);
  small_port(small, c, "CK", DIR_INPUT);
  small_port(small, c, "D", DIR_INPUT);
  PortId q = small_port(small, c, "Q", DIR_OUTPUT), s = small_port(small, c, state, DIR_INTERNAL);
  set->ports.at[s].is_state = true;
  set->ports.at[q].function = library_parse_function(set, c, state, &bad);
  array_push(&set->sequentials,
             (LibSequential){ .clock = library_parse_function(set, c, "CK", &bad),
                              .data = library_parse_function(set, c, data, &bad),
                              .clear = NO_FUNCTION,
                              .preset = NO_FUNCTION,
                              .state = s,
                              .state_inverted = NO_PORT });
  set->cells.at[c].sequential_count = 1;
  set->cells.at[c].flags = CELL_SEQUENTIAL;
  return c;
}

static void test_equivalent_flops(void)
{
  begin();
  LibraryId l = small_library(small, "l", true, true);
  CellId a = add_flop(l, "A", "IQ", "D"), b = add_flop(l, "B", "state", "D"),
         c = add_flop(l, "C", "IQ", "!D");
  CHECK(library_cells_equivalent(set, a, b));
  CHECK(!library_cells_equivalent(set, a, c));
  end();
}

static void test_tables(void)
{
  begin();
  float slew[] = { 1, 3 }, load[] = { 0, 10, 20 }, v[] = { 0, 1, 2, 10, 11, 12 }, one = 7;
  TableId t = library_add_table(set, slew, 2, load, 3, v);
  CHECK_NEAR(library_table_value(set, t, 1, 0), 0, 0);
  CHECK_NEAR(library_table_value(set, t, 2, 5), 5.5, 1e-6);
  CHECK_NEAR(library_table_value(set, t, 5, 30), 23, 1e-5);
  CHECK_NEAR(library_table_value(set, t, -1, -10), -11, 1e-5);
  TableId by_load = library_add_table(set, NULL, 0, load, 3, v);
  CHECK_NEAR(library_table_value(set, by_load, 99, 5), 0.5, 1e-6);
  TableId scalar = library_add_table(set, NULL, 0, NULL, 0, &one);
  CHECK_NEAR(library_table_value(set, scalar, 3, 4), 7, 0);
  end();
}

static CellId committed_gate(LibraryId l, const char *text)
{
  LibraryMark mark = library_begin(set);
  CellId c = small_gate(small, l, text, "AB", "A & B");
  library_commit(set, &mark);
  return c;
}

static void test_early_late(void)
{
  begin();
  LibraryId late = small_library(small, "late", false, true),
            early = small_library(small, "early", true, false);
  CellId l = committed_gate(late, "AND"), e = committed_gate(early, "AND"),
         alone = committed_gate(late, "ONLY");
  CHECK(library_find_cell(set, name("AND")) == l);
  CHECK(library_cell_for(set, l, LATE) == l);
  CHECK(library_cell_for(set, l, EARLY) == e);
  CHECK(library_cell_for(set, e, LATE) == l);
  CHECK(library_cell_for(set, alone, EARLY) == alone);
  CHECK(library_find_cell_in(set, early, name("AND")) == e);
  CHECK(library_find_cell_in(set, early, name("ONLY")) == NO_CELL);
  CHECK(library_find(set, "early") == early && library_find(set, "none") == NO_LIBRARY);
  end();
}

static LibArcId add_arc(CellId c, const char *from, ArcSense s, FunctionId when)
{
  array_push(&set->arcs,
             (LibArc){
                 .from = port(c, from), .to = port(c, "Y"), .sense = (uint8_t)s, .when = when });
  set->cells.at[c].arc_count++;
  return set->arcs.len - 1;
}

static void test_arc_for(void)
{
  begin();
  const char *bad;
  LibraryId late = small_library(small, "late", false, true),
            early = small_library(small, "early", true, false);
  CellId l = committed_gate(late, "AND");
  LibArcId a = add_arc(l, "A", SENSE_POSITIVE, library_parse_function(set, l, "B", &bad));
  LibArcId b = add_arc(l, "B", SENSE_POSITIVE, NO_FUNCTION),
           again = add_arc(l, "B", SENSE_POSITIVE, NO_FUNCTION);
  CellId e = committed_gate(early, "AND");
  LibArcId eb = add_arc(e, "B", SENSE_POSITIVE, NO_FUNCTION);
  LibArcId ea = add_arc(e, "A", SENSE_POSITIVE, library_parse_function(set, e, "B", &bad));
  CHECK(library_same_arc(set, a, e) == ea);
  CHECK(library_same_arc(set, b, e) == eb);
  CHECK(library_same_arc(set, again, e) == eb);
  CHECK(library_same_arc(set, ea, l) == a);
  CHECK(library_same_arc(set, a, l) == a);
  set->arcs.at[ea].sense = SENSE_NEGATIVE;
  CHECK(library_same_arc(set, a, e) == NO_LIB_ARC);
  end();
}

static void test_rollback(void)
{
  begin();
  LibraryId l = small_library(small, "l", true, true);
  CellId kept = committed_gate(l, "AND");
  uint32_t map_sizes[] = { map_count(set->port_by_name), map_count(set->cell_by_name),
                           map_count(set->cell_in) };
  LibraryMark mark = library_begin(set);
  CellId gone = small_gate(small, small_library(small, "m", true, true), "AND", "AB", "A | B");
  map_put(set->cell_in, hash_pair(1, name("AND")), gone);
  library_rollback(set, &mark);
  CHECK(set->libraries.len == 1 && set->cells.len == 1 && set->ports.len == 3);
  CHECK(library_find_cell(set, name("AND")) == kept);
  CHECK(library_find_port(set, kept, name("Y")) == 2);
  CHECK(map_count(set->port_by_name) == map_sizes[0]
        && map_count(set->cell_by_name) == map_sizes[1]);
  CHECK(map_count(set->cell_in) == map_sizes[2]);
  end();
}

static void test_black_box(void)
{
  begin();
  CellId a = library_add_black_box(set, name("RAM")), b = library_add_black_box(set, name("ROM"));
  PortId x = library_add_black_box_port(set, a, name("X"), DIR_UNKNOWN);
  library_add_black_box_port(set, b, name("X"), DIR_INPUT);
  CHECK(library_add_black_box_port(set, a, name("X"), DIR_UNKNOWN) == x);
  library_add_black_box_port(set, a, name("Y"), DIR_OUTPUT);
  const LibCell *cell = &set->cells.at[a];
  CHECK(cell->port_count == 2);
  CHECK(library_find_port(set, a, name("X")) == cell->first_port
        && library_find_port(set, a, name("Y")) == cell->first_port + 1);
  CHECK(library_find_port(set, b, name("X")) == set->cells.at[b].first_port);
  CHECK(library_find_cell(set, name("RAM")) == a);
  CHECK(library_cell_for(set, a, EARLY) == a && !library_cells_equivalent(set, a, b));
  CellId real = committed_gate(small_library(small, "l", true, true), "RAM");
  CHECK(library_find_cell(set, name("RAM")) == real);
  end();
}

static void test_arc_edges(void)
{
  LibArc arc = { .type = ARC_COMBINATIONAL, .sense = SENSE_NEGATIVE, .output_edges = 3 };
  CHECK(lib_arc_input_edges(&arc, RISE) == 1u << FALL
        && lib_arc_input_edges(&arc, FALL) == 1u << RISE);
  arc.output_edges = 1 << FALL;
  CHECK(lib_arc_input_edges(&arc, RISE) == 0);
  arc = (LibArc){ .type = ARC_CLOCK_FALL, .sense = SENSE_NONE, .edge = FALL, .output_edges = 3 };
  CHECK(lib_arc_input_edges(&arc, RISE) == 1u << FALL);
  arc = (LibArc){ .type = ARC_SETUP, .sense = SENSE_NONE, .edge = RISE, .output_edges = 3 };
  CHECK(lib_arc_input_edges(&arc, FALL) == 1u << RISE);
  CHECK_TEXT(arc_type_name(ARC_CLOCK_RISE), "Reg Clk to Q");
  CHECK_TEXT(arc_type_name(ARC_MIN_PULSE_WIDTH), "width");
}

void suite_library(void)
{
  CU_pSuite suite = CU_add_suite("library", NULL, NULL);
  CU_add_test(suite, "functions: precedence, escapes, errors", test_parse);
  CU_add_test(suite, "functions: hostile nesting", test_parse_hostile);
  CU_add_test(suite, "functions: three-valued evaluation", test_eval);
  CU_add_test(suite, "functions: sense", test_sense);
  CU_add_test(suite, "functions: sense of many variables", test_sense_of_many);
  CU_add_test(suite, "functions: values that some inputs decide", test_value);
  CU_add_test(suite, "functions: the same of many variables", test_value_of_many);
  CU_add_test(suite, "equivalent gates, buffers, inverters", test_equivalent);
  CU_add_test(suite, "equivalent flip-flops", test_equivalent_flops);
  CU_add_test(suite, "table values", test_tables);
  CU_add_test(suite, "early and late libraries", test_early_late);
  CU_add_test(suite, "arcs of the other library", test_arc_for);
  CU_add_test(suite, "rollback", test_rollback);
  CU_add_test(suite, "black boxes", test_black_box);
  CU_add_test(suite, "arc edges and names", test_arc_edges);
}
