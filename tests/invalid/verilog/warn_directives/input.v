`uselib dir=/cells
module top (input a, output y);
  `unconnected_drive pull1
  INV u (.A(a), .Y(y));
endmodule
`default_nettype wor
