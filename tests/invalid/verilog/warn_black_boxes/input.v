module top (input a);
  WHO u (.A(a));
  WHAT v (a, a);
  WHO w ();
endmodule
