/* The Liberty reader: what each construct becomes, units, bad files, and the libraries of
   ../shared. */
#include "read/liberty/liberty.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
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

static Status read_text(const char *text)
{
  static const LibertyOptions both = { false, false, NULL };
  return read_liberty_text(set, "x.lib", text, &both, small->log);
}

#define HEAD "library (l) {\n  time_unit : \"1ns\";\n  capacitive_load_unit (1, pf);\n"
#define TEMPLATES                                                                         \
  "lu_table_template (d) { variable_1 : input_net_transition; variable_2 : "              \
      "total_output_net_capacitance;\n"                                                   \
  "  index_1 (\"0.01, 0.1\"); index_2 (\"0.001, 0.002, 0.003\"); }\n"                     \
  "lu_table_template (turned) { variable_1 : total_output_net_capacitance; variable_2 : " \
      "input_net_transition;\n"                                                           \
  "  index_1 (\"0.001, 0.002, 0.003\"); index_2 (\"0.01, 0.1\"); }\n"                     \
  "lu_table_template (check) { variable_1 : constrained_pin_transition; variable_2 : "    \
      "related_pin_transition;\n"                                                         \
  "  index_1 (\"0.01, 0.1\"); index_2 (\"0.02, 0.2, 0.4\"); }\n"
#define SCALARS "cell_rise (scalar) { values (\"1\"); } cell_fall (scalar) { values (\"2\"); }"

static CellId cell(const char *name)
{
  return library_find_cell(set, small_name(small, name));
}

static PortId port(const char *cell_name, const char *name)
{
  return library_find_port(set, cell(cell_name), small_name(small, name));
}

static const LibPort *port_at(const char *cell_name, const char *name)
{
  PortId p = port(cell_name, name);
  return p == NO_PORT ? NULL : &set->ports.at[p];
}

/* The n-th arc of a cell; a zero one when there are fewer. */
static const LibArc *arc(const char *cell_name, uint32_t n)
{
  static const LibArc none;
  const LibCell *lib_cell = &set->cells.at[cell(cell_name)];
  return n < lib_cell->arc_count ? &set->arcs.at[lib_cell->first_arc + n] : &none;
}

static const char *function_text(FunctionId f)
{
  static char form[200];
  Text t = { 0 };
  library_function_text(set, f, &t);
  snprintf(form, sizeof form, "%s", text_get(&t));
  text_free(&t);
  return form;
}

/* Every statement form: quoted or not, semicolons missing, continuations, comments, both kinds of
   names. */
static void test_syntax(void)
{
  begin();
  CHECK(
      read_text(
          "// one\n/* two */ library (\"l\") {\r\n  time_unit : 1ns\n  capacitive_load_unit(1,pf)\n"
          "  comment : \"a \\\"b\\\" } { ; // c\";\n  date : 1 / 2 // not this\n  vimax : VDD + "
          "0.5;\n  technology (cmos) ;;\n"
          "  define (x, cell, string); define_group (g, cell);\n"
          "  cell (\"C\") { g (h) { deep (er) { a : \"}\"; /* } */ } } x : \"y\";\n"
          "    area : 2.5 /* square */ ; pin (A\\[0\\], \"A<1>\") { direction : input }\n"
          "    pin (\"B C\") { direction : \"inout\"; } pin (D_0_) { capacitance : 1 } }\n}\n")
      == OK);
  CHECK_NEAR(set->cells.at[cell("C")].area, 2.5, 0);
  CHECK(port_at("C", "A[0]") && port_at("C", "A[0]")->direction == DIR_INPUT);
  CHECK(port_at("C", "A<1>") && port_at("C", "B") && port_at("C", "C")->direction == DIR_INOUT);
  CHECK_NEAR(port_at("C", "D_0_")->cap_nominal, 1000, 0);
  end();
}

