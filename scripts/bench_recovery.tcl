# Recovers leakage with size_cells and, beside it, greedily: one cell at a time, the largest saving
# first, each swap timed exactly and taken back where a slack falls below its floor. Both begin with
# the same netlist: as published, with each cell in its slowest threshold voltage, or in its
# fastest; in each the timing is closed first (size_cells -setup).
# Runs inside our own program, so that a machine without Tcl will do:
#
#   ./slackline -quiet -exit bench_recovery.tcl ?options?
#                       elsewhere: scripts/bench recovery ?options?
#     -script FILE      reads the design; default aes_cipher_top_asap7_multivt of the reference data
#     -data DIR         the folder of reference data
#     -starts LIST      of: published slow fast (all three)
#     -pattern RE       what in a library cell's name is its threshold voltage (_(R|L|SL)$)
#     -slow TEXT -fast TEXT   what stands there in cells of the slowest and of the fastest (_R _SL)
#     -ways LIST        of: greedy sizer (both)
#     -passes N         most passes of the greedy way (6); it ends when one saves less than 0.1 %
#     -cells N          only the first so many cells that have alternatives, for a trial (all)
#     -write DIR        writes the netlists: START.v, START.closed.v, START.greedy.v, START.sizer.v
#     -json FILE        the same as JSON
#     -note TEXT        goes into the heading
#
# The greedy way keeps a swap if the worst slack stays above the smaller of zero and the one of the
# closed timing, and where there are violations, the total slack too. Of a cell it tries the library
# cell that leaks least, then halves what is left; cells without slack it leaves. The table has the
# end points that are below the smaller of zero and their slack before: of "closed" at the start, of
# the two recoveries when closed.
# No test: what is measured depends on the machine.  Exit status: 1 where something could not be
# measured; 2 a wrong call.
source [file join [file dirname [info script]] bench_common.tcl]

namespace eval bench {
  variable option
  array set option {
    -script {} -data {} -starts {published slow fast} -pattern {_(R|L|SL)$} -slow _R -fast _SL
    -ways {greedy sizer} -passes 6 -cells 0 -write {} -json {} -note {}
  }
  variable records {}
  variable failures {}
}

