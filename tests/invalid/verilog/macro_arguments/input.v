`define F(x) x
module top;
  wire `F(a);
endmodule
