# Evaluated at the start, before the user's own ~/.slackline.  Slackline works without it.

# Spellings of other timers; delete compat.tcl to be rid of them.
apply {{file} {
  if {[file readable $file]} { uplevel #0 [list source $file] }
}} [file join [file dirname [info script]] compat.tcl]
