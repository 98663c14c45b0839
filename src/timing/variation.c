/* Selects the AOCV table or POCV coefficient of each arc and wire, and derives derates by depth
   from them. */
#include "timing/variation.h"

#include <math.h>

#include "math/normal_sum.h"

/* --- which tables ----------------------------------------------------------------------------- */
OcvUses *ocv_uses_new(const Variation *v, const Graph *g, const Corner *corner)
{
  OcvUses *u = mem_alloc_zero(1, sizeof *u);
  *u = (OcvUses){ v, g, corner, map_new(), mem_alloc(sizeof *u->next * ((size_t)v->uses.len + 1)) };
  for (uint32_t i = v->uses.len; i-- > 0;) {
    Object o = v->uses.at[i].object;
    uint64_t key = hash_pair(o.type, o.id);
    u->next[i] = map_get(u->first, key);
    map_put(u->first, key, i);
  }
  return u;
}

void ocv_uses_free(OcvUses *u)
{
  if (u == NULL) return;
  map_free(u->first);
  mem_free(u->next);
  mem_free(u);
}

typedef struct {
  const OcvUses *u;
  OcvKind  kind;
  int      delays;                 /* OCV_CELL, OCV_NET */
  OcvPick *pick;
} Picking;

static void overlay(const Picking *p, Object object, uint32_t conditions)
{
  const Variation *v = p->u->v;
  for (uint32_t i = map_get(p->u->first, hash_pair(object.type, object.id)); i != MAP_NO_VALUE;
       i = p->u->next[i]) {
    const OcvTable *t = &v->tables.at[v->uses.at[i].table];
    if (t->kind != p->kind || !(t->delays >> p->delays & 1)) continue;
    for (int path = 0; path < 2; path++)
      for (int k = 0; k < CONDITION_COUNT; k++) {
        if (!(t->paths >> path & 1) || !(t->conditions & conditions & 1u << k)) continue;
        p->pick->table[path][k] = v->uses.at[i].table;
        p->pick->of_design[path][k] = object.type == OBJ_DESIGN;
      }
  }
}

enum { ALL_CONDITIONS = 15 };

/* Applies the tables of the cells around an instance, the outer ones first. */
static void overlay_blocks(const Picking *p, InstId inst)
{
  if (inst == TOP_INST || inst == NO_INST) return;
  overlay_blocks(p, p->u->g->netlist->insts.at[inst].parent);
  overlay(p, (Object){ OBJ_CELL, inst }, ALL_CONDITIONS);
}

/* Applies the tables of a library cell. The cell of another corner or analysis may be in another
   library. */
static void overlay_lib_cell(const Picking *p, CellId cell)
{
  overlay(p, (Object){ OBJ_LIB_CELL, cell }, ALL_CONDITIONS);
  for (int el = EARLY; el <= LATE; el++) {
    CellId own = corner_cell(p->u->g->libs, p->u->corner, cell, el, NULL);
    if (own != cell) overlay(p, (Object){ OBJ_LIB_CELL, own }, 3u << condition_of(el, RISE));
  }
}

static OcvPick pick_none(void)
{
  OcvPick pick;
  memset(&pick, 0, sizeof pick);
  memset(pick.table, 0xff, sizeof pick.table);
  return pick;
}

OcvPick ocv_pick_cell(const OcvUses *u, Slot driver, OcvKind kind)
{
  OcvPick pick = pick_none();
  Picking p = { u, kind, OCV_CELL, &pick };
  const Netlist *n = u->g->netlist;
  InstId inst = n->pins.at[u->g->slots.pin[driver]].inst;
  overlay(&p, (Object){ OBJ_DESIGN, 0 }, ALL_CONDITIONS);
  if (inst == TOP_INST) return pick;
  overlay_lib_cell(&p, n->insts.at[inst].master);
  overlay_blocks(&p, inst);
  return pick;
}

/* Returns the tables of a wire. A net has a name in each level of hierarchy that it crosses, and
   each name counts. */
OcvPick ocv_pick_wire(const OcvUses *u, Slot load, OcvKind kind)
{
  OcvPick pick = pick_none();
  Picking p = { u, kind, OCV_NET, &pick };
  const Netlist *n = u->g->netlist;
  SegId own = n->pins.at[u->g->slots.pin[load]].seg;
  overlay(&p, (Object){ OBJ_DESIGN, 0 }, ALL_CONDITIONS);
  if (own == NO_SEG) return pick;
  overlay_blocks(&p, n->segs.at[own].scope);
  for (SegId s = n->nets.at[n->segs.at[own].net].first_seg; s != NO_SEG; s = n->segs.at[s].next)
    overlay(&p, (Object){ OBJ_NET, s }, ALL_CONDITIONS);
  return pick;
}

