# Measures delay calculation against SPICE: random stages of eighteen sky130 cells with random RC
# trees and with nets of real SPEF files, and chains of eight stages. Prints the errors of delay and
# slew of each delay model and of the peer's calculators, as a table.
#
#   scripts/bench spice ?options?
#     -models LIST     delay models, of the words of set_delay_model (all)
#     -sets LIST       of stages, nets (stages with nets of real SPEF files) and chains (all)
#     -peer FILE       the other timer (sta, when it is in PATH); "" for none
#     -data DIR        the reference data, which has spice/ (../shared/data)
#     -worst N         beside each figure the N worst cases (0)
#     -simulate JOBS   simulates cases with ngspice (apt-get install ngspice) in JOBS processes:
#                      those that the file of -answers lacks, whether the stored answers have them
#                      or not.  0, the default: simulates nothing
#     -answers FILE    answers beside the stored ones.  -simulate adds its answers to this file.
#                      The default is a file in the folder of -keep.  If it is empty, -simulate
#                      simulates all cases.  To simulate only new ones, begin with a copy of the
#                      stored answers (doc/agreement.md, Another cell)
#     -keep DIR        where cases and results go and stay; default a temporary folder
#     -program FILE    slackline; default that of the build folder
#
# The cases come from seeds, so they are the same each time.  scripts/spice_answers.txt.gz has the
# answers of SPICE.  Nets are read from the SPEF files of ../shared.  Needs python3.
#
# Stages have a ramp at the input, the library made with ramps, and capacitors as loads.  So they
# judge the delay calculator alone.  Chains have cells as loads, and the library made with waveforms
# nearer to a gate's output.  Errors are relative to SPICE's time, or to 20 ps if that is more.
source [file join [file dirname [info script]] bench_common.tcl]

namespace eval bench {
  variable option
  array set option {
    -models {} -sets {stages nets chains}
    -peer auto -data {} -worst 0 -simulate 0 -answers {} -keep {}
  }
  # The names of the peer, which our own program does not know.
  variable calculators {lumped_cap simple_rc dmp_ceff_elmore dmp_ceff_two_pole arnoldi}
  variable sets {
    stages {stages 500 1 sky130_spice}
    nets {nets 500 2 sky130_spice}
    chains {chains 50 3 sky130_spice_mix}
  }
}

proc bench::settle {words} {
  variable option
  variable here
  variable scratch
  take_options $words {} {-worst 0 -simulate 0}
  if {$option(-models) eq ""} { set option(-models) [delay_models] }
  check_words -models [delay_models]
  check_words -sets {stages nets chains}
  if {$option(-peer) eq "auto"} { set option(-peer) [lindex [auto_execok sta] 0] }
  if {$option(-data) eq ""} { set option(-data) [file normalize $here/../../shared/data] }
  if {![file isfile $option(-data)/spice/sky130.py]} {
    wrong "-data: there is no $option(-data)/spice/sky130.py"
  }
  if {[auto_execok python3] eq ""} { wrong "it needs python3" }
  if {$option(-simulate) && [auto_execok ngspice] eq ""} {
    wrong "-simulate needs ngspice: apt-get install ngspice"
  }
  set scratch [expr {$option(-keep) ne "" ? [file normalize $option(-keep)] : [new_scratch]}]
  file mkdir $scratch
  if {$option(-answers) eq ""} { set option(-answers) $scratch/answers.txt }
}

proc bench::python {args} {
  variable here
  if {![run_watched [list python3 $here/spice_cases.py {*}$args] output]} {
    refuse 1 [lindex [split $output \n] end]
  }
  return $output
}

proc bench::write {file text} {
  set channel [open $file w]
  puts $channel $text
  close $channel
}

# Cases, their design and the library of a set, in a folder of its own.
proc bench::prepare {name} {
  variable option
  variable scratch
  variable sets
  lassign [dict get $sets $name] kind count seed library
  set folder $scratch/$name
  file mkdir $folder
  write $folder/cases.txt [python $kind $option(-data) $count $seed]
  python design $option(-data) $folder/cases.txt $folder
  python library $option(-data) $option(-data)/spice/$library.lib.gz $folder/library.lib
  return $folder
}

proc bench::reading {folder} {
  return [string map [list FOLDER $folder] {
    read_liberty {FOLDER/library.lib}
    read_verilog {FOLDER/design.v}
    link_design top
    source {FOLDER/design.tcl}
    read_spef {FOLDER/design.spef}
  }]
}

proc bench::ours {folder model} {
  write $folder/ours.tcl [join [list [reading $folder] [list set_delay_model $model] \
    [list write_timing_tables $folder/$model]] \n]
  if {![run_program [list -quiet -exit $folder/ours.tcl] output]} {
    refuse 1 "$model: [complaint $output]"
  }
  return [list "slackline $model" $folder/$model]
}

# A line for each case: arrival and slew at each of its points.
proc bench::peer {folder calculator} {
  variable option
  set result $folder/peer_$calculator.txt
  file delete $result
  write $folder/peer.tcl [reading $folder][string map [list FOLDER $folder RESULT $result \
    CALCULATOR $calculator] {
    set_delay_calculator CALCULATOR
    sta::find_delays
    sta::find_requireds
    set clock [get_clocks v]
    set points [open {FOLDER/points.txt}]
    set result [open {RESULT} w]
    while {[gets $points line] >= 0} {
      set words [list [lindex $line 0]]
      foreach {pin edge} [lrange $line 1 end] {
        set vertex [lindex [[get_pins $pin] vertices] 0]
        lappend words [lindex [$vertex arrivals_clk $edge $clock rise] 1] \
          [lindex [$vertex slews $edge] 1]
      }
      puts $result $words
    }
    close $result
  }]
  run_watched [list $option(-peer) -no_splash -no_init -exit $folder/peer.tcl] output
  if {![file exists $result]} { refuse 1 "$option(-peer): [lindex [split $output \n] end]" }
  return [list "sta $calculator" $result]
}

# Results of a folder: name, file or folder, ...
proc bench::results {folder} {
  variable option
  variable calculators
  set results {}
  foreach model $option(-models) { lappend results {*}[ours $folder $model] }
  if {$option(-peer) eq ""} { return $results }
  foreach calculator $calculators { lappend results {*}[peer $folder $calculator] }
  return $results
}

# One table over all cases of some sets.
proc bench::table {title folders allResults} {
  variable option
  variable here
  set joined [lmap {name path} [lindex $allResults 0] {
    string cat $name = [join [lmap r $allResults { dict get $r $name }] ,]
  }]
  puts "\n$title\n"
  puts [python report [join [lmap f $folders { string cat $f /cases.txt }] ,] \
    $here/spice_answers.txt.gz,$option(-answers) \
    [join [lmap f $folders { string cat $f /points.txt }] ,] $option(-worst) {*}$joined]
}

proc bench::measure {names} {
  variable option
  set folders [lmap name $names { prepare $name }]
  foreach folder $folders {
    if {!$option(-simulate)} break
    tell "simulates [file tail $folder]"
    python simulate $option(-data) $folder/cases.txt $option(-answers) -jobs $option(-simulate)
  }
  set results [lmap folder $folders { results $folder }]
  foreach name $names folder $folders result $results { table $name [list $folder] [list $result] }
  set both [lmap name {stages nets} { lsearch $names $name }]
  if {-1 in $both} return
  table "stages and nets" [lmap k $both { lindex $folders $k }] \
    [lmap k $both { lindex $results $k }]
}

bench::settle $argv
puts [bench::machine_line ""]
bench::measure $bench::option(-sets)
bench::finish 0
