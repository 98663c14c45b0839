# The cases of spef_audit.test: see there.
namespace eval audit {

# --- header ---------------------------------------------------------------------------------------
row *SPEF {1 {SPEF-001 1}} "<<*SPEF \"IEEE 1481-1998\"||  >>*T_UNIT 1 NS *C_UNIT 1 PF *R_UNIT 1\
  OHM\n%n%"
foreach version {1481-1999 1481-2009} {
  row *SPEF {1 1} "*SPEF \"IEEE <<$version||1481-1998>>\" *T_UNIT 1 NS *C_UNIT 1 PF *R_UNIT 1\
    OHM\n%n%"
}
foreach keyword {*DESIGN *DATE *VENDOR *PROGRAM *VERSION} {
  row $keyword {{1 1} {1 0}} "*SPEF \"IEEE\" *T_UNIT 1 NS *C_UNIT 1 PF *R_UNIT 1 OHM <<$keyword\
    \"x\">>\n%n%" [format {list [wire] [unused {%s}]} $keyword]
}
row *DATE {{SPEF-007 2} 1} "<<*DATE *VENDOR>>\n%n%"
# PIN_CAP: what the file has holds pins of 0.02, 0.1 and 0.1
foreach {word answer} {NONE 1 INPUT_ONLY 0.8 input_only 0.8} {
  row "*DESIGN_FLOW PIN_CAP" [list $answer 1] \
    "*DESIGN_FLOW \"COUPLING C\" <<\"PIN_CAP $word\">> \"NAME_SCOPE LOCAL\"\n%n%"
}
# the Elmore model leaves the driver's own pin out; what the file holds of it is no wire all the
# same, but for wires given
foreach model [delay_models] {
  row "*DESIGN_FLOW PIN_CAP" {0.78 1} "*DESIGN_FLOW \"PIN_CAP <<INPUT_OUTPUT||NONE>>\"\n%n%" \
    "set_delay_model $model; wire"
}
row "*DESIGN_FLOW PIN_CAP" {0.4 0.4} "*DESIGN_FLOW \"PIN_CAP <<INPUT_OUTPUT||NONE>>\"\n%n%" \
  {set_load 0.4 [get_nets n]; wire}
row "*DESIGN_FLOW PIN_CAP" {{1 0.78} {1.2 1}} \
  "*DESIGN_FLOW \"PIN_CAP <<INPUT_OUTPUT||NONE>>\"\n%n%" {
  with_output_to_variable text {report_net -connections n}
  list [::plain [get_property [get_nets n] total_capacitance]] [wire]
}
row "*DESIGN_FLOW PIN_CAP" {2 {}} "*DESIGN_FLOW \"PIN_CAP <<SOME||NONE>>\"\n%n%" {lines SPEF-037}
# the words that say nothing of the numbers
foreach word {{COUPLING C} {EXTERNAL_LOADS} {EXTERNAL_SLEWS} {FULL_CONNECTIVITY} {ISMISSING_NETS}\
  {NETLIST_TYPE VERILOG} {ROUTING_CONFIDENCE 50}
    {NAME_SCOPE LOCAL} {SLEW_THRESHOLDS 20 80} PIN_CAPS} {
  row "*DESIGN_FLOW" {{1 1} {1 0}} "*DESIGN_FLOW <<\"$word\">> \"PIN_CAP NONE\"\n%n%" \
    {list [wire] [unused "*DESIGN_FLOW (but PIN_CAP)"]}
}
# names of the block: b.x, c.Z
foreach {divider delimiter} {. : : / . / : .} {
  row "*DIVIDER $divider *DELIMITER $delimiter" {{0.5 0.6} {SPEF-009 {}}} \
    [string map [list ^ $divider ~ $delimiter] \
    "*DIVIDER <<^||[expr {$divider in {/ |} ? "." : "/"}]>> *DELIMITER ~\n*D_NET b^x 0.5\n*CONN\n*I\
    b^c~Z O\n*I b^c2~A I\n*CAP\n1 b^c2~A 0.5\n*RES\n1 b^c~Z b^c2~A 1\n*END"] \
    {list [wire b/x] [between b/c/Z b/c2/A]}
}
row *DELIMITER {{0.4 1.4} {SPEF-010 {}}} \
  [string map {d:Z d|Z n1:A n1|A n2:A n2|A} "<<*DELIMITER ||//>>|\n$n"] delays
row *DIVIDER {{SPEF-007 2} 1} "<<*DIVIDER x>>\n%n%"
row *DELIMITER {{SPEF-007 2} 1} "<<*DELIMITER ,>>\n%n%"
# bits of a bus: w[0]
foreach {with name} {"\[ \]" w[0] "\[\]" w[0] "< >" w<0> <> w<0> "( )" w(0) "{ }" w{0} : w:0 .\
  w.0} {
  row "*BUS_DELIMITER $with" {0.5 0.5} \
    "*BUS_DELIMITER <<$with||\[ \]>>\n*D_NET <<$name||w\[0\]>> 0.5\n*CONN\n*I x:Z O\n*I\
    y\\\[1\\\]:A I\n*END" {wire w[0]}
}
row *BUS_DELIMITER {0.5 {SPEF-009 {}}} \
  "*BUS_DELIMITER <<< >||( )>>\n*D_NET w<0> 0.5\n*CONN\n*I x:Z O\n*END" {wire w[0]}
# scaled by the unit and its factor
foreach {unit answer} {"1 PF" 1 "10 FF" 0.01 "1 pf" 1 "1 ff" 0.001 "2.5 PF" 2.5 "1000 FF" 1 "1e-3\
  NF" 1 "1 aF" 1e-06 "1e-6 uF" 1 "1E-12 F" 1} {
  row "*C_UNIT $unit" [list $answer 3] "*C_UNIT <<$unit||3 PF>>\n%n%"
}
foreach {unit answer} {"1 KOHM" {0.4 1.4} "10 OHM" {0.004 0.014} "1 ohm" {0.0004 0.0014} "1 kohm"\
  {0.4 1.4} "0.5 KOHM" {0.2 0.7} "1 MOHM" {400 1400}} {
  row "*R_UNIT $unit" [list $answer {1.2 4.2}] "*R_UNIT <<$unit||3 KOHM>>\n%n%" delays
}
foreach {unit answer} {"1 NS" {0.4 1.4} "10 PS" {0.004 0.014} "1 ps" {0.0004 0.0014} "0.001 US"\
  {0.4 1.4} "1000 FS" {0.0004 0.0014} "1e-9 S" {0.4 1.4} "1e-6 MS" {0.4 1.4}} {
  row "*T_UNIT $unit" [list $answer {1.2 4.2}] "*T_UNIT <<$unit||3 NS>>\n%r%" delays
}
foreach unit {"1 HENRY" "1 MH" "2 uh" "1 NH" "1 PH"} {
  row "*L_UNIT $unit" {{1 2} {1 1}} "<<*L_UNIT $unit>>\n%n%" {list [wire] [unused *L_UNIT]}
}
foreach keyword {*T_UNIT *C_UNIT *R_UNIT *L_UNIT} {
  row $keyword {{SPEF-007 2} {SPEF-007 2}} "$keyword <<1 VOLT||PF>>\n%n%"
}
foreach keyword {*T_UNIT *C_UNIT *R_UNIT} {
  row $keyword {file {}} "*SPEF \"IEEE\"\
    [regsub "(\\$keyword 1 \\S+)" {*T_UNIT 1 NS *C_UNIT 1 PF *R_UNIT 1 OHM} {<<||\1>>}]\n%n%" \
    {lines SPEF-029}
}

# --- names ----------------------------------------------------------------------------------------
row *NAME_MAP {{1 {0.4 1.4}} {SPEF-009 {}}} \
  "<<*NAME_MAP ||// >>*1 n *2 d *3 n1 *4\
  n2\n[string map {{d:} *2: n1: *3: n2: *4: {D_NET n} {D_NET *1}} $n]" {list [wire] [delays]}
# index at the front of a longer name: a bit, a path, a node
row "index prefix" {0.5 0.5} "*NAME_MAP *1 w\n*D_NET <<*1||w>>\[0\] 0.5\n*CONN\n*I x:Z O\n*END" \
  {wire w[0]}
row "index prefix" {{0.5 0.6} {0.5 0.6}} \
  "*NAME_MAP *1 b\n*D_NET <<*1||b>>/x 0.5\n*CONN\n*I <<*1||b>>/c:Z O\n*I b/c2:A I\n*CAP\n1 b/c2:A\
  0.5\n*RES\n1 <<*1||b>>/c:Z <<*1||b>>/c2:A 1\n*END" {list [wire b/x] [between b/c/Z b/c2/A]}
# an index behind a divider
row "index within" {{0.5 0.6} {0.5 0.6}} \
  "*NAME_MAP *1 b *2 x *3 c *4 c2\n*D_NET <<*1/*2||b/x>> 0.5\n*CONN\n*I *1/<<*3||c>>:Z O\n*I\
  *1/<<*4||c2>>:A I\n*CAP\n1 *1/c2:A 0.5\n*RES\n1 *1/c:Z *1/c2:A 1\n*END" \
  {list [wire b/x] [between b/c/Z b/c2/A]}
# nodes of the net by index and by name are one: n:1 lies between, 0.5 + 0.5 to n1: 1 (0.3 + 0.1)
row "index and name" {{0.4 1.4} {0.4 1.4}} \
  "*NAME_MAP *1 n\n*D_NET n 1\n%conn%\n%cap%\n*RES\n1 d:Z n:1 0.5\n2 <<*1||n>>:1 n1:A 0.5\n3 d:Z\
  n2:A 2\n*END" delays
row "unknown index" {3 {}} "*NAME_MAP *1 n *D_NET t 1 *END\n*D_NET *<<7||1>>\
  1\n%conn%\n%cap%\n%res%\n*END" {lines SPEF-021}
row "index twice" {{2 0.3} {{} 1}} "*NAME_MAP *1 n <<*1 t>>\n*D_NET *1 <<0.3||1>>\n*END" \
  {list [lines SPEF-032] [wire [expr {<<1||0>> ? "t" : "n"}]]}
row "unknown index" {5 {}} "*NAME_MAP *1 n1\n*D_NET n 1\n*CONN\n*I d:Z O *I n2:A I *I *<<7||1>>:A\
  I\n*END" {lines SPEF-021}
# with the divider . an escaped one is part of a name, and / is a character
row "escaped divider" {{0.5 0.6} {0.5 0.6}} \
  "*DIVIDER <<.||/>>\n*D_NET <<esc\\.net||esc.net>> 0.5\n*CONN\n*I <<y\[1\]||y\\\[1\\\]>>:Z O\n*I\
  y2:A I\n*CAP\n1 y2:A 0.5\n*RES\n1 <<y\\\[1\\\]||y\[1\]>>:Z y2:A 1\n*END" \
  {list [wire esc.net] [between y\[1\]/Z y2/A]}
row "escaped divider" {0.5 0.5} \
  "*DIVIDER <<.||/>>\n*D_NET s<</||\\/>>l 0.5\n*CONN\n*I y2:Z O\n*END" {wire {s/l}}
row "escaped bit" {0.5 0.5} \
  "*BUS_DELIMITER < >\n*D_NET <<w<0>||w\\\[0\\\]>> 0.5\n*CONN\n*I x:Z O\n*END" {wire {w[0]}}
row "unknown net" {{2 1} {{} 1}} "%n%\n<<*D_NET gone 1 *END>>" \
  {list [lmap l [lines SPEF-020] { expr {$l - 13} }] [wire]}
row "net of a cell's pin" {{6 {0.4 0}} {{} {0.4 1.4}}} [string map {n2:A <<t3||n2>>:A} $n] \
  {list [lines SPEF-023] [delays]}

# --- words ----------------------------------------------------------------------------------------
row "comment //" {0.7 1} "*D_NET n 1\n*CAP\n1 d:Z 0.7\n<<//>> 2 d:Z 0.3\n*END"
row "comment /* */" {0.7 1} "*D_NET n 1\n*CAP\n1 d:Z 0.7\n<</*>> 2 d:Z 0.3\n// */\n*END"
row "comment over lines" {{SPEF-007 6} {SPEF-007 6}} \
  "*D_NET n 1\n<</* x\n *RES */||\n>>\n*CAP\n<<1 d:Z oops||1 d:Z oops>>\n*END" wire
row CRLF {{1 {0.4 1.4}} {1 {0.4 1.4}}} "<<[string map {\n \r\n} $n]||$n>>" {list [wire] [delays]}
row "no newline" {1 1} "<<[string map {\n { }} $n]||$n>>"

# --- lists of names -------------------------------------------------------------------------------
foreach list {*POWER_NETS *GROUND_NETS} {
  row $list {{1 1} {1 0}} "<<$list VDD VSS>>\n%n%" "list \[wire] \[unused $list]"
  # What couples to a supply net is to ground, whatever the factor for nets that switch: 0.1 + 0.5 +
  # 2 * 0.3, else 0.1 + 2 * 0.8
  row "$list and coupling" {1.2 1.7} \
    "*NAME_MAP *9 VSS\n<<$list VDD *9>>\n*D_NET n 0.9\n%conn%\n*CAP\n1 d:Z 0.1\n2 d:Z *9:3 0.2\n3\
    n1:A VSS:4 0.2\n4 VDD n2:A 0.1\n5 n2:A t3:A 0.3\n*END" \
    wire {-coupling_reduction_factor 2}
}
row *PORTS {{1 1 1 2 1 1} {1 0 0 0 0 0}} \
  "<<*PORTS a I *C 1 2 *S 0.1 0.2 0.8 *D BUFC o O *C 3 4>>\n%n%" \
  {list [wire] [unused *PORTS] [unused {*S (slew of a pin)}] [unused {*C (coordinates)}] [unused\
    {*D (cell of a pin)}] [expr {[unused *PORTS] ? 1 : 0}]}
# o is driven by n1
row "*PORTS *L" {0.25 0} "*PORTS a I *C 1 2 o O <<*L 0.25>> p O *D BUFC\n%n%" outside
row "*PORTS *L" {0.25 0.25} "*NAME_MAP *5 o *PORTS <<*5||o>> O *C 3 4 *L 0.25 *S 1 1\n%n%" outside
row "*PORTS *L" {0.025 0.25} "*C_UNIT <<100 FF||1 PF>> *PORTS o O *L 0.25\n%n%" outside
row "*PORTS *L of an unknown port" {3 {}} "*PORTS a I\n<<gone||o>> O *L 0.25\n%n%" {lines SPEF-052}
row "*PORTS unknown port" {{} {}} "*PORTS a I\n<<gone||o>> O *C 1 2\n%n%" told
row *PHYSICAL_PORTS {{1 1 {}} {1 0 {}}} "<<*PHYSICAL_PORTS VDD B *C 1 2 *L 0.3>>\n%n%" \
  {list [wire] [unused *PHYSICAL_PORTS] [told]}
foreach definition {"*DEFINE b blk" "*PDEFINE pb blk"} {
  row $definition {{1 2} {1 {}}} "<<$definition>>\n%n%" {list [wire] [lines SPEF-030]}
}
row *VARIATION_PARAMETERS {{1 2} {1 {}}} "<<*VARIATION_PARAMETERS 1 field_oxide_T 0.1>>\n%n%" \
  {list [wire] [lines SPEF-030]}
row "unknown keyword" {{1 2} {1 {}}} "<<*STRANGE x y>>\n%n%" {list [wire] [lines SPEF-033]}
row "lower-case keyword" {{SPEF-009 {}} 1} \
  "<<*d_net t||*D_NET n>> 1 *CAP 1 d:Z 1 *END<< *D_NET gone 1 *END>>" wire

# --- nets -----------------------------------------------------------------------------------------
row *D_NET {{1 {0.4 1.4}} {0 {0 0}}} "<<%n%||*D_NET t 0.1 *END>>" {list [wire] [delays]}
row "*D_NET total" {0.7 0.3} "*D_NET n <<0.7||0.3>>\n%conn%\n*END"
# at the driver
row "*D_NET total" {{0.7 {0.1 0.2}} {0.3 {0.1 0.2}}} "*D_NET n <<0.7||0.3>>\n%conn%\n%res%\n*END" \
  {list [wire] [delays]}
row "*D_NET total, empty *CAP" {0.7 0.3} "*D_NET n <<0.7||0.3>>\n%conn%\n*CAP\n*END"
# capacitors count; another total is told
row "*D_NET total with *CAP" {{1 3} {1 {}}} \
  "*D_NET t 0.1 *END\n*D_NET n <<1.1||1.009>>\n%conn%\n%cap%\n%res%\n*END" \
  {list [wire] [lines SPEF-051]}
row "*D_NET total with coupling" {{1.3 3} {1.3 {}}} \
  "*D_NET t 0.1 *END\n*D_NET n <<1||1.3>>\n%conn%\n%cap%\n4 d:Z t:1 0.3\n%res%\n*END" \
  {list [wire] [lines SPEF-051]}
row "*D_NET total with pins" {{0.8 {}} {1 2}} \
  "*DESIGN_FLOW \"PIN_CAP <<INPUT_ONLY||NONE>>\" *D_NET n 1.2 %conn%\n%cap%\n%res%\n*END" \
  {list [wire] [lines SPEF-051]}
row "*R_NET total" {{2} {}} \
  "*R_NET n <<1.5||1>>\n*DRIVER d:Z\n*CELL BUFC\n*C2_R1_C1 0.2 0.5 0.8\n%loads%\n*END" \
  {lines SPEF-051}
row *V {{1 1} {1 0}} "*D_NET n 1 <<*V 30>>\n%conn%\n%cap%\n%res%\n*END" \
  {list [wire] [unused {*V (confidence)}]}
row *V {{1 1} {1 0}} "*R_NET n 1 <<*V 30>>\n*DRIVER d:Z\n*CELL BUFC\n*C2_R1_C1 0.2 0.5\
  0.8\n%loads%\n*END" {list [wire] [unused {*V (confidence)}]}
row *END {{SPEF-006 16} 1} "%n%\n*D_NET t 0.1\n<<||*END>>"
row *END {{SPEF-007 16} 1} "%n%\n<<*D_NET t 0.1||>>\n*D_NET t 0.2\n*END"
row "twice" {{0.3 3} {1 {}}} "*D_NET <<n||t>> 1 *END\n*D_NET n <<0.3||1>> *END" \
  {list [wire] [lines SPEF-028]}
foreach keyword {*D_PNET *R_PNET} {
  row $keyword {{1 2} {1 {}}} "<<$keyword t 0.1 *CAP 1 t1:Z 5 *END>>\n%n%" \
    {list [wire] [lines SPEF-030]}
}

# --- *CONN ----------------------------------------------------------------------------------------
# a pin in a net's list is on its node; one that neither *CONN nor *RES names has no wire
row *I {{1.4 1} {1.4 0}} "*D_NET n 1\n*CONN\n<<*I d:Z O *I n1:A I *I n2:A I>>\n%cap%\n%res%\n*END" \
  {list [lindex [delays] 1] [expr\
    {<<[unused {direction of a pin, another than the design's}] + 1||0>>}]}
row "*I direction" {{{0.4 1.4} 2} {{0.4 1.4} 0}} \
  "*D_NET n 1\n*CONN\n*I d:Z <<I||O>>\n*I n1:A <<O||I>>\n*I n2:A <<B||I>>\n%cap%\n%res%\n*END" \
  {list [delays] [unused {direction of a pin, another than the design's}]}
row "*P direction" {1 0} "*D_NET o 0.1\n*CONN\n*I n1:Z O\n*P o <<I||O>>\n*END" \
  {unused {direction of a pin, another than the design's}}
row "*I direction" {{SPEF-007 4} 1} "*D_NET n 1\n*CONN\n*I d:Z <<X||O>>\n%cap%\n%res%\n*END"
# the port's pin is on the node: 1 kOhm (0.5 + 0)
row *P {{0.5 0.5} {0.5 0}} "*D_NET o 0.5\n*CONN\n*I n1:Z O\n<<*P o O||*N x>>\n*CAP\n1 <<o||o:1>>\
  0.5\n*RES\n1 n1:Z <<o||o:1>> 1\n*END" {list [wire o] [between n1/Z o]}
row *P {3 {}} "*D_NET o 0.5\n*CONN *P <<gone||o>> O *I n1:Z O\n*END" {lines SPEF-022}
row *N {{0.4 1.4} {0.4 1.4}} \
  "*D_NET n 1\n%conn%\n<<*N n:1 *C 1 2>>\n%cap%\n*RES\n1 d:Z n:1 0.5\n2 n:1 n1:A 0.5\n3 d:Z n2:A\
  2\n*END" delays
foreach {attribute construct} \
  {"*C 1 2" "*C (coordinates)" "*L 0.1" "*L (load of a pin)" "*S 0.1 0.2 0.8" "*S (slew of a pin)"\
    "*D BUFC" "*D (cell of a pin)"} {
  row "*I $attribute" {{1 {0.4 1.4} 1} {1 {0.4 1.4} 0}} \
    "*D_NET n 1\n*CONN\n*I n1:A I <<$attribute>>\n*I n2:A I\n*I d:Z O\n%cap%\n%res%\n*END" \
    [format {list [wire] [delays] [unused {%s}]} $construct]
}
foreach {attribute construct} \
  {"*C 1 2" "*C (coordinates)" "*S 0.1" "*S (slew of a pin)" "*D BUFC" "*D (cell of a pin)"} {
  row "*P $attribute" {{0.5 1} {0.5 0}} \
    "*D_NET o 0.5\n*CONN\n*I n1:Z O\n*P o O <<$attribute>>\n*END" \
    [format {list [wire o] [unused {%s}]} $construct]
}
row "*N *C" {1 0} "*D_NET n 1\n%conn%\n*N d:Z <<*C 1 2>>\n%cap%\n%res%\n*END" \
  {unused {*C (coordinates)}}
row "*I other" {{4 1} {{} 1}} \
  "*D_NET n 1\n*CONN\n*I n1:A I <<*XY 1 2>>\n*I n2:A I\n*I d:Z O\n%cap%\n%res%\n*END" \
  {list [lines SPEF-030] [wire]}
row "*P *L" {0.25 0} "*D_NET o 0.5\n*CONN\n*I n1:Z O\n*P o O <<*L 0.25>> *C 1 2\n*END" \
  {::plain [expr {[outside] - 0.5}]}
# a driving cell of an input sees what is outside
row "*P *L of an input" {0.25 0} "*D_NET a 0.1\n*CONN\n*P a I <<*L 0.25>>\n*END" {
  set_delay_model lumped; set_driving_cell -lib_cell BUFC [get_ports a]; set with [arrival a]
  link_design top; set_delay_model lumped; create_clock -name v -period 10; set_input_delay 0\
  -clock v [all_inputs]
  annotate_net "*D_NET a 0.1\n*END"; set_driving_cell -lib_cell BUFC [get_ports a]
  ::plain [expr {$with - [arrival a]}]
}
row "*P *L of a block" {1 0} "*D_NET o 0.5\n*CONN\n*I c2:Z O\n*P o O <<*L 0.25>>\n*END" \
  {unused {*L (load of a pin)}} {-path b}
row "*PORTS *L of a block" {{1 {}} {0 {}}} \
  "*PORTS i I o O <<*L 0.25>>\n*D_NET o 0.5\n*CONN\n*I c2:Z O\n*END" \
  {list [unused {*L (load of a pin)}] [told]} {-path b}

# --- *CAP, *RES, *INDUC ---------------------------------------------------------------------------
row *CAP {1 0.6} "*D_NET n <<1||0.6>>\n%conn%\n*CAP\n1 d:Z 0.1\n<<2 n1:A 0.4>>\n3 n2:A\
  0.5\n%res%\n*END"
row "*CAP negative" {0.6 1} \
  "*D_NET n <<0.6||1>>\n%conn%\n*CAP\n1 d:Z 0.1\n2 n1:A <<-0.4||0.4>>\n3 n2:A 0.5\n%res%\n*END"
# on the side of the net in whose section it stands, written first or second; the other net's is its
# own
row "*CAP coupling" {{1.3 0.1} {1 0.1}} \
  "*D_NET n <<1.3||1>>\n%conn%\n%cap%\n<<4 n1:A t3:A 0.3>>\n%res%\n*END\n*D_NET t 0.1\n*CONN\n*I\
  t3:A I\n*I t1:Z O\n*CAP\n1 t3:A 0.1\n*END" {list [wire] [wire t]}
row "*CAP coupling, second" {{1.3 0.7} {1 0.4}} \
  "*D_NET n <<1.3||1>>\n%conn%\n%cap%\n<<4 t:1 n1:A 0.3>>\n%res%\n*END" \
  {list [wire] [lindex [delays] 0]}
# in both sections: once for each net
row "*CAP coupling in both" {{1.3 0.4} {1.3 0.1}} \
  "*D_NET n 1.3\n%conn%\n%cap%\n4 n1:A t3:A 0.3\n%res%\n*END\n*D_NET t <<0.4||0.1>>\n*CONN\n*I t3:A\
  I\n*I t1:Z O\n*CAP\n1 t3:A 0.1\n<<2 t3:A n1:A 0.3>>\n*END" {list [wire] [wire t]}
# within a net on both sides, and counted
row "*CAP within" {{1.4 1} {1.2 0}} "*D_NET n 1.2\n%conn%\n%cap%\n4 d:Z <<n1:A>> 0.2\n%res%\n*END" \
  {list [wire] [unused "capacitor between nodes of one net"]}
row "*CAP island" {{1.2 2} {1 {}}} \
  "*D_NET n <<1.2||1>>\n%conn%\n%cap%\n<<4 n:77 0.2>>\n%res%\n*END" {list [wire] [lines SPEF-027]}
row *RES {{0.4 1.4} {0.8 1.4}} \
  "*D_NET n 1\n%conn%\n%cap%\n*RES\n1 d:Z n1:A <<1||2>>\n2 d:Z n2:A 2\n*END" delays
row "*RES loop" {{{0.4 1.4} 2} {{0.4 1.4} {}}} \
  "*D_NET n 1\n%conn%\n%cap%\n%res%\n<<3 n1:A n2:A 1>>\n*END" {list [delays] [lines SPEF-024]}
row "*RES to itself" {{{0.4 1.4} 1} {{0.4 1.4} 0}} \
  "*D_NET n 1\n%conn%\n%cap%\n%res%\n<<3 n1:A n1:A 1>>\n*END" \
  {list [delays] [unused "resistor from a node to itself"]}
row "*RES missing" {{{0.4 0} 2} {{0.4 1.4} {}}} \
  "*D_NET n 1\n%conn%\n%cap%\n*RES\n1 d:Z n1:A 1\n<<||2 d:Z n2:A 2>>\n*END" \
  {list [delays] [lines SPEF-027]}
row *SC {{1 8 2} {1 {} 0}} "*D_NET n 1\n%conn%\n*CAP\n1 d:Z 0.1 <<*SC 1:0.2 2:0.3>>\n2 n1:A 0.3\n3\
  n2:A 0.6\n*RES\n1 d:Z n1:A 1 <<*SC 1:0.2>>\n2 d:Z n2:A 2\n*END" \
  {list [wire] [lines SPEF-030] [unused {*SC (sensitivity)}]}
row *INDUC {{{0.4 1.4} 14} {{0.4 1.4} {}}} \
  "*D_NET n 1\n%conn%\n%cap%\n%res%\n<<*INDUC\n1 d:Z n1:A 0.5>>\n*END" \
  {list [delays] [lines SPEF-030]}
row "unknown section" {{1 14} {1 {}}} \
  "*D_NET n 1\n%conn%\n%cap%\n%res%\n<<*STRANGE\n1 d:Z n1:A 0.5>>\n*END" \
  {list [wire] [lines SPEF-033]}

# --- *R_NET ---------------------------------------------------------------------------------------
row *R_NET {{1 {0.4 1.4}} {0 {0 0}}} "<<%r%||*D_NET t 0.1 *END>>" {list [wire] [delays]}
row *CELL {{1 1} {1 0}} "*R_NET n 1\n*DRIVER d:Z\n<<*CELL BUFC>>\n*C2_R1_C1 0.2 0.5\
  0.8\n%loads%\n*END" {list [wire] [unused *CELL]}
row *C2_R1_C1 {{SPEF-007 5} 1} \
  "*R_NET n 1\n*DRIVER d:Z *CELL BUFC\n<<||*C2_R1_C1 0.2 0.5 0.8>>\n%loads%\n*END"
row *C2_R1_C1 {1.1 0.5} "*R_NET n <<1.1||0.5>>\n*DRIVER d:Z\n*CELL BUFC\n*C2_R1_C1 <<0.3||0.2>> 0.5\
  <<0.8||0.3>>\n%loads%\n*END"
# a load that the file does not list has the model's own: 0.5 (0.8 + 0.2 of pins)
row *LOADS {{0.4 1.4} {0.5 0.5}} \
  "*R_NET n 1\n*DRIVER d:Z\n*CELL BUFC\n*C2_R1_C1 0.2 0.5 0.8\n<<%loads%>>\n*END" delays
row *RC {{0.4 1.4} {0.9 1.4}} \
  "*R_NET n 1\n*DRIVER d:Z\n*CELL BUFC\n*C2_R1_C1 0.2 0.5 0.8\n*LOADS\n*RC n1:A <<0.4||0.9>>\n*RC\
  n2:A 1.4\n*END" delays
row "*RC of another net" {{7 {0.5 1.4}} {{} {0.4 1.4}}} \
  "*R_NET n 1\n*DRIVER d:Z\n*CELL BUFC\n*C2_R1_C1 0.2 0.5 0.8\n*LOADS\n*RC <<t3||n1>>:A 0.4\n*RC\
  n2:A 1.4\n*END" {list [lines SPEF-023] [delays]}
foreach {keyword} {*Q *K} {
  row $keyword {{{0.4 1.4} 7} {{0.4 1.4} {}}} \
    "*R_NET n 1\n*DRIVER d:Z\n*CELL BUFC\n*C2_R1_C1 0.2 0.5 0.8\n*LOADS\n*RC n1:A 0.4 <<$keyword 1\
    2 3>>\n*RC n2:A 1.4\n*END" {list [delays] [lines SPEF-030]}
}
# t1 and t2 each with a model of its own: 0.5 and 0.7
row *DRIVER {{0.5 0.7} {0.5 0.3}} \
  "*R_NET t 0.5\n*DRIVER t1:Z *CELL TRI *C2_R1_C1 0.2 0.5 0.3 *LOADS *RC t3:A 0.1\n*DRIVER t2:Z\
  *CELL TRI *C2_R1_C1 0.2 0.5 <<0.5||0.1>> *LOADS *RC t3:A 0.1\n*END" \
  {set_delay_model lumped; lmap pin {t1/Z t2/Z} { ::plain [expr {[arrival $pin] - 0.14}] }}
row *DRIVER {{3 0} {{} 1}} "*R_NET n 1\n*DRIVER <<n1||d>>:Z\n*CELL BUFC\n*C2_R1_C1 0.2 0.5\
  0.8\n%loads%\n*END" {list [lines SPEF-023] [expr {[lindex [delays] 0] > 0}]}

# --- triplets: every value has one of its members -------------------------------------------------
foreach {where text} {
  total "*D_NET n 0.2:0.4:0.8 *CONN *I d:Z O *END" ground "*D_NET n 0.2:0.4:0.8 *CONN *I d:Z O *CAP\
  1 d:Z 0.2:0.4:0.8 *END"
  coupling "*D_NET n 0.2:0.4:0.8 *CONN *I d:Z O *CAP 1 d:Z t:3 0.2:0.4:0.8 *END"
  c2 "*R_NET n 0.2:0.4:0.8 *DRIVER d:Z *CELL BUFC *C2_R1_C1 0.2:0.4:0.8 0.5 0 *END"
  c1 "*R_NET n 0.2:0.4:0.8 *DRIVER d:Z *CELL BUFC *C2_R1_C1 0 0.5 0.2:0.4:0.8 *END"
} {
  row "triplet $where" {{0.2 0.8 {}} {0.2 0.2 {}}} \
    [string map {0.2:0.4:0.8 <<0.2:0.4:0.8||0.2>>} $text] {list {*}[sides] [told]}
  foreach {type answer} {min {0.2 0.2} typ {0.4 0.4} max {0.8 0.8}} {
    row "triplet $where -type $type" [list $answer {0.2 0.8}] $text sides "<<-type $type>>"
  }
}
row "triplet *RES" {{0.4 0.8} {0.4 0.4}} \
  "*D_NET n 1\n%conn%\n%cap%\n*RES\n1 d:Z n1:A <<1:1:2||1>>\n2 d:Z n2:A 2\n*END" \
  {list [between d/Z n1/A min] [between d/Z n1/A max]}
row "triplet *RC" {{0.4 0.8} {0.4 0.4}} \
  "*R_NET n 1\n*DRIVER d:Z\n*CELL BUFC\n*C2_R1_C1 0.2 0.5 0.8\n*LOADS\n*RC n1:A\
  <<0.4:0.4:0.8||0.4>>\n*RC n2:A 1.4\n*END" {list [between d/Z n1/A min] [between d/Z n1/A max]}
row "triplet *L" {{0.2 0.8} {0.2 0.2}} "*PORTS o O *L <<0.2:0.4:0.8||0.2>>\n%n%" \
  {set_delay_model lumped; lmap side {min max}\
    { ::plain [expr {[between n1/A n1/Z $side] - 0.02}] }}
row "pair" {{SPEF-007 2} 0.2} "*D_NET n 0.2<<:0.4>> *END"

# --- options --------------------------------------------------------------------------------------
row -path {0.5 {SPEF-009 {}}} "*D_NET x 0.5 *CONN *I c:Z O *I c2:A I *END" {wire b/x} {<<-path b>>}
row "-path and ports" {{0.1 0.7} {0.1 0}} \
  "*D_NET o 0.1 *CONN *I c2:Z O *P o O *CAP 1 o 0.1 *RES 1 c2:Z <<o||o:9>> 1 *END" \
  {set v [wire q]; list $v [expr {<<0.7||0>>}]} {-path b}
row -coupling_reduction_factor {0.25 0.5} "*D_NET n 0.5 *CONN *I d:Z O *CAP 1 d:Z t:1 0.5 *END" \
  wire {<<-coupling_reduction_factor 0.5>>}
row -coupling_reduction_factor {0.1 0.6} \
  "*D_NET n 0.6 *CONN *I d:Z O *CAP 1 d:Z t:1 0.5 2 d:Z 0.1 *END" wire \
  {<<-coupling_reduction_factor 0>>}
row -pin_cap_included {0.78 1} %n% {set_delay_model lumped; wire} {<<-pin_cap_included>>}
row -min {{0.5 0} {0.5 0.5}} "*D_NET n 0.5 *END" sides {<<-min>>}
row -max {{0 0.5} {0.5 0.5}} "*D_NET n 0.5 *END" sides {<<-max>>}
row "-min -max" {{0.5 0.5} {0.5 0.5}} "*D_NET n 0.5 *END" sides {<<-min -max>>}
row "-min of a triplet" {{0.2 0} {0 0.8}} "*D_NET n 0.2:0.4:0.8 *END" sides {<<-min||-max>>}
row -name {{0.5 1} {0.5 0}} "*D_NET n 0.5 *END" {
  set first [wire]
  list $first [expr {![catch { create_corner -parasitics s_audit c_audit }]}]
} {<<-name s_audit>>}
foreach option {-keep_capacitive_coupling -reduce {-reduce_to x} -quiet} {
  row $option {{0.5 SPEF-050} {0.5 {}}} "*D_NET n 0.5 *END" {list [wire] [told]} "<<$option>>"
}
row "several idle options" {1 {}} "*D_NET n 0.5 *END" \
  {variable said; expr {[regexp -all SPEF-050 $said] ? [regexp -all SPEF-050 $said] : ""}} \
  {<<-reduce -quiet>>}

# --- annotate_net ---------------------------------------------------------------------------------
# A net after another file and an update: the text alone counts for its net.
proc annotated {text args} { variable head; wire; annotate_net {*}$args [expand $text]; wire }
row annotate_net {0.5 1} %n% {<<annotated "*D_NET n 0.5 *END"||wire>>}
row "annotate_net header" {0.005 0.5} %n% {annotated "<<*C_UNIT 10 FF>> *D_NET n 0.5 *END"}
row "annotate_net *NAME_MAP" {0.5 0.5} %n% \
  {annotated "<<*NAME_MAP *1 n>> *D_NET <<*1||n>> 0.5 *END"}
row "annotate_net units" {{0.0004 0.0014} {0.4 1.4}} %n% \
  {annotated "<<||*R_UNIT 1 KOHM>> %n%"; delays}
row "annotate_net -path" {0.5 0} %n% \
  {annotated "*D_NET <<x||n>> 0.5 *END" {*}{<<-path b>>}; wire b/x}
row "annotate_net -coupling_reduction_factor" {0.25 0.5} %n% \
  {annotated "*D_NET n 0.5 *CAP 1 d:Z t:1 0.5 *END" {*}{<<-coupling_reduction_factor 0.5>>}}
row "annotate_net -type" {0.2 0.8} %n% {annotated "*D_NET n 0.2:0.4:0.8 *END" {*}{<<-type min>>}}
row "annotate_net -min" {{0.5 1} {1 0.5}} %n% {annotated "*D_NET n 0.5 *END" <<-min||-max>>; sides}
# the corner in use, and another
row "annotate_net -corner" {0.5 1} %n% \
  {create_corner audit_a<<1||2>>; annotated "*D_NET n 0.5 *END" -corner <<default||audit_a2>>}
row -corner {0.5 1} %n% {variable head; create_corner audit_b<<1||2>>; read_spef -corner\
  <<default||audit_b2>> [text_file b.spef "$head\n*D_NET n 0.5 *END"]; wire}
row "annotate_net total" {1 0} %n% \
  {set before [message_counts]; <<annotate_net "*D_NET n 0.5 *CONN *I d:Z O *CAP 1 d:Z 0.3\
    *END"||wire>>
  set now [message_counts]; expr {$before ne $now}}
}
