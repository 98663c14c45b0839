# Placements of the reference designs: what is read and written is all there, and the counts of
# report_placement are those of another program (count_placement.awk).  Wires worked out from the
# placement against a router's.
#
#   slackline -exit tests/golden/placement.tcl ?--all?
#
# Needs ../shared (env SL_SHARED) and awk.  The last line is the sum: "golden tests: N passed, N
# failed, N skipped".
suppress_msg LIB-065 LINK-002 LINK-013 LEF-011 LEF-012 GRAPH-001 PLACE-009
set here [file dirname [file normalize [info script]]]
set shared [expr {[info exists ::env(SL_SHARED)] ? $::env(SL_SHARED) :\
  [file join $here .. .. .. shared]}]
set lib $shared/data/lib
set designs $shared/data/designs
set sizing $shared/data/sizing
set passed 0
set failed 0

proc check {what ok details} {
  incr ::[expr {$ok ? "passed" : "failed"}]
  puts [format "%-7s %-54s %s" [expr {$ok ? "passed" : "failed"}] $what $details]
}
proc near {a b relative} { expr {abs($a - $b) <= $relative * abs($b)} }

set asap7 [concat [glob $lib/asap7_r27/asap7_tech*.lef.gz] \
  [glob $lib/asap7_r27/asap7sc7p5t*.lef.gz] [lsort [glob $lib/asap7_r27/sram*.lef.gz]]]
set nangate [list $lib/nangate45/lef/NangateOpenCellLibrary.tech.lef.gz \
  $lib/nangate45/lef/NangateOpenCellLibrary.macro.mod.lef.gz]
set sky130 [list $lib/sky130hd/sky130_fd_sc_hd.tlef.gz $lib/sky130hd/sky130_fd_sc_hd_merged.lef.gz]
set rows [list nvdla_m $asap7 $designs/nvdla_m_asap7/nvdla_m.def.gz ibex $nangate \
  $designs/ibex_nangate45/ibex.def.gz \
  caravel_clocking $sky130 $designs/caravel_clocking_sky130hd/caravel_clocking.def.gz]
if {"--all" in $argv} {
  lappend rows ariane136 $asap7 $designs/ariane136_asap7/ariane136.def.gz \
    adaptec1 [concat $sky130 $designs/adaptec1_sky130hd/adaptec1_macro.lef.gz] \
      $designs/adaptec1_sky130hd/adaptec1.def.gz
}

close [file tempfile scratch]
file delete $scratch
file mkdir $scratch

