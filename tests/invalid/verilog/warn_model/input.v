module INV (Y, A);
  output Y; input A;
  not (Y, A);
endmodule
module top (input c);
  INV m (.A(c));
endmodule
