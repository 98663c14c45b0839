module top;
  INV u (a, b, c);
endmodule
