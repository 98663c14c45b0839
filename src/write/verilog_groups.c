/* Instances of one module share its text as long as no edit made them different: each scope's
   contents are hashed from the inside out, and scopes of one module with equal hashes form a
   group. */
#include <stdlib.h>

#include "base/interrupt.h"
#include "write/verilog_private.h"

static ByScope by_scope(uint32_t scopes, uint32_t count,
                        uint32_t (*scope_of)(const Writer *, uint32_t), const Writer *writer)
{
  ByScope b = { mem_alloc_zero((size_t)scopes + 2, sizeof *b.first),
                mem_alloc(sizeof *b.at * ((size_t)count + 1)) };
  for (uint32_t i = 0; i < count; i++) b.first[scope_of(writer, i) + 2]++;
  for (uint32_t s = 0; s < scopes; s++) b.first[s + 2] += b.first[s + 1];
  for (uint32_t i = 0; i < count; i++) b.at[b.first[scope_of(writer, i) + 1]++] = i;
  return b;
}

static uint32_t scope_of_seg(const Writer *writer, uint32_t seg)
{
  return writer->scope_of[writer->n->segs.at[seg].scope];
}
static uint32_t scope_of_join(const Writer *writer, uint32_t join)
{
  return scope_of_seg(writer, writer->n->joins.at[join].a);
}
static uint32_t scope_of_tie(const Writer *writer, uint32_t tie)
{
  return scope_of_seg(writer, writer->n->ties.at[tie].seg);
}

void write_index(Writer *writer)
{
  const Netlist *n = writer->n;
  writer->scope_of = mem_alloc(sizeof *writer->scope_of * ((size_t)n->insts.len + 1));
  for (InstId i = 0; i < n->insts.len; i++) {
    if (inst_is_leaf(n, i)) continue;
    writer->scope_of[i] = writer->scopes.len;
    array_push(&writer->scopes, i);
  }
  writer->segs = by_scope(writer->scopes.len, n->segs.len, scope_of_seg, writer);
  writer->joins = by_scope(writer->scopes.len, n->joins.len, scope_of_join, writer);
  writer->ties = by_scope(writer->scopes.len, n->ties.len, scope_of_tie, writer);
  writer->seg_flags = mem_alloc_zero((size_t)n->segs.len + 1, 1);
}

void write_index_free(Writer *writer)
{
  ByScope *lists[] = { &writer->segs, &writer->joins, &writer->ties };
  for (int i = 0; i < 3; i++) {
    mem_free(lists[i]->first);
    mem_free(lists[i]->at);
  }
  array_free(&writer->scopes);
  mem_free(writer->scope_of);
  mem_free(writer->group);
  mem_free(writer->module_name);
  mem_free(writer->seg_flags);
}

typedef struct {
  const char *text;
  uint32_t    id;
} Named;

static int compare_names(const void *a, const void *b)
{
  return strcmp(((const Named *)a)->text, ((const Named *)b)->text);
}

void write_sort_ids(const Netlist *n, uint32_t *ids, uint32_t count,
                    NameId (*name_of)(const Netlist *, uint32_t))
{
  Named *named = mem_alloc(sizeof *named * ((size_t)count + 1));
  for (uint32_t i = 0; i < count; i++)
    named[i] = (Named){ names_text(n->names, name_of(n, ids[i])), ids[i] };
  qsort(named, count, sizeof *named, compare_names);
  for (uint32_t i = 0; i < count; i++) ids[i] = named[i].id;
  mem_free(named);
}

static NameId seg_name(const Netlist *n, uint32_t seg) { return n->segs.at[seg].name; }

void write_sort(Writer *writer)
{
  for (uint32_t s = 0; s < writer->scopes.len; s++)
    write_sort_ids(writer->n, writer->segs.at + writer->segs.first[s],
                   writer->segs.first[s + 1] - writer->segs.first[s], seg_name);
}

void write_supplies_of(const Netlist *n, InstId inst, uint32_t *from, uint32_t *to)
{
  uint32_t low = 0, high = n->supplies.len;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (n->supplies.at[middle].inst < inst) low = middle + 1;
    else high = middle;
  }
  for (*from = *to = low; *to < n->supplies.len && n->supplies.at[*to].inst == inst; ++*to) {}
}

/* --- hashing: two independent 64-bit sums ----------------------------------------------------- */
typedef struct { uint64_t a, b; } Hash;

static void mix(Hash *hash, uint32_t x)
{
  hash->a = hash_u64(hash->a ^ x);
  hash->b = (hash->b ^ x) * 0x9fb21c651e98df25ull;
  hash->b ^= hash->b >> 29;
}

static void mix_seg(Hash *hash, const Netlist *n, SegId seg)
{
  mix(hash, seg == NO_SEG ? NO_NAME : n->segs.at[seg].name);
}

