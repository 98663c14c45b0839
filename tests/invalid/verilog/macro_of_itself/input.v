`define A `A
module `A; endmodule
