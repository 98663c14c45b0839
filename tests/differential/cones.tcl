# What of a case's structure the rules of known.tcl ask for: constant nets, the fan-in of a pin.

namespace eval cones {
  # Functions of what constants reach; x is unknown.  An expression in 0, 1 and x, by output pin.
  variable functions {
    inv {Y {not A}} buf {Y {copy A}} ckinv {Y {not A}} ckbuf {Y {copy A}} and2 {Y {and A B}} or2\
    {Y {or A B}}
    nand2 {Y {nand A B}} nand3 {Y {nand A B C}} nor2 {Y {nor A B}} aoi21 {Y {aoi A B C}} oai21\
    {Y {oai A B C}}
    xor2 {Y {xor A B}} xnor2 {Y {xnor A B}} mux2 {Y {mux A B S}} fa\
    {S {sum A B CI} CO {carry A B CI}} tie0 {Y {zero}} tie1 {Y {one}}
  }
}

proc cones::op_zero {} { return 0 }
proc cones::op_one {} { return 1 }
proc cones::op_copy {a} { return $a }
proc cones::op_not {a} { return [string map {0 1 1 0} $a] }
proc cones::op_and {args} { return [expr {0 in $args ? 0 : "x" in $args ? "x" : 1}] }
proc cones::op_or {args} { return [expr {1 in $args ? 1 : "x" in $args ? "x" : 0}] }
proc cones::op_nand {args} { return [op_not [op_and {*}$args]] }
proc cones::op_nor {args} { return [op_not [op_or {*}$args]] }
proc cones::op_aoi {a b c} { return [op_not [op_or [op_and $a $b] $c]] }
proc cones::op_oai {a b c} { return [op_not [op_and [op_or $a $b] $c]] }
proc cones::op_xor {a b} { return [expr {$a eq "x" || $b eq "x" ? "x" : $a ^ $b}] }
proc cones::op_xnor {a b} { return [op_not [op_xor $a $b]] }
proc cones::op_mux {a b s} { return [expr {$s eq "0" ? $a : $s eq "1" ? $b : $a eq $b ? $a : "x"}] }
proc cones::op_sum {a b c} { return [op_xor [op_xor $a $b] $c] }
proc cones::op_carry {a b c} { return [op_or [op_and $a $b] [op_and $a $c] [op_and $b $c]] }

# What is asked of one case follows one another: the last case's answers are kept.
proc cones::of {case} {
  variable last
  variable known
  if {[info exists last] && $last eq $case} return
  set last $case
  array unset known
}

# Pins and ports with set_case_analysis: name -> value.
proc cones::cases {list} {
  set out {}
  foreach constraint $list {
    lassign $constraint kind words
    if {$kind ne "case"} continue
    foreach object [lrange [lindex $words end] 1 end] {
      dict set out [lindex $object 1] [lindex $words end-1]
    }
  }
  return $out
}

# net -> 0 or 1, of those that are constant.
proc cones::constants {case} {
  variable functions
  variable known
  of $case
  if {[info exists known(constants)]} { return $known(constants) }
  lassign $case design list
  set given [cases $list]
  set nets {0 0 1 1}
  foreach port [dict keys [dict get $design ports]] {
    if {[dict exists $given $port]} { dict set nets $port [dict get $given $port] }
  }
  while 1 {
    set before $nets
    dict for {name cell} [dict get $design cells] {
      lassign $cell block master connections
      set kind [netlist::kind $master]
      if {![dict exists $functions $kind]} continue
      dict for {output function} [dict get $functions $kind] {
        set value [op_[lindex $function 0] \
          {*}[lmap pin [lrange $function 1 end] { value_at $nets $given $name $connections $pin }]]
        set net [dict get $connections $output]
        if {$value ne "x" && $net ne ""} { dict set nets $net $value }
      }
    }
    if {$nets eq $before} break
  }
  set known(given) $given
  return [set known(constants) $nets]
}

proc cones::value_at {nets given cell connections pin} {
  set net [dict get $connections $pin]
  if {[dict exists $given $cell/$pin] && [dict get $given $cell/$pin] in {0 1}} {
    return [dict get $given $cell/$pin]
  }
  return [expr {[dict exists $nets $net] && [dict get $nets $net] in {0 1} ? [dict get $nets $net]\
    : "x"}]
}

