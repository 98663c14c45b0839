# Times one phase after the other with each number of threads, on an idle machine and beside other
# busy processes.  Runs inside our own program, so that a machine without Tcl will do; in a bundle
# (scripts/bundle):
#
#   ./slackline -quiet -exit bench_threads.tcl ?options?     elsewhere: scripts/bench threads
#     -cells LIST    of generated designs (10000 120000 1210000); {} for none
#     -scripts LIST  files that read further designs ({})
#     -threads LIST  numbers of threads beside 1 (2 4 8 16)
#     -busy LIST     numbers of other processes that never wait; cores: as many as there are, twice:
#                    twice as many (0 1 twice)
#     -phases LIST   of: update nets edit paths read (all)
#     -model NAME    of set_delay_model (elmore)
#     -rounds N      times that each phase is run with each number of threads (20)
#     -processes N   the rounds are shared by so many processes, one after another (1)
#     -depth N       levels of logic of generated designs (80)
#     -largest N     loads of their largest net (3900)
#     -wires KIND    of their nets: tree, star (tree)
#     -pattern RE    what in a cell's name is its size: others of the library differ there alone
#     -json FILE     the same as JSON
#     -note TEXT     goes into the heading, beside date, commit and machine
#     -generator FILE, -library FILE   gen_design, the library of generated designs
#
# Phases: update is a full update with the worst slack, nets its reduction of the nets, edit a
# swapped cell with the worst slack, paths the 100,000 worst paths (four to an end point), read the
# netlist and its parasitics of generated designs.
#
# Each number of threads is a process of its own that has read the design.  A round runs a phase
# once in each, one behind the other, so what the machine does meanwhile meets all.  Then two
# further processes of one thread run it at the same time.  (If one of them was the process whose
# single runs are measured, its data would still be in the caches at its next single run, and two
# threads would look 1.5 % slower.)  The capacity C is twice the time of one alone
# over the time of the two.  It is what two threads can gain: 2 on two free cores, less on a busy
# machine.
#
# Processes of the same program differ by up to 3 % either way, and each keeps its speed, because
# their data lie elsewhere in memory.  So a comparison within a few percent needs many processes.
# With -processes 20, each number of threads has 20 processes, one after another.  They share the
# rounds: with -rounds 400 too, each process runs 20 rounds.  Fewer are not enough, because in the
# first runs of a process its pool of threads still learns whether to share work.
#
# A row has milliseconds (least, median, most), the median of one thread over this one (gain), C,
# for two threads gain over C, and the slowest run over the slowest of one thread.  Exit status: 1
# where a process fails, 2 a wrong call.
source [file join [file dirname [info script]] bench_common.tcl]

namespace eval bench {
  variable option
  array set option {
    -cells {10000 120000 1210000} -scripts {} -threads {2 4 8 16} -busy {0 1 twice}
    -phases {update nets edit paths read} -model elmore -rounds 20 -processes 1
    -pattern {(_|x)[0-9]+(p[0-9]+)?(DC)?(?=[a-z]*$|_ASAP7)}
    -depth 80 -largest 3900 -wires tree -json {} -note {} -generator {} -library {}
  }
  variable records {}
  # channels of processes that measure, by number of threads; "first" and "second": those that run
  # at the same time
  variable children {}
  # channels of the processes that are busy
  variable others {}
}

# --- what a process that measures runs --------------------------------------------------------

