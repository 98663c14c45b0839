module top (a);
  input a, b;
endmodule
