module a; INV x (); endmodule
module b; INV x (); endmodule
