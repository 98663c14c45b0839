# The audit of constraints (sourced by audit_*.test): tables of small cases, a row each for an
# option and a kind of object. A row has the command, what is asked of the timing, and the answers
# as expressions written beforehand.
#
# Every row is tried in several ways, all of which must give the answers:
#   - with objects as collections, as names, as patterns, as lists of names and collections;
#   - before the first update of timing, and after one;
#   - written by write_sdc and read again into a newly linked design.
# The worst path to each end must have the slack that the end shows.  And something must hang on
# every word: without the command, and without each of its optional words, the answer must be
# another one.  Its unset_ command, with the same objects and options, must take it back: write_sdc
# then writes nothing that it did not write before.  A command that can have no effect must say so:
# key "tells" has the number of its message (or of several that may), and the answers are those of
# the design without it.
#
# Keys of a row: before SCRIPT (constraints that come first), tells CODE, same WORDS (words that say
# what holds anyway: leaving them out changes nothing), ways LIST.
source [file join [file dirname [file normalize [info script]]] unit_design.tcl]

namespace eval audit {
  variable collecting [info exists ::audit_collecting]
  variable form collection
  variable top ""
  variable number
  variable commands [dict create]       ;# command -> rows of its options
  foreach {command example} [list_commands -sdc] {
    dict set commands $command [list_options $command]
  }
  if {!$collecting || ![info exists covered]} { variable covered [dict create] }
  array set number {}
}
suppress_msg CMD-020 CMD-021 CMD-023 SDC-043

# --- objects --------------------------------------------------------------------------------------

# Objects of a kind, in the form of the way that is being tried.
proc o {kind args} {
  set form $audit::form
  if {$form eq "kind"} { return <$kind> }
  if {$kind eq "design"} { return [current_design] }
  set get [dict get {port get_ports pin get_pins hpin get_pins cell get_cells hcell get_cells net\
    get_nets
                     clock get_clocks lib_cell get_lib_cells lib_pin get_lib_pins arc\
                     get_timing_arcs} $kind]
  switch $form {
    collection { return [$get $args] }
    name { return $args }
    pattern { return [$get [lmap name $args { audit::pattern $get $name }]] }
    list { return [list [lindex $args 0] {*}[lmap name [lrange $args 1 end] { $get $name }]] }
  }
}

# A pattern that this object alone matches.
proc audit::pattern {get name} {
  for {set i 0} {$i < [string length $name]} {incr i} {
    if {[string index $name $i] eq "/"} continue
    set pattern [string replace $name $i $i ?]
    if {[sizeof_collection [$get -quiet $pattern]] == 1} { return $pattern }
  }
  return $name
}

# --- answers --------------------------------------------------------------------------------------

proc audit::number {value} {
  if {![string is double -strict $value]} { return [expr {$value eq "" ? "none" : $value}] }
  if {abs($value) > 1e20} { return none }
  return [format %.5g [expr {round($value * 1e4) / 1e4 + 0.0}]]
}

proc audit::object {name} {
  set pin [get_pins -quiet $name]
  return [expr {$pin eq "" ? [get_ports $name] : $pin}]
}

