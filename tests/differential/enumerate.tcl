# Slacks from first principles: the delays and margins of the program's own arcs
# (write_timing_tables), every clock path by itself, the longest and shortest data path from each
# launching pin, and the constraints' own words.  Setup and hold at registers, clock gates and
# outputs; latches that borrow; clocks, those that registers divide, latencies, uncertainties,
# delays of ports, derates, limits of borrowing.  No exceptions, constants, loops of latches (run
# -enumerate makes cases without).
#
# With common path pessimism removed (-cppr) a launch and a capture by propagated clocks have the
# credit of the drivers that all their clock paths pass, those of a divided clock's master among
# them; through a latch that borrows, the launch is still that of the register before it.

namespace eval enumerate {
  variable cppr 0
  # out(pin) -> list of {to in_edge out_edge early late is_wire}; checks(data pin) -> list of {clock
  # role clock_edge data_edge margin}
  variable out
  variable checks
  variable launches         ;# clock pins with arcs to outputs: out of them is_launch
  variable clock            ;# name -> {period rise fall sources}
  variable master           ;# divided clock -> {master, its edges that make the clock's rise, fall}
  # {master, divided clock's source} -> {edge early late path} of each of its paths there
  variable handed
  variable divides          ;# sources of divided clocks
  variable constraint       ;# the case's
  variable memo
  variable is_load          ;# pins behind a wire
  variable paths            ;# clock -> clock pin -> its paths
  # {clock, its edge at the source, pin, edge} -> earliest and latest arrival
  variable span
  variable passed           ;# {clock, pin} -> places on all paths
}

proc enumerate::answers {cases folders} {
  set all {}
  foreach case $cases folder $folders {
    if {[catch {slacks $case $folder/tables} ends]} {
      set ends {}; set state "failed: $ends $::errorInfo"
    } else { set state done }
    dict set all $folder [dict create state $state rejected {} ends $ends]
  }
  return $all
}

proc enumerate::lines {file} {
  set channel [open $file rb]
  zlib push gunzip $channel
  set lines [split [string trim [read $channel]] \n]
  close $channel
  return [lrange $lines 1 end]
}

proc enumerate::read_arcs {file} {
  variable out
  variable checks
  array unset out
  array unset checks
  variable is_load
  array unset is_load
  foreach line [lines $file] {
    lassign [split $line \t] from to role cond in edge early late
    if {$early in {"" -} || $role eq "Reg Set/Clr"} continue
    set in [string index $in 0]
    set edge [string index $edge 0]
    set early [expr {$early * 1e9}]
    set late [expr {$late * 1e9}]
    if {$role in {setup hold recovery removal}} {
      lappend checks($to) [list $from $role $in $edge \
        [expr {$role in {setup recovery} ? $late : $early}]]
    } else {
      lappend out($from) [list $to $in $edge $early $late $role]
      if {$role eq "wire"} { set is_load($to) 1 }
    }
  }
}

# Checks that set_disable_timing takes out: of a cell with -from and -to, or of a pin.
proc enumerate::drop_checks {} {
  variable checks
  foreach words [words_of check_off] {
    foreach object [lrange [lindex $words end] 1 end] {
      lassign $object class name
      set to [expr {$class eq "pin" ? $name : "$name/[constraints::option $words -to]"}]
      if {![info exists checks($to)]} continue
      set left [lmap check $checks($to) {
        set from [constraints::option $words -from]
        if {$from eq "" || [file tail [lindex $check 0]] eq $from} continue
        set check
      }]
      if {[llength $left]} { set checks($to) $left } else { unset checks($to) }
    }
  }
}

# --- constraints ----------------------------------------------------------------------------------

proc enumerate::words_of {kind} {
  variable constraint
  return [lmap c $constraint { if {[lindex $c 0] ni $kind} continue; lindex $c 1 }]
}

proc enumerate::names {word} { return [lmap object [lrange $word 1 end] { lindex $object 1 }] }

