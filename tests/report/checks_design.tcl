# A library with every kind of check and limit, delays that do not depend on loads, and a design of
# two registers, buffers on the clock and between them, and a cell (TWO) with skews, no-change and
# data checks.
source [file join [file dirname [file dirname [file normalize [info script]]]] cmd design.tcl]

set checks_library {
library (checks) {
  delay_model : table_lookup;
  time_unit : "1ns"; voltage_unit : "1V"; current_unit : "1mA"; pulling_resistance_unit : "1kohm";
  leakage_power_unit : "1nW"; capacitive_load_unit (1, pf);
  input_threshold_pct_rise : 50; input_threshold_pct_fall : 50; output_threshold_pct_rise : 50;\
  output_threshold_pct_fall : 50; slew_lower_threshold_pct_rise : 20; slew_lower_threshold_pct_fall\
  : 20; slew_upper_threshold_pct_rise : 80; slew_upper_threshold_pct_fall : 80;
  default_max_transition : 0.9; default_max_fanout : 3; default_fanout_load : 1;\
  default_max_capacitance : 0.5;
  cell (BUF) { area : 1.5;
    pin (A) { direction : input; capacitance : 0.001; }
    pin (Y) { direction : output; function : "A"; max_capacitance : 0.01; max_fanout : 2;\
      min_capacitance : 0.0015;
      timing () { related_pin : "A"; timing_sense : positive_unate;
        cell_rise (scalar) { values ("0.1"); } cell_fall (scalar) { values ("0.2"); }
        rise_transition (scalar) { values ("0.3"); } fall_transition (scalar) { values ("0.4"); } }\
        } }
  cell (BUF2) { area : 2.5;
    pin (A) { direction : input; capacitance : 0.002; }
    pin (Y) { direction : output; function : "A";
      timing () { related_pin : "A"; timing_sense : positive_unate;
        cell_rise (scalar) { values ("0.05"); } cell_fall (scalar) { values ("0.07"); }
        rise_transition (scalar) { values ("0.2"); } fall_transition (scalar) { values ("0.2"); } }\
        } }
  cell (DFF) { area : 4; ff (IQ, IQN) { clocked_on : "CK"; next_state : "D"; clear : "!RN"; }
    pin (D) { direction : input; capacitance : 0.001; max_transition : 0.2; fanout_load : 2;
      timing () { related_pin : "CK"; timing_type : setup_rising;
        rise_constraint (scalar) { values ("0.1"); } fall_constraint (scalar) { values ("0.1"); } }
      timing () { related_pin : "CK"; timing_type : hold_rising;
        rise_constraint (scalar) { values ("0.05"); } fall_constraint (scalar) { values ("0.05"); }\
        } }
    pin (CK) { direction : input; clock : true; capacitance : 0.001; min_pulse_width_high : 2.0;\
      min_pulse_width_low : 1.5; min_period : 4.1; }
    pin (RN) { direction : input; capacitance : 0.001;
      timing () { related_pin : "CK"; timing_type : recovery_rising; rise_constraint (scalar)\
        { values ("0.1"); } }
      timing () { related_pin : "CK"; timing_type : removal_rising; rise_constraint (scalar)\
        { values ("0.1"); } } }
    pin (Q) { direction : output; function : "IQ";
      timing () { related_pin : "CK"; timing_type : rising_edge;
        cell_rise (scalar) { values ("0.1"); } cell_fall (scalar) { values ("0.1"); }
        rise_transition (scalar) { values ("0.1"); } fall_transition (scalar) { values ("0.1"); } }\
        } }
  cell (DFFW) { area : 4; ff (IQ, IQN) { clocked_on : "CK"; next_state : "D"; }
    pin (D) { direction : input; capacitance : 0.001; 
      timing () { related_pin : "CK"; timing_type : setup_rising;
        rise_constraint (scalar) { values ("0.1"); } fall_constraint (scalar) { values ("0.1"); } }\
        }
    pin (CK) { direction : input; clock : true; capacitance : 0.001; 
      timing () { related_pin : "CK"; timing_type : min_pulse_width; rise_constraint (scalar)\
        { values ("0.7"); } fall_constraint (scalar) { values ("0.8"); } }
      timing () { related_pin : "CK"; timing_type : minimum_period; rise_constraint (scalar)\
        { values ("3.0"); } fall_constraint (scalar) { values ("3.0"); } } }
    pin (Q) { direction : output; function : "IQ";
      timing () { related_pin : "CK"; timing_type : rising_edge;
        cell_rise (scalar) { values ("0.1"); } cell_fall (scalar) { values ("0.1"); }
        rise_transition (scalar) { values ("0.1"); } fall_transition (scalar) { values ("0.1"); } }\
        } }
  cell (TWO) { area : 4; 
    pin (CA) { direction : input; clock : true; capacitance : 0.001; }
    pin (CB) { direction : input; clock : true; capacitance : 0.001; 
      timing () { related_pin : "CA"; timing_type : skew_rising; rise_constraint (scalar)\
        { values ("0.15"); } fall_constraint (scalar) { values ("0.16"); } } 
      timing () { related_pin : "CA"; timing_type : skew_falling; rise_constraint (scalar)\
        { values ("0.17"); } fall_constraint (scalar) { values ("0.18"); } } } 
    pin (D) { direction : input; capacitance : 0.001; 
      timing () { related_pin : "CA"; timing_type : nochange_high_high;
        rise_constraint (scalar) { values ("0.1"); } fall_constraint (scalar) { values ("0.2"); } }\
        }
    pin (E) { direction : input; capacitance : 0.001; 
      timing () { related_pin : "D"; timing_type : non_seq_setup_rising;
        rise_constraint (scalar) { values ("0.1"); } fall_constraint (scalar) { values ("0.1"); } } 
      timing () { related_pin : "D"; timing_type : non_seq_hold_rising;
        rise_constraint (scalar) { values ("0.05"); } fall_constraint (scalar) { values ("0.05"); }\
        } }
    pin (F) { direction : input; capacitance : 0.001; 
      timing () { related_pin : "CA"; timing_type : non_seq_setup_rising;
        rise_constraint (scalar) { values ("0.1"); } fall_constraint (scalar) { values ("0.1"); } } 
      timing () { related_pin : "CA"; timing_type : non_seq_hold_rising;
        rise_constraint (scalar) { values ("0.05"); } fall_constraint (scalar) { values ("0.05"); }\
        } }
  }
}
}
set checks_verilog {
module top (clk, clk2, a, b, rst, out);
  input clk, clk2, a, b, rst; output out;
  wire c1, c2, q1, q2, d1, d2;
  BUF cb1 (.A(clk), .Y(c1));
  BUF cb2 (.A(c1), .Y(c2));
  DFF r1 (.D(a), .CK(c1), .RN(rst), .Q(q1));
  DFF r2 (.D(d2), .CK(c2), .RN(rst), .Q(q2));
  DFFW r3 (.D(d2), .CK(c2), .Q(out));
  BUF u1 (.A(q1), .Y(d1));
  BUF u2 (.A(d1), .Y(d2));
  TWO t (.CA(c1), .CB(c2), .D(d1), .E(q2), .F(d2));
endmodule
}

