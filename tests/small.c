/* Makes the small designs of tests/small.h: writes the library as Liberty text, reads it, and links
   the design. */
#include "tests/small.h"

#include <stdio.h>

#include "read/liberty/liberty.h"
#include "read/spef/spef.h"
#include "read/verilog/verilog.h"
#include "tests/unit.h"

/* Linear in both axes, which go from 0 to 100. */
static void put_plane(Text *text, const char *name, char template, double base, double first,
                      double second)
{
  text_printf(text, "%s (%c) { values (\"%g, %g\", \"%g, %g\"); } ", name, template, base,
              base + 100 * second, base + 100 * first, base + 100 * (first + second));
}

static void put_table(Text *text, const char *name, double base, double slew, double load)
{
  put_plane(text, name, 'p', base, slew, load);
}

static void put_sigmas(Text *text)
{
  put_table(text, "ocv_sigma_cell_rise", 1, 0.01, 0.1);
  put_table(text, "ocv_sigma_cell_fall", 1.5, 0.01, 0.1);
}

/* strength: of 1 as small.h says. */
static void put_delays(Text *text, const char *from, const char *how, double strength)
{
  text_printf(text, "timing () { related_pin : \"%s\"; %s ", from, how);
  put_table(text, "cell_rise", 10, 0.1, 2 / strength);
  put_table(text, "cell_fall", 12, 0.1, 2 / strength);
  put_table(text, "rise_transition", 5, 0.2, 1 / strength);
  put_table(text, "fall_transition", 5, 0.2, 1 / strength);
  if (*from == 'B') put_sigmas(text);
  text_put(text, "} ");
}

static void put_check(Text *text, const char *clock, const char *type, double base,
                      double data_slew)
{
  text_printf(text, "timing () { related_pin : \"%s\"; timing_type : %s; ", clock, type);
  if (strcmp(type, "hold_rising") == 0)
    put_plane(text, "ocv_sigma_rise_constraint", 'm', 2, 0, 0.01);
  put_plane(text, "rise_constraint", 'm', base, 0, data_slew);
  put_plane(text, "fall_constraint", 'm', base, 0, data_slew);
  text_put(text, "} ");
}

static void put_input(Text *text, const char *name, double cap, const char *more)
{
  text_printf(text, "pin (%s) { direction : input; capacitance : %g; %s } ", name, cap, more);
}

/* A gate of inputs A, B, S as far as there are. */
static void put_strong_gate(Text *text, const char *name, const char *inputs, const char *function,
                            const char *sense, double strength)
{
  text_printf(text, "cell (%s) { ", name);
  for (const char *p = inputs; *p; p++) put_input(text, (char[]){ *p, '\0' }, strength, "");
  text_printf(text, "pin (Y) { direction : output; function : \"%s\"; ", function);
  for (const char *p = inputs; *p; p++)
    put_delays(text, (char[]){ *p, '\0' }, *p == 'S' ? "timing_sense : non_unate;" : sense,
               strength);
  text_put(text, "} } ");
}

static void put_gate(Text *text, const char *name, const char *inputs, const char *function,
                     const char *sense)
{
  put_strong_gate(text, name, inputs, function, sense, 1);
}

static void put_registers(Text *text)
{
  text_put(text, "cell (DFF) { ff (IQ, IQN) { clocked_on : \"CK\"; next_state : \"D\"; } ");
  put_input(text, "CK", 1, "clock : true;");
  text_put(text, "pin (D) { direction : input; capacitance : 1; ");
  put_check(text, "CK", "setup_rising", 20, 0.1);
  put_check(text, "CK", "hold_rising", 4, 0);
  text_put(text, "} pin (Q) { direction : output; function : \"IQ\"; ");
  put_delays(text, "CK", "timing_type : rising_edge;", 1);
  text_put(text, "} } cell (LAT) { latch (IQ, IQN) { enable : \"G\"; data_in : \"D\"; } ");
  put_input(text, "G", 1, "clock : true;");
  text_put(text, "pin (D) { direction : input; capacitance : 1; ");
  put_check(text, "G", "setup_falling", 15, 0);
  put_check(text, "G", "hold_falling", 3, 0);
  text_put(text, "} pin (Q) { direction : output; function : \"IQ\"; ");
  put_delays(text, "G", "timing_type : rising_edge;", 1);
  put_delays(text, "D", "timing_sense : positive_unate;", 1);
  text_put(text, "} } ");
}

