module top (input a);
  assign 1'b0 = a;
endmodule
