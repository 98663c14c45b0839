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

static void add_entry(DisabledIndex *index, Object o, uint32_t record)
{
  uint64_t key = hash_pair(o.type, o.id);
  array_push(&index->entries, (DisabledEntry){ record, map_get(index->by_object, key) });
  map_put(index->by_object, key, index->entries.len - 1);
}

/* A hierarchical pin stands for the pins behind it. */
static void add_behind(DisabledIndex *index, PinId hierarchical, uint32_t record)
{
  PinArray pins = { 0 };
  hierarchy_pins_behind(index->g->netlist, hierarchical, &pins);
  for (uint32_t i = 0; i < pins.len; i++) add_entry(index, (Object){ OBJ_PIN, pins.at[i] }, record);
  array_free(&pins);
}

DisabledIndex *disabled_index_new(const Graph *g)
{
  DisabledIndex *index = mem_alloc_zero(1, sizeof *index);
  index->g = g;
  index->by_object = map_new();
  index->used = mem_alloc_zero((size_t)g->constraints->disabled.len + 1, 1);
  for (uint32_t i = 0; i < g->constraints->disabled.len; i++) {
    Object o = object_as_pin(g->constraints->disabled.at[i].object);
    if (o.type == OBJ_PIN && pin_is_hierarchical(g->netlist, o.id)) add_behind(index, o.id, i);
    else if (o.type != OBJ_NONE) add_entry(index, o, i);
  }
  return index;
}

void disabled_index_free(DisabledIndex *index)
{
  if (index == NULL) return;
  map_free(index->by_object);
  array_free(&index->entries);
  mem_free(index->used);
  mem_free(index);
}

/* The arc between two pins of a cell, or the check of `to` against `from`; for a limit of one pin,
   both are that pin.  The ports of a check may belong to the same cell of another library. */
typedef struct {
  PinId  from, to;
  PortId lib_from, lib_to;
  bool   none;                    /* for a limit: the library gives none */
} CellPath;

/* Marks all records that name the arc as used, not only the first. */
static bool object_disables(const DisabledIndex *index, Object o, const CellPath *path,
                            bool by_ports)
{
  const LibPort *ports = index->g->libs->ports.at;
  NameId from = by_ports ? ports[path->lib_from].name : NO_NAME;
  NameId to = by_ports ? ports[path->lib_to].name : NO_NAME;
  uint32_t i = map_get(index->by_object, hash_pair(o.type, o.id));
  bool any = false;
  for (; i != MAP_NO_VALUE; i = index->entries.at[i].next) {
    uint32_t record = index->entries.at[i].record;
    const DisabledTiming *timing = &index->g->constraints->disabled.at[record];
    bool starts = timing->from == NO_NAME || timing->from == from,
         ends = timing->to == NO_NAME || timing->to == to;
    if (!starts || !ends) continue;
    any = true;
    if (!path->none) index->used[record] = 1;
  }
  return any;
}

/* Is the pin of either end disabled, in the design or in a library? */
static bool pin_disables(const DisabledIndex *index, const CellPath *path)
{
  const Pin *pins = index->g->netlist->pins.at;
  Object ends[] = { { OBJ_PIN, path->from },
                    { OBJ_PIN, path->to },
                    { OBJ_LIB_PIN, path->lib_from },
                    { OBJ_LIB_PIN, path->lib_to },
                    { OBJ_LIB_PIN, pins[path->from].port },
                    { OBJ_LIB_PIN, pins[path->to].port } };
  bool any = false;
  for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
    any |= object_disables(index, ends[i], path, false);
  return any;
}

/* Is the cell, a hierarchical cell around it, or its library cell disabled? */
static bool cell_disables(const DisabledIndex *index, const CellPath *path)
{
  const Netlist *n = index->g->netlist;
  InstId inst = n->pins.at[path->to].inst;
  Object cells[] = { { OBJ_CELL, inst }, { OBJ_LIB_CELL, n->insts.at[inst].master },
                     { OBJ_LIB_CELL, n->libs->ports.at[path->lib_to].cell } };
  bool any = false;
  for (int i = 0; i < 3; i++)
    for (Object o = cells[i]; o.type != OBJ_NONE; o = object_around(n, o))
      any |= object_disables(index, o, path, true);
  return any;
}

