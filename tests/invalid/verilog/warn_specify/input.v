module top (input a, output y);
  specify (a => y) = 1; endspecify
endmodule
