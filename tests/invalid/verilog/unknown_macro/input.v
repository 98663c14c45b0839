module top;
  wire `name;
endmodule
