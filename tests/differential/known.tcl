# Differences that are the peer's own: it is of 2019, and later versions or plain reason say
# otherwise.
#
# A rule is a name, bounds, the reason, and a procedure known::is_NAME that takes the case (design,
# constraints), both answers and the difference, and says whether the difference is this one.  The
# procedure looks at what makes the difference; the bounds say how large it may be.

namespace eval known {
  # Name, bounds, reason.  The bounds are the least and the most that the peer's slack may be above
  # ours: 0, or a name of `amounts`, with a minus or without one.  For ends that are in one answer
  # alone see `alone`.
  variable rules {
    derate_start {-derated derated} {
      set_timing_derate -rise and -fall: the peer goes by the edge where a cell's arc starts,
      not where it ends
    }
    derated_drive {-derated derated} {
      derates of nets: the peer derates what a driving cell adds at its port
    }
    included {-latency latency} {
      several delays of a port, of which some include a latency of the clock: the peer takes the
      last command's word for all
    }
    clock_sense {-edges edges} {
      set_sense -positive and -negative: the peer asks for the last arc's sense, not for that of
      all from the clock's source; -stop_propagation stops data too
    }
    contrary {-latencies latencies} {
      a generated clock whose edges are not those that the network from its source makes: the
      peer takes the latency of another edge
    }
    behind_source {-latencies latencies} {
      a generated clock behind the source of another clock: the peer looks through that source
      for its latency
    }
    behind_latency {-at_pins at_pins} {
      a generated clock behind a pin with a latency: the peer starts it without
    }
    part_pins {0 at_pins} {
      latency, uncertainty or propagation at a pin that some clock paths to a register pass and
      others do not: the peer takes those of one path, not the worse
    }
    latch_source {-latency latency} {
      a generated clock that comes over a latch's data: the peer starts it without latency
    }
    false_clock {-latency latency} {
      set_false_path -through a pin of the network from a master to a generated clock: the peer
      starts that clock without latency
    }
    constant_source {-another 0} {
      a generated clock at a gate whose clock pin is constant: the peer starts it all the same
    }
    data_cycles {-cycles cycles} {
      data checks and multicycle paths: the peer does not move them
    }
    data_uncertainty {-uncertainty uncertainty} {
      uncertainty at a pin: the peer takes it for data checks whose reference is launched behind
      it
    }
    gate_alone {0 0} {
      a gate on a clock that leads to no register's clock pin, or ends at another clock's source
      there: the peer does not check its enable
    }
    latch_group {-another another} {
      group_path -rise_to and -fall_to a clock: for a latch the peer takes the opening edge, not
      that of the check as elsewhere
    }
    latch_early {-early early} {
      latches where a clock's early latency is above its late one: the peer compares late with
      late
    }
    ideal_generated {-latency latency} {
      an ideal generated clock with a propagated master: the peer starts it at 0, not when the
      master arrives
    }
    ignore_edge {-edge edge} {
      -ignore_clock_latency: the peer counts from 0, not from the launching edge
    }
    latch_from {-another another} {
      -from a latch's data pin: for the peer paths that borrow begin there, for us they go on
    }
    latch_unclocked {-another 0} {
      what comes to a latch without a clock: the peer lets it borrow
    }
    latch_exceptions {-another another} {
      latches with exceptions on their data, or where clocks do not see each other: the peer
      passes nothing on
    }
    latch_clocks {-another another} {
      latches that several clocks or both edges open: what the peer passes on depends on the
      order in which it came
    }
    latch_delay {-period period} {
      set_max_delay to a latch: the peer lets it borrow on top, and passes nothing on
    }
    crash {0 0} {
      the peer crashes (exceptions with several lists)
    }
    unclocked {-another 0} {
      the peer times paths that begin without a clock at outputs and where delays of their own
      end
    }
    gating_hold {-derated period_derated} {
      hold of the enable of a gate that closes at a rising edge: the peer is a whole period too
      kind, and the derates of the clock differ (derate_start); with several clocks another one is
      worst
    }
    gating_before {0 gating} {
      set_clock_gating_check at pins and cells before a gate: the peer looks at the gate's own
      cell and enable alone
    }
    late_edge {-period period} {
      a clock with an edge after its period's end: the peer's hold is a whole number of periods
      off, its setup misses the nearest edges
    }
    ideal_master {-latency latency} {
      a generated clock with an ideal master: the peer starts it at 0, whatever the master's
      latencies
    }
    many_masters {-another another} {
      a generated clock that several clocks reach, none of them named: the peer takes another
      one
    }
    data_edges {0 another} {
      data checks of what inputs launch, or clocks that go on as data: the peer checks none
    }
    before_source {0 0} {
      the peer lets set_max_delay and set_min_delay end at inputs of a cell where a clock starts
    }
    dangling {0 0} {
      the peer lets set_max_delay and set_min_delay end where nothing goes on: outputs that
      nothing reads, arcs that are off
    }
    other_side {0 another} {
      set_min_delay (set_max_delay) to an output whose output delay is for the other side alone:
      the peer leaves it
    }
    enable_delay {-captured captured} {
      set_max_delay and set_min_delay to a gate's enable: the peer has no clock there: no
      latency, no uncertainty, no groups of clocks, and -to it says nothing
    }
    exclusive_outputs {-output 0} {
      set_max_delay and set_min_delay to an output with a delay of a clock that does not see the
      launching one: the peer counts it
    }
    group_of_delay {-another another} {
      group_path -to a clock of paths with a delay of their own to an output: the peer leaves
      them in their own group
    }
    port_edge {-excepted excepted} {
      -rise_through and -fall_through a port, a cell, a register's clock pin, or for a clock
      that goes on as data: the peer takes both edges, or none
    }
    through_twice {-excepted excepted} {
      two lists of -from and -through that one pin is in: the peer asks for two pins
    }
    multicycles {-cycles cycles} {
      multicycle paths that are as specific as each other: the peer takes the one for setup or
      hold alone, or for one edge
    }
    shaped {0 slews} {
      slews over arcs that constants alone switch off: later versions have them, the peer does
      not
    }
    ideal_credit {0 credit} {
      common paths of ideal clocks: the peer counts delays and latencies that are no difference
      there
    }
    data_credit {-credit 0} {
      a clock that goes on as data: the peer credits nothing
    }
    latch_credit {-credit credit} {
      common paths through latches: the peer credits the latch's enable, not the register that
      launched
    }
    parted_credit {-credit credit} {
      common paths where clock paths part and meet again: the peer looks at the pins of the
      worst path alone
    }
    port_credit {-credit 0} {
      paths from inputs to outputs, both by delays of generated clocks: the peer credits nothing
    }
    given_credit {0 credit} {
      a generated clock with a source latency of its own: the peer credits its master's paths,
      which do not count in it
    }
    check_off {-another 0} {
      set_disable_timing that takes out a check: the peer goes on checking
    }
    coarse {-digits digits} {
      a clock of a very long period: the peer has times since 0 as floats, so that its last
      digits are gone
    }
    few_cycles {0 period} {
      clocks whose common period has a thousand cycles and more: the peer looks at too few of
      the fast one's edges
    }
    less_credit {-credit credit} {
      common paths where late is not later than early: the peer counts the amount, whatever its
      sign, at the last pin alone
    }
  }
}

namespace eval known {
  # For each rule a seed, and words of `run`, with which it is needed.  A new rule needs a proof.
  variable proofs {
    derate_start {6}
    derated_drive {18}
    included {7}
    clock_sense {1 -kinds {clock_sense}}
    contrary {55}
    behind_source {264}
    behind_latency {3052 -kinds {latch excepted path_delay}}
    part_pins {28 -kinds {latch latch_clocks latch_early excepted}}
    latch_source {16 -kinds {unclocked latch alone dangling}}
    false_clock {509}
    constant_source {6457 -kinds {generated tied ideal_masters}}
    data_cycles {136}
    data_uncertainty {79}
    latch_early {41 -kinds {latch latch_early}}
    ideal_generated {3131 -kinds {generated tied ideal_masters}}
    ignore_edge {97}
    latch_from {24 -kinds {data_check checks_between one_sided path_delay}}
    latch_group {3178 -kinds {latch excepted path_delay}}
    latch_unclocked {592}
    latch_exceptions {71 -kinds {latch excepted path_delay}}
    latch_clocks {6 -kinds {latch latch_clocks}}
    latch_delay {4377 -kinds {latch excepted path_delay}}
    crash {89}
    unclocked {682}
    gating_hold {7 -kinds {rising_gates gated_delay path_delay}}
    gating_before {179}
    gate_alone {45}
    late_edge {29 -kinds {generated tied alone}}
    ideal_master {11 -kinds {generated contrary ideal_masters pin_latency}}
    many_masters {3176 -kinds {generated pin_latency}}
    data_edges {3 -kinds {data_check checks_between one_sided path_delay}}
    before_source {91}
    dangling {25}
    other_side {2 -kinds {data_check checks_between one_sided path_delay}}
    enable_delay {177}
    exclusive_outputs {564}
    group_of_delay {25}
    port_edge {200}
    through_twice {249}
    multicycles {3172 -kinds {latch excepted path_delay}}
    shaped {159}
    ideal_credit {4012 -cppr}
    data_credit {3180 -cppr}
    latch_credit {18 -cppr -kinds {generated}}
    parted_credit {8 -cppr -kinds {clock_sense}}
    port_credit {2 -cppr}
    given_credit {101 -cppr -kinds {latch generated pessimism}}
    check_off {44}
    coarse {10 -kinds {ratio check_off}}
    few_cycles {25 -kinds {ratio check_off}}
    less_credit {3 -cppr}
  }
}

