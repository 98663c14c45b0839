# Every path of a small design, from its start to its end, pin by pin with edges, and its slack for
# each clock edge that captures it: from the program's own arcs and margins (enumerate.tcl) and the
# constraints' own words.  What exceptions say is matched against the path that is listed: nothing
# is merged on the way, as tags do.  Queries are drawn, and the program's answers compared path by
# path.
#
# A path that starts at a latch's data pin has what came there and borrowed: the latest of what the
# latch passes on.  To exceptions it starts at the enabling pin as well, whose clock edge is its
# launch.
#
# A found path is a dictionary: slack group check launch le capture ce points starts, starts being
# what -from may name: {class name edge} for queries.

namespace eval paths {
  # As many paths from start to end as a case may have.
  variable most 1500
  variable queries 16
  variable tolerance 1e-6         ;# ns
  variable relative 3e-7
  variable exceptions
  variable design
  variable loads                  ;# net -> pins and ports that it leads to
  variable ways                   ;# {pin edge} -> {points late early} ... to each end
  variable found                  ;# side -> list of paths
  # Whether data that several launched came too late for a latch.  With credit what goes on then
  # depends on who came too late by how much: of launches that are never the worst before the latch
  # the program follows none, though they may be behind it.
  variable unsure
  # {data pin, edge, clock, its edge} of a latch -> {arrival from-clock from-path} ...
  variable item
}

# --- cases ----------------------------------------------------------------------------------------

# A design with few enough paths to list, and constraints with exceptions.
proc paths::make_case {kinds} {
  variable most
  for {set size [random::between 8 34]} 1 {set size [expr {max(3, $size * 3 / 4)}]} {
    set netlist::size $size
    set design [netlist::make $kinds]
    if {[estimate $design] <= $most} break
  }
  set netlist::size ""
  set list [constraints::make $design $kinds]
  set exceptions [draw_exceptions $design $kinds]
  # Where registers have no clock what they launch has paths with delays of their own, which are not
  # listed.
  set divided [llength [lsearch -all -index 0 $list generated]]
  # Nor paths with delays of their own to pins whose checks are taken out.
  if {$divided < [llength [dict get $design dividers]] || [lsearch -index 0 $list check_off] >= 0} {
    set exceptions [lmap e $exceptions \
      { if {[lindex $e 0] in {max_delay min_delay}} continue; set e }]
  }
  return [list $design [concat $list [ungated $design] $exceptions]]
}

# How many ways there are along pins and edges, at most: an arc that inverts or not has two.
proc paths::estimate {design} {
  set count {}
  set sum 0
  dict for {port way} [dict get $design ports] { if {$way eq "input"} { dict set count $port 2 } }
  set pending [dict get $design cells]
  dict for {name cell} $pending {
    lassign $cell block master pins
    set kind [netlist::kind $master]
    if {[netlist::is_register $kind] || $kind eq "latch"} {
      foreach pin [netlist::output_pins $kind] {
        dict set count [dict get $pins $pin] [expr {$kind eq "latch" ? 4 : 2}]
      }
    }
  }
  # Cells stand in the order in which their inputs were there.
  dict for {name cell} $pending {
    lassign $cell block master pins
    set kind [netlist::kind $master]
    if {[netlist::is_register $kind] || $kind eq "latch"} continue
    set ways 0
    foreach pin [netlist::input_pins $kind] {
      set weight [expr {$kind in {xor2 xnor2 fa} || ($kind eq "mux2" && $pin eq "S") ? 2 : 1}]
      set net [dict get $pins $pin]
      if {[dict exists $count $net]} { incr ways [expr {$weight * [dict get $count $net]}] }
    }
    foreach pin [netlist::output_pins $kind] { dict set count [dict get $pins $pin] $ways }
  }
  dict for {name cell} $pending {
    lassign $cell block master pins
    set kind [netlist::kind $master]
    foreach {pin net} $pins {
      if {$pin in {D RN SN E} && [dict exists $count $net]} { incr sum [dict get $count $net] }
    }
  }
  dict for {port way} [dict get $design ports] {
    if {$way eq "output" && [dict exists $count $port]} { incr sum [dict get $count $port] }
  }
  return $sum
}

# Gates of clocks are not checked: enumeration knows nothing of them.
proc paths::ungated {design} {
  set cells [netlist::cells_of $design {nand2 nor2 and2 or2}]
  if {![llength $cells]} { return {} }
  return [list [list gating_off \
    [list set_disable_inferred_clock_gating [constraints::objects cell $cells]]]]
}

