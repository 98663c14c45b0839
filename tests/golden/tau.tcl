# A design of the TAU 2015 contest, in a process of its own: writes what golden::run_tau compares.
#
#   env FOLDER=... OUT=... ANSWERS=0|1 slackline -exit tests/golden/tau.tcl
#
# OUT/nocppr, OUT/cppr   tables without and with credit for common clock paths
# OUT/checks             for each check of FOLDER's .tests: slack and credit of its worst path,
#                        slack without credit ("-": none)
# OUT/paths.late, .early the 1000 worst violating paths, with credit, a line each: slack, and of
# each point pin, edge, arrival
# OUT/answers            answers to the contest's queries, where ANSWERS is 1
# OUT/clock_pins         the pins of the clock networks before those edits, OUT/clock_pins.edited
#                        after them
source [file join [file dirname [info script]] .. tau15 answer]

proc write_clock_pins {file} {
  set channel [open $file w]
  foreach clock [all_clocks] {
    foreach source [get_property $clock sources] {
      foreach pin [all_fanout -flat -from $source] { puts $channel [get_full_name $pin] }
    }
  }
  close $channel
}

# Slack and credit of the worst path of each check's edge.
proc check_paths {tests} {
  set answers {}
  foreach test $tests {
    lassign $test related pin split edge
    set path [get_timing_paths -delay_type [expr {$split eq "late" ? "max" : "min"}] -${edge}_to \
      [tau::pin $pin]]
    lappend answers [expr {[llength $path] ? [list [get_property $path slack] [get_property $path\
      crpr]] : {- -}}]
  }
  return $answers
}

proc write_lines {lines file} {
  set channel [open $file w]
  foreach line $lines { puts $channel $line }
  close $channel
}

proc write_paths {type file} {
  set lines [lmap path [get_timing_paths -delay_type $type -max_paths 1000 -nworst 1000 \
    -slack_lesser_than 0] {
    set points [lmap point [get_property $path points] {
      list [get_full_name [dict get $point pin]] [string index [dict get $point edge] 0] \
        [dict get $point arrival]
    }]
    join [concat [list [get_property $path slack]] $points] \t
  }]
  write_lines $lines $file
}

proc write_answers {ops file} {
  set channel [open $file w]
  tau::answers $ops $channel
  close $channel
}

set out $env(OUT)
file mkdir $out
set name [tau::start $env(FOLDER)]
set tests [lrange [tau::lines_of [tau::file_of pins.cppr.tsv.tests]] 1 end]
write_clock_pins $out/clock_pins
write_timing_tables $out/cppr
set credited [check_paths $tests]
write_paths max $out/paths.late
write_paths min $out/paths.early
set_common_path_credit off
write_timing_tables $out/nocppr
write_lines [lmap with $credited without [check_paths $tests] \
  { concat $with [lindex $without 0] }] $out/checks
set_common_path_credit on -edges same -required ends
if {$env(ANSWERS)} {
  write_answers [tau::file_of $name.ops] $out/answers
  write_clock_pins $out/clock_pins.edited
}