namespace eval known {
  # Ends that one answer alone has: only these rules excuse them.  A row is a rule; whose answer has
  # them; whether the other answer has no end at the pin (gone) or one in another group (moved); the
  # most that such an end's slack may be from 0 (an amount), or `bounds`: the slack and that in the
  # other group are within the rule's bounds; the most such ends of a case; and a proof: a seed that
  # has as many, and words of `run`.
  variable alone {
    before_source     peer gone  excepted 2 {91}
    check_off         ours gone  excepted 1 {14 -kinds {ratio check_off}}
    check_off         ours moved excepted 2 {362}
    check_off         peer gone  excepted 8 {9 -kinds {ratio check_off}}
    check_off         peer moved another  2 {362}
    clock_sense       ours gone  excepted 8 {1 -kinds {clock_sense}}
    clock_sense       peer gone  excepted 24 {1779}
    constant_source   peer gone  another  5 {6457 -kinds {generated tied ideal_masters}}
    dangling          peer gone  excepted 4 {529}
    data_edges        ours gone  another  4 {14 -kinds {data_check checks_between one_sided\
      path_delay}}
    data_edges        ours moved another  4 {3 -kinds {data_check checks_between one_sided\
      path_delay}}
    enable_delay      ours moved excepted 2 {177}
    enable_delay      peer moved excepted 1 {33 -kinds {data_check checks_between one_sided\
      path_delay}}
    exclusive_outputs peer gone  excepted 4 {2005}
    exclusive_outputs peer moved excepted 1 {564}
    gate_alone        ours gone  excepted 14 {28 -kinds {unclocked latch alone dangling}}
    gate_alone        ours moved excepted 1 {23 -kinds {generated tied alone}}
    group_of_delay    ours moved bounds   1 {25}
    group_of_delay    peer moved bounds   3 {1149}
    latch_delay       peer moved bounds   1 {4377 -kinds {latch excepted path_delay}}
    latch_exceptions  ours moved another  4 {3178 -kinds {latch excepted path_delay}}
    latch_group       peer moved bounds   4 {3178 -kinds {latch excepted path_delay}}
    other_side        ours gone  excepted 1 {2 -kinds {data_check checks_between one_sided\
      path_delay}}
    other_side        ours moved excepted 2 {373}
    port_edge         ours gone  excepted 2 {1054}
    port_edge         ours moved bounds   8 {2143}
    port_edge         peer gone  excepted 1 {2232}
    port_edge         peer moved bounds   8 {2143}
    through_twice     ours moved bounds   6 {1384}
    through_twice     peer gone  excepted 6 {249}
    through_twice     peer moved bounds   6 {1384}
    unclocked         peer gone  another  2 {937}
  }
}

proc known::names {} {
  variable rules
  return [lmap {rule bounds reason} $rules { set rule }]
}

proc known::reason {rule} {
  variable rules
  foreach {name bounds reason} $rules { if {$name eq $rule} { return [join $reason] } }
}

proc known::bounds {rule} {
  variable rules
  foreach {name bounds reason} $rules { if {$name eq $rule} { return $bounds } }
}

# Sorts differences into {unknown rules excused}: excused is a dictionary of each rule's first
# difference.  Rules that are `without` excuse nothing, and none excuses more ends of one answer
# alone than it may.
proc known::sorted {case ours peer differences {without {}}} {
  set unknown {}
  set excused {}
  foreach difference $differences {
    set spent $without
    while {[set found [rule_of $case $ours $peer $difference $spent]] ne ""} {
      if {![is_alone $difference]} break
      set how [alone_how $ours $peer $difference]
      if {[incr ends([list $found $how])] <= [lindex [alone_row $found $how] 1]} break
      lappend spent $found
    }
    if {$found eq ""} {
      lappend unknown $difference
    } elseif {![dict exists $excused $found]} {
      dict set excused $found $difference
    }
  }
  return [list $unknown [lsort [dict keys $excused]] $excused]
}

# The first rule that a difference is of, "" where there is none.
proc known::rule_of {case ours peer difference {without {}}} {
  set some [expr {[lindex $difference 0] in {state rejected} ? "crash" : [names]}]
  foreach rule $some {
    if {$rule in $without || ![is_$rule $case $ours $peer $difference]} continue
    if {[is_within $rule $case $ours $peer $difference]} { return $rule }
  }
  return ""
}

# Lines of the rules that a difference is of, but for being larger than they allow.
proc known::larger_than {case ours peer difference} {
  if {[lindex $difference 0] ne "slack"} return
  set text ""
  foreach rule [names] {
    if {![is_$rule $case $ours $peer $difference]} continue
    append text "\n  [amount_text $rule $case $ours $peer $difference]"
  }
  return $text
}

proc known::amount_text {rule case ours peer difference} {
  lassign [allowed $rule $case $ours $peer $difference] low high
  set above [expr {[lindex $difference 3 1] - [lindex $difference 2 1]}]
  return [format "%s: %.4f above ours, allowed %.4f to %.4f" $rule $above $low $high]
}

# --- how much a rule excuses --------------------------------------------------------------------

# A crash has no amount.  The same slack along another path is within the bounds, as all hold 0.
proc known::is_within {rule case ours peer difference} {
  if {[lindex $difference 0] in {state rejected}} { return 1 }
  if {[is_alone $difference]} { return [is_alone_within $rule $case $ours $peer $difference] }
  return [is_amount_within $rule $case $ours $peer $difference]
}

proc known::is_amount_within {rule case ours peer difference} {
  lassign $difference kind key mine other
  set above [expr {[lindex $other 1] - [lindex $mine 1]}]
  set slop [expr {max(2e-4, 2e-5 * abs([lindex $other 1]))}]
  lassign [allowed $rule $case $ours $peer $difference] low high
  return [expr {$low - $slop <= $above && $above <= $high + $slop}]
}

proc known::is_alone {difference} {
  return [expr {[lindex $difference 0] in {only_ours only_peer}}]
}

# {ours|peer gone|moved} of an end of one answer alone.
proc known::alone_how {ours peer difference} {
  set moved [llength [moved_to $ours $peer $difference]]
  return [list [string range [lindex $difference 0] 5 end] [expr {$moved ? "moved" : "gone"}]]
}

# {amount most} of a rule for such ends; {} without a row.
proc known::alone_row {rule how} {
  variable alone
  foreach {name whose state amount most proof} $alone {
    if {$name eq $rule && [list $whose $state] eq $how} { return [list $amount $most] }
  }
}

proc known::is_alone_within {rule case ours peer difference} {
  set amount [lindex [alone_row $rule [alone_how $ours $peer $difference]] 0]
  if {$amount eq ""} { return 0 }
  if {$amount ne "bounds"} {
    set slack [expr {abs([slack_alone $difference])}]
    set most [amount_$amount $case $ours $peer $difference]
    return [expr {$slack <= $most + max(2e-4, 2e-5 * $slack)}]
  }
  foreach pair [moved_to $ours $peer $difference] {
    if {[is_amount_within $rule $case $ours $peer $pair]} { return 1 }
  }
  return 0
}

proc known::slack_alone {difference} {
  lassign $difference kind key mine other
  return [lindex [expr {$kind eq "only_ours" ? $mine : $other}] 1]
}

# The end with each that the other answer has at its pin in another group, as differences of slacks.
proc known::moved_to {ours peer difference} {
  lassign $difference kind key mine other
  set out {}
  dict for {at end} [dict get [expr {$kind eq "only_ours" ? $peer : $ours}] ends] {
    if {[lindex $at 0] ne [lindex $key 0] || [lindex $at 2] ne [lindex $key 2]} continue
    lappend out [list slack $key {*}[expr {$kind eq "only_ours" ? [list $mine $end] :
      [list $end $other]}]]
  }
  return $out
}

