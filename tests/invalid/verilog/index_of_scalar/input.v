module top (input a);
  INV u (.A(a[0]));
endmodule
