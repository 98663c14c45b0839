# The cases of liberty_audit.test: see there.
namespace eval audit {

# --- the file and its units -----------------------------------------------------------------------
row file.library {1 LIB-004} {/**/ <<library (L@) { %set units% %buf C@% }||thing (L@) { }>>}
row file.include_file {1 0} {/**/ <<include_file (x);>> library (L@) { %set units% %buf C@% }} {} \
  {told LIB-059}
row library.include_file {1 0} {<<include_file (x);>> %buf C@%} {} {told LIB-059}
row library.delay_model {1 0} \
  {library (L@) { delay_model : <<polynomial||table_lookup>>; time_unit : 1ns;
  capacitive_load_unit (1, pf); %buf C@% }} {} {told LIB-058}
row library.time_unit {10 1} \
  {library (L@) { time_unit : <<10ns||1ns>>; capacitive_load_unit (1, pf); %buf C@% }}
row library.capacitive_load_unit {10 1} \
  {library (L@) { time_unit : 1ns; capacitive_load_unit (<<10||1>>, pf); %buf C@% }} \
  {C@ u (.A(a), .Z(z));} {load a}
row library.leakage_power_unit {2000 2} \
  {library (L@) { time_unit : 1ns; capacitive_load_unit (1, pf); leakage_power_unit : <<1uW||1nW>>;
  cell (C@) { cell_leakage_power : 2; } }} {} {cell_prop leakage}
# 1.2 V are 12 units: 1 + 0.1 (12 - 10); 1.2 units without
row library.voltage_unit {1.2 0.12} \
  {library (L@) { time_unit : 1ns; capacitive_load_unit (1, pf); voltage_unit : <<100mV||1V>>;
  nom_voltage : 10; k_volt_cell_rise : 0.1; %buf C@% }} {C@ u (.A(a), .Z(z));} \
  {set_voltage 1.2; rise z}
# The factor is for a change by one unit of the library, whatever that is
row library.voltage_unit {1.2 1.2} \
  {library (L@) { time_unit : 1ns; capacitive_load_unit (1, pf); voltage_unit : <<100mV||1V>>;
  nom_voltage : 10; k_volt_cell_rise : 0.1; operating_conditions (oc) { voltage : 12; }\
  default_operating_conditions : oc; %buf C@% }}
# 2 lengths of 10 or of 1 kohm; Elmore: R (C + pin) with C = 0 and 1 pF
row library.pulling_resistance_unit {20 2} \
  {library (L@) { time_unit : 1ns; capacitive_load_unit (1, pf);
  pulling_resistance_unit : <<10kohm||1kohm>>; wire_load (w)\
  { resistance : 1; capacitance : 0; fanout_length (1, 2); } %buf C@% }} \
  {wire n; C@ u (.A(a), .Z(n)); C@ v (.A(n), .Z(z));} \
  {wires; set_delay_model elmore; between u/Z v/A}
row library.current_unit {1uA 1mA} \
  {library (L@) { time_unit : 1ns; capacitive_load_unit (1, pf); current_unit : <<1uA||1mA>>; %buf\
    C@% }} {} \
  {alone {report_units} {current\s+(\S+)}}

# --- thresholds: a driver whose 20/80 transition is 0.6 swings in 1 ns ----------------------------
set pair {wire n; D@ d (.A(a), .Z(n)); C@ u (.A(n), .Z(z));}
# rising 0.2 of the swing later at 70 %, falling later at 30 %
row library.input_threshold_pct_rise {{1.2 1} {1 1}} \
  [with_driver {} {<<input_threshold_pct_rise : 70;>> %buf C@%}] $pair {both u/A}
row library.input_threshold_pct_fall {{1 1.2} {1 1}} \
  [with_driver {} {<<input_threshold_pct_fall : 30;>> %buf C@%}] $pair {both u/A}
row library.output_threshold_pct_rise {{1.2 1} {1 1}} \
  [with_driver {<<output_threshold_pct_rise : 30;>>} {%buf C@%}] $pair {both u/A}
row library.output_threshold_pct_fall {{1 1.2} {1 1}} \
  [with_driver {<<output_threshold_pct_fall : 70;>>} {%buf C@%}] $pair {both u/A}
# 40 to 80 % take 0.4
row library.slew_lower_threshold_pct_rise {{0.4 0.6} {0.6 0.6}} \
  [with_driver {} {<<slew_lower_threshold_pct_rise : 40;>> %buf C@%}] $pair {slews u/A}
row library.slew_lower_threshold_pct_fall {{0.6 0.4} {0.6 0.6}} \
  [with_driver {} {<<slew_lower_threshold_pct_fall : 40;>> %buf C@%}] $pair {slews u/A}
row library.slew_upper_threshold_pct_rise {{0.4 0.6} {0.6 0.6}} \
  [with_driver {} {<<slew_upper_threshold_pct_rise : 60;>> %buf C@%}] $pair {slews u/A}
row library.slew_upper_threshold_pct_fall {{0.6 0.4} {0.6 0.6}} \
  [with_driver {} {<<slew_upper_threshold_pct_fall : 60;>> %buf C@%}] $pair {slews u/A}
# the driver's 0.6 is twice what it takes between its thresholds
row library.slew_derate_from_library {{0.3 0.3} {0.6 0.6}} \
  [with_driver {<<slew_derate_from_library : 0.5;>>} {%buf C@%}] $pair {slews u/A}
# 0.6 between the driver's thresholds is 1.2 in the numbers of a library that halves its own
row library.slew_derate_from_library {{1.2 1.2} {0.6 0.6}} \
  [with_driver {} {<<slew_derate_from_library : 0.5;>> %buf C@%}] $pair {slews u/A}

# --- operating conditions: 0.5 from the nominal point, 0.4 for 1 ----------------------------------
set oc {operating_conditions (oc) { process : 1.5; voltage : 1.5; temperature : 25.5; }\
  default_operating_conditions : oc;}
set nom {nom_process : 1; nom_voltage : 1; nom_temperature : 25;}
row library.nom_process {1.1 1.2} "$oc <<nom_process : 1.25;>> k_process_cell_rise : 0.4; %buf C@%"
row library.nom_voltage {1.2 1} "$oc <<nom_voltage : 1;>> k_volt_cell_rise : 0.4; %buf C@%"
row library.nom_temperature {1.2 1} "$oc <<nom_temperature : 25;>> k_temp_cell_rise : 0.4; %buf C@%"
row library.default_operating_conditions {1.2 1} "$nom operating_conditions (oc) { process : 1.5; }
  <<default_operating_conditions : oc;>> k_process_cell_rise : 0.4; %buf C@%"
row library.operating_conditions {1.2 1} \
  "$nom <<operating_conditions (oc) { process : 1.5; }>> default_operating_conditions : oc;
  k_process_cell_rise : 0.4; %buf C@%"
foreach {attribute factor} {process k_process voltage k_volt temperature k_temp} value \
  {1.5 1.5 25.5} {
  row operating_conditions.$attribute {1.2 1} \
    "$nom operating_conditions (oc) { <<$attribute : $value;>> }
    default_operating_conditions : oc; ${factor}_cell_rise : 0.4; %buf C@%"
}
# Of the tree types the best case has no resistance before the load; balanced: 2 kohm into 1 pF
row operating_conditions.tree_type {0 2} \
  {operating_conditions (oc) { <<tree_type : best_case_tree;>> }
  wire_load (w) { resistance : 1; capacitance : 0; fanout_length (1, 2); } %buf C@%} \
  {wire n; C@ u (.A(a), .Z(n)); C@ v (.A(n), .Z(z));} \
  {wires; set_operating_conditions -library L$number oc; set_delay_model elmore; between u/Z v/A}
row operating_conditions.tree_type {1 0} \
  {operating_conditions (oc) { tree_type : <<strange||balanced_tree>>; } %buf C@%} {} {told LIB-061}

# Each factor on what it scales: 1 -> 1.2, 0.5 -> 0.6 (9.5 -> 9.4), 0.25 -> 0.3 (-0.25 -> -0.3)
set flop {ff (IQ, IQN) { clocked_on : "CK"; next_state : "D"; clear : "!R"; }}
set checked {cell (C@) { ff (IQ, IQN) { clocked_on : "CK"; next_state : "D"; } %clock%
  %in D [check CK setup_rising 0.5] [check CK hold_rising 0.25]% %in R [check CK recovery_rising\
    0.5] [check CK removal_rising 0.25]%
  %out Q IQ [arc CK 1 {timing_type : rising_edge;}]% }}
set flopped {C@ u (.D(a), .R(b), .CK(clk), .Q(z));}
set wired {wire_load (w) { resistance : 1; capacitance : 1; fanout_length (1, 1); } %buf C@%}
set two {wire n; C@ u (.A(a), .Z(n)); C@ v (.A(n), .Z(z));}
set slow {cell (C@) { %in A% %out Z A [arc A 1 {} 1]% }}
set plain {C@ u (.A(a), .Z(z));}
foreach {what answers cell cells script} {
  cell_rise {{1.2 1} {1 1}} slow plain {both z}  cell_fall {{1 1.2} {1 1}} slow plain {both z}
  rise_transition {{1.2 1} {1 1}} slow plain {slews z}  fall_transition {{1 1.2} {1 1}} slow plain\
  {slews z}
  setup_rise {{9.4 9.5} {9.5 9.5}} checked flopped {slacks max u/D}  setup_fall\
  {{9.5 9.4} {9.5 9.5}} checked flopped {slacks max u/D}
  hold_rise {{-0.3 -0.25} {-0.25 -0.25}} checked flopped {slacks min u/D}  hold_fall\
  {{-0.25 -0.3} {-0.25 -0.25}} checked flopped {slacks min u/D}
  recovery_rise {{9.4 9.5} {9.5 9.5}} checked flopped {slacks max u/R}  recovery_fall\
  {{9.5 9.4} {9.5 9.5}} checked flopped {slacks max u/R}
  removal_rise {{-0.3 -0.25} {-0.25 -0.25}} checked flopped {slacks min u/R}  removal_fall\
  {{-0.25 -0.3} {-0.25 -0.25}} checked flopped {slacks min u/R}
  pin_cap {1.2 1} slow plain {load a}
  wire_cap {2.2 2} wired two {wires; load n}
  wire_res {1.2 1} wired two {wires; set_delay_model elmore; expr {[between u/Z v/A] / 2}}
} {
  foreach by {process volt temp} {
    row library.k_${by}_$what $answers "$nom $oc <<k_${by}_$what : 0.4;>> [set $cell]" \
      [set $cells] $script
  }
}

# --- defaults of a library ------------------------------------------------------------------------
row library.default_max_transition {{2 0} none} {<<default_max_transition : 2;>> %buf C@%} $plain \
  {limit -max_transition u/Z}
row library.default_max_capacitance {{2 1} none} {<<default_max_capacitance : 2;>> %buf C@%} $two \
  {limit -max_capacitance u/Z}
row library.default_max_fanout {{2 1} none} {<<default_max_fanout : 2;>> %buf C@%} $two \
  {limit -max_fanout u/Z}
row library.default_fanout_load {{4 3} {4 1}} \
  {<<default_fanout_load : 3;>> default_max_fanout : 4; %buf C@%} $two {limit -max_fanout u/Z}
set bare {cell (C@) { pin (A) { direction : input; } pin (P) { direction : inout; } pin (Z)\
  { direction : output; } }}
foreach {kind net} {input a output z inout b} {
  row library.default_${kind}_pin_cap {3 0} "<<default_${kind}_pin_cap : 3;>> $bare" \
    {C@ u (.A(a), .P(b), .Z(z));} "load $net"
}
row library.default_cell_leakage_power {3 0} {<<default_cell_leakage_power : 3;>> %buf C@%} {} \
  {cell_prop leakage}
# A default wire load is not used unless a constraint names it: the reader says so
row library.default_wire_load {1 0} "<<default_wire_load : w;>> $wired" {} {told LIB-091}
# The net inside the block has the block's model (2 lengths) in the mode enclosed, the top's (4) in
# the mode top
row library.default_wire_load_mode {3 5} \
  {<<default_wire_load_mode : enclosed;>> wire_load (w) { capacitance : 1; fanout_length (1, 4); }
  wire_load (x) { capacitance : 1; fanout_length (1, 2); } %buf C@%} {B@ s (.A(a), .Z(z)); =====
  module B@ (input A, output Z); wire n; C@ u (.A(A), .Z(n)); C@ v (.A(n), .Z(Z)); endmodule} \
  {wires; set_wire_load_model -name x -library L$number [get_cells s]; load s/n}

# --- wire loads -----------------------------------------------------------------------------------
row library.wire_load {2 error} \
  {<<wire_load (w) { capacitance : 1; fanout_length (1, 1); }>> %buf C@%} $two \
  {expr {[catch wires] ? "error" : [load n]}}
row wire_load.capacitance {7 1} \
  {wire_load (w) { <<capacitance : 3;>> fanout_length (1, 2); } %buf C@%} $two {wires; load n}
row wire_load.resistance {2 0} \
  {wire_load (w) { <<resistance : 1;>> fanout_length (1, 2); } %buf C@%} $two \
  {wires; set_delay_model elmore; between u/Z v/A}
row wire_load.fanout_length {3 1} \
  {wire_load (w) { capacitance : 1; <<fanout_length (1, 2);>> } %buf C@%} $two {wires; load n}
# Fanout 2 is one beyond the entries: 2 + 5 lengths, and two pins
row wire_load.slope {9 4} {wire_load (w) { capacitance : 1; <<slope : 5;>> fanout_length (1, 2); }\
  %buf C@%} \
  {wire n; C@ u (.A(a), .Z(n)); C@ v (.A(n), .Z(z)); C@ x (.A(n), .Z(y));} {wires; load n}
set chosen {wire_load (w) { capacitance : 1; fanout_length (1, 2); } wire_load (x)\
  { capacitance : 1; fanout_length (1, 4); }}
row library.wire_load_selection {3 error} \
  "$chosen <<wire_load_selection (s@) { wire_load_from_area (0, 9, w); }>> %buf C@%" $two \
  {expr {[catch {set_wire_load_selection_group s$number}] ? "error" : [load n]}}
row wire_load_selection.wire_load_from_area {5 3} \
  "$chosen wire_load_selection (s@) { wire_load_from_area (0, 1, w);
  <<wire_load_from_area (1, 9, x);>> } %buf C@ {area : 1;}%" $two \
  {set_wire_load_selection_group s$number; load n}

