/* Two objects whose full names are the same text, as Verilog's \a/b and b inside a. */
#include "read/link/link_private.h"

static bool has_separator(const Linker *k, NameId name)
{
  size_t length = names_length(k->names, name);
  return memchr(names_text(k->names, name), NETLIST_SEPARATOR, length) != NULL;
}

static void warn(const Linker *k, const char *what, const Text *a, const Text *b)
{
  log_warning(k->log, "LINK-020", NOWHERE,
              "two %s have the same full name; a separator in a name of its own has a backslash: "
              "'%.200s', '%.200s'", what, text_get(a), text_get(b));
}

/* If both of two names contain a separator, the first one reports. */
static void check_inst(const Linker *k, InstId inst)
{
  Netlist *n = k->n;
  InstId other = netlist_same_name_inst(n, inst);
  if (other == NO_INST || (other < inst && has_separator(k, n->insts.at[other].name))) return;
  Text a = { 0 }, b = { 0 };
  netlist_part_insts(n, inst, other);
  netlist_inst_name(n, other, NETLIST_SEPARATOR, &a);
  netlist_inst_name(n, inst, NETLIST_SEPARATOR, &b);
  warn(k, "cells", &a, &b);
  text_free(&a);
  text_free(&b);
}

static void check_seg(const Linker *k, SegId seg)
{
  Netlist *n = k->n;
  SegId other = netlist_same_name_seg(n, seg);
  if (other == NO_SEG || (other < seg && has_separator(k, n->segs.at[other].name))) return;
  Text a = { 0 }, b = { 0 };
  netlist_part_segs(n, seg, other);
  netlist_seg_name(n, other, NETLIST_SEPARATOR, &a);
  netlist_seg_name(n, seg, NETLIST_SEPARATOR, &b);
  warn(k, "nets", &a, &b);
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
void link_warn_names(Linker *k)
{
  const Netlist *n = k->n;
  if (!has_hierarchy(n)) return;
  for (InstId i = TOP_INST + 1; i < n->insts.len; i++)
    if (has_separator(k, n->insts.at[i].name)) check_inst(k, i);
  for (SegId s = 0; s < n->segs.len; s++)
    if (has_separator(k, n->segs.at[s].name)) check_seg(k, s);
}