static void test_units(void)
{
  begin();
  CHECK(read_text("library (l) { time_unit : \"10ps\"; capacitive_load_unit (100, ff); "
                  "leakage_power_unit : 1uW;\n"
                  "pulling_resistance_unit : \"1ohm\"; voltage_unit : 1mV; current_unit : 1uA; "
                  "default_max_transition : 2;\n"
                  "wire_load (w) { resistance : 5; capacitance : 2; slope : 3; fanout_length (1, "
                  "10); fanout_length (2, 25, 1, 2, 3); }\n"
                  "wire_load_selection (s) { wire_load_from_area (0, 100, \"w\"); }\n"
                  "operating_conditions (o) { process : 1; voltage : 1100; temperature : -40; }\n"
                  "slew_lower_threshold_pct_rise : 10; slew_upper_threshold_pct_rise : 90; "
                  "slew_derate_from_library : 0.5;\n"
                  "cell (C) { cell_leakage_power : 3; pin (A) { capacitance : 2; max_transition : "
                  "4; min_period : 1; } } }")
        == OK);
  const Library *library = &set->libraries.at[0];
  CHECK_NEAR(library->default_max_slew, 20, 1e-5);
  CHECK_NEAR(library->slew_lower[RISE], 0.1, 1e-7);
  CHECK_NEAR(library->slew_upper[FALL], 0.8, 1e-7);
  CHECK_NEAR(library->slew_derate, 0.5, 0);
  CHECK_NEAR(port_at("C", "A")->cap_nominal, 200, 1e-4);
  CHECK_NEAR(port_at("C", "A")->max_slew, 40, 1e-4);
  CHECK(isnan(port_at("C", "A")->max_cap));
  CHECK_NEAR(set->cells.at[0].leakage, 3000, 1e-3);
  CHECK_NEAR(set->wire_loads.at[0].resistance, 0.005, 1e-8);
  CHECK(set->wire_loads.at[0].length_count == 2 && set->wire_lengths.at[3] == 25);
  CHECK_NEAR(set->conditions.at[0].voltage, 1.1, 1e-6);
  CHECK(set->selections.len == 1 && set->selections.at[0].max_area == 100);
  end();
}

static void test_tables(void)
{
  begin();
  CHECK(read_text(HEAD TEMPLATES
                  "cell (C) { pin (A) { direction : input; } pin (Y) { direction : output; "
                  "function : \"!A\";\n"
                  "timing () { related_pin : \"A\";\n"
                  "cell_rise (d) { values (\"1, 2, 3\", \\\n \"4, 5, 6\"); }\n"
                  "cell_fall (turned) { values (\"1 2\", \"3 4\", \"5 6\"); }\n"
                  "rise_transition (d) { index_1 (\"0.02, 0.2, 0.3\"); values (\"1, 2, 3, 4, 5, 6, "
                  "7, 8, 9\"); }\n"
                  "fall_transition (scalar) { values (\"0.5\"); }\n"
                  "ocv_sigma_cell_rise (scalar) { sigma_type : early; values (\"0.01\"); }\n"
                  "ocv_sigma_cell_rise (scalar) { sigma_type : \"late\"; values (\"0.02\"); }\n"
                  "ocv_sigma_fall_transition (scalar) { values (\"0.03\"); } } } } }")
        == OK);
  const LibArc *lib_arc = arc("C", 0);
  const Table *rise = &set->tables.at[lib_arc->delay[RISE]],
              *fall = &set->tables.at[lib_arc->delay[FALL]];
  CHECK(rise->n1 == 2 && rise->n2 == 3 && fall->n1 == 2 && fall->n2 == 3);
  CHECK_NEAR(library_table_value(set, lib_arc->delay[RISE], 100, 2), 5000, 1e-2);
  CHECK_NEAR(library_table_value(set, lib_arc->delay[FALL], 100, 2), 4000, 1e-2);
  CHECK(set->tables.at[lib_arc->slew[RISE]].n1 == 3);
  CHECK_NEAR(library_table_value(set, lib_arc->slew[FALL], 1, 1), 500, 1e-3);
  CHECK_NEAR(library_table_value(set, lib_arc->sigma_delay[condition_of(EARLY, RISE)], 0, 0), 10,
             1e-4);
  CHECK_NEAR(library_table_value(set, lib_arc->sigma_delay[condition_of(LATE, RISE)], 0, 0), 20,
             1e-4);
  CHECK(lib_arc->sigma_delay[condition_of(LATE, FALL)] == NO_TABLE);
  CHECK(lib_arc->sigma_slew[condition_of(EARLY, FALL)] != NO_TABLE
        && lib_arc->sigma_slew[condition_of(LATE, FALL)] != NO_TABLE);
  CHECK(lib_arc->sense == SENSE_NEGATIVE && lib_arc->type == ARC_COMBINATIONAL);
  end();
}

