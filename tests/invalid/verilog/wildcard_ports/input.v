module top;
  INV u (.*);
endmodule
