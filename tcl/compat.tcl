# Other timers' names, so that their scripts run here unchanged.  Nothing in Slackline needs this
# file. A name that Slackline has itself is never replaced.

namespace eval compat {
  # compat::name other own: `other` becomes another name of the command `own`, when there is one.
  proc name {other own} {
    if {[info commands ::$other] eq "" && [info commands ::$own] ne ""} {
      interp alias {} ::$other {} ::$own
    }
  }

  # compat::procedure name arguments body help: a procedure for a name that nobody has; `NAME -help`
  # shows its usage and the help. An error within ends it also where a script goes on after commands
  # that fail.
  proc procedure {name arguments body {help ""}} {
    if {[info commands ::$name] ne ""} return
    if {$help eq ""} {
      set help "another timer's command; tcl/compat.tcl says what it stands for\n"
      append help "usage: $name $arguments"
    }
    set print "puts [list "$name: $help"]; return"
    proc ::$name $arguments "if {\[lrange \[info level 0\] 1 end\] eq {-help}} {$print}\n\
      evaluate_whole [list $body]"
  }

  # Runs a script in its caller; where it fails, the commands of the caller's list `undo` are run,
  # the last one first.
  proc or_undo {undo script} {
    if {![catch { uplevel 1 $script } message options]} return
    foreach command [lreverse [uplevel 1 [list set $undo]]] { {*}$command }
    return -options $options $message
  }

  # The same for a command that only prints: `> file` and `>> file` behind its words take what it
  # prints.
  proc printed {name arguments body} {
    procedure $name {args} "compat::print $name \$args [list [list $arguments $body]]"
  }
  proc print {name words lambda} {
    set target {}
    switch -- [lindex $words end-1] {
      > { set target [list redirect [lindex $words end]] }
      >> { set target [list redirect -append [lindex $words end]] }
    }
    if {[llength $target]} { set words [lrange $words 0 end-2] }
    set expected [llength [lindex $lambda 0]]
    parse $name $words {} {} $expected $expected
    set call [list apply $lambda {*}$words]
    if {[llength $target]} { {*}$target $call } else { {*}$call }
  }

  # The option of `command` that a word stands for: one of `names`, or the only one that begins so.
  # Others are refused.
  proc option {command names word} {
    if {$word in $names} { return $word }
    set found [lmap name $names {
      if {![string equal -length [string length $word] $word $name]} continue
      set name
    }]
    if {[llength $found] == 1} { return [lindex $found 0] }
    if {[llength $found]} {
      message_error CMD-002 "$command: the option $word is ambiguous: [join $found ", "]"
    }
    set others [expr {[llength $names] ? "; there are [join [lsort $names] ", "]" : ""}]
    message_error CMD-001 "$command: there is no option $word$others"
  }

  # The words of a command apart: a dictionary of the options given, each with its value (1 of
  # flags), and under {} the words left, of which there are `least` to `most` (-1: any number).
  proc parse {command words flags valued {least 0} {most -1}} {
    set given [dict create {} {}]
    for {set i 0} {$i < [llength $words]} {incr i} {
      set word [lindex $words $i]
      if {![string match {-[a-zA-Z]*} $word]} { dict lappend given {} $word; continue }
      set option [option $command [concat $flags $valued] $word]
      if {$option in $flags} { dict set given $option 1; continue }
      if {[incr i] >= [llength $words]} {
        message_error CMD-003 "$command: $option lacks its value"
      }
      dict set given $option [lindex $words $i]
    }
    set left [dict get $given {}]
    if {[llength $left] < $least} { message_error CMD-004 "$command: a word is missing" }
    if {$most >= 0 && [llength $left] > $most} {
      message_error CMD-005 "$command: '[lindex $left $most]' is one word too many"
    }
    return $given
  }

  # A variable that says how Slackline works anyway.  Another value than that has no effect, which
  # is said.
  proc variable_without_effect {name value} {
    if {![info exists ::$name]} { set ::$name $value }
    trace add variable ::$name write [list compat::say_no_effect $name $value]
  }

  proc say_no_effect {name usual args} {
    if {![same_value [set ::$name] $usual]} { variable_has_no_effect $name }
  }

  # Words of truth and numbers in any spelling, else the text.
  proc same_value {a b} {
    if {$a eq $b} { return 1 }
    if {[string is boolean -strict $a] && [string is boolean -strict $b]} {
      return [expr {bool($a) == bool($b)}]
    }
    return [expr {[string is double -strict $a] && [string is double -strict $b] && $a == $b}]
  }

