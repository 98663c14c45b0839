/* Two objects whose full names are the same text, as Verilog's \a/b and b inside a. */
#include "read/link/link_private.h"

static bool has_separator(const Linker *linker, NameId name)
{
  size_t length = names_length(linker->names, name);
  return memchr(names_text(linker->names, name), NETLIST_SEPARATOR, length) != NULL;
}

static void warn(const Linker *linker, const char *what, const Text *a, const Text *b)
{
  log_warning(linker->log, "LINK-020", NOWHERE,
              "two %s have the same full name; a separator in a name of its own has a backslash: "
              "'%.200s', '%.200s'",
              what, text_get(a), text_get(b));
}

/* If both of two names contain a separator, the first one reports. */
static void check_inst(const Linker *linker, InstId inst)
{
  Netlist *n = linker->n;
  InstId other = netlist_same_name_inst(n, inst);
  if (other == NO_INST || (other < inst && has_separator(linker, n->insts.at[other].name))) return;
  Text a = { 0 }, b = { 0 };
  netlist_part_insts(n, inst, other);
  netlist_inst_name(n, other, NETLIST_SEPARATOR, &a);
  netlist_inst_name(n, inst, NETLIST_SEPARATOR, &b);
  warn(linker, "cells", &a, &b);
  text_free(&a);
  text_free(&b);
}

static void check_seg(const Linker *linker, SegId seg)
{
  Netlist *n = linker->n;
  SegId other = netlist_same_name_seg(n, seg);
  if (other == NO_SEG || (other < seg && has_separator(linker, n->segs.at[other].name))) return;
  Text a = { 0 }, b = { 0 };
  netlist_part_segs(n, seg, other);
  netlist_seg_name(n, other, NETLIST_SEPARATOR, &a);
  netlist_seg_name(n, seg, NETLIST_SEPARATOR, &b);
  warn(linker, "nets", &a, &b);
  text_free(&a);
  text_free(&b);
}

static bool has_hierarchy(const Netlist *n)
{
  for (InstId i = TOP_INST + 1; i < n->insts.len; i++)
    if (!inst_is_leaf(n, i)) return true;
  return false;
}

/* Names that differ only in where they are split: one of the two has a separator in its last name,
   or the scopes around them have the same name. */
void link_warn_names(Linker *linker)
{
  const Netlist *n = linker->n;
  if (!has_hierarchy(n)) return;
  for (InstId i = TOP_INST + 1; i < n->insts.len; i++)
    if (has_separator(linker, n->insts.at[i].name)) check_inst(linker, i);
  for (SegId s = 0; s < n->segs.len; s++)
    if (has_separator(linker, n->segs.at[s].name)) check_seg(linker, s);
}
