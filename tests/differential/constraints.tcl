# Random constraints for a design of netlist.tcl.
#
# A constraint is a kind (for the table of what was met) and the words of a command.  A word that
# begins with @ is a list of objects, {@ {pin u/a} {cell u} ...}, so that a cell which is taken away
# goes from the constraints as well.

namespace eval constraints {
  # Kinds that only some of the cases have, with how many do: so the rest is compared without what
  # the peer does in its own way
  # there.  alone: gates on clocks that lead to no register; rising_gates: those that close at a
  #         rising edge; crashing: -from with
  # -through of cells and nets; excepted: exceptions beside latches; tied: constants; unclocked:
  # clock roots without a clock, inputs without a delay, data at clock pins; dangling: outputs that
  # nothing reads; ideal_masters: generated clocks with masters that may be ideal; pessimism: what
  # common path credit is for: propagated clocks, early and late derates, many latches; latch
  # (netlist.tcl); latch_clocks: latches that several clocks or both edges may open; latch_early:
  # early latencies above late ones beside latches; contrary: generated clocks with other edges than
  # the network makes; checks_between: data checks between any pins and clocks; one_sided: output
  # delays for one side or edge alone; path_delay: set_max_delay, set_min_delay; gated_delay: these
  # beside gates on clocks; port_edge: -rise_through and -fall_through ports and cells.
  variable shares {generated 0.25 data_check 0.15 clock_sense 0.08 pin_latency 0.08 derate_edge 0.3\
    case_edge 0.07 derated_drive 0.02
    ignore_latency 0.5 latch 0.3 alone 0.01 rising_gates 0.02 crashing 0.02 excepted 0.2 tied 0.08\
    unclocked 0.025 dangling 0.04
    ideal_masters 0.05 pessimism 0.35 latch_clocks 0.1 latch_early 0.1 contrary 0.08 checks_between\
    0.1 one_sided 0.05 path_delay 0.4
    gated_delay 0.06 port_edge 0.06}
  variable plain_shares {generated derate_edge latch pessimism}
  # Those of the case that is made.
  variable switches {}
  # The kinds that enumerate.tcl knows (-kinds plain).
  variable plain {clock clock_add clock_virtual generated propagated latency_network latency_source\
    transition uncertainty input_delay
    output_delay input_transition load derate time_borrow}
  # What is being made: the design, clocks (names), real (those with a source), sources (pins or
  # ports of real ones), list.
  variable design
  variable clocks
  variable real
  variable list
  # Whether clock roots without a clock and inputs without a delay occur.
  variable unclocked
}

proc constraints::make {made kinds} {
  variable design $made
  variable switches $kinds
  variable clocks {}
  variable real {}
  variable masters {}
  variable list {}
  variable unclocked [expr {![enabled plain] && [enabled unclocked]}]
  make_clocks
  if {"generated" in $switches} { make_[expr {[enabled plain] ? "divided" : "generated"}] }
  foreach step {clock_properties inputs outputs environment logic exceptions checks derates} {
    make_$step
  }
  if {![enabled derated_drive] && [derates_nets]} {
    set list [lsearch -all -inline -not -index 0 $list driving_cell]
  }
  variable plain
  if {[enabled plain]} {
    set list [lmap constraint $list \
      { if {[lindex $constraint 0] ni $plain} continue; set constraint }]
  }
  return [extras::make $design $switches $list]
}

# Does a derate hold for nets?
proc constraints::derates_nets {} {
  variable list
  foreach constraint $list {
    lassign $constraint kind words
    if {$kind eq "derate" && [lindex $words end 0] ne "@" && "-cell_delay" ni $words &&\
      "-cell_check" ni $words} { return 1 }
  }
  return 0
}

# The kinds that a case has: those asked for, and its share of the others.
proc constraints::draw {asked} {
  variable shares
  variable plain_shares
  set plain [expr {"plain" in $asked}]
  dict for {kind share} $shares {
    if {[random::chance $share] && (!$plain || $kind in $plain_shares)} { lappend asked $kind }
  }
  return [lsort -unique $asked]
}

proc constraints::add {kind args} {
  variable list
  lappend list [list $kind $args]
}

proc constraints::enabled {kind} {
  variable switches
  return [expr {$kind in $switches}]
}

# --- objects --------------------------------------------------------------------------------------

proc constraints::objects {class names} {
  return [concat @ [lmap name $names { list $class $name }]]
}

proc constraints::a_clock {} {
  variable clocks
  return [objects clock [list [random::pick $clocks]]]
}

proc constraints::cells {args} {
  variable design
  return [netlist::cells_of $design $args]
}

proc constraints::registers {} { return [cells dff dffb dffr dffs dffrs] }

# Pins of cells with these names that a cell's kind has.
proc constraints::pins {cells wanted} {
  variable design
  set out {}
  foreach cell $cells {
    set connections [lindex [dict get $design cells $cell] 2]
    foreach pin $wanted { if {[dict exists $connections $pin]} { lappend out $cell/$pin } }
  }
  return $out
}

