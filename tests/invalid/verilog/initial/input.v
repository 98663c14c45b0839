module top (output reg y);
  initial y = 0;
endmodule
