/* Switches off the arcs and checks that constraints disable, and arc types that are not timed. */
#include "graph/build.h"
#include "graph/hierarchy.h"
#include "graph/idle/idle.h"

static bool type_is_timed(ArcType t)
{
  return t == ARC_COMBINATIONAL || t == ARC_TRISTATE_ENABLE || t == ARC_TRISTATE_DISABLE
         || t == ARC_CLOCK_RISE || t == ARC_CLOCK_FALL || t == ARC_LATCH_ENABLE
         || t == ARC_LATCH_DATA;
}

/* --- set_disable_timing by object ------------------------------------------------------------- */
typedef struct {
  uint32_t record, next;          /* in constraints->disabled; the next entry of the same object */
} DisabledEntry;

struct DisabledIndex {
  const Graph *g;
  Map *by_object;                 /* hash_pair(type, id) -> first entry */
  ARRAY(DisabledEntry) entries;
  uint8_t *used;                  /* [constraints->disabled]: the record disables something */
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
  x->used = mem_alloc_zero((size_t)g->constraints->disabled.len + 1, 1);
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
  mem_free(x->used);
  mem_free(x);
}

/* The arc between two pins of a cell, or the check of `to` against `from`; for a limit of one pin,
   both are that pin.  The ports of a check may belong to the same cell of another library. */
typedef struct {
  PinId  from, to;
  PortId lib_from, lib_to;
  bool   none;                    /* for a limit: the library gives none */
} CellPath;

/* Marks all records that name the arc as used, not only the first. */
static bool object_disables(const DisabledIndex *x, Object o, const CellPath *p, bool by_ports)
{
  const LibPort *ports = x->g->libs->ports.at;
  NameId from = by_ports ? ports[p->lib_from].name : NO_NAME;
  NameId to = by_ports ? ports[p->lib_to].name : NO_NAME;
  uint32_t i = map_get(x->by_object, hash_pair(o.type, o.id));
  bool any = false;
  for (; i != MAP_NO_VALUE; i = x->entries.at[i].next) {
    uint32_t record = x->entries.at[i].record;
    const DisabledTiming *d = &x->g->constraints->disabled.at[record];
    bool starts = d->from == NO_NAME || d->from == from, ends = d->to == NO_NAME || d->to == to;
    if (!starts || !ends) continue;
    any = true;
    if (!p->none) x->used[record] = 1;
  }
  return any;
}

/* Is the pin of either end disabled, in the design or in a library? */
static bool pin_disables(const DisabledIndex *x, const CellPath *p)
{
  const Pin *pins = x->g->netlist->pins.at;
  Object ends[] = { { OBJ_PIN, p->from }, { OBJ_PIN, p->to },
                    { OBJ_LIB_PIN, p->lib_from }, { OBJ_LIB_PIN, p->lib_to },
                    { OBJ_LIB_PIN, pins[p->from].port }, { OBJ_LIB_PIN, pins[p->to].port } };
  bool any = false;
  for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
    any |= object_disables(x, ends[i], p, false);
  return any;
}

/* Is the cell, a hierarchical cell around it, or its library cell disabled? */
static bool cell_disables(const DisabledIndex *x, const CellPath *p)
{
  const Netlist *n = x->g->netlist;
  InstId inst = n->pins.at[p->to].inst;
  Object cells[] = { { OBJ_CELL, inst }, { OBJ_LIB_CELL, n->insts.at[inst].master },
                     { OBJ_LIB_CELL, n->libs->ports.at[p->lib_to].cell } };
  bool any = false;
  for (int i = 0; i < 3; i++)
    for (Object o = cells[i]; o.type != OBJ_NONE; o = object_around(n, o))
      any |= object_disables(x, o, p, true);
  return any;
}

static bool is_disabled(const DisabledIndex *x, CellPath p)
{
  bool by_pin = pin_disables(x, &p), by_cell = cell_disables(x, &p);
  return by_pin || by_cell;
}

bool disabled_gating(const DisabledIndex *x, PinId clock, PinId enable)
{
  const Pin *pins = x->g->netlist->pins.at;
  return is_disabled(x, (CellPath){ clock, enable, pins[clock].port, pins[enable].port, false });
}

