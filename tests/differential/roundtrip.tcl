# Constraints written by one process and read by another, which has the libraries and the design
# alone: the same tables (write_timing_tables) and, written again, the same text.
#
# A difference is a list {read_back what line line}: what is a table or sdc; the lines are the first
# that differ.

namespace eval roundtrip {
  variable tables {pins arcs endpoints}
}

# Sourced by the program, for each folder.
proc roundtrip::script {body} {
  return [string map [list BODY $body] {
    if {[catch {
      puts "=case $folder"
      read_verilog $folder/design.v
      link_design top
      BODY
      puts "=done"
    } message]} { puts "=failed $message" }
  }]
}

proc roundtrip::run {name body folders} {
  variable ::programs::libraries
  set text ""
  foreach library $libraries side [expr {[llength $libraries] > 1 ? {-min -max} : {{}}}] {
    append text "read_liberty $side $library\n"
  }
  append text "set sta_crpr_enabled $::programs::cppr\nsource\
    [list [file join $::programs::here answer.tcl]]\n"
  append text "foreach folder [list $folders] {[script $body]}\n"
  set file $::programs::scratch/$name.[pid].tcl
  programs::write $file $text
  catch {
    exec timeout [expr {$::programs::seconds + [llength $folders]}] {*}$::programs::command(ours) \
      $file </dev/null 2>@1
  } output
  return [programs::parse $output]
}

# For each case its differences.
proc roundtrip::differences {folders} {
  variable last {}
  set written [run written {
    answer::read_constraints $folder/constraints.sdc
    write_timing_tables $folder/written
    write_sdc -no_timestamp $folder/written.sdc
  } $folders]
  set read [run read {
    read_sdc $folder/written.sdc
    write_timing_tables $folder/read
    write_sdc -no_timestamp $folder/read.sdc
  } $folders]
  return [lmap folder $folders { of_case $folder [state $written $folder] [state $read $folder] }]
}

proc roundtrip::state {answers folder} {
  return [expr {[dict exists $answers $folder] ? [dict get $answers $folder state] : "crashed"}]
}

proc roundtrip::of_case {folder written read} {
  variable tables
  variable last
  lappend last 0
  if {"$written $read" ne "done done"} { return [list [list state read_back $written $read]] }
  lset last end [expr {[llength [lines $folder/written/endpoints.tsv.gz]] - 1}]
  set out {}
  foreach {what a b} [concat [list sdc written.sdc read.sdc] \
    {*}[lmap table $tables { list $table written/$table.tsv.gz read/$table.tsv.gz }]] {
    set difference [first_difference [lines $folder/$a] [lines $folder/$b]]
    if {[llength $difference]} { lappend out [list read_back $what {*}$difference] }
  }
  return $out
}

proc roundtrip::lines {file} {
  set channel [open $file rb]
  if {[string match *.gz $file]} { zlib push gunzip $channel }
  set text [read $channel]
  close $channel
  return [split [string trimright $text \n] \n]
}

proc roundtrip::first_difference {a b} {
  if {$a eq $b} { return {} }
  foreach x $a y $b { if {$x ne $y} { return [list [split $x \t] [split $y \t]] } }
}
