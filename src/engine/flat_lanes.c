/* Records of arcs and loads for lanes (see engine/flat.h). */
#include "engine/flat.h"

#include <string.h>

#include "base/memory.h"

typedef struct {
  Flat      *f;
  FlatLevel *levels;
  uint32_t  *load_at;              /* [slots]: a load's index; FLAT_NONE */
} Lanes;

static uint32_t node_count(const Flat *f, uint32_t slot) { return f->node_first[slot + 1] - f->node_first[slot]; }

/* Nodes that a map joins one by one. */
static uint8_t joined_nodes(const Flat *f, uint32_t map, uint32_t to)
{
  uint32_t count = node_count(f, to);
  return map != 0 || count >= FLAT_MAPPED ? FLAT_MAPPED : (uint8_t)count;
}

/* --- loads ------------------------------------------------------------------------------------------------------------- */
static int other_thresholds(const Flat *f, uint32_t a, uint32_t b)
{
  return f->thresholds_differ && (f->slot_thresholds[2 * a] != f->slot_thresholds[2 * b] || f->slot_thresholds[2 * a + 1] != f->slot_thresholds[2 * b + 1]);
}

static int is_odd(const Flat *f, uint32_t load, uint32_t driver)
{
  if (f->delay_model == FLAT_CEFF || f->wire_map[load] != 0 || f->slot_use[driver] & (FLAT_PORT | FLAT_INSIDE)) return 1;
  return (f->slot_use[load] & (FLAT_SEED | FLAT_LINKED | FLAT_INSIDE)) != 0 || other_thresholds(f, load, driver);
}

static FlatLoad load_record(const Flat *f, uint32_t slot, uint32_t driver)
{
  FlatLoad r;
  memset(&r, 0, sizeof r);
  r.slot = slot;
  r.driver = driver;
  r.node = f->node_first[slot];
  r.driver_node = driver == FLAT_NONE ? 0 : f->node_first[driver];
  r.first_out = f->out_first[slot];
  r.outs = f->out_first[slot + 1] - r.first_out;
  r.nodes = joined_nodes(f, 0, slot);
  r.wire = driver == FLAT_NONE || node_count(f, driver) == 0 ? 0 : joined_nodes(f, f->wire_map[slot], slot);
  r.odd = driver == FLAT_NONE || is_odd(f, slot, driver);
  return r;
}

static void put_loads(Lanes *l)
{
  Flat *f = l->f;
  FlatLoad *loads = mem_alloc_zero((size_t)f->load_total + 1, sizeof *loads);
  for (uint32_t i = 0; i < f->level_count; i++) {
    const FlatLevel *level = &f->levels[i];
    for (uint32_t n = level->first_load; n < level->first_load + level->load_count; n++) {
      l->load_at[n + level->load_shift] = n;
      loads[n] = load_record(f, n + level->load_shift, FLAT_NONE);
    }
    for (uint32_t d = level->first_slot; d < level->first_slot + level->count; d++)
      for (uint32_t s = f->load_first[d]; s < f->load_first[d] + f->load_count[d]; s++) loads[s - level->load_shift] = load_record(f, s, d);
  }
  f->loads = loads;
}

/* --- arcs -------------------------------------------------------------------------------------------------------------------- */
static FlatArc arc_record(const Lanes *l, uint32_t a, uint32_t to)
{
  const Flat *f = l->f;
  uint32_t from = f->arc_from[a], load = l->load_at[from], source = from;
  FlatArc r = { f->arc_slew[a], FLAT_NONE, 0, f->node_first[to], to, f->arc_kind[a], f->edge_first[a], f->arc_use[a], f->arc_pairs[a], 0, 0 };
  if (load != FLAT_NONE && !f->loads[load].odd) {
    r.wire = load;
    source = f->loads[load].driver;
    if (!(r.slew & FLAT_CLOCK_SLEW)) r.slew = source;
  }
  r.from_node = f->node_first[source];
  r.nodes = joined_nodes(f, f->arc_map[a], to);
  if (f->slot_use[to] & (FLAT_INSIDE | FLAT_PORT)) r.use = 0;      /* special_drivers */
  return r;
}

