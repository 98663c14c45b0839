module top;
  INV u (.A(1'b2));
endmodule
