module top (input [5:0] d);
  MEM m (.AD(d));
  MEM n (.AD(d[1:0]), .CK(d[1:0]));
  MEM k (.AD(0), .CK(8'b0));
endmodule
