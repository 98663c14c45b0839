# Choices that a seed determines, whatever else the process does.

namespace eval random {
  variable state 1
}

proc random::start {seed} {
  variable state
  set state [expr {($seed * 2654435761 + 97) % 2147483647}]
  if {!$state} { set state 1 }
  for {set i 0} {$i < 8} {incr i} { fraction }
}

# A number in [0, 1): Lehmer's generator modulo 2^31 - 1.
proc random::fraction {} {
  variable state
  set state [expr {$state * 48271 % 2147483647}]
  return [expr {($state - 1) / 2147483646.0}]
}

# A whole number of first .. last.
proc random::between {first last} {
  return [expr {$first + int([fraction] * ($last - $first + 1))}]
}

proc random::chance {probability} { return [expr {[fraction] < $probability}] }

# An element of a list; "" of an empty one.
proc random::pick {list} { return [lindex $list [between 0 [expr {[llength $list] - 1}]]] }

# Up to `count` different elements, in a random order.
proc random::some {list count} {
  set out {}
  while {$count > 0 && [llength $list]} {
    set i [between 0 [expr {[llength $list] - 1}]]
    lappend out [lindex $list $i]
    set list [lreplace $list $i $i]
    incr count -1
  }
  return $out
}

# An element of a list of elements and weights.
proc random::weighted {pairs} {
  set sum 0.0
  foreach {element weight} $pairs { set sum [expr {$sum + $weight}] }
  set at [expr {[fraction] * $sum}]
  foreach {element weight} $pairs {
    set at [expr {$at - $weight}]
    if {$at < 0} { return $element }
  }
  return $element
}

# A time of first .. last in steps of a hundredth.
proc random::hundredth {first last} {
  return [format %.2f [expr {[between [expr {round($first * 100)}] [expr {round($last * 100)}]] /\
    100.0}]]
}