static void put_library(Text *text)
{
  text_put(
      text,
      "library (small) { delay_model : table_lookup; time_unit : \"1ps\"; capacitive_load_unit "
      "(1, ff); voltage_unit : \"1V\"; "
      "current_unit : \"1mA\"; pulling_resistance_unit : \"1kohm\"; lu_table_template (p) { "
      "variable_1 : input_net_transition; "
      "variable_2 : total_output_net_capacitance; index_1 (\"0, 100\"); index_2 (\"0, 100\"); } "
      "lu_table_template (m) { variable_1 : related_pin_transition; "
      "variable_2 : constrained_pin_transition; index_1 (\"0, 100\"); index_2 (\"0, 100\"); } ");
  put_gate(text, "INV", "A", "!A", "timing_sense : negative_unate;");
  put_gate(text, "BUF", "A", "A", "timing_sense : positive_unate;");
  put_gate(text, "AND2", "AB", "A*B", "timing_sense : positive_unate;");
  put_gate(text, "OR2", "AB", "A+B", "timing_sense : positive_unate;");
  put_gate(text, "XOR2", "AB", "A^B", "timing_sense : non_unate;");
  put_gate(text, "MUX2", "ABS", "(A*!S)+(B*S)", "timing_sense : positive_unate;");
  put_strong_gate(text, "AND2X3", "AB", "A*B", "timing_sense : positive_unate;", 3);
  put_strong_gate(text, "OR2X3", "AB", "A+B", "timing_sense : positive_unate;", 3);
  put_registers(text);
  text_put(text, "}");
}

Small *small_start(void)
{
  Small *small = mem_alloc_zero(1, sizeof *small);
  small->log = test_log();
  small->names = names_new();
  small->libs = library_set_new(small->names);
  small->files = verilog_files_new(small->names);
  return small;
}

static void expect_ok(const Small *small, Status status)
{
  if (status != OK) printf("\n%s\n", log_take_error(small->log));
  CU_ASSERT_FATAL(status == OK);
}

void small_read_library(Small *small, const char *text)
{
  expect_ok(small, read_liberty_text(small->libs, "small.lib", text, NULL, small->log));
}

void small_link(Small *small, const char *verilog)
{
  expect_ok(small, read_verilog_text(small->files, "small.v", verilog, small->log));
  expect_ok(small, link_design(small->files, small->libs, NULL, true, small->log, &small->netlist));
  small->constraints = constraints_new(small->netlist);
}

Small *small_with(const char *library, const char *verilog)
{
  Small *small = small_start();
  small_read_library(small, library);
  small_link(small, verilog);
  return small;
}

Small *small_new(const char *verilog)
{
  Text library = { 0 };
  put_library(&library);
  Small *small = small_with(text_get(&library), verilog);
  text_free(&library);
  return small;
}

static Status read_example(Small *small)
{
  const SpefOptions spef = spef_options();
  const char *const library = "../scripts/example/slate_slow.lib.gz";
  if (read_liberty(small->libs, test_path(library), &(LibertyOptions){ 0 }, small->log) != OK
      || read_verilog(small->files, test_path("../scripts/example/cpu.v"), small->log) != OK
      || link_design(small->files, small->libs, "cpu", false, small->log, &small->netlist) != OK)
    return FAILED;
  small->constraints = constraints_new(small->netlist);
  small->parasitics = parasitics_new();
  return read_spef(small->parasitics, small->netlist, test_path("../scripts/example/cpu.spef.gz"),
                   &spef, small->log, NULL);
}

Small *small_example(void)
{
  Small *small = small_start();
  if (read_example(small) == OK) return small;
  small_free(small);
  return NULL;
}

void small_free(Small *small)
{
  timer_free(small->timer);
  constraints_free(small->constraints);
  parasitics_free(small->parasitics);
  netlist_free(small->netlist);
  verilog_files_free(small->files);
  library_set_free(small->libs);
  names_free(small->names);
  mem_free(small);
}

