# Times single edits: a cell swapped for another size of its, then the worst slack asked for, again
# and again; beside them batches of swaps, each one command with lists and the worst slack, and
# whole updates of the same design.  Runs inside our own program, so that a machine without Tcl will
# do; in a bundle (scripts/bundle):
#
#   ./slackline -quiet -exit bench_edits.tcl ?options?        elsewhere: scripts/bench edits
#   ?options?
#     -script FILE      reads the design; without it one is generated
#     -cells N          of the generated one (1210000)
#     -depth N          levels of logic between its flip-flops (80)
#     -largest N        loads of its largest net (3900)
#     -wires KIND       of its nets: tree, star (tree)
#     -engines LIST     of: cuda cpu emulated (cuda)
#     -models LIST      of set_delay_model (elmore ceff)
#     -edits N          for each engine and model (1000)    -seed N  of the choice of cells (1)
#     -full N           whole updates, with the worst slack asked for behind each (20)
#     -again N          the slowest fiftieth of the edits is made again, each so many times, and its
#                       median counts: what is slow for the edit's sake stays, what the machine did
#                       meanwhile goes; 0: not (5)
#     -batches N        batches of swaps (20); 0: none
#     -batch N          cells of a batch (1000)
#     -pattern RE       what in a cell's name is its size; others of the same library differ there
#                       alone
#     -json FILE        the same as JSON
#     -note TEXT        goes into the heading, beside date, commit and machine
#     -generator FILE, -library FILE   gen_design, the library of generated designs
#
# Common path credit is off. At the end the worst and total slacks and the slacks of all endpoints
# must be those of a whole update, to the last bit. Exit status: 1 if they are not, if the device of
# an engine is missing or fails, or if a design cannot be read; 2 after a wrong call.
source [file join [file dirname [info script]] bench_common.tcl]

namespace eval bench {
  variable option
  # -models: the two models of the figures in doc/bench, a table model and a waveform model
  array set option {
    -script {} -cells 1210000 -depth 80 -largest 3900 -wires tree -engines cuda -models\
    {elmore ceff} -edits 1000 -seed 1 -full 20 -again 5 -batches 20 -batch 1000
    -pattern {(_|x)[0-9]+(p[0-9]+)?(DC)?(?=[a-z]*$|_ASAP7)} -json {} -note {} -generator {}\
    -library {}
  }
  variable records {}
}

# What a child process runs.
proc bench::measuring {} {
  return {
    proc bench_swap {cell to} {
      set start [clock microseconds]
      swap_cell $cell $to
      bench_worst
      return [expr {[clock microseconds] - $start}]
    }
    # An edit with its answer: microseconds, the cell, what it was and is; "" where the cell has no\
    other size.
    proc bench_edit {cell} {
      set sizes [bench_sizes $cell]
      if {$sizes eq ""} { return "" }
      set from [get_property $cell ref_name]
      set to [lindex $sizes [expr {int(rand() * [llength $sizes])}]]
      if {[catch { bench_swap $cell $to } time]} { return "" }
      return [list $time $cell $from $to]
    }
    proc bench_edits {count} {
      set cells [get_object_name [get_cells -hierarchical *]]
      set edits {}
      set tries 0
      while {[llength $edits] < $count} {
        set edit [bench_edit [lindex $cells [expr {int(rand() * [llength $cells])}]]]
        if {$edit ne ""} { lappend edits $edit }
        if {[incr tries] >= 10000 && $edits eq ""}\
        { error "none of $tries cells has another size: see -pattern" }
      }
      return $edits
    }
    # Medians of the slowest edits, each made again so many times.
    proc bench_again {edits count} {
      set slowest [lrange [lsort -integer -decreasing -index 0 $edits] 0 [expr\
        {[llength $edits] / 50}]]
      return [lmap edit $slowest {
        lassign $edit time cell from to
        set times {}
        for {set i 0} {$i < $count} {incr i} {
          bench_swap $cell $from
          lappend times [bench_swap $cell $to]
        }
        bench_part [lsort -integer $times] 0.5
      }]
    }
    # Cells with other sizes, each once, and a size for each.
    proc bench_batch {count} {
      global bench_all
      set chosen {}
      set tries 0
      while {[dict size $chosen] < $count} {
        if {[incr tries] > 100 * $count} { error "fewer than $count cells have another size" }
        set cell [lindex $bench_all [expr {int(rand() * [llength $bench_all])}]]
        set sizes [bench_sizes $cell]
        if {$sizes eq ""} continue
        dict set chosen $cell [lindex $sizes [expr {int(rand() * [llength $sizes])}]]
      }
      return [list [dict keys $chosen] [dict values $chosen]]
    }
    # Of each batch: microseconds of all, and of the command alone.
    proc bench_batches {batches count} {
      global bench_all
      set bench_all [get_object_name [get_cells -hierarchical *]]
      set times {}
      while {[llength $times] < $batches} {
        lassign [bench_batch $count] cells sizes
        set start [clock microseconds]
        swap_cell $cells $sizes
        set swapped [clock microseconds]
        bench_worst
        lappend times [list [expr {[clock microseconds] - $start}] [expr {$swapped - $start}]]
      }
      return $times
    }
    proc bench_full {count} {
      set times {}
      for {set i 0} {$i < $count} {incr i} {
        set start [clock microseconds]
        update_timing -full
        bench_worst
        lappend times [expr {[clock microseconds] - $start}]
      }
      return $times
    }
    proc bench_part {sorted part}\
    { lindex $sorted [expr {min([llength $sorted] - 1, int($part * [llength $sorted]))}] }
    proc bench_row {what times} {
      set sorted [lsort -integer $times]
      puts "BENCH $what [llength $times] [lindex $times 0] [join [lmap part {0.0 0.5 0.9 0.99 1.0}\
        { bench_part $sorted $part }] { }]"
      flush stdout
    }
    # All that floats have to them.
    proc bench_slacks {} {
      with_output_to_variable text {
        foreach way {-max -min} { report_worst_slack $way -digits 15; report_tns $way -digits 15 }
        foreach way {max min} { report_timing -delay_type $way -max_paths 10000000 -format\
          slack_only -digits 15 }
      }
      return $text
    }
    proc bench_main {model edits full seed again batches batch} {
      set_common_path_credit off
      set_delay_model $model
      update_timing
      bench_worst
      bench_row full [bench_full $full]
      expr {srand($seed)}
      set done [bench_edits $edits]
      bench_row edits [lmap edit $done { lindex $edit 0 }]
      if {$again} { bench_row again [bench_again $done $again] }
      with_output_to_variable engine report_engine
      if {[regexp {last edit followed +([0-9.]+)} $engine all time]} { puts "BENCH followed $time" }
      if {$batches} {
        set times [bench_batches $batches $batch]
        bench_row batch [lmap t $times { lindex $t 0 }]
        bench_row batch_swap [lmap t $times { lindex $t 1 }]
      }
      set after [bench_slacks]
      update_timing -full
      puts "BENCH same [expr {$after eq [bench_slacks]}]"
    }
  }
}

