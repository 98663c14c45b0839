module top (input c);
  NAND m (.A(c)); NAND n (.B(c));
endmodule

module NAND (Y, A, B);
  output Y; input A, B;
  INV u (.A(A), .Y(Y));
endmodule
