/* Arcs and checks that constraints disable, and arc types that are not timed. */
#include "graph/build.h"
#include "graph/hierarchy.h"

static bool type_is_timed(ArcType t)
{
  return t == ARC_COMBINATIONAL || t == ARC_TRISTATE_ENABLE || t == ARC_TRISTATE_DISABLE || t == ARC_CLOCK_RISE || t == ARC_CLOCK_FALL ||
         t == ARC_LATCH_ENABLE || t == ARC_LATCH_DATA;
}

/* --- set_disable_timing by object ------------------------------------------------------------- */
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

static bool object_disables(const DisabledIndex *x, Object o, NameId from, NameId to)
{
  uint32_t i = map_get(x->by_object, hash_pair(o.type, o.id));
  for (; i != MAP_NO_VALUE; i = x->entries.at[i].next) {
    const DisabledTiming *d = &x->g->constraints->disabled.at[x->entries.at[i].record];
    bool starts = d->from == NO_NAME || d->from == from, ends = d->to == NO_NAME || d->to == to;
    if (starts && ends) return true;
  }
  return false;
}

/* What lies between two pins of a cell: an arc, or a check of `to` against `from`; a limit of one
   pin, both its own.  A check's ports may be those of another library's cell. */
typedef struct {
  PinId  from, to;
  PortId lib_from, lib_to;
} CellPath;

/* A pin of either end, of the design or of a library. */
static bool pin_disables(const DisabledIndex *x, const CellPath *p)
{
  const Pin *pins = x->g->netlist->pins.at;
  Object ends[] = { { OBJ_PIN, p->from }, { OBJ_PIN, p->to },
                    { OBJ_LIB_PIN, p->lib_from }, { OBJ_LIB_PIN, p->lib_to },
                    { OBJ_LIB_PIN, pins[p->from].port }, { OBJ_LIB_PIN, pins[p->to].port } };
  for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
    if (object_disables(x, ends[i], NO_NAME, NO_NAME)) return true;
  return false;
}

/* The cell, one of the hierarchical cells that it is in, or its library cell. */
static bool cell_disables(const DisabledIndex *x, const CellPath *p)
{
  const Netlist *n = x->g->netlist;
  const LibPort *from = &n->libs->ports.at[p->lib_from], *to = &n->libs->ports.at[p->lib_to];
  InstId inst = n->pins.at[p->to].inst;
  Object cells[] = { { OBJ_CELL, inst }, { OBJ_LIB_CELL, n->insts.at[inst].master },
                     { OBJ_LIB_CELL, to->cell } };
  for (int i = 0; i < 3; i++)
    for (Object o = cells[i]; o.type != OBJ_NONE; o = object_around(n, o))
      if (object_disables(x, o, from->name, to->name)) return true;
  return false;
}

static bool is_disabled(const DisabledIndex *x, CellPath p)
{
  return pin_disables(x, &p) || cell_disables(x, &p);
}

bool disabled_gating(const DisabledIndex *x, PinId clock, PinId enable)
{
  const Pin *pins = x->g->netlist->pins.at;
  return is_disabled(x, (CellPath){ clock, enable, pins[clock].port, pins[enable].port });
}

/* --- the graph's arcs, checks and limits ------------------------------------------------------ */
static void disable_arcs(Build *b, const DisabledIndex *x)
{
  for (uint32_t a = 0; a < b->arcs.len; a++) {
    const BuildArc *arc = &b->arcs.at[a];
    const LibArc *lib = &b->g->libs->arcs.at[arc->lib];
    CellPath p = { b->pin[arc->from], b->pin[arc->to], lib->from, lib->to };
    if (is_disabled(x, p)) b->arc_flags[a] |= ARC_OFF_DISABLED;
  }
}

static void disable_checks(Build *b, const DisabledIndex *x)
{
  for (uint32_t i = 0; i < b->checks.len; i++) {
    Check *c = &b->checks.at[i];
    const LibArc *lib = &b->g->libs->arcs.at[c->lib];
    CellPath p = { b->pin[c->clock], b->pin[c->data], lib->from, lib->to };
    if (is_disabled(x, p)) c->off |= ARC_OFF_DISABLED;
  }
}

/* Limits of pulses and periods that a library gives as a pin's attributes are treated as if it had
   given them as arcs, which go from the pin to itself. */
static void disable_limits(Build *b, const DisabledIndex *x)
{
  const Netlist *n = b->g->netlist;
  for (VertexId v = 0; v < b->vertex_count; v++) {
    if (b->flags[v] & SLOT_PORT) continue;
    PortId port = n->pins.at[b->pin[v]].port;
    CellPath p = { b->pin[v], b->pin[v], port, port };
    if (is_disabled(x, p)) b->flags[v] |= SLOT_UNLIMITED;
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
