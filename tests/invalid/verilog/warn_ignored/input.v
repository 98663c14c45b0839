module top #(parameter P = 1) (input a, output [1:0] y);
  wor w;
  INV #(.X(2)) u (.A(1'bx), .Y(w));
  INV v (.A(4'bzzzz));
  assign #2 y = a;
endmodule
