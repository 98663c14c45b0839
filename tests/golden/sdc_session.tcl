# One side of a design's constraints written and read: runs the design's own script (env SCRIPT),
# and where that writes its tables (into env OUT) writes the constraints of each mode there too.
# With env FROM, the folder of such a session before, the script's own constraints are left out and
# those files read in their place.

rename write_timing_tables session_tables
rename read_sdc session_read_sdc
set session_constraints {}

# Constraints that the script says go nowhere until its files are read.
if {[info exists env(FROM)]} {
  suppress_msg CMD-020 CMD-021 CMD-023 CMD-026
  with_output_to_variable listed { help constraints }
  foreach line [split $listed \n] {
    if {![regexp {^  (\w+)} $line all name] || [info commands $name] eq ""} continue
    rename $name session_$name
    proc $name args {}
    lappend session_constraints $name
  }
}

# Modes that the script makes by reading their constraints are made all the same.
proc read_sdc {args} {
  if {![info exists ::env(FROM)]} { return [session_read_sdc {*}$args] }
  set at [lsearch -exact $args -mode]
  if {$at < 0} return
  set channel [open $::env(OUT)/../none.sdc w]
  puts $channel "# none"
  close $channel
  session_read_sdc -mode [lindex $args $at+1] $::env(OUT)/../none.sdc
}

proc session_restore {} {
  foreach name $::session_constraints {
    rename $name ""
    rename session_$name $name
  }
  set ::session_constraints {}
}

proc write_timing_tables {args} {
  global env
  file mkdir $env(OUT)
  if {[llength $::session_constraints]} {
    session_restore
    foreach mode [all_modes] { session_read_sdc -mode $mode $env(FROM)/$mode.sdc }
  }
  session_tables {*}$args
  foreach mode [all_modes] { write_sdc -no_timestamp -mode $mode $env(OUT)/$mode.sdc }
}

file mkdir $env(OUT)
source $env(SCRIPT)
