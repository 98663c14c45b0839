`else
module top; endmodule