proc enumerate::read_clocks {} {
  variable clock
  variable master
  foreach name {clock master divides} { array unset [namespace current]::$name }
  foreach words [words_of {clock clock_add clock_virtual}] {
    set period [constraints::option $words -period]
    set waveform [constraints::option $words -waveform]
    if {$waveform eq ""} { set waveform [list 0 [expr {$period / 2.0}]] }
    set sources [expr {[lindex $words end 0] eq "@" ? [names [lindex $words end]] : {}}]
    set clock([constraints::option $words -name]) \
      [list $period [lindex $waveform 0] [lindex $waveform 1] $sources]
  }
  foreach words [words_of generated] { read_divided $words }
}

# Edges of a master are counted from 1, its first rise.
proc enumerate::read_divided {words} {
  variable clock
  variable master
  variable divides
  set name [constraints::option $words -name]
  set from [lindex [constraints::option $words -master_clock] 1 1]
  set edges [constraints::option $words -edges]
  set n [constraints::option $words -divide_by]
  if {$edges eq ""} { set edges [list 1 [expr {$n + 1}] [expr {2 * $n + 1}]] }
  set made [lmap edge $edges { expr {$edge % 2 ? "r" : "f"} }]
  lassign [lmap edge $edges its $made \
    { expr {[edge_time $from $its] + ($edge - 1) / 2 * [lindex $clock($from) 0]} }] rise fall next
  set clock($name) [list [expr {$next - $rise}] $rise $fall [names [lindex $words end]]]
  set master($name) [list $from {*}[lrange $made 0 1]]
  set divides([names [lindex $words end]]) 1
}

# The later of set_propagated_clock and a network latency holds.
proc enumerate::is_propagated {name} {
  set propagated 0
  foreach words [words_of {propagated latency_network}] {
    if {$name in [names [lindex $words end]]} {
      set propagated [expr {[lindex $words 0] eq "set_propagated_clock"}]
    }
  }
  return $propagated
}

# The last value given that holds for the side (min or max; -early and -late mean the same) and edge
# (r or f); 0.
proc enumerate::value {kind name side edge {value 0.0}} {
  foreach words [words_of $kind] {
    if {$name ni [names [lindex $words end]]} continue
    if {[applies $words $side $edge]} { set value [lindex $words end-1] }
  }
  return $value
}

proc enumerate::applies {words side edge} {
  foreach {flag other} {-min -max -max -min -early -late -late -early} what {max min max min} {
    if {$flag in $words && $other ni $words && $what eq $side} { return 0 }
  }
  if {"-rise" in $words && $edge eq "f"} { return 0 }
  if {"-fall" in $words && $edge eq "r"} { return 0 }
  return 1
}

# Of the capturing clock, or the last that was given at a pin of its path; for setup and hold apart.
proc enumerate::uncertainty {launch capture role {path {}}} {
  set value 0.0
  foreach words [words_of uncertainty] {
    if {$capture in [names [lindex $words end]] && !(("-setup" in $words && $role eq "hold") ||\
      ("-hold" in $words && $role eq "setup"))} {
      set value [lindex $words end-1]
    }
  }
  foreach {pin edge early late} [lindex $path 2] {
    foreach words [words_of pin_part] {
      if {$pin ni [names [lindex $words end]] || "-[string map {setup hold hold setup} $role]" in\
        $words} continue
      set value [lindex $words end-1]
    }
  }
  return $value
}

# Of an arc by the edge at its end, of a check by the data's.
proc enumerate::derate {pin role side is_clock edge} {
  set factor 1.0
  set own ""
  set around [extras::around $pin]
  set level [llength $around]
  foreach words [words_of derate] {
    if {([lindex $words 1] eq "-early") != ($side eq "min")} continue
    if {("-rise" in $words && $edge eq "f") || ("-fall" in $words && $edge eq "r")} continue
    if {("-clock" in $words && !$is_clock) || ("-data" in $words && $is_clock)} continue
    set kind [expr {$role eq "wire" ? "-net_delay" : $role in {setup hold recovery removal} ?\
      "-cell_check" : "-cell_delay"}]
    set given ""
    foreach word {-cell_delay -net_delay -cell_check} { if {$word in $words} { set given $word } }
    if {$given ne $kind && !($given eq "" && $kind ne "-cell_check")} continue
    if {[lindex $words end 0] eq "@"} {
      # The nearest of the cell and the blocks around it.
      foreach name [names [lindex $words end]] {
        set at [lsearch -exact $around $name]
        if {$at < 0 || $at > $level} continue
        set level $at
        set own [lindex $words end-1]
      }
    } else {
      set factor [lindex $words end]
    }
  }
  return [expr {$own ne "" ? $own : $factor}]
}

