module top (input [3:0] a);
  INV u (.A(a[4]));
endmodule
