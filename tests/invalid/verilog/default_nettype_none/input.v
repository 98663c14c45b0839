`default_nettype none
module top (input wire a);
  INV u (.A(a), .Y(n));
endmodule
