module top (a[3:0]);
  wire [1:0] a;
endmodule
