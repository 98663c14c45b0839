/* Makes the small designs of tests/small.h: writes the library as Liberty text, reads it, and links
   the design. */
#include "tests/small.h"

#include <stdio.h>

#include "read/liberty/liberty.h"
#include "read/spef/spef.h"
#include "read/verilog/verilog.h"
#include "tests/unit.h"

/* Linear in both axes, which go from 0 to 100. */
static void put_plane(Text *t, const char *name, char template, double base, double first,
                      double second)
{
  text_printf(t, "%s (%c) { values (\"%g, %g\", \"%g, %g\"); } ", name, template, base,
              base + 100 * second, base + 100 * first, base + 100 * (first + second));
}

static void put_table(Text *t, const char *name, double base, double slew, double load)
{
  put_plane(t, name, 'p', base, slew, load);
}

static void put_sigmas(Text *t)
{
  put_table(t, "ocv_sigma_cell_rise", 1, 0.01, 0.1);
  put_table(t, "ocv_sigma_cell_fall", 1.5, 0.01, 0.1);
}

/* strength: of 1 as small.h says. */
static void put_delays(Text *t, const char *from, const char *how, double strength)
{
  text_printf(t, "timing () { related_pin : \"%s\"; %s ", from, how);
  put_table(t, "cell_rise", 10, 0.1, 2 / strength);
  put_table(t, "cell_fall", 12, 0.1, 2 / strength);
  put_table(t, "rise_transition", 5, 0.2, 1 / strength);
  put_table(t, "fall_transition", 5, 0.2, 1 / strength);
  if (*from == 'B') put_sigmas(t);
  text_put(t, "} ");
}

static void put_check(Text *t, const char *clock, const char *type, double base, double data_slew)
{
  text_printf(t, "timing () { related_pin : \"%s\"; timing_type : %s; ", clock, type);
  if (strcmp(type, "hold_rising") == 0) put_plane(t, "ocv_sigma_rise_constraint", 'm', 2, 0, 0.01);
  put_plane(t, "rise_constraint", 'm', base, 0, data_slew);
  put_plane(t, "fall_constraint", 'm', base, 0, data_slew);
  text_put(t, "} ");
}

static void put_input(Text *t, const char *name, double cap, const char *more)
{
  text_printf(t, "pin (%s) { direction : input; capacitance : %g; %s } ", name, cap, more);
}

/* A gate of inputs A, B, S as far as there are. */
static void put_strong_gate(Text *t, const char *name, const char *inputs, const char *function,
                            const char *sense, double strength)
{
  text_printf(t, "cell (%s) { ", name);
  for (const char *p = inputs; *p; p++) put_input(t, (char[]){ *p, '\0' }, strength, "");
  text_printf(t, "pin (Y) { direction : output; function : \"%s\"; ", function);
  for (const char *p = inputs; *p; p++)
    put_delays(t, (char[]){ *p, '\0' }, *p == 'S' ? "timing_sense : non_unate;" : sense, strength);
  text_put(t, "} } ");
}

static void put_gate(Text *t, const char *name, const char *inputs, const char *function,
                     const char *sense)
{
  put_strong_gate(t, name, inputs, function, sense, 1);
}

static void put_registers(Text *t)
{
  text_put(t, "cell (DFF) { ff (IQ, IQN) { clocked_on : \"CK\"; next_state : \"D\"; } ");
  put_input(t, "CK", 1, "clock : true;");
  text_put(t, "pin (D) { direction : input; capacitance : 1; ");
  put_check(t, "CK", "setup_rising", 20, 0.1);
  put_check(t, "CK", "hold_rising", 4, 0);
  text_put(t, "} pin (Q) { direction : output; function : \"IQ\"; ");
  put_delays(t, "CK", "timing_type : rising_edge;", 1);
  text_put(t, "} } cell (LAT) { latch (IQ, IQN) { enable : \"G\"; data_in : \"D\"; } ");
  put_input(t, "G", 1, "clock : true;");
  text_put(t, "pin (D) { direction : input; capacitance : 1; ");
  put_check(t, "G", "setup_falling", 15, 0);
  put_check(t, "G", "hold_falling", 3, 0);
  text_put(t, "} pin (Q) { direction : output; function : \"IQ\"; ");
  put_delays(t, "G", "timing_type : rising_edge;", 1);
  put_delays(t, "D", "timing_sense : positive_unate;", 1);
  text_put(t, "} } ");
}

