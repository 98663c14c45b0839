/* Elaboration: makes a netlist from parsed modules and libraries. */
#ifndef SL_READ_LINK_LINK_H
#define SL_READ_LINK_LINK_H

#include "db/netlist.h"
#include "read/verilog/verilog.h"

/* Links the module `top`; NULL means the only module that no other module instantiates. Unknown
   masters become black boxes in `libs`, with a warning, or are an error without allow_black_boxes.
   The files do not change, so another top can be linked later. On success the caller owns *made; on
   failure nothing was made. */
Status link_design(VerilogFiles *files, LibrarySet *libs, const char *top_or_null,
                   bool allow_black_boxes, Log *log, Netlist **made);

#endif