static void test_capacitances(void)
{
  begin();
  CHECK(read_text("library (l) { time_unit : 1ns; capacitive_load_unit (1, ff); "
                  "default_input_pin_cap : 7; default_output_pin_cap : 0.5;\n"
                  "cell (C) { pin (A) { direction : input; capacitance : 2; rise_capacitance : 3; "
                  "rise_capacitance_range (1, 4); }\n"
                  "pin (B) { direction : input; } pin (Y) { direction : output; }\n"
                  "pin (N) { direction : internal; }  pin (F) { rise_capacitance : 5; "
                  "fall_capacitance : 6; } } }")
        == OK);
  const LibPort *port = port_at("C", "A");
  CHECK(port->cap[0] == 1 && port->cap[1] == 2 && port->cap[2] == 4 && port->cap[3] == 2
        && port->cap_nominal == 2);
  CHECK(port_at("C", "B")->cap[1] == 7 && port_at("C", "Y")->cap[2] == 0.5f
        && port_at("C", "N")->cap[0] == 0);
  CHECK(port_at("C", "F")->cap[0] == 5 && port_at("C", "F")->cap[3] == 6
        && port_at("C", "F")->cap_nominal == 6);
  end();
}

static void test_flop(void)
{
  begin();
  CHECK(read_text(HEAD TEMPLATES
                  "cell (C) { ff (IQ, \"IQN\") { clocked_on : \"CK\"; next_state : \"D & E\"; "
                  "clear : \"!R\"; }\n"
                  "pin (D) { direction : input; timing () { related_pin : CK; timing_type : "
                  "setup_rising; when : \"E\"; sdf_cond : \"E == 1\";\n"
                  "  rise_constraint (check) { values (\"1,2,3\", \"4,5,6\"); } } }\n"
                  "pin (E) { direction : input; } pin (R) { direction : input; timing () { "
                  "related_pin : CK; timing_type : recovery_rising;\n"
                  "  rise_constraint (scalar) { values (\"1\"); } } }\n"
                  "pin (CK) { direction : input; clock : true; min_pulse_width_low : 0.25; timing "
                  "() { timing_type : min_pulse_width;\n"
                  "  rise_constraint (scalar) { values (\"0.5\"); } } }\n"
                  "pin (IQN) { direction : internal; }\n"
                  "pin (Q) { direction : output; function : \"IQ\"; timing () { related_pin : "
                  "\"CK\"; timing_type : rising_edge; " SCALARS " }\n"
                  "  timing () { related_pin : \"R\"; timing_type : clear; " SCALARS " } }\n"
                  "pin (QN) { direction : output; function : \"IQN\"; timing () { related_pin : "
                  "\"R\"; timing_type : preset; " SCALARS " } } } }")
        == OK);
  const LibCell *lib_cell = &set->cells.at[cell("C")];
  CHECK(lib_cell->sequential_count == 1 && (lib_cell->flags & CELL_SEQUENTIAL));
  const LibSequential *sequential = &set->sequentials.at[lib_cell->first_sequential];
  CHECK_TEXT(function_text(sequential->data), "D*E");
  CHECK(sequential->state == port("C", "IQ") && set->ports.at[sequential->state].is_state
        && !set->ports.at[sequential->state_inverted].is_state);
  const LibArc *setup = arc("C", 0), *recovery = arc("C", 1), *width = arc("C", 2),
               *clk = arc("C", 3), *clear = arc("C", 4);
  CHECK(setup->type == ARC_SETUP && setup->edge == RISE && setup->to == port("C", "D")
        && setup->output_edges == 1);
  CHECK(set->tables.at[setup->delay[RISE]].n1 == 3 && set->tables.at[setup->delay[RISE]].n2 == 2);
  CHECK_NEAR(library_table_value(set, setup->delay[RISE], 200, 100), 5000, 1e-2);
  CHECK_TEXT(function_text(setup->when), "E");
  CHECK_TEXT(names_text(small->names, setup->sdf_cond), "E == 1");
  CHECK(recovery->type == ARC_RECOVERY && width->type == ARC_MIN_PULSE_WIDTH
        && width->from == width->to);
  CHECK_NEAR(port_at("C", "CK")->min_pulse_low, 250, 1e-3);
  CHECK(clk->type == ARC_CLOCK_RISE && clk->sense == SENSE_NONE
        && lib_arc_input_edges(clk, FALL) == 1u << RISE);
  CHECK(clear->type == ARC_CLEAR && clear->sense == SENSE_POSITIVE
        && clear->output_edges == 1 << FALL);
  CHECK(arc("C", 5)->type == ARC_PRESET && arc("C", 5)->sense == SENSE_NEGATIVE
        && arc("C", 5)->output_edges == 1 << RISE);
  end();
}

