# Shared by the tests of nets whose trees a device reduces again itself: a design with a large net,
# edits of it, and batches of swaps.

# What a script of edits writes to its channel $said.
set saying {
  proc moved {} {
    with_output_to_variable text\
    { foreach way {-max -min} { report_worst_slack $way -digits 9; report_tns $way -digits 9 } }
    puts $::said $text
  }
  proc tables {} {
    write_timing_tables $::out/now
    foreach file [lsort [glob $::out/now/*]] {
      set f [open $file rb]
      zlib push gunzip $f
      puts $::said "[file tail $file] [zlib crc32 [read $f]]"
      close $f
    }
  }
}

# Loads of another size, the driver, other wires, all wires again.  The script that takes them says
# in $out where to put what.
set large_edits $saying
append large_edits {
  proc next_size {cell} {
    set ref [get_property [get_cells $cell] ref_name]
    regexp {^(.*_)(\d)([rl])$} $ref all family size kind
    swap_cell $cell $family[dict get {1 4 2 1 4 2 8 4} $size]$kind
  }
  proc resets {first last} { foreach flop [lrange $::flops $first $last] { next_size $flop } }
  proc other_wire {cell pin cap flops} {
    set text "*R_NET [get_object_name [get_nets -of_objects [get_pins $cell/$pin]]] $cap\n*DRIVER\
    $cell:$pin\n"
    append text "*CELL [get_property [get_cells $cell] ref_name]\n*C2_R1_C1 $cap 0.2 $cap\n*LOADS\n"
    foreach flop $flops { append text "*RC $flop:RN [expr {0.1 * $cap}]\n" }
    annotate_net "$text*END\n"
  }
  set said [open $out/said w]
  set net [get_nets rst_wide]
  set flops {}
  foreach pin [get_object_name [get_pins -of_objects $net]] {
    if {[string match */RN $pin]} { lappend flops [file dirname $pin] } else\
    { set driver [file dirname $pin] }
  }
  update_timing; moved
  # followed there, or whole ones
  for {set i 0} {$i < 9} {incr i} { resets $i $i; moved }
  next_size $driver; moved; resets 0 200; moved; next_size $driver; resets 7 8; moved
  update_timing -full; resets 20 21; update_timing -full; moved
  tables
  # the CPU's, with numbers that came back, then whole ones
  resets 30 31; moved; next_size $driver; moved; update_timing -full; moved
  # the CPU's once more, the same pins twice before the device hears of them
  tables; resets 32 36; moved; resets 32 36; next_size $driver; moved; resets 33 34; next_size\
  $driver; moved; update_timing -full; moved; tables
  # the host's, as its wires are others; the net's again with all wires
  other_wire [lindex $flops 0] Q 0.01 {}; moved; resets 38 38; moved
  resets 40 41; other_wire $driver Y 0.03 $flops; moved; resets 50 52; moved; next_size $driver;\
  moved; update_timing -full; resets 60 61; moved; tables
  read_spef SPEF; resets 70 71; moved; resets 72 72; moved
  close $said
}

# The example's cells of all sizes have the same reset: here a larger one has more.
proc resized_library {} {
  set f [open $::example_folder/slate_slow.lib.gz rb]
  zlib push gunzip $f
  set cell ""
  set pin ""
  while {[gets $f line] >= 0} {
    regexp {^ *cell \((.*)\)} $line all cell
    regexp {^ *pin \((.*)\)} $line all pin
    if {$pin eq "RN" && [regexp {dffr_(\d)} $cell all size]} {
      regsub {(capacitance : )([0-9.]+)} $line "\\1[expr {0.0015 + 0.0003 * $size}]" line
    }
    append text $line \n
  }
  close $f
  return [text_file resized.lib $text]
}

proc generate_large {generator base wires loads} {
  exec $generator --kind random --wires $wires --cells 2500 --depth 8 --flops 0.6 --resets 0.9 \
    --largest-net $loads --top top --verilog $base.v \
    --spef $base.spef --sdc $base.sdc
}

proc read_large {base} {
  return "read_liberty [resized_library]; read_verilog $base.v; link_design top; read_sdc\
    $base.sdc; read_spef $base.spef"
}

# Batches: the device reduces their nets, apart from those that the host has reduced before; some
# batches are followed, and some are whole updates from the start.
set batch_edits $saying
append batch_edits {
  proc other_size {cell} {
    set ref [get_property [get_cells $cell] ref_name]
    if {![regexp {^(.*_)(\d+)([rl])$} $ref all family size kind]} { return "" }
    foreach other [dict get {1 {4 2 8} 2 {1 4 8} 4 {8 1 2} 8 {2 4 1}} $size] {
      if {[llength [get_lib_cells -quiet */$family$other$kind]]} { return $family$other$kind }
    }
    return ""
  }
  proc other_wire {cell cap} {
    set net ""
    foreach pin [get_object_name [get_pins -of_objects [get_cells $cell]]] {
      if {[get_property [get_pins $pin] direction] eq "output"} {
        set driver $pin
        set net [get_nets -of_objects [get_pins $pin]]
      }
    }
    if {[llength $net] == 0} return
    set text "*R_NET [get_object_name $net] $cap\n*DRIVER [string map {/ :} $driver]\n"
    append text "*CELL [get_property [get_cells $cell] ref_name]\n*C2_R1_C1 $cap 0.2 $cap\n*LOADS\n"
    foreach pin [get_object_name [get_pins -of_objects $net]] {
      if {$pin ne $driver} { append text "*RC [string map {/ :} $pin] [expr {0.1 * $cap}]\n" }
    }
    annotate_net "$text*END\n"
  }
  proc batch {first count} {
    set chosen {}
    for {set i $first} {[llength $chosen] < $count} {incr i 7} {
      set cell [lindex $::names [expr {$i % [llength $::names]}]]
      if {$cell ni $chosen && [other_size $cell] ne ""} { lappend chosen $cell }
    }
    swap_cell $chosen [lmap cell $chosen { other_size $cell }]
  }
  set said [open $out/said w]
  set names [lsort [get_object_name [get_cells -hierarchical *]]]
  update_timing; moved
  batch 0 40; moved; batch 3 40; moved; batch 5 200; moved; batch 5 200; moved
  # nets that the host reduces, then batches with them
  for {set i 0} {$i < 5} {incr i} { batch [expr {30 * $i}] 1; moved }
  batch 0 40; moved; batch 0 200; moved; undo_edits; moved; undo_edits; moved; tables
  # numbers that came back: the CPU's, or whole ones
  batch 1 30; moved; batch 2 30; batch 2 30; update_timing -full; moved; batch 9 150; tables
  batch 9 150; batch 9 1; moved; undo_edits -count 3; moved; update_timing -full; moved; tables
  # other wires of some nets, then of all
  foreach cell [lrange $names 10 30] { other_wire $cell 0.01 }
  batch 10 150; moved; foreach cell [lrange $names 20 25] { other_wire $cell 0.02 }; moved
  batch 12 150; moved; tables
  read_spef SPEF; batch 20 150; moved; batch 21 40; moved; undo_edits; moved
  close $said
}

proc generate_batch {generator base wires} {
  exec $generator --kind random --wires $wires --cells 2000 --depth 12 --flops 0.5 --resets 0.9 \
    --largest-net 300 --top top --verilog $base.v --spef $base.spef --sdc $base.sdc
}