static void put_arc_records(Lanes *l)
{
  Flat *f = l->f;
  FlatArc *arcs = mem_alloc_zero((size_t)f->arc_count + 1, sizeof *arcs);
  FlatOut *outs = mem_alloc_zero((size_t)f->arc_count + 1, sizeof *outs);
  for (uint32_t s = 0; s < f->slot_count; s++)
    for (uint32_t a = f->arc_first[s]; a < f->arc_first[s + 1]; a++) arcs[a] = arc_record(l, a, s);
  for (uint32_t s = 0; s < f->slot_count; s++)
    for (uint32_t i = f->out_first[s]; i < f->out_first[s + 1]; i++) {
      uint32_t a = f->out_arc[i], to = f->arc_to[a];
      outs[i] = (FlatOut){ a, f->edge_first[a], f->node_first[to], f->arc_use[a], f->arc_pairs[a], joined_nodes(f, f->arc_map[a], to), 0 };
    }
  f->arcs = arcs;
  f->outs = outs;
}

/* --- lists of levels ------------------------------------------------------------------------------------------------------------- */
/* A bit for slots whose seeds begin with what arrives elsewhere. */
static void mark_seeds_from_elsewhere(const Flat *f, uint8_t *marks)
{
  for (uint32_t i = 0; i < f->seed_count; i++) marks[f->seed_slot[i]] |= f->seed_origin[i] != FLAT_NONE;
}

static int is_special(const Flat *f, uint32_t slot, const uint8_t *marks)
{
  if (f->slot_use[slot] & (FLAT_INSIDE | FLAT_LINKED)) return 1;
  return marks[slot] || (f->slot_use[slot] & FLAT_PORT && f->arc_first[slot + 1] > f->arc_first[slot]);
}

typedef struct { uint32_t *at, count; } List;

static List new_list(uint32_t most) { return (List){ mem_alloc(sizeof(uint32_t) * ((size_t)most + 1)), 0 }; }
static void put(List *l, uint32_t x) { l->at[l->count++] = x; }

static void put_level(const Flat *f, FlatLevel *level, const uint8_t *marks, List *special, List *odd, List *sources)
{
  uint32_t end = level->first_slot + level->count;
  level->first_arc = f->arc_first[level->first_slot];
  level->arc_count = f->arc_first[end] - level->first_arc;
  level->first_edge = f->edge_first[level->first_arc];
  level->first_special = special->count;
  level->first_odd = odd->count;
  level->first_source = sources->count;
  for (uint32_t s = level->first_slot; s < end; s++) {
    if (is_special(f, s, marks)) put(special, s);
    if (f->out_first[s + 1] > f->out_first[s] && node_count(f, s)) put(sources, s);
  }
  for (uint32_t n = level->first_load; n < level->first_load + level->load_count; n++)
    if (f->loads[n].odd && f->loads[n].driver != FLAT_NONE) put(odd, n);
  level->special_count = special->count - level->first_special;
  level->odd_count = odd->count - level->first_odd;
  level->source_count = sources->count - level->first_source;
}

static uint32_t largest_level(const Flat *f)
{
  uint32_t most = 0;
  for (uint32_t i = 0; i < f->level_count; i++) {
    const FlatLevel *level = &f->levels[i];
    uint32_t edges = f->edge_first[level->first_arc + level->arc_count] - level->first_edge;
    if (edges > most) most = edges;
  }
  return most;
}

void flat_lanes(Flat *f, FlatLevel *levels)
{
  Lanes l = { f, levels, mem_alloc(sizeof *l.load_at * ((size_t)f->slot_count + 1)) };
  List special = new_list(f->driver_count), odd = new_list(f->load_total), sources = new_list(f->driver_count);
  for (uint32_t s = 0; s < f->slot_count; s++) l.load_at[s] = FLAT_NONE;
  uint8_t *marks = mem_alloc_zero((size_t)f->slot_count + 1, 1);
  mark_seeds_from_elsewhere(f, marks);
  put_loads(&l);
  put_arc_records(&l);
  for (uint32_t i = 0; i < f->level_count; i++) put_level(f, &levels[i], marks, &special, &odd, &sources);
  f->special_drivers = special.at;
  f->special_count = special.count;
  f->odd_loads = odd.at;
  f->odd_count = odd.count;
  f->source_drivers = sources.at;
  f->source_count = sources.count;
  if (f->delay_model == FLAT_CEFF) f->solution_count = 2 * largest_level(f);
  mem_free(l.load_at);
  mem_free(marks);
}

void flat_lanes_free(Flat *f)
{
  const void *own[] = { f->loads, f->arcs, f->outs, f->special_drivers, f->odd_loads, f->source_drivers };
  for (size_t i = 0; i < sizeof own / sizeof *own; i++) mem_free((void *)own[i]);
}
