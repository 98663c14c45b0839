module top;
  wire ü;
endmodule
