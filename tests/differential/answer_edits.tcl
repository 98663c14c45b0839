# What this program is given to source for run -edits: cells of a case are swapped for others of
# their family, and it answers after each.
#   =case FOLDER
#   =swap NUMBER CELL TO: WORST SLACKS, TOTAL SLACK
#   =tables CHECKSUM ...
#   =done

namespace eval answer {
  variable swaps 12
  variable whole 0               ;# whole updates after each swap
}

# Strengths of the cell's family but its own.
proc answer::others {cell} {
  set ref [get_property $cell ref_name]
  if {![regexp {^(.*_)(\d+)([rl])$} $ref all family strength kind]} { return {} }
  return [lmap other {1 2 4 8} {
    if {$other == $strength || ![llength [get_lib_cells -quiet */$family$other$kind]]} continue
    string cat $family$other$kind
  }]
}

proc answer::slacks {} {
  with_output_to_variable text \
    { report_worst_slack -digits 9; report_worst_slack -min -digits 9; report_tns -digits 9 }
  return [regsub -all {\s+} $text " "]
}

proc answer::checksums {folder} {
  write_timing_tables $folder
  return [lmap name {pins arcs endpoints} {
    set channel [open $folder/$name.tsv.gz rb]
    set sum [zlib crc32 [zlib gunzip [read $channel]]]
    close $channel
    set sum
  }]
}

# The folder's name ends with the seed of its choices.
proc answer::edits_case {folder} {
  variable swaps
  variable whole
  puts "=case $folder"
  prepare $folder
  read_constraints $folder/constraints.sdc
  slacks
  random::start [string range [file extension $folder] 1 end]
  set cells [get_cells -hierarchical *]
  for {set i 0} {$i < $swaps} {incr i} {
    set cell [random::pick $cells]
    set to [random::pick [others $cell]]
    if {$to eq ""} continue
    swap_cell $cell $to
    if {$whole} { update_timing -full }
    puts "=swap $i [get_full_name $cell] $to: [slacks]"
  }
  puts "=tables [checksums $folder/tables]"
  puts "=done"
  flush stdout
}