# {least most} as numbers.
proc known::allowed {rule case ours peer difference} {
  return [lmap bound [bounds $rule] {
    if {$bound == 0} { set bound } else {
      set amount [amount_[string trimleft $bound -] $case $ours $peer $difference]
      expr {[string index $bound 0] eq "-" ? -$amount : $amount}
    }
  }]
}

# The largest of a term of ends, by its size: of all ends, or of those at one pin.  The terms are
# what answer.tcl tells of a path: {launch capture credit delay}.
proc known::largest {term ours peer {pin ""}} {
  set at [lsearch {launch capture credit delay} $term]
  set most 0
  foreach answer [list $ours $peer] {
    dict for {key end} [dict get $answer ends] {
      if {$pin ne "" && [lindex $key 2] ne $pin} continue
      set value [lindex $end 5 $at]
      if {$value ne "" && abs($value) > $most} { set most [expr {abs($value)}] }
    }
  }
  return $most
}

# Numbers that constraints of some kinds say, the last word but one where objects follow.
proc known::values {case kinds} {
  return [lmap words [words_of $case $kinds] {
    lindex [lsearch -all -inline -regexp $words {^-?\d+(\.\d+)?$}] end
  }]
}

proc known::largest_of {values} {
  set most 0
  foreach value $values {
    if {$value ne "" && abs($value) > $most} { set most [expr {abs($value)}] }
  }
  return $most
}

# The longest period of a clock that launches or captures in either answer, or behind a latch.  The
# edges that a check compares are at most that far apart, and so is an edge from its neighbour.
proc known::amount_period {case ours peer difference} {
  return [longest $case [clocks_of $case $ours $difference]]
}

# The largest latency of a clock, as either program has it.  Where a clock starts without, what it
# launches and what it captures both come earlier, by no more than this.
# Both at once.
proc known::amount_period_derated {case args} {
  return [expr {[amount_period $case {*}$args] + [amount_derated $case {*}$args]}]
}
proc known::amount_latency {case ours peer difference} {
  return [expr {max([largest launch $ours $peer], [largest capture $ours $peer])}]
}

# Latencies that are others at both ends, in opposite directions.
proc known::amount_latencies {args} { return [expr {2 * [amount_latency {*}$args]}] }

# An edge more or less, with its latency.
proc known::amount_edges {args} {
  return [expr {[amount_period {*}$args] + [amount_latencies {*}$args]}]
}

# The longest delay from a launching edge to the pin.
proc known::amount_delay {case ours peer difference} {
  return [largest delay $ours $peer [lindex $difference 1 2]]
}

# All delays of a path and of its capture, times the most that one factor is above another.
proc known::amount_derated {case args} {
  set factors [lsort -real [concat 1 [values $case derate]]]
  set spread [expr {double([lindex $factors end]) / [lindex $factors 0] - 1}]
  return [expr {$spread * ([amount_delay $case {*}$args] + [amount_latency $case {*}$args])}]
}

# What is said at pins; a clock that is propagated from a pin on, or no more, has all its latency
# there or none.
proc known::amount_at_pins {case args} {
  set sum 0
  foreach words [words_of $case at_pin] {
    if {[lindex $words 0] eq "set_propagated_clock"} {
      set sum [expr {$sum + [amount_latency $case {*}$args]}]
    } else {
      set sum [expr {$sum + [lindex $words end-1]}]
    }
  }
  return $sum
}

# The largest that is said of a clock, of two clocks, and at pins.
proc known::amount_uncertainty {case args} {
  set sum 0
  foreach kind {uncertainty uncertainty_inter at_pin} {
    set sum [expr {$sum + [largest_of [values $case $kind]]}]
  }
  return $sum
}

# The longest period of all clocks of the case.
proc known::longest_period {case} {
  return [longest $case [constraints::clock_names [lindex $case 1]]]
}

# A multicycle path of n moves an edge by at most n periods.
proc known::amount_cycles {case args} {
  return [expr {max(1, [largest_of [values $case multicycle]]) * [longest_period $case]}]
}

# The latest edge of a waveform; what is generated has its edges within a period of its own.
proc known::amount_edge {case args} {
  set most 0
  foreach name [constraints::clock_names [lindex $case 1]] {
    set edge [last_edge [lindex $case 1] $name]
    set most [expr {max($most, $edge, [period_if_generated $case $name])}]
  }
  return $most
}

proc known::last_edge {list name} {
  set words [constraints::clock_words $list [lindex [constraints::ancestry $list $name] end]]
  set waveform [constraints::option $words -waveform]
  if {$waveform ne ""} { return [lindex $waveform end] }
  return [expr {0.5 * [constraints::option $words -period]}]
}

proc known::period_if_generated {case name} {
  return [expr {[constraints::is_generated [lindex $case 1] $name] ? [period $case $name] : 0}]
}

# Early latencies above late ones.
proc known::amount_early {case args} {
  set sum 0
  foreach kind {latency_source latency_network} {
    set sum [expr {$sum + [largest_of [values $case $kind]]}]
  }
  return $sum
}

# A margin of a gate before this one, and its other edge where a level is said.
proc known::amount_gating {case args} {
  set most 0
  foreach words [words_of $case gating_check] {
    foreach option {-setup -hold} {
      set margin [constraints::option $words $option]
      if {$margin ne ""} { set most [expr {max($most, $margin)}] }
    }
    if {"-high" in $words || "-low" in $words} {
      set most [expr {max($most, [amount_period $case {*}$args])}]
    }
  }
  return $most
}

# The capture's latency and uncertainty.
proc known::amount_captured {args} {
  return [expr {[amount_latency {*}$args] + [amount_uncertainty {*}$args]}]
}

# The delay at an output, with what its clock brings.
proc known::amount_output {case args} {
  return [expr {[largest_of [values $case output_delay]] + [amount_captured $case {*}$args]}]
}

# Another path to the end is the worst: its edges are at most a period further apart, its delay is
# at most the longest one longer, and it ends with another latency, uncertainty or delay at a port.
proc known::amount_another {args} {
  set edges [amount_period {*}$args]
  return [expr {$edges + [amount_delay {*}$args] + [amount_output {*}$args]}]
}

# The same, where exceptions move edges or set delays.
proc known::amount_excepted {case args} {
  set given [largest_of [values $case {max_delay min_delay}]]
  return [expr {[amount_another $case {*}$args] + [amount_cycles $case {*}$args] + $given}]
}

# Of each gate with a constant input the next one sees another slew.
proc known::amount_slews {case ours peer difference} {
  return [expr {0.1 * [llength [cones::half_constant $case [lindex $difference 1 2]]]}]
}

# The most credit that either program gives.  It is late less early time of a clock path, so no more
# than the latencies; the peer counts the network of ideal clocks too, so no more than a delay.
proc known::amount_credit {case ours peer difference} {
  set most [expr {[amount_latency $case $ours $peer $difference] + [largest delay $ours $peer]}]
  return [expr {min([largest credit $ours $peer], $most)}]
}

# A float has 24 bits; some sums each add half of the last one.  Between clocks the peer goes on to
# where they meet, at most a thousand cycles.
proc known::amount_digits {case ours peer difference} {
  set count [cycles $case [lrange [lindex $difference 2] 2 3]]
  return [expr {8 * [longest_period $case] * $count / 2**24}]
}

# --- proofs -------------------------------------------------------------------------------------

proc known::missing_proofs {} {
  variable proofs
  return [lmap rule [names] { if {[dict exists $proofs $rule]} continue; set rule }]
}

# {{cppr kinds} {rule seed ...} ...}; of ends of one answer alone a rule is {rule {ours gone}} or
# the like.
proc known::proofs_by_way {} {
  variable proofs
  variable alone
  set all $proofs
  foreach {rule whose state amount most words} $alone {
    dict set all [list $rule [list $whose $state]] $words
  }
  set out {}
  dict for {rule words} $all {
    set way [list [expr {"-cppr" in $words}] [constraints::option $words -kinds]]
    dict lappend out $way $rule [lindex $words 0]
  }
  return $out
}

proc known::proof_count {} {
  variable proofs
  variable alone
  return [expr {[dict size $proofs] + [llength $alone] / 6}]
}