proc bench::measuring {} {
  return {
    proc bench_nets {} {
      update_timing -full
      with_output_to_variable text {report_engine -digits 6}
      regexp -line {^nets\s+([0-9.]+)$} $text all seconds
      return [expr {1e6 * $seconds}]
    }
    # A cell and two library cells that it can be, to and fro: the first from the middle on.
    proc bench_find_edit {} {
      set cells [get_object_name [get_cells -hierarchical *]]
      foreach cell [lrange $cells [expr {[llength $cells] / 2}] end] {
        set other [lindex [bench_sizes $cell] 0]
        set name [get_property $cell ref_name]
        if {$other eq "" || [catch { swap_cell $cell $other }]} continue
        swap_cell $cell $name
        return [list $cell $other $name]
      }
      error "no cell has another size: see -pattern"
    }
    proc bench_edit {} {
      global bench_swap
      if {![info exists bench_swap]} { set bench_swap [bench_find_edit] }
      lassign $bench_swap cell to from
      set bench_swap [list $cell $from $to]
      bench_worst
      set start [clock microseconds]
      swap_cell $cell $to
      bench_worst
      return [expr {[clock microseconds] - $start}]
    }
    proc bench_paths {} {
      bench_worst
      set start [clock microseconds]
      get_timing_paths -max_paths 100000 -nworst 4
      return [expr {[clock microseconds] - $start}]
    }
    proc bench_timed {script} {
      set start [clock microseconds]
      uplevel #0 $script
      return [expr {[clock microseconds] - $start}]
    }
    proc bench_phase {phase} {
      switch $phase {
        update { return [bench_timed {update_timing -full; bench_worst}] }
        read { return [bench_timed $::bench_read] }
        default { return [bench_$phase] }
      }
    }
    proc bench_serve {} {
      fconfigure stdout -buffering line
      puts "BENCH ready"
      while {[gets stdin phase] >= 0} { puts "BENCH [bench_phase $phase]" }
    }
  }
}

# --- processes --------------------------------------------------------------------------------

proc bench::processors {} { expr {[catch { exec nproc } n] ? 1 : $n} }

proc bench::watch_all {} {
  variable children
  variable others
  at_work [concat {*}[lmap channel [concat [dict values $children] $others] { pid $channel }]]
}

# The answer behind "BENCH", or an error with what the process said last.
proc bench::answer {channel} {
  set said ""
  while {[gets $channel line] >= 0} {
    if {[regexp {^BENCH (.*)$} $line all value]} { return $value }
    append said $line \n
  }
  error [complaint [string trim $said]]
}

proc bench::start_child {name threads text} {
  variable children
  variable scratch
  set channel [open $scratch/child.tcl w]
  puts $channel $text
  close $channel
  set words [list -no_init -quiet -engine cpu -threads $threads -exit $scratch/child.tcl]
  set channel [open [list | [info nameofexecutable] {*}$words 2>@1] r+]
  fconfigure $channel -buffering line
  dict set children $name $channel
  watch_all
  answer $channel
}

proc bench::stop_children {} {
  variable children
  foreach channel [dict values $children] { catch { close $channel } }
  set children {}
  watch_all
}

# --- measuring --------------------------------------------------------------------------------

proc bench::once {name phase} {
  variable children
  set channel [dict get $children $name]
  puts $channel $phase
  return [answer $channel]
}

# Of two processes of one thread at the same time: the longer time.
proc bench::both {phase} {
  variable children
  foreach name {first second} { puts [dict get $children $name] $phase }
  return [most [lmap name {first second} { answer [dict get $children $name] }]]
}

# By name: a list of times, appended to those of other processes.
proc bench::rounds {phase names times} {
  variable option
  set rounds [expr {($option(-rounds) + $option(-processes) - 1) / $option(-processes)}]
  for {set i 0} {$i < $rounds} {incr i} {
    for {set k 0} {$k < [llength $names]} {incr k} {
      set name [lindex $names [expr {($i + $k) % [llength $names]}]]
      dict lappend times $name [once $name $phase]
    }
    dict lappend times both [both $phase]
  }
  return $times
}

proc bench::median {times} { lindex [lsort -real $times] [expr {[llength $times] / 2}] }
proc bench::least {times} { lindex [lsort -real $times] 0 }
proc bench::most {times} { lindex [lsort -real $times] end }
proc bench::ms {microseconds} { format %.3f [expr {$microseconds / 1000.0}] }

proc bench::note_rows {design busy phase times} {
  variable records
  set one [dict get $times 1]
  set capacity [format %.2f [expr {2.0 * [median $one] / [median [dict get $times both]]}]]
  dict for {threads list} [dict remove $times both] {
    set gain [format %.2f [expr {double([median $one]) / [median $list]}]]
    set worst [format %.2f [expr {double([most $list]) / [most $one]}]]
    set share [expr {$threads == 2 ? [format %.2f [expr {$gain / $capacity}]] : "-"}]
    set cells [list $design $busy $phase $threads [ms [least $list]] [ms [median $list]] \
      [ms [most $list]] $gain $capacity $share $worst]
    set keys {design busy phase threads least median most gain C gain/C slowest}
    row {*}$cells
    lappend records [concat {*}[lmap key $keys value $cells { list $key $value }]]
  }
}