/* Cells are equivalent whose states follow the same data at the same edge. */
static void test_states(void)
{
  static const char *const states[] = { "clocked_on : CK; next_state : D;",
    "clocked_on : CK; next_state : D;",
    "clocked_on : CK; next_state : \"!D\";", "clocked_on : \"!CK\"; next_state : D;" };
  Text text = { 0 };
  begin();
  text_put(&text, HEAD);
  for (int i = 0; i < 4; i++)
    text_printf(&text, "cell (C%d) { ff (IQ, IQN) { %s } pin (CK) { direction : input; }"
                "  pin (D) { direction : input; }"
                "  pin (Q) { direction : output; function : IQ; } }\n", i, states[i]);
  text_put(&text, "}");
  CHECK(read_text(text_get(&text)) == OK);
  CHECK(library_cells_equivalent(set, cell("C0"), cell("C1")));
  CHECK(!library_cells_equivalent(set, cell("C0"), cell("C2")));
  CHECK(!library_cells_equivalent(set, cell("C0"), cell("C3")));
  text_free(&text);
  end();
}

static void test_latch(void)
{
  begin();
  CHECK(read_text(HEAD "cell (C) { latch (IQ, IQN) { enable : \"!G\"; data_in : \"!D\"; }\n"
                       "pin (D, G) { direction : input; }\n"
                       "pin (Q) { direction : output; function : \"IQN\"; timing () { related_pin "
                       ": \"G\"; timing_type : falling_edge; " SCALARS " }\n"
                       "  timing () { related_pin : \"D\"; " SCALARS " } } } }")
        == OK);
  CHECK(arc("C", 0)->type == ARC_LATCH_ENABLE && arc("C", 0)->edge == FALL);
  CHECK(arc("C", 1)->type == ARC_LATCH_DATA && arc("C", 1)->sense == SENSE_POSITIVE);
  CHECK(lib_arc_input_edges(arc("C", 0), RISE) == 1u << FALL);
  end();
}

