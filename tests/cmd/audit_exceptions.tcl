# Where exceptions hold (sourced by audit_exceptions_*.test): each option that names points of
# paths, with each kind of object, in each command that has it.  Ends have one path each, so an
# exception holds at an end or does not:
#   r1 -> b1 -> r2 and r5 behind the block h on k1; r3 -> b2 -> r4 on k2; n1 -> b3 -> n2 with
#   falling edges of k1; in1 -> r1; in2 -> b4 -> out2; in3 -> h/i -> h/r; r2 -> out1; in4 -> k/r.
#   Ports have delays of 0. g/r -> n3 and itself, with falling edges of k1.
source [file join [file dirname [file normalize [info script]]] audit_design.tcl]

read_verilog [text_file exc.v {
  module block (input ck, d, output q);
    BUF i (.A(d), .Z(x)); DFF r (.CK(ck), .D(x), .Q(y)); BUF o (.A(y), .Z(q));
  endmodule
  module last (input ck, d); DFF r (.CK(ck), .D(d)); endmodule
  module falling (input ck, output q); DFFN r (.CK(ck), .D(q), .Q(q)); endmodule
  module exc (input clk, clk2, in1, in2, in3, in4, output out1, out2);
    DFF r1 (.CK(clk), .D(in1), .Q(q1)); BUF b1 (.A(q1), .Z(w1)); DFF r2 (.CK(clk), .D(w1),\
    .Q(out1));
    DFF r3 (.CK(clk2), .D(q4), .Q(q3)); BUF b2 (.A(q3), .Z(w2)); DFF r4 (.CK(clk2), .D(w2), .Q(q4));
    DFFN n1 (.CK(clk), .D(q5), .Q(q5)); BUF b3 (.A(q5), .Z(w3)); DFFN n2 (.CK(clk), .D(w3));
    BUF b4 (.A(in2), .Z(out2));
    block h (.ck(clk), .d(in3), .q(w5)); DFF r5 (.CK(clk), .D(w5)); last k (.ck(clk), .d(in4));
    falling g (.ck(clk), .q(w7)); DFFN n3 (.CK(clk), .D(w7));
  endmodule
}]
set exc_clocks {
  create_clock -name k1 -period 10 [get_ports clk]
  create_clock -name k2 -period 10 [get_ports clk2]
  set_input_delay -clock k1 0 [get_ports {in1 in2 in3 in4}]
  set_output_delay -clock k1 0 [get_ports {out1 out2}]
}

# Each end: data's arrival behind the launching edge, setup and hold of the end.
set exc_ends {r2/D {2 0.5 0.25} r4/D {2 0.5 0.25} n2/D {2 0.5 0.25} r5/D {2 0.5 0.25} h/r/D\
  {1 0.5 0.25}
              r1/D {0 0.5 0.25} out1 {1 0 0} out2 {1 0 0} r3/D {1 0.5 0.25} n1/D {1 0.5 0.25}
              k/r/D {0 0.5 0.25} n3/D {1 0.5 0.25} g/r/D {1 0.5 0.25}}

# Point: option, kind, name, ends (with an edge where it is only one).
set exc_points {
  -from clock k2 {r4/D r3/D}             -from port in2 out2            -from pin r1/CK\
  r2/D         -from cell r1 r2/D
  -rise_from clock k2 {r4/D r3/D}        -rise_from port in2 out2:rise  -rise_from pin r1/CK\
  r2/D    -rise_from cell r1 r2/D
  -fall_from clock k1 {n2/D n1/D n3/D g/r/D} -fall_from port in2 out2:fall  -fall_from pin n1/CK\
  {n2/D n1/D} -fall_from cell n1 {n2/D n1/D}
  -to clock k2 {r4/D r3/D}               -to port out2 out2             -to pin r2/D\
  r2/D            -to cell r2 r2/D
  -rise_to clock k2 {r4/D r3/D}          -rise_to port out2 out2:rise   -rise_to pin r2/D\
  r2/D:rise  -rise_to cell r2 r2/D:rise
  -fall_to clock k1 {n2/D n1/D n3/D g/r/D}          -fall_to port out2 out2:fall   -fall_to pin\
  r2/D r2/D:fall  -fall_to cell r2 r2/D:fall
  -through port in2 out2                 -through pin b1/A r2/D         -through hpin h/d\
  h/r/D      -through hpin h/q r5/D
  -through cell b1 r2/D                  -through hcell h {h/r/D r5/D}  -through net w1\
  r2/D         -through port out1 out1
  -rise_through port in2 out2:rise       -rise_through pin b1/A r2/D:rise -rise_through hpin h/q\
  r5/D:rise
  -rise_through cell b1 r2/D:rise        -rise_through hcell h {h/r/D:rise r5/D:rise} -rise_through\
  net w1 r2/D:rise
  -fall_through port in2 out2:fall       -fall_through pin b1/A r2/D:fall -fall_through hpin h/q\
  r5/D:fall
  -fall_through cell b1 r2/D:fall        -fall_through hcell h {h/r/D:fall r5/D:fall} -fall_through\
  net w1 r2/D:fall
}
# Hierarchical starts and ends: the pins behind a pin, the starts and ends inside a cell.
set exc_hierarchical {
  -from hpin h/ck r5/D                   -from hcell h r5/D             -rise_from hpin h/ck\
  r5/D    -rise_from hcell h r5/D
  -fall_from hpin g/ck {n3/D g/r/D}      -fall_from hcell g {n3/D g/r/D}
  -to hpin k/d k/r/D                     -to hcell h h/r/D              -rise_to hpin k/d\
  k/r/D:rise -rise_to hcell h h/r/D:rise
  -fall_to hpin k/d k/r/D:fall           -fall_to hcell h h/r/D:fall
}

proc exc_query {} {
  global exc_ends
  set query {}
  foreach end [dict keys $exc_ends] {
    lappend query $end:max_rise $end:max_fall $end:min_rise $end:min_fall
  }
  return $query
}

# The answers where an exception turns the slacks of its ends into those of an expression: of a
# (arrival), s (setup), h (hold); late and early apart.
proc exc_answers {hits late early} {
  global exc_ends
  set answers {}
  dict for {end values} $exc_ends {
    lassign $values a s h
    foreach {side normal changed} [list max {10-$a-$s} $late min {$a-$h} $early] {
      foreach edge {rise fall} {
        set hit [expr {$end in $hits || "$end:$edge" in $hits}]
        lappend answers [subst [expr {$hit ? $changed : $normal}]]
      }
    }
  }
  return $answers
}

# All points with a command: its words with POINT for the point, and what it does to late and early
# slacks.
proc exc_audit {command late early args} {
  global exc_points exc_hierarchical exc_clocks
  set rows {}
  foreach {option kind name hits} [concat $exc_points $exc_hierarchical] {
    set point "$option \[o $kind $name\]"
    set keys [string map [list POINT $point] $args]
    if {$kind eq "hcell" && [regexp {^set_(max|min)_delay} $command] && ![string match *through\
      $option]} {
      set hits {}
      lappend keys tells SDC-129
    }
    lappend rows [string map [list POINT $point] $command] [exc_query] \
      [exc_answers $hits $late $early] $keys
  }
  audit exc $exc_clocks $rows
}
