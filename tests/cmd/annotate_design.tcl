# The design of annotate.test and of write/sdf_write.test: in - b1 - x - b2 - r - b3 - out, with an
# XOR whose arcs from A have conditions.  A cell's delay is 0.1 and half the slew.
source [file join [file dirname [file normalize [info script]]] design.tcl]

set library "library (l) \{
  time_unit : \"1ns\"; capacitive_load_unit (1, pf); pulling_resistance_unit : \"1kohm\";\
  voltage_unit : \"1V\"; current_unit : \"1mA\";
  lu_table_template (t) { variable_1 : input_net_transition; variable_2 :\
    total_output_net_capacitance; index_1 (\"0, 1\"); index_2 (\"0, 1\"); }"
# Delay 0.1 + half the slew, slew 0.2 + load.
proc timing {related sense {more {}}} {
  set delay {(t) { values ("0.1, 0.1", "0.6, 0.6"); }}
  set slew {(t) { values ("0.2, 1.2", "0.2, 1.2"); }}
  return "timing () { related_pin : \"$related\"; timing_sense : $sense; $more
    cell_rise $delay cell_fall $delay rise_transition $slew fall_transition $slew }"
}
proc margin {type value {more {}}} {
  set table "(scalar) { values (\"$value\"); }"
  return "timing () { related_pin : \"CK\"; timing_type : $type; $more rise_constraint $table\
    fall_constraint $table }"
}
append library "
  cell (BUF) { pin (A) { direction : input; capacitance : 0.01; } pin (Z) { direction : output;\
    function : \"A\"; [timing A positive_unate] } }
  cell (XOR) { pin (A) { direction : input; capacitance : 0.01; } pin (B) { direction : input;\
    capacitance : 0.01; }
    pin (Z) { direction : output; function : \"A^B\"; [timing A positive_unate {when : "!B";}]\
      [timing A negative_unate {when : "B";}] [timing B non_unate] } }
  cell (DFF) { ff (IQ, IQN) { clocked_on : \"CK\"; next_state : \"D\"; }
    pin (D) { direction : input; capacitance : 0.01; [margin setup_rising 0.3]\
      [margin hold_rising 0.1] }
    pin (CK) { direction : input; capacitance : 0.01; clock : true; min_period : 0.5;\
      [margin min_pulse_width 0.2] }
    pin (Q) { direction : output; function : \"IQ\";\
      [timing CK non_unate {timing_type : rising_edge;}] } }
  cell (FAST) { pin (A) { direction : input; capacitance : 0.01; } pin (Z) { direction : output;\
    function : \"A\"; [timing A positive_unate] } }
\}"
set design {
module top (input clk, in, sel, output out);
  wire a, b, c, q;
  BUF b1 (.A(in), .Z(a));
  XOR x (.A(a), .B(sel), .Z(b));
  BUF b2 (.A(b), .Z(c));
  DFF r (.D(c), .CK(clk), .Q(q));
  BUF b3 (.A(q), .Z(out));
endmodule
}
suppress_msg FILE-100
read_liberty [text_file l.lib $library]
read_verilog [text_file d.v $design]

proc fresh {{script {}}} {
  link_design top
  create_clock -name c -period 10 [get_ports clk]
  set_input_delay 0 -clock c [get_ports {in sel}]
  uplevel #0 $script
}
proc arrival {pin {what arrival_max_rise}} { format %.3f [get_property [get_pins $pin] $what] }
proc error_of {script} { catch {uplevel #0 $script} message; return $message }
proc report_of {script} { with_output_to_variable text { uplevel #0 $script }; return $text }
proc slack {{what -setup}} {
  format %.3f [get_property [lindex \
    [get_timing_paths -to r/D {*}[expr {$what eq "-hold" ? "-path_delay min" : ""}]] 0] slack]
}
proc contents {file} {
  set channel [open $file]
  set text [read $channel]
  close $channel
  return $text
}
