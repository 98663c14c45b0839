# Shared by the tests of what kernels must know of a design: scripts run with the CPU's engine and
# with the emulated kernels in each schedule.
source [file join [file dirname [info script]] .. cmd design.tcl]

set read_example "read_liberty $example_folder/slate_slow.lib.gz; read_verilog\
  $example_folder/cpu.v; link_design cpu;
  read_sdc $example_folder/cpu.sdc; read_spef $example_folder/cpu.spef.gz; set_common_path_credit\
  off"

# For scripts: `answer` adds slacks to what is compared, `tables` the tables of all numbers.
set tell {
  set said [open $out/said w]
  set tables 0
  proc answer {} {
    with_output_to_variable text\
    { report_worst_slack -digits 9; report_worst_slack -min -digits 9; report_tns -digits 9 }
    puts $::said $text
  }
  proc tables {} {
    global said out tables
    answer
    write_timing_tables $out/[incr tables]
    foreach table {pins arcs endpoints} {
      set f [open $out/$tables/$table.tsv.gz rb]
      zlib push gunzip $f
      puts $said [read $f]
      close $f
    }
  }
  # the n-th of every so many
  proc some {list first step} {
    set result {}
    for {set i $first} {$i < [llength $list]} {incr i $step} { lappend result [lindex $list $i] }
    return $result
  }
  proc other_strength {cell} {
    set ref [get_property $cell ref_name]
    if {![regexp {^(.*_)(\d+)([rl])$} $ref all family strength kind]} { return "" }
    foreach other {1 2 4 8} {
      if {$other != $strength && [llength [get_lib_cells -quiet */$family$other$kind]]}\
      { return $family$other$kind }
    }
    return ""
  }
  proc swap_some {first step} {
    foreach cell [some [get_cells -hierarchical *] $first $step] {
      set to [other_strength $cell]
      if {$to ne ""} { swap_cell $cell $to }
    }
  }
}

# What a script prints and says.  Schedule wide: pin, each level with kernels of its own.
proc run_with {engine setting schedule model body} {
  global tell
  set out [scratch features.$engine]
  file delete -force $out
  file mkdir $out
  set options "set_engine_option schedule $schedule"
  if {$schedule eq "wide"} {
    set options "set_engine_option schedule pin; set_engine_option narrow_level 0"
  }
  set script [text_file features.$engine.tcl \
    "set out [list $out]\n$tell\nset_delay_model $model; $options\n$body\nclose \$said\n"]
  set text [exec env SLACKLINE_EMULATED=$setting [info nameofexecutable] -no_init -engine $engine \
    -exit $script </dev/null 2>@1]
  set f [open $out/said]
  set said [read $f]
  close $f
  file delete -force $out
  return [list [regexp -inline -all {[^\n]*CUDA-[^\n]*} $text] $said]
}

# Which schedules differ from the CPU, and what is left to it.
proc differing_schedules {model body} {
  set right [lindex [run_with cpu none pin $model $body] 1]
  set result {}
  foreach {schedule setting} {pin none pin reversed wide reversed net reversed cte reversed} {
    lassign [run_with emulated $setting $schedule $model $body] messages said
    if {$said ne $right} { lappend result "$schedule $setting differs" }
    lappend result {*}$messages
  }
  return $result
}
