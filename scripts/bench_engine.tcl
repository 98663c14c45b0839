# Times the engines: phases of an update on a device by schedule and with and without a graph,
# one-off costs, the CPU beside it. Runs inside our own program, so that a machine without Tcl will
# do; in a bundle (scripts/bundle):
#
#   ./slackline -quiet -exit bench_engine.tcl ?options?        elsewhere: scripts/bench engine
#                                                              ?options?
#     -sizes LIST       cells of generated designs (10000 120000 1210000 1930000 10000000)
#     -depth N          their levels of logic between flip-flops (80)
#     -largest N        loads of their largest net, or a thirtieth of the cells (3900)
#     -wires KIND       of their nets: tree, star (tree)
#     -designs LIST     folders of reference designs; default those of the list below that are there
#     -copies LIST      how many of aes_256 under one top; with -designs left out, 4 16.  Needs
#     tools/replicate.py beside the reference data, and python3
#     -engines LIST     of: cuda cpu emulated; default cuda where there is a device, and cpu
#     -models LIST      of set_delay_model (elmore ceff)
#     -schedules LIST   of: net pin cte (all)         -graphs LIST  of: on off (on off)
#     -repeat N         runs of each phase, whose median counts (20)
#     -updates N        whole updates, whose median counts for nets and for the CPU (3)
#     -bandwidth X      of the device's memory in bytes a second, for the floor (4.0e12)
#     -json FILE        the same as JSON
#     -note TEXT        goes into the heading, beside date, commit and machine
#     -generator FILE, -library FILE, -data DIR   gen_design, the library of generated designs, the
#                                                 folder of reference data
#
# Phases are timed by the device's own clock.  The floor of a design is the time in which an
# update's least bytes (report_engine) pass at that bandwidth; the fraction is floor over phases.
# The CPU works out end points with backward.  Common path credit is off, as the floor knows of no
# lists.  No test: what is measured depends on the machine.  Exit status: 1 where something that was
# asked for could not be measured, or there was nothing to measure; 2 a wrong call.
source [file join [file dirname [info script]] bench_common.tcl]

namespace eval bench {
  variable option
  # -models: the two models of the figures in doc/bench, a table model and a waveform model
  array set option {
    -sizes {10000 120000 1210000 1930000 10000000} -depth 80 -largest 3900 -wires tree -designs\
    default -copies default -engines default -models {elmore ceff}
    -schedules {net pin cte} -graphs {on off} -repeat 20 -updates 3 -bandwidth 4.0e12 -json {}\
    -note {} -generator {} -library {} -data {}
  }
  variable reference {gcd_sky130hd riscv32i_sky130hd aes_nangate45 nvdla_m_asap7 aes_256_asap7}
  variable records {}
}

# --- what a child process runs --------------------------------------------------------------------

