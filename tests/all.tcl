# Runs tests/*.test and tests/*/*.test, each in a process of its own, so that no test sees another's design; but those for a device, which
# tests/run_cuda runs.
# Under tclsh only tests/scripts: the others need the program's commands.
# The last line is the sum: "tcl tests: N passed, N failed, N skipped".

set program [expr {[info exists env(SL_PROGRAM)] ? $env(SL_PROGRAM) : [info nameofexecutable]}]
set own [expr {[info commands read_liberty] ne ""}]
set options [expr {$own ? {-exit} : {}}]
set top [file dirname [file normalize [info script]]]
set total(Passed) 0
set total(Failed) 0
set total(Skipped) 0

# What one file's tests came to: tcltest's line "file.test: Total 3 Passed 3 Skipped 0 Failed 0".
# A file that ends without that line, or with another exit status than 0, counts as one failure more.
proc run_file {file} {
  upvar #0 total total program program options options
  set status [catch {exec $program {*}$options $file </dev/null 2>@1} output]
  set seen [regexp {Total\s+\d+\s+Passed\s+(\d+)\s+Skipped\s+(\d+)\s+Failed\s+(\d+)} $output all passed skipped failed]
  if {!$seen} { lassign {0 0 0} passed skipped failed }
  incr total(Passed) $passed
  incr total(Skipped) $skipped
  incr total(Failed) $failed
  if {!$seen || ($status && !$failed)} { incr total(Failed) }
  if {!$seen || $status || $failed} { puts $output }
}

set patterns [expr {$own ? {*.test */*.test} : {scripts/*.test}}]
foreach file [lsort [glob -nocomplain -directory $top {*}$patterns]] {
  if {[file tail $file] eq "cuda.test"} continue
  run_file $file
}
puts "tcl tests: $total(Passed) passed, $total(Failed) failed, $total(Skipped) skipped"
exit [expr {$total(Failed) > 0}]