proc constraints::inputs {} {
  variable design
  return [lmap port [netlist::ports_of $design input] \
    { if {$port in [dict get $design roots]} continue; set port }]
}

proc constraints::outputs {} {
  variable design
  return [netlist::ports_of $design output]
}

# --- clocks ---------------------------------------------------------------------------------------

# Where latencies are ignored clocks rise at 0: the peer does not count from the launching edge.
proc constraints::waveform {period} {
  if {[random::chance 0.6] || [enabled ignore_latency]} { return {} }
  set width [expr {$period * [random::pick {0.2 0.3 0.5 0.7}]}]
  # Seldom an edge after the period's end.
  set rise [random::hundredth 0 [expr {[random::chance 0.1] ? 0.6 * $period : $period - $width}]]
  set fall [format %.2f [expr {$rise + $width}]]
  return [list -waveform [list $rise $fall]]
}

proc constraints::a_period {base} {
  return [format %.2f [expr {$base * [random::weighted\
    {1 6 2 3 3 1 0.5 2 1.5 1 0.75 0.5 1.25 0.3}]}]]
}

proc constraints::new_clock {base where kind args} {
  variable clocks
  variable real
  set name c[llength $clocks]
  set period [a_period $base]
  set words [list create_clock -name $name -period $period {*}[waveform $period] {*}$args]
  if {$where ne ""} { lappend words $where; lappend real $name }
  add $kind {*}$words
  lappend clocks $name
}

proc constraints::make_clocks {} {
  variable design
  variable clocks
  variable unclocked
  set base [random::pick [expr {[enabled pessimism] ? {0.4 0.6 0.8} : {1.0 2.0 0.8 0.6 1.6}}]]
  foreach port [dict get $design roots] {
    if {[llength $clocks] && $unclocked && [random::chance 0.4]} continue
    new_clock $base [objects port $port] clock
    if {![enabled pessimism] && ![single_clock] && [random::chance 0.18]} {
      new_clock $base [objects port $port] clock_add -add
    }
  }
  if {![data_checks_alone] && [random::chance 0.33]} { new_clock $base "" clock_virtual }
  set buffers [cells ckbuf ckinv icg]
  if {![enabled plain] && ![single_clock] && [llength $clocks] < 4 && [llength $buffers] &&\
    [random::chance 0.1]} {
    set place [random::pick [pins $buffers {Y GCK}]]
    if {[enabled alone] || ![netlist::makes_alone $design [list $place]]} {
      new_clock $base [objects pin $place] clock_internal
    }
  }
}

# Cases where one clock, or one and its divided ones, is all that may be at a latch's enable, at
# both pins of a data check.
proc constraints::data_checks_alone {} {
  return [expr {[enabled data_check] && ![enabled checks_between]}]
}
proc constraints::single_clock {} {
  return [expr {![enabled plain] && ([data_checks_alone] || ([enabled latch] && ![enabled\
    latch_clocks]))}]
}

# Generated clocks: behind a register of the clock network (divided), a buffer or a gate (of any
# kind).
proc constraints::make_generated {} {
  variable list
  variable design
  variable clocks
  variable real
  set from [lrange $real 0 end]
  set places [concat [pins [cells dffb] Q] [pins [cells ckbuf ckinv and2 icg mux2] {Y GCK}]]
  # Where a clock starts already it would be replaced; gates' enables are checked for what goes on
  # behind them alone.
  set places [lmap place $places {
    if {[string match *dffb* $place]} {
      if {![netlist::is_divider $design [file dirname $place]]} continue
    } elseif {![enabled alone] && ([string match *and2* $place] || ![netlist::clocks_from $design\
      [file dirname $place]])} continue
    if {[lsearch $list "*{pin $place}*"] >= 0} continue
    set place
  }]
  set dividers [lsearch -all -inline -glob $places *dffb*]
  if {[enabled unclocked]} { set dividers {} }
  foreach place [lsort -unique [concat $dividers [random::some $places [random::between 1 2]]]] {
    set master [random::pick $from]
    set name g[llength $clocks]
    # The peer looks through the source of another clock for the latency.
    if {$place ni $dividers && [is_behind_start $place] && ![random::chance 0.1]} continue
    if {![enabled alone] && $place ni $dividers && [netlist::makes_alone $design [concat\
      [starts_within] [list $place]]]} continue
    set words [list create_generated_clock -name $name -source [source_of $master]]
    set way [generation [lindex [split $place _] 0]]
    for {set i 0} {$i < 20 && ![enabled contrary] && [known::contrary [list $design $list] [concat\
      $words $way] $place]} {incr i} {
      set way [generation [lindex [split $place _] 0]]
    }
    if {![enabled contrary] && [known::contrary [list $design $list] [concat $words $way] $place]} {
      if {$place ni $dividers} continue
      set way {-edges {2 4 6}}
    }
    lappend words {*}$way
    # Of several clocks at one source the peer may take another one.
    set alone [expr {[llength [lsearch -all [lmap other $from { source_of $other }] [source_of\
      $master]]] == 1}]
    if {[random::chance [expr {$alone ? 0.5 : 0.9}]]} {
      lappend words -master_clock [objects clock $master]
    }
    if {[random::chance 0.2]} {
      lappend words -add
      if {"-master_clock" ni $words} { lappend words -master_clock [objects clock $master] }
    }
    add generated {*}$words [objects pin $place]
    lappend clocks $name
    lappend real $name
    variable masters
    lappend masters $master $name
  }
}

