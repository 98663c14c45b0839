module top (a);
  input [3:0] a;
  wire [4:0] a;
endmodule
