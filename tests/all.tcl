# Runs tests/*.test and tests/*/*.test, each in a process and a folder of its own, so that no test
# sees another's design or files; but those for a device, which tests/run_cuda runs.
# Under tclsh only tests/scripts: the others need the program's commands.
# The last line is the sum: "tcl tests: N passed, N failed, N skipped".
#
#   all.tcl ?-jobs N? ?FILE...?     N processes at a time (1); files under tests, such as cmd/args

set program [file normalize [info nameofexecutable]]
if {[info exists env(SL_PROGRAM)]} { set program $env(SL_PROGRAM) }
set own [expr {[info commands read_liberty] ne ""}]
set options [expr {$own ? {-exit} : {}}]
set top [file dirname [file normalize [info script]]]
set total(Passed) 0
set total(Failed) 0
set total(Skipped) 0

# Starts the test of a file in a new folder.
proc start {file} {
  global program options output folder running
  set home [pwd]
  set scratch [file join $home [file rootname [file tail $file]].[pid]]
  file mkdir $scratch
  cd $scratch
  set channel [open |[list $program {*}$options $file </dev/null 2>@1]]
  cd $home
  fconfigure $channel -blocking 0
  set output($channel) ""
  set folder($channel) $scratch
  incr running
  fileevent $channel readable [list read_more $channel]
}

proc read_more {channel} {
  global output folder running
  append output($channel) [read $channel]
  if {![eof $channel]} return
  fconfigure $channel -blocking 1
  count $output($channel) [catch {close $channel}]
  file delete -force $folder($channel)
  unset output($channel) folder($channel)
  incr running -1
  start_next
}

proc start_next {} {
  global waiting running done
  if {[llength $waiting]} {
    set waiting [lassign $waiting file]
    start $file
  } elseif {$running == 0} {
    set done 1
  }
}

# What one file's tests came to: tcltest's line "file.test: Total 3 Passed 3 Skipped 0 Failed 0".
# A file that ends without that line, or with another exit status than 0, counts as one more
# failure.
proc count {text status} {
  global total
  set sum {Total\s+\d+\s+Passed\s+(\d+)\s+Skipped\s+(\d+)\s+Failed\s+(\d+)}
  set seen [regexp $sum $text all passed skipped failed]
  if {!$seen} { lassign {0 0 0} passed skipped failed }
  incr total(Passed) $passed
  incr total(Skipped) $skipped
  incr total(Failed) $failed
  if {!$seen || ($status && !$failed)} { incr total(Failed) }
  if {!$seen || $status || $failed} { puts $text }
}

# The files to test that the arguments name; sets jobs.
proc files_of {words} {
  global jobs own top
  set jobs 1
  if {[lindex $words 0] eq "-jobs"} { set words [lassign $words option jobs] }
  if {[llength $words]} { return [lmap name $words { file join $top $name.test }] }
  set patterns [expr {$own ? {*.test */*.test} : {scripts/*.test}}]
  return [lmap file [lsort [glob -nocomplain -directory $top {*}$patterns]] {
    if {[file tail $file] eq "cuda.test"} continue
    set file
  }]
}

set running 0
set waiting [files_of $argv]
for {set i 0} {$i < $jobs} {incr i} { start_next }
if {![info exists done]} { vwait done }
puts "tcl tests: $total(Passed) passed, $total(Failed) failed, $total(Skipped) skipped"
exit [expr {$total(Failed) > 0}]