# Those that enumeration knows: behind a register of the network, with the edges that it makes,
# where nothing that another register launches gets to its clock pin, which would be the master's
# path as well.
proc constraints::make_divided {} {
  variable list
  variable design
  variable clocks
  variable real
  variable masters
  set from $real
  foreach cell [dict get $design dividers] {
    if {[llength [lsearch -all -regexp [cones::fanin [list $design $list] $cell/Q]\
      {^(.*/)?(dff|latch)}]] > 1} continue
    set choices {}
    foreach master $from {
      if {![llength [lindex [cones::made [list $design $list] $cell/Q [lindex [source_of $master] 1\
        1]] 1]]} continue
      foreach way {{-divide_by 2} {-divide_by 4} {-edges {1 3 5}} {-edges {2 4 6}}} {
        set words [list create_generated_clock -name g[llength $clocks] -source \
          [source_of $master] {*}$way -master_clock [objects clock $master]]
        if {![known::contrary [list $design $list] $words $cell/Q]} {
          lappend choices [list $master $words]
        }
      }
    }
    if {![llength $choices]} continue
    lassign [random::pick $choices] master words
    add generated {*}$words [objects pin $cell/Q]
    lappend clocks g[llength $clocks]
    lappend real [lindex $clocks end]
    lappend masters $master [lindex $clocks end]
  }
}

# Pins inside the design where clocks start.
proc constraints::starts_within {} {
  variable list
  set out {}
  foreach name [clock_names $list] {
    foreach object [lrange [lindex [clock_words $list $name] end] 1 end] {
      if {[lindex $object 0] eq "pin"} { lappend out [lindex $object 1] }
    }
  }
  return $out
}

proc constraints::is_behind_start {place} {
  variable design
  variable list
  set before [cones::fanin [list $design $list] $place]
  foreach pin [starts_within] { if {[file dirname $pin] in $before && $pin ne $place} { return 1 } }
  return 0
}

proc constraints::generation {kind} {
  set way [expr {[string match *dff* $kind] ? [random::pick {divide divide invert edges}] :
    [random::pick {same same invert multiply combinational edges shift divide}]}]
  switch $way {
    divide { return [list -divide_by [random::pick {2 2 4 3}]] }
    invert { return [list -divide_by [random::pick {1 2}] -invert] }
    multiply {
      return [list -multiply_by [random::pick {2 3}] {*}[random::pick {{} {-duty_cycle 40}}]]
    }
    edges { return [list -edges [random::pick {{1 3 5} {1 2 5} {2 4 6} {1 4 5} {3 5 9}}]] }
    shift { return [list -edges {1 3 5} -edge_shift [random::pick {{0.1 0 0.1} {0 0.05 0}}]] }
    combinational { return [list -combinational] }
  }
  return [list -divide_by 1]
}

# The source of a clock, as a word.
proc constraints::source_of {name} {
  variable list
  foreach constraint $list {
    set words [lindex $constraint 1]
    set at [lsearch -exact $words -name]
    if {$at >= 0 && [lindex $words $at+1] eq $name} { return [lindex $words end] }
  }
}

proc constraints::make_clock_properties {} {
  variable clocks
  variable real
  variable masters
  set sure [expr {[enabled ideal_masters] ? {} : $masters}]
  foreach clock $real {
    if {$clock in $sure || [enabled pessimism] || [random::chance 0.5]} {
      add propagated set_propagated_clock [objects clock $clock]
    }
  }
  foreach clock $clocks {
    if {$clock ni $sure && ![enabled pessimism] && [random::chance 0.3]} {
      latency $clock {} {{} {-min} {-max} {-rise} {-fall} {-max -rise} {-min -fall}} latency_network
    }
    if {[random::chance 0.3]} {
      latency $clock -source {{} -early -late {-early -rise} {-late -fall} {-early -fall}\
        {-late -rise}} latency_source
    }
    if {$clock in $real && [random::chance 0.2]} {
      add transition set_clock_transition {*}[random::pick {{} -rise -fall -min -max}] \
        [random::hundredth 0.01 0.2] [objects clock $clock]
    }
    if {[random::chance 0.3]} {
      add uncertainty set_clock_uncertainty {*}[random::pick {{} {} -setup -hold}] \
        [random::hundredth 0 0.2] [objects clock $clock]
    }
  }
  variable list
  if {[llength [cells latch]] && ![enabled latch_early] && ![enabled plain]} { drop_early }
  if {[random::chance 0.2]} { inter_uncertainty }
  if {[random::chance [expr {[enabled pin_latency] ? 0.6 : 0.08}]]} { at_pin }
}

