# Edits between updates: what is worked out of what an edit reaches must be what a whole update
# works out.  The same swaps of cells are made by the CPU with whole updates after each, by the CPU
# as it follows edits, and by the kernels of a device; all answers are to be the same.

namespace eval edits {
  # How: engine (device: that of the command line), whether updates are whole, how the kernels are
  # set (cuda/memory.cu).  A limit makes them give an edit up, wherever it has come to.
  variable ways {
    {cpu 1 none} {cpu 0 none} {device 0 edits=1000000} {device 0 reversed,edits=1000000}\
    {device 0 edits=0} {device 0 edits=6}
  }
}

# {folder -> lines of answers} of each way.
proc edits::answers {folders way} {
  lassign $way engine whole setting
  if {$engine eq "device"} { set engine $programs::engine }
  set out {}
  foreach line [split [programs::edits_output $engine $whole $setting $folders] \n] {
    if {![regexp {^=(\w+) ?(.*)$} $line all word rest]} continue
    if {$word eq "case"} {
      set case $rest; dict set out $case {}
    } else { dict lappend out $case $line }
  }
  return $out
}

# What differs from whole updates, {} or {{way} line line}, the first line that does, of each
# folder; and (array) how many swaps were compared.
proc edits::differences {folders countsName} {
  variable ways
  upvar 1 $countsName counts
  set all [lmap way $ways { answers $folders $way }]
  return [lmap folder $folders {
    set right [expr {[dict exists [lindex $all 0] $folder] ? [dict get [lindex $all 0] $folder] :\
      ""}]
    set counts($folder) [llength [lsearch -all -glob $right "=swap*"]]
    set what [expr {[lindex $right end] eq "=done" ? "" : [list {whole updates} "did not come to\
      their end" ""]}]
    foreach way $ways answers $all {
      set own [expr {[dict exists $answers $folder] ? [dict get $answers $folder] : ""}]
      if {$what ne "" || $own eq $right} continue
      set i 0
      while {[lindex $own $i] eq [lindex $right $i]} { incr i }
      set what [list $way [lindex $own $i] [lindex $right $i]]
    }
    set what
  }]
}
