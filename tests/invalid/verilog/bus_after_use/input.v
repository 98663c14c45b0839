module top;
  INV u (.A(n));
  wire [3:0] n;
endmodule