# The words of a file, one a line, without comments.
set words {{ sub(/(^|[ \t])#.*/, ""); for (i = 1; i <= NF; i++) print $i }}
proc words_of {file to} {
  exec sh -c {case $1 in *.gz) gzip -dc "$1";; *) cat "$1";; esac | awk "$2" > "$3"} sh $file \
    $::words $to
}

proc counted {text pattern} { lindex [regexp -inline -line $pattern $text] 1 }
# Core area, area of free rows, half perimeters.
proc counts {} {
  with_output_to_variable text { report_placement -nets 0 }
  list [counted $text {core cells +\d+ +(\S+)}] [counted $text {area of free rows +(\S+)}] \
    [counted $text {half perimeters +(\S+)}]
}
proc counted_by_awk {name lefs def} {
  set files {}
  foreach lef $lefs {
    set plain $::scratch/[file rootname [file tail $lef]]
    exec gzip -dc $lef > $plain
    lappend files $plain
  }
  exec awk -f $::here/count_placement.awk {*}$files $def
}

proc check_design {name lefs def} {
  global scratch
  read_lef {*}$lefs
  read_def $def
  set first [counts]
  write_def $scratch/$name.def
  words_of $def $scratch/read
  words_of $scratch/$name.def $scratch/written
  check "$name: nothing is lost" [expr {![catch {exec cmp $scratch/read $scratch/written}]}] \
    [exec sh -c "wc -l < $scratch/written"]
  read_def $scratch/$name.def
  check "$name: read again" [expr {$first eq [counts]}] $first
  set other [counted_by_awk $name $lefs $scratch/$name.def]
  set good 1
  foreach a $first b $other { if {![near $a $b 1e-5]} { set good 0 } }
  check "$name: area, rows, wire length" $good "$first; counted $other"
}

foreach {name lefs def} $rows { check_design $name $lefs $def }

# --- wires ----------------------------------------------------------------------------------------
# Resistance and capacitance of a wire are proportional to its length. Each has one constant of the
# layer; each pin adds one length of wire, which was chosen on nvdla_m. The constants are fitted on
# one design, so that the totals agree, and judged on each: nvdla_m, and with --all ariane136, both
# ways.
set access 0.3
proc link {name top} {
  global lib designs
  foreach file [lsort [concat [glob $lib/asap7_r27/*FF*.lib.gz] \
    [glob $lib/asap7_r27/sram*.lib.gz]]] {
    read_liberty $file
  }
  read_verilog $designs/${name}_asap7/$name.v.gz
  link_design $top
}
# By net: the length of its wires, the ways to pins among them.
proc lengths {} {
  set_wire_rc -resistance 0 -capacitance 1 -access $::access
  estimate_parasitics -placement
  set lengths [dict create]
  foreach net [get_nets *] {
    dict set lengths [string map {\\ {}} [get_property $net full_name]] \
      [get_property $net wire_capacitance]
  }
  return $lengths
}
proc correlation {a b} {
  set n [llength $a]
  foreach x $a y $b {
    foreach {sum term} [list sx $x sy $y sxx [expr {$x * $x}] syy [expr {$y * $y}] \
      sxy [expr {$x * $y}]] {
      set $sum [expr {[info exists $sum] ? [set $sum] + $term : $term}]
    }
  }
  expr {($sxy - $sx * $sy / $n) / sqrt(($sxx - $sx * $sx / $n) * ($syy - $sy * $sy / $n))}
}
# Totals within 5 %, the median net within 15 %, correlation 0.97 or more.
proc judge {what have want} {
  set errors [lmap x $have y $want { expr {abs($x - $y) / $y} }]
  set median [lindex [lsort -real $errors] [expr {[llength $errors] / 2}]]
  set total [expr {[tcl::mathop::+ {*}$have] / [tcl::mathop::+ {*}$want] - 1}]
  set r [correlation $have $want]
  check $what [expr {abs($total) <= 0.05 && $median <= 0.15 && $r >= 0.97}] \
    [format "total %+.2f %%, median net %.1f %%, correlation %.4f" [expr {100 * $total}] \
      [expr {100 * $median}] $r]
}
# Lengths of the nets of a design for which a router gives a capacitance or a resistance, and these
# in fF and kOhm:
# {capacitance {lengths capacitances} resistance {lengths resistances}}.
proc router_nets {name top} {
  global asap7 designs sizing
  link $name $top
  read_lef {*}$asap7
  read_def $designs/${name}_asap7/$name.def.gz
  set lengths [lengths]
  foreach what {capacitance resistance} { set have($what) {}; set want($what) {} }
  foreach line [lrange [split [exec gzip -dc $sizing/$name/net_properties.csv.gz] \n] 1 end] {
    lassign [split $line ,] net route fanout total cap res
    set net [string map {\\ {}} $net]
    if {![dict exists $lengths $net]} continue
    foreach {what number factor} [list capacitance $cap 1e15 resistance $res 1e-3] {
      if {!($number > 0)} continue
      lappend have($what) [dict get $lengths $net]
      lappend want($what) [expr {$number * $factor}]
    }
  }
  return [list capacitance [list $have(capacitance) $want(capacitance)] \
    resistance [list $have(resistance) $want(resistance)]]
}
proc sum {numbers} { tcl::mathop::+ {*}$numbers }
# A micron's capacitance or resistance, with which the totals of a design agree.
proc fitted {nets what} {
  lassign [dict get $nets $what] have want
  expr {[sum $want] / [sum $have]}
}
# nets: a dictionary of designs.
proc check_fits {nets} {
  dict for {from fit} $nets {
    dict for {to given} $nets {
      foreach what {capacitance resistance} {
        lassign [dict get $given $what] have want
        set micron [fitted $fit $what]
        judge [format "%s, %s, fitted on %s: %.5f" $to $what $from $micron] \
          [lmap x $have { expr {$micron * $x} }] $want
      }
    }
  }
}
# The routed wires of a DEF: lengths of the segments of NETS, along x or y.
set routed {{
  if ($1 == "NETS") on = 1
  if ($1 == "END" && $2 == "NETS") on = 0
  if (!on) next
  for (i = 1; i <= NF; i++) {
    if ($i == "ROUTED" || $i == "NEW") { points = 0; continue }
    if ($i == ";" || $i == "-") { points = -1; continue }
    if ($i == "+" && $(i + 1) != "ROUTED") points = -1
    if ($i != "(" || points < 0) continue
    x = $(i + 1) == "*" ? lx : $(i + 1); y = $(i + 2) == "*" ? ly : $(i + 2)
    if (points > 0) sum += (x > lx ? x - lx : lx - x) + (y > ly ? y - ly : ly - y)
    lx = x; ly = y; points++
  }
} END { printf "%.3f\n", sum / 2000 }}
proc check_routed {} {
  global nangate designs lib scratch routed
  read_liberty $lib/nangate45/nangate45_typ.lib.gz
  read_verilog $designs/ibex_nangate45/ibex.v.gz
  link_design ibex_core
  read_lef {*}$nangate
  read_def $designs/ibex_nangate45/ibex.def.gz
  set_wire_rc -resistance 0 -capacitance 1
  estimate_parasitics -placement
  set length 0
  foreach net [get_nets *] { set length [expr {$length + [get_property $net wire_capacitance]}] }
  set wires [exec sh -c {gzip -dc "$1" | awk "$2"} sh $designs/ibex_nangate45/ibex.def.gz $routed]
  set pins 0
  foreach net [get_nets *] {
    if {[get_property $net wire_capacitance] > 0} {
      incr pins [expr {[get_property $net fanout] + 1}]
    }
  }
  check "ibex: length of trees and of routed wires" [near $length $wires 0.1] \
    [format "%.0f of %.0f um: %.3f; equal with -access %.2f" \
    $length $wires [expr {$length / $wires}] [expr {($wires - $length) / $pins}]]
}
# The layers of setRC.tcl, in the library's fF and kOhm: 0.12918 fF a micron of M3.
proc check_layers {} {
  global lib
  source $lib/asap7_r27/setRC.tcl
  estimate_parasitics -placement
  set have [get_property [get_nets csb2cmac_a_req_pvld] wire_capacitance]
  set_wire_rc -resistance 0 -capacitance 1
  estimate_parasitics -placement
  set want [expr {0.12918 * [get_property [get_nets csb2cmac_a_req_pvld] wire_capacitance]}]
  check "nvdla_m: setRC.tcl" [near $have $want 1e-4] [format "%.4f of %.4f fF" $have $want]
}
check_routed
set nets [dict create nvdla_m [router_nets nvdla_m NV_NVDLA_partition_m]]
check_layers
if {"--all" in $argv} { dict set nets ariane136 [router_nets ariane136 ariane136] }
check_fits $nets

file delete -force $scratch
puts "golden tests: $passed passed, $failed failed, 0 skipped"
exit [expr {$failed > 0}]
