# Edits of a reference design, many of them: swaps of cells and undos, and buffers inserted and
# removed, must leave tables with the bytes of the start; and what estimate_swap says of swaps is
# compared with a re-timing. Takes minutes.
#
#   slackline -quiet -exit tests/golden/many_edits.tcl DESIGN ?option value ...?
#     -swaps N       swap_cell and undo_edits at random (1000000)
#     -updates N     timing updates among them (20)
#     -buffers N     insert_buffer, and remove_buffer of each (1000)
#     -estimates N   swaps whose effect estimate_swap foretells (1000)
#     -seed N        (1)
#     -keep DIR      for tables; default a temporary folder
#
# DESIGN is a folder of ../shared/data/designs (env SL_SHARED: of another shared). Env SPEF: its
# parasitics where they are made (../shared/data/make_spef.sh). Exit status: 1 where bytes differ,
# or where an estimate is off by more than 5 % of the change and 0.02 ps.
source [file join [file dirname [info script]] reference_design.tcl]

set design [lindex $argv 0]
array set option {-swaps 1000000 -updates 20 -buffers 1000 -estimates 1000 -seed 1 -keep {}}
foreach {name value} [lrange $argv 1 end] {
  if {![info exists option($name)]} { error "there is no option $name" }
  set option($name) $value
}
set state $option(-seed)
set failed 0

proc below {n} {
  global state
  set state [expr {($state * 6364136223846793005 + 1442695040888963407) & 0x7fffffffffffffff}]
  return [expr {($state >> 24) % $n}]
}
proc pick {list} { lindex $list [below [llength $list]] }

proc say {text} {
  puts "[clock format [clock seconds] -format %T] $text"
  flush stdout
}

proc check {what right} {
  global failed
  say "[expr {$right ? {passed} : {FAILED}}] $what"
  if {!$right} { set failed 1 }
}

proc tables {name} {
  global folder
  update_timing
  write_timing_tables $folder/$name
}

proc same_tables {a b} {
  global folder
  foreach table {pins endpoints arcs} {
    if {[catch { exec cmp $folder/$a/$table.tsv.gz $folder/$b/$table.tsv.gz }]} { return 0 }
  }
  return 1
}

# --- cells with alternatives ----------------------------------------------------------------------
# What is the same for all cells of a library cell is asked once.
proc alternatives {cell} {
  global known
  set ref [get_property $cell ref_name]
  if {![info exists known($ref)]} {
    set all [get_alternative_lib_cells $cell]
    set known($ref) [expr {[llength $all] ? [get_object_name $all] : {}}]
  }
  return $known($ref)
}

proc find_cells {} {
  set cells {}
  foreach cell [get_object_name [get_cells -hierarchical *]] {
    if {[llength [alternatives $cell]]} { lappend cells $cell }
  }
  return $cells
}

# --- swaps ----------------------------------------------------------------------------------------
proc random_swaps {count updates} {
  global cells
  set made 0
  set undone 0
  set held 0
  set every [expr {max(1, $count / max(1, $updates))}]
  for {set i 1} {$i <= $count} {incr i} {
    if {[below 3] < 2} {
      set cell [pick $cells]
      swap_cell $cell [pick [alternatives $cell]]
      incr made
      incr held
    } elseif {$held} {
      set back [expr {min($held, 1 + [below 2])}]
      undo_edits -count $back
      incr held -$back
      incr undone $back
    }
    if {$i % $every == 0} { update_timing }
  }
  undo_edits -all
  return "$count steps: $made swaps, $undone taken back on the way, $held at the end"
}

