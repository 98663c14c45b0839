module top;
  INV u (.A(a[0]));
endmodule
