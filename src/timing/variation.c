/* Selects the AOCV table or POCV coefficient of each arc and wire, and derives derates by depth
   from them. */
#include "timing/variation.h"

#include <math.h>

#include "math/normal_sum.h"

/* --- which tables ----------------------------------------------------------------------------- */
OcvUses *ocv_uses_new(const Variation *variation, const Graph *g, const Corner *corner)
{
  OcvUses *uses = mem_alloc_zero(1, sizeof *uses);
  *uses = (OcvUses){ variation, g, corner, map_new(),
                     mem_alloc(sizeof *uses->next * ((size_t)variation->uses.len + 1)) };
  for (uint32_t i = variation->uses.len; i-- > 0;) {
    Object o = variation->uses.at[i].object;
    uint64_t key = hash_pair(o.type, o.id);
    uses->next[i] = map_get(uses->first, key);
    map_put(uses->first, key, i);
  }
  return uses;
}

void ocv_uses_free(OcvUses *uses)
{
  if (uses == NULL) return;
  map_free(uses->first);
  mem_free(uses->next);
  mem_free(uses);
}

typedef struct {
  const OcvUses *uses;
  OcvKind  kind;
  int      delays;                 /* OCV_CELL, OCV_NET */
  OcvPick *pick;
} Picking;

static void overlay(const Picking *picking, Object object, uint32_t conditions)
{
  const Variation *variation = picking->uses->variation;
  for (uint32_t i = map_get(picking->uses->first, hash_pair(object.type, object.id));
       i != MAP_NO_VALUE; i = picking->uses->next[i]) {
    const OcvTable *table = &variation->tables.at[variation->uses.at[i].table];
    if (table->kind != picking->kind || !(table->delays >> picking->delays & 1)) continue;
    for (int path = 0; path < 2; path++)
      for (int k = 0; k < CONDITION_COUNT; k++) {
        if (!(table->paths >> path & 1) || !(table->conditions & conditions & 1u << k)) continue;
        picking->pick->table[path][k] = variation->uses.at[i].table;
        picking->pick->of_design[path][k] = object.type == OBJ_DESIGN;
      }
  }
}

enum { ALL_CONDITIONS = 15 };

/* Applies the tables of the cells around an instance, the outer ones first. */
static void overlay_blocks(const Picking *picking, InstId inst)
{
  if (inst == TOP_INST || inst == NO_INST) return;
  overlay_blocks(picking, picking->uses->g->netlist->insts.at[inst].parent);
  overlay(picking, (Object){ OBJ_CELL, inst }, ALL_CONDITIONS);
}

/* Applies the tables of a library cell. The cell of another corner or analysis may be in another
   library. */
static void overlay_lib_cell(const Picking *picking, CellId cell)
{
  overlay(picking, (Object){ OBJ_LIB_CELL, cell }, ALL_CONDITIONS);
  for (int el = EARLY; el <= LATE; el++) {
    CellId own = corner_cell(picking->uses->g->libs, picking->uses->corner, cell, el, NULL);
    if (own != cell) overlay(picking, (Object){ OBJ_LIB_CELL, own }, 3u << condition_of(el, RISE));
  }
}

static OcvPick pick_none(void)
{
  OcvPick pick;
  memset(&pick, 0, sizeof pick);
  memset(pick.table, 0xff, sizeof pick.table);
  return pick;
}

OcvPick ocv_pick_cell(const OcvUses *uses, Slot driver, OcvKind kind)
{
  OcvPick pick = pick_none();
  Picking p = { uses, kind, OCV_CELL, &pick };
  const Netlist *n = uses->g->netlist;
  InstId inst = n->pins.at[uses->g->slots.pin[driver]].inst;
  overlay(&p, (Object){ OBJ_DESIGN, 0 }, ALL_CONDITIONS);
  if (inst == TOP_INST) return pick;
  overlay_lib_cell(&p, n->insts.at[inst].master);
  overlay_blocks(&p, inst);
  return pick;
}

/* Returns the tables of a wire. A net has a name in each level of hierarchy that it crosses, and
   each name counts. */
OcvPick ocv_pick_wire(const OcvUses *uses, Slot load, OcvKind kind)
{
  OcvPick pick = pick_none();
  Picking p = { uses, kind, OCV_NET, &pick };
  const Netlist *n = uses->g->netlist;
  SegId own = n->pins.at[uses->g->slots.pin[load]].seg;
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
  const Variation *variation;
  OcvUses *uses;
  PathDepths *depths;
} Vary;

