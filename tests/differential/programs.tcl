# Running the two programs over folders of cases, and reading their answers.
#
# An answer is a dictionary: state (done, crashed or failed), rejected (lines of constraints with
# messages), and ends: "side group pin" -> {edge slack launch capture pins}.  Ours has also: the
# same for more paths, lists of these.

namespace eval programs {
  variable here [file dirname [file normalize [info script]]]
  # Words of the command lines, without the script.
  variable command
  variable scratch
  # Words before the cases: what is read, and variables.
  variable libraries
  variable cppr 0
  # Of -paths and -edits, beside cpu.
  variable engine emulated
  # Whether the program also writes its tables into the folder of each case.
  variable tables 0
  # Whether answers have the terms of ends.
  variable terms 0
  variable seconds 20
}

# ours, peer: programs; scratch: a folder for scripts; libraries: {early late}, or one.
proc programs::setup {ours peer folder libs} {
  variable command
  variable scratch $folder
  variable libraries $libs
  set command(ours) [list $ours -quiet -no_init -threads 1 -exit]
  set command(peer) [list $peer -no_splash -no_init -exit]
}

proc programs::script {who cases} {
  variable here
  variable libraries
  variable cppr
  set text "fconfigure stdout -buffering line\n"
  foreach library $libraries side [expr {[llength $libraries] > 1 ? {-min -max} : {{}}}] {
    append text "read_liberty $side $library\n"
  }
  append text "set sta_crpr_enabled $cppr\n"
  foreach file [list answer $who] { append text "source [file join $here $file.tcl]\n" }
  variable tables
  variable terms
  append text "set answer::tables $tables\nset answer::terms $terms\n"
  foreach case $cases {
    append text "if {\[catch {answer::case [list $case] answer::prepare answer::ends} message\]} {\
      puts \"=failed \$message\" }\n"
  }
  return $text
}

# Cases that are scenarios of one session: folders are named .mMcC, constraints M in the corner of
# library C.
proc programs::script_scenarios {cases} {
  variable here
  variable libraries
  variable cppr
  variable tables
  set text "fconfigure stdout -buffering line\n"
  foreach library $libraries { append text "read_liberty $library\n" }
  append text "set sta_crpr_enabled $cppr\n"
  foreach file {answer ours} { append text "source [file join $here $file.tcl]\n" }
  append text "set answer::tables $tables\nanswer::scenarios [list $cases] [list $libraries]\n"
  return $text
}

# The program's output for these cases; a crash ends it early.
proc programs::output {who cases} {
  variable command
  variable scratch
  variable seconds
  set file $scratch/$who.[pid].tcl
  variable libraries
  set program $who
  if {$who eq "scenarios"} {
    set text [script_scenarios $cases]
    set program ours
  } elseif {[string is integer $who]} {
    # A session with one of the libraries.
    set all $libraries
    set libraries [list [lindex $all $who]]
    set text [script ours $cases]
    set libraries $all
    set program ours
  } else {
    set text [script $who $cases]
  }
  write $file $text
  catch {
    exec timeout [expr {$seconds + [llength $cases]}] {*}$command($program) $file </dev/null 2>@1
  } text
  return $text
}

# What this program says of cases, with an engine: files of this folder are sourced, then settings
# are made, then a procedure is called for each case; setting: of the kernels.
proc programs::ours_output {engine files settings procedure folders {setting {}}} {
  variable command
  variable scratch
  variable seconds
  variable here
  variable libraries
  variable cppr
  set text "fconfigure stdout -buffering line\nread_liberty [lindex $libraries 0]\nset\
    sta_crpr_enabled $cppr\n"
  foreach file $files { append text "source [list [file join $here $file.tcl]]\n" }
  append text "$settings\n"
  foreach folder $folders {
    append text "if {\[catch {$procedure [list $folder]} message\]} { puts \"=failed \$message\"\
      }\n"
  }
  set file $scratch/ours.[pid].tcl
  write $file $text
  set kernels [expr {$setting eq "" ? {} : [list env SLACKLINE_EMULATED=$setting\
    SLACKLINE_CUDA=$setting]}]
  catch {
    exec {*}$kernels timeout [expr {$seconds + 10 * [llength $folders]}] {*}$command(ours) -engine \
      $engine $file </dev/null 2>@1
  } out
  return $out
}

# Of the queries of cases.
proc programs::path_output {engine folders withTables} {
  set settings "set answer::tables $withTables"
  # The kernels search whenever more than one path an end is asked for.
  if {$engine ne "cpu"} {
    append settings "\nset_engine_option least_paths 1\nset_engine_option least_pins 0"
  }
  return [ours_output $engine {answer ours answer_paths} $settings answer::path_case $folders]
}

# Of swaps in cases, with a setting of the kernels.
proc programs::edits_output {engine whole setting folders} {
  return [ours_output $engine {random answer ours answer_edits} \
    "set answer::whole $whole\nset_engine_option least_pins 0" answer::edits_case $folders $setting]
}

proc programs::write {file text} {
  set channel [open $file w]
  puts -nonewline $channel $text
  close $channel
}

# case -> answer for all cases; after a crash the rest goes to another process.
proc programs::answers {who cases} {
  set all {}
  while {[llength $cases]} {
    set answers [parse [output $who [together $who $cases]]]
    set all [dict merge $all $answers]
    set cases [lmap case $cases { if {[dict exists $answers $case]} continue; set case }]
    if {![dict size $answers]} {
      error "$who does not run: [string range [output $who $cases] end-400 end]"
    }
  }
  return $all
}

# The first of some cases that go to one process.  The peer's arrivals behind latches depend on what
# it did before: such a case is alone.
proc programs::together {who cases} {
  if {$who ne "peer"} { return $cases }
  set some {}
  foreach case $cases {
    if {[has_latch $case]} { return [expr {[llength $some] ? $some : [list $case]}] }
    lappend some $case
  }
  return $some
}

proc programs::has_latch {folder} {
  set channel [open $folder/design.v]
  set text [read $channel]
  close $channel
  return [regexp {\mlatch_\d\w } $text]
}

proc programs::parse {text} {
  set answers {}
  foreach line [split $text \n] {
    if {[string index $line 0] ne "="} continue
    set rest [string trim [regsub {^=\w+} $line ""]]
    switch -glob $line {
      "=case *" {
        set case $rest
        dict set answers $case {state crashed rejected {} ends {}}
      }
      "=rejected *" {
        set number [lindex [split $rest] 0]
        dict set answers $case rejected $number [string range $rest [string length $number]+1 end]
      }
      "=failed *" { dict set answers $case state "failed: $rest" }
      "=done*" { dict set answers $case state done }
      "=end *" {
        lassign $rest side group pin edge slack launch capture pins terms
        set end [list $edge $slack $launch $capture $pins]
        if {[llength $terms]} { lappend end $terms }
        dict set answers $case ends [list $side $group $pin] $end
      }
      "=also *" {
        lassign $rest side group pin edge slack launch capture pins
        set place [list $case also [list $side $group $pin] $edge/$pins]
        if {![dict exists $answers {*}$place]} { dict set answers {*}$place $slack }
      }
    }
  }
  return $answers
}
