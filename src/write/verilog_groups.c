/* Instances of one module share its text as long as no edit made them different: each scope's
   contents are hashed from the inside out, and scopes of one module with equal hashes form a
   group. */
#include <stdlib.h>

#include "base/interrupt.h"
#include "write/verilog_private.h"

static ByScope by_scope(uint32_t scopes, uint32_t count,
                        uint32_t (*scope_of)(const Writer *, uint32_t), const Writer *w)
{
  ByScope b = { mem_alloc_zero((size_t)scopes + 2, sizeof *b.first),
                mem_alloc(sizeof *b.at * ((size_t)count + 1)) };
  for (uint32_t i = 0; i < count; i++) b.first[scope_of(w, i) + 2]++;
  for (uint32_t s = 0; s < scopes; s++) b.first[s + 2] += b.first[s + 1];
  for (uint32_t i = 0; i < count; i++) b.at[b.first[scope_of(w, i) + 1]++] = i;
  return b;
}

static uint32_t scope_of_seg(const Writer *w, uint32_t seg)
{
  return w->scope_of[w->n->segs.at[seg].scope];
}
static uint32_t scope_of_join(const Writer *w, uint32_t join)
{
  return scope_of_seg(w, w->n->joins.at[join].a);
}
static uint32_t scope_of_tie(const Writer *w, uint32_t tie)
{
  return scope_of_seg(w, w->n->ties.at[tie].seg);
}

void write_index(Writer *w)
{
  const Netlist *n = w->n;
  w->scope_of = mem_alloc(sizeof *w->scope_of * ((size_t)n->insts.len + 1));
  for (InstId i = 0; i < n->insts.len; i++) {
    if (inst_is_leaf(n, i)) continue;
    w->scope_of[i] = w->scopes.len;
    array_push(&w->scopes, i);
  }
  w->segs = by_scope(w->scopes.len, n->segs.len, scope_of_seg, w);
  w->joins = by_scope(w->scopes.len, n->joins.len, scope_of_join, w);
  w->ties = by_scope(w->scopes.len, n->ties.len, scope_of_tie, w);
  w->seg_flags = mem_alloc_zero((size_t)n->segs.len + 1, 1);
}

