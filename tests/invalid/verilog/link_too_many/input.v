module low (input a); INV u (.A(a)); endmodule
module top;
  low u (n, m);
endmodule
