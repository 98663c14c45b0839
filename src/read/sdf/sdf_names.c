/* Looks up instances, pins, nets and library arcs that SDF names. */
#include "read/sdf/sdf_private.h"

#include "db/sdf_condition.h"

/* The netlist's own separator, for names that were flattened with another one than the file's
   divider. */
enum { SEPARATOR = '/' };

void sdf_names_begin(SdfReader *r)
{
  r->chains = map_new();
  r->next = mem_alloc(sizeof *r->next * ((size_t)r->libs->arcs.len + 1));
  r->chained = mem_alloc_zero((size_t)r->libs->cells.len + 1, 1);
  r->conditions = names_new();
  r->match_of = map_new();
  r->last_pin = NO_PIN;
}

void sdf_names_end(SdfReader *r)
{
  map_free(r->chains);
  mem_free(r->next);
  mem_free(r->chained);
  names_free(r->conditions);
  map_free(r->match_of);
  array_free(&r->match);
  array_free(&r->matches);
  text_free(&r->plain);
  text_free(&r->last_name);
}

/* --- names of the design ---------------------------------------------------------------------- */
/* Into r->plain, without escapes.  Returns where the last divider is that was not escaped;
   SIZE_MAX: nowhere. */
static size_t plain_name(SdfReader *r, const char *text, uint32_t length)
{
  size_t divider = SIZE_MAX;
  text_clear(&r->plain);
  if (memchr(text, '\\', length) == NULL) {
    text_add(&r->plain, text, length);
    for (size_t i = length; i-- > 0;)
      if (text[i] == r->divider) return i;
    return SIZE_MAX;
  }
  for (uint32_t i = 0; i < length; i++) {
    bool escaped = text[i] == '\\' && i + 1 < length;
    if (escaped) i++;
    else if (text[i] == r->divider) divider = r->plain.len;
    text_char(&r->plain, text[i]);
  }
  return divider;
}

/* Into r->plain, without escapes but those of dividers. */
static const char *parted_name(SdfReader *r, const char *text, uint32_t length)
{
  text_clear(&r->plain);
  for (uint32_t i = 0; i < length; i++) {
    if (text[i] == '\\' && i + 1 < length && text[++i] == r->divider) text_char(&r->plain, '\\');
    text_char(&r->plain, text[i]);
  }
  return text_get(&r->plain);
}

/* The same name with the netlist's separator; false when the file's divider is that. */
static bool other_separator(SdfReader *r)
{
  if (r->divider == SEPARATOR) return false;
  for (size_t i = 0; i < r->plain.len; i++)
    if (r->plain.at[i] == r->divider) r->plain.at[i] = SEPARATOR;
  return true;
}

static InstId local_inst(const SdfReader *r, InstId scope, const char *text, size_t length)
{
  NameId name = names_find(r->n->names, text, length);
  return name == NO_NAME ? NO_INST : map_get(r->n->inst_by_name, hash_pair(scope, name));
}

InstId sdf_find_inst(SdfReader *r, InstId scope, const char *text, uint32_t length)
{
  InstId inst = NO_INST;
  if (r->n->shared_names)
    inst = netlist_find_inst_exactly(r->n, scope, parted_name(r, text, length), r->divider);
  if (inst != NO_INST) return inst;
  plain_name(r, text, length);
  inst = local_inst(r, scope, text_get(&r->plain), r->plain.len);
  if (inst != NO_INST) return inst;
  inst = netlist_find_inst(r->n, scope, text_get(&r->plain), r->divider);
  return inst == NO_INST && other_separator(r)
             ? netlist_find_inst(r->n, scope, text_get(&r->plain), SEPARATOR)
             : inst;
}

static PinId port_of_scope(const SdfReader *r, InstId scope)
{
  NameId name = names_find(r->n->names, text_get(&r->plain), r->plain.len);
  return name == NO_NAME ? NO_PIN : netlist_find_pin_of(r->n, scope, name);
}

PinId sdf_find_pin(SdfReader *r, InstId scope, const char *text, uint32_t length)
{
  PinId exact = NO_PIN;
  if (r->n->shared_names)
    exact = netlist_find_pin_exactly(r->n, scope, parted_name(r, text, length), r->divider);
  if (exact != NO_PIN) return exact;
  size_t cut = plain_name(r, text, length);
  if (cut == SIZE_MAX) return port_of_scope(r, scope);
  const char *plain = text_get(&r->plain);
  InstId inst = local_inst(r, scope, plain, cut);
  NameId port =
      inst == NO_INST ? NO_NAME : names_find(r->n->names, plain + cut + 1, r->plain.len - cut - 1);
  PinId pin = port == NO_NAME ? NO_PIN : netlist_find_pin_of(r->n, inst, port);
  if (pin != NO_PIN) return pin;
  pin = netlist_find_pin(r->n, scope, plain, r->divider);
  return pin == NO_PIN && other_separator(r)
             ? netlist_find_pin(r->n, scope, text_get(&r->plain), SEPARATOR)
             : pin;
}

