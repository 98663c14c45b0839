# Differences that are the peer's own: it is of 2019, and later versions or plain reason say otherwise.
#
# A rule is a name, the reason, and a procedure known::is_NAME that takes the case (design, constraints), both answers and the
# difference, and says whether the difference is this one.  A rule must look at what makes the difference, not at how large it is.

namespace eval known {
  variable rules {
    crash "the peer crashes (exceptions with several lists)"
    unclocked "the peer times paths that begin without a clock at outputs and where delays of their own end"
    gating_hold "hold of a clock gate's enable: the peer takes the closing edge of another cycle"
    gate_alone "a gate on a clock that leads to no register's clock pin: the peer does not check its enable"
    no_capture "an end where no clock arrives: the peer takes the check's margin from set_max_delay and set_min_delay all the same"
    late_edge "a clock with an edge after its period's end: the peer's hold is a whole number of periods off"
    ideal_master "a generated clock with an ideal master: the peer starts it at 0, whatever the master's latencies"
    many_masters "a generated clock that several clocks reach, none of them named: the peer takes another one"
    late_generated "a generated clock with an edge after its period's end: the peer looks at too few of its cycles"
    from_source "paths of a generated clock as data: for the peer they start in the cell that -from names"
    data_edges "a data check between different edges: the peer takes the reference's edge at or before the launch, and checks none from inputs"
    before_source "the peer lets set_max_delay and set_min_delay end at inputs of a cell where a clock starts"
    dangling "the peer lets set_max_delay and set_min_delay end where nothing goes on: outputs that nothing reads, arcs that are off"
    other_side "set_min_delay (set_max_delay) to an output whose output delay is for the other side alone: the peer leaves it"
    enable_delay "set_max_delay and set_min_delay to a gate's enable: the peer counts neither the latency nor the uncertainty of its clock"
    group_of_delay "group_path -to a clock of paths with a delay of their own to an output: the peer leaves them in their own group"
    port_edge "-rise_through and -fall_through an input port: the peer takes both edges"
    shaped "slews over arcs that constants alone switch off: later versions have them, the peer does not"
  }
}

proc known::reason {rule} {
  variable rules
  return [dict get $rules $rule]
}

# Sorts differences into {unknown rules}.
proc known::sorted {case ours peer differences} {
  variable rules
  set unknown {}
  set names {}
  foreach difference $differences {
    set found ""
    foreach rule [dict keys $rules] {
      if {[is_$rule $case $ours $peer $difference]} { set found $rule; break }
    }
    if {$found eq ""} { lappend unknown $difference } else { lappend names $found }
  }
  return [list $unknown [lsort -unique $names]]
}

proc known::is_crash {case ours peer difference} {
  lassign $difference kind who ours peer
  return [expr {$kind eq "state" && $ours eq "done" && $peer eq "crashed"}]
}

proc known::is_unclocked {case ours peer difference} {
  lassign $difference kind key mine other
  return [expr {$kind in {slack only_peer} && [lindex $other 2] eq ""}]
}

# The launch may differ as well: which one is worst depends on the cycle.
proc known::is_gating_hold {case ours peer difference} {
  lassign $difference kind key mine other
  lassign $key side group pin
  return [expr {$kind eq "slack" && $side eq "min" && $group eq "gated clock"}]
}

proc known::is_gate_alone {case ours peer difference} {
  lassign $difference kind key mine other
  lassign $key side group pin
  set design [lindex $case 0]
  set gate [file dirname $pin]
  if {$kind ne "only_ours" || ![dict exists $design cells $gate]} { return 0 }
  lassign [dict get $design cells $gate] block master connections
  if {[netlist::kind $master] ni {and2 or2 nand2 nand3 nor2 aoi21 oai21}} { return 0 }
  return [expr {![netlist::leads_to_clock $design [dict get $connections Y]]}]
}

proc known::is_no_capture {case ours peer difference} {
  lassign $difference kind key mine other
  lassign $key side group pin
  set end [file tail $pin]
  return [expr {$kind eq "slack" && $group eq "path delay" && [lindex $mine 3] eq "" && $end in {D RN SN E TE} && [lindex $mine 1] > [lindex $other 1]}]
}

