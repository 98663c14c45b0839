module top (a);
  input a;
  output a;
endmodule