# What is wrong with a rule for ends of one answer alone and the case that proves it.  The case has
# as many as the rule allows; one more is none that it excuses, and so is each of them with a slack
# beyond the bounds.
proc known::wrong_alone {rule how case ours peer} {
  set differences [differ::answers $ours $peer]
  lassign [sorted $case $ours $peer $differences] unknown
  if {[llength $unknown]} {
    return "a difference that no rule explains: [differ::text [lindex $unknown 0]]"
  }
  set mine {}
  foreach difference $differences {
    if {![is_alone $difference] || [alone_how $ours $peer $difference] ne $how} continue
    if {[rule_of $case $ours $peer $difference] eq $rule} { lappend mine $difference }
  }
  set most [lindex [alone_row $rule $how] 1]
  if {[llength $mine] != $most} { return "[llength $mine] ends in one answer alone, not $most" }
  set more [concat $mine [list [lindex $mine 0]]]
  set others [lsearch -all -inline -not -exact [names] $rule]
  if {[llength [lindex [sorted $case $ours $peer $more $others] 0]] != 1} {
    return "one end more is excused"
  }
  return [wrong_slack_alone $rule $case $ours $peer $mine]
}

# What is wrong with such ends: none needs the rule, or one is excused where its slack is larger.
proc known::wrong_slack_alone {rule case ours peer differences} {
  set needed 0
  foreach difference $differences {
    if {[rule_of $case $ours $peer $difference $rule] eq ""} { incr needed }
    foreach off [larger_alone $rule $case $ours $peer $difference] {
      set other [rule_of $case $ours $peer $off]
      if {$other ne ""} { return "a larger slack is excused by $other: [differ::text $off]" }
    }
  }
  return [expr {$needed ? "" : "without the rule, others explain all its ends of one answer"}]
}

# The end with slacks beyond what the rule allows, on both sides.
proc known::larger_alone {rule case ours peer difference} {
  set at [expr {[lindex $difference 0] eq "only_ours" ? 2 : 3}]
  return [lmap slack [slacks_allowed $rule $case $ours $peer $difference] sign {-1 1} {
    lset difference $at 1 [expr {$slack + $sign * (0.01 + 4e-5 * abs($slack))}]
  }]
}

# {least most} that the slack of such an end may be.
proc known::slacks_allowed {rule case ours peer difference} {
  set amount [lindex [alone_row $rule [alone_how $ours $peer $difference]] 0]
  if {$amount ne "bounds"} {
    set most [amount_$amount $case $ours $peer $difference]
    return [list -$most $most]
  }
  set all {}
  foreach pair [moved_to $ours $peer $difference] {
    lassign $pair kind key mine other
    foreach bound [allowed $rule $case $ours $peer $pair] {
      lappend all [expr {[lindex $difference 0] eq "only_ours" ? [lindex $other 1] - $bound :
        [lindex $mine 1] + $bound}]
    }
  }
  set all [lsort -real $all]
  return [list [lindex $all 0] [lindex $all end]]
}

# What is wrong with a rule and the case that proves it; "": nothing.
proc known::wrong {rule case ours peer} {
  if {[llength $rule] > 1} { return [wrong_alone {*}$rule $case $ours $peer] }
  set differences [differ::answers $ours $peer]
  lassign [sorted $case $ours $peer $differences] unknown rules
  if {[llength $unknown]} {
    return "a difference that no rule explains: [differ::text [lindex $unknown 0]]"
  }
  if {$rule ni $rules} { return "the rule explains nothing" }
  set needed {}
  foreach difference $differences {
    if {[rule_of $case $ours $peer $difference $rule] eq ""} { lappend needed $difference }
  }
  if {![llength $needed]} { return "without the rule, others explain all" }
  foreach difference $needed {
    foreach off [larger $rule $case $ours $peer $difference] {
      set other [rule_of $case $ours $peer $off]
      if {$other ne ""} { return "a larger difference is excused by $other: [differ::text $off]" }
    }
  }
  return ""
}

# A difference, made larger than the rule allows, on both sides.  Of an end in one answer alone and
# of another path: a slack at that end that is off by more, and by at least two periods.
proc known::larger {rule case ours peer difference} {
  lassign $difference kind key mine other
  if {$kind in {state rejected}} { return {} }
  set least 0
  if {$kind ne "slack"} {
    set end [expr {[llength $mine] ? $mine : $other}]
    lassign [list $end $end] mine other
    set least [expr {2 * [longest_period $case]}]
  }
  lassign [allowed $rule $case $ours $peer [list slack $key $mine $other]] low high
  set offs [list [expr {min($low, -$least) - 0.01}] [expr {max($high, $least) + 0.01}]]
  return [lmap above $offs {
    list slack $key [lreplace $mine 1 1 [expr {[lindex $other 1] - $above}]] $other
  }]
}

# --- the rules ----------------------------------------------------------------------------------

# Cells in front of a pin, of its cell's clock pins too, and where the paths start.
proc known::behind {case pin} {
  set design [lindex $case 0]
  set cell [file dirname $pin]
  set all [cones::fanin $case $pin]
  if {[dict exists $design cells $cell]} {
    lassign [dict get $design cells $cell] block master connections
    foreach other [netlist::input_pins [netlist::kind $master]] {
      lappend all {*}[cones::fanin $case $cell/$other]
    }
  }
  return [lsort -unique $all]
}

# The same, and what is in front of where the clocks of both answers start.
proc known::reaching {case ours difference} {
  set all [behind $case [lindex $difference 1 2]]
  foreach clock [clocks_of $case $ours $difference] {
    foreach name [constraints::ancestry [lindex $case 1] $clock] {
      foreach object [lrange [lindex [constraints::clock_words [lindex $case 1] $name] end] 1 end] {
        if {[lindex $object 0] ni {port pin}} continue
        lappend all {*}[cones::fanin $case [lindex $object 1]] [file dirname [lindex $object 1]]
      }
    }
  }
  return [lsort -unique $all]
}

# The pin is one whose check is taken out.
proc known::is_check_off {case ours peer difference} {
  set pin [lindex $difference 1 2]
  foreach words [words_of $case {check_off disable}] {
    foreach object [lrange [lindex $words end] 1 end] {
      lassign $object class name
      if {$pin eq [expr {$class eq "pin" ? $name : "$name/[constraints::option $words -to]"}]} {
        return 1
      }
    }
  }
  return 0
}

# The period of a clock; of a generated one as its edges make it of its master's.
proc known::period {case name} {
  set list [lindex $case 1]
  set factor 1.0
  foreach clock [constraints::ancestry $list $name] {
    set words [constraints::clock_words $list $clock]
    if {[lindex $words 0] ne "create_generated_clock"} break
    set factor [expr {$factor * [periods_of_master $words]}]
  }
  set period [constraints::period $list $clock]
  return [expr {$period eq "" ? 0 : $period * $factor}]
}

proc known::periods_of_master {words} {
  foreach {option factor} {
    -divide_by {$value} -multiply_by {1.0 / $value}
    -edges {0.5 * ([lindex $value 2] - [lindex $value 0])}
  } {
    set value [constraints::option $words $option]
    if {$value ne ""} { return [expr $factor] }
  }
  return 1
}

proc known::longest {case names} {
  return [lindex [lsort -real [concat 0 [lmap name $names { period $case $name }]]] end]
}
# The shortest of clocks that are not generated.
proc known::shortest {case} {
  set names [lmap name [constraints::clock_names [lindex $case 1]] {
    if {[constraints::is_generated [lindex $case 1] $name]} continue
    set name
  }]
  return [lindex [lsort -real [lmap name $names { period $case $name }]] 0]
}

proc known::is_coarse {case ours peer difference} {
  return [expr {[lindex $difference 0] eq "slack" && [longest_period $case] > 400}]
}

# Periods of the slower of two clocks until they meet again.
proc known::cycles {case clocks} {
  lassign [lsort -integer [lmap name $clocks { expr {round(100 * [period $case $name])} }]] fast \
    slow
  if {$slow eq "" || $fast == 0} { return 1 }
  set a $slow
  set b $fast
  while {$b} { lassign [list $b [expr {$a % $b}]] a b }
  return [expr {min(1000, $fast / $a)}]
}

# Ours is the worse, or the peer's worst path is another for being seen too kindly.
proc known::is_few_cycles {case ours peer difference} {
  lassign $difference kind key mine its
  set slow [longest $case [clocks_of $case $ours $difference]]
  if {$slow < 100 * [shortest $case]} { return 0 }
  return [expr {$kind ne "slack" || [lindex $mine 1] < [lindex $its 1]}]
}

# Margins come to a gate from what is before its enable: ours is the worse.
proc known::is_gating_before {case ours peer difference} {
  lassign $difference kind key mine other
  set pin [lindex $key 2]
  if {$kind ne "slack" || [lindex $mine 1] > [lindex $other 1] || ![is_enable $case $pin]} {
    return 0
  }
  foreach words [words_of $case gating_check] {
    lassign [lindex $words end 1] class name
    set cell [expr {$class eq "pin" ? [file dirname $name] : $name}]
    if {$class in {pin cell} && $cell in [behind $case $pin]} { return 1 }
  }
  return 0
}