# The value of an input pin of a cell: 0, 1 or x.
proc cones::value {case cell pin} {
  variable known
  set nets [constants $case]
  return [value_at $nets $known(given) $cell [lindex [dict get [lindex $case 0] cells $cell] 2] \
    $pin]
}

# Cells and ports in front of a pin or port: through registers' and latches' clock pins too, and
# through gates that a latch or a register feeds, but not through registers' data pins.
proc cones::fanin {case pin} {
  variable known
  of $case
  set key [list fanin $pin]
  if {[info exists known($key)]} { return $known($key) }
  set design [lindex $case 0]
  set drivers [drivers $case]
  set seen {}
  set nets [list [net_at $design $pin]]
  while {[llength $nets]} {
    set nets [lassign $nets net]
    if {![dict exists $drivers $net]} continue
    set from [dict get $drivers $net]
    if {[dict exists $seen $from]} continue
    dict set seen $from 1
    if {![dict exists $design cells $from]} continue
    lassign [dict get $design cells $from] block master connections
    set kind [netlist::kind $master]
    foreach input [netlist::input_pins $kind] {
      if {[netlist::is_register $kind] && $input eq "D"} continue
      lappend nets [dict get $connections $input]
    }
  }
  return [set known($key) [dict keys $seen]]
}

# The net at a pin of a cell, or a port's.
proc cones::net_at {design pin} {
  if {[dict exists $design ports $pin]} { return $pin }
  return [dict get [lindex [dict get $design cells [file dirname $pin]] 2] [file tail $pin]]
}

# net -> the cell that drives it, or the input port.
proc cones::drivers {case} {
  variable known
  of $case
  if {[info exists known(drivers)]} { return $known(drivers) }
  set out {}
  set design [lindex $case 0]
  foreach port [netlist::ports_of $design input] { dict set out $port $port }
  dict for {name cell} [dict get $design cells] {
    lassign $cell block master connections
    foreach pin [netlist::output_pins [netlist::kind $master]] {
      if {[dict get $connections $pin] ne ""} { dict set out [dict get $connections $pin] $name }
    }
  }
  return [set known(drivers) $out]
}

# Cells in front of a pin that have a constant input and an output which still changes.
proc cones::half_constant {case pin} {
  set out {}
  lassign $case design list
  set nets [constants $case]
  set end [expr {[dict exists $design ports $pin] ? "" : [file dirname $pin]}]
  set clocks {}
  if {$end ne ""} {
    lassign [dict get $design cells $end] block master connections
    foreach clock {CK G} { if {[dict exists $connections $clock]} { lappend clocks $end/$clock } }
  }
  foreach cell [lsort -unique \
    [concat {*}[lmap at [concat [list $pin] $clocks] { fanin $case $at }]]] {
    if {![dict exists $design cells $cell]} continue
    lassign [dict get $design cells $cell] block master connections
    set kind [netlist::kind $master]
    if {[netlist::is_register $kind] || $kind in {latch icg tie0 tie1}} continue
    set values [lmap input [netlist::input_pins $kind] { value $case $cell $input }]
    if {"x" in $values && ("0" in $values || "1" in $values)} { lappend out $cell }
  }
  return $out
}

# Does a path end at an input of a gate, because constants or set_disable_timing switch off all that
# leads on?
proc cones::ends_at {case pin} {
  variable functions
  lassign $case design list
  set cell [file dirname $pin]
  set input [file tail $pin]
  set kind [netlist::kind [lindex [dict get $design cells $cell] 1]]
  if {![dict exists $functions $kind]} { return 0 }
  return [expr {[is_disabled $list $cell $input] || ![can_change $case $cell $kind $input]}]
}

proc cones::is_disabled {list cell input} {
  foreach constraint $list {
    lassign $constraint kind words
    if {$kind ne "disable"} continue
    set objects [lrange [lindex $words end] 1 end]
    set from [constraints::option $words -from]
    if {[list pin $cell/$input] in $objects || ([list cell $cell] in $objects && $from in [list ""\
      $input])} { return 1 }
  }
  return 0
}

# Can an input change an output, constants being as they are?
proc cones::can_change {case cell kind input} {
  variable functions
  set others [lmap pin [netlist::input_pins $kind] { if {$pin eq $input} continue; set pin }]
  set assignments {{}}
  foreach pin $others {
    set value [value $case $cell $pin]
    set assignments [concat {*}[lmap values $assignments {
      lmap bit [expr {$value eq "x" ? {0 1} : $value}] { dict merge $values [list $pin $bit] }
    }]]
  }
  dict for {output function} [dict get $functions $kind] {
    foreach values $assignments {
      set results [lmap bit {0 1} {
        set all [dict merge $values [list $input $bit]]
        op_[lindex $function 0] {*}[lmap pin [lrange $function 1 end] { dict get $all $pin }]
      }]
      if {[lindex $results 0] ne [lindex $results 1]} { return 1 }
    }
  }
  return 0
}

