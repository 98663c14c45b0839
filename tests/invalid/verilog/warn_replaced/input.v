module top; INV u (); endmodule
module top; INV v (); endmodule