static void mix_supplies(Hash *hash, const Writer *writer, InstId inst)
{
  uint32_t from, to;
  write_supplies_of(writer->n, inst, &from, &to);
  for (uint32_t i = from; writer->options->supplies && i < to; i++) {
    const SupplyPin *pin = &writer->n->supplies.at[i];
    mix(hash, pin->pin);
    mix_seg(hash, writer->n, seg_is_live(writer->n, pin->seg) ? pin->seg : NO_SEG);
  }
}

static void mix_children(Hash *hash, const Writer *writer, InstId scope)
{
  const Netlist *n = writer->n;
  for (InstId i = n->insts.at[scope].first_child; i != NO_INST && !interrupt_seen();
       i = n->insts.at[i].next_sibling) {
    const Inst *inst = &n->insts.at[i];
    if (inst->flags & INST_DELETED) continue;
    mix(hash, inst->name);
    mix(hash, inst_is_leaf(n, i) ? inst->master : writer->group[writer->scope_of[i]]);
    for (PinId p = inst->first_pin; p < inst->first_pin + inst->pin_count; p++)
      mix_seg(hash, n, n->pins.at[p].seg);
    mix_supplies(hash, writer, i);
  }
}

static Hash hash_scope(const Writer *writer, uint32_t s)
{
  const Netlist *n = writer->n;
  const Inst *inst = &n->insts.at[writer->scopes.at[s]];
  Hash h = { 1, 2 };
  mix(&h, inst->master);
  for (PinId p = inst->first_pin; p < inst->first_pin + inst->pin_count; p++)
    mix_seg(&h, n, netlist_inner_seg(n, p));
  for (uint32_t i = writer->segs.first[s]; i < writer->segs.first[s + 1]; i++)
    if (seg_is_live(n, writer->segs.at[i])) mix_seg(&h, n, writer->segs.at[i]);
  for (uint32_t i = writer->joins.first[s]; i < writer->joins.first[s + 1]; i++) {
    mix_seg(&h, n, n->joins.at[writer->joins.at[i]].a);
    mix_seg(&h, n, n->joins.at[writer->joins.at[i]].b);
  }
  for (uint32_t i = writer->ties.first[s]; i < writer->ties.first[s + 1]; i++) {
    mix_seg(&h, n, n->ties.at[writer->ties.at[i]].seg);
    mix(&h, n->ties.at[writer->ties.at[i]].flags);
  }
  mix_children(&h, writer, writer->scopes.at[s]);
  return h;
}

/* --- names of the groups' modules ------------------------------------------------------------- */
static NameId free_module_name(const Writer *writer, Map *used, NameId wanted)
{
  NameId name = wanted;
  for (uint32_t k = 1; map_get(used, name) != MAP_NO_VALUE; k++) {
    Text t = { 0 };
    text_printf(&t, "%s_%u", names_text(writer->n->names, wanted), k);
    name = names_add(writer->n->names, t.at, t.len);
    text_free(&t);
  }
  return name;
}

static void name_groups(Writer *writer)
{
  const Netlist *n = writer->n;
  Map *used = map_new(), *first = map_new();
  for (uint32_t m = 0; m < n->modules.len; m++) map_put(used, n->modules.at[m].name, 1);
  for (uint32_t s = 0; s < writer->scopes.len; s++) {
    if (writer->group[s] != s) continue;
    uint32_t module = n->insts.at[writer->scopes.at[s]].master;
    NameId name = n->modules.at[module].name;
    writer->module_name[s] =
        map_get(first, module) == MAP_NO_VALUE ? name : free_module_name(writer, used, name);
    map_put(first, module, s);
    map_put(used, writer->module_name[s], 1);
  }
  map_free(used);
  map_free(first);
}

/* Children have higher ids than their parents, so from the back everything inside is grouped
   already.  A group is known by its last scope while hashing and then renamed to its first. */
void write_groups(Writer *writer)
{
  uint32_t count = writer->scopes.len;
  Hash *hashes = mem_alloc(sizeof *hashes * ((size_t)count + 1));
  Map *known = map_new();
  writer->group = mem_alloc(sizeof *writer->group * ((size_t)count + 1));
  writer->module_name = mem_alloc_zero((size_t)count + 1, sizeof *writer->module_name);
  for (uint32_t s = count; s-- > 0;) {
    hashes[s] = hash_scope(writer, s);
    uint64_t key = hashes[s].a == MAP_NO_KEY ? 0 : hashes[s].a;
    uint32_t same = map_get(known, key);
    writer->group[s] = same != MAP_NO_VALUE && hashes[same].b == hashes[s].b ? same : s;
    if (same == MAP_NO_VALUE) map_put(known, key, s);
  }
  uint32_t *first = mem_alloc(sizeof *first * ((size_t)count + 1));
  for (uint32_t s = count; s-- > 0;) first[writer->group[s]] = s;
  for (uint32_t s = 0; s < count; s++) writer->group[s] = first[writer->group[s]];
  mem_free(first);
  mem_free(hashes);
  map_free(known);
  name_groups(writer);
}
