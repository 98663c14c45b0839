module MEM (CK, AD, Q);
  input CK; input [1000000:0] AD; output [0:-3] Q;
endmodule
module top (input c);
  MEM m (c, c, c);
endmodule