# An arc from one edge to the other in a cell that such a derate is for.
proc known::is_derate_start {case ours peer difference} {
  lassign $difference kind key
  if {$kind ni {slack points}} { return 0 }
  foreach words [words_of $case derate] {
    if {("-rise" ni $words && "-fall" ni $words) || "-net_delay" in $words || "-cell_check" in\
      $words} continue
    foreach cell [behind $case [lindex $key 2]] {
      if {![dict exists [lindex $case 0] cells $cell]} continue
      if {[lindex $words end 0] eq "@" && [list cell $cell] ni [lindex $words end]} continue
      if {[netlist::kind [lindex [dict get [lindex $case 0] cells $cell] 1]] ni\
        {buf ckbuf and2 or2 icg}} { return 1 }
    }
  }
  return 0
}

proc known::is_derated_drive {case ours peer difference} {
  lassign $difference kind key
  if {$kind ni {slack points}} { return 0 }
  set derated 0
  foreach words [words_of $case derate] {
    if {[lindex $words end 0] ne "@" && "-cell_delay" ni $words && "-cell_check" ni $words} {
      set derated 1
    }
  }
  if {!$derated} { return 0 }
  foreach words [words_of $case driving_cell] {
    foreach object [lrange [lindex $words end] 1 end] {
      if {[lindex $object 1] in [reaching $case $ours $difference]} { return 1 }
    }
  }
  return 0
}

# Ports where a path begins or ends, or comes to a latch, with delays of one clock that say
# -source_latency_included or -network_latency_included in some commands and not in others.
proc known::is_included {case ours peer difference} {
  lassign $difference kind key mine other
  if {$kind ni {slack points}} { return 0 }
  set ports [list [lindex $key 2] [lindex $mine 4 0] [lindex $other 4 0]]
  foreach latch [latches $case [lindex $key 2]] {
    lappend ports {*}[cones::fanin $case $latch/D]
  }
  foreach port [lsort -unique $ports] {
    set seen {}
    foreach words [words_of $case {input_delay output_delay}] {
      if {[list port $port] ni [lindex $words end]} continue
      set flags [lmap flag {-source_latency_included -network_latency_included} {
        expr {$flag in $words}
      }]
      set clock [constraints::option $words -clock]
      if {[dict exists $seen $clock] && [dict get $seen $clock] ne $flags} { return 1 }
      dict set seen $clock $flags
    }
  }
  return 0
}

proc known::is_clock_sense {case ours peer difference} {
  lassign $difference kind key
  foreach words [words_of $case clock_sense] {
    if {"-stop_propagation" in $words && $kind eq "only_ours" && [list pin [lindex $key 2]] in\
      [lindex $words end]} { return 1 }
    if {"-positive" ni $words && "-negative" ni $words} {
      # an ideal clock that stops: for checks behind it the network stays ideal, without slews
      if {$kind ne "slack" || [abs_difference $difference] > 0.05} continue
      foreach object [lrange [lindex $words end] 1 end] {
        if {[file dirname [lindex $object 1]] in [cones::fanin $case [clock_pin $case [lindex $key\
          2]]]} { return 1 }
      }
      continue
    }
    foreach object [lrange [lindex $words end] 1 end] {
      if {[file dirname [lindex $object 1]] in [concat [list [file dirname [lindex $key 2]]]\
        [reaching $case $ours $difference]]} { return 1 }
    }
  }
  return 0
}

# The clock pin of a pin's cell; the pin where there is none.
proc known::clock_pin {case pin} {
  set design [lindex $case 0]
  set cell [file dirname $pin]
  foreach name {CK G} {
    if {[dict exists $design cells $cell] && [dict exists [lindex [dict get $design cells $cell] 2]\
      $name]} { return $cell/$name }
  }
  return $pin
}

# How far apart two slacks are.
proc known::abs_difference {difference} {
  return [expr {abs([lindex $difference 2 1] - [lindex $difference 3 1])}]
}

# Latches in front of a pin, its own cell among them.
proc known::latches {case pin} {
  set cells [dict get [lindex $case 0] cells]
  return [lmap cell [concat [list [file dirname $pin]] [cones::fanin $case $pin]] {
    if {![dict exists $cells $cell] || [netlist::kind [lindex [dict get $cells $cell] 1]] ne\
      "latch"} continue
    set cell
  }]
}

proc known::is_latch_from {case ours peer difference} {
  lassign $difference kind key
  set latches [latches $case [lindex $key 2]]
  foreach words [words_of $case {false_path multicycle max_delay min_delay group_path}] {
    foreach option {-from -rise_from -fall_from} {
      foreach object [lrange [constraints::option $words $option] 1 end] {
        lassign $object class name
        if {$class eq "pin" && [file tail $name] eq "D" && [file dirname $name] in $latches} {
          return 1
        }
      }
    }
  }
  return 0
}

# Inputs without a clock, and registers and latches without one, in front of a latch's data.
proc known::is_latch_unclocked {case ours peer difference} {
  lassign $difference kind key
  if {$kind ni {slack points only_peer} || [lindex $key 0] ne "max"} { return 0 }
  set timed {}
  foreach words [words_of $case input_delay] {
    if {"-clock" in $words} {
      foreach object [lrange [lindex $words end] 1 end] { lappend timed [lindex $object 1] }
    }
  }
  foreach latch [latches $case [lindex $key 2]] {
    foreach launch [cones::launches $case $latch/D] {
      if {$launch eq "none" || ([lindex $launch 0] eq "input" && [lindex $launch 1] ni $timed)} {
        return 1
      }
    }
  }
  return 0
}

# Several clocks at the enable of a latch in front of a pin, or both edges of one.
proc known::is_latch_clocks {case ours peer difference} {
  lassign $difference kind key
  if {$kind ni {slack points only_ours only_peer} || [lindex $key 0] ne "max"} { return 0 }
  foreach latch [latches $case [lindex $key 2]] {
    if {[llength [cones::clock_edges $case [cones::net_at [lindex $case 0] $latch/G]]] > 1} {
      return 1
    }
  }
  return 0
}

# What a path is launched by may then be missing there, and ours is the worse; between clocks of
# groups something may go on.
proc known::is_latch_exceptions {case ours peer difference} {
  lassign $difference kind key mine other
  if {$kind ni {slack points only_ours} || [lindex $key 0] ne "max"} { return 0 }
  if {$kind eq "slack" && [lindex $mine 1] > [lindex $other 1] && ![llength [words_of $case\
    clock_groups]]} { return 0 }
  if {![llength [words_of $case {clock_groups false_path multicycle max_delay}]]} { return 0 }
  return [expr {[llength [latches $case [lindex $key 2]]] > 0}]
}

proc known::is_latch_group {case ours peer difference} {
  lassign $difference kind key mine other
  lassign $key side group pin
  if {$kind ni {slack only_ours only_peer} || $side ne "max"} { return 0 }
  if {[file tail $pin] ne "D" || [file dirname $pin] ni [latches $case $pin]} { return 0 }
  if {$kind eq "only_ours" && ![is_held $peer $key [lindex $mine 1]]} { return 0 }
  if {$kind eq "only_peer" && ![is_held $ours $key [lindex $other 1]]} { return 0 }
  foreach words [words_of $case group_path] {
    foreach option {-rise_to -fall_to} {
      if {[lindex [constraints::option $words $option] 1 0] eq "clock"} { return 1 }
    }
  }
  return 0
}

# Does another group have the end, with no better slack?
proc known::is_held {answer key slack} {
  lassign $key side group pin
  dict for {at end} [dict get $answer ends] {
    if {[lindex $at 0] ne $side || [lindex $at 1] eq $group || [lindex $at 2] ne $pin} continue
    if {[lindex $end 1] <= $slack + 2e-4} { return 1 }
  }
  return 0
}

# The same slack may be in the group of the latch's clock there.
proc known::is_latch_delay {case ours peer difference} {
  lassign $difference kind key mine other
  lassign $key side group pin
  set design [lindex $case 0]
  set cell [file dirname $pin]
  if {$side ne "max" || [file tail $pin] ne "D" || ![llength [words_of $case max_delay]]} {
    return 0
  }
  if {![dict exists $design cells $cell] || [netlist::kind [lindex [dict get $design cells $cell]\
    1]] ne "latch"} { return 0 }
  if {$kind in {slack points}} { return 1 }
  if {$kind eq "only_ours"} {
    return [expr {$group eq "path delay" && [dict exists $peer ends [list max [lindex $mine 3]\
      $pin]]}]
  }
  return [expr {$kind eq "only_peer" && [dict exists $ours ends [list max {path delay} $pin]]}]
}