/* Files give a driver's wires one after the other. */
PinId sdf_find_driver(SdfReader *r, InstId scope, const char *text, uint32_t length)
{
  bool again = r->last_pin != NO_PIN && r->last_scope == scope && r->last_name.len == length &&
               memcmp(r->last_name.at, text, length) == 0;
  if (again) return r->last_pin;
  text_clear(&r->last_name);
  text_add(&r->last_name, text, length);
  r->last_scope = scope;
  return r->last_pin = sdf_find_pin(r, scope, text, length);
}

NetId sdf_find_net(SdfReader *r, InstId scope, const char *text, uint32_t length)
{
  SegId exact = NO_SEG;
  if (r->n->shared_names)
    exact = netlist_find_seg_exactly(r->n, scope, parted_name(r, text, length), r->divider);
  if (exact != NO_SEG) return r->n->segs.at[exact].net;
  plain_name(r, text, length);
  SegId seg = netlist_find_seg(r->n, scope, text_get(&r->plain), r->divider);
  if (seg == NO_SEG && other_separator(r))
    seg = netlist_find_seg(r->n, scope, text_get(&r->plain), SEPARATOR);
  return seg == NO_SEG ? NO_NET : r->n->segs.at[seg].net;
}

NameId sdf_name(SdfReader *r, const char *text, uint32_t length)
{
  if (memchr(text, '\\', length) == NULL) return names_find(r->n->names, text, length);
  plain_name(r, text, length);
  return names_find(r->n->names, text_get(&r->plain), r->plain.len);
}

/* --- library arcs ----------------------------------------------------------------------------- */
/* Goes from the last arc to the first, so that the chains are in the library's order. */
static void chain_cell(SdfReader *r, CellId cell)
{
  const LibCell *c = &r->libs->cells.at[cell];
  r->chained[cell] = 1;
  for (LibArcId a = c->first_arc + c->arc_count; a-- > c->first_arc;) {
    const LibArc *l = &r->libs->arcs.at[a];
    uint64_t key = hash_pair(l->from, l->to);
    uint32_t later = map_get(r->chains, key);
    r->next[a] = later == MAP_NO_VALUE ? NO_LIB_ARC : later;
    map_put(r->chains, key, a);
  }
}

LibArcId sdf_first_arc(SdfReader *r, CellId cell, PortId from, PortId to)
{
  if (!r->chained[cell]) chain_cell(r, cell);
  return map_get(r->chains, hash_pair(from, to));
}

/* Returns the arcs of a chain that have a condition.  They are found once for each text. */
SdfMatch sdf_matches(SdfReader *r, LibArcId first, const char *condition)
{
  uint64_t key = hash_pair(first, names_add_text(r->conditions, condition));
  uint32_t known = map_get(r->match_of, key);
  if (known != MAP_NO_VALUE) return r->match.at[known];
  SdfMatch m = { r->matches.len, 0 };
  for (LibArcId a = first; a != NO_LIB_ARC; a = r->next[a])
    if (sdf_condition_is(r->libs, a, condition)) array_push(&r->matches, a);
  m.count = r->matches.len - m.first;
  map_put(r->match_of, key, r->match.len);
  array_push(&r->match, m);
  return m;
}

/* --- ports ------------------------------------------------------------------------------------ */
static void set_port(SdfReader *r, SdfPort *port, const char *text, uint32_t length, uint8_t edges)
{
  port->name = sdf_name(r, text, length);
  port->edges = edges;
  text_clear(&port->text);
  text_add(&port->text, text, length);
}

/* posedge, negedge, 01, 10; those to and from z and x are no edges of ours. */
static bool edge_of(const SdfLex *lex, uint8_t *edges)
{
  static const struct { const char *word; uint8_t edges;
  } words[] = { { "posedge", 1 << RISE },
                { "negedge", 1 << FALL },
                { "01", 1 << RISE },
                { "10", 1 << FALL },
                { "0z", 0 },
                { "z1", 0 },
                { "1z", 0 },
                { "z0", 0 } };
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (sdf_is(lex, words[i].word)) {
      *edges = words[i].edges;
      return true;
    }
  return false;
}

Status sdf_port(SdfReader *r, SdfPort *port)
{
  SdfLex *lex = &r->lex;
  uint8_t edges;
  text_clear(&port->condition);
  if (lex->token == SDF_WORD) {
    set_port(r, port, lex->text, lex->length, 1 << RISE | 1 << FALL);
    return OK;
  }
  if (lex->token != SDF_OPEN) return sdf_unexpected(lex, "a port");
  sdf_next(lex);
  if (!edge_of(lex, &edges))
    return sdf_unexpected(lex, "an edge (posedge, negedge, 01, 10, 0z, z1, 1z, z0)");
  if (sdf_expect(lex, SDF_WORD, "a port") != OK) return FAILED;
  set_port(r, port, lex->text, lex->length, edges);
  return sdf_expect(lex, SDF_CLOSE, "a )");
}
