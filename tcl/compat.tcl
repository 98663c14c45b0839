# Other timers' names, so that their scripts run here unchanged.  Nothing in Slackline needs this file.
# A name that Slackline has itself is never replaced.

namespace eval compat {
  # compat::name other own: `other` becomes another name of the command `own`, when there is one.
  proc name {other own} {
    if {[info commands ::$other] eq "" && [info commands ::$own] ne ""} {
      interp alias {} ::$other {} ::$own
    }
  }

  # compat::procedure name arguments body help: a procedure for a name that nobody has; `NAME -help` shows its usage and the help.
  proc procedure {name arguments body {help ""}} {
    if {[info commands ::$name] ne ""} return
    if {$help eq ""} { set help "another timer's command; tcl/compat.tcl says what it stands for\nusage: $name $arguments" }
    proc ::$name $arguments "if {\[lrange \[info level 0\] 1 end\] eq {-help}} {puts [list "$name: $help"]; return}\n$body"
  }

  # A variable with its usual value.  Another value than that has no effect, which is said.
  proc variable_without_effect {name value} {
    if {![info exists ::$name]} { set ::$name $value }
    trace add variable ::$name write [list compat::say_no_effect $value]
  }

  proc say_no_effect {usual name index operation} {
    upvar #0 $name value
    if {$value ne $usual} { variable_has_no_effect $name }
  }
}

# --- netlist edits ---
compat::name replace_cell swap_cell
compat::name make_instance insert_gate
compat::name delete_instance remove_gate
compat::name make_net insert_net
compat::name delete_net remove_net
compat::name delete_from_list remove_from_collection

# --- annotation ---
compat::name set_assigned_delay set_annotated_delay
compat::name set_assigned_transition set_annotated_transition
compat::name set_assigned_check set_annotated_check
# --- constraints that go again ---
foreach {compat_other compat_own} {
  remove_clock delete_clock remove_generated_clock delete_generated_clock
  reset_path unset_path_exceptions reset_timing_derate unset_timing_derate
  remove_sdc unset_constraints reset_design unset_constraints
  remove_drive_resistance unset_drive remove_capacitance unset_load
  remove_disable_clock_gating_check unset_disable_inferred_clock_gating remove_ideal_net unset_ideal_network
} {
  compat::name $compat_other $compat_own
}
foreach compat_other {
  case_analysis clock_latency clock_transition clock_uncertainty propagated_clock disable_timing input_delay output_delay
  driving_cell input_transition resistance port_fanout_number fanout_load ideal_network ideal_latency ideal_transition
  clock_gating_check clock_sense sense min_pulse_width max_time_borrow max_transition max_capacitance min_capacitance max_fanout max_area data_check
  wire_load_model wire_load_mode wire_load_selection_group wire_load_min_block_size operating_conditions
} {
  compat::name remove_$compat_other unset_$compat_other
}
unset compat_other compat_own

