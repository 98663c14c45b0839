# A reference design with our own delay model, in a process of its own.
#
#   env SCRIPT=.../run.tcl OUT=... slackline -exit tests/golden/own_model.tcl
#
# The design's script reads the design and writes tables with the reference's model.  Those of
# current_source then replace them in OUT.
source $env(SCRIPT)
set_delay_model current_source
write_timing_tables $env(OUT)
