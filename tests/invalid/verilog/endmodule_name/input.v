module top (input a);
endmodule : other