# --- what a child process runs --------------------------------------------------------------------
proc bench::measuring {} {
  return {
    proc number_of {words} {
      with_output_to_variable text $words
      return [lindex $text end]
    }
    proc leakage {} {
      with_output_to_variable text { report_power -leakage -digits 9 }
      regexp -line -nocase {^total\M.*$} $text row
      return [lindex $row end-1]
    }
    proc worst {} { number_of { report_worst_slack -max -digits 6 } }
    proc total {} { number_of { report_tns -max -digits 6 } }
    # Slacks by end point: {name slack ...} of setup, then of hold.
    proc end_slacks {} {
      return [lmap way {max min} {
        set slacks {}
        foreach path [get_timing_paths -delay_type $way -max_paths 10000000] {
          dict set slacks [get_object_name [get_property $path endpoint]] \
            [get_property $path slack]
        }
        set slacks
      }]
    }
    # End points below the smaller of zero and their slack before.
    proc below_floor {before_all} {
      set count 0
      foreach before $before_all now [end_slacks] {
        dict for {end slack} $now {
          set floor [expr {[dict exists $before $end] ? min(0, [dict get $before $end]) : 0}]
          incr count [expr {$slack < $floor - 1e-4}]
        }
      }
      return $count
    }
    proc tell_state {what before seconds} {
      puts "RECOVERY $what [leakage] [worst] [number_of { report_worst_slack -min -digits 6 }]\
        [total] [below_floor $before] [format %.1f $seconds]"
      flush stdout
    }
    proc seconds_of {words} {
      set since [clock milliseconds]
      uplevel 1 $words
      return [expr {1e-3 * ([clock milliseconds] - $since)}]
    }
    # Each cell in the variant of a threshold voltage that the library has of it.
    proc all_in_voltage {pattern text} {
      set names {}
      foreach c [get_object_name [get_lib_cells *]] { dict set names [file tail $c] $c }
      set cells {}
      set targets {}
      foreach cell [get_object_name [get_cells -hierarchical *]] {
        set ref [get_property $cell ref_name]
        set to [regsub $pattern $ref $text]
        if {$to eq $ref || ![dict exists $names $to]} continue
        lappend cells $cell
        lappend targets [dict get $names $to]
      }
      if {[llength $cells]} { swap_cell $cells $targets }
    }
    proc write_state {folder name} { if {$folder ne ""} { write_verilog $folder/$name.v } }

    # --- the greedy way ---------------------------------------------------------------------------
    # Library cells that leak less than this one, the least first.
    proc less_leaking {cell} {
      global less leaks
      set ref [get_property $cell ref_name]
      if {![info exists less($ref)]} {
        set own [get_property [get_property $cell lib_cell] leakage]
        set found {}
        foreach c [get_alternative_lib_cells $cell] {
          set name [get_object_name $c]
          set leaks($name) [get_property $c leakage]
          if {$leaks($name) < $own} { lappend found [list $leaks($name) $name] }
        }
        set less($ref) [lmap pair [lsort -real -index 0 $found] { lindex $pair 1 }]
        set leaks() 0
        set leaks(=$ref) $own
      }
      return $less($ref)
    }
    proc slack_of {cell} {
      set least Inf
      foreach pin [get_pins -of_objects [get_cells $cell] -filter {direction == output}] {
        set slack [get_property $pin slack_max]
        if {[string is double -strict $slack] && $slack < $least} { set least $slack }
      }
      return $least
    }
    proc good {floor total} {
      expr {[worst] >= $floor && ($floor >= 0 || [total] >= $total)}
    }
    # Tries the middle of what is left, as if what leaks less were slower. The cell gets the best
    # one that was good. Returns whether that is another one than before.
    proc recover_cell {cell floor total} {
      global tries
      set all [less_leaking $cell]
      set before [get_object_name [get_property $cell lib_cell]]
      set best ""
      set now ""
      set low 0
      set high [llength $all]
      # what is tried first is the least of all
      set at 0
      while {$low < $high} {
        set now [lindex $all $at]
        swap_cell $cell $now
        incr tries
        if {[good $floor $total]} {
          set best $now
          set high $at
        } else {
          set low [expr {$at + 1}]
        }
        set at [expr {($low + $high) / 2}]
      }
      set to [expr {$best eq "" ? $before : $best}]
      if {$now ne "" && $now ne $to} { swap_cell $cell $to }
      return [expr {$best ne ""}]
    }
    # The largest saving first. Where the design has violations only cells that have slack to give.
    # Returns how many cells have changed.
    proc greedy_pass {cells floor total} {
      global less leaks
      set order {}
      foreach cell $cells {
        set all [less_leaking $cell]
        if {![llength $all]} continue
        set saving [expr {$leaks(=[get_property $cell ref_name]) - $leaks([lindex $all 0])}]
        lappend order [list $saving $cell]
      }
      set kept 0
      foreach pair [lsort -real -decreasing -index 0 $order] {
        set cell [lindex $pair 1]
        if {[slack_of $cell] <= 0} continue
        incr kept [recover_cell $cell $floor $total]
      }
      return $kept
    }
    proc greedy {cells passes} {
      global tries
      set tries 0
      set floor [expr {min(0, [worst])}]
      set total [total]
      set before [leakage]
      for {set pass 1} {$pass <= $passes} {incr pass} {
        set kept [greedy_pass $cells $floor $total]
        set now [leakage]
        puts "GREEDY pass $pass: $kept cells changed, $tries swaps tried, $now W"
        flush stdout
        if {$now > 0.999 * $before} break
        set before $now
      }
    }

    # --- all --------------------------------------------------------------------------------------
    proc cells_with_alternatives {most} {
      set cells {}
      foreach cell [get_object_name [get_cells -hierarchical *]] {
        set ref [get_property $cell ref_name]
        if {![info exists has($ref)]} { set has($ref) [llength [get_alternative_lib_cells $cell]] }
        if {$has($ref)} { lappend cells $cell }
        if {$most && [llength $cells] >= $most} break
      }
      return $cells
    }
    proc recover {start ways passes most folder} {
      update_timing
      set slacks [end_slacks]
      tell_state start $slacks 0
      write_state $folder $start
      set seconds [seconds_of { with_output_to_variable text { size_cells -setup } }]
      tell_state closed $slacks $seconds
      write_state $folder $start.closed
      set slacks [end_slacks]
      set mark [mark_edits]
      if {"sizer" in $ways} {
        set seconds [seconds_of { with_output_to_variable text { size_cells -recover leakage } }]
        tell_state sizer $slacks $seconds
        write_state $folder $start.sizer
        undo_edits -to $mark
      }
      if {"greedy" in $ways} {
        set seconds [seconds_of { greedy [cells_with_alternatives $most] $passes }]
        tell_state greedy $slacks $seconds
        write_state $folder $start.greedy
      }
    }
  }
}

