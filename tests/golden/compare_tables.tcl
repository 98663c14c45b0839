# Comparing tables of two timers: rows are matched by their text columns, numbers by column name.

namespace eval compare {
  # Columns that tell rows apart, and those whose numbers are compared (a required time belongs to
  # whichever of several equal slacks was met first, so required times are not).
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

# Reads a table: its columns' names, the width of the key, and (array `rows`) key -> list of all
# fields.
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

# The difference of two fields that do not both stand for no number; Inf where only one is
# (un)constrained.
proc compare::difference {ours golden} {
  set o [number $ours]
  set g [number $golden]
  if {$o eq $g} { return 0.0 }
  if {$o eq "" || $g eq "" || abs($o) == Inf || abs($g) == Inf} { return Inf }
  return [expr {abs($o - $g)}]
}

# The goldens' timer has a required time of 0 where none was set: the slack there is the arrival's
# negative.  Ours is unconstrained.
proc compare::required_is_none {name names row} {
  if {![string match *_slk $name]} { return 0 }
  set slack [number [lindex $row [lsearch -exact $names $name]]]
  set arrival [number [lindex $row [lsearch -exact $names [string map {_slk _arr} $name]]]]
  return [expr {$slack ne "" && $arrival ne "" && abs($slack) != Inf && abs($slack + $arrival) <=\
    1e-6 * abs($arrival)}]
}

# Compares OURS with GOLDEN.  Options: -abs -rel: a value agrees within max(abs, rel * |golden|);
# -need: percent of each column that must agree; -without: columns (a regular expression) that are
# not compared.  Returns a dictionary: ok, rows, missing (keys), lost (columns), columns: name ->
# {count good max}, worst: lines about the worst disagreements.
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
    if {$pairs eq ""} {
      set pairs [matched_columns [columns $head [llength $fields]] $golden_names $names]
    }
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
      if {$d != Inf && $option(-rel) * abs($g) > $bound} {
        set bound [expr {$option(-rel) * abs($g)}]
      }
      if {$d <= $bound} { incr good($name) } else {
        lappend off($name) [list $d "[string map {\t { }} $key] $name golden $g ours $o"]
      }
      if {![info exists most($name)] || $d > $most($name)} { set most($name) $d }
    }
  }
  close $channel
  set missing {}
  foreach key [array names gold] {
    if {![info exists found($key)]} { lappend missing [string map {\t { }} $key] }
  }
  set lost {}
  foreach name $names { if {$name ni $pairs} { lappend lost $name } }
  return [summary [array size gold] $missing $lost [array get count] [array get good] \
    [array get most] [array get off] $option(-need) $names]
}