# Does anything read a net, other than pins that constants hold?
proc cones::is_read {case net} {
  dict for {name cell} [dict get [lindex $case 0] cells] {
    lassign $cell block master connections
    foreach pin [netlist::input_pins [netlist::kind $master]] {
      if {[dict get $connections $pin] eq $net && [value $case $name $pin] eq "x"} { return 1 }
    }
  }
  return 0
}

# Does a net lead to a launching clock pin, itself or through gates that it can change?
proc cones::leads_to_clock {case net {passed {}}} {
  if {$net in $passed || $net in {0 1 ""}} { return 0 }
  lappend passed $net
  dict for {name cell} [dict get [lindex $case 0] cells] {
    lassign $cell block master connections
    set kind [netlist::kind $master]
    set storage [expr {[netlist::is_register $kind] || $kind eq "latch"}]
    foreach pin [netlist::input_pins $kind] {
      if {[dict get $connections $pin] ne $net} continue
      if {$storage && $pin in {CK G}} { return 1 }
      if {$storage || ($kind eq "icg" && $pin ne "CK") || ($kind ne "icg" && [ends_at $case\
        $name/$pin])} continue
      foreach output [netlist::output_pins $kind] {
        if {[leads_to_clock $case [dict get $connections $output] $passed]} { return 1 }
      }
    }
  }
  return 0
}

# The drivers that objects of -through stand for; of loads these themselves as well.
proc cones::passed {case objects} {
  set design [lindex $case 0]
  set out {}
  foreach object $objects {
    lassign $object class name
    switch $class {
      cell {
        foreach pin [netlist::output_pins \
          [netlist::kind [lindex [dict get $design cells $name] 1]]] { lappend out $name/$pin }
      }
      net {
        dict for {cell data} [dict get $design cells] {
          foreach {pin net} [lindex $data 2] { if {$net eq $name} { lappend out $cell/$pin } }
        }
      }
      default { lappend out $name }
    }
  }
  return [lsort -unique $out]
}

# Does the network to the clock pin of a pin's cell part and meet again: does a gate of it have
# clocks at more than one input?
proc cones::parts {case pin} {
  set design [lindex $case 0]
  set cell [file dirname $pin]
  if {![dict exists $design cells $cell]} { return 0 }
  set connections [lindex [dict get $design cells $cell] 2]
  set from {}
  foreach clock {CK G A B C S CI} {
    if {[dict exists $connections $clock]} {
      lappend from $cell/$clock; if {$clock in {CK G}} break
    }
  }
  set roots [dict get $design roots]
  foreach at [lsort -unique [concat {*}[lmap end $from { fanin $case $end }]]] {
    if {![dict exists $design cells $at]} continue
    lassign [dict get $design cells $at] block master inputs
    set count 0
    foreach input [netlist::input_pins [netlist::kind $master]] {
      foreach root [concat $roots [cells_below $design]] {
        if {$root in [fanin $case $at/$input]} { incr count; break }
      }
    }
    if {$count > 1} { return 1 }
  }
  return 0
}

# Clocks may begin at these cells besides ports.
proc cones::cells_below {design} { return [netlist::cells_of $design {ckbuf ckinv icg}] }

# How the network inverts from a port to an output pin: {stored senses}; stored: over a register,
# whose clock pin the senses (0, 1 or both; none where nothing leads there) are then of.
proc cones::made {case pin source} {
  set senses [senses $case $pin $source]
  if {[llength $senses]} { return [list 0 $senses] }
  set design [lindex $case 0]
  set seen {}
  set cells [list [file dirname $pin]]
  while {[llength $cells]} {
    set cells [lassign $cells cell]
    if {$cell in $seen || ![dict exists $design cells $cell]} continue
    lappend seen $cell
    lassign [dict get $design cells $cell] block master connections
    if {[netlist::is_register [netlist::kind $master]]} {
      return [list 1 [senses_at $case [dict get $connections CK] $source {}]]
    }
    foreach input [netlist::input_pins [netlist::kind $master]] {
      set net [dict get $connections $input]
      if {[dict exists [drivers $case] $net]} { lappend cells [dict get [drivers $case] $net] }
    }
  }
  return {0 {}}
}