# --- buffers --------------------------------------------------------------------------------------
proc find_buffer {} {
  foreach cell [get_object_name [get_lib_cells -quiet */*]] {
    if {[regexp {/(BUFx2_|BUFx2|BUF_X2$|sky130_fd_sc_hd__buf_2$)} $cell]} { return $cell }
  }
  error "there is no buffer of a known name"
}

# Inserts and removes by turns, until each that is there has gone.
proc random_buffers {count} {
  set nets [get_object_name [get_nets -hierarchical *]]
  set buffer [find_buffer]
  set made {}
  set inserted 0
  set removed 0
  while {$inserted < $count || [llength $made]} {
    if {$inserted < $count && ([below 2] || ![llength $made])} {
      if {[catch { insert_buffer [get_nets [pick $nets]] $buffer } cell]} continue
      lappend made [get_object_name $cell]
      incr inserted
    } else {
      set at [below [llength $made]]
      remove_buffer [lindex $made $at]
      set made [lreplace $made $at $at]
      incr removed
    }
    if {($inserted + $removed) % 100 == 0} { update_timing }
  }
  return "$inserted inserted, $removed removed"
}

# --- estimates ------------------------------------------------------------------------------------
# The worst slacks at the outputs of a cell and at the drivers before it: max and min. estimate_swap
# leaves out drivers of more than 500 loads, as those of clocks.
proc slack_around {cell} {
  set worst {Inf Inf}
  set around [get_pins -of_objects [get_cells $cell] -filter {direction == output}]
  foreach pin [get_pins -of_objects [get_cells $cell] -filter {direction == input}] {
    set net [get_nets -quiet -of_objects $pin]
    if {$net eq "" || [sizeof_collection [get_pins -leaf -quiet -of_objects $net]] > 500} continue
    foreach p [get_pins -leaf -quiet -of_objects $net] {
      if {[get_property $p direction] eq "output"} { lappend around $p }
    }
    foreach p [get_ports -quiet -of_objects $net] {
      if {[get_property $p direction] eq "input"} { lappend around $p }
    }
  }
  foreach pin $around {
    foreach side {max min} k {0 1} {
      set s [get_property $pin slack_$side]
      if {[string is double -strict $s] && $s < [lindex $worst $k]} { lset worst $k $s }
    }
  }
  return $worst
}

# 1 ps in the unit of the design's times.
proc picosecond {} {
  with_output_to_variable text report_units
  regexp -line {time\s+1?\s*([munpf]?s)} $text -> unit
  return [dict get {s 1e-12 ms 1e-9 us 1e-6 ns 1e-3 ps 1 fs 1e3} $unit]
}

# Errors as parts of the change, of those changes that are more than 0.02 ps.
proc random_estimates {count} {
  global cells
  set least [expr {0.02 * [picosecond]}]
  set errors {}
  set large 0
  set tries 0
  set swaps 0
  while {$swaps < $count && [incr tries] < 20 * $count} {
    set cell [pick $cells]
    set to [pick [alternatives $cell]]
    if {[catch { estimate_swap -list -lib_cells $to $cell } rows] || [llength $rows] < 2} continue
    set before [slack_around $cell]
    swap_cell $cell $to
    set after [slack_around $cell]
    undo_edits
    incr swaps
    foreach b $before a $after e [lrange [lindex $rows 1] 1 2] {
      if {$e eq "" || ![string is double -strict $b] || $b == Inf} continue
      if {abs($a - $b) <= $least} continue
      lappend errors [expr {abs($e - $a) / abs($a - $b)}]
      if {abs($e - $a) > 0.05 * abs($a - $b) + $least} {
        if {[incr large] <= 20} { say "  $cell $to: $b -> $a, told $e" }
      }
    }
  }
  set errors [lsort -real $errors]
  set n [llength $errors]
  say [format "%d swaps, %d changes of slack above 0.02 ps; error over change: median %.2g,\
    99 %% %.2g, most %.2g; %d above 5 %% and 0.02 ps" $swaps $n [lindex $errors [expr {$n / 2}]] \
    [lindex $errors [expr {int(0.99 * $n)}]] [lindex $errors end] $large]
  return $large
}

# --- all ------------------------------------------------------------------------------------------
proc seconds_of {words} {
  set since [clock milliseconds]
  set said [uplevel 1 $words]
  return "$said; [format %.1f [expr {1e-3 * ([clock milliseconds] - $since)}]] s"
}

suppress_msg EDIT-020
read_reference_design $design
set folder $option(-keep)
if {$folder eq ""} { set folder [string trim [exec mktemp -d]] }
say "[llength [get_cells -hierarchical *]] cells"
set cells [find_cells]
say "[llength $cells] cells have alternatives"
tables start
if {$option(-swaps)} {
  say [seconds_of { random_swaps $option(-swaps) $option(-updates) }]
  tables swapped
  check "tables after swaps and undos" [same_tables start swapped]
  update_timing -full
  tables full
  check "the same after a whole update" [same_tables start full]
}
if {$option(-buffers)} {
  say [seconds_of { random_buffers $option(-buffers) }]
  tables removed
  check "tables after buffers are removed" [same_tables start removed]
  undo_edits -all
  tables undone
  check "tables after all is undone" [same_tables start undone]
}
if {$option(-estimates)} {
  set large [random_estimates $option(-estimates)]
  check "estimates within 5 %" [expr {$large == 0}]
}
if {$option(-keep) eq ""} { file delete -force $folder }
exit $failed