proc known::is_crash {case ours peer difference} {
  lassign $difference kind who ours peer
  return [expr {$kind eq "state" && $ours eq "done" && $peer eq "crashed"}]
}

proc known::is_unclocked {case ours peer difference} {
  lassign $difference kind key mine other
  return [expr {$kind in {slack only_peer} && [lindex $other 2] eq ""}]
}

# The peer is a period more lenient where the gate's clock pin closes it with a rising edge, and
# takes the edge a period too early where the clock comes inverted; between clocks with different
# periods another launch is then the worst.
proc known::is_gating_hold {case ours peer difference} {
  lassign $difference kind key mine other
  lassign $key side group pin
  if {$kind ne "slack" || $side ne "min" || $group eq "path delay" || ![is_enable $case $pin]} {
    return 0
  }
  if {[lrange $mine 2 3] ne [lrange $other 2 3] || [cones::parts $case $pin]} { return 1 }
  if {[constraints::is_generated [lindex $case 1] [lindex $mine 3]]} {
    return [whole_periods $case $difference]
  }
  return [expr {[periods_apart $case $mine $other] == 1}]
}

# Is a pin an input of a gate?
proc known::is_enable {case pin} {
  set design [lindex $case 0]
  set cell [file dirname $pin]
  if {![dict exists $design cells $cell]} { return 0 }
  return [dict exists $cones::functions [netlist::kind [lindex [dict get $design cells $cell] 1]]]
}

# Is a clock defined at a pin?
proc known::starts_clock {case pin} {
  foreach name [constraints::clock_names [lindex $case 1]] {
    if {[list pin $pin] in [lrange [lindex [constraints::clock_words [lindex $case 1] $name] end] 1\
      end]} { return 1 }
  }
  return 0
}

proc known::is_gate_alone {case ours peer difference} {
  lassign $difference kind key mine other
  lassign $key side group pin
  set design [lindex $case 0]
  set gate [file dirname $pin]
  if {$kind ne "only_ours" || ![dict exists $design cells $gate]} { return 0 }
  lassign [dict get $design cells $gate] block master connections
  if {[netlist::kind $master] ni {and2 or2 nand2 nand3 nor2 aoi21 oai21}} { return 0 }
  if {[starts_clock $case $gate/Y]} { return 1 }
  return [expr {![cones::leads_to_clock $case [dict get $connections Y]]}]
}

# How many periods of the capturing clock the peer's slack is larger by; 0 when it is not a whole
# number.
proc known::periods_apart {case mine other} {
  set period [constraints::period [lindex $case 1] [lindex $mine 3]]
  if {$period eq ""} { return 0 }
  set n [expr {([lindex $other 1] - [lindex $mine 1]) / $period}]
  return [expr {abs($n - round($n)) * $period < 2e-4 ? round($n) : 0}]
}

# Are the slacks a whole number of periods apart, of the launching clock or the capturing one or
# what generated them?
proc known::whole_periods {case difference} {
  lassign $difference kind key mine other
  foreach clock [lrange $mine 2 3] {
    foreach name [constraints::ancestry [lindex $case 1] $clock] {
      if {[periods_apart $case [lreplace $mine 3 3 $name] $other]} { return 1 }
    }
  }
  return 0
}

proc known::is_late_edge {case ours peer difference} {
  lassign $difference kind key mine other
  if {$kind ne "slack"} { return 0 }
  if {[lindex $mine 2] ne [lindex $mine 3]} {
    return [expr {[constraints::has_late_edge [lindex $case 1] [lindex $mine 3]] && [lindex $mine\
      1] < [lindex $other 1]}]
  }
  foreach clock [list [lindex $mine 2] [lindex $mine 3]] {
    if {[constraints::has_late_edge [lindex $case 1] $clock] && [periods_apart $case $mine\
      $other]} { return 1 }
  }
  return 0
}

proc known::is_dangling {case ours peer difference} {
  lassign $difference kind key
  lassign $key side group pin
  if {$kind ne "only_peer" || [lindex $difference 3 3] ne ""} { return 0 }
  set design [lindex $case 0]
  if {![dict exists $design cells [file dirname $pin]]} { return 0 }
  lassign [dict get $design cells [file dirname $pin]] block master connections
  if {[file tail $pin] ni [netlist::output_pins [netlist::kind $master]]} {
    return [cones::ends_at $case $pin]
  }
  return [expr {![cones::is_read $case [dict get $connections [file tail $pin]]]}]
}

# --- generated clocks -----------------------------------------------------------------------------

# Launching and capturing clocks of both answers; for ends behind latches also those that launch and
# capture there.
proc known::clocks_of {case ours difference} {
  lassign $difference kind key mine other
  set all [concat [lrange $mine 2 3] [lrange $other 2 3]]
  foreach latch [latches $case [lindex $key 2]] {
    foreach clock [constraints::clock_names [lindex $case 1]] {
      if {[dict exists $ours ends [list max $clock $latch/D]]} {
        lappend all {*}[lrange [dict get $ours ends [list max $clock $latch/D]] 2 3]
      }
    }
  }
  return [lsort -unique [lmap clock $all { if {$clock eq ""} continue; set clock }]]
}

proc known::is_ideal_master {case ours peer difference} {
  if {[lindex $difference 0] ne "slack"} { return 0 }
  set list [lindex $case 1]
  foreach clock [clocks_of $case $ours $difference] {
    foreach master [lrange [constraints::ancestry $list $clock] 1 end] {
      set enumerate::constraint $list
      set ideal [expr {![enumerate::is_propagated $master]}]
      if {$ideal && [constraints::is_said $list set_clock_latency $master]} { return 1 }
    }
  }
  return 0
}

# Edges of its master, numbered from 1, with which a generated clock rises and falls; of what is
# multiplied both are one.
proc known::edges_of {words} {
  set edges [constraints::option $words -edges]
  set invert [expr {"-invert" in $words}]
  if {$edges ne ""} { return [expr {$invert ? [lrange $edges 1 2] : [lrange $edges 0 1]}] }
  if {[constraints::option $words -multiply_by] ne ""} { return {1 2} }
  set n [constraints::option $words -divide_by]
  if {$n in {"" 1}} { return [expr {$invert ? {2 3} : {1 2}}] }
  return [list 1 [expr {$n + 1}]]
}

# Does a generated clock at a pin, with these words, have edges that the network from its source
# does not make?  Over a register all edges follow one of the source's, as its clock pin has it; of
# what is divided or multiplied without one both edges cannot come.
proc known::contrary {case words pin} {
  set source [lindex [constraints::option $words -source] 1 1]
  lassign [cones::made $case $pin $source] stored senses
  if {![llength $senses]} { return 0 }
  if {[llength $senses] > 1} { return 1 }
  lassign [edges_of $words] rise fall
  set sense [lindex $senses 0]
  if {$stored} { return [expr {$rise % 2 == $sense || $fall % 2 == $sense}] }
  return [expr {$rise % 2 == $sense || $fall % 2 != $sense}]
}

proc known::is_contrary {case ours peer difference} {
  if {[lindex $difference 0] ne "slack"} { return 0 }
  lassign $case design list
  foreach clock [clocks_of $case $ours $difference] {
    foreach name [constraints::ancestry $list $clock] {
      set words [constraints::clock_words $list $name]
      if {[lindex $words 0] eq "create_generated_clock" && [contrary $case $words [lindex [lindex\
        $words end] 1 1]]} { return 1 }
    }
  }
  return 0
}

proc known::is_behind_source {case ours peer difference} {
  if {[lindex $difference 0] ne "slack"} { return 0 }
  lassign $case design list
  foreach clock [clocks_of $case $ours $difference] {
    foreach name [constraints::ancestry $list $clock] {
      if {![constraints::is_generated $list $name]} continue
      set pin [lindex [constraints::clock_words $list $name] end 1 1]
      set before [cones::fanin $case $pin]
      foreach other [constraints::clock_names $list] {
        set at [lindex [constraints::clock_words $list $other] end 1]
        if {[lindex $at 0] eq "pin" && [lindex $at 1] ne $pin && [file dirname [lindex $at 1]] in\
          $before} { return 1 }
      }
    }
  }
  return 0
}

proc known::is_behind_latency {case ours peer difference} {
  if {[lindex $difference 0] ne "slack"} { return 0 }
  lassign $case design list
  foreach clock [clocks_of $case $ours $difference] {
    foreach name [constraints::ancestry $list $clock] {
      if {![constraints::is_generated $list $name]} continue
      set before [cones::fanin $case [lindex [constraints::clock_words $list $name] end 1 1]]
      foreach words [words_of $case at_pin] {
        if {[lindex $words 0] eq "set_clock_latency" && [file dirname [lindex $words end 1 1]] in\
          $before} { return 1 }
      }
    }
  }
  return 0
}

