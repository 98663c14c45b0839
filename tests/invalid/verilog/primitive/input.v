primitive p (y, a); output y; input a; table 0 : 1; endtable endprimitive
