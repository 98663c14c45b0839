/* Writes a netlist as structural Verilog with its hierarchy. */
#ifndef SL_WRITE_VERILOG_FILE_H
#define SL_WRITE_VERILOG_FILE_H

#include "db/netlist.h"

/* The file reads back to the same netlist, with these exceptions. An open output bit of a bus whose
   other bits are connected gets a net of its own. A port that shares its net with another port gets
   a net of its own, joined by an assign. Instances of one module that edits made different get
   separate modules. Buses of library cells are written in the library's order; if a module that was
   read lists the bits in the opposite order, the file has a module with the library's order. The
   bits of an internal bus are written as a bus if none is missing, else as single nets. */
typedef struct {
  bool gzip;
  bool supplies;               /* write the power and ground pins of cells */
  bool sorted;                 /* sort instances and single nets by name; else they keep their order
                                  of appearance */
} VerilogOptions;

Status write_verilog(const Netlist *n, const VerilogOptions *options, const char *path, Log *log);

#endif
