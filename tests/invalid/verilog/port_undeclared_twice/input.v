module top (a, a);
endmodule
