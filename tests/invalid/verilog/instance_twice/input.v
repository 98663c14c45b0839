module top;
  INV u ();
  INV u ();
endmodule