/* --- the graph's arcs, checks and limits ------------------------------------------------------ */
static void disable_arcs(Build *b, const DisabledIndex *x)
{
  for (uint32_t a = 0; a < b->arcs.len; a++) {
    const BuildArc *arc = &b->arcs.at[a];
    const LibArc *lib = &b->g->libs->arcs.at[arc->lib];
    CellPath p = { b->pin[arc->from], b->pin[arc->to], lib->from, lib->to, false };
    if (is_disabled(x, p)) b->arc_flags[a] |= ARC_OFF_DISABLED;
  }
}

static void disable_checks(Build *b, const DisabledIndex *x)
{
  for (uint32_t i = 0; i < b->checks.len; i++) {
    Check *c = &b->checks.at[i];
    const LibArc *lib = &b->g->libs->arcs.at[c->lib];
    CellPath p = { b->pin[c->clock], b->pin[c->data], lib->from, lib->to, false };
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
    CellPath p = { b->pin[v], b->pin[v], port, port,
                   !lib_port_has_limits(&n->libs->ports.at[port]) };
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
  b->g->disabled = disabled_index_new(b->g);
  disable_arcs(b, b->g->disabled);
  disable_checks(b, b->g->disabled);
  disable_limits(b, b->g->disabled);
}

/* --- what disables nothing -------------------------------------------------------------------- */
static bool has_pin_behind(const Netlist *n, PinId hierarchical)
{
  PinArray pins = { 0 };
  hierarchy_pins_behind(n, hierarchical, &pins);
  bool any = pins.len > 0;
  array_free(&pins);
  return any;
}

/* Gives no warning for ports, and no second one for hierarchical pins without pins behind them. */
static bool is_judged(const Netlist *n, Object o)
{
  if (o.type == OBJ_CELL || o.type == OBJ_LIB_CELL || o.type == OBJ_LIB_PIN) return true;
  if (o.type != OBJ_PIN || pin_is_top_port(n, o.id)) return false;
  return !pin_is_hierarchical(n, o.id) || has_pin_behind(n, o.id);
}

static bool leads_to_port(const Netlist *n, Object o)
{
  PinArray pins = { 0 };
  bool any = false;
  if (o.type != OBJ_PIN || !pin_is_hierarchical(n, o.id)) return false;
  hierarchy_pins_behind(n, o.id, &pins);
  for (uint32_t i = 0; i < pins.len; i++) any |= pin_is_top_port(n, pins.at[i]);
  array_free(&pins);
  return any;
}

/* For each library cell: true if the design has an instance of it. */
typedef struct {
  const Netlist *n;
  uint8_t       *used;
} LibCells;

static void mark_lib_cell(void *data, InstId leaf)
{
  LibCells *x = data;
  x->used[x->n->insts.at[leaf].master] = 1;
}

static LibCells lib_cells_of(const Netlist *n)
{
  LibCells x = { n, mem_alloc_zero((size_t)n->libs->cells.len + 1, 1) };
  netlist_each_leaf(n, TOP_INST, mark_lib_cell, &x);
  return x;
}

static bool is_foreign(const LibCells *x, Object o)
{
  if (o.type == OBJ_LIB_CELL) return !x->used[o.id];
  return o.type == OBJ_LIB_PIN && !x->used[x->n->libs->ports.at[o.id].cell];
}

void disabled_find_idle(const DisabledIndex *x, IdleList *list)
{
  const Netlist *n = x->g->netlist;
  LibCells cells = lib_cells_of(n);
  for (uint32_t i = 0; i < x->g->constraints->disabled.len; i++) {
    const DisabledTiming *d = &x->g->constraints->disabled.at[i];
    Object o = object_as_pin(d->object);
    bool used = x->used[i] || !is_judged(n, o) || leads_to_port(n, o);
    const char *problem = is_foreign(&cells, o) ? "the design has no cell of"
      : d->from != NO_NAME || d->to != NO_NAME
      ? "there is no arc or check from and to these ports of"
      : "there is no arc or check of";
    idle_add(list, x->g, d->said,
             (Idle){ .object = o, .clock = NO_CLOCK, .code = "GRAPH-040",
                     .problem = used ? NULL : problem });
  }
  mem_free(cells.used);
}
