module top (input [3:0] a, output [1:0] y);
  assign y = a[1:2];
endmodule
