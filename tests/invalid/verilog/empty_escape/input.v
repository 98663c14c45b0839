module top;
  wire \ ;
endmodule
