# Times density maps: shapes like those of published designs, and of placements, by our own way and
# by published ones, on the CPU and on a device, each beside the definition in long double.
# Runs inside our own program, so that a machine without Tcl will do; in a bundle (scripts/bundle):
#
#   ./slackline -quiet -exit bench_density.tcl ?options?
#                       elsewhere: scripts/bench density ?options?
#     -kinds LIST       of: cells nets (both): tables III and II of Guo, Mai, Lin (DAC 2021), with
#                       random shapes of the same number, mean and largest area
#     -cases LIST       of: bigblue1 to bigblue4, superblue12, superblue14, superblue16,
#                       superblue19, and target (1.2 million cells on 1024 x 1024 bins); default all
#     -designs LIST     of: ariane136 ibex nvdla_m adaptec1, whose placements are there; default
#                       all that are
#     -bins N           of designs: bins of the grid, along each side (512)
#     -engines LIST     of: cpu cuda emulated (cpu, and cuda where there is a device)
#     -ways LIST        of: forward backward (both)
#     -cpu LIST         ways on the CPU: sequential naive copies corners own, and -fixed behind one
#                       (sequential,naive,copies,corners,own)
#     -device LIST      on a device: naive lanes own, and -fixed behind one
#                       (naive,naive-fixed,lanes,lanes-fixed,own)
#     -threads N        of the CPU (all)
#     -threshold N      shapes over at most so many bins are taken bin by bin (the program's)
#     -lanes N          threads of a device that share a shape in own (the program's)
#     -part X           so much of the number of shapes (1)
#     -repeat N         runs, whose median counts (5); what takes more than a second runs once
#     -check N          rows of a map that are compared with the definition (8), and 64 times as
#                       many shapes
#     -json FILE        the same as JSON
#     -note TEXT        goes into the heading
#     -measure FILE, -data DIR    measure_density; the folder of reference data
#
# No test: what is measured depends on the machine.  Exit status: 1 where something could not be
# measured; 2 a wrong call.
source [file join [file dirname [info script]] bench_common.tcl]

