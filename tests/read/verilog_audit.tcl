# The cases of verilog_audit.test: see there.
namespace eval audit {

# --- assign ---------------------------------------------------------------------------------------
row assign {3 none} {wire n, m; BUF u (.A(a), .Z(n)); <<assign m = n;>> BUF v (.A(m), .Z(z));}
row assign {1 none} {<<assign z = a;>>}
row {assign of ports, swapped} {{1 2} {2 1}} {assign {z, y} = <<{a, b}||{b, a}>>;} {sig z y}
row {assign, several} {{1 2} {1 none}} {assign z = a <<, y = b>>;} {sig z y}
row {assign of a bus} {{13 12 11 10} {1 1 1 1}} {assign o = <<i||{4{a}}>>;} bits
row {assign of part selects} {{none 11 10 none} {none 13 12 none}} \
  {assign o[2:1] = <<i[1:0]||i[3:2]>>;} bits
row {assign of a constant} {=1 1} {assign z = <<1'b1||a>>;}
row {assign of constants to a bus} {{=1 =0 =1 =0} {13 12 11 10}} {assign o = <<4'b1010||i>>;} bits
row {assign in brackets} {1 2} {assign z = <<(a)||b>>;}
# Bits from the right; zeros where the right side is narrower
row {assign, right side narrower} {{=0 =0 11 10} {13 12 11 10}} {assign o = i<<[1:0]>>;} bits
row {assign, right side wider} {10 1} {assign z = <<i||a>>;}
says {assign of other widths} {{1 1} {0 0}} {assign o = i<<[1:0]>>;} \
  {list [told VLOG-036] [counted {assigns with}]}
says {assign of a short number} {0 0} {assign o = <<5||4'd5>>;} {told VLOG-036}
says {assign with delay} {{1 1} {1 0}} {assign <<#5>> z = a;} {list [sig z] [told VLOG-032]}
says {assign with strength} {{1 1} {1 0}} {assign <<(strong0, weak1)>> z = a;} \
  {list [sig z] [told VLOG-032]}
refused {assign to a constant} {1 VLOG-027} {assign 1'b0 = a;}
refused {assign of an operator} {1 VLOG-021} {assign z = a & b;}
refused {assign of a choice} {2 VLOG-021} "assign z = \n a ? b : c;"
# Inside a block, the input goes straight out
row {assign in a block} {1 none} \
  {L@ s (.p(a), .q(z)); ===== module L@ (input p, output q); <<assign q = p;>> endmodule}

# --- concatenation and replication ----------------------------------------------------------------
set through {===== module L@ (input [3:0] p, output [3:0] q); assign q = p; endmodule}
row concatenation {{1 2 3 13} {13 3 2 1}} \
  "L@ s (.p(<<{a, b, c, i\[3\]}||{i\[3\], c, b, a}>>), .q(o)); $through" bits
row {concatenation of selects} {{11 10 1 13} {11 10 13 1}} \
  "L@ s (.p({i\[1:0\], <<a, i\[3\]||i\[3\], a>>}), .q(o)); $through" bits
row {concatenation on an output} {{13 12 none none} {11 10 none none}} \
  "wire x, w; L@ s (.p(i), .q({<<o\[3:2\], x, w||x, w, o\[3:2\]>>})); $through" bits
row {concatenation in concatenation} {{1 2 3 1} {1 3 2 1}} \
  {assign o = {{a, <<{b, c}||{c, b}>>}, a};} bits
row replication {{1 1 2 2} {1 2 1 2}} {assign o = {<<{2{a}}, {2{b}}||{2{a, b}}>>};} bits
row {replication of a concatenation} {{1 2 1 2} {1 1 1 2}} \
  {assign o = <<{2{a, b}}||{a, a, a, b}>>;} bits
row {replication of constants} {{=1 =1 1 =0} {=0 =0 1 =1}} \
  {assign o = {{2{<<1'b1||1'b0>>}}, a, {1{<<1'b0||1'b1>>}}};} bits
row {replication by zero} {{1 2 3 1} {1 1 2 3}} {assign o = {<<{0{i}}>><<||a>>, a, b, c <<, a>>};} \
  bits
row {replication, nested} {{1 1 1 1} {1 1 2 2}} {assign o = <<{2{{2{a}}}}||{a, a, b, b}>>;} bits
refused {replication by a name} {1 VLOG-020} {assign o = {b{a}};}

# --- constants ------------------------------------------------------------------------------------
foreach {what value answer} {
  binary 4'b0110 {=0 =1 =1 =0}  capital 4'B0110 {=0 =1 =1 =0}  octal 4'o11 {=1 =0 =0 =1}  decimal\
  4'd9 {=1 =0 =0 =1}
  hexadecimal 4'hA {=1 =0 =1 =0}  small 4'ha {=1 =0 =1 =0}  blanks {4 'b 1010}\
  {=1 =0 =1 =0}  underscores 4'b1_01_0 {=1 =0 =1 =0}
  unsized 'h6 {=0 =1 =1 =0}  integer 6 {=0 =1 =1 =0}  short 4'b11 {=0 =0 =1 =1}  cut 4'h3c\
  {=1 =1 =0 =0}
  x 4'bx01x {none =0 =1 none}  z 4'bz10? {none =1 =0 none}  filled 4'bz\
  {none none none none}  {x of hexadecimal} 4'hx {none none none none}
  {decimal x} 4'dx {none none none none}  signed 4'sb0110 {=0 =1 =1 =0}
} {
  row "constant $what" [list $answer {13 12 11 10}] "assign o = <<$value||i>>;" bits
}
row {constant on a pin} {{=0 =0} {2 3}} {AND2 u (.A(<<1'b0||b>>), .B(a), .Z(z));} {sig u/A z}
row {constant on a bus} {{=1 =0 =0 =1} {13 12 11 10}} "L@ s (.p(<<4'h9||i>>), .q(o)); $through" bits
says {constant of more bits than its size} {{=0 =1 1 1} {=0 =1 0 0}} \
  {assign {z, y} = 2'd<<5||1>>;} \
  {list {*}[sig z y] [told VLOG-060] [counted {constants with more}]}
says {constant of more zeros} {0 0} {assign {z, y} = <<2'h1||2'b1>>;} {told VLOG-060}
says {constant of more x} {0 0} {assign {z, y} = <<2'hx||2'bx>>;} {told VLOG-060}
refused {constant of no size and over 32 bits} {1 VLOG-004} {assign z = 'd4294967296;}
refused {number of over 32 bits} {1 VLOG-004} {assign z = 4294967296;}
says {constant x or z} {{1 1} {0 0}} {assign z = <<1'bx||1'b1>>;} \
  {list [told VLOG-030] [counted {constants with x}]}
# The number's low bit; nothing is lost
says {constant without size on a pin} {{=1 0} {1 0}} {BUF u (.A(<<1||a>>), .Z(z));} \
  {list [sig u/A] [told LINK-005]}
refused {constant without digits} {1 VLOG-004} {assign z = 4'b;}
refused {constant of a real} {1 VLOG-020} {assign z = 1.5;}
refused {constant of a string} {1 VLOG-020} {assign z = "x";}
# A signed number or net alone repeats its left bit; a part of one or an unsigned one does not
row {signed constant} {{=1 =1 =1 =0} {=0 =0 =1 =0}} {assign o = <<2'sb10||2'b10>>;} bits
row {signed net} {{11 11 11 10} {=0 =0 11 10}} {wire <<signed>> [1:0] n = i[1:0]; assign o = n;} \
  bits
row {signed net, declared again} {{11 11 11 10} {=0 =0 11 10}} \
  {wire [1:0] n; <<wire signed [1:0] n;>> assign n = i[1:0]; assign o = n;} bits
row {signed net in a concatenation} {{=0 =0 11 10} {11 11 11 10}} \
  {wire signed [1:0] n = i[1:0]; assign o = <<{n}||n>>;} bits
row {signed net, a part of it} {{=0 =0 11 10} {11 11 11 10}} \
  {wire signed [1:0] n = i[1:0]; assign o = n<<[1:0]>>;} bits
row {unsigned net} {{=0 =0 11 10} {11 11 11 10}} \
  {wire <<unsigned||signed>> [1:0] n = i[1:0]; assign o = n;} bits
row {signed port} {{11 11 11 10} {=0 =0 11 10}} {L@ s (.p(i[1:0]), .q(o)); =====
  module L@ (input <<signed>> [1:0] p, output [3:0] q); assign q = p; endmodule} bits
foreach word {vectored scalared} {
  says $word {{10 1} {10 0}} "wire <<$word>> \[1:0\] n = i\[1:0\]; assign z = n\[0\];" \
    {list {*}[sig z] [counted {vectored and}]}
}
row {constant without size on a bus} {{=1 =0 =0 =1} {13 12 11 10}} \
  "L@ s (.p(<<9||i>>), .q(o)); $through" bits

# Of no size and x or z on the left: so for all bits
row {constant x of no size} {none =0} {wire [39:0] n = <<'bx||1>>; BUF u (.A(n[39]), .Z(z));} \
  {sig u/A}

# --- selects and ranges ---------------------------------------------------------------------------
row {bit select} {12 11} {assign z = i[<<2||1>>];}
row {part select} {{12 11} {11 10}} {assign {z, y} = i[<<2:1||1:0>>];} {sig z y}
row {select by a sum} {13 11} {assign z = i[<<1+2||3-2*1>>];}
row {select by a based number} {12 11} {assign z = i[2'b<<10||01>>];}
row {range ascending} {13 10} {wire [<<0:3||3:0>>] n; assign n = i; assign z = n[0];}
row {range negative} {13 10} {wire [<<-1:2||2:-1>>] n; assign n = i; assign z = n[-1];}
row {range that begins elsewhere} {11 10} {wire [<<7:4||8:5>>] n; assign n = i; assign z = n[5];}
row {range of one bit} {1 none} {wire [5:5] n; <<assign n = a;>> assign z = n[5];}
row {range of a port, ascending} {{10 11 12 13} {13 12 11 10}} \
  {L@ s (.p(i), .q(o)); ===== module L@ (input [<<0:3||3:0>>] p,
  output [3:0] q); assign q = {p[3], p[2], p[1], p[0]}; endmodule} bits
row {range of a port, negative} {{13 none none 10} {10 none none 13}} \
  {L@ s (.p(i), .q({o[3], o[0]})); =====
  module L@ (input [<<2:-1||-1:2>>] p, output [0:1] q); assign q[0] = p[2]; assign q[1] = p[-1];\
  endmodule} bits
# Both ports have i[3] in the left place: bit 0 of the one, bit 3 of the other
row {range of the top, ascending} {{10 13} {13 10}} \
  {module t@ (input [<<0:3||3:0>>] i, output z, y);
  wire [3:0] n = i; assign z = n[3]; assign y = n[0]; endmodule} {sig z y}
refused {bit outside} {1 VLOG-023} {assign z = i[4];}
refused {part select reversed} {1 VLOG-023} {assign {z, y} = i[0:1];}
refused {indexed part select} {1 VLOG-020} {assign {z, y} = i[0 +: 2];}
refused {select of a single net} {1 VLOG-023} {assign z = a[0];}
refused {bit by a net} {1 VLOG-023} {assign z = i[a];}
refused {net of two dimensions} {1 VLOG-021} {wire [1:0][1:0] n;}
refused {memory} {1 VLOG-021} {wire [1:0] n [1:0];}

# --- kinds of nets --------------------------------------------------------------------------------
row wire {3 3} {<<wire n;>> BUF u (.A(a), .Z(n)); BUF v (.A(n), .Z(z));}
row {wire, a bus} {12 {1 VLOG-026}} {<<wire [1:0] n;>> BUF u (.A(i[1]), .Z(n[1])); assign z = n[1];}
row {wire, several in a line} {{11 2} {1 VLOG-026}} \
  {wire [1:0] n<<, m>>; assign n[1] = i[1]; assign m[1] = b; assign z = n[1]; assign y = m[1];} \
  {sig z y}
row {wire with a value} {{2 3} {none 3}} \
  {wire n<< = a>>, m = b; BUF u (.A(n), .Z(z)); BUF v (.A(m), .Z(y));} {sig z y}
row {wire with a constant} {=1 none} {wire n <<= 1'b1>>; BUF u (.A(n), .Z(z));} {sig u/A}
says {wire with a delay} {{1 1} {1 0}} {wire <<#(1,2)>> n = a; assign z = n;} \
  {list [sig z] [told VLOG-032]}
says {wire with a strength} {{1 1} {1 0}} {wire <<(strong1, pull0)>> n = a; assign z = n;} \
  {list [sig z] [told VLOG-032]}
row {wire after its use} {3 3} {BUF u (.A(a), .Z(n)); <<wire n;>> BUF v (.A(n), .Z(z));}
refused {bus after its use} {2 VLOG-024} "BUF u (.A(a), .Z(n));\n wire \[1:0\] n;"
row {undeclared net} {3 2} {BUF u (.A(a), .Z(<<n||z>>)); BUF v (.A(n), .Z(<<z||y>>));}
row {undeclared net of an assign} {1 2} {assign n = <<a||b>>; assign z = n;}
row supply0 {=0 2} {<<supply0||wire>> v; AND2 u (.A(a), .B(v), .Z(z));}
row supply1 {=1 none} {<<supply1||wire>> v; AND2 u (.A(a), .B(v), .Z(z));} {sig u/B}
row {supply1, a bus} {{=1 =1} {none none}} \
  {<<supply1||wire>> [1:0] v; AND2 u (.A(v[1]), .B(v[0]), .Z(z));} {sig u/A u/B}
row {supply0, several} {{=0 =0} {none none}} \
  {<<supply0||wire>> v, w; BUF u (.A(v)); BUF x (.A(w));} {sig u/A x/A}
row {supply0 through an assign} {=0 none} \
  {<<supply0||wire>> v; wire n; assign n = v; BUF u (.A(n), .Z(z));} {sig u/A}
foreach type {tri trireg uwire reg logic} {
  row $type {2 2} "<<$type||wire>> n; assign n = a; BUF u (.A(n), .Z(z));"
  row "$type bus" {12 {1 VLOG-026}} \
    "<<$type \[3:0\] n;>> assign n\[1\] = i\[1\]; BUF u (.A(n\[1\]), .Z(z));"
}
foreach type {wand wor triand trior tri0 tri1 trireg} {
  says $type {{2 1 1} {2 0 0}} "<<$type||wire>> n; assign n = a; BUF u (.A(n), .Z(z));" \
    {list {*}[sig z] [told VLOG-037] [counted {kinds of wired}]}
}
says {wired port} {{1 1} {1 0}} {module t@ (input a, output <<tri1>> z); assign z = a; endmodule} \
  {list {*}[sig z] [told VLOG-037]}
refused {memory of reg} {1 VLOG-021} {reg [1:0] n [0:7];}

# --- names ----------------------------------------------------------------------------------------
row {escaped name} {1 2} {assign z = <<\a ||b>>;}
row {escaped name of a net} {2 3} \
  {wire \n.x[1]/y ; BUF u (.A(<<a||b>>), .Z(\n.x[1]/y )); assign z = \n.x[1]/y ;}
row {escaped name of a cell} {2 absent} {BUF <<\u/v[0].w ||u>> (.A(a), .Z(z));} {sig {u/v[0].w/Z}}
row {escaped name of a module} {1 2} \
  {\L@.[1]/x s (.p(<<a||b>>), .q(z)); ===== module \L@.[1]/x (input p, output q); assign q = p;\
    endmodule}
row {escaped name of a port} {1 2} \
  {L@ s (.\p.[1]/x (<<a||b>>), .q(z)); ===== module L@ (input \p.[1]/x , output q); assign q =\
    \p.[1]/x ; endmodule}
row {escaped name that is a word} {1 2} {wire \wire = <<a||b>>; assign z = \wire ;}
row {escaped name of a bus} {11 10} {wire [1:0] \n.x = i[1:0]; assign z = \n.x [<<1||0>>];}
row {escaped bit without a bus} {1 2} {wire \n[1] = <<a||b>>; assign z = \n[1] ;}
says {escaped bit of a bus} {{11 1} {11 0}} {wire [1:0] n = i[1:0]; assign z = <<\n[1] ||n[1]>>;} \
  {list {*}[sig z] [told VLOG-033]}
says {escaped net beside a bus} {{11 2 1} {11 2 0}} \
  {wire [1:0] n = i[1:0]; wire <<\n[1] ||m>> = b; assign z = n[1]; assign y = <<\n[1] ||m>>;} \
  {list {*}[sig z y] [told VLOG-034]}
row {names with dollar and case} {{1 2} {2 1}} \
  {wire N$1 = <<a||b>>, n$1 = <<b||a>>; assign z = N$1; assign y = n$1;} {sig z y}
refused {hierarchical name} {1 VLOG-020} {BUF u (.A(a), .Z(z)); assign y = u.Z;}
refused {escaped name that is empty} {1 VLOG-003} "assign z = \\ ;"

# --- instances and ports --------------------------------------------------------------------------
set two {===== module L@ (p, q, r, s); input p, q; output r, s; assign r = p; assign s = q;\
  endmodule}
row {ports by position} {{1 2} {2 1}} "L@ s (<<a, b||b, a>>, z, y); $two" {sig z y}
row {ports by position, open} {{none 2} {1 2}} "L@ s (<<>><<||a>>, b, z, y); $two" {sig z y}
row {ports by position, fewer} {{1 none} {1 2}} "L@ s (a, b, z<<>><<||, y>>); $two" {sig z y}
row {ports by name, reordered} {{1 2} {2 1}} \
  "L@ s (.s(y), .r(z), .q(<<b||a>>), .p(<<a||b>>)); $two" {sig z y}
row {port open} {{none 2} {1 2}} "L@ s (.p(<<>><<||a>>), .q(b), .r(z), .s(y)); $two" {sig z y}
row {port not named} {{none 2} {1 2}} "L@ s (<<>><<||.p(a), >>.q(b), .r(z), .s(y)); $two" {sig z y}
row {port of its own name} {2 3} {wire A = <<a||b>>; BUF u (.A, .Z(z));}
row {instance without ports} {none 2} {BUF u (<<>><<||.A(a), .Z(z)>>);}
row {instances, several in a line} {{2 3} {2 none}} {BUF u (.A(a), .Z(z)) <<, v (.A(b), .Z(y))>>;} \
  {sig z y}
says {cell by position} {{2 1} {2 0}} {BUF u (<<a, z||.A(a), .Z(z)>>);} \
  {list {*}[sig z] [told LINK-016]}
# Low bits are matched, the others are open
says {port wider than its net} {{none none 11 10 1} {13 12 11 10 0}} \
  "L@ s (.p(i<<\[1:0\]>>), .q(o)); $through" {list {*}[bits] [told LINK-005]}
says {port narrower than its net} {{none 10 2} {11 10 0}} \
  {L@ s (.p(i<<>><<||[1:0]>>), .q(o[1:0])); =====
  module L@ (input [<<0||1>>:0] p, output [<<0||1>>:0] q); assign q = p; endmodule} \
  {list {*}[lrange [bits] 2 3] [told LINK-005]}
refused {port that is not there} {1 LINK-004} "L@ s (.x(a)); $two"
refused {ports too many} {1 LINK-004} "L@ s (a, b, z, y, c); $two"
refused {port twice} {1 LINK-008} "L@ s (.p(a), .p(b)); $two"
refused {ports by name and position} {1 VLOG-020} "L@ s (.p(a), b); $two"
refused {ports by wildcard} {1 VLOG-021} "L@ s (.*); $two"
refused {instance twice} {1 VLOG-024} {BUF u (.A(a)); BUF u (.A(b));}
refused {array of instances} {1 VLOG-021} {BUF u [3:0] (.A(i), .Z(o));}
says {unknown master} {{1 1} {2 0}} {<<NONE@||BUF>> u (.A(a), .Z(z));} \
  {list {*}[expr {[told LINK-002] ? 1 : [sig z]}] [told LINK-002]}

refused {bit of a port} {1 VLOG-020} "L@ s (.p\[0\](a)); $through"
refused {escaped bit of a port} {1 LINK-004} "L@ s (.\\p\[1\] (a), .q(o)); $through"
row {port open on a bus} {{none 1 none 2} {1 none 2 none}} \
  "wire w, x; L@ s (.p({<<w, a, x, b||a, w, b, x>>}), .q(o)); $through" bits
refused {select of an undeclared net} {1 VLOG-026} {BUF u (.A(n[0]), .Z(z));}
refused {empty concatenation} {1 VLOG-020} {BUF u (.A({}), .Z(z));}
says {two inputs made one} {1 0} {assign z = a; <<assign z = b;>>} {told LINK-012}
says {two outputs on a net} {1 0} {BUF u (.A(a), .Z(z)); BUF v (.A(b), .Z(<<z||y>>));} \
  {told LINK-012}
says {constant on an output} {1 0} {BUF u (.A(a), .Z(<<1'b1||z>>));} {told LINK-018}
says {supply0 and supply1} {{=1 1} {=0 0}} \
  {supply0 g; supply1 v; assign g = <<v||1'b0>>; BUF u (.A(g));} {list {*}[sig u/A] [told LINK-019]}
says {pin that a cell has not} {{2 1} {2 0}} {BUF u (.A(a), .Z(z)<<, .X(b)>>);} \
  {list {*}[sig z] [told LINK-007]}
row {inout through blocks} {2 none} \
  {L@ s (.p(n), .r(m)); L@ t (.p(<<m||k>>), .r(z)); BUF u (.A(a), .Z(n)); =====
  module L@ (.p(x), .r(x)); inout x; endmodule}

# --- headers --------------------------------------------------------------------------------------
row {module of input output endmodule} {1 2} \
  {module t@ (a, b, z); input a, b; output z; assign z = <<a||b>>; endmodule}
row {header with kinds of nets} {1 2} \
  {module t@ (input wire a, input tri b, output reg z); assign z = <<a||b>>; endmodule}
row {header, range goes on to the next name} {2 1} \
  {module t@ (input [1:0] i, <<>><<||input>> j, output z); assign z = i[0]; endmodule} \
  {llength [get_ports j*]}
row {header, a net type without a range has none} {1 2} \
  {module t@ (input [1:0] i, <<wire>> j, output z); assign z = i[0]; endmodule} \
  {llength [get_ports j*]}
row {header, another range} {4 2} \
  {module t@ (input [1:0] i, <<[3:0]>> j, output z); assign z = i[0]; endmodule} \
  {llength [get_ports j*]}
row {direction after a wire} {1 2} \
  {module t@ (a, b, z); wire z; input a; input b; output z; wire a; assign z = <<a||b>>; endmodule}
row inout {inout input} {module t@ (<<inout||input>> a, output z); assign z = a; endmodule} \
  {direction a}
row {inout of a block} {2 3} \
  {L@ s (.p(<<a||b>>), .q(z)); ===== module L@ (inout p, output q); BUF u (.A(p), .Z(q)); endmodule}
row {module without ports} {=1 none} \
  {module t@<< ();||;>> wire n<< = 1'b1>>; BUF u (.A(n)); endmodule} {sig u/A}
row {module without an end of its list} {none none} {module t@ <<||()>>; BUF u (); endmodule} \
  {sig u/A}
row {port expression} {{1 2} {2 1}} {L@ s (.p(<<{a, b}||{b, a}>>), .q(z), .r(y)); =====
  module L@ (.p({x, w}), q, r); input x, w; output q, r; assign q = x; assign r = w; endmodule} \
  {sig z y}
row {port expression, order} {{1 2} {2 1}} {L@ s (.p({a, b}), .q(z), .r(y)); =====
  module L@ (.p({<<x, w||w, x>>}), q, r); input x, w; output q, r; assign q = x; assign r = w;\
  endmodule} {sig z y}
row {port expression, a part} {{11 10} {10 11}} {L@ s (.p(i[1]), .n(i[0]), .q({z, y})); =====
  module L@ (.p(x[<<1||0>>]), .n(x[<<0||1>>]), q); input [1:0] x; output [1:0] q; assign q = x;\
  endmodule} {sig z y}
row {port expression by position} {{1 2} {2 1}} {L@ s ({<<a, b||b, a>>}, {z, y}); =====
  module L@ ({x, w}, {q, r}); input x, w; output q, r; assign q = x; assign r = w; endmodule} \
  {sig z y}
row {port that is a part} {{11 10} {10 11}} {L@ s (i[<<1||0>>], i[<<0||1>>], {z, y}); =====
  module L@ (x[1], x[0], q); input [1:0] x; output [1:0] q; assign q = x; endmodule} {sig z y}
row {port expression, another name} {1 2} \
  {L@ s (.p(<<a||b>>), .q(z)); ===== module L@ (.p(x), .q(w)); input x; output w; assign w = x;\
    endmodule}
row {port expression, empty} {1 2} {L@ s (.p(a), .e(b), .q(z)); =====
  module L@ (<<.p(x), .e()||.p(), .e(x)>>, .q(w)); input x; output w; assign w = x; endmodule}
row {port expression of the top} {{1 2} {2 1}} \
  {module t@ (.a(x), .b(w), .z(q), .y(r)); input x, w; output q, r; assign q = <<x||w>>;
  assign r = <<w||x>>; endmodule} {sig z y}
row {one net on two ports} {{1 1} {1 none}} {L@ s (.p(a), .q(z), .r(y)); =====
  module L@ (p, .q(n), .r(<<n||m>>)); input p; output n<<>><<||, m>>; assign n = p; endmodule} \
  {sig z y}
says {port without direction} {{input 1} {input 0}} \
  {module t@ (a, z); <<>><<||input a;>> output z; BUF u (.A(a), .Z(z)); endmodule} \
  {list [direction a] [told VLOG-043]}
refused {port that is not listed} {1 VLOG-022} {module t@ (a); input a, b; endmodule}
refused {two directions} {1 VLOG-024} {module t@ (a); input a; output a; endmodule}
refused {range of two kinds} {1 VLOG-024} {module t@ (a); input [1:0] a; wire [2:0] a; endmodule}
row macromodule {2 2} {<<macro>>module t@ (input a, output z); BUF u (.A(a), .Z(z)); endmodule}
row {name after endmodule} {2 2} \
  {module t@ (input a, output z); BUF u (.A(a), .Z(z)); endmodule <<: t@>>}
refused {another name after endmodule} {2 VLOG-059} \
  "module t@ (input a, output z); BUF u (.A(a), .Z(z)); endmodule\n: other"
row {several modules} {3 2} \
  {L@ s (.p(a), .q(z)); ===== module L@ (input p, output q); M@ s (.p(p), .q(q)); endmodule
  module M@ (input p, output q); wire n; BUF u (.A(p), .Z(n)); <<BUF v (.A(n), .Z(q));||assign q =\
  n;>> endmodule}
row {two instances of a module} {{2 3} {2 none}} \
  {L@ s (.p(a), .q(z)); <<L@ r (.p(b), .q(y));>> =====
  module L@ (input p, output q); BUF u (.A(p), .Z(q)); endmodule} {sig z y}
refused {module within itself} {3 LINK-006} {L@ s (); ===== module L@ (); L@ s (); endmodule}

# --- parameters -----------------------------------------------------------------------------------
foreach {what text} {
  parameter {<<parameter P = 1, Q = 2;>>}  localparam {<<localparam P = 1;>>}  specparam\
  {<<specparam P = 1;>>}
  defparam {<<defparam u.P = 1, u.Q = 2;>>}  {parameter with a range}\
  {<<parameter signed [3:0] P = 4'd3;>>}
} {
  says $what {{2 1 1} {2 0 0}} "$text BUF u (.A(a), .Z(z));" \
    {list {*}[sig z] [told VLOG-031] [counted {parameters and}]}
}
says {parameter of the header} {{1 1} {1 0}} \
  {module t@ <<#(parameter P = 1, Q = 2)>> (input a, output z); assign z = a; endmodule} \
  {list {*}[sig z] [told VLOG-031]}
says {parameter override} {{2 1} {2 0}} {BUF <<#(.P(1))>> u (.A(a), .Z(z));} \
  {list {*}[sig z] [told VLOG-031]}
says {parameter override by position} {{2 1} {2 0}} {BUF <<#(1, 2)||>> u (.A(a), .Z(z));} \
  {list {*}[sig z] [told VLOG-031]}
# Its value is not known, so where it counts the text is refused
refused {parameter on a pin} {2 VLOG-056} "parameter P = 1'b1;\n BUF u (.A(P), .Z(z));"
refused {second parameter on a pin} {2 VLOG-056} \
  "parameter P = {1'b1, 1'b0}, Q = 1;\n BUF u (.A(Q), .Z(z));"
refused {localparam of an assign} {2 VLOG-056} \
  "localparam signed \[1:0\] P = 1;\n assign {z, y} = P;"
refused {parameter of an assign's bit} {2 VLOG-056} "localparam \[1:0\] P = 1;\n assign z = P\[1\];"
refused {parameter of the header on a pin} {2 VLOG-056} \
  "module t@ #(parameter P = (1), integer Q = 2) (input a, output z);\n BUF u (.A(Q), .Z(z));\
  endmodule"
refused {parameter of the header, without the word} {2 VLOG-056} \
  "module t@ #(P = 1) (input a, output z);\n assign z = P; endmodule"
refused {parameter of the same name as the port} {2 VLOG-056} \
  "parameter A = 1;\n BUF u (.A, .Z(z));"
refused {parameter as a repetition} {2 VLOG-056} "parameter P = 4;\n assign o = {P{a}};"
refused {parameter and net} {2 VLOG-056} "parameter P = 4;\n wire P;"
refused {net and parameter} {2 VLOG-056} "wire P;\n parameter P = 4;"
refused {parameter in a range} {2 VLOG-023} "parameter P = 4;\n wire \[P:0\] n;"
row {parameter of another module} {1 {1}} \
  {L@ s (.p(a), .q(z)); ===== module L@ (input p, output q); <<parameter P = 1;>> assign q = p;\
    endmodule
  module M@ (input p, output q); wire P; assign P = p; assign q = P; endmodule}

# --- gates: no timing, and a message --------------------------------------------------------------
foreach gate {and nand or nor xor xnor} {
  says $gate {{none 1} {2 0}} "<<$gate||OR2>> u (<<z, a, a||.Z(z), .A(a), .B(a)>>);" \
    {list {*}[sig z] [told LINK-010]}
}
foreach gate {buf not bufif0 bufif1 notif0 notif1 nmos pmos rnmos rpmos cmos rcmos tran rtran\
  tranif0 tranif1 rtranif0 rtranif1 pullup pulldown} {
  says $gate {{none 1} {2 0}} "<<$gate||BUF>> u (<<z, a||.Z(z), .A(a)>>);" \
    {list {*}[sig z] [told LINK-010]}
}
# They are written as gates again, by position
proc gates_written {text} {
  answer $text {} 1 1
  set file [open [scratch back.v]]
  set text [regsub -all {\s+} [read $file] { }]
  close $file
  regexp -all -inline {(?:and|buf|not|pullup|bufif1) [^;]*;} $text
}
case {gates written} {audit::gates_written\
  {and u (z, a, i[1]); buf v (o[0], o[1], b), (o[3], b); bufif1 (y, c, a); pullup \p/1 (n); not\
    (o[2], n);}} \
  {{and u (z, a, i[1]);} {buf v (o[0], o[1], b);} {buf buf_1 (o[3], b);}\
    {bufif1 bufif1_2 (y, c, a);} {pullup \p/1 (n);} {not not_3 (o[2], n);}}
case {gate that is connected by name} {audit::gates_written {\buf u (.x(z), .in2(a));}} \
  {{buf u ( .x(z), .in2(a));}}
says {gate without a name} {{none 1} {2 0}} {<<not (z, a);||BUF u (.A(a), .Z(z));>>} \
  {list {*}[sig z] [told LINK-010]}
says {gate with a delay} {{1 1} {1 0}} {not <<#3>> u (z, a);} {list [told LINK-010] [told VLOG-032]}
refused {gate with a strength} {1 VLOG-020} {and (strong0, weak1) u (z, a, b);}
refused {array of gates} {1 VLOG-021} {not u [3:0] (o, i);}

# --- behaviour: refused ---------------------------------------------------------------------------
foreach text {
  "always @(posedge clk) z = a;" "initial z = 0;" "function f; input x; f = x; endfunction" "task\
  f; endtask"
  "generate if (1) BUF u (.A(a), .Z(z)); endgenerate" "genvar g;" "for (g = 0; g < 2; g = g + 1)\
  BUF u ();" "if (1) BUF u ();"
  "case (1) 1: BUF u (); endcase" "integer n;" "real r;" "realtime r;" "time r;" "event e;" "begin\
  end" "else" "end" "while" "repeat" "forever" "wait"
  "fork" "deassign" "force" "release" "disable" "posedge" "negedge" "always_ff" "always_comb"\
  "always_latch" "typedef" "import p::*;" "table" "$display (1);"
} {
  refused [list [lindex [split $text " "] 0]] {2 VLOG-021} "\n $text"
}
foreach text {"primitive p (q, a); endprimitive" "interface p; endinterface" "package p;\
  endpackage" "class p; endclass" "program p; endprogram"
  "config p; endconfig" "library p \"x.v\";" "typedef reg r;" "import p::*;"} {
  refused [list [lindex [split $text " "] 0]] {2 VLOG-021} "t@ext\n $text\n"
}
says {specify endspecify} {{1 1 1} {1 0 0}} \
  {assign z = a; <<specify (a => z) = 3; specparam x = 1; $setup (a, posedge clk, 1);\
    endspecify>>} \
  {list {*}[sig z] [told VLOG-042] [counted {specify blocks}]}
refused {specify without an end} {2 VLOG-020} {specify (a => z) = 1;}

# --- attributes and comments ----------------------------------------------------------------------
says {attribute (* *)} {{2 3} {2 0}} \
  {<<(* keep = "*)" *)>> wire n; <<(* x, y = 1 *)>> BUF <<(* z *)>> u (.A(a), .Z(z));} \
  {list {*}[sig z] [counted {attributes (* *)}]}
row {comment /* */} {none 1} {<</*||>> assign z = a; <<*/||>>}
row {comment //} {none 1} "<<//||>> assign z = a;\n"
row {comment within a statement} {1 2} "assign z /* = b; */ = // b;\n <<a||b>>;"
row {attribute within an instance} {2 3} {BUF u ((* x *) .A(<<a||b>>), .Z(z) (* y *));}
refused {comment without an end} {2 VLOG-002} "\n/* assign z = a;"
refused {attribute without an end} {2 VLOG-002} "\n(* keep wire n;"

# --- directives -----------------------------------------------------------------------------------
row `define {1 2} "\n`define N@ <<a||b>>\nassign z = `N@;"
row {`define of two lines} {{1 2} {1 none}} \
  "\n`define N@ assign z = a; \\\n <<assign y = b;>>\n`N@" {sig z y}
row {`define with a comment} {1 2} "\n`define N@ <<a||b>> // b\nassign z = `N@;"
row {`define again} {2 1} "\n`define N@ a\n<<`define N@ b>>\nassign z = `N@;"
row {`define in `define} {2 1} "\n`define M@ <<b||a>>\n`define N@ `M@\nassign z = `N@;"
row `undef {2 1} "\n`define N@\n<<`undef N@>>\n`ifdef N@\nassign z = a;\n`else\nassign z =\
  b;\n`endif\n"
row {`ifdef `else `endif} {1 2} \
  "\n<<`define N@>>\n`ifdef N@\nassign z = a;\n`else\nassign z = b;\n`endif\n"
row `ifndef {2 1} "\n<<`define N@>>\n`ifndef N@\nassign z = a;\n`else\nassign z = b;\n`endif\n"
row `elsif {2 3} "\n<<`define N@>>\n`ifdef M@\nassign z = a;\n`elsif N@\nassign z =\
  b;\n`else\nassign z = c;\n`endif\n"
row {`ifdef in `ifdef} {3 1} \
  "\n<<`define N@>>\n`ifndef N@\n`ifdef M@\nassign z = b;\n`else\nassign z =\
  a;\n`endif\n`else\nassign z = c;\n`endif\n"
row `include {2 none} "\n<<`include \"part.v\">>\n"
row {`include in what is left out} {none 2} "\n<<`ifdef N@\n>>`include \"part.v\"\n<<`endif\n>>"
row {`include, its macros} {2 {3 VLOG-010}} "\n<<`include \"macros.v\">>\nassign z = `FROM_FILE;"
row {`default_nettype none} {{4 VLOG-026} none} \
  "\n<<`default_nettype none>>\nmodule t@ (input wire a, output wire z);\nassign n = a; endmodule"
row {`default_nettype wire} {1 {4 VLOG-026}} \
  "`default_nettype none\n<<`default_nettype wire>>\nmodule t@ (input a, output z);\nassign n = a;\
  assign z = n; endmodule\n"
row {`default_nettype tri} {1 {4 VLOG-026}} \
  "`default_nettype none\n<<`default_nettype tri>>\nmodule t@ (input a, output z);\nassign n = a;\
  assign z = n; endmodule\n"
row `resetall {1 {4 VLOG-026}} \
  "`default_nettype none\n<<`resetall>>\nmodule t@ (input a, output z);\nassign n = a; assign z =\
  n; endmodule\n"
foreach type {wand wor triand trior tri0 tri1 trireg} {
  says "`default_nettype $type" {{1 1} {1 0}} \
    "`default_nettype <<$type||wire>>\nmodule t@ (input a, output z);\nassign n = a; assign z = n;\
    endmodule\n" \
    {list {*}[sig z] [told VLOG-037]}
}
refused {`default_nettype of another word} {2 VLOG-057} "\n`default_nettype some\n"
refused {`default_nettype without a word} {2 VLOG-057} "\n`default_nettype\n"
# They would change the netlist: pull open inputs, choose cells
foreach {name text} {`unconnected_drive {`unconnected_drive pull1} `uselib {`uselib dir=/lib}} {
  says $name {{none 1} {none 0}} "\n<<$text>>\nBUF u (.A(), .Z(z));\n" \
    {list {*}[sig z] [told VLOG-058]}
}
foreach text {`celldefine `endcelldefine "`timescale 1ns / 1ps" "`line 3 \"x.v\" 0" "`pragma x"\
  `nounconnected_drive "`begin_keywords \"1364-2001\""
  `end_keywords `suppress_faults `nosuppress_faults `enable_portfaults `disable_portfaults\
  `delay_mode_path `delay_mode_zero `delay_mode_unit
  `delay_mode_distributed "`default_decay_time 3" "`default_trireg_strength 3"} {
  says [list [lindex [split $text " "] 0]] {{1 1} {1 0}} "\n<<$text>>\nassign z = a;" \
    {list {*}[sig z] [counted {directives without bearing}]}
}
refused {unknown directive} {2 VLOG-010} "\n`strange\n"
refused {macro with arguments} {3 VLOG-011} "\n`define N@(x) x\nassign z = `N@(a);"
refused {`ifdef without `endif} {2 VLOG-012} "\n`ifdef N@\n"
refused {`endif without `ifdef} {2 VLOG-012} "\n`endif\n"
refused {`else after `else} {4 VLOG-012} "\n`ifdef N@\n`else\n`else\n`endif\n"
refused {`elsif after `else} {4 VLOG-012} "\n`ifndef N@\n`else\n`elsif N@\n`endif\n"
refused {`include of no file} {2 VLOG-014} "\n`include \"none.v\"\n"

# --- files ----------------------------------------------------------------------------------------
row {lines that end with CR LF} {{1 2 3} {1 2 none}} \
  "\r\n`define N@ a\r\nassign z = `N@;\r\nwire \\n.1\r\n = b;\r\nassign y = \\n.1\r\n;\r
// c\r\n`ifdef N@\r\n<<assign o\[0\] = c;>>\r\n`endif\r\n" {sig z y o\[0\]}
refused {no text} {1 VLOG-001} "\x01"
# The modules of a case in several files, compressed or not, in either order
proc files {packed texts} {
  variable number
  begin
  set names {}
  foreach text $texts {
    set text [string map [list @ $number] $text]
    lappend names [file_of part$number-[llength $names].v[expr {$packed ? ".gz" : ""}] \
      [expr {$packed ? [zlib gzip $text] : $text}]]
  }
  read_verilog {*}$names
  link
  sig z y
}
set top {module t@ (input a, b, output z, y); L@ s (.p(a), .q(z)); L@ r (.p(b), .q(y)); endmodule}
set low {module L@ (input p, output q); BUF u (.A(p), .Z(q)); endmodule}
case {several files} [list audit::files 0 [list $top $low]] {2 3}
case {several files, turned} [list audit::files 0 [list $low $top]] {2 3}
case {several files, compressed} [list audit::files 1 [list $top $low]] {2 3}
# The last one counts, also within a file; a design that is linked stays as it is
case {module read twice} [list audit::files 0 \
  [list $top $low [string map {BUF INV .Z(q) .Z() endmodule {assign q = p; endmodule}} $low]]] {1 2}
case {module twice in a file} \
  [list audit::files 0 [list \
    "$low\n[string map {.Z(q) .Z() endmodule {assign q = p; endmodule}} $low]" $top]] {1 2}
# Macros and `default_nettype do not go over to the next file
case {macros of another file} \
  [list audit::files 0 [list "`define N@\n`default_nettype none\n$low" \
    "`ifdef N@\n`else\n$top\n`endif\n"]] {2 3}
# A file with an error adds no module
proc after_an_error {} {
  variable number
  files 0 [list [string map {t@ t@} $::audit::top] $::audit::low]
  catch { read_verilog [file_of bad.v "module L$number (input p, output q); endmodule oops"] }
  link
  sig z y
}
case {file with an error} audit::after_an_error {2 3}

# --- messages name the file and the line of the first such thing ----------------------------------
proc places {} {
  set text "module top (a, y);\n output \[3:0\] y;\n wor w;\n parameter P = 1;\n wire #3 d;\n\
    assign y\[1:0\] = 1'bx;\n wire \[1:0\] n;
 BUF u (.A(\\n\[0\] ), .Z(w));\n specify endspecify\n`unconnected_drive pull0\n\
 endmodule\n`default_nettype tri0\n"
  set script [text_file places.tcl "read_verilog [file_of places.v $text]\nlink_design top"]
  set output [exec [info nameofexecutable] -quiet -no_init -exit $script </dev/null 2>@1]
  lsort [lmap {all line code} [regexp -all -inline {places\.v:(\d+)[^\n]*\[(VLOG-\d+)\]} $output] \
    { list $code $line }]
}
case {places of messages} audit::places \
  {{VLOG-030 6} {VLOG-031 4} {VLOG-032 5} {VLOG-033 8} {VLOG-036 6} {VLOG-037 3} {VLOG-042 9}\
    {VLOG-043 1} {VLOG-058 10}}

# --- each word and directive that the reader knows has a case -------------------------------------
proc text_of {name} {
  set file [open [file join [file dirname \
    [file dirname [file dirname [file normalize [info script]]]]] src read verilog $name]]
  set text [read $file]
  close $file
  return $text
}
proc missing {known} {
  variable covered
  lmap word [lsort -unique $known] {
    if {$word in $covered} continue
    set word
  }
}
variable words [lmap {all word} [regexp -all -inline {X\(\w+, "(\w+)"\)} [text_of verilog_lex.h]] \
  {set word}]
variable directives [regsub -all \
  {.*?(?:word_is\(x, word, ("\w+")|without_effect\[\] = (\{[^\}]*\})|_lines\[\] = (\{[^\}]*\})|$)} \
  [text_of verilog_directive.c] {\1\2\3}]
test verilog_audit-words {words that the reader knows and no case has} {
  audit::missing $audit::words
} {}
test verilog_audit-directives {directives likewise} {
  audit::missing [lmap {all word} [regexp -all -inline {"(\w+)"} $audit::directives] {
    if {$word eq "none"} continue
    set word `$word
  }]
} {}
}
