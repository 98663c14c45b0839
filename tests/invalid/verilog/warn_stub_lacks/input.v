module top (input c, output o);
  NAND m (o, c);
endmodule
module NAND (Y, A); output Y; input A; endmodule