# Names of groups stand without an option here.
compat::procedure remove_clock_groups {args} {
  set flags [lsearch -all -inline -glob $args -*]
  set names [concat {*}[lsearch -all -inline -not -glob $args -*]]
  if {[llength $names]} { lappend flags -name $names }
  unset_clock_groups {*}$flags
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

# report_checks and find_timing_paths: options by their unique beginnings; counts are of each path group.
namespace eval compat {
  variable path_options {
    -group_path_count {-max_paths_per_group 1} -endpoint_path_count {-nworst 1} -path_group {-group 1}
    -slack_max {-slack_max 1} -slack_min {-slack_min 1} -path_delay {-path_delay 1} -format {-format 1} -fields {-fields 1}
    -digits {-digits 1} -from {-from 1} -rise_from {-rise_from 1} -fall_from {-fall_from 1} -to {-to 1} -rise_to {-rise_to 1}
    -fall_to {-fall_to 1} -through {-through 1} -rise_through {-rise_through 1} -fall_through {-fall_through 1}
    -scenes {-scenarios 1} -corner {-scenarios 1} -unconstrained {-unconstrained 0} -unique_paths_to_endpoint {-unique 0}
    -unique_edges_to_endpoint {{} 0} -sort_by_slack {{} 0} -no_line_splits {-no_line_splits 0} -pba_mode {-pba_mode 1}
    -pba_limit {-pba_limit 1}
  }
  # Names that older scripts have.
  variable old_path_options {-group_count -group_path_count -endpoint_count -endpoint_path_count -unique -unique_paths_to_endpoint}

  # The option that a word stands for: itself, or the one that begins so; "" when none or several do.
  proc path_option {word} {
    variable path_options
    variable old_path_options
    if {[dict exists $path_options $word]} { return $word }
    if {[dict exists $old_path_options $word]} { return [dict get $old_path_options $word] }
    set names [dict keys $path_options $word*]
    return [expr {[llength $names] == 1 ? [lindex $names 0] : ""}]
  }

  # The words of such a command as our own; what is not known goes on as it is and is then judged there.  A group has as many paths as
  # an end point unless told otherwise.
  proc path_words {words} {
    variable path_options
    set out {}
    set sort group
    set per_group ""
    set per_end 1
    for {set i 0} {$i < [llength $words]} {incr i} {
      set word [lindex $words $i]
      set name [expr {[string match {-[a-z]*} $word] ? [path_option $word] : ""}]
      if {$name eq ""} { lappend out $word; continue }
      if {$name eq "-sort_by_slack"} { set sort slack }
      if {$name eq "-group_path_count"} { set per_group [lindex $words [incr i]]; continue }
      if {$name eq "-endpoint_path_count"} { set per_end [lindex $words $i+1] }
      lassign [dict get $path_options $name] own values
      if {$own ne ""} { lappend out $own }
      if {$values} { incr i; if {$own ne "" && $i < [llength $words]} { lappend out [lindex $words $i] } }
    }
    if {$per_group eq ""} { set per_group $per_end }
    return [list -max_paths_per_group $per_group -sort_by $sort {*}$out]
  }
}
compat::procedure report_checks {args} { report_timing {*}[compat::path_words $args] }
compat::procedure find_timing_paths {args} { get_timing_paths {*}[compat::path_words $args] }

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
      -no_input_delay - -no_output_delay - -multiple_clock - -no_clock - -unconstrained_endpoints - -loops -
      -generated_clocks { lappend categories [string range $arg 1 end] }
      default { lappend rest $arg }
    }
  }
  if {[llength $categories]} { set rest [list -include $categories {*}$rest] }
  check_timing {*}$rest
}

compat::procedure report_object_names {objects} {
  foreach object $objects { puts [get_name $object] }
}
compat::procedure report_object_full_names {objects} {
  foreach object $objects { puts [get_full_name $object] }
}

# --- corners and scenes ---
# A corner each, with a scenario of its name in the current mode.
compat::procedure define_corners {args} {
  set mode [current_mode]
  foreach name $args { if {$name ni [all_corners]} { create_corner $name } }
  foreach name $args { create_scenario $name -mode $mode -corner $name }
} {a corner for each name, with a scenario of that name in the current mode
usage: define_corners name...}

# A corner and a scenario of one name; a mode of a new name is made.
compat::procedure define_scene {name args} {
  set options {-mode mode -liberty -libraries -liberty_min -libraries_min -liberty_max -libraries_max -spef -parasitics
               -spef_min -parasitics_min -spef_max -parasitics_max}
  set mode [current_mode]
  set corner {}
  foreach {option value} $args {
    if {![dict exists $options $option]} { error "define_scene: there is no option $option" }
    if {$option eq "-mode"} { set mode $value } else { lappend corner [dict get $options $option] $value }
  }
  if {[llength $args] % 2} { error "define_scene: option [lindex $args end] needs a value" }
  create_corner $name {*}$corner
  if {[catch {create_scenario $name -mode $mode -corner $name -make_mode} message options]} {
    remove_corner $name
    return -options $options $message
  }
} {a corner, and a scenario of its name
usage: define_scene name [-mode name] [-liberty names] [-liberty_min names] [-liberty_max names] [-spef name] [-spef_min name] [-spef_max name]
Libraries and parasitics are those that read_liberty and read_spef -name have read; a mode that is not there is made. See create_corner and create_scenario.}

