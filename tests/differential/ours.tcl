# This program's part of answer.tcl.

proc answer::prepare {folder} {
  read_verilog $folder/design.v
  link_design top
  set_delay_model lumped
}

# The worst path to each end point; then those within a tenth of a picosecond of it, for the peer may name another of them.
proc answer::ends {side group} {
  foreach path [get_timing_paths -path_delay $side -max_paths_per_group 100000 -group [list $group]] { tell =end $side $group $path }
  foreach path [get_timing_paths -path_delay $side -max_paths_per_group 100000 -nworst 16 -group [list $group]] {
    tell =also $side $group $path
  }
}

proc answer::tell {word side group path} {
  set points [get_property $path points]
  foreach {name property} {launch startpoint_clock capture endpoint_clock slack slack} { set $name [get_property $path $property] }
  set pins [lmap point $points { get_full_name [dict get $point pin] }]
  set edge [string index [dict get [lindex $points end] edge] 0]
  puts "$word [list $side $group [lindex $pins end] $edge $slack [name $launch] [name $capture] $pins]"
}