# --- types of buses: 1 ns from bit 1, 5 from bit 0; {a, b} meets the bits from the first to the
# last
set bus {cell (C@) { bus (A) { bus_type : T; direction : input; capacitance : 1; } %out Z A\[1\]\
  [arc A\[1\]] [arc A\[0\] 5]% }}
set bussed {C@ u (.A({a, b}), .Z(z));}
row library.type {1 LIB-012} "<<type (T) { bit_from : 1; bit_to : 0; }>> $bus" $bussed {path a z}
row type.bit_width {1 5} "type (T) { bit_width : <<2||1>>; } $bus" $bussed {path b z}
row type.bit_from {1 5} "type (T) { bit_width : 2; <<bit_from : 1;>> } $bus" $bussed {path a z}
row type.bit_to {1 5} "type (T) { bit_width : 2; <<bit_to : 2;>> } $bus" $bussed {path a z}
row type.downto {1 5} "type (T) { bit_width : 2; <<downto : true;>> } $bus" $bussed {path a z}
idle type.base_type "type (T) { <<base_type : array;>> bit_from : 1; bit_to : 0; } $bus"
idle type.data_type "type (T) { <<data_type : bit;>> bit_from : 1; bit_to : 0; } $bus"
row cell.type {1 LIB-012} {cell (C@)\
  { <<type (T) { bit_from : 1; bit_to : 0; }>> bus (A) { bus_type : T; direction : input; }
  %out Z A\[1\] [arc A\[1\]]% }} $bussed {path a z}

# --- cells ----------------------------------------------------------------------------------------
row library.cell {1 none} {<<%buf C@%>>}
row cell.area {3 0} {%buf C@ {<<area : 3;>>}%} {} {cell_prop area}
row cell.cell_leakage_power {3 0} {%buf C@ {<<cell_leakage_power : 3;>>}%} {} {cell_prop leakage}
row cell.threshold_voltage_group {lvt none} \
  {%buf C@ {<<threshold_voltage_group : lvt;>>}%} {} {cell_prop threshold_voltage_group}
row library.default_threshold_voltage_group {hvt none} \
  {<<default_threshold_voltage_group : hvt;>> %buf C@%} {} {cell_prop threshold_voltage_group}
row cell.cell_footprint {f none} {%buf C@ {<<cell_footprint : f;>>}%} {} {cell_prop footprint}
row cell.clock_gating_integrated_cell {1 0} \
  {%buf C@ {<<clock_gating_integrated_cell : latch_posedge;>>}%} {} {cell_prop is_clock_gate}
row cell.dont_use {1 0} {%buf C@ {<<dont_use : true;>>}%} {} {cell_prop dont_use}
row cell.dont_touch {1 0} {%buf C@ {<<dont_touch : true;>>}%} {} {cell_prop dont_touch}
row cell.is_macro_cell {1 0} {%buf C@ {<<is_macro_cell : true;>>}%} {} {cell_prop is_macro}
row cell.pad_cell {1 0} {%buf C@ {<<pad_cell : true;>>}%} {} {cell_prop is_pad}
row cell.memory {1 0} {%buf C@ {<<memory () { type : ram; }>>}%} {} {cell_prop is_memory}
row cell.test_cell {1 0} {%buf C@ {<<test_cell () { }>>}%} {} {reported scan}
row cell.statetable {1 0} {%buf C@ {<<statetable ("A", "N") { table : "H : - : H"; }>>}%} {} \
  {cell_prop is_sequential}
# the node is an internal pin that a function may name
row cell.statetable {0 1} {%buf C@\
  {<<statetable ("A", "N") { table : "H : - : H"; }>> pin (Y)\
    { direction : output; function : "N"; }}%} {} {told LIB-057}
row cell.pin {1 none} {cell (C@) { <<%in A%>> %out Z A [arc A]% }}
row cell.bus {1 none} "type (T) { bit_from : 1; bit_to : 0; } cell (C@) { <<bus (A) { bus_type : T;\
  direction : input; }>> %out Z A\[1\] {[arc A]}% }" \
  $bussed {path a z}