proc paths::draw_exceptions {design kinds} {
  set constraints::list {}
  set constraints::switches [concat $kinds crashing]
  set has_latch [llength [netlist::cells_of $design latch]]
  for {set i [random::pick {0 1 2 3 4 5 7}]} {$i > 0} {incr i -1} {
    set path [extras::path $design $kinds [constraints::path]]
    # Which edge of a clock captures at a latch is not said by SDC.
    if {$has_latch} {
      set path [lmap word $path {
        expr {$word in {-rise_to -fall_to} && [is_to_clocks $path $word] ? "-to" : $word}
      }]
    }
    if {![llength $path] || ($programs::cppr && [on_clocks $design $path])} continue
    set side [random::pick {{} {} {} -setup -hold}]
    set edge [random::pick {{} {} {} {} -rise -fall}]
    switch [random::weighted {false_path 2 multicycle 5 max_delay 2 min_delay 2 margin 2 group_path\
      3}] {
      false_path { constraints::add false_path set_false_path {*}$side {*}$edge {*}$path }
      multicycle {
        constraints::add multicycle set_multicycle_path {*}$side {*}$edge \
          {*}[random::pick {{} {} -start -end}] \
          [random::pick {0 1 2 2 3}] {*}$path
      }
      max_delay {
        constraints::add max_delay set_max_delay {*}$edge {*}[ignoring $has_latch] \
          [random::hundredth 0.1 2] {*}$path
      }
      min_delay {
        constraints::add min_delay set_min_delay {*}$edge {*}[ignoring $has_latch] \
          [random::hundredth 0 0.5] {*}$path
      }
      margin {
        constraints::add path_margin set_path_margin {*}$side {*}$edge [random::hundredth 0 0.3] \
          {*}$path
      }
      group_path { constraints::add group_path group_path -name p[random::between 0 1] {*}$path }
    }
  }
  return $constraints::list
}

proc paths::is_to_clocks {path option} {
  return [expr {[lindex $path [lsearch -exact $path $option]+1 1 0] eq "clock"}]
}

# Does a path go through pins of the clock network?  Clock paths that exceptions tell apart have
# credit of their own.
proc paths::on_clocks {design path} {
  foreach point [dict get [parse [concat path $path]] through] {
    foreach object [lindex $point 0] {
      lassign $object class name
      if {$class eq "pin"} { set name [file dirname $name] }
      set nets [expr {$class eq "net" ? [list $name] : {}}]
      if {[dict exists $design cells $name]} {
        lassign [dict get $design cells $name] block master pins
        foreach pin [netlist::output_pins [netlist::kind $master]] {
          lappend nets [dict get $pins $pin]
        }
      }
      foreach net $nets { if {[netlist::leads_to_clock $design $net]} { return 1 } }
    }
  }
  return 0
}

proc paths::ignoring {has_latch} {
  return [expr {!$has_latch && [random::chance 0.25] ? "-ignore_clock_latency" : ""}]
}

# --- what constraints and queries say of paths ----------------------------------------------------

# {words of a command} -> type checks edges from to through value side ignore; from, to: {objects
# edges}, or {}.
proc paths::parse {words} {
  set e [dict create type [lindex $words 0] checks {setup hold} edges {r f} from {} to {} through \
    {} value {} side {} ignore 0 options {}]
  for {set i 1} {$i < [llength $words]} {incr i} {
    set word [lindex $words $i]
    if {[regexp {^-(rise_|fall_)?(from|through|to)$} $word all edge option]} {
      set point [list [lrange [lindex $words [incr i]] 1 end] \
        [dict get {{} {r f} rise_ r fall_ f} $edge]]
      if {$option eq "through"} { dict lappend e through $point } else { dict set e $option $point }
      continue
    }
    switch -glob -- $word {
      -setup - -hold { dict set e checks [string range $word 1 end] }
      -rise { dict set e edges r }
      -fall { dict set e edges f }
      -start - -end { dict set e side $word }
      -ignore_clock_latency { dict set e ignore 1 }
      -name { dict set e value [lindex $words [incr i]] }
      -* { dict set e options $word [lindex $words [incr i]] }
      default { dict set e value $word }
    }
  }
  return $e
}

proc paths::read_exceptions {list} {
  variable exceptions {}
  set index 0
  foreach constraint $list {
    lassign $constraint kind words
    if {$kind ni {false_path multicycle max_delay min_delay path_margin group_path}} continue
    set e [parse $words]
    if {$kind in {max_delay min_delay} && [of_block $e]} continue
    # Without -setup and -hold a multiplier is for setup, and hold gets 0.
    if {$kind eq "multicycle" && [dict get $e checks] eq "setup hold"} {
      add_exception [dict replace $e checks setup] $index
      set e [dict replace $e checks hold value 0]
    }
    add_exception $e $index
    incr index
  }
  set exceptions [dict values $exceptions]
}

# Path delays leave out blocks in -from and -to, of which a point has one alone.
proc paths::of_block {e} {
  variable design
  foreach point [list [dict get $e from] [dict get $e to]] {
    lassign [lindex $point 0 0] class name
    if {$class eq "cell" && $name in [dict get $design blocks]} { return 1 }
  }
  return 0
}

# The later of two for the same paths, in the same words, holds.
proc paths::add_exception {e index} {
  variable exceptions
  dict set e through_pins [lmap point [dict get $e through] { through_pins $point }]
  dict set e rank [rank $e]
  dict set e index $index
  set same [list [dict get $e type] [dict get $e checks] [dict get $e edges] \
    [sorted [dict get $e from]] [sorted [dict get $e to]] \
    [lmap point [dict get $e through] { sorted $point }]]
  dict set exceptions $same $e
}

proc paths::sorted {point} {
  return [expr {[llength $point] ? [list [lsort [lindex $point 0]] [lindex $point 1]] : ""}]
}

