module top (input a, output reg y);
  always @(a) y = a;
endmodule
