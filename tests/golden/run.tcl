# Runs the reference designs' own scripts and compares the tables that they write with the goldens.
#
#   slackline -exit tests/golden/run.tcl ?--small? ?--all? ?--later? ?--list? ?--sdc? ?--keep DIR?
#   ?DESIGN ...?
#
# Without names: the small and middle designs; --all: the large ones too; --later: those alone that
# wait for a feature (with names: the waiting rows of these designs).  Needs ../shared (env
# SL_SHARED); each design runs in a process of its own (env SL_PROGRAM, else this program).
# --sdc: instead of comparing with goldens, the constraints are written and read in a process of its
# own (sdc.tcl).  The last line is the sum: "golden tests: N passed, N failed, N skipped".

set here [file dirname [file normalize [info script]]]
source [file join $here compare_tables.tcl]
source [file join $here designs.tcl]

namespace eval golden {
  variable passed 0 failed 0 skipped 0
  variable program [expr {[info exists ::env(SL_PROGRAM)] ? $::env(SL_PROGRAM) : [info\
    nameofexecutable]}]
  variable shared [file normalize \
    [expr {[info exists ::env(SL_SHARED)] ? $::env(SL_SHARED) : [file join $::here .. .. ..\
      shared]}]]
  variable data $shared/data
  variable scratch ""
  variable keep ""
}

# --- results --------------------------------------------------------------------------------------

proc golden::say {state what details} {
  variable passed
  variable failed
  variable skipped
  incr $state
  puts [format "%-7s %-48s %s" $state $what $details]
  flush stdout
}

proc golden::check {what ok details {complaints {}}} {
  say [expr {$ok ? "passed" : "failed"}] $what $details
  if {!$ok} { foreach line $complaints { puts "          $line" } }
}

# Runs a script in a process of its own; `variables` are for its environment.  True when it ended
# well.
proc golden::run {what script variables args} {
  variable program
  set words {}
  foreach {name value} $variables { lappend words $name=$value }
  if {![catch {exec env {*}$words $program -quiet -no_init {*}$args -exit $script </dev/null 2>@1}\
    output]} { return 1 }
  check $what 0 "the run failed" [lrange [split $output \n] end-4 end]
  return 0
}

# --- tables ---------------------------------------------------------------------------------------

# Seconds of the unit in which a golden's end points are given.
proc golden::time_unit {folder} {
  set channel [open $folder/summary.rpt]
  set text [read $channel]
  close $channel
  if {![regexp -line {^ *time +1 *([munpf]?s)} $text all unit]} { return 1e-9 }
  return [dict get {s 1.0 ms 1e-3 us 1e-6 ns 1e-9 ps 1e-12 fs 1e-15} $unit]
}

# Plain table look-up agrees to the precision of a float; an effective capacitance within a
# picosecond or 0.75 percent.
proc golden::tolerance {calculator unit} {
  if {$calculator eq "lumped_cap"} { return [list -rel 1e-5 -abs [expr {1e-13 / $unit}]] }
  return [list -abs [expr {1e-12 / $unit}]]
}

proc golden::golden_file {folder table} {
  set name [expr {$table eq "arcs" ? "edges" : $table}]
  foreach file [list $folder/$name.tsv.gz $folder/${name}_sample.tsv.gz] {
    if {[file exists $file]} { return $file }
  }
  return ""
}

proc golden::compare_folder {what ours folder calculator options} {
  foreach table {pins endpoints arcs} {
    set file [golden_file $folder $table]
    if {$file eq ""} continue
    set unit [expr {$table eq "endpoints" ? [time_unit $folder] : 1.0}]
    set result [compare::tables $ours/$table.tsv.gz $file {*}$options \
      {*}[tolerance $calculator $unit]]
    check "$what $table" [dict get $result ok] [compare::line $result] [compare::complaints $result]
  }
}

# --- designs --------------------------------------------------------------------------------------

# The synthetic parasitics of a design, made when first asked for; "" when they cannot be.
proc golden::synthetic_spef {design name} {
  variable data
  variable scratch
  set file $scratch/$design.spef.gz
  if {[file exists $file]} { return $file }
  if {[catch {exec env OUT=$scratch sh $data/make_spef.sh $name 2>@1} output] || ![file exists\
    $file]} { return "" }
  return $file
}

