# What a condition in the caller says, once it is true or some seconds have passed: for what other
# processes do.
proc soon {condition} {
  for {set i 0} {$i < 250 && ![uplevel 1 [list expr $condition]]} {incr i} { after 20 }
  return [uplevel 1 [list expr $condition]]
}
