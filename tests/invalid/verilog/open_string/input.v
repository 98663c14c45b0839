module top;
  defparam u.p = "text
;
endmodule
