# Times steps on collections: how long so many operations of each kind take, less an empty loop over
# the same objects.  Runs inside our own program, so that a machine without Tcl will do; in a bundle
# (scripts/bundle):
#
#   ./slackline -quiet -exit bench_collections.tcl ?options?
#                       elsewhere: scripts/bench collections ?options?
#     -cells LIST       of generated designs (120000 1000000)
#     -steps N          operations of each kind (100000)
#     -kinds PATTERN    of their names (*)
#     -orders LIST      of: order shuffled (both)
#     -items LIST       of: objects names strings (objects names)
#     -busy N           other processes that never wait (0)
#     -rounds N         times that each kind is run (3)
#     -limit X          seconds; what takes longer is counted (0.5)
#     -json FILE        the same as JSON
#     -note TEXT        goes into the heading, beside date, commit and machine
#     -generator FILE, -library FILE   gen_design, the library of generated designs
#
# Objects are values as a loop over a collection gives them, names are texts, and strings are
# objects whose text was asked for.  Kinds that begin with "sets" add or remove two items at once.
# A row has seconds of the processor, least and median, and the median by the clock.  Both are those
# of the whole loop, with all that its first steps prepare.  No test: what is measured depends on
# the machine.  Exit status: 1 where a kind could not be measured; 2 a wrong call.
source [file join [file dirname [info script]] bench_common.tcl]

namespace eval bench {
  variable option
  array set option {
    -cells {120000 1000000} -steps 100000 -kinds * -orders {order shuffled}
    -items {objects names} -busy 0 -rounds 3 -limit 0.5 -json {} -note {} -generator {}
    -library {} -wires star -depth 20 -largest 3900
  }
  variable records {}
  variable over 0
  variable child ""
  variable others {}
}

# --- what a process that measures runs ------------------------------------------------------------

# Kinds of operations on single items.  A kind is a name, what is done before, and a script.
# $base is a collection of all cells, of the same sort as the items; $items is what the loop is
# over, and $half or a $third of it where a step has two operations or three.
proc bench::item_kinds {} {
  return {
    {behind} {set c {}} {foreach x $items {set c [add_to_collection $c $x]}}
    {behind, -unique} {set c {}} {foreach x $items {set c [add_to_collection -unique $c $x]}}
    {append} {set c {}} {foreach x $items {append_to_collection c $x}}
    {append, -unique} {set c {}} {foreach x $items {append_to_collection -unique c $x}}
    {before} {set c {}} {foreach x $items {set c [add_to_collection $x $c]}}
    {before, -unique} {set c {}} {foreach x $items {set c [add_to_collection -unique $x $c]}}
    {remove} {set c $base} {foreach x $items {set c [remove_from_collection $c $x]}}
    {remove and add again} {set c $base} {
      foreach x $half {set c [add_to_collection [remove_from_collection $c $x] $x]}}
    {intersect with one that grows} {set c {}} {
      foreach x $half {
        set c [add_to_collection $c $x]; remove_from_collection -intersect $c $x
      }}
    {append, and intersect before} {set c {}} {
      foreach x $half {
        remove_from_collection -intersect $c $x; append_to_collection c $x
      }}
    {stays: behind} {} {foreach x $items {add_to_collection $base $x}}
    {stays: behind, -unique} {} {foreach x $items {add_to_collection -unique $base $x}}
    {stays: before} {} {foreach x $items {add_to_collection $x $base}}
    {stays: before, -unique} {} {foreach x $items {add_to_collection -unique $x $base}}
    {stays: remove} {} {foreach x $items {remove_from_collection $base $x}}
    {stays: intersect} {} {foreach x $items {remove_from_collection -intersect $base $x}}
    {in one that stays: intersect} {} {
      foreach x $items {remove_from_collection -intersect $x $base}}
    {in one that stays: remove} {} {foreach x $items {remove_from_collection $x $base}}
    {append and add in turn} {set c {}} {
      foreach x $half {append_to_collection c $x; set c [add_to_collection $c $x]}}
    {append and remove in turn} {set c $base} {
      foreach x $half {append_to_collection c $x; set c [remove_from_collection $c $x]}}
    {tried: remove, half are kept} {set c $base; set i 0} {
      foreach x $items {
        set try [remove_from_collection $c $x]; if {[incr i] % 2} {set c $try}
      }}
    {tried: remove and add, some are kept} {set c $base; set i 0} {
      foreach x $half {
        set try [add_to_collection [remove_from_collection $c $x] $x];
        if {[incr i] % 5 == 0} {set c $try}
      }}
    {get_cells} {} {foreach x $items {get_cells $x}}
    {get_property} {} {foreach x $items {get_property $x ref_name}}
    {get_object_name} {} {foreach x $items {get_object_name $x}}
    {sizeof_collection of one} {} {foreach x $items {sizeof_collection $x}}
  }
}

