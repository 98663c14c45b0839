# The driver: makes the cases of a range of seeds, asks both programs, compares, shrinks what
# differs, and sums up.  See run.

set here [file dirname [file normalize [info script]]]
foreach part {random netlist constraints extras programs compare cones known shrink enumerate\
  roundtrip paths edits} { source [file join $here $part.tcl] }

namespace eval main {
  variable option
  variable scratch
  variable batch 25
  # Sums: cases, ends, state(differing|...), met(kind), known(rule), lines about differences
  variable sum
}

proc main::usage {} {
  puts stderr "usage: run ?-seeds A-B? ?-program FILE? ?-peer FILE? ?-keep DIR? ?-jobs N? ?-kinds\
    LIST? ?-shrink N? ?-cppr? ?-libraries FILES? ?-enumerate? ?-scenarios? ?-roundtrip? ?-explain?\
    ?-prove? ?-shift N? ?-lose? ?-paths? ?-edits? ?-engine ENGINE?"
  exit 2
}

proc main::options {words} {
  variable option
  array set option {-seeds 1-100 -program slackline -peer sta -keep "" -jobs 1 -kinds {} -shrink 3\
    -cppr 0 -libraries {} -enumerate 0 -scenarios 0 -roundtrip 0 -explain 0 -prove 0 -shift 0\
    -lose 0 -worker ""}
  foreach {name variable} {-program SL_PROGRAM -peer SL_PEER} {
    if {[info exists ::env($variable)]} { set option($name) $::env($variable) }
  }
  array set option {-paths 0 -edits 0 -engine emulated}
  foreach name {-paths -edits} {
    if {[set at [lsearch -exact $words $name]] < 0} continue
    set option($name) 1
    set words [lreplace $words $at $at]
  }
  while {[llength $words]} {
    set words [lassign $words name]
    if {$name in {-cppr -enumerate -scenarios -roundtrip -explain -prove -lose}} {
      set option($name) 1; continue
    }
    if {![info exists option($name)] || ![llength $words]} usage
    set words [lassign $words option($name)]
  }
  if {![regexp {^(\d+)-(\d+)$} $option(-seeds) all option(first) option(last)]} usage
}

# --- cases ----------------------------------------------------------------------------------------

proc main::make_case {seed} {
  variable option
  random::start $seed
  set kinds [constraints::draw $option(-kinds)]
  set design [netlist::make $kinds]
  return [list $design [constraints::make $design $kinds]]
}

proc main::write_case {folder case} {
  lassign $case design list
  file mkdir $folder
  programs::write $folder/design.v [netlist::verilog $design]
  programs::write $folder/constraints.sdc [constraints::sdc $list]
}

# Differences of each of these cases that no rule of known.tcl explains, and (array) how often the
# rules did.
proc main::compare_cases {cases knownName} {
  variable option
  variable scratch
  upvar 1 $knownName known
  set folders [folders_of $cases]
  if {$option(-roundtrip)} {
    set out [roundtrip::differences $folders]
    variable ends $roundtrip::last
    file delete -force {*}$folders
    return $out
  }
  set ours [programs::answers ours $folders]
  set others [expr {$option(-enumerate) ? [enumerate::answers $cases $folders] : [programs::answers\
    peer $folders]}]
  set out {}
  set last {}
  foreach case $cases folder $folders {
    set answer [comparable [dict get $ours $folder]]
    set other [dict get $others $folder]
    set differences [differ::answers $answer $other]
    # Rules are about the peer.
    lassign [expr {$option(-enumerate) ? [list $differences {} {}] : [known::sorted $case $answer\
      $other $differences]}] unknown rules excused
    if {[llength $unknown] && !$option(-enumerate) && [llength $cases] > 1} {
      # What the peer answers may depend on the cases before in its process.
      set other [dict get [programs::parse [programs::output peer [list $folder]]] $folder]
      lassign [known::sorted $case $answer $other [differ::answers $answer $other]] unknown rules \
        excused
    }
    if {$option(-explain)} {
      variable explained
      lappend explained [explained_text $case $answer $other $excused]
    }
    variable why
    set first [lindex $unknown 0]
    lappend why [expr {[llength $unknown] && !$option(-enumerate) ?
      [known::larger_than $case $answer $other $first] : ""}]
    if {$option(-shift)} { count_shifts $case $answer $other }
    if {$option(-lose)} { count_losses $case $answer $other }
    foreach rule $rules { incr known($rule) }
    if {[llength $rules] && ![llength $unknown]} { incr known(excused) }
    lappend out $unknown
    lappend last [dict size [dict get $answer ends]]
    file delete -force $folder
  }
  variable ends $last
  return $out
}