# -from of pins before -to of pins before -through before -from of clocks before -to of clocks.
proc paths::rank {e} {
  set sum 0
  foreach {option pins clocks} {from 64 8 to 32 4} {
    if {[llength [dict get $e $option]]} {
      incr sum [expr {[lindex [dict get $e $option] 0 0 0] eq "clock" ? $clocks : $pins}]
    }
  }
  return [expr {$sum + ([llength [dict get $e through]] ? 16 : 0)}]
}

# pin -> edges: an object of -through is its pin; a cell its outputs, a net its loads, a block's pin
# those behind it. {begin PIN} -> edges: for what begins at the pin, which passes neither the net
# nor a block's pin before it.
proc paths::through_pins {point} {
  variable design
  variable loads
  lassign $point objects edges
  set pins {}
  set wires {}
  foreach object $objects {
    lassign $object class name
    switch $class {
      port { lappend pins $name }
      pin {
        if {[file dirname $name] ni [dict get $design blocks]} { lappend pins $name; continue }
        set behind [expr {[info exists loads([file tail $name])] ? $loads([file tail $name]) : {}}]
        lappend wires {*}[extras::behind $design $behind $name]
      }
      net { lappend wires {*}$loads($name) }
      cell {
        foreach pin [netlist::output_pins \
          [netlist::kind [lindex [dict get $design cells $name] 1]]] { lappend pins $name/$pin }
      }
    }
  }
  set out {}
  foreach pin [concat $pins $wires] { dict set out $pin $edges }
  foreach pin $pins { dict set out [list begin $pin] $edges }
  return $out
}

# Are points passed, each list after the one before; one point may serve several?  The path begins
# at the first of them, at so many.
proc paths::passes {lists points begun} {
  set next 0
  foreach {pin edge} $points {
    if {[incr begun -1] >= 0} { set pin [list begin $pin] }
    while {$next < [llength $lists] && [dict exists [lindex $lists $next] $pin] && $edge in [dict\
      get [lindex $lists $next] $pin]} { incr next }
    if {$next == [llength $lists]} { return 1 }
  }
  return [expr {$next == [llength $lists]}]
}

# starts: {class name edge} of what the path starts at.
proc paths::starts_match {point starts launch le} {
  if {![llength $point]} { return 1 }
  lassign $point objects edges
  foreach start $starts {
    lassign $start class name edge
    if {$edge ni $edges} continue
    if {[list $class $name] in $objects} { return 1 }
    if {$class eq "pin" && [is_around $objects $name]} { return 1 }
  }
  return [expr {[list clock $launch] in $objects && $le in $edges}]
}

# Is one of the objects a block around a pin?
proc paths::is_around {objects pin} {
  foreach cell [extras::around $pin] { if {[list cell $cell] in $objects} { return 1 } }
  return 0
}

# own: edges that -rise and -fall leave.
proc paths::end_matches {point own pin edge capture ce} {
  if {$edge ni $own} { return 0 }
  if {![llength $point]} { return 1 }
  lassign $point objects edges
  if {$edge in $edges && ([list pin $pin] in $objects || [list port $pin] in $objects || [is_around\
    $objects $pin])} { return 1 }
  return [expr {$capture ne "" && [list clock $capture] in $objects && $ce in $edges}]
}

# What holds for a path at its end, of each kind: multicycle_setup multicycle_hold delay margin
# group -> exception; false -> 1.
proc paths::said {starts points begun launch le pin edge capture ce check} {
  variable exceptions
  set said {}
  foreach e $exceptions {
    if {![end_matches [dict get $e to] [dict get $e edges] $pin $edge $capture $ce]} continue
    if {![starts_match [dict get $e from] $starts $launch $le]} continue
    if {[llength [dict get $e through]] && ![passes [dict get $e through_pins] $points $begun]} \
      continue
    set type [dict get $e type]
    if {$type eq "group_path"} { prefer said group $e; continue }
    if {$type eq "set_multicycle_path"} {
      foreach what [dict get $e checks] { prefer said multicycle_$what $e }
      continue
    }
    if {$check ni [dict get $e checks]} continue
    switch $type {
      set_false_path { dict set said false 1 }
      set_max_delay { if {$check eq "setup"} { prefer said delay $e } }
      set_min_delay { if {$check eq "hold"} { prefer said delay $e } }
      set_path_margin { prefer said margin $e }
    }
  }
  return $said
}

# The more specific, then the tighter, then the later.
proc paths::prefer {saidName what e} {
  upvar 1 $saidName said
  if {[dict exists $said $what]} {
    set have [dict get $said $what]
    set order [expr {[dict get $e rank] - [dict get $have rank]}]
    if {$order == 0 && $what ne "group"} {
      set sign [expr {[dict get $e type] in {set_max_delay set_multicycle_path} ? -1 : 1}]
      set order [expr {$sign * ([dict get $e value] - [dict get $have value])}]
    }
    if {$order < 0 || ($order == 0 && [dict get $e index] < [dict get $have index])} return
  }
  dict set said $what $e
}

# --- ways through the design ----------------------------------------------------------------------

