module top (input a, vssd);
  INV u (.A(a), .TEST(a), .VDD(a), .SUB(vssd), .VNB());
  INV v (.A(a), .TEST(a));
endmodule
