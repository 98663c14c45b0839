/* Names that two objects share: \a/b in a scope, and b inside its instance a. */
#include "db/netlist.h"

enum { MAX_STEPS = 2000 };          /* of one search: bounds hostile names */

typedef struct {
  const Netlist *n;
  bool     net;
  uint32_t self;
  uint32_t steps;
  uint32_t found;
} Search;

static uint32_t look(const Search *search, InstId scope, NameId name)
{
  return map_get(search->net ? search->n->seg_by_name : search->n->inst_by_name,
                 hash_pair(scope, name));
}

/* Segments of one net are no two objects. */
static bool is_other(const Search *search, uint32_t id)
{
  if (id == MAP_NO_VALUE || id == search->self) return false;
  return !search->net || search->n->segs.at[id].net != search->n->segs.at[search->self].net;
}

static void search(Search *the_search, InstId scope, const char *text, size_t length)
{
  const Netlist *n = the_search->n;
  NameId name = length > n->longest_name ? NO_NAME : names_find(n->names, text, length);
  uint32_t id = name == NO_NAME ? MAP_NO_VALUE : look(the_search, scope, name);
  if (is_other(the_search, id)) the_search->found = id;
  size_t last = length <= n->longest_name ? length : n->longest_name + 1;
  for (size_t i = 0; i < last && the_search->found == MAP_NO_VALUE && the_search->steps < MAX_STEPS;
       i++) {
    if (text[i] != NETLIST_SEPARATOR) continue;
    the_search->steps++;
    name = names_find(n->names, text, i);
    InstId inst = name == NO_NAME ? NO_INST : map_get(n->inst_by_name, hash_pair(scope, name));
    if (inst != NO_INST && !inst_is_leaf(n, inst))
      search(the_search, inst, text + i + 1, length - i - 1);
  }
}

static uint32_t same_name(const Netlist *n, bool net, uint32_t id)
{
  Search s = { .n = n, .net = net, .self = id, .found = MAP_NO_VALUE };
  Text t = { 0 };
  if (net) netlist_seg_name(n, id, NETLIST_SEPARATOR, &t);
  else netlist_inst_name(n, id, NETLIST_SEPARATOR, &t);
  search(&s, TOP_INST, text_get(&t), t.len);
  text_free(&t);
  return s.found;
}

InstId netlist_same_name_inst(const Netlist *n, InstId inst) { return same_name(n, false, inst); }
SegId  netlist_same_name_seg(const Netlist *n, SegId seg) { return same_name(n, true, seg); }

static bool has_separator(const Netlist *n, NameId name)
{
  size_t length = names_length(n->names, name);
  return memchr(names_text(n->names, name), NETLIST_SEPARATOR, length) != NULL;
}

static void mark(Netlist *n, NameId name)
{
  if (!has_separator(n, name)) return;
  if (n->shared_names == NULL) n->shared_names = map_new();
  map_put(n->shared_names, name, 1);
}

static void mark_scopes(Netlist *n, InstId inst)
{
  for (; inst != TOP_INST && inst != NO_INST; inst = n->insts.at[inst].parent)
    mark(n, n->insts.at[inst].name);
}

void netlist_part_insts(Netlist *n, InstId a, InstId b)
{
  mark_scopes(n, a);
  mark_scopes(n, b);
}

void netlist_part_segs(Netlist *n, SegId a, SegId b)
{
  SegId both[] = { a, b };
  for (int i = 0; i < 2; i++) {
    mark(n, n->segs.at[both[i]].name);
    mark_scopes(n, n->segs.at[both[i]].scope);
  }
}
