module top;
  INV u (.A(a), .Y(b), .A(c));
endmodule
