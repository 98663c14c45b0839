module top (input a);
`ifdef X
`else
`else
`endif
endmodule