# Runs all phases in new processes; the result is `found` with their times, by busy and phase.
proc bench::measure_once {design text phases found} {
  variable option
  tell "$design: reading"
  set names [lsort -integer -unique [concat 1 $option(-threads)]]
  foreach name $names { start_child $name $name $text }
  foreach name {first second} { start_child $name 1 $text }
  foreach busy $option(-busy) {
    set numbers [list twice [expr {2 * [processors]}] cores [processors]]
    begin_busy [string map $numbers $busy]
    foreach phase $phases {
      tell "$design, busy $busy, $phase"
      set key [list $busy $phase]
      set times [expr {[dict exists $found $key] ? [dict get $found $key] : {}}]
      dict set found $key [rounds $phase $names $times]
    }
    end_busy
  }
  stop_children
  return $found
}

# What a design is read by, and the part of it that the phase "read" repeats ("": none).
proc bench::measure {design reading again} {
  variable option
  set text [join [list [asking_and_sizes] [measuring] [list set bench_pattern $option(-pattern)] \
    $reading {set_common_path_credit off} "set_delay_model $option(-model)" update_timing \
    [list set bench_read $again] bench_serve] \n]
  set phases [lmap phase $option(-phases) {
    if {$phase eq "read" && $again eq ""} continue
    set phase
  }]
  set found {}
  for {set i 0} {$i < $option(-processes)} {incr i} {
    set found [measure_once $design $text $phases $found]
  }
  dict for {key times} $found { note_rows $design {*}$key $times }
}

proc bench::try {design reading again} {
  if {[catch { measure $design $reading $again } why]} {
    end_busy
    puts "Not measured: $design: $why"
    set failed 1
  }
  stop_children
  return [info exists failed]
}

proc bench::try_generated {cells} {
  variable scratch
  if {[catch { generate_design $cells $scratch/d } why]} {
    puts "Not measured: generated, $cells: $why"
    return 1
  }
  set again "[list read_verilog $scratch/d.v]; [list read_spef $scratch/d.spef]"
  return [try "generated, $cells" [reading_generated $scratch/d] $again]
}

proc bench::settle {arguments} {
  variable option
  set words [list -wires {tree star} -model [delay_models] -phases {update nets edit paths read}]
  take_options $arguments $words {-rounds 1 -processes 1 -depth 1 -largest 1}
  check_numbers -cells $option(-cells) 100
  check_numbers -threads $option(-threads) 1
  foreach word $option(-busy) {
    if {$word in {cores twice} || [regexp {^\d+$} $word]} continue
    wrong "-busy are numbers, cores or twice, not '$word'"
  }
  find_tools
  if {[llength $option(-cells)] && $option(-generator) eq ""} {
    wrong "there is no gen_design; give -generator FILE, or -cells {}"
  }
  foreach file $option(-scripts) {
    if {![file isfile $file]} { wrong "-scripts: there is no file $file" }
  }
  if {![llength [concat $option(-cells) $option(-scripts)]]} {
    wrong "nothing to measure: -cells and -scripts are empty"
  }
  check_writable -json
}

proc bench::main {arguments} {
  variable option
  variable scratch
  variable records
  settle $arguments
  set scratch [new_scratch]
  puts "[machine_line $option(-note)].  Milliseconds; $option(-model), $option(-rounds) rounds in\
    $option(-processes) processes.\n"
  row design busy phase threads least median most gain C gain/C "slowest / one's"
  row --- --- --- ---: ---: ---: ---: ---: ---: ---: ---:
  set failed 0
  foreach cells $option(-cells) { incr failed [try_generated $cells] }
  foreach script $option(-scripts) { incr failed [try $script [list source $script] ""] }
  set settings [list note $option(-note) model $option(-model) rounds $option(-rounds) \
    processes $option(-processes)]
  if {$option(-json) ne ""} { write_json $option(-json) $settings $records }
  finish [expr {$failed > 0}]
}

bench::main $::argv