static void test_tristate(void)
{
  begin();
  CHECK(read_text(HEAD "cell (C) { pin (A, E) { direction : input; } pin (Z) { direction : output; "
                       "function : \"A\"; three_state : \"!E\";\n"
                       "timing () { related_pin : \"E\"; timing_type : three_state_enable; " SCALARS
                       " }\n"
                       "timing () { related_pin : \"E\"; timing_type : three_state_disable_rise; "
                       "cell_rise (scalar) { values (\"1\"); } } } } }")
        == OK);
  CHECK(arc("C", 0)->type == ARC_TRISTATE_ENABLE
        && lib_arc_input_edges(arc("C", 0), FALL) == 1u << RISE);
  CHECK(arc("C", 1)->type == ARC_TRISTATE_DISABLE
        && lib_arc_input_edges(arc("C", 1), RISE) == 1u << FALL);
  CHECK(lib_arc_input_edges(arc("C", 1), FALL) == 0);
  CHECK_TEXT(function_text(port_at("C", "Z")->three_state), "!E");
  end();
}

static void test_clock_gate(void)
{
  begin();
  CHECK(read_text(
            HEAD "cell (C) { clock_gating_integrated_cell : \"latch_posedge\";\n"
                 "statetable (\"CK E\", \"M0 M1\") { table : \"L H : - : H, \\\n H - : - : N\"; }\n"
                 "pin (CK) { direction : input; clock : true; clock_gate_clock_pin : \"true\"; }\n"
                 "pin (E) { direction : input; clock_gate_enable_pin : true; } pin (M0) { "
                 "direction : internal; internal_node : M0; }\n"
                 "pin (GCK) { direction : output; state_function : \"CK & M0\"; clock_gate_out_pin "
                 ": true;\n"
                 "  timing () { related_pin : CK; " SCALARS " } } } }")
        == OK);
  const LibCell *lib_cell = &set->cells.at[cell("C")];
  CHECK((lib_cell->flags & (CELL_CLOCK_GATE | CELL_STATETABLE | CELL_SEQUENTIAL))
        == (CELL_CLOCK_GATE | CELL_STATETABLE | CELL_SEQUENTIAL));
  CHECK_TEXT(names_text(small->names, lib_cell->gate_kind), "latch_posedge");
  CHECK(!port_at("C", "M0")->is_state && port_at("C", "M1")->is_state);
  CHECK_TEXT(function_text(port_at("C", "GCK")->function), "CK*M0");
  CHECK(arc("C", 0)->type == ARC_COMBINATIONAL && arc("C", 0)->sense == SENSE_POSITIVE);
  end();
}

static void test_buses(void)
{
  begin();
  CHECK(read_text(
            HEAD
            "type (b4) { base_type : array; data_type : bit; bit_width : 4; bit_from : 3; bit_to : "
            "0; downto : true; }\n"
            "cell (M) { memory () { type : ram; } type (b2) { bit_width : 2; downto : false; }\n"
            "bus (A) { bus_type : b4; direction : input; capacitance : 0.003; pin (A[3:2]) { "
            "capacitance : 0.004; } }\n"
            "bus (B) { bus_type : b2; direction : input; } pin (S) { direction : input; }\n"
            "bus (Q) { bus_type : b4; direction : output; function : \"A & S\";\n"
            "  timing () { related_pin : \"A S\"; " SCALARS " }\n"
            "  timing () { related_pin : \"A[1:0]\"; timing_type : combinational_rise; cell_rise "
            "(scalar) { values (\"1\"); } }\n"
            "  timing () { related_bus_pins : \"A\"; timing_type : combinational_fall; cell_fall "
            "(scalar) { values (\"1\"); } } } } }")
        == OK);
  const LibCell *lib_cell = &set->cells.at[cell("M")];
  BusId a = library_find_bus(set, cell("M"), small_name(small, "A"));
  CHECK(lib_cell->bus_count == 3 && (lib_cell->flags & CELL_MEMORY) && a != NO_BUS);
  CHECK(set->buses.at[a].from == 3 && set->buses.at[a].to == 0
        && set->buses.at[a].first == port("M", "A[3]"));
  CHECK(port("M", "B[0]") + 1 == port("M", "B[1]") && port_at("M", "A[2]")->bus == a);
  CHECK(port_at("M", "A[2]")->cap[0] == 4 && port_at("M", "A[1]")->cap[0] == 3
        && port_at("M", "A[3]")->direction == DIR_INPUT);
  CHECK_TEXT(function_text(port_at("M", "Q[2]")->function), "A[2]*S");
  CHECK(lib_cell->arc_count == 4 + 4 + 2 + 16); /* A to Q and A[1:0] to Q[1:0] bit by bit, S to Q, A
                                                 to Q crosswise */
  CHECK(arc("M", 1)->from == port("M", "A[2]") && arc("M", 1)->to == port("M", "Q[2]")
        && arc("M", 1)->sense == SENSE_POSITIVE);
  CHECK(arc("M", 0)->delay[RISE] == arc("M", 7)->delay[RISE]);
  end();
}

