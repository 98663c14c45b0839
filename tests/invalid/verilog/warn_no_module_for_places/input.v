module top (input c);
  NAND m (c, c);
  NAND n (c, c);
endmodule
