# What benchmarks that run inside our own program share: options, tools beside the program, rows of tables.  Sourced by bench_NAME.tcl, whose
# options lie in bench::option.
namespace eval bench {
  variable here [file dirname [file normalize [info script]]]
}

# The script's own name, as users call it.
proc bench::name {} { return [regsub _ [file rootname [file tail $::argv0]] { }] }

proc bench::wrong {text} {
  puts stderr "[name]: $text"
  exit 2
}

proc bench::row {args} { puts "| [join $args { | }] |" }

proc bench::first_file {files} {
  foreach file $files { if {[file isfile $file]} { return [file normalize $file] } }
  return ""
}

# lists: options with the words that they are of; numbers: options that are numbers from 1.
proc bench::take_options {arguments lists numbers} {
  variable option
  foreach {name value} $arguments {
    if {![info exists option($name)]} { wrong "there is no option $name; there are [lsort [array names option]]" }
    set option($name) $value
  }
  if {[llength $arguments] % 2} { wrong "[lindex $arguments end] lacks its value" }
  foreach {name words} $lists {
    foreach word $option($name) { if {$word ni $words} { wrong "$name are of $words, not '$word'" } }
  }
  foreach name $numbers {
    if {![string is integer -strict $option($name)] || $option($name) < 1} { wrong "$name takes a number from 1, not '$option($name)'" }
  }
}

proc bench::find_tools {} {
  variable here
  variable option
  set program [file dirname [info nameofexecutable]]
  if {$option(-generator) eq ""} { set option(-generator) [first_file [list $here/bin/gen_design $program/gen_design $program/scripts/gen_design]] }
  if {$option(-library) eq ""} { set option(-library) [first_file [list $here/example/slate_slow.lib.gz]] }
}

proc bench::new_scratch {} {
  set temporary [expr {[info exists ::env(TMPDIR)] ? $::env(TMPDIR) : "/tmp"}]
  return [string trim [exec mktemp -d $temporary/slackline_bench.XXXXXX]]
}
