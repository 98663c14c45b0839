# Shared by the tests of the scripts (sourced): where things are.
package require tcltest 2.3
namespace import -force ::tcltest::test ::tcltest::cleanupTests ::tcltest::testConstraint

set source [file dirname [file dirname [file dirname [file normalize [info script]]]]]
set build [expr {[info exists env(SL_BUILD)] ? $env(SL_BUILD) : $source}]
set tclsh [expr {[info exists env(TCLSH)] && $env(TCLSH) ne "" ? $env(TCLSH) : [auto_execok tclsh]}]
set example $source/scripts/example
set gen_design $build/scripts/gen_design
set scratch [file join [expr {[info exists env(TMPDIR)] ? $env(TMPDIR) : "/tmp"}] sl-scripts-[pid]]
file mkdir $scratch
testConstraint tclsh [expr {$tclsh ne ""}]
testConstraint measure_sizing [file executable $build/scripts/measure_sizing]
testConstraint gen_design [file executable $gen_design]

proc text_of {file} {
  set f [open $file rb]
  if {[string match *.gz $file]} { zlib push gunzip $f }
  set text [read $f]
  close $f
  return $text
}

proc write_text {file text} {
  file mkdir [file dirname $file]
  set f [open $file w]
  puts -nonewline $f $text
  close $f
}

# Runs a program: its exit status and what it says.
proc outcome {args} {
  set status [catch {exec {*}$args </dev/null 2>@1} said options]
  if {$status && [lindex [dict get $options -errorcode] 0] eq "CHILDSTATUS"} {
    set status [lindex [dict get $options -errorcode] 2]
    set said [join [lrange [split $said \n] 0 end-1] \n]
  }
  list $status $said
}

proc finish {} {
  file delete -force $::scratch
  cleanupTests
}