static void put_library(Text *t)
{
  text_put(
      t, "library (small) { delay_model : table_lookup; time_unit : \"1ps\"; capacitive_load_unit "
         "(1, ff); voltage_unit : \"1V\"; "
         "current_unit : \"1mA\"; pulling_resistance_unit : \"1kohm\"; lu_table_template (p) { "
         "variable_1 : input_net_transition; "
         "variable_2 : total_output_net_capacitance; index_1 (\"0, 100\"); index_2 (\"0, 100\"); } "
         "lu_table_template (m) { variable_1 : related_pin_transition; "
         "variable_2 : constrained_pin_transition; index_1 (\"0, 100\"); index_2 (\"0, 100\"); } ");
  put_gate(t, "INV", "A", "!A", "timing_sense : negative_unate;");
  put_gate(t, "BUF", "A", "A", "timing_sense : positive_unate;");
  put_gate(t, "AND2", "AB", "A*B", "timing_sense : positive_unate;");
  put_gate(t, "OR2", "AB", "A+B", "timing_sense : positive_unate;");
  put_gate(t, "XOR2", "AB", "A^B", "timing_sense : non_unate;");
  put_gate(t, "MUX2", "ABS", "(A*!S)+(B*S)", "timing_sense : positive_unate;");
  put_strong_gate(t, "AND2X3", "AB", "A*B", "timing_sense : positive_unate;", 3);
  put_strong_gate(t, "OR2X3", "AB", "A+B", "timing_sense : positive_unate;", 3);
  put_registers(t);
  text_put(t, "}");
}

Small *small_start(void)
{
  Small *s = mem_alloc_zero(1, sizeof *s);
  s->log = test_log();
  s->names = names_new();
  s->libs = library_set_new(s->names);
  s->files = verilog_files_new(s->names);
  return s;
}

static void expect_ok(const Small *s, Status status)
{
  if (status != OK) printf("\n%s\n", log_take_error(s->log));
  CU_ASSERT_FATAL(status == OK);
}

void small_read_library(Small *s, const char *text)
{
  expect_ok(s, read_liberty_text(s->libs, "small.lib", text, NULL, s->log));
}

void small_link(Small *s, const char *verilog)
{
  expect_ok(s, read_verilog_text(s->files, "small.v", verilog, s->log));
  expect_ok(s, link_design(s->files, s->libs, NULL, true, s->log, &s->netlist));
  s->constraints = constraints_new(s->netlist);
}

Small *small_with(const char *library, const char *verilog)
{
  Small *s = small_start();
  small_read_library(s, library);
  small_link(s, verilog);
  return s;
}

Small *small_new(const char *verilog)
{
  Text library = { 0 };
  put_library(&library);
  Small *s = small_with(text_get(&library), verilog);
  text_free(&library);
  return s;
}

static Status read_example(Small *s)
{
  const SpefOptions spef = spef_options();
  const char *const library = "../scripts/example/slate_slow.lib.gz";
  if (read_liberty(s->libs, test_path(library), &(LibertyOptions){ 0 }, s->log) != OK
      || read_verilog(s->files, test_path("../scripts/example/cpu.v"), s->log) != OK
      || link_design(s->files, s->libs, "cpu", false, s->log, &s->netlist) != OK)
    return FAILED;
  s->constraints = constraints_new(s->netlist);
  s->parasitics = parasitics_new();
  return read_spef(s->parasitics, s->netlist, test_path("../scripts/example/cpu.spef.gz"), &spef,
                   s->log, NULL);
}

Small *small_example(void)
{
  Small *s = small_start();
  if (read_example(s) == OK) return s;
  small_free(s);
  return NULL;
}

void small_free(Small *s)
{
  timer_free(s->timer);
  constraints_free(s->constraints);
  parasitics_free(s->parasitics);
  netlist_free(s->netlist);
  verilog_files_free(s->files);
  library_set_free(s->libs);
  names_free(s->names);
  mem_free(s);
}

