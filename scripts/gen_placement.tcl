# Outlines for the example's library (LEF) and a placement of its design (DEF), for the shell:
#   EXAMPLE=folder slackline -quiet -no_init -exit scripts/gen_placement.tcl
# The folder has slate_slow.lib.gz and cpu.v, and gets slate.lef.gz and cpu.def.gz.
#
# Cells are where the mean of their neighbours is, spread over rows again after each step. What
# comes out is legal and looks like a placement; nobody has tried to make it a good one.
set folder $::env(EXAMPLE)
read_liberty $folder/slate_slow.lib.gz
read_verilog $folder/cpu.v
link_design cpu

# Nanometres: sites, rows, the rim around them; how full the rows are.
set site 100
set row 540
set rim 2160
set fill 0.7

proc write_gzip {path text} {
  set f [open $path wb]
  zlib push gzip $f -level 9
  puts -nonewline $f $text
  close $f
}

proc um {nm} { return [format %g [expr {$nm / 1000.0}]] }

# --- LEF ------------------------------------------------------------------------------------------
# Area is in square microns: as many sites as that takes.
proc width_of {lib_cell} {
  global site row
  return [expr {$site * int(ceil([get_property $lib_cell area] * 1e6 / ($site * $row) - 1e-6))}]
}

proc layer_text {name kind way pitch width square area edge} {
  return "LAYER $name
  TYPE ROUTING ;
  DIRECTION $way ;
  PITCH $pitch ;
  WIDTH $width ;
  RESISTANCE RPERSQ $square ;
  CAPACITANCE CPERSQDIST $area ;
  EDGECAPACITANCE $edge ;
END $name
\n"
}

proc pin_text {pin at} {
  set direction [string toupper [get_property $pin direction]]
  set use [expr {[get_property $pin is_clock] ? "CLOCK" : "SIGNAL"}]
  set name [get_property $pin name]
  return "  PIN $name
    DIRECTION $direction ;
    USE $use ;
    PORT
      LAYER metal1 ;
        RECT [um [expr {$at - 20}]] 0.17 [um [expr {$at + 20}]] 0.37 ;
    END
  END $name\n"
}

proc supply_text {name use y0 y1 width} {
  return "  PIN $name
    DIRECTION INOUT ;
    USE $use ;
    SHAPE ABUTMENT ;
    PORT
      LAYER metal1 ;
        RECT 0 $y0 [um $width] $y1 ;
    END
  END $name\n"
}

