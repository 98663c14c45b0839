/* Structural Verilog: files are parsed into modules, which link.h elaborates into a netlist.

   All files read so far form one VerilogFiles; a module read again replaces the earlier one. */
#ifndef SL_READ_VERILOG_VERILOG_H
#define SL_READ_VERILOG_VERILOG_H

#include "base/log.h"
#include "base/names.h"

typedef struct VerilogFiles VerilogFiles;

VerilogFiles *verilog_files_new(Names *names);      /* names: those of the libraries and the
                                                       netlist; not owned */
void          verilog_files_free(VerilogFiles *files);
size_t        verilog_files_bytes(const VerilogFiles *files);
uint32_t      verilog_module_count(const VerilogFiles *files);

/* Constructs that the files read so far had and that are not used: the next one from *i on (begin
   with 0), its number in *count; NULL after the last. */
const char   *verilog_unused(const VerilogFiles *files, uint32_t *i, uint32_t *count);

/* Adds a file's modules.  A file with an error adds none. */
Status read_verilog(VerilogFiles *files, const char *path, Log *log);
/* The same from memory; path only names it. */
Status read_verilog_text(VerilogFiles *files, const char *path, const char *text, Log *log);

#endif