row cell.bundle {1 none} {cell (C@)\
  { <<bundle (A) { members (M, N); direction : input; }>> %out Z N [arc A]% }} \
  {C@ u (.N(a), .Z(z));} {path a z}
# A net on a power pin is no connection to a missing pin
row cell.pg_pin {0 1} {%buf C@ {<<pg_pin (PSUB) { pg_type : primary_power; }>>}%} \
  {C@ u (.A(a), .Z(z), .PSUB(b));} {told LINK-007}
elsewhere pg_pin.pg_type tests/read/test_liberty.c

# --- leakage; internal power has no part in timing ------------------------------------------------
row cell.leakage_power {3 0} {%buf C@ {<<leakage_power () { value : 3; }>>}%} {} {cell_prop leakage}
row leakage_power.value {3 0} {%buf C@ {leakage_power () { <<value : 3;>> }}%} {} \
  {cell_prop leakage}
# the mean of the states, or the group without one
row leakage_power.when {2 3} \
  {%buf C@ {leakage_power () { when : "A"; value : 1; } leakage_power ()\
    { <<when : "!A";>> value : 3; }}%} {} {cell_prop leakage}
idle cell.internal_power {%buf C@ {<<internal_power () { power (scalar) { values ("1"); } }>>}%}
idle pin.internal_power {cell (C@)\
  { %in A% pin (Z) { direction : output; <<internal_power () { power (scalar) { values ("1"); } }>>\
    } }}
# a group counts, not what is in it
foreach attribute {related_pin when rise_power fall_power power} {
  elsewhere internal_power.$attribute pin.internal_power
}

# --- flip-flops and latches -----------------------------------------------------------------------
set state {%clock% %in D [check CK setup_rising 0.5]% %in R% %out Q IQ [arc CK 1\
  {timing_type : rising_edge;}]%}
row cell.ff {1 0} "cell (C@) { <<ff (IQ, IQN) { clocked_on : CK; next_state : D; }>> $state }" {} \
  {cell_prop is_sequential}
elsewhere ff.clocked_on tests/read/test_liberty.c
row cell.ff_bank {1 0} "type (T) { bit_from : 1; bit_to : 0; } cell (C@) { <<ff_bank (IQ, IQN, 2) {\
  clocked_on : CK; next_state : D; }>> %clock%
  bus (D) { bus_type : T; direction : input; } bus (Q) { bus_type : T; direction : output; function\
    : IQ; } }" {} {cell_prop is_sequential}
# What the next state is tells two flip-flops apart
elsewhere ff.next_state tests/read/test_liberty.c
# R low clears: the output falls with it; R low presets: it rises
foreach {attribute answer} {clear positive preset negative} {
  row ff.$attribute [list $answer both] \
    "cell (C@) { ff (IQ, IQN) { clocked_on : CK; next_state : D; <<$attribute : \"!R\";>> } %clock%\
      %in D% %in R%
    %out Q IQ \[arc R 1 {timing_type : $attribute;}\]% }" {} {sense R Q}
}
set latch {%clock% %in D [check CK setup_falling 0.5]% %out Q IQ [arc CK 1\
  {timing_type : rising_edge;}] [arc D 2]%}
# Through the latch from 0: 2; without the group the data arc is no latch's, and the clock's edge
# launches after it
row cell.latch {latch plain} \
  "cell (C@) { <<latch (IQ, IQN) { enable : CK; data_in : D; }>> $latch }" \
  {C@ u (.D(a), .CK(clk), .Q(z));} {arcs D Q}
row cell.latch_bank {latch plain} \
  "type (T) { bit_from : 1; bit_to : 0; } cell (C@) { <<latch_bank (IQ, IQN, 2) { enable : CK;\
    data_in : D; }>> %clock%
  bus (D) { bus_type : T; direction : input; } bus (Q) { bus_type : T; direction : output; function\
    : IQ;
  %arc CK 1 {timing_type : rising_edge;}% %arc D 2% } }" \
  {C@ u (.D({a, b}), .CK(clk), .Q({z, y}));} {arcs D\[1\] Q\[1\]}
row ff.enable {latch clock} \
  "cell (C@) { latch (IQ, IQN) { <<enable : CK;>> data_in : D; } $latch }" \
  {C@ u (.D(a), .CK(clk), .Q(z));} {arcs CK Q}
row ff.data_in {latch plain} \
  "cell (C@) { latch (IQ, IQN) { enable : CK; <<data_in : D;>> } $latch }" \
  {C@ u (.D(a), .CK(clk), .Q(z));} {arcs D Q}

# --- pins -----------------------------------------------------------------------------------------
set gauge {cell (D@) { %in A% pin (Z)\
  { direction : output; function : "A"; timing () { related_pin : "A"; %along cell_rise load%
  %along cell_fall load% %v rise_transition 0% %v fall_transition 0% } } }}
set gauged {wire n; D@ d (.A(a), .Z(n)); C@ u (.A(n), .Z(z));}
row pin.pin {{3 1} {1 1}} "type (T) { bit_from : 1; bit_to : 0; } cell (C@) { bus (A) { bus_type :\
  T; direction : input; capacitance : 1;
  <<pin (A\[1\]) { capacitance : 3; }>> } }" {C@ u (.A({a, b}));} {list [load a] [load b]}
row pin.bus_type {1 LIB-012} \
  "type (T) { bit_from : 1; bit_to : 0; } cell (C@) { bus (A) { <<bus_type : T;>> direction :\
    input; } %out Z A\[1\] {[arc A]}% }" \
  $bussed {path a z}
row pin.members {1 LIB-012} \
  {cell (C@) { bundle (A) { <<members (M, N);>> direction : input; } %out Z N [arc A]% }} \
  {C@ u (.N(a), .Z(z));} {path a z}
row pin.direction {input unknown} {cell (C@) { pin (A) { <<direction : input;>> } }} \
  {C@ u (.A(a));} {prop [lib_pin A] direction}
row pin.clock {1 0} {cell (C@) { pin (A) { direction : input; <<clock : true;>> } }} \
  {C@ u (.A(a));} {prop [lib_pin A] is_clock}
row pin.capacitance {3 0} {cell (C@) { pin (A) { direction : input; <<capacitance : 3;>> } }} \
  {C@ u (.A(a));} {load a}
row pin.rise_capacitance {{3 1} {1 1}} \
  "$gauge cell (C@) { pin (A) { direction : input; capacitance : 1; <<rise_capacitance : 3;>> } }" \
  $gauged {both d/Z}
row pin.fall_capacitance {{1 3} {1 1}} \
  "$gauge cell (C@) { pin (A) { direction : input; capacitance : 1; <<fall_capacitance : 3;>> } }" \
  $gauged {both d/Z}
row pin.rise_capacitance_range {{2 4 3 3} {3 3 3 3}} \
  "$gauge cell (C@) { pin (A) { direction : input; capacitance : 3; <<rise_capacitance_range (2,\
    4);>> } }" \
  $gauged {corners d/Z}
row pin.fall_capacitance_range {{3 3 2 4} {3 3 3 3}} \
  "$gauge cell (C@) { pin (A) { direction : input; capacitance : 3; <<fall_capacitance_range (2,\
    4);>> } }" \
  $gauged {corners d/Z}
foreach {attribute value actual} \
  {max_transition 2 0 min_transition 2 0 max_capacitance 3 1 min_capacitance 3 1 max_fanout 3 1\
    min_fanout 3 1} {
  row pin.$attribute [list [list $value $actual] none] \
    "cell (C@) { %in A% %out Z A {[arc A]} {<<$attribute : $value;>>}% }" $two \
    "limit -$attribute u/Z"
}
row pin.max_transition {{2 0} none} \
  {cell (C@) { %in A {<<max_transition : 2;>>}% %out Z A [arc A]% }} $plain \
  {limit -max_transition u/A}
row pin.fanout_load {{4 3} {4 1}} \
  {cell (C@) { %in A {<<fanout_load : 3;>>}% %out Z A [arc A] {max_fanout : 4;}% }} $two \
  {limit -max_fanout u/Z}
set clocked {C@ u (.CK(clk), .D(a), .Q(z));}
row pin.min_pulse_width_high {{2 5} none} \
  "cell (C@) { $flop pin (CK) { direction : input; clock : true; <<min_pulse_width_high : 2;>> }\
    %in D% %in R% }" \
  {C@ u (.CK(clk), .D(a));} {limit {} {u/CK (high)} report_pulse_width}
row pin.min_pulse_width_low {{2 5} none} \
  "cell (C@) { $flop pin (CK) { direction : input; clock : true; <<min_pulse_width_low : 2;>> } %in\
    D% %in R% }" \
  {C@ u (.CK(clk), .D(a));} {limit {} {u/CK (low)} report_pulse_width}
row pin.min_period {{8 10} none} \
  "cell (C@) { $flop pin (CK) { direction : input; clock : true; <<min_period : 8;>> } %in D% %in\
    R% }" \
  {C@ u (.CK(clk), .D(a));} {limit -min_period u/CK}
# An inverter's falling input makes its output rise; without a function either edge does
row pin.function {none 1} {cell (C@)\
  { %in A% pin (Z) { direction : output; <<function : "!A";>> %arc A% } }} $plain \
  {path a z -rise_from [get_ports a] -rise_to [get_ports z]}
