# Random small netlists, as data that can be taken apart, and as hierarchical Verilog.
#
# A design is a dictionary:
#   ports   name -> input|output
#   cells   name -> {block master {pin net ...}}; the name is the whole one, block that of the
#           module around it ("" is the top). A net is one name for the whole design; 0 and 1 are
#           constants, "" is no connection
#   roots   inputs that are clocks; dividers: registers of the clock network that were made to
#           divide
#   blocks  names of the instances of modules, outer ones first; each is an instance of a module of
#           its own
# Ports of modules follow from which nets cross their borders: removing a cell leaves a design that
# is whole. There are no combinational loops, with clock to output as an arc as well: every input
# but a register's D is a net that was there before.

namespace eval netlist {
  variable pins {
    inv {A Y} buf {A Y} ckinv {A Y} ckbuf {A Y} nand2 {A B Y} nand3 {A B C Y} nor2 {A B Y} and2\
    {A B Y} or2 {A B Y}
    aoi21 {A B C Y} oai21 {A B C Y} xor2 {A B Y} xnor2 {A B Y} mux2 {A B S Y} fa {A B CI S CO}
    dff {CK D Q} dffb {CK D Q QN} dffr {CK D RN Q} dffs {CK D SN Q} dffrs {CK D RN SN Q} latch\
    {D G Q} icg {CK E TE GCK}
    tie0 {Y} tie1 {Y}
  }
  variable outputs {Y S CO Q QN GCK}
  # Plain designs: no constants, open pins, clocks as data or data as clocks.
  variable plain 0
  # How many cells; "": 5 to 60.
  variable size ""
  # How often there is a latch, beside 5 for a register; a constant, beside 40 recent nets.
  variable latches 0
  variable constants 0
  # Whether there are gates that close at a rising edge of their clock.
  variable rising 0
  # Whether clocks are divided: without a generated clock there, registers behind have none.
  variable dividers 0
  # Whether clock pins may be on data, and all nets that nothing reads are outputs.
  variable data_clocks 0
  variable all_out 0
  # How often data inputs are on clocks, likewise.
  variable mixed 0
  # Whether clock nets are of one clock and one phase each; whether enables gate clocks in logic.
  variable one_phase 0
  variable gates 1
}

# The kind of a master: nand2 of nand2_1r.
proc netlist::kind {master} { return [lindex [split $master _] 0] }

# Pins of a kind that drive; S is an output of the adder alone.
proc netlist::output_pins {kind} {
  variable pins
  variable outputs
  set out {}
  foreach pin [dict get $pins $kind] {
    if {$pin in $outputs && !($pin eq "S" && $kind eq "mux2")} { lappend out $pin }
  }
  return $out
}

proc netlist::input_pins {kind} {
  variable pins
  set drivers [output_pins $kind]
  return [lmap pin [dict get $pins $kind] { if {$pin in $drivers} continue; set pin }]
}

proc netlist::is_register {kind} { return [expr {$kind in {dff dffb dffr dffs dffrs}}] }

# Cells of these kinds, by name.
proc netlist::cells_of {design kinds} {
  set out {}
  dict for {name cell} [dict get $design cells] {
    if {[kind [lindex $cell 1]] in $kinds} { lappend out $name }
  }
  return $out
}

proc netlist::ports_of {design direction} {
  set out {}
  dict for {name way} [dict get $design ports] { if {$way eq $direction} { lappend out $name } }
  return $out
}

# --- making one -----------------------------------------------------------------------------------
# While a design grows, `d` has besides: data (nets for data inputs), clocks (nets for clock pins),
# count.