# {rule text ...}: its first difference, how much the peer's slack is above ours, and what it may
# be.
proc main::explained_text {case ours peer excused} {
  set out {}
  dict for {rule difference} $excused {
    set text [differ::text $difference]
    if {[lindex $difference 0] eq "slack"} {
      append text "\n  [known::amount_text $rule $case $ours $peer $difference]"
    }
    lappend out $rule $text
  }
  return $out
}

# Is it noticed when a slack of ours is off by periods of the capturing clock?  Adds to `shifts`:
# how many were tried, and by rule how many were excused.
proc main::count_shifts {case ours peer} {
  variable option
  variable shifts
  dict for {key mine} [dict get $ours ends] {
    if {![dict exists $peer ends $key] || [lindex $mine 3] eq ""} continue
    set other [dict get $peer ends $key]
    set period [known::period $case [lindex $mine 3]]
    foreach sign {1 -1} {
      set slack [expr {[lindex $other 1] + $sign * $option(-shift) * $period}]
      set off [list slack $key [lreplace $mine 1 1 $slack] $other]
      dict incr shifts tried
      set rule [known::rule_of $case $ours $peer $off]
      if {$rule ne ""} { dict incr shifts $rule }
    }
  }
}

# Is it noticed when an end is missing in our answer, which the peer has?  Adds to `shifts`, too.
proc main::count_losses {case ours peer} {
  variable shifts
  dict for {key mine} [dict get $ours ends] {
    if {![dict exists $peer ends $key]} continue
    set less [dict replace $ours ends [dict remove [dict get $ours ends] $key]]
    dict incr shifts tried
    set rule [known::rule_of $case $less $peer [list only_peer $key {} [dict get $peer ends $key]]]
    if {$rule ne ""} { dict incr shifts $rule }
  }
}

# Enumeration knows the ends of setup and hold alone, and gives no points.
proc main::comparable {answer} {
  variable option
  if {!$option(-enumerate)} { return $answer }
  set ends {}
  dict for {key end} [dict get $answer ends] {
    if {[lindex $key 1] ni {asynchronous {gated clock} {path delay}}} {
      dict set ends $key [lreplace $end 4 4 {}]
    }
  }
  return [dict replace $answer ends $ends also {}]
}

# What makes two differences the same one, for the shrinker and for not reporting one twice.
proc main::signature {difference} {
  lassign $difference kind key ours peer
  if {$kind eq "read_back"} { return [list $kind $key] }
  if {$kind in {rejected state}} { return [list $kind $peer] }
  return [list $kind [lindex $key 0] [lindex $key 1] [lrange $ours 2 3] [lrange $peer 2 3]]
}

proc main::same_difference {signature cases} {
  return [lmap differences [compare_cases $cases known] {
    set same 0
    foreach difference $differences { if {[signature $difference] eq $signature} { set same 1 } }
    set same
  }]
}

# --- one worker -----------------------------------------------------------------------------------

proc main::seeds_of_worker {} {
  variable option
  variable batch
  lassign [expr {$option(-worker) eq "" ? {0 1} : [split $option(-worker) /]}] index count
  set all {}
  for {set seed $option(first)} {$seed <= $option(last)} {incr seed} {
    if {($seed - $option(first)) / $batch % $count == $index} { lappend all $seed }
  }
  return $all
}

