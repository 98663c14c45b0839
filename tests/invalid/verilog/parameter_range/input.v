module top;
  parameter N = 3;
  wire [N:0] a;
endmodule