row pin.state_function {none 1} \
  {cell (C@) { %in A% pin (Z) { direction : output; <<state_function : "!A";>> %arc A% } }} $plain \
  {path a z -rise_from [get_ports a] -rise_to [get_ports z]}
# E low makes it float: a rising E enables in 3, a falling one disables in 7
row pin.three_state {3 7} {cell (C@)\
  { %in A% %in E% pin (Z) { direction : output; function : "A"; <<three_state : "!E";>>
  %arc E 3 {timing_type : three_state_enable;}% %arc E 7 {timing_type : three_state_disable;}% }\
  }} {C@ u (.A(a), .E(b), .Z(z));} \
  {path b z -rise_from [get_ports b]}
idle pin.signal_type {cell (C@) { pin (A) { direction : input; <<signal_type : test_scan_in;>> } }}
foreach role {clock enable test out obs} {
  idle pin.clock_gate_${role}_pin \
    "cell (C@) { pin (A) { direction : input; <<clock_gate_${role}_pin : true;>> } }"
}
row pin.timing {1 none} {cell (C@)\
  { %in A% pin (Z) { direction : output; function : "A"; <<%arc A%>> } }}

# --- arcs -----------------------------------------------------------------------------------------
proc timing {body {tables ""}} {
  if {$tables eq ""} { set tables [delays 1] }
  return "cell (C@) { [in A] [in B] pin (Z) { direction : output; function : \"A ^ B\"; timing () {\
    $body $tables } } }"
}
set pinned {C@ u (.A(a), .B(b), .Z(z));}
row timing.related_pin {1 none} [timing {<<related_pin : "A";>>}] $pinned {path a z}
row timing.related_pin {{1 1} {1 none}} [timing {related_pin : "A<< B>>";}] $pinned \
  {list [path a z] [path b z]}
row timing.related_bus_pins {1 none} \
  "type (T) { bit_from : 1; bit_to : 0; } cell (C@) { bus (A) { bus_type : T; direction : input; }
  pin (Z) { direction : output; timing () { <<related_bus_pins : A;>> %delays 1% } } }" $bussed \
  {path b z}
# From both bits to both bits, where related_pin goes bit by bit
row timing.related_bus_pins {{1 1} {1 none}} \
  "type (T) { bit_from : 1; bit_to : 0; } cell (C@) { bus (A) { bus_type : T; direction : input; }
  bus (Z) { bus_type : T; direction : output; timing () { <<related_bus_pins||related_pin>> : A;\
    %delays 1% } } }" \
  {C@ u (.A({a, b}), .Z({z, y}));} {list [path a z] [path a y]}
# With B at 0 the arc is off
row timing.when {none 1} [timing {related_pin : A; <<when : "B";>>}] $pinned \
  {set_case_analysis 0 b; path a z}
row timing.sdf_cond {1 0} [timing {related_pin : A; when : "B"; <<sdf_cond : "B==1'b1";>>}] \
  $pinned {sdf_has "B==1'b1"}
row timing.timing_sense {none 1} \
  [timing {related_pin : A; timing_sense : <<negative_unate||non_unate>>;}] $pinned \
  {path a z -rise_from [get_ports a] -rise_to [get_ports z]}
row timing.timing_sense {none 1} \
  {cell (C@) { %in A% pin (Z)\
    { direction : output; %arc A 1 {<<timing_sense : negative_unate;>>}% } }} $plain \
  {path a z -rise_from [get_ports a] -rise_to [get_ports z]}
row timing.cell_rise {{3 1} {none 1}} \
  [timing {related_pin : A;} {<<%v cell_rise 3%>> %v cell_fall 1%}] $pinned {both z}
row timing.cell_fall {{1 3} {1 none}} \
  [timing {related_pin : A;} {%v cell_rise 1% <<%v cell_fall 3%>>}] $pinned {both z}
row timing.rise_transition {{3 0} {0 0}} \
  [timing {related_pin : A;} {%v cell_rise 1% %v cell_fall 1% <<%v rise_transition 3%>>}] $pinned \
  {slews z}
row timing.fall_transition {{0 3} {0 0}} \
  [timing {related_pin : A;} {%v cell_rise 1% %v cell_fall 1% <<%v fall_transition 3%>>}] $pinned \
  {slews z}
proc constrained {type {tables ""} {related CK}} {
  if {$tables eq ""} { set tables "[v rise_constraint 0.5][v fall_constraint 0.5]" }
  return "cell (C@) { ff (IQ, IQN) { clocked_on : CK; next_state : D; } [clock] [in E]\
    [in D "timing () { related_pin : $related; timing_type : $type; $tables }"] }"
}
row timing.rise_constraint {{9.5 9} {none 9}} \
  [constrained setup_rising {<<%v rise_constraint 0.5%>> %v fall_constraint 1%}] $clocked \
  {slacks max u/D}
row timing.fall_constraint {{9 9.5} {9 none}} \
  [constrained setup_rising {%v rise_constraint 1% <<%v fall_constraint 0.5%>>}] $clocked \
  {slacks max u/D}

# The type of an arc: what its edges are
set edges {<<timing_type : TYPE;>> related_pin : A; timing_sense : non_unate;}
foreach {type answer} {combinational {1 1} combinational_rise {1 none} combinational_fall {none 1}\
  three_state_enable {1 1}
  three_state_enable_rise {1 none} three_state_enable_fall {none 1} three_state_disable {1 1}\
  three_state_disable_rise {1 none}
  three_state_disable_fall {none 1}} {
  row timing.timing_type [list $answer {1 1}] [timing [string map [list TYPE $type] $edges]] \
    {C@ u (.A(a), .B(b), .Z(z));} {both z}
}
# An enabling arc cannot disable: with three_state the two have different edges of the input
row timing.timing_type {9 {}} \
  {cell (C@) { %clock% pin (Q)\
    { direction : output; timing () { related_pin : CK; <<timing_type : rising_edge;>> %delays 1% }\
      } }} \
  {C@ u (.CK(clk), .Q(z));} {if {[arcs CK Q] eq "clock"} { setup z }}
row timing.timing_type {4 9} \
  {cell (C@) { %clock% pin (Q)\
    { direction : output; timing ()\
      { related_pin : CK; timing_type : <<falling||rising>>_edge; %delays 1% } } }} \
  {C@ u (.CK(clk), .Q(z));} {setup z}
foreach {kind side rising falling} \
  {setup max 9.5 4.5 hold min -0.5 4.5 recovery max 9.5 4.5 removal min -0.5 4.5} {
  row timing.timing_type [list [list $rising $rising] [list $falling $falling]] \
    [constrained ${kind}_<<rising||falling>>] $clocked "slacks $side u/D"
}
# Against data that comes at 1 rising and at 3 falling: setup before that, hold against the one of a
# period before
set against {wire e; D@ d (.A(b), .Z(e)); C@ u (.CK(clk), .D(a), .E(e));}
set related {cell (D@) { %in A% pin (Z)\
  { direction : output; function : "A"; timing ()\
    { related_pin : "A"; %v cell_rise 1% %v cell_fall 3% } } }}
row timing.timing_type {{0.5 0.5} {2.5 2.5}} \
  "$related [constrained non_seq_setup_<<rising||falling>> {} E]" $against {slacks max u/D}
row timing.timing_type {{8.5 8.5} {6.5 6.5}} \
  "$related [constrained non_seq_hold_<<rising||falling>> {} E]" $against {slacks min u/D}
row timing.timing_type {{0.5 0} none} \
  [constrained <<skew_rising||setup_rising>> {%v rise_constraint 0.5%}] \
  {C@ u (.CK(clk), .D(clk));} {limit -max_skew u/D}
row timing.timing_type {{2 5} none} \
  {cell (C@) { pin (CK) { direction : input; clock : true; <<timing ()\
    { related_pin : CK; timing_type : min_pulse_width;
  %v rise_constraint 2% }>> } }} {C@ u (.CK(clk));} {limit {} {u/CK (high)} report_pulse_width}
row timing.timing_type {{2 5} none} \
  {cell (C@) { pin (CK) { direction : input; clock : true; <<timing ()\
    { related_pin : CK; timing_type : min_pulse_width;
  %v fall_constraint 2% }>> } }} {C@ u (.CK(clk));} {limit {} {u/CK (low)} report_pulse_width}
row timing.timing_type {{8 10} none} \
  {cell (C@) { pin (CK) { direction : input; clock : true; <<timing ()\
    { related_pin : CK; timing_type : minimum_period;
  %v rise_constraint 8% }>> } }} {C@ u (.CK(clk));} {limit -min_period u/CK}

# Trees inside a cell are no arcs, and such groups need no related pin
foreach type {min_clock_tree_path max_clock_tree_path} {
  row timing.timing_type {1 0} \
    "cell (C@) { pin (CK) { direction : input; clock : true; <<timing () { timing_type : $type; %v\
      cell_rise 2% }>> } }" \
    {C@ u (.CK(clk));} "counted timing.$type"
  row timing.timing_type {0 0} \
    "cell (C@) { pin (CK) { direction : input; clock : true; <<timing () { timing_type : $type; %v\
      cell_rise 2% }>> } }" \
    {C@ u (.CK(clk));} {told LIB-063}
}
# The data's pulse that must not change (constrained pin first), while the clock is high (0 to 5) or
# low (5 to 10): what begins the data's pulse comes 0.5 before the level begins, what ends it stays
# 0.5 after it ends
foreach {type answer} {high_high {{9.5 none} {none -5.5}} high_low {{4.5 none} {none -0.5}}\
  low_high {{none 9.5} {-5.5 none}}
  low_low {{none 4.5} {-0.5 none}}} {
  row timing.timing_type [list $answer {{9.5 9.5} {none none}}] \
    [constrained <<nochange_$type||setup_rising>>] $clocked \
    {list [slacks max u/D] [slacks min u/D]}
}

