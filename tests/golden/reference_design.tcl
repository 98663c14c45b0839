# Reads a reference design of ../shared by its own script, without the tables that this writes
# (sourced). Env SL_SHARED names the folder; env SPEF a file for scripts that ask for one.
set shared_data [file normalize [expr {[info exists ::env(SL_SHARED)] ? $::env(SL_SHARED) :
  [file join [file dirname [info script]] .. .. .. shared]}]]/data

# netlist: a file that is read in place of the published one.
proc read_reference_design {name {netlist {}}} {
  global shared_data
  set run $shared_data/designs/$name/run.tcl
  set channel [open $run]
  set text [read $channel]
  close $channel
  set text [regsub -line {^golden_outputs.*$} $text {}]
  if {$netlist ne ""} { set text [regsub {read_verilog \S+} $text "read_verilog {$netlist}"] }
  set script [info script]
  set folder [pwd]
  info script $run
  set failed [catch { uplevel #0 $text } why how]
  info script $script
  cd $folder
  if {$failed} { return -options $how $why }
}