# How many periods of the capturing clock the peer's slack is larger by; 0 when it is not a whole number.
proc known::periods_apart {case mine other} {
  set period [constraints::period [lindex $case 1] [lindex $mine 3]]
  if {$period eq ""} { return 0 }
  set n [expr {([lindex $other 1] - [lindex $mine 1]) / $period}]
  return [expr {abs($n - round($n)) * $period < 2e-4 ? round($n) : 0}]
}

proc known::is_late_edge {case ours peer difference} {
  lassign $difference kind key mine other
  if {$kind ne "slack" || [lindex $key 0] ne "min"} { return 0 }
  foreach clock [list [lindex $mine 2] [lindex $mine 3]] {
    if {[constraints::has_late_edge [lindex $case 1] $clock] && [periods_apart $case $mine $other]} { return 1 }
  }
  return 0
}

proc known::is_dangling {case ours peer difference} {
  lassign $difference kind key
  lassign $key side group pin
  if {$kind ne "only_peer" || $group ne "path delay"} { return 0 }
  set design [lindex $case 0]
  if {![dict exists $design cells [file dirname $pin]]} { return 0 }
  lassign [dict get $design cells [file dirname $pin]] block master connections
  if {[file tail $pin] ni [netlist::output_pins [netlist::kind $master]]} { return [cones::ends_at $case $pin] }
  return [expr {![dict exists [netlist::loads $design] [dict get $connections [file tail $pin]]]}]
}

# --- generated clocks ------------------------------------------------------------------------------------------------

# Launching and capturing clocks of both answers.
proc known::clocks_of {difference} {
  lassign $difference kind key mine other
  return [lmap clock [concat [lrange $mine 2 3] [lrange $other 2 3]] { if {$clock eq ""} continue; set clock }]
}

proc known::is_ideal_master {case ours peer difference} {
  if {[lindex $difference 0] ne "slack"} { return 0 }
  set list [lindex $case 1]
  foreach clock [clocks_of $difference] {
    foreach master [lrange [constraints::ancestry $list $clock] 1 end] {
      set ideal [expr {![constraints::is_said $list set_propagated_clock $master]}]
      if {$ideal && [constraints::is_said $list set_clock_latency $master]} { return 1 }
    }
  }
  return 0
}

proc known::is_many_masters {case ours peer difference} {
  if {[lindex $difference 0] ni {slack only_ours only_peer}} { return 0 }
  set list [lindex $case 1]
  foreach clock [clocks_of $difference] {
    foreach name [constraints::ancestry $list $clock] {
      if {[llength [constraints::masters $list $name]] > 1} { return 1 }
    }
  }
  return 0
}

# An inverted waveform begins with the edge that was the second, and so its last one is in the next period unless the first rose at 0.
proc known::is_late_generated {case ours peer difference} {
  if {[lindex $difference 0] ne "slack"} { return 0 }
  set list [lindex $case 1]
  foreach clock [clocks_of $difference] {
    if {![constraints::is_generated $list $clock]} continue
    foreach name [constraints::ancestry $list $clock] {
      set words [constraints::clock_words $list $name]
      set waveform [constraints::option $words -waveform]
      if {"-invert" in $words || ($waveform ne "" && [lindex $waveform 0] != 0)} { return 1 }
    }
  }
  return 0
}

proc known::is_from_source {case ours peer difference} {
  lassign $difference kind key mine other
  set list [lindex $case 1]
  set start [lindex $other 4 0]
  set clock [lindex $other 2]
  if {![constraints::is_generated $list $clock] || [list pin $start] ni [lindex [constraints::clock_words $list $clock] end]} { return 0 }
  foreach constraint $list {
    foreach option {-from -rise_from -fall_from} {
      set objects [constraints::option [lindex $constraint 1] $option]
      if {[list cell [file dirname $start]] in $objects || [list pin $start] in $objects} { return 1 }
    }
  }
  return 0
}