PinId small_pin(const Small *small, const char *name)
{
  PinId p = netlist_find_port(small->netlist, name);
  if (p == NO_PIN) p = netlist_find_pin(small->netlist, TOP_INST, name, '/');
  CU_ASSERT_FATAL(p != NO_PIN);
  return p;
}

InstId small_inst(const Small *small, const char *name)
{
  InstId i = netlist_find_inst(small->netlist, TOP_INST, name, '/');
  CU_ASSERT_FATAL(i != NO_INST);
  return i;
}

ClockId small_clock(Small *small, const char *name, double period, double rise, double fall,
                    const char *source)
{
  double waveform[] = { rise, fall };
  PinId pin = source ? small_pin(small, source) : NO_PIN;
  return constraints_add_clock(small->constraints, names_add_text(small->names, name), period,
                               waveform, 2, &pin, source != NULL, true);
}

Timer *small_timer(Small *small)
{
  if (small->timer) return small->timer;
  TimerInput in = { .netlist = small->netlist,
                    .libs = small->libs,
                    .constraints = small->constraints,
                    .parasitics = { small->parasitics, small->parasitics } };
  small->timer = timer_new(&in, small->log);
  small->timer->threads = 1;
  return small->timer;
}

const Timing *small_timing(Small *small)
{
  CU_ASSERT_FATAL(timer_update(small_timer(small), true) == OK);
  return small->timer->timing;
}

CellId small_cell(const Small *small, const char *name)
{
  return library_find_cell(small->libs, names_find(small->names, name, strlen(name)));
}

bool small_swap(Small *small, const char *name, const char *master, Timer *a, Timer *b)
{
  InstId inst = small_inst(small, name);
  CellId old = small->netlist->insts.at[inst].master, cell = small_cell(small, master);
  if (cell == old || netlist_swap_cell(small->netlist, inst, cell, small->log) != OK) return false;
  timer_cell_swapped(a, inst, old);
  timer_cell_swapped(b, inst, old);
  return true;
}

const Graph *small_graph(Small *small) { return small_timing(small)->g; }

Slot small_slot(const Small *small, const char *pin, bool as_driver)
{
  return graph_slot(small->timer->graph, small_pin(small, pin), as_driver);
}

NodeId small_node(const Small *small, const char *pin, bool as_driver, ClockEdge edge,
                  bool is_clock)
{
  const Graph *g = small->timer->graph;
  Slot slot = small_slot(small, pin, as_driver);
  for (NodeId n = g->nodes.first[slot]; n < g->nodes.first[slot + 1]; n++) {
    const Tag *tag = &g->tags->tags.at[graph_node_tag(g, slot, n)];
    if (g->nodes.edges[n] && tag->clock_edge == edge && tag->is_clock == is_clock
        && (is_clock || tag->state == NO_STATE))
      return n;
  }
  return NO_NODE_ID;
}

float small_arrival(const Small *small, const char *pin, ClockEdge edge, bool is_clock,
                    int condition)
{
  NodeId n = small_node(small, pin, true, edge, is_clock);
  return n == NO_NODE_ID ? -1e30f : small->timer->timing->arrival[n].v[condition];
}

const PathEnd *small_row(const Small *small, const char *pin, PathEndType type, uint32_t number)
{
  const Graph *g = small->timer->graph;
  Slot slot = small_slot(small, pin, false);
  for (PathEndId r = g->ends.first_end[slot]; r < g->ends.first_end[slot + 1]; r++) {
    const PathEnd *end = &g->ends.path_ends.at[r];
    if (end->type == type && g->nodes.edges[end->data] && number-- == 0) return end;
  }
  return NULL;
}

float small_slack(const Small *small, const char *pin, PathEndType type, int edge)
{
  const PathEnd *end = small_row(small, pin, type, 0);
  return end ? small->timer->timing->end_slack[end - small->timer->graph->ends.path_ends.at].v[edge]
             : -1e30f;
}

uint32_t small_row_count(const Small *small, const char *pin)
{
  Slot slot = small_slot(small, pin, false);
  return small->timer->graph->ends.first_end[slot + 1] - small->timer->graph->ends.first_end[slot];
}