# --- clock paths ----------------------------------------------------------------------------------
# A path: {edge at source, edge here, {pin edge early late ...}, above}, the last pin being here.
# above: of a divided clock the master and its path to the register that divides.

proc enumerate::clock_paths {name} {
  variable clock
  variable master
  set paths {}
  foreach source [lindex $clock($name) 3] {
    foreach edge {r f} {
      if {[info exists master($name)]} { walk_divided $name $edge $source paths; continue }
      set early [value latency_source $name min $edge]
      set late [value latency_source $name max $edge]
      walk_clock $name $edge $source $edge [list $source $edge $early $late] {} paths
    }
  }
  return $paths
}

# From each path of the master.  A latency that is given counts in the place of its, and has nothing
# in common with it.
proc enumerate::walk_divided {name edge source pathsName} {
  upvar 1 $pathsName paths
  variable master
  variable handed
  lassign $master($name) from rise fall
  foreach path [expr {[info exists handed([list $from $source])] ? $handed([list $from $source]) :\
    {}}] {
    lassign $path to early late above
    if {$to ne $edge || [lindex $above 0] ne [expr {$edge eq "r" ? $rise : $fall}]} continue
    set early [value latency_source $name min $edge $early]
    set late [value latency_source $name max $edge $late]
    set above [expr {[is_given $name] ? {} : [list $from $above]}]
    walk_clock $name $edge $source $edge [list $source $edge $early $late] $above paths
  }
}

proc enumerate::is_given {name} {
  foreach words [words_of latency_source] { if {$name in [names [lindex $words end]]} { return 1 } }
  return 0
}

proc enumerate::walk_clock {name first pin edge steps above pathsName} {
  upvar 1 $pathsName paths
  variable out
  variable is_clock_pin
  variable divides
  variable handed
  widen [list $name $first $pin $edge] {*}[lrange $steps end-1 end]
  set path [list $first $edge $steps $above]
  if {[info exists is_clock_pin($pin)]} { dict lappend paths $pin $path }
  if {![info exists out($pin)]} return
  lassign [lrange $steps end-1 end] early late
  foreach arc $out($pin) {
    lassign $arc to in to_edge least most role
    set hands [expr {$role eq "Reg Clk to Q" && [info exists divides($to)]}]
    if {$in ne $edge || ($role ni {wire combinational} && !$hands)} continue
    set at [expr {$role eq "wire" ? $pin : $to}]
    set e [expr {$early + $least * [derate $at $role min 1 $to_edge]}]
    set l [expr {$late + $most * [derate $at $role max 1 $to_edge]}]
    if {$hands} { lappend handed([list $name $to]) [list $to_edge $e $l $path]; continue }
    walk_clock $name $first $to $to_edge [concat $steps [list $to $to_edge $e $l]] $above paths
  }
}

# Keeps the earliest and latest arrival at a pin.
proc enumerate::widen {key early late} {
  variable span
  if {[info exists span($key)]} {
    set early [expr {min($early, [lindex $span($key) 0])}]
    set late [expr {max($late, [lindex $span($key) 1])}]
  }
  set span($key) [list $early $late]
}

# When a clock's edge is at a pin over a path: of an ideal clock its latencies alone.
proc enumerate::clock_time {name path side} {
  lassign $path first edge steps
  if {[is_propagated $name]} { return [lindex $steps [expr {$side eq "min" ? "end-1" : "end"}]] }
  return [expr {[value latency_source $name $side $first] + [value latency_network $name $side\
    $first]}]
}