proc netlist::make {kinds} {
  variable plain [expr {"plain" in $kinds}]
  variable latches [expr {"latch" ni $kinds ? 0 : "pessimism" in $kinds ? 6 : 1.5}]
  variable constants [expr {"tied" in $kinds ? 2 : 0}]
  variable mixed [expr {"alone" in $kinds}]
  variable rising [expr {"rising_gates" in $kinds}]
  variable dividers [expr {"generated" in $kinds || (!$plain && "unclocked" in $kinds)}]
  variable data_clocks [expr {"unclocked" in $kinds && !$plain}]
  variable all_out [expr {"dangling" ni $kinds && !$plain}]
  set d [dict create ports {} cells {} blocks [make_blocks] dividers {} data {} clocks {} count 0]
  # What one clock launches and captures has a common path; one clock alone may open latches, and be
  # at both pins of data checks.
  variable one_phase [expr {!$plain && "latch" in $kinds && "latch_clocks" ni $kinds}]
  variable gates [expr {$plain || "path_delay" ni $kinds || "gated_delay" in $kinds}]
  set single [expr {$one_phase || (!$plain && "data_check" in $kinds && "checks_between" ni\
    $kinds)}]
  set roots [expr {"pessimism" in $kinds || $single ? 1 : 3}]
  foreach {prefix first last list} [list ck 1 $roots clocks in 2 5 data] {
    set n [random::between $first $last]
    for {set i 0} {$i < $n} {incr i} {
      dict set d ports $prefix$i input
      dict lappend d $list $prefix$i
    }
  }
  dict set d roots [dict get $d clocks]
  foreach net [dict get $d roots] { dict set d phase $net 0 }
  add_register d
  variable size
  set n [expr {$size ne "" ? $size : [random::between 5 60]}]
  while {[dict get $d count] < $n} { add_something d }
  if {"alone" ni $kinds} { use_clocks d }
  connect_registers d
  make_outputs d
  return [dict remove $d data clocks count phase]
}

proc netlist::make_blocks {} {
  return [random::pick {{} {} u {u v} {u u/w} {u u/w v}}]
}

proc netlist::add_something {dName} {
  upvar 1 $dName d
  variable plain
  variable latches
  variable constants
  switch [random::weighted [expr {$plain ? [list logic 8 register 6 latch $latches clock 4] :
      [list logic 10 register 5 latch $latches clock 3 constant [expr {$constants * 0.3}]]}]] {
    logic { add_logic d }
    register { add_register d }
    latch { add_latch d }
    clock { add_clock_cell d }
    constant { add_cell d [random::pick {tie0 tie1}] {} data }
  }
}

# Adds a cell with the inputs given as pin -> net; its outputs are new nets, which join the list
# `list` ("": none).
proc netlist::add_cell {dName kind inputs list} {
  upvar 1 $dName d
  set number [dict get $d count]
  dict incr d count
  set block [random::pick [concat {{}} [dict get $d blocks]]]
  set name [expr {$block eq "" ? "" : "$block/"}]${kind}_$number
  set connections $inputs
  foreach pin [output_pins $kind] {
    set net ""
    if {$pin eq [lindex [output_pins $kind] 0] || [random::chance 0.7]} {
      set net n${number}[string tolower $pin]
      if {$list ne ""} { dict lappend d $list $net }
    }
    lappend connections $pin $net
  }

  set drive [expr {$kind in {tie0 tie1} ? "1r" : "[random::pick {1 2 4}][random::pick {r r l}]"}]
  dict set d cells $name [list $block ${kind}_$drive $connections]
}

# A net for an input: mostly one of the last that were made; at times a constant, a clock or
# nothing.
proc netlist::data_net {d} {
  variable plain
  set list [dict get $d data]
  if {$plain} { return [random::pick $list] }
  variable constants
  variable mixed
  switch [random::weighted [list recent 60 any 40 constant $constants clock $mixed open 0.4]] {
    recent { return [random::pick [lrange $list end-7 end]] }
    any { return [random::pick $list] }
    constant { return [random::pick {0 1}] }
    clock { return [random::pick [dict get $d clocks]] }
  }
  return ""
}

proc netlist::clock_net {d} {
  variable data_clocks
  if {$data_clocks && [random::chance 0.05]} { return [random::pick [dict get $d data]] }
  return [random::pick [dict get $d clocks]]
}

proc netlist::add_logic {dName} {
  upvar 1 $dName d
  set kind [random::pick {inv inv buf nand2 nand2 nand3 nor2 and2 or2 aoi21 oai21 xor2 xnor2 mux2\
    fa}]
  set inputs {}
  foreach pin [input_pins $kind] { lappend inputs $pin [data_net $d] }
  add_cell d $kind $inputs data
}

# Registers on clock nets that nothing reads.
proc netlist::use_clocks {dName} {
  upvar 1 $dName d
  foreach net [dict get $d clocks] {
    if {[leads_to_clock $d $net]} continue
    dict set d clocks [list $net]
    add_register d
  }
}