# --- tables: values that are their axis, asked at a load of 3 or a slew of 4 ----------------------
set loaded {C@ u (.A(a), .Z(z));}
set ask {set_load 3 [get_ports z]; set_input_transition 4 [get_ports a]; rise z}
row library.lu_table_template {3 none} \
  {<<lu_table_template (t) { variable_1 : total_output_net_capacitance; index_1 ("0, 10"); }>>
  cell (C@) { %in A% %out Z A "timing () { related_pin : A; [along cell_rise t] }"% }} $loaded $ask
row library.power_lut_template {3 none} \
  {<<power_lut_template (t) { variable_1 : total_output_net_capacitance; index_1 ("0, 10"); }>>
  cell (C@) { %in A% %out Z A "timing () { related_pin : A; [along cell_rise t] }"% }} $loaded $ask
foreach {variable value} {total_output_net_capacitance 3 input_net_transition 4\
  input_transition_time 4} {
  row lu_table_template.variable_1 [list $value none] \
    "%table {variable_1 : <<$variable||strange>>; index_1 (\"0, 10\");} {\"0, 10\"}%" $loaded $ask
}
# 4 + 30: the slew, and ten times the load
foreach {first second values} \
  {input_net_transition total_output_net_capacitance {"0, 100", "10, 110"}
  total_output_net_capacitance input_net_transition {"0, 10", "100, 110"}} {
  row lu_table_template.variable_2 {34 LIB-009} \
    "%table {variable_1 : $first; <<variable_2 : $second;>> index_1 (\"0, 10\"); index_2 (\"0,\
      10\");} {$values}%" \
    $loaded $ask
}
row lu_table_template.variable_3 {none 34} \
  {%table {variable_1 : input_net_transition; variable_2 : total_output_net_capacitance;
  <<variable_3 : related_out_total_output_net_capacitance;>> index_1 ("0, 10"); index_2 ("0, 10");\
  <<index_3 ("0");>>} {"0, 100", "10, 110"}%} $loaded $ask
row lu_table_template.index_1 {3 LIB-010} \
  {%table {variable_1 : total_output_net_capacitance; <<index_1 ("0, 10");>>} {"0, 10"}%} $loaded \
  $ask
row lu_table_template.index_1 {3 1.5} \
  {%table {variable_1 : total_output_net_capacitance; index_1 ("0, <<10||20>>");} {"0, 10"}%} \
  $loaded $ask
row lu_table_template.index_2 {34 19} \
  {%table {variable_1 : input_net_transition; variable_2 : total_output_net_capacitance;
  index_1 ("0, 10"); index_2 ("0, <<10||20>>");} {"0, 100", "10, 110"}%} $loaded $ask
row lu_table_template.index_3 {1 0} \
  {%table {variable_1 : input_net_transition; variable_2 : total_output_net_capacitance;
  <<index_3 ("0, 1");>> index_1 ("0, 10"); index_2 ("0, 10");} {"0, 100", "10, 110"}%} {} \
  {told LIB-093}
row table.index_1 {1.5 3} {%table {variable_1 : total_output_net_capacitance; index_1 ("0, 10");}\
  {"0, 10"} {<<index_1 ("0, 20");>>}%} $loaded $ask
row table.index_2 {19 34} {%table\
  {variable_1 : input_net_transition; variable_2 : total_output_net_capacitance;
  index_1 ("0, 10"); index_2 ("0, 10");} {"0, 100", "10, 110"} {<<index_2 ("0, 20");>>}%} $loaded \
  $ask
row table.index_3 {LIB-010 34} \
  {%table {variable_1 : input_net_transition; variable_2 : total_output_net_capacitance;
  index_1 ("0, 10"); index_2 ("0, 10");} {"0, 100", "10, 110"} {<<index_3 ("0, 20");>>}%} $loaded \
  $ask
row table.values {3 1} [timing {related_pin : A;} \
  {cell_rise (scalar) { values ("<<3||1>>"); } %v cell_fall 1%}] $pinned
# Constraints: of the clock's slew 2 and of the data's slew 4
foreach {template slack} {clockslew 8 dataslew 6} {
  row lu_table_template.variable_1 [list [list $slack $slack] {9 9}] [constrained setup_rising \
    "rise_constraint (<<$template||scalar>>) { values (\"<<0, 10||1>>\"); } fall_constraint\
    (<<$template||scalar>>) { values (\"<<0, 10||1>>\"); }"] \
    $clocked {set_clock_transition 2 [get_clocks k]; set_input_transition 4 [get_ports a]; slacks\
      max u/D}
}

# --- sigmas: three of 0.1 -------------------------------------------------------------------------
set normal {set_ocv_options -mode normal;}
row timing.ocv_sigma_cell_rise {{1.3 1} {1 1}} \
  [timing {related_pin : A;} {%delays 1% <<%v ocv_sigma_cell_rise 0.1%>>}] $pinned "$normal both z"
row timing.ocv_sigma_cell_fall {{1 1.3} {1 1}} \
  [timing {related_pin : A;} {%delays 1% <<%v ocv_sigma_cell_fall 0.1%>>}] $pinned "$normal both z"
row timing.ocv_sigma_rise_constraint {{8.7 9} {9 9}} \
  [constrained setup_rising {%v rise_constraint 1% %v fall_constraint 1%
  <<%v ocv_sigma_rise_constraint 0.1%>>}] $clocked "$normal slacks max u/D"
row timing.ocv_sigma_fall_constraint {{9 8.7} {9 9}} \
  [constrained setup_rising {%v rise_constraint 1% %v fall_constraint 1%
  <<%v ocv_sigma_fall_constraint 0.1%>>}] $clocked "$normal slacks max u/D"
row table.sigma_type {{1 1.3 1 1} {0.7 1.3 1 1}} \
  [timing {related_pin : A;} \
    {%delays 1% ocv_sigma_cell_rise (scalar) { <<sigma_type : late;>> values ("0.1"); }}] \
  $pinned "$normal corners z"
row timing.ocv_sigma_rise_transition {1 0} \
  [timing {related_pin : A;} {%delays 1% <<%v ocv_sigma_rise_transition 0.1%>>}] {} {told LIB-090}
row timing.ocv_sigma_fall_transition {1 0} \
  [timing {related_pin : A;} {%delays 1% <<%v ocv_sigma_fall_transition 0.1%>>}] {} {told LIB-090}

# --- what other timers use and this one does not: told, once a file -------------------------------
foreach text {{wire_load_table (w) { }} {default_wire_load_selection : s;}\
  {default_wire_load_capacitance : 1;} {default_wire_load_resistance : 1;}
  {rise_net_delay (t) { }} {fall_net_delay (t) { }} {rise_transition_degradation (t) { }}\
  {fall_transition_degradation (t) { }}} {
  row library {1 0} "<<$text $text>> %buf C@%" {} {told LIB-090}
}
row library {1 0} {<<default_ocv_derate_distance_group : g;>> %buf C@%} {} {told LIB-090}
row cell {1 0} {%buf C@ {<<ocv_derate_distance_group : g;>>}%} {} {told LIB-090}
row cell {1 0} {%buf C@ {<<generated_clock (g) { clock_pin : A; } generated_clock (h)\
  { clock_pin : A; }>>}%} {} {told LIB-090}
foreach text {{tlatch (A) { }} {pulse_clock : rise_triggered_high_pulse;} {max_cap (t) { }}\
  {min_cap (t) { }} {max_trans (t) { }}
  {cell_degradation (t) { }} {pin_based_variation () { }}} {
  row pin {1 0} "cell (C@) { %in A% %out Z A {<<$text>>}% }" {} {told LIB-090}
}
foreach text {{cell_degradation (t) { }} {timing_based_variation () { }} {interdependence_id : 1;}\
  {when_start : "A";} {when_end : "A";}
  {rise_propagation (t) { }} {fall_propagation (t) { }} {ocv_mean_shift_cell_rise (t) { }}\
  {ocv_std_dev_cell_fall (t) { }}
  {ocv_skewness_rise_transition (t) { }}} {
  row timing {1 0} [timing "related_pin : A; <<$text>>"] {} {told LIB-090}
}
row lu_table_template {1 0} \
  {lu_table_template (t) { variable_1 : total_output_net_capacitance; index_1 ("0, 1"); <<domain\
    (d) { }>> } %buf C@%} {} {told LIB-090}
row table {1 0} [timing {related_pin : A;} \
  {cell_rise (scalar) { values ("1"); <<domain (d) { }>> } %v cell_fall 1%}] {} {told LIB-090}

# --- words of few values: another one is told -----------------------------------------------------
pending 6 {[known library.scaled_cell]} row library.default_wire_load_mode {1 0} \
  {default_wire_load_mode : <<strange||segmented>>; %buf C@%} {} {told LIB-076}