/* --- derates by depth ------------------------------------------------------------------------- */
typedef struct {
  Timing *t;
  const Variation *v;
  OcvUses *uses;
  PathDepths *depths;
} Vary;

static bool picks_any(const OcvPick *p, int path)
{
  for (int k = 0; k < CONDITION_COUNT; k++)
    if (p->table[path][k] != NO_OCV_TABLE) return true;
  return false;
}

static uint32_t add_pick(OcvPaths *p, Map *index, const OcvPick *pick)
{
  uint64_t key = hash_bytes((const char *)pick, sizeof *pick);
  for (uint32_t i; (i = map_get(index, key)) != MAP_NO_VALUE; key += 1ull << 32)
    if (memcmp(&p->picks.at[i], pick, sizeof *pick) == 0) return i;
  map_put(index, key, p->picks.len);
  array_push(&p->picks, *pick);
  return p->picks.len - 1;
}

typedef PathMetric (*MetricOf)(const PathDepths *, uint32_t, bool);

/* Returns the row of an arc or wire: tables in addition to, or instead of, the derates of the
   constraints. */
static DerateRow derate_row(const Vary *y, const OcvPick *pick, DerateRow row, uint32_t at,
                            MetricOf metric)
{
  for (int path = 0; path < 2; path++) {
    if (!picks_any(pick, path)) continue;
    PathMetric m = metric(y->depths, at, path == PATH_CLOCK);
    if (m.depth == 0) continue;
    for (int k = 0; k < CONDITION_COUNT; k++) {
      if (pick->table[path][k] == NO_OCV_TABLE) continue;
      float factor =
          ocv_derate(ocv_table_view(y->v, pick->table[path][k]), m.distance, (float)m.depth);
      row.factor[path][k] =
          y->v->options.tables == OCV_TABLES_MULTIPLY ? row.factor[path][k] * factor : factor;
    }
  }
  return row;
}

static DerateRow present_row(const DerateRows *rows, const uint32_t *index, uint32_t at)
{
  if (index) return rows->rows.at[index[at]];
  DerateRow row;
  for (int path = 0; path < 2; path++)
    for (int k = 0; k < CONDITION_COUNT; k++) row.factor[path][k] = 1.0f;
  return row;
}

/* Copies the derates of the constraints. */
static OcvPaths *ocv_paths_new(Timing *t, const Variation *v)
{
  const Graph *g = t->g;
  OcvPaths *p = mem_alloc_zero(1, sizeof *p);
  *p = (OcvPaths){
    .v = v, .base = t->derates.rows, .arc_base = t->derates.arc, .wire_base = t->derates.wire
  };
  p->arc_pick = mem_alloc_zero((size_t)g->arcs.count + 1, sizeof *p->arc_pick);
  p->wire_pick = mem_alloc_zero((size_t)g->nets.load_total + 1, sizeof *p->wire_pick);
  return p;
}

void ocv_paths_free(OcvPaths *p)
{
  if (p == NULL) return;
  derate_rows_free(&p->base);
  mem_free(p->arc_base);
  mem_free(p->wire_base);
  mem_free(p->arc_pick);
  mem_free(p->wire_pick);
  array_free(&p->picks);
  mem_free(p);
}

float ocv_path_derate(const OcvPaths *p, const OcvDelay *of, PathMetric path)
{
  const uint32_t *base = of->wire ? p->wire_base : p->arc_base;
  const OcvPick *pick = &p->picks.at[(of->wire ? p->wire_pick : p->arc_pick)[of->at]];
  float own = base ? p->base.rows.at[base[of->at]].factor[of->clock][of->condition] : 1.0f;
  uint32_t table = pick->table[of->clock][of->condition];
  if (table == NO_OCV_TABLE || path.depth == 0) return own;
  float factor = ocv_derate(ocv_table_view(p->v, table), path.distance, (float)path.depth);
  return p->v->options.tables == OCV_TABLES_MULTIPLY ? own * factor : factor;
}

