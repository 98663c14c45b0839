module top (input [3:0] a);
  INV u[3:0] (.A(a));
endmodule
