module top;
  INV u (.A(0'b1));
endmodule
