/* Arcs and checks that constraints disable, and arc types that are not timed. */
#include "graph/build.h"
#include "graph/hierarchy.h"

static bool type_is_timed(ArcType t)
{
  return t == ARC_COMBINATIONAL || t == ARC_TRISTATE_ENABLE || t == ARC_TRISTATE_DISABLE || t == ARC_CLOCK_RISE || t == ARC_CLOCK_FALL ||
         t == ARC_LATCH_ENABLE || t == ARC_LATCH_DATA;
}

/* --- set_disable_timing by object ------------------------------------------------------------------------- */
typedef struct {
  uint32_t record, next;          /* in constraints->disabled; the next entry of the same object */
} DisabledEntry;

struct DisabledIndex {
  const Graph *g;
  Map *by_object;                 /* hash_pair(type, id) -> first entry */
  ARRAY(DisabledEntry) entries;
};

static void add_entry(DisabledIndex *x, Object o, uint32_t record)
{
  uint64_t key = hash_pair(o.type, o.id);
  array_push(&x->entries, (DisabledEntry){ record, map_get(x->by_object, key) });
  map_put(x->by_object, key, x->entries.len - 1);
}

/* A hierarchical pin stands for the pins behind it. */
static void add_behind(DisabledIndex *x, PinId hierarchical, uint32_t record)
{
  PinArray pins = { 0 };
  hierarchy_pins_behind(x->g->netlist, hierarchical, &pins);
  for (uint32_t i = 0; i < pins.len; i++) add_entry(x, (Object){ OBJ_PIN, pins.at[i] }, record);
  array_free(&pins);
}

DisabledIndex *disabled_index_new(const Graph *g)
{
  DisabledIndex *x = mem_alloc_zero(1, sizeof *x);
  x->g = g;
  x->by_object = map_new();
  for (uint32_t i = 0; i < g->constraints->disabled.len; i++) {
    Object o = object_as_pin(g->constraints->disabled.at[i].object);
    if (o.type == OBJ_PIN && pin_is_hierarchical(g->netlist, o.id)) add_behind(x, o.id, i);
    else if (o.type != OBJ_NONE) add_entry(x, o, i);
  }
  return x;
}

void disabled_index_free(DisabledIndex *x)
{
  if (x == NULL) return;
  map_free(x->by_object);
  array_free(&x->entries);
  mem_free(x);
}

static bool object_disables(const DisabledIndex *x, uint32_t type, uint32_t id, NameId from, NameId to)
{
  for (uint32_t i = map_get(x->by_object, hash_pair(type, id)); i != MAP_NO_VALUE; i = x->entries.at[i].next) {
    const DisabledTiming *d = &x->g->constraints->disabled.at[x->entries.at[i].record];
    if ((d->from == NO_NAME || d->from == from) && (d->to == NO_NAME || d->to == to)) return true;
  }
  return false;
}

/* The cell, or one of the hierarchical cells that it is in. */
static bool cell_disables(const DisabledIndex *x, InstId inst, NameId from, NameId to)
{
  for (InstId i = inst; i != NO_INST; i = x->g->netlist->insts.at[i].parent)
    if (object_disables(x, OBJ_CELL, i, from, to)) return true;
  return false;
}

/* What lies between two pins of a cell: an arc, or a check of `to` against `from`; a limit of one pin, both its own. */
typedef struct {
  PinId  from, to;
  PortId lib_from, lib_to;        /* a check's may be another library's than the cell's */
} CellPath;

static bool is_disabled(const DisabledIndex *x, const CellPath *p)
{
  const Netlist *n = x->g->netlist;
  const LibPort *from = &n->libs->ports.at[p->lib_from], *to = &n->libs->ports.at[p->lib_to];
  const Pin *pins[2] = { &n->pins.at[p->from], &n->pins.at[p->to] };
  InstId inst = pins[1]->inst;
  return object_disables(x, OBJ_PIN, p->from, NO_NAME, NO_NAME) || object_disables(x, OBJ_PIN, p->to, NO_NAME, NO_NAME) ||
         cell_disables(x, inst, from->name, to->name) ||
         object_disables(x, OBJ_LIB_CELL, n->insts.at[inst].master, from->name, to->name) ||
         (to->cell != n->insts.at[inst].master && object_disables(x, OBJ_LIB_CELL, to->cell, from->name, to->name)) ||
         object_disables(x, OBJ_LIB_PIN, p->lib_from, NO_NAME, NO_NAME) || object_disables(x, OBJ_LIB_PIN, p->lib_to, NO_NAME, NO_NAME) ||
         object_disables(x, OBJ_LIB_PIN, pins[0]->port, NO_NAME, NO_NAME) || object_disables(x, OBJ_LIB_PIN, pins[1]->port, NO_NAME, NO_NAME);
}

bool disabled_gating(const DisabledIndex *x, PinId clock, PinId enable)
{
  const Netlist *n = x->g->netlist;
  return is_disabled(x, &(CellPath){ clock, enable, n->pins.at[clock].port, n->pins.at[enable].port });
}

/* --- the graph's arcs, checks and limits -------------------------------------------------------------------- */
static void disable_arcs(Build *b, const DisabledIndex *x)
{
  for (uint32_t a = 0; a < b->arcs.len; a++) {
    const BuildArc *arc = &b->arcs.at[a];
    const LibArc *lib = &b->g->libs->arcs.at[arc->lib];
    if (is_disabled(x, &(CellPath){ b->pin[arc->from], b->pin[arc->to], lib->from, lib->to })) b->arc_flags[a] |= ARC_OFF_DISABLED;
  }
}

static void disable_checks(Build *b, const DisabledIndex *x)
{
  for (uint32_t i = 0; i < b->checks.len; i++) {
    Check *c = &b->checks.at[i];
    const LibArc *lib = &b->g->libs->arcs.at[c->lib];
    if (is_disabled(x, &(CellPath){ b->pin[c->clock], b->pin[c->data], lib->from, lib->to })) c->off |= ARC_OFF_DISABLED;
  }
}

/* Limits of pulses and periods that a library gives as a pin's attributes are treated as if it had given them as arcs, which
   go from the pin to itself. */
static void disable_limits(Build *b, const DisabledIndex *x)
{
  const Netlist *n = b->g->netlist;
  for (VertexId v = 0; v < b->vertex_count; v++) {
    if (b->flags[v] & SLOT_PORT) continue;
    PortId port = n->pins.at[b->pin[v]].port;
    if (is_disabled(x, &(CellPath){ b->pin[v], b->pin[v], port, port })) b->flags[v] |= SLOT_UNLIMITED;
  }
}

void build_disabled(Build *b)
{
  for (uint32_t a = 0; a < b->arcs.len; a++) {
    ArcType type = (ArcType)b->g->libs->arcs.at[b->arcs.at[a].lib].type;
    if (!type_is_timed(type)) b->arc_flags[a] |= ARC_OFF_TYPE;
    if (type == ARC_LATCH_DATA) b->arc_flags[a] |= ARC_LATCH;
  }
  if (b->g->constraints->disabled.len == 0) return;
  DisabledIndex *x = disabled_index_new(b->g);
  disable_arcs(b, x);
  disable_checks(b, x);
  disable_limits(b, x);
  disabled_index_free(x);
}