# Two sets of constraints for one design, in two corners each, in one session; differences from
# sessions of their own.
proc main::work_scenarios {} {
  variable option
  variable scratch
  foreach seed [seeds_of_worker] {
    lassign [make_case $seed] design first
    set second [constraints::make $design [constraints::draw $option(-kinds)]]
    set cases {}
    set folders {}
    foreach list [list $first $first $second $second] corner {0 1 0 1} mode {0 0 1 1} {
      lappend cases [list $design $list]
      lappend folders $scratch/[pid].m${mode}c$corner
      write_case [lindex $folders end] [lindex $cases end]
    }
    set together [programs::parse [programs::output scenarios $folders]]
    if {$option(-enumerate)} { set each [enumerate::answers $cases $folders] } else {
      set each {}
      foreach folder $folders corner {0 1 0 1} {
        set each [dict merge $each [programs::parse [programs::output $corner [list $folder]]]]
      }
    }
    set count 0
    set differences {}
    foreach folder $folders {
      if {![dict exists $together $folder]} {
        error "scenarios do not run: [programs::output scenarios $folders]"
      }
      set answer [comparable [dict get $together $folder]]
      incr count [dict size [dict get $answer ends]]
      lappend differences {*}[differ::answers $answer [dict get $each $folder]]
    }
    say met $count [lsort -unique \
      [concat [constraints::met [lindex $cases 0]] [constraints::met [lindex $cases 2]] \
        [netlist::features $design]]]
    if {[llength $differences]} {
      say differs $seed [signature [lindex $differences 0]] [differ::text [lindex $differences 0]]
      if {$option(-keep) ne ""} {
        file mkdir $option(-keep)
        foreach folder $folders {
          file rename -force $folder $option(-keep)/$seed[file extension $folder]
        }
      }
    }
    file delete -force {*}$folders
  }
}

# Paths that queries ask for, against all that there are.
proc main::work_paths {} {
  variable option
  variable scratch
  set some {}
  foreach seed [seeds_of_worker] {
    random::start $seed
    set kinds [constraints::draw [concat plain $option(-kinds)]]
    set case [paths::make_case $kinds]
    set folder $scratch/[pid].$seed
    write_case $folder $case
    lassign [paths::differences [list $case] [list $folder]] differences
    lassign [lindex $paths::counts 0] compared listed queries
    say paths $listed $queries
    say met $compared [lsort -unique \
      [concat [constraints::met $case] [netlist::features [lindex $case 0]]]]
    if {[llength $differences]} {
      lassign [lindex $differences 0] words what
      say differs $seed {} "[llength $differences] of $queries queries, $listed\
        paths\n  [paths::query_text $words]\n  $what"
      if {$option(-keep) ne ""} {
        file mkdir $option(-keep)
        file rename -force $folder $option(-keep)/$seed
      }
    }
    file delete -force $folder
  }
}

# Edits, of cases that are together in a process; the shorter the process, the less is not told when
# it ends early.
proc main::work_edits {} {
  variable option
  variable scratch
  set batch 5
  set seeds [seeds_of_worker]
  for {set i 0} {$i < [llength $seeds]} {incr i $batch} {
    set some [lrange $seeds $i [expr {$i + $batch - 1}]]
    set cases [lmap seed $some { make_case $seed }]
    set folders [lmap seed $some case $cases \
      { write_case [set folder $scratch/[pid].$seed] $case; set folder }]
    foreach seed $some case $cases folder $folders what [edits::differences $folders counts] {
      say met $counts($folder) [lsort -unique \
        [concat [constraints::met $case] [netlist::features [lindex $case 0]]]]
      if {$what ne ""} {
        say differs $seed {} "[lindex $what 0]\n  [lindex $what 1]\n  whole updates:\
          [lindex $what 2]"
      }
      if {$what ne "" && $option(-keep) ne ""} {
        file mkdir $option(-keep)
        file rename -force $folder $option(-keep)/$seed
      }
    }
    file delete -force {*}$folders
  }
}

proc main::work {} {
  variable option
  variable batch
  variable ends
  set seeds [seeds_of_worker]
  set shrunk 0
  for {set i 0} {$i < [llength $seeds]} {incr i $batch} {
    set some [lrange $seeds $i [expr {$i + $batch - 1}]]
    set cases [lmap seed $some { make_case $seed }]
    array unset known
    array set known {}
    variable explained {}
    variable why {}
    set all [compare_cases $cases known]
    set whys $why
    foreach seed $some excused $explained {
      dict for {rule text} $excused { say explained $seed $rule $text }
    }
    if {$option(-shift) || $option(-lose)} { variable shifts; say shifts $shifts; set shifts {} }
    foreach {rule count} [array get known] {
      say [expr {$rule eq "excused" ? "excused" : "known"}] $rule $count
    }
    foreach seed $some case $cases differences $all count $ends why_not $whys {
      say met $count [lsort -unique \
        [concat [constraints::met $case] [netlist::features [lindex $case 0]]]]
      if {![llength $differences]} continue
      set difference [lindex $differences 0]
      say differs $seed [signature $difference] [differ::text $difference]$why_not
      if {[incr shrunk] <= $option(-shrink)} { report_case $seed $case $difference }
    }
  }
}