# What late and early count twice of two clock paths: at the drivers that every path to both ends
# passes the most of late less early arrival, the lesser of the edges, and of the launching edges
# where these differ.
proc enumerate::credit {launch a capture b} {
  variable cppr
  if {!$cppr || ![llength $a] || ![llength $b] || ![is_propagated $launch] || ![is_propagated\
    $capture]} { return 0.0 }
  set there [places $capture [lindex $b 2 end-3]]
  set credit 0.0
  foreach place [places $launch [lindex $a 2 end-3]] {
    if {$place ni $there} continue
    lassign $place name pin
    set credit [expr {max($credit, min([spread $name [phase $launch $a $name] $pin], [spread $name\
      [phase $capture $b $name] $pin]))}]
  }
  return $credit
}

# The edge with which a clock's path leaves the source of the clock or of its master.
proc enumerate::phase {clock path name} {
  return [lindex [expr {$clock eq $name ? $path : [lindex $path 3 1]}] 0]
}

# The drivers, the clock's source among them, that all of its paths to a pin pass, each with its
# clock.
proc enumerate::places {name pin} {
  variable passed
  if {[info exists passed([list $name $pin])]} { return $passed([list $name $pin]) }
  variable paths
  set common ""
  foreach path [dict get $paths $name $pin] {
    set some [drivers $name $path]
    set common [expr {$common eq "" ? $some : [lmap place $common\
      { if {$place ni $some} continue; set place }]}]
  }
  return [set passed([list $name $pin]) $common]
}

proc enumerate::drivers {name path} {
  variable is_load
  lassign $path first edge steps above
  set own [lmap {at edge early late} $steps \
    { if {[info exists is_load($at)]} continue; list $name $at }]
  return [concat [expr {[llength $above] ? [drivers {*}$above] : {}}] $own]
}

proc enumerate::spread {name first pin} {
  variable span
  set least 1e30
  foreach edge {r f} {
    set key [list $name $first $pin $edge]
    if {[info exists span($key)]} {
      set least [expr {min($least, [lindex $span($key) 1] - [lindex $span($key) 0])}]
    }
  }
  return [expr {max($least, 0)}]
}

# --- data paths -----------------------------------------------------------------------------------

# Longest (max) or shortest delays from a pin's edge to all ends: "pin edge" -> delay.  Registers
# and checks end them.
proc enumerate::reach {pin edge side} {
  variable memo
  variable out
  variable ends
  set key "$pin $edge $side"
  if {[info exists memo($key)]} { return $memo($key) }
  set found {}
  if {[info exists ends($pin)]} { dict set found [list $pin $edge] 0.0 }
  if {[info exists out($pin)]} {
    foreach arc $out($pin) {
      lassign $arc to in to_edge least most role
      if {$in ne $edge || $role ni {wire combinational}} continue
      merge found [reach $to $to_edge $side] [delay $arc $pin $side] $side
    }
  }
  set memo($key) $found
  return $found
}

proc enumerate::delay {arc pin side} {
  lassign $arc to in edge least most role
  set at [expr {$role eq "wire" ? $pin : $to}]
  return [expr {($side eq "min" ? $least : $most) * [derate $at $role $side 0 $edge]}]
}

proc enumerate::merge {foundName more plus side} {
  upvar 1 $foundName found
  dict for {end delay} $more {
    set delay [expr {$delay + $plus}]
    if {![dict exists $found $end] || ($side eq "max" ? $delay > [dict get $found $end] : $delay <\
      [dict get $found $end])} {
      dict set found $end $delay
    }
  }
}

# --- edges ----------------------------------------------------------------------------------------

proc enumerate::edge_time {name edge} {
  variable clock
  return [lindex $clock($name) [expr {$edge eq "r" ? 1 : 2}]]
}

