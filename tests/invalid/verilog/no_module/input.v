`define NOTHING
// only a comment