proc macro_text {lib_cell} {
  global row
  set name [get_property $lib_cell name]
  set width [width_of $lib_cell]
  set kind [expr {$name eq "fill" ? "CORE SPACER" : "CORE"}]
  append text "MACRO $name
  CLASS $kind ;
  ORIGIN 0 0 ;
  SIZE [um $width] BY [um $row] ;
  SYMMETRY X Y ;
  SITE unit ;\n"
  set pins [get_lib_pins -quiet [get_property [get_property $lib_cell library] name]/$name/*]
  set i 0
  foreach pin $pins {
    if {[get_property $pin direction] ni {input output inout}} continue
    append text [pin_text $pin [expr {$width * (2 * $i + 1) / (2 * [llength $pins]) / 10 * 10}]]
    incr i
  }
  append text [supply_text VDD POWER 0.51 0.57 $width] [supply_text VSS GROUND -0.03 0.03 $width]
  return "${text}END $name\n\n"
}

set text "VERSION 5.8 ;
BUSBITCHARS \"\[\]\" ;
DIVIDERCHAR \"/\" ;

UNITS
  DATABASE MICRONS 1000 ;
END UNITS
MANUFACTURINGGRID 0.005 ;
\n"
foreach {name way} {metal1 HORIZONTAL metal2 VERTICAL metal3 HORIZONTAL metal4 VERTICAL} {
  append text [layer_text $name ROUTING $way 0.1 0.05 0.5 0.0004 0.00006]
}
append text "SITE unit
  CLASS CORE ;
  SYMMETRY Y ;
  SIZE [um $site] BY [um $row] ;
END unit
\n"
foreach lib_cell [get_lib_cells */*] { append text [macro_text $lib_cell] }
write_gzip $folder/slate.lef.gz "${text}END LIBRARY\n"

# --- the placement --------------------------------------------------------------------------------
set cells {}
set area 0
foreach cell [get_cells -hierarchical *] {
  if {[get_property $cell is_hierarchical]} continue
  set name [get_property $cell full_name]
  lappend cells $name
  set width($name) [width_of [get_property $cell lib_cell]]
  set master($name) [get_property $cell ref_name]
  incr area [expr {$width($name) * $row}]
}
set rows [expr {int(ceil(sqrt($area / $fill) / $row))}]
set sites [expr {int(ceil($area / $fill / $rows / $row / $site))}]
set right [expr {2 * $rim + $sites * $site}]
set top [expr {2 * $rim + $rows * $row}]

# Ports in their order along the left, upper, right and lower edge.
set ports {}
foreach port [get_ports *] { lappend ports [get_property $port full_name] }
proc on_edge {i count} {
  global right top
  set way [expr {(2 * $i + 1) * ($right + $top) / $count}]
  if {$way < $top} { return [list 0 $way] }
  incr way -$top
  if {$way < $right} { return [list $way $top] }
  incr way -$right
  if {$way < $top} { return [list $right [expr {$top - $way}]] }
  return [list [expr {$right + $top - $way}] 0]
}
set i 0
foreach port $ports {
  lassign [on_edge $i [llength $ports]] x($port) y($port)
  incr i
}

# Nets: the pins of each, as {owner pin}; a port's owner is PIN.
set nets [dict create]
proc take_net {net} {
  upvar #0 nets nets
  if {$net eq "" || [dict exists $nets $net]} return
  set pins {}
  foreach end [concat [get_property [get_nets $net] driver] [get_property [get_nets $net] loads]] {
    if {[get_property $end is_port]} {
      lappend pins [list PIN [get_property $end full_name]]
    } else {
      set owner [get_property $end cell]
      lappend pins [list [get_property $owner full_name] [get_property $end lib_pin_name]]
    }
  }
  dict set nets $net $pins
}
foreach net [get_nets -hierarchical *] { take_net [get_property $net full_name] }
# The same pins under the names of several segments: the first name stays, which is the one nearest
# the top.
set seen [dict create]
dict for {net pins} $nets {
  set key [lsort $pins]
  if {[dict exists $seen $key] || [llength $pins] < 2} {
    dict unset nets $net
  } else {
    dict set seen $key 1
  }
}
foreach {net pins} $nets {
  set owners {}
  foreach pin $pins { lappend owners [lindex $pin [expr {[lindex $pin 0] eq "PIN"}]] }
  set owners_of($net) [lsort -unique $owners]
  if {[llength $owners_of($net)] > 40} continue
  foreach owner $owners_of($net) { lappend nets_of($owner) $net }
}

# Rows are filled from below in the order of y, each in the order of x, with gaps between its cells.
proc spread {} {
  global cells width x y rows sites site row rim
  set order [lsort -real -index 1 [lmap cell $cells { list $cell $y($cell) }]]
  set total 0
  foreach cell $cells { incr total $width($cell) }
  set filled 0
  set in_row {}
  set level 0
  foreach entry $order {
    set cell [lindex $entry 0]
    lappend in_row [list $cell $x($cell)]
    incr filled $width($cell)
    if {$filled * $rows < $total * ($level + 1)} continue
    fill_row $in_row $level
    set in_row {}
    incr level
  }
  if {$in_row ne {}} { fill_row $in_row [expr {min($level, $rows - 1)}] }
}
proc fill_row {entries level} {
  global width x y sites site row rim
  set used 0
  foreach entry $entries { incr used [expr {$width([lindex $entry 0]) / $site}] }
  set gap [expr {double($sites - $used) / ([llength $entries] + 1)}]
  set at 0
  set k 1
  foreach entry [lsort -real -index 1 $entries] {
    set cell [lindex $entry 0]
    set x($cell) [expr {$rim + $site * (int($gap * $k) + $at)}]
    set y($cell) [expr {$rim + $row * $level}]
    incr at [expr {$width($cell) / $site}]
    incr k
  }
}
proc draw_together {} {
  global cells x y nets_of owners_of
  foreach cell $cells {
    set count 0
    set sum_x 0
    set sum_y 0
    if {![info exists nets_of($cell)]} continue
    foreach net $nets_of($cell) {
      foreach owner $owners_of($net) {
        if {$owner eq $cell} continue
        set sum_x [expr {$sum_x + $x($owner)}]
        set sum_y [expr {$sum_y + $y($owner)}]
        incr count
      }
    }
    if {$count == 0} continue
    set x($cell) [expr {0.2 * $x($cell) + 0.8 * $sum_x / $count}]
    set y($cell) [expr {0.2 * $y($cell) + 0.8 * $sum_y / $count}]
  }
}
set i 0
foreach cell $cells {
  set x($cell) [expr {$rim + ($i * 7919) % ($right - 2 * $rim)}]
  set y($cell) [expr {$rim + ($top - 2 * $rim) * $i / [llength $cells]}]
  incr i
}
for {set step 0} {$step < 12} {incr step} {
  for {set k 0} {$k < 3} {incr k} { draw_together }
  spread
}

# --- DEF ------------------------------------------------------------------------------------------
set text "VERSION 5.8 ;
DIVIDERCHAR \"/\" ;
BUSBITCHARS \"\[\]\" ;
DESIGN cpu ;
UNITS DISTANCE MICRONS 1000 ;
DIEAREA ( 0 0 ) ( $right $top ) ;\n"
for {set i 0} {$i < $rows} {incr i} {
  set turn [lindex {N FS} [expr {$i % 2}]]
  append text "ROW row_$i unit $rim [expr {$rim + $row * $i}] $turn DO $sites BY 1 STEP $site 0 ;\n"
}
append text "COMPONENTS [llength $cells] ;\n"
foreach cell $cells {
  set orient [lindex {N FS} [expr {($y($cell) - $rim) / $row % 2}]]
  append text "- $cell $master($cell) + PLACED ( $x($cell) $y($cell) ) $orient ;\n"
}
append text "END COMPONENTS\nPINS [llength $ports] ;\n"
foreach port $ports {
  set direction [string toupper [get_property [get_ports $port] direction]]
  append text "- $port + NET $port + DIRECTION $direction + USE SIGNAL + LAYER metal3 ( -25 -25 )\
    ( 25 25 ) + PLACED ( $x($port) $y($port) ) N ;\n"
}
append text "END PINS\nNETS [dict size $nets] ;\n"
dict for {net pins} $nets {
  append text "- $net"
  foreach pin $pins { append text " ( [join $pin] )" }
  append text " + USE SIGNAL ;\n"
}
append text "END NETS\nEND DESIGN\n"
write_gzip $folder/cpu.def.gz $text