# Reading a design; golden_outputs of a reference design's own script is what would compare.
proc bench::reading_reference {folder} {
  return [string map [list FOLDER [list $folder]] {
    set calc dmp_ceff_elmore
    rename source bench_source
    proc source {args} { if {[file tail [lindex $args end]] ne "golden.tcl"}\
      { uplevel #0 [linsert $args 0 bench_source] } }
    proc golden_outputs {args} {}
    proc source_gz {file} {
      set channel [open $file rb]
      zlib push gunzip $channel
      set text [read $channel]
      close $channel
      uplevel #0 $text
    }
    proc envflag {name value} { expr {[info exists ::env($name)] ? $::env($name) : $value} }
    proc patched_spef {file} { return $file }
    cd FOLDER
    source run.tcl
  }]
}

# Copies of a block in a chain, with simple constraints.
proc bench::reading_copies {folder top count} {
  return [string map [list FOLDER [list $folder] TOP [list $top] COUNT $count] {
    foreach file [lsort [glob FOLDER/../../lib/asap7_r27/*FF*.lib.gz]] { read_liberty $file }
    read_verilog FOLDER/aes_256.v.gz
    read_verilog TOP
    link_design top
    create_clock [get_ports clk] -name clk -period 550 -waveform {0 275}
    set_input_transition 0.1 [all_inputs]
    set_input_delay 0 -clock clk [all_inputs]
    set_output_delay 0 -clock clk [all_outputs]
    for {set i 0} {$i < COUNT} {incr i} { read_spef -path u$i FOLDER/parasitics.spef.gz }
  }]
}

# Lines of its output: "BENCH key value ...", a record each.
proc bench::measuring {} {
  return {
    proc bench_report {args} {
      with_output_to_variable text "report_engine $args"
      return $text
    }
    proc bench_number {text row}\
    { expr {[regexp -line "^$row\\s+(\[0-9.e+-\]+)\$" $text all number] ? $number : 0} }
    # of the rows behind a heading
    proc bench_behind {text heading row}\
    { bench_number [string range $text [string first $heading $text] end] $row }
    proc bench_middle {numbers} { lindex [lsort -real $numbers] [expr {[llength $numbers] / 2}] }
    proc bench_say {args} { puts "BENCH $args"; flush stdout }
    proc bench_design {seconds} {
      set text [bench_report]
      regexp -line {^pins: [^0-9]*(\d+) } $text all pins
      bench_say what design pins $pins levels [bench_number $text levels] largest [bench_number\
        $text {largest net}] read $seconds \
        graph [bench_number $text graph] levelling [bench_number $text\
          {  levels of it(?:, by the device)?}]
      regexp -line {^engine +(.*)$} $text all name
      bench_say what engine name $name
    }
    # Medians over whole updates, in microseconds: row {heading name}.
    proc bench_updates {count rows} {
      for {set i 0} {$i < $count} {incr i} {
        update_timing -full
        set text [bench_report]
        foreach {name where scale} $rows\
        { lappend all($name) [expr {$scale * [bench_behind $text {*}$where]}] }
      }
      lmap {name where scale} $rows { list $name [bench_middle $all($name)] }
    }
    proc bench_cpu {model count} {
      set rows {nets {{last update} nets} 1e6 forward {{last update} {delays and arrivals}} 1e6\
        backward {{last update} {required times}} 1e6}
      bench_say what times model $model schedule - graph - ends 0 {*}[concat {*}[bench_updates\
        $count $rows]]
    }
    proc bench_device {model schedules graphs repeat count} {
      foreach schedule $schedules {
        set_engine_option schedule $schedule
        foreach graph $graphs {
          set_engine_option graph $graph
          set rows {nets {microseconds nets} 1 open {microseconds set-up} 1 there\
            {microseconds {last copy there}} 1
            trees {microseconds {copy of trees there}} 1}
          set medians [concat {*}[bench_updates $count $rows]]
          set text [bench_report -repeat $repeat]
          if {![regexp -line {^[a-z]+: schedule } $text]}\
          { bench_say what failed model $model why {the design does not run on the device}; return }
          bench_say what times model $model schedule $schedule graph $graph {*}$medians \
            forward [bench_behind $text microseconds {delays and arrivals}] ends [bench_behind\
              $text microseconds {end points}] \
            backward [bench_behind $text microseconds {required times}] back [bench_behind $text\
              microseconds {last copy back}] \
            bytes [expr {1048576 * [bench_behind $text {memory of the device} all]}] \
            least [expr {1048576 * [bench_number $text {least that an update moves}]}]
        }
      }
    }
  }
}

proc bench::child_script {reading engine} {
  variable option
  set text "[measuring]
set bench_start \[clock microseconds\]
$reading
set bench_read \[expr {1e-6 * (\[clock microseconds\] - \$bench_start)}\]
set_common_path_credit off\n"
  set first 1
  foreach model $option(-models) {
    append text "set_delay_model $model\nupdate_timing\n"
    if {$first} { append text "bench_design \$bench_read\n" }
    set first 0
    if {$engine eq "cpu"} {
      append text "bench_cpu $model $option(-updates)\n"
    } else {
      append text "bench_device $model {$option(-schedules)} {$option(-graphs)} $option(-repeat)\
        $option(-updates)\n"
    }
  }
  return $text
}

# --- running --------------------------------------------------------------------------------------

proc bench::note_failed {design engine why} {
  variable records
  lappend records [list design $design engine $engine what failed model - why $why]
}

# Records are dictionaries with design and engine added.
proc bench::run_child {design reading engine} {
  variable records
  tell "$design, $engine"
  set ended [run_script $engine [child_script $reading $engine] output]
  set lost [lost_device $output]
  foreach {line record} [regexp -all -inline -line {^BENCH (.*)$} $output] {
    if {$lost ne "" && [dict get $record what] eq "failed"} continue
    lappend records [dict merge [list design $design engine $engine] $record]
  }
  if {$lost ne ""} { note_failed $design $engine $lost }
  if {!$ended} { note_failed $design $engine [complaint $output] }
}

proc bench::measure_generated {cells} {
  variable option
  variable scratch
  set base $scratch/gen_$cells
  if {[catch { generate_design $cells $base } why]} {
    note_failed "generated, $cells" - $why
    return
  }
  foreach engine $option(-engines) {
    run_child "generated, $cells" [reading_generated $base] $engine
  }
  file delete {*}[glob $base.*]
}

proc bench::measure_copies {count} {
  variable option
  variable scratch
  set folder $option(-data)/designs/aes_256_asap7
  set top $scratch/top_$count.v
  if {![run_watched [list sh -c {exec python3 "$@" >"$0"} $top $option(-data)/../tools/replicate.py\
    $folder/aes_256.v.gz $count clk] why]} {
    note_failed "aes_256, $count copies" - [complaint $why]
    return
  }
  foreach engine $option(-engines) {
    run_child "aes_256, $count copies" [reading_copies $folder $top $count] $engine
  }
}

proc bench::measure_reference {design} {
  variable option
  foreach engine $option(-engines) {
    run_child $design [reading_reference $option(-data)/designs/$design] $engine
  }
}

# --- tables ---------------------------------------------------------------------------------------

proc bench::figure {number} {
  if {![string is double -strict $number]} { return $number }
  if {$number >= 1000} { return [format %.0f $number] }
  if {$number >= 10} { return [format %.1f $number] }
  return [format %.3f $number]
}

proc bench::get {record key} { expr {[dict exists $record $key] ? [dict get $record $key] : "-"} }
proc bench::of {what} {
  variable records
  return [lmap r $records { if {[dict get $r what] ne $what} continue; set r }]
}

proc bench::sum {record} {
  expr {[get $record nets] + [get $record forward] + [get $record ends] + [get $record backward]}
}

# Microseconds; - where the record has no bytes.
proc bench::floor_of {record} {
  variable option
  return [expr {[dict exists $record least] ? 1e6 * [dict get $record least] / $option(-bandwidth)\
    : "-"}]
}

proc bench::heading {} {
  variable option
  set engines [lsort -unique [lmap r [of engine] { dict get $r name }]]
  puts [machine_line $option(-note)]
  puts "Engines: [join $engines {; }].  Medians of $option(-repeat) (nets and the CPU: of\
    $option(-updates)); floor at $option(-bandwidth) bytes a second.\n"
}

# {} where the CPU was not asked for.
proc bench::design_by_cpu {design} {
  foreach r [of design] {
    if {[dict get $r design] eq $design && [dict get $r engine] eq "cpu"} { return $r }
  }
  return {}
}

proc bench::design_table {} {
  row design pins levels "largest net" "read, s" "graph, s" "levels of it, s" "by the CPU, s"
  row --- ---: ---: ---: ---: ---: ---: ---:
  set seen {}
  foreach r [of design] {
    if {[dict get $r design] in $seen} continue
    lappend seen [dict get $r design]
    set cpu [design_by_cpu [dict get $r design]]
    row {*}[lmap key {design pins levels largest} { get $r $key }] \
      {*}[lmap key {read graph levelling} { figure [get $r $key] }] [figure [get $cpu levelling]]
  }
  puts ""
}

proc bench::time_table {} {
  puts "Microseconds; the CPU's end points are in backward.\n"
  row design model engine schedule graph nets forward ends backward all floor fraction
  row --- --- --- --- --- ---: ---: ---: ---: ---: ---: ---:
  foreach r [of times] {
    set floor [floor_of $r]
    set fraction [figure [expr {$floor eq "-" || [sum $r] <= 0 ? "-" : $floor / [sum $r]}]]
    row {*}[lmap key {design model engine schedule graph} { get $r $key }] \
      {*}[lmap key {nets forward ends backward} { figure [get $r $key] }] \
      [figure [sum $r]] [figure $floor] $fraction
  }
  puts ""
}

proc bench::cost_table {} {
  puts "One-off costs of a whole update on the device, milliseconds, and its memory.  \"Set-up,\
    copy\" is the\nset-up with the copy of the graph, \"all back\" copies every number back,\
    \"least MB\" must move at least.\n"
  row design model schedule graph "set-up, copy" "numbers there" "trees there" \
    "all back" "MB there" "least MB"
  row --- --- --- --- ---: ---: ---: ---: ---: ---:
  foreach r [of times] {
    if {![dict exists $r open]} continue
    row {*}[lmap key {design model schedule graph} { get $r $key }] \
      {*}[lmap key {open there trees back} { figure [expr {1e-3 * [get $r $key]}] }] \
      {*}[lmap key {bytes least} { figure [expr {1e-6 * [get $r $key]}] }]
  }
  puts ""
}

# --- the command line -----------------------------------------------------------------------------

# Without -engines those that are there; one that was named must be.
proc bench::settle_engines {} {
  variable option
  if {$option(-engines) ne "default"} {
    check_words -engines {cuda cpu emulated}
    check_engines
    return
  }
  set why [why_absent cuda]
  set option(-engines) [expr {$why eq "" ? "cuda cpu" : "cpu"}]
  if {$why ne ""} { puts stderr "[name]: the CPU alone: $why" }
}

proc bench::settle_designs {} {
  variable here
  variable option
  variable reference
  if {$option(-data) eq ""} {
    set option(-data) [expr {[file isdirectory $here/data] ? "$here/data" : [file normalize\
      $here/../../shared/data]}]
  }
  set there [file exists $option(-data)/designs/aes_256_asap7/parasitics.spef.gz]
  if {$option(-copies) eq "default"} {
    set option(-copies) [expr {$option(-designs) eq "default" && $there ? {4 16} : {}}]
  }
  check_numbers -copies $option(-copies) 1
  if {$option(-designs) eq "default"} {
    set option(-designs) [lmap d $reference \
      { if {![file exists $option(-data)/designs/$d/run.tcl]} continue; set d }]
  }
  foreach d $option(-designs) {
    if {![file exists $option(-data)/designs/$d/run.tcl]} {
      wrong "-designs: there is no $option(-data)/designs/$d/run.tcl"
    }
  }
}

proc bench::settle {arguments} {
  variable option
  take_options $arguments \
    [list -wires {tree star} -models [delay_models] -schedules {net pin cte} -graphs {on off}] \
    {-depth 1 -largest 1 -repeat 1 -updates 1}
  check_numbers -sizes $option(-sizes) 100
  if {![string is double -strict $option(-bandwidth)] || !($option(-bandwidth) > 0 &&\
    $option(-bandwidth) < Inf)} {
    wrong "-bandwidth takes bytes a second, more than 0, not '$option(-bandwidth)'"
  }
  settle_designs
  find_tools
  if {$option(-generator) eq "" && [llength $option(-sizes)]} {
    wrong "there is no gen_design; give -generator FILE"
  }
  if {![llength [concat $option(-sizes) $option(-designs) $option(-copies)]]} {
    wrong "nothing to measure: -sizes, -designs and -copies are empty"
  }
  settle_engines
  check_writable -json
}

proc bench::tables {} {
  heading
  design_table
  time_table
  cost_table
  foreach r [of failed] {
    puts "Not measured: [dict get $r design], [dict get $r engine], model [dict get $r model]:\
      [dict get $r why]"
  }
}

proc bench::main {arguments} {
  variable option
  variable scratch
  variable records
  settle $arguments
  set scratch [new_scratch]
  foreach design $option(-designs) { measure_reference $design }
  foreach count $option(-copies) { measure_copies $count }
  foreach cells $option(-sizes) { measure_generated $cells }
  tables
  if {$option(-json) ne ""} {
    write_json $option(-json) [list note $option(-note) repeat $option(-repeat) bandwidth \
      $option(-bandwidth)] $records
  }
  finish [expr {[llength [of failed]] > 0}]
}

bench::main $argv