# Takes away the latencies of clocks that are earlier late than early.
proc constraints::drop_early {} {
  variable list
  variable clocks
  set enumerate::constraint $list
  foreach clock $clocks {
    foreach kind {latency_source latency_network} {
      foreach edge {r f} {
        if {[enumerate::value $kind $clock min $edge] <= [enumerate::value $kind $clock max\
          $edge]} continue
        set list [lmap c $list {
          if {[lindex $c 0] eq $kind && [lindex $c 1 end] eq [objects clock [list $clock]]} continue
          set c
        }]
      }
    }
  }
}

# Latencies of one clock: one command, or several that say different things.
proc constraints::latency {clock source choices kind} {
  foreach choice [random::some $choices [random::pick {1 1 2 3}]] {
    add $kind set_clock_latency {*}$source {*}$choice [random::hundredth 0 0.4] \
      [objects clock $clock]
  }
}

proc constraints::inter_uncertainty {} {
  set edge {{} {} {} rise_ fall_}
  add uncertainty_inter set_clock_uncertainty -[random::pick $edge]from [a_clock] \
    -[random::pick $edge]to [a_clock] \
    {*}[random::pick {{} {} -setup -hold}] [random::hundredth 0 0.3]
}

# What can be said of a pin of the clock network as well as of a clock.
proc constraints::at_pin {} {
  set places [pins [cells ckbuf ckinv icg] {A CK}]
  # The peer starts generated clocks behind a latency without it.
  if {[enabled pin_latency] && [random::chance 0.9]} {
    set places [lmap place $places { if {[is_before_generated $place]} continue; set place }]
  }
  if {![llength $places]} return
  set place [objects pin [random::pick $places]]
  switch [random::pick [expr {[enabled pin_latency] ? {latency} : {propagated uncertainty}}]] {
    propagated { add at_pin set_propagated_clock $place }
    latency { add at_pin set_clock_latency [random::hundredth 0 0.4] $place }
    uncertainty { add at_pin set_clock_uncertainty [random::hundredth 0 0.2] $place }
  }
}

proc constraints::is_before_generated {place} {
  variable design
  variable list
  foreach name [clock_names $list] {
    if {![is_generated $list $name]} continue
    set pin [lindex [clock_words $list $name] end 1 1]
    if {[file dirname $place] in [cones::fanin [list $design $list] $pin]} { return 1 }
  }
  return 0
}

# --- ports ----------------------------------------------------------------------------------------

proc constraints::port_delays {command kind port value} {
  set times [random::pick {1 1 1 2 3}]
  # The peer leaves path delays to outputs with a delay for another side or edge alone.
  set whole [expr {$kind eq "output_delay" && ![enabled plain] && ![enabled one_sided]}]
  for {set i 0} {$i < $times} {incr i} {
    set flags [random::pick {{} {} {} -min -max -rise -fall {-max -rise} {-min -fall}}]
    if {$whole && !$i} { set flags {} }
    set words [list $command {*}$flags]
    variable unclocked
    if {!$unclocked || ![random::chance 0.3]} {
      lappend words -clock [a_clock]
      if {[random::chance 0.2]} { lappend words -clock_fall }
      if {![enabled plain] && [random::chance 0.04]} { lappend words -source_latency_included }
      if {![enabled plain] && [random::chance 0.04]} { lappend words -network_latency_included }
    }
    if {$i && ($whole || [random::chance 0.7])} { lappend words -add_delay }
    add $kind {*}$words [eval $value] [objects port $port]
  }
}

proc constraints::make_inputs {} {
  variable unclocked
  foreach port [inputs] {
    if {!$unclocked || [random::chance 0.7]} {
      port_delays set_input_delay input_delay $port \
        {random::hundredth 0 [expr {[enabled pessimism] ? 0.1 : 0.6}]}
    }
  }
}

proc constraints::make_outputs {} {
  foreach port [outputs] {
    if {[random::chance 0.85]} {
      port_delays set_output_delay output_delay $port {random::hundredth -0.1 0.6}
    }
  }
}

proc constraints::make_environment {} {
  variable design
  foreach port [netlist::ports_of $design input] {
    if {[random::chance 0.2]} {
      add input_transition set_input_transition {*}[random::pick {{} {} -rise -fall -min -max}] \
        [random::hundredth 0.01 0.3] [objects port $port]
    }
    if {[random::chance 0.15]} { driving_cell $port }
  }
  foreach port [outputs] {
    if {[random::chance 0.3]} {
      add load set_load {*}[random::pick {{} {} -pin_load -min -max}] 0.0[random::between 10 40] \
        [objects port $port]
    }
  }
}

