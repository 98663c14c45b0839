# Times the choice of library cells: figure 2 of Chung et al. (Accelerating gate sizing using GPU,
# Euro-Par 2025). Random drivers have as many candidates as there: 70 % have 1 to 32, 30 % have 33
# to 41. The published kernels, ways beside them, the sizer's own kernels and the CPU's threads
# choose for the same drivers; all choices must be the same bytes.
# Runs inside our own program, so that a machine without Tcl will do; in a bundle (scripts/bundle):
#
#   ./slackline -quiet -exit bench_sizing.tcl ?options?
#                       elsewhere: scripts/bench sizing ?options?
#     -drivers LIST     (80000 164000 328000 655000 1310000)
#     -evaluations LIST each is MODEL:EDGES, a delay model and the timing edges of a driver. A
#                       table model looks tables up. A waveform model solves each driver as the
#                       timer does (lumped:1 ceff:1)
#     -costs LIST       of: keys (the costs are given, and only compared), model (the timer's delay
#                       calculation), tables and cells (look-ups, for lumped alone), own (the
#                       sizer's kernels) (keys model tables cells own)
#     -ways LIST        who finds a driver's least cost, of: lane (the published block-level
#                       algorithm), block, warp (the published warp-level algorithm), group (8 lanes
#                       where there are at most 8 candidates, else 32), fused_warp and fused_group
#                       (32 and 8 lanes that evaluate the candidates too) (all)
#     -engine ENGINE    cpu, cuda or emulated (cuda where there is a device, else cpu)
#     -threads N        of the CPU (all)
#     -repeat N         runs of kernels, whose median counts (5); three at most, and fewer where
#                       they take long, for the CPU and for copies
#     -seed N           of the drivers (1)
#     -json FILE        the same as JSON
#     -note TEXT        goes into the heading
#     -measure FILE     measure_sizing
#
# First comes a row for each measurement, as soon as it is made, then the tables; FILE is written
# again after each number of drivers. No test: what is measured depends on the machine.
# Exit status: 1 where something could not be measured, or where choices differ; 2 a wrong call.
source [file join [file dirname [info script]] bench_common.tcl]

namespace eval bench {
  variable option
  # -evaluations: the two models of the figures in doc/bench, a table model and a waveform model
  array set option {
    -drivers {80000 164000 328000 655000 1310000} -evaluations {lumped:1 ceff:1}
    -costs {keys model tables cells own} -ways {lane block warp group fused_warp fused_group}
    -engine default -threads 0 -repeat 5 -seed 1 -json {} -note {} -measure {}
  }
  variable records {}
  variable failures {}
  # Bytes of a gate, a timing edge and a net, of a driver and of a choice, and of a candidate with
  # its own cost (math/sizing.h): what must be read and written at least.
  variable sizes {gate 36 edge 20 net 36 driver 16 choice 8 candidate 8 key 4}
}

# --- running --------------------------------------------------------------------------------------

proc bench::least_bytes {costs edges drivers candidates} {
  variable sizes
  dict with sizes {}
  if {$costs eq "keys"} { return [expr {$drivers * ($driver + $choice) + $candidates * $key}] }
  set nets [expr {min($edges, 2)}]
  return [expr {$drivers * ($gate + $edges * $edge + $nets * $net + $choice)
    + $candidates * $candidate}]
}

# Prints and keeps what a line says of a measurement; other lines say nothing of one.
proc bench::take_line {drivers model edges line} {
  variable records
  if {[llength $line] != 9 || ![string is integer -strict [lindex $line 8]]} return
  lassign $line engine costs way update select all copied megabytes same
  row $drivers $model:$edges {*}$line
  # those with a dash follow, unless the call fails
  lappend records [dict create drivers $drivers candidates - ties - model $model edges $edges \
    engine $engine costs $costs way $way update $update select $select all $all \
    with_copies $copied megabytes $megabytes same $same read_gb_s - least_mb - floor -]
}