# Capture less launch time: of the closest capture after a launch; and, for hold, of the capture a
# period before, least early.
proc enumerate::distance {launch le capture ce role} {
  variable clock
  variable distances
  set key "$launch $le $capture $ce $role"
  if {[info exists distances($key)]} { return $distances($key) }
  set tl [lindex $clock($launch) 0]
  set tc [lindex $clock($capture) 0]
  set best ""
  # Hundredths of a ns: whole numbers have a common period.
  set l0 [expr {round([edge_time $launch $le] * 1000)}]
  set c0 [expr {round([edge_time $capture $ce] * 1000)}]
  set pl [expr {round($tl * 1000)}]
  set pc [expr {round($tc * 1000)}]
  # After so many launches the same distances come again.
  set a $pl
  set b $pc
  while {$b} { lassign [list $b [expr {$a % $b}]] a b }
  # One of each distance is enough: those that leave the same over the periods' common divisor.
  if {$pc / $a > 20000} {
    set best [expr {($c0 - $l0) % $a ? ($c0 - $l0) % $a : $a}]
    if {$role eq "hold"} { set best [expr {$best - $a}] }
    return [set distances($key) [expr {$best / 1000.0}]]
  }
  for {set i 0} {$i == 0 || ($i * $pl) % $pc} {incr i} {
    set l [expr {$l0 + $i * $pl}]
    set d [expr {($c0 - $l) % $pc}]
    if {$d == 0} { set d $pc }
    if {$role eq "hold"} { set d [expr {$d - $pc}] }
    if {$best eq "" || ($role eq "hold" ? $d > $best : $d < $best)} { set best $d }
  }
  return [set distances($key) [expr {$best / 1000.0}]]
}

# --- ends -----------------------------------------------------------------------------------------

proc enumerate::slacks {case folder} {
  prepare $case $folder
  variable paths
  set result {}
  foreach side {max min} { from_registers $side $paths result; from_inputs $side $paths result }
  return $result
}

# What is worked out of a case before any path.
proc enumerate::prepare {case folder} {
  variable constraint [lindex $case 1]
  variable checks
  variable out
  variable clock
  variable ends
  variable is_clock_pin
  variable memo
  variable distances
  variable span
  variable passed
  variable paths {}
  variable divides
  variable handed
  foreach name {memo ends is_clock_pin distances span passed handed} { array unset $name }
  read_arcs $folder/arcs.tsv.gz
  drop_checks
  read_clocks
  foreach {pin list} [array get checks] {
    set ends($pin) 1
    foreach check $list { set is_clock_pin([lindex $check 0]) 1 }
  }
  foreach {pin list} [array get out] {
    foreach arc $list {
      if {[lindex $arc 5] in {"Reg Clk to Q" "Latch En to Q"}} { set is_clock_pin($pin) 1 }
    }
  }
  foreach words [words_of output_delay] {
    foreach port [names [lindex $words end]] { set ends($port) 1 }
  }
  foreach pin [array names divides] { set is_clock_pin($pin) 1 }
  # Masters come before what they make.
  variable master
  foreach name [array names clock] {
    if {![info exists master($name)]} { dict set paths $name [clock_paths $name] }
  }
  foreach name [array names master] { dict set paths $name [clock_paths $name] }
}

proc enumerate::from_registers {side paths resultName} {
  upvar 1 $resultName result
  variable out
  dict for {name pins} $paths {
    dict for {pin list} $pins {
      if {![info exists out($pin)]} continue
      foreach path $list {
        set start [clock_time $name $path $side]
        set found {}
        foreach arc $out($pin) {
          if {[lindex $arc 5] ni {"Reg Clk to Q" "Latch En to Q"} || [lindex $arc 1] ne [lindex\
            $path 1]} continue
          merge found [reach [lindex $arc 0] [lindex $arc 2] $side] [delay $arc $pin $side] $side
        }
        at_ends $side [list $name $path] $name [lindex $path 0] $start $found $paths result
      }
    }
  }
}

# The delays in force at a port: "clock edge" -> side and edge -> value.  A command without
# -add_delay clears those of other clocks; with it the worse value stays.
proc enumerate::port_delays {kind port} {
  set all {}
  foreach words [words_of $kind] {
    if {$port ni [names [lindex $words end]]} continue
    set key [list [lindex [names [constraints::option $words -clock]] 0] \
      [expr {"-clock_fall" in $words ? "f" : "r"}]]
    if {"-add_delay" ni $words} { set all [dict filter $all key $key] }
    foreach side {min max} {
      foreach edge {r f} {
        if {![applies $words $side $edge]} continue
        set value [lindex $words end-1]
        if {"-add_delay" in $words && [dict exists $all $key $side$edge]} {
          set have [dict get $all $key $side$edge]
          set value [expr {$side eq "max" ? max($value, $have) : min($value, $have)}]
        }
        dict set all $key $side$edge $value
      }
    }
  }
  return $all
}