proc bench::reading {} {
  variable option
  variable scratch
  return [expr {$option(-script) ne "" ? [list source $option(-script)] : [reading_generated\
    $scratch/d]}]
}

proc bench::note {engine model what numbers} {
  variable records
  row $engine $model $what {*}$numbers
  set record [list engine $engine model $model what $what]
  foreach key {times first least median 90% 99% most} number $numbers {
    lappend record $key $number
  }
  lappend records $record
}

proc bench::not_measured {engine model why} {
  puts "Not measured: $engine, $model: $why"
  return 0
}

# False where nothing was measured or the slacks after the edits are not those of a whole update.
proc bench::measure {engine model} {
  variable option
  tell "$engine, $model"
  set words [list bench_main $model $option(-edits) $option(-full) $option(-seed) $option(-again) \
    $option(-batches) $option(-batch)]
  set text [join [list [asking_and_sizes] [measuring] [list set bench_pattern $option(-pattern)] \
    [reading] $words] \n]
  if {![run_script $engine $text output]} {
    return [not_measured $engine $model [complaint $output]]
  }
  set lost [lost_device $output]
  if {$lost ne ""} { return [not_measured $engine $model $lost] }
  foreach {line what numbers} \
    [regexp -all -inline -line {^BENCH (full|edits|again|batch|batch_swap) (.*)$} $output] \
    { note $engine $model $what $numbers }
  if {[regexp -line {^BENCH same 1$} $output]} { return 1 }
  puts "After the edits the slacks are not those of a whole update: $engine, $model"
  return 0
}

proc bench::settle {arguments} {
  variable option
  take_options $arguments \
    [list -wires {tree star} -engines {cuda cpu emulated} -models [delay_models]] \
    {-cells 100 -depth 1 -largest 1 -edits 1 -full 1 -seed 0 -again 0 -batches 0 -batch 1}
  find_tools
  if {$option(-script) ne "" && ![file isfile $option(-script)]} {
    wrong "-script: there is no file $option(-script)"
  }
  if {$option(-script) eq "" && $option(-generator) eq ""} {
    wrong "there is no gen_design; give -generator FILE, or -script FILE"
  }
  if {[catch { regexp -- $option(-pattern) {} } why]} { wrong "-pattern: $why" }
  check_engines
  check_writable -json
}

proc bench::settings {} {
  variable option
  set design [expr {$option(-script) ne "" ? [list script $option(-script)] : [list cells\
    $option(-cells) depth $option(-depth) wires $option(-wires)]}]
  return [list note $option(-note) {*}$design seed $option(-seed)]
}

proc bench::main {arguments} {
  variable option
  variable scratch
  variable records
  settle $arguments
  set scratch [new_scratch]
  if {$option(-script) eq "" && [catch { generate_design $option(-cells) $scratch/d } why]} {
    refuse 1 $why
  }
  set same 1
  puts "[machine_line $option(-note)].  Microseconds, with the worst slack.\n"
  row engine model what times first least median "90 %" "99 %" most
  row --- --- --- ---: ---: ---: ---: ---: ---: ---:
  foreach engine $option(-engines) {
    foreach model $option(-models) { set same [expr {[measure $engine $model] && $same}] }
  }
  if {$option(-json) ne ""} { write_json $option(-json) [settings] $records }
  finish [expr {!$same}]
}

bench::main $::argv
