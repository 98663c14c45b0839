module top (input a, output z);
  parameter ONE = 1;
  AND2 u (.A(a), .B(ONE), .Z(z));
endmodule