# When a clock's edge counts at a port, and over which of its paths: {time path}.  What its network
# adds is not known there; a divided clock starts when it comes to its source.
proc enumerate::outside {name edge side} {
  variable master
  variable clock
  variable paths
  if {[info exists master($name)]} {
    set source [lindex $clock($name) 3 0]
    set some [expr {[dict exists $paths $name $source] ? [of_edge [dict get $paths $name $source]\
      $edge $edge] : {}}]
    return [lmap path $some { list [clock_time $name $path $side] $path }]
  }
  set latency [value latency_source $name $side $edge]
  if {![is_propagated $name]} {
    set latency [expr {$latency + [value latency_network $name $side $edge]}]
  }
  return [list [list $latency {}]]
}

proc enumerate::from_inputs {side paths resultName} {
  upvar 1 $resultName result
  variable constraint
  set ports {}
  foreach words [words_of input_delay] {
    foreach port [names [lindex $words end]] { dict set ports $port 1 }
  }
  foreach port [dict keys $ports] {
    dict for {key values} [port_delays input_delay $port] {
      lassign $key name edge
      foreach at {r f} {
        if {![dict exists $values $side$at]} continue
        foreach launch [outside $name $edge $side] {
          lassign $launch latency path
          set start [expr {$latency + [dict get $values $side$at]}]
          at_ends $side [list $name $path] $name $edge $start [reach $port $at $side] $paths result
        }
      }
    }
  }
}

# What arrives at each end.  from: the clock and the clock path of what launched it (no path: by an
# undivided clock at an input); launch: the clock that times are counted from, which behind a latch
# that borrows is the latch's.
proc enumerate::at_ends {side from launch launch_edge start found paths resultName} {
  upvar 1 $resultName result
  variable checks
  set role [expr {$side eq "max" ? "setup" : "hold"}]
  set other [expr {$side eq "max" ? "min" : "max"}]
  dict for {end delay} $found {
    lassign $end pin edge
    set arrival [expr {$start + $delay}]
    if {$side eq "max" && [is_latch_data $pin]} {
      at_latch $from $launch $launch_edge $pin $edge $arrival $paths result
    } elseif {[info exists checks($pin)]} {
      foreach check $checks($pin) {
        lassign $check clock_pin what clock_edge data_edge margin
        if {$what ne $role || $data_edge ne $edge} continue
        set margin [expr {$margin * [derate $pin $role $side 0 $edge]}]
        dict for {capture pins} $paths {
          if {![dict exists $pins $clock_pin]} continue
          foreach to [dict get $pins $clock_pin] {
            if {[lindex $to 1] ne $clock_edge} continue
            set due [expr {[clock_time $capture $to $other]}]
            set back [credit {*}$from $capture $to]
            take result $side $role $pin $edge $launch $launch_edge $capture [lindex $to 0] \
              $arrival $due $margin $back $to
          }
        }
      }
    } else {
      dict for {key values} [port_delays output_delay $pin] {
        lassign $key capture capture_edge
        if {![dict exists $values $side$edge]} continue
        # An output delay is a setup margin as it stands, its negative a hold margin.
        set margin [expr {($side eq "max" ? 1 : -1) * [dict get $values $side$edge]}]
        foreach to [outside $capture $capture_edge $other] {
          lassign $to due path
          set back [credit {*}$from $capture $path]
          take result $side $role $pin $edge $launch $launch_edge $capture $capture_edge $arrival \
            $due $margin $back
        }
      }
    }
  }
}

# --- latches --------------------------------------------------------------------------------------

proc enumerate::is_latch_data {pin} {
  variable out
  if {![info exists out($pin)]} { return 0 }
  foreach arc $out($pin) { if {[lindex $arc 5] eq "Latch D to Q"} { return 1 } }
  return 0
}

# Returns the slack of data at a latch. time: its arrival less its credit with the opening edge;
# time_late: its arrival less its credit with the closing edge, to which the limit belongs. A limit
# that is given counts from the opening edge, and so does its credit.
proc enumerate::latch_slack {open limit time time_late} {
  if {$time_late > max($open, $limit)} { return [expr {$limit - $time_late}] }
  return [expr {max(0, $open - $time)}]
}