proc known::is_latch_early {case ours peer difference} {
  if {[lindex $difference 0] ni {slack points} || [lindex $difference 1 0] ne "max" || ![llength\
    [latches $case [lindex $difference 1 2]]]} { return 0 }
  set enumerate::constraint [lindex $case 1]
  foreach clock [constraints::clock_names [lindex $case 1]] {
    foreach edge {r f} {
      if {[enumerate::value latency_source $clock min $edge] > [enumerate::value latency_source\
        $clock max $edge]} { return 1 }
      if {[enumerate::value latency_network $clock min $edge] > [enumerate::value latency_network\
        $clock max $edge]} { return 1 }
    }
  }
  return 0
}

proc known::is_ideal_generated {case ours peer difference} {
  if {[lindex $difference 0] ne "slack"} { return 0 }
  set list [lindex $case 1]
  set enumerate::constraint $list
  foreach clock [clocks_of $case $ours $difference] {
    foreach name [constraints::ancestry $list $clock] {
      if {[constraints::is_generated $list $name] && ![enumerate::is_propagated $name] &&\
        [enumerate::is_propagated [lindex [constraints::ancestry $list $name] 1]]} { return 1 }
    }
  }
  return 0
}

proc known::is_ignore_edge {case ours peer difference} {
  lassign $difference kind key mine other
  lassign $key side group
  if {$kind ne "slack" || [lindex $mine 2] eq ""} { return 0 }
  foreach words [words_of $case [expr {$side eq "max" ? "max_delay" : "min_delay"}]] {
    if {"-ignore_clock_latency" in $words} { return 1 }
  }
  return 0
}

proc known::is_many_masters {case ours peer difference} {
  if {[lindex $difference 0] ni {slack only_ours only_peer}} { return 0 }
  set list [lindex $case 1]
  foreach clock [clocks_of $case $ours $difference] {
    foreach name [constraints::ancestry $list $clock] {
      if {[llength [constraints::masters $list $name]] > 1} { return 1 }
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
      if {[lindex $source 0] eq "pin" && [file dirname [lindex $source 1]] eq [file dirname $pin]} \
        { return 1 }
    }
  }
  return 0
}

# Constraints of these kinds, as words.
proc known::words_of {case kinds} {
  return [lmap c [lindex $case 1] { if {[lindex $c 0] ni $kinds} continue; lindex $c 1 }]
}

proc known::is_other_side {case ours peer difference} {
  lassign $difference kind key mine
  lassign $key side group port
  if {$kind ni {only_ours slack} || [lindex $mine 3] ne "" || ![dict exists [lindex $case 0] ports\
    $port]} { return 0 }
  if {$kind eq "slack" && [lindex $mine 0] eq [lindex $difference 3 0]} { return 0 }
  set enumerate::constraint [lindex $case 1]
  set delays [dict values [enumerate::port_delays output_delay $port]]
  foreach values $delays { if {[dict exists $values $side[lindex $mine 0]]} { return 0 } }
  return [expr {[llength $delays] > 0}]
}

proc known::is_enable_delay {case ours peer difference} {
  lassign $difference kind key mine other
  lassign $key side group pin
  if {$group ne "path delay" || ![is_enable $case $pin]} { return 0 }
  if {$kind eq "only_peer"} {
    return [expr {[lindex $other 3] eq "" && ([llength [words_of $case clock_groups]] ||\
      [constrained $case $pin])}]
  }
  if {[lindex $mine 3] eq ""} { return 0 }
  if {$kind eq "slack"} { return [expr {[lindex $other 3] eq ""}] }
  foreach words [words_of $case [expr {$side eq "max" ? "max_delay" : "min_delay"}]] {
    if {$kind eq "only_ours" && [names_clock $words to]} { return 1 }
  }
  return 0
}

# Has an option -to, -rise_to or -fall_to (-from ...) a clock?
proc known::names_clock {words option} {
  foreach name [list -$option -rise_$option -fall_$option] {
    if {[lindex [constraints::option $words $name] 1 0] eq "clock"} { return 1 }
  }
  return 0
}

proc known::is_exclusive_outputs {case ours peer difference} {
  lassign $difference kind key mine other
  lassign $key side group port
  set named [lmap words [words_of $case group_path] { constraints::option $words -name }]
  if {($group ne "path delay" && $group ni $named) || ![dict exists [lindex $case 0] ports $port]} \
    { return 0 }
  if {$kind eq "only_peer"} {
    return [expr {[lindex $other 3] eq "" && [llength [words_of $case clock_groups]]}]
  }
  if {$kind ne "slack" || ([lindex $mine 3] eq "" && $group eq "path delay") || [lindex $other 3]\
    ne "" || [lindex $mine 1] <= [lindex $other 1]} { return 0 }
  if {[llength [words_of $case clock_groups]]} { return 1 }
  foreach words [words_of $case false_path] { if {[names_clock $words to]} { return 1 } }
  return 0
}

proc known::is_group_of_delay {case ours peer difference} {
  lassign $difference kind key
  lassign $key side group pin
  if {$kind ni {only_ours only_peer slack} || ![dict exists [lindex $case 0] ports $pin]} {
    return 0
  }
  foreach words [words_of $case group_path] {
    set grouped [list $side [constraints::option $words -name] $pin]
    set bare [list $side {path delay} $pin]
    if {$key ni [list $grouped $bare]} continue
    if {[dict exists $ours ends $grouped] && [dict exists $peer ends $bare] && [names_clock $words\
      to]} { return 1 }
  }
  return 0
}

# The -from and -through options of exceptions: lists {option objects} of each.
proc known::throughs {case} {
  return [lmap words [words_of $case {false_path multicycle max_delay min_delay group_path}] {
    set lists {}
    for {set i 0} {$i < [llength $words]} {incr i} {
      if {[lindex $words $i] in {-from -rise_from -fall_from -through -rise_through\
        -fall_through}} {
          lappend lists [list [lindex $words $i] [lrange [lindex $words $i+1] 1 end]]
        }
    }
    set lists
  }]
}

proc known::is_port_edge {case ours peer difference} {
  lassign $difference kind key mine
  lassign $key side group pin
  if {$kind ni {slack points only_ours only_peer}} { return 0 }
  foreach lists [throughs $case] {
    foreach list $lists {
      if {[lindex $list 0] ni {-rise_through -fall_through}} continue
      if {[lindex $mine 4 0] in [dict get [lindex $case 0] roots]} { return 1 }
      foreach object [lindex $list 1] {
        lassign $object class name
        if {$class in {port cell} && ($name eq $pin || $name in [cones::fanin $case $pin])} {
          return 1
        }
        if {[file tail $name] in {CK G} && [file dirname $name] in [cones::fanin $case $pin]} {
          return 1
        }
      }
    }
  }
  return 0
}

proc known::is_through_twice {case ours peer difference} {
  lassign $difference kind key
  lassign $key side group pin
  if {$kind ni {slack points only_ours only_peer}} { return 0 }
  set near [concat [list $pin [file dirname $pin]] [cones::fanin $case $pin]]
  foreach lists [throughs $case] {
    set before {}
    foreach list $lists {
      set pins [cones::passed $case [lindex $list 1]]
      foreach at $pins {
        if {$at in $before && ($at in $near || [file dirname $at] in $near)} { return 1 }
      }
      lappend before {*}$pins
    }
  }
  return 0
}

# Pins with something said at them that lie on some of the clock paths to the launching or the
# capturing pin.  We take the worse.
proc known::is_part_pins {case ours peer difference} {
  lassign $difference kind key mine other
  if {$kind ne "slack" || [lindex $mine 1] > [lindex $other 1]} { return 0 }
  foreach words [words_of $case at_pin] {
    set cell [file dirname [lindex $words end 1 1]]
    foreach pin [list [lindex $key 2] [lindex $mine 4 0] [lindex $other 4 0]] {
      set at [clock_pin $case $pin]
      set others [expr {[is_enable $case $pin] ? [gate_inputs $case [file dirname $pin]] : {}}]
      foreach clock [concat [list $at] $others] {
        if {$cell in [cones::fanin $case $clock] && [llength [cones::clock_edges $case\
          [cones::net_at [lindex $case 0] $clock] [list $cell]]]} { return 1 }
      }
    }
  }
  return 0
}

proc known::gate_inputs {case cell} {
  return [lmap pin [netlist::input_pins \
    [netlist::kind [lindex [dict get [lindex $case 0] cells $cell] 1]]] { set pin $cell/$pin }]
}

