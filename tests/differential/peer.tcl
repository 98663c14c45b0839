# The peer's part of answer.tcl: sta 2.0.17's commands.

proc answer::prepare {folder} {
  read_verilog $folder/design.v
  link_design top
  set_delay_calculator lumped_cap
  set_operating_conditions -analysis_type on_chip_variation
}

proc answer::group_name {group} {
  set names {asynchronous **async_default** {gated clock} **clock_gating_default** {path delay}\
    **default**}
  return [expr {[dict exists $names $group] ? [dict get $names $group] : $group}]
}

proc answer::ends {side group} {
  set name [group_name $group]
  if {![sta::is_path_group_name $name]} return
  set all [described $side $group \
    [find_timing_paths -path_delay $side -group_count 100000 -endpoint_count 1 -path_group \
      [list $name]]]
  # In the group of a clock the worst path to an output that a clock launches: this program shows
  # others too.  Through latches it may fail at that.
  set unclocked 0
  foreach words $all { if {[is_unclocked $words]} { set unclocked 1 } }
  if {$unclocked && ![catch {find_timing_paths -path_delay $side -group_count 100000\
    -endpoint_count 200 -path_group [list $name]} more]} {
    set more [described $side $group $more]
    foreach words $more { dict incr count [lindex $words 2] }
    # Where all are known and no clock launches one, none counts.
    set all [lmap words $all {
      if {[is_unclocked $words] && [dict get $count [lindex $words 2]] < 200} continue; set words
    }]
    foreach words $more { if {![is_unclocked $words]} { lappend all $words } }
  }
  set worst {}
  foreach words $all {
    set pin [lindex $words 2]
    if {![dict exists $worst $pin] || ([is_unclocked [dict get $worst $pin]] && ![is_unclocked\
      $words])} { dict set worst $pin $words }
  }
  dict for {pin words} $worst { puts "=end $words" }
}

# The paths' lines; the next question makes these paths invalid.
proc answer::described {side group ends} {
  return [lmap end $ends {
    set pins [lmap point [get_property $end points] { get_full_name [get_property $point pin] }]
    set edge [expr {[sta::PathEnd_end_transition $end] eq "^" ? "r" : "f"}]
    set slack [expr {[sta::PathEnd_slack $end] * 1e9}]
    list $side $group [lindex $pins end] $edge $slack [clock $end startpoint_clock] \
      [clock $end endpoint_clock] $pins [terms_of $end]
  }]
}

# As ours.tcl has them; the delay is that between the first and the last pin, and the latency of the
# launching clock is among those of capturing ones.  The credit is what the other terms leave of the
# required time: the peer shows no number of its own.
proc answer::terms_of {end} {
  set delay [delay_of [get_property $end points]]
  # The peer crashes where it is asked for terms of a capture that is none.
  if {[sta::PathEnd_is_path_delay $end] || [clock $end endpoint_clock] eq ""} {
    return [list 0 0 0 $delay]
  }
  foreach {name term} {
    capture target_clk_delay time target_clk_time offset target_clk_offset
    uncertainty target_clk_uncertainty inter inter_clk_uncertainty
    moved target_clk_mcp_adjustment margin margin required data_required_time
  } {
    if {[catch { set $name [expr {1e9 * [sta::PathEnd_$term $end]}] }]} { set $name 0 }
  }
  set late [expr {[sta::PathEnd_min_max $end] eq "max"}]
  # An offset is the edge's time in its cycle; the first cycle has none.
  if {$offset == 0} { set offset $time }
  set rest [expr {$required - $offset - $capture - $uncertainty - $inter - $moved}]
  set credit [expr {$rest + ($late ? $margin : -$margin)}]
  return [list 0 $capture $credit $delay]
}

proc answer::delay_of {points} {
  set times [lmap at {0 end} { get_property [lindex $points $at] arrival }]
  return [expr {[lindex $times 1] - [lindex $times 0]}]
}

proc answer::is_unclocked {words} {
  return [expr {![string match */* [lindex $words 2]] && [lindex $words 1] ne "path delay" &&\
    [lindex $words 5] eq "" && [lindex $words 6] ne ""}]
}

proc answer::clock {end property} {
  if {[catch {get_property $end $property} clock]} { return "" }
  return [name $clock]
}
