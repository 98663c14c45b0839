# Runs a reference design's script (env GOLDEN_SCRIPT) with options of common path credit (env
# GOLDEN_CREDIT); with env GOLDEN_HOLD "ports" registers' hold checks do not count.
set_common_path_credit {*}$env(GOLDEN_CREDIT) on
if {[info exists env(GOLDEN_HOLD)]} {
  rename write_timing_tables write_all_tables
  proc write_timing_tables {folder} {
    set_false_path -hold -to [all_registers -data_pins]
    write_all_tables $folder
  }
}
source $env(GOLDEN_SCRIPT)
