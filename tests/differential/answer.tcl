# What a program is given to source: it answers for many cases (folders with design.v and
# constraints.sdc), one after the other. Each answer is lines that begin with "=":
#   =case FOLDER
#   =rejected NUMBER           a constraint that was an error (its line)
#   =end max|min GROUP PIN EDGE SLACK {LAUNCH CLOCK} {CAPTURE CLOCK} {PIN ...} ?TERMS?
#   =done
# in the libraries' unit of time.  ours.tcl or peer.tcl has said before what answer::prepare,
# answer::ends and answer::groups are.

namespace eval answer {
  # Path groups besides clocks and those of group_path, by our names.
  variable tables 0
  # Whether ends have their terms: what the rules of known.tcl bound amounts by.
  variable terms 0
  variable groups {asynchronous {gated clock} {path delay}}
}

proc answer::text_of {file} {
  set channel [open $file]
  set text [string trim [read $channel]]
  close $channel
  return $text
}

proc answer::read_constraints {file} {
  set lines [split [text_of $file] \n]
  set number 0
  foreach line $lines {
    incr number
    if {[catch {uplevel #0 $line} message]} { puts "=rejected $number $message" }
  }
  return [regexp -all -inline {group_path -name \w+} $lines]
}

proc answer::case {folder prepare ends} {
  variable groups
  puts "=case $folder"
  variable tables
  $prepare $folder
  set names $groups
  foreach word [read_constraints $folder/constraints.sdc] { lappend names [lindex $word end] }
  foreach clock [all_clocks] { lappend names [get_name $clock] }
  foreach side {max min} {
    foreach group [lsort -unique $names] { $ends $side $group }
  }
  if {$tables} { write_timing_tables $folder/tables }
  puts "=done"
  flush stdout
}

proc answer::name {object} { return [expr {$object in {"" NULL} ? "" : [get_name $object]}] }