# The same on lists of two items, the variable `sets`.
proc bench::set_kinds {} {
  return {
    {sets: behind} {set c {}} {foreach x $sets {set c [add_to_collection $c $x]}}
    {sets: behind, -unique} {set c {}} {foreach x $sets {set c [add_to_collection -unique $c $x]}}
    {sets: append} {set c {}} {foreach x $sets {append_to_collection c $x}}
    {sets: append, -unique} {set c {}} {foreach x $sets {append_to_collection -unique c $x}}
    {sets: before} {set c {}} {foreach x $sets {set c [add_to_collection $x $c]}}
    {sets: before, -unique} {set c {}} {foreach x $sets {set c [add_to_collection -unique $x $c]}}
    {sets: remove} {set c $base} {foreach x $sets {set c [remove_from_collection $c $x]}}
    {sets: stays: behind} {} {foreach x $sets {add_to_collection $base $x}}
    {sets: stays: before} {} {foreach x $sets {add_to_collection $x $base}}
    {sets: stays: before, -unique} {} {foreach x $sets {add_to_collection -unique $x $base}}
    {sets: stays: remove} {} {foreach x $sets {remove_from_collection $base $x}}
    {sets: stays: intersect} {} {foreach x $sets {remove_from_collection -intersect $base $x}}
    {sets: foreach_in_collection} {} {foreach x $sets {foreach_in_collection y $x {}}}
    {sets: compare} {} {foreach x $sets {compare_collections $x $x}}
    {sets: compare with another} {set y $other} {
      foreach x $sets {compare_collections $x $y; set y $x}}
    {sets: compare, any order} {set y $other} {
      foreach x $sets {compare_collections -order_independent $x $y; set y $x}}
    {sets: sort} {} {foreach x $sets {sort_collection $x full_name}}
    {sets: filter} {} {foreach x $sets {filter_collection $x {ref_name =~ INV*}}}
    {sets: copy} {} {foreach x $sets {copy_collection $x}}
    {sets: get_cells} {} {foreach x $sets {get_cells $x}}
  }
}

# Kinds over the places of a collection; $places are numbers below its size.
proc bench::place_kinds {} {
  return {
    {index of a list} {set c $base} {foreach i $places {index_collection $c $i}}
    {index of one that grew} {set c [grown $base]} {foreach i $places {index_collection $c $i}}
    {index of one that shrank} {set c [shrunk $base]} {
      foreach i $places {index_collection $c [expr {$i / 2}]}}
    {lindex of one that grew} {set c [grown $base]} {foreach i $places {lindex $c $i}}
    {llength of one that shrank} {set c [shrunk $base]} {foreach i $places {llength $c}}
    {sizeof_collection} {set c [grown $base]} {foreach i $places {sizeof_collection $c}}
    {copy_collection} {set c [grown $base]} {foreach i $places {copy_collection $c}}
    {take the first} {set c $base} {
      foreach i $half {set c [remove_from_collection $c [index_collection $c 0]]}}
    {take the last} {set c $base} {
      foreach i $third {
        set c [remove_from_collection $c \
          [index_collection $c [expr {[sizeof_collection $c] - 1}]]]
      }}
    {foreach_in_collection, each a step} {set c [index_collection $base 0 [expr {$steps - 1}]]} {
      foreach_in_collection x $c {}}
  }
}

