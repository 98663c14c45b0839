# Constructs that only -kinds asks for: a case has them beside what its seed makes without them.
#
#   ratio         two clocks whose periods differ by a factor of a thousand and more
#   check_off     set_disable_timing that takes out checks of registers
#   pin_part      uncertainty at pins of clock networks, for setup or hold alone
#   hierarchical  derates of blocks; in exceptions blocks and their pins (-paths)
#   clock_point   exceptions through clock pins of registers (-paths)

namespace eval extras {}

proc extras::make {design kinds list} {
  set constraints::design $design
  set constraints::list $list
  foreach kind {ratio check_off pin_part hierarchical} {
    if {$kind in $kinds} { make_$kind $design }
  }
  return $constraints::list
}

# Another of the clocks that are there becomes slow; times of a waveform stay.  Not beside latches:
# what they lend counts from a launch that may be a period ago, in floats, of which little is left
# behind the point then.
proc extras::make_ratio {design} {
  if {[llength [constraints::cells latch]]} return
  set places {}
  set i -1
  foreach constraint $constraints::list {
    incr i
    if {[lindex $constraint 0] in {clock clock_add clock_virtual}} { lappend places $i }
  }
  if {![llength $places]} return
  set place [random::pick $places]
  lassign [lindex $constraints::list $place] kind words
  set fast [constraints::option [lindex $constraints::list [random::pick $places] 1] -period]
  set at [expr {[lsearch -exact $words -period] + 1}]
  lset words $at [format %.2f [expr {$fast * [random::pick {1000 1001 1024 1500.5 3000}]}]]
  lset constraints::list $place [list $kind $words]
}

# Setup and hold of a register's data, by one of the ways to say so.
proc extras::make_check_off {design} {
  foreach cell [random::some [constraints::registers] [random::between 1 3]] {
    constraints::add check_off set_disable_timing {*}[switch [random::between 0 2] {
      0 { list -from CK -to D [constraints::objects cell $cell] }
      1 { list -to D [constraints::objects cell $cell] }
      2 { list [constraints::objects pin $cell/D] }
    }]
  }
}

# At one pin before another, so that one value is inherited and another not.  What a latch lends is
# not told by one path.
proc extras::make_pin_part {design} {
  if {[llength [constraints::cells latch]]} return
  set places [concat [constraints::pins [constraints::cells ckbuf ckinv icg] {A CK}] \
    [constraints::pins [constraints::registers] CK]]
  foreach place [random::some $places [random::between 3 8]] {
    constraints::add pin_part set_clock_uncertainty {*}[random::pick {{} -setup -hold}] \
      [random::hundredth 0 0.3] \
      [constraints::objects pin $place]
  }
}

proc extras::make_hierarchical {design} {
  foreach block [random::some [dict get $design blocks] [random::between 0 2]] {
    constraints::add derate set_timing_derate [random::pick {-early -late}] \
      {*}[random::pick {{} -clock -data}] \
      [random::pick {-cell_delay -cell_check}] \
      [format %.2f [expr {[random::between 80 120] / 100.0}]] \
      [constraints::objects cell $block]
  }
}

# --- exceptions -----------------------------------------------------------------------------------

# Words of a path with points of these kinds.
proc extras::path {design kinds path} {
  if {"hierarchical" in $kinds && [random::chance 0.6]} { set path [in_blocks $design $path] }
  if {"clock_point" in $kinds && [random::chance 0.6]} {
    set cells [random::some [constraints::registers] [random::between 1 3]]
    if {[llength $cells]} {
      set path [before_to $path -through \
        [constraints::objects pin [lmap cell $cells { set cell $cell/CK }]]]
    }
  }
  return $path
}

# The list is the first of -through.
proc extras::before_to {path args} {
  set at [lsearch -regexp $path {^-(rise_|fall_)?(through|to)$}]
  return [expr {$at < 0 ? [concat $path $args] : [linsert $path $at {*}$args]}]
}

proc extras::in_blocks {design path} {
  set block [random::pick [dict get $design blocks]]
  if {$block eq ""} { return $path }
  set pins [crossings $design $block]
  switch [random::pick {from to through through}] {
    from {
      if {[lsearch -regexp $path from$] < 0} {
        return [linsert $path 0 -from [constraints::objects cell [list $block]]]
      }
    }
    to {
      if {[lsearch -regexp $path to$] < 0} {
        return [concat $path [list -to [constraints::objects cell [list $block]]]]
      }
    }
    through {
      if {![llength $pins]} { return $path }
      return [before_to $path -through \
        [constraints::objects pin [random::some $pins [random::between 1 2]]]]
    }
  }
  return $path
}

# Pins of a block that are not on the way of clocks; a net has one name everywhere, and so has its
# pin.
proc extras::crossings {design block} {
  set pins {}
  foreach net [dict keys [netlist::border $design $block]] {
    if {![netlist::leads_to_clock $design $net]} { lappend pins $block/$net }
  }
  return $pins
}

# The loads behind a block's pin: inside of an input, outside of an output; none where the name is
# no such pin.
proc extras::behind {design loads pin} {
  set block [file dirname $pin]
  if {$block ni [dict get $design blocks]} { return {} }
  set way [dict get [netlist::border $design $block] [file tail $pin]]
  return [lmap load $loads {
    set cell [file dirname $load]
    set inside [expr {[dict exists $design cells $cell] && [netlist::inside [lindex [dict get\
      $design cells $cell] 0] $block]}]
    if {$inside != ($way eq "input")} continue
    set load
  }]
}

# Cells around a pin's cell, the cell itself first.
proc extras::around {pin} {
  set out {}
  for {set cell [file dirname $pin]} {$cell ne "."} {set cell [file dirname $cell]} {
    lappend out $cell
  }
  return $out
}