  # Variables of one meaning: a write to one of them is checked and carried out by `check` (of its
  # value), and the others follow; a value that is refused leaves the one before.
  proc variables {names value check} {
    variable values
    foreach name $names {
      if {![info exists ::$name]} { set ::$name $value }
      trace add variable ::$name write [list compat::variable_written $name $names $check]
    }
    dict set values $names $value
  }
  variable values [dict create]

  proc variable_written {name names check args} {
    variable values
    set value [set ::$name]
    set failed [catch { {*}$check $name $value } message options]
    if {!$failed} { dict set values $names $value }
    foreach other $names { set ::$other [dict get $values $names] }
    if {$failed} { return -options $options $message }
  }
}

# --- netlist edits ---
compat::name replace_cell swap_cell
compat::name size_cell swap_cell
compat::name make_instance insert_gate
compat::name delete_instance remove_gate
compat::name make_net insert_net
compat::name delete_net remove_net
compat::name delete_from_list remove_from_collection

# --- annotation ---
compat::name set_assigned_delay set_annotated_delay
compat::name set_assigned_transition set_annotated_transition
compat::name set_assigned_check set_annotated_check
# --- constraints ---
compat::name set_disable_clock_gating_check set_disable_inferred_clock_gating
# --- constraints that go again ---
foreach {compat_other compat_own} {
  remove_clock delete_clock remove_generated_clock delete_generated_clock
  reset_path unset_path_exceptions reset_timing_derate unset_timing_derate
  remove_sdc unset_constraints reset_design unset_constraints
  remove_drive_resistance unset_drive remove_capacitance unset_load
  remove_disable_clock_gating_check unset_disable_inferred_clock_gating
} {
  compat::name $compat_other $compat_own
}
# Others have remove_NAME for unset_NAME, but for these.
foreach compat_own [info commands ::unset_*] {
  set compat_other [string range $compat_own [string length ::unset_] end]
  if {$compat_other in {
    clock_groups constraints disable_inferred_clock_gating dont_touch dont_use drive load logic
    path_exceptions pvt size_only timing_derate voltage
  }} continue
  compat::name remove_$compat_other unset_$compat_other
}
unset compat_other compat_own

# Names of groups stand without an option here.
compat::procedure remove_clock_groups {args} {
  set kinds {-logically_exclusive -physically_exclusive -asynchronous -all}
  set given [compat::parse remove_clock_groups $args $kinds -name]
  set names [concat {*}[dict get $given {}]]
  if {[dict exists $given -name]} { lappend names {*}[dict get $given -name] }
  set words [lmap option [dict keys $given -*] { expr {$option eq "-name" ? [continue] : $option} }]
  if {[llength $names]} { lappend words -name $names }
  unset_clock_groups {*}$words
}

# --- reports ---
compat::name report_dcalc report_delay_calculation
compat::name report_arrival report_arrivals
compat::name report_slack report_slacks
compat::name report_edges report_timing_edges
compat::name report_disabled_edges report_disabled_timing
compat::name report_clock_properties report_clocks
compat::name report_instance report_cell
compat::name get_fanin all_fanin
compat::name get_fanout all_fanout

# report_checks and find_timing_paths: options by their unique beginnings; counts are of each path
# group.  Our own options are refused, as -max_paths would be a count of all groups behind one of
# each.  Paths are always unique by their edges.
namespace eval compat {
  variable path_options {
    -group_path_count {-max_paths_per_group 1} -endpoint_path_count {-nworst 1}
    -path_group {-group 1} -slack_max {-slack_max 1} -slack_min {-slack_min 1}
    -path_delay {-path_delay 1} -format {-format 1} -fields {-fields 1} -digits {-digits 1}
    -from {-from 1} -rise_from {-rise_from 1} -fall_from {-fall_from 1}
    -to {-to 1} -rise_to {-rise_to 1} -fall_to {-fall_to 1}
    -through {-through 1} -rise_through {-rise_through 1} -fall_through {-fall_through 1}
    -scenes {-scenarios 1} -corner {-scenarios 1} -unconstrained {-unconstrained 0}
    -unique_paths_to_endpoint {-unique 0} -unique_edges_to_endpoint {{} 0} -sort_by_slack {{} 0}
    -no_line_splits {-no_line_splits 0} -pba_mode {-pba_mode 1} -pba_limit {-pba_limit 1}
  }
  # What only a report shows.
  variable report_options {-format -fields -digits -no_line_splits}
  # Names that older scripts have.
  variable old_path_options {
    -group_count -group_path_count -endpoint_count -endpoint_path_count
    -unique -unique_paths_to_endpoint
  }

