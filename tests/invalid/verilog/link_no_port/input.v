module low (input a); INV u (.A(a)); endmodule
module top;
  low u (.b(n));
endmodule
