# Shared by the tests of the constraint commands (sourced): a small library and design in a scratch
# folder, and what the constraints are: `lines`, which only the older records have, and `written`.
package require tcltest 2.3
namespace import -force ::tcltest::test

set scratch [file join [expr {[info exists env(TMPDIR)] ? $env(TMPDIR) : "/tmp"}] sl-sdc-[pid]]
file mkdir $scratch

proc write_text {name text} {
  set f [open [file join $::scratch $name] w]
  puts -nonewline $f $text
  close $f
}

# Units: ns, pF, kOhm; so 1 is 1000 in what dump_constraints shows of times and capacitances.
write_text small.lib {
library (small) {
  time_unit : "1ns"; capacitive_load_unit (1, pf); pulling_resistance_unit : "1kohm"; voltage_unit\
  : "1V";
  current_unit : "1mA"; leakage_power_unit : "1nW";
  operating_conditions (hot) { process : 1; voltage : 1; temperature : 125; }
  cell (BUF) {
    pin (A) { direction : input; capacitance : 0.001; }
    pin (Z) { direction : output; function : "A";
      timing () { related_pin : "A"; timing_sense : positive_unate;
        cell_rise (scalar) { values ("0.1"); } cell_fall (scalar) { values ("0.1"); }
        rise_transition (scalar) { values ("0.1"); } fall_transition (scalar) { values ("0.1"); } }\
        } }
  cell (HALF) {
    pin (A) { direction : input; capacitance : 0.001; }
    pin (B) { direction : input; capacitance : 0.001; }
    pin (S) { direction : output; function : "A^B";
      timing () { related_pin : "B";
        cell_rise (scalar) { values ("0.1"); } cell_fall (scalar) { values ("0.1"); }
        rise_transition (scalar) { values ("0.1"); } fall_transition (scalar) { values ("0.1"); } }\
        }
    pin (C) { direction : output; function : "A B";
      timing () { related_pin : "A";
        cell_rise (scalar) { values ("0.1"); } cell_fall (scalar) { values ("0.1"); }
        rise_transition (scalar) { values ("0.1"); } fall_transition (scalar) { values ("0.1"); } }\
        } }
}
}
write_text small.v {
module leaf (input a, output z); BUF b (.A(a), .Z(z)); endmodule
module top (input clk, clk2, input [0:1] in, output [0:1] out);
  wire n1, n2, open;
  leaf h (.a(in[0]), .z(n1));
  BUF u1 (.A(n1), .Z(out[0]));
  HALF u2 (.A(in[1]), .B(clk), .S(n2), .C(out[1]));
  BUF u3 (.A(clk2), .Z());
endmodule
}
suppress_msg CMD-020 CMD-021 CMD-023 SDC-024 SDC-032 SDC-043 SDC-046 SDC-052 SDC-061
read_liberty [file join $scratch small.lib]
read_verilog [file join $scratch small.v]

# A fresh design, and the lines that the script leaves in the constraints (those that match the
# pattern).
proc constraints {script {pattern *}} {
  link_design top
  uplevel #0 $script
  lines $pattern
}

proc lines {{pattern *}} { lsearch -all -inline -glob [split [dump_constraints] \n] $pattern }

# The commands that write_sdc writes (those that match the pattern), without comments and units.
proc written {{pattern *}} {
  set file [file join $::scratch written.sdc]
  write_sdc -no_timestamp $file
  set f [open $file]
  set lines [split [string map {\\\n { }} [read $f]] \n]
  close $f
  return [lmap line $lines {
    if {[regexp {^(#.*|set_units .*|)$} $line] || ![string match $pattern $line]} continue
    set line
  }]
}

# A script that fails: its error number, and whether the constraints are as before.
proc failure {before script} {
  link_design top
  uplevel #0 $before
  set lines [concat [lines] [written]]
  if {![catch {uplevel #0 $script} message options]} { return "no error" }
  list [lindex [dict get $options -errorcode] 1] \
    [expr {[concat [lines] [written]] eq $lines ? "unchanged" : "changed"}]
}

proc finish {} {
  file delete -force $::scratch
  ::tcltest::cleanupTests
}