# A register; D waits for connect_registers.
proc netlist::add_register {dName} {
  upvar 1 $dName d
  set kind [random::pick {dff dff dffb dffr dffr dffs dffrs}]
  variable plain
  set inputs [list CK [clock_net $d] D ?]
  foreach pin {RN SN} {
    if {$pin in [input_pins $kind]} {
      variable constants
      lappend inputs $pin [random::weighted \
        [list [random::pick [dict get $d data]] 4 1 [expr {!$plain && $constants > 0}]]]
    }
  }
  add_cell d $kind $inputs data
}

proc netlist::add_latch {dName} {
  upvar 1 $dName d
  add_cell d latch [list D [data_net $d] G [clock_net $d]] data
}

# A cell of a clock network: buffer, inverter, gate, integrated gate, multiplexer, divider.
proc netlist::add_clock_cell {dName} {
  upvar 1 $dName d
  set clock [random::pick [dict get $d clocks]]
  set enable [random::pick [dict get $d data]]
  variable one_phase
  variable gates
  variable plain
  variable dividers
  set joins [expr {!$one_phase && $gates}]
  set divide [expr {$plain && $dividers ? 6 : 1}]
  switch [random::weighted [list tree 6 gate [expr {$gates * 2.5}] icg 2.5 mux [expr {$joins * 2}] \
    divider $divide mixed [expr {$joins * 0.5}]]] {
    tree {
      set kind [random::pick {ckbuf ckbuf buf ckinv inv}]
      add_cell d $kind [list A $clock] clocks
      set_phase d $clock [expr {$kind in {ckinv inv}}]
    }
    gate {
      set kind [random::pick [gates_for $d $clock]]
      add_cell d $kind [expr {"B" in [input_pins $kind] ? [list A $clock B $enable] : [list A\
        $clock]}] clocks
      set_phase d $clock [expr {$kind in {nand2 nor2}}]
    }
    icg {
      add_cell d icg [list CK $clock E $enable TE \
        [expr {$plain ? "in0" : [random::pick {0 0 in0}]}]] clocks
      set_phase d $clock 0
    }
    mux { add_cell d mux2 [list A $clock B [random::pick [dict get $d clocks]] S $enable] clocks }
    divider { if {!$dividers} { add_register d } else { add_divider d $clock } }
    mixed { add_cell d xor2 [list A $clock B [random::pick [dict get $d clocks]]] clocks }
  }
}

# Whether the last clock net is inverted: the one it comes from, or once more.  Of those that
# multiplexers make nothing is known.
proc netlist::set_phase {dName from inverts} {
  upvar 1 $dName d
  set net [lindex [dict get $d clocks] end]
  if {[dict exists $d phase $from]} {
    dict set d phase $net [expr {[dict get $d phase $from] ^ $inverts}]
  }
}

# Gates that close when a clock's source falls, unless all may be there.
proc netlist::gates_for {d clock} {
  variable rising
  if {$rising || $netlist::plain} { return {and2 or2 nand2 nor2} }
  if {![dict exists $d phase $clock]} { return {buf ckbuf} }
  return [expr {[dict get $d phase $clock] ? {or2 nor2} : {and2 nand2}}]
}

# A flip-flop whose inverted output is its input; its output joins the clock nets.
proc netlist::add_divider {dName clock} {
  upvar 1 $dName d
  set number [dict get $d count]
  set name dffb_$number
  dict set d cells $name [list "" dffb_1r \
    [list CK $clock D n${number}qn Q n${number}q QN n${number}qn]]
  dict lappend d clocks n${number}q
  dict lappend d dividers $name
  dict incr d count
}

# Data inputs of registers may be any net, so that registers feed back.
proc netlist::connect_registers {dName} {
  upvar 1 $dName d
  dict for {name cell} [dict get $d cells] {
    lassign $cell block master connections
    if {[dict exists $connections D] && [dict get $connections D] eq "?"} {
      dict set connections D [data_net $d]
      dict set d cells $name [list $block $master $connections]
    }
  }
}

# Output ports: nets without loads most of all.  The port's name replaces the net's.
proc netlist::make_outputs {dName} {
  upvar 1 $dName d
  set loads [loads $d]
  set idle {}
  set others {}
  variable plain
  variable all_out
  foreach net [driven_nets $d] {
    if {$plain && $net ni [dict get $d data]} continue
    if {[dict exists $loads $net]} { lappend others $net } else { lappend idle $net }
  }
  set chosen [concat [random::some $idle [expr {$all_out ? 1000 : [random::between 1 5]}]] \
    [random::some $others [random::between 0 2]]]
  set i 0
  foreach net $chosen {
    dict set d ports out$i output
    rename_net d $net out$i
    incr i
  }
}

