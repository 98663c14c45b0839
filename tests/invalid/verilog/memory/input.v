module top;
  reg [7:0] mem [0:255];
endmodule