# --- the rules of known.tcl ---------------------------------------------------------------------

# Runs the seeds of known::proofs.  For each rule its seed passes, does not without the rule, and
# does not when the difference is larger than the rule's bounds.
proc main::prove {} {
  variable option
  set failed 0
  foreach {words rules} [known::proofs_by_way] {
    lassign $words programs::cppr kinds
    set option(-kinds) $kinds
    set cases [lmap {rule seed} $rules { make_case $seed }]
    set folders [folders_of $cases]
    set ours [programs::answers ours $folders]
    set peer [programs::answers peer $folders]
    foreach {rule seed} $rules case $cases folder $folders {
      set what [known::wrong $rule $case [dict get $ours $folder] [dict get $peer $folder]]
      if {$what eq ""} continue
      incr failed
      puts "rule $rule, seed $seed $words: $what"
    }
    file delete -force {*}$folders
  }
  set missing [known::missing_proofs]
  foreach rule $missing { puts "rule $rule has no seed that proves it" }
  incr failed [llength $missing]
  set passed [expr {[known::proof_count] - $failed}]
  puts "differential tests: $passed passed, $failed failed, 0 skipped (rules of known.tcl)"
  return [expr {$failed > 0}]
}

proc main::folders_of {cases} {
  variable scratch
  set folders {}
  foreach case $cases {
    set folder $scratch/[pid].[llength $folders]
    write_case $folder $case
    lappend folders $folder
  }
  return $folders
}

proc main::say {args} {
  puts "=$args"
  flush stdout
}

# Shrinks a case and writes it as a folder.
proc main::report_case {seed case difference} {
  variable option
  set case [shrink::case $case [list main::same_difference [signature $difference]]]
  if {$option(-keep) ne ""} {
    set folder $option(-keep)/$seed
    write_case $folder $case
    foreach who [expr {$option(-roundtrip) ? {} : {ours peer}}] {
      programs::write $folder/$who.txt [programs::output $who [list $folder]]
    }
  }
  set all [lindex [compare_cases [list $case] known] 0]
  say shrunk $seed [netlist::verilog [lindex $case 0]][constraints::sdc [lindex $case 1]][join \
    [lmap d $all { differ::text $d }] \n]
}

# --- summary --------------------------------------------------------------------------------------

proc main::take {line} {
  variable sum
  if {[string index $line 0] ne "="} { append sum(lines) $line\n; return }
  set words [lassign [string range $line 1 end] what]
  switch $what {
    excused { incr sum(excused) [lindex $words 1] }
    shifts { dict for {name count} [lindex $words 0] { dict incr sum(shifts) $name $count } }
    paths { incr sum(paths) [lindex $words 0]; incr sum(queries) [lindex $words 1] }
    known { dict incr sum(known) [lindex $words 0] [lindex $words 1] }
    met {
      incr sum(cases)
      incr sum(ends) [lindex $words 0]
      foreach kind [lindex $words 1] { dict incr sum(met) $kind }
    }
    explained { puts "seed [lindex $words 0], by [lindex $words 1]: [lindex $words 2]" }
    differs {
      incr sum(differing)
      puts "seed [lindex $words 0] differs: [lindex $words 2]"
    }
    shrunk { puts "seed [lindex $words 0], shrunk:\n[lindex $words 1]\n" }
  }
}

proc main::summary {} {
  variable option
  variable sum
  if {$sum(lines) ne ""} { puts $sum(lines) }
  puts "kind of constraint or structure      cases"
  foreach {kind count} [lsort -stride 2 -index 1 -integer -decreasing $sum(met)] {
    puts [format "  %-32s %7d" $kind $count]
  }
  if {[dict size $sum(known)]} { puts "differences that are the peer's own" }
  dict for {rule count} $sum(known) {
    puts [format "  %-24s %7d  %s" $rule $count [known::reason $rule]]
  }
  set differing $sum(differing)
  if {$option(-shift)} {
    puts "shifts by $option(-shift) periods, and what excused some: $sum(shifts)"
  }
  if {$option(-lose)} { puts "ends lost, and what excused some: $sum(shifts)" }
  if {$sum(excused)} { puts "$sum(excused) of the cases that pass do so by a rule" }
  set what "$sum(ends) end points"
  if {[info exists sum(paths)]} {
    set what "$sum(ends) paths of $sum(queries) queries among $sum(paths) that were listed"
  }
  if {$option(-edits)} { set what "$sum(ends) swaps" }
  puts "differential tests: [expr {$sum(cases) - $differing}] passed, $differing failed, 0 skipped\
    ($what)"
  return [expr {$differing > 0 || $sum(cases) == 0}]
}

