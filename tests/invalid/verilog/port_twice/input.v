module top (a, a);
  input a;
endmodule
