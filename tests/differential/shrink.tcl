# Making a case small while a difference stays.
#
# A case is {design constraints}.  A step is a command prefix that takes a case and returns a
# smaller one, or the same where it no longer applies.  The test is a command prefix that takes a
# list of cases and returns, for each, whether the difference is there.

namespace eval shrink {
  # Words that only narrow what a constraint is for.
  variable flags {-min -max -rise -fall -early -late -setup -hold -clock_fall -add_delay\
    -source_latency_included -start -end
    -network_latency_included -ignore_clock_latency -data -cell_delay -net_delay -cell_check -high\
    -low}
  variable together 60
}

proc shrink::case {case test} {
  variable unclocked [constraints::is_unclocked $case]
  while 1 {
    set before $case
    foreach kind {constraint cell block port bypass constraint object flag waveform} {
      set case [all_of $kind $case $test]
    }
    if {$case eq $before} { return $case }
  }
}

# Takes away what it can of one kind of thing: those steps that work alone, then as many of them at
# once as work together.
proc shrink::all_of {kind case test} {
  while 1 {
    set good [working [steps_$kind $case] $case $test]
    if {![llength $good]} { return $case }
    set prefixes [lmap i [sizes [llength $good]] { lrange $good 0 $i-1 }]
    set cases [lmap steps $prefixes { applied $steps $case }]
    set next $case
    foreach candidate $cases holds [{*}$test $cases] { if {$holds} { set next $candidate; break } }
    if {$next eq $case} { return $case }
    set case $next
  }
}

# n, n/2, ... 1: how many steps to try at once.
proc shrink::sizes {n} {
  set out {}
  while {$n > 0} { lappend out $n; set n [expr {$n / 2}] }
  return $out
}

proc shrink::working {steps case test} {
  variable together
  set good {}
  for {set i 0} {$i < [llength $steps]} {incr i $together} {
    set some [lrange $steps $i [expr {$i + $together - 1}]]
    set cases [lmap step $some { stepped $step $case }]
    foreach step $some candidate $cases holds [{*}$test $cases] {
      if {$holds && $candidate ne $case} { lappend good $step }
    }
  }
  return $good
}

# A step, unless it makes something begin without a clock, which is a difference of its own.
proc shrink::stepped {step case} {
  variable unclocked
  set next [{*}$step $case]
  return [expr {!$unclocked && [constraints::is_unclocked $next] ? $case : $next}]
}

proc shrink::applied {steps case} {
  foreach step $steps { set case [stepped $step $case] }
  return $case
}

# --- steps ----------------------------------------------------------------------------------------

proc shrink::steps_constraint {case} {
  return [lmap constraint [lindex $case 1] { list shrink::drop_constraint $constraint }]
}

proc shrink::drop_constraint {gone case} {
  lassign $case design list
  set at [lsearch -exact $list $gone]
  if {$at < 0} { return $case }
  return [list $design [constraints::fitted [lreplace $list $at $at] $design]]
}

proc shrink::steps_cell {case} {
  return [lmap cell [dict keys [dict get [lindex $case 0] cells]] \
    { list shrink::drop_cell $cell 0 }]
}

proc shrink::steps_bypass {case} {
  return [lmap cell [dict keys [dict get [lindex $case 0] cells]] \
    { list shrink::drop_cell $cell 1 }]
}

proc shrink::drop_cell {cell bypass case} {
  lassign $case design list
  if {![dict exists $design cells $cell] || (!$bypass && [netlist::clocks_from $design $cell])} {
    return $case
  }
  set design [netlist::without_cell $design $cell $bypass]
  return [list $design [constraints::fitted $list $design]]
}

proc shrink::steps_port {case} {
  return [lmap port [dict keys [dict get [lindex $case 0] ports]] { list shrink::drop_port $port }]
}

proc shrink::drop_port {port case} {
  lassign $case design list
  if {[netlist::drives_clock_pin $design $port]} { return $case }
  set design [netlist::without_port $design $port]
  return [list $design [constraints::fitted $list $design]]
}

proc shrink::steps_block {case} {
  return [lmap block [dict get [lindex $case 0] blocks] { list shrink::drop_block $block }]
}

proc shrink::drop_block {block case} {
  lassign $case design list
  if {$block ni [dict get $design blocks]} { return $case }
  set design [netlist::without_block $design $block map]
  return [list $design [constraints::renamed $list $map]]
}

# One object of a list of several.
proc shrink::steps_object {case} {
  set steps {}
  foreach constraint [lindex $case 1] {
    foreach word [lindex $constraint 1] {
      if {[lindex $word 0] ne "@" || [llength $word] < 3} continue
      foreach object [lrange $word 1 end] {
        lappend steps [list shrink::drop_object $constraint $object]
      }
    }
  }
  return $steps
}

proc shrink::changed {constraint new case} {
  lassign $case design list
  return [list $design [lmap old $list { expr {$old eq $constraint ? $new : $old} }]]
}

proc shrink::drop_object {constraint object case} {
  lassign $constraint kind words
  set words [lmap word $words {
    if {[lindex $word 0] eq "@" && [llength $word] > 2} {
      set at [lsearch -exact $word $object]
      if {$at > 0} { set word [lreplace $word $at $at] }
    }
    set word
  }]
  return [changed $constraint [list $kind $words] $case]
}

# One flag; rise_from and the like become from.
proc shrink::steps_flag {case} {
  variable flags
  set steps {}
  foreach constraint [lindex $case 1] {
    set i 0
    foreach word [lindex $constraint 1] {
      if {$word in $flags} { lappend steps [list shrink::drop_flag $constraint $i] }
      if {[regexp {^-(rise|fall)_(from|to|through)$} $word]} {
        lappend steps [list shrink::drop_flag $constraint $i]
      }
      if {$word in {-through -rise_through -fall_through -from -to}} {
        lappend steps [list shrink::drop_option $constraint $i]
      }
      incr i
    }
  }
  return $steps
}

proc shrink::drop_flag {constraint i case} {
  lassign $constraint kind words
  set word [lindex $words $i]
  if {[regexp {^-(?:rise|fall)_(.*)$} $word all rest]} {
    return [changed $constraint [list $kind [lreplace $words $i $i -$rest]] $case]
  }
  return [changed $constraint [list $kind [lreplace $words $i $i]] $case]
}

proc shrink::drop_option {constraint i case} {
  lassign $constraint kind words
  set words [lreplace $words $i $i+1]
  # An exception must keep one of its lists.
  if {$kind in {false_path multicycle max_delay min_delay group_path} && ![regexp --\
    {-\w*(from|to|through)} $words]} { return $case }
  return [changed $constraint [list $kind $words] $case]
}

# A clock's waveform, and its period made 1 or 2.
proc shrink::steps_waveform {case} {
  set steps {}
  foreach constraint [lindex $case 1] {
    set words [lindex $constraint 1]
    if {[lindex $words 0] ne "create_clock"} continue
    set at [lsearch -exact $words -waveform]
    if {$at >= 0} { lappend steps [list shrink::drop_option $constraint $at] }
  }
  return $steps
}
