module top (input a);
  INV u (.A(a))
endmodule