static bool picks_any(const OcvPick *pick, int path)
{
  for (int k = 0; k < CONDITION_COUNT; k++)
    if (pick->table[path][k] != NO_OCV_TABLE) return true;
  return false;
}

static uint32_t add_pick(OcvPaths *paths, Map *index, const OcvPick *pick)
{
  uint64_t key = hash_bytes((const char *)pick, sizeof *pick);
  for (uint32_t i; (i = map_get(index, key)) != MAP_NO_VALUE; key += 1ull << 32)
    if (memcmp(&paths->picks.at[i], pick, sizeof *pick) == 0) return i;
  map_put(index, key, paths->picks.len);
  array_push(&paths->picks, *pick);
  return paths->picks.len - 1;
}

typedef PathMetric (*MetricOf)(const PathDepths *, uint32_t, bool);

/* Returns the row of an arc or wire: tables in addition to, or instead of, the derates of the
   constraints. */
static DerateRow derate_row(const Vary *vary, const OcvPick *pick, DerateRow row, uint32_t at,
                            MetricOf metric)
{
  for (int path = 0; path < 2; path++) {
    if (!picks_any(pick, path)) continue;
    PathMetric m = metric(vary->depths, at, path == PATH_CLOCK);
    if (m.depth == 0) continue;
    for (int k = 0; k < CONDITION_COUNT; k++) {
      if (pick->table[path][k] == NO_OCV_TABLE) continue;
      float factor = ocv_derate(ocv_table_view(vary->variation, pick->table[path][k]), m.distance,
                                (float)m.depth);
      row.factor[path][k] = vary->variation->options.tables == OCV_TABLES_MULTIPLY
                                ? row.factor[path][k] * factor
                                : factor;
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
static OcvPaths *ocv_paths_new(Timing *t, const Variation *variation)
{
  const Graph *g = t->g;
  OcvPaths *paths = mem_alloc_zero(1, sizeof *paths);
  *paths = (OcvPaths){ .variation = variation,
                       .base = t->derates.rows,
                       .arc_base = t->derates.arc,
                       .wire_base = t->derates.wire };
  paths->arc_pick = mem_alloc_zero((size_t)g->arcs.count + 1, sizeof *paths->arc_pick);
  paths->wire_pick = mem_alloc_zero((size_t)g->nets.load_total + 1, sizeof *paths->wire_pick);
  return paths;
}

void ocv_paths_free(OcvPaths *paths)
{
  if (paths == NULL) return;
  derate_rows_free(&paths->base);
  mem_free(paths->arc_base);
  mem_free(paths->wire_base);
  mem_free(paths->arc_pick);
  mem_free(paths->wire_pick);
  array_free(&paths->picks);
  mem_free(paths);
}

float ocv_path_derate(const OcvPaths *paths, const OcvDelay *of, PathMetric path)
{
  const uint32_t *base = of->wire ? paths->wire_base : paths->arc_base;
  const OcvPick *pick = &paths->picks.at[(of->wire ? paths->wire_pick : paths->arc_pick)[of->at]];
  float own = base ? paths->base.rows.at[base[of->at]].factor[of->clock][of->condition] : 1.0f;
  uint32_t table = pick->table[of->clock][of->condition];
  if (table == NO_OCV_TABLE || path.depth == 0) return own;
  float factor =
      ocv_derate(ocv_table_view(paths->variation, table), path.distance, (float)path.depth);
  return paths->variation->options.tables == OCV_TABLES_MULTIPLY ? own * factor : factor;
}

static void vary_derates(Vary *vary)
{
  Timing *t = vary->t;
  const Graph *g = t->g;
  OcvPaths *paths = t->ocv_paths = ocv_paths_new(t, vary->variation);
  Map *index = map_new();
  DerateRows rows = { 0 };
  uint32_t *arcs = mem_alloc_zero((size_t)g->arcs.count + 1, sizeof *arcs),
           *wires = mem_alloc_zero((size_t)g->nets.load_total + 1, sizeof *wires);
  for (Slot s = 0; s < g->slots.count; s++) {
    if (slot_is_driver(g, s)) {
      OcvPick pick = ocv_pick_cell(vary->uses, s, OCV_DERATE);
      uint32_t picked = add_pick(paths, index, &pick);
      for (ArcId a = g->arcs.first[s]; a < g->arcs.first[s + 1]; a++) {
        DerateRow row = derate_row(vary, &pick, present_row(&paths->base, paths->arc_base, a), a,
                                   path_depth_arc);
        arcs[a] = derate_rows_add(&rows, &row);
        paths->arc_pick[a] = picked;
      }
    } else {
      OcvPick pick = ocv_pick_wire(vary->uses, s, OCV_DERATE);
      uint32_t load = graph_load_index(g, s);
      DerateRow row = derate_row(vary, &pick, present_row(&paths->base, paths->wire_base, load), s,
                                 path_depth_wire);
      wires[load] = derate_rows_add(&rows, &row);
      paths->wire_pick[load] = add_pick(paths, index, &pick);
    }
  }
  for (CheckId c = 0; t->derates.check && c < g->ends.checks.len; c++)
    t->derates.check[c] = derate_rows_add(&rows, &paths->base.rows.at[t->derates.check[c]]);
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
static uint32_t arc_sigma_row(Vary *vary, const OcvPick *pick, ArcId a)
{
  DerateRow row;
  for (int path = 0; path < 2; path++)
    for (int k = 0; k < CONDITION_COUNT; k++) {
      uint32_t table = pick->table[path][k];
      bool own =
          table != NO_OCV_TABLE && !(pick->of_design[path][k] && library_tells(vary->t, a, k));
      row.factor[path][k] =
          own ? ocv_derate(ocv_table_view(vary->variation, table), 0, 0) : LIBRARYS_SIGMA;
    }
  return derate_rows_add(&vary->t->sigma.rows, &row);
}

static uint32_t wire_sigma_row(Vary *vary, const OcvPick *pick)
{
  DerateRow row;
  for (int path = 0; path < 2; path++)
    for (int k = 0; k < CONDITION_COUNT; k++) {
      uint32_t table = pick->table[path][k];
      row.factor[path][k] =
          table == NO_OCV_TABLE ? 0 : ocv_derate(ocv_table_view(vary->variation, table), 0, 0);
    }
  return derate_rows_add(&vary->t->sigma.rows, &row);
}

static void vary_sigmas(Vary *vary)
{
  Timing *t = vary->t;
  const Graph *g = t->g;
  t->sigma.arrival_variance =
      mem_alloc_zero((size_t)g->nodes.count + 1, sizeof *t->sigma.arrival_variance);
  t->sigma.edge = mem_alloc_zero((size_t)g->arcs.edge_count + 1, sizeof *t->sigma.edge);
  t->sigma.check = mem_alloc_zero((size_t)g->ends.checks.len + 1, sizeof *t->sigma.check);
  t->sigma.arc = mem_alloc_zero((size_t)g->arcs.count + 1, sizeof *t->sigma.arc);
  t->sigma.wire = mem_alloc_zero((size_t)g->nets.load_total + 1, sizeof *t->sigma.wire);
  for (Slot s = 0; s < g->slots.count; s++) {
    if (!slot_is_driver(g, s)) {
      OcvPick pick = ocv_pick_wire(vary->uses, s, OCV_COEFFICIENT);
      t->sigma.wire[graph_load_index(g, s)] = wire_sigma_row(vary, &pick);
      continue;
    }
    OcvPick pick = ocv_pick_cell(vary->uses, s, OCV_COEFFICIENT);
    for (ArcId a = g->arcs.first[s]; a < g->arcs.first[s + 1]; a++)
      t->sigma.arc[a] = arc_sigma_row(vary, &pick, a);
  }
}

void timing_vary(Timing *t, const Variation *variation, const Corner *corner)
{
  if (variation == NULL) return;
  Vary y = { t, variation, ocv_uses_new(variation, t->g, corner), NULL };
  if (variation->options.tables != OCV_TABLES_OFF && variation_has(variation, OCV_DERATE)) {
    y.depths = path_depths_new(t->g, variation_places(variation));
    vary_derates(&y);
  }
  t->sigma.quantile = variation->options.quantile;
  if (variation_is_normal(variation)) vary_sigmas(&y);
  path_depths_free(y.depths);
  ocv_uses_free(y.uses);
}