# From a pin's edge to every end: {points late early}, points behind the pin.
proc paths::ways_from {pin edge} {
  variable ways
  upvar #0 enumerate::out out
  if {[info exists ways($pin,$edge)]} { return $ways($pin,$edge) }
  set list {}
  if {[info exists enumerate::ends($pin)]} { lappend list {{} 0.0 0.0} }
  if {[info exists out($pin)]} {
    foreach arc $out($pin) {
      lassign $arc to in to_edge least most role
      if {$in ne $edge || $role ni {wire combinational}} continue
      lappend list {*}[behind $arc $pin]
    }
  }
  return [set ways($pin,$edge) $list]
}

# Over an arc and on.
proc paths::behind {arc pin} {
  lassign $arc to in edge
  set late [enumerate::delay $arc $pin max]
  set early [enumerate::delay $arc $pin min]
  return [lmap way [ways_from $to $edge] {
    list [list $to $edge {*}[lindex $way 0]] [expr {[lindex $way 1] + $late}] \
      [expr {[lindex $way 2] + $early}]
  }]
}

# Over arcs of these roles that leave a pin's edge.
proc paths::launched {pin edge roles} {
  upvar #0 enumerate::out out
  set list {}
  foreach arc $out($pin) {
    if {[lindex $arc 5] in $roles && [lindex $arc 1] eq $edge} {
      lappend list {*}[behind $arc $pin]
    }
  }
  return $list
}

# --- starts ---------------------------------------------------------------------------------------
# A start: side launch le arrival bare from starts points; bare: without latency; from: {clock
# path}, for credit.

proc paths::clock_starts {side} {
  set list {}
  dict for {name pins} $enumerate::paths {
    dict for {pin paths} $pins {
      if {![info exists enumerate::out($pin)]} continue
      foreach first {r f} {
        foreach edge {r f} {
          set some [enumerate::of_edge $paths $first $edge]
          if {![llength $some]} continue
          set times [lsort -real [lmap path $some { enumerate::clock_time $name $path $side }]]
          set at [lindex $times [expr {$side eq "max" ? "end" : 0}]]
          set names [list [list pin $pin $edge] [list cell [file dirname $pin] $edge]]
          foreach way [launched $pin $edge {"Reg Clk to Q" "Latch En to Q"}] {
            lappend list [list $name $first $at 0.0 [list $name [lindex $some 0]] $names \
              [list $pin $edge {*}[lindex $way 0]] $way $names]
          }
        }
      }
    }
  }
  return $list
}

# The worst of what a clock's edge counts with at a port, as data: {time path}, {} where the clock
# does not get to its source.
proc paths::outside {name edge side} {
  set all [lsort -real -index 0 [enumerate::outside $name $edge $side]]
  return [lindex $all [expr {$side eq "max" ? "end" : 0}]]
}

proc paths::port_starts {side} {
  set list {}
  set ports {}
  foreach words [enumerate::words_of input_delay] {
    foreach port [enumerate::names [lindex $words end]] { dict set ports $port 1 }
  }
  foreach port [dict keys $ports] {
    dict for {key values} [enumerate::port_delays input_delay $port] {
      lassign $key name first
      lassign [outside $name $first $side] latency path
      if {$latency eq ""} continue
      foreach edge {r f} {
        if {![dict exists $values $side$edge]} continue
        set given [dict get $values $side$edge]
        set names [list [list port $port $edge]]
        foreach way [ways_from $port $edge] {
          lappend list [list $name $first [expr {$latency + $given}] $given [list $name $path] \
            $names [list $port $edge {*}[lindex $way 0]] $way $names]
        }
      }
    }
  }
  return $list
}

# What borrows at latches: a start with the latest arrival of each of those that launched it.
proc paths::latch_starts {} {
  variable item
  set list {}
  foreach {key items} [array get item] {
    lassign $key pin edge clock first enable opening
    set names [list [list pin $pin $edge] [list cell [file dirname $pin] $edge]]
    set said [concat [list [list pin $enable $opening] \
      [list cell [file dirname $enable] $opening]] $names]
    foreach way [launched $pin $edge {"Latch D to Q"}] {
      set points [list $pin $edge {*}[lindex $way 0]]
      foreach {from at} $items {
        lappend list [list $clock $first $at 0.0 $from $said $points $way $names \
          [list $enable $opening]]
      }
    }
  }
  return $list
}

# --- ends -----------------------------------------------------------------------------------------

# All paths of a side.
proc paths::list_all {side} {
  variable item
  variable found
  variable unsure 0
  array unset item
  set found {}
  foreach start [concat [clock_starts $side] [port_starts $side]] { at_end $side $start }
  if {$side eq "min"} { return [merged] }
  # Latches pass on what borrows, one after the other.
  set first $found
  for {set round 0} 1 {incr round} {
    if {$round > 60} { error "latches do not settle" }
    set before [lsort [array get item]]
    set found $first
    foreach start [latch_starts] { at_end $side $start }
    if {[lsort [array get item]] eq $before} { return [merged] }
  }
}

# Several that differ in nothing but slack are one: the worst.
proc paths::merged {} {
  variable found
  set best {}
  foreach path $found {
    set key [dict remove $path slack]
    if {![dict exists $best $key] || [dict get $best $key slack] > [dict get $path slack]} {
      dict set best $key $path
    }
  }
  return [dict values $best]
}