static void vary_derates(Vary *y)
{
  Timing *t = y->t;
  const Graph *g = t->g;
  OcvPaths *p = t->ocv_paths = ocv_paths_new(t, y->v);
  Map *index = map_new();
  DerateRows rows = { 0 };
  uint32_t *arcs = mem_alloc_zero((size_t)g->arcs.count + 1, sizeof *arcs),
           *wires = mem_alloc_zero((size_t)g->nets.load_total + 1, sizeof *wires);
  for (Slot s = 0; s < g->slots.count; s++) {
    if (slot_is_driver(g, s)) {
      OcvPick pick = ocv_pick_cell(y->uses, s, OCV_DERATE);
      uint32_t picked = add_pick(p, index, &pick);
      for (ArcId a = g->arcs.first[s]; a < g->arcs.first[s + 1]; a++) {
        DerateRow row =
            derate_row(y, &pick, present_row(&p->base, p->arc_base, a), a, path_depth_arc);
        arcs[a] = derate_rows_add(&rows, &row);
        p->arc_pick[a] = picked;
      }
    } else {
      OcvPick pick = ocv_pick_wire(y->uses, s, OCV_DERATE);
      uint32_t load = graph_load_index(g, s);
      DerateRow row =
          derate_row(y, &pick, present_row(&p->base, p->wire_base, load), s, path_depth_wire);
      wires[load] = derate_rows_add(&rows, &row);
      p->wire_pick[load] = add_pick(p, index, &pick);
    }
  }
  for (CheckId c = 0; t->derates.check && c < g->ends.checks.len; c++)
    t->derates.check[c] = derate_rows_add(&rows, &p->base.rows.at[t->derates.check[c]]);
  map_free(index);
  t->derates.rows = rows;
  t->derates.arc = arcs;
  t->derates.wire = wires;
}

/* --- sigma ------------------------------------------------------------------------------------ */
enum { LIBRARYS_SIGMA = -1 };

/* Returns true if the library gives the sigma of an arc's output edge. */
static bool library_tells(const Timing *t, ArcId a, int condition)
{
  LibArcId id = t->corner_libs->arc_for[t->single ? LATE : condition >> 1][t->g->arcs.lib[a]];
  return t->g->libs->arcs.at[id].sigma_delay[condition] != NO_TABLE;
}

/* Returns the sigma row of an arc. The coefficient of the design counts if the library has no
   table. The coefficient of a nearer object counts before the library's tables. */
static uint32_t arc_sigma_row(Vary *y, const OcvPick *pick, ArcId a)
{
  DerateRow row;
  for (int path = 0; path < 2; path++)
    for (int k = 0; k < CONDITION_COUNT; k++) {
      uint32_t table = pick->table[path][k];
      bool own = table != NO_OCV_TABLE && !(pick->of_design[path][k] && library_tells(y->t, a, k));
      row.factor[path][k] = own ? ocv_derate(ocv_table_view(y->v, table), 0, 0) : LIBRARYS_SIGMA;
    }
  return derate_rows_add(&y->t->sigma.rows, &row);
}

static uint32_t wire_sigma_row(Vary *y, const OcvPick *pick)
{
  DerateRow row;
  for (int path = 0; path < 2; path++)
    for (int k = 0; k < CONDITION_COUNT; k++) {
      uint32_t table = pick->table[path][k];
      row.factor[path][k] =
          table == NO_OCV_TABLE ? 0 : ocv_derate(ocv_table_view(y->v, table), 0, 0);
    }
  return derate_rows_add(&y->t->sigma.rows, &row);
}

static void vary_sigmas(Vary *y)
{
  Timing *t = y->t;
  const Graph *g = t->g;
  t->sigma.arrival_variance =
      mem_alloc_zero((size_t)g->nodes.count + 1, sizeof *t->sigma.arrival_variance);
  t->sigma.edge = mem_alloc_zero((size_t)g->arcs.edge_count + 1, sizeof *t->sigma.edge);
  t->sigma.check = mem_alloc_zero((size_t)g->ends.checks.len + 1, sizeof *t->sigma.check);
  t->sigma.arc = mem_alloc_zero((size_t)g->arcs.count + 1, sizeof *t->sigma.arc);
  t->sigma.wire = mem_alloc_zero((size_t)g->nets.load_total + 1, sizeof *t->sigma.wire);
  for (Slot s = 0; s < g->slots.count; s++) {
    if (!slot_is_driver(g, s)) {
      OcvPick pick = ocv_pick_wire(y->uses, s, OCV_COEFFICIENT);
      t->sigma.wire[graph_load_index(g, s)] = wire_sigma_row(y, &pick);
      continue;
    }
    OcvPick pick = ocv_pick_cell(y->uses, s, OCV_COEFFICIENT);
    for (ArcId a = g->arcs.first[s]; a < g->arcs.first[s + 1]; a++)
      t->sigma.arc[a] = arc_sigma_row(y, &pick, a);
  }
}

void timing_vary(Timing *t, const Variation *v, const Corner *corner)
{
  if (v == NULL) return;
  Vary y = { t, v, ocv_uses_new(v, t->g, corner), NULL };
  if (v->options.tables != OCV_TABLES_OFF && variation_has(v, OCV_DERATE)) {
    y.depths = path_depths_new(t->g, variation_places(v));
    vary_derates(&y);
  }
  t->sigma.quantile = v->options.quantile;
  if (variation_is_normal(v)) vary_sigmas(&y);
  path_depths_free(y.depths);
  ocv_uses_free(y.uses);
}