PinId small_pin(const Small *s, const char *name)
{
  PinId p = netlist_find_port(s->netlist, name);
  if (p == NO_PIN) p = netlist_find_pin(s->netlist, TOP_INST, name, '/');
  CU_ASSERT_FATAL(p != NO_PIN);
  return p;
}

InstId small_inst(const Small *s, const char *name)
{
  InstId i = netlist_find_inst(s->netlist, TOP_INST, name, '/');
  CU_ASSERT_FATAL(i != NO_INST);
  return i;
}

ClockId small_clock(Small *s, const char *name, double period, double rise, double fall,
                    const char *source)
{
  double waveform[] = { rise, fall };
  PinId pin = source ? small_pin(s, source) : NO_PIN;
  return constraints_add_clock(s->constraints, names_add_text(s->names, name), period, waveform, 2,
                               &pin, source != NULL, true);
}

Timer *small_timer(Small *s)
{
  if (s->timer) return s->timer;
  TimerInput in = { .netlist = s->netlist,
                    .libs = s->libs,
                    .constraints = s->constraints,
                    .parasitics = { s->parasitics, s->parasitics } };
  s->timer = timer_new(&in, s->log);
  s->timer->threads = 1;
  return s->timer;
}

const Timing *small_timing(Small *s)
{
  CU_ASSERT_FATAL(timer_update(small_timer(s), true) == OK);
  return s->timer->timing;
}

CellId small_cell(const Small *s, const char *name)
{
  return library_find_cell(s->libs, names_find(s->names, name, strlen(name)));
}

bool small_swap(Small *s, const char *name, const char *master, Timer *a, Timer *b)
{
  InstId inst = small_inst(s, name);
  CellId old = s->netlist->insts.at[inst].master, cell = small_cell(s, master);
  if (cell == old || netlist_swap_cell(s->netlist, inst, cell, s->log) != OK) return false;
  timer_cell_swapped(a, inst, old);
  timer_cell_swapped(b, inst, old);
  return true;
}

const Graph *small_graph(Small *s) { return small_timing(s)->g; }

Slot small_slot(const Small *s, const char *pin, bool as_driver)
{
  return graph_slot(s->timer->graph, small_pin(s, pin), as_driver);
}

NodeId small_node(const Small *s, const char *pin, bool as_driver, ClockEdge edge, bool is_clock)
{
  const Graph *g = s->timer->graph;
  Slot slot = small_slot(s, pin, as_driver);
  for (NodeId n = g->nodes.first[slot]; n < g->nodes.first[slot + 1]; n++) {
    const Tag *t =
        &g->tags->tags
             .at[tag_set_tags(g->tags, g->nodes.slot_tags[slot])[n - g->nodes.first[slot]]];
    if (g->nodes.edges[n] && t->clock_edge == edge && t->is_clock == is_clock
        && (is_clock || t->state == NO_STATE))
      return n;
  }
  return NO_NODE_ID;
}

float small_arrival(const Small *s, const char *pin, ClockEdge edge, bool is_clock, int condition)
{
  NodeId n = small_node(s, pin, true, edge, is_clock);
  return n == NO_NODE_ID ? -1e30f : s->timer->timing->arrival[n].v[condition];
}

const PathEnd *small_row(const Small *s, const char *pin, PathEndType type, uint32_t number)
{
  const Graph *g = s->timer->graph;
  Slot slot = small_slot(s, pin, false);
  for (PathEndId r = g->ends.first_end[slot]; r < g->ends.first_end[slot + 1]; r++) {
    const PathEnd *end = &g->ends.path_ends.at[r];
    if (end->type == type && g->nodes.edges[end->data] && number-- == 0) return end;
  }
  return NULL;
}

float small_slack(const Small *s, const char *pin, PathEndType type, int edge)
{
  const PathEnd *r = small_row(s, pin, type, 0);
  return r ? s->timer->timing->end_slack[r - s->timer->graph->ends.path_ends.at].v[edge] : -1e30f;
}

uint32_t small_row_count(const Small *s, const char *pin)
{
  Slot slot = small_slot(s, pin, false);
  return s->timer->graph->ends.first_end[slot + 1] - s->timer->graph->ends.first_end[slot];
}