static bool is_disabled(const DisabledIndex *index, CellPath p)
{
  bool by_pin = pin_disables(index, &p), by_cell = cell_disables(index, &p);
  return by_pin || by_cell;
}

bool disabled_gating(const DisabledIndex *index, PinId clock, PinId enable)
{
  const Pin *pins = index->g->netlist->pins.at;
  return is_disabled(index,
                     (CellPath){ clock, enable, pins[clock].port, pins[enable].port, false });
}

/* --- the graph's arcs, checks and limits ------------------------------------------------------ */
static void disable_arcs(Build *build, const DisabledIndex *index)
{
  for (uint32_t a = 0; a < build->arcs.len; a++) {
    const BuildArc *arc = &build->arcs.at[a];
    const LibArc *lib = &build->g->libs->arcs.at[arc->lib];
    CellPath p = { build->pin[arc->from], build->pin[arc->to], lib->from, lib->to, false };
    if (is_disabled(index, p)) build->arc_flags[a] |= ARC_OFF_DISABLED;
  }
}

static void disable_checks(Build *build, const DisabledIndex *index)
{
  for (uint32_t i = 0; i < build->checks.len; i++) {
    Check *check = &build->checks.at[i];
    const LibArc *lib = &build->g->libs->arcs.at[check->lib];
    CellPath p = { build->pin[check->clock], build->pin[check->data], lib->from, lib->to, false };
    if (is_disabled(index, p)) check->off |= ARC_OFF_DISABLED;
  }
}

/* Limits of pulses and periods that a library gives as a pin's attributes are treated as if it had
   given them as arcs, which go from the pin to itself. */
static void disable_limits(Build *build, const DisabledIndex *index)
{
  const Netlist *n = build->g->netlist;
  for (VertexId v = 0; v < build->vertex_count; v++) {
    if (build->flags[v] & SLOT_PORT) continue;
    PortId port = n->pins.at[build->pin[v]].port;
    CellPath p = { build->pin[v], build->pin[v], port, port,
                   !lib_port_has_limits(&n->libs->ports.at[port]) };
    if (is_disabled(index, p)) build->flags[v] |= SLOT_UNLIMITED;
  }
}

void build_disabled(Build *build)
{
  for (uint32_t a = 0; a < build->arcs.len; a++) {
    ArcType type = (ArcType)build->g->libs->arcs.at[build->arcs.at[a].lib].type;
    if (!type_is_timed(type)) build->arc_flags[a] |= ARC_OFF_TYPE;
    if (type == ARC_LATCH_DATA) build->arc_flags[a] |= ARC_LATCH;
  }
  if (build->g->constraints->disabled.len == 0) return;
  build->g->disabled = disabled_index_new(build->g);
  disable_arcs(build, build->g->disabled);
  disable_checks(build, build->g->disabled);
  disable_limits(build, build->g->disabled);
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
  LibCells *cells = data;
  cells->used[cells->n->insts.at[leaf].master] = 1;
}

static LibCells lib_cells_of(const Netlist *n)
{
  LibCells x = { n, mem_alloc_zero((size_t)n->libs->cells.len + 1, 1) };
  netlist_each_leaf(n, TOP_INST, mark_lib_cell, &x);
  return x;
}

static bool is_foreign(const LibCells *cells, Object o)
{
  if (o.type == OBJ_LIB_CELL) return !cells->used[o.id];
  return o.type == OBJ_LIB_PIN && !cells->used[cells->n->libs->ports.at[o.id].cell];
}

void disabled_find_idle(const DisabledIndex *index, IdleList *list)
{
  const Netlist *n = index->g->netlist;
  LibCells cells = lib_cells_of(n);
  for (uint32_t i = 0; i < index->g->constraints->disabled.len; i++) {
    const DisabledTiming *timing = &index->g->constraints->disabled.at[i];
    Object o = object_as_pin(timing->object);
    bool used = index->used[i] || !is_judged(n, o) || leads_to_port(n, o);
    const char *problem = is_foreign(&cells, o) ? "the design has no cell of"
                          : timing->from != NO_NAME || timing->to != NO_NAME
                              ? "there is no arc or check from and to these ports of"
                              : "there is no arc or check of";
    idle_add(list, index->g, timing->said,
             (Idle){ .object = o,
                     .clock = NO_CLOCK,
                     .code = "GRAPH-040",
                     .problem = used ? NULL : problem });
  }
  mem_free(cells.used);
}
