# Times single edits: a cell swapped for another size of its, then the worst slack asked for, again and again; beside them whole updates of the
# same design.  Runs inside our own program, so that a machine without Tcl will do; in a bundle (scripts/bundle):
#
#   ./slackline -quiet -exit bench_edits.tcl ?options?        elsewhere: scripts/bench edits ?options?
#     -script FILE      reads the design; without it one is generated
#     -cells N          of the generated one (1210000)      -depth N  levels of logic between its flip-flops (80)
#     -largest N        loads of its largest net (3900)     -wires KIND  of its nets: tree, star (tree)
#     -engines LIST     of: cuda cpu emulated (cuda)        -models LIST  of: elmore ceff lumped (elmore ceff)
#     -edits N          for each engine and model (1000)    -seed N  of the choice of cells (1)
#     -full N           whole updates, with the worst slack asked for behind each (20)
#     -pattern RE       what in a cell's name is its size; others of the same library differ there alone
#     -note TEXT        goes into the heading: commit, machine
#     -generator FILE, -library FILE   gen_design, the library of generated designs
#
# Common path credit is off.  At the end the worst slacks must be those of a whole update, or the exit status is 1.
source [file join [file dirname [info script]] bench_common.tcl]

namespace eval bench {
  variable option
  array set option {
    -script {} -cells 1210000 -depth 80 -largest 3900 -wires tree -engines cuda -models {elmore ceff} -edits 1000 -seed 1 -full 20
    -pattern {(_|x)[0-9]+(p[0-9]+)?(DC)?(?=[a-z]*$|_ASAP7)} -note {} -generator {} -library {}
  }
}

# What a child process runs.
proc bench::measuring {} {
  return {
    # Other sizes of a cell: a list of library cells.
    proc bench_sizes {cell} {
      global bench_family bench_cells bench_pattern
      set name [get_property $cell ref_name]
      if {![info exists bench_cells]} {
        foreach c [get_object_name [get_lib_cells *]] { lappend bench_cells([regsub $bench_pattern [file tail $c] *]) $c }
        set bench_cells() {}
      }
      set key [regsub $bench_pattern $name *]
      return [lmap c [expr {[info exists bench_cells($key)] ? $bench_cells($key) : {}}] { if {[file tail $c] eq $name} continue; set c }]
    }
    proc bench_once {} {
      with_output_to_variable text {report_worst_slack -max}
      return $text
    }
    # Microseconds of an edit with its answer; "" where the cell has no other size.
    proc bench_edit {cell} {
      set sizes [bench_sizes $cell]
      if {$sizes eq ""} { return "" }
      set to [lindex $sizes [expr {int(rand() * [llength $sizes])}]]
      set start [clock microseconds]
      if {[catch {swap_cell $cell $to}]} { return "" }
      bench_once
      return [expr {[clock microseconds] - $start}]
    }
    proc bench_edits {count} {
      set cells [get_object_name [get_cells -hierarchical *]]
      set times {}
      while {[llength $times] < $count} {
        set time [bench_edit [lindex $cells [expr {int(rand() * [llength $cells])}]]]
        if {$time ne ""} { lappend times $time }
      }
      return $times
    }
    proc bench_full {count} {
      set times {}
      for {set i 0} {$i < $count} {incr i} {
        set start [clock microseconds]
        update_timing -full
        bench_once
        lappend times [expr {[clock microseconds] - $start}]
      }
      return $times
    }
    proc bench_part {sorted part} { lindex $sorted [expr {min([llength $sorted] - 1, int($part * [llength $sorted]))}] }
    proc bench_row {what times} {
      set sorted [lsort -integer $times]
      puts "BENCH $what [llength $times] [lindex $times 0] [join [lmap part {0.0 0.5 0.9 0.99 1.0} { bench_part $sorted $part }] { }]"
      flush stdout
    }
    proc bench_slacks {} {
      with_output_to_variable text {report_worst_slack -max; report_worst_slack -min; report_tns -max; report_tns -min}
      return $text
    }
    proc bench_main {model edits full seed} {
      set_common_path_credit off
      set_delay_model $model
      update_timing
      bench_once
      bench_row full [bench_full $full]
      expr {srand($seed)}
      bench_row edits [bench_edits $edits]
      with_output_to_variable engine report_engine
      if {[regexp {last edit followed +([0-9.]+)} $engine all time]} { puts "BENCH followed $time" }
      set after [bench_slacks]
      update_timing -full
      if {$after ne [bench_slacks]} { puts "BENCH differs $after" }
    }
  }
}

proc bench::reading {} {
  variable option
  variable scratch
  if {$option(-script) ne ""} { return [list source $option(-script)] }
  return "read_liberty $option(-library)\nread_verilog $scratch/d.v\nlink_design top\nread_sdc $scratch/d.sdc\nread_spef $scratch/d.spef"
}

proc bench::generate {} {
  variable option
  variable scratch
  exec $option(-generator) --kind random --wires $option(-wires) --cells $option(-cells) --depth $option(-depth) \
    --largest-net [expr {min($option(-largest), $option(-cells) / 30)}] --verilog $scratch/d.v --spef $scratch/d.spef --sdc $scratch/d.sdc --top top
}

# False where the slacks after the edits are not those of a whole update.
proc bench::measure {engine model} {
  variable option
  variable scratch
  set channel [open $scratch/child.tcl w]
  puts $channel "[measuring]\nset bench_pattern {$option(-pattern)}\n[reading]\nbench_main $model $option(-edits) $option(-full) $option(-seed)"
  close $channel
  if {[catch {exec [info nameofexecutable] -quiet -no_init -engine $engine -exit $scratch/child.tcl </dev/null 2>@1} output]} {
    puts "Not measured: $engine, $model: [lindex [split [string trim $output] \n] end-1]"
    return 0
  }
  set same 1
  foreach line [split $output \n] {
    if {[regexp {^BENCH (full|edits) (.*)$} $line all what rest]} { row $engine $model $what {*}$rest }
    if {[regexp {^BENCH differs} $line]} { set same 0 }
    if {[regexp {CUDA-00[12]} $line]} { puts $line }
  }
  if {!$same} { puts "After the edits the slacks are not those of a whole update: $engine, $model" }
  return $same
}

proc bench::settle {arguments} {
  variable option
  variable scratch
  take_options $arguments {-engines {cuda cpu emulated} -models {elmore ceff lumped}} {-cells -depth -largest -edits -full}
  find_tools
  if {$option(-script) eq "" && $option(-generator) eq ""} { wrong "there is no gen_design; give -generator FILE, or -script FILE" }
  set scratch [new_scratch]
}

proc bench::main {arguments} {
  variable option
  variable scratch
  settle $arguments
  if {$option(-script) eq ""} generate
  set same 1
  puts "[clock format [clock seconds] -format %Y-%m-%d][expr {$option(-note) ne "" ? "; $option(-note)" : ""}].  Microseconds, with the worst slack.\n"
  row engine model what times first least median "90 %" "99 %" most
  row --- --- --- ---: ---: ---: ---: ---: ---: ---:
  foreach engine $option(-engines) {
    foreach model $option(-models) { set same [expr {[measure $engine $model] && $same}] }
  }
  file delete -force $scratch
  exit [expr {!$same}]
}

bench::main $::argv