proc constraints::driving_cell {port} {
  lassign [random::pick {{buf A Y} {inv A Y} {nand2 A Y} {nor2 B Y} {dff CK Q}}] kind from to
  set words [list set_driving_cell -lib_cell ${kind}_[random::pick {1 2}]r]
  if {[random::chance 0.5]} { lappend words -pin $to }
  if {[random::chance 0.4]} { lappend words -pin $to -from_pin $from }
  if {[random::chance 0.4]} {
    lappend words -input_transition_rise [random::hundredth 0.01 0.2] -input_transition_fall \
      [random::hundredth 0.01 0.2]
  }
  add driving_cell {*}$words [objects port $port]
}

proc constraints::make_logic {} {
  if {([enabled tied] || [enabled case_edge]) && [random::chance 0.6]} {
    set places [concat [objects port [inputs]] \
      [lrange [objects pin [pins [cells mux2 icg and2 or2 nand2 nor2] {S B E TE}]] 1 end]]
    add case set_case_analysis [random::pick \
      [expr {[enabled case_edge] ? {rising falling} : {0 1}}]] \
      [list @ [random::pick [lrange $places 1 end]]]
  }
  if {(![enabled path_delay] || [enabled dangling]) && [random::chance 0.3]} { disable }
}

proc constraints::disable {} {
  variable design
  if {[llength [registers]] && [random::chance 0.3]} {
    add disable set_disable_timing {*}[random::pick {{-from CK -to D} {-to D}}] \
      [objects cell [random::pick [registers]]]
    return
  }
  set cells [cells nand2 nand3 nor2 and2 or2 aoi21 oai21 xor2 mux2 buf inv ckbuf]
  # Without its clock a register begins a path of its own.
  if {![enabled unclocked]} {
    set cells [lmap cell $cells \
      {
        if {[netlist::leads_to_clock $design [dict get [lindex [dict get $design cells $cell] 2]\
          Y]]} continue
        set cell
      }]
  }
  if {![llength $cells]} return
  set cell [random::pick $cells]
  set kind [netlist::kind [lindex [dict get $design cells $cell] 1]]
  switch [random::pick {arc arc from to pin port cell}] {
    arc {
      add disable set_disable_timing -from [random::pick [netlist::input_pins $kind]] -to Y \
        [objects cell $cell]
    }
    from {
      add disable set_disable_timing -from [random::pick [netlist::input_pins $kind]] \
        [objects cell $cell]
    }
    to { add disable set_disable_timing -to Y [objects cell $cell] }
    pin {
      add disable set_disable_timing \
        [objects pin [random::pick [pins $cell [netlist::input_pins $kind]]]]
    }
    port { add disable set_disable_timing [objects port [random::pick [inputs]]] }
    cell { add disable set_disable_timing [objects cell $cell] }
  }
}

# --- exceptions -----------------------------------------------------------------------------------

proc constraints::starts {} {
  variable design
  set some [random::between 1 3]
  switch [random::pick {clock pin pin cell port}] {
    clock { variable clocks; return [objects clock [random::some $clocks [random::pick {1 1 2}]]] }
    pin {
      return [objects pin [random::some [concat [pins [registers] CK] [pins [cells latch] {D G}]] \
        $some]]
    }
    cell { return [objects cell [random::some [concat [registers] [cells latch]] $some]] }
    port { return [objects port [random::some [concat [inputs] [dict get $design roots]] $some]] }
  }
}

proc constraints::throughs {{only_pins 0}} {
  variable design
  set logic [cells inv buf nand2 nand3 nor2 and2 or2 aoi21 oai21 xor2 xnor2 mux2 fa]
  set some [random::between 1 4]
  switch [random::pick [expr {$only_pins ? {pin output port} : {pin pin output cell net port}}]] {
    pin { return [objects pin [random::some [pins $logic {A B C S CI}] $some]] }
    output {
      return [objects pin [random::some \
        [concat [pins $logic {Y CO}] [pins [registers] {Q D CK}] [pins [cells latch] {D G Q}]] \
        $some]]
    }
    cell { return [objects cell [random::some $logic $some]] }
    net { return [objects net [random::some [top_nets] $some]] }
    port { return [objects port [random::some [concat [inputs] [outputs]] $some]] }
  }
}

# Nets that are at the top under their own name.
proc constraints::top_nets {} {
  variable design
  set out {}
  dict for {name cell} [dict get $design cells] {
    lassign $cell block master connections
    if {$block ne ""} continue
    foreach pin [netlist::output_pins [netlist::kind $master]] {
      set net [dict get $connections $pin]
      if {$net ne ""} { lappend out $net }
    }
  }
  return $out
}

proc constraints::ends {} {
  set some [random::between 1 3]
  switch [random::pick {clock pin pin cell port}] {
    clock { variable clocks; return [objects clock [random::some $clocks [random::pick {1 1 2}]]] }
    pin {
      return [objects pin [random::some \
        [concat [pins [registers] {D RN SN}] [pins [cells latch] D] [pins [cells icg] E]] $some]]
    }
    cell { return [objects cell [random::some [concat [registers] [cells latch]] $some]] }
    port { return [objects port [random::some [outputs] $some]] }
  }
}