# Environment of a design's runs beyond OUT and STA_CALC; "" and a skip when something is missing.
proc golden::environment {design options} {
  set variables {}
  foreach name {credit hold} {
    if {[dict exists $options $name]} {
      lappend variables GOLDEN_[string toupper $name] [dict get $options $name]
    }
  }
  if {![dict exists $options spef]} { return $variables }
  set file [synthetic_spef $design [dict get $options spef]]
  if {$file eq ""} { error "its parasitics could not be made (python3?)" }
  return [lappend variables SPEF $file]
}

proc golden::run_design {design runs options} {
  variable data
  if {[catch {environment $design $options} environment]} {
    say skipped $design $environment; return
  }
  set comparison {}
  foreach name {without need} {
    if {[dict exists $options $name]} { lappend comparison -$name [dict get $options $name] }
  }
  foreach {script goldens calculators} $runs {
    foreach calculator $calculators {
      set folder $data/designs/$design/$goldens
      set what "$design $goldens $calculator"
      set variables [concat $environment [list STA_CALC $calculator]]
      if {$calculator eq "-"} {
        set what "$design $goldens"
        set variables [concat $environment [list RC [string range $goldens 4 end]]]
      } else {
        append folder /$calculator
      }
      one_run $what $data/designs/$design/$script $variables $folder $calculator $comparison
      if {$design in {gcd1_nangate45 gcd2_nangate45 gcd3_nangate45}} {
        compare_sign_off $design $what $data/designs/$design/$script $variables
      }
    }
  }
}

proc golden::one_run {what script variables folder calculator options} {
  set ours [output_folder $what]
  if {[dict exists $variables GOLDEN_CREDIT]} {
    lappend variables GOLDEN_SCRIPT $script
    set script [file join $::here credit.tcl]
  }
  if {[run $what $script [concat $variables [list OUT $ours]]]} {
    compare_folder $what $ours $folder $calculator $options
  }
}

proc golden::output_folder {what} {
  variable scratch
  return $scratch/[string map {{ } - / -} $what]
}

# Slacks of a commercial sign-off timer: by how much (ns) they are off on average at most.
proc golden::compare_reference {design what model most} {
  variable data
  set reference $data/designs/$design/reference_endpoint_slacks.json.gz
  if {[catch {compare::reference [output_folder $what]/endpoints.tsv.gz $reference} result]} {
    check "$design sign-off slacks, $model" 0 $result
    return
  }
  lassign $result mean count
  check "$design sign-off slacks, $model" [expr {$mean <= $most}] \
    [format "%d end points, mean difference %.2f ps" $count [expr {$mean * 1e3}]]
}

# With the reference's model and with our own.
proc golden::compare_sign_off {design what script variables} {
  compare_reference $design $what ceff 0.002
  set own "$what current_source"
  lappend variables SCRIPT $script OUT [output_folder $own]
  if {[run $own [file join $::here own_model.tcl] $variables]} {
    compare_reference $design $own current_source 0.0008
  }
}

# --- TAU 2015 -------------------------------------------------------------------------------------

proc golden::lines_of {file} {
  set channel [compare::open_table $file]
  set lines [split [string trim [read $channel]] \n]
  close $channel
  return [expr {$lines eq {{}} ? {} : $lines}]
}

proc golden::agree {what result} {
  check $what [dict get $result ok] [compare::line $result] [compare::complaints $result]
}

# Pins of clock networks, one list for all of the files.
proc golden::clock_pins {args} {
  set pins {}
  foreach file $args {
    if {[file exists $file]} { lappend pins {*}[string map {"\n" { }} [join [lines_of $file]]] }
  }
  return $pins
}

# The contest's answers; tv80's belong to parasitics that are not there.
proc golden::has_answers {folder design} {
  return [expr {[file exists $folder/$design.output.gz] && [file exists $folder/$design.spef.gz]}]
}