compat::procedure set_mode {name} {
  if {$name ni [all_modes]} { create_mode $name }
  current_mode $name
}
compat::procedure set_scene {name} { current_scenario $name }

# Names that match a pattern, of some modes or all.
compat::procedure get_modes {args} { all_modes {*}$args }
compat::procedure get_scenes {args} {
  set words {}
  set modes {}
  for {set i 0} {$i < [llength $args]} {incr i} {
    set word [lindex $args $i]
    if {$word eq "-modes"} { set modes [lindex $args [incr i]]; continue }
    lappend words $word
    if {$word eq "-filter"} { lappend words [lindex $args [incr i]] }
  }
  if {![llength $modes]} { return [all_scenarios {*}$words] }
  return [concat {*}[lmap mode $modes { all_scenarios -mode $mode {*}$words }]]
}

# --- on-chip variation ---
foreach compat_other {aocvm ocvm pocvm} {
  compat::name read_$compat_other read_ocv
  compat::name report_$compat_other report_ocv
  compat::name remove_$compat_other remove_ocv
}
unset compat_other
namespace eval compat {
  proc variation_mode {args} {
    if {$::sta_pocv_mode eq "skew_normal"} { variable_has_no_effect sta_pocv_mode }
    set_ocv_options -mode [expr {$::sta_pocv_mode eq "scalar" ? "scalar" : "normal"}]
  }
}
if {![info exists sta_pocv_mode]} { set sta_pocv_mode scalar }
if {![info exists sta_pocv_quantile]} { set sta_pocv_quantile 3 }
trace add variable sta_pocv_mode write compat::variation_mode
trace add variable sta_pocv_quantile write {apply {{name index operation} { set_ocv_options -quantile $::sta_pocv_quantile }}}
trace add variable timing_aocvm_enable_analysis write {apply {{name index operation} {
  set_ocv_options -tables [expr {$::timing_aocvm_enable_analysis ? "replace" : "off"}]
}}}
trace add variable timing_pocvm_enable_analysis write {apply {{name index operation} {
  set_ocv_options -mode [expr {$::timing_pocvm_enable_analysis ? "normal" : "scalar"}]
}}}

# --- about the program ---
compat::procedure show_splash {} { puts "Slackline: static timing analysis" }
compat::procedure show_copying {} { puts "Slackline is licensed under the Apache License 2.0; see the file LICENSE." }
compat::procedure show_warranty {} { puts "Slackline comes without warranty; see sections 7 and 8 of the file LICENSE." }

# --- variables ---
if {![info exists sta_continue_on_error]} { set sta_continue_on_error 0 }
if {![info exists hierarchy_separator]} { set hierarchy_separator / }
trace add variable hierarchy_separator write {apply {{name index operation} {
  set_hierarchy_separator $::hierarchy_separator
}}}
foreach {compat_variable compat_value} {
  sta_cond_default_arcs_enabled 1
  sta_dynamic_loop_breaking 0
  sta_gated_clock_checks_enabled 1
  sta_input_port_default_clock 0
  sta_internal_bidirect_instance_paths_enabled 0
  sta_preset_clear_arcs_enabled 0
  sta_propagate_all_clocks 0
  sta_propagate_gated_clock_enable 1
  sta_recovery_removal_checks_enabled 1
  sta_report_default_digits 2
} {
  compat::variable_without_effect $compat_variable $compat_value
}
unset compat_variable compat_value

namespace eval compat {
  proc common_path_credit {args} {
    set_common_path_credit [expr {$::sta_crpr_enabled ? "on" : "off"}] -edges [expr {$::sta_crpr_mode eq "same_pin" ? "any" : "same"}]
  }
}
if {![info exists sta_crpr_enabled]} { set sta_crpr_enabled 1 }
if {![info exists sta_crpr_mode]} { set sta_crpr_mode same_pin }
trace add variable sta_crpr_enabled write compat::common_path_credit
trace add variable sta_crpr_mode write compat::common_path_credit
