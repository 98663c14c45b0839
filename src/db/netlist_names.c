/* Builds full names when they are asked for. */
#include "db/netlist.h"

enum { BLOCK = 64 };

static uint32_t depth_of(const Netlist *n, InstId inst)
{
  uint32_t depth = 0;
  for (; inst != TOP_INST && inst != NO_INST; inst = n->insts.at[inst].parent) depth++;
  return depth;
}

static void put_local(const Netlist *n, NameId name, char separator, Text *out)
{
  const char *text = names_text(n->names, name);
  size_t length = names_length(n->names, name);
  if (n->shared_names == NULL || map_get(n->shared_names, name) == MAP_NO_VALUE) {
    text_add(out, text, length);
    return;
  }
  for (size_t i = 0; i < length; i++) {
    if (text[i] == separator) text_char(out, '\\');
    text_char(out, text[i]);
  }
}

/* Parents are known from below and written from above: a block of levels at a time, without
   recursion. */
void netlist_inst_name(const Netlist *n, InstId inst, char separator, Text *text)
{
  uint32_t depth = depth_of(n, inst);
  for (uint32_t done = 0, take; done < depth; done += take) {
    InstId block[BLOCK], i = inst;
    take = depth - done < BLOCK ? depth - done : BLOCK;
    for (uint32_t below = depth - done - take; below; below--) i = n->insts.at[i].parent;
    for (uint32_t k = take; k-- > 0; i = n->insts.at[i].parent) block[k] = i;
    for (uint32_t k = 0; k < take; k++) {
      NameId name = n->insts.at[block[k]].name;
      if (done + k) text_char(text, separator);
      put_local(n, name, separator, text);
    }
  }
}

/* name is local to scope. */
static void name_in(const Netlist *n, InstId scope, NameId name, char separator, Text *text)
{
  if (scope != TOP_INST) {
    netlist_inst_name(n, scope, separator, text);
    text_char(text, separator);
  }
  put_local(n, name, separator, text);
}

void netlist_pin_name(const Netlist *n, PinId pin, char separator, Text *text)
{
  name_in(n, n->pins.at[pin].inst, netlist_pin_port_name(n, pin), separator, text);
}

void netlist_seg_name(const Netlist *n, SegId seg, char separator, Text *text)
{
  name_in(n, n->segs.at[seg].scope, n->segs.at[seg].name, separator, text);
}

void netlist_net_name(const Netlist *n, NetId net, char separator, Text *text)
{
  SegId seg = n->nets.at[net].first_seg;
  if (seg != NO_SEG) netlist_seg_name(n, seg, separator, text);
}