  proc path_option {command word} {
    variable path_options
    variable old_path_options
    variable report_options
    if {[dict exists $old_path_options $word]} { return [dict get $old_path_options $word] }
    set other [expr {$command eq "find_timing_paths" ? $report_options : {}}]
    return [option $command [dict keys [dict remove $path_options {*}$other]] $word]
  }

  # The words of such a command as our own.  A group has as many paths as an end point unless told
  # otherwise.
  proc path_words {command words} {
    variable path_options
    set out {}
    set sort group
    set per_group ""
    set per_end 1
    for {set i 0} {$i < [llength $words]} {incr i} {
      set word [lindex $words $i]
      if {![string match {-[a-zA-Z]*} $word]} { lappend out $word; continue }
      set name [path_option $command $word]
      lassign [dict get $path_options $name] own values
      if {$name eq "-sort_by_slack"} { set sort slack }
      if {$own ne "" && $name ne "-group_path_count"} { lappend out $own }
      if {!$values} continue
      if {[incr i] >= [llength $words]} {
        message_error CMD-003 "$command: $name lacks its value"
      }
      set value [lindex $words $i]
      if {$name eq "-group_path_count"} { set per_group $value } else { lappend out $value }
      if {$name eq "-endpoint_path_count"} { set per_end $value }
    }
    if {$per_group eq ""} { set per_group $per_end }
    return [list -max_paths_per_group $per_group -sort_by $sort {*}$out]
  }
}
compat::procedure report_checks {args} { report_timing {*}[compat::path_words report_checks $args] }
compat::procedure find_timing_paths {args} {
  get_timing_paths {*}[compat::path_words find_timing_paths $args]
}

# report_check_types shows the worst of each type, or all that are violated.
compat::procedure report_check_types {args} {
  set words {}
  set all 1
  foreach arg $args {
    if {[string length $arg] > 3 && [string match $arg* -violators]} { set all 0 }
    if {[string length $arg] > 5 && [string match $arg* -max_count]} { set all 0 }
    lappend words $arg
  }
  if {$all} { lappend words -all -max_count 1 }
  report_constraints {*}$words
}
compat::name report_pulse_width_checks report_pulse_width
compat::name report_min_pulse_width report_pulse_width
compat::name report_qor report_timing_summary
compat::procedure report_constraint {args} {
  report_constraints {*}[lmap arg $args { expr {$arg eq "-significant_digits" ? "-digits" : $arg} }]
}

# check_setup names its categories one by one.
compat::procedure check_setup {args} {
  set rest {}
  set categories {}
  foreach arg $args {
    switch -- $arg {
      -no_input_delay - -no_output_delay - -multiple_clock - -no_clock -
      -unconstrained_endpoints - -loops - -generated_clocks {
        lappend categories [string range $arg 1 end]
      }
      default { lappend rest $arg }
    }
  }
  if {[llength $categories]} { set rest [list -include $categories {*}$rest] }
  check_timing {*}$rest
}

compat::printed report_object_names {objects} {
  foreach_in_collection object $objects { puts [get_name $object] }
}
compat::printed report_object_full_names {objects} {
  foreach_in_collection object $objects { puts [get_full_name $object] }
}

# --- corners and scenes ---
# A corner each, with a scenario of its name in the current mode.
compat::procedure define_corners {args} {
  set names [dict get [compat::parse define_corners $args {} {} 1] {}]
  foreach name $names {
    if {[string match >* $name]} {
      message_error CMD-071 "define_corners: it writes nothing that '$name' could take"
    }
  }
  if {[llength [lsort -unique $names]] != [llength $names]} {
    message_error CMD-005 "define_corners: a name is given twice, which is one word too many"
  }
  set mode [current_mode]
  set made {}
  compat::or_undo made {
    foreach name $names {
      if {$name in [all_corners]} continue
      create_corner $name
      lappend made [list remove_corner $name]
    }
    foreach name $names {
      create_scenario $name -mode $mode -corner $name
      lappend made [list remove_scenario $name]
    }
  }
} {a corner for each name, with a scenario of that name in the current mode
usage: define_corners name...}

