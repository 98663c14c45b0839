module top;
  function f; input a; f = a; endfunction
endmodule
