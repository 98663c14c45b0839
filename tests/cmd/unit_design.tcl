# Shared by tests whose answers are worked out by hand (sourced): a library in which every delay is
# 1 ns, setup and recovery 0.5, hold and removal 0.25, transitions 0 and capacitances 1 fF; wires
# take no time.
package require tcltest
namespace import -force tcltest::test
source [file join [file dirname [file normalize [info script]]] design.tcl]

namespace eval unit {
  proc arc {related type {sense ""} {when ""}} {
    set text "timing () { related_pin : \"$related\";"
    if {$type ne ""} { append text " timing_type : $type;" }
    if {$sense ne ""} { append text " timing_sense : $sense;" }
    if {$when ne ""} { append text " when : \"$when\";" }
    append text " cell_rise (scalar) { values (\"1\"); } cell_fall (scalar) { values (\"1\"); }"
    append text " rise_transition (scalar) { values (\"0\"); } fall_transition (scalar) { values\
      (\"0\"); } }\n"
  }
  proc check {related type value} {
    return "timing () { related_pin : \"$related\"; timing_type : $type;\
      rise_constraint (scalar) { values (\"$value\"); } fall_constraint (scalar) { values\
        (\"$value\"); } }\n"
  }
  proc in {name args} {
    return "pin ($name) { direction : input; capacitance : 0.001; [join $args]}\n"
  }
  proc clock {name args} {
    return "pin ($name) { direction : input; clock : true; capacitance : 0.001; [join $args]}\n"
  }
  proc out {name function args} {
    return "pin ($name) { direction : output; function : \"$function\"; [join $args]}\n"
  }
  proc cell {name args} { return "cell ($name) { area : 1;\n[join $args ""]}\n" }

  # A combinational cell of one output Z: its inputs with their senses.
  proc gate {name function inputs} {
    set pins {}; set arcs {}
    foreach {pin sense} $inputs { lappend pins [in $pin]; lappend arcs [arc $pin "" $sense] }
    cell $name {*}$pins [out Z $function {*}$arcs]
  }
  # A flip-flop on an edge (rising or falling) of CK, with more pins of the cell and attributes of
  # its ff group.
  proc flop {name edge {state ""} {pins ""} {arcs ""}} {
    set clock [expr {$edge eq "rising" ? "CK" : "!CK"}]
    cell $name "ff (IQ, IQN) { clocked_on : \"$clock\"; next_state : \"D\"; $state }\n" [clock CK] \
      [in D [check CK setup_$edge 0.5] [check CK hold_$edge 0.25]] $pins \
      [out Q IQ [arc CK ${edge}_edge] $arcs] [out QN IQN [arc CK ${edge}_edge]]
  }
  proc latch {name enable opening closing} {
    cell $name "latch (IQ, IQN) { enable : \"$enable\"; data_in : \"D\"; }\n" [clock G] \
      [in D [check G setup_$closing 0.5] [check G hold_$closing 0.25]] \
      [out Q IQ [arc G ${opening}_edge] [arc D "" positive_unate]]
  }
  proc library {} {
    set reset [in RN [check CK recovery_rising 0.5] [check CK removal_rising 0.25]]
    set clock_gate "clock_gating_integrated_cell :\
      \"latch_posedge\";\n[clock CK {clock_gate_clock_pin : true;}]"
    append clock_gate [in EN {clock_gate_enable_pin : true;} [check CK setup_rising 0.5] \
      [check CK hold_rising 0.25]]
    append clock_gate "pin (GCK) { direction : output; clock_gate_out_pin : true; state_function :\
      \"CK EN\";\
      [arc CK "" positive_unate] }\n"
    join [list "library (unit) {\n  delay_model : table_lookup;\n  time_unit : \"1ns\";\
      voltage_unit : \"1V\";\
      current_unit : \"1mA\"; pulling_resistance_unit : \"1kohm\"; leakage_power_unit : \"1nW\";\
      capacitive_load_unit (1, pf);\n" \
      [gate BUF A {A positive_unate}] [gate INV !A {A negative_unate}] \
      [gate AND2 "A B" {A positive_unate B positive_unate}] \
      [gate OR2 "A + B" {A positive_unate B positive_unate}] \
      [gate NAND2 "!(A B)" {A negative_unate B negative_unate}] \
      [gate XOR2 "A ^ B" {A non_unate B non_unate}] \
      [gate MUX2 "A !S + B S" {A positive_unate B positive_unate S non_unate}] \
      [flop DFF rising] [flop DFFN falling] \
      [flop DFFR rising {clear : "!RN";} $reset [arc RN clear positive_unate]] \
      [latch LATH G rising falling] [latch LATL !G falling rising] \
      [cell ICG $clock_gate] [cell TIE1 [out Z 1]] [cell TIE0 [out Z 0]] "}\n"] ""
  }
}

# The library, read once for a test file; its messages of no interest here are suppressed.
read_liberty [text_file unit.lib [unit::library]]

# A design of the given modules, the last text replacing what was read before; linked as TOP.
proc unit_design {top text} {
  read_verilog [text_file $top.v $text]
  link_design $top
}

# The worst slack of a pin or port, as a plain number: side is max or min; "none" where nothing is
# constrained.
proc pin_slack {side name} {
  set object [get_pins -quiet $name]
  if {$object eq ""} { set object [get_ports $name] }
  set value [get_property $object slack_$side]
  if {$value eq "" || [string match -nocase *inf* $value]} { return none }
  return [format %g [expr {round($value * 1e6) / 1e6}]]
}
# Setup slacks of pins; hold slacks of pins.
proc setups {args} { lmap name $args { pin_slack max $name } }
proc holds {args} { lmap name $args { pin_slack min $name } }

# The messages that a script causes, with how many of each: "SDC-033 2 ...", in the order of their
# numbers.
proc message_counts {} {
  with_output_to_variable text report_messages
  set counts [dict create]
  foreach line [split $text \n] {
    if {[regexp {^\s*([A-Z]+-\d+)\s+(\d+)} $line all code count]} { dict set counts $code $count }
  }
  return $counts
}
proc warned {script} {
  set before [message_counts]
  uplevel 1 $script
  set told {}
  dict for {code count} [message_counts] {
    if {[dict exists $before $code]} { incr count -[dict get $before $code] }
    if {$count} { lappend told $code $count }
  }
  return $told
}