# Numbers that a call says once go into all of its records.
proc bench::complete {from output edges} {
  variable records
  set bandwidth -
  regexp -line {^memory ([1-9]\d*)$} $output -> bandwidth
  regexp -line {^problem (\d+) (\d+) (\d+) (\d+)$} $output -> drivers candidates doubled ties
  for {set i $from} {$i < [llength $records]} {incr i} {
    set r [lindex $records $i]
    set bytes [least_bytes [dict get $r costs] $edges $drivers $candidates]
    set floor [expr {$bandwidth eq "-" ? "-" : [format %.4f [expr {1e-6 * $bytes / $bandwidth}]]}]
    lset records $i [dict merge $r [list candidates $candidates ties $ties read_gb_s $bandwidth \
      least_mb [format %.1f [expr {1e-6 * $bytes}]] floor $floor]]
  }
}

proc bench::costs_for {model} {
  variable option
  return [lmap c $option(-costs) {
    if {$model ne "lumped" && $c in {tables cells}} continue
    set c
  }]
}

proc bench::measure {drivers evaluation} {
  variable option
  variable records
  variable failures
  lassign [split $evaluation :] model edges
  tell "$drivers drivers, $evaluation"
  set from [llength $records]
  set words [list $option(-measure) --drivers $drivers --model $model --edges $edges --engine \
    $option(-engine) --costs [join [costs_for $model] ,] --ways [join $option(-ways) ,] --repeat \
    $option(-repeat) --seed $option(-seed)]
  if {$option(-threads)} { lappend words --threads $option(-threads) }
  set ended [run_watched $words output [list take_line $drivers $model $edges]]
  if {[regexp -line {^problem } $output]} { complete $from $output $edges }
  if {!$ended} { lappend failures "$drivers, $evaluation: [lindex [split $output \n] end]" }
}

# --- tables ---------------------------------------------------------------------------------------

proc bench::figure {number} {
  if {![string is double -strict $number]} { return $number }
  if {$number >= 100} { return [format %.0f $number] }
  if {$number >= 10} { return [format %.1f $number] }
  return [format %.3f $number]
}

proc bench::records_of {evaluation} {
  variable records
  lassign [split $evaluation :] model edges
  return [lmap r $records {
    if {[dict get $r model] ne $model || [dict get $r edges] != $edges} continue
    set r
  }]
}

# A number of one measurement, or a dash.
proc bench::number {evaluation drivers engine costs way key} {
  foreach r [records_of $evaluation] {
    if {[dict get $r drivers] == $drivers && [dict get $r costs] eq $costs &&
        [dict get $r way] eq $way && ([dict get $r engine] eq "cpu") == ($engine eq "cpu")} {
      return [dict get $r $key]
    }
  }
  return -
}

proc bench::ratio {a b} {
  if {![string is double -strict $a] || ![string is double -strict $b] || $b == 0} { return - }
  return [format %.2f [expr {double($a) / $b}]]
}

# A column for each way: milliseconds of the launches, and the floor.
proc bench::device_table {evaluation costs} {
  variable option
  set ways [lmap w $option(-ways) {
    if {[number $evaluation [lindex $option(-drivers) 0] device $costs $w all] eq "-"} continue
    set w
  }]
  if {![llength $ways]} return
  set apart [lmap w $ways {
    if {[number $evaluation [lindex $option(-drivers) 0] device $costs $w select] eq "-"} continue
    set w
  }]
  puts "$evaluation, $costs: milliseconds of the device.\n"
  row drivers candidates update_delay {*}[lmap w $apart { string cat "select $w" }] \
    {*}[lmap w $ways { string cat "all $w" }] "lane / warp" floor
  row ---: ---: ---: {*}[lrepeat [expr {[llength $apart] + [llength $ways] + 2}] ---:]
  foreach n $option(-drivers) {
    set all [lmap w $ways { number $evaluation $n device $costs $w all }]
    set first [lindex $ways 0]
    row $n [number $evaluation $n device $costs $first candidates] \
      [figure [number $evaluation $n device $costs $first update]] \
      {*}[lmap w $apart { figure [number $evaluation $n device $costs $w select] }] \
      {*}[lmap a $all { figure $a }] \
      [ratio [number $evaluation $n device $costs lane all] \
        [number $evaluation $n device $costs warp all]] \
      [figure [number $evaluation $n device $costs $first floor]]
  }
  puts ""
}