# How gates invert from a port to an output pin: 0, 1 or both; {} where none lead there.
proc cones::senses {case pin source {seen {}}} {
  set design [lindex $case 0]
  set cell [file dirname $pin]
  if {![dict exists $design cells $cell] || $cell in $seen} { return {} }
  lappend seen $cell
  lassign [dict get $design cells $cell] block master connections
  set kind [netlist::kind $master]
  if {[netlist::is_register $kind] || $kind in {latch tie0 tie1}} { return {} }
  set out {}
  foreach input [netlist::input_pins $kind] {
    if {$kind eq "icg" && $input ne "CK"} continue
    foreach sense [senses_at $case [dict get $connections $input] $source $seen] {
      if {$kind in {xor2 xnor2 fa} || ($kind eq "mux2" && $input eq "S")} { lappend out 0 1 } else {
        lappend out [expr {$sense ^ ($kind in {inv ckinv nand2 nand3 nor2 aoi21 oai21})}]
      }
    }
  }
  return [lsort -unique $out]
}

# Clock edges {clock sense} that a net has from clocks' sources, sense 1 being the falling one;
# nothing over registers.
proc cones::clock_edges {case net {seen {}}} {
  lassign $case design list
  set from [expr {[dict exists [drivers $case] $net] ? [dict get [drivers $case] $net] : ""}]
  if {$from eq "" || $from in $seen} { return {} }
  lappend seen $from
  set out {}
  foreach name [constraints::clock_names $list] {
    foreach object [lrange [lindex [constraints::clock_words $list $name] end] 1 end] {
      if {[lindex $object 0] in {port pin} && [net_at $design [lindex $object 1]] eq $net} {
        lappend out [list $name 0]
      }
    }
  }
  if {[llength $out] || ![dict exists $design cells $from]} { return $out }
  lassign [dict get $design cells $from] block master connections
  set kind [netlist::kind $master]
  if {[netlist::is_register $kind] || $kind in {latch tie0 tie1}} { return {} }
  foreach input [netlist::input_pins $kind] {
    if {$kind eq "icg" && $input ne "CK"} continue
    foreach edge [clock_edges $case [dict get $connections $input] $seen] {
      lassign $edge name sense
      if {$kind in {xor2 xnor2 fa} || ($kind eq "mux2" && $input eq "S")} {
        lappend out [list $name 0] [list $name 1]; continue
      }
      lappend out [list $name [expr {$sense ^ ($kind in {inv ckinv nand2 nand3 nor2 aoi21 oai21})}]]
    }
  }
  return [lsort -unique $out]
}

# What launches the data that gets to a pin: clock edges of registers and latches, {input PORT},
# {data CLOCK SENSE} for that go on as data; "none" for registers that no clock reaches.
proc cones::launches {case pin} {
  set design [lindex $case 0]
  set nets [list [net_at $design $pin]]
  set seen {}
  set out {}
  while {[llength $nets]} {
    set nets [lassign $nets net]
    if {$net in $seen || $net in {0 1 ""}} continue
    lappend seen $net
    set from [expr {[dict exists [drivers $case] $net] ? [dict get [drivers $case] $net] : ""}]
    set clocks [clock_edges $case $net]
    if {[llength $clocks]} { foreach edge $clocks { lappend out [list data {*}$edge] }; continue }
    if {![dict exists $design cells $from]} { lappend out [list input $from]; continue }
    lassign [dict get $design cells $from] block master connections
    set kind [netlist::kind $master]
    if {[netlist::is_register $kind] || $kind eq "latch"} {
      set edges [clock_edges $case [dict get $connections [expr {$kind eq "latch" ? "G" : "CK"}]]]
      lappend out {*}[expr {[llength $edges] ? $edges : "none"}]
      if {$kind ne "latch"} continue
    }
    foreach input [netlist::input_pins $kind] { lappend nets [dict get $connections $input] }
  }
  return [lsort -unique $out]
}

# The same to a net.
proc cones::senses_at {case net source seen} {
  if {$net eq $source} { return 0 }
  if {$net eq "" || ![dict exists [drivers $case] $net]} { return {} }
  return [senses $case [dict get [drivers $case] $net]/Y $source $seen]
}
