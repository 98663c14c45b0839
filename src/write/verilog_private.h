/* The state of the Verilog writer, shared by its files. */
#ifndef SL_WRITE_VERILOG_PRIVATE_H
#define SL_WRITE_VERILOG_PRIVATE_H

#include <stdio.h>
#include <zlib.h>

#include "base/replace.h"
#include "write/verilog_file.h"

/* Flags of a segment during writing. */
enum { SEG_IN_BUS = 1, SEG_DECLARED = 2 };

/* Lists of items by scope: those of scope s are at[first[s]] to at[first[s+1] - 1]. */
typedef struct {
  uint32_t *first, *at;
} ByScope;

typedef struct {
  const Netlist *n;
  const VerilogOptions *options;
  gzFile    file;
  Replacement replacement;
  bool      failed;
  Text      out;
  Map      *keywords;          /* NameId -> 1 + its index in the list of keywords */
  ARRAY(InstId) scopes;        /* hierarchical instances */
  uint32_t *scope_of;          /* by InstId: index in scopes */
  ByScope   segs, joins, ties; /* by index in scopes */
  uint32_t *group;             /* by scope: the first scope with the same text */
  NameId   *module_name;       /* for the first scope of each group */
  uint8_t  *seg_flags;
  uint32_t  made_count;        /* number of nets that were made for the file */
  ARRAY(NameId) aliases;       /* by port of the current module: the net that was made for it,
                                  usually NO_NAME */
} Writer;

/* Supply pins of an instance: supplies.at[*from] to at[*to - 1]. */
void write_supplies_of(const Netlist *n, InstId inst, uint32_t *from, uint32_t *to);

static inline bool seg_is_live(const Netlist *n, SegId s)
{
  return !(n->nets.at[n->segs.at[s].net].flags & NET_DELETED);
}

/* --- verilog.c -------------------------------------------------------------------------------- */
void write_flush(Writer *writer);
const char *write_direction(uint8_t direction);                  /* input, output, inout */

/* --- verilog_groups.c: instances that share a module ----------------------------------------- */
void write_index(Writer *writer);
void write_groups(Writer *writer);
void write_index_free(Writer *writer);
/* sorts the nets of each scope by name */
void write_sort(Writer *writer);
void write_sort_ids(const Netlist *n, uint32_t *ids, uint32_t count,
                    NameId (*name_of)(const Netlist *, uint32_t));

/* --- verilog_names.c -------------------------------------------------------------------------- */
void write_keywords(Writer *writer);
void write_name(Writer *writer, const char *text, size_t length);     /* escaped if needed */
void write_name_id(Writer *writer, NameId name);
/* true for Verilog's own gates (and, buf, ...) */
bool write_is_gate(const Writer *writer, NameId master);
void write_seg(Writer *writer, SegId seg);                            /* a net or a bus bit */
/* For "base[3]" returns true, the length of the base, and the index. */
bool write_split_bit(const char *text, size_t *base, int32_t *index);
/* a name that no net of the scope has */
NameId write_new_name(Writer *writer, InstId scope, const char *stem);
void write_nets(Writer *writer, uint32_t scope);                      /* wire, supply0, supply1 */

/* --- verilog_insts.c -------------------------------------------------------------------------- */
void write_children(Writer *writer, uint32_t scope);

/* --- verilog_stubs.c -------------------------------------------------------------------------- */
/* modules for library cells whose bits the Verilog lists in the opposite order */
void write_stubs(Writer *writer);

#endif
