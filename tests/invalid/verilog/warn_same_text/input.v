module top (input [1:0] a, input \a[0] , output y);
  INV u (.A(\a[1] ), .Y(y));
endmodule
