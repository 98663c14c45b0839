/* Writes a netlist as structural Verilog, with the hierarchy it has. */
#ifndef SL_WRITE_VERILOG_FILE_H
#define SL_WRITE_VERILOG_FILE_H

#include "db/netlist.h"

/* Reads back to the same netlist, but for what Verilog cannot say: an open output bit of a bus
   whose other bits are connected gets a net of its own, and so does a port whose net another port
   has already, joined by an assign. Instances of one module that edits made different get modules
   of their own. Buses of library cells are written in the library's order; where a module that was
   read lists the bits from the other end, the file has a module with the library's order. Bits of
   internal buses are written as buses where none is missing, else as single nets of the same
   name. */
typedef struct {
  bool gzip;
  bool supplies;               /* with cells' power and ground pins */
  bool sorted;                 /* instances and single nets by name; else in order of appearance */
} VerilogOptions;

Status write_verilog(const Netlist *n, const VerilogOptions *options, const char *path, Log *log);

#endif
