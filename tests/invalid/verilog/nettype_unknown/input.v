`default_nettype strange
module top;
endmodule