row pin.direction {1 0} {cell (C@) { pin (A) { direction : <<strange||input>>; } }} {} \
  {told LIB-061}
row pin.clock {1 0} {cell (C@) { pin (A) { direction : input; clock : <<perhaps||true>>; } }} {} \
  {told LIB-061}
row timing.timing_type {1 0} [timing {related_pin : A; timing_type : <<strange||combinational>>;}] \
  {} {told LIB-060}
row timing.timing_sense {1 0} [timing {related_pin : A; timing_sense : <<strange||non_unate>>;}] \
  {} {told LIB-060}
row table.sigma_type {1 0} [timing {related_pin : A;} \
  {%delays 1% ocv_sigma_cell_rise (scalar) { sigma_type : <<strange||late>>; values ("0.1"); }}] \
  {} {told LIB-061}
# A pin that does not say which way it points takes no part: told once a cell
row pin.direction {0 1} {cell (C@)\
  { pin (A) { <<direction : input;>> } pin (B) { <<direction : input;>> } }} {} {told LIB-092}
# The unit of leakage stands for the default as well
row library.default_cell_leakage_power {3000 3} \
  {library (L@) { time_unit : 1ns; capacitive_load_unit (1, pf); leakage_power_unit : <<1uW||1nW>>;
  default_cell_leakage_power : 3; %buf C@% }} {} {cell_prop leakage}

# --- where attributes may stand: at a bus for all its bits, at a bit for itself -------------------
set pair_type {type (T) { bit_from : 1; bit_to : 0; }}
foreach {attribute value actual} \
  {max_transition 2 0 min_transition 2 0 max_capacitance 3 0 min_capacitance 3 0 max_fanout 3 1\
    min_fanout 3 1} {
  row pin.$attribute [list [list [list $value $actual] [list [expr {$value + 2}] $actual]] \
    {none none}] "$pair_type cell (C@) { %in A%
    bus (Z) { bus_type : T; direction : output; function : A; <<$attribute : $value;>> %arc A% pin\
      (Z\[0\]) { <<$attribute : [expr {$value + 2}];>> } } }" \
    {C@ u (.A(a), .Z({z, y}));} \
    "list \[limit -$attribute {u/Z\\\[1\\\]}\] \[limit -$attribute {u/Z\\\[0\\\]}\]"
}
# the sense of each bit is of the bit of its place
row pin.function {{none 1} {1 1}} \
  "$pair_type cell (C@) { bus (A) { bus_type : T; direction : input; }
  bus (Z) { bus_type : T; direction : output; <<function : \"!A\";>> %arc A% } }" \
  {C@ u (.A({a, b}), .Z({z, y}));} \
  {list [path a z -rise_from [get_ports a] -rise_to [get_ports z]] [path b y -rise_from [get_ports\
    b] -fall_to [get_ports y]]}
row pin.three_state {3 7} "$pair_type cell (C@) { bus (E) { bus_type : T; direction : input; }
  bus (Z) { bus_type : T; direction : output; <<three_state : \"!E\";>>
  %arc E 3 {timing_type : three_state_enable;}% %arc E 7 {timing_type : three_state_disable;}% }\
  }" {C@ u (.E({a, b}), .Z({z, y}));} \
  {path b y -rise_from [get_ports b]}
