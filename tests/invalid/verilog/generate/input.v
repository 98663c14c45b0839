module top;
  generate endgenerate
endmodule