proc paths::at_end {side start} {
  lassign $start launch le at bare from said_starts points way names gate
  set pin [lindex $points end-1]
  set edge [lindex $points end]
  set delay [lindex $way [expr {$side eq "max" ? 1 : 2}]]
  # To exceptions what borrows begins at the gate, which opens, and at the data pin.
  set said_points [concat $gate $points]
  set begun [expr {[llength $gate] / 2 + 1}]
  set p [dict create side $side launch $launch le $le at [expr {$at + $delay}] bare \
    [expr {$bare + $delay}] from $from \
    said_starts $said_starts said_points $said_points begun $begun points $points starts $names \
    pin $pin edge $edge]
  if {[info exists enumerate::checks($pin)]} { at_checks $p } else { at_output $p }
}

proc paths::at_checks {p} {
  dict with p {}
  set roles [expr {$side eq "max" ? {setup recovery} : {hold removal}}]
  foreach check $enumerate::checks($pin) {
    lassign $check clock_pin role clock_edge data_edge margin
    if {$role ni $roles || $data_edge ne $edge} continue
    dict set p role $role
    dict set p margin [expr {$margin * [enumerate::derate $pin $role $side 0 $edge]}]
    dict set p clock_pin $clock_pin
    set borrows [expr {$role eq "setup" && [enumerate::is_latch_data $pin]}]
    dict for {capture pins} $enumerate::paths {
      if {![dict exists $pins $clock_pin]} continue
      foreach ce {r f} {
        dict set p capture $capture
        dict set p ce $ce
        dict set p opening [expr {$borrows ? [string map {r f f r} $clock_edge] : $clock_edge}]
        set p_paths [enumerate::of_edge [dict get $pins $clock_pin] $ce [dict get $p opening]]
        # Where uncertainty is given at pins each clock path has its own.
        set choices [expr {[llength [enumerate::words_of pin_part]] ? [lmap one $p_paths\
          { list $one }] : [list $p_paths]}]
        foreach some $choices {
          if {[llength $some]} {
            at_capture [dict replace $p paths $some borrows $borrows all \
              [dict get $pins $clock_pin]]
          }
        }
      }
    }
  }
}

# The clock's edge where it captures: the worst of its paths there.
proc paths::due {p} {
  dict with p {}
  set times [lsort -real [lmap path $paths \
    { enumerate::clock_time $capture $path [expr {$side eq "max" ? "min" : "max"}] }]]
  return [lindex $times [expr {$side eq "max" ? 0 : "end"}]]
}

# The clock's edge that -rise_to and -fall_to mean: of a latch that its data borrows from the one
# that closes it.
proc paths::checked_edge {p} {
  set latch [expr {[dict exists $p borrows] && [dict get $p borrows]}]
  return [expr {$latch ? [string map {r f f r} [dict get $p ce]] : [dict get $p ce]}]
}

proc paths::at_capture {p} {
  dict with p {}
  set check [expr {$side eq "max" ? "setup" : "hold"}]
  set said [said $said_starts $said_points $begun $launch $le $pin $edge $capture \
    [checked_edge $p] $check]
  if {[dict exists $said false]} return
  set due [due $p]
  set uncertainty [enumerate::uncertainty $launch $capture $check [lindex $paths 0]]
  set credit [enumerate::credit {*}$from $capture [lindex $paths 0]]
  set extra [expr {[dict exists $said margin] ? [dict get $said margin value] : 0}]
  set arrival $at
  set group [expr {$role in {recovery removal} ? "asynchronous" : $capture}]
  set given 0
  if {[dict exists $said delay]} {
    set distance [dict get $said delay value]
    set group $capture
    set given 1
    if {[dict get $said delay ignore]} {
      set arrival $bare
      set due 0
      set uncertainty 0
      set credit 0
      set group "path delay"
    }
  } else {
    set other [expr {$borrows ? [string map {r f f r} $ce] : $ce}]
    set distance [expr {[enumerate::distance $launch $le $capture $other $check] + [moved $said\
      $launch $capture $check]}]
    if {$borrows} { set distance [expr {$distance - [pulse $capture $ce]}] }
  }
  if {[dict exists $said group]} { set group [dict get $said group value] }
  if {$borrows} {
    set open [expr {$distance + $due - $uncertainty - $extra}]
    lassign [expr {$given ? [list 0 ""] : [window $p $due]}] window closes
    set credit_late [expr {$closes eq "" ? $credit : [enumerate::credit {*}$from $capture $closes]}]
    set limit [expr {$open + $window}]
    set time [expr {$arrival - $credit}]
    set time_late [expr {$arrival - $credit_late}]
    set slack [enumerate::latch_slack $open $limit $time $time_late]
    if {$time > $open} {
      borrow $p [expr {min($arrival, $limit + $credit_late) - $distance}] \
        [expr {$time_late > $limit}]
    }
  } elseif {$side eq "max"} {
    set slack [expr {$distance + $due - $uncertainty - $extra - $margin + $credit - $arrival}]
  } else {
    set slack [expr {$arrival - ($distance + $due + $uncertainty + $extra + $margin - $credit)}]
  }
  take $p $group $slack
}

