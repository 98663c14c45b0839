# This program's part of answer.tcl.

# Words that name the scenario, where there are several.
set answer::in {}

proc answer::prepare {folder} {
  read_verilog $folder/design.v
  link_design top
  set_delay_model lumped
}

# Cases that are scenarios of one session.
proc answer::scenarios {folders libraries} {
  variable groups
  variable tables
  variable in
  read_verilog [lindex $folders 0]/design.v
  link_design top
  set_delay_model lumped
  foreach library $libraries i {0 1} {
    create_corner c$i -libraries [file rootname [file tail $library]]
  }
  foreach folder $folders {
    regexp {m(\d)c(\d)$} $folder all mode corner
    if {"m$mode" ni [get_modes]} {
      create_mode m$mode; current_mode m$mode; read_constraints $folder/constraints.sdc
    }
    create_scenario m${mode}c$corner -mode m$mode -corner c$corner
  }
  foreach folder $folders {
    set name [string range [file extension $folder] 1 end]
    set in [list -scenarios $name]
    current_scenario $name
    puts "=case $folder"
    set names $groups
    foreach word [regexp -all -inline {group_path -name \w+} [text_of $folder/constraints.sdc]] {
      lappend names [lindex $word end]
    }
    foreach clock [all_clocks] { lappend names [get_name $clock] }
    foreach side {max min} { foreach group [lsort -unique $names] { ends $side $group } }
    if {$tables} { write_timing_tables {*}$in $folder/tables }
    puts "=done"
  }
}

# The worst path to each end point; then those within a tenth of a picosecond of it, for the peer
# may name another of them.
proc answer::ends {side group} {
  variable in
  foreach path [get_timing_paths {*}$in -path_delay $side -max_paths_per_group 100000 -group \
    [list $group]] { tell =end $side $group $path }
  foreach path [get_timing_paths {*}$in -path_delay $side -max_paths_per_group 100000 -nworst 16 \
    -group [list $group]] {
    tell =also $side $group $path
  }
}

proc answer::tell {word side group path} {
  set points [get_property $path points]
  foreach {name property} {launch startpoint_clock capture endpoint_clock slack slack} {
    set $name [get_property $path $property]
  }
  set pins [lmap point $points { get_full_name [dict get $point pin] }]
  set edge [string index [dict get [lindex $points end] edge] 0]
  set words [list $side $group [lindex $pins end] $edge $slack [name $launch] [name $capture] $pins]
  variable terms
  if {$terms} { lappend words [terms_of $path] }
  puts "$word $words"
}

# {launch capture credit delay}: latencies, common path credit, time from the launching edge.
proc answer::terms_of {path} {
  foreach {name property} {
    launch launch_latency capture capture_latency credit credit arrival arrival edge launch_time
  } {
    set $name [get_property $path $property]
    if {[set $name] eq ""} { set $name 0 }
  }
  return [list $launch $capture $credit [expr {$arrival - $edge}]]
}