# A corner and a scenario of one name; a mode of a new name is made.
compat::procedure define_scene {args} {
  set options {
    -liberty -libraries -liberty_min -libraries_min -liberty_max -libraries_max
    -spef -parasitics -spef_min -parasitics_min -spef_max -parasitics_max
  }
  set given [compat::parse define_scene $args {} [concat -mode [dict keys $options]] 1 1]
  set name [lindex [dict get $given {}] 0]
  set mode [expr {[dict exists $given -mode] ? [dict get $given -mode] : [current_mode]}]
  set corner {}
  dict for {option value} $given {
    if {[dict exists $options $option]} { lappend corner [dict get $options $option] $value }
  }
  create_corner $name {*}$corner
  set made [list [list remove_corner $name]]
  compat::or_undo made { create_scenario $name -mode $mode -corner $name -make_mode }
} {a corner, and a scenario of its name
usage: define_scene name [-mode name] [-liberty names] [-liberty_min names]\
  [-liberty_max names] [-spef name] [-spef_min name] [-spef_max name]
Libraries and parasitics are those that read_liberty and read_spef -name have read; a mode that is\
  not there is made. See create_corner and create_scenario.}

compat::procedure set_mode {name} {
  if {$name ni [all_modes]} { create_mode $name }
  current_mode $name
}
compat::procedure set_scene {name} { current_scenario $name }

# Names that match a pattern, of some modes or all.
compat::procedure get_modes {args} { all_modes {*}$args }
compat::procedure get_scenes {args} {
  set given [compat::parse get_scenes $args {} {-modes -filter}]
  set words [dict get $given {}]
  if {[dict exists $given -filter]} { lappend words -filter [dict get $given -filter] }
  if {![dict exists $given -modes]} { return [all_scenarios {*}$words] }
  return [concat {*}[lmap mode [dict get $given -modes] { all_scenarios -mode $mode {*}$words }]]
}

# --- on-chip variation ---
foreach compat_other {aocvm ocvm pocvm} {
  compat::name read_$compat_other read_ocv
  compat::name report_$compat_other report_ocv
  compat::name remove_$compat_other remove_ocv
}
unset compat_other
namespace eval compat {
  proc variation_mode {name value} {
    word_of $name $value {scalar normal skew_normal}
    if {$value eq "skew_normal"} { variable_has_no_effect $name }
    set_ocv_options -mode [expr {$value eq "scalar" ? "scalar" : "normal"}]
  }
  proc variation_enabled {name value} {
    set_ocv_options -mode [expr {[truth $name $value] ? "normal" : "scalar"}]
  }
  proc variation_tables {name value} {
    set_ocv_options -tables [expr {[truth $name $value] ? "replace" : "off"}]
  }
  proc variation_quantile {name value} { set_ocv_options -quantile $value }

  # The value of a variable when it is a word of truth, or one of some words; others are refused.
  proc truth {name value} {
    if {![string is boolean -strict $value]} {
      message_error CMD-075 "the variable $name takes true or false, not '$value'"
    }
    return [expr {bool($value)}]
  }
  proc word_of {name value words} {
    if {$value ni $words} {
      message_error CMD-075 "the variable $name takes [join $words ", "], not '$value'"
    }
    return $value
  }
}
compat::variables sta_pocv_mode scalar compat::variation_mode
compat::variables {sta_pocv_quantile timing_pocvm_corner_sigma} 3 compat::variation_quantile
compat::variables {timing_pocvm_enable_analysis sta_pocv_enabled} 0 compat::variation_enabled
compat::variables timing_aocvm_enable_analysis 1 compat::variation_tables

# --- about the program ---
compat::printed show_splash {} { puts "Slackline: static timing analysis" }
compat::printed show_copying {} {
  puts "Slackline is licensed under the Apache License 2.0; see the file LICENSE."
}
compat::printed show_warranty {} {
  puts "Slackline comes without warranty; see sections 7 and 8 of the file LICENSE."
}

# --- variables ---
namespace eval compat {
  proc separator {name value} { set_hierarchy_separator $value }
  proc continue_on_error {name value} { truth $name $value }
  proc result_limit {name value} { set_result_limit [expr {$value < 0 ? 0 : $value}] }
  proc digits {name value} { set_default_digits $value }
  # Another variable that says the same in other words follows.
  proc follow {name value} {
    if {![same_value [set ::$name] $value]} { set ::$name $value }
  }

