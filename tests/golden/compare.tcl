# Comparing tables of two timers: rows are matched by their text columns, numbers by column name.

namespace eval compare {
  # Columns that tell rows apart, and those whose numbers are compared (a required time belongs to whichever of several equal
  # slacks was met first, so required times are not).
  variable keys {pin kind endpoint from to role cond from_rf to_rf}
  variable compared {arr|slew|slk|slack|delay}
}

proc compare::open_table {file} {
  set channel [open $file rb]
  if {[string match *.gz $file]} { zlib push gunzip $channel }
  chan configure $channel -encoding utf-8 -translation lf
  return $channel
}

# Names of columns; the last of an arc table, "delays(...)", stands for as many as the rows have.
proc compare::columns {line fields} {
  set names [split [string trimleft $line "# "] \t]
  if {[string match delays(* [lindex $names end]]} {
    set names [lrange $names 0 end-1]
    for {set i 1} {[llength $names] < $fields} {incr i} { lappend names delay$i }
  }
  return $names
}

# How many columns from the left make the key.
proc compare::key_width {names} {
  variable keys
  set width 0
  foreach name $names {
    if {$name ni $keys} break
    incr width
  }
  return $width
}

# Reads a table: its columns' names, the width of the key, and (array `rows`) key -> list of all fields.
proc compare::read {file arrayName} {
  upvar 1 $arrayName rows
  set channel [open_table $file]
  gets $channel head
  set names {}
  set width [key_width [split [string trimleft $head "# "] \t]]
  while {[gets $channel line] >= 0} {
    set fields [split $line \t]
    if {$names eq ""} { set names [columns $head [llength $fields]] }
    set rows([join [lrange $fields 0 [expr {$width - 1}]] \t]) $fields
  }
  close $channel
  if {$names eq ""} { set names [columns $head 0] }
  return [list $names $width]
}

# A number of a table: "" for none, Inf or -Inf for unconstrained.
proc compare::number {text} {
  if {$text eq "-" || $text eq ""} { return "" }
  if {![string is double -strict $text]} { set text [string map {INF Inf} $text] }
  if {$text > 1e20} { return Inf }
  if {$text < -1e20} { return -Inf }
  return $text
}

# The difference of two fields that do not both stand for no number; Inf where only one is (un)constrained.
proc compare::difference {ours golden} {
  set o [number $ours]
  set g [number $golden]
  if {$o eq $g} { return 0.0 }
  if {$o eq "" || $g eq "" || abs($o) == Inf || abs($g) == Inf} { return Inf }
  return [expr {abs($o - $g)}]
}

# The goldens' timer has a required time of 0 where none was set: the slack there is the arrival's negative.  Ours is unconstrained.
proc compare::required_is_none {name names row} {
  if {![string match *_slk $name]} { return 0 }
  set slack [number [lindex $row [lsearch -exact $names $name]]]
  set arrival [number [lindex $row [lsearch -exact $names [string map {_slk _arr} $name]]]]
  return [expr {$slack ne "" && $arrival ne "" && abs($slack) != Inf && abs($slack + $arrival) <= 1e-6 * abs($arrival)}]
}

# Compares OURS with GOLDEN.  Options: -abs -rel: a value agrees within max(abs, rel * |golden|); -need: percent of each
# column that must agree; -without: columns (a regular expression) that are not compared.  Returns a dictionary: ok, rows, missing (keys), lost (columns), columns: name -> {count good max},
# worst: lines about the worst disagreements.
proc compare::tables {ours golden args} {
  array set option {-abs 1e-12 -rel 0.0075 -need 99.8 -without ""}
  array set option $args
  lassign [read $golden gold] golden_names width
  set names [compared_columns $golden_names $option(-without)]
  set channel [open_table $ours]
  gets $channel head
  set pairs {}
  while {[gets $channel line] >= 0} {
    set fields [split $line \t]
    if {$pairs eq ""} { set pairs [matched_columns [columns $head [llength $fields]] $golden_names $names] }
    set key [join [lrange $fields 0 [expr {$width - 1}]] \t]
    if {![info exists gold($key)]} continue
    set row $gold($key)
    set found($key) 1
    foreach {name i j} $pairs {
      set o [lindex $fields $i]
      set g [lindex $row $j]
      if {$o eq $g} {
        if {$o ne "-" && $o ne ""} { incr count($name); incr good($name) }
        continue
      }
      incr count($name)
      set d [difference $o $g]
      if {$d == Inf && [required_is_none $name $golden_names $row]} { set d 0.0 }
      set bound $option(-abs)
      if {$d != Inf && $option(-rel) * abs($g) > $bound} { set bound [expr {$option(-rel) * abs($g)}] }
      if {$d <= $bound} { incr good($name) } else { lappend off($name) [list $d "[string map {\t { }} $key] $name golden $g ours $o"] }
      if {![info exists most($name)] || $d > $most($name)} { set most($name) $d }
    }
  }
  close $channel
  set missing {}
  foreach key [array names gold] { if {![info exists found($key)]} { lappend missing [string map {\t { }} $key] } }
  set lost {}
  foreach name $names { if {$name ni $pairs} { lappend lost $name } }
  return [summary [array size gold] $missing $lost [array get count] [array get good] [array get most] [array get off] $option(-need) $names]
}

proc compare::compared_columns {names without} {
  variable compared
  set wanted {}
  foreach name $names {
    if {[regexp $compared $name] && ($without eq "" || ![regexp $without $name])} { lappend wanted $name }
  }
  return $wanted
}

# Columns to compare, as name, place in ours, place in the golden.
proc compare::matched_columns {ours golden wanted} {
  set pairs {}
  foreach name $wanted {
    set i [lsearch -exact $ours $name]
    if {$i >= 0} { lappend pairs $name $i [lsearch -exact $golden $name] }
  }
  return $pairs
}

# Where no column is compared the rows' names are.
proc compare::summary {rows missing lost counts goods mosts offs need {names some}} {
  set ok [expr {![llength $missing] && ![llength $lost] && ([llength $counts] || ![llength $names])}]
  set columns {}
  set worst {}
  foreach {name count} $counts {
    set good [expr {[dict exists $goods $name] ? [dict get $goods $name] : 0}]
    set most [expr {[dict exists $mosts $name] ? [dict get $mosts $name] : 0.0}]
    dict set columns $name [list $count $good $most]
    if {100.0 * $good / $count >= $need} continue
    set ok 0
    foreach off [lrange [lsort -real -decreasing -index 0 [dict get $offs $name]] 0 2] { lappend worst [lindex $off 1] }
  }
  return [dict create ok $ok rows $rows missing [lsort $missing] lost $lost columns $columns worst $worst]
}

# One line about a comparison: rows, and the column that agrees least.
proc compare::line {result} {
  set least 100.0
  set which ""
  set most 0.0
  dict for {name column} [dict get $result columns] {
    lassign $column count good difference
    set percent [expr {100.0 * $good / $count}]
    if {$percent < $least} { set least $percent; set which " in $name" }
    if {$difference > $most} { set most $difference }
  }
  return [format "%d rows, %.3f %% agree%s, largest difference %.3g" [dict get $result rows] $least $which $most]
}

# Lines about what is wrong.
proc compare::complaints {result} {
  set lines {}
  if {[dict get $result lost] ne ""} { lappend lines "columns that only the golden has: [dict get $result lost]" }
  set missing [dict get $result missing]
  if {[llength $missing]} { lappend lines "[llength $missing] golden rows are missing: [join [lrange $missing 0 4] {, }]" }
  if {[dict get $result columns] eq ""} { lappend lines "nothing to compare" }
  dict for {name column} [dict get $result columns] {
    lassign $column count good difference
    if {$good < $count} { lappend lines [format "%s: %d of %d agree, largest difference %.3g" $name $good $count $difference] }
  }
  return [concat $lines [dict get $result worst]]
}

# --- TAU 2015 ---------------------------------------------------------------------------------------------------------

# Compares our pins with a TAU table (picoseconds; pins as cell:pin; early rise, early fall, late rise, late fall of each
# quantity; n/a, nan and +-987654: not given).  skip: pins of clock networks, whose slacks there have capture effects.
proc compare::tau {ours tau skip args} {
  array set option {-abs 0.01}
  array set option $args
  lassign [read $ours row] names
  foreach pin $skip { set skipped($pin) 1 }
  set columns {}
  foreach {what suffix first} {at arr 9 slew slew 5 slack slk 17} {
    foreach condition {minR minF maxR maxF} {
      lappend columns $what [lsearch -exact $names ${condition}_$suffix] $first $condition
      incr first
    }
  }
  set channel [open_table $tau]
  array set count {}
  set missing {}
  while {[gets $channel line] >= 0} {
    if {[string index $line 0] eq "#"} continue
    set fields [split $line \t]
    set at [string last : [lindex $fields 0]]
    set pin [expr {$at < 0 ? [lindex $fields 0] : [string replace [lindex $fields 0] $at $at /]}]
    if {![info exists row($pin\tpin)]} { lappend missing $pin; continue }
    foreach {what i j condition} $columns {
      set golden [lindex $fields $j]
      if {![string is double -strict $golden] || $golden != $golden || abs($golden) >= 987653} continue
      if {$what eq "slack" && [info exists skipped($pin)]} continue
      set value [number [lindex $row($pin\tpin) $i]]
      set d [expr {$value eq "" || abs($value) == Inf ? Inf : abs($value * 1e12 - $golden)}]
      incr count($what)
      if {![info exists most($what)] || $d > $most($what)} { set most($what) $d }
      if {$d <= $option(-abs)} { incr good($what) } else {
        lappend off($what) [list $d "$pin $what $condition golden $golden ps ours [lindex $row($pin\tpin) $i] s"]
      }
    }
  }
  close $channel
  return [summary [array size row] $missing {} [array get count] [array get good] [array get most] [array get off] 100]
}

# --- a commercial timer's end points -----------------------------------------------------------------------------------

# Mean absolute difference between our setup slacks and those of a reference ("pins":[...], "slacks":[...]), in its unit.
proc compare::reference {ours reference} {
  read $ours row
  set channel [open_table $reference]
  set text [::read $channel]
  close $channel
  foreach name {pins slacks} {
    if {![regexp "\"$name\":\\s*\\\[(\[^\\\]\]*(?:\\\[\\d+\\\]\[^\\\]\]*)*)\\\]" $text all list]} { error "$reference has no $name" }
    set $name [regexp -all -inline {"[^"]*"} $list]
  }
  set sum 0.0
  set count 0
  foreach pin $pins slack $slacks {
    set pin [string trim $pin \"]
    if {![info exists row($pin)]} { error "no end point $pin" }
    set sum [expr {$sum + abs([lindex $row($pin) 1] - [string trim $slack \"])}]
    incr count
  }
  return [list [expr {$sum / $count}] $count]
}
