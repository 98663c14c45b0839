/* Reads structural Verilog. Files are parsed into modules, which link.h elaborates into a netlist.

   All files form one VerilogFiles. A module that is read again replaces the earlier one. */
#ifndef SL_READ_VERILOG_VERILOG_H
#define SL_READ_VERILOG_VERILOG_H

#include "base/log.h"
#include "base/names.h"

typedef struct VerilogFiles VerilogFiles;

VerilogFiles *verilog_files_new(Names *names);      /* names: shared with libraries and netlist; not
                                                       owned */
void          verilog_files_free(VerilogFiles *files);
size_t        verilog_files_bytes(const VerilogFiles *files);
uint32_t      verilog_module_count(const VerilogFiles *files);

/* Visits the constructs that were ignored. Begin with *i = 0; each call returns the next construct
   and its *count, and NULL after the last. */
const char   *verilog_unused(const VerilogFiles *files, uint32_t *i, uint32_t *count);

/* Adds the modules of a file. A file with an error adds none and returns FAILED. */
Status read_verilog(VerilogFiles *files, const char *path, Log *log);
/* The same from memory; path is only its name in messages. */
Status read_verilog_text(VerilogFiles *files, const char *path, const char *text, Log *log);

#endif