# Complete commands of a worker's output: a list may go over lines.
proc main::read_worker {channel} {
  variable pending
  variable running
  while {[gets $channel line] >= 0} {
    append pending($channel) $line
    if {[info complete $pending($channel)]} {
      take $pending($channel)
      set pending($channel) ""
    } else {
      append pending($channel) \n
    }
  }
  if {[eof $channel]} {
    if {[catch {close $channel} message]} { take $message }
    incr running -1
  }
}

proc main::spawn {words} {
  variable option
  variable running $option(-jobs)
  variable pending
  for {set i 0} {$i < $option(-jobs)} {incr i} {
    set channel [open |[list [expr \
      {[info exists ::env(TCLSH)] ? $::env(TCLSH) : [info nameofexecutable]}] $::main_script \
      {*}$words -worker $i/$option(-jobs) 2>@1]]
    set pending($channel) ""
    fconfigure $channel -blocking 0
    fileevent $channel readable [list main::read_worker $channel]
  }
  while {$running > 0} { vwait main::running }
}

# A library whose latches have, over all arcs, one slew at their output, by its load alone: the peer
# lets the arcs from data shape it.
proc main::with_equal_latches {text} {
  set parts [split [string map [list "\n  cell (" "\n  \x01cell ("] $text] \x01]
  return [join [lmap part $parts {
    if {![string match "cell (latch*" $part]} { set part } else {
      foreach edge {rise fall} { set part [with_equal_rows $part ${edge}_transition] }
      set part
    }
  }] ""]
}

proc main::with_equal_rows {text table} {
  set rows ""
  set out ""
  while {[regexp -indices "$table \\(.*?values \\((.*?)\\);" $text all values]} {
    set lines [regexp -all -inline {"[^"]*"} [string range $text {*}$values]]
    if {$rows eq ""} { set rows [join [lrepeat [llength $lines] [lindex $lines 3]] ", "] }
    append out [string range $text 0 [lindex $values 0]-1] $rows
    set text [string range $text [lindex $values 1]+1 end]
  }
  return $out$text
}

proc main::libraries {} {
  variable option
  variable scratch
  set files $option(-libraries)
  if {![llength $files]} {
    set names [expr {$option(-scenarios) ? {slate_slow slate_fast} : "slate_slow"}]
    set files [lmap name $names { file join $::here .. .. scripts example $name.lib.gz }]
  }
  # The peer reads plain Liberty alone.
  set plain {}
  foreach file $files {
    set to $scratch/[file tail [regsub {\.gz$} $file ""]]
    set channel [open $file rb]
    if {[string match *.gz $file]} { zlib push gunzip $channel }
    programs::write $to [expr {$option(-enumerate) ? [read $channel] : [with_equal_latches [read\
      $channel]]}]
    close $channel
    lappend plain $to
  }
  return $plain
}

proc main::go {words} {
  variable option
  variable scratch
  variable sum
  options $words
  set scratch [string trim [exec mktemp -d \
    [expr {[info exists ::env(TMPDIR)] ? $::env(TMPDIR) : "/tmp"}]/slackline_differential.XXXXXX]]
  set status 0
  try {
    programs::setup $option(-program) $option(-peer) $scratch [libraries]
    set programs::cppr $option(-cppr)
    set programs::terms [expr {!$option(-enumerate) && !$option(-roundtrip)}]
    set programs::engine $option(-engine)
    if {$option(-enumerate) || $option(-paths)} {
      lappend option(-kinds) plain
      set programs::tables 1
      set enumerate::cppr $option(-cppr)
    }
    if {$option(-prove)} { return [prove] }
    if {$option(-worker) ne ""} {
      if {$option(-paths)} work_paths elseif {$option(-edits)} work_edits elseif \
        {$option(-scenarios)} work_scenarios else work
      return 0
    }
    array set sum {cases 0 ends 0 differing 0 excused 0 met {} known {} shifts {} lines ""}
    spawn $words
    set status [summary]
  } finally {
    file delete -force $scratch
  }
  return $status
}

set main_script [file normalize [info script]]
exit [main::go $argv]
