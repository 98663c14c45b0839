# Shared by tests of loads and parasitics (sourced): beside the cells of unit_design.tcl some whose
# delay at the output is 1 ns for each pF.  BUFC: inputs A and E 0.1 pF, output Z 0.02 pF; TRI: the
# same, three-state.
source [file join [file dirname [file normalize [info script]]] unit_design.tcl]

proc unit::loaded {related type sense} {
  set text "timing () { related_pin : \"$related\"; timing_type : $type; timing_sense : $sense;"
  foreach kind {cell_rise cell_fall} { append text " $kind (by_load) { values (\"0, 10\"); }" }
  foreach kind {rise_transition fall_transition} {
    append text " $kind (scalar) { values (\"0\"); }"
  }
  append text " }\n"
}
proc unit::load_library {} {
  set template "lu_table_template (by_load) { variable_1 : total_output_net_capacitance; index_1\
    (\"0, 10\"); }\n"
  set in "pin (A) { direction : input; capacitance : 0.1; }\npin (E) { direction : input;\
    capacitance : 0.1; }\n"
  append cells [cell BUFC $in \
    "pin (Z) { direction : output; capacitance : 0.02; function :\
      \"A\";\n[loaded A combinational positive_unate] }\n"]
  append cells [cell TRI $in "pin (Z) { direction : output; capacitance : 0.02; function : \"A\";\
    three_state : \"!E\";\n[loaded A combinational positive_unate][loaded E three_state_enable \
      positive_unate] }\n"]
  regsub {cell \(.*} [string map {"library (unit)" "library (loads)"} [library]] \
    "$template$cells\}\n"
}
read_liberty [text_file loads.lib [unit::load_library]]

# A SPEF file in ps, pF and Ohm; `flow` stands behind *DESIGN_FLOW.
proc spef_file {name nets {flow ""}} {
  set head "*SPEF \"IEEE 1481-1998\"\n*DESIGN \"top\"\n"
  if {$flow ne ""} { append head "*DESIGN_FLOW $flow\n" }
  append head "*DIVIDER /\n*DELIMITER :\n*BUS_DELIMITER \[ \]\n*T_UNIT 1 PS\n*C_UNIT 1 PF\n*R_UNIT\
    1 OHM\n*L_UNIT 1 HENRY\n"
  text_file $name "$head$nets"
}
# The linked design once more, with the lumped model (arrivals behind BUFC: load seen by it) or
# another.
proc fresh {{model lumped} args} {
  link_design top
  set_delay_model $model
  foreach spef $args { read_spef $spef }
  create_clock -name clk -period 10
  set_input_delay 0 -clock clk [remove_from_collection [all_inputs] [get_ports -quiet clk]]
}
proc plain {number} { format %g [expr {round($number * 1e6) / 1e6}] }
proc arrival {pin {side max} {edge rise}} {
  set object [get_pins -quiet $pin]
  if {$object eq ""} { set object [get_ports $pin] }
  plain [get_property $object arrival_${side}_$edge]
}
proc arrivals {args} { lmap pin $args { arrival $pin } }

# All tables of the design with an engine, after `setup`.
set engine_libraries {unit.lib loads.lib}
proc engine_tables {engine setup} {
  set libraries [join [lmap file $::engine_libraries { string cat "read_liberty " $file }] "; "]
  set script [text_file engine.tcl \
    "set_engine_option least_pins 0; $libraries; read_verilog top.v; link_design top
    create_clock -name clk -period 10; set_input_delay 0 -clock clk \[all_inputs]
    $setup
    write_timing_tables [list [scratch tables]]"]
  exec [info nameofexecutable] -quiet -engine $engine -exit $script </dev/null 2>@1
  set all [lmap file [lsort [glob [scratch tables]/*]] { exec gzip -dc $file }]
  file delete -force [scratch tables]
  return $all
}
proc same_engines {setup} { expr {[engine_tables cpu $setup] eq [engine_tables emulated $setup]} }
# The messages of a script about parasitics and nets, with how many of each.
proc told {script} {
  set counts [uplevel 1 [list warned $script]]
  dict filter $counts script {code count} { regexp {^(SPEF|NET|SDC|LIB)-} $code }
}
