module top (input c);
  INV m (.A(c));
endmodule
module INV (Y, A);
  output Y; input A;
  assign Y = A;
endmodule
