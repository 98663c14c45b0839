# What this program is given to source for run -paths: the paths that queries of a case ask for
# (folder/queries, one a line).
#   =case FOLDER
#   =rejected NUMBER MESSAGE
#   =query NUMBER ?MESSAGE?        an error has its message
#   =path GROUP SLACK CHECK {LAUNCH CLOCK} EDGE {CAPTURE CLOCK} EDGE {PIN EDGE ...}
#   =done

proc answer::path_case {folder} {
  variable tables
  puts "=case $folder"
  prepare $folder
  read_constraints $folder/constraints.sdc
  if {$tables} { write_timing_tables $folder/tables }
  set number 0
  foreach query [split [text_of $folder/queries] \n] {
    if {[catch {uplevel #0 $query} paths]} {
      puts "=query $number $paths"
    } else {
      puts "=query $number"
      foreach path $paths { tell_path $path }
    }
    incr number
  }
  puts "=done"
  flush stdout
}

proc answer::tell_path {path} {
  set words {}
  foreach property {path_group slack check startpoint_clock startpoint_clock_edge endpoint_clock\
    endpoint_clock_edge} {
    set value [get_property $path $property]
    if {[string match *_clock $property]} { set value [name $value] }
    if {[string match *_edge $property]} { set value [string index $value 0] }
    lappend words $value
  }
  set steps {}
  foreach point [get_property $path points] {
    lappend steps [get_full_name [dict get $point pin]] [string index [dict get $point edge] 0]
  }
  puts "=path [list {*}$words $steps]"
}
