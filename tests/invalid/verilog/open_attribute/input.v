module top;
(* keep
