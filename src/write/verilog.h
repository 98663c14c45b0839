/* Writes a netlist as structural Verilog, with the hierarchy it has. */
#ifndef SL_WRITE_VERILOG_H
#define SL_WRITE_VERILOG_H

#include "db/netlist.h"

/* Reads back to the same netlist.  Instances of one module that edits made different get modules of their own. */
Status write_verilog(const Netlist *n, const char *path, Log *log);

#endif
