module top;
  wire reg;
endmodule