proc known::is_latch_source {case ours peer difference} {
  if {[lindex $difference 0] ne "slack"} { return 0 }
  lassign $case design list
  foreach clock [clocks_of $case $ours $difference] {
    foreach name [constraints::ancestry $list $clock] {
      if {![constraints::is_generated $list $name]} continue
      set words [constraints::clock_words $list $name]
      set pin [lindex $words end 1 1]
      if {[llength [latches $case $pin]] && ![llength [cones::senses $case $pin [lindex\
        [constraints::option $words -source] 1 1]]]} { return 1 }
    }
  }
  return 0
}

proc known::is_false_clock {case ours peer difference} {
  if {[lindex $difference 0] ne "slack"} { return 0 }
  lassign $case design list
  foreach clock [clocks_of $case $ours $difference] {
    foreach name [constraints::ancestry $list $clock] {
      if {![constraints::is_generated $list $name]} continue
      set before [cones::fanin $case [lindex [constraints::clock_words $list $name] end 1 1]]
      foreach words [words_of $case false_path] {
        foreach option {-through -rise_through -fall_through} {
          foreach pin [cones::passed $case [lrange [constraints::option $words $option] 1 end]] {
            if {[file dirname $pin] in $before || $pin in $before} { return 1 }
          }
        }
      }
    }
  }
  return 0
}

proc known::is_constant_source {case ours peer difference} {
  lassign $difference kind key mine other
  if {$kind ni {only_peer slack}} { return 0 }
  foreach clock [lrange $other 2 3] {
    set pin [lindex [constraints::clock_words [lindex $case 1] $clock] end 1 1]
    if {[file tail $pin] eq "GCK" && [cones::value $case [file dirname $pin] CK] ne "x"} {
      return 1
    }
  }
  return 0
}

# --- data checks ----------------------------------------------------------------------------------

# Is a pin the constrained one of a data check?
proc known::constrained {case pin} {
  foreach words [words_of $case data_check] {
    foreach option {-to -rise_to -fall_to} {
      if {[list pin $pin] in [constraints::option $words $option]} { return 1 }
    }
  }
  return 0
}

# Differences are of data checks where one pin has data that no register launches.
proc known::is_data_edges {case ours peer difference} {
  lassign $difference kind key mine other
  if {$kind ni {slack only_ours}} { return 0 }
  foreach words [words_of $case data_check] {
    set pins [lmap word $words { if {[lindex $word 0] ne "@"} continue; lindex $word 1 1 }]
    if {[lindex $key 2] ne [lindex $pins 1]} continue
    foreach edge [concat {*}[lmap pin $pins { cones::launches $case $pin }]] {
      if {[lindex $edge 0] in {input none data}} { return 1 }
    }
  }
  return 0
}

proc known::is_data_cycles {case ours peer difference} {
  lassign $difference kind key
  return [expr {$kind eq "slack" && [constrained $case [lindex $key 2]] && [llength [words_of $case\
    multicycle]] > 0}]
}

proc known::is_data_uncertainty {case ours peer difference} {
  lassign $difference kind key mine other
  if {$kind ne "slack" || ![constrained $case [lindex $key 2]]} { return 0 }
  set clocks [concat 0 [lmap words [words_of $case uncertainty] { lindex $words end-1 }]]
  foreach words [words_of $case at_pin] {
    if {[lindex $words 0] ne "set_clock_uncertainty"} continue
    # Less where another check of the pin is the peer's worst then.
    set worse [expr {[lindex $mine 1] < [lindex $other 1]}]
    foreach own $clocks {
      set rest [expr {abs([lindex $words end-1] - $own) - [abs_difference $difference]}]
      if {$rest > -1e-4 && ($worse || $rest < 1e-4)} { return 1 }
    }
  }
  return 0
}

# Does one edge of one clock launch all that gets to two pins?
proc known::alike {case from to} {
  set edges [lsort -unique [concat [cones::launches $case $from] [cones::launches $case $to]]]
  return [expr {[llength $edges] == 1 && [lindex $edges 0 0] ni {input none data}}]
}

# How an exception says its paths: which options, and whether with clocks.
proc known::shape {words} {
  return [list [names_clock $words from] [regexp -- {-(rise_|fall_)?from } $words] \
    [regexp -- {through} $words] [names_clock $words to] [regexp -- {-(rise_|fall_)?to } $words]]
}

proc known::is_multicycles {case ours peer difference} {
  lassign $difference kind
  if {$kind ni {slack points}} { return 0 }
  set seen {}
  foreach words [words_of $case multicycle] {
    set how [lmap flag {-setup -hold -rise -fall -start -end} { expr {$flag in $words} }]
    set shape [shape $words]
    if {[dict exists $seen $shape] && [dict get $seen $shape] ne $how} { return 1 }
    dict set seen $shape $how
  }
  return 0
}

# Slews that more arcs shape are at least as pessimistic.
proc known::is_shaped {case ours peer difference} {
  lassign $difference kind key mine other
  lassign $key side group pin
  if {$kind eq "points"} { return [expr {[llength [cones::half_constant $case $pin]] > 0}] }
  return [expr {$kind eq "slack" && [lindex $mine 1] < [lindex $other 1] && [llength\
    [cones::half_constant $case $pin]] > 0}]
}

# --- common paths ---------------------------------------------------------------------------------

proc known::is_credit {difference} {
  lassign $difference kind key mine other
  return [expr {$programs::cppr && $kind in {slack points} && [lindex $mine 2] ne "" && [lindex\
    $mine 3] ne ""}]
}

# The launching and capturing clocks of both answers, without repeats.
proc known::clocks_in {difference} {
  return [lsort -unique [concat [lrange [lindex $difference 2] 2 3] \
    [lrange [lindex $difference 3] 2 3]]]
}

proc known::is_ideal_credit {case ours peer difference} {
  if {![is_credit $difference] || [lindex $difference 2 1] > [lindex $difference 3 1]} { return 0 }
  set enumerate::constraint [lindex $case 1]
  foreach clock [clocks_in $difference] { if {![enumerate::is_propagated $clock]} { return 1 } }
  return 0
}

proc known::is_data_credit {case ours peer difference} {
  lassign $difference kind key mine other
  if {![is_credit $difference] || [lindex $mine 1] < [lindex $other 1]} { return 0 }
  set start [lindex $mine 4 0]
  return [expr {[starts_clock $case $start] || $start in [dict get [lindex $case 0] roots]}]
}

# What borrows comes from a latch's data pin.
proc known::is_latch_credit {case ours peer difference} {
  lassign $difference kind key mine other
  return [expr {[is_credit $difference] && [lindex $key 0] eq "max" && [file tail [lindex $mine 4\
    0]] eq "D"}]
}

proc known::is_parted_credit {case ours peer difference} {
  lassign $difference kind key mine other
  if {![is_credit $difference]} { return 0 }
  foreach pin [list [lindex $key 2] [lindex $mine 4 0] [lindex $other 4 0]] {
    if {[cones::parts $case $pin]} { return 1 }
  }
  return 0
}

# The peer's answer is such a path.
proc known::is_port_credit {case ours peer difference} {
  lassign $difference kind key mine other
  if {![is_credit $difference] || [lindex $mine 1] < [lindex $other 1]} { return 0 }
  lassign $case design list
  foreach port [list [lindex $other 4 0] [lindex $key 2]] {
    if {![dict exists $design ports $port]} { return 0 }
  }
  foreach clock [lrange $other 2 3] { if {![constraints::is_generated $list $clock]} { return 0 } }
  return 1
}

proc known::is_given_credit {case ours peer difference} {
  lassign $difference kind key mine other
  if {![is_credit $difference] || [lindex $mine 1] > [lindex $other 1]} { return 0 }
  foreach words [words_of $case latency_source] {
    foreach clock [clocks_in $difference] {
      if {[constraints::is_generated [lindex $case 1] $clock] && [list clock $clock] in [lindex\
        $words end]} { return 1 }
    }
  }
  return 0
}

# Derates that make early later or late earlier, early latencies above late ones, slews and loads at
# ports that differ for early and late.
proc known::is_less_credit {case ours peer difference} {
  if {![is_credit $difference]} { return 0 }
  foreach words [words_of $case derate] {
    set factor [expr {[lindex $words end 0] eq "@" ? [lindex $words end-1] : [lindex $words end]}]
    if {("-early" in $words) ? $factor > 1 : $factor < 1} { return 1 }
  }
  set enumerate::constraint [lindex $case 1]
  foreach clock [clocks_in $difference] {
    foreach edge {r f} {
      if {[enumerate::value latency_source $clock min $edge] > [enumerate::value latency_source\
        $clock max $edge]} { return 1 }
    }
  }
  foreach words [words_of $case {input_transition load}] {
    if {"-min" in $words || "-max" in $words} { return 1 }
  }
  return 0
}
