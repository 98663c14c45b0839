# Shared by the tests of commands: small designs made of text.
package require tcltest
namespace import -force tcltest::test

set tests_folder [file dirname [file dirname [file normalize [info script]]]]
set example_folder [file join [file dirname $tests_folder] scripts example]

proc text_file {name text} {
  set path [tcltest::makeFile $text $name]
  return $path
}

# A file that a test writes; it goes at the end.
proc scratch {name} {
  set path [file join [tcltest::configure -tmpdir] $name]
  if {$path ni $::tcltest::filesMade} { lappend ::tcltest::filesMade $path }
  return $path
}

# A library with an inverter, a buffer, a NAND, a flip-flop, a latch and a cell with a bus.
set small_library {
library (small) {
  delay_model : table_lookup;
  time_unit : "1ns"; voltage_unit : "1V"; current_unit : "1mA"; pulling_resistance_unit : "1kohm";
  leakage_power_unit : "1nW"; capacitive_load_unit (1, pf);
  type (two) { base_type : array; data_type : bit; bit_width : 2; bit_from : 1; bit_to : 0; downto\
    : true; }
  cell (INV) { area : 1; cell_leakage_power : 2;
    pin (A) { direction : input; capacitance : 0.001; }
    pin (Y) { direction : output; function : "!A"; max_capacitance : 0.5;
      timing () { related_pin : "A"; timing_sense : negative_unate;
        cell_rise (scalar) { values ("0.1"); } cell_fall (scalar) { values ("0.1"); }
        rise_transition (scalar) { values ("0.1"); } fall_transition (scalar) { values ("0.1"); } }\
        } }
  cell (INV2) { area : 2;
    pin (A) { direction : input; capacitance : 0.002; }
    pin (Y) { direction : output; function : "!A";
      timing () { related_pin : "A"; timing_sense : negative_unate;
        cell_rise (scalar) { values ("0.1"); } cell_fall (scalar) { values ("0.1"); }
        rise_transition (scalar) { values ("0.1"); } fall_transition (scalar) { values ("0.1"); } }\
        } }
  cell (BUF) { area : 1.5;
    pin (A) { direction : input; capacitance : 0.001; }
    pin (Y) { direction : output; function : "A";
      timing () { related_pin : "A"; timing_sense : positive_unate;
        cell_rise (scalar) { values ("0.1"); } cell_fall (scalar) { values ("0.1"); }
        rise_transition (scalar) { values ("0.1"); } fall_transition (scalar) { values ("0.1"); } }\
        } }
  cell (DFF) { area : 4; ff (IQ, IQN) { clocked_on : "CK"; next_state : "D"; clear : "!RN"; }
    pin (D) { direction : input; capacitance : 0.001;
      timing () { related_pin : "CK"; timing_type : setup_rising;
        rise_constraint (scalar) { values ("0.1"); } fall_constraint (scalar) { values ("0.1"); } }\
        }
    pin (CK) { direction : input; clock : true; capacitance : 0.001; }
    pin (RN) { direction : input; capacitance : 0.001;
      timing () { related_pin : "CK"; timing_type : recovery_rising; rise_constraint (scalar)\
        { values ("0.1"); } } }
    pin (Q) { direction : output; function : "IQ";
      timing () { related_pin : "CK"; timing_type : rising_edge;
        cell_rise (scalar) { values ("0.1"); } cell_fall (scalar) { values ("0.1"); }
        rise_transition (scalar) { values ("0.1"); } fall_transition (scalar) { values ("0.1"); } }\
        } }
  cell (LAT) { area : 3; latch (IQ, IQN) { enable : "G"; data_in : "D"; }
    pin (D) { direction : input; capacitance : 0.001;
      timing () { related_pin : "G"; timing_type : setup_falling;
        rise_constraint (scalar) { values ("0.1"); } fall_constraint (scalar) { values ("0.1"); } }\
        }
    pin (G) { direction : input; clock : true; capacitance : 0.001; }
    pin (Q) { direction : output; function : "IQ";
      timing () { related_pin : "G"; timing_type : rising_edge;
        cell_rise (scalar) { values ("0.1"); } cell_fall (scalar) { values ("0.1"); }
        rise_transition (scalar) { values ("0.1"); } fall_transition (scalar) { values ("0.1"); } }
      timing () { related_pin : "D"; timing_sense : positive_unate;
        cell_rise (scalar) { values ("0.1"); } cell_fall (scalar) { values ("0.1"); }
        rise_transition (scalar) { values ("0.1"); } fall_transition (scalar) { values ("0.1"); } }\
        } }
  cell (WIDE) { area : 9;
    bus (A) { bus_type : two; direction : input; capacitance : 0.001; pin (A[1:0])\
      { capacitance : 0.001; } }
    pin (Y) { direction : output; function : "A[0]"; } }
}
}

# A block in two instances, a bus, a flattened name with a separator, a name in brackets.
set small_verilog {
module block (i, ck, o);
  input i, ck; output o;
  wire n;
  INV u1 (.A(i), .Y(n));
  DFF r (.D(n), .CK(ck), .RN(i), .Q(o));
endmodule
module top (clk, rst, data, out, \odd[0]x );
  input clk, rst; input [3:0] data; output [1:0] out; input \odd[0]x ;
  wire w, cki;
  INV ckinv (.A(clk), .Y(cki));
  block b0 (.i(data[0]), .ck(clk), .o(out[0]));
  block b1 (.i(data[1]), .ck(cki), .o(w));
  LAT \flat/lat (.D(w), .G(clk), .Q(out[1]));
  WIDE \wide[0] (.A(data[3:2]), .Y());
  BUF \flat/sub/buf[1] (.A(rst), .Y());
endmodule
}

# Links the design; constraints with two clocks.
proc small_design {} {
  global small_library small_verilog
  if {[get_libs -quiet small] eq ""} {
    read_liberty [text_file small.lib $small_library]
    read_verilog [text_file small.v $small_verilog]
  }
  link_design top
  create_clock -name clk -period 10 [get_ports clk]
  create_clock -name virt -period 4
  return
}

# All delay models, by the words of set_delay_model: for tests of what holds whatever the model.
proc delay_models {} {
  with_output_to_variable text { help set_delay_model }
  regexp {usage: set_delay_model (\S+)} $text -> words
  split $words |
}

# The value of a script, or its error.
proc outcome {script} {
  catch {uplevel 1 $script} result
  return $result
}

# An error of usage without the usage.
proc refused {script} { regsub {; usage: .*| \[CMD-006\]$} [uplevel 1 [list outcome $script]] {} }

# Lines of warnings that a script makes in a process of its own: "code text" each.
proc run_program {args} {
  set status [catch {exec [info nameofexecutable] {*}$args </dev/null 2>@1} output options]
  set code 0
  if {$status} {
    set details [dict get $options -errorcode]
    set code [expr {[lindex $details 0] eq "CHILDSTATUS" ? [lindex $details 2] : $details}]
    regsub {\nchild process exited abnormally$} $output {} output
    if {$output eq "child process exited abnormally"} { set output "" }
  }
  return [list $code $output]
}

# How often each message came; those that did not come are 0.
proc warning_counts {} {
  with_output_to_variable text report_messages
  set counts [dict create]
  foreach code {CMD-010 CMD-020 CMD-021 CMD-023 CMD-026 CMD-054} { dict set counts $code 0 }
  foreach {code count} $text { dict set counts $code $count }
  return $counts
}