static void test_banks_and_bundles(void)
{
  begin();
  CHECK(read_text(HEAD "cell (C) { ff_bank (IQ, IQN, 2) { clocked_on : CK; next_state : D; } pin "
                       "(CK) { direction : input; }\n"
                       "bundle (D) { members (D1, D2); direction : input; capacitance : 0.001; pin "
                       "(D2) { capacitance : 0.002; } }\n"
                       "bundle (Q) { members (Q1, Q2); direction : output; function : IQ;\n"
                       "  timing () { related_pin : CK; timing_type : rising_edge; " SCALARS
                       " } } } }")
        == OK);
  const LibCell *lib_cell = &set->cells.at[cell("C")];
  CHECK(lib_cell->sequential_count == 2 && lib_cell->arc_count == 2 && lib_cell->bus_count == 0);
  CHECK(port_at("C", "D1")->cap[0] == 1 && port_at("C", "D2")->cap[0] == 2
        && port_at("C", "D2")->direction == DIR_INPUT);
  CHECK_TEXT(function_text(set->sequentials.at[lib_cell->first_sequential + 1].data), "D2");
  CHECK_TEXT(function_text(port_at("C", "Q2")->function), "IQ[1]");
  end();
}

static void test_power(void)
{
  begin();
  CHECK(read_text(HEAD
                  "leakage_power_unit : 1nW; power_lut_template (p) { variable_1 : "
                  "input_transition_time; index_1 (\"0.1, 0.2\"); }\n"
                  "cell (C) { pg_pin (VDD) { pg_type : primary_power; } pg_pin (VSS) { pg_type : "
                  "primary_ground; }\n"
                  "leakage_power () { value : 2; when : \"A\"; } leakage_power () { value : 4; "
                  "when : \"!A\"; }\n"
                  "pin (A) { direction : input; } pin (Y) { direction : output; function : A;\n"
                  "  internal_power () { related_pin : \"A\"; when : \"A\"; rise_power (p) { "
                  "values (\"1, 2\"); } fall_power (scalar) { values (\"3\"); } } } } }")
        == OK);
  CHECK(set->powers.len == 3);
  const LibPower *power = &set->powers.at[0];
  CHECK(power->port == port("C", "Y") && power->related == port("C", "A"));
  CHECK_NEAR(library_table_value(set, power->power[RISE], 200, 0), 2000, 1e-2);
  CHECK_NEAR(set->cells.at[0].leakage, 3, 1e-6);
  CHECK(library_power_pin(set, 0, small_name(small, "VDD")) == DIR_POWER);
  CHECK(library_power_pin(set, 0, small_name(small, "VSS")) == DIR_GROUND);
  CHECK(port_at("C", "VDD") == NULL
        && library_power_pin(set, 0, small_name(small, "A")) == DIR_UNKNOWN);
  end();
}

static uint32_t tallied(const LibertyTally *tally, const char *construct)
{
  for (uint32_t i = 0; i < tally->unused.len; i++)
    if (strcmp(names_text(small->names, tally->unused.at[i].construct), construct) == 0)
      return tally->unused.at[i].count;
  return 0;
}

/* CCS and unknown groups are passed over whole, braces in strings and comments included, and
   counted. */
