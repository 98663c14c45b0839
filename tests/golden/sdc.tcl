# run.tcl --sdc: what write_sdc writes of a design's constraints, read by another process that has
# the libraries, the netlist and the parasitics alone, gives the same bytes in every table and,
# written again, the same text.

proc golden::sdc_sessions {what script variables} {
  append what " sdc"
  foreach side {written read} { set out($side) [output_folder "$what $side"] }
  set session [file join $::here sdc_session.tcl]
  lappend variables SCRIPT $script
  if {![run $what $session [concat $variables [list OUT $out(written)]]]} return
  if {![run $what $session [concat $variables [list OUT $out(read) FROM $out(written)]]]} return
  set other {}
  set lines 0
  foreach file [lsort [glob -directory $out(written) -tails *.sdc *.tsv.gz */*.tsv.gz]] {
    if {![file exists $out(read)/$file] || ![same_bytes $out(written)/$file $out(read)/$file]} {
      lappend other $file
    }
    if {[string match *.sdc $file]} { incr lines [llength [lines_of $out(written)/$file]] }
  }
  check $what [expr {![llength $other]}] \
    [expr {[llength $other] ? "other bytes in $other" : "the same bytes ($lines lines)"}]
  foreach side {written read} { file delete -force $out($side) }
}

# One calculator is enough: the tables are this program's own.
proc golden::sdc_design {design runs options} {
  variable data
  if {[catch {environment $design $options} environment]} {
    say skipped $design $environment; return
  }
  foreach {script goldens calculators} $runs {
    set calculator [lindex $calculators 0]
    set variables [concat $environment \
      [expr {$calculator eq "-" ? [list RC [string range $goldens 4 end]] : [list STA_CALC\
        $calculator]}]]
    sdc_sessions "$design $goldens" $data/designs/$design/$script $variables
  }
}

proc golden::sdc_tau {design} {
  variable data
  sdc_sessions "tau15 $design" [file join $::here tau.tcl] \
    [list FOLDER $data/tau15/$design ANSWERS 0]
}
