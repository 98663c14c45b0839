module top;
  $display("hello");
endmodule
