module top (input a);
  INV (a);
endmodule
