# What benchmarks share: options, the machine, tools beside the program, a temporary folder, rows of
# tables, runs of our own program. Sourced by scripts/bench and by bench_NAME.tcl, which run inside
# our own program; their options lie in bench::option.
namespace eval bench {
  variable here [file dirname [file normalize [info script]]]
  variable scratch
  variable keeper
}

# The words of set_delay_model; for what runs inside our own program.
proc bench::delay_models {} {
  ::with_output_to_variable text { ::help set_delay_model }
  regexp {usage: set_delay_model (\S+)} $text -> words
  split $words |
}

# --- ends -----------------------------------------------------------------------------------------

# The script's own name, as users call it.
proc bench::name {} { return [regsub _ [file rootname [file tail $::argv0]] { }] }

# All ways that we choose come here; the temporary folder is gone behind it.
proc bench::finish {status} {
  variable keeper
  if {[info exists keeper]} { close $keeper }
  exit $status
}

proc bench::refuse {status text} {
  puts stderr "[name]: $text"
  finish $status
}

# Of the call: before anything is measured.
proc bench::wrong {text} { refuse 2 $text }

# Whatever ends us, an error or a signal, ends the pipe to a process that then ends the one at work
# for us, if there is one, and removes the folder, if any.
proc bench::keep_watch {folder} {
  variable keeper
  set keeper [open [list | sh -c {
    trap "" HUP INT TERM
    while read -r line; do child=$line; done
    [ -z "$child" ] || kill $child 2>/dev/null
    [ -z "$1" ] || rm -rf "$1"
  } sh $folder] w]
}

# A temporary folder, until we end.
proc bench::new_scratch {} {
  set temporary [expr {[info exists ::env(TMPDIR)] ? $::env(TMPDIR) : "/tmp"}]
  set folder [string trim [exec mktemp -d $temporary/slackline_bench.XXXXXX]]
  keep_watch $folder
  return $folder
}

# The processes that are at work for us, or "" when there are none.
proc bench::at_work {processes} {
  variable keeper
  if {![info exists keeper]} return
  puts $keeper $processes
  flush $keeper
}

# Runs a command; true when it ended well.  What it says: in the variable.  each: the
# beginning of a command that gets each line as soon as it is said.
proc bench::run_watched {words outputName {each {}}} {
  upvar 1 $outputName output
  set channel [open [list | {*}$words </dev/null 2>@1] r]
  at_work [pid $channel]
  set lines {}
  while {[gets $channel line] >= 0} {
    lappend lines $line
    if {$each ne ""} { {*}$each $line }
  }
  set output [string trim [join $lines \n]]
  set failed [catch { close $channel }]
  at_work ""
  return [expr {!$failed}]
}

# --- options --------------------------------------------------------------------------------------

proc bench::check_words {name words} {
  variable option
  if {![string is list $option($name)] || [llength $option($name)] == 0} {
    wrong "$name takes one or more of $words, not '$option($name)'"
  }
  foreach word $option($name) { if {$word ni $words} { wrong "$name are of $words, not '$word'" } }
}

proc bench::check_numbers {name numbers least} {
  if {![string is list $numbers]} { wrong "$name takes numbers, not '$numbers'" }
  foreach n $numbers {
    if {![string is integer -strict $n] || $n < $least} {
      wrong "$name are numbers from $least, not '$n'"
    }
  }
}

