module top (a, b);
  input a;
endmodule