# What multicycles add to capture less launch.
proc paths::moved {said launch capture check} {
  set sum 0
  if {[dict exists $said multicycle_setup]} {
    set e [dict get $said multicycle_setup]
    set clock [expr {[dict get $e side] eq "-start" ? $launch : $capture}]
    set sum [expr {([dict get $e value] - 1) * [lindex $enumerate::clock($clock) 0]}]
  }
  if {$check eq "setup" || ![dict exists $said multicycle_hold]} { return $sum }
  set e [dict get $said multicycle_hold]
  set clock [expr {[dict get $e side] eq "-end" ? $capture : $launch}]
  return [expr {$sum - [dict get $e value] * [lindex $enumerate::clock($clock) 0]}]
}

# From a clock's edge to its other one.
proc paths::pulse {name edge} {
  set width [expr {[enumerate::edge_time $name [string map {r f f r} $edge]] -\
    [enumerate::edge_time $name $edge]}]
  return [expr {$width <= 0 ? $width + [lindex $enumerate::clock($name) 0] : $width}]
}

# How long a latch's data may borrow, and a path of the closing edge where that says it.
proc paths::window {p due} {
  dict with p {}
  set window [enumerate::borrowed $pin $clock_pin $capture]
  if {$window ne ""} { return [list $window ""] }
  set closes [enumerate::of_edge $all [string map {r f f r} $ce] [string map {r f f r} $opening]]
  set window [expr {[pulse $capture $ce] - $margin + ([llength $closes] ? [enumerate::earliest\
    $capture $closes] - $due : 0)}]
  return [list $window [lindex $closes 0]]
}

proc paths::borrow {p start late} {
  variable item
  variable unsure
  dict with p {}
  set key [list $pin $edge $capture $ce $clock_pin $opening]
  set items [expr {[info exists item($key)] ? $item($key) : {}}]
  if {$late && $enumerate::cppr && [dict size $items] > [dict exists $items $from]} { set unsure 1 }
  if {![dict exists $items $from] || [dict get $items $from] < $start - 1e-12} {
    dict set items $from $start
  }
  set item($key) $items
}

# Output delays; a path delay needs none.
proc paths::at_output {p} {
  dict with p {}
  set check [expr {$side eq "max" ? "setup" : "hold"}]
  set captured 0
  dict for {key values} [enumerate::port_delays output_delay $pin] {
    lassign $key capture ce
    if {![dict exists $values $side$edge]} continue
    set captured 1
    set external [dict get $values $side$edge]
    set said [said $said_starts $said_points $begun $launch $le $pin $edge $capture $ce $check]
    if {[dict exists $said false]} continue
    if {[dict exists $said delay]} { path_delay $p $said $external $capture $ce; continue }
    set other [expr {$side eq "max" ? "min" : "max"}]
    lassign [outside $capture $ce $other] due path
    if {$due eq ""} continue
    set credit [enumerate::credit {*}$from $capture $path]
    set extra [expr {[dict exists $said margin] ? [dict get $said margin value] : 0}]
    set extra [expr {$extra + [enumerate::uncertainty $launch $capture $check]}]
    set distance [expr {[enumerate::distance $launch $le $capture $ce $check] + [moved $said\
      $launch $capture $check]}]
    set slack [expr {$side eq "max" ? $distance + $due - $extra - $external - $at + $credit : $at -\
      ($distance + $due + $extra - $external - $credit)}]
    take [dict replace $p capture $capture ce $ce] \
      [expr {[dict exists $said group] ? [dict get $said group value] : $capture}] $slack
  }
  if {$captured} return
  set said [said $said_starts $said_points $begun $launch $le $pin $edge "" "" $check]
  if {[dict exists $said delay] && ![dict exists $said false]} { path_delay $p $said 0 "" "" }
}

# A delay asked for at an output says all but what is outside.
proc paths::path_delay {p said external capture ce} {
  dict with p {}
  set arrival [expr {[dict get $said delay ignore] ? $bare : $at}]
  set extra [expr {[dict exists $said margin] ? [dict get $said margin value] : 0}]
  set delay [dict get $said delay value]
  set slack [expr {$side eq "max" ? $delay - $extra - $external - $arrival : $arrival - ($delay +\
    $extra - $external)}]
  take [dict replace $p capture $capture ce $ce] \
    [expr {[dict exists $said group] ? [dict get $said group value] : "path delay"}] $slack
}

proc paths::take {p group slack} {
  variable found
  lappend found [dict create slack $slack group $group points [dict get $p points] launch \
    [dict get $p launch] le [dict get $p le] \
    capture [dict get $p capture] ce [dict get $p ce] checked [checked_edge $p] starts \
    [dict get $p starts] kind [expr {[dict exists $p role] ? [dict get $p role] : "output"}]]
}

# --- queries --------------------------------------------------------------------------------------

