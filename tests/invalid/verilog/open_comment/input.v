module top;
/* begins
 here
