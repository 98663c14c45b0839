/* Looks up instances, pins, nets and library arcs that SDF names. */
#include "read/sdf/sdf_private.h"

#include "db/sdf_condition.h"

/* The netlist's own separator, for names that were flattened with another one than the file's
   divider. */
enum { SEPARATOR = '/' };

void sdf_names_begin(SdfReader *reader)
{
  reader->chains = map_new();
  reader->next = mem_alloc(sizeof *reader->next * ((size_t)reader->libs->arcs.len + 1));
  reader->chained = mem_alloc_zero((size_t)reader->libs->cells.len + 1, 1);
  reader->conditions = names_new();
  reader->match_of = map_new();
  reader->last_pin = NO_PIN;
}

void sdf_names_end(SdfReader *reader)
{
  map_free(reader->chains);
  mem_free(reader->next);
  mem_free(reader->chained);
  names_free(reader->conditions);
  map_free(reader->match_of);
  array_free(&reader->match);
  array_free(&reader->matches);
  text_free(&reader->plain);
  text_free(&reader->last_name);
}

/* --- names of the design ---------------------------------------------------------------------- */
/* Into reader->plain, without escapes.  Returns where the last divider is that was not escaped;
   SIZE_MAX: nowhere. */
static size_t plain_name(SdfReader *reader, const char *text, uint32_t length)
{
  size_t divider = SIZE_MAX;
  text_clear(&reader->plain);
  if (memchr(text, '\\', length) == NULL) {
    text_add(&reader->plain, text, length);
    for (size_t i = length; i-- > 0;)
      if (text[i] == reader->divider) return i;
    return SIZE_MAX;
  }
  for (uint32_t i = 0; i < length; i++) {
    bool escaped = text[i] == '\\' && i + 1 < length;
    if (escaped) i++;
    else if (text[i] == reader->divider) divider = reader->plain.len;
    text_char(&reader->plain, text[i]);
  }
  return divider;
}

/* Into reader->plain, without escapes but those of dividers. */
static const char *parted_name(SdfReader *reader, const char *text, uint32_t length)
{
  text_clear(&reader->plain);
  for (uint32_t i = 0; i < length; i++) {
    if (text[i] == '\\' && i + 1 < length && text[++i] == reader->divider)
      text_char(&reader->plain, '\\');
    text_char(&reader->plain, text[i]);
  }
  return text_get(&reader->plain);
}

/* The same name with the netlist's separator; false when the file's divider is that. */
static bool other_separator(SdfReader *reader)
{
  if (reader->divider == SEPARATOR) return false;
  for (size_t i = 0; i < reader->plain.len; i++)
    if (reader->plain.at[i] == reader->divider) reader->plain.at[i] = SEPARATOR;
  return true;
}

static InstId local_inst(const SdfReader *reader, InstId scope, const char *text, size_t length)
{
  NameId name = names_find(reader->n->names, text, length);
  return name == NO_NAME ? NO_INST : map_get(reader->n->inst_by_name, hash_pair(scope, name));
}

InstId sdf_find_inst(SdfReader *reader, InstId scope, const char *text, uint32_t length)
{
  InstId inst = NO_INST;
  if (reader->n->shared_names)
    inst = netlist_find_inst_exactly(reader->n, scope, parted_name(reader, text, length),
                                     reader->divider);
  if (inst != NO_INST) return inst;
  plain_name(reader, text, length);
  inst = local_inst(reader, scope, text_get(&reader->plain), reader->plain.len);
  if (inst != NO_INST) return inst;
  inst = netlist_find_inst(reader->n, scope, text_get(&reader->plain), reader->divider);
  return inst == NO_INST && other_separator(reader)
             ? netlist_find_inst(reader->n, scope, text_get(&reader->plain), SEPARATOR)
             : inst;
}

static PinId port_of_scope(const SdfReader *reader, InstId scope)
{
  NameId name = names_find(reader->n->names, text_get(&reader->plain), reader->plain.len);
  return name == NO_NAME ? NO_PIN : netlist_find_pin_of(reader->n, scope, name);
}

PinId sdf_find_pin(SdfReader *reader, InstId scope, const char *text, uint32_t length)
{
  PinId exact = NO_PIN;
  if (reader->n->shared_names)
    exact = netlist_find_pin_exactly(reader->n, scope, parted_name(reader, text, length),
                                     reader->divider);
  if (exact != NO_PIN) return exact;
  size_t cut = plain_name(reader, text, length);
  if (cut == SIZE_MAX) return port_of_scope(reader, scope);
  const char *plain = text_get(&reader->plain);
  InstId inst = local_inst(reader, scope, plain, cut);
  NameId port = inst == NO_INST
                    ? NO_NAME
                    : names_find(reader->n->names, plain + cut + 1, reader->plain.len - cut - 1);
  PinId pin = port == NO_NAME ? NO_PIN : netlist_find_pin_of(reader->n, inst, port);
  if (pin != NO_PIN) return pin;
  pin = netlist_find_pin(reader->n, scope, plain, reader->divider);
  return pin == NO_PIN && other_separator(reader)
             ? netlist_find_pin(reader->n, scope, text_get(&reader->plain), SEPARATOR)
             : pin;
}