proc bench::measuring {} {
  return {
    # Nanoseconds of the processor, and of the clock.
    proc bench_now {} {
      set channel [open /proc/self/schedstat]
      set used [lindex [read $channel] 0]
      close $channel
      return [list $used [expr {[clock microseconds] * 1000}]]
    }
    proc bench_timed {script} {
      lassign [bench_now] used clock
      uplevel #0 $script
      lassign [bench_now] used_now clock_now
      return [list [expr {$used_now - $used}] [expr {$clock_now - $clock}]]
    }
    # In the same order each time.
    proc bench_shuffle {list} {
      expr {srand(7)}
      for {set i [llength $list]} {$i > 1} {} {
        set k [expr {int(rand() * $i)}]
        incr i -1
        set x [lindex $list $i]
        lset list $i [lindex $list $k]
        lset list $k $x
      }
      return $list
    }
    proc grown {base} {
      set c $base
      for {set i 0} {$i < 10} {incr i} { set c [add_to_collection $c [index_collection $base $i]] }
      return $c
    }
    proc shrunk {base} {
      set c $base
      for {set i 0} {$i < 10} {incr i} {
        set c [remove_from_collection $c [index_collection $base [expr {7 * $i}]]]
      }
      return $c
    }
    proc bench_all {sort} {
      set all [get_cells -hierarchical *]
      if {$sort eq "names"} { return [get_object_name $all] }
      if {$sort eq "strings"} { foreach x $all { string length $x } }
      return $all
    }
    # New values each time: what is done with a value may change what Tcl keeps of it.
    proc bench_prepare {sort order} {
      global base items half third places sets steps other bench_order
      set base [bench_all $sort]
      set count [llength $base]
      if {![info exists bench_order($order)]} {
        set bench_order($order) {}
        for {set i 0} {$i < $count} {incr i} { lappend bench_order($order) $i }
        if {$order eq "shuffled"} { set bench_order($order) [bench_shuffle $bench_order($order)] }
        set bench_order($order) [lrange $bench_order($order) 0 [expr {$steps - 1}]]
      }
      set places [lmap i $bench_order($order) { expr {$i + 0} }]
      set items [lmap i $places { lindex $base $i }]
      # names are read from elsewhere: they are not the values in the base
      if {$sort eq "names"} { set items [lmap x $items { string range $x 0 end }] }
      set half [lrange $items 0 [expr {$steps / 2 - 1}]]
      set third [lrange $items 0 [expr {$steps / 3 - 1}]]
      set sets [lmap x $items y [lreverse $items] { list $x $y }]
      set other [lindex $sets end]
    }
    proc bench_forget {} {
      foreach v {base items half third places sets other c x y i} { unset -nocomplain ::$v }
    }
    proc bench_kind {sort order before script} {
      bench_prepare $sort $order
      uplevel #0 $before
      set empty [bench_timed {foreach x $items {}}]
      set used [bench_timed $script]
      bench_forget
      return [lmap a $used b $empty { expr {($a - $b) * 1e-9} }]
    }
    proc bench_serve {} {
      fconfigure stdout -buffering line
      puts "BENCH ready"
      while {[gets stdin words] >= 0} {
        if {[catch { bench_kind {*}$words } answer]} { set answer "failed: $answer" }
        puts "BENCH [lindex [split $answer \n] 0]"
      }
    }
  }
}

# --- processes ------------------------------------------------------------------------------------

proc bench::watch_all {} {
  variable child
  variable others
  at_work [concat {*}[lmap channel [concat $child $others] { pid $channel }]]
}

# The answer behind "BENCH", or an error with what the process said last.
proc bench::answer {} {
  variable child
  set said ""
  while {[gets $child line] >= 0} {
    if {[regexp {^BENCH (.*)$} $line all value]} { return $value }
    append said $line \n
  }
  error [complaint [string trim $said]]
}

proc bench::start_child {text} {
  variable child
  variable scratch
  set channel [open $scratch/child.tcl w]
  puts $channel $text
  close $channel
  set words [list -no_init -quiet -engine cpu -threads 1 -exit $scratch/child.tcl]
  set child [open [list | [info nameofexecutable] {*}$words 2>@1] r+]
  fconfigure $child -buffering line
  watch_all
  answer
}

