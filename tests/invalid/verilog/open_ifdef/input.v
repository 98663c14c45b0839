module top;
`ifdef A
endmodule