# The comment that a script begins with.
proc bench::usage {script} {
  set channel [open $script]
  set lines {}
  while {[gets $channel line] >= 0 && [regexp {^#(?:!|$| ?(.*))} $line all text]} {
    if {![string match #!* $line]} { lappend lines $text }
  }
  close $channel
  return [join $lines \n]
}

# What is at work, for whoever sits before it.
proc bench::tell {what} {
  if {![catch {exec sh -c {test -t 1} >@stderr}]} { puts stderr "[name]: $what" }
}

# lists: options with the words that they are of; numbers: options that are numbers with the least.
proc bench::take_options {arguments lists numbers} {
  variable option
  if {"-help" in $arguments} {
    puts [usage $::argv0]
    finish 0
  }
  foreach {name value} $arguments {
    if {![info exists option($name)]} {
      wrong "there is no option $name; there are [lsort [array names option]]"
    }
    if {$value eq "{}"} { set value "" }
    set option($name) $value
  }
  if {[llength $arguments] % 2} { wrong "[lindex $arguments end] lacks its value" }
  foreach {name words} $lists { check_words $name $words }
  foreach {name least} $numbers {
    if {![string is integer -strict $option($name)] || $option($name) < $least} {
      wrong "$name takes a number from $least, not '$option($name)'"
    }
  }
}

# Before hours of measuring, not behind them.
proc bench::check_writable {name} {
  variable option
  if {$option($name) ne "" && [catch { close [open $option($name) a] } why]} { wrong "$name: $why" }
}

# A file that an option names, or the first of those where it is looked for; "" when there is none
# of these.
proc bench::find_file {name places} {
  variable option
  if {$option($name) ne "" && ![file isfile $option($name)]} {
    wrong "$name: there is no file $option($name)"
  }
  if {$option($name) ne ""} { set places [list $option($name)] }
  foreach file $places { if {[file isfile $file]} { return [file normalize $file] } }
  return ""
}

proc bench::find_tools {} {
  variable here
  variable option
  set program [file dirname [info nameofexecutable]]
  set option(-generator) [find_file -generator \
    [list $here/bin/gen_design $program/gen_design $program/scripts/gen_design]]
  set option(-library) [find_file -library [list $here/example/slate_slow.lib.gz]]
}

# --- the machine, and which program it is ---------------------------------------------------------

proc bench::first_match {file pattern} {
  set found ""
  if {[catch { open $file } channel]} { return "" }
  regexp -line $pattern [read $channel 100000] all found
  close $channel
  return [string trim $found]
}

# Of the scripts and, in a bundle, of the program with them.
proc bench::commit {} {
  variable here
  set top [file dirname $here]
  set commit [first_match $here/commit {^(\S+)$}]
  if {$commit eq "" && [file exists $top/.git]} {
    catch { set commit [exec git -C $top describe --always --dirty --abbrev=10 --exclude *] }
  }
  return $commit
}

# date, commit, host, cores, driver: what of them is known.
proc bench::machine {} {
  set cores ""
  catch { set cores [exec getconf _NPROCESSORS_ONLN] }
  set all [list date [clock format [clock seconds] -format %Y-%m-%d] commit [commit] host \
    [first_match /proc/cpuinfo {^model name\s*:\s*(.*)$}] \
    cores $cores driver [first_match /proc/driver/nvidia/version {([0-9]+\.[0-9.]+)}]]
  return [dict filter $all script {name value} { expr {$value ne ""} }]
}

# The heading of a table.
proc bench::machine_line {note} {
  set parts [dict values [dict map {name value} [machine] {
    switch $name { commit - driver { string cat $name " " $value } cores {
      string cat $value " cores"
    } default { set value } }
  }]]
  if {$note ne ""} { lappend parts $note }
  return [join $parts {; }]
}

# --- our own program ------------------------------------------------------------------------------

# Runs it with words of a command line; true when it ended well.  What it says: in the variable.
proc bench::run_program {words outputName} {
  upvar 1 $outputName output
  return [run_watched [list [info nameofexecutable] -no_init {*}$words] output]
}

proc bench::run_script {engine text outputName} {
  variable scratch
  upvar 1 $outputName output
  set channel [open $scratch/child.tcl w]
  puts $channel $text
  close $channel
  return [run_program [list -quiet -engine $engine -exit $scratch/child.tcl] output]
}

# The error in what a run says, or else its last line; of places in our own script nothing.
proc bench::complaint {output} {
  variable scratch
  if {![regexp -line {^(?:.*: )?error: .*$} $output line]} {
    set line [lindex [split $output \n] end]
  }
  return [regsub "^[regsub -all {\W} $scratch/child.tcl {\\&}]:\\d+: " $line {}]
}

# A device that failed while it was measured: the warning.
proc bench::lost_device {output} {
  expr {[regexp -line {^.*\[CUDA-00[12]\]$} $output line] ? $line : ""}
}

# Why an engine is not there; nothing when it is.
proc bench::why_absent {engine} {
  if {![run_program [list -engine $engine -exit] output]} { return [complaint $output] }
  return [expr {[regexp -line "^engine: .*\\($engine was asked for: (.*)\\)\$" $output all why] ?\
    $why : ""}]
}

# Engines that were named must be there.
proc bench::check_engines {} {
  variable option
  foreach engine $option(-engines) {
    set why [why_absent $engine]
    if {$why ne ""} { refuse 1 "no device for engine $engine: $why" }
  }
}

# Verilog, SPEF and SDC of a random design; an error that says why not.
proc bench::generate_design {cells base} {
  variable option
  set words [list --kind random --wires $option(-wires) --cells $cells --depth $option(-depth) \
    --largest-net [expr {min($option(-largest), $cells / 30)}] \
    --verilog $base.v --spef $base.spef --sdc $base.sdc --top top]
  if {![run_watched [list $option(-generator) {*}$words] output]} {
    error [lindex [split $output \n] 0]
  }
}

proc bench::reading_generated {base} {
  variable option
  return [string map [list LIBRARY [list $option(-library)] BASE $base] {
    read_liberty LIBRARY
    read_verilog {BASE.v}
    link_design top
    read_sdc {BASE.sdc}
    read_spef {BASE.spef}
  }]
}

# What child processes that time edits share.
proc bench::asking_and_sizes {} {
  return {
    # Brings the timing up to date.
    proc bench_worst {} {
      with_output_to_variable text {report_worst_slack -max}
      return $text
    }
    # Other sizes of a cell: a list of library cells.
    proc bench_sizes {cell} {
      global bench_cells bench_pattern
      set name [get_property $cell ref_name]
      if {![info exists bench_cells]} {
        foreach c [get_object_name [get_lib_cells *]] {
          lappend bench_cells([regsub $bench_pattern [file tail $c] *]) $c
        }
        set bench_cells() {}
      }
      set key [regsub $bench_pattern $name *]
      if {![info exists bench_cells($key)]} { return {} }
      return [lmap c $bench_cells($key) { if {[file tail $c] eq $name} continue; set c }]
    }
  }
}

# --- tables and JSON ------------------------------------------------------------------------------

proc bench::row {args} {
  puts "| [join $args { | }] |"
  flush stdout
}

proc bench::json_text {value} {
  string cat \" [string map {\\ \\\\ \" \\\" \n \\n \t \\t} $value] \"
}

proc bench::json_value {value} {
  if {[regexp {^-?(0|[1-9]\d*)(\.\d+)?([eE][-+]?\d+)?$} $value]} { return $value }
  return [json_text $value]
}

# What looks like a number need not be one.
proc bench::json_kind {key} { expr {$key in {commit driver note} ? "json_text" : "json_value"} }

proc bench::json_object {dictionary} {
  string cat "{" [join [lmap {key value} $dictionary \
    { string cat "\"$key\": " [json_value $value] }] ", "] "}"
}

# An object with the machine, the settings and records, which are dictionaries.
proc bench::write_json {file settings records} {
  set channel [open $file w]
  puts $channel "{"
  foreach {key value} [concat [machine] $settings] {
    puts $channel "  \"$key\": [[json_kind $key] $value],"
  }
  puts $channel "  \"records\":\
    \[\n[join [lmap r $records { string cat "    " [json_object $r] }] ,\n]\n  \]\n}"
  close $channel
}

# --- busy processes beside what is measured -------------------------------------------------------

# Their channels are in `others` of the benchmark; its watch_all says which processes to end.
proc bench::begin_busy {count} {
  variable others
  for {set i 0} {$i < $count} {incr i} {
    lappend others [open {| sh -c {while :; do :; done}} r]
  }
  watch_all
}

proc bench::end_busy {} {
  variable others
  foreach channel $others {
    exec kill [pid $channel]
    catch { close $channel }
  }
  set others {}
  watch_all
}