proc bench::stop_child {} {
  variable child
  catch { close $child }
  set child ""
  watch_all
}

# --- measuring ------------------------------------------------------------------------------------

proc bench::median {times} { lindex [lsort -real $times] [expr {[llength $times] / 2}] }
proc bench::least {times} { lindex [lsort -real $times] 0 }

proc bench::once {words} {
  variable child
  puts $child $words
  set answer [answer]
  if {[string match failed:* $answer]} { error $answer }
  return $answer
}

proc bench::note_row {cells sort order kind times} {
  variable option
  variable over
  variable records
  set used [lmap time $times { lindex $time 0 }]
  set clock [lmap time $times { lindex $time 1 }]
  set numbers [lmap x [list [least $used] [median $used] [median $clock]] { format %.3f $x }]
  incr over [expr {[median $used] > $option(-limit)}]
  row $cells $kind $sort $order {*}$numbers
  lappend records [list cells $cells kind $kind items $sort order $order least [lindex $numbers 0] \
    median [lindex $numbers 1] clock [lindex $numbers 2]]
}

proc bench::measure_kind {cells sort order kind before script} {
  variable option
  tell "$cells cells, $kind, $sort, $order"
  set times {}
  for {set i 0} {$i < $option(-rounds)} {incr i} {
    lappend times [once [list $sort $order [string map {\n { }} $before] \
      [string map {\n { }} $script]]]
  }
  note_row $cells $sort $order $kind $times
}

proc bench::measure_kinds {cells kinds sort order} {
  variable option
  foreach {kind before script} $kinds {
    if {[string match $option(-kinds) $kind]} {
      measure_kind $cells $sort $order $kind $before $script
    }
  }
}

proc bench::measure {cells} {
  variable option
  variable scratch
  generate_design $cells $scratch/d
  start_child [join [list [measuring] [list read_liberty $option(-library)] \
    [list read_verilog $scratch/d.v] {link_design top} [list set steps $option(-steps)] \
    bench_serve] \n]
  begin_busy $option(-busy)
  foreach order $option(-orders) {
    foreach sort $option(-items) {
      measure_kinds $cells [concat [item_kinds] [set_kinds]] $sort $order
    }
    measure_kinds $cells [place_kinds] objects $order
  }
}

proc bench::try {cells} {
  if {[catch { measure $cells } why]} {
    puts "Not measured: $cells cells: $why"
    set failed 1
  }
  end_busy
  stop_child
  return [info exists failed]
}

proc bench::settle {arguments} {
  variable option
  take_options $arguments {-orders {order shuffled} -items {objects names strings}} \
    {-steps 1 -busy 0 -rounds 1}
  check_numbers -cells $option(-cells) 100
  if {![string is double -strict $option(-limit)]} {
    wrong "-limit takes a number, not '$option(-limit)'"
  }
  find_tools
  if {$option(-generator) eq ""} { wrong "there is no gen_design; give -generator FILE" }
  check_writable -json
}

proc bench::main {arguments} {
  variable option
  variable over
  variable records
  variable scratch
  settle $arguments
  set scratch [new_scratch]
  set load [expr {[catch { open /proc/loadavg } channel] ? "" : [lindex [read $channel] 0]}]
  puts "[machine_line $option(-note)]; load when it began $load, $option(-busy) busy processes.\
    Seconds for $option(-steps) operations; $option(-rounds) rounds.\n"
  row cells kind items order least median "median by the clock"
  row ---: --- --- --- ---: ---: ---:
  set failed 0
  foreach cells $option(-cells) { incr failed [try $cells] }
  puts "\n$over of [llength $records] took more than $option(-limit) s."
  set settings [list note $option(-note) steps $option(-steps) rounds $option(-rounds) \
    busy $option(-busy) load $load]
  if {$option(-json) ne ""} { write_json $option(-json) $settings $records }
  finish [expr {$failed > 0}]
}

bench::main $::argv