proc compare::compared_columns {names without} {
  variable compared
  set wanted {}
  foreach name $names {
    if {[regexp $compared $name] && ($without eq "" || ![regexp $without $name])} {
      lappend wanted $name
    }
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
  set ok [expr {![llength $missing] && ![llength $lost] && ([llength $counts] || ![llength\
    $names])}]
  set columns {}
  set worst {}
  foreach {name count} $counts {
    set good [expr {[dict exists $goods $name] ? [dict get $goods $name] : 0}]
    set most [expr {[dict exists $mosts $name] ? [dict get $mosts $name] : 0.0}]
    dict set columns $name [list $count $good $most]
    if {100.0 * $good / $count >= $need} continue
    set ok 0
    foreach off [lrange [lsort -real -decreasing -index 0 [dict get $offs $name]] 0 2] {
      lappend worst [lindex $off 1]
    }
  }
  return [dict create ok $ok rows $rows missing [lsort $missing] lost $lost columns $columns worst \
    $worst]
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
  return [format "%d rows, %.3f %% agree%s, largest difference %.3g" [dict get $result rows] \
    $least $which $most]
}

# Lines about what is wrong.
proc compare::complaints {result} {
  set lines {}
  if {[dict get $result lost] ne ""} {
    lappend lines "columns that only the golden has: [dict get $result lost]"
  }
  set missing [dict get $result missing]
  if {[llength $missing]} {
    lappend lines "[llength $missing] golden rows are missing: [join [lrange $missing 0 4] {, }]"
  }
  if {[dict get $result columns] eq ""} { lappend lines "nothing to compare" }
  dict for {name column} [dict get $result columns] {
    lassign $column count good difference
    if {$good < $count} {
      lappend lines [format "%s: %d of %d agree, largest difference %.3g" $name $good $count \
        $difference]
    }
  }
  return [concat $lines [dict get $result worst]]
}

# --- TAU 2015 -------------------------------------------------------------------------------------
# Picoseconds; pins are cell:pin; n/a, nan and +-987654: not given, and not compared.

proc compare::given {text} {
  return [expr {[string is double -strict $text] && $text == $text && abs($text) < 987653}]
}

# Counts a pair of values of one kind in the caller's arrays count, good, most, off; `label` says
# what disagrees.
proc compare::tally {kind ours golden bound label} {
  upvar 1 count count good good most most off off
  set d [expr {[string is double -strict $ours] && $ours == $ours && abs($ours) < 1e20 ? abs($ours\
    - $golden) : Inf}]
  incr count($kind)
  if {![info exists most($kind)] || $d > $most($kind)} { set most($kind) $d }
  if {$d <= $bound} { incr good($kind) } else {
    lappend off($kind) [list $d "$label golden $golden ours $ours"]
  }
}

# A pin's name as ours: ports have no colon.
proc compare::tau_pin {name} {
  set at [string last : $name]
  return [expr {$at < 0 ? $name : [string replace $name $at $at /]}]
}

# Kind, our column, the table's column, condition: a TAU table has early rise, early fall, late
# rise, late fall of each quantity.
proc compare::tau_columns {names} {
  set columns {}
  foreach {what suffix first} {slew slew 5 at arr 9 rat req 13 slack slk 17} {
    foreach condition {minR minF maxR maxF} {
      lappend columns $what [lsearch -exact $names ${condition}_$suffix] $first $condition
      incr first
    }
  }
  return $columns
}

# Compares our pins with a TAU table.  skip: pins of clock networks, whose required times and slacks
# there have capture effects.
proc compare::tau {ours tau skip args} {
  array set option {-abs 0.01}
  array set option $args
  lassign [read $ours row] names
  foreach pin $skip { set skipped($pin) 1 }
  set columns [tau_columns $names]
  array set count {}
  set channel [open_table $tau]
  set missing {}
  while {[gets $channel line] >= 0} {
    if {[string index $line 0] eq "#"} continue
    set fields [split $line \t]
    set pin [tau_pin [lindex $fields 0]]
    if {![info exists row($pin\tpin)]} { lappend missing $pin; continue }
    foreach {what i j condition} $columns {
      set golden [lindex $fields $j]
      if {![given $golden] || ($what in {rat slack} && [info exists skipped($pin)])} continue
      set value [number [lindex $row($pin\tpin) $i]]
      if {$value ne ""} { set value [expr {$value * 1e12}] }
      tally $what $value $golden $option(-abs) "$pin $what $condition"
    }
  }
  close $channel
  return [summary [array size row] $missing {} [array get count] [array get good] [array get most] \
    [array get off] 100]
}

# Compares our answers with the contest's, query by query: lists of lines.  Answers that are a
# number have a line of one word; blocks about paths are for worst_paths.  skip: as above.
proc compare::answers {ours golden queries skip} {
  foreach pin $skip { set skipped($pin) 1 }
  array set count {}
  set queries [lsearch -all -inline -regexp $queries {^report_(at|rat|slack|slew)\y}]
  set answers [lsearch -all -inline -regexp $golden {^\s*\S+\s*$}]
  set ours [lsearch -all -inline -regexp $ours {^\s*\S+\s*$}]
  set missing {}
  if {[llength $queries] != [llength $answers]} {
    lappend missing "answers: [llength $queries] queries, [llength $answers] answers"
  }
  if {[llength $queries] != [llength $ours]} {
    lappend missing "ours: [llength $queries] queries, [llength $ours] answers"
  }
  foreach query $queries answer $answers value $ours {
    set pin [tau_pin [lindex $query [expr {[lsearch $query -pin] + 1}]]]
    set what [string range [lindex $query 0] 7 end]
    if {![given $answer] || ($what in {rat slack} && [info exists skipped($pin)])} continue
    tally $what $value [string trim $answer] 0.1 $query
  }
  return [summary [llength $queries] $missing {} [array get count] [array get good] \
    [array get most] [array get off] 100]
}

# Compares two lists of paths that are in order of slack: slacks rank by rank; then each path of the
# golden must be among ours, with its points, unless its slack is that of the last of a list that is
# full, where others could stand as well.  A path is slack, key (its pins and edges, and what else
# tells paths apart), arrivals (may be empty).  Adds to the caller's counts; `label` says whose.
proc compare::path_lists {ours golden full bound label} {
  upvar 1 count count good good most most off off missing missing
  if {[llength $ours] != [llength $golden]} {
    lappend missing "$label: [llength $golden] paths, ours [llength $ours]"
  }
  set last [lindex $golden end 0]
  foreach path $ours { set mine([lindex $path 1]) [lindex $path 2] }
  foreach path $golden own $ours {
    lassign $path slack key arrivals
    if {$slack eq "" || $own eq ""} continue
    tally slack [lindex $own 0] $slack $bound "$label slack"
    if {![info exists mine($key)] && $full && abs($slack - $last) <= $bound} continue
    tally path [expr {[info exists mine($key)] ? 0 : Inf}] 0 0 \
      "$label $slack [string range $key 0 60]"
    if {![info exists mine($key)]} continue
    foreach arrival $arrivals value $mine($key) {
      tally arrival $value $arrival $bound "$label $slack [string range $key 0 60]"
    }
  }
}

# Our worst paths (tau.tcl) with those of a table: slack, side, kind, number of points, points "pin
# edge arrival".  A table of `limit` is full.
proc compare::paths {ours golden limit} {
  array set count {}
  set missing {}
  set sides {}
  foreach {lines first} [list $ours 1 $golden 4] {
    lappend sides [lmap line $lines {
      set fields [split $line \t]
      set points [lrange $fields $first end]
      list [lindex $fields 0] [lmap point $points \
        { list [tau_pin [lindex $point 0]] [lindex $point 1] }] \
        [lmap point $points { lindex $point 2 }]
    }]
  }
  path_lists {*}$sides [expr {[llength $golden] == $limit}] 0.01 paths
  return [summary [llength $golden] $missing {} [array get count] [array get good] \
    [array get most] [array get off] 100]
}

# The blocks of report_worst_paths in answers: for each query a list of paths; kind, side and pins
# are the key.
proc compare::path_blocks {lines} {
  set blocks {}
  set paths {}
  set path {}
  foreach line [concat $lines report_worst_paths] {
    if {[llength $line] == 1 && $line ne "report_worst_paths"} continue
    if {[lindex $line 0] in {Path report_worst_paths} && [llength $path]} {
      lappend paths $path; set path {}
    }
    if {[lindex $line 0] eq "Path"} {
      lassign $line - - kind slack - side
      set path [list $slack [list $kind $side] {}]
    } elseif {[lindex $line 0] eq "report_worst_paths"} {
      if {[llength $paths]} { lappend blocks $paths }
      set paths {}
    } elseif {[llength $path]} {
      lset path 1 end+1 $line
    }
  }
  return $blocks
}

proc compare::worst_paths {ours golden} {
  array set count {}
  set missing {}
  set ours [path_blocks $ours]
  set golden [path_blocks $golden]
  if {[llength $ours] != [llength $golden]} {
    lappend missing "worst paths: [llength $golden] queries, ours [llength $ours]"
  }
  foreach mine $ours theirs $golden { path_lists $mine $theirs 1 0.1 "query [incr i]" }
  return [summary [llength $golden] $missing {} [array get count] [array get good] \
    [array get most] [array get off] 100]
}

# Compares checks with a TAU table of checks.  ours: lines of the worst path's slack and credit and
# the slack without credit, in the table's order.  The table's credit is what the check's slack
# gains: that of the worst path, unless another one is worst without
# credit.  It is negative for hold checks.
proc compare::checks {ours tests} {
  array set count {}
  set missing {}
  if {[llength $ours] != [llength $tests]} {
    lappend missing "ours: [llength $tests] checks, [llength $ours] lines"
  }
  foreach line $tests values $ours {
    lassign $line related pin split edge - - - credit golden
    lassign $values slack path_credit raw
    if {![given $golden]} continue
    if {$split eq "early"} { set credit [expr {-$credit}] }
    tally slack $slack $golden 0.01 "$pin $split $edge slack"
    if {![given $slack] || ![given $raw]} continue
    tally gain [expr {$slack - $raw}] $credit 0.01 "$pin $split $edge gain"
    if {abs($slack - $path_credit - $raw) < 0.005} {
      tally credit $path_credit $credit 0.01 "$pin $split $edge credit"
    }
  }
  return [summary [llength $tests] $missing {} [array get count] [array get good] [array get most] \
    [array get off] 100]
}

# --- a commercial timer's end points --------------------------------------------------------------

# Mean absolute difference between our setup slacks and those of a reference ("pins":[...],
# "slacks":[...]), in its unit.
proc compare::reference {ours reference} {
  read $ours row
  set channel [open_table $reference]
  set text [::read $channel]
  close $channel
  foreach name {pins slacks} {
    if {![regexp "\"$name\":\\s*\\\[(\[^\\\]\]*(?:\\\[\\d+\\\]\[^\\\]\]*)*)\\\]" $text all list]} \
      { error "$reference has no $name" }
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
