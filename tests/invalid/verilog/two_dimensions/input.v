module top;
  wire [3:0][7:0] a;
endmodule
