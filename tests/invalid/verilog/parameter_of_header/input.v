module top #(parameter [3:0] W = (4), P = 1) (input a, output z);
  assign z = W[1];
endmodule
