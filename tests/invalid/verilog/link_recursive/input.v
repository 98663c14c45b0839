module a; b x (); endmodule
module b; c x (); endmodule
module c;
  a x ();
endmodule
module top; a x (); endmodule