# Data is due when the latch opens.  What comes later borrows: it goes on from when it came, or from
# when the latch closes, less the setup time, and is then just in time.
proc enumerate::at_latch {from launch launch_edge pin edge arrival paths resultName} {
  upvar 1 $resultName result
  variable checks
  variable clock
  foreach check $checks($pin) {
    lassign $check enable what closing data_edge margin
    if {$what ne "setup" || $data_edge ne $edge} continue
    set margin [expr {$margin * [derate $pin setup max 0 $edge]}]
    set opening [string map {r f f r} $closing]
    dict for {capture pins} $paths {
      if {![dict exists $pins $enable]} continue
      foreach first {r f} {
        set opens [of_edge [dict get $pins $enable] $first $opening]
        if {![llength $opens]} continue
        set other [string map {r f f r} $first]
        set due [earliest $capture $opens]
        set width [expr {[edge_time $capture $other] - [edge_time $capture $first]}]
        if {$width <= 0} { set width [expr {$width + [lindex $clock($capture) 0]}] }
        set distance [expr {[distance $launch $launch_edge $capture $other setup] - $width}]
        set open [expr {$distance + $due - [uncertainty $launch $capture setup]}]
        set window [borrowed $pin $enable $capture]
        set back [credit {*}$from $capture [lindex $opens 0]]
        set back_late $back
        if {$window eq ""} {
          set closes [of_edge [dict get $pins $enable] $other $closing]
          set window [expr {$width - $margin + ([llength $closes] ? [earliest $capture $closes] -\
            $due : 0)}]
          if {[llength $closes]} { set back_late [credit {*}$from $capture [lindex $closes 0]] }
        }
        set limit [expr {$open + $window}]
        set time [expr {$arrival - $back}]
        keep result max $capture $pin $edge \
          [latch_slack $open $limit $time [expr {$arrival - $back_late}]] $launch
        if {$time > $open} {
          set start [expr {min($arrival, $limit + $back_late) - $distance}]
          at_ends max $from $capture $first $start [through $pin $edge] $paths result
        }
      }
    }
  }
}

# Paths to a pin of one edge at the source and one there.
proc enumerate::of_edge {list first edge} {
  return [lmap path $list {
    if {[lindex $path 0] ne $first || [lindex $path 1] ne $edge} continue; set path
  }]
}

proc enumerate::earliest {clock list} {
  return [lindex [lsort -real [lmap path $list { clock_time $clock $path min }]] 0]
}

# From a latch's data pin over its own arcs to all ends.
proc enumerate::through {pin edge} {
  variable out
  set found {}
  foreach arc $out($pin) {
    if {[lindex $arc 5] ne "Latch D to Q" || [lindex $arc 1] ne $edge} continue
    merge found [reach [lindex $arc 0] [lindex $arc 2] max] [delay $arc $pin max] max
  }
  return $found
}

# set_max_time_borrow of the data pin, the enable pin, the cell, the clock; "".
proc enumerate::borrowed {pin enable clock} {
  foreach name [list $pin $enable [file dirname $pin] $clock] {
    set value ""
    foreach words [words_of time_borrow] {
      if {$name in [names [lindex $words end]]} { set value [lindex $words end-1] }
    }
    if {$value ne ""} { return $value }
  }
  return ""
}

proc enumerate::take {resultName side role pin edge launch le capture ce arrival due margin credit\
  {path {}}} {
  upvar 1 $resultName result
  set distance [distance $launch $le $capture $ce $role]
  set uncertainty [uncertainty $launch $capture $role $path]
  if {$role eq "setup"} {
    set slack [expr {$distance + $due - $uncertainty - $margin + $credit - $arrival}]
  } else {
    set slack [expr {$arrival - ($distance + $due + $uncertainty + $margin - $credit)}]
  }
  keep result $side $capture $pin $edge $slack $launch
}

# The worst slack of each end.
proc enumerate::keep {resultName side capture pin edge slack launch} {
  upvar 1 $resultName result
  set key [list $side $capture $pin]
  if {![dict exists $result $key] || $slack < [lindex [dict get $result $key] 1]} {
    dict set result $key [list $edge $slack $launch $capture {}]
  }
}
