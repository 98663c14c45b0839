module top;
  INV u (.A(1'q0));
endmodule
