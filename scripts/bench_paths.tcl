# Measures the search for paths: k from 1 to 10 million, as worst paths of all and of each end
# point, unlimited and through pins; the stages, rounds and memory of each; and how far the worst k
# are off when paths may leave the best way only so often (the figures on the number of deviations
# in the literature).
#
#   scripts/bench paths SCRIPT ?-program FILE? ?-k LIST? ?-repeat N? ?-errors? ?-json FILE? ?-note
#   TEXT?
#
#   SCRIPT      reads and constrains a design
#   -k LIST     numbers of paths (1 1000 10000 100000 1000000)
#   -repeat N   of so many runs the fastest is shown (3)
#   -errors     the table of errors by k and deviations, instead of times
#   -json FILE  the rows once more, with the machine
#   -note TEXT  goes into the heading, beside date, commit and machine
source [file join [file dirname [info script]] bench_common.tcl]

namespace eval bench {
  variable option
  array set option {-k {1 1000 10000 100000 1000000} -repeat 3 -json {} -note {}}
  variable errors 0
  variable script
  variable columns
  variable rows {}
}

proc bench::settle {words} {
  variable option
  variable errors
  variable script
  set words [lassign $words script]
  set errors [expr {"-errors" in $words}]
  take_options [lsearch -all -inline -not -exact $words -errors] {} {-repeat 1}
  check_numbers -k $option(-k) 1
  if {![file isfile $script]} {
    wrong "[expr {$script eq "" ? "it takes a script that reads and constrains a design" : "there\
      is no script $script"}]"
  }
  check_writable -json
}

# --- what report_engine says of the last search ---------------------------------------------------
proc bench::effort {} {
  redirect -variable text { report_engine -digits 6 }
  set stages {}
  set rounds 0
  set left 0
  foreach line [split $text \n] {
    if {[regexp {^rounds (\d+), paths left at their links (\d+)} $line - rounds left]} {
      set stages {} ; continue
    }
    if {[regexp {^(\S.*\S)\s{2,}([\d.]+)$} $line - what seconds]} { dict set stages $what $seconds }
  }
  dict set stages rounds# $rounds
  dict set stages left# $left
  return $stages
}

proc bench::stage {effort name} {
  expr {[dict exists $effort $name] ? 1e3 * [dict get $effort $name] : 0}
}

proc bench::resident {} {
  if {[catch { open /proc/self/status } channel]} { return 0 }
  regexp {VmRSS:\s+(\d+)} [read $channel] - kilobytes
  close $channel
  return [expr {$kilobytes / 1000.0}]
}

# Of the lines of -format slack_only.
proc bench::slacks_in {text} {
  lmap {line slack} [regexp -all -inline -line -- {^\S.*\s(-?\d+\.\d+)(?:\s+VIOLATED)?$} $text] {
    set slack
  }
}

# --- times ----------------------------------------------------------------------------------------
proc bench::one {label k options} {
  variable option
  variable rows
  set best {}
  for {set i 0} {$i < $option(-repeat)} {incr i} {
    set started [clock microseconds]
    redirect -variable out { report_timing -max_paths $k {*}$options -format slack_only }
    set ms [expr {([clock microseconds] - $started) / 1e3}]
    set found [llength [slacks_in $out]]
    set effort [effort]
    if {$best eq "" || $ms < [dict get $best ms]} {
      set best [dict create ms $ms found $found {*}$effort]
    }
  }
  set row [list $label $k [dict get $best found] [dict get $best rounds#] [dict get $best left#]]
  foreach name {{end points} {forest of all pins} {rounds} {copy to the device}\
    {rounds on the device} {copy of the paths} {points}} {
    lappend row [format %.3f [stage $best $name]]
  }
  lappend row [format %.1f [dict get $best ms]] [format %.0f [resident]]
  lappend rows $row
  puts [format "%-22s %9s %9s %6s %9s %9s %9s %9s %9s %9s %9s %9s %9s %7s" {*}$row]
}

proc bench::heads {} {
  variable columns {paths asked found rounds left ends forest host there device back points all MB}
  puts [format "%-22s %9s %9s %6s %9s %9s %9s %9s %9s %9s %9s %9s %9s %7s" {*}$columns]
  puts [string repeat - 150]
}

# A pin in the middle of the worst path.
proc bench::middle {} {
  set path [lindex [get_timing_paths] 0]
  set points [get_property $path points]
  return [dict get [lindex $points [expr {[llength $points] / 2}]] pin]
}

proc bench::times {} {
  variable option
  set pin [middle]
  heads
  foreach count $option(-k) {
    one "one an end point" $count {}
    one "up to 100 an end point" $count {-nworst 100}
    one "worst of all" $count [list -nworst $count]
    one "through a pin" $count [list -through $pin -nworst $count]
    one "worst of all, hold" $count [list -nworst $count -delay_type min]
  }
}

# --- errors by deviations -------------------------------------------------------------------------
proc bench::slacks {options} {
  redirect -variable text { report_timing {*}$options -format slack_only -digits 6 }
  return [slacks_in $text]
}

# The largest difference of the i-th slack, for all i; paths that are missing count as none.
proc bench::largest {exact found} {
  set most 0
  foreach a $exact b [lrange $found 0 [llength $exact]-1] {
    if {$b ne "" && abs($b - $a) > $most} { set most [expr {abs($b - $a)}] }
  }
  return $most
}

proc bench::errors {} {
  variable option
  variable rows
  variable columns {k deviations found rounds "slack error"}
  puts [format "%9s %11s %9s %8s %12s" {*}$columns]
  puts [string repeat - 54]
  foreach count $option(-k) {
    set exact [slacks [list -max_paths $count -nworst $count]]
    set rounds [dict get [effort] rounds#]
    foreach deviations {1 2 3 4 6 8 10 15 20} {
      set found [slacks [list -max_paths $count -nworst $count -max_deviations $deviations]]
      set row [list $count $deviations [llength $found] $rounds \
        [format %.6g [largest $exact $found]]]
      lappend rows $row
      puts [format "%9s %11s %9s %8s %12s" {*}$row]
      if {[llength $found] == [llength $exact] && $deviations >= $rounds} break
    }
  }
}

# Rows of a table as dictionaries.
proc bench::records {} {
  variable columns
  variable rows
  return [lmap row $rows { concat {*}[lmap column $columns value $row { list $column $value }] }]
}

proc bench::main {words} {
  variable option
  variable script
  variable errors
  settle $words
  if {[catch { uplevel #0 [list source $script]; update_timing } why]} { refuse 1 $why }
  puts [machine_line $option(-note)]
  if {$errors} errors else times
  if {$option(-json) ne ""} {
    write_json $option(-json) [list note $option(-note) script $script repeat $option(-repeat)] \
      [records]
  }
}

bench::main $argv