proc paths::draw_queries {case} {
  variable queries
  lassign $case constraints::design constraint
  set constraints::switches crashing
  set constraints::clocks [constraints::clock_names $constraint]
  set groups [concat [constraints::clock_names $constraint] p0 p1 asynchronous {{path delay}}]
  set out {}
  for {set i 0} {$i < $queries} {incr i} {
    set words [list get_timing_paths -delay_type \
      [random::pick {max max min min max_rise max_fall min_rise min_fall}]]
    lappend words -max_paths [random::pick {1 2 5 20 100 1000000}] -nworst \
      [random::pick {1 2 2 5 1000000}]
    if {[random::chance 0.6]} { lappend words {*}[constraints::path] }
    if {[random::chance 0.15]} { lappend words -slack_lesser_than [random::hundredth -1 1] }
    if {[random::chance 0.15]} { lappend words -slack_greater_than [random::hundredth -1 0.5] }
    if {[random::chance 0.15]} { lappend words -group [random::some $groups [random::between 1 2]] }
    if {[random::chance 0.2]} { lappend words -unique_pins }
    lappend out $words
  }
  return $out
}

proc paths::query_text {words} {
  return [join [lmap word $words \
    { expr {[lindex $word 0] eq "@" ? [constraints::word_text $word] : [list $word]} }]]
}

# The option that stands alone would swallow a word.
proc paths::parse_query {words} {
  set unique [lsearch -exact $words -unique_pins]
  if {$unique >= 0} { set words [lreplace $words $unique $unique] }
  return [dict replace [parse $words] unique [expr {$unique >= 0}]]
}

proc paths::option {query name default} {
  return [expr {[dict exists $query options $name] ? [dict get $query options $name] : $default}]
}

# Paths that a query is about, of those that are listed.
proc paths::asked {query all} {
  lassign [split [option $query -delay_type max] _] side edge
  set edges [expr {$edge eq "" ? {r f} : [string index $edge 0]}]
  set lists [lmap point [dict get $query through] { through_pins $point }]
  set groups [option $query -group ""]
  set out {}
  foreach path [dict get $all $side] {
    set points [dict get $path points]
    if {[lindex $points end] ni $edges || ($groups ne "" && [dict get $path group] ni $groups)} \
      continue
    if {![end_matches [dict get $query to] {r f} [lindex $points end-1] [lindex $points end] [dict\
      get $path capture] [dict get $path checked]]} continue
    if {![starts_match [dict get $query from] [dict get $path starts] [dict get $path launch] [dict\
      get $path le]]} continue
    if {[llength $lists] && ![passes $lists $points 1]} continue
    lappend out [list [dict get $path slack] [lindex $points end-1] [dict get $path group] $path]
  }
  return [lsort -real -index 0 $out]
}

proc paths::pins_of {points} { return [lmap {pin edge} $points { set pin }] }

# Those left of a sorted list: of each set of pins to an end the worst.
proc paths::unique {list} {
  set seen {}
  return [lmap entry $list {
    set key [list [lindex $entry 2] [pins_of [dict get [lindex $entry 3] points]]]
    if {[dict exists $seen $key]} continue
    dict set seen $key 1
    set entry
  }]
}

# Of each end point and group the worst n, of them those within the limits of slack.
proc paths::expected {query list} {
  set n [option $query -nworst 1]
  set least [option $query -slack_greater_than -1e30]
  set most [option $query -slack_lesser_than 1e30]
  set count {}
  set out {}
  foreach entry $list {
    lassign $entry slack end group
    if {$slack >= $most} break
    if {[dict exists $count $end/$group] && [dict get $count $end/$group] >= $n} continue
    dict incr count $end/$group
    if {$slack <= $least} continue
    lappend out $entry
  }
  return [lrange $out 0 [option $query -max_paths 1]-1]
}

proc paths::close {a b} {
  variable tolerance
  variable relative
  return [expr {abs($a - $b) <= max($tolerance, $relative * max(abs($a), abs($b)))}]
}

proc paths::key {path} {
  return [list [dict get $path group] [dict get $path launch] [dict get $path le] \
    [dict get $path points]]
}

# What is wrong with an answer: "" or a line.
proc paths::wrong {words answer all} {
  set query [parse_query $words]
  set list [asked $query $all]
  set pool {}
  foreach entry $list { dict lappend pool [key [lindex $entry 3]] [lindex $entry 0] }
  if {[dict get $query unique]} { set list [unique $list] }
  set wanted [expected $query $list]
  set last -1e30
  set count {}
  foreach path $answer entry $wanted {
    if {$path eq ""} {
      return "too few paths ([llength $answer] of [llength $wanted]): [lindex $entry 0]\
        [lindex $entry 3]"
    }
    lassign $path group slack check launch le capture ce points
    set at [list $group $launch $le $points]
    if {![dict exists $pool $at]} { return "not a path: $path" }
    set slacks [dict get $pool $at]
    set i 0
    while {$i < [llength $slacks] && ![close [lindex $slacks $i] $slack]} { incr i }
    if {$i == [llength $slacks]} {
      return "slack $slack, listed [expr {[llength $slacks] ? $slacks : {no more}}]: $path"
    }
    dict set pool $at [lreplace $slacks $i $i]
    if {$slack < $last} { return "out of order: $path" }
    set last $slack
    if {$entry eq ""} { return "too many paths ([llength $answer] of [llength $wanted]): $path" }
    if {![close $slack [lindex $entry 0]]} {
      return "slack $slack where [lindex $entry 0] follows, of [lindex $entry 3]: $path"
    }
    set end [lindex $points end-1]/$group
    dict incr count $end
    if {[dict get $count $end] > [option $query -nworst 1]} { return "too many to an end: $path" }
    if {[dict get $query unique]} {
      set pins [pins_of $points]
      if {[dict exists $count [list $group $pins]]} { return "the same pins again: $path" }
      dict set count [list $group $pins] 1
    }
  }
  return ""
}