# As figure 2: the CPU beside the device, copies included.
proc bench::copies_table {evaluation} {
  variable option
  set costs [expr {[string match lumped:* $evaluation] ? "tables" : "model"}]
  set best [expr {$costs eq "tables" ? "cells" : "model"}]
  puts "$evaluation: milliseconds with all copies, and how many times as fast as the CPU.\n"
  row drivers "CPU" "lane ($costs)" "warp ($costs)" "fused_group ($best)" "own group" \
    "CPU / lane" "CPU / warp" "CPU / fused" "CPU / own" MB
  row ---: ---: ---: ---: ---: ---: ---: ---: ---: ---: ---:
  foreach n $option(-drivers) {
    set cpu [number $evaluation $n cpu own own all]
    set times [list [number $evaluation $n device $costs lane with_copies] \
      [number $evaluation $n device $costs warp with_copies] \
      [number $evaluation $n device $best fused_group with_copies] \
      [number $evaluation $n device own group with_copies]]
    row $n [figure $cpu] {*}[lmap t $times { figure $t }] {*}[lmap t $times { ratio $cpu $t }] \
      [number $evaluation $n device $costs warp megabytes]
  }
  puts ""
}

proc bench::cpu_table {evaluation} {
  variable option
  puts "$evaluation: milliseconds of the CPU alone.\n"
  row drivers candidates "comparison alone" "evaluated and compared"
  row ---: ---: ---: ---:
  foreach n $option(-drivers) {
    row $n [number $evaluation $n cpu keys own candidates] \
      [figure [number $evaluation $n cpu keys own all]] \
      [figure [number $evaluation $n cpu own own all]]
  }
  puts ""
}

proc bench::heading {} {
  variable option
  puts "[machine_line $option(-note)]\n"
  row drivers evaluation engine costs way update_delay select both "with copies" MB same
  row ---: --- --- --- --- ---: ---: ---: ---: ---: ---:
}

proc bench::explain {} {
  variable option
  variable records
  puts "\nMilliseconds, medians of $option(-repeat). A device's times are by its own clock, with\
    cold caches, without copies unless the table says so. The floor is the least that must be read\
    and written, over the rate at which the device reads memory."
  set wrong [llength [lsearch -all -exact [lmap r $records { dict get $r same }] 0]]
  puts "[llength $records] measurements, $wrong with other choices than the CPU's.\n"
}

proc bench::tables {} {
  variable option
  variable failures
  explain
  foreach evaluation $option(-evaluations) {
    cpu_table $evaluation
    if {$option(-engine) eq "cpu"} continue
    foreach costs $option(-costs) { device_table $evaluation $costs }
    copies_table $evaluation
  }
  foreach f $failures { puts "Not measured: $f" }
}

# --- the command line -----------------------------------------------------------------------------

proc bench::check_evaluations {} {
  variable option
  foreach e $option(-evaluations) {
    if {![regexp {^(\w+):[1-4]$} $e all model] || $model ni [delay_models]} {
      wrong "-evaluations are of [delay_models], with :1 to :4 behind it, not '$e'"
    }
  }
}

proc bench::settle_engine {} {
  variable option
  if {$option(-engine) eq "default"} {
    set option(-engine) [expr {[why_absent cuda] eq "" ? "cuda" : "cpu"}]
  }
  set option(-engines) [list $option(-engine)]
  check_words -engines {cpu cuda emulated}
  check_engines
}

proc bench::settle {arguments} {
  variable here
  variable option
  take_options $arguments [list -costs {keys model tables cells own} \
    -ways {lane block warp group fused_warp fused_group}] {-threads 0 -repeat 1 -seed 0}
  check_numbers -drivers $option(-drivers) 1
  check_evaluations
  set program [file dirname [info nameofexecutable]]
  set option(-measure) [find_file -measure [list $here/bin/measure_sizing \
    $program/measure_sizing $program/scripts/measure_sizing]]
  if {$option(-measure) eq ""} { wrong "there is no measure_sizing; give -measure FILE" }
  settle_engine
  check_writable -json
}

proc bench::write_records {} {
  variable option
  variable records
  if {$option(-json) eq ""} return
  write_json $option(-json) [list note $option(-note) repeat $option(-repeat) seed $option(-seed)] \
    $records
}

proc bench::main {arguments} {
  variable option
  variable failures
  settle $arguments
  new_scratch
  heading
  foreach evaluation $option(-evaluations) {
    foreach drivers $option(-drivers) {
      measure $drivers $evaluation
      write_records
    }
  }
  tables
  finish [expr {[llength $failures] > 0}]
}

bench::main $argv