# -from, -through, -to in one of the shapes; an option whose list came out empty is left away.
proc constraints::path {} {
  set edge {{} {} {} {} rise_ fall_}
  set words {}
  set shape [random::weighted {f 2 t 2 ft 4 h 3 fh 2 ht 2 fht 2 hh 1 fhht 1 hhh 0.5}]
  foreach letter [split $shape ""] {
    lassign [dict get {f {from starts} h {through throughs} t {to ends}} $letter] option maker
    # The peer crashes over -through of cells and nets after -from.
    set objects [expr {$letter eq "h" && [string match f* $shape] && ![enabled crashing] ?\
      [throughs 1] : [$maker]}]
    if {[llength $objects] < 2} continue
    # Of ports and cells the peer takes both edges, or none.
    set edged [expr {$letter ne "h" || [enabled port_edge] || ([lsearch $objects "port *"] < 0 &&\
      [lsearch $objects "cell *"] < 0)}]
    lappend words -[expr {$edged ? [random::pick $edge] : ""}]$option $objects
  }
  return $words
}

proc constraints::make_exceptions {} {
  variable clocks
  set n [random::between 0 5]
  if {[llength [cells latch]] && ![enabled excepted]} return
  for {set i 0} {$i < $n} {incr i} {
    set path [path]
    if {![llength $path]} continue
    set side [random::pick {{} {} {} -setup -hold}]
    set edge [random::pick {{} {} {} {} -rise -fall}]
    set delays [expr {[enabled path_delay] ? 4 : 0}]
    switch [random::weighted [list false_path 3 multicycle 4 max_delay $delays min_delay $delays \
      group_path 1.5]] {
      false_path { add false_path set_false_path {*}$side {*}$edge {*}$path }
      multicycle {
        add multicycle set_multicycle_path {*}$side {*}$edge {*}[random::pick {{} {} -start -end}] \
          [random::pick {0 1 2 2 3}] {*}$path
      }
      max_delay {
        add max_delay set_max_delay {*}$edge {*}[ignore_latency] [random::hundredth 0.1 2] {*}$path
      }
      min_delay {
        add min_delay set_min_delay {*}$edge {*}[ignore_latency] [random::hundredth 0 0.5] {*}$path
      }
      group_path { add group_path group_path -name p[random::between 0 1] {*}$path }
    }
  }
  # With delays of their own to outputs the peer does not heed them.
  if {[llength $clocks] > 1 && [random::chance [expr {[enabled path_delay] ? 0.03 : 0.2}]]} {
    clock_groups
  }
}

proc constraints::ignore_latency {} {
  return [random::pick [expr {[enabled ignore_latency] ? {{} {} {} {} -ignore_clock_latency} :\
    {{}}}]]
}

proc constraints::clock_groups {} {
  variable clocks
  set mixed [random::some $clocks [llength $clocks]]
  set cut [random::between 1 [expr {[llength $mixed] - 1}]]
  set words [list set_clock_groups -name groups \
    [random::pick {-asynchronous -logically_exclusive -physically_exclusive}]]
  lappend words -group [objects clock [lrange $mixed 0 $cut-1]]
  if {[random::chance 0.6]} { lappend words -group [objects clock [lrange $mixed $cut end]] }
  add clock_groups {*}$words
}

# --- checks and derates ---------------------------------------------------------------------------

proc constraints::make_checks {} {
  if {[random::chance 0.25]} { gating_check }
  if {[random::chance 0.2]} {
    set places [concat [objects clock [random::pick $constraints::clocks]] \
      [lrange [objects cell [cells latch]] 1 end] \
      [lrange [objects pin [pins [cells latch] {D G}]] 1 end]]
    add time_borrow set_max_time_borrow [random::hundredth 0 0.4] \
      [list @ [random::pick [lrange $places 1 end]]]
  }
  if {[enabled data_check]} { data_check }
  if {[enabled clock_sense]} { clock_sense }
}

proc constraints::gating_check {} {
  variable clocks
  set words [list set_clock_gating_check {*}[random::pick {{} {} -rise -fall}]]
  if {[random::chance 0.8]} { lappend words -setup [random::hundredth 0 0.3] }
  if {[random::chance 0.6] || "-setup" ni $words} { lappend words -hold [random::hundredth 0 0.2] }
  set gates [cells and2 or2 nand2 nor2 mux2]
  switch [random::pick {all clock cell pin}] {
    clock { lappend words [objects clock [random::pick $clocks]] }
    cell {
      if {[llength $gates]} {
        set gate [random::pick $gates]; lappend words {*}[gating_level $gate] [objects cell $gate]
      }
    }
    pin {
      if {[llength $gates]} {
        set gate [random::pick $gates]
        lappend words {*}[gating_level $gate] [objects pin [random::pick [pins $gate {A B}]]]
      }
    }
  }
  add gating_check {*}$words
}