# A design of the contest with Elmore delays: its tables without and with credit for common clock
# paths, and what the contest says.
proc golden::run_tau {design} {
  variable data
  set what "tau15 $design"
  set folder $data/tau15/$design
  set out [output_folder $what]
  set answers [has_answers $folder $design]
  if {![run $what [file join $::here tau.tcl] [list FOLDER $folder OUT $out ANSWERS $answers]]} \
    return
  set skip [clock_pins $out/clock_pins]
  agree "$what no credit" [compare::tau $out/nocppr/pins.tsv.gz $folder/pins.nocppr.tsv.gz $skip]
  agree "$what credit" [compare::tau $out/cppr/pins.tsv.gz $folder/pins.cppr.tsv.gz $skip]
  set tests [lrange [lines_of $folder/pins.cppr.tsv.tests.gz] 1 end]
  if {[llength $tests]} { agree "$what checks" [compare::checks [lines_of $out/checks] $tests] }
  foreach side {late early} {
    set worst [lines_of $folder/paths1000.$side.tsv.gz]
    set ours [lines_of $out/paths.$side]
    if {[llength $worst] || [llength $ours]} {
      agree "$what paths $side" [compare::paths $ours $worst 1000]
    }
  }
  if {!$answers} return
  set skip [clock_pins $out/clock_pins $out/clock_pins.edited]
  set ours [lines_of $out/answers]
  set golden [lines_of $folder/$design.output.gz]
  agree "$what answers" [compare::answers $ours $golden [lines_of $folder/$design.ops.gz] $skip]
  if {[lsearch -glob $golden {Path *}] >= 0} {
    agree "$what worst paths" [compare::worst_paths $ours $golden]
  }
}

# --- the same bytes with another number of threads ------------------------------------------------

proc golden::same_bytes {a b} {
  if {[file size $a] != [file size $b]} { return 0 }
  set texts {}
  foreach file [list $a $b] {
    set channel [open $file rb]
    lappend texts [read $channel]
    close $channel
  }
  return [string equal {*}$texts]
}

proc golden::compare_threads {design} {
  variable data
  foreach threads {1 2 3 16} {
    set what "$design 1 and $threads threads"
    set out($threads) [output_folder "$design threads $threads"]
    set variables [list OUT $out($threads) STA_CALC dmp_ceff_elmore]
    if {![run $what $data/designs/$design/run.tcl $variables -threads $threads]} return
    set other {}
    foreach table {pins endpoints arcs} {
      if {![same_bytes $out(1)/$table.tsv.gz $out($threads)/$table.tsv.gz]} { lappend other $table }
    }
    if {$threads == 1} continue
    check $what [expr {![llength $other]}] \
      [expr {[llength $other] ? "other bytes in $other" : "the same bytes"}]
  }
}

# --- which ----------------------------------------------------------------------------------------

# Names pick designs of any size, but those that wait are apart: with --later and only then.
proc golden::wanted {name size sizes names} {
  if {($size eq "later") != ($sizes eq "later")} { return 0 }
  if {[llength $names]} { return [expr {$name in $names}] }
  return [expr {$size in $sizes}]
}

proc golden::main {arguments} {
  variable passed
  variable failed
  variable skipped
  variable data
  variable scratch
  set sizes {small middle}
  set names {}
  set kept ""
  set sdc 0
  while {[llength $arguments]} {
    set arguments [lassign $arguments word]
    switch -- $word {
      --all { lappend sizes large }
      --small { set sizes small }
      --later { set sizes later }
      --keep { set arguments [lassign $arguments kept] }
      --sdc { set sdc 1 }
      --list {
        foreach {design size runs options} $::golden_designs { puts "$design $size" }; return 0
      }
      default { lappend names $word }
    }
  }
  if {![file isdirectory $data]} { puts "skipped: no ../shared"; return 77 }
  set scratch [expr {$kept ne "" ? [file normalize $kept] : [scratch_folder]}]
  file mkdir $scratch
  foreach {design size runs options} $::golden_designs {
    if {[wanted $design $size $sizes $names]} {
      [expr {$sdc ? "sdc_design" : "run_design"}] $design $runs $options
    }
  }
  foreach {size designs} $::tau_designs {
    foreach design $designs {
      if {[wanted tau15/$design $size $sizes $names]} {
        [expr {$sdc ? "sdc_tau" : "run_tau"}] $design
      }
    }
  }
  if {$sdc} { return [finish $kept] }
  foreach {design size} {gcd_sky130hd small aes_nangate45 middle} {
    if {[wanted threads/$design $size $sizes $names]} { compare_threads $design }
  }
  return [finish $kept]
}

proc golden::finish {kept} {
  variable passed
  variable failed
  variable skipped
  variable scratch
  if {$kept eq ""} { file delete -force $scratch }
  puts "golden tests: $passed passed, $failed failed, $skipped skipped"
  return [expr {$failed > 0}]
}

proc golden::scratch_folder {} {
  set top [expr {[info exists ::env(TMPDIR)] ? $::env(TMPDIR) : "/tmp"}]
  return [string trim [exec mktemp -d $top/slackline_golden.XXXXXX]]
}

source [file join $here sdc.tcl]
exit [golden::main $argv]
