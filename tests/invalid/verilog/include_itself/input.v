`include "input.v"
