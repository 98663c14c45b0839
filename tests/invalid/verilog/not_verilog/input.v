library (x) { }