# --- running --------------------------------------------------------------------------------------

proc paths::prepare {case folder} {
  variable design [lindex $case 0]
  variable loads
  variable ways
  array unset loads
  array unset ways
  dict for {name cell} [dict get $design cells] {
    lassign $cell block master pins
    foreach pin [netlist::input_pins [netlist::kind $master]] {
      lappend loads([dict get $pins $pin]) $name/$pin
    }
    foreach pin [netlist::output_pins [netlist::kind $master]] {
      if {[dict get $pins $pin] ne ""} { lappend loads([dict get $pins $pin]) }
    }
  }
  foreach port [netlist::ports_of $design output] { lappend loads($port) $port }
  enumerate::prepare $case $folder/tables
  foreach pin [array names enumerate::out] {
    set enumerate::out($pin) [arcs_merged $enumerate::out($pin)]
  }
  foreach port [netlist::ports_of $design output] { set enumerate::ends($port) 1 }
  read_exceptions [lindex $case 1]
}

# Conditions of one arc are one way, the latest and the earliest of them.
proc paths::arcs_merged {arcs} {
  set all {}
  foreach arc $arcs {
    lassign $arc to in edge least most role
    set key [list $to $in $edge $role]
    if {[dict exists $all $key]} {
      lassign [dict get $all $key] least0 most0
      set least [expr {min($least, $least0)}]
      set most [expr {max($most, $most0)}]
    }
    dict set all $key [list $least $most]
  }
  set out {}
  dict for {key delays} $all { lappend out [list {*}[lrange $key 0 2] {*}$delays [lindex $key 3]] }
  return $out
}

# Answers: case -> {query -> list of paths, or an error}.
proc paths::parse_output {text} {
  set out {}
  foreach line [split $text \n] {
    if {![regexp {^=(\w+) ?(.*)$} $line all word rest]} continue
    switch $word {
      case { set case $rest; dict set out $case done 0 }
      rejected { dict set out $case rejected $rest }
      query {
        set number [lindex [split $rest] 0]
        if {$rest ne $number} {
          dict set out $case error$number $rest
        } else { set found([list $case $number]) {} }
      }
      path { lappend found([list $case $number]) $rest }
      done { dict set out $case done 1 }
    }
  }
  foreach {key list} [array get found] { dict set out {*}$key $list }
  return $out
}

# Differences of each case: {query what} ...; and how many paths were compared, were listed, and
# queries were asked.
proc paths::differences {cases folders} {
  variable counts
  variable unsure
  set queries [lmap case $cases { draw_queries $case }]
  set unsure 0
  foreach list $queries folder $folders {
    programs::write $folder/queries [join [lmap words $list { query_text $words }] \n]
  }
  set text [programs::path_output cpu $folders 1]
  set other [programs::path_output $programs::engine $folders 0]
  set answers [parse_output $text]
  set others [expr {$text eq $other ? $answers : [parse_output $other]}]
  set out {}
  set counts {}
  foreach case $cases folder $folders list $queries {
    if {![dict exists $answers $folder]} {
      error "the program does not run: [string range $text end-800 end]"
    }
    set answer [dict get $answers $folder]
    set all [dict create max {} min {}]
    if {[dict get $answer done] && ![dict exists $answer rejected]} {
      prepare $case $folder
      foreach side {min max} { dict set all $side [list_all $side] }
      if {$unsure} {
        set list [lmap words $list {
          if {[string match max* [lindex $words 2]]} { set words {} }; set words
        }]
      }
    }
    lappend out [differences_of $answer \
      [expr {[dict exists $others $folder] ? [dict get $others $folder] : ""}] $list $all]
    set paths 0
    set number 0
    foreach words $list {
      if {[dict exists $answer $number]} {
        incr paths [llength [dict get $answer $number]]
      }; incr number
    }
    lappend counts [list $paths \
      [expr {[llength [dict get $all max]] + [llength [dict get $all min]]}] \
      [llength [lsearch -all -not $list {}]]]
  }
  return $out
}

proc paths::differences_of {answer other list all} {
  if {[dict exists $answer rejected]} {
    return [list [list {} "rejected: [dict get $answer rejected]"]]
  }
  if {![dict get $answer done]} { return [list [list {} crashed]] }
  set out {}
  if {$other ne $answer} {
    lappend out [list {} "engines differ: [expr {$other eq "" ? "crashed" : "see both"}]"]
  }
  set number 0
  foreach words $list {
    if {![llength $words]} { incr number; continue }
    if {[dict exists $answer error$number]} { set what "error: [dict get $answer error$number]" } \
      else { set what [wrong $words [dict get $answer $number] $all] }
    if {$what ne ""} { lappend out [list $words $what] }
    incr number
  }
  return $out
}