void write_index_free(Writer *w)
{
  ByScope *lists[] = { &w->segs, &w->joins, &w->ties };
  for (int i = 0; i < 3; i++) {
    mem_free(lists[i]->first);
    mem_free(lists[i]->at);
  }
  array_free(&w->scopes);
  mem_free(w->scope_of);
  mem_free(w->group);
  mem_free(w->module_name);
  mem_free(w->seg_flags);
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

void write_sort(Writer *w)
{
  for (uint32_t s = 0; s < w->scopes.len; s++)
    write_sort_ids(w->n, w->segs.at + w->segs.first[s], w->segs.first[s + 1] - w->segs.first[s],
                   seg_name);
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

static void mix(Hash *h, uint32_t x)
{
  h->a = hash_u64(h->a ^ x);
  h->b = (h->b ^ x) * 0x9fb21c651e98df25ull;
  h->b ^= h->b >> 29;
}

static void mix_seg(Hash *h, const Netlist *n, SegId seg)
{
  mix(h, seg == NO_SEG ? NO_NAME : n->segs.at[seg].name);
}

static void mix_supplies(Hash *h, const Writer *w, InstId inst)
{
  uint32_t from, to;
  write_supplies_of(w->n, inst, &from, &to);
  for (uint32_t i = from; w->options->supplies && i < to; i++) {
    const SupplyPin *p = &w->n->supplies.at[i];
    mix(h, p->pin);
    mix_seg(h, w->n, seg_is_live(w->n, p->seg) ? p->seg : NO_SEG);
  }
}

static void mix_children(Hash *h, const Writer *w, InstId scope)
{
  const Netlist *n = w->n;
  for (InstId i = n->insts.at[scope].first_child; i != NO_INST && !interrupt_seen();
       i = n->insts.at[i].next_sibling) {
    const Inst *inst = &n->insts.at[i];
    if (inst->flags & INST_DELETED) continue;
    mix(h, inst->name);
    mix(h, inst_is_leaf(n, i) ? inst->master : w->group[w->scope_of[i]]);
    for (PinId p = inst->first_pin; p < inst->first_pin + inst->pin_count; p++)
      mix_seg(h, n, n->pins.at[p].seg);
    mix_supplies(h, w, i);
  }
}

static Hash hash_scope(const Writer *w, uint32_t s)
{
  const Netlist *n = w->n;
  const Inst *inst = &n->insts.at[w->scopes.at[s]];
  Hash h = { 1, 2 };
  mix(&h, inst->master);
  for (PinId p = inst->first_pin; p < inst->first_pin + inst->pin_count; p++)
    mix_seg(&h, n, netlist_inner_seg(n, p));
  for (uint32_t i = w->segs.first[s]; i < w->segs.first[s + 1]; i++)
    if (seg_is_live(n, w->segs.at[i])) mix_seg(&h, n, w->segs.at[i]);
  for (uint32_t i = w->joins.first[s]; i < w->joins.first[s + 1]; i++) {
    mix_seg(&h, n, n->joins.at[w->joins.at[i]].a);
    mix_seg(&h, n, n->joins.at[w->joins.at[i]].b);
  }
  for (uint32_t i = w->ties.first[s]; i < w->ties.first[s + 1]; i++) {
    mix_seg(&h, n, n->ties.at[w->ties.at[i]].seg);
    mix(&h, n->ties.at[w->ties.at[i]].flags);
  }
  mix_children(&h, w, w->scopes.at[s]);
  return h;
}

/* --- names of the groups' modules ------------------------------------------------------------- */
static NameId free_module_name(const Writer *w, Map *used, NameId wanted)
{
  NameId name = wanted;
  for (uint32_t k = 1; map_get(used, name) != MAP_NO_VALUE; k++) {
    Text t = { 0 };
    text_printf(&t, "%s_%u", names_text(w->n->names, wanted), k);
    name = names_add(w->n->names, t.at, t.len);
    text_free(&t);
  }
  return name;
}

static void name_groups(Writer *w)
{
  const Netlist *n = w->n;
  Map *used = map_new(), *first = map_new();
  for (uint32_t m = 0; m < n->modules.len; m++) map_put(used, n->modules.at[m].name, 1);
  for (uint32_t s = 0; s < w->scopes.len; s++) {
    if (w->group[s] != s) continue;
    uint32_t module = n->insts.at[w->scopes.at[s]].master;
    NameId name = n->modules.at[module].name;
    w->module_name[s] =
        map_get(first, module) == MAP_NO_VALUE ? name : free_module_name(w, used, name);
    map_put(first, module, s);
    map_put(used, w->module_name[s], 1);
  }
  map_free(used);
  map_free(first);
}

/* Children have higher ids than their parents, so from the back everything inside is grouped
   already.  A group is known by its last scope while hashing and then renamed to its first. */
void write_groups(Writer *w)
{
  uint32_t count = w->scopes.len;
  Hash *hashes = mem_alloc(sizeof *hashes * ((size_t)count + 1));
  Map *known = map_new();
  w->group = mem_alloc(sizeof *w->group * ((size_t)count + 1));
  w->module_name = mem_alloc_zero((size_t)count + 1, sizeof *w->module_name);
  for (uint32_t s = count; s-- > 0;) {
    hashes[s] = hash_scope(w, s);
    uint64_t key = hashes[s].a == MAP_NO_KEY ? 0 : hashes[s].a;
    uint32_t same = map_get(known, key);
    w->group[s] = same != MAP_NO_VALUE && hashes[same].b == hashes[s].b ? same : s;
    if (same == MAP_NO_VALUE) map_put(known, key, s);
  }
  uint32_t *first = mem_alloc(sizeof *first * ((size_t)count + 1));
  for (uint32_t s = count; s-- > 0;) first[w->group[s]] = s;
  for (uint32_t s = 0; s < count; s++) w->group[s] = first[w->group[s]];
  mem_free(first);
  mem_free(hashes);
  map_free(known);
  name_groups(w);
}