  # The last one has the opposite sense.
  proc inout_paths {name value} {
    set on [expr {[truth $name $value] != ($name eq "timing_disable_internal_inout_cell_paths")}]
    set_inout_paths [expr {$on ? "on" : "off"}]
    follow sta_internal_bidirect_instance_paths_enabled $on
    follow sta_bidirect_net_paths_enabled $on
    follow timing_disable_internal_inout_cell_paths [expr {!$on}]
  }

  proc black_boxes {name value} { set_black_boxes [expr {[truth $name $value] ? "on" : "off"}] }

  # The two variables have opposite senses.
  proc default_arcs {name value} {
    set on [expr {[truth $name $value] == ($name eq "sta_cond_default_arcs_enabled")}]
    set_default_arcs [expr {$on ? "otherwise" : "never"}]
    follow sta_cond_default_arcs_enabled $on
    follow timing_disable_cond_default_arcs [expr {!$on}]
  }

  # Both are said at once.
  variable credit on
  variable credit_edges any
  proc credit_enabled {name value} {
    variable credit
    set credit [expr {[truth $name $value] ? "on" : "off"}]
    set_credit
  }
  proc credit_mode {name value} {
    variable credit_edges
    set any [expr {$name eq "sta_crpr_mode" ? "same_pin" : "normal"}]
    word_of $name $value [list $any same_transition]
    set same [expr {$value eq "same_transition"}]
    set credit_edges [expr {$same ? "same" : "any"}]
    set_credit
    follow sta_crpr_mode [expr {$same ? "same_transition" : "same_pin"}]
    follow timing_clock_reconvergence_pessimism [expr {$same ? "same_transition" : "normal"}]
  }
  proc set_credit {} {
    variable credit
    variable credit_edges
    set_common_path_credit $credit -edges $credit_edges
  }
}
compat::variables {sta_continue_on_error sh_continue_on_error} 0 compat::continue_on_error
compat::variables collection_result_display_limit 100 compat::result_limit
compat::variables hierarchy_separator / compat::separator
compat::variables {sta_report_default_digits report_default_significant_digits} 3 compat::digits
compat::variables {link_make_black_boxes link_create_black_boxes} 1 compat::black_boxes
compat::variables sta_internal_bidirect_instance_paths_enabled 0 compat::inout_paths
compat::variables sta_bidirect_net_paths_enabled 0 compat::inout_paths
compat::variables timing_disable_internal_inout_cell_paths 1 compat::inout_paths
compat::variables sta_cond_default_arcs_enabled 1 compat::default_arcs
compat::variables timing_disable_cond_default_arcs 0 compat::default_arcs
compat::variables {sta_crpr_enabled timing_remove_clock_reconvergence_pessimism} 1 \
  compat::credit_enabled
compat::variables sta_crpr_mode same_pin compat::credit_mode
compat::variables timing_clock_reconvergence_pessimism normal compat::credit_mode

# What Slackline does anyway.
foreach {compat_variable compat_value} {
  sta_boolean_props_as_int 1
  sta_clock_through_tristate_enabled 1
  sta_direction_props_short 0
  sta_dynamic_loop_breaking 0
  sta_gated_clock_checks_enabled 1
  sta_input_port_default_clock 0
  sta_preset_clear_arcs_enabled 0
  sta_propagate_all_clocks 0
  sta_propagate_gated_clock_enable 1
  sta_recovery_removal_checks_enabled 1
  auto_wire_load_selection false
  case_analysis_sequential_propagation never
  case_analysis_with_logic_constants true
  link_library *
  link_path *
  search_path .
  si_enable_analysis false
  timing_all_clocks_propagated false
  timing_clock_gating_propagate_enable true
  timing_crpr_threshold_ps 0
  timing_disable_clock_gating_checks false
  timing_disable_internal_inout_net_arcs false
  timing_disable_recovery_removal_checks false
  timing_dynamic_loop_breaking false
  timing_early_launch_at_borrowing_latches true
  timing_enable_multiple_clocks_per_reg true
  timing_enable_preset_clear_arcs false
  timing_ideal_clock_zero_default_transition true
  timing_include_available_borrow_in_slack false
  timing_input_port_default_clock false
  timing_non_unate_clock_compatibility false
  timing_reduce_multi_drive_net_arcs false
  timing_report_unconstrained_paths false
  timing_save_pin_arrival_and_slack true
  timing_use_zero_slew_for_annotated_arcs never
} {
  compat::variable_without_effect $compat_variable $compat_value
}
unset compat_variable compat_value
