module INV (Y);
  output Y;
endmodule
module top (input c);
  INV m (c, c);
endmodule
