// Two outputs; three outputs over a hierarchy (told once); an input port and an output; black boxes, inouts and
// three-state outputs are not counted.
module low (input a, output y); INV u (.A(a), .Y(y)); endmodule
module top (input a, input b, inout c, output y);
  INV u1 (.A(a), .Y(two));
  INV u2 (.A(b), .Y(two));
  low h1 (.a(a), .y(y));
  low h2 (.a(b), .y(y));
  INV u3 (.A(a), .Y(y));
  INV u4 (.A(a), .Y(b));
  INV u5 (.A(a), .Y(c));
  TRI t1 (.A(a), .E(b), .Y(shared));
  TRI t2 (.A(b), .E(a), .Y(shared));
  INV u6 (.A(a), .Y(shared));
  WHO w (.P(lone));
  INV u7 (.A(a), .Y(lone));
endmodule