row timing.when {{none 1} {1 1}} \
  "$pair_type cell (C@) { bus (A) { bus_type : T; direction : input; } bus (E) { bus_type : T;\
    direction : input; }
  bus (Z) { bus_type : T; direction : output; %arc A 1 {<<when : \"E\";>>}% } }" \
  {C@ u (.A({a, b}), .E({c, i[0]}), .Z({z, y}));} \
  {set_case_analysis 0 c; list [path a z] [path b y]}

# --- conditions of checks: off where constants make them false ------------------------------------
foreach {type answer} {setup_rising {max 9} hold_rising {min -1} recovery_rising {max 9}\
  removal_rising {min -1}} {
  row timing.when [list none [lindex $answer 1]] \
    "cell (C@) { %clock% %in E% %in D {timing () { related_pin : CK; timing_type : $type; <<when :\
      \"E\";>>
    rise_constraint (scalar) { values (\"1\"); } fall_constraint (scalar) { values (\"1\"); } }}%\
    }" {C@ u (.CK(clk), .D(a), .E(b));} \
    "set_case_analysis 0 b; at u/D slack_[lindex $answer 0]"
}
foreach {type tables script} \
  {min_pulse_width {%v rise_constraint 2%} {limit {} {u/CK (high)} report_pulse_width}
  minimum_period {%v rise_constraint 2%} {limit -min_period u/CK}} {
  row timing.when [list none [expr {$type eq "minimum_period" ? {2 10} : {2 5}}]] \
    "cell (C@) { pin (CK) { direction : input; clock : true;
    timing () { related_pin : CK; timing_type : $type; <<when : \"E\";>> $tables } } %in E% }" \
    {C@ u (.CK(clk), .E(b));} "set_case_analysis 0 b; $script"
}
row timing.when {none 1} {cell (C@)\
  { %clock% %in E% pin (Q) { direction : output; %arc CK 1\
    {timing_type : rising_edge; <<when : "E";>>}% } }} \
  {C@ u (.CK(clk), .E(b), .Q(z));} {set_case_analysis 0 b; rise z}
# Widths and periods also count where the library does not call the pin a clock
row pin.min_pulse_width_high {{2 5} none} \
  {cell (C@) { pin (CK) { direction : input; <<min_pulse_width_high : 2;>> } }} {C@ u (.CK(clk));} \
  {limit {} {u/CK (high)} report_pulse_width}
row pin.min_pulse_width_low {{2 5} none} \
  {cell (C@) { pin (CK) { direction : input; <<min_pulse_width_low : 2;>> } }} {C@ u (.CK(clk));} \
  {limit {} {u/CK (low)} report_pulse_width}
row pin.min_period {{8 10} none} \
  {cell (C@) { pin (CK) { direction : input; <<min_period : 8;>> } }} {C@ u (.CK(clk));} \
  {limit -min_period u/CK}
# ... and at outputs where the clock passes
row pin.min_pulse_width_high {{2 5} none} \
  {cell (C@) { %in A% %out Z A [arc A] {<<min_pulse_width_high : 2;>>}% }} {C@ u (.A(clk));} \
  {limit {} {u/Z (high)} report_pulse_width}
row pin.min_period {{8 10} none} {cell (C@) { %in A% %out Z A [arc A] {<<min_period : 8;>>}% }} \
  {C@ u (.A(clk));} {limit -min_period u/Z}

# --- sigmas of early data: 0.25 and 3 times 0.1 ---------------------------------------------------
row timing.ocv_sigma_rise_constraint {{-0.55 -0.25} {-0.25 -0.25}} \
  [constrained hold_rising {%v rise_constraint 0.25% %v fall_constraint 0.25%
  <<%v ocv_sigma_rise_constraint 0.1%>>}] $clocked "$normal slacks min u/D"
# The latest fall is behind; the clock falls at 5
row timing.timing_type {{0.5 0} none} \
  [constrained <<skew_falling||setup_rising>> {%v fall_constraint 0.5%}] \
  {C@ u (.CK(clk), .D(clk));} {limit -max_skew u/D}

# --- units that stand behind what they are for ----------------------------------------------------
row operating_conditions.voltage {1.2 1.2} \
  {library (L@) { time_unit : 1ns; capacitive_load_unit (1, pf); <<||voltage_unit : 100mV;>>
  nom_voltage : 10; k_volt_cell_rise : 0.1; operating_conditions (oc) { voltage : 12; }\
  default_operating_conditions : oc; <<voltage_unit : 100mV;>> %buf C@% }}
row wire_load.capacitance {21 21} \
  {library (L@) { time_unit : 1ns; <<||capacitive_load_unit (10, pf);>> wire_load (w)\
    { capacitance : 1; fanout_length (1, 1.1); }
  <<capacitive_load_unit (10, pf);>> %buf C@% }} $two {wires; load n}

# --- names of nothing -----------------------------------------------------------------------------
pending 6 {[known library.scaled_cell]} row library.default_operating_conditions {1 0} \
  {operating_conditions (oc) { process : 1; } default_operating_conditions : <<strange||oc>>; %buf\
    C@%} {} {told LIB-076}
pending 6 {[known library.scaled_cell]} row wire_load_selection.wire_load_from_area {1 0} \
  {wire_load (w) { capacitance : 1; fanout_length (1, 1); }
  wire_load_selection (s) { wire_load_from_area (0, 1, <<strange||w>>); } %buf C@%} {} \
  {told LIB-076}
row type.downto {1 0} {type (T) { bit_from : 0; bit_to : 1; <<downto : true;>> } %buf C@%} {} \
  {told LIB-064}

# --- factors of pulse widths, periods, skews and no-change checks: 2 -> 2.4, 8 -> 9.6, margins
# 0.5 -> 0.6
if {[known library.scaled_cell]} {
set limits {cell (C@) { GROUP pin (CK)\
  { direction : input; clock : true; min_pulse_width_high : 2; min_pulse_width_low : 2; min_period\
    : 8; } }}
set rises {cell (C@) { GROUP %clock% %in D\
  {timing () { related_pin : CK; timing_type : skew_rising; rise_constraint (scalar)\
    { values ("0.5"); } }}% }}
set falls {cell (C@) { GROUP %clock% %in D\
  {timing () { related_pin : CK; timing_type : skew_falling; fall_constraint (scalar)\
    { values ("0.5"); } }}% }}
set still {cell (C@) { GROUP %clock% %in D [check CK nochange_high_high 0.5]% }}
set lone {C@ u (.CK(clk));}
set tied {C@ u (.CK(clk), .D(clk));}
set data {C@ u (.CK(clk), .D(a));}
foreach {what answers cell cells script} {
  min_pulse_width_high {{2.4 2} {2 2}} limits lone\
  {list [lindex [limit {} {u/CK (high)} report_pulse_width] 0] [lindex [limit {} {u/CK (low)}\
    report_pulse_width] 0]}
  min_pulse_width_low {{2 2.4} {2 2}} limits lone\
  {list [lindex [limit {} {u/CK (high)} report_pulse_width] 0] [lindex [limit {} {u/CK (low)}\
    report_pulse_width] 0]}
  min_period {{9.6 10} {8 10}} limits lone {limit -min_period u/CK}
  skew_rise {0.6 0.5} rises tied {lindex [limit -max_skew u/D] 0}
  skew_fall {0.6 0.5} falls tied {lindex [limit -max_skew u/D] 0}
  nochange_rise {{9.4 9.5} {9.5 9.5}} still data\
  {list [at u/D slack_max_rise] [expr {[at u/D slack_min_fall] + 15}]}
  nochange_fall {{9.5 9.4} {9.5 9.5}} still data\
  {list [at u/D slack_max_rise] [expr {[at u/D slack_min_fall] + 15}]}
} {
  foreach by {process volt temp} {
    row library.k_${by}_$what $answers \
      "$nom $oc <<k_${by}_$what : 0.4;>> [string map {GROUP {}} [set $cell]]" [set $cells] $script
    row scaling_factors.k_${by}_$what $answers \
      "$nom $oc scaling_factors (g) { <<k_${by}_$what : 0.4;>> }
      [string map {GROUP {scaling_factors : g;}} [set $cell]]" [set $cells] $script
  }
}
# The same factors as those of a library, in a group that the cell names
set checked [string map [list "cell (C@) \x7b" "cell (C@) \x7b scaling_factors : g;"] $checked]
set slow [string map [list "cell (C@) \x7b" "cell (C@) \x7b scaling_factors : g;"] $slow]
foreach {what answers cell cells script} {
  cell_rise {{1.2 1} {1 1}} slow plain {both z}  cell_fall {{1 1.2} {1 1}} slow plain {both z}
  rise_transition {{1.2 1} {1 1}} slow plain {slews z}  fall_transition {{1 1.2} {1 1}} slow plain\
  {slews z}
  setup_rise {{9.4 9.5} {9.5 9.5}} checked flopped {slacks max u/D}  setup_fall\
  {{9.5 9.4} {9.5 9.5}} checked flopped {slacks max u/D}
  hold_rise {{-0.3 -0.25} {-0.25 -0.25}} checked flopped {slacks min u/D}  hold_fall\
  {{-0.25 -0.3} {-0.25 -0.25}} checked flopped {slacks min u/D}
  recovery_rise {{9.4 9.5} {9.5 9.5}} checked flopped {slacks max u/R}  recovery_fall\
  {{9.5 9.4} {9.5 9.5}} checked flopped {slacks max u/R}
  removal_rise {{-0.3 -0.25} {-0.25 -0.25}} checked flopped {slacks min u/R}  removal_fall\
  {{-0.25 -0.3} {-0.25 -0.25}} checked flopped {slacks min u/R}
  pin_cap {1.2 1} slow plain {load a}
} {
  foreach by {process volt temp} {
    row scaling_factors.k_${by}_$what $answers \
      "$nom $oc scaling_factors (g) { <<k_${by}_$what : 0.4;>> } [set $cell]" [set $cells] $script
  }
}
# Wires are not a cell's
foreach what {wire_cap wire_res} {
  foreach by {process volt temp} {
    row scaling_factors.k_${by}_$what {1 0} \
      "$nom $oc scaling_factors (g) { <<k_${by}_$what : 0.4;>> } $slow" {} \
      "counted scaling_factors.k_${by}_$what"
  }
}
# The group in place of the library's factor 1.1; the unit of voltages is the library's there too
row library.scaling_factors {1.2 1.1} \
  "$nom $oc k_process_cell_rise : 0.2; <<scaling_factors (g) { k_process_cell_rise : 0.4; }>> $slow"
row cell.scaling_factors {1.2 1.1} \
  "$nom $oc k_process_cell_rise : 0.2; scaling_factors (g) { k_process_cell_rise : 0.4; } cell (C@)\
  { <<scaling_factors : g;>> %in A%
  %out Z A \[arc A 1\]% }"
row library.voltage_unit {1.2 1.2} \
  {library (L@) { time_unit : 1ns; capacitive_load_unit (1, pf); voltage_unit : <<100mV||1V>>;\
    nom_voltage : 10;
  scaling_factors (g) { k_volt_cell_rise : 0.1; } operating_conditions (oc) { voltage : 12; }\
  default_operating_conditions : oc; %buf C@ {scaling_factors : g;}% }}
row library.scaled_cell {3 1} \
  "$nom $oc %buf C@% <<scaled_cell (C@, oc) { %in A% %out Z A {[arc A 3]}% }>>"

# --- modes: by constants, 1 in the mode that reads, 5 in the one that writes ----------------------
set modes {cell (C@) { %in A% %in W% <<mode_definition (rw)\
  { mode_value (read) { when : "!W"; } mode_value (write) { when : "W"; } }>>
  %out Z A [arc A 1 {mode (rw, read);}] [arc A 5 {mode (rw, write);}]% }}
set moded {C@ u (.A(a), .W(b), .Z(z));}
row cell.mode_definition {1 5} $modes $moded {set_case_analysis 0 b; rise z}
# An arc that lost its mode has no condition: beside one whose condition holds it counts where all
# arcs do
set all_arcs {set_default_arcs always; set_case_analysis 0 b; set r [rise z]; set_default_arcs\
  otherwise; set r}
row mode_definition.mode_value {1 5} \
  [string map {<< "" >> "" "mode_value (write) { when : \"W\"; }" "<<mode_value (write)\
    { when : \"W\"; }>>"} $modes] $moded $all_arcs
row mode_value.when {1 5} [string map {<< "" >> "" "when : \"W\";" "<<when : \"W\";>>"} $modes] \
  $moded $all_arcs
row timing.mode {1 5} [string map {<< "" >> "" "mode (rw, write);" "<<mode (rw, write);>>"} \
  $modes] $moded $all_arcs
row mode_value.sdf_cond {1 0} \
  [string map {<< "" >> "" "when : \"W\";" "when : \"W\"; <<sdf_cond : \"W==1'b1\";>>"} $modes] \
  $moded {sdf_has "W==1'b1"}

# --- groups of pulse widths and periods -----------------------------------------------------------
proc widths {body} {
  return "cell (C@) { pin (CK) { direction : input; clock : true; $body } [in E] }"
}
set lone {C@ u (.CK(clk), .E(b));}
row pin.min_pulse_width {{2 5} none} [widths {<<min_pulse_width () { constraint_high : 2; }>>}] \
  $lone {limit {} {u/CK (high)} report_pulse_width}
row pin.minimum_period {{8 10} none} [widths {<<minimum_period () { constraint : 8; }>>}] $lone \
  {limit -min_period u/CK}
row min_pulse_width.constraint_high {{2 5} none} \
  [widths {min_pulse_width () { <<constraint_high : 2;>> }}] $lone \
  {limit {} {u/CK (high)} report_pulse_width}
row min_pulse_width.constraint_low {{2 5} none} \
  [widths {min_pulse_width () { <<constraint_low : 2;>> }}] $lone \
  {limit {} {u/CK (low)} report_pulse_width}
row min_pulse_width.constraint {{8 10} none} [widths {minimum_period () { <<constraint : 8;>> }}] \
  $lone {limit -min_period u/CK}
row min_pulse_width.when {none {8 10}} \
  [widths {minimum_period () { constraint : 8; <<when : "E";>> }}] $lone \
  {set_case_analysis 0 b; limit -min_period u/CK}
row min_pulse_width.when {none {2 5}} \
  [widths {min_pulse_width () { constraint_low : 2; <<when : "E";>> }}] $lone \
  {set_case_analysis 0 b; limit {} {u/CK (low)} report_pulse_width}
row min_pulse_width.mode {none {2 5}} \
  {cell (C@) { mode_definition (m) { mode_value (on) { when : "E"; } } %in E%
  pin (CK) { direction : input; clock : true; min_pulse_width ()\
    { constraint_low : 2; <<mode (m, on);>> } } }} $lone \
  {set_case_analysis 0 b; limit {} {u/CK (low)} report_pulse_width}
row min_pulse_width.sdf_cond {1 0} \
  [widths {min_pulse_width () { constraint_low : 2; when : "E"; <<sdf_cond : "E==1'b1";>> }}] \
  $lone {sdf_has "E==1'b1"}

# --- retaining times, names of bits ---------------------------------------------------------------
row timing.retaining_rise {{0.5 1 1 1} {1 1 1 1}} \
  [timing {related_pin : A;} {%delays 1% <<%v retaining_rise 0.5%>>}] $pinned {corners z}
row timing.retaining_fall {{1 1 0.5 1} {1 1 1 1}} \
  [timing {related_pin : A;} {%delays 1% <<%v retaining_fall 0.5%>>}] $pinned {corners z}
row timing.retain_rise_slew {{0.5 1} {1 1}} \
  [timing {related_pin : A;} {%delays 1 1% %v retaining_rise 0.5% <<%v retain_rise_slew 0.5%>>}] \
  $pinned \
  {list [at z slew_min_rise] [at z slew_max_rise]}
row timing.retain_fall_slew {{0.5 1} {1 1}} \
  [timing {related_pin : A;} {%delays 1 1% %v retaining_fall 0.5% <<%v retain_fall_slew 0.5%>>}] \
  $pinned \
  {list [at z slew_min_fall] [at z slew_max_fall]}
# Early by the retaining table's sigma, three of 0.1; late by the cell's
foreach {edge result} {rise {{0.2 1 1 1} {0.5 1 1 1}} fall {{1 1 0.2 1} {1 1 0.5 1}}} {
  row timing.ocv_sigma_retaining_$edge $result [timing {related_pin : A;} "%delays 1%
    %v retaining_$edge 0.5% <<%v ocv_sigma_retaining_$edge 0.1%>>"] $pinned "$normal corners z"
  row timing.ocv_sigma_retaining_$edge {1 0} [timing {related_pin : A;} "%delays 1%
    <<%v ocv_sigma_retaining_$edge 0.1%>>"] {} {told LIB-090}
  row timing.retain_${edge}_slew {1 0} [timing {related_pin : A;} "%delays 1 1%
    <<%v retain_${edge}_slew 0.5%>>"] {} {told LIB-090}
  row timing.ocv_sigma_retain_${edge}_slew {1 0} [timing {related_pin : A;} "%delays 1 1%
    %v retaining_$edge 0.5% %v retain_${edge}_slew 0.5% <<%v ocv_sigma_retain_${edge}_slew\
    0.1%>>"] {} {told LIB-090}
}
row table.sigma_type {{0.2 1.3 1 1} {0.35 1.3 1 1}} [timing {related_pin : A;} {%delays 1%
  %v retaining_rise 0.5% %v ocv_sigma_cell_rise 0.1%
  ocv_sigma_retaining_rise (scalar) { <<sigma_type : late;>> values ("0.05"); }}] \
  $pinned "$normal corners z"
# A bit that the bus does not have is a pin of its own; digits right behind the name are not told
# from it
set outside {type (T) { bit_from : 1; bit_to : 0; } cell (C@) { bus (A) { bus_type : T;
  direction : input; capacitance : 1; } pin (A_9) { direction : input; capacitance : 3; } }}
row library.bus_naming_style {3 3} "<<bus_naming_style : \"PERCENTs_PERCENTd\";>> $outside" \
  {C@ u (.A_9(a));} {load a}
row library.bus_naming_style {1 0} {<<bus_naming_style : "PERCENTsPERCENTd";>> %buf C@%} {} \
  {told LIB-071}
row library.bus_naming_style {{3 1} {1 1}} \
  "<<bus_naming_style : \"PERCENTs<PERCENTd>\";>> type (T) { bit_from : 1; bit_to : 0; } cell (C@)\
  { bus (A) { bus_type : T; direction : input;
  capacitance : 1; <<pin (A<1>) { capacitance : 3; }>> } }" {C@ u (.A({a, b}));} \
  {list [load a] [load b]}
}

# --- derates by depth: late 1.3 at depth 1 --------------------------------------------------------
if {[known library.ocv_derate]} {
set depth {ocv_table_template (d) { variable_1 : path_depth; index_1 ("1, 2"); }}
set factors {ocv_derate_factors (d) { derate_type : late; values ("1.3, 1.2"); }}
row library.ocv_table_template {1.3 1} \
  "<<$depth>> ocv_derate (g@) { $factors } default_ocv_derate_group : g@; %buf C@%"
row library.ocv_derate {1.3 1} \
  "$depth <<ocv_derate (g@) { $factors }>> default_ocv_derate_group : g@; %buf C@%"
row cell.ocv_derate {1.3 1} \
  "$depth %buf C@ {<<ocv_derate (g@) { $factors }>> ocv_derate_group : g@;}%"
row ocv_derate.ocv_derate_factors {1.3 1} \
  "$depth ocv_derate (g@) { <<$factors>> } default_ocv_derate_group : g@; %buf C@%"
row library.default_ocv_derate_group {1.3 1} \
  "$depth ocv_derate (g@) { $factors } <<default_ocv_derate_group : g@;>> %buf C@%"
row cell.ocv_derate_group {1.3 1} \
  "$depth ocv_derate (g@) { $factors } %buf C@ {<<ocv_derate_group : g@;>>}%"
# early or late, rising or falling, data or clock
set derated {"$depth ocv_derate (g@) { ocv_derate_factors (d) { $word values (\"1.3, 1.2\"); } }\
  default_ocv_derate_group : g@; %buf C@%"}
foreach {attribute word answer} \
  {derate_type {<<derate_type : late;>>} {{1 1.3 1 1.3} {1.3 1.3 1.3 1.3}}
  rf_type {<<rf_type : rise;>>} {{1.3 1.3 1 1} {1.3 1.3 1.3 1.3}} path_type\
  {<<path_type : clock;>>} {{1 1 1 1} {1.3 1.3 1.3 1.3}}} {
  row table.$attribute $answer [subst -nocommands [lindex $derated 0]] $plain {corners z}
}
foreach {construct text} {library {ocv_arc_depth : 2; %buf C@%} cell\
  {%buf C@ {ocv_arc_depth : 2;}%}} {
  row $construct.ocv_arc_depth {1 0} \
    [string map {"ocv_arc_depth : 2;" "<<ocv_arc_depth : 2;>>"} $text] {} {told OCV-102}
}
row timing.ocv_arc_depth {1 0} [timing {related_pin : A; <<ocv_arc_depth : 2;>>}] {} {told OCV-102}
}

# --- units of each number: ten times as much in units of 10 ns and 10 pF --------------------------
proc tenfold {library} {
  return "library (L@) { time_unit : <<10ns||1ns>>; capacitive_load_unit (<<10||1>>, pf); %set\
    templates% $library }"
}
foreach {attribute unit} {max_transition 2 min_transition 2 max_capacitance 3 min_capacitance 3} {
  row pin.$attribute [list [expr {10 * $unit}] $unit] \
    [tenfold "cell (C@) { %in A% %out Z A {[arc A]} {$attribute : $unit;}% }"] $two \
    "lindex \[limit -$attribute u/Z\] 0"
}
foreach {attribute answer} {min_pulse_width_high {u/CK (high)} min_pulse_width_low {u/CK (low)}} {
  row pin.$attribute {20 2} [tenfold \
    "cell (C@) { pin (CK) { direction : input; clock : true; $attribute : 2; } }"] \
    {C@ u (.CK(clk));} \
    "lindex \[limit {} {$answer} report_pulse_width\] 0"
}
row pin.min_period {20 2} [tenfold \
  {cell (C@) { pin (CK) { direction : input; clock : true; min_period : 2; } }}] \
  {C@ u (.CK(clk));} {lindex [limit -min_period u/CK] 0}
row pin.capacitance {20 2} [tenfold \
  {cell (C@) { pin (A) { direction : input; capacitance : 2; } }}] {C@ u (.A(a));} {load a}
row pin.rise_capacitance_range {40 4} \
  [tenfold {cell (C@) { pin (A)\
    { direction : input; rise_capacitance_range (2, 4); fall_capacitance_range (2, 3); } }}] \
  {C@ u (.A(a));} {load a}
row library.default_max_transition {20 2} [tenfold {default_max_transition : 2; %buf C@%}] $plain \
  {lindex [limit -max_transition u/Z] 0}
row library.default_max_capacitance {20 2} [tenfold {default_max_capacitance : 2; %buf C@%}] \
  $plain {lindex [limit -max_capacitance u/Z] 0}
row library.default_max_fanout {2 2} [tenfold {default_max_fanout : 2; %buf C@%}] $two \
  {lindex [limit -max_fanout u/Z] 0}
row library.default_input_pin_cap {30 3} [tenfold "default_input_pin_cap : 3; $bare"] \
  {C@ u (.A(a));} {load a}
# Values and axes: a line of values that are their axis, also where both have the unit
row table.values {{10 10} {1 1}} [tenfold {%buf C@%}] $plain {both z}
row table.index_1 {3 3} [tenfold \
  [timing {related_pin : A;} {%along cell_rise load% %v cell_fall 1%}]] $pinned $ask
row table.index_1 {40 4} [tenfold \
  [timing {related_pin : A;} \
    {cell_rise (slew) { index_1 ("<<0, 1||0, 10>>"); values ("0, 10"); } %v cell_fall 1%}]] \
    $pinned $ask
row timing.rise_constraint {5 9.5} [tenfold [constrained setup_rising]] $clocked \
  {at u/D slack_max_rise}
row timing.rise_transition {10 1} [tenfold {cell (C@) { %in A% %out Z A [arc A 1 {} 1]% }}] $plain \
  {at z slew_max_rise}
}