# -high or -low: mostly what the gate's function says, as gates that close at a rising edge are the
# peer's own matter.
proc constraints::gating_level {gate} {
  variable design
  set kind [netlist::kind [lindex [dict get $design cells $gate] 1]]
  if {[enabled rising_gates]} { return [random::pick {{} {} -high -low}] }
  return [random::pick [list {} \
    [dict get {and2 -high nand2 -high or2 -low nor2 -low mux2 {}} $kind]]]
}

proc constraints::data_check {} {
  variable design
  variable list
  set places [pins [concat [registers] [cells latch nand2 and2 mux2]] {D RN SN A B}]
  lassign [random::some $places 2] from to
  # The peer has its own edges where those that launch are not one, and checks none from inputs.
  for {set i 0} {$i < 60 && ![enabled checks_between] && $to ne "" && ![known::alike [list $design\
    $list] $from $to]} {incr i} {
    lassign [expr {$i < 59 ? [random::some $places 2] : ""}] from to
  }
  if {$to eq ""} return
  set edge {{} {} {} rise_ fall_}
  add data_check set_data_check -[random::pick $edge]from [objects pin $from] \
    -[random::pick $edge]to [objects pin $to] \
    {*}[random::pick {{} -setup -hold}] [random::hundredth 0 0.3]
}

proc constraints::clock_sense {} {
  variable clocks
  set places [pins [cells xor2 mux2 and2 ckbuf ckinv] {Y A B}]
  if {![llength $places]} return
  set words [list set_sense -type clock \
    [random::pick {-positive -negative -stop_propagation -stop_propagation -stop_propagation}]]
  if {[random::chance 0.5]} { lappend words -clocks [a_clock] }
  add clock_sense {*}$words [objects pin [random::pick $places]]
}

proc constraints::make_derates {} {
  variable design
  set n [random::pick {0 0 0 1 2 4}]
  if {[enabled pessimism]} {
    add derate set_timing_derate -early [format %.2f [expr {[random::between 60 95] / 100.0}]]
    add derate set_timing_derate -late [format %.2f [expr {[random::between 105 150] / 100.0}]]
    set n [random::between 0 1]
  }
  for {set i 0} {$i < $n} {incr i} {
    set cell [random::chance 0.3]
    set words [list set_timing_derate [random::pick {-early -late}]]
    set edge [expr {[enabled derate_edge] ? [random::pick {{} {} -rise -fall}] : ""}]
    lappend words {*}$edge {*}[random::pick {{} {} -clock -data}]
    set kinds [expr {$cell ? {-cell_delay -cell_check} :\
      {{} {} -cell_delay -net_delay -cell_check}}]
    # The peer does not go by the edge of a cell's delay: mostly checks and nets.
    if {$edge ne "" && ![enabled plain] && [random::chance 0.93]} {
      set kinds [expr {$cell ? "-cell_check" : {-net_delay -cell_check}}]
    }
    lappend words {*}[random::pick $kinds]
    lappend words [format %.2f [expr {[random::between 80 120] / 100.0}]]
    if {$cell} { lappend words [objects cell [random::pick [dict keys [dict get $design cells]]]] }
    add derate {*}$words
  }
}

# --- text and taking apart ------------------------------------------------------------------------

proc constraints::objects_text {objects} {
  set parts {}
  foreach object $objects { dict lappend parts {*}$object }
  set commands {}
  dict for {class names} $parts {
    lappend commands "\[get_${class}s [expr {[llength $names] > 1 ? "{$names}" : $names}]\]"
  }
  if {[llength $commands] == 1} { return [lindex $commands 0] }
  return "\[concat $commands\]"
}

proc constraints::word_text {word} {
  if {[lindex $word 0] eq "@"} { return [objects_text [lrange $word 1 end]] }
  return [list $word]
}

proc constraints::text {constraint} {
  return [join [lmap word [lindex $constraint 1] { word_text $word }]]
}

proc constraints::sdc {list} {
  set text ""
  foreach constraint $list { append text [text $constraint] \n }
  return $text
}

# Kinds of constraints that a case has, for the table of what was met; some of them by what they
# say.
proc constraints::met {case} {
  set out {}
  foreach constraint [lindex $case 1] {
    lassign $constraint kind words
    lappend out $kind
    foreach {of flags what} {derate {-rise -fall} derate_edge max_delay -ignore_clock_latency\
      ignore_latency min_delay -ignore_clock_latency
        ignore_latency case {rising falling} case_edge at_pin set_clock_latency pin_latency\
        gating_check {-high -low} gating_level} {
      if {$kind eq $of} { foreach flag $flags { if {$flag in $words} { lappend out $what } } }
    }
    if {$kind in {false_path multicycle max_delay min_delay group_path}} {
      foreach option {from through to} {
        if {[lsearch -regexp $words -(rise_|fall_)?$option] >= 0} { lappend out -$option }
      }
      if {[llength [lsearch -all -regexp $words {^-(rise_|fall_)?through}]] > 1} {
        lappend out "-through more than once"
      }
    }
  }
  if {"driving_cell" in $out && "derate" in $out} { lappend out derated_drive }
  if {[is_unclocked $case]} { lappend out unclocked }
  return [lsort -unique $out]
}

