# The example: a processor-like block in the slate library's slow corner, with parasitics.
# Run it with scripts/demo, or: slackline -exit scripts/example/demo.tcl
set here [file dirname [file normalize [info script]]]

read_liberty $here/slate_slow.lib.gz
read_verilog $here/cpu.v
link_design cpu
read_sdc $here/cpu.sdc
read_spef $here/cpu.spef.gz
update_timing

report_design
report_timing -format full_clock_expanded
report_wns
report_tns