/* Files give a driver's wires one after the other. */
PinId sdf_find_driver(SdfReader *reader, InstId scope, const char *text, uint32_t length)
{
  bool again = reader->last_pin != NO_PIN && reader->last_scope == scope
               && reader->last_name.len == length
               && memcmp(reader->last_name.at, text, length) == 0;
  if (again) return reader->last_pin;
  text_clear(&reader->last_name);
  text_add(&reader->last_name, text, length);
  reader->last_scope = scope;
  return reader->last_pin = sdf_find_pin(reader, scope, text, length);
}

NetId sdf_find_net(SdfReader *reader, InstId scope, const char *text, uint32_t length)
{
  SegId exact = NO_SEG;
  if (reader->n->shared_names)
    exact = netlist_find_seg_exactly(reader->n, scope, parted_name(reader, text, length),
                                     reader->divider);
  if (exact != NO_SEG) return reader->n->segs.at[exact].net;
  plain_name(reader, text, length);
  SegId seg = netlist_find_seg(reader->n, scope, text_get(&reader->plain), reader->divider);
  if (seg == NO_SEG && other_separator(reader))
    seg = netlist_find_seg(reader->n, scope, text_get(&reader->plain), SEPARATOR);
  return seg == NO_SEG ? NO_NET : reader->n->segs.at[seg].net;
}

NameId sdf_name(SdfReader *reader, const char *text, uint32_t length)
{
  if (memchr(text, '\\', length) == NULL) return names_find(reader->n->names, text, length);
  plain_name(reader, text, length);
  return names_find(reader->n->names, text_get(&reader->plain), reader->plain.len);
}

/* --- library arcs ----------------------------------------------------------------------------- */
/* Goes from the last arc to the first, so that the chains are in the library's order. */
static void chain_cell(SdfReader *reader, CellId cell)
{
  const LibCell *lib_cell = &reader->libs->cells.at[cell];
  reader->chained[cell] = 1;
  for (LibArcId a = lib_cell->first_arc + lib_cell->arc_count; a-- > lib_cell->first_arc;) {
    const LibArc *arc = &reader->libs->arcs.at[a];
    uint64_t key = hash_pair(arc->from, arc->to);
    uint32_t later = map_get(reader->chains, key);
    reader->next[a] = later == MAP_NO_VALUE ? NO_LIB_ARC : later;
    map_put(reader->chains, key, a);
  }
}

LibArcId sdf_first_arc(SdfReader *reader, CellId cell, PortId from, PortId to)
{
  if (!reader->chained[cell]) chain_cell(reader, cell);
  return map_get(reader->chains, hash_pair(from, to));
}

/* Returns the arcs of a chain that have a condition.  They are found once for each text. */
SdfMatch sdf_matches(SdfReader *reader, LibArcId first, const char *condition)
{
  uint64_t key = hash_pair(first, names_add_text(reader->conditions, condition));
  uint32_t known = map_get(reader->match_of, key);
  if (known != MAP_NO_VALUE) return reader->match.at[known];
  SdfMatch m = { reader->matches.len, 0 };
  for (LibArcId a = first; a != NO_LIB_ARC; a = reader->next[a])
    if (sdf_condition_is(reader->libs, a, condition)) array_push(&reader->matches, a);
  m.count = reader->matches.len - m.first;
  map_put(reader->match_of, key, reader->match.len);
  array_push(&reader->match, m);
  return m;
}

/* --- ports ------------------------------------------------------------------------------------ */
static void set_port(SdfReader *reader, SdfPort *port, const char *text, uint32_t length,
                     uint8_t edges)
{
  port->name = sdf_name(reader, text, length);
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

Status sdf_port(SdfReader *reader, SdfPort *port)
{
  SdfLex *lex = &reader->lex;
  uint8_t edges;
  text_clear(&port->condition);
  if (lex->token == SDF_WORD) {
    set_port(reader, port, lex->text, lex->length, 1 << RISE | 1 << FALL);
    return OK;
  }
  if (lex->token != SDF_OPEN) return sdf_unexpected(lex, "a port");
  sdf_next(lex);
  if (!edge_of(lex, &edges))
    return sdf_unexpected(lex, "an edge (posedge, negedge, 01, 10, 0z, z1, 1z, z0)");
  if (sdf_expect(lex, SDF_WORD, "a port") != OK) return FAILED;
  set_port(reader, port, lex->text, lex->length, edges);
  return sdf_expect(lex, SDF_CLOSE, "a )");
}