# --- running --------------------------------------------------------------------------------------
proc bench::reading {} {
  variable option
  if {$option(-script) ne ""} { return [list source $option(-script)] }
  set folder $option(-data)/designs/aes_cipher_top_asap7_multivt
  set text ""
  foreach file [lsort [glob $option(-data)/lib/asap7_r28/*_TT_*.lib.gz]] {
    append text "read_liberty [list $file]\n"
  }
  append text "read_verilog [list $folder/aes_cipher_top.v.gz]\nlink_design aes_cipher_top\n"
  append text "read_sdc [list $folder/aes_cipher_top.sdc.gz]\n"
  append text "read_spef [list $folder/parasitics.spef.gz]\n"
  return $text
}

proc bench::measure {start} {
  variable option
  variable records
  variable failures
  tell $start
  set changes ""
  switch $start {
    slow { set changes [list all_in_voltage $option(-pattern) $option(-slow)] }
    fast { set changes [list all_in_voltage $option(-pattern) $option(-fast)] }
  }
  set text [join [list [measuring] [reading] $changes [list recover $start $option(-ways) \
    $option(-passes) $option(-cells) $option(-write)]] \n]
  set ended [run_script cpu $text output]
  foreach {line what leakage setup hold tns below seconds} \
    [regexp -all -inline -line {^RECOVERY (\S+) (\S+) (\S+) (\S+) (\S+) (\S+) (\S+)$} $output] {
    lappend records [list start $start state $what leakage_w $leakage worst_setup $setup \
      worst_hold $hold tns $tns below_floor $below seconds $seconds]
    row $start $what $leakage $setup $hold $tns $below $seconds
  }
  if {!$ended} { lappend failures "$start: [complaint $output]" }
}

proc bench::leakage_of {start state} {
  variable records
  foreach r $records {
    if {[dict get $r start] eq $start && [dict get $r state] eq $state} {
      return [dict get $r leakage_w]
    }
  }
  return ""
}

proc bench::ratios {} {
  variable option
  puts ""
  foreach start $option(-starts) {
    set greedy [leakage_of $start greedy]
    set sizer [leakage_of $start sizer]
    if {$greedy eq "" || $sizer eq "" || $greedy == 0} continue
    puts "$start: leakage of size_cells over that of the greedy way:\
      [format %.3f [expr {$sizer / $greedy}]]"
  }
}

# --- the command line -----------------------------------------------------------------------------
proc bench::settle {arguments} {
  variable here
  variable option
  take_options $arguments {-starts {published slow fast} -ways {greedy sizer}} {-passes 1 -cells 0}
  if {$option(-data) eq ""} {
    set option(-data) $here/data
    if {![file isdirectory $here/data]} {
      set option(-data) [file normalize $here/../../shared/data]
    }
  }
  if {$option(-script) ne "" && ![file isfile $option(-script)]} {
    wrong "-script: there is no file $option(-script)"
  }
  if {$option(-script) eq "" && ![file isdirectory $option(-data)/designs]} {
    wrong "there is no reference data in $option(-data); give -script FILE"
  }
  if {$option(-write) ne "" && ![file isdirectory $option(-write)]} {
    wrong "-write: there is no folder $option(-write)"
  }
  check_writable -json
}

proc bench::main {arguments} {
  variable option
  variable records
  variable failures
  variable scratch
  settle $arguments
  set scratch [new_scratch]
  puts "[machine_line $option(-note)].\n"
  row start state "leakage, W" "worst setup" "worst hold" "total negative" "below the floor" seconds
  row --- --- ---: ---: ---: ---: ---: ---:
  foreach start $option(-starts) { measure $start }
  ratios
  foreach f $failures { puts "Not measured: $f" }
  if {$option(-json) ne ""} { write_json $option(-json) [list note $option(-note)] $records }
  finish [expr {[llength $failures] > 0}]
}

bench::main $argv