# Does something begin without a clock: an input without a delay, a port of the clock network
# without a clock?
proc constraints::is_unclocked {case} {
  lassign $case design list
  set known {}
  foreach constraint $list {
    lassign $constraint kind words
    if {$kind in {clock clock_add} || ($kind eq "input_delay" && "-clock" in $words)} {
      foreach object [lrange [lindex $words end] 1 end] { dict set known [lindex $object 1] 1 }
    }
  }
  foreach port [netlist::ports_of $design input] { if {![dict exists $known $port]} { return 1 } }
  return 0
}

# The constraints with each list of objects mapped by a command prefix, object by object ("" takes
# it away); a command one of whose lists is empty then goes.
proc constraints::mapped {list prefix} {
  set out {}
  foreach constraint $list {
    lassign $constraint kind words
    set whole 1
    set new {}
    foreach word $words {
      if {[lindex $word 0] eq "@"} {
        set word [concat @ [lmap object [lrange $word 1 end] {
          set object [{*}$prefix $object]
          if {$object eq ""} continue
          set object
        }]]
        if {[llength $word] == 1} { set whole 0 }
      }
      lappend new $word
    }
    if {$whole} { lappend out [list $kind $new] }
  }
  return $out
}

# What a design still has of an object: it or nothing.
proc constraints::kept {design clocks object} {
  lassign $object class name
  set cells [dict get $design cells]
  set there [switch $class {
    clock { expr {$name in $clocks} }
    port { dict exists $design ports $name }
    cell { dict exists $cells $name }
    net { expr {$name in [netlist::driven_nets $design] || [dict exists $design ports $name]} }
    pin { expr {[dict exists $cells [file dirname $name]]} }
  }]
  return [expr {$there ? $object : ""}]
}

# The words that define a clock.
proc constraints::clock_words {list name} {
  foreach constraint $list {
    set words [lindex $constraint 1]
    if {[lindex $words 0] in {create_clock create_generated_clock} && [lindex $words [lsearch\
      -exact $words -name]+1] eq $name} { return $words }
  }
}

# What follows an option; "".
proc constraints::option {words name} {
  set at [lsearch -exact $words $name]
  return [expr {$at < 0 ? "" : [lindex $words $at+1]}]
}

# A clock and what it is generated from, the nearest first; the fastest clock of the source where
# none is named.
proc constraints::ancestry {list clock} {
  set out {}
  while {$clock ne "" && $clock ni $out} {
    lappend out $clock
    set clock [lindex [masters $list $clock] 0]
  }
  return $out
}

# The clocks that a generated one may come from: the one that is named, or all of its source.
proc constraints::masters {list clock} {
  set words [clock_words $list $clock]
  if {[lindex $words 0] ne "create_generated_clock"} { return {} }
  if {[option $words -master_clock] ne ""} {
    return [list [lindex [option $words -master_clock] 1 1]]
  }
  set out {}
  foreach name [clock_names $list] {
    if {$name ne $clock && [lindex [clock_words $list $name] end] eq [option $words -source]} {
      lappend out $name
    }
  }
  return $out
}

proc constraints::is_generated {list clock} {
  return [expr {[lindex [clock_words $list $clock] 0] eq "create_generated_clock"}]
}

# Is a command of this name for the clock there?
proc constraints::is_said {list command clock} {
  foreach constraint $list {
    set words [lindex $constraint 1]
    if {[lindex $words 0] eq $command && [list clock $clock] in [lrange [lindex $words end] 1\
      end]} { return 1 }
  }
  return 0
}

proc constraints::period {list clock} { return [option [clock_words $list $clock] -period] }

proc constraints::has_late_edge {list clock} {
  set words [clock_words $list $clock]
  set waveform [option $words -waveform]
  return [expr {$waveform ne "" && [lindex $waveform 1] > [option $words -period]}]
}

proc constraints::clock_names {list} {
  set out {}
  foreach constraint $list {
    set words [lindex $constraint 1]
    if {[lindex $words 0] in {create_clock create_generated_clock}} {
      lappend out [lindex $words [lsearch -exact $words -name]+1]
    }
  }
  return $out
}

# The constraints that a smaller design, or fewer clocks, leave.
proc constraints::fitted {list design} {
  while 1 {
    set clocks [clock_names $list]
    set new [mapped $list [list constraints::kept $design $clocks]]
    if {$new eq $list} { return $list }
    set list $new
  }
}

proc constraints::renamed {list map} {
  return [mapped $list [list apply {{map object} {
    lassign $object class name
    if {$class eq "cell" && [dict exists $map $name]} { return [list cell [dict get $map $name]] }
    if {$class eq "pin" && [dict exists $map [file dirname $name]]} {
      return [list pin [dict get $map [file dirname $name]]/[file tail $name]]
    }
    return $object
  }} $map]]
}