proc netlist::driven_nets {d} {
  set out {}
  dict for {name cell} [dict get $d cells] {
    foreach pin [output_pins [kind [lindex $cell 1]]] {
      set net [dict get [lindex $cell 2] $pin]
      if {$net ne ""} { lappend out $net }
    }
  }
  return $out
}

# net -> number of input pins on it
proc netlist::loads {d} {
  set loads {}
  dict for {name cell} [dict get $d cells] {
    foreach pin [input_pins [kind [lindex $cell 1]]] {
      dict incr loads [dict get [lindex $cell 2] $pin]
    }
  }
  return $loads
}

proc netlist::rename_net {dName from to} {
  upvar 1 $dName d
  dict for {name cell} [dict get $d cells] {
    lassign $cell block master connections
    foreach {pin net} $connections { if {$net eq $from} { dict set connections $pin $to } }
    dict set d cells $name [list $block $master $connections]
  }
}

# --- Verilog --------------------------------------------------------------------------------------

# True when a block is `outer` or inside it.
proc netlist::inside {block outer} {
  return [expr {$outer eq "" || $block eq $outer || [string match $outer/* $block]}]
}

# Nets at the border of a block: net -> input|output.  A net that is driven inside is an output
# where it is used outside.
proc netlist::border {d outer} {
  set uses {}
  dict for {name cell} [dict get $d cells] {
    lassign $cell block master connections
    set drivers [output_pins [kind $master]]
    set place [expr {[inside $block $outer] ? "in" : "out"}]
    foreach {pin net} $connections {
      if {$net in {0 1 ""}} continue
      dict set uses $net $place 1
      if {$pin in $drivers} { dict set uses $net driver $place }
    }
  }
  dict for {name way} [dict get $d ports] {
    dict set uses $name out 1
    if {$way eq "input"} { dict set uses $name driver out }
  }
  set border {}
  dict for {net use} $uses {
    if {![dict exists $use in] || ![dict exists $use out]} continue
    set driver [expr {[dict exists $use driver] ? [dict get $use driver] : "out"}]
    dict set border $net [expr {$driver eq "in" ? "output" : "input"}]
  }
  return $border
}

proc netlist::local {name block} {
  return [expr {$block eq "" ? $name : [string range $name [string length $block]+1 end]}]
}

proc netlist::connection {pin net} {
  if {$net in {0 1}} { set net 1'b$net }
  return ".$pin ($net)"
}

proc netlist::module_name {block} {
  return [expr {$block eq "" ? "top" : "block_[string map {/ _} $block]"}]
}

proc netlist::module {d block} {
  set ports [expr {$block eq "" ? [dict get $d ports] : [border $d $block]}]
  set text "module [module_name $block] ([join [dict keys $ports] {, }]);\n"
  dict for {port way} $ports { append text "  $way $port;\n" }
  set instances ""
  set nets {}
  dict for {name cell} [dict get $d cells] {
    lassign $cell in master connections
    if {$in ne $block} continue
    set words {}
    foreach {pin net} $connections {
      lappend words [connection $pin $net]
      dict set nets $net 1
    }
    append instances "  $master [local $name $block] ([join $words {, }]);\n"
  }
  foreach inner [dict get $d blocks] {
    if {[file dirname ./$inner] ne [expr {$block eq "" ? "." : "./$block"}]} continue
    set crossing [dict keys [border $d $inner]]
    foreach net $crossing { dict set nets $net 1 }
    append instances "  [module_name $inner] [local $inner $block]\
      ([join [lmap net $crossing {connection $net $net}] {, }]);\n"
  }
  foreach net [dict keys $nets] {
    if {$net ni {0 1 ""} && ![dict exists $ports $net]} { append text "  wire $net;\n" }
  }
  return "$text${instances}endmodule\n"
}

proc netlist::verilog {d} {
  set text ""
  foreach block [concat {{}} [dict get $d blocks]] { append text [module $d $block] }
  return $text
}

# --- taking apart ---------------------------------------------------------------------------------

# True when the net is on a clock pin of a register or a latch.  Without its driver that pin would
# be one without any clock, which is a matter of its own.
proc netlist::drives_clock_pin {d net} {
  dict for {name cell} [dict get $d cells] {
    foreach pin {CK G} {
      if {[dict exists [lindex $cell 2] $pin] && [dict get [lindex $cell 2] $pin] eq $net} {
        return 1
      }
    }
  }
  return 0
}

# Does a net lead to a launching clock pin, itself or through cells other than registers and
# latches?
proc netlist::leads_to_clock {d net {passed {}}} {
  if {$net in $passed || $net in {0 1 ""}} { return 0 }
  lappend passed $net
  dict for {name cell} [dict get $d cells] {
    lassign $cell block master connections
    set kind [kind $master]
    set storage [expr {[is_register $kind] || $kind eq "latch"}]
    foreach pin [input_pins $kind] {
      if {[dict get $connections $pin] ne $net} continue
      if {$storage && $pin in {CK G}} { return 1 }
      if {$storage || ($kind eq "icg" && $pin ne "CK")} continue
      foreach output [output_pins $kind] {
        if {[leads_to_clock $d [dict get $connections $output] $passed]} { return 1 }
      }
    }
  }
  return 0
}

# Is a register's inverted output its data?
proc netlist::is_divider {d name} {
  set connections [lindex [dict get $d cells $name] 2]
  return [expr {[dict exists $connections QN] && [dict get $connections QN] ne "" && [dict get\
    $connections QN] eq [dict get $connections D]}]
}

# Would clocks that start at these pins leave a gate in front of them with nothing that it gates?
proc netlist::makes_alone {d starts} {
  set stops [lmap pin $starts \
    { dict get [lindex [dict get $d cells [file dirname $pin]] 2] [file tail $pin] }]
  foreach name [cells_of $d {and2 or2 nand2 nor2 mux2 xor2}] {
    set net [dict get [lindex [dict get $d cells $name] 2] Y]
    if {[leads_to_clock $d $net] && ($net in $stops || ![leads_to_clock $d $net $stops])} {
      return 1
    }
  }
  return 0
}

proc netlist::clocks_from {d name} {
  lassign [dict get $d cells $name] block master connections
  foreach pin [output_pins [kind $master]] {
    if {[dict get $connections $pin] ne "" && [drives_clock_pin $d [dict get $connections $pin]]} \
      { return 1 }
  }
  return 0
}

# The design without a cell.  bypass: its first output's loads move to its first input's net.
proc netlist::without_cell {d name bypass} {
  lassign [dict get $d cells $name] block master connections
  dict unset d cells $name
  set kind [kind $master]
  set input [lindex [input_pins $kind] 0]
  set output [dict get $connections [lindex [output_pins $kind] 0]]
  if {$bypass && $input ne "" && $output ne "" && ![dict exists $d ports $output]} {
    rename_net d $output [dict get $connections $input]
  }
  return $d
}

proc netlist::without_port {d name} {
  dict unset d ports $name
  return $d
}

# The design with a block's cells in the block around it.  Names of cells change, so map has old and
# new ones.
proc netlist::without_block {d gone mapName} {
  upvar 1 $mapName map
  set map {}
  set cells {}
  dict for {name cell} [dict get $d cells] {
    lassign $cell block master connections
    if {[inside $block $gone]} {
      set outer [string trimleft [file dirname ./$gone] ./]
      set new [expr {$outer eq "" ? "" : "$outer/"}][local $name $gone]
      set block [string trim [file dirname ./$new] ./]
      lappend map $name $new
      set name $new
    }
    dict set cells $name [list $block $master $connections]
  }
  dict set d cells $cells
  dict set d blocks [lmap block [dict get $d blocks] {
    if {$block eq $gone} continue
    if {[inside $block $gone]} {
      set block [string trim "[file dirname ./$gone]/[local $block $gone]" ./]
    }
    set block
  }]
  return $d
}

# What a design has, for the table of what was met.
proc netlist::features {d} {
  set out {}
  dict for {name cell} [dict get $d cells] {
    set kind [kind [lindex $cell 1]]
    if {$kind in {latch icg mux2 tie0 tie1 dffr dffs dffrs}} { lappend out "cell $kind" }
    foreach {pin net} [lindex $cell 2] {
      if {$net in {0 1}} {
        lappend out "constant input"
      } elseif {$net eq ""} { lappend out "open pin" }
    }
  }
  lappend out "blocks [llength [dict get $d blocks]]"
  return [lsort -unique $out]
}
