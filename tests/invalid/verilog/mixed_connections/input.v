module top (input a, y);
  INV u (.A(a), y);
endmodule