static void test_unused(void)
{
  begin();
  LibertyTally tally = { 0 };
  LibertyOptions options = { false, false, &tally };
  const char *text =
      HEAD "cell (C) { pin (A) { direction : input; receiver_capacitance () { x : 1; } } pin (Y) { "
           "direction : output; function : A;\n"
           "timing () { related_pin : \"A\"; " SCALARS "\n"
           "output_current_rise () { vector (v) { index_1 (\"1}\"); values (\"1, 2\", \\\n\"3\"); "
           "} /* } */ }\n"
           "output_current_fall () { } } } test_cell () { pin (A) { direction : output; } } } }";
  CHECK(read_liberty_text(set, "x.lib", text, &options, small->log) == OK);
  CHECK(tallied(&tally, "timing.output_current_rise") == 1
        && tallied(&tally, "pin.receiver_capacitance") == 1);
  CHECK(tallied(&tally, "output_current_rise.vector") == 0);
  CHECK(set->cells.at[0].arc_count == 1 && (set->cells.at[0].flags & CELL_TEST_SCAN)
        && port_at("C", "A")->direction == DIR_INPUT);
  liberty_tally_free(&tally);
  end();
}

static void test_min_max(void)
{
  begin();
  LibertyOptions late = { false, true, NULL }, early = { true, false, NULL };
  CHECK(read_liberty_text(set, "l.lib", HEAD "cell (C) { area : 1; } }", &late, small->log) == OK);
  CHECK(read_liberty_text(set, "e.lib", HEAD "cell (C) { area : 2; } }", &early, small->log) == OK);
  CHECK(read_text("library (a) { } library (b) { }") == OK);
  CHECK(set->libraries.len == 4 && cell("C") == 0);
  CHECK(library_cell_for(set, 0, EARLY) == 1 && library_cell_for(set, 0, LATE) == 0);
  end();
}

/* A bad file leaves nothing behind, whatever was read before its error. */
static void test_rollback(void)
{
  begin();
  CHECK(read_text(HEAD "cell (C) { pin (A) { direction : input; } } }") == OK);
  LibraryMark before = library_begin(set);
  uint32_t maps[] = { map_count(set->port_by_name), map_count(set->cell_in),
                      map_count(set->cell_by_name), map_count(set->power_pin_by_name) };
  CHECK(read_text(HEAD TEMPLATES "cell (X) { pg_pin (V) { } pin (A) { direction : input; } pin (Y) "
                                 "{ function : A; timing () { related_pin : A; " SCALARS
                                 " } } } cell (D) { pin (A) { capacitance : ; } } }")
        == FAILED);
  LibraryMark after = library_begin(set);
  CHECK(memcmp(&before, &after, sizeof before) == 0);
  CHECK(maps[0] == map_count(set->port_by_name) && maps[1] == map_count(set->cell_in));
  CHECK(maps[2] == map_count(set->cell_by_name) && maps[3] == map_count(set->power_pin_by_name));
  CHECK(cell("X") == NO_CELL && port("C", "A") == 0);
  end();
}

/* Deep nesting of groups and parentheses costs no stack. */
static void test_deep(void)
{
  begin();
  Text t = { 0 };
  text_put(&t, "library (l) { ");
  for (int i = 0; i < 200000; i++) text_put(&t, "g () { ");
  CHECK(read_text(text_get(&t)) == FAILED);
  text_clear(&t);
  text_put(&t, "library (l) { a ");
  for (int i = 0; i < 200000; i++) text_put(&t, "(");
  CHECK(read_text(text_get(&t)) == FAILED);
  text_free(&t);
  end();
}

/* --- bad and doubtful files ------------------------------------------------------------------- */

static void read_invalid(const char *path, Text *messages_of)
{
  LibertyOptions options = { false, false, NULL };
  begin();
  Status status = read_liberty(set, path, &options, small->log);
  const char *error = log_take_error(small->log);
  text_put(messages_of, status == OK ? test_log_text() : error ? error : "");
  CHECK((status == OK) == (strstr(path, "/warn_") != NULL));
  CHECK(status == OK || (set->cells.len == 0 && set->pool.len == 0));
  end();
}