# An item is PIN (late slack), PIN:min or PIN:max_rise (slacks), PIN:PROPERTY, or a script of
# several words.
proc audit::item {item} {
  if {[llength $item] > 1} {
    return [expr {[catch {uplevel #0 $item} value] ? "error" : [number $value]}]
  }
  lassign [split $item :] name property
  if {$property eq ""} { set property max }
  if {[regexp {^(max|min)(_rise|_fall)?$} $property]} { set property slack_$property }
  return [number [get_property [object $name] $property]]
}
proc audit::ask {query} { lmap item $query { item $item } }

# The lines that write_sdc writes.
proc audit::sdc_lines {} {
  write_sdc -no_timestamp [sdc_file]
  set f [open [sdc_file]]
  set lines [split [string map {\\\n { }} [read $f]] \n]
  close $f
  file delete [sdc_file]
  return $lines
}
# Whether a line of the constraints in a file matches a pattern: of what is kept for others to read.
proc sdc_says {pattern} { return [expr {[lsearch -glob [audit::sdc_lines] $pattern] >= 0}] }
# The group of the worst path to an end, or of all of them.
proc group_of {end {option -to}} {
  get_property [get_timing_paths $option [audit::object $end]] path_group
}

# Clocks, slacks and arrivals of all pins, all other constraints: for what no row asks, but a word
# may change.
proc audit::everything {} {
  with_output_to_variable report { report_constraints -all -digits 4 }
  set values [list $report [lsort [lmap clock [all_clocks] { get_full_name $clock }]]]
  foreach object [list {*}[get_pins -quiet -hierarchical *] {*}[get_ports *]] {
    foreach property {slack_max_rise slack_max_fall slack_min_rise slack_min_fall arrival_max_rise\
      arrival_max_fall
                      arrival_min_rise arrival_min_fall} {
      lappend values [number [get_property $object $property]]
    }
  }
  return $values
}

# What an expression in a row comes to; words that are no arithmetic are themselves.
proc audit::answer {text} {
  if {[catch {expr $text} value]} { return $text }
  return [number $value]
}

# The path that is found to each pin asked for has the pin's slack.
proc audit::paths_agree {query} {
  set wrong {}
  foreach item $query {
    if {![regexp {^([^ :]+)(:(max|min))?$} $item all name - side]} continue
    if {$side eq ""} { set side max }
    set path [get_timing_paths -to [object $name] -path_delay $side]
    if {$path eq ""} continue
    set found [number [get_property $path slack]]
    if {$found ne [item $item]} { lappend wrong "the path to $item has $found" }
  }
  return $wrong
}

# --- a row ----------------------------------------------------------------------------------------

proc audit::fresh {form script} {
  variable top
  set audit::form $form
  catch { unset_constraints }
  with_output_to_variable text { link_design $top }
  uplevel #0 $script
}

proc audit::differences {way query got wanted} {
  set wrong {}
  foreach item $query g $got w $wanted {
    if {$g ne $w} { lappend wrong "$way: $item is $g, expected $w" }
  }
  return $wrong
}

# The command without one of its words (and that word's value).
proc audit::without {text option} {
  set value [expr {[lindex [option_of [lindex $text 0] $option] 1] ne "flag"}]
  set pattern " $option\\M"
  if {$value} { append pattern {\s+(\[[^]]*\]|\{[^\}]*\}|\S+)} }
  regsub -- $pattern $text "" text
  return $text
}

proc audit::option_of {command name} {
  variable commands
  return [lsearch -inline -index 0 -exact [dict get $commands $command] $name]
}

proc audit::sdc_file {} { return [scratch audit[pid].sdc] }

# What is wrong with a row that changes answers.
proc audit::effect {before text query wanted same ways} {
  set wrong {}
  fresh collection $before
  set base [ask $query]
  if {$base eq $wanted} { lappend wrong "the command changes nothing: $base" }
  if {"update" in $ways} {
    uplevel #0 $text
    lappend wrong {*}[differences "after an update" $query [ask $query] $wanted] \
      {*}[paths_agree $query]
  }
  foreach form {list name pattern collection} {
    if {$form ni $ways} continue
    fresh $form "$before\n$text"
    lappend wrong {*}[differences $form $query [ask $query] $wanted]
  }
  lappend wrong {*}[paths_agree $query]
  if {"file" in $ways} { lappend wrong {*}[round_trip $query $wanted] }
  lappend wrong {*}[left_behind $before $text]
  foreach word [optional_words $text] {
    if {$word in $same} continue
    if {[catch { fresh collection "$before\n[without $text $word]" }]} continue
    if {[ask $query] ne $wanted} continue
    set without [everything]
    fresh collection "$before\n$text"
    if {$without eq [everything]} { lappend wrong "nothing hangs on $word" }
  }
  return $wrong
}

# The constraints at hand in a file, and what they say in a newly linked design.
proc audit::round_trip {query wanted} {
  set file [sdc_file]
  write_sdc -no_timestamp $file
  fresh collection [list with_output_to_variable text [list read_sdc $file]]
  file delete $file
  return [differences "read from a file" $query [ask $query] $wanted]
}

# The command that takes back what a command of these words sets, or nothing. No command takes back
# an exception for all paths. The conditions of single cells are those of set_pvt.
proc audit::unset_of {words} {
  variable commands
  set command [lindex $words 0]
  switch -glob $command {
    set_logic_* { return unset_logic }
    set_false_path - set_m??_delay - set_multicycle_path - set_path_margin {
      if {![regexp { -(rise_|fall_)?(from|through|to) } $words]} return
      return unset_path_exceptions
    }
    set_* {
      set unset unset_[string range $command 4 end]
      if {$command eq "set_operating_conditions" && "-object_list" in $words} return
      return [expr {[dict exists $commands $unset] ? $unset : ""}]
    }
  }
}

# The words of a command, each behind the name of its option: "" for the value of an option.
proc audit::named_words {words} {
  variable commands
  set command [lindex $words 0]
  set free [lmap row [dict get $commands $command] {
    if {[string match -* [lindex $row 0]]} continue
    lindex $row 0
  }]
  set named {}
  for {set i 1} {$i < [llength $words]} {incr i} {
    set word [lindex $words $i]
    set row [option_of $command $word]
    if {$row eq "" || ![string match -* $word]} {
      lappend named [lindex $free 0] $word
      if {[llength $free] > 1} { set free [lrange $free 1 end] }
    } else {
      lappend named $word $word
      if {[lindex $row 1] ne "flag"} { lappend named "" [lindex $words [incr i]] }
    }
  }
  return $named
}

# Has a command an option of this name? The place of its objects may have another name.
proc audit::has_option {command name type} {
  variable commands
  if {[string match -* $name]} { return [expr {[option_of $command $name] ne ""}] }
  foreach row [dict get $commands $command] {
    if {![string match -* [lindex $row 0]] && $type eq "objects"} { return 1 }
  }
  return 0
}

# The words of the command that takes back a command of these words: with its objects, and with
# those of its options that both have.
proc audit::unset_words {unset words} {
  set kept $unset
  set keep 0
  foreach {name word} [named_words $words] {
    if {$name ne ""} {
      set type [lindex [option_of [lindex $words 0] $name] 1]
      set keep [has_option $unset $name $type]
    }
    if {$keep} { lappend kept $word }
  }
  if {$unset eq "unset_clock_groups" && "-name" ni $kept} { lappend kept -all }
  return $kept
}

# What write_sdc still writes of a command that was taken back, and would not write without it.
proc audit::left_behind {before text} {
  fresh collection $before
  set words [uplevel #0 list $text]
  set unset [unset_of $words]
  if {$unset eq ""} return
  uplevel #0 [unset_words $unset $words]
  set old [sdc_lines]
  fresh collection "$before\n$text"
  uplevel #0 [unset_words $unset [uplevel #0 list $text]]
  return [lmap line [sdc_lines] {
    if {$line in $old} continue
    string cat "left behind: " $line
  }]
}

# Options of the command that the parser would do without.
proc audit::optional_words {text} {
  set words [eval "list $text"]
  return [lmap word [lrange $words 1 end] {
    if {![string match -* $word] || [option_of [lindex $words 0] $word] eq ""} continue
    set word
  }]
}

# What is wrong with a row that can have no effect: it must say so.
proc audit::no_effect {before text query wanted code ways} {
  fresh collection $before
  set wrong [differences "without the command" $query [ask $query] $wanted]
  set all [everything]
  foreach form {collection name} {
    if {$form ni $ways} continue
    fresh $form $before
    set status [catch { set told [warned { uplevel #0 $text; update_timing }] } message options]
    if {$status} { set told [list [lindex [dict get $options -errorcode] 1] 1] }
    if {![llength [lmap one $code { if {![dict exists $told $one]} continue; set one }]]} {
      lappend wrong "$form: not told $code but {$told}"
    }
    lappend wrong {*}[differences $form $query [ask $query] $wanted]
    if {[everything] ne $all} { lappend wrong "$form: something changed" }
  }
  return $wrong
}

proc audit::row {text query expected keys} {
  set keys [dict merge {before "" tells "" same "" ways\
    {update collection name pattern list file}} $keys]
  dict with keys {
    set wanted [lmap e $expected { answer $e }]
    if {$tells ne ""} { return [no_effect $before $text $query $wanted $tells $ways] }
    return [effect $before $text $query $wanted $same $ways]
  }
}

# --- what rows speak of ---------------------------------------------------------------------------

# Notes each option of the command, and each kind of object that it is given.
proc audit::cover {text} {
  variable covered
  variable commands
  variable form
  set form kind
  set words [eval "list $text"]
  set command [lindex $words 0]
  set rows [dict get $commands $command]
  set positions [lmap row $rows { if {[string match -* [lindex $row 0]]} continue; lindex $row 0 }]
  dict set covered $command 1
  for {set i 1} {$i < [llength $words]} {incr i} {
    set word [lindex $words $i]
    set row [option_of $command $word]
    if {$row eq "" || ![string match -* $word]} {
      set option [lindex $positions 0]
      if {[llength $positions] > 1} { set positions [lrange $positions 1 end] }
    } else {
      set option $word
      if {[lindex $row 1] ne "flag"} { set word [lindex $words [incr i]] }
    }
    dict set covered "$command $option" 1
    if {[regexp {^<(.*)>$} $word all kind]} { dict set covered "$command $option $kind" 1 }
  }
  set form collection
}

# A table: the design, constraints of all rows, rows of four (command, query, answers, keys).
proc audit {design common rows} {
  variable audit::collecting
  foreach {text query expected keys} $rows {
    set text [string trim $text]
    audit::cover $text
    set command [lindex $text 0]
    dict set keys before "$common\n[expr \
      {[dict exists $keys before] ? [dict get $keys before] : ""}]"
    if {![dict exists $keys tells] && [audit::unset_of $text] ne ""} {
      dict set audit::covered "unset of $command" 1
    }
    if {$collecting} continue
    set name audit-$command-[incr audit::number($command)]
    test $name $text -body [list audit::run $design $text $query $expected $keys] -result {}
  }
}

proc audit::run {design text query expected keys} {
  variable top $design
  return [join [row $text $query $expected $keys] "\n"]
}

proc audit_finish {} { if {!$audit::collecting} { uplevel #0 tcltest::cleanupTests } }

# The slack of the worst path that a query finds: path_slack -from k1 -to r2/D.
proc path_slack {args} { return [get_property [get_timing_paths {*}$args] slack] }

# A tree of clock pins, and registers of both edges on it: r1 behind c, r2 behind c and d, the block
# h behind c and h/e.
#   r1 -> b1 -> r2 -> r3 (clk2) -> h/r and out1; r1 -> n1 (falling) -> r4; in1 -> r1
# With ideal clocks of 10 ns: r2/D 10-2-0.5 = 7.5, r3/D 8.5, h/r/D 8.5, n1/D 5-1-0.5 = 3.5, r4/D
# 3.5.
set audit_tree {
  module inner (input ck, d, output q); BUF e (.A(ck), .Z(x)); DFF r (.CK(x), .D(d), .Q(q));\
  endmodule
  module tree (input clk, clk2, in1, in2, output out1);
    BUF c (.A(clk), .Z(ck)); BUF d (.A(ck), .Z(ckb)); BUF c2 (.A(clk2), .Z(ck2));
    DFF r1 (.CK(ck), .D(in1), .Q(q1)); BUF b1 (.A(q1), .Z(w1)); DFF r2 (.CK(ckb), .D(w1), .Q(q2));
    DFF r3 (.CK(ck2), .D(q2), .Q(q3)); inner h (.ck(ck), .d(q3), .q(q5)); BUF o (.A(q3), .Z(out1));
    DFFN n1 (.CK(ck), .D(q1), .Q(p1)); DFF r4 (.CK(ck), .D(p1), .Q(q4));
  endmodule
}
set audit_tree_clocks {create_clock -name k1 -period 10 [get_ports clk]; create_clock -name k2\
  -period 10 [get_ports clk2]}

# What a report of a constraint says is required of a pin, and what it has: limit_of
# -max_capacitance out1, limit_of -min_pulse_width {r1/CK (low)}.
proc constraint_row {constraint pin} {
  with_output_to_variable text { report_constraints -all $constraint -digits 6 }
  set name [string map {( \\( ) \\) \[ \\\[ \] \\\]} $pin]
  return [lindex [regexp -all -line -inline "^$name +(\[-+0-9.e\]+ +\[-+0-9.e\]+)" $text] 1]
}
proc limit_of {constraint pin} { return [lindex [constraint_row $constraint $pin] 0] }
proc actual_of {constraint pin} { return [lindex [constraint_row $constraint $pin] 1] }