proc known::is_before_source {case ours peer difference} {
  lassign $difference kind key
  lassign $key side group pin
  if {$kind ne "only_peer" || $group ne "path delay"} { return 0 }
  foreach name [constraints::clock_names [lindex $case 1]] {
    foreach source [lrange [lindex [constraints::clock_words [lindex $case 1] $name] end] 1 end] {
      if {[lindex $source 0] eq "pin" && [file dirname [lindex $source 1]] eq [file dirname $pin]} { return 1 }
    }
  }
  return 0
}

# Constraints of these kinds, as words.
proc known::words_of {case kinds} { return [lmap c [lindex $case 1] { if {[lindex $c 0] ni $kinds} continue; lindex $c 1 }] }

proc known::is_other_side {case ours peer difference} {
  lassign $difference kind key mine
  lassign $key side group port
  if {$kind ne "only_ours" || $group ne "path delay" || ![dict exists [lindex $case 0] ports $port]} { return 0 }
  set enumerate::constraint [lindex $case 1]
  set delays [dict values [enumerate::port_delays output_delay $port]]
  foreach values $delays { if {[dict exists $values $side[lindex $mine 0]]} { return 0 } }
  return [expr {[llength $delays] > 0}]
}

proc known::is_enable_delay {case ours peer difference} {
  lassign $difference kind key mine other
  lassign $key side group pin
  set design [lindex $case 0]
  if {$kind ne "slack" || $group ne "path delay" || ![dict exists $design cells [file dirname $pin]]} { return 0 }
  lassign [dict get $design cells [file dirname $pin]] block master
  return [expr {[dict exists $cones::functions [netlist::kind $master]] && [lindex $mine 3] ne "" && [lindex $other 3] eq ""}]
}

proc known::is_group_of_delay {case ours peer difference} {
  lassign $difference kind key
  lassign $key side group pin
  if {$kind ni {only_ours only_peer} || ![dict exists [lindex $case 0] ports $pin]} { return 0 }
  foreach words [words_of $case group_path] {
    set grouped [list $side [constraints::option $words -name] $pin]
    set bare [list $side {path delay} $pin]
    if {![regexp {_?to @} [join $words]] || $key ni [list $grouped $bare]} continue
    if {[dict exists $ours ends $grouped] && [dict exists $peer ends $bare]} { return 1 }
  }
  return 0
}

proc known::is_port_edge {case ours peer difference} {
  lassign $difference kind key
  lassign $key side group pin
  if {$kind ni {slack points only_ours only_peer}} { return 0 }
  set inputs [netlist::ports_of [lindex $case 0] input]
  foreach words [words_of $case {false_path multicycle max_delay min_delay group_path}] {
    foreach {option objects} [lrange $words [lsearch -regexp $words {^-.*(from|through|to)$}] end] {
      if {$option ni {-rise_through -fall_through}} continue
      foreach object [lrange $objects 1 end] {
        if {[lindex $object 1] in $inputs && [lindex $object 1] in [cones::fanin $case $pin]} { return 1 }
      }
    }
  }
  return 0
}

# --- data checks ----------------------------------------------------------------------------------------------------

# At the constrained pin of a data check.
proc known::is_data_edges {case ours peer difference} {
  lassign $difference kind key mine other
  if {$kind ni {slack only_ours}} { return 0 }
  foreach constraint [lindex $case 1] {
    lassign $constraint name words
    if {$name ne "data_check"} continue
    foreach option {-to -rise_to -fall_to} {
      if {[list pin [lindex $key 2]] in [constraints::option $words $option]} { return 1 }
    }
  }
  return 0
}

# Slews that more arcs shape are at least as pessimistic.
proc known::is_shaped {case ours peer difference} {
  lassign $difference kind key mine other
  lassign $key side group pin
  if {$kind eq "points"} { return [expr {[llength [cones::half_constant $case $pin]] > 0}] }
  return [expr {$kind eq "slack" && [lindex $mine 1] < [lindex $other 1] && [llength [cones::half_constant $case $pin]] > 0}]
}
