/* Elaboration: parsed modules and libraries become a netlist. */
#ifndef SL_READ_LINK_LINK_H
#define SL_READ_LINK_LINK_H

#include "db/netlist.h"
#include "read/verilog/verilog.h"

/* top NULL: the only module that no other one instantiates.  Masters that nobody knows become black
   boxes in `libs`, with a warning, or are an error.  The files stay as they are: another top may be
   linked later. On success *made is the caller's; on failure nothing was made. */
Status link_design(VerilogFiles *files, LibrarySet *libs, const char *top_or_null,
                   bool allow_black_boxes, Log *log, Netlist **made);

#endif