namespace eval bench {
  variable option
  array set option {
    -kinds {cells nets} -cases default -designs default -bins 512 -engines default
    -ways {forward backward} -cpu sequential,naive,copies,corners,own
    -device naive,naive-fixed,lanes,lanes-fixed,own -threads 0 -threshold 0 -lanes 0 -part 1
    -repeat 5 -check 8 -json {} -note {} -measure {} -data {}
  }
  # Number, mean and largest area in bins of nets, then of cells, and bins along a side: the largest
  # net says which grid it was.
  variable published {
    bigblue1 {284000 1780 1048000 636000 2.40 10000 1024}
    bigblue2 {577000 2230 1027000 1496000 2.27 5000 1024}
    bigblue3 {1123000 5100 4018000 2042000 3.42 329000 2048}
    bigblue4 {2229000 6950 4158000 5062000 2.33 125000 2048}
    superblue12 {1293000 750 1495000 1463000 2.03 20000 2048}
    superblue14 {619000 2010 580000 682000 2.12 3000 1024}
    superblue16 {697000 2430 316000 734000 2.13 3000 1024}
    superblue19 {511000 780 300000 601000 2.21 42000 1024}
    target {1293000 750 1000000 1200000 2.30 1000 1024}
  }
  # LEF and DEF below the reference data.
  variable placements {
    ariane136 {{lib/asap7_r27/asap7_tech_1x_201209.lef.gz
      lib/asap7_r27/asap7sc7p5t_27_R_1x_201211.lef.gz lib/asap7_r27/sram_*.lef.gz}
      designs/ariane136_asap7/ariane136.def.gz}
    nvdla_m {{lib/asap7_r27/asap7_tech_1x_201209.lef.gz
      lib/asap7_r27/asap7sc7p5t_27_R_1x_201211.lef.gz}
      designs/nvdla_m_asap7/nvdla_m.def.gz}
    ibex {{lib/nangate45/lef/*.lef.gz} designs/ibex_nangate45/ibex.def.gz}
    adaptec1 {{lib/sky130hd/*.tlef.gz lib/sky130hd/sky130_fd_sc_hd_merged.lef.gz
      designs/adaptec1_sky130hd/adaptec1_macro.lef.gz}
      designs/adaptec1_sky130hd/adaptec1.def.gz}
  }
  variable records {}
  variable failures {}
}

# --- running --------------------------------------------------------------------------------------

# The ways that have a backward one.
proc bench::backward_methods {methods} {
  set some {}
  foreach m [split $methods ,] {
    if {$m ni {copies lanes} && ![string match *-fixed $m]} { lappend some $m }
  }
  return [join $some ,]
}

proc bench::measure {case kind engine way words} {
  variable option
  variable records
  variable failures
  tell "$case, $kind, $engine, $way"
  set methods [expr {$engine eq "cpu" ? $option(-cpu) : $option(-device)}]
  if {$way eq "backward"} { set methods [backward_methods $methods] }
  lappend words --engine $engine --way $way --methods $methods
  lappend words --repeat $option(-repeat) --check $option(-check)
  foreach name {-threads -threshold -lanes} {
    if {$option($name)} { lappend words -$name $option($name) }
  }
  set ended [run_watched [concat [list $option(-measure)] $words] output]
  foreach line [split $output \n] {
    if {[llength $line] != 6 || [lindex $line 0] ne $way} continue
    lassign $line way method numbers threads milliseconds error
    lappend records [list case $case kind $kind engine $engine way $way method $method \
      numbers $numbers threads $threads milliseconds $milliseconds error $error]
  }
  if {!$ended} { lappend failures "$case, $kind, $engine, $way: [lindex [split $output \n] end]" }
}

proc bench::measure_ways {case kind words} {
  variable option
  foreach engine $option(-engines) {
    foreach way $option(-ways) { measure $case $kind $engine $way $words }
  }
}

proc bench::measure_published {case kind} {
  variable option
  variable published
  lassign [dict get $published $case] nets net_mean net_most cells cell_mean cell_most side
  set count $cells
  set mean $cell_mean
  set most $cell_most
  if {$kind eq "nets"} { lassign [list $nets $net_mean $net_most] count mean most }
  measure_ways $case $kind [list --kind $kind --count [expr {round($count * $option(-part))}] \
    --mean $mean --largest $most --bins ${side}x$side]
}

# The shapes of a placement, as report_density lays them on its grid.
proc bench::shapes_of {design kind} {
  variable option
  variable placements
  variable scratch
  lassign [dict get $placements $design] lefs def
  set script ""
  foreach pattern $lefs {
    foreach file [lsort [glob -directory $option(-data) $pattern]] {
      append script "catch { read_lef [list $file] }\n"
    }
  }
  append script "read_def [list $option(-data)/$def]\n"
  append script "report_density -type [string trimright $kind s] -bins 4 -shapes\
    [list $scratch/$design.$kind]\n"
  if {![run_script cpu $script output]} { error [complaint $output] }
  return $scratch/$design.$kind
}

proc bench::measure_design {design kind} {
  variable option
  variable failures
  if {[catch { shapes_of $design $kind } file]} {
    lappend failures "$design, $kind: $file"
    return
  }
  measure_ways $design $kind [list --boxes $file --bins $option(-bins)x$option(-bins)]
  file delete $file
}

# --- tables ---------------------------------------------------------------------------------------

proc bench::figure {number} {
  if {![string is double -strict $number]} { return $number }
  if {$number >= 100} { return [format %.0f $number] }
  if {$number >= 10} { return [format %.1f $number] }
  return [format %.3f $number]
}

# The methods that were measured: {engine method numbers}, in the order of first use.
proc bench::measured_methods {kind way} {
  variable records
  set methods {}
  foreach r $records {
    set method [list [dict get $r engine] [dict get $r method] [dict get $r numbers]]
    if {[dict get $r kind] eq $kind && [dict get $r way] eq $way && $method ni $methods} {
      lappend methods $method
    }
  }
  return $methods
}

proc bench::value_of {case kind way method key} {
  variable records
  foreach r $records {
    if {[dict get $r case] eq $case && [dict get $r kind] eq $kind && [dict get $r way] eq $way &&
        [list [dict get $r engine] [dict get $r method] [dict get $r numbers]] eq $method} {
      return [dict get $r $key]
    }
  }
  return -
}

# The engine stands at its first method. d: sums of doubles, f: of whole numbers (fixed point).
proc bench::headings {methods} {
  set last ""
  return [lmap m $methods {
    lassign $m engine method numbers
    set heading $method
    if {$engine ne $last} { set heading "[string toupper $engine]: $method" }
    if {$method ne "own"} { append heading " [string index $numbers 0]" }
    set last $engine
    set heading
  }]
}

proc bench::way_table {kind way key heading} {
  variable records
  set methods [measured_methods $kind $way]
  if {![llength $methods]} return
  puts "$heading: $kind, $way.\n"
  row case {*}[headings $methods]
  row --- {*}[lrepeat [llength $methods] ---:]
  set cases [lmap r $records {
    if {[dict get $r kind] ne $kind} continue
    dict get $r case
  }]
  foreach case [lsort -unique $cases] {
    row $case {*}[lmap m $methods {
      set x [value_of $case $kind $way $m $key]
      expr {$key eq "error" ? $x : [figure $x]}
    }]
  }
  puts ""
}

proc bench::tables {} {
  variable option
  variable failures
  puts [machine_line $option(-note)]
  puts "Medians of $option(-repeat), milliseconds; a device's by its own clock, with its caches\
    cold.  Errors are the largest difference from the definition in long double, beside the\
    value itself (1: something where there should be nothing), over $option(-check) rows of a map\
    or [expr {64 * $option(-check)}] shapes.  \"d\" adds doubles, \"f\" whole numbers.\n"
  foreach kind {cells nets} {
    foreach way $option(-ways) { way_table $kind $way milliseconds "Milliseconds" }
    foreach way $option(-ways) { way_table $kind $way error "Errors" }
  }
  foreach f $failures { puts "Not measured: $f" }
}

# --- the command line -----------------------------------------------------------------------------

proc bench::settle_engines {} {
  variable option
  if {$option(-engines) ne "default"} {
    check_words -engines {cpu cuda emulated}
    check_engines
    return
  }
  set option(-engines) [expr {[why_absent cuda] eq "" ? "cpu cuda" : "cpu"}]
}

proc bench::settle_designs {} {
  variable here
  variable option
  variable placements
  if {$option(-data) eq ""} {
    set option(-data) $here/data
    if {![file isdirectory $here/data]} {
      set option(-data) [file normalize $here/../../shared/data]
    }
  }
  set there [lmap {design files} $placements {
    if {![file exists $option(-data)/[lindex $files 1]]} continue
    set design
  }]
  if {$option(-designs) eq "default"} { set option(-designs) $there }
  foreach d $option(-designs) {
    if {$d ni $there} {
      wrong "-designs: there is no placement of '$d' in $option(-data); there are: $there"
    }
  }
}

proc bench::settle {arguments} {
  variable here
  variable option
  variable published
  take_options $arguments {-kinds {cells nets} -ways {forward backward}} \
    {-bins 1 -threads 0 -threshold 0 -lanes 0 -repeat 1 -check 1}
  if {$option(-cases) eq "default"} { set option(-cases) [dict keys $published] }
  foreach case $option(-cases) {
    if {![dict exists $published $case]} {
      wrong "-cases are of [dict keys $published], not '$case'"
    }
  }
  set part $option(-part)
  if {![string is double -strict $part] || !($part > 0 && $part <= 10)} {
    wrong "-part takes a number above 0, at most 10, not '$part'"
  }
  set program [file dirname [info nameofexecutable]]
  set option(-measure) [find_file -measure [list $here/bin/measure_density \
    $program/measure_density $program/scripts/measure_density]]
  if {$option(-measure) eq ""} { wrong "there is no measure_density; give -measure FILE" }
  settle_designs
  settle_engines
  check_writable -json
}

proc bench::main {arguments} {
  variable option
  variable scratch
  variable records
  variable failures
  settle $arguments
  set scratch [new_scratch]
  foreach kind $option(-kinds) {
    foreach case $option(-cases) { measure_published $case $kind }
    foreach design $option(-designs) { measure_design $design $kind }
  }
  tables
  if {$option(-json) ne ""} {
    write_json $option(-json) [list note $option(-note) repeat $option(-repeat)] $records
  }
  finish [expr {[llength $failures] > 0}]
}

bench::main $argv
