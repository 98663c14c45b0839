# The peer's part of answer.tcl: sta 2.0.17's commands.

proc answer::prepare {folder} {
  read_verilog $folder/design.v
  link_design top
  set_delay_calculator lumped_cap
  set_operating_conditions -analysis_type on_chip_variation
}

proc answer::group_name {group} {
  set names {asynchronous **async_default** {gated clock} **clock_gating_default** {path delay} **default**}
  return [expr {[dict exists $names $group] ? [dict get $names $group] : $group}]
}

proc answer::ends {side group} {
  set name [group_name $group]
  if {![sta::is_path_group_name $name]} return
  foreach end [find_timing_paths -path_delay $side -group_count 100000 -endpoint_count 1 -path_group [list $name]] {
    set pins [lmap point [get_property $end points] { get_full_name [get_property $point pin] }]
    set edge [expr {[sta::PathEnd_end_transition $end] eq "^" ? "r" : "f"}]
    set slack [expr {[sta::PathEnd_slack $end] * 1e9}]
    set words [list $side $group [lindex $pins end] $edge $slack [clock $end startpoint_clock] [clock $end endpoint_clock] $pins]
    puts "=end $words"
  }
}

proc answer::clock {end property} {
  if {[catch {get_property $end $property} clock]} { return "" }
  return [name $clock]
}