# Propagated clock of 4, arrivals: c1 0.1 (fall 0.2), c2 0.2 (0.4), q1 0.2, d1 0.3 (0.4), d2 0.4
# (0.6), q2 0.3.
proc checks_design {} {
  global checks_library checks_verilog
  if {[get_libs -quiet checks] eq ""} {
    read_liberty [text_file checks.lib $checks_library]
    read_verilog [text_file checks.v $checks_verilog]
  }
  link_design top
  create_clock -name ck -period 4 clk
  set_propagated_clock [get_clocks ck]
  set_input_delay 0.5 -clock ck {a b rst}
  set_output_delay 0.5 -clock ck out
  set_clock_uncertainty 0.3 [get_clocks ck]
}

# The lines of a report, spaces squeezed, rules left out.
proc report {args} {
  with_output_to_variable text $args
  set lines {}
  foreach line [split [string trimright $text \n] \n] {
    set line [string trim [regsub -all { +} $line " "]]
    if {$line ne "" && ![string match ---* $line]} { lappend lines $line }
  }
  return $lines
}
proc rows {pattern args} { lsearch -all -inline -glob [report {*}$args] $pattern }
# The slack of the worst path to a pin.
proc slack {pin {side max}} {
  format %.3f [get_property [get_timing_paths -to $pin -delay_type $side] slack]
}
