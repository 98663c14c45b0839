module top (input a, output y);
  endspecify
endmodule
