`include "nowhere.vh"
module top; endmodule
