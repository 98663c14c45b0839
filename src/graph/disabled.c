/* Arcs that constraints disable, and arc types that are not timed. */
#include "graph/build.h"

static bool type_is_timed(ArcType t)
{
  return t == ARC_COMBINATIONAL || t == ARC_TRISTATE_ENABLE || t == ARC_TRISTATE_DISABLE || t == ARC_CLOCK_RISE || t == ARC_CLOCK_FALL ||
         t == ARC_LATCH_ENABLE || t == ARC_LATCH_DATA;
}

/* set_disable_timing of one kind of object, for look-up while passing over the arcs. */
typedef struct {
  Map *by_object;            /* hash_pair(type, id) -> first index in constraints->disabled */
  const Constraints *c;
  ARRAY(uint32_t) next;      /* chain of the same object */
} DisabledIndex;

static void index_disabled(DisabledIndex *x)
{
  for (uint32_t i = 0; i < x->c->disabled.len; i++) {
    Object o = x->c->disabled.at[i].object;
    if (o.type == OBJ_PORT) o.type = OBJ_PIN;
    uint64_t key = hash_pair(o.type, o.id);
    array_push(&x->next, map_get(x->by_object, key));
    map_put(x->by_object, key, i);
  }
}

static bool object_disables(const DisabledIndex *x, uint32_t type, uint32_t id, NameId from, NameId to)
{
  uint32_t i = map_get(x->by_object, hash_pair(type, id));
  for (; i != MAP_NO_VALUE; i = x->next.at[i]) {
    const DisabledTiming *d = &x->c->disabled.at[i];
    if (d->object.type == OBJ_NONE) continue;
    if ((d->from == NO_NAME || d->from == from) && (d->to == NO_NAME || d->to == to)) return true;
  }
  return false;
}

static bool is_disabled(const Build *b, const DisabledIndex *x, const BuildArc *arc)
{
  const Netlist *n = b->g->netlist;
  const LibArc *lib = &b->g->libs->arcs.at[arc->lib];
  NameId from = b->g->libs->ports.at[lib->from].name, to = b->g->libs->ports.at[lib->to].name;
  InstId inst = n->pins.at[b->pin[arc->to]].inst;
  return object_disables(x, OBJ_PIN, b->pin[arc->from], NO_NAME, NO_NAME) ||
         object_disables(x, OBJ_PIN, b->pin[arc->to], NO_NAME, NO_NAME) ||
         object_disables(x, OBJ_CELL, inst, from, to) || object_disables(x, OBJ_LIB_CELL, n->insts.at[inst].master, from, to) ||
         object_disables(x, OBJ_LIB_PIN, lib->from, NO_NAME, NO_NAME) || object_disables(x, OBJ_LIB_PIN, lib->to, NO_NAME, NO_NAME);
}

void build_disabled(Build *b)
{
  DisabledIndex x = { .by_object = map_new(), .c = b->g->constraints };
  index_disabled(&x);
  for (uint32_t a = 0; a < b->arcs.len; a++) {
    ArcType type = (ArcType)b->g->libs->arcs.at[b->arcs.at[a].lib].type;
    if (!type_is_timed(type)) b->arc_flags[a] |= ARC_OFF_TYPE;
    if (type == ARC_LATCH_DATA) b->arc_flags[a] |= ARC_LATCH;
    if (x.c->disabled.len && is_disabled(b, &x, &b->arcs.at[a])) b->arc_flags[a] |= ARC_OFF_DISABLED;
  }
  map_free(x.by_object);
  array_free(&x.next);
}
