# What differs between two answers.
#
# A difference is a list {kind key ours peer}: kind is
#   only_ours, only_peer   an end point with a path in one alone
#   slack                  another slack
#   points                 the same slack along another path
#   rejected               a constraint that one alone accepts
#   state                  one crashed or failed

namespace eval differ {
  variable relative 1e-5
  variable absolute 1e-4
}

proc differ::close {a b} {
  variable relative
  variable absolute
  if {![string is double -strict $a] || ![string is double -strict $b]} { return [expr {$a eq $b}] }
  return [expr {abs($a - $b) <= max($absolute, $relative * abs($b))}]
}

# The same edge and pins; the peer's begin behind the launching register's clock pin.
proc differ::same_points {ours peer} {
  set pins [lindex $ours 4]
  set extra [expr {[llength $pins] - [llength [lindex $peer 4]]}]
  return [expr {$extra in {0 1} && [lrange $pins $extra end] eq [lindex $peer 4] && [lindex $ours\
    0] eq [lindex $peer 0]}]
}

# Is the peer's path one that we know to be as bad as ours?  What borrows from a latch is all just
# in time: 0 says nothing of the path.
proc differ::tie {ours key peer} {
  if {[lindex $peer 1] == 0 || [lindex $peer 4] eq ""} { return 1 }
  if {![dict exists $ours also $key]} { return 0 }
  dict for {path slack} [dict get $ours also $key] {
    set end [list [string index $path 0] $slack {} {} [string range $path 2 end]]
    if {[same_points $end $peer] && [close $slack [lindex $peer 1]]} { return 1 }
  }
  return 0
}

proc differ::answers {ours peer} {
  foreach who {ours peer} {
    if {[dict get [set $who] state] ne "done"} {
      return [list [list state $who [dict get $ours state] [dict get $peer state]]]
    }
  }
  set out [rejections $ours $peer]
  set theirs [dict get $peer ends]
  dict for {key end} [dict get $ours ends] {
    if {![dict exists $theirs $key]} {
      if {[finite $end]} { lappend out [list only_ours $key $end {}] }
      continue
    }
    set other [dict get $theirs $key]
    if {![close [lindex $end 1] [lindex $other 1]]} {
      lappend out [list slack $key $end $other]
    } elseif {![same_points $end $other] && ![tie $ours $key $other]} {
      lappend out [list points $key $end $other]
    }
  }
  dict for {key end} $theirs {
    if {![dict exists $ours ends $key] && [finite $end]} {
      lappend out [list only_peer $key {} $end]
    }
  }
  return $out
}

proc differ::finite {end} { return [expr {abs([lindex $end 1]) < 1e20}] }

proc differ::rejections {ours peer} {
  set out {}
  set a [dict get $ours rejected]
  set b [dict get $peer rejected]
  foreach number [lsort -unique -integer [concat [dict keys $a] [dict keys $b]]] {
    if {[dict exists $a $number] != [dict exists $b $number]} {
      lappend out [list rejected $number \
        [expr {[dict exists $a $number] ? [dict get $a $number] : "-"}] \
        [expr {[dict exists $b $number] ? [dict get $b $number] : "-"}]]
    }
  }
  return $out
}

proc differ::text {difference} {
  lassign $difference kind key ours peer
  if {$kind in {state rejected}} { return "$kind: $key\n  ours: $ours\n  peer: $peer" }
  return "$kind: $key\n  ours: [lrange $ours 0 3] [lindex $ours 4]\n  peer: [lrange $peer 0 3]\
    [lindex $peer 4]"
}