static void test_invalid(void) { check_invalid("liberty", "input.lib", 40, read_invalid); }

/* --- real libraries --------------------------------------------------------------------------- */

/* Reads it with one note of this number, or "" with no message at all. */
static bool read_shared(const char *relative, const char *code)
{
  LibertyOptions options = { false, false, NULL };
  const char *path = shared_path(relative);
  if (path == NULL) return false;
  CHECK(read_liberty(set, path, &options, small->log) == OK);
  CHECK(log_total(small->log, SEVERITY_WARNING) == 0);
  CHECK(log_total(small->log, SEVERITY_INFO) == (*code != '\0'));
  CHECK(*code == '\0' || log_count(small->log, code) == 1);
  return true;
}

static void test_nangate(void)
{
  begin();
  if (read_shared("data/lib/nangate45/nangate45_typ.lib.gz", "LIB-091")) {
    CHECK(set->cells.len == 134 && set->arcs.len == 1478 && set->sequentials.len == 21);
    CHECK(library_cell_is_buffer(set, cell("BUF_X4"))
          && library_cell_is_inverter(set, cell("INV_X8")));
    CHECK(library_cells_equivalent(set, cell("NAND2_X1"), cell("NAND2_X4")));
    CHECK(library_cells_equivalent(set, cell("DFF_X1"), cell("DFF_X2")));
    CHECK(!library_cells_equivalent(set, cell("NAND2_X1"), cell("NOR2_X1")));
    CHECK(!library_cells_equivalent(set, cell("DFF_X1"), cell("DFFR_X1")));
    CHECK(!library_cells_equivalent(set, cell("DLH_X1"), cell("DLL_X1")));
    CHECK_NEAR(port_at("DLH_X1", "D")->cap[condition_of(EARLY, FALL)], 0.869621, 1e-6);
  }
  end();
}

static void test_asap7(void)
{
  begin();
  if (read_shared("data/lib/asap7_r27/asap7sc7p5t_SEQ_RVT_TT_nldm_201020.lib.gz", "")) {
    const float *cap = port_at("ICGx1_ASAP7_75t_R", "CLK")->cap;
    CHECK_NEAR(cap[0], 1.45405, 1e-5);
    CHECK_NEAR(cap[1], 1.47494, 1e-5);
    CHECK_NEAR(cap[2], 2.13873, 1e-5);
    CHECK_NEAR(cap[3], 2.19131, 1e-5);
    CHECK(port_at("DFFHQNx1_ASAP7_75t_R", "IQN")->direction == DIR_INTERNAL);
  }
  end();
}

void suite_liberty(void)
{
  CU_pSuite suite = CU_add_suite("liberty", NULL, NULL);
  CU_add_test(suite, "syntax", test_syntax);
  CU_add_test(suite, "units and the library's numbers", test_units);
  CU_add_test(suite, "tables", test_tables);
  CU_add_test(suite, "capacitances", test_capacitances);
  CU_add_test(suite, "flip-flop", test_flop);
  CU_add_test(suite, "states", test_states);
  CU_add_test(suite, "latch", test_latch);
  CU_add_test(suite, "three-state", test_tristate);
  CU_add_test(suite, "clock gate", test_clock_gate);
  CU_add_test(suite, "buses", test_buses);
  CU_add_test(suite, "banks and bundles", test_banks_and_bundles);
  CU_add_test(suite, "power", test_power);
  CU_add_test(suite, "constructs not used", test_unused);
  CU_add_test(suite, "early and late", test_min_max);
  CU_add_test(suite, "rollback", test_rollback);
  CU_add_test(suite, "deep nesting", test_deep);
  CU_add_test(suite, "invalid files", test_invalid);
  CU_add_test(suite, "nangate45", test_nangate);
  CU_add_test(suite, "asap7", test_asap7);
}
